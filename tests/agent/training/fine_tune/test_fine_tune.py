from __future__ import annotations

import csv
import json
import shutil
import signal
from dataclasses import replace

import pytest
import torch

from frontdesk.agent.domains.organisation_pack import ORGANISATION_PACK
from frontdesk.agent.training.checkpoint import load_checkpoint
from frontdesk.agent.training.fine_tune.fine_tune_task import (
    FineTuneTask,
    collate,
    forced_examples,
)
from frontdesk.agent.training.fine_tune.run_fine_tuning import FineTuneSettings, fine_tune
from frontdesk.data.datasets.generation_examples import GenerationExample, GenerationFact
from frontdesk.generation.voice.causal_lm import CausalLMGenerator
from frontdesk.generation.voice.generator import GenerationInput
from frontdesk.generation.voice.seq2seq import Seq2SeqGenerator
from frontdesk.generation.voice.transformers_generator import TeacherForcing
from frontdesk.kg.graph.dialogue_graph import USER
from frontdesk.kg.graph.errors import InputError, MissingExtraError, MissingModelError
from frontdesk.kg.graph.mentions import Observation

from ....generation.voice.contract import score

PEOPLE = ("Ann", "Bo", "Cy", "Dee", "Eli", "Fay", "Gus", "Hal")
QUICK = FineTuneSettings(epochs=2, batch_size=4, learning_rate=3e-2, device="cpu", patience=0,
                         max_reply_tokens=30)


def example(person, number=0):
    return GenerationExample(f"{person}#{number}", "organisation", number,
                             ((USER, f"Where is {person}?"),),
                             (GenerationFact(f"{person}'s office is Zeta.", 0.9, "office"),),
                             f"{person} is in Zeta.")


TRAIN = [example(person, number) for number in range(2) for person in PEOPLE[:6]]
DEV = [example(person) for person in PEOPLE[6:]]


def asked(person="Gus"):
    return GenerationInput(((USER, f"Where is {person}?"),), (), Observation(""))


def weights(folder):
    from safetensors.torch import load_file
    return load_file(folder / "model.safetensors")


def same(left, right):
    return left.keys() == right.keys() and all(bool((left[key] == right[key]).all())
                                               for key in left)


@pytest.fixture(scope="module", params=["seq2seq", "causal"])
def kind(request):
    return {"seq2seq": Seq2SeqGenerator, "causal": CausalLMGenerator}[request.param]


@pytest.fixture(scope="module")
def base(kind, tiny_t5, tiny_causal):
    return str(tiny_t5 if kind is Seq2SeqGenerator else tiny_causal)


@pytest.mark.parametrize("lora", [False, True])
def test_fine_tuning_makes_replies_probable_in_the_generator(kind, base, tmp_path, lora):
    settings = replace(QUICK, lora=lora, rank=4)
    result = fine_tune(base, TRAIN, DEV, tmp_path / "out", settings)
    # A random model has little that few additions could build on.
    assert result.loss < result.loss_before - (0.05 if lora else 0.5)
    assert result.step == 6
    assert (result.examples, result.left_out, result.seq2seq) == (12, 0, kind is Seq2SeqGenerator)
    before, after = (kind(folder, device="cpu", max_new_tokens=4)
                     for folder in (base, str(tmp_path / "out")))
    scores = [found.total / len(found.tokens) for each in (before, after)
              for found in [score(each, asked(), "Gus is in Zeta.")]]
    assert scores[1] > scores[0] + (0.02 if lora else 0.5)
    assert after.generate(asked()) != before.generate(asked())
    assert result.trained_parameters == sum(
        each.numel() for each in before.model.parameters()) or lora


def test_fine_tuning_of_a_chat_model_has_the_rules_of_one_domain(tiny_causal, tmp_path):
    with pytest.raises(InputError, match="car and organisation"):
        fine_tune(str(tiny_causal), [*TRAIN, replace(TRAIN[0], domain="car")], DEV,
                  tmp_path / "out", QUICK)


