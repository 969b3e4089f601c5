"""``diamonds admin transfer``: either a whole server moves between SQLite and PostgreSQL, or nothing does."""

import contextlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import apsw
import psycopg
import pytest

from diamonds.errors import DiamondsError
from diamonds.server.cluster.membership import ClusterMembership
from diamonds.server.storage import postgres_connection, schema, sqlite, transfer, transfer_mark, transferred_tables
from diamonds.server.storage.accounts import AccountChange
from diamonds.server.storage.chat import ChatRecord
from diamonds.server.storage.commit_outcomes import StoreError
from diamonds.server.storage.moderation import Invitation, ModerationAction, SanctionsChange
from diamonds.server.storage.push import PendingPush, PushChange, QuietHours
from diamonds.server.storage.relationships import RelationshipChange
from diamonds.server.storage.table_data import TableChange
from tests.server import schema_versions
from tests.server.support.client import answer_next
from tests.server.support.live_server import LoopThread, full_table, startup_error
from tests.server.support.stores import StoreFixture, commit_each
from tests.server.test_store import (
    ANN_ACCOUNT,
    LAPTOP_SUBSCRIPTION,
    NEW_TABLE,
    PHONE_SUBSCRIPTION,
    REPORT_OF_ANN,
    moderation_change,
)

EXPECTED_TABLES = {
    "meta", "tables", "table_people", "entries", "chat", "display_names", "idempotency_keys", "accounts", "name_skeletons",
    "passkeys", "devices", "friends", "blocks", "reports", "sanctions", "moderation_actions", "invitations", "push_subscriptions",
    "quiet_hours", "pending_pushes", "numbers",
}  # fmt: skip


@pytest.fixture
def filled_store(tmp_path: Path) -> Iterator[StoreFixture]:
    """A folder with a closed server that has rows in every table."""
    with LoopThread() as apart:
        place = StoreFixture("sqlite", tmp_path / "club", apart)
        store = place.open()
        timed = NEW_TABLE._replace(
            table="timed",
            idempotency_key="key-timed",
            columns={"public": 1, "created": 2.25, "clocks": b"c", "clocks_at_ms": 7},
            seating=bytes(range(256)),
        )
        commit_each(
            store,
            NEW_TABLE,
            timed,
            ANN_ACCOUNT,
            *(TableChange(table="t", person="ann", n=n, entries=((0, f"a {n}"),), at_ms=5, idempotency_key=f"k{n}", columns={"to_act": 2}) for n in range(9)),
            *(TableChange(table="t", chat_record=ChatRecord("Ann", f"Grüße {k} ♦", float(k), "ann")) for k in range(5)),
            PushChange(subscription=PHONE_SUBSCRIPTION),
            PushChange(subscription=LAPTOP_SUBSCRIPTION, pending=(PendingPush("phone", "t", 3, 9),)),
            PushChange(removed_subscriptions=("nobody",), quiet_hours=("ann", QuietHours(0, 60, "UTC"))),
            AccountChange("ann", relationship=RelationshipChange("ann", "ask", "ben")),
            AccountChange("ann", relationship=RelationshipChange("ann", "block", "cat")),
            moderation_change("ann", action=ModerationAction(0, 1, "host", "ban", "ann"), sanctions=SanctionsChange("Mind")),
            moderation_change(invitation=Invitation("hash", "", 1 << 40)),
            moderation_change(report=REPORT_OF_ANN),
            moderation_change(report=REPORT_OF_ANN._replace(target="dan")),
            AccountChange("dan", delete_person=True),  # deletes the last report, whose number must not be reused
            AccountChange("gus", name="Gus", skeletons=("gus",), moderation=moderation_change(forbidden_skeletons=("rude",)).moderation),
        )  # fmt: skip
        assert store.reserve_counters(4096) == 0
        place.close()
        yield place
        place.close()


def database_dump(folder: Path) -> dict[str, list[Any]]:
    """Return all rows of a file with their row ids, and the counters that never repeat."""
    with contextlib.closing(apsw.Connection(str(folder / "diamonds.sqlite"))) as disk:
        found: dict[str, list[Any]] = {
            table: sorted(disk.execute(transferred_tables.select_rows_sql(table, columns)).fetchall())
            for table, columns in transferred_tables.transferred_tables().items()
        }
        found["numbers"] = sorted(disk.execute("SELECT name, seq FROM sqlite_sequence").fetchall())
        return found


def tables_in(address: str) -> list[Any]:
    with psycopg.connect(address) as connection:
        return connection.execute(
            "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'"
        ).fetchall()


