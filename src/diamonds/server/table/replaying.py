"""The game of a table, played again from its log: for undo, replays, reviews and records. It takes milliseconds, or seconds."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from diamonds import records
from diamonds.records import Match
from diamonds.server.table.entries import answer_of, question_of, seat_of
from diamonds.server.table.places import kind_of
from diamonds.server.table.table import Table


def state_at(table: Table, n: int) -> np.void:
    """The state after ``n`` entries."""
    return match_of(table, table.log.chain(n)).state


def match_of(table: Table, chain: Sequence[tuple[int, int]]) -> Match:
    """The game as a `Match` of these answers alone, for replays and reviews."""
    match = _first_deal(table)
    for _, entry in chain:
        question = table.game.questions[question_of(entry)]
        match.answer(seat_of(entry), question.answers[answer_of(entry)], question.name)
    return match


def whole_match(table: Table) -> Match:
    """The game as a `Match` with all that happened, and when, for records."""
    match, log = _first_deal(table), table.log
    records.play_again(match, [f"{seat_of(entry)} {log.words_of(entry)}" for entry in log.entries])
    match.times = log.at.tolist()
    return match


def _first_deal(table: Table) -> Match:
    """The game as a `Match` before anything was answered."""
    header, play, names = table.header, table.play, list(table.seat_names())
    match = records.start(table.game, header.seats, header.options, play.secret, play.nonces, names, header.version)
    match.seated = [kind_of(who) for who in table.places.began]
    if header.fork is not None:
        match.fork = records.Fork(header.fork.commitment, header.fork.n)
    return match
