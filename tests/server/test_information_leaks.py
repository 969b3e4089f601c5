"""Hidden information: the bytes sent to a seat contain nothing that the seat may not know (R2, R3)."""

import itertools
import random
import re
import time
from typing import Any

import msgspec
import pytest

from diamonds import deals, fields, views
from diamonds.errors import NotAllowedError
from diamonds.events import event_for
from diamonds.game import GAMES
from diamonds.records import start_game
from diamonds.server.api.codec import view_encoder
from diamonds.server.http import asgi_routes
from diamonds.server.tables import bots
from diamonds.server.tables.core.batched_answers import parse_answers
from diamonds.server.tables.core.entry_log import seat_of
from diamonds.server.tables.core.game_state import GameState
from tests.server.support.client import Client, StreamReader, first_legal, wait_until
from tests.server.support.live_server import LiveServer, answer_randomly, full_table, seat_guests
from tests.support.sample_sizes import short_or_long

LIVE_CLOCK = {"initial_s": 600, "increment_s": 3}
GAMES_AND_SEATS = [
    ("crystals", 4, {"rounds": 2}),
    pytest.param("crystals", 4, {"partnership": True, "rounds": 2}, marks=pytest.mark.later),
    ("fourteen", 3, {"target": 12}),
    ("mines", 2, {}),
]


def play_randomly_to_end(
    server: LiveServer, id: str, guests: list[Client], rng: random.Random, most: int = 10_000
) -> None:
    """Give random legal answers until the game ends or the table has ``most`` entries."""
    table = server.app.tables.get(id)
    while not table.is_over and table.n < most:
        answer_randomly(server, id, guests, rng)


@pytest.mark.parametrize(("game", "seats", "options"), GAMES_AND_SEATS)
def test_r2_stream_of_a_whole_game_has_only_the_seats_view_and_events(server, game, seats, options):
    id, guests = full_table(server, game, seats, options=options)
    spectator = Client(server.port)
    streams = [(seat, guest.open_stream(id)) for seat, guest in enumerate(guests)] + [(-1, spectator.open_stream(id))]
    play_randomly_to_end(server, id, guests, random.Random(f"{game} {options}"))
    table = server.app.tables.get(id)
    for _, stream in streams:
        stream.wait_for(table.n)

    rules = GAMES[game]
    played = start_game(rules, seats, table.header.options, table.game_state.secret, table.game_state.nonces)
    states, logs = [played.state.copy()], [played.opening_logs]
    for _, entry in table.log.effective_answers():
        question, _, answer = table.log.entry_text(entry).partition(" ")
        logs.append(played.answer(seat_of(entry), answer, question))
        states.append(fields.copy_state(played.state))

    for seat, stream in streams:
        messages = stream.messages
        assert len(messages) > 20
        for message in messages:
            n = message["n"]
            seen = views.view_data(rules, views.view(rules, states[n], seat))
            assert message["view"] == seen, f"expected the view of seat {seat} at n = {n}"
            for told in message["events"]:
                rows = [row for log in logs[told["n"]] for row in log[1 : log[0, 0] + 1].tolist()]
                heard = [event_for(row, rules.rules.EVENTS, rules.ranks, seat) for row in rows]
                assert told["event"] in heard, f"expected only the events of seat {seat} at n = {n}: {told}"
                assert set(told) == {"n", "event"}, f"expected an event alone: {told}"
            asked = seat >= 0 and seat in rules.to_act(states[n])
            assert (message["open_question"] is not None) == asked
            assert set(message) == {
                "version", "n", "seat", "view", "events", "oldest_visible", "open_question", "undo_min", "undo_last", "result", "table", "clocks", "nudges",
            }  # fmt: skip


@pytest.mark.parametrize(("game", "seats", "options"), GAMES_AND_SEATS)
def test_r3_secret_is_sent_only_in_the_record_after_the_end(server, game, seats, options):
    id, guests = full_table(server, game, seats, options=options)
    streams = [guest.open_stream(id) for guest in (*guests, Client(server.port))]
    table = server.app.tables.get(id)
    secret = table.header.secret
    replies = b""
    rng = random.Random(7)
    while not table.is_over:
        for path in ("", "/record", "/verify", "/replay"):
            replies += guests[0].send("GET", f"/api/tables/{id}{path}")[1]
        replies += guests[0].send("GET", "/api/tables")[1]
        play_randomly_to_end(server, id, guests, rng, table.n + 60)
    before_the_end = b"".join(b"".join(stream.events[:-1]) for stream in streams) + replies
    for form in (secret, secret.upper(), repr(bytes.fromhex(secret)), bytes.fromhex(secret).decode("latin-1")):
        assert form.encode() not in before_the_end, "expected no secret before the end"
    assert deals.commit(bytes.fromhex(secret)).encode() in before_the_end
    assert guests[0].get(f"/api/tables/{id}/record")["secret"] == secret
    assert guests[0].get(f"/api/tables/{id}/verify")["ok"]
    steps = guests[0].get(f"/api/tables/{id}/replay")["steps"]
    assert len(steps) == len(table.log.effective_answers()) + 1
    assert None not in steps[0]["view"]["hand"], "expected all hands to be public after the end"


