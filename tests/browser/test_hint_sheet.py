"""The open hint: its place, in which it covers no part of the table, its sentences, marks and numbers."""

import re
from collections.abc import Sequence
from typing import Any

import pytest
from playwright.sync_api import Route, expect

from tests.browser.conftest import BrowserTestServer, wait_for
from tests.browser.player import Player
from tests.browser.scripts import Scripts
from tests.browser.test_accessibility import check_with_axe
from tests.browser.test_layout_shift import open_faked_table, send_update, update_with_question
from tests.support.sample_sizes import short_or_long

SCRIPTS = Scripts(__file__)

SCREEN_SIZES = [(360, 740), (740, 360), (768, 1024), (1440, 900), (2560, 1440)]
TIGHT_SIZES = [(320, 568), (360, 640), (800, 600), (900, 560)]

LONGEST_REASONS = [
    ["hint-likely-wins-action", {"suit": "H"}],
    ["hint-no-trick-in-reach", {"chance": 88}],
    ["hint-robbed-more", {}],
]


def fake_hint(ann: Player, table: str, passed: int) -> dict[str, Any]:
    """Return the longest hint to the open question that the server could send, with this number of cards to pass."""
    message = ann.page.request.get(f"{ann.address}/api/tables/{table}").json()
    ask, seat = message["open_question"], message["seat"]
    names = [*ask["legal"], *ask["legal"]][: max(3, len(ask["legal"]))]
    sets = [[name] for name in (names if ask["question"] == "play" else names[:3])]
    if ask["question"] == "pass":
        hand = message["view"]["hand"][seat]
        sets = [hand[k : k + passed] for k in range(3)]
    cards = isinstance(sets[0][0], str) and sets[0][0][0] in "DHSC" and sets[0][0][1:2] in "23456789JQKA1"
    choices = [
        {
            "answers": answers,
            "text": ["hint-cards", {"cards": answers}] if cards else ["as-it-is", {"text": f"pile {answers[0]}"}],
            "gain": 2.4 - k,
            "gain_error": 0.1,
            "gap": 0.7 * k,
            "gap_error": 0.1,
            "tied": k == 1,
            "reasons": LONGEST_REASONS[k : k + 1],
        }
        for k, answers in enumerate(sets)
    ]
    return {
        "n": message["n"], "seat": seat, "question": ask["question"], "choices": choices,
        "unit": "%" if ask["question"] in ("turn", "grow") else "points",
        "worlds": 512, "text": ["hint-equally", {"each": [choices[0]["text"], choices[1]["text"]]}],
    }  # fmt: skip


def route_hint(ann: Player, table: str, passed: int = 3) -> None:
    """Answer requests for hints with a made-up one."""
    hint = fake_hint(ann, table, passed)
    # The last route applies. If the previous one were removed first, a request might reach the server, whose search is
    # slow.
    ann.route("**/hint", lambda route: route.fulfill(json=hint))


def hint_with_many_cards(ann: Player, least: int = 8) -> dict[str, Any]:
    """Sit down at tables of fourteen until one offers this many legal cards; return a made-up hint there."""
    while True:
        hint = hint_at(ann, "fourteen", 3)
        if len(hint["choices"]) >= least:
            return hint


def request_hint(ann: Player) -> None:
    ann.page.keyboard.press("h")
    ann.page.wait_for_selector("section.hint .take button")


def hint_at(ann: Player, game: str, seats: int) -> dict[str, Any]:
    """Sit down at a new table and return a made-up hint to its first question."""
    table = ann.sit_down(game, seats)
    return fake_hint(ann, table, 0)


def show_hint(ann: Player, hint: dict[str, Any]) -> None:
    ann.route("**/hint", lambda route: route.fulfill(json=hint))
    request_hint(ann)


def check_places(ann: Player, where: str, sizes: Sequence[tuple[int, int]] = SCREEN_SIZES) -> None:
    """Resize the window while a hint is open, and assert that neither it nor the question covers anything."""
    for width, height in sizes:
        ann.page.set_viewport_size({"width": width, "height": height})
        lies = ann.page.evaluate(SCRIPTS["measureSheet"])
        hint = f"{where} at {width} × {height}: the hint at {lies['at']}"
        assert not lies["over"], f"{hint} covers {lies['over'][:3]}."
        hidden = None if sizes is TIGHT_SIZES else []  # there the hint replaces the question
        assert lies["question"] == hidden, f"{hint} has a question that covers {lies['question']}."
        assert not lies["out"], f"{hint} is outside the window."
        assert lies["whole"], f"{hint} does not show its whole sentence."
        assert not lies["cut"], f"{hint} cuts {lies['cut']}."


@short_or_long("settings", [("de", "never"), ("en", "always")], [("de", "always"), ("en", "never")])
@pytest.mark.parametrize("sizes", [SCREEN_SIZES, TIGHT_SIZES], ids=["usual sizes", "tight sizes"])
@pytest.mark.parametrize(("game", "seats"), [
    ("crystals", 2), ("crystals", 4), ("crystals", 6), ("fourteen", 4), ("fourteen", 6), ("mines", 2),
])  # fmt: skip
def test_open_hint_covers_nothing_at_any_size(game, seats, sizes, settings, server, new_player):
    ann = new_player(server)
    for language, coach in settings:
        ann.change_settings(language=language, coach=coach)
        table = ann.take_seat(game, seats)
        if game == "mines":
            ann.play_by_api(table, has_two_piles_to_dig)
            open_turn_of_mines(ann, server, tied=True, table=table)
        else:
            ann.play_by_api(table, is_choice_of_cards)
            ann.open(f"/table/{table}", ".cloth")
            show_hint(ann, fake_hint(ann, table, 0))
        check_places(ann, f"{game} in {language}, coach {coach}", sizes)


