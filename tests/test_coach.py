"""The advice of coach, lessons and reviews agrees with hints, and the coach's sentences are short."""

import random
import re
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from diamonds import deals, i18n, records, views
from diamonds.events import events_for
from diamonds.game import GAMES
from diamonds.rules.mines import ADJACENT
from tests.support import coach_advice, random_positions
from tests.support.mines_positions import mines_position
from tests.support.positions import state_data
from tests.support.sample_sizes import short_or_long

MAX_SENTENCE_WORDS = 12
MAX_SENTENCES = 2
MESSAGE = re.compile(r"^(page-coach-[a-z]+-\S+) = (.*(?:\n .*)*)", re.MULTILINE)
VARIANT = re.compile(r"\[\w+\] (.*)")
WORD = re.compile(r"[\w♦♥♠♣]")


@pytest.mark.kernels
@short_or_long("number", 25, 500)
@pytest.mark.parametrize("name", sorted(GAMES))
def test_coach_lesson_and_review_agree_with_hints(name, number):
    positions = coach_advice.coached_positions(name, number)
    lines = coach_advice.check_advice(name, positions)
    coached = {line.position for line in lines if line.name.startswith("coach ")}
    assert coached == set(range(number)), "expected a line of the coach in every position"
    wrong = [
        f"{line.name} recommends {line.recommends}, {line.gap:.2f} behind the best of {positions[line.position].told['legal']}"
        for line in coach_advice.contradictions(name, lines)
    ]
    assert not wrong, f"A hint would reject advice in {number} positions:\n" + "\n".join(wrong)


@pytest.mark.kernels
def test_recommendation_is_as_bad_as_the_worst_of_its_choices():
    """Recommend each card by itself, any card, and nothing, in a decision of crystals where cards differ in value."""
    position = next(
        one for one in coach_advice.coached_positions("crystals", 12)
        if one.told["question"] == "play" and len(one.told["legal"]) > 4
    )  # fmt: skip
    names, ranked = position.told["legal"], coach_advice.ranked_candidates(position.view, 5)
    choices = [[[name] for name in names], [names], []]
    each, free, nothing = (gap for gap, _ in coach_advice.recommendation_gaps(position.view, ranked, choices, 5))
    assert each > 0.1, "expected a card worse than the best"
    assert free == 0, "expected a choice of any answer to be as good as the best answer"
    assert nothing == 0


@pytest.mark.parametrize("language", i18n.languages())
def test_line_of_the_coach_has_two_short_sentences_at_most(language):
    text = (Path(i18n.__file__).parent / f"{language}.ftl").read_text(encoding="utf-8")
    found, wrong = MESSAGE.findall(text), []
    assert len(found) > 60
    for id, message in found:
        for line in VARIANT.findall(message) or [message]:
            sentences = re.split(r"(?<=[.!?])\s+", re.sub(r"\{ \$\w+ \}(-\w+)?", "X", line))
            words = [sum(bool(WORD.search(word)) for word in sentence.split()) for sentence in sentences]
            if len(sentences) > MAX_SENTENCES or max(words) > MAX_SENTENCE_WORDS:
                wrong.append(f"{id}: {line}")
    assert not wrong, "expected shorter lines:\n" + "\n".join(wrong)


class Played(NamedTuple):
    """A card played in a trick: the argument of `directEffect`, and the events that the card caused immediately."""

    told: dict[str, Any]
    events: list[dict[str, Any]]


def played_cards(name: str, seats: int, options: dict[str, Any], seed: int) -> list[Played]:
    """Return every card of a random game, as its player sees it, with its events."""
    game, rng = GAMES[name], random.Random(seed)
    played, found = records.start_game(game, seats, options, deals.seeded_secret(seed)), []
    while not played.over:
        seat, answer = random_positions.random_answer(played, rng)
        question, view = game.question(played.state).name, views.view_data(game, views.view(game, played.state, seat))
        legal = [str(one) for one in game.legal(played.state, seat)]
        logs = played.answer(seat, answer)
        if question == "play":
            events = [event for log in logs for event in events_for(log, game.rules.EVENTS, game.ranks, seat)]
            found.append(
                Played({"view": view, "me": seat, "question": question, "legal": legal, "answers": [answer]}, events)
            )
    return found


