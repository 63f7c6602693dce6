"""Who may be told what, as ``access.pl`` decides.

What somebody may not be told is out of reach before anything is said: hidden events are known by
no name, no mention is linked to them, and facts that would tell of them never reach a prompt.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from frontdesk.agent.access.hidden_events import masked_events
from frontdesk.agent.settings.settings import AccessSettings
from frontdesk.kg.graph.entities import Person
from frontdesk.kg.graph.errors import InputError
from frontdesk.kg.graph.facts import Fact
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.rules.engine.inference import FactSlice, PlainFact, shipped_program

RULES = "access.pl"
#: The rule of an identity that the caller of the agent vouches for.
BY_CALLER = "identified by the caller"
#: The attributes of people by the predicate that tells them.
_ATTRIBUTES = {"office": "office", "phone": "phone", "email": "email", "member_of": "group"}
VISITOR, EMPLOYEE, ASSISTANT = ROLES = ("visitor", "employee", "assistant")
_VIEWER = "v"
#: Decisions that are kept; most people see the same.
_REMEMBERED = 256


def check_role(role: str | None, user: str | None) -> None:
    """Make sure that a role can be somebody's.

    Args:
        role: That the caller of the agent vouches for; None for none.
        user: Id of the person that it vouches for; None for nobody.

    Raises:
        InputError: There is no such role, a visitor is to be a person of the organisation, or an
            employee nobody.
    """
    if role is not None and role not in ROLES:
        raise InputError(f"there is no role {role!r}", remedy=f"Choose one of {', '.join(ROLES)}")
    if role == VISITOR and user is not None:
        raise InputError("a visitor is none of the organisation's people",
                         remedy="Leave the speaker out")
    if role in (EMPLOYEE, ASSISTANT) and user is None:
        raise InputError(f"nobody is named who is the {role}", remedy="Say who speaks")


@dataclass(frozen=True)
class View:
    """What somebody may be told of an organisation.

    Args:
        role: ``visitor``, ``employee`` or ``assistant``.
        hidden: Ids of the events that are hidden.
        harmless: Predicates that may be told of hidden events.
        withheld: Predicates of which nothing may be told about others.
        user: Id of the person, who is told everything about themselves; None when not known.
    """

    role: str
    hidden: frozenset[str]
    harmless: frozenset[str]
    withheld: frozenset[str]
    user: str | None = None

    @property
    def is_whole(self) -> bool:
        """Whether nothing is hidden or withheld."""
        return not self.hidden and not self.withheld

    def tells(self, fact: Fact, masked: Collection[str]) -> bool:
        """Whether a fact may be told.

        Args:
            fact: About the organisation as far as it may be told.
            masked: Ids of the events there that stand for hidden ones.
        """
        if fact.predicate in self.withheld and fact.arguments[0] != self.user:
            return False
        return fact.predicate in self.harmless or not any(
            each in masked for each in fact.entities())

    def of(self, kb: KnowledgeBase) -> KnowledgeBase:
        """The organisation as far as it may be told.

        Of hidden events it has when they take whose time, and no more. Of others' attributes that
        are withheld it knows nothing, so that nothing can be linked to them either.
        """
        people = (person if person.id == self.user else self._masked_person(person)
                  for person in kb.people.values())
        return KnowledgeBase(name=kb.name, timezone=kb.timezone, people=people,
                             groups=kb.groups.values(), rooms=kb.rooms.values(),
                             events=masked_events(kb, self.hidden))

    def _masked_person(self, person: Person) -> Person:
        nothing: dict[str, str | None] = {
            attribute: None if attribute in ("office", "group") else ""
            for predicate, attribute in _ATTRIBUTES.items() if predicate in self.withheld}
        return replace(person, **nothing) if nothing else person  # type: ignore[arg-type]


class Access:
    """Decides by the rules.

    Args:
        settings: What each role may be told.
        certified: The role that the caller of the agent vouches for; None where it follows from
            who speaks.
    """

    def __init__(self, settings: AccessSettings, certified: str | None = None) -> None:
        self.settings, self.certified = settings, certified

    @property
    def trusts_claims(self) -> bool:
        """Whether users are who they say they are; a certified visitor is nobody, whatever is said.
        """
        return self.settings.trust_claims and self.certified != VISITOR

    def as_certified(self, role: str | None) -> Access:
        """The same where the caller vouches for a role."""
        return self if role == self.certified else Access(self.settings, role)

    def view(self, kb: KnowledgeBase, user: str | None, *, certain: bool) -> View:
        """What somebody may be told.

        Args:
            user: Id of the person; None for somebody unknown.
            certain: The caller vouches for who it is; else the user only says so.
        """
        if user is not None and not certain and not self.trusts_claims:
            user = None
        role = self.role(kb.people, user)
        names = {event.id: f"x{number}" for number, event in enumerate(kb.events.values())
                 if event.private or "titles" not in self.settings.of(role)}
        hidden, harmless, withheld = _decide(tuple(self._facts(kb, role, user, names)))
        return View(role, frozenset(event for event, name in names.items() if name in hidden),
                    harmless, withheld, user)

    def role(self, people: Mapping[str, Person], user: str | None) -> str:
        """The role of a user of an organisation with some people."""
        if user is None or user not in people:
            return VISITOR
        if self.certified is not None:
            return self.certified
        mails = {each.casefold() for each in self.settings.assistants}
        return ASSISTANT if people[user].email.casefold() in mails - {""} else EMPLOYEE

    def _facts(self, kb: KnowledgeBase, role: str, user: str | None,
               names: Mapping[str, str]) -> Iterable[PlainFact]:
        yield "viewer", (_VIEWER,), 1.0
        yield "role", (_VIEWER, role), 1.0
        for each in self.settings.of(role):
            yield "shows", (role, each), 1.0
        for event_id, name in names.items():
            event = kb.events[event_id]
            yield "event", (name,), 1.0
            if event.private:
                yield "private", (name,), 1.0
            if user is not None and user in event.concerned():
                yield "takes_part", (_VIEWER, name), 1.0


@lru_cache(_REMEMBERED)
def _decide(facts: tuple[PlainFact, ...]
            ) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """The events that are hidden, what may be told of them, and what is withheld."""
    program = FactSlice(shipped_program(RULES))
    program.add(facts)
    hidden, harmless, withheld = (
        frozenset(str(each) for (each,), _ in own) for own in program.ask_all((
            ("hidden", (_VIEWER, None)), ("tells_time", (None,)), ("withholds", (_VIEWER, None)))))
    return hidden, harmless, withheld
