"""``diamonds puzzles``: find positions with one clearly best answer, and write them for the web client (docs/puzzles.md)."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from diamonds.cli.options import RayOption
from diamonds.game import GAMES, find_game
from diamonds.terminal import arguments

puzzles = typer.Typer(
    no_args_is_help=True, rich_markup_mode=None, help="Find puzzles in games between bots (docs/puzzles.md)."
)
GamesArg = Annotated[list[str] | None, typer.Argument(metavar="GAME...", help=" | ".join(GAMES))]
JournalDirOption = Annotated[Path, typer.Option(metavar="FOLDER", help="The folder of the mined puzzles.")]
JOURNAL_DIR = Path("bench") / "puzzles"
CLIENT_PUZZLES_DIR = Path("web") / "src" / "puzzles" / "data"


@puzzles.command()
def mine(
    game: GamesArg = None,
    folder: JournalDirOption = JOURNAL_DIR,
    max_puzzles: Annotated[str, typer.Option(metavar="N", help="Stop at N puzzles of each game.")] = "300",
    minutes: Annotated[str, typer.Option(metavar="N", help="Stop after N minutes.")] = "60",
    seed: Annotated[str, typer.Option(metavar="S", help="A whole number that determines the games.")] = "14",
    processes: Annotated[str, typer.Option(metavar="N", help="The number of processes.")] = "1",
    ray: RayOption = None,
) -> None:
    """Mine puzzles with low priority. Mining can be stopped at any time and resumed later."""
    from diamonds.terminal import puzzles as mining

    mining.mine_puzzles(
        [find_game(name) for name in game or GAMES],
        folder,
        arguments.whole_number(max_puzzles, "terminal-what-puzzles", 1, 100_000),
        arguments.whole_number(minutes, "terminal-what-minutes", 1, 100_000),
        arguments.whole_number(seed, "terminal-what-seed"),
        arguments.whole_number(processes, "terminal-what-processes", 1, 256),
        ray,
    )


@puzzles.command()
def write(
    game: GamesArg = None,
    folder: JournalDirOption = JOURNAL_DIR,
    out: Annotated[
        Path, typer.Option(metavar="FOLDER", help="The folder from which the web client loads them.")
    ] = CLIENT_PUZZLES_DIR,
) -> None:
    """Write the mined puzzles for the web client."""
    from diamonds.terminal import puzzles as mining

    mining.write_puzzle_files([find_game(name) for name in game or GAMES], folder, out)
