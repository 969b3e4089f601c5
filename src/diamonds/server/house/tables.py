"""What people do at tables: every operation, in one order: check, commit, swap the state, publish, reply.

Each table in memory is a computed copy of what is stored; it is loaded when first touched and dropped when nobody looks.
Operations on one table take turns (``table.here.lock``). Of several processes one owns each table (`cluster/`): the store refuses what a
former owner writes. Should its seats have been changed with an account, the table is loaded anew, and the caller gets the current message.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import logging
import time
from collections.abc import Awaitable, Callable, Collection, Sequence
from time import perf_counter
from typing import TYPE_CHECKING, Protocol, TypeVar

import msgspec

from diamonds.entries import answer_words
from diamonds.game import Illegal, Refused, Unknown
from diamonds.server.api import messages
from diamonds.server.api.clocks import LetAnswer, Nudge, Pause
from diamonds.server.api.encoding import encode
from diamonds.server.api.refusals import Beaten, Forbidden, Stale
from diamonds.server.api.summaries import TableSummary
from diamonds.server.cluster.errors import UnreachableError
from diamonds.server.cluster.notices import PersonChanged
from diamonds.server.house.agreeing import Agreeing
from diamonds.server.house.around import Around
from diamonds.server.house.called import name_of, names
from diamonds.server.house.clocks import ClocksAtTables, with_clocks
from diamonds.server.house.hub import Hub
from diamonds.server.house.making import Making
from diamonds.server.house.patience import Patience
from diamonds.server.house.shelf import Shelf
from diamonds.server.house.standing import Standings, closed_notice
from diamonds.server.store import cluster_sql, failpoints, tables_sql
from diamonds.server.store.accounts import AccountChange
from diamonds.server.store.contract import (
    AS_BEFORE,
    CONFLICT,
    DONE,
    NOT_OWNER,
    REUSED,
    Change,
    Outcome,
    Store,
    Unavailable,
)
from diamonds.server.table import batch, seats, talking
from diamonds.server.table.places import Places
from diamonds.server.table.presence import Reader
from diamonds.server.table.table import MOST_ENTRIES, Table
from diamonds.server.table.telling import message
from diamonds.server.watching.tally import Tally
from diamonds.server.work.advisers import Advisers
from diamonds.server.work.history import Archive
from diamonds.server.work.players import BotsAtTable
from diamonds.server.work.thinking import Thinking

if TYPE_CHECKING:
    from diamonds.server.cluster.cluster import Cluster

log = logging.getLogger("diamonds")

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
    | messages.Keep
    | Pause
    | LetAnswer
)


ORDER = "/internal/order"  # what one member asks of the owner of a table
OWNER_TRIES, OWNER_DELAY_S = 30, 0.2


def people_of(change: AccountChange) -> dict[str, bool]:
    """Whose name, sanctions, relationships or sign-ins a change concerns, and whether they may be another person from now on."""
    merged = bool(change.joins or change.forget or change.no_devices or change.handle)
    if not (merged or change.name or change.no_name or change.circle or change.device or change.books):
        return {}
    people = {change.person, change.joins, change.circle.other if change.circle else ""} - {""}
    return dict.fromkeys(sorted(people), merged)


def fingerprint(route: str, body: msgspec.Struct) -> bytes:
    """Tells a repeated request from another one."""
    return hashlib.blake2b(route.encode() + encode(body), digest_size=16).digest()


def _check_open(table: Table) -> None:
    if table.places.closed:
        raise Illegal("table-closed", reason=table.places.closed)


class Watcher(Protocol):
    """Whoever has to know what happens at all tables, while it is told to those who sit there."""

    def changed(self, table: Table) -> None:
        """Something has happened at a table."""
        ...

    def sat_down(self, people: Sequence[str]) -> None:
        """These people have sat down at a table."""
        ...


class Tables:
    """All tables that this process plays. ``cluster``: the other processes that serve with it, if there are any."""

    def __init__(
        self,
        store: Store,
        think: tuple[float, float] | None = None,
        processes: int = 1,
        cluster: Cluster | None = None,
    ) -> None:
        self.store = store
        self.cluster = cluster
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
        self.now = self.clocks.now
        self.elsewhere: dict[int, set[str]] = {}  # by member: who is connected to it, as the lobby owner knows
        self.summaries: dict[
            str, TableSummary
        ] = {}  # of tables that other members have loaded, as the lobby owner knows
        if cluster:
            self.shelf.owns = cluster.owns
            self.shelf.reserved = lambda: cluster.database.read(tables_sql.reserved)
            cluster.ownership.on_counters = self.shelf.begin_above
        self.agreeing = Agreeing(self)
        self.making = Making(self)

    async def open(self) -> None:
        """The server starts; before anything else is asked of it."""
        await self.clocks.open(await self.cluster.join() if self.cluster else None)
        if self.cluster:
            await self.cluster.membership.serve()
        await self.shelf.open()
        await self.standings.read()

    async def close(self) -> None:
        """The server stops."""
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
        if table.here.paused and self.in_memory(table):
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

    @property
    def has_lobby(self) -> bool:
        """Whether lobby, accounts and moderation are this process's."""
        return self.cluster is None or self.cluster.has_lobby

    def is_here(self, person: str) -> bool:
        """Whether somebody is connected to the server."""
        return person in self.hub.here or any(person in people for people in self.elsewhere.values())

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
        self.agreeing.look_at(table)

    def publish(self, table: Table, look: bool = True) -> None:
        """Wake the readers, and the bots."""
        self.patience.note(table)
        for stream in table.here.streams:
            stream.wake()
        for watcher in self.watchers:
            watcher.changed(table)
        if look:
            self.bots.look(table)

    async def commit(self, table: Table | None, change: Change) -> bytes | None:
        """Make it durable. Returns the reply of the first time, if this is a repetition."""
        if change.n + len(change.entries) > MOST_ENTRIES:
            raise Illegal("table-full", most=MOST_ENTRIES)
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
        if outcome.what == NOT_OWNER:
            if self.cluster and table is not None:
                self.cluster.lose(table.id)
            raise Unavailable
        if outcome.what == CONFLICT:
            assert table is not None
            await self.shelf.load_anew(table)
            self.changed(table)
            raise Beaten("table-quicker", await self.current(table, None, change.person))
        return outcome.reply

    async def once(
        self, what: str, table: Table | None, person: str, post: Post, do: Callable[[Change], Awaitable[bytes]]
    ) -> bytes:
        """Do what a POST asks for, in the table's turn; if it was made before, it gets the reply of the first time."""
        body = fingerprint(what, post)
        change = Change(table=table.id if table else "", person=person, key=post.key or "", body=body)

        async with self.turn(table) if table else contextlib.nullcontext():
            repeated = await self._repeated(change)
            if repeated is not None:
                return repeated
            if table:
                _check_open(table)
            return await do(change)

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

        seat = self.seat(table, person)
        return await self.play(table, seat, body.n, body.answers, person, body.key, mark, spent=body.spent)

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
            if key and table.log.may_know(mark):
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
                raise Stale("table-moved-on", await self.current(table, n, person))
            try:
                numbers = batch.read(table.game, state, seat, answers)
            except Illegal as refusal:
                why = refusal.message
                raise Stale(why.id, await self.current(table, n, person), **why.values) from None
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

    async def current(self, table: Table, since: int | None, person: str) -> bytes:
        """What a reader is told now, with what happened since an n."""
        return message(table, await self.reader(table, person), since)

    # What others have to agree to

    async def undo(self, table: Table, person: str, body: messages.Undo) -> bytes:
        """Step back at will, or ask the others."""
        return await self.once(
            f"undo {table.id}", table, person, body, lambda change: self.agreeing.undo(table, body, change)
        )

    async def consent(self, table: Table, person: str, body: messages.Consent) -> bytes:
        """Someone answers a wish: when the last has agreed it is fulfilled; one refusal, or whose it is, ends it."""
        return await self.once(
            f"wish {table.id}", table, person, body, lambda change: self.agreeing.agree(table, body, change)
        )

    # Those who wait for somebody

    async def pause(self, table: Table, person: str, body: Pause) -> bytes:
        """Ask that all clocks stand still, or let them go on."""

        async def do(change: Change) -> bytes:
            return await self.patience.pause(table, self.seat(table, person), body, change)

        return await self.once(f"pause {table.id}", table, person, body, do)

    async def nudge(self, table: Table, person: str, body: Nudge) -> bytes:
        """Remind somebody that all wait for them."""

        async with self.turn(table):
            self.patience.nudge(table, self.seat(table, person), body)
        return b'{"n":%d,"version":%d}' % (table.n, table.version)

    async def let_answer(self, table: Table, person: str, body: LetAnswer) -> bytes:
        """Ask the others that a bot answers for somebody who is silent."""

        async def do(change: Change) -> bytes:
            return await self.patience.let_answer(table, self.seat(table, person), body, change)

        return await self.once(f"let-answer {table.id}", table, person, body, do)

    # Seats

    def seat(self, table: Table, person: str) -> int:
        """Where somebody sits, who has just been seen there; `Forbidden` if nowhere."""
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
        seat = self.seat(table, person)
        if table.phase != "playing":
            raise Illegal("game-over" if table.over else "table-not-begun")
        if table.persons != [seat]:
            raise Illegal("table-hurry-alone")
        self.bots.hurry(table, seat)
        return b'{"n":%d,"version":%d}' % (table.n, table.version)

    async def _change_seats(
        self, table: Table, person: str, body: Asked, what: str, decide: Callable[[Table, str, Asked], Places]
    ) -> bytes:
        async def change_seats(change: Change) -> bytes:
            return await self.commit_places(table, decide(table, person, body), change)

        return await self.once(f"{what} {table.id}", table, person, body, change_seats)

    # Talking

    async def say(self, table: Table, person: str, body: messages.Chat) -> bytes:
        """A line of chat."""
        return await self.once(f"chat {table.id}", table, person, body, lambda change: self._say(table, body, change))

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

    async def commit_people(self, change: AccountChange, tables: Collection[str] = ()) -> Outcome:
        """Commit a change of people. Every member of the cluster has acted upon it before this returns, also at ``tables``."""
        outcome = await self.store.commit(change)
        if outcome.what == NOT_OWNER:
            raise Unavailable
        if self.cluster and outcome.what == DONE:
            for person, merged in people_of(change).items():
                await self.cluster.broadcast(PersonChanged(person, merged, [*tables]))
        return outcome

    async def become_another(self, people: Collection[str], also: Collection[str] = ()) -> None:
        """Those who were these people are others now, or nobody: their tables and the ones in ``also`` are as they are stored."""
        for table in await self.shelf.those_of(people, also):
            async with self.turn(table):
                await self.shelf.load_anew(table)
            self.changed(table)
        self.hub.cut(people)

    async def shut(self, id: str, reason: str) -> None:
        """A host closes a table: nothing happens there any more, and everyone there is told why. What has happened is kept."""
        if await self._done_elsewhere("shut", id, reason):
            return
        table = await self.shelf.find(id)
        async with self.turn(table):
            places = table.copy_of_places()
            places.closed, places.wish = reason, None
            await self.commit_places(table, places, Change(table=table.id), paused=True)
        for stream in table.here.streams:
            stream.tell(closed_notice(table))

    async def stand_up(self, id: str, person: str) -> None:
        """Somebody who is about to be forgotten leaves their seat."""
        if await self._done_elsewhere("stand_up", id, person):
            return
        await self.stand(await self.find(id, person), person, messages.Stand())

    async def do_here(self, what: str, id: str, argument: str) -> None:
        """Do what another member asks for at a table of this one; see `_done_elsewhere`."""
        await {"shut": self.shut, "stand_up": self.stand_up}[what](id, argument)

    async def _done_elsewhere(self, what: str, id: str, argument: str) -> bool:
        """Have the owner of a table do something there. Returns whether that was another member."""
        if self.cluster is None:
            return False
        for _ in range(OWNER_TRIES):
            owner = await self.cluster.ownership.locate(id)
            if owner is None:
                return False
            try:
                await self.cluster.forwarder.call(owner, ORDER, msgspec.json.encode((what, id, argument)))
            except UnreachableError:
                self.cluster.ownership.forget_location(id)
                await asyncio.sleep(OWNER_DELAY_S)
            else:
                return True
        raise Unavailable

    # What the cluster does with this process's tables

    async def take_over(self, ids: Collection[str]) -> None:
        """Play on at tables of a member that has died: their clocks run, and bots answer, though nobody looks."""
        assert self.cluster is not None
        self.clocks.go_on(await self.cluster.database.read(cluster_sql.clocks_of, ids))
        for id in ids:
            with contextlib.suppress(Refused):  # nobody can play there
                self.bots.look(await self.shelf.find(id))

    def let_go(self, ids: Collection[str]) -> None:
        """Tables are another member's: their people come back to it."""
        for id in ids:
            table = self.shelf.get(id)
            self.clocks.flags.set(id, None)
            if table is not None:
                self.shelf.drop(id)
                for stream in [*table.here.streams]:
                    stream.close()

    async def hand_over(self, id: str, farewell: Callable[[], bytes]) -> bool:
        """Give a table up whose people all come through another member. Returns whether it is done."""
        table = self.shelf.get(id)
        if table is None or table.here.bots:
            return False
        async with self.turn(table):
            self.clocks.flags.set(id, None)
            for stream in [*table.here.streams]:
                stream.end(farewell())
            self.shelf.drop(id)
        return True
