"""The sentence at the end of a game about what made the difference."""

import json
from typing import Any

import pytest

from diamonds import i18n
from tests.support import node

SCRIPT = """
const { difference } = await import(process.argv[1])
console.log(JSON.stringify(difference(given)))
"""


def event(kind: str, seat: int, **values: Any) -> dict[str, Any]:
    return {"event": {"event": kind, "seat": seat, **values}}


def trick(seat: int, diamonds: int, *, turned: bool = False) -> list[dict[str, Any]]:
    return [*([event("turned", seat, suit="H")] if turned else []), event("trick", seat, diamonds=diamonds)]


DEALT = event("dealt", 0)
FOURTEEN = {"totals": [0, 0, 0], "scoring": 0}
BIDS = [event("bid", 0, number=1), event("bid", 1, number=3), event("bid", 2, number=0)]
SCORED = [event("scored", seat, points=0) for seat in range(3)]


@pytest.mark.parametrize(("game", "view", "scores", "events", "wanted"), [
    ("crystals", {"team": [0, 1]}, [9, 3], [event("most", 0), event("diamond", 0), event("no_trick", 0), event("diamond", 0), event("diamond", 0)], "Bonuses after the rounds made the biggest difference: Blaise 6 points, you 0."),
    ("crystals", {"team": [0, 1]}, [9, 6], [event("no_trick", 0), event("diamond", 0), event("diamond", 0)], "Bonuses for no trick decided it: Blaise 4 points, you 0."),
    ("crystals", {"team": [0, 1]}, [20, 12], [event("most", 0), *[event("heart", 0)] * 5, event("no_trick", 1), event("diamond", 1), event("diamond", 1)], "Many small gains decided it."),
    ("crystals", {"team": [0, 1]}, [9, 3], [event("most", 0), event("heart", 0), DEALT, event("heart", 0), event("heart", 0), event("heart", 0)], "Crystals won with ♥ made the biggest difference: Blaise 3 points, you 0."),
    ("crystals", {"team": [0, 1, 0]}, [9, 3, 9], [event("club", 2, victim=1) for _ in range(3)], "Crystals taken with ♣ made the biggest difference: Blaise 3 points, you 0."),
    ("crystals", {"team": [0, 1, 2]}, [7, 3, 3], [event("club", 2, victim=1) for _ in range(3)], "you lost 3 crystals to ♣, Blaise none."),
    ("crystals", {"team": [0, 1]}, [5, 3], [event("diamond", 0)], "It was close: only 2 points apart."),
    ("crystals", {"team": [0, 1]}, [9, 3], [event("heart", 0)], "Many small gains decided it."),
    ("fourteen", FOURTEEN, [5, 2, 0], [DEALT, *trick(0, 3, turned=True), *trick(0, 2), *trick(0, 0), *trick(1, 2)], "Fourteens decided it: they won Blaise 3 ♦, you 0."),
    ("fourteen", FOURTEEN | {"scoring": 2}, [3, 0, 0], [DEALT, *(trick(0, 0, turned=True) * 3)], "Fourteens decided it: they won Blaise 3 tricks, you 0."),
    ("fourteen", FOURTEEN, [5, 2, 0], [DEALT, *trick(0, 5), *trick(1, 1), *trick(1, 1)], "One trick decided it: it won Blaise 5 ♦."),
    ("fourteen", FOURTEEN, [9, 2, 0], [DEALT, *trick(0, 5), *trick(0, 4), *trick(1, 1), *trick(1, 1)], "Blaise took 9 ♦ in 2 tricks, you 2 in 2."),
    ("fourteen", FOURTEEN, [4, 0, 0], [DEALT, *trick(0, 1), *trick(0, 1), *trick(0, 1), *trick(0, 1)], "Blaise took 4 ♦ in 4 tricks, you none."),
    ("fourteen", FOURTEEN | {"scoring": 2}, [4, 1, 0], [DEALT, *(trick(0, 0) * 4), *trick(1, 2)], "Many small gains decided it."),
    ("fourteen", FOURTEEN | {"scoring": 1}, [5, 0, 0], [DEALT, *BIDS, *trick(0, 2), *trick(1, 2), *SCORED], "Blaise kept 1 of 1 bid, you 0."),
    ("fourteen", FOURTEEN | {"scoring": 1}, [3, 1, 0], [DEALT, event("bid", 0, number=3), event("bid", 1, number=1), *trick(0, 3), *trick(1, 1), *SCORED], "Higher bids decided it: Blaise bid 3 ♦ in 1 hand, you 1."),
    ("fourteen", FOURTEEN | {"scoring": 1}, [5, 2, 0], [DEALT, *BIDS, *trick(0, 2), *trick(1, 3), *SCORED], "Many small gains decided it."),
    ("fourteen", FOURTEEN, [3, 2, 0], [], "It was close: only 1 point apart."),
    ("mines", {}, [7, 3], [event("dug", 0, card="D2"), event("dug", 0, card="D3"), event("dug", 1, card="S3")], "Blaise drew 2 ♦ in 2 cards, you 0 in 1."),
    ("mines", {}, [7, 3], [event("gave", 1, to=0, card="D2"), event("gave", 1, to=0, card="D3")], "Attacks decided it: they won Blaise 2 ♦, you 0."),
    ("mines", {}, [7, 6], [event("conquered", 0), event("conquered", 0)], "Blaise won 2 piles in attacks, you 0."),
    ("mines", {"ended": "barred"}, [3, 2], [event("claimed", 0), event("grew", 0)], "Blaise got 3 piles, you 1."),
    ("mines", {}, [7, 6], [event("conquered", 0)], "No single thing decided it."),
])  # fmt: skip
def test_difference_names_what_the_winner_gained_most_from(game, view, scores, events, wanted, tmp_path):
    texts = tmp_path / "texts.mjs"
    texts.write_text("export const t = (id, values) => JSON.stringify({ id, values })\n", encoding="utf-8")
    module, file = f"src/games/{game}/difference.ts", tmp_path / "difference.mjs"
    script = node.bundle(module, file, {"../../client/i18n.svelte": texts})
    given = {"steps": [{"events": events}], "view": view, "first": 0, "second": 1, "name": "Blaise", "other": "you"}
    [text] = node.ask(SCRIPT, given | {"scores": scores, "ended": view.get("ended", "seven")}, script)
    found = json.loads(text)
    assert i18n.format_cached("en", found["id"], tuple(found.get("values", {}).items())) == wanted
