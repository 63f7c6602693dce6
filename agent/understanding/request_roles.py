"""What the roles of a request say: whom, where, what it is called."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from frontdesk.agent.understanding.references import ANAPHORS, SPEAKERS, MeantPeople
from frontdesk.agent.understanding.request import Request, UnclearName
from frontdesk.agent.understanding.request_times import RequestTimes
from frontdesk.agent.understanding.role_times import TIME_ROLES
from frontdesk.agent.understanding.said import Said, words_of
from frontdesk.kg.graph.logical_forms import Form, Sort, Span
from frontdesk.kg.graph.pending_action import ActionKind, GroupWish

#: When was said last.
THEN = Form("time", (Form("then"),))
#: Roles that others beside them leave nothing of.
_OUTDONE = {"note": "title", "online": "venue"}
#: Values of a request that say whom it wants, or does not.
_WHO = ("invited", "removed", "wishes", "recipients", "unclear")


@dataclass(frozen=True)
class Named:
    """Somebody who is wanted.

    Args:
        meant: Whom the reference means, all of them.
        before: The request before it.
        after: The request with them.
    """

    meant: MeantPeople
    before: Request
    after: Request


class RoleReader:
    """Reads roles into a request.

    Args:
        said: The utterance.
    """

    def __init__(self, said: Said) -> None:
        self.said, self.references, self.kb = said, said.references, said.kb
        self.request = Request(occurrences=said.cues.occurrences,
                               both=said.cues.says_both(said.forms))
        self.times: list[Form] = []
        self.then = Form("then")
        self.named: list[Named] = []
        self.misplaced = False

    def _set(self, **values: Any) -> None:
        self.request = replace(self.request, **values)

    def _add(self, name: str, values: Sequence[Any]) -> None:
        self._set(**{name: tuple(dict.fromkeys((*getattr(self.request, name), *values)))})

    def _left_out(self, form: Form) -> None:
        """Nothing is made of a part of what is wanted."""
        self._add("left_out", [words_of(form)])

    def _roles(self, roles: Sequence[Form]) -> None:
        """Read the roles of one request, which has one title and one place."""
        heads = {each.head for each in roles}
        for number, role in enumerate(roles):
            later = {words_of(each) for each in roles[number + 1:] if each.head == role.head}
            outdone = any(role.spans()) and any(later - {words_of(role)}) \
                if role.head in ("title", "venue") else _OUTDONE.get(role.head) in heads
            if outdone:
                self._left_out(role)
            else:
                self._role(role)

    def _role(self, role: Form) -> None:
        if role.head in TIME_ROLES:
            self.times.append(Form(role.head, (self.then,)) if role == THEN else role)
        elif role.head == "title":
            self._title(role)
        elif role.head == "note":
            self._note(role)
        elif role.head in ("attendee", "host"):
            self._attendee(role.inner()[0], hosts=role.head == "host")
            if role.head == "host":
                self._host(role.inner()[0])
        elif role.head == "venue":
            self._venue(role.inner()[0])
        elif role.head == "private":
            self._set(private=True)
        elif role.head == "online":
            self._set(no_room=True)
        elif role.head == "recurs":
            self._set(repeated=words_of(role), occurrences="all")
        elif role.head == "unwanted":
            self._unwanted(role.inner()[0])
        elif role.head == "instead":
            wanted, unwanted = role.inner()
            if wanted == unwanted and wanted.head == "attendee":
                return  # who comes for whom is not clear
            if unwanted.head in TIME_ROLES:
                self.times = [each for each in self.times if each != unwanted]
            self._role(wanted)
            if unwanted.head == "attendee":
                self._unwanted(unwanted)

    def _title(self, form: Form) -> None:
        """What an event is to be called."""
        self._set(title=self.said.cues.as_title(next(form.spans(), Span(""))))

    def _note(self, role: Form) -> None:
        """What an event is about: what a new one is called that has no name."""
        last = self.said.last if self.said.last is not None and self.said.last.is_open else None
        begins = self.request.begins or (last.kind if last is not None else None)
        named = self.request.title or (last is not None and not self.request.begins and last.title)
        if begins is ActionKind.CREATE and not named:
            self._title(role)
        else:
            self._left_out(role)

    def _event(self, form: Form) -> None:
        """Which events are meant; what is only told by its time may be what is arranged."""
        if self._is_arranged(form):
            return
        found = self.references.events(form)
        if self.request.both and len(found.events) > 2 and form.head != "and":
            found = replace(found, events=(), options=found.events)
        if found.options:
            self._clear_left_out(form.inner() if form.head == "and" else ())
        self._set(events=found.events, options=found.options, names_event=found.named,
                  misnamed=found.misnamed)

    def _clear_left_out(self, forms: Sequence[Form]) -> None:
        """Leave out the events that are clear, of several of which another is asked for."""
        for each in forms:
            if self.references.events(each).events:
                self._left_out(each)

    def _is_arranged(self, form: Form) -> bool:
        """Whether an event with no name is the new one, to which something is to be added: "put
        Bo in the meeting tomorrow"."""
        last, times = self.said.last, form.inner()
        if self.request.begins is not ActionKind.CHANGE or last is None or not last.is_open \
                or last.kind is not ActionKind.CREATE or last.interrupted \
                or form.head != "event" or last.time.day is None or not times \
                or len(times) < len(form.arguments) \
                or not all(each.is_of(Sort.TIME) for each in times):
            return False
        said = RequestTimes(self.said, Request()).read([Form("time", (each,)) for each in times])
        return any(each.day in (None, last.time.day) and each.start in (None, last.time.start)
                   and not each.until_day for each in said.times)

    def _unwanted(self, role: Form) -> None:
        if role.head == "attendee":
            for each in self._people(role.inner()[0]):
                gone = [*each.people, *self._members(each)]
                # Whom the same utterance wanted it wants no more; a group may still bring them.
                wanted = () if self.request.wishes else self.request.invited
                self._add("removed", [one for one in gone if one not in wanted])
                self._leave_out("invited", gone)
                self._leave_out("wishes", [GroupWish(group) for group in each.groups])
                self._unclear(each, unwanted=True)
            if role.inner()[0].head == "me" and self.references.user is not None:
                self._add("removed", [self.references.user])
        elif role.head == "venue":
            last = self.said.last
            books = last is not None and last.is_open and last.kind is ActionKind.CREATE
            rooms = self._rooms_not_wanted(role.inner()[0])
            unknown = next((each.text for each in role.spans()), "") if not rooms else ""
            changed = [self.kb.events[each].location for each in self.request.events]
            if self.request.room in rooms or role.inner()[0] == Form("room"):
                self._set(room="", wants_room=False)
            if rooms and (books or self.request.begins is ActionKind.CREATE):
                self._add("avoided", rooms)
            elif unknown:
                self._set(room_unclear=unknown)
            elif not rooms or not changed or any(each in rooms for each in changed):
                self._set(no_room=True)
        elif role.head == "private":
            self._set(private=False)
        elif role.head in TIME_ROLES:
            self.times = [each for each in self.times if each != role]
            self.times.append(Form("unwanted", (role,)))

    def _rooms_not_wanted(self, form: Form) -> tuple[str, ...]:
        """Ids of the rooms that are not wanted; "that" is the one that was proposed."""
        last = self.said.last
        if form.head == "that" and last is not None and last.is_open:
            return tuple(each for each in (last.room, *last.offered) if each in self.kb.rooms)
        return self.references.rooms(form) if form.arguments else ()

    def _attendee(self, form: Form, *, hosts: bool = False) -> None:
        for each in self._people(form):
            before = self.request
            self._add("invited", each.people)
            self._leave_out("removed", each.people)
            if each.excepted:
                self._add("invited", self._members(each))
                # Of a group that is not known yet they are to be left out once it is.
                self._add("removed", [] if each.groups else self._not_there(each.excepted))
            else:
                self._add("wishes", [GroupWish(group) for group in each.groups])
            self._some_of(each.some)
            self._unclear(each, hosts=hosts)
            self._name(each, before)

    def _people(self, form: Form) -> list[MeantPeople]:
        """Whom a reference means; a part of it that means nobody is left out."""
        found: list[MeantPeople] = []
        for part in form.inner() if form.head == "and" else [form]:
            people = self.references.people(part)
            if not people and part.head not in SPEAKERS \
                    and (self.request.begins is not ActionKind.MESSAGE or any(part.spans())):
                self._left_out(part)  # of a message it is asked for whom it is
            found += people
        return found

    def _name(self, meant: MeantPeople, before: Request) -> None:
        """Keep that somebody is wanted; the user is anyway."""
        if meant != MeantPeople():
            self.named.append(Named(meant, before, self.request))

    def _take_back(self, kept: int) -> None:
        """Want only so many of those who were named, the first of them."""
        for named in reversed(self.named[kept:]):
            for each in _WHO:
                before, after = getattr(named.before, each), getattr(named.after, each)
                self._leave_out(each, [one for one in after if one not in before])
                self._add(each, [one for one in before if one not in after])
        del self.named[kept:]

    def _some_of(self, groups: Sequence[str]) -> None:
        """One more of each of some groups."""
        for group in groups:
            number = next((each.number for each in self.request.wishes
                           if each.group == group and each.number), 0)
            self._leave_out("wishes", [GroupWish(group, number)] if number else [])
            self._add("wishes", [GroupWish(group, number + 1)])

    def _not_there(self, people: Sequence[str]) -> list[str]:
        """Those who take part in none of the events that are meant, the user aside."""
        last = self.said.last
        pending = last.events if last is not None and last.is_open else ()
        there = {person for each in (self.request.events or pending) if each in self.kb.events
                 for person in self.kb.events[each].participants()}
        return [each for each in people if each not in there and each != self.references.user]

    def _leave_out(self, name: str, values: Sequence[Any]) -> None:
        self._set(**{name: tuple(each for each in getattr(self.request, name)
                                 if each not in values)})

    def _host(self, form: Form) -> None:
        found = self.references.people(form)
        meant = [person for each in found for person in each.people]
        if form.head == "me" or found == [MeantPeople()]:  # who gives their own name
            meant = [self.references.user or "me"]
        self._set(hosted=True, host=meant[0] if len(meant) == 1 else "")

    def _recipient(self, form: Form) -> None:
        for each in self._people(form):
            before = self.request
            self._add("recipients", [*each.people, *self._members(each)])
            self._unclear(each)
            self._name(each, before)

    def _members(self, meant: MeantPeople) -> list[str]:
        """Ids of the members of groups, without those who are left out and the user."""
        return [person.id for group in meant.groups for person in self.kb.members(group)
                if person.id not in (self.references.user, *meant.excepted)]

    def _unclear(self, meant: MeantPeople, *, unwanted: bool = False,
                 hosts: bool = False) -> None:
        if meant.said or meant.options:
            self._add("unclear", [UnclearName(meant.said, meant.options, meant.known,
                                              meant.a_group, unwanted, hosts)])

    def _room_stays(self) -> bool:
        """Whether "that room" is where the events are that are changed: no other is in play."""
        last = self.said.last
        return self.request.begins is None and last is not None and last.is_open \
            and last.kind is ActionKind.CHANGE and not last.interrupted \
            and not (last.room or last.wants_room) \
            and self.kb.rooms.keys().isdisjoint(last.offered)

    def _where_it_is(self) -> tuple[str, ...]:
        """Id of the room of the events that are changed, where all are in one."""
        last = self.said.last
        rooms = {self.kb.events[each].location for each in (last.events if last else ())
                 if each in self.kb.events} - {None}
        return tuple(each for each in rooms if each) if len(rooms) == 1 else ()

    def _venue(self, form: Form) -> None:
        # That it is to be free at the time of the event goes without saying.
        form = Form(form.head, tuple(each for each in form.arguments if not (
            isinstance(each, Form) and each.head == "is_free")))
        self._set(no_room=False)
        if form.head == "room" and not form.arguments:
            return self._set(wants_room=True)
        rooms = self.references.rooms(form)
        last = self.said.last
        if form.head == "and":  # it is in one room
            for each in form.inner()[1:]:
                self._left_out(each)
            rooms = rooms[:1]
        if form == Form("that") and not self.said.together and (
                last is None or not last.is_open):  # "book that"
            rooms = tuple(each for each in rooms if each in self.said.asked_about())
        elif form == Form("that") and self._room_stays():
            rooms = self._where_it_is()
        bookable = [each.id for each in self.kb.bookable_rooms()]
        if len(rooms) == 1:
            return self._set(room=rooms[0])
        if any(each in bookable for each in rooms):
            self._add("avoided", [each for each in bookable if each not in rooms])
            return self._set(wants_room=True)
        words = [each.text for each in form.spans()]
        if form.head == "that" or (form.head in ANAPHORS and not form.arguments):
            self.misplaced = True
            return None  # what was spoken of is no room
        return self._set(room_unclear=words[0]) if words else self._set(wants_room=True)
