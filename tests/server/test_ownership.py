"""Table ownership: only one owner at a time, and no writes by a former owner."""

import asyncio
import concurrent.futures
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any

import pytest

from diamonds.server.cluster.errors import MemberUnreachableError
from diamonds.server.cluster.forwarding import RequestForwarder
from diamonds.server.http import cluster_routes, moved_connections
from diamonds.server.storage import cluster, postgres_connection
from diamonds.server.storage.cluster import LOBBY
from diamonds.server.storage.commit_outcomes import DONE, NOT_OWNER
from diamonds.server.storage.table_data import TableChange
from tests.server.support.client import (
    KEY_NUMBERS,
    WAIT_TIMEOUT_S,
    Client,
    answer_next,
    client_to_act,
    first_legal,
    wait_until,
)
from tests.server.support.cluster import ClusterServer, owner_and_other, release_table, seat_alternately, via
from tests.server.support.live_server import SyncStore, finish_game
from tests.server.support.stores import StoreFixture, commit_concurrently
from tests.server.test_store import NEW_TABLE

pytestmark = pytest.mark.later


def member_store(place: StoreFixture, address: str = "unix:/nowhere") -> SyncStore:
    """Return a store of a new member with a live session."""
    store = place.open()
    session = store.async_store.open_session()
    place.sessions.append(session)  # type: ignore[attr-defined]
    store.async_store.member = cluster.register_member(
        session, store.async_store.session_name, address, "here", "", True
    )
    return store


@pytest.fixture
def two_members(store_fixture: StoreFixture) -> Iterator[tuple[SyncStore, SyncStore]]:
    """Stores of two members, and the table ``t``, which nobody owns."""
    store_fixture.sessions = []  # type: ignore[attr-defined]
    one, other = member_store(store_fixture), member_store(store_fixture)
    one.commit(NEW_TABLE)
    yield one, other
    for session in store_fixture.sessions:  # type: ignore[attr-defined]
        session.close()


def claim(store: SyncStore, table: str = "t") -> int:
    """Let this member claim a table; return the owner."""
    store.loop.run(claim_counters(store, table))
    return owner_of(store, table)


async def claim_counters(store: SyncStore, table: str = "t") -> int | None:
    """Let this member claim a table; return the first reserved counter, if it is now the owner."""
    former = (await store.async_store.read(cluster.owner_of, table)).number
    return await store.async_store.write(cluster.claim, table, store.async_store.member, former, 10)  # type: ignore[no-any-return]


def owner_of(store: SyncStore, table: str = "t") -> int:
    return int(store.read(lambda connection: connection.execute("SELECT owner FROM tables WHERE id = ?", (table,)).get))


def entry(n: int, table: str = "t") -> TableChange:
    return TableChange(table=table, n=n, entries=((0, f"a {n}"),), at_ms=5)


def stored_answers(store: SyncStore, table: str = "t") -> list[str]:
    return [words for _, words, *_ in store.load(table).entries]


def test_concurrent_claims_have_one_winner(two_members):
    one, other = two_members

    async def race(table: str) -> list[Any]:
        return await asyncio.gather(*(claim_counters(store, table) for store in (one, other)))

    for k in range(20):
        one.commit(NEW_TABLE._replace(table=f"t{k}", idempotency_key=f"key-{k}"))
        claims = one.loop.run(race(f"t{k}"))
        won = [store for first, store in zip(claims, two_members, strict=True) if first is not None]
        assert len(won) == 1, "expected one of the members to own the table"
        assert owner_of(other, f"t{k}") == won[0].async_store.member


def test_claim_does_not_wait_for_another_one(two_members):
    """Two transactions that claim the same tables in different orders would wait for each other."""
    one, other = two_members
    first, second = (store.async_store.open_session() for store in two_members)
    with first.transaction(), second.transaction():
        second.execute("SET LOCAL lock_timeout = 1000")
        assert cluster.claim(first, "t", one.async_store.member, 0, 10)() is not None
        assert cluster.claim(second, "t", other.async_store.member, 0, 10)() is None
    first.close()
    second.close()


def test_claims_of_a_batch_share_a_round_trip(two_members):
    one, _ = two_members
    steps = []

    def claim(*given: Any) -> Any:
        steps.append("sent")
        read = cluster.claim(*given)
        return lambda: (steps.append("read"), read())[1]

    async def claim_both() -> list[int]:
        store = one.async_store
        return await asyncio.gather(*(store.write(claim, table, store.member, 0, 10) for table in ("t", "u")))

    one.commit(NEW_TABLE._replace(table="u", idempotency_key="another"))
    assert None not in one.loop.run(claim_both())
    assert steps == ["sent", "sent", "read", "read"]


