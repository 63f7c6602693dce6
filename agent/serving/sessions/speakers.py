"""Who speaks: whom a caller may name, and whose sessions it may go on with."""

from __future__ import annotations

from frontdesk.agent.access.access_rights import VISITOR, check_role
from frontdesk.agent.serving.auth.api_keys import Caller
from frontdesk.agent.serving.sessions.current_agent import CurrentAgent
from frontdesk.agent.serving.sessions.session_store import StoredSession
from frontdesk.kg.graph.errors import InputError


class Speakers:
    """The people of the organisation as those who speak."""

    def __init__(self, current: CurrentAgent) -> None:
        self._current = current

    def person(self, caller: Caller, named: str | None) -> str | None:
        """Id of the person who speaks: the caller, or the one with an id or e-mail address.

        Raises:
            InputError: There is nobody with it, the caller may not say who speaks or is somebody
                else, or its role is no visitor's and it names nobody.
        """
        if caller.person is not None:
            person = self._found(caller.person)
            if named is not None and self._found(named) != person:
                raise InputError("this token is another person's than the speaker",
                                 remedy="Leave the speaker out")
        elif named is None:
            person = None
        elif not caller.vouches:
            raise InputError("this key may not say who speaks",
                             remedy="Use one that vouches, or leave the speaker out")
        else:
            person = self._found(named)
        check_role(caller.role, person)
        return person

    def check_reader(self, caller: Caller, session: StoredSession) -> None:
        """Nobody reads what was said to somebody for whom the caller does no longer vouch.

        Raises:
            InputError: The session is one of somebody else.
        """
        if session.speaker is not None and (
                caller.role == VISITOR or (caller.person is None and not caller.vouches)):
            raise _not_vouched()

    def check_speaker(self, caller: Caller, session: StoredSession) -> None:
        """Nobody speaks for whom the caller does not, or does no longer, vouch.

        Raises:
            InputError: The session is one of somebody else.
        """
        if self.person(caller, session.speaker if caller.vouches else None) != session.speaker:
            raise _not_vouched()

    def check_named(self, caller: Caller, session: StoredSession, named: str | None) -> None:
        """A session goes on with whom the caller names, if anybody.

        Raises:
            InputError: It is held with somebody else; see also :meth:`person`.
        """
        if named is not None and self.person(caller, named) != session.speaker:
            raise InputError("the session is held with another speaker",
                             remedy="Make another one, or leave the speaker out")

    def _found(self, named: str) -> str:
        """Id of the person with an id or e-mail address."""
        agent = self._current.at_last()
        people = agent.domain.pack.people
        found = [each.id for each in (people(agent.kb) if people is not None else {}).values()
                 if named and (named == each.id or named.casefold() == each.email.casefold())]
        if len(found) > 1:
            raise InputError(f"{len(found)} people have the address {named!r}",
                             remedy="Give the id of one of them")
        if not found:
            raise InputError(f"there is nobody with the address or id {named!r}",
                             remedy="Give the e-mail address of one of the organisation's people")
        return found[0]


def _not_vouched() -> InputError:
    return InputError("the session is held with somebody for whom this key does not vouch",
                      remedy="Make another one")
