"""A turn of mines: pressing a pile or a ♠ digs directly, and questions without a choice are skipped."""

from __future__ import annotations

import copy
import uuid
from collections.abc import Callable
from typing import Any

from playwright.sync_api import expect

from tests.browser.conftest import BrowserTestServer
from tests.browser.player import Player
from tests.browser.test_layout_shift import FAKE_STREAM_JS, open_faked_table, send_update


def answer_until(ann: Player, question: str) -> dict[str, Any]:
    """Answer every question until this one."""
    for _ in range(200):
        asked = ann.question()
        assert asked is not None
        assert not asked["over"], f"The game ended before {question!r}."
        if asked["question"] == question:
            return asked
        ann.answer_question(asked)
    raise AssertionError(f"{question!r} was never asked.")


def record_answers(ann: Player) -> list[list[str]]:
    """Record the page's answers from now on, one list for each request."""
    sent: list[list[str]] = []

    def keep(request: Any) -> None:
        if request.url.endswith("/answers"):
            sent.append(request.post_data_json["answers"])

    ann.on("request", keep)
    return sent


def test_pressing_a_pile_takes_the_turn_and_digs_in_one_request(
    server: BrowserTestServer, new_player: Callable[..., Player]
) -> None:
    ann = new_player(server, "phone", "touch")
    table = ann.sit_down("mines", 2)
    asked = answer_until(ann, "turn")
    seen = ann.page.request.get(f"{server.address}/api/tables/{table}").json()
    view, me = seen["view"], seen["seat"]
    mine = [str(k) for k, owner in enumerate(view["owner"]) if owner == me and view["left"][k]]
    assert [place["name"] for place in asked["piles"]] == mine, "Expected the player's piles with cards to be offered."
    held = ann.page.locator(".hand .card").count()
    sent = record_answers(ann)
    ann.page.locator(".spot:not(.open)").first.click(force=True)
    ann.page.wait_for_selector(".status.problem")
    assert sent == []
    ann.press(asked["piles"][0])
    ann.page.wait_for_function(f"() => document.querySelectorAll('.hand .card').length > {held}")
    assert sent == [["turn go", f"dig {mine[0]}"]]


def test_news_begins_with_the_players_last_move(server: BrowserTestServer, new_player: Callable[..., Player]) -> None:
    ann = new_player(server)
    ann.add_init_script(FAKE_STREAM_JS)
    message = copy.deepcopy(open_faked_table(ann, server, "mines", 2, {}))
    me, n = message["seat"], message["n"]
    happened: list[dict[str, Any]] = [
        {"event": "raided", "seat": me},
        {"event": "gave", "seat": 1 - me, "to": me, "card": "S4"},
        {"event": "discarded", "seat": me, "card": "S4"},
        {"event": "dug", "seat": me, "pile": 4, "card": "C9"},
        {"event": "conquered", "seat": me, "pile": 10},
        {"event": "dug", "seat": 1 - me, "pile": 12, "card": None},
    ]
    question = {"question": "turn", "legal": ["pass", "go"], "pick": None}
    message |= {
        "n": n + len(happened),
        "version": message["version"] + 1,
        "open_question": message["open_question"] or question,
        "events": [{"n": n + k, "event": event} for k, event in enumerate(happened)],
    }
    message["view"] |= {"to_act": [me], "question": "turn"}
    send_update(ann, message)
    expect(ann.page.locator(".happened")).to_contain_text("digs a card from pile 13")
    expect(ann.page.locator(".happened")).not_to_contain_text("hands")


def open_table_where(ann: Player, wanted: Callable[[dict[str, Any]], bool]) -> None:
    """Play games of mines through the API, and open the table at the first such question."""
    for _ in range(12):
        table = ann.create_table("mines", 2)["id"]
        ann.post_to_table(table, "sit", {"nonce": ""})
        while not (message := ann.get_table(table))["result"]:
            if ask := message["open_question"]:
                if wanted(message):
                    ann.open(f"/table/{table}")
                    return
                answer = "go" if ask["question"] == "turn" else ask["legal"][0]
                body = {
                    "n": message["n"],
                    "answers": [f"{ask['question']} {answer}"],
                    "idempotency_key": uuid.uuid4().hex,
                }
                ann.post_to_table(table, "answers", body)
    raise AssertionError("The question did not come in twelve games.")


def holds(message: dict[str, Any], suit: str) -> bool:
    return any(card.startswith(suit) for card in message["view"]["hand"][message["seat"]])


