"""Tables that are loaded: once however many ask, beside the others, with versions that never go back; and damaged ones."""

from __future__ import annotations

import asyncio
import json
import threading
from pathlib import Path
from typing import Any

import apsw
import pytest
from guests import Guest, House, first_legal, full_table, put_to_sleep, until

from diamonds.server.house import shelf


def reserved(folder: Path) -> int:
    """The numbers for changes that are reserved on disk."""
    disk = apsw.Connection(str(folder / "diamonds.sqlite"))
    try:
        return int(disk.execute("SELECT value FROM meta WHERE key = 'reserved'").get)
    finally:
        disk.close()


# Versions


@pytest.mark.later
def test_a_version_never_goes_back_though_a_table_has_changed_twenty_thousand_times(open_house, tmp_path):
    house = open_house(tmp_path)
    id, guests = full_table(house, "mines", 2)
    begun = guests[0].look(id)["version"]

    def change_often() -> None:
        table = house.app.tables.get(id)
        for _ in range(20_000):
            house.app.tables.changed(table, look=False)

    house.call(change_often)
    told = until(lambda: (v := guests[0].look(id)["version"]) >= begun + 20_000 and v, "not every change was counted")
    assert told & 0xFFFF_FFFF < reserved(tmp_path), "a number was told before it was reserved"
    house.restart(*guests)
    assert guests[0].look(id)["version"] >= told, "after a restart the version is a smaller one"
    for _ in range(3):
        house.restart(*guests)
    assert told >> 32 == guests[0].look(id)["version"] >> 32 == 0, "the numbers of changes have run into n"


def test_numbers_are_told_only_once_they_are_reserved(open_house, tmp_path, monkeypatch):
    house = open_house(tmp_path)
    id, guests = full_table(house, "mines", 2)
    held = []

    async def hold_back(numbers: int) -> int:
        held.append(numbers)
        await asyncio.Event().wait()
        return 0

    monkeypatch.setattr(house.app.store, "reserve", hold_back)
    durable = reserved(tmp_path)

    def change_often() -> None:
        for _ in range(2 * durable):
            house.app.tables.changed(house.app.tables.get(id), look=False)

    house.call(change_often)
    assert guests[0].look(id)["version"] == durable - 1, "a number was told that is not reserved, or one was held back"
    assert len(held) == 1, "the same numbers are reserved again and again"


def test_a_table_that_was_asleep_comes_back_with_no_smaller_version(open_house, tmp_path):
    house = open_house(tmp_path)
    id, guests = full_table(house, "mines", 2)
    for k in range(5):
        guests[0].post(f"/api/tables/{id}/chat", {"text": "Hello", "key": f"hello-{k:03d}"}, 200)
    before = guests[0].look(id)["version"]
    put_to_sleep(house, id)
    assert guests[0].look(id)["version"] >= before


def test_a_full_log_takes_no_more_and_says_so(house, monkeypatch):
    from diamonds.server.house import tables

    monkeypatch.setattr(tables, "MOST_ENTRIES", 1)
    id, guests = full_table(house, "mines", 2)
    for status in (200, 409):
        message = next(m for g in guests if (m := g.look(id))["ask"])
        guests[message["seat"]].answer(id, message["n"], first_legal(message), expect=status)
    assert house.app.tables.get(id).n == 1


# Loading


def test_a_table_is_loaded_once_however_many_ask_and_whoever_goes_away(open_house, tmp_path, monkeypatch):
    house = open_house(tmp_path)
    id, guests = full_table(house, "mines", 2)
    house.restart(*guests)
    load, loads, go = house.app.store.load, [], asyncio.Event()

    async def counted(table: str) -> Any:
        loads.append(table)
        await go.wait()
        return await load(table)

    monkeypatch.setattr(house.app.store, "load", counted)

    async def twenty() -> list[Any]:
        asking = [asyncio.ensure_future(house.app.tables.shelf.find(id)) for _ in range(20)]
        await asyncio.sleep(0)
        asking[0].cancel()
        go.set()
        return await asyncio.gather(*asking[1:])

    found = house.wait_for(twenty())
    assert loads == [id]
    assert all(table is found[0] for table in found), "there are two tables of one name in memory"


def test_while_a_long_game_is_loaded_every_other_table_is_played_on(open_house, tmp_path, monkeypatch):
    house = open_house(tmp_path)
    long, guests = full_table(house, "mines", 2)
    other, players = full_table(house, "mines", 2)
    house.restart(*guests, *players)
    play_again, loading, go = shelf._load, threading.Event(), threading.Event()

    def slow(table: str, saved: Any) -> Any:
        if table == long:
            loading.set()
            go.wait()
        return play_again(table, saved)

    monkeypatch.setattr(shelf, "_load", slow)
    waits = threading.Thread(target=guests[0].look, args=(long,))
    waits.start()
    try:
        loading.wait()
        message = next(m for g in players if (m := g.look(other))["ask"])
        players[message["seat"]].answer(other, message["n"], first_legal(message))
        assert waits.is_alive()
    finally:
        go.set()
        waits.join()


# Damage

HEADER = "UPDATE tables SET header = ? WHERE id = ?"
PLACES = "UPDATE tables SET seating = ? WHERE id = ?"
WORDS = "UPDATE entries SET text = ? WHERE n = 1 AND table_id = ?"


