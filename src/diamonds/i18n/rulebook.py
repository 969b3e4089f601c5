"""Rules pages, one for each game and language, from the package or from `docs/rules` in a source tree.

English pages are in the folder itself, others in a folder of their language: `de/mines.md`.
"""

from __future__ import annotations

from pathlib import Path

from diamonds import i18n

# A wheel contains the pages (`force-include` in pyproject.toml); a source tree has them in its docs.
PAGE_DIRS = (Path(__file__).parents[1] / "rulebook", Path(__file__).parents[3] / "docs" / "rules")


def find_page(game: str, language: str = "") -> Path | None:
    """Return the rules page of a game in a language (by default the current one), or else in English.

    Return ``None`` if there is no page.
    """
    chosen = language or i18n.current_language()
    file_names = [f"{game}.md"] if chosen == i18n.DEFAULT_LANGUAGE else [f"{chosen}/{game}.md", f"{game}.md"]
    pages = [folder / name for name in file_names for folder in PAGE_DIRS]
    return next((page for page in pages if page.is_file()), None)
