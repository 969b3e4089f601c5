"""Playouts for hints and reviews: their counts match the events, and candidates are compared in the same worlds."""

from collections import Counter
from typing import Any

import numpy as np
import pytest

from diamonds import cards, jit
from diamonds.bots import games
from diamonds.bots.analysis import hints
from diamonds.bots.bot import bot_view
from diamonds.bots.games import crystals, fourteen, mines
from diamonds.bots.games.adapter import COUNT_COLUMNS, NO_PLAN, TRAINED_PLAN, SearchParams
from diamonds.bots.games.mines import heuristics
from diamonds.bots.search import endgame, evaluate, search
from diamonds.events import events_for, new_log
from diamonds.game import GAMES, Game
from tests.support.positions import position
from tests.support.random_games import ONE_PER_KIND, new_random_game, play_random

pytestmark = pytest.mark.kernels

Events = list[dict[str, Any]]


PLAYOUTS = {"crystals": crystals.playouts, "fourteen": fourteen.playouts, "mines": mines.playouts}


def count_crystals_events(events: Events, seat: int, team_of: Any) -> Counter[str]:
    """Count the actions and losses of one seat's team, by column name. `THIS_TRICK` is the first trick won."""
    tricks = [event["seat"] for event in events if event["event"] == "trick"]
    found, undecided = Counter(THIS_TRICK=int(tricks[:1] == [seat])), True
    found += Counter({f"WINNER+{winner}": 1 for winner in tricks[:1]})
    for event in events:
        what, mine = event["event"], "seat" in event and team_of(event["seat"]) == team_of(seat)
        undecided = undecided and what != "trick"
        if what in ("diamond", "heart", "spade", "club"):
            if mine:
                found[f"OWN_{what.upper()}S"] += 1
            elif undecided:
                found["OTHERS_ACT"] += 1
        if what == "club" and team_of(event["victim"]) == team_of(seat):
            found["CRYSTALS_LOST"] += 1
        if what == "no_trick" and event["seat"] == seat:
            found["NO_TRICK"] += 1
        if what == "most" and mine:
            found[f"MOST_OF_SUIT+{'DHSC'.index(event['suit'])}"] += 1
    return found


def count_fourteen_events(events: Events, own_seat: int, seats: int, bids: bool) -> Counter[str]:
    found, own_card, played, first = Counter[str](), "", 0, True
    for event in events:
        if event["event"] == "played" and event["seat"] == own_seat:
            own_card, played = event["card"], played + 1
        if event["event"] == "turned" and first and event["seat"] != own_seat:
            found += Counter(TURNED=1, TURNED_NEXT=int(event["seat"] == (own_seat + 1) % seats))
        if event["event"] == "trick" and first:
            found[f"WINNER+{event['seat']}"] += 1
        if event["event"] == "trick" and event["seat"] == own_seat:
            found["TAKEN"] += event["diamonds"]
            if first:
                found += Counter(THIS_TRICK=1, PRIZE=event["diamonds"])
            else:
                found[f"WON_LATER+{'DHSC'.index(own_card[0])}"] += event["diamonds"]
            found["LAST_TRICK"] += played == 52 // seats
        elif event["event"] == "trick" and own_card.startswith("D"):
            found["LOST"] += 1
        if event["event"] == "scored" and event["seat"] == own_seat and bids:
            found["BID_KEPT"] += event["points"] > 0
        first = first and event["event"] != "trick"
    return found


def count_mines_events(events: Events, seat: int) -> Counter[str]:
    """Count the events of mines by column name: the seat's own and the other seat's."""
    columns = {
        "seven": ("OWN_SEVEN", "OPPONENT_SEVEN"),
        "barred": ("OPPONENT_BARRED", "OWN_BARRED"),
        "conquered": ("PILES_CONQUERED", "PILES_LOST"),
    }
    found: Counter[str] = Counter()
    for event in events:
        mine = event.get("seat") == seat
        if event["event"] in columns:
            found[columns[event["event"]][not mine]] += 1
        if event["event"] == "dug" and mine:
            found["CARDS_DUG"] += 1
        if event["event"] == "gave" and event["card"].startswith("D"):
            found["DIAMONDS_GIVEN" if mine else "DIAMONDS_RAIDED"] += 1
    return found


