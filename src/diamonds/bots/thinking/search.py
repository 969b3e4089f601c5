"""Search: try every answer in many worlds, play each on with noisy rules of thumb, and take the best on average.

1. *Worlds* consistent with the view are dealt (`diamonds.bots.thinking.worlds`).
2. *Candidates*: the legal answers, one for each class of cards that amount to the same; a set of cards to pass is one
   candidate.
3. *Playouts*: in each world every candidate is followed by play to the end of the round (crystals), hand (fourteen) or game
   (mines). Every seat plays from its own hand, so nobody in a playout profits from seeing the world: by `simple`, or in
   crystals by what practice has taught about cards (`diamonds.bots.knowing.learned`), the own seat always and the others in half of
   the worlds; who prepares for one kind of opponent alone loses to the other. A large share of the others' answers
   (``noise``) is drawn at random: who is too sure of what the others will do, is surprised by anyone who does not. All
   candidates share the random numbers of a world.
4. *Worlds where they matter*: the number of worlds doubles, and a candidate is dropped once it is behind the best by more
   than chance explains. What is clear ends early.

The worth of a playout is the margin: own points (or the team's) less the mean of the others', and where the game ends also
winning itself. Kernels are compiled by `jit` and run without the GIL.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import lru_cache
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from diamonds import jit
from diamonds.bots.knowing import learned, simple
from diamonds.bots.thinking import worlds
from diamonds.cards import LONG, bit, count, lowest, members
from diamonds.fields import SEATS
from diamonds.game import Game
from diamonds.jit import draw, pick
from diamonds.rules import crystals, fourteen, mines

WINNING = {
    crystals.NAME: 6.0,
    fourteen.NAME: 6.0,
    mines.NAME: 1.0,
}  # what winning is worth beside the margin, in points
FEW = 6  # candidates up to this many are only dropped for good reason; of more, the worse half goes at every step


class Effort(NamedTuple):
    """How hard to search.

    ``worlds`` are dealt at most, ``first`` before anything is decided (for up to `FEW` candidates). ``own_noise`` and ``noise``
    are the random answers among one's own and the others', in thousandths. A candidate is dropped when it is ``doubt``
    standard errors behind the best; what the rules of thumb would answer is kept unless the best is ``gate`` ahead of it.
    ``plans`` are those tried with every candidate where plans matter (`plans_for`). With a ``horizon`` nobody looks further
    ahead than so many tricks (in mines: turns), and what comes at the end of the round is not seen coming. ``exact``: the
    last tricks are played out where all cards are known (`diamonds.bots.thinking.exact`).
    """

    worlds: int = 600
    first: int = 32
    own_noise: int = 0
    noise: int = 400
    doubt: float = 2.0
    plans: tuple[int, ...] = (0, 1)
    gate: float = 0.0
    horizon: int = 0
    exact: bool = True


class Found(NamedTuple):
    """What a search found: candidates (answers; for `pass` sets of cards), their mean worth, and how many worlds each had."""

    candidates: list[int]
    worth: list[float]
    worlds: list[int]
    best: int  # the place of the best candidate


# What the kernel needs to know of each game


def crystals_open(s, me):
    """In playouts the others choose what to pass by themselves, whatever a world says they have chosen."""
    if s["question"] == crystals.PASS:
        for seat in range(s["seats"]):
            if seat != me:
                s["chosen"][seat] = 0
                s["to_act"] |= bit(seat)


def fourteen_open(s, me):
    """The same for sealed bids."""
    if s["question"] == fourteen.BIDDING and s["bids_open"] == 0:
        for seat in range(s["seats"]):
            if seat != me:
                s["bid"][seat] = -1
                s["to_act"] |= bit(seat)


def mines_open(s, me):
    """Nothing is chosen in secret."""


def crystals_answer(s, me, candidate):
    """Give a candidate's answer, or name all the cards of a set to pass."""
    if s["question"] == crystals.PASS:
        candidate &= ~s["chosen"][me]
        while candidate != 0:
            card = lowest(candidate)
            candidate &= candidate - 1
            crystals.step(s, me, card, None)
    else:
        crystals.step(s, me, candidate, None)


def fourteen_answer(s, me, candidate):
    """Give a candidate's answer."""
    fourteen.step(s, me, candidate, None)


def mines_answer(s, me, candidate):
    """Give a candidate's answer."""
    mines.step(s, me, candidate, None)


def crystals_clock(s):
    """How many tricks of the round are over."""
    return s["tricks"].sum()


def fourteen_clock(s):
    """How many tricks of the hand are over."""
    return s["tricks"].sum()


