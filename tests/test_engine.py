"""The page's engine plays, tells, refuses and writes down games as Python does; it is run in Node, without a page."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

import made
import nodes
from diamonds import deals, records, views
from diamonds.events import hear
from diamonds.game import GAMES, Refused
from lengths import lengths
from positions import Variant, all_variants, random_answer

pytestmark = pytest.mark.kernels

DRIVER = Path(__file__).parent / "node" / "engine.mjs"
ONE_FILE = """
const { rolldown } = await import(process.argv[1])
const made = await rolldown({ input: 'src/engine/index.ts', platform: 'browser' })
await made.write({ file: process.argv[2], format: 'esm' })
"""


@pytest.fixture(scope="module")
def script(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The engine, made into one file by what builds the page."""
    web, file = nodes.ROOT / "web", tmp_path_factory.mktemp("engine") / "engine.mjs"
    bundler = web / "node_modules" / "rolldown" / "dist" / "index.mjs"
    assert bundler.is_file(), "What builds the page is not installed: run `make`."
    done = nodes.run("--input-type=module", "-e", ONE_FILE, bundler.as_uri(), str(file), folder=web)
    assert done.returncode == 0, done.stderr
    return file


@pytest.fixture(scope="session")
def engine() -> Path:
    """The folder with every game's modules."""
    return made.engine()


