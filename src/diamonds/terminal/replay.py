"""A record told step by step, the position after some answers, and whether its deals were fair."""

from __future__ import annotations

import json

from diamonds.asides import asides
from diamonds.cards import card_symbol
from diamonds.events import hear, type_of_log
from diamonds.game import Malformed
from diamonds.records import Match, Written
from diamonds.terminal.asked import shown
from diamonds.terminal.parts import look_at, options_words
from diamonds.terminal.screen import Screen
from diamonds.terminal.table import FACES


def names(match: Match) -> list[str]:
    """The players' names, fit to be shown."""
    return [shown(player, 20) for player in match.players]


def words(match: Match, logs: list[type_of_log], seat: int | None) -> list[str]:
    """What was told, as a seat heard it, or for ``None`` all of it."""
    kinds, ranks = match.game.rules.EVENTS, match.game.ranks
    called = names(match).__getitem__
    return [match.game.say(event, called, seat) for log in logs for event in hear(log, kinds, ranks, seat)]


def step_by_step(match: Match, seat: int | None, screen: Screen) -> None:
    """Every answer with what came of it, and what happened between them; with a seat only what that seat heard."""
    beside = asides(match, names(match), seat)
    screen.say(heading(match), "bold")
    again = match.at(0)
    for sentence in words(again, again.opening, seat):
        screen.say(f"      {sentence}")
    for n, (who, question, answer) in enumerate(match.answers):
        for aside in beside.get(n, ()):
            screen.say(f"      {aside.words}")
        told = words(again, again.answer(who, answer, question), seat)
        hidden = seat not in (None, who) and not told
        spelled = card_symbol(answer) if isinstance(answer, str) and answer in match.game.names else answer
        first = "(an answer that only its seat knows)" if hidden else f"{names(match)[who]}: {question} {spelled}"
        screen.say(f"{n + 1:4}  {first if hidden or seat in (None, who) else told.pop(0)}")
        for sentence in told:
            screen.say(f"      {sentence}")
    for aside in beside.get(match.n, ()):
        screen.say(f"      {aside.words}")
    screen.say(ending(match))


def as_written(record: Written, why: str, screen: Screen) -> None:
    """A record that cannot be played again, as it is written; ``why`` says so."""
    screen.say(f"{record.game.title}: {', '.join(shown(player, 20) for player in record.players)}.", "bold")
    screen.say(f"{why} So this is what the record says, unchecked.")
    options = ", ".join(f"{shown(name)} {shown(json.dumps(value))}" for name, value in record.options.items())
    screen.say(f"Options: {options or 'none'}.")
    screen.say(f"In the seats at the start: {', '.join(map(shown, record.seated))}.")
    screen.say(f"Commitment: {shown(record.commitment, 64)}.")
    for n, line in enumerate(record.entries, 1):
        screen.say(f"{n:4}  {shown(line)}")


def position(match: Match, n: int, seat: int | None, screen: Screen) -> None:
    """The table after ``n`` answers, as a seat sees it, or with every hand open."""
    if n > match.n:
        raise Malformed(f"The record has {match.n} answers, so there is no position after {n}.")
    earlier = match.at(n)
    look = look_at(match.game, earlier.state, seat, names(match))
    face = FACES[match.game.name]
    screen.say(
        f"{heading(match)} After {n} of {match.n} answers{'' if seat is None else f', as {names(match)[seat]} sees it'}:",
        "bold",
    )
    if screen.plain:
        for sentence in face.tell(look):
            screen.say(sentence)
    else:
        screen.show(face.draw(look))
    for ask in match.game.asks(earlier.state):
        legal = f": {', '.join(map(str, ask.legal))}" if seat in (None, ask.seat) else ""
        screen.say(f"{names(match)[ask.seat]} is asked to {ask.question}{legal}.")


def heading(match: Match) -> str:
    """What was played, by whom, with which unusual options."""
    options = options_words(match)
    return f"{match.game.title}: {', '.join(names(match))}{'; ' if options else ''}{options}."


def ending(match: Match) -> str:
    """How it ended, as a sentence."""
    if not match.over:
        return f"The game is not over: it stops after {match.n} answers."
    result = match.game.result(match.state)
    scores = ", ".join(f"{name} {score}" for name, score in zip(names(match), result["scores"], strict=True))
    winners = " and ".join(names(match)[seat] for seat in result["winners"])
    return f"{scores}. Won by {winners}: {match.game.reason(result)}."


def verdict(match: Match) -> list[str]:
    """What has been shown to be true of a record that could be played again (`read_record` refuses every other)."""
    dealt = int(match.state["deals"])
    return [
        heading(match),
        f"The secret is the one committed to before play: its SHA-256 is {match.commitment}.",
        f"The cut and {'the deal' if dealt == 1 else f'all {dealt} deals'} were dealt again from the secret and the "
        f"seats’ nonces, and the table was the same after {'it' if dealt == 1 else 'each'}.",
        f"All {match.n} answers were legal." if match.n else "No answer has been given yet.",
        ending(match),
        *([str(match.fork)] if match.fork else []),
        "Verified." if match.over else "Verified as far as it goes.",
    ]
