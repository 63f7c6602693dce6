"""What an utterance asks to be done, or says of what is to be done."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from frontdesk.kg.graph.pending_action import ActionKind, GroupWish
from frontdesk.kg.times.other_times import OtherTime
from frontdesk.kg.times.time_readings import TimeReading


@dataclass(frozen=True)
class UnclearName:
    """A name that an action rests on and that is not clear.

    Args:
        said: The user's words.
        options: Ids of those it may mean, the likeliest first; suggestions if ``known`` is not.
        known: Whether somebody of that name is known.
        group: It is the name of a group.
        unwanted: They are not to come.
        hosts: They are to organise it.
    """

    said: str
    options: tuple[str, ...]
    known: bool
    group: bool = False
    unwanted: bool = False
    hosts: bool = False


@dataclass(frozen=True)
class Request:
    """What an utterance asks to be done. What it does not say is empty.

    Args:
        begins: What is to be done, where it says that; None where it only answers or corrects.
        finds_time: A time at which everybody is free is wanted.
        blocks: The user's own time is to be kept.
        confirms: It agrees to what was asked, and to all of it.
        denies: It turns down what was asked.
        leaves_open: Anything will do.
        abandons: What is being arranged is to be left.
        undoes: So many of the last changes are to be taken back.
        redoes: What was taken back is to be done after all.
        greets: It is courtesies alone, as "thanks".
        asks: It asks something besides.
        corrects: It puts right what was said or done before.
        title: The name that an event is to have.
        times: Readings of when it is to be, the likeliest first.
        other_time: Which time is wanted in place of one that was offered.
        no_day: Words for a date that does not exist or is too far away.
        repeated: Words for how often it is to take place.
        invited: Ids of people to come.
        removed: Ids of people no longer to come.
        hosted: It says who is to organise it.
        host: Their id; empty where it is not clear.
        replaced: Those who are invited come in place of others.
        alone: Nobody else is to come.
        wishes: Groups of whom some or all are to come.
        unclear: Names of people that are not clear.
        room: Id of the room.
        room_unclear: Words for a place that is none of the organisation's.
        wants_room: Any room will do.
        no_room: No room is wanted.
        avoided: Ids of rooms that are not wanted.
        events: Ids of the events that are meant, all of them.
        options: Ids of those one of which is meant, where that is not clear.
        names_event: It says which event it means.
        misnamed: The words of a name that is that of none of them.
        starts: Starts in ISO 8601 that several events get, each after the id of its event.
        private: Whether others are to know no more of it than when it is; None when not said.
        occurrences: ``one`` or ``all`` of a series.
        both: Two are meant, neither more nor fewer.
        recipients: Ids of those to whom a message goes.
        message: Its words.
        comes: Of an invitation, whether the user comes; None where it is about none.
        taken: What was offered and is chosen: an id, or a start in ISO 8601; all if several.
        left_out: Words of what it wants of which nothing is made; empty for what has none.
    """

    begins: ActionKind | None = None
    finds_time: bool = False
    blocks: bool = False
    confirms: bool = False
    denies: bool = False
    leaves_open: bool = False
    abandons: bool = False
    undoes: int = 0
    redoes: bool = False
    greets: bool = False
    asks: bool = False
    corrects: bool = False
    title: str = ""
    times: tuple[TimeReading, ...] = ()
    other_time: OtherTime | None = None
    no_day: str = ""
    repeated: str = ""
    invited: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    hosted: bool = False
    host: str = ""
    replaced: bool = False
    alone: bool = False
    wishes: tuple[GroupWish, ...] = ()
    unclear: tuple[UnclearName, ...] = ()
    room: str = ""
    room_unclear: str = ""
    wants_room: bool = False
    no_room: bool = False
    avoided: tuple[str, ...] = ()
    events: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    names_event: bool = False
    misnamed: str = ""
    starts: tuple[tuple[str, str], ...] = ()
    private: bool | None = None
    occurrences: str = ""
    both: bool = False
    recipients: tuple[str, ...] = ()
    message: str = ""
    comes: bool | None = None
    taken: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()

    def takes_all(self, several: Sequence[str]) -> bool:
        """Whether all of several events are meant."""
        return self.occurrences == "all" and not (self.both and len(several) > 2)

    @property
    def changes_event(self) -> bool:
        """Whether it says how an event is to be otherwise."""
        return bool(self.title or self.times or self.invited or self.removed or self.room
                    or self.no_room or self.wants_room) and not (self.confirms or self.names_event)

    @property
    def gives_values(self) -> bool:
        """Whether it says anything about how something is to be."""
        return bool(self.title or self.times or self.no_day or self.invited or self.removed
                    or self.wishes or self.unclear or self.room or self.room_unclear
                    or self.wants_room or self.no_room or self.avoided or self.message
                    or self.recipients or self.starts or self.taken
                    or self.private is not None)
