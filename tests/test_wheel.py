"""The wheel: made where nothing is installed but what pip fetches for it, it plays where nothing else is."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
import venv
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture
def hook(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """What packaging adds, without the packager, who is there in a build alone."""
    name = "hatchling.builders.hooks.plugin.interface"
    for depth in range(5):
        parent = name.rsplit(".", depth)[0]
        monkeypatch.setitem(sys.modules, parent, ModuleType(parent))
    sys.modules[name].BuildHookInterface = dict  # type: ignore[attr-defined]
    spec = importlib.util.spec_from_file_location("hatch_build", ROOT / "hatch_build.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "_builder", lambda: SimpleNamespace(outdated=lambda: False, PAGE=ROOT))
    return module


def test_modules_are_made_with_what_pip_has_fetched_for_the_build(
    hook: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pip leads a build to what it has fetched by PYTHONPATH, and to nothing that is installed."""
    found: list[str] = []

    def look(command: list[str], env: dict[str, str], check: bool) -> None:
        code = "import diamonds, fetched; print(diamonds.__file__, fetched.__file__)"
        found.extend(subprocess.run([command[0], "-c", code], env=env, capture_output=True, text=True).stdout.split())

    (tmp_path / "fetched.py").touch()
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setattr(hook, "subprocess", SimpleNamespace(run=look))
    wheel = hook.CustomBuildHook()
    wheel.initialize("standard", {"force_include": {}})
    wheel.finalize("standard", {}, "")
    assert found == [str(ROOT / "src" / "diamonds" / "__init__.py"), str(tmp_path / "fetched.py")]


@pytest.mark.slow
def test_a_wheel_is_made_from_a_bare_source_and_plays_in_an_empty_environment(tmp_path: Path) -> None:
    """As a host's container makes it; asks the registries of pip and npm."""
    source, empty = tmp_path / "source", tmp_path / "empty"
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(source)], check=True)
    venv.create(empty, with_pip=True)
    pip = [str(empty / "bin" / "python"), "-m", "pip", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "wheel", "--no-deps", "--wheel-dir", str(tmp_path), str(source)], check=True)
    (wheel,) = tmp_path.glob("*.whl")
    subprocess.run([*pip, "install", "-c", str(ROOT / "constraints.txt"), f"{wheel}[table]"], check=True)
    asked = [str(empty / "bin" / "diamonds"), "sim", "mines", "--games", "2", "--bot", "simple", "--json"]
    done = subprocess.run(asked, cwd=tmp_path, env={"HOME": str(tmp_path)}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["games"] == 2
    inside = next(empty.glob("lib/python*/site-packages/diamonds/server"))
    assert (inside / "page" / "index.html").exists(), "a wheel without its page"
    assert (inside / "engine" / "manifest.json").exists(), "a wheel without the modules to play by itself"
