"""The web build installs the locked dependencies if they are missing or outdated."""

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
    assert not build.installed(), "expected an installation if nothing is installed"
    noted = tmp_path / "node_modules" / ".package-lock.json"
    noted.parent.mkdir()
    assert not build.installed(), "expected an installation after an interrupted one"
    noted.touch()
    os.utime(noted, (20, 20))
    assert build.installed(), "expected no second installation"
    for name in ("package.json", "package-lock.json"):
        os.utime(tmp_path / name, (30, 30))
        assert not build.installed(), f"expected an installation after a change of {name}"
        os.utime(tmp_path / name, (10, 10))
