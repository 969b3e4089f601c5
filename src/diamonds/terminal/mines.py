"""Mines in a terminal: its field, the same in words, what its questions mean, and how it is counted."""

from __future__ import annotations

from rich.text import Text

from diamonds import cards
from diamonds.rules import mines as rules
from diamonds.terminal.parts import (
    Look,
    by_suit,
    cell,
    hand_rows,
    hand_sentences,
    hand_words,
    named,
    side_by_side,
    title,
)
from diamonds.terminal.screen import GOLD, paint

EXPLAIN = {
    "claim": "You passed on your last turn, so you may put your marker on one unclaimed pile that touches one of yours "
    "(M4). Type its number, or skip.",
    "turn": "Pass, and your turn is over, but next turn you may claim a pile (M4, M5); or go on to dig, grow and fight (M3).",
    "dig": "Draw the top card of one of your piles: type the pile’s number. Or discard a ♠ and draw two, from one pile or "
    "from two: type the card. Or skip (M6).",
    "dig_first": "Your ♠ digs two cards: from which pile do you draw the first? You see it before you choose again (M6).",
    "dig_second": "And from which pile the second (M6)?",
    "grow": "Discard a ♥ to put your marker on an unclaimed pile that touches one of yours: type the card, or skip (M7).",
    "grow_pile": "Which unclaimed pile that touches one of yours do you mark (M7)?",
    "fight": "Name a pile of your opponent’s that touches one of yours, and you will attack it with a ♣; or end your "
    "turn (M8).",
    "fight_card": "Discard a ♣ to attack. Your opponent may defend with any ♣ (or, if the table says so, one of its rank or "
    "higher), or with a ♥ of its rank or higher, ace high (M8).",
    "defend": "Discard any ♣, or a ♥ of the attacking ♣’s rank or higher, ace high, and your pile holds (M8); or decline, "
    "and the attacker conquers it or raids a card (M9).",
    "spoils": "Conquer the pile with your own marker, or raid: your opponent chooses a card of their hand and gives it to "
    "you (M9).",
    "give": "You have been raided: choose a card of your hand and hand it over (M9).",
}

STEPS = ("claim", "pass", "dig", "grow", "fight")
STEP_OF = {
    "turn": "pass",
    "dig_first": "dig",
    "dig_second": "dig",
    "grow_pile": "grow",
    **dict.fromkeys(("fight_card", "defend", "spoils", "give"), "fight"),
}
ROWS = ((0, 1, 2, 3), (4, 5, 6, 7, 8), (9, 10, 11, 12))  # M1
PILE_QUESTIONS = ("claim", "dig", "dig_first", "dig_second", "grow_pile", "fight")

# How a pile is framed by whose marker it carries, so that it shows without colours too: own, other's, nobody's.
FRAMES = {"own": "┏━┓┃┗┛", "other": "╔═╗║╚╝", "free": "╭─╮│╰╯"}
STYLES = {"own": "bold #1a9c3f", "other": "bold #e8174f", "free": "dim"}


def touching(pile: int) -> list[int]:
    """The piles that touch this one (M1)."""
    return list(cards.members(rules.beside(1 << pile)))


def step(look: Look) -> str:
    """Which step of the turn it is."""
    question = look.data["question"]
    return STEP_OF.get(question, question) if question else ""


def _holder(look: Look, pile: int) -> str:
    owner = look.data["owner"][pile]
    return "free" if owner is None else "own" if owner == (look.me or 0) else "other"


def _pile(look: Look, pile: int, inviting: bool) -> list[Text]:
    """One pile: its number on the frame, whose marker it carries, its cards; in brackets if it may be chosen now."""
    data = look.data
    holder = _holder(look, pile)
    frame, style = FRAMES[holder], STYLES[holder]
    number = f"[{pile}]" if inviting else f" {pile} "
    marker = "" if data["owner"][pile] is None else look.subject(data["owner"][pile])
    fought = "⚑" if pile == data["attacked"] else " "
    top = Text(frame[0] + frame[1], style)
    top.append(number, f"bold {GOLD} reverse" if inviting else style)
    top.append(frame[1] * (5 - len(number)) + frame[2], style)
    body = ["▮" * data["left"][pile] or "dug up"[:6], f"{cell(marker, 4)}{fought} "]
    middle = [Text(f"{frame[3]}{cell(text.center(6) if '▮' in text else text, 6)}{frame[3]}", style) for text in body]
    return [top, middle[1], middle[0], Text(frame[4] + frame[1] * 6 + frame[5], style)]


