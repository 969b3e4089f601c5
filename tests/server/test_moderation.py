"""Moderation: reports, warnings, mutes, bans, removed names, closed tables, and the audit log."""

import json
from typing import Any
from unittest.mock import AsyncMock

import pytest

from diamonds.server.settings_file import TomlSettings
from diamonds.server.storage import moderation
from diamonds.server.storage.commit_outcomes import StoreUnavailableError
from diamonds.server.storage.moderation import OPERATOR_ID
from tests.server.support.authenticator import BrowserClient
from tests.server.support.client import Client, StreamReader, post_chat, wait_until
from tests.server.support.live_server import LiveServer

SETTINGS = TomlSettings(name="Club Caro", rules="Be kind.", imprint="Ann", moderators=("Ann",))
MODERATOR_ROUTES = (
    ("GET", "/api/moderation/reports", None),
    ("GET", "/api/moderation/accounts?name=a", None),
    ("GET", "/api/moderation/tables", None),
    ("GET", "/api/moderation/actions", None),
    ("POST", "/api/moderation/invitations", {"hours": 5}),
    ("POST", "/api/moderation/actions", {"action": "ban", "name": "Ann", "hours": 1, "reason": "why not"}),
)


@pytest.fixture
def moderated_server(open_server):
    """A server with its moderator Ann, and with Ben and Eve, who have accounts."""
    server = open_server(server_config=SETTINGS)
    return server, *(create_account(server, name) for name in ("Ann", "Ben", "Eve"))


def create_account(server: LiveServer, name: str) -> BrowserClient:
    """Create an account; a moderator is invited by name."""
    browser = BrowserClient(server.port)
    code = server.wait_for(server.app.moderation.create_invitation(OPERATOR_ID, 1, name)).code if name == "Ann" else ""
    asked = browser.post("/api/me/account/begin", {"name": name, "invitation": code}, 200)
    browser.post("/api/me/account", {"passkey": browser.create_passkey(asked["options"])}, 201)
    return browser


def moderate(host: Client, expect: int = 200, **request: Any) -> Any:
    return host.post("/api/moderation/actions", {"reason": "rude words", **request}, expect)


def moderation_events(stream: StreamReader) -> list[Any]:
    found = stream.received.split(b"event: order\ndata: ")[1:]
    return [json.loads(one.partition(b"\n")[0]) for one in found]


def test_report_shows_chat_and_table_and_ban_message_has_its_end(moderated_server):
    _server, ann, ben, eve = moderated_server
    table = ben.create_table_with(eve, substitute_after_s=0)
    post_chat(ben, table, "hello")
    post_chat(eve, table, "you fool")
    line = ben.get_table(table)["table"]["chat"][1]
    ben.post(
        f"/api/tables/{table}/report", {"reason": "rude", "text": "See for yourself", "speaker": line["speaker"]}, 200
    )
    told = ann.get("/api/moderation/reports")
    assert told["waiting"] == 1
    report = told["open"][0]
    assert (report["reporter"], report["name"], report["table"]) == ("Ben", "Eve", table)
    assert [(one["name"], one["text"]) for one in report["chat_excerpt"]] == [("Ben", "hello"), ("Eve", "you fool")]
    receives = eve.open_stream(table)
    receives.wait_for(0)
    moderate(ann, action="ban", report_id=report["id"], hours=48)
    wait_until(lambda: receives.is_ended, "expected a ban to end the stream")
    assert moderation_events(receives)[0]["kind"] == "banned"
    error = eve.post("/api/tables", {"game": "mines", "seats": 2}, 403)
    assert error["id"] == "moderation-banned"
    assert "rude words" in error["error"]
    assert " UTC" in error["error"]
    after = ann.get("/api/moderation/reports")
    assert (after["waiting"], after["resolved"][0]["id"]) == (0, report["id"])
    act, _ = ann.get("/api/moderation/actions")["actions"]
    assert (act["moderator"], act["action"], act["name"], act["reason"]) == ("Ann", "ban", "Eve", "rude words")


