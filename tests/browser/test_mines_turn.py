"""A turn of mines: pressing a pile or a ♠ digs directly, and questions without a choice are skipped."""

import copy
import uuid
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import BrowserTestServer
from tests.browser.player import DEFERRED_TIMEOUTS_JS, Player
from tests.browser.test_layout_shift import open_faked_table, send_update
from tests.browser.test_standing import SPOKEN_JS


def answer_until(ann: Player, question: str) -> dict[str, Any]:
    for _ in range(200):
        asked = ann.question()
        assert not asked["over"], f"The game ended before {question!r}."
        if asked["question"] == question:
            return asked
        ann.answer_question(asked)
    raise AssertionError(f"{question!r} was never asked.")


def record_answers(ann: Player) -> list[list[str]]:
    """Record the page's answers from now on, one list per request."""
    sent: list[list[str]] = []

    def keep(request: Any) -> None:
        if request.url.endswith("/answers"):
            sent.append(request.post_data_json["answers"])

    ann.on("request", keep)
    return sent


def test_pressing_a_pile_takes_the_turn_and_digs_in_one_request(server, new_player):
    ann = new_player(server, "phone", "touch")
    table = ann.sit_down("mines", 2)
    asked = answer_until(ann, "turn")
    seen = ann.get_table(table)
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


def test_viewer_has_the_same_color_in_both_seats(server, new_player):
    ann = new_player(server)
    message = open_faked_table(ann, server, "mines", 2, {})
    for seat, pile in ((0, "0"), (1, "12")):
        view = message["view"] | {
            "owner": [0] + [None] * 11 + [1],
            "hand": [["S3"] if k == seat else None for k in (0, 1)],
        }
        n = message["n"] + 1
        message |= {"n": n, "version": message["version"] + 1, "seat": seat, "view": view, "events": []}
        send_update(ann, message)
        mine = ann.page.locator(".spot.mine")
        expect(mine).to_have_attribute("data-pile", pile)
        expect(mine.locator(".p0 use[href='#marker-0']")).to_have_count(1)


def test_opening_says_that_the_players_are_even(server, new_player):
    ann = new_player(server)
    message = open_faked_table(ann, server, "mines", 2, {})
    view = message["view"] | {
        "owner": [0] + [None] * 11 + [1],
        "hand": [[], None],
        "hand_size": [0, 0],
        "left": [4] * 13,
    }
    ann.page.reload()
    send_update(ann, message | {"n": 1, "version": 1, "view": view, "events": []})
    expect(ann.page.locator(".standing p")).to_contain_text("About even: you likely 1, ")


# Continue to the coach's tip that says this.
FIND_LESSON_JS = """(says) => {
  const coach = document.querySelector('.coach')
  const found = coach.textContent.includes(says)
  if (!found) coach.querySelector('.next')?.click()
  return found
}"""
NAMES_OF_CARDS_JS = "(all) => all.map((one) => one.querySelector('use').getAttribute('href').at(-1) + one.querySelector('.rank').textContent)"


class FakedTable:
    """A table of mines with made-up questions and events. Ann owns the first pile, her opponent the last."""

    def __init__(self, server: BrowserTestServer, ann: Player) -> None:
        self.ann, self.message = ann, copy.deepcopy(open_faked_table(ann, server, "mines", 2, {}))
        self.me: int = self.message["seat"]
        self.name: str = self.message["table"]["seat_holders"][1 - self.me]["name"]

    def ask(self, question: str, legal: list[Any], *events: dict[str, Any], hand: str = "", **view: Any) -> None:
        """Ask Ann a question after these events; she holds this hand."""
        message = self.message
        n, hands = message["n"] + 1, [None, None]
        hands[self.me] = hand.split()
        owner = [self.me, *[None] * 11, 1 - self.me]
        message["view"] |= {"owner": owner, "hand": hands, "question": question, "to_act": [self.me], **view}
        message |= {
            "n": n,
            "version": message["version"] + 1,
            "open_question": {"question": question, "legal": legal, "illegal": []},
            "events": [{"n": n, "event": event} for event in events],
        }
        send_update(self.ann, message)
        self.ann.page.wait_for_function(f"() => document.querySelector('main.table').dataset.question === '{question}'")


def test_choices_of_a_turn_are_told_apart(server, new_player):
    table = FakedTable(server, new_player(server))
    page, asked = table.ann.page, ("turn", ["pass", "go"])
    for hand, offered in (("", ["pass"]), ("S7 C9", ["pass"]), ("H2", ["pass", "skip"])):
        table.ask(*asked, hand=hand)
        buttons = page.locator(".choices [data-answer]")
        expect(buttons).to_have_count(len(offered))
        assert [one.get_attribute("data-answer") for one in buttons.all()] == offered, f"with {hand or 'no card'}"
        expect(page.locator(".steps .lit")).to_have_text(["dig"])
    expect(buttons).to_have_text(["Pass and end turn", "Skip digging"])
    near = [one.get_attribute("data-pile") for one in page.locator(".spot.near").all()]
    assert near == ["1", "4", "5"], "Expected the piles that a pass lets Ann claim, and no other."
    for hand, offered, says in (
        ("D4 S7 C9", ["pass"], "Pass: next turn you get a dotted one"),  # no pile to attack
        ("D4 H2", ["pass", "go"], "or pass for a dotted pile"),
    ):
        table.ask(*asked, hand=hand, left=[0] + [4] * 12)
        expect(page.locator(".status")).to_contain_text(says)
        assert [one.get_attribute("data-answer") for one in page.locator(".choices button").all()] == offered
    for left, usable in ((2, 1), (1, 0)):  # M6: a ♠ digs two cards
        table.ask(*asked, hand="S7", left=[left] + [4] * 12)
        expect(page.locator(".hand .card.open")).to_have_count(usable)
    owner = [table.me, 1 - table.me, *[None] * 2, 1 - table.me, 1 - table.me, *[None] * 7]
    table.ask(*asked, hand="H2", left=[4] * 13, owner=owner)
    expect(page.locator(".status")).to_contain_text("Passing gets you no pile")
    expect(page.locator(".spot.near")).to_have_count(0)


