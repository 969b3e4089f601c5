"""Parts shared by all games' displays: views, hands, tricks, and answers."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from rich.text import Text

from diamonds import i18n, views
from diamonds.cards import SUIT_LETTERS, SUIT_SYMBOLS, card_symbol
from diamonds.game import Game, OpenQuestion, format_option
from diamonds.records import RecordedGame
from diamonds.terminal.screen import GOLD, SUIT_STYLES, color_suits

SCREEN_COLUMNS = 80


class TrickCard(NamedTuple):
    """One card of a trick: its player, and its effect or state in a word or two."""

    seat: int
    card: str
    note: str = ""


@dataclass(frozen=True)
class TableView:
    """The table as one seat sees it, or with every hand open (``viewer`` is ``None``), as in a finished game."""

    game: Game
    row: np.void
    viewer: int | None
    player_names: list[str]

    @cached_property
    def data(self) -> dict[str, Any]:
        """The view as names and lists."""
        return views.view_data(self.game, self.row)

    @cached_property
    def open_question(self) -> OpenQuestion | None:
        """The question that the viewer has to answer, if any."""
        if self.viewer is None or self.viewer not in self.game.to_act(self.row):
            return None
        return OpenQuestion(self.viewer, self.game.question(self.row).name, self.game.legal(self.row, self.viewer))

    def text(self, id: str, **values: Any) -> str:
        """Return a sentence from the catalog, in which the viewer is “you” and the others have names."""
        return i18n.translate(id, values, name_of=self.player_names.__getitem__, viewer=self.viewer)

    def seat_name(self, seat: int | None) -> str:
        """Return a seat's name; the viewer is “you”."""
        return self.text("terminal-no-one") if seat is None else self.text("terminal-person", seat=seat)

    def capitalized_name(self, seat: int | None) -> str:
        """Return a seat's name for the beginning of a sentence."""
        return self.seat_name(seat)[:1].upper() + self.seat_name(seat)[1:]

    @property
    def seats(self) -> list[int]:
        """All seats clockwise, the viewer first."""
        seat_count, first = self.data["seats"], self.viewer or 0
        return [(first + k) % seat_count for k in range(seat_count)]

    def visible_hands(self) -> list[int]:
        """Return the seats whose cards are visible, the viewer first."""
        return [seat for seat in self.seats if self.data["hand"][seat] is not None]


def table_view(game: Game, state: np.void, viewer: int | None, names: list[str]) -> TableView:
    """Return the view of a seat (−1: a spectator). For ``None``, or after the game, everything is visible."""
    return TableView(game, state if viewer is None or state["over"] else views.view(game, state, viewer), viewer, names)


def options_text(played: RecordedGame) -> str:
    """Return the options that differ from the defaults, such as ``thief on, open_vaults on``, or ""."""
    defaults = played.game.check_options(played.seats)
    return ", ".join(
        f"{name} {format_option(value)}" for name, value in played.options.items() if value != defaults[name]
    )


def cell(text: str, width: int) -> str:
    """Return a text cut or padded to a width."""
    return text[: width - 1] + "…" if len(text) > width else text.ljust(width)


def card_symbols(cards_: list[str]) -> str:
    """Return cards with suit symbols: ``♦7 ♥K``; “none” if there are none."""
    return " ".join(map(card_symbol, cards_)) or i18n.translate("terminal-none")


def split_by_suit(hand: list[str]) -> list[tuple[str, list[str]]]:
    """Split a hand into four rows: the suit's symbol, and its cards in ascending order."""
    return [(SUIT_SYMBOLS[k], [card for card in hand if card[0] == letter]) for k, letter in enumerate(SUIT_LETTERS)]


def title_line(parts: list[str]) -> Text:
    """Return the title line of a picture."""
    line = Text("━━ ", GOLD)
    for k, part in enumerate(parts):
        line.append(part, "bold" if k == 0 else "")
        line.append(" ━━ " if k < len(parts) - 1 else " ", GOLD)
    line.append("━" * max(0, SCREEN_COLUMNS - line.cell_len), GOLD)
    return line


