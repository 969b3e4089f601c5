"""Games of one's own: the page plays them by itself, keeps every answer, and asks the house for nothing."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import made
from browser.conftest import Server
from browser.player import Player
from diamonds import records

pytestmark = pytest.mark.kernels

KEPT = "() => navigator.serviceWorker.ready.then((there) => there.active.state === 'activated')"
# Bots answer as soon as they have thought: nobody looks at a test.
SOON = """{
  const later = window.setTimeout
  window.setTimeout = (go, wait, ...more) => later(go, wait < 2500 ? 0 : wait, ...more)
}"""


@pytest.fixture(scope="session")
def engine() -> Path:
    """The modules that the house serves."""
    return made.engine()


@pytest.fixture
def ann(engine: Path, server: Server, person: Callable[..., Player]) -> Player:
    one = person(server)
    one.begin_with(SOON)
    return one


def begin(ann: Player, game: str, level: str = "3") -> str:
    """A new game on this device; returns its table's id."""
    choice = {"game": game, "seats": {"crystals": 3}.get(game, 2), "level": level, "pace": "quick"}
    ann.begin_with(
        f"localStorage.getItem('diamonds.choice') ?? localStorage.setItem('diamonds.choice', {json.dumps(json.dumps(choice))})"
    )
    ann.open("/own")
    ann.page.get_by_role("button", name="Play here").click()
    ann.page.wait_for_selector(".cloth")
    return ann.page.url.rsplit("/", 1)[-1]


def test_a_page_that_was_opened_once_begins_and_plays_games_without_its_house(
    engine: Path, own_server: Server, person: Callable[..., Player]
) -> None:
    ann = person(own_server, service_workers="allow")
    ann.begin_with(SOON)
    ann.open("/own")
    ann.page.get_by_role("button", name="Play here").wait_for()
    ann.page.wait_for_function(KEPT)  # nobody has asked for it
    own_server.stop()
    table = begin(ann, "crystals", level="1")
    while ann.asked()["question"] != "play":  # type: ignore[index]
        ann.turn()
    n = ann.state()["n"]
    ann.page.close()
    ann.page = ann.context.new_page()
    ann.open("/own")
    ann.page.get_by_role("link", name="Crystals").click()
    ann.asked()
    assert ann.page.url.endswith(table)
    assert ann.state()["n"] == n, "A game without the house begins anew, or goes on by itself."
    ann.open("/own")
    ann.page.get_by_role("radio", name="Mines").click()
    ann.page.get_by_role("button", name="Play here").click()
    assert ann.play_to_the_end() > 5
    ann.page.wait_for_selector(".end .chart")
    ann.page.get_by_role("link", name="Replay").click()
    ann.page.wait_for_selector(".slider input")


def listen(ann: Player) -> list[str]:
    """What is asked from now on of the house's tables."""
    asked: list[str] = []
    ann.on("request", lambda request: asked.append(request.url) if "/api/tables/" in request.url else None)
    return asked


def test_a_whole_game_is_played_on_this_device_and_its_record_verifies(ann: Player) -> None:
    asked = listen(ann)
    begin(ann, "mines")
    assert ann.play_to_the_end() > 5
    ann.page.wait_for_selector(".end .chart")
    with ann.page.expect_download() as saved:
        ann.page.get_by_role("link", name="Record").click()
    match = records.read_record(Path(saved.value.path()).read_bytes())
    assert match.over
    assert match.seated == ["person", "bot:3"]
    ann.page.get_by_role("link", name="Replay").click()
    ann.page.wait_for_selector(".slider input")
    assert ann.page.locator(".slider input").get_attribute("max") == str(match.n)
    assert not asked, f"The house was asked for {asked[:3]}, of a game that is on this device."


def test_a_game_goes_on_exactly_where_the_page_was_left_and_is_listed_until_it_is_removed(ann: Player) -> None:
    table = begin(ann, "crystals", level="1")
    while ann.asked()["question"] != "play":  # type: ignore[index]
        ann.turn()
    ann.turn()
    ann.asked()
    ann.rest()
    before = ann.state()
    ann.page.reload()
    ann.asked()
    ann.page.wait_for_selector(".cut", state="detached")
    ann.rest()
    assert ann.state() == before, "A page that was loaded anew shows another game."
    ann.open("/own")
    game = ann.page.locator("main li")
    game.get_by_text("your turn").wait_for()
    assert game.get_by_role("link").get_attribute("href") == f"/table/{table}"
    game.get_by_role("button", name="Remove Crystals").click()
    game.get_by_role("button", name="Remove for good").click()
    game.wait_for(state="detached")


def test_a_second_tab_hears_what_happens_in_the_first_and_plays_on_itself(ann: Player) -> None:
    table = begin(ann, "mines", level="1")
    ann.asked()
    other = ann.context.new_page()
    other.goto(f"{ann.address}/table/{table}")
    other.wait_for_selector("main.table[data-question]")
    n = ann.state()["n"]
    ann.turn()
    other.wait_for_function("(n) => document.querySelector('main.table').dataset.n > n", arg=int(n))
    other.wait_for_function("() => document.querySelector('main.table').dataset.question")
    n = other.evaluate("() => document.querySelector('main.table').dataset.n")
    other.locator(".spot.open, .choices button").first.click()
    ann.page.wait_for_function("(n) => document.querySelector('main.table').dataset.n > n", arg=int(n))
    other.close()
