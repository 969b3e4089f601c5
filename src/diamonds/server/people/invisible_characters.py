"""Invisible characters, and their removal from names and chat."""

from __future__ import annotations

import unicodedata
from itertools import chain

# Control and format characters, and private and unassigned ones.
FORBIDDEN_CATEGORIES = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
ZERO_WIDTH_JOINER = "\u200d"  # joins several emoji into one
VARIATION_SELECTORS = "\ufe0e\ufe0f"  # request text or emoji style

# Default_Ignorable_Code_Point, from DerivedCoreProperties.txt of Unicode 16.0. Its Hangul fillers count as letters.
_IGNORABLE_RANGES = (
    (0xAD, 0xAD), (0x34F, 0x34F), (0x61C, 0x61C), (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F), (0x200B, 0x200F),
    (0x202A, 0x202E), (0x2060, 0x206F), (0x3164, 0x3164), (0xFE00, 0xFE0F), (0xFEFF, 0xFEFF), (0xFFA0, 0xFFA0),
    (0xFFF0, 0xFFF8), (0x1BCA0, 0x1BCA3), (0x1D173, 0x1D17A), (0xE0000, 0xE0FFF),
)  # fmt: skip
# Visible by category, but drawn as blanks: braille blank, object replacement character, null notehead, two Egyptian
# blanks and the filler of Khitan small script.
_BLANK_CODE_POINTS = (0x2800, 0xFFFC, 0x1D159, 0x13441, 0x13442, 0x16FE4)
INVISIBLE_CODE_POINTS = dict.fromkeys(
    chain(_BLANK_CODE_POINTS, *(range(first, last + 1) for first, last in _IGNORABLE_RANGES))
)  # for `str.translate`


def normalize_line(text: str) -> str:
    """Return a text on one line, in NFC, without variation selectors after emoji, so both styles of ❤ are equal."""
    line = " ".join(unicodedata.normalize("NFC", text).split())
    return "".join(
        c for k, c in enumerate(line) if not (c in VARIATION_SELECTORS and k and _allows_selector(line[k - 1]))
    )


def has_invisible_chars(line: str) -> bool:
    """Return whether a normalized line has an invisible character, or no visible one."""
    return len(strip_invisible(line)) < len(line) or not any(_is_visible(c) for c in line)


def strip_invisible(line: str) -> str:
    """Return a normalized line without invisible characters. Joiners between emoji and marks on letters are kept."""
    if line.isascii() and line.isprintable():
        return line
    visible = ""
    for k, c in enumerate(line):
        if not _is_invisible(c, visible[-1:], line[k + 1 : k + 2]):
            visible += c
    return visible


def escape_invisible(name: str) -> str:
    r"""Return a name with each invisible character escaped: `Anna\u3164`."""
    return "".join(
        c.encode("unicode_escape").decode() if _is_invisible(c, name[k - 1] if k else "", name[k + 1 : k + 2]) else c
        for k, c in enumerate(name)
    )


def _is_invisible(c: str, before: str, after: str) -> bool:
    """Return whether a character is invisible in its context."""
    if c == ZERO_WIDTH_JOINER:
        return not (_is_emoji(before) and _is_emoji(after))
    if unicodedata.category(c)[0] == "M" and before in ("", " "):
        return True  # a mark without a base character
    return ord(c) in INVISIBLE_CODE_POINTS or unicodedata.category(c) in FORBIDDEN_CATEGORIES


def _is_visible(c: str) -> bool:
    """Return whether a character is visible by itself."""
    return ord(c) not in INVISIBLE_CODE_POINTS and unicodedata.category(c)[0] in "LNPS"


def _is_emoji(c: str) -> bool:
    """Return whether a character can be part of a joined emoji.

    Python has no emoji data, so this includes all non-ASCII symbols.
    """
    return bool(c) and not c.isascii() and ord(c) not in INVISIBLE_CODE_POINTS and unicodedata.category(c)[0] == "S"


def _allows_selector(c: str) -> bool:
    """Return whether a variation selector may follow: emoji are symbols, digits, punctuation, or the letter ℹ."""
    return c == "\u2139" or (ord(c) not in INVISIBLE_CODE_POINTS and unicodedata.category(c)[0] in "SNP")
