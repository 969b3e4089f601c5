"""The modules of the games for browsers, made from the command line."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from diamonds import words
from diamonds.game import Game, Illegal, Unknown
from diamonds.wasm import KINDS, MANIFEST


def build(games: Sequence[Game], folder: Path, kinds: Sequence[str]) -> None:
    """Make the modules of these games, and say how large they are; `Illegal` without Numba."""
    for kind in kinds:
        if kind not in KINDS:
            raise Unknown("terminal-no-module", given=kind, kinds=list(KINDS))
    if not find_spec("numba"):
        raise Illegal("terminal-modules-need-numba")
    command = [sys.executable, "-m", "diamonds.wasm", str(folder)]
    done = subprocess.run([*command, ",".join(game.name for game in games), ",".join(kinds)], check=False)
    if done.returncode:
        raise Illegal("terminal-modules-failed", code=done.returncode)
    made = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))["games"]
    for game in games:
        for kind in kinds:
            print(
                words.say("terminal-module", {"game": game.name, "kind": kind, "bytes": made[game.name][kind]["bytes"]})
            )
