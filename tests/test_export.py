"""Exported data: every row agrees with the record, the features are a view, and both formats agree."""

import json
import pickle
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from diamonds import deals, records, views
from diamonds.bots import games
from diamonds.bots.analysis import hints
from diamonds.envs.planes import PlaneEncoder
from diamonds.errors import DiamondsError
from diamonds.game import GAMES
from diamonds.lab import export as lab_export
from diamonds.lab.export import DECISION_COLUMNS, GAME_COLUMNS, ExportSettings, RecordLine, replay_record, rows_of
from diamonds.lab.simulation import SimulationSetup, play_interpreted
from diamonds.record_reader import load_record
from diamonds.terminal.export import plane_encoder

pytestmark = pytest.mark.kernels

FOURTEEN = GAMES["fourteen"]
SIMULATION = SimulationSetup(
    "fourteen", 3, FOURTEEN.check_options(3, {"target": 5}), ("simple", "random", "simple"), 3, True, False
)
SETTINGS = ExportSettings(plane_encoder)


@pytest.fixture(scope="module")
def lines() -> list[str]:
    """Return three records."""
    return [play_interpreted(SIMULATION, g).record for g in range(3)]


def game_with_undo() -> records.RecordedGame:
    """Return a game of mines with an undo, a bot that answers for the person, and a bot that takes the other seat."""
    game = GAMES["mines"]
    played = records.start_game(game, 2, {}, deals.seeded_secret(1))
    played.seat_holders, played.times = ["person", "bot:3"], []
    while not played.over:
        seat = game.to_act(played.state)[0]
        played.answer(seat, game.legal(played.state, seat)[-1])
        if len(played.entries) == 3:
            played.undo(seat, 2)
        if len(played.entries) == 8:
            played.append_entry("1 seat bot:5")
    answer_of_person = next(k for k in played.entry_positions[8:] if played.entries[k].startswith("0 "))
    played.entries[answer_of_person] += " by simple"
    played.times = [1_000 * k for k in range(len(played.entries))]
    return played


def test_compiled_and_interpreted_replays_agree(lines):
    for line in lines:
        compiled = lab_export.replay_compiled(json.loads(line))
        interpreted = lab_export.replay_interpreted(load_record(line))
        for name, mine, other in zip(compiled._fields, compiled, interpreted, strict=True):
            assert np.array_equal(mine, other) if isinstance(mine, np.ndarray) else mine == other, name


@pytest.mark.parametrize("has_decisions", [True, False])
def test_rows_stay_the_same_on_their_way_between_processes(lines, has_decisions):
    rows = rows_of(7, RecordLine("here", lines[0]), ExportSettings(plane_encoder, has_decisions=has_decisions))
    copy = pickle.loads(pickle.dumps(rows))
    assert bool(copy.decisions) == has_decisions
    np.testing.assert_equal(copy, rows)
    assert [list(row) for row in copy.decisions] == [list(row) for row in rows.decisions]


