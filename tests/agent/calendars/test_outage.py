"""A calendar server that hangs holds up one who asks now and then, not everybody."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from frontdesk.agent import Agent
from frontdesk.agent.calendars.calendar import CalendarUnavailableError
from frontdesk.agent.calendars.sqlite_calendar import SqliteCalendar
from frontdesk.kg.graph.changes import EventChange, Transaction
from frontdesk.kg.graph.errors import InputError

from ...templates import TEMPLATES
from ..acting.offices import NOW, WHERE_THE_WORKSHOP_IS, organisation

HANG_S = 0.3


class Hanging:
    """A calendar whose server can be made to hang; it counts how often it is asked.

    Args:
        calendar: What it is while it does not hang.
    """

    def __init__(self, calendar: SqliteCalendar) -> None:
        self._calendar, self.hangs, self.asked = calendar, False, 0
        self.hang_s, self.answers = HANG_S, threading.Event()
        self._lock = threading.Lock()

    def __getattr__(self, name):
        return getattr(self._calendar, name)

    def version(self):
        with self._lock:
            self.asked += 1
        if self.hangs:
            self.answers.wait(self.hang_s)
            raise CalendarUnavailableError("no answer", place="calendar", remedy="Wait")
        return self._calendar.version()

    def commit(self, transaction):
        with self._lock:
            self.asked += 1
        if self.hangs:
            self.answers.wait(self.hang_s)
            raise CalendarUnavailableError("no answer", place="calendar", remedy="Wait")
        return self._calendar.commit(transaction)


@pytest.fixture
def calendar():
    return Hanging(SqliteCalendar(":memory:", organisation()))


@pytest.fixture
def agent(calendar, encoder):
    return Agent(organisation(), TEMPLATES, clock=lambda: NOW, encoder=encoder, calendar=calendar)


def test_those_who_ask_at_once_wait_for_one_failure(agent, calendar):
    calendar.hangs, calendar.asked = True, 0
    with ThreadPoolExecutor(8) as pool:
        assert len(set(map(id, pool.map(lambda _: agent.at_last(), range(40))))) == 1
    assert calendar.asked == 1
    with pytest.raises(CalendarUnavailableError, match=r"calendar: no answer\. Wait\."):
        agent.refresh()
    assert calendar.asked == 1


def test_while_one_asks_anew_the_others_do_not_wait(agent, calendar):
    calendar.hangs = True
    agent.at_last()
    while time.monotonic() < agent.source._outage._asked.until:
        time.sleep(0.01)
    calendar.asked, calendar.hang_s = 0, 60
    asking = threading.Thread(target=agent.at_last)
    asking.start()
    while not calendar.asked:
        time.sleep(0.001)
    agent.source._outage._asked.until += 60  # however slow this machine is
    agent.at_last()
    assert asking.is_alive()
    calendar.answers.set()
    asking.join()
    assert calendar.asked == 1


def test_what_was_changed_meanwhile_is_known_when_it_is_back(agent, calendar):
    calendar.hangs = True
    agent.at_last()
    before = agent.at_last().kb
    calendar.hangs = False
    assert agent.at_last().kb is before, "it is left alone"
    name, event = next(iter(before.events.items()))
    calendar.commit(Transaction("t1", NOW, changes=(EventChange(event, None),)))
    assert name in agent.at_last().kb.events
    assert name not in agent.refresh(anew=True).kb.events, "who knows that it is back asks"
    assert name not in agent.at_last().kb.events


def test_an_answer_takes_the_pause_away(agent, calendar):
    calendar.hangs = True
    agent.at_last()
    calendar.hangs = False
    agent.refresh(anew=True)
    calendar.asked = 0
    agent.refresh()
    assert calendar.asked == 1


def test_those_who_book_at_once_wait_for_one_failure(agent, calendar):
    def confirming(number):
        session = agent.session(speaker="ines")
        session.reply(f"Book a meeting called glue {number} on Friday at {number + 9}:00")
        return session

    sessions = [confirming(number) for number in range(6)]
    calendar.hangs, calendar.asked = True, 0
    with ThreadPoolExecutor(6) as pool:
        replies = list(pool.map(lambda session: session.reply("yes"), sessions))
    assert calendar.asked <= 2, "one who looks and one who books"
    assert {"cannot reach the calendar" in each.text for each in replies} == {True}, replies
    calendar.hangs = False
    while time.monotonic() < agent.source._outage._asked.until:
        time.sleep(0.01)
    assert "I have booked" in sessions[0].reply("yes").text


def test_a_calendar_that_cannot_be_written_is_read_all_the_same(agent, calendar):
    def change(seconds):
        with agent.source.changing():
            time.sleep(seconds)
            raise CalendarUnavailableError("somebody else writes it")

    with pytest.raises(CalendarUnavailableError):
        change(1.0)
    with pytest.raises(CalendarUnavailableError):
        change(60.0)  # it is left alone: nobody waits for this
    assert agent.refresh() is agent.at_last()


def test_a_calendar_in_which_something_is_wrong_is_as_good_as_out_of_reach(agent, calendar):
    """What is wrong may be somebody's private event: it is not for whoever asks something else."""
    def spoilt():
        raise InputError("the event 'layoffs' has no end", place="/srv/acme/calendar")

    before = agent.at_last().kb
    calendar.version = spoilt
    assert agent.at_last().kb is before
    with pytest.raises(CalendarUnavailableError, match="something is wrong") as error:
        agent.refresh()
    assert "layoffs" in str(error.value.__cause__)
    reply = agent.session().reply("Where is the lens workshop?")
    assert reply.text == WHERE_THE_WORKSHOP_IS
    assert "as it was when it was last reached" in " ".join(reply.notes)
    assert "layoffs" not in str(reply.to_dict())
