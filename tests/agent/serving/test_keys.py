"""Keys of those who may call."""

from __future__ import annotations

import pytest

from frontdesk.agent.serving.keys import bearer, load_keys
from frontdesk.kg.errors import FormatError, InputError

GOOD = '[lobby]\nkey = "0123456789abcdef"\nvouches = true\n'


def test_a_key_tells_who_calls(tmp_path):
    (tmp_path / "k.toml").write_text(GOOD)
    keys = load_keys(tmp_path / "k.toml")
    assert keys.caller("0123456789abcdef").id == "lobby"
    assert keys.caller("0123456789abcdef").vouches
    assert keys.caller("0123456789abcdeg") is None
    assert keys.caller(None) is None
    assert "0123456789abcdef" not in repr(vars(keys))


def test_without_keys_anybody_may_call_and_vouches_for_nobody():
    caller = load_keys(None).caller(None)
    assert caller is not None
    assert not caller.vouches


@pytest.mark.parametrize(("text", "error"), [
    ("[lobby", FormatError), ("", FormatError), ("lobby = 1", FormatError),
    ('[lobby]\nkey = 1', FormatError), ('[lobby]\nkey = "short"', InputError),
    (GOOD + "other = 1", FormatError),
    (GOOD + '[phone]\nkey = "0123456789abcdef"', InputError)])
def test_bad_keys_are_told_with_their_place(tmp_path, text, error):
    path = tmp_path / "k.toml"
    path.write_text(text)
    with pytest.raises(error, match=r"k\.toml"):
        load_keys(path)


def test_no_keys_file_is_told(tmp_path):
    with pytest.raises(InputError, match="cannot read"):
        load_keys(tmp_path / "none.toml")


@pytest.mark.parametrize(("headers", "query", "key"), [
    ({"authorization": "Bearer abc"}, [], "abc"), ({"authorization": "bearer  abc "}, [], "abc"),
    ({"x-api-key": "abc"}, [], "abc"), ({}, ["abc"], "abc"), ({}, [], None),
    ({"authorization": "Basic abc"}, [], None), ({"authorization": "Bearer"}, ["t"], "t")])
def test_a_key_is_taken_from_where_clients_send_it(headers, query, key):
    assert bearer(headers, query) == key
