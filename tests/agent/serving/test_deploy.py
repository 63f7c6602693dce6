"""The files for deployment, read for what would go wrong with them."""

from __future__ import annotations

import argparse
import contextlib
import http.client
import json
import re
import shutil
import socket
import subprocess
import threading
import time
import tomllib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
import yaml

pytest.importorskip("fastapi")
pytest.importorskip("sqlalchemy")

from frontdesk.agent.cli import main as cli
from frontdesk.agent.serving.serve_options import STOPPED_AFTER_S

DEPLOY = (Path(str(files("frontdesk.agent.serving"))) / "deploy").resolve()
ROOT = Path(__file__).parents[3]
_SERVE_PORT = 8080


def parsed(command: list[str]) -> argparse.Namespace:
    """The options of a command line of ours, as the command itself reads them."""
    return cli._parser().parse_args(command)


def seconds(text: str) -> int:
    return int(text.removesuffix("s"))


def secrets_in(text: str) -> list[str]:
    """What stands where a secret does, or before the host of an address; not where a variable."""
    text = re.sub(r"(?m)^ *#.*", "", text)
    named = r"(?i)(?<!\{)\b\w*(?:password|secret|token|api_key)\b[\"']? *[:=] *[\"']?" \
            r"(?!\$\{)([^\s\"']+)"
    return re.findall(named, text) + re.findall(r"://\w+:(?!\$\{)([^@\s/]+)@", text)


@pytest.mark.parametrize("name", ["Containerfile", "frontdesk.service", "compose.yaml",
                                  "ray_serve.yaml"])
def test_deployment_files_hold_no_secret(name):
    assert secrets_in("A_PASSWORD: x\nb: 'c://me:y@h'\napi_key=z") == ["x", "z", "y"]
    assert secrets_in((DEPLOY / name).read_text(encoding="utf-8")) == []


# Containerfile ------------------------------------------------------------------------------------

def instructions() -> list[tuple[str, str]]:
    """The instructions of the container file in order, each with its argument."""
    text = (DEPLOY / "Containerfile").read_text(encoding="utf-8")
    lines = re.sub(r"\\\n", " ", re.sub(r"(?m)^#.*\n", "", text)).splitlines()
    return [(name, argument.strip()) for name, _, argument in (
        line.partition(" ") for line in lines if line.strip())]


def of(name: str) -> list[str]:
    return [argument for each, argument in instructions() if each == name]


def test_the_container_copies_all_that_an_installation_needs():
    copied = {source for argument in of("COPY") if not argument.startswith("--from")
              for source in argument.split()[:-1]}
    assert {each for each in copied if not (ROOT / each).exists()} == set()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    folders = {each.parent.name for each in ROOT.glob("*/__init__.py")}
    needed = {"pyproject.toml", "setup.py", "constraints.txt", project["project"]["readme"],
              *project["project"]["license-files"]}
    assert folders | needed <= copied


def test_the_container_is_pinned_and_installs_extras_that_there_are():
    install = next(each for each in of("RUN") if "pip install" in each)
    assert "--constraint constraints.txt" in install
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    extras = set(re.search(r"'\.\[(.*)\]'", install)[1].split(","))
    assert "serve" in extras
    assert extras <= set(project["project"]["optional-dependencies"])


def test_the_container_runs_as_nobody_special_and_keeps_all_in_one_place():
    stages = [number for number, (name, _) in enumerate(instructions()) if name == "FROM"]
    last = instructions()[stages[-1]:]
    user = next(argument for name, argument in reversed(last) if name == "USER")
    assert re.fullmatch(r"[1-9]\d*:[1-9]\d*", user)
    made = next(argument for name, argument in last if name == "RUN" and "useradd" in argument)
    assert f"--uid {user.split(':')[0]} " in made
    assert [name for name, _ in last].index("USER") > [name for name, _ in last].index("COPY")
    volume = of("VOLUME")[0]
    options = parsed(json.loads(of("CMD")[-1]))
    assert options.calendar.startswith(f"{volume}/")
    assert options.database.startswith(f"sqlite:///{volume}/")
    environment = dict(each.split("=", 1) for each in of("ENV")[0].split())
    assert all(environment[name].startswith(f"{volume}/")
               for name in ("MPLCONFIGDIR", "XDG_CACHE_HOME", "XDG_STATE_HOME"))