@pytest.mark.parametrize(("name", "seats", "options"), ONE_PER_KIND)
def test_playout_counts_match_the_events(name, seats, options):
    """The counts of every seat are compared from the first answer of a deal to its end, in heuristic and random games."""
    game, rng, seen = GAMES[name], np.random.default_rng(2), Counter[str]()
    for _ in range(12 if name == "mines" else 2):
        state = new_random_game(game, seats, options, rng)
        told: Events = []
        counts, first = np.zeros((seats, COUNT_COLUMNS)), [True] * seats

        def check(state: np.void, told: Events, counts: np.ndarray) -> None:
            for me in range(seats):
                if name == "crystals":
                    expected = count_crystals_events(told, me, lambda other: int(game.rules.team(state, other)))
                else:
                    expected = (
                        count_mines_events(told, me)
                        if name == "mines"
                        else count_fourteen_events(told, me, seats, options.get("scoring") == "bid")
                    )
                wanted = np.zeros(COUNT_COLUMNS)
                for column, number in expected.items():
                    wanted[
                        getattr(PLAYOUTS[name], "COL_" + column.split("+")[0]) + int(column.partition("+")[2] or 0)
                    ] = number
                assert counts[me].tolist() == wanted.tolist(), f"seat {me}: expected {expected}, counted {counts[me]}"
                seen.update(expected)

        deals = int(state["deals"])
        for seat in play_random(game, state, rng):
            if state["deals"] != deals:  # counts restart with each deal
                check(state, told, counts)
                deals, told, first = int(state["deals"]), [], [True] * seats
                counts[:] = 0
            legal = list(cards.iter_bits(int(game.rules.legal(state, seat))))
            habit = games.adapter_for(game).heuristic_answer(state, seat, NO_PLAN)
            answer = habit if rng.random() < 0.7 else rng.choice(legal)
            log = new_log()
            game.rules.step(state, seat, int(answer), log)
            told += events_for(log, game.rules.EVENTS, game.ranks, None)
            for me in range(seats):
                first[me] = games.adapter_for(game).count_events(log, state, me, counts[me], first[me])
        check(state, told, counts)
    usual = {
        "crystals": {"OWN_DIAMONDS", "OWN_HEARTS", "OWN_SPADES", "THIS_TRICK"},
        "fourteen": {"PRIZE", "TAKEN", "LOST", "LAST_TRICK"},
        "mines": {"CARDS_DUG", "PILES_LOST"},
    }
    assert all(seen[column] for column in usual[name]), f"expected more kinds of events: {seen}"


def position_with_choice(game: Game, seats: int, options: dict, seed: int, plies: int) -> tuple[np.void, int]:
    """Return a position, after at least ``plies`` heuristic answers, in which the seat to act has a choice."""
    rng = np.random.default_rng(seed)
    state = new_random_game(game, seats, options, rng)
    for n, seat in enumerate(play_random(game, state, rng)):
        if n >= plies and len(game.legal(state, seat)) > 2:
            return state, seat
        game.rules.step(state, seat, int(games.adapter_for(game).heuristic_answer(state, seat, NO_PLAN)), None)
    raise AssertionError("the game ended first")


def view_with_choice(
    game: Game, seats: int, options: dict[str, Any] | None = None, plies: int = 30
) -> tuple[np.void, int, list[int]]:
    """Return what the seat to act sees in a `position_with_choice`, the seat, and the candidates for its answer."""
    state, seat = position_with_choice(game, seats, options or {}, 3, plies)
    row = bot_view(game, state, seat).row
    return row, seat, search.candidates_of(game, row, seat)


@pytest.mark.parametrize(
    ("name", "seats", "plan"),
    [("crystals", 4, TRAINED_PLAN), ("fourteen", 4, NO_PLAN), ("mines", 2, heuristics.IMPROVED_PLAN)],
)
def test_hint_plays_its_seat_as_a_full_search_does(name, seats, plan):
    game = GAMES[name]
    row, seat, candidates = view_with_choice(game, seats)
    made = hints.evaluate_candidates(game, row, seat, candidates, 40, 5).values.tolist()
    assert made == evaluate.evaluate(game, row, seat, candidates, plan, 40, SearchParams(), False, 5).values.tolist()
    if plan != NO_PLAN:
        assert (
            made
            != evaluate.evaluate(game, row, seat, candidates, NO_PLAN, 40, SearchParams(), False, 5).values.tolist()
        )


@pytest.mark.parametrize(("name", "seats"), [("crystals", 4), ("fourteen", 4), ("mines", 2)])
def test_answer_is_as_good_as_itself_in_every_world(name, seats):
    """Candidates share each world and its random numbers, so small differences are not lost in noise."""
    game = GAMES[name]
    row, seat, (one, other, *_) = view_with_choice(game, seats)
    made = hints.evaluate_candidates(game, row, seat, [one, other, one], 40, 5)
    assert made.values[:, 0].tolist() == made.values[:, 2].tolist()
    assert made.counts[0].tolist() == made.counts[2].tolist()
    assert len(set(made.values[:, 0])) > 1, "expected different worlds"
    assert hints.evaluate_candidates(game, row, seat, [one], 40, 6).values.tolist() != made.values[:, :1].tolist()


