"""The rules pages in a terminal."""

from __future__ import annotations

import os

from diamonds.errors import NotFoundError
from diamonds.game import Game
from diamonds.i18n import rulebook
from diamonds.terminal.screen import Screen


def rules_text(game: Game) -> str:
    """Return the rules of a game, as Markdown, in the program's language."""
    path = rulebook.find_page(game.name)
    if path is None:
        raise NotFoundError("terminal-no-rules", name=game.name, path=f"{rulebook.PAGE_DIRS[0] / game.name}.md")
    return path.read_text(encoding="utf-8")


def show_rules(game: Game, screen: Screen) -> None:
    """Show the rules: formatted and paged in a terminal, as plain Markdown otherwise."""
    text = rules_text(game)
    if screen.is_plain:
        print(text, end="")
        return
    from rich.markdown import Markdown  # imported only when needed, because it loads a Markdown parser

    # `less` shows colours only with its option R, which is set here unless the user has set LESS.
    colours = "r" in os.environ.setdefault("LESS", "-R").lower() and "less" in os.environ.get("PAGER", "less")
    with screen.console.pager(styles=colours):
        screen.console.print(Markdown(text, code_theme="ansi_dark"), width=min(screen.console.width, 88))