def field(look: Look) -> list[Text]:
    """The 4-5-4 field of piles; lines join those that touch."""
    asked = look.ask
    inviting = {a for a in asked.legal if isinstance(a, int)} if asked and asked.question in PILE_QUESTIONS else set()
    lines: list[Text] = []
    for number, row in enumerate(ROWS):
        indent = " " if len(row) == 5 else " " * 7
        parts = [_pile(look, pile, pile in inviting) for pile in row]
        for k in range(4):
            line = Text(indent)
            for place, part in enumerate(parts):
                if place:
                    line.append("────" if k == 1 else "    ", "dim")
                line.append_text(part[k])
            lines.append(line)
        if number < 2:
            slopes = "/      \\" if number == 0 else "\\      /"
            lines.append(Text(" " * 7 + "    ".join([slopes] * 4), "dim"))
    return lines


def _strip(look: Look) -> Text:
    """The steps of the turn, the current one lit."""
    strip, now = Text(" "), step(look)
    for name in STEPS:
        strip.append(f" {name.upper() if name == now else name} ", f"bold reverse {GOLD}" if name == now else "dim")
        if name != STEPS[-1]:
            strip.append("→", "dim")
    return strip


def _aside(look: Look) -> list[str]:
    """What stands beside the field: each player's cards, and those discarded."""
    data, lines = look.data, []
    for seat in look.seats:
        lines += [f"{look.subject(seat)}{' ▸' if seat in data['to_act'] else ''}", f"  cards {data['hand_size'][seat]}"]
        if data["hand"][seat] is not None:
            lines.append(f"  ♦ {_diamonds(look, seat)} of {rules.TO_WIN}")
        if data["passed"][seat]:
            lines.append("  passed: may claim")
    if look.me is not None and data["known"][look.me]:
        lines += ["", "They hold", f"  {named(data['known'][look.me])}"]
    if data["attack"]:
        lines += ["", f"Attack: {named([data['attack']])}"]
    return lines


def _diamonds(look: Look, seat: int) -> int:
    return sum(card[0] == "D" for card in look.data["hand"][seat])


def _heading(look: Look) -> list[str]:
    data = look.data
    turn = "the end" if data["over"] else f"turn {data['turns']}: {look.who(data['turn'])}"
    quiet = [f"quiet turns: {data['idle']} of {rules.IDLE_LIMIT}"] if data["idle"] and not data["over"] else []
    return ["Mines", turn, *quiet, f"to {rules.TO_WIN} ♦"]


def draw(look: Look) -> list[Text]:
    """The picture: the turn's steps, the field with the players beside it, the discards, the own hand."""
    side = [paint(cell(line, 20).rstrip(), "" if line.startswith(" ") else "bold") for line in _aside(look)]
    lines = [title(_heading(look)), _strip(look), *side_by_side(field(look), side, 2), _discards(look), Text()]
    uses = {"♦": "seven of them win", "♥": "grow, defend", "♠": "dig two", "♣": "fight, defend"}
    return [*lines, *hand_rows(look, uses)]


def _discards(look: Look) -> Text:
    discarded = look.data["discards"]
    words = " ".join(f"{symbol} {' '.join(c[1:] for c in suit)} " for symbol, suit in by_suit(discarded) if suit)
    return paint(f" Discards  {words or 'none'}", "dim")


def _cards(number: int) -> str:
    return f"{number} card{'' if number == 1 else 's'}"


def tell(look: Look) -> list[str]:
    """The same in words: every pile a line."""
    data = look.data
    lines = [", ".join(_heading(look)) + "."]
    if step(look):
        lines.append(f"Step: {step(look)} (the steps are {', '.join(STEPS)}).")
    for pile in range(rules.PILES):
        owner = data["owner"][pile]
        holder = "unclaimed" if owner is None else "yours" if owner == look.me else f"{look.names[owner]}’s"
        near = ", ".join(map(str, touching(pile)))
        lines.append(f"Pile {pile}: {holder}, {_cards(data['left'][pile])}, touches {near}.")
    for seat in look.seats:
        held = f", {_diamonds(look, seat)} of them ♦" if data["hand"][seat] is not None else ""
        lines.append(
            f"{look.subject(seat)}: {_cards(data['hand_size'][seat])}{held}{', passed last turn' if data['passed'][seat] else ''}."
        )
    if look.me is not None and data["known"][look.me]:
        lines.append(f"You know that the other hand holds {named(data['known'][look.me])}.")
    if data["attack"]:
        lines.append(f"Pile {data['attacked']} is attacked with {named([data['attack']])}.")
    return [*lines, f"Discarded: {named(data['discards'])}.", *hand_sentences(look)]


def remark(look: Look, answer: int | str) -> str:
    """What stands behind a pile's number: its cards."""
    if look.ask is None or look.ask.question not in PILE_QUESTIONS or not isinstance(answer, int):
        return ""
    return f"({_cards(look.data['left'][answer])})"


def count_out(look: Look) -> list[str]:
    """M10: the ♦ each holds; the hands are open now."""
    return [
        f"{look.subject(seat)}: {_diamonds(look, seat)} ♦ in hand ({hand_words(look, seat)})." for seat in look.seats
    ]
