"""Cluster membership: a member lives as long as its database session. Lost sessions, and members that hang."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import psycopg
import pytest

from diamonds.server.cluster.cluster import MAX_FAILED_PROBES
from diamonds.server.cluster.errors import MemberUnreachableError
from diamonds.server.cluster.forwarding import RequestForwarder
from diamonds.server.cluster.membership import ClusterMembership, IncompatibleMemberError
from diamonds.server.cluster.notices import NoticeRouter, PeopleSeated
from diamonds.server.storage import cluster
from diamonds.server.storage.cluster import Member
from diamonds.server.storage.commit_outcomes import StoreError, StoreUnavailableError
from tests.server.support.client import WAIT_TIMEOUT_S, answer_next, wait_until
from tests.server.support.cluster import owner_and_other, seat_alternately, via
from tests.server.support.live_server import LoopThread
from tests.server.support.stores import StoreFixture

pytestmark = pytest.mark.later

SECRET_KEYS = (b"k" * 32, b"p" * 32)
STARTED_PROCESSES: list[MemberProcess] = []


class NoListener:
    """A member's internal address at which nothing listens."""

    address, certificate = "unix:/nowhere", ""


@pytest.fixture
def store_fixture(postgres_cluster: Any) -> Iterator[StoreFixture]:
    """An empty database."""
    with LoopThread() as apart:
        place = StoreFixture("postgresql", postgres_cluster.empty_database(), apart)
        yield place
        while STARTED_PROCESSES:
            STARTED_PROCESSES.pop().leave()
        place.close()


class MemberProcess:
    """A process reduced to its membership."""

    def __init__(self, place: StoreFixture, alone: bool = False, machine: str = "here") -> None:
        self.loop = place.loop
        self.store = place.open()
        self.membership = ClusterMembership(self.store.async_store, None if alone else NoListener(), machine)
        self.is_alone = alone
        STARTED_PROCESSES.append(self)

    def join(self) -> tuple[bytes, bytes]:
        """Join the cluster; return the keys of the member."""

        async def join() -> tuple[bytes, bytes]:
            keys = await self.membership.share_keys(SECRET_KEYS)
            if not self.is_alone:
                await self.membership.join()
            return keys

        return self.loop.run(join())  # type: ignore[no-any-return]

    def leave(self) -> None:
        self.loop.run(self.membership.leave())


def join_error(process: MemberProcess) -> str:
    with pytest.raises(IncompatibleMemberError) as refusal:
        process.join()
    return refusal.value.message.id


@pytest.mark.parametrize(("first", "second"), [(True, True), (True, False), (False, True)])
def test_single_member_has_the_cluster_to_itself(store_fixture, first, second):
    one, other = MemberProcess(store_fixture, first), MemberProcess(store_fixture, second)
    one.join()
    assert join_error(other) == "cluster-served-alone"
    one.leave()
    MemberProcess(store_fixture, second).join()


def test_members_serve_together_and_use_the_keys_of_the_first(store_fixture):
    one, other = MemberProcess(store_fixture), MemberProcess(store_fixture)
    assert one.join() == SECRET_KEYS
    assert store_fixture.loop.run(other.membership.share_keys((b"x" * 32, b"y" * 32))) == SECRET_KEYS
    store_fixture.loop.run(other.membership.join())
    assert sorted(other.membership.alive) == [one.membership.number, other.membership.number]


def test_member_of_another_protocol_is_rejected(store_fixture, monkeypatch):
    one, other = MemberProcess(store_fixture), MemberProcess(store_fixture)
    one.join()
    monkeypatch.setattr(cluster, "PROTOCOL", cluster.PROTOCOL + 1)
    assert join_error(other) == "cluster-other-version"
    assert store_fixture.query("SELECT count(*) FROM members") == [(1,)], "expected no membership after an error"


def test_member_on_another_machine_needs_an_address_there(store_fixture):
    one, other = MemberProcess(store_fixture), MemberProcess(store_fixture, machine="there")
    one.join()
    assert join_error(other) == "cluster-other-machine"


