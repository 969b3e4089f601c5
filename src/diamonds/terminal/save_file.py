"""The saved game: one file per game, rewritten after every answer.

A saved game is a record that includes its secret, because only one person plays at the table; the record names their
seat. Only the current game is ever overwritten.
"""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass
from errno import EEXIST, EISDIR
from pathlib import Path

from platformdirs import user_data_path

from diamonds.bots.levels import level_name
from diamonds.errors import DiamondsError, InvalidInputError, NotAllowedError
from diamonds.game import Game
from diamonds.record_reader import load_record
from diamonds.records import RecordedGame, write_record
from diamonds.terminal import arguments

BOT_NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eve", "Finn")


def data_dir() -> Path:
    """Return the folder for saved games: $DIAMONDS_HOME, or `diamonds` in the system's folder for user data."""
    configured = os.environ.get("DIAMONDS_HOME")
    return Path(configured) if configured else user_data_path("diamonds", appauthor=False)


def server_data_dir() -> Path:
    """Return the default data folder of a server: `server`, or `house` if an earlier version created that."""
    folder = data_dir() / "server"
    earlier = data_dir() / "house"
    return earlier if earlier.is_dir() and not folder.exists() else folder


def save_path(game: Game) -> Path:
    """Return the default file for a game."""
    return data_dir() / f"{game.name}.json"


def seat_holders(player_seat: int, bots: dict[int, str]) -> list[str]:
    """Return the holder of each seat, as in a record."""
    return ["person" if seat == player_seat else f"bot:{level_name(bots[seat])}" for seat in range(len(bots) + 1)]


class SaveError(NotAllowedError):
    """Raised if the game could not be saved; play must then stop."""


@dataclass
class SaveFile:
    """A file with a game. ``last_seen`` is its content when last read or written; ``None`` if there was no file."""

    path: Path
    last_seen: bytes | None = None

    def load(self, game: Game) -> RecordedGame | None:
        """Return the game in the file, or ``None`` if there is no file.

        Raise `DiamondsError` if it cannot be resumed.
        """
        if not os.path.lexists(self.path):
            return None
        data = arguments.read_file_bytes(self.path)
        try:
            played = load_record(data)
            if played.game is not game:
                raise NotAllowedError("terminal-another-game", name=played.game.name, wanted=game.name)
        except DiamondsError as error:
            raise InvalidInputError("terminal-cannot-go-on", path=str(self.path), why=error.message) from None
        self.last_seen = data
        return played

    def save(self, played: RecordedGame) -> None:
        """Write the game atomically: at any moment either the old or the new version is complete on disk.

        Raise `SaveError` if that fails or if another process has written the file in the meantime, because one of the
        two games would be lost.
        """
        data = write_record(played, reveal=True).encode()
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            if os.path.lexists(self.path) != (self.last_seen is not None) or (
                self.last_seen and self.path.read_bytes() != self.last_seen
            ):
                raise SaveError("terminal-changed-meanwhile", path=str(self.path))
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
        except SaveError:
            raise
        except (OSError, ValueError) as error:
            raise SaveError("terminal-cannot-save", path=str(self.path), why=arguments.os_error_text(error)) from None
        self.last_seen = data

    def move_away(self) -> Path | None:
        """Move the file to a numbered name, such as `crystals-1.json`; return the new path, or ``None`` without a file."""
        if not os.path.lexists(self.path):
            return None
        try:
            if self.path.is_dir():
                raise IsADirectoryError(EISDIR, os.strerror(EISDIR))
            new_path = self._free_name()
            os.replace(self.path, new_path)
        except OSError as error:
            raise SaveError(
                "terminal-cannot-set-aside", path=str(self.path), why=arguments.os_error_text(error)
            ) from None
        self.last_seen = None
        return new_path

    def _free_name(self) -> Path:
        """Return the first free numbered name, created immediately so that no other process takes it."""
        for number in range(1, 100_000):
            path = self.path.with_name(f"{self.path.stem}-{number}{self.path.suffix}")
            try:
                path.touch(exist_ok=False)
            except FileExistsError:
                continue
            return path
        raise FileExistsError(EEXIST, os.strerror(EEXIST))