def test_m8_attack_on_an_empty_hand_is_announced_and_explained(server, new_player):
    ann = new_player(server)
    ann.change_settings(coach="first")
    table = FakedTable(server, ann)
    touching, sizes = [table.me, 1 - table.me, *[None] * 11], [1, 1]
    sizes[1 - table.me] = 0
    table.ask("fight", [1, "end"], hand="C4", owner=touching, hand_size=sizes)
    expect(ann.page.locator(".status")).to_contain_text(f"{table.name} has no cards")
    table.ask("fight_card", ["C4"], hand="C4", owner=touching, hand_size=sizes, attacked=1)
    expect(ann.page.locator(".status")).to_contain_text("Nothing can stop it")
    for winner, says in ((table.me, "cannot defend or give you one"), (1 - table.me, "Your hand was empty")):
        won = [
            {"event": "attacked", "seat": winner, "pile": 1},
            {"event": "discarded", "seat": winner, "card": "C9"},
            {"event": "declined", "seat": 1 - winner},
            {"event": "conquered", "seat": winner, "pile": 1},
        ]
        table.ask("turn", ["pass", "go"], *won, owner=touching, attacked=-1)
        ann.page.wait_for_function(FIND_LESSON_JS, arg=says)
        took = "is yours" if winner == table.me else f"{table.name} took pile 2"
        expect(ann.page.locator(".happened")).to_contain_text(took)


def test_discards_are_in_time_order_and_the_latest_visible(server, new_player):
    ann = new_player(server, "phone")
    table = FakedTable(server, ann)
    cards = ["S9", "H2", "C5", "H3", "SK", "C4", "HQ", "S2", "C9"]
    events = [{"event": "discarded", "seat": table.me, "card": card} for card in cards]
    table.ask("turn", ["pass", "go"], *events, discards=sorted(cards))
    shown = ann.page.locator(".discards .gone")
    expect(shown).to_have_count(len(cards))
    assert shown.evaluate_all(NAMES_OF_CARDS_JS) == cards
    expect(ann.page.locator(".discards .label")).to_have_text("Discards: 9")
    box, last = (ann.page.locator(one).bounding_box() for one in (".discards .pile", ".discards .gone >> nth=-1"))
    assert last["x"] + last["width"] <= box["x"] + box["width"] + 1, "The latest discard is cut."
    cards = ["C10", *cards, "SA"]
    told = [{"event": "discarded", "seat": table.me, "card": card} for card in ("C10", "SA")]
    table.ask("turn", ["pass", "go"], *told, discards=sorted(cards))
    expect(ann.page.locator(".discards .ranks")).to_have_text(["23Q", "A29K", "45910"])
    expect(ann.page.locator(".discards .latest")).to_have_text("A")


def test_m2_cut_is_explained_if_the_suit_or_an_ace_decides(server, new_player):
    table = FakedTable(server, new_player(server))
    cuts_told = (
        ("S9", "cut the higher card"),
        ("SA", "In the cut, the ace is low."),
        ("SJ", "Equal cuts: ♠ ranks above ♥, ♦ and ♣."),
    )
    for k, (card, says) in enumerate(cuts_told):
        cuts = [{"event": "cut", "seat": 0, "card": "HJ"}, {"event": "cut", "seat": 1, "card": card}]
        table.ask("turn", ["pass", "go"], *cuts, {"event": "dealt", "first": 1})
        expect(table.ann.page.locator(".log > p.head").last).to_contain_text(says.partition("♠")[0])
        for first, remark in ((1, "In the cut, the ace is low."), (2, "Equal cuts")):  # the log keeps earlier lines
            expect(table.ann.page.locator(".log > p", has_text=remark)).to_have_count(int(k >= first))


NEWS_JS = SPOKEN_JS.replace(".standing p", ".happened > span")


def test_news_tell_both_last_turns_in_order(server, new_player):
    table = FakedTable(server, new_player(server))
    me, other = {"seat": table.me}, {"seat": 1 - table.me}
    before = [{"event": "passed"} | other, {"event": "claimed", "pile": 3} | me]
    mine = [{"event": "discarded", "card": "S4"}, {"event": "dug", "pile": 4, "card": "C9"}]
    attack = [{"event": "attacked", "pile": 12} | me, {"event": "discarded", "card": "C5"} | me]
    stopped = {"event": "defended", "card": "H10"} | other
    his = [{"event": "claimed", "pile": 6}, {"event": "dug", "pile": 12, "card": None}]
    grown = [{"event": "discarded", "card": "HQ"} | other, {"event": "grew", "pile": 2} | other]
    table.ask("turn", ["pass", "go"], *before, *[one | me for one in mine], *attack, stopped, *[one | other for one in his], *grown, hand="C9")  # fmt: skip
    expect(table.ann.page.locator(".happened > span")).to_contain_text(f"{table.name}: ")
    assert table.ann.page.evaluate(NEWS_JS) == (
        "You: claimed pile 4, used ♠4 to dig twice, dug ♣9 from pile 5. "
        f"{table.name} stopped your ♣5 with ♥10 and keeps pile 13. "
        f"{table.name}: claimed pile 7, dug from pile 13, claimed pile 3 with ♥Q."
    )


