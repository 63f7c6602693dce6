"""Graphs as they are drawn: of a turn of a session, and of what the organisation knows."""

from __future__ import annotations

from collections import Counter
from typing import Annotated, Any

from fastapi import APIRouter, HTTPException, Query, Request, Response
from fastapi.responses import JSONResponse

from frontdesk.agent.acting.action_context import visible_to
from frontdesk.agent.domains.visible_domain import VisibleDomain
from frontdesk.agent.serving.api.request_texts import KeptText
from frontdesk.agent.serving.auth.api_keys import Caller
from frontdesk.agent.serving.sessions.conversations import Conversations
from frontdesk.agent.serving.sessions.session_store import StoredSession
from frontdesk.kg.graph.dialogue_graph import USER, DialogueGraph, entity_node
from frontdesk.kg.pictures.picture import Picture
from frontdesk.kg.pictures.picture_content import collect, collect_around
from frontdesk.kg.pictures.picture_figure import to_svg
from frontdesk.kg.pictures.picture_layout import lay_out
from frontdesk.kg.pictures.picture_page import to_data

_SVG = "image/svg+xml"
#: An SVG of its own has its colours in style attributes.
_SVG_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
_MOST_TURNS = 2**31 - 1
#: Turns of the dialogue graph that are drawn: an exchange and the one before it.
_DRAWN = 4
#: From what the user said to all that both of them mention.
_RADIUS = 3
_Radius = Annotated[int, Query(ge=1, le=2, description="steps from the entity")]
_RESPONSES: dict[int | str, dict[str, Any]] = {200: {"content": {_SVG: {
    "schema": {"type": "string"}}}}}


def router(conversations: Conversations, authorised: Any) -> APIRouter:
    """The routes of graphs. With "Accept: image/svg+xml" they are pictures, else JSON."""
    routes = APIRouter(tags=["graph"])

    @routes.get("/sessions/{session}/graph", response_model=None, responses=_RESPONSES)
    def of_session(session: KeptText, request: Request,
                   turn: Annotated[int | None, Query(ge=1, le=_MOST_TURNS)] = None,
                   entity: KeptText | None = None, radius: _Radius = 1,
                   caller: Caller = authorised) -> Response:
        """The dialogue graph around a turn, the last one by default.

        With "entity" the knowledge graph around that, as far as who speaks may know it.
        """
        found = conversations.find(caller, session)
        dialogue = _dialogue(found)
        visible = _seen_in(conversations, dialogue, caller.role)
        if entity is not None:
            return _shown(request, _around(conversations, visible, entity, radius))
        number = found.turns if turn is None else turn
        graph = _exchange(conversations, found, dialogue, number)
        return _shown(request, _of_turn(visible, graph, number), turn=number)

    @routes.get("/graph", response_model=None, responses=_RESPONSES)
    def of_organisation(request: Request, entity: KeptText | None = None, radius: _Radius = 1,
                        speaker: Annotated[KeptText | None, Query(max_length=256)] = None,
                        limit: Annotated[int, Query(ge=1, le=500)] = 100,
                        offset: Annotated[int, Query(ge=0, le=_MOST_TURNS)] = 0,
                        caller: Caller = authorised) -> Response:
        """The knowledge graph around an entity; without one, which entities there are.

        It is what a visitor may know, or "speaker" where the key vouches for it.
        """
        visible = conversations.seen_by(caller, speaker)
        if entity is not None:
            return _shown(request, _around(conversations, visible, entity, radius))
        return JSONResponse(_entities(visible, limit, offset))

    return routes


def _entities(visible: VisibleDomain, limit: int, offset: int) -> dict[str, Any]:
    kb = visible.kb
    known = [each for each in kb.entities() if each.id not in visible.hidden]
    return {"name": kb.name, "count": len(known), "offset": offset,
            "counts": Counter(str(each.type) for each in known),
            "entities": [{"id": each.id, "name": each.name, "type": str(each.type)}
                         for each in known[offset:offset + limit]]}


