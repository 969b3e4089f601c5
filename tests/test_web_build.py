"""The page is built with what is locked: that is installed where it is missing or was locked otherwise, and else taken as it is there."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.support import node


def test_web_dependencies_are_installed_only_when_not_as_locked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build = node.load_web_build()
    monkeypatch.setattr(build, "WEB", tmp_path)
    for at, name in enumerate(("package.json", "package-lock.json")):
        (tmp_path / name).touch()
        os.utime(tmp_path / name, (10 + at, 10 + at))
    assert not build.installed(), "nothing is there"
    noted = tmp_path / "node_modules" / ".package-lock.json"
    noted.parent.mkdir()
    assert not build.installed(), "an installation that was cut short is taken for a whole one"
    noted.touch()
    os.utime(noted, (20, 20))
    assert build.installed(), "what is there is installed again"
    for name in ("package.json", "package-lock.json"):
        os.utime(tmp_path / name, (30, 30))
        assert not build.installed(), f"{name} is newer than what is there"
        os.utime(tmp_path / name, (10, 10))
