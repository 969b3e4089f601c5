"""The upgrade and downgrade documented in docs/releasing.md, with the data of earlier versions."""

import asyncio
import re
import shlex
import subprocess
from pathlib import Path

import pytest

from diamonds import cli
from diamonds.server.storage import schema, sqlite
from diamonds.server.storage.commit_outcomes import StoreError

pytestmark = pytest.mark.later

PAGE = Path(__file__).parents[2] / "docs" / "releasing.md"


def documented_commands(heading: str) -> list[str]:
    """Return the commands of a section, except those of the operating system."""
    section = re.search(rf"^## {heading}\n.*?```sh\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.M | re.S)
    assert section is not None, f"docs/releasing.md has no section {heading!r}"
    return [line for line in section[1].splitlines() if line.startswith(("diamonds ", "mv "))]


def run_commands(lines: list[str], folder: Path) -> None:
    """Run commands with other paths for data and backups."""
    for line in lines:
        words = shlex.split(line.replace("/var/lib", str(folder)).replace("/var/backups", str(folder)))
        code = cli.main(words[1:]) if words[0] == "diamonds" else subprocess.run(words, check=False).returncode
        assert code == 0, f"this command of releasing.md failed: {line}"


async def open_and_close(data: Path) -> None:
    """Open a data folder as a starting server does."""
    store = sqlite.SqliteStore(data)
    try:
        await store.open()
    finally:
        await store.close()


def test_downgrade_works_by_the_documented_commands(version_fixtures, start_server, tmp_path, monkeypatch):
    """The newer version is the current one with one more schema step."""
    data = version_fixtures.unpack(tmp_path / "diamonds")
    upgrade, way_back = documented_commands("Upgrade"), documented_commands("Downgrade")
    assert [len(upgrade), len(way_back)] == [2, 3], "expected these commands in releasing.md"
    run_commands(upgrade, tmp_path)
    with monkeypatch.context() as newer:
        names, colour = schema.TABLES["display_names"], schema.ColumnSchema("TEXT", default="'green'")
        newer.setattr(schema, "VERSION", schema.VERSION + 1)
        newer.setitem(schema.TABLES, "display_names", names._replace(columns={**names.columns, "colour": colour}))
        asyncio.run(open_and_close(data))
    newer_only = r"^\S+ was written by a newer Diamonds \(.*\): use that one\.$"
    with pytest.raises(StoreError, match=newer_only):
        asyncio.run(open_and_close(data))
    run_commands(way_back, tmp_path)
    version_fixtures.assert_tables_unchanged(start_server(data, version_fixtures.an_hour_later))
