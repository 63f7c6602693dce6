"""In which order notices are tried, what waits for what, and what is given up."""

from __future__ import annotations

import datetime as dt
import logging
import time
from dataclasses import dataclass, field

import pytest

from frontdesk.agent.calendars.outbox import Delivery, DeliveryState
from frontdesk.agent.calendars.sqlite_calendar import SqliteCalendar
from frontdesk.agent.notices.channel import DeliveryError
from frontdesk.agent.notices.letter import Letter
from frontdesk.agent.notices.sender import Pauses, Sender
from frontdesk.agent.notices.told_notices import told_notices
from frontdesk.kg.graph.changes import Message, Transaction

from ..calendars.organisation import NOW, organisation


@dataclass
class Recorded:
    """A channel that takes what it is not told to refuse."""

    name: str = "recorded"
    refuses: dict[str, Exception] = field(default_factory=dict)
    sent: list[tuple[str, str]] = field(default_factory=list)

    def reaches(self, address: str | None) -> bool:
        return True

    def send(self, letter: Letter) -> None:
        notice = letter.queued.notice
        error = self.refuses.get(notice.text) or self.refuses.get(notice.person)
        if error is not None:
            raise error
        self.sent.append((notice.person, notice.text))

    def check(self) -> None:
        pass


@pytest.fixture
def calendar():
    calendar = SqliteCalendar(":memory:", organisation())
    yield calendar
    calendar.close()


def write(calendar, *messages: tuple[str, str], id_: str = "t", at: dt.datetime = NOW) -> None:
    calendar.commit(Transaction(id_, at, messages=tuple(Message(*each) for each in messages)))


def sender_of(*channels: Recorded, pauses: Pauses | None = None) -> Sender:
    return Sender(channels, give_up_after=dt.timedelta(days=3), lease_s=30.0,
                  pauses=pauses or Pauses(0.0, 0.0, 0.0))


def send(calendar, sender: Sender, now: dt.datetime = NOW) -> bool:
    return sender.send_due(calendar.outbox(), organisation(), now)


REFUSED = DeliveryError("550 nobody of that name", "550")
DOWN = DeliveryError("the server hangs", "timeout", is_down=True)


def test_what_one_person_cannot_be_told_holds_up_their_own_notices_alone(calendar):
    channel = Recorded(refuses={"bo": REFUSED})
    sender = sender_of(channel, pauses=Pauses(60.0, 60.0, 60.0))
    write(calendar, ("bo", "1"), ("ines", "1"), ("bo", "2"), ("ines", "2"))
    assert send(calendar, sender)
    assert channel.sent == [("ines", "1"), ("ines", "2")]
    first, second = calendar.outbox().waiting()
    assert (first.deliveries["recorded"].attempts, dict(second.deliveries)) == (1, {})
    assert first.deliveries["recorded"].error == "550 nobody of that name"
    del channel.refuses["bo"]
    send(calendar, sender)
    assert len(channel.sent) == 2, "it is not tried again before its pause is over"
    send(calendar, sender_of(channel))
    assert len(channel.sent) == 2, "nor by another sender"


def test_notices_of_a_person_come_in_their_order_when_one_is_refused_for_a_while(calendar):
    channel = Recorded(refuses={"1": REFUSED})
    sender = sender_of(channel, pauses=Pauses(0.02, 0.02, 0.02))
    write(calendar, ("bo", "1"), ("bo", "2"), ("bo", "3"))
    send(calendar, sender)
    assert channel.sent == []
    channel.refuses.clear()
    time.sleep(0.03)
    send(calendar, sender)
    assert channel.sent == [("bo", "1"), ("bo", "2"), ("bo", "3")]


def test_what_was_sent_stays_sent_when_another_sender_failed_late(calendar):
    write(calendar, ("bo", "1"))
    outbox = calendar.outbox()
    (waiting,) = outbox.waiting()
    for state in (DeliveryState.FAILED, DeliveryState.SENT, DeliveryState.FAILED):
        outbox.write(waiting.number, "mail", Delivery(state, 1, "", 1.0), ["mail", "hook"])
    (waiting,) = outbox.waiting()
    assert waiting.deliveries["mail"].state is DeliveryState.SENT


def test_a_letter_that_cannot_be_written_fails_alone(calendar):
    channel = Recorded(refuses={"bo": AttributeError("no token")})
    write(calendar, ("bo", "1"), ("ines", "1"))
    assert send(calendar, sender_of(channel, pauses=Pauses(60.0, 60.0, 60.0)))
    assert channel.sent == [("ines", "1")]
    (failed,) = calendar.outbox().waiting()
    assert failed.deliveries["recorded"].state is DeliveryState.FAILED


def test_a_notice_at_which_the_server_breaks_down_does_not_keep_others_from_it(calendar):
    channel = Recorded(refuses={"poison": DOWN})
    sender = sender_of(channel, pauses=Pauses(0.01, 10.0, 0.02))
    write(calendar, ("bo", "poison"), *(("ines", str(each)) for each in range(20)))
    deadline = time.monotonic() + 10
    while len(channel.sent) < 20 and time.monotonic() < deadline:
        send(calendar, sender)
        time.sleep(0.005)
    assert [text for _, text in channel.sent] == list(map(str, range(20)))
    assert [each.notice.text for each in calendar.outbox().waiting()] == ["poison"]