def mines_clock(s):
    """How many turns have begun."""
    return s["turns"]


def crystals_worth(s, me, winning):
    """The margin in points (C21), and something for winning where the game is over."""
    own, others, rivals = crystals.score(s, me), 0, 0
    for seat in range(s["seats"]):
        if crystals.team(s, seat) != crystals.team(s, me):
            others += crystals.score(s, seat)
            rivals += 1
    worth = own - others / rivals
    if s["over"] != 0 and crystals.place(s, me) == 0:
        worth += winning
    return worth


def fourteen_worth(s, me, winning):
    """The margin in points (F8), a hand broken off as it stands; and something for winning where the game is over."""
    own, others = s["totals"][me], 0
    broken_off = s["to_act"] != 0
    if broken_off:
        own += fourteen.hand_points(s, me)
    for seat in range(s["seats"]):
        if seat != me:
            others += s["totals"][seat]
            if broken_off:
                others += fourteen.hand_points(s, seat)
    worth = own - others / (s["seats"] - 1)
    if s["over"] != 0 and fourteen.place(s, me) == 0:
        worth += winning
    return worth


def mines_worth(s, me, winning):
    """One for a win, minus one for a loss; a hundredth for each ♦ more, a tenth in a game broken off."""
    worth = (mines.diamonds(s, me) - mines.diamonds(s, 1 - me)) / (100 if s["over"] != 0 else 10)
    if s["winner"] == me:
        worth += winning
    elif s["winner"] == 1 - me:
        worth -= winning
    return worth


OPEN = {crystals.NAME: crystals_open, fourteen.NAME: fourteen_open, mines.NAME: mines_open}
ANSWER = {crystals.NAME: crystals_answer, fourteen.NAME: fourteen_answer, mines.NAME: mines_answer}
WORTH = {crystals.NAME: crystals_worth, fourteen.NAME: fourteen_worth, mines.NAME: mines_worth}
CLOCK = {crystals.NAME: crystals_clock, fourteen.NAME: fourteen_clock, mines.NAME: mines_clock}
USUAL = {crystals.NAME: simple.AS_IT_COMES, fourteen.NAME: simple.AS_IT_COMES, mines.NAME: simple.PRACTISED}
LEARNED = 3  # a plan in crystals: go by what was learned
PEERS = 500  # in so many of a thousand worlds the others have learned it too
LONGEST = 600  # answers in one playout


def crystals_own(s, me, plan, numbers):
    """How the own seat goes on in a playout: by a plan of `simple`, or by the numbers learned."""
    if plan == LEARNED:
        return learned.crystals_learned(s, me, numbers)
    return simple.crystals_planned(s, me, plan)


def fourteen_own(s, me, plan, numbers):
    """How the own seat goes on in a playout: nothing has been learned."""
    return simple.fourteen_planned(s, me, plan)


def mines_own(s, me, plan, numbers):
    """How the own seat goes on in a playout: nothing has been learned."""
    return simple.mines_planned(s, me, plan)


OWN = {crystals.NAME: crystals_own, fourteen.NAME: fourteen_own, mines.NAME: mines_own}
NOTHING = np.zeros(1, np.int16)


def numbers_for(game: Game, row: np.void) -> np.ndarray[Any, np.dtype[np.int16]]:
    """What was learned about tables like this one."""
    return learned.numbers_for(row) if game.name == crystals.NAME else NOTHING


compiled = jit.compiled_with(simple, learned, worlds, sys.modules[__name__])


