"""Packaging: one version, correct metadata, and no command that installs another project's package."""

import ast
import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import diamonds

pytestmark = pytest.mark.later

ROOT = Path(__file__).parents[1]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT = PYPROJECT["project"]
NPM = json.loads((ROOT / "npm" / "package.json").read_text(encoding="utf-8"))
DOC_PATTERNS = "README.md CONTRIBUTING.md Makefile docs/**/*.md npm/*.md deploy/**/* src/**/*.py src/**/*.ftl".split()
DOC_TEXTS = {
    path: path.read_text(encoding="utf-8")
    for pattern in DOC_PATTERNS
    for path in sorted(ROOT.glob(pattern))
    if path.is_file()
}


def installed_by(text: str) -> list[str]:
    """Return the arguments of the pip install commands in a text."""
    commands = re.findall(r"\bpip\d? install ([^\n`]*)", text)
    return [word.strip("'\"") for command in commands for word in command.partition("  #")[0].split()]


def test_one_file_names_the_version():
    assert PROJECT["dynamic"] == ["version"]
    source = ROOT / PYPROJECT["tool"]["hatch"]["version"]["path"]
    (named,) = re.findall(r'^__version__ = "(\d+\.\d+\.\d+)"$', source.read_text(encoding="utf-8"), re.M)
    assert named == diamonds.__version__
    page = json.loads((ROOT / "web" / "package.json").read_text(encoding="utf-8"))
    assert not {"version"} & (PROJECT.keys() | NPM.keys() | page.keys()), "expected one place that names the version"


def test_python_m_diamonds_runs_the_command_line():
    done = subprocess.run([sys.executable, "-m", "diamonds", "--version"], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"diamonds {diamonds.__version__}; ")


def test_classifiers_name_the_supported_pythons():
    minors = [int(minor) for minor in re.findall(r"Python :: 3\.(\d+)", "\n".join(PROJECT["classifiers"]))]
    assert PROJECT["requires-python"] == f">=3.{min(minors)}"
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    tried = re.findall(r"python3\.(\d+)", re.search(r"^PYTHONS := (.*)$", makefile, re.M)[1])  # type: ignore[index]
    assert sorted(map(int, tried)) == minors, "expected the same Pythons in the Makefile"
    container = (ROOT / "deploy" / "container" / "Containerfile").read_text(encoding="utf-8")
    assert {int(minor) for minor in re.findall(r"python:3\.(\d+)", container)} <= set(minors)


def test_typed_classifier_has_its_marker_file():
    assert "Typing :: Typed" in PROJECT["classifiers"]
    assert (ROOT / "src" / "diamonds" / "py.typed").is_file(), "expected the marker file that type checkers look for"


def test_sdist_includes_what_building_and_testing_read():
    included = PYPROJECT["tool"]["hatch"]["build"]["targets"]["sdist"]["include"]
    missing = [path for path in included if not (ROOT / path.strip("/")).exists()]
    assert not missing, f"missing: {missing}"
    assert {"/CONTRIBUTING.md", "/CHANGELOG.md", "/constraints.txt", "/Makefile", "/hatch_build.py"} <= set(included)
    assert PROJECT["readme"] == "README.md"


def test_packages_have_one_licence_and_one_author():
    assert NPM["license"] == PROJECT["license"] == "MIT"
    assert [{"name": NPM["author"]}] == PROJECT["authors"]


def test_packages_name_no_url():
    """Diamonds has no home page and no public repository."""
    assert "urls" not in PROJECT
    assert not {"homepage", "repository", "bugs"} & NPM.keys()


def test_no_command_installs_diamonds_by_name():
    wrong = [
        f"{path.relative_to(ROOT)} installs {word}"
        for path, text in DOC_TEXTS.items()
        for word in installed_by(text)
        if re.fullmatch(r"diamonds([\[=<>~!].*)?", word)
    ]
    assert not wrong, f"this name in an index is not ours: {wrong}"
    assert not [path for path, text in DOC_TEXTS.items() if re.search(r"npm install (-\S+ )*diamonds", text)]


def test_commands_install_existing_extras():
    words = [word for text in DOC_TEXTS.values() for word in installed_by(text) if "[" in word and "$" not in word]
    assert {".[table,lab]", "./diamonds-VERSION-py3-none-any.whl[table,lab]"} <= set(words)
    for word in words:
        path, extras = re.fullmatch(r"(\.|\./\S+\.whl)\[([\w,]+)\]", word).groups()  # type: ignore[union-attr]
        unknown = set(extras.split(",")) - PROJECT["optional-dependencies"].keys()
        assert not unknown, f"{path} has no extra {unknown}"


def test_hints_name_existing_extras():
    hints = []
    for path in sorted((ROOT / "src").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and "Install Diamonds with" in node.value:
                hints += re.findall(r"'(\w+)'", node.value.partition("Install Diamonds with")[2])
    for path in (ROOT / "src").rglob("*.ftl"):
        hints += re.findall(r"(?i)\bextra [“„](\w+)[”“]", path.read_text(encoding="utf-8"))
    assert {"data", "envs", "lab", "postgres", "ray", "table", "watch"} == set(hints)
    assert set(hints) <= PROJECT["optional-dependencies"].keys()