def test_a_channel_that_is_down_is_left_alone_for_a_while_and_the_other_one_is_not(calendar):
    one, other = Recorded("one", {"bo": DOWN, "ines": DOWN}), Recorded("other")
    sender = sender_of(one, other, pauses=Pauses(30.0, 30.0, 30.0))
    write(calendar, ("bo", "1"), ("ines", "1"))
    send(calendar, sender)
    assert other.sent == [("bo", "1"), ("ines", "1")]
    tried = [each.deliveries["one"].attempts for each in calendar.outbox().waiting()
             if "one" in each.deliveries]
    assert tried == [1], "one attempt tells that nothing else would come through either"


def test_a_notice_leaves_the_outbox_when_all_channels_have_it_and_comes_once_by_each(calendar):
    one, other = Recorded("one"), Recorded("other", {"bo": REFUSED})
    sender = sender_of(one, other, pauses=Pauses(0.02, 0.02, 0.02))
    write(calendar, ("bo", "1"))
    send(calendar, sender)
    assert len(calendar.outbox().waiting()) == 1
    other.refuses.clear()
    time.sleep(0.03)
    send(calendar, sender)
    assert one.sent == other.sent == [("bo", "1")]
    assert calendar.outbox().waiting() == ()
    (ended,) = calendar.outbox().ended(10)
    assert {each.state for each in ended.deliveries.values()} == {DeliveryState.SENT}


def test_what_is_too_old_is_given_up_and_told(calendar, caplog):
    channel = Recorded(refuses={"bo": REFUSED})
    write(calendar, ("bo", "1"), ("bo", "2"), id_="old")
    write(calendar, ("bo", "3"), id_="new", at=NOW + dt.timedelta(days=4))
    sender = sender_of(channel, pauses=Pauses(0.01, 0.01, 0.01))
    send(calendar, sender)
    time.sleep(0.02)
    channel.refuses.clear()
    with caplog.at_level(logging.ERROR, "frontdesk.notices"):
        send(calendar, sender, NOW + dt.timedelta(days=4))
    assert channel.sent == [("bo", "3")]
    told = told_notices(calendar.outbox(), 10)
    assert told["waiting"] == []
    assert sorted((each["deliveries"]["recorded"]["state"],
                   each["deliveries"]["recorded"]["error"]) for each in told["ended"]) == [
        ("given up", "550 nobody of that name"), ("given up", "nobody sent it in time"),
        ("sent", None)]
    assert [each.getMessage().partition(" is ")[2] for each in caplog.records
            if each.levelno == logging.ERROR] == [
        "given up (recorded): 1 attempts", "given up (recorded): 0 attempts"]


def test_the_log_names_nobody(calendar, caplog):
    channel = Recorded(refuses={"bo": DeliveryError("550 <bo@lanternworks.example>", "550")})
    write(calendar, ("bo", "the zebra escaped"))
    with caplog.at_level(logging.DEBUG, "frontdesk.notices"):
        send(calendar, sender_of(channel, pauses=Pauses(60.0)))
    assert "550" in caplog.text
    assert not any(each in caplog.text for each in ("bo@", "zebra"))
    assert "zebra" not in str(told_notices(calendar.outbox(), 10))


def test_one_process_sends_at_a_time_and_another_when_that_is_gone(calendar):
    channel = Recorded()
    write(calendar, ("bo", "1"))
    outbox = calendar.outbox()
    assert outbox.lease("somebody", 0.05, time.time())
    assert not send(calendar, sender_of(channel))
    assert channel.sent == []
    time.sleep(0.06)
    assert send(calendar, sender_of(channel))
    assert channel.sent == [("bo", "1")]
    assert outbox.lease("somebody", 30.0, time.time()), "it is given back"
    assert outbox.lease("somebody else", 30.0, time.time() - 3600), "the clock was put back"


def test_a_notice_waits_no_longer_for_a_channel_that_is_gone(calendar):
    one, other = Recorded("one"), Recorded("other", {"bo": REFUSED})
    write(calendar, ("bo", "1"), id_="t1")
    send(calendar, sender_of(one, other, pauses=Pauses(60.0)))
    assert len(calendar.outbox().waiting()) == 1
    write(calendar, ("bo", "2"), id_="t2")
    send(calendar, sender_of(one))
    assert calendar.outbox().waiting() == ()
    assert one.sent == [("bo", "1"), ("bo", "2")]


def test_a_sender_that_is_told_to_stop_leaves_the_rest(calendar):
    channel = Recorded()
    write(calendar, ("bo", "1"), ("ines", "1"), ("jo-1", "1"))
    sender_of(channel).send_due(calendar.outbox(), organisation(), NOW,
                                lambda: len(channel.sent) == 2)
    assert len(calendar.outbox().waiting()) == 1


def test_pauses_grow_up_to_the_longest():
    pauses = Pauses(5.0, 3600.0)
    assert [pauses.after(each) for each in (1, 2, 3, 11, 5000)] == [5.0, 10.0, 20.0, 3600.0, 3600.0]


def test_the_key_of_a_notice_is_its_own_and_stays_the_same(calendar):
    write(calendar, ("bo", "1"), ("bo", "1"))
    keys = [each.key for each in calendar.outbox().waiting()]
    assert len(set(keys)) == 2
    assert keys == [each.key for each in calendar.outbox().waiting()]