def test_foreign_row_makes_no_member_alive(store_fixture):
    """A process id is not enough: the session must have begun at the time in the row."""
    process = MemberProcess(store_fixture)
    process.join()
    store_fixture.query(
        "INSERT INTO members (pid, started, sessions, address, machine, protocol, certificate, serving)"
        " SELECT pid, started::bigint + 1, sessions, address, machine, protocol, certificate, serving FROM members"
    )
    with contextlib.ExitStack() as stack:
        session = process.store.async_store.open_session()
        stack.callback(session.close)
        started = f"SELECT {cluster.IS_JUST_RESTARTED}"
        wait_until(lambda: not session.execute(started).get, "expected the server's start time to pass")
        alive, dead = cluster.load_members(session)
    assert [*alive] == [process.membership.number]
    assert len(dead) == 1


class MemberList(NamedTuple):
    """The members as one query returns them. `found` are those that a request finds while the query runs."""

    alive: Sequence[Member]
    missing: Sequence[Member] = ()
    found: Sequence[Member] = ()


class ScriptedMembership(ClusterMembership):
    """A membership whose queries return one list of members after another, and then repeat the last one."""

    def __init__(self, *lists: MemberList) -> None:
        super().__init__(self, NoListener(), "here")  # type: ignore[arg-type]
        self.lists, self.gone = [*lists], set[int]()
        self.on_change = self._note

    async def read(self, _: Any) -> tuple[dict[int, Member], dict[int, Member]]:
        """Return the next list of live and missing members."""
        now = self.lists.pop(0) if len(self.lists) > 1 else self.lists[0]
        await asyncio.sleep(0)
        self.alive |= by_number(now.found)
        return by_number(now.alive), by_number(now.missing)

    async def _note(self, numbers: set[int]) -> None:
        self.gone |= numbers
        self.poll_now()

    def poll_until_gone(self, number: int) -> None:
        """Poll until a member has been reported as gone."""

        async def poll() -> None:
            self.start()
            self.poll_now()
            while number not in self.gone:
                await asyncio.sleep(0)

        asyncio.run(asyncio.wait_for(poll(), WAIT_TIMEOUT_S / 10))


def by_number(members: Sequence[Member]) -> dict[int, Member]:
    return {member.number: member for member in members}


def make_member(number: int) -> Member:
    """Return a member at an address where nothing listens."""
    return Member(number, "unix:/nowhere", "here", cluster.PROTOCOL, "", 1)


ONE, OTHER, NEW = map(make_member, (1, 2, 3))


@pytest.mark.parametrize("lists", [
    [MemberList([ONE, OTHER]), MemberList([ONE], [OTHER]), MemberList([ONE])],
    [MemberList([ONE, OTHER]), MemberList([ONE, OTHER], found=[NEW]), MemberList([ONE, NEW])],
], ids=["another has removed its row", "another joins during a poll"])  # fmt: skip
def test_member_that_is_gone_is_reported_and_no_other(lists):
    """Without the report, notices to the member would be sent forever, and a request that waits for them would hang."""
    membership = ScriptedMembership(*lists)
    membership.poll_until_gone(2)
    assert membership.gone == {2}


def test_notices_sent_to_a_member_after_it_has_gone_are_dropped():
    async def send() -> None:
        notices = NoticeRouter(RequestForwarder(b"key", ()))
        delivered = notices.send(make_member(2), PeopleSeated([]))
        kept = notices.send(make_member(3), PeopleSeated([]))
        notices.keep_members({1, 3})
        await asyncio.wait_for(delivered, WAIT_TIMEOUT_S / 10)
        assert not kept.done()
        notices.close()

    asyncio.run(send())


def test_notice_queued_during_a_delivery_is_delivered_next(monkeypatch):
    delivered: list[bytes] = []

    async def send() -> None:
        forwarder = RequestForwarder(b"key", ())
        notices, member = NoticeRouter(forwarder), make_member(2)

        async def call(*given: Any) -> bytes:
            delivered.append(given[-1])
            if len(delivered) == 1:
                later.append(notices.send(member, PeopleSeated(["ben"])))
            return b""

        monkeypatch.setattr(forwarder, "call", call)
        later: list[asyncio.Future[None]] = []
        await notices.send(member, PeopleSeated(["ann"]))
        await asyncio.wait_for(later[0], WAIT_TIMEOUT_S / 10)

    asyncio.run(send())
    assert [b"ann" in delivered[0], b"ben" in delivered[1]] == [True, True]


