"""Duplicate matches: people, tables and results.

A person's next table opens when everyone who will play there has finished the previous deal. So nobody waits for the
slowest table of a deal, people play one game at a time, and live matches work like those that take days.

Only the lobby's owner changes matches, so each step is made by one process. Nothing is lost when it stops: table ids
and deal secrets follow from match and deal, the movement is stored at the start, and `advance` creates what is missing.
It runs after each game of a match, and for all matches when a process starts or takes over.
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import logging
import time
from collections.abc import Iterator, Mapping, Sequence
from weakref import WeakValueDictionary

import msgspec

from diamonds import deals, duplicate
from diamonds.bots import levels
from diamonds.errors import DiamondsError, InvalidInputError, NotAllowedError, NotFoundError
from diamonds.game import Game, find_game
from diamonds.server import server_time
from diamonds.server.api import matches as messages
from diamonds.server.api.codec import encode
from diamonds.server.api.tables import BotSpeed
from diamonds.server.background_tasks import BackgroundTasks
from diamonds.server.cluster.notices import MatchOver, MatchTableDone
from diamonds.server.errors import ForbiddenError
from diamonds.server.people.display_names import disambiguate, display_names
from diamonds.server.storage.commit_outcomes import CONFLICT, NOT_OWNER, DamagedTableError, StoreUnavailableError
from diamonds.server.storage.matches import CLOSING, OPEN, OVER, PLAYING, MatchChange, StoredMatch, StoredMatchTable
from diamonds.server.tables.core.clocks import TimeControl
from diamonds.server.tables.core.outcomes import MatchOutcome
from diamonds.server.tables.core.seating import (
    MATCH_ENDED,
    MatchTable,
    SeatHolder,
    SeatsAndSettings,
    TableHeader,
    person_name,
)
from diamonds.server.tables.core.table import Table
from diamonds.server.tables.core.table_info import time_control_info
from diamonds.server.tables.creation import derived_id
from diamonds.server.tables.new_tables import time_control_from_request
from diamonds.server.tables.service import TableObserver, TableService

DEFAULT_LEVEL = "3"
MAX_UNFINISHED = 20  # matches per person
MAX_LISTED = 20
SUBSTITUTE_AFTER_S = 60  # absence after which a bot substitutes, without clocks
MAX_TRIES = 5  # attempts to open tables while people are being replaced
RETRY_DELAY_S = 1.0
DAY_MS = 86_400_000

log = logging.getLogger("diamonds")


class MatchSettings(msgspec.Struct):
    """The part of a match that never changes, as stored. `version` is that of the game's rules."""

    game: str
    seats: int
    options: dict[str, bool | int | str]
    deals: int
    size: int
    level: str
    bot_speed: BotSpeed
    time_control: TimeControl | None
    version: int


_decode_settings = msgspec.json.Decoder(MatchSettings).decode
_decode_movement = msgspec.json.Decoder(tuple[tuple[tuple[int, ...], ...], ...]).decode
_decode_seating = msgspec.json.Decoder(SeatsAndSettings).decode
_decode_outcome = msgspec.json.Decoder(MatchOutcome).decode
_decode_results = msgspec.json.Decoder(list[list[MatchOutcome | None]]).decode


