"""Invariants of every variant of every game, checked in random games."""

import random
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from diamonds import cards, fields, record_reader, records
from diamonds.errors import DiamondsError
from diamonds.events import MAX_LOG_ROWS, events_for
from diamonds.game import GAMES, Game
from diamonds.records import RecordedGame
from tests.support.positions import sort_piles
from tests.support.random_positions import VARIANTS, Variant, random_answer, start_variant
from tests.support.sample_sizes import short_or_long

variants = st.sampled_from(VARIANTS)
seeds = st.integers(0, 2**32)


def all_cards(game: Game, s: np.void) -> list[int]:
    """Return the sets of cards in every place, after the first deal."""
    seats = range(int(s["seats"]))
    sets = [int(s["hand"][seat]) for seat in seats]
    if game.name == "mines":
        sets.append(int(s["discards"]))
        sets += [1 << int(c) for c in s["piles"].ravel() if c >= 0]
    else:
        sets.append(int(s["aside"]))
        sets += [int(s["played"][seat]) for seat in seats]
    return sets


def check_laws(played: RecordedGame) -> None:
    game, s = played.game, played.state
    pack = int(game.rules.pack(s))
    sets = all_cards(game, s)
    assert sum(x.bit_count() for x in sets) == pack.bit_count(), "a card is in two places, or nowhere"
    union = 0
    for x in sets:
        union |= x
    assert union == pack, "a card is not in this pack"
    for seat in game.to_act(s):
        assert game.legal(s, seat), f"seat {seat} has no legal answer to {game.question(s).name}"
    if game.name == "crystals":
        owners = [seat for seat in range(played.seats) if game.rules.team(s, seat) == seat]
        points = int(s["supply"]) + sum(int(s["vault"][o] + s["showroom"][o]) for o in owners)
        assert points == 235, f"{points} crystals (C2)"
        assert min(int(s["supply"]), *(int(s["showroom"][o]) for o in owners)) >= 0
    if game.name == "mines":
        for seat in range(2):
            assert int(s["hand_size"][seat]) == cards.count(s["hand"][seat])
            assert not int(s["known"][seat]) & ~int(s["hand"][1 - seat]), "a seat knows a card that is elsewhere"
        assert not int(s["discards"]) & (1 << 13) - 1, "a ♦ was discarded (M13)"
        inside, left = s["inside"].tolist(), s["left"].tolist()
        sort_piles(s)
        assert inside == s["inside"].tolist(), "the derived contents of a pile are wrong"
        assert left == [pile.bit_count() for pile in inside]
        one, other = s["owner"][:2].tolist()
        assert not one & other, "a pile has two owners"
        assert all(left[pile] == 4 for pile in range(13) if not (one | other) >> pile & 1), "lacks cards (M4, M6)"


def check_answers_by_rule(game: Game, state: np.void, seat: int) -> None:
    """Assert that every legal answer is accepted and that every other names a rule of the game."""
    question, legal = game.question(state), game.legal(state, seat)
    for name in question.answers:
        if name in legal:
            game.apply_answer(fields.copy_state(state), seat, name, question.name)
        else:
            reason = game.illegal_reason(state, seat, game.answers[int(state["question"])][str(name)])
            assert re.fullmatch(r"[CFM]\d+(, [CFM]\d+)*", reason.args["rule"]), f"expected a rule in {reason} (R1)"


def play_checking_laws(variant: Variant, seed: int) -> None:
    """Play a random game to its end and check every invariant after each answer."""
    played, rng = start_variant(variant, seed), random.Random(seed)
    while not played.over:
        check_laws(played)
        logs = played.answer(*random_answer(played, rng))
        assert all(log[0, 0] < MAX_LOG_ROWS - 1 for log in logs), "the log is full"
        assert played.n <= records.MAX_ANSWERS, "expected the game to end"
    check_laws(played)
    result = played.game.result(played.state)
    assert result["winners"]
    assert played.game.open_questions(played.state) == []


