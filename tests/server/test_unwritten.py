"""What cannot be written has not happened: who answers is told so, nobody else hears of anything, and the house goes on."""

from __future__ import annotations

import errno
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import apsw
import pytest
from guests import Apart, House, first_legal, full_table, until
from stores import Place, commit, together
from test_clocks import LIVE, MINUTE, WAY
from test_store import NEW
from timepiece import Timepiece, clocks_at

from diamonds.server.store import failpoints, group_commit, tables_sql
from diamonds.server.store.contract import DONE, Change, Unavailable
from diamonds.server.store.group_commit import Item
from diamonds.server.workers import Supervisor

AWAY = "server-store-away"


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.later)])
def house(request: Any, tmp_path: Path, open_house: Callable[..., House]) -> House:
    """A house with a store of each kind."""
    if request.param == "postgresql":
        return open_house(address=request.getfixturevalue("cluster").empty_database())
    return open_house(tmp_path)


def faults(house: House, monkeypatch: Any) -> list[str]:
    """What is wrong about an answer that cannot be written, and is given again."""
    id, guests = full_table(house, "fourteen", 3)
    message = next(m for g in guests if (m := g.look(id))["ask"])
    guest, words = guests[message["seat"]], first_legal(message)
    other = guests[message["seat"] - 1]

    def seen() -> list[Any]:
        return [[each.look(id)[part] for part in ("n", "view", "told", "ask", "result")] for each in guests]

    before = seen()
    tap = other.listen(id)
    until(lambda: tap.events, "Nothing is told.")
    monkeypatch.setattr(failpoints, "_name", "unwritten")
    monkeypatch.setattr(failpoints, "_left", 1)
    reply = guest.answer(id, 0, words, key="the-same-key", expect=503)
    found = []
    if reply["id"] != AWAY or len(reply["error"]) < 20:
        found.append(f"It is not said what has happened: {reply}")
    if seen() != before:
        found.append("The table is another one, though nothing was written.")
    if guest.answer(id, 0, words, key="the-same-key", expect=None).get("n") != 1:
        found.append("The same answer is not taken afterwards.")
    until(lambda: tap.newest["n"] == 1, "The answer is not told.")
    told = [event["n"] for message in tap.messages for event in message["told"] if event["n"]]
    if {*told} != {1}:
        found.append(f"It was told otherwise than once it was written: {told}")
    if [entry[1] for entry in house.kept.load(id).entries] != [words]:
        found.append("It was not written once.")
    return found


def test_an_answer_that_cannot_be_written_is_refused_and_told_to_nobody_and_may_be_given_again(
    house: House, monkeypatch: Any
) -> None:
    assert faults(house, monkeypatch) == []


def test_a_house_that_tells_before_it_writes_is_found_out(open_house: Callable[..., House], monkeypatch: Any) -> None:
    monkeypatch.setattr(failpoints, "wrong", lambda name: name == "publish_first")
    assert any("though nothing was written" in fault for fault in faults(open_house(), monkeypatch))


@pytest.fixture
def disk(monkeypatch: Any) -> Callable[[bool], None]:
    """Says whether the disk is full from now on, in the midst of every change of a table that has entries."""
    full = []
    real = tables_sql.apply

    def apply(connection: Any, change: Change, lasts: dict[str, int]) -> Any:
        done = real(connection, change, lasts)
        connection.execute(f"PRAGMA max_page_count = {1 if full else 1 << 30}")
        if full and change.entries:
            connection.execute("CREATE TABLE fill (x)")
            connection.execute("INSERT INTO fill VALUES (zeroblob(1000000))")
        return done

    monkeypatch.setattr(tables_sql, "apply", apply)
    return lambda so: full.append(so) if so else full.clear()


class FullLog:
    """A log on the same disk."""

    def write(self, line: str) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    flush = close = lambda self: None


def test_a_house_whose_log_lies_on_the_full_disk_too_goes_on(
    tmp_path: Path, open_house: Callable[..., House], disk: Callable[[bool], None], monkeypatch: Any
) -> None:
    house = open_house(tmp_path)
    id, guests = full_table(house, "mines", 2)
    message = next(m for g in guests if (m := g.look(id))["ask"])
    guest, words = guests[message["seat"]], first_legal(message)
    monkeypatch.setattr(sys, "stderr", FullLog())
    disk(True)
    guest.answer(id, 0, words, key="the-same-key", expect=503)
    disk(False)
    assert guest.answer(id, 0, words, key="the-same-key", expect=200)["n"] == 1


