"""The rules pages, one a game and language: shipped inside the package, and in a source tree read from `docs/rules`.

English ones lie in the folder itself, those of another language in one of its name: `de/mines.md`.
"""

from __future__ import annotations

from pathlib import Path

from diamonds import words

# A wheel brings the pages along (see `force-include` in pyproject.toml); a source tree has them in its docs.
FOLDERS = (Path(__file__).parents[1] / "rulebook", Path(__file__).parents[3] / "docs" / "rules")


def find(game: str, language: str = "") -> Path | None:
    """The page of a game's rules in a language (by default the program's own), else in English; ``None`` where there is none."""
    wanted = language or words.own()
    names = [f"{game}.md"] if wanted == words.FIRST else [f"{wanted}/{game}.md", f"{game}.md"]
    pages = [folder / name for name in names for folder in FOLDERS]
    return next((page for page in pages if page.is_file()), None)