class MatchTables:
    """All tables of a match that has started, existing or not. `movement` has the people in the seats of each."""

    def __init__(self, match: StoredMatch, stored: Mapping[str, StoredMatchTable], key: bytes) -> None:
        self.movement = _decode_movement(match.movement) if match.movement else ()
        self.people = [each.person for each in match.people]
        self.stored = stored
        self._ids = [
            [derived_id(key, f"table {match.id} {deal} {number}") for number in range(len(tables))]
            for deal, tables in enumerate(self.movement)
        ]

    def __iter__(self) -> Iterator[tuple[int, int]]:
        """Yield deal and number of each table."""
        return ((deal, number) for deal, tables in enumerate(self.movement) for number in range(len(tables)))

    def id(self, deal: int, number: int) -> str:
        return self._ids[deal][number]

    def number_of(self, deal: int, person: int) -> int:
        """Return the number of a person's table in a deal."""
        return next(number for number, seats in enumerate(self.movement[deal]) if person in seats)

    def outcome(self, deal: int, number: int) -> MatchOutcome | None:
        """Return the outcome at a table whose game has ended."""
        stored = self.stored.get(self.id(deal, number))
        return _decode_outcome(stored.outcome) if stored and stored.outcome else None

    def is_open(self, deal: int, number: int) -> bool:
        """Return whether the table exists."""
        return self.id(deal, number) in self.stored

    def is_done(self, deal: int, number: int) -> bool:
        """Return whether nobody plays at a table any more: it is over or closed, or all its people are deleted."""
        if not any(self.people[person] for person in self.movement[deal][number] if person >= 0):
            return True
        stored = self.stored.get(self.id(deal, number))
        return stored is not None and (stored.phase == "over" or _is_closed(stored.seating))

    def is_due(self, deal: int, number: int) -> bool:
        """Return whether the table does not exist yet and everyone who will play there is ready."""
        if self.is_open(deal, number) or self.is_done(deal, number):
            return False
        people = [person for person in self.movement[deal][number] if person >= 0]
        return deal == 0 or all(self.is_done(deal - 1, self.number_of(deal - 1, person)) for person in people)

    def finished_count(self, person: int) -> int:
        """Return how many deals a person has finished."""
        return sum(self.is_done(deal, self.number_of(deal, person)) for deal in range(len(self.movement)))


