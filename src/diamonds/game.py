"""`Game`: the common interface to start a game, ask questions, give answers and get results.

A `Game` wraps a rules module (see `diamonds.rules`). Only this class converts named answers to numbers, checks them and
applies them. `find_game` finds a game by its name: the project's games are in `GAMES`, and other packages add theirs as
entry points of the group ``diamonds.games``, each a name and its rules module. These plugins are loaded on first use.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from functools import cache, cached_property
from importlib.metadata import EntryPoint, entry_points
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from diamonds import cards, fields, i18n
from diamonds.errors import (
    InvalidInputError,
    NotAllowedError,
    NotFoundError,
    PluginGameError,
    RulesVersionError,
    quote_value,
)
from diamonds.events import EventExpiry, EventLogArray, IllegalReason, has_hidden_values, new_log, value_data
from diamonds.fields import Option, Question
from diamonds.i18n import Message
from diamonds.rules import crystals, fourteen, mines


class OpenQuestion(NamedTuple):
    """An open question: the seat to act, the question, and its legal answers by name."""

    seat: int
    question: str
    legal: list[int | str]


# The names that every rules module must define (see `diamonds.rules`); all others are optional.
REQUIRED_RULES_NAMES = (
    "NAME", "VERSION", "RANKS", "SEATS", "DEFAULT_SEATS", "OPTIONS", "FIELDS", "QUESTIONS", "EVENTS", "ILLEGAL_REASONS",
    "ENDINGS", "start", "pack", "cards_dealt", "deal", "legal", "step", "score", "seats_ahead", "team", "ending",
    "illegal_reason", "deal_packets",
)  # fmt: skip


class Game:
    """A game, built in or from a plugin."""

    def __init__(self, rules: ModuleType) -> None:
        self.rules = rules
        self.name: str = rules.NAME
        self.version: int = rules.VERSION
        self.ranks: int = rules.RANKS
        self.seats: tuple[int, ...] = rules.SEATS
        self.default_seats: int = rules.DEFAULT_SEATS
        self.typical_decisions: dict[int, int] = getattr(rules, "TYPICAL_DECISIONS", {})
        self.options: tuple[Option, ...] = rules.OPTIONS
        self.fields: tuple[fields.Field, ...] = rules.FIELDS
        self.questions: tuple[Question, ...] = rules.QUESTIONS
        self.event_expiry: EventExpiry | None = getattr(rules, "EVENT_EXPIRY", None)
        self.score_pad_fields: tuple[str, ...] = getattr(rules, "SCORE_PAD_FIELDS", ())
        self._rules_facts: Callable[[np.void, list[int]], Any] | None = getattr(rules, "facts", None)
        self.card_names = cards.pack_names(rules.RANKS)
        self.dtype = fields.state_dtype(rules.FIELDS)

    def __repr__(self) -> str:
        return f"<{self.name}>"

    @cached_property
    def answers(self) -> tuple[dict[str, int], ...]:
        """The number of each answer by name, for every question."""
        return tuple({str(name): k for k, name in enumerate(question.answers)} for question in self.questions)

    @cached_property
    def trick_field(self) -> str:
        """The field with the trick on the table; "" in a game without tricks."""
        return self._public_field(fields.TRICK)

    @cached_property
    def suit_field(self) -> str:
        """The field with the suit to follow in a trick; "" in a game without one."""
        return self._public_field(fields.SUIT)

    def _public_field(self, kind: str) -> str:
        """Return the name of the first public field of a kind, or ""."""
        names = (field.name for field in self.fields if field.kind == kind and field.visibility == fields.PUBLIC)
        return next(names, "")

    @property
    def title(self) -> str:
        """The English name of the game."""
        id = i18n.message_id(self.name, "title")
        return (
            i18n.translate(id, language=i18n.DEFAULT_LANGUAGE)
            if i18n.has_message(id, i18n.DEFAULT_LANGUAGE)
            else self.name.capitalize()
        )

    # Options

    def check_seats(self, seats: object) -> int:
        """Return the number of seats, or raise `InvalidInputError` with the possible numbers."""
        if type(seats) is not int or seats not in self.seats:
            few, many, quoted = self.seats[0], self.seats[-1], quote_value(seats)
            if few == many:
                raise InvalidInputError("game-seats-exactly", game=self.name, number=few, given=quoted)
            raise InvalidInputError("game-seats", game=self.name, few=few, many=many, given=quoted)
        return int(seats)

    def check_options(self, seats: int, requested: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Return all options, defaults included, or raise `InvalidInputError` or `NotAllowedError`.

        Values may have their own type or be text (``on``, ``off``, ``40``), as forms and command lines send them.
        """
        seats, requested = self.check_seats(seats), dict(requested or {})
        known = {option.name for option in self.options}
        for name in requested:
            if name not in known:
                raise InvalidInputError(
                    "game-no-option", game=self.name, given=quote_value(name), options=sorted(known)
                )
        chosen: dict[str, Any] = {}
        for option in self.options:
            default = option.default
            if option.default_from:
                other, by = option.default_from
                default = by.get(seats if other == "seats" else chosen[other], default)
            fits = not option.seats or seats in option.seats
            if not fits:
                default = _option_values(option)[0]
            value = parse_option(option, requested[option.name]) if option.name in requested else default
            if not fits and value != default:
                if len(option.seats) < 3:
                    raise NotAllowedError(
                        "option-seats", option=option.name, either=list(option.seats), rule=option.rule
                    )
                few, many = option.seats[0], option.seats[-1]
                raise NotAllowedError("option-seats-range", option=option.name, few=few, many=many, rule=option.rule)
            if option.needs and value != option.default and chosen[option.needs[0]] != option.needs[1]:
                other, needed_value = option.needs
                value = format_option(needed_value)
                raise NotAllowedError("option-needs", option=option.name, other=other, value=value, rule=option.rule)
            chosen[option.name] = value
        return chosen

    # Playing

    def empty_state(self, seats: int, options: Mapping[str, Any] | None) -> np.void:
        """Return a row with only the number of seats and the options: a game before the cut."""
        chosen = self.check_options(seats, options)
        state = fields.new_state(self.dtype)
        state["seats"] = seats
        for option in self.options:
            value = chosen[option.name]
            state[option.name] = list(option.values).index(value) if isinstance(value, str) else int(value)
        return state

    def pack_for(self, seats: int, options: Mapping[str, Any] | None) -> list[int]:
        """Return the cards in play, in ascending order: the pack for cuts (C6, F2, M2) and deals."""
        return self.pack(self.empty_state(seats, options))

    def check_version(self, version: int) -> int:
        """Return a supported version of the rules, or raise `RulesVersionError`.

        Older versions are supported if the state has a field for the version.
        """
        if version != self.version and not ("rules" in (self.dtype.names or ()) and 1 <= version < self.version):
            raise RulesVersionError("game-other-rules", name=self.name, version=version, ours=self.version)
        return version

    def version_of(self, state: np.void) -> int:
        """Return the version of the rules by which a game is played."""
        return int(state["rules"]) if "rules" in (self.dtype.names or ()) else self.version

    def start(
        self, seats: int, options: Mapping[str, Any] | None, cut: Sequence[int], version: int | None = None
    ) -> np.void:
        """Start a game, up to its first deal.

        ``cut`` has each seat's card from the pack in play; the highest begins. An older game continues with the
        ``version`` of the rules with which it began.
        """
        state = self.empty_state(seats, options)
        version = self.version if version is None else self.check_version(version)
        if "rules" in (self.dtype.names or ()):
            state["rules"] = version
        self.rules.start(state, np.asarray(cut, np.int64))
        return state

    def needs_deal(self, state: np.void) -> bool:
        """Return whether the next step is a deal."""
        return not state["to_act"] and not state["over"]

    def pack(self, state: np.void) -> list[int]:
        """Return the cards of the next deal, in ascending order."""
        return list(cards.iter_bits(self.rules.pack(state)))

    def deal(self, state: np.void, deck: Sequence[int]) -> EventLogArray:
        """Distribute a shuffled pack; return the events."""
        log = new_log()
        self.rules.deal(state, np.asarray(deck, np.int64), log)
        return log

    def to_act(self, state: np.void) -> list[int]:
        """Return the seats to act, in ascending order."""
        return list(cards.iter_bits(state["to_act"]))

    def question(self, state: np.void) -> Question:
        """Return the question that is open for all seats in ``to_act``."""
        return self.questions[int(state["question"])]

    def legal(self, state: np.void, seat: int) -> list[int | str]:
        """Return the names of a seat's legal answers; none if it is not to act."""
        if not int(state["to_act"]) >> seat & 1:
            return []
        names = self.question(state).answers
        return [names[k] for k in cards.iter_bits(self.rules.legal(state, seat))]

    def open_questions(self, state: np.void) -> list[OpenQuestion]:
        return [OpenQuestion(seat, self.question(state).name, self.legal(state, seat)) for seat in self.to_act(state)]

    def parse_answer_text(self, text: str) -> tuple[Question, str]:
        """Parse a text such as “play H7” into question and answer.

        Raise `InvalidInputError` if the game has no such answer.
        """
        name, _, answer = text.partition(" ")
        if not answer or " " in answer:
            raise InvalidInputError("game-answer-form")
        for question, names in zip(self.questions, self.answers, strict=True):
            if question.name == name:
                if answer not in names:
                    raise InvalidInputError(
                        "game-no-answer", given=quote_value(answer), question=self.question_message(question)
                    )
                return question, answer
        raise InvalidInputError("game-no-question", game=self.name, given=quote_value(name))

    def parse_answer(self, state: np.void, seat: int, question: str | None, answer: object) -> int:
        """Return the number of a named, legal answer, or raise a `DiamondsError` with the reason (R1)."""
        if type(seat) is not int or not 0 <= seat < state["seats"]:
            raise InvalidInputError("game-no-seat", given=quote_value(seat))
        if not isinstance(answer, str | int) or isinstance(answer, bool):
            raise InvalidInputError("game-not-an-answer", given=quote_value(answer))
        if state["over"]:
            raise NotAllowedError("game-over")
        if not int(state["to_act"]) >> seat & 1:
            raise NotAllowedError("game-not-your-turn")
        open_question = self.question(state)
        if question is not None and question != open_question.name:
            raise NotAllowedError("game-other-question", question=open_question.name, given=quote_value(question))
        number = self.answers[int(state["question"])].get(str(answer))
        if number is None:
            raise InvalidInputError(
                "game-no-answer", given=quote_value(answer), question=self.question_message(open_question)
            )
        if not int(self.rules.legal(state, seat)) >> number & 1:
            reason = self.illegal_reason(state, seat, number)
            raise NotAllowedError(reason.id, **reason.args)
        return number

    def illegal_reason(self, state: np.void, seat: int, number: int) -> Message:
        """Return why an answer to the open question is not legal; ``args`` hold the number of the ``rule`` (R1)."""
        reason, value = self.rules.illegal_reason(state, seat, number)
        return self.illegal_reason_message(int(reason), int(value))

    def illegal_reason_message(self, reason: int, value: int) -> Message:
        """Return the message for a reason why an answer is not legal, given as numbers; see `illegal_reason`."""
        kind: IllegalReason = self.rules.ILLEGAL_REASONS[reason]
        values = {} if kind.value is None else {kind.value.name: value_data(kind.value.kind, value, self.ranks)}
        return Message(i18n.message_id(self.name, "illegal", kind.name), {**values, "rule": kind.rule})

    def question_message(self, question: Question) -> Message:
        """Return the message that asks a question."""
        return Message(i18n.message_id(self.name, "question", question.name))

    def event_message(self, event: Mapping[str, Any]) -> Message:
        """Return the message for an event, without the values hidden from its viewer."""
        values = dict(event)
        id = i18n.message_id(self.name, values.pop("event"))
        return Message(f"{id}-hidden" if has_hidden_values(event, self.rules.EVENTS) else id, values)

    def event_text(
        self, event: Mapping[str, Any], name_of: Callable[[int], str], viewer: int | None = None, language: str = ""
    ) -> str:
        """Return the text of an event as its viewer sees it. ``name_of`` names a seat; ``viewer`` is called “you”."""
        return i18n.capitalize_sentences(i18n.translate(*self.event_message(event), language, name_of, viewer))

    def apply_answer(self, state: np.void, seat: int, answer: object, question: str | None = None) -> EventLogArray:
        """Check and apply a named answer; return the events. A refused answer changes nothing."""
        number = self.parse_answer(state, seat, question, answer)
        log = new_log()
        self.rules.step(state, seat, number, log)
        return log

    def result(self, state: np.void) -> dict[str, Any]:
        """Return the result of a finished game: ``scores`` by seat, ``winners``, and the ending's name and values."""
        values = [0] * max(map(len, self.rules.ENDINGS.values()))
        ending, seats = int(self.rules.ending(state, values)), range(int(state["seats"]))
        winners = [seat for seat in seats if self.rules.seats_ahead(state, seat) == 0]
        return self.result_data([int(self.rules.score(state, seat)) for seat in seats], winners, ending, values)

    def result_data(self, scores: list[int], winners: list[int], ending: int, values: Sequence[int]) -> dict[str, Any]:
        """Return a result built from numbers; see `result`. ``ending`` is the number of the ending."""
        ending_name, value_names = list(self.rules.ENDINGS.items())[ending]
        named_values = zip(value_names, map(int, values), strict=False)
        return {"scores": scores, "winners": winners, "ended": ending_name, **dict(named_values)}

    def ending_text(self, result: Mapping[str, Any], language: str = "") -> str:
        """Return the sentence about the ending in a result."""
        ending_name = result["ended"]
        values = {name: result[name] for name in self.rules.ENDINGS[ending_name]}
        return i18n.translate(i18n.message_id(self.name, "end", ending_name), values, language)

    def ending_facts(self, state: np.void) -> tuple[Message, list[int]] | None:
        """Return the message that explains an ending, with the piles concerned; `None` if its name is enough."""
        values = [0] * fields.MAX_SEATS
        number, piles = self._rules_facts(state, values) if self._rules_facts else (-1, 0)
        if number < 0:
            return None
        fact_name, names = list(self.rules.FACTS.items())[number]
        named_values = {name: int(value) for name, value in zip(names, values, strict=False)}
        return Message(i18n.message_id(self.name, "fact", fact_name), named_values), list(cards.iter_bits(int(piles)))


