"""The coach in a first game: the right sentence on the first occasion, only once, and without covering anything."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Route, expect

from diamonds import i18n
from tests.browser.conftest import BrowserTestServer, wait_for
from tests.browser.player import QUESTION_AT_REST_JS, Player
from tests.browser.scripts import Scripts
from tests.browser.test_accessibility import check_with_axe
from tests.browser.test_budgets import RECORD_SHIFTS_JS, layout_shifts
from tests.browser.test_hints_and_reviews import REVIEW_TIMEOUT_MS
from tests.browser.test_layout_shift import open_faked_table, send_update, update_with_question
from tests.browser.test_tricks import one_card_left, table_at_question
from tests.browser.window_pool import BLANK_URL
from tests.support.sample_sizes import short_or_long

GAMES_FOLDER = Path(__file__).parents[2] / "web" / "src" / "games"
TIP_SELECTOR = ".coach [data-tip]"
SCRIPTS = Scripts(__file__)
GAMES: list[tuple[str, int]] = [("crystals", 4), ("fourteen", 4), ("mines", 2)]
# The tips of each game that may appear with the first question.
FIRST_TIPS = {
    "crystals": ("Pass all your ", "Everyone passes that many cards", "4 rounds, then most points win.", "Passing helps you run out of a suit."),
    "fourteen": ("Each ♦ in a trick you win is a point.",),
    "mines": ("Seven ♦ in your hand win.",),
}  # fmt: skip


def new_beginner(
    server: BrowserTestServer, person: Callable[..., Player], size: str = "desktop", **more: Any
) -> Player:
    """Return a player without a finished game on this device."""
    ann = person(server, size, **more)
    ann.change_settings(coach="first")
    return ann


def current_tip(ann: Player) -> str:
    """Return the name of the current tip; "" if the coach is silent."""
    name: str = ann.page.evaluate(SCRIPTS["readTipName"])
    return name


def coach_text(ann: Player) -> str:
    """Return the coach's text with suits as symbols."""
    text: str = ann.page.locator(TIP_SELECTOR).evaluate(SCRIPTS["readCoachText"])
    return text.strip()


def wait_for_coach(ann: Player) -> None:
    ann.page.wait_for_function(SCRIPTS["readTipName"])


@short_or_long("answers", 7, 20)
def test_coach_explains_the_goal_first_and_repeats_nothing(answers, server, new_player):
    ann = new_beginner(server, new_player)
    for game, seats in GAMES:
        ann.sit_down(game, seats, by_link=ann.page.url != BLANK_URL)
        wait_for_coach(ann)
        assert coach_text(ann).startswith(FIRST_TIPS[game]), f"Expected the goal first, not {coach_text(ann)!r}."
        names: list[str] = []
        for _ in range(answers):
            question = ann.question()
            names.append(current_tip(ann))
            if question["over"] or not ann.answer_question(question):
                break
            ann.page.wait_for_function(SCRIPTS["isNextQuestionOpen"], arg=names[-1])
        told = [name for name in names if name]
        assert len(told) >= 4, f"{game}: expected four tips in {answers} decisions, not {told}."
        assert len(set(told)) == len(told), f"{game}: a tip was repeated: {told}"


def hint_to(question: str, best: Any, other: Any, reason: list[Any]) -> dict[str, Any]:
    """Return a hint that prefers one of two answers for this reason."""
    choice = {"gain": 0.0, "gain_error": 0.1, "gap_error": 0.1, "tied": False}
    choices = [
        {**choice, "answers": [answer], "text": ["as-it-is", {"text": str(answer)}], "gap": gap, "reasons": reasons}
        for answer, gap, reasons in ((best, 0.0, [reason]), (other, 2.0, []))
    ]
    return {"question": question, "unit": "points", "choices": choices, "worlds": 9, "text": choices[0]["text"]}


