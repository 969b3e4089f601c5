"""Write the modules of games, and what a program needs to know of them, into a folder.

A module is named by its contents, so that whoever has it never asks for it again, and is checked against its SHA-256. It is kept on
disk under a `fingerprint` of what its functions say, like any compiled kernel: only what has changed is compiled.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import llvmlite
import numba
import numpy as np

from diamonds import jit
from diamonds.bots import knowing
from diamonds.fingerprint import fingerprint
from diamonds.game import Game
from diamonds.wasm import MANIFEST, PLAY, THINKING, kernels, linking, manifest, objects
from diamonds.wasm.kernels import Offered

KEPT = 6  # versions of each module on disk
OFFERED: dict[str, Callable[[Game], dict[str, Offered]]] = {PLAY: kernels.play, THINKING: kernels.thinking}


def build(folder: Path, games: Sequence[Game], kinds: Sequence[str]) -> dict[str, Any]:
    """Write the modules of these games into a folder, in place of all that lies there; returns the manifest."""
    said: dict[str, Any] = {}
    with tempfile.TemporaryDirectory(dir=_made(folder.parent), prefix=f".{folder.name}-") as making:
        new = Path(making) / "new"
        new.mkdir()
        for game in games:
            said[game.name] = manifest.describe(game)
            for kind in kinds:
                said[game.name][kind] = _put(new, f"{game.name}-{kind}", OFFERED[kind](game))
            if THINKING in kinds:
                said[game.name][THINKING] |= {"learned": _learned(new, game), **manifest.minds(game)}
        keys = {name: {kind: said[name][kind]["made_from"] for kind in kinds} for name in said}
        made_from = fingerprint([], json.dumps(keys))
        whole = {"made_from": made_from, **manifest.shared(), "games": said}
        (new / MANIFEST).write_text(json.dumps(whole, ensure_ascii=False), encoding="utf-8")
        if folder.exists():
            folder.rename(Path(making) / "old")
        new.rename(folder)
    return whole


def _put(folder: Path, name: str, offered: Mapping[str, Offered]) -> dict[str, Any]:
    """Write one module, and say what it is called, what it should be, and from where on its memory is free."""
    key, module = compiled(name, offered)
    digest = hashlib.sha256(module.code).hexdigest()
    file = f"{name}-{digest[:16]}.wasm"
    (folder / file).write_bytes(module.code)
    return {"file": file, "sha256": digest, "bytes": len(module.code), "free": module.free, "made_from": key}


def _learned(folder: Path, game: Game) -> dict[str, Any] | None:
    """Write what training has found about a game, as whole numbers of two bytes, and say what it is called."""
    learned = knowing.of(game).learned()
    if learned is None:
        return None
    data = learned.astype("<i2").tobytes()
    digest = hashlib.sha256(data).hexdigest()
    file = f"{game.name}-learned-{digest[:16]}.bin"
    (folder / file).write_bytes(data)
    return {"file": file, "sha256": digest, "bytes": len(data)}


def compiled(name: str, offered: Mapping[str, Offered]) -> tuple[str, objects.Module]:
    """A module and what it was made from; taken from disk if it is there."""
    versions = f"{numba.__version__} {llvmlite.__version__} {np.__version__} {linking.BESIDES} {linking.ABLE}"
    functions = [each.function for each in offered.values()]
    key = fingerprint([*functions, *jit.MACHINE, linking.link, objects.to_module], versions)
    shelf = jit.home().parent / "modules" / name
    path = shelf / f"{key}.wasm"
    try:
        kept = path.read_bytes()
        return key, objects.Module(kept[8:], int.from_bytes(kept[:8], "big"))
    except FileNotFoundError:
        module = linking.link(offered)
    try:
        handle, new = tempfile.mkstemp(dir=_made(shelf))
        with os.fdopen(handle, "wb") as file:
            file.write(module.free.to_bytes(8, "big") + module.code)
        os.replace(new, path)
        for old in sorted(shelf.iterdir(), key=lambda kept: kept.stat().st_mtime)[:-KEPT]:
            old.unlink(missing_ok=True)
    except OSError:  # a read-only home: compiled anew every time
        pass
    return key, module


def _made(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    return folder