def test_the_command_of_the_container_is_one_and_its_health_is_asked_at_its_port():
    options = parsed(json.loads(of("CMD")[-1]))
    assert json.loads(of("ENTRYPOINT")[0]) == ["frontdesk"]
    assert (options.command, options.host) == ("serve", "0.0.0.0")
    assert options.keys is not None
    assert of("EXPOSE") == [str(options.port)]
    check = of("HEALTHCHECK")[0]
    assert f"http://127.0.0.1:{options.port}/healthz" in check
    code = json.loads(check[check.index("["):])[-1]
    compile(code, "HEALTHCHECK", "exec")
    assert of("STOPSIGNAL") == ["SIGTERM"]


# systemd ------------------------------------------------------------------------------------------

def unit() -> dict[str, dict[str, list[str]]]:
    """The sections of the unit; what is set several times has several values."""
    text = re.sub(r"\\\n", " ", (DEPLOY / "frontdesk.service").read_text(encoding="utf-8"))
    found: dict[str, dict[str, list[str]]] = {}
    section: dict[str, list[str]] = {}
    for line in text.splitlines():
        if line.startswith("["):
            section = found.setdefault(line.strip("[]"), {})
        elif line and not line.startswith("#"):
            name, _, value = line.partition("=")
            section.setdefault(name, []).append(value)
    return found


def test_the_unit_starts_serve_with_a_key_that_systemd_hands_over():
    service = unit()["Service"]
    program, *command = service["ExecStart"][0].split()
    assert program.endswith("/bin/frontdesk")
    options = parsed([each.replace("${STATE_DIRECTORY}", "/var/lib/frontdesk") for each in command])
    assert options.database == "sqlite:////var/lib/frontdesk/sessions.sqlite"
    name, _, source = service["LoadCredential"][0].partition(":")
    assert str(options.keys) == f"${{CREDENTIALS_DIRECTORY}}/{name}"
    assert source.startswith("/etc/frontdesk/")


def test_the_unit_lets_turns_end_and_may_write_nowhere_else():
    service = unit()["Service"]
    assert service["KillSignal"] == ["SIGTERM"]
    assert seconds(service["TimeoutStopSec"][0]) >= STOPPED_AFTER_S
    for name, value in (("DynamicUser", "yes"), ("ProtectSystem", "strict"),
                        ("StateDirectory", "frontdesk"), ("NoNewPrivileges", "yes"),
                        ("CapabilityBoundingSet", "")):
        assert service[name] == [value]
    assert "MemoryDenyWriteExecute" not in service  # torch could not start


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not installed")
def test_systemd_takes_the_unit_and_finds_little_to_harden(tmp_path):
    # The program must be there for it to be content.
    text = (DEPLOY / "frontdesk.service").read_text(encoding="utf-8")
    path = tmp_path / "frontdesk.service"
    path.write_text(text.replace("/opt/frontdesk/bin/frontdesk", shutil.which("true")))
    done = subprocess.run(["systemd-analyze", "verify", "--man=no", path], capture_output=True,
                          text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    done = subprocess.run(["systemd-analyze", "security", "--offline=true", "--threshold=20", path],
                          capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-300:]


# Replicas -----------------------------------------------------------------------------------------

def compose() -> dict[str, Any]:
    return yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))


def test_compose_has_two_replicas_over_one_database_and_each_is_looked_after():
    services = compose()["services"]
    replicas = [each for each in services.values() if each["image"] == "frontdesk"]
    assert len(replicas) == 2
    for replica in replicas:
        options = parsed(replica["command"])
        assert (options.command, options.port) == ("serve", _SERVE_PORT)
        assert replica["environment"]["FRONTDESK_SERVE_DATABASE"].startswith(
            "postgresql+psycopg://frontdesk:${POSTGRES_PASSWORD:?")
        assert "/readyz" in replica["healthcheck"]["test"][-1]
        compile(replica["healthcheck"]["test"][-1], "healthcheck", "exec")
        assert replica["depends_on"]["postgres"]["condition"] == "service_healthy"
        assert replica["read_only"]
        assert seconds(replica["stop_grace_period"]) >= STOPPED_AFTER_S
    assert services["postgres"]["healthcheck"]["test"][1] == "pg_isready"
    build = replicas[0]["build"]
    assert (DEPLOY / build["context"]).resolve() == DEPLOY.parents[2]
    assert (DEPLOY / build["context"] / build["dockerfile"]).is_file()
    # Replicas that book in one file must see the same one.
    assert all(options.calendar.startswith("/var/lib/frontdesk/") for options in map(
        parsed, (each["command"] for each in replicas)))
    assert all("state:/var/lib/frontdesk" in each["volumes"] for each in replicas)