class Asked:
    """What the engine is asked to do, and what Python says of each."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.wanted: list[Any] = []

    def do(self, deed: str, wanted: Any, **values: Any) -> None:
        self.lines.append(json.dumps({"deed": deed, **values}) + "\n")
        self.wanted.append(wanted)

    def run(self, script: Path, folder: Path, driver: Path = DRIVER) -> list[Any]:
        """All of it at once; what the engine said, after each was compared with what is wanted (`None`: anything)."""
        done = nodes.run(driver, script.as_uri(), str(folder), given="".join(self.lines))
        assert done.returncode == 0, done.stderr
        said = [json.loads(line) for line in done.stdout.splitlines()]
        assert len(said) == len(self.lines)
        for line, wanted, found in zip(self.lines, self.wanted, said, strict=True):
            assert wanted is None or found == wanted, f"{line} came to {different(found, wanted)}"
        return said


def different(found: Any, wanted: Any) -> str:
    """Where two answers differ: in small, if they are both made of parts."""
    if isinstance(found, dict) and isinstance(wanted, dict):
        keys = [key for key in found.keys() | wanted.keys() if found.get(key) != wanted.get(key)]
        return "; ".join(f"{key}: {different(found.get(key), wanted.get(key))}" for key in keys)
    return f"{found}, and should have come to {wanted}"


def heard(match: records.Match, logs: list[Any], seat: int | None) -> list[dict[str, Any]]:
    rules = match.game.rules
    return [event for log in logs for event in hear(log, rules.EVENTS, rules.RANKS, seat)]


def look(match: records.Match, seat: int) -> dict[str, Any]:
    row = views.view(match.game, match.state, seat)
    return {
        "view": views.as_data(match.game, row),
        "asks": [ask._asdict() for ask in match.game.asks(match.state)],
        "over": match.over,
        "result": match.game.result(match.state) if match.over else None,
        "facts": facts(match),
    }


def facts(match: records.Match) -> dict[str, Any] | None:
    """What the ending rests on, as the house tells it."""
    found = match.game.facts(match.state) if match.over else None
    return found and {"says": list(found[0]), "spots": found[1]}


def played(asked: Asked, variant: Variant, seed: int, most: int) -> records.Match:
    """A random game with wrong answers and undos, asked of the engine step by step; at most so many answers."""
    rng, game = random.Random(seed), variant.game
    secret, nonces = deals.seeded_secret(seed), [rng.randbytes(rng.randrange(20)) for _ in range(variant.seats)]
    match = records.start(game, variant.seats, variant.options, secret, nonces)
    asked.do(
        "start", {"told": heard(match, match.opening, None)}, name=game.name, seats=variant.seats,
        options=variant.options, secret=secret.hex(), nonces=[nonce.hex() for nonce in nonces],
    )  # fmt: skip
    for _ in range(most):
        if match.over:
            break
        seat, answer = random_answer(match, rng)
        question = game.question(match.state).name
        if rng.random() < 0.2:
            asked.do("look", look(match, seat), seat=seat)
            asked.do("look", look(match, -1), seat=-1)
        if rng.random() < 0.2:
            wrong = rng.choice([*game.question(match.state).answers, "nonsense"])
            if wrong not in game.legal(match.state, seat):
                with pytest.raises(Refused) as refused:
                    match.answer(seat, wrong, question)
                values = {"question": question, "given": wrong} if wrong == "nonsense" else refused.value.message.values
                refusal = {"refused": [refused.value.message.id, values]}
                asked.do("answer", refusal, seat=seat, question=question, answer=wrong)
        logs = match.answer(seat, answer, question)
        listener = rng.randrange(-1, variant.seats)
        told = {"told": heard(match, logs, None), "heard": heard(match, logs, listener)}
        asked.do("answer", told, seat=seat, question=question, answer=answer, **{"as": listener})
        if rng.random() < 0.03 and not match.over:
            to = rng.randrange(max(0, len(match.entries) - 12), len(match.entries))
            match.undo(seat, to)
            asked.do("undo", {}, seat=seat, to=to)
    asked.do("look", look(match, 0), seat=0)
    return match


@lengths("every", 47, 1)
@pytest.mark.parametrize("name", GAMES)
def test_a_game_of_ones_own_goes_as_in_python_and_its_record_is_one_that_python_verifies(
    name: str, every: int, script: Path, engine: Path
) -> None:
    """Views, questions, events as everyone hears them, refusals, undos, results; cards from the same secrets."""
    asked, matches = Asked(), []
    for seed, variant in enumerate(all_variants(name)[::every]):
        match = played(asked, variant, seed, 60 if seed % 4 else 2_000)
        asked.do("record", None)
        matches.append((len(asked.lines) - 1, match))
    said = asked.run(script, engine)
    for at, match in matches:
        record = said[at]
        again = records.read_record(json.dumps(record))
        assert again.state.tobytes() == match.state.tobytes()
        times = record.pop("times")
        assert len(times) == len(match.entries)
        assert record == records.to_record(match, True) | {"seated": ["person"] * match.seats}


def test_what_cannot_be_is_refused_as_the_house_refuses_it(script: Path, engine: Path) -> None:
    """Wrong options before the game, wrong seats and questions in it; each by the same id and rule."""
    asked, wanted, game = Asked(), [], GAMES["crystals"]
    common = {"name": "crystals", "secret": "00" * 32, "nonces": ["", "", ""]}
    never = (
        (3, {"partnership": True}),
        (4, {"partnership": True, "pass_to": "rotating"}),
        (3, {"rounds": "x"}),
        (3, {"toast": 1}),
        (7, {}),
    )
    for seats, options in never:
        with pytest.raises(Refused) as refused:
            game.check_options(seats, options)
        wanted.append(refused.value.message)
        asked.do("start", None, seats=seats, options=options, **common)
    match = records.start(game, 3, {}, bytes(32), [b""] * 3)
    asked.do("start", {"told": heard(match, match.opening, None)}, seats=3, options={}, **common)
    (seat,) = game.to_act(match.state)
    for wrong, question in (((seat + 1) % 3, "count"), (7, "count"), (seat, "play")):
        with pytest.raises(Refused) as refused:
            match.answer(wrong, 1, question)
        wanted.append(refused.value.message)
        asked.do("answer", None, seat=wrong, question=question, answer=1)
    asked.do("undo", {"refused": ["record-undo-ahead", {"n": "0", "line": "0 undo 1"}]}, seat=0, to=1)
    found = [each["refused"] for each in asked.run(script, engine) if "refused" in each]
    assert [id for id, _ in found[:-1]] == [message.id for message in wanted]
    assert [values.get("rule") for _, values in found[:-1]] == [message.values.get("rule") for message in wanted]


def test_the_command_line_verifies_what_the_engine_wrote(script: Path, engine: Path, run: Any, tmp_path: Path) -> None:
    asked, (variant, *_) = Asked(), all_variants("mines")
    played(asked, variant, 5, 2_000)
    asked.do("record", None)
    file = tmp_path / "own.json"
    file.write_text(json.dumps(asked.run(script, engine)[-1]), encoding="utf-8")
    code, out, err = run("verify", str(file))
    assert code == 0, err
    assert out.endswith("Verified.\n")
