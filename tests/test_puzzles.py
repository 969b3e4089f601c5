"""Puzzles: the published ones replay from their games and hide what a seat may not see, and mining can be resumed."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from diamonds import views
from diamonds.bots import games as adapters
from diamonds.bots.analysis import hints
from diamonds.bots.bot import BotView, bot_view
from diamonds.bots.games.adapter import COUNT_COLUMNS
from diamonds.bots.levels import LEVELS
from diamonds.game import GAMES, Game
from diamonds.lab import puzzle_journal, puzzle_mining
from diamonds.lab.pool import OneProcess
from diamonds.lab.puzzle_journal import JournalEntry
from diamonds.lab.puzzle_mining import CLARITY, TRIES_PER_LEVEL, MinedGame, Puzzle
from tests.support.sample_sizes import short_or_long

ROOT = Path(__file__).parents[1]
MINED, PAGE = ROOT / "bench" / "puzzles", ROOT / "web" / "src" / "puzzles" / "data"
games = pytest.mark.parametrize("game", GAMES.values(), ids=str)


def published_puzzles(game: Game) -> list[tuple[JournalEntry, Puzzle]]:
    return list(puzzle_journal.without_duplicates(game, puzzle_journal.read_journal(MINED, game)))[
        : puzzle_journal.PUZZLES_PER_GAME
    ]


@pytest.mark.later
@games
def test_published_puzzles_replay_from_their_games_with_the_seats_view(game):
    written = json.loads((PAGE / f"{game.name}.json").read_text(encoding="utf-8"))
    again = json.loads(json.dumps(puzzle_journal.client_puzzles(MINED, game)))
    assert written == again, f"`diamonds puzzles write` gives another file for {game.name}."
    assert json.loads((PAGE / "index.json").read_text())[game.name] == len(written["puzzles"])
    assert len({one["id"] for one in written["puzzles"]}) == len(written["puzzles"])


@pytest.mark.later
@short_or_long("every", 9, 1)
@games
def test_puzzle_reveals_nothing_hidden_from_its_seat(game, every):
    for line, puzzle in published_puzzles(game)[::every]:
        state = puzzle_mining.replay_state(game, line.seed, line.mined, puzzle.n)
        shown = puzzle_journal.puzzle_data(game, line.seed, line.mined, puzzle)
        # With any other hidden cards, the page shows the same.
        other = state.copy()
        seen = bot_view(game, state, puzzle.seat).row
        flat, known = other.reshape(1).view(np.int64), seen.reshape(1).view(np.int64)
        flat[known == views.HIDDEN_VALUE] = views.HIDDEN_VALUE
        assert json.dumps(views.view_data(game, bot_view(game, other, puzzle.seat).row)) == json.dumps(shown["view"])
        hands = shown["view"]["hand"]
        assert [seat for seat, hand in enumerate(hands) if hand is not None] == [puzzle.seat]


@pytest.mark.later
@short_or_long("every", 9, 1)
@games
def test_puzzle_has_one_clear_best_answer_that_some_level_misses(game, every):
    clear = CLARITY[adapters.adapter_for(game).unit]
    for line, puzzle in published_puzzles(game)[::every]:
        best, *others = puzzle.answers
        assert puzzle.low >= clear.margin
        assert puzzle.worlds >= clear.worlds
        assert others
        assert min(one.gap for one in others) >= clear.margin
        assert best.gap == 0
        suits = {puzzle_mining.suit_of(game, name) for name in best.answers}
        assert len(best.answers) == 1 or (len(suits) == 1 and "" not in suits), "expected equivalent best answers"
        assert puzzle.margin == min(one.gap for one in others if one.worlds == puzzle.worlds)
        state = puzzle_mining.replay_state(game, line.seed, line.mined, puzzle.n)
        told = [answer for one in puzzle.answers for answer in one.answers]
        assert sorted(map(str, told)) == sorted(map(str, game.legal(state, puzzle.seat))), "expected every answer"
        is_easy = all(2 * times >= TRIES_PER_LEVEL for times in puzzle.found[: puzzle_mining.EASY_LEVELS])
        assert puzzle.follows is not None or not is_easy
        assert 2 * puzzle.found[-1] >= TRIES_PER_LEVEL
        assert (1 if is_easy else 2) <= puzzle.grade <= 5


@pytest.mark.kernels
def test_interrupted_mining_resumes_at_its_game(tmp_path, monkeypatch):
    game = GAMES["mines"]
    mined: list[int] = []

    def mine(game: Game, seed: int, number: int) -> MinedGame:
        mined.append(number)
        return MinedGame(number, 2, ["2", "3"], 9, "", [])

    def stop(game: Game, line: JournalEntry, found: int) -> None:
        if line.mined.number % 2:
            raise KeyboardInterrupt

    monkeypatch.setattr(puzzle_journal, "mine", mine)
    with pytest.raises(KeyboardInterrupt):
        puzzle_journal.mine_until(tmp_path, [game], 1, 5, 1e9, stop, OneProcess())
    with puzzle_journal.journal_path(tmp_path, game).open("ab") as journal:
        journal.write(b'{"seed":1,"ru')  # an incomplete line
    with pytest.raises(KeyboardInterrupt):
        puzzle_journal.mine_until(tmp_path, [game], 1, 5, 1e9, stop, OneProcess())
    assert mined == [0, 1, 2, 3]
    assert [line.mined.number for line in puzzle_journal.read_journal(tmp_path, game)] == [0, 1, 2, 3]


@pytest.mark.kernels
def test_mining_stops_with_enough_distinct_puzzles(tmp_path, monkeypatch):
    game, counts = GAMES["crystals"], list[int]()
    (_, one), (_, other) = published_puzzles(game)[:2]
    monkeypatch.setattr(
        puzzle_journal,
        "mine",
        lambda game, seed, number: MinedGame(number, 2, ["2", "3"], 9, "", [other if number == 3 else one]),
    )
    puzzle_journal.mine_until(tmp_path, [game], 1, 2, 1e9, lambda game, line, found: counts.append(found), OneProcess())
    assert counts == [1, 1, 1, 2]


@pytest.mark.kernels
def test_puzzle_of_a_sequence_follows_its_first_one(monkeypatch):
    """Every decision here is a puzzle whose best answer is the last legal one."""
    game, asked = GAMES["mines"], list[tuple[int, int, int | None]]()

    def find_puzzle(view: BotView, n: int, seed_parts: tuple[object, ...], follows: int | None) -> Puzzle:
        asked.append((n, view.seat, follows))
        best = game.legal(view.row, view.seat)[-1]
        answer = puzzle_mining.PuzzleAnswer([best], 0.0, 0.0, 0.0, 9, [])
        question = game.question(view.row).name
        return Puzzle(n, view.seat, 0, question, [answer], 9.0, 8.0, 10.0, 9, [20] * 5, 1, follows)

    monkeypatch.setattr(puzzle_mining, "find_puzzle", find_puzzle)
    mined = puzzle_mining.mine(game, 1, 0)
    first, second, third = mined.puzzles
    assert (first.follows, second.follows, third.follows) == (None, first.n, second.n)
    assert {n for n, _, follows in asked if follows is None} == {first.n}, "expected no other puzzle soon"
    assert second.seat == first.seat
    state = puzzle_mining.replay_state(game, 1, mined, second.n)
    before = puzzle_mining.replay_state(game, 1, mined, first.n)
    game.rules.step(before, first.seat, game.question(before).answers.index(first.answers[0].answers[0]), None)
    if second.n == first.n + 1:
        assert state == before, "expected the game to continue with the best answer"


def test_mines_has_no_duplicates_and_a_sequence_is_published_whole():
    (line, one), *_ = published_puzzles(GAMES["mines"])
    follower = one._replace(n=one.n + 2, follows=one.n)
    lines = [line._replace(mined=line.mined._replace(number=k, puzzles=[one, follower])) for k in range(2)]
    kept = [puzzle for _, puzzle in puzzle_journal.without_duplicates(GAMES["mines"], lines)]
    assert kept == [one, follower, one, follower]
    lines = [line._replace(mined=line.mined._replace(number=k, puzzles=[one, follower])) for k in range(2)]
    kept = [puzzle for _, puzzle in puzzle_journal.without_duplicates(GAMES["crystals"], lines)]
    assert kept == [one, follower]
    shown = puzzle_journal.puzzle_data(GAMES["mines"], line.seed, line.mined, one._replace(follows=7))
    assert shown["follows"] == f"{line.mined.number}-7"


def crystals_question() -> BotView:
    """Return a position of crystals with a seat to play a card."""
    game = GAMES["crystals"]
    rng = np.random.default_rng(3)
    state = game.start(4, {}, rng.permutation(game.pack_for(4, {}))[:4].tolist())
    state["question"] = [question.name for question in game.rules.QUESTIONS].index("play")
    return bot_view(game, state, 0)


def card_evaluation(cards: list[str], means: list[float], error: float) -> puzzle_mining.AnswerComparison:
    """Return an evaluation of cards in crystals, each with its mean, and with this spread of the differences."""
    view = crystals_question()
    heap = puzzle_mining.AnswerComparison(view, [view.game.card_names.index(card) for card in cards])
    steps = error * np.array([[k % 2 * (1 if world % 2 else -1) for k in range(len(cards))] for world in range(100)])
    heap.value = np.array(means) + 10 * steps
    heap.worlds = len(heap.value)
    return heap


def test_nearly_equal_cards_of_a_suit_count_as_one_answer():
    heap = card_evaluation(["D5", "D9", "H2"], [3.0, 2.9, 1.8], 0.01)
    assert not heap.has_close_rival()
    assert heap.right_answers() == heap.candidates[:2]
    assert heap.settle()
    assert heap.candidates[heap.best] == heap.candidates[1], "expected the lead over ♦9"
    assert heap.lead(2)[0] == pytest.approx(1.1)


@pytest.mark.parametrize(("cards", "means"), [
    (["D5", "D9", "H2"], [3.0, 2.5, 1.0]),  # of the same suit, neither equal nor far apart
    (["D5", "H9", "S2"], [3.0, 2.9, 1.0]),  # equal, but of different suits
    (["D5", "D9", "H2"], [3.0, 2.9, 1.95]),  # ♦5 is far enough ahead of ♥2, but ♦9 is not
    (["D5", "D9"], [3.0, 2.9]),  # no wrong answer
])  # fmt: skip
def test_position_with_close_or_no_wrong_answers_is_not_published(cards, means):
    heap = card_evaluation(cards, means, 0.01)
    assert heap.has_close_rival() or not heap.settle()


def test_only_uncertain_candidates_are_evaluated_further():
    heap = card_evaluation(["D5", "D9", "H2", "H7", "S2"], [3.0, 3.0, 1.5, 0.9, -9.0], 0.0)
    assert heap.near_best() == [heap.candidates[0], heap.candidates[2]], "expected ♦9, which equals ♦5"
    assert heap.equal_candidates == {heap.candidates[1]: heap.candidates[0]}
    assert set(heap.right_answers()) == set(heap.candidates[:2])
    unsure = card_evaluation(["D5", "H2"], [3.0, 2.1], 0.1)
    assert not unsure.has_close_rival(), "expected a difference of 0.1 to one point, with an error of 0.1"
    assert not unsure.settle()


def test_level_is_run_only_until_it_is_known_to_find_the_answer(monkeypatch):
    view = bot_view(GAMES["mines"], GAMES["mines"].empty_state(2, {}), 0)
    for right in (0, 9, 10, 11, TRIES_PER_LEVEL):
        for last in (False, True):
            given = sorted([True] * right + [False] * (TRIES_PER_LEVEL - right), reverse=last)
            left = iter(given)
            monkeypatch.setattr(puzzle_mining, "solved_tries", lambda *of, left=left: left)
            assert puzzle_mining.level_solves(view, LEVELS[0], [], [], ()) == (2 * right >= TRIES_PER_LEVEL), given
            assert list(left) or 9 <= right <= 11, "expected no further runs once the result is certain"


@pytest.mark.parametrize(
    ("right", "looks"),
    [(TRIES_PER_LEVEL, puzzle_mining.RACE_WORLDS[:1]), (puzzle_mining.INSTANT_SOLVES - 1, puzzle_mining.RACE_WORLDS)],
)
def test_position_solved_by_the_lowest_level_is_evaluated_no_further(monkeypatch, right, looks):
    dealt: list[int] = []

    def weigh(
        game: Game, row: np.void, seat: int, candidates: list[int], worlds: int, seed: int
    ) -> hints.CandidateValues:
        dealt.append(worlds)
        value = np.array([9.0 if one == 4 else 0.0 for one in candidates]) * np.ones((worlds, 1))
        return hints.CandidateValues(candidates, value, value, np.zeros((len(candidates), COUNT_COLUMNS)))

    monkeypatch.setattr(hints, "evaluate_candidates", weigh)
    monkeypatch.setattr(
        puzzle_mining, "solved_tries", lambda *of: iter([True] * right + [False] * (TRIES_PER_LEVEL - right))
    )
    raced = puzzle_mining.race(crystals_question(), [4, 20, 40], ())
    assert dealt == list(looks)
    assert (raced is None) == (right == TRIES_PER_LEVEL)


@pytest.mark.kernels
@pytest.mark.later
def test_mining_is_reproducible_by_seed(monkeypatch):
    monkeypatch.setattr(
        puzzle_mining,
        "CLARITY",
        {"points": puzzle_mining.ClarityThreshold(0.2, 500, 0.05), "%": puzzle_mining.ClarityThreshold(2.0, 500, 0.5)},
    )
    monkeypatch.setattr(puzzle_mining, "TRIES_PER_LEVEL", 2)
    game = GAMES["crystals"]
    found = [puzzle_mining.mine(game, 1, 1) for _ in range(2)]
    assert found[0] == found[1]
    assert found[0].puzzles, "expected puzzles to compare; use a smaller margin"


@pytest.mark.slow
@pytest.mark.kernels
@games
def test_best_answer_of_a_puzzle_is_best_in_yet_other_worlds(game):
    clear = CLARITY[adapters.adapter_for(game).unit]
    chosen: list[Any] = published_puzzles(game)
    for line, puzzle in chosen[:: max(1, len(chosen) // 10)]:
        state = puzzle_mining.replay_state(game, line.seed, line.mined, puzzle.n)
        view = bot_view(game, state, puzzle.seat)
        names = {str(name): k for k, name in enumerate(game.question(state).answers)}
        heap = puzzle_mining.AnswerComparison(view, [names[str(one.answers[0])] for one in puzzle.answers], 0)
        heap.add_worlds(view, 20_000, puzzle_mining.derived_number("yet others", line.mined.number, puzzle.n))
        for _, lead, error in heap.others():
            assert lead + 4 * error >= clear.margin, f"{game.name}, game {line.mined.number}, answer {puzzle.n}"