def test_banned_person_may_only_export_or_delete_their_data(moderated_server):
    _server, ann, ben, eve = moderated_server
    table = ben.create_table_with(eve, substitute_after_s=0)
    moderate(ann, action="ban", name="Eve", hours=1)
    for method, path, body in (
        ("GET", "/api/tables", None),
        ("GET", "/api/lobby", None),
        ("GET", f"/api/tables/{table}", None),
        ("GET", f"/api/tables/{table}/stream", None),
        ("POST", f"/api/tables/{table}/chat", {"text": "hi", "idempotency_key": "key-1-key"}),
        ("POST", f"/api/tables/{table}/answers", {"n": 0, "answers": ["x"], "idempotency_key": "key-2-key"}),
        ("POST", f"/api/tables/{table}/stand", {}),
        ("POST", f"/api/tables/{table}/report", {"seat": 0, "reason": "rude"}),
        ("POST", "/api/seek", {"games": ["mines"], "seats": [2], "bot_speeds": ["quick"]}),
        ("POST", "/api/friends", {"name": "Ben"}),
        ("POST", "/api/challenges", {"name": "Ben", "game": "mines", "seats": 2}),
        ("POST", "/api/me", {"name": "Eva"}),
        ("POST", "/api/me/links", {}),
        ("POST", "/api/moderation/acknowledge", {"warning": "x"}),
    ):
        text = None if body is None else json.dumps(body).encode()
        status, raw = eve.send(method, path, text)
        assert (status, json.loads(raw)["id"]) == (403, "moderation-banned"), f"expected no {method} {path} in a ban"
    assert eve.get_me()["name"] == "Eve"
    data = eve.get("/api/me/data")
    assert (data["name"], data["sanctions"]["reason"]) == ("Eve", "rude words")
    eve.get("/api/server")
    eve.get("/api/about")
    eve.post("/api/me/sign-out", {}, 200)


def test_ban_holds_on_every_device_and_for_merged_guests(moderated_server):
    server, ann, ben, eve = moderated_server
    code = eve.post("/api/me/recovery-code", {}, 201)["code"]
    link = eve.post("/api/me/links", {}, 201)["link"]
    moderate(ann, action="ban", name="Eve", hours=1)
    other = BrowserClient(server.port)
    other.passkeys = eve.passkeys
    assert other.sign_in(403)["id"] == "moderation-banned"
    assert other.post("/api/sign-in/code", {"code": code}, 403)["id"] == "moderation-banned"
    assert other.post("/api/sign-in/link", {"link": link}, 403)["id"] == "moderation-banned"
    guest = BrowserClient(server.port)
    table = ben.create_table_with(guest, substitute_after_s=0)
    moderate(ann, action="ban", table=table, seat=1, hours=1)
    guest.passkeys = ben.passkeys
    assert guest.post("/api/sign-in/passkey/begin", {}, 403)["id"] == "moderation-banned"
    assert guest.post("/api/me/account/begin", {"name": "Fay"}, 403)["id"] == "moderation-banned"


def test_bans_and_mutes_apply_until_lifted_or_over(moderated_server):
    server, ann, ben, eve = moderated_server
    now = [1_700_000_000.0]
    server.app.tables.sanctions.clock = lambda: now[0]
    table = ben.create_table_with(eve, substitute_after_s=0)
    moderate(ann, action="mute", name="Eve", hours=2)
    error = post_chat(eve, table, "quiet", 403)
    assert error["error"] == ("You are muted on this server until 2023-11-15 00:13 UTC. Reason: rude words")
    now[0] += 2 * 3600 - 1
    post_chat(eve, table, "still quiet", 403)
    now[0] += 1
    post_chat(eve, table, "here again")
    moderate(ann, action="mute", name="Eve", hours=2)
    moderate(ann, action="unmute", name="Eve")
    post_chat(eve, table, "and again")
    moderate(ann, action="ban", name="Eve", hours=1)
    now[0] += 3600
    eve.get_table(table)
    moderate(ann, action="ban", name="Eve", hours=1)
    last = ann.get("/api/moderation/actions")["actions"][0]
    moderate(ann, action="unban", action_id=last["id"])
    eve.get_table(table)
    actions = [one["action"] for one in ann.get("/api/moderation/actions")["actions"]]
    assert actions == "unban ban ban unmute mute mute invite".split()


