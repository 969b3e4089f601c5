"""Durability: an answer is stored before anyone sees it, once, and survives restarts.

`test_crashes` kills servers at random moments.
"""

import contextlib
import os
import re
import time

import apsw
import pytest

from diamonds.server.storage import schema, sqlite
from diamonds.server.storage.data_dir import secret_key
from tests.server import schema_versions
from tests.server.support.client import Client, client_to_act, first_legal, message_to_act
from tests.server.support.live_server import full_table, opened_store, startup_error

RENAMED = (  # from schema 8
    ("INTO members", "INTO table_people"), ("INTO people", "INTO display_names"), ("places", "seating"), ("words", "text"),
    ("key\\)", "idempotency_key)"), (r"chat \(table_id, at", "chat (table_id, said_at"),
)  # fmt: skip


def test_each_commit_is_forced_to_the_disk(tmp_path):
    with opened_store(sqlite.SqliteStore(tmp_path)) as found:
        for connection in (found.async_store.readers.loop_connection, found.async_store.write_connection):
            assert connection.pragma("journal_mode") == "wal"
            assert connection.pragma("synchronous") == 2, "expected FULL: a power cut loses no answer"


# Data folder


def test_second_server_on_one_data_dir_refuses_to_start(tmp_path, open_server):
    open_server(tmp_path)
    says = startup_error("--port", "0", "--data-dir", str(tmp_path))
    assert says == f"Another Diamonds is already serving from {tmp_path}."


@pytest.mark.later
@pytest.mark.parametrize("version", range(1, schema.VERSION + 1))
def test_every_earlier_schema_keeps_its_data(version, tmp_path):
    tmp_path.chmod(0o700)
    with contextlib.closing(apsw.Connection(str(tmp_path / "diamonds.sqlite"))) as disk:
        schema_versions.make_in_file(disk, version)
        entries = "answers" if version == 1 else "entries"
        reserved = ("boots", 3) if version == 1 else ("reserved", 4 << 16)
        for sql, *values in (
            ("INSERT INTO meta VALUES (?, ?)", *reserved),
            ("INSERT INTO tables (id, header, places, revision, phase, public, created) VALUES"
             " ('t', x'01', x'02', 3, 'over', 1, 1.5), ('u', x'03', x'04', 1, 'playing', 0, 2.5)",),
            (f"INSERT INTO {entries} (table_id, n, seat, words, person, key) VALUES ('t', 0, 2, 'play H7', 'ann', 'k')",),
            ("INSERT INTO members (person, at, table_id) VALUES ('ann', 3.5, 't')",),
            ("INSERT INTO chat (table_id, at, name, text) VALUES ('t', 4.5, 'Ann', 'hello')",),
            ("INSERT INTO people (id, name) VALUES ('ann', 'Ann')",),
        ):  # fmt: skip
            for old, new in RENAMED if version >= 8 else ():
                sql = re.sub(old, new, sql)
            disk.execute(sql, values)
        if version >= 5:
            finished_at = "finished_at" if version >= 8 else "over_at"
            disk.execute(f"UPDATE tables SET {finished_at} = ? WHERE phase = 'over'", (int(time.time()),))
    began = int(time.time()) - 60
    with opened_store(sqlite.SqliteStore(tmp_path)) as store:
        assert store.reserve_counters(1) >= 4 << 16, "expected no version to be used a second time"
        kept = store.load("t")
        assert kept[:5] == (b"\1", b"\2", 3, "over", [(2, "play H7", "ann", "k", 0)])
        assert [(line.name, line.text) for line in kept.chat] == [("Ann", "hello")]
        assert [one.table for one in store.summaries_of("ann", 9)] == ["t"]
        assert store.display_names(["ann"]) == {"ann": "Ann"}
        [over] = store.moderation.finished_tables(began + 120, (0, ""), 9)
        assert (over.table, over.finished_at >= began) == ("t", True), "expected retention to count from the upgrade"


def test_signing_key_is_readable_by_the_servers_user_only(tmp_path):
    from diamonds.server.storage.data_dir import push_key, secret_key

    key, push = secret_key(tmp_path), push_key(tmp_path)
    assert secret_key(tmp_path) == key, "expected the same signing key after a restart"
    assert push_key(tmp_path) == push, "expected the same VAPID key after a restart"
    assert push != key
    for name in ("secret_key", "push_key"):
        assert (tmp_path / name).stat().st_mode & 0o777 == 0o600


# Idempotency


def test_repeated_answer_plays_once_also_after_a_restart(disk_server):
    id, guests = full_table(disk_server, "fourteen", 3)
    guest, message = client_to_act(guests, id)
    first = guest.answer(id, message["n"], first_legal(message), key="the-same-key")
    assert guest.answer(id, message["n"], first_legal(message), key="the-same-key") == first
    disk_server.restart(guest)
    assert guest.answer(id, message["n"], first_legal(message), key="the-same-key") == first
    assert disk_server.app.tables.get(id).n == 1


def test_idempotency_key_of_another_request_is_rejected(server):
    id, guests = full_table(server, "crystals", 2, options={"two_cards": True})
    guest, _ = client_to_act(guests, id)
    guest.answer(id, 0, "count 1", key="the-same-key")
    now = guest.get_table(id)
    guest.answer(id, now["n"], first_legal(now), key="the-same-key", expect=409)
    assert server.app.tables.get(id).n == 1
    body = {"game": "mines", "seats": 2, "idempotency_key": "another-key"}
    made = guest.post("/api/tables", body, 201)
    assert guest.post("/api/tables", body, 201) == made, "expected one table from a repeated POST"
    guest.post("/api/tables", {**body, "game": "crystals"}, 409)


def test_concurrent_duplicates_play_once(disk_server, in_thread):
    id, guests = full_table(disk_server, "fourteen", 3)
    for k in range(10):
        guest, message = client_to_act(guests, id)
        twins = [Client(disk_server.port, guest.headers["Authorization"].split()[1]) for _ in range(4)]
        sent = [in_thread(twin.answer, id, k, first_legal(message), key=f"parallel-{k}") for twin in twins]
        assert all(reply.result() == sent[0].result() for reply in sent)
        assert disk_server.app.tables.get(id).n == k + 1


def test_c9_simultaneous_passes_are_independent(server):
    """All seats choose simultaneously, so one seat's choice does not make another's outdated."""
    id, guests = full_table(server, "crystals", 3)
    message = message_to_act(guests, id)
    guests[message["seat"]].answer(id, 0, "count 2")
    views = [guest.get_table(id) for guest in guests]
    for guest, message in zip(guests, views, strict=True):
        first, second = message["open_question"]["legal"][0], message["view"]["hand"][message["seat"]][-1]
        guest.answer(id, message["n"], f"pass {first}", f"pass {second}")
    assert server.app.tables.get(id).n == 7


def test_processes_that_start_together_have_one_key(tmp_path, monkeypatch):
    sync, found = os.fsync, []

    def start_another(handle: int) -> None:
        monkeypatch.setattr(os, "fsync", sync)
        found.append(secret_key(tmp_path))
        sync(handle)

    monkeypatch.setattr(os, "fsync", start_another)
    found.append(secret_key(tmp_path))
    assert found == [secret_key(tmp_path)] * 2
    assert os.listdir(tmp_path) == ["secret_key"], "expected no leftover file"
