"""Sets of entities of a question in words: ``nobody of the Finance group is free at 15:00``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from frontdesk.generation.answers.answer_phrases import ANAPHORS, AnswerPhrases, forms, templates
from frontdesk.kg.english import phrases
from frontdesk.kg.english.phrases import Phrase
from frontdesk.kg.english.spoken_floors import floor_named
from frontdesk.kg.graph.logical_forms import CORE, Form, Sort, Span

_TYPES = ("person", "room", "group", "event")
#: Conditions that rather say which ones are meant than what is asked of them.
_WHOSE = ("member_of", "like", "type")
_WHICH = (*_WHOSE, "held_by", "floor", "group_size", "size", "office_floor",
          "long", "longer", "shorter", "larger", "smaller")
#: Conditions by which the events of somebody or something are spoken of.
_OWNERS = {"attends": "attends", "attendees": "attends", "location": "location",
           "held_by": "held_by", "organizer": "organizer", "organises": "organizer"}
#: Conditions that say nothing without what they relate to.
_RELATING = ("member_of", "members", "attends", "attendees", "office", "location", "held_by")
#: Conditions by which something is somebody's.
_OWNED = ("member_of", "members", "office", "office_of", "related")
#: How a condition is said.
_BESIDE, _TOLD, _DENIED = range(3)
_BY_TIME = ("is_free", "is_busy", "is_present", "attends", "location", "clashes")
#: Conditions on when something begins or ends.
EDGES = ("starting", "ending")


@dataclass(frozen=True)
class AskedSet:
    """A set as the question describes it.

    Args:
        kind: ``person``, ``room``, ``group``, ``event``, ``slot``; empty where it does not say.
        name: The words by which it names them.
        conditions: What must hold, ``not`` among them.
        excluded: Those that are left out.
        order: Which of them in an order.
        among: The entities that it is a part of, or that it lists.
    """

    kind: str = ""
    name: str = ""
    conditions: tuple[Form, ...] = ()
    excluded: tuple[Form, ...] = ()
    times: tuple[Form, ...] = ()
    order: Form | None = None
    among: tuple[Form, ...] = ()

    @property
    def main(self) -> Form | None:
        """The condition that is asked about; the others say of whom."""
        return max(reversed(self.conditions), default=None, key=lambda each: (
            _inner(each).head not in _WHOSE, _inner(each).head not in _WHICH))


def read_set(form: Form) -> AskedSet:
    """Sort the parts of a form that stands for entities."""
    of_sort: dict[Sort, list[Form]] = {each: [] for each in Sort}
    for part in form.arguments:
        if isinstance(part, Form):
            sort = CORE[part.head].sort if part.head in CORE else \
                Sort.ENTITIES if part.head in _TYPES else Sort.CONDITION
            lasts = part.head == "lasting" and form.head == "event"
            of_sort[Sort.CONDITION if lasts else sort].append(
                Form("long", part.arguments) if lasts else part)
    excluded = [each for each in of_sort[Sort.CONDITION] if each.head == "except"]
    among = tuple(of_sort[Sort.ENTITIES]) if form.head in ("among", "or", "and") else \
        (form,) if form.head in ANAPHORS else ()
    kind = form.head if form.head in (*_TYPES, "slot", "day") else next(
        (found for each in among if each != form and (found := read_set(each).kind)), "")
    return AskedSet(
        kind, next((each.text for each in form.arguments if isinstance(each, Span)), ""),
        tuple(each for each in of_sort[Sort.CONDITION] if each.head not in ("except", "type")),
        tuple(chain.from_iterable(each.inner() for each in excluded)),
        tuple(of_sort[Sort.TIME]), next(iter(of_sort[Sort.ORDER]), None), among)


class SetPhrases:
    """Words for a set that was asked about."""

    def __init__(self, asked: AskedSet, said: AnswerPhrases, times: Sequence[Form] = ()) -> None:
        self.asked, self.said = asked, said
        self.times = (*asked.times, *times, *(
            time for condition in asked.conditions for time in _times(condition)))

    def time(self) -> str:
        """When, as an adverbial: ``at 15:00``, ``after the standup``; may be empty."""
        relative, asked = self.relative(), self.said.asked_time()
        lasting = [f"for {part.text}" for each in self.times if each.head == "lasting"
                   for part in each.arguments if isinstance(part, Span)]
        main = self.asked.main
        if relative and asked and main is not None and _inner(main).head in ("is_free", "is_busy"):
            # Of which time it is true is said in full.
            return f"{' '.join((asked, *lasting))}, {relative}"
        return " ".join([relative or asked, *lasting]).strip()

    def relative(self) -> str:
        """When, by something else that takes place: ``after the standup``; empty for other times.
        """
        relative = [f"{_BEFORE.get(each.head, each.head)} {self.said.words(part)}"
                    for each in self.times for part in each.inner() if part.head != "day"]
        relative += [THEN[each.head] for each in self.times if each.head in THEN]
        return " ".join(relative)

    def nobody(self) -> str:
        """That there is none, as a sentence without an end."""
        main, kind = self.asked.main, self.asked.kind
        if main is not None and main.head == "related":
            span, of = _related(main, self.said)
            return str(templates()["unknown_name"]["related"]).format(span, of)
        denies = main is not None and main.head == "not"
        out = denies and main is not None and _inner(main).head == "is_present"
        table = "everybody" if denies and not out else "nobody"  # of some it is not known
        who = str(templates()[table]["named" if self.asked.among or not kind else kind])
        others = any(each.head in ANAPHORS for each in self.asked.excluded)
        but = "" if others or not self.asked.excluded else \
            f"but {phrases.say_list([*map(self.said.words, self.asked.excluded)])}"
        who = f"{who} else" if others else who
        rest = " ".join(filter(None, (*self.modifiers(), but)))
        if main is None and self.asked.name and kind in templates()["unknown_name"]:
            return str(templates()["unknown_name"][kind]).format(self.asked.name)
        if main is None:
            return f"I know of {who}" if who.startswith("no") else f"There is {who}"
        one = forms("one", " ".join(filter(None, (who, rest))), past=self.said.past)
        said = f"{one} {self.predicate(one, denied=out)}"
        return f"as far as I know {said}" if out else said

    def predicate(self, subject: Phrase, *, denied: bool | None = None) -> str:
        """What is asked of a subject, with when: ``are free at 15:00``.

        Args:
            denied: Whether it is denied; as in the question where None.
        """
        main = self.asked.main
        if main is None:
            return ""
        said = self.predicate_of(main, subject, denied=denied)
        timed = _inner(main).head in _BY_TIME or any(each.head != "at" for each in self.times)
        time = self.time() if timed and not self._is_whenever_it_was(main) else ""
        return f"{said} {time}".strip()

    def _is_whenever_it_was(self, condition: Form) -> bool:
        """Whether no time is said but that of an event that is over."""
        return {each.head for each in self.times} == {"so_far"} and any(
            each in self.said.kb.events for part in _inner(condition).inner()
            for each in self.said.meant(part))

    def predicate_of(self, condition: Form, subject: Phrase, *, denied: bool | None = None) -> str:
        """What a condition says of a subject; see :meth:`predicate`."""
        negated = condition.head == "not" if denied is None else denied
        return " and ".join(self._condition(each, _DENIED if negated else _TOLD, subject)
                            for each in (condition.inner() if condition.head == "not"
                                         else (condition,)))

    def untold(self, missing: Sequence[str]) -> str:
        """That it cannot be told which they are, by what is not known of any: how many people a
        room holds; empty where that is not what is missing.

        Args:
            missing: Heads, or words, of what the question asks for and nobody has.
        """
        asked, one = self.asked, forms("one", "-")
        which = "of them" if asked.among or not asked.kind else templates()["nouns"][asked.kind][0]
        said = [self.predicate_of(each, one) for each in asked.conditions
                if _inner(each).head in missing or any(
                    span.text in missing for span in _inner(each).spans())]
        if asked.order is not None and asked.order.head in missing:
            said.append(f"is the {order_word(asked.order)}")
        return str(templates()["unknown"]["untold"]).format(which, said[0]) if said else ""

    def modifiers(self) -> list[str]:
        """What stands beside the noun: ``of the Finance group``, ``with Ada``, ``in Maple``."""
        main = self.owner() if self.asked.kind == "event" else self.asked.main
        return [("not " if each.head == "not" else "") + self._condition(part, _BESIDE)
                for each in self.asked.conditions if each is not main
                for part in (each.inner() if each.head == "not" else (each,))
                if part.arguments or part.head not in _RELATING]

    def owner(self) -> Form | None:
        """The condition by whose argument events are spoken of: ``Ada has``, ``in Maple``."""
        return next((each for owner in _OWNERS for each in self.asked.conditions
                     if each.head == owner and any(isinstance(part, Form) and part.head != "not"
                                                   for part in each.arguments)), None)

    def given(self) -> str:
        """The entity of which the only condition of rooms or groups says where or whose it is:
        ``(room (location (event "standup")))``; empty for others."""
        if self.asked.kind not in ("room", "group") or len(self.asked.conditions) != 1 \
                or self.asked.conditions[0].head not in ("location", "office", "held_by",
                                                         "member_of"):
            return ""
        forms_in = list(self.asked.conditions[0].inner())
        meant = self.said.meant(forms_in[0]) if forms_in else ()
        return meant[0] if len(meant) == 1 else ""

    def frame(self) -> str:
        """How events are spoken of, by a table of ``events``."""
        owner = self.owner()
        return _OWNERS[owner.head] if owner is not None else "any"

    def owners(self) -> Phrase:
        """Whose events they are."""
        owner = self.owner()
        form = next(iter(owner.inner())) \
            if owner is not None else None
        if form is None:
            return forms("one", "-")
        meant = self.said.meant(form)
        if meant and form.head != "or":
            return self.said.phrase_of(meant)
        if form.head == "or":
            return forms("one", self.said.words(form), past=self.said.past, possessive=" or ".join(
                self._possessive(each) for each in form.inner()))
        return forms("several" if form.head == "and" else "one", self.said.words(form),
                     past=self.said.past)

    def _possessive(self, form: Form) -> str:
        meant = self.said.meant(form)
        return self.said.phrase_of(meant).forms["possessive"] if meant \
            else phrases.possessive(self.said.words(form))

    def _condition(self, condition: Form, way: int, subject: Phrase | None = None) -> str:
        """Beside a noun, as a predicate of a subject, or denied."""
        table, head = templates(), condition.head.replace("_", " ")
        values = _related(condition, self.said) if condition.head == "related" else tuple(
            self._value(condition, each) for each in condition.arguments
            if not (isinstance(each, Form) and each.is_of(Sort.TIME)))
        if condition.head in EDGES:
            values = (" ".join(map(self.said.moment, condition.inner())),)
        words = table["condition"].get(condition.head, (
            f"that {head} {{0}}", f"{head} {{0}}", f"{{do}} not {head} {{0}}"))
        if not values:
            words = table["condition_alone"].get(condition.head, words)
        if not values and self.asked.kind == "event":
            words = table["condition_alone_of_event"].get(condition.head, words)
        elif self.asked.kind == "event" and condition.head in table["condition_of_event"]:
            words = (table["condition_of_event"][condition.head], *words[1:])
        if self.asked.kind == "room":
            words = table["condition_of_room"].get(condition.head, words)
        said = str(words[way]).format(*values, "", "", **(subject.forms if subject else {}))
        return said.strip()

    def _value(self, condition: Form, value: Form | Span | int) -> str:
        if condition.head in ("floor", "office_floor") and not isinstance(value, Form):
            return floor_words(self.said.words(value))
        if isinstance(value, Form) and value.head in _TYPES and not self.said.meant(value):
            return self._described(value) or self.said.words(value)
        return self.said.words(value)

    def _described(self, form: Form) -> str:
        """Entities by what is said of them: ``your group``, ``a room on the 2nd floor``; empty for
        other descriptions."""
        described, noun = read_set(form), templates()["nouns"][form.head][0]
        if described.name or not described.conditions:
            return ""
        owners = [part for each in described.conditions for part in each.inner()]
        if len(owners) == 1 and described.conditions[0].head in _OWNED:
            meant = self.said.meant(owners[0])
            return f"{self.said.phrase_of(meant).forms['possessive']} {noun}" if meant else ""
        return "" if owners or any(each.head not in _WHICH for each in described.conditions) else \
            " ".join(["a", noun, *(self._condition(each, _BESIDE)
                                   for each in described.conditions)])


def order_word(order: Form) -> str:
    """An order as an adjective: ``second``, ``last``, ``busiest``."""
    table = templates()["order"]
    number = next((each for each in order.arguments if isinstance(each, int)), 1)
    if order.head in ("nth", "one_of"):
        words = table["nth"] if number > 0 else table["nth_last"]
        place = abs(number) - 1
        return str(words[place]) if place < len(words) else phrases.say_ordinal(abs(number))
    word = str(table.get(order.head, order.head))
    return f"{table['nth'][number - 1]} {word}" if 1 < number <= len(table["nth"]) else word


def floor_words(said: str) -> str:
    """A floor that a user named: ``the 2nd floor``, in their words where it has no number."""
    number = floor_named(said)
    if number is not None:
        return phrases.say_floor(number)
    bare = said.casefold().removeprefix("the ").removesuffix("floor").strip()
    return f"the {bare} floor" if bare else said


def number_word(number: int) -> str:
    """``three``, ``14``."""
    words = templates()["numbers"]
    return str(words[number]) if number < len(words) else str(number)


THEN = {"then_after": "after that", "then_before": "before that"}
_BEFORE = {"straight_after": "right after", "at": "during"}


def _inner(condition: Form) -> Form:
    return next(iter(condition.inner()), condition) if condition.head == "not" else condition


def _related(condition: Form, said: AnswerPhrases) -> tuple[str, str]:
    span, of, *_ = condition.arguments
    return said.words(span), said.words(of)


def _times(condition: Form) -> Iterator[Form]:
    for part in condition.inner() if condition.head not in EDGES else ():
        if part.is_of(Sort.TIME):
            yield part
        elif condition.head == "not":
            yield from _times(part)
