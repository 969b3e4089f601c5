"""The tables of docs/measurements.md: one command plays missing matches, keeps them and writes the page."""

import shutil
from pathlib import Path

import pytest

import diamonds
from diamonds.errors import InvalidInputError
from diamonds.lab import experiments
from diamonds.lab.arena import MatchSetup, check_match
from diamonds.lab.pool import OneProcess

pytestmark = pytest.mark.later

PAGE = Path(__file__).parents[1] / "docs" / "measurements.md"
TEST_ROWS = {
    "strength": [experiments.MatchRow("strength", "mines", MatchSetup("mines", ("simple", "random"), {}, 3), 8)],
    "ladder": [
        experiments.MatchRow("ladder", "crystals, 2 players", MatchSetup("crystals", ("simple", "random"), {}, 3), 8),
        experiments.MatchRow("ladder", "mines, 2 players", MatchSetup("mines", ("simple", "random"), {}, 3), 8),
    ],
}


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a copy of the page without results, and three matches to fill it."""
    monkeypatch.setattr(experiments, "EXPERIMENTS", {name: lambda rows=rows: rows for name, rows in TEST_ROWS.items()})
    copy = tmp_path / "measurements.md"
    copy.write_text(PAGE.read_text(encoding="utf-8"), encoding="utf-8")
    return copy


def run_experiments(page: Path, *words: str, scale: float = 0.5) -> list[str]:
    """Return the command's output."""
    said: list[str] = []
    experiments.run_missing(page, words, scale, said.append, OneProcess())
    return said


def test_experiment_tables_replace_only_what_is_between_their_markers(page):
    before = page.read_text(encoding="utf-8")
    assert len(run_experiments(page)) == 4, "expected three matches and a summary"
    after = page.read_text(encoding="utf-8")
    assert after.count("| mines | 4 | +1.00 ± 0.00 | 100.0% ± 0.0% |") == 1
    assert "| game | blocks | simple – random |\n| --- | --- | --- |\n| crystals, 2 players | 4 | +" in after
    assert "\n| mines, 2 players | 4 | +1.00 ± 0.00 |" in after
    assert "| random | -" in after, "expected random answers to be rated below the mean"
    for mark in ("made", "strength", "ladder", "rating"):
        begin, end = f"<!-- {mark} -->\n", f"\n<!-- end {mark} -->"
        before, after = (text.split(begin)[0] + text.split(end)[1] for text in (before, after))
    assert after == before


def test_played_matches_are_not_repeated(page, monkeypatch):
    run_experiments(page, "strength")
    once = page.read_text(encoding="utf-8")
    assert run_experiments(page, "strength") == ["1 rows are in measurements.md."]
    assert len(run_experiments(page, "mines")) == 2, "expected a match for the missing row of mines only"
    assert len(run_experiments(page, "strength", scale=1)) == 2, "expected a match for the higher number of blocks"
    assert "| mines ° | 4 |" not in once
    monkeypatch.setattr(experiments, "source_hash", lambda: "other bots")
    assert len(run_experiments(page, "ladder")) == 3, "expected a match for these bots"
    assert "| mines ° | 8 |" in page.read_text(encoding="utf-8"), "expected a mark at earlier bots"


def test_bot_fingerprint_changes_with_anything_that_affects_play(tmp_path, monkeypatch):
    for room in ("rules", "bots"):
        shutil.copytree(Path(diamonds.__file__).with_name(room), tmp_path / room)
    for name in ("rng.py", "playout.py"):
        shutil.copy(Path(diamonds.__file__).with_name(name), tmp_path)
    monkeypatch.setattr(diamonds, "__file__", str(tmp_path / "__init__.py"))
    was = experiments.source_hash()
    sources = [path for path in tmp_path.rglob("*.*") if path.suffix in (".py", ".npy")]
    assert {path.parent.name for path in sources} >= {"rules", "bots", "search", "games", "mines"}
    for path in sources:
        said = path.read_bytes()
        path.write_bytes(said + b"#")
        assert experiments.source_hash() != was, f"expected a change by {path.relative_to(tmp_path)}"
        path.write_bytes(said)
    assert experiments.source_hash() == was


def test_rows_have_what_a_rating_needs(page):
    run_experiments(page)
    entry = experiments.read_results(page)["ladder", "crystals, 2 players", "simple random"]
    found = experiments.finish_orders(entry)
    assert [len(block) for block in found] == [2] * 4, "expected two games for each block"
    assert {field for block in found for field, _ in block} == {("simple", "random")}
    wins = sum(betters == (0, 1) for block in found for _, betters in block)
    assert wins == pytest.approx(8 * entry["lines"][0]["share"]["mean"])


def test_unknown_row_name_is_rejected(page):
    with pytest.raises(InvalidInputError, match="No table or row begins with “chess”; tables: strength, ladder"):
        run_experiments(page, "chess")


def test_experiments_are_playable_and_have_their_markers_on_the_page():
    rows = [row for make in experiments.EXPERIMENTS.values() for row in make()]
    for row in rows:
        check_match(row.match)
    assert len({experiments.experiment_key(row.table, row.name, row.match.lineup) for row in rows}) == len(rows)
    for table in ("made", *experiments.EXPERIMENTS, "rating"):
        assert PAGE.read_text(encoding="utf-8").count(f"<!-- {table} -->") == 1
    ladder = [row for row in rows if row.table == "ladder"]
    assert {len(row.match.lineup) for row in ladder if row.match.game == "crystals"} == {2, 3, 4, 5, 6}
    assert {row.match.game for row in ladder} == {"crystals", "fourteen", "mines"}
    partners = experiments.one_against_simple("5", "crystals", 6, 1, partnership=True).lineup
    assert partners == ("5", "simple", "simple", "5", "simple", "simple")
