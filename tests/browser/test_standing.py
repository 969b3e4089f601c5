"""The line in the top bar says who leads or is in danger, from what the player may know, and fits on every screen."""

import copy
import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from diamonds import i18n
from tests.browser.conftest import BrowserTestServer
from tests.browser.player import Player
from tests.browser.test_layout_shift import open_faked_table, send_update
from tests.browser.test_prompt import TEXT_JS

SIZES = [(320, 568), (360, 740), (740, 360), (768, 1024), (1240, 780), (1440, 900)]


def actions(*done: tuple[Any, ...]) -> list[dict[str, Any]]:
    """Return the events of suit actions in crystals: the action, the seat, and the victim of a ♣."""
    return [{"event": action, "seat": seat, "moved": 1, "victim": (*victim, None)[0]} for action, seat, *victim in done]


LATE = [0] * 6 + [1] * 7  # owners of the piles when none is unclaimed
FIVE = ["D2", "D3", "D4", "D5", "D6"]
DUG = {"event": "dug", "seat": 1, "pile": 12, "card": None}
# The last tricks of a round of crystals, in which Carl has won none.
TAKEN = {
    "tricks": [2, 1, 0, 3],
    "taken": [[3, 0, 2, 1], [1, 1, 0, 2], [0, 0, 0, 0], [1, 3, 2, 1]],
    "hand": [["D2", "D3"], None, None, None],
}
SIX_TAKEN = {
    "vault": [4, *[None] * 5],
    "tricks": [1, 1, 0, 2, 0, 1],
    "taken": [[3, 0, 2, 1], [1, 1, 0, 2], [0, 0, 0, 0], [1, 3, 2, 1], [0, 0, 0, 0], [2, 0, 3, 1]],
    "hand": [["D2", "D3"], *[None] * 5],
}
# By game: number of seats, options, other contents of the view, and the expected line.
CASES: dict[str, list[tuple[int, dict[str, Any], dict[str, Any], str]]] = {
    "mines": [
        (2, {}, {"owner": [0] * 5 + [1] * 3 + [None] * 5, "hand": [["D2", "S3"], None], "hand_size": [1, 0], "left": [4] * 13}, "You lead: likely 6 to 3 ♦ in hand and piles. The 5 free piles are not counted."),
        (2, {}, {"owner": [0] * 5 + [1] * 3 + [None] * 5, "hand": [["S3"], None], "hand_size": [1, 2], "left": [4] * 13}, "About even: you likely 5, Blaise 4 ♦ in hand and piles. Your piles hold more cards: 20 to 12."),
        # Blaise dug 8 of the 52 cards that are not in the hand and holds three: it is unlikely that none of the 8 is a
        # ♦.
        (2, {}, {"owner": [0] * 2 + [None] * 5 + [1] * 6, "hand": [["S3"], None], "hand_size": [1, 3], "left": [4] * 11 + [0] * 2, "events": [DUG] * 8}, "Blaise leads: likely 6 to 2 ♦ in hand and piles. The 5 free piles are not counted."),
        (2, {}, {"owner": [0] * 5 + [1] * 3 + [None] * 5, "hand": [["S3"], None], "hand_size": [1, 3], "left": [4] * 11 + [0] * 2, "events": [DUG] * 8}, "About even: you likely 5, Blaise 5 ♦ in hand and piles. Your piles hold more cards: 20 to 12."),
        (2, {}, {"owner": [0] * 3 + [None] * 5 + [1] * 5, "hand": [["D2"], None], "hand_size": [2, 0], "left": [4] * 13}, "About even: you likely 4, Blaise 5 ♦ in hand and piles. Blaise’s piles hold more cards: 20 to 12."),
        (2, {}, {"owner": [0] * 3 + [None] * 5 + [1] * 5, "hand": [["D2", "D3", "D4"], None], "hand_size": [3, 1], "left": [4] * 13}, "About even: you likely 5, Blaise 4 ♦ in hand and piles. The 5 free piles are not counted."),
        (2, {}, {"owner": [0] + [None] * 11 + [1], "hand": [["S3"], None], "hand_size": [1, 0], "left": [4] * 13}, "About even: you likely 1, Blaise 1 ♦ in hand and piles. The 11 free piles are not counted."),
        (2, {}, {"owner": [0] + [None] * 11 + [1], "hand": [["S3"], None], "hand_size": [1, 1], "left": [4] * 13}, "About even: you likely 1, Blaise 1 ♦ in hand and piles. The 11 free piles are not counted."),
        # More and fewer piles, while many are free, and more ♦ in hand.
        (2, {}, {"owner": [0] * 3 + [None] * 9 + [1], "hand": [["S3"], None], "hand_size": [1, 1], "left": [4] * 13}, "You lead slightly: likely 3 to 1 ♦ in hand and piles. The 9 free piles are not counted."),
        (2, {}, {"owner": [0] * 2 + [None] * 10 + [1], "hand": [[*FIVE, "D7"], None], "hand_size": [6, 1], "left": [4] * 13}, "You lead: likely 7 to 1 ♦ in hand and piles. One more ♦, and you win."),
        (2, {}, {"owner": [0] + [None] * 9 + [1] * 3, "hand": [["S3"], None], "hand_size": [1, 1], "left": [4] * 13}, "Blaise leads slightly: likely 3 to 1 ♦ in hand and piles. The 9 free piles are not counted."),
        (2, {}, {"owner": [0] * 2 + [None] * 10 + [1], "hand": [["S3"], None], "hand_size": [1, 1], "left": [4] * 13}, "About even: you likely 2, Blaise 1 ♦ in hand and piles. The 10 free piles are not counted."),
        # Two ahead leads slightly, except with seven.
        (2, {}, {"owner": [0] * 3 + [None] * 2 + [1] * 8, "hand": [FIVE, None], "hand_size": [5, 0], "left": [2] * 13}, "You lead: likely 7 to 5 ♦ in hand and piles. The 2 free piles are not counted."),
        # As many piles, then one fewer, but more ♦ in hand.
        (2, {}, {"owner": [0] * 2 + [None] * 9 + [1] * 2, "hand": [FIVE, None], "hand_size": [5, 1], "left": [4] * 13}, "You lead: likely 6 to 2 ♦ in hand and piles. The 9 free piles are not counted."),
        (2, {}, {"owner": [0] * 2 + [None] * 8 + [1] * 3, "hand": [["D2", "D3", "D4"], None], "hand_size": [3, 0], "left": [4] * 13}, "You lead: likely 5 to 2 ♦ in hand and piles. The 8 free piles are not counted."),
        # Fewer ♦ in hand, but more cards in the piles.
        (2, {}, {"owner": [0] * 3 + [1] * 10, "hand": [["D2", "D3", "D4"], None], "hand_size": [3, 1], "left": [4] * 13}, "Blaise leads: likely 8 to 5 ♦ in hand and piles. Blaise’s piles hold more cards: 40 to 12."),
        # As many ♦ as Blaise can hold, but one pile fewer; and fewer piles, but more ♦ than he probably holds.
        (2, {}, {"owner": LATE, "hand": [FIVE, None], "hand_size": [5, 5], "left": [2] * 13, "known": [["D7", "D8", "D9"], []]}, "About even: you likely 7, Blaise 6 ♦ in hand and piles. First to seven ♦ wins."),
        (2, {}, {"owner": LATE, "hand": [FIVE, None], "hand_size": [5, 6], "left": [2] * 13, "known": [["D7", "D8", "D9", "D10"], []]}, "About even: you likely 6, Blaise 7 ♦ in hand and piles. First to seven ♦ wins."),
        # M11: who may soon be unable to reach seven. Blaise holds up to 5 ♦ and reaches 3 cards; then 1; then only pile
        # 13 has cards; then it is about you.
        (2, {}, {"owner": LATE, "hand": [FIVE, None], "hand_size": [5, 5], "left": [2] * 6 + [0, 0, 0, 0, 0, 1, 2], "known": [["D7", "D8", "D9"], []]}, "You lead: likely 8 to 5 ♦ in hand and piles. Blaise can get at most 8 ♦: below 7 you win."),
        (2, {}, {"owner": LATE, "hand": [FIVE, None], "hand_size": [5, 5], "left": [2] * 6 + [0] * 6 + [1], "known": [["D7", "D8", "D9"], []]}, "You lead: likely 9 to 4 ♦ in hand and piles. Blaise needs a ♣ to get to seven ♦."),
        (2, {}, {"owner": LATE, "hand": [FIVE, None], "hand_size": [5, 5], "left": [2] * 6 + [2] + [0] * 6, "known": [["D7", "D8", "D9"], []]}, "You lead: likely 8 to 5 ♦ in hand and piles. Without pile 7, Blaise cannot dig enough for seven ♦."),
        (2, {}, {"owner": LATE, "hand": [["D2", "D3"], None], "hand_size": [2, 2], "left": [6] + [0] * 5 + [4] * 7}, "Blaise leads: likely 9 to 4 ♦ in hand and piles. You can get at most 8 ♦: below 7 you lose."),
        (2, {}, {"owner": LATE, "hand": [["D2", "D3"], None], "hand_size": [2, 2], "left": [0] * 5 + [4] * 8}, "Blaise leads: likely 10 to 3 ♦ in hand and piles. You need a ♣ to get to seven ♦."),
        (2, {}, {"owner": LATE, "hand": [["D2", "C3"], None], "hand_size": [2, 1], "left": [4] + [0] * 5 + [4] * 7}, "Blaise leads: likely 11 to 2 ♦ in hand and piles. First to seven ♦ wins."),
        (2, {}, {"owner": LATE, "hand": [[*FIVE, "D7"], None], "hand_size": [6, 1], "left": [4] * 13}, "You lead: likely 9 to 4 ♦ in hand and piles. One more ♦, and you win."),
        # M11: piles 9 to 13 are unclaimed, and Blaise's piles 3 to 8 lie in between; the other way round; then in time.
        (2, {}, {"owner": [0] * 2 + [1] * 6 + [None] * 5, "hand": [["D2", "S3"], None], "hand_size": [2, 0], "left": [4] * 13}, "Blaise leads: likely 6 to 3 ♦ in hand and piles. Without pile 1, you cannot dig enough for seven ♦."),
        (2, {}, {"owner": [0] * 4 + [1] * 5 + [None] * 4, "hand": [["D2", "S3"], None], "hand_size": [2, 0], "left": [4] * 13}, "About even: you likely 5, Blaise 5 ♦ in hand and piles. Blaise’s piles hold more cards: 20 to 16."),
        (2, {}, {"owner": [None, 0, 1, None, None, 0, 1, 1, None, 0, 1, 1, None], "hand": [["S3"], None], "hand_size": [1, 1], "left": [4] * 13}, "Blaise leads slightly: likely 5 to 3 ♦ in hand and piles. You can claim only 2 more piles."),
        (2, {}, {"owner": [0] * 2 + [None] * 2 + [0] * 2 + [1] * 7, "hand": [["S3"], None], "hand_size": [1, 1], "left": [4] * 13}, "Blaise leads: likely 7 to 4 ♦ in hand and piles. The 2 free piles are not counted."),
        (2, {}, {"owner": [1] * 2 + [0] * 6 + [None] * 5, "hand": [["S3"], None], "hand_size": [1, 1], "left": [4] * 13}, "You lead: likely 6 to 2 ♦ in hand and piles. Without pile 1, Blaise cannot dig enough for seven ♦."),
        (2, {}, {"owner": [1] * 4 + [0] * 5 + [None] * 4, "hand": [["S3"], None], "hand_size": [1, 1], "left": [4] * 13}, "About even: you likely 5, Blaise 4 ♦ in hand and piles. Blaise can claim no more piles."),
        (2, {}, {"owner": [None, 1, 0, None, None, 1, 0, 0, None, 1, 0, 0, None], "hand": [["S3"], None], "hand_size": [1, 1], "left": [4] * 13}, "You lead slightly: likely 5 to 3 ♦ in hand and piles. Blaise can claim only 2 more piles."),
        (2, {}, {"owner": [0, None, None, None, 1, None, None, None, None, 1, 1, 1, 1], "hand": [["S3"], None], "hand_size": [1, 0], "left": [4] * 13}, "Blaise leads: likely 5 to 1 ♦ in hand and piles. Pile 1 is your last: without it you lose."),
        (2, {}, {"owner": [0, None, None, None, 1, 1, None, None, None, 1, 1, 1, 1], "hand": [["S3"], None], "hand_size": [1, 0], "left": [4] * 13}, "Blaise leads: likely 6 to 1 ♦ in hand and piles. Pile 1 is your last: without it you lose."),
        (2, {}, {"owner": [1, None, None, None, 0, 0, None, None, None, 0, 0, 0, 0], "hand": [["S3"], None], "hand_size": [1, 0], "left": [4] * 13}, "You lead: likely 6 to 1 ♦ in hand and piles. Blaise has only pile 1: win it and you win."),
        # M4, M7: a claim that leaves a player one free pile within reach, or none.
        (2, {}, {"owner": [None, 0, None, None, 1, 0, None, 0, 0, 0, 0, None, 1], "hand": [["S3"], None], "hand_size": [1, 1], "left": [4] * 13}, "You lead: likely 6 to 2 ♦ in hand and piles. The 5 free piles are not counted."),
        (2, {}, {"owner": [1, None, None, 0, 0, 1, None, 1, 1, None, 1, None, None], "hand": [["S3"], None], "hand_size": [1, 1], "left": [4] * 13}, "Blaise leads: likely 5 to 2 ♦ in hand and piles. With pile 3, Blaise could leave you only one free pile."),
        (2, {}, {"owner": [None, None, None, 0, 1, 1, None, 1, 1, 0, 1, None, 1], "hand": [["C3"], None], "hand_size": [1, 1], "left": [4] * 13}, "Blaise leads: likely 6 to 2 ♦ in hand and piles. With pile 3, Blaise could leave you no free pile."),
        (2, {}, {"owner": LATE, "hand": [["S3"], None], "hand_size": [1, 0], "left": [4] * 13}, "About even: you likely 6, Blaise 7 ♦ in hand and piles. First to seven ♦ wins."),
        (2, {}, {"owner": [0] * 8 + [1] * 5, "hand": [["D2", "D3", "D4", "D5"], None], "hand_size": [4, 9], "left": [1] * 13, "events": [DUG] * 12}, "About even: you likely 7, Blaise 6 ♦ in hand and piles. First to seven ♦ wins."),
        # The end.
        (2, {}, {"owner": LATE, "hand": [["S3"], None], "hand_size": [1, 0], "left": [4] * 13, "over": True, "winner": 0}, "You have won."),
        (2, {}, {"owner": LATE, "hand": [["S3"], None], "hand_size": [1, 0], "left": [4] * 13, "over": True, "winner": 1}, "Blaise has won."),
        (2, {}, {"owner": LATE, "hand": [["S3"], None], "hand_size": [1, 0], "left": [4] * 13, "over": True, "winner": None}, "Nobody has won."),
    ],
    "crystals": [
        # Of 235, 200 are in the Supply, 10 in Showrooms and 4 in your Vault: 21 are left for the three other Vaults.
        (4, {}, {"round": 2, "supply": 200, "showroom": [1, 2, 3, 4], "vault": [4, None, None, None]}, "Round, points: you 0, Blaise 0, Carl 0, Dorothy 0. Game: you 9 points, the others about 17 (secret Vaults)"),
        (4, {}, {"round": 2, "supply": 227, "showroom": [1, 2, 3, 2], "vault": [0, None, None, None]}, "Round, points: you 0, Blaise 0, Carl 0, Dorothy 0. Game: you 1 point, the others about 2 (secret Vaults)"),
        (2, {}, {"round": 2, "supply": 226, "showroom": [1, 8], "vault": [0, None]}, "Round, points: you 0, Blaise 0. Game: you 1 point, Vaults stay closed"),
        (2, {}, {"round": 2, "supply": 200, "showroom": [5, 3], "vault": [4, None]}, "Round, points: you 0, Blaise 0. Game: you 13 points, Vaults stay closed"),
        (4, {}, {"round": 2, "vault": [4, None, None, None], "supply": 219, "events": actions(("diamond", 2), ("heart", 1))}, "Round, points: 1 Carl +2 (+2), 2 Blaise +1 (+1), 3 you 0, 3 Dorothy 0. Game: you 11 points, the others about 3 (secret Vaults)"),
        (4, {}, {"round": 2, "vault": [4, None, None, None], "supply": 219, "events": actions(("heart", 0), ("spade", 3), ("club", 3, 2))}, "Round, points: 1 Dorothy +2 (+2), 2 you +1 (+1), 3 Blaise 0, 4 Carl −1 (−1). Game: you 11 points, the others about 3 (secret Vaults)"),
        (4, {"memory_aid": False}, {"round": 2, "vault": [4, None, None, None], "supply": 219, "showroom": [3, 5, 0, 4]}, "On show: 1 Blaise 5, 2 Dorothy 4, 3 you 3, 4 Carl 0. Game: you 11 points, the others about 3 (secret Vaults)"),
        (4, {"open_vaults": True}, {"round": 2, "showroom": [1, 2, 3, 4], "vault": [4, 5, 6, 7]}, "Round, points: you 0, Blaise 0, Carl 0, Dorothy 0. Game: 1 Dorothy 18, 2 Carl 15, 3 Blaise 12, 4 you 9."),
        (4, {"partnership": True}, {"round": 2, "vault": [4, None, 4, None], "events": actions(("heart", 1))}, "Round, points: 1 Blaise and Dorothy +1 (+1), 2 you and Carl 0. Game: you 14 points, Vaults stay closed"),
        (6, {}, {"round": 2, "vault": [4, *[None] * 5], "supply": 213, "events": actions(("heart", 1), ("diamond", 5))}, "Round, points: 1 Felix +2 (+2), 2 Blaise +1 (+1), 3 you 0, 3 Carl 0, 3 Dorothy 0, 3 Emmy 0. Game: you 11 points, the others about 3 (secret Vaults)"),
        # In the first round all scores follow from the actions on the table.
        (4, {}, {"vault": [4, None, None, None], "events": actions(("diamond", 2), ("heart", 0), ("club", 3, 1))}, "Points: 1 Carl 12 (+2), 2 you 11 (+1), 2 Dorothy 11 (+1), 4 Blaise 9 (−1)."),
        # In brackets: the changes since your last card.
        (4, {}, {"vault": [4, None, None, None], "events": [*actions(("diamond", 2), ("heart", 0)), {"event": "played", "seat": 0, "card": "C4"}, *actions(("club", 3, 1))]}, "Points: 1 Carl 12, 2 you 11, 2 Dorothy 11 (+1), 4 Blaise 9 (−1)."),
        (4, {"partnership": True}, {"vault": [4, None, 4, None], "events": actions(("heart", 1))}, "Points: 1 Blaise and Dorothy 15 (+1), 2 you and Carl 14."),
        # C19, C20: what still counts at the end of the round. An action that can move no crystal counts nothing (C3).
        (4, {}, {"vault": [4, None, None, None], **TAKEN}, "Points: you 11, Blaise 11, Carl 11, Dorothy 11. Bonus: you +2♦, Carl +4 no trick, Blaise +1♣, Dorothy +1♥."),
        (4, {}, {"vault": [4, None, None, None], **TAKEN, "hand": [["D2", "D3", "D4", "D5"], None, None, None]}, "Points: you 11, Blaise 11, Carl 11, Dorothy 11."),
        (4, {}, {"vault": [4, None, None, None], **TAKEN, "supply": 1, "showroom": [0, 2, 0, 0]}, "Points: you 8, Blaise 8, Carl 8, Dorothy 8. Bonus now: you +2♦, ♠ tied."),
        (4, {}, {"vault": [4, None, None, None], **TAKEN, "showroom": [0, 0, 0, 2]}, "Points: you 8, Blaise 8, Carl 8, Dorothy 8. Bonus: you +2♦, Carl +4 no trick, Blaise +1♣."),
        (4, {}, {"vault": [4, None, None, None], **TAKEN, "taken": [[3, 1, 4, 0], [1, 3, 0, 3], [0] * 4, [0, 1, 0, 1]]}, "Points: you 11, Blaise 11, Carl 11, Dorothy 11. Bonus: you +3♦♠, Carl +4 no trick, Blaise +2♥♣."),
        (4, {"partnership": True}, {"vault": [4, None, 4, None], **TAKEN, "taken": [[3, 1, 2, 1], [1, 3, 0, 2]] * 2}, "Points: you and Carl 14, Blaise and Dorothy 14. Bonus now: you and Carl +6♦♠ no trick, Blaise and Dorothy +2♥♣."),
        (4, {}, {"vault": [4, None, None, None], **TAKEN, "events": actions(("diamond", 2), ("most", 2))}, "Points: 1 Carl 13 (+2), 2 you 11, 2 Blaise 11, 2 Dorothy 11."),
        (4, {}, {"round": 2, "vault": [4, None, None, None], "supply": 219, **TAKEN, "hand": [["D2", "D3", "D4", "D5"], None, None, None]}, "Round, points: you 0, Blaise 0, Carl 0, Dorothy 0. Game: you 11 points, the others about 3 (secret Vaults)"),
        (4, {}, {"round": 2, "vault": [4, None, None, None], "supply": 219, **TAKEN, "events": actions(("diamond", 1))}, "Round, with bonus: 1 Carl +4, 2 Blaise +3 (+2), 3 you +2, 4 Dorothy +1. Game: you 11 points, the others about 3 (secret Vaults)"),
        (4, {"memory_aid": False}, {"vault": [4, None, None, None], "supply": 219, "showroom": [3, 5, 0, 4]}, "On show: 1 Blaise 5, 2 Dorothy 4, 3 you 3, 4 Carl 0. Game: you 11 points, the others about 3 (secret Vaults)"),
    ],
    "fourteen": [
        (4, {}, {"totals": [5, 9, 3, 0], "taken": [6, 1, 0, 0]}, "Points: 1 you 11, 2 Blaise 10, 3 Carl 3, 4 Dorothy 0."),
        (4, {}, {"totals": [5, 9, 3, 0], "taken": [6, 1, 0, 0], "to_act": []}, "Points: 1 you 11, 2 Blaise 10, 3 Carl 3, 4 Dorothy 0."),
        (4, {"scoring": "bid"}, {"totals": [5, 9, 3, 0], "taken": [6, 1, 0, 0], "bid": [7, 2, 1, 0]}, "Points: 1 Blaise 9, 2 you 5, 3 Carl 3, 4 Dorothy 0."),
        (4, {"scoring": "tricks"}, {"totals": [5, 9, 3, 9], "tricks": [2, 1, 0, 0]}, "Points: 1 Blaise 10, 2 Dorothy 9, 3 you 7, 4 Carl 3."),
    ],
}  # fmt: skip
SPOKEN_JS = """() => [...document.querySelectorAll('.standing p')].map((line) => {
  const read = line.cloneNode(true)
  for (const one of read.querySelectorAll('svg')) one.replaceWith({ D: '♦', H: '♥', S: '♠', C: '♣' }[one.querySelector('use').getAttribute('href').at(-1)])
  for (const one of read.querySelectorAll('.sentence .unseen, .change [aria-hidden]')) one.remove()
  return read.textContent.replace(/\u2060/g, '').replace(/\\s+/g, ' ').replace(/ ([,.:])/g, '$1').trim()
}).join(' ')"""
# A line or a text that extends beyond its box, below the toolbar or outside the window, or a name with fewer than three
# visible letters.
IS_CUT_JS = """() => [...document.querySelectorAll('.standing p')].some((line) => {
  const { right, bottom } = line.getBoundingClientRect(), buttons = document.querySelector('.bar nav').getBoundingClientRect()
  if (bottom <= buttons.bottom ? right > buttons.left : right > innerWidth) return true
  const around = line.closest('.standing').getBoundingClientRect()
  if (around.height > 0 && bottom > around.bottom + 1) return true
  if (!line.matches('.row')) return line.scrollWidth > line.clientWidth || line.scrollHeight > line.clientHeight + 1
  const isLeftOut = (one) => line.matches('.partial') && one.getBoundingClientRect().top > bottom
  const inner = [...line.querySelectorAll('.label, .text, .place, b')].filter((one) => !isLeftOut(one)).map((one) => one.getBoundingClientRect())
  return inner.some((one) => one.right > right + 1 || one.bottom > bottom + 1 || one.height > 24)
    || [...line.querySelectorAll('.name')].some((one) => one.scrollWidth > one.clientWidth + 1 && one.clientWidth < 18)
})"""
CUT_NOTES_JS = "() => [...document.querySelectorAll('.note')].filter((note) => note.scrollWidth > note.clientWidth).map((note) => note.textContent)"


