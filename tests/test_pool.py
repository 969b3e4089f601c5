"""Pools of the lab: the same results in the same order, in this process, in several, and on a Ray cluster that loses workers."""

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest

from diamonds.errors import InvalidInputError, NotAllowedError
from diamonds.game import find_game
from diamonds.lab import arena, pool
from diamonds.lab.pool import LocalPool, OneProcess, open_pool
from diamonds.lab.simulation import SimulationSetup, simulate_games
from tests.support.ports import reserve_port

pytestmark = pytest.mark.kernels


class Squares(NamedTuple):
    """A job for tests: it adds a number to squares, and fails or kills its process at some tasks."""

    added: int
    failing: int = -1
    killing: int = -1

    def open(self) -> Callable[[int], int]:
        """See `diamonds.lab.pool.Job`."""
        return self.square

    def square(self, task: int) -> int:
        """Return the square."""
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
    """A match whose worker is killed once, in a block. Each start of a block is noted in a file."""

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
    """Yield a Ray node with one processor, at a loopback address; its processes are one process group."""
    command = [sys.executable, "-m", "ray.scripts.scripts", "start", "--block", "--num-cpus", "1", *options]
    command += ["--node-ip-address", address, "--disable-usage-stats"]
    node = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True
    )
    try:
        assert node.stdout is not None
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
    """Return a block's result without CPU times."""
    return replace(block, times=())


@pytest.mark.slow
def test_ray_gives_the_results_of_one_process_though_workers_and_nodes_die(tmp_path, monkeypatch):
    pytest.importorskip("ray", reason="Ray is not installed (the extra `ray`)")
    monkeypatch.setenv("RAY_AUTH_MODE", "disabled")  # otherwise Ray writes a token into the home folder
    with reserve_port() as reserved:
        port = reserved.getsockname()[1]
    address = f"127.0.0.2:{port}"  # Ray replaces 127.0.0.1 by the machine's other address
    with (
        tempfile.TemporaryDirectory(prefix="ray-") as folder,  # with a short name, because it has sockets
        ray_node("127.0.0.2", "--head", "--port", str(port), "--include-dashboard", "false", "--temp-dir", folder),
        ray_node("127.0.0.3", "--address", address) as second,
    ):
        match = arena.check_match(arena.MatchSetup("crystals", ("2", "simple", "1"), {}, 5))
        simulation = SimulationSetup("fourteen", 3, {"target": 5}, ("simple",) * 3, 7, has_records=True)
        simulation = replace(simulation, options=find_game("fourteen").check_options(3, simulation.options))
        log, blocks = tmp_path / "log", list[arena.BlockResult]()
        with open_pool(ray=address) as workers:
            assert isinstance(workers, pool.RayPool)
            assert workers.worker_count == 2
            with pytest.raises(InvalidInputError, match="There is no seat “2”"):
                list(workers.run(Squares(0, failing=2), range(4)))
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
