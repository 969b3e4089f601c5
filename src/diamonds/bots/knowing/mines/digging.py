"""How levels 2 to 5 play mines: every answer tried in thousands of worlds, which are dealt by what the other is likely to hold.

As `diamonds.bots.thinking.search`, with two differences. In the playouts one's own seat plays by tuned weights
(`weights`), and the other in one of several styles, drawn for each world: nobody knows whom they sit across
from. And the other's hand is not drawn evenly from the unseen cards but by suits as people keep them
(`likely`); which cards of a suit, and how the piles lie, is even.

What is used is the view and nothing else: the same view and seed give the same answer, however the hidden cards lie.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from diamonds import jit
from diamonds.bots.knowing.contract import SAME, Found, Solve
from diamonds.bots.knowing.mines import likely, weights
from diamonds.bots.knowing.mines import worlds as mine_worlds
from diamonds.cards import CLUBS, DIAMONDS, SHORT, SPADES, bit, count, lowest, members, suit_cards
from diamonds.chance import draw, pick
from diamonds.rules import mines

TRIES = 1_000_000  # to find a world in which the game goes on; the truth is one, so this is never reached
STYLES = np.array([weights.TUNED, weights.PLAIN, weights.EAGER])  # the first is one's own


class Pains(NamedTuple):
    """How hard to think.

    ``worlds`` are dealt at most, ``first`` before anything is decided; of the other's answers ``noise`` thousandths are random.
    An answer is dropped when it is surely, by ``doubt`` standard errors, no better than ``close`` more than the best, in wins;
    what the weights alone would answer is kept unless the best is ``gate`` standard errors ahead of it.
    """

    worlds: int = 12000
    first: int = 64
    noise: int = 100
    doubt: float = 2.0
    close: float = 0.003
    gate: float = 2.0


# Functions of the kernel


def draw_hand(unseen, ways, upto, number, rng):
    """A hand of unseen cards: how many of each suit by chance, and then any of them."""
    at = upto[number - 1] * (draw(rng, 1 << 31) / (1 << 31))
    low, high = 0, number - 1
    while low < high:
        middle = (low + high) // 2
        if upto[middle] > at:
            high = middle
        else:
            low = middle + 1
    hand = 0
    for suit in range(4):
        for _ in range(ways[low, suit]):
            hand |= bit(pick(unseen & suit_cards(suit, SHORT) & ~hand, rng))
    return hand


def play_out(s, me, own, other, noise, rng):
    """Play a position to the end; returns what it is worth: one for a win, minus one for a loss, a hundredth for each ♦ more."""
    while s["over"] == 0:
        seat = lowest(s["to_act"])
        if seat == me:
            answer = weights.choose(s, seat, own)
        elif draw(rng, 1000) < noise:
            answer = pick(mines.legal(s, seat), rng)
        else:
            answer = weights.choose(s, seat, other)
        mines.step(s, seat, answer, None)
    worth = (mines.diamonds(s, me) - mines.diamonds(s, 1 - me)) / 100
    if s["winner"] >= 0:
        worth += 1.0 if s["winner"] == me else -1.0
    return worth


def surely_behind(values, done, one, other, doubt, close):
    """Whether one answer is so many standard errors behind another, world by world, or at least less than ``close`` ahead."""
    behind, square = 0.0, 0.0
    for world in range(done):
        behind += values[world, other] - values[world, one]
    behind = behind / done + close
    for world in range(done):
        distance = values[world, other] - values[world, one] - behind + close
        square += distance * distance
    return behind > 0 and behind * behind * done * (done - 1) >= doubt * doubt * square


compiled = jit.compiled_with(mine_worlds, weights, likely, sys.modules[__name__])


@lru_cache(maxsize=1)
def thinker() -> Callable[..., int]:
    """The compiled search.

    ``think(view, me, candidates, styles, beliefs, first, most, noise, doubt, close, gate, home, rng, mean, tried)`` fills in each
    candidate's mean worth and in how many worlds it was tried; ``home`` is the place of the weights' answer, −1 for none. Returns
    the place of the best, or −1 if the view is of no game that goes on.
    """

    @compiled
    def think(view, me, candidates, styles, beliefs, first, most, noise, doubt, close, gate, home, rng, mean, tried):
        rows = np.empty(2, view.dtype)
        world, s = rows[0], rows[1]
        other, known = 1 - me, view[0]["known"][me]
        unseen = mines.pack(view[0]) & ~(view[0]["hand"][me] | view[0]["discards"] | known)
        ways, upto = np.empty((likely.LONGEST, 4), np.int64), np.empty(likely.LONGEST)
        hands = likely.hands(view[0], other, unseen, view[0]["hand_size"][other] - count(known), beliefs, ways, upto)
        deck, again = np.empty(mines.PILES * mines.DEPTH, np.int64), np.zeros(1, np.uint64)
        number = len(candidates)
        values, alive = np.zeros((most, number)), np.ones(number, np.bool_)
        left, done, upper, best = number, 0, min(first, most), 0
        mean[:] = 0.0
        tried[:] = 0
        while True:
            while done < upper:
                for attempt in range(TRIES + 1):
                    rows[0] = view[0]
                    hand = draw_hand(unseen, ways, upto, hands, rng)
                    world["hand"][other] = hand | known
                    mine_worlds.bury(world, unseen & ~hand, deck, rng)
                    if mine_worlds.goes_on(world):
                        break
                    if attempt == TRIES:
                        return -1
                style = draw(rng, len(styles))
                for k in range(number):
                    if alive[k]:
                        rows[1] = rows[0]
                        again[0] = rng[0]
                        mines.step(s, me, candidates[k], None)
                        values[done, k] = play_out(s, me, styles[0], styles[style], noise, again)
                        mean[k] += values[done, k]
                        tried[k] += 1
                done += 1
            best = -1
            for k in range(number):
                if alive[k] and (best < 0 or mean[k] > mean[best]):
                    best = k
            if done == most:
                break
            for k in range(number):
                if alive[k] and k != best and surely_behind(values, done, k, best, doubt, close):
                    alive[k] = False
                    left -= 1
            if left == 1:
                break
            upper = min(2 * done, most)
        if home >= 0 and alive[home] and not surely_behind(values, done, home, best, gate, 0.0):
            best = home
        for k in range(number):
            mean[k] /= tried[k]
        return best

    return think  # type: ignore[no-any-return]


# From a view to an answer


def candidates_of(v: np.void, me: int, habit: int) -> list[int]:
    """What is compared: the habit, and of answers that hardly differ (which ♠ to discard, …) the cheapest and the dearest card."""
    legal, question = int(mines.legal(v, me)), int(v["question"])
    if question == mines.DIG:
        spades, piles = legal >> mines.SKIP + 1, legal & (1 << mines.SKIP + 1) - 1
        legal = piles | (bit(mines.SKIP + 1 + lowest(spades)) if spades else 0)
    elif question in (mines.GROW, mines.FIGHT_CARD, mines.DEFEND, mines.GIVE):
        kept = legal & bit(mines.NO_CARD)
        for suit in range(4):
            ranks = legal >> suit * SHORT & weights.RANKS
            if not ranks or (suit == DIAMONDS and ranks != legal):
                continue  # M13: a ♦ is given only by who has nothing else
            kept |= bit(suit * SHORT + int(weights.weakest(ranks)))
            if suit == CLUBS and question == mines.FIGHT_CARD:
                kept |= bit(suit * SHORT + int(weights.strongest(ranks)))
        legal = kept
    return sorted({habit, *members(legal)})


def habit_of(v: np.void, me: int) -> int:
    """What the weights alone would answer."""
    return int(weights.choose(v, me, weights.TUNED))


def search(v: np.void, me: int, pains: Pains, seed: int, solve: Solve) -> Found:
    """Compare the answers to a view (`diamonds.bots.bot.see`) of mines; the same for the same seed, wherever it runs.

    Where the view leaves a single world, and that can be played out, playouts only decide between equals.
    """
    habit = habit_of(v, me)
    candidates = candidates_of(v, me, habit)
    worth = solve(v, me, candidates) if len(candidates) > 1 else None
    if worth is None:
        return compare(v, me, candidates, habit, pains, seed)
    equal = [candidate for candidate, w in zip(candidates, worth, strict=True) if w >= max(worth) - SAME]
    found = compare(v, me, equal, habit, pains, seed)
    return Found(candidates, worth, [1] * len(candidates), candidates.index(equal[found.best]))


def compare(v: np.void, me: int, candidates: list[int], habit: int, pains: Pains, seed: int) -> Found:
    """Compare some answers in playouts."""
    if len(candidates) == 1:
        return Found(candidates, [0.0], [0], 0)
    mean, tried = np.zeros(len(candidates)), np.zeros(len(candidates), np.int64)
    best = thinker()(
        jit.as_rows(v), me, np.array(candidates, np.int64), STYLES, likely.BELIEFS,
        max(4, pains.first * 6 // max(len(candidates), 6)), pains.worlds, pains.noise, pains.doubt, pains.close, pains.gate,
        candidates.index(habit) if habit in candidates else -1, jit.new_rng(seed), mean, tried,
    )  # fmt: skip
    if best < 0:
        raise ValueError("This is no view of a game of mines that goes on: nothing fits it.")
    return Found(candidates, mean.tolist(), tried.tolist(), best)


assert SPADES == 2  # ways lists hands by ♦, ♥, ♠, ♣
