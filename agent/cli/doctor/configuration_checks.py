"""What the user wrote: settings, rules, the organisation and the keys."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Sequence
from pathlib import Path

from frontdesk.agent.calendars.open_calendar import PASSWORD, PASSWORD_FILE
from frontdesk.agent.cli.doctor.finding import Finding, Subject, skipped, warning
from frontdesk.agent.serving.auth.api_keys import load_keys
from frontdesk.agent.serving.serve_options import check_reach
from frontdesk.agent.sessions.load_agent import rule_warnings
from frontdesk.agent.sessions.load_components import with_house
from frontdesk.agent.settings.settings_reference import keys_of_settings, sources, variable_of
from frontdesk.kg.graph.optional_packages import import_extra
from frontdesk.kg.sources.house_documents import EMPLOYEES

_VARIABLES = frozenset({"FRONTDESK_DEBUG", "FRONTDESK_DATA", PASSWORD, PASSWORD_FILE})
#: Letters of a key of which nobody need be afraid that it is guessed.
_LONG_KEY = 32


def settings(subject: Subject) -> Sequence[Finding]:
    """Whether the settings and the user's own rules are right."""
    loaded = subject.loaded_settings = subject.options.settings()
    changed = sources(subject.options.config, subject.options.profile)
    found = [Finding(f"profile {loaded.profile}; of your own: settings {len(changed)}, "
                     f"rule files {len(loaded.rules.files)}")]
    found += [warning(each, "Correct the rules if it is a slip") for each in rule_warnings(loaded)]
    known = {variable_of(key) for key in keys_of_settings()} | _VARIABLES
    unknown = sorted(each for each in os.environ
                     if each.startswith("FRONTDESK_") and each not in known)
    if unknown:
        found.append(warning(f"no setting has the environment variable {', '.join(unknown)}",
                             "Correct its name; frontdesk settings --markdown lists them"))
    return found


def organisation(subject: Subject) -> Sequence[Finding]:
    """Whether what is talked about can be loaded."""
    loaded = subject.loaded_organisation = subject.options.load()
    found = [Finding(f"{loaded.kb.name}: {loaded.pack.summary(loaded.kb)}")]
    if loaded.pack.people is not None and not loaded.pack.people(loaded.kb):
        names = " or ".join(f"--{each.name}" for each in loaded.pack.sources if each.watched)
        found.append(warning("nobody is in it", f"Check the file that {names} names"))
    return found + [warning(each, "Correct the source") for each in loaded.warnings]


def house(subject: Subject) -> Sequence[Finding]:
    """Whether what the house says of itself can be told, and its rules are right."""
    together, passages = with_house(subject.settings, subject.organisation.house)
    rules = [each for each in together.rules.files if each not in subject.settings.rules.files]
    if not passages and not rules:
        return [skipped("no house documents")]
    documents = len({each.file for each in passages})
    private = sum(each.audience == EMPLOYEES for each in passages)
    found = [Finding(f"{len(passages)} passages of {documents} documents, {private} of them for "
                     f"employees alone; rule files {len(rules)}")]
    if passages and not any(each.alarm == "" and each.audience != EMPLOYEES for each in passages):
        found.append(warning("nothing is said in an emergency but to call for help",
                             "Write a heading “Emergency” with what is to be done here"))
    return found + [warning(each, "Correct the rules if it is a slip")
                    for each in rule_warnings(together)]


def keys(subject: Subject) -> Sequence[Finding]:
    """Whether the keys can be read, by nobody but who should, and are long enough."""
    import_extra("jwt", "the service")
    from frontdesk.agent.serving.auth.tokens import load_tokens

    named = subject.settings.serve.keys
    tokens = load_tokens(subject.settings.serve)
    if not named and tokens is not None:
        return [Finding("no keys; tokens are taken in their place")]
    if not named:
        check_reach(subject.host, has_keys=False)
        return [skipped("no keys: whoever reaches the port on this machine may call")]
    path = Path(named)
    load_keys(path)
    lengths = [len(entry["key"]) for entry in tomllib.loads(path.read_text("utf-8")).values()
               if "key" in entry]
    found = [Finding(f"{len(lengths)} in {path}" +
                     (f", the shortest of {min(lengths)} characters" if lengths else ""))]
    if lengths and min(lengths) < _LONG_KEY:
        found.append(warning(f"a key has fewer than {_LONG_KEY} characters",
                             "Use a random one: openssl rand -base64 32"))
    mode = path.stat().st_mode & 0o777
    if mode & 0o077:
        found.append(warning(f"others on this machine may use the file (mode {mode:o})",
                             f"chmod 600 {path}"))
    return found