class FakedTable:
    """A game of crystals with made-up events, seen by a player who has had no tips yet."""

    def __init__(self, server: BrowserTestServer, ann: Player) -> None:
        ann.change_settings(coach="first")
        self.ann, self.given = ann, set[str]()
        self.message = open_faked_table(ann, server, "crystals", 4, {})
        self.me: int = self.message["seat"]
        self.other = (self.me + 1) % 4
        self.message["view"] |= {"passing": 1, "led": None, "leader": self.me}
        self.message["view"]["hand"][self.me] = ["D7", "H3", "H9"]

    def ask(self, question: str, legal: list[Any], *events: dict[str, Any], **view: Any) -> None:
        self.message = update_with_question(self.message, question, legal)
        self.message["events"] = [{"n": self.message["n"], "event": event} for event in events]
        self.message["view"] = {**self.message["view"], "question": question, **view}
        send_update(self.ann, self.message)

    def tell(self, *events: dict[str, Any], **view: Any) -> None:
        """Send events after which another player is to act."""
        n, version = self.message["n"] + 1, self.message["version"] + 1
        self.message = {**self.message, "n": n, "version": version, "open_question": None}
        self.message["view"] = {**self.message["view"], "to_act": [self.other], "question": "play", **view}
        self.message["events"] = [{"n": n, "event": event} for event in events]
        send_update(self.ann, self.message)

    def answer_hints(self, reason: list[Any]) -> None:
        """Answer requests for hints with D7 as the best of two cards, for this reason."""
        hint = hint_to("play", "D7", "H3", reason)
        self.ann.route("**/hint", lambda route: route.fulfill(json=hint))

    def wait_for_tip(self, name: str) -> None:
        self.ann.page.wait_for_function(f"(name) => ({SCRIPTS['readTipName']})() === name", arg=name)

    def expect(self, name: str, sentence: str) -> None:
        """Expect a tip, and continue to the next."""
        self.wait_for_tip(name)
        assert sentence in coach_text(self.ann), f"{name}: {coach_text(self.ann)!r}"
        assert name not in self.given, f"{name} is repeated."
        self.given.add(name)
        self.ann.page.evaluate("() => document.querySelector('.coach .next')?.click()")


def played(seat: int, card: str) -> dict[str, Any]:
    return {"event": "played", "seat": seat, "card": card}


def trick_won(seat: int, suit: str) -> dict[str, Any]:
    return {"event": "trick", "seat": seat, "suit": suit}


def test_coach_has_text_for_each_decision_and_event_of_crystals(server, new_player):
    table = FakedTable(server, new_player(server))
    me, other, leading = table.me, table.other, {"trick": [], "led": None}
    table.message["view"]["hand"][me] = ["D7", "D9", "H3", "H9"]
    table.answer_hints(["hint-void", {"suit": "D"}])  # its ♦7 empties no suit, and the tips depend on that
    table.ask("count", [1, 2, 3])
    table.expect("count", "Everyone passes that many cards to the left")
    table.ask("pass", ["D7", "H3"], passing=1)
    table.expect("pass", "then most points win")
    last = {"round": 2, "rounds": 2}
    table.answer_hints(["hint-no-trick-in-reach", {"chance": 80}])
    table.ask("play", ["D7", "H3", "H9"], **leading, **last, tricks=[0, 1, 0, 0], showroom=[3, 5, 3, 3])
    table.expect("goal", "in your Vault counts 2")
    table.expect("no-trick", "Two crystals go into your Vault: 4 points")
    table.expect("five", "A gold crystal stands for five")
    table.expect("counts", "count cards taken")
    table.expect("top", "15 is the top card")
    table.expect("last-round", "This is the last round")
    table.ask("victim", [other], round=1, showroom=[3, 3, 3, 3])
    table.expect("victim", "Crystals in a Vault are safe")
    for k, (name, suit, sentence) in enumerate(
        [
            ("diamond", "D", "one crystal is now in your Vault"),
            ("heart", "H", "one crystal is now in your Showroom"),
            ("spade", "S", "one crystal moved into your Vault"),
            ("nothing", "S", "no crystal to move"),
        ]
    ):
        tricks = [k + 2, 1, 1, 1]
        table.ask(
            "play", ["D7"], trick_won(me, suit), {"event": name, "seat": me, "moved": 1, "suit": suit}, **leading, tricks=tricks
        )  # fmt: skip
        table.expect(name, sentence)
    table.ask("play", ["D7"], {"event": "club", "seat": me, "moved": 1, "victim": other})
    table.expect("club", "it is now in your Showroom")
    table.ask("play", ["D7"], {"event": "club", "seat": other, "moved": 1, "victim": me})
    table.expect("robbed", "took one crystal from your Showroom")
    table.ask(
        "play", ["D7"], played(other, "H4"), {"event": "heart", "seat": other, "moved": 1}, trick=["S4", "H4"], led="S"
    )
    table.expect("paid", "its action happens at once")


