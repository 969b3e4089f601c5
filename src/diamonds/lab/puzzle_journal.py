"""The journal of mined puzzles (`diamonds.lab.puzzle_mining`), one for each game, and the puzzle files of the page.

A journal has a line for every mined game, with or without puzzles, so mining can be stopped at any moment and resumed;
an incomplete line is replaced. The page's file has only the view of each puzzle's seat: it contains no other hands,
seed or answers of the game.
"""

from __future__ import annotations

import json
import os
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from diamonds import views
from diamonds.bots import games, kernels
from diamonds.bots.bot import bot_view
from diamonds.bots.games.adapter import WIN_CHANCE
from diamonds.bots.levels import LEVELS
from diamonds.cards import iter_bits
from diamonds.code_fingerprint import source_hash
from diamonds.game import Game, find_game
from diamonds.lab.pool import Pool
from diamonds.lab.puzzle_mining import (
    CLARITY,
    LINEUP,
    TRIES_PER_LEVEL,
    MinedGame,
    Puzzle,
    PuzzleAnswer,
    mine,
    replay_state,
)

DEFAULT_SEED = 14
LEVEL_HEAD_START = 10  # puzzles
PUZZLES_PER_GAME = 300  # published per game
PUZZLES_FORMAT = "diamonds puzzles 1"


class JournalEntry(NamedTuple):
    """A line of a journal: a game, the versions it was mined with, and the CPU seconds."""

    seed: int
    rules: int
    bots: str
    seconds: float
    mined: MinedGame


_ANSWER_FIELDS = {"behind": "gap", "because": "reasons"}  # journal keys that differ from the names of the fields


def journal_path(folder: Path, game: Game) -> Path:
    """Return the file of a game's journal."""
    return folder / f"{game.name}.jsonl"


def read_journal(folder: Path, game: Game) -> list[JournalEntry]:
    """Return the entries of a journal, without an incomplete last line."""
    file = journal_path(folder, game)
    if not file.is_file():
        return []
    complete = file.read_bytes().rpartition(b"\n")[0]
    return [entry_from_data(json.loads(text)) for text in complete.splitlines()]


def entry_from_data(data: dict[str, Any]) -> JournalEntry:
    mined_data = data.pop("mined")
    puzzles = [
        Puzzle(**{**puzzle, "answers": [_answer_from_data(answer) for answer in puzzle["answers"]]})
        for puzzle in mined_data.pop("puzzles")
    ]
    return JournalEntry(mined=MinedGame(puzzles=puzzles, **mined_data), **data)


def entry_data(entry: JournalEntry) -> dict[str, Any]:
    puzzles = [
        {**puzzle._asdict(), "answers": [_answer_data(answer) for answer in puzzle.answers]}
        for puzzle in entry.mined.puzzles
    ]
    return {**entry._asdict(), "mined": {**entry.mined._asdict(), "puzzles": puzzles}}


def _answer_from_data(data: dict[str, Any]) -> PuzzleAnswer:
    return PuzzleAnswer(**{_ANSWER_FIELDS.get(key, key): value for key, value in data.items()})


def _answer_data(answer: PuzzleAnswer) -> dict[str, Any]:
    keys = {field: key for key, field in _ANSWER_FIELDS.items()}
    return {keys.get(field, field): value for field, value in answer._asdict().items()}


def append_entry(folder: Path, game: Game, entry: JournalEntry) -> None:
    """Append an entry durably, replacing an incomplete line."""
    folder.mkdir(parents=True, exist_ok=True)
    file = journal_path(folder, game)
    with file.open("r+b" if file.exists() else "w+b") as out:
        out.seek(len(b"".join(file.read_bytes().rpartition(b"\n")[:2])))
        out.truncate()
        out.write(json.dumps(entry_data(entry), separators=(",", ":")).encode() + b"\n")
        out.flush()
        os.fsync(out.fileno())


