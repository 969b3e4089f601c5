"""The one suggestion at the end of a game, by simple rules."""

from pathlib import Path
from typing import Any

import pytest

from tests.support import node

SCRIPT = """
const { countFinishedGame, nextStep } = await import(process.argv[1])
let ends = {}
for (const ended of given) console.log(JSON.stringify(nextStep(ended, (ends = countFinishedGame(ended, ends)), ['1', '2', '3'], ended.learned)))
"""


@pytest.fixture(scope="module")
def script(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page's module, in JavaScript."""
    return node.bundle("src/table/nextStep.ts", tmp_path_factory.mktemp("next") / "nextStep.mjs")


def ended(id: str, place: int, level: str | None = "2", **more: Any) -> dict[str, Any]:
    usual = {"game": "mines", "places": 2, "alone": True, "learned": False}
    return {**usual, "id": id, "place": place, "level": level, **more}


@pytest.mark.parametrize(("games", "wanted"), [
    ([ended("a", 1)], {"kind": "up", "level": "3"}),
    ([ended("a", 1, "3")], {"kind": "again"}),  # there is no higher level
    ([ended("a", 1, alone=False)], {"kind": "lesson"}),
    ([ended("a", 2)], {"kind": "lesson"}),
    ([ended("a", 2, learned=True)], {"kind": "again"}),
    ([ended("a", 2), ended("b", 2)], {"kind": "down", "level": "1"}),
    ([ended("a", 2), ended("a", 2)], {"kind": "lesson"}),  # the same game end, seen twice
    ([ended("a", 2, "1"), ended("b", 2, "1")], {"kind": "lesson"}),  # there is no lower level
    ([ended("a", 2, "1"), ended("b", 2, "1", learned=True)], {"kind": "puzzle"}),
    ([ended("a", 2), ended("b", 2), ended("c", 1, "1"), ended("d", 2)], {"kind": "puzzle"}),  # not two in a row
    ([ended("a", 2), ended("b", 1, game="fourteen"), ended("c", 2)], {"kind": "down", "level": "1"}),
    ([ended("a", 2), ended("b", 1), ended("c", 2)], {"kind": "puzzle"}),
    ([ended("a", 1, None), ended("b", 2, None), ended("c", 2, None)], {"kind": "puzzle"}),  # games with people
])  # fmt: skip
def test_suggestion_follows_from_the_results(games, wanted, script):
    assert node.ask(SCRIPT, games, script)[-1] == wanted
