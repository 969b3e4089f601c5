"""Information states in OpenSpiel: texts of all events that a seat has seen, and the last answers as a tensor."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from diamonds import views
from diamonds.envs import encoding
from diamonds.events import EventLogArray, event_for, value_data
from diamonds.fields import OWNER, TEAM
from diamonds.game import GAMES, Game

HISTORY_ANSWERS = 96  # more than in a deal of crystals (six players: 1 + 18 + 60, and the victims) or fourteen
UNKNOWN_ANSWER = -1

RecentAnswers = tuple[tuple[int, int, int], ...]  # seat, question, answer; the oldest first


class AnswerHistoryEncoder:
    """The answers since the last deal as zeros and ones, one row per answer.

    A row has the seat, counted from the viewer, the question, and the answer. Secret answers of other seats (cards to
    pass and sealed bids) have no column set for the answer.
    """

    def __init__(self, game: Game, seats: int, options: Mapping[str, Any]) -> None:
        self._game, self._seats = game, seats
        self.width = seats + len(game.questions) + encoding.action_count(game)
        secret = {"pass", "bid"} if options.get("bids") == "sealed" else {"pass"}
        self._secret = {k for k, question in enumerate(game.questions) if question.name in secret}

    def write(self, answers: RecentAnswers, viewer: int, rows: npt.NDArray[np.float32]) -> None:
        """Write what a viewer (−1: a spectator) knows of these answers."""
        rows[:] = 0
        for row, (seat, question, answer) in zip(rows, answers, strict=False):
            row[(seat - max(viewer, 0)) % self._seats] = 1
            row[self._seats + question] = 1
            if answer != UNKNOWN_ANSWER and (seat == viewer or question not in self._secret):
                row[self._seats + len(self._game.questions) + answer] = 1

    def in_world(self, answers: RecentAnswers, viewer: int) -> RecentAnswers:
        """Return the answers for a world dealt from a view, in which the others' secret answers are unknown."""
        return tuple(
            (seat, question, UNKNOWN_ANSWER if seat != viewer and question in self._secret else answer)
            for seat, question, answer in answers
        )


class EventHistory:
    """Everything that the seats have seen: the latest events, and the history before them.

    A search needs only the knowledge of the seats to act in the positions that it keeps. So events are stored as
    numbers and turned into text on demand.
    """

    __slots__ = ("_dealt_state", "_game", "_log", "_own_answer", "_previous", "_seats", "_texts")

    def __init__(self, game: Game, seats: int) -> None:
        """Start an empty history."""
        self._game, self._seats = game, seats
        self._previous: EventHistory | None = None
        self._log: list[list[int]] = []  # events
        self._own_answer: tuple[int, int, int] | None = None  # who answered, question number, answer number
        self._dealt_state = b""  # the state after a deal, in which everyone sees their own cards
        self._texts: dict[int, str] = {}  # everything seen so far, by seat (−1: a spectator), if it has been requested

    def appended(
        self, log: EventLogArray, own_answer: tuple[int, int, int] | None = None, dealt_state: bytes = b""
    ) -> EventHistory:
        """Return this history with new events added."""
        later = EventHistory(self._game, self._seats)
        later._previous, later._own_answer, later._dealt_state = self, own_answer, dealt_state
        later._log = log[1 : log[0, 0] + 1].tolist()
        return later

    def text(self, seat: int) -> str:
        """Return everything that a seat has seen, answered and been dealt (−1: a spectator)."""
        unread: list[EventHistory] = []
        history: EventHistory | None = self
        while history is not None and seat not in history._texts:
            unread.append(history)
            history = history._previous
        text_before = history._texts[seat] if history is not None else ""
        self._texts[seat] = text_before + "".join(one._new_text(seat) for one in reversed(unread))
        return self._texts[seat]

    def _new_text(self, seat: int) -> str:
        """Return the latest part of a seat's text: its answer, the events, and the cards dealt to it."""
        game, texts = self._game, []
        if self._own_answer and self._own_answer[0] == seat:
            question = game.questions[self._own_answer[1]]
            texts.append(f"I {question.name} {question.answers[self._own_answer[2]]}; ")
        texts += [_event_text(event_for(row, game.rules.EVENTS, game.ranks, seat)) for row in self._log]
        if self._dealt_state and seat >= 0:
            texts.append(_private_text(game, self._dealt_state, seat))
        return "".join(texts)

    def __deepcopy__(self, memo: object) -> EventHistory:
        """Return the history itself, which never changes."""
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle only the texts, because the chain of histories may be too long to pickle."""
        return _history_from_pickle, (
            self._game.name,
            self._seats,
            [self.text(seat) for seat in range(-1, self._seats)],
        )


class ResampledHistory(EventHistory):
    """The start of a world: the true history for one seat, and histories that fit the world for the others."""

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
    """Return a history of these texts, from a pickle."""
    history = EventHistory(GAMES[name], seats)
    history._texts = dict(zip(range(-1, seats), texts, strict=True))
    return history


def _private_text(game: Game, data: bytes, seat: int) -> str:
    """Return the text of a state's values that only a seat sees, or only it and its partner."""
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
    """Return the short text of an event: ``played 2 H7; ``."""
    return " ".join(map(_value_text, event.values())) + "; "
