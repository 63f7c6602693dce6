"""``frontdesk chat``: a conversation at the terminal, or line by line through pipes."""

from __future__ import annotations

import argparse
import json
import os
import sys
from typing import Any

from frontdesk.agent.cli.command_options import stdin_lines, write_line
from frontdesk.agent.cli.conversation import Conversation
from frontdesk.agent.domains.domain_pack import Loaded
from frontdesk.agent.domains.domain_registry import given_sources, load_domain, pack_named
from frontdesk.agent.sessions.load_agent import load_agent, rule_warnings
from frontdesk.agent.sessions.load_components import with_house
from frontdesk.agent.sessions.saved_dialogues import check_writable
from frontdesk.agent.settings.load_settings import load_settings
from frontdesk.agent.settings.settings import Settings
from frontdesk.agent.turn.explain_reply import explain_lines
from frontdesk.kg.graph.errors import FrontdeskError, InputError


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
    for warning in (*loaded.warnings, *rule_warnings(with_house(settings, loaded.house)[0])):
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
            (pack.saved, "cannot save its dialogues", ("save", "resume"))):
        for name in names if able is None else ():
            if value := getattr(options, name):
                raise InputError(f"the domain {pack.name} {what}",
                                 place=f"--{name.replace('_', '-')} {value}",
                                 remedy="Leave the option out")


def _run_pipe(options: argparse.Namespace, settings: Settings, loaded: Loaded[Any]) -> int:
    agent = load_agent(settings, loaded, options.calendar)
    try:
        conversation = Conversation(agent, options)
        for line in stdin_lines():
            if line.strip() in ("/quit", "/exit"):
                break
            output = _answer_line(conversation, line, options)
            if output is not None:
                write_line(output)
        conversation.save()
    finally:
        agent.close()
    return 0


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
