"""Actions at a table other than answers: sitting, standing up, bots, undo, forks."""

import json
import os
import random
import signal

import pytest

from diamonds import i18n
from diamonds.record_reader import load_record
from diamonds.server.http import asgi_routes
from diamonds.server.jobs import worker_pool
from diamonds.server.tables import bots
from diamonds.server.tables.core.log_replay import effective_game
from tests.server.support.client import Client, event_text, first_legal, message_to_act, wait_until
from tests.server.support.live_server import LiveServer, finish_game, full_table, run_in_loop


@pytest.mark.parametrize(("game", "seats"), [("crystals", 4), ("fourteen", 4), ("mines", 2)])
def test_one_request_deals_cards_and_bots_finish_the_game(server, guest, game, seats):
    id = guest.create_table(game=game, seats=seats)
    message = guest.get_table(id)
    assert message["table"]["phase"] == "playing"
    assert message["seat"] == 0
    assert message["view"]["hand"][0] is not None
    assert [place["kind"] for place in message["table"]["seat_holders"]] == ["person"] + ["bot"] * (seats - 1)
    finish_game(server, id, guest)
    message = guest.get_table(id)
    assert message["result"]["winners"]
    record = guest.get(f"/api/tables/{id}/record")
    assert load_record(json.dumps(record)).over
    assert record["commitment"] == message["table"]["commitment"]
    fair = ["table-deals-fair", {"number": len(record["checksums"])}]
    assert guest.get(f"/api/tables/{id}/verify") == {"ok": True, "findings": [fair]}
    assert guest.get("/api/tables")["your_tables"][0]["phase"] == "over"


def test_standing_up_leaves_an_open_seat_or_a_bot(server, monkeypatch):
    monkeypatch.setattr(asgi_routes, "PRESENCE_DEBOUNCE_S", 0.0)
    host, other = server.new_client(), server.new_client()
    id = host.create_open_table(private=False, substitute_after_s=5)
    other.sit(id)
    other_seat = other.get_table(id)["seat"]
    host.watch(id)
    other.post(f"/api/tables/{id}/stand", {}, 200)
    place = wait_until(
        lambda: (p := host.get_table(id)["table"]["seat_holders"][other_seat])["substituted"] and p,
        "expected a bot to play on",
    )
    assert (place["kind"], place["reserved"]) == ("open", True), "expected an open seat"
    host.post(f"/api/tables/{id}/bot", {"seat": other_seat, "level": None}, 409)
    for _ in range(3):
        host.wait_for_turn(id)
        host.answer_first(id)
    nonces = server.app.tables.get(id).game_state.nonces
    other.post(f"/api/tables/{id}/stand", {}, 403)
    other.sit(id)
    assert other.get_table(id)["seat"] == other_seat
    assert server.app.tables.get(id).game_state.nonces == nonces, "expected the deals to be fixed when the game began"


def age_absence(server: LiveServer, id: str, seat: int, seconds: float) -> None:
    """Make a person's absence appear longer, and let the table check it."""

    def later() -> None:
        table = server.app.tables.get(id)
        table.presence.last_seen[seat] -= seconds
        server.app.tables.bots.schedule(table)

    server.call_on_loop(later)


def test_bot_substitutes_for_an_absent_person_who_can_return(server, monkeypatch):
    monkeypatch.setattr(asgi_routes, "PRESENCE_DEBOUNCE_S", 0.0)
    host, other = server.new_client(), server.new_client()
    id = host.create_table_with(other, substitute_after_s=3600)
    stream, theirs = host.open_stream(id), other.open_stream(id)
    wait_until(lambda: stream.events and theirs.events, "expected first messages")
    table = server.app.tables.get(id)
    theirs.close()
    wait_until(lambda: len(table.presence.streams) == 1, "expected the person to be absent")

    def play() -> bool:
        message = host.get_table(id)
        if message["open_question"]:
            host.answer(id, message["n"], first_legal(message))
        return message["table"]["seat_holders"][1]["substituted"]

    age_absence(server, id, 1, 1800)
    assert not any(play() for _ in range(5)), "expected no bot before the delay is over"
    age_absence(server, id, 1, 1801)
    wait_until(play, "expected a substitute")
    n = table.n
    wait_until(lambda: play() and table.n > n + 4, "expected the substitute to answer")
    back = other.open_stream(id)
    wait_until(
        lambda: back.newest and not back.newest["table"]["seat_holders"][1]["substituted"],
        "expected the seat to return to its person",
    )
    message = wait_until(lambda: (play(), (m := other.get_table(id))["open_question"] and m)[1], "expected a turn")
    other.answer(id, message["n"], first_legal(message))


