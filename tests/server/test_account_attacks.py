"""Attacks on accounts: foreign or repeated ceremony answers, guessing, other sites, floods."""

import asyncio
import copy
import json
import random
import time

import pytest

from diamonds.server.accounts import data_export, service
from diamonds.server.accounts.one_time_store import OneTimeStore
from diamonds.server.accounts.recovery_codes import MAX_WAITING
from diamonds.server.server_time import today
from tests.server.support.authenticator import FLAG_USER_PRESENT, BrowserClient, SoftPasskey

pytestmark = pytest.mark.later

BEGIN_PATH, SIGN_IN_PATH = "/api/sign-in/passkey/begin", "/api/sign-in/passkey"


@pytest.fixture
def account_browser(browser):
    found = browser().with_account("Zoe")
    return found


def test_reused_or_foreign_passkey_answer_signs_nobody_in(account_browser, browser):
    there, thief = browser().with_passkeys_of(account_browser), browser()
    answer = {"passkey": there.sign_challenge(there.post(BEGIN_PATH, {}, 200)["options"])}
    error = thief.post(SIGN_IN_PATH, answer, 409)
    assert error["id"] == "account-ceremony-expired", "expected an error in a browser that was not asked"
    thief.post(BEGIN_PATH, {}, 200)
    assert thief.post(SIGN_IN_PATH, answer, 403)["id"] == "account-no-passkey", "expected one use a ceremony"
    there.post(SIGN_IN_PATH, answer, 200)
    there.post("/api/me/sign-out", {}, 200)
    assert there.post(SIGN_IN_PATH, answer, 409)["id"] == "account-ceremony-expired", "expected one use"
    there.post(BEGIN_PATH, {}, 200)
    assert there.post(SIGN_IN_PATH, answer, 403)["id"] == "account-no-passkey"


def test_ceremony_expires_after_five_minutes_and_fits_one_purpose(server, account_browser, browser):
    there = browser().with_passkeys_of(account_browser)
    asked = there.post(BEGIN_PATH, {}, 200)["options"]
    server.app.accounts.pending_ceremonies.clock = lambda: time.monotonic() + 301
    assert there.post(SIGN_IN_PATH, {"passkey": there.sign_challenge(asked)}, 409)["id"] == "account-ceremony-expired"
    server.app.accounts.pending_ceremonies.clock = time.monotonic
    asked = there.post("/api/me/account/begin", {"name": "Kim"}, 200)["options"]
    assert there.post(SIGN_IN_PATH, {"passkey": there.sign_challenge(asked)}, 409)["id"] == "account-ceremony-expired"


@pytest.mark.parametrize("wrong", [
    {"origin": "https://evil.example"},
    {"origin": "http://localhost:1"},
    {"flags": FLAG_USER_PRESENT},  # the answer was rejected before its passkey was looked up
    {"flags": 0},
])  # fmt: skip
def test_cross_origin_or_anonymous_answer_is_rejected(account_browser, browser, wrong):
    there = browser().with_passkeys_of(account_browser)
    asked = there.post(BEGIN_PATH, {}, 200)["options"]
    assert (
        there.post(SIGN_IN_PATH, {"passkey": there.sign_challenge(asked, **wrong)}, 403)["id"] == "account-no-passkey"
    )
    assert not there.get_me()["has_account"]
    asked = there.post("/api/me/account/begin", {"name": "Kim"}, 200)["options"]
    made = {"passkey": there.create_passkey(asked, **wrong)}
    assert there.post("/api/me/account", made, 403)["id"] == "account-no-passkey"
    assert not there.get_me()["has_account"]


def test_host_header_does_not_decide_the_origin(server, account_browser):
    there = BrowserClient(server.port).with_passkeys_of(account_browser)
    asked = there.post(BEGIN_PATH, {}, 200)["options"]
    there.headers["Host"] = "localhost:1"
    answer = {"passkey": there.sign_challenge(asked, origin="http://localhost:1")}
    assert there.post(SIGN_IN_PATH, answer, 403)["id"] == "account-no-passkey"


def test_signature_by_another_key_is_rejected(account_browser, browser):
    there = browser().with_passkeys_of(account_browser)
    asked = there.post(BEGIN_PATH, {}, 200)["options"]
    forged = SoftPasskey({"rp": {"id": "localhost"}, "user": {"id": account_browser.passkeys[0].user_handle}})
    forged.id = account_browser.passkeys[0].id
    assert (
        there.post(SIGN_IN_PATH, {"passkey": there.sign_challenge(asked, key=forged)}, 403)["id"]
        == "account-no-passkey"
    )
    again = there.post(SIGN_IN_PATH, {"passkey": there.sign_challenge(asked)}, 409)
    assert again["id"] == "account-ceremony-expired", "expected a ceremony to allow one attempt"


