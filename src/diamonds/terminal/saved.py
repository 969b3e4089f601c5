"""The game that is kept on disk between two evenings: one file a game, written anew after every answer.

A saved game is a record that shows its secret, for it is kept by the one person at the table, whose seat the record
names. Nothing is ever overwritten but the game that goes on.
"""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass
from errno import EEXIST, EISDIR
from pathlib import Path

from platformdirs import user_data_path

from diamonds.game import Game, Illegal, Malformed, Refused
from diamonds.records import Match, read_record, write_record
from diamonds.terminal import asked

NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eve", "Finn")


def home() -> Path:
    """Where games are kept: $DIAMONDS_HOME, or `diamonds` where this system keeps a user's data."""
    own = os.environ.get("DIAMONDS_HOME")
    return Path(own) if own else user_data_path("diamonds", appauthor=False)


def file_of(game: Game) -> Path:
    """Where the game of this name is kept unless a file is named."""
    return home() / f"{game.name}.json"


def seated(me: int, bots: dict[int, str]) -> list[str]:
    """Who has each seat, as a record says it."""
    return ["person" if seat == me else f"bot:{bots[seat]}" for seat in range(len(bots) + 1)]


class Unsaved(Illegal):
    """The game could not be written to its file, so it must not go on."""


@dataclass
class Saved:
    """A file with a game. ``held`` is what it held when we last looked; ``None`` if there was no file."""

    path: Path
    held: bytes | None = None

    def load(self, game: Game) -> Match | None:
        """The game in the file, or ``None`` if there is no file; `Refused` if it cannot be played on."""
        if not os.path.lexists(self.path):
            return None
        data = asked.file_bytes(self.path)
        try:
            match = read_record(data)
            if match.game is not game:
                raise Illegal("terminal-another-game", name=match.game.name, wanted=game.name)
        except Refused as refusal:
            raise Malformed("terminal-cannot-go-on", path=str(self.path), why=refusal.message) from None
        self.held = data
        return match

    def save(self, match: Match) -> None:
        """Write the game, so that at every moment either the old or the new one is whole on disk.

        `Unsaved` if it cannot be, or if someone else has written the file meanwhile: one of two players would lose a game.
        """
        data = write_record(match, reveal=True).encode()
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            if os.path.lexists(self.path) != (self.held is not None) or (
                self.held and self.path.read_bytes() != self.held
            ):
                raise Unsaved("terminal-changed-meanwhile", path=str(self.path))
            handle, name = tempfile.mkstemp(dir=self.path.parent, prefix=f".{self.path.name}.")
            try:
                with open(handle, "wb") as file:
                    file.write(data)
                    file.flush()
                    os.fsync(file.fileno())
                os.replace(name, self.path)
            except BaseException:
                os.unlink(name)
                raise
        except Unsaved:
            raise
        except (OSError, ValueError) as error:
            raise Unsaved("terminal-cannot-save", path=str(self.path), why=asked.why(error)) from None
        self.held = data

    def set_aside(self) -> Path | None:
        """Keep what the file holds under a numbered name, `crystals-1.json`; ``None`` if there was nothing."""
        if not os.path.lexists(self.path):
            return None
        try:
            if self.path.is_dir():
                raise IsADirectoryError(EISDIR, os.strerror(EISDIR))
            kept = self._free_name()
            os.replace(self.path, kept)
        except OSError as error:
            raise Unsaved("terminal-cannot-set-aside", path=str(self.path), why=asked.why(error)) from None
        self.held = None
        return kept

    def _free_name(self) -> Path:
        """The first numbered name that is free, taken at once so that no one else can."""
        for number in range(1, 100_000):
            kept = self.path.with_name(f"{self.path.stem}-{number}{self.path.suffix}")
            try:
                kept.touch(exist_ok=False)
            except FileExistsError:
                continue
            return kept
        raise FileExistsError(EEXIST, os.strerror(EEXIST))
