"""Hooks of level 5 in mines: playing styles, beliefs about hands, dealt worlds and winning raids."""

import itertools
from collections import Counter
from math import comb

import numpy as np
import pytest

from diamonds import cards, fields, jit
from diamonds.bots import kernels
from diamonds.bots.bot import bot_view
from diamonds.bots.games.adapter import NO_PLAN
from diamonds.bots.games.mines import hand_beliefs, heuristics, search_hooks, weighted_policy, world_sampling
from diamonds.bots.levels import LEVELS, LevelBot
from diamonds.bots.search import search
from diamonds.game import GAMES
from diamonds.rules import mines
from tests.support.mines_positions import bare_position
from tests.support.random_games import new_random_game, play_random

pytestmark = pytest.mark.kernels

MINES = GAMES["mines"]
SUITS = np.array([(1 << 13) - 1 << 13 * suit for suit in range(4)])


def test_mines_style_answers_legally_and_alike_on_view_and_state():
    """The styles in use, and styles with random weights that include every feature."""
    rng, asked = np.random.default_rng(2), Counter()
    any_weights = [
        weighted_policy.weight_vector(**{name: rng.normal() for name in weighted_policy.TUNED_BY_NAME})
        for _ in range(27)
    ]
    styles = [*search_hooks.OPPONENT_STYLES, *any_weights]
    for style in styles:
        state = new_random_game(MINES, 2, {}, rng)
        for seat in play_random(MINES, state, rng):
            answer, legal = weighted_policy.weighted_answer(state, seat, style), int(MINES.rules.legal(state, seat))
            assert legal >> answer & 1, f"{answer} is not legal at {MINES.question(state).name}"
            assert answer == weighted_policy.weighted_answer(bot_view(MINES, state, seat).row, seat, style), (
                "the answer depends on hidden cards"
            )
            asked[MINES.question(state).name] += 1
            if rng.random() < 0.2:
                answer = int(rng.choice(list(cards.iter_bits(legal))))
            MINES.rules.step(state, seat, answer, None)
    assert set(asked) == {question.name for question in MINES.questions}


