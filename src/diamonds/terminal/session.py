"""A game against bots in a terminal: show, ask, answer, save, repeat."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from typing import Any

from rich.text import Text

from diamonds import i18n
from diamonds.bots import games, kernels, levels
from diamonds.bots.analysis import hints
from diamonds.bots.games.adapter import WIN_CHANCE
from diamonds.bots.levels import find_bot
from diamonds.errors import DiamondsError, InvalidInputError, NotAllowedError
from diamonds.events import EventLogArray, events_for
from diamonds.fields import Question
from diamonds.game import OpenQuestion
from diamonds.records import RecordedGame, copy_game
from diamonds.terminal import answer_input, hints_and_reviews, rulebook
from diamonds.terminal.games import display_for
from diamonds.terminal.games.display import GameDisplay
from diamonds.terminal.rendering import TableView, hand_sentences, options_text, table_view
from diamonds.terminal.save_file import SaveError, SaveFile
from diamonds.terminal.screen import Screen, color_suits


class PlayerQuit(Exception):
    """Raised when the player leaves; the game is saved."""


@contextmanager
def defer_interrupt() -> Iterator[None]:
    """Defer Control-C until the block ends."""
    interrupts = []
    earlier_handler = signal.signal(signal.SIGINT, lambda *_: interrupts.append(True))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, earlier_handler)
    if interrupts:
        raise KeyboardInterrupt


@dataclass
class PlaySession:
    """One person's table. Every answer is on disk before any of its results are shown."""

    played: RecordedGame
    player_seat: int
    bots: dict[int, str]
    file: SaveFile
    screen: Screen
    described_at: int | None = None  # the n at which the table was last described in full
    # set while the bots' search is being compiled
    compiler: kernels.KernelCompiler | None = field(default=None, repr=False)

    @property
    def display(self) -> GameDisplay:
        """The game's display."""
        return display_for(self.played.game)

    @property
    def player_names(self) -> list[str]:
        return self.played.players

    def view(self) -> TableView:
        """Return the table as its player may see it, with open hands after the game."""
        return table_view(self.played.game, self.played.state, self.player_seat, self.player_names)

    def play(self) -> None:
        """Play until the game is over or the player stops."""
        try:
            if any(self._is_search_bot(seat) for seat in self.bots) and not kernels.is_loaded(self.played.game):
                with defer_interrupt():  # so that `self.compiler` is set before an interrupt stops it
                    # compiles while the player reads and thinks
                    self.compiler = kernels.KernelCompiler(self.played.game)
            self._show_greeting()
            while not self.played.over:
                seats = self.played.game.to_act(self.played.state)
                if self.player_seat in seats:
                    self._play_turn()
                else:
                    self.play_bot(seats[0])
            self._show_end()
            self._look_back()
        except (PlayerQuit, KeyboardInterrupt):
            self.screen.print_line()
            self.screen.print_line(i18n.translate("terminal-saved", {"path": str(self.file.path)}))
        finally:
            if self.compiler:
                self.compiler.close()

    def _show_greeting(self) -> None:
        played, screen = self.played, self.screen
        bots = []
        for seat, bot in self.bots.items():
            id = "terminal-level" if bot.isdecimal() else "terminal-bot"
            bots.append(i18n.translate(id, {"name": self.player_names[seat], "level": bot}))
        greeting = {"game": played.game.name, "name": self.player_names[self.player_seat], "bots": bots}
        screen.print_line(i18n.translate("terminal-greeting", greeting), "bold")
        if options_text(played):
            screen.print_line(i18n.translate("terminal-options", {"options": options_text(played)}))
        screen.print_line(i18n.translate("terminal-type-help"), "dim")
        if played.n:
            screen.print_line(i18n.translate("terminal-going-on", {"number": played.n}))
            self._show_recent_events()
        else:
            self._show_events(played.opening_logs)

    # Events

    def _show_events(self, logs: list[EventLogArray]) -> None:
        for sentence in self.event_texts(logs):
            self.screen.print_line(f"  {sentence}")

    def event_texts(self, logs: list[EventLogArray]) -> list[str]:
        """Return the events as the player sees them."""
        game = self.played.game
        events = [event for log in logs for event in events_for(log, game.rules.EVENTS, game.ranks, self.player_seat)]
        return [
            game.event_text(event, self.player_names.__getitem__, self.player_seat)
            for event in events
            if event["event"] != "score"  # `final_scores` shows the scores at the end
        ]

    def _show_recent_events(self) -> None:
        """Show the events since the player's last answer, including that answer."""
        n = self._last_answer()
        replayed = self.played.at(n or 0)
        logs = list(replayed.opening_logs) if n is None else []
        for seat, question, answer in self.played.answers[replayed.n :]:
            logs += replayed.answer(seat, answer, question)
        self._show_events(logs)

    def _last_answer(self) -> int | None:
        """Return the index of the player's last decision; for a set, that of its first answer."""
        answers = self.played.answers
        sequential_questions = [question.name for question in self.played.game.questions if question.is_sequential]
        index = next((n for n in range(len(answers) - 1, -1, -1) if answers[n][0] == self.player_seat), None)
        while index and answers[index][1] in sequential_questions and answers[index - 1][:2] == answers[index][:2]:
            index -= 1
        return index

    # Answers

    def play_bot(self, seat: int) -> None:
        played, name = self.played, self.bots[seat]
        question = played.game.question(played.state)
        answers_before = sum(one == seat for one, _, _ in played.answers)
        if self._is_search_bot(seat):
            self._wait_for_compiler(seat)
        with (
            self._wait_for_bot(i18n.translate("terminal-thinks", {"name": self.player_names[seat]}))
            if self._is_search_bot(seat)
            else nullcontext()
        ):
            number = levels.answer_in_game(name, played, seat, answers_before)
        self.apply_answers([(seat, question.answers[number])])

    def _is_search_bot(self, seat: int) -> bool:
        """Return whether a seat's bot searches. A search takes a moment, and the first one longer."""
        return isinstance(find_bot(self.bots[seat]), levels.LevelBot)

    def _wait_for_compiler(self, seat: int) -> None:
        """Wait for the bot's search to be compiled.

        No other bot substitutes, so that a seed always gives the same game.
        """
        if self.compiler is None:
            return
        message = i18n.translate("terminal-gets-ready", {"name": self.player_names[seat]})
        if self.screen.is_plain and not self.compiler.is_done:
            self.screen.print_line(message)
        with self._wait_for_bot(message):
            self.compiler.finish()
        self.compiler = None

    def _wait_for_bot(self, text: str) -> AbstractContextManager[Any]:
        """Show a sentence while the block runs; a plain screen shows nothing."""
        return nullcontext() if self.screen.is_plain else self.screen.console.status(text)

    def apply_answers(self, answers: list[tuple[int, int | str]]) -> None:
        """Apply either all answers or none, save the game, then show the events."""
        next_game = copy_game(self.played)
        logs = [log for seat, answer in answers for log in next_game.answer(seat, answer)]
        self.file.save(next_game)
        self.played = next_game
        self._show_events(logs)

    def _play_turn(self) -> None:
        """Ask until a question is answered or the player leaves."""
        self._show(full=False)
        n = self.played.n
        open_question = self.view().open_question
        assert open_question is not None
        choices = self.choices()
        while self.played.n == n:
            line = self.screen.read_line()
            if line is None:
                raise PlayerQuit
            command = answer_input.parse_command(line)
            if not line.strip() and self._only_choice(choices):
                line = str(self._only_choice(choices))
            try:
                if command:
                    self.run_command(command)
                elif line.strip():
                    self.apply_answers(
                        [(self.player_seat, answer) for answer in self.parse_line(line, open_question, choices)]
                    )
            except SaveError:
                raise
            except DiamondsError as error:
                self.screen.print_line(f"  {i18n.translate(*error.message)}", "yellow")
            if self.played.n == n and line.strip():
                self._show_prompt(open_question, choices)

    def _only_choice(self, choices: list[answer_input.AnswerChoice]) -> int | str | None:
        """Return the only possible answer, if there is just one; pressing Enter gives it."""
        return choices[0].answer if len(choices) == 1 and self.display.answers_needed(self.view()) == 1 else None

    def choices(self) -> list[answer_input.AnswerChoice]:
        """Return the answers that may be typed."""
        view, display, question = self.view(), self.display, self.played.game.question(self.played.state)
        answers = display.offered_answers(view)
        notes = [display.answer_note(view, answer) for answer in answers]
        return answer_input.answer_choices(question, answers, notes, self._first_number(question))

    def _first_number(self, question: Question) -> int:
        """Return the number that players type for answer 0."""
        return int(question.name in self.display.pile_questions)

    def parse_line(
        self, line: str, open_question: OpenQuestion, choices: list[answer_input.AnswerChoice]
    ) -> list[int | str]:
        """Return the answers in a line, or raise `DiamondsError` if they cannot be applied in turn."""
        played = self.played
        question = played.game.question(played.state)
        answers = answer_input.parse_answers(line, question, choices, self._first_number(question))
        needed, is_sequential = self.display.answers_needed(self.view()), question.is_sequential
        for answer in answers:
            if needed == 1 or answer not in [choice.answer for choice in choices]:
                played.game.parse_answer(played.state, self.player_seat, open_question.question, answer)
        if len(set(answers)) < len(answers):
            raise InvalidInputError("terminal-named-twice")
        if len(answers) != needed and not is_sequential:
            raise InvalidInputError("terminal-one-answer", named=len(answers))
        if len(answers) != needed:
            raise InvalidInputError("terminal-so-many-cards", number=needed, named=len(answers))
        order = {name: k for k, name in enumerate(played.game.card_names)}
        return sorted(answers, key=lambda answer: order.get(str(answer), 0))

    # Display

    def _show(self, full: bool = True, prompt: bool = True) -> None:
        """Show the table.

        In words, show only the player's hand unless others have answered since or ``full`` is set.
        """
        view = self.view()
        self.screen.print_line()
        if self.screen.is_plain:
            recent_answers = None if self.described_at is None else self.played.answers[self.described_at :]
            is_brief = not full and recent_answers and all(seat == self.player_seat for seat, _, _ in recent_answers)
            for sentence in hand_sentences(view) if is_brief else self.display.describe(view):
                self.screen.print_line(sentence)
            self.described_at = self.played.n
        else:
            self.screen.print_picture(self.display.draw(view))
            self.screen.print_line()
        if view.open_question and prompt:
            self._show_prompt(view.open_question, self.choices())

    def _show_prompt(self, open_question: OpenQuestion, choices: list[answer_input.AnswerChoice]) -> None:
        """Show the question and the possible answers."""
        game = self.played.game
        text = i18n.translate(*game.question_message(game.question(self.played.state)))
        text = self.display.prompt(self.view(), text)
        if self._only_choice(choices) is not None:
            text = f"{text} {i18n.translate('terminal-only-choice')}"
        if self.screen.is_plain:
            typable = ", ".join(f"{choice.key} {choice.label}".strip() for choice in choices)
            self.screen.print_line(f"{text} {i18n.translate('terminal-may-type', {'answers': typable})}")
            return
        self.screen.print_line(f" {text}", "bold")
        self.screen.print_picture(_choice_lines(choices, self.screen.console.width))

    # Commands

    def run_command(self, command: str) -> None:
        if command == "?":
            self._show_help()
        elif command == "hint":
            self._show_hint()
        elif command == "review":
            self._show_review()
        elif command == "rules":
            rulebook.show_rules(self.played.game, self.screen)
        elif command == "last":
            self._show_recent_events()
        elif command == "show":
            self._show(prompt=False)
        elif command == "undo":
            self.undo()
        else:
            raise PlayerQuit

    def _show_help(self) -> None:
        if not self.played.over:
            question = self.played.game.question(self.played.state)
            self.screen.print_line(self.display.explain(self.played.game, question))
            self.screen.print_line(i18n.translate("terminal-how-to-type"))
        for name, meaning in answer_input.COMMANDS.items():
            self.screen.print_line(f"  {name:7} {i18n.translate(meaning)}")

    def undo(self) -> None:
        played, index = self.played, self._last_answer()
        if played.over:
            raise NotAllowedError("game-over")
        if index is None:
            raise NotAllowedError("terminal-nothing-to-undo")
        replayed, (_, question, answer) = played.at(index), played.answers[index]
        given = [answer]
        if games.adapter_for(played.game).is_set(replayed.state):
            given = [
                text for seat, name, text in played.answers[index:] if (seat, name) == (self.player_seat, question)
            ]
        text = self.view().text("as-it-is", text=hints.answer_text(played.game, question, given))
        if answer not in played.game.card_names:
            text = i18n.translate("quoted", {"text": text})
        earlier, self.described_at = copy_game(played), None
        earlier.undo(self.player_seat, played.entry_positions[index])
        self.file.save(earlier)
        self.played = earlier
        self.screen.print_line(
            i18n.translate("terminal-taken-back", {"answer": text, "number": played.n - index - len(given)})
        )

    # Advice

    def _prepare_analysis(self) -> None:
        """Wait until hints and reviews are available. A separate process compiles them, so Control-C ends the wait."""
        hints.require_analysis()
        game = self.played.game
        if kernels.is_analysis_loaded(game):
            return
        text = i18n.translate("page-hint-warming")
        if self.screen.is_plain:
            self.screen.print_line(text)
        compiler = kernels.KernelCompiler(game, for_analysis=True)
        try:
            with self._wait_for_bot(text):
                compiler.finish()
        finally:
            compiler.close()

    def _show_hint(self) -> None:
        """Show the best answers and their reasons, as on the page."""
        if self.played.over:
            raise NotAllowedError("hint-not-your-turn")
        self._prepare_analysis()
        with self._wait_for_bot(i18n.translate("page-hint-thinking")):
            hint = hints_and_reviews.make_hint(self.played, self.player_seat)
        first, *others = hints_and_reviews.hint_sentences(self.view(), hint)
        self.screen.print_line(f"  {first}", "bold")
        for sentence in others:
            self.screen.print_line(f"  {sentence}", "dim")

    def _show_review(self) -> None:
        """Show the costliest decisions, with the better answers and the reasons."""
        played, screen = self.played, self.screen
        if not played.over:
            raise NotAllowedError("hint-game-not-over")
        self._prepare_analysis()
        text = i18n.translate("page-review-underway")
        if screen.is_plain:
            screen.print_line(text)
        with self._wait_for_bot(text) as status:

            def show_progress(done: int, total: int) -> None:
                if status is not None:
                    status.update(f"{text} {100 * done // total} %")

            decisions = hints_and_reviews.make_review(played, self.player_seat, show_progress)
        marked_count = sum(decision.marked for decision in decisions)
        counts = {"marked": marked_count, "decisions": len(decisions)}
        unit = games.adapter_for(played.game).unit
        verdict = "page-review-marked-percent" if unit == WIN_CHANCE else "page-review-marked"
        screen.print_line(f"{i18n.translate(verdict, counts)}.", "bold")
        costliest = hints_and_reviews.review_sentences(played, self.display, self.player_names, decisions, unit)
        if len(costliest) < marked_count:
            screen.print_line(i18n.translate("terminal-costliest", {"number": len(costliest)}))
        for number, (heading, better) in enumerate(costliest, 1):
            screen.print_line(f"  {number}  {heading}", "dim")
            screen.print_line(f"     {better}")

    def _look_back(self) -> None:
        """Run commands after the end of the game."""
        if kernels.missing_reason() is None:
            self.screen.print_line(i18n.translate("terminal-look-back"), "dim")
        while True:
            line = self.screen.read_line()
            command = answer_input.parse_command(line or "")
            if line is None or not line.strip() or command == "quit" or not (command or self.screen.is_interactive):
                return
            try:
                if command:
                    self.run_command(command)
            except DiamondsError as error:
                self.screen.print_line(f"  {i18n.translate(*error.message)}", "yellow")
            self.screen.print_line(i18n.translate("terminal-look-back"), "dim")

    # The end

    def _show_end(self) -> None:
        played, screen, view = self.played, self.screen, self.view()
        result = played.game.result(played.state)
        reason = played.game.ending_text(result)
        screen.print_line()
        for sentence in self.display.final_scores(view):
            screen.print_line(f"  {sentence}")
        winners = result["winners"]
        if len(winners) == played.seats:
            outcome = i18n.translate("terminal-draw", {"reason": reason})
        elif len(winners) == 1:
            outcome = view.text("terminal-wins", seat=winners[0], reason=reason)
        else:
            outcome = view.text("terminal-win", winners=winners, reason=reason)
        screen.print_line(i18n.capitalize_sentences(outcome), "bold")
        screen.print_line(i18n.translate("terminal-record", {"path": str(self.file.path)}))


def _choice_lines(choices: list[answer_input.AnswerChoice], width: int) -> list[Text]:
    """Return the choices in lines of this width, without breaking a choice."""
    lines = [Text(" ")]
    for choice in choices:
        label = Text()
        label.append(choice.key, "bold reverse" if choice.key else "")
        if choice.label:
            label.append(" " if choice.key else "").append_text(color_suits(choice.label, "bold"))
        if lines[-1].cell_len + label.cell_len + 2 > width:
            lines.append(Text(" "))
        lines[-1].append("   " if len(lines[-1]) > 1 else "").append_text(label)
    return lines