@pytest.mark.parametrize(("name", "seats"), [("crystals", 4), ("fourteen", 4), ("mines", 2)])
def test_evaluation_spends_no_worlds_on_equivalent_answers(name, seats):
    """After the first worlds, the second of two equal candidates is dropped and the evaluation ends."""
    game = GAMES[name]
    row, seat, (one, *_) = view_with_choice(game, seats)
    found = search.compare_candidates(game, row, seat, [one, one], SearchParams(max_worlds=400, initial_worlds=16), 5)
    assert max(found.worlds) <= 32


def test_points_exclude_the_value_of_winning():
    """In the second to last trick of a last hand, each world's value is the margin, plus six points for a win (F8)."""
    game = GAMES["fourteen"]
    row, seat, candidates = view_with_choice(game, 3, {"target": 5}, plies=20)
    made = hints.evaluate_candidates(game, row, seat, candidates, 60, 5)
    extra = np.round(made.values - made.points, 9)
    assert set(extra.ravel().tolist()) == {0.0, games.adapter_for(GAMES["fourteen"]).win_bonus}


def test_mines_world_counts_half_more_or_less_for_win_or_loss():
    """A ♦ does not change the value, so half plus the mean is the chance to win."""
    game = GAMES["mines"]
    row, seat, candidates = view_with_choice(game, 2, plies=20)
    made = hints.evaluate_candidates(game, row, seat, candidates, 60, 5)
    values = set(np.round(made.values, 9).ravel().tolist())
    assert {-50.0, 50.0} <= values <= {-50.0, 0.0, 50.0}
    assert made.points.tolist() == made.values.tolist()


@pytest.mark.parametrize(("name", "winning"), [("fourteen", 6.0), ("mines", 1.0)])
def test_solved_positions_are_equal_in_every_world(name, winning, monkeypatch):
    """Candidates are compared by values that include winning, but shown without it; in mines only the win counts."""
    game = GAMES[name]

    def solved(view: Any, me: int, candidates: Any, hidden: Any, known: bool, winning: float, *rest: Any) -> int:
        rest[-1][:] = [1.02, -0.97] if winning else [0.02, 0.03]
        return 1

    monkeypatch.setattr(endgame, "solve_view", solved)
    interpreted = evaluate.compiled_evaluate(game).py_func  # type: ignore[attr-defined]
    monkeypatch.setattr(evaluate, "compiled_evaluate", lambda game: interpreted)
    state, seat = position_with_choice(game, 2 if name == "mines" else 3, {}, 3, 20)
    row = bot_view(game, state, seat).row
    candidates = search.candidates_of(game, row, seat)[:2]
    with np.errstate(over="ignore"):
        made = hints.evaluate_candidates(game, row, seat, candidates, 2, 5)
    assert games.adapter_for(game).win_bonus == winning
    assert made.values.tolist() == ([[50.0, -50.0]] if name == "mines" else [[1.02, -0.97]]) * 2
    assert made.points.tolist() == ([[50.0, -50.0]] if name == "mines" else [[0.02, 0.03]]) * 2


@pytest.mark.parametrize(("name", "seats"), [("crystals", 3), ("fourteen", 3), ("mines", 2)])
def test_hindsight_plays_the_true_cards_in_every_world(name, seats):
    """Without noise, every world ends as the true cards do under heuristic play."""
    game, sure = GAMES[name], SearchParams(own_random_permille=0, other_random_permille=0, solve_endgame=False)
    state, seat = position_with_choice(game, seats, {}, 3, 20)
    candidates = search.candidates_of(game, bot_view(game, state, seat).row, seat)
    plan = games.adapter_for(game).default_plan
    expected = []
    for candidate in candidates:
        world = jit.as_row_array(state)[0]
        game.rules.step(world, seat, candidate, None)
        while world["to_act"]:
            other = game.to_act(world)[0]
            game.rules.step(world, other, int(games.adapter_for(game).heuristic_answer(world, other, plan)), None)
        if name == "mines":
            expected.append(50.0 if world["winner"] == seat else -50.0)
        else:
            expected.append(games.adapter_for(game).value(world, seat, 0.0))
    made = evaluate.evaluate(game, state, seat, candidates, plan, 6, sure, True, 5)
    assert made.points.tolist() == [pytest.approx(expected)] * 6


