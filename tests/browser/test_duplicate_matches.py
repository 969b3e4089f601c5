"""Duplicate matches: people join by a link, play the same cards, and see who held them."""

import re
from collections.abc import Sequence

import pytest
from playwright.sync_api import Page, expect

from tests.browser.player import Player
from tests.browser.test_accessibility import check_with_axe
from tests.browser.window_pool import WAIT_TIMEOUT_MS

pytestmark = pytest.mark.later

DEALS = 2


def create_match(ann: Player, deals: int = DEALS) -> str:
    """Create a short match of fourteen with three people per table, on the page; return the link."""
    ann.page.get_by_role("radio", name="Fourteen").check(force=True)
    ann.page.get_by_role("radio", name="3", exact=True).check(force=True)
    ann.page.get_by_label("Deals").select_option(str(deals))
    ann.page.get_by_label("Bot speed").select_option("quick")
    ann.page.get_by_text("Variants").click()
    ann.page.get_by_label("Target").fill("5")
    ann.page.get_by_role("button", name="Create match").click()
    return ann.page.get_by_label("Send this link").input_value()


def join(player: Player, link: str, name: str) -> None:
    player.open(link)
    player.page.get_by_label("Your name").fill(name)
    player.page.get_by_role("button", name="Join").click()
    expect(player.page.get_by_text(f"{name} (you)")).to_be_visible()


def play_link(page: Page, number: int) -> str:
    """Wait until a deal is ready for a person; return its table."""
    link = page.get_by_role("link", name=f"Play deal {number}")
    link.wait_for()
    return (link.get_attribute("href") or "").rpartition("/")[2]


def play_deal(people: Sequence[Player], number: int) -> None:
    tables: dict[str, list[Player]] = {}
    for player in people:
        tables.setdefault(play_link(player.page, number), []).append(player)
    assert len(tables) == 2, f"Three people sit at two tables, not {len(tables)}."
    for table, (first, *others) in tables.items():
        first.play_by_api(table, others=others)


def compare_games(player: Player) -> None:
    """From the results, compare two games with the same hand, and return."""
    compare = player.page.get_by_role("link", name="Compare the games of")
    for cell in player.page.locator(".grid button").all():
        cell.click()
        expect(cell).to_have_attribute("aria-pressed", "true")
        if compare.count():
            break
    compare.first.click()
    player.page.get_by_text("Costs are in points").wait_for(timeout=4 * WAIT_TIMEOUT_MS)
    sides = player.page.locator(".sides section")
    expect(sides).to_contain_text([re.compile(r"place \d of 3.*given away", re.DOTALL)] * 2)
    rows = player.page.locator("tbody tr:not(.parting)")
    assert rows.count() >= 12, "expected every decision side by side"
    check_with_axe(player, "two games of a match side by side")
    player.page.get_by_label("Only where you differ").check()
    expect(player.page.get_by_text("From here on, the games differ.")).to_have_count(1)
    player.page.get_by_role("link", name="Results").click()
    player.page.get_by_role("heading", name="Ranking").wait_for()


