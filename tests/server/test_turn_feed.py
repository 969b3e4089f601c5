"""The turn feed: the tables at which a person is to act, updated live and unchanged by a restart."""

import contextlib

import apsw
import pytest

from diamonds.server.tables import proposals
from tests.server.support.client import Client, StreamReader, TurnFeedReader, wait_until
from tests.server.support.live_server import LiveServer, full_table

DAY_MS = 86_400_000


def assert_stored_turns(server: LiveServer, table: str) -> None:
    """Assert that the stored seats to act at a table match its game."""
    found = server.app.tables.get(table)
    for seat, place in enumerate(found.seating.seats):
        asked = bool(int(found.game_state.state["to_act"]) >> seat & 1)
        kept = table in server.run(server.app.turns.turns_of(place.person))
        assert kept == asked, f"expected seat {seat} {'not ' * (not asked)}to be stored as to act"


def to_act_and_other(guests: list[Client], table: str) -> tuple[Client, Client]:
    first = guests[0].get_table(table)["view"]["to_act"][0]
    return guests[first], guests[1 - first]


def answer_until(guest: Client, table: str, other: Client) -> None:
    while not other.get_table(table)["open_question"]:
        guest.answer_first(table)


def test_turn_feed_reaches_players_of_timed_tables_everywhere(timed_server, fake_clock):
    table, guests = full_table(timed_server, "mines", 2, time_control={"days_per_move": 2})
    asked, other = to_act_and_other(guests, table)
    other.post("/api/me", {"name": "Ben"}, 200)
    hers, his = TurnFeedReader(asked), TurnFeedReader(other)
    (turn,) = hers.wait_for(table)
    his.wait_for()
    assert turn["game"] == "mines", turn
    assert turn["others"] == ["Ben"], f"expected the other players' names: {turn}"
    assert turn["deadline_ms"] == hers.stream.messages[-1]["now"] + 2 * DAY_MS, f"expected two days to act: {turn}"
    asked.finish_turn(table)
    hers.wait_for()
    his.wait_for(table)


def test_turn_feed_lists_the_shortest_time_first(timed_server, fake_clock):
    ann, ben = timed_server.new_client(), timed_server.new_client()
    tables = []
    for days in (3, 1, 2):
        id = ann.create_table_with(ben, time_control={"days_per_move": days})
        tables.append(id)
    hers = [id for id in tables if ann.get_table(id)["open_question"]]
    in_time = sorted(hers, key=lambda id: {tables[0]: 3, tables[1]: 1, tables[2]: 2}[id])
    TurnFeedReader(ann).wait_for(*in_time)
    TurnFeedReader(ben).wait_for(*[id for id in (tables[1], tables[2], tables[0]) if id not in hers])


@pytest.mark.parametrize("clock", [{"days_per_move": 2}, None], ids=["days", "no clock"])
def test_turn_feed_is_unchanged_by_restart_and_eviction(clock, disk_server):
    table, guests = full_table(disk_server, "mines", 2, time_control=clock)
    asked, other = to_act_and_other(guests, table)
    asked.finish_turn(table)
    disk_server.restart(*guests)
    assert disk_server.app.tables.registry.get(table) is None, "expected the table not to be loaded"
    TurnFeedReader(other).wait_for(table)
    TurnFeedReader(asked).wait_for()
    assert disk_server.app.tables.registry.get(table) is None, "expected no game to be replayed for the turn feed"


def test_turn_feed_includes_games_stored_by_an_older_version(tmp_path, disk_server):
    table, guests = full_table(disk_server, "mines", 2)
    asked, other = to_act_and_other(guests, table)
    asked.finish_turn(table)
    disk_server.close()
    with contextlib.closing(apsw.Connection(str(tmp_path / "diamonds.sqlite"))) as disk:
        disk.execute("UPDATE tables SET to_act = NULL")
    disk_server.open(*guests)
    assert disk_server.app.tables.registry.all() == [], "expected no games to be replayed at startup"
    TurnFeedReader(other).wait_for(table)
    disk_server.restart(*guests)
    TurnFeedReader(other).wait_for(table)
    TurnFeedReader(asked).wait_for()
    assert disk_server.app.tables.registry.all() == [], "expected one replay of the game"


