"""Groups of reasons that hints and reviews treat alike, by what their sentences say."""

from __future__ import annotations

import re

from diamonds.i18n import Message

# given only if the specific reasons hold for too many worse cards
GENERAL_REASONS = ("hint-more-later", "hint-more-likely-wins")
# Reasons that repeat what the card does at once, and those that it wins this trick more often than its rival.
DIRECT = re.compile(r"hint-((likely-)?wins(-action|-diamonds)?|turns-suit|keeps-suit|\w+-at-once|highest-left)")
WINS_MORE_OFTEN = re.compile(
    r"hint-((likely-)?wins(-action|-diamonds|-more)?|more-likely-wins|highest-left|ahead-of|higher-than|fewer-higher)"
)


def is_direct(reason: Message) -> bool:
    """Return whether a reason only repeats what the card does at once."""
    return bool(DIRECT.fullmatch(reason.id))


def says_win_more_often(reason: Message) -> bool:
    """Return whether a reason says that the card wins this trick more often than its rival."""
    return bool(WINS_MORE_OFTEN.fullmatch(reason.id))


def explains_more(reason: Message) -> bool:
    """Return whether a reason says more than what the card does at once, and is not a general one."""
    return not is_direct(reason) and reason.id not in GENERAL_REASONS