def test_fine_tuning_judges_by_the_loss_of_the_model_that_it_keeps(kind, base, tmp_path):
    """The mean over tokens, computed here from the generator's own log-probabilities."""
    result = fine_tune(base, TRAIN, DEV, tmp_path / "out", QUICK)
    rules = {} if kind is Seq2SeqGenerator else {
        "instruction": ORGANISATION_PACK.chat_instruction}
    generator = kind(str(tmp_path / "out"), device="cpu", **rules)
    scored = [score(generator,
        GenerationInput(each.history, _ranked(each), Observation("")), each.reference)
        for each in DEV]
    tokens = sum(len(each.tokens) for each in scored)
    assert result.loss == pytest.approx(-sum(each.total for each in scored) / tokens, abs=1e-4)


def _ranked(each):
    from frontdesk.kg.graph.facts import Fact
    from frontdesk.scoring.ranked_fact import RankedFact
    return tuple(RankedFact(Fact(fact.predicate, ()), fact.text, fact.relevance)
                 for fact in each.facts)


def test_lora_learns_few_numbers_and_saves_a_whole_model(base, tmp_path):
    whole = fine_tune(base, TRAIN, DEV, tmp_path / "whole", replace(QUICK, epochs=1))
    lora = fine_tune(base, TRAIN, DEV, tmp_path / "lora", replace(QUICK, epochs=1, lora=True,
                                                                  rank=1))
    assert lora.trained_parameters < whole.trained_parameters / 3
    assert weights(tmp_path / "lora").keys() == weights(tmp_path / "whole").keys()


def test_small_batches_that_are_accumulated_learn_what_large_ones_do(tiny_causal, tmp_path):
    # Without dropout, and with replies of different lengths.
    examples = [replace(each, reference=each.reference * (1 + number % 2))
                for number, each in enumerate(TRAIN)]
    settings = replace(QUICK, epochs=1, learning_rate=1e-2)
    for name, small in (("large", settings),
                        ("small", replace(settings, batch_size=2, accumulation=2))):
        fine_tune(str(tiny_causal), examples, DEV, tmp_path / name, small)
    large, small = (weights(tmp_path / name) for name in ("large", "small"))
    assert all(torch.allclose(large[name], small[name], atol=1e-4) for name in large)


class KilledError(Exception):
    pass


def stop_at(monkeypatch, step, error):
    """Let a training be stopped in a step."""
    original, losses = FineTuneTask.loss, []

    def stopping(self, batch):
        if self.model.training:
            losses.append(1)
            if len(losses) == step:
                error()
        return original(self, batch)

    monkeypatch.setattr(FineTuneTask, "loss", stopping)
    return lambda: monkeypatch.setattr(FineTuneTask, "loss", original)


def kept_step(folder):
    return load_checkpoint(folder / "checkpoint.pt")["state"]["step"]


def killed():
    raise KilledError


@pytest.fixture(scope="module", params=[False, True], ids=["whole", "lora"])
def uninterrupted(base, request, tmp_path_factory):
    """Settings, and the folder and the result of a training with them."""
    settings = replace(QUICK, lora=request.param, rank=2, checkpoint_s=0, patience=1)
    folder = tmp_path_factory.mktemp("through")
    return settings, folder, fine_tune(base, TRAIN, DEV, folder, settings)


def test_a_training_that_was_killed_goes_on_to_the_same_weights(
        base, uninterrupted, tmp_path, monkeypatch):
    settings, folder, through = uninterrupted
    step = 5 if settings.lora else 3  # the latter is the last of an epoch
    go_on = stop_at(monkeypatch, step, killed)
    with pytest.raises(KilledError):
        fine_tune(base, TRAIN, DEV, tmp_path / "out", settings)
    go_on()
    assert kept_step(tmp_path / "out") == step - 1
    result = fine_tune(base, TRAIN, DEV, tmp_path / "out", settings, resume=True)
    assert same(weights(tmp_path / "out"), weights(folder))
    assert (result.loss_before, result.loss, result.step) == (
        through.loss_before, through.loss, through.step)
    rows = [list(csv.DictReader((each / "log.csv").open()))
            for each in (tmp_path / "out", folder)]
    told = [[(row["step"], row["epoch"], row["loss"], row.get("dev_loss")) for row in each]
            for each in rows]
    assert told[0] == told[1]


