"""What is to be done, as it is read from forms: of an organisation, with what references mean."""

from __future__ import annotations

import datetime as dt
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frontdesk.agent.domains.query_answering import MeantReferences
from frontdesk.agent.settings.settings import ActionSettings
from frontdesk.agent.understanding.read_request import read_request
from frontdesk.agent.understanding.references import References
from frontdesk.agent.understanding.said import Said
from frontdesk.agent.understanding.surface_cues import SurfaceCues
from frontdesk.kg.graph.entities import Event, Group, Person, Room
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.kg.graph.logical_forms import Form, Sort, read_form
from frontdesk.kg.graph.pending_action import ActionKind, PendingAction, Slot
from frontdesk.rules.engine.query_answer import Resolution

from ...any_forms import forms_of

ZONE = ZoneInfo("Europe/Oslo")
NOW = dt.datetime(2026, 3, 2, 9, tzinfo=ZONE)


def at(day: int, hour: int) -> dt.datetime:
    return dt.datetime(2026, 3, day, hour, tzinfo=ZONE)


KB = KnowledgeBase(
    name="Fjordlight", timezone=ZONE, groups=[Group("optics", "Optics")],
    rooms=[Room("beta", "Beta"), Room("rowan", "Rowan")],
    people=[Person("ines", "Ines Okafor", group="optics"),
            Person("mira", "Mira Castellan", group="optics"), Person("bo", "Bo Haraldsen"),
            Person("bob", "Bo Berg")],
    events=[Event("review", "review", at(3, 12), at(3, 13), "beta", "ines", ("ines", "bo")),
            Event("call", "call", at(4, 12), at(4, 13), None, "ines", ("ines", "mira")),
            *(Event(f"s{day}", "round", at(day, 8), at(day, 9), "rowan", "ines", ("ines",),
                    series="round") for day in (3, 4, 5))])
NAMES = {"Mira": ["mira"], "Optics": ["optics"], "Beta": ["beta"], "Rowan": ["rowan"],
         "review": ["review"], "call": ["call"], "round": ["s3", "s4", "s5"], "Bo": ["bo", "bob"]}


def request_of(*texts: str | Form, last: PendingAction | None = None, which=(), among=(),
               together=(), user="ines"):
    """The request of forms; a name means what it does above, equally likely if several."""
    forms = [read_form(each) if isinstance(each, str) else each for each in texts]
    entities = {part: [(each, 1 / len(ids)) for each in ids]
                for form in forms for part in form.walk()
                for ids in [NAMES.get(next((span.text for span in part.spans()), ""), [])]}
    entities |= {Form("those"): [(each, 1.0) for each in together]}
    resolution = Resolution(entities, NOW, {}, {}, plural=frozenset({Form("those")}))
    meant = MeantReferences(resolution, lambda _: [(each, 1.0) for each in which])
    return read_request(Said(
        SurfaceCues(""), forms, References(KB, meant, user, NOW, last.events if last else ()), last,
        lambda _, known: [each for each in known if each in among], ActionSettings()))


def test_who_is_left_out_of_a_group_is_neither_invited_nor_taken_off():
    found = request_of('(request (change (event "call") (attendee (person (member_of '
                       '(group "Optics")) (except (person "Mira"))))))', which=["mira"])
    assert (found.invited, found.removed) == ((), ())
    dropped = request_of('(request (change (event "review") (unwanted (attendee (person '
                         '(member_of (group "Optics")) (except (person "Mira")))))))')
    assert "mira" not in dropped.removed


def test_who_speaks_and_is_not_known_is_nobody_who_is_left_out():
    found = request_of('(request (change (event "review") (attendee (person (member_of '
                       '(group "Logistics")) (except (me))))))', user=None)
    unwanted = request_of('(request (change (event "review") (unwanted (attendee (me)))))',
                          user=None)
    assert (found.removed, unwanted.removed) == ((), ())