@pytest.mark.parametrize(
    ("seats", "options"), [(4, {"rounds": 2}), (3, {"thief": True}), (2, {}), (4, {"partnership": True})]
)
def test_direct_effect_of_a_crystals_card_comes_true(seats, options):
    cards = [one for seed in range(5) for one in played_cards("crystals", seats, options, seed)]
    said = coach_advice.run_module("crystals/directEffect.ts", [one.told for one in cards])
    names, seen = {"diamond": "D", "heart": "H", "spade": "S", "club": "C", "nothing": "none"}, set()
    for (told, events), text in zip(cards, said, strict=True):
        id, kinds = text.split()[0].removeprefix("page-hint-effect-"), [one["event"] for one in events]
        seen.add(id)
        won = [one["seat"] for one in events if one["event"] == "trick"]
        moved = [names[kind] for kind in kinds if kind in names]
        if id in ("now", "take"):
            action = "C" if id == "take" else text.rsplit("=", 1)[1]
            assert action in moved or (action == "C" and kinds == ["played"]), f"{text!r}, but {events}"
        elif id == "loses":
            assert told["me"] not in won, f"{text!r}, but {events}"
        elif id == "wins" and won:
            assert won == [told["me"]], f"{text!r}, but {events}"
    assert seen >= {
        "now",
        "take",
        "loses",
        "wins",
        "highest",
        *(("high", "low") if seats == 2 else ("one-higher", "low-but")),
    }


def test_crystals_card_of_a_suit_that_the_others_lack_is_sure_to_win():
    view = {
        "seats": 4, "perfect": False, "two_cards": False, "led": None, "leader": 0, "trick": [], "team": [0, 1, 2, 3],
        "showroom": [3] * 4, "supply": 223, "thief": False, "hand": [["H2", "H9"], None, None, None], "played": [[]] * 4,
    }  # fmt: skip
    told = {"me": 0, "question": "play", "legal": ["H2", "H9"], "answers": ["H2"]}
    voids = [
        [[], ["H"], ["H", "S"], ["H"]],
        [["H"], ["H"], ["H"], ["S"]],
        [["H"], [], ["H"], ["H"]],
        [[], None, None, None],
    ]
    said = coach_advice.run_module(
        "crystals/directEffect.ts", [{**told, "view": {**view, "void": void}} for void in voids]
    )
    assert [text.split()[0] for text in said] == ["page-hint-effect-wins", *["page-hint-effect-low-but"] * 3]


@pytest.mark.parametrize(("hand", "played", "more", "says"), [
    ("S2 S9 S13 H5", "S14 S15", {}, "low-but card=♠2 suit=♠ gain=top kept=♠13"),
    ("S2 S9 S13 H5", "S14", {}, "low-but card=♠2 suit=♠ gain=higher kept=♠13"),
    ("S2 H5", "", {}, "low-but card=♠2 suit=♠ gain=void kept="),
    ("S2 S1 H5", "", {}, "low-higher card=♠2 suit=♠ number=13"),
    ("S2", "", {}, "low-higher card=♠2 suit=♠ number=13"),
    ("S2 S13 H5", "S14 S15", {"hasReason": True}, "low-higher card=♠2 suit=♠ number=10"),
    ("S2", "S3 S4 S5 S6 S7 S8 S9 S10 S11 S12", {}, "low-higher card=♠2 suit=♠ number=3"),
    ("S2", "S3 S4 S5 S6 S7 S8 S9 S10 S11 S12 S13", {}, "lead card=♠2 action=S"),
    ("S2", "S3 S4 S5 S6 S7 S8 S9 S10 S11 S12 S13 S15", {}, "one-higher card=♠2 higher=♠14 action=S"),
    ("S2", "S3 S4 S5 S6 S7 S8 S9 S10 S11 S12 S13 S14 S15", {}, "wins card=♠2 action=S"),
])  # fmt: skip
def test_crystals_lead_is_judged_by_higher_cards_left_in_its_suit(hand, played, more, says):
    """A beginner asks why to lose the lead; the answer must be true on the table."""
    view = {
        "seats": 4, "perfect": False, "two_cards": False, "led": None, "leader": 0, "trick": [], "team": [0, 1, 2, 3],
        "showroom": [3] * 4, "supply": 223, "thief": False, "void": [[]] * 4,
        "hand": [hand.split(), None, None, None], "played": [[], played.split(), [], None],
    }  # fmt: skip
    told = {"me": 0, "question": "play", "legal": hand.split(), "answers": ["S2"], "view": view, **more}
    assert coach_advice.run_module("crystals/directEffect.ts", [told]) == [f"page-hint-effect-{says}"]


