"""Waiting for a player: pauses by consent, nudges, and a bot as substitute."""

from tests.server.support.client import Client, first_legal
from tests.server.support.fake_clock import get_clocks
from tests.server.support.live_server import full_table

LIVE_CLOCK = {"initial_s": 60, "increment_s": 5}
SECOND_MS, MINUTE_MS = 1_000, 60_000


def post_request(guest: Client, table: str, what: str, expect: int = 200, **body: object) -> str:
    """Send a request to the table; return the id of the error, if any."""
    return str(guest.post(f"/api/tables/{table}/{what}", body, expect).get("id", ""))


def seat_to_act(guests: list[Client], table: str) -> int:
    return int(guests[0].get_table(table)["view"]["to_act"][0])


def test_clocks_pause_when_all_agree_and_resume_when_one_asks(timed_server, fake_clock):
    id, guests = full_table(timed_server, "crystals", 3, time_control=LIVE_CLOCK)
    seat = seat_to_act(guests, id)
    others = [other for other in range(3) if other != seat]
    fake_clock.advance(10 * SECOND_MS)
    post_request(guests[seat], id, "pause", on=True)
    guests[others[0]].vote(id)
    assert not get_clocks(guests[0], id)["paused"], "expected no pause before both have agreed"
    guests[others[1]].vote(id)
    clocks = get_clocks(guests[0], id)
    assert clocks["paused"]
    assert clocks["running"] == []
    fake_clock.advance(10 * MINUTE_MS, timed_server)
    message = guests[seat].get_table(id)
    assert message["clocks"]["remaining_ms"][seat] == 50 * SECOND_MS, "expected no time to pass in a pause"
    error = guests[seat].answer(id, message["n"], first_legal(message), expect=409)
    assert error["id"] == "table-paused", "expected no answer in a pause"
    post_request(guests[others[1]], id, "pause", on=False)
    fake_clock.advance(4 * SECOND_MS)
    assert get_clocks(guests[0], id)["remaining_ms"][seat] == 46 * SECOND_MS


def test_pause_survives_a_restart(fake_clock, disk_server):
    id, guests = full_table(disk_server, "mines", 2, time_control=LIVE_CLOCK)
    post_request(guests[0], id, "pause", on=True)
    guests[1].vote(id)
    before = get_clocks(guests[0], id)
    disk_server.restart(*guests)
    fake_clock.advance(10 * MINUTE_MS, disk_server)
    after = get_clocks(guests[0], id)
    assert (after["remaining_ms"], after["paused"]) == (before["remaining_ms"], True)


def test_rejected_pause_has_no_effect_and_repeats_stop_no_clock(timed_server, fake_clock):
    id, guests = full_table(timed_server, "mines", 2, time_control=LIVE_CLOCK)
    seat = seat_to_act(guests, id)
    for _ in range(5):
        post_request(guests[seat], id, "pause", on=True)
        fake_clock.advance(2 * SECOND_MS)
        guests[1 - seat].vote(id, agree=False)
    clocks = get_clocks(guests[0], id)
    assert clocks["remaining_ms"][seat] == 50 * SECOND_MS, "expected the clock to run during the vote"
    assert post_request(guests[seat], id, "pause", 409, on=False) == "table-not-paused"


def test_bots_make_a_pause_too(timed_server, fake_clock):
    ann = timed_server.new_client()
    id = ann.create_table(game="mines", seats=2, time_control=LIVE_CLOCK)
    post_request(ann, id, "pause", on=True)
    table = timed_server.app.tables.get(id)
    n = table.n
    timed_server.call_on_loop(lambda: timed_server.app.tables.bots.schedule(table))
    assert (ann.get_table(id)["n"], get_clocks(ann, id)["paused"]) == (n, True), "expected an immediate pause"
    post_request(ann, id, "pause", on=False)


def test_untimed_table_has_no_pause(timed_server):
    id, guests = full_table(timed_server, "mines", 2)
    assert post_request(guests[0], id, "pause", 409, on=True) == "table-no-clocks"


