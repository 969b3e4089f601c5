"""Links that contain a record: unpacked records and rejected fragments."""

import base64
import json
import random
import zlib
from pathlib import Path
from typing import Any

import pytest

from diamonds import records
from diamonds.game import GAMES
from tests.support import node
from tests.support.random_positions import Variant, random_game

# The browser globals that the module uses. Each answer is one line of output.
SCRIPT = """
globalThis.window = globalThis
globalThis.location = { origin: 'https://diamonds.example', pathname: '/' }
const { recordLink, recordFromHash } = await import(process.argv[1])
for (const { record, hash } of given) {
  if (record) console.log(JSON.stringify(await recordLink(record)))
  else console.log(JSON.stringify(await recordFromHash(hash).catch((error) => ({ reason: error.reason, message: error.message }))))
}
"""
DAMAGED = {"reason": "damaged", "message": "damaged"}


@pytest.fixture(scope="module")
def script(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the page's module as JavaScript."""
    return node.bundle("src/client/recordLink.ts", tmp_path_factory.mktemp("link") / "recordLink.mjs")


def ask(script: Path, questions: list[dict[str, Any]]) -> list[Any]:
    """Return the module's answers in order."""
    return node.ask(SCRIPT, questions, script)


def pack(text: bytes, version: int = 1) -> str:
    """Return a fragment in the module's format, made with Python's zlib."""
    squeezed = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = bytes([version]) + squeezed.compress(text) + squeezed.flush()
    return "#record=" + base64.urlsafe_b64encode(packed).decode().rstrip("=")


def finished_record(game_name: str, seats: int) -> dict[str, Any]:
    """Return the record of a random finished game, with times."""
    played = random_game(Variant(GAMES[game_name], seats, {}), 1)
    played.players = [f"Ä{n}" for n in range(seats)]
    record: dict[str, Any] = json.loads(records.write_record(played, reveal=True))
    return {**record, "times": [1_790_000_000_000 + 1000 * n for n in range(len(record["entries"]))], "own": "own-1"}


@pytest.mark.parametrize(("game", "seats"), [("crystals", 4), ("crystals", 6), ("fourteen", 4), ("mines", 2)])
def test_record_comes_back_from_its_link_without_times(script, game, seats):
    record = finished_record(game, seats)
    (link,) = ask(script, [{"record": record}])
    address, _, fragment = link.partition("#")
    assert address == "https://diamonds.example/record"
    assert len(link) <= 8100, f"a game of {game} takes {len(link)} characters"
    (back,) = ask(script, [{"hash": f"#{fragment}"}])
    expected = {key: value for key, value in record.items() if key not in ("times", "own")}
    assert json.loads(back) == expected


def test_record_that_is_too_long_makes_no_link(script):
    draw = random.Random(1)
    noise = "".join(draw.choice("0123456789abcdef") for _ in range(20_000))
    assert ask(script, [{"record": {"noise": noise}}, {"record": {"noise": "a" * 200_000}}])[0] is None


def test_damaged_and_hostile_fragments_are_refused(script):
    whole = pack(b'{"format":"diamonds"}')
    refused = {
        "nothing": "",
        "no key": "#somewhere",
        "no text": "#record=",
        "other letters": "#record=a+b/",
        "one letter": "#record=A",
        "cut": whole[:-6],
        "no version": pack(b"{}", version=0),
        "no JSON": pack(b"nothing"),
        "a list": pack(b"[1]"),
        "a number": pack(b"1"),
        "null": pack(b"null"),
        "broken text": pack(b'{"a":"\xff"}'),
        "too long": "#record=" + "A" * 8001,
        # Eight kilobytes that decompress to eight megabytes.
        "a bomb": pack(b'{"a":"' + b"a" * 5_000_000 + b'"}'),
    }
    found = ask(script, [{"hash": hash} for hash in refused.values()])
    assert dict(zip(refused, found, strict=True)) == dict.fromkeys(refused, DAMAGED)
    assert ask(script, [{"hash": pack(b"{}", version=2)}]) == [{"reason": "newer", "message": "newer"}]
    assert ask(script, [{"hash": whole}]) == ['{"format":"diamonds"}']


def test_random_damage_never_yields_anything_but_an_object_or_a_refusal(script):
    draw = random.Random(7)
    whole = pack(json.dumps(finished_record("mines", 2)).encode())
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    spoiled = []
    for _ in range(200):
        at = draw.randrange(8, len(whole))
        spoiled.append(whole[:at] + draw.choice(letters) + whole[at + 1 :])
    for answer in ask(script, [{"hash": hash} for hash in spoiled]):
        assert answer["reason"] in ("damaged", "newer") if isinstance(answer, dict) else json.loads(answer)
