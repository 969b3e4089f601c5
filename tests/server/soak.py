"""Three games go on, with and without clocks, whatever happens to the house: ``make soak``.

People who remember all that they saw play against one process with its games in a folder, and against several with theirs in PostgreSQL,
while processes and the database are killed, lines to it break, disks are full, and clocks jump. It ends by itself after so many kills
(``--kills``) or minutes (``--minutes``), or once it is told to (Ctrl-C), and says what was lost, doubled, or shown otherwise to somebody; its exit status is 1 if
anything was. With ``--mistake`` the house works wrongly on purpose (a failpoint of `failpoints`): it has to be found out.
"""

from __future__ import annotations

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

sys.path[:0] = [str(Path(__file__).parents[0]), str(Path(__file__).parents[1])]

import guests  # noqa: E402
import parties  # noqa: E402
from cluster import Cluster, roomy  # noqa: E402
from guests import hang_up, until  # noqa: E402
from parties import TIMED, UNTIMED, Kind, Party  # noqa: E402
from together import Processes  # noqa: E402
from troubles import TO_ANY, TO_SEVERAL, Proxy, Troubles  # noqa: E402
from witness import Zygote  # noqa: E402

TAKE = 0.02  # seconds between two looks of people who play for an hour, beside others who want the machine
STOPPED = threading.Event()  # somebody has had enough, and wants to know what came of it until now
APART, LIVES = 2, 0.8  # answers between two troubles, about; seconds after which who is silent is taken for dead
MOST_FAULTS = 20  # after which it is known that something is wrong


class Found(NamedTuple):
    """What came of it."""

    kills: int
    points: int  # of them at one of the points around a commit
    midst: int  # and troubles that came while others were not over
    answers: int
    games: int  # to the end, each verified
    waited: float  # seconds, the longest that nobody was asked
    ends: int  # of processes that ended by themselves: with a sentence, in which they say why
    happened: Mapping[str, int]
    faults: list[str]

    def told(self) -> str:
        """In two lines."""
        kinds = Counter(fault.partition(":")[0] for fault in self.faults)
        troubles = ", ".join(f"{what.replace('_', ' ')} {often}" for what, often in self.happened.items())
        databases = sum(self.happened.get(what, 0) for what in ("kill_the_database", "kill_in_the_database"))
        return (
            f"{self.kills} kills of processes ({self.points} of them around a commit), {databases} of the database,"
            f" {sum(self.happened.values())} troubles in all ({self.midst} while others were not over): {self.answers} answers,"
            f" {self.games} games to the end, each verified: {kinds.pop('lost', 0)} lost,"
            f" {kinds.pop('doubled', 0)} doubled, {kinds.pop('otherwise', 0)} divergent views, {kinds.pop('back', 0)} steps back,"
            f" {kinds.total()} other faults"
            f" ({self.ends} ends by themselves; nobody asked for {self.waited:.1f} s at most)\n  {troubles}"
        )


