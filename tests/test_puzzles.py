"""Puzzles: what the page has is what was mined, replayed by the rules; it hides what a seat may not see; mining goes on where it was."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from diamonds import views
from diamonds.bots import knowing
from diamonds.bots.bot import see
from diamonds.game import GAMES, Game
from diamonds.lab import mining, puzzles
from diamonds.lab.mining import CLEAR, TRIES, Mined, Puzzle
from diamonds.lab.puzzles import Line

ROOT = Path(__file__).parents[1]
MINED, PAGE = ROOT / "bench" / "puzzles", ROOT / "web" / "src" / "puzzles" / "data"
games = pytest.mark.parametrize("game", GAMES.values(), ids=str)


def kept(game: Game) -> list[tuple[Line, Puzzle]]:
    """The puzzles that the page is to have."""
    return list(puzzles.different(game, puzzles.read(MINED, game)))[: puzzles.WANTED]


@games
def test_every_puzzle_on_the_page_is_replayed_from_its_game_and_shows_what_its_seat_saw(game: Game) -> None:
    written = json.loads((PAGE / f"{game.name}.json").read_text(encoding="utf-8"))
    again = json.loads(json.dumps(puzzles.page(MINED, game)))
    assert written == again, f"`diamonds puzzles write` gives something else for {game.name}."
    assert json.loads((PAGE / "index.json").read_text())[game.name] == len(written["puzzles"])
    assert len({one["id"] for one in written["puzzles"]}) == len(written["puzzles"])


@games
def test_a_puzzle_tells_nothing_that_its_seat_could_not_know(game: Game) -> None:
    for line, puzzle in kept(game):
        state = mining.replayed(game, line.seed, line.mined, puzzle.n)
        shown = puzzles.shown(game, line.seed, line.mined, puzzle)
        # Whatever lies hidden from this seat may be anything else, and the page is told the same.
        other = state.copy()
        seen = see(game, state, puzzle.seat).row
        flat, known = other.reshape(1).view(np.int64), seen.reshape(1).view(np.int64)
        flat[known == views.UNSEEN] = views.UNSEEN
        assert json.dumps(views.as_data(game, see(game, other, puzzle.seat).row)) == json.dumps(shown["view"])
        hands = shown["view"]["hand"]
        assert [seat for seat, hand in enumerate(hands) if hand is not None] == [puzzle.seat]


@games
def test_in_every_puzzle_one_answer_is_clearly_best_and_not_all_levels_find_it(game: Game) -> None:
    clear = CLEAR[knowing.of(game).unit]
    for line, puzzle in kept(game):
        best, *others = puzzle.answers
        assert puzzle.low >= clear.margin
        assert puzzle.worlds >= clear.worlds
        assert others
        assert min(one.behind for one in others) >= clear.margin
        assert best.behind == 0
        assert puzzle.margin == min(one.behind for one in others if one.worlds == puzzle.worlds)
        state = mining.replayed(game, line.seed, line.mined, puzzle.n)
        told = [answer for one in puzzle.answers for answer in one.answers]
        assert sorted(map(str, told)) == sorted(map(str, game.legal(state, puzzle.seat))), "an answer is missing"
        assert not all(2 * times >= TRIES for times in puzzle.found[: mining.LOWEST])
        assert 2 * puzzle.found[-1] >= TRIES
        assert 2 <= puzzle.grade <= 5


def test_mining_that_was_cut_off_goes_on_with_the_game_it_was_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = GAMES["mines"]
    mined: list[int] = []

    def mine(game: Game, seed: int, number: int) -> Mined:
        mined.append(number)
        return Mined(number, 2, ["2", "3"], 9, "", [])

    def stop(game: Game, line: Line, found: int) -> None:
        if line.mined.number % 2:
            raise KeyboardInterrupt

    monkeypatch.setattr(puzzles, "mine", mine)
    with pytest.raises(KeyboardInterrupt):
        puzzles.go_on(tmp_path, [game], 1, 5, 1e9, stop)
    with puzzles.journal(tmp_path, game).open("ab") as journal:
        journal.write(b'{"seed":1,"ru')  # a line that was being written
    with pytest.raises(KeyboardInterrupt):
        puzzles.go_on(tmp_path, [game], 1, 5, 1e9, stop)
    assert mined == [0, 1, 2, 3]
    assert [line.mined.number for line in puzzles.read(tmp_path, game)] == [0, 1, 2, 3]


@pytest.mark.kernels
@pytest.mark.later
def test_mining_again_from_the_same_seed_finds_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mining, "CLEAR", {"points": mining.Clear(0.2, 500), "%": mining.Clear(2.0, 500)})
    monkeypatch.setattr(mining, "TRIES", 2)
    game = GAMES["crystals"]
    found = [mining.mine(game, 1, 1) for _ in range(2)]
    assert found[0] == found[1]
    assert found[0].puzzles, "Nothing was found, so nothing was compared; let the margin be smaller."


@pytest.mark.slow
@pytest.mark.kernels
@games
def test_the_best_answer_of_a_puzzle_is_best_in_yet_other_worlds(game: Game) -> None:
    clear = CLEAR[knowing.of(game).unit]
    chosen: list[Any] = kept(game)
    for line, puzzle in chosen[:: max(1, len(chosen) // 10)]:
        state = mining.replayed(game, line.seed, line.mined, puzzle.n)
        view = see(game, state, puzzle.seat)
        names = {str(name): k for k, name in enumerate(game.question(state).answers)}
        heap = mining.Heap([names[str(one.answers[0])] for one in puzzle.answers], 0)
        heap.weigh(view, 20_000, mining.drawn("yet others", line.mined.number, puzzle.n))
        for _, lead, error in heap.others():
            assert lead + 4 * error >= clear.margin, f"{game.name}, game {line.mined.number}, answer {puzzle.n}"
