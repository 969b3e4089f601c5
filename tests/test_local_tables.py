"""Local tables, run in Node, send the same messages as a server's table to the same person."""

import hashlib
import json
import random
import re
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from diamonds import deals, i18n, record_reader, records
from diamonds.bots.analysis import hints, review
from diamonds.bots.bot import bot_view
from diamonds.bots.levels import BOTS
from diamonds.game import GAMES, Game
from diamonds.server.api.codec import encode
from diamonds.server.tables import analysis, bots
from diamonds.server.tables.archive import render_chunk, replay_plan
from diamonds.server.tables.core.entry_log import seat_of
from diamonds.server.tables.core.log_replay import build_score_pad, full_game, state_at
from diamonds.server.tables.core.presence import Viewer
from diamonds.server.tables.core.seating import ForkOrigin, SeatHolder, SeatsAndSettings, TableHeader
from diamonds.server.tables.core.table import Table
from diamonds.server.tables.core.table_update import table_update
from tests.support import node
from tests.support.random_positions import Variant, all_variants
from tests.support.sample_sizes import short_or_long
from tests.test_engine import EngineRequests, difference

pytestmark = pytest.mark.kernels

DRIVER = Path(__file__).parent / "node" / "local_table.mjs"
TABS_DRIVER = DRIVER.with_name("local_tabs.mjs")
START_MS = 1_700_000_000_000
# Fields that only tables on a server have: local tables have no other people and no chat.
SERVER_ONLY_KEYS = ("title", "hints", "invite", "chat_disabled", "former_player")


