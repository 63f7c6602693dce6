"""The pending action: what a user wants done to the calendar, as far as it is known.

It is part of the dialogue's state: the dialogue graph holds it with every turn that changed it.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from enum import StrEnum
from typing import Any

from frontdesk.kg.graph.time_slots import TimeReading
from frontdesk.kg.graph.windows import PartOfDay


class ActionKind(StrEnum):
    """What is to be done."""

    CREATE = "create"
    CHANGE = "change"      # of time, place, name or people, of one event or several
    CANCEL = "cancel"
    MESSAGE = "message"
    UNDO = "undo"          # of what was done, whose transaction is offered


class ActionStatus(StrEnum):
    """How far it has come."""

    OPEN = "open"                # something is still asked or suggested
    CONFIRMING = "confirming"    # all is known, the user's word is awaited
    DONE = "done"
    ASIDE = "aside"              # it may be gone on with
    REFUSED = "refused"
    ABANDONED = "abandoned"
    UNDONE = "undone"
    FAILED = "failed"            # the calendar could not be reached or changed


class Slot(StrEnum):
    """What a user can be asked for, in the words of the rules."""

    SPEAKER = "speaker"
    EVENT = "event"
    OCCURRENCES = "occurrences"   # one or all of a series
    DATE = "date"
    START = "start"
    DURATION = "duration"
    TITLE = "title"
    PLACE = "place"
    ATTENDEES = "attendees"
    CHANGE = "change"             # what to change about an event
    RECIPIENT = "recipient"
    MESSAGE = "message"
    CONFIRMATION = "confirmation"
    CHOICE = "choice"             # of what is suggested


@dataclass(frozen=True)
class GroupWish:
    """People of a group whom the user does not name.

    Args:
        group: Id of the group.
        number: How many; 0 for all.
        further: Besides those of the group who are to come already.
    """

    group: str
    number: int = 0
    further: bool = False


@dataclass(frozen=True)
class PendingAction:
    """What is wanted so far.

    Args:
        events: Ids of the events that it changes or cancels; of the new one once it is done.
        title: The name that the event is to have; empty when not known.
        time: When it is to be, or, for a change, what is to be other about it.
        room: Id of the room that it is to be in; empty when none is wanted or known.
        wants_room: The user wants a room, whichever.
        avoided: Ids of rooms that it is not to be in.
        no_room: It is to be in no room any more.
        people: Ids of those to invite, the user aside.
        host: Id of who is to organise a new event in place of the user; empty when nobody is.
        removed: Ids of those who are no longer to come.
        wishes: Groups of whom some or all are to be invited.
        recipients: Ids of those to whom a message goes.
        left_open: Slots that the user leaves to the receptionist; ``change`` where that an event
            moves is only offered.
        private: Whether others may know no more of the event than when it is; None when nothing
            was said of that.
        occurrences: ``one`` or ``all`` of a series; empty when not known.
        asked: What the receptionist asked for last.
        starts: Starts in ISO 8601 that some of several events get for themselves, each after the id
            of its event.
        waiting: What the user wants done after it: each the words in which it was said, and its
            logical forms.
        done_before: Ids of the events of what was asked for with it and is done.
        unanswered: So many utterances in a row answered nothing of what was asked.
        interrupted: Something else was answered since, so that "great" may be about that.
        offered: What it suggested: starts in ISO 8601, or ids.
        offered_out: Whoever is chosen of those suggested is not to come.
        offered_host: Whoever is chosen of those suggested, or named instead, is to organise it.
        chosen_from: Ids of the people who were suggested, of whom one was chosen.
        shown: A digest of all that the user was asked to confirm; empty when nothing was.
        transaction: Id of the transaction that makes it, decided on before it is confirmed.
        by: Id of the person for whom it is done.
        guest: The name of a user who is none of the organisation's people; they may only leave
            messages.
    """

    kind: ActionKind
    status: ActionStatus = ActionStatus.OPEN
    events: tuple[str, ...] = ()
    title: str = ""
    time: TimeReading = field(default_factory=TimeReading)
    room: str = ""
    wants_room: bool = False
    avoided: tuple[str, ...] = ()
    no_room: bool = False
    people: tuple[str, ...] = ()
    host: str = ""
    removed: tuple[str, ...] = ()
    wishes: tuple[GroupWish, ...] = ()
    recipients: tuple[str, ...] = ()
    message: str = ""
    left_open: frozenset[str] = frozenset()
    private: bool | None = None
    occurrences: str = ""
    starts: tuple[tuple[str, str], ...] = ()
    waiting: tuple[tuple[str, str], ...] = ()
    asked: str = ""
    done_before: tuple[str, ...] = ()
    unanswered: int = 0
    interrupted: bool = False
    offered: tuple[str, ...] = ()
    offered_out: bool = False
    offered_host: bool = False
    chosen_from: tuple[str, ...] = ()
    shown: str = ""
    transaction: str = ""
    by: str = ""
    guest: str = ""

    @property
    def is_open(self) -> bool:
        """Whether the user may still say more about it."""
        return self.status in (ActionStatus.OPEN, ActionStatus.CONFIRMING)

    def to_data(self) -> dict[str, Any]:
        """As plain data for JSON; what has its default is left out."""
        data = {name: value for name, value in asdict(self).items()
                if value != getattr(_DEFAULT, name) or name == "kind"}
        if "time" in data:
            data["time"] = {name: _plain(value) for name, value in data["time"].items()
                            if value != getattr(TimeReading(), name)}
        if "left_open" in data:
            data["left_open"] = sorted(data["left_open"])
        return data

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> PendingAction:
        """Read what :meth:`to_data` gave.

        Raises:
            ValueError: It is something else.
        """
        try:
            values = dict(data)
            unknown = set(values) - {each.name for each in fields(cls)}
            if unknown:
                raise ValueError(f"an action has no {sorted(unknown)[0]!r}")
            for name, value in values.items():
                if isinstance(value, list):
                    values[name] = tuple(value)
                if isinstance(getattr(_DEFAULT, name, None), tuple | frozenset) \
                        and not isinstance(values[name], tuple):
                    raise ValueError(f"{name!r} of an action is a list, not {value!r}")
            values["kind"] = ActionKind(values["kind"])
            values["status"] = ActionStatus(values.get("status", ActionStatus.OPEN))
            values["starts"] = tuple(tuple(each) for each in values.get("starts", ()))
            # Before the words were kept, each was its forms alone.
            values["waiting"] = tuple(("", each) if isinstance(each, str) else _pair(each)
                                      for each in values.get("waiting", ()))
            values["left_open"] = frozenset(values.get("left_open", ()))
            values["wishes"] = tuple(GroupWish(**each) for each in values.get("wishes", ()))
            values["time"] = _time(values.get("time", {}))
            return cls(**values)
        except (KeyError, TypeError, AttributeError, OverflowError) as error:
            raise ValueError(f"not an action: {error!r}") from error


def offered_start(offered: str) -> dt.datetime | None:
    """The start that was offered; None for a day or the id of an entity."""
    try:
        return dt.datetime.fromisoformat(offered) if "T" in offered else None
    except ValueError:
        return None


def offered_day(offered: str) -> dt.date | None:
    """The day that was offered; None for a start or the id of an entity."""
    try:
        return dt.date.fromisoformat(offered)
    except ValueError:
        return None


def _plain(value: object) -> object:
    if isinstance(value, dt.date | dt.time):
        return value.isoformat()
    if isinstance(value, dt.timedelta):
        return value.total_seconds()
    return str(value) if isinstance(value, PartOfDay) else value


_READERS: dict[str, Callable[[Any], Any]] = {
    "day": dt.date.fromisoformat, "until_day": dt.date.fromisoformat,
    **dict.fromkeys(("start", "end", "earliest", "latest"), dt.time.fromisoformat),
    "part": PartOfDay,
    "shift": lambda seconds: dt.timedelta(seconds=seconds)}


def _time(data: Mapping[str, Any]) -> TimeReading:
    return TimeReading(**{name: _READERS[name](value) if name in _READERS else value
                          for name, value in data.items()})


_DEFAULT = PendingAction(ActionKind.CREATE)


def _pair(value: Sequence[str]) -> tuple[str, str]:
    words, forms = value
    return words, forms