def test_coached_news_on_a_phone_tell_a_long_turn_in_fewer_letters(server, new_player):
    ann = new_player(server, "phone")
    ann.resize_window(360, 740)
    ann.change_settings(coach="always")
    table = FakedTable(server, ann)
    me, other = {"seat": table.me}, {"seat": 1 - table.me}
    steps = [{"event": "claimed", "pile": 6}, {"event": "discarded", "card": "S4"}, {"event": "dug", "pile": 12, "card": None}, {"event": "dug", "pile": 11, "card": None}, {"event": "discarded", "card": "HQ"}, {"event": "grew", "pile": 2}]  # fmt: skip
    table.ask("turn", ["pass", "go"], {"event": "claimed", "pile": 3} | me, *[one | other for one in steps], hand="C9")
    expect_news(table, f"{table.name}: claimed 7, dug piles 13 and 12 with ♠4, claimed 3 with ♥Q.")
    news, coach = (ann.page.locator(one).bounding_box() for one in (".happened > span", ".coach"))
    assert news["y"] >= coach["y"] + coach["height"] - 1, "The news cover the coach."
    attack = [{"event": "attacked", "pile": 5}, {"event": "discarded", "card": "C9"}]
    lost = [{"event": "declined"} | me, {"event": "conquered", "pile": 5} | other]
    table.ask(
        "turn", ["pass", "go"], {"event": "passed"} | me, *[one | other for one in (*steps, *attack)], *lost, hand="C9"
    )
    ann.page.wait_for_function(f"(says) => /^… .*{table.name} took pile 6.$/.test(({NEWS_JS})())", arg="")


def test_news_on_a_low_phone_leave_the_steps_free(server, new_player):
    ann = new_player(server)
    ann.resize_window(740, 360)
    table = FakedTable(server, ann)
    me, other = {"seat": table.me}, {"seat": 1 - table.me}
    attack = [{"event": "attacked", "pile": 5}, {"event": "discarded", "card": "C9"}]
    lost = [{"event": "declined"} | me, {"event": "conquered", "pile": 5} | other]
    steps = [{"event": "claimed", "pile": 6}, {"event": "discarded", "card": "S4"}, *[{"event": "dug", "pile": 12, "card": None}] * 2, {"event": "discarded", "card": "HQ"}, {"event": "grew", "pile": 2}]  # fmt: skip
    table.ask("turn", ["pass", "go"], *[one | other for one in (*steps, *attack)], *lost, hand="D9")
    expect_news(table, f"{table.name} took pile 6.")
    news, steps_box = (ann.page.locator(one).bounding_box() for one in (".happened > span", ".steps"))
    assert news["y"] >= steps_box["y"] + steps_box["height"] - 1, "The news cover the steps of the turn."


def test_news_of_a_turn_end_when_the_next_begins_even_without_events(server, new_player):
    table = FakedTable(server, new_player(server))
    me, other, name = {"seat": table.me}, {"seat": 1 - table.me}, table.name
    dug, passed = {"event": "dug", "pile": 0}, {"event": "passed"}
    attack = [{"event": "attacked", "pile": 12} | me, {"event": "discarded", "card": "C9"} | me, {"event": "defended", "card": "C4"} | other]  # fmt: skip
    for question, events, says in (
        ("turn", [dug | me | {"card": "C9"}, *attack], f"You: dug ♣9 from pile 1. {name} stopped your ♣9 with ♣4 and keeps pile 13. {name}: neither dug nor passed."),
        ("grow", [dug | me | {"card": "H2"}], f"{name}: neither dug nor passed. You: dug ♥2 from pile 1."),
        ("turn", [dug | other | {"card": None}], f"You: dug ♥2 from pile 1. {name}: dug from pile 1."),
        ("claim", [passed | me], f"You: passed. {name}: neither dug nor passed."),
        ("turn", [{"event": "claimed", "pile": 1} | me], f"{name}: neither dug nor passed. You: claimed pile 2."),
    ):  # fmt: skip
        table.ask(question, ["go"], *events, hand="D4 D5 D6")
        table.ann.page.wait_for_function(f"(says) => ({NEWS_JS})() === says", arg=says)


@pytest.mark.parametrize(("pile", "says"), [(12, "None is within reach yet."), (1, "it can win a pile or a card.")])
def test_coach_says_whether_a_club_just_dug_can_attack(pile, says, server, new_player):
    """Without a pile to attack, the turn ends after the dig."""
    ann = new_player(server)
    ann.change_settings(coach="first")
    table = FakedTable(server, ann)
    owner = [table.me if one == 0 else 1 - table.me if one == pile else None for one in range(13)]
    table.ask(
        "turn", ["pass", "go"], {"event": "dug", "pile": 0, "card": "C9", "seat": table.me}, hand="C9", owner=owner
    )
    told = ann.page.locator(".coach [role=status]")
    while says not in told.inner_text():
        read = told.inner_text()
        ann.page.locator(".coach .next").click()
        expect(told).not_to_have_text(read)


def expect_news(table: FakedTable, says: str) -> None:
    table.ann.page.wait_for_function(f"(says) => ({NEWS_JS})().includes(says)", arg=says)


