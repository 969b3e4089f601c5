"""What every game offers, whichever it is: start, ask, answer, finish.

A `Game` wraps a rules module (see `diamonds.rules`) and is the only door through which answers with names become answers with
numbers, are checked, and are applied. `find_game` finds one by its name: ours are in `GAMES`, and other packages bring theirs as
entry points of the group ``diamonds.games``, each a name and its rules module. Those are loaded when they are first asked for.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from functools import cache, cached_property
from importlib.metadata import EntryPoint, entry_points
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from diamonds import cards, fields, words
from diamonds.events import Fading, WhyNot, is_hidden, new_log, type_of_log, write_value
from diamonds.fields import Option, Question
from diamonds.rules import crystals, fourteen, mines
from diamonds.words import Message


class Refused(ValueError):
    """Something that cannot be done: the id of the sentence that says why, and its values; `str` says it in English."""

    def __init__(self, id: str, **values: Any) -> None:
        super().__init__(id)
        self.message = Message(id, values)

    def __str__(self) -> str:
        return words.say(*self.message, words.FIRST)


class Malformed(Refused):
    """It makes no sense, whatever the state of the game (400)."""


class Illegal(Refused):
    """It makes sense, but the rules do not allow it now (409)."""


class OtherRules(Illegal):
    """A game by a version of its rules that this program does not play."""


class Unknown(Refused):
    """There is no such thing (404)."""


class Ask(NamedTuple):
    """An open question: who owes an answer, to what, and which answers are legal, by name."""

    seat: int
    question: str
    legal: list[int | str]


# What a rules module offers (`diamonds.rules` says what each is). What is left out here a game may do without.
OFFERED = (
    "NAME", "VERSION", "RANKS", "SEATS", "USUAL_SEATS", "OPTIONS", "FIELDS", "QUESTIONS", "EVENTS", "WHY_NOT", "ENDINGS",
    "start", "pack", "dealt", "deal", "legal", "step", "score", "place", "team", "ending", "why_not", "laid_out",
)  # fmt: skip


class Game:
    """One game: ours, or one that another package brings."""

    def __init__(self, rules: ModuleType) -> None:
        self.rules = rules
        self.name: str = rules.NAME
        self.version: int = rules.VERSION
        self.ranks: int = rules.RANKS
        self.seats: tuple[int, ...] = rules.SEATS
        self.usual_seats: int = rules.USUAL_SEATS
        self.decisions: dict[int, int] = getattr(rules, "DECISIONS", {})
        self.options: tuple[Option, ...] = rules.OPTIONS
        self.fields: tuple[fields.Field, ...] = rules.FIELDS
        self.questions: tuple[Question, ...] = rules.QUESTIONS
        self.fading: Fading | None = getattr(rules, "FADING", None)
        self.pad: tuple[str, ...] = getattr(rules, "PAD", ())
        self._facts: Callable[[np.void, list[int]], Any] | None = getattr(rules, "facts", None)
        self.names = cards.pack_names(rules.RANKS)
        self.dtype = fields.state_type(rules.FIELDS)

    def __repr__(self) -> str:
        return f"<{self.name}>"

    @cached_property
    def answers(self) -> tuple[dict[str, int], ...]:
        """For every question, from the name of an answer to its number."""
        return tuple({str(name): k for k, name in enumerate(question.answers)} for question in self.questions)

    @property
    def title(self) -> str:
        """What the game is called, in English."""
        id = words.name(self.name, "title")
        return words.say(id, language=words.FIRST) if words.known(id, words.FIRST) else self.name.capitalize()

    # Options

    def check_seats(self, seats: object) -> int:
        """The number of seats, or `Malformed` with what is possible."""
        if type(seats) is not int or seats not in self.seats:
            few, many, given = self.seats[0], self.seats[-1], shown(seats)
            if few == many:
                raise Malformed("game-seats-exactly", game=self.name, number=few, given=given)
            raise Malformed("game-seats", game=self.name, few=few, many=many, given=given)
        return int(seats)

    def check_options(self, seats: int, given: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """All options, defaults included; `Malformed` or `Illegal` with a sentence for what cannot be.

        Values may be of their own type or written as text (``on``, ``off``, ``40``), as a form or a command line sends them.
        """
        seats, given = self.check_seats(seats), dict(given or {})
        known = {option.name for option in self.options}
        for name in given:
            if name not in known:
                raise Malformed("game-no-option", game=self.name, given=shown(name), options=sorted(known))
        chosen: dict[str, Any] = {}
        for option in self.options:
            default = option.default
            if option.default_by:
                other, by = option.default_by
                default = by.get(seats if other == "seats" else chosen[other], default)
            fits = not option.seats or seats in option.seats
            if not fits:
                default = _values(option)[0]
            value = read_option(option, given[option.name]) if option.name in given else default
            if not fits and value != default:
                if len(option.seats) < 3:
                    raise Illegal("option-seats", option=option.name, either=list(option.seats), rule=option.rule)
                few, many = option.seats[0], option.seats[-1]
                raise Illegal("option-seats-range", option=option.name, few=few, many=many, rule=option.rule)
            if option.needs and value != option.default and chosen[option.needs[0]] != option.needs[1]:
                other, wanted = option.needs
                value = show_option(wanted)
                raise Illegal("option-needs", option=option.name, other=other, value=value, rule=option.rule)
            chosen[option.name] = value
        return chosen

    # Playing

    def blank(self, seats: int, options: Mapping[str, Any] | None) -> np.void:
        """A row with nothing but the number of seats and the options: a game before anyone has cut."""
        chosen = self.check_options(seats, options)
        state = fields.new_state(self.dtype)
        state["seats"] = seats
        for option in self.options:
            value = chosen[option.name]
            state[option.name] = list(option.values).index(value) if isinstance(value, str) else int(value)
        return state

    def pack_at(self, seats: int, options: Mapping[str, Any] | None) -> list[int]:
        """The cards in play at such a table, in ascending order: those that are cut from (C6, F2, M2) and dealt."""
        return self.pack(self.blank(seats, options))

    def check_version(self, version: int) -> int:
        """A version of the rules that this program plays, or `OtherRules`: its own, and older ones if a state says which."""
        if version != self.version and not ("rules" in (self.dtype.names or ()) and 1 <= version < self.version):
            raise OtherRules("game-other-rules", name=self.name, version=version, ours=self.version)
        return version

    def version_of(self, state: np.void) -> int:
        """By which version of the rules a game is played."""
        return int(state["rules"]) if "rules" in (self.dtype.names or ()) else self.version

    def start(
        self, seats: int, options: Mapping[str, Any] | None, cut: Sequence[int], version: int | None = None
    ) -> np.void:
        """A new game in which cards are wanted. ``cut`` is each seat's card, of those in play; the highest begins.

        A game from an earlier day goes on by the ``version`` of the rules that it began with.
        """
        state = self.blank(seats, options)
        version = self.version if version is None else self.check_version(version)
        if "rules" in (self.dtype.names or ()):
            state["rules"] = version
        self.rules.start(state, np.asarray(cut, np.int64))
        return state

    def wants_cards(self, state: np.void) -> bool:
        """Whether the next thing to happen is a deal."""
        return not state["to_act"] and not state["over"]

    def pack(self, state: np.void) -> list[int]:
        """The cards of the coming deal, in ascending order."""
        return list(cards.members(self.rules.pack(state)))

    def deal(self, state: np.void, deck: Sequence[int]) -> type_of_log:
        """Hand out a shuffled pack; returns what was told."""
        log = new_log()
        self.rules.deal(state, np.asarray(deck, np.int64), log)
        return log

    def to_act(self, state: np.void) -> list[int]:
        """The seats that owe an answer, in ascending order."""
        return list(cards.members(state["to_act"]))

    def question(self, state: np.void) -> Question:
        """The question that is open for every seat in `to_act`."""
        return self.questions[int(state["question"])]

    def legal(self, state: np.void, seat: int) -> list[int | str]:
        """The names of a seat's legal answers; none if it owes no answer."""
        if not int(state["to_act"]) >> seat & 1:
            return []
        names = self.question(state).answers
        return [names[k] for k in cards.members(self.rules.legal(state, seat))]

    def asks(self, state: np.void) -> list[Ask]:
        """All open questions."""
        return [Ask(seat, self.question(state).name, self.legal(state, seat)) for seat in self.to_act(state)]

    def read_words(self, written: str) -> tuple[Question, str]:
        """The question and the name of the answer in words like “play H7”; `Malformed` if the game never has them."""
        name, _, answer = written.partition(" ")
        if not answer or " " in answer:
            raise Malformed("game-answer-form")
        for question, names in zip(self.questions, self.answers, strict=True):
            if question.name == name:
                if answer not in names:
                    raise Malformed("game-no-answer", given=shown(answer), question=self.asks_for(question))
                return question, answer
        raise Malformed("game-no-question", game=self.name, given=shown(name))

    def read_answer(self, state: np.void, seat: int, question: str | None, answer: object) -> int:
        """The number of a named answer, once it is known to be legal; else a `Refused` that says why not (R1)."""
        if type(seat) is not int or not 0 <= seat < state["seats"]:
            raise Malformed("game-no-seat", given=shown(seat))
        if not isinstance(answer, str | int) or isinstance(answer, bool):
            raise Malformed("game-not-an-answer", given=shown(answer))
        if state["over"]:
            raise Illegal("game-over")
        if not int(state["to_act"]) >> seat & 1:
            raise Illegal("game-not-your-turn")
        asked = self.question(state)
        if question is not None and question != asked.name:
            raise Illegal("game-other-question", question=asked.name, given=shown(question))
        number = self.answers[int(state["question"])].get(str(answer))
        if number is None:
            raise Malformed("game-no-answer", given=shown(answer), question=self.asks_for(asked))
        if not int(self.rules.legal(state, seat)) >> number & 1:
            why = self.why_not(state, seat, number)
            raise Illegal(why.id, **why.values)
        return number

    def why_not(self, state: np.void, seat: int, number: int) -> Message:
        """Why an answer to the open question is not legal; `Message` of a reason with its rule (R1)."""
        reason, value = self.rules.why_not(state, seat, number)
        return self.reason_given(int(reason), int(value))

    def reason_given(self, reason: int, value: int) -> Message:
        """One of the game's reasons why not, as rules give it in two numbers."""
        why: WhyNot = self.rules.WHY_NOT[reason]
        values = {} if why.value is None else {why.value.name: write_value(why.value.kind, value, self.ranks)}
        return Message(words.name(self.name, "not", why.name), {**values, "rule": why.rule})

    def asks_for(self, question: Question) -> Message:
        """What a question says."""
        return Message(words.name(self.name, "ask", question.name))

    def told(self, event: Mapping[str, Any]) -> Message:
        """What an event says, as it was heard."""
        values = dict(event)
        id = words.name(self.name, values.pop("event"))
        return Message(f"{id}-hidden" if is_hidden(event, self.rules.EVENTS) else id, values)

    def say(
        self, event: Mapping[str, Any], who: Callable[[int], str], me: int | None = None, language: str = ""
    ) -> str:
        """A heard event in words. ``who`` names a seat; ``me`` is called “you”."""
        return words.capitals(words.say(*self.told(event), language, who, me))

    def answer(self, state: np.void, seat: int, answer: object, question: str | None = None) -> type_of_log:
        """Check and apply a named answer; returns what was told. A refused answer changes nothing."""
        number = self.read_answer(state, seat, question, answer)
        log = new_log()
        self.rules.step(state, seat, number, log)
        return log

    def result(self, state: np.void) -> dict[str, Any]:
        """How a finished game ended: ``scores`` by seat, ``winners``, and the name of its ending with that one's values."""
        values = [0] * max(map(len, self.rules.ENDINGS.values()))
        ended, named = list(self.rules.ENDINGS.items())[int(self.rules.ending(state, values))]
        seats = range(int(state["seats"]))
        return {
            "scores": [int(self.rules.score(state, seat)) for seat in seats],
            "winners": [seat for seat in seats if self.rules.place(state, seat) == 0],
            "ended": ended,
            **dict(zip(named, map(int, values), strict=False)),
        }

    def reason(self, result: Mapping[str, Any], language: str = "") -> str:
        """Why a game ended, in words, from its result."""
        ended = result["ended"]
        values = {name: result[name] for name in self.rules.ENDINGS[ended]}
        return words.say(words.name(self.name, "end", ended), values, language)

    def facts(self, state: np.void) -> tuple[Message, list[int]] | None:
        """What an ending rests on, in a sentence, and the places that it speaks of; most say everything by their name."""
        values = [0] * fields.SEATS
        number, places = self._facts(state, values) if self._facts else (-1, 0)
        if number < 0:
            return None
        fact, names = list(self.rules.FACTS.items())[number]
        found = {name: int(value) for name, value in zip(names, values, strict=False)}
        return Message(words.name(self.name, "fact", fact), found), list(cards.members(int(places)))


