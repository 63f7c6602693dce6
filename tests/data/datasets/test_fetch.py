"""Fetching from a real HTTP server on this machine."""

from __future__ import annotations

import hashlib
import io
import json
import socket
import subprocess
import sys
import threading
import zipfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import SimpleNamespace

import pytest

from frontdesk.agent.domains.domain_registry import data_sets
from frontdesk.data.datasets.data_set import DataSet, Download
from frontdesk.data.datasets.download import ATTEMPTS, NotThereError, download
from frontdesk.data.datasets.fetch import Trust, fetch
from frontdesk.kg.graph.errors import FormatError, InputError, UnavailableError

SAMPLES = Path(__file__).parents[2] / "samples"
BYTES = bytes(range(256)) * 2000
DATA_SETS = data_sets()
MEMBERS = DATA_SETS["kvret"].downloads[0].members


class Site:
    """What the server serves and how it misbehaves; what it was asked for."""

    def __init__(self):
        self.files = {}
        self.drops = []  # after how many bytes each of the next answers breaks off
        self.statuses = []  # of the next answers, instead of the file
        self.sends_length = True
        self.requests = []
        self.url = ""


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        site = self.server.site
        site.requests.append(self.path)
        if site.statuses:
            return self.empty(site.statuses.pop(0))
        data = site.files.get(self.path)
        if data is None:
            return self.empty(404)
        self.send_response(200)
        if site.sends_length:
            self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data[:site.drops.pop(0)] if site.drops else data)
        return None

    def empty(self, status):
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *arguments):
        pass


@pytest.fixture
def site():
    site = Site()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.site = site
    site.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield site
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture(autouse=True)
def waits(monkeypatch):
    """How long pooch waited, in seconds; waiting takes no time."""
    waits = []
    monkeypatch.setattr("pooch.core.time", SimpleNamespace(sleep=waits.append))
    return waits


@pytest.fixture
def get(site, tmp_path):
    """Downloads the bytes as ``file``."""
    site.files["/file"] = BYTES

    def get(**options):
        download(f"{site.url}/file", tmp_path / "file", **options)
        return (tmp_path / "file").read_bytes()
    return get


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def closed_port():
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        return unused.getsockname()[1]


class Bar:
    """A progress bar that remembers what it was told."""

    def __init__(self):
        self.names, self.total, self.done = [], None, []

    def __call__(self, name):
        self.names.append(name)
        return self

    def update(self, size):
        self.done.append(size)

    def reset(self):
        self.done.clear()

    def close(self):
        pass


def test_download_brings_all_bytes_and_leaves_nothing_else(get, tmp_path):
    bar = Bar()
    assert get(progress=bar) == BYTES
    assert names(tmp_path) == ["file"]
    assert (bar.names, bar.total, sum(bar.done)) == (["file"], len(BYTES), len(BYTES))


def test_download_begins_anew_where_the_connection_broke_off(get, site, waits):
    site.drops = [200_000, 100_000]
    assert get() == BYTES
    assert len(site.requests) == 3
    assert len(waits) == 2


def test_download_that_is_interrupted_leaves_nothing(get, tmp_path, monkeypatch):
    bar = Bar()

    def stop(size):
        raise KeyboardInterrupt
    monkeypatch.setattr(bar, "update", stop)
    with pytest.raises(KeyboardInterrupt):
        get(progress=bar)
    assert names(tmp_path) == []


def test_download_works_without_a_length(get, site):
    site.sends_length = False
    assert get() == BYTES


def test_download_waits_longer_after_every_failure(get, site, waits):
    site.statuses = [503, 500, 429]
    assert get() == BYTES
    assert waits == [1, 2, 3]


def test_download_gives_up_on_a_server_that_stays_busy(get, site, tmp_path, waits):
    site.statuses = [503] * 10
    with pytest.raises(UnavailableError, match=r"cannot reach .*/file \(503"):
        get()
    assert len(site.requests) == ATTEMPTS
    assert len(waits) == ATTEMPTS - 1
    assert names(tmp_path) == []


def test_download_gives_up_on_a_server_that_always_breaks_off(get, site, tmp_path):
    site.drops = [1000] * 10
    with pytest.raises(UnavailableError, match="1000 bytes read, 511000 more expected"):
        get()
    assert names(tmp_path) == []


def test_download_does_not_repeat_a_request_for_a_file_that_is_gone(get, site):
    site.statuses = [410]
    with pytest.raises(NotThereError, match="answers 410"):
        get()
    assert len(site.requests) == 1


def test_download_says_when_nothing_answers(tmp_path):
    with pytest.raises(UnavailableError, match=r"cannot reach .*--url"):
        download(f"http://127.0.0.1:{closed_port()}/x", tmp_path / "x")
    assert names(tmp_path) == []


@pytest.mark.parametrize("url", ["file:///etc/hostname", "ftp://example.org/x", "x.zip"])
def test_download_takes_only_addresses_of_http(tmp_path, url):
    with pytest.raises(InputError, match="not an address"):
        download(url, tmp_path / "x")


