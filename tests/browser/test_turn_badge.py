"""The turn badge: on every page it links to each table where the player is to act, and the tab shows their number."""

import re

import msgspec
import pytest
from playwright.sync_api import expect

from diamonds.server.api.lobby import ChallengeInfo
from diamonds.server.api.notifications import TurnFeedUpdate
from tests.browser.conftest import BrowserTestServer
from tests.browser.player import Player
from tests.browser.test_accessibility import check_with_axe

BADGE_SELECTOR = ".turns > button"


def sit_at_second_table(server: BrowserTestServer, ann: Player, ben: Player, days: int | None) -> str:
    """Create a table for Ann and Ben through the API, with ``days`` per move or without clocks; return its id."""
    made = ann.create_table("mines", 2, places=["me", "open"], time_control={"days_per_move": days} if days else None)
    ben.page.request.get(f"{server.address}/api/server")
    ann.post_to_table(made["id"], "sit", {"seat": 0, "nonce": "5eed"})
    ben.post_to_table(made["id"], "sit", {"seat": 1, "invite": made["invite"], "nonce": "5eed"})
    return made["id"]


def player_to_act(server: BrowserTestServer, table: str, players: list[Player]) -> Player:
    message = players[0].get_table(table)
    return players[message["view"]["to_act"][0]]


def tables_to_act(server: BrowserTestServer, ann: Player, ben: Player, *days: int | None) -> list[str]:
    """Create tables where Ann is to act, one for each number of days per move."""
    mine: list[str] = []
    while len(mine) < len(days):
        table = sit_at_second_table(server, ann, ben, days[len(mine)])
        if player_to_act(server, table, [ann, ben]) is ann:
            mine.append(table)
    return mine


@pytest.mark.parametrize("size", ["phone", pytest.param("desktop", marks=pytest.mark.slow)])
def test_next_leads_to_each_table_once_by_how_little_time_is_left(size, server, new_player):
    ann, ben = new_player(server, size), new_player(server)
    first, second, third = tables_to_act(server, ann, ben, 1, 7, None)
    ann.open("/rules/mines")
    page = ann.page
    visited = []
    expect(page.locator(BADGE_SELECTOR)).to_have_accessible_name("Your turn at 3 other tables")
    page.wait_for_function("() => document.title.startsWith('(3) ')")
    check_with_axe(ann, "a page with a badge")
    for _ in range(4):
        page.click(BADGE_SELECTOR)
        page.locator(".turns nav a.next").click()
        page.wait_for_selector(".cloth")
        page.wait_for_function("() => document.querySelectorAll('.turns nav').length === 0")
        visited.append(page.url.rsplit("/", 1)[-1])
    assert visited == [first, second, third, first], f"Expected each once before the first repeats: {visited}"


def test_turn_badge_clears_when_answered_on_another_device(server, new_player):
    ann, ben = new_player(server), new_player(server)
    (table,) = tables_to_act(server, ann, ben, None)
    ann.open("/")
    expect(ann.page.locator(BADGE_SELECTOR)).to_have_accessible_name("Your turn at another table")
    ann.page.click(BADGE_SELECTOR)
    check_with_axe(ann, "the list of turns")
    expect(ann.page.locator(".turns nav a")).to_have_text(re.compile("^Next table Mines"))
    expect(ann.page.locator(".turns nav small")).to_have_count(0)
    ann.answer_while_asked(table)
    ann.page.wait_for_selector(BADGE_SELECTOR, state="detached")
    ann.page.wait_for_function("() => !/^\\(/.test(document.title)")


def test_challenge_alone_shows_the_badge(server, new_player):
    ann = new_player(server)
    challenge = ChallengeInfo("1", "Ben", "crystals", 2, {}, "steady", None)
    update = msgspec.json.encode(TurnFeedUpdate(0, [], [challenge])).decode()
    ann.route(
        "**/api/turns*",
        lambda route: route.fulfill(body=f"event: turns\ndata: {update}\n\n", content_type="text/event-stream"),
    )
    ann.open("/settings")
    ann.page.get_by_role("button", name="Ben challenges you").click()
    ann.page.get_by_role("button", name="No", exact=True).wait_for()
