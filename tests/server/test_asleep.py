"""Tables at which nobody looks are asleep: they wake as they were, and nobody is answered otherwise because they slept."""

from __future__ import annotations

import random
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from guests import Guest, House, first_legal, full_table, put_to_sleep, until
from timepiece import Timepiece, clocks_at

LIVE = {"start": 60, "increment": 5}
DAYS = {"days": 3}
SECOND, MINUTE, DAY = 1_000, 60_000, 86_400_000


def play(guests: list[Guest], id: str, answers: int, rng: random.Random) -> None:
    """So many answers, or all that there are; whichever they are."""
    for _ in range(answers):
        to_act = guests[0].look(id)["view"]["to_act"]
        if not to_act:
            return
        message = guests[to_act[0]].look(id)
        words = f"{message['ask']['question']} {rng.choice(message['ask']['legal'])}"
        guests[to_act[0]].answer(id, message["n"], words)


def all_that_is_told(readers: list[Guest], id: str) -> list[Any]:
    """What each of these is told of a table, from its first deal on and as one who has just come, and the pad. Versions grow."""
    told = []
    for reader in readers:
        for path in ("", "?after=0"):
            message = reader.get(f"/api/tables/{id}{path}")
            told.append({name: value for name, value in message.items() if name != "version"})
        told.append(reader.send("GET", f"/api/tables/{id}/pad"))
    return told


@pytest.mark.parametrize(
    ("game", "seats", "more"),
    [
        pytest.param("crystals", 4, {}, marks=pytest.mark.later),
        ("crystals", 4, {"options": {"partnership": True, "memory_aid": False}, "clock": LIVE}),
        ("fourteen", 3, {"clock": DAYS}),
        ("mines", 2, {"clock": LIVE}),
    ],
)
def test_a_table_wakes_as_it_was_for_everyone(
    time: Timepiece, open_house: Callable[..., House], tmp_path: Path, game: str, seats: int, more: dict[str, Any]
) -> None:
    house, rng = open_house(tmp_path), random.Random(game)
    id, guests = full_table(house, game, seats, **more)
    readers = [*guests, Guest(house.port)]
    time.pass_by(7 * SECOND)
    for answers in (0, 30, 3):
        play(guests, id, answers, rng)
        if answers == 30 and not more:
            last = guests[0].look(id)
            guests[0].post(f"/api/tables/{id}/undo", {"n": last["n"], "to": last["n"] - 2, "key": "back-0001"})
        before, version = all_that_is_told(readers, id), guests[0].look(id)["version"]
        put_to_sleep(house, id)
        assert all_that_is_told(readers, id) == before, f"after {answers} answers and some sleep others things are told"
        assert guests[0].look(id)["version"] >= version, "the version has gone back"


@pytest.mark.later
def test_a_finished_game_wakes_with_its_record_and_all_that_was_told(
    open_house: Callable[..., House], tmp_path: Path
) -> None:
    house = open_house(tmp_path)
    id, guests = full_table(house, "mines", 2)
    play(guests, id, 1_000, random.Random(5))
    assert guests[0].look(id)["table"]["phase"] == "over"
    readers = [*guests, Guest(house.port)]
    kept = [
        all_that_is_told(readers, id),
        *(guests[0].get(f"/api/tables/{id}/{what}") for what in ("record", "replay")),
    ]
    put_to_sleep(house, id)
    again = [
        all_that_is_told(readers, id),
        *(guests[0].get(f"/api/tables/{id}/{what}") for what in ("record", "replay")),
    ]
    assert again == kept


def test_a_reader_who_comes_back_with_their_last_version_is_told_what_happened_since_and_no_more(
    open_house: Callable[..., House], tmp_path: Path
) -> None:
    house, rng = open_house(tmp_path), random.Random(3)
    id, guests = full_table(house, "crystals", 3)
    play(guests, id, 15, rng)
    tap = guests[0].listen(id)
    n = tap.wait_for(15)["n"]
    tap.close()
    last = max(int(found) for found in re.findall(rb"id: (\d+)", tap.raw))
    put_to_sleep(house, id)
    quiet = guests[0].listen(id, **{"Last-Event-ID": str(last)})
    message = quiet.wait_for(n)
    assert message["version"] >= last, "a version was told that is older than the last one"
    assert message["told"] == [], "something was told twice"
    quiet.close()
    put_to_sleep(house, id)
    play(guests, id, 4, rng)
    put_to_sleep(house, id)
    tap = guests[0].listen(id, **{"Last-Event-ID": str(last)})
    message = tap.wait_for(n + 4)
    assert message["version"] > last
    assert {told["n"] for told in message["told"]} == set(range(n + 1, n + 5)), "not what happened meanwhile was told"
    play(guests, id, 1, rng)
    assert tap.wait_for(n + 5)["version"] > message["version"]
    tap.close()


