"""The web build: current types, locked dependencies that are installed when needed, and linted scripts."""

import os

import pytest

from diamonds.server.api.typescript import typescript
from tests.support import node


def test_typescript_types_match_the_api():
    types = node.REPO_ROOT / "web" / "src" / "client" / "types.ts"
    assert types.read_text(encoding="utf-8") == typescript(), "types.ts is out of date: run `make types`."


def test_web_dependencies_are_installed_only_when_not_as_locked(tmp_path, monkeypatch):
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


@pytest.mark.later
def test_scripts_of_the_tests_pass_the_linter():
    """`make lint` does the same, but only if `web/` is installed and Node is on the path."""
    eslint = node.REPO_ROOT / "web" / "node_modules" / "eslint" / "bin" / "eslint.js"
    if not eslint.is_file():
        pytest.skip("ESLint is not installed: run `npm ci` in web/")
    done = node.run_node(eslint, "--config", "web/eslint.config.js", "tests", folder=node.REPO_ROOT)
    assert done.returncode == 0, done.stdout + done.stderr