def test_ctrl_c_keeps_a_checkpoint_and_says_how_to_go_on(tiny_t5, tmp_path, monkeypatch, capsys):
    go_on = stop_at(monkeypatch, 2, lambda: signal.raise_signal(signal.SIGINT))
    with pytest.raises(KeyboardInterrupt):
        fine_tune(str(tiny_t5), TRAIN, DEV, tmp_path / "out", QUICK)
    assert "stopped; step 2 of about 6 is kept, --resume goes on" in capsys.readouterr().err
    go_on()
    fine_tune(str(tiny_t5), TRAIN, DEV, tmp_path / "out", QUICK, resume=True)
    fine_tune(str(tiny_t5), TRAIN, DEV, tmp_path / "through", QUICK)
    assert same(weights(tmp_path / "out"), weights(tmp_path / "through"))


def test_a_finished_training_gives_its_result_again(tiny_t5, tmp_path):
    first = fine_tune(str(tiny_t5), TRAIN, DEV, tmp_path / "out", QUICK)
    kept = weights(tmp_path / "out")
    again = fine_tune(str(tiny_t5), TRAIN, DEV, tmp_path / "out", QUICK, resume=True)
    assert (again.loss, again.loss_before, again.step) == (first.loss, first.loss_before, 6)
    assert same(weights(tmp_path / "out"), kept)


def test_the_same_seed_gives_the_same_weights_and_another_seed_others(tiny_t5, tmp_path):
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        fine_tune(str(tiny_t5), TRAIN, DEV, tmp_path / name, replace(QUICK, epochs=1, seed=seed))
    assert same(weights(tmp_path / "a"), weights(tmp_path / "b"))
    assert not same(weights(tmp_path / "a"), weights(tmp_path / "c"))


def test_a_folder_with_another_training_is_refused(tiny_t5, tmp_path):
    short = replace(QUICK, epochs=1)
    fine_tune(str(tiny_t5), TRAIN, DEV, tmp_path, short)
    with pytest.raises(InputError, match="holds another training"):
        fine_tune(str(tiny_t5), TRAIN, DEV, tmp_path, short)
    with pytest.raises(InputError, match=r"different: data"):
        fine_tune(str(tiny_t5), TRAIN[:5], DEV, tmp_path, short, resume=True)
    with pytest.raises(InputError, match=r"different: rank 16 there, 3 now"):
        fine_tune(str(tiny_t5), TRAIN, DEV, tmp_path, replace(short, rank=3), resume=True)


def test_training_ends_early_when_the_development_loss_no_longer_falls(tiny_t5, tmp_path):
    settings = replace(QUICK, epochs=40, learning_rate=1.0, warmup=0.0, patience=2)
    result = fine_tune(str(tiny_t5), TRAIN, DEV, tmp_path, settings)
    assert result.epoch < 40


def test_the_log_has_the_losses_and_tensorboard_too(tiny_t5, tmp_path):
    fine_tune(str(tiny_t5), TRAIN, DEV, tmp_path, QUICK)
    rows = list(csv.DictReader((tmp_path / "log.csv").open()))
    assert [row["step"] for row in rows if row.get("dev_loss")] == ["0", "3", "6"]
    assert [row["step"] for row in rows if row["loss"]] == [*"123456"]
    assert float(rows[-1]["dev_loss"]) < float(rows[0]["dev_loss"])
    assert list((tmp_path / "tensorboard").glob("events*"))


