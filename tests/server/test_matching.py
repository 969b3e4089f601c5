"""Who plays with whom: from what people would play to tables, by a function that is the same whatever order it is given them in."""

from __future__ import annotations

import itertools
import math
import random

import pytest

from diamonds.server.meeting.matching import PATIENCE, Kind, Match, Seek, match

DUEL = Kind("mines", 2, "steady")
TRIO = Kind("fourteen", 3, "steady")
FOUR = Kind("crystals", 4, "steady")
FAST = Kind("crystals", 4, "quick")
KINDS = [DUEL, TRIO, FOUR, FAST, Kind("mines", 3, "calm"), Kind("crystals", 6, "steady")]


def seek(who: str, *kinds: Kind, since: float = 0.0, bots_at: float = math.inf) -> Seek:
    return Seek(who, kinds, since, bots_at)


def test_two_who_would_play_the_same_meet_and_a_third_waits() -> None:
    found = match([seek("ann", DUEL, since=1), seek("ben", DUEL, since=2), seek("cat", DUEL, since=3)], 4)
    assert found == [Match(DUEL, ("ann", "ben"))]


def test_who_would_play_nothing_in_common_does_not_meet() -> None:
    assert match([seek("ann", FAST), seek("ben", FOUR), seek("cat", DUEL)], 4) == []


def test_of_several_kinds_the_largest_table_is_made_and_of_these_the_one_that_who_waits_longest_likes_best() -> None:
    four = [seek(who, DUEL, FOUR, FAST, since=k) for k, who in enumerate("abcd")]
    assert match(four, 4) == [Match(FOUR, tuple("abcd"))]
    assert match([seek("a", DUEL, FAST, FOUR, since=-1), *four[1:]], 4) == [Match(FAST, tuple("abcd"))]


def test_people_who_are_apart_never_meet_and_the_next_one_takes_the_place() -> None:
    three = [seek(who, DUEL, since=k) for k, who in enumerate("abc")]
    found = match(three, 5, lambda one, other: {one, other} == {"a", "b"})
    assert found == [Match(DUEL, ("a", "c"))]
    five = [seek(who, FOUR, since=k) for k, who in enumerate("abcde")]
    found = match(five, 5, lambda one, other: {one, other} in ({"a", "b"}, {"b", "c"}))
    assert found == [Match(FOUR, tuple("acde"))]


def test_a_company_is_found_though_the_first_who_comes_to_mind_does_not_fit_the_others() -> None:
    five = [seek(who, FOUR, since=k) for k, who in enumerate("abcde")]
    apart = [{"b", "c"}, {"b", "d"}, {"b", "e"}]
    assert match(five, 5, lambda one, other: {one, other} in apart) == [Match(FOUR, tuple("acde"))]


def test_when_the_time_is_up_bots_have_the_other_seats_and_who_would_have_bots_too_is_taken_along() -> None:
    ann, ben, cat = seek("ann", FOUR, bots_at=10), seek("ben", FOUR, since=5, bots_at=60), seek("cat", FOUR, since=6)
    assert match([ann, ben, cat], 9.9) == []
    assert match([ann, ben, cat], 10) == [Match(FOUR, ("ann", "ben"))], "cat would have no bots"
    assert match([seek("ann", DUEL, FOUR, bots_at=10)], 10) == [Match(DUEL, ("ann",))]
    assert match([seek("ann", DUEL, FOUR, bots_at=10), ben], 10) == [Match(FOUR, ("ann", "ben"))]


def test_whoever_is_hard_to_please_is_kept_free_for_but_not_for_ever() -> None:
    hard = seek("hard", FOUR, since=0)
    easy = [seek(who, DUEL, FOUR, since=100.0) for who in "ab"]
    assert match([hard, *easy], 101) == [], "two sat down at once though somebody waits for them since long ago"
    assert match([hard, *easy, seek("c", FOUR, since=102)], 102) == [Match(FOUR, ("hard", "a", "b", "c"))]
    assert match([hard, *easy], 140) == [Match(DUEL, ("a", "b"))], "they wait for longer than a quarter of that"
    late = [seek(who, DUEL, FOUR, since=5000.0) for who in "ab"]
    assert match([hard, *late], 5000 + PATIENCE - 1) == []
    assert match([hard, *late], 5000 + PATIENCE) == [Match(DUEL, ("a", "b"))], "nobody is kept for more than a minute"
    apart = match([hard, *easy], 101, lambda one, other: "hard" in (one, other))
    assert apart == [Match(DUEL, ("a", "b"))], "they wait for somebody with whom they do not play"


