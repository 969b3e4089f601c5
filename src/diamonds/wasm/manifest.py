"""The manifest: the declarations of the rules that a program needs to use a module, as data.

It repeats declarations and adds nothing. Ids are those of the catalogs in `diamonds.i18n`.
"""

from __future__ import annotations

from typing import Any

from diamonds import views
from diamonds.bots import games
from diamonds.bots.analysis import hints, review
from diamonds.bots.games.adapter import COUNT_COLUMNS, MAX_CANDIDATES, SearchParams
from diamonds.bots.games.reason_kinds import MAX_REASON_VALUES, MAX_REASONS
from diamonds.bots.levels import BOTS, LevelBot
from diamonds.cards import MAX_PACKET_NUMBERS
from diamonds.events import LOG_COLUMNS, MAX_LOG_ROWS, EventExpiry, EventField
from diamonds.fields import MAX_SEATS
from diamonds.game import Game
from diamonds.i18n import message_id
from diamonds.records import RECORD_FORMAT


def common_data() -> dict[str, Any]:
    """Return the data common to all games."""
    return {
        "seats": MAX_SEATS,
        "log": {"rows": MAX_LOG_ROWS, "width": LOG_COLUMNS},
        "laid_out": MAX_PACKET_NUMBERS,
        "record": RECORD_FORMAT,
    }


def game_data(game: Game) -> dict[str, Any]:
    """Return one game's data: the layout of its row, its questions, events, refusals and options."""
    rules = game.rules
    return {
        "title": message_id(game.name, "title"),
        "version": game.version,
        "seats": list(game.seats),
        "usual_seats": game.default_seats,
        "cards": list(game.card_names),
        "row": game.dtype.itemsize // 8,  # 64-bit integers
        "fields": [
            {
                "name": field.name,
                "kind": field.kind,
                "at": start,
                "shape": list(field.shape),
                "by_team": field.per_team,
                "places": field.pile_count,
                "derived": field.is_derived,
                "who": field.visibility,
                "once": field.revealed_by,
                "remembered": field.perfect_recall,
            }
            for field, start, _ in views.field_offsets(game)
        ],
        "options": [
            {
                "name": option.name,
                "values": list(option.values),
                "default": option.default,
                "rule": option.rule,
                "seats": list(option.seats),
                "needs": {option.needs[0]: option.needs[1]} if option.needs else None,
                "default_by": {
                    option.default_from[0]: {
                        str(key): option_default for key, option_default in option.default_from[1].items()
                    }
                }
                if option.default_from
                else None,
            }
            for option in game.options
        ],
        "questions": [
            {
                "name": question.name,
                "id": message_id(game.name, "question", question.name),
                "answers": list(question.answers),
                "silent": list(question.silent),
                "then": question.follow_up,
            }
            for question in game.questions
        ],
        "events": [
            {
                "name": event.name,
                "id": message_id(game.name, event.name),
                "values": [_value_data(value) for value in event.values],
            }
            for event in rules.EVENTS
        ],
        "refusals": [
            {
                "id": message_id(game.name, "illegal", reason.name),
                "rule": reason.rule,
                "value": None if reason.value is None else _value_data(reason.value),
            }
            for reason in rules.ILLEGAL_REASONS
        ],
        "endings": [
            {"name": ending, "id": message_id(game.name, "end", ending), "values": list(values)}
            for ending, values in rules.ENDINGS.items()
        ],
        "facts": [
            {"id": message_id(game.name, "fact", fact_name), "values": list(values)}
            for fact_name, values in getattr(rules, "FACTS", {}).items()
        ],
        "fading": _expiry_data(game.event_expiry),
        "pad": list(game.score_pad_fields),
    }


def _expiry_data(expiry: EventExpiry | None) -> dict[str, Any] | None:
    """Return the rule that hides old events."""
    if expiry is None:
        return None
    return {"unless": expiry.option, "card": expiry.card_event, "trick": expiry.trick_event, "deal": expiry.deal_event}


def search_data(game: Game) -> dict[str, Any]:
    """Return the search parameters of each level, in the order of `SearchParams`, and the settings of hints."""
    adapter = games.adapter_for(game)
    params_by_level = {
        name: list(map(float, bot.search_params(game))) for name, bot in BOTS.items() if isinstance(bot, LevelBot)
    }
    return {
        "bots": adapter.bots_version,
        "efforts": params_by_level,
        "weighing": list(map(float, SearchParams())),
        "candidates": MAX_CANDIDATES,
        "columns": COUNT_COLUMNS,
        "unit": adapter.unit,
        "winning": adapter.win_bonus,
        "hints": {
            "worlds": adapter.hint_worlds,
            "params": list(map(float, adapter.hint_params)),
            "weighed": hints.SHORTLIST_SIZE,
            "told": hints.MAX_CHOICES[adapter.unit],
            "tied": hints.TIE_STD_ERRORS,
            "nothing": hints.NEGLIGIBLE_GAIN[adapter.unit],
            "obvious": adapter.material_difference * hints.OBVIOUS_SHARE,
        },
    }


def review_data(game: Game) -> dict[str, Any]:
    """Return the settings of reviews; each step of judging adds its own offset to the decision's seed."""
    adapter = games.adapter_for(game)
    return {
        "looks": list(map(float, review.JUDGE_PARAMS)),
        "seeds": list(review.JUDGE_SEEDS),
        "slips": review.FORECAST_RANDOM_PERMILLE,
        "forecasts": adapter.forecast_playouts,
        "material": adapter.material_difference,
    }


def reason_data(game: Game) -> dict[str, Any]:
    """Return all reasons in the order of their numbers, and the sizes of their arrays."""
    ids = [
        {"id": reason.id, "values": [_value_data(value) for value in reason.values]}
        for reason in games.adapter_for(game).reason_kinds
    ]
    return {"values": MAX_REASON_VALUES, "most": MAX_REASONS, "columns": COUNT_COLUMNS, "ids": ids}


def _value_data(value: EventField) -> dict[str, Any]:
    return {"name": value.name, "kind": value.kind, "to": list(value.audience)}