def test_member_with_a_live_session_keeps_its_tables(two_members, store_fixture):
    one, other = two_members
    assert claim(one) == claim(other) == one.async_store.member
    store_fixture.query("UPDATE tables SET phase = 'playing', clocks = ''")
    claimed, _ = other.write(cluster.claim_clocks, other.async_store.member, 10)
    assert not claimed, "expected a starting member to claim no running clocks of a live one"
    store_fixture.sessions[0].close()
    wait_until(lambda: claim(other) == other.async_store.member, "expected a dead member's table to be claimed")


def test_sessions_of_a_member_that_registered_again_are_not_ended(two_members, store_fixture):
    """A survivor that was cut off may believe long afterwards that the member is dead."""
    one, other = two_members
    stored_answers(one)
    sessions = (
        f"SELECT pid FROM pg_stat_activity WHERE application_name = '{one.async_store.session_name}' ORDER BY pid"
    )
    before = store_fixture.query(sessions)
    other.write(cluster.end_sessions, one.async_store.member)
    assert claim(one) == one.async_store.member
    assert store_fixture.query(sessions) == before
    store_fixture.sessions[0].close()
    wait_until(lambda: not is_alive(one), "expected its session to end")
    other.write(cluster.end_sessions, one.async_store.member)
    wait_until(lambda: store_fixture.query(sessions) == [], "expected a dead member's sessions to end")


@pytest.mark.parametrize(("address", "is_claimed"), [("unix:/nowhere", True), ("192.0.2.1:1", False)])
def test_hung_member_elsewhere_keeps_its_tables_until_it_has_noticed(two_members, store_fixture, address, is_claimed):
    """The hung member may be cut off from the database. Until it notices, it answers requests that only read."""
    _, other = two_members
    hung = member_store(store_fixture, address)
    owner, claimant = hung.async_store.member, other.async_store.member
    assert claim(hung) == owner
    pid = store_fixture.sessions[-1].raw.info.backend_pid
    assert not other.write(cluster.end_hung_member, owner), "expected no end without a mark"
    assert other.write(cluster.mark_hung_member, owner)
    assert other.write(cluster.mark_hung_member, owner), "expected another attempt, as after a slow probe"
    assert not other.write(cluster.mark_hung_member, claimant), "expected a limit for the whole cluster"
    assert other.write(cluster.end_hung_member, owner)
    ended = f"SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM pg_stat_activity WHERE pid = {pid})"
    assert store_fixture.query(ended)
    assert not other.write(cluster.mark_hung_member, owner), "expected the limit to apply to one that was ended"
    counts_from_end = (
        f"SELECT value <= {cluster.NOW_MS} - {cluster.MARK_LIFETIME_MS} FROM meta WHERE key = 'ended {owner}'"
    )
    assert store_fixture.query(counts_from_end) == [(True,)]
    # allows for a busy machine
    store_fixture.query(f"UPDATE meta SET value = value + 3600000 WHERE key = 'ended {owner}'")
    wait_until(lambda: not is_just_restarted(store_fixture), "expected the grace period to end")
    assert other.loop.run(other.async_store.read(cluster.owner_of, "t")).is_ending != is_claimed
    assert (claim(other) == claimant) == is_claimed
    store_fixture.query(f"UPDATE meta SET value = 0 WHERE key = 'ended {owner}'")
    assert claim(other) == claimant


def test_cut_off_member_notices_before_others_claim_its_tables():
    options = postgres_connection.KEEPALIVE_OPTIONS
    silence_s = options["keepalives_idle"] + options["keepalives_interval"] * options["keepalives_count"]
    assert options["tcp_user_timeout"] <= 1000 * silence_s < cluster.UNNOTICED_END_MS - cluster.MARK_LIFETIME_MS


def is_just_restarted(place: StoreFixture) -> bool:
    """Return whether all members count as alive."""
    return bool(place.query(f"SELECT {cluster.IS_JUST_RESTARTED}")[0][0])


def test_claim_reserves_counters_above_those_of_every_other_member(two_members, store_fixture):
    one, other = two_members
    firsts = []
    for store in (one, other, one):
        store_fixture.query("UPDATE tables SET owner = 0")
        firsts.append(store.loop.run(claim_counters(store)))
    assert firsts[0] + 10 <= firsts[1]
    assert firsts[1] + 10 <= firsts[2]