def test_lone_players_game_pauses_while_the_player_is_away(server, guest, monkeypatch):
    monkeypatch.setattr(asgi_routes, "PRESENCE_DEBOUNCE_S", 0.0)
    id = guest.create_table(game="fourteen", seats=3, substitute_after_s=3600)
    table = server.app.tables.get(id)
    stream = guest.open_stream(id)
    guest.wait_for_turn(id)
    stream.socket.shutdown(2)
    wait_until(lambda: not table.presence.streams, "expected the guest to be absent")
    n = table.n
    age_absence(server, id, 0, 7200)
    assert not table.presence.substituted
    assert not table.presence.bot_tasks, "expected no bot answer while the lone player is away"
    assert table.n == n


def test_host_adds_and_removes_bots(server):
    host = server.new_client()
    id = host.create_table(game="fourteen", seats=3, seats_taken_by=["me", "open", "open"], private=False)
    host.post(f"/api/tables/{id}/bot", {"seat": 1, "level": "random"}, 200)
    assert host.get_table(id)["table"]["seat_holders"][1]["level"] == "random"
    host.post(f"/api/tables/{id}/bot", {"seat": 1, "level": None}, 200)
    assert host.get_table(id)["table"]["seat_holders"][1]["kind"] == "open"
    host.post(f"/api/tables/{id}/bot", {"seat": 1, "level": None}, 409)
    host.post(f"/api/tables/{id}/bot", {"seat": 1, "level": "deity"}, 404)
    host.post(f"/api/tables/{id}/bot", {"seat": 0, "level": "simple"}, 409)
    host.post(f"/api/tables/{id}/bot", {"seat": 7, "level": "simple"}, 400)
    other = server.new_client()
    other.sit(id, seat=2)
    other.post(f"/api/tables/{id}/bot", {"seat": 1, "level": "simple"}, 403)
    host.post(f"/api/tables/{id}/bot", {"seat": 2, "level": "simple"}, 409)
    other.post(f"/api/tables/{id}/stand", {}, 200)
    for seat in (1, 2):
        host.post(f"/api/tables/{id}/bot", {"seat": seat, "level": "simple"}, 200)
    assert host.get_table(id)["table"]["phase"] == "playing"
    for bot in ({"seat": 1, "level": None}, {"seat": 1, "level": "random"}):
        error = other.post(f"/api/tables/{id}/bot", bot, 403)
        assert error["id"] == "table-bots-during", "expected an error for a person without a seat"
    assert host.get_table(id)["table"]["proposal"] is None


def test_bots_are_reproducible_for_one_table_and_its_answers(monkeypatch, open_server):
    """A bot's random numbers follow from the table's secret and n."""
    seen = []
    real = bots.choose_answer

    def spy(*given):
        seen.append((given, real(*given)))
        return seen[-1][1]

    monkeypatch.setattr(bots, "choose_answer", spy)
    server = open_server()
    guest = server.new_client()
    id = guest.create_table(game="mines", seats=2, seats_taken_by=["me", "bot:random"])
    finish_game(server, id, guest)
    assert len(seen) > 5
    assert len({given[-1] for given, _ in seen}) > 5, "expected different random numbers for each question"
    for given, answer in seen:
        assert real(*given) == answer


# Undo (docs/rulings.md)


def test_undo_is_free_while_nothing_was_learned(open_server):
    server = open_server(bot_delay=(30, 30))  # bots that think too long to answer during the test
    guest = server.new_client()
    while True:
        id = guest.create_table(game="crystals", seats=2, options={"two_cards": True})
        message = guest.get_table(id)
        if message["open_question"]:
            break
    assert (message["undo_min"], message["undo_last"]) == (None, None)
    guest.answer(id, 0, "count 3")
    message = guest.get_table(id)
    assert (message["undo_min"], message["undo_last"]) == (0, 0)
    cards = [str(card) for card in message["view"]["hand"][0]]
    guest.answer(id, 1, f"pass {cards[0]}")
    message = guest.get_table(id)
    assert (message["undo_min"], message["undo_last"]) == (0, 1)
    guest.post(f"/api/tables/{id}/undo", {"n": 2, "to": 1, "idempotency_key": "undo-key-1"}, 200)
    message = guest.get_table(id)
    assert message["n"] == 3, "expected an entry for the undo"
    assert message["view"]["chosen"][0] == []
    assert message["undo_last"] == 0
    guest.answer(id, 3, f"pass {cards[1]}")
    assert guest.get_table(id)["view"]["chosen"][0] == [cards[1]]
    # A position that includes the undone answer can no longer be restored.
    guest.post(f"/api/tables/{id}/undo", {"n": 4, "to": 2, "idempotency_key": "undo-key-2"}, 400)
    guest.post(f"/api/tables/{id}/undo", {"n": 4, "to": 0, "idempotency_key": "undo-key-3"}, 200)
    assert guest.get_table(id)["open_question"]["question"] == "count"
    assert guest.post(f"/api/tables/{id}/undo", {"n": 4, "to": 0, "idempotency_key": "undo-key-3"}, 200)["n"] == 5
    assert guest.get_table(id)["n"] == 5


