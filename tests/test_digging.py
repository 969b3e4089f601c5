"""Level 5 of mines: its styles play by the rules, what it takes to be likely are chances, and it sees what wins."""

from __future__ import annotations

import itertools
from collections import Counter
from math import comb

import numpy as np
import pytest

from diamonds import cards, fields, jit
from diamonds.bots import kernels
from diamonds.bots.bot import see
from diamonds.bots.knowing.contract import AS_IT_COMES
from diamonds.bots.knowing.mines import digging, likely, thumb, weights, worlds
from diamonds.bots.levels import LEVELS, LevelBot
from diamonds.bots.thinking import search
from diamonds.game import GAMES
from diamonds.lab import arena
from diamonds.rules import mines
from random_games import asked_in, new_game
from tables import sort_piles

pytestmark = pytest.mark.kernels

MINES = GAMES["mines"]
SUITS = np.array([(1 << 13) - 1 << 13 * suit for suit in range(4)])


def test_a_style_answers_legally_and_alike_on_a_view_and_on_the_truth() -> None:
    """The styles that are used, and some with any weights, so that whatever could be looked at counts."""
    rng, asked = np.random.default_rng(2), Counter()
    any_weights = [weights.style(**{name: rng.normal() for name in weights.WEIGHTS}) for _ in range(27)]
    styles = [*digging.STYLES, *any_weights]
    for style in styles:
        state = new_game(MINES, 2, {}, rng)
        for seat in asked_in(MINES, state, rng):
            answer, legal = weights.choose(state, seat, style), int(MINES.rules.legal(state, seat))
            assert legal >> answer & 1, f"{answer} is not legal at {MINES.question(state).name}"
            assert answer == weights.choose(see(MINES, state, seat).row, seat, style), "it looked at hidden cards"
            asked[MINES.question(state).name] += 1
            if rng.random() < 0.2:
                answer = int(rng.choice(list(cards.members(legal))))
            MINES.rules.step(state, seat, answer, None)
    assert set(asked) == {question.name for question in MINES.questions}


