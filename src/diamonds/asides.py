"""What happened in a game beside the answers that stand: who stepped back, sat down, stood in for somebody or ran out of time.

A replay steps through the answers that stand, and what is here is told between them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, NamedTuple

from diamonds.cards import card_symbol
from diamonds.entries import TIMEOUT, Answer, NewSeat, Undo, read_words
from diamonds.records import Match
from diamonds.words import Message, say

Name = str | Message  # of who has a seat
MOST_NAMED = 6  # answers taken back by one step that are told one by one


class Aside(NamedTuple):
    """Something that happened, as data and as a sentence. Its ``event`` has the form of a game's own events."""

    event: dict[str, Any]
    message: Message

    @property
    def words(self) -> str:
        """It, in words."""
        return say(*self.message)


class _Moment(NamedTuple):
    """How the game was after an entry: how many answers stood, which of them was the last, and the moment before that one."""

    depth: int
    line: str
    before: _Moment | None


def asides(match: Match, names: Sequence[str], seat: int | None = None) -> dict[int, list[Aside]]:
    """All that happened beside the answers, each by how many of the answers that stand came before it.

    With a ``seat``, answers that were taken back are not named: some of them showed cards to nobody else. Whose name is
    empty is called by the number of the seat.
    """
    called = [name or Message("aside-seat", {"number": at + 1}) for at, name in enumerate(names)]
    told: dict[int, list[Aside]] = defaultdict(list)
    if match.fork is not None and match.fork.n == 0:
        told[0].append(_fork())
    now = start = _Moment(0, "", None)
    moments = [start]
    stand = 0  # answers that stand, of those so far
    for n, line in enumerate(match.entries):
        who, _, words = line.partition(" ")
        name = called[int(who)]
        entry = read_words(words)
        if isinstance(entry, Undo):
            earlier = moments[entry.to]
            told[stand].append(_undo(match, called, int(who), entry, now, earlier, seat is None))
            now = earlier
        elif isinstance(entry, NewSeat):
            told[stand].append(_new_seat(name, int(who), entry.who))
        elif isinstance(entry, Answer):
            now = _Moment(now.depth + 1, line, now)
            if stand < match.n and match.places[stand] == n:
                if entry.by:
                    event = {"event": "by", "seat": int(who), "level": entry.by}
                    told[stand].append(Aside(event, Message("aside-by", {"level": entry.by, "name": name})))
                stand += 1
        else:
            told[stand].append(Aside({"event": TIMEOUT, "seat": int(who)}, Message("aside-timeout", {"name": name})))
        moments.append(now)
        if match.fork is not None and match.fork.n == n + 1:
            told[stand].append(_fork())
    return dict(told)


def _fork() -> Aside:
    return Aside({"event": "fork"}, Message("aside-fork"))


def _new_seat(name: Name, seat: int, who: str) -> Aside:
    """A seat changes hands."""
    kind, _, level = who.partition(":")
    event = {"event": "seat", "seat": seat, "kind": kind, "level": level or None}
    if kind == "bot":
        return Aside(event, Message("aside-seat-bot", {"name": name, "level": level}))
    return Aside(event, Message("aside-seat-person" if kind == "person" else "aside-seat-open", {"name": name}))


def _undo(
    match: Match, names: Sequence[Name], seat: int, undo: Undo, now: _Moment, earlier: _Moment, openly: bool
) -> Aside:
    """Somebody steps back; what that takes back is named if it is little, and ``openly``."""
    back, taken = now, []
    for _ in range(min(now.depth - earlier.depth, MOST_NAMED)):
        taken.append(_answer(match, names, back.line))
        assert back.before is not None
        back = back.before
    steps = Message("aside-undo-agreed" if undo.agreed else "aside-undo", {"name": names[seat]})
    rest = None
    if back is earlier and taken and openly:
        rest = Message("aside-taken-back", {"steps": steps, "answers": taken[::-1]})
    elif now.depth > earlier.depth and openly:
        rest = Message("aside-fewer", {"steps": steps, "number": now.depth - earlier.depth})
    elif now.depth <= earlier.depth and now is not earlier:
        rest = Message("aside-stands-again", {"steps": steps})
    event = {"event": "undo", "seat": seat, "to": undo.to, "agreed": undo.agreed}
    return Aside(event, rest or steps)


def _answer(match: Match, names: Sequence[Name], line: str) -> Message:
    """An answer, as it is said of somebody: “Ann: play ♥7”."""
    seat, question, answer, *_ = line.split(" ")
    spelled = card_symbol(answer) if answer in match.game.names else answer
    return Message("aside-answer", {"name": names[int(seat)], "question": question, "answer": spelled})
