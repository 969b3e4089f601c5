"""``diamonds house move``: all that a house keeps, from one kind of store to the other and back, or nothing of it."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import apsw
import psycopg
import pytest
import schemas
from guests import Apart, House, first_legal, full_table, refusal
from stores import Place, commit
from test_store import ANN, LAPTOP, NEW, PHONE, REPORT, booked

from diamonds.game import Refused
from diamonds.server.cluster.part import Part
from diamonds.server.store import inventory, moving, postgres_connection, schema, sqlite, transfer_mark
from diamonds.server.store.accounts import AccountChange
from diamonds.server.store.books import Act, Invitation, StandingChange
from diamonds.server.store.circles import CircleChange
from diamonds.server.store.contract import Change, Refusal
from diamonds.server.store.lines import Line
from diamonds.server.store.pushes import Call, PushChange, Quiet
from diamonds.server.wire.app import Setup
from diamonds.server.wire.limits import OFF

KEPT = {
    "meta", "tables", "table_people", "entries", "chat", "display_names", "idempotency_keys", "accounts", "name_skeletons",
    "passkeys", "devices", "friends", "blocks", "reports", "sanctions", "moderation_actions", "invitations", "push_subscriptions",
    "quiet_hours", "pending_pushes", "numbers",
}  # fmt: skip


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    """A folder with a closed house in which there is something of everything."""
    with Apart() as apart:
        place = Place("sqlite", tmp_path / "club", apart)
        store = place.open()
        timed = NEW._replace(
            table="timed", key="key-timed", clocks=b"c", clock_at=7, created=2.25, places=bytes(range(256))
        )
        commit(
            store,
            NEW,
            timed,
            ANN,
            *(Change(table="t", person="ann", n=n, entries=((0, f"a {n}"),), at=5, key=f"k{n}", asked=2) for n in range(9)),
            *(Change(table="t", line=Line("Ann", f"Grüße {k} ♦", float(k), "ann")) for k in range(5)),
            PushChange(put=PHONE),
            PushChange(put=LAPTOP, calls=(Call("phone", "t", 3, 9),)),
            PushChange(remove=("nobody",), quiet=("ann", Quiet(0, 60, "UTC"))),
            AccountChange("ann", circle=CircleChange("ann", "ask", "ben")),
            AccountChange("ann", circle=CircleChange("ann", "block", "cat")),
            booked("ann", act=Act(0, 1, "host", "ban", "ann"), standing=StandingChange("Mind")),
            booked(invitation=Invitation("hash", "", 1 << 40)),
            booked(report=REPORT),
            booked(report=REPORT._replace(whom="dan")),
            AccountChange("dan", forget=True),  # the last report goes, and its number with it
            AccountChange("gus", name="Gus", looks=("gus",), books=booked(taken_away=("rude",)).books),
        )  # fmt: skip
        assert store.reserve(4096) == 0
        place.close()
        yield place
        place.close()


def whole(folder: Path) -> dict[str, list[Any]]:
    """All that is in a file, with the numbers of rows and those that are never given again."""
    with contextlib.closing(apsw.Connection(str(folder / "diamonds.sqlite"))) as disk:
        found: dict[str, list[Any]] = {
            table: sorted(disk.execute(inventory.asked(table, columns)).fetchall())
            for table, columns in inventory.tables().items()
        }
        found["numbers"] = sorted(disk.execute("SELECT name, seq FROM sqlite_sequence").fetchall())
        return found


def tables_in(address: str) -> list[Any]:
    with psycopg.connect(address) as connection:
        return connection.execute(
            "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'"
        ).fetchall()


@pytest.mark.later
def test_a_house_that_moves_there_and_back_is_the_same_in_every_row_and_number(
    place: Place, database: str, tmp_path: Path
) -> None:
    before = whole(Path(place.at))
    assert not [table for table in KEPT if not before[table]], "The test has nothing in some tables."
    told: list[tuple[str, int]] = []
    counted = moving.move(f"sqlite:{place.at}", database, lambda *what: told.append(what))
    assert counted == {table: len(rows) for table, rows in before.items() if table != "numbers"}
    assert dict(told) == counted, "It is not told how far it has come."
    assert moving.move(database, str(tmp_path / "back")) == counted
    assert whole(tmp_path / "back") == before
    assert whole(Path(place.at)) == before, "The house that was moved is another one afterwards."
    moving.reopen(database)
    there = Place("postgresql", database, place.apart)
    store = there.open()
    assert [line.text for line in store.load("t").chat] == [f"Grüße {k} ♦" for k in range(5)]
    commit(store, booked("ann", act=Act(0, 2, "host", "warn", "ann")), booked(report=REPORT._replace(whom="eve")))
    assert [act.n for act in store.books.acts(9)] == [2, 1]
    assert [one.n for one in store.books.reports(False, 9)] == [1, 3], "A number is given again."
    commit(store, Change(table="t", line=Line("Ann", "Last", 9.0)))
    assert store.load("t").chat[-1].text == "Last"
    there.close()


@pytest.mark.later
def test_an_open_house_does_not_move_and_nobody_moves_where_one_is(place: Place, database: str, tmp_path: Path) -> None:
    def refused(*way: str) -> str:
        with pytest.raises(Refused) as refusal:
            moving.move(*way)
        return str(refusal.value)

    assert "no house in" in refused(str(tmp_path / "nowhere"), database)
    assert "no house in" in refused(database, str(tmp_path / "there"))
    place.open()
    assert "already serving" in refused(str(place.at), database)
    place.close()
    assert tables_in(database) == []
    moving.move(str(place.at), database)
    moving.reopen(str(place.at))
    assert "is not empty" in refused(str(place.at), database)
    assert "is not empty" in refused(database, str(place.at))
    there = Place("postgresql", database, place.apart)
    part = Part(there.open().real, None, "")
    place.apart.run(part.join((b"k", b"k")))
    assert "already serving" in refused(database, str(tmp_path / "there"))
    place.apart.run(part.leave())
    there.close()
    assert not (tmp_path / "there" / "diamonds.sqlite").exists()


class CutOff(Exception):
    pass


@pytest.mark.later
@pytest.mark.parametrize("fault", ["cut off", "a row is lost", "a row is another"])
def test_a_move_that_goes_wrong_leaves_nothing_and_may_be_made_again(
    fault: str, place: Place, database: str, tmp_path: Path, monkeypatch: Any
) -> None:
    real = inventory.Sum.of

    def of(self: Any, rows: Any, *tell: Any) -> Iterator[Any]:
        for k, row in enumerate(real(self, rows, *tell)):
            if k == 4 and fault == "cut off":
                raise CutOff
            if k == 4 and tell and fault == "a row is lost":
                continue
            yield (*row[:-1], 77) if k == 4 and tell and type(row[-1]) is int and "another" in fault else row

    folder = tmp_path / "there"
    moving.move(str(place.at), database)
    moving.reopen(str(place.at))
    for source, target in ((str(place.at), database), (database, str(folder))):
        if target == database:
            with psycopg.connect(database, autocommit=True) as connection:
                connection.execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public")
        monkeypatch.setattr(inventory.Sum, "of", of)
        with pytest.raises((CutOff, Refused)) as refusal:
            moving.move(source, target)
        monkeypatch.setattr(inventory.Sum, "of", real)
        if fault != "cut off":
            assert "has not arrived as it was" in str(refusal.value)
        if target == database:
            assert tables_in(database) == []
        else:
            assert [path.name for path in folder.iterdir()] == ["lock"]
        moving.move(source, target)
    assert whole(folder) == whole(Path(place.at))


@pytest.mark.later
def test_a_house_of_whose_end_the_server_has_not_heard_yet_is_moved_a_moment_later(
    place: Place, database: str, tmp_path: Path, monkeypatch: Any
) -> None:
    moving.move(str(place.at), database)
    with psycopg.connect(database, autocommit=True) as closing:
        closing.execute(f"SELECT pg_advisory_lock({postgres_connection.HOUSE}, {postgres_connection.OPEN})")

        def hear(_: float) -> None:
            closing.execute("SELECT pg_advisory_unlock_all()")

        with monkeypatch.context() as patch:
            patch.setattr(postgres_connection.time, "sleep", hear)
            moving.move(database, str(tmp_path / "there"))
    assert whole(tmp_path / "there") == whole(Path(place.at))


def refused_commands(run: Callable[..., str], folder: Path, database: str, backup: Path, monkeypatch: Any) -> set[str]:
    """Every sentence with which commands refuse a place: a folder, or a database whose keys lie in the folder."""
    with monkeypatch.context() as patch:
        if database:
            patch.setenv("DIAMONDS_STORE", database)
        else:
            patch.delenv("DIAMONDS_STORE", raising=False)
        new = str(backup.with_name("another"))
        words: list[tuple[str, ...]] = [("status",), ("check",), ("backup", new), ("reports",), ("prune",), ("invite",)]
        says = {run(*one, "--data", folder, expect=2).strip() for one in words}
        says.add(run("move", database or folder, backup.with_name("elsewhere"), expect=2).strip())
        if not database:
            says.add(run("restore", backup, "--data", folder, expect=2).strip())
        says.add(refusal("--port", "0", "--data", str(folder), *(("--store", database) if database else ())))
        assert not Path(new).exists(), "old data is backed up"
    return says


@pytest.mark.later
def test_moved_data_is_refused_until_reopened(
    place: Place, database: str, tmp_path: Path, monkeypatch: Any, run: Callable[..., str]
) -> None:
    folder, back, backup = Path(place.at), tmp_path / "back", tmp_path / "before.backup"
    name = postgres_connection.without_password(database)[0]
    monkeypatch.delenv("DIAMONDS_STORE", raising=False)
    run("backup", backup, "--data", folder)
    secret = database.replace("diamonds@", "diamonds:secret@")
    assert secret != database
    run("move", folder, secret)
    (says,) = refused_commands(run, folder, "", backup, monkeypatch)
    assert says == (
        f"{folder} was moved to {name}: use that, or run “diamonds house reopen {folder}” to use the old data again."
    )
    with monkeypatch.context() as patch:
        patch.setenv("DIAMONDS_STORE", secret)
        assert json.loads(run("status", "--json", "--data", folder))["stored"] == 2, "the new store is refused"
    run("move", secret, back)
    (says,) = refused_commands(run, folder, secret, backup, monkeypatch)
    assert (
        says
        == f"{name} was moved to {back}: use that, or run “diamonds house reopen {name}” to use the old data again."
    )
    for old, other in ((str(folder), name), (secret, str(back))):
        assert json.loads(run("reopen", old, "--json"))["moved"] == other
        assert "in use already" in run("reopen", old, expect=2)
    run("status", "--data", folder)
    there = Place("postgresql", database, place.apart)
    there.open()
    there.close()
    place.open()


@pytest.mark.later
@pytest.mark.parametrize("cut", ["before the source is marked", "before the target is cleared"])
@pytest.mark.parametrize("to_database", [True, False])
def test_move_cut_off_leaves_one_copy_and_is_finished_by_another(
    cut: str, to_database: bool, place: Place, database: str, tmp_path: Path, monkeypatch: Any
) -> None:
    here, folder = Place("postgresql", database, place.apart), tmp_path / "there"
    target = here if to_database else Place("sqlite", folder, place.apart)

    def cut_off(*_: Any) -> None:
        raise CutOff

    def cut_off_at_source(connection: Any, mark: Any) -> None:
        if mark.kind == transfer_mark.MOVED:
            raise CutOff
        transfer_mark.write_mark(connection, mark)

    with monkeypatch.context() as patch:
        source_first = cut.startswith("before the source")
        patch.setattr(
            moving, "write_mark" if source_first else "clear_mark", cut_off_at_source if source_first else cut_off
        )
        with pytest.raises(CutOff):
            moving.move(str(place.at), str(target.at))
    with pytest.raises(Refused, match="was cut off: run “diamonds house move "):
        target.open()
    target.close()
    if source_first:
        place.open()
        place.close()
    else:
        with pytest.raises(Refused, match="was moved to"):
            place.open()
        place.close()
        with pytest.raises(Refused, match="was moved to"):
            moving.move(str(place.at), str(tmp_path / "elsewhere"))
    other = tmp_path / "other"
    sqlite_of(other)
    with pytest.raises(Refused, match="is not empty"):
        moving.move(str(other), str(target.at))
    assert moving.move(str(place.at), str(target.at))["tables"] == 2
    assert to_database or whole(folder) == whole(Path(place.at))
    target.open()
    target.close()
    with pytest.raises(Refused, match="was moved to"):
        moving.move(str(place.at), str(target.at))


def sqlite_of(folder: Path) -> None:
    """Make an empty house in a folder."""
    folder.mkdir(mode=0o700)
    with contextlib.closing(apsw.Connection(str(folder / "diamonds.sqlite"))) as disk:
        sqlite.migrate(disk, folder)


def test_what_a_move_that_was_killed_has_left_is_no_house_and_is_in_nobodys_way(place: Place, tmp_path: Path) -> None:
    folder = tmp_path / "there"
    folder.mkdir(mode=0o700)
    (folder / "diamonds.sqlite.part").write_bytes(b"SQLite format 3\0 and not much more")
    moving.move(str(place.at), str(folder))
    assert whole(folder) == whole(Path(place.at))
    assert not (folder / "diamonds.sqlite.part").exists()


def test_a_house_of_an_earlier_schema_is_brought_forward_before_it_moves(tmp_path: Path) -> None:
    folder = tmp_path / "old"
    folder.mkdir(mode=0o700)
    with contextlib.closing(apsw.Connection(str(folder / "diamonds.sqlite"))) as disk:
        schemas.make_in_file(disk, 4)
        disk.execute("INSERT INTO people VALUES ('ann', 'Ann')")
    assert moving.move(str(folder), str(tmp_path / "new"))["display_names"] == 1
    with contextlib.closing(apsw.Connection(str(tmp_path / "new" / "diamonds.sqlite"))) as disk:
        assert disk.pragma("user_version") == schema.VERSION


def test_a_server_that_is_not_there_is_said_in_a_sentence_without_the_password(tmp_path: Path) -> None:
    with pytest.raises(Refusal) as refusal:
        moving.move("postgresql://ann:secret@127.0.0.1:1/club", str(tmp_path / "there"))
    assert "cannot be reached" in str(refusal.value)
    assert "secret" not in str(refusal.value)


@pytest.mark.later
def test_an_open_house_in_postgresql_is_looked_at_and_backed_up_and_goes_on_in_a_folder(
    database: str, tmp_path: Path, open_house: Callable[..., House], monkeypatch: Any, run: Callable[..., str]
) -> None:
    folder = tmp_path / "keys"
    folder.mkdir(mode=0o700)
    (folder / "secret_key").write_bytes(b"k" * 32)
    monkeypatch.setenv("DIAMONDS_STORE", database)
    house = open_house(address=database, settings=Setup((0, 0), OFF, folder=folder))
    id, guests = full_table(house, "mines", 2)
    message = next(m for guest in guests if (m := guest.look(id))["ask"])
    guests[message["seat"]].answer(id, 0, first_legal(message))
    before = guests[0].look(id)
    data = ("--data", folder)
    status = json.loads(run("status", "--json", *data))
    assert (status["open"], status["stored"], status["playing"], status["entries"]) == (True, 1, 1, 1), status
    assert status["bytes"] > 0
    found = json.loads(run("check", "--json", *data))
    assert found == {"tables": 1, "entries": 1, "file": [], "damaged": []}
    run("backup", tmp_path / "club.backup", *data)
    assert [path.name for path in folder.glob("copy-*")] == [], "A copy is left among the keys."
    message = next(m for guest in guests if (m := guest.look(id))["ask"])
    guests[message["seat"]].answer(id, message["n"], first_legal(message))
    house.close()
    assert json.loads(run("check", "--json", "--backup", tmp_path / "club.backup")) == found
    run("move", database, tmp_path / "moved")
    monkeypatch.delenv("DIAMONDS_STORE")
    run("restore", tmp_path / "club.backup", "--data", tmp_path / "restored")
    house.address = ""
    for folder, n in ((tmp_path / "restored", 1), (tmp_path / "moved", 2)):
        house.folder = folder
        house.open()
        for guest in guests:
            guest.hang_up()
        assert guests[0].look(id)["n"] == n
        if n == 1:
            assert guests[0].look(id)["view"] == before["view"]
            house.close()
