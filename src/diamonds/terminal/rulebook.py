"""The rules pages on a terminal."""

from __future__ import annotations

import os

from diamonds.game import Game, Unknown
from diamonds.terminal.screen import Screen
from diamonds.words import rulebook


def page(game: Game) -> str:
    """The rules of a game, as Markdown, in the program's own language."""
    path = rulebook.find(game.name)
    if path is None:
        raise Unknown("terminal-no-rules", name=game.name, path=f"{rulebook.FOLDERS[0] / game.name}.md")
    return path.read_text(encoding="utf-8")


def show(game: Game, screen: Screen) -> None:
    """The rules on the screen: laid out and page by page on a terminal, as they are written otherwise."""
    text = page(game)
    if screen.plain:
        print(text, end="")
        return
    from rich.markdown import Markdown  # brings a parser along: only when rules are read

    # `less` shows colours if its R option is on, which it is unless someone has chosen options of their own.
    colours = "r" in os.environ.setdefault("LESS", "-R").lower() and "less" in os.environ.get("PAGER", "less")
    with screen.console.pager(styles=colours):
        screen.console.print(Markdown(text, code_theme="ansi_dark"), width=min(screen.console.width, 88))
