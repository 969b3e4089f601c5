"""A Chromium, a server in a process of its own, and people at the table, each with a browser of their own."""

from __future__ import annotations

import os
import select
import signal
import time
import weakref
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.browser import ensure_chromium
from tests.browser.player import Player
from tests.browser.server_fork import SERVER_FORKS
from tests.browser.window_pool import WAIT_TIMEOUT_MS, WindowPool
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
    # Each new window would start a second page, for what drops down from its address bar: half a second's work, unseen.
    # Of several such lists the last one counts, so those of Playwright's that matter here are named again.
    "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup,HttpsUpgrades,MediaRouter,OptimizationHints,PaintHolding",
    # No page lives long enough to win back the work of making its scripts faster.
    "--js-flags=--no-opt --no-maglev",
]
# What timed out on a machine that was too busy is tried once more, and the summary says so (R); an assertion is not.
# Playwright's error, Python's and that of `subprocess` are of three kinds with like names.
RERUN_TIMEOUTS = pytest.mark.flaky(reruns=1, only_rerun=["^Timeout(Error|Expired):"])
expect.set_options(timeout=WAIT_TIMEOUT_MS)
FAILED = pytest.StashKey[bool]()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = os.path.join(Path(__file__).parent, "")
    for item in items:
        if str(item.path).startswith(here):
            item.add_marker(pytest.mark.browser)
            item.add_marker(RERUN_TIMEOUTS)


class BrowserTestServer:
    """The server as players run it, with bots that take ``bot_delay`` seconds. It can be killed and started again.

    ``deal_file`` names the test for which it deals (`server_process.py`). ``is_shared``: it serves one test after the other.
    """

    def __init__(self, data_dir: Path, bot_delay: str = "0", options: tuple[str, ...] = ()) -> None:
        self.data_dir = data_dir
        self.bot_delay = bot_delay
        self.is_shared = False
        self.options = options
        self.deal_file = data_dir.with_name(f"{data_dir.name}-deals-for")
        self.seed_deals("nobody yet")
        reserved = reserve_port()  # until nobody knows of this server any more: it may be killed and started again
        weakref.finalize(self, reserved.close)
        self.port: int = reserved.getsockname()[1]
        self.start()

    def seed_deals(self, test: str) -> None:
        """Which cards are dealt from now on, follows from the name of this test."""
        self.deal_file.write_text(f"{test} {os.environ.get('DIAMONDS_TEST_SEED', '0')}", encoding="utf-8")

    def set_time(self, milliseconds: int) -> None:
        """The clocks of the server, from its next start on, say this, until they are told otherwise."""
        time = self.deal_file.with_name(f"{self.deal_file.name}-time")
        new = time.with_suffix(".new")
        new.write_text(str(milliseconds), encoding="utf-8")
        new.replace(time)  # never half a number

    def start(self) -> None:
        """Start it, at the same address as before, and wait until it says that it is open."""
        arguments = [str(self.deal_file), "--no-warm-up", "--port", str(self.port), "--data-dir", str(self.data_dir)]
        self.process = SERVER_FORKS.fork(*arguments, "--bot-delay", self.bot_delay, "--no-rate-limits", *self.options)
        assert select.select([self.process.stdout], [], [], 5 * WAIT_TIMEOUT_MS / 1000)[0], "The server says nothing."
        line = self.process.stdout.readline()
        assert "http://" in line, f"The server did not open: {line!r}"
        self.address = line[line.index("http://") :].split("/ ")[0]

    def kill(self) -> None:
        """End it as a power cut would."""
        self.process.stop(signal.SIGKILL, 5 * WAIT_TIMEOUT_MS / 1000)

    def stop(self) -> None:
        """End it politely."""
        self.process.stop(signal.SIGTERM, 5 * WAIT_TIMEOUT_MS / 1000)


@pytest.fixture(scope="session")
def chromium_path() -> str:
    path = ensure_chromium.find_shell()
    if path is None:
        pytest.skip(ensure_chromium.MISSING_MESSAGE)
    assert INDEX_HTML.exists(), "The page is not built: run `make test`, or `python web/build.py`."
    return path


# Of the package, not of the session: where Playwright is open, no other test of this process could have an event loop.
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
    """The server that one test after the other uses, once there is one."""
    some: list[BrowserTestServer] = []
    yield some
    for one in some:
        one.stop()


@pytest.fixture
def server(
    shared_servers: list[BrowserTestServer], request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[BrowserTestServer]:
    """The lasting one; after a test that failed a new one, where names are free again and the same cards are dealt if it is tried once more."""
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


@pytest.fixture(scope="package")
def window_pool(browser: Browser) -> Iterator[WindowPool]:
    some = WindowPool(browser)
    yield some
    for window in [*some.idle]:
        some.close(window)


@pytest.fixture(scope="package")
def full_chromium(browser: Browser) -> Iterator[WindowPool]:
    """Windows of a Chromium with all that people have of it, for what its shell knows nothing of."""
    path = ensure_chromium.find()
    if path is None:
        pytest.skip(ensure_chromium.MISSING_MESSAGE)
    whole = browser.browser_type.launch(executable_path=path, args=CHROMIUM_FLAGS, timeout=WAIT_TIMEOUT_MS)
    some = WindowPool(whole)
    yield some
    for window in [*some.idle]:
        some.close(window)
    whole.close()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    item.stash[FAILED] = report.failed or item.stash.get(FAILED, False)
    return report


@pytest.fixture
def new_player(window_pool: WindowPool, request: pytest.FixtureRequest) -> Iterator[Callable[..., Player]]:
    """Someone with a window of their own: ``new_player(server, "phone", input_method="touch")``, and whatever else a browser is made with.

    It may be one that others have used in tests before, and that was made as good as new. ``fresh=True`` where a test is about
    what a browser loads that has loaded nothing yet.
    """
    everyone: list[Player] = []

    def open_window(
        server: BrowserTestServer, size: str = "desktop", input_method: str = "mouse", fresh: bool = False, **more: Any
    ) -> Player:
        server.seed_deals(request.node.name)
        window = window_pool.acquire(VIEWPORTS[size], input_method, fresh=fresh or not server.is_shared, **more)
        window.test_name = request.node.name
        window.is_spent = (
            not server.is_shared
        )  # what is kept of an address that comes again, would be kept for somebody else
        player = Player(window, server.address, input_method, seed=1 + len(everyone))
        everyone.append(player)
        return player

    yield open_window
    for player in everyone:
        player.window.is_spent |= request.node.stash[FAILED]  # whatever state that has left it in
        window_pool.release(player.window)
    errors = [trouble for player in everyone for trouble in player.page_errors]
    assert not errors, f"The page had errors: {errors[:3]}"


def wait_for(condition: Callable[[], bool], message: str, seconds: float = WAIT_TIMEOUT_MS / 1000) -> None:
    """Wait until something holds; ``message`` is the sentence of the failure.

    ``condition`` has to ask a page or the server: what handlers of the page gather is heard only meanwhile.
    """
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError(message)
        time.sleep(0.02)
