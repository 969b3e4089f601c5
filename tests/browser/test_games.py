"""Whole games through the page: every game, on a desktop and a phone, by mouse, touch and keyboard."""

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.player import DEFERRED_TIMEOUTS_JS
from tests.browser.scripts import Scripts
from tests.browser.test_tricks import one_card_left, table_at_question
from tests.support.sample_sizes import short_or_long

SCRIPTS = Scripts(__file__)

SHORT_GAMES: dict[str, tuple[int, dict[str, object]]] = {
    "crystals": (2, {"rounds": 1}),
    "fourteen": (4, {"target": 5}),
    "mines": (2, {}),
}
INPUT_METHODS = [("desktop", "keys"), ("phone", "touch"), ("desktop", "mouse")]
# Each game with one input method, and each method in one game; all combinations with `-m slow`.
GAMES = [
    pytest.param(game, *SHORT_GAMES[game], *way, id=f"{game}-{way[1]}", marks=[] if own == way else [pytest.mark.slow])
    for game, own in zip(SHORT_GAMES, INPUT_METHODS, strict=True)
    for way in INPUT_METHODS
] + [pytest.param("crystals", 2, {}, "desktop", "mouse", id="crystals, all rounds", marks=pytest.mark.slow)]


def near_the_end(message: dict[str, Any]) -> bool:
    """Return whether at most two tricks are left, or few piles of mines have cards."""
    view = message["view"]
    return sum(view["left"]) <= 12 if "left" in view else len(view["hand"][message["seat"]]) <= 2


@short_or_long("between", False, True)
@pytest.mark.parametrize(("game", "seats", "options", "size", "by"), GAMES)
def test_whole_game_is_played_in_the_web_client(game, seats, options, size, by, between, server, new_player):
    ann = new_player(server, size, by)
    table = ann.sit_down(game, seats, options)
    if not between:  # only the beginning and the end go through the page; the middle would use the same inputs
        for _ in range(6):
            ann.answer_question()
        ann.question()
        ann.play_in_background(table, near_the_end)
    while ann.answer_question():
        pass
    ann.page.wait_for_selector(".end h1")
    record = ann.page.request.get(f"{server.address}/api/tables/{table}/record").json()
    ann.page.wait_for_selector(".scores td.sum")  # the score component is loaded with the first score
    shown = sorted(int(text) for text in ann.page.locator(".scores td.sum").all_inner_texts())
    scores = sorted(record["result"]["scores"])
    assert shown == scores, f"The page counts {shown}, the record says {scores}."
    if game != "mines" and len(record["checksums"]) == 1:
        return  # a single deal has no curve
    ann.page.wait_for_selector("figure")  # the curve comes from the replay, which loads automatically
    heights = ann.page.evaluate(
        """() => [...document.querySelectorAll('figure text[text-anchor=end]')].map((text) => [+text.textContent, text.y.baseVal[0].value])"""
    )
    (none, bottom), (most, top) = heights[0], heights[-1]
    assert none == 0
    for number, at in heights:
        drawn = bottom + (top - bottom) * number / most
        assert at == pytest.approx(drawn, abs=0.1), f"The chart's {number} is at {at:.0f}, expected {drawn:.0f}."


def test_c5_lobby_shows_default_rounds_and_remembers_choices(server, new_player):
    ann = new_player(server)
    ann.open("/")
    ann.open_variants()
    rounds = ann.page.locator("label", has_text="rounds").locator("input[type=number]")
    for players, usual in ((3, "6"), (5, "5"), (2, "4")):
        ann.page.locator(".chip", has_text=f"{players}").click()
        expect(rounds, f"{players} players play {usual} rounds (C5).").to_have_value(usual)
    rounds.fill("3")
    rounds.blur()

    box = ann.page.locator("label", has_text="hints").locator("input")
    lamp = ann.page.get_by_role("button", name="Hint", exact=True)
    box.uncheck()
    ann.page.get_by_label("bot speed", exact=False).select_option("calm")
    ann.page.locator("select.clock").select_option("fast")
    ann.page.click(".now:enabled")
    ann.page.wait_for_selector(".hand .card")
    expect(lamp, "The lamp is shown although hints are off.").to_have_count(0)
    pace = ann.page.get_by_label("Bot speed")
    expect(pace).to_have_value("calm")
    pace.select_option("quick")
    ann.page.wait_for_selector("[data-spot=seat-0] .clock")
    table = ann.page.url.rsplit("/", 1)[-1]
    settings = ann.get_table(table)["table"]
    assert settings["options"]["rounds"] == 3, "Expected the chosen number of rounds."
    clock = settings["time_control"]
    assert clock == {"initial_s": 150, "increment_s": 3, "days_per_move": 0}, f"Another time control: {clock}"
    path = f"/api/tables/{table}"
    ann.page.wait_for_function(f"async () => (await (await fetch('{path}')).json()).table.bot_speed === 'quick'")
    ann.page.reload()
    expect(pace, "The table lost its bot speed.").to_have_value("quick")
    ann.open("/")
    ann.open_variants()
    expect(box, "The lobby lost the choice.").not_to_be_checked()
    box.check()
    ann.page.click(".now:enabled")
    ann.page.wait_for_selector(".hand .card")
    expect(lamp, "The lamp is missing although hints are on.").to_have_count(1)


