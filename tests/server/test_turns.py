"""People take turns in being thought for, however much each of them wants."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from guests import run_apart

from diamonds.server.api.refusals import TooMany
from diamonds.server.work.thinking import Thinking
from diamonds.server.work.turns import Turns, Urgency

PLAY, REVIEW, PASTIME = Urgency


def all_of(turns: Turns[str]) -> list[str]:
    """Everybody, in the order in which they are served."""
    return list(iter(turns.next, None))


def test_people_take_turns_however_many_wishes_one_of_them_has() -> None:
    turns: Turns[str] = Turns()
    for k in range(50):
        turns.join(PLAY, "Ann", f"a{k}")
    turns.join(PLAY, "Ben", "b0")
    for k in range(2):
        turns.join(PLAY, "Cleo", f"c{k}")
    assert all_of(turns) == ["a0", "b0", "c0", "a1", "c1", *(f"a{k}" for k in range(2, 50))]


def test_who_was_served_and_comes_again_is_behind_who_waits() -> None:
    turns: Turns[str] = Turns()
    for person in "ab":
        turns.join(PLAY, person, f"{person}0")
    assert turns.next() == "a0"
    turns.join(PLAY, "a", "a1")
    turns.join(PLAY, "b", "b1")
    assert all_of(turns) == ["b0", "a1", "b1"]


def test_answers_and_hints_come_before_reviews_and_tables_without_people_last() -> None:
    turns: Turns[str] = Turns()
    for urgency, wish in ((PASTIME, "late"), (REVIEW, "soon"), (PASTIME, "later"), (PLAY, "now")):
        turns.join(urgency, "Ann", wish)
    turns.join(PLAY, "Ben", "now too")
    assert all_of(turns) == ["now", "now too", "soon", "late", "later"]


def test_who_no_longer_waits_is_not_served_and_not_remembered() -> None:
    turns: Turns[str] = Turns()
    for k in range(1000):
        turns.join(REVIEW, "Ann", f"a{k}")
        turns.leave(REVIEW, "Ann", f"a{k}")
        turns.leave(REVIEW, "Ann", f"a{k}")
    turns.join(REVIEW, "Ann", "last")
    assert all_of(turns) == ["last"]
    assert not any(turns._waiting), "people without wishes are remembered"


def test_beyond_a_bound_wishes_are_refused_and_leave_nothing() -> None:
    turns: Turns[str] = Turns()
    for k in range(3):
        turns.join(PLAY, "Ann", f"a{k}", 3)
    with pytest.raises(TooMany):
        turns.join(PLAY, "Ann", "a3", 3)
    turns.join(PLAY, "Ben", "b0", 3)
    assert all_of(turns) == ["a0", "b0", "a1", "a2"]


# The same with processes that think, without any


def with_one_process(test: Callable[[Thinking], Awaitable[Any]]) -> Any:
    """Run something that waits for turns at a house with one process that thinks."""

    async def run() -> Any:
        thinking = Thinking()
        thinking._free = 1
        return await asyncio.wait_for(test(thinking), 60)

    return run_apart(run())


async def settle() -> None:
    """Let everybody go as far as they can."""
    for _ in range(20):
        await asyncio.sleep(0)


class Person:
    """Somebody who wants to be thought for, and thinks for as long as the test wants."""

    served: list[str]

    def __init__(self, thinking: Thinking, name: str, urgency: Urgency = PLAY) -> None:
        self.done = asyncio.Event()
        self.task = asyncio.get_running_loop().create_task(self._be_served(thinking, name, urgency))

    async def _be_served(self, thinking: Thinking, name: str, urgency: Urgency) -> None:
        async with thinking.turn(urgency, name[0]):
            self.served.append(name)
            await self.done.wait()


def test_one_process_thinks_about_one_thing_at_a_time_and_the_next_is_whose_turn_it_is() -> None:
    async def test(thinking: Thinking) -> None:
        Person.served = served = []
        people = {name: Person(thinking, name) for name in ("a0", "a1", "a2", "b0")}
        order = ["a0", "a1", "b0", "a2"]
        for k, name in enumerate(order, 1):
            await settle()
            assert served == order[:k]
            people[name].done.set()
        await settle()
        assert thinking._free == 1

    with_one_process(test)


def test_who_gives_up_while_waiting_or_while_being_served_leaves_the_process_to_others() -> None:
    async def test(thinking: Thinking) -> None:
        Person.served = served = []
        first, second, third, fourth = (Person(thinking, name) for name in ("a0", "b0", "c0", "d0"))
        await settle()
        second.task.cancel()  # while waiting
        first.task.cancel()  # while being served
        await settle()
        assert served == ["a0", "c0"]
        third.done.set()
        await asyncio.sleep(0)  # the turn is the fourth's from now on, who has not noticed
        fourth.task.cancel()
        await settle()
        assert thinking._free == 1
        last = Person(thinking, "e0")
        await settle()
        assert served[-1] == "e0"
        last.done.set()
        await settle()

    with_one_process(test)