@pytest.fixture(scope="module")
def script(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return node.bundle("src/local/nodeEntry.ts", tmp_path_factory.mktemp("own") / "local_table.mjs")


class TablePair:
    """The same table twice: on a server in memory, and as a local table that receives the same requests."""

    def __init__(
        self, asked: EngineRequests, variant: Variant, seat: int, seed: int, fork: ForkOrigin | None = None
    ) -> None:
        self.asked, self.rng, self.seat, self.time_ms = asked, random.Random(seed), seat, START_MS
        game = variant.game
        options = game.check_options(variant.seats, variant.options)
        secret, nonce = deals.seeded_secret(seed).hex(), "ab" * 16
        level = next(reversed(BOTS))
        seats = [SeatHolder("bot", "", level) for _ in range(variant.seats)]
        seats[seat] = SeatHolder("person", "ann", "", nonce)
        header = TableHeader(
            game.name, variant.seats, options, secret, "", "ann", True, 0, 0.0, version=game.version, fork=fork
        )
        self.server_table = Table("own-1", header, SeatsAndSettings(seats), 0)
        self.server_table.names = {"ann": "Ann"}
        self.server_table.seating.fix_initial_holders()
        self.server_table.game_state.begin(self.server_table.seating)
        self.snapshots = {
            "id": "own-1", "game": game.name, "version": game.version, "seats": variant.seats, "options": options,
            "name": "Ann", "places": ["me" if at == seat else f"bot:{level}" for at in range(variant.seats)],
            "secret": secret, "nonces": [nonce if at == seat else "" for at in range(variant.seats)],
            "fork": fork and {"commitment": fork.commitment, "n": fork.n}, "pace": "steady", "created": START_MS, "again": None,
        }  # fmt: skip
        asked.add("table", {}, kept=self.snapshots)

    @property
    def game(self) -> Game:
        return self.server_table.game

    @property
    def state(self) -> np.void:
        """The state of the game in progress."""
        state = self.server_table.game_state.state
        assert state is not None
        return state

    def answer(self, seat: int, answers: list[str]) -> None:
        self.time_ms += 1000
        n = self.server_table.n
        numbers = [self.game.parse_answer_text(one) for one in answers]
        steps = self.server_table.game_state.preview_steps(
            seat, [self.game.answers[self.game.questions.index(q)][a] for q, a in numbers]
        )
        for step in steps:
            self.server_table.game_state.commit_step(step, self.time_ms)
        self.asked.add("answers", {}, seat=seat, n=n, answers=answers, at=self.time_ms)

    def undo(self) -> None:
        """Undo the person's last answer, if allowed."""
        floor, to = self.server_table.undo_limits(self.seat)
        if to is None or floor is None:
            return
        self.time_ms += 1000
        self.asked.add("back", {}, n=self.server_table.n, to=to, at=self.time_ms)
        self.server_table.game_state.commit_undo(self.seat, to, state_at(self.server_table, to), True, self.time_ms)

    def compare(self, since: int | None) -> None:
        told = json.loads(table_update(self.server_table, Viewer(self.seat, is_host=True), since))
        self.asked.add("message", told, since=since)

    def play(self, most: int) -> None:
        """Play random answers and undos, and compare now and then."""
        known: int | None = None
        for _ in range(most):
            if self.server_table.is_over:
                break
            seat = self.rng.choice(self.game.to_act(self.state))
            question = self.game.question(self.state).name
            self.answer(seat, [f"{question} {self.rng.choice(self.game.legal(self.state, seat))}"])
            if self.rng.random() < 0.04:
                self.undo()
            if self.rng.random() < 0.15 or self.server_table.is_over:
                self.compare(known)
                known = self.rng.choice([None, self.server_table.n])


def comparable_message(said: dict[str, Any]) -> dict[str, Any]:
    """Return a message without fields that only servers or only devices have."""
    table = {key: value for key, value in said["table"].items() if key not in SERVER_ONLY_KEYS}
    places = [place | {"connected": True} for place in table["seat_holders"]]
    return {key: value for key, value in said.items() if key != "version"} | {"table": table | {"seat_holders": places}}


def run_and_compare(asked: EngineRequests, script: Path, engine: Path) -> list[Any]:
    """Run all requests and compare the messages as reduced by `comparable_message`."""
    wanted, asked.expected = asked.expected, [None] * len(asked.lines)
    replies = asked.run(script, engine, DRIVER)
    for line, want, found in zip(asked.lines, wanted, replies, strict=True):
        if isinstance(want, dict) and "version" in want:
            want, found = comparable_message(want), comparable_message(found)
        assert want is None or found == want, f"{line[:200]}: {difference(found, want)}"
    return replies


@short_or_long("every", 37, 1)
@pytest.mark.parametrize("name", GAMES)
def test_local_table_matches_a_server_table_with_pad_replay_and_record(name, every, script, engine):
    """View, events, question, reasons against illegal cards, undos, hidden old tricks and the end agree everywhere."""
    requests, tables = EngineRequests(), []
    for seed, variant in enumerate(all_variants(name)[::every]):
        both = TablePair(requests, variant, seed % variant.seats, seed)
        both.play(2_000 if seed % 3 == 0 else 60)
        requests.add("pad", json.loads(encode(build_score_pad(both.server_table, both.seat))))
        if both.server_table.is_over:
            played = full_game(both.server_table)
            told = replay_plan(played, both.server_table.seat_names())._replace(side_events={})
            requests.add("replay", None, told=len(played.answers))
            tables.append((len(requests.lines) - 1, both, json.loads(unpacked(render_chunk(told, 0, b"")[0]))))
        requests.add("record", None)
        tables.append((len(requests.lines) - 1, both, None))
    replies = run_and_compare(requests, script, engine)
    for at, both, story_ in tables:
        if story_ is None:
            again = record_reader.load_record(json.dumps(replies[at]))
            assert again.state.tobytes() == both.state.tobytes()
            assert again.seat_holders[both.seat] == "person"
        else:
            found = replies[at]
            for step in found["steps"]:
                step["events"] = [one for one in step["events"] if one["event"]["event"] != "undo"]
            assert found["result"] == story_["result"]
            assert found["steps"] == story_["steps"]


def expected_bot_input(table: Table, seat: int) -> dict[str, Any]:
    """Return the view and the random bits from which a server's bot decides."""
    _, row, _, _, bits = bots.bot_input(table, seat)
    return {"view": [str(number) for number in np.frombuffer(row, np.int64)], "bits": str(bits)}


@pytest.mark.parametrize("name", GAMES)
def test_r2_bots_decide_alike_on_a_device_and_a_server_in_any_order(name, script, engine):
    """A bot's view and bits follow from its own answers to a simultaneous question, not from when others answered."""
    requests = EngineRequests()
    variants = [one for one in all_variants(name) if one.options.get("bids", "sealed") == "sealed"][::23]
    for seed, variant in enumerate(variants):
        told: list[dict[tuple[int, int], dict[str, Any]]] = []
        for order in (1, 2):  # the same answers, in another order if the question is simultaneous
            both = TablePair(requests, variant, seed % variant.seats, seed)
            shuffled, found = random.Random(f"{seed} {order}"), {}
            while not both.server_table.is_over and both.server_table.n < 120:
                seat = shuffled.choice(both.game.to_act(both.state))
                expected = expected_bot_input(both.server_table, seat)
                requests.add("bot", expected, seat=seat)
                answers = sum(seat_of(entry) == seat for entry in both.server_table.log.entries)
                found[seat, answers] = expected
                legal = both.game.legal(both.state, seat)
                answer = random.Random(f"{seed} {seat} {answers}").choice(legal)
                both.answer(seat, [f"{both.game.question(both.state).name} {answer}"])
            told.append(found)
        assert told[0] == told[1], f"{variant}: a bot sees the order of simultaneous answers"
    run_and_compare(requests, script, engine)


def test_bots_decide_alike_after_an_undo_to_a_simultaneous_question(script, engine):
    requests = EngineRequests()
    for seed in range(8):
        both = TablePair(requests, Variant(GAMES["crystals"], 4, {}), seed % 4, seed)
        while both.server_table.n < 40:
            both.play(1)
            both.undo()
            for seat in both.game.to_act(both.state):
                requests.add("bot", expected_bot_input(both.server_table, seat), seat=seat)
                _, replayed = state_at(both.server_table, both.server_table.n)
                asked = both.server_table.game_state.asked_question
                assert asked is not None
                states = [question.state_for(both.game, seat).tobytes() for question in (replayed, asked)]
                assert states[0] == states[1], "expected the same decision when the game is replayed"
    run_and_compare(requests, script, engine)


def unpacked(packed: bytes) -> bytes:
    return b'{"steps":[' + zlib.decompress(packed) + b"}"


def run_scenario(scenario: str, script: Path, engine: Path, *more: str) -> list[Any]:
    """Return the output of a scenario of `local_tabs.mjs`."""
    done = node.run_node(TABS_DRIVER, script.as_uri(), str(engine), scenario, *more)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_local_bot_game_ends_continues_with_a_rematch_and_forks(script, engine):
    end, proof, again, fork, record = run_scenario("a whole game, and the next", script, engine)
    assert end == {"over": "over", "listed": [{"over": True, "turn": False}]}
    assert proof == {"fair": "table-deals-fair", "lines": True}
    assert again == {"seat": 1, "same": True}, "Expected one rematch, with each player one seat further."
    assert fork == {"n": 5, "seat": 2, "fork": 5, "deals": True, "steps": True}
    played = record_reader.load_record(json.dumps(record))
    assert played.fork is not None
    assert (played.n, played.seat_holders) == (5, ["bot:5", "bot:5", "person", "bot:5"])


def test_local_hints_and_review_equal_the_servers_for_one_seed(script, engine, monkeypatch):
    """Reasons agree, and messages have the server's form. A review runs in parallel and reports its progress."""
    catalogue = Path(i18n.__file__).with_name("en.ftl").read_text(encoding="utf-8")
    known = ",".join(re.findall(r"^(hint-answer-[\w-]+) =", catalogue, re.MULTILINE))
    early, *hinted, late, end = run_scenario("hints and a review", script, engine, known)
    assert (early, late) == ({"early": "hint-review-not-over"}, {"late": "hint-not-your-turn"})
    played = record_reader.load_record(json.dumps(end["record"]))
    again = records.start_game(played.game, played.seats, played.options, played.secret, played.nonces)
    wanted = {said["n"]: said["hint"] for said in hinted}
    assert wanted, "expected a choice within a whole round"
    for n, (seat, question, answer) in enumerate(played.answers):
        if n in wanted:
            since = wanted[n]["n"]
            hint = hints.hint(bot_view(played.game, again.state, 1))
            choices = [choice._asdict() for choice in hint.choices]
            assert wanted[n] == json.loads(encode({"n": since, "seat": 1, **hint._asdict(), "choices": choices}))
        again.answer(seat, answer, question)
    name = f"review {end['record']['secret']} {' '.join(end['record']['entries'])}"
    monkeypatch.setattr(review, "review_key", lambda played: hashlib.sha256(name.encode()).hexdigest())
    assert end["review"] == json.loads(encode(analysis.review_response(review.review(played, [1]))))
    assert (end["progress"], end["ended"]) == (True, 1), "expected progress, and no workers left"


def test_tabs_of_one_game_share_updates_and_the_writer_lock(script, engine):
    assert run_scenario("two tabs", script, engine) == [{"refused": "table-moved-on"}, {"same": True}]


def test_concurrent_tab_writes_have_one_winner_and_tell_the_other(script, engine):
    assert run_scenario("two tabs that both hold the writer lock", script, engine) == [{"refused": 1}, {"once": True}]


def test_full_storage_lets_play_continue_with_a_notice(script, engine):
    *said, kept = run_scenario("no room", script, engine)
    assert kept == {"kept": True}
    assert set(said) == {"not kept"}


def test_local_update_is_stored_before_shown_and_undo_is_one_press(script, engine):
    assert run_scenario("stored before it is shown", script, engine) == [
        {"early": 0},
        {"asked": True, "told": "undo", "step": True},
    ]


def test_all_games_export_to_a_file_and_import_once(script, engine):
    brought, same, wrong, record = run_scenario("files", script, engine)
    assert brought == {"brought": 2, "again": 0, "listed": 2}
    assert same == {"same": True}
    assert wrong == {"wrong": 0, "none": 0}
    assert record_reader.load_record(json.dumps(record)).over
