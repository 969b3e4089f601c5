"""Commands, links, rule numbers and examples in the documentation work."""

from __future__ import annotations

import doctest
import re
import runpy
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

import diamonds
from diamonds import records
from diamonds.game import GAMES, format_option
from diamonds.i18n import DEFAULT_LANGUAGE, languages
from tests.support.random_positions import Variant, random_game

pytestmark = pytest.mark.later

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
# The commands of these pages need a server or take long.
PAGES_TESTED_ELSEWHERE = {*"api.md hosting.md postgresql.md releasing.md lab.md envs.md".split()}


def commands(page: Path) -> list[str]:
    """Return the lines of a page's shell examples, without comments."""
    blocks = re.findall(r"```(?:sh|console|bash)\n(.*?)```", page.read_text(encoding="utf-8"), re.S)
    lines = [line.removeprefix("$ ").split("  #")[0].strip() for block in blocks for line in block.splitlines()]
    return [line for line in lines if line and not line.startswith("#")]


CASES = [(page, line) for page in PAGES if page.name not in PAGES_TESTED_ELSEWHERE for line in commands(page)]


@pytest.mark.parametrize(("page", "line"), CASES, ids=[f"{page.name}: {line}" for page, line in CASES])
def test_command_in_the_docs_runs(page, line, run_cli, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words = shlex.split(line, comments=True)
    if words[0] == "make":
        targets = [word for word in words[1:] if "=" not in word]
        known = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.M)
        assert set(targets) <= set(known), f"{page.name} names a target that the Makefile lacks"
        return
    if words[0] in ("git", "cd", "pip", "docker", "."):
        return  # these start from a fresh clone
    assert words[0] == "diamonds", f"{page.name} shows a command that no test runs: {line}"
    played = random_game(Variant(GAMES["mines"], 2, {}), 1)
    (tmp_path / "game.json").write_text(records.write_record(played), encoding="utf-8")
    (tmp_path / "answers.txt").write_text("", encoding="utf-8")
    if words[1] in ("bench", "serve", "build-site", "arena", "train"):
        words = [*words[:2], "--help"]  # commands that measure or serve have their own tests
    run_cli.output(*words[1:], typed="quit\n")


def test_benchmarks_named_in_the_docs_exist():
    known = set(runpy.run_path(str(ROOT / "bench" / "run.py"))["BENCHMARKS"])
    missing = {part for part in known if not (ROOT / "bench" / f"{part}.py").is_file()}
    assert not missing, f"bench/ has no script for {sorted(missing)}"
    for page in PAGES:
        named = set(re.findall(r"`(?:make bench ARGS=|diamonds bench )(\w+)", page.read_text(encoding="utf-8")))
        assert named <= known, f"{page.name} names unknown benchmarks: {sorted(named - known)}"


RULES = [path.relative_to(ROOT / "docs" / "rules") for path in sorted((ROOT / "docs" / "rules").rglob("*.md"))]
LAST_RULES = {"crystals": ("C", 26), "fourteen": ("F", 12), "mines": ("M", 13)}
DEFAULT_WORDS = {"": {}, "de": {"on": "an", "off": "aus"}}  # the names of defaults on the pages of each language


def test_rules_pages_exist_in_every_language_for_every_game():
    wanted = {Path(f"{name}.md") for name in GAMES}
    wanted |= {Path(language, page) for language in languages() if language != DEFAULT_LANGUAGE for page in wanted}
    assert set(RULES) == wanted, f"missing or superfluous pages: {set(RULES) ^ wanted}"


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_numbered_rules_are_on_their_players_page(rules):
    page = (ROOT / "docs" / "rules" / rules).read_text(encoding="utf-8")
    letter, last = LAST_RULES[rules.stem]
    missing = [f"{letter}{n}" for n in range(1, last + 1) if not re.search(rf"\b{letter}{n}\b", page)]
    assert not missing, f"{rules} does not mention {missing}"
    for option in GAMES[rules.stem].options:
        assert f"`{option.name}" in page, f"{rules} does not explain {option.name}"
    assert max(map(len, page.splitlines())) <= 80, f"{rules} is too wide for a terminal"