def table_before_undo(guest, game, seats, rng):
    """Return a table where the guest is to act after seven answers, with n and the view before each answer."""
    while True:
        id, given = guest.create_table(game=game, seats=seats), []
        while len(given) < 7 and not (message := guest.wait_for_turn_or_end(id))["result"]:
            asked = message["open_question"]
            guest.answer(id, message["n"], f"{asked['question']} {rng.choice(asked['legal'])}")
            # If all choose simultaneously, others may have answered first.
            given.append((guest.get_table(id)["undo_last"], message))
        if len(given) == 7 and not guest.wait_for_turn_or_end(id)["result"]:
            return id, given


@pytest.mark.parametrize(("game", "seats"), [("crystals", 4), ("fourteen", 3), ("mines", 2)])
def test_undo_alone_against_bots_reaches_any_own_decision(server, game, seats):
    guest, rng = server.new_client(), random.Random(game)
    id, given = table_before_undo(guest, game, seats, rng)
    now = guest.get_table(id)
    assert now["undo_min"] == 0
    bots = next(n for n in range(now["n"]) if n not in [mine for mine, _ in given])
    undo = {"n": now["n"], "to": bots, "idempotency_key": "undo-key-bots"}
    assert guest.post(f"/api/tables/{id}/undo", undo, 409)["id"] == "table-undo-own", "a bot's decision"
    for n, moment in (given[5], given[1]):
        undo = {"n": guest.get_table(id)["n"], "to": n, "idempotency_key": f"undo-key-{n:04d}"}
        guest.post(f"/api/tables/{id}/undo", undo, 200)
        back = guest.get_table(id)
        assert back["view"]["hand"] == moment["view"]["hand"]
        assert back["open_question"] == moment["open_question"]
        assert any(event_text(back, told) == "You undo a move." for told in back["events"]), "expected an undo event"
    guest.answer(id, back["n"], first_legal(back))
    log = server.app.tables.get(id).log
    assert [log.entry_text(entry).split()[0] for entry in log.entries].count("undo") == 2, "expected an undo entry"


def test_undo_among_people_needs_their_consent(server):
    id, guests = full_table(server, "fourteen", 3)
    for guest in guests:
        guest.post("/api/me", {"name": "Zoe"}, 200)
    message = message_to_act(guests, id)
    mine = message["seat"]
    guest, one, two = guests[mine], guests[(mine + 1) % 3], guests[(mine + 2) % 3]
    guest.answer(id, 0, first_legal(message))
    now = guest.get_table(id)
    assert (now["undo_min"], now["undo_last"]) == (None, 0)

    proposal = {"n": 1, "to": 0, "idempotency_key": "undo-wish-1"}
    guest.post(f"/api/tables/{id}/undo", proposal, 200)
    shown = two.get_table(id)["table"]["proposal"]
    assert (shown["kind"], shown["seat"], shown["to"], shown["is_yours"]) == ("undo", mine, 0, False)
    assert shown["waiting_for"] == sorted([(mine + 1) % 3, (mine + 2) % 3])
    assert set(shown) == {"id", "kind", "name", "is_yours", "seat", "to", "level", "waiting_for"}
    assert shown["name"] == two.get_table(id)["table"]["seat_holders"][mine]["name"]
    assert guest.get_table(id)["table"]["proposal"]["is_yours"]
    one.vote(id, False)
    assert two.get_table(id)["table"]["proposal"] is None
    assert two.get_table(id)["n"] == 1

    guest.post(f"/api/tables/{id}/undo", {**proposal, "idempotency_key": "undo-wish-2"}, 200)
    one.vote(id)
    assert two.get_table(id)["n"] == 1
    one.vote(id, expect=409)
    guest.vote(id, expect=409)
    server.new_client().vote(id, expect=403)
    two.vote(id)
    now = guest.get_table(id)
    assert now["n"] == 2
    assert now["view"]["hand"] == message["view"]["hand"]
    assert now["open_question"] == message["open_question"]
    assert event_text(now, now["events"][-1]) == "You undo a move."

    # The next answer ends a proposal without votes.
    guest.answer(id, 2, first_legal(now))
    guest.post(f"/api/tables/{id}/undo", {"n": 3, "to": 0, "idempotency_key": "undo-wish-3"}, 200)
    asked = message_to_act(guests, id)
    guests[asked["seat"]].answer(id, 3, first_legal(asked))
    assert guest.get_table(id)["table"]["proposal"] is None
    one.post(
        f"/api/tables/{id}/proposal",
        {"proposal": asked["table"]["proposal"]["id"], "accept": True, "idempotency_key": "undo-yes-3"},
        409,
    )


