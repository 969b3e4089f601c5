"""The score pad: available at any time, the same after a reload, without hidden values, and printable."""

import re
from typing import Any

from tests.browser.player import Player
from tests.browser.scripts import Scripts
from tests.browser.test_accessibility import check_with_axe
from tests.browser.test_tricks import one_card_left
from tests.browser.window_pool import BLANK_URL

SCRIPTS = Scripts(__file__)


def play_one_deal(ann: Player, table: str) -> dict[str, Any]:
    """Play until the next cards are dealt and the player is to act; return that view."""
    deals = ann.get_table(table)["view"]["deals"]
    ann.play_in_background(table, one_card_left)
    message = ann.play_by_api(table, lambda told: told["view"]["deals"] > deals)
    ann.page.wait_for_function(  # bots may have passed cards in the meantime
        "(n) => Number(document.querySelector('main.table[data-question]')?.dataset.n) >= n", arg=message["n"]
    )
    view: dict[str, Any] = message["view"]
    return view


def pad_rows(ann: Player) -> list[list[str]]:
    """Open the pad by its key, read its rows and close it."""
    ann.page.keyboard.press("p")
    ann.page.wait_for_selector("dialog tfoot")
    rows: list[list[str]] = ann.page.evaluate(SCRIPTS["readPad"])
    ann.page.keyboard.press("Escape")
    ann.page.wait_for_selector("dialog", state="detached")
    return rows


def test_score_pad_of_crystals_shows_known_rounds_and_survives_reload(server, new_player):
    ann = new_player(server)
    table = ann.sit_down("crystals", 6)
    assert [row[0] for row in pad_rows(ann)] == ["Round", "now"], "Expected no finished round."
    stands = play_one_deal(ann, table)
    noted = ann.page.request.get(f"{server.address}/api/tables/{table}/score-pad").json()["lines"][0]["view"]
    [heads, first, now] = rows = pad_rows(ann)
    assert heads[:3] == ["Round", "You", "Blaise"]
    points = 2 * noted["vault"][0] + noted["showroom"][0]
    assert first[1].startswith(f"{points} {noted['vault'][0]} {noted['showroom'][0]} {noted['tricks'][0]} trick")
    assert noted["vault"][1:] == [None] * 5
    for cell, shown, tricks in zip(first[2:], noted["showroom"][1:], noted["tricks"][1:], strict=True):
        assert cell.startswith(f"{shown} {tricks} trick"), f"Expected no value of another player's Vault: {cell!r}."
    safe, shown = stands["vault"][0], stands["showroom"]
    assert now == ["now", f"{2 * safe + shown[0]} {safe} {shown[0]}", *map(str, shown[1:])], "expected current scores"
    ann.page.reload()
    ann.question()
    assert pad_rows(ann) == rows, "Expected the same pad after a reload."


def test_score_pad_of_fourteen_is_readable_in_the_phone_drawer(server, new_player):
    ann = new_player(server, "phone", "touch")
    table = ann.sit_down("fourteen", 6, {"scoring": "bid"})
    totals = play_one_deal(ann, table)["totals"]
    ann.page.get_by_role("button", name="Log and chat").tap()
    ann.page.get_by_role("button", name="Score pad").locator("visible=true").tap()
    ann.page.wait_for_selector("dialog tfoot")
    [heads, hand, now] = ann.page.evaluate(SCRIPTS["readPad"])
    assert [heads[0], hand[0], now[0]] == ["Hand", "1", "now"]
    for total, brought, stands in zip(totals, hand[1:], now[1:], strict=True):
        assert brought.startswith(f"{total} +{total} "), f"The first hand scored {total}, but the pad has {brought!r}."
        assert stands.startswith(str(total))
    wide = ann.page.evaluate(
        "() => { const pad = document.querySelector('dialog'); return pad.scrollWidth - pad.clientWidth }"
    )
    assert wide <= 0, f"The pad is {wide} pixels wider than a phone."
    check_with_axe(ann, "the score pad")


def test_printed_score_pad_has_nothing_else(server, new_player):
    ann = new_player(server, color_scheme="dark")
    ann.add_init_script("window.print = () => (window.printed = true)")
    ann.sit_down("mines", 2)
    ann.page.keyboard.press("p")
    ann.page.get_by_role("button", name="Print").wait_for()
    others = ("Print", "Discards", "Log", "Leave the game")
    on_screen = ann.page.evaluate("document.body.innerText")
    assert all(re.search(f"^{other}", on_screen, re.MULTILINE) for other in others), f"Expected {others}: {on_screen}"
    ann.page.get_by_role("button", name="Print").click()
    ann.page.wait_for_function("() => window.printed")
    ann.page.emulate_media(media="print")
    ann.page.wait_for_selector("dialog td")
    shown = ann.page.evaluate("document.body.innerText")
    assert "Piles" in shown
    for other in others:
        assert not re.search(f"^{other}", shown, re.MULTILINE), f"“{other}” would be printed with the pad."
    ink = ann.page.evaluate("getComputedStyle(document.querySelector('dialog td')).color")
    assert ink == "rgb(0, 0, 0)", "In the dark theme the pad is printed in pale ink."


def test_score_pad_is_shown_to_spectators(server, new_player):
    ann, cleo = new_player(server), new_player(server)
    for game, seats in (("crystals", 4), ("fourteen", 4), ("mines", 2)):
        table = ann.create_table(game, seats, private=False)["id"]
        ann.post_to_table(table, "sit", {"nonce": ""})
        (cleo.open if cleo.page.url == BLANK_URL else cleo.follow_link)(f"/table/{table}")
        cleo.page.wait_for_selector(".cloth")
        heads, *_ = pad_rows(cleo)
        assert "You" not in heads
        assert len(heads) == 1 + seats