@pytest.mark.parametrize("what", ["record", "verify", "replay"])
def test_r3_record_replay_and_proof_are_refused_before_the_end(server, what):
    id, guests = full_table(server, "crystals", 3)
    guests[0].get(f"/api/tables/{id}/{what}", expect=409)


# Two worlds: the same game except for cards that the reader cannot know.


def swappable_cards(game: str, states: list[Any], reader: int, rng: random.Random) -> tuple[int, int] | None:
    """Return two cards of one suit that stay in different places for part of the game, unseen by the reader."""
    first, last = states[0], states[-1]
    rules = GAMES[game]
    ranks = rules.ranks
    places: dict[int, Any] = {}
    if game == "mines":
        for pile in range(13):
            for k in range(4):
                if last["piles"][pile, k] >= 0:
                    places[int(last["piles"][pile, k])] = ("pile", pile, k)
        for seat in range(2):  # drawn, kept, and never shown to the reader
            for card in range(52):
                known = reader >= 0 and int(last["known"][reader]) >> card & 1
                if seat != reader and int(last["hand"][seat]) >> card & 1 and not known:
                    places[card] = ("hand", seat, card)
    else:
        for seat in range(int(first["seats"])):
            for card in range(60):
                bit = 1 << card
                if seat != reader and first["hand"][seat] & bit and last["hand"][seat] & bit:
                    received = game == "crystals" and (last["received"][seat] | last["chosen"][seat]) & bit
                    if not received:
                        places[card] = ("hand", seat)
        for card in range(60):
            if int(first["aside"]) >> card & 1:
                places[card] = ("aside",)
    pairs = [
        (a, b) for a, b in itertools.combinations(places, 2) if a // ranks == b // ranks and places[a] != places[b]
    ]
    moved = [(a, b) for a, b in pairs if (places[a][0] == "hand") != (places[b][0] == "hand")]
    return rng.choice(moved or pairs) if pairs else None


