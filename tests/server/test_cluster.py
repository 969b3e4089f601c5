"""Several members serve as one server: a table's owner answers, all respect a person's state, and work happens once."""

import asyncio
import threading
from collections.abc import Callable
from typing import Any

import pytest

from diamonds.server.http import moved_connections
from diamonds.server.http.rate_limits import UNLIMITED, PersonAndAddressRates, RateLimit
from diamonds.server.notifications import push_scheduler
from diamonds.server.settings_file import TomlSettings
from diamonds.server.storage import cluster
from diamonds.server.storage.postgres_connection import DatabaseUnreachableError
from diamonds.server.storage.push import PendingPush
from diamonds.server.tables.service import TableService
from tests.server.support.authenticator import BrowserClient
from tests.server.support.client import (
    KEY_NUMBERS,
    WAIT_TIMEOUT_S,
    Client,
    TurnFeedReader,
    answer_next,
    client_to_act,
    first_legal,
    post_chat,
    wait_until,
)
from tests.server.support.cluster import (
    ClusterServer,
    owner_and_other,
    release_table,
    seat_alternately,
    via,
)
from tests.server.support.push_service import PushBrowser, PushService
from tests.server.test_moderation import create_account, moderate, moderation_events

pytestmark = pytest.mark.later


def test_answers_at_either_member_are_seen_at_both(cluster_servers):
    id, guests = seat_alternately(cluster_servers)
    owners = [server for server in cluster_servers if server.owns(id)]
    assert len(owners) == 1, "expected one owner of a table"
    streams = [server.new_client().open_stream(id) for server in cluster_servers]
    for _ in range(6):
        version = answer_next(guests, id)["version"]
        for other in guests:
            assert other.get_table(id)["version"] >= version, "expected the newest state at each member"
    for stream in streams:
        wait_until(lambda stream=stream: stream.newest and stream.newest["n"] >= 6, "expected all answers")


# Death of a member


def test_tables_of_a_dead_member_continue_with_bots_and_clocks(fake_clock, cluster_servers):
    one, other = cluster_servers
    guests = [other.new_client() for _ in range(2)]
    bots = guests[0].create_table(game="mines", seats=2, seats_taken_by=["me", "bot:simple"])
    timed = guests[0].create_table_with(guests[1], time_control={"days_per_move": 1})
    assert other.owns(bots)
    assert other.owns(timed)
    versions = {id: guests[0].get_table(id)["version"] for id in (bots, timed)}
    other.crash()
    wait_until(lambda: one.owns(timed) and one.owns(bots), "expected another member to own the dead member's tables")
    twins = [via(one, guest) for guest in guests]
    twins[0].wait_for_turn(bots)
    assert twins[0].get_table(bots)["version"] >= versions[bots]
    answer_next(twins, timed)
    assert twins[0].get_table(timed)["version"] > versions[timed]
    n = twins[0].get_table(timed)["n"]
    fake_clock.advance(86_400_000 + 10_000, one)
    wait_until(lambda: twins[0].get_table(timed)["n"] > n, "expected the timeout at a dead member's table")


def test_clock_runs_at_a_table_that_was_handed_over(fake_clock, cluster_servers, monkeypatch):
    """The new owner still takes the former one for the table's owner."""
    id, guests = seat_alternately(cluster_servers, game="mines", seats=2, time_control={"days_per_move": 1})
    former, new = owner_and_other(cluster_servers, id)
    routes = former.app.cluster_routes
    former.call_on_loop(lambda: routes.hand_over(id))
    twin = via(new, guests[0])
    monkeypatch.setattr(moved_connections, "MAX_ATTEMPTS", 0)  # as between machines
    n = twin.get_table(id)["n"]
    assert new.owns(id), "expected the former owner not to claim it again"
    fake_clock.advance(86_400_000 + 10_000, new)
    wait_until(lambda: twin.get_table(id)["n"] > n, "expected the timeout at the new owner")


def test_bot_to_act_continues_after_a_restart_of_the_cluster(fake_clock, cluster_servers):
    """Nobody opens the table. Nobody's clock runs, so no flag would ever wake it."""
    for server in cluster_servers:
        server.app.tables.bots.bot_delay = (3600.0, 3600.0)
    guest = cluster_servers[0].new_client()
    id = guest.create_table(
        game="mines", seats=2, seats_taken_by=["me", "bot:simple"], time_control={"days_per_move": 1}
    )
    n = guest.finish_turn(id)["n"]
    for server in cluster_servers:
        server.close()
    for server in cluster_servers:
        server.open()

    def is_answered() -> bool:
        found = [server.app.tables.registry.get(id) for server in cluster_servers]
        return any(table is not None and table.n > n for table in found)

    wait_until(is_answered, "expected the bot to answer")


