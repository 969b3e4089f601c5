"""How people find each other: the board and who reads it, and who looks for whom. What the routes of the lobby talk to."""

from __future__ import annotations

from collections.abc import Sequence

from diamonds.game import Unknown, all_games
from diamonds.server.api.meeting import NewSeek, You
from diamonds.server.house.hub import Send
from diamonds.server.house.tables import Tables
from diamonds.server.meeting.board import Board
from diamonds.server.meeting.hall import Hall, Reader
from diamonds.server.meeting.seeks import Seeks
from diamonds.server.table.table import Table


class Meeting:
    """The lobby of one house."""

    def __init__(self, tables: Tables) -> None:
        # No number that was told before comes again: see `Shelf`, whose numbers are below the store's floor.
        self.board = Board(tables.store.floor << 20, [game.name for game in all_games()], tables.shelf.get)
        self.hall = Hall(self.board, lambda: len(self.seeks), self.of_you)
        self.seeks = Seeks(tables, self.hall.tell, self.hall.touched, self.apart)
        self.hall.came, self.hall.went = self.seeks.came, self.seeks.went
        tables.watcher = self

    def close(self) -> None:
        """The server stops."""
        self.hall.close()
        self.seeks.close()

    def read(self, game: str, person: str, send: Send) -> Reader:
        """A new reader of the lobby; of one game, or of all."""
        if game not in self.board.channels:
            raise Unknown("game-unknown", given=game[:40], games=[name for name in self.board.channels if name])
        return self.hall.open(game, person, send)

    def of_you(self, person: str) -> You:
        """What the lobby tells somebody alone."""
        return You(self.seeks.asked.get(person), self.seeks.met.get(person))

    def seek(self, person: str, wanted: NewSeek) -> None:
        """Somebody looks for others to play with."""
        self.seeks.seek(person, wanted, person in self.hall.guests)

    def end_seek(self, person: str) -> None:
        """Somebody looks for nobody any more."""
        self.seeks.end(person)

    def apart(self, one: str, other: str) -> bool:
        """Whether two people do not play together."""
        return False

    # What tables tell (`Watcher`)

    def changed(self, table: Table) -> None:
        """Something has happened at a table."""
        self.board.touch(table)
        if self.board.dirty:
            self.hall.touched()

    def sat_down(self, people: Sequence[str]) -> None:
        """These people have sat down at a table."""
        for person in people:
            self.seeks.sat_down(person)
