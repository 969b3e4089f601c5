"""What a finished game leaves: its record, its replay with all hands open, and the proof that its deals were fair."""

from __future__ import annotations

from typing import Any

from diamonds import views
from diamonds.game import Illegal, Refused
from diamonds.records import read_record, start, write_record
from diamonds.server.entries import seat_of
from diamonds.server.message import info
from diamonds.server.messages import Verdict
from diamonds.server.table import Reader, Table
from diamonds.server.wire import encode, told_data


def _finished(table: Table, what: str) -> None:
    if not table.over:
        raise Illegal(f"{what} when the game is over: until then it would show hidden cards.")


def record_text(table: Table) -> str:
    """The record, as JSON text; only of a finished game."""
    _finished(table, "There is a record")
    return write_record(table.match(table.chain()))


def verdict(table: Table) -> Verdict:
    """Play the record again, and see whether every deal follows from the secret that was committed to."""
    _finished(table, "The secret is published")
    try:
        match = read_record(write_record(table.match(table.chain())))
    except Refused as refusal:
        return Verdict(False, str(refusal))
    deals = len(match.checksums)
    follow = f"All {deals} deals follow" if deals > 1 else "The deal follows"
    says = f"{follow} from the secret committed to before play, and the answers lead to this result."
    return Verdict(True, f"{says} {match.fork}" if match.fork else says)


def replay(table: Table) -> bytes:
    """Every step of a finished game: a `Replay` as JSON."""
    _finished(table, "There is a replay")
    game = table.game
    chain = table.chain()
    names = table.seat_names()
    match = start(game, table.header.seats, table.header.options, table.secret, table.nonces, list(names))

    def told(n: int, logs: list[Any]) -> list[dict[str, Any]]:
        rows = [tuple(row) for log in logs for row in log[1 : log[0, 0] + 1].tolist()]
        return [told_data(game, n, row, None, names) for row in rows]

    steps: list[dict[str, Any]] = [
        {"n": 0, "answer": None, "view": views.as_data(game, match.state), "told": told(0, match.opening)}
    ]
    for n, (_, entry) in enumerate(chain, 1):
        seat = seat_of(entry)
        question, answer, *_ = table.words_of(entry).split(" ")
        logs = match.answer(seat, answer, question)
        steps.append(
            {
                "n": n,
                "answer": f"{seat} {question} {answer}",
                "view": views.as_data(game, match.state),
                "told": told(n, logs),
            }
        )
    return b'{"table":%b,"result":%b,"steps":%b}' % (
        info(table, Reader()),
        encode(game.result(match.state)),
        encode(steps),
    )
