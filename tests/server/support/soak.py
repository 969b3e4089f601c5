"""The fault soak (``make soak``): three games are played, with and without clocks, while the server suffers faults.

Players who record everything they see play on one process with a data folder, and on several with PostgreSQL. Meanwhile
processes and the database are killed, connections break, disks fill up and clocks jump.

The soak ends after ``--kills`` or ``--minutes`` or on Ctrl-C and reports what was lost, duplicated or shown
inconsistently; the exit status is 1 if anything was. ``--mistake`` makes the server misbehave on purpose (one of
`failpoints`), which has to be found.
"""

import argparse
import contextlib
import itertools
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from tests.server.support import client, consistency_players
from tests.server.support.client import close_connections, wait_until
from tests.server.support.consistency_players import TIMED_KINDS, UNTIMED_KINDS, ConsistencyTable, TableKind
from tests.server.support.faults import CLUSTER_FAULTS, SINGLE_SERVER_FAULTS, Faults
from tests.server.support.postgres_cluster import PostgresCluster, temp_parent_dir
from tests.server.support.postgres_proxy import PostgresProxy
from tests.server.support.recording_players import Zygote
from tests.server.support.server_group import ServerGroup

POLL_INTERVAL_S = 0.02  # between polls in long runs, which leaves CPU time to other programs
STOP = threading.Event()  # set by Ctrl-C, to end early and report
ANSWERS_BETWEEN_FAULTS = 2  # on average
DEAD_AFTER_S = 0.8  # until a silent process counts as dead
MAX_VIOLATIONS = 20  # the soak then stops


class SoakResult(NamedTuple):
    kills: int
    commit_kills: int  # kills at a point around a commit
    overlapping: int  # faults injected while another one was not over
    answers: int
    finished_games: int  # played to the end and verified
    longest_wait_s: float  # longest time without an open question, in seconds
    self_exits: int  # processes that exited with an error message
    fault_counts: Mapping[str, int]
    violations: list[str]

    def summary(self) -> str:
        """Return the result as two lines."""
        kinds = Counter(fault.partition(":")[0] for fault in self.violations)
        troubles = ", ".join(f"{what.replace('_', ' ')} {often}" for what, often in self.fault_counts.items())
        databases = sum(self.fault_counts.get(what, 0) for what in ("kill_the_database", "kill_in_the_database"))
        return (
            f"{self.kills} kills of processes ({self.commit_kills} of them around a commit), {databases} of the database,"
            f" {sum(self.fault_counts.values())} troubles in all ({self.overlapping} while others were not over): {self.answers} answers,"
            f" {self.finished_games} games to the end, each verified: {kinds.pop('lost', 0)} lost,"
            f" {kinds.pop('doubled', 0)} doubled, {kinds.pop('otherwise', 0)} divergent views, {kinds.pop('back', 0)} steps back,"
            f" {kinds.total()} other faults"
            f" ({self.self_exits} ends by themselves; nobody asked for {self.longest_wait_s:.1f} s at most)\n  {troubles}"
        )