BOARD_HEIGHT_JS = "() => document.querySelector('.cloth').offsetHeight"


@pytest.mark.parametrize("coach", ["always", "never"])
@pytest.mark.parametrize("game", ["crystals", "fourteen"])
def test_open_hint_of_two_lines_keeps_the_board_on_a_desktop(game, coach, server, new_player):
    ann = new_player(server)
    ann.change_settings(coach=coach)
    table = ann.take_seat(game, 4)
    ann.play_by_api(table, is_choice_of_cards)
    ann.open(f"/table/{table}", ".cloth")
    ann.question()
    ann.wait_until_still()
    before = ann.page.evaluate(BOARD_HEIGHT_JS)
    hint = fake_hint(ann, table, 0)
    show_hint(ann, hint | {"choices": [one | {"reasons": [], "tied": False} for one in hint["choices"]]})
    ann.wait_until_still()
    assert ann.page.evaluate(BOARD_HEIGHT_JS) == before


@pytest.mark.parametrize(("game", "seats", "options", "questions"), [
    ("crystals", 6, {"thief": True}, {"pass"}),
    ("fourteen", 3, {"scoring": "bid"}, {"bid"}),
    ("mines", 2, {}, {"turn", "grow"}),
])  # fmt: skip
def test_hint_on_other_questions_covers_nothing(game, seats, options, questions, server, new_player):
    ann = new_player(server)
    table = ann.sit_down(game, seats, options)
    while questions:
        question = ann.question()["question"]
        if question in questions:
            questions = questions - {question}
            route_hint(ann, table)
            request_hint(ann)
            check_places(ann, f"{game}, {question}")
            check_places(ann, f"{game}, {question}", TIGHT_SIZES)
            ann.page.keyboard.press("h")
        n = ann.shown_state()["n"]
        ann.page.evaluate(SCRIPTS["pressAnswer"])
        ann.page.wait_for_function("(n) => document.querySelector('main.table')?.dataset.n !== n", arg=n)


def test_hint_shows_its_reason_first_and_numbers_on_request(server, new_player):
    ann = new_player(server, "phone")
    table = ann.sit_down("fourteen", 3)
    route_hint(ann, table)
    request_hint(ann)
    best, tied = ann.accessible_text(".hint .take button")[:2]
    (says,) = ann.accessible_text(".hint .says")
    assert says.startswith(best), f"Expected what the best answer does now first: {says!r}."
    assert says.count("likely wins") <= 1, f"Expected the trick to be mentioned once: {says!r}."
    equal = rf"({tied} \(=\) would score about as much(; ({best} is the lowest|any will do))?|{NAMED_SET}[^.]*)\."
    matters = r"( Winning now is worth about as much as saving a card\.| A diamond given away now would likely be lost later anyway\.)?"
    assert re.search(f"{equal}{matters}$", says), f"Expected the suggestion last, with its sign: {says!r}."
    assert not any(sign in says for sign in "+−±%"), f"Expected no numbers before they are requested: {says!r}"
    assert ann.page.locator(".hint ol").count() == 0
    ann.page.get_by_role("button", name="Compare").click()
    lines = ann.page.locator(".hint ol li")
    legal = ann.page.locator(".hand .card.open").count()
    expect(lines).to_have_count(legal)
    expect(lines.nth(0)).to_contain_text("best")
    expect(lines.nth(2)).to_contain_text("about 1.5 points less")
    check_with_axe(ann, "a hint with its numbers")
    ann.page.reload()
    ann.question()
    route_hint(ann, table)
    request_hint(ann)
    expect(ann.page.locator(".hint ol"), "expected the reason first at each hint").to_have_count(0)


@pytest.mark.parametrize("size", ["phone", "desktop"])
def test_coach_is_silent_while_a_hint_speaks_beside_the_cards(size, server, new_player):
    ann = new_player(server, size)
    ann.change_settings(coach="first")
    table = ann.sit_down("fourteen", 4)
    coach = ann.page.locator(".coach [data-tip=goal]")
    expect(coach).to_be_visible()
    route_hint(ann, table)
    request_hint(ann)
    expect(coach).to_be_hidden()
    sheet, hand = (ann.page.locator(what).bounding_box() for what in ("section.hint", ".own-hand .hand"))
    assert sheet["x"] < hand["x"] + hand["width"], "Expected the hint beside the cards."
    ann.page.keyboard.press("h")
    expect(coach).to_be_visible()


def test_closed_hint_keeps_its_answer_while_the_question_is_open(server, new_player):
    """A second search could recommend something else, and the advice would change for no visible reason."""
    ann = new_player(server, "phone")
    ann.change_settings(coach="first")
    message = open_faked_table(ann, server, "crystals", 4, {})
    hand = message["view"]["hand"][message["seat"]] = ["D7", "H3", "H9", "S5"]
    hint = fake_hint(ann, message["table"]["id"], 2)
    best, _, other = hint["choices"]
    best |= {"answers": hand[:2], "text": ["hint-cards", {"cards": hand[:2]}]}
    other |= {"answers": hand[2:], "text": ["hint-cards", {"cards": hand[2:]}]}
    advice = [[best, other], [other, best]]
    asked: list[Any] = []

    def answer(route: Route) -> None:
        asked.append(advice[len(asked) % 2])
        route.fulfill(json=hint | {"question": "pass", "choices": asked[-1]})

    def expect_marks(cards: list[str]) -> None:
        expect(ann.page.locator(".hand .hinted")).to_have_count(len(cards))
        for card in cards:
            expect(ann.page.locator(f".hand [data-card={card}].hinted")).to_have_count(1)

    ann.route("**/hint", answer)
    message["view"] |= {"passing": 2}
    message = update_with_question(message, "pass", hand)
    send_update(ann, message)
    expect_marks(hand[:2])
    ann.page.get_by_role("button", name="Hint", exact=True).click()
    ann.page.locator(".hint .take button").first.click()
    expect(ann.page.locator("section.hint")).to_have_count(0)
    expect(ann.page.locator("button.pass")).to_be_enabled()
    expect_marks(hand[:2])
    message = update_with_question(message, "pass", hand)
    message["events"] = [{"n": message["n"], "event": {"event": "chosen", "seat": (message["seat"] + 1) % 4}}]
    send_update(ann, message)
    ann.page.wait_for_selector(f"main[data-n='{message['n']}']")
    ann.question()
    expect_marks(hand[:2])
    assert len(asked) == 1, "expected no second search while the question is open"
    send_update(ann, update_with_question(message, "pass", hand[1:]))
    expect_marks(hand[2:])


