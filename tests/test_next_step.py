"""The one suggestion at the end of a game, by simple rules."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support import node

SCRIPT = """
const { countFinishedGame, nextStep } = await import(process.argv[1])
let text = ''
for await (const chunk of process.stdin) text += chunk
let ends = {}
for (const ended of JSON.parse(text)) console.log(JSON.stringify(nextStep(ended, (ends = countFinishedGame(ended, ends)), ['1', '2', '3'], ended.learned)))
"""


@pytest.fixture(scope="module")
def script(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page's module, in JavaScript."""
    return node.bundle("src/table/nextStep.ts", tmp_path_factory.mktemp("next") / "nextStep.mjs")


def ended(id: str, place: int, level: str | None = "2", **more: Any) -> dict[str, Any]:
    return {
        "id": id,
        "game": "mines",
        "place": place,
        "places": 2,
        "alone": True,
        "level": level,
        "learned": False,
        **more,
    }


@pytest.mark.parametrize(("games", "wanted"), [
    ([ended("a", 1)], {"kind": "up", "level": "3"}),
    ([ended("a", 1, "3")], {"kind": "again"}),  # there is no higher level
    ([ended("a", 1, alone=False)], {"kind": "lesson"}),
    ([ended("a", 2)], {"kind": "lesson"}),
    ([ended("a", 2, learned=True)], {"kind": "again"}),
    ([ended("a", 2), ended("b", 2)], {"kind": "down", "level": "1"}),
    ([ended("a", 2), ended("a", 2)], {"kind": "lesson"}),  # the same end is looked at twice
    ([ended("a", 2, "1"), ended("b", 2, "1")], {"kind": "puzzle"}),  # there is no lower level
    ([ended("a", 2), ended("b", 1), ended("c", 2)], {"kind": "puzzle"}),
    ([ended("a", 1, None), ended("b", 2, None), ended("c", 2, None)], {"kind": "puzzle"}),  # with people
])  # fmt: skip
def test_suggestion_follows_from_the_results(games, wanted, script):
    done = node.run_node("--input-type=module", "-e", SCRIPT, script.as_uri(), stdin_text=json.dumps(games))
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.splitlines()[-1]) == wanted
