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
FIRST_DAY: str = _SETTINGS["first_day"]


class DailyGame(NamedTuple):
    """The players and options of a game's deals of the day, which are short games."""

    seats: int
    options: Mapping[str, int]


DAILY_GAMES = {name: DailyGame(**game) for name, game in _SETTINGS["games"].items()}


def current_day() -> str:
    """Return the current day in UTC."""
    return datetime.datetime.now(datetime.UTC).date().isoformat()


def day_before(day: str) -> str:
    """Return the day before a day."""
    return (datetime.date.fromisoformat(day) - datetime.timedelta(days=1)).isoformat()


def is_past_day(text: str, today: str) -> bool:
    """Return whether a text is a day with deals that has ended."""
    try:
        is_day = datetime.date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False
    return is_day and FIRST_DAY <= text < today


def days_of_month(month: str, today: str) -> list[str]:
    """Return the days of a month, such as ``2026-11``, that have ended, the last day first."""
    try:
        day = datetime.date.fromisoformat(f"{month}-01")
    except ValueError:
        return []
    days = [(day + datetime.timedelta(days=k)).isoformat() for k in reversed(range(31))]
    return [day for day in days if day[:-3] == month and is_past_day(day, today)]


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
