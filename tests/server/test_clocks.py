"""Clocks: time controls, timeouts, lag compensation and pauses, across restarts and crashes."""

from typing import Any

import numpy as np
import pytest

from diamonds import deals
from diamonds.bots import bot, levels
from diamonds.game import GAMES
from diamonds.records import start_game
from diamonds.server.tables.offered_games import suggested_time_controls
from tests.server.support.client import Client, first_legal, wait_until
from tests.server.support.fake_clock import fire_flags, get_clocks
from tests.server.support.live_server import full_table

LIVE_CLOCK = {"initial_s": 60, "increment_s": 5}
SECOND_MS, MINUTE_MS = 1_000, 60_000
MAX_LAG_MS = 500


def seat_to_act(guests: list[Client], table: str) -> tuple[int, Any]:
    """Return a seat to act, and the update it receives."""
    seat = guests[0].get_table(table)["view"]["to_act"][0]
    return seat, guests[seat].get_table(table)


def answer_once(guests: list[Client], table: str, expect: int = 200, **more: Any) -> int:
    """Let a seat to act give its first legal answer; return the seat."""
    seat, message = seat_to_act(guests, table)
    body = {"n": message["n"], "answers": [first_legal(message)], "idempotency_key": f"once-{message['n']:08d}", **more}
    guests[seat].post(f"/api/tables/{table}/answers", body, expect)
    return seat


def events_since(guest: Client, table: str, n: int) -> list[Any]:
    """Return the events after the first n entries, as (n, event)."""
    return [(told["n"], told["event"]) for told in guest.get_table(table)["events"] if told["n"] > n]


def test_clock_runs_while_its_seat_is_to_act_and_gains_increment(timed_server, fake_clock):
    id, guests = full_table(timed_server, "mines", 2, time_control=LIVE_CLOCK)
    seat, _ = seat_to_act(guests, id)
    fake_clock.advance(7 * SECOND_MS)
    clocks = get_clocks(guests[1 - seat], id)
    assert clocks["running"] == [seat], f"expected only the clock of seat {seat} to run: {clocks}"
    assert clocks["remaining_ms"][seat] == MINUTE_MS - 7 * SECOND_MS, f"expected seven seconds less: {clocks}"
    assert clocks["remaining_ms"][1 - seat] == MINUTE_MS, f"expected the other seat's time to stand still: {clocks}"
    asked, answers = seat, 0
    while asked == seat:
        answer_once(guests, id)
        answers += 1
        asked, _ = seat_to_act(guests, id)
    clocks = get_clocks(guests[0], id)
    assert clocks["remaining_ms"][seat] == MINUTE_MS - 2 * SECOND_MS, f"expected one increment for {answers} answers"
    assert clocks["running"] == [asked]


def test_timeout_lets_a_bot_answer_and_is_sent_and_recorded(timed_server, fake_clock):
    id, guests = full_table(timed_server, "mines", 2, time_control=LIVE_CLOCK)
    seat, before = seat_to_act(guests, id)
    fake_clock.advance(MINUTE_MS + MAX_LAG_MS - 1, timed_server)
    assert guests[0].get_table(id)["n"] == 0, "expected no timeout before the lag compensation is used up"
    fake_clock.advance(1, timed_server)
    after = guests[1 - seat].get_table(id)
    told = events_since(guests[1 - seat], id, before["n"])
    assert told[0] == (1, {"event": "timeout", "seat": seat}), f"expected the timeout event first: {told}"
    assert after["n"] == 2, "expected one answer by a bot"
    assert after["clocks"]["timeouts"][seat] == 1
    assert after["clocks"]["remaining_ms"][seat] >= 10 * SECOND_MS, "expected ten seconds for the next question"
    entries = [words for _, words, *_ in timed_server.store.load(id).entries]
    assert entries[0] == "timeout"
    assert entries[1].endswith(" by simple"), f"expected the record to mark the bot's answer: {entries}"


