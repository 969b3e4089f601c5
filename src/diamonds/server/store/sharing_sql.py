"""What several processes tell each other, in PostgreSQL. Times are the server's: whose clock goes wrong does not live longer for it."""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from diamonds.server.store import tables_sql
from diamonds.server.store.accounts import AccountChange
from diamonds.server.store.contract import DONE, Change, Outcome, Stored
from diamonds.server.store.postgres_connection import HOUSE, OPEN, Connection
from diamonds.server.store.pushes import PushChange
from diamonds.server.store.sharing import BELL, LIVES, PERSON, PERSON_ANEW, SLATE, News, Process

KEEP = 60  # seconds for which news are kept, and who does not sign any more

TABLES = """
CREATE TABLE processes (
    id TEXT PRIMARY KEY, number BIGINT GENERATED ALWAYS AS IDENTITY, door TEXT NOT NULL, house BIGINT NOT NULL,
    seen TIMESTAMPTZ NOT NULL
);
CREATE TABLE slates (
    process TEXT NOT NULL REFERENCES processes ON DELETE CASCADE, key TEXT, value BYTEA NOT NULL, PRIMARY KEY (key, process)
);
CREATE INDEX slates_of_process ON slates (process);
CREATE TABLE news (
    xact BIGINT NOT NULL, mark TEXT NOT NULL, told TEXT NOT NULL, at TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX news_xact ON news (xact);
CREATE TABLE house_keys (name TEXT PRIMARY KEY, key BYTEA NOT NULL);
CREATE INDEX news_at ON news (at);
"""

_ALIVE = f"seen > clock_timestamp() - interval '{LIVES} seconds'"
_KNOWN = f"seen > clock_timestamp() - interval '{KEEP} seconds'"
_CONNECTED = f"""EXISTS (SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND classid = {HOUSE} AND objid = {OPEN} AND objsubid = 2
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) AND granted AND pid != pg_backend_pid())"""


class NotYet(Exception):
    """Whether others keep the house just now will be known in a moment."""


class Sign(NamedTuple):
    """A process is there, by the house's time ``now`` at the moment ``at`` (`time.monotonic`); ``comes``: from now on, and that is its
    machine's. ``waits``: it would rather ask again than open a house that others may keep."""

    process: str
    door: str
    now: int
    at: float
    comes: bool = False
    waits: bool = False


class Say(NamedTuple):
    """What is true of a process."""

    process: str
    slates: Mapping[str, bytes]


class Keys(NamedTuple):
    """The keys that a process would use if it were alone."""

    secret: bytes
    push: bytes


class Leave(NamedTuple):
    """A process goes."""

    process: str


# Reading


def said(connection: Connection, keys: Collection[str] | None) -> list[tuple[str, str, bytes]]:
    """See `Sharing`."""
    asked = "SELECT process, key, value FROM slates"
    found: Any = (
        connection.execute(asked) if keys is None else connection.execute(f"{asked} WHERE key = ANY(?)", ([*keys],))
    )
    return list(found)


def since(connection: Connection, table: str, n: int) -> Stored | None:
    """See `Sharing`."""
    return tables_sql.load(connection, table, n)


def there(connection: Connection) -> list[Process]:
    """See `Sharing`."""
    found: Any = connection.execute(f"SELECT id, number, door FROM processes WHERE {_ALIVE} ORDER BY number")
    return [Process(*row) for row in found]


def wanted(connection: Connection, tables: Sequence[str], people: Sequence[str], public: bool) -> set[str]:
    """See `Sharing`."""
    found: Any = connection.execute(
        "SELECT id FROM tables WHERE id = ANY(?1) AND public = ?3 AND phase != 'over'"
        " UNION SELECT table_id FROM members WHERE table_id = ANY(?1) AND person = ANY(?2)",
        ([*tables], [*people], 1 if public else 2),
    )
    return {row[0] for row in found}


def news(connection: Connection, mark: str, since: int) -> News:
    """See `Sharing`. Whatever this moment does not show will have a higher number than the lowest that is under way."""
    first: Any = connection.execute("SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint").get
    found: Any = connection.execute(
        "SELECT xact, told FROM news WHERE xact >= ? AND mark != ? ORDER BY xact", (since, mark)
    )
    return News([(xact, told) for xact, told in found], int(first))


# Writing


