"""The page with no server behind it: files in a folder below some path, served by the plainest of servers."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from diamonds import cli
from tests.browser.player import Player
from tests.browser.scripts import Scripts
from tests.browser.test_accessibility import check_with_axe
from tests.browser.test_local_games import (
    FAST_TIMEOUTS_JS,
    OFFLINE_READY_JS,
    PLAY_ON_JS,
    import_record,
    nearly_finished_record,
)
from tests.browser.test_offline import publish_update
from tests.support import artifacts

SCRIPTS = Scripts(__file__)

pytestmark = pytest.mark.kernels


class FolderHandler(SimpleHTTPRequestHandler):
    """Files in a folder, and nothing else."""

    def log_message(self, format: str, *args: object) -> None:
        """To nobody."""


class StaticSiteServer:
    """A site, and what serves it; to a player it is what a server is."""

    is_shared = False

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "some" / "path"
        self.port = 0
        self.start()
        self.address = f"http://127.0.0.1:{self.port}/some/path"

    def start(self) -> None:
        """Serve it, at the same address as before."""
        folder = str(self.folder.parents[1])
        self.server = ThreadingHTTPServer(("127.0.0.1", self.port), partial(FolderHandler, directory=folder))
        self.server.daemon_threads = True
        self.port = self.server.server_port
        self.thread = threading.Thread(target=self.server.serve_forever)
        self.thread.start()

    def seed_deals(self, test: str) -> None:
        """Cards are dealt in the page."""

    def stop(self) -> None:
        """Nobody answers any more."""
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()


@pytest.fixture
def site(tmp_path: Path) -> Iterator[StaticSiteServer]:
    artifacts.built_modules()
    assert cli.main(["build-site", str(tmp_path / "some" / "path")]) == 0
    one = StaticSiteServer(tmp_path)
    yield one
    if one.thread.is_alive():
        one.stop()


def visit_site(site: StaticSiteServer, person: Callable[..., Player], size: str = "phone") -> tuple[Player, list[str]]:
    """Somebody with a browser, and what it asks for outside of the path, or in vain."""
    ann = person(site, size, service_workers="allow")
    ann.add_init_script(FAST_TIMEOUTS_JS)
    ann.add_init_script(SCRIPTS.call("preferDevice"))
    choice = {"game": "mines", "seats": 2, "level": "3", "pace": "quick"}
    text = json.dumps(json.dumps(choice))
    ann.add_init_script(f"localStorage.getItem('diamonds.choice') ?? localStorage.setItem('diamonds.choice', {text})")
    astray: list[str] = []
    ann.on("request", lambda one: None if one.url.startswith(f"{site.address}/") else astray.append(one.url))
    ann.on("response", lambda one: astray.append(f"{one.status} {one.url}") if one.status >= 400 else None)
    return ann, astray


def follow_named_link(ann: Player, name: str) -> None:
    """Follow a link, which leads where it says."""
    link = ann.page.get_by_role("link", name=name)
    address = link.evaluate("(one) => one.href")
    link.click()
    ann.page.wait_for_url(address)


def test_static_site_below_a_path_works_offline_and_offers_updates(
    site: StaticSiteServer, new_player: Callable[..., Player]
) -> None:
    ann, astray = visit_site(site, new_player)

    def no_link_leads_out() -> None:
        links = ann.page.evaluate("() => [...document.links].map((one) => one.href)")
        assert not [one for one in links if not one.startswith(f"{site.address}/")], f"A link leads out: {links}"

    ann.open("/")
    ann.page.wait_for_selector(".now:enabled")
    ann.page.wait_for_selector(".choose select")
    for text in ("Play with people", "Friends", "Your account"):
        assert ann.page.get_by_text(text).count() == 0, f"Nobody else is here, and still there is: {text}"
    check_with_axe(ann, "the lobby of a page without a server")
    no_link_leads_out()
    ann.page.wait_for_function(OFFLINE_READY_JS)

    # A game goes on when the page is loaded anew.
    ann.page.click(".now")
    for _ in range(2):
        ann.answer_question()
    ann.question()
    ann.wait_until_still()
    before = ann.shown_state()
    ann.page.reload()
    ann.question()
    ann.wait_until_still()
    assert ann.shown_state() == before, "A page that was loaded anew shows another game."

    # One that is over is replayed, and so is its record.
    import_record(ann, nearly_finished_record(), "/?/own")
    ann.page.evaluate(PLAY_ON_JS, 3)
    with ann.page.expect_download() as saved:
        ann.page.get_by_role("link", name="Record").click()
    follow_named_link(ann, "Replay")
    ann.page.wait_for_selector(".slider input")
    ann.open("/?/record")
    ann.page.locator("input[type=file]").set_input_files(saved.value.path())
    ann.page.wait_for_selector(".slider input")
    assert "?/table/own-" in ann.page.url

    for path in ("learn/crystals", "puzzles/today"):
        ann.open(f"/?/{path}")
        ann.page.wait_for_selector("main.table .card, main.table .spot, .hand .card")
        no_link_leads_out()

    # What needs people says so, and the rules are there, in German too.
    ann.open("/?/settings")
    ann.page.get_by_label("Language").select_option("de")
    ann.page.wait_for_selector("h1:text('Einstellungen')", state="attached")
    ann.open("/?/rules/fourteen")
    ann.page.wait_for_selector("article h2:text('Das Ziel')")
    follow_named_link(ann, "Minen")
    ann.page.wait_for_selector("h1:text('Minen')")
    ann.open("/?/settings")
    ann.page.wait_for_selector("main select")
    assert ann.page.get_by_text("Konto").count() == 0, "There is no account without a server."
    for path in ("settings/account", "settings/house", "table/anything"):
        ann.open(f"/?/{path}")
        ann.page.get_by_text("Diese Seite hat keinen Server").wait_for()

    assert not astray, f"Asked for outside of the site, or in vain: {astray[:4]}"

    site.stop()
    ann.page.reload()
    ann.page.get_by_text("Diese Seite hat keinen Server").wait_for()
    ann.open("/")
    ann.page.click(".now:enabled")
    assert ann.answer_question()
    ann.open("/?/rules/crystals")
    ann.page.wait_for_selector("article h2:text('Das Ziel')")

    # A newer page is offered to whoever has one open, and not the same one.
    site.start()
    ann.open("/")
    ann.page.wait_for_selector(".now:enabled")
    offer = ann.page.get_by_role("button", name="Neu laden", exact=True)
    come_back = "() => document.dispatchEvent(new Event('visibilitychange'))"
    with ann.page.expect_response(lambda reply: reply.url == f"{site.address}/"):
        ann.page.evaluate(come_back)
    ann.page.get_by_role("combobox", name="Bots", exact=True).wait_for()
    assert not offer.count(), "The same page is offered as a newer one."
    publish_update(site.folder, "Newer77")
    ann.page.evaluate(come_back)
    offer.click()
    ann.page.wait_for_selector("script[src='./assets/index-Newer77.js']", state="attached")
    ann.page.wait_for_selector(".now:enabled")
    assert not offer.count()