def test_noise_applies_to_other_seats_only_by_default():
    """Leading both winners takes one ♦, whatever the others play; leading ♣5 too early gives ♦9 away."""
    game = GAMES["fourteen"]
    state = endgame_position({0: "H9 D9 C5", 1: "C2 C3 C7", 2: "C4 C6 CK"})
    row, lead = bot_view(game, state, 0).row, [game.card_names.index(card) for card in ("H9", "D9", "C5")]
    assert games.adapter_for(GAMES["fourteen"]).heuristic_answer(row, 0, NO_PLAN) != lead[2], "expected a ♦ away"

    def worths(own: int, others: int) -> list[float]:
        effort = SearchParams(
            max_worlds=64, initial_worlds=64, own_random_permille=own, other_random_permille=others, solve_endgame=False
        )
        return search.compare_candidates(game, row, 0, lead, effort, 1).values

    assert worths(0, 1000)[0] == worths(0, 0)[0]
    assert worths(1000, 0)[0] < worths(0, 0)[0]
    usual = SearchParams(solve_endgame=False)
    means = []
    for own, others in ((0, 0), (0, 1000), (1000, 0)):  # the noise level of hints and reviews
        params = usual._replace(own_random_permille=own, other_random_permille=others)
        means.append(hints.evaluate_candidates(game, row, 0, lead, 64, 1, params).mean(0))
    assert means[0] == means[1] > means[2]


def endgame_position(hands: dict[int, str]) -> np.void:
    """Return fourteen for three with three tricks left: seat 0 leads, and all other cards except ♠K are played."""
    held = " ".join(hands.values()).split()
    gone = [card for card in GAMES["fourteen"].card_names if card not in {*held, "SK"}]
    played = {seat: " ".join(gone[14 * seat : 14 * seat + 14]) for seat in range(3)}
    return position("fourteen", 3, hands=hands, played=played)


@pytest.mark.parametrize(("name", "seats", "options"), ONE_PER_KIND)
def test_hidden_choices_of_others_are_redrawn_in_playouts(name, seats, options):
    """C9, F10: in playouts the others choose again what to pass or bid, but the seat's own choice stays."""
    game, rng = GAMES[name], np.random.default_rng(4)
    state = new_random_game(game, seats, options, rng)
    secret = 0
    for n, seat in enumerate(play_random(game, state, rng)):
        question, opened = game.question(state).name, jit.as_row_array(state)[0]
        games.adapter_for(game).clear_secret_choices(opened, seat)
        if question == "pass" or (question == "bid" and options.get("bids") == "sealed"):
            field, nothing = ("chosen", 0) if question == "pass" else ("bid", -1)
            others = [other for other in range(seats) if other != seat]
            assert [int(opened[field][other]) for other in others] == [nothing] * len(others)
            assert opened[field][seat] == state[field][seat]
            assert int(opened["to_act"]) == (1 << seats) - 1
            secret += any(int(state[field][other]) != nothing for other in others)
        else:
            assert opened.tobytes() == state.tobytes(), f"expected {question} to be hidden"
        if n == 60:
            break
        game.rules.step(state, seat, int(rng.choice(list(cards.iter_bits(int(game.rules.legal(state, seat)))))), None)
    assert secret or not (name == "crystals" or options.get("bids") == "sealed")


@pytest.mark.parametrize(("options", "vault", "chances"), [
    ({}, [5, 2, 5, 0], [0.5, 0.0, 0.5, 0.0]),
    ({}, [5, 2, 4, 0], [1.0, 0.0, 0.0, 0.0]),
    ({"partnership": True}, [2, 5, 2, 5], [0.0, 1.0, 0.0, 1.0]),
])  # fmt: skip
def test_c21_shared_victory_is_a_share_and_partners_win_together(options, vault, chances):
    """A forecast of a finished game returns each seat's share of the win."""
    state = position("crystals", 4, options, hands={}, vault=vault, showroom=[0] * 4, over=1, to_act=[])
    assert evaluate.forecast(GAMES["crystals"], state, 10, 100, 1) == pytest.approx(chances)


def test_nearly_won_game_is_forecast_as_a_win():
    """Fourteen, last three tricks: with one more ♦, seat 2 alone has the target (F8)."""
    game = GAMES["fourteen"]
    state = endgame_position({0: "H9 D9 C5", 1: "C2 C3 C7", 2: "C4 C6 CK"})
    ahead = 2
    state["totals"][ahead] = state["target"]
    assert evaluate.forecast(game, state, 20, 100, 1) == [0.0, 0.0, 1.0]
