"""Sampled worlds agree with everything that a seat has seen, could be true, and are uniformly distributed."""

import itertools
from collections import Counter
from collections.abc import Iterator

import numpy as np
import pytest

from diamonds import cards, fields
from diamonds.bots import games
from diamonds.bots.bot import bot_view
from diamonds.bots.games.adapter import HOLDER_COUNT, SET_ASIDE, JudgeParams, SearchParams
from diamonds.bots.games.mines.world_sampling import is_consistent
from diamonds.bots.search import endgame, evaluate, judge, search
from diamonds.bots.search.world_sampling import sample_worlds
from diamonds.game import GAMES, Game
from diamonds.rules import mines
from tests.support.mines_positions import bare_position, mines_position
from tests.support.positions import sort_piles
from tests.support.random_games import ONE_PER_KIND, new_random_game
from tests.support.sample_sizes import short_or_long

pytestmark = pytest.mark.kernels

Answers = list[tuple[int, int]]


def positions(
    game: Game, seats: int, options: dict, rng: np.random.Generator, games: int
) -> Iterator[tuple[np.void, np.void, Answers]]:
    """Yield positions of random games: the state, the state after its last deal, and the answers since."""
    for _ in range(games):
        state, dealt, answers = new_random_game(game, seats, options, rng), None, []
        while not state["over"]:
            if game.needs_deal(state):
                game.rules.deal(state, rng.permutation(game.pack(state)), None)
                dealt, answers = fields.copy_state(state), []
            yield state, dealt, answers
            seat = int(rng.choice(game.to_act(state)))
            answer = int(rng.choice(list(cards.iter_bits(game.rules.legal(state, seat)))))
            answers.append((seat, answer))
            game.rules.step(state, seat, answer, None)


def replay_in_world(game: Game, world: np.void, dealt: np.void, answers: Answers, me: int) -> np.void | None:
    """Return the state that the same answers reach with a world's cards; ``None`` if the rules forbid it.

    Other players' secret answers (cards to pass and sealed bids) come from the world. Only for trick games.
    """
    rules, state = game.rules, fields.copy_state(dealt)
    for seat in range(dealt["seats"]):
        hand = int(world["hand"][seat]) | int(world["played"][seat])
        if game.name == "crystals":
            hand = hand & ~int(world["received"][seat]) | int(world["given"][seat])
        state["hand"][seat] = hand
    state["aside"] = world["aside"]
    named: Counter[int] = Counter()

    def name_cards(seat: int) -> None:
        for card in cards.iter_bits(int(world["chosen"][seat]) or int(world["given"][seat])):
            assert int(rules.legal(state, seat)) >> card & 1, "the world contains an illegal choice of cards (C9)"
            rules.step(state, seat, card, None)

    for seat, answer in answers:
        question = game.question(state).name
        if question == "pass" and seat != me:
            named[seat] += 1  # others do not see a half-named set, so a world has only complete sets
            if named[seat] == state["passing"]:
                name_cards(seat)
            continue
        if question == "bid":
            answer = int(world["bid"][seat])
        if not int(rules.legal(state, seat)) >> answer & 1:
            return None
        rules.step(state, seat, answer, None)
    if game.question(state).name == "pass":
        for seat in range(state["seats"]):
            if seat != me and int(state["to_act"]) >> seat & 1:
                name_cards(seat)
    return state


