"""Commands of `diamonds`: replays, verification, simulations, rules and errors."""

import json
import re
import subprocess
import sys
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from diamonds import cli, deals, records, views
from diamonds.errors import DiamondsError
from diamonds.game import GAMES
from diamonds.i18n import rulebook
from diamonds.lab.simulation import SimulationSetup, simulate_games
from diamonds.terminal import save_file, simulate
from diamonds.terminal.arguments import parse_bots
from tests.support.random_positions import Variant, random_game, start_variant
from tests.support.terminal import run_in_terminal

pytestmark = pytest.mark.later

ROOT = Path(__file__).parents[1]


# Replay and verify


def finished_game_file(tmp_path: Path, game: str = "crystals", seats: int = 4) -> tuple[Path, records.RecordedGame]:
    played = random_game(Variant(GAMES[game], seats, {}), 4)
    file = tmp_path / f"{game}.json"
    file.write_text(records.write_record(played), encoding="utf-8")
    return file, played


@pytest.mark.parametrize("game", GAMES)
def test_replay_shows_every_answer(run_cli, tmp_path, game):
    file, played = finished_game_file(tmp_path, game, 2 if game == "mines" else 4)
    out = run_cli.output("replay", str(file))
    assert len(re.findall(r"^ *\d+  \S", out, re.M)) == played.n
    assert played.game.ending_text(played.game.result(played.state)) in out.splitlines()[-1]


def test_r2_replay_for_a_seat_shows_what_that_seat_knew(run_cli, tmp_path):
    played = start_variant(Variant(GAMES["crystals"], 4, {}), 4)
    played.answer(played.game.to_act(played.state)[0], 3)
    for seat in range(4):
        for _ in range(3):
            played.answer(seat, played.game.legal(played.state, seat)[0])
    file = tmp_path / "three.json"
    file.write_text(records.write_record(played, reveal=True), encoding="utf-8")
    _, all_told, _ = run_cli("replay", str(file))
    _, own, _ = run_cli("replay", str(file), "--seat", "1")
    assert own.count("(a secret answer)") == 6, "expected two of three cards of three other players to be hidden"
    assert re.search(r"passes \d+ cards? to Seat 3", own)
    assert not re.search(r"passes \d+ cards? to", all_told)
    for line in own.splitlines():
        assert not re.search(r"Seat [023]: pass", line), f"seat 1 is shown a card that it did not see: {line}"
    assert "Seat 2: pass" in all_told


def test_replay_shows_the_table_after_some_answers(run_cli, tmp_path):
    file, played = finished_game_file(tmp_path)
    _, out, _ = run_cli("replay", str(file), "--at", "12", "--seat", "2")
    view = views.view_data(played.game, views.view(played.game, played.at(12).state, 2))
    assert f"After 12 of {played.n} answers, as Seat 2 sees it" in out
    assert "Your hand: " in out
    assert "’s hand" not in out
    _, out, _ = run_cli("replay", str(file), "--at", "12")
    assert out.count("’s hand: ") == 4
    assert view["round"] == 1
    assert run_cli("replay", str(file), "--at", str(played.n))[0] == 0
    code, _, err = run_cli("replay", str(file), "--at", str(played.n + 1))
    assert (code, len(err.splitlines())) == (2, 1)


def test_record_by_unknown_rules_is_shown_as_it_is_written(run_cli, tmp_path):
    file, played = finished_game_file(tmp_path, "mines", 2)
    data = {**records.to_record(played), "rules_version": 99, "players": ["Ada\x1b[2J", "Ben"]}
    data["options"] = {"volcanoes": True}
    data["entries"] = ["1 erupt DQ", *data["entries"][:20]]
    file.write_text(json.dumps(data), encoding="utf-8")
    sentence = "Played by rules version 99 of mines. This program plays version 1."
    out = run_cli.output("replay", str(file))
    assert "Mines: Ada?[2J, Ben." in out, "expected the players' names without control characters"
    assert sentence in out
    assert "volcanoes true" in out
    assert played.commitment in out
    assert re.findall(r"^ *\d+  (.+)", out, re.M) == data["entries"]
    for more in (["--at", "3"], ["--seat", "1"]):
        assert run_cli("replay", str(file), *more) == (2, "", f"{file.name}: {sentence}\n"), "expected no view"
    assert run_cli("verify", str(file)) == (2, "", f"{file.name}: {sentence}\n")
    file.write_text(json.dumps({**data, "entries": [3]}), encoding="utf-8")
    assert run_cli("replay", str(file))[::2] == (2, f"{file.name}: Entry 0 of the record’s “entries” should be text.\n")


