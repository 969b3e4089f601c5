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

Where several seats are to act simultaneously (passing cards, sealed bids) the lowest is asked first; none learns
another's choice, so the order does not matter. Every step overwrites the arrays: copy what you need to keep. Steps
release the GIL, so several batches can run in threads.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from diamonds import cards, jit
from diamonds.bots import kernels as bot_kernels
from diamonds.bots.bot import Bot, BotView
from diamonds.bots.games import adapter_for
from diamonds.bots.games.adapter import MAX_CANDIDATES, NO_PLAN
from diamonds.bots.levels import LevelBot, find_available_bot
from diamonds.envs import encoding
from diamonds.envs.encoding import Ints, write_rewards
from diamonds.envs.planes import CriticOnlyEncoder, PlaneDtype, PlaneEncoder
from diamonds.errors import InvalidInputError, NotAllowedError, quote_value
from diamonds.game import Game, find_game
from diamonds.rng import fill_deck, random_bit, shuffle
from diamonds.views import ViewMasks

DONE_OVER, DONE_TRUNCATED = 1, 2  # values of `Batch.done`


def revealed_number(flat: Any, row: int, reveal_flags: Any) -> int:
    """Return the flags that reveal fields of a row as one number, the index of their masks in `ViewMasks.masks`."""
    setting = 0
    for place in reveal_flags:
        setting = 2 * setting + (flat[row, place] != 0)
    return setting


# A policy for opponents: from the view of a seat to act, the seat, its legal answers as bits and a random state, it
# returns a legal answer. It can use only what Numba can compile.
Policy = Callable[[Any, int, int, Any], int]
OPPONENTS = ("random", "simple")  # policies by name
EXTERNAL = "external"  # opponents that answer between the compiled calls
KEEP = -2  # instead of an answer: leave the table unchanged

compiled = jit.compiled_for_modules(encoding, sys.modules[__name__])


class BatchKernels(NamedTuple):
    """The compiled functions of one game. ``rows`` are states (`Game.dtype`) in an array."""

    choose: Callable[..., None]
    answer: Callable[..., int]
    deal: Callable[..., int]


@lru_cache(maxsize=32)
def find_policy(game: Game, opponents: str | Policy | None) -> Policy | None:
    """Return the policy of this name, or register a function and return it; ``None`` for no opponents."""
    if opponents is None or opponents == EXTERNAL:
        return None
    if callable(opponents):
        return jit.register_function(opponents)  # type: ignore[no-any-return]
    if opponents == "random":

        def random_policy(v, seat, legal, rng):  # type: ignore[no-untyped-def]
            return random_bit(legal, rng)

        return jit.register_function(random_policy)  # type: ignore[no-any-return]
    if opponents == "simple":
        adapter = adapter_for(game)
        for module in adapter.modules:
            jit.register_module(module)
        heuristic_answer_of = adapter.heuristic_answer

        def simple_policy(v, seat, legal, rng):  # type: ignore[no-untyped-def]
            return heuristic_answer_of(v, seat, NO_PLAN)

        return jit.register_function(simple_policy)  # type: ignore[no-any-return]
    raise InvalidInputError("env-opponents", given=quote_value(opponents))


def random_bits(rng: Any) -> int:
    """Return 64 random bits, with the generator of `diamonds.rng.randbelow`."""
    mask = (1 << 64) - 1
    rng[0] = z = (int(rng[0]) + 0x9E3779B97F4A7C15) & mask
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
    return z ^ (z >> 31)


