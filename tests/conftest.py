"""Fixtures that several folders share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

SAMPLES = Path(__file__).parent / "samples"


@pytest.fixture(scope="session", autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory):
    """Tests neither read nor write the user's caches and state, and reach for no network."""
    folder = tmp_path_factory.mktemp("home")
    saved = {name: os.environ.get(name) for name in ("XDG_CACHE_HOME", "XDG_STATE_HOME",
                                                     "HF_HUB_OFFLINE")}
    os.environ.update(XDG_CACHE_HOME=str(folder / "cache"), XDG_STATE_HOME=str(folder / "state"),
                      HF_HUB_OFFLINE="1")
    yield
    for name, value in saved.items():
        if value is None:
            del os.environ[name]
        else:
            os.environ[name] = value


@pytest.fixture(scope="session")
def encoder(tmp_path_factory: pytest.TempPathFactory):
    """The real sentence encoder, loaded once."""
    from frontdesk.scoring.encoder import CachedEncoder, MiniLMEncoder

    return CachedEncoder(MiniLMEncoder(), tmp_path_factory.mktemp("encoder") / "e.sqlite")


def _data_file(*names: str) -> Path:
    """The first of some files of the folder FRONTDESK_DATA; skips when none is there."""
    folder = os.environ.get("FRONTDESK_DATA")
    for name in names:
        if folder and (Path(folder) / name).is_file():
            return Path(folder) / name
    pytest.skip(f"FRONTDESK_DATA does not name a folder with {' or '.join(names)}")


@pytest.fixture(scope="session")
def graphwoz_dev() -> Path:
    """The GraphWOZ development split, where the environment says that it is there."""
    return _data_file("graphwoz/graphwoz_dev.json.gz", "graphwoz/graphwoz_dev.json")


@pytest.fixture(scope="session")
def kvret_dev() -> Path:
    """The KVRET development split, where the environment says that it is there."""
    return _data_file("kvret/kvret_dev_public.json.gz", "kvret/kvret_dev_public.json")
