"""Plug-in games and bots at tables: bots play in a separate process, and players never name them."""

import json
import os
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest

from diamonds.bots import levels
from diamonds.server.jobs import plugin_process, worker_pool
from tests.server.support.client import WAIT_TIMEOUT_S, Client, first_legal, play_out, wait_until
from tests.server.support.live_server import startup_error
from tests.support import plugin_game

pytestmark = pytest.mark.later

BOTS_MODULE = """
import os, pathlib, time

HERE = pathlib.Path(__file__).parent
(HERE / f"imported-{os.getpid()}").touch()


class Lowest:
    def choose(self, view, question, rng):
        hands = [int(hand) for hand in view.row["hand"]]
        (HERE / f"{view.seat}-sees-{sum(hand > 0 for hand in hands)}").touch()
        return (view.legal & -view.legal).bit_length() - 1


class Cheat:
    def choose(self, view, question, rng):
        return 59


class Sleeper:
    def choose(self, view, question, rng):
        while True:
            time.sleep(60)


class Dies:
    def choose(self, view, question, rng):
        os._exit(3)
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The operator's folder with a module of bots. No bot is offered after the test."""
    (tmp_path / "tablebots.py").write_text(BOTS_MODULE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [entry for entry in sys.path if entry])
    monkeypatch.setattr(plugin_process, "ProcessPoolExecutor", ProcessPoolExecutor)
    for limit in ("MAX_WAIT_S", "MAX_DECISION_S"):
        monkeypatch.setattr(plugin_process, limit, WAIT_TIMEOUT_S)
    offered = dict(levels.BOTS)
    yield tmp_path
    levels.BOTS.clear()
    levels.BOTS.update(offered)


def play(guest: Client, level: str) -> list[str]:
    """Play a short game of two against a bot, and return its entries."""
    id = guest.create_table(game="crystals", seats=2, options={"rounds": 2}, seats_taken_by=["me", f"bot:{level}"])
    play_out([guest], id)
    entries: list[str] = guest.get(f"/api/tables/{id}/record")["entries"]
    return entries


def test_offered_bot_plays_in_its_own_process_and_sees_one_hand(folder, monkeypatch, open_server):
    levels.offer_plugin("low=tablebots:Lowest")
    guest = open_server().new_client()
    offered = guest.get("/api/server")["levels"][-1]
    assert (offered["level"], offered["title"], offered["plugin"]) == ("low", "low", True)
    assert "tablebots" not in json.dumps(guest.get("/api/server")), "expected no module names for players"
    entries = play(guest, "low")
    assert not [entry for entry in entries if " by " in entry]
    assert {file.name for file in folder.glob("*-sees-*")} <= {"1-sees-1", "1-sees-0"}
    (imported,) = folder.glob("imported-*")
    assert imported.name != f"imported-{os.getpid()}", "expected the bot outside the server's process"
    assert "tablebots" not in sys.modules


@pytest.mark.parametrize("bot", ["Cheat", "Dies", "Sleeper"])
def test_bot_that_fails_is_substituted_and_logged(folder, monkeypatch, caplog, open_server, bot):
    if bot == "Sleeper":
        monkeypatch.setattr(plugin_process, "MAX_DECISION_S", 0.05)
    levels.offer_plugin(f"odd=tablebots:{bot}")
    guest = open_server().new_client()
    id = guest.create_table(game="crystals", seats=2, seats_taken_by=["me", "bot:odd"])

    def substituted() -> bool:
        message = guest.get_table(id)
        if message["open_question"]:
            guest.answer(id, message["n"], first_legal(message))
        return message["table"]["seat_holders"][1]["bot_status"] == "simple"

    wait_until(substituted, "expected a fast bot to answer for the bot")
    assert any(f"odd=tablebots:{bot}" in line and "fast bot answers" in line for line in caplog.messages), (
        caplog.messages
    )


def test_players_cannot_name_modules_or_bots_that_are_not_offered(folder, open_server):
    guest = open_server().new_client()
    for level in ("tablebots:Lowest", "x=tablebots:Lowest", "careless", "ismcts:5", "os:system"):
        reply = guest.post("/api/tables", {"game": "mines", "seats": 2, "seats_taken_by": ["me", f"bot:{level}"]}, 400)
        assert "There is no bot" in str(reply)
        id = guest.create_open_table()
        reply = guest.post(f"/api/tables/{id}/bot", {"seat": 1, "level": level}, 404)
        assert "There is no bot" in str(reply)
    assert not list(folder.glob("imported-*")), "expected no module to be imported for a player"


def test_table_with_a_bot_that_is_no_longer_offered_goes_on(folder, open_server):
    levels.offer_plugin("low=tablebots:Lowest")
    server = open_server()
    guest = server.new_client()
    id = guest.create_table(game="mines", seats=2, seats_taken_by=["bot:low", "me"])
    del levels.BOTS["low"]
    wait_until(
        lambda: (
            (message := guest.get_table(id))["table"]["seat_holders"][0]["bot_status"] == "simple"
            or message["open_question"]
        ),
        "expected a fast bot to answer for a bot that is gone",
    )


@pytest.mark.usefixtures("folder")
def test_server_does_not_start_with_a_bot_that_cannot_play():
    for name, why in (
        ("nowhere:make", "there is no module nowhere"),
        ("tablebots:Missing", "tablebots has no function or class Missing"),
        ("5=tablebots:Lowest", "would be called 5 at tables"),
        ("A B=tablebots:Lowest", "needs a name at the table"),
    ):
        assert why in startup_error("--in-memory", "--port", "0", "--bot", name)
    assert "tablebots" not in sys.modules


# Games


@pytest.fixture
def plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Install the game and start new worker processes, because earlier ones would not know it."""
    monkeypatch.setattr(worker_pool, "ProcessPoolExecutor", ProcessPoolExecutor)
    with plugin_game.installed_plugin(tmp_path):
        yield


@pytest.mark.later
@pytest.mark.usefixtures("plugin")
def test_plugin_game_is_played_through_the_api_beside_random_bots(guest):
    listed = {game["name"]: game for game in guest.get("/api/server")["games"]}
    assert (listed["highest"]["seats"], listed["highest"]["default_seats"]) == ([2, 3, 4], 3)
    id = guest.create_table(game="highest", seats=3)
    play_out([guest], id)
    assert sum(guest.get_table(id)["view"]["tricks"]) == 3
    record = guest.get(f"/api/tables/{id}/record")
    assert record["game"] == "highest"


@pytest.mark.usefixtures("plugin")
def test_plugin_game_rejects_bots_without_an_adapter(guest):
    for level in ("simple", "3"):
        error = guest.post(
            "/api/tables", {"game": "highest", "seats": 2, "seats_taken_by": ["me", f"bot:{level}"]}, 409
        )
        assert "has no bots of its own" in str(error)
