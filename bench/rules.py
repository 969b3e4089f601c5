"""Speed of the rules compared with OpenSpiel, in one run on one core, with a checksum of the games played.

Machines are noisy, so compare the ratios, not the figures. Rounds of both sides alternate, and the median round counts.
The peers are OpenSpiel's random C++ rollouts of hearts and spades after the deal: trick games of a similar size (13
cards each, four seats) with simpler rules.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

ROUND_COUNT = 7
VARIANTS: tuple[tuple[str, int, dict[str, Any]], ...] = (
    ("crystals", 4, {}),
    ("crystals", 2, {}),
    ("crystals", 6, {"partnership": True}),
    ("crystals", 4, {"perfect": True, "thief": True}),
    ("fourteen", 4, {}),
    ("fourteen", 4, {"scoring": "bid"}),
    ("mines", 2, {}),
)


def rate_per_s(work: Callable[[], int]) -> float:
    """Return the amount of work done per second of CPU time."""
    start = time.process_time()
    return work() / (time.process_time() - start)


def playouts(seconds: float) -> tuple[dict[str, float], str]:
    """Return random answers per second for every variant and peer, and the checksum of the scores."""
    from diamonds import jit
    from diamonds.game import GAMES

    works: dict[str, Callable[[], int]] = {}
    digest = hashlib.sha256()
    for name, seats, options in VARIANTS:
        game = GAMES[name]
        plies, scores = jit.simulate_random(game, seats, options, 2000, 1)
        digest.update(json.dumps([name, seats, options, plies, scores]).encode())
        speed = rate_per_s(lambda g=game, s=seats, o=options: jit.simulate_random(g, s, o, 2000, 2)[0])  # type: ignore[misc]
        games = max(1, int(2000 * seconds * speed / plies))
        label = " ".join([name, str(seats), *(f"{k}={v}" for k, v in options.items())])
        works[label] = lambda g=game, s=seats, o=options, n=games: jit.simulate_random(g, s, o, n, 3)[0]  # type: ignore[misc]
    works.update(openspiel_works(seconds))
    rates: dict[str, list[float]] = {label: [] for label in works}
    for _ in range(ROUND_COUNT):
        for label, work in works.items():
            rates[label].append(rate_per_s(work))
    return {label: statistics.median(values) for label, values in rates.items()}, digest.hexdigest()[:16]


def openspiel_works(seconds: float) -> dict[str, Callable[[], int]]:
    """Return OpenSpiel's C++ rollouts, counted in answers; none if it is not installed."""
    try:
        import pyspiel
    except ImportError:
        return {}
    works: dict[str, Callable[[], int]] = {}
    rng = random.Random(1)
    for name in ("hearts", "spades"):
        state = pyspiel.load_game(name).new_initial_state()
        while state.is_chance_node():
            state.apply_action(rng.choice([action for action, _ in state.chance_outcomes()]))
        lengths = []
        for _ in range(100):
            end = state.clone()
            while not end.is_terminal():
                end.apply_action(rng.choice(end.legal_actions()))
            lengths.append(end.move_number() - state.move_number())
        plies = statistics.fmean(lengths)

        def work(rollouts: int, state: Any = state, plies: float = plies) -> int:
            # Python cannot call the evaluator, but a search with one simulation calls it once, on the root.
            evaluator = pyspiel.RandomRolloutEvaluator(rollouts, 3)
            pyspiel.MCTSBot(state.get_game(), evaluator, 1.4, 1, 100, False, 3, False).step(state)
            return int(rollouts * plies)

        rollouts = max(1, int(rate_per_s(lambda w=work: w(2000)) * seconds / plies))  # type: ignore[misc]
        works[f"OpenSpiel {name} (C++)"] = lambda w=work, n=rollouts: w(n)  # type: ignore[misc]
    return works


def startup_times_ms() -> dict[str, float]:
    """Return median times in a fresh process: for imports, and for the first compiled game from a warm cache."""
    codes = {
        "an empty program": "",
        "import numpy": "import numpy",
        "import diamonds": "import diamonds",
        "first compiled game, cache warm": (
            "from diamonds import GAMES, jit\njit.simulate_random(GAMES['crystals'], 4, {}, 1, 0)"
        ),
    }
    times: dict[str, list[float]] = {label: [] for label in codes}
    for _ in range(5):
        for label, code in codes.items():
            start = time.perf_counter()
            subprocess.run([sys.executable, "-c", code], check=True)
            times[label].append(1000 * (time.perf_counter() - start))
    return {label: statistics.median(values) for label, values in times.items()}


def answer_times_us() -> dict[str, float]:
    """Return the median microseconds from an answer to every seat's view as data, interpreted, over whole games."""
    from diamonds import deals, events, records, views
    from diamonds.game import GAMES

    found = {}
    for name, seats in (("crystals", 4), ("crystals", 6), ("fourteen", 4), ("mines", 2)):
        played, rng = records.start_game(GAMES[name], seats, {}, deals.seeded_secret(1)), random.Random(1)
        times = []
        while not played.over:
            seat = rng.choice(played.game.to_act(played.state))
            answer = rng.choice(played.game.legal(played.state, seat))
            start = time.perf_counter()
            logs = played.answer(seat, answer)
            for reader in range(seats):
                views.view_data(played.game, views.view(played.game, played.state, reader))
                for log in logs:
                    events.events_for(log, played.game.rules.EVENTS, played.game.ranks, reader)
            played.game.open_questions(played.state)
            times.append(1e6 * (time.perf_counter() - start))
        found[f"{name} {seats}"] = statistics.median(times)
    return found


def main(argv: list[str] | None = None) -> int:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(
        prog="diamonds bench rules", description="Measure the rules, compared with OpenSpiel's games."
    )
    parser.add_argument("--seconds", type=float, default=0.4, help="of each round (default 0.4)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    given = parser.parse_args(argv)
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    rates, checksum = playouts(given.seconds)
    starts, views_us = startup_times_ms(), answer_times_us()
    if given.json:
        print(
            json.dumps({"plies_per_second": rates, "checksum": checksum, "milliseconds": starts, "click_us": views_us})
        )
        return 0
    theirs = {label: rate for label, rate in rates.items() if label.startswith("OpenSpiel")}
    print(f"Random playouts, plies a second of one core (medians of {ROUND_COUNT} rounds, alternating)\n")
    for label, rate in rates.items():
        beside = (
            "" if label in theirs else "".join(f"  {rate / other:5.1f} x {n[10:-6]}" for n, other in theirs.items())
        )
        print(f"  {label:42} {rate / 1e6:7.2f} M{beside}")
    if not theirs:
        print("  (no comparison: OpenSpiel is not installed; `make bench` installs it)")
    print(f"\n  checksum of the games: {checksum}\n\nFrom a fresh process, milliseconds\n")
    for label, value in starts.items():
        print(f"  {label:42} {value:7.0f}")
    print("\nFrom an answer to every seat's view, interpreted, microseconds\n")
    for label, value in views_us.items():
        print(f"  {label:42} {value:7.0f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
