"""How well 12 deals rank players of known strength: duplicate deals compared with ordinary ones.

People play by rules of thumb, but each gives a different share of random answers: the strongest none, the weakest a
third. Both matches have the same tables, people and random numbers for mistakes. In one, all tables of a deal have the
same cards, and people are scored against those who held the same hand. In the other each table has its own cards, and
points are added up. The table shows the share of pairs in which the stronger person is ahead.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from itertools import combinations
from typing import Any

import numpy as np

from diamonds import cards, duplicate, jit, views
from diamonds.bots import games
from diamonds.bots.games.adapter import NO_PLAN
from diamonds.game import Game, find_game
from diamonds.lab.arena import estimate
from diamonds.rng import fill_deck, randbelow, random_bit, shuffle

DEALS = 12
ROWS: list[tuple[str, int, dict[str, Any]]] = [
    *(("crystals", seats, {"rounds": 1}) for seats in (2, 3, 4, 5, 6)),
    ("crystals", 4, {"rounds": 1, "partnership": True}),
    *(("fourteen", seats, {"target": 5}) for seats in (3, 4, 5, 6)),
    ("mines", 2, {}),
]


def game_player(game: Game, seats: int, options: dict[str, Any]) -> Callable[[list[int], int, int], tuple[float, ...]]:
    """Return a function that plays a game, given each seat's random answers per thousand, and seeds."""
    rules, adapter = game.rules, games.adapter_for(game)
    heuristic_answer, step_of, deal_of, legal_of = adapter.heuristic_answer, rules.step, rules.deal, rules.legal
    start_of, pack_of, dealt_of, score_of, ahead_of = (
        rules.start,
        rules.pack,
        rules.cards_dealt,
        rules.score,
        rules.seats_ahead,
    )
    no_plan = NO_PLAN

    @jit.compiled_for_modules(rules, *adapter.modules)
    def play(rows, flat, view_rows, view_flat, masks, reveal_flags, deck, errors, card_rng, rng, scores, ahead):  # type: ignore[no-untyped-def]
        s = rows[0]
        size = fill_deck(deck, pack_of(s))
        shuffle(deck, size, size, card_rng)
        start_of(s, deck)
        while s["over"] == 0:
            if s["to_act"] == 0:
                size = fill_deck(deck, pack_of(s))
                shuffle(deck, size, dealt_of(s), card_rng)
                deal_of(s, deck, None)
            seat = cards.lowest(s["to_act"])
            if randbelow(rng, 1000) < errors[seat]:
                answer = random_bit(legal_of(s, seat), rng)
            else:
                setting = 0
                for flag in reveal_flags:
                    setting = 2 * setting + (1 if flat[flag] != 0 else 0)
                for k in range(len(flat)):
                    view_flat[k] = flat[k] | masks[setting, seat, k]
                answer = heuristic_answer(view_rows[0], seat, no_plan)
            step_of(s, seat, answer, None)
        for seat in range(s["seats"]):
            scores[seat] = score_of(s, seat)
            ahead[seat] = ahead_of(s, seat)

    blank = game.empty_state(seats, game.check_options(seats, options))
    if "rules" in (game.dtype.names or ()):
        blank["rules"] = game.version
    view_masks = views.ViewMasks(game, blank)
    rows, view_rows = np.zeros(1, game.dtype), np.zeros(1, game.dtype)
    flat, view_flat = rows.view(np.int64), view_rows.view(np.int64)
    deck, scores, ahead = np.zeros(60, np.int64), np.zeros(seats, np.int64), np.zeros(seats, np.int64)

    def played(errors: list[int], card_seed: int, seed: int) -> tuple[float, ...]:
        rows[0] = blank
        rngs = [np.array([number], np.uint64) for number in (card_seed, seed)]
        play(
            rows, flat, view_rows, view_flat, view_masks.masks, view_masks.reveal_flags, deck, np.array(errors), *rngs, scores, ahead,
        )  # fmt: skip
        result = {"scores": scores.tolist(), "winners": np.flatnonzero(ahead == 0).tolist()}
        return duplicate.seat_results(game, result)

    return played


def right_pairs(totals: list[float]) -> float:
    """Return the share of pairs in which the stronger person has the larger total.

    `totals` begins with the strongest.
    """
    pairs = list(combinations(totals, 2))
    return sum(1.0 if one > other else 0.5 if one == other else 0.0 for one, other in pairs) / len(pairs)


def main() -> None:
    """Print a row for each game and number of seats."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--matches", type=int, default=400)
    parser.add_argument("--people", type=int, default=24)
    parser.add_argument("--mistakes", type=int, default=330, help="random answers of the weakest, of a thousand")
    given = parser.parse_args()
    matches, people, mistakes = given.matches, given.people, given.mistakes
    print(f"| game | seats | tables | ordinary | duplicate | difference |\n{'| --- ' * 6}|")
    for name, seats, options in ROWS:
        game = find_game(name)
        play = game_player(game, seats, options)
        partners = bool(options.get("partnership"))
        movement = duplicate.movement(people, seats, DEALS, partners)
        shares = []
        for match in range(matches):
            rng = np.random.default_rng([match, seats])
            strength = rng.permutation(people)  # the rank of each person in the movement, 0 for the strongest
            errors = [mistakes * int(rank) // (people - 1) for rank in strength]
            ordinary, results = np.zeros(people), []
            for deal in movement:
                same = int(rng.integers(2**60))
                found = []
                for table in deal:
                    table_errors = [mistakes // 2 if person == duplicate.BOT else errors[person] for person in table]
                    own, seed = (int(number) for number in rng.integers(2**60, size=2))
                    found.append(play(table_errors, same, seed))
                    points = play(table_errors, own, seed)
                    for person, value in zip(table, points, strict=True):
                        if person != duplicate.BOT:
                            ordinary[strength[person]] += value
                results.append(found)
            scored = [0.0] * people
            for standing in duplicate.scores(movement, results).standings:
                scored[strength[standing.person]] = standing.score
            shares.append((right_pairs(ordinary.tolist()), right_pairs(scored)))
        before, after = (np.array(column) for column in zip(*shares, strict=True))
        cells = [estimate((100 * values).tolist()) for values in (before, after, after - before)]
        seats_text = f"{seats}, partners" if partners else seats
        print(
            f"| {name} | {seats_text} | {len(movement[0])} | "
            + " | ".join(f"{cell.mean:{'+' if k == 2 else ''}.1f} ± {cell.plus_minus:.1f}" for k, cell in enumerate(cells)) + " |",
            flush=True,
        )  # fmt: skip


if __name__ == "__main__":
    main()
