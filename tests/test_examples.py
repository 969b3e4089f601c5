"""The learning examples: they train for a few seconds, and their networks play as bots."""

import importlib
import sys
from pathlib import Path

import numpy as np
import pytest

from diamonds.lab import arena

pytestmark = [pytest.mark.kernels, pytest.mark.later]

EXAMPLES = Path(__file__).parents[1] / "examples"
BASELINE = EXAMPLES / "ppo.npz"


@pytest.fixture(autouse=True)
def in_examples(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(EXAMPLES))


def play_against_simple(bot: object, blocks: int) -> arena.ArenaResult:
    match = arena.MatchSetup("crystals", ("network", "simple"), {}, seed=5)
    return arena.run_match(match, blocks=blocks, processes=1, bots={"network": bot})[0]


def test_imitation_learns_to_beat_random_players():
    imitation = importlib.import_module("imitation")
    result = imitation.play(imitation.train(60), 4)
    assert result.bot_result("network").margin.mean > 3, "expected a trained network far ahead of random players"


def test_ppo_learns_and_its_network_plays(tmp_path, capsys):
    pytest.importorskip("torch", reason="the extra learn is not installed")
    ppo = importlib.import_module("ppo")
    ppo.train(0.01, file=tmp_path / "ppo.npz")  # one update
    assert "10,752 decisions" in capsys.readouterr().out
    result = play_against_simple(ppo.Network(tmp_path / "ppo.npz"), 2)
    assert result.games == 4


def test_maskable_ppo_learns_and_its_model_plays(tmp_path, capsys):
    pytest.importorskip("sb3_contrib", reason="the extra learn is not installed")
    maskable_ppo = importlib.import_module("maskable_ppo")
    maskable_ppo.train(1700, tables=8, file=tmp_path / "model.zip")  # some updates
    assert "ep_rew_mean" in capsys.readouterr().out, "expected the mean margin of finished games"
    result = play_against_simple(maskable_ppo.Trained(tmp_path / "model.zip"), 2)
    assert result.games == 4


def test_tianshou_learns_and_its_network_plays(tmp_path):
    pytest.importorskip("tianshou", reason="Tianshou is not installed")
    tianshou_dqn = importlib.import_module("tianshou_dqn")
    seen, info = tianshou_dqn.make_env().reset(seed=1)
    assert seen["obs"].shape == (822,)
    assert seen["mask"].any()
    assert info == {}
    tianshou_dqn.train(1, epoch_steps=200, test_games=2, tables=2, file=tmp_path / "network.pt")
    result = play_against_simple(tianshou_dqn.Trained(tmp_path / "network.pt"), 2)
    assert result.games == 4


def test_baseline_is_small_and_plays_without_torch(monkeypatch):
    assert BASELINE.stat().st_size <= 200_000
    monkeypatch.setitem(sys.modules, "torch", None)
    result = play_against_simple(importlib.import_module("ppo").Network(), 10)
    assert result.bot_result("network").margin.mean > 0, "expected the baseline to be ahead of simple"


def test_rewards_of_ppo_add_up_to_the_final_margin():
    ppo = importlib.import_module("ppo")
    batch = ppo.Batch(ppo.GAME, ppo.SEATS, tables=20, seed=2, reward="margin", opponents="simple", planes="float32")
    total, finished = np.zeros(batch.tables), 0
    while finished < 40:
        before = ppo.margins(batch)
        batch.step(batch.random_answers())
        ended = batch.done > 0
        total += np.where(ended, batch.agent_rewards, ppo.margins(batch)) - before
        np.testing.assert_allclose(total[ended], batch.agent_rewards[ended])
        total[ended] = 0
        finished += int(ended.sum())