@pytest.mark.parametrize(("hand", "trick", "says"), [
    ("S3 S15", "S2", "low-higher card=♠3 suit=♠ number=11"),
    ("S3 S4 S5 S6 S7 S8 S9 S10 S11 S12 S13", "S2", "highest card=♠3 action=S"),
    ("S3 S15", "S2 H1", "highest card=♠3 action=S"),
])  # fmt: skip
def test_crystals_card_that_is_ahead_is_judged_by_those_who_follow(hand, trick, says):
    view = {
        "seats": 4, "perfect": False, "two_cards": False, "led": "S", "leader": 0, "trick": trick.split(),
        "team": [0, 1, 2, 3], "showroom": [3] * 4, "supply": 223, "thief": False, "void": [[]] * 4,
        "hand": [hand.split(), None, None, None], "played": [[], ["S2"], [], []],
    }  # fmt: skip
    told = {"me": 0, "question": "play", "legal": hand.split(), "answers": ["S3"], "view": view}
    assert coach_advice.run_module("crystals/directEffect.ts", [told]) == [f"page-hint-effect-{says}"]


@pytest.mark.parametrize("options", [{}, {"match": "last_two"}, {"scoring": "tricks"}])
def test_direct_effect_of_a_fourteen_card_comes_true(options):
    cards = [one for seed in range(3) for one in played_cards("fourteen", 4, {"target": 15, **options}, seed)]
    said = coach_advice.run_module("fourteen/directEffect.ts", [one.told for one in cards])
    seen = set()
    for (told, events), text in zip(cards, said, strict=True):
        id = text.split()[0].removeprefix("page-hint-effect-")
        seen.add(id)
        made = [one for one in events if one["event"] == "turned"]
        won = [one for one in events if one["event"] == "trick"]
        assert bool(made) == (id == "fourteen"), f"{text!r}, but {events}"
        if won:
            wins = id.startswith("takes") or text.endswith("outcome=wins")
            assert wins == (won[0]["seat"] == told["me"]), f"{text!r}, but {events}"
            assert id != "takes" or f"number={won[0]['diamonds']}" in text, f"{text!r}, but {events}"
        assert (id == "must-give") <= all(card[0] == "D" for card in told["legal"]), f"{text!r}, but {told['legal']}"
    assert seen >= {"fourteen", "loses", "off", "king", "lead-high", "lead-low"}
    assert ("must-give" in seen) == ("scoring" not in options), "expected a forced ♦ where it is a point for others"


