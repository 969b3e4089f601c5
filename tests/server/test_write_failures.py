"""Failed writes: the sender gets an error, nobody else sees a change, and the server continues."""

import errno
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import apsw
import pytest

from diamonds.server.cluster.supervisor import Supervisor
from diamonds.server.storage import group_commit, tables
from diamonds.server.storage.commit_outcomes import DONE, StoreUnavailableError
from diamonds.server.storage.group_commit import PendingWrite
from diamonds.server.storage.table_data import TableChange
from tests.server.support.client import (
    answer_next,
    chat_texts,
    client_to_act,
    first_legal,
    message_to_act,
    post_chat,
    wait_until,
)
from tests.server.support.fake_clock import get_clocks
from tests.server.support.live_server import LoopThread, full_table
from tests.server.support.stores import StoreFixture, commit_each
from tests.server.test_clocks import LIVE_CLOCK, MAX_LAG_MS, MINUTE_MS
from tests.server.test_store import NEW_TABLE

STORE_AWAY_ID = "server-store-away"


def test_unstorable_answer_is_rejected_unpublished_and_can_be_repeated(stored_server, arm_failpoint):
    id, guests = full_table(stored_server, "fourteen", 3)
    guest, message = client_to_act(guests, id)
    words = first_legal(message)

    def seen() -> list[Any]:
        return [
            [each.get_table(id)[part] for part in ("n", "view", "events", "open_question", "result")] for each in guests
        ]

    before = seen()
    stream = guests[message["seat"] - 1].watch(id)
    arm_failpoint("unwritten")
    reply = guest.answer(id, 0, words, key="the-same-key", expect=503)
    assert reply["id"] == STORE_AWAY_ID
    assert len(reply["error"]) >= 20, f"expected an explanation of the failure: {reply}"
    assert seen() == before, "expected no change although nothing was written"
    assert guest.answer(id, 0, words, key="the-same-key")["n"] == 1, "expected the same answer to be accepted"
    wait_until(lambda: stream.newest["n"] == 1, "expected the answer on the stream")
    told = [event["n"] for message in stream.messages for event in message["events"] if event["n"]]
    assert {*told} == {1}, f"expected the answer exactly once on the stream: {told}"
    assert [entry[1] for entry in stored_server.store.load(id).entries] == [words]


def test_unstorable_chat_message_is_shown_to_nobody(stored_server, arm_failpoint):
    id, (ann, ben, _) = full_table(stored_server, "fourteen", 3)
    arm_failpoint("unwritten")
    post_chat(ann, id, "hello", expect=503)
    assert chat_texts(ben, id) == [], "expected no message that a restart would lose"


@pytest.fixture
def set_disk_full(monkeypatch: Any) -> Callable[[bool], None]:
    """Return a function that makes the disk full or not; if full, every change with entries fails in the middle."""
    full = []
    real = tables.apply_table_change

    def apply(connection: Any, change: TableChange, lasts: dict[str, int]) -> Any:
        done = real(connection, change, lasts)
        connection.execute(f"PRAGMA max_page_count = {1 if full else 1 << 30}")
        if full and change.entries:
            connection.execute("CREATE TABLE fill (x)")
            connection.execute("INSERT INTO fill VALUES (zeroblob(1000000))")
        return done

    monkeypatch.setattr(tables, "apply_table_change", apply)
    return lambda so: full.append(so) if so else full.clear()


class FullDiskLog:
    def write(self, line: str) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    flush = close = lambda self: None


def test_server_continues_when_its_log_is_on_the_full_disk(set_disk_full, monkeypatch, disk_server):
    id, guests = full_table(disk_server, "mines", 2)
    guest, message = client_to_act(guests, id)
    words = first_legal(message)
    monkeypatch.setattr(sys, "stderr", FullDiskLog())
    set_disk_full(True)
    guest.answer(id, 0, words, key="the-same-key", expect=503)
    set_disk_full(False)
    assert guest.answer(id, 0, words, key="the-same-key", expect=200)["n"] == 1


