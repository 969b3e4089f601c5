"""A game against bots at a terminal: show, ask, answer, save, and again."""

from __future__ import annotations

import hashlib
import signal
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from rich.text import Text

from diamonds import words
from diamonds.bots import kernels, levels
from diamonds.bots.bot import see
from diamonds.bots.levels import find_bot
from diamonds.cards import card_symbol
from diamonds.events import hear, type_of_log
from diamonds.game import Ask, Illegal, Malformed, Refused
from diamonds.records import Match, copy
from diamonds.terminal import rulebook, typed
from diamonds.terminal.face import Face
from diamonds.terminal.faces import face_of
from diamonds.terminal.parts import Look, hand_sentences, look_at, options_words
from diamonds.terminal.saved import Saved, Unsaved
from diamonds.terminal.screen import Screen, paint


class Stop(Exception):
    """The player leaves; the game is saved."""


@contextmanager
def unstopped() -> Iterator[None]:
    """Control-C waits until this is done."""
    pressed = []
    before = signal.signal(signal.SIGINT, lambda *_: pressed.append(True))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if pressed:
        raise KeyboardInterrupt


@dataclass
class Table:
    """One person's table. Every answer is on disk before anything that follows from it is told (law 6)."""

    match: Match
    me: int
    bots: dict[int, str]
    file: Saved
    screen: Screen
    told_at: int | None = None  # the n at which the whole table was last told in words
    compiler: kernels.Compiler | None = field(default=None, repr=False)  # while what the bots think with is got ready

    @property
    def face(self) -> Face:
        """The game's picture and words."""
        return face_of(self.match.game)

    @property
    def names(self) -> list[str]:
        """The players' names."""
        return self.match.players

    def look(self) -> Look:
        """The table as its player may see it; with open hands when the game is over."""
        return look_at(self.match.game, self.match.state, self.me, self.names)

    def play(self) -> None:
        """Until the game is over or the player stops."""
        try:
            if any(self._thinks(seat) for seat in self.bots) and not kernels.loaded(self.match.game):
                with unstopped():  # a compiler that was begun is known, and so can be ended
                    self.compiler = kernels.Compiler(self.match.game)  # while the player reads and thinks
            self._greet()
            while not self.match.over:
                seats = self.match.game.to_act(self.match.state)
                if self.me in seats:
                    self._turn()
                else:
                    self._bot(seats[0])
            self._end()
        except (Stop, KeyboardInterrupt):
            self.screen.say()
            self.screen.say(words.say("terminal-saved", {"path": str(self.file.path)}))
        finally:
            if self.compiler:
                self.compiler.close()

    def _greet(self) -> None:
        match, screen = self.match, self.screen
        bots = []
        for seat, bot in self.bots.items():
            id = "terminal-level" if bot.isdecimal() else "terminal-bot"
            bots.append(words.say(id, {"name": self.names[seat], "level": bot}))
        greeting = {"game": match.game.name, "name": self.names[self.me], "bots": bots}
        screen.say(words.say("terminal-greeting", greeting), "bold")
        if options_words(match):
            screen.say(words.say("terminal-options", {"options": options_words(match)}))
        screen.say(words.say("terminal-type-help"), "dim")
        if match.n:
            screen.say(words.say("terminal-going-on", {"number": match.n}))
            self._retell()
        else:
            self._hear(match.opening)

    # Hearing.

    def _hear(self, logs: list[type_of_log]) -> None:
        for sentence in self.words(logs):
            self.screen.say(f"  {sentence}")

    def words(self, logs: list[type_of_log]) -> list[str]:
        """What was told, as the player hears it."""
        game = self.match.game
        heard = [event for log in logs for event in hear(log, game.rules.EVENTS, game.ranks, self.me)]
        told = [event for event in heard if event["event"] != "score"]  # those are counted out at the end
        return [game.say(event, self.names.__getitem__, self.me) for event in told]

    def _retell(self) -> None:
        """What has happened since the player's last answer; that one is told again too."""
        n = self._last_answer()
        again = self.match.at(n or 0)
        logs = list(again.opening) if n is None else []
        for seat, question, answer in self.match.answers[again.n :]:
            logs += again.answer(seat, answer, question)
        self._hear(logs)

    def _last_answer(self) -> int | None:
        """The place of the player's last decision: of its first answer, if a set was named one by one."""
        answers, sets = self.match.answers, [one.name for one in self.match.game.questions if one.one_by_one]
        place = next((n for n in range(len(answers) - 1, -1, -1) if answers[n][0] == self.me), None)
        while place and answers[place][1] in sets and answers[place - 1][:2] == answers[place][:2]:
            place -= 1
        return place

    # Answering.

    def _bot(self, seat: int) -> None:
        match, name = self.match, self.bots[seat]
        question = match.game.question(match.state)
        seed = hashlib.sha256(match.secret + b"bot %d at %d" % (seat, match.n)).digest()
        rng = np.random.default_rng(int.from_bytes(seed[:16], "big"))
        if self._thinks(seat):
            self._get_ready(seat)
        with (
            self._meanwhile(words.say("terminal-thinks", {"name": self.names[seat]}))
            if self._thinks(seat)
            else nullcontext()
        ):
            number = find_bot(name).choose(see(match.game, match.state, seat), question.name, rng)
        self._give([(seat, question.answers[number])])

    def _thinks(self, seat: int) -> bool:
        """Whether a seat's bot thinks ahead, which takes a moment, and the first time more."""
        return isinstance(find_bot(self.bots[seat]), levels.LevelBot)

    def _get_ready(self, seat: int) -> None:
        """Wait until what a bot thinks with is there. No other bot stands in: a game from a seed is one game."""
        if self.compiler is None:
            return
        why = words.say("terminal-gets-ready", {"name": self.names[seat]})
        if self.screen.plain and not self.compiler.done:
            self.screen.say(why)
        with self._meanwhile(why):
            self.compiler.finish()
        self.compiler = None

    def _meanwhile(self, says: str) -> AbstractContextManager[Any]:
        """A sentence on the screen for as long as something takes; a screen of plain lines stays as it is."""
        return nullcontext() if self.screen.plain else self.screen.console.status(says)

    def _give(self, answers: list[tuple[int, int | str]]) -> None:
        """Apply answers, all or none; save; then tell."""
        after = copy(self.match)
        logs = [log for seat, answer in answers for log in after.answer(seat, answer)]
        self.file.save(after)
        self.match = after
        self._hear(logs)

    def _turn(self) -> None:
        """Ask until something is answered, or the player leaves."""
        self._show(anew=False)
        n = self.match.n
        ask = self.look().ask
        assert ask is not None
        offered = self.offer()
        while self.match.n == n:
            line = self.screen.read()
            if line is None:
                raise Stop
            command, refused = typed.command(line), False
            try:
                if command:
                    self._do(command)
                elif line.strip():
                    self._give([(self.me, answer) for answer in self.read(line, ask, offered)])
            except Unsaved:
                raise
            except Refused as refusal:
                self.screen.say(words.say(*refusal.message))
                refused = True
            if self.match.n == n and line.strip():
                self._prompt(ask, offered, listed=not refused)

    def offer(self) -> list[typed.Choice]:
        """What may be typed."""
        look, face, question = self.look(), self.face, self.match.game.question(self.match.state)
        offered = face.offered(look)
        return typed.choices(question, offered, [face.remark(look, answer) for answer in offered])

    def read(self, line: str, ask: Ask, offered: list[typed.Choice]) -> list[int | str]:
        """The answers that a line gives; `Refused` if it gives none that can be applied one after another."""
        match = self.match
        answers = typed.read(line, match.game.question(match.state), offered)
        wanted, one_by_one = self.face.wanted(self.look()), match.game.question(match.state).one_by_one
        for answer in answers:
            if wanted == 1 or answer not in [choice.answer for choice in offered]:
                match.game.read_answer(match.state, self.me, ask.question, answer)
        if len(set(answers)) < len(answers):
            raise Malformed("terminal-named-twice")
        if len(answers) != wanted and not one_by_one:
            raise Malformed("terminal-one-answer", named=len(answers))
        if len(answers) != wanted:
            raise Malformed("terminal-so-many-cards", number=wanted, named=len(answers))
        order = {name: k for k, name in enumerate(match.game.names)}
        return sorted(answers, key=lambda answer: order.get(str(answer), 0))

    # Showing.

    def _show(self, anew: bool = True, prompt: bool = True) -> None:
        """The table; in words only the own hand, unless someone else has answered since, or it is wanted ``anew``."""
        look = self.look()
        self.screen.say()
        if self.screen.plain:
            since = None if self.told_at is None else self.match.answers[self.told_at :]
            brief = not anew and since and all(seat == self.me for seat, _, _ in since)
            for sentence in hand_sentences(look) if brief else self.face.tell(look):
                self.screen.say(sentence)
            self.told_at = self.match.n
        else:
            self.screen.show(self.face.draw(look))
            self.screen.say()
        if look.ask and prompt:
            self._prompt(look.ask, self.offer())

    def _prompt(self, ask: Ask, offered: list[typed.Choice], listed: bool = True) -> None:
        """The question, and what may be typed."""
        game = self.match.game
        says = words.say(*game.asks_for(game.question(self.match.state)))
        says = self.face.prompt(self.look(), says)
        if self.screen.plain:
            typable = ", ".join(f"{c.key} {c.label}".strip() for c in offered)
            may = words.say("terminal-may-type", {"answers": typable})
            self.screen.say(f"{says} {may}" if listed else says)
            return
        self.screen.say(f" {says}", "bold")
        if listed:
            self.screen.show(_laid_out(offered, self.screen.console.width))

    # Commands.

    def _do(self, command: str) -> None:
        if command == "?":
            self._help()
        elif command == "rules":
            rulebook.show(self.match.game, self.screen)
        elif command == "last":
            self._retell()
        elif command == "show":
            self._show(prompt=False)
        elif command == "undo":
            self._undo()
        else:
            raise Stop

    def _help(self) -> None:
        question = self.match.game.question(self.match.state)
        self.screen.say(self.face.explain(self.match.game, question))
        self.screen.say(words.say("terminal-how-to-type"))
        for name, meaning in typed.COMMANDS.items():
            self.screen.say(f"  {name:6} {words.say(meaning)}")

    def _undo(self) -> None:
        place = self._last_answer()
        if place is None:
            raise Illegal("terminal-nothing-to-undo")
        question, given = self.match.answers[place][1], self.match.answers[place][2]
        earlier, self.told_at = copy(self.match), None
        earlier.undo(self.me, self.match.places[place])
        self.file.save(earlier)
        self.match = earlier
        what = card_symbol(given) if isinstance(given, str) and given in self.match.game.names else given
        self.screen.say(words.say("terminal-taken-back", {"question": question, "answer": str(what)}))

    # The end.

    def _end(self) -> None:
        match, screen, look = self.match, self.screen, self.look()
        result = match.game.result(match.state)
        reason = match.game.reason(result)
        screen.say()
        for sentence in self.face.count_out(look):
            screen.say(f"  {sentence}")
        winners = result["winners"]
        if len(winners) == match.seats:
            outcome = words.say("terminal-draw", {"reason": reason})
        elif len(winners) == 1:
            outcome = look.say("terminal-wins", seat=winners[0], reason=reason)
        else:
            outcome = look.say("terminal-win", winners=winners, reason=reason)
        screen.say(words.capitals(outcome), "bold")
        screen.say(words.say("terminal-record", {"path": str(self.file.path)}))


def _laid_out(offered: list[typed.Choice], width: int) -> list[Text]:
    """The choices in lines that fit, none broken in the middle."""
    lines = [Text(" ")]
    for choice in offered:
        piece = Text(choice.key, "bold reverse") if choice.key else Text()
        if choice.label:
            piece.append(" " if choice.key else "").append_text(paint(choice.label))
        if lines[-1].cell_len + piece.cell_len + 2 > width:
            lines.append(Text(" "))
        lines[-1].append_text(piece).append("   ")
    return lines