def test_warning_is_shown_until_acknowledged(moderated_server):
    server, ann, _ben, eve = moderated_server
    lobby = eve.open_lobby().stream
    moderate(ann, action="warn", name="Eve", reason="Mind your words")
    wait_until(lambda: moderation_events(lobby), "expected the warning on an open stream")
    assert moderation_events(lobby) == [{"kind": "warned", "reason": "Mind your words", "until": 0}]
    again = eve.open_lobby().stream
    wait_until(lambda: moderation_events(again), "expected the warning on the next visit")
    eve.post("/api/moderation/acknowledge", {"warning": "Another one"}, 200)
    assert server.app.tables.sanctions.notice(server.person_by_name("Eve")), "expected the warning to stay unread"
    eve.post("/api/moderation/acknowledge", {"warning": "Mind your words"}, 200)
    last = eve.open_lobby().stream
    assert not moderation_events(last), "expected an acknowledged warning not to be shown again"


def test_removed_name_is_reserved_with_its_confusables(moderated_server):
    server, ann, ben, eve = moderated_server
    moderate(ann, action="rename", name="Eve", new_name="Evelyn")
    assert eve.get_me()["name"] == "Evelyn"
    for name in ("Eve", "\u0415ve", "EVE"):
        assert eve.post("/api/me", {"name": name}, 409)["id"] == "account-name-taken"
    guest = BrowserClient(server.port)
    assert guest.post("/api/me/account/begin", {"name": "Eve"}, 409)["id"] == "account-name-taken"
    guest.post("/api/me", {"name": "Rude Word"}, 200)
    table = ben.create_table_with(guest, substitute_after_s=0)
    moderate(ann, action="rename", table=table, seat=1)
    assert guest.get_me()["name"] != "Rude Word"
    assert ben.get_table(table)["table"]["seat_holders"][1]["name"] != "Rude Word", "expected no removed name at tables"
    guest.post("/api/me", {"name": "Rude W0rd"}, 409)
    moderate(ann, action="rename", name="Ben")
    assert ben.get_me()["name"].startswith("Player ")
    acts = ann.get("/api/moderation/actions")["actions"]
    assert [one["removed_name"] for one in acts] == ["Ben", "Rude Word", "Eve", ""]


def test_removed_name_disappears_from_chat_except_in_reports(moderated_server):
    server, ann, ben, eve = moderated_server
    guest = BrowserClient(server.port)
    guest.post("/api/me", {"name": "Rude Word"}, 200)
    table = ben.create_table_with(guest, substitute_after_s=0)
    post_chat(guest, table, "hello")
    post_chat(ben, table, "good evening")
    ben.post("/api/me", {"name": "Benjamin"}, 200)
    ben.post(f"/api/tables/{table}/report", {"seat": 1, "reason": "name"}, 200)
    moderate(ann, action="rename", table=table, seat=1)

    def speakers(reader: Client) -> list[str]:
        return [line["name"] for line in reader.get_table(table)["table"]["chat"]]

    called = guest.get_me()["name"]
    assert speakers(ben) == [called, "Ben"], "expected removed names to disappear and given-up names to stay"
    for one in range(2):
        told = json.dumps(ben.get_table(table)) + json.dumps(ben.get("/api/tables")) + json.dumps(eve.get_table(table))
        assert "Rude Word" not in told, "the removed name is shown" + " at a table loaded from the store" * one
        server.wait_for(server.app.tables.registry.reload(server.app.tables.registry.get(table)))
    (report,) = ann.get("/api/moderation/reports")["open"]
    assert report["chat_excerpt"][0]["name"] == "Rude Word", "expected the reported messages to keep their names"