def test_third_timeout_of_a_live_game_loses_the_seat_to_a_bot(timed_server, fake_clock):
    id, guests = full_table(timed_server, "mines", 2, time_control={"initial_s": 10, "increment_s": 0})
    loser, _ = seat_to_act(guests, id)
    while get_clocks(guests[0], id)["timeouts"][loser] < 3:
        seat, _ = seat_to_act(guests, id)
        if seat == loser:
            fake_clock.advance(10 * SECOND_MS + MAX_LAG_MS, timed_server)
        else:
            answer_once(guests, id)
    message = guests[1 - loser].get_table(id)
    assert message["table"]["seat_holders"][loser]["kind"] == "bot", "expected a bot in the seat"
    assert message["clocks"]["remaining_ms"][loser] is None, "expected no clock for a bot"
    assert message["clocks"]["forfeited"] == [loser]
    entries = [words for _, words, *_ in timed_server.store.load(id).entries]
    assert entries[entries.index("seat bot:simple") - 1] == "timeout", f"expected entries of the lost seat: {entries}"
    wait_until(lambda: guests[1 - loser].get_table(id)["open_question"], "expected the bot to answer on")
    error = guests[loser].post(f"/api/tables/{id}/sit", {}, 409)
    assert error["id"] == "table-nobody-to-agree", "expected the former player to need the others' consent"


def test_correspondence_timeout_loses_the_seat_and_answers_reset_days(timed_server, fake_clock):
    day = 86_400 * SECOND_MS
    id, guests = full_table(timed_server, "mines", 2, time_control={"days_per_move": 3})
    seat, _ = seat_to_act(guests, id)
    fake_clock.advance(2 * day, timed_server)
    answer_once(guests, id)
    assert get_clocks(guests[0], id)["remaining_ms"][seat] == 3 * day, "expected three days again after each answer"
    loser, _ = seat_to_act(guests, id)
    fake_clock.advance(3 * day + MAX_LAG_MS, timed_server)
    message = guests[1 - loser].get_table(id)
    assert message["table"]["seat_holders"][loser]["kind"] == "bot", "expected the seat to be lost after three days"
    assert [event["event"] for _, event in events_since(guests[0], id, 1)][:2] == ["timeout", "seat"]


def choose_passing_three(guests: list[Client], table: str) -> int:
    """Let the dealer choose that three cards are passed (C8); return the dealer's seat."""
    seat, message = seat_to_act(guests, table)
    guests[seat].answer(table, message["n"], "count 3")
    return seat


def test_simultaneous_clocks_all_run_and_one_timeout_passes_all_cards(timed_server, fake_clock):
    id, guests = full_table(timed_server, "crystals", 4, time_control=LIVE_CLOCK)
    choose_passing_three(guests, id)
    clocks = get_clocks(guests[0], id)
    assert clocks["running"] == [0, 1, 2, 3], f"expected the clocks of all passing seats to run (C9): {clocks}"
    fake_clock.advance(MINUTE_MS + MAX_LAG_MS, timed_server)
    message = guests[0].get_table(id)
    assert message["clocks"]["timeouts"] == [1, 1, 1, 1], "expected one timeout a seat for three cards"
    assert message["view"]["question"] == "play", "expected all seats to have passed"


def test_simultaneous_answers_gain_one_increment(timed_server, fake_clock):
    id, guests = full_table(timed_server, "crystals", 4, time_control=LIVE_CLOCK)
    choose_passing_three(guests, id)
    for _ in range(3):
        for guest in guests:
            guest.answer_first(id)
    leader = guests[0].get_table(id)["view"]["to_act"][0]
    left = get_clocks(guests[0], id)["remaining_ms"]
    assert left == [MINUTE_MS if seat == leader else MINUTE_MS + 5 * SECOND_MS for seat in range(4)]


@pytest.mark.parametrize(
    ("spent", "given_back"), [(None, 0), (7_000, 0), (6_700, 300), (6_500, 500), (0, 500), (99_999_999, 0)]
)
def test_lag_compensation_is_capped_at_half_a_second(spent, given_back, timed_server, fake_clock):
    id, guests = full_table(timed_server, "mines", 2, time_control={"initial_s": 60, "increment_s": 0})
    fake_clock.advance(7 * SECOND_MS)
    seat = answer_once(guests, id, **({} if spent is None else {"thinking_ms": spent}))
    left = get_clocks(guests[0], id)["remaining_ms"][seat]
    assert left == 53 * SECOND_MS + given_back, f"expected {left} ms after {spent} ms of claimed thinking time"


