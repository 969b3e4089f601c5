"""Clocks on the page: the same times for everyone, exact to the second across a restart of the server."""

import contextlib

import apsw
from playwright.sync_api import Route

from tests.browser.conftest import INDEX_HTML, BrowserTestServer, wait_for
from tests.browser.player import Player
from tests.browser.scripts import Scripts
from tests.browser.test_accessibility import check_with_axe
from tests.browser.test_shared_table import join_by_invite

SCRIPTS = Scripts(__file__)

START_MS = 1_700_000_000_000
SECOND_MS, MINUTE_MS = 1_000, 60_000
MAX_LAG_MS = 500  # from a clock reaching zero to the loss on time

CLOCK_SELECTOR = "[data-spot=seat-{seat}] .clock"


def heartbeat_ms(server: BrowserTestServer) -> int:
    """Return the time of the server's last heartbeat in the database."""
    with contextlib.closing(
        apsw.Connection(str(server.data_dir / "diamonds.sqlite"), flags=apsw.SQLITE_OPEN_READONLY)
    ) as store:
        return int(store.execute("SELECT value FROM meta WHERE key = 'alive'").get or 0)


def freeze_page_clock(player: Player) -> None:
    """Stop time on this page, so that clocks show exactly the server's values."""
    player.add_init_script("performance.now = () => 1000")


def wait_for_clock(player: Player, seat: int, time: str) -> None:
    player.page.wait_for_function(
        "([clock, time]) => document.querySelector(clock)?.textContent.trim() === time",
        arg=[CLOCK_SELECTOR.format(seat=seat), time],
    )


def test_live_game_is_lost_on_time_across_a_restart_to_the_second(private_server, new_player):
    server = private_server
    server.restart_at(START_MS)
    opened = heartbeat_ms(server)
    ann, ben = new_player(server), new_player(server, "phone", "touch")
    freeze_page_clock(ann)
    freeze_page_clock(ben)
    link = join_by_invite(server, ann, ben, game="mines", seats=2, time_control={"initial_s": 60, "increment_s": 0})
    seat = ann.page.wait_for_function(
        "() => document.querySelector('.seat[aria-current=true]')?.dataset.spot.slice(-1)"
    ).json_value()
    wait_for_clock(ann, seat, "1:00")
    wait_for_clock(ben, seat, "1:00")
    server.set_time(START_MS + 23 * SECOND_MS)
    wait_for(lambda: heartbeat_ms(server) == opened + 23 * SECOND_MS, "The server writes no heartbeat.")
    for player in (ann, ben):
        player.page.wait_for_selector(".happened span")
    wait_for(  # without the server, a page cannot load its last parts
        lambda: sum(player.page.locator(".both").count() for player in (ann, ben)) == 1,
        "Nobody's turn badge is loaded.",
    )
    server.kill()
    server.set_time(START_MS + 60 * MINUTE_MS)
    server.start()
    ann.page.reload()
    ben.page.reload()
    wait_for_clock(ann, seat, "0:37")
    wait_for_clock(ben, seat, "0:37")
    server.set_time(START_MS + 60 * MINUTE_MS + 37 * SECOND_MS + MAX_LAG_MS - 1)
    ben.page.reload()
    wait_for_clock(ben, seat, "0:00")
    server.set_time(START_MS + 60 * MINUTE_MS + 37 * SECOND_MS + MAX_LAG_MS)
    wait_for_clock(ann, seat, "0:10")  # the time after a timeout
    wait_for_clock(ben, seat, "0:10")
    message = ann.page.request.get(f"{server.address}/api/tables/{link.split('/table/')[1].split('?')[0]}").json()
    told = [one["event"] for one in message["events"] if one["n"] == 1]
    assert told == [{"event": "timeout", "seat": int(seat)}], f"Expected a timeout first: {told}"
    assert message["n"] == 2, "Expected an answer by a bot."


def test_clocks_pause_when_both_agree_and_resume_when_one_asks(server, new_player):
    ann, ben = new_player(server), new_player(server, "phone", "touch")
    freeze_page_clock(ann)
    freeze_page_clock(ben)
    link = join_by_invite(server, ann, ben, game="mines", seats=2, time_control={"initial_s": 600, "increment_s": 5})
    eve = new_player(server)
    eve.open(link)
    for player in (ann, ben, eve):  # spectators see the same time
        player.page.wait_for_selector(CLOCK_SELECTOR.format(seat=0))
        player.page.wait_for_selector(CLOCK_SELECTOR.format(seat=1))
    ann.page.get_by_role("button", name="Propose a pause").click()
    ben.page.get_by_role("button", name="Agree").click()
    for player in (ann, ben):
        player.page.wait_for_selector(".actions >> text=Pause")
        player.page.wait_for_function("() => !document.querySelector('.clock.runs')")
    check_with_axe(ben, "a table where the clocks stand still")
    ben.page.locator(".actions").get_by_role("button", name="Resume").click()
    for player in (ann, ben):
        player.page.wait_for_selector(".clock.runs")


