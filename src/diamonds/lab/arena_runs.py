"""Files of arena runs: a result with every block, so that runs on several machines can be merged."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from diamonds import __version__
from diamonds.bots.levels import find_bot
from diamonds.bots.plugins import PluginBot, source_file
from diamonds.code_fingerprint import source_hash
from diamonds.errors import InvalidInputError
from diamonds.game import find_game
from diamonds.i18n import Message
from diamonds.lab.arena import ArenaResult, BlockResult, MatchSetup, summarize

RUN_FORMAT = "diamonds arena 1"

# Keys whose values must be equal in merged runs, with their names in errors.
MERGE_KEYS = {
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
class ArenaRun:
    """Blocks of one match, by number, and the versions that played them."""

    match: MatchSetup
    blocks: Mapping[int, BlockResult]
    versions: Mapping[str, Any]
    seconds: float
    gain: float | None = None

    def result(self) -> ArenaResult:
        """Return the result of all blocks in order."""
        result = summarize(self.match, [self.blocks[number] for number in sorted(self.blocks)], self.seconds)
        return replace(result, version=self.versions["diamonds"], rules_version=self.versions["rules"])


def versions_of(match: MatchSetup) -> dict[str, Any]:
    """Return everything besides the match that determines its games."""
    return {
        "diamonds": __version__,
        "rules": find_game(match.game).version,
        "numpy": np.__version__,  # NumPy's random numbers may change between versions
        "sources": _sources_of(match),
    }


def _sources_of(match: MatchSetup) -> str:
    """Return a hash of the rules and bots, and of the modules of plug-in bots."""
    files = [source_file(bot) for name in match.lineup if isinstance(bot := find_bot(name), PluginBot)]
    if not files:
        return source_hash()
    hashes = [source_hash(), *(hashlib.sha256(file.read_bytes()).hexdigest() for file in files if file is not None)]
    return hashlib.sha256(" ".join(hashes).encode()).hexdigest()[: len(source_hash())]


def new_run(result: ArenaResult, played: Sequence[BlockResult], first_block: int, gain: float | None) -> ArenaRun:
    """Return a run from the results of `arena.run_match`."""
    blocks = dict(enumerate(played, first_block))
    return ArenaRun(result.match, blocks, versions_of(result.match), result.seconds, gain)


def format_run(run: ArenaRun) -> str:
    """Return a run as JSON, one block per line."""
    head = {"format": RUN_FORMAT, **run.result().to_data(), "versions": dict(run.versions), "gain": run.gain}
    blocks = [json.dumps({"block": number, **asdict(run.blocks[number])}) for number in sorted(run.blocks)]
    return json.dumps(head, indent=1)[:-2] + ',\n "block_results": [\n  ' + ",\n  ".join(blocks) + "\n ]\n}\n"


def parse_run(file: str, text: str) -> ArenaRun:
    """Return the run in a file's text, or raise `InvalidInputError`."""
    try:
        data = json.loads(text)
        if data["format"] != RUN_FORMAT:
            raise ValueError("another format")
        match = MatchSetup(
            data["match"]["game"], tuple(data["match"]["field"]), data["match"]["options"], data["match"]["seed"]
        )
        blocks = {int(block["block"]): _parse_block(block, len(match.lineup)) for block in data["block_results"]}
        find_game(match.game).check_options(len(match.lineup), match.options)
        if len(blocks) < 2 or len(blocks) != len(data["block_results"]):
            raise ValueError("fewer than two blocks, or one of them twice")
        versions = {name: data["versions"][name] for name in ("diamonds", "rules", "numpy", "sources")}
        return ArenaRun(match, blocks, versions, float(data["seconds"]), data["gain"])
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise InvalidInputError("arena-no-run", file=file) from None


def _parse_block(data: Mapping[str, Any], seats: int) -> BlockResult:
    """Return a block, which has one number for each lineup entry."""
    margin, place, share = (tuple(map(float, data[name])) for name in ("margin", "place", "share"))
    orders = tuple(tuple(map(int, order)) for order in data["orders"])
    times = tuple(tuple(map(float, each)) for each in data["times"])
    if {len(each) for each in (margin, place, share, orders, times, *orders)} != {seats}:
        raise ValueError("another number of seats")
    return BlockResult(margin, place, share, orders, times)


def merge_runs(runs: Sequence[tuple[str, ArenaRun]]) -> ArenaRun:
    """Merge runs into one with all blocks. Each run comes with the name of its file, for errors."""
    first_file, first = runs[0]
    blocks, file_of_block = dict[int, BlockResult](), dict[int, str]()
    for file, run in runs:
        if run.gain is not None:
            raise InvalidInputError("arena-run-with-gain", file=file)
        for name, message in MERGE_KEYS.items():
            if _merge_values(run)[name] != _merge_values(first)[name]:
                raise InvalidInputError("arena-other-match", file=file, first=first_file, what=message)
        for number, block in run.blocks.items():
            if number in blocks:
                raise InvalidInputError("arena-block-twice", file=file, other=file_of_block[number], number=number)
            blocks[number], file_of_block[number] = block, file
    return ArenaRun(first.match, blocks, first.versions, sum(run.seconds for _, run in runs))


def _merge_values(run: ArenaRun) -> dict[str, Any]:
    return {**run.match.to_data(), **run.versions}
