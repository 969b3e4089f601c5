"""Make a release: ``python release.py VERSION [--dry-run] [--check COMMAND]``; `make release` installs its dependencies.

Packages are built in a clone, with its commit and its tag. The repository takes both over at the end, so a release that
fails leaves nothing to undo.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parent
SOURCE = Path("src/diamonds/__init__.py")  # the file that names the version
CHANGELOG = Path("CHANGELOG.md")
SUMS = "SHA256SUMS"
VERSION = re.compile(r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)")
NAMED = re.compile(r'^__version__ = "([^"]*)"$', re.M)
UNRELEASED = re.compile(r"^## Unreleased\n(.*?)(?=^## |\Z)", re.M | re.S)
LATER = ("DIAMONDS_WEB_CLIENT", "DIAMONDS_WASM")  # with these set, a wheel may lack its page or its modules


class ReleaseError(Exception):
    """A reason not to release, as one or two sentences."""


def git(folder: Path, *arguments: str) -> str:
    """Run git and return its output without the final newline."""
    done = subprocess.run(["git", *arguments], cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        raise ReleaseError(f"git {arguments[0]} failed: {done.stderr.strip()}")
    return done.stdout.rstrip("\n")


def run(command: Sequence[str], folder: Path, environment: dict[str, str] | None = None) -> None:
    """Run a command with visible output; raise `ReleaseError` if it fails."""
    if subprocess.run(command, cwd=folder, env=environment, check=False).returncode:
        raise ReleaseError(f"{shlex.join(command)} failed (see above). Nothing was released.")


def numbers(version: str) -> tuple[int, ...]:
    """Return the three numbers of a version, or raise `ReleaseError`."""
    if not VERSION.fullmatch(version):
        raise ReleaseError(f"A version is three numbers, not {version!r}. Try: make release VERSION=0.2.0")
    return tuple(map(int, version.split(".")))


def check_ready(root: Path, version: str) -> str:
    """Return the notes of the release, or raise `ReleaseError` if the repository is not ready."""
    wanted = numbers(version)
    if git(root, "status", "--porcelain"):
        raise ReleaseError("The working tree has changes. Commit or stash them first.")
    git(root, "symbolic-ref", "--short", "HEAD")  # the commit needs a branch
    tags = [tag[1:] for tag in git(root, "tag", "--list", "v*").split() if VERSION.fullmatch(tag[1:])]
    if version in tags:
        raise ReleaseError(f"The tag v{version} exists. Choose a newer version.")
    named = NAMED.findall((root / SOURCE).read_text(encoding="utf-8"))
    newest = max(map(numbers, [*named, *tags]))
    if wanted < newest:
        raise ReleaseError(f"Version {version} is older than {'.'.join(map(str, newest))}. Choose a newer version.")
    section = UNRELEASED.search((root / CHANGELOG).read_text(encoding="utf-8"))
    if section is None or not re.search(r"^- ", section[1], re.M):
        raise ReleaseError(f"{CHANGELOG} has no entry under Unreleased. Write down what changed first.")
    return section[1].strip()


def commit(clone: Path, version: str, notes: str, today: str) -> None:
    """Write the version and the date into a clone, commit them and tag the commit with the notes."""
    source, changelog = clone / SOURCE, clone / CHANGELOG
    text = NAMED.sub(f'__version__ = "{version}"', source.read_text(encoding="utf-8"))
    source.write_text(text, encoding="utf-8")
    heading = f"## Unreleased\n\n## {version} – {today}\n"
    text = changelog.read_text(encoding="utf-8").replace("## Unreleased\n", heading, 1)
    changelog.write_text(text, encoding="utf-8")
    git(clone, "commit", "--quiet", "--all", "--message", f"release: {version}")
    # Headings of the notes begin with #, which git would treat as a comment.
    git(
        clone, "tag", "--annotate", "--cleanup=verbatim", "--message", f"Diamonds {version}\n\n{notes}\n", f"v{version}"
    )


def build_packages(clone: Path, folder: Path) -> None:
    """Build wheel, source archive and npm package of a clone's commit into a folder."""
    environment = {name: value for name, value in os.environ.items() if name not in LATER}
    environment["SOURCE_DATE_EPOCH"] = git(clone, "log", "-1", "--format=%ct")
    environment["PYTHONPATH"] = str(clone / "src")
    # Without isolation, so that the modules are compiled with the pinned compiler.
    python = [sys.executable, "-m"]
    run([*python, "build", "--no-isolation", "--sdist", "--wheel", "--outdir", str(folder)], clone, environment)
    packed = sorted(folder.iterdir())
    run([*python, "twine", "check", "--strict", *map(str, packed)], clone)
    (wheel,) = (path for path in packed if path.suffix == ".whl")
    with zipfile.ZipFile(wheel) as archive:
        engine = [name for name in archive.namelist() if name.startswith("diamonds/server/engine/")]
        archive.extractall(clone / "src", engine)
    with tempfile.TemporaryDirectory() as made:
        run([sys.executable, str(clone / "npm" / "build.py"), made], clone, environment)
        for path in Path(made).glob("*.tgz"):
            shutil.move(path, folder)


