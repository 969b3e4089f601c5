"""OpenSpiel's IS-MCTS bot as an opponent in the arena: `open_spiel.python.algorithms.ismcts.ISMCTSBot`, unaltered.

The bot asks little of a state, and in Python whatever answers will do. So it is given a `Position`, not the adapter of
`diamonds.envs.openspiel`: the same game, but a clone is one row copied, an answer one compiled call, a deal one chance
node, and an information state the bytes of what the seat on turn may see. What remains is OpenSpiel's own Python.

**It is as fair as our own bots.** The root is the view alone, and each simulation begins in a world that `diamonds.bots.thinking.worlds`
deals from that view; the true state is never here.

**Names.** ``ismcts`` is the bot as OpenSpiel's own tests set it up, ``ismcts-tuned`` with constants found on other deals,
``ismcts-policy`` with our rules of thumb in its playouts besides (`SETTINGS`). A number of simulations may follow, as in
``ismcts:900``; without one, `settle` finds how many take a second of this machine's CPU in the middle of a game and completes
the name, so that a result says it and can be repeated. ``ismcts-quick:900`` is the same bot with the same number of simulations,
only that its random playouts are compiled: as strong, several times faster, for long matches. (`settle` times the other.)
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
from diamonds.bots import knowing
from diamonds.bots.bot import see
from diamonds.bots.knowing.contract import AS_IT_COMES
from diamonds.bots.thinking import worlds
from diamonds.bots.thinking.mind import mind_of
from diamonds.chance import draw, lay_out, pick, shuffle
from diamonds.game import Game, Malformed
from diamonds.rules import crystals, fourteen, mines

if TYPE_CHECKING:
    from diamonds.bots.bot import Seen

CHANCE, TERMINAL = -1, -4  # as OpenSpiel numbers who is on turn (`pyspiel.PlayerId`)
WIN, MARGIN = (
    0,
    1,
)  # what a playout pays: a stake that the winners share, or what our own search counts (`Knowledge.worth`)
OWN, RANDOM, POLICY = 0, 1, 2  # who plays out: OpenSpiel's evaluator, random answers compiled, our rules of thumb
SECOND = 1.0  # of CPU for a decision in the middle of a game
NOISE = {RANDOM: 1000, POLICY: 100}  # random answers among a thousand of a compiled playout
LONGEST = 28_000  # answers in one playout: no game is longer (F12)


class Settings(NamedTuple):
    """How OpenSpiel's bot is set up.

    ``uct_c`` is its constant for each game. ``pays`` is what it plays for. With ``whole`` a playout goes to the end of the
    game, else to the next deal, as our own search does. ``playouts`` says who plays them.
    """

    uct_c: Mapping[str, float]
    pays: int = WIN
    whole: bool = True
    playouts: int = OWN


SETTINGS = {
    # 4.0 is the constant of OpenSpiel's own tests of this bot; the reward is the one that our OpenSpiel games pay by default.
    "ismcts": Settings({crystals.NAME: 4.0, fourteen.NAME: 4.0, mines.NAME: 4.0}),
    # Found at other positions than are played in matches: what a longer search thinks the answers cost (docs/lab.md).
    "ismcts-tuned": Settings({crystals.NAME: 8.0, fourteen.NAME: 4.0, mines.NAME: 4.0}, MARGIN, False, OWN),
    "ismcts-policy": Settings({crystals.NAME: 4.0, fourteen.NAME: 4.0, mines.NAME: 0.5}, MARGIN, False, POLICY),
}
_NAME = re.compile(rf"({'|'.join(SETTINGS)})(-quick)?(?::([1-9]\d{{0,6}}))?")


# Compiled


def turn_of(s: Any) -> int:
    """Who is on turn, as OpenSpiel numbers it."""
    if s["over"] != 0:
        return TERMINAL
    return cards.lowest(s["to_act"]) if s["to_act"] != 0 else CHANCE


compiled = jit.compiled_with(worlds, sys.modules[__name__])


class Kernels(NamedTuple):
    """The compiled functions of one game, on arrays of one row. What is on turn and legal comes back as two numbers."""

    step: Callable[..., tuple[int, int]]
    deal: Callable[..., tuple[int, int]]
    play_out: Callable[..., None]
    pay: Callable[..., None]


@lru_cache(maxsize=8)
def kernels(game: Game) -> Kernels:
    """Made on first use, and kept on disk."""
    rules = game.rules
    legal_of, step_of, deal_of, pack_of, dealt_of, place_of = (
        rules.legal, rules.step, rules.deal, rules.pack, rules.dealt, rules.place,
    )  # fmt: skip
    mind = mind_of(game)
    worth_of, choose_of, usual = mind.worth, mind.choose, mind.usual

    @compiled
    def step(rows, seat, answer):  # type: ignore[no-untyped-def]
        s = rows[0]
        step_of(s, seat, answer, None)
        turn = turn_of(s)
        return turn, legal_of(s, turn) if turn >= 0 else 0

    @compiled
    def deal(rows, rng):  # type: ignore[no-untyped-def]
        s = rows[0]
        deck = np.empty(60, np.int64)
        shuffle(deck, lay_out(deck, pack_of(s)), dealt_of(s), rng)
        deal_of(s, deck, None)
        turn = turn_of(s)
        return turn, legal_of(s, turn)

    @compiled
    def pay(rows, pays, winning, paid):  # type: ignore[no-untyped-def]
        s, seats = rows[0], rows[0]["seats"]
        winners = 0
        for seat in range(seats):
            if place_of(s, seat) == 0:
                winners += 1
        for seat in range(seats):
            if pays == WIN:
                paid[seat] = seats / winners - 1.0 if place_of(s, seat) == 0 else -1.0
            else:
                paid[seat] = worth_of(s, seat, winning)

    @compiled
    def play_out(rows, whole, noise, rng):  # type: ignore[no-untyped-def]
        """To the end, or to the next deal; so many in a thousand answers are random, the others by rules of thumb."""
        s = rows[0]
        deck = np.empty(60, np.int64)
        for _ in range(LONGEST):
            if s["over"] != 0:
                break
            if s["to_act"] == 0:
                if not whole:
                    break
                shuffle(deck, lay_out(deck, pack_of(s)), dealt_of(s), rng)
                deal_of(s, deck, None)
            seat = cards.lowest(s["to_act"])
            if draw(rng, 1000) < noise:
                answer = pick(legal_of(s, seat), rng)
            else:
                answer = choose_of(s, seat, usual)
            step_of(s, seat, answer, None)

    return Kernels(step, deal, play_out, pay)


# What OpenSpiel's bot is given


class Search:
    """What all positions of one search share."""

    def __init__(self, view: Seen, settings: Settings, simulations: int, seed: int) -> None:
        game = view.game
        self.kernels, self.settings = kernels(game), settings
        blank = fields.new_state(game.dtype)
        for name in ("seats", *(option.name for option in game.options)):
            blank[name] = view.row[name]
        self.curtain = views.Curtain(game, blank)
        self.winning = knowing.of(game).winning
        self.seats = int(view.row["seats"])
        self.rng = jit.new_rng(seed)
        dealt = worlds.sample(game, view.row, view.seat, simulations, seed ^ 1)
        self.worlds: Iterator[Any] = iter([dealt[k : k + 1] for k in range(simulations)])


class Position:
    """A position as OpenSpiel's Python bots ask of it."""

    __slots__ = ("_key", "legal", "rows", "search", "turn")

    def __init__(self, search: Search, rows: np.ndarray[Any, Any], turn: int, legal: int) -> None:
        self.search, self.rows, self.turn, self.legal = search, rows, turn, legal
        self._key = b""

    def clone(self) -> Position:
        """A position of its own."""
        return Position(self.search, self.rows.copy(), self.turn, self.legal)

    def get_game(self) -> Any:
        """Something to ask for the type of game."""
        return Sort

    def current_player(self) -> int:
        """A seat, chance, or nobody."""
        return self.turn

    def is_terminal(self) -> bool:
        """Whether the game is over, or the search ends here."""
        return self.turn == TERMINAL or (self.turn == CHANCE and not self.search.settings.whole)

    def is_chance_node(self) -> bool:
        """Whether cards are dealt now."""
        return self.turn == CHANCE and self.search.settings.whole

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """One, for `apply_action` draws the deal."""
        return [(0, 1.0)]

    def legal_actions(self, player: int | None = None) -> list[int]:
        """The answers' numbers, in ascending order."""
        bits, found = self.legal, []
        while bits:
            low = bits & -bits
            found.append(low.bit_length() - 1)
            bits ^= low
        return found

    def apply_action(self, action: int) -> None:
        """Answer, or deal."""
        if self.turn == CHANCE:
            self.turn, self.legal = self.search.kernels.deal(self.rows, self.search.rng)
        else:
            self.turn, self.legal = self.search.kernels.step(self.rows, self.turn, action)
        self._key = b""

    def returns(self) -> list[float]:
        """What each seat is paid here."""
        paid = np.zeros(self.search.seats)
        self.search.kernels.pay(self.rows, self.search.settings.pays, self.search.winning, paid)
        return paid.tolist()

    def information_state_string(self, player: int | None = None) -> bytes:
        """What the seat on turn may see, with a perfect memory, as bytes: as good a key as any text."""
        if not self._key:
            self._key = self.search.curtain.observe(self.rows.view(np.int64), self.turn).tobytes()
        return self._key

    def resample_from_infostate(self, player: int, sampler: object) -> Position:
        """The next world."""
        return Position(self.search, next(self.search.worlds), self.turn, self.legal)


