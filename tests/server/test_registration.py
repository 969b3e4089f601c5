"""Who may have an account: anybody, whoever is invited, or nobody more. Guests play in any case."""

from __future__ import annotations

import pytest
from authenticator import Browser

from diamonds.server.house import codes
from diamonds.server.order.settings import HouseSettings
from diamonds.server.store.books import COMMAND
from diamonds.server.wire.app import Setup
from diamonds.server.wire.limits import OFF


@pytest.fixture(autouse=True)
def _nobody_waits_for_the_clock(monkeypatch):
    monkeypatch.setattr(codes, "COST", 4)


def enter(browser: Browser, name: str, invitation: str = "", expect: int = 200):
    """Begin to make an account."""
    return browser.post("/api/me/account/begin", {"name": name, "invitation": invitation}, expect)


def make(browser: Browser, asked, expect: int = 201):
    """Go on with it."""
    return browser.post("/api/me/account", {"passkey": browser.make_key(asked["options"])}, expect)


def invite(house, hours: int = 5, name: str = "") -> str:
    return house.wait_for(house.app.order.invite(COMMAND, hours, name)).code


def test_an_invitation_is_good_for_one_account_until_its_end(open_house):
    house = open_house(settings=Setup((0, 0), OFF, house=HouseSettings(registration="invitation")))
    ann, ben = Browser(house.port), Browser(house.port)
    assert ann.me()["registration"] == "invitation"
    for none in ("", "ABCD-EFGH-JKMN-PQRS"):
        assert enter(ann, "Ann", none, 403)["id"] == "account-uninvited"
    code = invite(house)
    asked = enter(ann, "Ann", code), enter(ben, "Ben", code.lower().replace("-", " "))
    make(ann, asked[0])
    assert make(ben, asked[1], 403)["id"] == "account-uninvited", "one invitation made two accounts"
    assert enter(ben, "Ben", code, 403)["id"] == "account-uninvited"
    assert not ben.me()["account"]
    late, now = invite(house, 1), house.app.tables.standings.clock()
    house.app.tables.standings.clock = lambda: now + 3601
    enter(ben, "Ben", late, 403)
    named = invite(house, 1, "Benno")
    enter(ben, "Ben", named, 403)
    make(ben, enter(ben, "Benno", named))


def test_a_closed_house_takes_no_accounts_and_guests_play(open_house):
    house = open_house(settings=Setup((0, 0), OFF, house=HouseSettings(registration="closed")))
    guest = Browser(house.port)
    assert enter(guest, "Ann", invite(house), 403)["id"] == "account-closed"
    assert guest.look(guest.make(game="mines", seats=2))["seat"] == 0


def test_a_hosts_name_that_nobody_has_is_given_against_an_invitation_for_it_alone(open_house):
    house = open_house(settings=Setup((0, 0), OFF, house=HouseSettings(hosts=("Ann",))))
    eve, ann = Browser(house.port), Browser(house.port)
    for code in ("", invite(house), invite(house, name="Eve")):
        for name in ("Ann", "ANN", "\u0410nn"):
            assert enter(eve, name, code, 409)["id"] == "account-name-taken"
    eve.post("/api/me", {"name": "Ann"}, 409)
    eve.become("Eve")
    eve.post("/api/me", {"name": "Ann"}, 409)
    assert not eve.get("/api/about")["host"]
    make(ann, enter(ann, "Ann", invite(house, name="Ann")))
    assert ann.get("/api/about")["host"]
    ann.post("/api/order/acts", {"what": "rename", "name": "Eve", "called": "Ann", "reason": "x"}, 409)
    ann.post("/api/me", {"name": "Ann"}, 200)
    code = ann.post("/api/order/invite", {}, 201)["code"]
    assert len(code) == 19
    acts = ann.get("/api/order/acts")["acts"]
    assert (acts[0]["what"], acts[0]["by"]) == ("invite", "Ann")
    assert code not in str(acts)
