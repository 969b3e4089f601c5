"""A table of one's own tells what a house's table would tell the same person; it is run in Node, without a page."""

from __future__ import annotations

import hashlib
import json
import random
import re
import zlib
from pathlib import Path
from typing import Any

import pytest

import made
import nodes
from diamonds import deals, records, words
from diamonds.bots.advising import hints, review
from diamonds.bots.bot import see
from diamonds.bots.levels import BOTS
from diamonds.game import GAMES, Game, Refused
from diamonds.server.api.encoding import encode
from diamonds.server.table.header import Fork, Header
from diamonds.server.table.pad import pad
from diamonds.server.table.places import Places, SeatHolder
from diamonds.server.table.presence import Reader
from diamonds.server.table.replaying import state_at, whole_match
from diamonds.server.table.table import Table
from diamonds.server.table.telling import message
from diamonds.server.work import advisers
from diamonds.server.work.retelling import story, tell
from lengths import lengths
from positions import Variant, all_variants
from test_engine import ONE_FILE, Asked, different

pytestmark = pytest.mark.kernels

DRIVER = Path(__file__).parent / "node" / "own.mjs"
HOUSE = DRIVER.with_name("own_house.mjs")
BEGINS = 1_700_000_000_000
# Fields of a table to which people come and at which they talk.
A_HOUSES = ("title", "hints", "invite", "silent", "former_player")


