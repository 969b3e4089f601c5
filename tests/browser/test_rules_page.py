"""Rules pages draw the tables and figures of the text, with text alternatives, and begin with the essentials."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.test_accessibility import check_with_axe


def test_rules_page_draws_cards_suits_and_field_with_text_alternatives(server, new_player):
    ann = new_player(server, "phone")
    for game, cards, fields, around in (("crystals", 16, 0, 1), ("fourteen", 12, 0, 1), ("mines", 20, 3, 0)):
        ann.open(f"/rules/{game}", "article h2")
        ann.page.wait_for_selector(f"article .playing >> nth={cards - 1}", state="attached")
        expect(ann.page.locator("article .field")).to_have_count(fields)
        expect(ann.page.locator("article .around")).to_have_count(around)
        assert not ann.page.locator("article pre").count(), f"{game}: a drawing in letters and lines"
        tree = ann.page.locator("article").aria_snapshot()
        assert not re.search("[♦♥♠♣]", tree), f"{game}: a suit is a symbol without a name"
        heads = ann.page.locator("article h2").all_text_contents()
        assert heads[:2] == ["In short", "On the table"], f"{game} begins with {heads[:2]}"
        essentials = ann.page.locator("article h2").evaluate_all(
            "([first, next]) => next.getBoundingClientRect().top - first.getBoundingClientRect().top"
        )
        assert essentials <= 740, f"{game}: the essentials take more than one screen of a phone: {essentials}"
    check_with_axe(ann, "the rules of mines")
    piles = ann.page.locator("article .field").nth(1).locator("li").all_text_contents()
    assert len(piles) == 13
    assert piles[0] == "Pile 1, Ada’s: 1 card."
    assert piles[2] == "Pile 3: 4 cards."
    assert piles[11] == "Pile 12, Ben’s: 2 cards."


@pytest.mark.parametrize("language", ["de", pytest.param("en", marks=pytest.mark.slow)])
def test_rules_page_draws_tricks_and_seating_in_place(language, server, new_player):
    ann = new_player(server, "phone")
    ann.change_settings(language=language)
    for game, names, faces in (
        ("fourteen", ["Cleo", "Ben", "Dan", "Ada"], 4),
        ("crystals", ["Cleo", "Ben", "Dan", "Ada"], 0),
    ):
        ann.open(f"/rules/{game}")
        drawn = ann.page.locator("article .around")
        drawn.wait_for()
        boxes = {
            name: drawn.locator(f"p:has(b:text-is('{name}'))").bounding_box() or {"x": 0.0, "y": 0.0} for name in names
        }
        assert sorted(names, key=lambda name: boxes[name]["y"]) == names, f"Expected Cleo above Ada: {boxes}"
        assert boxes["Ben"]["x"] < boxes["Ada"]["x"] < boxes["Dan"]["x"], f"Expected clockwise play: {boxes}"
        assert drawn.locator(".face").count() == faces
        wide = drawn.evaluate("(one) => one.scrollWidth - one.clientWidth")
        assert wide <= 0, f"{game}: the drawing is {wide} px wider than a phone"
    assert drawn.locator("use[href='#gem']").count() == 3 + 1 + 4, "Expected Ben's three, the Supply's, Ada's four."
    assert drawn.locator("use[href='#gem-five']").count() == 1, "Expected a five of Cleo's."
