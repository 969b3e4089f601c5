"""Finished tricks: they stay readable, fly to their winner, and are summed up."""

import contextlib
import random
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import TimeoutError, expect

from diamonds import i18n, views
from diamonds.events import events_for
from diamonds.game import GAMES
from tests.browser.player import QUESTION_AT_REST_JS, Player
from tests.browser.scripts import Scripts
from tests.browser.test_layout_shift import open_faked_table, send_state, send_update, update_after
from tests.browser.test_screen_sizes import SCREEN_SIZES
from tests.support.random_positions import Variant, random_answer, start_variant

SCRIPTS = Scripts(__file__)


@pytest.mark.parametrize("seconds", [0.05, 0], ids=["read for a moment", "not waited for"])
def test_trick_flies_to_its_winner_unless_the_player_leaves(seconds, server, new_player):
    ann = new_player(server, still=False)
    ann.change_settings(trickSeconds=seconds)
    ann.add_init_script(SCRIPTS.call("recordFlights"))
    table = ann.sit_down("fourteen", 4)
    won: list[tuple[list[str], str]] = []
    while len(won) < 2:
        ann.answer_and_wait()
        view = ann.get_table(table)["view"]
        trick = (view["last_trick"], f"seat-{view['last_winner']}")
        if view["last_trick"] and trick not in won:
            won.append(trick)
    flown = dict(ann.page.evaluate("flown"))
    for cards, winner in won:
        went = {card: flown[card] for card in cards if card in flown}
        assert len(went) >= 3, f"Of {cards}, only {sorted(went)} left the table."
        assert set(went.values()) == {winner}, f"{winner} won {cards}, but they flew to {went}."

    while not ann.page.locator(".trick li").count():
        ann.answer_and_wait()
    before = ann.page.evaluate("flown.length")
    ann.follow_link("/settings")
    assert ann.page.evaluate("flown.length") == before, "cards fly although the table was left"


def table_at_question(
    ann: Player, game: str, seats: int, wanted: Callable[[dict[str, Any]], bool], **options: Any
) -> str:
    """Open a table at Ann's first question that is ``wanted``. Earlier answers go through the API."""
    table = ann.take_seat(game, seats, options)
    assert not ann.play_by_api(table, wanted)["result"], "The wanted question did not come."
    return table


def one_card_left(message: dict[str, Any]) -> bool:
    return message["open_question"]["question"] == "play" and len(message["view"]["hand"][message["seat"]]) == 1


@pytest.mark.parametrize(
    ("game", "seats", "tricks"), [("crystals", 4, 10), ("fourteen", 6, 8)], ids=["crystals", "fourteen"]
)
def test_last_trick_stays_readable_before_the_deal_summary(game, seats, tricks, server, new_player):
    ann = new_player(server)
    ann.change_settings(trickSeconds=0.05)
    ann.add_init_script(SCRIPTS.call("recordNumbers"))
    ann.open(f"/table/{table_at_question(ann, game, seats, one_card_left)}")
    summed_up = "seen.some((one) => one.summary)"
    while not ann.page.evaluate(summed_up):
        ann.answer_question()
        ann.page.wait_for_function(f"() => {summed_up} || ({QUESTION_AT_REST_JS})()")
    seen = ann.page.evaluate("seen")
    at = next(k for k, one in enumerate(seen) if one["summary"])
    summed, read = seen[at], max(one["cards"] for one in seen[:at])
    assert read == seats, f"Expected {seats} cards of the last trick before the summary, not {read}."
    assert summed["cards"] == 0, "Expected the trick to be gone during the summary."
    assert game == "fourteen" or sum(summed["tricks"]) == tricks, f"During the summary, seats lack a trick: {summed}"
    scored = [int(points) for points in re.findall(r"scores? (\d+)", summed["summary"])]
    all_cards = sum(scored) if game == "fourteen" else seats * tricks
    says_last = re.search(r"wins? the last trick: \d diamond", summed["summary"])
    assert bool(says_last) == (game == "fourteen"), f"Expected the winner of the last trick: {summed['summary']}"
    if game == "fourteen":  # crystals with closed Vaults: the leader is hidden
        totals = [int(points) for points in re.findall(r" (\d+)(?= ·|$)", summed["standings"])]
        assert sorted(totals, reverse=True) == totals, f"Expected standings in the summary: {summed}"
        assert len(totals) == seats, f"Expected standings in the summary: {summed}"
        assert re.search(r"(^|· )You \d", summed["standings"]), f"Expected your own score as yours: {summed}"
    assert sum(summed["taken"]) == all_cards, f"During the summary, seats lack cards: {summed}"


