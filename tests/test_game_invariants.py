"""Invariants of every variant of every game, checked in random games."""

import random
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from diamonds import fields, record_reader, records
from diamonds.errors import DiamondsError
from diamonds.events import MAX_LOG_ROWS, events_for
from diamonds.game import GAMES, Game
from tests.support.random_positions import VARIANTS, random_answer, random_game, start_variant

variants = st.sampled_from(VARIANTS)
seeds = st.integers(0, 2**32)


def check_answers_by_rule(game: Game, state: np.void, seat: int) -> None:
    """Assert that every legal answer is accepted and that every other names a rule of the game."""
    question, legal = game.question(state), game.legal(state, seat)
    for name in question.answers:
        if name in legal:
            game.apply_answer(fields.copy_state(state), seat, name, question.name)
        else:
            reason = game.illegal_reason(state, seat, game.answers[int(state["question"])][str(name)])
            assert re.fullmatch(r"[CFM]\d+(, [CFM]\d+)*", reason.args["rule"]), f"expected a rule in {reason} (R1)"


@given(variants, seeds)
def test_random_games_end_within_the_limits(variant, seed):
    played, rng = start_variant(variant, seed), random.Random(seed)
    while not played.over:
        for seat in played.game.to_act(played.state):
            assert played.game.legal(played.state, seat), f"seat {seat} has no legal answer"
        logs = played.answer(*random_answer(played, rng))
        assert all(log[0, 0] < MAX_LOG_ROWS - 1 for log in logs), "the log is full"
        assert played.n <= records.MAX_ANSWERS, "expected the game to end"
    result = played.game.result(played.state)
    assert result["winners"]
    assert played.game.open_questions(played.state) == []


@given(variants, seeds, st.data())
def test_r1_illegal_answer_changes_nothing_and_gets_a_reason(variant, seed, data):
    played = random_game(variant, seed, data.draw(st.integers(0, 60)))
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
    played = random_game(variant, seed, random.Random(seed).randrange(400))
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