def test_hint_to_dig_marks_the_piles_and_not_the_button_for_no_digging(server, new_player):
    ann = new_player(server)
    table = ann.sit_down("mines", 2)
    question = ann.question()
    assert question["question"] == "turn"
    hint = fake_hint(ann, table, 0)
    hint["choices"] = [{**hint["choices"][0], "answers": ["go"], "text": ["hint-answer-turn-go", {}]}]
    hint["choices"].append({**hint["choices"][0], "answers": ["pass"], "text": ["hint-answer-turn-pass", {}]})
    show_hint(ann, hint)
    expect(ann.page.locator(".spot.open.hinted")).to_have_count(len(question["piles"]))
    expect(ann.page.locator(".choices .hinted")).to_have_count(0)
    assert ann.accessible_text(".hint .says")[0].startswith("Dig: this ")
    ann.page.locator(".hint .says").click()  # from now on, the page knows a player with a mouse
    ann.page.locator(".spot.open.hinted").first.hover()
    ann.page.mouse.down()  # focuses the pile, as a press on it before this question did
    outline = ann.page.evaluate("() => getComputedStyle(document.activeElement).outlineStyle")
    assert outline == "dashed", "expected the mark also on a pile pressed before"


@pytest.mark.parametrize(("tied", "reasons", "says"), [
    ((1,), [], "{} or {}: both are as good here."),
    ((1, 2), [], "{}, {} or {}: all are as good here."),
    ((1, 2), [["hint-tried", {}]], "{}, {} or {}: all are as good here."),  # no difference in trial games
    ((0, 1, 2), [["hint-digs-exposed", {}]], "{}, {} or {}: this saves a card where your opponent can attack."),
])  # fmt: skip
def test_hint_gives_equal_answers_one_reason_or_none(tied, reasons, says, server, new_player):
    ann = new_player(server, "phone")
    hint = hint_at(ann, "mines", 2) | {"unit": "%"}
    for k, choice in enumerate(hint["choices"]):
        choice |= {"reasons": reasons, "tied": k in tied}
    show_hint(ann, hint)
    expected = says.format(*ann.accessible_text(".hint .take button")[:3])
    assert ann.accessible_text(".hint .says") == [expected[0].upper() + expected[1:]]


# True if the hint is as high as its contents and covers no step of the turn.
IS_WHOLE_JS = """() => {
  const hint = document.querySelector('section.hint'), steps = document.querySelector('.steps').getBoundingClientRect()
  const { top, bottom } = hint.getBoundingClientRect()
  return hint.scrollHeight <= hint.clientHeight + 1 && (bottom <= steps.top || top >= steps.bottom)
}"""
TURN_OF_MINES = {"turn pass": ["hint-claims-later", {"number": 1}], "turn go": ["hint-digs-at", {"pile": 5}]}


def has_two_piles_to_dig(message: dict[str, Any]) -> bool:
    view, me = message["view"], message["seat"]
    own = [left for left, owner in zip(view["left"], view["owner"], strict=True) if owner == me]
    return message["open_question"]["question"] == "turn" and len(own) > 1 and min(own) > 0


def is_choice_of_cards(message: dict[str, Any]) -> bool:
    question = message["open_question"]
    return question["question"] == "play" and len(question["legal"]) > 1 and len(message["view"]["trick"]) > 0


def open_turn_of_mines(
    ann: Player, server: BrowserTestServer, *, tied: bool, numbers: bool = False, table: str = ""
) -> None:
    """Open a turn of mines, at a new table unless one is given, with a hint to pass and a reason for each answer."""
    if table:
        ann.open(f"/table/{table}", ".cloth")
    else:
        table = ann.sit_down("mines", 2)
    hint = fake_hint(ann, table, 0) | {"unit": "%"}
    hint["choices"] = [
        {
            **choice,
            "answers": [answer.split()[1]],
            "text": [f"hint-answer-{answer.replace(' ', '-')}", {}],
            "gain": 96.2 - 3.2 * k,
            "gap": 3.2 * k,
            "tied": tied and k > 0,
            "reasons": [reason],
        }
        for k, (choice, (answer, reason)) in enumerate(zip(hint["choices"], TURN_OF_MINES.items(), strict=False))
    ]
    show_hint(ann, hint)
    if numbers:
        ann.page.get_by_role("button", name="Compare").click()


def test_equal_answers_of_mines_each_have_their_reason(server, new_player):
    ann = new_player(server, "phone")
    open_turn_of_mines(ann, server, tied=True)
    expect(ann.page.locator(".hint .says")).to_have_text(
        "Pass: this gets four cards to dig, not just one. As good: dig, which saves a card of pile 6 from an attack."
    )


def test_mark_of_a_recommended_button_touches_neither_question_nor_plate(server, new_player):
    ann = new_player(server, "phone")
    open_turn_of_mines(ann, server, tied=True)
    button = ann.page.locator(".choices .hinted")
    expect(button).to_have_css("outline-style", "dashed")
    reach = button.evaluate(
        "(one) => (({ outlineOffset, outlineWidth }) => parseFloat(outlineOffset) + parseFloat(outlineWidth))(getComputedStyle(one))"
    )
    assert reach <= 0, f"The mark reaches {reach} px beyond the button."