def play_to_the_summary(ann: Player) -> None:
    """Answer until the summary of a round or hand. Skipping would hurry the bots and shorten the summary."""
    while not ann.page.locator(".summary p").count():
        ann.answer_question()
        ann.page.wait_for_function(f"() => document.querySelector('.summary p') || ({QUESTION_AT_REST_JS})()")


@pytest.mark.parametrize(("game", "seats"), [("crystals", 4), ("fourteen", 4)])
def test_summary_covers_no_seat_at_any_size(game, seats, server, new_player):
    ann = new_player(server)
    ann.change_settings(language="de")
    ann.add_init_script(SCRIPTS.call("keepTrick"))
    ann.open(f"/table/{table_at_question(ann, game, seats, one_card_left)}")
    play_to_the_summary(ann)
    for width, height in SCREEN_SIZES:
        ann.page.set_viewport_size({"width": width, "height": height})
        with contextlib.suppress(TimeoutError):  # faults are reported below
            ann.page.wait_for_function(f"() => !({SCRIPTS['findSummaryOverlaps']})().length")
        over = ann.page.evaluate(SCRIPTS["findSummaryOverlaps"])
        assert not over, f"At {width} × {height} the summary covers {over[:3]}."


@pytest.mark.parametrize("target", [5, 40])
def test_f8_summary_of_a_hand_says_who_won_or_that_another_follows(target, server, new_player):
    ann = new_player(server)
    ann.add_init_script(SCRIPTS.call("keepTrick"))
    ann.open(f"/table/{table_at_question(ann, 'fourteen', 4, one_card_left, target=target)}")
    play_to_the_summary(ann)
    lines = ann.accessible_text(".summary p:not(.on)")
    (best, second, *_) = [one.rsplit(" ", 1) for one in lines[-1].split(" · ")]
    if int(best[1]) < target:
        expected = f"Nobody has {target} points yet: another hand follows."
    elif best[1] == second[1]:
        expected = lines[-2]  # the event of the tie
        assert "again" in expected or "tie" in expected.lower(), lines
    else:
        expected = "You win the game." if best[0] == "You" else f"{best[0]} wins the game."
    assert lines[-2] == expected, lines


@pytest.mark.parametrize("is_separate", [True, False], ids=["update after update", "in one update"])
def test_log_shows_no_play_of_the_next_hand_before_continue(is_separate, server, new_player):
    ann = new_player(server)
    ann.change_settings(trickSeconds=1)
    message = open_faked_table(ann, server, "fourteen", 4, {})
    me, log = message["seat"], ann.page.get_by_role("log")
    leader, last, winner, dealer = ((me + k) % 4 for k in (1, 0, 3, 3))
    message = send_state(ann, message, trick=["S5", "S9", "SK"], leader=leader, suit="S", to_act=[me])
    end = [
        {"event": "played", "seat": last, "card": "S2"},
        {"event": "trick", "seat": winner, "diamonds": 0},
        *(
            {"event": "scored", "seat": seat, "points": 4 if seat == winner else 3, "total": 4 if seat == winner else 3}
            for seat in range(4)
        ),
        {"event": "dealt", "dealer": dealer, "hand": 2},
    ]
    after = {"leader": dealer, "last_trick": ["S5", "S9", "SK", "S2"], "last_winner": winner, "deals": 2}
    before_play = after | {"trick": [], "suit": None, "to_act": [dealer]}
    after_play = after | {"trick": ["C7"], "suit": "C", "to_act": [me]}
    next_play = {"event": "played", "seat": dealer, "card": "C7"}
    if is_separate:
        message = send_state(ann, message, end, **before_play)
        send_state(ann, message, [next_play], **after_play)
    else:
        message = update_after(message, 2)
        message["view"] |= after_play
        message["events"] = [{"n": message["n"] - 1, "event": event} for event in end]
        message["events"].append({"n": message["n"], "event": next_play})
        send_update(ann, message)
    ann.page.wait_for_selector(".summary .on")
    expect(log).to_contain_text("scores 4")
    expect(log, "The log tells a card of the next hand.").not_to_contain_text("plays 7")
    ann.page.locator(".skip").click(force=True)
    expect(log).to_contain_text("plays 7")


