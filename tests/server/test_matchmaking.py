"""Matchmaking: a function from seeks to tables that does not depend on the order of the seeks."""

import itertools
import math
import random

import pytest

from diamonds.server.lobby.matchmaking import MAX_HOLD_S, GameOffer, Pairing, Seek, pair_seeks

MINES_2 = GameOffer("mines", 2, "steady")
FOURTEEN_3 = GameOffer("fourteen", 3, "steady")
CRYSTALS_4 = GameOffer("crystals", 4, "steady")
CRYSTALS_4_FAST = GameOffer("crystals", 4, "quick")
ALL_KINDS = [
    MINES_2, FOURTEEN_3, CRYSTALS_4, CRYSTALS_4_FAST, GameOffer("mines", 3, "calm"),
    GameOffer("crystals", 6, "steady"),
]  # fmt: skip


def make_seek(who: str, *kinds: GameOffer, since: float = 0.0, bots_at: float = math.inf) -> Seek:
    return Seek(who, kinds, since, bots_at)


def test_two_matching_seeks_are_paired_and_a_third_waits():
    found = pair_seeks(
        [make_seek("ann", MINES_2, since=1), make_seek("ben", MINES_2, since=2), make_seek("cat", MINES_2, since=3)], 4
    )
    assert found == [Pairing(MINES_2, ("ann", "ben"))]


def test_largest_table_wins_and_the_longest_waiting_chooses_among_equals():
    four = [make_seek(who, MINES_2, CRYSTALS_4, CRYSTALS_4_FAST, since=k) for k, who in enumerate("abcd")]
    assert pair_seeks(four, 4) == [Pairing(CRYSTALS_4, tuple("abcd"))]
    assert pair_seeks([make_seek("a", MINES_2, CRYSTALS_4_FAST, CRYSTALS_4, since=-1), *four[1:]], 4) == [
        Pairing(CRYSTALS_4_FAST, tuple("abcd"))
    ]


def test_blocked_people_are_never_paired_and_the_next_one_is_taken():
    three = [make_seek(who, MINES_2, since=k) for k, who in enumerate("abc")]
    found = pair_seeks(three, 5, lambda one, other: {one, other} == {"a", "b"})
    assert found == [Pairing(MINES_2, ("a", "c"))]
    five = [make_seek(who, CRYSTALS_4, since=k) for k, who in enumerate("abcde")]
    found = pair_seeks(five, 5, lambda one, other: {one, other} in ({"a", "b"}, {"b", "c"}))
    assert found == [Pairing(CRYSTALS_4, tuple("acde"))]


def test_compatible_group_is_found_although_the_first_choice_does_not_fit():
    five = [make_seek(who, CRYSTALS_4, since=k) for k, who in enumerate("abcde")]
    apart = [{"b", "c"}, {"b", "d"}, {"b", "e"}]
    assert pair_seeks(five, 5, lambda one, other: {one, other} in apart) == [Pairing(CRYSTALS_4, tuple("acde"))]


def test_seek_deadline_fills_seats_with_bots_and_includes_others_who_agree():
    ann = make_seek("ann", CRYSTALS_4, bots_at=10)
    ben = make_seek("ben", CRYSTALS_4, since=5, bots_at=60)
    cat = make_seek("cat", CRYSTALS_4, since=6)
    assert pair_seeks([ann, ben, cat], 9.9) == []
    assert pair_seeks([ann, ben, cat], 10) == [Pairing(CRYSTALS_4, ("ann", "ben"))], "cat accepts no bots"
    assert pair_seeks([make_seek("ann", MINES_2, CRYSTALS_4, bots_at=10)], 10) == [Pairing(MINES_2, ("ann",))]
    assert pair_seeks([make_seek("ann", MINES_2, CRYSTALS_4, bots_at=10), ben], 10) == [
        Pairing(CRYSTALS_4, ("ann", "ben"))
    ]