def test_cloned_passkey_with_a_lower_counter_is_rejected(account_browser, browser):
    there = browser().with_passkeys_of(account_browser)
    account_browser.passkeys[0].sign_count = 7
    there.sign_in()
    account_browser.passkeys[0].sign_count = 3
    assert browser().with_passkeys_of(account_browser).sign_in(expect=403)["id"] == "account-no-passkey"


def test_passkey_belongs_to_one_account_only(account_browser, browser):
    kim = browser().with_account("Kim")
    asked = account_browser.post("/api/me/passkeys/begin", {}, 200)["options"]
    account_browser.post(
        "/api/me/passkeys", {"passkey": account_browser.create_passkey(asked, id=kim.passkeys[0].id)}, 409
    )
    assert len(account_browser.get_me()["passkeys"]) == 1
    assert browser().with_passkeys_of(kim).sign_in() == {"name": "Kim"}


def test_malformed_passkey_answer_gets_one_error_message(account_browser, browser):
    chance = random.Random(7)
    there = browser().with_passkeys_of(account_browser)

    def spoiled(value):
        """Return the value with one part changed."""
        value = copy.deepcopy(value)
        where = chance.choice([value, value["response"]])
        key = chance.choice([key for key in where if key != "response" or chance.random() < 0.2])
        junk = [None, 7, [], {}, "", "x", "AAAA", "!", "A" * 5000, "é", {"a": {"b": []}}]
        if isinstance(where[key], str) and chance.random() < 0.5:
            k = chance.randrange(len(where[key]))
            where[key] = where[key][:k] + chance.choice("AZaz09-_") + where[key][k + 1 + chance.randrange(3) :]
        else:
            where[key] = chance.choice(junk)
        return value

    rejected = 0
    for _ in range(60):
        asked = there.post(BEGIN_PATH, {}, 200)["options"]
        answer = spoiled(there.sign_challenge(asked))
        reply = there.post(SIGN_IN_PATH, {"passkey": answer})
        assert there.status in (200, 400, 403), f"{there.status}: {reply}"
        rejected += there.status != 200
        if there.status == 200:  # WebAuthn ignores the changed part
            there.post("/api/me/sign-out", {}, 200)
        asked = there.post("/api/me/account/begin", {"name": "Kim"}, 200)["options"]
        made = spoiled(there.create_passkey(asked))
        there.passkeys.pop()
        reply = there.post("/api/me/account", {"passkey": made})
        assert there.status in (201, 400, 403), f"{there.status}: {reply}"
        if there.status == 201:
            there.post("/api/me/delete", {"name": "Kim"}, 200)
    assert rejected > 30, "expected at least one rejected change"


def test_replies_do_not_reveal_whether_a_credential_exists(account_browser, browser):
    guest = browser()
    code = account_browser.post("/api/me/recovery-code", {}, 201)["code"]
    wrong = code[:-1] + ("0" if code[-1] != "0" else "1")
    said = [guest.post("/api/sign-in/code", {"code": text}, 403) for text in (wrong, "0" * 24, "nonsense", "é", "-")]
    assert all(reply == said[0] for reply in said), "expected one reply whatever part of a code is known"
    known, unknown = browser().with_passkeys_of(account_browser), browser()
    unknown.passkeys = [SoftPasskey({"rp": {"id": "localhost"}, "user": {"id": "AAAA"}})]
    flags = {"flags": FLAG_USER_PRESENT}
    replies = []
    for each in (known, unknown):
        asked = each.post(BEGIN_PATH, {}, 200)["options"]
        assert asked.get("allowCredentials", []) == [], "expected a reply that does not name the existing passkeys"
        replies.append(each.post(SIGN_IN_PATH, {"passkey": each.sign_challenge(asked, **flags)}, 403))
    assert replies[0] == replies[1]


def test_recovery_code_checks_are_queued_and_bounded(server):
    made = server.app.accounts.recovery_codes

    async def crowd():
        return await asyncio.gather(
            *(made.verify("0" * 16, None) for _ in range(MAX_WAITING + 5)), return_exceptions=True
        )

    for found in (server.wait_for(crowd()), server.wait_for(crowd())):  # the second crowd finds an empty queue
        assert [isinstance(one, Exception) for one in found].count(True) == 5
        assert not any(one is True for one in found)


