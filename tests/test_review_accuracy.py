"""`diamonds.lab.review_accuracy` measures how well predicted costs of reviews match realised ones."""

import json
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from diamonds import cards, fields
from diamonds.bots import games
from diamonds.bots.analysis import hints, review
from diamonds.bots.bot import bot_view
from diamonds.bots.games.adapter import COUNT_COLUMNS, NO_PLAN
from diamonds.bots.levels import find_bot
from diamonds.bots.search import search
from diamonds.game import GAMES
from diamonds.lab import review_accuracy
from tests.support.random_games import new_random_game
from tests.test_analysis import two_tricks_left

pytestmark = pytest.mark.kernels

FOURTEEN = GAMES["fourteen"]


def evaluation(
    values: list[list[float]], candidates: list[int], points: list[list[float]] | None = None
) -> hints.CandidateValues:
    """Return an evaluation by worlds. If no points are given, they equal the values."""
    value = np.array(values)
    return hints.CandidateValues(
        candidates, value, value if points is None else np.array(points), np.zeros((2, COUNT_COLUMNS))
    )


def test_slope_regresses_realised_on_predicted_with_robust_error():
    """The matrix form, (XᵀX)⁻¹ Xᵀ diag(e²) X (XᵀX)⁻¹ (White 1980), gives the same error."""
    rng = np.random.default_rng(4)
    predicted = rng.gamma(2, 1, 60)
    realised = 0.5 + 2 * predicted + rng.normal(size=60) * predicted
    matrix = np.stack([np.ones(60), predicted], 1)
    inverse = np.linalg.inv(matrix.T @ matrix)
    intercept, slope = inverse @ matrix.T @ realised
    rest = realised - intercept - slope * predicted
    error = np.sqrt((inverse @ (matrix.T * rest**2) @ matrix @ inverse)[1, 1])
    found = review_accuracy.regress(predicted, realised)
    assert found == pytest.approx((60, slope, error, intercept, predicted.mean(), realised.mean()))


def test_pairs_have_the_requested_number_and_separate_deals(monkeypatch):
    drawn: list[float] = []

    def pair(game: Any, rng: np.random.Generator, level: str) -> tuple[float, float] | None:
        drawn.append(float(rng.random()))
        return None if len(drawn) % 3 == 0 else (drawn[-1], 3 * drawn[-1] - 1)

    monkeypatch.setattr(review_accuracy, "cost_pair", pair)
    found = review_accuracy.cost_pairs(FOURTEEN, 20, 5, "simple")
    assert found[:4] == pytest.approx((20, 3.0, 0.0, -1.0), abs=1e-9)
    assert len(set(drawn)) == len(drawn) == 29, "expected every deal once"


def test_pair_answers_are_played_from_one_state_with_the_same_rng(monkeypatch):
    """The predicted cost is the forced answer's gap in points from the view; the realised cost is its lost margin."""
    asked: list[int] = []
    weighed: list[tuple[np.void, int, list[int]]] = []
    played: list[tuple[bytes, int, int, str, int]] = []

    def shortlist(game: Any, row: np.void, seat: int, wanted: int, forced: int, seed: int, worlds: int) -> Any:
        assert (wanted, worlds) == (1, review.JUDGE_PARAMS.full_worlds)
        asked.append(forced)
        if len(asked) % 3 == 0:  # the forced answer is the best, which costs nothing
            return evaluation([[9.0], [8.0]], [forced])
        best = next(c for c in search.candidates_of(game, row, seat) if c != forced)
        weighed.append((row, seat, [best, forced]))
        return evaluation([[90.0, 10.0], [80.0, 30.0]], [best, forced], [[4.0, 1.0], [2.0, 1.5]])

    def play_on(game: Any, state: np.void, seat: int, candidate: int, level: str, seed: int) -> float:
        played.append((state.tobytes(), seat, candidate, level, seed))
        return 7.0 if candidate == weighed[-1][2][0] else 2.5

    monkeypatch.setattr(hints, "evaluate_shortlist", shortlist)
    monkeypatch.setattr(review_accuracy, "play_out", play_on)
    found = [review_accuracy.cost_pair(FOURTEEN, np.random.default_rng(k), "a level") for k in range(18)]
    assert [one for one in found if one is not None] == [(1.75, 4.5)] * len(weighed)
    assert 5 < len(weighed) < len(asked)
    for (row, seat, candidates), one, two in zip(weighed, played[::2], played[1::2], strict=True):
        assert one[:2] == two[:2] == (one[0], seat)
        assert [one[2], two[2]] == candidates
        assert one[3:] == two[3:] == ("a level", one[4])
        truth = np.frombuffer(one[0], FOURTEEN.dtype)[0]
        assert bot_view(FOURTEEN, truth, seat).row.tobytes() == row.tobytes(), "the prediction uses more than the view"
        assert row.tobytes() != one[0], "expected hidden cards beyond the view"


