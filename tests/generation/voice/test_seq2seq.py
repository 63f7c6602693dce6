from __future__ import annotations

import json
import shutil
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from frontdesk.generation.voice.prompt import CHITCHAT_INSTRUCTION, GROUNDED_INSTRUCTION
from frontdesk.generation.voice.seq2seq import GODEL, Seq2SeqGenerator
from frontdesk.kg.graph.dialogue_graph import USER
from frontdesk.kg.graph.errors import InputError, MissingModelError

from ...tiny_models import save_bart
from .contract import (
    HISTORY,
    KNOWLEDGE,
    GeneratorContract,
    PmiContract,
    ScoringContract,
    request,
    score,
)


@pytest.fixture(scope="module")
def tiny(tiny_t5):
    return Seq2SeqGenerator(str(tiny_t5), device="cpu", max_new_tokens=8)


def changed(folder, path, *, without=(), **config):
    """A copy of the model's folder without some files and with another configuration."""
    shutil.copytree(folder, path, ignore=lambda _, names: set(without) & set(names))
    if config:
        file = path / "config.json"
        file.write_text(json.dumps({**json.loads(file.read_text()), **config}))
    return path


def with_tokenizer_limit(path, limit):
    file = path / "tokenizer_config.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), "model_max_length": limit}))
    return path


class TestSeq2SeqContract(GeneratorContract, PmiContract, ScoringContract):
    @pytest.fixture
    def generator(self, tiny):
        return tiny


def ends_at_once(generator, monkeypatch):
    import torch
    ended = torch.tensor([[0, generator.tokenizer.eos_token_id]])
    monkeypatch.setattr(generator.model, "generate", lambda **_: ended)


def test_seq2seq_reads_the_prompt_that_it_reports(tiny, monkeypatch):
    read = []
    original = tiny.model.generate

    def spy(**arguments):
        read.append(arguments)
        return original(**arguments)

    monkeypatch.setattr(tiny.model, "generate", spy)
    knowledge = KNOWLEDGE[:2]
    reply = tiny.generate(request(knowledge=knowledge))
    tokens = read[0]["input_ids"][0].tolist()
    assert tiny.tokenizer.decode(tokens, skip_special_tokens=True) == (
        f"{GROUNDED_INSTRUCTION} [CONTEXT] Who is Jo Stevens? EOS Jo Stevens works in sales. EOS "
        "Where is her office? [KNOWLEDGE] Jo Stevens's office is Zeta. "
        "Jo Stevens's phone number is 555-0101.")
    assert tokens[-1] == tiny.tokenizer.eos_token_id
    assert reply.used == knowledge
    assert read[0]["num_beams"] == 4
    assert read[0]["max_new_tokens"] == 8


def test_seq2seq_never_reads_more_than_its_limit_and_says_what_it_left_out(tiny, monkeypatch):
    read = []
    original = tiny.model.generate
    monkeypatch.setattr(tiny.model, "generate", lambda **arguments: (
        read.append(arguments["input_ids"].shape[1]), original(**arguments))[1])
    reply = tiny.generate(request(history=((USER, "x " * 200), *HISTORY), knowledge=KNOWLEDGE))
    assert read[0] <= 512
    assert reply.notes[0] == "the oldest turn was left out"


def test_seq2seq_does_not_let_a_turn_end_the_input(tiny):
    prompt = tiny.prompts.build([(USER, "a</s>b<pad>c<unk>")])
    tokens = tiny.tokenizer(prompt.text)["input_ids"]
    assert tokens.count(tiny.tokenizer.eos_token_id) == 1
    assert tiny.tokenizer.pad_token_id not in tokens
    assert tiny.tokenizer.unk_token_id not in tokens
    assert prompt.text == f"{CHITCHAT_INSTRUCTION} [CONTEXT] a(/s)b(pad)c(unk)"


def test_seq2seq_says_that_a_reply_is_empty(tiny, monkeypatch):
    ends_at_once(tiny, monkeypatch)
    reply = tiny.generate(request())
    assert reply.text == ""
    assert reply.notes == (f"{tiny.name} gave an empty reply",)


def test_seq2seq_says_that_a_reply_was_cut(tiny, monkeypatch):
    import torch
    endless = torch.tensor([[0] + [40] * 8])
    monkeypatch.setattr(tiny.model, "generate", lambda **_: endless)
    assert tiny.generate(request()).notes == ("the reply was cut after 8 tokens",)


def test_seq2seq_serves_several_threads_at_once(tiny):
    alone = tiny.generate(request())
    with ThreadPoolExecutor(8) as pool:
        replies = list(pool.map(lambda _: tiny.generate(request()), range(32)))
    assert all(reply == alone for reply in replies)


@pytest.mark.parametrize(("config", "tokenizer", "limit"), [
    ({}, 512, 512), ({"n_positions": 256}, 512, 256), ({"n_positions": 2048}, 300, 300),
    ({"n_positions": 2048}, 10**30, 2048), ({}, 10**30, 512)])
def test_seq2seq_takes_the_least_stated_input_length(tiny_t5, tmp_path, config, tokenizer, limit):
    path = with_tokenizer_limit(changed(tiny_t5, tmp_path / "m", **config), tokenizer)
    assert Seq2SeqGenerator(str(path), device="cpu").prompts.max_tokens == limit


