"""The proof that bots saw only their view, by recomputing each of their answers in a record."""

from __future__ import annotations

from typing import NamedTuple

from diamonds import record_reader, records
from diamonds.bots import levels
from diamonds.entries import AnswerEntry, SeatChangeEntry


class BotAnswerCheck(NamedTuple):
    """The number of recomputed bot answers, and those that differ: entry number, entry, and the recomputed answer."""

    number: int
    differences: list[tuple[int, str, str]]


def check_bot_answers(played: records.RecordedGame) -> BotAnswerCheck:
    """Recompute the answers of bots, including those given for a person.

    Bots that this program lacks are skipped. So are answers before a fork, because other bots may have given them.
    """
    game, holders, differences, number = played.game, list(played.seat_holders), [], 0
    known = played.fork.n if played.fork else 0
    again = records.start_game(game, played.seats, played.options, played.secret, played.nonces, version=played.version)

    def check(n: int, seat: int, entry: record_reader.Entry) -> None:
        nonlocal number
        if isinstance(entry, SeatChangeEntry):
            holders[seat] = entry.holder
        if not isinstance(entry, AnswerEntry) or n < known:
            return
        level = entry.substitute_level or holders[seat].partition(":")[2]
        if level not in levels.BOTS:
            return
        own = [at for at in records.effective_answers(again.entries, n) if again.entries[at].startswith(f"{seat} ")]
        question = game.question(again.state)
        found = levels.answer_in_game(level, again, seat, len(own))
        number += 1
        if found != game.parse_answer(again.state, seat, entry.question, entry.answer):
            differences.append((n, played.entries[n], f"{question.name} {question.answers[found]}"))

    record_reader.replay_entries(again, played.entries, before_entry=check)
    return BotAnswerCheck(number, differences)
