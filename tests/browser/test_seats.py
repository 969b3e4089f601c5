"""Seats: the player's contribution to the shuffle, reservations, proposals, forks and rematches."""

from typing import Any

from playwright.sync_api import expect

from tests.browser.scripts import Scripts
from tests.browser.test_turn_badge import sit_at_second_table

SCRIPTS = Scripts(__file__)


def test_r3_record_has_the_nonces_the_clients_drew_after_the_commitment(server, new_player):
    ann, ben = new_player(server), new_player(server)
    for one in (ann, ben):
        one.add_init_script(SCRIPTS.call("recordStream"))
    made = ann.create_table("fourteen", 3, {"target": 5}, ["me", "open", "bot:simple"])
    ann.open(f"/table/{made['id']}", ".invite")
    ben.open(f"/table/{made['id']}?invite={made['invite']}")
    ben.page.get_by_role("button", name="Sit here").click()
    for one in (ann, ben):
        one.page.wait_for_selector(".hand .card")
        expect(one.page.locator(".log"), "A waiting player does not see the cut (F2).").to_contain_text("You cut")
    sat = [one.page.evaluate("() => window.sat") for one in (ann, ben)]
    for one in (ann, ben):
        one.follow_link("/settings")  # a page that draws nothing
    ann.play_by_api(made["id"], others=[ben])
    record: dict[str, Any] = ann.page.request.get(f"{server.address}/api/tables/{made['id']}/record").json()
    for [one] in sat:
        assert one["told"], "The page drew its nonce before it knew the commitment."
        assert set(one["told"]) == {record["commitment"]} == {made["commitment"]}
        assert len(one["nonce"]) == 32, "Expected a nonce of sixteen bytes."
    assert record["nonces"] == [sat[0][0]["nonce"], sat[1][0]["nonce"], ""]
    assert sat[0][0]["nonce"] != sat[1][0]["nonce"]


def test_reload_takes_the_reserved_seat_and_standing_up_allows_return(server, new_player):
    ann = new_player(server)
    made = ann.create_table("fourteen", 3)
    ann.route("**/sit", lambda route: route.abort())
    ann.open(f"/table/{made['id']}", "text=Opening the table")
    ann.page.unroute("**/sit")
    ann.page.reload()
    ann.page.wait_for_selector(".hand .card")

    ann.question()
    hand = ann.shown_state()["hand"]
    leave = ann.page.get_by_role("button", name="Leave the game")
    leave.click()
    expect(ann.page.get_by_role("group", name="Leave the game")).to_contain_text("a bot plays on for you")
    assert ann.get_table(made["id"])["seat"] is not None, "one press gave the seat away"
    ann.page.get_by_role("button", name="Stay").click()
    leave.click()
    leave.click()
    ann.page.wait_for_selector(".watching")
    expect(ann.page.locator(".hand .card"), "A player who left the seat still sees its hand.").to_have_count(0)
    expect(ann.page.locator("[data-spot='seat-0'] .name")).to_have_text("Seat 1")
    ann.page.get_by_role("button", name="Sit down again").click()
    ann.page.wait_for_selector(".hand .card")
    ann.question()
    assert ann.shown_state()["hand"] == hand


def test_fork_reports_that_its_cards_were_known(server, new_player):
    ann = new_player(server)
    table = ann.sit_down("crystals", 4, {"rounds": 1})
    assert ann.page.get_by_text("cards were known").count() == 0
    over = ann.play_in_background(table)["n"]
    assert ann.page.get_by_text("cards were known").count() == 0
    ann.open(f"/table/{table}/replay#{over - 5}")  # with few decisions left to search
    ann.page.get_by_role("button", name="Continue from here").click()
    ann.page.wait_for_selector(".hand .card")
    ann.page.wait_for_selector("text=This game continues another one, so its cards were known.")
    ann.play_in_background(ann.page.evaluate("location.pathname").rpartition("/")[2])
    ann.page.wait_for_selector(".end >> text=This game continues another one, so its cards were known.")


def test_late_visitor_proposes_to_sit_and_sits_when_others_agree(server, new_player):
    ann, ben = new_player(server), new_player(server, "phone", "touch")
    made = ann.create_table("fourteen", 3)
    ann.open(f"/table/{made['id']}", ".hand .card")
    ben.open(f"/table/{made['id']}")
    ben.page.wait_for_selector(".watching")
    assert ben.page.get_by_role("button", name="Ask for a seat").count() == 0, "Expected no proposal without the link."
    ben.open(f"/table/{made['id']}?invite={made['invite']}")

    ben.page.get_by_label("Your name").fill("Benedikt")
    ben.page.get_by_role("button", name="Ask for a seat").click()
    ben.page.get_by_role("button", name="Withdraw").click()
    ben.page.get_by_role("button", name="Ask for a seat").click()
    ann.page.wait_for_selector("text=Benedikt would like the seat of Blaise")
    ann.page.get_by_role("button", name="No", exact=True).click()
    ann.page.wait_for_selector("text=Benedikt would like the seat of Blaise", state="detached")
    ben.page.get_by_role("button", name="Ask for a seat").click()
    ann.page.get_by_role("button", name="Agree").click()
    ben.page.wait_for_selector(".hand .card")
    ben.page.keyboard.press("g")
    ben.page.wait_for_selector(".log >> text=; you sit down.")  # bots may have moved since, so look in the log
    ben.page.keyboard.press("g")


def test_waiting_room_marks_bots(server, new_player):
    ann = new_player(server)
    table = ann.create_table("crystals", 3, places=["me", "open", "bot:1"])["id"]
    ann.open(f"/table/{table}")
    expect(ann.page.locator(".places li")).to_have_count(3)
    expect(ann.page.locator(".places li").nth(2).locator(".bot")).to_contain_text("bot, ")
    expect(ann.page.locator(".places .bot"), "Expected no mark on people and open seats.").to_have_count(1)


def test_r3_host_sits_once_and_draws_the_nonce_after_the_commitment(server, new_player):
    ann = new_player(server)
    ann.add_init_script(SCRIPTS.call("recordStream"))
    ann.add_init_script(SCRIPTS.call("recordRequests"))
    ann.open("/")
    for again in (1, 2):
        ann.page.get_by_role("button", name="Play now").click()
        assert ann.question(), "expected the game to begin"
        sat = ann.page.evaluate("window.sat")
        assert len(sat) == again, "the page took the seat twice"
        assert sat[-1]["told"], "The page drew its nonce before it knew the commitment."
        assert len(sat[-1]["nonce"]) == 32, "Expected a nonce of sixteen bytes."
        ann.page.get_by_role("link", name="Diamonds: to the lobby").click()
    assert sat[0]["nonce"] != sat[1]["nonce"]


def test_host_opens_the_seat_of_an_absent_person(server, new_player):
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
