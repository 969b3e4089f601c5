"""Simulations: compiled, interpreted and pooled games are the same to the byte, and their records verify."""

import json

import pytest

from diamonds.game import GAMES
from diamonds.lab.simulation import SimulationSetup, game_player, play_interpreted
from diamonds.record_reader import load_record

pytestmark = pytest.mark.kernels


def new_simulation(game: str, bots: tuple[str, ...], **options: object) -> SimulationSetup:
    return SimulationSetup(game, len(bots), GAMES[game].check_options(len(bots), options), bots, -5, has_records=True)


FOURTEEN = new_simulation("fourteen", ("simple", "random", "simple"), target=5)
EVERY_GAME = [
    FOURTEEN,
    pytest.param(new_simulation("crystals", ("simple", "simple", "random", "1")), marks=pytest.mark.slow),
    pytest.param(new_simulation("crystals", ("simple",) * 6, partnership=True, thief=True), marks=pytest.mark.slow),
    pytest.param(new_simulation("fourteen", ("random",) * 6, scoring="bid", bids="sealed"), marks=pytest.mark.slow),
    pytest.param(new_simulation("mines", ("simple", "random")), marks=pytest.mark.slow),
]


@pytest.mark.parametrize("simulation", EVERY_GAME, ids=lambda s: f"{s.game} {s.seats}")
def test_compiled_games_equal_interpreted_ones_and_their_records_verify(simulation):
    play = game_player(simulation)
    for g in (0, 1, 3):
        outcome = play(g)
        assert outcome == play_interpreted(simulation, g)
        played = load_record(outcome.record)
        assert (played.over, played.n) == (True, outcome.n)
        assert played.seat_holders == [f"bot:{name}" for name in simulation.bots]


def test_command_writes_the_same_records_for_any_number_of_processes(run_cli, tmp_path):
    files = []
    for processes in ("1", "2"):
        file = tmp_path / f"{processes}.jsonl"
        options = ["--seats", "3", "--option", "target=5", "--games", "100", "--bot", "simple", "--seed", "7", "--json"]
        out = run_cli.output("simulate", "fourteen", *options, "--records", str(file), "--processes", processes)
        assert json.loads(out)["compiled"]
        files.append(file.read_bytes())
    assert files[0] == files[1]
    assert load_record(files[0].splitlines()[99]).over


def test_records_need_a_name_for_every_bot(run_cli, tmp_path, monkeypatch):
    (tmp_path / "a_bot_with_a_long_name.py").write_text("from diamonds.bots.levels import HeuristicBot as make\n")
    monkeypatch.syspath_prepend(tmp_path)
    file = tmp_path / "records.jsonl"
    command = ["simulate", "mines", "--games", "1", "--bot", "a_bot_with_a_long_name:make", "--records", str(file)]
    code, _, err = run_cli(*command)
    assert (code, file.exists()) == (2, False)
    assert "needs a name at the table" in err
