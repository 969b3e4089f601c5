"""The line in the top bar says who leads or is in danger, from what the player may know, and is whole on every screen."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from diamonds import i18n
from tests.browser.conftest import BrowserTestServer
from tests.browser.player import NEXT_FRAME_JS, Player
from tests.browser.test_layout_shift import FAKE_STREAM_JS, open_faked_table, send_update
from tests.browser.test_prompt import TEXT_JS

SIZES = [(320, 568), (360, 740), (740, 360), (768, 1024), (1240, 780), (1440, 900)]


def actions(*done: tuple[Any, ...]) -> list[dict[str, Any]]:
    """Return the events of suit actions in crystals: the action, the seat, and the victim of a ♣."""
    return [{"event": action, "seat": seat, "moved": 1, "victim": (*victim, None)[0]} for action, seat, *victim in done]


DUG = {"event": "dug", "seat": 1, "pile": 12, "card": None}
# By game, seats and options: what the view shows besides, and the line.
CASES: dict[str, list[tuple[int, dict[str, Any], dict[str, Any], str]]] = {
    "mines": [
        (2, {}, {"owner": [0] * 5 + [1] * 3 + [None] * 5, "hand": [["D2", "S3"], None], "hand_size": [1, 0]}, "You have more: 1 ♦ to 0, 5 piles to 3."),
        # Blaise dug 8 of the 52 cards that are not in the hand, so 2 of 13 ♦ on average, and holds three cards.
        (2, {}, {"owner": [0] * 2 + [None] * 5 + [1] * 6, "hand": [["S3"], None], "hand_size": [1, 3], "left": [4] * 11 + [0] * 2, "events": [DUG] * 8}, "Blaise has more: about 2 ♦ to 0, 6 piles to 2."),
        (2, {}, {"owner": [0] * 5 + [1] * 3 + [None] * 5, "hand": [["S3"], None], "hand_size": [1, 3], "left": [4] * 11 + [0] * 2, "events": [DUG] * 8}, "You have 0 ♦ to about 2, 5 piles to 3."),
        (2, {}, {"hand": [["S3"], None], "hand_size": [1, 0]}, "Equal: 0 ♦ to 0, 1 pile to 1."),
        # M11: piles 9 to 13 are free, and Blaise's piles 3 to 8 lie between; the other way round; then in time.
        (2, {}, {"owner": [0] * 2 + [1] * 6 + [None] * 5, "hand": [["D2", "S3"], None], "hand_size": [1, 0]}, "You are shut in: only a ♣ wins piles. ♦: 1 to 0."),
        (2, {}, {"owner": [0] * 2 + [None] * 2 + [0] * 2 + [1] * 7, "hand": [["S3"], None], "hand_size": [1, 3], "events": [DUG] * 8}, "You can reach only 2 more piles. ♦: 0 to about 2."),
        (2, {}, {"owner": [1] * 2 + [0] * 6 + [None] * 5, "hand": [["S3"], None], "hand_size": [1, 0]}, "Blaise is shut in: only a ♣ wins piles. ♦: 0 to 0."),
        (2, {}, {"owner": [0, None, None, None, 1, None, None, None, None, 1, 1, 1, 1], "hand": [["S3"], None], "hand_size": [1, 0]}, "Blaise has more: 0 ♦ to 0, 5 piles to 1."),
        (2, {}, {"owner": [0, None, None, None, 1, 1, None, None, None, 1, 1, 1, 1], "hand": [["S3"], None], "hand_size": [1, 0]}, "At pile 2 Blaise could shut you in. ♦: 0 to 0."),
        (2, {}, {"owner": [1, None, None, None, 0, 0, None, None, None, 0, 0, 0, 0], "hand": [["S3"], None], "hand_size": [1, 0]}, "At pile 2 you could shut Blaise in. ♦: 0 to 0."),
        (2, {}, {"owner": [0] * 6 + [1] * 7, "hand": [["S3"], None], "hand_size": [1, 0]}, "No free pile is left: only a ♣ wins piles. ♦: 0 to 0."),
    ],
    "crystals": [
        # Of 235, 200 are in the Supply, 10 in Showrooms and 4 in your Vault: 21 are left for the three other Vaults.
        (4, {}, {"supply": 200, "showroom": [1, 2, 3, 4], "vault": [4, None, None, None]}, "You have 9 points, the others 17 on average."),
        (2, {}, {"supply": 200, "showroom": [5, 3], "vault": [4, None]}, "You have 13 points. Showrooms: you lead 5 to 3."),
        (4, {}, {"vault": [4, None, None, None], "events": actions(("diamond", 2), ("heart", 1))}, "Best this round: Carl. You have 11 in all."),
        (4, {}, {"vault": [4, None, None, None], "events": actions(("heart", 0), ("spade", 3))}, "Best this round: you and Dorothy. You have 11 in all."),
        (2, {}, {"vault": [4, None], "events": actions(("heart", 0), ("club", 1, 0))}, "Best this round: Blaise. You have 11 in all."),
        (4, {}, {"vault": [0, None, None, None], "events": actions(("heart", 0), ("heart", 1), ("heart", 2))}, "Best this round: 3 players. You have 3 in all."),
        (4, {"open_vaults": True}, {"showroom": [1, 2, 3, 4], "vault": [4, 5, 6, 7]}, "Dorothy leads 18 to your 9."),
    ],
    "fourteen": [
        (4, {}, {"totals": [5, 9, 3, 0], "taken": [6, 1, 0, 0]}, "With this hand you lead 11 to 10. Goal: 40."),
        (4, {"scoring": "bid"}, {"totals": [5, 9, 3, 0], "taken": [6, 1, 0, 0], "bid": [7, 2, 1, 0]}, "Blaise leads 9 to your 5. Goal: 30."),
    ],
}  # fmt: skip
IS_CUT_JS = """() => {
  const line = document.querySelector('.standing p'), { right, bottom } = line.getBoundingClientRect()
  const buttons = document.querySelector('.bar nav').getBoundingClientRect()
  return line.scrollWidth > line.clientWidth || line.scrollHeight > line.clientHeight + 1 || (bottom <= buttons.bottom ? right > buttons.left : right > innerWidth)
}"""
CUT_NOTES_JS = "() => [...document.querySelectorAll('.note')].filter((note) => note.scrollWidth > note.clientWidth).map((note) => note.textContent)"


def open_table_that_shows(
    ann: Player, server: BrowserTestServer, game: str, seats: int, options: dict[str, Any], shown: dict[str, Any]
) -> None:
    """Open a table after the first answers, with these parts of the view, and after these `events`."""
    message = copy.deepcopy(open_faked_table(ann, server, game, seats, options))
    n, events = message["n"] + 20, shown.get("events", [])
    message["view"] |= {field: value for field, value in shown.items() if field != "events"}
    message |= {"n": n, "version": message["version"] + 1, "events": [{"n": n, "event": event} for event in events]}
    send_update(ann, message)
    ann.page.wait_for_function("() => document.querySelector('.standing p')?.textContent")


@pytest.mark.parametrize("game", CASES)
def test_top_bar_says_who_leads_from_what_may_be_known(
    game: str, server: BrowserTestServer, new_player: Callable[..., Player]
) -> None:
    ann = new_player(server)
    ann.add_init_script(FAKE_STREAM_JS)
    for seats, options, shown, says in CASES[game]:
        open_table_that_shows(ann, server, game, seats, options, shown)
        assert ann.page.evaluate(TEXT_JS, ".standing p")[0] == says
        if game == "mines":
            assert "of 7 diamonds" in ann.page.evaluate(TEXT_JS, ".opposite .note")[0]


@pytest.mark.parametrize("game", CASES)
def test_standing_is_not_cut_on_any_screen(
    game: str, server: BrowserTestServer, new_player: Callable[..., Player]
) -> None:
    ann = new_player(server)
    ann.add_init_script(FAKE_STREAM_JS)
    for language in i18n.languages():
        ann.change_settings(language=language)
        for seats, options, shown, _ in CASES[game]:
            open_table_that_shows(ann, server, game, seats, options, shown)
            for width, height in SIZES:
                ann.page.set_viewport_size({"width": width, "height": height})
                ann.page.evaluate("() => document.fonts.ready")  # another font is broader
                ann.page.evaluate(NEXT_FRAME_JS)
                where = f"{game} ({language}) at {width} × {height}"
                assert not ann.page.evaluate(IS_CUT_JS), f"{where}: the standing is cut"


def test_note_about_the_opponents_hand_is_not_cut(server: BrowserTestServer, new_player: Callable[..., Player]) -> None:
    ann = new_player(server)
    ann.add_init_script(FAKE_STREAM_JS)
    for language in i18n.languages():
        ann.change_settings(language=language)
        for passed in (False, True):
            shown = {"passed": [False, passed], "hand": [["S3"], None], "hand_size": [1, 6]}
            open_table_that_shows(ann, server, "mines", 2, {}, shown)
            for width, height in SIZES:
                ann.page.set_viewport_size({"width": width, "height": height})
                ann.page.evaluate("() => document.fonts.ready")
                ann.page.evaluate(NEXT_FRAME_JS)
                cut = ann.page.evaluate(CUT_NOTES_JS)
                assert not cut, f"{language} at {width} × {height}: the note is cut: {cut}"
