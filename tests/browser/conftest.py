"""Fixtures of the browser tests: Chromium, servers in their own processes, and players with one window each."""

from __future__ import annotations

import os
import select
import signal
import threading
import time
import weakref
from collections.abc import Callable, Generator, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from diamonds import cli
from tests.browser import ensure_chromium
from tests.browser.player import Player
from tests.browser.server_fork import SERVER_FORKS
from tests.browser.window_pool import WAIT_TIMEOUT_MS, WindowPool
from tests.support import artifacts
from tests.support.ports import reserve_port

INDEX_HTML = Path(__file__).parents[2] / "src" / "diamonds" / "server" / "web" / "index.html"
VIEWPORTS = {"phone": (360, 740), "tablet": (768, 1024), "desktop": (1440, 900)}
CHROMIUM_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--in-process-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    # By default, each new window starts a second page for the address bar's suggestions, which takes half a second.
    # Only the last list of features applies, so it repeats the relevant ones of Playwright's own list.
    "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup,HttpsUpgrades,MediaRouter,OptimizationHints,PaintHolding",
    # Pages are too short-lived to profit from optimised scripts.
    "--js-flags=--no-opt --no-maglev",
]
expect.set_options(timeout=WAIT_TIMEOUT_MS)
FAILED = pytest.StashKey[bool]()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = os.path.join(Path(__file__).parent, "")
    for item in items:
        if str(item.path).startswith(here):
            item.add_marker(pytest.mark.browser)


class BrowserTestServer:
    """The server as players run it, with bots that take ``bot_delay`` seconds. It can be killed and restarted.

    ``deal_file`` names the test that determines the cards (`server_process.py`). A server with ``is_shared`` serves
    several tests, one after another.
    """

    def __init__(self, data_dir: Path, bot_delay: str = "0", options: tuple[str, ...] = ()) -> None:
        self.data_dir = data_dir
        self.bot_delay = bot_delay
        self.is_shared = False
        self.options = options
        self.deal_file = data_dir.with_name(f"{data_dir.name}-deals-for")
        self.seed_deals("nobody yet")
        reserved = reserve_port()  # reserved as long as the server may be restarted
        weakref.finalize(self, reserved.close)
        self.port: int = reserved.getsockname()[1]
        self.start()

    def seed_deals(self, test: str) -> None:
        """Let the name of this test determine the cards from now on."""
        self.deal_file.write_text(f"{test} {os.environ.get('DIAMONDS_TEST_SEED', '0')}", encoding="utf-8")

    def set_time(self, milliseconds: int) -> None:
        """Set the clocks of the server, from its next start on."""
        time = self.deal_file.with_name(f"{self.deal_file.name}-time")
        new = time.with_suffix(".new")
        new.write_text(str(milliseconds), encoding="utf-8")
        new.replace(time)  # so that a partly written number is never read

    def start(self) -> None:
        """Start the server at the same address as before, and wait until it is open."""
        arguments = [str(self.deal_file), "--no-warm-up", "--port", str(self.port), "--data-dir", str(self.data_dir)]
        self.process = SERVER_FORKS.fork(*arguments, "--bot-delay", self.bot_delay, "--no-rate-limits", *self.options)
        assert select.select([self.process.stdout], [], [], 5 * WAIT_TIMEOUT_MS / 1000)[0], "No output."
        line = self.process.stdout.readline()
        assert "http://" in line, f"The server did not open: {line!r}"
        self.address = line[line.index("http://") :].split("/ ")[0]

    def restart_at(self, milliseconds: int) -> None:
        """Stop the server, and start it again at this time."""
        self.stop()
        self.set_time(milliseconds)
        self.start()

    def kill(self) -> None:
        """Kill the server, as a power cut would."""
        self.process.stop(signal.SIGKILL, 5 * WAIT_TIMEOUT_MS / 1000)

    def stop(self) -> None:
        """Stop the server gracefully."""
        self.process.stop(signal.SIGTERM, 5 * WAIT_TIMEOUT_MS / 1000)


class FolderHandler(SimpleHTTPRequestHandler):
    """A handler that serves only the files of a folder."""

    def log_message(self, format: str, *args: object) -> None:
        """Print no log."""


class StaticSiteServer:
    """A site and its file server, instead of a Diamonds server."""

    is_shared = False

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "some" / "path"
        self.port = 0
        self.start()
        self.address = f"http://127.0.0.1:{self.port}/some/path"

    def start(self) -> None:
        """Serve the site at the same address as before."""
        folder = str(self.folder.parents[1])
        self.server = ThreadingHTTPServer(("127.0.0.1", self.port), partial(FolderHandler, directory=folder))
        self.server.daemon_threads = True
        self.port = self.server.server_port
        self.thread = threading.Thread(target=self.server.serve_forever)
        self.thread.start()

    def seed_deals(self, test: str) -> None:
        """Do nothing, because the page deals the cards."""

    def stop(self) -> None:
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()


