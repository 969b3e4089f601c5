"""Fourteen in a terminal: its picture, the same in words, what its questions mean, and how its scores are counted."""

from __future__ import annotations

from rich.text import Text

from diamonds import cards
from diamonds.cards import SUIT_LETTERS, SUIT_SYMBOLS
from diamonds.rules import fourteen as rules
from diamonds.terminal.face import Face
from diamonds.terminal.parts import (
    Look,
    Play,
    ahead,
    cell,
    hand_rows,
    hand_sentences,
    last_trick,
    remarks,
    side_by_side,
    title,
    trick_boxes,
    trick_words,
)
from diamonds.terminal.screen import SUIT_STYLES, paint
from diamonds.words import say

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
        note = say("terminal-turned") if turned else say("terminal-led") if k == 0 else ""
        plays.append(Play((data["leader"] + k) % data["seats"], card, note))
    return plays


def _heading(look: Look) -> list[str]:
    data = look.data
    counts = ("terminal-taken-count", "terminal-bids-count", "terminal-tricks-count")[data["scoring"]]
    hand = say("terminal-the-end") if data["over"] else say("terminal-hand-number", {"number": data["deals"]})
    return [say("fourteen-title"), hand, say("terminal-to-points", {"number": data["target"]}), say(counts)]


def draw(look: Look) -> list[Text]:
    """The picture of the table: who has what, the trick with the current suit beside it, the own hand."""
    data = look.data
    bids = data["scoring"] == rules.BID
    heads = f"{say('terminal-total'):>7}   {say('terminal-now'):<5}  {say('terminal-tricks'):<6}"
    bid = f"{say('terminal-bid'):>5}" if bids else ""
    lines = [title(_heading(look)), paint(f"{'':13}{heads}{bid}", "dim")]
    for seat in look.seats:
        acts = "▸" if seat in data["to_act"] else " "
        row = f" {acts} {cell(look.subject(seat), 10)} {data['totals'][seat]:>5}   {data['taken'][seat]:>4}   {data['tricks'][seat]:>4}  "
        if bids:
            row += f" {'?' if data['bid'][seat] is None else data['bid'][seat]:>4} "
        deals = say("terminal-deals") if seat == data["dealer"] else ""
        lines.append(paint(f"{row}   {deals}", "bold" if seat == look.me else ""))
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
        lines.append(paint(f"  {say('terminal-makes-fourteen')}", "dim"))
    return lines


def tell(look: Look) -> list[str]:
    """The same in words, a line each."""
    data = look.data
    lines = [", ".join(_heading(look)) + "."]
    for seat in look.seats:
        counts = {"total": data["totals"][seat], "taken": data["taken"][seat], "tricks": data["tricks"][seat]}
        parts = [say("terminal-fourteen-seat", {"person": look.subject(seat), **counts})]
        if data["scoring"] == rules.BID:
            bid = say("terminal-unknown") if data["bid"][seat] is None else data["bid"][seat]
            parts.append(say("terminal-has-bid", {"bid": bid}))
        if seat == data["dealer"]:
            parts.append(say("terminal-deals"))
        lines.append(", ".join(parts) + ".")
    if data["trick"]:
        trick = trick_words(look, data["trick"], data["leader"])
        lines.append(say("terminal-on-table", {"trick": trick, "suit": data["suit"]}))
    lines += [*filter(None, (last_trick(look),)), *hand_sentences(look)]
    if look.me is not None:
        mine = [card for card in data["hand"][look.me] if card in making_fourteen(look)]
        if mine:
            lines.append(say("terminal-making-fourteen", {"cards": mine}))
    return lines


def count_out(look: Look) -> list[str]:
    """F8: the totals, highest first."""
    totals = look.data["totals"]
    return [
        say("terminal-points", {"person": look.subject(seat), "points": totals[seat]})
        for seat in sorted(look.seats, key=lambda seat: -totals[seat])
    ]


FACE = Face(draw, tell, count_out)
