"""Compile time of the bots: from an empty cache to an answer of level 5, and again from a full cache.

Each game runs in a separate process, one after the other. Then all run in parallel from another empty cache, as on a
server with enough cores. CPU time is printed next to wall time, because a busy machine affects it less.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time

GAMES = ("crystals", "fourteen", "mines")


def answer_once(name: str) -> None:
    """Answer the first question of a game at level 5."""
    import numpy as np

    from diamonds.bots.bot import bot_view
    from diamonds.bots.levels import BOTS
    from diamonds.game import GAMES

    game, rng = GAMES[name], np.random.default_rng(1)
    seats = min(game.seats[-1], 4)
    state = game.start(seats, {}, rng.permutation(4 * game.ranks)[:seats].tolist())
    game.deal(state, rng.permutation(game.pack(state)).tolist())
    seat = game.to_act(state)[0]
    BOTS["5"].choose(bot_view(game, state, seat), game.question(state).name, rng)


def start_process(game: str, cache: str) -> subprocess.Popen[bytes]:
    """Start a process that answers one question of a game at level 5, with this cache."""
    return subprocess.Popen([sys.executable, __file__, "--answer", game], env=os.environ | {"XDG_CACHE_HOME": cache})


def wait_for_answers(games: tuple[str, ...], cache: str) -> tuple[float, float]:
    """Return the seconds until all of these games, in parallel, have answered, and their CPU seconds."""
    start, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    running = [start_process(game, cache) for game in games]
    for process in running:
        if process.wait():
            raise SystemExit(f"{process.args!r} failed.")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return time.perf_counter() - start, cpu


def main(argv: list[str] | None = None) -> int:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(prog="diamonds bench kernels", description="Measure the compile time of the bots.")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--answer", help=argparse.SUPPRESS)
    given = parser.parse_args(argv)
    if given.answer:
        answer_once(given.answer)
        return 0
    found: dict[str, tuple[float, float]] = {}
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
        for game in GAMES:
            found[f"{game}, empty cache"] = wait_for_answers((game,), one)
        for game in GAMES:
            found[f"{game}, full cache"] = wait_for_answers((game,), one)
        found["all three side by side, empty cache"] = wait_for_answers(GAMES, other)
    if given.json:
        print(json.dumps({label: {"seconds": took, "cpu_seconds": cpu} for label, (took, cpu) in found.items()}))
        return 0
    print("From starting Python to an answer of level 5                 seconds     CPU\n")
    for label, (took, cpu) in found.items():
        print(f"  {label:56} {took:7.1f} {cpu:7.1f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
