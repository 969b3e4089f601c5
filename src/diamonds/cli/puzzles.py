"""``diamonds puzzles``: positions in which one answer is clearly the best are mined, and written for the page (docs/puzzles.md)."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from diamonds.game import GAMES, find_game
from diamonds.terminal import arguments

puzzles = typer.Typer(
    no_args_is_help=True, rich_markup_mode=None, help="Find puzzles in games between bots (docs/puzzles.md)."
)
GamesArg = Annotated[list[str] | None, typer.Argument(metavar="GAME...", help=" | ".join(GAMES))]
JournalDirOption = Annotated[
    Path, typer.Option(metavar="FOLDER", help="Keeps what was mined; mining goes on from there.")
]
JOURNAL_DIR = Path("bench") / "puzzles"
CLIENT_PUZZLES_DIR = Path("web") / "src" / "puzzles" / "data"


@puzzles.command()
def mine(
    game: GamesArg = None,
    folder: JournalDirOption = JOURNAL_DIR,
    most: Annotated[str, typer.Option(metavar="N", help="Stop at so many puzzles of each game.")] = "300",
    minutes: Annotated[str, typer.Option(metavar="N", help="Stop after so many minutes.")] = "60",
    seed: Annotated[str, typer.Option(metavar="S", help="A whole number that fixes the games.")] = "14",
) -> None:
    """Mine for puzzles, in one process that comes last; may be ended at any moment, and goes on where it was."""
    from diamonds.terminal import puzzles as mining

    mining.mine_puzzles(
        [find_game(name) for name in game or GAMES],
        folder,
        arguments.whole_number(most, "terminal-what-puzzles", 1, 100_000),
        arguments.whole_number(minutes, "terminal-what-minutes", 1, 100_000),
        arguments.whole_number(seed, "terminal-what-seed"),
    )


@puzzles.command()
def write(
    game: GamesArg = None,
    folder: JournalDirOption = JOURNAL_DIR,
    out: Annotated[Path, typer.Option(metavar="FOLDER", help="Where the page takes them from.")] = CLIENT_PUZZLES_DIR,
) -> None:
    """Write what was mined as the page takes it."""
    from diamonds.terminal import puzzles as mining

    mining.write_puzzle_files([find_game(name) for name in game or GAMES], folder, out)
