"""The table registry: tables load once and independently, versions increase, and a damaged table affects no other."""

import asyncio
import json
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import apsw
import pytest

from diamonds.server.request_context import requesting_address
from diamonds.server.tables import registry
from diamonds.server.tables.load_turns import LoadTurns
from tests.server.support.client import WAIT_TIMEOUT_S, Client, answer_next, wait_until
from tests.server.support.live_server import LiveServer, evict_tables, full_table, run_in_loop


def reserved_versions(folder: Path) -> int:
    """Return the highest change number reserved on disk."""
    disk = apsw.Connection(str(folder / "diamonds.sqlite"))
    try:
        return int(disk.execute("SELECT value FROM meta WHERE key = 'reserved'").get)
    finally:
        disk.close()


@pytest.mark.parametrize("claim", [2, None], ids=["claimed again", "lost"])
def test_table_lost_while_it_loads_is_loaded_again_or_not_kept(disk_server, monkeypatch, claim):
    """Another process may have changed the table in the meantime, or may still change it."""
    id, guests = full_table(disk_server, "mines", 2)
    evict_tables(disk_server, id)
    tables, claims, loaded = disk_server.app.tables.registry, [1], []
    load = tables.store.load

    async def load_and_lose(table: str) -> Any:
        loaded.append(table)
        stored = await load(table)
        claims.append(claim)
        return stored

    monkeypatch.setattr(tables, "claim_of", lambda _: claims[-1])
    monkeypatch.setattr(tables.store, "load", load_and_lose)
    guests[0].get_table(id)
    assert loaded == [id, id]
    assert (tables.get(id) is None) == (claim is None)


# Versions


@pytest.mark.later
def test_version_never_decreases_after_twenty_thousand_changes(disk_server, tmp_path):
    id, guests = full_table(disk_server, "mines", 2)
    begun = guests[0].get_table(id)["version"]

    def change_often() -> None:
        table = disk_server.app.tables.get(id)
        for _ in range(20_000):
            disk_server.app.tables.touch(table, schedule_bots=False)

    disk_server.call_on_loop(change_often)
    told = wait_until(lambda: (v := guests[0].get_table(id)["version"]) >= begun + 20_000 and v, "all are counted")
    assert told & 0xFFFF_FFFF < reserved_versions(tmp_path), "expected no number to be sent before it is reserved"
    disk_server.restart(*guests)
    assert guests[0].get_table(id)["version"] >= told, "expected no smaller version after a restart"
    for _ in range(3):
        disk_server.restart(*guests)
    assert told >> 32 == guests[0].get_table(id)["version"] >> 32 == 0, "expected no change number in n's part"


def test_version_is_sent_only_once_reserved(disk_server, tmp_path, monkeypatch):
    id, guests = full_table(disk_server, "mines", 2)
    held = []

    async def hold_back(numbers: int) -> int:
        held.append(numbers)
        await asyncio.Event().wait()
        return 0

    monkeypatch.setattr(disk_server.app.store, "reserve_counters", hold_back)
    durable = reserved_versions(tmp_path)

    def change_often() -> None:
        for _ in range(2 * durable):
            disk_server.app.tables.touch(disk_server.app.tables.get(id), schedule_bots=False)

    disk_server.call_on_loop(change_often)
    assert guests[0].get_table(id)["version"] == durable - 1, "expected only reserved numbers, and all of them"
    assert len(held) == 1, "expected each reservation to be new"


def test_full_log_rejects_further_entries_with_an_error(server, monkeypatch):
    from diamonds.server.tables import service

    monkeypatch.setattr(service, "MAX_ENTRIES", 1)
    id, guests = full_table(server, "mines", 2)
    for status in (200, 409):
        answer_next(guests, id, expect=status)
    assert server.app.tables.get(id).n == 1


# Loading