def test_c21_c23_round_summary_credits_the_team_with_the_worth(server, new_player):
    ann = new_player(server)
    ann.add_init_script(SCRIPTS.call("keepTrick"))
    ann.open(f"/table/{table_at_question(ann, 'crystals', 4, one_card_left, partnership=True)}")
    play_to_the_summary(ann)
    lines = ann.accessible_text(".summary p:not(.on)")
    assert lines, "Expected a change in a round of partners."
    for line in lines:
        acts = re.findall(r"(?:^|[.:] +)([^.:?]+?) (?:adds|moves|takes|has) ", line)
        acts += re.findall(r"no crystal for (.+?) to move", line)
        assert acts or line.startswith("Tie"), f"Expected a subject: {line}"
        assert all(re.fullmatch(r"Team .+ & .+", who) for who in acts), f"Expected teams as subjects: {line}"
    caused = [line for line in lines if re.match(r"(?:Most|No trick)", line)]
    assert caused or all(line.startswith("Tie") for line in lines), f"Expected causes before their effects: {lines}"
    gains = [line for line in lines if re.search("adds|moves|takes", line)]
    assert gains, "Expected a crystal to move at the end of the round."
    for line in gains:
        number = (2 if "Vault" in line and "adds" in line else 1) * (2 if "twice" in line else 1)
        assert line.endswith(f" +{number} {'points' if number > 1 else 'point'}."), f"Expected +{number}: {line}"


RANK_VALUES = {"A": 1, "J": 11, "Q": 12, "K": 13}


def fourteen_card(message: dict[str, Any]) -> str | None:
    """Return a card that Ann may play as the last of the trick and that changes the suit (F6)."""
    trick, suit = message["view"]["trick"], message["view"]["suit"]
    if len(trick) + 1 < message["view"]["seats"]:
        return None
    rank = 14 - RANK_VALUES.get(trick[-1][1:], int(re.sub(r"\D", "0", trick[-1][1:])))
    makes = [
        card for card in message["open_question"]["legal"] if RANK_VALUES.get(card[1:]) == rank or card[1:] == str(rank)
    ]
    return next((card for card in makes if card[0] != suit), None)


def test_f6_suit_turned_by_the_last_card_is_shown_with_the_trick(server, new_player):
    ann = new_player(server, "phone")
    ann.change_settings(trickSeconds=3600)
    table = table_at_question(ann, "fourteen", 3, lambda message: fourteen_card(message) is not None)
    ann.open(f"/table/{table}")
    ann.question()
    card = fourteen_card(ann.get_table(table))
    ann.page.locator(f'.hand [data-card="{card}"]').click(position={"x": 9, "y": 12})
    ann.page.wait_for_selector(".trick li.won")
    shown = ann.page.locator(f"div.suit svg.{str(card)[0]}")
    expect(shown, "The new suit is not shown.").to_have_count(1)
    expect(ann.page.locator("div.suit")).to_contain_text("changed by fourteen")
    expect(ann.page.locator(".happened")).to_contain_text("Fourteen!")


def test_f6_fourteen_without_a_turn_is_not_called_a_turn(server, new_player):
    ann = new_player(server)
    message = open_faked_table(ann, server, "fourteen", 4, {})
    for trick, says in (
        (["S5", "S2"], "current suit"),
        (["S5", "C9"], "changed by fourteen"),
        (["S5", "S9"], "unchanged"),
        (["S5", "C9", "H5"], "changed by fourteen"),
    ):
        message = send_state(ann, message, trick=trick, leader=0, suit="S")
        expect(ann.page.locator("div.suit"), f"After {trick} another suit is shown.").to_contain_text(says)


