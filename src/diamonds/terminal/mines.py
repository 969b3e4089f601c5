"""Mines in a terminal: its field, the same in words, what its questions mean, and how it is counted."""

from __future__ import annotations

from rich.text import Text

from diamonds import cards
from diamonds.rules import mines as rules
from diamonds.terminal.face import Face
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
from diamonds.words import say

USES = {
    "♦": "terminal-mines-diamond", "♥": "terminal-mines-heart", "♠": "terminal-mines-spade", "♣": "terminal-mines-club"
}  # fmt: skip
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
    body = ["▮" * data["left"][pile] or say("terminal-dug-up"), f"{cell(marker, 4)}{fought} "]
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


def step_name(name: str) -> str:
    """What a step of the turn is called."""
    return say(f"terminal-step-{name}")


def _strip(look: Look) -> Text:
    """The steps of the turn, the current one lit."""
    strip, now = Text(" "), step(look)
    for name in STEPS:
        called = step_name(name)
        strip.append(f" {called.upper() if name == now else called} ", f"bold reverse {GOLD}" if name == now else "dim")
        if name != STEPS[-1]:
            strip.append("→", "dim")
    return strip


def _aside(look: Look) -> list[str]:
    """What stands beside the field: each player's cards, and those discarded."""
    data, lines = look.data, []
    for seat in look.seats:
        size = say("terminal-cards", {"number": data["hand_size"][seat]})
        lines += [f"{look.subject(seat)}{' ▸' if seat in data['to_act'] else ''}", f"  {size}"]
        if data["hand"][seat] is not None:
            lines.append(f"  {say('terminal-diamonds', {'number': _diamonds(look, seat), 'of': rules.TO_WIN})}")
        if data["passed"][seat]:
            lines.append(f"  {say('terminal-may-claim')}")
    if look.me is not None and data["known"][look.me]:
        lines += ["", say("terminal-they-hold"), f"  {named(data['known'][look.me])}"]
    if data["attack"]:
        lines += ["", say("terminal-attack", {"card": data["attack"]})]
    return lines


def _diamonds(look: Look, seat: int) -> int:
    return sum(card[0] == "D" for card in look.data["hand"][seat])


def _heading(look: Look) -> list[str]:
    data = look.data
    turn = look.say("terminal-turn", number=data["turns"], seat=data["turn"])
    idle = say("terminal-quiet-turns", {"number": data["idle"], "of": rules.IDLE_LIMIT})
    quiet = [idle] if data["idle"] and not data["over"] else []
    turn = say("terminal-the-end") if data["over"] else turn
    return [say("mines-title"), turn, *quiet, say("terminal-to-diamonds", {"number": rules.TO_WIN})]


def draw(look: Look) -> list[Text]:
    """The picture: the turn's steps, the field with the players beside it, the discards, the own hand."""
    side = [paint(cell(line, 20).rstrip(), "" if line.startswith(" ") else "bold") for line in _aside(look)]
    lines = [title(_heading(look)), _strip(look), *side_by_side(field(look), side, 2), _discards(look), Text()]
    return [*lines, *hand_rows(look, {suit: say(id) for suit, id in USES.items()})]


def _discards(look: Look) -> Text:
    discarded = look.data["discards"]
    words = " ".join(f"{symbol} {' '.join(c[1:] for c in suit)} " for symbol, suit in by_suit(discarded) if suit)
    return paint(f" {say('terminal-discards')}  {words or say('terminal-none')}", "dim")


def tell(look: Look) -> list[str]:
    """The same in words: every pile a line."""
    data = look.data
    lines = [", ".join(_heading(look)) + "."]
    if step(look):
        steps = {"step": step_name(step(look)), "steps": [step_name(name) for name in STEPS]}
        lines.append(say("terminal-step", steps))
    for pile in range(rules.PILES):
        owner = data["owner"][pile]
        about = {"pile": pile, "left": data["left"][pile], "piles": touching(pile)}
        if owner is None:
            lines.append(say("terminal-pile-unclaimed", about))
        else:
            lines.append(look.say("terminal-pile", seat=owner, **about))
    for seat in look.seats:
        number = data["hand_size"][seat]
        parts = [say("terminal-mines-seat", {"person": look.subject(seat), "number": number})]
        if data["hand"][seat] is not None:
            parts.append(say("terminal-of-them", {"number": _diamonds(look, seat)}))
        if data["passed"][seat]:
            parts.append(say("terminal-has-passed"))
        lines.append(", ".join(parts) + ".")
    if look.me is not None and data["known"][look.me]:
        lines.append(say("terminal-known", {"cards": data["known"][look.me]}))
    if data["attack"]:
        lines.append(say("terminal-attacked", {"pile": data["attacked"], "card": data["attack"]}))
    return [*lines, say("terminal-discarded", {"held": named(data["discards"])}), *hand_sentences(look)]


def remark(look: Look, answer: int | str) -> str:
    """What stands behind a pile's number: its cards."""
    if look.ask is None or look.ask.question not in PILE_QUESTIONS or not isinstance(answer, int):
        return ""
    return say("terminal-cards-left", {"number": look.data["left"][answer]})


def count_out(look: Look) -> list[str]:
    """M10: the ♦ each holds; the hands are open now."""
    return [
        say(
            "terminal-diamonds-held",
            {"person": look.subject(seat), "number": _diamonds(look, seat), "held": hand_words(look, seat)},
        )
        for seat in look.seats
    ]


FACE = Face(draw, tell, count_out, remark=remark)
