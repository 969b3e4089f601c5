"""A whole game as JSON lines, for an outside referee that checks every question, answer and count.

The secret is derived from the seed and the nonces are empty, so anyone can deal the cards again (`docs/records.md`).
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TextIO

import numpy as np

from diamonds import deals, views
from diamonds.bots.bot import bot_view
from diamonds.bots.levels import find_bot
from diamonds.errors import DiamondsError, InvalidInputError
from diamonds.events import EventLogArray, events_for
from diamonds.game import Game, OpenQuestion
from diamonds.lab.simulation import bot_rng
from diamonds.terminal.arguments import sanitize

MAX_LINE_CHARS = 1_000  # per answer; the longest valid one has about fifty


class Playthrough:
    """One game, printed during play. ``bots`` has a bot's name for each seat, or is empty for random answers."""

    def __init__(
        self, game: Game, seats: int, options: Mapping[str, Any], seed: int, out: TextIO, bots: Sequence[str] = ()
    ) -> None:
        self.game, self.seats, self.seed, self.out, self.bots = game, seats, seed, out, bots
        self.options = game.check_options(seats, options)
        self.secret, self.nonces = deals.seeded_secret(seed), [b""] * seats
        cut = deals.cut_cards(self.secret, self.nonces, seats, game.pack_for(seats, self.options))
        self.state: np.void = game.start(seats, self.options, cut)

    def play(self, answers: TextIO | None = None, live: bool = False) -> None:
        """Print the game until it is over or there are no more answers.

        ``answers`` holds one answer per line. Without it the bots answer or, if there are none, answers are drawn from
        the seed. ``live`` prints the open questions before each answer is read.
        """
        self._deal()
        self._print(
            {
                "game": self.game.name,
                "seats": self.seats,
                "options": self.options,
                "seed": self.seed,
                "first": int(self.state["first" if self._has_piles else "dealer"]),
            }
        )
        self._print(self._dealt_cards())
        if answers is not None:
            given = self._read_answers(answers, live)
        else:
            given = self._bot_answers() if self.bots else self._random_answers()
        for seat, question, answer in given:
            self._apply_answer(seat, question, answer)
            if self.state["over"]:
                self._print({"result": self.game.result(self.state)})
                return

    def _print(self, line: dict[str, Any]) -> None:
        self.out.write(json.dumps(line, ensure_ascii=False) + "\n")
        self.out.flush()

    def _open_questions(self) -> list[dict[str, Any]]:
        return [ask._asdict() for ask in self.game.open_questions(self.state)]

    def _deal(self) -> list[dict[str, Any]]:
        """Deal; return the events."""
        deck = deals.deck(self.secret, self.nonces, int(self.state["deals"]), self.game.pack(self.state))
        return self._events(self.game.deal(self.state, deck))

    def _events(self, log: EventLogArray) -> list[dict[str, Any]]:
        return events_for(log, self.game.rules.EVENTS, self.game.ranks, None)

    @property
    def _has_piles(self) -> bool:
        """True if the game deals its cards into piles and has a first player, instead of hands and a dealer."""
        return any(field.name == "piles" for field in self.game.fields)

    def _dealt_cards(self) -> dict[str, Any]:
        """Return the place of every card after a deal."""
        data, n = views.view_data(self.game, self.state), int(self.state["deals"]) - 1
        if self._has_piles:
            return {"deal": n, "piles": data["piles"]}
        return {"deal": n, "hands": data["hand"], "aside": data["aside"]}

    def _apply_answer(self, seat: int, question: str | None, answer: object) -> None:
        """Apply one answer and print its events. Counts are read first, because the next deal would clear them."""
        number = self.game.parse_answer(self.state, seat, question, answer)
        canonical = self.game.question(self.state).answers[number]
        open_questions = self._open_questions()
        events = self._events(self.game.apply_answer(self.state, seat, answer, question))
        counts = self.game.rules.referee_counts(self.state)
        needs_deal = self.game.needs_deal(self.state)
        if needs_deal:
            events += self._deal()
        self._print({"ask": open_questions, "seat": seat, "answer": canonical})
        self._print({"told": events})
        self._print({"numbers": counts})
        if needs_deal:
            self._print(self._dealt_cards())

    # Answers

    def _random_answers(self) -> Iterator[tuple[int, str | None, object]]:
        """Yield random legal answers, determined by the seed."""
        rng = random.Random(self.seed)
        while True:
            seat = rng.choice(self.game.to_act(self.state))
            yield seat, None, rng.choice(self.game.legal(self.state, seat))

    def _bot_answers(self) -> Iterator[tuple[int, str | None, object]]:
        """Yield the bots' answers, as in the first game of ``diamonds simulate`` with the same seed."""
        bots, rng = [find_bot(name) for name in self.bots], bot_rng(self.seed, 0)
        while True:
            seat, question = self.game.to_act(self.state)[0], self.game.question(self.state)
            number = bots[seat].choose(bot_view(self.game, self.state, seat), question.name, rng)
            yield seat, question.name, question.answers[number]

    def _read_answers(self, answers: TextIO, live: bool) -> Iterator[tuple[int, str | None, object]]:
        """Yield the answers read; print the open questions before each one if ``live``, otherwise at the end."""
        n = 0
        while True:
            if live:
                self._print({"ask": self._open_questions()})
            line = _next_line(answers)
            if line is None:
                if not live:
                    self._print({"ask": self._open_questions()})
                return
            seat, question, answer = parse_answer_line(line, self.game.open_questions(self.state), n)
            try:
                self.game.parse_answer(self.state, seat, question, answer)
            except DiamondsError as error:
                raise type(error)("terminal-answer-refused", n=str(n), line=sanitize(line), why=error.message) from None
            yield seat, question, answer
            n += 1


