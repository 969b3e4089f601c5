"""``diamonds admin``: moderation, backups, checks and pruning from a shell, with the server open or closed."""

import io
import json
import os
import secrets
import stat
import tarfile
from collections.abc import Callable
from pathlib import Path

import apsw
import pytest

from diamonds import cli
from diamonds.server.moderation import maintenance
from diamonds.server.settings_file import CONFIG_FILE_NAME, OLD_CONFIG_FILE_NAME, TomlSettings
from diamonds.server.storage.backup import BACKUP_FILES, CHECKSUMS
from tests.server.support.authenticator import BrowserClient
from tests.server.support.client import Client, answer_next
from tests.server.support.live_server import LiveServer, full_table

pytestmark = pytest.mark.later


def server_with_eve(open_server, tmp_path: Path):
    """Return a server in this folder, and a browser client signed in to Eve's account."""
    server = open_server(tmp_path, server_config=TomlSettings(moderators=("Ann",)), data_dir=tmp_path)
    eve = BrowserClient(server.port).with_account("Eve")
    return server, eve


def test_table_id_is_never_taken_for_an_option(open_server, tmp_path, run_admin_here, monkeypatch):
    server, _ = server_with_eve(open_server, tmp_path)
    drawn, really = iter(["-8HoX0JymxtE", "8HoX0JymxtE-", "8HoX-0JymxtE"]), secrets.token_urlsafe
    monkeypatch.setattr(secrets, "token_urlsafe", lambda size: next(drawn) if size == 9 else really(size))
    table = server.new_client().create_open_table()
    assert table == "8HoX-0JymxtE"
    run_admin_here("close-table", table, "--reason", "enough")


def test_moderation_commands_warn_mute_ban_and_lift_on_an_open_server(open_server, tmp_path, run_admin_here):
    server, eve = server_with_eve(open_server, tmp_path)
    ben = server.new_client()
    table = ben.create_table_with(eve)
    say = {"text": "you fool", "idempotency_key": "a-key-for-it"}
    eve.post(f"/api/tables/{table}/chat", say, 200)
    ben.post(f"/api/tables/{table}/report", {"seat": 1, "reason": "rude", "text": "see"}, 200)
    told = run_admin_here("reports")
    assert "you fool" in told
    assert "rude" in told.splitlines()[1]
    assert table in run_admin_here("tables")
    run_admin_here("warn", "Eve", "--reason", "Mind your words")
    run_admin_here("mute", "--report", "1", "--reason", "rude", "--for", "2h")
    eve.post(f"/api/tables/{table}/chat", {**say, "idempotency_key": "another-key"}, 403)
    run_admin_here("ban", "Eve", "--reason", "rude", "--for", "1w")
    assert eve.post("/api/me", {"name": "Eva"}, 403)["id"] == "moderation-banned"
    assert "banned" in run_admin_here("accounts", "ev").splitlines()[1]
    acts = json.loads(run_admin_here("audit", "--json"))["actions"]
    assert [(act["action"], act["moderator"]) for act in acts] == [("ban", ""), ("mute", ""), ("warn", "")]
    run_admin_here("unban", "--action", str(acts[0]["id"]))
    run_admin_here("unmute", "Eve")
    run_admin_here("rename", "Eve", "--to", "Evelyn")
    assert eve.get_me()["name"] == "Evelyn"
    run_admin_here("close-table", table, "--reason", "enough")
    assert ben.post(f"/api/tables/{table}/stand", {}, 409)["id"] == "table-closed"
    run_admin_here("resolve", "1")
    assert json.loads(run_admin_here("reports", "--json"))["waiting"] == 0


def test_commands_work_on_a_closed_server_and_persist(open_server, tmp_path, run_admin_here):
    server, eve = server_with_eve(open_server, tmp_path)
    server.close()
    run_admin_here("ban", "Eve", "--reason", "rude", "--for", "3d")
    code = run_admin_here("invite", "--name", "Ann").split()[0]
    assert [line.split()[3] for line in run_admin_here("audit").splitlines()[1:]] == ["invite", "ban"]
    server.open()
    eve.disconnect()
    assert eve.post("/api/me", {"name": "Eva"}, 403)["id"] == "moderation-banned"
    ann = BrowserClient(server.port)
    ann.post("/api/me/account/begin", {"name": "Ann"}, 409)
    ann.post("/api/me/account/begin", {"name": "Ann", "invitation": code}, 200)


