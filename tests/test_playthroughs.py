"""Golden playthroughs: whole games, printed question by question. A change of a rule shows as a readable diff."""

import io
import json
from typing import Any

import pytest

from diamonds.game import GAMES
from diamonds.terminal.playthrough import Playthrough

PLAYTHROUGHS = {
    "crystals-2": ("crystals", 2, {}, 1),
    "crystals-4-partnership": ("crystals", 4, {"partnership": True}, 2),
    "crystals-5-perfect-thief": ("crystals", 5, {"perfect": True, "thief": True}, 3),
    "fourteen-3": ("fourteen", 3, {"target": 5}, 1),
    "fourteen-4-sealed-bids": ("fourteen", 4, {"scoring": "bid", "bids": "sealed", "match": "last_two", "target": 5}, 2),
    "mines": ("mines", 2, {}, 1),
    "mines-ranked": ("mines", 2, {"defence": "ranked"}, 2),
    "mines-seen": ("mines", 2, {"impossible": "seen"}, 3),
}  # fmt: skip
MAX_LINES = 330  # two rounds of crystals, one game of the others


def playthrough_lines(name: str, seats: int, options: dict[str, Any], seed: int) -> list[dict[str, Any]]:
    out = io.StringIO()
    Playthrough(GAMES[name], seats, options, seed, out).play()
    return [json.loads(line) for line in out.getvalue().splitlines()]


@pytest.mark.parametrize("title", PLAYTHROUGHS)
def test_playthrough_matches_its_golden(title, golden):
    lines = playthrough_lines(*PLAYTHROUGHS[title])
    kept = [*lines[:MAX_LINES], *lines[MAX_LINES:][-1:]]
    golden(f"playthroughs/{title}.jsonl", "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in kept))


@pytest.mark.parametrize("title", PLAYTHROUGHS)
def test_playthrough_has_the_form_that_referees_read(title):
    name, seats, options, seed = PLAYTHROUGHS[title]
    lines = playthrough_lines(name, seats, options, seed)
    head, deal, *rest = lines
    assert set(head) == {"game", "seats", "options", "seed", "first"}
    assert set(head["options"]) == {option.name for option in GAMES[name].options}
    assert set(deal) == ({"deal", "piles"} if name == "mines" else {"deal", "hands", "aside"})
    assert set(lines[-1]) == {"result"}
    assert set(lines[-1]["result"]) >= {"scores", "winners", "ended"}
    kinds = [next(iter(line)) for line in rest[:-1]]
    for k, line in enumerate(rest[:-1]):
        if kinds[k] == "ask":
            assert kinds[k + 1 : k + 3] == ["told", "numbers"], "expected events and counts after every answer"
            asked = next(ask for ask in line["ask"] if ask["seat"] == line["seat"])
            assert line["answer"] in asked["legal"]
            assert all(set(ask) == {"seat", "question", "legal"} for ask in line["ask"])
        elif kinds[k] == "deal":
            assert kinds[k - 1] == "numbers"
    assert kinds.count("ask") == kinds.count("told") == kinds.count("numbers")
    deals = [line["deal"] for line in lines if "deal" in line]
    assert deals == list(range(len(deals)))