def test_c18_victim_is_asked_for_while_the_trick_still_lies_there(server, new_player):
    """The question needs no pause for reading: the trick stays."""
    ann = new_player(server, "phone")
    ann.change_settings(trickSeconds=3600)
    message = open_faked_table(ann, server, "crystals", 4, {})
    me, cards = message["seat"], ["C3", "C9", "C4", "C5"]
    leader = (me - 1) % 4
    last = (me + 2) % 4
    before = {"question": "play", "to_act": [last], "leader": leader, "led": "C", "trick": cards[:3]}
    message = send_state(ann, message, **before)
    told = [{"event": "played", "seat": last, "card": cards[3]}, {"event": "trick", "seat": me, "suit": "C"}]
    after = {"question": "victim", "to_act": [me], "last_trick": cards, "last_leader": leader, "last_winner": me}
    send_state(ann, message, told, ("victim", [(me + 1) % 4, last]), trick=[], led=None, **after)
    expect(ann.page.locator(".seat .target"), "expected the choice without a pause").to_have_count(2)
    expect(ann.page.locator(".trick li"), "expected the trick to stay").to_have_count(4)


@pytest.mark.parametrize("bonus", [False, True])
def test_c18_news_call_no_trick_on_the_table_the_previous_one(bonus, server, new_player):
    """Nor the bonus that follows the last trick (C19)."""
    ann = new_player(server, "phone")
    message = open_faked_table(ann, server, "crystals", 4, {})
    me, cards = message["seat"], ["C3", "C11", "C4", "C5"]
    leader, last = (me - 1) % 4, (me + 2) % 4
    played = [{"event": "played", "seat": (leader + k) % 4, "card": card} for k, card in enumerate(cards)]
    dealt = {"event": "dealt", "dealer": 3, "round": 1}
    message = send_state(ann, message, [dealt, *played[:3]], steps=20, leader=leader, led="C", trick=cards[:3])
    told = [played[3], {"event": "trick", "seat": me, "suit": "C"}]
    if bonus:
        told += [{"event": "club", "seat": me, "victim": last}, {"event": "most", "seat": me, "suit": "C", "number": 4}]
    after = {"question": "victim", "to_act": [me], "last_trick": cards, "last_leader": leader, "last_winner": me}
    send_state(ann, message, told, ("victim", [(me + 1) % 4, last]), trick=[], led=None, **after)
    news = ann.page.locator(".happened")
    expect(news).to_contain_text("You win with 11 of clubs" if not bonus else "You took the most clubs: 4.")
    expect(news).not_to_contain_text("Previous trick")


def test_card_of_another_suit_shows_its_action_larger(server, new_player):
    ann = new_player(server)
    message = open_faked_table(ann, server, "crystals", 4, {})
    send_state(ann, message, trick=["S5", "C4", "S9"], led="S", leader=1, question="play")
    ann.page.wait_for_selector("[data-trick=S9]")
    ann.wait_until_still()
    follows, differs, face = (
        ann.page.locator(f"[data-trick={drawing}").bounding_box() for drawing in ("S9] .act", "C4] .act", "C4] .face")
    )
    assert differs["width"] > 1.3 * follows["width"], "expected a larger drawing of the action that happened"
    assert differs["y"] + differs["height"] <= face["y"] + face["height"], "The action is drawn below its card."


