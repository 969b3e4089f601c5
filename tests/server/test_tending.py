"""``diamonds house status | check | backup | restore | prune``: looking after a house that is open, and one that is closed."""

from __future__ import annotations

import io
import json
import tarfile
from collections.abc import Callable

import apsw
import pytest
from guests import Guest, House, first_legal, full_table

from diamonds.server.order import retention
from diamonds.server.order.settings import HouseSettings
from diamonds.server.store.copies import CHECKSUMS, KEPT
from diamonds.server.wire.app import Setup
from diamonds.server.wire.limits import OFF

pytestmark = pytest.mark.later

Run = Callable[..., str]


@pytest.fixture
def club(open_house, tmp_path) -> tuple[House, str, list[Guest]]:
    """An open house in the folder ``club``, with a game that has begun."""
    folder = tmp_path / "club"
    house = open_house(folder, settings=Setup((0, 0), OFF, folder=folder))
    for name in KEPT[1:3]:
        (folder / name).write_bytes(b"k" * 32)
    (folder / "house.toml").write_text('name = "Club"', encoding="utf-8")
    id, guests = full_table(house, "mines", 2)
    message = next(m for guest in guests if (m := guest.look(id))["ask"])
    guests[message["seat"]].answer(id, 0, first_legal(message))
    return house, id, guests


def test_a_backup_of_an_open_house_is_one_file_and_opens_as_the_same_house(club, open_house, tmp_path, run):
    house, id, guests = club
    file, there = tmp_path / "club.backup", tmp_path / "there" / "club"
    run("backup", file, "--data", house.folder)
    assert file.stat().st_mode & 0o777 == 0o600, "others can read a backup"
    message = next(m for guest in guests if (m := guest.look(id))["ask"])
    before = guests[0].look(id)
    guests[message["seat"]].answer(id, message["n"], first_legal(message))
    run("restore", file, "--data", there)
    assert there.stat().st_mode & 0o777 == 0o700
    assert sorted(path.name for path in there.iterdir()) == sorted(KEPT)
    for name in KEPT[1:]:
        assert (there / name).read_bytes() == (house.folder / name).read_bytes()
    assert [path.name for path in house.folder.glob("copy-*")] == [], "a copy is left in the data folder"
    house.folder = there
    house.restart(*guests)
    now = guests[0].look(id)
    now.pop("version"), before.pop("version")
    assert now == before, "what came after the backup is there, or what came before it is not"


def test_backup_holds_members_that_only_their_owner_can_read(club, tmp_path, run):
    house, *_ = club
    (house.folder / "house.toml").write_text('name = "Club"', encoding="utf-8")
    (house.folder / "house.toml").chmod(0o644)
    file, there = tmp_path / "club.backup", tmp_path / "there" / "club"
    part = tmp_path / "club.backup.part"  # of a backup that was cut off
    part.write_bytes(b"")
    part.chmod(0o644)
    run("backup", file, "--data", house.folder)
    assert file.stat().st_mode & 0o777 == 0o600
    with tarfile.open(file) as archive:
        modes = {member.name: oct(member.mode) for member in archive}
    assert {*modes} >= {"diamonds.sqlite", "house.toml", "checksums.json"}
    assert {*modes.values()} == {"0o600"}, modes
    run("restore", file, "--data", there)
    assert there.stat().st_mode & 0o777 == 0o700
    assert {oct(path.stat().st_mode & 0o777) for path in there.iterdir()} == {"0o600"}


