"""The settings in force: the packaged defaults, overridden by a file, the environment and flags."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import fields, replace
from importlib.resources import files
from pathlib import Path
from typing import Any

from frontdesk.agent.settings.settings import PROFILES, SHOWN, Condition, Repair, Settings
from frontdesk.kg.graph.errors import FormatError, InputError
from frontdesk.kg.sources.house_documents import read_house

#: The least and the most that numbers may be.
_RANGES: Mapping[str, tuple[float, float]] = {
    "knowledge.facts": (-1, 1000), "house.least": (0, 1.3), "rules.deadline_s": (0, 86400),
    "check.candidates": (1, 64), "check.alpha": (0, 1), "check.top_p": (0.01, 1),
    "check.budget_ms": (0, 600_000),
    "actions.minutes": (5, 1440), "actions.opens": (0, 23), "actions.closes": (1, 24),
    "actions.days": (1, 365), "notices.timeout_s": (0.1, 120), "notices.give_up_days": (0.01, 365),
    "embedded.samples": (-1, 1024), "embedded.temperature": (0.01, 10),
    "serve.workers": (1, 256), "serve.waiting": (0, 10_000), "serve.hurried": (0, 10_000),
    "serve.patience_s": (0, 600), "serve.lease_s": (1, 3600),
    "serve.longest_text": (1, 1_000_000),
    "serve.longest_body": (1000, 100_000_000), "serve.remembered": (2, 2000),
    "serve.keep_days": (0.0001, 36_500), "serve.processes": (1, 256),
    "serve.reload_s": (0, 86_400), "serve.turns_per_minute": (0, 1_000_000),
    "serve.guesses_per_minute": (0, 1_000_000), "serve.sessions_per_caller": (0, 1_000_000_000),
    "serve.body_timeout_s": (0.1, 3600),
    "openai.timeout_s": (0.01, 86400), "openai.max_retries": (0, 100),
    **{f"{section}.beams": (1, 64) for section in ("embedded", "godel", "causal")},
    **{f"{section}.max_new_tokens": (1, 4096) for section in ("embedded", "godel", "causal")}}
#: Files and folders, relative to the settings file.
_PATHS = ("rules.linking_weights", "understanding.parser", "relevance.model",
          "embedded.model", "check.reader", "check.thresholds", "serve.keys", "serve.jwt_keys")
_CHOICES: Mapping[str, tuple[str, ...]] = {
    "profile": PROFILES, "knowledge.condition": tuple(Condition), "check.repair": tuple(Repair),
    "check.q2": ("embedded", "hub"), "embedded.words": ("model", "templates"),
    "notices.smtp_tls": ("starttls", "tls", "none"), "serve.log_format": ("json", "text"),
    "serve.log_level": ("debug", "info", "warning", "error")}


def load_settings(path: Path | None = None, *, environment: Mapping[str, str] | None = None,
                  profile: str | None = None) -> Settings:
    """The settings in force.

    Args:
        path: A TOML file that overrides the packaged defaults.
        environment: ``os.environ`` by default; ``FRONTDESK_...`` override the file.
        profile: Overrides everything else's profile.

    Raises:
        FormatError: The file is no TOML, or something is wrong in a rule file or a house document
            that it names.
        InputError: A key is unknown, a value has the wrong type, a rule file cannot be read, or
            there is no such profile.
    """
    default = (files(__package__) / "default.toml").read_text(encoding="utf-8")
    settings = _apply(Settings(), tomllib.loads(default), "default.toml")
    if path is not None:
        settings = _apply(settings, _read(path), str(path))
        settings = _beside(settings, path)
    settings = _apply_environment(settings, os.environ if environment is None else environment)
    if profile is not None:
        settings = replace(settings, profile=profile)
    _check_choice("profile", settings.profile, "the command line")
    for role in ("visitors", "employees"):
        for entry in getattr(settings.access, role):
            if entry not in SHOWN:
                raise InputError(f"access.{role} has {entry!r}",
                                 remedy=f"Choose from {', '.join(SHOWN)}")
    house = read_house(settings.house.files)
    if rules := (*settings.rules.files, *house.rules):
        # What is wrong in them is said before anything starts.
        from frontdesk.rules.house_rules.rule_files import load_user_rules

        load_user_rules(rules)
    return settings


def range_of(key: str) -> tuple[float, float] | None:
    """The least and the most that a number may be, ``check.alpha`` for example; None for any."""
    return _RANGES.get(key)


def choices_of(key: str) -> tuple[str, ...]:
    """What a text must be one of; empty for any text."""
    return _CHOICES.get(key, ())


def _beside(settings: Settings, path: Path) -> Settings:
    """Settings with relative paths taken from the folder of the settings file."""
    for section in ("rules", "house"):
        current = getattr(settings, section)
        settings = replace(settings, **{section: replace(
            current, files=tuple(str(path.parent / each) for each in current.files))})
    for key in _PATHS:
        section, name = key.split(".")
        current = getattr(settings, section)
        if (given := getattr(current, name)) and "://" not in given:
            settings = replace(settings, **{section: replace(
                current, **{name: str(path.parent / given)})})
    for section, name in (("godel", "model"), ("causal", "model"), ("check", "hub_questions"),
                          ("check", "hub_reader"), ("check", "hub_entailment")):
        current = getattr(settings, section)
        settings = replace(settings, **{section: replace(
            current, **{name: _model_beside(path, getattr(current, name))})})
    return settings


def _model_beside(path: Path, name: str) -> str:
    """The folder of a model beside the settings file where there is one, else a hub's name."""
    folder = path.parent / name
    return str(folder) if name.startswith(".") or folder.is_dir() else name


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"cannot read the settings file {path} ({error.strerror})",
                         remedy="Check the path") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise FormatError(f"not a TOML file ({error})", place=str(path),
                          remedy="Start from the packaged agent/settings/default.toml") from error


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
        value = float(value)
    if isinstance(current, tuple):
        if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
            raise InputError(f"{key} must be a list of texts, not {value!r}", place=place,
                             remedy='Write for example ["house.pl"]')
        return tuple(value)
    if type(value) is not type(current):
        raise InputError(f"{key} must be of type {type(current).__name__}, not {value!r}",
                         place=place, remedy="Correct the value")
    _check_choice(key, value, place)
    if key == "knowledge.facts" and value == 0:
        raise InputError(f"{key} is 0", place=place,
                         remedy='Give 1 or more, or set knowledge.condition to "no-facts"')
    if key in _RANGES:
        least, most = _RANGES[key]
        if not least <= value <= most:
            raise InputError(f"{key} is {value:g}", place=place,
                             remedy=f"Give a number from {least:g} to {most:g}")
    return value


def _check_choice(key: str, value: Any, place: str) -> None:
    if key in _CHOICES and value not in _CHOICES[key]:
        raise InputError(f"{key} is {value!r}", place=place,
                         remedy=f"Choose one of {', '.join(_CHOICES[key])}")


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
        if isinstance(current, tuple):
            return re.split(r":(?=\w+://)", value) if "://" in value else value.split(os.pathsep)
        return type(current)(value)
    except (ValueError, KeyError) as error:
        raise InputError(f"{variable} is {value!r}, not a {type(current).__name__}",
                         place="environment", remedy="Correct or unset it") from error
