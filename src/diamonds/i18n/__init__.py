"""What the program says, in the reader's language: the id of a sentence and its values go in, the sentence comes out.

Everything below speaks in ids and values; words are put to them at the edge, from one catalogue file a language beside this
one, in Project Fluent (`en.ftl` says how it is written). Nothing of a catalogue is read before something is said, and of it
only the sentence that is. Where Fluent is not installed a sentence reads as its id and its values.

What a value is follows from its name:

``seat to victim dealer first loser next``  a seat: “you” for the reader, else a name; the plurals in `SEATS` are lists of them
``card cards suit``                    a card's name, a list of them, a suit's letter: said with the suit drawn
``game``                               a game's name: said as its title
``given``                              something foreign: text is said in quotation marks
``either each``                        a list, joined by “or”, or by “and”; any other list is joined by commas

A value can be a `TableUpdate` itself, or what becomes of it in JSON; it is said in the same language. Someone who has no seat is
named: in place of a seat there can be a name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from diamonds.cards import SUIT_LETTERS, SUIT_SYMBOLS, card_symbol

DEFAULT_LANGUAGE = "en"  # the language of what nobody asked for in another one
SEAT_ARGS = frozenset(("seat", "to", "victim", "dealer", "first", "loser", "next"))
SEAT_LIST_ARGS = frozenset(("winners", "partners", "asked"))
CARD_ARG, CARD_LIST_ARG, SUIT_ARG, GAME_ARG, QUOTED_ARG = "card", "cards", "suit", "game", "given"
PILE_ARG = "pile"  # answers count piles from 0, people from 1
LIST_STYLES = {"either": "or", "each": "and"}

_current_language = DEFAULT_LANGUAGE

_CATALOG_DIR = Path(__file__).parent
_ENTRY_START = re.compile(r"^(?=-?[a-z][a-z0-9-]* =)", re.MULTILINE)  # where a sentence or a term begins
_REFERENCE = re.compile(r"\{ ?([a-z][a-z0-9-]*) ?\}")  # another sentence within one
_SENTENCE_START = re.compile(r"(^[♦♥♠♣] |^|[.!] )([a-z])")
_PLACEHOLDER_START = 0xE000  # names and what is foreign are put in last: until then each is a character of private use

_FluentValue = str | int | float


class Message(NamedTuple):
    """The id of a sentence, and its values."""

    id: str
    args: Mapping[str, Any] = {}


def message_id(*parts: str) -> str:
    """The id that parts make: ``mines``, ``end``, ``barred_as_seen`` give ``mines-end-barred-as-seen``."""
    return "-".join(parts).replace("_", "-")


@cache
def languages() -> tuple[str, ...]:
    """The languages there are, English first."""
    return tuple(
        sorted(
            (file.stem for file in _CATALOG_DIR.glob("*.ftl")),
            key=lambda language: (language != DEFAULT_LANGUAGE, language),
        )
    )


def translate(
    id: str,
    values: Mapping[str, Any] | None = None,
    language: str = "",
    name_of: Callable[[int], str] | None = None,
    viewer: int | None = None,
) -> str:
    """A sentence in words, in the program's own language (`speak`) if no other is named.

    ``who`` names a seat, by default by its number; ``me`` is the reader's own.
    """
    language = language or _current_language
    arguments: list[tuple[str, _FluentValue]] = []
    placeholders: dict[int, str] = {}

    def placeholder(text: str) -> str:
        code_point = _PLACEHOLDER_START + len(placeholders)
        placeholders[code_point] = text
        return chr(code_point)

    def seat_text(seat: int | str) -> str:
        is_viewer = viewer is not None and (seat == viewer or (name_of is not None and seat == name_of(viewer)))
        return (
            "you"
            if is_viewer
            else placeholder(_escape_viewer_name(name_of(seat) if name_of and isinstance(seat, int) else str(seat)))
        )

    def fluent_value(key: str, value: Any) -> _FluentValue:
        if isinstance(value, list | tuple) and len(value) == 2 and isinstance(value[1], Mapping):
            return placeholder(translate(value[0], value[1], language, name_of, viewer))
        if value is None:
            return _formatted(language, "nothing", ())
        if key in SEAT_ARGS:
            return seat_text(value)
        if key == QUOTED_ARG and isinstance(value, str):
            return _formatted(language, "quoted", (("text", placeholder(value)),))
        if key == CARD_ARG:
            return card_symbol(value)
        if key == SUIT_ARG:
            return SUIT_SYMBOLS[SUIT_LETTERS.index(value)]
        if key == PILE_ARG:
            return int(value) + 1
        if key == GAME_ARG:
            title = message_id(value, "title")
            return _formatted(language, title, ()) if has_message(title, language) else placeholder(value.capitalize())
        if isinstance(value, list | tuple):
            return list_text(key, value)
        if isinstance(value, int) and abs(value) >> 53:  # foreign: more than Fluent counts to
            return str(value)
        return value if isinstance(value, int | float) else placeholder(str(value))

    def list_text(key: str, items: list[Any] | tuple[Any, ...]) -> str:
        if key == CARD_LIST_ARG:
            return " ".join(map(card_symbol, items)) or _formatted(language, "nothing", ())
        if key in SEAT_LIST_ARGS:
            names = [_formatted(language, "you", ()) if seat == viewer else seat_text(seat) for seat in items]
            return join_list(names, "and", language)
        texts = [str(fluent_value("", item)) for item in items]
        return join_list(texts, LIST_STYLES[key], language) if key in LIST_STYLES else ", ".join(texts)

    for key, value in (values or {}).items():
        arguments.append((key, fluent_value(key, value)))
    formatted = _formatted(language, id, tuple(arguments))
    return formatted.translate(placeholders) if placeholders else formatted


def has_message(id: str, language: str = "") -> bool:
    """Whether there are words for an id. Of the games of other packages there are none."""
    catalog = _catalog(language or _current_language)
    return catalog is not None and catalog.has_message(id)


def join_list(texts: list[str], style: str, language: str = "") -> str:
    """Texts in a row, the last two joined by “and” or “or”."""
    if len(texts) < 2:
        return "".join(texts)
    return _formatted(
        language or _current_language, f"list-{style}", (("before", ", ".join(texts[:-1])), ("last", texts[-1]))
    )


def set_language(language: str) -> None:
    """From now on the program's own language is another one: that of whoever sits at the terminal."""
    global _current_language
    _current_language = language