class Sort:
    """A game as far as the bot asks: one answer after another, and not everything is seen."""

    @staticmethod
    def get_type() -> Any:
        """The type, with what the bot makes sure of."""
        import pyspiel

        kind = pyspiel.GameType
        return SimpleNamespace(dynamics=kind.Dynamics.SEQUENTIAL, information=kind.Information.IMPERFECT_INFORMATION)


class CompiledPlayouts:
    """An evaluator for OpenSpiel's bots: one playout, compiled; `search` plays out in the same way."""

    def __init__(self, noise: int) -> None:
        self.noise = noise

    def evaluate(self, state: Position) -> list[float]:
        """What each seat is paid after a playout."""
        end, search_ = state.clone(), state.search
        search_.kernels.play_out(end.rows, search_.settings.whole, self.noise, search_.rng)
        return end.returns()

    def prior(self, state: Position) -> list[tuple[int, float]]:
        """Every answer alike."""
        legal = state.legal_actions()
        return [(answer, 1.0 / len(legal)) for answer in legal]


class IsmctsBot:
    """OpenSpiel's bot as one of ours (`diamonds.bots.bot.Bot`), with a number of simulations for each decision."""

    def __init__(self, settings: Settings, simulations: int) -> None:
        self.settings, self.simulations = settings, simulations

    def choose(self, view: Seen, question: str, rng: np.random.Generator) -> int:
        """See `diamonds.bots.bot.Bot`."""
        from open_spiel.python.algorithms import ismcts, mcts

        legal, settings = view.legal, self.settings
        dice = np.random.RandomState(int(rng.integers(2**32)))
        seed = int(rng.integers(2**63))
        if legal & (legal - 1) == 0:
            return cards.lowest(legal)
        root = Position(Search(view, settings, self.simulations, seed), jit.as_rows(view.row), view.seat, legal)
        own = settings.playouts == OWN
        playouts = mcts.RandomRolloutEvaluator(1, dice) if own else CompiledPlayouts(NOISE[settings.playouts])
        bot = ismcts.ISMCTSBot(Sort, playouts, settings.uct_c[view.game.name], self.simulations, random_state=dice)
        return int(bot.step(root))


