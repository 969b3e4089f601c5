"""Replays: a finished game step by step with all hands open, rendered in chunks by worker processes."""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from diamonds import records, views
from diamonds.events import EventLogArray, events_for
from diamonds.game import find_game
from diamonds.records import RecordedGame
from diamonds.server.api.codec import encode
from diamonds.side_events import SideEvent, side_events

ANSWERS_PER_CHUNK = 1_000  # rendered in one step, which takes about 0.25 s


class ReplayPlan(NamedTuple):
    """A game to replay, or a chunk of it: its start, effective answers and side events."""

    game: str
    seats: int
    options: dict[str, Any]
    secret: bytes
    nonces: list[bytes]
    version: int
    names: tuple[str, ...]
    answers: list[tuple[int, str, int | str]]
    side_events: dict[int, list[SideEvent]]  # by the number of answers before them
    is_last: bool = True  # the last answer is the game's last

    def chunks(self) -> list[tuple[int, ReplayPlan]]:
        """Return the replay in chunks, each with the number of answers before it."""
        result = []
        for first in range(0, max(1, len(self.answers)), ANSWERS_PER_CHUNK):
            answers = self.answers[first : first + ANSWERS_PER_CHUNK]
            last = first + len(answers)
            side_events = {n: self.side_events[n] for n in range(first, last + 1) if n in self.side_events}
            result.append(
                (first, self._replace(answers=answers, side_events=side_events, is_last=last == len(self.answers)))
            )
        return result


def replay_plan(played: RecordedGame, names: tuple[str, ...]) -> ReplayPlan:
    """Return the replay plan of a game."""
    return ReplayPlan(
        played.game.name,
        played.seats,
        played.options,
        played.secret,
        played.nonces,
        played.version,
        names,
        played.answers,
        side_events(played, names),
    )


def _side_event_infos(n: int, side_events: Iterable[SideEvent]) -> list[dict[str, Any]]:
    """Return side events as JSON objects."""
    return [{"n": n, "event": side_event.event, "text": side_event.message} for side_event in side_events]


def render_chunk(chunk: ReplayPlan, first: int, state: bytes) -> tuple[bytes, bytes]:
    """Render a chunk's `ReplayStep`s, compressed, and return the state after it.

    `state` is the state after the first `first` answers, which precede the chunk. Side events belong to the step after
    them, or to the last step if none follows.
    """
    game = find_game(chunk.game)
    played = records.start_game(game, chunk.seats, chunk.options, chunk.secret, chunk.nonces, version=chunk.version)
    if first:
        played.state = np.frombuffer(bytearray(state), game.dtype)[0]

    def step(n: int, answer: str | None, logs: list[EventLogArray]) -> bytes:
        before = list(chunk.side_events.get(n - 1, ())) if n else []
        events = [
            {"n": n, "event": event} for log in logs for event in events_for(log, game.rules.EVENTS, game.ranks, None)
        ]
        after = chunk.side_events.get(n, ()) if chunk.is_last and n == first + len(chunk.answers) else ()
        events = [*_side_event_infos(n, before), *events, *_side_event_infos(n, after)]
        return encode({"n": n, "answer": answer, "view": views.view_data(game, played.state), "events": events})

    packing = zlib.compressobj(1)
    packed = b"" if first else packing.compress(step(0, None, played.opening_logs))
    for n, (seat, question, answer) in enumerate(chunk.answers, first + 1):
        packed += packing.compress(b"," + step(n, f"{seat} {question} {answer}", played.answer(seat, answer, question)))
    if chunk.is_last:
        result = game.result(played.state) if played.over else None
        packed += packing.compress(b'],"result":%b' % encode(result))
    return packed + packing.flush(), played.state.tobytes()
