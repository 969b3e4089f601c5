"""Files of arena runs: a result with every block, so that runs of several machines can be merged into one."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from diamonds import __version__
from diamonds.game import Malformed, find_game
from diamonds.lab.arena import Block, Match, Result, summary
from diamonds.lab.tables import made_of
from diamonds.words import Message

FORMAT = "diamonds arena 1"

# What must be the same in all runs that are merged, as the error names it.
SAME = {
    "game": Message("arena-what-game"),
    "field": Message("arena-what-bots"),
    "options": Message("arena-what-options"),
    "seed": Message("arena-what-seed"),
    "diamonds": Message("arena-what-version"),
    "rules": Message("arena-what-rules"),
    "numpy": Message("arena-what-numpy"),
    "sources": Message("arena-what-sources"),
}


@dataclass(frozen=True)
class Run:
    """Blocks of one match, by number, and the versions that played them."""

    match: Match
    blocks: Mapping[int, Block]
    versions: Mapping[str, Any]
    seconds: float
    gain: float | None = None

    def result(self) -> Result:
        """Return the result of all blocks in their order."""
        found = summary(self.match, [self.blocks[number] for number in sorted(self.blocks)], self.seconds)
        return replace(found, version=self.versions["diamonds"], rules_version=self.versions["rules"])


def versions_of(match: Match) -> dict[str, Any]:
    """Return everything beside the match that decides how its games go."""
    return {
        "diamonds": __version__,
        "rules": find_game(match.game).version,
        "numpy": np.__version__,  # its random numbers may change between versions
        "sources": made_of(),
    }


def new_run(result: Result, played: Sequence[Block], first_block: int, gain: float | None) -> Run:
    """Return the run that `arena.run` has just played."""
    blocks = dict(enumerate(played, first_block))
    return Run(result.match, blocks, versions_of(result.match), result.seconds, gain)


def write(run: Run) -> str:
    """Return a run as JSON, one block a line."""
    head = {"format": FORMAT, **run.result().data(), "versions": dict(run.versions), "gain": run.gain}
    blocks = [json.dumps({"block": number, **asdict(run.blocks[number])}) for number in sorted(run.blocks)]
    return json.dumps(head, indent=1)[:-2] + ',\n "block_results": [\n  ' + ",\n  ".join(blocks) + "\n ]\n}\n"


def read(file: str, text: str) -> Run:
    """Return the run in a file's text; `Malformed` if it is none."""
    try:
        data = json.loads(text)
        if data["format"] != FORMAT:
            raise ValueError("another format")
        match = Match(
            data["match"]["game"], tuple(data["match"]["field"]), data["match"]["options"], data["match"]["seed"]
        )
        blocks = {int(block["block"]): _block(block, len(match.field)) for block in data["block_results"]}
        find_game(match.game).check_options(len(match.field), match.options)
        if len(blocks) < 2 or len(blocks) != len(data["block_results"]):
            raise ValueError("fewer than two blocks, or one of them twice")
        versions = {name: data["versions"][name] for name in ("diamonds", "rules", "numpy", "sources")}
        return Run(match, blocks, versions, float(data["seconds"]), data["gain"])
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise Malformed("arena-no-run", file=file) from None


def _block(data: Mapping[str, Any], seats: int) -> Block:
    """Return a block with one number for each place of the field."""
    margin, place, share = (tuple(map(float, data[name])) for name in ("margin", "place", "share"))
    orders = tuple(tuple(map(int, order)) for order in data["orders"])
    times = tuple(tuple(map(float, each)) for each in data["times"])
    if {len(each) for each in (margin, place, share, orders, times, *orders)} != {seats}:
        raise ValueError("another number of seats")
    return Block(margin, place, share, orders, times)


def merge(runs: Sequence[tuple[str, Run]]) -> Run:
    """Return one run of all blocks. Each run comes with the name of its file, for the errors."""
    first_file, first = runs[0]
    blocks, found_in = dict[int, Block](), dict[int, str]()
    for file, run in runs:
        if run.gain is not None:
            raise Malformed("arena-run-with-gain", file=file)
        for name, what in SAME.items():
            if _same(run)[name] != _same(first)[name]:
                raise Malformed("arena-other-match", file=file, first=first_file, what=what)
        for number, block in run.blocks.items():
            if number in blocks:
                raise Malformed("arena-block-twice", file=file, other=found_in[number], number=number)
            blocks[number], found_in[number] = block, file
    return Run(first.match, blocks, first.versions, sum(run.seconds for _, run in runs))


def _same(run: Run) -> dict[str, Any]:
    return {**asdict(run.match), **run.versions}
