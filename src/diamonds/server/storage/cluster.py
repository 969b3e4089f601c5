"""Members and owners in PostgreSQL: liveness, ownership of tables and lobby, takeover, and fencing.

A member is alive while its registered database session lives. Other users of the database cannot fake this: the row
names a backend's process id *and* start time.
"""

from __future__ import annotations

import time
from collections.abc import Collection
from typing import Any, NamedTuple

from diamonds.server.storage import tables
from diamonds.server.storage.sql import SqlConnection

LOBBY = "/lobby"  # the resource for lobby, accounts and moderation; table ids contain no slash
PROTOCOL = 2  # members with another number are refused; increase it when messages between members change
RETRY_DELAY_S = 0.1
RESTART_GRACE_S = 5  # after a restart of the database, all members count as alive while they register again
LINGER_TIMEOUT_S = 2.0  # for the database to notice that a process has ended
TERMINATION_INTERVAL_MS = 5_000  # between terminations of hung members, in the whole cluster
MARK_LIFETIME_MS = 2_000  # a marked member is probed once more, and its session may only be ended in this time
TERMINATION_TIMEOUT_MS = 1_000
# A member on another machine may be cut off from the database, and then notices only after 2 s (`KEEPALIVE_OPTIONS`)
# that its session was ended. Until then it answers requests that only read, so it counts as alive.
UNNOTICED_END_MS = MARK_LIFETIME_MS + 2_500

_SESSION_STARTED = "(extract(epoch FROM a.backend_start) * 1000000)::bigint::text"
# SQL condition: the database has just started, so all members count as alive.
IS_JUST_RESTARTED = f"pg_postmaster_start_time() > clock_timestamp() - interval '{RESTART_GRACE_S} seconds'"
NOW_MS = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint"
_HAS_SESSION = f"EXISTS (SELECT 1 FROM pg_stat_get_activity(m.pid::int) AS a WHERE {_SESSION_STARTED} = m.started)"
_IS_JUST_ENDED = f"(m.address NOT LIKE 'unix:%' AND EXISTS (SELECT 1 FROM meta WHERE key = 'ended ' || m.number AND value >= {NOW_MS} - {UNNOTICED_END_MS}))"
_IS_ALIVE = f"({_HAS_SESSION} OR {IS_JUST_RESTARTED} OR {_IS_JUST_ENDED})"
_MEMBER_COLUMNS = "m.number, m.address, m.machine, m.protocol, m.certificate, m.serving"

ClaimedTable = tuple[str, bytes | None, int]  # id, clock state if its clocks run, and the time it refers to (ms)


class Member(NamedTuple):
    """A process of the server.

    `address` is where other members reach it: `unix:PATH`, `HOST:PORT`, or empty if it serves alone.
    """

    number: int
    address: str
    machine: str
    protocol: int
    certificate: str  # SHA-256 in hexadecimal, for addresses on other machines
    serving: int  # 1 if it knows the server's time, for which others then ask it


class ResourceOwner(NamedTuple):
    """The owner of a resource: its number (or 0), and the member if it is alive. `phase` is a table's.

    `is_ending`: the member's session has been ended, and others will soon consider it dead unless it registers again.
    """

    number: int
    member: Member | None
    phase: str
    is_ending: bool


# Membership. `register_member` and `renew_session` run in the session that keeps the member alive.


def register_member(
    connection: SqlConnection, session_name: str, address: str, machine: str, certificate: str, serving: bool
) -> int:
    """Add a member that is alive while this session lives. Return its number."""
    return int(
        connection.execute(
            "INSERT INTO members (pid, started, sessions, address, machine, protocol, certificate, serving)"
            f" SELECT pg_backend_pid(), {_SESSION_STARTED}, ?, ?, ?, {PROTOCOL}, ?, ? FROM pg_stat_get_activity(pg_backend_pid()) AS a"
            " RETURNING number",
            (session_name, address, machine, certificate, int(serving)),
        ).get
    )


