"""Accessibility: no axe violations, suits that everyone can distinguish, and large targets."""

import re
import time
from itertools import combinations
from math import dist
from pathlib import Path
from typing import Any

import pytest

from tests.browser.conftest import VIEWPORTS
from tests.browser.player import WAIT_TIMEOUT_MS, Player
from tests.browser.scripts import Scripts
from tests.browser.window_pool import BLANK_URL

SCRIPTS = Scripts(__file__)

WEB = Path(__file__).parents[2] / "web"
AXE_SCRIPT = WEB / "node_modules" / "axe-core" / "axe.min.js"
APP_STYLES = (WEB / "src" / "app.css").read_text(encoding="utf-8")


def check_with_axe(ann: Player, where: str) -> None:
    """Assert that axe finds no violation of any rule on the current page."""
    assert AXE_SCRIPT.exists(), "axe-core is not installed: run `npm ci` in web/."
    if not ann.page.evaluate("'axe' in window"):
        ann.page.evaluate(AXE_SCRIPT.read_text(encoding="utf-8"))
    found: list[dict[str, Any]] = ann.page.evaluate(SCRIPTS["findViolations"])
    told = [f"{one['id']}: {one['help']} ({one['nodes'][0]['html'][:160]})" for one in found]
    assert not told, f"axe on {where}:\n" + "\n".join(told)


# For each game, the number of different questions to check.
VARIANTS: list[tuple[str, int, dict[str, Any], int]] = [
    ("mines", 2, {}, 2),
    ("fourteen", 6, {"scoring": "bid"}, 2),
    ("crystals", 5, {"thief": True, "rounds": 1}, 3),
]


@pytest.mark.parametrize(("size", "theme"), [
    ("phone", "dark"),
    pytest.param("phone", "light", marks=pytest.mark.slow),
    pytest.param("desktop", "light", marks=pytest.mark.slow),
    pytest.param("desktop", "dark", marks=pytest.mark.slow),
])  # fmt: skip
def test_axe_finds_no_violation_from_the_lobby_to_the_replay(size, theme, server, new_player):
    ann = new_player(server, size, color_scheme=theme)
    ann.open_lobby()
    check_with_axe(ann, "the lobby")
    for game, seats, options, questions in VARIANTS:
        table = ann.sit_down(game, seats, options, by_link=True)
        examined: set[str] = set()
        while (question := ann.question()) and not question["over"]:
            if question["question"] not in examined:
                check_with_axe(ann, f"the table of {game}, where it asks to {question['question']}")
                examined.add(question["question"])
            if len(examined) == questions:
                break
            ann.answer_question(question)
    ann.play_in_background(table)
    ann.page.get_by_role("link", name="Review the game").wait_for()
    ann.wait_until_still()
    check_with_axe(ann, "the end")
    ann.open(f"/table/{table}/replay#9", ".slider")
    check_with_axe(ann, "the replay")
    ann.open("/settings", "main select")
    check_with_axe(ann, "the settings")


def test_layout_has_44px_targets_no_overflow_and_room_for_17_cards(server, new_player):
    ann = new_player(server)
    for game, seats in (("crystals", 6), ("mines", 2), ("fourteen", 3)):
        ann.sit_down(game, seats, by_link=ann.page.url != BLANK_URL)
        for size, (width, height) in VIEWPORTS.items():
            ann.resize_window(width, height)
            # The check is repeated while the page is moving. A failure names the element and what covers it.
            end = time.monotonic() + WAIT_TIMEOUT_MS / 1000
            while (small := ann.page.evaluate(SCRIPTS["findSmallTargets"])) and time.monotonic() < end:
                ann.page.wait_for_timeout(100)
            assert not small, f"{game}: too small to hit on a {size}: {small[:3]}"
            ann.assert_no_sideways_scrolling(f"{game} on a {size}")
    ann.resize_window(320, 640)
    assert ann.page.locator(".hand .card").count() >= 16
    hidden = ann.page.evaluate(SCRIPTS["findCoveredCards"])
    assert not hidden, f"These cards are covered: {hidden}"


@pytest.mark.parametrize("asked_by", ["the system", "the settings"])
def test_reduced_motion_places_everything_at_once(asked_by, server, new_player):
    ann = new_player(server, still=asked_by == "the system")
    ann.change_settings(motion="less" if asked_by == "the settings" else "system")
    ann.sit_down("fourteen", 3)
    travelling = ann.page.evaluate(SCRIPTS["findTransitions"])
    assert not travelling, f"These move: {travelling[:3]}"


# Colours

LIGHT_BACKGROUND, DARK_BACKGROUND = "#fdf8ec", "#efe6d1"  # card background in the light and the dark theme


def suit_colours() -> dict[str, str]:
    return {suit: re.search(rf"--suit-{suit}: (#\w+)", APP_STYLES)[1] for suit in "dhsc"}  # type: ignore[index]


def linear(colour: str) -> list[float]:
    parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    return [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]


def luminance(colour: str) -> float:
    red, green, blue = linear(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


# Machado, Oliveira, Fernandes 2009, severity 1.0, on linear RGB.
VISION_MATRICES = {
    "full": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
    "no red cones": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "no green cones": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "no blue cones": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}  # fmt: skip


def lab_colour(colour: str, sight: list[list[float]]) -> list[float]:
    seen = [max(0.0, sum(a * b for a, b in zip(row, linear(colour), strict=True))) for row in sight]
    xyz = [
        (0.4124 * seen[0] + 0.3576 * seen[1] + 0.1805 * seen[2]) / 0.9505,
        0.2126 * seen[0] + 0.7152 * seen[1] + 0.0722 * seen[2],
        (0.0193 * seen[0] + 0.1192 * seen[1] + 0.9505 * seen[2]) / 1.089,
    ]
    x, y, z = (t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116 for t in xyz)
    return [116 * y - 16, 500 * (x - y), 200 * (y - z)]


def least_distance(colours: dict[str, str]) -> tuple[float, str]:
    """Return the smallest distance between two suits' colours (CIE 1976) and the kind of sight that sees it."""
    return min(
        (dist(lab_colour(a, sight), lab_colour(b, sight)), f"{one} and {other} with {name}")
        for name, sight in VISION_MATRICES.items()
        for (one, a), (other, b) in combinations(colours.items(), 2)
    )


def test_four_suits_have_four_colours_for_every_kind_of_sight():
    apart, which = least_distance(suit_colours())
    assert apart >= 15, f"{which} are only {apart:.0f} apart."


def test_suit_colours_have_contrast_of_at_least_4_5():
    assert LIGHT_BACKGROUND in APP_STYLES
    assert DARK_BACKGROUND in APP_STYLES
    for suit, colour in suit_colours().items():
        for paper in (LIGHT_BACKGROUND, DARK_BACKGROUND):
            assert contrast(colour, paper) >= 4.5, f"{suit} on {paper}: {contrast(colour, paper):.1f}"
