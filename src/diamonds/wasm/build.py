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
from diamonds.bots import games
from diamonds.code_fingerprint import fingerprint
from diamonds.game import Game
from diamonds.wasm import MANIFEST, PLAY, REASONS, REVIEW, SEARCH, exports, linker, manifest, object_file
from diamonds.wasm.exports import Export

TEMP_PREFIX = "."  # how the name of a file begins that somebody is writing, maybe another process
CACHED_VERSIONS = 6  # versions of each module on disk
EXPORTS_BY_KIND: dict[str, Callable[[Game], dict[str, Export]]] = {
    PLAY: exports.play_exports,
    SEARCH: exports.search_exports,
    REVIEW: exports.review_exports,
    REASONS: exports.reason_exports,
}


def build(folder: Path, games: Sequence[Game], kinds: Sequence[str]) -> dict[str, Any]:
    """Write the modules of these games into a folder; returns the manifest.

    Whoever reads there meanwhile finds a manifest and all that it names: the files of the one before stay until the next.
    """
    path = _make_dir(folder) / MANIFEST
    earlier_files = _files_in(json.loads(path.read_text(encoding="utf-8"))) if path.exists() else set()
    game_manifests: dict[str, Any] = {}
    for game in games:
        game_manifests[game.name] = manifest.game_data(game)
        for kind in kinds:
            game_manifests[game.name][kind] = _write_module(folder, f"{game.name}-{kind}", EXPORTS_BY_KIND[kind](game))
        if SEARCH in kinds:
            game_manifests[game.name][SEARCH] |= {"learned": _write_weights(folder, game), **manifest.search_data(game)}
        if REVIEW in kinds:
            game_manifests[game.name][REVIEW] |= manifest.review_data(game)
        if REASONS in kinds:
            game_manifests[game.name][REASONS] |= manifest.reason_data(game)
    keys = {name: {kind: game_manifests[name][kind]["made_from"] for kind in kinds} for name in game_manifests}
    made_from = fingerprint([], json.dumps(keys))
    whole_manifest = {"made_from": made_from, **manifest.common_data(), "games": game_manifests}
    _write(path, json.dumps(whole_manifest, ensure_ascii=False).encode())
    for file in folder.iterdir():
        if file.name not in {MANIFEST, *earlier_files, *_files_in(whole_manifest)} and not file.name.startswith(
            TEMP_PREFIX
        ):
            file.unlink(missing_ok=True)
    return whole_manifest


def _files_in(manifest_part: Any) -> set[str]:
    """The files that a manifest names, or a part of it."""
    if not isinstance(manifest_part, dict):
        return set()
    return {name for key, value in manifest_part.items() for name in ({value} if key == "file" else _files_in(value))}


def _write_module(folder: Path, name: str, exports: Mapping[str, Export]) -> dict[str, Any]:
    """Write one module, and say what it is called, what it should be, and from where on its memory is free."""
    key, module = compiled_module(name, exports)
    return {**_write_hashed_file(folder, name, ".wasm", module.code), "free": module.heap_start, "made_from": key}


def _write_weights(folder: Path, game: Game) -> dict[str, Any] | None:
    """Write what training has found about a game, as whole numbers of two bytes, and say what it is called."""
    weights = games.adapter_for(game).trained_weights()
    return (
        None
        if weights is None
        else _write_hashed_file(folder, f"{game.name}-learned", ".bin", weights.astype("<i2").tobytes())
    )


def _write_hashed_file(folder: Path, name: str, suffix: str, data: bytes) -> dict[str, Any]:
    """Write a file that is named by what is in it."""
    digest = hashlib.sha256(data).hexdigest()
    file = f"{name}-{digest[:16]}{suffix}"
    _write(folder / file, data)
    return {"file": file, "sha256": digest, "bytes": len(data)}


def _write(path: Path, data: bytes) -> None:
    """Write a file: whoever reads it finds all of it."""
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=TEMP_PREFIX, delete=False) as file:
        file.write(data)
    os.chmod(file.name, 0o644)
    os.replace(file.name, path)


def compiled_module(name: str, exports: Mapping[str, Export]) -> tuple[str, object_file.WasmModule]:
    """A module and what it was made from; taken from disk if it is there."""
    versions = f"{numba.__version__} {llvmlite.__version__} {np.__version__} {linker.RUNTIME_IR} {linker.WASM_FEATURES}"
    functions = [export.function for export in exports.values()]
    key = fingerprint([*functions, *jit.BIT_INTRINSICS, linker.link_module, object_file.module_from_object], versions)
    module_cache = jit.cache_dir().parent / "modules" / name
    path = module_cache / f"{key}.wasm"
    try:
        cached = path.read_bytes()
        return key, object_file.WasmModule(cached[8:], int.from_bytes(cached[:8], "big"))
    except FileNotFoundError:
        module = linker.link_module(exports)
    try:
        _write(_make_dir(module_cache) / path.name, module.heap_start.to_bytes(8, "big") + module.code)
        for outdated in sorted(module_cache.iterdir(), key=lambda cached: cached.stat().st_mtime)[:-CACHED_VERSIONS]:
            outdated.unlink(missing_ok=True)
    except OSError:  # a read-only home: compiled anew every time
        pass
    return key, module


def _make_dir(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    return folder
