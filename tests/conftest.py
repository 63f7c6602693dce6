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


@pytest.fixture(scope="session")
def graphwoz_dev() -> Path:
    """The GraphWOZ development split, where the environment says that it is there."""
    folder = os.environ.get("FRONTDESK_DATA")
    path = Path(folder or "") / "graphwoz" / "graphwoz_dev.json.gz"
    if not folder or not path.is_file():
        pytest.skip("FRONTDESK_DATA does not name a folder with graphwoz/graphwoz_dev.json.gz")
    return path