def test_download_says_when_the_file_cannot_be_written(site, tmp_path):
    site.files["/file"] = BYTES
    with pytest.raises(InputError, match="cannot be written"):
        download(f"{site.url}/file", tmp_path / "missing" / "file")


def test_download_that_is_not_accepted_leaves_what_was_there(get, site, tmp_path):
    def refuse(path):
        raise FormatError("no")
    (tmp_path / "file").write_bytes(b"old")
    with pytest.raises(FormatError):
        get(accept=refuse)
    assert (tmp_path / "file").read_bytes() == b"old"
    assert names(tmp_path) == ["file"]


# Data sets.


def archive(members=MEMBERS, folder="", **more):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as file:
        for name in members:
            sample = "kvret_entities_sample" if "entities" in name else "kvret_sample"
            file.writestr(f"{folder}{name}", (SAMPLES / f"{sample}.json").read_bytes())
        for name, content in more.items():
            file.writestr(name, content)
    return packed.getvalue()


@pytest.fixture
def kvret(site, tmp_path):
    site.files["/kvret_dataset_public.zip"] = archive()

    def kvret(**options):
        return fetch(DATA_SETS["kvret"], tmp_path / "kvret", mirror=site.url, **options)
    return kvret


def sidecar(tmp_path):
    return tmp_path / "kvret" / "kvret_dataset_public.zip.sha256"


def test_fetch_unpacks_an_archive_and_remembers_its_checksum(kvret, site, tmp_path):
    files = kvret()
    assert names(tmp_path / "kvret") == sorted(
        [*MEMBERS, "kvret_dataset_public.zip", "kvret_dataset_public.zip.sha256"])
    checksum = hashlib.sha256(site.files["/kvret_dataset_public.zip"]).hexdigest()
    assert sidecar(tmp_path).read_text() == f"{checksum}  kvret_dataset_public.zip\n"
    assert (files[0].trust, files[0].sha256) == (Trust.FIRST_USE, checksum)
    dev = tmp_path / "kvret" / "kvret_dev_public.json"
    assert dev.read_bytes() == (SAMPLES / "kvret_sample.json").read_bytes()
    assert [file.path for file in files[1:]] == [tmp_path / "kvret" / name for name in MEMBERS]


def test_fetch_does_not_download_again_what_is_there(kvret, site):
    kvret()
    site.requests.clear()
    again = kvret()
    assert site.requests == []
    assert (again[0].trust, again[0].source) == (Trust.AS_BEFORE, "")


def test_fetch_refuses_a_file_that_was_changed_until_it_is_forced(kvret, site, tmp_path):
    kvret()
    (tmp_path / "kvret" / "kvret_dataset_public.zip").write_bytes(b"changed")
    with pytest.raises(FormatError, match=r"should have.*--force"):
        kvret()
    assert kvret(force=True)[0].trust is Trust.FIRST_USE
    assert kvret()[0].trust is Trust.AS_BEFORE


def test_fetch_refuses_a_later_download_that_differs_from_the_first(kvret, site, tmp_path):
    kvret()
    before = sidecar(tmp_path).read_text()
    (tmp_path / "kvret" / "kvret_dataset_public.zip").unlink()
    site.files["/kvret_dataset_public.zip"] = archive(more="x")
    with pytest.raises(FormatError, match="should have"):
        kvret()
    assert "kvret_dataset_public.zip" not in names(tmp_path / "kvret")
    assert sidecar(tmp_path).read_text() == before
    assert kvret(force=True)[0].trust is Trust.FIRST_USE
    assert sidecar(tmp_path).read_text() != before


@pytest.mark.parametrize("page", [b"<html>Log in to this network</html>", b"PK\x03\x04broken",
                                  archive()[:-200]])
def test_fetch_trusts_no_first_download_that_is_not_an_archive(kvret, site, tmp_path, page):
    site.files["/kvret_dataset_public.zip"] = page
    with pytest.raises(FormatError, match="not a zip archive"):
        kvret()
    assert names(tmp_path / "kvret") == []


def test_fetch_refuses_an_archive_with_a_damaged_member(kvret, site, tmp_path):
    packed = bytearray(archive())
    packed[200] ^= 0xFF
    site.files["/kvret_dataset_public.zip"] = bytes(packed)
    with pytest.raises(FormatError, match="not a zip archive"):
        kvret()
    assert names(tmp_path / "kvret") == []


@pytest.mark.parametrize("folder", ["../", "/tmp/", "a/../../", "..\\", "C:/"])
def test_fetch_refuses_an_archive_that_reaches_out_of_its_folder(kvret, site, tmp_path, folder):
    site.files["/kvret_dataset_public.zip"] = archive(folder=folder)
    with pytest.raises(FormatError, match="outside of its folder"):
        kvret()
    assert names(tmp_path / "kvret") == []
    assert names(tmp_path) == ["kvret"]


def test_fetch_unpacks_only_what_belongs_to_the_data_set(kvret, site, tmp_path):
    site.files["/kvret_dataset_public.zip"] = archive(
        folder="kvret_dataset_public/", **{"../evil.py": "evil", "run.sh": "evil"})
    assert len(kvret()) == 5
    assert len(names(tmp_path / "kvret")) == 6
    assert names(tmp_path) == ["kvret"]


