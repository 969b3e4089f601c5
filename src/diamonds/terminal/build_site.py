"""The page as static files, written from the command line."""

from __future__ import annotations

from pathlib import Path

from diamonds import i18n
from diamonds.server.http import static_site
from diamonds.terminal.screen import Screen


def build_site(folder: Path, screen: Screen) -> None:
    """Write them, and say how large they are and how to look at them."""
    size = static_site.build_static_site(folder, i18n.current_language())
    screen.print_line(i18n.translate("terminal-site", {"folder": str(folder), "kilobytes": round(size / 1000)}))