def test_closed_table_stops_with_a_reason_and_keeps_its_record(moderated_server):
    _server, ann, ben, eve = moderated_server
    table = ben.create_table_with(
        eve, substitute_after_s=0, private=False, time_control={"initial_s": 300, "increment_s": 5, "days_per_move": 0}
    )
    assert [one["table"] for one in ann.get("/api/moderation/tables")["tables"]] == [table]
    receives = eve.open_stream(table)
    message = receives.wait_for(0)
    assert [one["id"] for one in ann.get("/api/tables")["tables"]] == [table]
    moderate(ann, action="close", table=table, reason="Cards were told")
    assert ann.get("/api/tables")["tables"] == [], "expected a closed table to be hidden from others"
    wait_until(lambda: moderation_events(receives), "expected the closing on the streams of the table")
    assert moderation_events(receives)[0] == {"kind": "closed", "reason": "Cards were told", "until": 0}
    for one in (ben, eve):
        look = one.get_table(table)
        assert look["clocks"]["paused"], "expected the clocks of a closed table to stop"
        ask = look["open_question"] or {"question": "x", "legal": ["1"]}
        error = one.answer(table, look["n"], f"{ask['question']} {ask['legal'][0]}", expect=409)
        assert (error["id"], "Cards were told" in error["error"]) == ("table-closed", True)
    assert post_chat(ben, table, "why", 409)["id"] == "table-closed"
    assert ben.get_table(table)["n"] == message["n"]
    late = ben.open_stream(table)
    wait_until(lambda: moderation_events(late), "expected later visitors to see that the table is closed")
    assert ann.get("/api/moderation/tables")["tables"] == []
    assert moderate(ann, 409, action="close", table=table)["id"] == "moderation-is-over"


def test_closing_of_a_table_is_logged_even_if_it_fails(moderated_server, monkeypatch):
    server, ann, ben, eve = moderated_server
    table = ben.create_table_with(eve)
    monkeypatch.setattr(server.app.tables.actions, "close_table", AsyncMock(side_effect=StoreUnavailableError))
    moderate(ann, 503, action="close", table=table)
    assert ann.get("/api/moderation/actions")["actions"][0]["action"] == "close"


def test_moderator_routes_are_404_for_others(moderated_server):
    server, ann, ben, _eve = moderated_server
    replies = set()
    for guest in (ben, BrowserClient(server.port), server.new_client()):
        for method, path, body in MODERATOR_ROUTES:
            status, raw = guest.send(method, path, None if body is None else json.dumps(body).encode())
            replies.add((status, raw))
        replies.add(guest.send("GET", "/api/nothing"))
    assert len(replies) == 1, f"expected replies that do not reveal the moderators: {replies}"
    assert replies.pop()[0] == 404
    for method, path, _ in MODERATOR_ROUTES[:4]:
        assert ann.send(method, path)[0] == 200
    assert ann.get("/api/about")["is_moderator"] is True
    assert ben.get("/api/server")["server_name"] == "Club Caro", "expected the server's name"
    assert ben.get("/api/about") == {
        "name": "Club Caro", "address": "", "rules": "Be kind.", "imprint": "Ann", "registration": "open", "is_moderator": False,
    }  # fmt: skip


def report_all(reporter: Client, people: list[Client], expect: int = 200) -> None:
    for person in people:
        reporter.post(
            f"/api/tables/{person.create_table_with(reporter, substitute_after_s=0)}/report",
            {"seat": 0, "reason": "rude"},
            expect,
        )