def test_former_owner_writes_nothing_while_others_do(two_members, store_fixture):
    one, other = two_members
    one.commit(NEW_TABLE._replace(table="u", idempotency_key="another"))
    for table in ("t", "u"):
        assert claim(one, table) == one.async_store.member
    assert one.commit(entry(0)).kind == DONE
    store_fixture.query(f"UPDATE tables SET owner = {other.async_store.member} WHERE id = 't'")
    outcomes = commit_concurrently(one, entry(0, "u"), entry(1), entry(1, "u"))
    assert [outcome.kind for outcome in outcomes] == [DONE, NOT_OWNER, DONE]
    assert (stored_answers(one), stored_answers(one, "u")) == (["a 0"], ["a 0", "a 1"])
    assert other.commit(entry(1)).kind == DONE, "expected the owner to write"


@pytest.mark.parametrize("table", ["/lobby", "t"])
def test_claim_waits_for_a_commit_of_the_former_owner(two_members, store_fixture, table):
    """The fence holds until the end of a commit, so a former owner's entry is written before the claim or never."""
    one, other = two_members
    if table == LOBBY:
        store_fixture.query(f"UPDATE cluster_resources SET owner = {one.async_store.member}")
    else:
        assert claim(one) == one.async_store.member
    session = one.async_store.open_session()
    with session.raw.transaction():
        assert cluster.lock_owned(session, one.async_store.member, [table]) == {table}
        column, key = ("cluster_resources", "name") if table == LOBBY else ("tables", "id")
        with pytest.raises(Exception, match="lock timeout"):
            store_fixture.query(
                f"SET lock_timeout = 50; UPDATE {column} SET owner = {other.async_store.member} WHERE {key} = '{table}'"
            )
    session.close()


def lose_session_with_table(store: SyncStore, place: StoreFixture) -> None:
    """Let the first member claim the table ``t``, whose game is in progress, and lose its session."""
    assert claim(store) == store.async_store.member
    place.query("UPDATE tables SET phase = 'playing'")
    place.sessions[0].close()  # type: ignore[attr-defined]
    wait_until(lambda: not is_alive(store), "its session lives")


@pytest.mark.parametrize("work", ["claim", "take over"])
def test_session_renewal_waits_for_a_claim_under_way(two_members, store_fixture, work):
    """Either the claim sees the renewed session, or the member sees that it no longer owns the table."""
    one, other = two_members
    owner, claimant = one.async_store.member, other.async_store.member
    lose_session_with_table(one, store_fixture)
    renewed = one.async_store.open_session()
    claiming = other.async_store.open_session()
    try:
        with concurrent.futures.ThreadPoolExecutor(1) as thread:
            with claiming.transaction():
                if work == "claim":
                    assert cluster.claim(claiming, "t", claimant, owner, 10)() is not None
                else:
                    assert cluster.take_over(claiming, claimant, 10, owner, 10)[0][0][0] == "t"
                renewal = thread.submit(cluster.renew_session, renewed, owner)
                waits = f"SELECT 1 FROM pg_locks WHERE pid = {renewed.raw.info.backend_pid} AND NOT granted"
                wait_until(lambda: renewal.done() or store_fixture.query(waits), "it neither waits nor ends")
                assert not renewal.done(), "a member lives again while its tables are claimed"
            assert renewal.result(WAIT_TIMEOUT_S)
        assert cluster.owned_resources(renewed, owner) == set()
    finally:
        renewed.close()
        claiming.close()


@pytest.mark.parametrize("work", ["claim", "take over", "remove"])
def test_claim_sees_a_session_renewed_in_the_same_transaction(two_members, store_fixture, work):
    """Inside a transaction PostgreSQL shows the sessions as they were when first queried."""
    one, other = two_members
    owner, claimant = one.async_store.member, other.async_store.member
    lose_session_with_table(one, store_fixture)
    claiming = other.async_store.open_session()
    with claiming.transaction():
        assert owner not in cluster.load_members(claiming)[0]
        renewed = one.async_store.open_session()
        assert cluster.renew_session(renewed, owner)
        if work == "claim":
            assert cluster.claim(claiming, "t", claimant, owner, 10)() is None
        elif work == "take over":
            assert cluster.take_over(claiming, claimant, 10, owner, 10)[0] == []
        else:
            cluster.remove_dead_member(claiming, owner)
    assert is_alive(one)
    assert owner_of(one) == owner
    renewed.close()
    claiming.close()