def open_table_that_shows(
    ann: Player, server: BrowserTestServer, game: str, seats: int, options: dict[str, Any], shown: dict[str, Any]
) -> None:
    """Open a table after the first answers, with these parts of the view, and after these `events`."""
    message = copy.deepcopy(open_faked_table(ann, server, game, seats, options))
    n, events = message["n"] + 20, shown.get("events", [])
    if "round" in shown:
        events = [{"event": "dealt", "round": shown["round"], "dealer": 0}, *events]
    message["view"] |= {field: value for field, value in shown.items() if field not in ("events", "name", "names")}
    for place, name in zip(message["table"]["seat_holders"][1:], shown.get("names", []), strict=False):
        place["name"] = name
    if "name" in shown:
        message["table"]["seat_holders"][1]["name"] = shown["name"]
    message |= {"n": n, "version": message["version"] + 1, "events": [{"n": n, "event": event} for event in events]}
    send_update(ann, message)
    ann.page.wait_for_function("() => document.querySelector('.standing p')?.textContent")


def at_each_size(ann: Player) -> Iterator[str]:
    """Yield each size once the window has it; the largest comes last."""
    for width, height in SIZES:
        ann.resize_window(width, height)
        yield f"{width} × {height}"


@pytest.mark.parametrize(("game", "seats", "shown", "part", "says"), [
    ("crystals", 4, {"vault": [4, None, None, None], "showroom": [3, 1, 1, 1], "supply": 225}, ".counts .points", ["11 points"]),
    ("fourteen", 4, {"totals": [5, 9, 3, 0], "taken": [6, 1, 0, 0]}, ".seat .total .figure", ["0", "10", "11", "3"]),
    ("mines", 2, {"hand": [["S3"], None], "hand_size": [1, 4], "left": [4] * 11 + [0] * 2, "events": [DUG] * 8}, ".opposite .seven", ["♦ about 1–3 in hand"]),
])  # fmt: skip
def test_plates_show_the_points_of_the_standing(game, seats, shown, part, says, server, new_player):
    ann = new_player(server)
    open_table_that_shows(ann, server, game, seats, {}, shown)
    found = ann.page.locator(part).all_text_contents() if game == "fourteen" else ann.page.evaluate(TEXT_JS, part)[:1]
    assert sorted(found) == says