def current_language() -> str:
    """The program's own language."""
    return _current_language


def capitalize_sentences(sentence: str) -> str:
    """With a capital letter where a sentence begins, a suit's symbol before it or not: a name may begin with a small one."""
    return _SENTENCE_START.sub(lambda m: m[1] + m[2].upper(), sentence)


def best_language(requested: str) -> str:
    """The best language that there is for one that is wanted: ``de_AT.UTF-8`` and ``de-AT`` are ``de``; else English."""
    language = re.split(r"[-_.@]", requested.strip().lower(), maxsplit=1)[0]
    return language if language in languages() else DEFAULT_LANGUAGE


def _escape_viewer_name(name: str) -> str:
    """A name that a catalogue cannot take for the reader."""
    return f"“{name}”" if name == "you" else name


@lru_cache(maxsize=4096)
def _formatted(language: str, id: str, arguments: tuple[tuple[str, _FluentValue], ...]) -> str:
    """A sentence with marks where names belong; most are said again and again."""
    catalog = _catalog(language)
    if catalog is None or not catalog.has_message(id):
        return " ".join([id, *(f"{key}={value}" for key, value in arguments)])
    return catalog.format_message(id, dict(arguments))


@cache
def _catalog(language: str) -> Catalog | None:
    """The catalogue of a language; ``None`` where Fluent is missing."""
    try:
        return Catalog(language, (_CATALOG_DIR / f"{language}.ftl").read_text(encoding="utf-8"))
    except ModuleNotFoundError:
        return None


class Catalog:
    """The sentences of a language. Each is parsed when it is first said, for there are many."""

    def __init__(self, language: str, text: str) -> None:
        from fluent.runtime import FluentBundle  # takes a while, and not everyone has it

        self._entries = {entry.partition(" ")[0]: entry for entry in _ENTRY_START.split(text)[1:]}
        self._bundle = FluentBundle([language], use_isolating=False)
        self._parsed: set[str] = set()
        for term in self._entries:
            if term.startswith("-"):
                self._parse(term)

    def has_message(self, id: str) -> bool:
        """Whether there is such a sentence."""
        return id in self._entries

    def format_message(self, id: str, values: dict[str, Any]) -> str:
        """It, with values in it."""
        self._parse(id)
        pattern = self._bundle.get_message(id).value
        assert pattern is not None, f"{id} has no words"
        text, _ = self._bundle.format_pattern(pattern, values)
        return str(text)

    def _parse(self, id: str) -> None:
        from fluent.runtime import FluentResource

        if id not in self._parsed:
            self._bundle.add_resource(FluentResource(self._entries[id]))
            for other in _REFERENCE.findall(self._entries[id]):
                self._parse(other)
            self._parsed.add(id)  # last, for another thread may say it at this moment