def test_a_dead_lobby_owner_is_replaced_and_people_find_each_other(cluster_servers):
    one, other = cluster_servers
    guest = other.new_client()
    one.crash()
    wait_until(lambda: other.cluster.owns_lobby, "expected another lobby owner")
    id = guest.create_open_table(private=False, substitute_after_s=0)
    reader = other.new_client()
    guest.watch(id)
    lobby = reader.open_lobby()
    lobby.wait_for(lambda: id in lobby.tables, "expected the table in the lobby")
    guest.post("/api/me", {"name": "Zoe"}, 200)
    assert guest.get("/api/me")["name"] == "Zoe"


# Beyond single tables


def test_lobby_shows_tables_of_every_member(cluster_servers):
    lobbies = [server.new_client().open_lobby() for server in cluster_servers]
    for server in cluster_servers:
        guest = server.new_client()
        id = guest.create_open_table(private=False, substitute_after_s=0)
        stream = guest.open_stream(id)
        assert server.owns(id)
        for lobby in lobbies:
            lobby.wait_for(lambda lobby=lobby, id=id: id in lobby.tables, "expected the table in the lobby")
        lists = [reader.new_client().get("/api/tables") for reader in cluster_servers]
        assert all(id in [line["id"] for line in found["tables"]] for found in lists)
        stream.close()


def test_turn_feed_covers_tables_of_every_member(cluster_servers):
    for server, elsewhere in (cluster_servers, cluster_servers[::-1]):
        guests = [server.new_client() for _ in range(2)]
        id = guests[0].create_table_with(guests[1], time_control={"days_per_move": 2})
        assert server.owns(id)
        first, _ = client_to_act(guests, id)
        hers, his = (TurnFeedReader(via(elsewhere, one)) for one in (first, guests[guests[0] is first]))
        hers.wait_for(id)
        his.wait_for()
        first.finish_turn(id)
        hers.wait_for()
        his.wait_for(id)


def test_new_name_is_used_by_every_member_before_the_reply(cluster_servers):
    for server, elsewhere in (cluster_servers, cluster_servers[::-1]):
        guest = server.new_client()
        id = guest.create_open_table(substitute_after_s=0)
        twin = via(elsewhere, guest)
        twin.get_table(id)
        twin.post("/api/me", {"name": f"Ann {server.port}"}, 200)
        for reader in (guest, twin):
            assert reader.get_table(id)["table"]["seat_holders"][0]["name"] == f"Ann {server.port}"


def test_deleted_person_is_anonymous_at_every_table_before_the_reply(cluster_servers):
    one, other = cluster_servers
    people = [server.new_client() for server in cluster_servers]
    tables = []
    for guest, server in zip(people, cluster_servers, strict=True):
        guest.post("/api/me", {"name": f"Somebody {server.port}"}, 200)
        tables.append(guest.create_open_table(substitute_after_s=0))
        assert server.owns(tables[-1])
    leaver = people[1]
    leaver.sit(tables[0], seat=1, invite=people[0].invite)
    name = leaver.get("/api/me")["name"]
    via(one, leaver).post("/api/me/delete", {"name": name}, 200)
    for server in cluster_servers:
        assert via(server, leaver).get("/api/me")["name"] != name, "expected no name of a deleted person"
        places = via(server, people[0]).get_table(tables[0])["table"]["seat_holders"]
        assert name not in [place["name"] for place in places], "expected no seat of a deleted person"
    assert other.member_number


def test_moderator_lists_and_closes_tables_of_every_member(open_two_servers):
    members = open_two_servers(server_config=TomlSettings(moderators=("Ann",)))
    ann = create_account(members[0], "Ann")
    made = {}
    for server in members:
        guest = server.new_client()
        id = guest.create_open_table(substitute_after_s=0)
        made[id] = guest
        assert server.owns(id)

    def listed() -> set[str]:
        return {line["table"] for line in ann.get("/api/moderation/tables")["tables"]}

    wait_until(lambda: made.keys() <= listed(), "expected the table in the list")
    for id, guest in made.items():
        moderate(ann, action="close", table=id)
        for server in members:
            assert post_chat(via(server, guest), id, "hello", 409)["id"] == "table-closed"


