"""Nothing on the table moves when something else changes, and questions cover nothing.

Made-up messages contain every number, including rare large ones.
"""

import copy
import json
from collections.abc import Sequence
from itertools import cycle, islice
from typing import Any

import pytest

from tests.browser.conftest import VIEWPORTS, BrowserTestServer, wait_for
from tests.browser.player import Player
from tests.browser.scripts import Scripts
from tests.browser.window_pool import BLANK_URL
from tests.support.sample_sizes import short_or_long

SCRIPTS = Scripts(__file__)

VARIANTS: dict[str, list[tuple[int, dict[str, Any]]]] = {
    "crystals": [
        *[(seats, {"thief": seats % 2 == 0}) for seats in (2, 3, 4, 5, 6)],
        (4, {"partnership": True}),
        (6, {"partnership": True, "thief": True}),
        (3, {"memory_aid": False}),
    ],
    "fourteen": [*[(seats, {}) for seats in (3, 4, 5, 6)], (4, {"scoring": "bid"}), (6, {"scoring": "bid", "target": 200}), (5, {"scoring": "tricks"})],
    "mines": [(2, {})],
}  # fmt: skip


def update_after(message: dict[str, Any], steps: int = 1) -> dict[str, Any]:
    """Return the message as it would be ``steps`` answers later."""
    message = copy.deepcopy(message)
    message["n"] += steps
    message["version"] += steps
    return message


def update_with_numbers(message: dict[str, Any], k: int, steps: int) -> dict[str, Any]:
    """Return the message as it would be ``steps`` answers later, with k for every number."""
    message = update_after(message, steps)
    view = message["view"]
    seats = view["seats"]
    for name in ("tricks", "showroom", "totals", "bid", "hand_size"):
        if name in view:
            view[name] = [k] * seats
    if "vault" in view:
        view["vault"] = [None if points is None else k for points in view["vault"]]
        view["taken"] = [[None if one is None else k for one in row] for row in view["taken"]]
        view["supply"] = 235 - 7 * k
        view["led"] = [None, "D", "H"][k % 3]
        if view["thief"]:
            view["thief_at"] = k % seats
    elif "taken" in view:
        view["taken"] = [k] * seats
    else:
        view["left"] = [(k + pile) % 5 for pile in range(13)]
        view["owner"] = [[None, 0, 1][(k + pile) % 3] for pile in range(13)]
        view["passed"] = [k % 2 == 0, k % 2 == 1]
    return message


def update_with_question(message: dict[str, Any], question: str, legal: list[int]) -> dict[str, Any]:
    message = update_after(message)
    message["view"] |= {"to_act": [message["seat"]], "question": question}
    message["view"]["trick"] = []
    message["open_question"] = {"question": question, "legal": legal, "illegal": []}
    return message


def open_faked_table(
    ann: Player, server: BrowserTestServer, game: str, seats: int, options: dict[str, Any], by_link: bool = False
) -> dict[str, Any]:
    """Open a table whose stream the test controls, or go to it from such a table; return its first message."""
    ann.add_init_script(SCRIPTS.call("fakeStream"))
    table = ann.take_seat(game, seats, options)
    # Once Ann is asked, the bots have answered, so the table is the same in each run.
    wait_for(lambda: ann.get_table(table)["open_question"] is not None, "Ann is not asked.")
    message: dict[str, Any] = ann.get_table(table)
    if by_link:
        ann.page.evaluate("() => { window.stream = null }")
    (ann.follow_link if by_link else ann.open)(f"/table/{table}")
    send_update(ann, message)
    ann.page.wait_for_selector(".hand, .field")
    return message


def send_update(ann: Player, message: dict[str, Any]) -> None:
    ann.page.wait_for_function("() => window.stream?.onmessage")
    ann.page.evaluate("(message) => tell(message)", json.dumps(message))


def send_state(
    ann: Player,
    message: dict[str, Any],
    events: Sequence[dict[str, Any]] = (),
    ask: tuple[str, list[Any]] | None = None,
    steps: int = 1,
    **view: Any,
) -> dict[str, Any]:
    """Send the message as it would be ``steps`` answers later, with these events, question and values; return it.

    The question stays open unless another seat is to act.
    """
    message = update_after(message, steps)
    message["view"] |= view
    message["events"] = [{"n": message["n"], "event": event} for event in events]
    if ask:
        message["open_question"] = {"question": ask[0], "legal": ask[1], "illegal": []}
    elif message["seat"] not in message["view"]["to_act"]:
        message["open_question"] = None
    send_update(ann, message)
    return message


