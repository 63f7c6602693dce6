from __future__ import annotations

from types import SimpleNamespace

import pytest

from frontdesk.agent.understanding.form_acts import with_acts
from frontdesk.agent.understanding.meaning import Meaning
from frontdesk.agent.understanding.semantic_parser import Parse
from frontdesk.kg.graph.logical_forms import read_forms
from frontdesk.kg.graph.mentions import DialogueAct, Mention, MentionKind, Observation
from frontdesk.kg.graph.schema import ORGANISATION, Predicate, Type
from frontdesk.rules.organisation.asked_predicates import asked_for

ANSWERING = SimpleNamespace(asked_for=lambda forms: asked_for(forms, ORGANISATION))
SPEAKER = Mention("I", 0, 1, MentionKind.FIRST_PERSON)


def read(text, said="I", schema=ORGANISATION):
    forms = read_forms(text)
    queries = tuple(each for form in forms if form.head == "ask" for each in form.arguments)
    return with_acts(Parse(Observation(said, (SPEAKER,), schema=schema)),
                     Meaning(forms=forms, queries=queries), ANSWERING).observation


@pytest.mark.parametrize(("forms", "acts"), [
    ("(greet)", {DialogueAct.GREET}), ("(thank) (goodbye)", {DialogueAct.THANK,
                                                              DialogueAct.GOODBYE}),
    ("(greet) (ask (where (that)))", {DialogueAct.GREET}), ("(deny)", {DialogueAct.DENY}),
    ('(request (create (title "review")))', set())])
def test_acts_are_those_of_the_forms(forms, acts):
    assert read(forms).acts == acts


@pytest.mark.parametrize(("forms", "asks", "polar"), [
    ("(ask (where (that)))", True, False), ("(ask (holds (free (that))))", True, True),
    ("(ask (holds (busy (that))))", True, False), ("(ask (exists (room (is_free))))", True, True),
    ("(unsupported)", True, False), ("(confirm)", False, False), ("(greet)", False, False)])
def test_forms_tell_what_asks_and_what_asks_for_yes_or_no(forms, asks, polar):
    observation = read(forms)
    assert (observation.asks, observation.polar) == (asks, polar)


@pytest.mark.parametrize(("forms", "about"), [
    ("(ask (email (me)))", True), ('(ask (phone (person "Ada")))', False),
    ("(request (block (time (now))))", False), ("(ask (which (event (attends (us)))))", True)])
def test_who_speaks_is_spoken_of_where_the_forms_say_so(forms, about):
    assert (read(forms).mentions[0].probability > 0.5) is about


def test_predicates_of_house_rules_are_asked_for_by_the_cues_that_are_declared_for_them():
    schema = ORGANISATION.extended([Predicate(
        "commute", (Type.PERSON, Type.ROOM, Type.MINUTES), "{0}", (), ("commute",))])
    asked = read('(unsupported "commute")', "how long is her commute", schema).asked.predicates
    assert asked == {"commute": 1.0}
