"""Pools of the lab: the same results in the same order, in one process, several, or a Ray cluster with losses."""

import contextlib
import itertools
import os
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import NamedTuple

import numpy as np
import pytest

from diamonds.errors import InvalidInputError, NotAllowedError
from diamonds.game import find_game
from diamonds.lab import arena, pool, train
from diamonds.lab.export import ExportSettings, RecordLine, export_records
from diamonds.lab.pool import LocalPool, OneProcess, open_pool
from diamonds.lab.puzzle_journal import MiningJob
from diamonds.lab.simulation import SimulationSetup, simulate_games
from diamonds.terminal.export import plane_encoder
from tests.support.ports import reserve_port

pytestmark = pytest.mark.kernels


class Squares(NamedTuple):
    """A job for tests: adds a number to squares, and fails or kills its process on some tasks."""

    added: int
    failing: int = -1
    killing: int = -1

    def open(self) -> Callable[[int], int]:
        """See `diamonds.lab.pool.Job`."""
        return self.square

    def square(self, task: int) -> int:
        if task == self.killing:
            os.kill(os.getpid(), signal.SIGKILL)
        if task == self.failing:
            raise InvalidInputError("game-no-seat", given=str(task))
        return task * task + self.added


@pytest.mark.parametrize("count", [1, 2])
def test_pool_yields_results_in_order_and_takes_few_tasks_ahead(count):
    taken: list[int] = []

    def tasks() -> Iterator[int]:
        for task in range(40):
            taken.append(task)
            yield task

    with open_pool(count) as workers:
        assert isinstance(workers, OneProcess if count == 1 else LocalPool)
        results = workers.run(Squares(3), tasks())
        assert [next(results) for _ in range(3)] == [3, 4, 7]
        assert len(taken) <= 3 + pool.PENDING_TASKS_PER_WORKER * count
        assert list(results) == [task * task + 3 for task in range(3, 40)]
        assert list(workers.run(Squares(5), [2])) == [9], "expected the second job's result"


@pytest.mark.parametrize("count", [1, 2])
def test_error_of_a_task_is_raised_with_its_message(count):
    with open_pool(count) as workers, pytest.raises(InvalidInputError, match="There is no seat “2”"):
        list(workers.run(Squares(0, failing=2), range(4)))


def test_killed_local_process_ends_the_command():
    with open_pool(2) as workers, pytest.raises(NotAllowedError, match="A process was killed"):
        list(workers.run(Squares(0, killing=2), range(20)))


class FragileMatch(NamedTuple):
    """A match whose worker is killed once, in a block. Each start of a block is recorded in a file."""

    job: arena.MatchJob
    killing: int
    log: Path

    def open(self) -> Callable[[int], arena.BlockResult]:
        """See `diamonds.lab.pool.Job`."""
        play = self.job.open()

        def play_block(block: int) -> arena.BlockResult:
            is_first = f"{block}\n" not in (self.log.read_text() if self.log.exists() else "")
            with self.log.open("a") as log:
                log.write(f"{block}\n")
            if block == self.killing and is_first:
                os.kill(os.getpid(), signal.SIGKILL)
            return play(block)

        return play_block


@contextlib.contextmanager
def ray_node(address: str, *options: str) -> Iterator[subprocess.Popen[str]]:
    """Yield a Ray node with one processor, at a loopback address; its processes form one process group."""
    command = [sys.executable, "-m", "ray.scripts.scripts", "start", "--block", "--num-cpus", "1", *options]
    command += ["--node-ip-address", address, "--disable-usage-stats"]
    node = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True
    )
    try:
        output = []
        while "Ray runtime started" not in (line := node.stdout.readline()):
            output.append(line)
            assert line, f"A node did not start: {''.join(output)}"
        yield node
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(node.pid, signal.SIGKILL)
        node.communicate()


def without_times(block: arena.BlockResult) -> arena.BlockResult:
    return replace(block, times=())


@contextlib.contextmanager
def ray_head(monkeypatch) -> Iterator[str]:
    """Yield the address of a Ray cluster with one node and one processor."""
    pytest.importorskip("ray", reason="Ray is not installed (the extra `ray`)")
    monkeypatch.setenv("RAY_AUTH_MODE", "disabled")  # otherwise Ray would write a token to the home folder
    with reserve_port() as reserved:
        port = str(reserved.getsockname()[1])
    address = "127.0.0.2"  # Ray replaces 127.0.0.1 by the machine's other address
    with (
        tempfile.TemporaryDirectory(prefix="ray-") as folder,  # with a short name, because it contains sockets
        ray_node(address, "--head", "--port", port, "--include-dashboard", "false", "--temp-dir", folder),
    ):
        yield f"{address}:{port}"