def test_verify_reports_what_was_proven(run_cli, tmp_path):
    file, played = finished_game_file(tmp_path)
    out = run_cli.output("verify", str(file))
    assert deals.commit(played.secret) in out
    assert "all 4 deals" in out
    assert f"All {played.n} answers were legal." in out
    assert out.endswith("Verified.\n")


def test_verify_reports_that_a_fork_had_known_cards(run_cli, tmp_path):
    file, played = finished_game_file(tmp_path)
    _, out, _ = run_cli("verify", str(file))
    assert "cards were known" not in out
    played.fork = records.RecordForkOrigin(played.commitment, 12)
    file.write_text(records.write_record(played), encoding="utf-8")
    out = run_cli.output("verify", str(file))
    assert "The cards were known: this game continues another one after 12 answers." in out


def test_verify_of_an_unfinished_game_goes_as_far_as_the_game(run_cli, home):
    run_cli("play", "crystals", "--seed", "1", typed="1\n")
    out = run_cli.output("verify", str(home / "crystals.json"))
    assert "unfinished" in out
    assert out.endswith("Verified so far.\n")


# Simulations


def test_wilsons_interval_is_the_textbooks():
    low, high = simulate.interval(8, 10)
    assert (round(low, 4), round(high, 4)) == (0.4902, 0.9433)
    low, high = simulate.interval(0, 20)
    assert (low, round(high, 4)) == (0.0, 0.1611)


@pytest.mark.parametrize("bot", ["random", "simple"])
def test_simulation_counts_every_game(run_cli, bot):
    out = run_cli.output("simulate", "mines", "--games", "12", "--bot", bot, "--seed", "3", "--json")
    summary = json.loads(out)
    assert (summary["games"], summary["seats"], summary["compiled"]) == (12, 2, False)
    assert sum(row["win_share"] for row in summary["rows"]) == pytest.approx(1, abs=0.001)
    for row in summary["rows"]:
        assert row["win_share_95"][0] <= row["win_share"] <= row["win_share_95"][1]
    again = json.loads(run_cli("simulate", "mines", "--games", "12", "--bot", bot, "--seed", "3", "--json")[1])
    assert again | {"games_per_second": 0} == summary | {"games_per_second": 0}, "the same seed gave other games"


def test_simulated_game_is_dealt_from_its_seed():
    game = GAMES["fourteen"]
    options = game.check_options(3, {"target": 5})
    simulation = SimulationSetup("fourteen", 3, options, ("simple",) * 3, 40, is_compiled=False)
    many = list(simulate_games(simulation, 3))
    alone = [next(simulate_games(replace(simulation, seed=40 + g), 1)) for g in range(3)]
    assert many == alone, "heuristic bots draw no random numbers, so game g of seed 40 is the first game of seed 40 + g"


def test_compiled_simulation_has_the_averages_of_an_interpreted_one():
    game = GAMES["crystals"]
    options = game.check_options(3)
    fast = simulate.simulate(game, 3, options, ["random"] * 3, 2000, 1)
    assert fast["compiled"]
    slow = simulate.simulate(game, 3, options, ["random"] * 3, 30, 1)
    assert not slow["compiled"]
    for one, other in zip(fast["rows"], slow["rows"], strict=True):
        assert one["mean_score"] == pytest.approx(other["mean_score"], rel=0.1)
    assert fast["plies_per_game"] == pytest.approx(slow["plies_per_game"], rel=0.05)


def test_bots_given_once_play_every_seat_and_several_take_turns():
    assert parse_bots(["random"], 3, GAMES["crystals"]) == ["random"] * 3
    assert parse_bots(["random", "simple"], 3, GAMES["crystals"]) == ["random", "simple", "random"]
    assert parse_bots([], 2, GAMES["crystals"]) == ["simple", "simple"]
    with pytest.raises(DiamondsError):
        parse_bots(["random"] * 3, 2, GAMES["crystals"])


def test_plain_simulation_output_has_a_line_for_every_seat(run_cli):
    _, out, _ = run_cli("simulate", "crystals", "--seats", "2", "--games", "3", "--bot", "simple", "--bot", "random")
    assert re.search(r"^seat 0, bot simple, mean score [\d.]+, win share [\d.]+%, 95% interval ", out, re.M)
    assert re.search(r"^seat 1, bot random, ", out, re.M)
    assert "answers a game" in out


# Other commands


@pytest.mark.parametrize("game", GAMES)
def test_rules_of_every_game_can_be_read(run_cli, game):
    assert run_cli.output("rules", game) == (ROOT / "docs" / "rules" / f"{game}.md").read_text(encoding="utf-8")
    out = run_cli.output("--language", "de", "rules", game)
    assert out == (ROOT / "docs" / "rules" / "de" / f"{game}.md").read_text(encoding="utf-8")