def test_fetch_writes_no_links_from_an_archive(kvret, site, tmp_path):
    packed = io.BytesIO(archive(MEMBERS[1:]))
    with zipfile.ZipFile(packed, "a") as file:
        link = zipfile.ZipInfo(MEMBERS[0])
        link.external_attr = 0o120777 << 16
        file.writestr(link, "/etc/hostname")
    site.files["/kvret_dataset_public.zip"] = packed.getvalue()
    kvret()
    assert not (tmp_path / "kvret" / MEMBERS[0]).is_symlink()


def test_fetch_refuses_an_archive_that_lacks_a_file(kvret, site):
    site.files["/kvret_dataset_public.zip"] = archive(MEMBERS[:-1])
    with pytest.raises(FormatError, match=r"no 'kvret_entities\.json'"):
        kvret()


@pytest.fixture
def graphwoz(site, tmp_path):
    for split in ("train", "dev", "test"):
        site.files[f"/g/graphwoz_{split}.json"] = (SAMPLES / "graphwoz_sample.json").read_bytes()
    return lambda **options: fetch(DATA_SETS["graphwoz"], tmp_path,
                                   **{"mirror": f"{site.url}/g/", **options})


def test_fetch_brings_every_file_of_a_data_set(graphwoz, tmp_path):
    assert [file.path.name for file in graphwoz()] == [
        "graphwoz_train.json", "graphwoz_dev.json", "graphwoz_test.json"]
    assert names(tmp_path) == sorted(
        f"graphwoz_{split}.json{end}" for split in ("train", "dev", "test")
        for end in ("", ".sha256"))


def test_fetch_brings_the_rest_when_a_file_is_gone_and_says_so(graphwoz, site, tmp_path):
    del site.files["/g/graphwoz_train.json"]
    with pytest.raises(UnavailableError,
                       match=r"graphwoz_train.json answers 404.*Fetched: graphwoz_dev.json, "):
        graphwoz()
    assert "graphwoz_test.json" in names(tmp_path)


def test_fetch_refuses_a_file_of_another_format(graphwoz, site, tmp_path):
    site.files["/g/graphwoz_train.json"] = (SAMPLES / "kvret_sample.json").read_bytes()
    with pytest.raises(FormatError, match="holds KVRET dialogues, not GraphWOZ dialogues"):
        graphwoz()
    assert names(tmp_path) == []


def test_fetch_takes_the_next_place_when_the_first_has_no_file(site, tmp_path):
    site.files["/b/d.json"] = (SAMPLES / "graphwoz_sample.json").read_bytes()
    places = tuple(f"{site.url}/{folder}/d.json" for folder in "ab")
    files = fetch(DataSet("d", "GraphWOZ", downloads=(Download("d.json", places),)), tmp_path)
    assert files[0].source == places[1]
    assert site.requests == ["/a/d.json", "/b/d.json"]


def test_fetch_refuses_the_address_of_one_file_for_a_data_set_of_several(graphwoz, site):
    with pytest.raises(InputError, match="one file, but there are 3"):
        graphwoz(mirror=f"{site.url}/g/all.json")


def test_fetch_says_when_the_folder_cannot_be_made(tmp_path):
    (tmp_path / "taken").write_text("")
    with pytest.raises(InputError, match="cannot be made a folder"):
        fetch(DATA_SETS["kvret"], tmp_path / "taken")


def test_every_data_set_is_fetched_over_https():
    assert all(place.startswith("https://") for each in DATA_SETS.values()
               for wanted in each.downloads for place in wanted.places)


def frontdesk(*arguments, cwd):
    done = subprocess.run([sys.executable, "-m", "frontdesk.agent.cli.main", *map(str, arguments)],
                          capture_output=True, timeout=60, check=False, cwd=cwd)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def test_fetch_command_says_what_it_brought_and_why_it_is_trusted(site, tmp_path):
    site.files["/x/kvret.zip"] = archive()
    status, out, err = frontdesk("data", "fetch", "kvret", "--url", f"{site.url}/x/kvret.zip",
                                 cwd=tmp_path)
    assert status == 0
    assert "kvret_dataset_public.zip" in err  # the progress
    first, *rest = out.splitlines()
    assert "trusted and remembered" in first
    assert hashlib.sha256(site.files["/x/kvret.zip"]).hexdigest() in first
    assert [line.split()[0] for line in rest] == [f"kvret/{name}" for name in MEMBERS]
    status, out, _ = frontdesk("data", "report", "kvret/kvret_dev_public.json", "--json",
                               cwd=tmp_path)
    assert (status, json.loads(out)["dialogues"]) == (0, 3)


def test_fetch_command_offline_is_one_clear_error(tmp_path):
    status, out, err = frontdesk(
        "data", "fetch", "kvret", "--output", tmp_path / "out",
        "--url", f"http://127.0.0.1:{closed_port()}/", cwd=tmp_path)
    assert (status, out) == (2, "")
    assert "frontdesk: cannot reach http://127.0.0.1" in err
    assert "Traceback" not in err
    assert names(tmp_path / "out") == []