def test_admin_socket_is_private_and_removed_whatever_its_path_length(open_server, tmp_path, capsys):
    folder = tmp_path / ("a" * 120)
    server = open_server(folder, data_dir=folder)
    socket = folder / "admin.sock"
    assert stat.S_IMODE(os.stat(socket).st_mode) == 0o600
    assert cli.main(["admin", "audit", "--data-dir", str(folder)]) == 0
    server.close()
    assert not socket.exists()
    socket.touch()  # left behind by a killed server
    server.open()
    assert cli.main(["admin", "audit", "--data-dir", str(folder)]) == 0
    assert not capsys.readouterr().err


@pytest.mark.parametrize(("words", "says"), [
    (("ban", "Nobody", "--reason", "x"), "No such person"),
    (("ban", "Eve"), "Give a reason"),
    (("ban", "--reason", "x"), "No such person"),
    (("ban", "Eve", "--reason", "x", "--for", "long"), "12h, 7d, 4w or 1y"),
    (("ban", "--report", "x", "--reason", "x"), "A number"),
    (("close-table", "nowhere", "--reason", "x"), "no such table"),
    (("resolve", "7"), "no such report"),
    (("rename", "Eve", "--to", "Ada"), "The server uses this name"),
])  # fmt: skip
def test_impossible_command_gets_one_error_message(open_server, tmp_path, run_admin_here, words, says):
    server_with_eve(open_server, tmp_path)
    assert says in run_admin_here(*words, expect=2)


def test_admin_commands_create_no_server(tmp_path, run_admin_here):
    assert "no Diamonds server data" in run_admin_here("reports", expect=2)
    assert list(tmp_path.iterdir()) == []


# Maintenance


Run = Callable[..., str]


@pytest.fixture
def open_server_in_folder(open_server, tmp_path) -> tuple[LiveServer, str, list[Client]]:
    """An open server in the folder ``club``, with a game in progress."""
    folder = tmp_path / "club"
    server = open_server(folder, data_dir=folder)
    for name in BACKUP_FILES[1:3]:
        (folder / name).write_bytes(b"k" * 32)
    (folder / "server.toml").write_text('name = "Club"', encoding="utf-8")
    id, guests = full_table(server, "mines", 2)
    answer_next(guests, id)
    return server, id, guests


def test_backup_of_an_open_server_is_one_file_that_restores_it(open_server_in_folder, open_server, tmp_path, run_admin):
    server, id, guests = open_server_in_folder
    file, there = tmp_path / "club.backup", tmp_path / "there" / "club"
    run_admin("backup", file, "--data-dir", server.data_dir)
    assert file.stat().st_mode & 0o777 == 0o600, "expected a private file"
    before = guests[0].get_table(id)
    answer_next(guests, id)
    run_admin("restore", file, "--data-dir", there)
    assert there.stat().st_mode & 0o777 == 0o700
    expected = {*BACKUP_FILES} - {OLD_CONFIG_FILE_NAME}
    assert {path.name for path in there.iterdir()} == expected
    for name in expected - {BACKUP_FILES[0]}:
        assert (there / name).read_bytes() == (server.data_dir / name).read_bytes()
    assert [path.name for path in server.data_dir.glob("copy-*")] == [], "expected no copy left in the data folder"
    server.data_dir = there
    server.restart(*guests)
    now = guests[0].get_table(id)
    now.pop("version"), before.pop("version")
    assert now == before, "expected exactly what was stored before the backup"


def test_backup_includes_settings_by_their_earlier_file_name(open_server_in_folder, tmp_path, run_admin):
    server, *_ = open_server_in_folder
    (server.data_dir / CONFIG_FILE_NAME).rename(server.data_dir / OLD_CONFIG_FILE_NAME)
    run_admin("backup", tmp_path / "club.backup", "--data-dir", server.data_dir)
    run_admin("restore", tmp_path / "club.backup", "--data-dir", tmp_path / "there")
    assert (tmp_path / "there" / OLD_CONFIG_FILE_NAME).read_text(encoding="utf-8") == 'name = "Club"'


