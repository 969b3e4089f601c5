"""Public data of the server as cacheable files: the games on offer and their rules, in each language."""

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
from diamonds.server.api.server_info import ServerResponse
from diamonds.server.tables import offered_games

STATIC_DATA_PREFIX = "/static-data/"
CATALOG_FILE = "server.json"
_PATH_PATTERN = re.compile(r"([a-z]{2,3})/(?:([\w-]{1,40})\.html|server\.json)")


def static_data(path: str) -> bytes | None:
    """Return the file at a path below `/static-data/`, such as `de/mines.html`; `None` if there is none."""
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
    """Return the data of `GET /api/server` for a page without a server, whose bots run in the browser."""
    games, levels = offered_games.game_infos(language), offered_games.level_infos(language, include_unavailable=True)
    return msgspec.json.encode(ServerResponse(games, levels, "", "", diamonds.__version__, ""))


def rules_page(game: str, language: str) -> str:
    """Return a game's rules for players as HTML. Raw HTML in the text is escaped."""
    path = rulebook.find_page(game, language)
    if path is None:
        raise NotFoundError("server-no-rules", name=game)
    return _render(path, path.stat().st_mtime_ns)


@lru_cache(maxsize=32)
def _render(path: Path, _mtime_ns: int) -> str:
    """Render a page as HTML; cached, because rendering is slow."""
    renderer = MarkdownIt("commonmark", {"html": False}).enable("table")
    return str(renderer.render(path.read_text(encoding="utf-8")))