def test_the_plain_style_is_the_simple_policy_but_for_the_rank_of_a_card() -> None:
    """So that the other is thought to play, in some worlds, as `simple` does: the same answer, or a card of the same suit."""
    rng, same, differing = np.random.default_rng(3), 0, Counter()
    for _ in range(30):
        state = new_game(MINES, 2, {}, rng)
        for seat in asked_in(MINES, state, rng):
            answer = int(thumb.choose(state, seat, AS_IT_COMES))
            found = int(weights.choose(state, seat, weights.PLAIN))
            name = MINES.question(state).name
            alike = found == answer or (name in ("give", "defend") and found // 13 == answer // 13)
            same += alike
            differing[name] += not alike
            if rng.random() < 0.1:
                answer = int(rng.choice(list(cards.members(MINES.rules.legal(state, seat)))))
            MINES.rules.step(state, seat, answer, None)
    assert differing.total() < same / 200, f"{differing} of {same} differ"


def listed(row: np.void, other: int, unseen: int, size: int, beliefs: np.ndarray) -> dict[tuple[int, ...], float]:
    """The hands by suits and their chances."""
    ways, upto = np.zeros((likely.LONGEST, 4), np.int64), np.zeros(likely.LONGEST)
    number = likely.hands(row, other, unseen, size, beliefs, ways, upto)
    chances = np.diff(upto[:number], prepend=0.0) / upto[number - 1]
    return {tuple(way): float(chance) for way, chance in zip(ways[:number].tolist(), chances, strict=True)}


def test_without_beliefs_a_hand_by_suits_is_as_likely_as_an_even_deal_makes_it() -> None:
    row, unseen, size = fields.new_state(MINES.dtype), 0b111 | 0b11 << 13 | 0b1 << 26 | 0b11 << 39, 4
    found = listed(row, 1, unseen, size, np.ones_like(likely.BELIEFS))
    drawn = Counter(
        tuple(cards.count(sum(1 << card for card in hand) & int(suit)) for suit in SUITS)
        for hand in itertools.combinations(cards.members(unseen), size)
    )
    assert set(found) == set(drawn)
    for way, number in drawn.items():
        assert found[way] == pytest.approx(number / comb(8, size))


def test_beliefs_weigh_every_card_of_a_suit_and_having_any() -> None:
    """The factors are those for the suit, for whose turn it is, and for whether the other can use it now."""
    state = new_game(MINES, 2, {}, np.random.default_rng(0))
    MINES.rules.deal(state, np.arange(52), None)
    other = 1 - int(state["turn"])
    unseen, size = (1 << 52) - 1, 3
    even = listed(state, other, unseen, size, np.ones_like(likely.BELIEFS))
    for suit in (1, 2, 3):
        able = int(suit != 3)  # at the start the other can grow and dig, and has nobody beside it to fight
        assert likely.usable(state, other, suit) == able
        beliefs = np.ones_like(likely.BELIEFS)
        beliefs[0, able, suit - 1] = [0.5, 3.0]
        beliefs[1] = beliefs[0, 1 - able] = 7.0  # not looked at
        beliefs[0, 1 - able, suit - 1] = 7.0
        for more in {1, 2, 3} - {suit}:
            beliefs[0, :, more - 1] = 1.0
        found = listed(state, other, unseen, size, beliefs)
        none = tuple(3 if k == 0 else 0 for k in range(4))
        for way, chance in found.items():
            expected = even[way] / even[none] * 0.5 ** way[suit] * (3.0 if way[suit] else 1.0)
            assert chance / found[none] == pytest.approx(expected), f"{way} is not as likely as believed"


def test_a_world_is_drawn_by_the_chances_of_hands_and_evenly_within_a_suit() -> None:
    compiled = jit.compiled_with(worlds, weights, likely, digging)
    draw_hand, bury = digging.draw_hand, worlds.bury

    @compiled
    def deal(rows, unseen, ways, upto, number, rng, drawn, tops):
        deck = np.zeros(52, np.int64)
        for k in range(len(drawn)):
            drawn[k] = draw_hand(unseen, ways, upto, number, rng)
            bury(rows[0], unseen & ~drawn[k], deck, rng)
            tops[k] = rows[0]["piles"][0]

    rows = jit.as_rows(fields.new_state(MINES.dtype))
    rows[0]["left"][0] = 4
    unseen = 0b111 | 0b11 << 13 | 0b1 << 26 | 0b11 << 39
    ways, upto = np.zeros((likely.LONGEST, 4), np.int64), np.zeros(likely.LONGEST)
    beliefs = np.full_like(likely.BELIEFS, 0.6)
    number = likely.hands(rows[0], 1, unseen, 4, beliefs, ways, upto)
    drawn, tops = np.zeros(40_000, np.int64), np.zeros((40_000, 4), np.int64)
    deal(rows, unseen, ways, upto, number, jit.new_rng(1), drawn, tops)
    expected = listed(rows[0], 1, unseen, 4, beliefs)
    found = Counter(tuple(cards.count(int(hand) & int(suit)) for suit in SUITS) for hand in drawn.tolist())
    for way, chance in expected.items():
        assert found[way] == pytest.approx(40_000 * chance, abs=5 * (40_000 * chance) ** 0.5 + 5), (
            f"{way} comes unevenly"
        )
    for card in cards.members(unseen & int(SUITS[0])):
        share = np.mean(drawn >> card & 1) / np.mean([drawn >> other & 1 for other in range(3)])
        assert share == pytest.approx(1, abs=0.05), "one card of a suit comes more often than another"
    for hand, pile in zip(drawn.tolist(), tops.tolist(), strict=True):
        assert sum(1 << card for card in pile) == unseen & ~hand, "the piles hold other cards than are left"
    tops_of = Counter(tops[drawn == drawn[0]][:, 0].tolist())
    assert min(tops_of.values()) > 0.7 * max(tops_of.values()), "a card lies on top too often"


def raid_or_conquer(given: str) -> np.void:
    """Seat 0 holds six ♦ and has won a fight for one of seat 1's two piles; seat 1 holds one card, which seat 0 gave it."""
    number = {name: k for k, name in enumerate(MINES.names)}
    state = new_game(MINES, 2, {}, np.random.default_rng(0))
    state["first"] = state["turn"] = 0
    MINES.rules.deal(state, np.arange(52), None)
    state["owner"][:2] = 1 << 0, 1 << 1 | 1 << 12
    state["hand"][0] = sum(1 << number[name] for name in "D2 D3 D4 D5 D6 D7".split())
    state["hand"][1] = state["known"][0] = 1 << number[given]
    state["hand_size"][:2] = 6, 1
    state["left"][:], state["piles"][:] = 0, -1
    hidden = [number[name] for name in "S2 S3 C2 H3 C5 C9".split() + [n for n in ("D8", "DK") if n != given]]
    for pile, left in ((0, 2), (1, 3), (12, len(hidden) - 5)):
        state["left"][pile] = left
        for k in range(4 - left, 4):
            state["piles"][pile, k] = hidden.pop()
    sort_piles(state)
    gone = (1 << 52) - 1 & ~int(state["hand"][0] | state["hand"][1])
    for card in state["piles"][state["piles"] >= 0].tolist():
        gone &= ~(1 << card)
    state["discards"] = gone
    state["busy"], state["turns"] = 1, 30
    state["attacked"], state["attack"] = 1, number["CK"]
    state["question"], state["to_act"] = mines.SPOILS, 1
    return state


def test_m9_a_raid_for_a_card_that_is_known_to_be_the_seventh_diamond_is_chosen() -> None:
    kernels.load(MINES)
    conquer, raid = 0, 1
    for given, best in (("D8", raid), ("S9", conquer)):
        state = raid_or_conquer(given)
        effort = digging.EFFORT._replace(worlds=256)
        found = search.compare(MINES, see(MINES, state, 0).row, 0, [conquer, raid], effort, 3)
        assert found.best == best, f"the other is known to hold {given}: {found}"
        if best == raid:
            assert found.worth[raid] > 0.95, "seven ♦ win"


def test_answers_that_hardly_differ_are_tried_once_and_a_diamond_is_given_only_if_there_is_nothing_else() -> None:
    rng, seen = np.random.default_rng(5), Counter()
    for _ in range(30):
        state = new_game(MINES, 2, {}, rng)
        for seat in asked_in(MINES, state, rng):
            row, legal = see(MINES, state, seat).row, int(MINES.rules.legal(state, seat))
            habit, name = int(weights.choose(row, seat, weights.TUNED)), MINES.question(state).name
            found = search.candidates_of(MINES, row, seat, own_way=True)
            assert habit in found
            assert all(legal >> candidate & 1 for candidate in found)
            if name == "dig":
                assert sum(candidate > mines.SKIP for candidate in found) == (legal >> mines.SKIP + 1 != 0)
                assert {c for c in found if c <= mines.SKIP} == set(cards.members(legal & (1 << mines.SKIP + 1) - 1))
            elif name == "give":
                suits = {card // 13 for card in cards.members(legal)}
                assert sorted(card // 13 for card in found) == sorted(suits - {0} or suits), "not one card of each suit"
            elif name in ("grow", "defend", "fight_card"):
                assert (mines.NO_CARD in found) == bool(legal >> mines.NO_CARD & 1)
                assert {c // 13 for c in found} == {c // 13 for c in cards.members(legal)}
                assert len(found) <= 3
            else:
                assert found == list(cards.members(legal))
            seen[name] += 1
            MINES.rules.step(state, seat, int(rng.choice(list(cards.members(legal)))), None)
    assert set(seen) == {question.name for question in MINES.questions}


def test_all_but_the_lowest_level_of_mines_think_so_and_alike_for_the_same_seed() -> None:
    kernels.load(MINES)
    rng = np.random.default_rng(6)
    state = new_game(MINES, 2, {}, rng)
    seats = asked_in(MINES, state, rng)
    seat = next(seats)
    row = see(MINES, state, seat).row
    effort = digging.EFFORT._replace(worlds=300)
    assert search.search(MINES, row, seat, effort, 5) == search.search(MINES, row, seat, effort, 5)
    efforts = [LevelBot(level).effort(MINES) for level in LEVELS]
    assert [effort.own_way for effort in efforts] == [False, True, True, True, True]
    assert [effort.worlds for effort in efforts[1:]] == [144, 360, 720, digging.EFFORT.worlds]


def test_a_view_of_no_game_that_goes_on_is_refused_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "thinker", lambda game: lambda *_: (2, -1, -1))
    state = raid_or_conquer("S9")
    with pytest.raises(ValueError, match="nothing fits it"):
        search.compare(MINES, see(MINES, state, 0).row, 0, [0, 1], digging.EFFORT, 3)


@pytest.mark.slow
def test_level_5_of_mines_beats_the_simple_policy() -> None:
    result, _ = arena.run(arena.Match("mines", ("5", "simple"), {}, 17), 20, processes=1)
    margin = result.line("5").margin
    assert margin.mean > margin.plus_minus, f"a margin of {margin} is not clearly above 0"


@pytest.mark.slow
def test_level_3_of_mines_is_not_below_the_simple_policy() -> None:
    result, _ = arena.run(arena.Match("mines", ("3", "simple"), {}, 911), 20, processes=1)
    margin = result.line("3").margin
    assert margin.mean > 0, f"level 3 lost to rules of thumb, by {-margin.mean:.2f}"
