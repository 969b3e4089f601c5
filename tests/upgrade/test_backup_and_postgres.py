"""The backup and the PostgreSQL database of an earlier version."""

import subprocess
from collections.abc import Iterator

import pytest

from tests.server.support.postgres_cluster import PostgresCluster, postgres_programs
from tests.upgrade import observations, program
from tests.upgrade.program import UpgradeServer
from tests.upgrade.user import User, play_to_end
from tests.upgrade.version_fixtures import VersionFixtures

pytestmark = pytest.mark.later

SAMPLE_LABELS = ["running crystals", "running ranked", "crystals for two", "imported", "waiting"]


@pytest.fixture(scope="module")
def postgres_cluster() -> Iterator[PostgresCluster]:
    found = PostgresCluster()
    yield found
    found.close()


def assert_everything_is_there(written: VersionFixtures, server: UpgradeServer) -> None:
    """Assert that people find their tables and accounts, and that a game can be continued."""
    written.assert_tables_unchanged(server)
    for name, about in written.people.items():
        user = written.user(server, name)
        assert user.name() == about["name"]
        assert user.is_banned() == bool(about.get("banned"))
    user = User(server).open_web_client()
    user.sign_in_by_passkey(written.passkeys("Anna")[0].sign(user.begin_passkey(), server.address))
    assert observations.relationships(user) == written.people["Anna"]["relationships"]
    assert observations.reports(user) == written.expected["reports"]
    assert [one["label"] for one in written.user(server, "Ben").subscriptions()["subscriptions"]] == ["Ben's phone"]
    User(server).open_web_client().sign_in_by_code(written.people["Cleo"]["code"])
    over = written.tables["crystals alone"]
    anna = written.user(server, "Anna")
    assert anna.record(over["id"])["entries"] == over["record"]["entries"]
    assert play_to_end(written.id("running perfect"), [anna])["result"] is not None
    assert anna.verify(written.id("running perfect"))


def test_backup_is_restored_and_opened(version_fixtures, start_server, tmp_path):
    program.restore(version_fixtures.gunzip("backup.tar", tmp_path / "backup.tar"), tmp_path / "data")
    assert_everything_is_there(version_fixtures, start_server(tmp_path / "data", version_fixtures.an_hour_later))


def test_postgresql_dump_is_restored_and_opened(version_fixtures, start_server, postgres_cluster, tmp_path):
    database, dump = postgres_cluster.empty_database(), version_fixtures.gunzip("postgres.sql", tmp_path / "dump.sql")
    command = [str(postgres_programs() / "psql"), "--quiet", "--set", "ON_ERROR_STOP=1", "--file", str(dump), database]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    folder = version_fixtures.unpack(tmp_path / "data")  # for the keys and the settings
    (folder / version_fixtures.expected["files"]["database"]).unlink()
    assert_everything_is_there(version_fixtures, start_server(folder, version_fixtures.an_hour_later, database))


def test_data_dir_is_transferred_to_postgresql(version_fixtures, start_server, postgres_cluster, tmp_path):
    database, folder = postgres_cluster.empty_database(), version_fixtures.unpack(tmp_path / "data")
    program.transfer(folder, database)
    (folder / version_fixtures.expected["files"]["database"]).unlink()
    version_fixtures.assert_tables_unchanged(
        start_server(folder, version_fixtures.an_hour_later, database), SAMPLE_LABELS
    )
