"""Games between bots, dealt from numbered seeds: their results and, on request, records.

Game ``g`` is dealt from seed ``seed + g``, and its bots draw from random numbers of ``(seed, g)``. So the games, and
every byte of their records, depend neither on the number of processes nor on compilation. A compiled call plays from
one deal to the next; Python only asks bots other than `simple`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from diamonds import cards, deals, fields, views
from diamonds.bots import games, kernels, levels
from diamonds.bots.bot import bot_view, choose_legal
from diamonds.bots.games.adapter import NO_PLAN
from diamonds.bots.levels import find_bot, level_name
from diamonds.cards import MAX_PACKET_NUMBERS
from diamonds.game import Game, find_game
from diamonds.lab.pool import OneProcess, Pool
from diamonds.records import RecordedGame, checksum_of, start_game, to_record

GAMES_PER_TASK = 32
MAX_LOGGED_ANSWERS = 512  # limit of one compiled call; further answers take another call


@dataclass(frozen=True)
class SimulationSetup:
    """Games of one kind: a game, its seats and options, a bot for each seat, a seed, and whether to write records."""

    game: str
    seats: int
    options: dict[str, Any]
    bots: tuple[str, ...]
    seed: int
    has_records: bool = False
    is_compiled: bool = True


class GameOutcome(NamedTuple):
    """A finished game: its result, its number of answers, and its record as one line of JSON, or ""."""

    result: dict[str, Any]
    n: int
    record: str


def simulate_games(simulation: SimulationSetup, count: int, pool: Pool | None = None) -> Iterator[GameOutcome]:
    """Yield the outcomes of games 0 to ``count - 1`` in order, computed by a pool or in this process."""
    starts = [0, *range(1, count, GAMES_PER_TASK)]  # the first task, which also loads kernels, is short
    for outcomes in (pool or OneProcess()).run(
        SimulationJob(simulation), (range(*task) for task in pairwise([*starts, count]))
    ):
        yield from outcomes


class SimulationJob(NamedTuple):
    """The games of a simulation. A task is a range of their numbers."""

    simulation: SimulationSetup

    def open(self) -> Callable[[range], list[GameOutcome]]:
        play = game_player(self.simulation)
        return lambda numbers: [play(g) for g in numbers]


def game_player(simulation: SimulationSetup) -> Callable[[int], GameOutcome]:
    """Return a function that plays the game with a given number."""
    if any(isinstance(find_bot(name), levels.LevelBot) for name in simulation.bots):
        kernels.load(find_game(simulation.game))
    if simulation.is_compiled:
        return CompiledPlayer(simulation).play
    return lambda g: play_interpreted(simulation, g)


def bot_rng(seed: int, game_number: int) -> np.random.Generator:
    """Return the random numbers for the bots in one game."""
    return np.random.default_rng([abs(seed), int(seed < 0), game_number])


def play_interpreted(simulation: SimulationSetup, g: int) -> GameOutcome:
    """Play one game, interpreted."""
    game = find_game(simulation.game)
    bots = [find_bot(name) for name in simulation.bots]
    played = start_game(game, simulation.seats, simulation.options, deals.seeded_secret(simulation.seed + g))
    rng = bot_rng(simulation.seed, g)
    while not played.over:
        seat, question = game.to_act(played.state)[0], game.question(played.state)
        view = bot_view(game, played.state, seat)
        number = choose_legal(bots[seat], simulation.bots[seat], view, question.name, rng)
        played.answer(seat, question.answers[number])
    result = game.result(played.state)
    return GameOutcome(result, played.n, _record_line(simulation, played, result) if simulation.has_records else "")


def _record_line(simulation: SimulationSetup, played: RecordedGame, result: dict[str, Any]) -> str:
    played.seat_holders = [f"bot:{level_name(name)}" for name in simulation.bots]
    return json.dumps(to_record(played, result=result), separators=(",", ":"), ensure_ascii=False)


class SimulationKernels(NamedTuple):
    """The compiled functions of one game. ``rows`` is an array of one state."""

    start: Callable[..., None]
    deal: Callable[..., int]
    advance: Callable[..., int]
    finish: Callable[..., int]


@lru_cache(maxsize=8)
def simulation_kernels(game: Game) -> SimulationKernels:
    """Return the compiled functions of a game, made on first use and cached on disk."""
    from diamonds import jit  # imported here, because it loads Numba

    rules, adapter = game.rules, games.adapter_for(game)
    compiled = jit.compiled_for_modules(rules, deals, *adapter.modules)
    heuristic_answer, start_of, step_of, deal_of = adapter.heuristic_answer, rules.start, rules.step, rules.deal
    score_of, seats_ahead_of, ending_of, packets_of = rules.score, rules.seats_ahead, rules.ending, rules.deal_packets
    shuffle_by, no_plan = deals.shuffle_by, NO_PLAN

    @compiled
    def start(rows, cut):  # type: ignore[no-untyped-def]
        """Start a game."""
        start_of(rows[0], cut)

    @compiled
    def deal(rows, deck, stream, packets, scores):  # type: ignore[no-untyped-def]
        """Shuffle and deal; write the packets and scores for `records.deal_text`.

        Return the first seat and the size of the packets as one number, or −1 without a deal if the stream is too
        short.
        """
        if not shuffle_by(deck, stream):
            return -1
        deal_of(rows[0], deck, None)
        first_seat, size = packets_of(rows[0], packets)
        for seat in range(rows[0]["seats"]):
            scores[seat] = score_of(rows[0], seat)
        return first_seat * 1000 + size

    @compiled
    def advance(rows, flat, view_rows, view_flat, answer, is_simple, reveal_flags, masks, log):  # type: ignore[no-untyped-def]
        """Give an answer, unless it is −1, then answers of simple bots, until a deal or another bot is due.

        Each is logged as seat, question and answer. If another bot is due, its view is written. Return the number of
        logged answers.
        """
        n = 0
        while rows[0]["to_act"] != 0 and rows[0]["over"] == 0 and n < len(log):
            seat = cards.lowest(rows[0]["to_act"])
            if answer < 0:
                if not is_simple[seat]:
                    break
                setting = 0
                for flag in reveal_flags:
                    setting = 2 * setting + (1 if flat[flag] != 0 else 0)
                for k in range(len(flat)):
                    view_flat[k] = flat[k] | masks[setting, seat, k]
                answer = heuristic_answer(view_rows[0], seat, no_plan)
            log[n, 0], log[n, 1], log[n, 2] = seat, rows[0]["question"], answer
            step_of(rows[0], seat, answer, None)
            answer = -1
            n += 1
        return n

    @compiled
    def finish(rows, scores, ahead, values):  # type: ignore[no-untyped-def]
        """Write the scores, the number of seats ahead of each seat, and the ending's values; return the ending."""
        for seat in range(rows[0]["seats"]):
            scores[seat] = score_of(rows[0], seat)
            ahead[seat] = seats_ahead_of(rows[0], seat)
        return ending_of(rows[0], values)

    return SimulationKernels(start, deal, advance, finish)