class MatchService(TableObserver):
    """The duplicate matches of a server."""

    def __init__(self, tables: TableService, key: bytes) -> None:
        self._tables, self._store = tables, tables.store
        self._key = hmac.digest(key, b"duplicate matches", "sha256")
        self._joining = asyncio.Lock()  # so that a person's limit of matches holds
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._waiting: set[str] = set()  # matches waiting to be advanced
        self._tasks = BackgroundTasks()
        tables.observers.append(self)
        tables.people_callbacks.append(self.advance_all)

    def close(self) -> None:
        """Stop all tasks."""
        self._tasks.cancel()

    def secret(self, match: str, deal: int) -> bytes:
        """Return the secret of a deal."""
        return hmac.digest(self._key, f"secret {match} {deal}".encode(), "sha256")

    # Requests

    async def match(self, id: str, person: str) -> messages.MatchResponse:
        """Return a match as a person may see it."""
        return await self._response(await self._find_for(id, person), person)

    async def list_matches(self, person: str) -> messages.MatchListResponse:
        """Return a person's matches."""
        found = []
        for id in await self._store.matches_of(person, MAX_LISTED) if person else ():
            match = await self._store.load_match(id)
            if match is not None:
                found.append(await self._summary(match, person))
        return messages.MatchListResponse(found)

    async def create(self, person: str, request: messages.CreateMatchRequest) -> messages.MatchResponse:
        """Create a match with its organiser, once per idempotency key.

        Cards follow from the id, and the id from key and day: a match that retention has deleted, whose cards are
        public, cannot be made again. A repetition after midnight still finds the match of the day before. Raise
        `NotAllowedError` if the key has made a match with other settings.
        """
        game = find_game(request.game)
        settings = MatchSettings(
            game.name,
            request.seats,
            game.check_options(request.seats, request.options),
            request.deals,
            request.size,
            _level(request.level, game),
            request.bot_speed,
            time_control_from_request(request.time_control),
            game.version,
        )
        source = f"{person} {request.idempotency_key}" if request.idempotency_key else deals.new_secret().hex()
        today = server_time.wall_ms() // DAY_MS
        id, earlier = (derived_id(self._key, f"match {source} {day}") for day in (today, today - 1))
        async with self._joining:
            found = await self._store.load_match(earlier) or await self._store.load_match(id)
            if found is not None:
                stored = _decode_settings(found.settings)
                if msgspec.structs.replace(stored, version=settings.version) != settings:
                    raise NotAllowedError("server-key-used")
                id = found.id
            else:
                await self._check_unfinished(person)
                change = MatchChange(id, settings=encode(settings), created=time.time(), joined=person, max_people=1)
                await self._commit(change)
        return await self.match(id, person)

    async def join(self, id: str, person: str) -> messages.MatchResponse:
        """Let a person join, unless they already have."""
        async with self._joining:
            match = await self._find_for(id, person)
            if match.number_of(person) < 0:
                if match.phase != OPEN:
                    raise NotAllowedError("match-not-open")
                if any(each.person == person for each in match.people):
                    raise ForbiddenError("match-refused")
                blocked = (await self._tables.relationships.get(person)).blocked
                if any(each.person in blocked for each in match.participants):
                    raise ForbiddenError("match-with-blocked")
                size = _decode_settings(match.settings).size
                if len(match.participants) >= size:
                    raise NotAllowedError("match-full", number=size)
                await self._check_unfinished(person)
                await self._commit(MatchChange(id, (OPEN,), joined=person, max_people=size))
        return await self.match(id, person)

    async def leave(self, id: str, person: str) -> messages.MatchResponse:
        """Let a person leave before the start. If the organiser leaves, the match is over."""
        match = await self._find_for(id, person)
        if match.number_of(person) >= 0:
            if match.phase != OPEN:
                raise NotAllowedError("match-not-open")
            is_organiser = person == match.organiser
            await self._commit(
                MatchChange(id, (OPEN,), phase=OVER, ended_early=True)
                if is_organiser
                else MatchChange(id, (OPEN,), left=person)
            )
        return await self._response(await self._find(id), person)

    async def remove(self, id: str, person: str, number: int) -> messages.MatchResponse:
        """Remove a person before the start. Only the organiser may do this."""
        match = await self._find_for(id, person)
        _check_organiser(match, person)
        if match.phase != OPEN:
            raise NotAllowedError("match-not-open")
        other = next((each for each in match.participants if each.number == number), None)
        if other is None or other.person == person:
            raise InvalidInputError("match-no-such-person")
        await self._commit(MatchChange(id, (OPEN,), removed=number))
        return await self.match(id, person)

    async def start(self, id: str, person: str) -> messages.MatchResponse:
        """Start a match with the people who have joined, and open its first tables."""
        async with self._joining:
            match = await self._find_for(id, person)
            _check_organiser(match, person)
            if match.phase == OPEN:
                people, settings = len(match.participants), _decode_settings(match.settings)
                if people < 2:
                    raise NotAllowedError("match-few-people")
                movement = await asyncio.to_thread(
                    duplicate.movement, people, settings.seats, settings.deals, _has_partners(settings)
                )
                await self._commit(MatchChange(id, (OPEN,), phase=PLAYING, movement=encode(movement)))
        await self._advance_now(id)
        return await self.match(id, person)

    async def end(self, id: str, person: str) -> messages.MatchResponse:
        """End a match; games in play do not count. If its organiser was deleted, any participant may do so."""
        async with self._lock(id):
            match = await self._find_for(id, person)
            if match.organiser or match.number_of(person) < 0:
                _check_organiser(match, person)
            if match.phase == OPEN:
                await self._commit(MatchChange(id, (OPEN,), phase=OVER, ended_early=True))
            elif match.phase == PLAYING:
                await self._commit(MatchChange(id, (PLAYING,), phase=CLOSING, ended_early=True))
        await self._advance_now(id)
        return await self.match(id, person)

    async def _find(self, id: str) -> StoredMatch:
        match = await self._store.load_match(id)
        if match is None:
            raise NotFoundError("match-unknown")
        return match

    async def _find_for(self, id: str, person: str) -> StoredMatch:
        """Return a match. People whom a participant has blocked get the same error as for an unknown match."""
        match = await self._find(id)
        if person and person != match.organiser and match.number_of(person) < 0:
            blocked_by = (await self._tables.relationships.get(person)).blocked_by
            if any(each.person in blocked_by for each in match.participants):
                raise NotFoundError("match-unknown")
        return match

    async def _check_unfinished(self, person: str) -> None:
        if await self._store.unfinished_match_count(person) >= MAX_UNFINISHED:
            raise NotAllowedError("match-many", most=MAX_UNFINISHED)

    async def _commit(self, change: MatchChange) -> None:
        """Make a change durable. Raise `NotAllowedError` if the match has changed in the meantime."""
        outcome = await self._store.commit(change)
        if outcome.kind == NOT_OWNER:
            raise StoreUnavailableError
        if outcome.kind == CONFLICT:
            raise NotAllowedError("match-changed")

    def _lock(self, id: str) -> asyncio.Lock:
        """Return the lock for tables of a match."""
        lock = self._locks.get(id)
        if lock is None:
            lock = self._locks[id] = asyncio.Lock()
        return lock

    # Progress

    def resume(self) -> None:
        """Continue all matches, and the clocks and bots at their tables, after this process has started."""
        if self._tables.has_lobby:
            self._tasks.start(self._resume())

    def advance_all(self) -> None:
        """Continue all matches. One may have stopped with a process or with the last person at a table."""
        if self._tables.has_lobby:
            self._tasks.start(self._advance_all())

    def on_change(self, table: Table) -> None:
        """Continue the match of a table whose game has ended: tables may open, or the match ends."""
        match = table.header.match
        if match is not None and not table.is_match_over and (table.is_over or table.seating.closed_reason):
            if self._tables.has_lobby:
                self.advance_soon(match.id)
            elif self._tables.cluster:
                self._tables.cluster.notify_lobby_owner(MatchTableDone(match.id))

    async def on_table_done(self, _: int, notice: MatchTableDone) -> None:
        """Handle the end of a game at another member's table."""
        self.advance_soon(notice.match)

    async def on_match_over(self, _: int, notice: MatchOver) -> None:
        """Handle the end of a match, announced by the lobby owner."""
        self._tables.on_match_over(notice.match)

    async def advance(self, id: str) -> None:
        """Open the tables that are due, or end the match after its last table."""
        async with self._lock(id):
            match = await self._store.load_match(id)
            if match is None or match.phase not in (PLAYING, CLOSING):
                return
            tables = await (self._close_tables(match) if match.phase == CLOSING else self.open_tables(match))
            if match.phase == PLAYING and not all(tables.is_done(*place) for place in tables):
                return
            results = [
                [tables.outcome(deal, number) for number in range(len(seats))]
                for deal, seats in enumerate(tables.movement)
            ]
            await self._commit(MatchChange(id, (match.phase,), phase=OVER, results=encode(results)))
        self._tables.on_match_over(id)
        if self._tables.cluster:
            self._tables.cluster.publish(MatchOver(id))

    async def open_tables(self, match: StoredMatch) -> MatchTables:
        """Create the tables that are due. Return all tables."""
        for _ in range(MAX_TRIES):
            match = await self._find(match.id)  # a guest may have signed in meanwhile
            tables = await self._load_tables(match)
            due = [place for place in tables if tables.is_due(*place)]
            if not due:
                break
            for deal, number in due:
                header, seating = self.new_table(match, deal, tables.movement[deal][number])
                with contextlib.suppress(NotFoundError):  # refused, because someone was replaced meanwhile
                    await self._tables.creator.create_for_match(header, seating, tables.id(deal, number))
        return tables

    def new_table(self, match: StoredMatch, deal: int, people: Sequence[int]) -> tuple[TableHeader, SeatsAndSettings]:
        """Return a table of a deal. All nonces are empty, so all tables have the same cards."""
        settings = _decode_settings(match.settings)
        game = find_game(settings.game)
        seated = [match.people[number].person if number >= 0 else "" for number in people]
        holders = [
            SeatHolder("person", person) if person else SeatHolder("bot", "", settings.level) for person in seated
        ]
        header = TableHeader(
            game.name, settings.seats, settings.options, self.secret(match.id, deal).hex(), "",
            next((person for person in seated if person), ""), True, SUBSTITUTE_AFTER_S, time.time(), hints=False,
            version=settings.version, time_control=settings.time_control, bots_version=levels.bots_version(game),
            match=MatchTable(match.id, deal, settings.deals),
        )  # fmt: skip
        return header, SeatsAndSettings(holders, bot_speed=settings.bot_speed)

    async def _close_tables(self, match: StoredMatch) -> MatchTables:
        """Close the tables in play. Return all tables."""
        for stored in (await self._store.match_tables(match.id)).values():
            if stored.phase != "over":
                with contextlib.suppress(DamagedTableError, NotFoundError):
                    await self._tables.actions.close_table(stored.table, MATCH_ENDED)
        return await self._load_tables(match)

    async def _load_tables(self, match: StoredMatch) -> MatchTables:
        return MatchTables(match, await self._store.match_tables(match.id), self._key)

    async def _resume(self) -> None:
        for id in await self._advance_all():
            for stored in (await self._store.match_tables(id)).values():
                if stored.phase != "over" and not self._tables.registry.has(stored.table):
                    with contextlib.suppress(DiamondsError):  # the table cannot be played
                        await self._tables.creator.start_bots_and_clocks(stored.table)

    async def _advance_all(self) -> list[str]:
        """Advance all matches that have started, and return them."""
        while True:
            try:
                started = await self._store.started_matches()
            except StoreUnavailableError:
                await asyncio.sleep(RETRY_DELAY_S)
            else:
                for id in started:
                    self.advance_soon(id)
                return started

    async def _advance_now(self, id: str) -> None:
        """Advance a match for a request, or later in the background if the store is unavailable."""
        try:
            await self.advance(id)
        except StoreUnavailableError:
            self.advance_soon(id)

    def advance_soon(self, id: str) -> None:
        """Advance a match in the background, unless that is due already."""
        if id not in self._waiting:
            self._waiting.add(id)
            self._tasks.start(self._advance(id))

    async def _advance(self, id: str) -> None:
        """Advance a match in the background."""
        while self._tables.has_lobby:
            self._waiting.discard(id)  # any later change needs another run
            try:
                await self.advance(id)
            except StoreUnavailableError:
                self._waiting.add(id)
                await asyncio.sleep(RETRY_DELAY_S)
                continue
            except Exception:
                log.exception("Match %s has stopped.", id)
            return
        self._waiting.discard(id)

    # Responses

    async def _response(self, match: StoredMatch, person: str) -> messages.MatchResponse:
        settings = _decode_settings(match.settings)
        tables = await self._load_tables(match)
        number = match.number_of(person)
        all_secrets = [self.secret(match.id, deal) for deal in range(settings.deals)]
        names = await self._names(match)
        return messages.MatchResponse(
            match.id,
            settings.game,
            find_game(settings.game).title,
            settings.seats,
            dict(settings.options),
            settings.deals,
            settings.size,
            settings.level,
            settings.bot_speed,
            time_control_info(settings.time_control),
            match.created,
            "playing" if match.phase == CLOSING else match.phase,  # type: ignore[arg-type]
            match.ended_early and match.phase == OVER,
            [
                messages.MatchPersonInfo(
                    each.number,
                    name,
                    bool(each.person) and each.person == match.organiser,
                    tables.finished_count(each.number) if match.movement else 0,
                )
                for each, name in zip(match.participants, names, strict=True)
            ],
            number if number >= 0 else None,
            bool(person) and person == match.organiser,
            list(map(deals.commit, all_secrets)),
            [secret.hex() for secret in all_secrets] if match.phase == OVER else None,
            _own_tables(tables, number) if number >= 0 else [],
            _results(match, tables) if match.phase == OVER and match.results else None,
        )

    async def _summary(self, match: StoredMatch, person: str) -> messages.MatchSummary:
        settings = _decode_settings(match.settings)
        own = _own_tables(await self._load_tables(match), match.number_of(person)) if match.phase == PLAYING else []
        return messages.MatchSummary(
            match.id,
            settings.game,
            find_game(settings.game).title,
            settings.seats,
            settings.deals,
            len(match.participants),
            settings.size,
            "playing" if match.phase == CLOSING else match.phase,  # type: ignore[arg-type]
            match.created,
            next((table.table for table in own if not table.finished), None),
        )

    async def _names(self, match: StoredMatch) -> Sequence[str]:
        people = [each.person for each in match.participants]
        names = await display_names(self._store, {person for person in people if person})
        return disambiguate([person_name(person, names) if person else "" for person in people], ())


