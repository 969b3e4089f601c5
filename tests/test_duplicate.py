"""Duplicate matches: the seating, and scores compared with a plain reference."""

import random
from collections import Counter
from fractions import Fraction
from itertools import combinations
from typing import NamedTuple

import pytest

from diamonds import duplicate
from diamonds.duplicate import BOT, Deal, Movement
from diamonds.game import GAMES

TABLES = [(2, False), (3, False), (4, False), (4, True), (5, False), (6, False), (6, True)]
DEALS, MORE_DEALS = (1, 5), tuple(range(1, duplicate.MAX_DEALS + 1))
# 0 or 1 is the best possible. The search never exceeds these limits, and rarely 1 for seats and 3 for meetings.
SEAT_SPREAD, MEETING_SPREAD = 2, 5
USUAL_SEAT_SPREAD, USUAL_MEETING_SPREAD = 1, 3


class Match(NamedTuple):
    people: int
    seats: int
    partners: bool
    movement: Movement

    def __str__(self) -> str:
        return f"{self.people} people, {self.seats} seats, {len(self.movement)} deals{', partners' * self.partners}"


@pytest.fixture(
    scope="module",
    params=[
        *((*table, DEALS) for table in TABLES),
        *(pytest.param((*table, MORE_DEALS), marks=pytest.mark.slow) for table in TABLES),
    ],
    ids=lambda found: f"{found[0]} seats{', partners' * found[1]}, up to {max(found[2])} deals",
)
def matches(request: pytest.FixtureRequest) -> list[Match]:
    """Matches of all sizes, for one number of seats."""
    seats, partners, all_deals = request.param
    people = range(2, duplicate.MAX_PEOPLE + 1)
    return [
        Match(one, seats, partners, duplicate.movement(one, seats, deals, partners))
        for one in people
        for deals in all_deals
    ]


def spread(counts: Counter, keys: list) -> int:  # type: ignore[type-arg]
    values = [counts[key] for key in keys]
    return max(values) - min(values)


def holders(deal: Deal, seat: int) -> list[int]:
    return [table[seat] for table in deal if table[seat] != BOT]


