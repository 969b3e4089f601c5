"""Clocks: how much time everyone has, what happens when it is up, and that it is kept over whatever befalls the house."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from guests import Guest, House, first_legal, full_table, until
from timepiece import Timepiece, clocks_at, look

from diamonds import deals
from diamonds.bots import bot, levels
from diamonds.game import GAMES
from diamonds.records import start
from diamonds.server.house.presets import presets

LIVE = {"start": 60, "increment": 5}
SECOND, MINUTE = 1_000, 60_000
WAY = 500


def asked_at(guests: list[Guest], table: str) -> tuple[int, Any]:
    """A seat that is asked, and what it is told."""
    seat = guests[0].look(table)["view"]["to_act"][0]
    return seat, guests[seat].look(table)


def answer_once(guests: list[Guest], table: str, **more: Any) -> int:
    """Somebody who is asked gives the first legal answer; returns the seat."""
    seat, message = asked_at(guests, table)
    body = {"n": message["n"], "answers": [first_legal(message)], "key": f"once-{message['n']:08d}", **more}
    guests[seat].post(f"/api/tables/{table}/answers", body, 200)
    return seat


def told_since(guest: Guest, table: str, n: int) -> list[Any]:
    """What was told after the first n entries, as (n, event)."""
    return [(told["n"], told["event"]) for told in guest.look(table)["told"] if told["n"] > n]


def test_a_clock_runs_while_its_seat_is_asked_and_gets_its_increment_for_the_answer(
    timed_house: House, time: Timepiece
) -> None:
    id, guests = full_table(timed_house, "mines", 2, clock=LIVE)
    seat, _ = asked_at(guests, id)
    time.pass_by(7 * SECOND)
    clocks = clocks_at(guests[1 - seat], id)
    assert clocks["runs"] == [seat], f"Only the clock of seat {seat} runs, which is asked: {clocks}"
    assert clocks["left"][seat] == MINUTE - 7 * SECOND, f"Seven seconds of its minute are gone: {clocks}"
    assert clocks["left"][1 - seat] == MINUTE, f"The other one's time stands still: {clocks}"
    asked, answers = seat, 0
    while asked == seat:
        answer_once(guests, id)
        answers += 1
        asked, _ = asked_at(guests, id)
    clocks = clocks_at(guests[0], id)
    assert clocks["left"][seat] == MINUTE - 2 * SECOND, (
        f"{answers} answers in a row brought one increment of five seconds: {clocks}"
    )
    assert clocks["runs"] == [asked]


def test_when_the_time_is_up_a_bot_answers_and_both_are_told_and_in_the_record(
    timed_house: House, time: Timepiece
) -> None:
    id, guests = full_table(timed_house, "mines", 2, clock=LIVE)
    seat, before = asked_at(guests, id)
    time.pass_by(MINUTE + WAY - 1, timed_house)
    assert guests[0].look(id)["n"] == 0, "The flag falls when the way to the player is over as well, not before."
    time.pass_by(1, timed_house)
    after = guests[1 - seat].look(id)
    told = told_since(guests[1 - seat], id, before["n"])
    assert told[0] == (1, {"event": "timeout", "seat": seat}), f"First everyone is told that the time is up: {told}"
    assert after["n"] == 2, "Then a bot has answered one question."
    assert after["clocks"]["outs"][seat] == 1
    assert after["clocks"]["left"][seat] >= 10 * SECOND, "For what comes next there are ten seconds at least."
    entries = [words for _, words, *_ in timed_house.kept.load(id).entries]
    assert entries[0] == "timeout"
    assert entries[1].endswith(" by simple"), f"The record says who answered: {entries}"


def test_the_third_time_out_of_a_live_game_loses_the_seat_and_the_game_goes_on_with_a_bot(
    timed_house: House, time: Timepiece
) -> None:
    id, guests = full_table(timed_house, "mines", 2, clock={"start": 10, "increment": 0})
    loser, _ = asked_at(guests, id)
    while clocks_at(guests[0], id)["outs"][loser] < 3:
        seat, _ = asked_at(guests, id)
        if seat == loser:
            time.pass_by(10 * SECOND + WAY, timed_house)
        else:
            answer_once(guests, id)
    message = guests[1 - loser].look(id)
    assert message["table"]["places"][loser]["kind"] == "bot", f"A bot has the seat: {message['table']['places']}"
    assert message["clocks"]["left"][loser] is None, "A bot has no clock."
    assert message["clocks"]["lost"] == [loser]
    entries = [words for _, words, *_ in timed_house.kept.load(id).entries]
    assert entries[entries.index("seat bot:simple") - 1] == "timeout", f"It was lost on time: {entries}"
    until(lambda: guests[1 - loser].look(id)["ask"], "The bot does not play on.")
    refused = guests[loser].post(f"/api/tables/{id}/sit", {}, 409)
    assert refused["id"] == "table-nobody-to-agree", "Nobody comes back to it unless the others agree."


def test_with_days_for_each_decision_the_seat_is_lost_at_once_and_an_answer_brings_all_of_them_again(
    timed_house: House, time: Timepiece
) -> None:
    day = 86_400 * SECOND
    id, guests = full_table(timed_house, "mines", 2, clock={"days": 3})
    seat, _ = asked_at(guests, id)
    time.pass_by(2 * day, timed_house)
    answer_once(guests, id)
    assert clocks_at(guests[0], id)["left"][seat] == 3 * day, "Each answer brings three days again."
    loser, _ = asked_at(guests, id)
    time.pass_by(3 * day + WAY, timed_house)
    message = guests[1 - loser].look(id)
    assert message["table"]["places"][loser]["kind"] == "bot", "Three days without an answer lose the seat."
    assert [event["event"] for _, event in told_since(guests[0], id, 1)][:2] == ["timeout", "seat"]


def to_pass_three(guests: list[Guest], table: str) -> int:
    """Who deals says that three cards are passed (C8); returns their seat."""
    seat, message = asked_at(guests, table)
    guests[seat].answer(table, message["n"], "count 3")
    return seat


def test_all_who_are_asked_at_once_run_their_clocks_and_one_who_is_out_of_time_passes_all_cards_by_one_time_out(
    timed_house: House, time: Timepiece
) -> None:
    id, guests = full_table(timed_house, "crystals", 4, clock=LIVE)
    to_pass_three(guests, id)
    clocks = clocks_at(guests[0], id)
    assert clocks["runs"] == [0, 1, 2, 3], f"All choose what they pass, at once (C9): {clocks}"
    time.pass_by(MINUTE + WAY, timed_house)
    message = guests[0].look(id)
    assert message["clocks"]["outs"] == [1, 1, 1, 1], (
        f"Everyone's time was up once, for three cards: {message['clocks']}"
    )
    assert message["view"]["question"] == "play", "All have passed."


def test_a_run_of_simultaneous_answers_brings_one_increment_whoever_answers_between(
    timed_house: House, time: Timepiece
) -> None:
    id, guests = full_table(timed_house, "crystals", 4, clock=LIVE)
    to_pass_three(guests, id)
    for _ in range(3):
        for guest in guests:
            message = guest.look(id)
            guest.answer(id, message["n"], first_legal(message))
    leader = guests[0].look(id)["view"]["to_act"][0]
    left = clocks_at(guests[0], id)["left"]
    assert left == [MINUTE if seat == leader else MINUTE + 5 * SECOND for seat in range(4)], (
        f"To pass three cards was one run for everyone, and is not over for who leads now: {left}"
    )


@pytest.mark.parametrize(
    ("spent", "given_back"), [(None, 0), (7_000, 0), (6_700, 300), (6_500, 500), (0, 500), (99_999_999, 0)]
)
def test_the_way_to_the_player_is_given_back_up_to_half_a_second_whatever_is_claimed(
    spent: int | None, given_back: int, timed_house: House, time: Timepiece
) -> None:
    id, guests = full_table(timed_house, "mines", 2, clock={"start": 60, "increment": 0})
    time.pass_by(7 * SECOND)
    seat = answer_once(guests, id, **({} if spent is None else {"spent": spent}))
    left = clocks_at(guests[0], id)["left"][seat]
    assert left == 53 * SECOND + given_back, f"Who says to have thought for {spent} ms has {left} ms left."


def test_no_claim_brings_more_than_went_by(timed_house: House, time: Timepiece) -> None:
    id, guests = full_table(timed_house, "mines", 2, clock={"start": 60, "increment": 0})
    for _ in range(4):
        time.pass_by(200)
        answer_once(guests, id, spent=0)
    assert max(clocks_at(guests[0], id)["left"]) == MINUTE, "Time was won by saying that none was spent."


def test_a_negative_time_is_no_time(timed_house: House) -> None:
    id, guests = full_table(timed_house, "mines", 2, clock=LIVE)
    seat, message = asked_at(guests, id)
    body = {"n": message["n"], "answers": [first_legal(message)], "key": "negative-time", "spent": -5_000}
    guests[seat].post(f"/api/tables/{id}/answers", body, 400)


def test_an_answer_that_is_committed_before_the_flag_stands_and_there_is_no_time_out(
    timed_house: House, time: Timepiece
) -> None:
    id, guests = full_table(timed_house, "mines", 2, clock=LIVE)
    time.pass_by(MINUTE + WAY)  # the flag is due, and nobody has looked yet
    seat = answer_once(guests, id)
    look(timed_house)
    message = guests[0].look(id)
    assert message["n"] == 1, "Of the answer and the flag there is one entry."
    assert message["clocks"]["outs"] == [0, 0]
    assert message["clocks"]["left"][seat] in (0, 5 * SECOND), "All of its time was used."


def test_an_answer_after_the_flag_is_refused_and_is_told_what_is_now(timed_house: House, time: Timepiece) -> None:
    id, guests = full_table(timed_house, "mines", 2, clock=LIVE)
    seat, message = asked_at(guests, id)
    time.pass_by(MINUTE + WAY, timed_house)
    late = guests[seat].answer(id, message["n"], first_legal(message), expect=409)
    assert late["message"]["n"] == 2, f"The bot has answered already: {late['error']}"


def test_clocks_are_the_same_to_the_millisecond_after_the_house_was_closed_and_its_time_is_not_counted(
    time: Timepiece, open_house: Callable[..., House], tmp_path: Path
) -> None:
    house = open_house(tmp_path)
    id, guests = full_table(house, "mines", 2, clock=LIVE)
    seat, _ = asked_at(guests, id)
    time.pass_by(7 * SECOND)
    before = clocks_at(guests[0], id)
    house.close()
    time.pass_by(3_600 * SECOND)
    house.open()
    for guest in guests:
        guest.hang_up()
    after = clocks_at(guests[0], id)
    assert after["left"] == before["left"], "An hour in which the house was closed has cost somebody time."
    time.pass_by(53 * SECOND + WAY, house)
    assert guests[0].look(id)["clocks"]["outs"][seat] == 1, "The flag falls when what was left is used up."


def test_after_a_kill_nobody_has_lost_more_than_the_time_up_to_the_last_sign_of_life(
    time: Timepiece, open_house: Callable[..., House], tmp_path: Path
) -> None:
    house = open_house(tmp_path)
    id, guests = full_table(house, "mines", 2, clock=LIVE)
    seat, _ = asked_at(guests, id)
    time.pass_by(20 * SECOND)
    house.call(house.app.tables.clocks.flags._alive)  # as every second
    time.pass_by(900)
    house.call(lambda: house.app.tables.clocks.flags._due.clear())  # a kill: nothing is written any more
    house.close()
    time.pass_by(3_600 * SECOND)
    house.open()
    for guest in guests:
        guest.hang_up()
    left = clocks_at(guests[0], id)["left"][seat]
    assert left == 40 * SECOND, f"{left} ms are left: the last sign of life was after twenty seconds of sixty."


def test_a_machine_whose_clock_is_put_back_or_forward_takes_no_time_from_anyone(
    time: Timepiece, open_house: Callable[..., House], tmp_path: Path
) -> None:
    house = open_house(tmp_path)
    id, guests = full_table(house, "mines", 2, clock=LIVE)
    seat, _ = asked_at(guests, id)
    for put in (-3_600, 7_200, -86_400):
        time.wall += put * SECOND
        time.pass_by(5 * SECOND)
        house.restart(*guests)
    left = clocks_at(guests[0], id)["left"][seat]
    assert left == 45 * SECOND, f"Fifteen seconds went by, and {left} ms are left."


def test_nothing_is_taken_back_where_clocks_run(timed_house: House) -> None:
    id, guests = full_table(timed_house, "mines", 2, clock=LIVE)
    seat, message = asked_at(guests, id)
    guests[seat].answer(id, message["n"], first_legal(message))
    message = guests[seat].look(id)
    assert message["undo_step"] is None, "something to step back to is offered"
    for guest in guests:
        refused = guest.post(f"/api/tables/{id}/undo", {"n": message["n"], "to": 0, "key": "take-back"}, 409)
        assert refused["id"] == "table-undo-clocks"


def test_who_gets_up_has_a_bot_answer_and_that_counts_as_a_time_out(timed_house: House, time: Timepiece) -> None:
    id, guests = full_table(timed_house, "mines", 2, clock=LIVE)
    seat, _ = asked_at(guests, id)
    for count in (1, 2):
        guests[seat].post(f"/api/tables/{id}/stand", {}, 200)
        assert clocks_at(guests[0], id)["outs"][seat] == count
        guests[seat].sit(id)
    guests[seat].post(f"/api/tables/{id}/stand", {}, 200)
    places = guests[0].look(id)["table"]["places"]
    assert places[seat]["kind"] == "bot", f"The third time the seat is lost: {places[seat]}"


def test_nobody_stands_in_for_who_is_away_as_long_as_their_clock_runs(timed_house: House, time: Timepiece) -> None:
    ann, ben = timed_house.guest(), timed_house.guest()
    id = ann.make(game="mines", seats=2, places=["me", "open"], takeover=1, clock=LIVE)
    ben.sit(id, invite=ann.invite)
    seat = ann.look(id)["view"]["to_act"][0]
    tap = (ann, ben)[1 - seat].listen(id)
    tap.wait_for(0)
    table = timed_house.app.tables.get(id)
    table.here.seen = [-1e9, -1e9]
    timed_house.call(lambda: timed_house.app.tables.bots.look(table))
    assert not table.here.standing_in, "Their clock runs; a bot answers when it has run out."


@pytest.mark.parametrize(
    "clock",
    [
        {},
        {"start": 5},
        {"increment": 5},
        {"start": 60, "days": 1},
        {"increment": 1, "days": 1},
        {"days": 4},
        {"start": 10**6},
    ],
)
def test_a_clock_that_makes_no_sense_is_refused(clock: dict[str, int], timed_house: House) -> None:
    body = {"game": "mines", "seats": 2, "clock": clock}
    timed_house.guest().post("/api/tables", body, 400)


@pytest.mark.parametrize("name", sorted(GAMES))
def test_the_decisions_that_suggested_clocks_go_by_are_those_of_a_game(name: str) -> None:
    game = GAMES[name]
    seats = game.usual_seats
    match = start(game, seats, {}, deals.seeded_secret(1))
    bot_, rng, decisions = levels.find_bot("simple"), np.random.default_rng(1), 0
    while not match.over:
        seat = game.to_act(match.state)[0]
        question = game.question(match.state)
        number = bot_.choose(bot.see(game, match.state, seat), question, rng)
        match.answer(seat, question.answers[int(number)])
        decisions += not int(match.state["to_act"]) >> seat & 1
    measured = decisions / seats
    assert 0.5 < measured / game.decisions[seats] < 2, (
        f"A game has {measured} decisions a player, not {game.decisions[seats]}."
    )
    fast, slow = presets(game, seats)["fast"], presets(game, seats)["slow"]
    assert fast.start + fast.increment * measured >= 4 * measured, (
        "A fast clock has four seconds for each of them at least."
    )
    assert slow.start > fast.start