@lru_cache(maxsize=8)
def thinker(game: Game) -> Callable[..., int]:
    """The compiled search of a game.

    ``think(view, me, candidates, plans, numbers, first, most, own_noise, noise, (doubt, gate, winning, horizon), home, rng,
    mean, tried)`` fills in each candidate's mean worth and how many worlds it was tried in. ``home`` is the place of the usual answer, −1 for none.
    Returns the place of the best, or −1 if the view is of no game that goes on.
    """
    needs_of, fill_of, ranks = worlds.NEEDS[game.name], worlds.FILL[game.name], game.ranks
    open_of, answer_of, worth_of, clock_of = OPEN[game.name], ANSWER[game.name], WORTH[game.name], CLOCK[game.name]
    own_of, planned_of, usual = OWN[game.name], simple.PLANNED[game.name], USUAL[game.name]
    legal_of, step_of = game.rules.legal, game.rules.step

    @compiled
    def think(view, me, candidates, plans, numbers, first, most, own_noise, noise, sure, home, rng, mean, tried):
        doubt, gate, winning, horizon = sure
        stop = clock_of(view[0]) + horizon
        sizes, banned = np.zeros(worlds.HOLDERS, np.int64), np.zeros(worlds.HOLDERS, np.int64)
        order, hands, deck = np.zeros(60, np.int64), np.zeros(worlds.HOLDERS, np.int64), np.zeros(60, np.int64)
        unseen = needs_of(view[0], me, sizes, banned)
        draws = worlds.constrained_draws(sizes, banned, order)
        table = worlds.ways(unseen, ranks, order, draws, banned)
        rows = np.empty(2, view.dtype)
        world, s = rows[0], rows[1]
        number = len(candidates)
        values = np.zeros((most, number))
        alive = np.ones(number, np.bool_)
        again = np.zeros(1, np.uint64)
        left, done, upto, best = number, 0, min(first, most), 0
        mean[:] = 0.0
        tried[:] = 0
        while True:
            while done < upto:
                tries = 0
                while True:
                    rows[0] = view[0]
                    worlds.share_out(unseen, ranks, order, draws, banned, table, sizes, hands, deck, rng)
                    if fill_of(world, me, hands, deck, rng):
                        break
                    tries += 1
                    if tries == worlds.TRIES:
                        return -1
                open_of(world, me)
                peers = draw(rng, 1000) < PEERS
                for k in range(number):
                    if not alive[k]:
                        continue
                    rows[1] = rows[0]
                    again[0] = rng[0]
                    answer_of(s, me, candidates[k])
                    for _ in range(LONGEST):
                        if s["to_act"] == 0 or (horizon != 0 and clock_of(s) >= stop):
                            break
                        seat = lowest(s["to_act"])
                        if draw(again, 1000) < (own_noise if seat == me else noise):
                            answer = pick(legal_of(s, seat), again)
                        elif seat == me or (peers and plans[k] == LEARNED):
                            answer = own_of(s, seat, plans[k], numbers)
                        else:
                            answer = planned_of(s, seat, usual)
                        step_of(s, seat, answer, None)
                    worth = worth_of(s, me, winning)
                    values[done, k] = worth
                    mean[k] += worth
                    tried[k] += 1
                done += 1
            best = -1
            for k in range(number):
                if alive[k] and (best < 0 or mean[k] > mean[best]):
                    best = k
            if done >= most:
                break
            # Half of many go by their rank; the others when they are surely behind the best, world by world.
            for k in range(number):
                if alive[k] and k != best:
                    if left > FEW:
                        better = 0
                        for other in range(number):
                            if alive[other] and mean[other] > mean[k]:
                                better += 1
                        if 2 * better >= left and better >= FEW:
                            alive[k] = False
                            continue
                    behind = (mean[best] - mean[k]) / done
                    square = 0.0
                    for w in range(done):
                        d = values[w, best] - values[w, k] - behind
                        square += d * d
                    if behind * behind * done * (done - 1) >= doubt * doubt * square:
                        alive[k] = False
            left = 0
            for k in range(number):
                if alive[k]:
                    left += 1
            if left == 1:
                break
            upto = min(2 * done, most)
        if home >= 0 and alive[home] and home != best:
            ahead, square = (mean[best] - mean[home]) / done, 0.0
            for w in range(done):
                d = values[w, best] - values[w, home] - ahead
                square += d * d
            if ahead * ahead * done * (done - 1) < gate * gate * square:
                best = home
        for k in range(number):
            if tried[k] > 0:
                mean[k] /= tried[k]
        return best

    return think  # type: ignore[no-any-return]


# From a view to an answer


def one_of_each_kind(v: np.void, legal: int) -> list[int]:
    """Crystals: of neighbouring cards of a suit only the lowest, when all between are own or gone in finished tricks."""
    between = int(v["hand"][lowest_seat_with_hand(v)])
    table = 0
    for k in range(int(v["trick_size"])):
        table |= 1 << int(v["trick"][k])
    for seat in range(int(v["seats"])):
        between |= int(v["played"][seat]) & ~table
    kinds: list[int] = []
    last = -1
    for card in members(legal):
        gap = ((1 << card) - 1) & ~((1 << last + 1) - 1) if last >= 0 else 0
        if last < 0 or card // LONG != last // LONG or gap & ~between:
            kinds.append(card)
        last = card
    return kinds


def lowest_seat_with_hand(v: np.void) -> int:
    """The seat whose hand a view shows."""
    return next(seat for seat in range(SEATS) if v["hand"][seat] >= 0)