def test_decision_rows_are_the_games_decisions(lines):
    played = load_record(lines[0])
    rows = rows_of(7, RecordLine("here", lines[0]), SETTINGS)
    assert list(rows.game) == list(GAME_COLUMNS)
    assert rows.game["scores"] == FOURTEEN.result(played.state)["scores"]
    assert rows.game["levels"] == ["simple", "random", "simple"]
    encoder = PlaneEncoder(FOURTEEN, 3, played.options, "uint8")
    assert len(rows.decisions) == played.n
    seen = lab_export.observations_of(replay_record(lines[0]))
    for n in (0, 1, played.n // 2, played.n - 1):
        row, state = rows.decisions[n], played.at(n).state
        seat, question, answer = played.answers[n]
        assert list(row) == list(DECISION_COLUMNS)
        assert (row["game_id"], row["n"], row["seat"], row["question"]) == (7, n, seat, question)
        assert (row["answer"], row["legal_answers"]) == (str(answer), list(map(str, FOURTEEN.legal(state, seat))))
        assert row["legal_answers"][row["legal"].index(row["action"])] == row["answer"]
        assert row["truth"].tobytes() == state.tobytes()
        view = views.view(FOURTEEN, state, seat, perfect_recall=True)
        observation = np.append(seat, np.frombuffer(view.tobytes(), np.int64))
        assert np.array_equal(seen[n], observation), "expected the view alone behind features and worth"
        assert np.array_equal(row["features"], encoder(observation))


def test_rows_follow_undos_substitutes_and_changes_of_seats():
    played = game_with_undo()
    rows = rows_of(0, RecordLine("here", records.write_record(played)), SETTINGS).decisions
    assert [(row["seat"], row["answer"]) for row in rows] == [(seat, str(answer)) for seat, _, answer in played.answers]
    levels = {row["level"] for row in rows if row["seat"] == 0}
    assert levels == {"person", "simple"}
    assert [row["level"] for row in rows if row["seat"] == 1][-1] == "5"
    assert "3" in [row["level"] for row in rows if row["seat"] == 1][:4]
    for n, position in enumerate(played.entry_positions):
        assert rows[n]["time_ms"] == 1_000 * position
        assert rows[n]["thinking_ms"] == (1_000 if position else None)


def test_worth_is_that_of_hints_and_reviews(lines):
    from diamonds.bots.search import search

    played = load_record(lines[0])
    n = next(n for n in range(played.n) if len(FOURTEEN.legal(played.at(n).state, played.answers[n][0])) > 3)
    seat, state = played.answers[n][0], played.at(n).state
    row = views.view(FOURTEEN, state, seat, perfect_recall=True)
    legal = [k for k in range(52) if int(FOURTEEN.rules.legal(row, seat)) >> k & 1]
    worth, errors = lab_export.answer_worth(FOURTEEN, row, seat, legal, 30, 5)
    candidates = search.candidates_of(FOURTEEN, row, seat)
    values = hints.evaluate_candidates(FOURTEEN, row, seat, candidates, 30, 5).values
    adapter = games.adapter_for(FOURTEEN)
    for answer, value, error in zip(legal, worth, errors, strict=True):
        k = candidates.index(adapter.representative(row, candidates, answer))
        assert (value, error) == hints.mean_and_error(values[:, k])


def test_command_writes_both_formats_and_they_agree(run_cli, tmp_path, lines):
    parquet = pytest.importorskip("pyarrow.parquet")
    (tmp_path / "many.jsonl").write_text("\n".join(lines), encoding="utf-8")
    (tmp_path / "one.json").write_text(records.write_record(game_with_undo()), encoding="utf-8")
    files = [str(tmp_path / "many.jsonl"), str(tmp_path / "one.json")]
    found: dict[str, list[list[dict[str, Any]]]] = {}
    for suffix, processes in (("jsonl", "2"), ("parquet", "1")):
        outputs = [tmp_path / f"games.{suffix}", tmp_path / f"decisions.{suffix}"]
        options = ["--games", str(outputs[0]), "--decisions", str(outputs[1]), "--processes", processes]
        out = run_cli.output("export", *files, *options)
        found[suffix] = [
            parquet.read_table(path).to_pylist()
            if suffix == "parquet"
            else [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
            for path in outputs
        ]
        assert out == f"Written: 4 games, {len(found[suffix][1])} decisions.\n"
    assert found["jsonl"] == found["parquet"]
    assert [row["source"] for row in found["jsonl"][0]] == ["many.jsonl:1", "many.jsonl:2", "many.jsonl:3", "one.json"]
    assert not list(tmp_path.glob(".*")), "expected no unfinished file"


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda line: line.replace('"ended"', '"endet"'), "bad.jsonl:2: The record’s result does not follow"),
        (lambda line: re.sub(r'"checksums":\["....', '"checksums":["0000', line), "bad.jsonl:2: The game diverges at the start"),
        (lambda line: line[:-20], "bad.jsonl:2: The record is not JSON"),
        (lambda line: "[]", "bad.jsonl:2: A record must be a JSON object"),
        (lambda line: line.replace(" play ", " ploy ", 1), "bad.jsonl:2: Entry "),
        (lambda line: records.write_record(records.start_game(FOURTEEN, 3), reveal=True).replace("\n", " "),
         "bad.jsonl:2: The game is not over"),
    ],
)  # fmt: skip
def test_faulty_record_is_named_and_leaves_no_file(run_cli, tmp_path, lines, change, sentence):
    changed = change(lines[1])
    assert changed != lines[1]
    (tmp_path / "bad.jsonl").write_text("\n".join([lines[0], changed]), encoding="utf-8")
    out = tmp_path / "games.jsonl"
    err = run_cli.error("export", str(tmp_path / "bad.jsonl"), "--games", str(out), "--processes", "1")
    assert re.match(sentence, err), err
    assert not list(tmp_path.glob("*games*")), "expected no output"


def test_outputs_are_checked_first(run_cli, tmp_path):
    assert "There is nothing to write" in run_cli("export", "a.jsonl")[2]
    assert "End its name in .jsonl or .parquet" in run_cli("export", "a.jsonl", "--games", str(tmp_path / "a.csv"))[2]
    assert "cannot be read" in run_cli("export", "a.jsonl", "--games", str(tmp_path / "a.jsonl"))[2]
    assert "must be at most" in run_cli("export", "a.jsonl", "--games", "a.jsonl", "--worlds", "999999999")[2]


def test_columns_of_the_lab_page_exist():
    page = (Path(__file__).parents[1] / "docs" / "lab.md").read_text(encoding="utf-8")
    section = page[page.index("## Data for learning") :].partition("\n## ")[0]
    listed = set(re.findall(r"^\| `(\w+)`", section, re.MULTILINE))
    listed |= set(re.findall(r"^\| `\w+`, `(\w+)`", section, re.MULTILINE))
    assert listed == set(DECISION_COLUMNS)
    assert set(re.findall(r'"(\w+)"', re.findall(r"```python\n(.*?)```", section, re.DOTALL)[0])) <= {
        *DECISION_COLUMNS,
        *GAME_COLUMNS,
    }


def test_replay_refuses_an_answer_that_is_not_legal(lines):
    data = json.loads(lines[0])
    first, second = data["entries"][:2]
    data["entries"][:2] = [first, second.rpartition(" ")[0] + " " + first.rpartition(" ")[2]]
    assert lab_export.replay_compiled(data) is None
    with pytest.raises(DiamondsError):
        replay_record(json.dumps(data))
