from __future__ import annotations

import pickle

import pytest

from frontdesk.kg.graph.errors import FormatError, InputError, MissingExtraError


@pytest.mark.parametrize("error", [
    InputError("a message", remedy="a remedy"),
    FormatError("a message", place="a.json, line 3", remedy="a remedy"),
    MissingExtraError("the openai profile", "openai")])
def test_errors_travel_between_processes(error):
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error)
    assert str(again) == str(error)
    assert (again.message, again.place, again.remedy) == (
        error.message, error.place, error.remedy)
