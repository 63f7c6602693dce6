"""What the forms of an utterance say of it as a whole: its acts, whether it asks, and what."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from frontdesk.agent.domains.query_answering import QueryAnswering
from frontdesk.agent.understanding.meaning import Meaning
from frontdesk.agent.understanding.semantic_parser import Parse
from frontdesk.kg.english.cues import asked_by_cues
from frontdesk.kg.graph.mentions import DialogueAct, MentionKind, Observation

_ACTS = {"greet": DialogueAct.GREET, "thank": DialogueAct.THANK, "goodbye": DialogueAct.GOODBYE,
         "chat": DialogueAct.PLEASANTRY, "confirm": DialogueAct.CONFIRM,
         "acknowledge": DialogueAct.CONFIRM, "deny": DialogueAct.DENY,
         "help": DialogueAct.ASK_HELP}
#: Acts that want to be told something, though what may not have been understood.
_ASKING = frozenset({"ask", "revise", "correct", "help", "unsupported"})
#: Queries for yes or no, and what turns the answer round.
_POLAR, _NEGATIVE = frozenset({"holds", "exists"}), frozenset({"busy", "is_busy", "untrue"})

#: How probably it is about who speaks where that is only said by the way: "Can I have her number?"
_IN_PASSING = 0.1


def with_acts(parse: Parse, meaning: Meaning, answering: QueryAnswering) -> Parse:
    """What an utterance says, with what its forms say of it as a whole.

    Args:
        answering: Tells which predicates they ask for.
    """
    forms = meaning.forms
    acts = frozenset(_ACTS[form.head] for form in forms if form.head in _ACTS)
    heads = {each.head for form in meaning.queries or forms for each in form.walk()}
    speaker = 1.0 if not heads.isdisjoint(("me", "us")) else _IN_PASSING
    polar = bool(meaning.queries) and all(each.head in _POLAR for each in meaning.queries) \
        and heads.isdisjoint(_NEGATIVE)
    asks = bool(meaning.queries) or any(form.head in _ASKING for form in forms)
    asked = answering.asked_for(meaning.queries or forms)

    def told(observation: Observation) -> Observation:
        # House rules declare cues for predicates that no form has.
        by_cues = asked_by_cues(observation, observation.schema)
        return replace(
            observation, acts=observation.acts | acts, polar=polar, asks=asks,
            asked=replace(asked, predicates={**by_cues, **asked.predicates}),
            mentions=tuple(replace(each, probability=speaker) if each.kind
                           is MentionKind.FIRST_PERSON else each for each in observation.mentions))

    return of_each(parse, told)


def of_each(parse: Parse, change: Callable[[Observation], Observation]) -> Parse:
    """A parse with each observation changed, those of further hypotheses among them."""
    return replace(parse, observation=change(parse.observation),
                   hypotheses=None if parse.hypotheses is None else replace(
                       parse.hypotheses, observations=tuple(
                           map(change, parse.hypotheses.observations))))
