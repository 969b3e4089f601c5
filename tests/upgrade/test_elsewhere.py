"""The backup and the PostgreSQL database of an earlier version."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from upgrade import program, seen
from upgrade.program import Server
from upgrade.user import User, play
from upgrade.written import Written

sys.path.insert(0, str(Path(__file__).parents[1] / "server"))
from cluster import Cluster, programs

pytestmark = pytest.mark.later

SOME = ["running crystals", "running ranked", "crystals for two", "imported", "waiting"]


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    found = Cluster()
    yield found
    found.close()


def look_around(written: Written, server: Server) -> None:
    """Assert that people find their tables and accounts, and that a game goes on."""
    written.check_tables(server)
    for name, about in written.people.items():
        user = written.user(server, name)
        assert user.name() == about["name"]
        assert user.is_banned() == bool(about.get("banned"))
    user = User(server).come()
    user.sign_in_by_passkey(written.passkeys("Anna")[0].sign(user.begin_passkey(), server.address))
    assert seen.relationships(user) == written.people["Anna"]["relationships"]
    assert seen.reports(user) == written.known["reports"]
    assert [one["label"] for one in written.user(server, "Ben").subscriptions()["browsers"]] == ["Ben's phone"]
    User(server).come().sign_in_by_code(written.people["Cleo"]["code"])
    over = written.tables["crystals alone"]
    anna = written.user(server, "Anna")
    assert anna.record(over["id"])["entries"] == over["record"]["entries"]
    assert play(written.id("running perfect"), [anna])["result"] is not None
    assert anna.verify(written.id("running perfect"))


def test_backup_is_restored_and_opened(written: Written, serve: Callable[..., Server], tmp_path: Path) -> None:
    program.restore(written.gunzip("backup.tar", tmp_path / "backup.tar"), tmp_path / "data")
    look_around(written, serve(tmp_path / "data", written.an_hour_later))


def test_postgresql_dump_is_restored_and_opened(
    written: Written, serve: Callable[..., Server], cluster: Cluster, tmp_path: Path
) -> None:
    database, dump = cluster.empty_database(), written.gunzip("postgres.sql", tmp_path / "dump.sql")
    command = [str(programs() / "psql"), "--quiet", "--set", "ON_ERROR_STOP=1", "--file", str(dump), database]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    folder = written.unpack(tmp_path / "data")  # for the keys and the settings
    (folder / written.known["files"]["database"]).unlink()
    look_around(written, serve(folder, written.an_hour_later, database))


def test_data_dir_is_transferred_to_postgresql(
    written: Written, serve: Callable[..., Server], cluster: Cluster, tmp_path: Path
) -> None:
    database, folder = cluster.empty_database(), written.unpack(tmp_path / "data")
    program.transfer(folder, database)
    (folder / written.known["files"]["database"]).unlink()
    written.check_tables(serve(folder, written.an_hour_later, database), SOME)
