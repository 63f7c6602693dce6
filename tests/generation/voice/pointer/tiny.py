"""A tiny pointer-generator with random weights, and sources for it."""

from __future__ import annotations

import datetime as dt

import torch

from frontdesk.generation.voice.embedded import encode
from frontdesk.generation.voice.pointer.config import PointerConfig
from frontdesk.generation.voice.pointer.model import PointerGeneratorModel
from frontdesk.generation.voice.pointer.source import SourceFact, read_source
from frontdesk.generation.voice.pointer.states import StateReader
from frontdesk.generation.voice.pointer.unit_vocabulary import SPECIAL, Vocabulary
from frontdesk.kg.graph.dialogue_graph import AGENT, USER

WORDS = Vocabulary([*SPECIAL, "<time-12 pm>", "'s", ",", ".", "?", "Her", "at", "her", "in", "is",
                    "no", "office", "the", "yes"])
PREDICATES = ("office", "phone", "starts")
NAMES = {"p_ada": ("Ada Berg", "person"), "r_zeta": ("Zeta", "room"), "r_eta": ("Eta", "room"),
         "e_talk": ("lens talk", "event")}
QUESTION = ((USER, "Who is Ada Berg?"), (AGENT, "She is in sales."), (USER, "Where is her office?"))
OFFICE = SourceFact("Ada Berg's office is Zeta.", "office", ("p_ada", "r_zeta"), 0.9, linked=True)
START = SourceFact("The lens talk starts at 14:30.", "starts", ("e_talk", dt.time(14, 30)), 0.4)


class Names:
    """What the entities of the facts above are called."""

    def plain_name(self, entity_id: str) -> tuple[str, str] | None:
        return NAMES.get(entity_id)


def tiny_model(*, seed: int = 0, **shape: object) -> PointerGeneratorModel:
    """A model in evaluation mode whose probabilities differ enough to tell them apart."""
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        model = PointerGeneratorModel(PointerConfig(**{
            "vocabulary": list(WORDS.entries), "predicates": list(PREDICATES), "d_model": 32,
            "most_positions": 24, **shape}))
        with torch.no_grad():
            for each in model.parameters():
                each += 0.1 * torch.randn_like(each)
    return model.eval()


def source(history=QUESTION, facts=(OFFICE, START)):
    """What a model reads of a history and of facts."""
    return read_source(history, facts, Names(),
                       {name: number for number, name in enumerate(PREDICATES)})


def encoded(reader: StateReader, *arguments):
    """A source as arrays."""
    read = source(*arguments)
    return encode(read, WORDS.slots(read), reader.read(read))