def test_member_that_ends_registers_no_more(store_fixture, monkeypatch, caplog):
    """A member that loses its session after its threads have ended takes no notice."""
    process = MemberProcess(store_fixture)
    process.join()
    membership = process.membership

    def refuse(*_: Any) -> None:
        raise RuntimeError("Executor shutdown has been called")

    async def lose_session() -> None:
        monkeypatch.setattr(asyncio.get_running_loop(), "run_in_executor", refuse)
        store_fixture.query("SELECT pg_terminate_backend(pid::int) FROM members")
        while membership.joined.is_set():
            await asyncio.sleep(0.01)
        await asyncio.wait_for(asyncio.gather(*membership.tasks), WAIT_TIMEOUT_S / 10)

    process.loop.run(lose_session())
    monkeypatch.undo()
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR] == []


@pytest.mark.parametrize("trouble", ["store away", "session lost"])
def test_member_registers_again_after_a_second_database_error(store_fixture, trouble):
    """The database fails again between registration and the lookup of what the member owns."""
    process = MemberProcess(store_fixture)
    process.join()
    membership = process.membership
    attempts: list[bool] = []

    async def look_up(is_new: bool) -> None:
        attempts.append(is_new)
        if len(attempts) == 1:
            store_fixture.query("SELECT pg_terminate_backend(pid::int) FROM members")
            if trouble == "store away":
                raise StoreUnavailableError

    async def lose_session() -> None:
        membership.on_rejoin = look_up
        store_fixture.query("DELETE FROM members")
        store_fixture.query(f"SELECT pg_terminate_backend({membership.session.raw.info.backend_pid})")
        while len(attempts) < 2 or not membership.joined.is_set():
            await asyncio.sleep(0.01)

    process.loop.run(asyncio.wait_for(lose_session(), WAIT_TIMEOUT_S / 10))
    assert attempts[0], "expected a new number after the row was deleted"
    assert trouble == "session lost" or attempts[1], "expected no cached owner that the new member has not looked up"


@pytest.mark.parametrize("error", [psycopg.OperationalError, psycopg.errors.InternalError_])
def test_database_that_goes_away_while_a_member_joins_is_a_store_error(store_fixture, monkeypatch, error):
    """PostgreSQL reports an internal error if it cannot write its log, for example on a full disk."""

    def lose_line(*_: Any) -> None:
        raise error("the connection is lost")

    process = MemberProcess(store_fixture)
    monkeypatch.setattr(cluster, "register_member", lose_line)
    with pytest.raises(StoreError, match="The store cannot be reached: postgresql://"):
        process.join()


@pytest.mark.parametrize("trouble", ["session closed", "database restarted"])
def test_tables_and_streams_outlive_a_lost_session_or_database(cluster_servers, postgres_cluster, trouble):
    id, guests = seat_alternately(cluster_servers, game="mines", seats=2)
    first, other = owner_and_other(cluster_servers, id)
    numbers, version = [server.member_number for server in cluster_servers], answer_next(guests, id)["version"]
    taps = [server.new_client().open_stream(id) for server in cluster_servers]
    for tap in taps:
        wait_until(lambda tap=tap: tap.events, "expected a first message")
    if trouble == "session closed":
        session = first.session
        awake = other.freeze()  # otherwise the other member may notice, and rightly take over the lobby
        try:
            postgres_cluster.query(f"SELECT pg_terminate_backend({session.raw.info.backend_pid})")
            wait_until(lambda: first.cluster.membership.session not in (None, session), "expected a new registration")
        finally:
            awake.set()
    else:
        postgres_cluster.stop()
        postgres_cluster.start()
    told = answer_next(guests, id)
    assert told["version"] > version
    for tap in taps:
        wait_until(lambda tap=tap: tap.newest["version"] >= told["version"], "expected the stream to continue")
    assert [server.member_number for server in cluster_servers] == numbers
    assert first.owns(id)
    assert cluster_servers[0].cluster.owns_lobby


def test_member_whose_row_is_gone_serves_under_its_new_number(cluster_servers, postgres_cluster):
    server, _ = cluster_servers
    guest, before = server.new_client(), server.member_number
    postgres_cluster.query(f"DELETE FROM members WHERE number = {before}")
    postgres_cluster.query(f"SELECT pg_terminate_backend({server.session.raw.info.backend_pid})")
    membership = server.cluster.membership
    wait_until(lambda: membership.number != before and membership.joined.is_set(), "expected a new registration")
    id = guest.create_table(game="mines", seats=2)
    guest.wait_for_turn(id)
    guest.answer_first(id)


