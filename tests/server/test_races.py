"""Races: one request is held inside a store call while another one runs completely."""

import asyncio
import hashlib
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from typing import Any

import pytest

from diamonds.server.api.moderation import ModerationActionRequest
from diamonds.server.moderation import maintenance
from diamonds.server.moderation.maintenance import DAY_S, RetentionJob
from diamonds.server.storage.accounts import AccountChange, Passkey
from diamonds.server.storage.moderation import OPERATOR_ID, ModerationChange, SanctionsChange
from diamonds.server.storage.relationships import RelationshipChange
from tests.server.support.authenticator import BrowserClient
from tests.server.support.client import Client, client_to_act, wait_until
from tests.server.support.live_server import LiveServer, finish_game, full_table


@pytest.fixture
def server(stored_server: LiveServer) -> LiveServer:
    return stored_server


class StoreCallBlocker:
    """A switch that holds the next caller of a store method, either before the call or with its result."""

    def __init__(self, server: LiveServer, part: Any, name: str, before: bool = False) -> None:
        self._server, self.reached, self._free = server, False, asyncio.Event()
        real = getattr(part, name)

        async def held(*given: Any, **named: Any) -> Any:
            first, self.reached = not self.reached, True
            if first and before:
                await self._free.wait()
            found = await real(*given, **named)
            if first and not before:
                self.answered = True
                await self._free.wait()
            return found

        self.answered = before
        self._server.call_on_loop(lambda: setattr(part, name, held))

    def wait(self) -> None:
        """Wait until a caller is held."""
        wait_until(lambda: self.reached and self.answered, "expected a caller")

    def release(self) -> None:
        self._server.call_on_loop(self._free.set)


@pytest.fixture
def block_calls(in_thread: Any) -> Iterator[Callable[..., StoreCallBlocker]]:
    """Return a function that holds callers (`StoreCallBlocker`); they continue when the test is over."""
    held: list[StoreCallBlocker] = []

    def hold_one(*given: Any, **named: Any) -> StoreCallBlocker:
        held.append(StoreCallBlocker(*given, **named))
        return held[-1]

    yield hold_one
    for one in held:
        one.release()


def start_on_loop(server: LiveServer, coroutine: Any) -> Future[Any]:
    return asyncio.run_coroutine_threadsafe(coroutine, server.loop)


def wait_for_lock(server: LiveServer, lock: Callable[[], Any], other: Future[Any]) -> None:
    """Wait until the other request is done or is waiting for the lock."""
    wait_until(
        lambda: other.done() or server.call_on_loop(lambda: bool(lock() and lock()._waiters)),
        "expected the other request to run or wait",
    )


def second_connection(browser: BrowserClient) -> BrowserClient:
    other = BrowserClient(browser.port)
    other.headers = dict(browser.headers)
    other.passkeys = browser.passkeys
    return other


def test_concurrent_removal_of_two_passkeys_leaves_one(server, in_thread, block_calls):
    ann = BrowserClient(server.port).with_account("Ann")
    person = server.person_by_name("Ann")
    server.store.commit(AccountChange(person, passkey=Passkey(b"more", person, b"public", 0, "", 7)))
    more = hashlib.sha256(b"more").hexdigest()[:16]
    first = next(one["id"] for one in ann.get_me()["passkeys"] if one["id"] != more)
    held = block_calls(server, server.app.store.accounts, "passkeys")
    late = in_thread(second_connection(ann).post, "/api/me/passkeys/remove", {"id": first})
    held.wait()
    ann.post("/api/me/passkeys/remove", {"id": more}, 200)
    held.release()
    assert late.result()["id"] == "account-changed"
    assert [one["id"] for one in ann.get_me()["passkeys"]] == [first], "expected one passkey to remain"


