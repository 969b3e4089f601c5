"""The reason why an answer is good or bad, from the events of its playouts and from the player's hand.

Each game has its own reasons (`GameAdapter.write_reasons`). The one with the largest weight is shown. If the player may
think of another card, what is wrong with that card follows.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from diamonds.bots import games
from diamonds.bots.analysis.reason_groups import explains_more, is_direct, says_win_more_often
from diamonds.bots.games.reason_kinds import MAX_REASONS, CountArray
from diamonds.bots.search.reason_selection import CONTRAST, FOR, SELECTED_COLUMNS, rank_reasons
from diamonds.cards import SUIT_LETTERS
from diamonds.fields import CARD, SUIT
from diamonds.game import Game
from diamonds.i18n import Message


def reason_messages(
    game: Game,
    row: np.void,
    seat: int,
    candidate: int,
    counts: CountArray,
    rival: int,
    rival_counts: CountArray,
    side: int = FOR,
) -> list[Message]:
    """Return the reasons for or against an answer compared with its rival, the strongest first.

    ``side`` is `FOR`, `AGAINST` or `CONTRAST` (`diamonds.bots.search.reason_selection`).
    """
    adapter, ranked = games.adapter_for(game), np.zeros((MAX_REASONS, SELECTED_COLUMNS), np.int64)
    found = rank_reasons(row, seat, candidate, counts, rival, rival_counts, side, adapter.write_reasons, ranked)
    messages = []
    for index, *numbers in ranked[:found].tolist():
        id, value_kinds = adapter.reason_kinds[index]
        named = zip(value_kinds, numbers, strict=False)
        messages.append(Message(id, {value.name: named_value(game, value.kind, number) for value, number in named}))
    return messages


def reason_and_contrast(
    game: Game,
    row: np.void,
    seat: int,
    candidate: int,
    counts: CountArray,
    rival: int,
    rival_counts: CountArray,
    preferred: Sequence[Message] = (),
) -> list[Message]:
    """Return a reason for an answer, then what is wrong with its rival, if there are any.

    The reason is the first of the ``preferred`` ones that holds compared with the rival, or else the strongest. If it
    only repeats what the answer does at once, and the rival would win this trick about as often, another is given.
    """
    compared = (game, row, seat, candidate, counts, rival, rival_counts)
    reasons = reason_messages(*compared, FOR)
    told = [reason for reason in preferred if reason in reasons] or reasons
    if told and is_direct(told[0]) and not any(map(says_win_more_often, reasons)):
        told = [reason for reason in (*told, *reasons) if explains_more(reason)] or told
    return [*told[:1], *reason_messages(*compared, CONTRAST)[:1]]


def is_contrast(reason: Message) -> bool:
    """Return whether a reason is a separate sentence, about the rival (`reason_kinds.add_contrast`) or other answers."""
    return reason.id.startswith(("hint-not-", "hint-shared"))


def named_value(game: Game, kind: str, number: int) -> int | str:
    """Return a value that a reason's sentence names: a number, suit or card."""
    if kind == CARD:
        return game.card_names[number]
    return SUIT_LETTERS[number] if kind == SUIT else number
