"""Does the time that a refusal takes tell what lies hidden? Times of the same refusal in two worlds that a seat cannot tell apart.

In one process, without a network, which would only blur it. For each kind of request the two worlds take turns in random
order, and a rank test (Mann and Whitney's U) says how likely so large a difference is by chance: anything above 0.001 is
none. The last line compares two refusals that differ, to show that the test finds some millionths of a second.
Run by ``make bench``.
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
from diamonds.game import Game, Refused
from diamonds.server.api.messages import NewTable, Sit
from diamonds.server.house.tables import Tables
from diamonds.server.store.sqlite import SqliteStore
from diamonds.server.table.table import Table
from diamonds.server.table.telling import message
from diamonds.server.wire.http import problem

Case = tuple[str, str, str, list[str]]
CASES: list[Case] = [  # what, of which game, at which question, and what is answered
    ("the top card of a pile, wished for", "mines", "dig", ["dig {pile}", "grow {heart}"]),
    ("the same, and nonsense after it", "mines", "dig", ["dig {pile}", "grow {heart}", "xx yy"]),
    ("whether passing ends the game", "mines", "turn", ["turn pass", "turn go"]),
    ("what one will be passed", "crystals", "pass", ["pass {a}", "pass {b}", "pass {c}", "play {other}"]),
    ("one card too many", "crystals", "pass", ["pass {a}", "pass {b}", "pass {c}", "pass {other}"]),
    ("a card that one does not hold", "fourteen", "play", ["play {other}"]),
]
CONTROL: Case = ("(two refusals that do differ)", "mines", "dig", ["dig {pile}", "grow {heart}"])
NONSENSE = ["dig {pile}", "grow {heart}", "xx yy"]


def chance(one: Sequence[float], other: Sequence[float]) -> float:
    """How likely two samples of one distribution differ in rank as much as these (two-sided, normal approximation)."""
    both = np.concatenate([one, other])
    _, place, number = np.unique(both, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(number) - (number - 1) / 2)[place]
    a, b = len(one), len(other)
    u = ranks[:a].sum() - a * (a + 1) / 2
    ties = float((number.astype(float) ** 3 - number).sum()) / ((a + b) * (a + b - 1))
    z = abs(u - a * b / 2) / math.sqrt(a * b / 12 * (a + b + 1 - ties))
    return math.erfc(z / math.sqrt(2))


async def find(tables: Tables, game: str, question: str) -> tuple[Table, int]:
    """A table of people at a moment at which one seat alone owes an answer to this question."""
    seats = 2 if game == "mines" else 3
    made = await tables.making.make("host", NewTable(game, seats, places=["open"] * seats, takeover=0))
    table = tables.get(json.loads(made)["id"])
    for seat in range(seats):
        await tables.sit(table, f"person {seat}", Sit(seat, table.header.invite, nonce=""))
    rng = random.Random(1)
    while True:
        assert table.play.state is not None
        asked = table.game.to_act(table.play.state)
        if len(asked) == 1 and table.game.question(table.play.state).name == question and table.n > 2:
            return table, asked[0]
        seat = asked[0]
        legal = table.game.legal(table.play.state, seat)
        answer = 3 if question == "pass" and 3 in legal else rng.choice(legal)
        words = f"{table.game.question(table.play.state).name} {answer}"
        await tables.play(table, seat, table.n, [words], f"person {seat}")


def otherwise(game: Game, state: np.void, seat: int) -> np.void:
    """The same to the eyes of a seat, with the cards that it cannot see laid out otherwise."""
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
    unseen = [card for k in hidden for card in cards.members(state["hand"][k])]
    rng.shuffle(unseen)
    for k in hidden:
        size = int(state["hand"][k]).bit_count()
        other["hand"][k] = sum(1 << card for card in unseen[:size])
        if game.name == "crystals":
            other["chosen"][k] = sum(1 << card for card in unseen[: int(state["chosen"][k]).bit_count()])
        unseen = unseen[size:]
    return other


def filled(answers: list[str], game: Game, state: np.void, seat: int) -> list[str]:
    """The answers with cards and piles of this moment."""
    own = [game.names[card] for card in cards.members(state["hand"][seat])]
    missing = [name for name in game.names if name not in own]
    legal = game.legal(state, seat)
    heart = next((name for name in missing if name[0] == "H"), "H7")
    a, b, c = (own * 3 or list(game.names))[:3]
    return [words.format(pile=legal[0], heart=heart, other=missing[-1], a=a, b=b, c=c) for words in answers]


async def compare(case: Case, times: int, instead: list[str] | None = None) -> tuple[float, float, float]:
    """Half of the refusals took no longer than so many microseconds, in either world; and how likely that is by chance.

    For a control, the other world may be answered something else ``instead``.
    """
    _, name, question, answers = case
    store = SqliteStore()
    await store.open()
    tables = Tables(store, 1)
    await tables.open()
    table, seat = await find(tables, name, question)
    state = table.play.state
    assert state is not None
    words = [filled(given, table.game, state, seat) for given in (answers, instead or answers)]
    worlds = [state, otherwise(table.game, state, seat)]
    assert len({views.view(table.game, world, seat).tobytes() for world in worlds}) == 1
    took: list[list[float]] = [[], []]
    replies: list[set[bytes]] = [set(), set()]
    turns = [k % 2 for k in range(2 * times)]
    random.Random(3).shuffle(turns)
    gc.disable()
    for k in (*turns[:50], *turns):
        table.play.state, table.shared = worlds[k], None
        message(table, table.reader(f"person {seat}"), 0)  # the others' pieces of it are there already, as at a table
        began = time.perf_counter()
        try:
            await tables.play(table, seat, table.n, words[k], f"person {seat}")
        except Refused as refusal:
            replies[k].add(problem(refusal)[1])
        took[k].append(time.perf_counter() - began)
    gc.enable()
    table.play.state = state
    assert instead or replies[0] == replies[1], "the replies themselves tell the worlds apart"
    await tables.close()
    await store.close()
    one, other = took[0][25:], took[1][25:]
    return float(np.median(one)) * 1e6, float(np.median(other)) * 1e6, chance(one, other)


async def measure(times: int) -> None:
    """Everything, printed as it is known."""
    for case in CASES:
        one, other, p = await compare(case, times)
        verdict = "no difference" if p > 0.001 else "DIFFERENT"
        print(f"  {case[0]:36} {one:7.1f} µs, {other:7.1f} µs   p = {p:.3f}   {verdict}")
    one, other, p = await compare(CONTROL, times, NONSENSE)
    print(f"  {CONTROL[0]:36} {one:7.1f} µs, {other:7.1f} µs   p = {p:.3g}   {'found' if p < 0.001 else 'MISSED'}")


def main() -> None:
    """See the top of the file."""
    parser = argparse.ArgumentParser(description="Compare how long refusals take in two worlds.")
    parser.add_argument("--quick", action="store_true", help="a short look")
    given = parser.parse_args()
    print(
        "Refusals in two worlds that look the same, half of the time within, and how likely such a difference is by chance:"
    )
    asyncio.run(measure(300 if given.quick else 3_000))


if __name__ == "__main__":
    main()
