"""The command that builds the games' Wasm modules for browsers."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from diamonds import i18n
from diamonds.errors import NotAllowedError, NotFoundError
from diamonds.game import Game
from diamonds.wasm import KINDS, MANIFEST


def build_wasm(games: Sequence[Game], folder: Path, kinds: Sequence[str]) -> None:
    """Build the modules of these games, and print their sizes. Raise `NotAllowedError` without Numba."""
    for kind in kinds:
        if kind not in KINDS:
            raise NotFoundError("terminal-no-module", given=kind, kinds=list(KINDS))
    if not find_spec("numba"):
        raise NotAllowedError("terminal-modules-need-numba")
    command = [sys.executable, "-m", "diamonds.wasm", str(folder)]
    finished = subprocess.run([*command, ",".join(game.name for game in games), ",".join(kinds)], check=False)
    if finished.returncode:
        raise NotAllowedError("terminal-modules-failed", code=finished.returncode)
    manifest_games = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))["games"]
    for game in games:
        for kind in kinds:
            print(
                i18n.translate(
                    "terminal-module",
                    {"game": game.name, "kind": kind, "bytes": manifest_games[game.name][kind]["bytes"]},
                )
            )
