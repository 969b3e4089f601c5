"""Names: what people are called, how names are told apart, and what is said at a table."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Sequence
from functools import lru_cache

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
    if likeness(name) in _OURS:
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


# Telling names apart

_LOOKS = str.maketrans(
    "\u0430\u0432\u0441\u0435\u043d\u0456\u0458\u043a\u04cf\u043c\u043e\u0440\u0455\u0442\u0443\u0445"  # Cyrillic
    "\u03b1\u03b2\u03b5\u03b9\u03ba\u03bd\u03bf\u03c1\u03c4\u03c5\u03c7\u0131\u0251\u026101i|",  # Greek and others
    "abcehljklmopstyxabelkvoptuxlagolll",
)


@lru_cache(maxsize=2_000)
def likeness(name: str) -> str:
    """What a name looks like at a glance: names of one likeness may be taken for each other."""
    letters = unicodedata.normalize("NFKD", name).casefold().translate(_LOOKS)
    seen = "".join(c for c in letters if unicodedata.category(c)[0] in "LN").replace("rn", "m").replace("vv", "w")
    return seen or name


_OURS = {likeness(name) for name in (*BOT_NAMES, "You", *(f"Seat {k}" for k in range(1, 7)))}


def tell_apart(names: Sequence[str], ours: Collection[int]) -> tuple[str, ...]:
    """The names at a table, with a number behind each that may be taken for another; seats in ``ours`` keep theirs."""
    told = list(names)
    taken = {likeness(names[seat]) for seat in ours}
    for seat, name in enumerate(names):
        count = 1
        while seat not in ours and likeness(told[seat]) in taken:
            count += 1
            told[seat] = f"{name} ({count})"
        taken.add(likeness(told[seat]))
    return tuple(told)


def watching(name: str, seated: Sequence[str]) -> str:
    """A spectator's name, so that it is not taken for that of somebody who plays."""
    return f"{name} (watching)" if likeness(name) in map(likeness, seated) else name
