"""Releases: preconditions, results, and failed and dry runs, which change nothing."""

import hashlib
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from tests.support.node import load_source

pytestmark = pytest.mark.later

ROOT = Path(__file__).parents[1]
CHANGELOG_TEXT = (
    "# Changelog\n\n## Unreleased\n\n### Added\n\n- Something new.\n\n## 0.1.0 – 2026-01-01\n\n- The first.\n"
)
UNTRACKED_FILE = "new.txt"


@pytest.fixture
def tool() -> ModuleType:
    return load_source(ROOT / "release.py")


@pytest.fixture
def root(tool: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Create a small repository with one release, whose packages consist of one file."""
    if shutil.which("git") is None:
        pytest.skip("git is missing")
    for name in ("GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM"):
        monkeypatch.setenv(name, str(tmp_path / "no-config"))
    root = tmp_path / "repository"
    (root / "src" / "diamonds").mkdir(parents=True)
    (root / "src" / "diamonds" / "__init__.py").write_text('__version__ = "0.1.0"\n', encoding="utf-8")
    (root / "CHANGELOG.md").write_text(CHANGELOG_TEXT, encoding="utf-8")
    (root / ".gitignore").write_text("dist/\n", encoding="utf-8")
    tool.git(root, "init", "--quiet")
    for setting in (("user.name", "Ann"), ("user.email", "ann@example.org")):
        tool.git(root, "config", *setting)
    tool.git(root, "add", "--all")
    tool.git(root, "commit", "--quiet", "--message", "the first")
    tool.git(root, "tag", "v0.1.0")

    def build(clone: Path, folder: Path) -> None:
        text = (clone / "src" / "diamonds" / "__init__.py").read_text(encoding="utf-8")
        (folder / "package").write_text(text, encoding="utf-8")

    monkeypatch.setattr(tool, "build_packages", build)
    return root


def repository_state(tool: ModuleType, root: Path) -> list[object]:
    """Return the commits, tags and files of a repository, except the file that makes it dirty."""
    files = [
        path for path in root.rglob("*") if path.is_file() and ".git" not in path.parts and path.name != UNTRACKED_FILE
    ]
    texts = {path: path.read_bytes() for path in files}
    return [tool.git(root, "log", "--all", "--format=%H"), tool.git(root, "tag", "--list"), texts]


def commit_file(name: str, text: str) -> Callable[[ModuleType, Path], None]:
    def deed(tool: ModuleType, root: Path) -> None:
        (root / name).write_text(text, encoding="utf-8")
        tool.git(root, "commit", "--quiet", "--all", "--message", "a change")

    return deed


def leave_dirty(tool: ModuleType, root: Path) -> None:
    (root / UNTRACKED_FILE).touch()


@pytest.mark.parametrize(
    ("before", "version", "check", "sentence"),
    [
        (None, "v0.2", "true", "A version is three numbers, not 'v0.2'. Try: make release VERSION=0.2.0"),
        (None, "0.1.0", "true", "The tag v0.1.0 exists. Choose a newer version."),
        (None, "0.0.9", "true", "Version 0.0.9 is older than 0.1.0. Choose a newer version."),
        (leave_dirty, "0.2.0", "true", "The working tree has changes. Commit or stash them first."),
        (
            commit_file("CHANGELOG.md", CHANGELOG_TEXT.replace("- Something new.\n", "")),
            "0.2.0",
            "true",
            "CHANGELOG.md has no entry under Unreleased. Write down what changed first.",
        ),
        (None, "0.2.0", "false", "false failed (see above). Nothing was released."),
        (None, "0.2.0", f"touch {UNTRACKED_FILE}", "The repository changed during the checks. Nothing was released."),
    ],
    ids=["wrong-version", "tag", "older", "dirty", "empty-section", "checks", "changed-by-checks"],
)
def test_release_is_refused_with_a_reason(before, version, check, sentence, tool, root, capfd):
    if before:
        before(tool, root)
    kept = repository_state(tool, root)
    assert tool.main([version, "--check", check], root) == 1
    assert capfd.readouterr().err == f"{sentence}\n"
    assert repository_state(tool, root) == kept, "a rejected release changed something"


def test_release_commits_tags_and_writes_checksums(tool, root, capsys):
    assert tool.main(["0.2.0", "--check", "true"], root) == 0, capsys.readouterr().err
    assert tool.git(root, "status", "--porcelain") == ""
    assert tool.git(root, "log", "--format=%s|%an|%ae").splitlines()[0] == "release: 0.2.0|Ann|ann@example.org"
    assert tool.git(root, "rev-parse", "v0.2.0^{commit}") == tool.git(root, "rev-parse", "HEAD")
    assert tool.git(root, "cat-file", "-t", "v0.2.0") == "tag"
    told = tool.git(root, "tag", "--list", "--format=%(contents)", "v0.2.0")
    assert told.strip() == "Diamonds 0.2.0\n\n### Added\n\n- Something new."
    changes = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.search(r"## Unreleased\n\n## 0\.2\.0 – \d{4}-\d\d-\d\d\n\n### Added\n\n- Something new\.\n", changes)
    package = root / "dist" / "0.2.0" / "package"
    assert package.read_text(encoding="utf-8") == '__version__ = "0.2.0"\n', "the packages have another version"
    sums = (package.parent / "SHA256SUMS").read_text(encoding="utf-8")
    assert sums == f"{hashlib.sha256(package.read_bytes()).hexdigest()}  package\n"
    out = capsys.readouterr().out.splitlines()
    assert out == ["dist/0.2.0/SHA256SUMS", "dist/0.2.0/package", "Tagged v0.2.0. Push it: git push --follow-tags"]
    assert tool.main(["0.3.0", "--check", "true"], root) == 1, "expected an empty section after a release"


def test_dry_run_builds_without_a_commit_or_a_tag(tool, root):
    before = repository_state(tool, root)
    assert tool.main(["0.2.0", "--check", "true", "--dry-run"], root) == 0
    assert (root / "dist" / "0.2.0" / "package").read_text(encoding="utf-8") == '__version__ = "0.2.0"\n'
    shutil.rmtree(root / "dist")
    assert repository_state(tool, root) == before


def test_failed_build_leaves_the_repository_as_it_was(tool, root, monkeypatch):
    before = repository_state(tool, root)
    monkeypatch.setattr(tool, "build_packages", lambda clone, folder: tool.run(["false"], clone))
    assert tool.main(["0.2.0", "--check", "true"], root) == 1
    assert repository_state(tool, root) == before


@pytest.mark.slow
def test_same_commit_makes_the_same_packages(tool, tmp_path):
    """Builds the real packages twice, using npm's registry. A wheel from the source archive is the same."""
    for library in ("build", "hatchling", "twine"):
        pytest.importorskip(library)
    for number in (1, 2):
        clone, folder = tmp_path / f"clone{number}", tmp_path / f"packages{number}"
        tool.git(ROOT, "clone", "--quiet", str(ROOT), str(clone))
        folder.mkdir()
        tool.build_packages(clone, folder)
        tool.write_sums(folder)
    one, other = ((tmp_path / f"packages{number}" / "SHA256SUMS").read_text() for number in (1, 2))
    assert one == other
    assert re.findall(r"  (.*)\n", one) == [
        f"diamonds-{tool_version(clone)}-py3-none-any.whl",
        f"diamonds-{tool_version(clone)}.tar.gz",
        f"diamonds-engine-{tool_version(clone)}.tgz",
    ]


def tool_version(clone: Path) -> str:
    """Return the version that a source tree names."""
    text = (clone / "src" / "diamonds" / "__init__.py").read_text(encoding="utf-8")
    return re.search(r'__version__ = "(.*)"', text)[1]  # type: ignore[index]
