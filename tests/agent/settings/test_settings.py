from __future__ import annotations

import pytest

from frontdesk.agent.settings.load_settings import load_settings
from frontdesk.agent.settings.settings import Settings
from frontdesk.kg.graph.errors import FormatError, InputError


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
    ("[knowledge]\nfacts = -2", r"settings.toml: knowledge.facts is -2.*from -1 to 1000"),
    ("[knowledge]\nfacts = 0", r"knowledge.facts is 0.*no-facts"),
    ("[rules]\ndeadline_s = nan", r"rules.deadline_s is nan.*from 0 to"),
    ("[rules]\ndeadline_s = inf", r"rules.deadline_s is inf.*from 0 to"),
    ("[rules]\ndeadline_s = -1", r"rules.deadline_s is -1.*from 0 to"),
    ("[check]\nrepair = 'maybe'", r"check.repair is 'maybe'.*full, generator, none"),
    ("[check]\nrepair = true", r"check.repair must be of type str"),
    ("[check]\nalpha = 2.0", r"check.alpha is 2.*from 0 to 1"),
    ("[embedded]\nsamples = -3", r"settings.toml: embedded.samples is -3.*from -1 to 1024"),
    ("[embedded]\ntemperature = 0", r"embedded.temperature is 0.*from 0.01 to 10"),
    ("[godel]\nbeams = 0", r"godel.beams is 0.*from 1 to 64"),
    ("profile = 'other'", r"settings.toml: profile is 'other'.*embedded, godel, openai")])
def test_a_wrong_setting_names_itself_the_file_and_a_remedy(tmp_path, text, message):
    with pytest.raises(InputError, match=message):
        load_settings(write(tmp_path, text), environment={})


@pytest.mark.parametrize("section", ["godel", "causal"])
def test_a_model_beside_the_settings_file_is_meant_before_one_of_the_hub(tmp_path, section):
    (tmp_path / "mine").mkdir()
    for name, found in (("mine", str(tmp_path / "mine")), ("./other", str(tmp_path / "other")),
                        ("someone/model", "someone/model")):
        settings = load_settings(write(tmp_path, f'[{section}]\nmodel = "{name}"'), environment={})
        assert getattr(settings, section).model == found


def test_a_file_that_is_no_toml_or_not_there_is_named(tmp_path):
    with pytest.raises(FormatError, match=r"settings.toml.*not a TOML file"):
        load_settings(write(tmp_path, "= ="), environment={})
    with pytest.raises(InputError, match=r"missing\.toml"):
        load_settings(tmp_path / "missing.toml", environment={})


def test_a_wrong_variable_names_itself():
    with pytest.raises(InputError, match="FRONTDESK_KNOWLEDGE_FACTS is 'x'"):
        load_settings(environment={"FRONTDESK_KNOWLEDGE_FACTS": "x"})
    with pytest.raises(InputError, match=r"environment: embedded\.samples is 2000"):
        load_settings(environment={"FRONTDESK_EMBEDDED_SAMPLES": "2000"})