def is_asked_for_turn_with_spade(message: dict[str, Any]) -> bool:
    view, me = message["view"], message["seat"]
    cards = sum(left for left, owner in zip(view["left"], view["owner"], strict=True) if owner == me)
    return view["question"] == "turn" and me in view["to_act"] and holds(message, "S") and cards >= 2


def test_m6_pressing_a_spade_takes_the_turn_and_digs_twice(
    server: BrowserTestServer, new_player: Callable[..., Player]
) -> None:
    ann = new_player(server)
    open_table_where(ann, is_asked_for_turn_with_spade)
    question = ann.question()
    assert question is not None
    assert [choice["name"] for choice in question["choices"]] == ["pass", "skip"], (
        "Expected no question for the turn before."
    )
    spades = ann.page.locator(".hand .card[data-card^=S]").all()
    assert len(question["cards"]) == len(spades), "Expected only ♠ to be offered: only they dig."
    sent = record_answers(ann)
    ann.press(question["cards"][0])
    ann.page.wait_for_function("() => document.querySelector('main.table').dataset.question?.startsWith('dig_')")
    assert sent == [["turn go", f"dig {question['cards'][0]['name']}"]]


def is_asked_to_fight_with_a_club(message: dict[str, Any]) -> bool:
    view, me = message["view"], message["seat"]
    return view["question"] == "fight" and me in view["to_act"] and holds(message, "C")


def test_m8_club_may_be_chosen_before_the_pile_it_attacks(
    server: BrowserTestServer, new_player: Callable[..., Player]
) -> None:
    ann = new_player(server)
    open_table_where(ann, is_asked_to_fight_with_a_club)
    ann.question()
    clubs = ann.page.locator(".hand .card[data-card^=C]")
    assert ann.page.locator(".hand .card:not(.dull)").count() == clubs.count(), (
        "Expected only ♣ to be offered: only they fight."
    )
    club = clubs.first.get_attribute("data-card")
    piles = ann.page.locator(".spot.open")
    several = piles.count() > 1
    pile = piles.first.get_attribute("data-pile")
    sent = record_answers(ann)
    clubs.first.click(position={"x": 6, "y": 8})
    if several:
        expect(ann.page.locator(".status")).to_contain_text("glowing piles")
        piles.first.click()
    ann.page.wait_for_selector(f".hand [data-card={club}]", state="detached")
    assert sent[0] == [f"fight {pile}", f"fight_card {club}"]


def dig_without_a_heart(ann: Player) -> list[list[str]]:
    """Let Ann, with the default setting for forced moves, dig her first card; return the answers that she has sent."""
    ann.change_settings(autoPlay="steps")
    sent = record_answers(ann)
    for _ in range(12):
        ann.sit_down("mines", 2)
        ann.press(answer_until(ann, "turn")["piles"][0])
        # The hand was empty: with a ♥ Ann is asked to grow, and with any other card there is no choice.
        card = ann.page.locator(".hand .card").get_attribute("data-card")
        if not str(card).startswith("H"):
            return sent
    raise AssertionError("The first card was a ♥ twelve times.")


GROW_ASKED_JS = "() => document.querySelector('main.table').dataset.question === 'grow'"
GROW_DONE_JS = f"() => document.querySelector('main.table').dataset.question && !({GROW_ASKED_JS})()"


def test_grow_question_is_skipped_without_a_heart(server: BrowserTestServer, new_player: Callable[..., Player]) -> None:
    ann = new_player(server)
    sent = dig_without_a_heart(ann)
    ann.page.wait_for_function(GROW_DONE_JS)
    assert ["grow skip"] in sent, f"Expected no other answer of Ann's than the dig: {sent}."


def test_table_changes_do_not_prevent_the_automatic_answer(
    server: BrowserTestServer, new_player: Callable[..., Player]
) -> None:
    ann = new_player(server)
    dig_without_a_heart(ann)
    with ann.page.expect_response("**/bot-speed"):
        ann.page.locator(".pace select").select_option("quick")
    ann.page.wait_for_function(GROW_DONE_JS)


def test_undo_to_an_automatic_answer_stops_there(server: BrowserTestServer, new_player: Callable[..., Player]) -> None:
    ann = new_player(server)
    clock = ann.install_clock()
    dig_without_a_heart(ann)
    ann.page.wait_for_function(GROW_DONE_JS)
    ann.question()
    ann.page.keyboard.press("u")
    ann.page.wait_for_function(GROW_ASKED_JS)
    clock.run_for(60_000)
    ann.wait_until_still()
    assert ann.page.evaluate(GROW_ASKED_JS), "An undone automatic answer was repeated before the next undo."
