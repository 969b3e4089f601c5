"""Deals of the day: everyone gets the same cards, once, and a streak of days."""

import datetime
import json
import re
from typing import Any

import pytest
from playwright.sync_api import expect

from diamonds import daily_deals
from tests.browser.player import Player
from tests.browser.test_accessibility import check_with_axe
from tests.browser.test_local_games import PLAY_ON_JS
from tests.browser.test_static_site import visit_site

pytestmark = pytest.mark.kernels

DAY, NEXT_DAY, LATER_DAY = "2026-03-01", "2026-03-02", "2026-03-04"
HEADING = "Deals of the day"
CLOCK_INTERVAL_MS = 15_000  # interval at which the page looks at the clock


def start_of(day: str) -> str:
    """Return a time shortly after the start of a day."""
    return f"{day}T00:01:00Z"


def start_ms(day: str) -> int:
    return int(datetime.datetime.fromisoformat(start_of(day)).timestamp() * 1000)


def open_today(ann: Player, day: str) -> None:
    """Open the page shortly before a day ends."""
    ann.set_time(f"{day}T23:00:00Z")
    ann.open("/?/today")
    ann.page.get_by_role("heading", name=HEADING).wait_for()


def play_to_the_record(ann: Player) -> dict[str, Any]:
    """Play the game on this device to its end, and return its record."""
    ann.page.evaluate(PLAY_ON_JS, 3)
    record: dict[str, Any] = json.loads(ann.save_record())
    return record


def test_deal_of_the_day_is_played_once_and_counts_for_the_streak(site, new_player):
    ann, astray = visit_site(site, new_player)
    ann.open("/")
    ann.page.evaluate("localStorage.setItem('diamonds.played', 'true')")
    ann.set_time(f"{DAY}T01:00:00Z")
    ann.page.reload()
    ann.page.get_by_role("link", name="Today").click()
    expect(ann.page.get_by_text("Finish one deal a day to start a streak.")).to_be_visible()
    ann.page.get_by_role("button", name="Play Fourteen").click()
    ann.page.wait_for_selector("main.table[data-question]")
    open_today(ann, DAY)
    ann.page.get_by_role("link", name="Continue Fourteen").click()
    ann.page.wait_for_selector("main.table[data-question]")
    record = play_to_the_record(ann)
    assert record["secret"] == daily_deals.public_secret(DAY, "fourteen").hex()
    assert record["seated"] == ["person", "bot:3", "bot:3", "bot:3"]
    expect(ann.page.get_by_role("button", name="Play again")).to_have_count(0)
    ann.page.get_by_role("link", name=HEADING).click()
    expect(ann.page.get_by_text("You have played 1 day in a row.")).to_be_visible()
    expect(ann.page.get_by_text(f"of 4, {record['result']['scores'][0]} point")).to_be_visible()
    expect(ann.page.get_by_role("button", name="Play Fourteen")).to_have_count(0)
    expect(ann.page.get_by_role("button", name="Play Mines")).to_be_visible()
    check_with_axe(ann, "deals of the day")

    open_today(ann, NEXT_DAY)
    expect(ann.page.get_by_text("You have played 1 day in a row.")).to_be_visible()
    expect(ann.page.get_by_role("button", name="Play Fourteen")).to_be_visible()
    ann.page.get_by_role("link", name="Fourteen Place").click()
    ann.open_more()
    ann.page.get_by_role("link", name="Watch the replay").wait_for()

    open_today(ann, LATER_DAY)
    expect(ann.page.get_by_text("Finish one deal a day to start a streak.")).to_be_visible()
    assert not astray


def finish_todays_deal(ann: Player) -> str:
    """Play the deal of fourteen from the page of the day to its end; return its table."""
    ann.page.get_by_role("button", name="Play Fourteen").click()
    ann.page.wait_for_selector("main.table[data-question]")
    expect(ann.page.get_by_role("button", name="Hint", exact=True)).to_have_count(0)
    ann.page.evaluate(PLAY_ON_JS, 3)
    expect(ann.page.get_by_text("Review and replay open at midnight UTC.")).to_be_visible()
    for name in ("Review the game", "Watch the replay", "Save the record", "Challenge a friend"):
        expect(ann.page.get_by_role("link", name=name, include_hidden=True)).to_have_count(0)
    return ann.page.url.rsplit("/", 1)[-1]


