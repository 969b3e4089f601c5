"""The tables of the store, declared once.

`ddl` generates the SQL of both databases from this, `migrations` brings older databases to it, and `inventory` copies what it lists.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

VERSION = 8  # raise it with any change of what follows, and add a `migrations.Step`


class Column(NamedTuple):
    """A column. ``type`` is a key of `ddl.TYPES`; ``default`` is SQL, for columns that are younger than their table."""

    type: str
    nullable: bool = False
    default: str = ""
    unique: bool = False
    parent: str = ""  # a table: a row goes with the row of this id there
    cluster: bool = False  # for processes that share a database: in PostgreSQL alone, and not transferred


class Index(NamedTuple):
    """An index over some columns, of the rows to which ``where`` applies."""

    columns: str
    where: str = ""
    unique: bool = False


class Table(NamedTuple):
    """A table. The order of its columns is that in which they came: statements may list values without names."""

    columns: Mapping[str, Column]
    key: str = ""
    indexes: Mapping[str, Index] = {}
    is_ordered: bool = False  # rows keep the order in which they came, by a ``rowid``, which SQLite has anyway
    has_large_rows: bool = False  # SQLite keeps such a table apart from its key
    fixed: str = ""  # columns that are never written again; rows are never deleted
    cluster: bool = False


TEXT, INTEGER, REAL, BLOB = Column("TEXT"), Column("INTEGER"), Column("REAL"), Column("BLOB")
COUNTER = Column("COUNTER")  # a key that is never given twice
ZERO = Column("INTEGER", default="0")

# fmt: off
TABLES: dict[str, Table] = {
    "meta": Table({"key": TEXT, "value": Column("ANY", nullable=True)}, "key"),
    "tables": Table(
        {
            "id": TEXT, "header": BLOB, "seating": BLOB, "revision": INTEGER, "phase": TEXT, "public": INTEGER,
            "created": REAL, "clocks": Column("BLOB", nullable=True),
            "clocks_at_ms": ZERO,  # when the clocks were so: alone, it changes when the server opens
            "finished_at": ZERO,
            "to_act": Column("INTEGER", nullable=True),  # the seats that owe an answer, as bits; NULL: not known
            "owner": ZERO._replace(cluster=True),
        },
        "id",
        {
            "public_tables": Index("created", "public = 1 AND phase != 'over'"),
            "running_clocks": Index("id", "clocks IS NOT NULL AND phase = 'playing'"),
            "finished_tables": Index("finished_at, id", "phase = 'over'"), "tables_of_owner": Index("owner", "owner != 0"),
        },
        has_large_rows=True,
    ),
    "table_people": Table(
        {"person": TEXT, "at": REAL, "table_id": TEXT},
        "person, table_id",
        {"table_people_of_table": Index("table_id")},
    ),
    "entries": Table(
        {
            "table_id": TEXT, "n": INTEGER, "seat": INTEGER, "text": TEXT, "person": TEXT, "idempotency_key": TEXT,
            "request_hash": Column("BLOB", nullable=True), "reply": Column("BLOB", nullable=True), "at_ms": ZERO,  # 0: not known
        },
        "table_id, n",
    ),
    "chat": Table(
        {
            "table_id": TEXT, "said_at": REAL, "name": TEXT, "text": TEXT, "person": Column("TEXT", default="''"),
            "phrase": ZERO, "spectators_only": ZERO,
        },
        indexes={"chat_of_table": Index("table_id, rowid"), "chat_of_person": Index("person", "person != ''")},
        is_ordered=True,
    ),
    "display_names": Table({"id": TEXT, "name": TEXT}, "id"),
    "idempotency_keys": Table(
        {"person": TEXT, "idempotency_key": TEXT, "request_hash": BLOB, "reply": BLOB, "at": REAL},
        "person, idempotency_key",
        {"old_idempotency_keys": Index("at")},
    ),
    "accounts": Table(
        {
            "person": TEXT, "handle": Column("BLOB", unique=True), "created_day": INTEGER,
            "recovery_lookup": Column("TEXT", nullable=True, unique=True),
            "recovery_proof": Column("BLOB", nullable=True),
        },
        "person",
    ),
    "name_skeletons": Table(
        {"skeleton": TEXT, "person": TEXT}, "skeleton", {"name_skeletons_of_person": Index("person")}
    ),
    "passkeys": Table(
        {"id": BLOB, "person": TEXT, "key": BLOB, "sign_count": INTEGER, "label": TEXT, "created_day": INTEGER},
        "id",
        {"passkeys_of_person": Index("person")},
    ),
    "devices": Table(
        {
            "id": TEXT, "person": TEXT, "public_id": TEXT, "label": TEXT, "created_day": INTEGER,
            "last_seen_day": INTEGER,
        },
        "id",
        {"devices_of_person": Index("person"), "devices_seen": Index("last_seen_day")},
    ),
    "friends": Table({"person": TEXT, "other": TEXT}, "person, other", {"friends_of_other": Index("other")}),
    "blocks": Table({"person": TEXT, "other": TEXT}, "person, other", {"blocks_of_other": Index("other")}),
    "reports": Table(
        {
            "id": COUNTER, "person": TEXT, "target": TEXT, "table_id": TEXT, "reason": TEXT, "text": TEXT,
            "chat_excerpt": TEXT, "at": INTEGER, "resolved": ZERO,
        },
        "id",
        {
            "reports_once": Index("person, target, table_id", "person != ''", unique=True),
            "unresolved_reports": Index("id", "resolved = 0"), "reports_of_target": Index("target"),
        },
    ),
    "sanctions": Table(
        {"person": TEXT, "warning": TEXT, "muted_until": INTEGER, "banned_until": INTEGER, "reason": TEXT}, "person"
    ),
    "moderation_actions": Table(
        {
            "id": COUNTER, "at": INTEGER, "moderator": TEXT, "action": TEXT, "target": TEXT, "name": TEXT,
            "table_id": TEXT, "until_s": INTEGER, "reason": TEXT,
        },
        "id",
        {
            "moderation_actions_of_target": Index("target", "target != ''"),
            "moderation_actions_of_moderator": Index("moderator"),
        },
        fixed="id, at, action, table_id, until_s, reason",  # a deleted person's id and name are removed
    ),
    "invitations": Table({"code": TEXT, "name": TEXT, "until_s": INTEGER}, "code"),
    "push_subscriptions": Table(
        {
            "id": TEXT, "person": TEXT, "browser": TEXT, "endpoint": Column("TEXT", unique=True), "key": BLOB,
            "auth": BLOB, "label": TEXT, "language": TEXT, "last_seen_day": INTEGER,
        },
        "id",
        {
            "push_subscriptions_of_person": Index("person"), "push_subscriptions_of_browser": Index("browser"),
        },
        is_ordered=True,
    ),
    "quiet_hours": Table(
        {"person": TEXT, "start_minute": INTEGER, "end_minute": INTEGER, "time_zone": TEXT}, "person"
    ),
    "pending_pushes": Table(
        {
            "subscription": Column("TEXT", parent="push_subscriptions"), "table_id": TEXT, "question_n": INTEGER,
            "due": INTEGER, "attempts": INTEGER,
        },
        "subscription, table_id",
        {"pending_pushes_due": Index("due", "due > 0")},
    ),
    "members": Table(
        {
            "number": COUNTER, "pid": INTEGER, "started": TEXT, "sessions": TEXT, "address": TEXT, "machine": TEXT,
            "protocol": INTEGER, "certificate": TEXT, "serving": INTEGER,
        },
        "number",
        cluster=True,
    ),
    "cluster_resources": Table({"name": TEXT, "owner": ZERO}, "name", cluster=True),
    "server_keys": Table({"name": TEXT, "key": BLOB}, "name", cluster=True),
}
# fmt: on


def shared() -> dict[str, Table]:
    """Return the tables that both databases have, with the columns and indexes that both have."""
    return {name: _shared(table) for name, table in TABLES.items() if not table.cluster}


def _shared(table: Table) -> Table:
    lost = [name for name, column in table.columns.items() if column.cluster]
    return table._replace(
        columns={name: column for name, column in table.columns.items() if name not in lost},
        indexes={name: index for name, index in table.indexes.items() if index.columns not in lost},
    )
