"""Messages in the reader's language, formatted from a message id and values.

All other packages produce ids and values; text is added where it is shown, from one Project Fluent catalog for each
language in this folder (`en.ftl` explains the format). Catalogs are read on first use, and each message is parsed on
first use. Without Fluent, a message is shown as its id and values.

The name of a value determines its formatting:

``seat to victim dealer first loser next``  a seat: “you” for the viewer, otherwise a name; `SEAT_LIST_ARGS` are lists
``card cards suit``                    a card's name, a list of them, a suit's letter: shown with suit symbols
``game``                               a game's name: shown as its title
``given``                              foreign text, shown in quotation marks
``either each``                        a list joined with “or” or “and”; other lists are joined with commas

A value can be a `Message` or its JSON form, formatted in the same language. A name in place of a seat means a
person without a seat.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from diamonds.cards import SUIT_LETTERS, SUIT_SYMBOLS, card_symbol

DEFAULT_LANGUAGE = "en"  # used unless another one is requested
SEAT_ARGS = frozenset(("seat", "to", "victim", "dealer", "first", "loser", "next"))
SEAT_LIST_ARGS = frozenset(("winners", "partners", "asked"))
CARD_ARG, CARD_LIST_ARG, SUIT_ARG, GAME_ARG, QUOTED_ARG = "card", "cards", "suit", "game", "given"
PILE_ARG = "pile"  # answers count piles from 0, people from 1
LIST_STYLES = {"either": "or", "each": "and"}

_current_language = DEFAULT_LANGUAGE

_CATALOG_DIR = Path(__file__).parent
_ENTRY_START = re.compile(r"^(?=-?[a-z][a-z0-9-]* =)", re.MULTILINE)  # matches the beginning of a message or term
_REFERENCE = re.compile(r"\{ ?([a-z][a-z0-9-]*) ?\}")  # matches a reference to another message
_SENTENCE_START = re.compile(r"(^[♦♥♠♣] |^|[.!] )([a-z])")
_PLACEHOLDER_START = 0xE000  # first of the characters that stand for names and foreign text until the end

_FluentValue = str | int | float


class Message(NamedTuple):
    """A message id and its values."""

    id: str
    args: Mapping[str, Any] = {}


def message_id(*parts: str) -> str:
    """Join the parts of an id: ``mines``, ``end``, ``barred_as_seen`` become ``mines-end-barred-as-seen``."""
    return "-".join(parts).replace("_", "-")


@cache
def languages() -> tuple[str, ...]:
    """Return the languages of all catalogs, English first."""
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
    """Return the text of a message, by default in the current language (`set_language`).

    ``name_of`` returns the name of a seat, by default its number; ``viewer`` is the reader's seat.
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
            return format_cached(language, "nothing", ())
        if key in SEAT_ARGS:
            return seat_text(value)
        if key == QUOTED_ARG and isinstance(value, str):
            return format_cached(language, "quoted", (("text", placeholder(value)),))
        if key == CARD_ARG:
            return card_symbol(value)
        if key == SUIT_ARG:
            return SUIT_SYMBOLS[SUIT_LETTERS.index(value)]
        if key == PILE_ARG:
            return int(value) + 1
        if key == GAME_ARG:
            title = message_id(value, "title")
            return (
                format_cached(language, title, ()) if has_message(title, language) else placeholder(value.capitalize())
            )
        if isinstance(value, list | tuple):
            return list_text(key, value)
        if isinstance(value, int) and abs(value) >> 53:  # too large for Fluent's numbers
            return str(value)
        return value if isinstance(value, int | float) else placeholder(str(value))

    def list_text(key: str, items: list[Any] | tuple[Any, ...]) -> str:
        if key == CARD_LIST_ARG:
            return " ".join(map(card_symbol, items)) or format_cached(language, "nothing", ())
        if key in SEAT_LIST_ARGS:
            names = [format_cached(language, "you", ()) if seat == viewer else seat_text(seat) for seat in items]
            return join_list(names, "and", language)
        texts = [str(fluent_value("", item)) for item in items]
        return join_list(texts, LIST_STYLES[key], language) if key in LIST_STYLES else ", ".join(texts)

    for key, value in (values or {}).items():
        arguments.append((key, fluent_value(key, value)))
    formatted = format_cached(language, id, tuple(arguments))
    return formatted.translate(placeholders) if placeholders else formatted