def test_m9_news_say_who_won_an_attack_and_why(server, new_player):
    table = FakedTable(server, new_player(server, "phone"))
    me, other, name = {"seat": table.me}, {"seat": 1 - table.me}, table.name
    for attacker, defender, ended, says in (
        (me, other, [{"event": "defended", "card": "C4"}], f"{name} stopped your ♣9 with ♣4 and keeps pile 6."),
        (me, other, [{"event": "declined"}], f"{name} did not stop ♣9 at pile 6."),
        (me, other, [{"event": "declined"}, {"event": "conquered", "pile": 5}], f"{name} did not stop ♣9: pile 6 with 3 cards is yours."),
        (me, other, [{"event": "declined"}, {"event": "raided"}, {"event": "gave", "card": "S4"}], f"{name} did not stop ♣9 and gave you ♠4."),
        (other, me, [{"event": "defended", "card": "HJ"}], "Your ♥J stopped ♣9: you keep pile 6."),
        (other, me, [{"event": "declined"}, {"event": "conquered", "pile": 5}], f"You did not stop ♣9: {name} took pile 6."),
        (other, me, [{"event": "declined"}, {"event": "raided"}, {"event": "gave", "card": "S4"}], "You did not stop ♣9 and gave up ♠4."),
    ):  # fmt: skip
        begun = [{"event": "attacked", "pile": 5} | attacker, {"event": "discarded", "card": "C9"} | attacker]
        by = {"conquered": attacker, "raided": attacker, "dug": attacker, "gave": defender | {"to": attacker["seat"]}}
        events = [*begun, *[one | by.get(one["event"], defender) for one in ended]]
        # Even if the turns after an attack are long, its outcome stays.
        steps = [{"event": "claimed", "pile": 1}, {"event": "discarded", "card": "S9"}, *[{"event": "dug", "pile": 12, "card": None}] * 2, {"event": "discarded", "card": "H9"}, {"event": "grew", "pile": 2}]  # fmt: skip
        long = [one | other for one in steps] if attacker is me else []
        table.ask("turn", ["pass", "go"], *events, *long, hand="CK", left=[3] * 13)
        expect_news(table, says)


def test_news_say_why_a_pile_or_card_was_lost_without_a_choice(server, new_player):
    table = FakedTable(server, new_player(server))
    me, other = {"seat": table.me}, {"seat": 1 - table.me}
    attack = [{"event": "attacked", "pile": 5} | other, {"event": "discarded", "card": "C9"} | other]
    conquered = [{"event": "declined"} | me, {"event": "conquered", "pile": 5} | other]
    raided = [{"event": "declined"} | me, {"event": "raided"} | other, {"event": "gave", "card": "S4", "to": 1 - table.me} | me]  # fmt: skip
    dug = {"event": "dug", "pile": 0, "card": "CK"} | me
    for hand, events, says in (
        ("H8 S2", conquered, f"You had no card to stop ♣9: {table.name} took pile 6."),
        ("H8 CK", [*conquered, dug], f"You had no card to stop ♣9: {table.name} took pile 6."),  # dug only afterwards
        ("C2", conquered, "You did not stop ♣9"),
        ("HA", conquered, "You did not stop ♣9"),
        ("H8", raided, "You had no card to stop ♣9 and gave up ♠4."),
    ):
        table.ask("grow", ["skip"], *attack, *events, hand=hand)
        expect_news(table, says)


def test_questions_say_what_a_choice_brings_or_costs(server, new_player):
    table = FakedTable(server, new_player(server))
    sizes, owner = [2, 2], [table.me, *[1 - table.me] * 12]
    fight = {"owner": owner, "hand_size": sizes, "attacked": 4, "attack": "C9", "left": [3] * 13}
    near = {"owner": [table.me, None, 1 - table.me, *[None] * 10]}
    for question, legal, hand, view, says in (
        ("turn", ["pass", "go"], "D4 C7", {}, "Dig a card: about 1 in 4 is a"),
        ("turn", ["pass", "go"], "S7", {}, "Dig one card, or two with a"),
        ("claim", [1, 4, "skip"], "C7", {}, "its four cards are yours to dig"),
        ("claim", [1, 4, "skip"], "C7", near, f"beside {table.name} to block, elsewhere for safety"),
        ("grow_pile", [1, 4], "C7", near, f"Next to {table.name} it blocks; elsewhere it is safe"),
        ("grow", ["H2", "skip"], "H2", {}, "Use a ♥ to claim one dotted pile? Or keep it to stop an attack"),
        ("dig_second", [0], "C7", fight, "Now the second card, from any glowing pile"),
        ("dig_first", [0], "C7", {}, f"{table.name} can attack none of your piles"),
        ("dig_first", [0], "C7", fight, f"Dig first where {table.name} can attack"),
        ("fight", [1, "end"], "C7", fight, f"{table.name} has 2 cards to defend with"),
        ("defend", ["C7", "decline"], "C7", fight, "saves the pile and its 3 cards"),
        ("defend", ["C7", "decline"], "C7", fight | {"attacked": 0}, "last pile with ♣9. A glowing card saves it and the game"),
        ("spoils", ["conquer", "raid"], "C7", fight, f"Take pile 5 with its 3 cards? Or a card that {table.name} chooses?"),
        ("give", ["C7", "D4"], "C7 D4", fight, "takes a card of yours instead of pile 5. Best keep your ♦."),
        ("give", ["C7", "S5"], "C7 S5", fight, "You hold no ♦: give the card you need least."),
        ("give", ["D4", "D7"], "D4 D7", fight, "All your ♦ count the same."),
    ):  # fmt: skip
        table.ask(question, legal, hand=hand, **({"hand_size": sizes} | view))
        table.ann.page.wait_for_function(
            f"(says) => ({SPOKEN_JS.replace('.standing p', '.status')})().includes(says)", arg=says
        )