def renew_session(connection: SqlConnection, number: int) -> bool:
    """Tie a member to this session instead of a lost one. Return whether it is still registered."""
    result = connection.execute(
        f"UPDATE members AS m SET pid = pg_backend_pid(), started = {_SESSION_STARTED}"
        " FROM pg_stat_get_activity(pg_backend_pid()) AS a WHERE m.number = ? RETURNING m.number",
        (number,),
    ).get
    return result is not None


def connected_members(connection: SqlConnection) -> list[Member]:
    """Return the members with live sessions, lowest number first, without the grace period after a database restart."""
    rows: Any = connection.execute(
        f"SELECT {_MEMBER_COLUMNS} FROM members m, pg_stat_get_activity(m.pid::int) AS a WHERE {_SESSION_STARTED} = m.started"
        " ORDER BY m.number"
    ).fetchall()
    return [Member(*row) for row in rows]


def mark_serving(connection: SqlConnection, number: int) -> None:
    """Record that a member knows the server's time."""
    connection.execute("UPDATE members SET serving = 1 WHERE number = ?", (number,))


def load_members(connection: SqlConnection) -> tuple[dict[int, Member], dict[int, Member]]:
    """Return the live and the dead members by number, lowest first."""
    rows: Any = connection.execute(f"SELECT {_IS_ALIVE}, {_MEMBER_COLUMNS} FROM members m ORDER BY m.number").fetchall()
    alive = {row[1]: Member(*row[1:]) for row in rows if row[0]}
    return alive, {row[1]: Member(*row[1:]) for row in rows if not row[0]}


def is_served(connection: SqlConnection, table: str = "members") -> bool:
    """Return whether a process serves from the database. Wait a moment in case one has just ended."""
    serving = f"SELECT EXISTS (SELECT 1 FROM {table} m, pg_stat_get_activity(m.pid::int) AS a WHERE {_SESSION_STARTED} = m.started)"
    deadline = time.monotonic() + LINGER_TIMEOUT_S
    while connection.execute(serving).get:
        if time.monotonic() >= deadline:
            return True
        time.sleep(RETRY_DELAY_S)
        # Inside a transaction the list of sessions is cached.
        connection.execute("SELECT pg_stat_clear_snapshot()")
    return False


def end_sessions(connection: SqlConnection, number: int) -> None:
    """End all sessions of a member, so that none of its statements still runs, unless it has registered again."""
    _lock_sessions(connection, number)
    connection.execute(
        "SELECT pg_terminate_backend(s.pid) FROM members m JOIN pg_stat_activity s ON s.application_name = m.sessions"
        " WHERE m.number = ? AND s.usename = current_user AND s.datname = current_database() AND s.pid != pg_backend_pid()"
        f" AND NOT {_IS_ALIVE}",
        (number,),
    ).fetchall()


def mark_hung_member(connection: SqlConnection, number: int) -> bool:
    """Announce that a hung member's session will be ended. Return whether that is allowed.

    A limit for the whole cluster prevents an isolated member from ending the healthy ones. It does not apply again to
    the last one marked, whose session has not been ended yet.
    """
    mark = f"ended {number}"
    upsert = f"INSERT INTO meta VALUES (?, {NOW_MS}) ON CONFLICT (key) DO UPDATE SET value = excluded.value"
    limited = (
        f"{upsert} WHERE meta.value <= excluded.value - {TERMINATION_INTERVAL_MS}"
        " OR meta.value <= (SELECT value FROM meta WHERE key = ?) RETURNING value"
    )
    if connection.execute(limited, ("ended", mark)).get is None:
        return False
    connection.execute(upsert, (mark,))
    return True


