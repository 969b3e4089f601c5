"""Waiting times in matchmaking: simulated days, with people matched by the server's own function.

Arrivals follow a typical day of a games site: few at night, most in the evening. Each person accepts one to three
games, one to three numbers of seats, one or two bot speeds, and one or two clocks (most often none). Half of them
accept bots after half a minute, one minute or three. Each gives up after a random time (half of them within four
minutes). Run by ``make bench ARGS=seeks``; it prints the table in docs/matchmaking.md.
"""

from __future__ import annotations

import math
import random
import statistics
import sys
from collections import Counter

from diamonds.game import all_games
from diamonds.server.api.tables import BotSpeed
from diamonds.server.lobby.matchmaking import GameOffer, Seek, pair_seeks

ARRIVALS_BY_HOUR = [
    1,
    1,
    1,
    1,
    1,
    1,
    2,
    3,
    4,
    4,
    4,
    5,
    6,
    5,
    5,
    5,
    6,
    8,
    10,
    12,
    12,
    10,
    6,
    3,
]  # arrivals by hour
BOT_SPEEDS: list[BotSpeed] = ["quick", "steady", "calm"]
TIME_CONTROLS = ["none", "none", "none", "normal", "normal", "fast", "slow", "day"]  # weighted by popularity
MAX_WAIT_S = 240.0  # half of the people have given up by then
DAY_S = 86_400


def make_person(rng: random.Random, number: int, at: float) -> tuple[Seek, float]:
    """Return the seek of a random person, and when they give up."""
    games = rng.sample(all_games(), rng.randrange(1, 4))
    seats = {rng.choice(game.seats) for game in games} | {rng.choice(games[0].seats) for _ in range(rng.randrange(3))}
    bot_speeds = rng.sample(BOT_SPEEDS, rng.randrange(1, 3))
    clocks = set(rng.sample(TIME_CONTROLS, rng.randrange(1, 3)))
    kinds = [
        GameOffer(game.name, n, bot_speed, clock)
        for game in games
        for n in sorted(seats)
        if n in game.seats
        for bot_speed in bot_speeds
        for clock in sorted(clocks)
    ]
    bots = rng.choice([math.inf, math.inf, math.inf, 30, 60, 180])
    return Seek(f"p{number}", tuple(kinds), at, at + bots), at + rng.expovariate(math.log(2) / MAX_WAIT_S)


def arrivals(rng: random.Random, people: int) -> list[float]:
    """Return the times of arrival, in seconds of the day."""
    hours = rng.choices(range(24), ARRIVALS_BY_HOUR, k=people)
    return sorted(3600 * hour + rng.uniform(0, 3600) for hour in hours)


def simulate_day(people: int, seed: int) -> tuple[Counter[str], dict[str, list[float]]]:
    """Simulate one day; return the outcomes and the waits."""
    rng = random.Random(seed)
    coming = [make_person(rng, number, at) for number, at in enumerate(arrivals(rng, people))][::-1]
    waiting: dict[str, tuple[Seek, float]] = {}
    became: Counter[str] = Counter()
    waited: dict[str, list[float]] = {"people": [], "bots": []}
    now = 0.0
    while coming or waiting:
        now = now + 1 if waiting else coming[-1][0].since
        while coming and coming[-1][0].since <= now:
            seek, until = coming.pop()
            waiting[seek.person] = (seek, until)
        for found in pair_seeks([seek for seek, _ in waiting.values()], now):
            how = "people" if len(found.people) == found.offer.seats else "bots"
            for who in found.people:
                became["alone with bots" if len(found.people) == 1 else how] += 1
                waited[how].append(now - waiting.pop(who)[0].since)
        for who in [who for who, (_, until) in waiting.items() if until <= now]:
            del waiting[who]
            became["gave up"] += 1
    return became, waited


def main() -> None:
    """Print the table."""
    quick = "--quick" in sys.argv
    print(
        "| people a day | met people alone | people and bots | alone with bots | gave up | wait, median | wait, 9 of 10 |"
    )
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for people, days in ((50, 4 if quick else 40), (500, 1 if quick else 8), (5_000, 1 if quick else 3)):
        became: Counter[str] = Counter()
        waits: list[float] = []
        for seed in range(days):
            one, waited = simulate_day(people, seed)
            became += one
            waits += [*waited["people"], *waited["bots"]]
        share = {
            what: f"{100 * became[what] / (people * days):.0f} %"
            for what in ("people", "bots", "alone with bots", "gave up")
        }
        tenths = statistics.quantiles(waits, n=10)
        print(f"| {people:,} | {' | '.join(share.values())} | {statistics.median(waits):.0f} s | {tenths[-1]:.0f} s |")


if __name__ == "__main__":
    main()