@pytest.mark.parametrize("name", ["crystals", "fourteen", "mines"])
def test_level_plays_all_seats_to_the_end_of_the_round(name):
    game, rng = GAMES[name], np.random.default_rng(3)
    state = new_random_game(game, game.default_seats, {}, rng)
    game.rules.deal(state, rng.permutation(game.pack(state)), None)
    for _ in range(30):
        seat = game.to_act(state)[0]
        game.rules.step(state, seat, int(games.adapter_for(GAMES[name]).heuristic_answer(state, seat, NO_PLAN)), None)
    seat, before = game.to_act(state)[0], state.tobytes()
    candidate = cards.highest(int(game.rules.legal(state, seat)))
    ended = fields.copy_state(state)
    game.rules.step(ended, seat, candidate, None)
    while not game.needs_deal(ended) and not ended["over"]:
        other = game.to_act(ended)[0]
        answer = find_bot("simple").choose(bot_view(game, ended, other), game.question(ended).name, rng)
        game.rules.step(ended, other, answer, None)
    assert review_accuracy.play_out(game, state, seat, candidate, "simple", 1) == review.margin(game, ended, seat)
    assert state.tobytes() == before, "expected the same position for the other answer"


def test_agreement_counts_certain_and_material_errors_of_longer_search(monkeypatch):
    """Only marked decisions are searched again, up to the requested number."""
    searched = [(10.0, 1.0), (2.0, 0.1), (4.0, 3.0), (3.0, 2.0), (0.0, 0.0), (99.0, 0.1)]
    marked = [True, False, True, True, True, True, True]
    calls: list[int] = []

    def judge(task: int) -> Any:
        return None if task == 0 else SimpleNamespace(marked=marked[task - 1], cost=10.0 * task)

    def again(game: Any, task: int) -> tuple[float, float]:
        calls.append(task)
        return searched[len(calls) - 1]

    monkeypatch.setattr(review, "plan", lambda match, seats: SimpleNamespace(decision_tasks=range(8)))
    monkeypatch.setattr(review, "judge", judge)
    monkeypatch.setattr(review_accuracy, "search_longer", again)
    found = review_accuracy.mistake_agreement(GAMES["mines"], 3, 1, "simple", 5)
    assert calls == [1, 3, 4, 5, 6], "expected the requested number of marked decisions to be searched again"
    assert found == (5, 2, 3, pytest.approx(38.0), pytest.approx(3.8)), "expected two certain and three material errors"


def last_decision(card: str) -> review.DecisionTask:
    """Return the second to last decision of a hand of fourteen, where ♦K gains 6 points over ♦2 (see `test_analysis`)."""
    state = two_tricks_left("DK D2", "D3 D4")
    given = FOURTEEN.card_names.index(card)
    return review.DecisionTask(
        "fourteen", 0, 2, 1, given, bot_view(FOURTEEN, state, 2).row.tobytes(), state.tobytes(), 7
    )


def test_longer_search_gives_the_cost_of_the_answer(monkeypatch):
    monkeypatch.setattr(review_accuracy, "LONG_SEARCH_FACTOR", 2)
    assert review_accuracy.search_longer(FOURTEEN, last_decision("D2")) == (pytest.approx(6.0), 0.0)
    assert review_accuracy.search_longer(FOURTEEN, last_decision("DK")) == (0.0, 0.0)


def test_longer_search_measures_in_four_parts_of_fresh_worlds(monkeypatch):
    """The mean difference has half the error of one part; no part shares worlds with another."""
    asked: list[tuple[int, int]] = []

    def weigh(game: Any, row: np.void, seat: int, candidates: list[int], worlds: int, seed: int) -> Any:
        asked.append((worlds, seed))
        return evaluation([[3.0 + len(asked), 1.0], [1.0 + len(asked), 1.0]], candidates)

    monkeypatch.setattr(hints, "evaluate_candidates", weigh)
    cost, error = review_accuracy.search_longer(FOURTEEN, last_decision("D2"))
    assert (cost, error) == (pytest.approx(3.5), pytest.approx(0.5)), "2 + 3 + 4 + 5 over four"
    assert [worlds for worlds, _ in asked] == [
        review.JUDGE_PARAMS.full_worlds * review_accuracy.LONG_SEARCH_FACTOR // 4
    ] * 4
    assert len({seed for _, seed in asked}) == 4


def test_results_are_json_lines_that_say_how_to_repeat_them(monkeypatch, capsys):
    monkeypatch.setattr(review_accuracy.kernels, "load", lambda game: None)
    monkeypatch.setattr(
        review_accuracy,
        "cost_pairs",
        lambda game, *given: review_accuracy.RegressionFit(given[0], 1, 0.1, 0, 2, given[1]),
    )
    monkeypatch.setattr(
        review_accuracy,
        "mistake_agreement",
        lambda game, *given: review_accuracy.MistakeAgreement(given[3], given[1], 1, 2, 3),
    )
    review_accuracy.main(["--games", "mines", "fourteen", "--pairs", "7", "--marked", "4", "--seed", "5"])
    one, two = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert (one["game"], one["unit"], one["seats"], one["seed"]) == ("mines", "%", 2, 5)
    assert (two["game"], two["unit"], two["seats"]) == ("fourteen", "points", 4)
    assert (one["slope"]["pairs"], one["slope"]["realised"]) == (7, 5)
    assert (one["agreement"]["marked"], one["agreement"]["worse"]) == (4, 5)
    review_accuracy.main(["--games", "mines", "--pairs", "0", "--marked", "0"])
    assert not {"slope", "agreement"} & set(json.loads(capsys.readouterr().out))
