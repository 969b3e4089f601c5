"""The rules pages: shipped inside the package, and in a source tree read from `docs/rules`."""

from __future__ import annotations

import os
from pathlib import Path

from diamonds.game import Game, Unknown
from diamonds.terminal.screen import Screen

# A wheel brings the pages along (see `force-include` in pyproject.toml); a source tree has them in its docs.
FOLDERS = (Path(__file__).parents[1] / "rulebook", Path(__file__).parents[3] / "docs" / "rules")


def page(game: Game) -> str:
    """The rules of a game, as Markdown."""
    for folder in FOLDERS:
        path = folder / f"{game.name}.md"
        if path.is_file():
            return path.read_text(encoding="utf-8")
    raise Unknown("terminal-no-rules", name=game.name, path=f"{FOLDERS[0] / game.name}.md")


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
