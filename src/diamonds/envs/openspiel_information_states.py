"""The events a seat has seen in OpenSpiel: texts of information states with perfect recall."""

from __future__ import annotations

from typing import Any

import numpy as np

from diamonds import views
from diamonds.events import EventLogArray, event_for, value_data
from diamonds.fields import OWNER, TEAM
from diamonds.game import GAMES, Game


class EventHistory:
    """All that the seats have heard: what came last, and what they had heard before.

    A search asks only for what the seats on turn know in the positions that it keeps. So what is told is kept as numbers,
    and put into words when someone asks.
    """

    __slots__ = ("_dealt_state", "_game", "_log", "_own_answer", "_previous", "_seats", "_texts")

    def __init__(self, game: Game, seats: int) -> None:
        """Nothing yet."""
        self._game, self._seats = game, seats
        self._previous: EventHistory | None = None
        self._log: list[list[int]] = []  # events
        self._own_answer: tuple[int, int, int] | None = None  # who answered, the question's number and the answer's
        self._dealt_state = b""  # the state after a deal: everyone sees their own
        self._texts: dict[int, str] = {}  # all that a seat has heard up to here (−1: a spectator), if anyone has asked

    def appended(
        self, log: EventLogArray, own_answer: tuple[int, int, int] | None = None, dealt_state: bytes = b""
    ) -> EventHistory:
        """This, and then what is new."""
        later = EventHistory(self._game, self._seats)
        later._previous, later._log, later._own_answer, later._dealt_state = (
            self,
            log[1 : log[0, 0] + 1].tolist(),
            own_answer,
            dealt_state,
        )
        return later

    def text(self, seat: int) -> str:
        """All that a seat has heard, said and been dealt (−1: a spectator)."""
        unread: list[EventHistory] = []
        history: EventHistory | None = self
        while history is not None and seat not in history._texts:
            unread.append(history)
            history = history._previous
        text_before = history._texts[seat] if history is not None else ""
        self._texts[seat] = text_before + "".join(one._new_text(seat) for one in reversed(unread))
        return self._texts[seat]

    def _new_text(self, seat: int) -> str:
        """What was new to a seat here: its own answer, what was told, what it was dealt."""
        game, texts = self._game, []
        if self._own_answer and self._own_answer[0] == seat:
            question = game.questions[self._own_answer[1]]
            texts.append(f"I {question.name} {question.answers[self._own_answer[2]]}; ")
        texts += [_event_text(event_for(row, game.rules.EVENTS, game.ranks, seat)) for row in self._log]
        if self._dealt_state and seat >= 0:
            texts.append(_private_text(game, self._dealt_state, seat))
        return "".join(texts)

    def __deepcopy__(self, memo: object) -> EventHistory:
        """Nothing here changes, so a copy is the same."""
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """As texts alone: the chain may be longer than what a pickle can follow."""
        return _history_from_pickle, (
            self._game.name,
            self._seats,
            [self.text(seat) for seat in range(-1, self._seats)],
        )


class ImaginedHistory(EventHistory):
    """The beginning of a world: what a seat really has heard, and of the others what they would have to remember."""

    __slots__ = ("_truth", "_viewer")

    def __init__(self, truth: EventHistory, viewer: int, row: bytes) -> None:
        super().__init__(truth._game, truth._seats)
        self._truth, self._viewer, self._dealt_state = truth, viewer, row

    def _new_text(self, seat: int) -> str:
        if seat == self._viewer:
            return self._truth.text(seat)
        public = self._truth.text(views.SPECTATOR)
        return public + _private_text(self._game, self._dealt_state, seat) if seat >= 0 else public


def _history_from_pickle(name: str, seats: int, texts: list[str]) -> EventHistory:
    """What was heard, from a pickle."""
    history = EventHistory(GAMES[name], seats)
    history._texts = dict(zip(range(-1, seats), texts, strict=True))
    return history


def _private_text(game: Game, data: bytes, seat: int) -> str:
    """What a state holds for a seat alone, or for it and its partner."""
    row, texts = np.frombuffer(data, game.dtype)[0], []
    for field in game.fields:
        if field.visibility in (OWNER, TEAM) and not field.perfect_recall:
            entry = int(game.rules.team(row, seat)) if field.visibility == TEAM else seat
            texts.append(
                f"my {field.name} {_value_text(value_data(field.kind, int(row[field.name][entry]), game.ranks))}; "
            )
    return "".join(texts)


def _value_text(value: Any) -> str:
    if value is None:
        return "-"
    return ",".join(map(str, value)) or "none" if isinstance(value, list) else str(value)


def _event_text(event: dict[str, Any]) -> str:
    """An event in short: ``played 2 H7; ``."""
    return " ".join(map(_value_text, event.values())) + "; "