def test_news_tell_this_trick_and_the_last_and_open_the_log(server, new_player):
    ann = new_player(server, "phone")
    message = open_faked_table(ann, server, "crystals", 4, {})
    me, news = message["seat"], ann.page.locator(".happened")
    assert message["view"]["question"] in ("count", "pass"), "expected the first question"
    others = [{"event": "count", "seat": 3, "number": 2}, *({"event": "chosen", "seat": seat} for seat in (1, 2))]
    message = send_state(ann, message, others)
    expect(news).to_contain_text("Dorothy chooses: everyone passes 2 cards.")
    expect(news).not_to_contain_text("chosen")
    events: list[dict[str, Any]] = [
        {"event": "dealt", "dealer": 3, "round": 1},
        *({"event": "played", "seat": seat, "card": card} for seat, card in ((me, "H9"), (1, "H12"), (2, "S4"))),
        {"event": "spade", "seat": 2, "moved": 1},
        {"event": "played", "seat": 3, "card": "H2"},
        {"event": "trick", "seat": 1, "suit": "H"},
        {"event": "heart", "seat": 1, "moved": 1},
        {"event": "played", "seat": 1, "card": "C4"},
        {"event": "played", "seat": 2, "card": "D4"},
        {"event": "diamond", "seat": 2, "moved": 1},
    ]
    view = {"trick": ["C4", "D4"], "leader": 1, "led": "C", "question": "play", "to_act": [3]}
    send_state(ann, message, events, steps=20, **view)
    expect(news).to_contain_text(re.compile("This trick: .*Carl \\+2"))
    heard = ann.page.locator(".happened .unseen").all_text_contents()
    assert [one.strip() for one in heard] == [
        "This trick: diamonds Carl +2.",
        "Previous trick: Blaise wins with 12 of hearts. Points: spades Carl +1, hearts Blaise +1.",
    ], f"Expected a line for this trick and one for the last: {heard}"
    news.click()
    expect(ann.page.get_by_role("log")).to_be_visible()


def test_finished_trick_tells_all_points_that_it_moved(server, new_player):
    ann = new_player(server)
    ann.change_settings(trickSeconds=3600)  # so that the trick stays
    message = open_faked_table(ann, server, "crystals", 4, {})
    me = message["seat"]
    played = [{"event": "played", "seat": (me + k) % 4, "card": card} for k, card in enumerate(("H9", "C3", "D4"))]
    moves = [
        {"event": "club", "seat": played[1]["seat"], "victim": me},
        {"event": "diamond", "seat": played[2]["seat"]},
    ]
    first = [{"event": "dealt", "dealer": 3, "round": 1}, played[0], played[1], moves[0], played[2], moves[1]]
    message = send_state(ann, message, first, steps=20, trick=["H9", "C3", "D4"], leader=me, led="H", question="play")
    last = (me + 3) % 4
    end = [{"event": "played", "seat": last, "card": "H12"}, {"event": "trick", "seat": last, "suit": "H"}]
    send_state(
        ann, message, [*end, {"event": "heart", "seat": last}], trick=[], led=None, leader=last, last_winner=last
    )
    names = [one["name"] for one in message["table"]["seat_holders"]]
    taker, adder, winner = (names[(me + k) % 4] for k in (1, 2, 3))
    points = f"Points: clubs {taker} +1 from you, diamonds {adder} +2, hearts {winner} +1."
    ann.page.wait_for_function(
        "(says) => document.querySelector('.happened .unseen')?.textContent.trim() === says",
        arg=f"{winner} wins with 12 of hearts. {points}",
    )


def test_points_of_a_trick_that_do_not_all_fit_are_not_told(server, new_player):
    ann = new_player(server, "phone")
    ann.change_settings(coach="always")
    message = open_faked_table(ann, server, "crystals", 4, {})
    for place, name in zip(message["table"]["seat_holders"], LONG_NAMES, strict=True):
        place["name"] = name
    me = message["seat"]
    played = [
        {"event": "played", "seat": (me + k) % 4, "card": card} for k, card in enumerate(("H9", "C3", "C4", "C5"))
    ]
    takes = [{"event": "club", "seat": one["seat"], "victim": me} for one in played[1:]]
    trick = [{"event": "dealt", "dealer": 3, "round": 1}, played[0], *sum(zip(played[1:], takes, strict=True), ())]
    end = [{"event": "trick", "seat": me, "suit": "H"}, {"event": "heart", "seat": me}]
    lead = {"event": "played", "seat": me, "card": "H2"}
    send_state(ann, message, [*trick, *end, lead], steps=20, trick=["H2"], leader=me, led="H", last_winner=me)
    expect(ann.page.locator(".happened")).to_contain_text("You win with 9 of hearts")
    expect(ann.page.locator(".happened")).not_to_contain_text("Points")