@pytest.mark.later
def test_everyone_sits_once_in_each_deal_at_two_tables_or_more(matches):
    for match in matches:
        for deal in match.movement:
            assert sorted(person for table in deal for person in table if person != BOT) == list(range(match.people)), (
                f"{match}: {deal}"
            )
            assert len(deal) == max(2, -(-match.people // match.seats)), f"{match}: {len(deal)} tables"
            assert {len(table) for table in deal} == {match.seats}, f"{match}: a table of another size: {deal}"


@pytest.mark.later
def test_bots_are_spread_over_tables_and_hold_whole_hands(matches):
    for match in matches:
        for deal in match.movement:
            bots = [table.count(BOT) for table in deal]
            assert max(bots) - min(bots) <= 1, f"{match}: the tables have {bots} bots"
            held = sorted(number for seat in range(match.seats) if (number := len(holders(deal, seat))))
            assert held[-1] - held[0] <= 1, f"{match}: the hands of people are held {held} times"
            assert len(held) == -(-match.people // len(deal)), f"{match}: {len(held)} hands is not as few as possible"
            assert held.count(1) == (match.people % 2 if len(deal) == 2 else 0), f"{match}: alone: {held}"


@pytest.mark.later
def test_everyone_has_each_seat_and_meets_each_other_equally_often(matches):
    uneven_seats = uneven_meetings = 0
    for match in matches:
        tables = [table for deal in match.movement for table in deal]
        seats = [
            Counter(seat for table in tables for seat in range(match.seats) if table[seat] == person)
            for person in range(match.people)
        ]
        seat_spread = max(spread(own, list(range(match.seats))) for own in seats)
        assert seat_spread <= SEAT_SPREAD, f"{match}: someone's seats differ by {seat_spread}"
        people = [sorted(person for person in table if person != BOT) for table in tables]
        meetings = Counter(pair for at_table in people for pair in combinations(at_table, 2))
        meeting_spread = spread(meetings, list(combinations(range(match.people), 2)))
        assert meeting_spread <= MEETING_SPREAD, f"{match}: some pair meets {meeting_spread} times more than another"
        uneven_seats += seat_spread > USUAL_SEAT_SPREAD
        uneven_meetings += meeting_spread > USUAL_MEETING_SPREAD
    assert uneven_seats <= len(matches) // 10, f"seats are uneven in {uneven_seats} of {len(matches)} matches"
    assert uneven_meetings <= len(matches) // 10, f"meetings are uneven in {uneven_meetings} of {len(matches)} matches"


@pytest.mark.later
def test_partners_change_evenly(matches):
    for match in (match for match in matches if match.partners):
        half = match.seats // 2
        pairs = Counter(
            tuple(sorted((table[seat], table[seat + half])))
            for deal in match.movement
            for table in deal
            for seat in range(half)
            if BOT not in (table[seat], table[seat + half])
        )
        found = spread(pairs, list(combinations(range(match.people), 2)))
        assert found <= 4, f"{match}: some pair plays together {found} times more than another"


def test_movement_is_the_same_every_time():
    first = duplicate.movement(9, 4, 5)
    duplicate.movement.cache_clear()
    assert duplicate.movement(9, 4, 5) == first, "the same match got other tables"


@pytest.mark.parametrize(
    ("wrong", "says"), [((1, 4, 3), "people"), ((25, 4, 3), "people"), ((4, 7, 3), "seats"), ((4, 4, 0), "deals")]
)
def test_movement_refuses_sizes_out_of_range(wrong, says):
    with pytest.raises(ValueError, match=says):
        duplicate.movement(*wrong)


def reference_scores(deal: Deal, results: list[list[int] | None]) -> dict[int, Fraction | None]:
    """Score a deal person by person, directly from the definition."""
    scores: dict[int, Fraction | None] = {}
    for own_table, own_results in enumerate(results):
        for seat, person in enumerate(deal[own_table]):
            if person == BOT or own_results is None:
                continue
            people, bots = [], []
            for table, found in enumerate(results):
                if table != own_table and found is not None:
                    (bots if deal[table][seat] == BOT else people).append(found[seat])
            others = people or bots
            scores[person] = Fraction(len(others) * own_results[seat] - sum(others), len(others)) if others else None
    return scores


@pytest.mark.parametrize("seed", range(20))
def test_scores_and_places_agree_with_the_reference(seed):
    rng = random.Random(seed)
    people, seats, deals = rng.randint(2, 24), rng.randint(2, 6), rng.randint(1, 6)
    movement = duplicate.movement(people, seats, deals)
    results = [
        [None if rng.random() < 0.2 else [rng.randint(0, 9) for _ in table] for table in deal] for deal in movement
    ]
    expected = [reference_scores(deal, found) for deal, found in zip(movement, results, strict=True)]
    found = duplicate.scores(movement, results)
    for deal, hands in enumerate(found.deals):
        scores = {entry.person: entry.score for hand in hands for entry in hand.entries}
        assert scores == {person: None if score is None else float(score) for person, score in expected[deal].items()}
        for hand in hands:
            for entry in hand.entries:
                assert movement[deal][entry.table][hand.seat] == entry.person, f"{entry} has another seat"
                assert results[deal][entry.table][hand.seat] == entry.result, f"{entry} has another result"
            assert [entry.result for entry in hand.entries] == sorted(
                (entry.result for entry in hand.entries), reverse=True
            )
    totals = [sum(deal.get(person) or Fraction() for deal in expected) for person in range(people)]
    assert sorted(standing.person for standing in found.standings) == list(range(people))
    for person, place, score, result, scored in found.standings:
        assert score == float(totals[person])
        assert place == 1 + len([total for total in totals if total > totals[person]]), f"{person} of {totals}"
        assert scored == len([1 for deal in expected if deal.get(person) is not None]), "a deal without a score counted"
        own = [
            entry.result for hands in found.deals for hand in hands for entry in hand.entries if entry.person == person
        ]
        assert result == sum(own)
    assert [standing.place for standing in found.standings] == sorted(standing.place for standing in found.standings)


def test_person_is_compared_with_bots_only_where_no_person_held_the_hand():
    deal = ((0, BOT, 1), (BOT, 2, 3), (4, BOT, 5))
    hands = duplicate.scores((deal,), [[[10, 0, 1], [4, 6, 3], [7, 2, 8]]]).deals[0]
    assert hands[0].entries == (duplicate.HandEntry(0, 0, 10, 3, False), duplicate.HandEntry(4, 2, 7, -3, False)), (
        "a bot's result counted beside a person's"
    )
    assert hands[1].entries == (duplicate.HandEntry(2, 1, 6, 5, True),)
    assert [entry.score for entry in hands[2].entries] == [6, -1.5, -4.5]


def test_only_table_that_was_finished_has_no_score():
    scores = duplicate.scores((((0, 1), (2, 3)),), [[None, [5, 2]]])
    assert [[entry.person for entry in hand.entries] for hand in scores.deals[0]] == [[2], [3]], "open table"
    assert scores.deals[0][0].entries[0].score is None, "a table was compared with one that was not finished"
    assert [(standing.place, standing.scored) for standing in scores.standings] == [(1, 0)] * 4


def test_results_are_points_and_in_a_game_for_two_the_win():
    assert duplicate.seat_results(GAMES["crystals"], {"scores": [5, 9, 2], "winners": [1]}) == (5, 9, 2)
    assert duplicate.seat_results(GAMES["mines"], {"scores": [5, 9], "winners": [0]}) == (1, 0)
    assert duplicate.seat_results(GAMES["mines"], {"scores": [5, 9], "winners": [0, 1]}) == (
        Fraction(1, 2),
        Fraction(1, 2),
    )
