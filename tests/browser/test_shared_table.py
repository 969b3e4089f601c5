"""Two people and a spectator at one table: invitation, play, chat, and no hidden card for the spectator."""

import json
import re
import time
from typing import Any

from playwright.sync_api import expect

from tests.browser.conftest import BrowserTestServer, wait_for
from tests.browser.player import WAIT_TIMEOUT_MS, Player
from tests.support.sample_sizes import short_or_long

CARD_PATTERN = re.compile(r'"([DHSC](?:1[0-5]|[1-9]))"')


def create_invite(server: BrowserTestServer, ann: Player, **table: Any) -> str:
    """Let Ann create a table with an open seat; return its invite link."""
    made = ann.create_table(places=["me", "open"], **table)
    ann.open(f"/table/{made['id']}", ".invite input")
    return ann.page.input_value(".invite input")


def join_by_invite(server: BrowserTestServer, ann: Player, ben: Player, **table: Any) -> str:
    """Let Ben follow the link and take a seat; return the seat."""
    link = create_invite(server, ann, **table)
    ben.open(link)
    ben.page.get_by_role("button", name="Sit here").click()
    ben.page.wait_for_selector(".cloth")
    ann.page.wait_for_selector(".cloth")
    return link


def play_turns(players: list[Player], turns: int) -> None:
    """Let everyone answer until ``turns`` answers are given or all see the end."""
    end = time.monotonic() + 5 * WAIT_TIMEOUT_MS / 1000
    while time.monotonic() < end:
        open_for = [player for player in players if not player.page.locator(".end").count()]
        for player in open_for:
            question = player.question(wait=False)
            if question and not question["over"]:
                player.answer_question(question)
                turns -= 1
        if not open_for or turns <= 0:
            return
        players[0].page.wait_for_timeout(10)  # gives the pages time between requests
    raise TimeoutError("The game did not end within five minutes.")


def table_messages(player: Player) -> list[tuple[str, dict[str, Any]]]:
    """Return the messages about the table, raw and parsed; the stream also has other messages."""
    return [(raw, message) for raw in player.stream_messages if "view" in (message := json.loads(raw))]


def play_past_page(players: list[Player], table: str, hands: dict[int, set[str]]) -> None:
    """Let everyone give the first legal answer through the API until the end, and record their hands."""
    end = time.monotonic() + 2 * WAIT_TIMEOUT_MS / 1000
    while time.monotonic() < end:
        told = [one.get_table(table) for one in players]
        for message in told:
            record_hands(message, hands)
        if told[-1]["result"]:
            return
        for one, message in zip(players, told, strict=True):
            if message["open_question"]:
                one.answer_by_api(table, message)
        players[0].page.wait_for_timeout(1)  # lets handlers of streams run
    raise TimeoutError("The game did not end.")


def record_hands(message: dict[str, Any], hands: dict[int, set[str]]) -> None:
    """Record what only this player knows now."""
    view = message["view"]
    if view and not view["over"]:
        hands.setdefault(message["n"], set()).update(view["hand"][message["seat"]] + view["chosen"][message["seat"]])


@short_or_long("rounds_and_turns", (1, 6), (4, 10**6))
def test_invited_player_and_spectator_never_receive_hidden_cards(rounds_and_turns, server, new_player):
    """Some turns go through the page, the others through the API."""
    rounds, turns = rounds_and_turns
    ann, ben, eve = new_player(server), new_player(server, "phone", "touch"), new_player(server)
    for one in (ann, ben, eve):
        one.record_stream()
    link = create_invite(server, ann, game="crystals", seats=2, options={"rounds": rounds})
    table = link.split("/table/")[1].split("?")[0]
    eve.open(link)  # the spectator arrives before the deal
    eve.page.wait_for_selector("text=Sit here")
    ben.open(link)
    ben.page.get_by_role("button", name="Sit here").click()
    eve.page.wait_for_selector(".watching")
    assert eve.page.locator(".hand").count() == 0, "Expected no hand for a spectator."
    play_turns([ann, ben], turns)
    hands: dict[int, set[str]] = {}  # by number of answers: every card hidden from a spectator
    for one in (ann, ben):
        one.follow_link("/settings")  # a page that draws nothing
    play_past_page([ann, ben], table, hands)
    eve.page.wait_for_selector(".end")

    def told_of_the_end() -> bool:
        eve.page.wait_for_timeout(10)  # lets handlers of its stream run
        return any(message["view"] and message["view"]["over"] for _, message in table_messages(eve))

    wait_for(told_of_the_end, "The stream does not report the end.")
    for player in (ann, ben):
        for _, message in table_messages(player):
            record_hands(message, hands)
    assert len(hands) > 10 * rounds, "Expected the players' hands at many positions."
    checked = 0
    for raw, message in table_messages(eve):
        if message["view"] is None or message["view"]["over"]:
            continue
        cut = set(message["view"]["cut"])
        if message["n"] not in hands:
            continue  # players received this together with the next position
        # A card of an earlier round may be in a hand again but still appear in that round's log.
        named = (
            set(CARD_PATTERN.findall(raw))
            - cut
            - {card for told in message["events"] for card in [told["event"].get("card")]}
        )
        hidden = hands[message["n"]] & named
        assert not hidden, f"After {message['n']} answers the spectator received {sorted(hidden)}."
        assert message["seat"] is None
        assert message["open_question"] is None
        assert message["table"]["invite"] is None, "Expected the invite for the host only."
        checked += len(hands[message["n"]])
    assert checked > 75 * rounds, "Expected hidden cards."


