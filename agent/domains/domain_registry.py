"""Which domains there are: those that come with frontdesk, and those that others bring.

A package brings one by an entry point of the group ``frontdesk.domains`` that is a
:class:`~frontdesk.agent.domains.domain_pack.DomainPack`; a program by :func:`register`.
"""

from __future__ import annotations

import argparse
import logging
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from frontdesk.agent.domains.car_pack import CAR_PACK
from frontdesk.agent.domains.domain_pack import DomainPack, Loaded
from frontdesk.agent.domains.organisation_pack import ORGANISATION_PACK
from frontdesk.data.datasets.data_set import DataSet, Evaluation
from frontdesk.kg.graph.errors import InputError

GROUP = "frontdesk.domains"
_LOG = logging.getLogger("frontdesk.domains")
#: The packs by name; see :func:`register`.
DOMAINS: dict[str, DomainPack[Any]] = {}
#: Why the domains that packages bring and that cannot be used cannot, by name.
UNUSABLE: dict[str, str] = {}
#: Talked about where nothing else is said.
DEFAULT: DomainPack[Any] = ORGANISATION_PACK


def register(pack: DomainPack[Any]) -> None:
    """Add a domain.

    Raises:
        ValueError: There is another of that name, its schema has another name, one of its
            sources is read otherwise than another's of that name, or another has a data set of the
            name of one of its.
    """
    if pack.name != pack.schema.name:
        raise ValueError(f"the domain {pack.name!r} has the schema of {pack.schema.name!r}")
    if DOMAINS.get(pack.name, pack) is not pack:
        raise ValueError(f"there is a domain {pack.name!r} already")
    for other in DOMAINS.values():
        for source in pack.sources:
            if any(each.name == source.name and (each.type, each.many) != (source.type, source.many)
                   for each in other.sources):
                raise ValueError(f"--{source.name} of {pack.name!r} is read otherwise than that of "
                                 f"{other.name!r}")
        for each in pack.datasets:
            if other is not pack and each.name in [theirs.name for theirs in other.datasets]:
                raise ValueError(f"{pack.name!r} has a data set of the name {each.name!r}, and so "
                                 f"has {other.name!r}")
    DOMAINS[pack.name] = pack


def pack_named(name: str) -> DomainPack[Any]:
    """The domain of that name.

    Raises:
        InputError: There is none.
    """
    if name not in DOMAINS:
        raise InputError(UNUSABLE.get(name, f"there is no domain {name!r}"),
                         remedy=f"Choose one of {', '.join(DOMAINS)}")
    return DOMAINS[name]


def data_sets(evaluation: Evaluation | None = Evaluation.TURNS) -> dict[str, DataSet]:
    """The data sets of all domains that are evaluated in a way, or in any, by name."""
    return {each.name: each for pack in DOMAINS.values() for each in pack.datasets
            if evaluation in (None, each.evaluation)}


def titles(chosen: Callable[[DataSet], object] = bool) -> str:
    """The data sets with dialogues that are chosen, in words."""
    return " or ".join(each.title for each in data_sets().values() if chosen(each))


def pack_of_dataset(dataset: str) -> DomainPack[Any]:
    """The domain that a data set is about.

    Raises:
        InputError: It is about none.
    """
    for pack in DOMAINS.values():
        if dataset in [each.name for each in pack.datasets]:
            return pack
    raise InputError(f"no domain has the data set {dataset!r}",
                     remedy=f"Choose one of {', '.join(data_sets(None))}")


def pack_about(topic: str) -> DomainPack[Any] | None:
    """The domain of that name, or with dialogues about such; None where there is none."""
    return next((pack for pack in DOMAINS.values() if topic == pack.name
                 or any(topic in each.topics for each in pack.datasets)), None)


def add_domain(parser: argparse.ArgumentParser, said: str, default: str | None = None) -> None:
    """Add ``--domain`` to a command.

    Args:
        default: The domain where none is named.
    """
    parser.add_argument("--domain", type=_usable, choices=tuple(DOMAINS), default=default,
                        help=said)


def _usable(name: str) -> str:
    if name in UNUSABLE and name not in DOMAINS:
        raise argparse.ArgumentTypeError(UNUSABLE[name])
    return name


def add_sources(parser: argparse.ArgumentParser) -> None:
    """Add ``--domain`` and the sources of all domains to a command."""
    add_domain(parser, f"what is talked about ({DEFAULT.name})", DEFAULT.name)
    known: set[str] = set()
    for pack in DOMAINS.values():
        for source in pack.sources:
            if source.name in known:
                continue
            known.add(source.name)
            several: dict[str, Any] = {"nargs": "+", "action": "extend", "default": []} \
                if source.many else {}
            parser.add_argument(
                f"--{source.name}", type=source.type, metavar=source.metavar,
                help=source.help if pack is DEFAULT else f"{pack.name}: {source.help}", **several)


def given_sources(options: argparse.Namespace) -> dict[str, Any]:
    """The sources that the options of a command give, by their names."""
    names = {source.name for pack in DOMAINS.values() for source in pack.sources}
    given = {name: getattr(options, name, None) for name in sorted(names)}
    return {name: value for name, value in given.items() if value not in (None, [], ())}


def load_domain(name: str, sources: Mapping[str, Any]) -> Loaded[Any]:
    """Load a domain from its sources.

    Args:
        sources: By the names of the options that give them.

    Raises:
        InputError: There is no such domain, or a source is none of its, or one is missing,
            malformed or does not go with another.
        FormatError: A file cannot be read.
    """
    pack = pack_named(name)
    own = [source.name for source in pack.sources]
    for source in sources:
        if source not in own:
            others = " or ".join(f"--domain {other.name}" for other in DOMAINS.values()
                                 if source in [each.name for each in other.sources])
            raise InputError(f"--{source} is no source of the domain {name}",
                             place=f"--{source} {_said(sources[source])}",
                             remedy=f"Leave it out, or say {others}" if others else "Leave it out")
    return pack.load(**sources)


def watched_files(name: str, sources: Mapping[str, Any], others: Sequence[str] = ()
                  ) -> list[Path]:
    """The files among a domain's sources that may change while they are served; of folders, all.

    Args:
        others: Files and folders beside the sources, as those of the settings are.
    """
    values = [sources[source.name] for source in pack_named(name).sources
              if source.watched and source.name in sources]
    named = [each for value in values
             for each in (value if isinstance(value, list | tuple) else (value,))]
    return [file for path in map(Path, (*named, *others)) if path.exists() for file in
            (sorted(filter(Path.is_file, path.rglob("*"))) if path.is_dir() else [path])]


def _said(value: Any) -> str:
    return " ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


for _pack in (ORGANISATION_PACK, CAR_PACK):
    register(_pack)
for _entry in entry_points(group=GROUP):
    try:
        register(_entry.load())
    except Exception as _error:  # noqa: BLE001 - another's package must not end every command
        UNUSABLE[_entry.name] = (
            f"the domain {_entry.name} ({_entry.value}) cannot be used: {_error}. Repair or remove "
            "the package that brings it")
        _LOG.warning("%s", UNUSABLE[_entry.name])
