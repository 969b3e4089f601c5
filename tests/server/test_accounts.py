"""Accounts: registration by a guest, sign-in elsewhere, sign-out, merging, export and deletion."""

import contextlib
import time

import apsw
import pytest

from diamonds.errors import DiamondsError
from diamonds.server.accounts import recovery_codes
from diamonds.server.accounts.passkeys import PasskeyVerifier, PublicOrigin
from diamonds.server.settings_file import TomlSettings
from diamonds.server.storage.moderation import OPERATOR_ID
from tests.server.support.authenticator import BrowserClient
from tests.server.support.client import client_to_act, first_legal, play_out, post_chat, wait_until
from tests.server.support.live_server import finish_game

REAL_CODE_COST = recovery_codes.SCRYPT_LOG2_N  # the server's setting; the tests use a lower one


# Registration


def test_new_account_keeps_the_guests_tables_on_another_device(browser):
    here = browser()
    table = here.create_table(game="mines", seats=2)
    code = here.create_account("Zoe")
    me = here.get_me()
    assert (me["name"], me["has_account"], len(me["passkeys"]), len(me["devices"])) == ("Zoe", True, 1, 1)
    assert me["devices"][0]["current"], "expected the requesting device to be marked"
    assert len(code.replace("-", "")) == 24

    there = browser().with_passkeys_of(here)
    assert there.get("/api/tables")["your_tables"] == []
    assert there.sign_in() == {"name": "Zoe"}
    assert [line["id"] for line in there.get("/api/tables")["your_tables"]] == [table]
    assert there.get_table(table)["seat"] == 0, "expected the account to have its seat on the other device"
    assert [device["current"] for device in there.get_me()["devices"]].count(True) == 1
    assert len(there.get_me()["devices"]) == 2


def test_former_guest_cookie_is_invalid(browser):
    here, copied = browser(), browser()
    table = here.create_table(game="mines", seats=2)
    copied.headers["Cookie"] = here.headers["Cookie"]
    here.create_account("Zoe")
    copied.get("/api/me", 401)
    assert copied.get_table(table)["seat"] is None
    copied.post(f"/api/tables/{table}/stand", {}, 401)
    before = copied.headers["Cookie"]
    copied.get("/api/server")
    assert copied.headers["Cookie"] != before, "expected a new cookie in place of a former guest's"


@pytest.mark.parametrize("other", ["zoe", "Zoë", "Z0e", "Zоe", "Ζoe", "z o e", "ＺＯＥ"])
def test_confusable_account_name_is_reserved(browser, other):
    browser().create_account("Zoe")
    second = browser()
    said = "This name, or one that looks like it, is taken. Choose another one."
    assert second.post("/api/me/account/begin", {"name": other}, 409)["error"] == said
    assert second.post("/api/me", {"name": other}, 409)["error"] == said
    second.create_account("Kim")
    assert second.post("/api/me", {"name": other}, 409)["error"] == said
    assert second.get_me()["name"] == "Kim"


def test_default_guest_names_are_never_account_names(browser):
    here = browser()
    assert not here.get_me()["has_chosen_name"]
    for name in (here.get_me()["name"], "amber badger", "Ivory F0x"):
        assert here.post("/api/me/account/begin", {"name": name}, 400)["id"] == "server-name-ours"
    here.create_account("Zoe")
    assert here.post("/api/me", {"name": "Amber Badger"}, 400)["id"] == "server-name-ours"
    assert (here.get_me()["name"], here.get_me()["has_chosen_name"]) == ("Zoe", True)


def test_renamed_account_frees_its_old_name_and_may_change_spelling(browser):
    here, second = browser().with_account("Zoe"), browser()
    assert here.post("/api/me", {"name": "ZOË"}, 200) == {"name": "ZOË"}
    here.post("/api/me", {"name": "Kim"}, 200)
    second.create_account("Zoe")
    assert (here.get_me()["name"], second.get_me()["name"]) == ("Kim", "Zoe")


def test_guest_loses_a_name_that_an_account_reserves(server, browser):
    guest, here = browser(), browser()
    guest.post("/api/me", {"name": "Zoe"}, 200)
    table = guest.create_open_table(private=False)
    here.create_account("zoe")
    assert guest.get_me()["name"] != "Zoe"
    # As if the table had not been used for a while.
    server.call_on_loop(lambda: server.app.tables.registry.evict(table))
    assert guest.get_table(table)["table"]["seat_holders"][0]["name"] == guest.get_me()["name"]