def test_claimed_lag_never_exceeds_the_elapsed_time(timed_server, fake_clock):
    id, guests = full_table(timed_server, "mines", 2, time_control={"initial_s": 60, "increment_s": 0})
    for _ in range(4):
        fake_clock.advance(200)
        answer_once(guests, id, thinking_ms=0)
    assert max(get_clocks(guests[0], id)["remaining_ms"]) == MINUTE_MS, "expected no time gained by a claim"


def test_negative_thinking_time_is_rejected(timed_server):
    id, guests = full_table(timed_server, "mines", 2, time_control=LIVE_CLOCK)
    answer_once(guests, id, thinking_ms=-5_000, expect=400)


def test_answer_committed_before_the_flag_prevents_the_timeout(timed_server, fake_clock):
    id, guests = full_table(timed_server, "mines", 2, time_control=LIVE_CLOCK)
    fake_clock.advance(MINUTE_MS + MAX_LAG_MS)  # the timeout is due but not yet handled
    seat = answer_once(guests, id)
    fire_flags(timed_server)
    message = guests[0].get_table(id)
    assert message["n"] == 1, "expected one entry, that of the answer"
    assert message["clocks"]["timeouts"] == [0, 0]
    assert message["clocks"]["remaining_ms"][seat] in (0, 5 * SECOND_MS), "expected all of the seat's time to be used"


def test_clocks_survive_a_restart_to_the_millisecond(fake_clock, disk_server):
    id, guests = full_table(disk_server, "mines", 2, time_control=LIVE_CLOCK)
    seat, _ = seat_to_act(guests, id)
    fake_clock.advance(7 * SECOND_MS)
    before = get_clocks(guests[0], id)
    disk_server.close()
    fake_clock.advance(3_600 * SECOND_MS)
    disk_server.open(*guests)
    after = get_clocks(guests[0], id)
    assert after["remaining_ms"] == before["remaining_ms"], "expected no time to pass while the server was closed"
    fake_clock.advance(53 * SECOND_MS + MAX_LAG_MS, disk_server)
    assert guests[0].get_table(id)["clocks"]["timeouts"][seat] == 1, "expected the timeout at the end of the time"


def test_bot_to_act_continues_after_a_restart_without_viewers(fake_clock, open_server, tmp_path):
    """Nobody's clock is running, so no flag would ever wake the table."""
    server, hour_s = open_server(tmp_path), 3600.0
    server.app.tables.bots.bot_delay = (hour_s, hour_s)
    guest = server.new_client()
    id = guest.create_table(
        game="mines", seats=2, seats_taken_by=["me", "bot:simple"], time_control={"days_per_move": 1}
    )
    n = guest.finish_turn(id)["n"]
    server.restart(guest)

    def is_answered() -> bool:
        table = server.app.tables.registry.get(id)
        return table is not None and table.n > n

    wait_until(is_answered, "expected the bot to answer")


def test_kill_costs_at_most_the_time_since_the_last_heartbeat(fake_clock, disk_server):
    id, guests = full_table(disk_server, "mines", 2, time_control=LIVE_CLOCK)
    seat, _ = seat_to_act(guests, id)
    fake_clock.advance(20 * SECOND_MS)
    disk_server.call_on_loop(disk_server.app.tables.clocks.flag_timer.heartbeat)  # as happens every second
    fake_clock.advance(900)
    disk_server.call_on_loop(disk_server.app.tables.clocks.flag_timer.close)  # like a kill: nothing more is stored
    disk_server.close()
    fake_clock.advance(3_600 * SECOND_MS)
    disk_server.open(*guests)
    left = get_clocks(guests[0], id)["remaining_ms"][seat]
    assert left == 40 * SECOND_MS, f"expected 40 s after a heartbeat at 20 s of 60 s, got {left} ms"