def test_rules_pages_are_in_the_package(tmp_path, monkeypatch):
    built = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]["build"]["targets"][
        "wheel"
    ]
    assert built["force-include"] == {"docs/rules": "diamonds/rulebook"}
    assert rulebook.PAGE_DIRS[0] == Path(cli.__file__).parents[1] / "rulebook"
    monkeypatch.setattr(rulebook, "PAGE_DIRS", (tmp_path, *rulebook.PAGE_DIRS[1:]))
    (tmp_path / "de").mkdir()
    for page in (tmp_path / "mines.md", tmp_path / "de" / "mines.md"):
        page.touch()
        assert rulebook.find_page("mines", page.parent.name) == page, f"{page} is in the package, but not found"


def test_untranslated_rules_are_shown_in_english(tmp_path, monkeypatch):
    (tmp_path / "toy.md").touch()
    monkeypatch.setattr(rulebook, "PAGE_DIRS", (tmp_path,))
    assert rulebook.find_page("toy", "de") == tmp_path / "toy.md"
    assert rulebook.find_page("other", "de") is None


def test_rules_are_laid_out_on_a_terminal():
    shown = run_in_terminal(["rules", "mines"], [], PAGER="cat", LESS="-R")
    assert "Mines" in shown
    assert "On the table" in shown
    assert "# Mines" not in shown


def test_bench_command_needs_the_source_tree(run_cli, tmp_path, monkeypatch):
    (tmp_path / "bench").mkdir()
    (tmp_path / "a" / "b").mkdir(parents=True)
    monkeypatch.setattr(cli, "__file__", str(tmp_path / "a" / "b" / "cli" / "__init__.py"))
    monkeypatch.setattr(sys, "path", list(sys.path))
    assert "part of the source tree" in run_cli.error("bench", "--json")
    assert (Path(__file__).parents[1] / "bench" / "run.py").is_file()
    (tmp_path / "bench" / "run.py").write_text(
        "def main(argv):\n    print('measured', *argv)\n    return 3 if '--fail' in argv else None\n", encoding="utf-8"
    )
    assert run_cli("bench", "--json", "x", "--help") == (0, "measured --json x --help\n", "")
    assert run_cli("bench", "--fail")[0] == 3


@pytest.mark.parametrize("missing", ["typer", "rich"])
def test_missing_typer_or_rich_error_names_what_to_install(missing):
    code = f"import sys; sys.modules[{missing!r}] = None; from diamonds.cli import main; main()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr == "The command line needs Typer and Rich. Install Diamonds with the extra 'table'.\n"


def test_cli_without_arguments_lists_the_commands(run_cli):
    out = run_cli.output()
    for command in ("play", "simulate", "playthrough", "replay", "verify", "rules", "bench"):
        assert re.search(rf"^  {command} ", out, re.M)


@pytest.mark.parametrize(("words", "error"), [
    (["serve", "--data", "x"], "No such option: --data (Possible options: --data-dir, --database). Try: diamonds serve --help\n"),
    (["admin", "move"], "No such command 'move'. Try: diamonds admin --help\n"),
    (["simul", "mines"], "No such command 'simul'. Did you mean 'simulate'? Try: diamonds --help\n"),
])  # fmt: skip
def test_unknown_option_or_command_names_the_help_page(run_cli, words, error):
    assert run_cli(*words) == (2, "", error)


def test_environment_variable_of_an_earlier_name_is_an_error(run_cli, monkeypatch):
    monkeypatch.setenv("DIAMONDS_STORE", "postgresql://diamonds@/diamonds")
    code, out, err = run_cli("rules", "mines")
    assert (code, out) == (2, "")
    assert err == "The environment variable DIAMONDS_STORE is now called DIAMONDS_DATABASE. Rename it.\n"


def test_server_data_dir_is_the_earlier_folder_if_only_that_exists(tmp_path, monkeypatch):
    monkeypatch.setenv("DIAMONDS_HOME", str(tmp_path))
    assert save_file.server_data_dir() == tmp_path / "server"
    (tmp_path / "house").mkdir()
    assert save_file.server_data_dir() == tmp_path / "house"
    (tmp_path / "server").mkdir()
    assert save_file.server_data_dir() == tmp_path / "server"


def test_closed_output_pipe_causes_no_error():
    done = subprocess.run(
        f"{sys.executable} -m diamonds playthrough crystals | head -n 2", shell=True, capture_output=True, text=True
    )
    assert len(done.stdout.splitlines()) == 2
    assert done.stderr == ""