def test_full_disk_rejects_answers_until_space_returns(set_disk_full, capfd, disk_server):
    id, guests = full_table(disk_server, "mines", 2)
    set_disk_full(True)
    for k in range(3):
        reply = answer_next(guests, id, key=f"full-key-{k}", expect=503)
        assert reply["id"] == STORE_AWAY_ID
    assert disk_server.app.tables.get(id).n == 0
    set_disk_full(False)
    answer_next(guests, id)
    said = capfd.readouterr().err
    assert said.count("Cannot write to") == said.count("Writing to") == 1, said
    assert "Traceback" not in said
    disk_server.restart(*guests)
    assert guests[0].get_table(id)["n"] == 1


def test_timeout_that_cannot_be_stored_happens_as_soon_as_it_can(timed_server, fake_clock, arm_failpoint):
    id, guests = full_table(timed_server, "mines", 2, time_control=LIVE_CLOCK)
    seat = message_to_act(guests, id)["seat"]
    arm_failpoint("unwritten")
    fake_clock.advance(MINUTE_MS + MAX_LAG_MS, timed_server)
    assert get_clocks(guests[0], id)["timeouts"][seat] == 0
    fake_clock.advance(1000, timed_server)
    assert get_clocks(guests[0], id)["timeouts"][seat] == 1, "expected the timeout"


# SQLite


@pytest.fixture
def store_folder(tmp_path: Path) -> Iterator[StoreFixture]:
    with LoopThread() as apart:
        place = StoreFixture("sqlite", tmp_path, apart)
        yield place
        place.close()


class FailingConnection:
    """A connection whose commits fail a given number of times, after everything is written but before it is synced."""

    def __init__(self, real: Any, times: int) -> None:
        self._real, self.failure_count = real, times

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)

    def __enter__(self) -> Any:
        if self.failure_count:
            self.failure_count -= 1
            raise apsw.IOError("the disk is broken")
        return self._real.__enter__()

    def __exit__(self, *error: Any) -> Any:
        return self._real.__exit__(*error)

    def execute(self, sql: str, *values: Any) -> Any:
        if sql == "COMMIT" and self.failure_count:
            self.failure_count -= 1
            raise apsw.IOError("the disk is broken")
        return self._real.execute(sql, *values)


def test_failed_commit_is_reported_only_once_overwritten(store_folder):
    store = store_folder.open()
    commit_each(store, NEW_TABLE)
    disk = store.async_store.write_connection = FailingConnection(store.async_store.write_connection, 3)
    one = TableChange(table="t", n=0, entries=((0, "a 1"),), at_ms=5)
    with pytest.raises(StoreUnavailableError):
        store.commit(one)
    assert store_folder.query("SELECT value FROM meta WHERE key = 'overwritten'") == [(1,)]
    assert disk.failure_count == 0
    assert commit_each(store, one)[0].kind == DONE


def test_server_exits_when_the_outcome_of_a_commit_is_unknowable(store_folder, monkeypatch, capfd):
    class Ended(BaseException):
        pass

    def end(status: int) -> None:
        assert status == group_commit.EXIT_IOERR
        raise Ended

    monkeypatch.setattr(group_commit, "UNKNOWN_OUTCOME_TIMEOUT_S", 0.0)
    monkeypatch.setattr(group_commit.os, "_exit", end)
    store = store_folder.open()
    disk = store.async_store.write_connection = FailingConnection(store.async_store.write_connection, 1000)
    nobody: Any = None
    with pytest.raises(Ended):
        store.async_store.write_batch([PendingWrite(store.async_store.apply_change, NEW_TABLE, nobody)], prune=False)
    assert "Diamonds stops" in capfd.readouterr().err
    disk.failure_count = 0


def test_supervisor_continues_when_it_cannot_log_an_ended_worker(monkeypatch):
    supervisor = Supervisor([SimpleNamespace()], lambda: None)  # type: ignore[list-item]
    supervisor.is_open = True
    process, pipe = SimpleNamespace(returncode=-9), SimpleNamespace(close=lambda: None)
    supervisor.workers[1] = SimpleNamespace(  # type: ignore[assignment]
        number=1, process=process, pipe=pipe, has_ended=True, is_hung=False, read_heartbeats=lambda: None
    )
    monkeypatch.setattr(sys, "stderr", FullDiskLog())
    assert supervisor.check_workers() is None
    assert supervisor.not_before.keys() == {1}, "expected the worker to be started again"