def hand_rows(
    view: TableView, beside_suit: dict[str, str] | None = None, marked_cards: frozenset[str] = frozenset()
) -> list[Text]:
    """Return every visible hand as rows.

    The viewer's hand has four rows: unplayable cards are dim, ``marked_cards`` have a mark, and each suit may have a
    note on the right.
    """
    if view.viewer is None:
        return [
            color_suits(f"  {cell(view.player_names[seat], 8)} {hand_text(view, seat)}")
            for seat in view.visible_hands()
        ]
    open_question = view.open_question
    is_choosing = open_question is not None and any(
        str(answer) in view.game.card_names for answer in open_question.legal
    )
    playable = (
        set(map(str, open_question.legal))
        if open_question and is_choosing and open_question.question != "pass"
        else None
    )
    rows = []
    for symbol, suit in split_by_suit(view.data["hand"][view.viewer]):
        row = Text("  ")
        row.append(symbol + " ", SUIT_STYLES[symbol])
        for card in suit:
            is_dimmed = playable is not None and card not in playable
            row.append(f" {card[1:]:>2}", "dim" if is_dimmed else f"bold {SUIT_STYLES[symbol]}")
            row.append("⑭" if card in marked_cards else "", f"bold {GOLD}")
        if not suit:
            row.append("  —", "dim")
        note = (beside_suit or {}).get(symbol)
        if note:
            row.append(" " * max(2, SCREEN_COLUMNS - row.cell_len - len(note) - 1))
            row.append(note, "dim")
        rows.append(row)
    return rows


def hand_text(view: TableView, seat: int) -> str:
    """Return a hand as text: ``♦ 2 7 · ♥ 9``; “no cards” for an empty one."""
    rows = [
        f"{symbol} {' '.join(card[1:] for card in suit)}"
        for symbol, suit in split_by_suit(view.data["hand"][seat])
        if suit
    ]
    return " · ".join(rows) or i18n.translate("terminal-no-cards")


def hand_sentences(view: TableView) -> list[str]:
    """Return a sentence for each visible hand."""
    return [view.text("terminal-hand", seat=seat, held=hand_text(view, seat)) for seat in view.visible_hands()]


def trick_boxes(view: TableView, trick_cards: list[TrickCard], best: int, to_come: bool) -> list[Text]:
    """Return a trick's cards as boxes side by side, with the players' names and the winning card in gold.

    ``to_come`` adds an empty box for the viewer's card.
    """
    lines = [Text("  ") for _ in range(4)]
    for k, trick_card in enumerate(trick_cards):
        style = f"bold {GOLD}" if k == best else "dim"
        symbol = card_symbol(trick_card.card).center(4)
        name = cell(view.capitalized_name(trick_card.seat), min(6, len(view.capitalized_name(trick_card.seat))))
        lines[0].append("╭" + f" {name} ".center(8, "─") + "╮ ", style)
        lines[1].append("│", style).append("  " + symbol + "  ", f"bold {SUIT_STYLES[card_symbol(trick_card.card)[0]]}")
        lines[1].append("│ ", style)
        label = f" {i18n.translate('terminal-ahead')} " if k == best else ""
        lines[2].append(f"╰{label[:8].rjust(8, '─')}╯ ", style)
        lines[3].append(trick_card.note.center(10) + " ", style)
    if to_come:
        own_label = f"╌ {i18n.translate('terminal-you')} "[:8].ljust(8, "╌")
        for line, part in zip(lines, (f"╭{own_label}╮", "┊        ┊", "╰╌╌╌╌╌╌╌╌╯", ""), strict=True):
            line.append(part, "dim")
    return lines


def winning_index(trick_cards: list[TrickCard], suit: str | None, game: Game) -> int:
    """Return the index of the card that is winning the trick; −1 in an empty one."""
    order = {name: k for k, name in enumerate(game.card_names)}
    of_suit = [k for k, trick_card in enumerate(trick_cards) if trick_card.card[0] == suit]
    return max(of_suit, key=lambda k: order[trick_cards[k].card], default=-1)


def trick_text(view: TableView, trick: list[str], leader: int) -> str:
    """Return a trick as text: ``Ben ♥7, you ♥9``."""
    seats = view.data["seats"]
    played = enumerate(trick)
    return ", ".join(view.text("terminal-played", seat=(leader + k) % seats, card=card) for k, card in played)


def last_trick_text(view: TableView, note: str = "") -> str:
    """Return a sentence about the previous trick, with a note, and its winner; "" if there was none in this deal."""
    data = view.data
    if data["last_winner"] is None:
        return ""
    trick = trick_text(view, data["last_trick"], data["last_leader"])
    return view.text("terminal-last-trick", trick=f"{trick} ({note})" if note else trick, seat=data["last_winner"])


def wrapped(sentences: list[str]) -> list[Text]:
    """Return wrapped sentences for the space under a picture, leaving out empty ones."""
    lines = [line for sentence in sentences for line in textwrap.wrap(sentence, SCREEN_COLUMNS - 2)]
    return [color_suits(f"  {line}", "dim") for line in lines]


def side_by_side(left: list[Text], right: list[Text], gap: int = 4) -> list[Text]:
    """Return two pictures side by side, both as high as the higher one."""
    width = max((line.cell_len for line in left), default=0) + gap
    lines = []
    for k in range(max(len(left), len(right))):
        line = left[k].copy() if k < len(left) else Text()
        line.append(" " * (width - line.cell_len))
        if k < len(right):
            line.append_text(right[k])
        lines.append(line)
    return lines