class BotOpponents:
    """Opponents that answer each table separately: levels, whose search is compiled, and custom bots.

    Each answer gets 64 random bits from its table, so neither other tables nor ``threads`` change it.
    """

    def __init__(self, game: Game, bot: Bot, threads: int) -> None:
        self.game, self.bot, self.threads = game, bot, threads
        if isinstance(bot, LevelBot):
            bot_kernels.load(game)

    def answer(self, tables: Ints, seats: Ints, observations: Ints, rngs: Any, answers: Ints) -> None:
        """Write the bots' answers at these tables."""
        work = self._search if isinstance(self.bot, LevelBot) else self._ask
        chunks = np.array_split(tables, min(self.threads, len(tables)))
        if len(chunks) == 1:
            work(tables, seats, observations, rngs, answers)
            return
        with ThreadPoolExecutor(len(chunks)) as threads:
            for done in [threads.submit(work, chunk, seats, observations, rngs, answers) for chunk in chunks]:
                done.result()

    def _search(self, tables: Ints, seats: Ints, observations: Ints, rngs: Any, answers: Ints) -> None:
        from diamonds.bots.search import search

        assert isinstance(self.bot, LevelBot)
        decide, params = search.compiled_decide(self.game), self.bot.search_params(self.game)
        candidates, values = np.empty(MAX_CANDIDATES, np.int64), np.empty(MAX_CANDIDATES)
        tried, view = np.empty(MAX_CANDIDATES, np.int64), np.zeros(1, self.game.dtype)
        flat = view.view(np.int64)
        flat[:] = observations[tables[0], 1:]
        weights = adapter_for(self.game).weights_for(view[0])  # the same weights for all tables of a batch
        for k in tables.tolist():
            flat[:] = observations[k, 1:]
            bits = np.uint64(random_bits(rngs[k : k + 1]))
            answers[k] = decide(view, int(seats[k]), params, weights, 0, bits, candidates, values, tried)[2]

    def _ask(self, tables: Ints, seats: Ints, observations: Ints, rngs: Any, answers: Ints) -> None:
        for k in tables.tolist():
            view = BotView(self.game, int(seats[k]), encoding.row_of(self.game, observations[k]))
            question = self.game.questions[int(view.row["question"])].name
            answers[k] = self.bot.choose(view, question, np.random.default_rng(random_bits(rngs[k : k + 1])))


def find_bot_opponents(game: Game, opponents: str | Policy | Bot | None, threads: int) -> BotOpponents | None:
    """Return opponents that are bots; ``None`` for policies (`find_policy`) and for no opponents."""
    if isinstance(opponents, str) and opponents not in OPPONENTS:
        return BotOpponents(game, find_available_bot(opponents, game), threads)
    return BotOpponents(game, cast(Bot, opponents), threads) if hasattr(opponents, "choose") else None


@lru_cache(maxsize=32)
def advance_kernel(game: Game, opponents: str | Policy | None = None) -> Callable[..., int]:
    """Return the compiled function that steps a batch; a policy, if given, plays the other seats.

    It takes arrays of rows, because passing a single row costs ten times as much.
    """
    rules = game.rules
    legal_of, step_of, deal_of, start_of, pack_of = rules.legal, rules.step, rules.deal, rules.start, rules.pack
    cards_dealt_of, score_of, seats_ahead_of, team_of = rules.cards_dealt, rules.score, rules.seats_ahead, rules.team
    policy_of: Any = find_policy(game, opponents) or find_policy(game, "random")
    has_opponents, is_external = opponents is not None, opponents == EXTERNAL

    def advance(  # type: ignore[no-untyped-def]
        rows, flat, initial_rows, answers, is_continued, rngs, auto_reset, kind, max_answers, reveal_flags, masks,
        agent_seats, policy_rngs, seen_rows, seen_flat, seat, legal, mask, observations, final_observations, rewards,
        done, plies,
    ):  # fmt: skip
        """Apply each table's answer, deal if due, let opponents answer, and write the view of the seat to act.

        ``flat`` is the memory of ``rows`` as numbers; ``seen_flat`` is that of the single row ``seen_rows``. A row
        equal to ``initial_rows`` starts a game: seats cut, and cards are dealt. An illegal answer changes nothing; the
        number of illegal answers is returned. An illegal answer of an opponent stops the batch and returns −1. A call
        with ``is_continued`` belongs to the previous step: it skips tables with `KEEP` and keeps rewards.
        """
        deck = np.empty(60, np.int64)
        scores, places, teams = np.empty(6, np.int64), np.empty(6, np.int64), np.empty(6, np.int64)
        illegal_count = 0
        seats = initial_rows[0]["seats"]
        for k in range(len(rows)):
            if is_continued and answers[k] == KEEP:
                continue
            if not is_continued:
                done[k] = 0
                rewards[k, :] = 0.0
            if rows[k]["over"] != 0:
                continue
            answer = answers[k]
            if rows[k]["to_act"] != 0 and (answer < 0 or answer > 60 or legal[k] >> answer & 1 == 0):
                illegal_count += 1
                continue
            while True:
                if rows[k]["to_act"] != 0:
                    step_of(rows[k], seat[k], answer, None)
                    plies[k] += 1
                    if rows[k]["over"] != 0 or plies[k] >= max_answers:
                        done[k] = DONE_OVER if rows[k]["over"] != 0 else DONE_TRUNCATED
                        for other in range(seats):
                            scores[other] = score_of(rows[k], other)
                            places[other] = seats_ahead_of(rows[k], other)
                            teams[other] = team_of(rows[k], other)
                        write_rewards(kind, scores, places, teams, seats, rewards[k])
                        if has_opponents and final_observations.shape[0] != 0:
                            final_observations[k, 0] = agent_seats[k]
                            view_mask = masks[revealed_number(flat, k, reveal_flags), agent_seats[k]]
                            for place in range(flat.shape[1]):
                                final_observations[k, place + 1] = flat[k, place] | view_mask[place]
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
                if not has_opponents or is_external or seat[k] == agent_seats[k] or seat[k] < 0:
                    break
                view_mask = masks[revealed_number(flat, k, reveal_flags), seat[k]]
                for place in range(flat.shape[1]):
                    seen_flat[0, place] = flat[k, place] | view_mask[place]
                answer = policy_of(seen_rows[0], seat[k], legal[k], policy_rngs[k : k + 1])
                if answer < 0 or answer > 60 or legal[k] >> answer & 1 == 0:
                    return -1
            for action in range(mask.shape[1]):
                mask[k, action] = legal[k] >> action & 1
            if observations.shape[0] != 0:
                observations[k, 0] = seat[k]
                view_mask = masks[revealed_number(flat, k, reveal_flags), seat[k]]
                for place in range(flat.shape[1]):
                    observations[k, place + 1] = flat[k, place] | view_mask[place]
        return illegal_count

    return jit.compiled(advance, cached=not callable(opponents))  # type: ignore[no-any-return]


