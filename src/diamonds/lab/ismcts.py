"""OpenSpiel's IS-MCTS bot as an opponent in the arena: `open_spiel.python.algorithms.ismcts.ISMCTSBot`, unmodified.

The bot needs few methods of a state, so it gets an `IsmctsPosition` instead of the adapter of
`diamonds.envs.openspiel`. It is the same game, but faster: cloning copies one row, an answer is one compiled call, a
deal is one chance node, and an information state is the acting seat's view as bytes. The remaining time is spent in
OpenSpiel's own Python.

**It is as fair as the project's own bots.** The root is the view alone, and each simulation begins in a world that
`diamonds.bots.search.world_sampling` deals from that view; the true state is never used.

**Names.** ``ismcts`` has the settings of OpenSpiel's own tests, ``ismcts-tuned`` has constants found on other deals,
and ``ismcts-policy`` adds rules of thumb to the playouts (`SETTINGS`). A number of simulations may follow, as in
``ismcts:900``; without one, `resolve_name` finds how many take a second of this machine's CPU in the middle of a game
and adds it to the name, so that results can be repeated. ``ismcts-quick:900`` is the same bot with the same number of
simulations, but with compiled random playouts: as strong, several times faster, for long matches. (`resolve_name` times
the slow version.)
"""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from diamonds import cards, fields, jit, views
from diamonds.bots import games
from diamonds.bots.bot import bot_view
from diamonds.bots.games.adapter import NO_PLAN
from diamonds.bots.search import world_sampling
from diamonds.bots.search.compiled_adapter import compiled_adapter
from diamonds.errors import InvalidInputError
from diamonds.game import Game
from diamonds.rng import fill_deck, randbelow, random_bit, shuffle
from diamonds.rules import crystals, fourteen, mines

if TYPE_CHECKING:
    from diamonds.bots.bot import BotView

CHANCE, TERMINAL = -1, -4  # OpenSpiel's ids for the current player (`pyspiel.PlayerId`)
# reward of a playout: stakes that the winners share, or the value of the project's own search (`GameAdapter.value`)
REWARD_WIN, REWARD_MARGIN = 0, 1
# how playouts choose answers: OpenSpiel's evaluator, compiled random answers, or rules of thumb
OPENSPIEL_PLAYOUTS, RANDOM_PLAYOUTS, POLICY_PLAYOUTS = 0, 1, 2
MOVE_TIME_S = 1.0  # CPU time of a midgame decision
RANDOM_PERMILLE = {RANDOM_PLAYOUTS: 1000, POLICY_PLAYOUTS: 100}  # random answers in a compiled playout, per thousand
MAX_GAME_ANSWERS = 28_000  # limit of one playout; no game is longer (F12)


class IsmctsSettings(NamedTuple):
    """Settings of OpenSpiel's bot.

    ``uct_c`` is its constant for each game. ``reward_kind`` is its reward. With ``plays_to_end`` a playout runs to the
    end of the game, otherwise to the next deal, as in the project's own search. ``playouts`` selects how they choose
    answers.
    """

    uct_c: Mapping[str, float]
    reward_kind: int = REWARD_WIN
    plays_to_end: bool = True
    playouts: int = OPENSPIEL_PLAYOUTS


SETTINGS = {
    # 4.0 is the constant in OpenSpiel's own tests of this bot; the reward is the default of the OpenSpiel games.
    "ismcts": IsmctsSettings({crystals.NAME: 4.0, fourteen.NAME: 4.0, mines.NAME: 4.0}),
    # These constants were found at positions outside the matches, from the costs of answers by a longer search
    # (docs/measurements.md).
    "ismcts-tuned": IsmctsSettings(
        {crystals.NAME: 8.0, fourteen.NAME: 4.0, mines.NAME: 4.0}, REWARD_MARGIN, False, OPENSPIEL_PLAYOUTS
    ),
    "ismcts-policy": IsmctsSettings(
        {crystals.NAME: 4.0, fourteen.NAME: 4.0, mines.NAME: 0.5}, REWARD_MARGIN, False, POLICY_PLAYOUTS
    ),
}
_NAME_PATTERN = re.compile(rf"({'|'.join(SETTINGS)})(-quick)?(?::([1-9]\d{{0,6}}))?")


# Compiled functions


def current_player(s: Any) -> int:
    """Return the current player's id in OpenSpiel."""
    if s["over"] != 0:
        return TERMINAL
    return cards.lowest(s["to_act"]) if s["to_act"] != 0 else CHANCE