@pytest.mark.parametrize(("name", "seats", "options"), ONE_PER_KIND)
def test_world_gives_the_view_it_was_dealt_from(name, seats, options):
    """Worlds are checked for every seat, whether to act or not, at every question. No card may be lost or doubled."""
    game, rng = GAMES[name], np.random.default_rng(5)
    pack_size = len(game.pack(new_random_game(game, seats, options, rng)))
    checked = 0
    for state, _, _ in positions(game, seats, options, rng, 2):
        if rng.random() > 0.12:
            continue
        for me in range(seats):
            seen = bot_view(game, state, me)
            for world in sample_worlds(game, seen.row, me, 3, checked):
                checked += 1
                again = bot_view(game, world, me)
                assert again.row.tobytes() == seen.row.tobytes(), "the seat's view of the world differs"
                places = [int(world["hand"][seat]) for seat in range(seats)]
                if name == "mines":
                    places += [1 << card for card in world["piles"].ravel().tolist() if card >= 0]
                    places.append(int(world["discards"]))
                    inside = world["inside"].tolist()
                    sort_piles(world)
                    assert inside == world["inside"].tolist(), "the derived contents of the world's piles are wrong"
                else:
                    places += [int(world["played"][seat]) for seat in range(seats)] + [int(world["aside"])]
                union = np.bitwise_or.reduce(np.array(places, np.int64))
                assert sum(map(cards.count, places)) == pack_size == cards.count(union), "a card is lost or doubled"
                if name == "mines":
                    sizes = [cards.count(world["hand"][seat]) for seat in range(2)]
                    assert sizes == world["hand_size"][:2].tolist(), "a hand has the wrong size"
    assert checked > 20


@pytest.mark.parametrize(("name", "seats", "options"), [case for case in ONE_PER_KIND if case.values[0] != "mines"])
def test_world_could_have_been_played_as_the_game_was(name, seats, options):
    """Every answer since the deal is legal with the world's cards (C9, C12, F5), and each seat gets the same view."""
    game, rng = GAMES[name], np.random.default_rng(6)
    checked = 0
    for state, dealt, answers in positions(game, seats, options, rng, 2):
        if rng.random() > 0.1:
            continue
        me = int(rng.integers(seats))
        seen = bot_view(game, state, me)
        for world in sample_worlds(game, seen.row, me, 3, checked):
            checked += 1
            again = replay_in_world(game, world, dealt, answers, me)
            assert again is not None, "the world's cards forbid an answer that was given"
            assert bot_view(game, again, me).row.tobytes() == seen.row.tobytes(), "a view of the world's game differs"
            assert again.tobytes() == world.tobytes(), "the world differs from the state that its cards lead to"
    assert checked > 20


@pytest.mark.parametrize(("name", "seats", "options"), ONE_PER_KIND)
def test_true_state_is_always_possible(name, seats, options):
    """Constraints on worlds never exclude the true state, nor, in mines, the true ends of turns (R6)."""
    game, rng = GAMES[name], np.random.default_rng(7)
    sizes, banned = np.zeros(HOLDER_COUNT, np.int64), np.zeros(HOLDER_COUNT, np.int64)
    for state, _, _ in positions(game, seats, options, rng, 6 if name == "mines" else 2):
        for me in range(seats):
            row = bot_view(game, state, me).row
            unseen = int(games.adapter_for(GAMES[name]).hidden_cards(row, me, sizes, banned))
            for seat in set(range(seats)) - {me}:
                free = int(state["hand"][seat]) & unseen
                assert cards.count(free) == sizes[seat], f"seat {seat} does not have {sizes[seat]} unknown cards"
                for suit in cards.iter_bits(banned[seat]):
                    assert not free & cards.suit_cards(suit, game.ranks), f"seat {seat} holds that suit"
                pinned = int(state["hand"][seat]) & ~unseen
                known = (
                    int(row["known"][me])
                    if name == "mines"
                    else int(row["given"][me]) & ~int(row["played"][seat])
                    if name == "crystals" and row["passes_to"][me] == seat
                    else 0
                )
                assert pinned == known, "a card is assumed to be in a wrong hand"
            if name != "mines":
                assert cards.count(int(state["aside"]) & unseen) == sizes[SET_ASIDE]
        if name == "mines":
            assert is_consistent(state), f"the true state is excluded at {game.question(state).name}"


