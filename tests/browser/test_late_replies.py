"""Replies and timers that end after their page was left change nothing and cause no error."""

from typing import Any

from playwright.sync_api import Route, expect

from tests.browser.conftest import wait_for
from tests.browser.player import NEXT_FRAME_JS, Player
from tests.browser.test_hints_and_reviews import finish_game
from tests.browser.test_layout_shift import open_faked_table, send_update, update_with_question
from tests.browser.test_mines_turn import record_answers


def hold_requests(ann: Player, pattern: str) -> list[Route]:
    """Keep the page's requests for ``pattern`` unanswered, from now on, and return them."""
    held: list[Route] = []
    ann.route(pattern, lambda route: held.append(route))
    return held


def wait_for_requests(ann: Player, held: list[Route], number: int) -> None:
    wait_for(lambda: bool(ann.page.evaluate("() => true")) and len(held) >= number, f"Expected {number} requests.")


def finish(ann: Player, route: Route, reply: Any = None) -> None:
    """Answer a held request, by default as the server does, and wait until the page has the reply."""
    with ann.page.expect_event("requestfinished", lambda request: request == route.request):
        route.fulfill(json=reply) if reply else route.continue_()
    ann.page.evaluate(NEXT_FRAME_JS)


def hint_for(seat: int) -> dict[str, Any]:
    """Return a hint that this seat is the best victim."""
    choices = [
        {"answers": [one], "text": ["as-it-is", {"text": str(one)}], "gain": 0.0, "gain_error": 0.1, "gap": gap}
        | {"gap_error": 0.1, "tied": False, "reasons": []}
        for one, gap in ((seat, 0.0), (3 - seat, 2.0))
    ]
    text = ["hint-best", {"answer": choices[0]["text"]}]
    return {"question": "victim", "unit": "points", "choices": choices, "worlds": 9, "text": text}


def test_hint_for_a_table_that_was_left_marks_nothing_at_the_next(server, new_player):
    """Both tables ask the same question, so only the request tells their hints apart."""
    ann = new_player(server)
    ann.change_settings(coach="always")
    asked = hold_requests(ann, "**/hint")
    for is_second in (False, True):
        message = open_faked_table(ann, server, "crystals", 4, {}, by_link=is_second)
        wait_for_requests(ann, asked, 1 + 2 * is_second)
        send_update(ann, update_with_question(message, "victim", [1, 2]))
        wait_for_requests(ann, asked, 2 + 2 * is_second)
    finish(ann, asked[1], hint_for(1))
    expect(ann.page.locator(".hinted")).to_have_count(0)
    asked[3].fulfill(json=hint_for(2))
    expect(ann.page.locator(".target.hinted")).to_have_count(1)
    expect(ann.page.locator("[data-spot='seat-2'] .target.hinted")).to_have_count(1)


def test_table_that_was_left_sends_no_automatic_answer(server, new_player):
    ann = new_player(server)
    ann.change_settings(autoPlay="always")
    clock = ann.install_clock()
    message = open_faked_table(ann, server, "crystals", 4, {})
    sent = record_answers(ann)
    send_update(ann, update_with_question(message, "victim", [1]))
    expect(ann.page.locator(".automatic")).to_have_count(1)
    ann.follow_link("/settings", "main.page h1, main.page h2")
    clock.run_for(60_000)
    ann.page.evaluate(NEXT_FRAME_JS)
    assert sent == [], "The table answered after it was left."


def test_fairness_check_may_end_after_the_final_screen_was_left(server, new_player):
    ann = new_player(server)
    finish_game(ann, "fourteen", 3, {"target": 5})
    held = hold_requests(ann, "**/verify")
    ann.open_more()
    ann.page.get_by_role("button", name="Check the deal").click()
    wait_for_requests(ann, held, 1)
    ann.follow_link("/settings", "main.page h1, main.page h2")
    finish(ann, held[0])  # errors of the page fail every test
