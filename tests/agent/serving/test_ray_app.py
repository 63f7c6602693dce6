"""The service on Ray Serve."""

from __future__ import annotations

import os
import socket
import urllib.request

import pytest

pytest.importorskip("fastapi")
pytest.importorskip("sqlalchemy")
pytest.importorskip("ray.serve")

from frontdesk.agent.calendars.sqlite_calendar import SqliteCalendar
from frontdesk.agent.serving.ray_app import Replica, build, check_shared, options_from
from frontdesk.kg.graph.errors import InputError
from frontdesk.kg.sources.import_json import dump_json

from ..acting.offices import organisation
from .calls import call
from .conftest import LOBBY


@pytest.mark.parametrize(("arguments", "says"), [
    ({"kezs": "keys.toml"}, "unknown argument 'kezs'.*keys"),
    ({"calendar": 3}, "calendar is 3"),
    ({"profile": "embedded", "ics": "a.ics"}, "ics is 'a.ics'")])
def test_wrong_arguments_are_told_when_the_application_is_built(arguments, says):
    with pytest.raises(InputError, match=says):
        build(arguments)


def test_arguments_are_the_options_of_serve():
    options = options_from({"keys": "/etc/keys.toml", "ics": ["a.ics", "b.ics"]})
    assert str(options.keys) == "/etc/keys.toml"
    assert [each.name for each in options.sources["ics"]] == ["a.ics", "b.ics"]


def test_a_replica_without_keys_does_not_start():
    with pytest.raises(InputError, match="there are no keys"):
        Replica(options_from({}))


@pytest.mark.parametrize(("replicas", "database", "calendar", "says"), [
    (2, "sqlite:///s.sqlite", "c.sqlite", "2 replicas cannot keep their sessions in SQLite"),
    (2, "postgresql+psycopg://db/n", "", "in a memory of their own"),
    (2, "postgresql+psycopg://db/n", "c.sqlite", ""), (1, "sqlite:///s.sqlite", "", "")])
def test_several_replicas_need_what_they_can_share(replicas, database, calendar, says):
    options = options_from({"database": database, "calendar": calendar})
    if not says:
        check_shared(replicas, options, options.settings())
        return
    with pytest.raises(InputError, match=says):
        check_shared(replicas, options, options.settings())


@pytest.fixture
def cluster(monkeypatch):
    """A Ray cluster of this process; its port for HTTP."""
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    monkeypatch.setenv("RAY_worker_niceness", "0")  # or they would give way to other tests
    import ray
    from ray import serve

    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    ray.init(num_cpus=3, address="local", include_dashboard=False, log_to_driver=False,
             logging_level="error", runtime_env={"env_vars": {
                 name: os.environ[name] for name in ("XDG_CACHE_HOME", "HF_HUB_OFFLINE")}})
    serve.start(http_options={"host": "127.0.0.1", "port": port})
    yield port
    serve.shutdown()
    ray.shutdown()


@pytest.mark.slow
def test_a_replica_answers_and_lets_go_of_all_when_it_is_stopped(cluster, tmp_path):
    from ray import serve

    (tmp_path / "org.json").write_text(dump_json(organisation()))
    (tmp_path / "settings.toml").write_text('[embedded]\nwords = "templates"\n')
    (tmp_path / "keys.toml").write_text(f'[lobby]\nkey = "{LOBBY}"\nvouches = true\n')
    arguments = {"org": str(tmp_path / "org.json"), "now": "2026-03-02T09:30",
                 "config": str(tmp_path / "settings.toml"), "keys": str(tmp_path / "keys.toml"),
                 "database": f"sqlite:///{tmp_path / 's.sqlite'}",
                 "calendar": str(tmp_path / "c.sqlite")}
    serve.run(build(arguments), name="frontdesk")
    url = f"http://127.0.0.1:{cluster}"
    assert urllib.request.urlopen(f"{url}/readyz", timeout=30).status == 200
    hook = f"{url}/webhooks/rest/webhook"
    status, replies, _ = call(hook, {"sender": "a", "message": "Where is the budget review?",
                                     "metadata": {"speaker": "ines@example.org"}})
    assert (status, "Beta" in replies[0]["text"]) == (200, True), replies
    assert call(hook, {"sender": "a", "message": "Hello"}, key=None)[0] == 401
    session = call(f"{url}/sessions", {"speaker": "ines@example.org"})[1]["id"]
    for text in ("Book a meeting called glue on Friday at 9:00", "yes"):
        assert call(f"{url}/sessions/{session}/turns", {"text": text})[0] == 200
    serve.delete("frontdesk")
    # With the last connection the write-ahead logs go.
    assert sorted(each.name for each in tmp_path.glob("*.sqlite*")) == ["c.sqlite", "s.sqlite"]
    calendar = SqliteCalendar(tmp_path / "c.sqlite", organisation())
    assert "glue" in {event.name for event in calendar.state().kb.events.values()}
    calendar.close()
