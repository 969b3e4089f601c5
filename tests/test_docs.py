"""What the documentation tells people to type works, and what it names exists."""

from __future__ import annotations

import doctest
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import diamonds
from diamonds import deals, records
from diamonds.game import GAMES, show_option

pytestmark = pytest.mark.later

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
HAS_ITS_OWN_TEST = {"api.md", "hosting.md", "lab.md", "envs.md"}  # they need a server, or take long


def commands(page: Path) -> list[str]:
    """The lines of a page's shell examples, without comments."""
    blocks = re.findall(r"```(?:sh|console|bash)\n(.*?)```", page.read_text(encoding="utf-8"), re.S)
    lines = [line.removeprefix("$ ").split("  #")[0].strip() for block in blocks for line in block.splitlines()]
    return [line for line in lines if line and not line.startswith("#")]


CASES = [(page, line) for page in PAGES if page.name not in HAS_ITS_OWN_TEST for line in commands(page)]


@pytest.mark.parametrize(("page", "line"), CASES, ids=[f"{page.name}: {line}" for page, line in CASES])
def test_a_command_in_the_docs_runs(page: Path, line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DIAMONDS_HOME", str(tmp_path))
    words = shlex.split(line, comments=True)
    if words[0] == "make":
        targets = [word for word in words[1:] if "=" not in word]
        known = re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.M)
        assert set(targets) <= set(known), f"{page.name} names a target that the Makefile lacks"
        return
    if words[0] in ("git", "cd", "pip", "docker", "."):
        return  # getting the program is shown by starting from a fresh clone
    assert words[0] == "diamonds", f"{page.name} shows a command that no test runs: {line}"
    match = records.start(GAMES["mines"], 2, {}, deals.seeded_secret(1))
    while not match.over:
        seat = match.game.to_act(match.state)[0]
        match.answer(seat, match.game.legal(match.state, seat)[0])
    (tmp_path / "game.json").write_text(records.write_record(match), encoding="utf-8")
    (tmp_path / "answers.txt").write_text("", encoding="utf-8")
    if words[1] in ("bench", "serve", "arena", "train"):
        words = [*words[:2], "--help"]  # these measure, or stay; they have tests of their own
    done = subprocess.run(
        [sys.executable, "-m", "diamonds.cli", *words[1:]], input="quit\n", capture_output=True, text=True, cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr


def test_every_numbered_rule_is_on_its_players_page() -> None:
    for name, letter, last in (("crystals", "C", 26), ("fourteen", "F", 12), ("mines", "M", 13)):
        page = (ROOT / "docs" / "rules" / f"{name}.md").read_text(encoding="utf-8")
        missing = [f"{letter}{n}" for n in range(1, last + 1) if not re.search(rf"\b{letter}{n}\b", page)]
        assert not missing, f"{name}.md does not mention {missing}"
        for option in GAMES[name].options:
            assert f"`{option.name}" in page, f"{name}.md does not explain {option.name}"
        assert max(map(len, page.splitlines())) <= 80, f"{name}.md does not fit a terminal"


@pytest.mark.parametrize("name", ["crystals", "fourteen"])
def test_a_players_page_says_what_every_option_usually_is(name: str) -> None:
    page = (ROOT / "docs" / "rules" / f"{name}.md").read_text(encoding="utf-8")
    for option in GAMES[name].options:
        if option.default_by:
            continue  # told in words: it goes by something else
        rows = [line for line in page.splitlines() if line.startswith(f"| `{option.name}")]
        assert rows, f"{name}.md has no row for {option.name}"
        usual = show_option(option.default)
        for row in rows:
            assert usual in row.replace("`", "").split(" | "), f"{name}.md does not say that {option.name} is {usual}"


def test_every_numbered_rule_is_cited_by_the_code_that_keeps_it() -> None:
    for name, letter, last in (("crystals", "C", 26), ("fourteen", "F", 12), ("mines", "M", 13)):
        source = (ROOT / "src" / "diamonds" / "rules" / f"{name}.py").read_text(encoding="utf-8")
        spans = re.findall(rf"\b{letter}(\d+)(?:–{letter}(\d+))?", source)
        cited = {n for first, end in spans for n in range(int(first), int(end or first) + 1)}
        missing = set(range(1, last + 1)) - cited
        allowed = {"crystals": set(), "fourteen": set(), "mines": set()}[name]
        assert missing <= allowed, f"{name}.py cites no {sorted(missing - allowed)}"


def test_every_option_is_a_public_field_of_the_same_name() -> None:
    for game in GAMES.values():
        fields = {f.name: f for f in game.fields}
        for option in game.options:
            assert fields[option.name].who == "public"
            assert re.search(r"\b[CFM]\d", option.rule)


def test_links_between_pages_lead_somewhere() -> None:
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#\s]+)\)", page.read_text(encoding="utf-8")):
            if "://" not in target:
                assert (page.parent / target).exists(), f"{page.name} links to {target}, which is not there"


def test_the_package_example_runs() -> None:
    assert doctest.testmod(diamonds).failed == 0


def test_no_file_names_an_address_of_a_registry_or_a_path_of_one_machine() -> None:
    if not shutil.which("git"):
        pytest.skip("this machine has no git")
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True)
    if tracked.returncode:
        pytest.skip("not a git checkout of one's own")
    folders = "|".join(re.escape(f"{path}/") for path in (ROOT, Path.home()) if path != path.parent)
    here = re.compile(rf"(?<![\w./-])({folders})")  # and not a folder of the same name inside of another
    wrong = []
    for name in tracked.stdout.split():
        path = ROOT / name
        if path.suffix in {".png", ".woff2", ".ico"} or not path.is_file():
            continue
        text = path.read_text(encoding="utf-8", errors="replace")
        if name.endswith(("lock.json", "constraints.txt", ".npmrc")) and re.search(
            r"https?://(?!github\.com/sponsors)[^\"\s]*(/simple|registry|\.tgz)", text
        ):
            wrong.append(f"{name} names where packages came from")
        if here.search(text):
            wrong.append(f"{name} names a folder of one machine")
    assert not wrong, "\n".join(wrong)
