"""Five levels of bots, from one that a beginner can beat to the best there is.

All levels look at the same thing, a view, and think in the same way (`diamonds.bots.thinking.search`), only less far and less
exactly, as people do. A lower level

* compares the answers in fewer *worlds*, so it overlooks what is rare;
* has a nearer *horizon* in mines, where a game is long: it plans so many turns ahead, and is blind to what the end will bring.
  Rounds of crystals and hands of fourteen are thought through to the end by all, however roughly;
* *slips*: it feels each answer's worth only up to an error, of a size that each game has for each level (`Knowledge.slips`).
  Close answers are confused often, distant ones seldom;
* has *tastes*, drawn once a game for each seat: it over-rates cards of some suits and under-rates others, and stays so;
* but has *bounds*: an answer that costs much more than a slip is never given.

A game may have a search of its own, by which all but the lowest play it: mines has (`diamonds.bots.knowing.mines.digging`).

What they think with is compiled (`diamonds.bots.kernels`). A level that is asked before that is done waits for it: it never
plays otherwise than it does, so a game from a seed is the same game on any machine, on the first day and on the next.
"""

from __future__ import annotations

from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from diamonds.bots import kernels, knowing
from diamonds.bots.bot import Bot, RandomBot, Seen
from diamonds.bots.knowing.contract import AS_IT_COMES, Found
from diamonds.game import Game, Unknown
from diamonds.words import Message

# Errors as people make them: the normal distribution in 1,024 equal shares, in thousandths, so that they are the same on every machine.
NORMAL = np.array([round(1000 * NormalDist().inv_cdf((k + 0.5) / 1024)) for k in range(1024)]) / 1000


def errors(rng: np.random.Generator, size: float, number: int) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """So many errors of this size (one standard deviation)."""
    found: np.ndarray[tuple[int], np.dtype[np.float64]] = size * NORMAL[rng.integers(len(NORMAL), size=number)]
    return found


class Level(NamedTuple):
    """What a level is called, and how it plays. The horizon is so many turns; 0 is the end."""

    name: str
    worlds: int
    horizon: int = 0
    own_way: bool = False  # by a game's own search, where it has one (`Knowledge.own_search`)


LEVELS = (
    Level("1", 6, horizon=16),
    Level("2", 12, own_way=True),
    Level("3", 30, own_way=True),
    Level("4", 60, own_way=True),
    Level("5", 600, own_way=True),
)
TASTE, BOUND = 0.5, 2.5  # how strong a taste is, and how much an answer may cost, in slips
BELOW = 1  # so many levels are below the rules of thumb (docs/lab.md)


class LevelBot:
    """A bot of one level, for all games and any number of tables at once: it remembers nothing."""

    def __init__(self, level: Level) -> None:
        self.level = level

    def choose(self, view: Seen, question: str, rng: np.random.Generator) -> int:
        """See `diamonds.bots.bot.Bot`."""
        game = view.game
        seed = int(rng.integers(2**63))
        kernels.load(game)
        found = self._think(view, question, seed)
        best = found.best
        if self.slip(game) > 0 and len(found.candidates) > 1:
            best = self._feel(view, found, rng)
        return knowing.of(game).answers(view.row, view.seat, found.candidates[best])[0]

    def slip(self, game: Game) -> float:
        """How far this level misjudges what an answer is worth in a game."""
        return knowing.of(game).slips[LEVELS.index(self.level)]

    def _think(self, view: Seen, question: str, seed: int) -> Found:
        """What this level's search finds."""
        from diamonds.bots.thinking import search

        level, known = self.level, knowing.of(view.game)
        sure = self.slip(view.game) == 0  # plays the last tricks out where all cards are known
        if level.own_way:
            found = search.own_search(view.game, view.row, view.seat, level.worlds, sure, seed)
            if found is not None:
                return found
        effort = known.effort(level.worlds, level.horizon, sure)
        return search.search(view.game, view.row, view.seat, effort, seed)

    def _feel(self, view: Seen, found: Found, rng: np.random.Generator) -> int:
        """The candidate that feels best: its worth as found, the player's tastes, and an error."""
        known, slip = knowing.of(view.game), self.slip(view.game)
        felt = np.array(found.worth) + errors(rng, slip, len(found.worth))
        cards = [known.card(view.row, candidate) for candidate in found.candidates]
        if min(cards) >= 0:
            seed = [view.seat, *view.row["cut"].tolist()]
            tastes = errors(np.random.default_rng(seed), TASTE * slip, 4)
            felt += tastes[[card // view.game.ranks for card in cards]]
        felt[np.array(found.worth) < found.worth[found.best] - BOUND * slip] = -np.inf
        return int(np.argmax(felt))


class SimpleBot:
    """A sensible rule of thumb for every question (`Knowledge.choose`), decided from the own hand in microseconds."""

    def choose(self, view: Seen, question: str, rng: np.random.Generator) -> int:
        """See `Bot`."""
        return int(knowing.of(view.game).choose(view.row, view.seat, AS_IT_COMES))


BOTS: dict[str, Bot] = {
    "random": RandomBot(),
    **{level.name: LevelBot(level) for level in LEVELS[:BELOW]},
    "simple": SimpleBot(),
    **{level.name: LevelBot(level) for level in LEVELS[BELOW:]},
}


def find_bot(name: object) -> Bot:
    """The bot of this name, or `Unknown` with the names there are."""
    if not isinstance(name, str) or name not in BOTS:
        raise Unknown("bot-unknown", name=repr(name), bots=list(BOTS))
    return BOTS[name]


def find_able_bot(name: object, game: Game) -> Bot:
    """The bot of this name; `Unknown` if there is none, `Illegal` if it cannot play this game here, each with its name."""
    bot = find_bot(name)
    if not isinstance(bot, RandomBot):
        knowing.of(game)
    if isinstance(bot, LevelBot):
        kernels.require(Message("bot-cannot-play", {"name": name}))
    return bot


def quick_bot(game: Game) -> str:
    """The name of the best bot that plays a game at once: by rules of thumb, where any are known."""
    return "simple" if knowing.is_known(game) else "random"


def able() -> list[str]:
    """The names of the bots that can play here, weakest first."""
    return [name for name, bot in BOTS.items() if not (isinstance(bot, LevelBot) and kernels.missing())]