def test_wall_clock_change_costs_nobody_time(fake_clock, disk_server):
    id, guests = full_table(disk_server, "mines", 2, time_control=LIVE_CLOCK)
    seat, _ = seat_to_act(guests, id)
    for put in (-3_600, 7_200, -86_400):
        fake_clock.wall_ms += put * SECOND_MS
        fake_clock.advance(5 * SECOND_MS)
        disk_server.restart(*guests)
    left = get_clocks(guests[0], id)["remaining_ms"][seat]
    assert left == 45 * SECOND_MS, f"expected fifteen seconds to have passed, {left} ms remain"


def test_undo_is_refused_with_running_clocks(timed_server):
    id, guests = full_table(timed_server, "mines", 2, time_control=LIVE_CLOCK)
    message = guests[answer_once(guests, id)].get_table(id)
    assert message["undo_last"] is None, "expected no offer of an undo"
    for guest in guests:
        error = guest.post(f"/api/tables/{id}/undo", {"n": message["n"], "to": 0, "idempotency_key": "take-back"}, 409)
        assert error["id"] == "table-undo-clocks"


def test_standing_up_lets_a_bot_answer_and_counts_as_a_timeout(timed_server, fake_clock):
    id, guests = full_table(timed_server, "mines", 2, time_control=LIVE_CLOCK)
    seat, _ = seat_to_act(guests, id)
    for count in (1, 2):
        guests[seat].post(f"/api/tables/{id}/stand", {}, 200)
        assert get_clocks(guests[0], id)["timeouts"][seat] == count
        guests[seat].sit(id)
    guests[seat].post(f"/api/tables/{id}/stand", {}, 200)
    places = guests[0].get_table(id)["table"]["seat_holders"]
    assert places[seat]["kind"] == "bot", f"expected the seat to be lost the third time: {places[seat]}"


def test_no_substitute_while_the_absent_persons_clock_runs(timed_server, fake_clock):
    ann, ben = timed_server.new_client(), timed_server.new_client()
    id = ann.create_table_with(ben, substitute_after_s=1, time_control=LIVE_CLOCK)
    seat = ann.get_table(id)["view"]["to_act"][0]
    stream = (ann, ben)[1 - seat].open_stream(id)
    stream.wait_for(0)
    table = timed_server.app.tables.get(id)
    table.presence.last_seen = [-1e9, -1e9]
    timed_server.call_on_loop(lambda: timed_server.app.tables.bots.schedule(table))
    assert not table.presence.substituted, "expected a bot to answer only after the timeout"


@pytest.mark.parametrize("clock", [
    {},
    {"initial_s": 5},
    {"increment_s": 5},
    {"initial_s": 60, "days_per_move": 1},
    {"increment_s": 1, "days_per_move": 1},
    {"days_per_move": 4},
    {"initial_s": 10**6},
])  # fmt: skip
def test_invalid_time_control_is_rejected(clock, timed_server):
    body = {"game": "mines", "seats": 2, "time_control": clock}
    timed_server.new_client().post("/api/tables", body, 400)


@pytest.mark.parametrize("name", sorted(GAMES))
def test_suggested_time_controls_use_the_decisions_of_a_typical_game(name):
    game = GAMES[name]
    seats = game.default_seats
    played = start_game(game, seats, {}, deals.seeded_secret(1))
    bot_, rng, decisions = levels.find_bot("simple"), np.random.default_rng(1), 0
    while not played.over:
        seat = game.to_act(played.state)[0]
        question = game.question(played.state)
        number = bot_.choose(bot.bot_view(game, played.state, seat), question, rng)
        played.answer(seat, question.answers[int(number)])
        decisions += not int(played.state["to_act"]) >> seat & 1
    measured = decisions / seats
    assert 0.5 < measured / game.typical_decisions[seats] < 2, f"expected {measured} decisions a player"
    fast, slow = suggested_time_controls(game, seats)["fast"], suggested_time_controls(game, seats)["slow"]
    assert fast.initial_s + fast.increment_s * measured >= 4 * measured, "expected four seconds a decision at least"
    assert slow.initial_s > fast.initial_s
