"""Replay of a table's game from its log, for undos, replays, reviews and records. It takes milliseconds to seconds."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from diamonds import record_reader, records, views
from diamonds.decisions import AskedQuestion
from diamonds.game import Game
from diamonds.records import RecordedGame
from diamonds.server.api.records import DealResultInfo, ScorePadResponse
from diamonds.server.tables.core.entry_log import answer_of, question_of, seat_of
from diamonds.server.tables.core.seating import holder_kind
from diamonds.server.tables.core.table import Table


def state_at(table: Table, n: int) -> tuple[np.void, AskedQuestion]:
    """Return the state after `n` entries, and its open question."""
    played = effective_game(table, table.log.effective_answers(n))
    return played.state, played.asked_question


def effective_game(table: Table, answers: Sequence[tuple[int, int]]) -> RecordedGame:
    """Return the game as a `RecordedGame` with only these answers, for replays and reviews."""
    played = _initial_game(table)
    for _, entry in answers:
        question = table.game.questions[question_of(entry)]
        played.answer(seat_of(entry), question.answers[answer_of(entry)], question.name)
    return played


def full_game(table: Table) -> RecordedGame:
    """Return the game as a `RecordedGame` with all entries and times, for records."""
    played, log = _initial_game(table), table.log
    record_reader.replay_entries(played, [f"{seat_of(entry)} {log.entry_text(entry)}" for entry in log.entries])
    played.times = log.times.tolist()
    return played


def _initial_game(table: Table) -> RecordedGame:
    """Return the game as a `RecordedGame` before the first answer."""
    header, game_state, names = table.header, table.game_state, list(table.seat_names())
    played = records.start_game(
        table.game, header.seats, header.options, game_state.secret, game_state.nonces, names, header.version
    )
    played.seat_holders = [holder_kind(holder_id) for holder_id in table.seating.initial_holders]
    played.bots_version = header.bots_version
    if header.fork is not None:
        played.fork = records.RecordForkOrigin(header.fork.commitment, header.fork.n)
    return played


def build_score_pad(table: Table, seat: int) -> ScorePadResponse:
    """Return the effective finished deals as this seat (−1: a spectator) may see them.

    During the game, fields that were hidden at the end of a deal stay hidden: others' vaults (C4), and cards taken if
    the table does not count them (C14). Once it is over, everything is visible.
    """
    game, teams, lines = table.game, list(table.game_state.team_of), []
    for state in table.game_state.deal_end_states():
        view = state if table.is_over else views.view(game, state, seat)
        lines.append(DealResultInfo(int(state["deals"]), _pad_fields(game, view, teams)))
    return ScorePadResponse(lines)


def _pad_fields(game: Game, row: np.void, teams: list[int]) -> dict[str, object]:
    """Return the score pad fields of a deal as data."""
    flat: list[int] = np.frombuffer(row.tobytes(), np.int64).tolist()
    return {
        field.name: views.field_data(game, field, flat[start:stop], teams)
        for field, start, stop in views.field_offsets(game)
        if field.name in game.score_pad_fields
    }
