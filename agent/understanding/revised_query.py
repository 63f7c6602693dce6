"""Follow-ups as revisions: the last query with a change in it is a query of its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from frontdesk.agent.understanding.form_kinds import FormKinds, mapped, without
from frontdesk.agent.understanding.revised_times import RevisedTimes, day_and_hour
from frontdesk.kg.graph.errors import FormatError
from frontdesk.kg.graph.logical_forms import CORE, Argument, Form, Language, Sort, Span

#: What one of several that were told may be called.
ONE_OF_TOLD = frozenset({"answers", "slot", "room"})
#: Conditions that hold of one value alone.
_SINGLE = frozenset({"floor", "long", "longer", "shorter", "size", "larger", "smaller"})
#: What is said of one as a condition of many.
_CONDITIONS = {"free": "is_free", "busy": "is_busy", "present": "is_present"}
#: States that begin and end.
_STATES = frozenset({"free", "busy", "present"})


class Revisions:
    """Revises queries."""

    def __init__(self, language: Language) -> None:
        self.language, self.kinds = language, FormKinds(language)
        self.times = RevisedTimes(self.kinds)

    def in_full(self, forms: Sequence[Form], before: Sequence[Form]) -> tuple[Form, ...] | None:
        """The queries that an utterance asks, follow-ups in full.

        Args:
            before: Queries, the latest first.

        Returns:
            None where a follow-up has nothing to go on with, or no place in it.
        """
        found: list[Form] = []
        for form in forms:
            if form.head in ("revise", "correct"):
                query = self.gone_on_with(form, [*reversed(found), *before])
                for change in form.arguments:
                    if query is None or not isinstance(change, Form) or change.head == "set":
                        return None
                    query = self.revise(query, self._named(change, query)
                                        if form.head == "correct" else change)
                if query is None:
                    return None
                found.append(query)
            else:
                for each in _asked(form):
                    query = mapped(mapped(each, _left_out), self._of_the_first)
                    found.append(self.in_series(_of_state(
                        query, [*reversed(found), *before]), before))
        return tuple(dict.fromkeys(found)) if all(map(self._is_query, found)) else None

    def queries(self, turns: Sequence[Sequence[Form]]) -> list[Form]:
        """The queries of turns, the latest first.

        Args:
            turns: The forms of each, of the latest turn first.
        """
        return [each for forms in turns for form in reversed(forms) if form.head == "ask"
                for each in form.arguments[:1] if isinstance(each, Form) and self._is_query(each)]

    def revise(self, query: Form, change: Form) -> Form | None:
        """The query with a change in it.

        Args:
            query: The query of the turn before, ``(where (person "Ada"))``.
            change: One of the sort ``change``, ``(replace (person "Bo"))``.

        Returns:
            The new query; None where the change has no place in it.
        """
        arguments = change.inner()
        if change.head == "replace":
            return self._replaced(query, *arguments)
        if change.head == "retime":
            return self.times.replaced(query, arguments)
        if change.head == "add":
            return self._added(query, arguments[0])
        if change.head == "drop":
            return self._dropped(query, arguments[0])
        if change.head == "ask_for":
            return self._asked_for(query, arguments[0])
        return None

    def gone_on_with(self, follow_up: Form, before: Sequence[Form]) -> Form | None:
        """The query that a follow-up changes: the last one, or the last that has a time to change.

        Args:
            follow_up: ``(revise …)`` or ``(correct …)``.
            before: Queries, the latest first.
        """
        if all(isinstance(each, Form) and each.head == "retime" for each in follow_up.arguments):
            timed = next((query for query in before if any(
                self.kinds.of(part, Sort.TIME) for part in query.walk())), None)
            if timed is not None and before and any(
                    part.head in ("that", "those") for part in before[0].walk()):
                return timed
        return before[0] if before else None

    def in_series(self, query: Form, before: Sequence[Form]) -> Form:
        """A query for "the next one" or "the one after": of those that were asked about in order.

        Args:
            query: In full.
            before: Queries, the latest first.
        """
        asked = next(iter(query.inner()), None)
        if asked is None or asked.head != "event" or not asked.arguments or not all(
                isinstance(each, Form) and (each.head in ("then_after", "then_before")
                                            or self.kinds.of(each, Sort.ORDER))
                for each in asked.arguments):
            return query
        for place, earlier in enumerate(before):
            series = next((part for part in earlier.walk() if part.head == "event" and any(
                self.kinds.of(each, Sort.ORDER) for each in part.arguments)), None) or (
                    self._listed(earlier) if place == 0 else None)
            if series is not None:
                kept = [each for each in series.arguments if not self.kinds.of(
                    each, Sort.ORDER, Sort.TIME)]
                return Form(query.head, (Form("event", (*kept, *asked.arguments)),
                                         *query.arguments[1:]))
        return query

    def _of_the_first(self, form: Form) -> Form | None:
        """Of two statements the second about "it": of that which the first is about, or of where
        that is, for what is so of no event."""
        if form.head != "both":
            return None
        first, *others = form.inner()
        named = [each for each in first.inner() if self.kinds.is_entities(each)
                 and each.head not in ("that", "those")]
        places = [each for each in named if self.kinds.type_of(each) != "event"]

        def meant(each: Form) -> Form:
            fits = places[-1:] if each.head in ("free", "busy", "present") else named[:1]
            return mapped(each, lambda part: fits[0] if fits and part == Form("that") else None)

        return Form("both", (first, *map(meant, others)))

    @staticmethod
    def _listed(query: Form) -> Form | None:
        """The events of one name of which it was asked which or how many there are."""
        return next((each for each in query.inner()
                     if each.head == "event" and any(isinstance(one, Span)
                                                      for one in each.arguments)), None) \
            if query.head in ("which", "count", "exists", "when") else None

    def _is_query(self, form: Form) -> bool:
        try:
            self.language.check(form, Sort.QUERY)
        except FormatError:
            return False
        return True

    # -- changes --------------------------------------------------------------------------------

    def _replaced(self, query: Form, new: Form, old: Form | None = None) -> Form | None:
        if new == Form("that"):
            return None  # what was spoken of in the place of itself changes nothing
        if new.head in ONE_OF_TOLD and new.arguments and self._is_list(query) and all(
                self.kinds.of(each, Sort.ORDER) for each in new.arguments):
            return Form("which", (Form("answers", new.arguments),))
        kind = self.kinds.type_of(new)
        if old is not None:
            swapped = mapped(query, lambda form: new if form == old else None)
            if swapped != query:
                return swapped
        for fits in (lambda form: kind != "" and self.kinds.type_of(form) == kind,
                     lambda form: self.kinds.type_of(form) == "" or kind == ""):
            found = self._outermost(query, fits, new)
            if found is not None:
                return found
        statement = next((each.head for each in query.inner()), "")
        if query.head in ("where", "about", "floor") or (
                kind == "event" and query.head in ("when", "starts", "ends", "lasts")) or (
                kind in ("person", "room", "group") and statement in ("free", "busy")):
            return self._outermost(query, lambda form: True, new)
        return self._of_one(query, new, kind)

    def _is_list(self, query: Form) -> bool:
        """Whether a query is answered with several entities or times, none of them named in it."""
        target = next((each for each in query.arguments if isinstance(each, Form)), None)
        if target is None or any(part.head == "answers" for part in query.walk()):
            return False
        return self.kinds.names_nobody(target) if self.kinds.is_entities(target) \
            else query.head == "when"

    def _of_one(self, query: Form, new: Form, kind: str) -> Form | None:
        """Whether that is so of one of which it was asked who or what is so; None for other
        questions."""
        target = next(iter(query.inner()), None)
        if query.head not in ("which", "exists", "count") or target is None \
                or kind not in ("", target.head) or len(target.arguments) != 1:
            return None
        condition = target.arguments[0]
        if not isinstance(condition, Form):
            return None
        state = next((of_one for of_one, of_many in _CONDITIONS.items()
                      if of_many == condition.head), condition.head)
        return Form("holds", (Form(state, (new, *condition.arguments)),)) if state in (
            *_CONDITIONS, *self.language.predicates, *self.language.states) else None

    def _named(self, correction: Form, query: Form) -> Form:
        """A correction that only says which one is meant: the one of the name that was said."""
        new, *rest = correction.inner()
        if correction.head != "replace" or rest or new.head not in self.language.types \
                or not new.arguments or any(isinstance(each, Span) for each in new.arguments) \
                or (new.head == "room" and all(isinstance(each, Form) and each.head == "except"
                                               for each in new.arguments)):
            return correction  # "another room" is any other
        name = next((each for part in query.walk() if part.head == new.head
                     for each in part.arguments if isinstance(each, Span)), None)
        return correction if name is None else Form("replace", (
            Form(new.head, (name, *new.arguments)),))

    def _outermost(self, query: Form, fits: Callable[[Form], bool], new: Form) -> Form | None:
        """The query with the first form of entities that fits replaced; sets are looked into."""
        done = False

        def change(form: Form) -> Form | None:
            nonlocal done
            if done or not self.kinds.is_entities(form) or not fits(form) \
                    or self.kinds.names_nobody(form):
                return None
            done = True
            return new

        found = mapped(query, change)
        return found if done else None

    def _added(self, query: Form, condition: Form) -> Form | None:
        if self.kinds.of(condition, Sort.TIME) and CORE.get(condition.head) is not None:
            return self.times.added(query, condition)
        target = next(iter(query.inner()), None)
        if target is None:
            return None
        if condition.head == "except" and (others := self._others(query, target)) is not None:
            return others
        if self.language.sorts(target) != {Sort.ENTITIES}:  # a statement: of whom it speaks
            if self.kinds.of(condition, Sort.ORDER):  # one of the times that were told
                return Form("which", (Form("answers", (condition,)),)) \
                    if self._is_list(query) else None
            inner = self._added(target, condition)
            return Form(query.head, (inner, *query.arguments[1:])) if inner is not None else None
        if condition.head == "except" and self._is_of_another_type(target, condition):
            return None
        if condition.head == "nth" and self.kinds.type_of(target) not in ("event", ""):
            # Only events come one after the other; of others that one of those that were told.
            return Form("which", (Form("answers", (condition,)),))
        kept = [each for each in target.arguments if not self._gives_way(each, condition)]
        new = Form(target.head, (*kept, condition)) \
            if target.head in (*self.language.types, "among", "answers") \
            else Form("among", (target, condition))
        return Form(query.head, tuple(new if each is target else each
                                      for each in query.arguments))

    def _others(self, query: Form, statement: Form) -> Form | None:
        """Of whom else is so what was asked of one that is named; None for other questions."""
        subject, *rest = statement.arguments or (query,)
        if query.head != "holds" or not self.kinds.is_entities(subject) \
                or not isinstance(subject, Form) or self.kinds.names_nobody(subject) \
                or statement.head not in (*_CONDITIONS, *self.language.predicates,
                                          *self.language.states):
            return None
        condition = Form(_CONDITIONS.get(statement.head, statement.head), tuple(rest))
        return Form("which", (Form(self.kinds.type_of(subject) or "person", (
            condition, Form("except", (subject,)))),))

    def _is_of_another_type(self, target: Form, condition: Form) -> bool:
        """Whether what is left out of a set can be none of it: a room of people."""
        kinds = {self.kinds.type_of(each) for each in condition.arguments if isinstance(each, Form)}
        own = self.kinds.type_of(target)
        return "" not in {own, *kinds} and own not in kinds \
            and not (own == "person" and "group" in kinds)

    def _gives_way(self, old: Argument, new: Form) -> bool:
        """Whether a part of a set is replaced by a new one: an order, another value of the same."""
        return isinstance(old, Form) and (
            (self.kinds.of(old, Sort.ORDER) and self.kinds.of(new, Sort.ORDER))
            or (old.head == new.head and new.head in _SINGLE))

    def _dropped(self, query: Form, what: Form) -> Form | None:
        if self.kinds.is_entities(what):
            return self._added(query, Form("except", (what,)))
        found = without(query, what.head)
        return found if found != query else None

    def _asked_for(self, query: Form, wanted: Form) -> Form:
        main = next(iter(query.inner()), None)
        if main is None:
            return wanted
        return mapped(wanted, lambda form: main if form.head == "that" else None)


def _left_out(form: Form) -> Form | None:
    """What others are asked for beside is what was answered last, not what they are asked of; of
    what was answered the others are those beside the one that was spoken of."""
    if form.head in ("answers", "those"):
        return form
    return Form("except", (Form("answers"),)) if form == Form("except", (Form("that"),)) else None


def _of_state(query: Form, before: Sequence[Form]) -> Form:
    """ "Until when?" of what was asked about last, where that is whether a state lasts."""
    last = before[0].arguments[0] if before and before[0].head == "holds" else None
    inner = last.arguments[0] if isinstance(last, Form) and last.head == "untrue" else last
    if query in (Form("ends", (Form("that"),)), Form("starts", (Form("that"),))) \
            and isinstance(last, Form) and isinstance(inner, Form) and inner.head in _STATES:
        return Form("when", (last,))
    asked = query.arguments[0] if query.head == "when" and query.arguments else None
    if isinstance(asked, Form) and asked.head == "present" and len(asked.arguments) == 1 \
            and any(part.head in ("that", "those") for part in asked.walk()) \
            and isinstance(inner, Form) and inner.head in _STATES:
        # Who is back is so after the hour that was spoken of.
        return Form("when", (Form("present", (*asked.arguments, *(
            each for each in inner.inner() if day_and_hour(each)[1]))),))
    return query


def _asked(form: Form) -> list[Form]:
    """The queries of an act; who comes to somebody or something asks where they are."""
    if form.head == "ask":
        return form.inner()
    if form.head == "arrive":
        return [Form("where", (each,)) for each in comes_for(form)]
    if form.head == "deliver":
        return [query for each in comes_for(form) for query in (
            Form("where", (each,)), *([Form("phone", (each,))] if each.head != "room" else []))]
    return []


def comes_for(form: Form) -> list[Form]:
    """For whom or what somebody comes or brings something; the hour tells which event it is, not
    where somebody is then.

    Args:
        form: An act, ``arrive`` or ``deliver``.
    """
    *whom, last = form.inner() or [form]
    if last.head in ("at", "now", "before", "after", "within", "until", "from"):
        return [_at(each, last) for each in whom]
    return form.inner()


def _at(entities: Form, time: Form) -> Form:
    """An event at a time; people are who they are."""
    if entities.head == "event":
        return Form(entities.head, (*entities.arguments, time))
    return entities
