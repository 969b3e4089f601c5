"""The endgame solver finds the same values as trying every answer in plain Python."""

import itertools
from collections.abc import Iterator

import numpy as np
import pytest

from diamonds import cards, fields
from diamonds.bots import games
from diamonds.bots.analysis import hints
from diamonds.bots.bot import bot_view
from diamonds.bots.games import equivalence
from diamonds.bots.games.adapter import NO_PLAN, SearchParams
from diamonds.bots.games.crystals import playouts
from diamonds.bots.search import endgame, search
from diamonds.bots.search.compiled_adapter import compiled_adapter
from diamonds.bots.search.world_sampling import sample_worlds
from diamonds.game import GAMES, Game
from tests.support.positions import position
from tests.support.random_games import ONE_PER_KIND, new_random_game

pytestmark = pytest.mark.kernels

WIN_VALUE = 6  # points in addition to the margin; in mines a win counts 1 and each ♦ a hundredth
HIDDEN_QUESTIONS = ("pass", "count", "bid")  # questions before the cards are known


def end_value(game: Game, s: np.void, seat: int) -> float:
    """Return the value of a round's end: the seat's points minus the mean of its rivals', plus a bonus for winning."""
    if game.name == "mines":
        won = int(s["winner"] == seat) - int(s["winner"] == 1 - seat)
        return (game.rules.score(s, seat) - game.rules.score(s, 1 - seat)) / 100 + won
    rivals = [other for other in range(s["seats"]) if game.rules.team(s, other) != game.rules.team(s, seat)]
    margin = game.rules.score(s, seat) - np.mean([game.rules.score(s, other) for other in rivals])
    return float(margin + WIN_VALUE * (s["over"] and game.rules.seats_ahead(s, seat) == 0))


class TooManyPositionsError(Exception):
    """The position is too large for plain Python."""


def brute_force_value(game: Game, s: np.void, left: list[int]) -> list[float]:
    """Return a position's value for each seat by trying every legal answer.

    Each seat maximises its own value and chooses evenly among equal answers. Two teams share one prize: a gain of one
    is a loss of the other.
    """
    left[0] -= 1
    if left[0] < 0:
        raise TooManyPositionsError
    seats = range(int(s["seats"]))
    if not s["to_act"]:
        worths = [end_value(game, s, seat) for seat in seats]
        teams = sorted({int(game.rules.team(s, seat)) for seat in seats})
        if len(teams) == 2:
            prize = (worths[teams[0]] - worths[teams[1]]) / 2
            return [prize if game.rules.team(s, seat) == teams[0] else -prize for seat in seats]
        return worths
    (seat,) = cards.iter_bits(s["to_act"])
    outcomes = []
    for answer in cards.iter_bits(int(game.rules.legal(s, seat))):
        after = fields.copy_state(s)
        game.rules.step(after, seat, answer, None)
        outcomes.append(brute_force_value(game, after, left))
    most = max(outcome[seat] for outcome in outcomes)
    return [float(x) for x in np.mean([o for o in outcomes if o[seat] > most - 1e-9], axis=0)]


def endgame_positions(name: str, seats: int, options: dict, seed: int, most: int) -> Iterator[tuple[np.void, int]]:
    """Yield positions near the ends of rounds, with at most ``most`` cards in play, from heuristic and random games."""
    game, rng = GAMES[name], np.random.default_rng(seed)
    while True:
        state = new_random_game(game, seats, options, rng)
        while not state["over"]:
            if game.needs_deal(state):
                game.rules.deal(state, rng.permutation(game.pack(state)), None)
                continue
            seat = int(rng.choice(game.to_act(state)))
            legal = list(cards.iter_bits(int(game.rules.legal(state, seat))))
            in_play = sum(cards.count(int(hand)) for hand in state["hand"][:seats])
            in_play += int(state["left"].sum()) if name == "mines" else 0
            if (
                len(legal) > 1
                and in_play <= most
                and game.question(state).name not in HIDDEN_QUESTIONS
                and rng.random() < 0.5
            ):
                yield fields.copy_state(state), seat
            habit = games.adapter_for(game).heuristic_answer(state, seat, NO_PLAN)
            answer = habit if rng.random() < 0.6 else rng.choice(legal)
            game.rules.step(state, seat, int(answer), None)