@pytest.mark.parametrize(("question", "answers", "reads", "then"), [
    ("count", [2, 3, 1], "Everyone passes that many cards to the left before the first trick.", "Passing helps you run out of a suit."),
    ("pass", ["D7", "H3", "H9"], "4 rounds, then most points win.", "Pass all your ♦."),
])  # fmt: skip
def test_coach_keeps_its_words_when_the_hint_arrives(question, answers, reads, then, server, new_player):
    ann = new_player(server)
    requests: list[Route] = []
    ann.route("**/hint", lambda route: requests.append(route))
    table = FakedTable(server, ann)
    table.ask(question, answers, passing=1)
    table.wait_for_tip(question)
    wait_for(lambda: bool(ann.page.title() and requests), "expected a request for a hint")
    requests[-1].fulfill(json=hint_to(question, *answers[:2], ["hint-empties", {"suit": "D"}]))
    ann.page.wait_for_selector(":is(.choices, .hand) .hinted")
    assert coach_text(ann) == reads
    ann.page.locator(".coach .next").click()
    table.wait_for_tip(f"{question}-empties")
    assert coach_text(ann).startswith(then)


@pytest.mark.parametrize(("reason", "tip"), [("hint-empties", "count-empties"), ("hint-void", "")])
def test_coach_praises_running_out_of_a_suit_only_where_the_hint_does(reason, tip, server, new_player):
    ann = new_player(server)
    ann.route("**/hint", lambda route: route.fulfill(json=hint_to("count", 2, 3, [reason, {"suit": "S"}])))
    table = FakedTable(server, ann)
    table.ask("count", [1, 2, 3])
    expect(ann.page.locator(".choices .hinted")).to_be_visible()
    table.expect("count", "Everyone passes that many cards")
    table.wait_for_tip(tip or "count")


def test_coach_says_what_the_first_trick_changed(server, new_player):
    table = FakedTable(server, new_player(server))
    table.ask("play", ["D7", "H3"], trick=[], led=None, tricks=[0, 0, 0, 0])
    table.expect("goal", "then most points win.")
    won = [trick_won(table.me, "H"), {"event": "heart", "seat": table.me, "moved": 1}]
    table.ask("play", ["D7"], played(table.me, "H9"), *won, trick=[], led=None, tricks=[1, 0, 0, 0])
    table.wait_for_tip("heart")
    assert coach_text(table.ann).startswith("You won the ♥ trick: one crystal is now in your Showroom.")


ANY_CARD = re.compile("any will do|freie Wahl")
LAMP_IS_NO_BUTTON_JS = SCRIPTS.call("lampIsNoButton")


