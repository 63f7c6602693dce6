"""What a domain can do its pack, graph, verbaliser and linker say; nobody asks which ones they are.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from .structure import FOLDERS, ROOT

#: Classes of which each domain may have its own.
DOMAIN_CLASS = re.compile(r"(?:KnowledgeBase|FactBase|Verbaliser|Linker)$")
#: Packages of one domain each.
OF_ONE_DOMAIN = {"organisation", "acting", "calendars", "sources", "car"}


def checks(source: str) -> Iterator[str]:
    """The classes of domains that ``isinstance`` is asked for, each with its line."""
    if "isinstance(" not in source:
        return
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "isinstance":
            for name in re.findall(r"\w+", ast.unparse(node.args[1])):
                if DOMAIN_CLASS.search(name):
                    yield f"{node.lineno}: {name}"


def modules() -> list[Path]:
    return [path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.py"))
            if OF_ONE_DOMAIN.isdisjoint(path.relative_to(ROOT).parts)]


def test_no_engine_asks_which_domain_it_is_given():
    found = {str(path.relative_to(ROOT)): asked for path in modules()
             if (asked := [*checks(path.read_text(encoding="utf-8"))])}
    assert found == {}


@pytest.mark.parametrize("source", [
    "isinstance(kb, KnowledgeBase)", "x = not isinstance(a.b, (str, verbalise.Verbaliser))",
    "isinstance(linker, StringLinker | None)"])
def test_such_questions_are_found(source):
    assert [*checks(source)]