def test_undo_survives_a_restart_and_is_in_the_record(disk_server):
    id, guests = full_table(disk_server, "fourteen", 3, options={"target": 5})
    rng = random.Random(2)
    table = disk_server.app.tables.get(id)
    for k in range(6):
        message = message_to_act(guests, id)
        guests[message["seat"]].answer(id, message["n"], first_legal(message))
        if k in (2, 4):
            by = message["seat"]
            n = table.n
            guests[by].post(f"/api/tables/{id}/undo", {"n": n, "to": n - 1, "idempotency_key": f"undo-{k}-wish"}, 200)
            for other in range(3):
                if other != by:
                    guests[other].vote(id)
    before = [guest.get_table(id) for guest in guests]
    disk_server.restart(*guests)
    for guest, was in zip(guests, before, strict=True):
        now = guest.get_table(id)
        now.pop("version"), was.pop("version")
        assert now == was
    table = disk_server.app.tables.get(id)
    while not table.is_over:
        message = message_to_act(guests, id)
        guests[message["seat"]].answer(id, message["n"], f"play {rng.choice(message['open_question']['legal'])}")
    record = guests[0].get(f"/api/tables/{id}/record")
    assert len(record["entries"]) == len(record["times"]) == table.n, "expected the undone answers in the record"
    assert sum(" undo " in entry and entry.endswith(" agreed") for entry in record["entries"]) == 2
    assert load_record(json.dumps(record)).n == table.n - 4
    assert guests[0].get(f"/api/tables/{id}/verify")["ok"]


# Forks and more


def test_finished_game_can_be_forked_at_any_entry(server, guest):
    id = guest.create_table(game="mines", seats=2)
    guest.post(f"/api/tables/{id}/fork", {"n": 0, "seat": 0, "level": "simple"}, 409)
    finish_game(server, id, guest)
    steps = guest.get(f"/api/tables/{id}/replay")["steps"]
    other = server.new_client()
    assert guest.get_table(id)["table"]["fork"] is None
    for n in (0, 5, len(steps) - 2):
        made = other.post(f"/api/tables/{id}/fork", {"n": n, "seat": 1, "level": "simple"}, 201)
        message = other.get_table(made["id"])
        assert message["n"] >= n
        assert message["seat"] == 1
        assert message["view"]["hand"][0] is None or message["result"]
        if message["n"] == n:
            assert message["view"]["hand"][1] == steps[n]["view"]["hand"][1]
            assert message["view"]["turn"] == steps[n]["view"]["turn"]
    other.post(f"/api/tables/{id}/fork", {"n": len(steps), "seat": 1, "level": "simple"}, 400)
    other.post(f"/api/tables/{id}/fork", {"n": 0, "seat": 2, "level": "simple"}, 400)


def test_new_name_is_sent_to_a_table_immediately(server):
    id, guests = full_table(server, "mines", 2)
    stream = guests[1].watch(id)
    guests[0].post("/api/me", {"name": "Zoë"}, 200)
    wait_until(lambda: stream.newest["table"]["seat_holders"][0]["name"] == "Zoë", "expected the new name")
    assert guests[0].get("/api/server")["display_name"] == "Zoë"


def test_presence_and_spectator_count_are_sent(server, monkeypatch):
    monkeypatch.setattr(asgi_routes, "PRESENCE_DEBOUNCE_S", 0.0)
    id, guests = full_table(server, "mines", 2)
    stream = guests[0].open_stream(id)
    wait_until(lambda: stream.newest and stream.newest["table"]["seat_holders"][0]["connected"], "a viewer here")
    assert not stream.newest["table"]["seat_holders"][1]["connected"]
    watching = Client(server.port).open_stream(id)
    wait_until(lambda: stream.newest["table"]["spectators"] == 1, "expected the spectator to be counted")
    watching.socket.shutdown(2)
    wait_until(lambda: stream.newest["table"]["spectators"] == 0, "expected the spectator not to be counted any more")