def end_hung_member(connection: SqlConnection, number: int) -> bool:
    """End the session of a hung member that has just been marked. Return whether it has ended."""
    ended = connection.execute(
        f"SELECT pg_terminate_backend(m.pid::int, {TERMINATION_TIMEOUT_MS}) FROM members m, pg_stat_get_activity(m.pid::int) AS a"
        f" WHERE m.number = ? AND {_SESSION_STARTED} = m.started"
        f" AND EXISTS (SELECT 1 FROM meta WHERE key = 'ended ' || m.number AND value >= {NOW_MS} - {MARK_LIFETIME_MS})",
        (number,),
    ).get
    if ended:  # from now on, it counts as alive only for as long as it may not have noticed
        connection.execute(f"UPDATE meta SET value = {NOW_MS} - {MARK_LIFETIME_MS} WHERE key = ?", (f"ended {number}",))
    return bool(ended)


def remove_dead_member(connection: SqlConnection, number: int) -> None:
    """Remove a dead member. Its remaining tables count as a dead member's."""
    _lock_sessions(connection, number, "UPDATE")
    connection.execute(f"DELETE FROM members AS m WHERE m.number = ?1 AND NOT {_IS_ALIVE}", (number,))
    connection.execute("DELETE FROM meta WHERE key = ?", (f"ended {number}",))


def remove_member(connection: SqlConnection, number: int) -> None:
    """Remove a member that stops. Its tables count as a dead member's until others take them over."""
    connection.execute("DELETE FROM members WHERE number = ?", (number,))


def disown_all(connection: SqlConnection) -> None:
    """Remove all members and owners, before one process serves alone."""
    connection.execute("UPDATE tables SET owner = 0 WHERE owner != 0")
    connection.execute("UPDATE cluster_resources SET owner = 0 WHERE owner != 0")
    connection.execute(f"DELETE FROM members AS m WHERE NOT {_IS_ALIVE}")


def shared_keys(connection: SqlConnection, own_keys: tuple[bytes, bytes]) -> tuple[bytes, bytes]:
    """Return the keys for identities and push services that all members share: those of the first member."""
    keys = []
    for name, key in zip(("secret_key", "push_key"), own_keys, strict=True):
        connection.execute("INSERT INTO server_keys VALUES (?, ?) ON CONFLICT (name) DO NOTHING", (name, key))
        keys.append(bytes(connection.execute("SELECT key FROM server_keys WHERE name = ?", (name,)).get))
    return keys[0], keys[1]


def find_public_database(connection: SqlConnection) -> str:
    """Return the quoted name of the database if every user of its server may connect to it; else an empty string."""
    name = connection.execute(
        "SELECT quote_ident(current_database()) WHERE has_database_privilege('public', current_database(), 'CONNECT')"
    ).get
    return str(name or "")


# Ownership


def owner_of(connection: SqlConnection, resource: str) -> ResourceOwner | None:
    """Return the owner of a resource; `None` if there is no such table."""
    source = (
        "(SELECT owner, '' AS phase FROM cluster_resources WHERE name = ?)"
        if resource == LOBBY
        else "(SELECT owner, phase FROM tables WHERE id = ?)"
    )
    row: Any = connection.execute(
        f"SELECT t.owner, t.phase, {_IS_JUST_ENDED} AND NOT {_HAS_SESSION}, {_MEMBER_COLUMNS} FROM {source} AS t LEFT JOIN members m ON m.number = t.owner AND {_IS_ALIVE}",
        (resource,),
    ).fetchone()
    if row is None:
        return None
    number, phase, is_ending, *member = row
    return ResourceOwner(number, None if member[0] is None else Member(*member), phase, bool(is_ending))


def _lock_sessions(connection: SqlConnection, number: int = 0, strength: str = "SHARE") -> None:
    """Keep a member, or all members, from renewing their sessions until the end of the transaction.

    The next statement sees any session renewed before. Without the lock, a member could renew its session, see that
    it still owns a table, and then lose it to a claim that considered the member dead. It would show an outdated
    table forever.
    """
    connection.execute(
        f"SELECT pg_stat_clear_snapshot() FROM members WHERE ?1 IN (0, number) FOR {strength}", (number,)
    )


