"""Snapshots of the public names: API, command line, settings and the manifest of the Wasm modules.

`make lint` compares them with tests/golden/public; ``python -m tests.support.public_surface --update`` writes them.
"""

from __future__ import annotations

import argparse
import difflib
import json
import os
import sys
import tempfile
import typing
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import Any
from unittest.mock import patch

GOLDEN_DIR = Path(__file__).parents[1] / "golden" / "public"
HELP_COLUMNS = 100
MAX_DIFF_LINES = 30
RENEWAL_HINT = (
    "Public names have changed. If that is intended, run `make update-goldens` and add a line to CHANGELOG.md; "
    "otherwise restore the names."
)


def openapi_document() -> str:
    """Return the OpenAPI document without the version of the program and without examples, which are random values."""
    from litestar.serialization import encode_json

    from diamonds.server.http.app import DiamondsApp
    from diamonds.server.http.litestar_app import complete_openapi_document
    from diamonds.server.storage.sqlite import SqliteStore

    app = DiamondsApp(SqliteStore(), b"k" * 32).litestar_app
    complete_openapi_document(app)
    document = json.loads(encode_json(app.openapi_schema.to_schema()))
    del document["info"]["version"]
    return _json_text(_without_examples(document))


def _without_examples(value: Any) -> Any:
    if isinstance(value, list):
        return [_without_examples(child) for child in value]
    if isinstance(value, dict):
        return {key: _without_examples(child) for key, child in value.items() if key != "examples"}
    return value


def cli_help() -> str:
    """Return the help of every command as shown by a terminal of `HELP_COLUMNS` columns."""
    import typer.main

    from diamonds import cli

    def pages(command: Any, parent: Any, name: str) -> Iterator[str]:
        context = command.context_class(
            command, info_name=name, parent=parent, terminal_width=HELP_COLUMNS, color=False
        )
        yield f"$ {context.command_path} --help\n\n{command.get_help(context)}\n"
        if hasattr(command, "list_commands"):
            for child_name in command.list_commands(context):
                yield from pages(command.get_command(context, child_name), context, child_name)

    return "\n".join(pages(typer.main.get_command(cli.app), None, "diamonds"))


def settings() -> str:
    """Return the keys of server.toml with types and defaults, and the earlier names that are still read."""
    from diamonds.cli import RENAMED_VARIABLES
    from diamonds.server.settings_file import RENAMED_KEYS, TomlSettings

    types = typing.get_type_hints(TomlSettings)
    keys = {
        key: {
            "type": types[key].__name__
            if isinstance(types[key], type) and not typing.get_args(types[key])
            else str(types[key]),
            "default": TomlSettings._field_defaults[key],
        }
        for key in TomlSettings._fields
    }
    return _json_text({"settings": keys, "earlier_settings": RENAMED_KEYS, "earlier_variables": RENAMED_VARIABLES})


def wasm_manifest() -> str:
    """Return the keys of the manifest of the Wasm modules, with the JSON types of their values. Nothing is compiled."""
    from diamonds.game import GAMES
    from diamonds.wasm import KINDS, build
    from diamonds.wasm.object_file import WasmModule

    empty_module = "", WasmModule(b"", 0)
    with tempfile.TemporaryDirectory() as folder, patch.object(build, "compiled_module", return_value=empty_module):
        manifest = build.build(Path(folder), list(GAMES.values()), KINDS)
    types: dict[str, set[str]] = {}
    for game_manifest in manifest.pop("games").values():
        _collect_types(game_manifest, "games.GAME", types)
    _collect_types(manifest, "", types)
    return "".join(f"{key}: {' | '.join(sorted(names))}\n" for key, names in sorted(types.items()))


def _collect_types(value: Any, path: str, types: dict[str, set[str]]) -> None:
    """Add the JSON types of a value and of everything inside it, by path."""
    if path:
        types.setdefault(path, set()).add(_JSON_TYPES[type(value)])
    if isinstance(value, dict):
        is_map = not _MAPS.isdisjoint(path.split("."))
        for key, child in value.items():
            name = "KEY" if is_map else key
            _collect_types(child, f"{path}.{name}" if path else name, types)
    elif isinstance(value, list):
        for child in value:
            _collect_types(child, f"{path}[]", types)


_JSON_TYPES = MappingProxyType(
    {dict: "object", list: "array", str: "string", bool: "boolean", int: "number", float: "number", type(None): "null"}
)
_MAPS = {"efforts", "needs", "default_by"}  # keyed by levels, options, values and numbers of players


def _json_text(value: Any) -> str:
    return json.dumps(value, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


SNAPSHOTS: dict[str, Callable[[], str]] = {
    "openapi.json": openapi_document,
    "cli.txt": cli_help,
    "settings.json": settings,
    "wasm_manifest.txt": wasm_manifest,
}


def differences(folder: Path = GOLDEN_DIR) -> list[str]:
    """Return the lines in which the public names differ from their snapshots."""
    lines: list[str] = []
    for name in [*SNAPSHOTS, *_outdated(folder)]:
        path = folder / name
        before = path.read_text(encoding="utf-8") if path.exists() else ""
        now = SNAPSHOTS[name]() if name in SNAPSHOTS else ""
        diff = difflib.unified_diff(before.splitlines(), now.splitlines(), name, name, "snapshot", "now", 1, "")
        lines += islice(diff, MAX_DIFF_LINES)
    return lines


def update(folder: Path = GOLDEN_DIR) -> None:
    """Write the snapshots."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in _outdated(folder):
        (folder / name).unlink()
    for name, snapshot in SNAPSHOTS.items():
        (folder / name).write_text(snapshot(), encoding="utf-8")


def _outdated(folder: Path) -> list[str]:
    """Return the names of files that belong to no snapshot."""
    return sorted({path.name for path in folder.iterdir()} - set(SNAPSHOTS)) if folder.exists() else []


def main() -> int:
    """Check or update the snapshots. Return 1 if they differ."""
    parser = argparse.ArgumentParser(
        description="Compare the public names with their snapshots in tests/golden/public."
    )
    parser.add_argument("--update", action="store_true", help="rewrite the snapshots instead")
    if parser.parse_args().update:
        update()
        return 0
    changes = differences()
    if changes:
        sys.stdout.write("\n".join([*changes, RENEWAL_HINT, ""]))
    return 1 if changes else 0


if __name__ == "__main__":
    os.environ["LC_ALL"] = "C.UTF-8"
    sys.exit(main())