def test_server_opens_a_deal_at_midnight_and_offers_the_next_one(private_server, new_player):
    server = private_server

    def begin_day(day: str) -> None:
        """Let a day begin, and give the page time to notice it, but not to reconnect."""
        server.set_time(start_ms(day))
        clock.set_system_time(start_of(day))
        clock.run_for(CLOCK_INTERVAL_MS)

    server.restart_at(start_ms(DAY))
    ann = new_player(server)
    clock = ann.install_clock(start_of(DAY))
    failed: list[str] = []
    ann.on("response", lambda one: failed.append(f"{one.status} {one.url}") if one.status >= 400 else None)
    ann.open("/today")
    first = finish_todays_deal(ann)
    ann.page.get_by_role("link", name=HEADING).click()
    expect(ann.page.get_by_text(re.compile("You are the first to finish|etter than"))).to_be_visible()
    expect(ann.page.get_by_text("You have played 1 day in a row.")).to_be_visible()
    check_with_axe(ann, "deals of the day at a server")
    ann.page.get_by_role("link", name="Your result").click()
    ann.page.wait_for_url(f"**/table/{first}")
    assert not failed, "expected no request that the server refuses"
    for part in ("record", "replay", "review", "verify"):
        assert ann.page.request.get(f"{server.address}/api/tables/{first}/{part}").status == 409, part
    ann.follow_link(f"/duel/{first}")
    expect(ann.page.get_by_role("alert")).to_contain_text("This deal is still being played by others.")
    ann.follow_link("/")
    ann.page.get_by_text("Finished games (1)").click()
    ann.page.locator(f"main a[href='/table/{first}']").wait_for()
    expect(ann.page.get_by_role("link", name="Challenge a friend")).to_have_count(0)
    ann.follow_link("/today")
    ann.page.get_by_role("link", name="Your result").wait_for()
    expect(ann.page.get_by_role("button", name="Play Fourteen")).to_have_count(0)

    begin_day(NEXT_DAY)
    ann.page.get_by_role("link", name="Fourteen Place").wait_for()
    expect(ann.page.get_by_text("You have played 1 day in a row.")).to_be_visible()
    assert finish_todays_deal(ann) != first

    begin_day("2026-03-03")
    ann.page.get_by_role("link", name="Review the game").wait_for()
    ann.open_more()
    for name in ("Watch the replay", "Record"):
        expect(ann.page.get_by_role("link", name=name)).to_be_visible()
    ann.page.get_by_role("link", name="Challenge a friend").click()
    ann.page.get_by_role("heading", name="Challenge a friend").wait_for()
    ann.follow_link("/today")
    expect(ann.page.get_by_text("You have played 2 days in a row.")).to_be_visible()
    expect(ann.page.get_by_role("button", name="Play Fourteen")).to_be_visible()


def test_past_deal_is_played_as_practice_without_a_server(site, new_player):
    ann, astray = visit_site(site, new_player)
    ann.set_time(f"{NEXT_DAY}T01:00:00Z")
    ann.open("/?/today")
    ann.page.get_by_role("link", name="Past deals").click()
    ann.page.get_by_role("link", name="Fourteen").click()
    expect(ann.page.get_by_role("combobox", name="Month")).to_have_value("2026-03")
    expect(ann.page.locator("main li")).to_have_text(["Sun, March 1"])
    check_with_axe(ann, "past deals")
    ann.page.get_by_role("link", name="Earlier").click()
    expect(ann.page.locator("main li")).to_have_count(28)
    ann.page.get_by_role("link", name="Later").click()
    ann.page.get_by_role("link", name="Sun, March 1").click()
    ann.page.get_by_role("button", name="Play as practice").click()
    ann.page.wait_for_selector("main.table[data-question]")
    ann.open("/?/today/past/fourteen")
    ann.page.get_by_role("link", name="Sun, March 1 Not finished").click()
    ann.page.get_by_role("button", name="Continue").click()
    ann.page.wait_for_selector("main.table[data-question]")
    record = play_to_the_record(ann)
    assert record["secret"] == daily_deals.public_secret(DAY, "fourteen").hex()
    ann.page.get_by_role("link", name="How everyone did").click()
    expect(ann.page.get_by_text(f"of 4, {record['result']['scores'][0]} point")).to_be_visible()
    expect(ann.page.get_by_role("link", name="Review the game")).to_be_visible()
    ann.page.get_by_role("link", name="Past deals").click()
    expect(ann.page.get_by_role("link", name="Sun, March 1 Practice: place")).to_be_visible()
    ann.open("/?/today")
    expect(ann.page.get_by_text("Finish one deal a day to start a streak.")).to_be_visible()
    expect(ann.page.get_by_text("Your past days")).to_have_count(0)
    for path in (f"{NEXT_DAY}/mines", "2026-02-30/mines", f"{DAY}/bridge", "past/mines/2026-13", "past/bridge"):
        ann.open(f"/?/today/{path}")
        expect(ann.page.get_by_role("alert")).to_have_text("This deal is not in the archive.")
    assert not astray


