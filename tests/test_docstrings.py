"""The examples in docstrings do what they say."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
from importlib.util import find_spec
from pathlib import Path

import pytest

PACKAGES = ("kg", "rules", "scoring", "generation", "data", "agent")


def _modules():
    for package in PACKAGES:
        found = importlib.import_module(f"frontdesk.{package}")
        for module in pkgutil.walk_packages(found.__path__, f"frontdesk.{package}."):
            yield module.name


def _with_examples():
    return [name for name in _modules() if ">>>" in Path(find_spec(name).origin).read_text()]


@pytest.mark.parametrize("name", _with_examples())
def test_docstring_examples_of_the_module_are_right(name):
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_every_module_can_be_imported_and_some_have_examples_to_try():
    for name in _modules():
        importlib.import_module(name)
    assert len(_with_examples()) >= 10
