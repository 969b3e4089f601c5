"""Planned answers at correspondence tables: given without their player, and unnoticeable to the others."""

import random
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from diamonds import fields, views
from diamonds.cards import SUIT_LETTERS
from diamonds.server.tables.core import plans
from diamonds.server.tables.core.clocks import DAY_MS, PlannedAnswer, SeatPlan
from tests.server.support.client import Client, first_legal, wait_until
from tests.server.support.fake_clock import fire_flags
from tests.server.support.live_server import LiveServer, evict_tables, full_table
from tests.support.random_positions import indistinguishable_state

DAYS = {"days_per_move": 2}
HOUR_MS = 3_600_000


def slow_table(
    server: LiveServer, game: str = "fourteen", seats: int = 3, **more: Any
) -> tuple[str, list[Client], Any]:
    """Return a correspondence table's id, the guests in its seats, and the table."""
    id, guests = full_table(server, game, seats, time_control=DAYS, **more)
    return id, guests, server.app.tables.get(id)


def set_plan(guest: Client, id: str, expect: int = 200, **body: Any) -> Any:
    """Plan answers."""
    return guest.post(f"/api/tables/{id}/plan", body, expect)


def play_until(server: LiveServer, id: str, guests: list[Client], done: Callable[[Any, int], bool]) -> int:
    """Let people give first legal answers until ``done`` accepts the seat to act and the state; return the seat."""
    table = server.app.tables.get(id)
    while True:
        n, state = table.n, table.game_state.state
        seat = table.game.to_act(state)[0]
        if done(state, seat):
            return seat
        guests[seat].answer(id, n, first_legal(guests[seat].get_table(id)))
        wait_until(lambda n=n: table.n > n, "expected such a question to come")


def held(state: Any, seat: int) -> int:
    """Return the number of cards in a seat's hand."""
    return int(state["hand"][seat]).bit_count()


def is_forced_by_hand(server: LiveServer, id: str) -> Callable[[Any, int], bool]:
    """Return a check for a seat whose only legal answer is known only to its player."""
    game = server.app.tables.get(id).game

    def check(state: Any, seat: int) -> bool:
        is_single = int(game.rules.legal(state, seat)).bit_count() == 1
        return is_single and not views.is_publicly_forced(game, state, seat)

    return check


def next_seat(state: Any, seat: int) -> int:
    return (seat + 1) % int(state["seats"])


def entries_of(server: LiveServer, id: str) -> list[tuple[int, str]]:
    """Return the stored entries of a table as (seat, text)."""
    return [(seat, text) for seat, text, *_ in server.store.load(id).entries]


def test_last_trick_of_a_correspondence_game_is_played_automatically(timed_server):
    id, guests, table = slow_table(timed_server)
    play_until(timed_server, id, guests, lambda state, seat: held(state, seat) == 2 and state["trick_size"] == 2)
    n, state = table.n, table.game_state.state
    seat = table.game.to_act(state)[0]
    guests[seat].answer(id, n, first_legal(guests[seat].get_table(id)))
    wait_until(lambda: int(table.game_state.state["deals"]) == 2, "expected the last cards to be played")
    assert table.n == n + 4, "expected one answer by hand and three automatic ones"
    given = entries_of(timed_server, id)[-3:]
    assert sorted(seat for seat, _ in given) == [0, 1, 2]
    assert not [text for _, text in given if " by " in text], "expected each automatic answer to be the player's"


def test_last_trick_of_a_live_game_waits_for_its_players(timed_server, fake_clock):
    id, guests = full_table(timed_server, "fourteen", 3, time_control={"initial_s": 600, "increment_s": 5})
    play_until(timed_server, id, guests, lambda state, seat: held(state, seat) == 1)
    n = timed_server.app.tables.get(id).n
    fake_clock.advance(60_000, timed_server)
    assert timed_server.app.tables.get(id).n == n, "expected players of live games to play their own cards"