def test_practice_at_a_server_shows_where_you_would_have_stood(private_server, new_player):
    server = private_server
    server.restart_at(start_ms(DAY))
    ann, ben = new_player(server), new_player(server, "phone")
    ann.set_time(start_of(DAY))
    ann.open("/today")
    finish_todays_deal(ann)
    server.set_time(start_ms(NEXT_DAY))
    ben.set_time(start_of(NEXT_DAY))
    ben.open("/today/past/fourteen")
    expect(ben.page.locator("main li")).to_have_count(1)
    check_with_axe(ben, "past deals")
    ben.page.get_by_role("link", name="Sun, March 1 1 player").click()
    expect(ben.page.get_by_text("One player finished this deal.")).to_be_visible()
    expect(ben.page.get_by_role("heading", name="How everyone decided")).to_have_count(0)
    ben.page.get_by_text("Show how everyone decided").click()
    expect(ben.page.locator(".decisions li").first).to_contain_text("100%")
    ben.page.get_by_role("button", name="Play as practice").click()
    ben.page.wait_for_selector("main.table[data-question]")
    expect(ben.page.get_by_role("button", name="Hint", exact=True)).to_have_count(0)
    ben.page.evaluate(PLAY_ON_JS, 77)
    ben.page.get_by_role("link", name="How everyone did").click()
    expect(ben.page.get_by_text("Practice: place")).to_be_visible()
    expect(ben.page.get_by_text(re.compile(r"You would (not )?have beaten the only other player\."))).to_be_visible()
    ben.page.get_by_role("heading", name="How everyone decided").wait_for()
    expect(ben.page.locator(".decisions .own").first).to_contain_text("you")
    check_with_axe(ben, "deal of an earlier day after practice")
    ben.open("/today")
    expect(ben.page.get_by_text("Finish one deal a day to start a streak.")).to_be_visible()
    ben.open(f"/today/{NEXT_DAY}/mines")
    expect(ben.page.get_by_role("alert")).to_contain_text("is not a past day")
    expect(ben.page.get_by_role("heading", level=1)).to_have_text("Deals of the day")
    ben.open("/today/past/mines/2031-01")
    expect(ben.page.get_by_role("alert")).to_contain_text("There are no past deals of")
    ben.page.get_by_role("link", name="Fourteen").click()
    ben.page.get_by_role("link", name=re.compile("Sun, March 1 Practice.* 1 player")).wait_for()


PAST_DEAL = {
    "day": DAY, "game": "fourteen", "seats": 4, "options": {"target": 5}, "level": "3", "commitment": "c0" * 32, "secret": "5e" * 32, "table": None, "finished": True, "practice": None,
    "result": {"place": 2, "points": 4},
    "results": [{"place": 1, "points": 6, "number": 2}, {"place": 2, "points": 4, "number": 3}, {"place": 4, "points": 0, "number": 5}],
    "decisions": [
        {"question": "play", "index": 0, "yours": "C7", "answers": [{"answer": card, "number": 6 - k} for k, card in enumerate(["D1", "H3", "S5", "C7"])]},
        {"question": "play", "index": 1, "yours": "H9", "answers": [{"answer": "H9", "number": 10}]},
    ],
}  # fmt: skip


def test_past_deal_shows_shares_of_answers_and_the_secret(server, new_player):
    ann = new_player(server)
    ann.route("**/api/days/**", lambda route: route.fulfill(json=PAST_DEAL))
    ann.open(f"/today/{DAY}/fourteen")
    expect(ann.page.get_by_text("Place 2 of 4, 4 points", exact=True)).to_be_visible()
    expect(ann.page.get_by_text("Better than 56% of 9 other players")).to_be_visible()
    first, second = ann.page.locator(".decisions li").all()
    assert [one.inner_text() for one in first.locator("b").all()] == ["33%", "28%", "22%", "17%"]
    expect(first.locator(".own")).to_have_text(re.compile("7.*17%.*you"))
    expect(second.locator(".own")).to_have_text(re.compile("9.*100%.*you"))
    ann.page.get_by_text("The secret of this deal").click()
    expect(ann.page.get_by_text("5e" * 32)).to_be_visible()
    check_with_axe(ann, "deal of an earlier day")
