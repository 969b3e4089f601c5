"""Training of the policy of crystals on the command line, with a progress bar."""

from __future__ import annotations

from pathlib import Path

from diamonds.bots import kernels
from diamonds.bots.games.crystals import trained_policy
from diamonds.i18n import Message
from diamonds.lab import train as lab_train
from diamonds.lab.pool import Pool
from diamonds.terminal.screen import progress_bar


def train(folder: Path, rounds: int | None, seed: int, pool: Pool, out: Path | None) -> Path:
    """Train, with a progress bar if stderr is a terminal; return the file written."""
    kernels.require(Message("terminal-no-training"))
    file = out or trained_policy.WEIGHTS_FILE
    with progress_bar("rounds") as progress:
        lab_train.train(folder, rounds or lab_train.ROUNDS_PER_KIND, seed, pool, progress, file)
    return file
