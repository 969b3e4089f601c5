"""The page as static files, written from the command line."""

from __future__ import annotations

from pathlib import Path

from diamonds import words
from diamonds.server.wire import site
from diamonds.terminal.screen import Screen


def write(folder: Path, screen: Screen) -> None:
    """Write them, and say how large they are and how to look at them."""
    size = site.write(folder, words.own())
    screen.say(words.say("terminal-site", {"folder": str(folder), "kilobytes": round(size / 1000)}))