@pytest.mark.parametrize("is_on", [True, False])
def test_forced_answer_is_played_with_a_delay_if_its_player_wants(timed_server, fake_clock, is_on):
    id, guests, table = slow_table(timed_server)
    seat = play_until(timed_server, id, guests, is_forced_by_hand(timed_server, id))
    n = table.n
    if is_on:
        assert set_plan(guests[seat], id, plays_forced=True) == {"plays_forced": True, "answers": []}
    fire_flags(timed_server)
    assert table.n == n, "expected a delay, which hides that there was no choice"
    fake_clock.advance(int(plans.MAX_DELAY_SHARE * 2 * DAY_MS), timed_server)
    assert (table.n > n) == is_on
    if is_on:
        assert entries_of(timed_server, id)[n][0] == seat
        assert " by " not in entries_of(timed_server, id)[n][1]


def plan_for_next(server: LiveServer, id: str, guests: list[Client]) -> tuple[int, int, str, str, str]:
    """Play until the next player has a choice in the suit led; return both, the suit, a card, and the card to lead."""
    found = []

    def done(state: Any, seat: int) -> bool:
        other = next_seat(state, seat)
        for suit in range(4):
            own, theirs = (int(state["hand"][who]) >> 13 * suit & 0x1FFF for who in (seat, other))
            if state["trick_size"] == 0 and own and theirs.bit_count() > 1:
                found[:] = [suit, 13 * suit + theirs.bit_length() - 1, 13 * suit + own.bit_length() - 1]
                return held(state, seat) > 2
        return False

    seat = play_until(server, id, guests, done)
    names = server.app.tables.get(id).game.card_names
    suit, card, lead = found
    follower = next_seat(server.app.tables.get(id).game_state.state, seat)
    return seat, follower, SUIT_LETTERS[suit], names[card], names[lead]


def test_planned_answer_is_given_once_for_its_suit(timed_server, fake_clock):
    id, guests, table = slow_table(timed_server)
    leader, seat, suit, card, lead = plan_for_next(timed_server, id, guests)
    planned = [{"answer": f"play {card}", "suit": suit}]
    assert set_plan(guests[seat], id, answers=planned)["answers"] == planned
    assert guests[seat].get(f"/api/tables/{id}/plan")["answers"] == planned
    n = table.n
    guests[leader].answer(id, n, f"play {lead}")
    fire_flags(timed_server)
    assert table.n == n + 1, "expected a delay, which hides the plan"
    fake_clock.advance(int(plans.MAX_DELAY_SHARE * 2 * DAY_MS), timed_server)
    assert entries_of(timed_server, id)[n + 1] == (seat, f"play {card}")
    assert guests[seat].get(f"/api/tables/{id}/plan")["answers"] == []


def test_planned_answer_for_another_suit_is_dropped_with_the_trick(timed_server, fake_clock):
    id, guests, table = slow_table(timed_server)
    leader, seat, suit, card, lead = plan_for_next(timed_server, id, guests)
    other_suit = next(letter for letter in SUIT_LETTERS if letter != suit)
    last = next_seat(table.game_state.state, seat)
    set_plan(guests[seat], id, answers=[{"answer": f"play {card}", "suit": other_suit}])
    some_card = table.game.card_names[int(table.game_state.state["hand"][last]).bit_length() - 1]
    set_plan(guests[last], id, plays_forced=True, answers=[{"answer": f"play {some_card}", "suit": other_suit}])
    n = table.n
    guests[leader].answer(id, n, f"play {lead}")
    fake_clock.advance(DAY_MS, timed_server)
    assert table.n == n + 1, "expected no answer for another suit"
    for _ in range(2):
        play_until(timed_server, id, guests, lambda state, seat, n=table.n: table.n > n)
    assert int(table.game_state.state["trick_size"]) == 0
    assert guests[seat].get(f"/api/tables/{id}/plan")["answers"] == [], "expected the plan to end with the trick"
    assert guests[last].get(f"/api/tables/{id}/plan") == {"plays_forced": True, "answers": []}, "expected it to stay"