def test_three_people_play_a_match_by_link_and_see_who_held_their_cards(server, new_player):
    ann, ben, cy = people = [new_player(server), new_player(server, "phone"), new_player(server)]
    for index, player in enumerate(people):
        player.legal_index = index  # their first bids differ, and so do their games
    ann.open("/")
    ann.page.evaluate("localStorage.setItem('diamonds.played', 'true')")
    ann.open("/")
    ann.page.get_by_role("button", name="Play with people").click()
    ann.page.get_by_role("link", name="Create or open a match").click()
    ann.page.get_by_role("button", name="Create match").wait_for()
    check_with_axe(ann, "new match")
    link = create_match(ann)
    expect(ann.page.get_by_role("button", name="Start")).to_be_disabled()
    join(ben, link, "Ben")
    join(cy, link, "Cy")
    expect(ann.page.get_by_text("3 people have joined")).to_be_visible()
    check_with_axe(ann, "waiting room of a match")
    ann.page.get_by_role("button", name="Start").click()

    play_deal(people, 1)
    expect(ben.page.get_by_role("link", name=re.compile(r"\d points?|not finished"))).to_have_count(1)
    check_with_axe(ben, "match in play")
    ben.page.get_by_role("link", name=re.compile(r"\d points?")).click()
    expect(ben.page.get_by_text("Review and replay open when the match is over.")).to_be_visible()
    for name in ("Review the game", "Watch the replay", "Challenge a friend"):
        expect(ben.page.get_by_role("link", name=name, include_hidden=True)).to_have_count(0)
    expect(ben.page.get_by_role("button", name="Play again")).to_have_count(0)

    withheld = f"/match/{link.rpartition('/')[2]}/1/0/1"
    cy.open(withheld)
    cy.page.get_by_text("is still playing").or_(cy.page.get_by_text("are still playing")).wait_for()
    expect(cy.page.locator("table, [role=alert]")).to_have_count(0)
    cy.open(f"/match/{link.rpartition('/')[2]}")

    play_link(ben.page, 2)
    ben.page.get_by_role("link", name="Play deal 2").click()
    ben.page.wait_for_selector(".cloth")
    ben.page.get_by_role("link", name="Match", exact=True).click()
    play_deal(people, 2)

    for player in people:
        player.page.get_by_role("heading", name="Ranking").wait_for(timeout=2 * WAIT_TIMEOUT_MS)
    names = [text.partition(" (")[0] for text in ben.page.locator(".ranking tbody .name").all_inner_texts()]
    assert {"Ben", "Cy"} < set(names), f"Expected three names: {names}"
    cells = ben.page.locator(".grid button")
    expect(cells).to_have_count(3 * DEALS)
    check_with_axe(ben, "results of a match")
    compare_games(ben)
    for path in ("3/0/1", "1/0/0", "1/0/7", "1/0", "0/0/1", "x/y/z"):
        cy.open(f"{withheld.removesuffix('1/0/1')}{path}")
        expect(cy.page.get_by_role("alert")).to_have_text("These two people did not finish a game with the same cards.")
    cy.page.get_by_role("link", name="Results").click()
    cy.page.get_by_role("heading", name="Ranking").wait_for()
    cells.nth(DEALS).click()
    expect(ben.page.get_by_role("heading", name=f"Deal 1: the cards of {names[1]}")).to_be_visible()
    ben.page.locator(".hand").get_by_role("link", name=re.compile("Replay of")).first.click()
    ben.page.wait_for_url("**/replay")
    ben.page.get_by_role("heading", name="Fourteen").wait_for()


def test_stranger_cannot_join_a_match_that_has_begun(server, new_player):
    ann, ben, cy = new_player(server), new_player(server), new_player(server)
    ann.open("/match")
    link = create_match(ann)
    join(ben, link, "Ben")
    cy.open(link)
    cy.page.get_by_role("button", name="Join").wait_for()
    expect(ann.page.get_by_text("2 people have joined")).to_be_visible()
    ann.page.get_by_role("button", name="Start").click()
    play_link(ben.page, 1)
    expect(cy.page.get_by_text("2 people are still playing")).to_be_visible()
    expect(cy.page.get_by_role("button", name="Join")).to_have_count(0)
    ann.page.get_by_role("button", name="End the match").click()
    ann.page.get_by_role("button", name="End the match").click()
    expect(cy.page.get_by_text("Unfinished games do not count.")).to_be_visible()


def test_unknown_match_says_what_to_do(server, new_player):
    ann = new_player(server)
    ann.open("/match/aaaaaaaaaaaaaaaaaaaa")
    expect(ann.page.get_by_text("Ask for the invitation link again.")).to_be_visible()
    expect(ann.page.get_by_role("link", name="New match")).to_be_visible()