def test_whom_to_leave_out_is_asked_where_that_is_not_clear():
    found = request_of('(request (create (attendee (person (member_of (group "Optics")) '
                       '(except (person "Bo"))))))')
    assert (found.invited, found.wishes) == ((), ())
    assert found.unclear[0].options == ("bo", "bob")


def test_a_room_that_is_not_wanted_is_given_up_only_by_what_is_in_it():
    given_up = request_of('(request (change (event "review") (unwanted (venue (room "Beta")))))')
    elsewhere = request_of('(request (change (event "review") (unwanted (venue (room "Rowan")))))')
    assert (given_up.no_room, elsewhere.no_room) == (True, False)


def test_a_room_that_nobody_knows_is_given_up_by_nobody():
    unknown = request_of('(request (change (event "review") (unwanted (venue (room "3.30")))))')
    assert not unknown.no_room
    assert unknown.room_unclear == "3.30"


def test_another_event_or_room_that_was_meant_takes_nobody_off():
    found = request_of('(correct (replace (event "call") (event "review")))')
    assert (found.events, found.unclear, found.removed) == (("call",), (), ())
    books = PendingAction(ActionKind.CREATE, asked=Slot.CONFIRMATION)
    found = request_of('(correct (replace (room "Rowan") (room "Beta")))', last=books)
    assert (found.room, found.avoided, found.unclear) == ("rowan", ("beta",), ())


def test_another_name_of_what_is_booked_is_its_title_and_a_room_none():
    books = PendingAction(ActionKind.CREATE, asked=Slot.CONFIRMATION)
    assert request_of('(correct (replace (event "tasting")))', last=books).title == "tasting"
    found = request_of('(answer (title "Rowan"))', last=PendingAction(
        ActionKind.CREATE, asked=Slot.TITLE))
    assert (found.room, found.title) == ("rowan", "")


def test_those_are_all_that_were_spoken_of():
    assert request_of("(request (cancel (those)))",
                      together=["review", "call"]).events == ("review", "call")


def test_of_the_dates_of_a_series_those_that_are_not_excepted_are_meant():
    found = request_of('(request (cancel (event "round" (except (event (at "the 4th"))))))',
                       which=["s3", "s5"])
    assert found.events == ("s3", "s5")


def test_what_is_left_of_those_offered_is_taken_where_it_is_events():
    asked = PendingAction(ActionKind.CANCEL, asked=Slot.EVENT, offered=("review", "call", "s3"))
    form = '(choose (answers (except (event "round"))))'
    assert request_of(form, last=asked, among=["review", "call"]).taken == ("review", "call")
    asked = PendingAction(ActionKind.CREATE, asked=Slot.CHOICE, offered=("bo", "bob", "mira"))
    form = '(choose (answers (except (person "Mira"))))'
    assert request_of(form, last=asked, among=["bo", "bob"]).taken == ()


@pytest.mark.parametrize("number", [-5, 0, 7])
def test_what_was_not_offered_is_not_taken(number):
    starts = tuple(at(3, hour).isoformat() for hour in (9, 10, 11))
    asked = PendingAction(ActionKind.CREATE, asked=Slot.CHOICE, offered=starts)
    assert request_of(f"(choose (answers (one_of {number})))", last=asked).taken == ()


def test_an_event_is_not_swapped_with_itself():
    assert not request_of('(request (swap (event "review") (event "review")))').starts


@given(forms_of(Sort.ACT, 3), st.sampled_from([*ActionKind, None]), st.sampled_from([*Slot, ""]),
       st.sampled_from([(), ("bo", "bob"), ("review", "s3"), (at(3, 9).isoformat(),)]),
       st.lists(st.sampled_from([each.id for each in KB.entities()]), max_size=3, unique=True))
@settings(max_examples=80, deadline=None)
def test_any_form_is_read(form, kind, asked, offered, ids):
    last = PendingAction(kind, asked=asked, offered=offered) if kind is not None else None
    request_of(form, last=last, which=ids, among=ids, together=ids)