def test_turn_feed_lists_untimed_tables_last_without_a_time(timed_server, fake_clock):
    ann, ben = timed_server.new_client(), timed_server.new_client()
    ben.post("/api/me", {"name": "Ben"}, 200)
    found: dict[bool, str] = {}
    while len(found) < 2:  # a table of each kind at which Ann is to act
        timed = True not in found
        id = ann.create_table_with(ben, time_control={"days_per_move": 1} if timed else None)
        known = timed_server.store.turn_states_of(timed_server.app.tables.get(id).header.host)
        assert all(one.clocks or one.to_act is not None for one in known), "expected the stored seats to act"
        if ann.get_table(id)["open_question"]:
            found[timed] = id
        else:
            ann.post(f"/api/tables/{id}/stand", {"idempotency_key": f"stand-{id}"}, 200)
    hers = TurnFeedReader(ann)
    turn = hers.wait_for(found[True], found[False])[1]
    assert (turn["deadline_ms"], turn["days_per_move"], turn["game"]) == (None, 0, "mines"), turn
    assert turn["others"] == ["Ben"], turn
    ann.finish_turn(found[False])
    hers.wait_for(found[True])
    TurnFeedReader(ben).wait_for(found[False])
    assert_stored_turns(timed_server, found[False])
    fake_clock.advance(proposals.SUBSTITUTE_ALONE_AFTER_MS)
    while ben.get_table(found[False])["open_question"]:
        ann.post(
            f"/api/tables/{found[False]}/substitute", {"seat": 1, "idempotency_key": f"let-{fake_clock.wall_ms}"}, 200
        )
        fake_clock.advance(proposals.SUBSTITUTE_ALONE_AFTER_MS)
        assert_stored_turns(timed_server, found[False])
    ann.finish_turn(found[False])
    message = ben.get_table(found[False])
    ben.post(f"/api/tables/{found[False]}/undo", {"n": message["n"], "to": 0, "idempotency_key": "undo-key"}, 200)
    ann.vote(found[False])
    hers.wait_for(found[True], found[False])
    assert_stored_turns(timed_server, found[False])


def test_lone_player_is_not_in_the_turn_feed_until_somebody_returns(disk_server):
    ann, ben = disk_server.new_client(), disk_server.new_client()
    alone = ann.create_table(game="crystals", seats=2, seats_taken_by=["me", "bot:simple"])
    table = ann.create_table(game="crystals", seats=2, seats_taken_by=["me", "open"])
    ben.sit(table, seat=1, invite=ann.invite)
    answer_until(ben, table, ann)
    ann.wait_for_turn(alone)
    TurnFeedReader(ann).wait_for(table)
    ben.post(f"/api/tables/{table}/stand", {"idempotency_key": "stand-key"}, 200)
    ann.answer_first(table)
    hers = TurnFeedReader(ann)
    hers.wait_for()
    disk_server.restart(ann, ben)
    hers = TurnFeedReader(ann)
    hers.wait_for()
    ben.sit(table, seat=1, invite=ann.invite)
    asked = [guest for guest in (ann, ben) if guest.get_table(table)["open_question"]]
    disk_server.restart(ann, ben)
    for guest in (ann, ben):
        TurnFeedReader(guest).wait_for(*[table] * (guest in asked))


def test_closed_table_is_in_no_turn_feed(server):
    table, guests = full_table(server, "mines", 2)
    asked, _ = to_act_and_other(guests, table)
    hers = TurnFeedReader(asked)
    hers.wait_for(table)
    server.run(server.app.tables.actions.close_table(table, "why"))
    hers.wait_for()
    TurnFeedReader(asked).wait_for()


def test_paused_table_is_in_no_turn_feed(timed_server, fake_clock):
    table, guests = full_table(timed_server, "mines", 2, time_control={"days_per_move": 2})
    asked, other = to_act_and_other(guests, table)
    told = TurnFeedReader(asked)
    told.wait_for(table)
    other.post(f"/api/tables/{table}/pause", {"on": True, "idempotency_key": "pause-0001"}, 200)
    asked.vote(table)
    told.wait_for()
    asked.post(f"/api/tables/{table}/pause", {"on": False, "idempotency_key": "pause-0002"}, 200)
    told.wait_for(table)


def test_turn_feed_uses_the_browsers_stream_but_not_a_programs(timed_server):
    table, guests = full_table(timed_server, "mines", 2, time_control={"days_per_move": 2})
    asked, _ = to_act_and_other(guests, table)
    program = asked.watch(table)
    browser = Client(timed_server.port)
    browser.send("GET", "/")
    cookie = browser.reply_headers["set-cookie"].partition(";")[0]
    for path in (f"/api/tables/{table}/stream", "/api/lobby", "/api/turns"):
        stream = StreamReader(timed_server.port, path, {"Cookie": cookie})
        wait_until(lambda stream=stream: b"event: turns\n" in stream.received, f"expected no turns on {path}")
    assert b"event: turns" not in program.received, "expected one kind of event for a program"
