"""The reference of the settings is that of the code; what is in force is told without secrets."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

import frontdesk.agent
from frontdesk.agent.cli.main import main
from frontdesk.agent.settings.load_settings import load_settings
from frontdesk.agent.settings.settings import Settings
from frontdesk.agent.settings.settings_reference import (
    entries,
    in_force,
    keys_of_settings,
    redacted,
    reference,
    sources,
    variable_of,
)
from frontdesk.kg.graph.errors import InputError


def test_the_committed_reference_is_what_the_code_says():
    committed = (Path(frontdesk.agent.__file__).with_name("settings")
                 / "SETTINGS.md").read_text(encoding="utf-8")
    assert committed == reference(), \
        "write it anew: frontdesk settings --markdown > agent/settings/SETTINGS.md"


def test_every_setting_is_explained_once_in_the_default_file():
    explained = [key for entry in entries() for key in entry.keys]
    assert sorted(explained) == sorted(keys_of_settings())
    assert [entry for entry in entries() if not entry.words] == []


def test_comments_are_those_of_the_settings_up_to_the_next_comment():
    found = entries('# of the file\n\n# one\na = 1\n[t]\nb = 1\n# two\n# lines\nc = 1\nd = 1\n\n'
                    '[u]\n# of the table\n\n# three\ne = 1\n# nobody\'s')
    assert [(each.keys, each.words) for each in found] == [
        (("a",), "one"), (("t.b",), ""), (("t.c", "t.d"), "two lines"), ((), "of the table"),
        (("u.e",), "three"), ((), "nobody's")]


def test_the_reference_names_type_default_range_choices_and_variable():
    lines = reference().splitlines()
    assert ("- **`alpha`** = `0.25`: a number from 0 to 1; `FRONTDESK_CHECK_ALPHA`") in lines
    assert '- **`q2`** = `"embedded"`: one of "embedded", "hub"; `FRONTDESK_CHECK_Q2`' in lines
    assert "- **`assistants`** = `[]`: a list of texts; `FRONTDESK_ACCESS_ASSISTANTS`" in lines


@pytest.mark.parametrize("key", list(keys_of_settings()))
def test_the_variables_of_the_reference_override_the_settings(key):
    section, _, name = key.rpartition(".")
    value = getattr(getattr(Settings(), section) if section else Settings(), name)
    if isinstance(value, tuple):
        text = ":".join(value)
    elif isinstance(value, str):
        text = value
    else:
        text = str(value)
        with pytest.raises(InputError, match=variable_of(key)):
            load_settings(environment={variable_of(key): "none such"})
    assert load_settings(environment={variable_of(key): text}) == Settings()


def test_what_is_in_force_is_a_settings_file_with_the_same_meaning(tmp_path):
    mine, again = tmp_path / "mine.toml", tmp_path / "again.toml"
    mine.write_text('[access]\nassistants = ["ada@example.org"]\n[check]\nalpha = 0.5\n')
    environment = {"FRONTDESK_SERVE_WORKERS": "3"}
    again.write_text(in_force(mine, "godel", environment=environment))
    assert load_settings(again, environment={}) == load_settings(
        mine, profile="godel", environment=environment)


def test_what_is_in_force_says_where_it_comes_from(tmp_path):
    mine = tmp_path / "mine.toml"
    mine.write_text('profile = "openai"\n[check]\nalpha = 0.5\nbudget_ms = 3\n')
    assert sources(mine, "causal", environment={"FRONTDESK_CHECK_BUDGET_MS": "4"}) == {
        "profile": "--profile", "check.alpha": str(mine),
        "check.budget_ms": "FRONTDESK_CHECK_BUDGET_MS"}
    text = in_force(mine, environment={})
    origins = {line.split()[0]: line.split("# ")[-1] for line in text.splitlines() if "#" in line}
    assert (origins["alpha"], origins["top_p"]) == (str(mine), "default")


@pytest.mark.parametrize("url", [
    "postgresql+psycopg://me:geheim@db/frontdesk", "postgresql+psycopg://me:geh@eim@db/n",
    "postgresql+psycopg://me:geh/eim@db/n",
    "postgresql+psycopg://me@db/n?password=geheim&connect_timeout=3",
    "postgresql+psycopg://me@db/n?sslmode=require&sslPassword=geheim"])
def test_passwords_in_addresses_are_not_told(url):
    text = in_force(environment={"FRONTDESK_SERVE_DATABASE": url})
    shown = tomllib.loads(text)["serve"]["database"]
    assert shown.startswith("postgresql+psycopg://me")
    assert "***" in shown
    assert not any(part in shown for part in ("geh", "eim"))


def test_secrets_are_known_by_their_names_and_nothing_else_is_hidden():
    assert redacted("serve.jwt_secret", "abc") == "***"
    assert redacted("serve.jwt_secret", "") == ""
    assert redacted("embedded.max_new_tokens", 64) == 64
    assert redacted("openai.api_key_env", "OPENAI_API_KEY") == "OPENAI_API_KEY"
    assert redacted("serve.database", "sqlite:///a@b.sqlite") == "sqlite:///a@b.sqlite"


def test_the_command_tells_which_parser(tmp_path, capsys):
    path = tmp_path / "mine.toml"
    path.write_text('[understanding]\nparser = "mine"\n')
    assert main(["settings", "--config", str(path)]) == 0
    assert tomllib.loads(capsys.readouterr().out)["understanding"] == {
        "parser": str(tmp_path / "mine")}


def test_the_command_says_what_is_wrong_in_a_file(tmp_path, capsys):
    path = tmp_path / "mine.toml"
    path.write_text("[serve]\nworkers = 0\n")
    assert main(["settings", "--config", str(path)]) == 2
    assert f"{path}: serve.workers is 0" in capsys.readouterr().err
    path.write_text("[serve]\nworkers = 1\n")
    assert main(["settings", "--config", str(path)]) == 0
    assert "workers = 1" in capsys.readouterr().out
    assert main(["settings", "--markdown"]) == 0
    assert capsys.readouterr().out == reference()