def is_alive(store: SyncStore) -> bool:
    """Return whether a member's session is alive."""
    members, _ = store.loop.run(store.async_store.read(cluster.load_members))
    return store.async_store.member in members


def claim_for_other(cluster: Any, table: str, server: ClusterServer) -> None:
    """Let another member claim a table without the owner's knowledge."""
    cluster.query(f"UPDATE tables SET owner = {server.member_number} WHERE id = '{table}'")


def request_at_table(guest: Client, id: str, what: str, body: dict[str, Any]) -> tuple[int, Any]:
    told = guest.post(f"/api/tables/{id}/{what}", {"idempotency_key": f"some-{next(KEY_NUMBERS):08d}", **body})
    return guest.status, told


def stored_rows(cluster: Any, id: str) -> list[Any]:
    asks = (
        f"SELECT n, seat, text FROM entries WHERE table_id = '{id}' ORDER BY n",
        f"SELECT text FROM chat WHERE table_id = '{id}'",
        f"SELECT seating, revision, phase, clocks, to_act FROM tables WHERE id = '{id}'",
    )
    return [cluster.query(sql) for sql in asks]


TABLE_REQUESTS: dict[str, Callable[[Any], dict[str, Any]]] = {
    "answers": lambda message: {"n": message["n"], "answers": [first_legal(message)]},
    "chat": lambda message: {"text": "hello"},
    "stand": lambda message: {},
    "pause": lambda message: {"on": True},
    "undo": lambda message: {"n": message["n"], "to": 0},
}


def table_for_request(members: Sequence[ClusterServer], what: str) -> tuple[str, Client, Any]:
    """Return a table at which a request is possible, a guest who may make it, and the table's update for them."""
    more = {"time_control": {"days_per_move": 2}} if what == "pause" else {}
    id, guests = seat_alternately(members, game="mines", seats=2, **more)
    guest, message = client_to_act(guests, id)
    if what == "undo":
        guest.answer_first(id)
        message = guest.get_table(id)
    return id, guest, message


@pytest.mark.parametrize("what", TABLE_REQUESTS)
@pytest.mark.parametrize("arrives_at", ["former", "new"])
def test_request_at_a_former_owner_is_answered_by_the_new_one(cluster_servers, postgres_cluster, what, arrives_at):
    """The new owner also answers if another member forwarded the request to the former one."""
    id, guest, message = table_for_request(cluster_servers, what)
    former, new = owner_and_other(cluster_servers, id)
    number, outcomes = former.member_number, record_outcomes(former)
    claim_for_other(postgres_cluster, id, new)
    if arrives_at == "new":
        new.call_on_loop(lambda: new.cluster.ownership.remember(id, new.cluster.membership.alive[number]))
    before = stored_rows(postgres_cluster, id)
    twin = via(former if arrives_at == "former" else new, guest)
    status, told = request_at_table(twin, id, what, TABLE_REQUESTS[what](message))
    assert status == 200, told
    assert outcomes == [NOT_OWNER], "expected the former owner to write nothing"
    assert stored_rows(postgres_cluster, id) != before, "expected the new owner to write"
    assert new.owns(id)
    assert not former.owns(id), "expected the former owner to notice"
    assert_same_at_all(cluster_servers, guest, id)


def record_outcomes(server: ClusterServer) -> list[str]:
    """Return a list that gets the outcome of each commit of a table's change at a member."""
    outcomes: list[str] = []
    store = server.app.store
    commit = store.commit

    async def commit_recorded(change: Any) -> Any:
        outcome = await commit(change)
        if isinstance(change, TableChange) and change.table:
            outcomes.append(outcome.kind)
        return outcome

    store.commit = commit_recorded  # type: ignore[method-assign]
    return outcomes


def assert_same_at_all(members: Collection[ClusterServer], guest: Client, id: str) -> None:
    """Check that all members show the same table."""
    shown = [via(server, guest).get_table(id) for server in members]
    for message in shown:
        message.pop("clocks", None)  # the clocks are running
    assert shown[0] == shown[1]