def play_on(
    house: Processes,
    kinds: Collection[Kind],
    troubles: Troubles,
    next_trouble: Callable[[], str | None],
    seed: int,
    rest: Callable[[], bool] = lambda: True,
    tables: int = 0,
) -> Found:
    """Play while one trouble comes after the other, each after ``rest`` and about ``apart`` answers: at a table of each kind, or at so many,
    where one kind comes after the other."""
    enough, rng = threading.Event(), random.Random(seed)
    parties: list[Party] = []
    midst = 0
    faults: list[str] = []
    ended: list[Party] = []

    turns = itertools.cycle(kinds)

    def at_a_table(place: int, own: random.Random) -> None:
        try:
            while not enough.is_set():
                faults.extend(parties[place].play(enough))
                ended.append(parties[place])
                parties[place] = Party(house, next(turns), own)
        except Exception as error:
            at = "; ".join(
                f"{Path(frame.filename).name}:{frame.lineno}" for frame in traceback.extract_tb(error.__traceback__)
            )
            faults.append(f"broken: {parties[place].name}: {type(error).__name__}: {error} ({at})")

    def answers() -> int:
        return sum(len(party.acknowledged) for party in {*ended, *parties})

    threads = []
    for place in range(tables or len(kinds)):
        own = random.Random(rng.randrange(1 << 60))
        parties.append(Party(house, next(turns), own))
        threads.append(threading.Thread(target=at_a_table, args=(place, own), daemon=True))
    for thread in threads:
        thread.start()
    try:
        while len(faults) < MOST_FAULTS and all(thread.is_alive() for thread in threads):
            wanted = answers() + rng.randrange(APART // 2, 2 * APART + 1)
            until(
                lambda wanted=wanted: (
                    STOPPED.is_set() or len(faults) >= MOST_FAULTS or (answers() >= wanted and rest())
                ),
                "nobody answers",
            )
            what = next_trouble()
            if what is None:
                break
            midst += not house.all_there()
            troubles.happen(what)
    finally:
        enough.set()
    for thread in threads:
        thread.join()
    until(house.all_there, "the house does not open again")
    over = [party for party in ended if party.over]
    for party in over:
        try:
            faults += party.verify()
        except AssertionError as error:
            faults.append(f"otherwise: {party.name} is over, and somebody is refused its record: {error}")
    return Found(
        house.kills, house.fell, midst, answers(), len(over), max(party.waited for party in ended) if ended else 0.0,
        house.ends, troubles.happened, faults + house.wrong(),
    )  # fmt: skip


def soak(count: int, kills: int, seconds: float, given: Any, zygote: Zygote, say: Callable[[str], object]) -> Found:
    """Against one process with its games in a folder, or ``count`` in PostgreSQL."""
    rng, end = random.Random(given.seed), time.monotonic() + seconds
    with contextlib.ExitStack() as stack:
        folder = Path(tempfile.mkdtemp(prefix="diamonds-soak-", dir=roomy()))
        stack.callback(shutil.rmtree, folder)
        cluster = proxy = None
        if count > 1:
            cluster = Cluster()
            stack.callback(cluster.close)
            proxy = Proxy(cluster)
            stack.callback(proxy.close)
        store, through = (cluster.address(), proxy.address()) if cluster and proxy else ("", "")
        house = Processes(zygote, folder, store, count, LIVES, given.mistake, through)
        stack.callback(house.close)
        stack.callback(hang_up)
        until(house.all_there, "the house does not open")
        mix = TO_SEVERAL if count > 1 else TO_ANY
        mix = {what: often for what, often in mix.items() if what in given.troubles.split(",")} or mix
        told = [time.monotonic()]

        def next_trouble() -> str | None:
            if time.monotonic() - told[0] > 60:
                told[0] = time.monotonic()
                say(
                    f"  {house.kills} kills; {', '.join(f'{what} {often}' for what, often in troubles.happened.items())}"
                )
            if STOPPED.is_set() or house.kills >= kills or time.monotonic() > end:
                return None
            return rng.choices([*mix], [*mix.values()])[0]

        patience = [0.0]

        def rest() -> bool:
            if not patience[0]:
                patience[0] = time.monotonic() + (rng.random() < 0.7) * 20  # else it comes in the midst of the last one
            if time.monotonic() > patience[0] or house.all_there():
                patience[0] = 0.0
                return True
            time.sleep(0.05)
            return False

        troubles = Troubles(house, rng, cluster, proxy)
        found = play_on(house, (*UNTIMED, *TIMED), troubles, next_trouble, given.seed, rest, given.tables)
        return found._replace(faults=found.faults + checked(house))


def checked(house: Processes) -> list[str]:
    """What ``diamonds house check`` finds wrong with all that is kept: it plays every game again."""
    house.close()
    program = "import sys; from diamonds.cli import main; sys.exit(main(sys.argv[1:]))"
    done = subprocess.run(
        [sys.executable, "-c", program, "house", "check", "--data", str(house.folder)],
        capture_output=True, text=True, check=False, env={**os.environ, "DIAMONDS_STORE": house.store},
    )  # fmt: skip
    return [f"lost: {done.stdout}{done.stderr}"] * (done.returncode != 0)


def main() -> int:
    """See the top of the file."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--kills", type=int, default=2000, help="how many processes are killed in all (2,000)")
    parser.add_argument("--minutes", type=float, default=90.0, help="after which it ends in any case (90)")
    parser.add_argument("--processes", type=int, default=3, help="how many keep the house in PostgreSQL (3)")
    parser.add_argument("--only", choices=("folder", "postgresql"), help="against one of the two alone")
    parser.add_argument("--tables", type=int, default=6, help="how many tables play at a time (6)")
    parser.add_argument("--seed", type=int, default=1, help="of what happens when (1)")
    parser.add_argument("--troubles", default="", help="of these kinds alone, separated by commas")
    parser.add_argument("--mistake", default="", help="a failpoint, or one of `mistakes`, by which all work wrongly")
    given: Any = parser.parse_args()
    arrangements = {"folder": 1, "postgresql": given.processes}
    chosen = [given.only] if given.only else [*arrangements]
    zygote = Zygote()
    for sig in (signal.SIGINT, signal.SIGTERM):
        signal.signal(sig, lambda *_: STOPPED.set())
    parties.TAKE, guests.PATIENCE = TAKE, 3600
    wrong = 0

    def say(line: str) -> None:
        print(line, flush=True)  # noqa: T201

    try:
        for name in chosen:
            count = arrangements[name]
            say(
                f"{count} {'process' if count == 1 else 'processes'}, games in {'a folder' if count == 1 else 'PostgreSQL'}:"
            )
            share = given.kills // len(chosen), given.minutes * 60 / len(chosen)
            found = soak(count, *share, given, zygote, say)
            say("\n".join([found.told(), *(f"  ! {fault}" for fault in found.faults[:MOST_FAULTS])]))
            wrong += len(found.faults)
    finally:
        zygote.close()
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
