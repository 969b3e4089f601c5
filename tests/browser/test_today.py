"""Deals of the day: everyone gets the same cards, once, and a streak of days."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from diamonds import daily_deals
from tests.browser.player import Player
from tests.browser.test_accessibility import check_with_axe
from tests.browser.test_local_games import PLAY_ON_JS
from tests.browser.test_static_site import StaticSiteServer, site, visit_site  # noqa: F401

pytestmark = pytest.mark.kernels

DAY, NEXT_DAY, LATER_DAY = "2026-03-01", "2026-03-02", "2026-03-04"
HEADING = "Deals of the day"


def open_today(ann: Player, day: str) -> None:
    """Open the page shortly before a day ends."""
    ann.page.clock.set_fixed_time(f"{day}T23:00:00Z")
    ann.open("/?/today")
    ann.page.get_by_role("heading", name=HEADING).wait_for()


def test_deal_of_the_day_is_played_once_and_counts_for_the_streak(
    site: StaticSiteServer,  # noqa: F811
    new_player: Callable[..., Player],
) -> None:
    ann, astray = visit_site(site, new_player)
    ann.open("/")
    ann.page.evaluate("localStorage.setItem('diamonds.played', 'true')")
    ann.page.clock.set_fixed_time(f"{DAY}T01:00:00Z")
    ann.page.reload()
    ann.page.get_by_role("link", name="Today").click()
    expect(ann.page.get_by_text("Finish one deal a day to start a streak.")).to_be_visible()
    ann.page.get_by_role("button", name="Play Fourteen").click()
    ann.page.wait_for_selector("main.table[data-question]")
    open_today(ann, DAY)
    ann.page.get_by_role("link", name="Continue Fourteen").click()
    ann.page.wait_for_selector("main.table[data-question]")
    ann.page.evaluate(PLAY_ON_JS, 3)
    with ann.page.expect_download() as saved:
        ann.page.get_by_role("link", name="Record").click()
    record = json.loads(saved.value.path().read_text(encoding="utf-8"))
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
    ann.page.get_by_role("link", name="Replay it").wait_for()

    open_today(ann, LATER_DAY)
    expect(ann.page.get_by_text("Finish one deal a day to start a streak.")).to_be_visible()
    assert not astray
