"""A conversation with its commands, for the terminal and for pipes."""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from frontdesk.agent.domains.domain_pack import DomainPack
from frontdesk.agent.domains.present_time import zone_named
from frontdesk.agent.sessions.saved_dialogues import load_saved, save_dialogue
from frontdesk.agent.turn.explain_reply import facts_lines, why_lines
from frontdesk.agent.turn.reply import Reply
from frontdesk.kg.graph.errors import InputError
from frontdesk.kg.graph.knowledge_graph import KnowledgeGraph

if TYPE_CHECKING:
    from frontdesk.agent.sessions.agent import Agent, Session

_COMMANDS = """\
/facts        the facts the last reply rests on, and the next most relevant
/why          links, rules, proofs, checks and timings of the last reply
/graph [FILE] draw the graph around the last reply (.html, .svg or .png)
/reset        start a new dialogue
/help         this help
/quit         leave (or Ctrl-D)"""


class Conversation:
    """A session with its commands, whatever it is shown on.

    Args:
        options: Of the command: who speaks, which dialogue is gone on with, where it is saved.

    Raises:
        InputError: Nobody is called as the options say, or the dialogue cannot be gone on with.
    """

    def __init__(self, agent: Agent, options: argparse.Namespace) -> None:
        self.agent, self._saved_in = agent, options.save
        graph = load_saved(options.resume, self.pack)[0] if options.resume is not None else None
        self._speaker = _person(self.pack, self.kb, options.user) \
            if options.user is not None else None
        self._zone = zone_named(options.user_timezone) if options.user_timezone else None
        self.session: Session = agent.session(graph, speaker=self._speaker,
                                              timezone=self._zone)
        self.last: Reply | None = None
        self._told: set[str] = set()

    @property
    def pack(self) -> DomainPack[Any]:
        """What is talked about."""
        return self.agent.domain.pack

    @property
    def kb(self) -> KnowledgeGraph:
        """What is known now."""
        return self.agent.refresh().kb

    def say(self, utterance: str) -> Reply:
        """The reply to an utterance; the dialogue is saved before it is shown."""
        self.last = self.session.reply(utterance)
        self.save()
        return self.last

    def save(self) -> None:
        """Write the dialogue if the options ask for it; the file is whole or as it was.

        Raises:
            InputError: It cannot be written.
        """
        if self._saved_in is not None:
            save_dialogue(self._saved_in, self.session.graph, self.kb, self.pack)

    def news(self, reply: Reply) -> list[str]:
        """What was left out or degraded for a reply, each said once.

        That another candidate or the facts took a reply's place is no news: users get the right
        answer then. ``/why``, ``--explain`` and ``--json`` tell it.
        """
        withheld = [reply.repaired] if reply.repaired.startswith("withheld") else []
        found = [*withheld, *reply.notes]
        fresh = [each for each in found if each not in self._told]
        self._told.update(fresh)
        return fresh

    def command(self, line: str) -> dict[str, Any]:
        """Run a slash command.

        Returns:
            ``lines`` to show, and the same as data for programs.

        Raises:
            InputError: There is no such command, or nothing to show yet.
        """
        name, _, argument = line.strip().partition(" ")
        if name == "/help":
            return {"lines": help_lines(self.pack, self.kb)}
        if name == "/reset":
            self.session, self.last = self.agent.session(
                speaker=self._speaker, timezone=self._zone), None
            return {"lines": []}
        if name not in ("/facts", "/why", "/graph"):
            raise InputError(f"there is no command {name!r}",
                             remedy="Type /help for those there are")
        if self.last is None:
            return {"lines": ["Nothing has been said yet."]}
        if name == "/facts":
            return {"lines": facts_lines(self.last), "facts": self.last.to_dict()["facts"]}
        if name == "/why":
            return {"lines": why_lines(self.last), "reply": self.last.to_dict()}
        from frontdesk.kg.pictures.draw_graph import draw

        path = Path(argument.strip()) if argument.strip() else _picture_path()
        draw(self.session.graph, self.last.kb or self.kb, self.last.turn, path)
        return {"lines": [f"wrote {path}"], "path": str(path)}


def help_lines(pack: DomainPack[Any], kb: KnowledgeGraph) -> list[str]:
    """What can be asked and done, and the commands."""
    changes = [f"{pack.actions.about}, for example: {pack.actions.example}."] \
        if pack.actions is not None else []
    return [f"Ask about {pack.about}, for example: {pack.examples(kb)[0]}", *changes,
            *_COMMANDS.splitlines()]


def _person(pack: DomainPack[Any], kb: KnowledgeGraph, named: str) -> str:
    """Id of the person with an e-mail address or a name.

    Raises:
        InputError: Nobody or more than one is meant.
    """
    people = pack.people(kb) if pack.people is not None else {}
    found = [person.id for person in people.values()
             if named.casefold() == person.email.casefold()]
    found = found or [each.id for each in kb.named(named) if each.id in people]
    if len(found) != 1:
        raise InputError(f"--user {named!r} means {len(found) or 'nobody'}"
                         f"{' people' if found else ''} of {kb.name}",
                         remedy="Give the e-mail address of one of its people")
    return found[0]


def _picture_path() -> Path:
    return Path(tempfile.mkdtemp(prefix="frontdesk-")) / "turn.html"
