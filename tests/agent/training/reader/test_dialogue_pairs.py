from __future__ import annotations

from collections import Counter

from frontdesk.agent.training.generator.record import RecordedTurn
from frontdesk.agent.training.reader.dialogue_pairs import DialoguePairs
from frontdesk.generation.checks.q2.components import Relation
from frontdesk.generation.voice.pointer.source import SourceFact
from frontdesk.kg.graph.dialogue_graph import USER

ROOMS = ("Zeta", "Eta", "Theta", "Iota")


def turn(number):
    room, other = ROOMS[number % 4], ROOMS[(number + 1) % 4]
    facts = (SourceFact(f"The lens talk is in {room}.", "location", ("e1", "r1")),
             SourceFact(f"The budget review is in {other}.", "location", ("e2", "r2")))
    names = {"e1": ("lens talk", "event"), "e2": ("budget review", "event"),
             "r1": (room, "room"), "r2": (other, "room")}
    return RecordedTurn(f"d{number}", 1, "organisation", ((USER, "Where is the lens talk?"),),
                        facts, ({}, {}), names, f"The lens talk is in {room}.")


TURNS = [turn(number) for number in range(40)]
EXAMPLES = list(DialoguePairs(TURNS, 0).make())


def asked_for_room():
    return [each for each in EXAMPLES if each.text == "The lens talk is in which room?"
            and "The budget" in each.knowledge]


def test_answers_stand_where_they_are_said_to():
    found = [each for each in EXAMPLES if each.answer is not None]
    assert found
    for each in found:
        assert each.knowledge[slice(*each.answer)].strip()
    for each in asked_for_room():
        if each.answer:
            start, end = each.answer
            assert each.knowledge[:start].endswith("The lens talk is in ")
            assert each.knowledge[end] == "."


def test_some_facts_have_another_value_and_some_none():
    rooms = Counter("none" if each.answer is None else "there" for each in asked_for_room())
    assert rooms["there"] > rooms["none"] > 0
    recorded = {frozenset(fact.text for fact in turn.facts) for turn in TURNS}
    assert any(each.answer and frozenset(each.knowledge.splitlines()) not in recorded
               for each in asked_for_room()), "a value was never another one"


def test_claims_are_entailed_with_their_values_and_contradicted_with_others():
    relations = Counter(each.relation for each in EXAMPLES if each.relation)
    assert relations[Relation.ENTAILMENT] > 0
    assert relations[Relation.CONTRADICTION] > 0
    for each in EXAMPLES:
        if each.relation is Relation.ENTAILMENT and "\n" in each.knowledge:
            assert each.text in each.knowledge
        elif each.relation and "\n" in each.knowledge:
            assert each.text not in each.knowledge
            assert each.faithful is False


def test_the_same_seed_gives_the_same_examples():
    assert list(DialoguePairs(TURNS, 0).make()) == EXAMPLES
    assert list(DialoguePairs(TURNS, 1).make()) != EXAMPLES