def _level(name: str | None, game: Game) -> str:
    """Return the level of a match's bots."""
    try:
        levels.find_level(name or DEFAULT_LEVEL, game)
    except NotFoundError as error:
        raise InvalidInputError(error.message.id, **error.message.args) from None
    except DiamondsError:
        if name is not None:
            raise
        return levels.fast_bot_name(game)
    return name or DEFAULT_LEVEL


def _has_partners(settings: MatchSettings) -> bool:
    """Return whether some players are partners in a match with these settings."""
    header = TableHeader(settings.game, settings.seats, settings.options, "00", "", "", True, 0, 0.0)
    seating = SeatsAndSettings([SeatHolder("bot", "", settings.level) for _ in range(settings.seats)])
    seating.fix_initial_holders()
    table = Table("", header, seating, 0)
    table.game_state.begin(seating)
    return table.has_partners


def _check_organiser(match: StoredMatch, person: str) -> None:
    if not person or person != match.organiser:
        raise ForbiddenError("match-organiser-only")


def _is_closed(seating: bytes) -> bool:
    """Return whether a table was closed, given its stored seating."""
    try:
        return bool(_decode_seating(seating).closed_reason)
    except msgspec.DecodeError:
        return False  # unreadable: the organiser can still end the match


def _own_tables(tables: MatchTables, person: int) -> list[messages.MatchOwnTableInfo]:
    """Return a person's open tables, in order."""
    found = []
    for deal, number in tables:
        seats = tables.movement[deal][number]
        if person in seats and tables.is_open(deal, number):
            seat, outcome = seats.index(person), tables.outcome(deal, number)
            points = outcome.scores[seat] if outcome else None
            is_done = tables.is_done(deal, number)
            found.append(messages.MatchOwnTableInfo(deal, tables.id(deal, number), seat, is_done, points))
    return found


