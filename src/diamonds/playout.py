# mypy: allow-untyped-defs, allow-untyped-calls, allow-incomplete-defs, no-check-untyped-defs
"""A game played on: the one loop behind random games, searches, hints and forecasts; plain Python that `diamonds.jit` compiles."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from diamonds.cards import lowest
from diamonds.chance import draw, lay_out, pick, shuffle
from diamonds.game import Game

ALWAYS = 1000  # noise: every answer is drawn at random


class Rules(NamedTuple):
    """The functions of a rules module that a playout may need (`diamonds.rules`)."""

    legal: Callable[..., Any]
    step: Callable[..., Any]
    deal: Callable[..., Any]
    pack: Callable[..., Any]
    dealt: Callable[..., Any]
    team: Callable[..., Any]
    place: Callable[..., Any]
    score: Callable[..., Any]


def rules_of(game: Game) -> Rules:
    """Those of a game."""
    return Rules(*(getattr(game.rules, name) for name in Rules._fields))


class Playing(NamedTuple):
    """How a game is played on: until ``ended(s, until)``, or for ``most`` answers.

    Of ``me``'s answers ``own_noise`` in a thousand are drawn at random, of the others' ``noise``; else ``policy(s, seat, manner, numbers)``
    answers, in the manner called ``own`` or in that of the ``others``.
    """

    rules: Rules
    policy: Callable[..., Any]
    own: Any
    others: Any
    ended: Callable[..., Any]
    until: Any
    most: int
    me: int
    own_noise: int
    noise: int


class Ear(NamedTuple):
    """Who listens: ``hear(told, s, me, counts, unwon)`` after every answer; ``unwon[0]`` is what it returned last."""

    hear: Callable[..., Any]
    me: int
    told: Any
    counts: Any
    unwon: Any


class Deck(NamedTuple):
    """The cards of a pack, in any order, at the beginning of an array of sixty."""

    cards: Any
    size: int


def deck_of(s, rules, room):
    """A game's deck, in this array of sixty."""
    return Deck(room, lay_out(room, rules.pack(s)))


def play_on(s, playing, numbers, deck, ear, rng):
    """Play a position on, and return how many answers that took. Without a deck (``None``) it ends where cards are wanted.

    ``numbers`` are what answers go by, if by any (`diamonds.bots.knowing.contract.Knowledge.numbers`). The noise is drawn here and not in
    the policy, for to hand over an array that only some ways through a function use is counted, which takes as long as a tenth of an answer.
    """
    plies = 0
    while plies < playing.most and not playing.ended(s, playing.until):
        if s["to_act"] == 0:
            if deck is None:
                break
            shuffle(deck.cards, deck.size, playing.rules.dealt(s), rng)
            playing.rules.deal(s, deck.cards, None)
        seat = lowest(s["to_act"])
        noise = playing.own_noise if seat == playing.me else playing.noise
        if noise == ALWAYS or draw(rng, ALWAYS) < noise:
            answer = pick(playing.rules.legal(s, seat), rng)
        else:
            answer = playing.policy(s, seat, playing.own if seat == playing.me else playing.others, numbers)
        if ear is None:
            playing.rules.step(s, seat, answer, None)
        else:
            ear.told[0, 0] = 0
            playing.rules.step(s, seat, answer, ear.told)
            ear.unwon[0] = ear.hear(ear.told, s, ear.me, ear.counts, ear.unwon[0])
        plies += 1
    return plies


def at_random(rules, most):
    """How a game is played by chance alone."""
    return Playing(rules, any_other, rules, rules, game_over, None, most, -1, ALWAYS, ALWAYS)


def any_other(s, seat, rules, numbers):
    """The lowest legal answer; where all is noise nobody asks for it."""
    return lowest(rules.legal(s, seat))


def game_over(s, until):
    """Whether the game is over."""
    return s["over"] != 0
