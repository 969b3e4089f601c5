"""Every variant of every game, random positions, and other worlds that a seat cannot tell apart."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from diamonds import cards, deals, fields, records
from diamonds.errors import DiamondsError
from diamonds.game import GAMES, Game
from diamonds.rules import mines
from tests.support.positions import sort_piles


class Variant(NamedTuple):
    """A game with its number of seats and its options."""

    game: Game
    seats: int
    options: dict[str, Any]

    def __str__(self) -> str:
        usual = self.game.check_options(self.seats)
        said = [f"{k}={v}" for k, v in self.options.items() if v != usual[k]]
        return " ".join([self.game.name, str(self.seats), *said])


def all_variants(*games: str) -> list[Variant]:
    """Return every legal combination of options at every number of seats, with default targets and rounds."""
    found = []
    for game in GAMES.values():
        if games and game.name not in games:
            continue
        choices = [[(o.name, v) for v in o.values] for o in game.options if not isinstance(o.values, range)]
        for seats, chosen in itertools.product(game.seats, itertools.product(*choices)):
            try:
                options = game.check_options(seats, dict(chosen))
            except DiamondsError:
                continue
            found.append(Variant(game, seats, options))
    return found


VARIANTS = all_variants()


def start_variant(variant: Variant, seed: int) -> records.RecordedGame:
    return records.start_game(variant.game, variant.seats, variant.options, deals.seeded_secret(seed))


def random_answer(played: records.RecordedGame, rng: random.Random) -> tuple[int, int | str]:
    """Return a random seat to act and a random legal answer."""
    seat = rng.choice(played.game.to_act(played.state))
    return seat, rng.choice(played.game.legal(played.state, seat))


def play_random_answers(played: records.RecordedGame, rng: random.Random, most: int = 1_000_000) -> None:
    """Give random answers until the game is over, but at most this number."""
    for _ in range(most):
        if played.over:
            break
        played.answer(*random_answer(played, rng))


def random_game(variant: Variant, seed: int, most: int = 1_000_000) -> records.RecordedGame:
    """Return a random game at its end, or after this number of answers."""
    played = start_variant(variant, seed)
    play_random_answers(played, random.Random(seed), most)
    return played


def random_entries(variant: Variant, seed: int) -> tuple[list[str], list[bytes]]:
    """Return entries of a random game with undos and seat changes, and the states before each and after the last."""
    rng, played = random.Random(seed), start_variant(variant, seed)
    lines, states = [], [records.copy_game(played)]
    while not played.over:
        chance, seat = rng.random(), rng.randrange(variant.seats)
        played = records.copy_game(played)
        if chance < 0.05 and len(lines) < 300:
            to = rng.randrange(max(0, len(lines) - 30), len(lines) + 1)
            played, words = records.copy_game(states[to]), rng.choice([f"undo {to}", f"undo {to} agreed"])
        elif chance < 0.1:
            words = rng.choice(["seat open", "seat person", "seat bot:5", "timeout"])
        else:
            seat, answer = random_answer(played, rng)
            words = f"{played.game.question(played.state).name} {answer}{rng.choice(['', ' by simple'])}"
            played.answer(seat, answer)
        lines.append(f"{seat} {words}")
        states.append(played)
    return [*lines, "0 seat open"], [played.state.tobytes() for played in states]


def random_positions(variant: Variant, seed: int, every: int) -> Iterator[records.RecordedGame]:
    """Yield positions of one random game, about one in ``every``; the match continues between them."""
    rng, played = random.Random(seed), start_variant(variant, seed)
    while not played.over:
        if rng.randrange(every) == 0:
            yield played
        played.answer(*random_answer(played, rng))
    yield played


# Other worlds. These are written from the rules, not from the declared visibility, which they test.


def indistinguishable_state(game: Game, state: np.void, seat: int, rng: random.Random, pinned: int = 0) -> np.void:
    """Return a state that differs in everything that a seat (−1: a spectator) cannot know, and in nothing else.

    ``pinned`` cards stay where they are.
    """
    world = fields.copy_state(state)
    if game.name == "mines":
        _redeal_mines(world, seat, rng, pinned)
    else:
        _redeal_hands(game, world, seat, rng, pinned)
    return world


def _redeal_hands(game: Game, s: np.void, viewer: int, rng: random.Random, pinned: int) -> None:
    """Deal the hidden cards again, respecting the passed cards and known voids."""
    seats = range(int(s["seats"]))
    others = [seat for seat in seats if seat != viewer]
    fixed = {seat: int(s["hand"][seat]) & pinned for seat in others}
    crystals = game.name == "crystals"
    if crystals and viewer >= 0 and s["given"][viewer]:
        to = pass_recipient(s, viewer)
        fixed[to] |= int(s["hand"][to]) & int(s["given"][viewer])
    free = [c for seat in others for c in cards.iter_bits(int(s["hand"][seat]) & ~fixed[seat])]
    free += cards.iter_bits(int(s["aside"]) & ~pinned)
    hand_sizes = {seat: cards.count(int(s["hand"][seat]) & ~fixed[seat]) for seat in others}
    dealt = _deal_around_voids(free, hand_sizes, {seat: int(s["void"][seat]) for seat in others}, game.ranks, rng)
    for seat in others:
        s["hand"][seat] = fixed[seat] | dealt[seat]
    s["aside"] = (int(s["aside"]) & pinned) | sum(1 << c for c in free if not any(dealt[o] >> c & 1 for o in others))
    if crystals:
        _rechoose_passes(s, viewer, rng, pinned)
    elif s["scoring"] == 1 and not s["bids_open"]:
        for seat in others:
            if s["bid"][seat] >= 0:
                s["bid"][seat] = rng.randrange(14)


def pass_recipient(s: np.void, seat: int) -> int:
    """Return the seat to which a seat passes cards in this round (C9, C23)."""
    seats, other_seats = int(s["seats"]), int(s["seats"]) - 1
    step = seats // 2 if s["partnership"] else (int(s["round"]) - 1) % other_seats + 1 if s["pass_to"] else 1
    return (seat + step) % seats


def _deal_around_voids(
    free: list[int], hand_sizes: dict[int, int], void: dict[int, int], ranks: int, rng: random.Random
) -> dict[int, int]:
    """Return a random deal that respects known voids, by repeated attempts, most constrained seat first."""
    order = sorted(hand_sizes, key=lambda seat: -void[seat].bit_count())
    for _ in range(200):
        left, dealt = rng.sample(free, len(free)), dict.fromkeys(hand_sizes, 0)
        for seat in order:
            fit = [c for c in left if not void[seat] >> c // ranks & 1][: hand_sizes[seat]]
            dealt[seat] = sum(1 << c for c in fit)
            left = [c for c in left if c not in fit]
        if all(dealt[seat].bit_count() == hand_sizes[seat] for seat in hand_sizes):
            return dealt
    raise AssertionError("no world found in 200 tries")


def _rechoose_passes(s: np.void, viewer: int, rng: random.Random, pinned: int) -> None:
    """Replace the other seats' choices of cards to pass, and the cards passed between them, by other possible ones."""
    seats = int(s["seats"])
    for seat in range(seats):
        if seat != viewer and s["chosen"][seat]:
            chosen = cards.count(s["chosen"][seat])
            hand = list(cards.iter_bits(s["hand"][seat]))
            if int(s["to_act"]) >> seat & 1 and s["question"] == 1:  # still choosing, in ascending order
                hand = hand[: len(hand) - (int(s["passing"]) - chosen)]
            s["chosen"][seat] = sum(1 << c for c in rng.sample(hand, chosen))
    if s["question"] != 1 and s["passing"] > 0:
        for seat in range(seats):
            to = pass_recipient(s, seat)
            if viewer not in (seat, to):
                had = list(cards.iter_bits(int(s["hand"][to]) | int(s["played"][to])))
                s["given"][seat] = s["received"][to] = sum(1 << c for c in rng.sample(had, int(s["passing"])))


def _redeal_mines(s: np.void, viewer: int, rng: random.Random, pinned: int) -> None:
    """Shuffle the cards in the piles and in unseen hands."""
    others = [seat for seat in range(2) if seat != viewer]
    known = int(s["known"][viewer]) if viewer >= 0 else 0
    fixed = {seat: int(s["hand"][seat]) & (known | pinned) for seat in others}
    free = [c for seat in others for c in cards.iter_bits(int(s["hand"][seat]) & ~fixed[seat])]
    places = [(p, k) for p in range(mines.PILES) for k in range(mines.DEPTH) if s["piles"][p, k] >= 0]
    free += [int(s["piles"][place]) for place in places]
    rng.shuffle(free)
    for seat in others:
        size = int(s["hand_size"][seat]) - cards.count(fixed[seat])
        s["hand"][seat] = fixed[seat] | sum(1 << free.pop() for _ in range(size))
    for place in places:
        s["piles"][place] = free.pop()
    sort_piles(s)
    for seat in others if viewer < 0 else ():  # both players know the cards handed over, but nobody else does
        s["known"][seat] = sum(1 << c for c in cards.iter_bits(s["hand"][1 - seat]) if rng.randrange(3) == 0)