def test_the_balancer_of_compose_knows_every_replica():
    services, text = compose()["services"], compose()["configs"]["nginx"]["content"]
    replicas = {name for name, each in services.items() if each["image"] == "frontdesk"}
    assert set(re.findall(rf"server (\w+):{_SERVE_PORT};", text)) == replicas
    assert set(services["balancer"]["depends_on"]) == replicas
    # Replicas count wrong keys by address: it must be the client's, and they trust the balancer.
    assert "proxy_set_header X-Forwarded-For $$remote_addr;" in text
    assert all(services[each]["environment"]["FORWARDED_ALLOW_IPS"] == "*"
               and "ports" not in services[each] for each in replicas)
    assert not re.search(r"(?<!\$)\$(?!\$)", text)  # compose would put a variable in its place


class _Echo(BaseHTTPRequestHandler):
    """Answers with its port and whom it is told to be asked by."""

    def do_GET(self):
        told = f"{self.server.server_port} {self.headers['X-Forwarded-For']}".encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(told)))
        self.end_headers()
        self.wfile.write(told)

    def log_message(self, *_):
        pass


def ask(port: int, path: str = "/", **headers: str) -> tuple[int, str]:
    with contextlib.closing(http.client.HTTPConnection("127.0.0.1", port)) as connection:
        connection.request("GET", path, headers={
            name.replace("_", "-"): value for name, value in headers.items()})
        response = connection.getresponse()
        return response.status, response.read().decode()


@pytest.mark.skipif(shutil.which("nginx") is None, reason="nginx is not installed")
def test_the_balancer_passes_on_who_asks_and_keeps_the_metrics_within(tmp_path):
    """It stands behind a proxy with the certificate, which tells it who asks."""
    with contextlib.ExitStack() as stack:
        replicas = []
        for _ in range(2):
            server = stack.enter_context(ThreadingHTTPServer(("127.0.0.1", 0), _Echo))
            threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
            stack.callback(server.shutdown)
            replicas.append(str(server.server_port))
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        text = compose()["configs"]["nginx"]["content"].replace("$$", "$")
        for name, replica in zip(("first", "second"), replicas, strict=True):
            text = text.replace(f"server {name}:{_SERVE_PORT}", f"server 127.0.0.1:{replica}")
        text = text.replace(f"listen {_SERVE_PORT}", f"listen 127.0.0.1:{port}").replace(
            "set_real_ip_from 10.0.0.0/8;", "set_real_ip_from 127.0.0.0/8;")
        (tmp_path / "nginx.conf").write_text(
            f"daemon off;\npid {tmp_path}/pid;\nerror_log stderr;\nevents {{}}\nhttp {{\n"
            f"access_log off;\n" + "".join(f"{each}_temp_path {tmp_path}/{each};\n" for each in (
                "client_body", "proxy", "fastcgi", "uwsgi", "scgi")) + f"{text}}}\n")
        process = stack.enter_context(subprocess.Popen(
            ["nginx", "-p", tmp_path, "-e", "stderr", "-c", tmp_path / "nginx.conf"]))
        stack.callback(process.terminate)
        deadline = time.monotonic() + 30
        while True:
            try:
                ask(port)
                break
            except OSError:
                assert process.poll() is None
                assert time.monotonic() < deadline
                time.sleep(0.05)
        clients = [f"198.51.100.{number}" for number in range(1, 20)]
        told = [ask(port, X_Forwarded_For=f"6.6.6.6, {each}")[1].split() for each in clients]
        assert [address for _, address in told] == clients
        assert {replica for replica, _ in told} == set(replicas), "neighbours share the replicas"
        assert told[0][0] == ask(port, X_Forwarded_For=clients[0])[1].split()[0]
        assert ask(port, "/metrics")[0] == 404


def test_ray_takes_the_application_and_its_arguments():
    pytest.importorskip("ray.serve")
    from importlib import import_module

    from ray.serve.schema import ServeDeploySchema

    from frontdesk.agent.serving.ray_app import build, options_from

    schema = ServeDeploySchema.model_validate(
        yaml.safe_load((DEPLOY / "ray_serve.yaml").read_text(encoding="utf-8")))
    application = schema.applications[0]
    module, _, name = application.import_path.partition(":")
    assert getattr(import_module(module), name) is build
    assert options_from(application.args).keys is not None
    built = build(application.args)
    assert [each.name for each in application.deployments] == [built._bound_deployment.name]
    assert built._bound_deployment._deployment_config.graceful_shutdown_timeout_s >= STOPPED_AFTER_S


def test_the_unit_names_a_page_that_comes_with_the_packages():
    unit = (DEPLOY / "frontdesk.service").read_text(encoding="utf-8")
    page = unit.partition("/site-packages/frontdesk/")[2].split()[0]
    assert (ROOT / page).is_file()