def test_plan_can_be_cancelled(timed_server, fake_clock):
    id, guests, table = slow_table(timed_server)
    leader, seat, suit, card, lead = plan_for_next(timed_server, id, guests)
    set_plan(guests[seat], id, answers=[{"answer": f"play {card}", "suit": suit}])
    set_plan(guests[seat], id, answers=[])
    assert table.clocks.plans is None, "expected no plan to be stored"
    n = table.n
    guests[leader].answer(id, n, f"play {lead}")
    fake_clock.advance(DAY_MS, timed_server)
    assert table.n == n + 1


def test_plans_are_refused_where_they_make_no_sense(timed_server):
    id, guests, _ = slow_table(timed_server)
    leader, seat, _, card, lead = plan_for_next(timed_server, id, guests)
    attempts = [
        (guests[leader], {"answers": [{"answer": f"play {lead}"}]}, 409, "table-plan-asked"),
        (guests[seat], {"answers": [{"answer": f"play {lead}"}]}, 400, "table-plan-answer"),
        (guests[seat], {"answers": [{"answer": "fly high"}]}, 400, "table-plan-question"),
        (guests[seat], {"answers": [{"answer": f"play {card}"}] * 2}, 400, "table-plan-suit"),
        (timed_server.new_client(), {"plays_forced": True}, 403, "table-no-seat"),
    ]
    for guest, body, status, id_of_error in attempts:
        assert set_plan(guest, id, status, **body)["id"] == id_of_error
    live, live_guests = full_table(timed_server, "fourteen", 3, time_control={"initial_s": 600, "increment_s": 5})
    assert set_plan(live_guests[0], live, 409, plays_forced=True)["id"] == "table-plan-days"
    mines, mines_guests, _ = slow_table(timed_server, "mines", 2)
    waiting = 1 - timed_server.app.tables.get(mines).game.to_act(timed_server.app.tables.get(mines).game_state.state)[0]
    assert (
        set_plan(mines_guests[waiting], mines, 400, answers=[{"answer": "defend decline"}])["id"]
        == "table-plan-question"
    )


def test_r2_plan_changes_no_byte_sent_to_anyone_else(timed_server):
    id, guests, table = slow_table(timed_server)
    leader, seat, suit, card, lead = plan_for_next(timed_server, id, guests)
    others = [*(guest for k, guest in enumerate(guests) if k != seat), timed_server.new_client()]
    streams = [guest.open_stream(id) for guest in others]
    wait_until(
        lambda: len(table.presence.streams) == len(streams) and not table.presence.presence_update_due,
        "expected the presence updates",
    )
    wait_until(
        lambda: all(stream.events and stream.newest["version"] == table.version for stream in streams),
        "expected all of them to arrive",
    )

    def seen() -> list[bytes]:
        return [guest.send("GET", f"/api/tables/{id}")[1] for guest in others] + [
            guest.send("GET", "/api/tables")[1] for guest in others
        ]

    before, version, revision = seen(), table.version, table.revision
    told = [len(stream.events) for stream in streams]
    set_plan(guests[seat], id, plays_forced=True, answers=[{"answer": f"play {card}", "suit": suit}])
    assert seen() == before
    assert (table.version, table.revision) == (version, revision), "expected a version that reveals no plan"
    guests[leader].answer(id, table.n, f"play {lead}")
    wait_until(lambda: all(stream.newest["n"] == table.n for stream in streams), "expected the answer")
    assert not [message for stream in streams for message in stream.events if "plan" in str(message)]
    assert [len(stream.events) for stream in streams] == [count + 1 for count in told], "expected one message each"