def test_mark_of_a_recommended_button_contrasts_with_the_button(server, new_player):
    """The button to pass in mines is dark, the numbers of cards to pass in crystals are gold."""
    ann = new_player(server, "phone")
    open_turn_of_mines(ann, server, tied=False)
    expect(ann.page.locator(".choices .hinted")).to_have_css("outline-color", "rgb(255, 212, 121)")
    table = ann.create_table("crystals", 4)["id"]
    ann.post_to_table(table, "sit", {"nonce": ""})
    ann.play_by_api(table, lambda message: message["open_question"]["question"] == "count")
    ann.open(f"/table/{table}", ".cloth")
    show_hint(ann, fake_hint(ann, table, 0))
    expect(ann.page.locator(".choices .main.hinted").first).to_have_css("outline-color", "rgb(29, 26, 16)")


def test_hint_to_dig_is_followed_by_a_hint_where_to_dig(server, new_player):
    ann = new_player(server, "phone")
    table = ann.create_table("mines", 2)["id"]
    ann.post_to_table(table, "sit", {"nonce": ""})
    ann.play_by_api(table, has_two_piles_to_dig)
    open_turn_of_mines(ann, server, tied=True, table=table)
    with ann.page.expect_response("**/hint"):
        ann.page.locator(".hint .take button", has_text="dig").click()
    ann.page.wait_for_function("() => document.querySelector('main.table').dataset.question === 'dig'")
    expect(ann.page.locator("section.hint .says")).to_be_visible()
    ann.page.get_by_role("button", name="Close the hint").click()
    ann.answer_question()
    expect(ann.page.locator("section.hint")).to_have_count(0)


def test_numbers_of_mines_compare_answers_and_foretell_no_win(server, new_player):
    ann = new_player(server)
    open_turn_of_mines(ann, server, tied=False, numbers=True)
    rows = ann.page.locator(".hint ol li")
    expect(rows.nth(0).locator(".gain")).to_have_text("best")
    expect(rows.nth(1).locator(".gain")).to_have_text("3 fewer wins in 100 games")
    shown = ann.page.locator("section.hint").inner_text()
    assert not any(sign in shown for sign in "%±−"), f"Expected plain numbers: {shown!r}"


@pytest.mark.parametrize("language", ["en", "de"])
def test_hint_of_mines_shows_all_its_numbers_beside_the_steps(language, server, new_player):
    ann = new_player(server)
    ann.change_settings(language=language)
    for width, height in ((1440, 900), (1280, 800)):
        ann.page.set_viewport_size({"width": width, "height": height})
        open_turn_of_mines(ann, server, tied=True)
        ann.page.locator(".hint .numbers").click()
        expect(ann.page.locator(".hint ol li")).to_have_count(2)
        ann.page.wait_for_function(IS_WHOLE_JS)
        ann.page.locator(".hint .numbers").click()


def test_hint_marks_one_best_card_and_names_equals_as_such(server, new_player):
    ann = new_player(server, "phone")
    hint = hint_at(ann, "fourteen", 3)
    tied = [one["answers"][0] for one in hint["choices"][1:] if one["tied"]]
    assert tied, "expected an equally good card in the fake hint"
    hint["choices"][0]["reasons"] = [VOID]  # why it comes first
    show_hint(ann, hint)
    best = ann.page.locator(".hand .hinted")
    expect(best).to_have_count(1)
    expect(best).to_have_attribute("data-card", hint["choices"][0]["answers"][0])
    equals = ann.page.locator(".hand [data-as-good]")
    expect(equals).to_have_count(len(tied))
    expect(equals.first).to_have_attribute("data-card", tied[0])
    expect(equals.first).to_have_attribute("data-as-good", "as good")
    sign = equals.first.evaluate("(card) => getComputedStyle(card, '::after').content")
    assert sign.startswith('"="'), f"expected an equals sign on an equally good card, not {sign}"
    expect(equals.first).to_have_accessible_name(re.compile("as good$"))
    ann.page.keyboard.press("h")
    expect(equals).to_have_count(0)


VOID = ["hint-void", {"suit": "S"}]
SHARED = ["hint-shared-by", {"either": [["hint-cards", {"cards": [card]}] for card in ("H9", "S8")], "clear": 0}]
NO_DIAMOND, TURNED = ["hint-gives-no-diamond", {}], ["hint-not-fourteen", {"rank": 1, "card": "DK"}]
NAMED_SET = r"All (but|cards|your|winning|losing) [^.]*score (about the same|alike)"  # if the first cards have something in common
LEADERS = [["hint-takes-from-leader-points", {"leaders": 2, "points": 4}]]
FROM_LEADERS = "this takes from one of your strongest rivals: 4 points each."
LEAVES_VOID = r"\. This gets rid of all spades; without spades, any card acts\. "


