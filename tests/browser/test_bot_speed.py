"""Bot speed: skipping delays, planned cards, and rematches by one press."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable, Iterator

import pytest

from tests.browser.conftest import BrowserTestServer
from tests.browser.player import Player
from tests.browser.scripts import Scripts
from tests.browser.test_turn_badge import sit_at_second_table

SCRIPTS = Scripts(__file__)


@pytest.fixture(scope="module")
def slow_bot_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BrowserTestServer]:
    """A server whose bots take a minute for each answer unless they are skipped."""
    one = BrowserTestServer(tmp_path_factory.mktemp("slow") / "server", bot_delay="60")
    one.is_shared = True
    yield one
    one.stop()


def skip_by_button(player: Player) -> None:
    player.page.get_by_role("button", name="Skip bot delays").click()


def skip_by_tap(player: Player) -> None:
    box = player.page.locator(".cloth").bounding_box()
    assert box is not None
    player.press({"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] - 8})


def skip_by_key(player: Player) -> None:
    player.page.keyboard.press("f")


@pytest.mark.parametrize(("ways", "size"), [([skip_by_button, skip_by_key], "desktop"), ([skip_by_tap], "phone")])
def test_fast_forward_ends_at_the_lone_players_next_decision(
    slow_bot_server: BrowserTestServer,
    new_player: Callable[..., Player],
    ways: list[Callable[[Player], None]],
    size: str,
) -> None:
    ann = new_player(slow_bot_server, size, input_method="touch" if size == "phone" else "mouse")
    ann.sit_down("fourteen", 3)
    ways = [*ways]
    while ways:
        if ann.page.wait_for_function(SCRIPTS["readTurn"]).json_value() == "asked":
            n = ann.page.locator("main.table").get_attribute("data-n")
            ann.answer_question()
            ann.page.wait_for_function("(n) => document.querySelector('main.table').dataset.n !== n", arg=n)
        else:
            ways.pop()(ann)
            ann.page.wait_for_selector("main.table[data-question]")


def test_planned_card_is_played_if_the_led_suit_allows_it(
    slow_bot_server: BrowserTestServer, new_player: Callable[..., Player]
) -> None:
    """Play fourteen until one planned card has been played, and another rejected because it did not follow suit."""
    ann = new_player(slow_bot_server)
    ann.sit_down("fourteen", 3)
    played = refused = 0
    while not (played and refused):
        if ann.page.wait_for_function(SCRIPTS["readTurn"]).json_value() == "asked":
            n = ann.page.locator("main.table").get_attribute("data-n")
            ann.answer_question()
            ann.page.wait_for_function("(n) => document.querySelector('main.table').dataset.n !== n", arg=n)
            continue
        ann.wait_until_still()
        card = ann.page.locator(".hand .card").nth(0 if refused else -1)
        name = card.get_attribute("data-card")
        card.focus()
        ann.page.keyboard.press("Enter")
        ann.page.wait_for_selector(f".hand .card.raised[data-card={name}]")
        skip_by_button(ann)
        ann.page.wait_for_function(SCRIPTS["isCardGoneOrTurnOpen"], arg=name)
        if ann.page.locator(f".hand .card[data-card={name}]").count():
            assert not ann.page.locator(f".hand .card.open[data-card={name}]").count(), (
                "expected the legal planned card to be played"
            )
            assert not ann.page.locator(".hand .card.raised").count(), "expected the illegal planned card to be dropped"
            refused += 1
        else:
            played += 1


def test_planned_card_needs_its_second_tap_when_double_tap_is_set(
    slow_bot_server: BrowserTestServer, new_player: Callable[..., Player]
) -> None:
    ann = new_player(slow_bot_server, "phone", "touch")
    ann.change_settings(confirmTouch=True)
    ann.sit_down("fourteen", 3)
    while True:
        if ann.page.wait_for_function(SCRIPTS["readTurn"]).json_value() == "asked":
            n = ann.page.locator("main.table").get_attribute("data-n")
            for _ in range(2):
                ann.press(ann.question()["cards"][0])  # type: ignore[index]
            ann.page.wait_for_function("(n) => document.querySelector('main.table').dataset.n !== n", arg=n)
            continue
        ann.wait_until_still()
        card = ann.page.locator(".hand .card").first
        name = card.get_attribute("data-card")
        card.tap(position={"x": 9, "y": 12})
        ann.page.wait_for_selector(f".hand .card.raised[data-card={name}]")
        ann.page.keyboard.press("f")
        ann.page.wait_for_function(SCRIPTS["isCardGoneOrTurnOpen"], arg=name)
        assert ann.page.locator(f".hand .card[data-card={name}]").count(), "One tap played the card."
        if ann.page.locator(f".hand .card.open[data-card={name}]").count():
            break
    ann.page.wait_for_selector(f".hand .card.raised[data-card={name}]")
    ann.wait_until_still()
    ann.page.locator(f".hand .card[data-card={name}]").tap(position={"x": 9, "y": 12})
    ann.page.wait_for_selector(f".hand .card[data-card={name}]", state="detached")


def test_rematch_needs_one_press_each_and_rotates_seats(
    server: BrowserTestServer, new_player: Callable[..., Player]
) -> None:
    friends = [new_player(server), new_player(server, "phone", "touch"), new_player(server)]
    ann, *others = friends
    made = ann.create_table(seats=3, options={"rounds": 1}, places=["me", "open", "open"])
    old = made["id"]
    for one in friends:
        one.page.request.get(f"{server.address}/api/server")  # the first request makes the player a guest
        one.post_to_table(old, "sit", {"invite": made["invite"], "nonce": "5eed", "idempotency_key": uuid.uuid4().hex})
    seats = [one.get_table(old)["seat"] for one in friends]
    assert sorted(seats) == [0, 1, 2]
    ann.play_by_api(old, others=others)
    for one in friends:  # if another player was faster, the same button has another name
        one.open(f"/table/{old}")
        one.page.wait_for_selector(".end")
        one.page.get_by_role("button", name=re.compile("^(Play again|Join the next game)$")).click()
        one.page.wait_for_url(lambda url: f"/table/{old}" not in url)
    for one in friends:
        one.page.wait_for_selector(".cloth")
    tables = {one.page.evaluate("location.pathname").rpartition("/")[2] for one in friends}
    assert len(tables) == 1, f"The players are at different tables: {tables}."
    table = tables.pop()
    assert [one.get_table(table)["seat"] for one in friends] == [(seat + 1) % 3 for seat in seats], (
        "A player has another seat than expected."
    )


def test_host_opens_the_seat_of_an_absent_person(server: BrowserTestServer, new_player: Callable[..., Player]) -> None:
    ann, ben = new_player(server), new_player(server)
    table = sit_at_second_table(server, ann, ben, None)
    ann.play_by_api(table, others=[ben])
    ann.open(f"/table/{table}")
    ann.page.get_by_role("button", name="Play again", exact=True).click()
    kept = ann.page.get_by_role("button", name="Open this seat")
    kept.click()
    kept.wait_for(state="detached")
    path = "/api/tables/" + ann.page.evaluate("location.pathname").rsplit("/", 1)[-1]
    places = ann.page.evaluate(f"async () => (await (await fetch('{path}')).json()).table.seat_holders")
    assert sorted((place["kind"], place["reserved"]) for place in places) == [("open", False), ("person", False)]