@pytest.mark.parametrize("game", ["mines", "fourteen"])
def test_version_never_decreases_across_members(cluster_servers, postgres_cluster, game):
    id, guests = seat_alternately(cluster_servers, game=game, seats=2 if game == "mines" else 3)
    told: list[int] = []

    def look(guest: Client) -> None:
        for server in cluster_servers:
            told.append(via(server, guest).get_table(id)["version"])

    for turn in range(6):
        guest, message = client_to_act(guests, id)
        told.append(via(cluster_servers[turn % 2], guest).answer(id, message["n"], first_legal(message))["version"])
        look(guests[0])
        if turn % 2:
            release_table(cluster_servers, postgres_cluster, id)
            look(guests[1])
    assert told == sorted(told), "expected no smaller version"


# State of people, and work of the lobby owner


FEW_RENAMES = PersonAndAddressRates(RateLimit(3, 1e-9), UNLIMITED.names.address)  # three, then practically none


def test_sanctions_and_sign_out_apply_at_every_member(open_two_servers):
    one, other = open_two_servers(server_config=TomlSettings(moderators=("Ann",)))
    ann, eve, fay = (create_account(one, name) for name in ("Ann", "Eve", "Fay"))
    table = eve.create_open_table(substitute_after_s=0)
    fay.sit(table, seat=1, invite=eve.invite)
    elsewhere = {guest: via(other, guest) for guest in (eve, fay)}  # each with its current cookie
    streams = {guest: twin.watch(table) for guest, twin in elsewhere.items()}

    def chat_error(guest: BrowserClient) -> str | None:
        """Return the error when the person chats at the other member."""
        body = {"text": "hello", "idempotency_key": f"say-{next(KEY_NUMBERS):08d}"}
        return elsewhere[guest].post(f"/api/tables/{table}/chat", body).get("id")  # type: ignore[no-any-return]

    def notices(guest: BrowserClient) -> list[str]:
        return [event["kind"] for event in moderation_events(streams[guest])]

    moderate(ann, action="mute", name="Eve", hours=1)
    wait_until(lambda: chat_error(eve) == "moderation-muted", "expected a mute to apply at the other member")
    moderate(ann, action="warn", name="Eve")
    wait_until(lambda: notices(eve) == ["warned"], "expected the warning at the other member")
    moderate(via(other, ann), action="ban", name="Eve", hours=1)
    wait_until(lambda: streams[eve].is_ended, "expected the ban to end the stream at the other member")
    assert notices(eve) == ["warned", "banned"]
    body = {"n": 0, "answers": ["draw 1"], "idempotency_key": "key-banned-1"}
    for twin in (eve, elsewhere[eve]):
        assert twin.post(f"/api/tables/{table}/answers", body, 403)["id"] == "moderation-banned"
    assert not streams[fay].is_ended, "expected other people's streams to stay open"
    fay.post("/api/me/sign-out", {"everywhere": True}, 200)
    wait_until(lambda: streams[fay].is_ended, "expected sign-out to end the stream at the other member")
    wait_until(
        lambda: chat_error(fay) == "server-who-are-you",
        "expected the cookie of a signed-out device to be invalid at the other member",
    )


def test_rename_reaches_a_member_that_has_just_joined(cluster_servers):
    one, other = cluster_servers
    guest = other.new_client()
    table = guest.create_table(game="mines", seats=2, seats_taken_by=["me", "bot:simple"])
    assert other.owns(table)
    one.call_on_loop(lambda: one.cluster.membership.alive.pop(other.member_number))
    via(one, guest).post("/api/me", {"name": "Zoe"}, 200)
    assert guest.get_table(table)["table"]["seat_holders"][0]["name"] == "Zoe"


