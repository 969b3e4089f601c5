"""Names: display names, distinguishing similar names, and cleaning chat messages."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Sequence
from functools import cache, lru_cache
from importlib import resources

import msgspec

from diamonds import i18n
from diamonds.errors import InvalidInputError
from diamonds.server.people.invisible_characters import (
    FORBIDDEN_CATEGORIES,
    INVISIBLE_CODE_POINTS,
    VARIATION_SELECTORS,
    ZERO_WIDTH_JOINER,
    has_invisible_chars,
    normalize_line,
    strip_invisible,
)
from diamonds.server.storage.chat import ChatRecord
from diamonds.server.storage.store import Store

MAX_DISPLAY_NAME_CHARS = 40
BOT_NAMES = ("Ada", "Blaise", "Carl", "Dorothy", "Emmy", "Felix")


def clean_name(name: str) -> str:
    """Return a display name: one line of visible characters.

    Raise `InvalidInputError` with the reason if it is invalid.
    """
    name = normalize_line(name)
    if not name:
        raise InvalidInputError("server-name-empty")
    if len(name) > MAX_DISPLAY_NAME_CHARS:
        raise InvalidInputError("server-name-long", most=MAX_DISPLAY_NAME_CHARS)
    if has_invisible_chars(name):
        raise InvalidInputError("server-name-unseen")
    if not _reserved_skeletons().isdisjoint(skeletons(name)):
        raise InvalidInputError("server-name-ours")
    return name


def clean_text(text: str) -> str:
    """Return a chat message without invisible characters except those of emoji.

    Raise `InvalidInputError` if nothing is left.
    """
    cleaned = "".join(
        c if c == ZERO_WIDTH_JOINER or c in VARIATION_SELECTORS or not _is_disallowed(c) else " " for c in text
    )
    cleaned = " ".join(unicodedata.normalize("NFC", cleaned).split())
    if not strip_invisible(normalize_line(cleaned)):
        raise InvalidInputError("server-nothing-to-say")
    return cleaned


def _is_disallowed(c: str) -> bool:
    return ord(c) in INVISIBLE_CODE_POINTS or unicodedata.category(c) in FORBIDDEN_CATEGORIES


_COLOURS = ("Amber", "Blue", "Copper", "Coral", "Golden", "Green", "Indigo", "Ivory", "Jade", "Pearl", "Ruby", "Silver")
_ANIMALS = ("Badger", "Crane", "Falcon", "Fox", "Hare", "Heron", "Lynx", "Magpie", "Otter", "Owl", "Robin", "Stag")


def guest_name(person: str) -> str:
    """Return the name of a guest who has not chosen one."""
    number = sum(ord(c) * 31**k for k, c in enumerate(person[:8]))
    return f"{_COLOURS[number % 12]} {_ANIMALS[number // 12 % 12]}"


def clean_account_name(name: str) -> str:
    """Return a name for an account. Raise `InvalidInputError` if it can be confused with a generated guest name."""
    name = clean_name(name)
    if not _GUEST_SKELETONS.isdisjoint(skeletons(name)):
        raise InvalidInputError("server-name-ours")
    return name


# Distinguishing names

_CONFUSABLE_MAP = str.maketrans(
    "\u0430\u0432\u0441\u0435\u043d\u0456\u0458\u043a\u04cf\u043c\u043e\u0440\u0455\u0442\u0443\u0445"  # Cyrillic
    "\u03b1\u03b2\u03b5\u03b9\u03ba\u03bd\u03bf\u03c1\u03c4\u03c5\u03c7\u0131\u0251\u026101i|",  # Greek and others
    "abcehljklmopstyxabelkvoptuxlagolll",
)


def _confusables() -> dict[int, str]:
    """Return the representative of each confusable character, from Unicode's list (UTS #39) in `confusable-homoglyphs`.

    The list has pairs. In each connected group, the plainest character represents the others: an ASCII letter or digit,
    if there is one.
    """
    text = resources.files("confusable_homoglyphs").joinpath("confusables.json").read_bytes()
    pairs = {
        one.strip(_LRM): [other["c"].strip(_LRM) for other in others]
        for one, others in msgspec.json.decode(text).items()
    }
    representatives: dict[int, str] = {}
    for first in pairs:
        if len(first) != 1 or ord(first) in representatives:
            continue
        group, waiting = {first}, [first]
        while waiting:
            new = set(pairs.get(waiting.pop(), ())) - group
            group |= new
            waiting += new
        best = min(group, key=lambda one: (not (one.isascii() and one.isalnum()), len(one), one.casefold() != one, one))
        representatives.update({ord(one): best for one in group if len(one) == 1})
    return representatives


_LRM = "\u200e"  # a mark that Unicode's list of confusables adds around right-to-left characters
_SKELETON_MAP = _confusables()


@lru_cache(maxsize=2_000)
def skeletons(name: str) -> tuple[str, ...]:
    """Return a name's skeletons (UTS #39), in lower case and as written.

    Both are needed: Greek Ν looks like N, but its lower case looks like v. Invisible characters are dropped. A name
    without letters and digits is represented by its other characters.
    """
    plain = unicodedata.normalize("NFKD", name.translate(INVISIBLE_CODE_POINTS)).translate(INVISIBLE_CODE_POINTS)
    small = plain.casefold().translate(_CONFUSABLE_MAP).translate(_SKELETON_MAP)
    as_it_is = plain.translate(_SKELETON_MAP)
    return tuple(dict.fromkeys(_letter_skeleton(text) or _symbol_skeleton(text) for text in (small, as_it_is)))


def _letter_skeleton(text: str) -> str:
    """Return the letters and digits, with similar sequences replaced."""
    letters = "".join(c for c in text.casefold().translate(_CONFUSABLE_MAP) if unicodedata.category(c)[0] in "LN")
    return letters.replace("rn", "m").replace("vv", "w")


def _symbol_skeleton(text: str) -> str:
    """Return everything that is neither a mark nor a space."""
    return "".join(c for c in text if unicodedata.category(c)[0] not in "MZ")


def is_confusable(name: str, other: str) -> bool:
    """Return whether two names can be mistaken for each other."""
    return not set(skeletons(name)).isdisjoint(skeletons(other))


_GUEST_SKELETONS = {look for colour in _COLOURS for animal in _ANIMALS for look in skeletons(f"{colour} {animal}")}


@cache
def _reserved_skeletons() -> set[str]:
    """Return the skeletons of names that tables use, in every language.

    These are the names of bots, of the viewer (“You”) and of seats.
    """
    seats = [i18n.translate("page-seat", {"number": k}, language) for language in i18n.languages() for k in range(1, 7)]
    return {skeleton for name in (*BOT_NAMES, "You", *seats) for skeleton in skeletons(name)}


def disambiguate(names: Sequence[str], fixed_seats: Collection[int]) -> tuple[str, ...]:
    """Return the names at a table, with numbers added to confusable ones.

    Names in `fixed_seats` do not change; empty ones stay empty.
    """
    result = list(names)
    taken = {skeleton for seat in fixed_seats for skeleton in skeletons(names[seat])}
    for seat, name in enumerate(names):
        count = 1
        while name and seat not in fixed_seats and not taken.isdisjoint(skeletons(result[seat])):
            count += 1
            result[seat] = f"{name} ({count})"
        taken.update(skeletons(result[seat]))
    return tuple(result)


async def display_names(store: Store, people: Collection[str]) -> dict[str, str]:
    """Return the valid names that people have chosen.

    A guest's name is dropped when an account reserves a confusable one, and any name is dropped when it would be
    refused today.
    """
    chosen = await store.display_names(people)
    if not chosen:
        return {}
    owners = await store.accounts.skeleton_holders(
        {skeleton for name in chosen.values() for skeleton in skeletons(name)}
    )
    return {
        person: name
        for person, name in chosen.items()
        if all(owners.get(skeleton, person) == person for skeleton in skeletons(name))
        and not has_invisible_chars(normalize_line(name))
    }


async def display_name(store: Store, person: str) -> str:
    """Return a person's display name."""
    return (await display_names(store, [person])).get(person) or guest_name(person)


async def with_current_names(store: Store, records: Collection[ChatRecord]) -> list[ChatRecord]:
    """Return chat messages with valid names.

    Each message keeps its author's name at that time, unless that name was withdrawn or now belongs to someone else.
    """
    if not records:
        return []
    owners = await store.accounts.skeleton_holders(
        {skeleton for record in records for skeleton in skeletons(_without_number(record.name))}
    )

    def is_outdated(record: ChatRecord) -> bool:
        taken = any(
            owners.get(skeleton, record.person) != record.person for skeleton in skeletons(_without_number(record.name))
        )
        return taken or has_invisible_chars(normalize_line(record.name))

    chosen = await display_names(store, {record.person for record in records if record.person and is_outdated(record)})
    return [
        record._replace(name=chosen.get(record.person) or guest_name(record.person))
        if record.person and is_outdated(record)
        else record
        for record in records
    ]


def _without_number(name: str) -> str:
    """Return a name without the number that distinguished it."""
    return re.sub(r" \(\d+\)$", "", name)