class MiningJob(NamedTuple):
    """The mining of puzzles with a seed. A task is a game and its number; the result comes with the CPU seconds."""

    seed: int

    def open(self) -> Callable[[tuple[str, int]], tuple[MinedGame, float]]:
        def mine_game(task: tuple[str, int]) -> tuple[MinedGame, float]:
            game = find_game(task[0])
            kernels.load(game)
            started = time.process_time()
            mined_game = mine(game, self.seed, task[1])
            return mined_game, round(time.process_time() - started, 2)

        return mine_game


def mine_until(
    folder: Path,
    games: Sequence[Game],
    seed: int,
    max_puzzles: int,
    seconds: float,
    on_mined: Callable[[Game, JournalEntry, int], None],
    pool: Pool,
) -> None:
    """Mine until each game has ``max_puzzles`` different puzzles, or for ``seconds`` of wall time.

    The next game is the one with the least CPU time so far, weighted so that games with many puzzles wait longer.
    ``on_mined`` gets every mined game and its number of puzzles. Each journal lists its games by number, regardless of
    the number of workers.
    """
    bots, deadline = source_hash(), time.monotonic() + seconds
    entries = {game: [entry for entry in read_journal(folder, game) if entry.seed == seed] for game in games}
    number = {
        game: max((entry.mined.number for entry in game_entries), default=-1) + 1
        for game, game_entries in entries.items()
    }
    cpu_s = {game: sum(entry.seconds for entry in game_entries) for game, game_entries in entries.items()}
    puzzle_counts = {game: len(list(without_duplicates(game, game_entries))) for game, game_entries in entries.items()}
    game_of_task = deque[Game]()

    def next_tasks() -> Iterator[tuple[str, int]]:
        while time.monotonic() < deadline:
            open_games = [game for game in games if puzzle_counts[game] < max_puzzles]
            if not open_games:
                return
            game = min(open_games, key=lambda one: expected_cpu_s(one) * (LEVEL_HEAD_START + puzzle_counts[one]))
            game_of_task.append(game)
            yield game.name, number[game] + game_of_task.count(game) - 1

    def expected_cpu_s(game: Game) -> float:
        """Return a game's CPU time, including unfinished tasks, which are assumed to take as long as those before."""
        return cpu_s[game] * (1 + game_of_task.count(game) / max(1, number[game]))

    for mined_game, cpu_of_game in pool.run(MiningJob(seed), next_tasks()):
        game = game_of_task.popleft()
        entry = JournalEntry(seed, game.version, bots, cpu_of_game, mined_game)
        append_entry(folder, game, entry)
        number[game] += 1
        cpu_s[game] += entry.seconds
        if mined_game.puzzles:
            entries[game].append(entry)
            puzzle_counts[game] = len(list(without_duplicates(game, entries[game])))
        on_mined(game, entry, puzzle_counts[game])


# The page's puzzles


def puzzle_id(seed: int, mined_game: MinedGame, n: int) -> str:
    """Return the id of the puzzle after ``n`` answers of a game. Browsers store it."""
    return f"{mined_game.number}-{n}" if seed == DEFAULT_SEED else f"{seed}-{mined_game.number}-{n}"