def test_hint_says_what_is_good_about_the_best_and_its_equals(server, new_player):
    ann = new_player(server, "phone")
    hint = hint_with_many_cards(ann, 9)
    number = len(hint["choices"])
    for tied, reasons, says in (
        (4, [], rf"4 other cards \(=\) would score about as much; |{NAMED_SET}"),
        (5, [], rf"5 other cards would score about as much; |{NAMED_SET}"),
        (number - 1, [], r"^All playable cards score about the same; (any will do\.|\S+ of \S+ is the lowest\.) (None|Each|This|Others|Nobody|\S+ of \S+) .+\.$"),
        (4, [VOID, TURNED], r"^\S+ of \S+: this gets rid of all spades; [^.]+\. An ace on king of diamonds would make fourteen and change the suit\. (4 other cards|All) "),
        (number - 2, [], r"All but \S+ of \S+ score about the same; [^.]+\."),
        (0, [VOID, SHARED], LEAVES_VOID + "9 of hearts or 8 of spades would do the same, but would score slightly less.$"),
        (0, [VOID, ["hint-saves", {"card": "D9"}]], LEAVES_VOID + "It also saves 9 of diamonds for a later trick.$"),
        (0, [["hint-highest-left", {"suit": "S"}], VOID], r"^(?!.*\bleft\b).* This gets rid of all spades"),
        (0, [NO_DIAMOND, TURNED], "This gives no diamonds away. An ace on king of diamonds would make fourteen and change the suit.$"),
        (0, [["hint-keeps-diamond", {"card": "D8"}], ["hint-not-thrown-now", {"card": "D8", "points": 2}]], r"This saves 8 of diamonds: it can still score 2 points later\.$"),
    ):  # fmt: skip
        for k, choice in enumerate(hint["choices"]):
            choice |= {"tied": 0 < k <= tied, "reasons": [] if k else reasons}
        show_hint(ann, hint)
        # The page has been reloaded, and says the effect of a card as soon as it has loaded the part for it.
        wait_for(
            lambda says=says: bool(re.search(says, ann.accessible_text(".hint .says")[0])),
            f"The hint does not say {says}: {ann.accessible_text('.hint .says')}",
        )
        (text,) = ann.accessible_text(".hint .says")
        is_any = "any will do." in text  # then all equal cards are marked alike, or none
        expect(ann.page.locator(".hand [data-as-good]")).to_have_count(4 + is_any if tied == 4 else 0)
        for marked in (".hand .hinted", ".hint .take .main"):
            expect(ann.page.locator(marked), text).to_have_count(0 if is_any else 1)
        ann.page.reload()  # a closed hint keeps its answer
        ann.question()


@pytest.mark.parametrize(("reasons", "says", "advice", "main"), [
    (([], []), "Blaise or Carl: both are as good here.", "Blaise or Carl: both are as good here.", 0),
    ((LEADERS, LEADERS), f"Blaise or Carl: {FROM_LEADERS}", f"Blaise or Carl: {FROM_LEADERS}", 0),
    ((LEADERS, []), f"you take one. {FROM_LEADERS.capitalize()} About as many points: Carl.", f"Blaise: {FROM_LEADERS}", 1),
])  # fmt: skip
def test_c18_players_equally_good_to_take_from_are_named_and_marked_alike(
    reasons, says, advice, main, server, new_player
):
    """By the coach and the hint; without a reason none is recommended."""
    ann = new_player(server, "phone")
    ann.change_settings(coach="always")
    message = open_faked_table(ann, server, "crystals", 4, {})
    numbers = {"gain": 0.0, "gain_error": 0.1, "gap": 0.0, "gap_error": 0.1}
    choices = [
        {
            "answers": [seat],
            "text": ["hint-answer-victim", {"seat": seat}],
            "tied": seat > 1,
            "reasons": reasons[seat - 1],
        }
        | numbers
        for seat in (1, 2)
    ]
    hint = {"question": "victim", "unit": "points", "choices": choices, "worlds": 9, "text": choices[0]["text"]}
    ann.route("**/hint", lambda route: route.fulfill(json=hint))
    send_update(ann, update_with_question(message, "victim", [1, 2]))
    expect(ann.page.locator(".target.hinted")).to_have_count(2 - main)
    assert ann.accessible_text(".advice span")[0].endswith(advice)
    request_hint(ann)
    (text,) = ann.accessible_text(".hint .says")
    assert text.endswith(says)
    expect(ann.page.locator(".hint .take .main")).to_have_count(main)
    expect(ann.page.locator(".target.hinted")).to_have_count(2 - main)


def test_coach_says_what_a_lead_may_bring_before_what_it_saves(server, new_player):
    """Although there is no room for all that the hint says."""
    ann = new_player(server, "phone")
    ann.change_settings(coach="always")
    message = open_faked_table(ann, server, "crystals", 4, {})
    hands = message["view"]["hand"]
    hand = [["S13", "H14", "H2", "S2"] if seat == message["seat"] else one for seat, one in enumerate(hands)]
    reasons = [["hint-saves", {"card": "H14"}], ["hint-not-likely-loses", {"card": "H14", "suit": "H"}]]
    choices = [
        {"answers": [card], "text": ["hint-cards", {"cards": [card]}], "reasons": why, "gain": 0.0, "gain_error": 0.1}
        | {"gap": gap, "gap_error": 0.1, "tied": False}
        for card, why, gap in (("S13", reasons, 0.0), ("H14", [], 2.0))
    ]
    hint = {"question": "play", "unit": "points", "choices": choices, "worlds": 9, "text": choices[0]["text"]}
    ann.route("**/hint", lambda route: route.fulfill(json=hint))
    update = update_with_question(message, "play", ["S13", "H14"])
    lead = {"trick": [], "led": None, "leader": message["seat"], "question": "play"}
    update["view"] = update["view"] | {"hand": hand} | lead
    send_update(ann, update)
    expect(ann.page.locator(".advice")).to_contain_text("moves into your Vault")  # once the words are loaded
    text, *_ = ann.accessible_text(".advice span")
    assert text == "If 13 of spades wins, a crystal moves into your Vault. This saves 14 of hearts for a later trick."