# By name


def parts(name: object) -> tuple[str, bool, int] | None:
    """What a name means: the settings, whether quick, how many simulations (0: not said); nothing for other bots' names."""
    found = _NAME.fullmatch(name) if isinstance(name, str) else None
    return (found[1], bool(found[2]), int(found[3] or 0)) if found else None


def find(name: str) -> IsmctsBot:
    """The bot of a name that `settle` has completed."""
    known = parts(name)
    if known is None:
        names = ", ".join(SETTINGS)
        raise Malformed(f"{name} is no name of OpenSpiel's bot; these are {names}, or with a number, ismcts:900.")
    settings, quick, simulations = SETTINGS[known[0]], known[1], known[2]
    return IsmctsBot(
        settings._replace(playouts=RANDOM) if quick and settings.playouts == OWN else settings, simulations
    )


def settle(name: str, game: Game, seats: int, options: Mapping[str, Any], seconds: float = SECOND) -> str:
    """The name with a number of simulations: what a second of this machine's CPU allows, to two digits.

    Timed in the middle of a game that always is the same, in this thread; takes some seconds.
    """
    known = parts(name)
    if known is None or known[2]:
        return name
    found = decisions(game, seats, options)
    view, question = found[len(found) // 2]
    prepare(f"{known[0]}:2", game, seats, options)
    number, spent = 20, 0.0
    while True:
        bot = IsmctsBot(SETTINGS[known[0]], number)
        before = time.thread_time()
        bot.choose(view, question, np.random.default_rng(0))
        spent = time.thread_time() - before
        if spent > seconds / 2:
            break
        number = max(2 * number, int(number * seconds / 2 / max(spent, 1e-3)) + 1)
    exact = number * seconds / spent
    digits = 10 ** max(0, len(str(int(exact))) - 2)
    return f"{known[0]}{'-quick' if known[1] else ''}:{max(1, round(exact / digits) * digits)}"


def prepare(name: str, game: Game, seats: int, options: Mapping[str, Any]) -> None:
    """Compile or load what a bot needs."""
    view, question = decisions(game, seats, options)[0]
    IsmctsBot(find(name).settings, 2).choose(view, question, np.random.default_rng(0))


def clock(name: str, game: Game, seats: int, options: Mapping[str, Any], number: int = 20) -> list[float]:
    """CPU milliseconds for each of so many decisions all over a game, of the bot as it is when it is not quick."""
    known = parts(name)
    if known is None or not known[2]:
        raise Malformed(f"{name} is no complete name of OpenSpiel's bot.")
    bot = IsmctsBot(SETTINGS[known[0]], known[2])
    found = decisions(game, seats, options)
    spent = []
    for k in range(number):
        view, question = found[(2 * k + 1) * len(found) // (2 * number)]
        before = time.thread_time()
        bot.choose(view, question, np.random.default_rng(k))
        spent.append(1000 * (time.thread_time() - before))
    return spent


def decisions(game: Game, seats: int, options: Mapping[str, Any]) -> list[tuple[Seen, str]]:
    """All decisions where there was a choice, in a game that the simple policy plays, always the same."""
    rng = np.random.default_rng(0)
    state = jit.random_start(game, seats, options, rng)
    found: list[tuple[Seen, str]] = []
    while not state["over"]:
        if game.wants_cards(state):
            game.rules.deal(state, rng.permutation(game.pack(state)), None)
            continue
        seat = cards.lowest(state["to_act"])
        seen = see(game, state, seat)
        if seen.legal & (seen.legal - 1):
            found.append((seen, game.question(state).name))
        game.rules.step(state, seat, int(knowing.of(game).choose(seen.row, seat, AS_IT_COMES)), None)
    return found
