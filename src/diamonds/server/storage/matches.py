"""Duplicate matches in the store: data and SQL."""

from __future__ import annotations

import time
from typing import Any, NamedTuple

from diamonds.server.storage.commit_outcomes import CONFLICT, DONE, CommitOutcome
from diamonds.server.storage.sql import SqlConnection, SqlQueries, fetch_rows

# Phases of a match. A `CLOSING` one was ended early, and its tables in play are being closed.
OPEN, PLAYING, CLOSING, OVER = "open", "playing", "closing", "over"
UNSTARTED_TTL_S = 30 * 86_400  # an unstarted match is deleted after this time


class MatchPerson(NamedTuple):
    """A person in a match. `person` is empty for a deleted one; a `removed` one may not return."""

    number: int
    person: str
    removed: bool


class StoredMatch(NamedTuple):
    """A match. `people` are in order of their numbers, which have no gaps from 0 once the match has started."""

    id: str
    settings: bytes
    organiser: str  # empty if the organiser was deleted during the match
    phase: str
    created: float
    ended_early: bool
    movement: bytes  # empty before the start
    results: bytes  # empty before the end
    people: tuple[MatchPerson, ...] = ()

    @property
    def participants(self) -> list[MatchPerson]:
        """The people in the match, without removed ones."""
        return [each for each in self.people if not each.removed]

    def number_of(self, person: str) -> int:
        """Return a participant's number, or −1."""
        return next((each.number for each in self.participants if person and each.person == person), -1)


class StoredMatchTable(NamedTuple):
    """A table of a match. `outcome` is JSON, empty before the end; `seating` is empty after it."""

    table: str
    phase: str
    outcome: str
    seating: bytes


class MatchChange(NamedTuple):
    """A change of a match, all or nothing. Empty fields change nothing.

    The outcome is `CONFLICT` if the match is not in one of the phases `during`, if a new one already exists, or if the
    person in `joined` is already in it or cannot join.
    """

    match: str
    during: tuple[str, ...] = ()
    settings: bytes = b""  # only for a new match
    created: float = 0.0
    joined: str = ""  # for a new match, the organiser
    max_people: int = 0
    left: str = ""
    removed: int = -1  # number of the removed person
    phase: str = ""
    movement: bytes = b""
    results: bytes = b""
    ended_early: bool = False


# Reading


def _load(connection: SqlConnection, match: str) -> StoredMatch | None:
    row: Any = connection.execute(
        "SELECT id, settings, organiser, phase, created, ended_early, movement, results FROM matches WHERE id = ?",
        (match,),
    ).fetchone()
    if row is None:
        return None
    id, settings, organiser, phase, created, ended_early, movement, results = row
    rows = fetch_rows(
        connection, "SELECT number, person, removed FROM match_people WHERE match_id = ? ORDER BY number", (match,)
    )
    people = tuple(MatchPerson(number, person, bool(removed)) for number, person, removed in rows)
    return StoredMatch(
        id, settings, organiser, phase, created, bool(ended_early), movement or b"", results or b"", people
    )


class MatchQueries(SqlQueries):
    """The store's queries for matches."""

    async def load_match(self, match: str) -> StoredMatch | None:
        """Return a match with its people; `None` if there is none."""
        return await self.readers.find(_load, match)

    async def match_tables(self, match: str) -> dict[str, StoredMatchTable]:
        """Return the tables of a match by id."""
        rows = await self.find_rows(
            "SELECT id, phase, match_outcome, CASE WHEN phase != 'over' THEN seating END FROM tables WHERE match_id = ? AND match_id != ''",
            match,
        )
        return {row[0]: StoredMatchTable(row[0], row[1], row[2], row[3] or b"") for row in rows}

    async def matches_of(self, person: str, limit: int) -> list[str]:
        """Return a person's matches, unfinished ones first, then the newest first."""
        rows = await self.find_rows(
            "SELECT m.id FROM match_people p JOIN matches m ON m.id = p.match_id WHERE p.person = ? AND p.removed = 0"
            " ORDER BY (m.phase = 'over'), m.created DESC LIMIT ?",
            person,
            limit,
        )
        return [match for (match,) in rows]

    async def started_matches(self) -> list[str]:
        """Return all matches that have started and are not over."""
        rows = await self.read_rows("SELECT id FROM matches WHERE phase IN ('playing', 'closing')")
        return [match for (match,) in rows]

    async def unfinished_match_count(self, person: str) -> int:
        """Return the number of a person's matches that are not over."""
        rows = await self.find_rows(
            "SELECT count(*) FROM match_people p JOIN matches m ON m.id = p.match_id"
            " WHERE p.person = ? AND p.removed = 0 AND m.phase != 'over'",
            person,
        )
        return int(rows[0][0])

    async def is_match_over(self, match: str) -> bool:
        """Return whether a match is over."""
        return bool(await self.find_rows("SELECT id FROM matches WHERE id = ? AND phase = 'over'", match))


# Writing


