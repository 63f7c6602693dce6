"""A model card says everything there is to know, and any text in it stays text."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import replace

import pytest
import torch
from markdown_it import MarkdownIt

from frontdesk.agent.training.model_card import (
    ModelCard,
    card_file,
    hardware,
    trained_parameters,
    versions_of,
    write_model_card,
)
from frontdesk.kg.graph.errors import InputError

from .toy_training import Net


@pytest.fixture
def card(tmp_path) -> ModelCard:
    (tmp_path / "best.safetensors").write_bytes(b"weights")
    (tmp_path / "talks.json").write_text("[]")
    return ModelCard(
        name="sign adder", description="A network that adds signs.",
        intended_use="Sums of three signs.", limits=["Adds no numbers.", "Knows three signs."],
        weights=["best.safetensors"], data=[card_file(tmp_path / "talks.json", dialogues=12)],
        command="frontdesk train signs --seed 3", settings={"epochs": 6, "learning_rate": 0.02},
        versions=versions_of("torch"), seed=3, hardware=hardware(torch.device("cpu")),
        seconds=3725.4, figures={"adder": {"accuracy": 0.98765, "f1": 0.5},
                                 "chance": {"accuracy": 0.37, "f1": None}},
        examples=[("+ + -", "above 0")], trained_parameters=trained_parameters(Net()))


def rendered(text: str) -> str:
    return MarkdownIt("gfm-like", {"linkify": False}).render(text)


def cells(html: str) -> list[str]:
    return re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", html)


def test_card_says_what_the_model_is_and_was_made_from(card, tmp_path):
    write_model_card(tmp_path, card)
    html = rendered((tmp_path / "README.md").read_text())
    assert re.findall(r"<h\d>(.*?)</h\d>", html) == [
        "sign adder", "Intended use", "Limits", "Data", "Training", "Figures on development data",
        "Examples", "Files"]
    assert html.count("<li>") == 2
    found = cells(html)
    for expected in ("talks.json", hashlib.sha256(b"[]").hexdigest(), "12 dialogues",
                     "frontdesk train signs --seed 3", f"{torch.__version__}", "1 h 02 min 05 s",
                     "3", "0.02", "adder", "0.9877", "chance", "0.37", "–", "+ + -", "above 0",
                     hashlib.sha256(b"weights").hexdigest()):
        assert any(expected in cell for cell in found), expected
    assert f"{trained_parameters(Net()):,}" in found


def test_card_is_there_for_programs_too(card, tmp_path):
    write_model_card(tmp_path, card)
    found = json.loads((tmp_path / "provenance.json").read_text())
    assert found["schema"] == 1
    assert found["weights"] == {"best.safetensors": hashlib.sha256(b"weights").hexdigest()}
    assert found["data"] == [{"name": "talks.json", "sha256": hashlib.sha256(b"[]").hexdigest(),
                              "counts": {"dialogues": 12}}]
    assert found["figures"]["chance"] == {"accuracy": 0.37, "f1": None}
    assert found["settings"] == {"epochs": 6, "learning_rate": 0.02}
    assert found["seconds"] == 3725.4
    assert found["versions"].keys() == {"frontdesk", "python", "torch"}


@pytest.mark.parametrize("text", [
    "a | b", "<script>alert(1)</script>", "[here](http://x.example)", "**bold** _it_ `code`",
    "# no heading", "- no item", "1. no item", "+ no item", "--- ", "===", "> no quote",
    "&lt;", "\\| end \\", "![x](y)", "~~gone~~", "```", "![", "$x$"])
def test_card_shows_any_text_as_it_is(text, card, tmp_path):
    hostile = replace(card, name=text, description=text, intended_use=text, limits=[text],
                      examples=[(text, f"{text}\n\n# x\n\u202e{text}\x00")], command=text)
    write_model_card(tmp_path, hostile)
    html = rendered((tmp_path / "README.md").read_text())
    shown = text.strip().replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    assert f"<h1>{shown}</h1>\n<p>{shown}</p>" in html
    assert f"<li>{shown}</li>" in html
    assert [f"{shown}", f"{shown} # x {shown}"] == cells(html)[-6:-4]
    assert set(re.findall(r"</?([a-z]\w*)", html)) <= {
        "h1", "h2", "p", "ul", "li", "table", "thead", "tbody", "tr", "th", "td"}
    assert json.loads((tmp_path / "provenance.json").read_text())["name"] == text


def test_card_without_figures_says_none(card, tmp_path):
    write_model_card(tmp_path, replace(card, figures={}, examples=[]))
    html = rendered((tmp_path / "README.md").read_text())
    assert html.count("<p>None.</p>") == 2


def test_card_wants_limits_weights_and_finite_figures(card, tmp_path):
    with pytest.raises(ValueError, match="limits"):
        write_model_card(tmp_path, replace(card, limits=[]))
    with pytest.raises(ValueError, match="JSON compliant"):
        write_model_card(tmp_path, replace(card, figures={"x": {"f1": float("nan")}}))
    with pytest.raises(InputError, match=r"cannot read .*lost\.safetensors"):
        write_model_card(tmp_path, replace(card, weights=["lost.safetensors"]))
    assert not (tmp_path / "README.md").exists()


def test_hardware_says_what_it_is_trained_on():
    assert re.fullmatch(r"\S+, \d+ cores?, \d+ threads?", hardware(torch.device("cpu")))
