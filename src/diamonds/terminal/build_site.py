"""The command that builds the static site."""

from __future__ import annotations

from pathlib import Path

from diamonds import i18n
from diamonds.server.http import static_site
from diamonds.terminal.screen import Screen


def build_site(folder: Path, screen: Screen) -> None:
    """Build the site, and print its size and how to serve it."""
    size = static_site.build_static_site(folder, i18n.current_language())
    screen.print_line(i18n.translate("terminal-site", {"folder": str(folder), "kilobytes": round(size / 1000)}))
