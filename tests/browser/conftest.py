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

from browser import chromium
from browser.forked import HOUSES
from browser.player import Player
from browser.windows import PATIENCE, Windows
from ports import reserve

PAGE = Path(__file__).parents[2] / "src" / "diamonds" / "server" / "page" / "index.html"
SIZES = {"phone": (360, 740), "tablet": (768, 1024), "desktop": (1440, 900)}
FLAGS = [
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
AGAIN = pytest.mark.flaky(reruns=1, only_rerun=["^Timeout(Error|Expired):"])
expect.set_options(timeout=PATIENCE)
FAILED = pytest.StashKey[bool]()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = os.path.join(Path(__file__).parent, "")
    for item in items:
        if str(item.path).startswith(here):
            item.add_marker(pytest.mark.browser)
            item.add_marker(AGAIN)


class Server:
    """The server as players run it, with bots that take ``think`` seconds. It can be killed and started again.

    ``dealt`` is the file that names the test for which it deals (`house.py`). ``lasting``: it serves one test after the other.
    """

    def __init__(self, data: Path, think: str = "0", more: tuple[str, ...] = ()) -> None:
        self.data = data
        self.think = think
        self.lasting = False
        self.more = more
        self.dealt = data.with_name(f"{data.name}-deals-for")
        self.deal_for("nobody yet")
        kept = reserve()  # until nobody knows of this server any more: it may be killed and started again
        weakref.finalize(self, kept.close)
        self.port: int = kept.getsockname()[1]
        self.start()

    def deal_for(self, test: str) -> None:
        """Which cards are dealt from now on, follows from the name of this test."""
        self.dealt.write_text(f"{test} {os.environ.get('DIAMONDS_DEALS', '0')}", encoding="utf-8")

    def set_time(self, milliseconds: int) -> None:
        """The clocks of the house, from its next start on, say this, until they are told otherwise."""
        time = self.dealt.with_name(f"{self.dealt.name}-time")
        new = time.with_suffix(".new")
        new.write_text(str(milliseconds), encoding="utf-8")
        new.replace(time)  # never half a number

    def start(self) -> None:
        """Start it, at the same address as before, and wait until it says that it is open."""
        words = [str(self.dealt), "--lazy", "--port", str(self.port), "--data", str(self.data)]
        self.process = HOUSES.open(*words, "--think", self.think, "--no-limits", *self.more)
        assert select.select([self.process.says], [], [], 5 * PATIENCE / 1000)[0], "The server says nothing."
        line = self.process.says.readline()
        assert "http://" in line, f"The server did not open: {line!r}"
        self.address = line[line.index("http://") :].split("/ ")[0]

    def kill(self) -> None:
        """End it as a power cut would."""
        self.process.end(signal.SIGKILL, 5 * PATIENCE / 1000)

    def stop(self) -> None:
        """End it politely."""
        self.process.end(signal.SIGTERM, 5 * PATIENCE / 1000)


@pytest.fixture(scope="session")
def browser_path() -> str:
    path = chromium.find_shell()
    if path is None:
        pytest.skip(chromium.MISSING)
    assert PAGE.exists(), "The page is not built: run `make test`, or `python web/build.py`."
    return path


# Of the package, not of the session: where Playwright is open, no other test of this process could have an event loop.
@pytest.fixture(scope="package")
def browser(browser_path: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        one = playwright.chromium.launch(executable_path=browser_path, args=FLAGS, timeout=PATIENCE)
        yield one
        one.close()


@pytest.fixture(scope="package", autouse=True)
def _houses() -> Iterator[None]:
    yield
    HOUSES.close()


@pytest.fixture(scope="package")
def lasting() -> Iterator[list[Server]]:
    """The server that one test after the other uses, once there is one."""
    some: list[Server] = []
    yield some
    for one in some:
        one.stop()


@pytest.fixture
def server(
    lasting: list[Server], request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Server]:
    """The lasting one; after a test that failed a new one, where names are free again and the same cards are dealt if it is tried once more."""
    if not lasting:
        lasting.append(Server(tmp_path_factory.mktemp("house")))
        lasting[0].lasting = True
    yield lasting[0]
    if request.node.stash.get(FAILED, False):
        lasting.pop().stop()


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Server]:
    """A server for one test, which may kill it."""
    one = Server(tmp_path / "house")
    yield one
    one.stop()


@pytest.fixture(scope="package")
def windows(browser: Browser) -> Iterator[Windows]:
    some = Windows(browser)
    yield some
    for window in [*some.waiting]:
        some.close(window)


@pytest.fixture(scope="package")
def whole_windows(browser: Browser) -> Iterator[Windows]:
    """Windows of a Chromium with all that people have of it, for what its shell knows nothing of."""
    path = chromium.find()
    if path is None:
        pytest.skip(chromium.MISSING)
    whole = browser.browser_type.launch(executable_path=path, args=FLAGS, timeout=PATIENCE)
    some = Windows(whole)
    yield some
    for window in [*some.waiting]:
        some.close(window)
    whole.close()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    item.stash[FAILED] = report.failed or item.stash.get(FAILED, False)
    return report


@pytest.fixture
def person(windows: Windows, request: pytest.FixtureRequest) -> Iterator[Callable[..., Player]]:
    """Someone with a window of their own: ``person(server, "phone", by="touch")``, and whatever else a browser is made with.

    It may be one that others have used in tests before, and that was made as good as new. ``fresh=True`` where a test is about
    what a browser loads that has loaded nothing yet.
    """
    everyone: list[Player] = []

    def arrive(server: Server, size: str = "desktop", by: str = "mouse", fresh: bool = False, **more: Any) -> Player:
        server.deal_for(request.node.name)
        window = windows.take(SIZES[size], by, fresh=fresh or not server.lasting, **more)
        window.whose = request.node.name
        window.spent = (
            not server.lasting
        )  # what is kept of an address that comes again, would be kept for somebody else
        player = Player(window, server.address, by, seed=1 + len(everyone))
        everyone.append(player)
        return player

    yield arrive
    for player in everyone:
        player.window.spent |= request.node.stash[FAILED]  # whatever state that has left it in
        windows.give_back(player.window)
    troubles = [trouble for player in everyone for trouble in player.troubles]
    assert not troubles, f"The page had errors: {troubles[:3]}"


def wait_for(what: Callable[[], bool], why: str, seconds: float = PATIENCE / 1000) -> None:
    """Wait until something holds; ``why`` is the sentence of the failure.

    ``what`` has to ask a page or the server: what handlers of the page gather is heard only meanwhile.
    """
    end = time.monotonic() + seconds
    while not what():
        if time.monotonic() > end:
            raise TimeoutError(why)
        time.sleep(0.02)
