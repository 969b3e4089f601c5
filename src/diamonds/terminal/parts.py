"""What every game's picture is made of: a look at the table, hands, tricks, and the answers that can be given."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from rich.text import Text

from diamonds import views, words
from diamonds.cards import SUIT_LETTERS, SUIT_SYMBOLS, card_symbol
from diamonds.game import Ask, Game, show_option
from diamonds.records import Match
from diamonds.terminal.screen import GOLD, SUIT_STYLES, paint

WIDTH = 80


class Play(NamedTuple):
    """One card of a trick: who played it, and what it did or how it stands, in a word or two."""

    seat: int
    card: str
    note: str = ""


@dataclass(frozen=True)
class Look:
    """The table as one seat sees it, or with every hand open (``me`` is ``None``): a finished game looked at later."""

    game: Game
    row: np.void
    me: int | None
    names: list[str]

    @cached_property
    def data(self) -> dict[str, Any]:
        """The view as names and lists."""
        return views.as_data(self.game, self.row)

    @cached_property
    def ask(self) -> Ask | None:
        """What is asked of the own seat."""
        if self.me is None or self.me not in self.game.to_act(self.row):
            return None
        return Ask(self.me, self.game.question(self.row).name, self.game.legal(self.row, self.me))

    def say(self, id: str, **values: Any) -> str:
        """A sentence of the catalogue, in which the own seat is “you” and all others have names."""
        return words.say(id, values, who=self.names.__getitem__, me=self.me)

    def who(self, seat: int | None) -> str:
        """A seat's name; the own one is “you”."""
        return self.say("terminal-no-one") if seat is None else self.say("terminal-person", seat=seat)

    def subject(self, seat: int | None) -> str:
        """The same at the beginning of a sentence."""
        return self.who(seat)[:1].upper() + self.who(seat)[1:]

    @property
    def seats(self) -> list[int]:
        """All seats clockwise, the own one first."""
        count, first = self.data["seats"], self.me or 0
        return [(first + k) % count for k in range(count)]

    def hands(self) -> list[int]:
        """The seats whose cards can be seen, the own one first."""
        return [seat for seat in self.seats if self.data["hand"][seat] is not None]


def look_at(game: Game, state: np.void, me: int | None, names: list[str]) -> Look:
    """What a seat sees (−1: a spectator); everything for ``None``, or once the game is over and all is laid open."""
    return Look(game, state if me is None or state["over"] else views.view(game, state, me), me, names)


def options_words(match: Match) -> str:
    """The options that were chosen otherwise than usual: ``thief on, open_vaults on``; empty if none were."""
    usual = match.game.check_options(match.seats)
    return ", ".join(f"{name} {show_option(value)}" for name, value in match.options.items() if value != usual[name])


def cell(text: str, width: int) -> str:
    """A text cut or padded to a width."""
    return text[: width - 1] + "…" if len(text) > width else text.ljust(width)


def named(cards_: list[str]) -> str:
    """Cards with their suits drawn: ``♦7 ♥K``; “none” for none."""
    return " ".join(map(card_symbol, cards_)) or words.say("terminal-none")


def by_suit(hand: list[str]) -> list[tuple[str, list[str]]]:
    """A hand as four rows: the suit's symbol, and its cards in ascending order."""
    return [(SUIT_SYMBOLS[k], [card for card in hand if card[0] == letter]) for k, letter in enumerate(SUIT_LETTERS)]


def title(parts: list[str]) -> Text:
    """The line over a picture."""
    line = Text("━━ ", GOLD)
    for k, part in enumerate(parts):
        line.append(part, "bold" if k == 0 else "")
        line.append(" ━━ " if k < len(parts) - 1 else " ", GOLD)
    line.append("━" * max(0, WIDTH - line.cell_len), GOLD)
    return line


