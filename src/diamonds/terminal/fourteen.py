"""Fourteen in a terminal: its picture, the same in words, what its questions mean, and how its scores are counted."""

from __future__ import annotations

from rich.text import Text

from diamonds import cards
from diamonds.cards import SUIT_LETTERS, SUIT_SYMBOLS
from diamonds.rules import fourteen as rules
from diamonds.terminal.parts import (
    Look,
    Play,
    ahead,
    cell,
    hand_rows,
    hand_sentences,
    last_trick,
    named,
    remarks,
    side_by_side,
    title,
    trick_boxes,
    trick_words,
)
from diamonds.terminal.screen import SUIT_STYLES, paint

EXPLAIN = {
    "bid": "Say how many ♦ you will take this hand, from 0 to 13. Take at least as many and you score your bid; take fewer "
    "and you score nothing (F10).",
    "play": "Play a card of the current suit if you have one, or instead a card that makes fourteen with the card just "
    "before it: A+K, 2+Q, 3+J, 4+10, 5+9, 6+8, 7+7 (F5), or with either of the last two if the table says so (F9). Without the current suit you may play anything (F5). A card that "
    "makes fourteen turns the current suit to its own, however it came to be played (F6). The highest card of the last "
    "current suit wins the trick, whenever it was played (F7).",
}

# The current suit, large.
LARGE = {
    "♦": ("  ▄█▄  ", "▄█████▄", "▀█████▀", "  ▀█▀  "),
    "♥": ("▄██▄██▄", "███████", " ▀███▀ ", "   ▀   "),
    "♠": ("   ▄   ", " ▄███▄ ", "███████", "  ▄█▄  "),
    "♣": ("  ███  ", "▄█▄█▄█▄", "▀██▀██▀", "  ▄█▄  "),
}


def symbol(letter: str) -> str:
    """The drawn suit of a letter."""
    return SUIT_SYMBOLS[SUIT_LETTERS.index(letter)]


def making_fourteen(look: Look) -> frozenset[str]:
    """The cards that make fourteen now, in play by anyone; none before a trick's second card (F5, F9)."""
    if not look.data["trick"]:
        return frozenset()
    return frozenset(look.game.names[card] for card in cards.members(rules.making_fourteen(look.row)))


def _plays(look: Look) -> list[Play]:
    """The trick on the table, with the cards that turned the suit."""
    data, back = look.data, 2 if look.data["match"] else 1
    ranks = [look.game.names.index(card) % look.game.ranks + 1 for card in data["trick"]]
    plays = []
    for k, card in enumerate(data["trick"]):
        turned = any(ranks[k] + ranks[j] == 14 for j in range(max(0, k - back), k))
        plays.append(
            Play((data["leader"] + k) % data["seats"], card, "14! turned" if turned else "led" if k == 0 else "")
        )
    return plays


def _heading(look: Look) -> list[str]:
    data = look.data
    counts = ("♦ taken count", "bids kept count", "tricks count")[data["scoring"]]
    return ["Fourteen", "the end" if data["over"] else f"hand {data['deals']}", f"to {data['target']} points", counts]


def draw(look: Look) -> list[Text]:
    """The picture of the table: who has what, the trick with the current suit beside it, the own hand."""
    data = look.data
    bids = data["scoring"] == rules.BID
    lines = [title(_heading(look)), paint(f"   {'':10}  total   ♦ now  tricks{'  bid' if bids else ''}", "dim")]
    for seat in look.seats:
        acts = "▸" if seat in data["to_act"] else " "
        row = f" {acts} {cell(look.subject(seat), 10)} {data['totals'][seat]:>5}   {data['taken'][seat]:>4}   {data['tricks'][seat]:>4}  "
        if bids:
            row += f" {'?' if data['bid'][seat] is None else data['bid'][seat]:>4} "
        lines.append(paint(f"{row}   {'deals' if seat == data['dealer'] else ''}", "bold" if seat == look.me else ""))
    plays = _plays(look)
    mine = look.ask is not None and look.ask.question == "play"
    if plays or mine:
        boxes = trick_boxes(look, plays, ahead(plays, data["suit"], look.game), mine)
        suit = symbol(data["suit"]) if data["suit"] else None
        lines.append(Text())
        lines += side_by_side(boxes, [Text(row, SUIT_STYLES[suit]) for row in LARGE[suit]]) if suit else boxes
    lines += remarks([last_trick(look)])
    marked = making_fourteen(look)
    lines += [Text(), *hand_rows(look, marked=marked)]
    if look.me is not None and marked & set(data["hand"][look.me]):
        lines.append(paint("  ⑭ makes fourteen and turns the suit", "dim"))
    return lines


def tell(look: Look) -> list[str]:
    """The same in words, a line each."""
    data = look.data
    lines = [", ".join(_heading(look)) + "."]
    for seat in look.seats:
        line = f"{look.subject(seat)}: total {data['totals'][seat]}, ♦ this hand {data['taken'][seat]}, tricks {data['tricks'][seat]}"
        if data["scoring"] == rules.BID:
            line += f", bid {'unknown' if data['bid'][seat] is None else data['bid'][seat]}"
        lines.append(line + (", deals." if seat == data["dealer"] else "."))
    if data["trick"]:
        lines.append(
            f"On the table: {trick_words(look, data['trick'], data['leader'])}. Current suit {symbol(data['suit'])}."
        )
    lines += [*filter(None, (last_trick(look),)), *hand_sentences(look)]
    if look.me is not None:
        mine = [card for card in data["hand"][look.me] if card in making_fourteen(look)]
        if mine:
            lines.append(f"Making fourteen: {named(mine)}.")
    return lines


def remark(look: Look, answer: int | str) -> str:
    """What stands behind an answer that is a number: nothing more."""
    return ""


def count_out(look: Look) -> list[str]:
    """F8: the totals, highest first."""
    totals = look.data["totals"]
    return [
        f"{look.subject(seat)}: {totals[seat]} points." for seat in sorted(look.seats, key=lambda seat: -totals[seat])
    ]
