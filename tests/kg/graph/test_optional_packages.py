from __future__ import annotations

import builtins
import importlib.metadata
import re

import pytest

from frontdesk.kg.graph.errors import MissingExtraError
from frontdesk.kg.graph.optional_packages import EXTRAS, import_extra

#: Modules that are called otherwise than their packages.
MODULES = {"python_socketio": "socketio", "pyjwt": "jwt", "opentelemetry_sdk": "opentelemetry.sdk",
           "opentelemetry_exporter_otlp_proto_http": "opentelemetry.exporter.otlp.proto.http"}


@pytest.mark.parametrize(("module", "extra"), EXTRAS.items())
def test_a_missing_module_names_the_feature_and_the_extra(monkeypatch, module, extra):
    real = builtins.__import__
    monkeypatch.setattr("importlib.import_module", lambda name: real(f"_no_such_{name}"))
    with pytest.raises(MissingExtraError, match=rf"shiny.*pip install 'frontdesk\[{extra}\]'"):
        import_extra(module, "shiny")


def test_a_module_of_no_extra_is_our_mistake():
    with pytest.raises(KeyError):
        import_extra("numpy", "shiny")


def test_every_package_of_the_extras_is_guarded():
    metadata = importlib.metadata.metadata("frontdesk")
    declared = {}
    for line in metadata.get_all("Requires-Dist"):
        name, extra = re.match(r"([\w.-]+)", line)[1], re.search(r"extra == ['\"](\w+)", line)
        if extra and extra[1] != "dev":
            name = name.lower().replace("-", "_")
            declared[MODULES.get(name, name)] = extra[1]
    assert declared == EXTRAS


def test_an_installed_module_is_imported():
    assert import_extra("openai", "the openai profile").__name__ == "openai"