@pytest.mark.later
def test_with_a_hundred_tables_asleep_everyones_list_is_as_before(
    open_house: Callable[..., House], tmp_path: Path
) -> None:
    house = open_house(tmp_path)
    ann, bob, watcher = (house.guest() for _ in range(3))
    ids = []
    for k in range(100):
        ids.append(ann.make(game="mines", seats=2, places=["me", "open"], takeover=0, private=k % 2 == 0))
        if k >= 60:
            bob.sit(ids[-1], seat=1, invite=ann.invite)
    put_to_sleep(house, *ids)  # so that nobody counts as having been there a moment ago
    lists = [reader.get("/api/tables") for reader in (ann, bob, watcher)]
    assert sum(line["turn"] for line in lists[0]["mine"] + lists[1]["mine"]) == 40, (
        "of forty games each is somebody's turn"
    )
    assert lists[2] == {"tables": [], "mine": []}, "a table is shown at which nobody is"
    put_to_sleep(house, *(table.id for table in house.app.tables.shelf.all()))
    assert [reader.get("/api/tables") for reader in (ann, bob, watcher)] == lists


@pytest.mark.later
def test_a_kill_while_tables_sleep_takes_nothing_and_no_version_goes_back(
    time: Timepiece, open_house: Callable[..., House], tmp_path: Path
) -> None:
    house = open_house(tmp_path / "first")
    id, guests = full_table(house, "fourteen", 3, clock=DAYS)
    play(guests, id, 20, random.Random(2))
    before, version = all_that_is_told(guests, id), guests[0].look(id)["version"]
    put_to_sleep(house, id)
    shutil.copytree(tmp_path / "first", tmp_path / "second")  # what a disk has when everything else is gone
    later = open_house(tmp_path / "second")
    again = [Guest(later.port, guest.headers["Authorization"].removeprefix("Bearer ")) for guest in guests]
    assert all_that_is_told(again, id) == before
    assert again[0].look(id)["version"] >= version


def test_a_flag_falls_at_a_table_that_is_asleep(
    time: Timepiece, open_house: Callable[..., House], tmp_path: Path
) -> None:
    house = open_house(tmp_path)
    live, guests = full_table(house, "mines", 2, clock=LIVE)
    days, others = full_table(house, "mines", 2, clock=DAYS)
    [seat] = guests[0].look(live)["view"]["to_act"]
    [lost] = others[0].look(days)["view"]["to_act"]
    put_to_sleep(house, live, days)
    time.pass_by(2 * MINUTE, house)
    assert clocks_at(guests[0], live)["outs"][seat] == 1, "a clock has slept as well"
    assert clocks_at(others[0], days)["left"][lost] == 3 * DAY - 2 * MINUTE
    put_to_sleep(house, days)
    time.pass_by(3 * DAY, house)
    assert others[0].look(days)["table"]["places"][lost]["kind"] == "bot", "days have run out, and nobody noticed"


def test_who_was_reminded_and_how_long_they_are_silent_is_known_after_a_sleep(
    time: Timepiece, open_house: Callable[..., House], tmp_path: Path
) -> None:
    house = open_house(tmp_path)
    id, guests = full_table(house, "mines", 2)
    [seat] = guests[0].look(id)["view"]["to_act"]
    waits = guests[1 - seat]
    time.pass_by(MINUTE)
    waits.post(f"/api/tables/{id}/nudge", {"seat": seat}, 200)
    put_to_sleep(house, id)
    assert guests[seat].look(id)["nudges"] == [{"seat": seat, "by": 1 - seat}], "a reminder was slept through"
    assert waits.post(f"/api/tables/{id}/nudge", {"seat": seat}, 409)["id"] == "table-nudged"
    put_to_sleep(house, id)
    time.pass_by(2 * MINUTE)
    waits.post(f"/api/tables/{id}/let-answer", {"seat": seat}, 200)  # after three minutes of silence, and not before
    assert guests[0].look(id)["n"] > 0


def test_who_read_until_just_now_was_here_though_the_table_was_asked_for_long_ago(
    open_house: Callable[..., House], tmp_path: Path
) -> None:
    house = open_house(tmp_path)
    id, _ = full_table(house, "mines", 2)
    shelf, table = house.app.tables.shelf, house.app.tables.get(id)

    def read_elsewhere_for_an_hour() -> None:
        table.here.touched -= 3_600
        table.here.seen = [seen - 90 for seen in table.here.seen]
        shelf._sweep()

    house.call(read_elsewhere_for_an_hour)
    assert not shelf.has(id), "a table is awake at which nobody looks"
    assert shelf._asleep[id] is table.here, "it is forgotten at once who was here a moment ago"


def test_what_is_read_is_awake_and_what_sleeps_for_long_is_forgotten(
    open_house: Callable[..., House], tmp_path: Path
) -> None:
    house = open_house(tmp_path)
    id, guests = full_table(house, "mines", 2)
    shelf = house.app.tables.shelf
    table, tap = house.app.tables.get(id), guests[0].listen(id)
    until(lambda: table.here.is_read, "nobody reads")

    def an_hour_later() -> None:
        table.here.touched -= 3_600
        table.here.seen = [seen - 3_600 for seen in table.here.seen]
        shelf._sweep()

    house.call(an_hour_later)
    assert shelf.get(id) is table, "a table sleeps though somebody reads there"
    tap.close()
    put_to_sleep(house, id)
    assert list(shelf._asleep) == [id]
    here = shelf._asleep[id]
    here.touched, here.seen = here.touched - 10_000, [seen - 10_000 for seen in here.seen]
    house.call(shelf._sweep)
    assert not shelf._asleep
    message = next(message for guest in guests if (message := guest.look(id))["ask"])
    guests[message["seat"]].answer(id, message["n"], first_legal(message))