@pytest.mark.parametrize("rules", [rules for rules in RULES if rules.stem != "mines"], ids=str)
def test_players_page_has_the_default_of_every_option(rules):
    page = (ROOT / "docs" / "rules" / rules).read_text(encoding="utf-8")
    said = DEFAULT_WORDS[str(rules.parent).strip(".")]
    for option in GAMES[rules.stem].options:
        if option.default_from:
            continue  # explained in a sentence, because the default varies
        rows = [line for line in page.splitlines() if line.startswith(f"| `{option.name}")]
        assert rows, f"{rules} has no row for {option.name}"
        usual = format_option(option.default)
        for row in rows:
            cells = row.replace("`", "").split(" | ")
            assert said.get(usual, usual) in cells, f"{rules} does not name {usual} as the default of {option.name}"


def drawings_and_tables(page: str) -> list[str]:
    """Return what must be equal in every language: drawings, and tables without their words."""
    blocks = re.findall(r"```\n(.*?)```|((?:^\|[^\n]*\n)+)", page, re.S | re.M)
    return [" ".join(re.findall(r"[♦♥♠♣→×−+*\d/]+", "".join(block))) for block in blocks]


@pytest.mark.parametrize("rules", [rules for rules in RULES if rules.parent != Path()], ids=str)
def test_translated_page_has_the_same_headings_numbers_and_figures(rules):
    page, english = (
        (ROOT / "docs" / "rules" / one).read_text(encoding="utf-8") for one in (rules, rules.with_name(rules.name).name)
    )
    heads = [re.findall(r"^(#+) ", text, re.M) for text in (page, english)]
    assert heads[0] == heads[1], f"{rules} has other headings"
    cited = [sorted(re.findall(r"\b[CFMR]\d+\b", text)) for text in (page, english)]
    assert cited[0] == cited[1], f"{rules} cites other rules: {set(cited[0]) ^ set(cited[1])}"
    for ours, theirs in zip(drawings_and_tables(page), drawings_and_tables(english), strict=True):
        assert ours == theirs, f"a table or drawing of {rules} differs: {ours} for {theirs}"


def test_numbered_rules_are_cited_by_the_code():
    for name, (letter, last) in LAST_RULES.items():
        source = (ROOT / "src" / "diamonds" / "rules" / f"{name}.py").read_text(encoding="utf-8")
        spans = re.findall(rf"\b{letter}(\d+)(?:–{letter}(\d+))?", source)
        cited = {n for first, end in spans for n in range(int(first), int(end or first) + 1)}
        missing = set(range(1, last + 1)) - cited
        assert not missing, f"{name}.py cites no {sorted(missing)}"


def test_documented_options_are_public_fields_of_the_same_name():
    for game in GAMES.values():
        fields = {f.name: f for f in game.fields}
        for option in game.options:
            assert fields[option.name].visibility == "public"
            assert re.search(r"\b[CFM]\d", option.rule)


def anchors(page: Path) -> set[str]:
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.S)
    return {re.sub(r"[^\w -]", "", head.lower()).replace(" ", "-") for head in re.findall(r"^#+ (.+)$", text, re.M)}


def test_links_between_pages_resolve():
    for page in PAGES:
        for target, anchor in re.findall(r"\]\(([^)#\s]*)#?([^)\s]*)\)", page.read_text(encoding="utf-8")):
            if "://" not in target:
                linked = page.parent / target if target else page
                assert linked.exists(), f"{page.name} links to {target}, which does not exist"
                assert not anchor or anchor in anchors(linked), (
                    f"{page.name} links to {target}#{anchor}: no such heading"
                )


@pytest.mark.parametrize(
    "page", [page for page in PAGES if page.name not in ("CONTRIBUTING.md", "releasing.md")], ids=lambda page: page.name
)
def test_page_names_what_to_install_before_its_first_command(page):
    before, shown, _ = page.read_text(encoding="utf-8").partition("\ndiamonds ")
    assert not shown or re.search(r"'\S*\[[a-z,]*table[a-z,]*\]'", before), (
        f"{page.name} shows a command and names no extra"
    )


def test_package_example_runs():
    assert doctest.testmod(diamonds).failed == 0


def test_readme_example_prints_what_it_shows():
    [example] = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.S)
    found = doctest.DocTestRunner().run(doctest.DocTestParser().get_doctest(example, {}, "README.md", None, None))
    assert found.attempted >= 3, "expected an example of the library in README.md"
    assert found.failed == 0


def test_no_file_names_an_address_of_a_registry_or_a_path_of_one_machine():
    if not shutil.which("git"):
        pytest.skip("git is not installed")
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True)
    if tracked.returncode:
        pytest.skip("the source is not a git checkout")
    folders = "|".join(re.escape(f"{path}/") for path in (ROOT, Path.home()) if path != path.parent)
    here = re.compile(rf"(?<![\w./-])({folders})")  # not inside another checkout
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
