"""Several processes keep one house, any of which may die at any moment: nothing that anyone has seen is lost, and nobody sees anything else."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from guests import hang_up, until
from together import TABLES, Party, Processes
from witness import Zygote

from lengths import lengths

pytestmark = pytest.mark.later

POINTS = ("before", "written", "committed", "delivering", "swapped", "published")


@pytest.fixture
def processes(zygote: Zygote, cluster: Any, tmp_path: Path) -> Iterator[Callable[..., Processes]]:
    """Opens houses of several processes, and closes them after the test."""
    opened: list[Processes] = []

    def open_some(**more: Any) -> Processes:
        opened.append(Processes(zygote, cluster.empty_database(), tmp_path, **more))
        until(opened[-1].all_there, "they do not begin")
        return opened[-1]

    yield open_some
    hang_up()
    for house in opened:
        house.close()


def faults_of(house: Processes, kills: int, seed: int, note: Callable[[str], object] = print) -> list[str]:
    """Play all three games while so many processes are killed; what was lost, doubled, or shown otherwise to somebody."""
    rng = random.Random(seed)
    parties = [Party(house, game, rng) for game in TABLES]
    faults: list[str] = []
    finished = answers = due = 0
    longest = 0.0
    while house.kills < kills or not all(party.acknowledged for party in parties):
        for k, party in enumerate(parties):
            party.look()
            party.act()
            if party.over:
                until(party.all_see_everything, f"{party.game}: {party.check(final=True)}")
                faults += party.check(final=True) + party.verify()
                answers, finished = answers + len(party.acknowledged), finished + 1
                longest = max(longest, party.waited)
                party.close()
                parties[k] = Party(house, party.game, rng)
        now = answers + sum(len(party.acknowledged) for party in parties)
        if house.kills < kills and now >= due and house.all_there():
            due = now + rng.randrange(1, 5)
            point = f"{rng.choice(POINTS)}:{rng.randrange(1, 6)}" if rng.random() < 0.5 else ""
            house.kill(rng.choice([*house.pids]), point)
        time.sleep(0.001)
    for party in parties:
        until(party.all_see_everything, f"{party.game}: {party.check(final=True)}")
        faults += party.check(final=True)
        answers, longest = answers + len(party.acknowledged), max(longest, party.waited)
        party.close()
    note(
        f"{house.kills} kills, {answers} answers, {finished} games to the end, nobody asked for {longest:.1f} s at most"
    )
    return faults


@lengths("kills", 4, 2000)
def test_three_games_go_on_whichever_process_is_killed(processes, kills):
    assert faults_of(processes(count=2 if kills < 100 else 3), kills, seed=1) == []