def test_chat_is_shown_verbatim_and_unread_messages_are_counted(server, new_player):
    ann, ben = new_player(server, "phone", "touch"), new_player(server)
    join_by_invite(server, ann, ben, game="crystals", seats=2)
    for line in ("are you there?", "<img src=x onerror=alert(1)> hello"):
        ben.page.fill("#say", line)
        ben.page.get_by_role("button", name="Send").click()
        expect(ben.page.locator(".chat .lines p").last).to_contain_text(line)
    ann.page.get_by_role("button", name="Log and chat, 2 new").tap()
    expect(ann.page.locator(".chat .lines p").last).to_contain_text("<img src=x onerror=alert(1)> hello")
    assert ann.page.locator(".chat img").count() == 0
    ann.page.get_by_role("button", name="Close the log").tap()
    ann.page.get_by_role("button", name="Log and chat", exact=True).wait_for()


def test_long_name_fits_and_missing_table_is_reported(server, new_player):
    ann = new_player(server, "phone")
    ann.page.request.get(f"{server.address}/api/server")
    origin = {"Origin": server.address}
    assert ann.page.request.post(f"{server.address}/api/me", data={"name": "W" * 40}, headers=origin).ok
    table = ann.create_table(places=["me", "open"], seats=2)["id"]
    ann.open(f"/table/{table}")
    box = ann.page.get_by_role("button", name="Stand up").bounding_box()
    assert box["x"] + box["width"] <= 360, f"The button ends {box['x'] + box['width'] - 360:.0f} pixels outside."
    ann.follow_link("/table/nothere", "text=There is no such table.")
    assert ann.page.locator(".notice a").get_attribute("href") == "/", "Expected a link to go on."


def test_help_links_to_settings_and_rules_and_back(server, new_player):
    ann = new_player(server)
    table = ann.sit_down("fourteen", 3)
    before = ann.shown_state()
    for link in ("Settings", "All the rules"):
        ann.page.keyboard.press("?")
        ann.page.locator("dialog").get_by_role("link", name=link).click()
        ann.page.reload()
        ann.page.get_by_role("link", name="Back to the game").click()
        ann.page.wait_for_url(f"{server.address}/table/{table}")
        ann.question()
    assert ann.shown_state() == before, "Expected the game as it was left."
    ann.page.get_by_role("link", name="Diamonds: to the lobby").click()
    ann.page.get_by_role("link", name="Settings").first.click()
    ann.page.get_by_label("Language").wait_for()
    assert ann.page.get_by_role("link", name="Back to the game").count() == 0, "Expected to return to the lobby."


def test_spectator_sees_who_is_to_act_and_gets_no_question_or_coach(server, new_player):
    ann, eve = new_player(server), new_player(server)
    eve.change_settings(coach="first")
    table = ann.sit_down("mines", 2)
    assert ann.question(), "Expected Ann to act."
    name = ann.get_table(table)["table"]["seat_holders"][0]["name"]
    eve.open(f"/table/{table}")
    status = eve.page.locator(".status")
    status.get_by_text(f"Waiting for {name}.", exact=True).wait_for()
    assert "?" not in status.inner_text(), f"Expected no question to a spectator: {status.inner_text()}"
    eve.page.wait_for_selector(".watching")
    n = eve.shown_state()["n"]
    ann.answer_question()
    eve.page.wait_for_function("(n) => document.querySelector('main.table').dataset.n !== n", arg=n)
    eve.wait_until_still()
    assert eve.page.locator(".coach").count() == 0