# Merging


def test_guest_tables_of_the_other_browser_are_merged(browser):
    here, there = browser().with_account("Zoe"), browser()
    table = there.create_table(game="mines", seats=2)
    there.with_passkeys_of(here).sign_in()
    assert {line["id"] for line in here.get("/api/tables")["your_tables"]} == {table}
    assert here.get_table(table)["seat"] == there.get_table(table)["seat"] == 0
    message = here.get_table(table)
    assert message["table"]["seat_holders"][0]["name"] == "Zoe", "expected the account's name at the table"
    assert message["table"]["is_host"], "expected the account to be the table's host"


def test_guest_tables_are_left_behind_on_request(browser):
    here, there = browser().with_account("Zoe"), browser()
    table = there.create_table(game="mines", seats=2)
    there.with_passkeys_of(here).sign_in(bring_tables=False)
    assert there.get("/api/tables")["your_tables"] == []
    assert there.get_table(table)["seat"] is None


def test_guest_and_account_at_one_unfinished_table_stay_separate(browser):
    here, there = browser(), browser()
    table = here.create_table_with(there, substitute_after_s=0)
    here.create_account("Zoe")
    error = there.with_passkeys_of(here).sign_in(expect=409)
    assert error["id"] == "account-both-sit"
    assert (here.get_table(table)["seat"], there.get_table(table)["seat"]) == (0, 1), "expected two people"
    there.post(f"/api/tables/{table}/stand", {}, 200)
    assert there.sign_in(expect=409)["id"] == "account-both-sit", "expected the hand to stay hidden after leaving"
    there.sign_in(bring_tables=False)
    assert there.get_table(table)["seat"] == 0


@pytest.mark.later
def test_two_seats_of_a_finished_game_may_become_one_person(server, browser):
    here, there = browser(), browser()
    table = here.create_table_with(there, substitute_after_s=0)
    play_out([here, there], table)
    here.create_account("Zoe")
    there.with_passkeys_of(here).sign_in()
    assert [place["kind"] for place in there.get_table(table)["table"]["seat_holders"]] == ["person", "person"]
    assert there.get(f"/api/tables/{table}/verify")["ok"]


# Other ways to sign in


def test_sign_in_link_works_once_and_names_the_account(server, browser):
    here, there, third = browser().with_account("Zoe"), browser(), browser()
    link = here.post("/api/me/links", {}, 201)["link"]
    assert there.post("/api/sign-in/link/preview", {"link": link}, 200) == {"name": "Zoe"}
    assert there.post("/api/sign-in/link", {"link": link}, 200) == {"name": "Zoe"}
    assert there.get_me()["has_account"]
    errors = [
        third.post("/api/sign-in/link", {"link": link}, 404),
        third.post("/api/sign-in/link/preview", {"link": link}, 404),
        third.post("/api/sign-in/link", {"link": "never-was-one"}, 404),
    ]
    assert errors[0] == errors[1] == errors[2], "expected one reply for used and for unknown links"
    late = here.post("/api/me/links", {}, 201)["link"]
    server.app.accounts.sign_in_links.clock = lambda: time.monotonic() + 601
    assert third.post("/api/sign-in/link", {"link": late}, 404) == errors[0]


def test_link_refused_because_of_a_table_stays_valid(browser):
    here, there = browser(), browser()
    here.create_table_with(there, substitute_after_s=0)
    here.create_account("Zoe")
    link = here.post("/api/me/links", {}, 201)["link"]
    there.post("/api/sign-in/link", {"link": link}, 409)
    there.post("/api/sign-in/link", {"link": link, "bring_tables": False}, 200)
    assert there.get_me()["has_account"]


def test_recovery_code_is_read_leniently_and_replaced_by_a_new_one(browser):
    here = browser()
    first = here.create_account("Zoe")
    written = first.lower().replace("-", " ").replace("0", "o").replace("1", "l")
    assert browser().post("/api/sign-in/code", {"code": written}, 200) == {"name": "Zoe"}
    second = here.post("/api/me/recovery-code", {}, 201)["code"]
    browser().post("/api/sign-in/code", {"code": first}, 403)
    browser().post("/api/sign-in/code", {"code": second}, 200)


def test_recovery_code_check_takes_a_tenth_of_a_second_and_much_memory():
    assert REAL_CODE_COST >= 15
    assert recovery_codes.derive_proof("0" * 16, 4, bytes(16)) != recovery_codes.derive_proof("0" * 16, 5, bytes(16))


