"""Reused windows are clean, and errors are reported to the test that caused them."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Route

from tests.browser.conftest import VIEWPORTS
from tests.browser.player import FAST_SETTINGS, Player
from tests.browser.scripts import Scripts
from tests.browser.window_pool import WindowPool

SCRIPTS = Scripts(__file__)


@pytest.fixture
def private_pool(browser: Browser) -> Iterator[WindowPool]:
    """A pool of windows that no other test uses."""
    some = WindowPool(browser)
    yield some
    for window in [*some.idle]:
        some.close(window)


def test_reused_window_is_clean(server, private_pool):
    heard: list[str] = []
    asked: list[str] = []

    def refuse(route: Route) -> None:
        asked.append(route.request.url)
        route.fulfill(body="window.refused = true", content_type="text/javascript")

    ann = Player(private_pool.acquire(VIEWPORTS["phone"], color_scheme="dark"), server.address)
    ann.add_init_script("window.begun = 'begun'")
    ann.on("request", lambda request: heard.append(request.url))
    ann.record_stream()
    ann.change_settings(coach="always", language="de")
    ann.open("/")
    ann.page.wait_for_selector(".now:enabled")
    origin = {"Origin": server.address}
    assert ann.page.request.post(f"{server.address}/api/me", data={"name": "Ann"}, headers=origin).ok
    ann.page.evaluate(SCRIPTS["fillStorage"])
    ann.page.route("**/assets/*.js", refuse)
    ann.context.route("**/api/tables", refuse)
    ann.open("/")
    ann.page.wait_for_function("() => window.refused")
    ann.page.mouse.move(100, 100)
    ann.page.emulate_media(media="print")
    ann.context.grant_permissions(["clipboard-read"])
    ann.context.new_page()
    ann.context.set_offline(True)
    assert len(ann.page.evaluate(SCRIPTS["findStorage"])) >= 10, ann.page.evaluate(SCRIPTS["findStorage"])
    private_pool.release(ann.window)
    assert ann.window in private_pool.idle, "Expected the window to be reused."
    before = len(heard), len(asked), len(ann.stream_messages)

    ben = Player(private_pool.acquire(VIEWPORTS["desktop"]), server.address)
    assert ben.page is ann.page
    assert ben.context.pages == [ben.page]
    assert ben.context.cookies() == []
    assert ben.page.viewport_size == {"width": 1440, "height": 900}
    ben.sit_down()
    assert ben.page.evaluate(SCRIPTS["findStorage"]) == []
    assert (len(heard), len(asked), len(ann.stream_messages)) == before, "A handler of Ann's test is still called."
    settings = ben.page.evaluate("JSON.parse(localStorage.getItem('diamonds.settings'))")
    assert settings == FAST_SETTINGS
    ben_name = ben.page.request.get(f"{server.address}/api/server").json()["display_name"]
    assert ben_name != "Ann", "Ben is signed in as Ann."
    assert ben.page.evaluate("history.length") == 2, "Expected an empty history."
    private_pool.release(ben.window)

    for _ in range(3):
        cleo = Player(private_pool.acquire(VIEWPORTS["desktop"]), server.address)
        assert cleo.page.request.get(f"{server.address}/api/server").ok
        private_pool.release(cleo.window)
        assert private_pool.idle == [cleo.window], "A window without any page is not reused."
    assert cleo.page is ann.page


def test_page_errors_are_reported_to_the_test_that_caused_them(server, private_pool):
    wrong = "() => { Promise.reject(new Error('It went wrong.')) }"
    ann = Player(private_pool.acquire(VIEWPORTS["desktop"]), server.address)
    ann.open("/settings")
    ann.page.evaluate(wrong)
    private_pool.release(ann.window)
    assert ann.page_errors == ["It went wrong."], "Expected to wait for the last error."
    assert private_pool.idle == [], "The error would be reported for the next test."
    ben = Player(private_pool.acquire(VIEWPORTS["desktop"]), server.address)
    ben.window.test_name = "the test of Ben"
    ben.open("/settings")
    private_pool.release(ben.window)
    ben.page.evaluate(wrong)
    with pytest.raises(AssertionError, match=r"page of the test of Ben reported errors after its end: .*It went wrong"):
        private_pool.acquire(VIEWPORTS["desktop"])


def test_window_is_configured_through_its_player():
    """Settings made by direct calls to Playwright would persist in the window into later tests."""
    lasting = r"\b(page|context)\.(add_init_script|new_cdp_session|on|once|clock)\b|\b(expose_\w+|set_extra_http_headers|set_geolocation)\("
    found = [
        f"{path.name}: {line.strip()}"
        for path in Path(__file__).parent.glob("test_*.py")
        for line in path.read_text(encoding="utf-8").splitlines()
        if re.search(lasting, line) and "lasting =" not in line
    ]
    assert not found, f"See `PooledWindow` in window_pool.py: {found}"