def test_hint_to_dig_in_a_pile_is_taken_with_one_press(server, new_player):
    ann = new_player(server, "phone")
    table = ann.create_table("mines", 2)["id"]
    ann.post_to_table(table, "sit", {"nonce": ""})
    ann.play_by_api(table, has_two_piles_to_dig)
    view = ann.get_table(table)["view"]
    pile = view["owner"].index(ann.get_table(table)["seat"])
    ann.open(f"/table/{table}", ".cloth")
    hint = fake_hint(ann, table, 0) | {"unit": "%"}
    hint["choices"] = [
        {**hint["choices"][0], "answers": [answer], "text": [f"hint-answer-turn-{answer}", {}], "reasons": [reason]}
        for answer, reason in (("go", ["hint-digs-at", {"pile": pile}]), ("pass", ["hint-claims-later", {"number": 1}]))
    ]
    show_hint(ann, hint)
    expect(ann.page.locator(".board .hinted")).to_have_attribute("data-pile", str(pile))
    ann.page.locator(".hint .take button", has_text=f"dig pile {pile + 1}").click()
    dug = ann.page.locator(f'.board [data-pile="{pile}"]')
    expect(dug).to_have_attribute("aria-label", re.compile(rf"\b{view['left'][pile] - 1} card|empty"))


def test_answers_that_the_sentence_calls_equal_are_marked_alike(server, new_player):
    ann = new_player(server, "phone")
    table = ann.create_table("crystals", 4)["id"]
    ann.post_to_table(table, "sit", {"nonce": ""})
    ann.play_by_api(table, lambda message: message["open_question"]["question"] == "count")
    ann.open(f"/table/{table}", ".cloth")
    hint = fake_hint(ann, table, 0)
    hint["choices"] = [
        one | {"text": ["hint-answer-count", {"number": one["answers"][0]}], "tied": k > 0, "reasons": []}
        for k, one in enumerate(hint["choices"])
    ]
    show_hint(ann, hint)
    (text,) = ann.accessible_text(".hint .says")
    assert re.search(r"^Pass \d, pass \d or pass \d: all are as good here\.$", text), text
    expect(ann.page.locator(".choices .hinted")).to_have_count(len(hint["choices"]))
    expect(ann.page.locator(".choices [data-as-good]")).to_have_count(0)
    expect(ann.page.locator(".hint .take .main")).to_have_count(0)


def test_only_the_recommended_answer_of_mines_is_marked(server, new_player):
    """An answer as good for another reason has its own sentence. Marked, it would make the advice look undecided."""
    ann = new_player(server, "phone")
    open_turn_of_mines(ann, server, tied=True)
    (text,) = ann.accessible_text(".hint .says")
    assert re.search(r"^Pass: this .+\. As good: dig, which .+\.$", text), text
    expect(ann.page.locator(":is(.choices, .board) .hinted")).to_have_attribute("data-answer", "pass")
    expect(ann.page.locator(".hint .take .main")).to_have_text("pass")


def test_equal_answers_are_marked_only_where_a_sentence_says_so(server, new_player):
    """A mark on a rival beside the coach's reason to take from another would contradict it."""
    ann = new_player(server, "phone")
    ann.change_settings(coach="first")
    table = ann.create_table("crystals", 4)["id"]
    ann.post_to_table(table, "sit", {"nonce": ""})
    ann.play_by_api(table, lambda message: message["open_question"]["question"] == "count")
    hint = fake_hint(ann, table, 0)
    for k, one in enumerate(hint["choices"]):
        one |= {"tied": k > 0, "reasons": [] if k else [VOID]}
    ann.route("**/hint", lambda route: route.fulfill(json=hint))
    ann.open(f"/table/{table}", ".cloth")
    best, equal = (ann.page.locator(f".choices {mark}") for mark in (".hinted", "[data-as-good]"))
    expect(best).to_have_count(1)
    expect(equal).to_have_count(0)
    request_hint(ann)
    expect(equal).to_have_count(len(hint["choices"]) - 1)
    expect(best).to_have_count(1)


def test_further_reason_of_a_german_hint_is_a_sentence_of_its_own(server, new_player):
    ann = new_player(server, "phone", locale="de")
    hint = hint_at(ann, "fourteen", 3)
    best, other, *_ = hint["choices"]
    best |= {"tied": False, "reasons": [["hint-void", {"suit": "S"}], ["hint-takes-from-leader", {"leaders": 1}]]}
    hint["choices"] = [best, {**other, "tied": False, "reasons": []}]
    show_hint(ann, hint)
    (text,) = ann.accessible_text(".hint .says")
    says = "Das lässt dir kein Pik; ohne Pik wirkt jede Karte. Außerdem trifft es deinen stärksten Gegner."
    assert text.endswith(says), text


def has_choice_of_cards(message: dict[str, Any], *, led: bool, follows: bool) -> bool:
    """Return whether a trick of crystals offers several cards: to lead, to follow suit or to discard."""
    view, legal = message["view"], message["open_question"]["legal"]
    is_play = message["open_question"]["question"] == "play" and len(legal) > 1
    return is_play and bool(view["led"]) == led and (not led or (legal[0][0] == view["led"]) == follows)


