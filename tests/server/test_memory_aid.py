"""The memory aid on the wire: without it, nobody receives a trick older than the last one, even on request (C14)."""

import random

import pytest

from diamonds.records import RecordedGame
from diamonds.server.tables.core.log_replay import effective_game
from tests.server.support.client import Client, wait_until
from tests.server.support.live_server import answer_randomly, full_table

AID_OFF = {"memory_aid": False}


def plays_of_the_round(played: RecordedGame) -> list[int]:
    """Return the n of every card played in the current round, from the answers alone."""
    found: list[int] = []
    if played.game.question(played.state).name in ("count", "pass"):
        return found
    for n, (_, question, _) in enumerate(played.answers, 1):
        if question == "count":  # C8: a new round has begun
            found = []
        elif question == "play":
            found.append(n)
    return found


def oldest_allowed(played: RecordedGame, a_trick: int) -> int:
    """Return the n of the first card of the last complete trick; 0 if no older trick is hidden."""
    complete = int(played.state["tricks"].sum())  # its last ♣ may still be waiting for a victim
    return plays_of_the_round(played)[(complete - 1) * a_trick] if complete > 1 else 0


@pytest.mark.later
@pytest.mark.parametrize(("seats", "more", "a_trick"), [(3, {}, 3), (2, {}, 4), (4, {"partnership": True}, 4)])
def test_c14_without_memory_aid_only_the_last_trick_is_sent(server, seats, more, a_trick):
    id, guests = full_table(server, "crystals", seats, options={**AID_OFF, **more, "rounds": 2})
    table, rng, spectator = server.app.tables.get(id), random.Random(seats), Client(server.port)
    checked = 0
    while not table.is_over:
        answer_randomly(server, id, guests, rng)
        if table.is_over or rng.random() < 0.6:
            continue
        played = effective_game(table, table.log.effective_answers())
        oldest = oldest_allowed(played, a_trick)
        plays = [n for n in plays_of_the_round(played) if n >= oldest]
        for reader in (rng.choice(guests), spectator):
            for after in ("", "?after=0", f"?after={rng.randrange(table.n + 1) << 32}"):
                message = reader.get(f"/api/tables/{id}{after}")
                old = [told for told in message["events"] if told["n"] < oldest]
                assert not old, f"after {table.n} answers, with Last-Event-ID {after!r}: older tricks: {old[:3]}"
                assert message["oldest_visible"] == oldest, "expected the client to forget exactly the expired events"
                if after in ("", "?after=0"):
                    told = [told["n"] for told in message["events"] if told["event"]["event"] == "played"]
                    assert [n for n in told if n in plays] == plays, "expected the last trick and the current one"
        checked += oldest > 0
    assert checked > 5, "no older trick was requested, so the test shows nothing"
    assert guests[0].get_table(id)["oldest_visible"] == 0, "expected all events after the game (C14)"
    assert len(guests[0].get(f"/api/tables/{id}/replay")["steps"]) == len(table.log.effective_answers()) + 1


def test_c14_without_memory_aid_a_resumed_stream_gets_no_older_trick(server):
    id, guests = full_table(server, "crystals", 3, options=AID_OFF)
    table, rng = server.app.tables.get(id), random.Random(5)
    while not oldest_allowed(effective_game(table, table.log.effective_answers()), 3):
        answer_randomly(server, id, guests, rng)
    oldest = oldest_allowed(effective_game(table, table.log.effective_answers()), 3)
    for headers in ({}, {"Last-Event-ID": "0"}, {"Last-Event-ID": str(oldest - 2 << 32)}):
        message = guests[1].open_stream(id, **headers).wait_for(table.n)
        assert min(told["n"] for told in message["events"]) == oldest, f"with {headers}"
    stale = guests[0].answer(id, 1, "play D1", expect=409)["update"]
    assert min(told["n"] for told in stale["events"]) == oldest, "expected no older trick in an error"


def test_c14_without_memory_aid_an_undo_hides_earlier_events(server):
    id, guests = full_table(server, "crystals", 3, options=AID_OFF)
    table, rng = server.app.tables.get(id), random.Random(6)
    while len(plays_of_the_round(effective_game(table, table.log.effective_answers()))) < 9:
        answer_randomly(server, id, guests, rng)
    back = plays_of_the_round(effective_game(table, table.log.effective_answers()))[1]
    undo = {"n": table.n, "to": back, "idempotency_key": "undo-wish-1"}
    guests[0].post(f"/api/tables/{id}/undo", undo, 200)
    for guest in guests[1:]:
        guest.vote(id)
    wait_until(lambda: table.n > undo["n"], "expected an undo")
    for after in ("", "?after=0"):
        told = guests[1].get(f"/api/tables/{id}{after}")["events"]
        assert [item["event"]["event"] for item in told] == ["undo"], "expected no events of the undone tricks"


def test_c14_with_memory_aid_the_whole_round_is_sent(server):
    id, guests = full_table(server, "crystals", 3)
    table, rng = server.app.tables.get(id), random.Random(7)
    while len(plays_of_the_round(effective_game(table, table.log.effective_answers()))) < 12:
        answer_randomly(server, id, guests, rng)
    message = guests[2].get_table(id)
    assert message["oldest_visible"] == 0
    assert sum(told["event"]["event"] == "played" for told in message["events"]) == 12
