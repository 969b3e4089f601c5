"""A house that one process keeps or several do, any of which may die at any moment, as may its database and the lines to it: nothing that
anyone has seen is lost, and nobody sees anything else. `soak` does the same at length."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from guests import hang_up, until
from parties import TIMED, UNTIMED
from soak import Found, play_on
from together import Processes
from troubles import POINTS, Proxy, Troubles
from witness import Zygote

pytestmark = pytest.mark.later

KILLS = 5 * len(POINTS)
AT_THE_DATABASE = (
    "cut_after_a_commit",
    "cut_before_a_commit",
    "kill_in_the_database",
    "cut_the_lines",
    "kill_the_database",
)


@pytest.fixture
def keep(zygote: Zygote, tmp_path: Path) -> Iterator[Callable[..., Processes]]:
    """Opens a house, and closes it after the test."""
    opened: list[Processes] = []

    def open_one(*given: Any, **more: Any) -> Processes:
        opened.append(Processes(zygote, tmp_path, *given, **more))
        until(opened[-1].all_there, "it does not open")
        return opened[-1]

    yield open_one
    hang_up()
    for house in opened:
        house.close()


def happening(*troubles: str) -> Callable[[], str | None]:
    """One after the other."""
    left = iter(troubles)
    return lambda: next(left, None)


def found_with(
    house: Processes, *troubles: str, kinds: Any = UNTIMED[:1], cluster: Any = None, proxy: Any = None
) -> Found:
    """What comes of it if this happens, one after the other."""
    at = Troubles(house, random.Random(1), cluster, proxy)
    return play_on(house, kinds, at, happening(*troubles), 1, house.all_there)


def test_nothing_seen_is_lost_wherever_the_one_process_is_killed(keep):
    found = found_with(keep(), *["kill"] * KILLS, kinds=UNTIMED)
    assert found.faults == []
    assert found.kills >= KILLS
    assert found.answers > KILLS, "the test sees too little"


def test_three_games_go_on_whichever_of_several_processes_is_killed_and_whatever_happens_to_the_database(keep, cluster):
    store = cluster.empty_database()
    proxy = Proxy(cluster)
    try:
        house = keep(store, 2, through=proxy.address())
        troubles = [*itertools.chain(*(("kill", each) for each in AT_THE_DATABASE)), "kill_at_random"]
        found = found_with(house, *troubles, kinds=(*UNTIMED[:2], TIMED[2]), cluster=cluster, proxy=proxy)
        assert found.faults == []
        assert proxy.cuts >= 2, "no line breaks"
    finally:
        proxy.close()
