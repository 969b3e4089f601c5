"""Push notifications at tables with days per move: at most one per turn.

Each is derived from stored data, by comparing a person's turns with the notifications already sent
(`PushScheduler.compare_person`), so downtime loses nothing. One background task does it all. A notification is stored
as sent before it is sent: after a crash in between it is lost rather than sent twice.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from diamonds import i18n
from diamonds.errors import DiamondsError
from diamonds.server import server_time
from diamonds.server.api.codec import encode
from diamonds.server.cluster.notices import PushRecheck
from diamonds.server.notifications.push_subscriptions import quiet_until_ms
from diamonds.server.notifications.turn_feed import TurnFeedHub
from diamonds.server.notifications.web_push import WebPushSender
from diamonds.server.storage.commit_outcomes import DONE
from diamonds.server.storage.push import PendingPush, PushChange, PushSubscription
from diamonds.server.tables.core import clocks
from diamonds.server.tables.core.entry_log import seat_of
from diamonds.server.tables.core.table import Table
from diamonds.server.tables.service import TableObserver, TableService

PUSH_DELAY_MS = 10_000  # before a notification, because reloading a page is not leaving
RECHECK_INTERVAL_MS = 60_000  # while the person is still viewing the table
RETRY_BASE_MS = 60_000  # before the first retry of a failed notification; multiplied by four for each further one
MAX_TRIES = 5
MAX_RETRY_AFTER_MS = 6 * 3_600_000  # longest wait accepted from a push service
MAX_CONCURRENT = 16  # notifications sent simultaneously
RETRY_DELAY_S = 5.0  # after an error in the task
SWEEP_INTERVAL_S = 3600.0  # longest time between two checks

log = logging.getLogger("diamonds")


class PushScheduler(TableObserver):
    """The pending push notifications, and the task that sends them."""

    def __init__(self, tables: TableService, turns: TurnFeedHub, sender: WebPushSender) -> None:
        self.tables = tables
        self.turns = turns
        self.store = tables.store
        self.sender = sender
        self.is_idle = True  # nothing is in progress
        self._people: dict[str, None] = {}  # people whose turns are compared next
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._threads = ThreadPoolExecutor(4, "push")
        tables.observers.append(self)

    async def open(self) -> None:
        """Start the task, which first compares the turns of all subscribers."""
        self._people = dict.fromkeys(await self.store.push.subscribers())
        self._task = asyncio.get_running_loop().create_task(self._run())

    def close(self) -> None:
        """Stop the task."""
        if self._task is not None:
            self._task.cancel()
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def resume_pending(self) -> None:
        """Compare the turns of all subscribers, because another process had this task before."""
        self._people |= dict.fromkeys(await self.store.push.subscribers())
        self.wake()

    def compare_person(self, person: str) -> None:
        """Compare the turns of a person whose turns or subscriptions have changed."""
        self._people[person] = None
        self.wake()

    def wake(self) -> None:
        """Wake the task."""
        self.is_idle = False
        self._wake.set()

    # `TableObserver`

    def on_change(self, table: Table) -> None:
        if table.header.time_control is None or not table.header.time_control.days_per_move:
            return
        if self.tables.has_lobby:
            self._people |= dict.fromkeys(table.people())
            self.wake()
        elif self.tables.cluster:
            self.tables.cluster.notify_lobby_owner(PushRecheck(table.people()))

    async def on_notice(self, _: int, notice: PushRecheck) -> None:
        """Handle changed turns at another member's tables."""
        self._people |= dict.fromkeys(notice.people)
        self.wake()

    # The task

    async def _run(self) -> None:
        while True:
            self._wake.clear()
            try:
                while self._people and self.tables.has_lobby:
                    await self._compare_next()
                while self.tables.has_lobby and (
                    due_pushes := await self.store.push.due(server_time.wall_ms(), MAX_CONCURRENT)
                ):
                    await asyncio.gather(*map(self.process, due_pushes))
                due = await self.store.push.next_due_ms()
                min_wait_s = 0.05 if self.tables.has_lobby else SWEEP_INTERVAL_S
                wait_s = (
                    SWEEP_INTERVAL_S
                    if due is None
                    else min(SWEEP_INTERVAL_S, max(min_wait_s, (due - server_time.wall_ms()) / 1000))
                )
            except Exception:
                log.exception("Push notifications are delayed.")
                wait_s = RETRY_DELAY_S
            self.is_idle = not self._people and not self._wake.is_set()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(wait_s):
                    await self._wake.wait()

    async def _compare_next(self) -> None:
        """Compare the next person's turns. On an error, the person stays in the queue."""
        person = next(iter(self._people))
        del self._people[person]
        try:
            await self._compare(person)
        except BaseException:
            self._people[person] = None
            raise

    async def _compare(self, person: str) -> None:
        """Update a person's pending notifications from their current turns."""
        browsers = await self.store.push.subscriptions_of(person)
        if not browsers:
            return
        open_turns = await self.turns.correspondence_turns(person)
        pending = {(push.subscription, push.table): push for push in await self.store.push.pending_of(person)}
        new_pushes, done = [], []
        for table, is_to_act in open_turns.items():
            question_n = await self.store.last_entry_by(person, table)
            for browser in browsers:
                push = pending.pop((browser.id, table), None)
                if push is not None and push.question_n == question_n and (is_to_act or not push.due_ms):
                    continue
                if is_to_act:
                    new_pushes.append(PendingPush(browser.id, table, question_n, server_time.wall_ms() + PUSH_DELAY_MS))
                elif push is not None:
                    done.append((browser.id, table))
        done += pending  # tables that are no longer in play
        if new_pushes or done:
            await self.store.commit(PushChange(pending=tuple(new_pushes), cancelled=tuple(done)))

    async def process(self, push: PendingPush) -> None:
        """Send a due notification, postpone it or cancel it."""
        subscription = await self.store.push.subscription(push.subscription)
        now = server_time.wall_ms()
        if subscription is None:
            return
        # A banned person gets nothing until the end of the ban.
        banned = self.tables.sanctions.get(subscription.person).banned_until * 1000
        until = banned or quiet_until_ms(await self.store.push.quiet_hours(subscription.person), now)
        if until is not None:
            await self._store(push._replace(due_ms=until))
            return
        try:
            table = await self.tables.registry.find(push.table)
        except DiamondsError:  # the table cannot be played
            await self.store.commit(PushChange(cancelled=((push.subscription, push.table),)))
            return
        summary = self.tables.remote_summaries.get(table.id)
        if table.seat_of(subscription.person) in (
            summary.connected_seats if summary else table.presence.connected_seats
        ):
            await self._store(push._replace(due_ms=now + RECHECK_INTERVAL_MS))
            return
        seat, clock_state = table.seat_of(subscription.person), table.clocks
        if seat < 0 or clock_state is None or not clocks.has_bit(clock_state.running, seat):
            await self.store.commit(PushChange(cancelled=((push.subscription, push.table),)))
            return
        claimed = push._replace(due_ms=0, attempts=push.attempts + 1)
        if (await self.store.commit(PushChange(pending=(claimed,), claimed=push))).kind == DONE:
            await self._send(claimed, subscription, table, seat)

    async def _send(self, push: PendingPush, subscription: PushSubscription, table: Table, seat: int) -> None:
        """Send a notification that this process has already stored as sent."""
        assert table.clocks is not None
        seconds = max(60, clocks.remaining_ms(table.clocks, seat, self.tables.clocks.now()) // 1000)
        text = encode({"table": table.id, **notification_text(table, seat, subscription.language)})
        run_in_thread = asyncio.get_running_loop().run_in_executor
        result = await run_in_thread(
            self._threads, self.sender.send, subscription, text, topic_header(table.id), seconds
        )
        should_retry, is_delivered = result.should_retry and push.attempts < MAX_TRIES, 200 <= result.status < 300
        self.tables.counters.pushes[
            ("gone" if result.is_gone else "retried" if should_retry else "delivered" if is_delivered else "rejected",)
        ] += 1
        if result.is_gone:
            await self.store.commit(PushChange(removed_subscriptions=(subscription.id,)))
        elif should_retry:
            wait = max(RETRY_BASE_MS * 4 ** (push.attempts - 1), min(MAX_RETRY_AFTER_MS, result.retry_after_s * 1000))
            await self._store(push._replace(due_ms=server_time.wall_ms() + wait))
        elif not is_delivered:
            log.warning("A push service replied %d. The notification was not sent.", result.status)

    async def _store(self, push: PendingPush) -> None:
        await self.store.commit(PushChange(pending=(push,)))


def notification_text(table: Table, seat: int, language: str) -> dict[str, str]:
    """Return the text of a notification: game, author of the last move, and other players, all of it public."""
    names = table.seat_names()
    others = [name for other, name in enumerate(names) if other != seat and name]
    last = next(
        (seat_of(entry) for _, entry in reversed(table.log.effective_answers()) if seat_of(entry) != seat), None
    )
    parts: list[tuple[str, dict[str, Any]]] = [
        ("push-begun", {}) if last is None or not names[last] else ("push-moved", {"player": names[last]})
    ]
    if len(others) > 1:
        parts.append(("push-with", {"each": others}))
    return {
        "title": i18n.translate("push-title", {"game": table.header.game}, language),
        "text": " ".join(i18n.translate(id, values, language) for id, values in parts),
    }


def topic_header(table_id: str) -> str:
    """Return the topic, which is the same only for notifications of the same table."""
    return table_id[:32]
