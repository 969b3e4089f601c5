"""Records opened in the page: replay, review, and errors."""

import json
from pathlib import Path

from playwright.sync_api import expect

from tests.browser.player import Player
from tests.browser.scripts import Scripts
from tests.browser.test_hints_and_reviews import REVIEW_TIMEOUT_MS

SCRIPTS = Scripts(__file__)

MINES_RECORDS = Path(__file__).parents[1] / "records" / "mines.jsonl"
STEP_SELECTOR = ".controls .count"


def shortest_record(**changed: object) -> str:
    """Return the shortest stored record of mines that begins with one person and has side events."""
    shortest = min(MINES_RECORDS.read_text(encoding="utf-8").splitlines(), key=len)
    return json.dumps({**json.loads(shortest), "seated": ["person", "bot:5"], "players": ["Ann", "Ben"], **changed})


def choose_file(player: Player, text: str, name: str = "game.json") -> None:
    """Choose a file, starting in the lobby."""
    player.open("/")
    player.page.get_by_role("link", name="Open a record …").click()
    with player.page.expect_file_chooser() as chooser:
        player.page.get_by_text("Choose a file").click()
    chooser.value.set_files({"name": name, "mimeType": "application/json", "buffer": text.encode()})


def test_chosen_record_is_replayed_and_reviewed(server, new_player):
    player = new_player(server)
    page = player.page
    choose_file(player, shortest_record())
    page.wait_for_selector(STEP_SELECTOR)
    last = int(page.locator(STEP_SELECTOR).inner_text().split(" ")[-1])
    expect(page.locator(STEP_SELECTOR)).to_have_text(f"Step 0 of {last}")
    expect(page.locator(".says")).to_contain_text("was fixed before play and matches the record")
    assert page.get_by_text("Continue from here").count() == 0, "a record must not be a table to play at"
    told = set()
    for step in range(1, last + 1):
        page.get_by_role("button", name="Next step").click()
        expect(page.locator(STEP_SELECTOR)).to_have_text(f"Step {step} of {last}")
        told.update(page.locator(".beside").all_inner_texts())
    expect(page.get_by_role("button", name="Next step")).to_be_disabled()
    said = " ".join(told)
    assert "A bot (simple) substitutes for" in said, "expected the substitutes between the steps"
    page.reload()
    page.wait_for_selector(STEP_SELECTOR)
    expect(page.locator(STEP_SELECTOR), "expected the record after a reload").to_have_text(f"Step {last} of {last}")
    page.get_by_role("link", name="Review this game").click()
    page.get_by_role("heading", name="lowered the chance to win").wait_for(timeout=REVIEW_TIMEOUT_MS)
    page.get_by_role("heading", name="Luck and skill").wait_for()


def test_unreplayable_record_is_shown_as_written(server, new_player):
    player = new_player(server, "phone")
    entries = json.loads(shortest_record())["entries"]
    choose_file(player, shortest_record(entries=[*entries[:-1], "0 play H7"]))
    player.page.get_by_role("heading", name="Entries").wait_for()
    expect(player.page.get_by_role("alert")).to_contain_text(f"Entry {len(entries) - 1} (0 play H7) cannot be played")
    expect(player.page.locator("pre")).to_contain_text(f"{len(entries) - 1}  0 play H7", use_inner_text=True)
    player.assert_no_sideways_scrolling()


def test_invalid_record_is_rejected_and_one_of_several_can_be_chosen(server, new_player):
    player = new_player(server)
    choose_file(player, "hello")
    expect(player.page.get_by_role("alert")).to_contain_text("The record is not JSON")
    several = "\n".join([shortest_record(), shortest_record(players=["Cleo", "Dan"])])
    choose_file(player, several, "games.jsonl")
    player.page.get_by_role("button", name="mines: Cleo, Dan").click()
    player.page.wait_for_selector(STEP_SELECTOR)
    player.page.get_by_role("heading", name="Cleo").wait_for()


def test_record_can_be_dropped_on_the_lobby(server, new_player):
    player = new_player(server)
    player.open("/record")
    player.page.get_by_text("or drop it here").wait_for()
    player.page.evaluate(SCRIPTS["dropRecord"], shortest_record())
    player.page.wait_for_selector(STEP_SELECTOR)
    expect(player.page.locator(".says")).to_contain_text("was fixed before play")