def test_points_of_the_previous_trick_stay_until_the_next_decision(server, new_player):
    """The cards of this trick still lie there, but nothing else shows what came of the previous one."""
    ann = new_player(server, "phone")
    ann.change_settings(coach="always")
    message = open_faked_table(ann, server, "crystals", 4, {})
    me = message["seat"]
    cards = [
        {"event": "played", "seat": (me + k) % 4, "card": card} for k, card in enumerate(("H9", "H12", "S4", "H2"))
    ]
    next_cards = [
        {"event": "played", "seat": (me + k) % 4, "card": card} for k, card in ((1, "C4"), (2, "D4"), (3, "H5"))
    ]
    first = [{"event": "dealt", "dealer": 3, "round": 1}, *cards[:3], {"event": "spade", "seat": cards[2]["seat"]}]
    end = [{"event": "trick", "seat": cards[1]["seat"], "suit": "H"}, {"event": "heart", "seat": cards[1]["seat"]}]
    this = [
        *next_cards[:2], {"event": "diamond", "seat": cards[2]["seat"]},
        next_cards[2], {"event": "heart", "seat": cards[3]["seat"]},
    ]  # fmt: skip
    view = {"trick": ["C4", "D4", "H5"], "leader": cards[1]["seat"], "led": "C", "question": "play", "to_act": [me]}
    send_state(ann, message, [*first, cards[3], *end, *this], steps=20, **view)
    names = [one["name"] for one in message["table"]["seat_holders"]]
    spade, heart = names[cards[2]["seat"]], names[cards[1]["seat"]]
    ann.page.wait_for_function(
        "(says) => document.querySelector('.happened')?.textContent.includes(says)",
        arg=f"Points: spades {spade} +1, hearts {heart} +1.",
    )


def test_c19_bonuses_stay_while_the_last_trick_is_shown(server, new_player):
    """They are about to be paid, and nothing else says what for."""
    ann = new_player(server)
    ann.change_settings(trickSeconds=3600)  # so that the trick stays
    message = open_faked_table(ann, server, "crystals", 4, {})
    me = message["seat"]
    seats = [(me + k) % 4 for k in range(4)]
    hand = [["H2"] if seat == me else None for seat in range(4)]
    taken = [[0, 0, 0, 0] for _ in range(4)]
    taken[seats[1]] = [3, 0, 0, 0]
    tricks = [0] * 4
    tricks[seats[1]] = 3
    vault = [4 if seat == me else None for seat in range(4)]
    before = {"hand": hand, "taken": taken, "tricks": tricks, "vault": vault, "question": "play", "to_act": [me]}
    lay = {"trick": ["H9", "H12", "H3"], "leader": seats[1], "led": "H"}
    events = [{"event": "played", "seat": seats[k], "card": card} for k, card in ((1, "H9"), (2, "H12"), (3, "H3"))]
    dealt = {"event": "dealt", "dealer": 3, "round": 1}
    message = send_state(ann, message, [dealt, *events], steps=20, **before, **lay)
    standing = ann.page.locator(".standing")
    expect(standing).to_contain_text("Bonus")
    end = [
        {"event": "played", "seat": me, "card": "H2"}, {"event": "trick", "seat": seats[2], "suit": "H"},
        {"event": "heart", "seat": seats[2], "moved": 1}, {"event": "most", "seat": seats[1], "suit": "D", "number": 3},
        {"event": "diamond", "seat": seats[1], "moved": 1}, {"event": "dealt", "dealer": 0, "round": 2},
    ]  # fmt: skip
    send_state(ann, message, end, round=2, trick=[], led=None, leader=None, tricks=[0] * 4, hand=[[]] * 4)
    expect(ann.page.locator(".trick li")).to_have_count(4)
    expect(standing).to_contain_text("Bonus")
    expect(standing).to_contain_text("no trick")


