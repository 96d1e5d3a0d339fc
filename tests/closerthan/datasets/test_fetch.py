"""Check the order of cache, mirror and internet; wrong or partial files are never used."""

import hashlib
import os
import re
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import SimpleNamespace

import pytest

from closerthan.datasets import DataUnavailable, fetch
from closerthan.datasets.fetch import locate, read_verified

CONTENT = bytes(range(256)) * 40
NAME = "letters/a.bin"


def entry_for(url, content=CONTENT):
    return {"url": url, "bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}


def git_entry_for(url, content=CONTENT):
    """Return an entry with the file's git object id and only a limit on its size."""
    found = subprocess.run(
        ["git", "hash-object", "--stdin"], input=content, capture_output=True, check=True
    )
    git_blob = found.stdout.decode().strip()
    return {"url": url, "max_bytes": 2 * len(CONTENT), "git_blob": git_blob}


class Server(ThreadingHTTPServer):
    """A web server that answers with a sequence of acts and repeats the last one."""

    daemon_threads = True

    def __init__(self, acts):
        super().__init__(("127.0.0.1", 0), Handler)
        self.acts = list(acts)
        self.n_requests = 0
        self.half_sent = threading.Event()
        self.stop = threading.Event()
        self.url = f"http://127.0.0.1:{self.server_port}/a.bin"


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        server = self.server
        act = server.acts[min(server.n_requests, len(server.acts) - 1)]
        server.n_requests += 1
        getattr(self, act)()

    def send(self, content):
        self.send_response(200)
        self.send_header("Content-Length", str(len(CONTENT)))
        self.end_headers()
        self.wfile.write(content)

    def whole(self):
        self.send(CONTENT)

    def wrong(self):
        self.send(CONTENT[::-1])

    def truncated(self):
        self.send(CONTENT[:1000])

    def hanging(self):
        self.truncated()
        self.wfile.flush()
        self.server.half_sent.set()
        self.server.stop.wait(60)

    def endless(self):
        self.send_response(200)
        self.end_headers()
        try:
            while not self.server.stop.is_set():
                self.wfile.write(CONTENT)
        except OSError:
            pass  # the client hung up, as expected

    def missing(self):
        self.send_error(404)

    def busy(self):
        self.send_error(503)

    def log_message(self, *args):
        pass


@pytest.fixture
def serve(monkeypatch):
    """Start servers; keep out proxies, this machine's mirror and waits before a retry."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.delenv("CLOSERTHAN_DATA_MIRROR", raising=False)
    monkeypatch.setattr("pooch.core.time", SimpleNamespace(sleep=lambda seconds: None))
    servers = []

    def start(*acts):
        server = Server(acts)
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        servers.append(server)
        return server

    yield start
    for server in servers:
        server.stop.set()
        server.shutdown()
        server.server_close()


@pytest.fixture
def places(tmp_path):
    """Put files into a cache and a mirror."""

    def put(place, content):
        path = tmp_path / place / NAME
        path.parent.mkdir(parents=True)
        path.write_bytes(content)
        return path

    return put


def files_under(folder):
    return [path for path in folder.rglob("*") if path.is_file()]


@pytest.mark.parametrize("make_entry", [entry_for, git_entry_for])
def test_a_download_goes_to_the_cache_and_is_used_from_there(serve, tmp_path, make_entry):
    server = serve("whole")
    for _ in range(2):
        path, content = locate(NAME, make_entry(server.url), cache=tmp_path)
        assert path == tmp_path / NAME and content == path.read_bytes() == CONTENT
    assert server.n_requests == 1
    assert files_under(tmp_path) == [path]


def test_the_cache_comes_before_the_mirror_and_the_mirror_before_the_internet(
    serve, places, tmp_path
):
    server = serve("whole")
    mirrored = places("mirror", CONTENT)
    where = {"cache": tmp_path / "cache", "mirror": tmp_path / "mirror"}
    assert locate(NAME, entry_for(server.url), **where) == (mirrored, CONTENT)
    assert not where["cache"].exists()
    cached = places("cache", CONTENT)
    assert locate(NAME, entry_for(server.url), **where) == (cached, CONTENT)
    assert server.n_requests == 0


def test_a_folder_of_downloads_is_a_mirror(tmp_path):
    """A mirror may hold the file under its own name; a file at its full path comes first."""
    where = {"cache": tmp_path / "cache", "mirror": tmp_path, "offline": True}
    entry = entry_for("https://invalid")
    downloaded, placed = tmp_path / "a.bin", tmp_path / NAME
    with pytest.raises(DataUnavailable, match=f"mirror: there is no {downloaded}"):
        locate(NAME, entry, **where)
    downloaded.write_bytes(CONTENT)
    assert locate(NAME, entry, **where) == (downloaded, CONTENT)
    assert locate("letters/upper/a.bin", entry, **where)[0] == downloaded
    placed.parent.mkdir()
    placed.write_bytes(CONTENT)
    assert locate(NAME, entry, **where) == (placed, CONTENT)
    downloaded.write_bytes(b"another file")
    assert locate(NAME, entry, **where) == (placed, CONTENT)


def test_another_file_of_that_name_among_downloads_is_named_and_passed_over(serve, tmp_path):
    server = serve("whole")
    downloaded = tmp_path / "a.bin"
    downloaded.write_bytes(CONTENT[::-1])
    entry, where = entry_for(server.url), {"cache": tmp_path / "cache", "mirror": tmp_path}
    with pytest.raises(DataUnavailable, match="is not the registered file") as error:
        locate(NAME, entry, **where, offline=True)
    found = hashlib.sha256(CONTENT[::-1]).hexdigest()
    for part in (str(downloaded), entry["sha256"], found, "was not asked for (offline)"):
        assert part in str(error.value)
    assert server.n_requests == 0
    assert locate(NAME, entry, **where) == (tmp_path / "cache" / NAME, CONTENT)
    assert server.n_requests == 1


@pytest.mark.parametrize("content", [CONTENT[::-1], CONTENT[:-1], CONTENT + b"?", b""])
def test_a_corrupt_mirror_is_an_error_that_names_file_and_checksums(places, tmp_path, content):
    mirrored = places("mirror", content)
    entry = entry_for("https://invalid")
    with pytest.raises(ValueError, match="is not the registered file") as error:
        locate(NAME, entry, cache=tmp_path / "cache", mirror=tmp_path / "mirror")
    found = f"found {len(content)} bytes"
    if len(content) <= len(CONTENT):  # a longer file is not read to its end
        found += f" with sha256 {hashlib.sha256(content).hexdigest()}"
    for part in (str(mirrored), f"expected {len(CONTENT)} bytes", entry["sha256"], found):
        assert part in str(error.value)


@pytest.mark.parametrize(
    ("fault", "make_entry"),
    [
        ("truncated", entry_for),
        ("wrong", entry_for),
        ("wrong", git_entry_for),
        ("busy", entry_for),
    ],
)
def test_a_failed_transfer_is_tried_again(serve, tmp_path, fault, make_entry):
    server = serve(fault, "whole")
    assert locate(NAME, make_entry(server.url), cache=tmp_path)[1] == CONTENT
    assert server.n_requests == 2
    assert files_under(tmp_path) == [tmp_path / NAME]


def test_a_missing_file_is_named(serve, tmp_path):
    with pytest.raises(DataUnavailable, match="404"):
        locate(NAME, entry_for(serve("missing").url), cache=tmp_path)
    assert files_under(tmp_path) == []


@pytest.mark.parametrize(
    ("fault", "make_entry", "message"),
    [
        ("wrong", entry_for, "sha256 {expected}, found 10240 bytes with sha256 {found}$"),
        ("endless", entry_for, "larger than the expected 10240 bytes"),
        ("endless", git_entry_for, "larger than the expected 20480 bytes"),
    ],
)
def test_another_file_under_the_url_is_an_error(serve, tmp_path, fault, make_entry, message):
    entry = make_entry(serve(fault).url)
    sums = [hashlib.sha256(content).hexdigest() for content in (CONTENT, CONTENT[::-1])]
    message = message.format(expected=sums[0], found=sums[1])
    said = f"^{re.escape(entry['url'])} is not the registered file: .*{message}"
    with pytest.raises(ValueError, match=said):
        locate(NAME, entry, cache=tmp_path)
    assert files_under(tmp_path) == []


def test_what_is_nowhere_is_named_with_what_was_tried_and_what_to_do(serve, places, tmp_path):
    server = serve("whole")
    server.server_close()
    cached = places("cache", b"rubbish")
    (tmp_path / "mirror").mkdir()
    entry = entry_for(server.url)
    with pytest.raises(DataUnavailable) as error:
        locate(NAME, entry, cache=tmp_path / "cache", mirror=tmp_path / "mirror")
    message = str(error.value)
    for part in (
        f"{NAME} is not to be had",
        f"cache: {cached} is not the registered file",
        f"mirror: there is no {tmp_path / 'mirror' / NAME}",
        f"mirror: there is no {tmp_path / 'mirror' / 'a.bin'}",
        f"internet: {server.url}: ",
        "Set CLOSERTHAN_DATA_MIRROR",
        f"or put the file at {cached}",
    ):
        assert part in message
    assert isinstance(error.value, OSError)


def test_a_derived_file_is_never_downloaded(tmp_path):
    entry = {"derived_from": ["a.bin"], "bytes": 1, "sha256": "0" * 64}
    with pytest.raises(DataUnavailable, match=r"derived from \['a.bin'\]"):
        locate(NAME, entry, cache=tmp_path, mirror=tmp_path)


def test_a_cache_that_cannot_be_written_is_named(serve, tmp_path):
    (tmp_path / "cache").write_text("a file where a folder should be")
    with pytest.raises(DataUnavailable, match="internet: http://127"):
        locate(NAME, entry_for(serve("whole").url), cache=tmp_path / "cache")


def test_a_file_above_its_limit_is_refused_even_with_the_right_id(places):
    entry = git_entry_for("") | {"max_bytes": len(CONTENT) - 1}
    with pytest.raises(ValueError, match=f"expected at most {len(CONTENT) - 1} bytes"):
        read_verified(places("cache", CONTENT), entry)


def test_a_killed_download_leaves_nothing_under_the_final_name(serve, tmp_path):
    server = serve("hanging", "whole")
    entry = entry_for(server.url)
    program = (
        "from closerthan.datasets.fetch import locate\n"
        f"locate({NAME!r}, {entry!r}, cache={str(tmp_path)!r})"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", program], env=os.environ, stderr=subprocess.DEVNULL
    )
    try:
        assert server.half_sent.wait(60)
    finally:
        process.kill()
        process.wait()
    assert not (tmp_path / NAME).exists()
    assert locate(NAME, entry, cache=tmp_path)[1] == CONTENT


@pytest.mark.parametrize(
    ("dataset", "file", "message"),
    [
        ("music", "../a.csv", "music has no file '../a.csv', expected one of music_artists.csv"),
        ("digits", "a.csv", "digits has no file 'a.csv', expected one of none"),
    ],
)
def test_unknown_names_are_refused(dataset, file, message):
    with pytest.raises(ValueError, match=message):
        fetch(dataset, file)