def _around(conversations: Conversations, visible: VisibleDomain, entity: str,
            radius: int) -> Picture:
    """An entity and what it is related to.

    Raises:
        HTTPException: Status 404; there is none, or it may not be known.
    """
    kb = visible.kb
    if entity not in kb or entity in visible.hidden:
        raise HTTPException(404, f"there is nothing with the id {entity!r}")
    with conversations.current.use() as agent:
        now = agent.clock()
    return collect_around(kb, entity, radius, now, visible.hidden)


def _of_turn(visible: VisibleDomain, graph: DialogueGraph, number: int) -> Picture:
    """The exchange that ends a dialogue, with what the organisation knows around it."""
    kb = visible.kb
    graph.forget_facts_of([*visible.hidden, *(each for each in graph.entities() if each not in kb)])
    said = next(each for each in reversed(graph.turns) if graph.speaker(each) == USER)
    picture = collect(graph, kb, said, _RADIUS, {}, visible.hidden, brief=True)
    picture.heading = f"Turn {number}"
    _leave_out_idle(picture)
    return picture


def _leave_out_idle(picture: Picture) -> None:
    """Leave out speakers of whom no more is known than that they speak, which each turn says
    itself, and what earlier turns mention that has nothing to do with this one."""
    picture.edges = [each for each in picture.edges if each.style != "spoken_by"]
    busy = {each.source for each in picture.edges}
    now = next(each.turn for each in picture.nodes.values() if each.focus)
    idle = {each.id for each in picture.nodes.values() if each.id not in busy and (
        each.kind == "speaker" or (each.kind == "mention" and each.turn < now))}
    picture.nodes = {name: node for name, node in picture.nodes.items() if name not in idle}
    picture.edges = [each for each in picture.edges if each.target not in idle]


def _dialogue(session: StoredSession) -> DialogueGraph:
    return DialogueGraph.from_json(session.graph) if session.graph else DialogueGraph()


def _seen_in(conversations: Conversations, dialogue: DialogueGraph, role: str | None
             ) -> VisibleDomain:
    """What whoever speaks in a dialogue now may be told."""
    with conversations.current.use() as agent:
        return visible_to(agent.at_last(), dialogue.user_identity(),
                          agent.access.as_certified(role))


def _exchange(conversations: Conversations, session: StoredSession, dialogue: DialogueGraph,
              number: int) -> DialogueGraph:
    """The turns up to what was said and answered in a turn of a session.

    Of earlier turns there is what has to do with it.

    Raises:
        HTTPException: Status 404; there is no such turn, or it was held with somebody else.
    """
    kept = conversations.store.part(session.id, number)
    if not kept:
        raise HTTPException(404, f"there is no graph of a turn {number} in the session")
    part = DialogueGraph.from_json(kept)
    then, now = part.user_identity(), dialogue.user_identity()
    if then is not None and (now is None or now[0] != then[0]):
        raise HTTPException(404, f"turn {number} was held with somebody else, and is forgotten")
    last = part.turns[-1]
    if last not in dialogue.turns or dialogue.at(last) != part.at(last):
        return part  # so long ago that the dialogue goes on without it
    dialogue.forget_from(dialogue.turns.index(last) + 1, now)
    around = dialogue.latest(_DRAWN)
    spoken_of = {each for each in part.entities()
                 if entity_node(each) not in part.nx
                 or {*part.nx.predecessors(entity_node(each))} - {USER}}
    around.forget_entities(set(around.entities()) - spoken_of - {now[0] if now else None})
    earlier = around.turns[:-len(part.turns)]
    shared = any(link.entity in spoken_of for turn in earlier
                 for mention in around.mentions(turn) for link in around.referents(mention))
    return around if shared else part


def _shown(request: Request, picture: Picture, **more: object) -> Response:
    """A picture in the form that is asked for."""
    lay_out(picture)
    if _SVG in request.headers.get("accept", ""):
        return Response(to_svg(picture), media_type=_SVG, headers={
            "vary": "accept", "content-security-policy": _SVG_POLICY})
    return JSONResponse({**more, **to_data(picture)}, headers={"vary": "accept"})
