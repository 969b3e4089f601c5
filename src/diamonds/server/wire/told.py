"""What a house tells anybody who reads: the rules of its games, one file a game and language, so that pages can keep them."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

from markdown_it import MarkdownIt

from diamonds import words
from diamonds.game import Unknown, find_game
from diamonds.words import rulebook

FOLDER = "/told/"
_RULES = re.compile(r"([a-z]{2,3})/([\w-]{1,40})\.html")


def told(path: str) -> bytes | None:
    """The file at an address below ``/told/``, like ``de/mines.html``; ``None`` where there is none."""
    asked = _RULES.fullmatch(path)
    if asked is None or asked[1] not in words.languages():
        return None
    try:
        return rules_page(find_game(asked[2]).name, asked[1]).encode()
    except Unknown:
        return None


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
