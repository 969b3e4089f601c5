"""A server with PostgreSQL: nothing seen is lost when the server or the database is killed."""

from __future__ import annotations

import contextlib
import http.client
import os
import threading
from pathlib import Path
from typing import Any

import pytest

from diamonds.server.storage.open_store import create_store
from diamonds.server.storage.sqlite import SqliteStore
from tests.server.support.client import WAIT_TIMEOUT_S, Client, first_legal, message_to_act, wait_until
from tests.server.support.live_server import free_port, startup_error
from tests.server.support.server_command import read_line, server_command, start_process
from tests.server.support.stores import StoreFixture

pytestmark = pytest.mark.later

SEATS_BY_GAME = {"crystals": 3, "fourteen": 3, "mines": 2}


class ServerProcess:
    """A server in a process of its own."""

    def __init__(self, address: str, folder: Path, port: int, failpoint: str = "") -> None:
        self.process = start_process(
            server_command(folder, port),
            env={**os.environ, "DIAMONDS_DATABASE": address, "DIAMONDS_FAILPOINT": failpoint},
        )
        self.output = read_line(self.process.stdout)

    def wait_until_dead(self) -> None:
        self.process.communicate(timeout=WAIT_TIMEOUT_S)

    def close(self) -> str:
        """Stop the process and return its standard error."""
        self.process.terminate()
        return self.process.communicate(timeout=WAIT_TIMEOUT_S)[1]


class KnownTable:
    """A table with a guest in every seat, and the replies they received."""

    def __init__(self, port: int, game: str) -> None:
        self.guests = [Client(port, Client(port).post("/api/token", {})["token"]) for _ in range(SEATS_BY_GAME[game])]
        places = ["me"] + ["open"] * (SEATS_BY_GAME[game] - 1)
        self.id = self.guests[0].create_table(
            game=game, seats=SEATS_BY_GAME[game], seats_taken_by=places, substitute_after_s=0
        )
        for seat, guest in enumerate(self.guests[1:], 1):
            guest.sit(self.id, seat=seat, invite=self.guests[0].invite)
        self.answers_given: list[str] = []  # acknowledged answers
        self.last_sent: tuple[Client, int, str, str] | None = None  # the last one

    def answer(self) -> None:
        """Let a seat to act give its first legal answer."""
        message = message_to_act(self.guests, self.id)
        guest, words = self.guests[message["seat"]], first_legal(message)
        self.last_sent = (guest, message["n"], words, f"key-{self.id}-{message['n']}")
        self.repeat_last_answer()

    def repeat_last_answer(self) -> None:
        """Send the last answer again, which plays once."""
        assert self.last_sent is not None
        guest, n, words, key = self.last_sent

        def taken() -> bool:
            reply = guest.answer(self.id, n, words, key=key, expect=None)
            assert guest.status in (200, 503), reply  # nothing happened while the database was away for long
            assert guest.status == 503 or reply["n"] == n + 1
            return guest.status == 200

        wait_until(taken, "expected the database to come back")
        self.answers_given[n:] = [words]

    def disconnect(self) -> None:
        for guest in self.guests:
            guest.disconnect()


@pytest.fixture
def store_fixture(postgres_cluster: Any) -> StoreFixture:
    """An empty database."""
    return StoreFixture("postgresql", postgres_cluster.empty_database(), None)  # type: ignore[arg-type]


def stored_answers(place: StoreFixture, table: str) -> list[str]:
    return [words for (words,) in place.query(f"SELECT text FROM entries WHERE table_id = '{table}' ORDER BY n")]


def test_games_continue_after_server_and_database_died(store_fixture, postgres_cluster, tmp_path):
    port = free_port()
    server = ServerProcess(str(store_fixture.location), tmp_path, port, "committed:60")
    assert "games are kept in postgresql://diamonds@" in server.output
    tables = []
    try:
        # Until the failpoint kills the server after a write and before the reply.
        with contextlib.suppress(OSError, http.client.HTTPException):
            tables += [KnownTable(port, game) for game in SEATS_BY_GAME]
            while True:
                for table in tables:
                    table.answer()
        server.wait_until_dead()
        assert len(tables) == len(SEATS_BY_GAME), "the server died too early, so the test shows nothing"
        for table in tables:
            assert stored_answers(store_fixture, table.id)[: len(table.answers_given)] == table.answers_given, (
                "expected every acknowledged answer"
            )

        server = ServerProcess(str(store_fixture.location), tmp_path, port)
        for table in tables:
            table.disconnect()
            table.repeat_last_answer()
            assert stored_answers(store_fixture, table.id) == table.answers_given, (
                "expected the repeated answer exactly once"
            )
        for _ in range(3):
            for table in tables:
                table.answer()

        postgres_cluster.stop()
        back = threading.Thread(target=postgres_cluster.start)
        answers = [threading.Thread(target=table.answer) for table in tables]
        back.start()
        for thread in answers:
            thread.start()
        for thread in [back, *answers]:
            thread.join(WAIT_TIMEOUT_S)
        for table in tables:
            table.answer()
            assert stored_answers(store_fixture, table.id) == table.answers_given, (
                "expected the answers acknowledged after the outage"
            )
        assert "Traceback" not in server.close()
    finally:
        server.process.kill()
        server.process.communicate()


def test_unreachable_database_at_startup_is_one_line_without_password(tmp_path):
    store = f"postgresql://ann:hush-hush@/none?host={tmp_path}"
    says = startup_error("--port", "0", "--data-dir", str(tmp_path), "--database", store)
    assert says.startswith("The store cannot be reached: postgresql://ann@")
    assert "hush" not in says


def test_store_option_selects_the_database(tmp_path):
    found, told = create_store("", None)
    assert (found.folder, told) == (None, "")
    found, told = create_store("", tmp_path)
    assert isinstance(found, SqliteStore)
    assert told == str(tmp_path)
    found, told = create_store("postgresql://ann:hush@db.example:5433/cards?sslmode=require", tmp_path)
    assert told == "postgresql://ann@db.example:5433/cards"
