"""Deals of the day: one deal for each game and day, the same for everyone.

A day is a date in UTC, such as ``2026-11-26``. Without a server the cards follow from the date and the name of the game
(`public_secret`), so anyone can compute them. The web client reads the same settings from ``daily_deals.json``.
"""

from __future__ import annotations

import datetime
import hashlib
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

_SETTINGS = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
BOT_LEVEL: str = _SETTINGS["level"]
PLAYER_SEAT: int = _SETTINGS["seat"]


class DailyGame(NamedTuple):
    """The players and options of a game's deals of the day, which are short games."""

    seats: int
    options: Mapping[str, int]


DAILY_GAMES = {name: DailyGame(**game) for name, game in _SETTINGS["games"].items()}


def current_day() -> str:
    """Return the current day in UTC."""
    return datetime.datetime.now(datetime.UTC).date().isoformat()


def streak(is_played: Callable[[str], bool], today: str) -> int:
    """Return the number of consecutive days with a finished game, up to today or yesterday."""
    day = datetime.date.fromisoformat(today)
    if not is_played(today):
        day -= datetime.timedelta(days=1)
    length = 0
    while is_played(day.isoformat()):
        length += 1
        day -= datetime.timedelta(days=1)
    return length


def public_secret(day: str, game: str) -> bytes:
    """Return the secret of a deal played without a server. Anyone can compute it; all nonces are empty."""
    return hashlib.sha256(b"diamonds day %b %b" % (day.encode(), game.encode())).digest()