compiled = jit.compiled_for_modules(world_sampling, sys.modules[__name__])


class IsmctsKernels(NamedTuple):
    """The compiled functions of one game, on arrays of one row.

    They return the current player and the legal answers.
    """

    step: Callable[..., tuple[int, int]]
    deal: Callable[..., tuple[int, int]]
    play_out: Callable[..., None]
    write_rewards: Callable[..., None]


@lru_cache(maxsize=8)
def ismcts_kernels(game: Game) -> IsmctsKernels:
    """Return a game's compiled functions, made on first use and cached on disk."""
    rules = game.rules
    legal_of, step_of, deal_of, pack_of, cards_dealt_of, seats_ahead_of = (
        rules.legal, rules.step, rules.deal, rules.pack, rules.cards_dealt, rules.seats_ahead,
    )  # fmt: skip
    adapter = compiled_adapter(game)
    worth_of, choose_of, default_style = adapter.value, adapter.heuristic_answer, adapter.default_plan

    @compiled
    def step(rows, seat, answer):  # type: ignore[no-untyped-def]
        s = rows[0]
        step_of(s, seat, answer, None)
        turn = current_player(s)
        return turn, legal_of(s, turn) if turn >= 0 else 0

    @compiled
    def deal(rows, rng):  # type: ignore[no-untyped-def]
        s = rows[0]
        deck = np.empty(60, np.int64)
        shuffle(deck, fill_deck(deck, pack_of(s)), cards_dealt_of(s), rng)
        deal_of(s, deck, None)
        turn = current_player(s)
        return turn, legal_of(s, turn)

    @compiled
    def pay(rows, reward_kind, winning, rewards):  # type: ignore[no-untyped-def]
        s, seats = rows[0], rows[0]["seats"]
        winners = 0
        for seat in range(seats):
            if seats_ahead_of(s, seat) == 0:
                winners += 1
        for seat in range(seats):
            if reward_kind == REWARD_WIN:
                rewards[seat] = seats / winners - 1.0 if seats_ahead_of(s, seat) == 0 else -1.0
            else:
                rewards[seat] = worth_of(s, seat, winning)

    @compiled
    def play_out(rows, plays_to_end, random_permille, rng):  # type: ignore[no-untyped-def]
        """Play to the end or the next deal, with a mixture of random answers and rules of thumb."""
        s = rows[0]
        deck = np.empty(60, np.int64)
        for _ in range(MAX_GAME_ANSWERS):
            if s["over"] != 0:
                break
            if s["to_act"] == 0:
                if not plays_to_end:
                    break
                shuffle(deck, fill_deck(deck, pack_of(s)), cards_dealt_of(s), rng)
                deal_of(s, deck, None)
            seat = cards.lowest(s["to_act"])
            if randbelow(rng, 1000) < random_permille:
                answer = random_bit(legal_of(s, seat), rng)
            else:
                answer = choose_of(s, seat, default_style)
            step_of(s, seat, answer, None)

    return IsmctsKernels(step, deal, play_out, pay)


# The interface for OpenSpiel's bot


class IsmctsSearchContext:
    """The data that all positions of one search share."""

    def __init__(self, view: BotView, settings: IsmctsSettings, simulations: int, seed: int) -> None:
        game = view.game
        self.kernels, self.settings = ismcts_kernels(game), settings
        blank = fields.new_state(game.dtype)
        for name in ("seats", *(option.name for option in game.options)):
            blank[name] = view.row[name]
        self.view_masks = views.ViewMasks(game, blank)
        self.winning = games.adapter_for(game).win_bonus
        self.seats = int(view.row["seats"])
        self.rng = jit.new_rng(seed)
        sampled = world_sampling.sample_worlds(game, view.row, view.seat, simulations, seed ^ 1)
        self.worlds: Iterator[Any] = iter([sampled[k : k + 1] for k in range(simulations)])