def test_c14_illegal_card_changes_nothing_and_log_forgets_old_tricks(server, new_player):

    def must_follow(message: dict[str, Any]) -> bool:
        view, ask = message["view"], message["open_question"]
        follows = ask["question"] == "play" and len(ask["legal"]) < len(view["hand"][message["seat"]])
        return follows and sum(view["tricks"]) >= 2

    ann = new_player(server)
    table = table_at_question(ann, "crystals", 4, must_follow, memory_aid=False)
    ann.open(f"/table/{table}")
    ann.question()
    before = ann.shown_state()
    ann.page.locator(".hand .card.dull").first.click(position={"x": 6, "y": 8}, force=True)
    ann.page.wait_for_selector(".status.problem")
    expect(ann.page.locator(".status")).to_contain_text("follow suit")
    after = ann.shown_state()
    assert {**after, "status": ""} == {**before, "status": ""}, "A rejected card changed something."

    had = sum(ann.get_table(table)["view"]["tricks"])
    while sum(ann.get_table(table)["view"]["tricks"]) == had:
        ann.answer_and_wait()
    for again in (False, True):
        if again:
            ann.page.reload()
            ann.question()
        log = "\n".join(ann.accessible_text(".log p"))
        assert len(re.findall(r" wins? the \w+ trick\.", log)) == 1, f"The log shows an older trick (C14):\n{log}"
        assert " choose" not in log, f"The log shows events before the last trick (C14):\n{log}"
    assert ann.page.locator(".cloth [title='cards taken this round']").count() == 0, "Cards taken are counted (C14)."


# The log's text with card symbols. A line that can be opened is its summary and its contents.
LOG_JS = """() => [...document.querySelectorAll('.log > *')].map((line) =>
  line.tagName === 'P' ? line.textContent : [...line.children].map((part) => part.textContent))"""


@pytest.mark.parametrize(
    ("game", "seats", "question"), [("crystals", 4, "play"), ("fourteen", 3, "play"), ("mines", 2, "turn")]
)
def test_log_after_an_undo_has_one_line_for_it_and_whole_tricks(game, seats, question, server, new_player):
    def has_a_choice(message: dict[str, Any]) -> bool:
        view, ask = message["view"], message["open_question"]
        in_trick = game == "mines" or (sum(view["tricks"]) and any(view["trick"]))
        return ask["question"] == question and len(ask["legal"]) >= 2 and in_trick

    ann = new_player(server)
    table = table_at_question(ann, game, seats, has_a_choice)
    ann.open(f"/table/{table}")
    ann.question()
    before = ann.page.evaluate(LOG_JS)
    told = ["You undo a move."]
    for _ in range(2):
        ann.answer_and_wait()
        ann.page.keyboard.press("u")
        expect(ann.page.locator(".log > p", has_text=told[0])).to_have_count(len(told))
        ann.question()
        assert ann.page.evaluate(LOG_JS) == before + told, "The log keeps undone lines, or lost effective ones."
        told *= 2
    for _ in range(2):
        ann.answer_and_wait()
    log = ann.page.evaluate(LOG_JS)
    assert [line for line in log if line in told] == told[:2], f"Expected one line for each undo:\n{log}"
    if game != "mines":
        tricks = [line for line in log if isinstance(line, list)]
        assert len(tricks) == sum(ann.get_table(table)["view"]["tricks"]), "Expected a line for each trick."
        for trick in tricks:
            assert sum(bool(re.search(" plays? ", line)) for line in trick) == seats, f"Expected one trick: {trick}"
    ann.page.reload()
    ann.question()
    assert ann.page.evaluate(LOG_JS) == log, "Expected the same log after a reload."


