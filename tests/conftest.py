"""Fixtures that several folders share."""

from __future__ import annotations

import gc
import os
import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from .tiny_models import save_causal, save_t5

SAMPLES = Path(__file__).parent / "samples"
# How fast a machine is at making up cases is no failure.
settings.register_profile("any machine", suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any machine")


def pytest_configure() -> None:
    """Have what the tests start hear Ctrl-C, even where the tests run in the background and do not.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    gc.disable()  # until all is collected


def pytest_collection_finish() -> None:
    """What is imported and collected stays, so that there is no use in looking whether it can go.
    """
    gc.freeze()
    gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files with slow tests come first, so that no process is left with one at the end."""
    slow = {item.path for item in items if item.get_closest_marker("slow")}
    items.sort(key=lambda item: item.path not in slow)


#: By test function, whether each of its phrases was understood.
_UNDERSTOOD = pytest.StashKey[dict[str, list[bool]]]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]):
    """Phrases marked ``understood(share)`` are scored: so many of a test's must be understood.

    One that is not is expected to fail; the last fails with the share where that is too small.
    """
    report = yield
    mark = item.get_closest_marker("understood")
    if mark is None or report.when != "call" or getattr(report, "wasxfail", None) is not None \
            or (call.excinfo is not None and not call.excinfo.errisinstance(AssertionError)):
        return report
    name = item.nodeid.partition("[")[0]
    found = item.config.stash.setdefault(_UNDERSTOOD, {}).setdefault(name, [])
    found.append(report.passed)
    wanted = sum(each.nodeid.partition("[")[0] == name for each in item.session.items)
    least, right = float(mark.args[0]), sum(found)
    if len(found) == wanted > 1 and right < least * wanted:
        report.outcome = "failed"
        report.longrepr = f"{right} of {wanted} phrases were understood, not {least:.0%}"
    elif report.failed:
        report.outcome, report.wasxfail = "skipped", "this phrase was not understood"
    return report


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
def dev_dialogues(graphwoz_dev: Path):
    """Its dialogues by their ids, read once."""
    from frontdesk.data.datasets.graphwoz import load_graphwoz

    return load_graphwoz(graphwoz_dev)


@pytest.fixture(scope="session")
def kvret_dev() -> Path:
    """The KVRET development split, where the environment says that it is there."""
    return _data_file("kvret/kvret_dev_public.json.gz", "kvret/kvret_dev_public.json")


def _car(domain: str, rows: list[dict[str, str]]):
    from frontdesk.data.datasets.kvret import KvretDialogue
    from frontdesk.data.datasets.kvret_graph import kvret_graph

    columns = tuple(dict.fromkeys(column for row in rows for column in row))
    return kvret_graph(KvretDialogue(f"invented-{domain}", domain, columns, tuple(rows), ()))


@pytest.fixture(scope="session")
def car_weather():
    """The weather of two invented towns from a Wednesday on."""
    return _car("weather", [
        {"location": "port elba", "today": "wednesday",
         "monday": "snow, low of 10F, high of 30F", "tuesday": "blizzard, low of 5F, high of 20F",
         "wednesday": "foggy, low of 40F, high of 50F",
         "thursday": "drizzle, low of 45F, high of 60F",
         "friday": "clear skies, low of 50F, high of 75F",
         "saturday": "hot, low of 60F, high of 90F", "sunday": "hot, low of 65F, high of 90F"},
        {"location": "lindow", "today": "wednesday",
         "wednesday": "overcast, low of 30F, high of 40F",
         "thursday": "windy, low of 35F, high of 55F", "friday": "hail later on"}])


@pytest.fixture(scope="session")
def car_places():
    """Invented places around a car."""
    return _car("navigate", [
        {"poi": "Corner Fuel", "poi_type": "gas station", "address": "3 Elm Way",
         "distance": "2 miles", "traffic_info": "heavy traffic"},
        {"poi": "Green Pump", "poi_type": "gas station", "address": "80 Mill Lane",
         "distance": "5 miles", "traffic_info": "no traffic"},
        {"poi": "Blue Mug", "poi_type": "coffee or tea place", "address": "12 Quay Road",
         "distance": "4 miles", "traffic_info": "moderate traffic"},
        {"poi": "Old Mill Garage", "poi_type": "parking garage", "address": "9 Kiln Street",
         "distance": "1 miles", "traffic_info": "road block nearby"},
        {"poi": "ninas house", "poi_type": "friends house", "address": "41 Birch Court",
         "distance": "far away", "traffic_info": "no traffic"}])


@pytest.fixture(scope="session")
def car_food():
    """Invented places to eat around a car, and where its driver lives."""
    return _car("navigate", [
        {"poi": "Round Slice", "poi_type": "pizza restaurant", "address": "1 Oak Row",
         "distance": "4 miles", "traffic_info": "no traffic"},
        {"poi": "Long Bowl", "poi_type": "noodle restaurant", "address": "2 Oak Row",
         "distance": "2 miles", "traffic_info": "heavy traffic"},
        {"poi": "Wheat House", "poi_type": "noodle restaurant", "address": "5 Oak Row",
         "distance": "6 miles", "traffic_info": "no traffic"},
        {"poi": "Green Leaf", "poi_type": "salad restaurant", "address": "7 Oak Row",
         "distance": "5 miles", "traffic_info": "moderate traffic"},
        {"poi": "Sleepy Inn", "poi_type": "rest stop", "address": "3 Oak Row",
         "distance": "1 miles", "traffic_info": "car collision nearby"},
        {"poi": "home", "poi_type": "home", "address": "9 Oak Row",
         "distance": "3 miles", "traffic_info": "no traffic"}])


@pytest.fixture(scope="session")
def car_calendar():
    """An invented driver's calendar."""
    return _car("schedule", [
        {"event": "dentist appointment", "date": "the 12th", "time": "10am", "party": "aunt"},
        {"event": "dentist appointment", "date": "the 3rd", "time": "4:30 pm", "party": "Ida"},
        {"event": "dinner", "date": "friday", "time": "7pm", "party": "Ida", "room": "-"},
        {"event": "meeting", "date": "friday", "time": "9 am", "room": "blue room",
         "agenda": "plan the move", "party": "design team"},
        {"event": "choir", "date": "tuesday"},
        {"event": "reading club", "time": "after lunch"}])


@pytest.fixture(scope="session")
def tiny_t5(tmp_path_factory):
    """A tiny random T5, its tokenizer having one token a character, with T5's special tokens."""
    return save_t5(tmp_path_factory.mktemp("tiny-t5"))


@pytest.fixture(scope="session")
def tiny_causal(tmp_path_factory):
    """A tiny random causal language model with a chat template, one token a byte."""
    return save_causal(tmp_path_factory.mktemp("tiny-causal"))
