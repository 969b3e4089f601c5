"""A whole game as JSON lines, for an outside referee that checks every question, answer and count.

The cards come from the secret of the seed with empty nonces, so that anyone can deal them again (`docs/records.md`).
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping
from typing import Any, TextIO

import numpy as np

from diamonds import deals, views
from diamonds.events import hear, type_of_log
from diamonds.game import Ask, Game, Malformed, Refused
from diamonds.terminal.asked import shown

MAX_LINE = 1_000  # characters of an answer's line; the longest sensible one has about fifty


class Playthrough:
    """One game, printed as it goes."""

    def __init__(self, game: Game, seats: int, given: Mapping[str, Any], seed: int, out: TextIO) -> None:
        self.game, self.seats, self.seed, self.out = game, seats, seed, out
        self.options = game.check_options(seats, given)
        self.secret, self.nonces = deals.seeded_secret(seed), [b""] * seats
        cut = deals.cut(self.secret, self.nonces, seats, game.pack_at(seats, self.options))
        self.state: np.void = game.start(seats, self.options, cut)

    def play(self, answers: TextIO | None = None, live: bool = False) -> None:
        """Print the game. Without ``answers``, one a line, they are drawn from the seed; ``live`` prints what is asked
        before each is read. Stops where the answers do."""
        self._deal()
        self._print(
            {
                "game": self.game.name,
                "seats": self.seats,
                "options": self.options,
                "seed": self.seed,
                "first": int(self.state["first" if self._in_piles else "dealer"]),
            }
        )
        self._print(self._cards())
        for seat, question, answer in self._drawn() if answers is None else self._read(answers, live):
            self._answer(seat, question, answer)
            if self.state["over"]:
                self._print({"result": self.game.result(self.state)})
                return

    def _print(self, line: dict[str, Any]) -> None:
        self.out.write(json.dumps(line, ensure_ascii=False) + "\n")
        self.out.flush()

    def _asks(self) -> list[dict[str, Any]]:
        return [ask._asdict() for ask in self.game.asks(self.state)]

    def _deal(self) -> list[dict[str, Any]]:
        """Deal; return what that told."""
        deck = deals.deck(self.secret, self.nonces, int(self.state["deals"]), self.game.pack(self.state))
        return self._heard(self.game.deal(self.state, deck))

    def _heard(self, log: type_of_log) -> list[dict[str, Any]]:
        return hear(log, self.game.rules.EVENTS, self.game.ranks, None)

    @property
    def _in_piles(self) -> bool:
        """Whether the game lays its cards out in piles and has a first player, instead of hands and a dealer."""
        return any(field.name == "piles" for field in self.game.fields)

    def _cards(self) -> dict[str, Any]:
        """Where the cards of the deal lie."""
        data, n = views.as_data(self.game, self.state), int(self.state["deals"]) - 1
        if self._in_piles:
            return {"deal": n, "piles": data["piles"]}
        return {"deal": n, "hands": data["hand"], "aside": data["aside"]}

    def _answer(self, seat: int, question: str | None, answer: object) -> None:
        """Apply one answer and print what came of it. Counts are taken before a deal that follows would clear them."""
        number = self.game.read_answer(self.state, seat, question, answer)
        spelled = self.game.question(self.state).answers[number]
        asked = self._asks()
        told = self._heard(self.game.answer(self.state, seat, answer, question))
        numbers = self.game.rules.numbers(self.state)
        dealt = self.game.wants_cards(self.state)
        if dealt:
            told += self._deal()
        self._print({"ask": asked, "seat": seat, "answer": spelled})
        self._print({"told": told})
        self._print({"numbers": numbers})
        if dealt:
            self._print(self._cards())

    # Where answers come from.

    def _drawn(self) -> Iterator[tuple[int, str | None, object]]:
        """Random legal answers, the same for the same seed."""
        rng = random.Random(self.seed)
        while True:
            seat = rng.choice(self.game.to_act(self.state))
            yield seat, None, rng.choice(self.game.legal(self.state, seat))

    def _read(self, answers: TextIO, live: bool) -> Iterator[tuple[int, str | None, object]]:
        """Answers as they come; when they end, what is still asked has been printed."""
        n = 0
        while True:
            if live:
                self._print({"ask": self._asks()})
            line = _next_line(answers)
            if line is None:
                if not live:
                    self._print({"ask": self._asks()})
                return
            seat, question, answer = read_line(line, self.game.asks(self.state), n)
            try:
                self.game.read_answer(self.state, seat, question, answer)
            except Refused as refusal:
                raise type(refusal)(
                    "terminal-answer-refused", n=str(n), line=shown(line), why=refusal.message
                ) from None
            yield seat, question, answer
            n += 1


def _next_line(answers: TextIO) -> str | None:
    """The next line that is not blank, or ``None`` at the end."""
    while True:
        try:
            line = answers.readline(MAX_LINE + 1)
        except UnicodeDecodeError:
            raise Malformed("terminal-answers-not-text") from None
        if not line:
            return None
        if len(line) > MAX_LINE:
            raise Malformed("terminal-line-too-long", most=MAX_LINE)
        if line.strip():
            return line.strip()


def read_line(line: str, asks: list[Ask], n: int) -> tuple[int, str | None, object]:
    """Seat, question and answer of a line: ``0 H7``, ``0 play H7``, ``{"seat": 0, "answer": "H7"}``, or just ``H7``
    when one seat is to act. ``n`` is the number of the answer, for the sentence when it makes no sense."""
    wrong = Malformed("terminal-answer-form", n=str(n), given=shown(line))
    if line.startswith("{"):
        try:
            data = json.loads(line)
        except (ValueError, RecursionError):
            raise wrong from None
        if set(data) - {"seat", "question", "answer"} or "answer" not in data:
            raise wrong
        question = data.get("question")
        if question is not None and not isinstance(question, str):
            raise wrong
        return _seat(data.get("seat"), asks, wrong), question, data["answer"]
    words = line.split()
    if len(words) > 3:
        raise wrong
    if len(words) == 1:
        return _seat(None, asks, wrong), None, words[0]
    if not (words[0].isascii() and words[0].isdecimal() and len(words[0]) < 3):
        raise wrong
    return int(words[0]), words[1] if len(words) == 3 else None, words[-1]


def _seat(given: object, asks: list[Ask], wrong: Malformed) -> int:
    if type(given) is int:
        return given
    if given is not None:
        raise wrong
    if len(asks) > 1:
        raise Malformed("terminal-which-seat", number=len(asks), seat=str(asks[0].seat))
    return asks[0].seat