def test_idle_player_is_nudged_and_sees_it(private_server, new_player):
    server = private_server
    server.restart_at(START_MS)
    ann, ben = new_player(server), new_player(server, "phone", "touch")
    for player in (ann, ben):
        player.add_init_script(
            "{ const real = setTimeout; setTimeout = (f, ms, ...a) => real(f, ms > 14000 ? 1 : ms, ...a) }"
        )
    table = join_by_invite(server, ann, ben, game="mines", seats=2).split("/table/")[1].split("?")[0]
    silent = ann.page.wait_for_function(
        "() => document.querySelector('.seat[aria-current=true]')?.getAttribute('aria-label')"
    ).json_value()
    waits, asked = (ben, ann) if silent == "You" else (ann, ben)
    waits.page.get_by_role("button", name="Nudge").click()
    waits.page.wait_for_selector(".problem >> text=Give them 15")  # only this page's time was accelerated
    assert asked.get_table(table)["nudges"] == []
    server.set_time(START_MS + 15 * SECOND_MS)
    waits.page.get_by_role("button", name="Nudge").click()
    asked.page.locator(".nudged.shown", has_text="is waiting for you.").wait_for()
    waits.page.wait_for_function(
        "() => ![...document.querySelectorAll('button')].some((one) => one.textContent.includes('Nudge'))"
    )


def test_clock_without_loaded_messages_shows_time_and_no_id(server, new_player):
    ann = new_player(server)
    freeze_page_clock(ann)
    table = ann.create_table("mines", 2, time_control={"initial_s": 600, "increment_s": 5})["id"]
    [file] = [
        one.name for one in INDEX_HTML.parent.glob("assets/en-*.js") if "page-clock-left" in one.read_text("utf-8")
    ]
    held: list[Route] = []
    ann.route(f"**/assets/{file}", lambda route: held.append(route))
    ann.open(f"/table/{table}")
    wait_for_clock(ann, 0, "10:00")
    wait_for(lambda: bool(ann.page.title() and held), "The texts of clocks are not requested.")
    label = "document.querySelector('.clock').getAttribute('aria-label')"
    assert ann.page.evaluate(label) == "", "A message id is shown."
    for route in held:
        route.continue_()
    ann.page.wait_for_function(f"() => {label}.startsWith('Time left: 10 minutes')")


def test_card_planned_in_a_game_over_days_outlives_the_page(server, new_player):
    ann, ben = new_player(server), new_player(server, "phone", "touch")
    table = ann.create_table("fourteen", 3, places=["me", "open", "bot:simple"], time_control={"days_per_move": 1})[
        "id"
    ]
    ann.open(f"/table/{table}", ".invite input")
    ben.open(ann.page.input_value(".invite input"))
    ben.page.get_by_role("button", name="Sit here").click()
    wait_for(lambda: any(player.get_table(table)["open_question"] for player in (ann, ben)), "expected a question")
    waiting = ben if ann.get_table(table)["open_question"] else ann
    if waiting is ben:
        waiting.page.get_by_text("Plan your card", exact=True).click()
    panel = waiting.page.get_by_role("group", name="Plan your card:")
    spades = panel.get_by_label("When the suit is spades")
    card = spades.locator("option").nth(1).get_attribute("value")
    spades.select_option(card)
    raised = f".hand [data-card={card}].raised"
    waiting.page.wait_for_selector(raised)
    check_with_axe(waiting, "a table with a card planned")
    plan = waiting.page.request.get(f"{server.address}/api/tables/{table}/plan").json()
    assert plan["answers"] == [{"answer": f"play {card}", "suit": "S"}]
    waiting.page.reload()
    waiting.page.wait_for_selector(raised)
    if waiting is ben:
        waiting.page.get_by_text("Plan your card", exact=True).click()
    assert spades.input_value() == card, "expected the planned card on the server, not in the page"
    panel.get_by_label("Play forced moves for me").check()
    wait_for(
        lambda: waiting.page.request.get(f"{server.address}/api/tables/{table}/plan").json()["plays_forced"],
        "expected the setting to be stored",
    )
    spades.select_option("")
    waiting.page.wait_for_selector(raised, state="detached")


def test_page_leaves_forced_moves_of_a_game_over_days_to_the_server(server, new_player):
    ann, ben = new_player(server), new_player(server)
    clock = ann.install_clock()
    ann.change_settings(autoPlay="always")
    made = ann.create_table("fourteen", 3, places=["me", "open", "bot:simple"], time_control={"days_per_move": 1})
    table = made["id"]
    ann.post_to_table(table, "sit", {"nonce": "5eed"})
    invite = ann.get_table(table)["table"]["invite"]
    ben.page.request.get(f"{server.address}/api/server")
    ben.post_to_table(table, "sit", {"nonce": "5eed", "invite": invite})
    message = ann.play_by_api(table, lambda message: len(message["open_question"]["legal"]) == 1, [ben])
    assert message["open_question"]["question"] == "play"
    ann.open(f"/table/{table}", ".status.asked")
    with ann.page.expect_response("**/chat"):  # the reply arrives after everything that the page sent before
        clock.run_for(60_000)
        ann.page.evaluate(SCRIPTS["postHello"], table)
    assert ann.get_table(table)["n"] == message["n"], "an answer after seconds would reveal that there was no choice"
