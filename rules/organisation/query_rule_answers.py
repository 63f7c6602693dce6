"""What house rules derive of entities: answers whose reasons are the facts to be said."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from frontdesk.kg.graph.facts import Argument, Fact, Provenance
from frontdesk.kg.graph.logical_forms import Form
from frontdesk.kg.graph.schema import ArgumentType, Predicate
from frontdesk.kg.graph.windows import now_window
from frontdesk.rules.engine.derived import premises
from frontdesk.rules.engine.prover import Value
from frontdesk.rules.engine.query_answer import AnswerItem, AnswerKind, QueryAnswer
from frontdesk.rules.engine.query_program import X, holds
from frontdesk.rules.organisation.query_bounds import EntitySet, Parts, parts_of
from frontdesk.rules.organisation.query_locations import PlaceAnswers

_LISTS = (ArgumentType.PEOPLE, ArgumentType.ROOMS, ArgumentType.EVENTS)
_NUMBERS = (ArgumentType.NUMBER, ArgumentType.FLOOR, ArgumentType.MINUTES)
#: From this probability on something is certain.
_CERTAIN = 0.999


class RuleAnswers(PlaceAnswers):
    """Answers by house rules, in the likeliest world; see :class:`SetAnswers`.

    What no rule derives is not denied: the answer is unknown then.
    """

    def state_by_rule(self, rule: Predicate, statement: Form) -> QueryAnswer:
        """Whether a state is derived of entities, or of which of them its counterpart is."""
        parts = parts_of(statement.arguments)
        subject, facts = self.world.of(parts.entities[0]), list[Fact]()
        left = set(subject.candidates)
        for each in (rule, *self._counterparts(rule)):
            found = [fact for fact in self._states(each, subject, parts.times)
                     if not left.isdisjoint(fact.entities())]
            left.difference_update(*(fact.entities() for fact in found))
            facts += found
        if not facts:
            return self.answer(AnswerKind.UNKNOWN)
        self.reasons += facts
        return self.answer(AnswerKind.YES_NO, (), min(
            fact.certainty if fact.predicate == rule.name else 1.0 - fact.certainty
            for fact in facts))

    def rule_of_set(self) -> Predicate | None:
        """The house rule whose members the query asks for."""
        asked = self.parts.entities[0] if self.query.head in ("which", "exists", "count") \
            and self.parts.entities else Form("")
        return next((rule for each in asked.inner() if (
            rule := self.calendar.house_rules.get(each.head)) is not None), None)

    def set_by_rule(self, rule: Predicate) -> QueryAnswer:
        """Of which entities something is derived."""
        asked, times = self.parts.entities[0], self.parts.times
        condition = next(each for each in asked.inner() if each.head == rule.name)
        others = tuple(each for each in asked.arguments if each is not condition)
        self.sets.account.used.add(condition)
        among = self.world.of(Form(asked.head, others), times, pick=False)
        given = parts_of(condition.arguments)
        self.reasons += self._states(rule, among, given.times or times) if rule.is_state \
            else self._values_of(rule, dict(self.world.program.members(among.name)), given)
        if not self.reasons:
            return self.answer(AnswerKind.UNKNOWN)
        found = {each: fact.certainty for fact in self.reasons
                 for argument in fact.arguments[:1]
                 for each in (argument if isinstance(argument, tuple) else (argument,))}
        items = [AnswerItem(str(each), probability=probability)
                 for each, probability in found.items()]
        if self.query.head == "exists":
            return self.answer(AnswerKind.YES_NO, items, max(found.values()))
        return self.answer(AnswerKind.COUNT if self.query.head == "count"
                           else AnswerKind.ENTITIES, items)

    def values_by_rule(self, rule: Predicate) -> QueryAnswer:
        """What a house rule relates entities to."""
        subject = self.world.of(self.parts.entities[0])
        self.reasons += self._values_of(rule, subject.candidates, Parts())
        items = [AnswerItem(value, str(fact.arguments[0]), fact.certainty, (fact,))
                 for fact in self.reasons for argument in fact.arguments[1:]
                 for value in (argument if isinstance(argument, tuple) else (argument,))
                 if isinstance(value, str | int)]
        return self.answer(AnswerKind.VALUES if items else AnswerKind.UNKNOWN, items)

    def _counterparts(self, rule: Predicate) -> list[Predicate]:
        """The rules that derive that it is not so: they answer one of its questions by no."""
        return [each for each in self.calendar.house_rules.values()
                if each.polarity < 0 and rule.polarity >= 0 and each.is_state
                and not set(each.questions).isdisjoint(rule.questions)]

    def _states(self, rule: Predicate, entities: EntitySet, times: Sequence[Form]) -> list[Fact]:
        """The facts of a state that is derived of some of a set."""
        program = self.world.program
        goal, _ = self.world.condition(Form(rule.name, tuple(times)), entities, [])
        name = program.named("derived")
        program.rule(name, (X,), [holds(entities.name, X), goal])
        found = dict(program.members(name))
        rest: tuple[Argument, ...] = () if len(rule.arguments) == 1 else (
            self.window or now_window(self.calendar.now),)
        return self._facts_of(rule, [(each, found[each]) for each in self.calendar.by_name(found)],
                              rest)

    def _values_of(self, rule: Predicate, entities: Iterable[str], said: Parts) -> list[Fact]:
        """The facts that relate entities to values, or to the entities that are given."""
        given = {each for form in said.entities for each in self.world.of(form).candidates}
        kind, found = rule.arguments[1], dict[str, list[tuple[str, float]]]()
        facts = list[Fact]()
        for each, value, probability in self.world.rule_values(rule, entities, said):
            if (not given or value in given) and self._fits(kind, value):
                if kind in _LISTS:
                    found.setdefault(each, []).append((str(value), probability))
                else:
                    facts.append(self._rule_fact(rule, (each, value), probability))
        for each, values in found.items():
            sure = tuple(value for value, probability in values if probability >= _CERTAIN)
            facts += [self._rule_fact(rule, (each, sure), 1.0)] if sure else []
            facts += [self._rule_fact(rule, (each, (value,)), probability)
                      for value, probability in values if value not in sure]
        return facts

    def _facts_of(self, rule: Predicate, members: Sequence[tuple[str, float]],
                  rest: tuple[Argument, ...]) -> list[Fact]:
        """A fact for each, or for all that are certain where the rule is of a list."""
        if rule.arguments[0] not in _LISTS:
            return [self._rule_fact(rule, (each, *rest), probability)
                    for each, probability in members]
        sure = tuple(each for each, probability in members if probability >= _CERTAIN)
        return [*([self._rule_fact(rule, (sure, *rest), 1.0)] if sure else []),
                *(self._rule_fact(rule, ((each,), *rest), probability)
                  for each, probability in members if each not in sure)]

    def _fits(self, kind: ArgumentType, value: Value) -> bool:
        """Whether a value is of the type that was declared."""
        if kind in _NUMBERS:
            return isinstance(value, int)
        return isinstance(value, str) and (kind is ArgumentType.TEXT or value in self.kb)

    def _rule_fact(self, rule: Predicate, arguments: tuple[Argument, ...], certainty: float
                   ) -> Fact:
        file = Path(self.calendar.sources.get(rule.name, "house rules")).name
        return Fact(rule.name, arguments, certainty, Provenance(
            f"{file}:{rule.name}", premises(self.kb, arguments)), certainty)