@pytest.mark.later
def test_transfer_and_back_preserves_every_row_and_counter(filled_store, database_url, tmp_path):
    before = database_dump(Path(filled_store.location))
    assert not [table for table in EXPECTED_TABLES if not before[table]], "expected rows in every table"
    told: list[tuple[str, int]] = []
    counted = transfer.transfer_data(f"sqlite:{filled_store.location}", database_url, lambda *what: told.append(what))
    assert counted == {table: len(rows) for table, rows in before.items() if table != "numbers"}
    assert dict(told) == counted, "expected progress"
    assert transfer.transfer_data(database_url, str(tmp_path / "back")) == counted
    assert database_dump(tmp_path / "back") == before
    assert database_dump(Path(filled_store.location)) == before, "expected the same server keys"
    transfer.reopen(database_url)
    there = StoreFixture("postgresql", database_url, filled_store.loop)
    store = there.open()
    assert [line.text for line in store.load("t").chat] == [f"Grüße {k} ♦" for k in range(5)]
    commit_each(
        store,
        moderation_change("ann", action=ModerationAction(0, 2, "host", "warn", "ann")),
        moderation_change(report=REPORT_OF_ANN._replace(target="eve")),
    )
    assert [action.id for action in store.moderation.actions(9)] == [2, 1]
    assert [report.id for report in store.moderation.reports(False, 9)] == [1, 3], "a number was given again"
    commit_each(store, TableChange(table="t", chat_record=ChatRecord("Ann", "Last", 9.0)))
    assert store.load("t").chat[-1].text == "Last"
    there.close()


@pytest.mark.later
def test_transfer_refuses_an_open_source_and_a_used_target(filled_store, database_url, tmp_path):
    def transfer_error(*way: str) -> str:
        with pytest.raises(DiamondsError) as refusal:
            transfer.transfer_data(*way)
        return str(refusal.value)

    assert "no Diamonds server data in" in transfer_error(str(tmp_path / "nowhere"), database_url)
    assert "no Diamonds server data in" in transfer_error(database_url, str(tmp_path / "there"))
    filled_store.open()
    assert "already serving" in transfer_error(str(filled_store.location), database_url)
    filled_store.close()
    assert tables_in(database_url) == []
    transfer.transfer_data(str(filled_store.location), database_url)
    transfer.reopen(str(filled_store.location))
    assert "is not empty" in transfer_error(str(filled_store.location), database_url)
    assert "is not empty" in transfer_error(database_url, str(filled_store.location))
    there = StoreFixture("postgresql", database_url, filled_store.loop)
    part = ClusterMembership(there.open().async_store, None, "")
    filled_store.loop.run(part.share_keys((b"k", b"k")))
    assert "already serving" in transfer_error(database_url, str(tmp_path / "there"))
    filled_store.loop.run(part.leave())
    there.close()
    assert not (tmp_path / "there" / "diamonds.sqlite").exists()


class SimulatedCrashError(Exception):
    pass


@pytest.mark.later
@pytest.mark.parametrize("fault", ["cut off", "a row is lost", "a row is another"])
def test_failed_transfer_leaves_nothing_and_can_be_repeated(fault, filled_store, database_url, tmp_path, monkeypatch):
    real = transferred_tables.RowChecksum.checksum_rows

    def of(self: Any, rows: Any, *tell: Any) -> Iterator[Any]:
        for k, row in enumerate(real(self, rows, *tell)):
            if k == 4 and fault == "cut off":
                raise SimulatedCrashError
            if k == 4 and tell and fault == "a row is lost":
                continue
            yield (*row[:-1], 77) if k == 4 and tell and type(row[-1]) is int and "another" in fault else row

    folder = tmp_path / "there"
    transfer.transfer_data(str(filled_store.location), database_url)
    transfer.reopen(str(filled_store.location))
    for source, target in ((str(filled_store.location), database_url), (database_url, str(folder))):
        if target == database_url:
            with psycopg.connect(database_url, autocommit=True) as connection:
                connection.execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public")
        monkeypatch.setattr(transferred_tables.RowChecksum, "checksum_rows", of)
        with pytest.raises((SimulatedCrashError, DiamondsError)) as refusal:
            transfer.transfer_data(source, target)
        monkeypatch.setattr(transferred_tables.RowChecksum, "checksum_rows", real)
        if fault != "cut off":
            assert "did not arrive complete" in str(refusal.value)
        if target == database_url:
            assert tables_in(database_url) == []
        else:
            assert [path.name for path in folder.iterdir()] == ["lock"]
        transfer.transfer_data(source, target)
    assert database_dump(folder) == database_dump(Path(filled_store.location))