@pytest.fixture(scope="module")
def script(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Tables of one's own, made into one file by what builds the page."""
    web, file = nodes.ROOT / "web", tmp_path_factory.mktemp("own") / "own.mjs"
    bundler = web / "node_modules" / "rolldown" / "dist" / "index.mjs"
    one_file = ONE_FILE.replace("src/engine/index.ts", "src/local/headless.ts")
    done = nodes.run("--input-type=module", "-e", one_file, bundler.as_uri(), str(file), folder=web)
    assert done.returncode == 0, done.stderr
    return file


@pytest.fixture(scope="session")
def modules() -> Path:
    """The folder with every game's modules."""
    return made.engine()


class Both:
    """The same table twice: a house's, in memory, and one of one's own, which is asked to do the same."""

    def __init__(self, asked: Asked, variant: Variant, seat: int, seed: int, fork: Fork | None = None) -> None:
        self.asked, self.rng, self.seat, self.at = asked, random.Random(seed), seat, BEGINS
        game = variant.game
        options = game.check_options(variant.seats, variant.options)
        secret, nonce = deals.seeded_secret(seed).hex(), "ab" * 16
        level = next(reversed(BOTS))
        seats = [SeatHolder("bot", "", level) for _ in range(variant.seats)]
        seats[seat] = SeatHolder("person", "ann", "", nonce)
        header = Header(
            game.name, variant.seats, options, secret, "", "ann", True, 0, 0.0, version=game.version, fork=fork
        )
        self.house = Table("own-1", header, Places(seats), 0)
        self.house.names = {"ann": "Ann"}
        self.house.places.fix()
        self.house.play.begin(self.house.places)
        self.kept = {
            "id": "own-1", "game": game.name, "version": game.version, "seats": variant.seats, "options": options,
            "name": "Ann", "places": ["me" if at == seat else f"bot:{level}" for at in range(variant.seats)],
            "secret": secret, "nonces": [nonce if at == seat else "" for at in range(variant.seats)],
            "fork": fork and {"commitment": fork.commitment, "n": fork.n}, "pace": "steady", "created": BEGINS, "again": None,
        }  # fmt: skip
        asked.do("table", {}, kept=self.kept)

    @property
    def game(self) -> Game:
        return self.house.game

    def answer(self, seat: int, answers: list[str]) -> None:
        """A seat gives answers together."""
        self.at += 1000
        state, n = self.house.play.state, self.house.n
        assert state is not None
        numbers = [self.game.read_words(one) for one in answers]
        steps = self.house.play.steps(seat, [self.game.answers[self.game.questions.index(q)][a] for q, a in numbers])
        for step in steps:
            self.house.play.apply(step, self.at)
        self.asked.do("answers", {}, seat=seat, n=n, answers=answers, at=self.at)

    def back(self) -> None:
        """The person steps back to before their last answer, if they may."""
        floor, to = self.house.undo_limits(self.seat)
        if to is None or floor is None:
            return
        self.at += 1000
        self.asked.do("back", {}, n=self.house.n, to=to, at=self.at)
        self.house.play.step_back(self.seat, to, state_at(self.house, to), True, self.at)

    def compare(self, since: int | None) -> None:
        """Both are asked what they tell the person."""
        told = json.loads(message(self.house, Reader(self.seat, host=True), since))
        self.asked.do("message", told, since=since)

    def play(self, most: int) -> None:
        """Random answers and steps back, looked at now and then."""
        known: int | None = None
        for _ in range(most):
            state = self.house.play.state
            assert state is not None
            if self.house.over:
                break
            seat = self.rng.choice(self.game.to_act(state))
            question = self.game.question(state).name
            self.answer(seat, [f"{question} {self.rng.choice(self.game.legal(state, seat))}"])
            if self.rng.random() < 0.04:
                self.back()
            if self.rng.random() < 0.15 or self.house.over:
                self.compare(known)
                known = self.rng.choice([None, self.house.n])


def as_a_house(said: dict[str, Any]) -> dict[str, Any]:
    """A message without what a house alone, or a device alone, has to say."""
    table = {key: value for key, value in said["table"].items() if key not in A_HOUSES}
    places = [place | {"here": True} for place in table["places"]]
    return {key: value for key, value in said.items() if key != "version"} | {"table": table | {"places": places}}


def run(asked: Asked, script: Path, modules: Path) -> list[Any]:
    """Everything that was asked, done; messages are compared as `as_a_house` leaves them."""
    wanted, asked.wanted = asked.wanted, [None] * len(asked.lines)
    said = asked.run(script, modules, DRIVER)
    for line, want, found in zip(asked.lines, wanted, said, strict=True):
        if isinstance(want, dict) and "version" in want:
            want, found = as_a_house(want), as_a_house(found)
        assert want is None or found == want, f"{line[:200]}: {different(found, want)}"
    return said


@lengths("every", 37, 1)
@pytest.mark.parametrize("name", GAMES)
def test_a_table_of_ones_own_tells_what_a_house_would_and_keeps_its_pad_replay_and_record(
    name: str, every: int, script: Path, modules: Path
) -> None:
    """View, events, question and why cards may not be played, steps back, fading tricks, the end: position by position."""
    asked, tables = Asked(), []
    for seed, variant in enumerate(all_variants(name)[::every]):
        both = Both(asked, variant, seed % variant.seats, seed)
        both.play(2_000 if seed % 3 == 0 else 60)
        asked.do("pad", json.loads(encode(pad(both.house, both.seat))))
        if both.house.over:
            match = whole_match(both.house)
            told = story(match, both.house.seat_names())._replace(beside={})
            asked.do("replay", None, told=len(match.answers))
            tables.append((len(asked.lines) - 1, both, json.loads(unpacked(tell(told, 0, b"")[0]))))
        asked.do("record", None)
        tables.append((len(asked.lines) - 1, both, None))
    said = run(asked, script, modules)
    for at, both, story_ in tables:
        if story_ is None:
            again = records.read_record(json.dumps(said[at]))
            state = both.house.play.state
            assert state is not None
            assert again.state.tobytes() == state.tobytes()
            assert again.seated[both.seat] == "person"
        else:
            found = said[at]
            for step in found["steps"]:
                step["told"] = [one for one in step["told"] if one["event"]["event"] != "undo"]
            assert found["result"] == story_["result"]
            assert found["steps"] == story_["steps"]


def unpacked(packed: bytes) -> bytes:
    return b'{"steps":[' + zlib.decompress(packed) + b"}"


def happened(scenario: str, script: Path, modules: Path, *more: str) -> list[Any]:
    """What a scenario of `own_house.mjs` says."""
    done = nodes.run(HOUSE, script.as_uri(), str(modules), scenario, *more)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_a_game_among_bots_is_played_to_its_end_then_the_next_one_and_played_on_from_any_step(
    script: Path, modules: Path
) -> None:
    end, proof, again, fork, record = happened("a whole game, and the next", script, modules)
    assert end == {"over": "over", "listed": [{"over": True, "turn": False}]}
    assert proof == {"fair": "table-deals-fair", "lines": True}
    assert again == {"seat": 1, "same": True}, "In the next game each has one seat on, and there is one next game."
    assert fork == {"n": 5, "seat": 2, "fork": 5, "deals": True, "steps": True}
    match = records.read_record(json.dumps(record))
    assert match.fork is not None
    assert (match.n, match.seated) == (5, ["bot:5", "bot:5", "person", "bot:5"])


def test_hints_and_the_review_of_a_game_here_are_those_of_the_house_for_the_same_seed(
    script: Path, modules: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With their reasons, in the messages of a house; a review is made side by side, and says how far it is."""
    catalogue = Path(words.__file__).with_name("en.ftl").read_text(encoding="utf-8")
    known = ",".join(re.findall(r"^(hint-answer-[\w-]+) =", catalogue, re.MULTILINE))
    early, *hinted, late, end = happened("hints and a review", script, modules, known)
    assert (early, late) == ({"early": "hint-review-not-over"}, {"late": "hint-not-your-turn"})
    match = records.read_record(json.dumps(end["record"]))
    again = records.start(match.game, match.seats, match.options, match.secret, match.nonces)
    wanted = {said["n"]: said["hint"] for said in hinted}
    assert wanted, "nothing was to be chosen in a whole round"
    for n, (seat, question, answer) in enumerate(match.answers):
        if n in wanted:
            since = wanted[n]["n"]
            seed = int.from_bytes(hashlib.sha256(f"hint {end['id']} {since} 1".encode()).digest()[:7], "big")
            hint = hints.hint(see(match.game, again.state, 1), seed)
            choices = [choice._asdict() for choice in hint.choices]
            assert wanted[n] == json.loads(encode({"n": since, "seat": 1, **hint._asdict(), "choices": choices}))
        again.answer(seat, answer, question)
    name = f"review {end['record']['secret']} {' '.join(end['record']['entries'])}"
    monkeypatch.setattr(review, "key", lambda match: hashlib.sha256(name.encode()).hexdigest())
    assert end["review"] == json.loads(encode(advisers._data(review.review(match, [1]))))
    assert (end["progress"], end["ended"]) == (True, 1), "it said how far it was, and let its workers go"


def test_two_tabs_of_one_game_hear_each_other_and_whoever_answers_has_the_pen(script: Path, modules: Path) -> None:
    assert happened("two tabs", script, modules) == [{"refused": "table-moved-on"}, {"same": True}]


def test_of_two_tabs_that_write_at_once_one_is_told_that_the_other_was_quicker(script: Path, modules: Path) -> None:
    assert happened("two tabs that both have the pen", script, modules) == [{"refused": 1}, {"once": True}]


def test_where_there_is_no_room_play_goes_on_and_it_is_said_that_nothing_is_kept(script: Path, modules: Path) -> None:
    *said, kept = happened("no room", script, modules)
    assert kept == {"kept": True}
    assert set(said) == {"not kept"}


def test_nothing_is_shown_before_it_is_kept_and_a_step_back_is_one_press(script: Path, modules: Path) -> None:
    assert happened("written before it is shown", script, modules) == [
        {"early": 0},
        {"asked": True, "told": "undo", "step": True},
    ]


def test_all_games_go_into_a_file_and_come_back_from_it_once_and_nothing_else_does(script: Path, modules: Path) -> None:
    brought, same, wrong, record, *_ = happened("files", script, modules)
    assert brought == {"brought": 2, "again": 0, "listed": 2}
    assert same == {"same": True}
    assert wrong == {"wrong": 0, "none": 0}
    assert records.read_record(json.dumps(record)).over


def test_record_with_an_impossible_undo_is_refused_as_by_the_server(script: Path, modules: Path) -> None:
    *_, record, ahead, beyond, over = happened("files", script, modules)
    end = len(record["entries"])
    for entries, told in (
        (["0 undo 99999"], ahead),
        ([*record["entries"], f"0 undo {end + 1}"], beyond),
        ([*record["entries"], "0 undo 1"], over),
    ):
        wrong = {key: value for key, value in record.items() if key != "times"} | {"entries": entries}
        with pytest.raises(Refused) as refused:
            records.read_record(json.dumps(wrong))
        id, values = refused.value.message
        assert told == {"refused": [id, values]}
        assert words.say(id, values, "de") != words.say(id, values, "en")