@pytest.mark.later
@short_or_long("stride", 9, 1)
def test_every_variant_keeps_every_law_in_one_game(stride):
    for seed, variant in list(enumerate(VARIANTS))[::stride]:
        play_checking_laws(variant, seed)


@given(variants, seeds)
def test_random_games_keep_every_law_and_end(variant, seed):
    play_checking_laws(variant, seed)


@given(variants, seeds, st.data())
def test_r1_illegal_answer_changes_nothing_and_gets_a_reason(variant, seed, data):
    played, rng = start_variant(variant, seed), random.Random(seed)
    for _ in range(data.draw(st.integers(0, 60))):
        if not played.over:
            played.answer(*random_answer(played, rng))
    before, n = played.state.tobytes(), played.n
    for seat in played.game.to_act(played.state):
        check_answers_by_rule(played.game, played.state, seat)
    for seat in range(-1, played.seats + 1):
        legal = {str(name) for name in played.game.legal(played.state, seat)} if 0 <= seat < played.seats else set()
        for name in {*map(str, played.game.question(played.state).answers), "D99", "", "♦7", "skip", "-1"} - legal:
            with pytest.raises(DiamondsError, match=r"^[A-Z“].*[.”]$"):
                played.answer(seat, name)
    for nonsense in (None, True, 2.5, [], b"H7"):
        with pytest.raises(DiamondsError):
            played.answer(0, nonsense)
    assert played.state.tobytes() == before
    assert played.n == n


@given(variants, seeds)
def test_r4_record_replays_to_the_same_state(variant, seed):
    played, rng = start_variant(variant, seed), random.Random(seed)
    for _ in range(rng.randrange(400)):
        if not played.over:
            played.answer(*random_answer(played, rng))
    text = records.write_record(played, reveal=True)
    again = record_reader.load_record(text)
    assert again.state.tobytes() == played.state.tobytes()
    assert (again.answers, again.checksums, again.options) == (played.answers, played.checksums, played.options)
    assert records.write_record(again, reveal=True) == text
    half = played.at(played.n // 2)
    for seat, question, answer in played.answers[played.n // 2 :]:
        half.answer(seat, answer, question)
    assert half.state.tobytes() == played.state.tobytes()


@given(variants, seeds)
def test_every_event_has_text_for_everyone(variant, seed):
    played, rng = start_variant(variant, seed), random.Random(seed)
    for _ in range(40):
        if played.over:
            break
        for log in played.answer(*random_answer(played, rng)):
            for seat in (None, -1, 0, 1):
                for event in events_for(log, played.game.rules.EVENTS, played.game.ranks, seat):
                    words = played.game.event_text(event, "Seat {}".format, seat)
                    assert words.endswith((".", "!"))
                    assert not set("{}[]|") & set(words), words


@pytest.mark.parametrize("name", GAMES)
def test_size_of_a_state_is_known(name):
    sizes = {"crystals": 1032, "fourteen": 624, "mines": 1048}
    assert GAMES[name].dtype.itemsize == sizes[name], "search copies states all the time: grow them on purpose"


@pytest.mark.parametrize("name", GAMES)
def test_every_field_is_an_int64_with_a_meaning(name):
    game = GAMES[name]
    assert game.fields[: len(fields.COMMON_FIELDS)] == fields.COMMON_FIELDS
    for field in game.fields:
        assert game.dtype[field.name].base == np.int64
        assert len(field.description) > 5
        if field.revealed_by:
            assert next(f for f in game.fields if f.name == field.revealed_by).visibility == fields.PUBLIC


@pytest.mark.parametrize("name", GAMES)
def test_questions_have_at_most_sixty_distinctly_named_answers(name):
    for question in GAMES[name].questions:
        assert len(question.answers) <= 60
        assert len({str(a) for a in question.answers}) == len(question.answers)
