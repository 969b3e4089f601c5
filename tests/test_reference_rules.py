"""Whole games compared with independent implementations of the rules (C1–C26, F1–F12, M1–M13, R5, R6)."""

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

from diamonds.game import GAMES
from tests.support.positions import game_of, new_game, seen_events, set_fields, state_data
from tests.support.reference_rules import (
    CrystalsReferee,
    EventTeller,
    FourteenReferee,
    MinesReferee,
    OpenQuestion,
    Referee,
)
from tests.support.sample_sizes import short_or_long

CRYSTALS, FOURTEEN, MINES = GAMES["crystals"], GAMES["fourteen"], GAMES["mines"]


def compare(state: np.void, asks: OpenQuestion, seed: str) -> None:
    """Compare the open question, the seats to act and their legal answers."""
    game = game_of(state)
    question, seats, legal = asks
    assert (game.question(state).name, game.to_act(state)) == (question, seats), seed
    for seat in seats:
        assert {str(answer) for answer in game.legal(state, seat)} == legal[seat], f"{seed}: {question} of seat {seat}"


def answer_both(
    state: np.void, rules: Referee, referee: EventTeller, seat: int, answer: str, seed: str
) -> OpenQuestion | None:
    """Give an answer to the game and the reference, compare their events, and return the reference's next question."""
    referee.events.clear()
    told = seen_events(state, game_of(state).apply_answer(state, seat, answer))
    asks = next_question(rules, (seat, answer))
    assert told == referee.events, seed
    return asks


def next_question(referee: Referee, answer: tuple[int, str] | None) -> OpenQuestion | None:
    """Return the reference's next question; none at the end of a hand or game."""
    try:
        return next(referee) if answer is None else referee.send(answer)
    except StopIteration:
        return None


THIEF, PARTNERS = {"thief": True}, {"partnership": True}


@pytest.mark.parametrize("supply", [None, 9], ids=["", "short"])
@pytest.mark.parametrize(("seats", "options"), [
    *((2, {}), (2, {"two_cards": False}), (2, {"perfect": True}), (2, {"perfect": True, "two_cards": False})),
    *((3, {}), (3, {"pass_to": "rotating", "perfect": True}), (3, THIEF), (4, {"pass_to": "rotating"}), (4, PARTNERS)),
    *((4, PARTNERS | THIEF | {"team_start": 3, "perfect": True}), (5, {"pass_to": "rotating"} | THIEF)),
    *((5, {"perfect": True}), (6, {}), (6, {"pass_to": "rotating"}), (6, PARTNERS), (6, PARTNERS | THIEF)),
])  # fmt: skip
def test_c1_to_c26_whole_games_match_the_reference_rules(seats, options, supply):
    seed = f"{seats} {options} {supply}"
    rng = random.Random(seed)
    options = CRYSTALS.check_options(seats, options | {"rounds": rng.randrange(2, seats + 2)})
    state = new_game("crystals", seats, options, first=rng.randrange(seats))
    referee = CrystalsReferee(seats, (int(state["dealer"]) + 1) % seats, options)
    assert state["supply"] == referee.supply, f"{seed} (C2, C26)"
    if supply:
        set_fields(state, supply=supply)
        referee.supply = supply
    for number in range(1, options["rounds"] + 1):
        assert CRYSTALS.needs_deal(state), f"{seed}: expected round {number} (C5)"
        deck = rng.sample(referee.pack(), len(referee.pack()))
        events = seen_events(state, CRYSTALS.deal(state, [CRYSTALS.card_names.index(card) for card in deck]))
        assert events[-1] == {"event": "dealt", "dealer": referee.dealer, "round": number}, f"{seed} (C6)"
        hand = referee.deal(deck)
        asks = next_question(hand, None)
        while asks:
            compare(state, asks, seed)
            compare_crystals(state, referee, seed)
            seat = rng.choice(asks[1])
            answer = rng.choice(sorted(asks[2][seat]))
            asks = answer_both(state, hand, referee, seat, answer, seed)
        compare_crystals(state, referee, seed)
    result = CRYSTALS.result(state)
    assert state["over"], f"{seed}: expected the end after {options['rounds']} rounds (C5)"
    assert result["winners"] == referee.winners(), f"{seed} (C21)"
    assert result["scores"] == [2 * referee.vault[team] + referee.showroom[team] for team in referee.team], seed