def test_member_that_hangs_is_ended_and_loses_its_tables(cluster_servers, postgres_cluster):
    one, other = cluster_servers
    guest = other.new_client()
    id = guest.create_table(game="mines", seats=2, seats_taken_by=["me", "bot:simple"])
    assert other.owns(id)
    version = guest.get_table(id)["version"]
    awake = other.freeze()
    try:
        wait_until(lambda: other.member_number not in one.cluster.membership.alive, "expected it to be ended")
        twin = via(one, guest)
        message = twin.wait_for_turn(id)
        assert message["version"] >= version
        twin.answer_first(id)
        assert one.owns(id)
    finally:
        awake.set()
    n = message["n"] + 1
    wait_until(lambda: not other.owns(id), "expected a member that hung to lose its table")
    wait_until(lambda: len(one.cluster.membership.alive) == 2, "expected a member that hung to rejoin")
    found = guest.get_table(id)
    assert found["n"] >= n, "expected the former owner to forward instead of using its copy"
    assert found["version"] > version


def backend_pids(database: Any) -> list[int]:
    """Return the process ids of the sessions that keep members alive."""
    return [pid for (pid,) in database.query("SELECT pid FROM members ORDER BY pid")]


def test_member_back_from_a_network_cut_ends_no_healthy_member(cluster_servers, postgres_cluster, monkeypatch):
    """The member decided to end the other one while it reached nobody, and its writes waited for the network."""
    cut_off, healthy = cluster_servers
    part, network, decided = cut_off.cluster, asyncio.Event(), threading.Event()
    call, write = part.forwarder.call, part.database.write

    async def call_if_connected(*given: Any, **more: Any) -> bytes:
        if not network.is_set():
            raise MemberUnreachableError
        return await call(*given, **more)

    async def write_when_connected(*given: Any) -> Any:
        decided.set()
        await network.wait()
        return await write(*given)

    before = backend_pids(postgres_cluster)
    monkeypatch.setattr(part.forwarder, "call", call_if_connected)
    monkeypatch.setattr(part.database, "write", write_when_connected)
    other = part.membership.alive[healthy.member_number]
    cut_off.call_on_loop(lambda: part.forwarder.on_silence(other))
    wait_until(decided.is_set, "expected a decision to end the other member")
    cut_off.call_on_loop(network.set)
    wait_until(lambda: cut_off.call_on_loop(lambda: not part.probing), "expected it to ask the other member again")
    running = postgres_cluster.query("SELECT pid FROM pg_stat_activity")
    assert {(pid,) for pid in before} <= {*running}, "expected both members' sessions to live"
    assert backend_pids(postgres_cluster) == before


def test_member_that_lost_its_session_ends_no_other(cluster_servers, postgres_cluster, monkeypatch):
    """Others may consider the member dead, because it is the one that is cut off."""
    cut_off, healthy = cluster_servers
    part, pid, asked = cut_off.cluster, healthy.session.raw.info.backend_pid, [0]
    own_session, write = cut_off.session, part.database.write

    async def fail(*_: Any, **__: Any) -> bytes:
        asked[0] += 1
        raise MemberUnreachableError

    async def write_and_lose_session(work: Any, *args: Any) -> Any:
        result = await write(work, *args)
        if work is cluster.mark_hung_member:
            own = own_session.raw.info.backend_pid
            await asyncio.to_thread(postgres_cluster.query, f"SELECT pg_terminate_backend({own}, 10000)")
        return result

    monkeypatch.setattr(part.forwarder, "call", fail)
    monkeypatch.setattr(part.database, "write", write_and_lose_session)
    other = part.membership.alive[healthy.member_number]
    cut_off.call_on_loop(lambda: part.forwarder.on_silence(other))
    wait_until(lambda: asked[0] > MAX_FAILED_PROBES, "expected it to ask the other member once more")
    wait_until(lambda: cut_off.call_on_loop(lambda: not part.probing), "expected it to give up")
    assert postgres_cluster.query(f"SELECT 1 FROM pg_stat_activity WHERE pid = {pid}"), "expected a living session"
    assert healthy.session.raw.info.backend_pid == pid
