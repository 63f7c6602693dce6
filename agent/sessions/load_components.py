"""Loads the components that the settings name."""

from __future__ import annotations

import sys
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from frontdesk.agent.domains.domain_pack import DomainPack
from frontdesk.agent.settings.settings import Condition, Settings
from frontdesk.agent.understanding.meaning import MeaningReader
from frontdesk.generation.voice.generator import Generator
from frontdesk.kg.graph.logical_forms import Language
from frontdesk.kg.graph.schema import Schema
from frontdesk.kg.parser.parser_weights import PACKAGED
from frontdesk.kg.parser.trained_parser import TrainedParser
from frontdesk.kg.sources.house_documents import HouseDocuments, Passage, read_house
from frontdesk.scoring.encoder import (
    CachedEncoder,
    MiniLMEncoder,
    SentenceEncoder,
    SentenceTransformerEncoder,
)
from frontdesk.scoring.relevance import RelevanceScorer
from frontdesk.scoring.relevance_model import load_network


def with_house(settings: Settings, house: HouseDocuments) -> tuple[Settings, tuple[Passage, ...]]:
    """Settings with the rules of house documents and of those that they name, and what the house
    says in all of them.

    Raises:
        FormatError: Something is wrong in a document.
    """
    house = house.with_others(read_house(settings.house.files))
    return replace(settings, rules=replace(settings.rules, files=tuple(dict.fromkeys(
        (*settings.rules.files, *house.rules))))), house.passages


def load_bare_encoder(settings: Settings) -> SentenceEncoder:
    """The sentence encoder that the settings name."""
    name = settings.encoder.name
    return MiniLMEncoder() if name == MiniLMEncoder.name else SentenceTransformerEncoder(name)


def load_encoder(settings: Settings) -> CachedEncoder:
    """The sentence encoder that the settings name, with its cache on disk."""
    path = Path(settings.encoder.cache) / "embeddings.sqlite" if settings.encoder.cache else None
    return CachedEncoder(load_bare_encoder(settings), path)


def load_relevance(settings: Settings) -> RelevanceScorer | None:
    """The relevance model that the settings name; None for weights set by hand.

    Raises:
        MissingModelError: It is not there or cannot be used.
    """
    return load_network(Path(settings.relevance.model)) if settings.relevance.model else None


@lru_cache(maxsize=2)
def load_meaning(folder: str, schema: Schema) -> MeaningReader:
    """What reads the logical forms of utterances; one for all agents of a process.

    Args:
        folder: Of the parser; empty for the one that comes with frontdesk.
        schema: Of the domain whose forms are read.

    Raises:
        MissingModelError: The weights cannot be used.
    """
    return MeaningReader(TrainedParser(
        Language(schema), Path(folder) if folder else PACKAGED))


def load_generator(settings: Settings, pack: DomainPack[Any]) -> Generator | None:
    """The generator of the settings' profile; None for templates, the domain's realiser.

    Raises:
        UnavailableError: A model or package that the profile needs is missing.
    """
    # All facts are cut where the generator's input ends, not at a number.
    most_facts = sys.maxsize if settings.knowledge.condition == Condition.ALL_FACTS \
        else settings.knowledge.most_facts(pack.most_facts)
    if settings.profile == "godel":
        from frontdesk.generation.voice.seq2seq import Seq2SeqGenerator

        return Seq2SeqGenerator(settings.godel.model, num_beams=settings.godel.beams,
                                max_new_tokens=settings.godel.max_new_tokens,
                                max_facts=most_facts)
    if settings.profile == "openai":
        from frontdesk.generation.voice.openai_client import OpenAIGenerator

        endpoint = settings.openai
        return OpenAIGenerator(endpoint.base_url, endpoint.model,
                               api_key_env=endpoint.api_key_env, timeout_s=endpoint.timeout_s,
                               max_retries=endpoint.max_retries,
                               max_facts=most_facts, instruction=pack.chat_instruction)
    if settings.profile == "causal":
        from frontdesk.generation.voice.causal_lm import CausalLMGenerator

        return CausalLMGenerator(settings.causal.model, num_beams=settings.causal.beams,
                                 max_new_tokens=settings.causal.max_new_tokens,
                                 max_facts=most_facts, instruction=pack.chat_instruction)
    model = settings.embedded.model or pack.weights
    if settings.embedded.words == "templates" or model is None:
        return None
    from frontdesk.generation.voice.embedded import EmbeddedGenerator

    return EmbeddedGenerator(
        model,
        samples=None if settings.embedded.samples < 0 else settings.embedded.samples,
        temperature=settings.embedded.temperature,
        num_beams=settings.embedded.beams, max_new_tokens=settings.embedded.max_new_tokens,
        max_facts=most_facts)
