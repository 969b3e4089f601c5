"""Whole games through the page: every game, on a desk and on a phone, by mouse, by touch and by keyboard alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from browser.conftest import Server
from browser.player import LATER, Player
from lengths import lengths

GAMES = [
    pytest.param("crystals", 2, {"rounds": 1}, id="crystals"),
    pytest.param("crystals", 2, {}, id="crystals at length", marks=pytest.mark.slow),
    pytest.param("fourteen", 4, {"target": 5}, id="fourteen"),
    pytest.param("mines", 2, {}, id="mines"),
]


def near_the_end(message: dict[str, Any]) -> bool:
    """Whether no more than two tricks are to be played, or few piles of mines have cards."""
    view = message["view"]
    return sum(view["left"]) <= 12 if "left" in view else len(view["hand"][message["seat"]]) <= 2


@pytest.mark.parametrize(("size", "by"), [("desktop", "mouse"), ("phone", "touch"), ("desktop", "keys")])
@pytest.mark.parametrize(("game", "seats", "options"), GAMES)
def test_a_whole_game_is_played_through_the_page(
    game: str, seats: int, options: dict[str, object], size: str, by: str, server: Server, person: Callable[..., Player]
) -> None:
    ann = person(server, size, by)
    table = ann.sit_down(game, seats, options)
    if by != "mouse":  # its beginning and its end: what lies between is pressed in the same ways
        for _ in range(6):
            ann.turn()
        ann.asked()
        ann.play_away(table, near_the_end)
    ann.play_to_the_end()
    ann.page.wait_for_selector(".end h1")
    result = ann.page.request.get(f"{server.address}/api/tables/{table}/record").json()["result"]
    ann.page.wait_for_selector(".scores td.sum")  # what counts the points comes when there is something to count
    shown = sorted(int(text) for text in ann.page.locator(".scores td.sum").all_inner_texts())
    assert shown == sorted(result["scores"]), f"The page counts {shown}, the record says {result['scores']}."
    ann.page.wait_for_selector("figure")  # the curve is drawn from the replay, which comes by itself
    heights = ann.page.evaluate(
        """() => [...document.querySelectorAll('figure text[text-anchor=end]')].map((text) => [+text.textContent, text.y.baseVal[0].value])"""
    )
    (none, bottom), (most, top) = heights[0], heights[-1]
    assert none == 0
    for number, at in heights:
        drawn = bottom + (top - bottom) * number / most
        assert at == pytest.approx(drawn, abs=0.1), f"The chart's {number} stands at {at:.0f}, not at {drawn:.0f}."


@lengths("rounds", 1, 4)
def test_play_now_gives_cards_in_one_press_and_rounds_of_crystals_later_a_winner(
    rounds: int, server: Server, person: Callable[..., Player]
) -> None:
    ann = person(server)
    ann.context.set_default_timeout(240_000)  # milliseconds: the kernels may have to be compiled first
    ann.open("/")
    ann.page.click(".now:enabled")
    ann.page.wait_for_selector(".hand .card")
    assert ann.page.locator(".hand .card").count() == 10, "Ten cards are dealt (C7)."
    assert ann.page.locator(".cloth .seat").count() == 3, "Three bots sit around."
    ann.open("/")
    ann.open_variants()
    number = ann.page.locator("label", has_text="rounds").locator("input[type=number]")
    number.fill(str(rounds))
    number.blur()
    ann.page.get_by_role("combobox", name="Bots", exact=True).select_option("Beginner")
    ann.page.click(".now:enabled")
    answered = ann.play_to_the_end()
    assert answered >= 10 * rounds, "Ten cards were played in each round."
    ann.page.get_by_text("Play again").click()
    ann.page.wait_for_selector(".hand .card")


def test_c14_without_the_memory_aid_the_log_forgets_all_but_the_last_trick(
    server: Server, person: Callable[..., Player]
) -> None:
    ann = person(server)
    table = ann.sit_down("crystals", 4, {"memory_aid": False})
    tricks = 0
    while tricks < 3:
        ann.turn()
        ann.asked()
        view = ann.page.request.get(f"{server.address}/api/tables/{table}").json()["view"]
        tricks = sum(view["tricks"])
    for again in (False, True):
        if again:
            ann.page.reload()
            ann.asked()
        log = "\n".join(ann.heard(".log p"))
        assert log.count("the trick, led in") == 1, f"The log tells of another trick than the last (C14):\n{log}"
        assert " choose" not in log, f"The log tells of what came before the last trick (C14):\n{log}"
    assert ann.page.locator(".cloth [title='cards taken this round']").count() == 0, (
        "Cards taken are not counted (C14)."
    )


def test_c5_the_lobby_offers_as_many_rounds_as_are_usual_for_so_many_players(
    server: Server, person: Callable[..., Player]
) -> None:
    ann = person(server)
    ann.open("/")
    ann.open_variants()
    rounds = ann.page.locator("label", has_text="rounds").locator("input[type=number]")
    for players, usual in ((3, "6"), (5, "5"), (2, "4")):
        ann.page.locator(".chip", has_text=f"{players}").click()
        expect(rounds, f"{players} players play {usual} rounds (C5).").to_have_value(usual)
    rounds.fill("1")
    rounds.blur()
    ann.page.click(".now:enabled")
    ann.page.wait_for_selector(".cloth")
    expect(ann.page.locator(".cloth")).to_contain_text("Round 1 of 1")


def test_play_again_keeps_the_game_its_variant_who_plays_and_every_other_setting(
    server: Server, person: Callable[..., Player]
) -> None:
    ann = person(server)
    chosen = {
        "options": {"target": 5, "match": "last_two", "scoring": "tricks"},
        "places": ["bot:random", "me", "bot:simple"],
        "private": False,
        "takeover": 300,
        "hints": False,
    }
    ann.page.request.get(f"{server.address}/api/house")
    table = ann.make("fourteen", 3, **chosen)["id"]
    ann.open(f"/table/{table}")
    ann.asked()
    ann.play_away(table)
    ann.page.get_by_text("Play again").click()
    ann.page.wait_for_url(lambda address: not address.endswith(table))
    ann.page.wait_for_selector(".hand .card")
    again = ann.page.url.rpartition("/")[2]
    old, new = (ann.page.request.get(f"{server.address}/api/tables/{one}").json()["table"] for one in (table, again))
    for name in ("game", "seats", "options", "private", "takeover", "hints"):
        assert new[name] == old[name], f"{name} was {old[name]}, and is {new[name]} after Play again."
    assert new["options"].items() >= chosen["options"].items()
    levels = [place["level"] for place in new["places"]]
    assert levels == ["simple", "random", None], f"Everyone sits one seat on, but these do: {levels}"


def test_hints_are_switched_off_in_the_lobby_and_the_choice_is_remembered(
    server: Server, person: Callable[..., Player]
) -> None:
    ann = person(server)
    box = ann.page.locator("label", has_text="hints").locator("input")
    lamp = ann.page.get_by_role("button", name="Hint", exact=True)
    for wish in (False, True):
        ann.open("/")
        ann.open_variants()
        if box.is_checked() != wish:
            box.click()
        ann.page.click(".now:enabled")
        ann.page.wait_for_selector(".hand .card")
        expect(lamp, f"Hints are {wish}, and the lamp is not so.").to_have_count(int(wish))
        ann.open("/")
        ann.open_variants()
        expect(box, "The lobby forgot the choice.").to_be_checked(checked=wish)


def test_an_illegal_card_is_refused_in_one_sentence_that_names_the_rule_and_nothing_changes(
    server: Server, person: Callable[..., Player]
) -> None:
    ann = person(server)
    ann.sit_down("crystals", 4)
    for _ in range(60):
        asked = ann.asked()
        assert asked is not None
        dull = ann.page.locator(".hand .card.dull")
        if asked["question"] == "play" and dull.count() > 0:
            break
        ann.turn(asked)
    before = ann.state()
    dull.first.click(position={"x": 6, "y": 8}, force=True)
    ann.page.wait_for_selector(".status.problem")
    assert "(C12)" in ann.page.locator(".status").inner_text(), "The sentence names the rule."
    after = ann.state()
    assert {**after, "status": ""} == {**before, "status": ""}, "A refused card changes nothing."


def test_undo_takes_back_what_taught_nothing_hidden_and_alone_against_bots_what_was_seen_too(
    server: Server, person: Callable[..., Player]
) -> None:
    ann = person(server)
    ann.sit_down("mines", 2)
    while (asked := ann.asked()) and asked["question"] != "turn":
        ann.turn(asked)
    before = ann.state()
    ann.page.get_by_role("button", name="Take the turn").click()
    asked = ann.asked()
    assert asked is not None
    assert asked["question"] == "dig", "Going on teaches nothing hidden."
    ann.page.keyboard.press("u")
    ann.page.wait_for_function("() => document.querySelector('main.table').dataset.question === 'turn'")
    assert {**ann.state(), "n": ""} == {**before, "n": ""}, "The table is as it was before the step."
    ann.page.get_by_role("button", name="Take the turn").click()
    asked = ann.asked()
    assert asked is not None
    ann.press(asked["piles"][0])
    ann.page.wait_for_selector(".hand .card")
    ann.page.keyboard.press("u")
    ann.page.wait_for_function("() => document.querySelector('main.table').dataset.question === 'dig'")
    expect(ann.page.locator(".hand .card"), "The card that was dug is in hand still.").to_have_count(0)


def test_a_finished_trick_stays_for_the_time_that_is_set_and_a_tap_skips_it(
    server: Server, person: Callable[..., Player]
) -> None:
    ann = person(server)
    ann.settle(trickSeconds=3600)
    ann.sit_down("fourteen", 3)
    held = "() => document.querySelectorAll('.trick li.won').length"
    while not ann.page.evaluate(held):
        ann.turn()
        ann.page.wait_for_function(f"() => ({held})() || document.querySelector('main.table').dataset.question")
    assert ann.page.locator(".trick li").count() == 3, "All three cards lie there to be read."
    ann.page.locator(".skip").click(force=True)
    ann.page.wait_for_selector(".trick li.won", state="detached")


def test_a_single_legal_card_plays_itself_only_where_that_is_set(server: Server, person: Callable[..., Player]) -> None:
    ann = person(server)
    ann.settle(autoPlay=True)
    ann.begin_with(LATER)
    ann.sit_down("fourteen", 6)
    for _ in range(60):
        asked = ann.asked()
        assert asked is not None
        if asked["question"] == "play" and len(asked["cards"]) == 1:
            break
        ann.turn(asked)
    else:
        raise AssertionError("Never was a single card legal.")
    forced = asked["cards"][0]["name"]
    ann.page.evaluate("goOn()")
    ann.page.wait_for_selector(f'.hand [data-card="{forced}"]', state="detached")


def test_who_taps_twice_lifts_a_card_and_is_told_its_name_before_it_is_played(
    server: Server, person: Callable[..., Player]
) -> None:
    ann = person(server, "phone", "touch")
    ann.settle(confirmTouch=True)
    ann.sit_down("fourteen", 3)
    asked = ann.asked()
    assert asked is not None
    first, second = asked["cards"][:2]
    before = ann.state()
    names = {}
    for card in (first, second):
        ann.press(card)
        ann.page.wait_for_selector(f'.card.raised[data-card="{card["name"]}"]')
        assert ann.page.locator(".card.raised").count() == 1, "Another card moves the choice."
        assert ann.state()["hand"] == before["hand"], "One tap only lifts the card."
        names[card["name"]] = ann.page.locator(f'.hand [data-card="{card["name"]}"]').get_attribute("aria-label")
        told = ann.page.locator(".status").inner_text()
        name = str(names[card["name"]]).split(",")[0]
        assert name.lower() in told.lower(), f"The lifted card is the {name}, and Ann is told {told!r}."
    ann.rest()
    ann.press(second)
    ann.page.wait_for_selector(f'.hand [data-card="{second["name"]}"]', state="detached")
    assert ann.page.locator(f'.hand [data-card="{first["name"]}"]').count() == 1


def test_with_tap_twice_set_keys_play_a_card_at_once(server: Server, person: Callable[..., Player]) -> None:
    ann = person(server, "phone", "keys")
    ann.settle(confirmTouch=True)
    ann.sit_down("fourteen", 3)
    ann.asked()
    held = len(ann.state()["hand"])
    ann.turn()
    ann.page.wait_for_function(f"() => document.querySelectorAll('.hand .card').length < {held}")