@pytest.mark.parametrize(("hand", "played", "trick", "says"), [
    ("S9 H2", "S10 SJ SQ SK", "", "lead-top card=♠9 suit=♠"),
    ("S9 SK H2", "S10 SJ SQ", "", "lead-top card=♠9 suit=♠"),
    ("S9 H2", "S10 SJ SQ", "", "lead-high card=♠9 suit=♠"),
    ("S9 H2", "S10 SJ SQ SK S4", "S4", "lead-top card=♠9 suit=♠"),
    ("S9 H2", "S10 SJ SQ SK H5", "H5", "fourteen card=♠9 sum=5 + 9 = 14 suit=♠ outcome=top"),
    ("S9 H2", "S10 SJ SQ H5", "H5", "fourteen card=♠9 sum=5 + 9 = 14 suit=♠ outcome=highest"),
])  # fmt: skip
def test_f7_only_a_fourteen_beats_a_card_once_no_higher_one_can_come(hand, played, trick, says):
    view = {
        "seats": 4, "scoring": 0, "match": 0, "leader": 3, "trick": trick.split(),
        "played": [[], played.split(), [], []], "hand": [hand.split(), None, None, None],
    }  # fmt: skip
    told = {"me": 0, "question": "play", "legal": hand.split(), "answers": ["S9"], "view": view}
    assert coach_advice.run_module("fourteen/directEffect.ts", [told]) == [f"page-hint-effect-{says}"]


@pytest.mark.parametrize(("hand", "trick", "says"), [
    ("S9 H2", "S4", "leads card=♠9 suit=♠ sum="),
    ("SK H2", "S4", "top card=♠K suit=♠ sum="),
    ("SQ SK H2", "S4", "leads card=♠Q suit=♠ sum="),
    ("S9 H2", "S4 S2 H6", "wins card=♠9 suit=♠ sum="),
    ("S9 H2", "C4 H5", "fourteen-open card=♠9 suit=♠ sum=5 + 9 = 14"),
    ("S9 H2", "H4 H6 H5", "fourteen-over card=♠9 suit=♠ sum=5 + 9 = 14"),
])  # fmt: skip
def test_effect_of_a_winning_card_is_brief_where_a_reason_needs_the_room(hand, trick, says):
    """A card that loses, or is led, keeps its usual sentence."""
    view = {
        "seats": 4, "scoring": 0, "match": 0, "leader": 0, "trick": trick.split(), "suit": trick[0],
        "played": [[], trick.split(), [], []], "hand": [hand.split(), None, None, None],
    }  # fmt: skip
    card = hand.split()[0]
    told = {"me": 0, "question": "play", "legal": hand.split(), "answers": [card], "view": view, "isBrief": True}
    usual = [{**told, "view": {**view, "trick": []}}, {**told, "answers": ["H2"]}]
    brief, *others = coach_advice.run_module("fourteen/directEffect.ts", [told, *usual])
    assert brief == f"page-hint-effect-brief is={says}"
    assert not any("brief" in one for one in others), others


@pytest.mark.parametrize(("hand", "more", "gain"), [
    ("S3 S9 SJ D2", {}, "saves kept=♠J"),
    ("S3 S9 D2", {}, "diamond kept="),
    ("S3 D2", {"scoring": 2}, "void kept="),
    ("S3 H2", {}, "void kept="),
    ("S3 S9 D2", {"scoring": 2}, "none kept="),
    ("S3", {}, "none kept="),
    ("S3 SJ", {"hasReason": True}, "none kept="),
])  # fmt: skip
def test_f8_effect_of_a_low_lead_says_what_losing_gains(hand, more, gain):
    view = {
        "seats": 4, "scoring": more.get("scoring", 0), "match": 0, "leader": 0, "trick": [],
        "played": [[]] * 4, "hand": [hand.split(), None, None, None],
    }  # fmt: skip
    told = {"me": 0, "question": "play", "legal": hand.split(), "answers": ["S3"], "view": view, **more}
    said = coach_advice.run_module("fourteen/directEffect.ts", [told])
    assert said == [f"page-hint-effect-lead-low card=♠3 suit=♠ gain={gain}"]