def puzzle_data(game: Game, seed: int, mined_game: MinedGame, puzzle: Puzzle) -> dict[str, Any]:
    """Return a puzzle for the page: its seat's view, including what a good memory knows, and the evaluated answers."""
    state, question = replay_state(game, seed, mined_game, puzzle.n), puzzle.question
    view = bot_view(game, state, puzzle.seat)
    legal = int(game.rules.legal(view.row, puzzle.seat))
    illegal: dict[str, tuple[Any, list[str]]] = {}
    if game.question(state).answers[: len(game.card_names)] == game.card_names:
        for card in iter_bits(int(view.row["hand"][puzzle.seat]) & ~legal):
            reason = game.illegal_reason(view.row, puzzle.seat, card)
            illegal.setdefault(repr(reason), (reason, []))[1].append(game.card_names[card])
    return {
        "id": puzzle_id(seed, mined_game, puzzle.n),
        "seat": puzzle.seat,
        "view": views.view_data(game, view.row),
        "question": question,
        "refused": [{"cards": cards, "says": reason} for reason, cards in illegal.values()],
        "answers": [
            [
                answer.answers,
                round(answer.gain, 2),
                round(answer.gap, 2),
                round(answer.error, 3),
                answer.worlds,
                answer.reasons,
            ]
            for answer in puzzle.answers
        ],
        "margin": [puzzle.margin, puzzle.low, puzzle.high],
        "worlds": puzzle.worlds,
        "found": puzzle.found,
        "grade": puzzle.grade,
        **({} if puzzle.follows is None else {"follows": puzzle_id(seed, mined_game, puzzle.follows)}),
    }


def without_duplicates(game: Game, entries: Sequence[JournalEntry]) -> Iterator[tuple[JournalEntry, Puzzle]]:
    """Yield all puzzles except near duplicates: the same question, answers and best answer, by suit and rank.

    Mines has no duplicates, because the same answers come from different boards. A puzzle that follows another is
    yielded if the other is.
    """
    may_repeat = games.adapter_for(game).unit != WIN_CHANCE
    seen_keys: set[tuple[object, ...]] = set()
    for entry in entries:
        yielded: set[int | None] = set()
        for puzzle in entry.mined.puzzles:
            key = (entry.mined.seats, puzzle.question, *(tuple(answer.answers) for answer in puzzle.answers))
            is_new = key not in seen_keys or not may_repeat
            if is_new if puzzle.follows is None else puzzle.follows in yielded:
                seen_keys.add(key)
                yielded.add(puzzle.n)
                yield entry, puzzle


def client_puzzles(folder: Path, game: Game) -> dict[str, Any]:
    """Return a game's puzzles for the page: at most `PUZZLES_PER_GAME`, mined by the current rules."""
    entries = [entry for entry in read_journal(folder, game) if entry.rules == game.version]
    puzzles = list(without_duplicates(game, entries))[:PUZZLES_PER_GAME]
    unit = games.adapter_for(game).unit
    clarity = CLARITY[unit]
    return {
        "format": PUZZLES_FORMAT,
        "game": game.name,
        "rules": game.version,
        "bots": sorted({entry.bots for entry, _ in puzzles}),
        "seed": sorted({entry.seed for entry, _ in puzzles}),
        "field": list(LINEUP),
        "unit": unit,
        "margin": clarity.margin,
        "worlds": clarity.worlds,
        "tries": TRIES_PER_LEVEL,
        "levels": [level.name for level in LEVELS],
        "mined": len(entries),
        "puzzles": [puzzle_data(game, entry.seed, entry.mined, puzzle) for entry, puzzle in puzzles],
    }


def write_client_puzzles(folder: Path, out: Path, games: Sequence[Game]) -> list[tuple[Path, int]]:
    """Write the page's files, one puzzle per line; return each file with its number of puzzles."""
    written = []
    for game in games:
        data = client_puzzles(folder, game)
        lines = [json.dumps(puzzle, separators=(",", ":"), ensure_ascii=False) for puzzle in data.pop("puzzles")]
        head = json.dumps(data, separators=(",", ":"))[:-1]
        file = out / f"{game.name}.json"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(head + ',"puzzles":[\n' + ",\n".join(lines) + "\n]}\n", encoding="utf-8")
        written.append((file, len(lines)))
    index = out / "index.json"
    earlier_counts = json.loads(index.read_text(encoding="utf-8")) if index.is_file() else {}
    counts = {**earlier_counts, **{file.stem: number for file, number in written}}
    index.write_text(json.dumps(dict(sorted(counts.items())), separators=(",", ":")) + "\n", encoding="utf-8")
    return written
