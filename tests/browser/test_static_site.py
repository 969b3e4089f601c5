"""The static site: files below a path of a plain file server, without a Diamonds server."""

import json
from collections.abc import Callable

import pytest

from tests.browser.conftest import StaticSiteServer
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

SCRIPTS = Scripts(__file__)

pytestmark = pytest.mark.kernels


def visit_site(site: StaticSiteServer, person: Callable[..., Player], size: str = "phone") -> tuple[Player, list[str]]:
    """Open the site in a browser; return the player, its failed requests, and its requests outside the path."""
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
    """Follow a link and check its target."""
    link = ann.page.get_by_role("link", name=name)
    address = link.evaluate("(one) => one.href")
    link.click()
    ann.page.wait_for_url(address)


def test_static_site_below_a_path_works_offline_and_offers_updates(site, new_player):
    ann, astray = visit_site(site, new_player)

    def no_link_leads_out() -> None:
        links = ann.page.evaluate("() => [...document.links].map((one) => one.href)")
        assert not [one for one in links if not one.startswith(f"{site.address}/")], f"A link leaves the site: {links}"

    ann.open_lobby()
    for text in ("Play with people", "Friends", "Your account"):
        assert ann.page.get_by_text(text).count() == 0, f"Expected nothing that needs people: {text}"
    ann.page.get_by_text("Options, hints, speed", exact=True).wait_for()
    check_with_axe(ann, "the lobby of a page without a server")
    no_link_leads_out()
    ann.page.wait_for_function(OFFLINE_READY_JS)

    # A game survives a reload.
    ann.page.click(".now")
    for _ in range(2):
        ann.answer_question()
    ann.question()
    ann.wait_until_still()
    before = ann.shown_state()
    ann.page.reload()
    ann.question()
    ann.wait_until_still()
    assert ann.shown_state() == before, "Expected the same game after a reload."

    # A finished game and its record are replayed.
    import_record(ann, nearly_finished_record(), "/?/own")
    ann.page.evaluate(PLAY_ON_JS, 3)
    record = ann.save_record()
    follow_named_link(ann, "Replay")
    ann.page.wait_for_selector(".slider input")
    ann.open("/?/record")
    ann.choose_file(record.decode())
    ann.page.wait_for_selector(".slider input")
    assert "?/table/own-" in ann.page.url

    for path in ("learn/crystals", "puzzles/today"):
        ann.open(f"/?/{path}", "main.table .card, main.table .spot, .hand .card")
        no_link_leads_out()

    # Pages that need other people say so. The rules are available, in German too.
    ann.open("/?/settings")
    ann.page.get_by_label("Language").select_option("de")
    ann.page.wait_for_selector("h1:text('Einstellungen')", state="attached")
    ann.open("/?/rules/fourteen", "article h2:text('Auf dem Tisch')")
    follow_named_link(ann, "Minen")
    ann.page.wait_for_selector("h1:text('Minen')")
    ann.open("/?/settings", "main select")
    assert ann.page.get_by_text("Konto").count() == 0, "Expected no account without a server."
    for path in ("settings/account", "settings/server", "table/anything"):
        ann.open(f"/?/{path}")
        ann.page.get_by_text("Diese Seite hat keinen Server").wait_for()

    assert not astray, f"Failed requests, or requests outside of the site: {astray[:4]}"

    site.stop()
    ann.page.reload()
    ann.page.get_by_text("Diese Seite hat keinen Server").wait_for()
    ann.open("/")
    ann.page.click(".now:enabled")
    assert ann.answer_question()
    ann.open("/?/rules/crystals", "article h2:text('Auf dem Tisch')")

    # A newer page is offered to open clients, but an equal one is not.
    site.start()
    ann.open_lobby()
    offer = ann.page.get_by_role("button", name="Neu laden", exact=True)
    come_back = "() => document.dispatchEvent(new Event('visibilitychange'))"
    with ann.page.expect_response(lambda reply: reply.url == f"{site.address}/"):
        ann.page.evaluate(come_back)
    ann.page.get_by_role("combobox", name="Bots", exact=True).wait_for()
    ann.wait_until_still()
    assert not offer.count(), "The same page is offered as an update."
    publish_update(site.folder, "Newer77")
    ann.page.evaluate(come_back)
    offer.click()
    ann.page.wait_for_selector("script[src='./assets/index-Newer77.js']", state="attached")
    ann.page.wait_for_selector(".now:enabled")
    assert not offer.count()
