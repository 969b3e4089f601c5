"""``diamonds admin``: moderation from a shell, with the server open or closed."""

import json
import os
import secrets
import stat
from pathlib import Path

import pytest

from diamonds import cli
from diamonds.server.http.app import AppConfig
from diamonds.server.http.rate_limits import UNLIMITED
from diamonds.server.settings_file import TomlSettings
from tests.server.support.authenticator import BrowserClient

pytestmark = pytest.mark.later


def server_with_eve(open_server, tmp_path: Path):
    """Return a server in this folder, and a browser client signed in to Eve's account."""
    setup = AppConfig((0, 0), UNLIMITED, server_config=TomlSettings(moderators=("Ann",)), data_dir=tmp_path)
    server = open_server(tmp_path, setup=setup)
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
    server = open_server(folder, setup=AppConfig((0, 0), UNLIMITED, data_dir=folder))
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