ACCOUNT_REQUESTS = {
    "/api/me/account/begin": {"name": "Kim"}, "/api/me/account": {"passkey": {}}, "/api/me/passkeys/begin": {},
    "/api/me/passkeys": {"passkey": {}}, "/api/me/passkeys/remove": {"id": "x"}, "/api/me/recovery-code": {},
    "/api/me/links": {}, "/api/me/sign-out": {"everywhere": True}, "/api/me/devices/remove": {"id": "x"},
    "/api/me/delete": {"name": "Zoe"}, "/api/sign-in/passkey/begin": {}, "/api/sign-in/passkey": {"passkey": {}},
    "/api/sign-in/link/preview": {"link": "x"}, "/api/sign-in/link": {"link": "x"},
    "/api/sign-in/code": {"code": "x"},
}  # fmt: skip


def test_token_gives_no_access_to_accounts(server):
    program = server.new_client()
    for route in ACCOUNT_REQUESTS.keys() - {"/api/me/delete"}:
        assert program.post(route, ACCOUNT_REQUESTS[route], 403)["id"] == "account-in-a-browser"


def test_no_reply_contains_an_identity(server, account_browser, browser):
    table = account_browser.create_open_table(private=False)
    person = server.app.tables.get(table).header.host
    other = browser()
    other.sit(table)
    [device] = server.store.accounts.devices(person)
    told = [
        each.send("GET", path)[1]
        for each in (account_browser, other)
        for path in ("/api/me", "/api/me/data", "/api/server", "/api/tables", f"/api/tables/{table}")
    ]
    for route, body in (("/api/me/links", {}), ("/api/me/recovery-code", {}), ("/api/me/passkeys/begin", {})):
        account_browser.post(route, body)
        told.append(account_browser.reply_body)
    for reply in told:
        assert person.encode() not in reply
        assert device.id.encode() not in reply
        assert b"127.0.0.1" not in reply, "expected no stored network address in any reply"
    assert account_browser.passkeys[0].user_handle not in person, "expected a user handle other than the identity"


def test_ceremonies_and_links_are_limited_per_owner_and_in_all():
    kept: OneTimeStore[int] = OneTimeStore(60, 100, 3)
    for k in range(10):
        kept.put(("ann", k), "ann", k)
    assert [kept.peek(("ann", k)) for k in range(10)] == [None] * 7 + [7, 8, 9]
    for k in range(1_000):
        kept.put(k, f"guest {k}", k)
    assert len(kept) == 100
    assert len(kept.keys_by_owner) == 100, "expected no entries of owners without ceremonies"
    kept.clock = lambda: time.monotonic() + 61
    kept.put("late", "ann", 1)
    assert len(kept) == 1, "expected expired ceremonies to be removed when there is need for room"


def test_account_has_limited_links_devices_and_passkeys(frozen_day, server, account_browser, monkeypatch):
    monkeypatch.setattr(service, "MAX_DEVICES", 4)
    monkeypatch.setattr(service, "MAX_PASSKEYS", 3)
    links = [account_browser.post("/api/me/links", {}, 201)["link"] for _ in range(service.MAX_OPEN_LINKS + 1)]
    there = BrowserClient(server.port)
    there.post("/api/sign-in/link", {"link": links[0]}, 404)
    there.post("/api/sign-in/link", {"link": links[1]}, 200)
    for _ in range(6):
        newest = BrowserClient(server.port).with_passkeys_of(account_browser)
        newest.sign_in()
    assert len(newest.get_me()["devices"]) == 4
    assert newest.get_me()["devices"][0]["last_seen_day"] == today()
    for _ in range(2):
        asked = newest.post("/api/me/passkeys/begin", {}, 200)["options"]
        newest.post("/api/me/passkeys", {"passkey": newest.create_passkey(asked)}, 201)
    assert newest.post("/api/me/passkeys/begin", {}, 409)["id"] == "account-passkeys-enough"


def test_data_export_is_streamed_in_chunks(guest, monkeypatch):
    monkeypatch.setattr(data_export, "TABLES_PER_BATCH", 2)
    tables = [guest.create_table(game="mines", seats=2) for _ in range(5)]
    assert [part["table"] for part in json.loads(guest.send("GET", "/api/me/data")[1])["tables"]] == tables
