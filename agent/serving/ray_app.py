"""The service on Ray Serve: ``serve run frontdesk.agent.serving.ray_app:build keys=…``.

Replicas keep nothing but what they can load again: the sessions lie in PostgreSQL and the bookings
in a calendar that all of them reach, so any of them can answer any turn. With SQLite there can be
one replica only. A calendar that is a file is for replicas on one machine; of one on a CalDAV
server each machine keeps a journal, and cannot take back what was done on another.
"""

from __future__ import annotations

import os
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

from pydantic import TypeAdapter, ValidationError

from frontdesk.agent.domains.domain_pack import Source
from frontdesk.agent.domains.domain_registry import DOMAINS
from frontdesk.agent.serving.app import make_app
from frontdesk.agent.serving.assemble_service import Served, assemble, keys_of
from frontdesk.agent.serving.operations.logs import set_up_logs
from frontdesk.agent.serving.operations.memory import bound_memory
from frontdesk.agent.serving.serve_options import STOPPED_AFTER_S, ServeOptions
from frontdesk.agent.settings.settings import Settings
from frontdesk.kg.graph.errors import InputError
from frontdesk.kg.graph.optional_packages import import_extra

if TYPE_CHECKING:
    from fastapi import FastAPI

#: Requests that a replica takes at once. It refuses turns itself when too many wait, and those
#: that only wait for events cost it nothing.
_MOST_AT_ONCE = 1000


def build(arguments: dict[str, Any]) -> Any:
    """The application for ``serve run`` and ``serve deploy``.

    Args:
        arguments: Options of ``frontdesk serve`` by their names in
            :class:`~frontdesk.agent.serving.serve_options.ServeOptions`, and the sources of the
            domain by theirs; ``keys``, here or in the settings, is needed. Ray shows them to
            whoever sees its dashboard: passwords belong into the settings file or the environment.

    Raises:
        InputError: There is no such option, or it has another type.
        MissingExtraError: Ray is not installed.
    """
    import_extra("ray", "frontdesk on Ray Serve")
    from ray import serve

    deployment: Any = serve.deployment(
        name="receptionist", max_ongoing_requests=_MOST_AT_ONCE,
        graceful_shutdown_timeout_s=STOPPED_AFTER_S)(serve.ingress()(Replica))
    return deployment.bind(options_from(arguments))


def options_from(arguments: dict[str, Any]) -> ServeOptions:
    """The options that arguments of the application name.

    Raises:
        InputError: There is no such option, or it has another type.
    """
    sources = {source.name: source for pack in DOMAINS.values() for source in pack.sources}
    known = [*(each.name for each in fields(ServeOptions) if each.name != "sources"), *sources]
    if unknown := sorted(set(arguments) - set(known)):
        raise InputError(f"unknown argument {unknown[0]!r}", place="args",
                         remedy=f"Known are {', '.join(known)}")
    options: ServeOptions = _read(TypeAdapter(ServeOptions), {
        name: value for name, value in arguments.items() if name not in sources})
    return replace(options, sources={name: _of_source(source, arguments[name])
                                     for name, source in sources.items() if name in arguments})


def _of_source(source: Source, value: Any) -> Any:
    adapter: TypeAdapter[Any] = TypeAdapter(source.type)
    if not source.many:
        return _read(adapter, value, source.name)
    return [_read(adapter, each, source.name)
            for each in _read(TypeAdapter(list[Any]), value, source.name)]


def _read(adapter: TypeAdapter[Any], value: Any, name: str = "") -> Any:
    """A value of the type of an adapter.

    Raises:
        InputError: It has another type.
    """
    try:
        return adapter.validate_python(value)
    except ValidationError as error:
        wrong = error.errors()[0]
        where = ".".join(map(str, (*filter(None, [name]), *wrong["loc"])))
        raise InputError(f"{where} is {wrong['input']!r}: {wrong['msg']}", place="args",
                         remedy="Correct it") from None


class Replica:
    """One replica of the service.

    Raises:
        InputError: There are no keys, or several replicas would each keep what is theirs.
        FrontdeskError: The organisation, the keys, the database or the components cannot be
            loaded.
    """

    def __init__(self, options: ServeOptions) -> None:
        self._served: Served | None = None
        os.environ.setdefault("HF_HUB_OFFLINE", "1")  # as in the command line
        settings = options.settings()
        set_up_logs(settings.serve)
        bound_memory()
        keys = keys_of(settings)
        if not keys.are_set:
            raise InputError("there are no keys, and the port of Ray Serve can be reached from "
                             "other machines", remedy="Name a file of keys: args: {keys: FILE}")
        from ray import serve

        check_shared(serve.get_replica_context().world_size, options, settings)
        self._served = assemble(options, settings)
        self._served.keep_in_order()
        self._app = make_app(self._served.conversations, keys)

    def __serve_build_asgi_app__(self) -> FastAPI:
        """Ray asks for the application so."""
        return self._app

    def __del__(self) -> None:
        """Ray calls it when no turn is under way any more."""
        if self._served is not None:
            self._served.close()


def check_shared(replicas: int, options: ServeOptions, settings: Settings) -> None:
    """Several replicas must keep what they keep in the same place.

    Raises:
        InputError: They would not.
    """
    if replicas == 1:
        return
    if settings.serve.database.startswith("sqlite"):
        raise InputError(f"{replicas} replicas cannot keep their sessions in SQLite",
                         remedy="Set serve.database to postgresql+psycopg://…, or num_replicas "
                                "to 1")
    if settings.actions.enabled and not options.calendar:
        raise InputError(f"{replicas} replicas would each book in a memory of their own",
                         remedy="Name a calendar: args: {calendar: URL}")