def test_coach_says_what_skipping_the_dig_does(server, new_player):
    ann = new_player(server)
    ann.change_settings(coach="first")
    table = FakedTable(server, ann)
    table.ask("turn", ["pass", "go"], hand="H7", hand_size=[1, 1], left=[4] * 13)
    ann.page.wait_for_function(FIND_LESSON_JS, arg="“Skip digging” draws no card")


# The smallest width and height of the parts of the cards that another card does not cover.
VISIBLE_PARTS_JS = """(slots) => {
  const boxes = slots.map((one) => one.getBoundingClientRect())
  const right = (box) => Math.min(box.right, ...boxes.filter((other) => other.top === box.top && other.left > box.left).map((other) => other.left))
  const bottom = (box) => Math.min(box.bottom, ...boxes.filter((other) => other.top > box.top).map((other) => other.top))
  return [Math.min(...boxes.map((box) => right(box) - box.left)), Math.min(...boxes.map((box) => bottom(box) - box.top))]
}"""


@pytest.mark.parametrize("coach", ["never", "first"])
def test_cards_and_field_stay_visible_on_a_phone(coach, server, new_player):
    ann = new_player(server, "phone", "touch")
    ann.change_settings(coach=coach)
    table = FakedTable(server, ann)
    ann.resize_window(360, 740)
    hand = ["D4", "D5", "S3", "S7", "S9", "H2", "H5", "C7", "CK", "CA", "DK", "HA"]
    for number in (7, 9, 12):
        table.ask("turn", ["pass", "go"], hand=" ".join(hand[:number]))
        expect(ann.page.locator(".hand .card")).to_have_count(number)
        ann.wait_until_still()
        width, height = ann.page.locator(".hand .slot").evaluate_all(VISIBLE_PARTS_JS)
        assert min(width, height) >= 44, f"Of {number} cards some show only {width} by {height} px."
        field, top = ann.page.locator(".field").bounding_box(), ann.page.locator(".own .seat").bounding_box()["y"]
        assert field["y"] + field["height"] <= top, f"With {number} cards the field is covered."
        assert field["width"] >= 250, f"With {number} cards the field is only {field['width']} px wide."
        ann.assert_own_seat_visible()


@pytest.mark.parametrize("coach", ["never", "first"])
def test_field_stays_in_place_while_the_hand_grows(coach, server, new_player):
    ann = new_player(server, "phone", "touch")
    ann.change_settings(coach=coach)
    table = FakedTable(server, ann)
    hand = ["D4", "D5", "S3", "S7", "S9", "H2", "H5", "C7", "CK", "CA", "DK", "HA"]
    for width, height in ((360, 740), (390, 844), (412, 915)):
        ann.resize_window(width, height)
        fields = {}
        for number in (0, 7, 8, 12):
            table.ask("turn", ["pass", "go"], hand=" ".join(hand[:number]))
            expect(ann.page.locator(".hand .card")).to_have_count(number)
            ann.wait_until_still()
            box = ann.page.locator(".field").bounding_box()
            fields[number] = [round(box[side]) for side in ("y", "width")]
        assert len({tuple(field) for field in fields.values()}) == 1, f"{width} × {height}: {fields}"


def test_only_answer_is_given_automatically_once_it_could_be_read(server, new_player):
    ann = new_player(server)
    ann.change_settings(autoPlay="steps")
    clock = ann.install_clock()
    table = FakedTable(server, ann)
    sent = record_answers(ann)
    fight = {"owner": [table.me, *[1 - table.me] * 12], "hand_size": [2, 2], "attacked": 4}
    empty = {"left": [0] + [4] * 12}  # the player's only pile
    turn, attack = ("turn", ["pass", "go"]), {"attack": "C9", "attacked": 0}
    for question, legal, hand, view, unread_ms, given in (
        ("fight_card", ["C7", "C9"], "C7 C9", fight, 60_000, None),
        ("fight_card", ["C9"], "C9 D4", fight, 0, "fight_card C9"),
        (*turn, "D4 H2", empty, 60_000, None),  # the ♥ can claim a pile
        (*turn, "D4", empty, 0, "turn pass"),  # only passing has an effect
        ("defend", ["decline"], "H2", attack, 2_500, "defend decline"),
    ):
        table.ask(question, legal, hand=hand, **view)
        clock.run_for(unread_ms)
        assert sent == [], f"{sent} was given for Ann at {question} with {hand}."
        if given:
            with ann.page.expect_request(lambda request: request.url.endswith("/answers")):
                clock.run_for(10_000)
            assert sent == [[given]]
            sent.clear()


def test_only_answer_is_named_and_takes_no_press_until_it_is_given(server, new_player):
    ann = new_player(server)
    ann.change_settings(autoPlay="steps")
    ann.add_init_script(DEFERRED_TIMEOUTS_JS)
    ann.add_init_script("Math.random = () => 0")  # the shortest random pause, which is also deferred
    table = FakedTable(server, ann)
    sent = record_answers(ann)
    opponent = table.message["table"]["seat_holders"][1 - table.me]
    opponent["kind"] = "person"  # a press that ends the random pause would show that there was no choice (R5)
    table.ask("grow", ["skip"], hand="S7 C9")
    expect(ann.page.locator(".actions")).to_have_text("Automatic: Claim none")
    expect(ann.page.locator(".actions button")).to_have_count(0)
    expect(ann.page.locator(".unseen[aria-live]")).to_have_text(
        "Without a heart you cannot claim a pile now. Automatic: Claim none"
    )
    expect(ann.page.locator(".card.open, .spot.open")).to_have_count(0)
    for key in ("1", "Enter", "f"):
        ann.page.keyboard.press(key)
    ann.page.locator(".actions").click()
    table.ask("fight_card", ["C9"], hand="C9 D4", owner=[table.me, *[1 - table.me] * 12], attacked=4)
    expect(ann.page.locator(".card.raised")).to_have_attribute("data-card", "C9")
    ann.page.locator(".card.raised").click(position={"x": 6, "y": 8})
    assert sent == [], "A press answered a question that answers itself."
    expect(ann.page.locator(".status.problem")).to_have_count(0)

    # Against bots, a tap or a key skips to the next decision.
    opponent["kind"] = "bot"
    table.ask("grow", ["skip"], hand="S7 C9")
    with ann.page.expect_request(lambda request: request.url.endswith("/answers")):
        ann.page.keyboard.press("f")
    ann.page.evaluate("goOn()")
    ann.wait_until_still()
    assert sent == [["grow skip"]], "Expected one answer at the key."