@pytest.mark.parametrize("game", CASES)
def test_top_bar_says_who_leads_and_is_cut_on_no_screen(game, server, new_player):
    ann = new_player(server)
    for language in i18n.languages():
        ann.change_settings(language=language)
        for seats, options, shown, says in CASES[game]:
            open_table_that_shows(ann, server, game, seats, options, shown)
            if language == "en":
                assert ann.page.evaluate(SPOKEN_JS) == says
            if language == "en" and game == "mines":
                assert re.fullmatch("♦ (about .*|.* of 7) in hand", ann.page.evaluate(TEXT_JS, ".opposite .seven")[0])
            for size in at_each_size(ann):
                assert not ann.page.evaluate(IS_CUT_JS), f"{game} ({language}) at {size}: “{says}” is cut"


NAME_WIDTHS_JS = (
    "() => [...document.querySelectorAll('.standing .name')].map((one) => [one.textContent, one.clientWidth])"
)
MIN_NAME_PX = 9


def test_c19_bonuses_are_shown_for_six_players_on_small_screens(server, new_player):
    ann = new_player(server)
    for language in i18n.languages():
        ann.change_settings(language=language)
        open_table_that_shows(ann, server, "crystals", 6, {}, SIX_TAKEN)
        rows = ann.page.locator(".standing .row")
        for width, height in [(360, 740), (740, 360), (768, 1024)]:
            ann.resize_window(width, height)
            expect(rows).to_have_count(2)
            expect(rows.nth(1)).to_be_visible()
            narrow = [name for name, shown in ann.page.evaluate(NAME_WIDTHS_JS) if shown < MIN_NAME_PX]
            assert not narrow, f"{narrow} ({language}) have fewer than two letters at {width} × {height}."


