"""The package `diamonds-engine` in a browser without a bundler, from any file server, under a strict policy."""

import shutil
import threading
from functools import partial
from http.server import ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import expect

from diamonds import record_reader
from tests.browser.conftest import FolderHandler
from tests.support import artifacts

pytestmark = pytest.mark.kernels

PAGE_HTML = """<!doctype html>
<meta http-equiv="Content-Security-Policy" content="default-src 'self'; script-src 'self' 'wasm-unsafe-eval'">
<script type="module" src="game.js"></script>
"""
PAGE_SCRIPT = Path(__file__).with_suffix(".js")


@pytest.fixture
def installed(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the unpacked package; `tests/test_npm_package.py` covers the packed one."""
    shutil.copytree(
        artifacts.built_package(tmp_path_factory) / "diamonds-engine", tmp_path / "node_modules" / "diamonds-engine"
    )
    return tmp_path


def test_npm_package_plays_a_whole_game_without_a_bundler(browser, installed):
    (installed / "index.html").write_text(PAGE_HTML, encoding="utf-8")
    shutil.copyfile(PAGE_SCRIPT, installed / "game.js")
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(FolderHandler, directory=str(installed))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        context = browser.new_context()
        try:
            page = context.new_page()
            page.goto(f"http://127.0.0.1:{server.server_port}/")
            body = page.locator("body")
            expect(body).to_contain_text("diamonds record")
            assert record_reader.load_record(body.inner_text()).over
        finally:
            context.close()
            server.shutdown()