def open_table_where(ann: Player, wanted: Callable[[dict[str, Any]], bool]) -> None:
    """Play games of mines through the API, and open the table at the first question of this kind."""
    for _ in range(12):
        table = ann.create_table("mines", 2)["id"]
        ann.post_to_table(table, "sit", {"nonce": ""})
        while not (message := ann.get_table(table))["result"]:
            if ask := message["open_question"]:
                if wanted(message):
                    ann.open(f"/table/{table}")
                    return
                answer = "go" if ask["question"] == "turn" else ask["legal"][0]
                given = {"n": message["n"], "answers": [f"{ask['question']} {answer}"]}
                body = {**given, "idempotency_key": uuid.uuid4().hex}
                ann.post_to_table(table, "answers", body)
    raise AssertionError("The question did not come in twelve games.")


def holds(message: dict[str, Any], suit: str) -> bool:
    return any(card.startswith(suit) for card in message["view"]["hand"][message["seat"]])


def is_asked_for_turn_with_spade(message: dict[str, Any]) -> bool:
    view, me = message["view"], message["seat"]
    cards = sum(left for left, owner in zip(view["left"], view["owner"], strict=True) if owner == me)
    return view["question"] == "turn" and me in view["to_act"] and holds(message, "S") and cards >= 2


def test_m6_pressing_a_spade_takes_the_turn_and_digs_twice(server, new_player):
    ann = new_player(server)
    open_table_where(ann, is_asked_for_turn_with_spade)
    question = ann.question()
    assert "go" not in [choice["name"] for choice in question["choices"]], "Expected no question for the turn before."
    spades = ann.page.locator(".hand .card[data-card^=S]").all()
    assert len(question["cards"]) == len(spades), "Expected only ♠ to be offered: only they dig."
    sent = record_answers(ann)
    ann.press(question["cards"][0])
    ann.page.wait_for_function("() => document.querySelector('main.table').dataset.question?.startsWith('dig_')")
    assert sent == [["turn go", f"dig {question['cards'][0]['name']}"]]


def is_asked_to_fight_with_a_club(message: dict[str, Any]) -> bool:
    view, me = message["view"], message["seat"]
    return view["question"] == "fight" and me in view["to_act"] and holds(message, "C")


def test_m8_club_may_be_chosen_before_the_pile_it_attacks(server, new_player):
    ann = new_player(server)
    open_table_where(ann, is_asked_to_fight_with_a_club)
    ann.question()
    clubs = ann.page.locator(".hand .card[data-card^=C]")
    assert ann.page.locator(".hand .card:not(.dull)").count() == clubs.count(), "Expected only ♣: only they fight."
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


def test_m8_attack_may_be_declined_after_a_club_was_chosen(server, new_player):
    ann = new_player(server)
    table = FakedTable(server, ann)
    sent = record_answers(ann)
    owner = [table.me, 1 - table.me, *[None] * 2, 1 - table.me, *[None] * 8]
    table.ask("fight", [1, 4, "end"], hand="C4 H2", owner=owner)
    ann.page.locator(".hand [data-card=C4]").click(position={"x": 6, "y": 8})
    expect(ann.page.locator(".hand .raised")).to_have_count(1)
    with ann.page.expect_request(lambda request: request.url.endswith("/answers")):
        ann.page.locator("[data-answer=end]").click()
    assert sent == [["fight end"]]


def dig_without_a_heart(ann: Player) -> list[list[str]]:
    """Let Ann, with the default setting for forced moves, dig her first card; return the answers that she has sent."""
    ann.change_settings(autoPlay="steps")
    sent = record_answers(ann)
    for _ in range(12):
        ann.sit_down("mines", 2)
        ann.press(answer_until(ann, "turn")["piles"][0])
        # The hand was empty. With a ♥ Ann is asked to grow; with any other card there is no choice.
        card = ann.page.locator(".hand .card").get_attribute("data-card")
        if not str(card).startswith("H"):
            return sent
    raise AssertionError("The first card was a ♥ twelve times.")


GROW_ASKED_JS = "() => document.querySelector('main.table').dataset.question === 'grow'"
GROW_DONE_JS = f"() => document.querySelector('main.table').dataset.question && !({GROW_ASKED_JS})()"


def test_table_changes_do_not_prevent_the_automatic_answer(server, new_player):
    ann = new_player(server)
    dig_without_a_heart(ann)
    with ann.page.expect_response("**/bot-speed"):
        ann.page.locator(".pace select").select_option("quick")
    ann.page.wait_for_function(GROW_DONE_JS)