@pytest.mark.parametrize(("trick", "hand", "equal", "says", "more"), [
    ("", "SQ H9", "", "beaten card=♠Q suit=♠", {}),
    ("", "SK H9", "", "highest-left card=♠K suit=♠", {}),
    ("", "SK HK", "", "top card=♠K suit=♠", {}),
    ("SQ", "S5 S9 D2", "S5 S9", "loses card=♠Q suit=♠", {}),
    ("S10", "H5 D2", "", "diamond", {}),
    ("DQ", "D5 D9 H2", "D5 D9", "must-give card=♦5 suit=♦", {}),
    ("DQ", "D5 D9 H2", "D5 D9", "loses card=♦Q suit=♦", {"scoring": 2}),
    ("H4 H5 S3", "C5 H8 H6", "H8 H6", "wins card=♥8 suit=♥", {}),
    ("H4", "H8 H6", "", "highest card=♥8 suit=♥", {}),
    ("H4", "H8 H6", "", "safe card=♥8 suit=♥", {"played": "S6 C6 D6"}),
    ("H4", "H8 H6", "", "highest card=♥8 suit=♥", {"played": "S6 C6 D6", "match": 1}),
    ("H4", "H3 HK", "", "bare-open card=♥3 suit=♥", {}),
    ("H4 S2 C9", "H3 HK", "", "bare-over card=♥3 suit=♥", {}),
    ("H4 D2 C9", "H3 HK", "", "choose-over card=♥3 suit=♥", {}),
    ("H4 D2", "H3 HK", "", "choose-open card=♥3 suit=♥", {}),
    ("H4", "H3 HK", "", "trick", {"scoring": 2}),
    ("H4", "H3 HK", "", "made card=♥3 suit=♥", {"scoring": 1, "bid": [2] * 4, "taken": [2] * 4}),
    ("H4", "H3 HK", "", "bare-open card=♥3 suit=♥", {"scoring": 1, "bid": [2] * 4, "taken": [1] * 4}),
    ("H4", "H3 HK", "", "missed card=♥3 suit=♥", {"scoring": 1, "bid": [13] * 4, "taken": [2] * 4, "played": "DA D2 D3"}),
    ("H4", "H3 HK", "", "gone card=♥3 suit=♥", {"played": "DA D2 D3 D4 D5 D6 D7 D8 D9 D10 DJ DQ DK"}),
    ("S2", "CQ S3", "", "highest card=♣Q suit=♣", {}),
])  # fmt: skip
def test_equal_cards_get_a_fact_that_a_player_can_check(trick, hand, equal, says, more):
    view = {
        "seats": 4, "scoring": 0, "match": 0, "leader": 0, "bid": [None] * 4, "taken": [0] * 4, "trick": trick.split(),
        "hand": [hand.split(), None, None, None],
    }  # fmt: skip
    played = [*trick.split(), *more.get("played", "").split()]
    told = {"me": 0, "equal": (equal or hand).split(), "view": {**view, **more, "played": [[], played, [], []]}}
    kind = "" if says in ("trick", "diamond") else "fact is="
    assert coach_advice.run_module("fourteen/directEffect.ts", [told]) == [f"page-hint-equal-{kind}{says}"]


@pytest.mark.parametrize(("good", "bad", "says"), [
    ("H2 S3", "SK", "nearly worse=SK"),
    ("H2 S3 C4", "SK D9", "nearly worse=SK D9"),
    ("H2 S3", "D2 DK", "without suit=D"),
    ("H2 S3 C4", "D2 DK", "without suit=D"),
    ("H2 H8 HK", "D2 S8 DK", "suit suit=H"),
    ("H2 SJ", "HQ CK DK", "low rank=J"),
    ("H10 SJ", "H9 C2 D3", "high rank=10"),
    ("H2 S8", "H9 CK DA", "low-without suit=D rank=8"),
    ("H8 SA", "H7 CK DQ", None),
    ("H2 S8", "H4 CK DA", None),
    ("H8+ S6+", "H9 C7 D2", "winning"),
    ("H8+ S6+", "SK", "winning"),
    ("H8 S6", "H9+ C2+ DK+", "losing"),
    ("H8+ S6", "H9+ C2+ DA", None),
    ("H2", "H9 CK", None),
    ("H2 H3", "", None),
])  # fmt: skip
def test_equal_cards_are_named_by_what_distinguishes_them_from_the_worse(good, bad, says):
    """A + marks cards that win so far. Cards that nothing visible distinguishes get no name."""
    (named, _), *_ = coach_advice.run_module("../table/equalSet.ts", [{"compared": compared_cards(good, bad)}])
    assert name_of_set(named) == says