@pytest.mark.slow
def test_ray_gives_the_results_of_one_process_though_workers_and_nodes_die(tmp_path, monkeypatch):
    with ray_head(monkeypatch) as address, ray_node("127.0.0.3", "--address", address) as second:
        match = arena.check_match(arena.MatchSetup("crystals", ("2", "simple", "1"), {}, 5))
        simulation = SimulationSetup("fourteen", 3, {"target": 5}, ("simple",) * 3, 7, has_records=True)
        simulation = replace(simulation, options=find_game("fourteen").check_options(3, simulation.options))
        log, blocks = tmp_path / "log", list[arena.BlockResult]()
        with open_pool(ray=address) as workers:
            assert isinstance(workers, pool.RayPool)
            assert workers.worker_count == 2
            with pytest.raises(InvalidInputError, match="There is no seat “2”"):
                list(workers.run(Squares(0, failing=2), range(4)))
            assert list(workers.run(Squares(1), range(500))) == [k * k + 1 for k in range(500)]  # in groups
            for block in workers.run(FragileMatch(arena.MatchJob(match, {}), 4, log), range(24)):
                blocks.append(block)
                if len(blocks) == 8:
                    os.killpg(second.pid, signal.SIGKILL)
            games = list(simulate_games(simulation, 40, workers))
        starts = Counter(log.read_text().split())
        assert starts["4"] > 1, "expected the killed worker's block to be played again"
        assert len(starts) == 24
        assert list(map(without_times, blocks)) == [without_times(arena.play_block(match, k)) for k in range(24)]
        assert games == list(simulate_games(simulation, 40))


@pytest.mark.slow
def test_ray_exports_trains_and_mines_as_one_process_does(tmp_path, monkeypatch):
    monkeypatch.setattr(train, "TABLE_KINDS", ((3, 0), (2, 0)))
    options = find_game("fourteen").check_options(3, {"target": 5})
    simulation = SimulationSetup("fourteen", 3, options, ("simple",) * 3, 7, has_records=True)
    records = [RecordLine(f"game {n}", game.record) for n, game in enumerate(simulate_games(simulation, 20))]

    def results(workers: pool.Pool, folder: Path) -> tuple[object, ...]:
        exported = list(export_records(records, ExportSettings(plane_encoder, worlds=10), workers))
        train.train(folder, 200, 5, workers, out=folder / "weights.npy")
        mined = [game for game, _ in workers.run(MiningJob(1), [("crystals", 0), ("crystals", 1)])]
        return exported, np.load(folder / "weights.npy"), mined

    with ray_head(monkeypatch) as address, open_pool(ray=address) as workers:
        by_ray = results(workers, tmp_path / "ray")
    np.testing.assert_equal(by_ray, results(OneProcess(), tmp_path / "one"))


class ImmediateRay(pool.RayPool):
    """A Ray pool without Ray: does tasks when they are submitted, and records the sizes of groups."""

    def __init__(self) -> None:
        self.worker_count, self.group_sizes = 2, list[int]()

    def submit(self, pickled_job: bytes, task: list[int]) -> object:
        """See `diamonds.lab.pool.RemotePool`."""
        self.group_sizes.append(len(task))
        return pool.do_checked_tasks(pool.versions(), pickled_job, task)

    def result_of(self, handle: object) -> object:
        """See `diamonds.lab.pool.RemotePool`."""
        return handle


@pytest.mark.parametrize(("task_seconds", "most"), [(0.01, 20), (0.15, 1)])
def test_ray_gets_short_tasks_in_groups(monkeypatch, task_seconds, most):
    times = itertools.count(step=task_seconds)  # a group reads the clock twice

    def open_slow(pickled_job: bytes) -> Callable[[int], int]:
        return lambda task: task if next(times) >= 0 else -1

    monkeypatch.setattr(pool, "open_job", open_slow)
    monkeypatch.setattr(pool, "time", SimpleNamespace(perf_counter=lambda: next(times)))
    workers = ImmediateRay()
    assert list(workers.run(Squares(0), range(300))) == list(range(300))
    assert sum(workers.group_sizes) == 300
    assert max(workers.group_sizes) in range(most - 2, most + 1)
    assert workers.group_sizes[:4] == [1, 1, 1, 1], "expected no long message before a task has been timed"
