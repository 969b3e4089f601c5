"""Export of recorded games for learning and statistics: one row per game, and one row per decision.

A decision has what its seat could know (``features``), the legal answers, the answer given, and what nobody at the
table could know: the whole state (``truth``) and, if wanted, what each legal answer is worth, as hints and reviews
compute it. Undone answers have no rows.

Records are verified. Plain ones are replayed by compiled rules; any that differs in the least from their results goes
to `diamonds.record_reader`, which decides.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from diamonds import cards, deals, views
from diamonds.bots import games, kernels
from diamonds.bots.analysis import hints
from diamonds.entries import AnswerEntry, SeatChangeEntry, parse_entry
from diamonds.errors import DiamondsError, NotAllowedError
from diamonds.game import Game, find_game
from diamonds.lab.pool import OneProcess, Pool
from diamonds.lab.simulation import CompiledPlayer, SimulationSetup
from diamonds.record_reader import load_record
from diamonds.records import RECORD_FORMAT, RecordedGame, start_game

RECORDS_PER_TASK = 16
Ints = npt.NDArray[np.int64]
# A function that returns the features of observations. Each observation is a row with a seat and its view
# (`diamonds.envs.planes.PlaneEncoder`).
FeatureEncoder = Callable[[Ints], Any]
EncoderFactory = Callable[[Game, int, dict[str, Any]], FeatureEncoder]

GAME_COLUMNS = {
    "game_id": "int64",
    "source": "string",
    "game": "string",
    "rules_version": "int64",
    "seats": "int64",
    "options": "string",
    "players": "list<string>",
    "levels": "list<string>",
    "commitment": "string",
    "answers": "int64",
    "scores": "list<int64>",
    "winners": "list<int64>",
    "ended": "string",
    "worth_unit": "string",
}
DECISION_COLUMNS = {
    "game_id": "int64",
    "n": "int64",
    "deal": "int64",
    "seat": "int64",
    "level": "string",
    "question": "string",
    "action": "int64",
    "answer": "string",
    "legal": "list<int64>",
    "legal_answers": "list<string>",
    "worth": "list<float64>",
    "worth_error": "list<float64>",
    "features": "list<uint8>",
    "truth": "list<int64>",
    "time_ms": "int64",
    "thinking_ms": "int64",
}
ARRAY_COLUMNS = {"features", "truth"}


class RecordLine(NamedTuple):
    """A record as text, and its place for errors: ``games.jsonl, line 3``."""

    source: str
    text: str


@dataclass(frozen=True)
class ExportSettings:
    """The features to export, and the number of worlds in which to value each answer (0: none)."""

    encoder_factory: EncoderFactory
    worlds: int = 0
    has_decisions: bool = True


class GameRows(NamedTuple):
    """The rows of one game: one for the game itself, and one for each decision."""

    game: dict[str, Any]
    decisions: list[dict[str, Any]]

    def __reduce__(self) -> tuple[Callable[..., GameRows], tuple[Any, ...]]:
        """Pickle the decisions by column, four times as fast as with thousands of dictionaries and small arrays."""
        columns = {name: [row[name] for row in self.decisions] for name in DECISION_COLUMNS if self.decisions}
        return unpickle_rows, (
            self.game,
            columns | {name: np.array(columns[name]) for name in ARRAY_COLUMNS & columns.keys()},
        )


def unpickle_rows(game: dict[str, Any], columns: dict[str, Any]) -> GameRows:
    """Return the rows of one game from the columns of its decisions."""
    return GameRows(game, [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)])


class ReplayedGame(NamedTuple):
    """A finished game with the state before each effective answer.

    ``answers`` has seat, question and answer by number; ``states`` are flat rows, and ``levels`` name who answered.
    """

    game: Game
    seats: int
    options: dict[str, Any]
    version: int
    players: list[str]
    holders: list[str]
    commitment: str
    result: dict[str, Any]
    answers: Ints
    states: Ints
    legal: Ints
    levels: list[str]
    times: list[int | None]
    previous_times: list[int | None]


def export_records(
    records: Iterable[RecordLine], settings: ExportSettings, pool: Pool | None = None
) -> Iterator[GameRows]:
    """Yield the rows of each record in order, computed by a pool or in this process.

    Raise a `DiamondsError` that names the record if one is invalid.
    """
    if settings.worlds:
        kernels.require()
    numbered = enumerate(records)
    tasks = iter(lambda: list(islice(numbered, RECORDS_PER_TASK)), [])
    for rows in (pool or OneProcess()).run(ExportJob(settings), tasks):
        yield from rows


class ExportJob(NamedTuple):
    """The rows of records. A task is some records and their numbers."""

    settings: ExportSettings

    def open(self) -> Callable[[list[tuple[int, RecordLine]]], list[GameRows]]:
        return lambda records: [rows_of(game_id, record, self.settings) for game_id, record in records]


def rows_of(game_id: int, record: RecordLine, settings: ExportSettings) -> GameRows:
    """Return the rows of one record."""
    try:
        replay = replay_record(record.text)
    except DiamondsError as error:
        raise type(error)("terminal-of-file", name=record.source, why=error.message) from None
    return GameRows(_game_row(game_id, record, replay), _decision_rows(game_id, replay, settings))


def _game_row(game_id: int, record: RecordLine, replay: ReplayedGame) -> dict[str, Any]:
    return {
        "game_id": game_id,
        "source": record.source,
        "game": replay.game.name,
        "rules_version": replay.version,
        "seats": replay.seats,
        "options": json.dumps(replay.options),
        "players": replay.players,
        "levels": [_level(holder) for holder in replay.holders],
        "commitment": replay.commitment,
        "answers": len(replay.answers),
        "scores": replay.result["scores"],
        "winners": replay.result["winners"],
        "ended": replay.result["ended"],
        "worth_unit": games.adapter_for(replay.game).unit if games.has_adapter(replay.game) else None,
    }


def _level(holder: str) -> str | None:
    """Return ``person``, the level of a bot, or ``None`` if the holder is unknown."""
    return None if holder == "open" else holder.removeprefix("bot:")


def _decision_rows(game_id: int, replay: ReplayedGame, settings: ExportSettings) -> list[dict[str, Any]]:
    if not settings.has_decisions:
        return []
    game = replay.game
    observations = observations_of(replay)
    features = settings.encoder_factory(game, replay.seats, replay.options)(observations)
    deal_at = next(start for field, start, _ in views.field_offsets(game) if field.name == "deals")
    rows = []
    for n, (seat, question_number, action) in enumerate(replay.answers.tolist()):
        question = game.questions[question_number]
        legal = list(cards.iter_bits(int(replay.legal[n])))
        worth = worth_error = None
        if settings.worlds and len(legal) > 1 and games.has_adapter(game):
            row = np.frombuffer(bytearray(observations[n, 1:].tobytes()), game.dtype)[0]
            seed = int(replay.commitment[:12], 16) + 8 * n
            worth, worth_error = answer_worth(game, row, seat, legal, settings.worlds, seed)
        time, previous_time = replay.times[n], replay.previous_times[n]
        rows.append(
            {
                "game_id": game_id,
                "n": n,
                "deal": int(replay.states[n, deal_at]) - 1,
                "seat": seat,
                "level": replay.levels[n],
                "question": question.name,
                "action": action,
                "answer": str(question.answers[action]),
                "legal": legal,
                "legal_answers": [str(question.answers[k]) for k in legal],
                "worth": worth,
                "worth_error": worth_error,
                "features": features[n],
                "truth": replay.states[n],
                "time_ms": time,
                "thinking_ms": None if time is None or previous_time is None else time - previous_time,
            }
        )
    return rows


def answer_worth(
    game: Game, row: np.void, seat: int, legal: Sequence[int], worlds: int, seed: int
) -> tuple[list[float | None], list[float | None]]:
    """Return each legal answer's worth in the worlds of a view, with standard errors; ``None`` if unknown.

    Worth is the mean value by which reviews compare answers. Equivalent answers share theirs, and a card in a set has
    the worth of the best set with it.
    """
    from diamonds.bots.search import search

    adapter = games.adapter_for(game)
    candidates = search.candidates_of(game, row, seat)
    values = hints.evaluate_candidates(game, row, seat, candidates, worlds, seed).values
    means = [hints.mean_and_error(values[:, k]) for k in range(len(candidates))]
    is_set = adapter.is_set(row)
    worth: list[float | None] = []
    errors: list[float | None] = []
    for answer in legal:
        if is_set:
            fitting = [k for k, one in enumerate(candidates) if int(adapter.answers_of(row, seat, one)) >> answer & 1]
        else:
            representative = adapter.representative(row, candidates, answer)
            fitting = [k for k, one in enumerate(candidates) if one == representative]
        best = max(fitting, key=lambda k: means[k][0], default=-1)
        worth.append(means[best][0] if best >= 0 else None)
        errors.append(means[best][1] if best >= 0 else None)
    return worth, errors


def observations_of(replay: ReplayedGame) -> Ints:
    """Return the seat and the view of each decision, in the form of `diamonds.envs`."""
    first = np.frombuffer(bytearray(replay.states[0].tobytes()), replay.game.dtype)[0]
    masks = views.ViewMasks(replay.game, first)
    return np.array(
        [masks.view(state, int(seat)) for state, seat in zip(replay.states, replay.answers[:, 0], strict=True)]
    )


# Replaying


def replay_record(text: str) -> ReplayedGame:
    """Return the finished game of a record. Raise `DiamondsError` if the record is invalid or the game is not over."""
    replay = None
    if find_spec("numba") is not None:
        try:
            replay = replay_compiled(json.loads(text))
        except (ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError):
            replay = None  # left to the interpreted reader, which replays the game or reports the error
    return replay or replay_interpreted(load_record(text))


def replay_interpreted(played: RecordedGame) -> ReplayedGame:
    """Return the replay of a game that the record reader has verified."""
    if not played.over:
        raise NotAllowedError("export-not-over")
    game, holders, levels = played.game, list(played.seat_holders), list[str | None]()
    effective = set(played.entry_positions)
    for position, line in enumerate(played.entries):
        seat, _, entry_text = line.partition(" ")
        entry = parse_entry(entry_text)
        if isinstance(entry, SeatChangeEntry):
            holders[int(seat)] = entry.holder
        elif isinstance(entry, AnswerEntry) and position in effective:
            levels.append(entry.substitute_level or _level(holders[int(seat)]))
    replayed = start_game(game, played.seats, played.options, played.secret, played.nonces, None, played.version)
    numbers, states, legal = [], [], []
    for seat_number, question, answer in played.answers:
        question_number = int(replayed.state["question"])
        numbers.append((seat_number, question_number, game.answers[question_number][str(answer)]))
        states.append(np.frombuffer(replayed.state.tobytes(), np.int64))
        legal.append(int(game.rules.legal(replayed.state, seat_number)))
        replayed.answer(seat_number, answer, question)
    times = played.times
    positions = played.entry_positions
    return ReplayedGame(
        game, played.seats, played.options, played.version, played.players, played.seat_holders, played.commitment,
        game.result(played.state), np.array(numbers, np.int64), np.array(states), np.array(legal, np.int64),
        levels,  # type: ignore[arg-type]
        [times[k] if times else None for k in positions],
        [times[k - 1] if times and k else None for k in positions],
    )  # fmt: skip


@lru_cache(maxsize=8)
def compiled_replay(game: Game) -> Callable[..., int]:
    """Return the compiled replay of a game, made on first use and cached on disk."""
    from diamonds import jit  # imported here, because it loads Numba

    compiled = jit.compiled_for_modules(game.rules)
    legal_of, step_of = game.rules.legal, game.rules.step

    @compiled
    def replay(rows, flat, answers, start, states, legal):  # type: ignore[no-untyped-def]
        """Apply answers from ``start`` on until a deal is due; write the state and the legal answers before each.

        Return the number of the next answer, or −1 at an illegal one.
        """
        k = start
        while k < len(answers) and rows[0]["to_act"] != 0 and rows[0]["over"] == 0:
            seat, question, answer = answers[k, 0], answers[k, 1], answers[k, 2]
            if rows[0]["to_act"] >> seat & 1 == 0 or rows[0]["question"] != question:
                return -1
            legal[k] = legal_of(rows[0], seat)
            if legal[k] >> answer & 1 == 0:
                return -1
            states[k] = flat
            step_of(rows[0], seat, answer, None)
            k += 1
        return k

    kernel: Callable[..., int] = replay
    return kernel


class _Replayer(CompiledPlayer):
    """A compiled player that gives recorded answers."""

    def __init__(self, game: Game, seats: int, options: dict[str, Any]) -> None:
        super().__init__(SimulationSetup(game.name, seats, options, ("simple",) * seats, 0, has_records=True))
        self.replay = compiled_replay(game)
        self.numbers = {
            text: (seat, question, answer)
            for seat, of_seat in enumerate(self.entries)
            for question, of_question in enumerate(of_seat)
            for answer, text in enumerate(of_question)
        }


@lru_cache(maxsize=32)
def _replayer(game: Game, seats: int, options: str) -> _Replayer:
    return _Replayer(game, seats, json.loads(options))


def replay_compiled(data: dict[str, Any]) -> ReplayedGame | None:
    """Return the replay of a plain record; ``None`` if the record has undos or other events, or differs in any way."""
    game, seats = find_game(data["game"]), data["seats"]
    secret, nonces = bytes.fromhex(data["secret"]), [bytes.fromhex(nonce) for nonce in data["nonces"]]
    lists = (data["players"], data["seated"], nonces)
    is_plain = (
        data["format"] == RECORD_FORMAT
        and games.has_adapter(game)
        and data["rules_version"] == game.version
        and data.get("fork") is None
        and data.get("times") is None
        and len(secret) == deals.SECRET_BYTES
        and max(map(len, nonces)) <= deals.MAX_NONCE_BYTES
        and all(isinstance(each, list) and len(each) == seats for each in lists)
        and data["commitment"] == deals.commit(secret)
        and data["result"] is not None
    )
    if not is_plain:
        return None
    options = game.check_options(seats, data["options"])
    replayer = _replayer(game, seats, json.dumps(options))
    answers = np.array([replayer.numbers[entry] for entry in data["entries"]], np.int64)
    states = np.empty((len(answers), game.dtype.itemsize // 8), np.int64)
    legal = np.empty(len(answers), np.int64)
    replayer.begin(secret, nonces)
    checksums, n = [], 0
    while n < len(answers):
        if replayer.needs_deal:
            checksums.append(replayer.deal(secret, nonces))
        following = int(replayer.replay(replayer.rows, replayer.flat, answers, n, states, legal))
        if following <= n:
            return None
        n = following
    if replayer.needs_deal or not replayer.is_over or checksums != data["checksums"]:
        return None
    result = replayer.result()
    holders = [str(holder) for holder in data["seated"]]
    if result != data["result"] or not all(holder.startswith("bot:") for holder in holders):
        return None
    levels = [holders[seat].removeprefix("bot:") for seat in answers[:, 0].tolist()]
    no_times: list[int | None] = [None] * len(answers)
    return ReplayedGame(
        game, seats, options, game.version, [str(name) for name in data["players"]], holders, data["commitment"],
        result, answers, states, legal, levels, no_times, no_times,
    )  # fmt: skip
