"""What an utterance asks to be done, read from its words, mentions and links."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from frontdesk.kg.graph.intents import ACTIONS, Intent
from frontdesk.kg.graph.pending_action import GroupWish
from frontdesk.kg.times.time_readings import TimeReading


@dataclass(frozen=True)
class UnclearName:
    """A name that an action rests on and that is not clear.

    Args:
        said: The user's words.
        options: Ids of those it may mean, the likeliest first; suggestions if ``known`` is not.
        known: Whether somebody of that name is known.
        group: It is the name of a group.
    """

    said: str
    options: tuple[str, ...]
    known: bool
    group: bool = False


@dataclass(frozen=True)
class Request:
    """What an utterance asks to be done. What it does not say is empty.

    Args:
        question: The part of it that asks something; empty when nothing is asked.
        intents: Each with its probability in (0, 1].
        worded: Those that its own words tell, whatever the trained head says.
        title: The name that an event is to have.
        times: Readings of when it is to be, the likeliest first.
        no_day: Words for a date that does not exist or is too far away.
        invited: Ids of people to come.
        removed: Ids of people no longer to come.
        kept: Ids of those who alone are still to come; empty when nobody is named so.
        wishes: Groups of whom some or all are to come.
        unclear: Names of people that are not clear.
        room: Id of the room.
        room_unclear: Words for a place that is none of the organisation's.
        wants_room: Any room will do.
        no_room: No room is wanted.
        avoided: Ids of rooms that are not wanted.
        own_office: The user's office is wanted, but the user is not known yet.
        events: Ids of the events that are meant, the likeliest first; ``several`` if all of them.
        several: All of ``events`` are meant.
        names_event: It says which event it means.
        keeps_name: The name is not to be another one.
        adds: It adds to what was said, it does not put it right.
        private: Whether others are to know no more of it than when it is; None when not said.
        occurrences: ``one`` or ``all`` of a series.
        recipients: Ids of those to whom a message goes.
        message: Its words.
        position: Of "the second one": index of what is chosen, -1 for the last; None when none is.
    """

    question: str = ""
    intents: Mapping[Intent, float] = field(default_factory=dict)
    worded: frozenset[Intent] = frozenset()
    title: str = ""
    times: tuple[TimeReading, ...] = ()
    no_day: str = ""
    invited: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    wishes: tuple[GroupWish, ...] = ()
    unclear: tuple[UnclearName, ...] = ()
    room: str = ""
    room_unclear: str = ""
    wants_room: bool = False
    no_room: bool = False
    avoided: tuple[str, ...] = ()
    own_office: bool = False
    events: tuple[str, ...] = ()
    several: bool = False
    names_event: bool = False
    keeps_name: bool = False
    adds: bool = False
    private: bool | None = None
    occurrences: str = ""
    recipients: tuple[str, ...] = ()
    message: str = ""
    position: int | None = None

    def wants(self, intent: Intent) -> float:
        """The probability in [0, 1] that the utterance has an intent."""
        return self.intents.get(intent, 0.0)

    @property
    def acts(self) -> float:
        """The probability in [0, 1] that something is to be done."""
        return max((self.wants(each) for each in ACTIONS), default=0.0)

    @property
    def gives_values(self) -> bool:
        """Whether it says anything about how something is to be."""
        return bool(self.title or self.times or self.no_day or self.invited or self.removed
                    or self.kept
                    or self.wishes or self.unclear or self.room or self.room_unclear
                    or self.wants_room or self.no_room or self.own_office or self.message
                    or self.private is not None or self.position is not None)