def test_seq2seq_holds_half_precision_weights_as_float32(tiny_t5, tmp_path):
    import torch
    from transformers import AutoModelForSeq2SeqLM
    path = changed(tiny_t5, tmp_path / "half")
    AutoModelForSeq2SeqLM.from_pretrained(tiny_t5).half().save_pretrained(path)
    assert Seq2SeqGenerator(str(path), device="cpu").model.dtype == torch.float32


@pytest.mark.parametrize("name", [GODEL, "/nowhere/model", "", "bad name!", "a/b/c"])
def test_seq2seq_without_weights_is_one_error_with_a_remedy(name, monkeypatch, tmp_path):
    def no_network(*_, **__):
        raise RuntimeError("the network was used")

    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    monkeypatch.setattr(socket, "getaddrinfo", no_network)
    monkeypatch.setattr(socket.socket, "connect", no_network)
    with pytest.raises(MissingModelError, match="is not on this machine") as caught:
        Seq2SeqGenerator(name, device="cpu")
    assert repr(name) in str(caught.value)
    assert "GODEL" in caught.value.remedy
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("file", ["model.safetensors", "config.json", "tokenizer.json"])
@pytest.mark.parametrize("content", [None, "{broken", "{}", '{"model": 3}', "[]"])
def test_seq2seq_with_a_missing_or_broken_file_is_one_error(tiny_t5, tmp_path, file, content):
    path = changed(tiny_t5, tmp_path / "broken", without=(file,))
    if content is not None:
        (path / file).write_text(content)
    with pytest.raises(MissingModelError, match="cannot be loaded from") as caught:
        Seq2SeqGenerator(str(path), device="cpu")
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 1000


def test_seq2seq_refuses_a_checkpoint_that_lacks_weights(tiny_t5, tmp_path):
    from safetensors.torch import load_file, save_file
    path = changed(tiny_t5, tmp_path / "encoder")
    weights = load_file(path / "model.safetensors")
    save_file({name: weight for name, weight in weights.items() if "decoder" not in name},
              path / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(MissingModelError, match=r"lacks \d+ weights, e\.g\. decoder"):
        Seq2SeqGenerator(str(path), device="cpu")


@pytest.mark.parametrize(("settings", "message"), [
    ({"device": "toaster"}, "no device 'toaster'"), ({"num_beams": 0}, "num_beams is 0"),
    ({"max_new_tokens": 0}, "max_new_tokens is 0"), ({"max_input_tokens": 0}, "max_tokens is 0")])
def test_seq2seq_refuses_settings_out_of_range(tiny_t5, settings, message):
    with pytest.raises(InputError, match=message):
        Seq2SeqGenerator(str(tiny_t5), **{"device": "cpu", **settings})


def test_seq2seq_loads_without_progress_bars(tiny_t5, capfd):
    Seq2SeqGenerator(str(tiny_t5), device="cpu")
    assert capfd.readouterr() == ("", "")


def step_by_step(generator, prompt, reply):
    """The log-probability of each token of a reply, decoded one after the other."""
    import torch
    read = generator.tokenizer(prompt, return_tensors="pt")["input_ids"]
    written, found = [generator.model.config.decoder_start_token_id], []
    for token in generator.tokenizer(reply)["input_ids"]:
        with torch.no_grad():
            logits = generator.model(input_ids=read,
                                     decoder_input_ids=torch.tensor([written])).logits[0, -1]
        probabilities = logits.double().exp() / logits.double().exp().sum()
        found.append(float(probabilities[token].log()))
        written.append(token)
    return found


@pytest.mark.parametrize("reply", ["Her office is Zeta.", "no", ""])
@pytest.mark.parametrize("with_knowledge", [True, False])
def test_seq2seq_scores_as_step_by_step_decoding_does(tiny, reply, with_knowledge):
    scored = score(tiny, request(), reply, with_knowledge=with_knowledge)
    prompt = tiny.prompts.build(HISTORY, KNOWLEDGE if with_knowledge else ())
    assert scored.log_probabilities == pytest.approx(step_by_step(tiny, prompt.text, reply),
                                                     abs=1e-5)
    assert scored.tokens[-1] == "</s>"


def test_seq2seq_leaves_out_what_barts_tokenizer_puts_before_a_reply(tmp_path):
    folder = save_bart(tmp_path)
    bart = Seq2SeqGenerator(str(folder), device="cpu", max_input_tokens=400)
    scored = score(bart, request(), "Zeta.")
    assert scored.tokens == ("Z", "e", "t", "a", ".", "</s>")
    by_hand = step_by_step(bart, bart.prompts.build(HISTORY, KNOWLEDGE).text, "Zeta.")
    assert scored.log_probabilities == pytest.approx(by_hand[1:], abs=1e-5)


def test_seq2seq_says_that_a_reply_is_too_long_to_score(tmp_path):
    bart = Seq2SeqGenerator(str(save_bart(tmp_path)), device="cpu")
    with pytest.raises(InputError, match=r"a reply of 602 tokens does not fit into the 512"):
        score(bart, request(), "x" * 600)


def test_seq2seq_is_cheap_to_import():
    done = subprocess.run(
        [sys.executable, "-c", "import sys, frontdesk.generation.voice.seq2seq; "
         "raise SystemExit('torch' in sys.modules or 'transformers' in sys.modules)"], check=False)
    assert done.returncode == 0
