"""Rematches by one press, and the seats of absent people."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable

from tests.browser.conftest import BrowserTestServer
from tests.browser.player import Player
from tests.browser.test_turn_badge import sit_at_second_table


def test_rematch_needs_one_press_each_and_rotates_seats(
    server: BrowserTestServer, new_player: Callable[..., Player]
) -> None:
    friends = [new_player(server), new_player(server, "phone", "touch"), new_player(server)]
    ann, *others = friends
    made = ann.create_table(seats=3, options={"rounds": 1}, places=["me", "open", "open"])
    old = made["id"]
    for one in friends:
        one.page.request.get(f"{server.address}/api/server")  # the first request makes the player a guest
        one.post_to_table(old, "sit", {"invite": made["invite"], "nonce": "5eed", "idempotency_key": uuid.uuid4().hex})
    seats = [one.get_table(old)["seat"] for one in friends]
    assert sorted(seats) == [0, 1, 2]
    ann.play_by_api(old, others=others)
    for one in friends:  # if another player was faster, the same button has another name
        one.open(f"/table/{old}")
        one.page.wait_for_selector(".end")
        one.page.get_by_role("button", name=re.compile("^(Play again|Join the next game)$")).click()
        one.page.wait_for_url(lambda url: f"/table/{old}" not in url)
    for one in friends:
        one.page.wait_for_selector(".cloth")
    tables = {one.page.evaluate("location.pathname").rpartition("/")[2] for one in friends}
    assert len(tables) == 1, f"The players are at different tables: {tables}."
    table = tables.pop()
    assert [one.get_table(table)["seat"] for one in friends] == [(seat + 1) % 3 for seat in seats], (
        "A player has another seat than expected."
    )


def test_host_opens_the_seat_of_an_absent_person(server: BrowserTestServer, new_player: Callable[..., Player]) -> None:
    ann, ben = new_player(server), new_player(server)
    table = sit_at_second_table(server, ann, ben, None)
    ann.play_by_api(table, others=[ben])
    ann.open(f"/table/{table}")
    ann.page.get_by_role("button", name="Play again", exact=True).click()
    kept = ann.page.get_by_role("button", name="Open this seat")
    kept.click()
    kept.wait_for(state="detached")
    path = "/api/tables/" + ann.page.evaluate("location.pathname").rsplit("/", 1)[-1]
    places = ann.page.evaluate(f"async () => (await (await fetch('{path}')).json()).table.seat_holders")
    assert sorted((place["kind"], place["reserved"]) for place in places) == [("open", False), ("person", False)]