def test_idle_player_is_nudged_once_a_question_after_a_delay(timed_server, fake_clock):
    id, guests = full_table(timed_server, "crystals", 3)
    seat = seat_to_act(guests, id)
    other, third = (one for one in range(3) if one != seat)
    assert post_request(guests[other], id, "nudge", 409, seat=seat) == "table-nudge-early"
    fake_clock.advance(15 * SECOND_MS)
    post_request(guests[other], id, "nudge", seat=seat)
    assert guests[seat].get_table(id)["nudges"] == [{"seat": seat, "by": other}]
    assert post_request(guests[other], id, "nudge", 409, seat=seat) == "table-nudged"
    assert post_request(guests[other], id, "nudge", 409, seat=third) == "table-not-waited-for"
    assert post_request(guests[seat], id, "nudge", 409, seat=seat) == "table-not-waited-for"
    assert post_request(timed_server.new_client(), id, "nudge", 403, seat=seat) == "table-no-seat"
    post_request(guests[third], id, "nudge", seat=seat)
    message = guests[seat].get_table(id)
    guests[seat].answer(id, message["n"], first_legal(message))
    assert guests[seat].get_table(id)["nudges"] == [], "expected the nudge to end with its question"


def test_bot_substitutes_for_a_silent_player_by_consent_and_is_recorded(timed_server, fake_clock):
    id, guests = full_table(timed_server, "crystals", 3)
    seat = seat_to_act(guests, id)
    other, third = (one for one in range(3) if one != seat)
    fake_clock.advance(59 * SECOND_MS)
    assert post_request(guests[other], id, "substitute", 409, seat=seat) == "table-substitute-early"
    fake_clock.advance(1 * SECOND_MS)
    post_request(guests[other], id, "substitute", seat=seat)
    proposal = guests[third].get_table(id)["table"]["proposal"]
    assert (proposal["kind"], proposal["waiting_for"]) == ("answer", [third]), "expected the silent to have no vote"
    guests[third].vote(id)
    assert guests[0].get_table(id)["n"] == 1, "expected one answer by a bot"
    [(_, words, *_)] = timed_server.store.load(id).entries
    assert words.endswith(" by simple"), f"unexpected text: {words!r}"
    assert guests[0].get_table(id)["table"]["proposal"] is None


def test_answer_of_the_silent_player_ends_the_vote(timed_server, fake_clock):
    id, guests = full_table(timed_server, "crystals", 3)
    seat = seat_to_act(guests, id)
    other, third = (one for one in range(3) if one != seat)
    fake_clock.advance(60 * SECOND_MS)
    post_request(guests[other], id, "substitute", seat=seat)
    proposal = guests[third].get_table(id)["table"]["proposal"]["id"]
    message = guests[seat].get_table(id)
    guests[seat].answer(id, message["n"], first_legal(message))
    assert guests[third].get_table(id)["table"]["proposal"] is None
    post_request(guests[third], id, "proposal", 409, proposal=proposal, accept=True, idempotency_key="too-late-now")
    assert guests[0].get_table(id)["n"] == 1


def test_lone_player_gets_a_substitute_after_three_minutes_without_clocks(timed_server, fake_clock):
    id, guests = full_table(timed_server, "mines", 2)
    seat = seat_to_act(guests, id)
    fake_clock.advance(179 * SECOND_MS)
    assert post_request(guests[1 - seat], id, "substitute", 409, seat=seat) == "table-substitute-early"
    fake_clock.advance(1 * SECOND_MS)
    post_request(guests[1 - seat], id, "substitute", seat=seat)
    assert guests[0].get_table(id)["n"] == 1
    id, guests = full_table(timed_server, "mines", 2, time_control={"days_per_move": 1})
    fake_clock.advance(600 * SECOND_MS)
    seat = seat_to_act(guests, id)
    assert post_request(guests[1 - seat], id, "substitute", 409, seat=seat) == "table-clocks-do"
