"""Whom and what the references of a request mean: clear, or with those it may mean."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from frontdesk.agent.domains.form_links import MeantReferences
from frontdesk.kg.graph.entities import EntityType, Event, Group, Person, Room
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.kg.graph.logical_forms import Form, Sort, Span
from frontdesk.kg.names.fitting_names import fits

#: From this probability on one is meant, where no other is half as probable.
_CLEAR, _RIVAL = 0.5, 0.5
#: Who is described and not named has to be surer.
_DESCRIBED = 0.8
#: With less than this one is not meant at all; with a third of the likeliest it may be.
_LEAST, _OPEN = 0.15, 0.3
#: So many are offered to choose from.
_MOST = 6
#: What refers to what was spoken of.
ANAPHORS = frozenset({"that", "those", "answers"})
#: Those who speak.
SPEAKERS = frozenset({"me", "us", "you"})
#: Conditions that belong to the words of a reference.
_WORDS = frozenset({"like", "type"})


@dataclass(frozen=True)
class MeantPeople:
    """Whom a reference means.

    Args:
        people: Ids.
        groups: Ids of groups all of whom are meant.
        some: Ids of groups one of whom is meant, whoever it is.
        excepted: Ids of people who are not.
        options: Ids of those whom an unclear name may mean.
        said: The words of a name that is unclear or unknown; empty where it is neither.
        known: Somebody of that name is known.
        a_group: It names a group.
    """

    people: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    some: tuple[str, ...] = ()
    excepted: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    said: str = ""
    known: bool = True
    a_group: bool = False


@dataclass(frozen=True)
class MeantEvents:
    """Which events a reference means.

    Args:
        events: Ids of all that are meant; of one that stands alone.
        options: Ids one of which is meant, where that is not clear.
        named: The reference says which.
        misnamed: The words of a name that is that of none of them.
    """

    events: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    named: bool = True
    misnamed: str = ""


@dataclass(frozen=True)
class References:
    """The references of an utterance.

    Args:
        kb: The organisation as the user may know it.
        meant: What they mean by name, description and dialogue.
        user: Id of the user; None when not known.
        now: Zone-aware present.
        acted_on: Ids of the events that the last action was about: "it".
        acted_together: Ids of those that actions one after the other were about: "both of them".
        arranged_with: Ids of those with whom something is being arranged, or just was: "him".
    """

    kb: KnowledgeBase
    meant: MeantReferences
    user: str | None
    now: dt.datetime
    acted_on: tuple[str, ...] = ()
    acted_together: tuple[str, ...] = ()
    arranged_with: tuple[str, ...] = ()

    # --- people

    def people(self, form: Form) -> list[MeantPeople]:
        """Whom a reference means, each part of it apart."""
        if form.head == "and":
            return [each for part in form.inner() for each in self.people(part)]
        if form.head in SPEAKERS:
            return []
        left_out = [meant for part in form.inner() if part.head == "except"
                    for each in part.inner() for meant in self.people(each)]
        excepted = tuple(person for meant in left_out for person in self._all_of(meant))
        unclear = [each for each in left_out if each.said or each.options]
        if unclear:
            return unclear  # whom to leave out is asked before anybody is named
        if form.head == "person" and not _has_words(form):
            return self._some_of(form, excepted)
        found = self._candidates(form, (Person, Group))
        described = any(each.head == "like" for each in form.inner())
        if form.head != "or" and not described and self._is_plural(form, found):
            return [MeantPeople(tuple(each for each in found if each not in excepted
                                      and each in self.kb.people),
                                tuple(each for each in found if each in self.kb.groups))]
        clear = _clear(found, _DESCRIBED if _is_described(form) else _CLEAR)
        if clear and isinstance(self.kb.entity(clear), Group):
            return [MeantPeople(groups=(clear,), excepted=excepted)]
        if clear:
            return [MeantPeople(() if clear == self.user else (clear,))]
        if form.head == "that" and len(self.arranged_with) == 1:
            return [MeantPeople(self.arranged_with)]
        best = max(found.values(), default=0.0)
        options = tuple(each for each in found if found[each] >= max(_LEAST, _OPEN * best))
        said = next((each.text for each in form.spans()), "")
        return [MeantPeople(
            options=options[:_MOST], said=said, a_group=form.head == "group", excepted=excepted,
            known=bool(options) and sum(found.values()) >= _CLEAR)] if said or options else []

    def _some_of(self, form: Form, excepted: tuple[str, ...]) -> list[MeantPeople]:
        """One of a group, all the others of it, or all for whom something holds."""
        groups = [each for part in form.inner() if part.head == "member_of"
                  for each in part.inner()]
        if not groups:
            everybody = self.meant.which(form) if len(form.arguments) else ()
            return [] if not everybody else [MeantPeople(tuple(each for each, _ in everybody
                                      if each not in (self.user, *excepted)))]
        found = [meant for each in groups for meant in self.people(each)]
        if any(each.head == "except" for each in form.inner()):
            # Who speaks is one of those who are left out, though not by a name.
            user = () if self.user is None else (self.user,)
            return [replace(each, excepted=(*excepted, *user)) for each in found]
        return [replace(each, groups=(), some=each.groups, a_group=True) for each in found]

    def _all_of(self, meant: MeantPeople) -> tuple[str, ...]:
        """Ids of all people who are meant, those of groups too."""
        return (*meant.people, *(person.id for group in meant.groups
                                 for person in self.kb.members(group)))

    # --- rooms

    def rooms(self, form: Form) -> tuple[str, ...]:
        """Ids of the rooms that a reference may mean, the likeliest first."""
        if form.head in ("or", "and"):
            return tuple(room for part in form.inner() for room in self.rooms(part)[:1])
        found = self._candidates(form, (Room,))
        clear = _clear(found)
        return (clear,) if clear else tuple(
            each for each, share in found.items() if share >= _LEAST or not _has_words(form))

    # --- events

    def events(self, form: Form) -> MeantEvents:
        """Which events a reference means."""
        if form.head == "and":
            parts = list(map(self.events, form.inner()))
            options = next((each.options for each in parts if each.options), ())
            events = tuple(dict.fromkeys(each for part in parts for each in part.events))
            unknown = [part.misnamed or ("" if part.events or part.options else _words(each))
                       for each, part in zip(form.inner(), parts, strict=True)]
            return MeantEvents(() if options else events, options, misnamed="” and “".join(
                filter(None, unknown)) if events or options else "")
        found = self._events(form)
        name = next((each.text for each in form.arguments if isinstance(each, Span)), "")
        meant = (*found.events, *found.options)
        if form.head == "event" and name and meant and not any(
                fits(name, self._names_about(each), EntityType.EVENT) for each in meant):
            return replace(found, misnamed=name)
        return found

    def _names_about(self, event: str) -> list[str]:
        """The names by which an event may be called: its own, those of who and what is in it."""
        meant = self.kb.events[event]
        people = [self.kb.people[each] for each in meant.concerned() if each in self.kb.people]
        ids = (*meant.rooms, meant.group, *(each.group for each in people))
        return [meant.name, *(each.name for each in people),
                *(self.kb.entity(each).name for each in ids if each and each in self.kb)]

    def _events(self, form: Form) -> MeantEvents:
        if form.head in ANAPHORS and not form.arguments:
            several = form.head == "those" and len(self.acted_on) == 1
            pointed = [each for each in ((several and self.acted_together) or self.acted_on)
                       if each in self.kb.events]
            if pointed:
                return MeantEvents(tuple(sorted(pointed, key=self._start)), named=False)
        found = self._coming(self._candidates(form, (Event,)))
        if form.head in ANAPHORS and (self._is_plural(form, found) or form.head != "that"):
            return MeantEvents(tuple(sorted(found, key=self._start)), named=False)
        if form.head in ANAPHORS:
            clear = _clear(found)
            return MeantEvents((clear,) if clear else (), () if clear else tuple(found)[:_MOST],
                               named=False)
        if not found:
            return MeantEvents()
        best = max(found.values())
        close = [each for each, share in found.items() if share >= max(_LEAST, _OPEN * best)]
        if any(each.head == "except" for each in form.inner()):
            return MeantEvents(tuple(sorted(close, key=self._start)))
        if len({self.kb.events[each].series or each for each in close}) == 1:
            return MeantEvents((min(close, key=self._start),))
        recent = [each for each in close if each in self.acted_on]
        if len(recent) == 1 and not any(each.is_of(Sort.TIME) for each in form.inner()):
            return MeantEvents(tuple(recent))
        return MeantEvents(options=tuple(sorted(close, key=self._start)))

    def _start(self, event: str) -> tuple[dt.datetime, str]:
        return self.kb.events[event].start, event

    def _coming(self, found: Mapping[str, float]) -> dict[str, float]:
        """Events by name: occurrences and namesakes share what one of them is probable by."""
        shares: dict[str, float] = {}
        for each, share in found.items():
            name = self.kb.events[each].name
            shares[name] = shares.get(name, 0.0) + share
        coming = {each: shares[self.kb.events[each].name] for each in found
                  if self.kb.events[each].end > self.now}
        return coming or {each: shares[self.kb.events[each].name] for each in found}

    # --- what a form can mean

    def _candidates(self, form: Form, types: tuple[type, ...]) -> dict[str, float]:
        """Ids with their probabilities, the likeliest first, of what is of a type."""
        if form.head == "or":
            parts = [self._candidates(each, types) for each in form.inner()]
            found: Sequence[tuple[str, float]] = [
                (each, share / len(parts)) for part in parts for each, share in part.items()]
        elif any(each.head not in _WORDS for each in form.inner()) \
                or form not in self.meant.resolution.entities:
            found = self.meant.which(form)
        else:
            found = self.meant.resolution.entities[form]
        return {each: share for each, share in sorted(found, key=lambda pair: -pair[1])
                if each in self.kb and isinstance(self.kb.entity(each), types)}

    def _is_plural(self, form: Form, found: Mapping[str, float]) -> bool:
        return form in self.meant.resolution.plural and len(found) > 1


def _words(form: Form) -> str:
    return " ".join(each.text for each in form.spans())


def _has_words(form: Form) -> bool:
    """Whether a reference has words of its own, besides those of its conditions."""
    return any(isinstance(each, Span) or (isinstance(each, Form) and each.head in _WORDS)
               for each in form.arguments)


def _is_described(form: Form) -> bool:
    """Whether a reference has no name, only a description."""
    return not any(isinstance(each, Span) for each in form.arguments) \
        and any(each.head == "like" for each in form.inner())


def _clear(found: Mapping[str, float], least: float = _CLEAR) -> str:
    """The one that is meant; empty where that is not clear."""
    (best, share), *others = [*found.items()] or [("", 0.0)]
    return best if share >= least and all(
        each < _RIVAL * share for _, each in others) else ""
