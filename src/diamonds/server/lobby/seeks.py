"""Seeks: validated, matched, and turned into tables.

They exist only in this process; after a restart the client seeks again.
"""

from __future__ import annotations

import asyncio
import logging
import math
import secrets
import time
from collections.abc import Callable, Sequence
from typing import Literal

from diamonds.bots import levels
from diamonds.errors import InvalidInputError
from diamonds.game import find_game
from diamonds.i18n import Message
from diamonds.server.api.lobby import SeekInfo, SeekRequest
from diamonds.server.background_tasks import BackgroundTasks
from diamonds.server.errors import RateLimitedError
from diamonds.server.lobby.matchmaking import AreApart, GameOffer, Pairing, Seek, pair_seeks
from diamonds.server.tables.new_tables import table_for_pairing
from diamonds.server.tables.offered_games import time_control_named
from diamonds.server.tables.service import TableService

DISCONNECT_GRACE_S = 10.0  # so that a seek survives a reload or a short network failure
MATCH_SHOWN_S = 60.0  # how long a matched person is shown their table
MATCH_INTERVAL_S = 1.0  # between matchings while anyone waits, because their time may be up
MAX_SEEKS = 2_000

log = logging.getLogger("diamonds")


class SeekPool:
    """All seeks. `notify_person` is called with each affected person, `on_count_change` if their number changes."""

    def __init__(
        self,
        tables: TableService,
        notify_person: Callable[[str], None],
        on_count_change: Callable[[], None],
        are_apart: AreApart,
    ) -> None:
        self.tables = tables
        self.notify_person = notify_person
        self.on_count_change = on_count_change
        self.are_apart = are_apart
        self.clock: Callable[[], float] = time.monotonic
        self.seek_infos: dict[str, SeekInfo] = {}
        self.matched: dict[str, str] = {}  # table of each matched person, until they sit down or some time has passed
        self.seek_ids: dict[str, str] = {}  # by person, earliest seek first
        self._seeks: dict[str, Seek] = {}
        self._disconnected: dict[str, asyncio.TimerHandle] = {}  # people whose seek ends soon
        self._match_timer: asyncio.TimerHandle | None = None
        self._tasks = BackgroundTasks()

    def __len__(self) -> int:
        return len(self._seeks)

    def close(self) -> None:
        """Stop all timers."""
        for timer in [*self._disconnected.values(), *([self._match_timer] if self._match_timer else [])]:
            timer.cancel()

    def seek(self, person: str, request: SeekRequest, is_connected: bool) -> None:
        """Start a seek, replacing the person's earlier one. `is_connected` means that they can be notified."""
        offers = offers_of(request)
        if person not in self._seeks and len(self._seeks) >= MAX_SEEKS:
            raise RateLimitedError("server-too-many", 10, what=Message("server-many-seeks"))
        self._drop(person)
        self.matched.pop(person, None)
        now = self.clock()
        bots_at = math.inf if request.bots_after_s is None else now + request.bots_after_s
        self._seeks[person] = Seek(person, offers, now, bots_at)
        self.seek_infos[person] = SeekInfo(
            request.games, request.seats, request.bot_speeds, request.time_controls, request.bots_after_s
        )
        self.seek_ids[person] = secrets.token_urlsafe(6)
        if not is_connected:
            self.on_leave(person)
        self.notify_person(person)
        self.on_count_change()
        self._schedule_match(0)

    def cancel(self, person: str) -> None:
        """End a person's seek."""
        if person in self._seeks:
            self._drop(person)
            self.notify_person(person)
            self.on_count_change()

    def on_enter(self, person: str) -> None:
        """Keep the seek of a person who has reconnected."""
        timer = self._disconnected.pop(person, None)
        if timer is not None:
            timer.cancel()

    def on_leave(self, person: str) -> None:
        """End a person's seek after a grace period unless they reconnect."""
        if person in self._seeks and person not in self._disconnected:
            self._disconnected[person] = asyncio.get_running_loop().call_later(DISCONNECT_GRACE_S, self.cancel, person)

    def on_seated(self, person: str) -> None:
        """End the seek of a person who has sat down at a table."""
        if self.matched.pop(person, None):
            self.notify_person(person)
        self.cancel(person)

    def drop_all(self) -> None:
        """Drop all seeks; the new lobby owner gets them from the clients."""
        for person in [*self._seeks]:
            self._drop(person)
        self.matched.clear()

    def _drop(self, person: str) -> None:
        self._seeks.pop(person, None)
        self.seek_infos.pop(person, None)
        self.seek_ids.pop(person, None)
        self.on_enter(person)

    def _schedule_match(self, seconds: float) -> None:
        if self._match_timer is not None:
            self._match_timer.cancel()
        self._match_timer = asyncio.get_running_loop().call_later(seconds, self._match) if self._seeks else None

    def _match(self) -> None:
        """Match the seeks now."""
        for pairing in pair_seeks(self._seeks.values(), self.clock(), self.are_apart):
            bots = all(self._seeks[person].bots_at < math.inf for person in pairing.people)
            for person in pairing.people:
                self._drop(person)
            self._tasks.start(self._seat_pairing(pairing, "bot" if bots else "open"))
            self.on_count_change()
        self._schedule_match(MATCH_INTERVAL_S)

    async def _seat_pairing(self, pairing: Pairing, no_show_action: Literal["open", "bot"]) -> None:
        """Create the table with a reserved seat for each person. They sit down themselves, each with a nonce."""
        try:
            offer, game = pairing.offer, find_game(pairing.offer.game)
            time_control = time_control_named(offer.time_control, game, offer.seats)
            header, seating = table_for_pairing(
                game,
                offer.seats,
                list(pairing.people),
                offer.bot_speed,
                no_show_action=no_show_action,
                time_control=time_control,
            )
            table = await self.tables.creator.create_for_people(header, seating)
        except Exception:
            log.exception("Failed to create a table for matched people.")
        else:
            self.announce_table(table, list(pairing.people))
        for person in pairing.people:
            self.notify_person(person)

    def announce_table(self, table: str, people: list[str]) -> None:
        """Send people to the table where a seat is reserved for each."""
        for person in people:
            self._drop(person)
            self.matched[person] = table
            asyncio.get_running_loop().call_later(MATCH_SHOWN_S, self._forget, person, table)
            self.notify_person(person)

    def on_no_shows(self, table: str, people: Sequence[str]) -> None:
        """Stop sending no-shows to the table where seats were reserved for them."""
        for person in people:
            self._forget(person, table)

    def _forget(self, person: str, table: str) -> None:
        if self.matched.get(person) == table:
            del self.matched[person]
            self.notify_person(person)


def offers_of(request: SeekRequest) -> tuple[GameOffer, ...]:
    """Return the offers of a request in order of preference: by game, seat count, bot speed and time control."""
    offers = []
    for name in dict.fromkeys(request.games):
        game = find_game(name)
        if request.bots_after_s is not None:
            levels.find_level(levels.fast_bot_name(game), game)
        offers += [
            GameOffer(name, seats, bot_speed, time_control)
            for seats in request.seats
            if seats in game.seats
            for bot_speed in request.bot_speeds
            for time_control in request.time_controls
        ]
    if not offers:
        raise InvalidInputError("server-seek-nothing")
    return tuple(dict.fromkeys(offers))