def test_backup_files_are_private(open_server_in_folder, tmp_path, run_admin):
    server, *_ = open_server_in_folder
    (server.data_dir / "server.toml").write_text('name = "Club"', encoding="utf-8")
    (server.data_dir / "server.toml").chmod(0o644)
    file, there = tmp_path / "club.backup", tmp_path / "there" / "club"
    part = tmp_path / "club.backup.part"  # left by an interrupted backup
    part.write_bytes(b"")
    part.chmod(0o644)
    run_admin("backup", file, "--data-dir", server.data_dir)
    assert file.stat().st_mode & 0o777 == 0o600
    with tarfile.open(file) as archive:
        modes = {member.name: oct(member.mode) for member in archive}
    assert {*modes} >= {"diamonds.sqlite", "server.toml", "checksums.json"}
    assert {*modes.values()} == {"0o600"}, modes
    run_admin("restore", file, "--data-dir", there)
    assert there.stat().st_mode & 0o777 == 0o700
    assert {oct(path.stat().st_mode & 0o777) for path in there.iterdir()} == {"0o600"}


def test_altered_backup_is_rejected_and_leaves_nothing(open_server_in_folder, tmp_path, run_admin):
    server, *_ = open_server_in_folder
    file, there = tmp_path / "club.backup", tmp_path / "there"
    run_admin("backup", file, "--data-dir", server.data_dir)
    whole = file.read_bytes()

    def restore_error(damaged: bytes) -> str:
        file.write_bytes(damaged)
        says = run_admin("restore", file, "--data-dir", there, expect=2)
        assert not there.exists(), "expected nothing to be restored from a damaged backup"
        assert "is not a backup, or it is damaged" in says
        return says

    middle = whole.index(b"SQLite format 3") + 5_000
    assert "the checksum of diamonds.sqlite is wrong" in restore_error(
        whole[:middle] + b"\xff" * 9 + whole[middle + 9 :]
    )
    restore_error(whole[: len(whole) // 2])
    restore_error(b"no backup")
    with io.BytesIO() as made:
        with tarfile.open(fileobj=made, mode="w") as archive:
            told = json.dumps({"files": {"diamonds.sqlite": "", "../outside": ""}}).encode()
            about = tarfile.TarInfo(CHECKSUMS)
            about.size = len(told)
            archive.addfile(about, io.BytesIO(told))
        assert "it contains unexpected files" in restore_error(made.getvalue())
    assert "no such file" in run_admin("restore", tmp_path / "nowhere", "--data-dir", there, expect=2).lower()


def test_existing_files_are_never_overwritten(open_server_in_folder, tmp_path, run_admin):
    server, *_ = open_server_in_folder
    file = tmp_path / "club.backup"
    run_admin("backup", file, "--data-dir", server.data_dir)
    assert "already exists" in run_admin("backup", file, "--data-dir", server.data_dir, expect=2)
    assert "is not empty" in run_admin("restore", file, "--data-dir", server.data_dir, expect=2)
    for words in (("backup", tmp_path / "other"), ("check",), ("status",)):
        assert "no Diamonds server data" in run_admin(*words, "--data-dir", tmp_path / "nowhere", expect=2)


def test_check_finds_no_fault_in_an_intact_server(open_server_in_folder, tmp_path, run_admin):
    server, *_ = open_server_in_folder
    run_admin("backup", tmp_path / "club.backup", "--data-dir", server.data_dir)
    found = json.loads(run_admin("check", "--json", "--data-dir", server.data_dir))
    assert found == {"tables": 1, "entries": 1, "file": [], "damaged": []}
    assert json.loads(run_admin("check", "--json", "--backup", tmp_path / "club.backup")) == found
    server.close()
    assert json.loads(run_admin("check", "--json", "--data-dir", server.data_dir)) == found


def test_check_names_every_table_that_cannot_be_replayed_and_why(open_server_in_folder, run_admin):
    server, id, _ = open_server_in_folder
    others = [full_table(server, "mines", 2)[0] for _ in range(3)]
    with_entries = full_table(server, "fourteen", 3)[0]
    server.close()
    disk = apsw.Connection(str(server.data_dir / "diamonds.sqlite"))
    disk.execute("UPDATE entries SET text = 'dig 99' WHERE table_id = ?", (id,))
    disk.execute("UPDATE tables SET header = x'6e6f' WHERE id = ?", (others[0],))
    disk.execute("UPDATE tables SET phase = 'over' WHERE id = ?", (others[1],))
    disk.execute(
        "INSERT INTO entries (table_id, n, seat, text, person, idempotency_key) VALUES ('gone', 0, 0, 'dig 4', '', '')"
    )
    disk.close()
    told = run_admin("check", "--data-dir", server.data_dir, expect=1)
    assert "damaged  4" in told
    found = {
        one["table"]: one["why"]
        for one in json.loads(run_admin("check", "--json", "--data-dir", server.data_dir, expect=1))["damaged"]
    }
    assert found.keys() == {id, others[0], others[1], "gone"}, "expected the damaged tables and no others"
    assert "entry 0" in found[id]
    assert "the stored phase is 'over'" in found[others[1]]
    assert with_entries not in told


def test_check_finds_a_truncated_file(open_server_in_folder, run_admin):
    server, *_ = open_server_in_folder
    server.close()
    disk = apsw.Connection(str(server.data_dir / "diamonds.sqlite"))
    disk.pragma("writable_schema", True)
    disk.execute("DELETE FROM sqlite_schema WHERE name = 'chat_of_table'")  # one page no longer belongs to a table
    disk.close()
    assert json.loads(run_admin("check", "--json", "--data-dir", server.data_dir, expect=1))["file"]


def test_status_counts_tables_and_people_present(open_server_in_folder, run_admin):
    server, id, guests = open_server_in_folder
    with_stream = guests[0].open_stream(id)
    told = json.loads(run_admin("status", "--json", "--data-dir", server.data_dir))
    assert told.pop("bytes") > 0
    assert told.pop("people") in (0, 1), "expected the stream to be counted"
    assert told.pop("streams") in (0, 1)
    held = {"stored": 1, "playing": 1, "over": 0, "entries": 1, "accounts": 0}
    assert {name: told[name] for name in held} == held
    assert (told["open"], told["tables"], told["damaged"]) == (True, 1, 0)
    with_stream.close()
    server.close()
    assert "open  false" in run_admin("status", "--data-dir", server.data_dir)


@pytest.mark.parametrize("is_open", [True, False])
def test_prune_deletes_expired_data_at_once(open_server, tmp_path, run_admin, monkeypatch, is_open):
    monkeypatch.setattr(maintenance, "BATCH_PAUSE_S", 0)
    (tmp_path / "server.toml").write_text("guest_game_retention_days = 1", encoding="utf-8")
    kept = TomlSettings(guest_game_retention_days=1)
    server = open_server(tmp_path, server_config=kept, data_dir=tmp_path)
    guest = server.new_client()
    over, _ = guest.create_table(game="mines", seats=2), guest.create_table(game="mines", seats=2)
    server.close()
    disk = apsw.Connection(str(tmp_path / "diamonds.sqlite"))
    disk.execute("UPDATE tables SET phase = 'over', finished_at = 1 WHERE id = ?", (over,))
    disk.close()
    if is_open:
        # Disables the server's own search for expired games.
        monkeypatch.setattr(maintenance.RetentionJob, "open", lambda _: None)
        server.open()
    assert json.loads(run_admin("prune", "--json", "--data-dir", tmp_path)) == {"removed": 1}
    assert json.loads(run_admin("prune", "--json", "--data-dir", tmp_path)) == {"removed": 0}
    assert json.loads(run_admin("status", "--json", "--data-dir", tmp_path))["stored"] == 1
    (tmp_path / "server.toml").unlink()
    if not is_open:
        assert "never deleted" in run_admin("prune", "--data-dir", tmp_path, expect=2)
