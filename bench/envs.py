"""Speed of the environments compared with other games of the same frameworks, in one run on one core.

A step is one player's action; deals take time but do not count as steps. All players choose uniformly among the legal
actions, in the form that the framework provides. Rounds alternate, and medians are reported.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import sys
import time
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

ROUND_COUNT = 5
VARIANTS: tuple[tuple[str, int, dict[str, Any]], ...] = (
    ("crystals", 4, {}),
    ("crystals", 2, {}),
    ("crystals", 6, {"partnership": True}),
    ("fourteen", 4, {}),
    ("mines", 2, {}),
)
Work = Callable[[], int]  # a function that works for a while and returns the number of steps


def label(name: str, seats: int, options: dict[str, Any]) -> str:
    """Return a short name for a variant."""
    return " ".join([name, str(seats), *(f"{k}={v}" for k, v in options.items())])


def batch_works(tables: int) -> dict[str, Work]:
    """Return functions that play batches: they step, deal, observe, mask, reward, and answer at random at each table.

    Each variant runs with plain observations, with planes for networks, and against `simple` opponents, where a step is
    a decision of the agent.
    """
    from diamonds.envs.batch import Batch
    from diamonds.envs.planes import PLANE_DTYPES

    def work(batch: Batch) -> int:
        for _ in range(100):
            batch.step(batch.random_answers())
        return 100 * batch.tables

    works: dict[str, Work] = {}
    for name, seats, options in VARIANTS:
        title = label(name, seats, options)
        for planes in (None, *PLANE_DTYPES):
            batch = Batch(name, seats, options, tables=tables, seed=1, planes=planes)
            works[title + (f", {planes} planes" if planes else "")] = partial(work, batch)
        batch = Batch(name, seats, options, tables=tables, seed=1, planes="uint8", opponents="simple")
        works[f"{title}, uint8 planes, against simple"] = partial(work, batch)
    return works


def agent_works(env: Any, rng: random.Random) -> int:
    """Play one game of a PettingZoo environment; return the number of steps."""
    env.reset(seed=rng.randrange(2**31))
    steps = 0
    while True:
        observation, _, terminated, truncated, _ = env.last()
        if terminated or truncated:
            return steps
        legal = observation["action_mask"].nonzero()[0].tolist()
        env.step(legal[int(rng.random() * len(legal))])
        steps += 1


def state_works(game: Any, rng: random.Random) -> int:
    """Play one game of OpenSpiel from Python; return the number of steps."""
    state, steps = game.new_initial_state(), 0
    while not state.is_terminal():
        if state.is_chance_node():
            cards, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choices(cards, chances)[0])
        else:
            legal = state.legal_actions()
            state.apply_action(legal[int(rng.random() * len(legal))])
            steps += 1
    return steps


def pettingzoo_works() -> dict[str, Work]:
    """Return functions that play the project's games, raw and wrapped, and PettingZoo's fastest, connect four."""
    from diamonds.envs import pettingzoo

    works: dict[str, Work] = {}
    rng = random.Random(1)
    for name, seats, options in VARIANTS:
        works[label(name, seats, options)] = partial(agent_works, pettingzoo.raw_env(name, seats, options), rng)
    works["crystals 4, wrapped"] = partial(agent_works, pettingzoo.env("crystals", 4), rng)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            from pettingzoo.classic.connect_four import connect_four
    except ImportError as missing:
        print(f"(PettingZoo's connect four cannot be measured: {missing})", file=sys.stderr)
        return works
    works["PettingZoo connect four"] = partial(agent_works, connect_four.raw_env(), rng)
    works["PettingZoo connect four, wrapped"] = partial(agent_works, connect_four.env(), rng)
    return works


def openspiel_works() -> dict[str, Work]:
    """Return functions that play the project's games (Python), hearts (C++) and dominoes (Python) in the same loop."""
    import pyspiel
    from open_spiel.python.games import block_dominoes  # noqa: F401 (registers itself)

    import diamonds.envs.openspiel  # noqa: F401 (registers ours)

    rng = random.Random(1)
    names = {
        "crystals 4": "diamonds_crystals",
        "fourteen 4": "diamonds_fourteen",
        "mines 2": "diamonds_mines",
        "OpenSpiel hearts (C++)": "hearts",
        "OpenSpiel dominoes (Python)": "python_block_dominoes",
    }
    return {title: partial(state_works, pyspiel.load_game(name), rng) for title, name in names.items()}


def measure_rates(works: dict[str, Work], seconds: float) -> dict[str, float]:
    """Return steps per second of CPU time: medians of alternating rounds."""
    found: dict[str, list[float]] = {title: [] for title in works}
    for work in works.values():
        work()
    for _ in range(ROUND_COUNT):
        for title, work in works.items():
            steps, start = 0, time.process_time()
            while (spent := time.process_time() - start) < seconds:
                steps += work()
            found[title].append(steps / spent)
    return {title: statistics.median(values) for title, values in found.items()}


def main(argv: list[str] | None = None) -> int:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--seconds", type=float, default=0.3, help="of each round (default 0.3)")
    parser.add_argument("--tables", type=int, default=2048, help="of a batch (default 2048)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    given = parser.parse_args(argv)
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    found: dict[str, dict[str, float]] = {}
    makers: dict[str, Callable[[], dict[str, Work]]] = {
        f"Batch of {given.tables} tables with observations, masks and rewards": lambda: batch_works(given.tables),
        "PettingZoo, the raw environment": pettingzoo_works,
        "OpenSpiel, a loop in Python": openspiel_works,
    }
    for title, make in makers.items():
        try:
            works = make()
        except ImportError as missing:
            print(f"{title}: not measured ({missing}); `make bench` installs the library.", file=sys.stderr)
            continue
        found[title] = measure_rates(works, given.seconds)
    if given.json:
        print(json.dumps(found))
        return 0
    print(f"Random play, steps a second of one core (medians of {ROUND_COUNT} rounds)")
    for title, figures in found.items():
        print(f"\n{title}\n")
        for name, rate in figures.items():
            print(f"  {name:60} {rate:14,.0f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
