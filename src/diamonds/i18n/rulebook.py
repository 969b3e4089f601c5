"""The rules pages, one a game and language: shipped inside the package, and in a source tree read from `docs/rules`.

English ones lie in the folder itself, those of another language in one of its name: `de/mines.md`.
"""

from __future__ import annotations

from pathlib import Path

from diamonds import i18n

# A wheel brings the pages along (see `force-include` in pyproject.toml); a source tree has them in its docs.
PAGE_DIRS = (Path(__file__).parents[1] / "rulebook", Path(__file__).parents[3] / "docs" / "rules")


def find_page(game: str, language: str = "") -> Path | None:
    """The page of a game's rules in a language (by default the program's own), else in English; ``None`` where there is none."""
    chosen = language or i18n.current_language()
    file_names = [f"{game}.md"] if chosen == i18n.DEFAULT_LANGUAGE else [f"{chosen}/{game}.md", f"{game}.md"]
    pages = [folder / name for name in file_names for folder in PAGE_DIRS]
    return next((page for page in pages if page.is_file()), None)
