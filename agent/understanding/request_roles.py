"""What the roles of a request say: whom, where, what it is called."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from frontdesk.agent.understanding.references import ANAPHORS, MeantPeople
from frontdesk.agent.understanding.request import Request, UnclearName
from frontdesk.agent.understanding.role_times import TIME_ROLES
from frontdesk.agent.understanding.said import Said, inner
from frontdesk.kg.english.phrases import QUOTES, without_article
from frontdesk.kg.graph.logical_forms import Form, Span
from frontdesk.kg.graph.pending_action import ActionKind, GroupWish

#: When was said last.
THEN = Form("time", (Form("then"),))


class RoleReader:
    """Reads roles into a request.

    Args:
        said: The utterance.
    """

    def __init__(self, said: Said) -> None:
        self.said, self.references, self.kb = said, said.references, said.kb
        self.request = Request(occurrences=said.occurrences)
        self.times: list[Form] = []
        self.then = Form("then")

    def _set(self, **values: Any) -> None:
        self.request = replace(self.request, **values)

    def _add(self, name: str, values: Sequence[Any]) -> None:
        self._set(**{name: tuple(dict.fromkeys((*getattr(self.request, name), *values)))})

    def _role(self, role: Form) -> None:
        if role.head in TIME_ROLES:
            self.times.append(Form(role.head, (self.then,)) if role == THEN else role)
        elif role.head == "title" or (role.head == "note" and not self.request.title):
            self._title(role)
        elif role.head in ("attendee", "host"):
            self._attendee(inner(role)[0], hosts=role.head == "host")
            if role.head == "host":
                self._host(inner(role)[0])
        elif role.head == "venue":
            self._venue(inner(role)[0])
        elif role.head == "private":
            self._set(private=True)
        elif role.head == "online":
            self._set(no_room=True)
        elif role.head == "recurs":
            self._set(repeated=True, occurrences="all")
        elif role.head == "unwanted":
            self._unwanted(inner(role)[0])
        elif role.head == "instead":
            wanted, unwanted = inner(role)
            if wanted == unwanted and wanted.head == "attendee":
                return  # who comes for whom is not clear
            self._role(wanted)
            if unwanted.head == "attendee":
                self._unwanted(unwanted)

    def _title(self, form: Form) -> None:
        """What an event is to be called: an article that is not written as a part of it is none."""
        said, text = next(form.spans(), Span("")), self.said.text
        quoted = said.start > 0 and text[said.start - 1] in QUOTES
        self._set(title=said.text if quoted else without_article(
            said.text, begins=said.start == len(text) - len(text.lstrip())))

    def _unwanted(self, role: Form) -> None:
        if role.head == "attendee":
            for each in self.references.people(inner(role)[0]):
                self._add("removed", [*each.people, *self._members(each)])
                self._unclear(each, unwanted=True)
            if inner(role)[0].head == "me" and self.references.user is not None:
                self._add("removed", [self.references.user])
        elif role.head == "venue":
            last = self.said.last
            books = last is not None and last.is_open and last.kind is ActionKind.CREATE
            rooms = self._rooms_not_wanted(inner(role)[0])
            unknown = next((each.text for each in role.spans()), "") if not rooms else ""
            changed = [self.kb.events[each].location for each in self.request.events]
            if rooms and (books or self.request.begins is ActionKind.CREATE):
                self._add("avoided", rooms)
            elif unknown:
                self._set(room_unclear=unknown)
            elif not rooms or not changed or any(each in rooms for each in changed):
                self._set(no_room=True)
        elif role.head == "private":
            self._set(private=False)
        elif role.head in TIME_ROLES:
            self.times.append(Form("unwanted", (role,)))

    def _rooms_not_wanted(self, form: Form) -> tuple[str, ...]:
        """Ids of the rooms that are not wanted; "that" is the one that was proposed."""
        last = self.said.last
        if form.head == "that" and last is not None and last.is_open:
            return tuple(each for each in (last.room, *last.offered) if each in self.kb.rooms)
        return self.references.rooms(form) if form.arguments else ()

    def _attendee(self, form: Form, *, hosts: bool = False) -> None:
        for each in self.references.people(form):
            self._add("invited", each.people)
            if each.excepted:
                self._add("invited", self._members(each))
            else:
                self._add("wishes", [GroupWish(group) for group in each.groups])
            self._add("wishes", [GroupWish(group, 1) for group in each.some])
            self._unclear(each, hosts=hosts)

    def _host(self, form: Form) -> None:
        found = self.references.people(form)
        meant = [person for each in found for person in each.people]
        if form.head == "me" or found == [MeantPeople()]:  # who gives their own name
            meant = [self.references.user or "me"]
        self._set(hosted=True, host=meant[0] if len(meant) == 1 else "")

    def _recipient(self, form: Form) -> None:
        for each in self.references.people(form):
            self._add("recipients", [*each.people, *self._members(each)])
            self._unclear(each)

    def _members(self, meant: MeantPeople) -> list[str]:
        """Ids of the members of groups, without those who are left out and the user."""
        return [person.id for group in meant.groups for person in self.kb.members(group)
                if person.id not in (self.references.user, *meant.excepted)]

    def _unclear(self, meant: MeantPeople, *, unwanted: bool = False,
                 hosts: bool = False) -> None:
        if meant.said or meant.options:
            self._add("unclear", [UnclearName(meant.said, meant.options, meant.known,
                                              meant.a_group, unwanted, hosts)])

    def _venue(self, form: Form) -> None:
        # That it is to be free at the time of the event goes without saying.
        form = Form(form.head, tuple(each for each in form.arguments if not (
            isinstance(each, Form) and each.head == "is_free")))
        if form.head == "room" and not form.arguments:
            return self._set(wants_room=True)
        rooms = self.references.rooms(form)
        last = self.said.last
        if form == Form("that") and not self.said.together and (
                last is None or not last.is_open):  # "book that"
            rooms = tuple(each for each in rooms if each in self.said.asked_about())
        bookable = [each.id for each in self.kb.bookable_rooms()]
        if len(rooms) == 1:
            return self._set(room=rooms[0])
        if any(each in bookable for each in rooms):
            self._add("avoided", [each for each in bookable if each not in rooms])
            return self._set(wants_room=True)
        words = [each.text for each in form.spans()]
        if form.head == "that" or (form.head in ANAPHORS and not form.arguments):
            return None  # what was spoken of is no room
        return self._set(room_unclear=words[0]) if words else self._set(wants_room=True)
