"""On every screen the whole table is visible, nothing overlaps, and no text is cut off."""

import copy
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.player import Player
from tests.browser.scripts import Scripts
from tests.browser.test_layout_shift import open_faked_table, send_update, update_after, update_with_question
from tests.browser.window_pool import BLANK_URL
from tests.support.sample_sizes import short_or_long

SCRIPTS = Scripts(__file__)

SCREEN_SIZES = [(360, 740), (740, 360), (768, 1024), (1152, 1536), (1440, 900), (2560, 1440)]
VARIANTS: dict[str, list[tuple[int, dict[str, Any]]]] = {
    "crystals": [(2, {"two_cards": True}), (4, {"partnership": True}), (4, {}), (6, {"thief": True})],
    "fourteen": [(5, {"scoring": "bid"}), (3, {"scoring": "tricks"}), (4, {}), (6, {"scoring": "bid"})],
    "mines": [(2, {})],
}
# The longest question of each game, with its answers.
LONGEST_QUESTIONS: dict[str, tuple[str, list[Any]]] = {
    "crystals": ("victim", [1, 2]),
    "fourteen": ("play", []),
    "mines": ("dig", [0, "skip"]),
}
TRICK_CARDS = [f"{suit}{rank}" for suit in "SC" for rank in (9, 10, 8)]


def full_table_update(message: dict[str, Any], game: str) -> dict[str, Any]:
    """Return the message with a full trick, the longest question and many events."""
    question, legal = LONGEST_QUESTIONS[game]
    message = copy.deepcopy(update_with_question(message, question, legal))
    seats = message["view"]["seats"]
    if game == "mines":
        events: list[dict[str, Any]] = [{"event": "dealt", "first": 1}]
    else:
        message["view"] |= {"trick": TRICK_CARDS[:seats], "leader": 0}
        trick = {"event": "trick", "seat": 1, "suit": "S"}
        plays = [{"event": "played", "seat": seat, "card": TRICK_CARDS[seat]} for seat in range(seats)]
        events = [trick, *plays, trick, {"event": "diamond", "seat": 1}]
        if game == "fourteen":
            message["view"]["suit"] = "S"  # the suit led in `TRICK_CARDS`
            events = [
                {"event": "fourteen", "seat": 1, "suit": "C", "before": "S"},
                {"event": "trick", "seat": 1, "diamonds": 3},
            ]
    message["events"] = [{"n": message["n"], "event": event, "text": None} for event in events]
    return message


def assert_layout_is_right(ann: Player, message: dict[str, Any], width: int, height: int) -> None:
    """Show the message on a screen of this size, and assert that the whole table is visible without overlaps."""
    ann.page.set_viewport_size({"width": width, "height": height})
    send_update(ann, message)  # makes the page draw two more frames
    ann.wait_until_still()
    wrong = ann.page.evaluate(SCRIPTS["findLayoutErrors"])
    table = message["table"]
    assert not wrong, f"{table['game']} for {table['seats']} at {width} × {height}: {'; '.join(wrong[:4])}"


@short_or_long("most", 1, 4)
def test_whole_table_is_visible_without_overlap_on_every_screen(most, server, new_player):
    ann = new_player(server)
    ann.change_settings(language="de")  # the texts are longer in German
    for game, seats, options in [(name, *table) for name in VARIANTS for table in VARIANTS[name][-most:]]:
        message = full_table_update(
            open_faked_table(ann, server, game, seats, options, by_link=ann.page.url != BLANK_URL), game
        )
        send_update(ann, message)
        for width, height in [(320, 640), *SCREEN_SIZES] if game == "mines" else SCREEN_SIZES:
            assert_layout_is_right(ann, message, width, height)


def test_whole_table_is_visible_with_the_coach_on_a_phone(server, new_player):
    ann = new_player(server, "phone")
    ann.change_settings(language="de", coach="always")
    tables: list[tuple[str, int, dict[str, Any]]] = [
        ("crystals", 2, {"two_cards": True}), ("crystals", 3, {}), ("crystals", 4, {}), ("crystals", 6, {}),
        ("fourteen", 3, {}), ("fourteen", 4, {}), ("fourteen", 6, {}), ("mines", 2, {}),
    ]  # fmt: skip
    for game, seats, options in tables:
        message = full_table_update(
            open_faked_table(ann, server, game, seats, options, by_link=ann.page.url != BLANK_URL), game
        )
        ann.page.wait_for_selector(".coach .sentence")
        for width, height in [(360, 640), (390, 664), (360, 740), (740, 360)]:
            assert_layout_is_right(ann, message, width, height)
            longer = ann.page.evaluate("document.documentElement.scrollHeight - innerHeight")
            assert longer <= 0, f"{game} for {seats} at {width} × {height} is {longer} pixels longer than the screen."