class IsmctsPosition:
    """A position with the methods that OpenSpiel's Python bots need."""

    __slots__ = ("_key", "legal", "rows", "search", "turn")

    def __init__(self, search: IsmctsSearchContext, rows: np.ndarray[Any, Any], turn: int, legal: int) -> None:
        self.search, self.rows, self.turn, self.legal = search, rows, turn, legal
        self._key = b""

    def clone(self) -> IsmctsPosition:
        """Return an independent copy."""
        return IsmctsPosition(self.search, self.rows.copy(), self.turn, self.legal)

    def get_game(self) -> Any:
        """Return an object with the type of the game."""
        return PyspielGameStub

    def current_player(self) -> int:
        """Return the seat to act, or the id of the chance or terminal player."""
        return self.turn

    def is_terminal(self) -> bool:
        """Return whether the game is over or the search stops here."""
        return self.turn == TERMINAL or (self.turn == CHANCE and not self.search.settings.plays_to_end)

    def is_chance_node(self) -> bool:
        """Return whether cards are dealt next."""
        return self.turn == CHANCE and self.search.settings.plays_to_end

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return a single outcome; `apply_action` draws the deal."""
        return [(0, 1.0)]

    def legal_actions(self, player: int | None = None) -> list[int]:
        """Return the numbers of the legal answers, in ascending order."""
        bits, actions = self.legal, []
        while bits:
            low = bits & -bits
            actions.append(low.bit_length() - 1)
            bits ^= low
        return actions

    def apply_action(self, action: int) -> None:
        """Answer, or deal."""
        if self.turn == CHANCE:
            self.turn, self.legal = self.search.kernels.deal(self.rows, self.search.rng)
        else:
            self.turn, self.legal = self.search.kernels.step(self.rows, self.turn, action)
        self._key = b""

    def returns(self) -> list[float]:
        """Return each seat's reward."""
        paid = np.zeros(self.search.seats)
        self.search.kernels.write_rewards(self.rows, self.search.settings.reward_kind, self.search.winning, paid)
        return paid.tolist()

    def information_state_string(self, player: int | None = None) -> bytes:
        """Return the view of the seat to act, with a perfect memory, as bytes, which serve as a key."""
        if not self._key:
            self._key = self.search.view_masks.view(self.rows.view(np.int64), self.turn).tobytes()
        return self._key

    def resample_from_infostate(self, player: int, sampler: object) -> IsmctsPosition:
        """Return the next world."""
        return IsmctsPosition(self.search, next(self.search.worlds), self.turn, self.legal)


class PyspielGameStub:
    """A game with the methods that the bot calls: its type is sequential with imperfect information."""

    @staticmethod
    def get_type() -> Any:
        """Return the type, with the properties that the bot checks."""
        import pyspiel

        kind = pyspiel.GameType
        return SimpleNamespace(dynamics=kind.Dynamics.SEQUENTIAL, information=kind.Information.IMPERFECT_INFORMATION)


class PlayoutLeafEvaluator:
    """An evaluator for OpenSpiel's bots that makes one compiled playout."""

    def __init__(self, random_permille: int) -> None:
        self.random_permille = random_permille

    def evaluate(self, state: IsmctsPosition) -> list[float]:
        """Return each seat's reward after a playout."""
        end, context = state.clone(), state.search
        context.kernels.play_out(end.rows, context.settings.plays_to_end, self.random_permille, context.rng)
        return end.returns()

    def prior(self, state: IsmctsPosition) -> list[tuple[int, float]]:
        """Return the same probability for every answer."""
        legal = state.legal_actions()
        return [(answer, 1.0 / len(legal)) for answer in legal]


class IsmctsBot:
    """OpenSpiel's bot behind the project's interface (`diamonds.bots.bot.Bot`), with simulations per decision."""

    def __init__(self, settings: IsmctsSettings, simulations: int) -> None:
        self.settings, self.simulations = settings, simulations

    def choose(self, view: BotView, question: str, rng: np.random.Generator) -> int:
        from open_spiel.python.algorithms import ismcts, mcts

        if not self.simulations:  # `resolve_name` adds a number only for the arena
            raise InvalidInputError("Name the number of simulations, as in ismcts:900.")
        legal, settings = view.legal, self.settings
        random_state = np.random.RandomState(int(rng.integers(2**32)))
        seed = int(rng.integers(2**63))
        if legal & (legal - 1) == 0:
            return cards.lowest(legal)
        root = IsmctsPosition(
            IsmctsSearchContext(view, settings, self.simulations, seed), jit.as_row_array(view.row), view.seat, legal
        )
        uses_openspiel_playouts = settings.playouts == OPENSPIEL_PLAYOUTS
        playouts = (
            mcts.RandomRolloutEvaluator(1, random_state)
            if uses_openspiel_playouts
            else PlayoutLeafEvaluator(RANDOM_PERMILLE[settings.playouts])
        )
        bot = ismcts.ISMCTSBot(
            PyspielGameStub, playouts, settings.uct_c[view.game.name], self.simulations, random_state=random_state
        )
        return int(bot.step(root))