def test_r1_illegal_card_is_rejected_with_its_rule(server):
    id, guests = full_table(server, "fourteen", 3)
    for _ in range(30):
        message = message_to_act(guests, id)
        illegal = {card: one["text"] for one in message["open_question"]["illegal"] for card in one["cards"]}
        hand = set(message["view"]["hand"][message["seat"]])
        assert set(illegal) | set(message["open_question"]["legal"]) == hand
        for card, why in illegal.items():
            assert why[1]["rule"] == "F5"
            answer = guests[message["seat"]].answer(id, message["n"], f"play {card}", expect=409)
            assert answer["error"] == i18n.translate(*why)
            break
        guests[message["seat"]].answer(id, message["n"], first_legal(message))


@pytest.mark.kernels
def test_catalog_lists_the_playable_games(server):
    told = Client(server.port).get("/api/server")
    assert [game["name"] for game in told["games"]] == ["crystals", "fourteen", "mines"]
    for game in told["games"]:
        for option in game["options"]:
            assert option["default"] in option["values"]
    assert {"random", "simple"} <= {level["level"] for level in told["levels"]}
    guest = server.new_client()
    assert told["levels_unavailable"] == ""
    for level in told["levels"]:
        guest.create_table(game="mines", seats=2, seats_taken_by=["me", f"bot:{level['level']}"])


@pytest.mark.later
def test_dead_worker_process_is_replaced():
    async def kill_and_ask_again() -> tuple[int, int]:
        pool = worker_pool.WorkerPool()
        first = await pool.run(os.getpid)
        os.kill(first, signal.SIGKILL)
        second = await pool.run(os.getpid)
        pool.close()
        return first, second

    first, second = run_in_loop(kill_and_ask_again())
    assert first != second


def test_f2_waiting_player_receives_the_cut_and_first_deal(server):
    host, other = server.new_client(), server.new_client()
    id = host.create_table(game="fourteen", seats=3, seats_taken_by=["me", "open", "bot:random"], substitute_after_s=0)
    stream = host.open_stream(id)
    waiting = wait_until(lambda: stream.newest, "expected a first message")
    assert waiting["view"] is None
    other.sit(id, invite=host.invite)
    begun = wait_until(lambda: next((m for m in stream.messages if m["view"]), None), "expected the game to begin")
    cuts = [told["n"] for told in begun["events"] if told["event"]["event"] == "cut"]
    assert cuts == [0, 0, 0], "expected the cut, which names the dealer and the reason, for a waiting player (F2)"
    again = json.loads(host.send("GET", f"/api/tables/{id}?after={waiting['version']}")[1])
    assert again["events"][: len(begun["events"])] == begun["events"], "expected the cut after a reconnect, too"
    table = server.app.tables.get(id)
    wait_until(
        lambda: table.n >= 1 or host.get_table(id)["open_question"] or other.get_table(id)["open_question"],
        "expected an answer",
    )
    for guest in (host, other):
        guest.finish_turn(id)
    later = stream.wait_for(1)
    told = [item["n"] for message in stream.messages for item in message["events"] if item["n"] == 0]
    assert len(told) == len(begun["events"]), "expected the first deal once on each stream"
    assert later["n"] >= 1


def test_worker_processes_run_at_lower_priority():
    async def how_nice() -> int:
        pool = worker_pool.WorkerPool()
        try:
            return await pool.run(os.getpriority, os.PRIO_PROCESS, 0)
        finally:
            pool.close()

    theirs = run_in_loop(how_nice())
    ours = os.getpriority(os.PRIO_PROCESS, 0)
    assert theirs > ours or ours == 19, "expected a lower priority, so answers stay fast on a small machine"


def test_c6_cut_uses_the_pack_in_play_and_matches_the_record(server):
    id, guests = full_table(server, "crystals", 2, options={"perfect": True})
    table = server.app.tables.get(id)
    expected = [table.game.card_names[card] for card in effective_game(table, []).cut]
    for reader in (guests[1], Client(server.port)):
        message = reader.get_table(id)
        assert message["view"]["cut"] == expected, "expected the cut that follows from the table's secret (C6, R3)"
        cuts = [told for told in message["events"] if told["event"]["event"] == "cut"]
        assert len(cuts) == 2, "expected the cut in the events (F2)"
    assert {int(card[1:]) for card in expected} <= set(range(1, 9)), f"expected all of {expected} in play (C24)"