LONG_NAMES = [
    "Bartholomäus Wagenknecht",
    "Konstantin Mühlenbeck",
    "Wilhelmina Oberhuber",
    "Maximiliane von Brandt",
    "Edeltraud Kiesewetter",
]
READABLE_NAMES_JS = """() => {
  const row = document.querySelector('.standing .row + .row'), { bottom, right } = row.getBoundingClientRect()
  return [...row.querySelectorAll('.entry')].filter((one) => one.getBoundingClientRect().bottom < bottom + 3).map((one) => {
    const name = one.querySelector('.name')
    return one.getBoundingClientRect().right <= right + 1 && (name.scrollWidth <= name.clientWidth + 1 || name.clientWidth >= 60) && name.textContent
  })
}"""


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
@pytest.mark.parametrize("has_long_names", [False, True])
def test_c19_bonuses_that_fit_are_shown_with_readable_names(has_long_names, seats, server, new_player):
    """The player's own and the best rival's on every phone; two others without a trick get the same points."""
    ann = new_player(server, "phone")
    shown = TAKEN | {
        "vault": [4, *[None] * (seats - 1)],
        "hand": [["D2", "D3"], *[None] * (seats - 1)],
        "tricks": [3, 0, 0, *[1] * (seats - 3)],
        "taken": [[3, 0, 4, 2], *[[0] * 4] * (seats - 1)],
    }
    for language in i18n.languages():
        ann.change_settings(language=language)
        open_table_that_shows(
            ann, server, "crystals", seats, {}, shown | ({"names": LONG_NAMES} if has_long_names else {})
        )
        for width, height in [(360, 740), (390, 844)]:
            ann.resize_window(width, height)
            names = ann.page.evaluate(READABLE_NAMES_JS)
            where = f"{names} are shown ({language}) at {width} × {height}."
            assert all(names), where
            rivals = LONG_NAMES[:1] if has_long_names else ["Blaise", "Carl"]
            assert names == [{"en": "you", "de": "du"}[language], *rivals], where


