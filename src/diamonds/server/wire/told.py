"""What a house tells anybody who reads, in files, so that pages can keep them: by language what can be played, and the rules of each game."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

import msgspec
from markdown_it import MarkdownIt

import diamonds
from diamonds import words
from diamonds.game import Unknown, find_game
from diamonds.server.api.messages import House
from diamonds.server.house import offers
from diamonds.words import rulebook

FOLDER = "/told/"
OFFERS = "house.json"  # what can be played
_ASKED = re.compile(r"([a-z]{2,3})/(?:([\w-]{1,40})\.html|house\.json)")


def told(path: str) -> bytes | None:
    """The file at an address below ``/told/``, like ``de/mines.html``; ``None`` where there is none."""
    asked = _ASKED.fullmatch(path)
    if asked is None or asked[1] not in words.languages():
        return None
    if asked[2] is None:
        return what_can_be_played(asked[1])
    try:
        return rules_page(find_game(asked[2]).name, asked[1]).encode()
    except Unknown:
        return None


def what_can_be_played(language: str) -> bytes:
    """``GET /api/house`` for whoever is nobody yet, of a page that plays by itself: its bots need nothing of this machine."""
    games, levels = offers.games(language), offers.levels(language, anywhere=True)
    return msgspec.json.encode(House(games, levels, "", "", diamonds.__version__, ""))


def rules_page(game: str, language: str) -> str:
    """A game's rules for players, as HTML. (Raw HTML in the text would be shown, not run.)"""
    path = rulebook.find(game, language)
    if path is None:
        raise Unknown("server-no-rules", name=game)
    return _rendered(path, path.stat().st_mtime_ns)


@lru_cache(maxsize=32)
def _rendered(path: Path, _changed: int) -> str:
    """A page as HTML; it takes a while, so it is written once."""
    renderer = MarkdownIt("commonmark", {"html": False}).enable("table")
    return str(renderer.render(path.read_text(encoding="utf-8")))
