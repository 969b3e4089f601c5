# mypy: allow-untyped-defs, allow-untyped-calls, allow-incomplete-defs, no-check-untyped-defs
"""Fourteen by its network: alone, and in the playouts of a search, as a candidate for level 5.

The search is that of level 5, with other playouts: its own seat plays by the network, and in a share of worlds the others
do too. Such a playout takes longer, so there are fewer worlds in the same time.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import lru_cache

import numpy as np

from diamonds import jit, playout
from diamonds.bots import kernels
from diamonds.bots.bot import Bot, BotView, bot_view
from diamonds.bots.games.adapter import MAX_CANDIDATES, NO_PLAN, TRAINED_PLAN, SearchParams
from diamonds.bots.games.fourteen import heuristics, policy_network
from diamonds.bots.search import candidate_race, endgame, search, world_sampling
from diamonds.bots.search.compiled_adapter import CompiledAdapter, compiled_adapter
from diamonds.cards import bit
from diamonds.errors import InvalidInputError
from diamonds.game import GAMES
from diamonds.rules import fourteen

GAME = GAMES[fourteen.NAME]
WORLDS = 150  # a decision takes about as long as one of level 5
NETWORK_OPPONENT_PERMILLE = 300  # in this share of worlds the others, too, play by the network

# Plain functions that kernels close over, as in `diamonds.bots.games.adapter.GameAdapter`


def playout_styles(plan, style_draw):
    """Return the player's plan and the others': rules of thumb, or in a share of worlds the network if the player uses it."""
    return plan, plan if style_draw < NETWORK_OPPONENT_PERMILLE else NO_PLAN


def playout_answer(s, seat, plan, weights):
    """Return a seat's answer in a playout: by the network or by rules of thumb."""
    if plan == TRAINED_PLAN:
        return policy_network.network_answer(s, seat, weights)
    return heuristics.heuristic_answer(s, seat, plan)


def network_adapter() -> CompiledAdapter:
    """Return the compiled adapter of fourteen with these playouts."""
    adapter = compiled_adapter(GAME)
    for module in (policy_network, sys.modules[__name__]):
        jit.register_module(module)
    return adapter._replace(playout_styles=playout_styles, playout_answer=playout_answer)


compiled = jit.compiled_for_modules(playout, world_sampling, endgame, candidate_race, search)


@lru_cache(maxsize=1)
def compiled_decide() -> Callable[..., tuple[int, int, int]]:
    """Return the compiled search; see `diamonds.bots.search.search.decide`."""
    adapter = network_adapter()

    @compiled
    def network_decide(view, own_seat, params: SearchParams, weights, bits, candidates, values, tried):
        return search.decide(view, own_seat, params, weights, 0, bits, adapter, candidates, values, tried)

    return network_decide  # type: ignore[no-any-return]


def check_game(view: BotView) -> None:
    """Raise `InvalidInputError` in other games."""
    if view.game.name != GAME.name:
        raise InvalidInputError(f"The network plays {GAME.name} only.")


class NetworkBot:
    """The network alone; bids follow rules of thumb."""

    def choose(self, view: BotView, question: str, rng: np.random.Generator) -> int:
        """See `diamonds.bots.bot.Bot`."""
        check_game(view)
        return int(policy_network.network_answer(view.row, view.seat, policy_network.load_weights()))


class NetworkSearchBot:
    """The search with playouts by the network."""

    def __init__(self, worlds: int = WORLDS) -> None:
        self.params = SearchParams(max_worlds=worlds, plans=bit(TRAINED_PLAN))

    def prepare(self) -> None:
        """Compile the search, or load it from disk."""
        state, seat = search.sample_position(GAME)
        self.choose(bot_view(GAME, state, seat), "play", np.random.default_rng(0))

    def choose(self, view: BotView, question: str, rng: np.random.Generator) -> int:
        """See `diamonds.bots.bot.Bot`."""
        check_game(view)
        kernels.require()
        candidates, values = np.empty(MAX_CANDIDATES, np.int64), np.empty(MAX_CANDIDATES)
        tried = np.empty(MAX_CANDIDATES, np.int64)
        bits = np.random.SeedSequence(int(rng.integers(2**63))).generate_state(1, np.uint64)[0]
        answer = compiled_decide()(
            jit.as_row_array(view.row), view.seat, self.params, policy_network.load_weights(), bits, candidates, values, tried
        )[2]  # fmt: skip
        return int(answer)


BOTS: dict[str, Bot] = {"network": NetworkBot(), "network-search": NetworkSearchBot()}