LONGEST_NAME = "Wilhelmina Charlotte von Hohenstein-Berg"
LATE_CASE = {"owner": LATE, "hand": [FIVE, None], "hand_size": [5, 5], "known": [["D7", "D8", "D9"], []]}
LONG_LINES = [
    LATE_CASE | {"left": [2] * 6 + [0, 0, 0, 0, 0, 1, 2]},
    LATE_CASE | {"left": [2] * 6 + [2] + [0] * 6},
    LATE_CASE | {"left": [0] * 4 + [2, 1] + [2] * 7, "hand": [["D2", "D3", "D4", "D5"], None]},
    {"owner": [0, None, 0, None, 1, 1, 1, None, None, 1, 1, 1, 1], "hand": [["S3"], None], "left": [2] * 12 + [0], "hand_size": [1, 3], "events": [DUG] * 18},
]  # fmt: skip


def test_standing_of_mines_is_not_cut_with_the_longest_name(server, new_player):
    ann = new_player(server)
    for language in i18n.languages():
        ann.change_settings(language=language)
        for shown in LONG_LINES:
            open_table_that_shows(ann, server, "mines", 2, {}, shown | {"name": LONGEST_NAME})
            assert "Charlotte" not in ann.page.evaluate(SPOKEN_JS)
            for size in at_each_size(ann):
                assert not ann.page.evaluate(IS_CUT_JS), f"{language} at {size}: {ann.page.evaluate(SPOKEN_JS)} is cut"


def test_note_about_the_opponents_hand_is_not_cut(server, new_player):
    ann = new_player(server)
    for language in i18n.languages():
        ann.change_settings(language=language)
        for passed in (False, True):
            shown = {"passed": [False, passed], "hand": [["S3"], None], "hand_size": [1, 6]}
            open_table_that_shows(ann, server, "mines", 2, {}, shown)
            for size in at_each_size(ann):
                cut = ann.page.evaluate(CUT_NOTES_JS)
                assert not cut, f"{language} at {size}: the note is cut: {cut}"