def test_recovery_code_replaced_during_use_signs_nobody_in(server, in_thread, block_calls):
    ann, eve = BrowserClient(server.port), BrowserClient(server.port)
    code = ann.create_account("Ann")
    held = block_calls(server, server.app.store.accounts, "recovery_code")
    late = in_thread(eve.post, "/api/sign-in/code", {"code": code})
    held.wait()
    ann.post("/api/me/recovery-code", {}, 201)
    held.release()
    assert late.result()["id"] == "account-changed"
    assert eve.get_me()["has_account"] is False
    assert len(ann.get_me()["devices"]) == 1


def test_person_deleted_during_sign_in_stays_deleted(server, in_thread, block_calls):
    ann, there = BrowserClient(server.port).with_account("Ann"), BrowserClient(server.port)
    link = ann.post("/api/me/links", {}, 201)["link"]
    held = block_calls(server, server.app.store.accounts, "devices")
    late = in_thread(there.post, "/api/sign-in/link", {"link": link})
    held.wait()
    server.store.commit(AccountChange(server.person_by_name("Ann"), delete_person=True, current_name="Ann"))
    held.release()
    assert late.result()["id"] == "account-changed"
    assert there.get_me()["has_account"] is False


def test_concurrent_choice_of_one_name_has_one_winner(server, in_thread, block_calls):
    ann, eve = BrowserClient(server.port), BrowserClient(server.port)
    held = block_calls(server, server.app.store.accounts, "skeleton_holders")  # Eve finds the name free
    late = in_thread(eve.post, "/api/me/account/begin", {"name": "Zoe"}, 200)
    held.wait()
    ann.create_account("Zoe")
    held.release()
    made = {"passkey": eve.create_passkey(late.result()["options"]), "label": ""}
    assert eve.post("/api/me/account", made, 409)["id"] == "account-name-taken"
    assert eve.get_me()["has_account"] is False
    assert ann.get_me()["name"] == "Zoe"


def test_concurrent_requests_for_the_last_seat_have_one_winner(server, in_thread, block_calls):
    host, ann, ben = (server.new_client() for _ in range(3))
    id = host.create_open_table(private=False)
    ann.get_table(id), ben.get_table(id)
    held = block_calls(server, server.app.store, "commit", before=True)
    first = in_thread(ann.post, f"/api/tables/{id}/sit", {"seat": 1, "nonce": "5eed", "idempotency_key": "sit-key-ann"})
    held.wait()
    second = in_thread(
        ben.post, f"/api/tables/{id}/sit", {"seat": 1, "nonce": "5eed", "idempotency_key": "sit-key-ben"}
    )
    wait_for_lock(server, lambda: server.app.tables.get(id).presence.lock, second)
    held.release()
    assert first.result()["n"] == 0
    assert second.result().get("error"), "expected one of them in the seat"
    assert (ann.get_table(id)["seat"], ben.get_table(id)["seat"]) == (1, None)


def test_rename_while_a_seat_is_taken_is_not_lost(server, in_thread, block_calls):
    host, ann = server.new_client(), server.new_client()
    id = host.create_open_table()
    held = block_calls(server, server.app.store, "commit", before=True)
    sitting = in_thread(ann.sit, id, invite=host.invite)
    held.wait()
    host.post("/api/me", {"name": "Zoe"}, 200)
    held.release()
    assert sitting.result()["n"] == 0
    names = [holder["name"] for holder in ann.get_table(id)["table"]["seat_holders"]]
    assert "Zoe" in names, f"expected the new name at the table: {names}"


def test_block_during_a_read_of_relationships_is_not_lost(server, block_calls):
    around = server.app.tables.relationships
    held = block_calls(server, server.app.store.accounts, "relationships")
    late = start_on_loop(server, around.get("ann"))
    held.wait()
    server.store.commit(AccountChange("ann", relationship=RelationshipChange("ann", "block", "eve")))
    server.call_on_loop(around.invalidate)
    held.release()
    assert late.result().blocked == {"eve"}, "expected the next reader to see the block"


