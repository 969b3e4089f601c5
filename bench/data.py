"""Games per second between simple bots, with records: interpreted, compiled, and compiled in several processes."""

from __future__ import annotations

import hashlib
import time
from itertools import islice

from diamonds import operating_system
from diamonds.game import GAMES
from diamonds.lab.pool import open_pool
from diamonds.lab.simulation import SimulationSetup, game_player, play_interpreted, simulate_games

ROUNDS = 5
TABLES = (("crystals", 4), ("fourteen", 4), ("mines", 2))
INTERPRETED_GAMES, COMPILED_GAMES, POOLED_GAMES = 10, 1_000, 8_000
FIRST_RESULTS = 1_000  # not timed, because the pool is still starting


def main() -> None:
    """Print the median of alternating rounds for each game."""
    processes = operating_system.cpu_count()
    print(f"games a second, with records, {processes} cores; medians of {ROUNDS} rounds")
    for game, seats in TABLES:
        options = GAMES[game].check_options(seats)
        simulation = SimulationSetup(game, seats, options, ("simple",) * seats, 1, has_records=True)
        play = game_player(simulation)
        checksum = hashlib.sha256(play(0).record.encode()).hexdigest()[:8]
        speeds: list[list[float]] = [[], [], []]
        for _ in range(ROUNDS):
            started = time.perf_counter()
            for g in range(INTERPRETED_GAMES):
                play_interpreted(simulation, g)
            speeds[0].append(INTERPRETED_GAMES / (time.perf_counter() - started))
            started = time.perf_counter()
            for g in range(COMPILED_GAMES):
                play(g)
            speeds[1].append(COMPILED_GAMES / (time.perf_counter() - started))
            with open_pool(processes) as pool:
                outcomes = simulate_games(simulation, POOLED_GAMES, pool)
                for _ in islice(outcomes, FIRST_RESULTS):
                    pass
                started = time.perf_counter()
                count = sum(1 for _ in outcomes)
                speeds[2].append(count / (time.perf_counter() - started))
        interpreted, compiled, pooled = (sorted(each)[ROUNDS // 2] for each in speeds)
        print(
            f"{game:9} {seats}  interpreted {interpreted:7.1f}  compiled {compiled:7.0f} ({compiled / interpreted:.0f}×)  "
            f"{processes} processes {pooled:7.0f} ({pooled / interpreted:.0f}×)  checksum {checksum}"
        )


if __name__ == "__main__":
    main()
