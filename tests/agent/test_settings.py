from __future__ import annotations

import pytest

from frontdesk.agent.settings import Settings, load_settings
from frontdesk.kg.errors import FormatError, InputError


def write(tmp_path, text):
    path = tmp_path / "settings.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_the_packaged_file_states_the_defaults():
    assert load_settings(environment={}) == Settings()


def test_a_file_overrides_defaults_the_environment_the_file_and_flags_the_environment(tmp_path):
    path = write(tmp_path, 'profile = "godel"\n[knowledge]\nfacts = 3\n[openai]\ntimeout_s = 5\n')
    settings = load_settings(path, environment={"FRONTDESK_KNOWLEDGE_FACTS": "4",
                                                "FRONTDESK_OPENAI_MODEL": "m"})
    assert (settings.profile, settings.knowledge.facts) == ("godel", 4)
    assert (settings.openai.model, settings.openai.timeout_s) == ("m", 5.0)
    assert load_settings(path, environment={}, profile="openai").profile == "openai"


@pytest.mark.parametrize(("text", "message"), [
    ("profil = 'x'", r"settings.toml: unknown setting 'profil'.*Known are .*profile"),
    ("[openai]\nmodels = 'x'", r"unknown setting openai.models.*model"),
    ("[knowledge]\nfacts = 'many'", r"knowledge.facts must be of type int, not 'many'"),
    ("knowledge = 3", r"knowledge must be a table"),
    ("[knowledge]\nfacts = 0", r"knowledge.facts is 0.*at least 1"),
    ("[rules]\ndeadline_s = nan", r"rules.deadline_s is nan.*0 for no limit"),
    ("[rules]\ndeadline_s = inf", r"rules.deadline_s is inf.*0 for no limit"),
    ("[rules]\ndeadline_s = -1", r"rules.deadline_s is -1.*0 for no limit"),
    ("profile = 'other'", r"no profile 'other'.*embedded, godel, openai")])
def test_a_wrong_setting_names_itself_the_file_and_a_remedy(tmp_path, text, message):
    with pytest.raises(InputError, match=message):
        load_settings(write(tmp_path, text), environment={})


def test_a_file_that_is_no_toml_or_not_there_is_named(tmp_path):
    with pytest.raises(FormatError, match=r"settings.toml.*not a TOML file"):
        load_settings(write(tmp_path, "= ="), environment={})
    with pytest.raises(InputError, match=r"missing\.toml"):
        load_settings(tmp_path / "missing.toml", environment={})


def test_a_wrong_variable_names_itself():
    with pytest.raises(InputError, match="FRONTDESK_KNOWLEDGE_FACTS is 'x'"):
        load_settings(environment={"FRONTDESK_KNOWLEDGE_FACTS": "x"})
