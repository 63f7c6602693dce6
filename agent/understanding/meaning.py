"""What an utterance means: its logical forms, and the queries that they ask in full."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from frontdesk.agent.understanding.open_choice import OpenChoice, SettledChoice, as_choice
from frontdesk.agent.understanding.revised_query import Revisions
from frontdesk.agent.understanding.wanted_before import TURNS_BACK, name_awaited, wanted_last
from frontdesk.kg.graph.dialogue_graph import USER, AskedBack, DialogueGraph, Hypothesis
from frontdesk.kg.graph.errors import FormatError
from frontdesk.kg.graph.logical_forms import Form, read_forms
from frontdesk.kg.graph.pending_action import PendingAction, Slot
from frontdesk.kg.parser.name_marks import NameMarks
from frontdesk.kg.parser.parser_input import ParserInput
from frontdesk.kg.parser.reading_omissions import that_leave_out_least
from frontdesk.kg.parser.trained_parser import ParsedForms, TrainedParser
from frontdesk.rules.linking.n_best import hypothesis_weights
from frontdesk.rules.linking.predicate_questions import PredicateQuestions

#: Whether what queries refer to by pronouns was spoken of and fits its place.
Refers = Callable[[Sequence[Form]], bool]
#: Forms with what they refer to in the place of the words for it.
Linked = Callable[[Sequence[Form]], tuple[Form, ...]]
#: From this probability on something is taken to be so.
LIKELY = 0.5
#: Acts that want nothing done and nothing answered.
_COURTESIES = frozenset({"greet", "goodbye", "thank", "apologise", "chat", "acknowledge",
                         "introduce"})
#: Acts that are replied to, though nothing is looked up for them.
_REPLIED = frozenset({"greet", "goodbye", "thank", "apologise", "chat", "help", "slower",
                      "handover", "alarm", "unsupported", "deliver"})
#: Acts that need a reply of their own beside an answer.
_UNSUPPORTED = "unsupported"
_BESIDE = frozenset({_UNSUPPORTED})
#: Acts that are answered.
_ASKING = frozenset({"ask", "revise", "correct", "unsupported", "arrive", "deliver"})
#: Acts of which queries in full are made; those that go on with one.
_QUERIES, _FOLLOW_UPS = frozenset({"ask", "revise", "correct"}), frozenset({"revise", "correct"})
#: Acts of somebody who has come, and what asks their way.
_VISITS, _THERE = frozenset({"arrive", "deliver"}), Form("ask", (Form("where", (Form("that"),)),))
#: Acts that a dialogue keeps beside queries.
_KEPT = _COURTESIES | _VISITS
#: What the parser calls a choice that the agent has left to the user.
_CHOICE = "choice"
#: From this probability on a danger comes before all else: not to warn is worse than to warn.
_WARNS = 0.02
#: Hypotheses of what was said that are parsed, the likeliest ones.
_HEARD = 3
#: A reading whose follow-up has nothing to go on with gives way to one that is as likely by this;
#: one that asks of what was spoken of, where nothing fits, to one that is less likely, too.
_GIVES_WAY, _GIVES_WAY_TO_ANY = 0.2, 0.05


@dataclass(frozen=True)
class Meaning:
    """What an utterance means.

    Args:
        readings: The readings, the likeliest first.
        acts: Acts that are replied to though they ask nothing of the graph; beside queries only
            those that need it.
        chosen: Ids of what the user chose for references of the queries.
        settled: The question back that it answers by that; None where it answers none.
        probability: Of the reading, in (0, 1].
        gives_name: It answers the question who speaks, which an answer waits for.
        visits: What people are told of that has waited for it to settle a question back.
    """

    readings: tuple[ParsedForms, ...] = ()
    forms: tuple[Form, ...] = ()
    queries: tuple[Form, ...] = ()
    acts: tuple[Form, ...] = ()
    probability: float = 0.0
    chosen: Mapping[Form, str] = field(default_factory=dict)
    settled: AskedBack | None = None
    gives_name: bool = False
    visits: tuple[Form, ...] = ()

    @property
    def only_asks(self) -> bool:
        """Whether it asks or says something, and wants nothing done."""
        return bool(self.queries or self.acts) and _only_ask(self.forms)

    @property
    def warns(self) -> bool:
        """Whether it may tell of a danger, which comes before all else."""
        return _alarm(self.readings) is not None

    @property
    def introduces(self) -> str:
        """The name that the speaker probably has by it; empty where it tells none.

        A name alone, with nothing asked or wanted, need not be the speaker's own but where that was
        asked for.
        """
        if not (self.queries or self.requests or self.gives_name) \
                or _together(self.readings, _introduce) <= LIKELY:
            return ""
        return next(span.text for reading in self.readings for form in reading.forms
                    if form.head == "introduce" for span in form.spans())

    @property
    def requests(self) -> tuple[Form, ...]:
        """What is to be done."""
        return tuple(form for form in self.forms if form.head == "request")

    @property
    def noted(self) -> str:
        """What a dialogue keeps of it: a follow-up goes on with the queries in full."""
        kept = self.forms if not self.queries else (
            *self.visits, *(form for form in self.forms if form.head in _KEPT),
            *(Form("ask", (each,)) for each in self.queries))
        return " ".join(map(str, kept))

    @property
    def social(self) -> bool:
        """Whether it is courtesies alone."""
        return bool(self.forms) and all(form.head in _COURTESIES for form in self.forms)


class MeaningReader:
    """Reads utterances as forms, follow-ups as queries in full."""

    def __init__(self, parser: TrainedParser) -> None:
        self.parser = parser
        self.revisions = Revisions(parser.tokens.language)

    def read(self, hypotheses: Sequence[Hypothesis], dialogue: DialogueGraph, names: NameMarks, *,
             asked: str = "", predicates: PredicateQuestions | None = None,
             choice: OpenChoice | None = None, refers: Refers = lambda queries: True,
             linked: Linked = tuple) -> Meaning:
        """What an utterance means after a dialogue.

        Args:
            hypotheses: Of what was said, at least one, the likeliest first.
            names: Finds the names that may be in it.
            asked: What the agent has just asked for; empty where it asked for nothing.
            predicates: Finds questions about predicates that the parser was not taught.
            choice: What it has asked back; None where nothing.
            refers: Whether what queries refer to by pronouns was spoken of and fits its place.
            linked: Forms by what they refer to; readings of which these are equal mean the same.
        """
        turns = forms_before(dialogue)
        revisions = self.revisions if predicates is None else Revisions(predicates.language)
        asked_before, come_for = revisions.queries(turns), _come_for(turns)
        quoted = bool(dialogue.turns) and bool(dialogue.quoted(dialogue.turns[-1]))
        last = revisions.queries(turns[:1])
        heard_as = sorted(zip(hypothesis_weights(hypotheses), hypotheses, strict=True),
                          key=lambda each: -each[0])[:_HEARD]
        total = sum(weight for weight, _ in heard_as) or 1.0
        action = dialogue.last_action()
        offers = choice is not None or (action is not None and action.is_open)
        # Whether what was offered is taken up or left is not known: each is as likely.
        contexts = [_CHOICE, asked] if choice is not None or _offers_events(action) else [asked]
        readings: dict[tuple[Form, ...], ParsedForms] = {}
        inputs = [ParserInput(heard.text, context, wanted_last(turns), names.find(heard.text))
                  for _, heard in heard_as for context in contexts]
        weights = [weight for weight, _ in heard_as for _ in contexts]
        for weight, each, own in zip(weights, inputs, self.parser.parse_all(inputs), strict=True):
            for reading in that_leave_out_least(own, each.utterance, each.names):
                forms = _of_told(reading.forms) if asked_before and not offers else reading.forms
                if quoted and not offers and revisions.in_full(forms, last) is None:
                    forms = _of_house(forms)
                before = readings.get(forms, ParsedForms(forms, 0.0))
                readings[forms] = replace(before, probability=before.probability + weight / total
                                          * reading.probability / len(contexts))
        meaning = replace(_likeliest(_added_up(readings.values(), lambda forms: linked(
            _in_full(_of_visit(forms, come_for), asked_before, revisions))), asked_before,
            revisions, choice, refers, come_for), gives_name=name_awaited(dialogue))
        if predicates is None or meaning.chosen or meaning.warns:
            return meaning
        found = predicates.asked(hypotheses[0].text, meaning.forms, meaning.probability,
                                 names.find(hypotheses[0].text))
        return meaning if found is None else replace(
            meaning, forms=(Form("ask", (found.query,)),), queries=(found.query,), acts=(),
            probability=found.probability)


def _offers_events(action: PendingAction | None) -> bool:
    """Whether it was asked which of some events is meant."""
    return action is not None and action.is_open and action.asked == Slot.EVENT \
        and len(action.offered) > 1


def _of_told(forms: tuple[Form, ...]) -> tuple[Form, ...]:
    """Forms that choose something, where nothing is offered, as a question about what was told."""
    chosen = tuple(form if form.head in _QUERIES else as_choice(form) for form in forms)
    chooses = any(form.head == "choose" for form in chosen) and all(
        form.head in _COURTESIES | {"choose"} for form in chosen)
    return tuple(Form("ask", (Form("which", form.arguments),)) if form.head == "choose" else form
                 for form in chosen) if chooses else forms


def _come_for(turns: Sequence[Sequence[Form]]) -> tuple[Form, ...]:
    """Acts that tell for what a visitor has come, where nothing was asked since.

    Args:
        turns: The forms of each, of the latest turn first.
    """
    asked = _VISITS | {"ask"}
    last = next((forms for forms in turns if any(form.head in asked for form in forms)), ())
    return tuple(form for form in last if form.head in _VISITS)


def _of_visit(forms: Sequence[Form], come_for: Sequence[Form]) -> tuple[Form, ...]:
    """Forms that ask a visitor's way, "where is that?", as those that tell for what they have come,
    which ask where it is; not where they tell of a visit themselves."""
    if not come_for or any(form.head in _VISITS for form in forms):
        return tuple(forms)
    return tuple(each for form in forms for each in (come_for if form == _THERE else (form,)))


def _of_house(forms: tuple[Form, ...]) -> tuple[Form, ...]:
    """Forms that go on with what the house has answered, where the graph has no query for that."""
    return tuple(Form(_UNSUPPORTED, tuple(form.spans())[:1]) if form.head in _FOLLOW_UPS else form
                 for form in forms)


def _added_up(readings: Iterable[ParsedForms], linked: Linked) -> list[ParsedForms]:
    """The readings, the likeliest first; where none is likelier than all others together, those
    that mean the same are one."""
    ranked = sorted(readings, key=lambda each: -each.probability)
    if not ranked or ranked[0].probability > LIKELY:
        return ranked
    found: dict[tuple[Form, ...], ParsedForms] = {}
    for each in ranked:
        first = found.setdefault(key := linked(each.forms), replace(each, probability=0.0))
        found[key] = replace(first, probability=first.probability + each.probability)
    return sorted(found.values(), key=lambda each: -each.probability)


def _in_full(forms: Sequence[Form], asked_before: Sequence[Form], revisions: Revisions
             ) -> Sequence[Form]:
    """The queries of forms in full, and their other acts."""
    queries = revisions.in_full(forms, asked_before)
    others = [each for each in forms if each.head not in _QUERIES]
    return (*queries, *others) if queries else forms


def _likeliest(readings: Sequence[ParsedForms], asked_before: Sequence[Form],
               revisions: Revisions, choice: OpenChoice | None, refers: Refers,
               come_for: Sequence[Form]) -> Meaning:
    """The likeliest reading that can be gone on with; a danger alone where there may be one.

    What a visitor has come for is asked about, but not said again: no reading has it.
    """
    if not readings:
        return Meaning()
    if (alarm := _alarm(readings)) is not None:
        return Meaning(tuple(readings), (alarm,), (), (alarm,), _together(readings, _warn))
    rather = _rather(readings, lambda forms: _only_ask(forms) or (
        choice is not None and (choice.is_taken_up(forms)
                                or choice.settled(forms, revisions) is not None)))
    unfitting: Meaning | None = None
    for reading in rather:
        if reading.probability < rather[0].probability * (
                _GIVES_WAY if unfitting is None else _GIVES_WAY_TO_ANY):
            break
        settled = choice.settled(reading.forms, revisions) if choice is not None else None
        if settled is not None:
            return _choosing(readings, reading, settled, revisions)
        if choice is not None and choice.is_taken_up(reading.forms):
            continue
        forms = _of_visit(reading.forms, come_for)
        queries = revisions.in_full(forms, asked_before)
        if queries is not None:
            wanted = _BESIDE if queries else _REPLIED
            # What names no topic was not understood, and is left to who says that.
            found = Meaning(tuple(readings), forms, queries, tuple(
                form for form in forms if form.head in wanted
                and (form.head != "unsupported" or form.arguments)), reading.probability)
            if refers(queries) and (queries or unfitting is None):
                return found
            unfitting = unfitting or found
    if unfitting is not None:
        return unfitting
    if choice is not None and choice.is_taken_up(rather[0].forms):  # asked once more
        return _choosing(readings, rather[0], SettledChoice(choice.queries), revisions)
    return Meaning(tuple(readings), rather[0].forms, probability=rather[0].probability)


def _only_ask(forms: Sequence[Form]) -> bool:
    """Whether forms ask or say something, and want nothing done."""
    return all(form.head in _ASKING | _COURTESIES | _REPLIED for form in forms)


def _warn(forms: Sequence[Form]) -> bool:
    return any(form.head == "alarm" for form in forms)


def _introduce(forms: Sequence[Form]) -> bool:
    return any(form.head == "introduce" for form in forms)


def _alarm(readings: Sequence[ParsedForms]) -> Form | None:
    """The danger that is told of; None where that is not probable."""
    if _together(readings, _warn) < _WARNS:
        return None
    return next(form for reading in readings for form in reading.forms if form.head == "alarm")


def _together(readings: Sequence[ParsedForms], holds: Callable[[Sequence[Form]], bool]) -> float:
    """P(a reading of which something holds), of whichever of them."""
    return sum(each.probability for each in readings if holds(each.forms))


def _rather(readings: Sequence[ParsedForms], holds: Callable[[Sequence[Form]], bool]
            ) -> list[ParsedForms]:
    """The readings of which something holds, or the others: those that are likelier together."""
    so = _together(readings, holds) >= sum(each.probability for each in readings) / 2
    return [each for each in readings if holds(each.forms) is so]


def _choosing(readings: Sequence[ParsedForms], reading: ParsedForms, settled: SettledChoice,
              revisions: Revisions) -> Meaning:
    """What is asked by choosing among what was asked back, and besides."""
    besides = revisions.in_full(settled.further, settled.queries) or ()
    queries = tuple(dict.fromkeys((*settled.queries, *besides)))
    return Meaning(tuple(readings), tuple(Form("ask", (each,)) for each in queries),
                   queries, (), reading.probability, settled.chosen, settled.asked,
                   visits=settled.visits)


def forms_before(dialogue: DialogueGraph) -> list[tuple[Form, ...]]:
    """The forms of the last turns of the user, the latest first.

    Args:
        dialogue: Its turns may have been saved by another version; what cannot be read is left out.
    """
    turns = [turn for turn in dialogue.turns if dialogue.speaker(turn) == USER]
    return [forms_of(dialogue, turn) for turn in reversed(turns[-TURNS_BACK:])]


def forms_of(dialogue: DialogueGraph, turn: str) -> tuple[Form, ...]:
    """The forms of a turn, as they were noted; none where they cannot be read."""
    try:
        return read_forms(dialogue.forms(turn)[0])
    except FormatError:  # of another version
        return ()