def test_log_after_an_undo_of_a_deal_tells_of_the_deal_before(server, new_player):
    ann = new_player(server)
    ann.open(f"/table/{table_at_question(ann, 'fourteen', 3, one_card_left)}")
    ann.question()
    before = ann.page.evaluate(LOG_JS)
    ann.answer_question()
    ann.page.wait_for_selector(".skip")
    ann.page.locator(".skip").click(force=True)
    ann.question()
    ann.page.keyboard.press("u")
    undone = ann.page.locator(".log > p", has_text="You undo a move.")
    undone.wait_for()
    assert ann.page.evaluate(LOG_JS) == [*before, "You undo a move."]
    ann.page.reload()
    undone.wait_for()
    assert ann.page.evaluate(LOG_JS) == [*before, "You undo a move."], "Expected the same first line after a reload."


def has_one_legal_card(message: dict[str, Any]) -> bool:
    several = len(message["view"]["hand"][message["seat"]]) > 1
    return message["open_question"]["question"] == "play" and len(message["open_question"]["legal"]) == 1 and several


def test_single_legal_card_plays_itself_and_trick_stays_until_tap(server, new_player):
    ann = new_player(server)
    ann.change_settings(autoPlay="always", trickSeconds=3600)
    ann.add_init_script(DEFERRED_TIMEOUTS_JS)
    ann.open(f"/table/{table_at_question(ann, 'fourteen', 3, has_one_legal_card)}")
    forced = ann.page.locator(".hand .card.raised").get_attribute("data-card")
    ann.page.evaluate("goOn()")
    ann.page.wait_for_selector(f'.hand [data-card="{forced}"]', state="detached")
    ann.page.wait_for_selector(".trick li.won")
    assert ann.page.locator(".trick li").count() == 3, "Expected all three cards on the table."
    ann.page.locator(".skip").click(force=True)
    ann.page.wait_for_selector(".trick li.won", state="detached")
    last_trick = ann.page.get_by_role("button", name="Last trick", exact=True)
    last_trick.click()
    ann.page.wait_for_selector(".middle >> text=The last trick, won by")
    expect(ann.page.locator(".trick li")).to_have_count(3)
    last_trick.click()
    ann.page.wait_for_selector(".middle >> text=The last trick, won by", state="detached")


def test_double_tap_lifts_a_card_before_playing_and_a_key_plays_at_once(server, new_player):
    ann = new_player(server, "phone", "touch")
    ann.change_settings(confirmTouch=True)
    ann.sit_down("fourteen", 3)
    question = ann.question()
    first, second = question["cards"][:2]
    before = ann.shown_state()
    names = {}
    for card in (first, second):
        ann.press(card)
        ann.page.wait_for_selector(f'.card.raised[data-card="{card["name"]}"]')
        assert ann.page.locator(".card.raised").count() == 1, "Expected another card to be lifted instead."
        assert ann.shown_state()["hand"] == before["hand"], "One tap played the card."
        names[card["name"]] = ann.page.locator(f'.hand [data-card="{card["name"]}"]').get_attribute("aria-label")
        told = ann.page.locator(".status").inner_text()
        name = str(names[card["name"]]).split(",")[0]
        assert name.lower() in told.lower(), f"The lifted card is {name}, but the announcement is {told!r}."
    ann.wait_until_still()
    ann.press(second)
    ann.page.wait_for_selector(f'.hand [data-card="{second["name"]}"]', state="detached")
    assert ann.page.locator(f'.hand [data-card="{first["name"]}"]').count() == 1
    ann.input_method = "keys"
    ann.answer_question()
    ann.page.wait_for_function(f"() => document.querySelectorAll('.hand .card').length < {len(before['hand']) - 1}")


@pytest.mark.parametrize(("game", "seats"), [("crystals", 4), ("fourteen", 3), ("mines", 2)])
def test_plates_are_readable_at_the_first_decision(game, seats, server, new_player):
    """The cut decides who deals. The log reports it, and nothing covers a seat."""
    ann = new_player(server, "phone")
    ann.sit_down(game, seats)
    ann.page.wait_for_selector(".seat .details")
    assert ann.page.evaluate(SCRIPTS["areDetailsVisible"]) == [True] * seats
    ann.page.get_by_role("button", name="Log and chat").click()
    expect(ann.page.get_by_role("log")).to_contain_text("You cut")
    if game == "crystals":  # the log explains the cut and the sign beside a name
        expect(ann.page.get_by_role("log")).to_contain_text(
            re.compile("cut the highest card and deals?. D marks the dealer.")
        )
