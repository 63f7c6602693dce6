"""What is known, as somebody may see it: its versions, and of each what a person may be told."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Hashable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from functools import cached_property

from frontdesk.agent.access.access_rights import Access, View
from frontdesk.agent.calendars.calendar import Calendar, CalendarUnavailableError
from frontdesk.agent.calendars.outage import Outage
from frontdesk.agent.domains.domain_pack import Components
from frontdesk.kg.graph.errors import FrontdeskError
from frontdesk.kg.graph.facts import Fact
from frontdesk.kg.graph.knowledge_graph import KnowledgeGraph
from frontdesk.rules.linking.link_proofs import LinkProver

_LOG = logging.getLogger("frontdesk.agent")

#: Makes the components of a turn that depend on what is talked about.
MakeDomain = Callable[[KnowledgeGraph], Components]

#: Users for whom it is kept what they may be told.
_MOST_VIEWERS = 64


@dataclass(frozen=True, eq=False)
class VisibleDomain:
    """A domain with all out of reach that somebody may not be told.

    Args:
        snapshot: All that is known at that version of the calendar.
        view: What may be told; None where that is everything.
    """

    domain: Components
    snapshot: DomainSnapshot
    view: View | None = None

    @property
    def kb(self) -> KnowledgeGraph:
        """The entities and stored facts."""
        return self.domain.kb

    @cached_property
    def hidden(self) -> frozenset[str]:
        """Ids of the events of which no more may be told than when they are."""
        privacy = self.domain.pack.privacy
        return frozenset() if privacy is None else privacy.masked(self.kb)

    @cached_property
    def link_prover(self) -> LinkProver:
        """Proves the links of the domain's linker."""
        return self.domain.linker.prover()

    def tells(self, fact: Fact) -> bool:
        """Whether a fact may be told."""
        return self.view is None or self.view.tells(fact, self.hidden)


class DomainSnapshot:
    """All that is known at one version of the calendar, and what each person may be told of it.

    Args:
        make: Makes the same of a part of it.
        version: Of the calendar; empty where there is none.
    """

    def __init__(self, domain: Components, make: MakeDomain, version: str = "") -> None:
        self.domain, self.version = domain, version
        self._make = make
        self._whole = VisibleDomain(domain, self)
        self._views: dict[View, VisibleDomain] = {}
        self._viewers: dict[Hashable, VisibleDomain] = {}
        self._changes = threading.Lock()

    @property
    def kb(self) -> KnowledgeGraph:
        """The entities and stored facts."""
        return self.domain.kb

    def viewed_by(self, user: str | None, access: Access, *, certain: bool) -> VisibleDomain:
        """What somebody may be told; the same object for the same person.

        Args:
            user: Id of the person; None for somebody unknown.
            access: Decides, with the role that the caller vouches for.
            certain: The caller vouches for who it is.
        """
        kb, privacy = self.kb, self.domain.pack.privacy
        if privacy is None:
            return self._whole
        viewer = (access.settings, access.certified, user, certain)
        found = self._viewers.get(viewer)
        if found is None:
            view = privacy.view(kb, access, user, certain)
            key = view if view.withheld else replace(view, user=None)  # others see the same
            with self._changes:
                found = self._whole if view.is_whole else self._views.get(key)
            if found is None:  # made while others look things up; the first of equals is kept
                found = VisibleDomain(self._make(privacy.part(kb, view)), self, view)
            with self._changes:
                if len(self._viewers) >= _MOST_VIEWERS:
                    self._viewers.clear()
                    self._views.clear()
                found = self._viewers[viewer] = self._views.setdefault(key, found)
        return found


class DomainSource:
    """What is talked about as it is now, with the calendar in which it is changed.

    Args:
        snapshot: As it is now.
        make: Makes a domain of what the calendar holds.
        calendar: None where nothing can be changed.
    """

    def __init__(self, snapshot: DomainSnapshot, make: MakeDomain,
                 calendar: Calendar | None = None) -> None:
        self.calendar = calendar
        self._latest, self._make = snapshot, make
        self._outage = Outage()

    @property
    def latest(self) -> DomainSnapshot:
        """As it was when it was last looked at."""
        return self._latest

    def refresh(self, *, anew: bool = False) -> DomainSnapshot:
        """As it is now. A snapshot that somebody works with does not change.

        Args:
            anew: The calendar has just answered: it is asked even if it did not a moment ago.

        Raises:
            CalendarUnavailableError: The calendar cannot be reached or read, or could not be a
                moment ago.
        """
        if self.calendar is None:
            return self._latest
        with self._outage.asking(anew=anew), _unavailable_if_wrong():
            if self.calendar.version() != self._latest.version:
                state = self.calendar.state()
                self._latest = DomainSnapshot(self._make(state.kb), self._make, state.version)
            return self._latest

    def at_last(self) -> DomainSnapshot:
        """As :meth:`refresh`, or as it was when the calendar was last reached."""
        try:
            return self.refresh()
        except CalendarUnavailableError as error:
            _LOG.warning("%s", error)
            return self._latest

    def changing(self) -> AbstractContextManager[None]:
        """Within it the calendar is changed; see :meth:`Outage.changing`."""
        return self._outage.changing()

    def without_calendar(self) -> DomainSource:
        """What is known now, where nothing can be changed."""
        return DomainSource(self.at_last(), self._make)


@contextmanager
def _unavailable_if_wrong() -> Iterator[None]:
    """A calendar in which something is wrong since it was opened is as good as out of reach.

    Raises:
        CalendarUnavailableError: Something is wrong in it.
    """
    try:
        yield
    except CalendarUnavailableError:
        raise
    except FrontdeskError as error:
        # Its words may have the name of a private event.
        raise CalendarUnavailableError("something is wrong in the calendar", place=error.place,
                                       remedy="frontdesk doctor tells what") from error
