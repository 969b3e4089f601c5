"""The board in the lobby: which public tables can be joined or watched now, and each change of it, written once for all who read.

A *channel* is what one filter shows: all games, or one. Of thousands of tables it shows those that have been listed longest, so many that
wait and so many that are played, in the order in which they came to be listed: what is shown stays where it is until it goes.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping

from diamonds.server.api.encoding import encode
from diamonds.server.api.meeting import LobbySeat, LobbyTable
from diamonds.server.api.summaries import TableSummary
from diamonds.server.house.lobby import clock_info, is_listed
from diamonds.server.table.table import Table

SHOWN = {"waiting": 40, "playing": 12}  # tables on a channel


class Row:
    """A table as it is written on the board, and what of the table it was written from."""

    __slots__ = ("game", "id", "mark", "phase", "text")

    def __init__(self, table: Table | TableSummary) -> None:
        if isinstance(table, Table):
            self.id, self.game, self.phase = table.id, table.header.game, table.phase
            self.text = encode(lobby_table(table))
        else:
            self.id, self.game, self.phase = table.line.id, table.line.game, table.line.phase
            self.text = bytes(table.lobby)
        self.mark: tuple[int | bytes, str] = mark_of(table)


def mark_of(table: Table | TableSummary) -> tuple[int | bytes, str]:
    """What changes whenever a table's line does. Answers alone change nothing that is on it."""
    if isinstance(table, Table):
        return table.changes, table.phase
    return bytes(table.lobby), table.line.phase


def lobby_table(table: Table) -> LobbyTable:
    """A public table as the lobby shows it."""
    names, here = table.seat_names(), table.here.seats
    places = [
        LobbySeat(
            "kept" if place.kind == "open" and place.person else place.kind,  # type: ignore[arg-type]
            names[seat],
            place.level or None,
            place.kind == "bot" or (place.kind == "person" and seat in here),
        )
        for seat, place in enumerate(table.places.seats)
    ]
    header = table.header
    return LobbyTable(
        table.id,
        header.game,
        header.options,
        table.phase,  # type: ignore[arg-type]
        table.places.pace,  # type: ignore[arg-type]
        clock_info(header),
        places,
        header.created,
    )


class Channel:
    """What one filter shows. ``change`` leads from the version ``before`` to ``version``."""

    def __init__(self, game: str) -> None:
        self.game = game
        self.before = self.version = 0
        self.change = b""
        self.lines: dict[str, dict[str, Row]] = {phase: {} for phase in SHOWN}
        self._shown: dict[str, Row] = {}
        self._more = self._seeking = 0
        self._whole: tuple[int, bytes] = (-1, b"")

    def turn(self, version: int, seeking: int) -> bool:
        """Write down what has changed since the last time; whether anything has."""
        shown: dict[str, Row] = {}
        for phase, most in SHOWN.items():
            shown |= itertools.islice(self.lines[phase].items(), most)
        more = sum(map(len, self.lines.values())) - len(shown)
        put = [line.text for id, line in shown.items() if self._shown.get(id) is not line]
        gone = [id for id in self._shown if id not in shown]
        if not put and not gone and (more, seeking) == (self._more, self._seeking):
            return False
        self._shown, self._more, self._seeking = shown, more, seeking
        self.before, self.version = self.version, version
        body = b'"put":[%b],"gone":%b' % (b",".join(put), encode(gone))
        self.change = self._event(body)
        return True

    def whole(self) -> bytes:
        """All that is shown, written once for everyone who comes while it is so."""
        if self._whole[0] != self.version:
            lines = b",".join(line.text for line in self._shown.values())
            self._whole = (self.version, self._event(b'"tables":[%b]' % lines))
        return self._whole[1]

    def _event(self, body: bytes) -> bytes:
        told = (self.version, self.version, body, self._more, self._seeking)
        return b'id: %d\ndata: {"version":%d,%b,"more":%d,"seeking":%d}\n\n' % told


class Board:
    """All public tables that can be joined or watched. ``find`` gives a table in memory by its name; ``summaries`` are of those that other
    members have loaded."""

    def __init__(
        self, games: Iterable[str], find: Callable[[str], Table | None], summaries: Mapping[str, TableSummary]
    ) -> None:
        self.find, self.summaries = find, summaries
        self.version = 0
        self.channels = {game: Channel(game) for game in ("", *games)}
        self.dirty: set[str] = set()
        self.lines: dict[str, Row] = {}

    def begin(self, first: int) -> None:
        """Versions begin here; before anybody reads."""
        self.version = first
        for channel in self.channels.values():
            channel.before = channel.version = first

    def touch(self, table: Table) -> None:
        """Something has happened at a table: it is looked at when the board is written next."""
        line = self.lines.get(table.id)
        if not table.header.private and (line is None or line.mark != mark_of(table)):
            self.dirty.add(table.id)

    def look_at_the_left(self) -> None:
        """Tables at which nobody looks may have been left for so long that they come off the board."""
        for id in self.lines:
            table = self.find(id)
            if id not in self.summaries and (table is None or not table.here.is_read):
                self.dirty.add(id)

    def turn(self, seeking: int) -> list[Channel]:
        """Write the board anew; the channels that have changed."""
        dirty, self.dirty = self.dirty, set()
        for id in sorted(dirty, key=self._came):
            self._write(id, self.find(id) or self.summaries.get(id))
        self.version += 1
        return [channel for channel in self.channels.values() if channel.turn(self.version, seeking)]

    def _came(self, id: str) -> float:
        table, summary = self.find(id), self.summaries.get(id)
        return table.header.created if table else summary.line.created if summary else 0.0

    def _write(self, id: str, table: Table | TableSummary | None) -> None:
        """One table's line, where it was; at the end if it is new there, or plays by now; or none."""
        old = self.lines.get(id)
        if table is None or not (is_listed(table) if isinstance(table, Table) else table.listed):
            if old is not None:
                del self.lines[id]
                for channel in self._of(old):
                    del channel.lines[old.phase][id]
            return
        if old is not None and old.mark == mark_of(table):
            return
        line = self.lines[id] = Row(table)
        if old is not None and old.text == line.text:
            old.mark = line.mark
            self.lines[id] = old
            return
        for channel in self._of(line):
            if old is not None and old.phase != line.phase:
                del channel.lines[old.phase][id]
            channel.lines[line.phase][id] = line

    def _of(self, line: Row) -> Iterable[Channel]:
        """Where a line is shown. A game that this house has learned since it opened is on the board of all alone."""
        return [self.channels[game] for game in ("", line.game) if game in self.channels]
