"""The rules page draws what the text writes with letters and lines, says it in words, and begins with what matters most."""

from __future__ import annotations

import re
from collections.abc import Callable

from browser.conftest import Server
from browser.player import Player
from browser.test_access import examine


def test_the_rules_show_cards_suits_and_the_field_and_say_them(server: Server, person: Callable[..., Player]) -> None:
    ann = person(server, "phone")
    for game, cards, fields in (("crystals", 16, 0), ("fourteen", 12, 0), ("mines", 20, 3)):
        ann.open(f"/rules/{game}")
        ann.page.wait_for_selector("article h2")
        assert ann.page.locator("article .playing").count() >= cards, f"{game}: its cards are not drawn"
        assert ann.page.locator("article .field").count() == fields
        assert not ann.page.locator("article pre:has-text('├────┤')").count(), "the field is of letters and lines"
        tree = re.sub(r"- code: .*", "", ann.page.locator("article").aria_snapshot())  # drawings of letters that stay
        assert not re.search("[♦♥♠♣]", tree), f"{game}: a suit is a sign, and no word"
        heads = ann.page.locator("article h2").all_text_contents()
        assert heads[:2] == ["In short", "The goal"], f"{game} begins with {heads[:2]}"
        examine(ann, f"the rules of {game}")
        essentials = ann.page.evaluate(
            "() => { const [first, next] = document.querySelectorAll('article h2'); return next.getBoundingClientRect().top - first.getBoundingClientRect().top }"
        )
        assert essentials <= 740, f"{game}: what matters most takes more than one screen of a phone: {essentials}"


def test_the_field_of_mines_is_said_pile_by_pile(server: Server, person: Callable[..., Player]) -> None:
    ann = person(server)
    ann.open("/rules/mines")
    ann.page.wait_for_selector("article .field")
    piles = ann.page.locator("article .field").nth(1).locator("li").all_text_contents()
    assert len(piles) == 13
    assert piles[0] == "Pile 0, Ada’s: 1 card."
    assert piles[2] == "Pile 2: 4 cards."
    assert piles[11] == "Pile 11, Ben’s: 2 cards."