@short_or_long("answers", 4, 14)
@pytest.mark.parametrize("language", ["en", "de"])
def test_each_decision_of_a_first_game_of_crystals_has_one_reason(language, answers, server, new_player):
    ann = new_beginner(server, new_player, "phone", locale=language)
    table = ann.sit_down("crystals", 4, {"rounds": 1})
    for _ in range(answers):
        question = ann.question()
        if question["over"]:
            break
        if len(ann.get_table(table)["open_question"]["legal"]) > 1:
            # Kernels may have to be compiled first. Nothing is marked where any answer will do.
            ann.page.wait_for_selector(".hinted, .advice span", state="attached", timeout=REVIEW_TIMEOUT_MS)
            reason = ann.page.locator(".advice span").first
            if question["question"] == "play":
                assert re.search(r"\w{3}", reason.inner_text()), "expected a reason above the hand"
                expect(reason).to_be_visible()
                is_any = bool(ANY_CARD.search(reason.inner_text()))
                is_marked = ann.page.locator(".hand .hinted").count() > 0
                assert is_marked != is_any, "expected the reason beside a marked card, unless any card will do"
                if is_marked:
                    assert ann.page.evaluate(LAMP_IS_NO_BUTTON_JS), "expected a press on the lamp not to play its card"
        ann.answer_question(question)
        ann.page.wait_for_function("() => !document.querySelector('.advice')")


@pytest.mark.parametrize(("reason", "name"), [
    (["hint-most", {"suit": "D"}], "counts"),
    (["hint-no-trick-in-reach", {"chance": 80}], "no-trick"),
])  # fmt: skip
def test_c20_coach_praises_no_trick_only_if_the_hint_aims_at_it(reason, name, server, new_player):
    table = FakedTable(server, new_player(server))
    table.answer_hints(reason)
    table.ask("play", ["D7", "H3", "H9"], trick=[], led=None, tricks=[0, 1, 0, 0], showroom=[3] * 4)
    expect(table.ann.page.locator(".advice")).to_be_visible()
    table.expect("goal", "in your Vault counts 2")
    table.wait_for_tip(name)


def test_coach_skips_cards_that_have_left_the_table(server, new_player):
    """The effect of a card is explained while it is visible: neither after the trick is won nor during the next one."""
    table = FakedTable(server, new_player(server))
    lying = {"led": "S", "tricks": [1, 1, 0, 0]}
    table.ann.page.evaluate(
        "() => localStorage.setItem('diamonds.coach', JSON.stringify({ crystals: { table: '', said: ['goal', 'no-trick', 'top', 'counts'] } }))"
    )
    table.ann.page.reload()
    table.ask("play", ["D7"], trick=[], led=None, tricks=[1, 1, 0, 0])
    table.wait_for_tip("")
    paid = [played(table.other, "C4"), {"event": "club", "seat": table.other, "moved": 1, "victim": (table.me + 2) % 4}]
    table.tell(*paid, **lying, trick=["S5", "C4"])
    table.wait_for_tip("paid")
    table.tell(played(2, "S9"), **lying, trick=["S5", "C4", "S9"])
    table.wait_for_tip("paid")
    spade = [trick_won(table.other, "S"), {"event": "spade", "seat": table.other, "moved": 1}]
    table.tell(*spade, trick=[], led=None, tricks=[1, 2, 0, 0])
    table.wait_for_tip("")


def test_coach_stops_explaining_a_trick_when_the_next_one_begins(server, new_player):
    table = FakedTable(server, new_player(server))
    table.ask("pass", ["D7", "H3"], passing=1)
    table.expect("pass", "then most points win")
    spade = [trick_won(table.other, "S"), {"event": "spade", "seat": table.other, "moved": 1}]
    tricks = [int(seat == table.other) for seat in range(4)]
    table.tell(*spade, led=None, round=1, tricks=tricks, trick=[])
    table.wait_for_tip("lost")
    table.tell(played(table.other, "S9"), led="S", tricks=tricks, trick=["S9"])
    table.wait_for_tip("")


