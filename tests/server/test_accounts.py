"""A guest becomes an account, signs in elsewhere, signs out, takes everything along or is forgotten."""

from __future__ import annotations

import pytest
from authenticator import Browser


@pytest.fixture
def browser(house):
    """A browser that opens the house for the first time."""
    return lambda: Browser(house.port)


def test_a_guest_who_becomes_an_account_keeps_every_table_and_finds_them_on_another_device(browser):
    here = browser()
    table = here.make(game="mines", seats=2)
    code = here.become("Zoe")
    me = here.me()
    assert (me["name"], me["account"], len(me["passkeys"]), len(me["devices"])) == ("Zoe", True, 1, 1)
    assert me["devices"][0]["here"], "the device that asks is not told apart"
    assert len(code.replace("-", "")) == 24

    there = browser().with_keys_of(here)
    assert there.get("/api/tables")["mine"] == []
    assert there.sign_in() == {"name": "Zoe"}
    assert [line["id"] for line in there.get("/api/tables")["mine"]] == [table]
    assert there.look(table)["seat"] == 0, "the seat is not the account's on the other device"
    assert [device["here"] for device in there.me()["devices"]].count(True) == 1
    assert len(there.me()["devices"]) == 2


def test_what_a_guest_had_in_the_other_browser_comes_along(browser):
    here, there = browser(), browser()
    here.become("Zoe")
    table = there.make(game="mines", seats=2)
    there.with_keys_of(here).sign_in()
    assert {line["id"] for line in here.get("/api/tables")["mine"]} == {table}
    assert here.look(table)["seat"] == there.look(table)["seat"] == 0
    message = here.look(table)
    assert message["table"]["places"][0]["name"] == "Zoe", "the table still calls its player by the guest's name"
    assert message["table"]["host"], "who made the table is not the account"


def test_who_wants_it_leaves_the_guests_tables_behind(browser):
    here, there = browser(), browser()
    here.become("Zoe")
    table = there.make(game="mines", seats=2)
    there.with_keys_of(here).sign_in(bring=False)
    assert there.get("/api/tables")["mine"] == []
    assert there.look(table)["seat"] is None