@pytest.mark.later
def test_transfer_waits_until_postgres_notices_the_closed_server(filled_store, database_url, tmp_path, monkeypatch):
    transfer.transfer_data(str(filled_store.location), database_url)
    with psycopg.connect(database_url, autocommit=True) as closing:
        closing.execute(
            f"SELECT pg_advisory_lock({postgres_connection.LOCK_NAMESPACE}, {postgres_connection.SERVER_LOCK})"
        )

        def hear(_: float) -> None:
            closing.execute("SELECT pg_advisory_unlock_all()")

        with monkeypatch.context() as patch:
            patch.setattr(postgres_connection.time, "sleep", hear)
            transfer.transfer_data(database_url, str(tmp_path / "there"))
    assert database_dump(tmp_path / "there") == database_dump(Path(filled_store.location))


def transfer_errors(run: Callable[..., str], folder: Path, database: str, backup: Path, monkeypatch: Any) -> set[str]:
    """Return the errors of commands that reject a place: a folder, or a database whose keys are in the folder."""
    with monkeypatch.context() as patch:
        if database:
            patch.setenv("DIAMONDS_DATABASE", database)
        else:
            patch.delenv("DIAMONDS_DATABASE", raising=False)
        new = str(backup.with_name("another"))
        words: list[tuple[str, ...]] = [("status",), ("check",), ("backup", new), ("reports",), ("prune",), ("invite",)]
        says = {run(*one, "--data-dir", folder, expect=2).strip() for one in words}
        says.add(run("transfer", database or folder, backup.with_name("elsewhere"), expect=2).strip())
        if not database:
            says.add(run("restore", backup, "--data-dir", folder, expect=2).strip())
        says.add(
            startup_error("--port", "0", "--data-dir", str(folder), *(("--database", database) if database else ()))
        )
        assert not Path(new).exists(), "expected no backup of transferred data"
    return says


@pytest.mark.later
def test_transferred_source_is_rejected_until_reopened(filled_store, database_url, tmp_path, monkeypatch, run_admin):
    folder, back, backup = Path(filled_store.location), tmp_path / "back", tmp_path / "before.backup"
    name = postgres_connection.without_password(database_url)[0]
    monkeypatch.delenv("DIAMONDS_DATABASE", raising=False)
    run_admin("backup", backup, "--data-dir", folder)
    secret = database_url.replace("diamonds@", "diamonds:secret@")
    assert secret != database_url
    run_admin("transfer", folder, secret)
    (says,) = transfer_errors(run_admin, folder, "", backup, monkeypatch)
    assert says == (
        f"{folder} was moved to {name}: use that, or run “diamonds admin reopen {folder}” to use the old data again."
    )
    with monkeypatch.context() as patch:
        patch.setenv("DIAMONDS_DATABASE", secret)
        assert json.loads(run_admin("status", "--json", "--data-dir", folder))["stored"] == 2
    run_admin("transfer", secret, back)
    (says,) = transfer_errors(run_admin, folder, secret, backup, monkeypatch)
    assert (
        says
        == f"{name} was moved to {back}: use that, or run “diamonds admin reopen {name}” to use the old data again."
    )
    for old, other in ((str(folder), name), (secret, str(back))):
        assert json.loads(run_admin("reopen", old, "--json"))["moved"] == other
        assert "still in use" in run_admin("reopen", old, expect=2)
    run_admin("status", "--data-dir", folder)
    there = StoreFixture("postgresql", database_url, filled_store.loop)
    there.open()
    there.close()
    filled_store.open()


@pytest.mark.later
@pytest.mark.parametrize("cut", ["before the source is marked", "before the target is cleared"])
@pytest.mark.parametrize("to_database", [True, False])
def test_interrupted_transfer_leaves_one_usable_copy_and_can_be_finished(
    cut, to_database, filled_store, database_url, tmp_path, monkeypatch
):
    here, folder = StoreFixture("postgresql", database_url, filled_store.loop), tmp_path / "there"
    target = here if to_database else StoreFixture("sqlite", folder, filled_store.loop)

    def cut_off(*_: Any) -> None:
        raise SimulatedCrashError

    def cut_off_at_source(connection: Any, mark: Any) -> None:
        if mark.kind == transfer_mark.MOVED:
            raise SimulatedCrashError
        transfer_mark.write_mark(connection, mark)

    with monkeypatch.context() as patch:
        source_first = cut.startswith("before the source")
        patch.setattr(
            transfer, "write_mark" if source_first else "clear_mark", cut_off_at_source if source_first else cut_off
        )
        with pytest.raises(SimulatedCrashError):
            transfer.transfer_data(str(filled_store.location), str(target.location))
    with pytest.raises(DiamondsError, match=r"was interrupted\. Run “diamonds admin transfer "):
        target.open()
    target.close()
    if source_first:
        filled_store.open()
        filled_store.close()
    else:
        with pytest.raises(DiamondsError, match="was moved to"):
            filled_store.open()
        filled_store.close()
        with pytest.raises(DiamondsError, match="was moved to"):
            transfer.transfer_data(str(filled_store.location), str(tmp_path / "elsewhere"))
    other = tmp_path / "other"
    make_sqlite_store(other)
    with pytest.raises(DiamondsError, match="is not empty"):
        transfer.transfer_data(str(other), str(target.location))
    assert transfer.transfer_data(str(filled_store.location), str(target.location))["tables"] == 2
    assert to_database or database_dump(folder) == database_dump(Path(filled_store.location))
    target.open()
    target.close()
    with pytest.raises(DiamondsError, match="was moved to"):
        transfer.transfer_data(str(filled_store.location), str(target.location))


