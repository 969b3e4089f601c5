"""The benchmarks: ``make bench``, or ``diamonds bench rules`` for one of them.

Each one runs in a separate process and compares its figures with those of another library or with a limit of this
machine.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

BENCHMARKS = {
    "rules": "random playouts compared with OpenSpiel's, start-up, and the time from an answer to every seat's view",
    "kernels": "the first wait for a bot in each game, from an empty cache to an answer of level 5",
    "modules": "the browser modules: bytes, and playouts and decisions of level 5 compared with native ones",
    "coach": "how often coach, lessons or reviews recommend an answer that a hint of 1,000 worlds rejects",
    "data": "games a second with records, compiled compared with interpreted, and with several processes",
    "envs": "the environments compared with PettingZoo's and OpenSpiel's games",
    "server": "durable answers, waiting times and memory, compared with the disk and a server in memory",
    "processes": "one, two and four processes on PostgreSQL: answers, waiting times, CPU time, and recovery after a kill",
    "refusals": "whether the timing of a refusal reveals hidden cards",
    "lobby": "memory for ten thousand readers of the lobby, and the time until a change has reached them",
    "seeks": "how long simulated people wait for each other, and how many are matched",
    "duplicate": "whether 12 duplicate deals order players of known strength better than ordinary ones",
    "daily": "the page of the deals of the day after thousands of people have played them",
    "crowd": "memory and disk after a hundred thousand people at as many tables",
    "attack": "a player's waiting times and the server's memory during an attack from one address",
    "page": "the page in a Chromium, compared with its budgets, an empty page and a bare POST",
}


def main(argv: list[str] | None = None) -> int:
    """Run the named benchmarks, or all of them; options go to the benchmark."""
    given = sys.argv[1:] if argv is None else argv
    named = [word for word in given if not word.startswith("-")]
    dashed = [word for word in given if word.startswith("-")]
    if "--help" in dashed and not named:
        print("\n".join(["diamonds bench [PART …]", *(f"  {part:9} {says}" for part, says in BENCHMARKS.items())]))
        return 0
    unknown = [word for word in named if word not in BENCHMARKS] + (dashed if not named else [])
    if unknown:
        print(f"No benchmark is called {unknown[0]!r}. Benchmarks: {', '.join(BENCHMARKS)}.", file=sys.stderr)
        return 2
    for part in named or BENCHMARKS:
        print(f"\n=== {part}: {BENCHMARKS[part]}\n", flush=True)
        done = subprocess.run([sys.executable, str(Path(__file__).with_name(f"{part}.py")), *dashed])
        if done.returncode:
            return done.returncode
    return 0


if __name__ == "__main__":
    sys.exit(main())