def test_recovery_code_is_stored_as_a_hash_only(disk_server, tmp_path):
    code = BrowserClient(disk_server.port).create_account("Zoe").replace("-", "")
    disk_server.close()
    kept = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert code[:8].encode() in kept, "expected the code's lookup key in the database"
    assert code[8:].encode() not in kept
    assert code[8:24].encode() not in kept
    disk_server.open()


def test_account_keeps_its_last_passkey(browser):
    here = browser().with_account("Zoe")
    asked = here.post("/api/me/passkeys/begin", {}, 200)["options"]
    assert [known["id"] for known in asked["excludeCredentials"]], "expected the existing passkeys to be excluded"
    here.post("/api/me/passkeys", {"passkey": here.create_passkey(asked), "label": "A stick"}, 201)
    first, second = here.get_me()["passkeys"]
    here.post("/api/me/passkeys/remove", {"id": first["id"]}, 200)
    assert here.post("/api/me/passkeys/remove", {"id": second["id"]}, 409)["id"] == "account-last-passkey"
    assert here.post("/api/me/passkeys/remove", {"id": first["id"]}, 404)["id"] == "account-no-such-passkey"


# Sign-out


def test_signing_out_affects_this_device_only(browser):
    here, there = browser().with_account("Zoe"), browser()
    there.with_passkeys_of(here).sign_in()
    old = there.headers["Cookie"]
    there.post("/api/me/sign-out", {}, 200)
    assert not there.get_me()["has_account"]
    assert here.get_me()["name"] == "Zoe"
    assert len(here.get_me()["devices"]) == 1
    there.headers["Cookie"] = old
    there.get("/api/me", 401)


def test_signing_out_everywhere_ends_private_streams(browser):
    here, there, thief = browser(), browser(), browser()
    table = here.create_table(game="mines", seats=2)
    here.create_account("Zoe")
    there.with_passkeys_of(here).sign_in()
    thief.headers["Cookie"] = there.headers["Cookie"]
    stream = thief.open_stream(table)
    wait_until(lambda: stream.newest and stream.newest["seat"] == 0, "expected the stream to begin")
    link = here.post("/api/me/links", {}, 201)["link"]
    here.post("/api/me/sign-out", {"everywhere": True}, 200)
    wait_until(lambda: stream.is_ended, "expected the stream of a signed-out device to end")
    assert thief.get_table(table)["seat"] is None
    thief.get("/api/me", 401)
    browser().post("/api/sign-in/link", {"link": link}, 404)
    back = browser().with_passkeys_of(here)
    back.sign_in()
    assert back.get_table(table)["seat"] == 0


def test_device_can_be_signed_out_from_another_one(browser):
    here, there = browser().with_account("Zoe"), browser()
    there.with_passkeys_of(here).sign_in(label="Firefox, Linux")
    [other] = [device for device in here.get_me()["devices"] if not device["current"]]
    assert other["label"] == "Firefox, Linux"
    here.post("/api/me/devices/remove", {"id": other["id"]}, 200)
    there.get("/api/me", 401)
    assert here.post("/api/me/devices/remove", {"id": other["id"]}, 404)["id"] == "account-no-such-device"


# Personal data


def test_data_export_has_own_actions_without_hidden_or_foreign_data(server, browser):
    here, other = browser(), server.new_client()
    other.post("/api/me", {"name": "Somebody Else"}, 200)
    table = here.create_table_with(other, substitute_after_s=0)
    for each in (here, other):
        post_chat(each, table, f"I am {each.port} {each is here}")
    asker, message = client_to_act((here, other), table)
    asker.answer(table, message["n"], first_legal(message))
    watched = other.create_table(game="mines", seats=2, private=False)
    post_chat(here, watched, "Only watching")
    here.create_account("Zoe")

    told = here.get("/api/me/data")
    assert "attachment" in here.reply_headers["content-disposition"]
    assert told["name"] == "Zoe"
    mine = {part["table"]: part for part in told["tables"]}
    assert mine.keys() == {table, watched}
    assert (mine[table]["your_seats"], mine[watched]["your_seats"]) == ([0], [])
    assert len(mine[table]["answers"]) == (1 if asker is here else 0)
    assert [line["text"] for line in mine[table]["said"]] == [f"I am {here.port} True"]
    assert [line["text"] for line in mine[watched]["said"]] == ["Only watching"]
    found = server.app.tables.get(table)
    for hidden in (found.header.secret, found.header.invite, found.header.host, "Somebody", "5eed"):
        assert hidden not in here.reply_body.decode(), "expected only the person's own actions in the export"