def run_games(
    servers: ServerGroup,
    kinds: Collection[TableKind],
    faults: Faults,
    next_fault: Callable[[], str | None],
    seed: int,
    rest: Callable[[], bool] = lambda: True,
    tables: int = 0,
) -> SoakResult:
    """Play at one table of each kind, or at ``tables`` tables of rotating kinds, with faults.

    A fault follows every few answers once ``rest`` allows it.
    """
    stop, rng = threading.Event(), random.Random(seed)
    parties: list[ConsistencyTable] = []
    overlapping = 0
    violations: list[str] = []
    ended: list[ConsistencyTable] = []

    turns = itertools.cycle(kinds)

    def play_at_table(place: int, own: random.Random) -> None:
        try:
            while not stop.is_set():
                violations.extend(parties[place].play(stop))
                ended.append(parties[place])
                parties[place] = ConsistencyTable(servers, next(turns), own)
        except Exception as error:
            at = "; ".join(
                f"{Path(frame.filename).name}:{frame.lineno}" for frame in traceback.extract_tb(error.__traceback__)
            )
            violations.append(f"crashed: {parties[place].name}: {type(error).__name__}: {error} ({at})")

    def answers() -> int:
        return sum(len(party.acknowledged) for party in {*ended, *parties})

    threads = []
    for place in range(tables or len(kinds)):
        own = random.Random(rng.randrange(1 << 60))
        parties.append(ConsistencyTable(servers, next(turns), own))
        threads.append(threading.Thread(target=play_at_table, args=(place, own), daemon=True))
    for thread in threads:
        thread.start()
    try:
        while len(violations) < MAX_VIOLATIONS and all(thread.is_alive() for thread in threads):
            goal = answers() + rng.randrange(ANSWERS_BETWEEN_FAULTS // 2, 2 * ANSWERS_BETWEEN_FAULTS + 1)
            try:
                wait_until(
                    lambda goal=goal: (
                        STOP.is_set() or len(violations) >= MAX_VIOLATIONS or (answers() >= goal and rest())
                    ),
                    "expected more answers",
                )
            except AssertionError as error:
                up = "up" if servers.is_complete() else "not all up"
                raise AssertionError(f"{error}; processes are {up}; violations: {violations}") from None
            what = next_fault()
            if what is None:
                break
            overlapping += not servers.is_complete()
            faults.inject(what)
    finally:
        stop.set()
    for thread in threads:
        thread.join()
    wait_until(servers.is_complete, "expected all processes to come back")
    over = [party for party in ended if party.over]
    for party in over:
        try:
            violations += party.verify()
        except AssertionError as error:
            violations.append(f"inconsistent: {party.name} is over, but its record is refused: {error}")
    return SoakResult(
        servers.kills, servers.failpoint_deaths, overlapping, answers(), len(over), max(party.longest_wait_s for party in ended) if ended else 0.0,
        servers.self_exits, faults.counts, violations + servers.violations(),
    )  # fmt: skip


def run_soak(
    count: int, kills: int, seconds: float, options: Any, zygote: Zygote, print_line: Callable[[str], object]
) -> SoakResult:
    """Run the soak against one process with a data folder, or against ``count`` processes with PostgreSQL."""
    rng, end = random.Random(options.seed), time.monotonic() + seconds
    with contextlib.ExitStack() as stack:
        folder = Path(tempfile.mkdtemp(prefix="diamonds-soak-", dir=temp_parent_dir()))
        stack.callback(shutil.rmtree, folder)
        cluster = proxy = None
        if count > 1:
            cluster = PostgresCluster()
            stack.callback(cluster.close)
            proxy = PostgresProxy(cluster)
            stack.callback(proxy.close)
        store, through = (cluster.database_url(), proxy.database_url) if cluster and proxy else ("", "")
        servers = ServerGroup(zygote, folder, store, count, DEAD_AFTER_S, options.mistake, through)
        stack.callback(servers.close)
        stack.callback(close_connections)
        wait_until(servers.is_complete, "expected the server to open")
        mix = CLUSTER_FAULTS if count > 1 else SINGLE_SERVER_FAULTS
        mix = {what: often for what, often in mix.items() if what in options.troubles.split(",")} or mix
        last_report = [time.monotonic()]

        def next_fault() -> str | None:
            if time.monotonic() - last_report[0] > 60:
                last_report[0] = time.monotonic()
                print_line(
                    f"  {servers.kills} kills; {', '.join(f'{what} {often}' for what, often in faults.counts.items())}"
                )
            if STOP.is_set() or servers.kills >= kills or time.monotonic() > end:
                return None
            return rng.choices([*mix], [*mix.values()])[0]

        patience = [0.0]

        def rest() -> bool:
            if not patience[0]:
                # Only 70 % of the faults wait for the previous one to end; the others may overlap with it.
                patience[0] = time.monotonic() + (rng.random() < 0.7) * 20
            if time.monotonic() > patience[0] or servers.is_complete():
                patience[0] = 0.0
                return True
            time.sleep(0.05)
            return False

        faults = Faults(servers, rng, cluster, proxy)
        found = run_games(
            servers, (*UNTIMED_KINDS, *TIMED_KINDS), faults, next_fault, options.seed, rest, options.tables
        )
        return found._replace(violations=found.violations + check_errors(servers))


def check_errors(servers: ServerGroup) -> list[str]:
    """Return the errors that ``diamonds admin check`` finds when it replays every stored game."""
    servers.close()
    program = "import sys; from diamonds.cli import main; sys.exit(main(sys.argv[1:]))"
    done = subprocess.run(
        [sys.executable, "-c", program, "admin", "check", "--data-dir", str(servers.folder)],
        capture_output=True, text=True, check=False, env={**os.environ, "DIAMONDS_DATABASE": servers.database_url},
    )  # fmt: skip
    return [f"lost: {done.stdout}{done.stderr}"] * (done.returncode != 0)


def main() -> int:
    """Run the command described in the module docstring."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--kills", type=int, default=2000, help="stop after this many killed processes (2,000)")
    parser.add_argument("--minutes", type=float, default=90.0, help="stop after this many minutes (90)")
    parser.add_argument("--processes", type=int, default=3, help="number of server processes on PostgreSQL (3)")
    parser.add_argument("--only", choices=("folder", "postgresql"), help="run against this store only")
    parser.add_argument("--tables", type=int, default=6, help="number of tables in play at the same time (6)")
    parser.add_argument("--seed", type=int, default=1, help="random seed (1)")
    parser.add_argument("--troubles", default="", help="inject only these faults, separated by commas")
    parser.add_argument("--mistake", default="", help="set a failpoint in all processes")
    options: Any = parser.parse_args()
    arrangements = {"folder": 1, "postgresql": options.processes}
    chosen = [options.only] if options.only else [*arrangements]
    zygote = Zygote()
    for sig in (signal.SIGINT, signal.SIGTERM):
        signal.signal(sig, lambda *_: STOP.set())
    consistency_players.POLL_INTERVAL_S, client.WAIT_TIMEOUT_S = POLL_INTERVAL_S, 3600
    violation_count = 0

    def say(line: str) -> None:
        print(line, flush=True)  # noqa: T201

    try:
        for name in chosen:
            count = arrangements[name]
            say(
                f"{count} {'process' if count == 1 else 'processes'}, games in {'a folder' if count == 1 else 'PostgreSQL'}:"
            )
            share = options.kills // len(chosen), options.minutes * 60 / len(chosen)
            result = run_soak(count, *share, options, zygote, say)
            say("\n".join([result.summary(), *(f"  ! {fault}" for fault in result.violations[:MAX_VIOLATIONS])]))
            violation_count += len(result.violations)
    finally:
        zygote.close()
    return 1 if violation_count else 0


if __name__ == "__main__":
    sys.exit(main())