@pytest.mark.parametrize(("led", "follows", "fact"), [
    (False, False, r"(Winning now is worth about as much as saving a card|None of them is likely to win)"),
    (True, True, r"(Winning now is worth .+|None of them beats .+|Each of them wins this trick|Each is the highest so far)"),
    (True, False, "Each can act now, or just as well later"),
])  # fmt: skip
def test_hint_says_why_all_cards_of_crystals_are_about_equal(led, follows, fact, server, new_player):
    ann = new_player(server, "phone")
    table = ann.create_table("crystals", 4)["id"]
    ann.post_to_table(table, "sit", {"nonce": ""})
    ann.play_by_api(table, lambda message: has_choice_of_cards(message, led=led, follows=follows))
    ann.open(f"/table/{table}", ".cloth")
    hint = fake_hint(ann, table, 0)
    for choice in hint["choices"]:
        choice |= {"tied": choice is not hint["choices"][0], "gap": 0.1, "reasons": []}
    show_hint(ann, hint)
    (text,) = ann.accessible_text(".hint .says")
    assert re.search(rf"^All playable cards score about the same;? ?[^.]*\. {fact}\.$", text), text


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize(("cards", "gap", "why"), [
    ("H7 H9 SJ", 0.1, "7 of hearts is the lowest|Herz 7 ist die niedrigste"),
    ("H10 H9 H8", 0.1, "any will do|du hast freie Wahl"),
    ("H7 H9 S4", 0.1, "any will do|du hast freie Wahl"),
    ("H7 H9 S7", 0.0, "any will do|du hast freie Wahl"),
])  # fmt: skip
def test_hint_says_what_tells_the_first_of_equal_cards_apart(cards, gap, why, language, server, new_player):
    """The card that the rule of thumb prefers comes first, even if it is slightly behind."""
    ann = new_player(server, "phone", locale=language)
    hint = hint_at(ann, "fourteen", 3)
    first = hint["choices"][0]
    hint["choices"] = [
        {**first, "answers": [card], "text": ["hint-cards", {"cards": [card]}], "gap": behind, "tied": k in (1, 2)}
        for k, (card, behind) in enumerate(zip([*cards.split(), "D2"], [gap, 0.2, 0.2, 2.0], strict=True))
    ]
    show_hint(ann, hint)
    (says,) = ann.accessible_text(".hint .says")
    assert re.search(rf"; ({why})\.", says), says


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("tied", [False, True])
def test_hint_has_at_most_three_sentences_the_strongest_first(tied, language, server, new_player):
    ann = new_player(server, "phone", locale=language)
    hint = hint_at(ann, "fourteen", 3)
    for k, choice in enumerate(hint["choices"]):
        choice |= {"tied": tied and k in (1, 2), "gap": 0.1 * k, "reasons": []}
    hint["choices"][0]["reasons"] = [
        ["hint-gives-no-diamond", {}],
        ["hint-saves-for-diamonds", {"card": "DQ"}],
        ["hint-shared", {"clear": 0}],
        ["hint-not-fourteen", {"rank": 11, "card": "DQ"}],
    ]
    show_hint(ann, hint)
    (says,) = ann.accessible_text(".hint .says")
    sentences = re.findall(r"[^.]+\.", says)
    assert len(sentences) == 3, says
    if tied:  # a sentence about equal cards with different outcomes may come last, instead of the reason
        assert re.search("=|about the same|alike|etwa gleich viel", sentences[1] + sentences[2]), says
    else:
        assert ("make fourteen" if language == "en" else "ergäbe vierzehn") in sentences[2], says


def test_coach_marks_equal_cards_with_the_meaning_of_the_sign(server, new_player):
    ann = new_player(server)
    ann.change_settings(coach="first")
    table = ann.sit_down("fourteen", 3)
    route_hint(ann, table)
    ann.page.reload()
    expect(ann.page.locator(".advice > span")).to_contain_text(
        re.compile(f"Cards marked = are about as good.|{NAMED_SET}")
    )
    expect(ann.page.locator(".hand [data-as-good]")).to_have_count(1)


def test_numbers_list_equivalent_cards_that_a_hint_does_not_name(server, new_player):
    """A hint names only the lowest of equivalent cards. The others are as good, and are marked if it is the best."""
    ann = new_player(server, "phone")
    hint = hint_at(ann, "fourteen", 4)
    legal = [choice["answers"][0] for choice in hint["choices"]]
    by_suit = [[card for card in legal if card[0] == suit] for suit in "DHSC"]
    pair = next(cards[:2] for cards in by_suit if len(cards) > 1)  # the lowest two, in ascending order
    low = next(choice for choice in hint["choices"] if choice["answers"] == pair[:1])
    others = [choice for choice in hint["choices"] if choice["answers"][0] not in pair]
    hint["choices"] = [{**low, "tied": False}, *({**choice, "tied": False} for choice in others)]
    show_hint(ann, hint)
    expect(ann.page.locator(f".hand [data-card={pair[1]}]")).to_have_attribute("data-as-good", "as good")
    ann.page.get_by_role("button", name="Compare").click()
    shown = ann.page.locator(".hint ol li")
    expect(shown).to_have_count(len(legal))
    expect(shown.nth(1)).to_contain_text("as good")
    assert not any("±" in line for line in shown.all_text_contents())
    shown.last.scroll_into_view_if_needed()  # a phone shows as many as fit below the question
    expect(shown.last).to_be_in_viewport(ratio=1)
    expect(ann.page.locator(".hint .numbers")).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize(("language", "fault", "instead"), [
    ("en", "an ace on king of diamonds would make fourteen and change the suit", "gives no diamonds away"),
    ("de", "ein Ass auf Karo König ergäbe vierzehn und eine neue Farbe", "verschenkt kein Karo"),
])  # fmt: skip
def test_numbers_list_what_is_wrong_with_worse_cards(language, fault, instead, server, new_player):
    """Or what the best card does instead."""
    ann = new_player(server, "phone", locale=language)
    hint = hint_at(ann, "fourteen", 4)
    hint["choices"] = [{**choice, "tied": False, "reasons": []} for choice in hint["choices"][:3]]
    hint["choices"][1]["reasons"] = [TURNED]
    hint["choices"][2]["reasons"] = [["hint-instead", {"card": "H7", "reason": NO_DIAMOND}]]
    show_hint(ann, hint)
    ann.page.locator(".hint .numbers").click()
    expect(ann.page.locator(".hint ol li .why")).to_have_count(2)
    text = " ".join(ann.accessible_text(".hint ol li .why"))
    assert re.fullmatch(rf"{fault} \S+ \S+ \S*\s?{instead}", text), text


