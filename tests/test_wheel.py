"""The wheel: built with pip's build dependencies only, it runs in an empty environment."""

import json
import re
import subprocess
import sys
import urllib.request
import venv
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

import diamonds
from tests.support.node import load_source
from tests.support.ports import reserve_port

pytestmark = pytest.mark.later

ROOT = Path(__file__).parents[1]


@pytest.fixture
def build_hook(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Import the build hook with a stub for hatchling, which only a build installs."""
    name = "hatchling.builders.hooks.plugin.interface"
    for depth in range(5):
        parent = name.rsplit(".", depth)[0]
        monkeypatch.setitem(sys.modules, parent, ModuleType(parent))
    sys.modules[name].BuildHookInterface = dict  # type: ignore[attr-defined]
    module = load_source(ROOT / "hatch_build.py")
    monkeypatch.setattr(module, "page_builder", lambda: SimpleNamespace(outdated=lambda: False, PAGE=ROOT))
    return module


def test_wasm_modules_are_built_with_build_dependencies_only(build_hook, tmp_path, monkeypatch):
    """Pip passes the build dependencies in PYTHONPATH, and hides installed packages, even an editable Diamonds."""
    found = []

    def look(command, cwd, check):
        code = "import diamonds, fetched; print(diamonds.__file__, fetched.__file__)"
        found.extend(subprocess.run([command[0], "-c", code], cwd=cwd, capture_output=True, text=True).stdout.split())

    hide = f"import sys\nsys.path = [path for path in sys.path if path != {str(ROOT / 'src')!r}]\n"
    (tmp_path / "sitecustomize.py").write_text(hide)
    (tmp_path / "fetched.py").touch()
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setattr(build_hook, "subprocess", SimpleNamespace(run=look))
    wheel = build_hook.CustomBuildHook()
    wheel.initialize("standard", {"force_include": {}})
    wheel.finalize("standard", {}, "")
    assert found == [str(ROOT / "src" / "diamonds" / "__init__.py"), str(tmp_path / "fetched.py")]


def get(port: int, path: str, token: str = "", body: object = None) -> bytes:
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}")
    if body is not None:
        request.data = json.dumps(body).encode()
        request.add_header("Content-Type", "application/json")
    if token:
        request.add_header("Authorization", f"Bearer {token}")
    with urllib.request.urlopen(request) as reply:
        return bytes(reply.read())


@pytest.mark.slow
def test_wheel_from_source_archive_works_in_an_empty_environment(tmp_path):
    """Installs as in README.md, with the registries of pip and npm; both archives come from the last commit."""
    source, empty, dist = tmp_path / "source", tmp_path / "empty", tmp_path / "dist"
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(source)], check=True)
    venv.create(empty, with_pip=True)
    python = str(empty / "bin" / "python")
    pip = [python, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "install", "-c", str(ROOT / "constraints.txt"), "build"], check=True)
    subprocess.run(
        [python, "-m", "build", "--outdir", str(dist), str(source)], check=True
    )  # the archive, then its wheel
    venv.create(empty, with_pip=True, clear=True)
    (line,) = re.findall(r"^pip install '(\./\S+\.whl\[\S+\])'", (ROOT / "README.md").read_text(encoding="utf-8"), re.M)
    wanted = line.replace("VERSION", diamonds.__version__)
    subprocess.run([*pip, "install", "-c", str(ROOT / "constraints.txt"), wanted], cwd=dist, check=True)
    subprocess.run([*pip, "check"], check=True)
    environment = {"HOME": str(tmp_path)}

    def said(*command: str) -> str:
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    program = str(empty / "bin" / "diamonds")
    assert said(program, "--version") == said(python, "-m", "diamonds", "--version")
    assert said(program, "--version").startswith(f"diamonds {diamonds.__version__}; ")
    assert json.loads(said(program, "simulate", "mines", "--games", "2", "--bot", "simple", "--json"))["games"] == 2
    inside = next(empty.glob("lib/python*/site-packages/diamonds"))
    assert (inside / "py.typed").exists()
    manifest = json.loads((inside / "server" / "engine" / "manifest.json").read_text(encoding="utf-8"))
    assert set(manifest["games"]) >= {"crystals", "fourteen", "mines"}, "expected the Wasm modules in the wheel"
    kept = reserve_port()
    port = kept.getsockname()[1]
    command = [program, "serve", "--port", str(port), "--data-dir", str(tmp_path / "data")]
    server = subprocess.Popen(command, cwd=tmp_path, env=environment, stdout=subprocess.PIPE, text=True)
    try:
        assert str(port) in server.stdout.readline(), "expected the server's address"
        assert b"<!doctype html" in get(port, "/").lower(), "expected the page in the wheel"
        told = json.loads(get(port, "/engine/manifest.json"))
        assert told["games"].keys() == manifest["games"].keys()
        token = json.loads(get(port, "/api/token", body={}))["token"]
        asked = {"game": "mines", "seats": 2, "places": ["me", "bot:simple"]}
        table = json.loads(get(port, "/api/tables", token, asked))["id"]
        get(port, f"/api/tables/{table}/sit", token, {"nonce": "5eed"})
        assert json.loads(get(port, f"/api/tables/{table}", token))["view"], "expected a deal"
    finally:
        server.terminate()
        server.wait()
        kept.close()
        if server.stdout is not None:
            server.stdout.close()
