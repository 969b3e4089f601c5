"""A fourth game as another package would provide it: a few lines of rules and an entry point."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from diamonds import game as games

PLUGIN_NAME = "highest"
PLUGIN_RULES = '''
"""Highest: everyone has three cards; of those laid in a trick the highest takes it, and most tricks win (H1 to H4)."""

from diamonds.cards import bit, cut_winner, pack_names, write_packet
from diamonds.events import EventKind, EventField, IllegalReason, emit
from diamonds.fields import CARD, CARDS, COMMON_FIELDS, NUMBER, OWNER, PUBLIC, SEAT, TRICK, Field, Question, seat_to_left

NAME, VERSION, RANKS, SEATS, DEFAULT_SEATS, OPTIONS = "highest", 1, 13, (2, 3, 4), 3, ()
FIELDS = (
    *COMMON_FIELDS,
    Field("cut", CARD, PUBLIC, "the card each seat cut", (6,)),
    Field("hand", CARDS, OWNER, "cards in hand", (6,)),
    Field("trick", TRICK, PUBLIC, "the cards of the trick", (6,)),
    Field("size", NUMBER, PUBLIC, "how many cards lie in the trick"),
    Field("leader", SEAT, PUBLIC, "who led the trick"),
    Field("tricks", NUMBER, PUBLIC, "tricks each seat has won", (6,)),
)
QUESTIONS = (Question("play", pack_names(RANKS)),)
EVENTS = (
    EventKind("played", (EventField("seat", SEAT), EventField("card", CARD))),
    EventKind("trick", (EventField("seat", SEAT),)),
)
ILLEGAL_REASONS, ENDINGS = (IllegalReason("in_hand", "H2"),), {"played_out": ()}


def start(s, cut):
    for seat in range(s["seats"]):
        s["cut"][seat] = cut[seat]
    s["leader"] = cut_winner(cut, s["seats"], RANKS)
    s["trick"][:] = -1


def pack(s):
    return (1 << 4 * RANKS) - 1


def cards_dealt(s):
    return 3 * s["seats"]


def deal(s, deck, log):
    """H1."""
    for k in range(cards_dealt(s)):
        s["hand"][k % s["seats"]] |= bit(deck[k])
    s["deals"] += 1
    s["to_act"] = bit(s["leader"])


def legal(s, seat):
    """H2."""
    return s["hand"][seat]


def step(s, seat, answer, log):
    """H3."""
    emit(log, 0, seat, answer)
    s["hand"][seat] ^= bit(answer)
    s["trick"][s["size"]] = answer
    s["size"] += 1
    following = seat_to_left(seat, 1, s["seats"])
    if s["size"] == s["seats"]:
        best = 0
        for k in range(s["size"]):
            if s["trick"][k] > s["trick"][best]:
                best = k
        following = s["leader"] = seat_to_left(s["leader"], best, s["seats"])
        s["tricks"][following] += 1
        emit(log, 1, following)
        s["size"], s["trick"][:] = 0, -1
    s["over"] = s["hand"][following] == 0
    s["to_act"] = 0 if s["over"] else bit(following)


def score(s, seat):
    return s["tricks"][seat]


def seats_ahead(s, seat):
    """H4."""
    return (s["tricks"] > s["tricks"][seat]).sum()


def team(s, seat):
    return seat


def ending(s, values):
    return 0


def illegal_reason(s, seat, answer):
    return 0, -1


def deal_packets(s, packets):
    size = 0
    for seat in range(s["seats"]):
        size = write_packet(packets, size, s["hand"][seat])
    return s["leader"], size
'''


@contextmanager
def installed_plugin(folder: Path, rules: str = PLUGIN_RULES) -> Iterator[None]:
    """Install a package that provides the game in this folder, for the duration of the context."""
    (folder / "highest_rules.py").write_text(rules, encoding="utf-8")
    installed = folder / "highest-1.0.dist-info"
    installed.mkdir(exist_ok=True)
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: highest\nVersion: 1.0\n", encoding="utf-8")
    (installed / "entry_points.txt").write_text("[diamonds.games]\nhighest = highest_rules\n", encoding="utf-8")
    sys.path.insert(0, str(folder))
    _unload_plugin()
    try:
        yield
    finally:
        sys.path.remove(str(folder))
        _unload_plugin()


def _unload_plugin() -> None:
    games.GAMES.pop(PLUGIN_NAME, None)
    sys.modules.pop("highest_rules", None)
    games.plugin_entry_points.cache_clear()
    importlib.invalidate_caches()