def compare_crystals(state: np.void, referee: CrystalsReferee, seed: str) -> None:
    """Compare the crystals, the cards and the trick on the table."""
    data, team = state_data(state), referee.team
    assert data["supply"] == referee.supply, seed
    assert data["vault"] == [referee.vault[of] for of in team], seed
    assert data["showroom"] == [referee.showroom[of] for of in team], seed
    assert [sorted(hand) for hand in data["hand"]] == [sorted(hand) for hand in referee.hands], seed
    assert sorted(data["aside"]) == sorted(referee.aside), f"{seed} (C7, C24)"
    assert [set(void) for void in data["void"]] == referee.voids, f"{seed} (C12)"
    assert data["tricks"] == referee.tricks, seed
    assert data["taken"] == [[sum(c[0] == suit for c in referee.taken[of]) for suit in "DHSC"] for of in team], seed
    assert (data["trick"], data["taker"], data["thief_at"]) == (referee.trick, referee.taker, referee.thief), seed
    if any(referee.tricks):
        assert (data["last_trick"], data["last_leader"], data["last_winner"]) == referee.last, seed


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
@pytest.mark.parametrize("match", ["last", "last_two"])
@pytest.mark.parametrize("scoring", ["diamonds", "tricks", "aloud", "sealed"])
def test_f1_to_f12_whole_games_match_the_reference_rules(seats, match, scoring):
    options: dict[str, Any] = {"match": match, "scoring": scoring}
    if scoring in ("aloud", "sealed"):
        options |= {"scoring": "bid", "bids": scoring}
    seed = f"{seats} {options}"
    rng = random.Random(seed)
    options["target"] = rng.randrange(5, 20)
    state = new_game("fourteen", seats, options, first=rng.randrange(seats))
    first = (int(state["dealer"]) + 1) % seats
    referee = FourteenReferee(
        seats, first, 2 if match == "last_two" else 1, options["scoring"], scoring == "sealed", options["target"]
    )
    while referee.winner is None:
        assert FOURTEEN.needs_deal(state), f"{seed}: expected no end at {referee.totals} (F8, F12)"
        deck = rng.sample(range(52), 52)
        FOURTEEN.deal(state, deck)
        hand = referee.deal([FOURTEEN.card_names[card] for card in deck])
        asks = next_question(hand, None)
        while asks:
            compare(state, asks, seed)
            seat = rng.choice(asks[1])
            answer = str(rng.randrange(4)) if asks[0] == "bid" else rng.choice(sorted(asks[2][seat]))
            asks = answer_both(state, hand, referee, seat, answer, seed)
            compare_fourteen(state, referee, seed)
        assert state_data(state, -1)["totals"] == referee.totals, f"{seed} (F8, F10, F11)"
    assert FOURTEEN.result(state)["winners"] == [referee.winner], f"{seed}: {referee.totals} (F8)"


def compare_fourteen(state: np.void, referee: FourteenReferee, seed: str) -> None:
    """Compare the cards, the bids and the trick on the table."""
    data = state_data(state)
    assert [sorted(hand) for hand in data["hand"]] == [sorted(hand) for hand in referee.hands], seed
    assert sorted(data["aside"]) == sorted(referee.aside), f"{seed} (F3)"
    assert [set(void) for void in data["void"]] == referee.voids, f"{seed}: the voids differ (F5)"
    assert (data["trick"], data["suit"], data["turned"]) == (referee.cards, referee.suit, referee.fourteens), seed
    if referee.scoring == "bid":
        assert data["bid"] == [None if bid < 0 else bid for bid in referee.bids], f"{seed} (F10)"
    if referee.last:
        assert (data["last_trick"], data["last_leader"], data["last_winner"]) == referee.last, seed
        assert (data["taken"], data["tricks"]) == (referee.taken, referee.tricks), seed


