"""What people may do while they wait for somebody: pauses by consent, nudges, and a bot that answers for who is silent."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from guests import Guest, House, first_legal, full_table
from timepiece import Timepiece, clocks_at

from diamonds.server.wire.app import Setup
from diamonds.server.wire.limits import Limits

LIVE = {"start": 60, "increment": 5}
SECOND, MINUTE = 1_000, 60_000


def ask_for(guest: Guest, table: str, what: str, expect: int = 200, **body: object) -> str:
    """A POST to the table; returns the id of the refusal, if it is one."""
    return str(guest.post(f"/api/tables/{table}/{what}", body, expect).get("id", ""))


def asked_at(guests: list[Guest], table: str) -> int:
    """The seat that is asked."""
    return int(guests[0].look(table)["view"]["to_act"][0])


def test_clocks_stand_still_when_everyone_else_has_agreed_and_go_on_when_anyone_says_so(
    timed_house: House, time: Timepiece
) -> None:
    id, guests = full_table(timed_house, "crystals", 3, clock=LIVE)
    seat = asked_at(guests, id)
    others = [other for other in range(3) if other != seat]
    time.pass_by(10 * SECOND)
    ask_for(guests[seat], id, "pause", on=True)
    guests[others[0]].consent(id)
    assert not clocks_at(guests[0], id)["paused"], "One of two others has agreed: that is no pause."
    guests[others[1]].consent(id)
    clocks = clocks_at(guests[0], id)
    assert clocks["paused"]
    assert clocks["runs"] == []
    time.pass_by(10 * MINUTE, timed_house)
    message = guests[seat].look(id)
    assert message["clocks"]["left"][seat] == 50 * SECOND, f"Ten minutes of pause took time: {message['clocks']}"
    refused = guests[seat].answer(id, message["n"], first_legal(message), expect=409)
    assert refused["id"] == "table-paused", "Nobody answers in a pause."
    ask_for(guests[others[1]], id, "pause", on=False)
    time.pass_by(4 * SECOND)
    assert clocks_at(guests[0], id)["left"][seat] == 46 * SECOND


def test_a_pause_is_kept_over_a_restart(time: Timepiece, open_house: Callable[..., House], tmp_path: Path) -> None:
    house = open_house(tmp_path)
    id, guests = full_table(house, "mines", 2, clock=LIVE)
    ask_for(guests[0], id, "pause", on=True)
    guests[1].consent(id)
    before = clocks_at(guests[0], id)
    house.restart(*guests)
    time.pass_by(10 * MINUTE, house)
    after = clocks_at(guests[0], id)
    assert (after["left"], after["paused"]) == (before["left"], True)


def test_a_pause_that_somebody_refuses_is_none_and_asking_again_and_again_stops_no_clock(
    timed_house: House, time: Timepiece
) -> None:
    id, guests = full_table(timed_house, "mines", 2, clock=LIVE)
    seat = asked_at(guests, id)
    for _ in range(5):
        ask_for(guests[seat], id, "pause", on=True)
        time.pass_by(2 * SECOND)
        guests[1 - seat].consent(id, agree=False)
    clocks = clocks_at(guests[0], id)
    assert clocks["left"][seat] == 50 * SECOND, "The clock runs while a pause is asked for."
    assert ask_for(guests[seat], id, "pause", 409, on=False) == "table-not-paused"


def test_pauses_and_nudges_are_limited(time: Timepiece, open_house: Callable[..., House]) -> None:
    house = open_house(settings=Setup((0, 0), Limits()))
    id, guests = full_table(house, "mines", 2, clock=LIVE)
    replies = [
        guests[0].send("POST", f"/api/tables/{id}/nudge", b'{"seat": 1}', {"Content-Type": "application/json"})[0]
        for _ in range(25)
    ]
    assert set(replies[:20]) == {409}
    assert 429 in replies[20:], f"A flood of nudges is let through: {replies}"


def test_bots_make_a_pause_too(timed_house: House, time: Timepiece) -> None:
    ann = timed_house.guest()
    id = ann.make(game="mines", seats=2, clock=LIVE)
    ask_for(ann, id, "pause", on=True)
    table = timed_house.app.tables.get(id)
    n = table.n
    timed_house.call(lambda: timed_house.app.tables.bots.look(table))
    assert (ann.look(id)["n"], clocks_at(ann, id)["paused"]) == (n, True), "Alone with bots one pauses at will."
    ask_for(ann, id, "pause", on=False)


def test_a_table_without_clocks_has_no_pause(timed_house: House) -> None:
    id, guests = full_table(timed_house, "mines", 2)
    assert ask_for(guests[0], id, "pause", 409, on=True) == "table-no-clocks"


def test_who_is_waited_for_is_nudged_once_for_each_question_and_not_at_once(
    timed_house: House, time: Timepiece
) -> None:
    id, guests = full_table(timed_house, "crystals", 3)
    seat = asked_at(guests, id)
    other, third = (one for one in range(3) if one != seat)
    assert ask_for(guests[other], id, "nudge", 409, seat=seat) == "table-nudge-early"
    time.pass_by(15 * SECOND)
    ask_for(guests[other], id, "nudge", seat=seat)
    assert guests[seat].look(id)["nudges"] == [{"seat": seat, "by": other}]
    assert ask_for(guests[other], id, "nudge", 409, seat=seat) == "table-nudged"
    assert ask_for(guests[other], id, "nudge", 409, seat=third) == "table-not-waited-for"
    assert ask_for(guests[seat], id, "nudge", 409, seat=seat) == "table-not-waited-for", "Nobody nudges themselves."
    assert ask_for(timed_house.guest(), id, "nudge", 403, seat=seat) == "table-no-seat", "Who watches nudges nobody."
    ask_for(guests[third], id, "nudge", seat=seat)
    message = guests[seat].look(id)
    guests[seat].answer(id, message["n"], first_legal(message))
    assert guests[seat].look(id)["nudges"] == [], "It is gone when the question is."


def test_a_bot_answers_for_who_is_silent_when_all_others_agree_and_the_record_says_whose_answer_it_was(
    timed_house: House, time: Timepiece
) -> None:
    id, guests = full_table(timed_house, "crystals", 3)
    seat = asked_at(guests, id)
    other, third = (one for one in range(3) if one != seat)
    time.pass_by(59 * SECOND)
    assert ask_for(guests[other], id, "let-answer", 409, seat=seat) == "table-answer-early"
    time.pass_by(1 * SECOND)
    ask_for(guests[other], id, "let-answer", seat=seat)
    wish = guests[third].look(id)["table"]["wish"]
    assert (wish["kind"], wish["waiting"]) == ("answer", [third]), f"Who is silent is not asked: {wish}"
    guests[third].consent(id)
    assert guests[0].look(id)["n"] == 1, "The bot has answered once."
    [(_, words, *_)] = timed_house.kept.load(id).entries
    assert words.endswith(" by simple"), f"It says {words!r}."
    assert guests[0].look(id)["table"]["wish"] is None


def test_who_answers_meanwhile_ends_the_vote(timed_house: House, time: Timepiece) -> None:
    id, guests = full_table(timed_house, "crystals", 3)
    seat = asked_at(guests, id)
    other, third = (one for one in range(3) if one != seat)
    time.pass_by(60 * SECOND)
    ask_for(guests[other], id, "let-answer", seat=seat)
    wish = guests[third].look(id)["table"]["wish"]["id"]
    message = guests[seat].look(id)
    guests[seat].answer(id, message["n"], first_legal(message))
    assert guests[third].look(id)["table"]["wish"] is None
    ask_for(guests[third], id, "wish", 409, wish=wish, agree=True, key="too-late-now")
    assert guests[0].look(id)["n"] == 1


def test_one_alone_lets_a_bot_answer_after_three_minutes_and_where_clocks_run_nobody_does(
    timed_house: House, time: Timepiece
) -> None:
    id, guests = full_table(timed_house, "mines", 2)
    seat = asked_at(guests, id)
    time.pass_by(179 * SECOND)
    assert ask_for(guests[1 - seat], id, "let-answer", 409, seat=seat) == "table-answer-early"
    time.pass_by(1 * SECOND)
    ask_for(guests[1 - seat], id, "let-answer", seat=seat)
    assert guests[0].look(id)["n"] == 1
    id, guests = full_table(timed_house, "mines", 2, clock={"days": 1})
    time.pass_by(600 * SECOND)
    seat = asked_at(guests, id)
    assert ask_for(guests[1 - seat], id, "let-answer", 409, seat=seat) == "table-clocks-do"