def hand_rows(
    look: Look, beside_suit: dict[str, str] | None = None, marked: frozenset[str] = frozenset()
) -> list[Text]:
    """Every hand that can be seen. The own one is four rows, what may not be played now is dim, ``marked`` cards carry
    a sign, and each suit may have a remark at the right."""
    if look.me is None:
        return [paint(f"  {cell(look.names[seat], 8)} {hand_words(look, seat)}") for seat in look.hands()]
    asked = look.ask
    choosing = asked is not None and any(str(answer) in look.game.names for answer in asked.legal)
    playable = set(map(str, asked.legal)) if asked and choosing and asked.question != "pass" else None
    rows = []
    for symbol, suit in by_suit(look.data["hand"][look.me]):
        row = Text("  ")
        row.append(symbol + " ", SUIT_STYLES[symbol])
        for card in suit:
            shut = playable is not None and card not in playable
            row.append(f" {card[1:]:>2}", "dim" if shut else f"bold {SUIT_STYLES[symbol]}")
            row.append("⑭" if card in marked else "", f"bold {GOLD}")
        if not suit:
            row.append("  —", "dim")
        remark = (beside_suit or {}).get(symbol)
        if remark:
            row.append(" " * max(2, WIDTH - row.cell_len - len(remark) - 1))
            row.append(remark, "dim")
        rows.append(row)
    return rows


def hand_words(look: Look, seat: int) -> str:
    """A hand in words: ``♦ 2 7 · ♥ 9``; “no cards” for an empty one."""
    rows = [
        f"{symbol} {' '.join(card[1:] for card in suit)}" for symbol, suit in by_suit(look.data["hand"][seat]) if suit
    ]
    return " · ".join(rows) or words.say("terminal-no-cards")


def hand_sentences(look: Look) -> list[str]:
    """Every hand that can be seen, a sentence each."""
    return [look.say("terminal-hand", seat=seat, held=hand_words(look, seat)) for seat in look.hands()]


def trick_boxes(look: Look, plays: list[Play], best: int, to_come: bool) -> list[Text]:
    """The cards of a trick side by side, each under its player's name, the one that wins so far in gold; with
    ``to_come`` an empty place for the own card."""
    lines = [Text("  ") for _ in range(4)]
    for k, play in enumerate(plays):
        gold = f"bold {GOLD}" if k == best else "dim"
        face = card_symbol(play.card).center(4)
        name = cell(look.subject(play.seat), min(6, len(look.subject(play.seat))))
        lines[0].append("╭" + f" {name} ".center(8, "─") + "╮ ", gold)
        lines[1].append("│", gold).append("  " + face + "  ", f"bold {SUIT_STYLES[card_symbol(play.card)[0]]}")
        lines[1].append("│ ", gold)
        label = f" {words.say('terminal-ahead')} " if k == best else ""
        lines[2].append(f"╰{label[:8].rjust(8, '─')}╯ ", gold)
        lines[3].append(play.note.center(10) + " ", gold)
    if to_come:
        own = f"╌ {words.say('terminal-you')} "[:8].ljust(8, "╌")
        for line, part in zip(lines, (f"╭{own}╮", "┊        ┊", "╰╌╌╌╌╌╌╌╌╯", ""), strict=True):
            line.append(part, "dim")
    return lines


def ahead(plays: list[Play], suit: str | None, game: Game) -> int:
    """The place in a trick of the card that wins so far; −1 in an empty one."""
    order = {name: k for k, name in enumerate(game.names)}
    able = [k for k, play in enumerate(plays) if play.card[0] == suit]
    return max(able, key=lambda k: order[plays[k].card], default=-1)


def trick_words(look: Look, trick: list[str], leader: int) -> str:
    """A trick as words: ``Ben ♥7, you ♥9``."""
    seats = look.data["seats"]
    played = enumerate(trick)
    return ", ".join(look.say("terminal-played", seat=(leader + k) % seats, card=card) for k, card in played)


def last_trick(look: Look) -> str:
    """The trick before, and who won it, as a sentence; empty if there was none in this deal."""
    data = look.data
    if data["last_winner"] is None:
        return ""
    trick = trick_words(look, data["last_trick"], data["last_leader"])
    return look.say("terminal-last-trick", trick=trick, seat=data["last_winner"])


def remarks(sentences: list[str]) -> list[Text]:
    """Sentences under a picture, wrapped where they are too long; empty ones are left out."""
    lines = [line for sentence in sentences for line in textwrap.wrap(sentence, WIDTH - 2)]
    return [paint(f"  {line}", "dim") for line in lines]


def side_by_side(left: list[Text], right: list[Text], gap: int = 4) -> list[Text]:
    """Two pictures beside each other, as high as the higher."""
    width = max((line.cell_len for line in left), default=0) + gap
    lines = []
    for k in range(max(len(left), len(right))):
        line = left[k].copy() if k < len(left) else Text()
        line.append(" " * (width - line.cell_len))
        if k < len(right):
            line.append_text(right[k])
        lines.append(line)
    return lines
