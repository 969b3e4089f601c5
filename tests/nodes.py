"""Node, as the page's build finds it, and programs run in it."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).parents[1]


def page_build() -> ModuleType:
    """`web/build.py`."""
    spec = importlib.util.spec_from_file_location("page_build", ROOT / "web" / "build.py")
    assert spec is not None
    assert spec.loader is not None
    build = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(build)
    return build


def node() -> str:
    """The machine's Node, or pip's."""
    found = page_build().npm()
    assert found is not None, "There is no Node, with which the page was built: run `make`."
    path = shutil.which("node", path=found[1])
    assert path is not None, f"npm is there, but no Node in {found[1]}"
    return path


def run(
    script: Path | str, *arguments: str, given: str = "", folder: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a program in Node, in a folder, and wait for its end."""
    command = [node(), str(script), *arguments]
    return subprocess.run(
        command, input=given, capture_output=True, text=True, check=False, encoding="utf-8", cwd=folder
    )