def test_coach_prefers_what_has_just_happened(server, new_player):
    table = FakedTable(server, new_player(server))
    table.ask("pass", ["D7", "H3"], passing=1)
    table.expect("pass", "then most points win")
    lying = {"led": "S", "tricks": [1, 1, 0, 0]}
    table.tell(played(table.me, "H9"), {"event": "heart", "seat": table.me, "moved": 1}, **lying, trick=["S5", "H9"])
    table.wait_for_tip("heart")
    table.tell(
        {"event": "club", "seat": table.other, "moved": 1, "victim": table.me}, **lying, trick=["S5", "H9", "C2"]
    )
    table.wait_for_tip("robbed")
    assert not table.ann.page.locator(".coach .next").count(), "The earlier line still waits behind the newest."


def test_coach_skips_a_crystal_taken_meanwhile(server, new_player):
    table = FakedTable(server, new_player(server))
    table.ask("pass", ["D7", "H3"], passing=1)
    table.expect("pass", "then most points win")
    put = [played(table.me, "H9"), {"event": "heart", "seat": table.me, "moved": 1}]
    taken = [played(table.other, "C2"), {"event": "club", "seat": table.other, "moved": 1, "victim": table.me}]
    table.tell(*put, *taken, led="S", tricks=[1, 1, 0, 0], trick=["S5", "H9", "C2"])
    table.wait_for_tip("robbed")
    table.ann.page.locator(".coach .next").click()
    table.wait_for_tip("paid")  # not the tip about the crystal in the Showroom


VARIANTS: list[tuple[str, dict[str, Any], list[str]]] = [
    ("crystals", {"thief": True, "partnership": True, "perfect": True}, ["where the mask lies", "You and your partner share one Vault", "All cards are dealt"]),
    ("fourteen", {"scoring": "tricks"}, ["Every trick is a point"]),
    ("fourteen", {"scoring": "bid"}, ["Take as many ♦ as you bid", "Players take about 3 ♦ on average, more with high ♦."]),
]  # fmt: skip


def test_coach_explains_a_variant_where_it_is_played(server, new_player):
    ann = new_beginner(server, new_player)
    for game, options, sentences in VARIANTS:
        ann.sit_down(game, 4, options, by_link=ann.page.url != BLANK_URL)
        question = ann.question()
        while game == "crystals" and question and question["question"] != "play":  # not about cards to play
            ann.answer_question(question)
            ann.page.wait_for_function(
                "(old) => (now => now && now !== old)(document.querySelector('main.table').dataset.question)",
                arg=question["question"],
            )
            question = ann.question()
        wait_for_coach(ann)
        text = coach_text(ann)
        more = ann.page.locator(".coach .next")
        while not all(sentence in text for sentence in sentences) and more.count():
            name = current_tip(ann)
            more.click()
            ann.page.wait_for_function(f"(name) => ({SCRIPTS['readTipName']})() !== name", arg=name)
            if current_tip(ann):
                text += coach_text(ann)
        missing = [sentence for sentence in sentences if sentence not in text]
        assert not missing, f"{missing} is not explained: {text}"


def test_closing_a_tip_closes_this_tip_only(server, new_player):
    ann = new_beginner(server, new_player)
    ann.sit_down("fourteen", 3)
    question = ann.question()
    wait_for_coach(ann)
    first = current_tip(ann)
    close = ann.page.get_by_role("button", name="Close this tip")
    close.click()
    ann.page.wait_for_function(f"(name) => ({SCRIPTS['readTipName']})() === name", arg="off")
    assert "turn the coach off in the settings" in coach_text(ann)
    close.click()
    ann.page.wait_for_function(f"() => !({SCRIPTS['readTipName']})()")
    ann.answer_question(question)
    wait_for_coach(ann)
    assert current_tip(ann) not in (first, "off"), "Expected another tip after one was closed."
    second = current_tip(ann)
    ann.page.reload()
    ann.question()
    wait_for_coach(ann)
    assert current_tip(ann) != first, f"{first} was closed, but is shown again."
    close.click()
    ann.page.wait_for_function(f"(name) => ({SCRIPTS['readTipName']})() !== name", arg=second)
    assert current_tip(ann) != "off", "Expected only one tip about turning the coach off."


