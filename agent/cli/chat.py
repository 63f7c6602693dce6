"""``frontdesk chat``: a conversation at the terminal, or line by line through pipes."""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

from frontdesk.agent.domains.domain_pack import DomainPack, Loaded
from frontdesk.agent.domains.domain_registry import given_sources, load_domain, pack_named
from frontdesk.agent.domains.load_organisation import zone_named
from frontdesk.agent.sessions.load_agent import load_agent, rule_warnings
from frontdesk.agent.settings.settings import Settings, load_settings
from frontdesk.agent.training.saved_runs import check_writable, load_saved, save_dialogue
from frontdesk.agent.turn.explain_reply import explain_lines, facts_lines, why_lines
from frontdesk.agent.turn.reply import Reply
from frontdesk.kg.graph.errors import FrontdeskError, InputError
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
        agent: Answers.
        options: Of the command: who speaks, which dialogue is gone on with, where it is saved.

    Raises:
        InputError: Nobody is called as the options say, or the dialogue cannot be gone on with.
    """

    def __init__(self, agent: Agent, options: argparse.Namespace) -> None:
        self.agent, self._saved_in = agent, options.save
        graph = load_saved(options.resume)[0] if options.resume is not None else None
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
        if self._saved_in is not None and self.pack.dump is not None:
            save_dialogue(self._saved_in, self.session.graph, self.kb, self.pack.dump)

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


def run_chat(options: argparse.Namespace) -> int:
    """Hold a conversation as the options say.

    Raises:
        FrontdeskError: The domain or the profile's components cannot be loaded.
    """
    if options.save is not None:
        check_writable(options.save)
    settings = load_settings(options.config, profile=options.profile)
    _check_abilities(options)
    loaded = load_domain(options.domain, given_sources(options))
    for warning in (*loaded.warnings, *rule_warnings(settings)):
        sys.stderr.write(f"frontdesk: {warning}\n")
    if sys.stdin.isatty() and sys.stdout.isatty():
        from frontdesk.agent.cli.terminal import run_terminal

        return run_terminal(options, settings, loaded)
    return _run_pipe(options, settings, loaded)


def _check_abilities(options: argparse.Namespace) -> None:
    """Options are for domains that can do what they ask for.

    Raises:
        InputError: The domain cannot.
    """
    pack = pack_named(options.domain)
    for able, what, names in (
            (pack.actions, "has nothing that can be changed", ("calendar",)),
            (pack.people, "knows nobody who speaks", ("user", "user_timezone")),
            (pack.dump, "cannot save its dialogues", ("save", "resume"))):
        for name in names if able is None else ():
            if value := getattr(options, name):
                raise InputError(f"the domain {pack.name} {what}",
                                 place=f"--{name.replace('_', '-')} {value}",
                                 remedy="Leave the option out")


def load_in_background(settings: Settings, loaded: Loaded[Any],
                       calendar: str) -> Future[Agent]:
    """Start loading the agent while the user reads and types."""
    pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="load")
    future = pool.submit(load_agent, settings, loaded, calendar)
    pool.shutdown(wait=False)
    return future


def _run_pipe(options: argparse.Namespace, settings: Settings, loaded: Loaded[Any]) -> int:
    agent = load_agent(settings, loaded, options.calendar)
    try:
        conversation = Conversation(agent, options)
        for line in _lines():
            if line.strip() in ("/quit", "/exit"):
                break
            output = _answer_line(conversation, line, options)
            if output is not None:
                sys.stdout.write(output + "\n")
                sys.stdout.flush()
        conversation.save()
    finally:
        agent.close()
    return 0


def _lines() -> Iterator[str]:
    """The lines of standard input; bytes that are no UTF-8 are replaced."""
    for raw in sys.stdin.buffer:
        yield raw.decode("utf-8", errors="replace").rstrip("\r\n")


def _answer_line(conversation: Conversation, line: str,
                 options: argparse.Namespace) -> str | None:
    """What a line of input is answered with; None for nothing. Never ends the conversation."""
    try:
        if line.startswith("/"):
            result = conversation.command(line)
            if not result["lines"]:
                return None
            if options.json:
                return json.dumps({"command": line.split()[0], **result}, ensure_ascii=False)
            return _one_line("; ".join(result["lines"]))
        reply = conversation.say(line)
    except FrontdeskError as error:
        sys.stderr.write(f"frontdesk: {error}\n")
        text = f"Sorry: {error}"
        return json.dumps({"text": text, "error": str(error)}) if options.json else _one_line(text)
    except Exception as error:
        # One bad line must not end the conversation.
        if os.environ.get("FRONTDESK_DEBUG"):
            raise
        sys.stderr.write(f"frontdesk: internal error: {error!r}. Set FRONTDESK_DEBUG=1 to see "
                         "where, and please report it.\n")
        text = "I'm sorry, something went wrong on my side. Please try again in other words."
        return json.dumps({"text": text, "error": repr(error)}) if options.json else text
    if options.json:
        return json.dumps(reply.to_dict(), ensure_ascii=False)
    for note in conversation.news(reply):
        sys.stderr.write(f"frontdesk: {note}\n")
    if options.explain:
        sys.stderr.write("\n".join(explain_lines(reply)) + "\n")
    return _one_line(reply.text)


def _one_line(text: str) -> str:
    return " ".join(text.split())


