from __future__ import annotations

import pytest
import torch

from frontdesk.generation.voice.model_folder import save_model
from frontdesk.generation.voice.pointer.encoded import collate, collate_labels
from frontdesk.generation.voice.pointer.ensemble import PointerEnsemble, load_pointer_model
from frontdesk.generation.voice.pointer.states import StateReader
from frontdesk.generation.voice.pointer.unit_vocabulary import BEGIN, END, PAD, UNKNOWN

from .tiny import encoded, tiny_model


@pytest.fixture(scope="module")
def inputs():
    return collate([encoded(StateReader())] * 2)


@pytest.fixture(scope="module")
def members():
    return [tiny_model(seed=seed) for seed in (1, 2)]


def test_an_ensemble_has_the_mean_of_its_members_probabilities(members, inputs):
    ensemble = PointerEnsemble.of(members)
    labels = collate_labels([[5, 6, END], [7, END]])
    with torch.inference_mode():
        mean = sum(member(**inputs, labels=labels).logits.exp() for member in members) / 2
        found = ensemble(**inputs, labels=labels).logits.exp()
    assert torch.allclose(found, mean, atol=1e-6)
    assert torch.allclose(found.sum(-1), torch.ones(found.shape[:-1]), atol=1e-5)


def test_members_keep_apart_what_they_remember_of_the_tokens_before(members, inputs):
    """The scores of step by step generation are those of reading the whole reply."""
    ensemble = PointerEnsemble.of(members)
    with torch.inference_mode():
        output = ensemble.generate(
            **inputs, num_beams=1, do_sample=False, max_new_tokens=6, output_logits=True,
            return_dict_in_generate=True, suppress_tokens=[PAD, BEGIN, UNKNOWN, END])
        whole = ensemble(**inputs, decoder_input_ids=output.sequences).logits
    for step, said in enumerate(output.logits):
        assert torch.allclose(said, whole[:, step], atol=1e-5)


def test_an_ensemble_is_saved_and_loaded_whole(members, inputs, tmp_path):
    ensemble = PointerEnsemble.of(members)
    save_model(ensemble, tmp_path / "model")
    loaded, _ = load_pointer_model(tmp_path / "model")
    assert isinstance(loaded, PointerEnsemble)
    labels = collate_labels([[5, END]] * 2)
    with torch.inference_mode():
        assert torch.allclose(loaded(**inputs, labels=labels).logits,
                              ensemble(**inputs, labels=labels).logits, atol=0.05)


def test_models_of_different_shapes_are_no_ensemble(members):
    with pytest.raises(ValueError, match="one vocabulary and shape"):
        PointerEnsemble.of([members[0], tiny_model(d_model=16)])


def test_an_ensemble_is_where_its_members_are():
    there = [tiny_model(seed=seed).to("meta") for seed in (1, 2)]
    assert {each.device.type for each in PointerEnsemble.of(there).parameters()} == {"meta"}


def test_an_ensemble_searches_with_beams_as_a_member_whose_equals_are_the_others(members, inputs):
    """What several beams remember goes with them, in every member."""
    options = {"num_beams": 3, "do_sample": False, "max_new_tokens": 8,
               "suppress_tokens": [PAD, BEGIN, UNKNOWN]}
    with torch.inference_mode():
        same = PointerEnsemble.of([members[0]] * 2).generate(**inputs, **options)
        assert torch.equal(same, members[0].generate(**inputs, **options))