QUESTIONS = {
    "crystals": [("count", [1, 2, 3]), ("victim", [1, 2])],
    "fourteen": [("bid", list(range(14)))],
    "mines": [],
}


@short_or_long("numbers_and_sizes", ((9, 24), 1), ((2, 7, 9, 10, 11, 18, 24), len(VIEWPORTS)))
@pytest.mark.parametrize("game", sorted(VARIANTS))
def test_numbers_and_questions_move_and_cover_nothing(game, numbers_and_sizes, server, new_player):
    """Open every table on a phone, and check numbers and questions on one screen in turn (`-m slow`: on all)."""
    numbers, most = numbers_and_sizes
    ann = new_player(server)
    turns = cycle(VIEWPORTS)
    for seats, options in VARIANTS[game]:
        message = open_faked_table(ann, server, game, seats, options, by_link=ann.page.url != BLANK_URL)
        ann.resize_window(*VIEWPORTS["phone"])
        longer, hidden = ann.page.evaluate(SCRIPTS["measureOverflow"])
        where = f"{game}, {seats} seats, {options}"
        assert longer <= 0, f"{where}: the page is {longer} pixels longer than a phone."
        assert hidden <= 0.5, f"{where}: on a phone the hand covers {hidden:.0f} pixels of the player's seat."
        for size in islice(turns, most):
            ann.resize_window(*VIEWPORTS[size])
            message = check_numbers_stay_put(ann, message, numbers, f"{where}, on a {size}")
            for question, legal in QUESTIONS[game]:
                legal = [one for one in legal if question == "bid" or one < seats + 2]
                message = check_question_covers_nothing(ann, message, question, legal, f"{where}, on a {size}")


def check_numbers_stay_put(
    ann: Player, message: dict[str, Any], numbers: tuple[int, ...], where: str
) -> dict[str, Any]:
    """Assert that no number moves anything; return the last message, with the original numbers."""
    send_update(ann, update_with_numbers(message, 1, 1))
    first = ann.page.evaluate(SCRIPTS["readPositions"])
    assert len(first) > 20, f"Expected more than {len(first)} elements on the table."
    for told, k in enumerate(numbers, 2):
        send_update(ann, update_with_numbers(message, k, told))
        assert ann.page.locator("main.table").get_attribute("data-n") == str(message["n"] + told)
        now = ann.page.evaluate(SCRIPTS["readPositions"])
        moved = [f"{name} {at} → {now.get(name)}" for name, at in first.items() if now.get(name) != at]
        assert not moved, f"{where}: {k} instead of 1 moved {moved[:5]}"
        out = ann.page.evaluate(SCRIPTS["findClipped"])
        assert not out, f"{where}: with {k}, these leave their place: {out[:4]}"
    return update_after(message, len(numbers) + 2)


def check_question_covers_nothing(
    ann: Player, message: dict[str, Any], question: str, legal: list[int], where: str
) -> dict[str, Any]:
    """Assert that the question and its answers cover nothing; return the message for the next check."""
    send_update(ann, message)
    before = ann.page.evaluate(SCRIPTS["readPositions"])
    send_update(ann, update_with_question(message, question, legal))
    covered = ann.page.evaluate(SCRIPTS["findCovered"])
    buttons = "button.target" if question == "victim" else ".choices button"
    assert ann.page.locator(buttons).count() >= 1, f"{where}: expected buttons."
    assert not covered, f"{where}: {covered[:3]}"
    after = ann.page.evaluate(SCRIPTS["readPositions"])
    jumped = [name for name, at in before.items() if after.get(name, at) != at]
    assert not jumped, f"{where}: the question {question} moved {jumped[:3]}"
    return update_after(message, 2)


def test_log_follows_its_end_unless_scrolled_up(server, new_player):
    ann = new_player(server)
    ann.sit_down("fourteen", 3)
    ann.page.set_viewport_size({"width": 1280, "height": 560})
    ann.question()
    log = ann.page.evaluate(SCRIPTS["measureLog"])
    assert log["first"] < 0, "Expected a short log to begin at the top."
    while log["first"] < 50:
        ann.answer_and_wait()
        ann.page.wait_for_function(f"() => ({SCRIPTS['measureLog']})().last < 0")  # the newest line is visible
        log = ann.page.evaluate(SCRIPTS["measureLog"])
    ann.page.locator(".log").press("Home")
    ann.page.wait_for_function(f"() => ({SCRIPTS['measureLog']})().first < 0")
    ann.answer_and_wait()
    later = ann.page.evaluate(SCRIPTS["measureLog"])
    assert later["n"] > log["n"]
    assert later["first"] < 0, "The log scrolled while it was being read."
