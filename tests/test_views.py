"""R2: everything sent to a seat depends only on what that seat may know."""

import json
import random
import types
from collections.abc import Iterable

import numpy as np
import pytest

from diamonds import events, fields, views
from diamonds.fields import PUBLIC
from diamonds.game import GAMES, Game
from tests.support.random_positions import (
    VARIANTS,
    Variant,
    all_variants,
    indistinguishable_state,
    random_answer,
    random_positions,
)
from tests.support.sample_sizes import short_or_long


def everything_sent(game: Game, state: np.void, seat: int) -> str:
    """Return everything sent to a seat in a position: its view (data and row), legal answers, and others' questions."""
    asks = [(a.seat, a.question, a.legal if a.seat == seat else None) for a in game.open_questions(state)]
    row = views.view(game, state, seat)
    return json.dumps([views.view_data(game, row), row.tobytes().hex(), asks])


def first_leak(game: Game, variants: Iterable[Variant], games: int, every: int) -> str | None:
    """Return the first part in which a seat can tell two indistinguishable worlds apart, if any."""
    for variant in variants:
        for seed in range(games):
            rng = random.Random(seed)
            for match in random_positions(variant, seed, every):
                if match.over:
                    continue
                for seat in range(-1, variant.seats):
                    world = indistinguishable_state(game, match.state, seat, rng)
                    if everything_sent(game, match.state, seat) != everything_sent(game, world, seat):
                        return f"{variant}, seed {seed}, after {match.n} answers: seat {seat} can tell two worlds apart"
    return None


@short_or_long("stride", 19, 1)
@pytest.mark.parametrize("name", GAMES)
def test_r2_views_are_equal_in_indistinguishable_states(name, stride):
    assert first_leak(GAMES[name], all_variants(name)[::stride], games=1, every=25) is None


HIDDEN = [
    (name, f.name)
    for name, game in GAMES.items()
    for f in game.fields
    if f.visibility != PUBLIC and not f.perfect_recall
]


@pytest.mark.parametrize(("name", "field"), HIDDEN)
def test_r2_field_wrongly_declared_public_is_caught(name, field):
    rules = types.SimpleNamespace(**vars(GAMES[name].rules))
    rules.FIELDS = tuple(f._replace(visibility=PUBLIC) if f.name == field else f for f in rules.FIELDS)
    careless = Game(rules)  # type: ignore[arg-type]
    needed = {"bid": {"scoring": "bid", "bids": "sealed"}}.get(field, {})
    variants = [v for v in all_variants(name) if all(v.options[k] == want for k, want in needed.items())]
    leak = first_leak(careless, variants, games=2, every=6)
    assert leak is not None, f"expected a test to fail if {field} of {name} were declared PUBLIC"


@pytest.mark.later
@short_or_long("stride", 13, 1)
def test_r2_events_are_equal_in_indistinguishable_states(stride):
    compared = 0
    for variant in VARIANTS[::stride]:
        game, rng = variant.game, random.Random(7)
        for match in random_positions(variant, 5, 24):
            if match.over:
                continue
            actor, answer = random_answer(match, rng)
            question = game.question(match.state)
            number = [str(a) for a in question.answers].index(str(answer))
            pinned = card_moved_by(game, match.state, question.name, number)
            for seat in {-1, *range(variant.seats)} - {actor}:
                if question.name == "pass":
                    continue  # compared as a view, because a receiver may learn the cards
                if game.name == "fourteen" and question.name == "bid" and match.state["bids"]:
                    continue  # the last sealed bid reveals all bids
                world = indistinguishable_state(game, match.state, seat, rng, pinned)
                if not int(game.rules.legal(world, actor)) >> number & 1:
                    continue  # the answer rules this world out
                heard = []
                for state in (fields.copy_state(match.state), world):
                    log = game.apply_answer(state, actor, answer)
                    told = events.events_for(log, game.rules.EVENTS, game.ranks, seat)
                    heard.append((bool(state["over"]), told, everything_sent(game, state, seat)))
                if game.name == "mines" and heard[0][0] != heard[1][0]:
                    continue  # R6: the end of the game may depend on hidden cards
                if heard[0][0]:
                    continue  # so may the way it was won
                assert heard[0] == heard[1], f"{variant}, after {match.n} answers: {answer} reveals too much to {seat}"
                compared += 1
    assert compared > 1500 / stride


def card_moved_by(game: Game, state: np.void, question: str, number: int) -> int:
    """Return the card that an answer shows or moves; another world that allows it has this card in the same hand."""
    if game.name == "mines":
        if question == "dig" and number > 13:
            return 1 << (26 + number - 14)
        return 1 << number if question in ("grow", "fight_card", "defend", "give") and number < 52 else 0
    return 1 << number if question == "play" else 0


def test_r2_bot_view_has_what_memory_could_know_and_client_view_has_not():
    variant = next(v for v in all_variants("crystals") if v.seats == 4 and not v.options["memory_aid"])
    match = next(m for m in random_positions(variant, 1, 9) if m.n > 100)
    shown = views.view_data(match.game, views.view(match.game, match.state, 1))
    known = views.view_data(match.game, views.view(match.game, match.state, 1, perfect_recall=True))
    assert shown["vault"][1] is not None
    assert shown["vault"][0] is None, "expected the other Vault to be hidden at the table (C4)"
    assert shown["taken"][1] == [None] * 4, "expected no count of cards taken without the memory aid (C14)"
    assert None not in known["vault"]
    assert known["hand"][0] is None


@short_or_long("stride", 11, 1)
@pytest.mark.parametrize("name", GAMES)
def test_legal_answers_follow_from_the_view(name, stride):
    for variant in all_variants(name)[::stride]:
        for match in random_positions(variant, 2, 30):
            for seat in match.game.to_act(match.state):
                row = views.view(match.game, match.state, seat)
                assert match.game.rules.legal(row, seat) == match.game.rules.legal(match.state, seat)


def test_views_are_plain_json_without_numbers_that_a_browser_would_round():
    def walk(value: object) -> None:
        if isinstance(value, dict | list):
            for part in value.values() if isinstance(value, dict) else value:
                walk(part)
        assert not isinstance(value, int) or abs(value) < 1000

    for variant in VARIANTS[::17]:
        for match in random_positions(variant, 4, 40):
            walk(json.loads(everything_sent(match.game, match.state, 0)))


@pytest.mark.parametrize("name", GAMES)
def test_forced_in_public_is_forced_in_every_world(name):
    rng, seen = random.Random(6), 0
    variants = [v for v in VARIANTS if v.game.name == name][::9]
    for variant, seed in ((variant, seed) for seed in range(20 if len(variants) == 1 else 1) for variant in variants):
        for match in random_positions(variant, seed, 1):
            for seat in match.game.to_act(match.state):
                world = indistinguishable_state(match.game, match.state, views.SPECTATOR, rng)
                here, there = (views.is_publicly_forced(match.game, state, seat) for state in (match.state, world))
                assert here == there, f"{variant}, answer {match.n}: two indistinguishable worlds differ"
                if here:
                    seen += 1
                    for state in (match.state, world):
                        assert len(match.game.legal(state, seat)) == 1, f"{variant}, answer {match.n} is not forced"
    assert seen > 5, "expected a forced position"
