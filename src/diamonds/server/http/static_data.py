"""Public data of the server as files that browsers can cache: in each language the games on offer, and the rules of each game."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

import msgspec
from markdown_it import MarkdownIt

import diamonds
from diamonds import i18n
from diamonds.errors import NotFoundError
from diamonds.game import find_game
from diamonds.i18n import rulebook
from diamonds.server.api.catalog import ServerResponse
from diamonds.server.tables import catalog

STATIC_DATA_PREFIX = "/static-data/"
CATALOG_FILE = "server.json"  # what can be played
_PATH_PATTERN = re.compile(r"([a-z]{2,3})/(?:([\w-]{1,40})\.html|server\.json)")


def static_data(path: str) -> bytes | None:
    """The file at an address below ``/static-data/``, like ``de/mines.html``; ``None`` where there is none."""
    match = _PATH_PATTERN.fullmatch(path)
    if match is None or match[1] not in i18n.languages():
        return None
    if match[2] is None:
        return offline_catalog(match[1])
    try:
        return rules_page(find_game(match[2]).name, match[1]).encode()
    except NotFoundError:
        return None


def offline_catalog(language: str) -> bytes:
    """``GET /api/server`` for whoever is nobody yet, of a page that plays by itself: its bots need nothing of this machine."""
    games, levels = catalog.game_catalog(language), catalog.level_catalog(language, include_unavailable=True)
    return msgspec.json.encode(ServerResponse(games, levels, "", "", diamonds.__version__, ""))


def rules_page(game: str, language: str) -> str:
    """A game's rules for players, as HTML. (Raw HTML in the text would be shown, not run.)"""
    path = rulebook.find_page(game, language)
    if path is None:
        raise NotFoundError("server-no-rules", name=game)
    return _render(path, path.stat().st_mtime_ns)


@lru_cache(maxsize=32)
def _render(path: Path, _mtime_ns: int) -> str:
    """A page as HTML; it takes a while, so it is written once."""
    renderer = MarkdownIt("commonmark", {"html": False}).enable("table")
    return str(renderer.render(path.read_text(encoding="utf-8")))