def test_reports_are_bounded_so_that_nobody_silences_others(moderated_server, monkeypatch):
    server, ann, ben, eve = moderated_server
    for name, limit in (("STORED", 6), ("OF_GUESTS", 3), ("EACH", 2)):
        monkeypatch.setattr(moderation, f"MAX_OPEN_REPORTS_{name}", limit)
    guests = [server.new_client() for _ in range(3)]
    report_all(guests[0], [ben, eve])
    report_all(guests[0], [ann], 429)
    report_all(guests[1], [ben])
    for guest in guests[1:]:
        report_all(guest, [eve], 429)
    report_all(ben, [eve, ann])
    report_all(ben, [guests[0]], 429)
    report_all(eve, [ben])
    report_all(eve, [ann], 429)
    moderate(ann, action="handle", report_id=1, reason="")
    report_all(guests[2], [ben])


def test_muted_or_blocked_person_can_be_reported_unnoticed(moderated_server):
    _server, ann, ben, eve = moderated_server
    table = ben.create_table_with(eve, substitute_after_s=0)
    moderate(ann, action="mute", name="Eve", hours=1)
    ben.post("/api/friends", {"name": "Eve"}, 200)
    ben.post("/api/relationships", {"name": "Eve", "action": "block"}, 404)
    receives = eve.open_stream(table)
    before = receives.wait_for(0)
    ben.post(f"/api/tables/{table}/report", {"seat": 1, "reason": "other", "text": "again"}, 200)
    assert eve.get_table(table)["version"] == before["version"], "expected the reported person to receive nothing"
    assert eve.get("/api/me/data")["reports_by_you"] == []
    assert "again" not in eve.reply_body.decode()
    assert ben.get("/api/me/data")["reports_by_you"][0]["text"] == "again"


@pytest.mark.parametrize(("asked", "status"), [
    ({"reason": "rude"}, 400),
    ({"reason": "rude", "seat": 1, "speaker": "abc"}, 400),
    ({"reason": "boring", "seat": 1}, 400),
    ({"reason": "rude", "seat": 0}, 409),
    ({"reason": "rude", "seat": 9}, 404),
    ({"reason": "rude", "speaker": "nobody"}, 404),
    ({"reason": "rude", "seat": 1, "text": "x" * 501}, 400),
])  # fmt: skip
def test_report_of_nobody_gets_one_error_message(server, asked, status):
    one, other = server.new_client(), server.new_client()
    table = one.create_table_with(other, substitute_after_s=0)
    assert one.post(f"/api/tables/{table}/report", asked, status)["error"]


def test_moderators_see_no_identity_address_or_hand(moderated_server):
    server, ann, ben, eve = moderated_server
    table = ben.create_table_with(eve, substitute_after_s=0)
    post_chat(eve, table, "you fool")
    ben.post(f"/api/tables/{table}/report", {"seat": 1, "reason": "rude"}, 200)
    moderate(ann, action="warn", report_id=1)
    everyone = [server.person_by_name(name) for name in ("Ann", "Ben", "Eve")]
    secret = server.app.tables.get(table).header.secret
    for _, path, _ in MODERATOR_ROUTES[:4]:
        _, raw = ann.send("GET", path)
        for hidden in (*everyone, secret, "127.0.0.1", '"hand"', ben.headers["Cookie"]):
            assert hidden.encode() not in raw, f"expected {path} without {hidden}"


def test_ban_ends_seeks_and_challenges_and_actions_need_a_reason(moderated_server):
    server, ann, ben, _ = moderated_server
    lobby_service, person = server.app.lobby, server.person_by_name("Ben")
    ben.post("/api/seek", {"games": ["mines"], "seats": [2], "bot_speeds": ["steady"]}, 200)
    ben.post("/api/challenges", {"name": "Eve", "game": "mines", "seats": 2}, 200)
    moderate(ann, action="ban", name="Ben", hours=1)
    assert server.call_on_loop(lambda: lobby_service.seeks.seek_infos.get(person)) is None, "expected no match"
    assert server.call_on_loop(lambda: lobby_service.challenges.outgoing(person)) is None, "expected no challenge"
    assert moderate(ann, 400, action="warn", name="Eve", reason=" ")["id"] == "moderation-no-reason"
    assert moderate(ann, 409, action="warn", name="Ann")["id"] == "moderation-yourself"
