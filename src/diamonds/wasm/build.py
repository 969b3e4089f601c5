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
from diamonds.wasm import MANIFEST, PLAY, REASONS, REVIEW, THINKING, kernels, linking, manifest, objects
from diamonds.wasm.kernels import Offered

BEGUN = "."  # how the name of a file begins that somebody is writing, maybe another process
KEPT = 6  # versions of each module on disk
OFFERED: dict[str, Callable[[Game], dict[str, Offered]]] = {
    PLAY: kernels.play,
    THINKING: kernels.thinking,
    REVIEW: kernels.reviewing,
    REASONS: kernels.reasons,
}


def build(folder: Path, games: Sequence[Game], kinds: Sequence[str]) -> dict[str, Any]:
    """Write the modules of these games into a folder; returns the manifest.

    Whoever reads there meanwhile finds a manifest and all that it names: the files of the one before stay until the next.
    """
    path = _made(folder) / MANIFEST
    before = _files(json.loads(path.read_text(encoding="utf-8"))) if path.exists() else set()
    said: dict[str, Any] = {}
    for game in games:
        said[game.name] = manifest.describe(game)
        for kind in kinds:
            said[game.name][kind] = _put(folder, f"{game.name}-{kind}", OFFERED[kind](game))
        if THINKING in kinds:
            said[game.name][THINKING] |= {"learned": _learned(folder, game), **manifest.minds(game)}
        if REVIEW in kinds:
            said[game.name][REVIEW] |= manifest.reviews(game)
        if REASONS in kinds:
            said[game.name][REASONS] |= manifest.reasons(game)
    keys = {name: {kind: said[name][kind]["made_from"] for kind in kinds} for name in said}
    made_from = fingerprint([], json.dumps(keys))
    whole = {"made_from": made_from, **manifest.shared(), "games": said}
    _write(path, json.dumps(whole, ensure_ascii=False).encode())
    for file in folder.iterdir():
        if file.name not in {MANIFEST, *before, *_files(whole)} and not file.name.startswith(BEGUN):
            file.unlink(missing_ok=True)
    return whole


def _files(said: Any) -> set[str]:
    """The files that a manifest names, or a part of it."""
    if not isinstance(said, dict):
        return set()
    return {name for key, value in said.items() for name in ({value} if key == "file" else _files(value))}


def _put(folder: Path, name: str, offered: Mapping[str, Offered]) -> dict[str, Any]:
    """Write one module, and say what it is called, what it should be, and from where on its memory is free."""
    key, module = compiled(name, offered)
    return {**_named(folder, name, ".wasm", module.code), "free": module.free, "made_from": key}


def _learned(folder: Path, game: Game) -> dict[str, Any] | None:
    """Write what training has found about a game, as whole numbers of two bytes, and say what it is called."""
    learned = knowing.of(game).learned()
    return None if learned is None else _named(folder, f"{game.name}-learned", ".bin", learned.astype("<i2").tobytes())


def _named(folder: Path, name: str, ending: str, data: bytes) -> dict[str, Any]:
    """Write a file that is named by what is in it."""
    digest = hashlib.sha256(data).hexdigest()
    file = f"{name}-{digest[:16]}{ending}"
    _write(folder / file, data)
    return {"file": file, "sha256": digest, "bytes": len(data)}


def _write(path: Path, data: bytes) -> None:
    """Write a file: whoever reads it finds all of it."""
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=BEGUN, delete=False) as file:
        file.write(data)
    os.chmod(file.name, 0o644)
    os.replace(file.name, path)


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
        _write(_made(shelf) / path.name, module.free.to_bytes(8, "big") + module.code)
        for old in sorted(shelf.iterdir(), key=lambda kept: kept.stat().st_mtime)[:-KEPT]:
            old.unlink(missing_ok=True)
    except OSError:  # a read-only home: compiled anew every time
        pass
    return key, module


def _made(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    return folder
