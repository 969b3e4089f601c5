"""The Wasm modules: how the server serves them and when they are built."""

import gzip
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from diamonds.server.http.web_client_files import WebClientFiles
from diamonds.server.jobs import worker_pool
from tests.server.support.client import Client

pytestmark = pytest.mark.later

MANIFEST_PATH = "/engine/manifest.json"
MODULE_PATH = "/engine/mines-play-0123456789abcdef.wasm"
WASM_BYTES = b"\0asm\1\0\0\0" + b"code" * 200


@pytest.fixture
def server(open_server: Any, tmp_path: Path) -> Any:
    """A server with one Wasm module and a trained policy."""
    engine = tmp_path / "engine"
    engine.mkdir()
    (engine / "manifest.json").write_text('{"made_from": "the rules", "games": {}}')
    (engine / "mines-play-0123456789abcdef.wasm").write_bytes(WASM_BYTES)
    (engine / ".begun").touch()
    (engine / "crystals-learned-0123456789abcdef.bin").write_bytes(bytes(1000))
    opened = open_server()
    opened.app.web_client = WebClientFiles(tmp_path / "page", engine)
    return opened


def test_wasm_files_are_served_compressed_and_immutable(server):
    guest = Client(server.port)
    for path, kind, code in (
        (MODULE_PATH, "application/wasm", WASM_BYTES),
        ("/engine/crystals-learned-0123456789abcdef.bin", "application/octet-stream", bytes(1000)),
    ):
        status, raw = guest.send("GET", path, None, {"Accept-Encoding": "gzip"})
        assert (status, gzip.decompress(raw)) == (200, code)
        assert guest.reply_headers["content-encoding"] == "gzip"
        assert guest.reply_headers["content-type"] == kind, "expected a type that browsers compile while loading"
        assert guest.reply_headers["cache-control"] == "public, max-age=31536000, immutable"
        assert guest.reply_headers["x-content-type-options"] == "nosniff"
        assert "set-cookie" not in guest.reply_headers
        assert guest.send("GET", path) == (200, code)
        assert guest.send("GET", path, None, {"Range": "bytes=0-3"}) == (200, code), "expected compressed files"
        assert guest.send("HEAD", path) == (200, b"")
        assert guest.send("POST", path, b"{}")[0] == 405


def test_manifest_is_revalidated_on_each_request(server, tmp_path):
    guest = Client(server.port)
    status, raw = guest.send("GET", MANIFEST_PATH)
    assert (status, raw) == (200, b'{"made_from": "the rules", "games": {}}')
    assert guest.reply_headers["content-type"] == "application/json"
    assert guest.reply_headers["cache-control"] == "no-cache"
    known = {"If-None-Match": guest.reply_headers["etag"]}
    assert guest.send("GET", MANIFEST_PATH, None, known) == (304, b"")
    assert guest.reply_headers["etag"] == known["If-None-Match"]
    (tmp_path / "engine" / "manifest.json").write_text('{"made_from": "other rules", "games": {}}')
    assert guest.send("GET", MANIFEST_PATH, None, known) == (200, b'{"made_from": "other rules", "games": {}}')


def test_engine_route_serves_only_wasm_files(server):
    guest = Client(server.port)
    for path in ("/engine/", "/engine/other.wasm", "/engine/lobby", "/engine/../engine/manifest.json", "/engine//manifest.json",
                 "/engine/%2e%2e/page.py", "/Engine/manifest.json", "/engine/.begun", "/engine/manifest.json/", "/engine/manifest.json%00"):  # fmt: skip
        status, raw = guest.send("GET", path)
        assert status == 404, path
        assert raw == b"There is no such file."


def test_server_without_wasm_modules_says_so_and_notices_them_later(open_server, tmp_path):
    server, engine = open_server(), tmp_path / "engine"
    server.app.web_client = WebClientFiles(tmp_path / "page", engine)
    guest = Client(server.port)
    assert guest.send("GET", MANIFEST_PATH)[0] == 404
    engine.mkdir()
    (engine / "mines-play-0123456789abcdef.wasm").write_bytes(WASM_BYTES)
    (engine / "manifest.json").write_text("{}")
    assert guest.send("GET", MODULE_PATH) == (200, WASM_BYTES)
    assert guest.send("GET", MANIFEST_PATH) == (200, b"{}")


def test_csp_allows_own_webassembly_and_workers_only(server):
    guest = Client(server.port)
    guest.send("GET", "/")
    policy = dict(part.split(" ", 1) for part in guest.reply_headers["content-security-policy"].split("; "))
    assert policy["script-src"] == "'self' 'wasm-unsafe-eval'"
    assert policy["worker-src"] == "'self'"
    assert policy["default-src"] == policy["connect-src"] == "'self'"
    guest.send("GET", MODULE_PATH)
    assert guest.reply_headers["content-security-policy"], "expected the worker's own policy on its file"


def test_wasm_modules_are_rebuilt_when_sources_change_in_a_source_tree(tmp_path):
    package, engine = tmp_path / "src" / "diamonds", tmp_path / "engine"
    rules, wire = package / "rules" / "mines.py", package / "server" / "page.py"
    for file in (rules, wire, engine / "other"):
        file.parent.mkdir(parents=True)
        file.touch()
    assert worker_pool.wasm_is_outdated(engine, package), "expected no modules"
    (engine / "manifest.json").touch()
    os.utime(engine / "manifest.json", (1000, 1000))
    assert not worker_pool.wasm_is_outdated(engine, package), "expected an installed package to bring its modules"
    (tmp_path / "pyproject.toml").touch()
    os.utime(rules, (999, 999))
    assert not worker_pool.wasm_is_outdated(engine, package), "expected no rebuild when only the server's code changed"
    os.utime(rules, (1001, 1001))
    assert worker_pool.wasm_is_outdated(engine, package)


def test_build_command_receives_the_output_folder(tmp_path):
    """The command here is a Python script; other tests cover the compiler."""
    stub = tmp_path / "sitecustomize.py"
    stub.write_text(
        "from diamonds.wasm import subprocess_build\nsubprocess_build.build_in_subprocess = lambda folder: print(folder)\n"
    )
    environment = {**os.environ, "PYTHONPATH": f"{tmp_path}{os.pathsep}{worker_pool.PACKAGE.parent}"}
    command = worker_pool.wasm_build_command(tmp_path / "engine")
    assert command[0] == sys.executable
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
    assert done.stdout.strip() == str(tmp_path / "engine")