def test_coach_is_silent_after_a_whole_game_unless_enabled(server, new_player):
    ann = new_beginner(server, new_player)
    table = ann.sit_down("crystals", 2, {"rounds": 1})
    wait_for_coach(ann)
    ann.play_in_background(table)
    ann.sit_down("crystals", 2, by_link=True)
    ann.answer_and_wait()
    ann.wait_until_still()
    assert ann.page.locator(".coach").count() == 0, "The second game has a coach."
    ann.follow_link("/settings")
    ann.page.get_by_label("Coach").select_option("in every game")
    ann.sit_down("crystals", 2, by_link=True)
    wait_for_coach(ann)
    assert coach_text(ann).startswith(FIRST_TIPS["crystals"]), "Expected the enabled coach to start from the beginning."
    ann.follow_link("/settings")
    ann.page.get_by_label("Coach").select_option("never")
    ann.sit_down("mines", 2, by_link=True)
    ann.answer_and_wait()
    ann.wait_until_still()
    assert ann.page.locator(".coach").count() == 0, "The disabled coach is still there."


def test_silent_coach_leaves_no_trace(server, new_player):
    ann = new_beginner(server, new_player, "phone")
    table = ann.create_table("mines", 2)["id"]
    names = re.findall(r"name: '([\w-]+)'", (GAMES_FOLDER / "mines" / "coach.ts").read_text(encoding="utf-8"))
    told = json.dumps(json.dumps({"mines": {"table": table, "said": names}}))
    ann.add_init_script(f"localStorage.setItem('diamonds.coach', {told})")
    ann.route("**/hint", lambda route: route.fulfill(status=404, json={}))
    ann.open(f"/table/{table}")
    ann.question()
    ann.page.wait_for_selector(".coach div.sentence", state="attached")
    ann.wait_until_still()
    away = ann.page.locator(".coach .icon")
    assert away.is_hidden(), "Expected nothing to dismiss."
    line = ann.page.locator(".coach div.sentence").evaluate("(one) => getComputedStyle(one).borderLeftColor")
    assert line == "rgba(0, 0, 0, 0)", f"A line without words: {line}"


def test_coach_of_mines_says_what_the_hint_says_after_its_tips(server, new_player):
    ann = new_beginner(server, new_player, "phone")
    table = ann.create_table("mines", 2)["id"]
    choice = {"gain": 50.0, "gain_error": 1.0, "gap_error": 1.0, "gap": 0.0}
    answers = {"pass": ["hint-claims-later", {"number": 1}], "go": ["hint-digs-now", {}]}
    choices = [
        {**choice, "answers": [one], "text": [f"hint-answer-turn-{one}", {}], "tied": one == "go", "reasons": [reason]}
        for one, reason in answers.items()
    ]
    hint = {"question": "turn", "unit": "%", "choices": choices, "worlds": 9, "text": choices[0]["text"]}
    ann.route("**/hint", lambda route: route.fulfill(json=hint))
    ann.open(f"/table/{table}")
    ann.question()
    advice = f"Pass: this {i18n.translate('hint-claims-later', {'number': 1})}."
    wait_for_coach(ann)
    while ann.page.locator(".coach .next").count():
        assert advice not in coach_text(ann), "expected the tips first"
        ann.page.locator(".coach .next").click()
    expect(ann.page.locator(".coach [role=status]")).to_have_text(advice)
    expect(ann.page.locator(".choices .hinted")).to_have_attribute("data-answer", "pass")
    ann.page.keyboard.press("h")
    equal = f"As good: dig, which {i18n.translate('hint-digs-now')}."
    expect(ann.page.locator(".hint .says")).to_have_text(f"{advice} {equal}")
    expect(ann.page.locator(".coach div.sentence")).to_have_class(re.compile("silent"))
    ann.page.get_by_role("button", name="Close the hint").click()
    expect(ann.page.locator(".coach [role=status]")).to_contain_text(advice)
    expect(ann.page.locator(".choices .hinted")).to_have_count(1)
    ann.page.get_by_role("button", name="Close this tip").click()
    expect(ann.page.locator(".coach [role=status]")).not_to_contain_text("Pass:")


