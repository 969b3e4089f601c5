"""The generic board of an unknown game: every visible value is listed, and every legal answer is a button."""

import json
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.player import Player
from tests.browser.test_accessibility import check_with_axe

FIRST_VIEW = {
    "seats": 2, "to_act": [0], "question": "take", "deals": 0, "over": False, "team": [0, 1], "heaps_left": [3, 4, 5],
    "shown_card": "H7", "owner": None,
}  # fmt: skip
GAME = "constructor"  # every object has a member of this name, but no game has this name


def made_up_table(ann: Player, **more: Any) -> dict[str, Any]:
    """Let the page open ``/table/made-up``, a table of an unknown game; return the server's message about it."""
    message = ann.get_table(ann.take_seat("mines", 2))
    table = message["table"] | {"id": "made-up", "game": GAME, "title": "Nim", "options": {}}
    asks = {"question": "take", "legal": [1, 2, "D9", "give up"], "illegal": []}
    events = [{"n": 1, "event": {"event": "took", "seat": 1, "card": "H7"}}]
    told = {"version": 1, "n": 1, "view": FIRST_VIEW, "events": events, "open_question": asks, "table": table, **more}
    body = f"retry: 600000\nid: 1\ndata: {json.dumps(message | told)}\n\n"
    ann.route("**/api/tables/made-up/stream*", lambda route: route.fulfill(content_type="text/event-stream", body=body))
    return message | told


@pytest.mark.parametrize("size", ["phone", pytest.param("desktop", marks=pytest.mark.slow)])
def test_unknown_game_is_listed_and_played_by_buttons(size, server, new_player):
    ann = new_player(server, size)
    bot = made_up_table(ann)["table"]["seat_holders"][1]["name"]
    ann.route("**/api/tables/made-up/answers", lambda route: route.fulfill(json={"n": 2, "version": 2}))
    ann.open("/table/made-up", ".choices button")
    shown = ann.page.locator(".cloth").inner_text()
    for words in ("heaps left", "3, 4, 5", "shown card", "owner"):
        assert words in shown, f"“{words}” of the made-up game is not shown: {shown}"
    assert ann.page.locator(".fields .suit.H").count() == 1, "Expected the card of the view with its suit."
    expect(ann.page.locator(".words"), "The event is not shown.").to_contain_text(f"-took seat={bot} card=")
    expect(ann.page.locator(".status")).to_have_text(f"Your turn. {GAME}-question-take")
    buttons = ann.page.locator(".choices button")
    names = [buttons.nth(k).get_attribute("data-answer") for k in range(buttons.count())]
    assert names == ["1", "2", "D9", "give up"], f"Expected the legal answers as buttons: {names}"
    check_with_axe(ann, "the table of a made-up game")
    with ann.page.expect_request("**/answers") as sent:
        ann.page.get_by_role("button", name="give up").click()
    answered = sent.value.post_data_json["answers"]
    assert answered == ["take give up"], f"The button sent another answer: {answered}"
    ann.page.wait_for_function("() => !document.querySelector('.choices')")


def test_unknown_game_shows_scores_at_the_end(server, new_player):
    ann = new_player(server)
    result = {"scores": [3, 5], "winners": [1], "ended": "last"}
    over = {"view": {**FIRST_VIEW, "over": True, "to_act": []}, "open_question": None, "result": result}
    table = made_up_table(ann, **over)["table"]
    replay = {"table": table, "result": result, "steps": []}
    ann.route("**/api/tables/made-up/replay", lambda route: route.fulfill(json=replay))
    ann.open("/table/made-up", ".end .scores")
    assert ann.page.locator(".end h1").inner_text() == "You lost"
    scores = [row.inner_text().split() for row in ann.page.locator(".scores tbody tr").all()]
    bot = table["seat_holders"][1]["name"]
    assert scores == [[bot, "5"], ["You", "3"]], f"The scores of the made-up game: {scores}"
