"""The build of the modules and their manifest, which are written into a folder.

A module's name contains its hash, so that clients cache it forever; the manifest has its SHA-256 for verification. Like
any compiled kernel, modules are cached on disk by the `fingerprint` of their functions, so only changed modules are
compiled.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
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
from diamonds.wasm.exports import WasmExport

TEMP_PREFIX = "."  # marks files that are still being written
HASHED_NAME = re.compile(r"[\w-]+-[0-9a-f]{16}\.(wasm|bin)")  # a file that a build has written, never another one
CACHED_VERSIONS = 6  # kept versions of each module
EXPORTS_BY_KIND: dict[str, Callable[[Game], dict[str, WasmExport]]] = {
    PLAY: exports.play_exports,
    SEARCH: exports.search_exports,
    REVIEW: exports.review_exports,
    REASONS: exports.reason_exports,
}


def build(folder: Path, games: Sequence[Game], kinds: Sequence[str]) -> dict[str, Any]:
    """Write the modules of these games into a folder; return the manifest.

    A concurrent reader always finds a manifest and all files that it names: files of the previous manifest stay until
    the next build, which deletes them. Files that no build has written stay.
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
    kept = earlier_files | _files_in(whole_manifest)
    for file in folder.iterdir():
        if HASHED_NAME.fullmatch(file.name) and file.name not in kept:
            file.unlink(missing_ok=True)
    return whole_manifest


def _files_in(manifest_part: Any) -> set[str]:
    """Return the files that a manifest, or a part of one, names."""
    if not isinstance(manifest_part, dict):
        return set()
    return {name for key, value in manifest_part.items() for name in ({value} if key == "file" else _files_in(value))}


def _write_module(folder: Path, name: str, exports: Mapping[str, WasmExport]) -> dict[str, Any]:
    """Write one module; return its file, hash, size, first free address and fingerprint."""
    key, module = compiled_module(name, exports)
    return {**_write_hashed_file(folder, name, ".wasm", module.code), "free": module.heap_start, "made_from": key}


def _write_weights(folder: Path, game: Game) -> dict[str, Any] | None:
    """Write a game's trained weights, if any, as little-endian integers; return file, hash and size."""
    weights = games.adapter_for(game).trained_weights()
    return (
        None
        if weights is None
        else _write_hashed_file(
            folder, f"{game.name}-learned", ".bin", weights.astype(weights.dtype.newbyteorder("<")).tobytes()
        )
    )


def _write_hashed_file(folder: Path, name: str, suffix: str, data: bytes) -> dict[str, Any]:
    """Write a file named by its hash; return its name, hash and size."""
    digest = hashlib.sha256(data).hexdigest()
    file = f"{name}-{digest[:16]}{suffix}"
    _write(folder / file, data)
    return {"file": file, "sha256": digest, "bytes": len(data)}


def _write(path: Path, data: bytes) -> None:
    """Write a file atomically."""
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=TEMP_PREFIX, delete=False) as file:
        file.write(data)
    os.chmod(file.name, 0o644)
    os.replace(file.name, path)


def compiled_module(name: str, exports: Mapping[str, WasmExport]) -> tuple[str, object_file.WasmModule]:
    """Return a module and its fingerprint, from the cache if possible."""
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
    except OSError:  # read-only home: compile every time
        pass
    return key, module


def _make_dir(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    return folder
