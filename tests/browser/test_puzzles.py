"""Puzzles: the first answer counts, every answer is evaluated, and the daily puzzle is the same for everyone."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.player import Player
from tests.browser.scripts import Scripts
from tests.browser.test_accessibility import check_with_axe
from tests.browser.test_hints_and_reviews import REVIEW_TIMEOUT_MS, finish_game
from tests.browser.test_local_games import record_table_requests

SCRIPTS = Scripts(__file__)

DATA = Path(__file__).parents[2] / "web" / "src" / "puzzles" / "data"


def published_puzzles(game: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((DATA / f"{game}.json").read_text(encoding="utf-8"))["puzzles"]
    return found


def give_answer(ann: Player, answer: int | str) -> None:
    ann.page.wait_for_selector("main.puzzle[data-question]")
    ann.page.locator(f"[data-card='{answer}'], [data-answer='{answer}'], [data-pile='{answer}']").first.click()
    ann.page.wait_for_selector(".verdict .says")


def shown_rating(ann: Player) -> int:
    return int(ann.page.locator(".verdict .after").inner_text().split(":")[1].split()[0])


def test_first_answer_to_a_puzzle_counts_and_every_answer_is_weighed(server, new_player):
    first, second = published_puzzles("fourteen")[:2]
    ann = new_player(server, "phone")
    asked = record_table_requests(ann)
    ann.open("/puzzles/fourteen/1")
    give_answer(ann, first["answers"][0][0][0])
    assert ann.page.locator(".verdict .says.right").count() == 1
    assert ann.page.locator(".verdict li").count() == len(first["answers"])
    assert shown_rating(ann) > 1200, "Expected a higher rating after a solved puzzle."
    check_with_axe(ann, "a puzzle that was solved")
    solved = shown_rating(ann)

    ann.open("/puzzles/fourteen/2")
    give_answer(ann, second["answers"][-2][0][0])
    assert ann.page.locator(".verdict .says.right").count() == 0
    expect(ann.page.locator(".verdict .because").filter(has_text="Your answer, ")).to_be_in_viewport(ratio=1)
    assert shown_rating(ann) < solved, "Expected a lower rating after a failed puzzle."

    ann.open("/puzzles/fourteen/2")
    give_answer(ann, second["answers"][0][0][0])
    assert "first try" in ann.page.locator(".verdict .after").inner_text()
    ann.page.get_by_role("link", name="All puzzles").click()
    ann.page.wait_for_selector(".today a")
    assert "2 of" in ann.page.locator("main").inner_text()
    ann.page.get_by_role("link", name="Fourteen: next puzzle").click()
    ann.page.wait_for_selector("main.puzzle[data-question]")
    assert not asked, f"Puzzles are on the device, but the server got {asked[:2]}."

    few = [
        one["view"]["seats"] <= 3 and len(one["view"]["hand"][one["seat"]]) <= 10
        for one in published_puzzles("crystals")
    ]
    ann.page.set_viewport_size({"width": 360, "height": 640})
    ann.open(f"/puzzles/crystals/{few.index(True) + 1}", "main.puzzle[data-question] .hand .card")
    ann.wait_until_still()
    hand = ann.page.locator(".hand").bounding_box()
    assert hand["y"] + hand["height"] <= 640, "Part of the hand is outside a small phone."


def test_a_sequence_continues_with_its_next_puzzle(server, new_player):
    puzzles = published_puzzles("mines")
    at = {one["id"]: k for k, one in enumerate(puzzles)}
    second = next(k for k, one in enumerate(puzzles) if "follows" in one and one["question"] == "spoils")
    first = at[puzzles[second]["follows"]]
    ann = new_player(server, "phone")
    ann.open(f"/puzzles/mines/{first + 1}")
    assert "goes on" not in ann.page.locator("main.puzzle header").inner_text()
    give_answer(ann, puzzles[first]["answers"][-1][0][0])
    ann.page.get_by_role("link", name="Next puzzle").click()
    ann.page.wait_for_url(f"**/puzzles/mines/{second + 1}")
    expect(ann.page.locator("main.puzzle header")).to_contain_text("after its best answer")
    give_answer(ann, puzzles[second]["answers"][0][0][0])
    expect(ann.page.locator(".verdict .says.right")).to_be_visible()


@pytest.mark.parametrize("place", [0, 1], ids=["right", "wrong"])
def test_verdict_on_a_puzzle_names_the_card_that_was_played_and_no_other(place, server, new_player):
    """Equivalent cards count as one answer, but the verdict names the card that was played."""
    puzzles = published_puzzles("crystals")
    at = next(
        k
        for k, one in enumerate(puzzles)
        if one["question"] == "play"
        and len(one["answers"][place][0]) > 1
        and len(one["answers"][0][0]) == 1 + (not place)
    )
    suits = {"D": "diamonds", "H": "hearts", "S": "spades", "C": "clubs"}
    played, *others = [f"{card[1:]} of {suits[card[0]]}" for card in reversed(puzzles[at]["answers"][place][0])]
    ann = new_player(server)
    ann.open(f"/puzzles/crystals/{at + 1}")
    give_answer(ann, puzzles[at]["answers"][place][0][-1])
    assert "list-" not in ann.page.locator(".verdict").inner_text(), "expected no text for equivalent cards"
    (said,) = ann.accessible_text(".verdict .says")
    assert re.search(rf"\b{played}", said), f"{played} was played: {said}"
    assert not [card for card in others if re.search(rf"\b{card}", said)], f"{others} were not played: {said}"


def test_puzzle_of_an_attack_is_as_wide_as_a_phone(server, new_player):
    at = next(k for k, one in enumerate(published_puzzles("mines")) if one["question"] == "spoils")
    ann = new_player(server, "phone", locale="de")
    ann.open(f"/puzzles/mines/{at + 1}", ".attack")
    ann.assert_no_sideways_scrolling()
    plate = ann.page.locator(".stage .own .seat").bounding_box()
    assert plate["x"] >= 8, "The player's plate touches the edge of the screen."


def test_daily_puzzle_is_the_same_for_everyone_and_changes_daily(server, new_player):
    def of_day(day: str, size: str) -> str:
        one = new_player(server, size)
        one.add_init_script(
            f"Date = class extends Date {{ constructor(...at) {{ super(...(at.length ? at : ['{day}'])) }} }}"
        )
        one.open("/puzzles/today", "main.puzzle[data-question]")
        return one.page.locator("main.puzzle").inner_text()

    def hand(day: str, size: str) -> str:
        return of_day(day, size).partition("\n")[2]

    first = hand("2027-03-01T08:00:00", "desktop")
    assert first == hand("2027-03-01T21:00:00", "desktop")
    assert first != hand("2027-03-02T08:00:00", "desktop")


MISTAKES_JS = "() => JSON.parse(localStorage.getItem('diamonds.mistakes')).mistakes"


def test_players_mistakes_return_until_solved_three_times(server, new_player):
    ann = new_player(server, "phone")
    ann.open("/puzzles")
    expect(ann.page.locator(".mistakes")).to_contain_text("Costly moves from your finished games")
    table = finish_game(ann, "fourteen", 3, {"target": 5})
    ann.open(f"/table/{table}/review")
    ann.page.wait_for_selector(".review table", timeout=REVIEW_TIMEOUT_MS)
    made = ann.page.request.get(f"{server.address}/api/tables/{table}/review").json()
    marked = [one for one in made["decisions"] if one["marked"]]
    kept = ann.page.evaluate(MISTAKES_JS)
    assert [one["given"] for one in kept] == [one["answers"][0] for one in marked]
    hands = [hand for one in kept for seat, hand in enumerate(one["view"]["hand"]) if seat]
    assert not any(hands), "other hands are stored with a mistake"
    asked = record_table_requests(ann)
    ann.open("/puzzles")
    expect(ann.page.locator(".mistakes")).to_contain_text(f"{len(marked)} of {len(marked)} to practise today")
    ann.page.get_by_role("link", name="Practise").click()
    give_answer(ann, kept[0]["given"])
    verdict = ann.page.locator(".verdict")
    expect(verdict.locator(".says")).not_to_have_class(re.compile("right"))
    expect(verdict.locator(".after")).to_have_text("It comes back tomorrow.")
    check_with_axe(ann, "the verdict on a mistake")
    for days in (3, 7, 0):
        ann.page.evaluate(SCRIPTS["makeMistakesDue"])
        ann.open("/puzzles/mistakes/1")
        give_answer(ann, kept[0]["best"][-1])
        expect(verdict.locator(".says")).to_have_class(re.compile("right"))
        said = f"It comes back in {days} days." if days else "Solved three times in a row. It does not come back."
        expect(verdict.locator(".after")).to_have_text(said)
    assert len(ann.page.evaluate(MISTAKES_JS)) == len(marked) - 1
    assert not asked, f"practice works without a server, which got {asked[:2]}"
    ann.open(f"/table/{table}/review")
    ann.page.wait_for_selector(".review table", timeout=REVIEW_TIMEOUT_MS)
    assert len(ann.page.evaluate(MISTAKES_JS)) == len(marked) - 1, "a solved mistake came back"
