"""The conversation at a terminal: editing, history, a spinner, colours."""

from __future__ import annotations

import argparse
import os
import sys
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from platformdirs import user_state_path
from prompt_toolkit import PromptSession
from prompt_toolkit.auto_suggest import AutoSuggestFromHistory
from prompt_toolkit.completion import WordCompleter
from prompt_toolkit.formatted_text import HTML
from prompt_toolkit.history import FileHistory, History, InMemoryHistory
from prompt_toolkit.patch_stdout import patch_stdout
from rich.console import Console
from rich.text import Text

from frontdesk.agent.cli.conversation import Conversation
from frontdesk.agent.domains.domain_pack import Loaded
from frontdesk.agent.sessions.load_agent import load_agent
from frontdesk.agent.settings.settings import Settings
from frontdesk.agent.turn.explain_reply import explain_lines
from frontdesk.kg.graph.errors import FrontdeskError

if TYPE_CHECKING:
    from frontdesk.agent.sessions.agent import Agent

COMMANDS = ("/facts", "/why", "/graph", "/reset", "/help", "/quit")


def run_terminal(options: argparse.Namespace, settings: Settings,
                 loaded: Loaded[Any]) -> int:
    """Hold a conversation until the user leaves."""
    console = Console(highlight=False)
    loading = _load_in_background(settings, loaded, options.calendar)
    _welcome(console, loaded)
    prompt: PromptSession[str] = PromptSession(
        history=_history(), auto_suggest=AutoSuggestFromHistory(),
        completer=WordCompleter(COMMANDS, sentence=True), complete_while_typing=False)
    conversation: Conversation | None = None
    while True:
        try:
            with patch_stdout():
                line = prompt.prompt(HTML("<b><ansicyan>you ›</ansicyan></b> ")).strip()
        except KeyboardInterrupt:
            continue  # Ctrl-C gives up the line
        except EOFError:
            break
        if line in ("/quit", "/exit"):
            break
        if not line:
            continue
        conversation = conversation or Conversation(_agent(console, loading), options)
        _answer(console, conversation, line, options)
    if conversation is not None:
        conversation.save()
        conversation.agent.close()
    console.print(Text("Goodbye.", style="dim"))
    sys.stdout.flush()
    return 0


def _load_in_background(settings: Settings, loaded: Loaded[Any], calendar: str) -> Future[Agent]:
    """Start loading the agent while the user reads and types."""
    pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="load")
    future = pool.submit(load_agent, settings, loaded, calendar)
    pool.shutdown(wait=False)
    return future


def _agent(console: Console, loading: Future[Agent]) -> Agent:
    if loading.done():
        return loading.result()
    with console.status("loading the models …", spinner="dots"):
        return loading.result()


def _welcome(console: Console, loaded: Loaded[Any]) -> None:
    kb, pack = loaded.kb, loaded.pack
    console.print(Text("frontdesk", style="bold cyan"), Text(f"· {kb.name}", style="bold"))
    console.print(Text(pack.summary(kb), style="dim"))
    console.print(Text(f"Try: {'  ·  '.join(pack.examples(kb))}", style="dim"))
    console.print(Text("/help for commands, Ctrl-D to leave\n", style="dim"))


def _answer(console: Console, conversation: Conversation, line: str,
            options: argparse.Namespace) -> None:
    try:
        if line.startswith("/"):
            for text in conversation.command(line)["lines"]:
                console.print(Text(text, style="dim"))
            return
        with console.status("thinking …", spinner="dots"):
            reply = conversation.say(line)
    except FrontdeskError as error:
        console.print(Text(f"Sorry: {error}", style="red"))
        return
    except KeyboardInterrupt:
        console.print(Text("stopped", style="dim"))
        return
    except Exception as error:
        # One bad line must not end the conversation.
        if os.environ.get("FRONTDESK_DEBUG"):
            raise
        console.print(Text(f"Something went wrong on my side: {error!r}. Set FRONTDESK_DEBUG=1 "
                           "to see where, and please report it.", style="red"))
        return
    if options.json:
        console.print_json(data=reply.to_dict())
        return
    console.print(Text("frontdesk › ", style="bold green"), Text(reply.text), sep="")
    for note in conversation.news(reply):
        console.print(Text(f"  {note}", style="dim italic"))
    if options.explain:
        for text in explain_lines(reply):
            console.print(Text("  " + text, style="dim"))


def _history() -> History:
    path = user_state_path("frontdesk") / "history"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch(mode=0o600)
    except OSError:
        return InMemoryHistory()
    return FileHistory(str(path))