def test_ban_during_a_read_of_sanctions_is_not_lost(server, block_calls):
    sanctions = server.app.tables.sanctions
    held = block_calls(server, server.app.store.moderation, "sanctions")
    late = start_on_loop(server, sanctions.refresh())
    held.wait()
    end = int(sanctions.clock()) + 1000
    server.store.commit(
        AccountChange("eve", moderation=ModerationChange(sanctions=SanctionsChange(banned_until=end, reason="why")))
    )
    soon = start_on_loop(server, sanctions.refresh())
    wait_for_lock(server, lambda: sanctions.read_lock, soon)
    held.release()
    late.result(), soon.result()
    assert sanctions.get("eve").banned_until == end, "expected the newer sanctions to stay cached"


def test_mute_during_acknowledgement_of_a_warning_is_not_lost(server, block_calls):
    moderation = server.app.moderation
    BrowserClient(server.port).create_account("Eve")
    eve = server.person_by_name("Eve")
    server.run(moderation.act(OPERATOR_ID, ModerationActionRequest("warn", name="Eve", reason="Mind")))
    held = block_calls(server, server.app.store, "commit", before=True)
    late = start_on_loop(server, moderation.acknowledge(eve, "Mind"))
    held.wait()
    soon = start_on_loop(
        server, moderation.act(OPERATOR_ID, ModerationActionRequest("mute", name="Eve", reason="why", hours=9))
    )
    wait_for_lock(server, lambda: moderation.lock, soon)
    held.release()
    late.result(), soon.result()
    standing = moderation.sanctions.get(eve)
    assert (standing.warning, bool(standing.muted_until)) == ("", True), standing


def test_mute_keeps_a_ban_by_another_member(server):
    moderation = server.app.moderation
    BrowserClient(server.port).create_account("Eve")
    eve = server.person_by_name("Eve")
    banned = SanctionsChange(banned_until=int(moderation.sanctions.clock()) + 1000, reason="why")
    server.store.commit(AccountChange(eve, moderation=ModerationChange(sanctions=banned)))
    server.run(moderation.act(OPERATOR_ID, ModerationActionRequest("mute", name="Eve", reason="rude", hours=9)))
    standing = moderation.sanctions.get(eve)
    assert (standing.banned_until, standing.reason) == (banned.banned_until, "rude"), standing
    assert standing.muted_until


@pytest.mark.later
def test_game_resumed_during_pruning_stays(server, guest, in_thread, block_calls, monkeypatch):
    monkeypatch.setattr(maintenance, "BATCH_PAUSE_S", 0)
    id = guest.create_table(game="mines", seats=2)
    finish_game(server, id, guest)
    now = server.app.tables.sanctions.clock()
    server.call_on_loop(lambda: server.app.tables.registry.evict(id))
    held = block_calls(server, server.app.store, "load")
    late = in_thread(guest.get_table, id)
    held.wait()
    assert server.run(RetentionJob(server.app.tables, 90, 0, lambda: now + 91 * DAY_S).prune()) == 0
    held.release()
    assert late.result()["result"] is not None
    assert server.store.load(id) is not None, "expected no view of a deleted game"


def test_concurrent_answer_finds_the_table_after_the_stored_one(server, in_thread, block_calls):
    id, guests = full_table(server, "mines", 2)
    guest, message = client_to_act(guests, id)
    words = [f"{message['open_question']['question']} {choice}" for choice in message["open_question"]["legal"]]
    other = Client(server.port)
    other.headers = guest.headers
    held = block_calls(server, server.app.store, "commit", before=True)
    first = in_thread(guest.answer, id, 0, words[0], expect=None)
    held.wait()
    second = in_thread(other.answer, id, 0, words[-1], expect=None)
    wait_for_lock(server, lambda: server.app.tables.get(id).presence.lock, second)
    held.release()
    assert first.result()["n"] == 1
    told = second.result()
    assert (told.get("id"), told.get("update", {}).get("n")) == ("table-moved-on", 1), "expected the current state"
    assert [entry[1] for entry in server.store.load(id).entries] == [words[0]]