@pytest.mark.parametrize(("bad", "says"), [
    ("H4:0.4 CK:0.4 DA:0.7 D9:2", "without suit=D"),
    ("H4:0.4 CK:0.4 S9:0.7", "nearly worse=S9"),
    ("H4:0.4 CK:0.4 S9:0.5", None),
    ("H4:0.4 CK:0.6 S9:2", None),
    ("H4:0.4 CK:0.4 DA:0.7 S9:2 H9:2", None),
])  # fmt: skip
def test_clearly_worse_cards_are_named_where_others_are_little_worse(bad, says):
    (_, named), *_ = coach_advice.run_module("../table/equalSet.ts", [{"compared": compared_cards("H2 S8", bad)}])
    assert name_of_set(named) == says


def compared_cards(good: str, bad: str) -> list[dict[str, Any]]:
    """Return cards as the hint compares them. “HJ” loses, “H9+” wins so far, and “H9:0.4” is 0.4 points worse."""
    return [
        {
            "card": card.partition(":")[0].rstrip("+"), "isGood": is_good, "gap": float(card.partition(":")[2] or 0),
            "outcome": ("wins" if card.endswith("+") else "loses") if "+" in good + bad else None,
        }
        for is_good, cards in ((True, good), (False, bad))
        for card in cards.split()
    ]  # fmt: skip


def name_of_set(named: dict[str, Any] | None) -> str | None:
    if named is None:
        return None
    values = [("worse", " ".join(named["worse"])), ("suit", named.get("suit")), ("rank", named.get("rank"))]
    return " ".join([named["is"], *(f"{key}={value}" for key, value in values if value)])


def test_no_diamond_must_be_given_away_while_another_one_leads():
    view = {"seats": 4, "scoring": 0, "match": 0, "leader": 0}
    tricks = [("D9", ["D2", "D10"]), ("C4", ["D2", "D10"]), ("D9", ["D2", "D3"]), ("S9", ["D2", "D3"])]
    told = [
        {"me": 1, "question": "play", "legal": legal, "answers": legal[:1], "view": {**view, "trick": [led]}}
        for led, legal in tricks
    ]
    said = coach_advice.run_module("fourteen/directEffect.ts", told)
    assert [text.split()[0].removeprefix("page-hint-effect-") for text in said] == [
        "loses", "off", "must-give", "must-give"
    ]  # fmt: skip


@pytest.mark.parametrize(("name", "seats"), [("crystals", 4), ("fourteen", 4)])
def test_outcome_of_the_last_card_of_a_trick_comes_true(name, seats):
    """Hints use this outcome to say that equally good cards win or lose the trick, or give a ♦ away."""
    cards = [one for seed in range(3) for one in played_cards(name, seats, {}, seed)]
    ending = [(one, [event for event in one.events if event["event"] == "trick"]) for one in cards]
    ending = [(one, won) for one, won in ending if won]
    said = coach_advice.run_module(
        f"{name}/directEffect.ts", [{**one.told, "outcomeOf": one.told["answers"][0]} for one, _ in ending]
    )
    for (one, won), outcome in zip(ending, said, strict=True):
        is_mine, is_diamond = won[0]["seat"] == one.told["me"], str(one.told["answers"][0])[0] == "D"
        expected = "wins" if is_mine else "gives" if name == "fourteen" and is_diamond else "loses"
        assert outcome == expected, f"{one.told['answers']} to {one.told['view']['trick']}"
    assert {"wins", "loses"} <= set(said)