def test_table_is_loaded_once_for_concurrent_requests(disk_server, monkeypatch):
    id, guests = full_table(disk_server, "mines", 2)
    disk_server.restart(*guests)
    load, loads, go = disk_server.app.store.load, [], asyncio.Event()

    async def counted(table: str) -> Any:
        loads.append(table)
        await go.wait()
        return await load(table)

    monkeypatch.setattr(disk_server.app.store, "load", counted)

    async def twenty() -> list[Any]:
        asking = [asyncio.ensure_future(disk_server.app.tables.registry.find(id)) for _ in range(20)]
        await asyncio.sleep(0)
        asking[0].cancel()
        go.set()
        return await asyncio.gather(*asking[1:])

    found = disk_server.wait_for(twenty())
    assert loads == [id]
    assert all(table is found[0] for table in found), "expected one table object"


def test_long_games_of_one_address_delay_no_other_address(open_server, tmp_path, monkeypatch):
    server = open_server(tmp_path, proxies=1)
    long_games = [full_table(server, "mines", 2) for _ in range(registry.LOADER_THREADS)]
    other, players = full_table(server, "mines", 2)
    stranger = server.new_client()
    server.restart(stranger, *players)
    play_again, loading, go = registry.load_table, threading.Semaphore(0), threading.Event()

    def slow(table: str, saved: Any) -> Any:
        if table != other:
            loading.release()
            go.wait()
        return play_again(table, saved)

    def request(table: str) -> int:
        return Client(server.port).send("GET", f"/api/tables/{table}", None, {"X-Forwarded-For": "192.0.2.1"})[0]

    monkeypatch.setattr(registry, "load_table", slow)
    with ThreadPoolExecutor() as requests:
        try:
            replies = [requests.submit(request, table) for table, _ in long_games]
            for _ in range(registry.LOADER_THREADS - 1):
                assert loading.acquire(timeout=WAIT_TIMEOUT_S), "expected the games to be loaded beside each other"
            stranger.headers["X-Forwarded-For"] = "192.0.2.2"
            stranger.get_table(other)
            assert not any(reply.done() for reply in replies)
        finally:
            go.set()
    assert [reply.result() for reply in replies] == [200] * registry.LOADER_THREADS, "expected all in the end"


@pytest.mark.parametrize(
    ("addresses", "cancelled", "expected"), [("aaabbbc", (), "ababcab"), ("aaaabc", (0, 2), "abaca")]
)
def test_load_turns_alternate_and_survive_cancelled_requests(addresses, cancelled, expected):
    order: list[str] = []

    async def load(turns: LoadTurns, address: str) -> None:
        requesting_address.set(address)
        async with turns.turn():
            order.append(address)
            await asyncio.sleep(0)

    async def request_all() -> None:
        turns = LoadTurns(2)
        requests = [asyncio.ensure_future(load(turns, address)) for address in addresses]
        await asyncio.sleep(0)
        for k in cancelled:  # the first has a turn, the other waits for one
            requests[k].cancel()
        await asyncio.gather(*requests, return_exceptions=True)
        async with turns.turn(), turns.turn():  # the server itself
            pass

    run_in_loop(request_all())
    assert "".join(order) == expected, "expected addresses to alternate"


UPDATE_HEADER = "UPDATE tables SET header = ? WHERE id = ?"
UPDATE_PLACES = "UPDATE tables SET seating = ? WHERE id = ?"
UPDATE_ENTRY = "UPDATE entries SET text = ? WHERE n = 1 AND table_id = ?"


def alter_header(header: bytes, **more: Any) -> bytes:
    return json.dumps({**json.loads(header), **more}).encode()


