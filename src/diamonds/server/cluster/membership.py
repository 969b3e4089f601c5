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
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, Protocol

from diamonds.errors import DiamondsError
from diamonds.server.background_tasks import BackgroundTasks
from diamonds.server.storage import cluster
from diamonds.server.storage.cluster import Member
from diamonds.server.storage.commit_outcomes import StoreUnavailableError
from diamonds.server.storage.postgres_connection import DatabaseUnreachableError, PostgresConnection, store_errors

if TYPE_CHECKING:
    from diamonds.server.storage.postgres import PostgresStore

POLL_INTERVAL_S = 1.0
REJOIN_DELAY_S = 0.1
REJOIN_TIMEOUT_S = 10.0  # a commit waits this long for the session, then fails with 503

log = logging.getLogger("diamonds")


class MemberEndpoint(Protocol):
    """The socket where other members reach this one."""

    address: str
    certificate: str


class IncompatibleMemberError(DiamondsError):
    """Members of an incompatible version are serving; this process must end."""


class ClusterMembership:
    """This process among the members. Without an `endpoint` it serves alone and keeps all others out."""

    def __init__(self, database: PostgresStore, endpoint: MemberEndpoint | None, machine: str) -> None:
        self.database, self.machine = database, machine
        self.address, self.certificate = (endpoint.address, endpoint.certificate) if endpoint else ("", "")
        self.number = 0
        self.serving = False  # set once this process knows the server's time
        self.alive: dict[int, Member] = {}
        self.missing: dict[int, Member] = {}  # registered, but without a session at the last check
        # Called with the numbers of members that have left or died.
        self.on_change: Callable[[set[int]], Awaitable[None]] | None = None
        self.on_rejoin: Callable[[bool], Awaitable[None]] | None = None  # called with `True` if the number is new
        self.joined = asyncio.Event()  # clear while there is no session
        self.session: PostgresConnection | None = None  # keeps this member alive
        self.watched_fd = -1  # file descriptor of the session's socket
        self._input_poll: Any = None  # a `select.poll` of that socket
        self._is_session_ending = False  # the database has announced the end of the session
        self.tasks = BackgroundTasks()  # polls and registrations in progress
        self._poll_now = asyncio.Event()
        database.wait_joined = self.wait_joined

    async def join(self) -> None:
        """Register this process.

        Raise `StoreError` if the database is unreachable, `DiamondsError` if another member is incompatible.
        Members in `missing` have lost their sessions: most have died, but some may be about to register again.
        """
        loop = asyncio.get_running_loop()
        with store_errors():
            self.number = await asyncio.to_thread(self._register)
            self._watch()
        deadline = loop.time() + cluster.LINGER_TIMEOUT_S
        # The database may not have noticed yet that a process has ended.
        while error_id := await self._incompatibility():
            if loop.time() >= deadline:
                await self.leave()
                raise IncompatibleMemberError(error_id)
            await asyncio.sleep(REJOIN_DELAY_S)
        await self.refresh_members()

    async def share_keys(self, keys: tuple[bytes, bytes]) -> tuple[bytes, bytes]:
        """Return the keys of the server. A process that serves alone joins now; others join at their start."""
        if not self.address:
            await self.join()
            await self.database.write(cluster.disown_all)
        return await self.database.write(cluster.shared_keys, keys)

    async def warn_if_public(self) -> None:
        """Log a warning if other users of the database server can connect to the database."""
        if name := await self.database.read(cluster.find_public_database):
            log.warning(
                "Every user of the database server can connect to this database. Run REVOKE CONNECT ON DATABASE %s FROM PUBLIC.",
                name,
            )

    async def refresh_members(self) -> None:
        """Read all members."""
        self.alive, self.missing = await self.database.read(cluster.load_members)

    async def mark_serving(self) -> None:
        """Tell joining members that this one knows the server's time."""
        self.serving = True
        await self.database.write(cluster.mark_serving, self.number)

    async def _incompatibility(self) -> str:
        """Return why this process cannot serve beside another member, as a message id; empty if it can."""
        for member in await self.database.read(cluster.connected_members):
            if member.number >= self.number:
                continue
            if not self.address or not member.address:
                return "cluster-served-alone"
            if member.protocol != cluster.PROTOCOL:
                return "cluster-other-version"
            if member.machine != self.machine and "unix:" in (self.address + member.address):
                return "cluster-other-machine"
        return ""

    def start(self) -> None:
        """Start to watch for changes of membership."""
        self.tasks.start(self._poll())

    def poll_now(self) -> None:
        """Check for changes immediately."""
        self._poll_now.set()

    async def leave(self) -> None:
        """End this membership; the others take over what it owned."""
        self.tasks.cancel()
        self._unwatch()
        if self.session is not None:
            with contextlib.suppress(DatabaseUnreachableError), self.session.translate_errors():
                await asyncio.to_thread(cluster.remove_member, self.session, self.number)
        self._close_session()

    def _register(self) -> int:
        """Open a session that keeps this member alive. Return its number: a new one if others have removed it."""
        session = self.database.open_session()
        try:
            with session.translate_errors():
                number = self.number
                if not number or not cluster.renew_session(session, number):
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
        with self.session.translate_errors():
            self.watched_fd = self.session.raw.fileno()
            self.session.raw.add_notice_handler(self._on_notice)
        self._is_session_ending = False
        self._input_poll = select.poll()
        self._input_poll.register(self.watched_fd, select.POLLIN)
        asyncio.get_running_loop().add_reader(self.watched_fd, self._on_socket_readable)
        self.joined.set()

    def _unwatch(self) -> None:
        if self.joined.is_set():
            asyncio.get_running_loop().remove_reader(self.watched_fd)
        self.joined.clear()

    def _on_notice(self, _: object) -> None:
        """Record that the session is ending: the database sends an idle session no other notice."""
        self._is_session_ending = True

    def check_session(self) -> bool:
        """Return whether this process has a session whose end has not arrived here.

        The database announces the end of a session before it shows others that the session has ended.
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
        self.tasks.start(self._rejoin())

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
        alive, self.missing = await self.database.read(cluster.load_members)
        # A member that a request has found during the query joined after the query's snapshot.
        self.alive = {number: member for number, member in self.alive.items() if number not in before} | alive
        if before.keys() != self.alive.keys():
            log.info("Members of the cluster: %d.", len(self.alive))
        if self.on_change is not None:
            # A member that was missing at the last check may have been removed by another member since.
            gone = (before.keys() | missing.keys()) - self.alive.keys() - self.missing.keys()
            await self.on_change({*gone, *(missing.keys() & self.missing.keys())} - {self.number})
