"""Membership: which processes serve together, and whether each is alive.

A member is alive while its registered database session lives (`storage/cluster.py`). There are no heartbeats. The
session does nothing else, and this process watches its socket: a member that loses it stops writing and registers
again. It also checks the socket before it answers for what it owns, because requests and the end of the session may
wait in one event loop, for example after the process was stopped for a while.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import select
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Protocol, TypeVar

from diamonds.errors import DiamondsError
from diamonds.server.storage import cluster
from diamonds.server.storage.cluster import Member
from diamonds.server.storage.commit_outcomes import StoreError, StoreUnavailableError
from diamonds.server.storage.postgres_connection import DatabaseUnreachableError, PostgresConnection

POLL_INTERVAL_S = 1.0
REJOIN_DELAY_S = 0.1
REJOIN_TIMEOUT_S = 10.0  # a commit waits this long for the session, then fails with 503

ResultT = TypeVar("ResultT")
log = logging.getLogger("diamonds")


class ClusterDatabase(Protocol):
    """The database calls of a cluster (`PostgresStore`)."""

    member: int  # member number of this process's commits
    session_name: str  # application name of all sessions of this process

    def open_session(self) -> PostgresConnection:
        """Open a separate session. Raise `DatabaseUnreachableError` if the database cannot be reached."""
        ...

    async def read(self, work: Callable[..., ResultT], /, *args: Any) -> ResultT:
        """Run `work` with a connection and return its result."""
        ...

    async def write(self, work: Callable[[PostgresConnection, Any], ResultT], argument: Any) -> ResultT:
        """Run `work` with a connection and an argument, and return its result once it is durable."""
        ...


class IncompatibleMemberError(DiamondsError):
    """Members of an incompatible version are serving; this process must end."""


class ClusterMembership:
    """This process among the members. `address` is where others reach it; empty if it serves alone."""

    def __init__(self, database: ClusterDatabase, address: str, machine: str = "", certificate: str = "") -> None:
        self.database = database
        self.address, self.machine, self.certificate = address, machine, certificate
        self.number = 0
        self.serving = False  # set once this process knows the server's time
        self.alive: dict[int, Member] = {}
        self.missing: dict[int, Member] = {}  # registered, but without a session at the last check
        # Called with the numbers of members that have left or died.
        self.on_change: Callable[[set[int]], Awaitable[None]] | None = None
        self.on_rejoin: Callable[[bool], Awaitable[None]] | None = None  # called with whether the number is new
        self.joined = asyncio.Event()  # clear while there is no session
        self.session: PostgresConnection | None = None  # keeps this member alive
        self._watched_fd = -1  # file descriptor of the session's socket
        self._input_poll: Any = None  # a `select.poll` of that socket
        self._is_session_ending = False  # the database has announced the end of the session
        self._loop: asyncio.AbstractEventLoop | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._poll_now = asyncio.Event()

    async def join(self) -> None:
        """Register this process.

        Raise `StoreError` if the database is unreachable, `DiamondsError` if another member is incompatible.
        Members in `missing` have lost their sessions: most have died, but some may be about to register again.
        """
        self._loop = asyncio.get_running_loop()
        try:
            self.number = await asyncio.to_thread(self._register)
            self._watch()
        except DatabaseUnreachableError as error:
            raise StoreError(f"The store cannot be reached: {error}") from None
        deadline = self._loop.time() + cluster.LINGER_TIMEOUT_S
        # The database may not have noticed yet that a process has ended.
        while error_id := await self._incompatibility():
            if self._loop.time() >= deadline:
                await self.leave()
                raise IncompatibleMemberError(error_id)
            await asyncio.sleep(REJOIN_DELAY_S)
        await self.refresh_members()

    async def refresh_members(self) -> None:
        """Read all members."""
        alive, dead = await self.database.read(cluster.load_members)
        self.alive = {member.number: member for member in alive}
        self.missing = {member.number: member for member in dead}

    async def mark_serving(self) -> None:
        """Tell joining members that this one knows the server's time."""
        self.serving = True
        await self.database.write(cluster.mark_serving, self.number)

    async def _incompatibility(self) -> str:
        """Return why this process cannot serve beside another member, as a message id; empty if it can."""
        error_id = ""
        for member in await self.database.read(cluster.connected_members):
            if member.number >= self.number:
                continue
            if not self.address or not member.address:
                error_id = "cluster-served-alone"
            elif member.protocol != cluster.PROTOCOL:
                error_id = "cluster-other-version"
            elif member.machine != self.machine and "unix:" in (self.address + member.address):
                error_id = "cluster-other-machine"
        return error_id

    def start(self) -> None:
        """Start to watch for changes of membership."""
        self._spawn(self._poll())

    def poll_now(self) -> None:
        """Check for changes immediately."""
        self._poll_now.set()

    async def leave(self) -> None:
        """End this membership; the others take over what it owned."""
        for task in self._tasks:
            task.cancel()
        self._unwatch()
        session, self.session = self.session, None
        if session is not None:
            with contextlib.suppress(DatabaseUnreachableError):
                await asyncio.to_thread(self._leave, session)
            session.close()

    def _leave(self, session: PostgresConnection) -> None:
        with session.translate_errors():
            cluster.remove_member(session, self.number)

    def _register(self) -> int:
        session = self.database.open_session()
        try:
            with session.translate_errors():
                if self.number and cluster.renew_session(session, self.number):
                    self.session = session
                    return self.number
                number = cluster.register_member(
                    session, self.database.session_name, self.address, self.machine, self.certificate, self.serving
                )
        except BaseException:
            session.close()
            raise
        self.session = session
        return number

    # The session

    def _watch(self) -> None:
        assert self.session is not None
        assert self._loop is not None
        with self.session.translate_errors():
            self._watched_fd = self.session.raw.fileno()
            self.session.raw.add_notice_handler(self._on_notice)
        self._is_session_ending = False
        self._input_poll = select.poll()
        self._input_poll.register(self._watched_fd, select.POLLIN)
        self._loop.add_reader(self._watched_fd, self._on_socket_readable)
        self.joined.set()

    def _unwatch(self) -> None:
        self.joined.clear()
        if self._watched_fd >= 0 and self._loop is not None:
            self._loop.remove_reader(self._watched_fd)
            self._watched_fd = -1

    def _on_notice(self, _: object) -> None:
        """Note that the session is ending: nothing else is announced to a session that does nothing."""
        self._is_session_ending = True

    def check_session(self) -> bool:
        """Return whether this process has a session whose end has not arrived here.

        The database announces the end of a session before it shows the session as ended.
        """
        if self.joined.is_set() and self._input_poll.poll(0):
            self._on_socket_readable()
        return self.joined.is_set()

    def _on_socket_readable(self) -> None:
        """Handle input on the session's socket: changed database settings, or its end."""
        assert self.session is not None
        raw = self.session.raw.pgconn
        with contextlib.suppress(Exception):
            raw.consume_input()
            if raw.socket >= 0 and raw.status == 0 and not raw.is_busy() and not self._is_session_ending:
                return
        log.warning("This member has lost its database session. Registering again.")
        self._unwatch()
        self._close_session()
        self._spawn(self._rejoin())

    async def _rejoin(self) -> None:
        """Register again and look up what is still owned, starting over whenever the database fails in between."""
        is_new = False
        while True:
            try:
                registering = asyncio.get_running_loop().run_in_executor(None, self._register)
            except RuntimeError:  # the process is ending and has no threads left
                return
            try:
                number = await registering
                is_new |= number != self.number
                self.number = number
                if self.on_rejoin is not None:
                    await self.on_rejoin(is_new)
                self._watch()
                break
            except (DatabaseUnreachableError, StoreUnavailableError):
                await asyncio.sleep(REJOIN_DELAY_S)
            except Exception:
                log.exception("Failed to register this member.")
                await asyncio.sleep(POLL_INTERVAL_S)
            self._close_session()
        log.info("This member has registered again.", extra={"member": number})

    def _close_session(self) -> None:
        session, self.session = self.session, None
        if session is not None:
            session.close()

    async def wait_joined(self) -> None:
        """Wait until this process may write. Raise `StoreUnavailableError` if it has had no session for too long."""
        if self.joined.is_set():
            return
        try:
            async with asyncio.timeout(REJOIN_TIMEOUT_S):
                await self.joined.wait()
        except TimeoutError:
            raise StoreUnavailableError from None

    # Other members

    async def _poll(self) -> None:
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(POLL_INTERVAL_S):
                    await self._poll_now.wait()
            self._poll_now.clear()
            try:
                await self._poll_once()
            except StoreUnavailableError:
                continue
            except Exception:
                log.exception("Failed to read the members.")

    async def _poll_once(self) -> None:
        before, missing = dict(self.alive), self.missing
        alive, dead = await self.database.read(cluster.load_members)
        # Members found by a request during the query joined after its snapshot.
        found = {number: member for number, member in self.alive.items() if number not in before}
        self.alive = {member.number: member for member in alive} | found
        self.missing = {member.number: member for member in dead}
        if before.keys() != self.alive.keys():
            log.info("Members of the cluster: %d.", len(self.alive))
        if self.on_change is not None:
            # Another member may have removed the row of one that was missing only once here.
            gone = (before.keys() | missing.keys()) - self.alive.keys() - self.missing.keys()
            await self.on_change({*gone, *(missing.keys() & self.missing.keys())} - {self.number})

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