def changed(header: bytes, **more: Any) -> bytes:
    return json.dumps({**json.loads(header), **more}).encode()


DAMAGE = {
    "a header that is noise": (HEADER, lambda header, places: b"\xff\x00{"),
    "a header that is empty": (HEADER, lambda header, places: b""),
    "a header of an unknown game": (HEADER, lambda header, places: changed(header, game="hearts")),
    "a header with a billion seats": (HEADER, lambda header, places: changed(header, seats=10**9)),
    "a header with an unknown option": (HEADER, lambda header, places: changed(header, options={"wind": 1})),
    "a game by rules of another day": (HEADER, lambda header, places: changed(header, version=999)),
    "a secret that is none": (HEADER, lambda header, places: changed(header, secret="secret")),
    "places that are noise": (PLACES, lambda header, places: b"[]"),
    "places of too few": (PLACES, lambda header, places: changed(places, seats=json.loads(places)["seats"][:1])),
    "a seat of an unknown kind": (PLACES, lambda header, places: places.replace(b'"person"', b'"king"')),
    "a nonce that is none": (PLACES, lambda header, places: changed(places, nonces=["x", "y"])),
    "nonces that are too long": (PLACES, lambda header, places: changed(places, nonces=["00" * 300, ""])),
    "no nonces though cards are dealt": (PLACES, lambda header, places: changed(places, nonces=[])),
    "words that are noise": (WORDS, lambda header, places: "\x00"),
    "an answer to another question": (WORDS, lambda header, places: "play H7"),
    "an answer that is not legal": (WORDS, lambda header, places: "claim 99"),
    "an undo into the future": (WORDS, lambda header, places: "undo 7"),
    "an answer from a seat that is not there": ("UPDATE entries SET seat = ? WHERE n = 1 AND table_id = ?", lambda *_: 9),
    "a time before all times": ("UPDATE entries SET at_ms = ? WHERE n = 1 AND table_id = ?", lambda *_: -1),
    "an entry that is missing": ("DELETE FROM entries WHERE n = ? AND table_id = ?", lambda *_: 1),
    "a phase that is none": ("UPDATE tables SET phase = ? WHERE id = ?", lambda *_: "resting"),
    "a game that is over and is not": ("UPDATE tables SET phase = ? WHERE id = ?", lambda *_: "over"),
}  # fmt: skip


@pytest.mark.later
def test_a_damaged_table_is_said_to_be_damaged_and_costs_nobody_else_anything(open_house, tmp_path):
    house: House = open_house(tmp_path)
    guests = [house.guest() for _ in range(2)]
    ids = {}
    for kind in ("sound", *DAMAGE):
        ids[kind] = guests[0].make(game="mines", seats=2, places=["me", "open"], takeover=0, private=False)
        guests[1].sit(ids[kind])
        for _ in range(3):
            message = next(m for g in guests if (m := g.look(ids[kind]))["ask"])
            guests[message["seat"]].answer(ids[kind], message["n"], first_legal(message))
    before = guests[0].look(ids["sound"])
    house.close()
    disk = apsw.Connection(str(tmp_path / "diamonds.sqlite"))
    for kind, (statement, value) in DAMAGE.items():
        header, places = disk.execute("SELECT header, seating FROM tables WHERE id = ?", (ids[kind],)).fetchone()
        disk.execute(statement, (value(header, places), ids[kind]))
        assert disk.changes() == 1
    disk.close()
    house.open()
    for guest in guests:
        guest.hang_up()

    mine = {line["id"]: line["phase"] for line in guests[0].get("/api/tables")["mine"]}
    unknown = "a table that cannot be played here is offered as if it could"
    assert mine[ids["a game by rules of another day"]] == "damaged", unknown
    assert [*mine] == [*ids.values()][::-1], "the lobby is another"
    stranger = Guest(house.port)
    for kind, id in ids.items():
        if kind == "sound":
            continue
        for _ in range(2):
            said = stranger.get(f"/api/tables/{id}", expect=None)
            assert stranger.status == 410, f"{kind}: the table answers {stranger.status} {said}"
            assert said["error"].startswith("This table is damaged"), kind
        guests[1].answer(id, 3, "dig 1", expect=410)
        guests[1].post(f"/api/tables/{id}/sit", {}, 410)
        assert stranger.send("GET", f"/api/tables/{id}/stream")[0] == 410, kind
        assert stranger.send("GET", f"/api/tables/{id}/record")[0] == 410, kind
    lobby = guests[0].get("/api/tables")
    assert {line["id"]: line["phase"] for line in lobby["mine"]} == {
        id: "playing" if kind == "sound" else "damaged" for kind, id in ids.items()
    }

    after = guests[0].look(ids["sound"])
    assert {**after, "version": 0} == {**before, "version": 0}, "the sound table is another"
    guests[0].listen(ids["sound"])
    listed = until(lambda: guests[0].get("/api/tables")["tables"], "no sound table is listed")
    assert [line["id"] for line in listed] == [ids["sound"]], "strangers are shown damaged tables"
    message = next(m for g in guests if (m := g.look(ids["sound"]))["ask"])
    guests[message["seat"]].answer(ids["sound"], message["n"], first_legal(message))
