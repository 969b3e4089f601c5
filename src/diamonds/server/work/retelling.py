"""A game told again step by step, all hands open: the work of other processes, so many answers at a time.

A long game takes seconds. Between two chapters of it whoever else waits for those processes gets their turn.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from diamonds import records, views
from diamonds.asides import Aside, asides
from diamonds.events import hear, type_of_log
from diamonds.game import find_game
from diamonds.records import Match
from diamonds.server.api.encoding import encode

CHAPTER = 1_000  # answers that are told in one go: about a quarter of a second


class Story(NamedTuple):
    """A game to be told again, or a chapter of it: how it began, answers that stand, and what happened beside them."""

    game: str
    seats: int
    options: dict[str, Any]
    secret: bytes
    nonces: list[bytes]
    version: int
    names: tuple[str, ...]
    answers: list[tuple[int, str, int | str]]
    beside: dict[int, list[Aside]]  # by how many of the game's answers came before
    ends: bool = True  # whether the last answer is the game's last one

    def chapters(self) -> list[tuple[int, Story]]:
        """The story in parts, each with how many answers come before it."""
        found = []
        for first in range(0, max(1, len(self.answers)), CHAPTER):
            answers = self.answers[first : first + CHAPTER]
            last = first + len(answers)
            beside = {n: self.beside[n] for n in range(first, last + 1) if n in self.beside}
            found.append((first, self._replace(answers=answers, beside=beside, ends=last == len(self.answers))))
        return found


def story(match: Match, names: tuple[str, ...]) -> Story:
    """What it takes to tell a game again."""
    return Story(
        match.game.name,
        match.seats,
        match.options,
        match.secret,
        match.nonces,
        match.version,
        names,
        match.answers,
        asides(match, names),
    )


def _beside(n: int, found: Iterable[Aside]) -> list[dict[str, Any]]:
    """What happened beside the answers, each a `Told`."""
    return [{"n": n, "event": aside.event, "says": aside.message} for aside in found]


def tell(chapter: Story, first: int, state: bytes) -> tuple[bytes, bytes]:
    """The `ReplayStep`s of a chapter, packed, and the state after it; ``first`` answers come before it, and led to ``state``.

    What happened beside the answers is told with the next one, and with the last if there is none.
    """
    game = find_game(chapter.game)
    match = records.start(game, chapter.seats, chapter.options, chapter.secret, chapter.nonces, version=chapter.version)
    if first:
        match.state = np.frombuffer(bytearray(state), game.dtype)[0]

    def step(n: int, answer: str | None, logs: list[type_of_log]) -> bytes:
        found = list(chapter.beside.get(n - 1, ())) if n else []
        told = [{"n": n, "event": event} for log in logs for event in hear(log, game.rules.EVENTS, game.ranks, None)]
        after = chapter.beside.get(n, ()) if chapter.ends and n == first + len(chapter.answers) else ()
        told = [*_beside(n, found), *told, *_beside(n, after)]
        return encode({"n": n, "answer": answer, "view": views.as_data(game, match.state), "told": told})

    packing = zlib.compressobj(1)
    packed = b"" if first else packing.compress(step(0, None, match.opening))
    for n, (seat, question, answer) in enumerate(chapter.answers, first + 1):
        packed += packing.compress(b"," + step(n, f"{seat} {question} {answer}", match.answer(seat, answer, question)))
    if chapter.ends:
        result = game.result(match.state) if match.over else None
        packed += packing.compress(b'],"result":%b' % encode(result))
    return packed + packing.flush(), match.state.tobytes()
