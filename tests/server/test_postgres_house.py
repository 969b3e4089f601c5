"""A house in PostgreSQL: nothing that anyone has seen is lost, whether the house is killed or the database."""

from __future__ import annotations

import contextlib
import http.client
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from guests import PATIENCE, Guest, first_legal, free_port, refusal, until
from stores import Place

from diamonds.server.store.sqlite import SqliteStore
from diamonds.server.store.where import store_of

pytestmark = pytest.mark.later

GAMES = {"crystals": 3, "fourteen": 3, "mines": 2}


class Server:
    """A house in a process of its own."""

    def __init__(self, address: str, folder: Path, port: int, failpoint: str = "") -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "diamonds.server", "--port", str(port), "--data", str(folder), "--think", "0",
             "--lazy", "--no-limits"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env={**os.environ, "DIAMONDS_STORE": address, "DIAMONDS_FAILPOINT": failpoint},
        )  # fmt: skip
        assert self.process.stdout is not None
        self.says = self.process.stdout.readline()

    def killed(self) -> None:
        """Wait until it is dead."""
        self.process.communicate(timeout=PATIENCE)

    def close(self) -> str:
        """End it, and return what it has written to its host."""
        self.process.terminate()
        return self.process.communicate(timeout=PATIENCE)[1]


class Played:
    """A table at which guests have all seats, and what they know of it."""

    def __init__(self, port: int, game: str) -> None:
        self.guests = [Guest(port, Guest(port).post("/api/token", {})["token"]) for _ in range(GAMES[game])]
        places = ["me"] + ["open"] * (GAMES[game] - 1)
        self.id = self.guests[0].make(game=game, seats=GAMES[game], places=places, takeover=0)
        for seat, guest in enumerate(self.guests[1:], 1):
            guest.sit(self.id, seat=seat, invite=self.guests[0].invite)
        self.given: list[str] = []  # answers that were acknowledged
        self.sent: tuple[Guest, int, str, str] | None = None  # the last one

    def answer(self) -> None:
        """Somebody who is asked gives the first legal answer."""
        message = next(m for guest in self.guests if (m := guest.look(self.id))["ask"])
        guest, words = self.guests[message["seat"]], first_legal(message)
        self.sent = (guest, message["n"], words, f"key-{self.id}-{message['n']}")
        self.again()

    def again(self) -> None:
        """The last answer once more, which plays once."""
        assert self.sent is not None
        guest, n, words, key = self.sent

        def taken() -> bool:
            reply = guest.answer(self.id, n, words, key=key, expect=None)
            assert guest.status in (200, 503), reply  # where the database is away for long, nothing has happened
            assert guest.status == 503 or reply["n"] == n + 1
            return guest.status == 200

        until(taken, "the database is away for ever")
        self.given[n:] = [words]

    def hang_up(self) -> None:
        for guest in self.guests:
            guest.hang_up()


@pytest.fixture
def place(cluster: Any) -> Place:
    """An empty database."""
    return Place("postgresql", cluster.empty_database(), None)  # type: ignore[arg-type]


def kept(place: Place, table: str) -> list[str]:
    return [words for (words,) in place.sql(f"SELECT text FROM entries WHERE table_id = '{table}' ORDER BY n")]


def test_three_games_go_on_after_the_house_and_its_database_have_died(place, cluster, tmp_path):
    port = free_port()
    server = Server(str(place.at), tmp_path, port, "committed:60")
    assert "games are kept in postgresql://diamonds@" in server.says
    tables = []
    try:
        with contextlib.suppress(OSError, http.client.HTTPException):  # until it is killed, having written but not told
            tables += [Played(port, game) for game in GAMES]
            while True:
                for table in tables:
                    table.answer()
        server.killed()
        assert len(tables) == len(GAMES), "it died too early: the test sees too little"
        for table in tables:
            assert kept(place, table.id)[: len(table.given)] == table.given, "what was acknowledged is not there"

        server = Server(str(place.at), tmp_path, port)
        for table in tables:
            table.hang_up()
            table.again()
            assert kept(place, table.id) == table.given, "an answer played twice, or not at all"
        for _ in range(3):
            for table in tables:
                table.answer()

        cluster.stop()
        back = threading.Thread(target=cluster.start)
        answers = [threading.Thread(target=table.answer) for table in tables]
        back.start()
        for thread in answers:
            thread.start()
        for thread in [back, *answers]:
            thread.join(PATIENCE)
        for table in tables:
            table.answer()
            assert kept(place, table.id) == table.given, "what was told while the database was away is not there"
        assert "Traceback" not in server.close()
    finally:
        server.process.kill()
        server.process.communicate()


def test_a_house_that_cannot_reach_its_database_says_so_in_one_sentence_without_the_password(tmp_path):
    store = f"postgresql://ann:hush-hush@/none?host={tmp_path}"
    says = refusal("--port", "0", "--data", str(tmp_path), "--store", store)
    assert says.startswith("The store cannot be reached: postgresql://ann@")
    assert "hush" not in says


def test_a_house_is_kept_where_its_host_says(tmp_path):
    found, told = store_of("", None)
    assert (found.folder, told) == (None, "")
    found, told = store_of("", tmp_path)
    assert isinstance(found, SqliteStore)
    assert told == str(tmp_path)
    found, told = store_of("postgresql://ann:hush@db.example:5433/cards?sslmode=require", tmp_path)
    assert told == "postgresql://ann@db.example:5433/cards"