@pytest.mark.parametrize("size", ["phone", "desktop"])
def test_end_of_a_match_is_told_where_the_question_was(size, server, new_player):
    ann = new_player(server, size)
    ann.change_settings(language="de")
    message = open_faked_table(ann, server, "crystals", 4, {}) | {"open_question": None}
    message["table"]["match"] = {"id": "some", "deal": 1, "deals": 2, "withheld": True, "closed": True}
    send_update(ann, message)
    expect(ann.page.get_by_role("alert")).to_contain_text("hat das Turnier beendet")
    expect(ann.page.locator(".words .status")).to_have_text(
        "Die Turnierleitung hat das Turnier beendet. Dieses Spiel zählt nicht."
    )
    expect(ann.page.locator(".actions button")).to_have_count(0)
    ann.page.locator(".hand .card").last.click()
    ann.wait_until_still()
    expect(ann.page.locator(".hand .raised")).to_have_count(0)
    width, height = ann.page.viewport_size["width"], ann.page.viewport_size["height"]
    assert_layout_is_right(ann, message, width, height)


def test_f10_fourteen_bids_cover_no_seat_and_no_card_on_a_phone(server, new_player):
    ann = new_player(server, "phone")
    ann.change_settings(language="de", coach="always")
    message = open_faked_table(ann, server, "fourteen", 4, {"scoring": "bid"})
    for width, height in [(360, 740), (740, 360)]:
        ann.page.set_viewport_size({"width": width, "height": height})
        message = update_with_question(message, "bid", list(range(14)))
        send_update(ann, message)
        expect(ann.page.locator(".bids button")).to_have_count(14)
        ann.wait_until_still()
        covered = ann.page.evaluate(SCRIPTS["findCoveredByBids"])
        assert not covered, f"The bids cover {covered} at {width} × {height}"


def test_cards_grow_with_the_screen_and_with_fewer_players(server, new_player):
    ann = new_player(server, "phone")
    in_hand = {}
    for seats in (6, 4):
        message = open_faked_table(ann, server, "crystals", seats, {})
        in_hand[seats] = ann.page.evaluate("document.querySelector('.hand .card').clientWidth")
    assert min(in_hand[4] - 77, in_hand[6] - 58) >= 0, f"Cards are {in_hand} pixels wide, although there is room."
    message = full_table_update(message, "crystals")
    for width, height, least, broad in ((2560, 1440, 26, 108), (1152, 1536, 34, 96)):
        ann.page.set_viewport_size({"width": width, "height": height})
        send_update(ann, message)  # makes the page draw two more frames
        ann.wait_until_still()
        share = ann.page.evaluate(SCRIPTS["measureCoverage"])
        assert share >= least, f"At {width} × {height} cards and seats cover {share:.1f} % of the cloth."
        card = ann.page.evaluate("document.querySelector('.hand .card').clientWidth")
        assert card >= broad, f"At {width} × {height} a card in the hand is {card} pixels wide."


@pytest.mark.parametrize("size", ["phone", pytest.param("desktop", marks=pytest.mark.slow)])
def test_seat_panel_shows_bot_state_and_selects_the_victim(size, server, new_player):
    ann = new_player(server, size)
    message = open_faked_table(ann, server, "crystals", 6, {})
    plate = ann.page.locator("[data-spot='seat-1']")
    for note, said in (("ready", "getting ready"), ("simple", "Simple bot"), (None, "")):
        message = update_after(message)
        message["table"]["seat_holders"][1]["bot_status"] = note
        send_update(ann, message)
        if said:
            plate.get_by_text(said, exact=True).wait_for()
            outer, inner = plate.bounding_box(), plate.locator(".state").first.bounding_box()
            assert inner["x"] + inner["width"] <= outer["x"] + outer["width"], "The note does not fit into the seat."
    send_update(ann, full_table_update(message, "crystals"))
    assert ann.page.locator(".actions button").count() == 0, "The names are repeated below."
    plate = ann.page.locator(".seat:has(.target)").first
    shown = plate.locator(".figure").inner_text()
    for told in ("aria-label", "title"):
        says = plate.locator(".target").get_attribute(told) or ""
        assert says.endswith(f": {shown} in the Showroom"), f"Expected what the seat can lose: {says!r}"
    ann.route("**/answers", lambda route: route.abort())
    with ann.page.expect_request("**/answers") as sent:
        ann.page.locator(".seat .target").first.click()
    answered = sent.value.post_data_json["answers"]
    assert answered == ["victim 1"], f"A tap on the seat answered {answered}."
    ann.page.wait_for_function("() => !document.querySelector('.target')")
    assert ann.page.locator(".explanation").count() == 0, "Expected no explanation of a tapped answer."