@pytest.mark.parametrize(("cards", "turned", "says", "logged"), [
    ("S5 C9 CQ SK", "-C--", "After a fourteen, ", "Fourteen! Blaise changes the suit to clubs."),
    ("S5 H9 S9 S2", "-HS-", "After a fourteen, ", "Fourteen! Blaise changes the suit to hearts. Fourteen! Carl changes the suit to spades."),
    ("S5 S8 SQ S2", "----", "(?<!fourteen, )", ""),
])  # fmt: skip
def test_news_and_log_say_that_a_fourteen_had_changed_the_suit(cards, turned, says, logged, server, new_player):
    """Also if a second one has changed it back, so that the winning card is of the suit led."""
    ann = new_player(server, "phone")
    message = open_faked_table(ann, server, "fourteen", 4, {})
    me = message["seat"]
    events: list[dict[str, Any]] = [{"event": "dealt", "dealer": 3, "hand": 13}]
    for k, (card, suit) in enumerate(zip(cards.split(), turned, strict=True)):
        events.append({"event": "played", "seat": (me + k) % 4, "card": card})
        events += [{"event": "turned", "seat": (me + k) % 4, "suit": suit}] if suit != "-" else []
    events += [{"event": "trick", "seat": 2, "diamonds": 0}, {"event": "played", "seat": 2, "card": "H2"}]
    send_state(ann, message, events, steps=20, trick=["H2"], leader=2, suit="H", question="play", to_act=[3])
    news = ann.page.locator(".happened")
    expect(news).to_contain_text(re.compile(f"Previous trick: .*{says}Carl wins with"))
    news.click()
    line = ann.page.locator(".log summary")
    expect(line).to_contain_text("Carl wins the trick")
    (text,) = ann.accessible_text(".log summary")
    assert "".join(re.findall("Fourteen.*", text)) == logged, text


LONG_NAMES = ["Maximiliane von Brandt", "Bartholomäus Wagenknecht", "Wilhelmina Oberhuber", "Konstantin Mühlenbeck"]


def news_of_a_game(game: str, me: int) -> Iterator[tuple[list[dict[str, Any]], dict[str, Any]]]:
    """Yield all events so far and the view, at each question to ``me`` in a random game."""
    played, rng = start_variant(Variant(GAMES[game], 4, GAMES[game].check_options(4)), 11), random.Random(11)
    rules = played.game.rules
    told: list[dict[str, Any]] = []
    while not played.over and len(told) < 160:
        if me in played.game.to_act(played.state) and told:
            yield told, views.view_data(played.game, views.view(played.game, played.state, me))
        for log in played.answer(*random_answer(played, rng)):
            told += [{"n": played.n, "event": event} for event in events_for(log, rules.EVENTS, played.game.ranks, me)]


@pytest.mark.parametrize("coach", ["always", "never"])
@pytest.mark.parametrize("game", ["crystals", "fourteen"])
def test_news_are_never_cut_and_first_of_all_about_the_player(game, coach, server, new_player):
    """A sentence is shown entirely or not at all, with the longest names, in every language, on a small phone."""
    ann = new_player(server, "phone")
    for language in i18n.languages():
        ann.change_settings(language=language, coach=coach)
        message = open_faked_table(ann, server, game, 4, {})
        for place, name in zip(message["table"]["seat_holders"], LONG_NAMES, strict=True):
            place["name"] = name
        me = message["seat"]
        version = message["version"]
        for told, view in news_of_a_game(game, me):
            version += 1
            update = {"n": told[-1]["n"] + 40, "version": version, "view": view, "open_question": None}
            events = [{**one, "n": one["n"] + 40} for one in told]
            send_update(ann, message | update | {"events": events})
            ann.page.wait_for_selector(".happened > span", state="attached")
            found = ann.page.evaluate(SCRIPTS["measureNews"])
            where = f"{game}, {language}, coach {coach}: “{found['text']}”"
            assert not found["beyond"], f"{where} needs {found['beyond']} pixels more than its box"
            assert not found["clamped"], f"{where} is cut off"