class CompiledPlayer:
    """A player for the games of one simulation, with compiled rules and compiled simple bots."""

    def __init__(self, simulation: SimulationSetup) -> None:
        self.simulation = simulation
        self.game = game = find_game(simulation.game)
        self.kernels = simulation_kernels(game)
        self.bots = [find_bot(name) for name in simulation.bots]
        self.is_simple = np.array([isinstance(bot, levels.HeuristicBot) for bot in self.bots])
        self.blank = game.empty_state(simulation.seats, simulation.options)
        if "rules" in (game.dtype.names or ()):
            self.blank["rules"] = game.version
        self.pack = np.array(game.pack_for(simulation.seats, simulation.options), np.int64)
        view_masks = views.ViewMasks(game, self.blank)
        self.masks, self.reveal_flags = view_masks.masks, view_masks.reveal_flags
        self.rows, self.view_rows = np.zeros(1, game.dtype), np.zeros(1, game.dtype)
        self.flat, self.view_flat = self.rows.view(np.int64), self.view_rows.view(np.int64)
        self.log = np.zeros((MAX_LOGGED_ANSWERS, 3), np.int64)
        self.packets, self.values = np.zeros(MAX_PACKET_NUMBERS, np.int64), np.zeros(fields.MAX_SEATS, np.int64)
        self.scores, self.ahead = np.zeros(fields.MAX_SEATS, np.int64), np.zeros(fields.MAX_SEATS, np.int64)
        self.entries = [
            [[f"{seat} {question.name} {answer}" for answer in question.answers] for question in game.questions]
            for seat in range(simulation.seats)
        ]
        offsets = {field.name: start for field, start, _ in views.field_offsets(game)}
        self.to_act_at, self.over_at, self.deals_at = (offsets[name] for name in ("to_act", "over", "deals"))

    @property
    def needs_deal(self) -> bool:
        """True if the next step is a deal."""
        return not self.flat[self.to_act_at] and not self.flat[self.over_at]

    @property
    def is_over(self) -> bool:
        """True once the game is over."""
        return bool(self.flat[self.over_at])

    def play(self, g: int) -> GameOutcome:
        """Play one game."""
        simulation, game, flat, log = self.simulation, self.game, self.flat, self.log
        secret, nonces = deals.seeded_secret(simulation.seed + g), [b""] * simulation.seats
        self.begin(secret, nonces)
        rng, entries, checksums, answer = bot_rng(simulation.seed, g), list[str](), list[str](), -1
        while not self.is_over:
            if self.needs_deal:
                checksums.append(self.deal(secret, nonces))
            n = self.kernels.advance(
                self.rows, flat, self.view_rows, self.view_flat, answer, self.is_simple, self.reveal_flags,
                self.masks, log,
            )  # fmt: skip
            answer = -1
            entries += [self.entries[seat][question][number] for seat, question, number in log[:n].tolist()]
            to_act = int(flat[self.to_act_at])
            if to_act and not self.is_over and not self.is_simple[seat := cards.lowest(to_act)]:
                view, question = bot_view(game, self.rows[0], seat), game.question(self.rows[0]).name
                answer = choose_legal(self.bots[seat], simulation.bots[seat], view, question, rng)
        result = self.result()
        if not simulation.has_records:
            return GameOutcome(result, len(entries), "")
        names = [f"Seat {seat}" for seat in range(simulation.seats)]
        played = RecordedGame(
            game, simulation.seats, simulation.options, secret, nonces, names, self.rows[0],
            checksums=checksums, entries=entries,
        )  # fmt: skip
        return GameOutcome(result, len(entries), _record_line(simulation, played, result))

    def begin(self, secret: bytes, nonces: Sequence[bytes]) -> None:
        """Start a game, up to its first deal."""
        self.rows[0] = self.blank
        cut = deals.cut_cards(secret, nonces, self.simulation.seats, self.pack.tolist())
        self.kernels.start(self.rows, np.array(cut, np.int64))

    def result(self) -> dict[str, Any]:
        """Return the result of the finished game."""
        ending = int(self.kernels.finish(self.rows, self.scores, self.ahead, self.values))
        scores = self.scores[: self.simulation.seats].tolist()
        winners = np.flatnonzero(self.ahead[: self.simulation.seats] == 0).tolist()
        return self.game.result_data(scores, winners, ending, self.values.tolist())

    def deal(self, secret: bytes, nonces: Sequence[bytes]) -> str:
        """Deal; return the checksum, or "" without records."""
        number = int(self.flat[self.deals_at])
        key, size = deals.deal_key(secret, nonces, number), deals.FIRST_STREAM_BYTES
        found = -1
        while found < 0:
            stream = np.frombuffer(deals.deck_stream(key, size), np.uint8)
            found = int(self.kernels.deal(self.rows, self.pack.copy(), stream, self.packets, self.scores))
            size *= 2
        if not self.simulation.has_records:
            return ""
        first_seat, count = divmod(found, 1000)
        scores = self.scores[: self.simulation.seats].tolist()
        return checksum_of(self.game, number, first_seat, self.packets[:count].tolist(), scores)