def apply_match_change(connection: SqlConnection, change: MatchChange) -> CommitOutcome:
    """Check a change, then write it completely or not at all."""
    execute, match = connection.execute, change.match
    if change.settings:
        execute(
            "INSERT INTO matches VALUES (?, ?, ?, 'open', ?, 0, 0, NULL, NULL) ON CONFLICT (id) DO NOTHING",
            (match, change.settings, change.joined, change.created),
        )
        if connection.changes() == 0:
            return CommitOutcome(CONFLICT)
    elif execute("SELECT phase FROM matches WHERE id = ?", (match,)).get not in change.during:
        return CommitOutcome(CONFLICT)
    if change.joined and not _join(connection, change):
        return CommitOutcome(CONFLICT)
    if change.left:
        execute("DELETE FROM match_people WHERE match_id = ? AND person = ? AND removed = 0", (match, change.left))
    if change.removed >= 0:
        execute("UPDATE match_people SET removed = 1 WHERE match_id = ? AND number = ?", (match, change.removed))
    if change.movement:
        _number_people(connection, match)
        execute("UPDATE matches SET movement = ? WHERE id = ?", (change.movement, match))
    if change.phase:
        execute("UPDATE matches SET phase = ? WHERE id = ?", (change.phase, match))
    if change.phase == OVER:
        execute("UPDATE matches SET finished_at = ? WHERE id = ?", (int(time.time()), match))
    if change.results:
        execute("UPDATE matches SET results = ? WHERE id = ?", (change.results, match))
    if change.ended_early:
        execute("UPDATE matches SET ended_early = 1 WHERE id = ?", (match,))
    return CommitOutcome(DONE)


def _join(connection: SqlConnection, change: MatchChange) -> bool:
    """Add a person. Return whether they could be added."""
    rows = fetch_rows(
        connection, "SELECT number, person, removed FROM match_people WHERE match_id = ?", (change.match,)
    )
    if any(person == change.joined for _, person, _ in rows):
        return False
    if sum(not removed for *_, removed in rows) >= change.max_people:
        return False
    number = 1 + max((number for number, *_ in rows), default=-1)
    connection.execute("INSERT INTO match_people VALUES (?, ?, ?, 0)", (change.match, number, change.joined))
    return True


def _number_people(connection: SqlConnection, match: str) -> None:
    """Assign the people of a match numbers from 0, in the order in which they joined, and forget removed ones."""
    connection.execute("DELETE FROM match_people WHERE match_id = ? AND removed = 1", (match,))
    rows = fetch_rows(connection, "SELECT number FROM match_people WHERE match_id = ? ORDER BY number", (match,))
    for number, (old_number,) in enumerate(rows):
        connection.execute(
            "UPDATE match_people SET number = ? WHERE match_id = ? AND number = ?", (number, match, old_number)
        )


def has_people(connection: SqlConnection, match: str, people: tuple[str, ...]) -> bool:
    """Return whether all these people are in a match: an account may have replaced a guest meanwhile."""
    rows = fetch_rows(connection, "SELECT person FROM match_people WHERE match_id = ? AND removed = 0", (match,))
    return {*people} <= {row[0] for row in rows}


def prune(connection: SqlConnection) -> None:
    """Delete matches that have long remained unstarted."""
    _delete(connection, "phase = 'open' AND created < ?", time.time() - UNSTARTED_TTL_S)


def prune_finished(connection: SqlConnection, before: int) -> None:
    """Delete matches with only guests that ended before a time (s)."""
    _delete(
        connection,
        "phase = 'over' AND finished_at < ? AND NOT EXISTS"
        " (SELECT 1 FROM match_people p JOIN accounts a ON a.person = p.person WHERE p.match_id = matches.id)",
        before,
    )


def _delete(connection: SqlConnection, where: str, value: float) -> None:
    for (match,) in fetch_rows(connection, f"SELECT id FROM matches WHERE {where}", (value,)):
        connection.execute("DELETE FROM match_people WHERE match_id = ?", (match,))
        connection.execute("DELETE FROM matches WHERE id = ?", (match,))


# People


def is_sharing_match(connection: SqlConnection, person: str, other: str) -> bool:
    """Return whether both people play in a match that has started and is not over."""
    return bool(
        connection.execute(
            "SELECT count(*) FROM match_people a JOIN match_people b ON b.match_id = a.match_id JOIN matches m ON m.id = a.match_id"
            " WHERE a.person = ? AND b.person = ? AND m.phase IN ('playing', 'closing')",
            (person, other),
        ).get
    )


def merge_guest(connection: SqlConnection, guest: str, person: str) -> None:
    """Put a person in the place of a guest in all matches. In an unstarted one they have only one place."""
    execute = connection.execute
    execute(
        "DELETE FROM match_people WHERE person = ? AND match_id IN (SELECT p.match_id FROM match_people p JOIN matches m"
        " ON m.id = p.match_id WHERE p.person = ? AND m.phase = 'open')",
        (guest, person),
    )
    execute("UPDATE match_people SET person = ? WHERE person = ?", (person, guest))
    execute("UPDATE matches SET organiser = ? WHERE organiser = ?", (person, guest))


def delete_person(connection: SqlConnection, person: str) -> None:
    """Delete a person. Unstarted matches that they organise end; in started ones they keep a nameless place."""
    execute = connection.execute
    execute(
        "UPDATE matches SET phase = 'over', ended_early = 1, finished_at = ? WHERE organiser = ? AND phase = 'open'",
        (int(time.time()), person),
    )
    execute("UPDATE matches SET organiser = '' WHERE organiser = ?", (person,))
    execute(
        "DELETE FROM match_people WHERE person = ? AND match_id IN (SELECT id FROM matches WHERE movement IS NULL)",
        (person,),
    )
    execute("UPDATE match_people SET person = '' WHERE person = ?", (person,))
