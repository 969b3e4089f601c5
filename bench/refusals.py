"""The timing of refusals, which must not reveal hidden cards.

The same refusal is timed in two worlds that a seat cannot tell apart. Everything runs in one process, because a network
would only blur the times. For each kind of request the two worlds alternate in random order, and a rank test (Mann and
Whitney's U) gives the probability of so large a difference by chance: above 0.001 counts as no difference. The last
line compares two refusals that do differ, to show that the test detects a few microseconds. Run by ``make bench
ARGS=refusals``.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import math
import random
import time
from collections.abc import Sequence

import numpy as np

from diamonds import cards, fields, views
from diamonds.errors import DiamondsError
from diamonds.game import Game
from diamonds.server.api.tables import CreateTableRequest, SitRequest
from diamonds.server.http.asgi_helpers import error_response
from diamonds.server.storage.sqlite import SqliteStore
from diamonds.server.tables.core.table import Table
from diamonds.server.tables.core.table_update import table_update
from diamonds.server.tables.service import TableService

Case = tuple[str, str, str, list[str]]
CASES: list[Case] = [  # name, game, question and answers
    ("the top card of a pile, guessed", "mines", "dig", ["dig {pile}", "grow {heart}"]),
    ("the same, followed by nonsense", "mines", "dig", ["dig {pile}", "grow {heart}", "xx yy"]),
    ("whether passing ends the game", "mines", "turn", ["turn pass", "turn go"]),
    ("the cards that others will pass", "crystals", "pass", ["pass {a}", "pass {b}", "pass {c}", "play {other}"]),
    ("one card too many", "crystals", "pass", ["pass {a}", "pass {b}", "pass {c}", "pass {other}"]),
    ("a card that the seat does not hold", "fourteen", "play", ["play {other}"]),
]
CONTROL: Case = ("(two refusals that do differ)", "mines", "dig", ["dig {pile}", "grow {heart}"])
NONSENSE = ["dig {pile}", "grow {heart}", "xx yy"]


def p_value(one: Sequence[float], other: Sequence[float]) -> float:
    """Return the probability that samples of one distribution differ so much in rank (two-sided, approximate)."""
    both = np.concatenate([one, other])
    _, place, number = np.unique(both, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(number) - (number - 1) / 2)[place]
    a, b = len(one), len(other)
    u = ranks[:a].sum() - a * (a + 1) / 2
    ties = float((number.astype(float) ** 3 - number).sum()) / ((a + b) * (a + b - 1))
    z = abs(u - a * b / 2) / math.sqrt(a * b / 12 * (a + b + 1 - ties))
    return math.erfc(z / math.sqrt(2))


async def table_at_question(tables: TableService, game: str, question: str) -> tuple[Table, int]:
    """Return a table of people at which this question is open for a single seat, and that seat."""
    seats = 2 if game == "mines" else 3
    made = await tables.creator.create(
        "host", CreateTableRequest(game, seats, seats_taken_by=["open"] * seats, substitute_after_s=0)
    )
    table = tables.get(json.loads(made)["id"])
    for seat in range(seats):
        await tables.actions.sit(table, f"person {seat}", SitRequest(seat, table.header.invite, nonce=""))
    rng = random.Random(1)
    while True:
        assert table.game_state.state is not None
        asked = table.game.to_act(table.game_state.state)
        if len(asked) == 1 and table.game.question(table.game_state.state).name == question and table.n > 2:
            return table, asked[0]
        seat = asked[0]
        legal = table.game.legal(table.game_state.state, seat)
        answer = 3 if question == "pass" and 3 in legal else rng.choice(legal)
        words = f"{table.game.question(table.game_state.state).name} {answer}"
        await tables.actions.play_answers(table, seat, table.n, [words], f"person {seat}")


def indistinguishable_state(game: Game, state: np.void, seat: int) -> np.void:
    """Return a state that looks the same to a seat, with the hidden cards laid out differently."""
    other, rng = fields.copy_state(state), random.Random(2)
    if game.name == "mines":
        places = [(pile, k) for pile in range(13) for k in range(4) if state["piles"][pile, k] >= 0]
        unseen = [int(state["piles"][place]) for place in places]
        rng.shuffle(unseen)
        for place, card in zip(places, unseen, strict=True):
            other["piles"][place] = card
        for pile in range(13):
            other["inside"][pile] = sum(1 << int(card) for card in other["piles"][pile] if card >= 0)
        return other
    hidden = [other_seat for other_seat in range(int(state["seats"])) if other_seat != seat]
    unseen = [card for k in hidden for card in cards.iter_bits(state["hand"][k])]
    rng.shuffle(unseen)
    for k in hidden:
        size = int(state["hand"][k]).bit_count()
        other["hand"][k] = sum(1 << card for card in unseen[:size])
        if game.name == "crystals":
            other["chosen"][k] = sum(1 << card for card in unseen[: int(state["chosen"][k]).bit_count()])
        unseen = unseen[size:]
    return other


def fill_answers(answers: list[str], game: Game, state: np.void, seat: int) -> list[str]:
    """Return the answers with current cards and piles filled in."""
    own = [game.card_names[card] for card in cards.iter_bits(state["hand"][seat])]
    missing = [name for name in game.card_names if name not in own]
    legal = game.legal(state, seat)
    heart = next((name for name in missing if name[0] == "H"), "H7")
    a, b, c = (own * 3 or list(game.card_names))[:3]
    return [words.format(pile=legal[0], heart=heart, other=missing[-1], a=a, b=b, c=c) for words in answers]


async def compare(case: Case, times: int, other_answers: list[str] | None = None) -> tuple[float, float, float]:
    """Return the median times in microseconds in both worlds, and the probability of their difference by chance.

    As a control, the second world may get ``other_answers``.
    """
    _, name, question, answers = case
    store = SqliteStore()
    await store.open()
    tables = TableService(store)
    await tables.open()
    table, seat = await table_at_question(tables, name, question)
    state = table.game_state.state
    assert state is not None
    words = [fill_answers(given, table.game, state, seat) for given in (answers, other_answers or answers)]
    worlds = [state, indistinguishable_state(table.game, state, seat)]
    assert len({views.view(table.game, world, seat).tobytes() for world in worlds}) == 1
    times_s: list[list[float]] = [[], []]
    replies: list[set[bytes]] = [set(), set()]
    turns = [k % 2 for k in range(2 * times)]
    random.Random(3).shuffle(turns)
    gc.disable()
    for k in (*turns[:50], *turns):
        table.game_state.state, table.update_cache = worlds[k], None
        table_update(table, table.viewer(f"person {seat}"), 0)  # caches the fragments of the update, as at a real table
        began = time.perf_counter()
        try:
            await tables.actions.play_answers(table, seat, table.n, words[k], f"person {seat}")
        except DiamondsError as error:
            replies[k].add(error_response(error)[1])
        times_s[k].append(time.perf_counter() - began)
    gc.enable()
    table.game_state.state = state
    assert other_answers or replies[0] == replies[1], "the replies themselves differ between the worlds"
    await tables.close()
    await store.close()
    one, other = times_s[0][25:], times_s[1][25:]
    return float(np.median(one)) * 1e6, float(np.median(other)) * 1e6, p_value(one, other)


async def measure(times: int) -> None:
    """Run all measurements, and print each result immediately."""
    for case in CASES:
        one, other, p = await compare(case, times)
        verdict = "no difference" if p > 0.001 else "DIFFERENT"
        print(f"  {case[0]:36} {one:7.1f} µs, {other:7.1f} µs   p = {p:.3f}   {verdict}")
    one, other, p = await compare(CONTROL, times, NONSENSE)
    print(f"  {CONTROL[0]:36} {one:7.1f} µs, {other:7.1f} µs   p = {p:.3g}   {'found' if p < 0.001 else 'MISSED'}")


def main() -> None:
    """Run the benchmark (see the top of the file)."""
    parser = argparse.ArgumentParser(description="Compare the timing of refusals in two worlds.")
    parser.add_argument("--quick", action="store_true", help="a short run")
    given = parser.parse_args()
    print(
        "Median times of refusals in two worlds that look the same, and the probability of their difference by chance:"
    )
    asyncio.run(measure(300 if given.quick else 3_000))


if __name__ == "__main__":
    main()
