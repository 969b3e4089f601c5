"""The tables of the store, declared once.

`ddl` generates the SQL of both databases from them, `migrations` upgrades older databases, and `transferred_tables`
copies them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

VERSION = 10  # increase this with any change below; all but additions need a `migrations.MigrationStep`


class ColumnSchema(NamedTuple):
    """A column. `type` is a key of `ddl.COLUMN_TYPES`; `default` is SQL, for columns added later than their table."""

    type: str
    nullable: bool = False
    default: str = ""
    unique: bool = False
    parent: str = ""  # a table; deleting its row with this id also deletes this row
    is_cluster_only: bool = False  # only in PostgreSQL, for several processes, and not transferred


class IndexSchema(NamedTuple):
    """An index on columns, limited to the rows that match `where`."""

    columns: str
    where: str = ""
    unique: bool = False


class TableSchema(NamedTuple):
    """A database table. The order of its columns is fixed, because statements may list values without names."""

    columns: Mapping[str, ColumnSchema]
    primary_key: str = ""
    indexes: Mapping[str, IndexSchema] = {}
    is_ordered: bool = False  # rows keep their order by a `rowid`, which SQLite always has
    has_large_rows: bool = False  # SQLite keeps such rows out of the index of the primary key
    immutable_columns: str = ""  # columns that are never updated; such rows are never deleted
    is_cluster_only: bool = False


TEXT, INTEGER, REAL, BLOB = ColumnSchema("TEXT"), ColumnSchema("INTEGER"), ColumnSchema("REAL"), ColumnSchema("BLOB")
COUNTER = ColumnSchema("COUNTER")  # key numbers, never reused
ZERO = ColumnSchema("INTEGER", default="0")

# fmt: off
TABLES: dict[str, TableSchema] = {
    "meta": TableSchema({"key": TEXT, "value": ColumnSchema("ANY", nullable=True)}, "key"),
    "tables": TableSchema(
        {
            "id": TEXT, "header": BLOB, "seating": BLOB, "revision": INTEGER, "phase": TEXT, "public": INTEGER,
            "created": REAL, "clocks": ColumnSchema("BLOB", nullable=True),
            "clocks_at_ms": ZERO,  # time of the clock state; only this changes when the server opens
            "finished_at": ZERO,
            "to_act": ColumnSchema("INTEGER", nullable=True),  # seats to act, as bits; NULL if unknown
            "owner": ZERO._replace(is_cluster_only=True),
            # A deal of the day: `deal_key`, with place and points of a game that ended on its day; or `practice_key`.
            "daily": ColumnSchema("TEXT", default="''"), "daily_place": ColumnSchema("INTEGER", nullable=True),
            "daily_points": ColumnSchema("INTEGER", nullable=True),
            # A table of a duplicate match, with its outcome as JSON once the game is over.
            "match_id": ColumnSchema("TEXT", default="''"), "match_outcome": ColumnSchema("TEXT", default="''"),
        },
        "id",
        {
            "public_tables": IndexSchema("created", "public = 1 AND phase != 'over'"),
            "running_clocks": IndexSchema("id", "clocks IS NOT NULL AND phase = 'playing'"),
            "finished_tables": IndexSchema("finished_at, id", "phase = 'over'"), "tables_of_owner": IndexSchema("owner", "owner != 0"),
            "daily_results": IndexSchema("daily, daily_place, daily_points", "daily_place IS NOT NULL"),
            "tables_of_match": IndexSchema("match_id", "match_id != ''"),
        },
        has_large_rows=True,
    ),
    "table_people": TableSchema(
        {"person": TEXT, "at": REAL, "table_id": TEXT},
        "person, table_id",
        {"table_people_of_table": IndexSchema("table_id")},
    ),
    "entries": TableSchema(
        {
            "table_id": TEXT, "n": INTEGER, "seat": INTEGER, "text": TEXT, "person": TEXT, "idempotency_key": TEXT,
            # `at_ms` is 0 if unknown.
            "request_hash": ColumnSchema("BLOB", nullable=True), "reply": ColumnSchema("BLOB", nullable=True), "at_ms": ZERO,
        },
        "table_id, n",
    ),
    "chat": TableSchema(
        {
            "table_id": TEXT, "said_at": REAL, "name": TEXT, "text": TEXT, "person": ColumnSchema("TEXT", default="''"),
            "phrase": ZERO, "spectators_only": ZERO,
        },
        indexes={"chat_of_table": IndexSchema("table_id, rowid"), "chat_of_person": IndexSchema("person", "person != ''")},
        is_ordered=True,
    ),
    "display_names": TableSchema({"id": TEXT, "name": TEXT}, "id"),
    "idempotency_keys": TableSchema(
        {"person": TEXT, "idempotency_key": TEXT, "request_hash": BLOB, "reply": BLOB, "at": REAL},
        "person, idempotency_key",
        {"old_idempotency_keys": IndexSchema("at")},
    ),
    "accounts": TableSchema(
        {
            "person": TEXT, "handle": ColumnSchema("BLOB", unique=True), "created_day": INTEGER,
            "recovery_lookup": ColumnSchema("TEXT", nullable=True, unique=True),
            "recovery_proof": ColumnSchema("BLOB", nullable=True),
        },
        "person",
    ),
    "name_skeletons": TableSchema(
        {"skeleton": TEXT, "person": TEXT}, "skeleton", {"name_skeletons_of_person": IndexSchema("person")}
    ),
    "passkeys": TableSchema(
        {"id": BLOB, "person": TEXT, "key": BLOB, "sign_count": INTEGER, "label": TEXT, "created_day": INTEGER},
        "id",
        {"passkeys_of_person": IndexSchema("person")},
    ),
    "devices": TableSchema(
        {
            "id": TEXT, "person": TEXT, "public_id": TEXT, "label": TEXT, "created_day": INTEGER,
            "last_seen_day": INTEGER,
        },
        "id",
        {"devices_of_person": IndexSchema("person"), "devices_seen": IndexSchema("last_seen_day")},
    ),
    "friends": TableSchema({"person": TEXT, "other": TEXT}, "person, other", {"friends_of_other": IndexSchema("other")}),
    "blocks": TableSchema({"person": TEXT, "other": TEXT}, "person, other", {"blocks_of_other": IndexSchema("other")}),
    "reports": TableSchema(
        {
            "id": COUNTER, "person": TEXT, "target": TEXT, "table_id": TEXT, "reason": TEXT, "text": TEXT,
            "chat_excerpt": TEXT, "at": INTEGER, "resolved": ZERO,
        },
        "id",
        {
            "reports_once": IndexSchema("person, target, table_id", "person != ''", unique=True),
            "unresolved_reports": IndexSchema("id", "resolved = 0"), "reports_of_target": IndexSchema("target"),
        },
    ),
    "sanctions": TableSchema(
        {"person": TEXT, "warning": TEXT, "muted_until": INTEGER, "banned_until": INTEGER, "reason": TEXT}, "person"
    ),
    "moderation_actions": TableSchema(
        {
            "id": COUNTER, "at": INTEGER, "moderator": TEXT, "action": TEXT, "target": TEXT, "name": TEXT,
            "table_id": TEXT, "until_s": INTEGER, "reason": TEXT,
        },
        "id",
        {
            "moderation_actions_of_target": IndexSchema("target", "target != ''"),
            "moderation_actions_of_moderator": IndexSchema("moderator"),
        },
        immutable_columns="id, at, action, table_id, until_s, reason",  # a deleted person's id and name are removed
    ),
    "invitations": TableSchema({"code": TEXT, "name": TEXT, "until_s": INTEGER}, "code"),
    "push_subscriptions": TableSchema(
        {
            "id": TEXT, "person": TEXT, "browser": TEXT, "endpoint": ColumnSchema("TEXT", unique=True), "key": BLOB,
            "auth": BLOB, "label": TEXT, "language": TEXT, "last_seen_day": INTEGER,
        },
        "id",
        {
            "push_subscriptions_of_person": IndexSchema("person"), "push_subscriptions_of_browser": IndexSchema("browser"),
        },
        is_ordered=True,
    ),
    "quiet_hours": TableSchema(
        {"person": TEXT, "start_minute": INTEGER, "end_minute": INTEGER, "time_zone": TEXT}, "person"
    ),
    "pending_pushes": TableSchema(
        {
            "subscription": ColumnSchema("TEXT", parent="push_subscriptions"), "table_id": TEXT, "question_n": INTEGER,
            "due": INTEGER, "attempts": INTEGER,
        },
        "subscription, table_id",
        {"pending_pushes_due": IndexSchema("due", "due > 0")},
    ),
    "matches": TableSchema(  # duplicate matches
        {
            "id": TEXT, "settings": BLOB, "organiser": TEXT, "phase": TEXT, "created": REAL, "finished_at": INTEGER,
            "ended_early": INTEGER, "movement": ColumnSchema("BLOB", nullable=True), "results": ColumnSchema("BLOB", nullable=True),
        },
        "id",
        {"unfinished_matches": IndexSchema("id", "phase != 'over'"), "finished_matches": IndexSchema("finished_at", "phase = 'over'")},
        has_large_rows=True,
    ),
    "match_people": TableSchema(
        {"match_id": TEXT, "number": INTEGER, "person": TEXT, "removed": INTEGER},
        "match_id, number",
        {"matches_of_person": IndexSchema("person")},
    ),
    "members": TableSchema(
        {
            "number": COUNTER, "pid": INTEGER, "started": TEXT, "sessions": TEXT, "address": TEXT, "machine": TEXT,
            "protocol": INTEGER, "certificate": TEXT, "serving": INTEGER,
        },
        "number",
        is_cluster_only=True,
    ),
    "cluster_resources": TableSchema({"name": TEXT, "owner": ZERO}, "name", is_cluster_only=True),
    "server_keys": TableSchema({"name": TEXT, "key": BLOB}, "name", is_cluster_only=True),
}
# fmt: on


def shared_tables() -> dict[str, TableSchema]:
    """Return the tables that both databases have, with the columns and indexes that both have."""
    return {name: _without_cluster(table) for name, table in TABLES.items() if not table.is_cluster_only}


def _without_cluster(table: TableSchema) -> TableSchema:
    cluster_columns = [name for name, column in table.columns.items() if column.is_cluster_only]
    return table._replace(
        columns={name: column for name, column in table.columns.items() if name not in cluster_columns},
        indexes={name: index for name, index in table.indexes.items() if index.columns not in cluster_columns},
    )
