"""The generic board of an unknown game: every visible value is listed, and every legal answer is a button."""

import json
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Route, expect

from diamonds.server.api import tables as messages
from tests.browser.test_accessibility import check_with_axe

TABLE_INFO: dict[str, Any] = {
    "id": "made-up",
    "game": "constructor",  # every object has a member of this name, but no game has this name
    "title": "Nim",
    "seats": 2,
    "options": {},
    "seat_holders": [
        {
            "seat": 0, "kind": "person", "name": "Ann", "level": None, "connected": True, "substituted": False,
            "reserved": False,
        },
        {
            "seat": 1, "kind": "bot", "name": "Bob", "level": "1", "connected": True, "substituted": False,
            "reserved": False,
        },
    ],
    "phase": "playing",
    "private": True,
    "substitute_after_s": 0,
    "hints": False,
    "bot_speed": "steady",
    "time_control": None,
    "chat_mode": "all",
    "chat_disabled": False,
    "former_player": False,
    "is_host": True,
    "invite": None,
    "reserved_seat": None,
    "commitment": "",
    "fork": None,
    "daily": None,
    "match": None,
    "rematch_table": None,
    "spectators": 0,
    "proposal": None,
    "chat": [],
}  # fmt: skip
for place in TABLE_INFO["seat_holders"]:
    place["bot_status"] = ""
FIRST_VIEW = {
    "seats": 2, "to_act": [0], "question": "take", "deals": 0, "over": False, "team": [0, 1], "heaps_left": [3, 4, 5],
    "shown_card": "H7", "owner": None,
}  # fmt: skip


def table_update(n: int, **more: Any) -> dict[str, Any]:
    asks = {"question": "take", "legal": [1, 2, "D9", "give up"], "illegal": []}
    return {
        "version": n, "n": n, "seat": 0, "view": {**FIRST_VIEW, "over": False},
        "events": [{"n": n, "event": {"event": "took", "seat": 1, "card": "H7"}}], "oldest_visible": 0,
        "open_question": asks, "undo_min": None, "undo_last": None, "result": None, "table": TABLE_INFO,
        "clocks": None, "nudges": [], **more,
    }  # fmt: skip


def send_stream(route: Route, n: int, **more: Any) -> None:
    told = table_update(n, **more)
    msgspec.convert(told, messages.TableUpdate)  # made up, but as complete as the server's message
    body = f"retry: 600000\nid: {n}\ndata: {json.dumps(told)}\n\n"
    route.fulfill(content_type="text/event-stream", body=body)


@pytest.mark.parametrize("size", ["phone", pytest.param("desktop", marks=pytest.mark.slow)])
def test_unknown_game_is_listed_and_played_by_buttons(size, server, new_player):
    ann = new_player(server, size)
    ann.route("**/api/tables/made-up/stream*", lambda route: send_stream(route, 1))
    ann.route("**/api/tables/made-up/answers", lambda route: route.fulfill(json={"n": 2, "version": 2}))
    ann.open("/table/made-up")
    ann.page.wait_for_selector(".choices button")
    shown = ann.page.locator(".cloth").inner_text()
    for words in ("heaps left", "3, 4, 5", "shown card", "owner"):
        assert words in shown, f"“{words}” of the made-up game is not shown: {shown}"
    assert ann.page.locator(".fields .suit.H").count() == 1, "Expected the card of the view with its suit."
    expect(ann.page.locator(".words"), "The event is not shown.").to_contain_text("-took seat=Bob card=")
    expect(ann.page.locator(".status")).to_have_text(f"Your turn. {TABLE_INFO['game']}-question-take")
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
    replay = {"table": TABLE_INFO, "result": result, "steps": []}
    ann.route("**/api/tables/made-up/stream*", lambda route: send_stream(route, 9, **over))
    ann.route("**/api/tables/made-up/replay", lambda route: route.fulfill(json=replay))
    ann.open("/table/made-up")
    ann.page.wait_for_selector(".end .scores")
    assert ann.page.locator(".end h1").inner_text() == "You lost"
    scores = [row.inner_text().split() for row in ann.page.locator(".scores tbody tr").all()]
    assert scores == [["Bob", "5"], ["You", "3"]], f"The scores of the made-up game: {scores}"