def has_message(id: str, language: str = "") -> bool:
    """Return whether a catalog has a message. Games of other packages may have none."""
    catalog = find_catalog(language or _current_language)
    return catalog is not None and catalog.has_message(id)


def join_list(texts: list[str], style: str, language: str = "") -> str:
    """Join texts with commas, and the last two with “and” or “or”."""
    if len(texts) < 2:
        return "".join(texts)
    return format_cached(
        language or _current_language, f"list-{style}", (("before", ", ".join(texts[:-1])), ("last", texts[-1]))
    )


def set_language(language: str) -> None:
    """Set the current language, which is that of the terminal's user."""
    global _current_language
    _current_language = language


def current_language() -> str:
    return _current_language


def capitalize_sentences(sentence: str) -> str:
    """Capitalize the first letter of each sentence, also after a suit symbol; names may begin in lower case."""
    return _SENTENCE_START.sub(lambda m: m[1] + m[2].upper(), sentence)


def best_language(requested: str) -> str:
    """Return the language for a requested locale, such as ``de`` for ``de_AT.UTF-8`` and ``de-AT``, or else English."""
    language = re.split(r"[-_.@]", requested.strip().lower(), maxsplit=1)[0]
    return language if language in languages() else DEFAULT_LANGUAGE


def _escape_viewer_name(name: str) -> str:
    """Return a name that catalogs cannot confuse with “you”, the viewer."""
    return f"“{name}”" if name == "you" else name


@lru_cache(maxsize=4096)
def format_cached(language: str, id: str, arguments: tuple[tuple[str, _FluentValue], ...]) -> str:
    """Format a message with placeholders for names; cached, because most calls repeat earlier ones."""
    catalog = find_catalog(language)
    if catalog is None or not catalog.has_message(id):
        return " ".join([id, *(f"{key}={value}" for key, value in arguments)])
    return catalog.format_message(id, dict(arguments))


@cache
def find_catalog(language: str) -> Catalog | None:
    """Return the catalog of a language; ``None`` without Fluent."""
    try:
        return Catalog(language, (_CATALOG_DIR / f"{language}.ftl").read_text(encoding="utf-8"))
    except ModuleNotFoundError:
        return None


class Catalog:
    """The messages of a language. Each is parsed on first use, because there are many."""

    def __init__(self, language: str, text: str) -> None:
        from fluent.runtime import FluentBundle  # imported here because it is slow and optional

        self._entries = {entry.partition(" ")[0]: entry for entry in _ENTRY_START.split(text)[1:]}
        self._bundle = FluentBundle([language], use_isolating=False)
        self._parsed: set[str] = set()
        for term in self._entries:
            if term.startswith("-"):
                self._parse(term)

    def has_message(self, id: str) -> bool:
        return id in self._entries

    def format_message(self, id: str, values: dict[str, Any]) -> str:
        """Return the message with its values inserted."""
        self._parse(id)
        pattern = self._bundle.get_message(id).value
        assert pattern is not None, f"{id} has no text"
        text, _ = self._bundle.format_pattern(pattern, values)
        return str(text)

    def _parse(self, id: str) -> None:
        from fluent.runtime import FluentResource

        if id not in self._parsed:
            self._bundle.add_resource(FluentResource(self._entries[id]))
            for other in _REFERENCE.findall(self._entries[id]):
                self._parse(other)
            self._parsed.add(id)  # last, because another thread may be formatting this message
