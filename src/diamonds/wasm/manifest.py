"""What a program needs to know to play by a module: all that is declared beside the rules, as data.

Nothing is said here that is not said there. Ids are those of the catalogues in `diamonds.words`.
"""

from __future__ import annotations

from typing import Any

from diamonds import views
from diamonds.bots import knowing
from diamonds.bots.advising import hints, review
from diamonds.bots.knowing.contract import COLUMNS, MOST_CANDIDATES, Effort
from diamonds.bots.knowing.reasoning import VALUES
from diamonds.bots.levels import BOTS, LevelBot
from diamonds.bots.thinking import because
from diamonds.cards import MOST_LAID_OUT
from diamonds.events import LOG_ROWS, LOG_WIDTH, Value
from diamonds.fields import SEATS
from diamonds.game import Game
from diamonds.records import FORMAT
from diamonds.words import name


def shared() -> dict[str, Any]:
    """What is the same for every game."""
    return {
        "seats": SEATS,
        "log": {"rows": LOG_ROWS, "width": LOG_WIDTH},
        "laid_out": MOST_LAID_OUT,
        "record": FORMAT,
    }


def describe(game: Game) -> dict[str, Any]:
    """One game: how its row is laid out, what it asks, tells and refuses, and its options."""
    rules = game.rules
    return {
        "title": name(game.name, "title"),
        "version": game.version,
        "seats": list(game.seats),
        "usual_seats": game.usual_seats,
        "cards": list(game.names),
        "row": game.dtype.itemsize // 8,  # whole numbers of eight bytes
        "fields": [
            {
                "name": field.name,
                "kind": field.kind,
                "at": start,
                "shape": list(field.shape),
                "by_team": field.by_team,
                "places": field.places,
                "derived": field.derived,
                "who": field.who,
                "once": field.once,
                "remembered": field.remembered,
            }
            for field, start, _ in views.places(game)
        ],
        "options": [
            {
                "name": option.name,
                "values": list(option.values),
                "default": option.default,
                "rule": option.rule,
                "seats": list(option.seats),
                "needs": {option.needs[0]: option.needs[1]} if option.needs else None,
                "default_by": {option.default_by[0]: {str(key): each for key, each in option.default_by[1].items()}}
                if option.default_by
                else None,
            }
            for option in game.options
        ],
        "questions": [
            {
                "name": question.name,
                "id": name(game.name, "ask", question.name),
                "answers": list(question.answers),
                "silent": list(question.silent),
                "then": question.then,
            }
            for question in game.questions
        ],
        "events": [
            {
                "name": event.name,
                "id": name(game.name, event.name),
                "values": [_value(value) for value in event.values],
            }
            for event in rules.EVENTS
        ],
        "refusals": [
            {
                "id": name(game.name, "not", why.name),
                "rule": why.rule,
                "value": None if why.value is None else _value(why.value),
            }
            for why in rules.WHY_NOT
        ],
        "endings": [
            {"name": ended, "id": name(game.name, "end", ended), "values": list(values)}
            for ended, values in rules.ENDINGS.items()
        ],
        "facts": [
            {"id": name(game.name, "fact", fact), "values": list(values)}
            for fact, values in getattr(rules, "FACTS", {}).items()
        ],
        "fading": None if game.fading is None else game.fading._asdict(),
        "pad": list(game.pad),
    }


def minds(game: Game) -> dict[str, Any]:
    """How bots think about a game: what each level's effort is, in the order of `Effort`, and how a hint weighs."""
    known = knowing.of(game)
    efforts = {name: list(map(float, bot.effort(game))) for name, bot in BOTS.items() if isinstance(bot, LevelBot)}
    return {
        "efforts": efforts,
        "weighing": list(map(float, Effort())),
        "candidates": MOST_CANDIDATES,
        "columns": COLUMNS,
        "unit": known.unit,
        "winning": known.winning,
        "hints": {
            "worlds": known.weighed,
            "weighed": hints.SHORTLIST,
            "told": hints.TOLD,
            "tied": hints.TIED,
            "nothing": hints.NOTHING[known.unit],
        },
    }


def reviews(game: Game) -> dict[str, Any]:
    """How a finished game is looked at again; each look at a decision has a seed of its own, so much beside the decision's."""
    known = knowing.of(game)
    return {
        "looks": list(map(float, review.LOOKS)),
        "seeds": list(review.SEEDS),
        "slips": review.SLIPS,
        "forecasts": known.forecasts,
        "material": known.material,
    }


def reasons(game: Game) -> dict[str, Any]:
    """Which reasons there can be, in the order of their numbers; how many are told, and how many values each has room for."""
    ids = [{"id": one.id, "values": [_value(value) for value in one.values]} for one in knowing.of(game).because]
    return {"told": because.MOST, "values": VALUES, "columns": COLUMNS, "ids": ids}


def _value(value: Value) -> dict[str, Any]:
    return {"name": value.name, "kind": value.kind, "to": list(value.to)}