@pytest.mark.kernels
def test_mines_coach_warns_of_the_last_free_neighbours():
    positions = coach_advice.coached_positions("mines", 48)
    for k, (position, lines) in enumerate(zip(positions, coach_advice.coach_lines("mines", positions), strict=True)):
        owner, me = position.view.row["owner"], position.view.seat
        own, other = int(owner[me]), int(owner[1 - me])
        free = int(ADJACENT[own]) & ~own & ~other
        assert ("shut-in" in {line["name"] for line in lines}) == (free == 0), (
            f"position {k}: shut in or not, with {free:013b} free"
        )


@pytest.mark.parametrize(("hand", "passed", "suits", "recommends"), [
    ("D2 D9 H3 S4 S9 C1", "S4 S9", "♠", [["S4 S9"]]),
    ("D2 D9 H3 S4 S9 C1", "H3 C1", "♥ ♣", [["H3 C1"]]),
    ("D2 D9 H3 S4 S9 C1", "H3 S4", "♥", [["H3"]]),
    ("D2 D9 H3 S4 S9 C1", "D2 S4", "", []),
])  # fmt: skip
def test_c9_coach_names_the_suits_that_the_hint_passes_whole(hand, passed, suits, recommends):
    told = {
        "view": {"perfect": False, "seats": 4, "showroom": [3] * 4, "tricks": [0] * 4, "pass_to": 0, "round": 1, "rounds": 1},
        "me": 0, "hand": hand.split(), "question": "pass", "legal": hand.split(), "events": [],
        "hint": {"choices": [{"answers": passed.split(), "reasons": []}]},
    }  # fmt: skip
    (said,) = coach_advice.coach_lines("crystals", [coach_advice.CoachPosition(None, told, None, "")])  # type: ignore[arg-type]
    lines = {line["name"]: (line["text"], line["recommends"]) for line in said}
    assert lines.pop("pass") == ("page-coach-crystals-rounds rounds=1", None)
    assert lines == ({"pass-empties": (f"page-coach-crystals-pass suits={suits}", recommends)} if suits else {})


def fourteen_tips(events: list[dict[str, Any]] = [], **view: Any) -> set[str]:  # noqa: B006
    """Return the names of the tips about the first card of a hand of fourteen."""
    return set(fourteen_lines({"events": [{"n": 1, "event": event} for event in events]}, **view))


def fourteen_lines(more: dict[str, Any], **view: Any) -> dict[str, str]:
    """Return the text of each tip about the first card of a hand of fourteen."""
    told = {
        "view": {
            "scoring": 0, "match": 0, "target": 40, "totals": [0] * 4, "taken": [0] * 4, "tricks": [1, 0, 0, 0],
            "trick": [], "suit": None, "deals": 1, "bid": [None] * 4, **view,
        },
        "me": 0, "hand": ["S7"], "question": "play", "legal": ["S7"], "events": [], **more,
    }  # fmt: skip
    (said,) = coach_advice.coach_lines("fourteen", [coach_advice.CoachPosition(None, told, None, "")])  # type: ignore[arg-type]
    return {line["name"]: line["text"] for line in said}


def test_f8_coach_says_that_a_hand_is_played_out_after_the_goal():
    assert "reached" in fourteen_tips(totals=[0, 36, 0, 0], taken=[0, 4, 0, 0])
    assert "reached" not in fourteen_tips(totals=[0, 36, 0, 0], taken=[4, 3, 0, 0])
    assert "reached" not in fourteen_tips(totals=[0, 40, 0, 0], scoring=2)


