"""What waits in an outbox and what left it last, as data for those who run the service.

There are no words in it that were passed on, and no names of people and events.
"""

from __future__ import annotations

import datetime as dt
from typing import Any

from frontdesk.agent.calendars.outbox import Outbox, QueuedNotice


def told_notices(outbox: Outbox, limit: int) -> dict[str, list[dict[str, Any]]]:
    """The notices that wait, the oldest first, and those that were sent or given up last, the
    latest first.

    Args:
        limit: How many of each, at most.

    Raises:
        CalendarUnavailableError: They cannot be read now.
    """
    return {"waiting": [_data(each) for each in outbox.waiting()[:limit]],
            "ended": [_data(each) for each in outbox.ended(limit)]}


def _data(queued: QueuedNotice) -> dict[str, Any]:
    notice = queued.notice
    return {
        "id": queued.key, "at": queued.at.isoformat(), "person": notice.person,
        "kind": str(notice.kind), "event": notice.event.id if notice.event else None,
        "deliveries": {name: {
            "state": str(each.state), "attempts": each.attempts, "error": each.error or None,
            "at": _moment(each.at), "next_at": None if each.is_over else _moment(each.next_at)}
            for name, each in queued.deliveries.items()}}


def _moment(seconds: float) -> str:
    return dt.datetime.fromtimestamp(seconds, dt.UTC).isoformat(timespec="seconds")
