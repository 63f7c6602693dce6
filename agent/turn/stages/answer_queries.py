"""``answer``: the queries of an utterance are answered from the graph, by proof."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import ClassVar

from frontdesk.agent.access.access_rights import VISITOR
from frontdesk.agent.acting.action_context import known_user
from frontdesk.agent.domains.query_answering import AnsweredQueries
from frontdesk.agent.settings.settings import KnowledgeSettings
from frontdesk.agent.turn.house_answers import in_danger, with_house, with_source
from frontdesk.agent.turn.turn_state import TurnState
from frontdesk.agent.understanding.meaning import LIKELY, Meaning, forms_before
from frontdesk.agent.understanding.open_choice import chosen_before
from frontdesk.kg.graph.logical_forms import Form, Span
from frontdesk.kg.graph.mentions import DialogueAct
from frontdesk.scoring.passages import HousePassages, PassageIndex

#: Heads that may ask for anything that is known.
_UNSPECIFIC = ("about", "related", "value")
#: Heads whose answers may rest on a predicate: somebody's place may be their office.
_RESTS_ON = {"member_of": ("group", "thing"), "office": ("where", "location", "floor")}
#: Acts that want something done.
_DEEDS = frozenset({"request", "undo", "redo", "abandon"})
#: Acts that change what was said before.
_FOLLOW_UPS = frozenset({"revise", "correct"})


_DONE, _DEED = "what is to be done was replied to", "they want something done"
_COURTESY = "a courtesy is replied to in other words"
#: Nothing is lost where forms are not answered for these reasons.
_AS_IT_SHOULD_BE = frozenset({_DONE, _DEED, _COURTESY})


@dataclass(frozen=True)
class AnswerQueries:
    """Answers what an utterance asks, where that is understood.

    Args:
        settings: The condition: a proved answer is derived, and let through where such facts are.
        acts: Something can be done for whoever speaks.
        house: What the house says of itself, for what the graph cannot answer; None for nothing.
    """

    name: ClassVar[str] = "answer"
    settings: KnowledgeSettings
    acts: bool = False
    house: HousePassages | None = None

    def run(self, state: TurnState) -> None:
        """Set ``answered``: None where nothing is asked that is understood."""
        state.answered = self._answer(state)
        if state.answered is None and state.parsed.parse.in_full:
            state.notes.append(f"understood as: {state.parsed.parse.in_full}")

    def _answer(self, state: TurnState) -> AnsweredQueries | None:
        meaning, dialogue, turn = _with_what_waited(state), state.inputs.dialogue, \
            state.parsed.turn
        answering, links = state.visible.domain.queries, state.links
        if answering is None or links is None or not meaning.forms:
            return None
        meaning = in_danger(meaning, dialogue)
        unread = meaning.requests if self.acts and not state.decided else ()
        if unread:  # nothing could be made of it, which is no lack of knowledge
            meaning = replace(meaning, acts=unread)
            state.notes.append("that something is to be done was understood, but not what")
        beside = bool(meaning.queries and state.acted.outcomes)  # a question beside a request
        why = _why_left(state, meaning, is_replied_to=bool(unread) or meaning.only_asks or beside) \
            if self.settings.has_derived else f"the condition is {self.settings.condition}"
        if why:
            if why not in _AS_IT_SHOULD_BE:
                state.notes.append(f"logical forms were not answered: {why}")
            acted_on = [form for task in state.decided[:len(state.acted.outcomes)]
                        for form in task.reading.forms]
            dialogue.set_forms(turn, " ".join(map(str, acted_on or meaning.forms)))
            return None
        chosen = chosen_before(dialogue) | dict(meaning.chosen)
        answer = partial(answering.answer, links=links, speaker=state.user, chosen=chosen)
        answered = answer(meaning.queries, meaning.acts)
        if (house := self._told_by_house(state)) is not None:
            answered = with_source(with_house(
                answered, meaning, house, state.parsed.house_questions, answer), meaning, dialogue)
        if not all(map(state.visible.tells, answered.facts)):
            state.notes.append("an answer was left out that may not be told")
            dialogue.set_forms(turn, " ".join(map(str, meaning.forms)))
            return None
        noted = replace(meaning, queries=answered.queries).noted
        dialogue.set_forms(turn, noted, about=answered.about,
                           answers=answered.entities, window=answered.window, times=answered.times,
                           affirmed=answered.affirms,
                           asked_back=answered.asked_back or meaning.settled,
                           chosen=_named_in(meaning.queries, chosen))
        return answered

    def _told_by_house(self, state: TurnState) -> PassageIndex | None:
        """What the house says of itself, as far as it may be told to who speaks."""
        domain, access = state.visible.domain, state.inputs.access
        if self.house is None or domain.pack.people is None:
            return None
        role = access.role(domain.pack.people(domain.kb), known_user(state.inputs.dialogue, access))
        return self.house.told_to(visitor=role == VISITOR)


def _why_left(state: TurnState, meaning: Meaning, *, is_replied_to: bool) -> str:
    """Why the forms of a turn are not answered; empty where they are."""
    view = state.visible.view
    if state.acted.question is None:
        return _DONE
    if not is_replied_to:
        return _why_nothing_asked({form.head for form in meaning.forms})
    if _is_said_otherwise(state, meaning):
        return _COURTESY
    if view is not None and _asks_for(view.withheld, meaning.queries):
        # What the graph does not have for whoever speaks would be denied.
        return "not all that is asked for may be told to who speaks"
    user = state.inputs.dialogue.user()
    if user is not None and user[1] <= LIKELY and any(
            part.head in ("me", "us") for query in meaning.queries for part in query.walk()):
        return "it is not sure who speaks"  # who has to be asked
    return ""


def _why_nothing_asked(heads: Collection[str]) -> str:
    """Why forms with these heads ask nothing that can be answered."""
    if not _DEEDS.isdisjoint(heads):
        return _DEED
    if not _FOLLOW_UPS.isdisjoint(heads):
        return "they change a question or a request, and there is none to change"
    return "what they are about is not named" if "unsupported" in heads else "they ask nothing"


def _asks_for(withheld: Collection[str], queries: Sequence[Form]) -> bool:
    """Whether queries ask for what is withheld, or may."""
    heads = {part.head for query in queries for part in query.walk()}
    return bool(withheld) and not heads.isdisjoint(
        {*withheld, *_UNSPECIFIC, *(head for each in withheld for head in _RESTS_ON.get(each, ()))})


def _with_what_waited(state: TurnState) -> Meaning:
    """What an utterance means; where it only tells who speaks, what was asked before that."""
    meaning, dialogue = state.parsed.meaning, state.inputs.dialogue
    only_tells = DialogueAct.INTRODUCE in state.linked.observation.acts and all(
        query.head == "about" for query in meaning.queries)
    if state.recognised.known_before or state.user is None or not only_tells or meaning.warns:
        return meaning
    _, *before = forms_before(dialogue)
    waiting = tuple(query for form in (before[0] if before else ()) if form.head == "ask"
                    for query in form.inner()
                    if any(each.head in ("me", "us") for each in query.walk()))
    return replace(meaning, forms=before[0], queries=waiting, acts=()) if waiting else meaning


def _named_in(queries: Sequence[Form], chosen: Mapping[Form, str]) -> dict[str, str]:
    """What was chosen for the names in queries; pronouns mean something else in the next."""
    return {str(form): chosen[form] for query in queries for form in query.walk()
            if form in chosen and any(isinstance(each, Span) for each in form.arguments)}


def _is_said_otherwise(state: TurnState, meaning: Meaning) -> bool:
    """Whether it is a courtesy that the generator replies to in its own words."""
    return meaning.social and not state.linked.observation.acts.isdisjoint(
        (DialogueAct.GREET, DialogueAct.THANK, DialogueAct.GOODBYE, DialogueAct.PLEASANTRY,
         DialogueAct.INTRODUCE))
