"""The coach's recommendations agree with hints, and its sentences are short."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from diamonds import i18n
from diamonds.game import GAMES
from diamonds.rules.mines import ADJACENT
from tests.support import coach_advice
from tests.support.sample_sizes import short_or_long

MAX_SENTENCE_WORDS = 12
MAX_SENTENCES = 2
MESSAGE = re.compile(r"^(page-coach-[a-z]+-\S+) = (.*(?:\n .*)*)", re.MULTILINE)
VARIANT = re.compile(r"\[\w+\] (.*)")
WORD = re.compile(r"[\w♦♥♠♣]")


@pytest.mark.kernels
@short_or_long("number", 40, 500)
@pytest.mark.parametrize("name", sorted(GAMES))
def test_coach_recommends_no_answer_that_a_hint_would_reject(name: str, number: int) -> None:
    positions = coach_advice.coached_positions(name, number)
    lines = coach_advice.check_advice(name, positions)
    assert {line.position for line in lines} == set(range(number)), "expected a line of the coach in every position"
    wrong = [
        f"{line.name} recommends {line.recommends}, {line.gap:.2f} behind the best of {positions[line.position].told['legal']}"
        for line in coach_advice.contradictions(name, lines)
    ]
    assert not wrong, f"The coach contradicts a hint in {len(wrong)} of {number} positions:\n" + "\n".join(wrong)


@pytest.mark.kernels
def test_recommendation_is_as_bad_as_the_worst_of_its_choices() -> None:
    """Recommend each card by itself, any card, and nothing, in a first decision of crystals where cards differ in value."""
    view = coach_advice.coached_positions("crystals", 40)[20].view
    names = [str(answer) for answer in view.game.legal(view.row, view.seat)]
    each, free, nothing = coach_advice.recommendation_gaps(view, [[[name] for name in names], [names], []], 5)
    assert each > 0.1, "expected a card worse than the best"
    assert free < 0.1, "expected a choice of any answer to be as good as the best answer"
    assert nothing == 0


@pytest.mark.parametrize("language", i18n.languages())
def test_line_of_the_coach_has_two_short_sentences_at_most(language: str) -> None:
    text = (Path(i18n.__file__).parent / f"{language}.ftl").read_text(encoding="utf-8")
    found, wrong = MESSAGE.findall(text), []
    assert len(found) > 60
    for id, message in found:
        for line in VARIANT.findall(message) or [message]:
            sentences = re.split(r"(?<=[.!?])\s+", re.sub(r"\{ \$\w+ \}(-\w+)?", "X", line))
            words = [sum(bool(WORD.search(word)) for word in sentence.split()) for sentence in sentences]
            if len(sentences) > MAX_SENTENCES or max(words) > MAX_SENTENCE_WORDS:
                wrong.append(f"{id}: {line}")
    assert not wrong, "expected shorter lines:\n" + "\n".join(wrong)


@pytest.mark.kernels
def test_mines_coach_warns_of_the_last_free_neighbours() -> None:
    positions = coach_advice.coached_positions("mines", 200)
    said = {(line.position, line.name) for line in coach_advice.check_advice("mines", positions)}
    for k, position in enumerate(positions):
        owner, me = position.view.row["owner"], position.view.seat
        own, other = int(owner[me]), int(owner[1 - me])
        free = int(ADJACENT[own]) & ~own & ~other
        assert ((k, "shut-in") in said) == (free == 0), f"position {k}: shut in or not, with {free:013b} free"


def fourteen_tips(events: list[dict[str, Any]] = [], **view: Any) -> set[str]:  # noqa: B006
    """Return the names of the tips about a first card of a hand of fourteen."""
    told = {
        "view": {
            "scoring": 0, "match": 0, "target": 40, "totals": [0] * 4, "taken": [0] * 4, "tricks": [1, 0, 0, 0],
            "trick": [], "suit": None, "deals": 1, **view,
        },
        "me": 0, "hand": ["S7"], "question": "play", "legal": ["S7"],
        "events": [{"n": 1, "event": event} for event in events],
    }  # fmt: skip
    (said,) = coach_advice.coach_lines("fourteen", [coach_advice.CoachPosition(None, told)])  # type: ignore[arg-type]
    return {line["name"] for line in said}


def test_f8_coach_says_that_a_hand_is_played_out_after_the_goal() -> None:
    assert "reached" in fourteen_tips(totals=[0, 36, 0, 0], taken=[0, 4, 0, 0])
    assert "reached" not in fourteen_tips(totals=[0, 36, 0, 0], taken=[4, 3, 0, 0])
    assert "reached" not in fourteen_tips(totals=[0, 40, 0, 0], scoring=2)


def test_f6_coach_explains_a_fourteen_only_while_its_trick_lies_there() -> None:
    turned = {"event": "turned", "seat": 1, "suit": "D"}
    assert "turned" in fourteen_tips([turned], trick=["H5", "D9"], suit="D")
    assert "turned" not in fourteen_tips([turned, {"event": "trick", "seat": 1, "diamonds": 1}])
