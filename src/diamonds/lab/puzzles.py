"""Puzzles are kept: what was mined (`diamonds.lab.mining`), in a journal a game, and the files that the page takes them from.

A journal has a line for every game that was mined, with puzzles or without, so mining may be ended at any moment and goes on where it was;
a line that was being written then is written again. The page's file has of every puzzle what its seat saw, and no more: other hands are in
no view, and neither the seed nor the answers of the game are there.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from diamonds import views
from diamonds.bots import knowing
from diamonds.bots.bot import see
from diamonds.bots.levels import LEVELS
from diamonds.cards import members
from diamonds.game import Game
from diamonds.lab.mining import CLEAR, FIELD, TRIES, Answer, Mined, Puzzle, mine, replayed
from diamonds.lab.tables import made_of

SEED = 14
HEAD_START = 10  # puzzles
WANTED = 300  # puzzles of each game on the page
FORMAT = "diamonds puzzles 1"


class Line(NamedTuple):
    """A line of a journal: a game, what it was mined with, and how many seconds of processor time that took."""

    seed: int
    rules: int
    bots: str
    seconds: float
    mined: Mined


def journal(folder: Path, game: Game) -> Path:
    """Where a game's journal lies."""
    return folder / f"{game.name}.jsonl"


def read(folder: Path, game: Game) -> list[Line]:
    """What was mined; the last line does not count if it was broken off."""
    file = journal(folder, game)
    if not file.is_file():
        return []
    whole = file.read_bytes().rpartition(b"\n")[0]
    return [line_of(json.loads(line)) for line in whole.splitlines()]


def line_of(data: dict[str, Any]) -> Line:
    """A line from its data."""
    mined = data.pop("mined")
    puzzles = [
        Puzzle(**{**one, "answers": [Answer(**answer) for answer in one["answers"]]}) for one in mined.pop("puzzles")
    ]
    return Line(mined=Mined(puzzles=puzzles, **mined), **data)


def data_of(line: Line) -> dict[str, Any]:
    """A line as data."""
    puzzles = [{**one._asdict(), "answers": [answer._asdict() for answer in one.answers]} for one in line.mined.puzzles]
    return {**line._asdict(), "mined": {**line.mined._asdict(), "puzzles": puzzles}}


def append(folder: Path, game: Game, line: Line) -> None:
    """Write a line down, durably, in place of one that was broken off."""
    folder.mkdir(parents=True, exist_ok=True)
    file = journal(folder, game)
    with file.open("r+b" if file.exists() else "w+b") as out:
        out.seek(len(b"".join(file.read_bytes().rpartition(b"\n")[:2])))
        out.truncate()
        out.write(json.dumps(data_of(line), separators=(",", ":")).encode() + b"\n")
        out.flush()
        os.fsync(out.fileno())


def go_on(
    folder: Path, games: Sequence[Game], seed: int, most: int, seconds: float, say: Callable[[Game, Line, int], None]
) -> None:
    """Mine game after game until there are ``most`` puzzles of each that are `different`, or for so many seconds of the clock.

    Whichever game has had the least processor time is the next; those that give many puzzles wait longer. ``say`` is told of every game that was mined, and how many puzzles there are.
    """
    bots, end = made_of(), time.monotonic() + seconds
    had = {game: [line for line in read(folder, game) if line.seed == seed] for game in games}
    number = {game: max((line.mined.number for line in lines), default=-1) + 1 for game, lines in had.items()}
    spent = {game: sum(line.seconds for line in lines) for game, lines in had.items()}
    found = {game: len(list(different(game, lines))) for game, lines in had.items()}
    while time.monotonic() < end:
        left = [game for game in games if found[game] < most]
        if not left:
            return
        game = min(left, key=lambda one: spent[one] * (HEAD_START + found[one]))
        began = time.process_time()
        mined = mine(game, seed, number[game])
        line = Line(seed, game.version, bots, round(time.process_time() - began, 2), mined)
        append(folder, game, line)
        number[game] += 1
        spent[game] += line.seconds
        if mined.puzzles:
            had[game].append(line)
            found[game] = len(list(different(game, had[game])))
        say(game, line, found[game])


