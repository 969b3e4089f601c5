"""A house that is told to end finishes what is under way, sends its readers to the next one, and ends; and it says whether it is ready."""

from __future__ import annotations

import asyncio
import itertools
import os
import random
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
import uvicorn
from guests import PATIENCE, Tap, first_legal, free_port, full_table, until
from witness import Witness, alive

from diamonds.bots import kernels
from diamonds.server import main
from diamonds.server.store import failpoints
from diamonds.server.store.sqlite import SqliteStore
from diamonds.server.wire import readiness
from diamonds.server.wire.app import App, Setup
from diamonds.server.work import thinking


class Hold:
    """A disk that takes nothing for as long as it is held."""

    def __init__(self) -> None:
        self.wanted, self.free = threading.Event(), threading.Event()
        self.free.set()

    def reach(self, point: str) -> None:
        """See `failpoints.reach`."""
        if point == "written" and not self.free.is_set():
            self.wanted.set()
            self.free.wait()


@pytest.fixture
def disk(monkeypatch) -> Iterator[Hold]:
    hold = Hold()
    monkeypatch.setattr(failpoints, "reach", hold.reach)
    yield hold
    hold.free.set()


@pytest.fixture
def beside() -> Iterator[Callable]:
    """Does something in a thread; returns its future."""
    with ThreadPoolExecutor(4) as threads:
        yield threads.submit


def refused(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) != 0


def test_an_answer_that_is_being_written_when_the_house_ends_is_written_and_said(open_house, tmp_path, disk, beside):
    house = open_house(tmp_path)
    house._server.config.timeout_graceful_shutdown = PATIENCE
    id, guests = full_table(house, "mines", 2)
    message = next(m for guest in guests if (m := guest.look(id))["ask"])
    disk.free.clear()
    answer = beside(guests[message["seat"]].answer, id, 0, first_legal(message), expect=None)
    disk.wanted.wait()
    ends = beside(house.close)
    until(lambda: refused(house.port), "a house that ends takes new connections")
    assert not answer.done(), "an answer was acknowledged that is not on the disk"
    disk.free.set()
    assert answer.result()["n"] == 1, f"the answer was given up: {answer.result()}"
    ends.result()
    house.open()
    guests[1 - message["seat"]].hang_up()
    assert guests[1 - message["seat"]].look(id)["n"] >= 1, "an answer that was acknowledged is lost"


def test_every_reader_is_told_when_to_come_back(open_house):
    house = open_house()
    id, guests = full_table(house, "mines", 2)
    taps = [guests[0].listen(id), house.guest().listen(id), guests[1].lobby().tap]
    taps.append(Tap(house.port, "/api/turns", guests[1].headers, "turns"))
    until(lambda: all(tap.raw.count(b"\n\n") > 1 for tap in taps), "the streams do not open")
    house.close()
    for tap in taps:
        until(lambda tap=tap: tap.ended, "a stream outlives its house")
        said = tap.raw[-60:]
        assert b"retry: " in said, f"a reader is not told to come back, but {said!r}"
        assert tap.raw.endswith(b"0\r\n\r\n"), f"a stream is cut rather than ended: {said!r}"
        assert 200 <= int(said.rpartition(b"retry: ")[2].split(b"\n")[0]) <= 1200


def test_who_comes_while_the_house_ends_is_sent_on_at_once(open_house):
    house = open_house()
    id, guests = full_table(house, "mines", 2)
    house.call(lambda: house.app.tables.hub.part(lambda: b"retry: 7\n\n"))
    late = guests[0].listen(id)
    until(lambda: late.ended, "a stream that came late keeps the house from ending")
    assert b"retry: 7\n\n" in late.raw


@pytest.mark.later
def test_nothing_is_lost_from_one_process_to_the_next_at_the_same_address(zygote, tmp_path):
    port, keys, rng = free_port(), itertools.count(1), random.Random(1)
    witness = None
    for again in range(3):
        pid = zygote.start(tmp_path, port)
        witness = witness or Witness(port)
        witness.reconnect()
        witness.settle()
        seen = max(witness.seen, default=0)
        witness.listen()
        taps, answered = witness.taps, len(witness.acknowledged)
        assert taps[0].wait_for(seen), "a reader does not find again what was seen"
        told = threading.Timer(0, _end, (pid, witness, answered + 3 + 2 * again))
        told.start()
        witness.play(pid, rng, keys, most=10_000)
        told.join()
        until(lambda pid=pid: not alive(pid), "it does not end")
        for tap in taps:
            until(lambda tap=tap: tap.ended, "a stream outlives its server")
            assert tap.raw.endswith(b"0\r\n\r\n"), "a reader was cut off rather than sent on"
            assert tap.raw.rpartition(b"retry: ")[2].split(b"\n")[0] != b"2000", "a reader is not told to come back"
        assert len(witness.acknowledged) > answered
        witness.note()
        assert witness.check(tmp_path) == []