def shown(value: object) -> str | Message:
    """A foreign value, short enough to stand in a sentence: text, which is said in quotation marks, or what is none as it is."""
    text = value if isinstance(value, str) else repr(value)
    text = "".join(c if c.isprintable() else "?" for c in text[:40])
    return text if isinstance(value, str) else Message("as-it-is", {"text": text})


def _values(option: Option) -> tuple[bool | int | str, ...]:
    return tuple(option.values)


def show_option(value: bool | int | str) -> str:
    """An option's value as people write it: ``on``, ``off``, ``40``, ``sealed``."""
    return ("on" if value else "off") if isinstance(value, bool) else str(value)


def read_option(option: Option, value: object) -> bool | int | str:
    """An option's value, from its own type or from text."""
    candidates = {show_option(v): v for v in option.values}
    if isinstance(value, bool | int):
        text = show_option(value)
    elif isinstance(value, str):
        text = {"true": "on", "yes": "on", "false": "off", "no": "off"}.get(value.lower(), value.lower())
    else:
        text = ""
    if text not in candidates:
        whole, given, rule = option.values, shown(value), option.rule
        if isinstance(whole, range):
            raise Malformed("option-range", option=option.name, few=whole[0], many=whole[-1], given=given, rule=rule)
        raise Malformed("option-one-of", option=option.name, either=list(candidates), given=given, rule=rule)
    return candidates[text]