def _next_line(answers: TextIO) -> str | None:
    """Return the next line that is not blank, or ``None`` at the end."""
    while True:
        try:
            line = answers.readline(MAX_LINE_CHARS + 1)
        except UnicodeDecodeError:
            raise InvalidInputError("terminal-answers-not-text") from None
        if not line:
            return None
        if len(line) > MAX_LINE_CHARS:
            raise InvalidInputError("terminal-line-too-long", most=MAX_LINE_CHARS)
        if line.strip():
            return line.strip()


def parse_answer_line(line: str, open_questions: list[OpenQuestion], n: int) -> tuple[int, str | None, object]:
    """Return the seat, question and answer that a line gives.

    A line is ``0 H7``, ``0 play H7``, ``{"seat": 0, "answer": "H7"}``, or just ``H7`` when one seat is to act. ``n`` is
    the number of the answer, for errors.
    """
    error = InvalidInputError("terminal-answer-form", n=str(n), given=sanitize(line))
    if line.startswith("{"):
        try:
            data = json.loads(line)
        except (ValueError, RecursionError):
            raise error from None
        if set(data) - {"seat", "question", "answer"} or "answer" not in data:
            raise error
        question = data.get("question")
        if question is not None and not isinstance(question, str):
            raise error
        return _acting_seat(data.get("seat"), open_questions, error), question, data["answer"]
    words = line.split()
    if len(words) > 3:
        raise error
    if len(words) == 1:
        return _acting_seat(None, open_questions, error), None, words[0]
    if not (words[0].isascii() and words[0].isdecimal() and len(words[0]) < 3):
        raise error
    return int(words[0]), words[1] if len(words) == 3 else None, words[-1]


def _acting_seat(value: object, open_questions: list[OpenQuestion], error: InvalidInputError) -> int:
    if type(value) is int:
        return value
    if value is not None:
        raise error
    if len(open_questions) > 1:
        raise InvalidInputError("terminal-which-seat", number=len(open_questions), seat=str(open_questions[0].seat))
    return open_questions[0].seat