class ChosenDecks:
    """Decks chosen by the test, keyed by table secret."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.decks: dict[bytes, list[int]] = {}
        self.secrets = (deals.seeded_secret(k) for k in itertools.count(1))
        self.ids = (f"table{k:07d}" for k in itertools.count(1))
        real_deck = deals.deck
        monkeypatch.setattr(deals, "new_secret", lambda: next(self.secrets))
        monkeypatch.setattr(deals, "cut_cards", lambda secret, nonces, seats, ranks: list(range(20, 20 + seats)))
        monkeypatch.setattr(
            deals, "deck", lambda secret, nonces, n, pack: self.decks.get(secret) or real_deck(secret, nonces, n, pack)
        )


def listen_and_settle(server: LiveServer, id: str, guest: Client) -> StreamReader:
    """Return a stream after all presence updates have arrived."""
    stream = guest.watch(id)
    table = server.app.tables.get(id)
    wait_until(
        lambda: not table.presence.presence_update_due and stream.newest["version"] == table.version,
        "expected the presence updates to end",
    )
    return stream


@pytest.mark.parametrize(("game", "seats", "options"), GAMES_AND_SEATS)
@pytest.mark.parametrize("reader", [0, pytest.param(-1, marks=pytest.mark.later)])
@short_or_long("games", 3, 10)
def test_r2_bytes_for_a_seat_are_equal_when_hidden_cards_differ(
    fake_clock, timed_server, monkeypatch, game, seats, options, reader, games
):
    server = timed_server  # the clocks must not reveal cards either
    monkeypatch.setattr(asgi_routes, "PRESENCE_DEBOUNCE_S", 0.0)
    worlds = ChosenDecks(monkeypatch)
    compared = 0
    for seed in range(games):
        rng = random.Random(f"{game} {seed}")
        one, guests = full_table(server, game, seats, options=options, time_control=LIVE_CLOCK)
        table = server.app.tables.get(one)
        here = guests[reader] if reader >= 0 else Client(server.port)
        stream = listen_and_settle(server, one, here)
        states = [fields.copy_state(table.game_state.state)]
        answers, thought = [], [rng.randrange(900) for _ in range(40)]
        stretch = rng.randrange(1, 40)
        while len(answers) < stretch and not table.is_over and table.game_state.state["deals"] == 1:
            seat = rng.choice(table.game.to_act(table.game_state.state))
            words = f"{table.game.question(table.game_state.state).name} {rng.choice(table.game.legal(table.game_state.state, seat))}"
            fake_clock.advance(thought[len(answers)])
            guests[seat].answer(one, table.n, words)
            answers.append((seat, words))
            states.append(fields.copy_state(table.game_state.state))
        if table.is_over or table.game_state.state["deals"] > 1:
            states.pop()
            answers.pop()
        pair = swappable_cards(game, states, reader, rng)
        if pair is None:
            continue

        deck = deals.deck(table.game_state.secret, table.game_state.nonces, 0, table.game.pack(states[0]))
        real = list(deck)
        a, b = real.index(pair[0]), real.index(pair[1])
        real[a], real[b] = real[b], real[a]
        two_secret = deals.seeded_secret(1000 + seed)
        worlds.decks[two_secret] = real
        monkeypatch.setattr(deals, "new_secret", lambda secret=two_secret: secret)
        two = seat_guests(guests, game, options=options, time_control=LIVE_CLOCK)
        monkeypatch.setattr(deals, "new_secret", lambda: next(worlds.secrets))
        other = listen_and_settle(server, two, here)
        twin = server.app.tables.get(two)
        try:
            for (seat, words), milliseconds in zip(answers, thought, strict=False):
                fake_clock.advance(milliseconds)
                parse_answers(twin.game, twin.game_state.state, seat, [words])
                guests[seat].answer(two, twin.n, words)
        except NotAllowedError:
            continue  # the swapped cards would have been played differently, so the worlds are not comparable

        n = len(answers)
        stream.wait_for(n)
        other.wait_for(n)
        mine = [normalized(e, table) for e in stream.events if event_n(e) <= n and event_n(e) > 0]
        theirs = [normalized(e, twin) for e in other.events if event_n(e) <= n and event_n(e) > 0]
        assert mine == theirs, f"{game}, seed {seed}: expected equal bytes for seat {reader} with {pair} swapped"
        # Errors for invalid attempts must also be equal.
        if reader >= 0 and n == table.n:
            for words in ("play H7", "pass D3", "bid 3", "give S4", "dig 3", "nonsense", "play"):
                key = f"probe-{seed}-{words.replace(' ', '')}"
                replies = []
                for id, which in ((one, table), (two, twin)):
                    state = which.game_state.state
                    here.answer(id, which.n, words, key=key, expect=None)
                    if here.status == 200:
                        break
                    assert which.game_state.state is state, "expected a rejected answer to change nothing"
                    # The clocks of the first world kept running while the second was played.
                    replies.append((here.status, re.sub(rb'"clocks":{[^}]*}', b"", normalized(here.reply_body, which))))
                if len(replies) == 2:
                    assert replies[0] == replies[1], f"expected equal errors for seat {reader}"
                else:
                    break
        compared += 1
    assert compared >= games * 2 // 5, f"expected more than {compared} comparable pairs of worlds"


def event_n(event: bytes) -> int:
    return int(re.search(rb'"n":(\d+)', event)[1])


def normalized(event: bytes, table: Any) -> bytes:
    """Return the event without what differs between tables: id, invite, commitment, earlier changes and time."""
    event = event.replace(table.id.encode(), b"ID").replace(table.header.invite.encode(), b"INVITE")
    event = event.replace(deals.commit(table.game_state.secret).encode(), b"COMMITMENT")
    return re.sub(rb'"(version|now)":\d+', rb'"\1":0', event)


@pytest.mark.parametrize(("game", "seats", "options"), GAMES_AND_SEATS)
def test_r2_view_assembled_from_cached_parts_equals_the_view_byte_for_byte(game, seats, options):
    rules = GAMES[game]
    encode = msgspec.json.encode
    rng = random.Random(game)
    played = start_game(rules, seats, options, deals.seeded_secret(5))
    writer = view_encoder(rules, tuple(int(rules.rules.team(played.state, seat)) for seat in range(seats)))
    seen = None
    while not played.over:
        seen = writer.encode_views(played.state, seen)
        for seat in range(-1, seats):
            assert seen.for_seat(seat) == encode(views.view_data(rules, views.view(rules, played.state, seat)))
        seat = rng.choice(rules.to_act(played.state))
        played.answer(seat, rng.choice(rules.legal(played.state, seat)))


@pytest.mark.parametrize("think", [None, (0.01, 9)], ids=["on a beat", "as long as the host says"])
def test_r5_bot_delay_does_not_depend_on_its_hand(open_server, monkeypatch, think):
    """The delay depends on the table or on chance, never on the cards: a forced card comes no sooner than others."""
    monkeypatch.setattr(bots, "BOT_DELAYS_S", {"steady": 0.02})
    monkeypatch.setattr(bots.random, "uniform", lambda least, most: 0.02)
    took: dict[bool, list[float]] = {True: [], False: []}
    real = GameState.commit_step
    last = [time.monotonic()]

    def apply(game_state, step, *more):
        seat = seat_of(step.entry)
        if game_state.log.holder_ids[game_state.holders[seat]].startswith("bot:"):
            took[len(game_state.game.legal(game_state.state, seat)) == 1].append(time.monotonic() - last[0])
        real(game_state, step, *more)
        last[0] = time.monotonic()

    monkeypatch.setattr(GameState, "commit_step", apply)
    server = open_server(bot_delay=think)
    guest = server.new_client()
    id = guest.create_table(game="fourteen", seats=3)
    table = server.app.tables.get(id)
    stream = guest.open_stream(id)
    while table.n < 60:
        message = wait_until(
            lambda: (m := stream.newest) and m["open_question"] and m["n"] == table.n and m,
            "expected the guest to be asked",
        )
        guest.answer(id, message["n"], first_legal(message))
    assert len(took[True]) > 1
    assert len(took[False]) > 2
    assert min(took[True]) > 0.018, "expected a forced card not to come sooner"
    assert min(took[False]) > 0.018