def test_examples_that_do_not_fit_are_left_out_and_counted(tiny_t5, tmp_path):
    long = replace(TRAIN[0], id="long", reference="very long " * 20)
    result = fine_tune(str(tiny_t5), [*TRAIN, long], DEV, tmp_path, replace(QUICK, epochs=1))
    assert (result.examples, result.left_out) == (12, 1)
    with pytest.raises(InputError, match="none of the 1 examples can be learned from"):
        fine_tune(str(tiny_t5), [long], DEV, tmp_path / "none", QUICK)
    with pytest.raises(InputError, match="there are no examples"):
        fine_tune(str(tiny_t5), TRAIN, [], tmp_path / "empty", QUICK)


def test_examples_are_what_the_generator_reads_and_should_say(kind, base):
    generator = kind(base, device="cpu")
    forced, = forced_examples(generator, TRAIN[:1], 30)
    said = generator.tokenizer.decode([each for each in forced.labels if each != -100])
    assert said in ("Ann is in Zeta.</s>", "Ann is in Zeta.<|im_end|>")
    read = generator.tokenizer.decode(forced.input_ids)
    assert "Where is Ann?" in read
    assert "Ann's office is Zeta." in read
    assert ("Ann is in Zeta." in read) == (kind is CausalLMGenerator)


def test_a_batch_is_padded_so_that_nothing_is_read_or_learned_beyond_the_end():
    batch = collate([TeacherForcing((1, 2, 3), (4,)), TeacherForcing((5,), (6, 7))], 9,
                    torch.device("cpu"))
    assert {name: each.tolist() for name, each in batch.items()} == {
        "input_ids": [[1, 2, 3], [5, 9, 9]], "attention_mask": [[1, 1, 1], [1, 0, 0]],
        "labels": [[4, -100], [6, 7]]}


def test_a_loss_that_is_not_finite_is_one_error(tiny_t5, tmp_path):
    from safetensors.torch import save_file
    broken = tmp_path / "broken"
    shutil.copytree(tiny_t5, broken)
    save_file({name: torch.full_like(each, torch.nan) for name, each in weights(broken).items()},
              broken / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(InputError, match="the figure log_likelihood is nan"):
        fine_tune(str(broken), TRAIN, DEV, tmp_path / "out", QUICK)


def test_bf16_trains_on_the_processor(tiny_t5, tmp_path):
    settings = replace(QUICK, precision="bf16")
    result = fine_tune(str(tiny_t5), TRAIN, DEV, tmp_path, settings)
    assert result.loss < result.loss_before
    assert json.loads((tmp_path / "training.json").read_text())["loop"]["precision"] == "bf16"


@pytest.mark.parametrize(("changed", "message"), [
    ({"epochs": 0}, "epochs is 0"), ({"batch_size": 0}, "batch_size is 0"),
    ({"rank": 0}, "rank is 0"), ({"precision": "int8"}, "precision is 'int8'"),
    ({"learning_rate": 0.0}, "learning_rate is 0"), ({"warmup": 1.0}, "warmup is 1"),
    ({"seed": -1}, "seed is -1"), ({"accumulation": 0}, "accumulation is 0"),
    ({"checkpoint_s": float("nan")}, "checkpoint_s is nan")])
def test_settings_out_of_range_are_refused(changed, message):
    with pytest.raises(InputError, match=message):
        FineTuneSettings(**changed)


def test_half_precision_without_a_gpu_is_refused_before_anything_is_written(tiny_t5, tmp_path):
    with pytest.raises(InputError, match="fp16"):
        fine_tune(str(tiny_t5), TRAIN, DEV, tmp_path / "out", replace(QUICK, precision="fp16"))
    assert not (tmp_path / "out").exists()


def test_a_model_that_is_not_here_is_one_error_with_a_remedy(tmp_path, monkeypatch):
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "cache"))
    with pytest.raises(MissingModelError, match="hf download no/model"):
        fine_tune("no/model", TRAIN, DEV, tmp_path / "out", QUICK)


def test_lora_without_its_package_names_the_extra(tiny_t5, tmp_path, monkeypatch):
    import sys
    monkeypatch.setitem(sys.modules, "peft", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'frontdesk\[train\]'"):
        fine_tune(str(tiny_t5), TRAIN, DEV, tmp_path, replace(QUICK, lora=True))
