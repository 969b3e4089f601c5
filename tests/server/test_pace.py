"""A table has a pace, by which its bots answer; who plays alone against them may hurry them on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from guests import Guest, House, first_legal, full_table, until

from diamonds.server.wire.app import Setup
from diamonds.server.wire.limits import OFF
from diamonds.server.work import pace
from diamonds.server.work.pace import next_beat

BY_PACE = Setup(None, OFF)


@pytest.fixture
def patient(open_house: Callable[..., House], monkeypatch: pytest.MonkeyPatch) -> House:
    """A house where bots answer at once at a quick table and when hurried, and at others not for an hour."""
    monkeypatch.setattr(pace, "BEATS", {"quick": 0.0, "steady": 3600.0, "calm": 3600.0})
    monkeypatch.setattr(pace, "HURRIED", 0.0)
    return open_house(settings=BY_PACE)


def waits_for_bots(house: House, guest: Guest, **more: Any) -> str:
    """A table of fourteen at which a bot is asked and lets everybody wait."""
    while True:
        id = guest.make(game="fourteen", seats=3, **more)
        if not guest.look(id)["ask"]:
            table = house.app.tables.get(id)
            until(lambda table=table: table.here.bots, "no bot is about to answer")
            return id


def hurry(guest: Guest, id: str, expect: int = 200) -> Any:
    return guest.post(f"/api/tables/{id}/hurry", {}, expect)


def test_an_answer_is_given_on_the_first_beat_after_it_was_found() -> None:
    assert next_beat(10.0, 10.0, 0.4) == pytest.approx(10.4), "what is found at once waits for a beat as well"
    assert next_beat(10.0, 10.39, 0.4) == pytest.approx(10.4)
    assert next_beat(10.0, 10.4, 0.4) == pytest.approx(10.4)
    assert next_beat(10.0, 10.41, 0.4) == pytest.approx(10.8), (
        "what is found later is given on a beat, not when it is found"
    )
    assert next_beat(10.0, 10.7, 0.0) == 10.7


def test_a_table_has_the_pace_that_its_maker_chose_and_changes_and_a_restart_keeps_it(
    open_house: Callable[..., House], tmp_path: Path
) -> None:
    house = open_house(tmp_path, settings=Setup((30, 30), OFF))
    maker, other = house.guest(), house.guest()
    id = maker.make(game="mines", seats=2, places=["me", "open"], pace="calm")
    other.sit(id, invite=maker.invite)
    assert other.look(id)["table"]["pace"] == "calm"
    other.post(f"/api/tables/{id}/pace", {"pace": "quick"}, 403)
    maker.post(f"/api/tables/{id}/pace", {"pace": "hasty"}, 400)
    change = {"pace": "quick", "key": "pace-key-1"}
    done = maker.post(f"/api/tables/{id}/pace", change, 200)
    assert other.look(id)["table"]["pace"] == "quick"
    assert other.look(id)["n"] == 0, "a pace is no move"
    house.restart(maker, other)
    assert other.look(id)["table"]["pace"] == "quick", "a restart forgot the pace"
    assert maker.post(f"/api/tables/{id}/pace", change, 200) == done
    assert maker.look(maker.make(game="mines", seats=2))["table"]["pace"] == "steady"


def test_a_new_pace_holds_for_the_bot_that_is_just_waiting_for_its_beat(patient: House) -> None:
    guest = patient.guest()
    id = waits_for_bots(patient, guest)
    guest.post(f"/api/tables/{id}/pace", {"pace": "quick"}, 200)
    until(lambda: guest.look(id)["ask"], "a bot still goes by the old pace")


def test_who_plays_alone_against_bots_hurries_them_up_to_their_own_next_question_and_no_further(patient: House) -> None:
    guest = patient.guest()
    id = waits_for_bots(patient, guest)
    table = patient.app.tables.get(id)
    hurry(guest, id)
    message = until(lambda: (m := guest.look(id))["ask"] and m, "the bots do not hurry")
    hurry(guest, id)  # who is asked has nothing to hurry
    guest.answer(id, message["n"], first_legal(message))
    until(lambda: table.here.bots, "no bot is about to answer")
    assert guest.look(id)["n"] == message["n"] + 1
    assert not table.here.hurried, "bots are hurried that nobody has hurried"
    hurry(guest, id)
    until(lambda: guest.look(id)["ask"], "the bots do not hurry a second time")


def test_only_who_has_the_one_seat_that_a_person_has_may_hurry_bots(patient: House) -> None:
    guest, watcher = patient.guest(), patient.guest()
    id = waits_for_bots(patient, guest, private=False)
    table = patient.app.tables.get(id)
    hurry(watcher, id, 403)
    Guest(patient.port).post(f"/api/tables/{id}/hurry", {}, 401)
    assert not table.here.hurried
    waiting = guest.make(game="mines", seats=2, places=["me", "open"])
    assert hurry(guest, waiting, 409)["error"].startswith("The game has not begun")
    with_people, people = full_table(patient, "mines", 2)
    for one in people:
        before = one.look(with_people)
        refused = hurry(one, with_people, 409)
        assert refused["error"] == "Only who plays alone against bots may hurry them."
        assert one.look(with_people) == before
    assert not patient.app.tables.get(with_people).here.hurried


def test_where_a_second_person_has_a_seat_nobody_is_hurried_any_more(patient: House) -> None:
    guest = patient.guest()
    id = waits_for_bots(patient, guest)
    table = patient.app.tables.get(id)

    def somebody_comes() -> None:
        table.here.hurried = True
        places = table.copy_of_places()
        places.seats[1].kind, places.seats[1].person = "person", "somebody"
        table.places = places
        patient.app.tables.bots.look(table)

    patient.call(somebody_comes)
    assert not table.here.hurried
    hurry(guest, id, 409)