def is_uniform(drawn: Counter, possible: set) -> None:
    """Assert by chi-square that every possibility occurs, none too often, and nothing else."""
    assert set(drawn) <= possible, "expected possible results only"
    expected = drawn.total() / len(possible)
    freedom = len(possible) - 1
    square = sum((drawn[p] - expected) ** 2 for p in possible) / expected
    assert (square - freedom) / (2 * freedom) ** 0.5 < 4, f"uneven: chi-square {square:.0f} with {freedom} degrees"
    assert (square - freedom) / (2 * freedom) ** 0.5 > -4, f"too even to be random: {square:.0f} with {freedom} degrees"


def all_partitions(unseen: list[int], sizes: list[int]) -> Iterator[tuple[int, ...]]:
    """Yield all ways to share cards among holders with these hand sizes, one set for each holder."""
    if not sizes:
        yield ()
        return
    for some in itertools.combinations(unseen, sizes[0]):
        rest = [card for card in unseen if card not in some]
        for more in all_partitions(rest, sizes[1:]):
            yield (sum(1 << card for card in some), *more)


@short_or_long("enough", 1, 4)
@pytest.mark.parametrize(("name", "seats", "options", "ranks_left"), [
    ("crystals", 3, {"perfect": True}, 9),
    ("crystals", 4, {"perfect": True, "partnership": True}, 8),
    ("fourteen", 3, {}, 8),
    ("fourteen", 4, {"match": "last_two"}, 7),
    pytest.param("fourteen", 5, {}, 7, marks=pytest.mark.slow),
], ids=lambda value: str(value))  # fmt: skip
def test_worlds_are_drawn_evenly_from_all_that_could_have_been_dealt(name, seats, options, ranks_left, enough):
    """By brute force: every partition of the last unseen cards, kept if the whole deal could be played with it."""
    game, rng = GAMES[name], np.random.default_rng(8)
    checked = 0
    for state, dealt, answers in positions(game, seats, options, rng, 40):
        me = int(rng.integers(seats))
        row = bot_view(game, state, me).row
        unseen = int(
            games.adapter_for(GAMES[name]).hidden_cards(
                row, me, np.zeros(HOLDER_COUNT, np.int64), np.zeros(HOLDER_COUNT, np.int64)
            )
        )
        constrained = sum(bool(row["void"][seat]) and seat != me for seat in range(seats))
        if not 5 <= cards.count(unseen) <= ranks_left or constrained < 2:
            continue
        others = [seat for seat in range(seats) if seat != me]
        pinned = [int(state["hand"][seat]) & ~unseen for seat in others]
        sizes = [cards.count(int(state["hand"][seat]) & unseen) for seat in others]
        possible = set()
        for hands in all_partitions(list(cards.iter_bits(unseen)), sizes):
            world = fields.copy_state(state)
            for seat, hand, pin in zip(others, hands, pinned, strict=True):
                world["hand"][seat] = hand | pin
            world["aside"] = unseen & ~sum(hands)
            if name == "crystals":  # others may have passed any of the receiver's cards
                for seat in range(seats):
                    to = int(world["passes_to"][seat])
                    if seat != me and to != me:
                        final = list(cards.iter_bits(int(world["hand"][to]) | int(world["played"][to])))
                        world["given"][seat] = sum(1 << card for card in final[: int(world["passing"])])
                        world["received"][to] = world["given"][seat]
            if replay_in_world(game, world, dealt, answers, me) is not None:
                possible.add(hands)
        if not 10 <= len(possible) <= 2000 or len(possible) == sum(
            1 for _ in all_partitions([*cards.iter_bits(unseen)], sizes)
        ):
            continue
        drawn: Counter = Counter()
        for world in sample_worlds(game, row, me, 60 * len(possible), checked):
            drawn[tuple(int(world["hand"][seat]) & unseen for seat in others)] += 1
        is_uniform(drawn, possible)
        checked += 1
        if checked == enough:
            break
    assert checked == enough, f"expected more small positions than {checked}"