def _results(match: StoredMatch, tables: MatchTables) -> messages.MatchResults:
    """Return the results of a match that is over."""
    outcomes, game = _decode_results(match.results), find_game(_decode_settings(match.settings).game)
    scores = duplicate.scores(
        tables.movement, [[_seat_results(game, outcome) for outcome in found] for found in outcomes]
    )
    return messages.MatchResults(
        [messages.MatchStandingInfo(*standing) for standing in scores.standings],
        [
            messages.MatchDealInfo(
                [
                    messages.MatchTableResult(
                        tables.id(deal, number),
                        [person if person >= 0 else None for person in people],
                        outcome.scores if outcome else None,
                    )
                    for number, (people, outcome) in enumerate(zip(tables.movement[deal], found, strict=True))
                ],
                [
                    messages.MatchHandInfo(
                        seat, [messages.MatchHandEntry(*entry, _points(found[entry.table], seat)) for entry in entries]
                    )
                    for seat, entries in scores.deals[deal]
                ],
            )
            for deal, found in enumerate(outcomes)
        ],
    )


def _seat_results(game: Game, outcome: MatchOutcome | None) -> Sequence[float] | None:
    return None if outcome is None else duplicate.seat_results(game, msgspec.structs.asdict(outcome))


def _points(outcome: MatchOutcome | None, seat: int) -> int:
    return 0 if outcome is None else outcome.scores[seat]
