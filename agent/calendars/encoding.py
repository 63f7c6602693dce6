"""Events, transactions and notices as JSON, for what calendars keep of them."""

from __future__ import annotations

import datetime as dt
import json
from typing import Any
from zoneinfo import ZoneInfo

from frontdesk.kg.graph.changes import EventChange, Message, Notice, NoticeKind, Transaction
from frontdesk.kg.graph.entities import Event


def dump_transaction(transaction: Transaction) -> str:
    """A transaction as JSON text, which :func:`load_transaction` reads without loss."""
    return json.dumps({
        "id": transaction.id, "at": transaction.at.isoformat(), "by": transaction.by,
        "changes": [[_event_data(change.before), _event_data(change.after)]
                    for change in transaction.changes],
        "messages": [[message.recipient, message.text, message.sender]
                     for message in transaction.messages]}, ensure_ascii=False)


def load_transaction(text: str, zone: ZoneInfo) -> Transaction:
    """What :func:`dump_transaction` wrote, times in a zone."""
    data = json.loads(text)
    return Transaction(
        data["id"], dt.datetime.fromisoformat(data["at"]).astimezone(zone), data["by"],
        tuple(EventChange(_event(before, zone), _event(after, zone))
              for before, after in data["changes"]),
        tuple(Message(*message) for message in data["messages"]))


def dump_notice(notice: Notice) -> str:
    """A notice as JSON text, which :func:`load_notice` reads without loss."""
    return json.dumps({
        "person": notice.person, "kind": notice.kind, "event": _event_data(notice.event),
        "fields": notice.fields, "text": notice.text, "sender": notice.sender},
        ensure_ascii=False)


def load_notice(text: str, zone: ZoneInfo) -> Notice:
    """What :func:`dump_notice` wrote, times in a zone."""
    data = json.loads(text)
    return Notice(data["person"], NoticeKind(data["kind"]), _event(data["event"], zone),
                  tuple(data["fields"]), data["text"], data["sender"])


def _event_data(event: Event | None) -> dict[str, Any] | None:
    if event is None:
        return None
    return {"id": event.id, "name": event.name, "start": event.start.isoformat(),
            "end": event.end.isoformat(), "location": event.location,
            "organizer": event.organizer, "attendees": event.attendees, "group": event.group,
            "all_day": event.all_day, "series": event.series, "attendance": event.attendance,
            "private": event.private, "also_in": event.also_in,
            "assumed_zone": event.assumed_zone}


def _event(data: dict[str, Any] | None, zone: ZoneInfo) -> Event | None:
    if data is None:
        return None
    # Journals of earlier versions have no rooms beside the location.
    return Event(**{**data, "attendees": tuple(data["attendees"]),
                    "also_in": tuple(data.get("also_in", ())),
                    "start": dt.datetime.fromisoformat(data["start"]).astimezone(zone),
                    "end": dt.datetime.fromisoformat(data["end"]).astimezone(zone),
                    "attendance": tuple((person, probability)
                                        for person, probability in data["attendance"])})
