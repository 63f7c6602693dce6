"""Keys of those who may call."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from frontdesk.agent.serving.auth.api_keys import bearer, load_keys
from frontdesk.kg.graph.errors import FormatError, InputError

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


@pytest.mark.parametrize(("entry", "says"), [
    ("[anybody]\n{}", "no caller can have the name"), ("['']\n{}", "no caller can have the name"),
    ("['jwt:x']\n{}", "no caller can have the name"), (f"[{'x' * 65}]\n{{}}", "64 characters"),
    ("[a]\n{}\nrole = 'king'", "role 'king'"),
    ("[a]\n{}\nrole = 'visitor'\nvouches = true", "vouches = true"),
    ("[a]\n{}\nrole = 'employee'", "vouches = false"),
    ("[a]\n{}\nturns_per_minute = -1", "-1 turns"),
    ("[a]\n{}\nturns_per_minute = true", "another type"), ("[a]\n{}\nvouches = 1", "another type"),
    ("[a]\n{}\nkey_env = 'X'", "key and key_env"), ("[a]\nvouches = true", "no key"),
    ("[a]\nkey_env = 'NOT_THERE'", "no NOT_THERE"), ("[a]\nkey_file = 'none'", "cannot read none"),
    ("[a]\nkey_env = 'SHORT'", "shorter")])
def test_callers_that_cannot_be_are_told_and_no_key_is(tmp_path, entry, says):
    path = tmp_path / "k.toml"
    path.write_text(entry.format('key = "0123456789abcdef"'))
    with pytest.raises(InputError, match=says) as told:
        load_keys(path, environment={"SHORT": "s3cret"})
    assert "k.toml" in str(told.value)
    assert "0123456789abcdef" not in str(told.value)
    assert "s3cret" not in str(told.value)


def test_keys_come_from_the_environment_or_files_beside_theirs(tmp_path):
    (tmp_path / "lobby.key").write_text("lobby-0123456789abcdef\n")
    path = tmp_path / "k.toml"
    path.write_text('[lobby]\nkey_file = "lobby.key"\noperator = true\nturns_per_minute = 0\n'
                    '[phone]\nkey_env = "PHONE_KEY"\nrole = "visitor"\n')
    keys = load_keys(path, environment={"PHONE_KEY": "phone-0123456789abcdef"})
    lobby, phone = (keys.caller(f"{name}-0123456789abcdef") for name in ("lobby", "phone"))
    assert (lobby.id, lobby.operator, lobby.turns_per_minute, lobby.role) == (
        "lobby", True, 0, None)
    assert (phone.id, phone.operator, phone.turns_per_minute, phone.role) == (
        "phone", False, None, "visitor")


def test_files_of_keys_that_everybody_can_read_are_warned_of(tmp_path):
    path, key = tmp_path / "k.toml", tmp_path / "lobby.key"
    key.write_text("lobby-0123456789abcdef")
    path.write_text('[lobby]\nkey_file = "lobby.key"\n')
    for modes, warned in (((0o600, 0o640), []), ((0o644, 0o600), [path]),
                          ((0o604, 0o606), [path, key])):
        path.chmod(modes[0])
        key.chmod(modes[1])
        assert [each.partition(":")[0] for each in load_keys(path).warnings] == [
            str(each) for each in warned]


@pytest.mark.parametrize("forbidden", ["k.toml", "lobby.key"])
def test_keys_of_another_user_are_told_with_who_must_be_able_to_read_them(
        tmp_path, monkeypatch, forbidden):
    (tmp_path / "lobby.key").write_text("lobby-0123456789abcdef")
    (tmp_path / "k.toml").write_text('[lobby]\nkey_file = "lobby.key"\n')
    read = Path.read_text

    def read_text(path, *arguments, **named):
        if path.name == forbidden:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        return read(path, *arguments, **named)

    monkeypatch.setattr(Path, "read_text", read_text)  # root, who may run this, reads everything
    with pytest.raises(InputError) as told:
        load_keys(tmp_path / "k.toml")
    assert forbidden in str(told.value)
    assert f"the user {os.geteuid()}" in told.value.remedy


def test_no_keys_file_is_told(tmp_path):
    with pytest.raises(InputError, match="cannot read"):
        load_keys(tmp_path / "none.toml")


@pytest.mark.parametrize(("headers", "query", "key"), [
    ({"authorization": "Bearer abc"}, [], "abc"), ({"authorization": "bearer  abc "}, [], "abc"),
    ({"x-api-key": "abc"}, [], "abc"), ({}, ["abc"], "abc"), ({}, [], None),
    ({"authorization": "Basic abc"}, [], None), ({"authorization": "Bearer"}, ["t"], "t")])
def test_a_key_is_taken_from_where_clients_send_it(headers, query, key):
    assert bearer(headers, query) == key
