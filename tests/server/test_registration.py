"""Registration: open, by invitation, or closed. Guests can always play."""

from diamonds.server.http.app import AppConfig
from diamonds.server.http.rate_limits import UNLIMITED
from diamonds.server.settings_file import TomlSettings
from diamonds.server.storage.moderation import OPERATOR_ID
from tests.server.support.authenticator import BrowserClient


def begin_account(browser: BrowserClient, name: str, invitation: str = "", expect: int = 200):
    return browser.post("/api/me/account/begin", {"name": name, "invitation": invitation}, expect)


def finish_account(browser: BrowserClient, asked, expect: int = 201):
    return browser.post("/api/me/account", {"passkey": browser.create_passkey(asked["options"])}, expect)


def make_invitation(server, hours: int = 5, name: str = "") -> str:
    return server.wait_for(server.app.moderation.create_invitation(OPERATOR_ID, hours, name)).code


def test_invitation_creates_one_account_before_it_expires(open_server):
    server = open_server(setup=AppConfig((0, 0), UNLIMITED, server_config=TomlSettings(registration="invitation")))
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
    server = open_server(setup=AppConfig((0, 0), UNLIMITED, server_config=TomlSettings(registration="closed")))
    guest = BrowserClient(server.port)
    assert begin_account(guest, "Ann", make_invitation(server), 403)["id"] == "account-closed"
    assert guest.get_table(guest.create_table(game="mines", seats=2))["seat"] == 0


def test_unclaimed_moderator_name_needs_its_own_invitation(open_server):
    server = open_server(setup=AppConfig((0, 0), UNLIMITED, server_config=TomlSettings(moderators=("Ann",))))
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
