"""Clocks on the page: everyone sees the same time, and it is kept over a restart of the house to the second."""

from __future__ import annotations

import contextlib
from collections.abc import Callable

import apsw
from playwright.sync_api import Route

from browser.conftest import PAGE, Server, wait_for
from browser.player import Player
from browser.test_access import examine
from browser.test_people import meet

BEGINNING = 1_700_000_000_000
SECOND, MINUTE = 1_000, 60_000
WAY = 500  # milliseconds, by which a flag falls later than a clock has run out

CLOCK = "[data-spot=seat-{seat}] .clock"


def sign_of_life(house: Server) -> int:
    """The time at which the house wrote down that it is open."""
    with contextlib.closing(
        apsw.Connection(str(house.data / "diamonds.sqlite"), flags=apsw.SQLITE_OPEN_READONLY)
    ) as store:
        return int(store.execute("SELECT value FROM meta WHERE key = 'alive'").get or 0)


def stand_still(player: Player) -> None:
    """On this page no time goes by: what its clocks show is what the house has told."""
    player.begin_with("performance.now = () => 1000")


def shows(player: Player, seat: int, time: str) -> None:
    """Wait until a clock shows a time."""
    player.page.wait_for_function(
        "([clock, time]) => document.querySelector(clock)?.textContent.trim() === time",
        arg=[CLOCK.format(seat=seat), time],
    )


def test_a_live_game_is_lost_on_time_across_a_restart_to_the_second(
    own_server: Server, person: Callable[..., Player]
) -> None:
    house = own_server
    house.stop()
    house.set_time(BEGINNING)
    house.start()
    opened = sign_of_life(house)
    ann, ben = person(house), person(house, "phone", "touch")
    stand_still(ann)
    stand_still(ben)
    link = meet(house, ann, ben, game="mines", seats=2, clock={"start": 60, "increment": 0})
    seat = ann.page.wait_for_function(
        "() => document.querySelector('.seat[aria-current=true]')?.dataset.spot.slice(-1)"
    ).json_value()
    shows(ann, seat, "1:00")
    shows(ben, seat, "1:00")
    house.set_time(BEGINNING + 23 * SECOND)
    wait_for(lambda: sign_of_life(house) == opened + 23 * SECOND, "The house does not write down that it is open.")
    house.kill()
    house.set_time(BEGINNING + 60 * MINUTE)
    house.start()
    ann.page.reload()
    ben.page.reload()
    shows(ann, seat, "0:37")
    shows(ben, seat, "0:37")
    house.set_time(BEGINNING + 60 * MINUTE + 37 * SECOND + WAY - 1)
    ben.page.reload()
    shows(ben, seat, "0:00")
    house.set_time(BEGINNING + 60 * MINUTE + 37 * SECOND + WAY)
    shows(ann, seat, "0:10")  # what one has after a time-out
    shows(ben, seat, "0:10")
    message = ann.page.request.get(f"{house.address}/api/tables/{link.split('/table/')[1].split('?')[0]}").json()
    told = [one["event"] for one in message["told"] if one["n"] == 1]
    assert told == [{"event": "timeout", "seat": int(seat)}], (
        f"The first that happened was that the time was up: {told}"
    )
    assert message["n"] == 2, "A bot has answered once."


def test_clocks_stand_still_when_both_agree_and_go_on_when_one_says_so(
    server: Server, person: Callable[..., Player]
) -> None:
    ann, ben = person(server), person(server, "phone", "touch")
    stand_still(ann)
    stand_still(ben)
    link = meet(server, ann, ben, game="mines", seats=2, clock={"start": 600, "increment": 5})
    eve = person(server)
    eve.open(link)
    for player in (ann, ben, eve):  # who watches sees the same time
        player.page.wait_for_selector(CLOCK.format(seat=0))
        player.page.wait_for_selector(CLOCK.format(seat=1))
    ann.page.get_by_role("button", name="Ask for a pause").click()
    ben.page.get_by_role("button", name="Agree").click()
    for player in (ann, ben):
        player.page.wait_for_selector(".actions >> text=Pause")
        player.page.wait_for_function("() => !document.querySelector('.clock.runs')")
    examine(ben, "a table where the clocks stand still")
    ben.page.locator(".actions").get_by_role("button", name="Go on").click()
    for player in (ann, ben):
        player.page.wait_for_selector(".clock.runs")


def test_whoever_is_waited_for_is_nudged_and_sees_it(own_server: Server, person: Callable[..., Player]) -> None:
    house = own_server
    house.stop()
    house.set_time(BEGINNING)
    house.start()
    ann, ben = person(house), person(house, "phone", "touch")
    for player in (ann, ben):
        player.begin_with(
            "{ const real = setTimeout; setTimeout = (f, ms, ...a) => real(f, ms > 14000 ? 1 : ms, ...a) }"
        )
    meet(house, ann, ben, game="mines", seats=2)
    silent = ann.page.wait_for_function(
        "() => document.querySelector('.seat[aria-current=true]')?.getAttribute('aria-label')"
    ).json_value()
    waits, asked = (ben, ann) if silent == "You" else (ann, ben)
    waits.page.get_by_role("button", name="Nudge").click()
    waits.page.wait_for_selector(".problem >> text=Give them 15")  # the page was in a hurry; the house is not
    assert asked.page.locator(".nudged.shown").count() == 0
    house.set_time(BEGINNING + 15 * SECOND)
    waits.page.get_by_role("button", name="Nudge").click()
    asked.page.locator(".nudged.shown", has_text="is waiting for you.").wait_for()
    waits.page.wait_for_function(
        "() => ![...document.querySelectorAll('button')].some((one) => one.textContent.includes('Nudge'))"
    )


def test_a_clock_whose_words_are_on_their_way_shows_its_time_and_no_id(
    server: Server, person: Callable[..., Player]
) -> None:
    ann = person(server)
    stand_still(ann)
    table = ann.make("mines", 2, clock={"start": 600, "increment": 5})["id"]
    [file] = [one.name for one in PAGE.parent.glob("assets/en-*.js") if "page-clock-left" in one.read_text("utf-8")]
    held: list[Route] = []
    ann.route(f"**/assets/{file}", lambda route: held.append(route))
    ann.open(f"/table/{table}")
    shows(ann, 0, "10:00")
    wait_for(lambda: bool(ann.page.title() and held), "The words of clocks are not asked for.")
    label = "document.querySelector('.clock').getAttribute('aria-label')"
    assert ann.page.evaluate(label) == "", "What is said of a clock has no words yet, and is an id."
    for route in held:
        route.continue_()
    ann.page.wait_for_function(f"() => {label}.startsWith('Time left: 10 minutes')")
