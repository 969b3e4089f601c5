"""Messages to people's devices that they are asked at a table with days for each decision: at most one until they have answered.

What is to be sent is worked out from what is stored, by comparing where it is somebody's turn with what they were told (`Calls.look_at`):
so it does not matter what was missed while the house was down. One task does all of it, and nobody waits for that. A message is
written down as sent before it is; should the house be killed in between, it is lost rather than sent twice.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from diamonds import words
from diamonds.game import Refused
from diamonds.server.api.encoding import encode
from diamonds.server.cluster.notices import PushesDue
from diamonds.server.house import hours
from diamonds.server.house.tables import Tables
from diamonds.server.reminding.rest import rests_until
from diamonds.server.reminding.sending import Sender
from diamonds.server.reminding.turns import Turns
from diamonds.server.store.contract import DONE
from diamonds.server.store.pushes import Call, PushChange, Subscription
from diamonds.server.table import clocks
from diamonds.server.table.entries import seat_of
from diamonds.server.table.table import Table

DELAY = 10_000  # milliseconds: whoever loads a page again has not gone
LOOK_AGAIN = 60_000  # after which it is looked again whether somebody looks at the table still
RETRY = 60_000  # after which a message that was not taken is tried again; then four times as long, and so on
MOST_TRIES = 5
LONGEST = 6 * 3_600_000  # milliseconds that a service may make us wait
TOGETHER = 16  # messages under way at a time
AGAIN = 5.0  # seconds after which it is tried again what could not be done
PATIENCE = 3600.0  # seconds after which it is looked in any case

log = logging.getLogger("diamonds")


class Calls:
    """Who is to be called to which table, and the task that does it."""

    def __init__(self, tables: Tables, turns: Turns, sender: Sender) -> None:
        self.tables = tables
        self.turns = turns
        self.store = tables.store
        self.sender = sender
        self.idle = True  # nothing is under way
        self._people: dict[str, None] = {}  # who is to be looked at
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._threads = ThreadPoolExecutor(4, "push")
        tables.watchers.append(self)

    async def open(self) -> None:
        """The house opens."""
        self._people = dict.fromkeys(await self.store.pushes.people())
        self._task = asyncio.get_running_loop().create_task(self._work())

    def close(self) -> None:
        """The house closes."""
        if self._task is not None:
            self._task.cancel()
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def take_over(self) -> None:
        """Another process did this before: what it had not come to is looked at."""
        self._people |= dict.fromkeys(await self.store.pushes.people())
        self.wake()

    def look_at(self, person: str) -> None:
        """Something has changed about somebody's turns, or about where they are told."""
        self._people[person] = None
        self.wake()

    def wake(self) -> None:
        """There may be something to do."""
        self.idle = False
        self._wake.set()

    # What tables tell (`Watcher`)

    def changed(self, table: Table) -> None:
        """Something has happened at a table."""
        if table.header.clock is None or not table.header.clock.days:
            return
        if self.tables.has_lobby:
            self._people |= dict.fromkeys(table.people())
            self.wake()
        elif self.tables.cluster:
            self.tables.cluster.tell_lobby(PushesDue(table.people()))

    async def heard(self, _: int, notice: PushesDue) -> None:
        """Another member says that turns at its tables may have changed."""
        self._people |= dict.fromkeys(notice.people)
        self.wake()

    def sat_down(self, people: Sequence[str]) -> None:
        """These people have sat down, which `changed` has told."""

    # The task

    async def _work(self) -> None:
        while True:
            self._wake.clear()
            try:
                while self._people and self.tables.has_lobby:
                    await self._compare_next()
                while self.tables.has_lobby and (found := await self.store.pushes.due(hours.wall(), TOGETHER)):
                    await asyncio.gather(*map(self._turn_to, found))
                due = await self.store.pushes.next_due()
                soon = 0.05 if self.tables.has_lobby else PATIENCE
                wait = PATIENCE if due is None else min(PATIENCE, max(soon, (due - hours.wall()) / 1000))
            except Exception:
                log.exception("Messages about turns wait.")
                wait = AGAIN
            self.idle = not self._people and not self._wake.is_set()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._wake.wait(), wait)

    async def _compare_next(self) -> None:
        """Look at somebody; at a later time once more, if it cannot be done now."""
        person = next(iter(self._people))
        del self._people[person]
        try:
            await self._compare(person)
        except BaseException:
            self._people[person] = None
            raise

    async def _compare(self, person: str) -> None:
        """Bring what somebody is to be told up to date with where it is their turn."""
        browsers = await self.store.pushes.of(person)
        if not browsers:
            return
        playing = await self.turns.by_days(person)
        known = {(call.subscription, call.table): call for call in await self.store.pushes.calls(person)}
        wanted, done = [], []
        for table, asked in playing.items():
            answered = await self.store.answered(person, table)
            for one in browsers:
                call = known.pop((one.id, table), None)
                if call is not None and call.answered == answered and (asked or not call.due):
                    continue
                if asked:
                    wanted.append(Call(one.id, table, answered, hours.wall() + DELAY))
                elif call is not None:
                    done.append((one.id, table))
        done += known  # tables where nobody plays any more
        if wanted or done:
            await self.store.commit(PushChange(calls=tuple(wanted), done=tuple(done)))

    async def _turn_to(self, call: Call) -> None:
        """A message is due: send it now, or later."""
        to = await self.store.pushes.subscription(call.subscription)
        now = hours.wall()
        if to is None:
            return
        banned = self.tables.standings.of(to.person).banned * 1000  # nothing of the house is for them until then
        until = banned or rests_until(await self.store.pushes.quiet(to.person), now)
        if until is not None:
            await self._put(call._replace(due=until))
            return
        try:
            table = await self.tables.shelf.find(call.table)
        except Refused:  # nobody can play there
            await self.store.commit(PushChange(done=((call.subscription, call.table),)))
            return
        summary = self.tables.summaries.get(table.id)
        if table.seat_of(to.person) in (summary.here if summary else table.here.seats):
            await self._put(call._replace(due=now + LOOK_AGAIN))
            return
        seat, asked = table.seat_of(to.person), table.clocks
        if seat < 0 or asked is None or not clocks.has(asked.runs, seat):
            await self.store.commit(PushChange(done=((call.subscription, call.table),)))
            return
        taken = call._replace(due=0, tries=call.tries + 1)
        if (await self.store.commit(PushChange(calls=(taken,), claims=call))).what == DONE:
            await self._send(taken, to, table, seat)

    async def _send(self, call: Call, to: Subscription, table: Table, seat: int) -> None:
        """Send what is written down as sent: by this process alone."""
        assert table.clocks is not None
        seconds = max(60, clocks.left(table.clocks, seat, self.tables.clocks.now()) // 1000)
        text = encode({"table": table.id, **told(table, seat, to.language)})
        bring = asyncio.get_running_loop().run_in_executor
        brought = await bring(self._threads, self.sender.bring, to, text, _topic(table.id), seconds)
        again, came = brought.again and call.tries < MOST_TRIES, 200 <= brought.status < 300
        self.tables.tally.messages[
            ("gone" if brought.gone else "again" if again else "brought" if came else "refused",)
        ] += 1
        if brought.gone:
            await self.store.commit(PushChange(remove=(to.id,)))
        elif again:
            wait = max(RETRY * 4 ** (call.tries - 1), min(LONGEST, brought.after * 1000))
            await self._put(call._replace(due=hours.wall() + wait))
        elif not came:
            log.warning("A push service answered %d, and a message was not sent.", brought.status)

    async def _put(self, call: Call) -> None:
        await self.store.commit(PushChange(calls=(call,)))


def told(table: Table, seat: int, language: str) -> dict[str, str]:
    """What a message says: the game, who made the last move, and at which table. All of it is public."""
    names = table.seat_names()
    others = [name for other, name in enumerate(names) if other != seat and name]
    last = next((seat_of(entry) for _, entry in reversed(table.log.chain()) if seat_of(entry) != seat), None)
    says: list[tuple[str, dict[str, Any]]] = [
        ("push-begun", {}) if last is None or not names[last] else ("push-moved", {"player": names[last]})
    ]
    if len(others) > 1:
        says.append(("push-with", {"each": others}))
    return {
        "title": words.say("push-title", {"game": table.header.game}, language),
        "text": " ".join(words.say(id, values, language) for id, values in says),
    }


def _topic(table: str) -> str:
    """What messages of one table have in common, and those of no other."""
    return table[:32]