def pick_active_answer(rng: random.Random, answers: set[str], keenness: float) -> str:
    """Return a random answer; with probability ``keenness`` one that does something, if there is any."""
    doing = sorted(answers - {"pass", "skip", "end", "decline"})
    return rng.choice(doing if doing and rng.random() < keenness else sorted(answers))


@pytest.mark.parametrize(("defence", "impossible"), [
    ("any", "cards"),
    pytest.param("ranked", "cards", marks=pytest.mark.later),
    pytest.param("any", "seen", marks=pytest.mark.later),
])  # fmt: skip
@short_or_long("games", 30, 60)
def test_m1_to_m13_whole_games_match_the_reference_rules(defence, impossible, games):
    met: Counter[str] = Counter()
    for seed in range(games):
        met.update(play_mines_with_referee(seed, defence, impossible))
    # The games together must meet every case, so that the test stays meaningful.
    everything = {question.name for question in MINES.questions} | {"seven", "barred", "idle", "draw", "known"}
    assert everything <= set(met), f"never met: {everything - set(met)}"


def play_mines_with_referee(seed: int, defence: str, impossible: str) -> list[str]:
    """Play one random game; return the questions and the ending that occurred."""
    rng = random.Random(f"{seed} {defence} {impossible}")
    state = new_game("mines", 2, {"defence": defence, "impossible": impossible}, first=rng.randrange(2))
    deck, keenness = rng.sample(range(52), 52), rng.choice([0.0, 0.5, 0.8, 0.95, 1.0])
    MINES.deal(state, deck)
    names = [MINES.card_names[card] for card in deck]
    piles = [names[4 * k : 4 * k + 4] for k in range(13)]
    referee = MinesReferee(int(state["first"]), piles, defence == "ranked", impossible == "seen")
    game = referee.game()
    asks, met, previous = next_question(game, None), [], ""
    told = f"game {seed} with {defence} defence, impossible by {impossible}"
    while asks:
        assert not state["over"], f"{told}: expected the game to go on"
        compare(state, asks, told)
        question, (seat,), legal = asks
        if question == "claim" or (question == "turn" and previous != "claim"):
            barred = [who for who in (0, 1) if referee.is_barred(who)]
            assert not barred, f"{told}: another turn proves that both can still get seven (M11, R6)"
        previous = question
        met.append(question)
        answer = pick_active_answer(rng, legal[seat], keenness)
        asks = answer_both(state, game, referee, seat, answer, told)
        data = state_data(state)
        assert data["owner"] == [referee.owner.get(pile) for pile in range(13)], told
        assert [sorted(hand) for hand in data["hand"]] == [sorted(hand) for hand in referee.hands], told
        assert data["hand_size"] == [len(hand) for hand in referee.hands], told
        assert data["left"] == [len(pile) for pile in referee.piles], told
        assert [set(cards) for cards in data["known"]] == referee.known, f"{told}: the known cards differ (M2)"
        elsewhere = {card for cards in (*referee.piles, *referee.hands) for card in cards}
        assert set(data["discards"]) == set(names) - elsewhere, f"{told}: expected public discards (M2)"
        assert not [card for card in data["discards"] if card[0] == "D"], f"{told}: a ♦ was discarded (M13)"
        met += ["known"] * any(referee.known)
    result = MINES.result(state)
    ending = {1: "seven", 2: "barred", 3: "idle"}[int(state["ending"])]
    assert state["over"], f"{told}: expected the end"
    assert (ending, result["winners"]) == (referee.ending, referee.winners), f"{told} (M10–M12)"
    assert result["scores"] == [referee.diamond_count(0), referee.diamond_count(1)], told
    return [*met, ending, *(["draw"] if len(referee.winners) == 2 else [])]