@pytest.mark.parametrize("language", ["en", "de"])
def test_marks_of_a_hint_lie_on_the_visible_part_of_their_card(language, server, new_player):
    ann = new_player(server, "phone", locale=language)
    hint = hint_with_many_cards(ann)
    for k, choice in enumerate(hint["choices"]):
        choice |= {"tied": 1 <= k <= 4, "reasons": [] if k else [VOID]}
    show_hint(ann, hint)
    expect(ann.page.locator(".hand [data-as-good]"), "expected a mark for each equal card").to_have_count(4)
    marks = ann.page.evaluate(SCRIPTS["measureMarks"])
    assert len(marks) == 5
    wrong = [mark for mark in marks if mark["left"] < -6 or mark["right"] > mark["strip"] + 3]
    assert not wrong, f"expected each mark within the strip of its card that no other covers: {wrong}"
    lamp = next(mark for mark in marks if mark["lamp"])
    assert lamp["right"] < lamp["strip"] / 2, f"expected the lamp in the corner, beside the mark of fourteen: {lamp}"


def test_suit_stays_in_one_line_with_a_word_beside_it(server, new_player):
    ann = new_player(server, "phone")
    table = ann.sit_down("crystals", 3)
    hint = fake_hint(ann, table, ann.get_table(table)["view"].get("passing") or 0)
    hint["choices"][0]["reasons"] = [["hint-void", {"suit": "S"}]]
    show_hint(ann, hint)
    alone = [text for text in ann.page.locator(".hint .says .joint").all_text_contents() if not text.strip()]
    assert not alone, "expected each suit with a word or a rank"
    tops = ann.page.evaluate(SCRIPTS["topsOfSuits"])
    assert tops
    assert [len(set(one)) for one in tops] == [1] * len(tops)


@pytest.mark.parametrize("language", ["en", "de"])
def test_three_answers_of_the_longest_hint_are_pressable_at_any_size(language, server, new_player):
    """The sentence has an effect, a reason, the fault of the obvious card and equal cards: too long for a small phone."""
    ann = new_player(server)
    ann.change_settings(language=language)
    table = ann.sit_down("fourteen", 4)
    while ann.question() and not (
        ann.page.locator(".trick li").count() > 1 and ann.page.locator(".hand .card.open").count() > 2
    ):
        n = ann.shown_state()["n"]
        ann.page.evaluate(SCRIPTS["pressAnswer"])
        ann.page.wait_for_function("(n) => document.querySelector('main.table')?.dataset.n !== n", arg=n)
    hint = fake_hint(ann, table, 0)
    for k, choice in enumerate(hint["choices"]):
        choice |= {"tied": 0 < k < 3, "gap": 0.0 if k < 3 else 1.0, "reasons": []}
    hint["choices"][0]["reasons"] = [
        ["hint-saves-for-diamonds", {"card": "DQ"}],
        ["hint-not-fourteen", {"rank": 11, "card": "DQ"}],
    ]
    for size in [(320, 568), (320, 640), (360, 740), (740, 360), (768, 1024), (1440, 900)]:
        ann.page.set_viewport_size({"width": size[0], "height": size[1]})
        show_hint(ann, hint)
        expect(ann.page.locator(".hint .take button")).to_have_count(4)
        lies = ann.page.evaluate(SCRIPTS["measureSheet"])
        assert (lies["out"], lies["cut"]) == (False, []), (
            f"{language} at {size}: the hint at {lies['at']} cuts {lies['cut']}"
        )
        ann.page.keyboard.press("h")
        ann.page.wait_for_selector("section.hint", state="detached")


def test_hint_of_three_fights_is_whole_on_a_phone(server, new_player):
    ann = new_player(server, "phone")
    ann.page.set_viewport_size({"width": 390, "height": 844})
    hint = hint_at(ann, "mines", 2)
    texts = [["hint-answer-fight", {"pile": 2}], ["hint-answer-fight-end", {}], ["hint-answer-fight", {"pile": 3}]]
    reasons = [["hint-may-raid", {}], ["hint-keeps-club", {"pile": 8, "number": 2}], ["hint-may-raid", {}]]
    choice = hint["choices"][0]
    hint["choices"] = [
        choice | {"text": text, "reasons": [reason], "tied": k > 0, "gap": 0.0}
        for k, (text, reason) in enumerate(zip(texts, reasons, strict=True))
    ]
    show_hint(ann, hint)
    expect(ann.page.locator(".hint .take button")).to_have_count(4)
    beyond = ann.page.locator("section.hint").evaluate("(hint) => hint.scrollHeight - hint.clientHeight")
    assert beyond <= 1, f"{beyond} pixels of the hint are cut off"


def test_chosen_cards_and_their_marks_leave_the_button_free(server, new_player):
    ann = new_player(server)
    ann.page.set_viewport_size({"width": 1440, "height": 900})
    ann.sit_down("crystals", 4)
    while (asked := ann.question()) and asked["question"] != "pass":
        ann.answer_question(asked)
    route_hint(ann, ann.page.url.rpartition("/")[2], 1)
    request_hint(ann)
    ann.page.get_by_role("button", name="Compare").click()
    ann.page.locator(".hand .card.hinted").click()
    mark_px = 9  # the lamp extends this far above the card
    for width, height in ((1440, 900), (1280, 800)):  # the button beside the list of the hint, and below it
        ann.resize_window(width, height)
        card = ann.page.locator(".hand .card.raised").bounding_box()
        button, sheet = (ann.page.locator(one).bounding_box() for one in (".actions .pass", "section.hint"))
        for one in (button, sheet):
            assert one["y"] + one["height"] <= card["y"] - mark_px, f"The chosen card at {card} covers {one}."
        beside = sheet["x"] + sheet["width"] <= button["x"]
        assert beside or sheet["y"] + sheet["height"] <= button["y"], (
            f"The hint at {sheet} covers the button at {button}."
        )