def make_sqlite_store(folder: Path) -> None:
    """Create an empty server in a folder."""
    folder.mkdir(mode=0o700)
    with contextlib.closing(apsw.Connection(str(folder / "diamonds.sqlite"))) as disk:
        sqlite.migrate(disk, folder)


def test_killed_transfer_leaves_no_usable_server_and_can_be_repeated(filled_store, tmp_path):
    folder = tmp_path / "there"
    folder.mkdir(mode=0o700)
    (folder / "diamonds.sqlite.part").write_bytes(b"SQLite format 3\0 and not much more")
    transfer.transfer_data(str(filled_store.location), str(folder))
    assert database_dump(folder) == database_dump(Path(filled_store.location))
    assert not (folder / "diamonds.sqlite.part").exists()


def test_transfer_upgrades_an_earlier_schema_first(tmp_path):
    folder = tmp_path / "old"
    folder.mkdir(mode=0o700)
    with contextlib.closing(apsw.Connection(str(folder / "diamonds.sqlite"))) as disk:
        schema_versions.make_in_file(disk, 4)
        disk.execute("INSERT INTO people VALUES ('ann', 'Ann')")
    assert transfer.transfer_data(str(folder), str(tmp_path / "new"))["display_names"] == 1
    with contextlib.closing(apsw.Connection(str(tmp_path / "new" / "diamonds.sqlite"))) as disk:
        assert disk.pragma("user_version") == schema.VERSION


def test_unreachable_database_error_hides_the_password(tmp_path):
    with pytest.raises(StoreError) as refusal:
        transfer.transfer_data("postgresql://ann:secret@127.0.0.1:1/club", str(tmp_path / "there"))
    assert "cannot be reached" in str(refusal.value)
    assert "secret" not in str(refusal.value)


@pytest.mark.later
def test_open_postgres_server_is_checked_and_backed_up_to_a_data_dir(
    database_url, tmp_path, open_server, monkeypatch, run_admin
):
    folder = tmp_path / "keys"
    folder.mkdir(mode=0o700)
    (folder / "secret_key").write_bytes(b"k" * 32)
    monkeypatch.setenv("DIAMONDS_DATABASE", database_url)
    server = open_server(database_url=database_url, data_dir=folder)
    id, guests = full_table(server, "mines", 2)
    answer_next(guests, id)
    before = guests[0].get_table(id)
    data = ("--data-dir", folder)
    status = json.loads(run_admin("status", "--json", *data))
    assert (status["open"], status["stored"], status["playing"], status["entries"]) == (True, 1, 1, 1), status
    assert status["bytes"] > 0
    found = json.loads(run_admin("check", "--json", *data))
    assert found == {"tables": 1, "entries": 1, "file": [], "damaged": []}
    run_admin("backup", tmp_path / "club.backup", *data)
    assert [path.name for path in folder.glob("copy-*")] == [], "expected no copy left in the key folder"
    answer_next(guests, id)
    server.close()
    assert json.loads(run_admin("check", "--json", "--backup", tmp_path / "club.backup")) == found
    run_admin("transfer", database_url, tmp_path / "moved")
    monkeypatch.delenv("DIAMONDS_DATABASE")
    run_admin("restore", tmp_path / "club.backup", "--data-dir", tmp_path / "restored")
    server.database_url = ""
    for folder, n in ((tmp_path / "restored", 1), (tmp_path / "moved", 2)):
        server.data_dir = folder
        server.open(*guests)
        assert guests[0].get_table(id)["n"] == n
        if n == 1:
            assert guests[0].get_table(id)["view"] == before["view"]
            server.close()
