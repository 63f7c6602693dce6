"""Settings: the packaged defaults, overridden by a file, by the environment and by flags."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from importlib.resources import files
from pathlib import Path
from typing import Any

from frontdesk.kg.errors import FormatError, InputError

PROFILES = ("embedded", "godel", "openai")


class Condition(StrEnum):
    """Which facts reach the generator (paper, section 4.2).

    ``NO_FACTS``: none. ``ALL_FACTS``: all stored and derived facts, shuffled, as many as fit into
    the generator's input. ``RELEVANCE``: the most relevant stored facts. ``RELEVANCE_LOGIC``: the
    most relevant stored and derived facts.
    """

    NO_FACTS = "no-facts"
    ALL_FACTS = "all-facts"
    RELEVANCE = "relevance"
    RELEVANCE_LOGIC = "relevance+logic"


@dataclass(frozen=True)
class KnowledgeSettings:
    """Which facts reach the generator, and how many."""

    condition: str = Condition.RELEVANCE_LOGIC.value
    facts: int = 10
    seed: int = 0


@dataclass(frozen=True)
class CheckSettings:
    """What the checks of a reply lead to."""

    repair: bool = True


@dataclass(frozen=True)
class EncoderSettings:
    """The sentence encoder and where its embeddings are kept."""

    name: str = "all-MiniLM-L6-v2"
    cache: str = ""


@dataclass(frozen=True)
class GodelSettings:
    """The sequence-to-sequence generator."""

    model: str = "microsoft/GODEL-v1_1-base-seq2seq"
    beams: int = 4
    max_new_tokens: int = 96


@dataclass(frozen=True)
class OpenAISettings:
    """The OpenAI-compatible endpoint."""

    base_url: str = "https://api.openai.com/v1"
    model: str = "gpt-4o-mini"
    api_key_env: str = "OPENAI_API_KEY"
    timeout_s: float = 30.0
    max_retries: int = 2


@dataclass(frozen=True)
class Settings:
    """All settings; ``default.toml`` says what each means."""

    profile: str = "embedded"
    knowledge: KnowledgeSettings = field(default_factory=KnowledgeSettings)
    check: CheckSettings = field(default_factory=CheckSettings)
    encoder: EncoderSettings = field(default_factory=EncoderSettings)
    godel: GodelSettings = field(default_factory=GodelSettings)
    openai: OpenAISettings = field(default_factory=OpenAISettings)


def load_settings(path: Path | None = None, *, environment: Mapping[str, str] | None = None,
                  profile: str | None = None) -> Settings:
    """The settings in force.

    Args:
        path: A TOML file that overrides the packaged defaults.
        environment: ``os.environ`` by default; ``FRONTDESK_...`` override the file.
        profile: Overrides everything else's profile.

    Raises:
        FormatError: The file is no TOML.
        InputError: A key is unknown, a value has the wrong type, or there is no such profile.
    """
    default = (files("frontdesk.agent") / "default.toml").read_text(encoding="utf-8")
    settings = _apply(Settings(), tomllib.loads(default), "default.toml")
    if path is not None:
        settings = _apply(settings, _read(path), str(path))
    settings = _apply_environment(settings, os.environ if environment is None else environment)
    if profile is not None:
        settings = replace(settings, profile=profile)
    if settings.profile not in PROFILES:
        raise InputError(f"there is no profile {settings.profile!r}",
                         remedy=f"Choose one of {', '.join(PROFILES)}")
    if settings.knowledge.condition not in tuple(Condition):
        raise InputError(f"knowledge.condition is {settings.knowledge.condition!r}",
                         remedy=f"Choose one of {', '.join(Condition)}")
    if settings.knowledge.facts < 1:
        raise InputError(f"knowledge.facts is {settings.knowledge.facts}",
                         remedy="Give at least 1")
    return settings


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"cannot read the settings file {path} ({error.strerror})",
                         remedy="Check the path") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise FormatError(f"not a TOML file ({error})", place=str(path),
                          remedy="Start from the packaged agent/default.toml") from error


def _apply(settings: Settings, data: Mapping[str, Any], place: str) -> Settings:
    known = {each.name for each in fields(settings)}
    for key, value in data.items():
        if key not in known:
            raise InputError(f"unknown setting {key!r}", place=place,
                             remedy=f"Known are {', '.join(sorted(known))}")
        current = getattr(settings, key)
        if isinstance(current, str):
            settings = replace(settings, **{key: _typed(value, current, key, place)})
            continue
        if not isinstance(value, Mapping):
            raise InputError(f"{key} must be a table, not {value!r}", place=place,
                             remedy=f"Write [{key}]")
        section_keys = {each.name for each in fields(current)}
        for name, entry in value.items():
            if name not in section_keys:
                raise InputError(f"unknown setting {key}.{name}", place=place,
                                 remedy=f"Known are {', '.join(sorted(section_keys))}")
            entry = _typed(entry, getattr(current, name), f"{key}.{name}", place)
            current = replace(current, **{name: entry})
        settings = replace(settings, **{key: current})
    return settings


def _typed(value: Any, current: Any, key: str, place: str) -> Any:
    if isinstance(current, float) and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if type(value) is not type(current):
        raise InputError(f"{key} must be of type {type(current).__name__}, not {value!r}",
                         place=place, remedy="Correct the value")
    return value


def _apply_environment(settings: Settings, environment: Mapping[str, str]) -> Settings:
    data: dict[str, Any] = {}
    for section in fields(settings):
        current = getattr(settings, section.name)
        if isinstance(current, str):
            value = environment.get(f"FRONTDESK_{section.name.upper()}")
            if value:
                data[section.name] = value
            continue
        for entry in fields(current):
            variable = f"FRONTDESK_{section.name.upper()}_{entry.name.upper()}"
            value = environment.get(variable)
            if value:
                data.setdefault(section.name, {})[entry.name] = _parsed(
                    value, getattr(current, entry.name), variable)
    return _apply(settings, data, "environment")


def _parsed(value: str, current: Any, variable: str) -> Any:
    try:
        if isinstance(current, bool):
            return {"true": True, "false": False}[value.lower()]
        return type(current)(value)
    except (ValueError, KeyError) as error:
        raise InputError(f"{variable} is {value!r}, not a {type(current).__name__}",
                         place="environment", remedy="Correct or unset it") from error
