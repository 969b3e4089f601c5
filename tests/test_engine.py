"""The page's engine, run in Node, plays, views, rejects and records games like Python."""

import json
import random
from pathlib import Path
from typing import Any

import pytest

from diamonds import deals, record_reader, records, views
from diamonds.errors import DiamondsError
from diamonds.events import events_for
from diamonds.game import GAMES
from tests.support import node
from tests.support.random_positions import Variant, all_variants, random_answer
from tests.support.sample_sizes import short_or_long

pytestmark = pytest.mark.kernels

DRIVER = Path(__file__).parent / "node" / "engine.mjs"


@pytest.fixture(scope="module")
def script(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return node.bundle("src/engine/index.ts", tmp_path_factory.mktemp("engine") / "engine.mjs")


class EngineRequests:
    """Requests to the engine, each with the answer that Python expects."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.expected: list[Any] = []

    def add(self, request: str, expected: Any, **values: Any) -> None:
        self.lines.append(json.dumps({"deed": request, **values}) + "\n")
        self.expected.append(expected)

    def run(self, script: Path, folder: Path, driver: Path = DRIVER) -> list[Any]:
        """Run all requests in one process and compare the answers; `None` accepts any."""
        done = node.run_node(driver, script.as_uri(), str(folder), stdin_text="".join(self.lines))
        assert done.returncode == 0, done.stderr
        said = [json.loads(line) for line in done.stdout.splitlines()]
        assert len(said) == len(self.lines)
        for line, wanted, found in zip(self.lines, self.expected, said, strict=True):
            assert wanted is None or found == wanted, f"{line} differs: {difference(found, wanted)}"
        return said


def difference(found: Any, expected: Any) -> str:
    """Return where two answers differ: for mappings, the differences of each key."""
    if isinstance(found, dict) and isinstance(expected, dict):
        keys = [key for key in found.keys() | expected.keys() if found.get(key) != expected.get(key)]
        return "; ".join(f"{key}: {difference(found.get(key), expected.get(key))}" for key in keys)
    return f"{found}, and should have come to {expected}"


def events_of_logs(played: records.RecordedGame, logs: list[Any], seat: int | None) -> list[dict[str, Any]]:
    rules = played.game.rules
    return [event for log in logs for event in events_for(log, rules.EVENTS, rules.RANKS, seat)]


def view_of(played: records.RecordedGame, seat: int) -> dict[str, Any]:
    row = views.view(played.game, played.state, seat)
    return {
        "view": views.view_data(played.game, row),
        "asks": [ask._asdict() for ask in played.game.open_questions(played.state)],
        "over": played.over,
        "result": played.game.result(played.state) if played.over else None,
        "facts": ending_facts(played),
    }


def ending_facts(played: records.RecordedGame) -> dict[str, Any] | None:
    """Return the facts of an ending, as the server sends them."""
    found = played.game.ending_facts(played.state) if played.over else None
    return found and {"says": list(found[0]), "spots": found[1]}


def play_on_engine(asked: EngineRequests, variant: Variant, seed: int, most: int) -> records.RecordedGame:
    """Play a random game with illegal answers and undos through the engine, step by step, for this many answers."""
    rng, game = random.Random(seed), variant.game
    secret, nonces = deals.seeded_secret(seed), [rng.randbytes(rng.randrange(20)) for _ in range(variant.seats)]
    played = records.start_game(game, variant.seats, variant.options, secret, nonces)
    asked.add(
        "start", {"told": events_of_logs(played, played.opening_logs, None)}, name=game.name, seats=variant.seats,
        options=variant.options, secret=secret.hex(), nonces=[nonce.hex() for nonce in nonces],
    )  # fmt: skip
    for _ in range(most):
        if played.over:
            break
        seat, answer = random_answer(played, rng)
        question = game.question(played.state).name
        if rng.random() < 0.2:
            asked.add("look", view_of(played, seat), seat=seat)
            asked.add("look", view_of(played, -1), seat=-1)
        if rng.random() < 0.2:
            wrong = rng.choice([*game.question(played.state).answers, "nonsense"])
            if wrong not in game.legal(played.state, seat):
                with pytest.raises(DiamondsError) as refused:
                    played.answer(seat, wrong, question)
                values = {"question": question, "given": wrong} if wrong == "nonsense" else refused.value.message.args
                refusal = {"refused": [refused.value.message.id, values]}
                asked.add("answer", refusal, seat=seat, question=question, answer=wrong)
        logs = played.answer(seat, answer, question)
        listener = rng.randrange(-1, variant.seats)
        told = {"told": events_of_logs(played, logs, None), "heard": events_of_logs(played, logs, listener)}
        asked.add("answer", told, seat=seat, question=question, answer=answer, **{"as": listener})
        if rng.random() < 0.03 and not played.over:
            to = rng.randrange(max(0, len(played.entries) - 12), len(played.entries))
            played.undo(seat, to)
            asked.add("undo", {}, seat=seat, to=to)
    asked.add("look", view_of(played, 0), seat=0)
    return played


@short_or_long("every", 47, 1)
@pytest.mark.parametrize("name", GAMES)
def test_engine_game_matches_python_and_its_record_verifies(name, every, script, engine):
    """Views, questions, every listener's events, errors, undos and results agree. Cards come from the same secrets."""
    requests, matches = EngineRequests(), []
    for seed, variant in enumerate(all_variants(name)[::every]):
        played = play_on_engine(requests, variant, seed, 60 if seed % 4 else 2_000)
        requests.add("record", None)
        matches.append((len(requests.lines) - 1, played))
    replies = requests.run(script, engine)
    for at, played in matches:
        record = replies[at]
        again = record_reader.load_record(json.dumps(record))
        assert again.state.tobytes() == played.state.tobytes()
        times = record.pop("times")
        assert len(times) == len(played.entries)
        assert record == records.to_record(played, True) | {"seated": ["person"] * played.seats}


def test_engine_rejects_what_python_rejects(script, engine):
    requests, wanted, game = EngineRequests(), [], GAMES["crystals"]
    common = {"name": "crystals", "secret": "00" * 32, "nonces": ["", "", ""]}
    never = (
        (3, {"partnership": True}), (4, {"partnership": True, "pass_to": "rotating"}), (3, {"rounds": "x"}),
        (3, {"toast": 1}), (7, {}),
    )  # fmt: skip
    for seats, options in never:
        with pytest.raises(DiamondsError) as refused:
            game.check_options(seats, options)
        wanted.append(refused.value.message)
        requests.add("start", None, seats=seats, options=options, **common)
    played = records.start_game(game, 3, {}, bytes(32), [b""] * 3)
    requests.add("start", {"told": events_of_logs(played, played.opening_logs, None)}, seats=3, options={}, **common)
    (seat,) = game.to_act(played.state)
    for wrong, question in (((seat + 1) % 3, "count"), (7, "count"), (seat, "play")):
        with pytest.raises(DiamondsError) as refused:
            played.answer(wrong, 1, question)
        wanted.append(refused.value.message)
        requests.add("answer", None, seat=wrong, question=question, answer=1)
    requests.add("undo", {"refused": ["record-undo-ahead", {"n": "0", "line": "0 undo 1"}]}, seat=0, to=1)
    found = [each["refused"] for each in requests.run(script, engine) if "refused" in each]
    assert [id for id, _ in found[:-1]] == [message.id for message in wanted]
    assert [values.get("rule") for _, values in found[:-1]] == [message.args.get("rule") for message in wanted]