def sign(connection: Connection, what: Sign) -> tuple[int, list[Process]]:
    """The house's time, and who is alive. `NotYet`: somebody who comes is to ask again."""
    ours = what.now + round((time.monotonic() - what.at) * 1000)  # it may have waited
    if what.comes:
        now = _now(connection, what.now, what.waits)
    elif connection.execute(f"SELECT EXISTS (SELECT 1 FROM processes WHERE id = ? AND {_ALIVE})", (what.process,)).get:
        now = ours
    else:  # it was taken for dead, and its machine may have been asleep
        now = max(ours, _time(connection, _ALIVE) or 0)
    connection.execute(
        "INSERT INTO processes (id, door, house, seen) VALUES (?, ?, ?, clock_timestamp())"
        " ON CONFLICT (id) DO UPDATE SET house = excluded.house, seen = excluded.seen",
        (what.process, what.door, now),
    )
    alive = there(connection)
    if alive and alive[0].id == what.process:  # one of them tidies up
        connection.execute(f"DELETE FROM processes WHERE seen < clock_timestamp() - interval '{KEEP} seconds'")
        connection.execute(f"DELETE FROM news WHERE at < clock_timestamp() - interval '{KEEP} seconds'")
    return now, alive


def _now(connection: Connection, wall: int, waits: bool) -> int:
    """The time of those who are there; of nobody, the house opens. Who has not come to sign for a while, for they were kept from it or
    the server was away, is there as long as they are connected; and whose lines were cut just now will be so again in a moment. A house
    that opened once more would put their clocks on."""
    known = _time(connection, f"{_ALIVE} OR {_KNOWN} AND {_CONNECTED}")
    if known is None and waits and connection.execute(f"SELECT EXISTS (SELECT 1 FROM processes WHERE {_KNOWN})").get:
        raise NotYet
    return tables_sql.open_clocks(connection, wall) if known is None else known


def _time(connection: Connection, who: str) -> int | None:
    """The house's time by those of them who are furthest."""
    known = connection.execute(
        f"SELECT max(house + (extract(epoch FROM clock_timestamp() - seen) * 1000)::bigint) FROM processes WHERE {who}"
    ).get
    return None if known is None else int(known)


def say(connection: Connection, what: Say) -> None:
    """See `Sharing`. Who has been silent for so long that nobody knows it any more says nothing."""
    for key, value in what.slates.items():
        if value:
            connection.execute(
                "INSERT INTO slates SELECT ?, ?, ? WHERE EXISTS (SELECT 1 FROM processes WHERE id = ?1)"
                " ON CONFLICT (key, process) DO UPDATE SET value = excluded.value",
                (what.process, key, value),
            )
        else:
            connection.execute("DELETE FROM slates WHERE process = ? AND key = ?", (what.process, key))


def leave(connection: Connection, what: Leave) -> None:
    """See `Sharing`."""
    connection.execute("DELETE FROM processes WHERE id = ?", (what.process,))


def keys(connection: Connection, own: Keys) -> list[bytes]:
    """See `Sharing`."""
    found = []
    for name, key in zip(("secret_key", "push_key"), own, strict=True):
        connection.execute("INSERT INTO house_keys VALUES (?, ?) ON CONFLICT (name) DO NOTHING", (name, key))
        found.append(bytes(connection.execute("SELECT key FROM house_keys WHERE name = ?", (name,)).get))
    return found


# News


def tell(connection: Connection, mark: str, number: str, words: str, channel: str, payload: str) -> None:
    """Write down what has changed, and ring for those who listen when that is committed; without a payload nobody is rung for."""
    written = "INSERT INTO news (xact, mark, told) VALUES (?1, ?2, ?3)"
    if payload:
        rung = f"WITH written AS ({written}) SELECT pg_notify(?4::text, ?5::text)"
        connection.execute(rung, (int(number), mark, words, channel, payload))
    else:
        connection.execute(written, (int(number), mark, words))


def words_of(change: Any, outcome: Any) -> set[str]:
    """What others are told of a change, if it was made."""
    if isinstance(change, Say):
        return {SLATE + key for key in change.slates}
    if isinstance(change, PushChange):
        return {BELL} if change.calls else set()
    if outcome != Outcome(DONE):
        return set()
    if isinstance(change, Change):
        return {f"{change.table}:{change.changes}{'!' if change.more else ''}"} if change.table else set()
    return _words_of_people(change) if isinstance(change, AccountChange) else set()


def _words_of_people(change: AccountChange) -> set[str]:
    anew = change.joins or change.forget or change.no_devices or change.handle
    people = {change.person, change.joins, *((change.circle.other,) if change.circle else ())} - {""}
    gone = change.books.gone if change.books else ()
    quiet = not (anew or change.name or change.no_name or change.circle or change.device or change.books)
    return {f"{table}:0!" for table in gone} | {
        (PERSON_ANEW if anew else PERSON) + person for person in (() if quiet else people)
    }
