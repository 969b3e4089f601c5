"""The entry point of the build process, which sets Numba up before anything imports it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from diamonds.game import GAMES, find_game
from diamonds.wasm import KINDS, PORTABLE_CODEGEN_ENV


def build_in_subprocess(folder: str, games: Sequence[str] = tuple(GAMES), kinds: Sequence[str] = KINDS) -> None:
    """Write modules into a folder (`diamonds.wasm.build.build`), in a process that has not imported Numba yet."""
    os.environ.update(PORTABLE_CODEGEN_ENV)
    from diamonds.wasm import build

    build.build(Path(folder), [find_game(name) for name in games], kinds)