def test_ten_thousand_who_come_at_once_are_seated_and_few_are_left_however_they_come() -> None:
    rng = random.Random(7)
    kinds = [Kind(game, seats, pace, clock) for game, most in (("crystals", 6), ("fourteen", 6), ("mines", 4))
             for seats in range(2, most + 1) for pace in ("quick", "steady") for clock in ("none", "fast")]  # fmt: skip
    people = [seek(f"p{k}", *rng.sample(kinds, rng.randrange(1, 12)), since=k / 100) for k in range(10_000)]
    looked = 0

    def apart(one: str, other: str) -> bool:
        nonlocal looked
        looked += 1
        return False

    found = match(people, 200.0, apart)
    seated = {who for one in found for who in one.people}
    assert len(seated) == sum(len(one.people) for one in found)
    assert len(people) - len(seated) < len(kinds) * 6, "more are left than there are kinds of tables to wait at"
    assert looked < 40 * len(people), f"It was asked {looked:,} times whether two are apart."


def crowd(seed: int) -> tuple[list[Seek], float, set[frozenset[str]]]:
    rng = random.Random(seed)
    people = [f"p{k}" for k in range(rng.randrange(2, 40))]
    seeks = [
        Seek(
            who,
            tuple(rng.sample(KINDS, rng.randrange(1, len(KINDS)))),
            rng.choice([0.0, 5.0, rng.uniform(0, 300)]),
            rng.choice([math.inf, math.inf, rng.uniform(0, 400)]),
        )
        for who in people
    ]
    blocked = {frozenset(rng.sample(people, 2)) for _ in range(rng.randrange(12))}
    return seeks, 300.0 + rng.uniform(0, 60), blocked


@pytest.mark.parametrize("seed", range(60))
def test_nobody_is_seated_twice_or_at_what_they_would_not_play_or_with_whom_they_do_not(seed: int) -> None:
    seeks, now, blocked = crowd(seed)

    def apart(one: str, other: str) -> bool:
        return frozenset((one, other)) in blocked

    found = match(seeks, now, apart)
    by_name = {one.who: one for one in seeks}
    seated = [who for one in found for who in one.people]
    assert len(seated) == len(set(seated)), f"seed {seed}: somebody is seated twice"
    for one in found:
        assert all(one.kind in by_name[who].kinds for who in one.people), (
            f"seed {seed}: {one} is not what all would play"
        )
        assert not any(apart(*pair) for pair in itertools.combinations(one.people, 2)), (
            f"seed {seed}: {one} has two apart"
        )
        if len(one.people) < one.kind.seats:
            assert all(by_name[who].bots_at < math.inf for who in one.people), f"seed {seed}: bots for who wants none"
            assert any(by_name[who].bots_at <= now for who in one.people), f"seed {seed}: bots before the time is up"
    shuffled = random.Random(seed + 1).sample(seeks, len(seeks))
    assert match(shuffled, now, apart) == found, f"seed {seed}: it depends on the order in which the seeks are given"
    left = [one for one in seeks if one.who not in set(seated)]
    assert match(left, now, apart) == [], f"seed {seed}: somebody who could have been seated was left"


@pytest.mark.parametrize("seed", range(20))
def test_who_waits_longest_and_would_play_the_same_is_seated_first(seed: int) -> None:
    rng = random.Random(seed)
    kinds = tuple(rng.sample(KINDS, 2))
    seeks = [Seek(f"p{k}", kinds, rng.uniform(0, 100)) for k in range(17)]
    found = match(seeks, 1000)
    seated = {who for one in found for who in one.people}
    youngest = max(one.since for one in seeks if one.who in seated)
    assert all(one.who in seated for one in seeks if one.since <= youngest), f"seed {seed}: somebody was passed over"