@pytest.mark.parametrize("at_length", [False, pytest.param(True, marks=pytest.mark.slow)], ids=["", "at length"])
@pytest.mark.parametrize(("name", "seats", "options"), ONE_PER_KIND)
def test_endgame_values_match_brute_force(name, seats, options, at_length):
    least = 24 if at_length else 2 if name == "mines" else 8  # a position of mines takes seconds in plain Python
    game, checked, larger, questions, differ = GAMES[name], 0, 0, set(), 0
    seed = (
        11 if at_length else 19 if "defence" in options else 16 if "impossible" in options else 11
    )  # to reach small positions quickly
    for state, seat in endgame_positions(name, seats, options, seed, 20 if name == "mines" else 7):
        answers = list(cards.iter_bits(int(game.rules.legal(state, seat))))
        expected = []
        try:
            for answer in answers:
                after = fields.copy_state(state)
                game.rules.step(after, seat, answer, None)
                expected.append(brute_force_value(game, after, [60 * least])[seat])
        except TooManyPositionsError:
            larger += 1
            assert larger < 400, "expected small positions"
            continue
        found = endgame.solve(game, state, seat, answers, is_full_state=True)
        assert found == pytest.approx(expected), f"{game.question(state).name} of seat {seat}: {state}"
        questions.add(game.question(state).name)
        differ += max(expected) > min(expected) + 0.01
        checked += 1
        if checked >= least and differ >= max(1, least // 4):
            break
    if name == "crystals" and "victim" not in questions:
        assert seats == 2 or options.get("thief") or (options.get("partnership") and seats == 4)


@pytest.mark.parametrize(("name", "seats", "options"), [
    ("crystals", 2, {"perfect": True}), ("crystals", 2, {"perfect": True, "two_cards": False}),
    ("crystals", 3, {"perfect": True}), ("crystals", 4, {"perfect": True, "partnership": True}), ("crystals", 4, {}),
    ("fourteen", 4, {}), ("fourteen", 3, {}), ("mines", 2, {}),
], ids=str)  # fmt: skip
def test_view_is_solved_only_when_it_leaves_one_world(name, seats, options):
    game, single = GAMES[name], 0
    for n, (state, seat) in enumerate(endgame_positions(name, seats, options, 3, 30 if name == "mines" else 9)):
        answers = list(cards.iter_bits(int(game.rules.legal(state, seat))))
        row = bot_view(game, state, seat).row
        hands = {
            (tuple(world["hand"][:seats]), world["piles"].tobytes() if name == "mines" else b"")
            for world in sample_worlds(game, row, seat, 60, n)
        }
        found = endgame.solve(game, row, seat, answers)
        if len(hands) > 1:
            assert found is None, "the solver used hidden cards"
        else:
            single += 1
            assert found == endgame.solve(game, state, seat, answers, is_full_state=True)
            assert found is not None or name == "mines"
        if n >= 80:
            break
    assert single >= (80 if seats == 2 and name == "crystals" else 3 if options.get("perfect") else 0)


def test_c24_search_plays_the_perfect_two_player_endgame_exactly():
    game, faults = GAMES["crystals"], 0
    for n, (state, seat) in enumerate(endgame_positions("crystals", 2, {"perfect": True}, 5, 18)):
        row = bot_view(game, state, seat).row
        candidates = search.candidates_of(game, row, seat)
        worths = endgame.solve(game, state, seat, candidates, is_full_state=True)
        found = search.search(game, row, seat, SearchParams(max_worlds=16, initial_worlds=4), n)
        if worths is None or len(candidates) == 1:
            continue
        assert found.candidates == candidates
        assert worths[found.best_index] == max(worths)
        assert found.values == worths
        without = search.search(game, row, seat, SearchParams(max_worlds=16, initial_worlds=4, solve_endgame=False), n)
        faults += worths[without.best_index] < max(worths)
        if n >= 60:
            break
    assert faults >= 3, f"expected the search alone to err more often than {faults} times"


def test_large_endgame_is_left_to_the_search():
    """If more positions than allowed would be visited, the answer is the same as without the solver."""
    game = GAMES["crystals"]
    state, seat = next(endgame_positions("crystals", 2, {"perfect": True}, 7, 16))
    row = bot_view(game, state, seat).row
    answers = search.candidates_of(game, row, seat)
    worth = np.zeros(len(answers))
    arguments = (np.frombuffer(bytearray(row.tobytes()), game.dtype), seat, np.array(answers), False)
    took = endgame.compiled_solve(game)(*arguments, endgame.MAX_POSITIONS, 6.0, worth)
    assert 0 < took < endgame.MAX_POSITIONS
    assert endgame.compiled_solve(game)(*arguments, took + 1, 6.0, worth) == took
    assert endgame.compiled_solve(game)(*arguments, took // 2, 6.0, worth) == 0
    for early, early_seat in endgame_positions("crystals", 2, {"perfect": True}, 7, 32):
        row = bot_view(game, early, early_seat).row
        if endgame.solve(game, row, early_seat, search.candidates_of(game, row, early_seat)) is None:
            efforts = (SearchParams(max_worlds=16), SearchParams(max_worlds=16, solve_endgame=False))
            one, two = (search.search(game, row, early_seat, effort, 1) for effort in efforts)
            assert one == two
            break


def test_hidden_choices_are_not_solved():
    """C9: otherwise the last player to choose cards to pass would know the others' choices."""
    game, rng = GAMES["crystals"], np.random.default_rng(1)
    state = new_random_game(game, 2, {}, rng)
    game.rules.deal(state, rng.permutation(game.pack(state)), None)
    for step in ("count", "pass"):
        assert game.question(state).name == step
        seat = game.to_act(state)[0]
        answers = list(cards.iter_bits(int(game.rules.legal(state, seat))))
        assert endgame.solve(game, state, seat, answers, is_full_state=True) is None
        game.rules.step(state, seat, 1 if step == "count" else answers[0], None)


def test_hint_in_a_perfect_two_player_endgame_is_exact():
    game, told = GAMES["crystals"], 0
    for n, (state, seat) in enumerate(endgame_positions("crystals", 2, {"perfect": True}, 9, 12)):
        row = bot_view(game, state, seat).row
        candidates = search.candidates_of(game, row, seat)
        if len(candidates) == 1 or state["round"] == state["rounds"]:
            continue
        worths = dict(
            zip(candidates, endgame.solve(game, state, seat, candidates, is_full_state=True) or [], strict=True)
        )
        for choice in hints.hint(bot_view(game, state, seat), n).choices:
            behind = max(worths.values()) - worths[game.card_names.index(str(choice.answers[0]))]
            assert (choice.gap, choice.gap_error) == (pytest.approx(behind), 0.0)
            assert not choice.tied or behind == 0
        told += max(worths.values()) > min(worths.values())
        if told == 8:
            break


def test_remembering_positions_changes_no_worth(monkeypatch):
    """With 10 to 17 cards in play, lines of play transpose. Every option that affects the stored key is covered."""
    game = GAMES["crystals"]
    remembering = endgame.compiled_solve(game)
    without_keys = compiled_adapter(game)._replace(position_key=equivalence.no_position_key)
    monkeypatch.setattr(endgame, "compiled_adapter", lambda game: without_keys)
    forgetting = endgame.compiled_solve.__wrapped__(game)
    for seats, options in (
        (2, {}),
        # most stored entries are bounds, and using a bound as a value would give wrong results
        (2, {"two_cards": False}),
        (2, {"thief": True, "two_cards": False}),
        (4, {"partnership": True, "thief": True}),
    ):
        most = 17 if seats == 2 else 14
        saved = 0
        found = endgame_positions("crystals", seats, {**options, "perfect": True}, 13, most)
        for state, seat in itertools.islice(found, 60):
            answers = np.array(list(cards.iter_bits(int(game.rules.legal(state, seat)))))
            row, worths, numbers = np.frombuffer(bytearray(state.tobytes()), game.dtype), [], []
            for solve in (remembering, forgetting):
                worths.append(np.zeros(len(answers)))
                numbers.append(solve(row, seat, answers, True, 2_000_000, 6.0, worths[-1]))
            assert worths[0] == pytest.approx(worths[1])
            assert 0 < numbers[0] <= numbers[1]
            saved += numbers[1] - numbers[0]
        assert saved > 1000, "expected repeated positions"


@pytest.mark.parametrize(("hands", "trick", "me", "evenly_by_kind"), [
    ({0: "C9 CJ CQ", 1: "DA D3", 2: "D4 D6 HJ"}, "H8", 2, {"D6": 3.625}),
    ({0: "DQ SQ C3", 1: "H2 HK CK", 2: "D3 D5 CQ"}, "", 0, {"SQ": 0.0}),
    ({0: "D2 D6 SK", 1: "C10 CJ CK", 2: "DA H7 HQ"}, "", 0, {"SK": 1.5}),
])  # fmt: skip
def test_indifferent_search_chooses_evenly_among_cards(hands, trick, me, evenly_by_kind):
    """Equivalent cards are searched once and weighted by their number; otherwise the values differ."""
    game = GAMES["fourteen"]
    laid, held = trick.split(), " ".join(hands.values()).split()
    gone = iter(card for card in game.card_names if card not in {*laid, *held})
    played = {seat: [*itertools.islice(gone, 17 - len(hands[seat].split()))] for seat in range(3)}
    if laid:
        played[1] = [*played[1][1:], *laid]
    state = position(
        "fourteen", 3, hands=hands, trick=trick, leader=1 if laid else 0,
        played={seat: " ".join(cards) for seat, cards in played.items()},
    )  # fmt: skip
    answers = list(cards.iter_bits(int(game.rules.legal(state, me))))
    expected = []
    for answer in answers:
        after = fields.copy_state(state)
        game.rules.step(after, me, answer, None)
        expected.append(brute_force_value(game, after, [1500])[me])
    found = endgame.solve(game, state, me, answers, is_full_state=True)
    assert found == pytest.approx(expected)
    for name, wrong in evenly_by_kind.items():
        assert abs(dict(zip(answers, expected, strict=True))[game.card_names.index(name)] - wrong) > 0.1


def test_positions_with_different_endings_have_different_keys():
    """At the start of a trick, the key contains cards, crystals, the leader, cards taken, the thief, and seats without a trick (C20)."""
    state = next(
        s for s, _ in endgame_positions("crystals", 2, {"perfect": True, "thief": True}, 4, 20) if not s["trick_size"]
    )
    state["tricks"][:2] = [0, 3]

    def key(field: str = "", place: int | tuple[int, int] | None = None, by: int = 1) -> int:
        changed = fields.copy_state(state)
        if place is not None:
            changed[field][place] += by
        elif field:
            changed[field] += by
        with np.errstate(over="ignore"):
            return int(playouts.position_key(changed))

    changes = [("leader", None), ("supply", None), ("thief_at", None), ("tricks", 0)]
    changes += [(name, seat) for name in ("hand", "vault", "showroom") for seat in (0, 1)]
    changes += [("taken", (seat, suit)) for seat in (0, 1) for suit in range(4)]
    assert len({key(*change) for change in changes} | {key()}) == len(changes) + 1
    assert key("tricks", 1) == key(), "expected the number of tricks won not to enter the key"
    assert key("trick_size") == 0, "expected the cards on the table to enter the key in the middle of a trick"
