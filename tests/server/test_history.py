"""What a finished game leaves is worked out beside the house's loop, once, and kept in bounded memory."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
import tracemalloc
import zlib
from types import SimpleNamespace

import pytest
from guests import OPENED, PATIENCE, Guest, full_table, grown, play_to_the_end, run_apart, until

from diamonds.game import GAMES
from diamonds.server.work import history
from diamonds.server.work.history import Archive
from diamonds.server.work.thinking import Thinking

PATHS = {"record": "record", "replay": "replay", "verdict": "verify"}


@pytest.fixture
def over(house):
    """A house, a game of mines in it that is over, and who played."""
    guest = house.guest()
    id = guest.make(game="mines", seats=2)
    play_to_the_end(house, id, guest)
    return house, id, guest


@pytest.mark.later
def test_what_a_game_leaves_is_worked_out_elsewhere_once_and_for_all_who_ask(over, monkeypatch):
    house, id, guest = over
    thinking = house.app.tables.thinking
    asked = []
    work_out, waiting = thinking.work_out, asyncio.Event()

    async def counted(*given):
        asked.append(given[1] if given[0] is history.work_out else "told")
        await waiting.wait()
        return await work_out(*given)

    monkeypatch.setattr(house.app.tables.thinking, "work_out", counted)
    monkeypatch.setattr("diamonds.records.start", None)  # here nothing is played again
    guests = [Guest(house.port) for _ in range(4)]
    threads = [threading.Thread(target=one.send, args=("GET", f"/api/tables/{id}/replay")) for one in guests]
    for thread in threads:
        thread.start()
    until(lambda: asked, "nobody works it out")
    house.call(waiting.set)
    for thread in threads:
        thread.join()
    assert [one.status for one in guests] == [200] * 4
    assert len({one.raw for one in guests}) == 1
    assert asked == ["replay", "told"], "each who asks has the game played again"
    for what, path in PATHS.items():
        first = guest.get(f"/api/tables/{id}/{path}")
        assert guest.get(f"/api/tables/{id}/{path}") == first
        assert asked.count(what) == 1


def test_a_replay_has_the_table_as_it_is_now(over):
    _, id, guest = over
    before = guest.get(f"/api/tables/{id}/replay")
    guest.post(f"/api/tables/{id}/chat", {"text": "well played", "key": "chat-key-1"}, 200)
    guest.post("/api/me", {"name": "Zoe"}, 200)
    after = guest.get(f"/api/tables/{id}/replay")
    assert before["table"]["chat"] == []
    assert after["table"]["chat"][0]["text"] == "well played"
    assert after["table"]["places"][0]["name"] == "Zoe"
    assert [step["view"] for step in after["steps"]] == [step["view"] for step in before["steps"]]
    assert "Zoe" in json.dumps(guest.get(f"/api/tables/{id}/record"))


@pytest.mark.later
def test_how_a_game_ended_is_told_as_it_is_recorded(over):
    _, id, guest = over
    result = guest.look(id)["result"]
    assert result.pop("facts") is None, "seven ♦ in hand say everything"
    assert GAMES[guest.look(id)["table"]["game"]].reason(result), "there are no words for the end"
    assert guest.get(f"/api/tables/{id}/replay")["result"] == result
    assert guest.get(f"/api/tables/{id}/record")["result"] == result


def size(packed: tuple[bytes, ...]) -> int:
    """The bytes of what is kept of one."""
    return sum(map(len, packed))


@pytest.mark.later
def test_what_is_kept_of_old_games_is_bounded(over, monkeypatch):
    house, id, guest = over
    archive = house.app.tables.archive
    for path in PATHS.values():
        guest.get(f"/api/tables/{id}/{path}")
    assert len(archive._kept) == 3
    assert archive._size == sum(map(size, archive._kept.values()))
    monkeypatch.setattr(history, "KEPT", max(map(size, archive._kept.values())) + 10)
    for k in range(3):
        guest.post("/api/me", {"name": f"Zoe {k}"}, 200)
        guest.get(f"/api/tables/{id}/replay")
        assert archive._size == sum(map(size, archive._kept.values())) <= history.KEPT
    monkeypatch.setattr(history, "KEPT", 10)
    guest.post("/api/me", {"name": "Zoe"}, 200)
    assert guest.get(f"/api/tables/{id}/replay")["steps"], "what is too large to be kept is not given either"


def test_who_reads_a_long_replay_slowly_holds_a_piece_of_it(over):
    house, id, _ = over
    archive = house.app.tables.archive
    table = house.app.tables.get(id)
    long = b'"result":null,"steps":[%b0]}' % (b"0," * 20_000_000)
    archive._kept["replay", id, table.seat_names()] = (zlib.compress(long, 1),)
    line = socket.socket()
    line.settimeout(PATIENCE)
    OPENED.append(line)
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    line.connect(("127.0.0.1", house.port))
    tracemalloc.start()
    try:
        line.sendall(f"GET /api/tables/{id}/replay HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        line.recv(1)
        assert house.guest().get("/api/health")["status"] == "ok"
        assert tracemalloc.get_traced_memory()[1] < 5_000_000, "40 MB wait for who takes nothing"
    finally:
        tracemalloc.stop()


def test_who_asks_for_many_old_games_waits_behind_their_own():
    done: list[str] = []

    async def work_out(_, what: str, id: str, *_more) -> bytes:
        done.append(id)
        await asyncio.sleep(0)
        return b"x"

    async def all_ask() -> None:
        thinking = Thinking()
        thinking._free = 1
        thinking.work_out = work_out

        async def load(id: str) -> None:
            """Nothing: what would be worked out from it is not looked at here."""

        archive = Archive(SimpleNamespace(load=load), thinking)
        table = {
            id: SimpleNamespace(id=id, over=True, names={}, seat_names=lambda: ())
            for id in ("a1", "a2", "a3", "b1", "c1")
        }
        await asyncio.gather(*[archive.ask("record", table[id], id[0]) for id in table])

    run_apart(all_ask())
    assert done == ["a1", "a2", "b1", "c1", "a3"], "who asks for much keeps the others waiting"


@pytest.mark.later
def test_what_was_told_since_any_of_a_thousand_moments_is_not_kept_a_thousand_times(house):
    id, guests = full_table(house, "fourteen", 3, options={"target": 200})
    table = house.app.tables.get(id)
    while table.n < 150:
        message = next(m for g in guests if (m := g.look(id))["ask"])
        guests[message["seat"]].answer(id, message["n"], f"{message['ask']['question']} {message['ask']['legal'][0]}")
    stranger = Guest(house.port)

    def look(time: int) -> None:
        for n in range(time, table.n, 2):
            assert stranger.get(f"/api/tables/{id}?after={n << 32}")["n"] == table.n
            guests[0].get(f"/api/tables/{id}?after={n << 32}")

    assert grown(look) < 400_000, "what was told is kept for whatever moment anybody names"
    assert len(table.shared.told) <= 10
    assert len(table.shared.spectators) <= 20
