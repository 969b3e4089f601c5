"""Where it is whose turn: told to whoever is here, live, and the same after a restart."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw
import pytest
from guests import Guest, House, Tap, first_legal, full_table, until
from timepiece import Timepiece

from diamonds.server.house import patience

DAY = 86_400_000


def check_kept(house: House, table: str) -> None:
    """What is kept of whose turn it is at a table says the same as its game."""
    found = house.app.tables.get(table)
    for seat, place in enumerate(found.places.seats):
        asked = bool(int(found.play.state["to_act"]) >> seat & 1)
        kept = table in house.run(house.app.turns.of(place.person))
        assert kept == asked, f"Seat {seat} is {'not ' * (not asked)}asked, and it is kept otherwise."


class Turned:
    """What somebody hears of their turns on a page that has no other stream."""

    def __init__(self, guest: Guest) -> None:
        self.tap = Tap(guest.port, "/api/turns", guest.headers, "turns")

    @property
    def now(self) -> list[Any]:
        """Their turns as they were told last; nothing if they have not been told."""
        return self.tap.messages[-1]["turns"] if self.tap.messages else [None]

    def wait_for(self, *tables: str) -> list[Any]:
        """Wait until it is their turn at these tables, in this order."""
        until(lambda: [turn and turn["table"] for turn in self.now] == [*tables], f"It is not their turn at {tables}.")
        return self.now


def asked_first(guests: list[Guest], table: str) -> tuple[Guest, Guest]:
    """Of two at a table: who is asked, and the other."""
    first = guests[0].look(table)["view"]["to_act"][0]
    return guests[first], guests[1 - first]


def answer(guest: Guest, table: str) -> None:
    """The first legal answer."""
    message = guest.look(table)
    guest.answer(table, message["n"], first_legal(message))


def answer_until_other(guest: Guest, table: str) -> None:
    """Answer until somebody else is asked."""
    while guest.look(table)["ask"]:
        answer(guest, table)


def answer_until(guest: Guest, table: str, other: Guest) -> None:
    """Answer as long as somebody else is not asked."""
    while not other.look(table)["ask"]:
        answer(guest, table)


def test_whoever_is_asked_at_a_table_with_a_clock_is_told_so_wherever_they_are(
    timed_house: House, time: Timepiece
) -> None:
    table, guests = full_table(timed_house, "mines", 2, clock={"days": 2})
    asked, other = asked_first(guests, table)
    hers, his = Turned(asked), Turned(other)
    (turn,) = hers.wait_for(table)
    his.wait_for()
    assert turn["game"] == "mines", turn
    assert turn["others"] == [other.get("/api/me")["name"]], f"It says with whom: {turn}"
    assert turn["until"] == hers.tap.messages[-1]["now"] + 2 * DAY, f"There are two days for it: {turn}"
    answer_until_other(asked, table)
    hers.wait_for()
    his.wait_for(table)


def test_the_table_with_the_least_time_left_comes_first(timed_house: House, time: Timepiece) -> None:
    ann, ben = timed_house.guest(), timed_house.guest()
    tables = []
    for days in (3, 1, 2):
        id = ann.make(game="mines", seats=2, places=["me", "open"], clock={"days": days})
        ben.sit(id, seat=1, invite=ann.invite)
        tables.append(id)
    hers = [id for id in tables if ann.look(id)["ask"]]
    in_time = sorted(hers, key=lambda id: {tables[0]: 3, tables[1]: 1, tables[2]: 2}[id])
    Turned(ann).wait_for(*in_time)
    Turned(ben).wait_for(*[id for id in (tables[1], tables[2], tables[0]) if id not in hers])


@pytest.mark.parametrize("clock", [{"days": 2}, None], ids=["days", "no clock"])
def test_turns_are_the_same_after_a_restart_and_without_its_tables_in_memory(
    clock: Any, tmp_path: Path, open_house: Callable[..., House]
) -> None:
    house = open_house(tmp_path)
    table, guests = full_table(house, "mines", 2, clock=clock)
    asked, other = asked_first(guests, table)
    answer_until_other(asked, table)
    house.restart(*guests)
    assert house.app.tables.shelf.get(table) is None, "The table is in memory before anybody asked for it."
    Turned(other).wait_for(table)
    Turned(asked).wait_for()
    assert house.app.tables.shelf.get(table) is None, "To know whose turn it is no game is played again."


def test_games_that_an_older_house_kept_tell_whose_turn_it_is_and_from_then_on_it_is_known(
    tmp_path: Path, open_house: Callable[..., House]
) -> None:
    house = open_house(tmp_path)
    table, guests = full_table(house, "mines", 2)
    asked, other = asked_first(guests, table)
    answer_until_other(asked, table)
    house.close()
    with contextlib.closing(apsw.Connection(str(tmp_path / "diamonds.sqlite"))) as disk:
        disk.execute("UPDATE tables SET to_act = NULL")
    house.open()
    for guest in guests:
        guest.hang_up()
    assert house.app.tables.shelf.all() == [], "All games are played again when the house opens."
    Turned(other).wait_for(table)
    house.restart(*guests)
    Turned(other).wait_for(table)
    Turned(asked).wait_for()
    assert house.app.tables.shelf.all() == [], "The game is played again each time."


def test_where_people_wait_for_each_other_without_a_clock_they_are_told_last_and_without_a_time(
    timed_house: House, time: Timepiece
) -> None:
    ann, ben = timed_house.guest(), timed_house.guest()
    found: dict[bool, str] = {}
    while len(found) < 2:  # a table of each kind at which Ann is asked
        timed = True not in found
        id = ann.make(game="mines", seats=2, places=["me", "open"], clock={"days": 1} if timed else None)
        ben.sit(id, seat=1, invite=ann.invite)
        known = timed_house.kept.playing(timed_house.app.tables.get(id).header.host)
        assert all(one.clocks or one.asked is not None for one in known), "Who is asked first is not written down."
        if ann.look(id)["ask"]:
            found[timed] = id
        else:
            ann.post(f"/api/tables/{id}/stand", {"key": f"stand-{id}"}, 200)
    hers = Turned(ann)
    turn = hers.wait_for(found[True], found[False])[1]
    assert (turn["until"], turn["days"], turn["game"]) == (None, 0, "mines"), turn
    assert turn["others"] == [ben.get("/api/me")["name"]], turn
    answer_until_other(ann, found[False])
    hers.wait_for(found[True])
    Turned(ben).wait_for(found[False])
    check_kept(timed_house, found[False])
    time.pass_by(patience.ALONE_AFTER)
    while ben.look(found[False])["ask"]:
        ann.post(f"/api/tables/{found[False]}/let-answer", {"seat": 1, "key": f"let-{time.wall}"}, 200)
        time.pass_by(patience.ALONE_AFTER)
        check_kept(timed_house, found[False])
    answer_until_other(ann, found[False])
    message = ben.look(found[False])
    ben.post(f"/api/tables/{found[False]}/undo", {"n": message["n"], "to": 0, "key": "undo-key"}, 200)
    ann.consent(found[False])
    hers.wait_for(found[True], found[False])
    check_kept(timed_house, found[False])


def test_who_is_alone_with_bots_is_not_reminded_until_somebody_else_is_back(
    tmp_path: Path, open_house: Callable[..., House]
) -> None:
    house = open_house(tmp_path)
    ann, ben = house.guest(), house.guest()
    alone = ann.make(game="crystals", seats=2, places=["me", "bot:simple"])
    table = ann.make(game="crystals", seats=2, places=["me", "open"])
    ben.sit(table, seat=1, invite=ann.invite)
    answer_until(ben, table, ann)
    until(lambda: ann.look(alone)["ask"], "Ann is never asked.")
    Turned(ann).wait_for(table)
    ben.post(f"/api/tables/{table}/stand", {"key": "stand-key"}, 200)
    answer(ann, table)
    hers = Turned(ann)
    hers.wait_for()
    house.restart(ann, ben)
    hers = Turned(ann)
    hers.wait_for()
    ben.sit(table, seat=1, invite=ann.invite)
    asked = [guest for guest in (ann, ben) if guest.look(table)["ask"]]
    house.restart(ann, ben)
    for guest in (ann, ben):
        Turned(guest).wait_for(*[table] * (guest in asked))


def test_at_a_table_that_hosts_have_closed_it_is_nobodys_turn(house: House) -> None:
    table, guests = full_table(house, "mines", 2)
    asked, _ = asked_first(guests, table)
    hers = Turned(asked)
    hers.wait_for(table)
    house.run(house.app.tables.shut(table, "why"))
    hers.wait_for()
    Turned(asked).wait_for()


def test_when_clocks_stand_still_nobody_is_reminded(timed_house: House, time: Timepiece) -> None:
    table, guests = full_table(timed_house, "mines", 2, clock={"days": 2})
    asked, other = asked_first(guests, table)
    told = Turned(asked)
    told.wait_for(table)
    other.post(f"/api/tables/{table}/pause", {"on": True, "key": "pause-0001"}, 200)
    asked.consent(table)
    told.wait_for()
    asked.post(f"/api/tables/{table}/pause", {"on": False, "key": "pause-0002"}, 200)
    told.wait_for(table)


def test_a_browser_is_told_on_the_stream_that_it_has_anyway_and_a_program_is_not(timed_house: House) -> None:
    table, guests = full_table(timed_house, "mines", 2, clock={"days": 2})
    asked, _ = asked_first(guests, table)
    program = asked.listen(table)
    until(lambda: program.messages, "Nothing is told.")
    browser = Guest(timed_house.port)
    browser.send("GET", "/")
    cookie = browser.reply_headers["set-cookie"].partition(";")[0]
    for path in (f"/api/tables/{table}/stream", "/api/lobby", "/api/turns"):
        tap = Tap(timed_house.port, path, {"Cookie": cookie})
        until(lambda tap=tap: b"event: turns\n" in tap.raw, f"On {path} nothing is told of turns.")
    assert b"event: turns" not in program.raw, "A program knows one kind of event."


def test_a_stranger_has_no_turns(house: House) -> None:
    assert Guest(house.port).get("/api/turns", 401)["id"] == "server-who-are-you"


def test_nothing_is_kept_of_who_is_gone(timed_house: House) -> None:
    table, guests = full_table(timed_house, "mines", 2, clock={"days": 2})
    asked, _ = asked_first(guests, table)
    told = Turned(asked)
    told.wait_for(table)
    told.tap.close()
    until(lambda: not timed_house.call(lambda: timed_house.app.turns._people), "Who is gone is remembered.")
