"""What ``frontdesk.agent`` offers to other programs."""

from __future__ import annotations

import doctest
import inspect
import subprocess
import sys
import warnings

import pdoc.doc
import pdoc.render
import pytest

import frontdesk.agent

DOOR = frontdesk.agent.__all__


def test_all_that_is_promised_can_be_imported():
    namespace = {}
    exec("from frontdesk.agent import *", namespace)
    assert {*DOOR} <= {*namespace}
    assert {*DOOR} <= {*dir(frontdesk.agent)}


def test_other_names_are_not_there():
    with pytest.raises(AttributeError, match="has no attribute 'load_nothing'"):
        frontdesk.agent.load_nothing  # noqa: B018


def test_all_that_is_promised_is_described_on_the_api_page():
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        pdoc.render.configure(docformat="google")
        page = pdoc.render.html_module(pdoc.doc.Module(frontdesk.agent), all_modules={})
    for name in DOOR:
        assert f'id="{name}"' in page
        assert inspect.getdoc(getattr(frontdesk.agent, name))


def test_the_example_is_right():
    result = doctest.testmod(frontdesk.agent)
    assert (result.failed, result.attempted) == (0, 4)


def test_looking_at_the_door_loads_nothing():
    heavy = "import sys, frontdesk.agent; print({'torch', 'numpy'} & {*sys.modules})"
    done = subprocess.run([sys.executable, "-c", heavy], capture_output=True, text=True,
                          timeout=60, check=True)
    assert done.stdout == "set()\n"