@pytest.fixture(scope="session")
def chromium_path() -> str:
    path = ensure_chromium.find_shell()
    if path is None:
        pytest.skip(ensure_chromium.MISSING_MESSAGE)
    assert INDEX_HTML.exists(), "The page is missing: run `make test` or `python web/build.py`."
    return path


# Package scope, not session scope: while Playwright is open, no other test of this process can have an event loop.
@pytest.fixture(scope="package")
def browser(chromium_path: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        instance = playwright.chromium.launch(
            executable_path=chromium_path, args=CHROMIUM_FLAGS, timeout=WAIT_TIMEOUT_MS
        )
        yield instance
        instance.close()


@pytest.fixture(scope="package", autouse=True)
def _stop_server_forks() -> Iterator[None]:
    yield
    SERVER_FORKS.close()


@pytest.fixture(scope="package")
def shared_servers() -> Iterator[list[BrowserTestServer]]:
    """A holder for the server that tests share."""
    some: list[BrowserTestServer] = []
    yield some
    for one in some:
        one.stop()


@pytest.fixture
def server(
    shared_servers: list[BrowserTestServer], request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[BrowserTestServer]:
    """The shared server, or after a failed test a new one, so that names are free and a rerun gets the same cards."""
    if not shared_servers:
        shared_servers.append(BrowserTestServer(tmp_path_factory.mktemp("server")))
        shared_servers[0].is_shared = True
    yield shared_servers[0]
    if request.node.stash.get(FAILED, False):
        shared_servers.pop().stop()


@pytest.fixture
def private_server(tmp_path: Path) -> Iterator[BrowserTestServer]:
    """A server for one test, which may kill it."""
    instance = BrowserTestServer(tmp_path / "server")
    yield instance
    instance.stop()


@pytest.fixture
def site(tmp_path: Path) -> Iterator[StaticSiteServer]:
    """The static site below a path, as written by `diamonds build-site`."""
    artifacts.built_modules()
    assert cli.main(["build-site", str(tmp_path / "some" / "path")]) == 0
    one = StaticSiteServer(tmp_path)
    yield one
    if one.thread.is_alive():
        one.stop()


@pytest.fixture(scope="module")
def slow_bot_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BrowserTestServer]:
    """A server whose bots take a minute for each answer unless they are skipped."""
    one = BrowserTestServer(tmp_path_factory.mktemp("slow") / "server", bot_delay="60")
    one.is_shared = True
    yield one
    one.stop()


@pytest.fixture(scope="package")
def window_pool(browser: Browser) -> Iterator[WindowPool]:
    some = WindowPool(browser)
    yield some
    some.close_all()


@pytest.fixture(scope="package")
def full_chromium(browser: Browser) -> Iterator[WindowPool]:
    """Windows of a complete Chromium, for features missing in its headless shell."""
    path = ensure_chromium.find()
    if path is None:
        pytest.skip(ensure_chromium.MISSING_MESSAGE)
    whole = browser.browser_type.launch(executable_path=path, args=CHROMIUM_FLAGS, timeout=WAIT_TIMEOUT_MS)
    some = WindowPool(whole)
    yield some
    some.close_all()
    whole.close()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    item.stash[FAILED] = report.failed or item.stash.get(FAILED, False)
    return report


@pytest.fixture
def new_player(window_pool: WindowPool, request: pytest.FixtureRequest) -> Iterator[Callable[..., Player]]:
    """Open a player's window: ``new_player(server, "phone", input_method="touch")``, with further browser options.

    The window may have been used and reset by an earlier test. Use ``fresh=True`` if a test is about the first load.
    """
    everyone: list[Player] = []

    def open_window(
        server: BrowserTestServer, size: str = "desktop", input_method: str = "mouse", fresh: bool = False, **more: Any
    ) -> Player:
        server.seed_deals(request.node.name)
        window = window_pool.acquire(VIEWPORTS[size], input_method, fresh=fresh or not server.is_shared, **more)
        window.test_name = request.node.name
        window.is_spent = not server.is_shared  # otherwise another player at a reused address would get cached files
        player = Player(window, server.address, input_method, seed=1 + len(everyone))
        everyone.append(player)
        return player

    yield open_window
    for player in everyone:
        player.window.is_spent |= request.node.stash[FAILED]  # whatever state the test left the window in
        window_pool.release(player.window)
    errors = [trouble for player in everyone for trouble in player.page_errors]
    assert not errors, f"The page had errors: {errors[:3]}"


def wait_for(condition: Callable[[], bool], message: str, seconds: float = WAIT_TIMEOUT_MS / 1000) -> None:
    """Wait until a condition holds; ``message`` is shown if it never does.

    ``condition`` must call a page or the server, because the page's handlers only run during such calls.
    """
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError(message)
        time.sleep(0.02)
