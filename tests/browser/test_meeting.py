"""In real browsers: strangers find each other, and the lobby shows what can be joined now without being asked again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from browser.conftest import Server
from browser.player import Player
from browser.test_access import examine
from browser.test_accounts import Passkeys, make_account
from browser.test_sound import COUNTED
from browser.test_tricks import one_card_left


def open_panel(player: Player, language: str = "en") -> None:
    """From the lobby to what finds people."""
    player.open("/")
    name = {"en": "Play with people", "de": "Mit anderen spielen"}[language]
    player.page.get_by_role("button", name=name).click()
    player.page.wait_for_selector(".meet form, .meet .seeking")


def choose(player: Player, *names: str) -> None:
    """Say what one would play; what was chosen is chosen when its box is ticked."""
    for name in names:
        player.page.locator(".meet form").get_by_role("checkbox", name=name, exact=True).check()


def look(player: Player) -> None:
    player.page.get_by_role("button", name="Find players").click()


def test_two_strangers_look_for_others_and_meet_at_one_table(server: Server, person: Callable[..., Player]) -> None:
    ann, ben = person(server), person(server, "phone")
    open_panel(ann)
    choose(ann, "Mines", "Crystals", "2", "3")
    look(ann)
    ann.page.wait_for_selector(".seeking")
    ann.page.reload()
    ann.page.wait_for_selector(".seeking")  # it lasts, and the page knows of it
    open_panel(ben)
    choose(ben, "Crystals", "4", "2", "fast")
    ben.page.locator(".meet form").get_by_role("checkbox", name="none", exact=True).uncheck()
    look(ben)
    ben.page.get_by_text("clock: fast", exact=False).wait_for()
    ben.page.get_by_role("button", name="Stop looking").click()
    choose(ben, "none")
    look(ben)
    for player in (ann, ben):
        player.page.wait_for_selector(".cloth")
    tables = {player.page.evaluate("location.pathname").partition("/table/")[2] for player in (ann, ben)}
    assert len(tables) == 1, f"They met at different tables: {tables}."
    table = ann.page.request.get(f"{server.address}/api/tables/{tables.pop()}").json()["table"]
    assert [one["kind"] for one in table["places"]] == ["person", "person"]
    assert table["clock"] is None, "Ann would play without a clock alone."


def test_who_looks_for_nobody_any_more_is_not_found(server: Server, person: Callable[..., Player]) -> None:
    ann = person(server)
    open_panel(ann)
    choose(ann, "Mines", "2")
    look(ann)
    ann.page.get_by_role("button", name="Stop looking").click()
    ann.page.get_by_role("button", name="Find players").wait_for()
    ann.page.wait_for_selector(".meet form")


def test_the_list_of_tables_follows_what_happens_and_nothing_moves_under_a_pointer(
    server: Server, person: Callable[..., Player]
) -> None:
    ann, eve = person(server), person(server)
    open_panel(eve)
    tables = [ann.make("mines", 2, places=["me", "open"], private=False)["id"] for _ in range(2)]
    other = person(server)
    for table in tables:
        ann.open(f"/table/{table}")
        ann.page.wait_for_selector(".invite input, .waiting")
        eve.page.wait_for_selector(f".meet a[href='/table/{table}']")
    rows = eve.page.locator(".meet li a")
    last = eve.page.locator(f".meet a[href='/table/{tables[1]}']")
    last.hover()
    before = last.bounding_box()
    other.page.request.get(f"{server.address}/api/house")
    done = other.page.request.post(
        f"{server.address}/api/tables/{tables[0]}/sit", data={"nonce": ""}, headers={"Origin": server.address}
    )
    assert done.ok, done.text()
    eve.page.locator(f".meet a[href='/table/{tables[0]}']", has_text="watch").wait_for()
    assert last.bounding_box() == before, "What is pointed at has moved."
    assert rows.count() >= 2


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("size", ["phone", "desktop"])
def test_whoever_cannot_see_or_uses_keys_alone_finds_people_too(
    size: str, language: str, server: Server, person: Callable[..., Player]
) -> None:
    ann = person(server, size, locale=language)
    open_panel(ann, language)
    examine(ann, f"what finds people, on a {size}")
    wide: Any = ann.page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert wide[0] <= wide[1], f"The page is {wide[0]} wide on a screen of {wide[1]}."


def test_on_a_wide_screen_the_rest_of_the_lobby_stands_beside_what_finds_people(
    server: Server, person: Callable[..., Player]
) -> None:
    ann = person(server)
    ann.make("crystals", 4, places=["me", "open", "open", "open"])
    open_panel(ann)
    ann.page.wait_for_selector(".tables li")
    ann.page.wait_for_selector(".choose select")
    at = ann.page.evaluate(
        """() => Object.fromEntries(['play', 'people', 'choose', 'tables', 'me'].map((name) => {
          const { left, top, bottom } = document.querySelector(`main > .${name}`).getBoundingClientRect()
          return [name, { left, top, bottom }]
        }))"""
    )
    assert at["tables"]["left"] == at["me"]["left"] == at["choose"]["left"], (
        "What follows the form stands below a list."
    )
    assert at["play"]["bottom"] < at["people"]["top"], "What finds people covers the button to play."
    assert at["choose"]["bottom"] < at["tables"]["top"], "The form covers where one goes on."
    assert at["choose"]["bottom"] < at["people"]["bottom"], "The form is as long as what finds people, and empty."


def test_a_friend_is_asked_to_play_and_both_are_led_to_one_table_and_who_is_blocked_is_a_friend_no_more(
    server: Server, person: Callable[..., Player]
) -> None:
    ann, ben = person(server), person(server, "phone")
    names = {ann: "Meeting Ann", ben: "Meeting Ben"}
    for player, name in names.items():
        Passkeys(player)
        make_account(player, name)
        open_panel(player)
    ann.page.get_by_label("The name of their account").fill(names[ben])
    ann.page.get_by_role("button", name="Ask to be friends").click()
    asked = ben.page.locator(".asked", has_text="Meeting Ann wants to be friends.")
    asked.get_by_role("button", name="Yes").click()
    ann.page.get_by_role("button", name="Ask to play: Meeting Ben").click()
    form = ann.page.get_by_role("form", name="Ask to play: Meeting Ben")
    form.get_by_label("Game").select_option("fourteen")
    form.get_by_label("Players").select_option("3")
    form.get_by_label("Clock").select_option("2 days each")
    form.get_by_text("Variants").click()
    form.get_by_role("spinbutton").first.wait_for()
    form.get_by_role("spinbutton").first.fill("20")
    examine(ann, "what somebody is asked to play")
    form.get_by_role("button", name="Ask to play").click()
    asked = ben.page.locator(".asked", has_text="Meeting Ann asks you to play Fourteen.")
    asked.filter(has_text="3 players").filter(has_text="2 days each").filter(has_text="20").wait_for()
    asked.get_by_role("button", name="Yes").click()
    for player in names:
        player.page.wait_for_selector(".cloth")
    assert ann.page.url == ben.page.url, "They are at different tables."
    table = ann.page.request.get(f"{server.address}/api/tables/{ann.page.url.rsplit('/', 1)[-1]}").json()["table"]
    assert (table["game"], table["seats"], table["clock"]["days"]) == ("fourteen", 3, 2), f"They play {table}"
    open_panel(ben)
    ben.page.get_by_label("More about Meeting Ann").click()
    ben.page.locator("li details").get_by_role("button", name="Block").click()
    ben.page.get_by_text("Blocked (1)").wait_for()
    assert ben.page.locator(".meet li b", has_text="Meeting Ann").count() == 0, "Who is blocked is a friend."


def test_from_a_plate_from_the_end_and_while_a_table_waits_people_are_asked_to_be_friends_and_to_play_or_blocked(
    server: Server, person: Callable[..., Player]
) -> None:
    ann, ben = person(server), person(server, "phone", "touch")
    for player, name in ((ann, "Plate Ann"), (ben, "Plate Ben")):
        Passkeys(player)
        make_account(player, name)
    bots = ["me", "open", "bot:simple", "bot:simple"]
    table = ann.make("crystals", 4, {"rounds": 1}, bots, private=False, takeover=0)["id"]
    for player in (ann, ben):
        player.open(f"/table/{table}")
    ben.page.get_by_role("button", name="Sit here").click()
    for player in (ann, ben):
        player.page.wait_for_selector(".hand .card")
    ann.play_away(table, one_card_left, others=[ben])
    plate = ann.page.get_by_role("button", name="Plate Ben")
    plate.focus()
    ann.page.keyboard.press("Enter")
    dialog = ann.page.get_by_role("dialog", name="Plate Ben")
    dialog.get_by_role("button", name="Ask to be friends").click()
    dialog.get_by_text("If there is somebody called Plate Ben here, they are asked.").wait_for()
    assert dialog.get_by_role("button", name="Ask to play").count() == 0, "Whoever plays would not hear the answer."
    examine(ann, "what can be asked of somebody at the table")
    dialog.get_by_role("button", name="Close").click()
    ann.pass_by(table, others=[ben])
    for player in (ann, ben):
        player.page.wait_for_selector(".end")
    ben.page.locator(".end .asked", has_text="Plate Ann wants to be friends.").get_by_role("button", name="Yes").tap()
    ben.page.locator(".end").get_by_role("button", name="Plate Ann").tap()
    asked = ben.page.get_by_role("dialog", name="Plate Ann")
    asked.get_by_role("button", name="Ask to play").tap()
    form = asked.get_by_role("form", name="Ask to play: Plate Ann")
    form.get_by_label("Game").select_option("mines")
    form.get_by_role("button", name="Ask to play").tap()
    asked.get_by_role("button", name="Close").tap()
    ben.page.get_by_text("Waiting for Plate Ann").wait_for()
    ann.page.locator(".end .asked", has_text="Plate Ben asks you to play Mines.").get_by_role(
        "button", name="Yes"
    ).click()
    for player in (ann, ben):
        player.page.wait_for_selector(".cloth .field")
    assert ann.page.url == ben.page.url, "They are at different tables."

    other = ben.make("fourteen", 3, places=["me", "open", "open"], private=False)["id"]
    ben.open(f"/table/{other}")
    ben.page.wait_for_selector(".waiting")
    open_panel(ann)
    ann.page.locator(".meet li", has_text="Plate Ben").get_by_role("button", name="More about Plate Ben").click()
    ann.page.get_by_role("dialog", name="Plate Ben").get_by_role("button", name="Ask to play").wait_for()
    ann.open(f"/table/{other}")
    ann.page.locator(".waiting").get_by_role("button", name="Plate Ben").click()
    ann.page.get_by_role("dialog", name="Plate Ben").get_by_role("button", name="Block").click()
    ann.page.get_by_text("Plate Ben is blocked.").wait_for()
    open_panel(ann)
    ann.page.get_by_text("Blocked (1)").wait_for()


def test_a_guest_who_presses_a_plate_is_told_where_accounts_are(server: Server, person: Callable[..., Player]) -> None:
    ann, ben = person(server), person(server)
    table = ann.make("mines", 2, places=["me", "open"])
    for player in (ann, ben):
        player.open(f"/table/{table['id']}?invite={table['invite']}")
    ben.page.get_by_role("button", name="Sit here").click()
    ann.page.locator(".seat .meet").click()
    ann.page.get_by_role("dialog").get_by_role("link", name="make one").wait_for()
    ann.page.keyboard.press("Escape")
    ann.page.wait_for_function("() => !document.querySelector('dialog')")
    assert ann.page.locator(".seat .meet").count() == 1, "One's own place leads nowhere."


def test_whoever_plays_sees_and_hears_at_the_table_who_asks_them_to_play_and_goes_there_if_they_agree(
    server: Server, person: Callable[..., Player]
) -> None:
    ann, ben = person(server), person(server, "phone", "touch", still=True)
    for player, name in ((ann, "Asking Ann"), (ben, "Asked Ben")):
        Passkeys(player)
        make_account(player, name)
    ben.begin_with(COUNTED)
    ben.sit_down("crystals", 4)
    ben.asked()
    ben.page.keyboard.press("m")
    ben.page.wait_for_function("() => heard > 0")
    heard = ben.page.evaluate("heard")
    before = ben.page.locator(".hand").bounding_box()
    challenge = {"name": "Asked Ben", "game": "mines", "seats": 2}
    origin = {"Origin": server.address}
    assert ann.page.request.post(f"{server.address}/api/challenges", data=challenge, headers=origin).ok
    badge = ben.page.locator(".bar").get_by_role("button", name="Asking Ann asks you to play")
    badge.wait_for()
    ben.page.wait_for_function("(before) => heard > before", arg=heard)
    said = ben.page.locator("[role=status]", has_text="Asking Ann asks you to play")
    said.wait_for(state="attached")
    assert ben.page.locator(".hand").bounding_box() == before, "A challenge moves the cards."
    badge.tap()
    ben.page.get_by_role("button", name="No", exact=True).tap()
    badge.wait_for(state="detached")
    expect(said, "What was asked is said still.").to_have_count(0)
    assert ann.page.request.post(f"{server.address}/api/challenges", data=challenge, headers=origin).ok
    said.wait_for(state="attached")
    badge.tap()
    asked = ben.page.locator("p", has_text="Asking Ann asks you to play Mines.")
    assert asked.locator("span").inner_text() == "Asking Ann asks you to play Mines. 2 players"
    ben.page.get_by_role("button", name="Yes").tap()
    ben.page.wait_for_function("() => document.title.includes('Mines')")
    badge.wait_for(state="detached")