def write_sums(folder: Path) -> None:
    """Write the SHA-256 of each file in a folder, as `sha256sum --check` reads them."""
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in sorted(folder.iterdir())]
    (folder / SUMS).write_text("".join(lines), encoding="utf-8")


def make_clone(root: Path, clone: Path) -> None:
    """Clone a repository, with its committer identity."""
    git(root, "clone", "--quiet", "--no-hardlinks", str(root), str(clone))
    for name in ("user.name", "user.email"):
        git(clone, "config", name, git(root, "config", name))


def adopt(root: Path, clone: Path, version: str) -> None:
    """Fetch a clone's commit, then its tag."""
    git(root, "fetch", "--quiet", "--no-tags", str(clone), f"refs/tags/v{version}")
    git(root, "merge", "--quiet", "--ff-only", "FETCH_HEAD")
    git(root, "fetch", "--quiet", str(clone), f"refs/tags/v{version}:refs/tags/v{version}")


def release(root: Path, version: str, check: Sequence[str], dry_run: bool) -> Path:
    """Release a version of a repository; return the folder with its packages."""
    notes = check_ready(root, version)
    start = git(root, "rev-parse", "HEAD")
    run(check, root)
    if git(root, "rev-parse", "HEAD") != start or git(root, "status", "--porcelain"):
        raise ReleaseError("The repository changed during the checks. Nothing was released.")
    result = root / "dist" / version
    with tempfile.TemporaryDirectory() as scratch:
        clone, folder = Path(scratch, "diamonds"), Path(scratch, "packages")
        make_clone(root, clone)
        commit(clone, version, notes, datetime.now(UTC).date().isoformat())
        folder.mkdir()
        build_packages(clone, folder)
        write_sums(folder)
        shutil.rmtree(result, ignore_errors=True)
        shutil.copytree(folder, result)
        if not dry_run:
            adopt(root, clone, version)
    return result


def main(arguments: Sequence[str] | None = None, root: Path = ROOT) -> int:
    """Run the command; return its exit code."""
    parser = argparse.ArgumentParser(prog="release.py", description="Check, build and tag a version.")
    parser.add_argument("version", metavar="VERSION")
    parser.add_argument("--dry-run", action="store_true", help="build the packages, without a commit or a tag")
    parser.add_argument("--check", metavar="COMMAND", default="make check", help="the command that must pass first")
    given = parser.parse_args(arguments)
    try:
        folder = release(root, given.version, shlex.split(given.check), given.dry_run)
    except ReleaseError as reason:
        sys.stderr.write(f"{reason}\n")
        return 1
    for path in sorted(folder.iterdir()):
        sys.stdout.write(f"{path.relative_to(root)}\n")
    told = (
        "Dry run: no commit, no tag." if given.dry_run else f"Tagged v{given.version}. Push it: git push --follow-tags"
    )
    sys.stdout.write(f"{told}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