# The games that are loaded: ours, and of those that other packages bring what has been asked for.
GAMES = {rules.NAME: Game(rules) for rules in (crystals, fourteen, mines)}


class Broken(Unknown):
    """A game that another package brings cannot be played."""


def find_game(name: object) -> Game:
    """The game of this name; `Unknown` with the names there are, or `Broken` with what is wrong."""
    if isinstance(name, str):
        if name in GAMES:
            return GAMES[name]
        if name in _brought():
            return _load(_brought()[name])
    raise Unknown("game-unknown", given=shown(name), games=[*GAMES, *(_brought().keys() - GAMES.keys())])


def all_games() -> list[Game]:
    """Ours, and those that other packages bring. One that cannot be played is left out, and the log says why."""
    for name in sorted(_brought().keys() - GAMES.keys()):
        try:
            find_game(name)
        except Broken as broken:
            logging.getLogger(__name__).warning("%s", broken)
    return list(GAMES.values())


@cache
def _brought() -> dict[str, EntryPoint]:
    """What other packages bring, by name; nothing of it is loaded yet."""
    return {entry.name: entry for entry in entry_points(group="diamonds.games")}


def _load(entry: EntryPoint) -> Game:
    try:
        rules = entry.load()
        missing = [name for name in OFFERED if not hasattr(rules, name)]
        if missing:
            raise AttributeError(f"its rules lack {', '.join(missing)}")
        if entry.name != rules.NAME:
            raise AttributeError(f"its rules call it {rules.NAME}")
        if tuple(rules.FIELDS[: len(fields.COMMON)]) != fields.COMMON:
            raise AttributeError("its state does not begin with the fields that all games share")
        game = Game(rules)
    except Exception as error:  # it is another's program: whatever is wrong with it is said, and ends nothing else
        what = str(error) if isinstance(error, AttributeError) else f"{type(error).__name__}: {error}"
        raise Broken("game-broken", given=entry.name, module=entry.value, what=what) from error
    return GAMES.setdefault(entry.name, game)
