"""Thousands of tables stepped by one compiled call, with observations, masks and rewards as arrays.

>>> from diamonds.envs.batch import Batch
>>> batch = Batch("crystals", 4, tables=1000, seed=1)
>>> paid = 0.0
>>> for _ in range(300):
...     batch.step(batch.random_answers())
...     paid += float(batch.rewards[batch.done > 0, 0].sum())
>>> batch.observations.shape, batch.mask.shape, batch.rewards.shape
((1000, 130), (1000, 60), (1000, 4))
>>> hands = batch.fields["hand"][7]  # as seen by the seat to act at table 7: the others' are -1
>>> [seat for seat in range(4) if hands[seat] >= 0] == [batch.seat[7]]
True

Where several seats owe an answer simultaneously (passing cards, sealed bids) the lowest is asked first; none learns
another's choice, so the order does not matter. Every step overwrites the arrays: copy what you need to keep. Steps
release the GIL, so several batches can run in threads.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from diamonds import cards, jit
from diamonds.envs import encoding
from diamonds.envs.encoding import Ints, write_rewards
from diamonds.envs.planes import CriticOnlyEncoder, PlaneDtype, PlaneEncoder
from diamonds.errors import InvalidInputError, NotAllowedError
from diamonds.game import Game, find_game
from diamonds.rng import fill_deck, random_bit, shuffle
from diamonds.views import ViewMasks

DONE_OVER, DONE_TRUNCATED = 1, 2  # values of `Batch.done`

compiled = jit.compiled_for_modules(encoding, sys.modules[__name__])


class BatchKernels(NamedTuple):
    """The compiled functions of one game. ``rows`` are states (`Game.dtype`) in an array."""

    advance: Callable[..., int]
    choose: Callable[..., None]
    answer: Callable[..., int]
    deal: Callable[..., int]


@lru_cache(maxsize=8)
def batch_kernels(game: Game) -> BatchKernels:
    """Return the compiled functions of a game, made on first use and cached on disk.

    They take arrays of rows, because passing a single row costs ten times as much.
    """
    rules = game.rules
    legal_of, step_of, deal_of, start_of, pack_of = rules.legal, rules.step, rules.deal, rules.start, rules.pack
    cards_dealt_of, score_of, seats_ahead_of, team_of = rules.cards_dealt, rules.score, rules.seats_ahead, rules.team

    @compiled
    def advance(  # type: ignore[no-untyped-def]
        rows,
        flat,
        initial_rows,
        answers,
        rngs,
        auto_reset,
        kind,
        max_answers,
        reveal_flags,
        masks,
        seat,
        legal,
        mask,
        observations,
        rewards,
        done,
        plies,
    ):
        """Apply each table's answer, deal if due, and write the view of the seat to act.

        ``flat`` is the memory of ``rows`` as numbers. A row equal to ``initial_rows`` starts a game: seats cut, and
        cards are dealt. An illegal answer changes nothing; the number of illegal answers is returned.
        """
        deck = np.empty(60, np.int64)
        scores, places, teams = np.empty(6, np.int64), np.empty(6, np.int64), np.empty(6, np.int64)
        illegal_count = 0
        seats = initial_rows[0]["seats"]
        for k in range(len(rows)):
            done[k] = 0
            rewards[k, :] = 0.0
            if rows[k]["over"] != 0:
                continue
            if rows[k]["to_act"] != 0:
                answer = answers[k]
                if answer < 0 or answer > 60 or legal[k] >> answer & 1 == 0:
                    illegal_count += 1
                    continue
                step_of(rows[k], seat[k], answer, None)
                plies[k] += 1
                if rows[k]["over"] != 0 or plies[k] >= max_answers:
                    done[k] = DONE_OVER if rows[k]["over"] != 0 else DONE_TRUNCATED
                    for other in range(seats):
                        scores[other] = score_of(rows[k], other)
                        places[other] = seats_ahead_of(rows[k], other)
                        teams[other] = team_of(rows[k], other)
                    write_rewards(kind, scores, places, teams, seats, rewards[k])
                    if auto_reset:
                        rows[k] = initial_rows[0]
                        plies[k] = 0
                    else:
                        rows[k]["over"] = 1
                        rows[k]["to_act"] = 0
            if rows[k]["to_act"] == 0 and rows[k]["over"] == 0:
                rng = rngs[k : k + 1]
                if rows[k]["deals"] == 0:
                    shuffle(deck, fill_deck(deck, pack_of(rows[k])), seats, rng)
                    start_of(rows[k], deck)
                shuffle(deck, fill_deck(deck, pack_of(rows[k])), cards_dealt_of(rows[k]), rng)
                deal_of(rows[k], deck, None)
            seat[k] = cards.lowest(rows[k]["to_act"]) if rows[k]["over"] == 0 else -1
            legal[k] = legal_of(rows[k], seat[k]) if rows[k]["over"] == 0 else 0
            for action in range(mask.shape[1]):
                mask[k, action] = legal[k] >> action & 1
            if observations.shape[0] != 0:
                setting = 0
                for place in reveal_flags:
                    setting = 2 * setting + (flat[k, place] != 0)
                observations[k, 0] = seat[k]
                view_mask = masks[setting, seat[k]]
                for place in range(flat.shape[1]):
                    observations[k, place + 1] = flat[k, place] | view_mask[place]
        return illegal_count

    @compiled
    def choose(legal, rng, answers):  # type: ignore[no-untyped-def]
        """Write a random legal answer for every table, −1 where no answer is due."""
        for k in range(len(legal)):
            answers[k] = random_bit(legal[k], rng) if legal[k] != 0 else -1

    @compiled
    def answer(rows, seat, number, log):  # type: ignore[no-untyped-def]
        """Apply a legal answer to the only row; return the legal answers of the lowest seat to act, or 0."""
        step_of(rows[0], seat, number, log)
        return legal_of(rows[0], cards.lowest(rows[0]["to_act"])) if rows[0]["to_act"] != 0 else 0

    @compiled
    def deal(rows, deck, log):  # type: ignore[no-untyped-def]
        """Hand out a deck to the only row; return the legal answers of the lowest seat to act."""
        deal_of(rows[0], deck, log)
        return legal_of(rows[0], cards.lowest(rows[0]["to_act"]))

    return BatchKernels(advance, choose, answer, deal)


class Batch:
    """Many tables of one variant, stepped together.

    `reset` and `step` write for each table:

    ``seat``          the seat to act; −1 if the table's game is over (only without ``auto_reset``)
    ``legal``         the legal answers as bits
    ``mask``          the legal answers, one ``uint8`` an action
    ``observations``  what the seat to act may know (`encoding`); ``fields`` has the same memory by field name
    ``planes``        the observations for networks, with ``planes="uint8"`` or ``"float32"``; ``plane_encoder`` has the
                      names (`diamonds.envs.planes`)
    ``rewards``       each seat's reward for the last answer
    ``done``          1 if the last answer ended the game, 2 if the game was cut off (`encoding.MAX_ANSWERS`), else 0
    ``rows``          the whole states, secrets included: for tests and exports, not for players

    When a game ends, its table immediately starts another, and its observation is the new game's; with
    ``auto_reset=False`` it stays unchanged and ignores further answers. With ``observe=False`` no observations are
    written. With ``critic_only=True``, ``critic_only_planes`` has the whole states, hidden cards included, as seen from
    the seat to act: for critics in training, never for players.
    """

    def __init__(
        self,
        game: Game | str,
        seats: int | None = None,
        options: Mapping[str, Any] | None = None,
        *,
        tables: int = 1024,
        reward: str = "win",
        seed: int = 0,
        auto_reset: bool = True,
        observe: bool = True,
        planes: PlaneDtype | None = None,
        critic_only: bool = False,
    ) -> None:
        game = game if isinstance(game, Game) else find_game(game)
        self.seats = game.default_seats if seats is None else seats
        self.options = game.check_options(self.seats, options)
        self.tables, self.auto_reset = tables, auto_reset
        self._reward_kind = encoding.reward_kind(reward)
        self._initial_rows = jit.as_row_array(game.empty_state(self.seats, self.options))
        self.view_masks = ViewMasks(game, self._initial_rows[0])
        self.rows = np.repeat(self._initial_rows, tables)
        self._bind(game)
        self.seat: Ints = np.full(tables, -1, np.int64)
        self.legal: Ints = np.zeros(tables, np.int64)
        self.mask: npt.NDArray[np.uint8] = np.zeros((tables, encoding.action_count(self.game)), np.uint8)
        observe = observe or planes is not None
        self.observations: Ints = np.zeros((tables if observe else 0, encoding.observation_size(self.game)), np.int64)
        self.rewards: npt.NDArray[np.float64] = np.zeros((tables, self.seats))
        self.done: npt.NDArray[np.uint8] = np.zeros(tables, np.uint8)
        self.answer_counts: Ints = np.zeros(tables, np.int64)
        self._answers: Ints = np.full(tables, -1, np.int64)
        table = self.game, self.seats, self.options
        self.plane_encoder = PlaneEncoder(*table, planes or "float32")
        self.planes: Any = np.zeros((tables if planes else 0, self.plane_encoder.size), self.plane_encoder.dtype)
        self.critic_only_encoder = CriticOnlyEncoder(*table, planes or "float32")
        self.critic_only_planes: Any = np.zeros(
            (tables if critic_only else 0, self.critic_only_encoder.size), self.critic_only_encoder.dtype
        )
        self.reset(seed)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name not in ("flat", "_kernels")} | {
            "game": self.game.name
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._bind(find_game(state["game"]))

    def _bind(self, game: Game) -> None:
        """Set the attributes that pickles leave out: ``flat`` shares the memory of ``rows``."""
        self.game, self._kernels = game, batch_kernels(game)
        self.flat: Ints = self.rows.view(np.int64).reshape(self.tables, -1)

    @property
    def fields(self) -> npt.NDArray[np.void]:
        """The observations by field name: ``batch.fields["hand"][table, seat]``."""
        return self.observations.view(encoding.observation_dtype(self.game))[:, 0]

    def reset(self, seed: int) -> None:
        """Start a new game at every table, with cards that follow from the seed."""
        self._rngs = np.random.SeedSequence(seed).generate_state(self.tables + 1, np.uint64)
        self.rows[:] = self._initial_rows[0]
        self.answer_counts[:] = 0
        self._advance(self._answers)

    def step(self, answers: Ints) -> None:
        """Apply every table's answer: an ``int64`` array of answers' numbers.

        `NotAllowedError` if any were illegal; those tables stay unchanged, and the others have moved on.
        """
        if answers.shape != (self.tables,) or answers.dtype != np.int64:
            raise InvalidInputError("env-answers", number=self.tables)
        illegal_count = self._advance(answers)
        if illegal_count:
            raise NotAllowedError("env-not-legal", number=int(illegal_count), of=self.tables)

    def _advance(self, answers: Ints) -> int:
        illegal_count = self._kernels.advance(
            self.rows,
            self.flat,
            self._initial_rows,
            answers,
            self._rngs,
            self.auto_reset,
            self._reward_kind,
            encoding.MAX_ANSWERS,
            self.view_masks.reveal_flags,
            self.view_masks.masks,
            self.seat,
            self.legal,
            self.mask,
            self.observations,
            self.rewards,
            self.done,
            self.answer_counts,
        )
        if len(self.planes):
            self.plane_encoder(self.observations, self.planes)
        if len(self.critic_only_planes):
            self.critic_only_encoder(np.column_stack([self.seat, self.flat]), self.critic_only_planes)
        return illegal_count

    def observe(self, table: int, seat: int) -> Ints:
        """Return what any seat may know now (−1: a spectator), whether it is to act or not, as a new array."""
        return self.view_masks.view(self.flat[table], seat)

    def illegal_error(self, table: int, answer: int) -> NotAllowedError:
        """Return the error for an illegal answer at a table; its message's ``args`` hold the ``rule`` (R1)."""
        row, seat = self.rows[table], int(self.seat[table])
        if seat < 0:
            return NotAllowedError("game-over")
        if not 0 <= answer < len(self.game.question(row).answers):
            return NotAllowedError(
                "game-no-number", number=answer, question=self.game.question_message(self.game.question(row))
            )
        reason = self.game.illegal_reason(row, seat, answer)
        return NotAllowedError(reason.id, **reason.args)

    def random_answers(self) -> Ints:
        """Return a random legal answer for every table, drawn by the batch's own generator."""
        self._kernels.choose(self.legal, self._rngs[-1:], self._answers)
        return self._answers