def _option_values(option: Option) -> tuple[bool | int | str, ...]:
    return tuple(option.values)


def format_option(value: bool | int | str) -> str:
    """Return an option's value as text: ``on``, ``off``, ``40``, ``sealed``."""
    return ("on" if value else "off") if isinstance(value, bool) else str(value)


def parse_option(option: Option, value: object) -> bool | int | str:
    """Return an option's value, from its own type or from text."""
    candidates = {format_option(v): v for v in option.values}
    if isinstance(value, bool | int):
        text = format_option(value)
    elif isinstance(value, str):
        text = {"true": "on", "yes": "on", "false": "off", "no": "off"}.get(value.lower(), value.lower())
    else:
        text = ""
    if text not in candidates:
        allowed, quoted, rule = option.values, quote_value(value), option.rule
        if isinstance(allowed, range):
            raise InvalidInputError(
                "option-range", option=option.name, few=allowed[0], many=allowed[-1], given=quoted, rule=rule
            )
        raise InvalidInputError("option-one-of", option=option.name, either=list(candidates), given=quoted, rule=rule)
    return candidates[text]


# Loaded games: the built-in ones, and plugins once they are used.
GAMES = {rules.NAME: Game(rules) for rules in (crystals, fourteen, mines)}


def find_game(name: object) -> Game:
    """Return the game of this name, or raise `NotFoundError` with the known names, or `PluginGameError` with the fault."""
    if isinstance(name, str):
        if name in GAMES:
            return GAMES[name]
        if name in plugin_entry_points():
            return _load_plugin(plugin_entry_points()[name])
    raise NotFoundError(
        "game-unknown", given=quote_value(name), games=[*GAMES, *(plugin_entry_points().keys() - GAMES.keys())]
    )


