"""The lobby is alive: who reads it is told of each change that concerns them, and of nothing that is not theirs to know."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from guests import Guest, House, first_legal, until

from diamonds.server.meeting import board, hall
from diamonds.server.table import presence
from diamonds.server.wire.app import Setup
from diamonds.server.wire.limits import OFF


@pytest.fixture(autouse=True)
def _changes_are_told_at_once(monkeypatch):
    monkeypatch.setattr(hall, "GATHER", 0.0)


def open_table(guest: Guest, **more) -> str:
    return guest.make(**{"game": "mines", "seats": 2, "places": ["me", "open"], "private": False, **more})


@pytest.mark.later
def test_a_table_comes_to_the_board_changes_there_and_goes_and_each_time_only_that_is_told(house, monkeypatch):
    ann, ben, eve = house.guest(), house.guest(), house.guest()
    first = open_table(ann, game="fourteen", seats=3, places=["me", "open", "bot:simple"], options={"target": 20})
    ear = eve.lobby()
    line = ear.wait_for(lambda: ear.tables.get(first), "an open table is not on the board")
    assert (line["game"], line["phase"], line["pace"], line["options"]["target"]) == (
        "fourteen",
        "waiting",
        "steady",
        20,
    )
    assert [one["kind"] for one in line["places"]] == ["person", "open", "bot"]
    assert line["places"][2]["level"] == "simple", "whose house the seat is, nobody is told"
    second = open_table(ben)
    ear.wait_for(lambda: second in ear.tables, "another table is not told of")
    assert list(ear.tables) == [first, second], "what is new goes to the end"
    assert [one["id"] for one in ear.news[-1]["put"]] == [second], "what has not changed is told again"
    ben.sit(first)
    ear.wait_for(lambda: ear.tables[first]["phase"] == "playing", "a game has begun, and the board does not say so")
    monkeypatch.setattr(presence, "LATELY", 0.0)
    monkeypatch.setattr(hall, "LOOK", 0.01)
    ear.wait_for(lambda: not ear.tables, "tables that were left stay on the board")


def test_answers_alone_change_nothing_on_the_board(house):
    ann, ben, eve = house.guest(), house.guest(), house.guest()
    id = open_table(ann)
    ben.sit(id)
    ear = eve.lobby()
    ear.wait_for(lambda: ear.tables.get(id, {}).get("phase") == "playing", "the game is not on the board")
    told = len(ear.news)
    for guest in (ann, ben):
        message = guest.look(id)
        if message["ask"]:
            guest.answer(id, message["n"], first_legal(message))
    other = open_table(eve)
    ear.wait_for(lambda: other in ear.tables, "another table is not told of")
    assert all(id not in [line["id"] for line in news.get("put", [])] for news in ear.news[told:])


def test_private_tables_and_games_against_bots_alone_and_ids_of_people_are_never_on_the_board(house):
    ann, ben, eve = house.guest(), house.guest(), house.guest()
    ear = eve.lobby()
    hidden = [
        ann.make(game="mines", seats=2, places=["me", "open"]),
        ann.make(game="mines", seats=2, private=False),
    ]
    ann.listen(hidden[0])
    ben.sit(hidden[0], invite=house.app.tables.get(hidden[0]).header.invite)
    ben.post("/api/seek", {"games": ["fourteen"], "seats": [3], "paces": ["calm"]}, 200)
    shown = open_table(ann)
    ear.wait_for(lambda: shown in ear.tables, "a public table is not on the board")
    raw = ear.tap.raw.decode()
    assert not any(id in raw for id in hidden), "a table that is nobody else's is told to strangers"
    table = house.app.tables.get(shown)
    secrets = [place.person for place in table.places.seats if place.person]
    secrets += [table.header.invite, table.header.secret, table.play.secret.hex(), table.places.seats[0].nonce]
    people = [house.run(house.app.people.identify({"headers": [(b"authorization", g.headers["Authorization"].encode())]}))[0]
              for g in (ann, ben, eve)]  # fmt: skip
    for secret in [*secrets, *people]:
        assert secret not in raw, "the board tells what identifies somebody, or a table's secret"


def test_versions_only_grow_also_over_a_restart(open_house: Callable[..., House], tmp_path: Path):
    house = open_house(tmp_path, settings=Setup((0, 0), OFF))
    ann, eve = house.guest(), house.guest()
    ear = eve.lobby()
    for _ in range(3):
        id = open_table(ann)
        ear.wait_for(lambda id=id: id in ear.tables, "a table is not told of")
    versions = [news["version"] for news in ear.news if "version" in news]
    house.restart(ann, eve)
    ear = eve.lobby()
    versions += [news["version"] for news in ear.news if "version" in news]
    assert versions == sorted(set(versions)), f"versions went back: {versions}"
    assert versions[-1] < 2**53, "JavaScript cannot count so far"


def test_who_reads_one_game_is_told_of_it_alone_and_of_a_game_that_is_not_there_404(house):
    ann, eve = house.guest(), house.guest()
    ear = eve.lobby("mines")
    other = open_table(ann, game="fourteen", seats=3, places=["me", "open", "open"])
    mine = open_table(ann)
    ear.wait_for(lambda: mine in ear.tables, "a table of the game is not told of")
    assert other not in ear.tables
    assert eve.get("/api/lobby?game=whist", 404)["id"] == "game-unknown"


def test_of_thousands_of_tables_a_reader_is_told_of_those_that_are_shown_and_how_many_more_there_are(
    house, monkeypatch
):
    monkeypatch.setitem(board.SHOWN, "waiting", 2)
    ann, eve = house.guest(), house.guest()
    ids = [open_table(ann) for _ in range(4)]
    ear = eve.lobby()
    assert ear.more == 2, "it is not told how many more there are"
    assert list(ear.tables) == ids[:2], "those that have waited longest are shown first"
    ann.post(f"/api/tables/{ids[0]}/bot", {"seat": 1, "level": "simple"}, 200)
    ear.wait_for(lambda: list(ear.tables) == ids[1:3], "the next one does not come to the end of what is shown")
    assert ear.more == 1


def test_who_falls_behind_is_sent_the_whole_and_nothing_is_kept_for_them(house):
    ann = house.guest()
    sent: list[bytes] = []

    def read() -> hall.Reader:
        async def send(event):
            sent.append(event["body"])

        reader = house.app.meeting.read("", "", send)
        reader.came()
        reader.wake()
        return reader

    reader = house.call(read)
    first = open_table(ann)
    until(lambda: first.encode() in sent[-1], "a reader is not told")
    assert b'"put"' in sent[-1]
    reader.pumping = True  # it takes nothing any more
    told = len(sent)
    others = [open_table(ann), open_table(ann)]
    ear = house.guest().lobby()
    ear.wait_for(lambda: set(others) <= ear.tables.keys(), "the board is not written")
    assert len(sent) == told
    reader.pumping = False
    house.call(reader.wake)
    whole = json.loads(sent[-1].partition(b"data: ")[2])
    assert [line["id"] for line in whole["tables"]] == [first, *others], "who fell behind is not told to read anew"
    house.call(reader.gone)


def test_streams_of_the_lobby_count_as_streams_429(open_house, tmp_path):
    house = open_house(settings=Setup((0, 0), OFF._replace(streams=2)))
    ann = house.guest()
    ears = [ann.lobby(), ann.lobby()]
    assert ann.get("/api/lobby", 429)["id"] == "server-too-many-open"
    ears[0].tap.close()
    until(lambda: max(house.app.live.counters._open.values()) == 1, "a stream that was closed still counts")
    ann.lobby()


def test_a_reader_who_leaves_leaves_nothing_behind(house):
    ears = [house.guest().lobby() for _ in range(5)]
    meeting = house.app.meeting
    assert len(meeting.hall.guests) == 5
    for ear in ears:
        ear.tap.close()
    until(lambda: not meeting.hall.guests and not any(meeting.hall.readers.values()), "readers who left are kept")