DAMAGE = {
    "a header that is noise": (UPDATE_HEADER, lambda header, places: b"\xff\x00{"),
    "a header of an unknown game": (UPDATE_HEADER, lambda header, places: alter_header(header, game="hearts")),
    "a header with a billion seats": (UPDATE_HEADER, lambda header, places: alter_header(header, seats=10**9)),
    "a header with an unknown option": (UPDATE_HEADER, lambda header, places: alter_header(header, options={"wind": 1})),
    "a game by rules of another day": (UPDATE_HEADER, lambda header, places: alter_header(header, version=999)),
    "a secret that is none": (UPDATE_HEADER, lambda header, places: alter_header(header, secret="secret")),
    "places that are noise": (UPDATE_PLACES, lambda header, places: b"[]"),
    "places of too few": (UPDATE_PLACES, lambda header, places: alter_header(places, seats=json.loads(places)["seats"][:1])),
    "a seat of an unknown kind": (UPDATE_PLACES, lambda header, places: places.replace(b'"person"', b'"king"')),
    "a nonce that is none": (UPDATE_PLACES, lambda header, places: alter_header(places, nonces=["x", "y"])),
    "nonces that are too long": (UPDATE_PLACES, lambda header, places: alter_header(places, nonces=["00" * 300, ""])),
    "no nonces though cards are dealt": (UPDATE_PLACES, lambda header, places: alter_header(places, nonces=[])),
    "words that are noise": (UPDATE_ENTRY, lambda header, places: "\x00"),
    "an answer to another question": (UPDATE_ENTRY, lambda header, places: "play H7"),
    "an answer that is not legal": (UPDATE_ENTRY, lambda header, places: "claim 99"),
    "an undo into the future": (UPDATE_ENTRY, lambda header, places: "undo 7"),
    "an answer from a seat that is not there": ("UPDATE entries SET seat = ? WHERE n = 1 AND table_id = ?", lambda *_: 9),
    "a time before all times": ("UPDATE entries SET at_ms = ? WHERE n = 1 AND table_id = ?", lambda *_: -1),
    "an entry that is missing": ("DELETE FROM entries WHERE n = ? AND table_id = ?", lambda *_: 1),
    "a phase that is none": ("UPDATE tables SET phase = ? WHERE id = ?", lambda *_: "resting"),
    "a game that is over and is not": ("UPDATE tables SET phase = ? WHERE id = ?", lambda *_: "over"),
}  # fmt: skip


@pytest.mark.later
def test_damaged_table_is_reported_and_affects_no_other(open_server, tmp_path):
    server: LiveServer = open_server(tmp_path)
    guests = [server.new_client() for _ in range(2)]
    ids = {}
    for kind in ("sound", *DAMAGE):
        ids[kind] = guests[0].create_open_table(substitute_after_s=0, private=False)
        guests[1].sit(ids[kind])
        for _ in range(3):
            answer_next(guests, ids[kind])
    before = guests[0].get_table(ids["sound"])
    server.close()
    disk = apsw.Connection(str(tmp_path / "diamonds.sqlite"))
    for kind, (statement, value) in DAMAGE.items():
        header, places = disk.execute("SELECT header, seating FROM tables WHERE id = ?", (ids[kind],)).fetchone()
        disk.execute(statement, (value(header, places), ids[kind]))
        assert disk.changes() == 1
    disk.close()
    server.open(*guests)

    mine = {line["id"]: line["phase"] for line in guests[0].get("/api/tables")["your_tables"]}
    unknown = "a table that cannot be played here is offered as if it could"
    assert mine[ids["a game by rules of another day"]] == "damaged", unknown
    assert [*mine] == [*ids.values()][::-1], "expected an unchanged lobby"
    stranger = Client(server.port)
    for kind, id in ids.items():
        if kind == "sound":
            continue
        for _ in range(2):
            said = stranger.get(f"/api/tables/{id}", expect=None)
            assert stranger.status == 410, f"{kind}: the table replies {stranger.status} {said}"
            assert said["error"].startswith("This table is damaged"), kind
        guests[1].answer(id, 3, "dig 1", expect=410)
        guests[1].post(f"/api/tables/{id}/sit", {}, 410)
        assert stranger.send("GET", f"/api/tables/{id}/stream")[0] == 410, kind
        assert stranger.send("GET", f"/api/tables/{id}/record")[0] == 410, kind
    lobby = guests[0].get("/api/tables")
    assert {line["id"]: line["phase"] for line in lobby["your_tables"]} == {
        id: "playing" if kind == "sound" else "damaged" for kind, id in ids.items()
    }

    after = guests[0].get_table(ids["sound"])
    assert {**after, "version": 0} == {**before, "version": 0}, "expected the intact table to be unchanged"
    guests[0].open_stream(ids["sound"])
    listed = wait_until(lambda: guests[0].get("/api/tables")["tables"], "expected the intact table in the lobby")
    assert [line["id"] for line in listed] == [ids["sound"]], "expected no damaged tables in the lobby"
    answer_next(guests, ids["sound"])
