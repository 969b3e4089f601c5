"""The coach compared with hints: how often each tip recommends an answer to a newcomer, and how often wrongly."""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.support import coach_advice

from diamonds.game import GAMES


def main() -> int:
    """Print how often each tip of each game is shown, recommends and contradicts; return 1 if any contradicts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--positions", type=int, default=500, help="decisions of each game")
    parser.add_argument("--seed", type=int, default=coach_advice.SEED)
    given = parser.parse_args()
    total = 0
    for name in GAMES:
        began = time.perf_counter()
        lines = coach_advice.check_advice(name, coach_advice.coached_positions(name, given.positions, given.seed))
        wrong = coach_advice.contradictions(name, lines)
        shown, recommending = (
            Counter(line.name for line in lines),
            Counter(line.name for line in lines if line.recommends),
        )
        wrongly = Counter(line.name for line in wrong)
        total += len(wrong)
        print(
            f"{name}: {given.positions} decisions in {time.perf_counter() - began:.1f} s, {len(wrong)} contradictions"
        )
        for line in shown:
            if recommending[line]:
                print(
                    f"  {line:12} shown {shown[line]:4}  recommends {recommending[line]:4}  wrongly {wrongly[line]:4}"
                )
    return int(total > 0)


if __name__ == "__main__":
    sys.exit(main())
