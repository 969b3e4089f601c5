"""Coach, lessons and reviews compared with hints: how often each sentence recommends an answer, and how often wrongly."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.support import coach_advice

from diamonds.game import GAMES

GAMES_PER_TASK = 4
LISTED = 10  # contradictions listed for each game


def check_part(name: str, first_game: int, number: int, seed: int) -> list[tuple[coach_advice.AdviceLine, str]]:
    """Return the sentences shown in these positions, each with a description of its position."""
    positions = coach_advice.coached_positions(name, number, seed, first_game)
    kinds = [f"{one.kind}: {one.told['question']} {' '.join(one.told['legal'])}" for one in positions]
    lines = coach_advice.check_advice(name, positions)
    return [(line, kinds[line.position]) for line in lines]


def main() -> int:
    """Print how often each sentence is shown, recommends and contradicts a hint; return 1 if any contradicts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", nargs="+", choices=GAMES, default=list(GAMES))
    parser.add_argument("--positions", type=int, default=500, help="decisions of each game")
    parser.add_argument("--seed", type=int, default=coach_advice.SEED)
    parser.add_argument("--processes", type=int, default=2)
    given = parser.parse_args()
    per_task, total = GAMES_PER_TASK * coach_advice.MAX_PER_GAME, 0
    starts = range(0, given.positions, per_task)
    with ProcessPoolExecutor(given.processes) as pool:
        tasks = {
            name: [
                pool.submit(
                    check_part,
                    name,
                    start // coach_advice.MAX_PER_GAME,
                    min(per_task, given.positions - start),
                    given.seed,
                )
                for start in starts
            ]
            for name in given.games
        }
        for name in given.games:
            found = [one for task in tasks[name] for one in task.result()]
            total += print_game(name, given.positions, found)
    return int(total > 0)


def print_game(name: str, number: int, found: list[tuple[coach_advice.AdviceLine, str]]) -> int:
    """Print the counts of each sentence and the worst contradictions; return their number."""
    lines = [line for line, _ in found]
    wrong = coach_advice.contradictions(name, lines)
    shown, wrongly = Counter(line.name for line in lines), Counter(line.name for line in wrong)
    print(f"{name}: {number} decisions, {len(wrong)} contradictions")
    for sentence, recommended in Counter(line.name for line in lines if line.recommends).items():
        worst = max(line.gap for line in lines if line.name == sentence)
        print(
            f"  {sentence:32} shown {shown[sentence]:4}  recommends {recommended:4}  "
            f"wrongly {wrongly[sentence]:3}  worst gap {worst:.2f}"
        )
    for line, kind in sorted((one for one in found if one[0] in wrong), key=lambda one: -one[0].gap)[:LISTED]:
        print(f"  {line.name}: {line.recommends} is {line.gap:.2f} ± {line.gap_error:.2f} behind\n    {kind}")
    sys.stdout.flush()
    return len(wrong)


if __name__ == "__main__":
    sys.exit(main())