def test_cards_passed_unseen_are_drawn_evenly():
    """C9: while everyone chooses, others may have chosen any set that the order of naming allows."""
    game, rng = GAMES["crystals"], np.random.default_rng(9)
    state = new_random_game(game, 4, {}, rng)
    game.rules.deal(state, rng.permutation(game.pack(state)), None)
    dealer = game.to_act(state)[0]
    game.rules.step(state, dealer, 3, None)
    done, waiting, me = 1, 2, 0
    for card in list(cards.iter_bits(state["hand"][done]))[:3]:
        game.rules.step(state, done, card, None)
    finished: Counter = Counter()
    half: Counter = Counter()
    for world in sample_worlds(game, bot_view(game, state, me).row, me, 20_000, 1):
        places = {card: k for k, card in enumerate(cards.iter_bits(world["hand"][done]))}
        finished[tuple(places[card] for card in cards.iter_bits(world["chosen"][done]))] += 1
        places = {card: k for k, card in enumerate(cards.iter_bits(world["hand"][waiting]))}
        half[tuple(places[card] for card in cards.iter_bits(world["chosen"][waiting]))] += 1
    is_uniform(finished, set(itertools.combinations(range(10), 3)))
    is_uniform(half, {(), *((k,) for k in range(8)), *itertools.combinations(range(9), 2)})


def small_mines_position(pile_cards: dict[int, int], mine: str, theirs: int, handed: str, unseen: str) -> np.void:
    """Return a late position of mines before seat 0's turn: it owns pile 0, seat 1 pile 12; the rest is discarded."""
    hidden = unseen.split()
    piles = {pile: " ".join(hidden.pop() for _ in range(left)) for pile, left in pile_cards.items()}
    assert len(hidden) == theirs
    hands = {0: mine, 1: " ".join([*hidden, handed])}
    return bare_position(piles=piles, hands=hands, known={0: handed}, turns=9)


@pytest.mark.parametrize("tiny", [
    ({0: 2, 12: 1, 5: 1}, "D2 D3 D4 D5 D6 S3", 2, "", "D7 D8 D9 CA S2 H5"),
    ({0: 1, 12: 2, 11: 1}, "D2 D3 D4 C5", 2, "DA", "D7 D8 D9 D10 CA H5"),
    ({0: 2, 12: 1}, "D2 D3 D4 D5 D6", 3, "H2 DA", "D7 D8 D9 DJ CA DK"),
], ids=["a ♣ to hope for", "an opponent who must not be out of reach", "six ♦ at most"])  # fmt: skip
def test_r6_mines_worlds_are_uniform_among_unfinished_games(tiny):
    """By brute force: every order of the unseen cards, kept if neither seat would have won at the end of a turn (M10)."""
    game = GAMES["mines"]
    state = small_mines_position(*tiny)
    row, slots = bot_view(game, state, 0).row, [(p, k) for p in range(13) for k in range(4 - state["left"][p], 4)]
    known = int(state["known"][0])
    unseen = [*cards.iter_bits(int(state["hand"][1]) & ~known), *(int(state["piles"][slot]) for slot in slots)]
    possible, all_orders = set(), set()
    for order in itertools.permutations(unseen):
        world = fields.copy_state(state)
        hand = sum(1 << card for card in order[: tiny[2]])
        world["hand"][1] = hand | known
        for slot, card in zip(slots, order[tiny[2] :], strict=True):
            world["piles"][slot] = card
        sort_piles(world)
        key = (hand, *order[tiny[2] :])
        all_orders.add(key)
        if not mines.wins(world, 0) and not mines.wins(world, 1):
            possible.add(key)
    assert 10 < len(possible) < len(all_orders), "expected excluded orders"
    drawn: Counter = Counter()
    for world in sample_worlds(game, row, 0, 60 * len(possible), 3):
        drawn[int(world["hand"][1]) & ~known, *(int(world["piles"][slot]) for slot in slots)] += 1
    is_uniform(drawn, possible)