def all_games() -> list[Game]:
    """Return all games, plugins included. A broken plugin is left out and logged."""
    for name in sorted(plugin_entry_points().keys() - GAMES.keys()):
        try:
            find_game(name)
        except PluginGameError as broken:
            logging.getLogger(__name__).warning("%s", broken)
    return list(GAMES.values())


@cache
def plugin_entry_points() -> dict[str, EntryPoint]:
    """Return the entry points of plugins by name, without loading them."""
    return {entry.name: entry for entry in entry_points(group="diamonds.games")}


def _load_plugin(entry: EntryPoint) -> Game:
    try:
        rules = entry.load()
        missing = [name for name in REQUIRED_RULES_NAMES if not hasattr(rules, name)]
        if missing:
            raise AttributeError(f"its rules lack {', '.join(missing)}")
        if entry.name != rules.NAME:
            raise AttributeError(f"its rules call it {rules.NAME}")
        if tuple(rules.FIELDS[: len(fields.COMMON_FIELDS)]) != fields.COMMON_FIELDS:
            raise AttributeError("its state does not begin with the fields that all games share")
        game = Game(rules)
    except Exception as error:  # plugin code: log any fault and continue
        details = str(error) if isinstance(error, AttributeError) else f"{type(error).__name__}: {error}"
        raise PluginGameError("game-broken", given=entry.name, module=entry.value, what=details) from error
    return GAMES.setdefault(entry.name, game)
