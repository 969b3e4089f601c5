"""``diamonds house …``: the same acts as on the page of hosts, in a house that is open and in one that is closed."""

from __future__ import annotations

import json
import os
import secrets
import stat
from pathlib import Path

import pytest
from authenticator import Browser

from diamonds import cli
from diamonds.server.house import codes
from diamonds.server.order.settings import HouseSettings
from diamonds.server.wire.app import Setup
from diamonds.server.wire.limits import OFF

pytestmark = pytest.mark.later


@pytest.fixture(autouse=True)
def _nobody_waits_for_the_clock(monkeypatch):
    monkeypatch.setattr(codes, "COST", 4)


@pytest.fixture
def run(capsys, tmp_path: Path):
    """Run a command on the house in this folder; its lines, or its one sentence."""

    def run_it(*words: str, expect: int = 0) -> str:
        code = cli.main(["house", *words, "--data", str(tmp_path)])
        out, err = capsys.readouterr()
        assert code == expect, f"{words} ended with {code}: {err}"
        assert len(err.splitlines()) == (1 if expect else 0), err
        return err if expect else out

    return run_it


def opened(open_house, tmp_path: Path):
    """A house in this folder, and Eve in it, who has an account."""
    setup = Setup((0, 0), OFF, house=HouseSettings(hosts=("Ann",)), folder=tmp_path)
    house = open_house(tmp_path, settings=setup)
    eve = Browser(house.port)
    eve.become("Eve")
    return house, eve


def test_a_table_has_a_name_that_a_command_takes_for_no_option_and_a_link_keeps_whole(
    open_house, tmp_path, run, monkeypatch
):
    house, _ = opened(open_house, tmp_path)
    drawn, really = iter(["-8HoX0JymxtE", "8HoX0JymxtE-", "8HoX-0JymxtE"]), secrets.token_urlsafe
    monkeypatch.setattr(secrets, "token_urlsafe", lambda size: next(drawn) if size == 9 else really(size))
    table = house.guest().make(game="mines", seats=2, places=["me", "open"])
    assert table == "8HoX-0JymxtE"
    run("close", table, "--reason", "enough")


def test_who_spoils_an_open_house_is_warned_muted_banned_and_let_in_again_by_commands(open_house, tmp_path, run):
    house, eve = opened(open_house, tmp_path)
    ben = house.guest()
    table = ben.make(game="mines", seats=2, places=["me", "open"])
    eve.sit(table, seat=1, invite=ben.invite)
    say = {"text": "you fool", "key": "a-key-for-it"}
    eve.post(f"/api/tables/{table}/chat", say, 200)
    ben.post(f"/api/tables/{table}/report", {"seat": 1, "reason": "rude", "text": "see"}, 200)
    told = run("reports")
    assert "you fool" in told
    assert "rude" in told.splitlines()[1]
    assert table in run("tables")
    run("warn", "Eve", "--reason", "Mind your words")
    run("mute", "--report", "1", "--reason", "rude", "--for", "2h")
    eve.post(f"/api/tables/{table}/chat", {**say, "key": "another-key"}, 403)
    run("ban", "Eve", "--reason", "rude", "--for", "1w")
    assert eve.post("/api/me", {"name": "Eva"}, 403)["id"] == "order-banned"
    assert "banned" in run("people", "ev").splitlines()[1]
    acts = json.loads(run("audit", "--json"))["acts"]
    assert [(act["what"], act["by"]) for act in acts] == [("ban", ""), ("mute", ""), ("warn", "")]
    run("unban", "--act", str(acts[0]["act"]))
    run("unmute", "Eve")
    run("rename", "Eve", "--to", "Evelyn")
    assert eve.me()["name"] == "Evelyn"
    run("close", table, "--reason", "enough")
    assert ben.post(f"/api/tables/{table}/stand", {}, 409)["id"] == "table-closed"
    run("handle", "1")
    assert json.loads(run("reports", "--json"))["waiting"] == 0


def test_a_closed_house_is_asked_too_and_what_was_done_holds_when_it_opens(open_house, tmp_path, run):
    house, eve = opened(open_house, tmp_path)
    house.close()
    run("ban", "Eve", "--reason", "rude", "--for", "3d")
    code = run("invite", "--name", "Ann").split()[0]
    assert [line.split()[3] for line in run("audit").splitlines()[1:]] == ["invite", "ban"]
    house.open()
    eve.hang_up()
    assert eve.post("/api/me", {"name": "Eva"}, 403)["id"] == "order-banned"
    ann = Browser(house.port)
    ann.post("/api/me/account/begin", {"name": "Ann"}, 409)
    ann.post("/api/me/account/begin", {"name": "Ann", "invitation": code}, 200)


def test_the_socket_is_the_houses_own_and_goes_with_it_however_long_its_path(open_house, tmp_path, capsys):
    folder = tmp_path / ("a" * 120)
    house = open_house(folder, settings=Setup((0, 0), OFF, folder=folder))
    socket = folder / "house.sock"
    assert stat.S_IMODE(os.stat(socket).st_mode) == 0o600
    assert cli.main(["house", "audit", "--data", str(folder)]) == 0
    house.close()
    assert not socket.exists()
    socket.touch()  # left by a house that was killed
    house.open()
    assert cli.main(["house", "audit", "--data", str(folder)]) == 0
    assert not capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("ban", "Nobody", "--reason", "x"), "nobody like that"),
        (("ban", "Eve"), "Give a reason"),
        (("ban", "--reason", "x"), "nobody like that"),
        (("ban", "Eve", "--reason", "x", "--for", "long"), "12h, 7d, 4w or 1y"),
        (("ban", "--report", "x", "--reason", "x"), "A number"),
        (("close", "nowhere", "--reason", "x"), "no such table"),
        (("handle", "7"), "no such report"),
        (("rename", "Eve", "--to", "Ada"), "what the house calls others"),
    ],
)
def test_whatever_cannot_be_done_is_one_sentence(open_house, tmp_path, run, words, says):
    opened(open_house, tmp_path)
    assert says in run(*words, expect=2)


def test_where_no_house_is_none_is_made(tmp_path, run):
    assert "no house" in run("reports", expect=2)
    assert list(tmp_path.iterdir()) == []
