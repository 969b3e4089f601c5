"""A record told step by step, the position after some answers, and whether its deals were fair."""

from __future__ import annotations

import json

from diamonds.asides import asides
from diamonds.cards import card_symbol
from diamonds.events import hear, type_of_log
from diamonds.game import Malformed
from diamonds.records import Match, Written
from diamonds.terminal.asked import shown
from diamonds.terminal.faces import face_of
from diamonds.terminal.parts import look_at, options_words
from diamonds.terminal.screen import Screen
from diamonds.words import listed, say


def names(match: Match) -> list[str]:
    """The players' names, fit to be shown; who has none is called by the number of the seat."""
    return [shown(name, 20) or say("aside-seat", {"number": seat + 1}) for seat, name in enumerate(match.players)]


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
        answered = {"name": names(match)[who], "question": question, "answer": str(spelled)}
        first = say("terminal-secret-answer") if hidden else say("terminal-answered", answered)
        screen.say(f"{n + 1:4}  {first if hidden or seat in (None, who) else told.pop(0)}")
        for sentence in told:
            screen.say(f"      {sentence}")
    for aside in beside.get(match.n, ()):
        screen.say(f"      {aside.words}")
    screen.say(ending(match))


def as_written(record: Written, why: str, screen: Screen) -> None:
    """A record that cannot be played again, as it is written; ``why`` says so."""
    players = [shown(player, 20) for player in record.players]
    screen.say(say("terminal-heading", {"game": record.game.name, "players": players}), "bold")
    screen.say(say("terminal-unchecked", {"why": why}))
    options = ", ".join(f"{shown(name)} {shown(json.dumps(value))}" for name, value in record.options.items())
    screen.say(say("terminal-options", {"options": options or say("terminal-none")}))
    screen.say(say("terminal-seated", {"seated": [shown(who) for who in record.seated]}))
    screen.say(say("terminal-commitment", {"commitment": shown(record.commitment, 64)}))
    for n, line in enumerate(record.entries, 1):
        screen.say(f"{n:4}  {shown(line)}")


def position(match: Match, n: int, seat: int | None, screen: Screen) -> None:
    """The table after ``n`` answers, as a seat sees it, or with every hand open."""
    if n > match.n:
        raise Malformed("terminal-no-position", number=match.n, after=n)
    earlier = match.at(n)
    look = look_at(match.game, earlier.state, seat, names(match))
    face = face_of(match.game)
    after = {"heading": heading(match), "number": n, "all": match.n}
    if seat is None:
        screen.say(say("terminal-position", after), "bold")
    else:
        screen.say(say("terminal-position-seen", {**after, "name": names(match)[seat]}), "bold")
    if screen.plain:
        for sentence in face.tell(look):
            screen.say(sentence)
    else:
        screen.show(face.draw(look))
    for ask in match.game.asks(earlier.state):
        asked = {"name": names(match)[ask.seat], "question": ask.question}
        if seat in (None, ask.seat):
            screen.say(say("terminal-asked", {**asked, "legal": [str(answer) for answer in ask.legal]}))
        else:
            screen.say(say("terminal-asked-only", asked))


def heading(match: Match) -> str:
    """What was played, by whom, with which unusual options."""
    options = options_words(match)
    values = {"game": match.game.name, "players": names(match)}
    return (
        say("terminal-heading-options", {**values, "options": options}) if options else say("terminal-heading", values)
    )


def ending(match: Match) -> str:
    """How it ended, as a sentence."""
    if not match.over:
        return say("terminal-stops", {"number": match.n})
    result = match.game.result(match.state)
    scores = ", ".join(f"{name} {score}" for name, score in zip(names(match), result["scores"], strict=True))
    winners = listed([names(match)[seat] for seat in result["winners"]], "and")
    return say("terminal-won-by", {"scores": scores, "names": winners, "reason": match.game.reason(result)})


def verdict(match: Match) -> list[str]:
    """What has been shown to be true of a record that could be played again (`read_record` refuses every other)."""
    dealt = int(match.state["deals"])
    return [
        heading(match),
        say("terminal-same-secret", {"commitment": match.commitment}),
        say("terminal-dealt-again", {"number": dealt}),
        say("terminal-all-legal", {"number": match.n}) if match.n else say("terminal-no-answer"),
        ending(match),
        *([say(*match.fork.message)] if match.fork else []),
        say("terminal-verified") if match.over else say("terminal-verified-so-far"),
    ]