def test_narrow_seeks_are_favoured_but_not_for_ever():
    hard = make_seek("hard", CRYSTALS_4, since=0)
    easy = [make_seek(who, MINES_2, CRYSTALS_4, since=100.0) for who in "ab"]
    assert pair_seeks([hard, *easy], 101) == [], "expected a pair to wait for a third person who has waited long"
    assert pair_seeks([hard, *easy, make_seek("c", CRYSTALS_4, since=102)], 102) == [
        Pairing(CRYSTALS_4, ("hard", "a", "b", "c"))
    ]
    assert pair_seeks([hard, *easy], 140) == [Pairing(MINES_2, ("a", "b"))], "expected a quarter of the time at most"
    late = [make_seek(who, MINES_2, CRYSTALS_4, since=5000.0) for who in "ab"]
    assert pair_seeks([hard, *late], 5000 + MAX_HOLD_S - 1) == []
    assert pair_seeks([hard, *late], 5000 + MAX_HOLD_S) == [Pairing(MINES_2, ("a", "b"))], "expected a minute at most"
    apart = pair_seeks([hard, *easy], 101, lambda one, other: "hard" in (one, other))
    assert apart == [Pairing(MINES_2, ("a", "b"))], "expected no waiting for an incompatible person"


def test_ten_thousand_simultaneous_seeks_are_nearly_all_paired():
    rng = random.Random(7)
    kinds = [GameOffer(game, seats, pace, clock) for game, most in (("crystals", 6), ("fourteen", 6), ("mines", 4))
             for seats in range(2, most + 1) for pace in ("quick", "steady") for clock in ("none", "fast")]  # fmt: skip
    people = [make_seek(f"p{k}", *rng.sample(kinds, rng.randrange(1, 12)), since=k / 100) for k in range(10_000)]
    looked = 0

    def apart(one: str, other: str) -> bool:
        nonlocal looked
        looked += 1
        return False

    found = pair_seeks(people, 200.0, apart)
    seated = {who for one in found for who in one.people}
    assert len(seated) == sum(len(one.people) for one in found)
    assert len(people) - len(seated) < len(kinds) * 6, "expected fewer people left than there are kinds of tables"
    assert looked < 40 * len(people), f"expected fewer than {looked:,} checks for blocks"


def random_crowd(seed: int) -> tuple[list[Seek], float, set[frozenset[str]]]:
    rng = random.Random(seed)
    people = [f"p{k}" for k in range(rng.randrange(2, 40))]
    seeks = []
    for who in people:
        kinds = tuple(rng.sample(ALL_KINDS, rng.randrange(1, len(ALL_KINDS))))
        since = rng.choice([0.0, 5.0, rng.uniform(0, 300)])
        bots_after = rng.choice([math.inf, math.inf, rng.uniform(0, 400)])
        seeks.append(Seek(who, kinds, since, bots_after))
    blocked = {frozenset(rng.sample(people, 2)) for _ in range(rng.randrange(12))}
    return seeks, 300.0 + rng.uniform(0, 60), blocked


@pytest.mark.parametrize("seed", range(60))
def test_nobody_is_paired_twice_or_against_their_seek_or_blocks(seed):
    seeks, now, blocked = random_crowd(seed)

    def apart(one: str, other: str) -> bool:
        return frozenset((one, other)) in blocked

    found = pair_seeks(seeks, now, apart)
    by_name = {one.person: one for one in seeks}
    seated = [who for one in found for who in one.people]
    assert len(seated) == len(set(seated)), f"seed {seed}: expected one seat for each person"
    for one in found:
        assert all(one.offer in by_name[who].offers for who in one.people), f"seed {seed}: fits not every seek"
        assert not any(apart(*pair) for pair in itertools.combinations(one.people, 2)), f"seed {seed}: blocked: {one}"
        if len(one.people) < one.offer.seats:
            assert all(by_name[who].bots_at < math.inf for who in one.people), f"seed {seed}: unwanted bots: {one}"
            assert any(by_name[who].bots_at <= now for who in one.people), f"seed {seed}: bots before the deadline"
    shuffled = random.Random(seed + 1).sample(seeks, len(seeks))
    assert pair_seeks(shuffled, now, apart) == found, f"seed {seed}: expected the same tables in any order of seeks"
    left = [one for one in seeks if one.person not in set(seated)]
    assert pair_seeks(left, now, apart) == [], f"seed {seed}: expected no possible table to remain"


@pytest.mark.parametrize("seed", range(20))
def test_longest_waiting_of_equal_seeks_is_paired_first(seed):
    rng = random.Random(seed)
    kinds = tuple(rng.sample(ALL_KINDS, 2))
    seeks = [Seek(f"p{k}", kinds, rng.uniform(0, 100)) for k in range(17)]
    found = pair_seeks(seeks, 1000)
    seated = {who for one in found for who in one.people}
    youngest = max(one.since for one in seeks if one.person in seated)
    assert all(one.person in seated for one in seeks if one.since <= youngest), f"seed {seed}: longest waiting first"