def _end(pid: int, witness: Witness, answered: int) -> None:
    """Tell a server to end while answers come in."""
    until(lambda: len(witness.acknowledged) >= answered, "nobody answers")
    os.kill(pid, signal.SIGTERM)


def test_a_house_that_cannot_finish_ends_all_the_same(open_house, tmp_path, disk, beside, monkeypatch, capfd):
    ended: list[int] = []
    house = open_house(tmp_path)
    house._server.config.timeout_graceful_shutdown = PATIENCE
    id, guests = full_table(house, "mines", 2)
    message = next(m for guest in guests if (m := guest.look(id))["ask"])
    disk.free.clear()
    answer = beside(guests[message["seat"]].answer, id, 0, first_legal(message), expect=None)
    disk.wanted.wait()
    monkeypatch.setattr(os, "_exit", ended.append)
    house._server.last = 0.05
    ends = beside(house.close)
    until(lambda: ended, "it waits for ever")
    assert ended == [main.ENDED_LATE]
    assert not answer.done(), "an answer was acknowledged that is not on the disk"
    assert "Diamonds ends without waiting any longer" in capfd.readouterr().err
    disk.free.set()
    answer.result()
    ends.result()


def test_what_still_compiles_ends_with_the_house(tmp_path, monkeypatch):
    told = tmp_path / "pid"
    code = f"import os, pathlib, time; pathlib.Path({str(told)!r}).write_text(str(os.getpid())); time.sleep(10_000)"
    monkeypatch.setattr(thinking, "compiler", lambda game, patient: [sys.executable, "-S", "-c", code])
    monkeypatch.setattr(kernels, "missing", lambda: None)

    async def open_and_close() -> int:
        store, closed = SqliteStore(), asyncio.Event()
        await store.open()
        app, events = App(store, b"k" * 32, Setup(get_ready=True)), asyncio.Queue[dict[str, str]]()

        async def send(event: dict[str, str]) -> None:
            if event["type"] == "lifespan.shutdown.complete":
                closed.set()

        events.put_nowait({"type": "lifespan.startup"})
        lifespan = asyncio.create_task(app({"type": "lifespan"}, events.get, send))
        await asyncio.to_thread(until, lambda: told.exists() and told.read_text(), "nothing compiles")
        events.put_nowait({"type": "lifespan.shutdown"})
        await closed.wait()
        pid = int(told.read_text())
        left = alive(pid)
        await lifespan
        if left:
            os.kill(pid, signal.SIGKILL)
        assert not left, "what compiles goes on when the house is closed"
        return pid

    assert asyncio.run(open_and_close()) > 0


# Whether it is ready


def test_a_house_says_that_it_is_ready(open_house, tmp_path, monkeypatch):
    monkeypatch.setattr(readiness, "SECONDS", PATIENCE)
    told = open_house(tmp_path).guest().get("/api/ready")
    assert told.pop("bots") in ("ready", "quick", "compiling")
    assert told == {"ready": True, "store": True, "ending": False, "process": 1}


def test_a_house_whose_store_takes_nothing_is_not_ready(open_house, tmp_path, disk, monkeypatch):
    house = open_house(tmp_path)
    guest = house.guest()
    monkeypatch.setattr(readiness, "SECONDS", 0.05)
    disk.free.clear()
    told = guest.get("/api/ready", 503)
    assert (told["ready"], told["store"]) == (False, False)
    monkeypatch.undo()
    disk.free.set()
    until(lambda: guest.get("/api/ready", None)["ready"], "it does not find its store again")


def test_a_house_whose_bots_do_not_answer_is_not_ready(house, monkeypatch):
    free = threading.Event()
    house.app.tables.bots._threads.submit(free.wait)
    monkeypatch.setattr(readiness, "SECONDS", 0.05)
    told = house.guest().get("/api/ready", 503)
    free.set()
    assert (told["ready"], told["bots"]) == (False, "silent")


def test_a_house_that_ends_is_not_ready_from_the_first_moment_on(open_house, monkeypatch):
    house = open_house()
    guest = house.guest()
    monkeypatch.setattr(uvicorn.Server, "handle_exit", lambda *_: None)  # what it would do next is to end
    house.call(lambda: house._server.handle_exit(signal.SIGTERM, None))
    told = guest.get("/api/ready", 503)
    assert (told["ready"], told["ending"]) == (False, True)
