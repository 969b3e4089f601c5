"""Lessons, run in Node on the page's engine: every course can be completed, and every wrong answer is tried."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from diamonds import i18n
from diamonds.game import GAMES
from tests.support import artifacts, node
from tests.test_i18n import catalog_messages

pytestmark = pytest.mark.kernels

DRIVER = Path(__file__).parent / "node" / "lessons.mjs"
COURSES = sorted((node.REPO_ROOT / "web" / "src" / "lessons" / "courses").glob("*.json"))
NAMES = [path.stem for path in COURSES]
MAX_SENTENCE_LENGTH = 170  # characters that fit on a phone


def course_of(name: str) -> dict[str, Any]:
    read: dict[str, Any] = json.loads(COURSES[NAMES.index(name)].read_text(encoding="utf-8"))
    return read


@pytest.fixture(scope="module")
def script(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return node.bundle("src/lessons/nodeEntry.ts", tmp_path_factory.mktemp("lessons") / "lessons.mjs")


@pytest.fixture(scope="module")
def course_runs(script: Path) -> dict[str, list[dict[str, Any]]]:
    """Return what happened in each course: the wrong answers tried at its tables, and its steps."""
    found = {}
    for name, file in zip(NAMES, COURSES, strict=True):
        done = node.run_node(DRIVER, script.as_uri(), str(artifacts.built_modules()), str(file))
        assert done.returncode == 0, done.stderr
        found[name] = [json.loads(line) for line in done.stdout.splitlines()]
    return found


def steps(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [line for line in lines if "name" in line]


def course_sentences(lines: list[dict[str, Any]]) -> Iterator[str]:
    """Return every sentence of a course by the end of its id."""
    for step in steps(lines):
        yield from (step["asks"]["id"], step["right"]["id"], step["then"]["id"])
        yield from (f"{step['name']}-{turn['why']}" for turn in step["turns"] if turn["how"] == "wrong")


def test_every_game_has_a_course() -> None:
    assert set(NAMES) == set(GAMES)


@pytest.mark.parametrize("name", NAMES)
def test_course_is_done_from_its_first_step_to_its_last_on_the_engine(
    name: str, course_runs: dict[str, list[dict[str, Any]]]
) -> None:
    done, course = steps(course_runs[name]), course_of(name)
    assert [step["name"] for step in done] == [step["name"] for step in course["steps"]]
    assert 10 <= len(done) <= 15, f"{name} has {len(done)} steps."
    for step in done:
        assert step["asks"] == {"how": "asks", "id": step["name"]}
        assert step["right"] == {"how": "right", "id": f"{step['name']}-right"}
        second = next(one.get("hasSecondTask") for one in course["steps"] if one["name"] == step["name"])
        assert not second or step["then"] == {"how": "asks", "id": f"{step['name']}-then"}
        assert step["after"], f"{name}, {step['name']}: expected no further answer after the step."


@pytest.mark.parametrize("name", NAMES)
def test_wrong_answer_in_a_lesson_changes_nothing_and_gets_a_reply(
    name: str, course_runs: dict[str, list[dict[str, Any]]]
) -> None:
    tried = [line for line in course_runs[name] if "wrong" in line]
    assert tried
    for line in tried:
        assert line["refused"], f"{name}: {line['wrong']} was accepted."
        assert not line["moved"], f"{name}: {line['wrong']} changed the table."
        assert line["said"]["how"] == "wrong"
        assert line["said"]["id"].endswith(f"-{line['why']}")
    for step in steps(course_runs[name]):
        hows = {turn["how"] for turn in step["turns"]}
        assert "done" in hows, f"{name}, {step['name']} has no right answer."
        assert "wrong" in hows, f"{name}, {step['name']} teaches nothing: every answer is right."


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("language", i18n.languages())
def test_course_sentences_exist_are_short_and_used(
    name: str, language: str, course_runs: dict[str, list[dict[str, Any]]]
) -> None:
    begin = f"page-lesson-{name}-"
    there = {id: values for id, values in catalog_messages(language).items() if id.startswith(begin)}
    wanted = {begin + one for one in course_sentences(course_runs[name])}
    assert wanted == set(there), f"Missing or unused: {sorted(wanted ^ set(there))}"
    assert not any(there.values()), "Expected sentences without values."
    text = (Path(i18n.__file__).parent / f"{language}.ftl").read_text(encoding="utf-8")
    long = [line for line in re.findall(rf"^{begin}.*? = (.*)$", text, re.MULTILINE) if len(line) > MAX_SENTENCE_LENGTH]
    assert not long, "\n".join(long)


@pytest.mark.parametrize("name", NAMES)
def test_courses_cite_existing_rules(name: str) -> None:
    told = (node.REPO_ROOT / "docs" / "rules" / f"{name}.md").read_text(encoding="utf-8")
    numbers: set[str] = set()
    for first, last in re.findall(r"\b([CFM]\d+)(?:–([CFM]\d+))?", told):
        numbers |= {f"{first[0]}{k}" for k in range(int(first[1:]), int((last or first)[1:]) + 1)}
    for step in course_of(name)["steps"]:
        assert step["rules"], f"{step['name']} cites no rule."
        assert set(step["rules"]) <= numbers, f"{step['name']} cites rules that {name} lacks: {step['rules']}"


@pytest.mark.parametrize("name", NAMES)
def test_lesson_answers_are_legal_in_python_too(name: str) -> None:
    """The answers before each step are legal, and a table's cards are of one pack, each once."""
    course, game = course_of(name), GAMES[name]
    cards = next(one for one in game.questions if one.name in {"play", "give"}).answers
    for step in course["steps"]:
        if "at" not in step:
            continue
        table = course["tables"][step["at"]["table"]]
        seats, laid = len(table["cut"]), [card for packet in table["cards"] for card in packet]
        assert len(set(laid)) == len(laid), f"{step['name']}: a card is in two places."
        state = game.start(
            seats, game.check_options(seats, table["options"]), [cards.index(one) for one in table["cut"]]
        )
        game.rules.deal(state, deck_for_packets(game, state, table["cards"], cards), None)
        for line in step["at"]["played"]:
            seat, question, answer = line.split()
            number = game.parse_answer(state, int(seat), question, answer)  # raises if the answer is illegal
            game.rules.step(state, int(seat), number, None)
        assert table["me"] in game.to_act(state), f"{step['name']}: the learner is not to act."


def deck_for_packets(game: Any, state: Any, packets: list[list[str]], cards: Any) -> list[int]:
    """Return a deck that gives each seat or pile its cards; unnamed cards go anywhere."""
    copy, pack = state.copy(), game.pack(state)
    game.rules.deal(copy, pack, None)
    where = [0] * (64 * len(packets))
    _, size = game.rules.deal_packets(copy, where)
    found: list[int | None] = [None] * len(pack)
    packet, place = 0, 0
    for number in where[:size]:
        if number < 0:
            packet, place = packet + 1, 0
            continue
        if place < len(packets[packet]):
            found[pack.index(number)] = cards.index(packets[packet][place])
        place += 1
    rest = [card for card in pack if card not in set(found)]
    return [rest.pop(0) if one is None else one for one in found]
