"""What people do at tables: every operation, in one order: check, commit, swap the state, publish, reply.

Each table in memory is a computed copy of what is stored; it is loaded when first touched and dropped when nobody looks.
Operations on one table take turns (``table.here.lock``); should another process have written first, the store says so, the
table is loaded anew, and the caller gets the current message.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import logging
import secrets
import time
from collections.abc import Awaitable, Callable, Collection, Sequence
from time import perf_counter
from typing import Any, Protocol, TypeVar

import msgspec

from diamonds import deals
from diamonds.entries import answer_words, undo_words
from diamonds.game import Illegal, Malformed, Refused, Unknown
from diamonds.server.api import messages
from diamonds.server.api.clocks import LetAnswer, Nudge, Pause
from diamonds.server.api.encoding import encode
from diamonds.server.api.order import Notice
from diamonds.server.api.refusals import Forbidden
from diamonds.server.house import catching_up
from diamonds.server.house.around import Around
from diamonds.server.house.called import name_of, names
from diamonds.server.house.clocks import ClocksAtTables, with_clocks
from diamonds.server.house.hub import Hub
from diamonds.server.house.lobby import (
    damaged_line,
    has_waited_in_vain,
    is_listed,
    open_line,
    read_line,
    table_as_asked,
    table_line,
    table_to_play_again,
    table_to_play_on,
)
from diamonds.server.house.neighbours import Neighbours
from diamonds.server.house.patience import Patience
from diamonds.server.house.shelf import Shelf
from diamonds.server.house.standing import Standings, event
from diamonds.server.store import failpoints
from diamonds.server.store.contract import AS_BEFORE, CONFLICT, DONE, REUSED, Change, Damaged, Listed, Store
from diamonds.server.table import batch, seats, talking
from diamonds.server.table.entries import seat_of
from diamonds.server.table.header import Header
from diamonds.server.table.places import Places, Wish
from diamonds.server.table.presence import Reader
from diamonds.server.table.replaying import state_at
from diamonds.server.table.table import MOST_ENTRIES, Table
from diamonds.server.table.telling import message
from diamonds.server.watching.tally import Tally
from diamonds.server.work.advisers import Advisers
from diamonds.server.work.history import Archive
from diamonds.server.work.players import BotsAtTable
from diamonds.server.work.thinking import Thinking

LOBBY = 100  # tables in a list
UNFINISHED = 12  # own games of which the list tells whose turn it is
TRIES = 5  # times that something is judged anew, because another process was quicker

log = logging.getLogger("diamonds")

Done = TypeVar("Done")
Asked = TypeVar("Asked", messages.Sit, messages.Stand, messages.SetBot, messages.SetPace, messages.SetTalk)
Post = (
    messages.Sit
    | messages.Stand
    | messages.SetBot
    | messages.SetPace
    | messages.SetTalk
    | messages.Again
    | messages.Undo
    | messages.Consent
    | messages.Chat
    | messages.NewTable
    | messages.PlayOn
    | Pause
    | LetAnswer
)


class Watcher(Protocol):
    """Whoever has to know what happens at all tables, while it is told to those who sit there."""

    def changed(self, table: Table) -> None:
        """Something has happened at a table."""
        ...

    def sat_down(self, people: Sequence[str]) -> None:
        """These people have sat down at a table."""
        ...


class Stale(Illegal):
    """The request rests on a view that is no longer current (409); the current message comes along."""

    def __init__(self, id: str, current: bytes, **values: Any) -> None:
        super().__init__(id, **values)
        self.current = current


class Beaten(Stale):
    """Another process was quicker; this one has caught up, and it can be judged anew."""


def fingerprint(route: str, body: msgspec.Struct) -> bytes:
    """Tells a repeated request from another one."""
    return hashlib.blake2b(route.encode() + encode(body), digest_size=16).digest()


def _new_id() -> str:
    """The name of a new table."""
    return secrets.token_urlsafe(9)


def _decisions(table: Table, seat: int, since: int) -> set[int]:
    """The moments from an n on at which a seat gave an answer that stands."""
    return {table.log.moment(at) for at, entry in table.log.chain() if at >= since and seat_of(entry) == seat}


def _check_open(table: Table) -> None:
    if table.places.closed:
        raise Illegal("table-closed", reason=table.places.closed)


def closed_notice(table: Table) -> bytes:
    """What is told at a table that hosts have closed; nothing at any other."""
    return event(Notice("closed", table.places.closed)) if table.places.closed else b""


class Tables:
    """All tables, as this process sees them."""

    def __init__(self, store: Store, think: tuple[float, float] | None = None, processes: int = 1) -> None:
        self.store = store
        self.tally = Tally()
        self.clocks = ClocksAtTables(self, store)
        self.shelf = Shelf(store, self.clocks.now)
        self.standings = Standings(store.books)
        self.around = Around(store)
        self.patience = Patience(self)
        self.hub = Hub(self.tally.late)
        self.thinking = Thinking(processes)
        self.bots = BotsAtTable(self, self.thinking, think, self.tally)
        self.advisers = Advisers(store, self.thinking)
        self.archive = Archive(store, self.thinking)
        self.watchers: list[Watcher] = []
        self.neighbours = Neighbours(store.sharing, self) if store.sharing else None
        self.now = self.clocks.now
        if self.neighbours:
            self.shelf.loaded = self._loaded
            self.shelf.dropped = self.neighbours.forget
        self._tasks: set[asyncio.Task[None]] = set()

    async def open(self) -> None:
        """The server starts; before anything else is asked of it."""
        await self.clocks.open(self.neighbours.enter if self.neighbours else self.store.open_clocks)
        await self.shelf.open()
        await self.standings.read()

    async def close(self) -> None:
        """The server stops."""
        if self.neighbours:
            await self.neighbours.close()
        await self.clocks.close()
        self.advisers.close()
        self.bots.close()
        self.thinking.close()
        self.hub.close()
        self.shelf.close()

    async def find(self, id: str, person: str) -> Table:
        """A table that this person may look at; else `Unknown`, or `Damaged` if nobody can.

        A game that is played on is there for its maker alone. Where no person has a seat, the bots rest until someone looks.
        """
        table = await self.shelf.find(id)
        if table.here.paused:
            self.bots.go_on(table)
        if table.header.fork is not None and person != table.header.host:
            raise Unknown("table-unknown")
        return table

    def get(self, id: str) -> Table:
        """A table that is in memory, or `Unknown`."""
        table = self.shelf.get(id)
        if table is None:
            raise Unknown("table-not-in-memory")
        return table

    async def reader(self, table: Table, person: str) -> Reader:
        """What a person is told now of a table besides what all are."""
        return table.reader(person, await self.blocked(person) if table.chat else frozenset())

    async def blocked(self, person: str) -> frozenset[str]:
        """Whom a person has blocked: what they say at tables is not told to that person."""
        return (await self.around.of(person)).blocked

    async def hear_anew(self, person: str) -> None:
        """Someone has blocked or unblocked somebody: they are told the lines that they hear from now on. Nobody else notices."""
        blocked = await self.blocked(person)
        for table in self.shelf.all():
            for stream in table.here.streams:
                if stream.person == person:
                    stream.reader = table.reader(person, blocked)
                    stream.wake()

    def in_memory(self, table: Table) -> bool:
        """Whether this is the table in use (and not one that was dropped)."""
        return self.shelf.get(table.id) is table

    def turn(self, table: Table) -> asyncio.Lock:
        """Operations on a table take turns."""
        lock: asyncio.Lock | None = table.here.lock
        if lock is None:
            table.here.lock = lock = asyncio.Lock()
        return lock

    def changed(self, table: Table, look: bool = True) -> None:
        """Something besides the game changed: tell every reader."""
        self.shelf.count(table, lambda: self.publish(table, look))
        wish = table.wish
        if wish is not None and wish.agreed and not table.waiting(wish):
            task = asyncio.get_running_loop().create_task(self._settle(table))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    def publish(self, table: Table, look: bool = True) -> None:
        """Wake the readers, and the bots."""
        self.patience.note(table)
        for stream in table.here.streams:
            stream.wake()
        for watcher in self.watchers:
            watcher.changed(table)
        if look:
            self.bots.look(table)
        if self.neighbours:
            self.neighbours.tell_of(table)

    async def commit(self, table: Table | None, change: Change) -> bytes | None:
        """Make it durable. Returns the reply of the first time, if this is a repetition."""
        if change.n + len(change.entries) > MOST_ENTRIES:
            raise Illegal("table-full", most=MOST_ENTRIES)
        if self.neighbours and table is not None:
            held = bool(change.entries) and not change.places
            change = change._replace(
                changes=table.changes + 1, held=held, revision=table.revision if held else change.revision
            )
        self.tally.committing += 1
        began = perf_counter()
        try:
            outcome = await self.store.commit(change)
        finally:
            self.tally.committing -= 1
        self.tally.commit.add(perf_counter() - began)
        if outcome.what == DONE:
            return None
        if outcome.what == REUSED:
            raise Illegal("server-key-used")
        if outcome.what == CONFLICT:
            assert table is not None
            if self.neighbours:
                await self.catch_up(table)
            else:
                await self.shelf.load_anew(table)
                self.changed(table)
            raise Beaten("table-quicker", await self._message(table, None, change.person))
        return outcome.reply

    async def _once(
        self, what: str, table: Table | None, person: str, post: Post, do: Callable[[Change], Awaitable[bytes]]
    ) -> bytes:
        """Do what a POST asks for, in the table's turn; if it was made before, it gets the reply of the first time."""
        body = fingerprint(what, post)
        change = Change(table=table.id if table else "", person=person, key=post.key or "", body=body)

        async def once() -> bytes:
            async with self.turn(table) if table else contextlib.nullcontext():
                repeated = await self._repeated(change)
                if repeated is not None:
                    return repeated
                if table:
                    _check_open(table)
                return await do(change)

        return await self.judged(table, once)

    # Other processes

    async def know(self, table: Table, version: int) -> None:
        """Somebody has been told a version of a table, wherever that was: here they are told no older one."""
        if not self.neighbours or version <= table.version:
            return
        async with self.turn(table):
            await self.catch_up(table)
            n, changes = version >> 32, version & 0xFFFFFFFF
            if n == table.n and table.changes < changes < await self.store.reserve(0):  # else it was never told
                table.changes = changes

    def moves(self, table: str) -> bool:
        """Whether a table's bots and clocks are this process's to move."""
        return self.neighbours is None or self.neighbours.moves(table)

    def leads(self) -> bool:
        """Whether what is done once in a house is this process's to do."""
        return self.neighbours is None or self.neighbours.is_hall

    def is_here(self, person: str) -> bool:
        """Whether somebody is in the house."""
        return person in self.hub.here or (self.neighbours is not None and self.neighbours.is_here(person))

    async def judged(self, table: Table | None, do: Callable[[], Awaitable[Done]]) -> Done:
        """Do something that rests on this process's copy of a table. What is refused because the copy is behind is judged anew: nobody
        is told a refusal that is not true."""
        for _ in range(TRIES if self.neighbours and table else 0):
            try:
                return await do()
            except Beaten:
                continue
            except Refused:
                assert table is not None
                async with self.turn(table):
                    if not await self.catch_up(table):
                        raise
        return await do()

    async def catch_up(self, table: Table, changes: int = 0) -> bool:
        """Bring a table up to what is stored by now, in its turn, and tell; whether anything was new. ``changes``: what others tell of it."""
        assert self.store.sharing is not None
        before, people, pace = table.places, {*table.people()}, table.places.pace
        if not await catching_up.catch_up(self.store.sharing, self.shelf, table):
            table.changes = max(table.changes, changes)
            return False
        table.changes = max(table.changes, changes - 1)
        self.clocks.set(table, table.clocks)
        come = [place.person for place in table.places.seats if place.kind == "person" and place.person not in people]
        for person in come:
            table.here.seen[table.seat_of(person)] = time.monotonic()
        table.look_round()
        self.changed(table)
        if table.places.pace != pace:
            self.bots.change_tempo(table)
        for watcher in self.watchers if come else ():
            watcher.sat_down(come)
        if table.places.closed and not before.closed:
            for stream in table.here.streams:
                stream.tell(closed_notice(table))
        return True

    def hurried_elsewhere(self, table: Table) -> None:
        """Bots may have been told to make haste, at another process."""
        asked = max((one.hurried for one in table.here.elsewhere.values()), default=-1)
        if asked > table.here.hurried_at and self.moves(table.id) and len(table.persons) == 1:
            table.here.hurried_at = asked
            self.bots.hurry(table, table.persons[0])

    def _loaded(self, table: Table) -> None:
        """A table is in memory from now on: it is as others say, and who is asked has been so since then."""
        assert self.neighbours is not None
        self.neighbours.mind(table)
        self.clocks.set(table, table.clocks)
        behind = self.now() - time.time_ns() // 1_000_000
        for seat, since in enumerate(table.play.open_since):
            at = table.log.at[since - 1] if since else int(table.header.created * 1000)
            table.here.asked[seat] = (since, min(self.now(), at + behind))

    async def _repeated(self, change: Change) -> bytes | None:
        """The reply of the first time, if this POST was made before."""
        if not change.key:
            return None
        outcome = await self.store.recall(change.table, change.person, change.key, change.body)
        if outcome is None:
            return None
        if outcome.what == REUSED:
            raise Illegal("server-key-used")
        return outcome.reply

    # Answers

    async def answer(self, table: Table, person: str, body: messages.Answers) -> bytes:
        """Someone answers, with a key that makes it happen once. Returns the reply, a `Done`."""
        mark = fingerprint(f"answers {table.id}", body)

        async def give() -> bytes:
            seat = self._seat(table, person)
            return await self.play(table, seat, body.n, body.answers, person, body.key, mark, spent=body.spent)

        return await self.judged(table, give)

    async def play(
        self,
        table: Table,
        seat: int,
        n: int,
        answers: list[str],
        person: str = "",
        key: str = "",
        body: bytes = b"",
        by: str = "",
        spent: int | None = None,
    ) -> bytes:
        """Answers of a seat, all or none, that rest on the view at ``n``; see the order at the top of this file.

        ``by`` is the level of the bot that gives them, if that is not whoever has the seat; ``spent``, how long they say to have thought.
        """
        came = perf_counter()
        async with self.turn(table):
            began = perf_counter()
            mark = hash((person, key)) if key else 0
            if key and mark in table.log.keys:
                reply = await self._repeated(Change(table=table.id, person=person, key=key, body=body))
                if reply is not None:
                    return reply
            _check_open(table)
            state = table.play.state
            if state is None:
                raise Illegal("table-not-begun")
            if table.clocks is not None and table.clocks.paused:
                raise Illegal("table-paused")
            if not table.play.open_since[seat] <= n <= table.n and not table.over:
                raise Stale("table-moved-on", await self._message(table, n, person))
            try:
                numbers = batch.read(table.game, state, seat, answers)
            except Illegal as refusal:
                why = refusal.message
                raise Stale(why.id, await self._message(table, n, person), **why.values) from None
            steps = table.play.steps(seat, numbers)
            answered = seat if table.places.seats[seat].kind == "person" and not by else -1
            clocks = table.clocks_after(table.places, int(steps[-1].state["to_act"]), answered, spent)
            after = table.n + len(steps)
            reply = b'{"n":%d,"version":%d}' % (after, after << 32 | table.changes)
            change = Change(
                table=table.id,
                person=person,
                key=key,
                body=body,
                reply=reply,
                n=table.n,
                entries=tuple((seat, answer_words(words, by)) for words in answers),
                at=(at := table.log.time_for_entry()),
                phase="over" if steps[-1].state["over"] else "",
                asked=table.asked_from(int(steps[-1].state["to_act"])),
            )
            early = failpoints.wrong("publish_first")
            if early:
                for step in steps:
                    table.play.apply(step, at, mark, by)
                self.publish(table)
                await asyncio.sleep(0.02)
            self.tally.turn.add(began - came)
            self.tally.rules.add(perf_counter() - began)
            earlier = await self.commit(table, with_clocks(change, clocks))
            if earlier is not None:
                return earlier
            written = perf_counter()
            if not early:
                for step in steps:
                    table.play.apply(step, at, mark, by)
            self.clocks.set(table, clocks)
        failpoints.reach("swapped")
        self.publish(table)
        failpoints.reach("published")
        self.tally.telling.add(perf_counter() - written)
        if log.isEnabledFor(logging.DEBUG):
            log.debug(
                "Somebody has answered.", extra={"game": table.game.name, "seat": seat, "n": after, "by": by or "seat"}
            )
        if table.over and change.phase:
            log.info("A game is over.", extra={"game": table.game.name, "seats": table.header.seats, "n": after})
        self.tally.answers[table.game.name, "person" if answered >= 0 else "bot"] += len(steps)
        return reply

    async def _message(self, table: Table, since: int | None, person: str) -> bytes:
        return message(table, await self.reader(table, person), since)

    # What others have to agree to

    async def undo(self, table: Table, person: str, body: messages.Undo) -> bytes:
        """Step back at will, or ask the others."""
        return await self._once(f"undo {table.id}", table, person, body, lambda change: self._undo(table, body, change))

    async def _undo(self, table: Table, body: messages.Undo, change: Change) -> bytes:
        person = change.person
        seat = self._seat(table, person)
        if table.phase != "playing":
            raise Illegal("table-nothing-to-undo")
        if table.clocks is not None:
            raise Illegal("table-undo-clocks")
        if body.n != table.n:
            raise Stale("table-moved-on", await self._message(table, body.n, person))
        moments = {table.log.moment(at) for at, _ in table.log.chain()}
        if body.to > table.n or table.log.moment(body.to) not in moments:
            raise Malformed("table-no-moment")
        others = [other for other in table.persons if other != seat and other not in table.here.standing_in]
        if others:
            wish = Wish("undo", person, seat, to=body.to, asked=others)
            return await self.commit_places(table, seats.ask(table, wish), change)
        floor, _ = table.undo_limits(seat)
        if floor is None or table.log.moment(body.to) not in _decisions(table, seat, floor):
            raise Illegal("table-undo-own")
        return await self._step_back(table, seat, body.to, True, change)

    async def consent(self, table: Table, person: str, body: messages.Consent) -> bytes:
        """Someone answers a wish: when the last has agreed it is fulfilled; one refusal, or whose it is, ends it."""
        return await self._once(
            f"wish {table.id}", table, person, body, lambda change: self._agree(table, body, change)
        )

    async def _agree(self, table: Table, body: messages.Consent, change: Change) -> bytes:
        places = seats.answer_wish(table, change.person, body)
        if places.wish is None or table.waiting(places.wish):
            return await self.commit_places(table, places, change)
        return await self._fulfil(table, places.wish, change)

    async def _fulfil(self, table: Table, wish: Wish, change: Change) -> bytes:
        if wish.kind == "undo":
            return await self._step_back(table, wish.seat, wish.to, False, change)
        if wish.kind == "pause":
            return await self.patience.stand_still(table, change)
        if wish.kind == "answer":
            return await self.patience.answer_for(table, wish.seat, change)
        return await self.commit_places(table, seats.fulfilled(table, wish), change)

    async def _settle(self, table: Table) -> None:
        """Somebody who was asked has gone: if all others have agreed, that is enough."""
        async with self.turn(table):
            wish = table.wish
            if wish is not None and wish.agreed and not table.waiting(wish):
                with contextlib.suppress(Stale):  # another process was quicker
                    await self._fulfil(table, wish, Change(table=table.id, person=wish.person))

    async def _step_back(self, table: Table, seat: int, to: int, at_will: bool, change: Change) -> bytes:
        state = await asyncio.to_thread(state_at, table, to)
        after = table.n + 1
        reply = b'{"n":%d,"version":%d}' % (after, after << 32 | table.changes)
        entry, at = (seat, undo_words(to, not at_will)), table.log.time_for_entry()
        asked = table.asked_from(int(state["to_act"]))
        earlier = await self.commit(
            table, change._replace(reply=reply, n=table.n, entries=(entry,), at=at, asked=asked)
        )
        if earlier is not None:
            return earlier
        table.play.step_back(seat, to, state, at_will, at, hash((change.person, change.key)))
        self.changed(table)
        return reply

    # Those who wait for somebody

    async def pause(self, table: Table, person: str, body: Pause) -> bytes:
        """Ask that all clocks stand still, or let them go on."""

        async def do(change: Change) -> bytes:
            return await self.patience.pause(table, self._seat(table, person), body, change)

        return await self._once(f"pause {table.id}", table, person, body, do)

    async def nudge(self, table: Table, person: str, body: Nudge) -> bytes:
        """Remind somebody that all wait for them."""

        async def remind() -> bytes:
            async with self.turn(table):
                self.patience.nudge(table, self._seat(table, person), body)
            return b'{"n":%d,"version":%d}' % (table.n, table.version)

        return await self.judged(table, remind)

    async def let_answer(self, table: Table, person: str, body: LetAnswer) -> bytes:
        """Ask the others that a bot answers for somebody who is silent."""

        async def do(change: Change) -> bytes:
            return await self.patience.let_answer(table, self._seat(table, person), body, change)

        return await self._once(f"let-answer {table.id}", table, person, body, do)

    # Seats

    def _seat(self, table: Table, person: str) -> int:
        seat = table.seat_of(person)
        if seat < 0:
            raise Forbidden("table-no-seat")
        table.here.seen[seat] = time.monotonic()
        return seat

    async def commit_places(self, table: Table, places: Places, change: Change, paused: bool | None = None) -> bytes:
        """New places, durable and told; what changed hands since the first deal is in the log, by the same commit. ``paused`` is whether
        the clocks stand still from now on, if that changes.

        When the last seat is taken, the game starts: nonces are fixed and cards dealt.
        """
        starts = table.phase == "waiting" and places.taken
        if starts:
            places.fix()
        to_act = table.to_act_after(places)
        clocks = None if to_act is None else table.clocks_after(places, to_act)
        if clocks is not None and paused is not None:
            clocks = msgspec.structs.replace(clocks, paused=paused)
        entries, at = table.new_seats(places), table.log.time_for_entry()
        after = table.n + len(entries)
        reply = b'{"n":%d,"version":%d}' % (after, after << 32 | table.changes + 1)
        come = [place.person for place in places.seats if place.kind == "person" and table.seat_of(place.person) < 0]
        change = change._replace(
            members=tuple(come),
            sitter=next((person for person in come if person != change.person), ""),
            reply=reply,
            places=encode(places),
            revision=table.revision,
            phase="playing" if starts else table.phase,
            n=table.n,
            entries=entries,
            at=at,
            asked=table.asked_with(places, to_act) if starts or entries else AS_BEFORE,
        )
        told, known = places.people(), set(table.people())
        with self.shelf.renamed() as since:
            called = table.names if told <= known else await names(self.store, told | known)
            earlier = await self.commit(table, with_clocks(change, clocks))
        if earlier is not None:
            return earlier
        table.places = places
        table.revision += 1
        for seat, _ in entries:
            table.play.reseat(seat, places.seats[seat].who, at, hash((change.person, change.key)) if change.key else 0)
        if starts:
            table.play.begin(table.places)
        self.clocks.set(table, clocks)
        table.names = {**called, **since}
        for person in come:
            table.here.seen[table.seat_of(person)] = time.monotonic()
        table.look_round()
        self.changed(table)
        for watcher in self.watchers if come else ():
            watcher.sat_down(come)
        return reply

    async def sit(self, table: Table, person: str, body: messages.Sit) -> bytes:
        """Take a seat, or ask for it."""
        return await self._change_seats(table, person, body, "sit", seats.sit_down)

    async def stand(self, table: Table, person: str, body: messages.Stand) -> bytes:
        """Leave the seat."""
        return await self._change_seats(table, person, body, "stand", seats.stand_up)

    async def set_bot(self, table: Table, person: str, body: messages.SetBot) -> bytes:
        """Give an open seat to a bot or send a bot away, or ask for it."""
        return await self._change_seats(table, person, body, "bot", seats.set_bot)

    async def set_pace(self, table: Table, person: str, body: messages.SetPace) -> bytes:
        """How fast bots answer from now on."""
        reply = await self._change_seats(table, person, body, "pace", seats.set_pace)
        self.bots.change_tempo(table)
        return reply

    async def set_talk(self, table: Table, person: str, body: messages.SetTalk) -> bytes:
        """What may be said from now on."""
        return await self._change_seats(table, person, body, "talk", seats.set_talk)

    async def hurry(self, table: Table, person: str) -> bytes:
        """Bots answer at once until this person, who plays alone against them, is asked again. Returns the reply, a `Done`."""

        async def hurry() -> bytes:
            return self._hurry(table, person)

        return await self.judged(table, hurry)

    def _hurry(self, table: Table, person: str) -> bytes:
        seat = self._seat(table, person)
        if table.phase != "playing":
            raise Illegal("game-over" if table.over else "table-not-begun")
        if table.persons != [seat]:
            raise Illegal("table-hurry-alone")
        self.bots.hurry(table, seat)
        if self.neighbours:  # whose bots they are
            table.here.hurried_at = table.n
            self.neighbours.tell_of(table)
        return b'{"n":%d,"version":%d}' % (table.n, table.version)

    async def _change_seats(
        self, table: Table, person: str, body: Asked, what: str, decide: Callable[[Table, str, Asked], Places]
    ) -> bytes:
        async def change_seats(change: Change) -> bytes:
            return await self.commit_places(table, decide(table, person, body), change)

        return await self._once(f"{what} {table.id}", table, person, body, change_seats)

    # Talking

    async def say(self, table: Table, person: str, body: messages.Chat) -> bytes:
        """A line of chat."""
        return await self._once(f"chat {table.id}", table, person, body, lambda change: self._say(table, body, change))

    async def _say(self, table: Table, body: messages.Chat, change: Change) -> bytes:
        self.standings.check_may_talk(change.person)
        name = table.called_here(change.person, await self.name_of(change.person))
        line = talking.line_of(table, change.person, name, body, round(time.time(), 3))
        reply = b'{"n":%d,"version":%d}' % (table.n, table.n << 32 | table.changes + 1)
        earlier = await self.commit(table, change._replace(reply=reply, line=line))
        if earlier is not None:
            return earlier
        table.chat = [*table.chat, line][-talking.MOST_LINES :]
        self.changed(table, look=False)
        return reply

    async def name_of(self, person: str) -> str:
        """What someone is called."""
        return await name_of(self.store, person)

    def called(self, person: str, name: str) -> None:
        """Someone is called by a name from now on, at every table."""
        for table in self.shelf.called(person, name):
            self.changed(table, look=False)

    async def take_name(self, person: str) -> None:
        """Somebody's name was taken away: it is told nowhere any more, nor with what they have said under it."""
        for table in await self.shelf.settled():
            if table.seat_of(person) >= 0 or any(line.person == person for line in table.chat):
                async with self.turn(table):
                    await self.shelf.call(table)
                self.changed(table, look=False)

    async def become_another(self, people: Collection[str], also: Collection[str] = ()) -> None:
        """Those who were these people are others now, or nobody: their tables and the ones in ``also`` are as they are stored."""
        for table in await self.shelf.those_of(people, also):
            async with self.turn(table):
                await self.shelf.load_anew(table)
                table.look_round()
            self.changed(table)
        self.hub.cut(people)

    async def shut(self, table: Table, reason: str) -> None:
        """A host closes a table: nothing happens there any more, and everyone there is told why. What has happened is kept."""
        async with self.turn(table):
            places = table.copy_of_places()
            places.closed, places.wish = reason, None
            await self.commit_places(table, places, Change(table=table.id), paused=True)
        for stream in table.here.streams:
            stream.tell(closed_notice(table))

    # Making tables, and finding them

    async def make(self, person: str, body: messages.NewTable) -> bytes:
        """A new table: its secret is fixed now, before anyone sits. Returns the reply, a `Made`."""

        async def make_it(change: Change) -> bytes:
            return await self._create(change, *table_as_asked(body, person))

        return await self._once("make", None, person, body, make_it)

    async def set_up(self, header: Header, places: Places) -> str:
        """A table that the house makes for people who are to meet there; returns its id."""
        id = _new_id()
        await self._create(Change(person=header.host), header, places, id=id)
        return id

    async def fork(self, table: Table, person: str, body: messages.PlayOn) -> bytes:
        """A private table that plays on from a moment of a finished game, with its cards. Returns the reply, a `Made`."""

        async def make_it(change: Change) -> bytes:
            return await self._create(change, *table_to_play_on(table, body, person))

        return await self._once(f"fork {table.id}", None, person, body, make_it)

    async def again(self, table: Table, person: str, body: messages.Again) -> bytes:
        """The table of the same people's next game: whoever asks first makes it. Returns the reply, a `Made`."""
        return await self._once(f"again {table.id}", table, person, body, lambda change: self._again(table, change))

    async def _again(self, table: Table, change: Change) -> bytes:
        """Its name is written down first, and it is told of last: however often this is cut short, there is one such table."""
        if not table.over:
            raise Illegal("table-again-not-over")
        if table.seat_of(change.person) < 0:
            raise Forbidden("table-no-seat")
        made = table_to_play_again(table, change.person)
        if not table.places.again:
            await self._name_the_next(table, change.person)
        try:
            following = await self.shelf.find(table.places.again)
        except Unknown:
            reply = await self._create(change, *made, id=table.places.again)
            self.changed(table)
            return reply
        return encode(messages.Made(following.id, "", deals.commitment(following.play.secret)))

    async def _name_the_next(self, table: Table, person: str) -> None:
        places = table.copy_of_places()
        places.again = _new_id()
        change = Change(
            table=table.id, person=person, places=encode(places), revision=table.revision, phase=table.phase
        )
        try:
            await self.commit(table, change)
        except Stale:
            if not table.places.again:  # another process has, and that table is as good
                raise
        else:
            table.places = places
            table.revision += 1

    async def _create(
        self, change: Change, header: Header, places: Places, entries: tuple[tuple[int, str], ...] = (), id: str = ""
    ) -> bytes:
        if places.taken:
            places.fix()
        id = id or _new_id()
        reply = encode(messages.Made(id, header.invite, deals.commitment(bytes.fromhex(header.secret))))
        change = change._replace(
            table=id,
            reply=reply,
            header=encode(header),
            public=not header.private,
            created=header.created,
            places=encode(places),
            members=tuple(dict.fromkeys([change.person, *(place.person for place in places.seats if place.person)])),
            entries=entries,
            at=int(header.created * 1000),
            phase="playing" if places.nonces else "waiting",
            asked=AS_BEFORE if header.clock or not places.nonces else 0,  # it is one person's, or nobody's
        )
        earlier = await self.commit(None, change)
        if earlier is not None:
            return earlier
        log.info("A table is made.", extra={"game": header.game, "seats": header.seats})
        self.bots.look(await self.find(id, change.person))
        return reply

    async def lobby(self, person: str) -> messages.Lobby:
        """Public tables where there is something to join or watch, and one's own; of those that are damaged only one's own.

        Whose turn it is in one's newest unfinished games, their answers tell: those that are not in memory are loaded.
        """
        found = await self.store.mine(person, LOBBY)
        mine = [line for line in found if not has_waited_in_vain(line, self.shelf.get(line.table))]
        for line in [line for line in mine if line.phase == "playing"][:UNFINISHED]:
            with contextlib.suppress(Damaged):  # which is then listed as that
                await self.shelf.find(line.table)
        read = {line.table: read_line(line) for line in mine if line.table not in self.shelf.damaged}
        seats = (place for found in read.values() if found for place in found[1].seats)
        called = await names(self.store, {place.person for place in seats if place.person})

        def told(line: Listed) -> messages.TableLine:
            known = read.get(line.table)
            return table_line(line, known, called, self.shelf.get(line.table), person) if known else damaged_line(line)

        public = sorted(filter(is_listed, self.shelf.all()), key=lambda table: table.header.created, reverse=True)
        return messages.Lobby([open_line(table, person) for table in public[:LOBBY]], [told(line) for line in mine])
