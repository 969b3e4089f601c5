"""Records of every variant, kept in `tests/records/`, verify in every later version (R4).

Each line of a file is a record of random play with undos and changes of seats. Lines are never rewritten; `make
update-goldens` only adds variants of new options. If a record no longer verifies, a rule has changed for games that
have already begun: see CONTRIBUTING.md, "Adding or changing a rule".
"""

import json
from pathlib import Path
from typing import Any

import pytest

from diamonds import record_reader, records
from diamonds.errors import DiamondsError
from diamonds.game import GAMES
from tests.support.random_positions import Variant, all_variants, random_entries, start_variant

RECORDS_DIR = Path(__file__).parent / "records"
SHORT_OPTIONS = {
    "crystals": {"rounds": 2},
    "fourteen": {"target": 10},
    "mines": {},
}  # a few hands are as informative as many


def stored_records(game: str) -> list[str]:
    """Return the stored records of a game, one per line."""
    return (RECORDS_DIR / f"{game}.jsonl").read_text(encoding="utf-8").splitlines()


def parse_record(game: str, line: str) -> dict[str, Any]:
    """Return a record as the current program writes it, with defaults for options newer than the record."""
    data: dict[str, Any] = json.loads(line)
    return {**data, "options": GAMES[game].check_options(data["seats"], data["options"])}


def variant_key(seats: int, options: dict[str, Any]) -> str:
    return json.dumps([seats, sorted(options.items())])


def random_record(variant: Variant, seed: int) -> str:
    played = start_variant(variant, seed)
    lines, _ = random_entries(variant, seed)
    record_reader.replay_entries(played, lines)
    return json.dumps(records.to_record(played))


@pytest.mark.later
@pytest.mark.parametrize("game", GAMES)
def test_r4_stored_record_of_every_variant_verifies(game):
    for k, line in enumerate(stored_records(game), 1):
        try:
            played = record_reader.load_record(line)
        except DiamondsError as refusal:
            pytest.fail(f"The record in line {k} of {game}.jsonl does not verify any longer: {refusal}")
        assert played.over
        assert records.to_record(played) == parse_record(game, line), f"line {k} of {game}.jsonl is changed"


@pytest.mark.parametrize("game", GAMES)
def test_stored_records_cover_every_variant(game, request):
    stored = [parse_record(game, line) for line in stored_records(game)]
    there = {variant_key(data["seats"], data["options"]) for data in stored}
    expected = [v._replace(options={**v.options, **SHORT_OPTIONS[game]}) for v in all_variants(game)]
    missing = [v for v in expected if variant_key(v.seats, v.options) not in there]
    if request.config.getoption("--update-goldens"):
        with (RECORDS_DIR / f"{game}.jsonl").open("a", encoding="utf-8") as file:
            file.writelines(f"{random_record(v, seed)}\n" for seed, v in enumerate(missing, len(there)))
        return
    assert not missing, f"{len(missing)} variants have no record, the first {missing[0]}: run `make update-goldens`"