def test_r5_forced_and_planned_answers_have_the_same_delay(timed_server):
    """In two worlds that differ only in hidden cards, the seat has no choice in one, a planned answer in the other."""
    id, guests, table = slow_table(timed_server)
    seat = play_until(timed_server, id, guests, is_forced_by_hand(timed_server, id))
    state, game = table.game_state.state, table.game
    rng = random.Random(5)
    while True:
        world = indistinguishable_state(game, state, views.SPECTATOR, rng)
        if int(game.rules.legal(world, seat)).bit_count() > 1:
            break
    free = game.legal(world, seat)[0]
    forced_plan = SeatPlan(plays_forced=True)
    free_plan = SeatPlan(plays_forced=True, answers=(PlannedAnswer("play", str(free)),))
    for key in ("5eed", "feed", "f00d"):
        due = []
        for row, plan in ((state, forced_plan), (world, free_plan)):
            clock_state = plans.with_seat_plan(table.clocks, seat, plan)
            clock_state = msgspec.structs.replace(
                clock_state, plans=msgspec.structs.replace(clock_state.plans, key=key)
            )
            due.append(plans.with_due_answer(table, fields.copy_state(row), clock_state).plans)
        assert due[0].due_in_ms == due[1].due_in_ms >= plans.AT_ONCE_MS, "expected the same delay for the same question"
        assert due[0].due_seat == due[1].due_seat == seat


def test_delay_distribution_follows_the_players_own_delays(timed_server, monkeypatch):
    _id, _, table = slow_table(timed_server)
    monkeypatch.setattr(plans, "own_delays_ms", lambda table, seat: [HOUR_MS] * 40)
    drawn = sorted(plans.drawn_delay_ms(table, 0, "5eed", n) for n in range(400))
    assert HOUR_MS / 2 < drawn[200] < 2 * HOUR_MS, f"expected a median of about an hour instead of {drawn[200]} ms"
    assert len(set(drawn)) > 395, "expected varied delays"
    assert drawn[-1] <= plans.MAX_DELAY_SHARE * 2 * DAY_MS
    other = [plans.drawn_delay_ms(table, 0, "feed", n) for n in range(400)]
    assert other != [plans.drawn_delay_ms(table, 0, "5eed", n) for n in range(400)], "expected delays from the key"


def test_plans_survive_a_restart_and_eviction(fake_clock, open_server, tmp_path):
    server = open_server(tmp_path)
    id, guests, _ = slow_table(server)
    leader, seat, suit, card, lead = plan_for_next(server, id, guests)
    set_plan(guests[seat], id, answers=[{"answer": f"play {card}", "suit": suit}])
    n = server.app.tables.get(id).n
    guests[leader].answer(id, n, f"play {lead}")
    evict_tables(server, id)
    server.close()
    fake_clock.advance(10 * DAY_MS)  # no time passes while the server is closed
    server.open(*guests)
    assert len(server.store.load(id).entries) == n + 1
    fake_clock.advance(int(plans.MAX_DELAY_SHARE * 2 * DAY_MS), server)
    assert entries_of(server, id)[n + 1] == (seat, f"play {card}"), "expected the answer at an evicted table"


def test_plans_end_with_their_player_and_their_game(timed_server):
    id, guests, _ = slow_table(timed_server, "mines", 2)
    table = timed_server.app.tables.get(id)
    for guest in guests:
        set_plan(guest, id, plays_forced=True)
    assert sorted(table.clocks.plans.seats) == [0, 1]
    guests[0].post(f"/api/tables/{id}/stand", {"idempotency_key": "stand-up-00"}, 200)
    assert sorted(table.clocks.plans.seats) == [1], "expected the bot to ignore the former player's plan"


def test_plan_ends_when_its_seat_is_lost_on_time(timed_server, fake_clock):
    id, guests, table = slow_table(timed_server)
    seat = table.game.to_act(table.game_state.state)[0]
    for guest in guests:
        set_plan(guest, id, plays_forced=True)
    fake_clock.advance(2 * DAY_MS + 1000, timed_server)
    wait_until(lambda: table.seating.seats[seat].kind == "bot", "expected the seat to be lost")
    assert seat not in table.clocks.plans.seats, "expected no plan for the bot"
    assert len(table.clocks.plans.seats) == 2, "expected the others' plans to stay"


def test_presence_is_hidden_at_correspondence_tables(timed_server):
    id, guests, _ = slow_table(timed_server)
    told = guests[0].get_table(id)["table"]["seat_holders"]
    assert [place["connected"] for place in told] == [True] * 3, "expected no presence, which reveals plans"