def claim(connection: SqlConnection, resource: str, member: int, former: int, counters: int) -> Any:
    """Make a member the owner of a resource that `former` owned, unless that is another live member.

    Return a function that reads the first of `counters` reserved version counters; `None` if the member is not the
    owner. So claims of many tables in one transaction share a round trip. A row that another claim has locked is
    skipped: two transactions with the same tables in different orders would wait for each other.
    """
    table, key = ("cluster_resources", "name") if resource == LOBBY else ("tables", "id")
    _lock_sessions(connection, former)
    reserved = connection.execute(
        f"WITH claimed AS (UPDATE {table} SET owner = ?1 WHERE {key} = (SELECT {key} FROM {table} WHERE {key} = ?2"
        f" AND owner = ?3 AND (owner = ?1 OR {_no_live_member('?3')})"
        " FOR UPDATE SKIP LOCKED) RETURNING 1)"
        " INSERT INTO meta SELECT 'reserved', ?4 FROM claimed"
        " ON CONFLICT (key) DO UPDATE SET value = meta.value + excluded.value RETURNING value - ?4",
        (member, resource, former, counters),
    )
    return lambda: reserved.get


def release(connection: SqlConnection, member: int, table: str) -> None:
    """Give up a table."""
    connection.execute("UPDATE tables SET owner = 0 WHERE id = ? AND owner = ?", (table, member))


def take_over(
    connection: SqlConnection, member: int, counters: int, dead: int, limit: int
) -> tuple[list[ClaimedTable], int]:
    """Claim some of a dead member's unfinished tables: first those with clocks, least recently updated first.

    Also return the first reserved counter.
    """
    _lock_sessions(connection, dead)
    condition = "owner = ?2 ORDER BY (clocks IS NULL), clocks_at_ms LIMIT ?3"
    return _claim_unfinished(connection, f"{_no_live_member('?2')} AND {condition}", counters, member, dead, limit)


def claim_clocks(connection: SqlConnection, member: int, counters: int) -> tuple[list[ClaimedTable], int]:
    """Claim all tables with running clocks that no live member owns. Also return the first reserved counter."""
    _lock_sessions(connection)
    return _claim_unfinished(connection, f"{_no_live_member('t.owner')} AND clocks IS NOT NULL", counters, member)


def _no_live_member(number: str) -> str:
    return f"NOT EXISTS (SELECT 1 FROM members m WHERE m.number = {number} AND {_IS_ALIVE})"


def _claim_unfinished(
    connection: SqlConnection, condition: str, counters: int, *values: int
) -> tuple[list[ClaimedTable], int]:
    rows: Any = connection.execute(
        "UPDATE tables SET owner = ?1 WHERE id IN"
        f" (SELECT id FROM tables t WHERE phase = 'playing' AND {condition} FOR UPDATE SKIP LOCKED)"
        " RETURNING id, clocks, clocks_at_ms",
        values,
    ).fetchall()
    return [tuple(row) for row in rows], tables.reserve_counters(connection, counters)


def owned_resources(connection: SqlConnection, member: int) -> set[str]:
    """Return the resources that a member owns."""
    rows: Any = connection.execute(
        "SELECT id FROM tables WHERE owner = ?1 UNION ALL SELECT name FROM cluster_resources WHERE owner = ?1",
        (member,),
    ).fetchall()
    return {row[0] for row in rows}


# Fencing: a transaction locks the rows it changes, and changes only rows that its member still owns.


def lock_owned(connection: SqlConnection, member: int, resources: Collection[str]) -> set[str]:
    """Return those resources that a member owns, and lock their owners until the end of the transaction."""
    tables = sorted({*resources} - {LOBBY})
    owned: set[str] = set()
    if tables:
        rows: Any = connection.execute(
            "SELECT id FROM tables WHERE id = ANY(?) AND owner = ? ORDER BY id FOR NO KEY UPDATE", (tables, member)
        ).fetchall()
        owned = {row[0] for row in rows}
    if LOBBY in resources:
        lock_lobby = "SELECT name FROM cluster_resources WHERE name = ? AND owner = ? FOR NO KEY UPDATE"
        if connection.execute(lock_lobby, (LOBBY, member)).get is not None:
            owned.add(LOBBY)
    return owned
