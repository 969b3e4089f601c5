"""Measure Diamonds, part by part: ``make bench``, or ``diamonds bench rules`` for one of them.

Each part runs in a process of its own and prints its figures beside a peer's or beside the raw limit of this machine.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

BENCHMARKS = {
    "rules": "random playouts beside OpenSpiel's, start-up, an answer to every seat's view",
    "kernels": "the first wait for a bot, from an empty cache to an answer of level 5, a game each",
    "modules": "what browsers load to play and think by themselves: bytes, playouts and decisions of level 5 beside native ones",
    "coach": "how often the coach of a first game recommends what a hint of 1,000 worlds would reject",
    "envs": "the lab's environments beside PettingZoo's and OpenSpiel's",
    "server": "durable answers, waiting times and memory beside the disk and the same in memory alone",
    "processes": "one, two and four processes on PostgreSQL: answers, waiting times, processor time, and what a kill costs",
    "refusals": "whether the time that a refusal takes tells what lies hidden",
    "lobby": "memory for ten thousand readers of the lobby, and how soon a change has reached them",
    "seeks": "how long made-up people wait for each other, and how many meet",
    "crowd": "memory and disk after a hundred thousand people at as many tables",
    "attack": "a player's waiting times and the server's memory while one address does its worst",
    "page": "the page in a Chromium, beside its budgets, an empty page and a bare POST",
}


def main(argv: list[str] | None = None) -> int:
    """Run the named parts, or all of them; what begins with a dash is handed to the part."""
    given = sys.argv[1:] if argv is None else argv
    named = [word for word in given if not word.startswith("-")]
    dashed = [word for word in given if word.startswith("-")]
    if "--help" in dashed and not named:
        print("\n".join(["diamonds bench [PART …]", *(f"  {part:8} {says}" for part, says in BENCHMARKS.items())]))
        return 0
    unknown = [word for word in named if word not in BENCHMARKS] + (dashed if not named else [])
    if unknown:
        print(f"There is nothing to measure called {unknown[0]!r}; there are {', '.join(BENCHMARKS)}.", file=sys.stderr)
        return 2
    for part in named or BENCHMARKS:
        print(f"\n=== {part}: {BENCHMARKS[part]}\n", flush=True)
        done = subprocess.run([sys.executable, str(Path(__file__).with_name(f"{part}.py")), *dashed])
        if done.returncode:
            return done.returncode
    return 0


if __name__ == "__main__":
    sys.exit(main())