@pytest.mark.later
def test_deleted_account_leaves_an_anonymous_seat(disk_server, tmp_path):
    here, other = BrowserClient(disk_server.port).with_account("Unforgettable"), disk_server.new_client()
    over = here.create_table(game="mines", seats=2, private=False)
    finish_game(disk_server, over, here)
    table = here.create_open_table(substitute_after_s=0, private=False)
    other.sit(table)
    post_chat(here, table, "Remember me")
    post_chat(other, table, "Good luck")
    listening = other.open_stream(table)
    person = disk_server.app.tables.get(table).header.host
    before = other.get(f"/api/tables/{over}/record")

    here.post("/api/me/delete", {"name": "Somebody"}, 409)
    here.post("/api/me/delete", {"name": "Unforgettable"}, 200)
    assert not here.get_me()["has_account"], "expected a new guest instead of the deleted account"
    assert here.get("/api/tables")["your_tables"] == []
    # The seat is vacated first, then the chat is deleted.
    wait_until(lambda: listening.newest["table"]["seat_holders"][0]["kind"] == "open", "expected an open seat")
    wait_until(lambda: [line["text"] for line in listening.newest["table"]["chat"]] == ["Good luck"], "only his left")
    for path in (f"/api/tables/{table}", f"/api/tables/{over}", "/api/tables", f"/api/tables/{over}/replay"):
        assert b"Unforgettable" not in other.send("GET", path)[1], f"expected {path} without the name"
    assert other.get(f"/api/tables/{over}/record")["entries"] == before["entries"]
    assert other.get(f"/api/tables/{over}/verify")["ok"]
    there = BrowserClient(disk_server.port).with_passkeys_of(here)
    assert there.sign_in(expect=403)["id"] == "account-no-passkey"
    there.create_account("Unforgettable")  # the name is available again

    there.post("/api/me/delete", {"name": "Unforgettable"}, 200)
    disk_server.restart(here, other)
    assert other.get_table(over)["result"], "expected the game to stay readable"
    with contextlib.closing(apsw.Connection(str(tmp_path / "diamonds.sqlite"))) as disk:
        rows = str(disk.execute("SELECT header, seating FROM tables").fetchall())
        rows += str(disk.execute("SELECT person FROM entries").fetchall())
    assert person not in rows
    assert person.encode().hex().upper() not in rows


def test_guest_and_program_can_be_deleted_too(server, browser):
    for guest in (browser(), server.new_client()):
        table = guest.create_table(game="mines", seats=2)
        name = guest.get("/api/me")["name"]
        guest.post("/api/me/delete", {"name": name}, 200)
        assert guest.get("/api/tables")["your_tables"] == []
        assert guest.get_table(table)["seat"] is None


# Addresses at which passkeys work


def test_ip_address_origin_explains_why_passkeys_fail(server, browser):
    at_home = browser()
    assert at_home.get_me()["passkeys_unavailable"] is None
    number = BrowserClient(server.port, "127.0.0.1")
    there = ["account-passkeys-there", {"address": f"http://localhost:{server.port}"}]
    assert number.get_me()["passkeys_unavailable"] == there
    assert number.post("/api/me/account/begin", {"name": "Zoe"}, 409)["id"] == there[0]
    assert number.post("/api/sign-in/passkey/begin", {}, 409)["id"] == there[0]


@pytest.mark.parametrize(("address", "host", "why"), [
    ("", "192.168.1.5:8000", "account-passkeys-nowhere"),
    ("", "club.example", "account-passkeys-nowhere"),
    ("", "[::1]:8000", "account-passkeys-there"),
    ("", "LOCALHOST:8000", None),
    ("", "localhost:9000", "account-passkeys-there"),
    ("https://club.example", "club.example", None),
    ("https://club.example", "localhost:8000", "account-passkeys-there"),
    ("https://club.example", "192.168.1.5:8000", "account-passkeys-there"),
    ("https://club.example:8443", "club.example:8443", None),
])  # fmt: skip
def test_passkeys_are_bound_to_the_server_address(address, host, why):
    found = PasskeyVerifier(PublicOrigin(address) if address else None).unavailable_reason(host, 8000)
    assert (found and found.id) == why


