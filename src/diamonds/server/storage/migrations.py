"""Migrations from earlier schemas: renamed and dropped objects, and changed rows. `ddl` adds the rest."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from diamonds.server.storage import ddl
from diamonds.server.storage.sql import SqlConnection


class MigrationStep(NamedTuple):
    """Changes of a schema other than additions. Objects that a database never had are skipped."""

    drops: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())  # the text after DROP, for SQLite and for PostgreSQL
    tables: Mapping[str, str] = {}  # new names by old names
    columns: Mapping[str, Mapping[str, str]] = {}  # by a table's new name: new column names by old names
    rows: str = ""  # SQL to run at the end; a single statement for schemas that PostgreSQL had


# fmt: off
RENAMED_INDEXES = [
    f"INDEX IF EXISTS {name}"
    for name in (
        "over_tables", "members_of_table", "old_keys", "looks_of_person", "reports_waiting", "reports_of_whom", "acts_to_whom",
        "acts_of_person", "subscriptions_of_person", "subscriptions_of_browser", "calls_due",
    )
]

STEPS = {
    2: MigrationStep(
        tables={"answers": "entries"},
        rows="INSERT INTO meta SELECT 'reserved', (value + 1) << 16 FROM meta WHERE key = 'boots';"
        " DELETE FROM meta WHERE key = 'boots'",
    ),
    5: MigrationStep(rows="UPDATE tables SET finished_at = unixepoch() WHERE phase = 'over'"),
    7: MigrationStep(drops=((), ("TABLE IF EXISTS slates, news, processes",)), tables={"house_keys": "cluster_keys"}),
    # Renames tables and columns to the program's terms. `ddl` recreates their indexes and triggers.
    8: MigrationStep(
        drops=(
            (*RENAMED_INDEXES, *(f"TRIGGER IF EXISTS {name}" for name in ("acts_stay", "acts_are_kept", "no_calls_without_subscription"))),
            (*RENAMED_INDEXES, "FUNCTION IF EXISTS acts_stay CASCADE"),
        ),
        tables={
            "acts": "moderation_actions", "standings": "sanctions", "looks": "name_skeletons", "calls": "pending_pushes",
            "subscriptions": "push_subscriptions", "keys": "idempotency_keys", "members": "table_people",
            "people": "display_names", "cluster_members": "members", "cluster_keys": "server_keys",
        },
        columns={
            "tables": {"places": "seating", "asked": "to_act", "clock_at": "clocks_at_ms", "over_at": "finished_at"},
            "entries": {"words": "text", "at": "at_ms", "key": "idempotency_key", "body": "request_hash"},
            "idempotency_keys": {"key": "idempotency_key", "body": "request_hash"},
            "chat": {"at": "said_at", "aside": "spectators_only"},
            "accounts": {"since": "created_day", "code": "recovery_lookup", "proof": "recovery_proof"},
            "passkeys": {"since": "created_day", "uses": "sign_count"},
            "devices": {"since": "created_day", "seen": "last_seen_day", "mark": "public_id"},
            "name_skeletons": {"look": "skeleton"},
            "reports": {"n": "id", "whom": "target", "lines": "chat_excerpt", "handled": "resolved"},
            "sanctions": {"muted": "muted_until", "banned": "banned_until"},
            "moderation_actions": {
                "n": "id", "person": "moderator", "what": "action", "whom": "target", "until": "until_s",
            },
            "invitations": {"until": "until_s"},
            "push_subscriptions": {"since": "last_seen_day"},
            "quiet_hours": {"begins": "start_minute", "ends": "end_minute", "zone": "time_zone"},
            "pending_pushes": {"answered": "question_n", "tries": "attempts"},
        },
    ),
}
# fmt: on

LIST_COLUMNS = (
    "SELECT t.name, c.name FROM sqlite_schema t JOIN pragma_table_info(t.name) c WHERE t.type = 'table'",
    "SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = current_schema()",
)


def upgrade(connection: SqlConnection, version: int, is_postgresql: bool) -> None:
    """Migrate a database to the current `schema`, in the caller's transaction. Version 0 is an empty database."""
    steps = [step for to, step in STEPS.items() if version < to] if version else []
    existing: dict[str, set[str]] = {}
    for table, column in connection.execute(LIST_COLUMNS[is_postgresql]).fetchall() if version else ():
        existing.setdefault(table, set()).add(column)
    for step in steps:
        for dropped in step.drops[is_postgresql]:
            connection.execute(f"DROP {dropped}")
        for old, new in step.tables.items():
            if old in existing:
                connection.execute(f"ALTER TABLE {old} RENAME TO {new}")
                existing[new] = existing.pop(old)
        for table, renames in step.columns.items():
            for old, new in renames.items():
                if old in existing.get(table, ()):
                    connection.execute(f"ALTER TABLE {table} RENAME COLUMN {old} TO {new}")
                    existing[table] ^= {old, new}
    for statement in ddl.statements(is_postgresql, existing):
        connection.execute(statement)
    for step in steps:
        if step.rows:
            connection.execute(step.rows)
