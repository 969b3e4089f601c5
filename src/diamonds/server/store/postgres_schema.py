"""The schema of a database in PostgreSQL, and its migration."""

from __future__ import annotations

from diamonds.server.store import cluster_sql, migrations, schema
from diamonds.server.store.contract import Refusal
from diamonds.server.store.postgres_connection import HOUSE, OPEN, Connection

MIGRATING = 1  # of the locks of `postgres_connection.HOUSE`: one program at a time brings a database forward


def schema_of(connection: Connection) -> int:
    """The schema of a database; 0 if no house has been there."""
    if connection.execute("SELECT to_regclass('meta')").get is None:
        return 0
    return int(connection.execute("SELECT value FROM meta WHERE key = 'schema'").get or 0)


def migrate(connection: Connection) -> None:
    """Bring the database to this program's schema, all of it or nothing; refuse one that is newer."""
    with connection.watched(), connection.raw.transaction():
        connection.execute(f"SELECT pg_advisory_xact_lock({HOUSE}, {MIGRATING})")
        version = schema_of(connection)
        if version > schema.VERSION:
            raise Refusal(
                f"{connection.name} was written by a newer Diamonds (schema {version}; this one knows {schema.VERSION}): use that one."
            )
        if _is_served(connection, version):
            raise Refusal(f"An older Diamonds is still serving from {connection.name}: stop it, then start this one.")
        if version < schema.VERSION:
            migrations.upgrade(connection, version, is_postgresql=True)
            connection.execute(
                "INSERT INTO cluster_resources (name) VALUES (?) ON CONFLICT DO NOTHING", (cluster_sql.LOBBY,)
            )
            connection.execute(
                "INSERT INTO meta VALUES ('schema', ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
                (schema.VERSION,),
            )


def _is_served(connection: Connection, version: int) -> bool:
    """Return whether a process of a former schema serves from the database: it would not bear that its tables are renamed."""
    if version == 6:
        return not connection.execute(f"SELECT pg_try_advisory_xact_lock({HOUSE}, {OPEN})").get
    return version == 7 and cluster_sql.is_served(connection, "cluster_members")