def test_while_the_disk_is_full_answers_are_refused_and_then_they_are_taken_and_are_there_after_a_restart(
    tmp_path: Path, open_house: Callable[..., House], disk: Callable[[bool], None], capfd: Any
) -> None:
    house = open_house(tmp_path)
    id, guests = full_table(house, "mines", 2)
    disk(True)
    for k in range(3):
        message = next(m for g in guests if (m := g.look(id))["ask"])
        reply = guests[message["seat"]].answer(id, 0, first_legal(message), key=f"full-key-{k}", expect=503)
        assert reply["id"] == AWAY
    assert house.app.tables.get(id).n == 0
    disk(False)
    message = next(m for g in guests if (m := g.look(id))["ask"])
    guests[message["seat"]].answer(id, 0, first_legal(message))
    said = capfd.readouterr().err
    assert said.count("Nothing can be written") == said.count("is written to again") == 1, said
    assert "Traceback" not in said
    house.restart(*guests)
    assert guests[0].look(id)["n"] == 1


def test_a_flag_that_cannot_be_written_down_falls_as_soon_as_it_can(
    timed_house: House, time: Timepiece, monkeypatch: Any
) -> None:
    id, guests = full_table(timed_house, "mines", 2, clock=LIVE)
    seat = next(m for g in guests if (m := g.look(id))["ask"])["seat"]
    monkeypatch.setattr(failpoints, "_name", "unwritten")
    monkeypatch.setattr(failpoints, "_left", 1)
    time.pass_by(MINUTE + WAY, timed_house)
    assert clocks_at(guests[0], id)["outs"][seat] == 0
    time.pass_by(1000, timed_house)
    assert clocks_at(guests[0], id)["outs"][seat] == 1, "The flag of a table hangs for ever."


# SQLite


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    """A folder."""
    with Apart() as apart:
        place = Place("sqlite", tmp_path, apart)
        yield place
        place.close()


class Broken:
    """A connection whose commits fail as often as it is told, when all is written but not yet safe."""

    def __init__(self, real: Any, times: int) -> None:
        self._real, self.times = real, times

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)

    def __enter__(self) -> Any:
        if self.times:
            self.times -= 1
            raise apsw.IOError("the disk is broken")
        return self._real.__enter__()

    def __exit__(self, *error: Any) -> Any:
        return self._real.__exit__(*error)

    def execute(self, sql: str, *values: Any) -> Any:
        if sql == "COMMIT" and self.times:
            self.times -= 1
            raise apsw.IOError("the disk is broken")
        return self._real.execute(sql, *values)


def test_nothing_is_said_of_a_commit_that_failed_until_another_has_taken_its_place(place: Place) -> None:
    store = place.open()
    commit(store, NEW)
    store.real._write = Broken(store.real._write, 3)
    one = Change(table="t", n=0, entries=((0, "a 1"),), at=5)
    with pytest.raises(Unavailable):
        store.commit(one)
    assert place.sql("SELECT value FROM meta WHERE key = 'overwritten'") == [(1,)], "it may come back after a power cut"
    assert store.real._write.times == 0
    assert commit(store, one)[0].what == DONE


def test_a_house_ends_that_cannot_learn_what_became_of_a_commit(place: Place, monkeypatch: Any, capfd: Any) -> None:
    class Ended(BaseException):
        pass

    def end(status: int) -> None:
        assert status == group_commit.COMMIT_FAILED
        raise Ended

    monkeypatch.setattr(group_commit, "UNKNOWN_OUTCOME_TIMEOUT_S", 0.0)
    monkeypatch.setattr(group_commit.os, "_exit", end)
    store = place.open()
    store.real._write = Broken(store.real._write, 1000)
    nobody: Any = None
    with pytest.raises(Ended):
        store.real.write_batch([Item(store.real._apply, NEW, nobody)], prune=False)
    assert "Diamonds stops" in capfd.readouterr().err
    store.real._write.times = 0


def test_what_cannot_be_written_harms_nobody_who_writes_at_the_same_time(place: Place) -> None:
    store = place.open()
    commit(store, NEW)
    good = [Change(table="t", n=n, entries=((0, f"a {n}"),), at=5) for n in range(2)]
    first, wrong, last = together(store, good[0], good[0]._replace(table="u", entries=((1 << 70, "a 0"),)), good[1])
    assert (first.what, last.what) == (DONE, DONE)
    assert isinstance(wrong, Unavailable)
    assert [words for _, words, *_ in store.load("t").entries] == ["a 0", "a 1"]


def test_who_looks_after_the_processes_goes_on_though_nothing_can_be_said_of_one_that_has_ended(
    monkeypatch: Any,
) -> None:
    supervisor = Supervisor([SimpleNamespace()], lambda: None)  # type: ignore[list-item]
    supervisor.is_open = True
    ended: Any = SimpleNamespace(number=1, ready_at=0.0, process=SimpleNamespace(returncode=-9))
    monkeypatch.setattr(sys, "stderr", FullLog())
    assert supervisor._start_again(ended) is None
    assert supervisor.not_before.keys() == {1}, "nobody is started again"
