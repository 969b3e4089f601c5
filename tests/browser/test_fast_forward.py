"""Skipping bot delays by a button, a key or a tap."""

import pytest

from tests.browser.player import Player


def skip_by_button(player: Player) -> None:
    player.page.get_by_role("button", name="Skip bot delays").click()


def skip_by_tap(player: Player) -> None:
    box = player.page.locator(".cloth").bounding_box()
    player.press({"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] - 8})


def skip_by_key(player: Player) -> None:
    player.page.keyboard.press("f")


@pytest.mark.parametrize(("ways", "size"), [([skip_by_button, skip_by_key], "desktop"), ([skip_by_tap], "phone")])
def test_fast_forward_ends_at_the_lone_players_next_decision(slow_bot_server, new_player, ways, size):
    ann = new_player(slow_bot_server, size, input_method="touch" if size == "phone" else "mouse")
    ann.sit_down("fourteen", 3, asked=False)
    ways = [*ways]
    while ways:
        if ann.wait_for_turn() == "asked":
            n = ann.page.locator("main.table").get_attribute("data-n")
            ann.answer_question()
            ann.page.wait_for_function("(n) => document.querySelector('main.table').dataset.n !== n", arg=n)
        else:
            ways.pop()(ann)
            ann.page.wait_for_selector("main.table[data-question]")
