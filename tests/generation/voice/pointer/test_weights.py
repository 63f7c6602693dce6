from __future__ import annotations

import json
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file

from frontdesk.agent.domains.domain_pack import PACKAGED_WEIGHTS
from frontdesk.generation.voice.model_folder import CONFIG, WEIGHTS, save_model
from frontdesk.generation.voice.pointer.config import SCHEMA_VERSION
from frontdesk.generation.voice.pointer.ensemble import load_pointer_model
from frontdesk.kg.graph.errors import MissingModelError

from .tiny import PREDICATES, WORDS, tiny_model


@pytest.fixture
def folder(tmp_path):
    save_model(tiny_model(), tmp_path / "model")
    return tmp_path / "model"


def test_a_saved_model_is_loaded_as_it_was(folder):
    model, vocabulary = load_pointer_model(folder)
    assert vocabulary.entries == WORDS.entries
    assert model.config.predicates == list(PREDICATES)
    assert (model.config.d_model, model.config.most_positions) == (32, 24)
    saved = tiny_model().state_dict()
    assert model.state_dict().keys() == saved.keys()
    for name, weights in model.state_dict().items():
        assert weights.dtype == torch.float32
        assert weights.numpy() == pytest.approx(saved[name].numpy(), abs=1e-3), name
    assert not model.training
    assert not any(each.requires_grad for each in model.parameters())


def test_weights_take_two_bytes_each(folder):
    assert {each.dtype for each in load_file(folder / WEIGHTS).values()} == {torch.float16}


def test_a_model_is_saved_the_same_each_time(folder, tmp_path):
    save_model(load_pointer_model(folder)[0], tmp_path / "again")
    for name in (CONFIG, WEIGHTS):
        assert (folder / name).read_bytes() == (tmp_path / "again" / name).read_bytes()


def test_words_are_readable_in_the_configuration(tmp_path):
    words = [*WORDS.entries, "café"]
    save_model(tiny_model(vocabulary=words), tmp_path)
    assert "café" in (tmp_path / CONFIG).read_text(encoding="utf-8")
    assert load_pointer_model(tmp_path)[1].entries == tuple(words)


@pytest.mark.parametrize("name", [CONFIG, WEIGHTS])
def test_a_missing_file_is_named(folder, name):
    (folder / name).unlink()
    with pytest.raises(MissingModelError, match=name) as caught:
        load_pointer_model(folder)
    assert "frontdesk train generator" in caught.value.remedy


def test_a_missing_folder_is_named(tmp_path):
    with pytest.raises(MissingModelError, match=f"no embedded generator in {tmp_path / 'none'}"):
        load_pointer_model(tmp_path / "none")


@pytest.mark.parametrize("name", [CONFIG, WEIGHTS])
@pytest.mark.parametrize("content", [
    b"", b"{broken", b"[]", b"3", b"null", b'"text"', b"\xff\xfe\x00", b"\xff" * 100,
    b'{"d_model": "wide"}', b'{"d_model": 0}', b'{"heads": 3}', b'{"vocabulary": 3}',
    b'{"vocabulary": ["<pad>"]}', b'{"predicates": 7}'])
def test_a_damaged_file_is_one_error(folder, name, content):
    (folder / name).write_bytes(content)
    with pytest.raises(MissingModelError) as caught:
        load_pointer_model(folder)
    assert str(folder) in str(caught.value)
    assert "\n" not in str(caught.value)
    assert caught.value.remedy


def test_a_file_that_was_cut_is_damaged(folder):
    content = (folder / WEIGHTS).read_bytes()
    (folder / WEIGHTS).write_bytes(content[:len(content) // 2])
    with pytest.raises(MissingModelError, match="is damaged"):
        load_pointer_model(folder)


def changed(folder, **settings):
    config = json.loads((folder / CONFIG).read_text())
    (folder / CONFIG).write_text(json.dumps(config | settings))


@pytest.mark.parametrize("version", [SCHEMA_VERSION + 1, SCHEMA_VERSION - 1, None, "1"])
def test_a_model_for_other_inputs_is_refused(folder, version):
    changed(folder, schema_version=version)
    with pytest.raises(MissingModelError, match=f"version {version} .*is version {SCHEMA_VERSION}"):
        load_pointer_model(folder)


def test_a_model_that_says_no_version_is_refused(folder):
    config = json.loads((folder / CONFIG).read_text())
    del config["schema_version"]
    (folder / CONFIG).write_text(json.dumps(config))
    with pytest.raises(MissingModelError, match="version"):
        load_pointer_model(folder)


@pytest.mark.parametrize("settings", [
    {"vocabulary": [*WORDS.entries, "more"]}, {"predicates": []}, {"d_model": 64},
    {"encoder_depth": 1}, {"decoder_depth": 3}])
def test_weights_of_another_configuration_are_refused(folder, settings):
    changed(folder, **settings)
    with pytest.raises(MissingModelError, match="not those of its configuration"):
        load_pointer_model(folder)


def test_a_missing_weight_is_refused(folder):
    weights = load_file(folder / WEIGHTS)
    del weights["bias"]
    save_file(weights, folder / WEIGHTS)
    with pytest.raises(MissingModelError, match="not those of its configuration"):
        load_pointer_model(folder)


def test_weights_that_are_no_numbers_are_refused(folder):
    weights = load_file(folder / WEIGHTS)
    weights["bias"][0] = torch.nan
    save_file(weights, folder / WEIGHTS)
    with pytest.raises(MissingModelError, match="not finite"):
        load_pointer_model(folder)


def test_each_domain_has_a_folder_of_its_own():
    folders = [PACKAGED_WEIGHTS / domain for domain in ("organisation", "car")]
    assert [each.name for each in folders] == ["organisation", "car"]
    assert all(isinstance(each, Path) and (each / "config.json").is_file() for each in folders)