@pytest.mark.parametrize(("coach", "seats", "rounds"), [("first", 2, 1), ("never", 3, 1), ("never", 3, 3)])
def test_summary_of_each_round_waits_for_a_press_against_bots_alone(coach, seats, rounds, server, new_player):
    ann = new_player(server)
    ann.change_settings(coach=coach, trickSeconds=1)
    clock = ann.install_clock()
    ann.open(f"/table/{table_at_question(ann, 'crystals', seats, one_card_left, rounds=rounds)}")
    ann.question()
    while not ann.page.locator(".summary").count():
        if ann.question(wait=False):
            ann.answer_question()
        clock.run_for(100)
    clock.run_for(60_000)
    expect(ann.page.locator(".summary .on")).to_have_text("Continue")
    ann.page.locator(".skip").click(force=True)
    ann.page.wait_for_selector(".summary", state="detached")


def test_coach_waits_on_a_phone_while_a_summary_covers_it(server, new_player):
    ann = new_player(server, "phone")
    ann.change_settings(coach="always", trickSeconds=3600)  # so that the summary stays
    ann.open(f"/table/{table_at_question(ann, 'fourteen', 3, one_card_left)}")
    while not ann.page.locator(".summary").count():
        if ann.page.locator(".trick li.won").count():
            ann.page.locator(".skip").click(force=True)
        else:
            ann.answer_question()
        ann.page.wait_for_function(
            f"() => document.querySelector('.summary, .trick li.won') || ({QUESTION_AT_REST_JS})()"
        )
    expect(ann.page.locator(".coach div.sentence")).to_be_hidden()
    ann.page.locator(".skip").click(force=True)
    expect(ann.page.locator(".coach div.sentence")).to_be_visible()


@pytest.mark.parametrize(("game", "seats", "size"), [
    ("crystals", 6, "phone"),
    ("fourteen", 3, "desktop"),
    ("mines", 2, "phone"),
    pytest.param("crystals", 6, "desktop", marks=pytest.mark.slow),
    pytest.param("fourteen", 3, "phone", marks=pytest.mark.slow),
    pytest.param("mines", 2, "desktop", marks=pytest.mark.slow),
])  # fmt: skip
def test_coach_moves_and_covers_nothing(game, seats, size, server, new_player):
    ann = new_beginner(server, new_player, size, painted=True)
    ann.add_init_script(RECORD_SHIFTS_JS)
    ann.sit_down(game, seats)
    wait_for_coach(ann)
    ann.wait_until_still()
    covered = ann.page.evaluate(SCRIPTS["findCovered"])
    assert not covered, f"The coach covers {covered[:4]}."
    if game == "crystals":
        check_with_axe(ann, "the coach")
    shifts = layout_shifts(ann)
    assert not shifts, f"The coach shifted the layout: {shifts[:3]}"


def test_coach_text_fits_narrow_phones_in_every_language(server, new_player):
    ann = new_beginner(server, new_player, "phone")
    ann.page.set_viewport_size({"width": 320, "height": 640})
    ann.sit_down("crystals", 4)
    wait_for_coach(ann)
    sentences = [
        re.sub(r"\{ \$(\w+) \}", lambda value: "♦" if value[1] == "suit" else "40", text)
        for catalog in Path(i18n.__file__).parent.glob("*.ftl")
        for text in re.findall(r"^page-coach-[a-z]+-\S+ = (.+)", catalog.read_text(encoding="utf-8"), re.MULTILINE)
    ]
    assert len(sentences) > 100
    long = ann.page.evaluate(SCRIPTS["findLongSentences"], sentences)
    assert not long, "These do not fit:\n" + "\n".join(long)
    ann.page.set_viewport_size({"width": 360, "height": 640})
    ann.wait_until_still()
    ann.assert_own_seat_visible(tolerance_px=3)