# What the page is given


def shown(game: Game, seed: int, mined: Mined, puzzle: Puzzle) -> dict[str, Any]:
    """A puzzle as the page has it: what its seat saw, with all that a good memory would know, and what is known of the answers."""
    state, question = replayed(game, seed, mined, puzzle.n), puzzle.question
    seen = see(game, state, puzzle.seat)
    legal = int(game.rules.legal(seen.row, puzzle.seat))
    refused: dict[str, tuple[Any, list[str]]] = {}
    if game.question(state).answers[: len(game.names)] == game.names:
        for card in members(int(seen.row["hand"][puzzle.seat]) & ~legal):
            why = game.why_not(seen.row, puzzle.seat, card)
            refused.setdefault(repr(why), (why, []))[1].append(game.names[card])
    return {
        "id": f"{mined.number}-{puzzle.n}",
        "seat": puzzle.seat,
        "view": views.as_data(game, seen.row),
        "question": question,
        "refused": [{"cards": cards, "says": why} for why, cards in refused.values()],
        "answers": [
            [one.answers, round(one.gain, 2), round(one.behind, 2), round(one.error, 3), one.worlds, one.because]
            for one in puzzle.answers
        ],
        "margin": [puzzle.margin, puzzle.low, puzzle.high],
        "worlds": puzzle.worlds,
        "found": puzzle.found,
        "grade": puzzle.grade,
    }


def different(game: Game, lines: Sequence[Line]) -> Iterator[tuple[Line, Puzzle]]:
    """All puzzles but near duplicates: of the same question with the same answers and the same best one, by suit and rank."""
    had: set[tuple[object, ...]] = set()
    for line in lines:
        for puzzle in line.mined.puzzles:
            key = (line.mined.seats, puzzle.question, *(tuple(one.answers) for one in puzzle.answers))
            if key not in had:
                had.add(key)
                yield line, puzzle


def page(folder: Path, game: Game) -> dict[str, Any]:
    """All that the page is given of a game's puzzles: those that were mined by the rules as they are now, at most `WANTED`."""
    lines = [line for line in read(folder, game) if line.rules == game.version]
    chosen = list(different(game, lines))[:WANTED]
    unit = knowing.of(game).unit
    clear = CLEAR[unit]
    return {
        "format": FORMAT,
        "game": game.name,
        "rules": game.version,
        "bots": sorted({line.bots for line, _ in chosen}),
        "seed": sorted({line.seed for line, _ in chosen}),
        "field": list(FIELD),
        "unit": unit,
        "margin": clear.margin,
        "worlds": clear.worlds,
        "tries": TRIES,
        "levels": [level.name for level in LEVELS],
        "mined": len(lines),
        "puzzles": [shown(game, line.seed, line.mined, puzzle) for line, puzzle in chosen],
    }


def write(folder: Path, out: Path, games: Sequence[Game]) -> list[tuple[Path, int]]:
    """Write the page's files, a puzzle a line; returns each with how many puzzles are in it."""
    written = []
    for game in games:
        data = page(folder, game)
        lines = [json.dumps(one, separators=(",", ":"), ensure_ascii=False) for one in data.pop("puzzles")]
        head = json.dumps(data, separators=(",", ":"))[:-1]
        file = out / f"{game.name}.json"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(head + ',"puzzles":[\n' + ",\n".join(lines) + "\n]}\n", encoding="utf-8")
        written.append((file, len(lines)))
    index = out / "index.json"
    before = json.loads(index.read_text(encoding="utf-8")) if index.is_file() else {}
    counts = {**before, **{file.stem: number for file, number in written}}
    index.write_text(json.dumps(dict(sorted(counts.items())), separators=(",", ":")) + "\n", encoding="utf-8")
    return written
