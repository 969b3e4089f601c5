"""Names: what people are called, how names are told apart, and what is said at a table."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Sequence
from functools import cache, lru_cache
from importlib import resources

import msgspec

from diamonds import words
from diamonds.game import Malformed

MAX_NAME = 40
BOT_NAMES = ("Ada", "Blaise", "Carl", "Dorothy", "Emmy", "Felix")

FORBIDDEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}  # controls, invisible and direction marks, unassigned


def clean_name(name: str) -> str:
    """A display name: one line of printable characters, or `Malformed` with what is wrong."""
    name = " ".join(unicodedata.normalize("NFC", name).split())
    if not name:
        raise Malformed("server-name-empty")
    if len(name) > MAX_NAME:
        raise Malformed("server-name-long", most=MAX_NAME)
    if any(unicodedata.category(c) in FORBIDDEN for c in name):
        raise Malformed("server-name-unseen")
    if not _ours().isdisjoint(looks(name)):
        raise Malformed("server-name-ours")
    return name


def clean_text(text: str) -> str:
    """A line of chat: controls and direction marks are dropped; `Malformed` if nothing is left."""
    kept = "".join(c if unicodedata.category(c) not in FORBIDDEN or c == "\u200d" else " " for c in text)
    kept = " ".join(unicodedata.normalize("NFC", kept).split())
    if not kept:
        raise Malformed("server-nothing-to-say")
    return kept


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
    """What a name looks like at a glance, small and as it is written: Greek \u039d looks like N, and its small letter like v."""
    plain = unicodedata.normalize("NFKD", name)
    small = plain.casefold().translate(_LOOKS).translate(_PLAINEST)
    as_it_is = plain.translate(_PLAINEST)
    return tuple(dict.fromkeys(_essence(found) or name for found in (small, as_it_is)))


def _essence(text: str) -> str:
    """Letters and digits alone, of which some look like others."""
    seen = "".join(c for c in text.casefold().translate(_LOOKS) if unicodedata.category(c)[0] in "LN")
    return seen.replace("rn", "m").replace("vv", "w")


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
