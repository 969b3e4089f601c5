"""Fourteen in a terminal: the table as picture and text, and the final scores."""

from __future__ import annotations

from rich.text import Text

from diamonds import cards
from diamonds.cards import SUIT_LETTERS, SUIT_SYMBOLS
from diamonds.i18n import translate
from diamonds.rules import fourteen as rules
from diamonds.terminal.games.display import GameDisplay
from diamonds.terminal.rendering import (
    TableView,
    TrickCard,
    cell,
    hand_rows,
    hand_sentences,
    last_trick_text,
    side_by_side,
    title_line,
    trick_boxes,
    trick_text,
    winning_index,
    wrapped,
)
from diamonds.terminal.screen import SUIT_STYLES, color_suits

# Pictures of the current suit.
LARGE_SUITS = {
    "♦": ("  ▄█▄  ", "▄█████▄", "▀█████▀", "  ▀█▀  "),
    "♥": ("▄██▄██▄", "███████", " ▀███▀ ", "   ▀   "),
    "♠": ("   ▄   ", " ▄███▄ ", "███████", "  ▄█▄  "),
    "♣": ("  ███  ", "▄█▄█▄█▄", "▀██▀██▀", "  ▄█▄  "),
}


def suit_symbol(letter: str) -> str:
    return SUIT_SYMBOLS[SUIT_LETTERS.index(letter)]


def fourteen_cards(view: TableView) -> frozenset[str]:
    """Return all cards that would make fourteen now; none before a trick's second card (F5, F9)."""
    if not view.data["trick"]:
        return frozenset()
    return frozenset(view.game.card_names[card] for card in cards.iter_bits(rules.making_fourteen(view.row)))


def _fourteens(view: TableView, trick: list[str]) -> list[bool]:
    """Return for each card of a trick whether it made fourteen (F5, F9)."""
    cards_back = 2 if view.data["match"] else 1
    ranks = [view.game.card_names.index(card) % view.game.ranks + 1 for card in trick]
    return [any(ranks[k] + before == 14 for before in ranks[max(0, k - cards_back) : k]) for k in range(len(trick))]


def _trick_cards(view: TableView) -> list[TrickCard]:
    """Return the trick on the table, with a note on cards that made fourteen."""
    data, trick_cards = view.data, []
    for k, (card, makes_fourteen) in enumerate(zip(data["trick"], _fourteens(view, data["trick"]), strict=True)):
        note = translate("terminal-turned") if makes_fourteen else translate("terminal-led") if k == 0 else ""
        trick_cards.append(TrickCard((data["leader"] + k) % data["seats"], card, note))
    return trick_cards


def _last_trick_text(view: TableView) -> str:
    """Return a sentence about the previous trick, with the suits to which fourteens changed it."""
    trick, suits = view.data["last_trick"], ""
    for card, makes_fourteen in zip(trick, _fourteens(view, trick), strict=True):
        suits += card[0] if makes_fourteen and card[0] != (trick[0][0] + suits)[-1] else ""
    symbols = ", ".join(map(suit_symbol, suits))
    return last_trick_text(view, translate("terminal-last-trick-turned", {"suits": symbols}) if suits else "")


def _headings(view: TableView) -> list[str]:
    data = view.data
    counts = ("terminal-taken-count", "terminal-bids-count", "terminal-tricks-count")[data["scoring"]]
    hand = (
        translate("terminal-the-end") if data["over"] else translate("terminal-hand-number", {"number": data["deals"]})
    )
    return [
        translate("fourteen-title"),
        hand,
        translate("terminal-to-points", {"number": data["target"]}),
        translate(counts),
    ]


def draw_table(view: TableView) -> list[Text]:
    """Draw the table: each seat's counts, the trick with the current suit beside it, and the viewer's hand."""
    data = view.data
    shows_bids = data["scoring"] == rules.BID
    column_heads = (
        f"{translate('terminal-total'):>7}   {translate('terminal-now'):<5}  {translate('terminal-tricks'):<6}"
    )
    bid = f"{translate('terminal-bid'):>5}" if shows_bids else ""
    lines = [title_line(_headings(view)), color_suits(f"{'':13}{column_heads}{bid}", "dim")]
    for seat in view.seats:
        marker = "▸" if seat in data["to_act"] else " "
        row = f" {marker} {cell(view.capitalized_name(seat), 10)} {data['totals'][seat]:>5}   {data['taken'][seat]:>4}   {data['tricks'][seat]:>4}  "
        if shows_bids:
            row += f" {'?' if data['bid'][seat] is None else data['bid'][seat]:>4} "
        deals = translate("terminal-deals") if seat == data["dealer"] else ""
        lines.append(color_suits(f"{row}   {deals}", "bold" if seat == view.viewer else ""))
    trick_cards = _trick_cards(view)
    to_come = view.open_question is not None and view.open_question.question == "play"
    if trick_cards or to_come:
        boxes = trick_boxes(view, trick_cards, winning_index(trick_cards, data["suit"], view.game), to_come)
        suit = suit_symbol(data["suit"]) if data["suit"] else None
        lines.append(Text())
        lines += side_by_side(boxes, [Text(row, SUIT_STYLES[suit]) for row in LARGE_SUITS[suit]]) if suit else boxes
    lines += wrapped([_last_trick_text(view)])
    marked = fourteen_cards(view)
    lines += [Text(), *hand_rows(view, marked_cards=marked)]
    if view.viewer is not None and marked & set(data["hand"][view.viewer]):
        lines.append(color_suits(f"  {translate('terminal-makes-fourteen')}", "dim"))
    return lines


def describe(view: TableView) -> list[str]:
    """Describe the table in words, one line each."""
    data = view.data
    lines = [", ".join(_headings(view)) + "."]
    for seat in view.seats:
        counts = {"total": data["totals"][seat], "taken": data["taken"][seat], "tricks": data["tricks"][seat]}
        parts = [translate("terminal-fourteen-seat", {"person": view.capitalized_name(seat), **counts})]
        if data["scoring"] == rules.BID:
            bid = translate("terminal-unknown") if data["bid"][seat] is None else data["bid"][seat]
            parts.append(translate("terminal-has-bid", {"bid": bid}))
        if seat == data["dealer"]:
            parts.append(translate("terminal-deals"))
        lines.append(", ".join(parts) + ".")
    if data["trick"]:
        trick = trick_text(view, data["trick"], data["leader"])
        lines.append(translate("terminal-on-table", {"trick": trick, "suit": data["suit"]}))
    lines += [*filter(None, (_last_trick_text(view),)), *hand_sentences(view)]
    if view.viewer is not None:
        own_fourteen_cards = [card for card in data["hand"][view.viewer] if card in fourteen_cards(view)]
        if own_fourteen_cards:
            lines.append(translate("terminal-making-fourteen", {"cards": own_fourteen_cards}))
    return lines


def final_scores(view: TableView) -> list[str]:
    """F8: return the totals, highest first."""
    totals = view.data["totals"]
    return [
        translate("terminal-points", {"person": view.capitalized_name(seat), "points": totals[seat]})
        for seat in sorted(view.seats, key=lambda seat: -totals[seat])
    ]


DISPLAY = GameDisplay(draw_table, describe, final_scores, moment=lambda view: _headings(view)[1])