def test_m11_with_seen_unfinished_game_implies_nobody_holds_seven():
    """R6: facts that both players know exclude no world, because they would have ended the game."""
    game = GAMES["mines"]
    state = small_mines_position({0: 2, 12: 1, 5: 1}, "D2 D3 D4 D5 D6 S3", 2, "", "D7 D8 D9 CA S2 H5")
    state["impossible"] = mines.BY_WHAT_IS_SEEN
    row = bot_view(game, state, 0).row
    hands = Counter(int(world["hand"][1]) for world in sample_worlds(game, row, 0, 60 * 15, 3))
    unseen = [game.card_names.index(name) for name in "D7 D8 D9 CA S2 H5".split()]
    is_uniform(hands, {1 << one | 1 << other for one, other in itertools.combinations(unseen, 2)})


@pytest.mark.parametrize("question", ["claim", "turn", "dig", "dig_second", "grow", "fight", "defend", "spoils"])
@pytest.mark.parametrize("impossible", ["cards", "seen"])
def test_m10_no_world_gives_seven_diamonds_to_anyone(question, impossible):

    def holding(own: int, other: int) -> np.void:
        hands = {seat: " ".join(["CK" if seat else "CQ", *diamonds]) for seat, diamonds in split(own, other)}
        return mines_position(question, 0, "0 1", "12 11", hands=hands, options={"impossible": impossible})

    def split(own: int, other: int) -> list[tuple[int, list[str]]]:
        names = GAMES["mines"].card_names[:13]
        return [(0, list(names[:own])), (1, list(names[own : own + other]))]

    assert is_consistent(holding(6, 0))
    assert not is_consistent(holding(7, 0))
    assert is_consistent(holding(0, 6))
    assert not is_consistent(holding(0, 7))


def test_unreachable_row_gets_an_error():
    """A seat that is not to act holds seven ♦, although the game would be over (M10)."""
    state = small_mines_position({0: 1, 12: 1}, "C2", 0, "D2 D3 D4 D5 D6 D7 D8", "S2 S3")
    with pytest.raises(ValueError, match="no world fits it"):
        sample_worlds(GAMES["mines"], bot_view(GAMES["mines"], state, 0).row, 0, 1, 1)


def test_m8_attacker_holds_a_club_in_every_world():
    game, asked = GAMES["mines"], 0
    for state, _, _ in positions(game, 2, {}, np.random.default_rng(4), 40):
        if game.question(state).name == "fight_card":
            attacker = game.to_act(state)[0]
            seen = bot_view(game, state, 1 - attacker).row
            for world in sample_worlds(game, seen, 1 - attacker, 20, asked):
                assert game.legal(world, attacker), "a world has an attacker without a ♣"
            asked += 1
    assert asked > 10


@pytest.mark.parametrize("name", GAMES)
def test_rows_whose_cards_do_not_add_up_are_refused(name):
    """Compiled search checks no bounds: without the check, some of these rows crash the process."""
    game = GAMES[name]
    state, _, _ = next(positions(game, game.default_seats, {}, np.random.default_rng(5), 1))
    while game.needs_deal(state):
        game.rules.deal(state, np.random.default_rng(5).permutation(game.pack(state)), None)
    seat = game.to_act(state)[0]
    pack, rows = int(game.rules.pack(state)), []
    for field in ("known",) if name == "mines" else ("played", "hand"):
        rows.append(bot_view(game, state, seat).row)
        rows[-1][field][seat] = pack
    if name != "mines":
        rows.append(bot_view(game, state, seat).row)
        rows[-1]["void"][:] = 15
    candidate = search.candidates_of(game, state, seat)[0]
    calls = (
        lambda row: search.search(game, row, seat, SearchParams(), 1),
        lambda row: sample_worlds(game, row, seat, 1, 1),
        lambda row: evaluate.evaluate(game, row, seat, [candidate], 0, 2, SearchParams(), False, 1),
        lambda row: endgame.solve(game, row, seat, [candidate]),
        lambda row: judge.judge(game, row, state, seat, candidate, JudgeParams(2, 2, 2, 0.0), range(6)),
        lambda row: judge.judge(game, state, row, seat, candidate, JudgeParams(2, 2, 2, 0.0), range(6)),
    )
    for row in rows:
        for call in calls:
            with pytest.raises(ValueError, match="do not add up"):
                call(row)
