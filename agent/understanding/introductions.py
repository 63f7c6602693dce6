"""Who speaks, as far as an utterance tells: "I'm Ada Berg", "I'm not Ada"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from frontdesk.agent.access.access_rights import BY_CALLER
from frontdesk.agent.understanding.form_acts import of_each
from frontdesk.agent.understanding.link_utterance import LinkedUtterance, called
from frontdesk.agent.understanding.meaning import LIKELY, Meaning
from frontdesk.agent.understanding.semantic_parser import Parse
from frontdesk.agent.understanding.surface_cues import SurfaceCues
from frontdesk.agent.understanding.veto import objects
from frontdesk.kg.english.lexicon import DENIED, IMPERSONAL, is_only_names
from frontdesk.kg.graph.dialogue_graph import DialogueGraph, Identity
from frontdesk.kg.graph.entities import Person
from frontdesk.kg.graph.knowledge_graph import KnowledgeGraph
from frontdesk.kg.graph.logical_forms import Form, Span
from frontdesk.kg.graph.mentions import DialogueAct, Mention, MentionKind, Observation
from frontdesk.kg.graph.pending_action import Slot
from frontdesk.kg.names.unknown_names import as_introduced, may_introduce
from frontdesk.rules.linking.linked import LinkedMention

#: Acts of which a name that answers who speaks may be said; all others are about something else.
_GIVE_NAME = frozenset({"answer", "introduce", "confirm", "deny", "greet", "thank", "acknowledge",
                        "apologise", "chat", "goodbye"})


def with_introduction(parse: Parse, meaning: Meaning, identity: Identity | None) -> Parse:
    """What an utterance says where its forms introduce the speaker.

    Args:
        parse: What it says by the patterns.
        identity: Who the user was before; whoever the caller has told is nobody else.
    """
    name = meaning.introduces
    if not name or (identity is not None and identity[2].rule == BY_CALLER):
        return parse
    alone = not (meaning.queries or meaning.requests)
    return of_each(parse, lambda each: _introducing(each, name, alone=alone))


def _introducing(observation: Observation, name: str, *, alone: bool) -> Observation:
    """What is said, with the name marked as the speaker's where it may be theirs; one that stands
    ``alone``, or among names only, must have nothing around it that counts.
    """
    alone = alone or is_only_names(observation.text, [
        each for each in observation.mentions if each.kind is MentionKind.NAME])
    introduced = next((each for each in observation.mentions
                       if each.text.casefold() == name.casefold()
                       and may_introduce(observation.text, each)
                       and (not alone or is_only_names(observation.text, [each]))), None)
    if introduced is None or any(each.introduces_speaker for each in observation.mentions):
        return observation
    return replace(observation, acts=observation.acts | {DialogueAct.INTRODUCE}, mentions=tuple(
        as_introduced(each) if each is introduced else each for each in observation.mentions))


def may_tell_who_speaks(parse: Parse, identity: Identity | None) -> bool:
    """Whether an utterance may change who the user is taken for."""
    if identity is not None and identity[2].rule == BY_CALLER:
        return False
    read = (parse.observation,) if parse.hypotheses is None else parse.hypotheses.observations
    return any(mention.introduces_speaker or (
        identity is not None and DENIED.search(each.text[:mention.start]))
        for each in read for mention in each.mentions)


def who_speaks(dialogue: DialogueGraph, utterance: LinkedUtterance,
               forms: Sequence[Form]) -> Identity | None:
    """Who the user is after an utterance that may tell; None for somebody whom nobody knows.

    Args:
        utterance: It, linked by what was known before.
        forms: What it means; a name in a title or message is not the user's.
    """
    observation, linked = utterance.observation, utterance.linked
    identity = dialogue.user_identity()
    if identity is not None and _is_denied(linked, observation, identity[0]):
        identity = None
    introduced = next((each for each in linked if each.mention.introduces_speaker
                       and not _is_passed_on(dialogue, each.mention, observation, forms)
                       and not _only_answers(dialogue, identity, each.mention, observation)), None)
    if introduced is None:
        return identity
    if not introduced.links:
        return None  # somebody whom nobody knows speaks now
    best = introduced.links[0]
    asks = any(each.mention.kind is MentionKind.FIRST_PERSON
               and each.mention.probability > LIKELY for each in linked)
    asks_at_once = asks and observation.asks  # and is asked back
    if len(introduced.links) > 1:  # "I'm Ada" where there are two
        if identity is not None and identity[0] in {each.entity for each in introduced.links}:
            return identity
        return (best.entity, min(best.probability, LIKELY), best.provenance) if asks_at_once \
            else None
    if best.probability <= LIKELY and not asks_at_once:
        return identity  # more probably somebody else
    return best.entity, best.probability, best.provenance


def may_give_name(forms: Iterable[Form]) -> bool:
    """Whether an utterance may answer who speaks: none of its acts asks, chooses or revises
    anything else. One that was not read as forms may."""
    return all(each.head in _GIVE_NAME for each in forms)


def who_answers(dialogue: DialogueGraph, utterance: LinkedUtterance, cues: SurfaceCues,
                forms: Sequence[Form], kb: KnowledgeGraph) -> Identity | None:
    """Who the user is by the name with which they answer who they are; None where that is not
    asked, or left aside, and where they answer something else or nobody is called so.

    Args:
        dialogue: With the utterance as its last turn.
        forms: What the utterance means; queries in full where it settles a question back.
    """
    identity = dialogue.user_identity()
    if _asked(dialogue) != Slot.SPEAKER or not may_give_name(forms) or (
            identity is not None and identity[2].rule == BY_CALLER):
        return None
    alone = says_only_names(cues, utterance.linked, kb)
    offered = [option for turn in dialogue.turns[-2:-1] for option in dialogue.question(turn)[1]]
    for each in utterance.linked:
        people = called(each, kb) if each.mention.kind is MentionKind.NAME and (
            each.mention.introduces_speaker or alone) else ()
        chosen = not each.mention.introduces_speaker and any(
            person.entity in offered for person in people)  # "Do you mean Ada Berg or ...?"
        if len(people) == 1 and people[0].probability > LIKELY and not chosen:
            return people[0].entity, people[0].probability, people[0].provenance
    return None


def says_only_names(cues: SurfaceCues, linked: Sequence[LinkedMention], kb: KnowledgeGraph
                    ) -> bool:
    """Whether an answer is one name and nothing else that counts: "yes, it's Ada Berg"."""
    names = [each.mention for each in linked if each.mention.kind is MentionKind.NAME]
    others = [each.mention for each in linked
              if each.links and not isinstance(kb.entity(each.links[0].entity), Person)]
    return len([each for each in names if each not in others]) < 2 and cues.is_only(names)


def _only_answers(dialogue: DialogueGraph, identity: Identity | None, mention: Mention,
                  observation: Observation) -> bool:
    """Whether a user who is known was asked for something else: "no, it's Ada that I want"."""
    asked = _asked(dialogue)
    return (asked not in ("", Slot.SPEAKER) and identity is not None
            and (asked not in (Slot.CONFIRMATION, Slot.CHANGE) or objects(observation.text))
            and IMPERSONAL.search(observation.text[:mention.start]) is not None)


def _is_passed_on(dialogue: DialogueGraph, mention: Mention, observation: Observation,
                  forms: Sequence[Form]) -> bool:
    """Whether a name stands in a message or title: "tell Ada: this is Bo, call me"."""
    text, asked = observation.text, _asked(dialogue)
    tells = any(each.head == "tell" for form in forms for each in form.walk()) and not any(
        form.head == "introduce" for form in forms)
    return (asked == Slot.MESSAGE or tells
            or any(mention.text in words for words in _passed_on(forms))
            # "I'm Ada Berg. Call it lens day" is no title as a whole.
            or (asked == Slot.TITLE and not re.search(r"[.!?]\s+\w", text[mention.end:])))


def _passed_on(forms: Sequence[Form]) -> list[str]:
    """The titles and messages in forms."""
    return [span.text for form in forms for each in form.walk()
            if each.head in ("tell", "title", "note") for span in each.arguments
            if isinstance(span, Span)]


def _asked(dialogue: DialogueGraph) -> str:
    action = dialogue.last_action()
    return action.asked if action is not None and action.is_open else ""


def _is_denied(linked: Iterable[LinkedMention], observation: Observation, user: str) -> bool:
    """Whether somebody says not to be who they were taken for: "I'm not Ada"."""
    return any(each.links and each.links[0].entity == user
               and DENIED.search(observation.text[:each.mention.start]) for each in linked)