def test_request_is_sent_to_no_other_member_once_it_has_committed(cluster_servers, postgres_cluster, monkeypatch):
    """The client gets an error, and may repeat its idempotency key."""
    id, guests = seat_alternately(cluster_servers, game="mines", seats=2)
    former, new = owner_and_other(cluster_servers, id)
    twin, actions = via(former, guests[0]), former.app.tables.actions
    post_chat = actions.store_chat

    async def post_two_messages(table: Any, body: Any, change: TableChange) -> bytes:
        await post_chat(table, body, change)
        claim_for_other(postgres_cluster, id, new)
        return await post_chat(table, body, change._replace(idempotency_key="another key"))

    monkeypatch.setattr(actions, "store_chat", post_two_messages)
    said = {"text": "hello", "idempotency_key": "some-key-123"}
    assert request_at_table(twin, id, "chat", said)[0] == 503
    assert postgres_cluster.query(f"SELECT text FROM chat WHERE table_id = '{id}'") == [("hello",)]
    assert request_at_table(twin, id, "chat", said)[0] == 200
    assert postgres_cluster.query(f"SELECT text FROM chat WHERE table_id = '{id}'") == [("hello",)]
    assert new.owns(id)


@pytest.mark.parametrize("what", TABLE_REQUESTS)
def test_request_at_a_former_owner_writes_nothing(cluster_servers, postgres_cluster, monkeypatch, what):
    """The table's new owner cannot be reached at first."""
    id, guest, message = table_for_request(cluster_servers, what)
    former, new = owner_and_other(cluster_servers, id)
    twin, before = via(former, guest), stored_rows(postgres_cluster, id)
    claim_for_other(postgres_cluster, id, new)
    with monkeypatch.context() as patch:
        patch.setattr(cluster_routes, "OWNER_WAIT_S", 0.1)
        patch.setattr(RequestForwarder, "request", fail_to_connect)
        patch.setattr(moved_connections, "MAX_ATTEMPTS", 0)
        status, _ = request_at_table(twin, id, what, TABLE_REQUESTS[what](message))
    assert status == 503, "expected an error from a former owner"
    assert stored_rows(postgres_cluster, id) == before, "expected no change by a former owner"
    assert not former.owns(id), "expected the former owner to notice"
    status, told = request_at_table(twin, id, what, TABLE_REQUESTS[what](message))
    assert status in (200, 409), told
    assert new.owns(id)
    assert_same_at_all(cluster_servers, guest, id)


async def fail_to_connect(*_: Any) -> Any:
    raise MemberUnreachableError


def test_finished_table_is_served_by_all_and_owned_by_none(cluster_servers, postgres_cluster):
    guest = cluster_servers[0].new_client()
    id = guest.create_table(game="mines", seats=2, seats_taken_by=["me", "bot:simple"])
    finish_game(owner_and_other(cluster_servers, id)[0], id, guest)
    release_table(cluster_servers, postgres_cluster, id)
    shown = [via(server, guest).get_table(id) for server in cluster_servers]
    assert shown[0] == shown[1]
    records = [via(server, guest).get(f"/api/tables/{id}/record") for server in cluster_servers]
    assert records[0] == records[1]
    assert postgres_cluster.query(f"SELECT owner FROM tables WHERE id = '{id}'") == [(0,)], "reading claimed it"


def test_finished_table_versions_grow_with_each_owner_and_viewer(cluster_servers, postgres_cluster):
    guest = cluster_servers[0].new_client()
    id = guest.create_table(game="mines", seats=2, seats_taken_by=["me", "bot:simple"])
    finish_game(owner_and_other(cluster_servers, id)[0], id, guest)
    told = [guest.get_table(id)["version"]]
    for turn in range(4):
        speaks, reads = cluster_servers[turn % 2], cluster_servers[1 - turn % 2]
        release_table(cluster_servers, postgres_cluster, id)
        told += [via(server, guest).get_table(id)["version"] for server in (reads, speaks, reads)]
        status, said = request_at_table(via(speaks, guest), id, "chat", {"text": f"hello {turn}"})
        assert status == 200, said
        told += [said["version"], via(reads, guest).get_table(id)["version"]]
    assert told == sorted(told), "expected no smaller version"


def test_request_during_a_release_waits_and_claims_the_table(cluster_servers, monkeypatch):
    id, _ = seat_alternately(cluster_servers, game="mines", seats=2)
    owner, _ = owner_and_other(cluster_servers, id)
    ownership, write = owner.cluster.ownership, owner.cluster.database.write
    requests: list[asyncio.Task[Any]] = []

    async def release_during_a_request(work: Callable[..., Any], *args: Any) -> Any:
        if work is cluster.release:
            requests.append(asyncio.create_task(ownership.locate(id)))
            await asyncio.sleep(0)
            assert not requests[0].done(), "expected the request to wait for the release"
        return await write(work, *args)

    monkeypatch.setattr(owner.cluster.database, "write", release_during_a_request)
    owner.wait_for(ownership.release(id))
    wait_until(lambda: requests[0].done(), "expected the request to continue after the release")
    assert owner.owns(id)


