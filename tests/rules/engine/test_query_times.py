from __future__ import annotations

from dataclasses import replace

import pytest

from frontdesk.kg.graph.windows import Window, WindowKind
from frontdesk.rules.engine.query_times import rest_of


@pytest.mark.parametrize(("start", "end"), [((4, 0), (4, 15)), ((4, 0), (5, 0))])
def test_what_comes_before_something_later_today_begins_now(at, start, end):
    window = Window(at(*start), at(*end), WindowKind.SPAN)
    assert rest_of(window, at(4, 9, 30)) == replace(window, start=at(4, 9, 30))


@pytest.mark.parametrize(("start", "end"), [
    ((2, 0), (6, 15)), ((3, 0), (4, 15)), ((4, 0), (7, 0)), ((4, 0), (4, 9)), ((4, 8), (4, 15))])
def test_a_stretch_of_several_days_or_of_the_past_stays_whole(at, start, end):
    window = Window(at(*start), at(*end), WindowKind.SPAN)
    assert rest_of(window, at(4, 9, 30)) == window
