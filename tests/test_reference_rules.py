"""Whole games of fourteen and mines compared with independent implementations of the rules (F1–F12, M1–M13, R5, R6)."""

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

from diamonds.game import GAMES
from tests.support.positions import new_game, state_data
from tests.support.reference_rules import FourteenReferee, MinesReferee, OpenQuestion, Referee
from tests.support.sample_sizes import short_or_long

FOURTEEN, MINES = GAMES["fourteen"], GAMES["mines"]


def compare(state: np.void, asks: OpenQuestion, seed: str) -> None:
    """Compare the open question, the seats to act and their legal answers."""
    game = GAMES["fourteen"] if state.dtype == FOURTEEN.dtype else MINES
    question, seats, legal = asks
    assert (game.question(state).name, game.to_act(state)) == (question, seats), seed
    for seat in seats:
        assert {str(answer) for answer in game.legal(state, seat)} == legal[seat], f"{seed}: {question} of seat {seat}"


def next_question(referee: Referee, answer: tuple[int, str] | None) -> OpenQuestion | None:
    """Return the reference's next question; none at the end of a hand or game."""
    try:
        return next(referee) if answer is None else referee.send(answer)
    except StopIteration:
        return None


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
@pytest.mark.parametrize("match", ["last", "last_two"])
@pytest.mark.parametrize("scoring", ["diamonds", "tricks", "aloud", "sealed"])
def test_f1_to_f12_whole_games_match_the_reference_rules(seats, match, scoring):
    options: dict[str, Any] = {"match": match, "scoring": scoring, "target": 12}
    if scoring in ("aloud", "sealed"):
        options |= {"scoring": "bid", "bids": scoring}
    seed = f"{seats} {options}"
    rng = random.Random(seed)
    state = new_game("fourteen", seats, options, first=rng.randrange(seats))
    first = (int(state["dealer"]) + 1) % seats
    referee = FourteenReferee(
        seats, first, 2 if match == "last_two" else 1, options["scoring"], scoring == "sealed", 12
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
            FOURTEEN.apply_answer(state, seat, answer)
            asks = next_question(hand, (seat, answer))
            if asks:
                voids = [sum(1 << "DHSC".index(suit) for suit in void) for void in referee.voids]
                assert state["void"][:seats].tolist() == voids, f"{seed}: the voids differ (F5)"
        assert state_data(state, -1)["totals"] == referee.totals, f"{seed} (F8, F10, F11)"
    assert FOURTEEN.result(state)["winners"] == [referee.winner], f"{seed}: {referee.totals} (F8)"


def pick_active_answer(rng: random.Random, answers: set[str], keenness: float) -> str:
    """Return a random answer, which does something with the player's probability."""
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
        MINES.apply_answer(state, seat, answer)
        asks = next_question(game, (seat, answer))
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
