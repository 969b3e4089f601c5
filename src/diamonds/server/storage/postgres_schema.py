"""The schema version of a PostgreSQL database, and its migration."""

from __future__ import annotations

from diamonds.server.storage import cluster, migrations, schema
from diamonds.server.storage.commit_outcomes import StoreError
from diamonds.server.storage.postgres_connection import LOCK_NAMESPACE, SERVER_LOCK, PostgresConnection

MIGRATION_LOCK = 1  # second key of the lock that serializes migrations


def stored_schema_version(connection: PostgresConnection) -> int:
    """Return the schema version of a database; 0 if no server has used it."""
    if connection.execute("SELECT to_regclass('meta')").get is None:
        return 0
    return int(connection.execute("SELECT value FROM meta WHERE key = 'schema'").get or 0)


def migrate(connection: PostgresConnection) -> None:
    """Migrate the database to this program's schema, all or nothing. Refuse a newer one."""
    with connection.translate_errors(), connection.raw.transaction():
        connection.execute(f"SELECT pg_advisory_xact_lock({LOCK_NAMESPACE}, {MIGRATION_LOCK})")
        version = stored_schema_version(connection)
        if version > schema.VERSION:
            raise StoreError(
                f"{connection.name} was written by a newer Diamonds (schema {version}; this one knows {schema.VERSION}): use that one."
            )
        if _is_served_by_former_schema(connection, version):
            raise StoreError(
                f"An older Diamonds is still serving from {connection.name}: stop it, then start this one."
            )
        if version < schema.VERSION:
            migrations.upgrade(connection, version, is_postgresql=True)
            connection.execute(
                "INSERT INTO cluster_resources (name) VALUES (?) ON CONFLICT DO NOTHING", (cluster.LOBBY,)
            )
            connection.execute(
                "INSERT INTO meta VALUES ('schema', ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
                (schema.VERSION,),
            )


def _is_served_by_former_schema(connection: PostgresConnection, version: int) -> bool:
    """Return whether a process with an earlier schema serves from the database; renaming tables would break it."""
    if version == 6:
        return not connection.execute(f"SELECT pg_try_advisory_xact_lock({LOCK_NAMESPACE}, {SERVER_LOCK})").get
    # A process with schema 8 would reveal the secret of a deal of the day.
    former_members = {7: "cluster_members", 8: "members"}
    return version in former_members and cluster.is_served(connection, former_members[version])
