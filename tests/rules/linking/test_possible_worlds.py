from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from problog import get_evaluatable
from problog.program import PrologString

from frontdesk.rules.linking.possible_worlds import NOTHING, Referents, World, Worlds, together

ENTITIES = ("a", "b", "c", "d")
#: What a mention can mean, given what its parent means; without a parent, given nothing.
Table = dict[Referents, dict[Referents, float]]


class Network:
    """Random mentions, each of which depends on one earlier mention or on none."""

    def __init__(self, seed: int, mentions: int) -> None:
        chance = random.Random(seed)
        self.parents: list[int | None] = []
        self.tables: list[Table] = []
        for mention in range(mentions):
            parent = chance.choice([None, *range(mention)])
            outcomes = {NOTHING} if parent is None else {
                NOTHING, *(meaning for row in self.tables[parent].values() for meaning in row)}
            self.parents.append(parent)
            self.tables.append({outcome: self._row(chance) for outcome in outcomes})

    @staticmethod
    def _row(chance: random.Random) -> dict[Referents, float]:
        meanings = {frozenset(chance.sample(ENTITIES, chance.choice((1, 1, 1, 2))))
                    for _ in range(chance.randrange(4))}
        shares = [chance.random() for _ in range(len(meanings) + 1)]
        return {meaning: share / sum(shares)
                for meaning, share in zip(sorted(meanings, key=sorted), shares, strict=False)}

    def worlds(self, most: int = 4096) -> Worlds:
        worlds = Worlds(most)
        for mention, (parent, table) in enumerate(zip(self.parents, self.tables, strict=True)):
            def meanings(before: Sequence[World], parent: int | None = parent,
                         table: Table = table) -> list[Mapping[Referents, float]]:
                return [table[NOTHING if parent is None else world.referents[parent]]
                        for world in before]
            worlds.add(mention, [] if parent is None else [parent], meanings)
        return worlds

    def program(self) -> str:
        """The same as annotated disjunctions, for plain ProbLog."""
        lines = []
        for mention, (parent, table) in enumerate(zip(self.parents, self.tables, strict=True)):
            for given_, row in table.items():
                body = "" if parent is None else f" :- {_atom(parent, given_)}"
                if row:
                    heads = "; ".join(f"{value!r}::{_atom(mention, meaning)}"
                                      for meaning, value in row.items())
                    lines.append(f"{heads}{body}.")
            meanings = {meaning for row in table.values() for meaning in row}
            anything = ", ".join(f"\\+ {_atom(mention, each)}" for each in meanings) or "true"
            lines.append(f"{_atom(mention, NOTHING)} :- {anything}.")
            lines += [f"meant({entity}) :- {_atom(mention, meaning)}."
                      for meaning in meanings for entity in meaning]
        lines += [f"meant({entity}) :- fail." for entity in ENTITIES]
        for size in range(1, len(ENTITIES) + 1):
            for group in combinations(ENTITIES, size):
                body = ", ".join(f"meant({entity})" for entity in group)
                lines.append(f"all_{''.join(group)} :- {body}.\nquery(all_{''.join(group)}).")
        return "\n".join(lines)


def _atom(mention: int, meaning: Referents) -> str:
    return f"means(m{mention}, {'_'.join(['x', *sorted(meaning)])})"


def groups() -> list[tuple[str, ...]]:
    return [group for size in range(1, len(ENTITIES) + 1)
            for group in combinations(ENTITIES, size)]


@pytest.mark.parametrize("seed", range(12))
def test_worlds_give_what_plain_problog_gives_for_annotated_disjunctions(seed):
    network = Network(seed, mentions=4)
    worlds = network.worlds()
    oracle = get_evaluatable().create_from(PrologString(network.program())).evaluate()
    expected = {str(atom): value for atom, value in oracle.items()}
    assert {f"all_{''.join(group)}": worlds.probability(group) for group in groups()} \
        == pytest.approx(expected, abs=1e-9)
    assert worlds.cut == 0


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.integers(0, 10_000), st.integers(1, 6))
def test_worlds_more_entities_are_never_more_probable(seed, mentions):
    worlds = Network(seed, mentions).worlds()
    for group in groups():
        whole = worlds.probability(group)
        assert -1e-12 <= whole <= 1 + 1e-12
        assert all(whole <= worlds.probability(part) + 1e-12
                   for part in combinations(group, len(group) - 1))


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.integers(0, 10_000), st.integers(2, 6))
def test_worlds_that_are_cut_off_are_counted_and_bound_the_error(seed, mentions):
    network = Network(seed, mentions)
    exact, bounded = network.worlds(), network.worlds(most=3)
    for group in groups():
        assert abs(exact.probability(group) - bounded.probability(group)) <= bounded.cut + 1e-9


def test_worlds_cut_off_only_what_does_not_fit():
    network = Network(5, mentions=5)
    assert network.worlds(most=100_000).cut == 0
    assert 0 < network.worlds(most=2).cut < 1


def test_worlds_keep_independent_mentions_apart():
    worlds = Worlds(most=8)
    for mention in range(30):
        row = {frozenset({f"e{mention}"}): 0.5, frozenset({"shared"}): 0.1}
        worlds.add(mention, [], lambda before, row=row: [row for _ in before])
    assert worlds.cut == 0
    assert worlds.probability({"e3", "e7"}) == pytest.approx(0.25)
    assert worlds.probability({"shared"}) == pytest.approx(1 - 0.9 ** 30)


def test_worlds_two_meanings_of_one_mention_exclude_each_other():
    worlds = Worlds()
    worlds.add(0, [], lambda before: [{frozenset("a"): 0.5, frozenset("b"): 0.4}])
    assert worlds.probability({"a", "b"}) == 0
    worlds.add(1, [], lambda before: [{frozenset("b"): 0.5}])
    assert worlds.probability({"a", "b"}) == pytest.approx(0.25)


def test_worlds_an_entity_that_is_never_meant_has_no_probability():
    worlds = Worlds()
    worlds.add(0, [], lambda before: [{frozenset("a"): 0.5}])
    assert worlds.probability({"z"}) == 0
    assert worlds.probability(()) == 1


@given(st.dictionaries(st.sampled_from("abcdef"), st.floats(0.01, 1), min_size=1))
def test_together_gives_each_entity_its_own_probability(probabilities):
    meanings = together(probabilities)
    for entity, probability in probabilities.items():
        assert sum(value for meant, value in meanings.items() if entity in meant) \
            == pytest.approx(probability)
    for one, other in combinations(probabilities, 2):
        assert sum(value for meant, value in meanings.items() if {one, other} <= meant) \
            == pytest.approx(min(probabilities[one], probabilities[other]))
