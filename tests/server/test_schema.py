"""The declared schema: new databases and migrated ones have it, in both kinds of database."""

import contextlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import apsw
import psycopg
import pytest

from diamonds.server.storage import postgres_schema, schema, sqlite, transferred_tables
from diamonds.server.storage.postgres_connection import PostgresConnection
from tests.server import schema_versions

IN_FILE = """
SELECT t.name, c.name, c.type, c."notnull", c.dflt_value, c.pk, t.wr, t.strict FROM pragma_table_list t
JOIN pragma_table_xinfo(t.name) c WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite%'
"""
IN_POSTGRESQL = """
SELECT table_name, column_name, data_type, is_nullable, column_default, collation_name, is_identity
FROM information_schema.columns WHERE table_schema = 'public'
"""
KEYS = """
SELECT conrelid::regclass::text, contype, pg_get_constraintdef(oid) FROM pg_constraint WHERE connamespace = 'public'::regnamespace
"""


def shape_of_file(disk: apsw.Connection) -> dict[str, Any]:
    """Return everything in which two database files may differ, except their rows."""
    made: Any = disk.execute(
        "SELECT name, sql FROM sqlite_schema WHERE type IN ('index', 'trigger') AND sql IS NOT NULL"
    )
    written = {name: re.sub(r'[";\s]+|IF NOT EXISTS', "", sql) for name, sql in made.fetchall()}
    counted = disk.execute("SELECT name FROM sqlite_schema WHERE sql LIKE '%AUTOINCREMENT%' ORDER BY name").fetchall()
    unique = disk.execute(
        "SELECT t.name, i.origin, c.name FROM sqlite_schema t JOIN pragma_index_list(t.name) i JOIN pragma_index_info(i.name) c"
        " WHERE t.type = 'table' AND i.origin != 'c' ORDER BY t.name, i.origin, c.name"
    ).fetchall()
    return {"columns": disk.execute(IN_FILE).fetchall(), "made": written, "counted": counted, "unique": unique}


def shape_of_database(connection: psycopg.Connection[Any]) -> dict[str, Any]:
    """Return everything in which two databases may differ, except their rows."""
    indexes = "SELECT tablename, regexp_replace(indexdef, 'INDEX \\S+', '') FROM pg_indexes WHERE schemaname = 'public'"
    triggers = "SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal"
    functions = "SELECT proname, prosrc FROM pg_proc WHERE pronamespace = 'public'::regnamespace"
    parts = (IN_POSTGRESQL, KEYS, indexes, triggers, functions)
    return {part: sorted(map(repr, connection.execute(part.encode()).fetchall())) for part in parts}


def column_order(shape: dict[str, Any]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for table, column, *_ in shape["columns"]:
        found.setdefault(table, []).append(column)
    return found


@contextlib.contextmanager
def migrated_file(version: int) -> Iterator[apsw.Connection]:
    """Yield an in-memory database migrated from an earlier schema, or a new one if `version` is 0."""
    with contextlib.closing(apsw.Connection(":memory:")) as disk:
        if version:
            schema_versions.make_in_file(disk, version)
        sqlite.migrate(disk, Path("memory"))
        yield disk


@pytest.mark.parametrize("version", range(1, schema.VERSION + 1))
def test_migrated_file_has_the_shape_of_a_new_one(version):
    with migrated_file(0) as new, migrated_file(version) as old:
        wanted, found = shape_of_file(new), shape_of_file(old)
        assert column_order(found) == column_order(wanted), "expected one column order: inserts name none"
        for part, one in wanted.items():
            assert found[part] == one, f"expected the same {part}"
        assert old.pragma("user_version") == schema.VERSION


@pytest.mark.later
@pytest.mark.parametrize("version", range(5, schema.VERSION + 1))
def test_migrated_database_has_the_shape_of_a_new_one(postgres_cluster, version):
    shapes = []
    for former in (0, version):
        with psycopg.connect(postgres_cluster.empty_database(), autocommit=True) as connection:
            if former:
                schema_versions.make_in_postgresql(connection, former)
            with contextlib.closing(PostgresConnection(postgres_cluster.database_url())) as ours:
                postgres_schema.migrate(ours)
                assert postgres_schema.stored_schema_version(ours) == schema.VERSION
            shapes.append(shape_of_database(connection))
    wanted, found = shapes
    for part, one in wanted.items():
        assert found[part] == one


@pytest.mark.later
def test_both_databases_have_exactly_the_transferred_tables(postgres_cluster):
    listed = {
        table: [column.name for column in columns if column.name != "rowid"]
        for table, columns in transferred_tables.transferred_tables().items()
    }
    with migrated_file(0) as disk:
        assert column_order(shape_of_file(disk)) == listed
    with contextlib.closing(PostgresConnection(postgres_cluster.empty_database())) as ours:
        postgres_schema.migrate(ours)
        rows = ours.execute(
            "SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'public'"
        )
        found = {
            (table, column) for table, column in rows if table not in ("members", "cluster_resources", "server_keys")
        }
    only_there = {("chat", "rowid"), ("push_subscriptions", "rowid"), ("tables", "owner")}
    assert found - only_there == {(table, column) for table, columns in listed.items() for column in columns}