def test_a_backup_that_is_not_as_it_was_written_is_refused_and_leaves_nothing(club, tmp_path, run):
    house, *_ = club
    file, there = tmp_path / "club.backup", tmp_path / "there"
    run("backup", file, "--data", house.folder)
    whole = file.read_bytes()

    def refused(damaged: bytes) -> str:
        file.write_bytes(damaged)
        says = run("restore", file, "--data", there, expect=2)
        assert not there.exists(), "a part of a damaged backup was put there"
        assert "no backup of a house, or it is damaged" in says
        return says

    middle = whole.index(b"SQLite format 3") + 5_000
    assert "diamonds.sqlite is not as it was written" in refused(whole[:middle] + b"\xff" * 9 + whole[middle + 9 :])
    refused(whole[: len(whole) // 2])
    refused(b"no backup")
    with io.BytesIO() as made:
        with tarfile.open(fileobj=made, mode="w") as archive:
            told = json.dumps({"files": {"diamonds.sqlite": "", "../outside": ""}}).encode()
            about = tarfile.TarInfo(CHECKSUMS)
            about.size = len(told)
            archive.addfile(about, io.BytesIO(told))
        assert "it holds something else" in refused(made.getvalue())
    assert "no such file" in run("restore", tmp_path / "nowhere", "--data", there, expect=2).lower()


def test_nothing_that_is_there_is_written_over(club, tmp_path, run):
    house, *_ = club
    file = tmp_path / "club.backup"
    run("backup", file, "--data", house.folder)
    assert "is there already" in run("backup", file, "--data", house.folder, expect=2)
    assert "is not empty" in run("restore", file, "--data", house.folder, expect=2)
    for words in (("backup", tmp_path / "other"), ("check",), ("status",)):
        assert "no house" in run(*words, "--data", tmp_path / "nowhere", expect=2)


def test_check_finds_nothing_wrong_with_a_house_that_is_whole(club, tmp_path, run):
    house, *_ = club
    run("backup", tmp_path / "club.backup", "--data", house.folder)
    found = json.loads(run("check", "--json", "--data", house.folder))
    assert found == {"tables": 1, "entries": 1, "file": [], "damaged": []}
    assert json.loads(run("check", "--json", "--backup", tmp_path / "club.backup")) == found
    house.close()
    assert json.loads(run("check", "--json", "--data", house.folder)) == found


def test_check_names_every_table_that_is_no_game_and_why(club, run):
    house, id, _ = club
    others = [full_table(house, "mines", 2)[0] for _ in range(3)]
    with_entries = full_table(house, "fourteen", 3)[0]
    house.close()
    disk = apsw.Connection(str(house.folder / "diamonds.sqlite"))
    disk.execute("UPDATE entries SET text = 'dig 99' WHERE table_id = ?", (id,))
    disk.execute("UPDATE tables SET header = x'6e6f' WHERE id = ?", (others[0],))
    disk.execute("UPDATE tables SET phase = 'over' WHERE id = ?", (others[1],))
    disk.execute(
        "INSERT INTO entries (table_id, n, seat, text, person, idempotency_key) VALUES ('gone', 0, 0, 'dig 4', '', '')"
    )
    disk.close()
    told = run("check", "--data", house.folder, expect=1)
    assert "damaged  4" in told
    found = {
        one["table"]: one["why"]
        for one in json.loads(run("check", "--json", "--data", house.folder, expect=1))["damaged"]
    }
    assert found.keys() == {id, others[0], others[1], "gone"}, (
        "it takes whole tables for damaged, or damaged ones for whole"
    )
    assert "entry 0" in found[id]
    assert "the table says 'over'" in found[others[1]]
    assert with_entries not in told


def test_check_finds_a_file_of_which_a_part_is_lost(club, run):
    house, *_ = club
    house.close()
    disk = apsw.Connection(str(house.folder / "diamonds.sqlite"))
    disk.pragma("writable_schema", True)
    disk.execute("DELETE FROM sqlite_schema WHERE name = 'chat_of_table'")  # its page is nobody's now
    disk.close()
    assert json.loads(run("check", "--json", "--data", house.folder, expect=1))["file"]


def test_status_tells_how_much_there_is_and_who_is_there(club, run):
    house, id, guests = club
    with_stream = guests[0].listen(id)
    told = json.loads(run("status", "--json", "--data", house.folder))
    assert told.pop("bytes") > 0
    assert told.pop("people") in (0, 1), "the stream may be on its way"
    assert told.pop("streams") in (0, 1)
    held = {"stored": 1, "playing": 1, "over": 0, "entries": 1, "accounts": 0}
    assert {name: told[name] for name in held} == held
    assert (told["open"], told["tables"], told["damaged"]) == (True, 1, 0)
    with_stream.close()
    house.close()
    assert "open  false" in run("status", "--data", house.folder)


@pytest.mark.parametrize("is_open", [True, False])
def test_prune_lets_go_at_once_of_what_is_kept_for_no_longer(open_house, tmp_path, run, monkeypatch, is_open):
    monkeypatch.setattr(retention, "BREATH", 0)
    (tmp_path / "house.toml").write_text("keep_guests_games_days = 1", encoding="utf-8")
    kept = HouseSettings(keep_guests_games_days=1)
    house = open_house(tmp_path, settings=Setup((0, 0), OFF, house=kept, folder=tmp_path))
    guest = house.guest()
    over, _ = guest.make(game="mines", seats=2), guest.make(game="mines", seats=2)
    house.close()
    disk = apsw.Connection(str(tmp_path / "diamonds.sqlite"))
    disk.execute("UPDATE tables SET phase = 'over', finished_at = 1 WHERE id = ?", (over,))
    disk.close()
    if is_open:
        monkeypatch.setattr(retention.Retention, "open", lambda _: None)  # it would look by itself now
        house.open()
    assert json.loads(run("prune", "--json", "--data", tmp_path)) == {"gone": 1}
    assert json.loads(run("prune", "--json", "--data", tmp_path)) == {"gone": 0}
    assert json.loads(run("status", "--json", "--data", tmp_path))["stored"] == 1
    (tmp_path / "house.toml").unlink()
    if not is_open:
        assert "for ever" in run("prune", "--data", tmp_path, expect=2)