def test_f10_coach_says_what_matters_once_a_bid_is_made():
    assert "bid-made" in fourteen_tips(scoring=1, bid=[5, 3, 2, 3], taken=[5, 1, 0, 0])
    assert "bid-made" in fourteen_tips(scoring=1, bid=[5, 3, 2, 3], taken=[6, 1, 0, 0])
    assert "bid-made" not in fourteen_tips(scoring=1, bid=[5, 3, 2, 3], taken=[4, 3, 2, 3])
    assert "bid-made" not in fourteen_tips(scoring=1, bid=[0, 3, 2, 3], taken=[0, 3, 2, 3]), "expected no praise for 0"
    assert "bid-made" not in fourteen_tips(taken=[5, 3, 2, 3])


def test_f6_coach_explains_a_fourteen_only_while_its_trick_lies_there():
    turned = {"event": "turned", "seat": 1, "suit": "D"}
    assert "turned" in fourteen_tips([turned], trick=["H5", "D9"], suit="D")
    assert "turned" not in fourteen_tips([turned, {"event": "trick", "seat": 1, "diamonds": 1}])


@pytest.mark.parametrize(("hand", "other_piles", "is_told"), [
    ("D4 D9", "1", True),
    ("D4 S9", "1", False),
    ("", "1", False),
    ("D4 D9", "12", False),  # no pile in danger
])  # fmt: skip
def test_m9_coach_warns_a_player_who_holds_only_diamonds(hand, other_piles, is_told):
    row = mines_position(own_piles="0", other_piles=other_piles, hands={0: hand, 1: "CQ"})
    told = {
        "view": state_data(row, 0), "me": 0, "hand": hand.split(), "question": "turn", "legal": ["pass", "go"],
        "events": [],
    }  # fmt: skip
    said = coach_advice.run_module("mines/coach.ts", [told])[0]
    assert ("only-diamonds" in [tip["name"] for tip in said]) == is_told


@pytest.mark.parametrize(("hint", "is_told"), [
    ([("pass", False)], True),
    ([("pass", False), ("go", False)], True),
    ([("pass", False), ("go", True)], False),
    ([("go", False), ("pass", False)], False),
    (None, False),
])  # fmt: skip
def test_m4_coach_advises_to_pass_only_where_the_hint_does(hint, is_told):
    answers = hint and {"choices": [{"answers": [answer], "tied": tied, "reasons": []} for answer, tied in hint]}
    row = mines_position(own_piles="0", other_piles="12")
    told = {
        "view": state_data(row, 0), "me": 0, "hand": [], "question": "turn", "legal": ["pass", "go"], "events": [],
        "hint": answers,
    }  # fmt: skip

    def tips(can_hint: bool) -> list[str]:
        said = coach_advice.run_module("mines/coach.ts", [told | {"canHint": can_hint}])[0]
        return [tip["name"] for tip in said]

    assert ("turn" in tips(True)) == is_told
    assert "turn" in tips(False), "expected the advice at a table without hints"


@pytest.mark.parametrize(("trick", "best", "says"), [
    ("", "S7", "page-coach-fourteen-lead-low"),
    ("", "SQ", "page-coach-fourteen-lead"),
    ("", "D4", "page-coach-fourteen-lead"),
    ("S9 S4", "S7", "page-coach-fourteen-no-diamond"),
    ("S9 D4", "S7", None),
    ("S5 S4", "S7", None),
])  # fmt: skip
def test_f8_coach_says_why_to_lose_a_trick_only_where_the_hint_does(trick, best, says):
    """The same view without a hint yet, or where tricks count, must not call a trick worthless."""
    now = {"trick": trick.split(), "suit": "S" if trick else None}
    hint = {"hint": {"choices": [{"answers": [best], "reasons": []}]}, "canHint": True}
    about_tricks = {"no-diamond", "lead"}
    told = {name: text for name, text in fourteen_lines(hint, **now).items() if name in about_tricks}
    assert list(told.values()) == [says] * bool(says)
    assert not fourteen_lines({"hint": None, "canHint": True}, **now).keys() & about_tricks
    counted = fourteen_lines(hint, scoring=2, **now)
    assert {counted[name] for name in counted.keys() & about_tricks} <= {"page-coach-fourteen-lead"}
