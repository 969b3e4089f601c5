"""Side events: undos, seat changes, substitute answers, timeouts and forks in a game.

A replay steps through the effective answers and shows these events between them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, NamedTuple

from diamonds.cards import card_symbol
from diamonds.entries import TIMEOUT, AnswerEntry, SeatChangeEntry, UndoEntry, parse_entry
from diamonds.i18n import Message, translate
from diamonds.records import RecordedGame

TextOrMessage = str | Message  # the name of a seat
MAX_NAMED_ANSWERS = 6  # an undo of more answers shows only their number


class SideEvent(NamedTuple):
    """A side event as data and as a sentence. Its ``event`` has the form of a game's own events."""

    event: dict[str, Any]
    message: Message

    @property
    def text(self) -> str:
        """The event as an English sentence."""
        return translate(*self.message)


class _HistoryNode(NamedTuple):
    """The game after an entry: the number of effective answers, the last of them, and the position before it."""

    answer_count: int
    last_answer: str
    previous: _HistoryNode | None


def side_events(played: RecordedGame, names: Sequence[str], seat: int | None = None) -> dict[int, list[SideEvent]]:
    """Return the side events of a game, keyed by the number of effective answers before them.

    With a ``seat``, undone answers are not named, because some of them showed cards that only others may know. A seat
    without a name is called by its number.
    """
    seat_names = [name or Message("side-event-seat", {"number": at + 1}) for at, name in enumerate(names)]
    events: dict[int, list[SideEvent]] = defaultdict(list)
    if played.fork is not None and played.fork.n == 0:
        events[0].append(_fork_event())
    current = start = _HistoryNode(0, "", None)
    positions = [start]
    effective_count = 0  # effective answers so far
    for n, line in enumerate(played.entries):
        seat_text, _, entry_text = line.partition(" ")
        name = seat_names[int(seat_text)]
        entry = parse_entry(entry_text)
        if isinstance(entry, UndoEntry):
            target = positions[entry.target]
            events[effective_count].append(
                _undo_event(played, seat_names, int(seat_text), entry, current, target, seat is None)
            )
            current = target
        elif isinstance(entry, SeatChangeEntry):
            events[effective_count].append(_seat_change_event(name, int(seat_text), entry.holder))
        elif isinstance(entry, AnswerEntry):
            current = _HistoryNode(current.answer_count + 1, line, current)
            if effective_count < played.n and played.entry_positions[effective_count] == n:
                if entry.substitute_level:
                    event = {"event": "by", "seat": int(seat_text), "level": entry.substitute_level}
                    events[effective_count].append(
                        SideEvent(event, Message("side-event-by", {"level": entry.substitute_level, "name": name}))
                    )
                effective_count += 1
        else:
            events[effective_count].append(
                SideEvent({"event": TIMEOUT, "seat": int(seat_text)}, Message("side-event-timeout", {"name": name}))
            )
        positions.append(current)
        if played.fork is not None and played.fork.n == n + 1:
            events[effective_count].append(_fork_event())
    return dict(events)


def _fork_event() -> SideEvent:
    return SideEvent({"event": "fork"}, Message("side-event-fork"))


def _seat_change_event(name: TextOrMessage, seat: int, holder: str) -> SideEvent:
    """Return the event of a seat that changes hands."""
    kind, _, level = holder.partition(":")
    event = {"event": "seat", "seat": seat, "kind": kind, "level": level or None}
    if kind == "bot":
        return SideEvent(event, Message("side-event-seat-bot", {"name": name, "level": level}))
    return SideEvent(
        event, Message("side-event-seat-person" if kind == "person" else "side-event-seat-open", {"name": name})
    )


def _undo_event(
    played: RecordedGame,
    names: Sequence[TextOrMessage],
    seat: int,
    undo: UndoEntry,
    current: _HistoryNode,
    target: _HistoryNode,
    name_answers: bool,
) -> SideEvent:
    """Return the event of an undo; it names the undone answers if they are few and ``name_answers`` is set."""
    position, undone_answers = current, []
    for _ in range(min(current.answer_count - target.answer_count, MAX_NAMED_ANSWERS)):
        undone_answers.append(_answer_message(played, names, position.last_answer))
        assert position.previous is not None
        position = position.previous
    undo_message = Message("side-event-undo-agreed" if undo.agreed else "side-event-undo", {"name": names[seat]})
    detail_message = None
    if position is target and undone_answers and name_answers:
        detail_message = Message("side-event-taken-back", {"steps": undo_message, "answers": undone_answers[::-1]})
    elif current.answer_count > target.answer_count and name_answers:
        detail_message = Message(
            "side-event-fewer", {"steps": undo_message, "number": current.answer_count - target.answer_count}
        )
    elif current.answer_count <= target.answer_count and current is not target:
        detail_message = Message("side-event-stands-again", {"steps": undo_message})
    event = {"event": "undo", "seat": seat, "to": undo.target, "agreed": undo.agreed}
    return SideEvent(event, detail_message or undo_message)


def _answer_message(played: RecordedGame, names: Sequence[TextOrMessage], line: str) -> Message:
    """Return the message for one answer: “Ann: play ♥7”."""
    seat, question, answer, *_ = line.split(" ")
    spelled = card_symbol(answer) if answer in played.game.card_names else answer
    return Message("side-event-answer", {"name": names[int(seat)], "question": question, "answer": spelled})