def candidates_of(game: Game, v: np.void, me: int) -> list[int]:
    """What a search compares: answers, or for `pass` whole sets that go on from the cards named already."""
    legal = int(game.rules.legal(v, me))
    if game.name == crystals.NAME:
        if v["question"] == crystals.PLAY:
            return one_of_each_kind(v, legal)
        if v["question"] == crystals.PASS:
            chosen = int(v["chosen"][me])
            missing = int(v["passing"]) - count(chosen)
            above = [card for card in members(v["hand"][me]) if card >= lowest(legal)]
            sets = [chosen | sum(1 << card for card in some) for some in combinations(above, missing)]
            return [cards for cards in sets if legal >> lowest(cards & ~chosen) & 1]
    return list(members(legal))


def plans_for(game: Game, v: np.void, me: int, effort: Effort) -> tuple[int, ...]:
    """The plans worth trying with each candidate.

    In crystals what was learned, which takes care of everything; but it looks to the end of the round, so with a nearer
    horizon rules of thumb, and while the own seat has no trick also to stay without one (C20).
    """
    if game.name == mines.NAME:
        return (simple.PRACTISED,)
    if game.name == crystals.NAME and effort.horizon == 0:
        return (LEARNED,)
    early = game.name == crystals.NAME and v["question"] in (crystals.PLAY, crystals.PASS) and v["tricks"][me] == 0
    return effort.plans if early else effort.plans[:1]


def search(game: Game, v: np.void, me: int, effort: Effort, seed: int) -> Found:
    """Compare the candidates of a view (`diamonds.bots.bot.see`); the same for the same seed, wherever it runs.

    Where the view leaves a single world, and that can be played out, playouts only decide between equals.
    """
    from diamonds.bots.thinking import exact

    candidates = candidates_of(game, v, me)
    worth = exact.solve(game, v, me, candidates) if effort.exact and len(candidates) > 1 else None
    if worth is None:
        return compare(game, v, me, candidates, effort, seed)
    equal = [candidate for candidate, w in zip(candidates, worth, strict=True) if w >= max(worth) - exact.SAME]
    found = compare(game, v, me, equal, effort, seed)
    return Found(candidates, worth, [1] * len(candidates), candidates.index(equal[found.best]))


def compare(game: Game, v: np.void, me: int, candidates: list[int], effort: Effort, seed: int) -> Found:
    """Compare some of a view's candidates in playouts."""
    if len(candidates) == 1:
        return Found(candidates, [0.0], [0], 0)
    pairs = [(candidate, plan) for candidate in candidates for plan in plans_for(game, v, me, effort)]
    number = len(pairs)
    mean, tried = np.zeros(number), np.zeros(number, np.int64)
    first = max(4, effort.first * FEW // max(number, FEW))
    habit = int(simple.PLANNED[game.name](v, me, USUAL[game.name]))
    home = candidates.index(habit) * (number // len(candidates)) if habit in candidates else -1
    best = thinker(game)(
        jit.as_rows(v),
        me,
        np.array([candidate for candidate, _ in pairs], np.int64),
        np.array([plan for _, plan in pairs], np.int64),
        numbers_for(game, v),
        first,
        effort.worlds,
        effort.own_noise,
        effort.noise,
        (effort.doubt, effort.gate, WINNING[game.name], effort.horizon),
        home,
        jit.new_rng(seed),
        mean,
        tried,
    )
    if best < 0:
        raise ValueError(f"This is no view of a game of {game.name} that goes on: nothing fits it.")
    worth = [-np.inf] * len(candidates)
    many = [0] * len(candidates)
    for k, (candidate, _) in enumerate(pairs):
        at = candidates.index(candidate)
        if (tried[k], mean[k]) > (many[at], worth[at]):
            worth[at], many[at] = float(mean[k]), int(tried[k])
    return Found(candidates, worth, many, candidates.index(pairs[best][0]))


def answer_from(game: Game, v: np.void, me: int, candidate: int) -> int:
    """The answer to give now for a candidate: itself, or the next card of a set to pass."""
    if game.name == crystals.NAME and v["question"] == crystals.PASS:
        return lowest(candidate & ~int(v["chosen"][me]))
    return candidate


def warm(game: Game) -> None:
    """Compile a game's search, or load it from disk: takes seconds the first time."""
    options: dict[str, Any] = {}
    rng = np.random.default_rng(0)
    state = jit.random_start(game, game.seats[0], options, rng)
    game.deal(state, rng.permutation(game.pack(state)).tolist())
    from diamonds.bots.bot import see

    seat = game.to_act(state)[0]
    search(game, see(game, state, seat).row, seat, Effort(worlds=2, first=2), 0)
