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

A value can be a `Message` itself, or what becomes of it in JSON; it is said in the same language. Someone who has no seat is
named: in place of a seat there can be a name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from diamonds.cards import SUIT_LETTERS, SUIT_SYMBOLS, card_symbol

FIRST = "en"  # the language of what nobody asked for in another one
SEAT = frozenset(("seat", "to", "victim", "dealer", "first", "loser", "next"))
SEATS = frozenset(("winners", "partners", "asked"))
CARD, CARDS, SUIT, GAME, GIVEN = "card", "cards", "suit", "game", "given"
JOINED = {"either": "or", "each": "and"}

_own = FIRST

_FOLDER = Path(__file__).parent
_ENTRY = re.compile(r"^(?=-?[a-z][a-z0-9-]* =)", re.MULTILINE)  # where a sentence or a term begins
_ELSEWHERE = re.compile(r"\{ ?([a-z][a-z0-9-]*) ?\}")  # another sentence within one
_BEGINNING = re.compile(r"(^[♦♥♠♣] |^|[.!] )([a-z])")
_MARK = 0xE000  # names and what is foreign are put in last: until then each is a character of private use

_Plain = str | int | float


class Message(NamedTuple):
    """The id of a sentence, and its values."""

    id: str
    values: Mapping[str, Any] = {}


def name(*parts: str) -> str:
    """The id that parts make: ``mines``, ``end``, ``barred_as_seen`` give ``mines-end-barred-as-seen``."""
    return "-".join(parts).replace("_", "-")


@cache
def languages() -> tuple[str, ...]:
    """The languages there are, English first."""
    return tuple(
        sorted((file.stem for file in _FOLDER.glob("*.ftl")), key=lambda language: (language != FIRST, language))
    )


def say(
    id: str,
    values: Mapping[str, Any] | None = None,
    language: str = "",
    who: Callable[[int], str] | None = None,
    me: int | None = None,
) -> str:
    """A sentence in words, in the program's own language (`speak`) if no other is named.

    ``who`` names a seat, by default by its number; ``me`` is the reader's own.
    """
    language = language or _own
    arguments: list[tuple[str, _Plain]] = []
    marked: dict[int, str] = {}

    def mark(text: str) -> str:
        place = _MARK + len(marked)
        marked[place] = text
        return chr(place)

    def person(one: int | str) -> str:
        own = me is not None and (one == me or (who is not None and one == who(me)))
        return "you" if own else mark(_unlike_you(who(one) if who and isinstance(one, int) else str(one)))

    def plain(key: str, value: Any) -> _Plain:
        if isinstance(value, list | tuple) and len(value) == 2 and isinstance(value[1], Mapping):
            return mark(say(value[0], value[1], language, who, me))
        if value is None:
            return _said(language, "nothing", ())
        if key in SEAT:
            return person(value)
        if key == GIVEN and isinstance(value, str):
            return _said(language, "quoted", (("text", mark(value)),))
        if key == CARD:
            return card_symbol(value)
        if key == SUIT:
            return SUIT_SYMBOLS[SUIT_LETTERS.index(value)]
        if key == GAME:
            title = name(value, "title")
            return _said(language, title, ()) if known(title, language) else mark(value.capitalize())
        if isinstance(value, list | tuple):
            return several(key, value)
        if isinstance(value, int) and abs(value) >> 53:  # foreign: more than Fluent counts to
            return str(value)
        return value if isinstance(value, int | float) else mark(str(value))

    def several(key: str, found: list[Any] | tuple[Any, ...]) -> str:
        if key == CARDS:
            return " ".join(map(card_symbol, found)) or _said(language, "nothing", ())
        if key in SEATS:
            called = [_said(language, "you", ()) if seat == me else person(seat) for seat in found]
            return listed(called, "and", language)
        texts = [str(plain("", one)) for one in found]
        return listed(texts, JOINED[key], language) if key in JOINED else ", ".join(texts)

    for key, value in (values or {}).items():
        arguments.append((key, plain(key, value)))
    said = _said(language, id, tuple(arguments))
    return said.translate(marked) if marked else said


def known(id: str, language: str = "") -> bool:
    """Whether there are words for an id. Of the games of other packages there are none."""
    catalogue = _catalogue(language or _own)
    return catalogue is not None and catalogue.has(id)


def listed(texts: list[str], how: str, language: str = "") -> str:
    """Texts in a row, the last two joined by “and” or “or”."""
    if len(texts) < 2:
        return "".join(texts)
    return _said(language or _own, f"list-{how}", (("before", ", ".join(texts[:-1])), ("last", texts[-1])))


def speak(language: str) -> None:
    """From now on the program's own language is another one: that of whoever sits at the terminal."""
    global _own
    _own = language


def own() -> str:
    """The program's own language."""
    return _own


def capitals(sentence: str) -> str:
    """With a capital letter where a sentence begins, a suit's symbol before it or not: a name may begin with a small one."""
    return _BEGINNING.sub(lambda m: m[1] + m[2].upper(), sentence)


def spoken(wanted: str) -> str:
    """The best language that there is for one that is wanted: ``de_AT.UTF-8`` and ``de-AT`` are ``de``; else English."""
    language = re.split(r"[-_.@]", wanted.strip().lower(), maxsplit=1)[0]
    return language if language in languages() else FIRST


def _unlike_you(called: str) -> str:
    """A name that a catalogue cannot take for the reader."""
    return f"“{called}”" if called == "you" else called


@lru_cache(maxsize=4096)
def _said(language: str, id: str, arguments: tuple[tuple[str, _Plain], ...]) -> str:
    """A sentence with marks where names belong; most are said again and again."""
    catalogue = _catalogue(language)
    if catalogue is None or not catalogue.has(id):
        return " ".join([id, *(f"{key}={value}" for key, value in arguments)])
    return catalogue.say(id, dict(arguments))


@cache
def _catalogue(language: str) -> Catalogue | None:
    """The catalogue of a language; ``None`` where Fluent is missing."""
    try:
        return Catalogue(language, (_FOLDER / f"{language}.ftl").read_text(encoding="utf-8"))
    except ModuleNotFoundError:
        return None


class Catalogue:
    """The sentences of a language. Each is parsed when it is first said, for there are many."""

    def __init__(self, language: str, text: str) -> None:
        from fluent.runtime import FluentBundle  # takes a while, and not everyone has it

        self._entries = {entry.partition(" ")[0]: entry for entry in _ENTRY.split(text)[1:]}
        self._bundle = FluentBundle([language], use_isolating=False)
        self._parsed: set[str] = set()
        for term in self._entries:
            if term.startswith("-"):
                self._parse(term)

    def has(self, id: str) -> bool:
        """Whether there is such a sentence."""
        return id in self._entries

    def say(self, id: str, values: dict[str, Any]) -> str:
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
            for other in _ELSEWHERE.findall(self._entries[id]):
                self._parse(other)
            self._parsed.add(id)  # last, for another thread may say it at this moment