def test_plain_style_is_the_simple_policy_but_for_the_rank_of_a_card():
    """The style answers as `simple` does, or with another card of the suit. Some worlds have such an opponent."""
    rng, same, differing = np.random.default_rng(3), 0, Counter()
    for _ in range(30):
        state = new_random_game(MINES, 2, {}, rng)
        for seat in play_random(MINES, state, rng):
            answer = int(heuristics.heuristic_answer(state, seat, NO_PLAN))
            found = int(weighted_policy.weighted_answer(state, seat, weighted_policy.PLAIN_WEIGHTS))
            name = MINES.question(state).name
            alike = found == answer or (name in ("give", "defend") and found // 13 == answer // 13)
            same += alike
            differing[name] += not alike
            if rng.random() < 0.1:
                answer = int(rng.choice(list(cards.iter_bits(MINES.rules.legal(state, seat)))))
            MINES.rules.step(state, seat, answer, None)
    assert differing.total() < same / 200, f"{differing} of {same} answers differ"


def enumerated_hands(
    row: np.void, other: int, unseen: int, size: int, beliefs: np.ndarray
) -> dict[tuple[int, ...], float]:
    """Return the possible hands by suit, and their probabilities."""
    ways, upto = np.zeros((hand_beliefs.MAX_SUIT_HANDS, 4), np.int64), np.zeros(hand_beliefs.MAX_SUIT_HANDS)
    number = hand_beliefs.suit_hands(row, other, unseen, size, beliefs, ways, upto)
    chances = np.diff(upto[:number], prepend=0.0) / upto[number - 1]
    return {tuple(way): float(chance) for way, chance in zip(ways[:number].tolist(), chances, strict=True)}


def test_hand_without_beliefs_has_the_probability_of_an_even_deal():
    row, unseen, size = fields.new_state(MINES.dtype), 0b111 | 0b11 << 13 | 0b1 << 26 | 0b11 << 39, 4
    found = enumerated_hands(row, 1, unseen, size, np.ones_like(hand_beliefs.SUIT_FACTORS))
    drawn = Counter(
        tuple(cards.count(sum(1 << card for card in hand) & int(suit)) for suit in SUITS)
        for hand in itertools.combinations(cards.iter_bits(unseen), size)
    )
    assert set(found) == set(drawn)
    for way, number in drawn.items():
        assert found[way] == pytest.approx(number / comb(8, size))


def test_beliefs_weigh_every_card_of_a_suit_and_having_any():
    """The factors depend on the suit, on the seat to act, and on whether the other seat can use the suit now."""
    state = new_random_game(MINES, 2, {}, np.random.default_rng(0))
    MINES.rules.deal(state, np.arange(52), None)
    other = 1 - int(state["turn"])
    unseen, size = (1 << 52) - 1, 3
    even = enumerated_hands(state, other, unseen, size, np.ones_like(hand_beliefs.SUIT_FACTORS))
    for suit in (1, 2, 3):
        # at the start the other seat can grow and dig, but there is no adjacent pile to fight for
        able = int(suit != 3)
        assert hand_beliefs.can_use_suit(state, other, suit) == able
        beliefs = np.ones_like(hand_beliefs.SUIT_FACTORS)
        beliefs[0, able, suit - 1] = [0.5, 3.0]
        beliefs[1] = beliefs[0, 1 - able] = 7.0  # not compared
        beliefs[0, 1 - able, suit - 1] = 7.0
        for more in {1, 2, 3} - {suit}:
            beliefs[0, :, more - 1] = 1.0
        found = enumerated_hands(state, other, unseen, size, beliefs)
        none = tuple(3 if k == 0 else 0 for k in range(4))
        for way, chance in found.items():
            expected = even[way] / even[none] * 0.5 ** way[suit] * (3.0 if way[suit] else 1.0)
            assert chance / found[none] == pytest.approx(expected), f"expected {way} as often as believed"


def test_world_is_drawn_by_the_chances_of_hands_and_evenly_within_a_suit():
    compiled = jit.compiled_for_modules(world_sampling, weighted_policy, hand_beliefs, search_hooks)
    draw_hand, bury = search_hooks.sample_hand, world_sampling.fill_piles

    @compiled
    def deal(rows, unseen, ways, upto, number, rng, drawn, tops):
        deck = np.zeros(52, np.int64)
        for k in range(len(drawn)):
            drawn[k] = draw_hand(unseen, ways, upto, number, rng)
            bury(rows[0], unseen & ~drawn[k], deck, rng)
            tops[k] = rows[0]["piles"][0]

    rows = jit.as_row_array(fields.new_state(MINES.dtype))
    rows[0]["left"][0] = 4
    unseen = 0b111 | 0b11 << 13 | 0b1 << 26 | 0b11 << 39
    ways, upto = np.zeros((hand_beliefs.MAX_SUIT_HANDS, 4), np.int64), np.zeros(hand_beliefs.MAX_SUIT_HANDS)
    beliefs = np.full_like(hand_beliefs.SUIT_FACTORS, 0.6)
    number = hand_beliefs.suit_hands(rows[0], 1, unseen, 4, beliefs, ways, upto)
    drawn, tops = np.zeros(40_000, np.int64), np.zeros((40_000, 4), np.int64)
    deal(rows, unseen, ways, upto, number, jit.new_rng(1), drawn, tops)
    expected = enumerated_hands(rows[0], 1, unseen, 4, beliefs)
    found = Counter(tuple(cards.count(int(hand) & int(suit)) for suit in SUITS) for hand in drawn.tolist())
    for way, chance in expected.items():
        assert found[way] == pytest.approx(40_000 * chance, abs=5 * (40_000 * chance) ** 0.5 + 5), f"{way} frequency"
    for card in cards.iter_bits(unseen & int(SUITS[0])):
        share = np.mean(drawn >> card & 1) / np.mean([drawn >> other & 1 for other in range(3)])
        assert share == pytest.approx(1, abs=0.05), "one card of a suit is dealt more often than another"
    for hand, pile in zip(drawn.tolist(), tops.tolist(), strict=True):
        assert sum(1 << card for card in pile) == unseen & ~hand, "expected the remaining cards in the piles"
    tops_of = Counter(tops[drawn == drawn[0]][:, 0].tolist())
    assert min(tops_of.values()) > 0.7 * max(tops_of.values()), "a card is on top too often"


def raid_or_conquer(given: str) -> np.void:
    """Seat 0 holds six ♦ and has won a fight for one of seat 1's two piles. Seat 1's only card came from seat 0."""
    piles = {0: "DK C9", 1: "C5 H3 C2", 12: "S3 S2" if given == "D8" else "S3 S2 D8"}
    return bare_position(
        "spoils", piles=piles, other_piles="1 12", hands={0: "D2 D3 D4 D5 D6 D7", 1: given}, known={0: given},
        attacked=1, attack="CK", busy=1, turns=30,
    )  # fmt: skip


def test_m9_raid_for_a_known_seventh_diamond_is_chosen():
    kernels.load(MINES)
    conquer, raid = 0, 1
    for given, best in (("D8", raid), ("S9", conquer)):
        state = raid_or_conquer(given)
        effort = search_hooks.SEARCH_PARAMS._replace(max_worlds=256)
        found = search.compare_candidates(MINES, bot_view(MINES, state, 0).row, 0, [conquer, raid], effort, 3)
        assert found.best_index == best, f"the other seat is known to hold {given}: {found}"
        if best == raid:
            assert found.values[raid] > 0.95, "expected the raid for the seventh ♦"


def test_equivalent_answers_are_tried_once_and_diamonds_given_last():
    rng, seen = np.random.default_rng(5), Counter()
    for _ in range(30):
        state = new_random_game(MINES, 2, {}, rng)
        for seat in play_random(MINES, state, rng):
            row, legal = bot_view(MINES, state, seat).row, int(MINES.rules.legal(state, seat))
            habit, name = (
                int(weighted_policy.weighted_answer(row, seat, weighted_policy.TUNED_WEIGHTS)),
                MINES.question(state).name,
            )
            found = search.candidates_of(MINES, row, seat, game_specific=True)
            assert habit in found
            assert all(legal >> candidate & 1 for candidate in found)
            if name == "dig":
                assert sum(candidate > mines.SKIP for candidate in found) == (legal >> mines.SKIP + 1 != 0)
                assert {c for c in found if c <= mines.SKIP} == set(cards.iter_bits(legal & (1 << mines.SKIP + 1) - 1))
            elif name == "give":
                suits = {card // 13 for card in cards.iter_bits(legal)}
                assert sorted(card // 13 for card in found) == sorted(suits - {0} or suits), "expected each suit once"
            elif name in ("grow", "defend", "fight_card"):
                assert (mines.NO_CARD in found) == bool(legal >> mines.NO_CARD & 1)
                assert {c // 13 for c in found} == {c // 13 for c in cards.iter_bits(legal)}
                assert len(found) <= 3
            else:
                assert found == list(cards.iter_bits(legal))
            seen[name] += 1
            MINES.rules.step(state, seat, int(rng.choice(list(cards.iter_bits(legal)))), None)
    assert set(seen) == {question.name for question in MINES.questions}


def test_mines_levels_search_reproducibly_except_the_lowest():
    kernels.load(MINES)
    rng = np.random.default_rng(6)
    state = new_random_game(MINES, 2, {}, rng)
    seats = play_random(MINES, state, rng)
    seat = next(seats)
    row = bot_view(MINES, state, seat).row
    effort = search_hooks.SEARCH_PARAMS._replace(max_worlds=300)
    assert search.search(MINES, row, seat, effort, 5) == search.search(MINES, row, seat, effort, 5)
    efforts = [LevelBot(level).search_params(MINES) for level in LEVELS]
    assert [effort.game_specific for effort in efforts] == [False, True, True, True, True]
    assert [effort.max_worlds for effort in efforts[1:]] == [144, 360, 720, search_hooks.SEARCH_PARAMS.max_worlds]


def test_view_of_a_finished_game_gets_an_error(monkeypatch):
    monkeypatch.setattr(search, "compiled_decide", lambda game: lambda *_: (2, -1, -1))
    state = raid_or_conquer("S9")
    with pytest.raises(ValueError, match="no world fits it"):
        search.compare_candidates(MINES, bot_view(MINES, state, 0).row, 0, [0, 1], search_hooks.SEARCH_PARAMS, 3)