def test_undo_to_an_automatic_answer_stops_there(server, new_player):
    ann = new_player(server)
    clock = ann.install_clock()
    sent = dig_without_a_heart(ann)
    ann.page.wait_for_function(GROW_DONE_JS)
    assert ["grow skip"] in sent, f"Expected no other answer of Ann's than the dig: {sent}."
    ann.question()
    ann.page.keyboard.press("u")
    ann.page.wait_for_function(GROW_ASKED_JS)
    clock.run_for(60_000)
    ann.wait_until_still()
    assert ann.page.evaluate(GROW_ASKED_JS), "An undone automatic answer was repeated before the next undo."


# The pixels by which the word at the lower edge of the first pile extends outside the hexagon, whose sides narrow from
# 80 to 105 of 108.
OUTSIDE_JS = """() => {
  const hexagon = document.querySelector('[data-pile="0"] .hex').getBoundingClientRect(), range = document.createRange()
  range.selectNodeContents(document.querySelector('[data-pile="0"] .left'))
  const word = range.getBoundingClientRect(), unit = hexagon.width / 100
  const below = (word.bottom - hexagon.top) / unit
  return Math.round(word.width / 2 - 46 * unit * Math.min(1, (105 - below) / 25))
}"""


def test_plates_show_the_diamonds_and_a_note_about_the_next_claim(server, new_player):
    table = FakedTable(server, new_player(server))
    note, diamonds = (table.ann.page.locator(f".opposite {part}") for part in (".note", ".seven"))
    own = table.ann.page.locator(".own .seven")
    passed = [False, False]
    for may_claim in (False, True):
        passed[1 - table.me] = may_claim
        table.ask("turn", ["pass", "go"], hand="D2 S3", hand_size=[2, 2], passed=passed)
        expect(note).to_have_text("may claim next turn" if may_claim else "")
        expect(diamonds).to_have_text("0–2 of 7 in hand")
        expect(diamonds).to_have_attribute("aria-label", "up to 2 of 7 diamonds")
        expect(own).to_have_text("1 of 7 in hand")


# Parts of the attacking card and its label that are outside the window or over a hexagon.
ATTACK_MISPLACED_JS = """() => [...document.querySelectorAll('.board .attack > *')].flatMap((one) => {
  const box = one.getBoundingClientRect(), points = [[box.left, box.top], [box.right, box.top], [box.left, box.bottom], [box.right, box.bottom]]
  const isOver = (spot) => {
    const path = spot.querySelector('.hex path'), onScreen = path.getScreenCTM().inverse()
    return points.some(([x, y]) => path.isPointInFill(new DOMPoint(x, y).matrixTransform(onScreen)))
  }
  return box.left < 0 || box.right > innerWidth || [...document.querySelectorAll('.spot')].some(isOver) ? [one.textContent.trim()] : []
})"""


def test_m8_attacking_card_and_its_label_lie_beside_the_piles(server, new_player):
    for language in ("de", "en"):
        ann = new_player(server)
        ann.change_settings(language=language)
        table = FakedTable(server, ann)
        for width, height in ((320, 568), (360, 740), (390, 844), (740, 360), (768, 1024), (1440, 900)):
            ann.resize_window(width, height)
            table.ask("defend", ["decline"], hand="H2", attack="C9", attacked=12, left=[4] * 13)
            expect(ann.page.locator(".board .attack .short")).to_have_text("→ 13")
            misplaced = ann.page.evaluate(ATTACK_MISPLACED_JS)
            assert misplaced == [], f"{language} at {width} × {height}"
    attack = ann.page.locator(".board .attack")
    expect(attack).to_contain_text("attacks pile 13")
    card, pile = attack.bounding_box(), ann.page.locator("[data-pile='3']").bounding_box()
    apart = card["x"] - (pile["x"] + pile["width"])
    assert -8 <= apart < pile["width"], f"Expected the attacking card beside the top row, not {apart} px from it."


def test_all_discards_are_visible(server, new_player):
    ann = new_player(server, "phone")
    table = FakedTable(server, ann)
    cards = [f"{suit}{rank}" for suit in "SHC" for rank in (*range(2, 11), "K")]
    for width, height in ((320, 568), (360, 740), (740, 360), (768, 1024), (1440, 900)):
        ann.resize_window(width, height)
        for number in (1, 9, 10, 30):
            table.ask("turn", ["pass", "go"], discards=cards[:number])
            expect(ann.page.locator(".discards .gone")).to_have_count(number)
            box = ann.page.locator(".discards .pile").bounding_box()
            is_drawn = ann.page.locator(".discards .ranks").count() == 0
            places = [one.bounding_box() for one in ann.page.locator(".discards .gone").all()]
            for place, following in zip(places, [*places[1:], None], strict=True):
                assert box["x"] - 1 <= place["x"], f"{number} discards at {width} × {height}"
                assert place["x"] + place["width"] <= box["x"] + box["width"] + 1, f"{number} at {width} × {height}"
                if following and following["y"] == place["y"]:
                    free = following["x"] - place["x"]
                    least = 11 if is_drawn else place["width"]
                    assert free >= least, f"{number} discards at {width} × {height} show only {free} px of one."


def show_turn_hint(table: FakedTable, hand: str, *answers: str, reasons: Any = (), **view: Any) -> None:
    """Ask for a turn and show a hint with these answers, best first."""
    numbers = {"gain_error": 0.1, "gap_error": 0.1, "tied": False, "reasons": list(reasons)}
    choices = [
        {"answers": [answer], "text": [f"hint-answer-turn-{answer}", {}], "gain": 50 - 5 * k, "gap": 5 * k, **numbers}
        for k, answer in enumerate(answers)
    ]
    table.ask("turn", ["pass", "go"], hand=hand, left=[4] * 13, **view)
    hint = {"n": table.message["n"], "seat": table.me, "question": "turn", "unit": "%", "choices": choices}
    hint |= {"worlds": 100, "text": ["hint-none-here", {}]}
    table.ann.route("**/hint", lambda route: route.fulfill(json=hint))
    table.ann.page.keyboard.press("h")


