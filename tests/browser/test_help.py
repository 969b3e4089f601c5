"""The help describes the rules of its table; pressing a sign on a seat panel explains it."""

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.scripts import Scripts
from tests.browser.test_accessibility import check_with_axe
from tests.browser.test_layout_shift import open_faked_table, send_state
from tests.browser.window_pool import BLANK_URL

SCRIPTS = Scripts(__file__)

SCORING_PHRASES = ["cannot follow", "win a trick", "alone took the most", "won no trick"]
# Sentences that a table's help contains, and sentences that it does not contain.
HELP_CASES: list[tuple[str, int, dict[str, Any], list[str], list[str]]] = [
    ("crystals", 4, {}, [*SCORING_PHRASES, "4 rounds", "to the left"], ["mask", "artner", "four cards", "All cards are dealt"]),
    ("crystals", 2, {"thief": True, "rounds": 1}, [*SCORING_PHRASES, "One round", "four cards", "Showroom with the mask"], ["artner"]),
    (
        "crystals",
        4,
        {"partnership": True, "perfect": True, "open_vaults": True, "memory_aid": False},
        [
            "your team alone", "partners pass cards", "share one Vault", "All cards are dealt", "Everyone sees",
            "Nobody counts",
        ],
        ["mask", "four cards"],
    ),
    ("crystals", 3, {"pass_to": "rotating"}, ["one seat further"], ["to the left"]),
    ("fourteen", 3, {}, ["previous card", "Without a card", "you take is a point", "someone reaches 40"], ["Bid how many"]),
    ("fourteen", 4, {"match": "last_two", "scoring": "tricks"}, ["either of the last two", "Every trick is a point"], ["tie for first"]),
    ("fourteen", 4, {"scoring": "bid", "bids": "sealed"}, ["Bid how many", "same time", "tie for first"], ["Every trick is a point"]),
    ("mines", 2, {}, ["Or pass", "So does a", "can no longer reach seven", "six turns"], ["both players know"]),
    ("mines", 2, {"defence": "ranked", "impossible": "seen"}, ["at least as high defends", "both players know"], ["can no longer reach"]),
]  # fmt: skip


def test_help_shows_only_the_rules_of_this_table(server, new_player):
    ann = new_player(server)
    for game, seats, options, says, hides in HELP_CASES:
        ann.sit_down(game, seats, options, by_link=ann.page.url != BLANK_URL)
        ann.page.keyboard.press("?")
        ann.page.wait_for_function("() => document.querySelector('dialog ul, dialog p + p + p')")
        words = ann.page.locator("dialog").inner_text()
        missing = [one for one in says if one not in words]
        assert not missing, f"With {options} the help lacks “{missing}”: {words}"
        wrong = [one for one in hides if one in words]
        assert not wrong, f"With {options} the help mentions “{wrong}”: {words}"
        ann.page.keyboard.press("Escape")
        ann.page.wait_for_selector("dialog", state="detached")


@pytest.mark.parametrize(("round", "shown", "name"), [(1, "2", "Vault: 2"), (2, "+2", "Vault, closed: +2 this round")])
def test_c4_closed_vault_shows_what_everybody_saw_going_in(round, shown, name, server, new_player):
    """In the first round everybody has seen all crystals of a Vault, so its total is shown, as for the player's own."""
    ann = new_player(server)
    message = open_faked_table(ann, server, "crystals", 4, {})
    other = (message["seat"] + 1) % 4
    events: list[dict[str, Any]] = [
        {"event": "dealt", "dealer": 3, "round": round},
        {"event": "diamond", "seat": other, "moved": 1},
        {"event": "spade", "seat": other, "moved": 1},
        {"event": "heart", "seat": other, "moved": 1},
    ]
    send_state(ann, message, events, steps=20, round=round)
    expect(ann.page.locator(".own .seat .name")).to_have_text("You")
    expect(ann.page.locator(".others .seat .grade").first).to_have_text("Simple")
    vault = ann.page.locator(f".seat[data-spot='seat-{other}'] .vault")
    expect(vault).to_have_text(shown)
    expect(vault).to_have_accessible_name(name)


@pytest.mark.parametrize("language", ["en", "de"])
def test_pressed_signs_of_a_plate_say_what_they_mean(language, server, new_player):
    ann = new_player(server, "phone", locale=language)
    message = send_state(ann, open_faked_table(ann, server, "crystals", 4, {}), showroom=[3, 3, 3, 7], dealer=1)
    signs = {
        "en": {".level": "bot, simple", ".dealer": "dealer", ".showroom[title]": "A gold crystal stands for five."},
        "de": {
            ".level": "Bot, einfach",
            ".dealer": "Geber",
            ".showroom[title]": "Ein goldener Kristall steht für fünf.",
        },
    }[language]
    says = ann.page.locator(".explanation")
    for sign, meaning in signs.items():
        ann.page.locator(f".seat {sign}").first.click()
        expect(says).to_have_text(meaning, ignore_case=True)
        assert ann.page.evaluate(
            "() => document.querySelector('.explanation').getBoundingClientRect().right <= innerWidth"
        )
    check_with_axe(ann, "a table with an explanation")
    ann.page.locator(".own .name").click()
    expect(says, "expected the next press to close it").to_have_count(0)
    ann.page.locator(".seat .dealer").click()
    expect(says).to_have_count(1)
    send_state(ann, message, dealer=2)
    expect(says, "expected it to go with its sign").to_have_count(0)


def test_explanation_goes_with_its_sign_on_a_page_too_slow_to_see_it(server, new_player):
    """A slow page hears in one report that the sign appeared and disappeared."""
    ann = new_player(server, "phone")
    ann.add_init_script(SCRIPTS.call("reportSightingsLate"))
    message = send_state(ann, open_faked_table(ann, server, "crystals", 4, {}), dealer=1)
    ann.page.locator(".seat .dealer").click()
    expect(ann.page.locator(".explanation")).to_have_text("dealer", ignore_case=True)
    send_state(ann, message, dealer=2)
    expect(ann.page.locator(".explanation")).to_have_count(0)