def test_ban_applies_at_a_member_that_was_taken_for_dead(open_two_servers, postgres_cluster, monkeypatch):
    one, other = open_two_servers(server_config=TomlSettings(moderators=("Ann",)))
    ann, eve = (create_account(one, name) for name in ("Ann", "Eve"))
    number, away = other.member_number, threading.Event()
    renew, register = cluster.renew_session, cluster.register_member

    def late(step: Callable[..., Any]) -> Callable[..., Any]:
        def run(*given: Any) -> Any:
            if not away.is_set():
                raise DatabaseUnreachableError
            return step(*given)

        return run

    monkeypatch.setattr(cluster, "renew_session", late(renew))
    monkeypatch.setattr(cluster, "register_member", late(register))
    postgres_cluster.query(f"SELECT pg_terminate_backend({other.session.raw.info.backend_pid})")
    rows = f"SELECT count(*) FROM members WHERE number = {number}"
    wait_until(lambda: postgres_cluster.query(rows) == [(0,)], "expected the member to be taken for dead")
    moderate(ann, action="ban", name="Eve", hours=1)
    away.set()
    wait_until(lambda: other.cluster.membership.joined.is_set(), "expected the member to register again")
    table = via(other, ann).create_open_table()
    assert other.owns(table)
    body = {"nonce": "5eed", "seat": 1}
    assert via(other, eve).post(f"/api/tables/{table}/sit", body, 403)["id"] == "moderation-banned"


def test_lobby_lists_the_public_tables_of_a_member_that_was_missing(cluster_servers, postgres_cluster):
    one, other = cluster_servers
    host, stranger = other.new_client(), one.new_client()
    private_table = host.create_open_table(private=True)
    host.open_stream(private_table)
    table = host.create_open_table(private=False)
    host.open_stream(table)

    def is_listed() -> bool:
        rows = {row["id"] for row in stranger.get("/api/tables")["tables"]}
        assert private_table not in rows, "expected no stranger to see a private table of another member"
        return table in rows

    wait_until(is_listed, "expected the table to be listed")
    assert other.owns(table)
    one.call_on_loop(lambda: one.cluster.on_member_death(other.member_number))
    assert not is_listed()
    postgres_cluster.query(f"SELECT pg_terminate_backend({other.session.raw.info.backend_pid})")
    wait_until(is_listed, "expected the table to be listed again")


def test_per_person_limits_are_shared_by_members(open_two_servers):
    members = open_two_servers(limits=UNLIMITED._replace(names=FEW_RENAMES))
    ann = members[0].new_client()
    given = [
        via(server, ann).post("/api/me", {"name": f"Ann {k}"}).get("id", "") for k in range(3) for server in members
    ]
    assert given == [""] * 3 + ["server-too-many"] * 3


def test_notification_is_sent_once_with_two_believed_lobby_owners(open_two_servers, fake_clock):
    with PushService() as push_service:
        server = TomlSettings(push_services=(push_service.address,))
        members = open_two_servers(push_key=b"p" * 32, server_config=server)
        ann, ben = (BrowserClient(members[0].port) for _ in range(2))
        table = ann.create_table_with(ben, time_control={"days_per_move": 2})
        plays, waits = (ann, ben) if ann.get_table(table)["open_question"] else (ben, ann)
        inbox = PushBrowser(push_service)
        waits.post("/api/push", inbox.subscription, 200)
        plays.finish_turn(table)
        both = threading.Barrier(2)
        for server in members:
            wait_until_idle(server)
            believe_lobby_owner(server, both)
        assert members[0].store.push.next_due_ms(), "expected a pending notification"
        fake_clock.advance(push_scheduler.PUSH_DELAY_MS)
        for server in members:
            server.call_on_loop(server.app.push_scheduler.wake)
        for server in members:
            wait_until_idle(server)
        assert not both.n_waiting
        assert not both.broken
        assert len(inbox.messages) == 1


def wait_until_idle(server: ClusterServer) -> None:
    wait_until(lambda: server.call_on_loop(lambda: server.app.push_scheduler.is_idle), "expected the work to finish")


class BelievedLobbyOwner:
    """The tables of a member that believes it owns the lobby, whatever its cluster says."""

    has_lobby = True

    def __init__(self, tables: TableService) -> None:
        self._tables = tables

    def __getattr__(self, name: str) -> Any:
        return getattr(self._tables, name)


def believe_lobby_owner(server: ClusterServer, both: threading.Barrier) -> None:
    """Make a member send notifications as if it owned the lobby.

    The first time, it waits until the other member is also about to send one; a member that may not send tries again
    until the other has sent.
    """
    send = server.app.push_scheduler.process
    waits = [True]

    async def together(call: PendingPush) -> None:
        if waits:
            waits.clear()
            await asyncio.to_thread(both.wait, WAIT_TIMEOUT_S)
        await send(call)

    server.app.push_scheduler.tables = BelievedLobbyOwner(server.app.tables)  # type: ignore[assignment]
    server.app.push_scheduler.process = together  # type: ignore[method-assign]