# Names


def parse_name(name: object) -> tuple[str, bool, int] | None:
    """Return a name's settings, whether it is quick, and its simulations (0: not given); ``None`` for other bots."""
    match = _NAME_PATTERN.fullmatch(name) if isinstance(name, str) else None
    return (match[1], bool(match[2]), int(match[3] or 0)) if match else None


def find_ismcts_bot(name: str) -> IsmctsBot:
    """Return the bot for a name that `resolve_name` has completed."""
    parsed = parse_name(name)
    if parsed is None:
        names = ", ".join(SETTINGS)
        raise InvalidInputError(
            f"{name} is not a name of OpenSpiel's bot. Its names are {names}, or with a number, ismcts:900."
        )
    settings, quick, simulations = SETTINGS[parsed[0]], parsed[1], parsed[2]
    return IsmctsBot(
        settings._replace(playouts=RANDOM_PLAYOUTS) if quick and settings.playouts == OPENSPIEL_PLAYOUTS else settings,
        simulations,
    )


def resolve_name(name: str, game: Game, seats: int, options: Mapping[str, Any]) -> str:
    """Return the name with a number of simulations: as many as take `MOVE_TIME_S` of this machine's CPU, to two digits.

    They are timed in the middle of a fixed game, in this thread, which takes a few seconds.
    """
    parsed = parse_name(name)
    if parsed is None or parsed[2]:
        return name
    decisions = game_decisions(game, seats, options)
    view, question = decisions[len(decisions) // 2]
    prepare_bot(f"{parsed[0]}:2", game, seats, options)
    simulations, cpu_s = 20, 0.0
    while True:
        bot = IsmctsBot(SETTINGS[parsed[0]], simulations)
        before = time.thread_time()
        bot.choose(view, question, np.random.default_rng(0))
        cpu_s = time.thread_time() - before
        if cpu_s > MOVE_TIME_S / 2:
            break
        simulations = max(2 * simulations, int(simulations * MOVE_TIME_S / 2 / max(cpu_s, 1e-3)) + 1)
    exact = simulations * MOVE_TIME_S / cpu_s
    digits = 10 ** max(0, len(str(int(exact))) - 2)
    return f"{parsed[0]}{'-quick' if parsed[1] else ''}:{max(1, round(exact / digits) * digits)}"


def prepare_bot(name: str, game: Game, seats: int, options: Mapping[str, Any]) -> None:
    """Compile or load what a bot needs."""
    view, question = game_decisions(game, seats, options)[0]
    IsmctsBot(find_ismcts_bot(name).settings, 2).choose(view, question, np.random.default_rng(0))


def measure_decisions(name: str, game: Game, seats: int, options: Mapping[str, Any], number: int = 20) -> list[float]:
    """Return the CPU milliseconds of some decisions spread over a game, for the slow version of the bot."""
    parsed = parse_name(name)
    if parsed is None or not parsed[2]:
        raise InvalidInputError(f"{name} is not a complete name of OpenSpiel's bot; add a number, as in ismcts:900.")
    bot = IsmctsBot(SETTINGS[parsed[0]], parsed[2])
    decisions = game_decisions(game, seats, options)
    times_ms = []
    for k in range(number):
        view, question = decisions[(2 * k + 1) * len(decisions) // (2 * number)]
        before = time.thread_time()
        bot.choose(view, question, np.random.default_rng(k))
        times_ms.append(1000 * (time.thread_time() - before))
    return times_ms


def game_decisions(game: Game, seats: int, options: Mapping[str, Any]) -> list[tuple[BotView, str]]:
    """Return all decisions with a choice from a fixed game of the simple policy."""
    rng = np.random.default_rng(0)
    state = jit.random_start(game, seats, options, rng)
    decisions: list[tuple[BotView, str]] = []
    while not state["over"]:
        if game.needs_deal(state):
            game.rules.deal(state, rng.permutation(game.pack(state)), None)
            continue
        seat = cards.lowest(state["to_act"])
        view = bot_view(game, state, seat)
        if view.legal & (view.legal - 1):
            decisions.append((view, game.question(state).name))
        game.rules.step(state, seat, int(games.adapter_for(game).heuristic_answer(view.row, seat, NO_PLAN)), None)
    return decisions