@lru_cache(maxsize=8)
def batch_kernels(game: Game) -> BatchKernels:
    """Return the other compiled functions of a game, made on first use and cached on disk."""
    legal_of, step_of, deal_of = game.rules.legal, game.rules.step, game.rules.deal

    @compiled
    def choose(legal, rng, answers):  # type: ignore[no-untyped-def]
        """Write a random legal answer for every table, or −1 if no answer is due."""
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

    return BatchKernels(choose, answer, deal)


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

    With ``opponents``, only one seat of each table is the agent's, ``agent_seats``, and each step goes on to its next
    question, through the end of a game if need be. "random", "simple" and a `Policy` answer in the same compiled call.
    A level ("1" to "5") or another bot, or its name, answers table by table, and levels search in ``threads``. Without ``agent_seat`` the tables
    take turns: table k has seat k modulo their number. ``agent_rewards`` are those of the agents' seats, and
    ``final_observations`` has the agent's view of a finished game where ``done`` is not 0.
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
        opponents: str | Policy | Bot | None = None,
        threads: int = 1,
        agent_seat: int | None = None,
    ) -> None:
        game = game if isinstance(game, Game) else find_game(game)
        self.seats = game.default_seats if seats is None else seats
        self.options = game.check_options(self.seats, options)
        self.tables, self.auto_reset = tables, auto_reset
        self._reward_kind = encoding.reward_kind(reward)
        self._initial_rows = jit.as_row_array(game.empty_state(self.seats, self.options))
        self.view_masks = ViewMasks(game, self._initial_rows[0])
        self.rows = np.repeat(self._initial_rows, tables)
        if agent_seat is not None and not 0 <= agent_seat < self.seats:
            raise InvalidInputError("game-no-seat", given=quote_value(agent_seat))
        self._bots = find_bot_opponents(game, opponents, threads)
        self.opponents = cast("str | Policy | None", opponents) if self._bots is None else EXTERNAL
        self.agent_seats: Ints = np.arange(tables) % self.seats if agent_seat is None else np.full(tables, agent_seat)
        self._seen_rows = self._initial_rows.copy()
        self._bind(game)
        self.seat: Ints = np.full(tables, -1, np.int64)
        self.legal: Ints = np.zeros(tables, np.int64)
        self.mask: npt.NDArray[np.uint8] = np.zeros((tables, encoding.action_count(self.game)), np.uint8)
        observe = observe or planes is not None or self._bots is not None
        self.observations: Ints = np.zeros((tables if observe else 0, encoding.observation_size(self.game)), np.int64)
        self.final_observations: Ints = np.zeros(self.observations.shape if opponents else (0, 1), np.int64)
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
        return {
            name: value for name, value in vars(self).items() if name not in ("flat", "_kernels", "_advance_kernel")
        } | {"game": self.game.name}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._bind(find_game(state["game"]))

    def _bind(self, game: Game) -> None:
        """Set the attributes that pickles leave out, because ``flat`` shares the memory of ``rows``."""
        self.game, self._kernels = game, batch_kernels(game)
        self._advance_kernel = advance_kernel(game, self.opponents)
        self.flat: Ints = self.rows.view(np.int64).reshape(self.tables, -1)

    @property
    def fields(self) -> npt.NDArray[np.void]:
        """The observations by field name: ``batch.fields["hand"][table, seat]``."""
        return self.observations.view(encoding.observation_dtype(self.game))[:, 0]

    @property
    def agent_rewards(self) -> npt.NDArray[np.float64]:
        """The rewards of the agents' seats, one per table."""
        return self.rewards[np.arange(self.tables), self.agent_seats]

    def reset(self, seed: int) -> None:
        """Start a new game at every table, with cards that follow from the seed."""
        self._rngs = np.random.SeedSequence(seed).generate_state(self.tables + 1, np.uint64)
        self._policy_rngs = np.random.SeedSequence([seed, 1]).generate_state(self.tables, np.uint64)
        self.rows[:] = self._initial_rows[0]
        self.answer_counts[:] = 0
        self._answers[:] = -1
        self._step(self._answers)

    def step(self, answers: Ints) -> None:
        """Apply every table's answer, given as an ``int64`` array of answer numbers.

        Raise `NotAllowedError` if any are illegal. Those tables stay unchanged, but the others have moved on.
        """
        if answers.shape != (self.tables,) or answers.dtype != np.int64:
            raise InvalidInputError("env-answers", number=self.tables)
        illegal_count = self._step(answers)
        if illegal_count:
            raise NotAllowedError("env-not-legal", number=int(illegal_count), of=self.tables)

    def _step(self, answers: Ints) -> int:
        """Apply answers, let bots answer until it is the agents' turn, and encode the games.

        The result is the number of illegal answers.
        """
        illegal_count = self._advance(answers)
        while self._bots and len(waiting := np.flatnonzero((self.seat != self.agent_seats) & (self.seat >= 0))):
            bot_answers = np.full(self.tables, KEEP, np.int64)
            self._bots.answer(waiting, self.seat, self.observations, self._policy_rngs, bot_answers)
            if self._advance(bot_answers, is_continued=True):
                raise NotAllowedError("env-opponent-illegal")
        if len(self.planes):
            self.plane_encoder(self.observations, self.planes)
        if len(self.critic_only_planes):
            self.critic_only_encoder(np.column_stack([self.seat, self.flat]), self.critic_only_planes)
        return illegal_count

    def _advance(self, answers: Ints, is_continued: bool = False) -> int:
        illegal_count = self._advance_kernel(
            self.rows, self.flat, self._initial_rows, answers, is_continued, self._rngs, self.auto_reset,
            self._reward_kind, encoding.MAX_ANSWERS, self.view_masks.reveal_flags, self.view_masks.masks,
            self.agent_seats, self._policy_rngs, self._seen_rows, self._seen_rows.view(np.int64).reshape(1, -1),
            self.seat, self.legal, self.mask, self.observations, self.final_observations, self.rewards, self.done,
            self.answer_counts,
        )  # fmt: skip
        if illegal_count < 0:
            raise NotAllowedError("env-opponent-illegal")
        return illegal_count

    def observe(self, table: int, seat: int) -> Ints:
        """Return what a seat may know now (−1: a spectator) as a new array, even if it is not its turn."""
        return self.view_masks.view(self.flat[table], seat)

    def illegal_error(self, table: int, answer: int, seat: int | None = None) -> NotAllowedError:
        """Return the error for an illegal answer of a seat, by default the seat to act.

        Its ``args`` hold the ``rule`` (R1).
        """
        row, seat = self.rows[table], int(self.seat[table]) if seat is None else seat
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


def self_play_answers(
    batch: Batch, policies: Sequence[Callable[[Any, npt.NDArray[np.uint8]], Ints]], assigned: Ints
) -> Ints:
    """Return every table's answer in self-play: each policy answers for the seats assigned to it.

    ``assigned[table, seat]`` is the number of a policy, such as 0 for the network being trained and others for earlier
    versions. A policy gets the planes and masks of the tables where it is to act, and returns an answer for each.
    """
    chosen = assigned[np.arange(batch.tables), batch.seat]
    answers = np.full(batch.tables, -1, np.int64)
    for number, policy in enumerate(policies):
        at = np.flatnonzero((chosen == number) & (batch.seat >= 0))
        if len(at):
            answers[at] = policy(batch.planes[at], batch.mask[at])
    return answers
