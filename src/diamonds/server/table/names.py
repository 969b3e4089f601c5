"""Names: what people are called, how names are told apart, and what is said at a table."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Sequence
from functools import cache, lru_cache
from importlib import resources

import msgspec

from diamonds import words
from diamonds.game import Malformed
from diamonds.server.table.glyphs import FORBIDDEN, HIDDEN, JOINER, SELECTORS, hides_something, spell, visible_part

MAX_NAME = 40
BOT_NAMES = ("Ada", "Blaise", "Carl", "Dorothy", "Emmy", "Felix")


def clean_name(name: str) -> str:
    """Return a display name: one line of visible characters. `Malformed` says what is wrong."""
    name = spell(name)
    if not name:
        raise Malformed("server-name-empty")
    if len(name) > MAX_NAME:
        raise Malformed("server-name-long", most=MAX_NAME)
    if hides_something(name):
        raise Malformed("server-name-unseen")
    if not _ours().isdisjoint(looks(name)):
        raise Malformed("server-name-ours")
    return name


def clean_text(text: str) -> str:
    """Return a line of chat without characters that show nothing, but for those of emoji; `Malformed` if nothing is left."""
    kept = "".join(c if c == JOINER or c in SELECTORS or not _is_dropped(c) else " " for c in text)
    kept = " ".join(unicodedata.normalize("NFC", kept).split())
    if not visible_part(spell(kept)):
        raise Malformed("server-nothing-to-say")
    return kept


def _is_dropped(c: str) -> bool:
    return ord(c) in HIDDEN or unicodedata.category(c) in FORBIDDEN


_COLOURS = ("Amber", "Blue", "Copper", "Coral", "Golden", "Green", "Indigo", "Ivory", "Jade", "Pearl", "Ruby", "Silver")
_ANIMALS = ("Badger", "Crane", "Falcon", "Fox", "Hare", "Heron", "Lynx", "Magpie", "Otter", "Owl", "Robin", "Stag")


def guest_name(person: str) -> str:
    """The name of someone who has not chosen one."""
    number = sum(ord(c) * 31**k for k, c in enumerate(person[:8]))
    return f"{_COLOURS[number % 12]} {_ANIMALS[number // 12 % 12]}"


def own_name(name: str) -> str:
    """A name that is to be one person's alone; `Malformed` if guests who choose none are called so, or nearly so."""
    name = clean_name(name)
    if not _GUESTS.isdisjoint(looks(name)):
        raise Malformed("server-name-ours")
    return name


# Telling names apart

_LOOKS = str.maketrans(
    "\u0430\u0432\u0441\u0435\u043d\u0456\u0458\u043a\u04cf\u043c\u043e\u0440\u0455\u0442\u0443\u0445"  # Cyrillic
    "\u03b1\u03b2\u03b5\u03b9\u03ba\u03bd\u03bf\u03c1\u03c4\u03c5\u03c7\u0131\u0251\u026101i|",  # Greek and others
    "abcehljklmopstyxabelkvoptuxlagolll",
)


def _confusables() -> dict[int, str]:
    """What each character may be taken for, by Unicode's own list (UTS #39), which `confusable-homoglyphs` brings along.

    The list names pairs; of all that hang together, the plainest stands for the rest: a letter or digit of ASCII, if there is one.
    """
    text = resources.files("confusable_homoglyphs").joinpath("confusables.json").read_bytes()
    pairs = {
        one.strip(_DIRECTION): [other["c"].strip(_DIRECTION) for other in others]
        for one, others in msgspec.json.decode(text).items()
    }
    plainest: dict[int, str] = {}
    for first in pairs:
        if len(first) != 1 or ord(first) in plainest:
            continue
        group, waiting = {first}, [first]
        while waiting:
            new = set(pairs.get(waiting.pop(), ())) - group
            group |= new
            waiting += new
        best = min(group, key=lambda one: (not (one.isascii() and one.isalnum()), len(one), one.casefold() != one, one))
        plainest.update({ord(one): best for one in group if len(one) == 1})
    return plainest


_DIRECTION = "\u200e"  # the list puts it around what is written from right to left
_PLAINEST = _confusables()


@lru_cache(maxsize=2_000)
def looks(name: str) -> tuple[str, ...]:
    """Return a name's skeletons (UTS #39), in small letters and as it is written: Greek \u039d looks like N, its small letter like v.

    Characters that show nothing are dropped. A name without letters and digits is known by its other characters.
    """
    plain = unicodedata.normalize("NFKD", name.translate(HIDDEN)).translate(HIDDEN)
    small = plain.casefold().translate(_LOOKS).translate(_PLAINEST)
    as_it_is = plain.translate(_PLAINEST)
    return tuple(dict.fromkeys(_essence(found) or _signs(found) for found in (small, as_it_is)))


def _essence(text: str) -> str:
    """Letters and digits alone, of which some look like others."""
    seen = "".join(c for c in text.casefold().translate(_LOOKS) if unicodedata.category(c)[0] in "LN")
    return seen.replace("rn", "m").replace("vv", "w")


def _signs(text: str) -> str:
    """Return all that is neither a mark nor a space."""
    return "".join(c for c in text if unicodedata.category(c)[0] not in "MZ")


def alike(name: str, other: str) -> bool:
    """Whether one name may be taken for the other."""
    return not set(looks(name)).isdisjoint(looks(other))


_GUESTS = {look for colour in _COLOURS for animal in _ANIMALS for look in looks(f"{colour} {animal}")}


@cache
def _ours() -> set[str]:
    """How the names look that the table itself gives, in every language: bots', the reader's, and those of open seats."""
    seats = [words.say("page-seat", {"number": k}, language) for language in words.languages() for k in range(1, 7)]
    return {look for name in (*BOT_NAMES, "You", *seats) for look in looks(name)}


def tell_apart(names: Sequence[str], ours: Collection[int]) -> tuple[str, ...]:
    """The names at a table, with a number behind each that may be taken for another; seats in ``ours`` keep theirs, and who has none stays without."""
    told = list(names)
    taken = {look for seat in ours for look in looks(names[seat])}
    for seat, name in enumerate(names):
        count = 1
        while name and seat not in ours and not taken.isdisjoint(looks(told[seat])):
            count += 1
            told[seat] = f"{name} ({count})"
        taken.update(looks(told[seat]))
    return tuple(told)
