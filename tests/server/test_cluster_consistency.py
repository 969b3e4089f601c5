"""A person's state that all members respect, and background work that happens once despite two responsible members."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from diamonds.server.http.app import AppConfig
from diamonds.server.http.rate_limits import UNLIMITED, PersonAndAddressRates, RateLimit
from diamonds.server.notifications import push_scheduler
from diamonds.server.settings_file import TomlSettings
from diamonds.server.storage import cluster
from diamonds.server.storage.postgres_connection import DatabaseUnreachableError
from diamonds.server.storage.push import PendingPush
from diamonds.server.tables.service import TableService
from tests.server.support.authenticator import BrowserClient
from tests.server.support.client import KEY_NUMBERS, WAIT_TIMEOUT_S, Client, StreamReader, first_legal, wait_until
from tests.server.support.cluster import ClusterServer, two_servers, via
from tests.server.support.push_service import PushBrowser, PushService
from tests.server.test_moderation import create_account, moderate, moderation_events

pytestmark = pytest.mark.later

FEW_RENAMES = PersonAndAddressRates(RateLimit(3, 1e-9), UNLIMITED.names.address)  # three, then practically none


@pytest.fixture
def open_two_servers(
    postgres_cluster: Any,
) -> Iterator[Callable[..., tuple[ClusterServer, ClusterServer]]]:
    """Return a function that opens two members with given settings."""
    used = []

    def open_them(settings: AppConfig) -> tuple[ClusterServer, ClusterServer]:
        used.append(two_servers(postgres_cluster.empty_database(), settings))
        return used[-1].__enter__()

    yield open_them
    for one in used:
        one.__exit__(None, None, None)


def open_started_stream(guest: Client, table: str) -> StreamReader:
    stream = guest.open_stream(table)
    wait_until(lambda: stream.events, "expected a first message")
    return stream


def test_sanctions_and_sign_out_apply_at_every_member(open_two_servers):
    one, other = open_two_servers(AppConfig((0, 0), UNLIMITED, server_config=TomlSettings(moderators=("Ann",))))
    ann, eve, fay = (create_account(one, name) for name in ("Ann", "Eve", "Fay"))
    table = eve.create_table(game="mines", seats=2, seats_taken_by=["me", "open"], substitute_after_s=0)
    fay.sit(table, seat=1, invite=eve.invite)
    elsewhere = {guest: via(other, guest) for guest in (eve, fay)}  # each with its current cookie
    streams = {guest: open_started_stream(twin, table) for guest, twin in elsewhere.items()}

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
    one, other = open_two_servers(AppConfig((0, 0), UNLIMITED, server_config=TomlSettings(moderators=("Ann",))))
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
    table = via(other, ann).create_table(game="mines", seats=2, seats_taken_by=["me", "open"])
    assert other.owns(table)
    body = {"nonce": "5eed", "seat": 1}
    assert via(other, eve).post(f"/api/tables/{table}/sit", body, 403)["id"] == "moderation-banned"


def test_lobby_lists_the_public_tables_of_a_member_that_was_missing(cluster_servers, postgres_cluster):
    one, other = cluster_servers
    host, stranger = other.new_client(), one.new_client()
    private_table = host.create_table(game="mines", seats=2, seats_taken_by=["me", "open"], private=True)
    host.open_stream(private_table)
    table = host.create_table(game="mines", seats=2, seats_taken_by=["me", "open"], private=False)
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
    members = open_two_servers(AppConfig((0, 0), UNLIMITED._replace(names=FEW_RENAMES)))
    ann = members[0].new_client()
    given = [
        via(server, ann).post("/api/me", {"name": f"Ann {k}"}).get("id", "") for k in range(3) for server in members
    ]
    assert given == [""] * 3 + ["server-too-many"] * 3


def test_notification_is_sent_once_with_two_believed_lobby_owners(open_two_servers, fake_clock):
    with PushService() as push_service:
        server = TomlSettings(push_services=(push_service.address,))
        members = open_two_servers(AppConfig((0, 0), UNLIMITED, push_key=b"p" * 32, server_config=server))
        ann, ben = (BrowserClient(members[0].port) for _ in range(2))
        table = ann.create_table(
            game="mines", seats=2, seats_taken_by=["me", "open"], time_control={"days_per_move": 2}
        )
        ben.sit(table, seat=1, invite=ann.invite)
        plays, waits = (ann, ben) if ann.get_table(table)["open_question"] else (ben, ann)
        inbox = PushBrowser(push_service)
        waits.post("/api/push", inbox.subscription, 200)
        while (message := plays.get_table(table))["open_question"]:
            plays.answer(table, message["n"], first_legal(message))
        both = threading.Barrier(2)
        for server in members:
            wait_until(
                lambda server=server: server.call_on_loop(lambda: server.app.push_scheduler.is_idle),
                "expected the work to finish",
            )
            believe_lobby_owner(server, both)
        assert members[0].store.push.next_due_ms(), "expected a pending notification"
        fake_clock.advance(push_scheduler.PUSH_DELAY_MS)
        for server in members:
            server.call_on_loop(server.app.push_scheduler.wake)
        for server in members:
            wait_until(
                lambda server=server: server.call_on_loop(lambda: server.app.push_scheduler.is_idle),
                "expected the work to finish",
            )
        assert not both.n_waiting
        assert not both.broken
        assert len(inbox.messages) == 1


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