@pytest.mark.parametrize(("hand", "says"), [("H2", True), ("S7", False)])
def test_hint_says_why_digging_comes_first(hand, says, server, new_player):
    """The answer that skips digging is offered beside passing, but hints compare only digging and passing."""
    ann = new_player(server)
    show_turn_hint(FakedTable(server, ann), hand, "pass", "go")
    expect(ann.page.locator("section.hint .says")).to_contain_text("Best: pass.")
    told = ann.page.locator("section.hint .says").inner_text()
    assert ("is seldom better" in told) == says, told


@pytest.mark.parametrize(
    ("hand", "piles", "first"),
    [("D4", 1, ["turn go", "dig 0"]), ("D4", 2, ["turn go"]), ("S7", 1, ["turn go"])],
)
def test_hint_to_dig_asks_again_only_where_there_is_a_choice(hand, piles, first, server, new_player):
    ann = new_player(server)
    table = FakedTable(server, ann)
    owner = [*[table.me] * piles, *[None] * (12 - piles), 1 - table.me]
    sent = record_answers(ann)
    show_turn_hint(table, hand, "go", "pass", owner=owner)
    with ann.page.expect_request(lambda request: request.url.endswith("/answers")):
        ann.page.locator(".hint .take button.main").click()
    assert sent == [first]


# The piles and cards that a hint rings.
RINGED_JS = "() => [...document.querySelectorAll('.spot.hinted, .hand .hinted')].map((one) => one.dataset.pile ?? one.dataset.card)"


@pytest.mark.parametrize(("reason", "ringed"), [
    (["hint-digs-at", {"pile": 1}], ["1"]),
    (["hint-goes-with-spade", {}], ["S7", "SK"]),
    (["hint-digs-chance", {"number": 4}], ["0", "1"]),
])  # fmt: skip
def test_hint_to_dig_rings_only_what_its_reason_names(reason, ringed, server, new_player):
    ann = new_player(server)
    table = FakedTable(server, ann)
    owner = [table.me] * 2 + [None] * 10 + [1 - table.me]
    show_turn_hint(table, "S7 SK C9", "go", "pass", reasons=[reason], owner=owner)
    expect(ann.page.locator("section.hint .says")).to_contain_text("this")
    assert ann.page.evaluate(RINGED_JS) == ringed


def test_word_for_an_empty_pile_lies_within_its_hexagon(server, new_player):
    ann = new_player(server)
    table = FakedTable(server, ann)
    for language in ("en", "de"):
        ann.change_settings(language=language)
        table = FakedTable(server, ann)
        table.ask("turn", ["pass", "go"], hand="H2", left=[0] + [4] * 12)
        for width, height in ((360, 740), (740, 360), (768, 1024), (1440, 900)):
            ann.resize_window(width, height)
            outside = ann.page.evaluate(OUTSIDE_JS)
            assert outside <= 0, f"{language} at {width} × {height}: the word is {outside} px outside"


# The piles that a tap reaches instead of the pile that it seems to touch: at its centre, its count, and within each
# corner and edge of its hexagon.
MISSED_JS = """() => [...document.querySelectorAll('.spot')].flatMap((spot) => {
  const drawn = spot.querySelector('.hex path'), onScreen = drawn.getScreenCTM(), middle = (box) => [(box.left + box.right) / 2, (box.top + box.bottom) / 2]
  const corners = [[50, 3], [96, 28], [96, 80], [50, 105], [4, 80], [4, 28]]
  const edges = corners.map(([x, y], k) => [(x + corners[(k + 1) % 6][0]) / 2, (y + corners[(k + 1) % 6][1]) / 2])
  const inside = [...corners, ...edges].map(([x, y]) => new DOMPoint(50 + (x - 50) * 0.94, 54 + (y - 54) * 0.94).matrixTransform(onScreen)).map(({ x, y }) => [x, y])
  const points = { centre: [middle(spot.getBoundingClientRect())], count: [middle(spot.querySelector('.left').getBoundingClientRect())], edge: inside }
  return Object.entries(points).flatMap(([where, some]) => some.flatMap(([x, y]) => {
    const reached = document.elementFromPoint(x, y)?.closest('.spot')?.dataset.pile
    return reached === spot.dataset.pile ? [] : [`${where} of ${spot.dataset.pile} (${Math.round(x)}, ${Math.round(y)}): ${reached}`]
  }))
})"""


def test_each_point_of_a_hexagon_reaches_its_pile(server, new_player):
    ann = new_player(server, "phone", "touch")
    table = FakedTable(server, ann)
    owner = [table.me] * 12 + [1 - table.me]
    table.ask("turn", ["pass", "go"], hand="C2 C3 C4 C5 C6 C7 C8 C9 CK", owner=owner, left=[4] * 13)
    for width, height in ((320, 568), (360, 740), (390, 844), (740, 360), (768, 1024), (1440, 900)):
        ann.resize_window(width, height)
        ann.page.evaluate("() => scrollTo(0, 0)")
        missed = ann.page.evaluate(MISSED_JS)
        assert missed == [], f"at {width} × {height}"
    sent = record_answers(ann)
    count = ann.page.locator("[data-pile='2'] .left").bounding_box()
    with ann.page.expect_request(lambda request: request.url.endswith("/answers")):
        ann.page.touchscreen.tap(count["x"] + count["width"] / 2, count["y"] + count["height"] / 2)
    assert sent == [["turn go", "dig 2"]]
