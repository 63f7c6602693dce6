from __future__ import annotations

import pytest

from frontdesk.generation.voice.pointer.faults import Rows
from frontdesk.generation.voice.pointer.source import SourceFact, read_source
from frontdesk.kg.graph.dialogue_graph import AGENT, USER

NAMES = {"p_ada": ("Ada Berg", "person"), "p_bo": ("Bo Lind", "person"), "r_zeta": ("Zeta", "room"),
         "r_eta": ("Eta", "room"), "e_talk": ("lens talk", "event")}
FACTS = (SourceFact("Ada Berg's office is Zeta.", "office", ("p_ada", "r_zeta")),
         SourceFact("Bo Lind's office is Eta.", "office", ("p_bo", "r_eta")),
         SourceFact("The lens talk is in Eta.", "location", ("e_talk", "r_eta")))


class Names:
    def plain_name(self, entity_id):
        return NAMES.get(entity_id)


def misplaced(*said, history=((USER, "Where is her office?"),), facts=FACTS):
    source = read_source(history, facts, Names(), {})
    identities = {value.text: identity for identity, value in source.surfaces().items()}
    return Rows(source).misplaced([identities.get(name, name) for name in said])


@pytest.mark.parametrize(("said", "count"), [
    ((), 0),
    (("Ada Berg", "Zeta"), 0),
    (("Ada Berg", "Eta"), 1),
    (("Bo Lind", "Eta"), 0),
    (("Ada Berg", "Bo Lind", "Zeta", "Eta"), 0),
    (("lens talk", "Eta"), 0),
    (("lens talk", "Zeta"), 1),
    (("Eta",), 0),
    (("Zeta", "Eta"), 0)])
def test_a_value_is_misplaced_beside_entities_in_whose_rows_it_does_not_stand(said, count):
    assert misplaced(*said) == count


def test_what_was_said_before_is_never_misplaced():
    assert misplaced("Ada Berg", "Eta", history=((AGENT, "He is in Eta."), (USER, "And Ada?"))) == 0


def test_nothing_is_misplaced_without_facts():
    assert misplaced("Ada Berg", "Eta", facts=()) == 0


@pytest.mark.parametrize(("reply", "question", "count"), [
    ("The lens talk is tomorrow.", "When is it?", 1),
    ("The lens talk is Today.", "When is it?", 0),
    ("The lens talk is tomorrow.", "Is it tomorrow?", 0),
    ("The lens talk is in Eta.", "When is it?", 0)])
def test_a_day_is_misplaced_where_the_facts_of_an_entity_say_another(reply, question, count):
    facts = (*FACTS, SourceFact("The lens talk is today at 14:00.", "time", ("e_talk",)))
    source = read_source(((USER, question),), facts, Names(), {})
    talk = source.surfaces()
    identity = next(key for key, value in talk.items() if value.text == "lens talk")
    assert Rows(source).misplaced([identity], reply) == count


def test_days_are_not_misplaced_beside_entities_whose_facts_say_none():
    source = read_source(((USER, "Hi"),), FACTS, Names(), {})
    identity = next(key for key, value in source.surfaces().items() if value.text == "Ada Berg")
    assert Rows(source).misplaced([identity], "Ada Berg is here tomorrow.") == 0
