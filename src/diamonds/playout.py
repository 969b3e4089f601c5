# mypy: allow-untyped-defs, allow-untyped-calls, allow-incomplete-defs, no-check-untyped-defs
"""Playouts: the loop that random games, searches, hints and forecasts share.

The loop is plain Python, which `diamonds.jit` compiles.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from diamonds.cards import lowest
from diamonds.game import Game
from diamonds.rng import fill_deck, randbelow, random_bit, shuffle

ALWAYS_PERMILLE = 1000  # every answer is random


class RulesFunctions(NamedTuple):
    """The functions of a rules module that a playout may need (`diamonds.rules`)."""

    legal: Callable[..., Any]
    step: Callable[..., Any]
    deal: Callable[..., Any]
    pack: Callable[..., Any]
    cards_dealt: Callable[..., Any]
    team: Callable[..., Any]
    seats_ahead: Callable[..., Any]
    score: Callable[..., Any]


def rules_of(game: Game) -> RulesFunctions:
    """Return these functions of a game."""
    return RulesFunctions(*(getattr(game.rules, name) for name in RulesFunctions._fields))


class PlayoutConfig(NamedTuple):
    """Settings of a playout: it runs until ``is_end(s, until)`` or for ``max_answers`` answers.

    In a thousand answers of ``own_seat``, ``own_random_permille`` are random; for the other seats it is
    ``random_permille``. ``policy(s, seat, args, weights)`` chooses all other answers, where ``args`` is
    ``own_policy_args`` or ``other_policy_args``.
    """

    rules: RulesFunctions
    policy: Callable[..., Any]
    own_policy_args: Any
    other_policy_args: Any
    is_end: Callable[..., Any]
    until: Any
    max_answers: int
    own_seat: int
    own_random_permille: int
    random_permille: int


class PlayoutObserver(NamedTuple):
    """An observer of a playout: ``observe(event_log, s, own_seat, counts, trick_open)`` is called after every answer.

    ``trick_open[0]`` is its last result.
    """

    observe: Callable[..., Any]
    own_seat: int
    event_log: Any
    counts: Any
    trick_open: Any


class DeckBuffer(NamedTuple):
    """The cards of a pack, in any order, at the beginning of an array of sixty."""

    cards: Any
    size: int


def deck_of(s, rules, buffer):
    """Write a game's pack to `buffer` (60 cards); return the deck."""
    return DeckBuffer(buffer, fill_deck(buffer, rules.pack(s)))


def run_playout(s, config, weights, deck, observer, rng):
    """Play on from a position; return the number of answers. Without a deck (``None``), stop when a deal is due.

    ``weights`` are for policies that need them (`diamonds.bots.games.adapter.GameAdapter.trained_weights`). Random
    answers are drawn here and not in the policy: an array passed to a function is reference-counted if it is used only
    on some paths, which costs 10 % of an answer's time.
    """
    plies = 0
    while plies < config.max_answers and not config.is_end(s, config.until):
        if s["to_act"] == 0:
            if deck is None:
                break
            shuffle(deck.cards, deck.size, config.rules.cards_dealt(s), rng)
            config.rules.deal(s, deck.cards, None)
        seat = lowest(s["to_act"])
        random_permille = config.own_random_permille if seat == config.own_seat else config.random_permille
        if random_permille == ALWAYS_PERMILLE or randbelow(rng, ALWAYS_PERMILLE) < random_permille:
            answer = random_bit(config.rules.legal(s, seat), rng)
        else:
            answer = config.policy(
                s, seat, config.own_policy_args if seat == config.own_seat else config.other_policy_args, weights
            )
        if observer is None:
            config.rules.step(s, seat, answer, None)
        else:
            observer.event_log[0, 0] = 0
            config.rules.step(s, seat, answer, observer.event_log)
            observer.trick_open[0] = observer.observe(
                observer.event_log, s, observer.own_seat, observer.counts, observer.trick_open[0]
            )
        plies += 1
    return plies


def random_playout_config(rules, max_answers):
    """Return the settings for games with random answers only."""
    return PlayoutConfig(
        rules, lowest_legal, rules, rules, is_over, None, max_answers, -1, ALWAYS_PERMILLE, ALWAYS_PERMILLE
    )


def lowest_legal(s, seat, rules, weights):
    """Return the lowest legal answer: a placeholder policy, which is never called if all answers are random."""
    return lowest(rules.legal(s, seat))


def is_over(s, until):
    """Return whether the game is over."""
    return s["over"] != 0
