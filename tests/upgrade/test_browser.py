"""A browser's storage, written by an earlier version and opened by the current web client."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.browser import ensure_chromium
from tests.browser.conftest import CHROMIUM_FLAGS, VIEWPORTS
from tests.browser.player import Player
from tests.browser.scripts import Scripts
from tests.browser.test_local_games import FAST_TIMEOUTS_JS, PLAY_ON_JS
from tests.browser.window_pool import WAIT_TIMEOUT_MS, PooledWindow
from tests.support import artifacts
from tests.upgrade.program import UpgradeServer
from tests.upgrade.version_fixtures import VersionFixtures

SCRIPTS = Scripts(__file__)

pytestmark = pytest.mark.kernels


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    path = ensure_chromium.find_shell()
    if path is None:
        pytest.skip(ensure_chromium.MISSING_MESSAGE)
    artifacts.built_modules()
    with sync_playwright() as playwright:
        one = playwright.chromium.launch(executable_path=path, args=CHROMIUM_FLAGS, timeout=WAIT_TIMEOUT_MS)
        yield one
        one.close()


@pytest.fixture(scope="module")
def stored_browser(version_fixtures: VersionFixtures) -> dict[str, Any]:
    """The browser's storage."""
    found: dict[str, Any] = json.loads(gzip.decompress((version_fixtures.folder / "browser.json.gz").read_bytes()))
    return found


@pytest.fixture
def open_browser(
    browser: Browser, upgraded_server: UpgradeServer, stored_browser: dict[str, Any]
) -> Iterator[Callable[..., Player]]:
    """Return a function that opens browsers with these cookies and the stored data."""
    players: list[Player] = []

    def open_browser(cookies: list[dict[str, str]], storage: bool = True) -> Player:
        width, height = VIEWPORTS["desktop"]
        window = PooledWindow(browser, {"service_workers": "block", "viewport": {"width": width, "height": height}})
        player = Player(window, upgraded_server.address)
        players.append(player)
        window._scripts.clear()  # other tests change settings first
        window.add_init_script(FAST_TIMEOUTS_JS)
        window.context.add_cookies([{**cookie, "url": upgraded_server.address} for cookie in cookies])
        if storage:
            player.open("/api/health")
            player.page.evaluate(
                SCRIPTS["writeStorage"], {"databases": stored_browser["databases"], "local": stored_browser["local"]}
            )
        return player

    yield open_browser
    for player in players:
        assert not player.page_errors, f"The page had errors: {player.page_errors[:3]}"
        player.window.close()


def test_guest_and_settings_are_the_same(open_browser, stored_browser, version_fixtures):
    gus = open_browser(stored_browser["cookies"])
    gus.open("/settings")
    gus.page.wait_for_function("() => document.documentElement.lang === 'de'")
    gus.page.wait_for_selector("main select")
    assert gus.page.evaluate("document.documentElement.dataset.theme") == "dark"
    for value in ("de", "dark", "apart", "large"):
        assert gus.page.locator(f"select option[value={value}]:checked").count() == 1, f"{value} is not chosen"
    assert gus.page.locator("input[type=checkbox]:checked").count() == 1, "expected sounds and nothing else to be on"
    gus.open("/settings/account")
    expect(gus.page.locator("main")).to_contain_text(stored_browser["guest"])


def test_local_games_are_listed_and_finished_ones_replay(open_browser, stored_browser):
    gus = open_browser(stored_browser["cookies"])
    gus.open("/own")
    gus.page.locator("main li a").nth(len(stored_browser["games"]) - 1).wait_for()
    listed = {
        link.rsplit("/", 1)[-1]
        for link in gus.page.locator("main li a").evaluate_all("(all) => all.map((a) => a.href)")
    }
    assert listed == {game["id"] for game in stored_browser["games"]}
    for game in stored_browser["games"]:
        if game["over"]:
            gus.open(f"/table/{game['id']}")
            gus.page.wait_for_selector(".end")
            gus.page.goto(gus.page.url + "/replay")
            gus.page.wait_for_selector(".slider input")


def test_local_games_are_played_to_their_end(open_browser, stored_browser):
    gus = open_browser(stored_browser["cookies"])
    running = [game for game in stored_browser["games"] if not game["over"]]
    assert {game["game"] for game in running} == {"crystals", "fourteen", "mines"}
    for game in running:
        gus.open(f"/table/{game['id']}")
        gus.question()
        assert int(gus.shown_state()["n"]) == game["n"], f"{game['game']} is not where it was left"
        gus.page.evaluate(PLAY_ON_JS, 3)
        assert gus.page.locator(".end").is_visible()


def test_lessons_and_puzzles_keep_their_progress(open_browser, stored_browser):
    gus = open_browser(stored_browser["cookies"])
    gus.open("/learn/crystals")
    gus.page.wait_for_selector(f".task[data-step='{stored_browser['lessons']['crystals']}']")
    gus.open("/puzzles")
    gus.page.wait_for_selector(".today a")
    expect(gus.page.locator("main")).to_contain_text("2 von")
    expect(gus.page.locator("main")).to_contain_text("1193")


def test_device_of_an_account_is_signed_in(open_browser, version_fixtures):
    name, _, value = version_fixtures.people["Anna"]["second_cookie"].partition("=")
    anna = open_browser([{"name": name, "value": value}], storage=False)
    anna.open("/settings/account")
    expect(anna.page.locator("main")).to_contain_text("Anna")
    anna.open("/")
    anna.page.locator(f"a[href='/table/{version_fixtures.id('running crystals')}']").wait_for()
