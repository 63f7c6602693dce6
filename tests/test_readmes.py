"""What the READMEs promise: that commands exist, links lead somewhere, and examples run."""

from __future__ import annotations

import contextlib
import io
import itertools
import json
import re
import shlex
import tomllib
from pathlib import Path

import pytest

from frontdesk.agent.cli import main
from frontdesk.kg.sources.import_json import load_json
from frontdesk.rules.house_rules.rule_files import load_user_rules

ROOT = Path(__file__).parent.parent
FOLDERS = ("agent", "rules", "kg", "scoring", "generation", "data", "benchmarks")
PAGES = {str(page.relative_to(ROOT)): page for page in [ROOT / "README.md", *sorted(
    page for folder in FOLDERS for page in (ROOT / folder).rglob("*.md"))]}
#: What somebody reads who has five minutes.
MOST_BYTES = 8192

every_page = pytest.mark.parametrize("page", PAGES)


def blocks(page, language):
    """The code blocks of a page in a language."""
    return re.findall(rf"^```{language}\n(.*?)^```", PAGES[page].read_text(encoding="utf-8"),
                      re.MULTILINE | re.DOTALL)


def commands(page):
    """The words after ``frontdesk`` on every line of shell that a page shows."""
    shown = [*blocks(page, "sh"), *("\n".join(re.findall(
        r"(?:^\$ |\| )(frontdesk .*)$", block, re.MULTILINE)) for block in blocks(page, "text"))]
    for block in shown:
        lexer = shlex.shlex(re.sub(r"\\\n|(?:^|\s)#.*", " ", block), posix=True,
                            punctuation_chars="|;&\n")
        lexer.whitespace, lexer.whitespace_split, lexer.commenters = " \t", True, ""
        for ends, words in itertools.groupby(lexer, lambda word: not word.strip("|;&\n")):
            line = [*itertools.dropwhile(lambda word: re.match(r"[A-Z_]+=", word), words)]
            if not ends and line and line[0] == "frontdesk":
                yield line[1:]


def mistake(words):
    """What the command line finds wrong in a command; empty if nothing."""
    said = io.StringIO()
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(said):
            main._parser().parse_args(main.named_by_model(words))
    except SystemExit:  # after --help too, which says nothing on standard error
        return said.getvalue()
    return ""


def test_the_readme_is_short():
    assert PAGES["README.md"].stat().st_size <= MOST_BYTES


@every_page
def test_the_command_line_knows_every_command_that_is_shown(page):
    wrong = {shlex.join(words): what for words in commands(page) if (what := mistake(words))}
    assert wrong == {}


def test_commands_are_found_and_mistakes_in_them():
    assert "invalid choice: 'chatter'" in mistake(["chatter"])
    assert ["serve", "--org", "acme.json"] in [*commands("README.md")]
    assert ["chat", "--now", "2026-03-17T09:40", "--timezone", "Europe/Oslo"] in [
        *commands("agent/acting/README.md")]


@every_page
def test_every_link_leads_somewhere(page):
    text = re.sub(r"^```.*?^```", "", PAGES[page].read_text(encoding="utf-8"),
                  flags=re.MULTILINE | re.DOTALL)
    targets = [PAGES[page].parent / target for target in re.findall(r"\]\(([^)#]+)[^)]*\)", text)
               if not re.match(r"\w+:", target)]
    targets += [ROOT / name for name in re.findall(r"python (benchmarks/\w+\.py)", text)]
    assert [target for target in targets if not target.exists()] == []


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page, "python")])
def test_examples_in_python_run(page, capsys):
    for block in blocks(page, "python"):
        exec(block, {"__name__": page})  # an example stands by itself
    printed = capsys.readouterr().out
    assert ("The roadmap interview is tomorrow" in printed) == (page == "README.md")


def test_the_readme_uses_nothing_but_the_public_door():
    imported = re.findall(r"(?:from|import) (frontdesk[\w.]*)", "".join(
        blocks("README.md", "python")))
    assert {*imported} == {"frontdesk.agent"}


def test_the_organisation_that_is_shown_can_be_read(tmp_path):
    [shown] = blocks("kg/sources/README.md", "json")
    file = tmp_path / "acme.json"
    file.write_text(shown, encoding="utf-8")
    read = load_json(file)
    kb = read.build()
    assert read.warnings == []
    assert (len(kb.people), len(kb.events)) == (2, len(json.loads(shown)["events"]))


def test_the_house_rules_that_are_shown_are_right(tmp_path):
    page = "rules/house_rules/README.md"
    [settings], [rules] = blocks(page, "toml"), blocks(page, "prolog")
    [name] = tomllib.loads(settings)["rules"]["files"]
    file = tmp_path / name
    file.write_text(rules, encoding="utf-8")
    assert load_user_rules([str(file)]).warnings == ()
