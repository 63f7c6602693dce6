"""Optional dependencies: imports that name the extra which installs what is missing."""

from __future__ import annotations

import importlib
from types import ModuleType

from frontdesk.kg.graph.errors import MissingExtraError

#: Which extra installs an importable module.
EXTRAS: dict[str, str] = {
    "openai": "openai",
    "fastapi": "serve", "uvicorn": "serve", "sqlalchemy": "serve", "alembic": "serve",
    "socketio": "serve", "wsproto": "serve", "jwt": "serve", "prometheus_client": "serve",
    "opentelemetry.sdk": "serve", "opentelemetry.exporter.otlp.proto.http": "serve",
    "psycopg": "postgresql",
    "sacrebleu": "eval", "nltk": "eval", "bert_score": "eval",
    "ray": "ray",
    "caldav": "caldav",
    "tensorboard": "train", "accelerate": "train", "peft": "train",
}


def import_extra(module: str, feature: str) -> ModuleType:
    """Import a module that an extra installs.

    Args:
        module: One of :data:`EXTRAS`.
        feature: What needs it, for the message: ``the openai profile``.

    Raises:
        MissingExtraError: It is not installed; the message says how to install it.
        KeyError: No extra installs such a module.
    """
    extra = EXTRAS[module]
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise MissingExtraError(feature, extra) from error