def test_table_is_claimed_once_for_concurrent_requests(cluster_servers, postgres_cluster, monkeypatch):
    """A second claim would discard the table that is being loaded for the first."""
    server = cluster_servers[0]
    id, _ = seat_alternately(cluster_servers, game="mines", seats=2)
    release_table(cluster_servers, postgres_cluster, id)
    ownership, read = server.cluster.ownership, server.cluster.database.read
    claims: list[int] = []

    async def claim_meanwhile(work: Callable[..., Any], *args: Any) -> Any:
        found = await read(work, *args)
        if work is cluster.owner_of and not claims:
            claims.append(0)
            await ownership.locate(id)
            claims.append(ownership.owned[id])
        return found

    monkeypatch.setattr(server.cluster.database, "read", claim_meanwhile)
    assert server.wait_for(ownership.locate(id, reads=True)) is None
    assert ownership.owned[id] == claims[1]


def test_table_claimed_by_takeover_and_request_keeps_its_first_claim(cluster_servers, postgres_cluster, monkeypatch):
    dead, server = cluster_servers
    id = dead.new_client().create_table(game="mines", seats=2, seats_taken_by=["me", "bot:simple"])
    assert dead.owns(id)
    ownership, read = server.cluster.ownership, server.cluster.database.read
    claims: list[int] = []

    async def wait_for_takeover(work: Callable[..., Any], *args: Any) -> Any:
        found = await read(work, *args)
        while work is cluster.owner_of and args == (id,) and not claims:
            if id in ownership.owned and found.member is None:
                claims.append(ownership.owned[id])
            await asyncio.sleep(0.01)
            found = found if found.member is None else await read(work, *args)
        return found

    monkeypatch.setattr(server.cluster.database, "read", wait_for_takeover)
    dead.crash()
    assert server.wait_for(ownership.locate(id)) is None
    assert [ownership.owned[id]] == claims


def test_table_of_an_ending_member_is_claimed_once_it_is_dead(cluster_servers, postgres_cluster, monkeypatch):
    """Until then the ending member answers nobody, so asking it would only cost time."""
    server, ending = cluster_servers
    id, _ = seat_alternately(cluster_servers, game="mines", seats=2)
    release_table(cluster_servers, postgres_cluster, id)
    read, owner = server.cluster.database.read, server.cluster.membership.alive[ending.member_number]
    found = [cluster.ResourceOwner(owner.number, owner, "playing", is_ending=True)] * 2

    async def show_ending(work: Callable[..., Any], *args: Any) -> Any:
        return found.pop() if found and work is cluster.owner_of else await read(work, *args)

    monkeypatch.setattr(server.cluster.database, "read", show_ending)
    assert server.wait_for(server.cluster.ownership.locate(id)) is None
    assert server.owns(id)


def test_former_lobby_owner_commits_nothing(cluster_servers, postgres_cluster):
    one, other = cluster_servers
    guest = one.new_client()
    postgres_cluster.query(f"UPDATE cluster_resources SET owner = {other.member_number}")
    guest.post("/api/me", {"name": "Someone new"})
    assert guest.status == 503, "expected a former lobby owner to register no name"
    assert postgres_cluster.query("SELECT name FROM display_names WHERE name = 'Someone new'") == []


@pytest.mark.parametrize("what", ["table", "stream"])
def test_former_owner_that_has_not_noticed_shows_nothing_outdated(cluster_servers, postgres_cluster, what):
    """The former owner's event loop has not yet processed the end of its session, as after `kill -STOP`."""
    other, former = cluster_servers  # the lobby owner would notice by itself
    id, guests = seat_alternately((former, other), game="mines", seats=2)
    assert former.owns(id)
    membership = former.cluster.membership
    former.call_on_loop(lambda: former.loop.remove_reader(membership.watched_fd))
    postgres_cluster.query(f"SELECT pg_terminate_backend({former.session.raw.info.backend_pid})")
    claim_for_other(postgres_cluster, id, other)
    other.call_on_loop(lambda: other.cluster.ownership.forget_location(id))
    version = answer_next([via(other, guest) for guest in guests], id)["version"]
    assert other.owns(id)
    assert former.owns(id), "expected the former owner not to have noticed"
    twin = via(former, guests[0])
    if what == "table":
        assert twin.get_table(id)["version"] >= version
    else:
        stream = twin.watch(id)
        assert stream.messages[0]["version"] >= version
