"""Crystals in a terminal: its picture, the same in words, what its questions mean, and how its scores are counted."""

from __future__ import annotations

from rich.text import Text

from diamonds.cards import SUIT_LETTERS, SUIT_SYMBOLS, card_symbol
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
    title,
    trick_boxes,
    trick_words,
)
from diamonds.terminal.screen import paint

ACTIONS = {
    "♦": "Supply → your Vault",
    "♥": "Supply → your Showroom",
    "♠": "your Showroom → your Vault",
    "♣": "another’s Showroom → yours",
}

EXPLAIN = {
    "count": "You deal, so you say how many cards everyone passes on: 1, 2 or 3. You know your own hand only (C8).",
    "pass": "Choose cards to give away before you see what arrives; everyone chooses at the same time, and the cards go to "
    "the left neighbour, or with rotating to one seat further each round, or to the partner (C9, C23). Type them all at once, in any order: H3 D2.",
    "play": "Follow the suit led if you can (C12). If you cannot, play anything and take the action of your card’s suit at "
    "once (C12): ♦ puts a crystal from the Supply into your Vault, ♥ one into your Showroom, ♠ moves one from your Showroom "
    "into your Vault, ♣ takes one from another’s Showroom (C15–C18), or from the thief’s holder (C25). The highest card of the suit led wins the trick, takes "
    "the action of that suit, and leads the next (C13). A crystal in the Vault counts 2, one on show 1 (C21).",
    "victim": "Your ♣ takes one crystal from another’s Showroom into yours: say whose (C18). Type the number or the name.",
}


def gems(points: int) -> str:
    """A Showroom's points as fives and ones (C2)."""
    return "⑤" * (points // 5) + "•" * (points % 5) if points < 35 else ""


def _plays(look: Look) -> list[Play]:
    """The trick on the table, with what each card that did not follow did."""
    data = look.data
    plays = []
    for k, card in enumerate(data["trick"]):
        note = "led" if k == 0 else "" if card[0] == data["led"] else f"{card_symbol(card)[0]} action"
        plays.append(Play((data["leader"] + k) % data["seats"], card, note))
    return plays


def _heading(look: Look) -> list[str]:
    data = look.data
    passing = f"everyone passes {data['passing']}" if data["passing"] else "passing to be chosen"
    over = "the end" if data["over"] else f"round {data['round']} of {data['rounds']}"
    return ["Crystals", over, passing, f"Supply {data['supply']}"]


def _remarks(look: Look, seat: int) -> list[str]:
    """What else is to be said of a seat."""
    data = look.data
    remarks = []
    if data["partnership"]:
        partners = [look.who(s) for s in look.seats if s != seat and data["team"][s] == data["team"][seat]]
        remarks.append(f"with {' and '.join(partners)}")
    if seat == data["dealer"]:
        remarks.append("deals")
    if seat == data["thief_at"]:
        remarks.append("thief")
    return remarks


def draw(look: Look) -> list[Text]:
    """The picture of the table: who has what, the trick, the own hand."""
    data = look.data
    counted = data["taken"][0][0] is not None
    taken = " taken ♦  ♥  ♠  ♣" if counted else ""
    lines = [title(_heading(look)), paint(f"            Showroom      Vault  tricks{taken}", "dim")]
    for seat in look.seats:
        acts = "▸" if seat in data["to_act"] else " "
        vault = "?" if data["vault"][seat] is None else str(data["vault"][seat])
        showroom = f"{data['showroom'][seat]:>2} {cell(gems(data['showroom'][seat]), 10)}"
        row = f" {acts} {cell(look.subject(seat), 8)} {showroom} {vault:>5}  {data['tricks'][seat]:>4}  "
        if counted:
            row += "   " + "".join(f"{n:>3}" for n in data["taken"][seat])
        lines.append(paint(f"{row}  {', '.join(_remarks(look, seat))}", "bold" if seat == look.me else ""))
    plays = _plays(look)
    mine = look.ask is not None and look.ask.question == "play"
    if plays or mine:
        lines += [Text(), *trick_boxes(look, plays, ahead(plays, data["led"], look.game), mine)]
    lines += remarks([last_trick(look), passed(look)])
    return [*lines, Text(), *hand_rows(look, ACTIONS)]


def passed(look: Look) -> str:
    """What the own seat passed on and received this round (C10)."""
    data = look.data
    if look.me is None or not data["given"][look.me]:
        return ""
    return f"You passed on {named(data['given'][look.me])} and received {named(data['received'][look.me])}."


def tell(look: Look) -> list[str]:
    """The same in words, a line each."""
    data = look.data
    lines = [", ".join(_heading(look)) + "."]
    for seat in look.seats:
        vault = "unknown" if data["vault"][seat] is None else data["vault"][seat]
        line = f"{look.subject(seat)}: Showroom {data['showroom'][seat]}, Vault {vault}, tricks {data['tricks'][seat]}"
        if data["taken"][seat][0] is not None:
            taken = [f"{n} {SUIT_SYMBOLS[suit]}" for suit, n in enumerate(data["taken"][seat]) if n]
            line += f", taken {' '.join(taken) or 'nothing'}"
        lines.append(", ".join([line, *_remarks(look, seat)]) + ".")
    if data["trick"]:
        suit = SUIT_SYMBOLS[SUIT_LETTERS.index(data["led"])]
        lines.append(f"On the table, led in {suit}: {trick_words(look, data['trick'], data['leader'])}.")
    return [*lines, *filter(None, (last_trick(look), passed(look))), *hand_sentences(look)]


def remark(look: Look, answer: int | str) -> str:
    """What stands behind an answer that is a number: a victim, who may be a team."""
    if look.ask is None or look.ask.question != "victim":
        return ""
    seat = int(answer)
    return f"{_team(look, seat)} ({look.data['showroom'][seat]} on show)"


def _team(look: Look, seat: int) -> str:
    """A seat and its partners."""
    team = look.data["team"]
    return " and ".join(look.who(other) for other in look.seats if team[other] == team[seat])


def still_to_pass(look: Look) -> int:
    """How many cards the own seat has yet to choose (C9)."""
    return int(look.data["passing"]) - len(look.data["chosen"][look.me])


def passes_to(look: Look) -> str:
    """Who gets the cards that the own seat passes on (C9, C23)."""
    return look.who(look.data["passes_to"][look.me or 0])


def count_out(look: Look) -> list[str]:
    """C21: vaults are opened and counted twice; a team once."""
    data, lines = look.data, []
    for seat in look.seats:
        if data["team"][seat] != seat:
            continue
        team, vault, showroom = _team(look, seat), data["vault"][seat], data["showroom"][seat]
        points = 2 * vault + showroom
        lines.append(f"{team[:1].upper()}{team[1:]}: Vault {vault} × 2 + Showroom {showroom} = {points} points.")
    return lines
