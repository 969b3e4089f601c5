"""Node.js as found by the web build, and scripts run in it."""

from __future__ import annotations

import importlib.util
import json
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

REPO_ROOT = Path(__file__).parents[2]


def load_source(path: Path) -> ModuleType:
    """Import a file that is outside the import path."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def load_web_build() -> ModuleType:
    return load_source(REPO_ROOT / "web" / "build.py")


def node_path() -> str:
    """Return the path of Node: the machine's, or the one from pip."""
    found = load_web_build().npm()
    assert found is not None, "Node, which built the page, is missing: run `make`."
    path = shutil.which("node", path=found[1])
    assert path is not None, f"expected Node beside npm in {found[1]}"
    return path


def run_node(
    script: Path | str, *arguments: str, stdin_text: str = "", folder: Path | None = None
) -> subprocess.CompletedProcess[str]:
    command = [node_path(), str(script), *arguments]
    return subprocess.run(
        command, input=stdin_text, capture_output=True, text=True, check=False, encoding="utf-8", cwd=folder
    )


READ_INPUT = """
let text = ''
for await (const chunk of process.stdin) text += chunk
const given = JSON.parse(text)
"""


def ask(script: str, given: Any, *modules: Path) -> list[Any]:
    """Run a script that uses `given`, with modules as its arguments; return its lines as data."""
    arguments = (module.as_uri() for module in modules)
    done = run_node("--input-type=module", "-e", READ_INPUT + script, *arguments, stdin_text=json.dumps(given))
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


BUNDLE_SCRIPT = """
const { rolldown } = await import(process.argv[1])
const alias = JSON.parse(process.argv[4])
const made = await rolldown({ input: process.argv[2], platform: 'browser', resolve: { alias } })
await made.write({ file: process.argv[3], format: 'esm', codeSplitting: false })
"""


def bundle(module: str, file: Path, replaced: Mapping[str, Path] | None = None) -> Path:
    """Bundle a module of `web/` and its imports, some of them replaced, into one file; return the file."""
    web = REPO_ROOT / "web"
    bundler = web / "node_modules" / "rolldown" / "dist" / "index.mjs"
    assert bundler.is_file(), "expected the web build tools: run `make`"
    alias = json.dumps({name: str(path) for name, path in (replaced or {}).items()})
    done = run_node("--input-type=module", "-e", BUNDLE_SCRIPT, bundler.as_uri(), module, str(file), alias, folder=web)
    assert done.returncode == 0, done.stderr
    return file
