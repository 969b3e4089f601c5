"""Replays in a terminal: a record step by step, a single position, and the verification of deals."""

from __future__ import annotations

import json

from diamonds.bots.answer_check import check_bot_answers
from diamonds.bots.levels import bots_version
from diamonds.cards import card_symbol
from diamonds.errors import InvalidInputError, NotAllowedError
from diamonds.events import EventLogArray, events_for
from diamonds.i18n import join_list, translate
from diamonds.record_reader import UnverifiedRecord
from diamonds.records import RecordedGame
from diamonds.side_events import side_events
from diamonds.terminal.arguments import sanitize
from diamonds.terminal.games import display_for
from diamonds.terminal.rendering import options_text, table_view
from diamonds.terminal.screen import Screen

MAX_DIFFERENCES = 5  # differences listed in a sentence


def player_names(played: RecordedGame) -> list[str]:
    """Return the players' names for display; unnamed players get the number of their seat."""
    return [
        sanitize(name, 20) or translate("side-event-seat", {"number": seat + 1})
        for seat, name in enumerate(played.players)
    ]


def event_texts(played: RecordedGame, logs: list[EventLogArray], seat: int | None) -> list[str]:
    """Return the events as a seat saw them, or all of them for ``None``."""
    kinds, ranks = played.game.rules.EVENTS, played.game.ranks
    name_of = player_names(played).__getitem__
    return [
        played.game.event_text(event, name_of, seat) for log in logs for event in events_for(log, kinds, ranks, seat)
    ]


def show_steps(played: RecordedGame, seat: int | None, screen: Screen) -> None:
    """Print every answer with its events, and the side events between them; with a seat, only what that seat saw."""
    events_beside = side_events(played, player_names(played), seat)
    screen.print_line(heading(played), "bold")
    replayed = played.at(0)
    for sentence in event_texts(replayed, replayed.opening_logs, seat):
        screen.print_line(f"      {sentence}")
    for n, (answerer, question, answer) in enumerate(played.answers):
        for side_event in events_beside.get(n, ()):
            screen.print_line(f"      {side_event.text}")
        sentences = event_texts(replayed, replayed.answer(answerer, answer, question), seat)
        is_secret = seat not in (None, answerer) and not sentences
        canonical = card_symbol(answer) if isinstance(answer, str) and answer in played.game.card_names else answer
        values = {"name": player_names(played)[answerer], "question": question, "answer": str(canonical)}
        first_sentence = translate("terminal-secret-answer") if is_secret else translate("terminal-answered", values)
        screen.print_line(f"{n + 1:4}  {first_sentence if is_secret or seat in (None, answerer) else sentences.pop(0)}")
        for sentence in sentences:
            screen.print_line(f"      {sentence}")
    for side_event in events_beside.get(played.n, ()):
        screen.print_line(f"      {side_event.text}")
    screen.print_line(ending_text(played))


def show_unverified(record: UnverifiedRecord, reason: str, screen: Screen) -> None:
    """Print the raw contents of a record that cannot be replayed, and the reason."""
    players = [sanitize(player, 20) for player in record.players]
    screen.print_line(translate("terminal-heading", {"game": record.game.name, "players": players}), "bold")
    screen.print_line(translate("terminal-unchecked", {"why": reason}))
    options = ", ".join(f"{sanitize(name)} {sanitize(json.dumps(value))}" for name, value in record.options.items())
    screen.print_line(translate("terminal-options", {"options": options or translate("terminal-none")}))
    screen.print_line(translate("terminal-seated", {"seated": [sanitize(holder) for holder in record.seat_holders]}))
    screen.print_line(translate("terminal-commitment", {"commitment": sanitize(record.commitment, 64)}))
    for n, line in enumerate(record.entries, 1):
        screen.print_line(f"{n:4}  {sanitize(line)}")


def show_position(played: RecordedGame, n: int, seat: int | None, screen: Screen) -> None:
    """Print the table after ``n`` answers, as a seat sees it, or with every hand open."""
    if n > played.n:
        raise InvalidInputError("terminal-no-position", number=played.n, after=n)
    earlier = played.at(n)
    view = table_view(played.game, earlier.state, seat, player_names(played))
    display = display_for(played.game)
    values = {"heading": heading(played), "number": n, "all": played.n}
    if seat is None:
        screen.print_line(translate("terminal-position", values), "bold")
    else:
        screen.print_line(translate("terminal-position-seen", {**values, "name": player_names(played)[seat]}), "bold")
    if screen.is_plain:
        for sentence in display.describe(view):
            screen.print_line(sentence)
    else:
        screen.print_picture(display.draw(view))
    for open_question in played.game.open_questions(earlier.state):
        question_values = {"name": player_names(played)[open_question.seat], "question": open_question.question}
        if seat in (None, open_question.seat):
            screen.print_line(
                translate(
                    "terminal-asked", {**question_values, "legal": [str(answer) for answer in open_question.legal]}
                )
            )
        else:
            screen.print_line(translate("terminal-asked-only", question_values))


def heading(played: RecordedGame) -> str:
    """Return the game, its players and its unusual options."""
    options = options_text(played)
    values = {"game": played.game.name, "players": player_names(played)}
    return (
        translate("terminal-heading-options", {**values, "options": options})
        if options
        else translate("terminal-heading", values)
    )


def ending_text(played: RecordedGame) -> str:
    """Return a sentence about the end."""
    if not played.over:
        return translate("terminal-stops", {"number": played.n})
    result = played.game.result(played.state)
    scores = ", ".join(f"{name} {score}" for name, score in zip(player_names(played), result["scores"], strict=True))
    winners = join_list([player_names(played)[seat] for seat in result["winners"]], "and")
    return translate("terminal-won-by", {"scores": scores, "names": winners, "reason": played.game.ending_text(result)})


def bot_verification_text(played: RecordedGame) -> str:
    """Return how many bot answers were recomputed. Raise `NotAllowedError`, which names any differences."""
    number, differences = check_bot_answers(played)
    ours = bots_version(played.game)
    if differences and played.bots_version not in ("", ours):
        values = {"theirs": played.bots_version, "ours": ours, "number": number, "same": number - len(differences)}
        raise NotAllowedError("record-bots-other-version", **values)
    if differences:
        listed = "; ".join(f"{n} ({line}): {found}" for n, line, found in differences[:MAX_DIFFERENCES])
        raise NotAllowedError("record-bots-differ", number=len(differences), listed=listed)
    return translate("terminal-bots-agree", {"number": number})


def verification_text(played: RecordedGame) -> list[str]:
    """Return what the replay of a record has verified; `load_record` raises an error if a check fails."""
    deal_count = int(played.state["deals"])
    return [
        heading(played),
        translate("terminal-same-secret", {"commitment": played.commitment}),
        translate("terminal-dealt-again", {"number": deal_count}),
        translate("terminal-all-legal", {"number": played.n}) if played.n else translate("terminal-no-answer"),
        ending_text(played),
        *([translate(*played.fork.message)] if played.fork else []),
        translate("terminal-verified") if played.over else translate("terminal-verified-so-far"),
    ]
