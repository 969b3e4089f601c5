"""Files of arena runs keep every block, and runs on several machines can be merged."""

import itertools
import json
import re
import time
from types import SimpleNamespace
from typing import Any

import pytest

from diamonds.cli import main
from diamonds.lab import arena, benchmark

pytestmark = pytest.mark.later

MATCH = ("fourteen", "simple", "random", "random", "--seed", "4", "--processes", "1")


@pytest.fixture(autouse=True)
def _fixed_cpu_times(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the k-th decision of a run take k µs, so that reports are repeatable."""
    monkeypatch.setattr(arena, "time", SimpleNamespace(monotonic=time.monotonic, thread_time=lambda: 0.0))
    play_block = arena.play_block

    def play_timed(match: arena.MatchSetup, block: int, own_bots: Any) -> arena.BlockResult:
        ticks = itertools.count(block)
        times = itertools.accumulate(ticks, lambda total, tick: total + tick * 1e-6 / 3, initial=0.0)
        monkeypatch.setattr(arena.time, "thread_time", lambda: next(times))
        return play_block(match, block, own_bots)

    monkeypatch.setattr(arena, "play_block", play_timed)


def run_arena(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    """Return the output of `diamonds arena`."""
    code = main(["arena", *map(str, arguments)])
    out, err = capsys.readouterr()
    assert code == 0, err
    return out


def arena_error(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    """Return the error message of a `diamonds arena` command that must fail."""
    assert main(["arena", *map(str, arguments)]) == 2, "expected an error"
    return capsys.readouterr().err.strip()


def test_merge_reports_what_one_run_reports(tmp_path, capsys):
    whole, early, late, merged = (tmp_path / f"{name}.json" for name in ("whole", "early", "late", "merged"))
    one_run = run_arena(capsys, *MATCH, "--blocks", 5, "--json", whole, "--chart", tmp_path / "whole.svg")
    run_arena(capsys, *MATCH, "--blocks", 3, "--json", early)
    run_arena(capsys, *MATCH, "--blocks", 2, "--first-block", 3, "--json", late)
    several = run_arena(capsys, "--merge", late, early, "--json", merged, "--chart", tmp_path / "merged.svg")
    assert several == one_run
    assert (tmp_path / "merged.svg").read_text() == (tmp_path / "whole.svg").read_text()
    of_whole, of_merged = (json.loads(file.read_text()) for file in (whole, merged))
    assert of_whole.pop("seconds") > 0
    assert of_merged.pop("seconds") > 0
    assert of_merged == of_whole
    assert run_arena(capsys, "--merge", merged) == one_run, "expected a merged file to merge again"


def test_json_file_has_seeds_blocks_and_versions(tmp_path, capsys):
    file = tmp_path / "run.json"
    run_arena(capsys, *MATCH, "--blocks", 2, "--first-block", 7, "--json", file)
    data = json.loads(file.read_text())
    assert data["match"]["seed"] == 4
    assert [block["block"] for block in data["block_results"]] == [7, 8]
    _, blocks = arena.run_match(
        arena.MatchSetup("fourteen", ("simple", "random", "random"), {}, 4), 2, processes=1, first_block=7
    )
    assert [tuple(block["margin"]) for block in data["block_results"]] == [block.margin for block in blocks]
    assert set(data["versions"]) == {"diamonds", "rules", "numpy", "sources"}


@pytest.mark.parametrize(("change", "what"), [
    (lambda data: data["match"].update(seed=5), "the seed"),
    (lambda data: data["match"].update(field=["simple", "simple", "random"]), "the bots"),
    (lambda data: data["match"]["options"].update(target=20), "the options"),
    (lambda data: data["versions"].update(diamonds="another"), "the version of Diamonds"),
    (lambda data: data["versions"].update(rules="another"), "the version of the rules"),
    (lambda data: data["versions"].update(numpy="another"), "the version of NumPy"),
    (lambda data: data["versions"].update(sources="another"), "the source code of rules and bots"),
])  # fmt: skip
def test_merge_refuses_runs_of_another_match_or_other_versions(tmp_path, capsys, change, what):
    one, other = tmp_path / "1.json", tmp_path / "2.json"
    run_arena(capsys, *MATCH, "--blocks", 2, "--json", one)
    run_arena(capsys, *MATCH, "--blocks", 2, "--first-block", 2, "--json", other)
    data = json.loads(other.read_text())
    change(data)
    other.write_text(json.dumps(data))
    assert f"differ in {what}." in arena_error(capsys, "--merge", one, other)


def test_merge_refuses_a_block_twice(tmp_path, capsys):
    one, other = tmp_path / "1.json", tmp_path / "2.json"
    run_arena(capsys, *MATCH, "--blocks", 3, "--json", one)
    run_arena(capsys, *MATCH, "--blocks", 2, "--first-block", 2, "--json", other)
    error = arena_error(capsys, "--merge", one, other)
    assert "both contain block 2. Leave one out, or play other blocks with “--first-block”." in error
    assert "both contain block 0." in arena_error(capsys, "--merge", one, one)


def test_merge_refuses_a_run_that_ended_early(tmp_path, capsys):
    file = tmp_path / "1.json"
    run_arena(capsys, *MATCH, "--blocks", 2, "--gain", "1", "--json", file)
    assert "Play its blocks again without “--gain”." in arena_error(capsys, "--merge", file)


@pytest.mark.parametrize("break_it", [
    lambda data: data.pop("block_results"),
    lambda data: data["block_results"].pop(),
    lambda data: data["block_results"][0].update(block=1),
    lambda data: data["block_results"][0]["margin"].pop(),
    lambda data: data.update(format="diamonds arena 0"),
    lambda data: data.update(match=[]),
    lambda data: data["versions"].pop("numpy"),
])  # fmt: skip
def test_merge_rejects_a_file_without_a_run(tmp_path, capsys, break_it):
    file = tmp_path / "1.json"
    run_arena(capsys, *MATCH, "--blocks", 2, "--json", file)
    data = json.loads(file.read_text())
    break_it(data)
    file.write_text(json.dumps(data))
    assert "is not a result of “diamonds arena --json”." in arena_error(capsys, "--merge", file)


def test_merge_asks_for_files_when_none_is_named(capsys):
    assert arena_error(capsys, "--merge") == (
        "“--merge” needs the files to join. Name them: diamonds arena --merge A.json B.json"
    )


def test_benchmark_measures_each_bot_on_the_same_deals(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(benchmark, "TABLES", benchmark.TABLES[2:])
    monkeypatch.setattr(benchmark, "OPPONENTS", ("random", "simple"))
    file = tmp_path / "benchmark.json"
    out = run_arena(capsys, "--benchmark", "simple", "careless", "--blocks", 2, "--processes", 1, "--json", file)
    assert re.findall(r"^(\w+) · diamonds benchmark 1, 2 blocks", out, re.MULTILINE) == ["simple", "careless"]
    assert re.findall(r"^\| mines \| (\w+) \|", out, re.MULTILINE) == ["random", "random", "simple"]
    simple, careless = json.loads(file.read_text(encoding="utf-8"))
    assert (simple["format"], simple["bot"], len(simple["results"])) == ("diamonds benchmark 1", "simple", 1)
    assert [one["match"]["seed"] for one in careless["results"]] == [903, 903]
    assert careless["results"][0]["versions"].keys() == {"diamonds", "rules", "numpy", "sources"}


def test_benchmark_names_its_protocol():
    """Any change to the games of the protocol requires a new name for it."""
    tables = [tuple(table) for table in benchmark.TABLES]
    assert (benchmark.PROTOCOL, benchmark.OPPONENTS, tables) == (
        "diamonds benchmark 1",
        ("random", "1", "simple", "3", "5"),
        [("crystals", 4, 901), ("fourteen", 4, 902), ("mines", 2, 903)],
    )


def test_benchmark_needs_known_bots(capsys):
    assert "Name them: diamonds arena --benchmark mybot:make" in arena_error(capsys, "--benchmark")
    assert "There is no bot 'deep'" in arena_error(capsys, "--benchmark", "deep")
