"""The examples in docstrings do what they say."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

PACKAGES = ("kg", "rules", "scoring", "generation", "data", "agent")


def _modules():
    for package in PACKAGES:
        found = importlib.import_module(f"frontdesk.{package}")
        for module in pkgutil.walk_packages(found.__path__, f"frontdesk.{package}."):
            yield module.name


@pytest.mark.parametrize("name", [*_modules()])
def test_docstring_examples_of_the_module_are_right(name):
    result = doctest.testmod(importlib.import_module(name))
    assert result.failed == 0


def test_docstrings_have_examples_to_try():
    finder = doctest.DocTestFinder(exclude_empty=True)
    examples = sum(len(test.examples) for name in _modules()
                   for test in finder.find(importlib.import_module(name)))
    assert examples >= 10
