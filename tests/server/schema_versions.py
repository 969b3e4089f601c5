"""Every database schema up to the current one, as its version created it (schemas/), and one newer schema.

The files are frozen: changes to the program must not alter them. PostgreSQL began at schema 5.
"""

from pathlib import Path
from typing import Any

import pytest

from diamonds.server.storage import schema

SCHEMAS = Path(__file__).parent / "schemas"


def steps(database: str, version: int) -> list[str]:
    """Return the statements that create a schema from nothing."""
    files = [SCHEMAS / f"{database}_{number}.sql" for number in range(1, version + 1)]
    return [file.read_text(encoding="utf-8") for file in files if file.exists()]


def make_in_file(disk: Any, version: int) -> None:
    """Create the tables of an earlier schema in an empty file."""
    for step in steps("sqlite", version):
        disk.execute(step)
    disk.pragma("user_version", version)


def make_in_postgresql(connection: Any, version: int) -> None:
    """Create the tables of an earlier schema in an empty database."""
    for step in steps("postgresql", version):
        connection.execute(step.encode())
    connection.execute("INSERT INTO meta VALUES ('schema', %s)", (version,))


def add_newer_schema(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give the program one more schema, in which names have a colour."""
    names = schema.TABLES["display_names"]
    colour = schema.ColumnSchema("TEXT", default="'green'")
    monkeypatch.setattr(schema, "VERSION", schema.VERSION + 1)
    monkeypatch.setitem(schema.TABLES, "display_names", names._replace(columns={**names.columns, "colour": colour}))
