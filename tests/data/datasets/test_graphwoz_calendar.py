"""What annotated actions make of a calendar."""

from __future__ import annotations

import datetime as dt
import json
from pathlib import Path

import pytest

from frontdesk.data.datasets.graphwoz import Dialogue, load_dialogue, load_graphwoz
from frontdesk.data.datasets.graphwoz_calendar import annotated_calendar

from ...conftest import SAMPLES

SAMPLE = SAMPLES / "graphwoz_sample.json"


@pytest.fixture
def annotated(tmp_path: Path):
    """The sample dialogue with other annotations of the agent's actions."""
    def build(*actions: str, task: str = "You are Bo Haraldsen. Arrange a meeting.") -> Dialogue:
        data = json.loads(SAMPLE.read_text(encoding="utf-8"))
        entry = data["DIALOGUE_1"]
        entry["task"] = task
        entry["log"] = [{**entry["log"][0], "agent_actions": each} for each in actions]
        path = tmp_path / "annotated.json"
        path.write_text(json.dumps(data), encoding="utf-8")
        return load_dialogue(path, "DIALOGUE_1")

    return build


def test_dialogues_that_arrange_nothing_have_no_calendar():
    assert not any(map(annotated_calendar, load_graphwoz(SAMPLE).values()))


def test_actions_fill_a_new_event_one_after_the_other(annotated):
    dialogue = annotated(
        'CreateEvent(date="@tomorrow"), UpdateSpeaker(name="Bo")',
        'SetTime(event="@newevent", time="9:30"), SetDuration(event="@newevent", duration="30")',
        'SetName(event="@newevent", name="fire drill"), SetLocation(event="@newevent", '
        'location="Juniper")',
        'AddAttendees(event="fire drill", attendees=["Ines Okafor", "@speaker"])')
    calendar = annotated_calendar(dialogue)
    (event,) = calendar.events
    kb = calendar.organisation
    assert (event.existing, event.name, event.minutes) == (None, "fire drill", 30)
    assert event.time == dt.time(9, 30)
    assert event.day == dialogue.now.date() + dt.timedelta(days=1)
    assert kb.rooms[event.location].name == "Juniper"
    assert {kb.people[each].name for each in event.attendees} == {"Ines Okafor"}


def test_what_is_not_annotated_is_left_open(annotated):
    (event,) = annotated_calendar(annotated('CreateEvent()')).events
    assert (event.name, event.day, event.time, event.minutes, event.location,
            event.attendees) == (None, None, None, None, None, None)


def test_events_of_the_calendar_are_changed_by_name_or_as_just_spoken_of(annotated):
    moved = annotated_calendar(annotated(
        'SetTime(event="lens workshop", time="14:00", date="@tomorrow")'))
    assert moved.events[0].existing.name == "lens workshop"
    invited = annotated_calendar(annotated(
        'RequestConfirmAction(action="AddAttendees", target="lens workshop")',
        'AddAttendees(event="@newevent", attendees="Bo Haraldsen")',
        task="You are Ines Okafor. Invite somebody."))
    (event,) = invited.events
    assert event.existing.name == "lens workshop"
    assert len(event.attendees) == 1


def test_users_whom_the_data_leave_out_join_the_organisation(annotated):
    calendar = annotated_calendar(annotated(
        'CreateEvent()', task="You are Wilma Underhill, and you want to arrange a meeting."))
    assert calendar.joined
    assert calendar.organisation.people[calendar.speaker].name == "Wilma Underhill"
    known = annotated_calendar(annotated('CreateEvent()'))
    assert not known.joined
    assert known.organisation.people[known.speaker].name == "Bo Haraldsen"


def test_unknown_values_are_named(annotated):
    (event,) = annotated_calendar(annotated(
        'CreateEvent(), SetLocation(event="@newevent", location="Moon")')).events
    assert event.unknown == ["Moon"]
    assert event.location is None