@pytest.mark.parametrize("address", [
    "http://club.example", "https://192.168.1.5", "https://[::1]", "club.example", "https://", "https://a/b",
    "ftp://a",
])  # fmt: skip
def test_server_address_must_suit_passkeys(address):
    with pytest.raises(DiamondsError, match="cannot be the server’s address"):
        PublicOrigin(address)


def test_configured_address_restricts_accounts_and_cookies(open_server):
    address = {"allowed_hosts": ("club.example",), "public_url": PublicOrigin("https://club.example")}
    server = open_server(secure=True, **address)
    here = BrowserClient(server.port, "club.example")
    here.headers["Host"], here.origin = "club.example", "https://club.example"
    asked = here.post("/api/me/account/begin", {"name": "Zoe"}, 200)
    assert asked["options"]["rp"]["id"] == "club.example"
    here.post("/api/me/account", {"passkey": here.create_passkey(asked["options"])}, 201)
    assert here.reply_headers["set-cookie"].startswith("__Host-diamonds=~")
    assert "Secure" in here.reply_headers["set-cookie"]
    assert here.get_me()["name"] == "Zoe"


# Registration by invitation or not at all


def begin_account(browser: BrowserClient, name: str, invitation: str = "", expect: int = 200):
    return browser.post("/api/me/account/begin", {"name": name, "invitation": invitation}, expect)


def finish_account(browser: BrowserClient, asked, expect: int = 201):
    return browser.post("/api/me/account", {"passkey": browser.create_passkey(asked["options"])}, expect)


def make_invitation(server, hours: int = 5, name: str = "") -> str:
    return server.wait_for(server.app.moderation.create_invitation(OPERATOR_ID, hours, name)).code


def test_invitation_creates_one_account_before_it_expires(open_server):
    server = open_server(server_config=TomlSettings(registration="invitation"))
    ann, ben = BrowserClient(server.port), BrowserClient(server.port)
    assert ann.get_me()["registration"] == "invitation"
    for none in ("", "ABCD-EFGH-JKMN-PQRS"):
        assert begin_account(ann, "Ann", none, 403)["id"] == "account-uninvited"
    code = make_invitation(server)
    asked = begin_account(ann, "Ann", code), begin_account(ben, "Ben", code.lower().replace("-", " "))
    finish_account(ann, asked[0])
    assert finish_account(ben, asked[1], 403)["id"] == "account-uninvited", "expected one account for an invitation"
    assert begin_account(ben, "Ben", code, 403)["id"] == "account-uninvited"
    assert not ben.get_me()["has_account"]
    late, now = make_invitation(server, 1), server.app.tables.sanctions.clock()
    server.app.tables.sanctions.clock = lambda: now + 3601
    begin_account(ben, "Ben", late, 403)
    named = make_invitation(server, 1, "Benno")
    begin_account(ben, "Ben", named, 403)
    finish_account(ben, begin_account(ben, "Benno", named))


def test_closed_registration_creates_no_accounts_and_guests_play(open_server):
    server = open_server(server_config=TomlSettings(registration="closed"))
    guest = BrowserClient(server.port)
    assert begin_account(guest, "Ann", make_invitation(server), 403)["id"] == "account-closed"
    assert guest.get_table(guest.create_table(game="mines", seats=2))["seat"] == 0


def test_unclaimed_moderator_name_needs_its_own_invitation(open_server):
    server = open_server(server_config=TomlSettings(moderators=("Ann",)))
    eve, ann = BrowserClient(server.port), BrowserClient(server.port)
    for code in ("", make_invitation(server), make_invitation(server, name="Eve")):
        for name in ("Ann", "ANN", "\u0410nn"):
            assert begin_account(eve, name, code, 409)["id"] == "account-name-taken"
    eve.post("/api/me", {"name": "Ann"}, 409)
    eve.create_account("Eve")
    eve.post("/api/me", {"name": "Ann"}, 409)
    assert not eve.get("/api/about")["is_moderator"]
    finish_account(ann, begin_account(ann, "Ann", make_invitation(server, name="Ann")))
    assert ann.get("/api/about")["is_moderator"]
    ann.post("/api/moderation/actions", {"action": "rename", "name": "Eve", "new_name": "Ann", "reason": "x"}, 409)
    ann.post("/api/me", {"name": "Ann"}, 200)
    code = ann.post("/api/moderation/invitations", {}, 201)["code"]
    assert len(code) == 19
    acts = ann.get("/api/moderation/actions")["actions"]
    assert (acts[0]["action"], acts[0]["moderator"]) == ("invite", "Ann")
    assert code not in str(acts)
