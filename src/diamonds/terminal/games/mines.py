"""Mines in a terminal: the field as picture and text, notes on answers, and the final scores."""

from __future__ import annotations

from rich.text import Text

from diamonds import cards
from diamonds.i18n import translate
from diamonds.rules import mines as rules
from diamonds.terminal.games.display import GameDisplay
from diamonds.terminal.rendering import (
    TableView,
    card_symbols,
    cell,
    hand_rows,
    hand_sentences,
    hand_text,
    side_by_side,
    split_by_suit,
    title_line,
)
from diamonds.terminal.screen import GOLD, color_suits

SUIT_USES = {
    "♦": "terminal-mines-diamond", "♥": "terminal-mines-heart", "♠": "terminal-mines-spade", "♣": "terminal-mines-club"
}  # fmt: skip
TURN_STEPS = ("claim", "pass", "dig", "grow", "fight")
STEP_OF_QUESTION = {
    "turn": "pass",
    "dig_first": "dig",
    "dig_second": "dig",
    "grow_pile": "grow",
    **dict.fromkeys(("fight_card", "defend", "spoils", "give"), "fight"),
}
PILE_ROWS = ((0, 1, 2, 3), (4, 5, 6, 7, 8), (9, 10, 11, 12))  # M1
PILE_QUESTIONS = ("claim", "dig", "dig_first", "dig_second", "grow_pile", "fight")

# A pile's frame also shows its owner without colours: the viewer, the other player, nobody.
PILE_FRAMES = {"own": "┏━┓┃┗┛", "other": "╔═╗║╚╝", "free": "╭─╮│╰╯"}
PILE_STYLES = {"own": "bold #1a9c3f", "other": "bold #e8174f", "free": "dim"}


def adjacent_piles(pile: int) -> list[int]:
    """Return the piles that touch this one (M1)."""
    return list(cards.iter_bits(rules.adjacent(1 << pile)))


def current_step(view: TableView) -> str:
    """Return the name of the current step of the turn."""
    question = view.data["question"]
    return STEP_OF_QUESTION.get(question, question) if question else ""


def _pile_holder(view: TableView, pile: int) -> str:
    owner = view.data["owner"][pile]
    return "free" if owner is None else "own" if owner == (view.viewer or 0) else "other"


def _draw_pile(view: TableView, pile: int, is_choosable: bool) -> list[Text]:
    """Draw one pile: number on the frame, marker and cards. The number is in brackets if the pile can be chosen now."""
    data = view.data
    holder = _pile_holder(view, pile)
    frame, style = PILE_FRAMES[holder], PILE_STYLES[holder]
    number = f"[{pile + 1}]" if is_choosable else f" {pile + 1} "
    marker = "" if data["owner"][pile] is None else view.capitalized_name(data["owner"][pile])
    attack_marker = "⚑" if pile == data["attacked"] else " "
    top = Text(frame[0] + frame[1], style)
    top.append(number, f"bold {GOLD} reverse" if is_choosable else style)
    top.append(frame[1] * (5 - len(number)) + frame[2], style)
    body = ["▮" * data["left"][pile] or translate("terminal-dug-up"), f"{cell(marker, 4)}{attack_marker} "]
    middle = [Text(f"{frame[3]}{cell(text.center(6) if '▮' in text else text, 6)}{frame[3]}", style) for text in body]
    return [top, middle[1], middle[0], Text(frame[4] + frame[1] * 6 + frame[5], style)]


def draw_field(view: TableView) -> list[Text]:
    """Draw the 4-5-4 field; lines join the piles that touch."""
    open_question = view.open_question
    choosable_piles = (
        {a for a in open_question.legal if isinstance(a, int)}
        if open_question and open_question.question in PILE_QUESTIONS
        else set()
    )
    lines: list[Text] = []
    for number, row in enumerate(PILE_ROWS):
        indent = " " if len(row) == 5 else " " * 7
        parts = [_draw_pile(view, pile, pile in choosable_piles) for pile in row]
        for k in range(4):
            line = Text(indent)
            for place, part in enumerate(parts):
                if place:
                    line.append("────" if k == 1 else "    ", "dim")
                line.append_text(part[k])
            lines.append(line)
        if number < 2:
            joins = "/      \\" if number == 0 else "\\      /"
            lines.append(Text(" " * 7 + "    ".join([joins] * 4), "dim"))
    return lines


def step_name(name: str) -> str:
    """Return the translated name of a step of the turn."""
    return translate(f"terminal-step-{name}")


def _step_bar(view: TableView) -> Text:
    """Return the steps of the turn with the current one highlighted."""
    bar, current = Text(" "), current_step(view)
    for name in TURN_STEPS:
        title = step_name(name)
        bar.append(
            f" {title.upper() if name == current else title} ", f"bold reverse {GOLD}" if name == current else "dim"
        )
        if name != TURN_STEPS[-1]:
            bar.append("→", "dim")
    return bar


def _player_lines(view: TableView) -> list[str]:
    """Return the lines beside the field: each player's cards, cards known, and the attack."""
    data, lines = view.data, []
    for seat in view.seats:
        size = translate("terminal-cards", {"number": data["hand_size"][seat]})
        lines += [f"{view.capitalized_name(seat)}{' ▸' if seat in data['to_act'] else ''}", f"  {size}"]
        if data["hand"][seat] is not None:
            lines.append(
                f"  {translate('terminal-diamonds', {'number': _diamond_count(view, seat), 'of': rules.DIAMONDS_TO_WIN})}"
            )
        if data["passed"][seat]:
            lines.append(f"  {translate('terminal-may-claim')}")
    if view.viewer is not None and data["known"][view.viewer]:
        lines += ["", translate("terminal-they-hold"), f"  {card_symbols(data['known'][view.viewer])}"]
    if data["attack"]:
        lines += ["", translate("terminal-attack", {"card": data["attack"]})]
    return lines


def _diamond_count(view: TableView, seat: int) -> int:
    return sum(card[0] == "D" for card in view.data["hand"][seat])


def _headings(view: TableView) -> list[str]:
    data = view.data
    turn = view.text("terminal-turn", number=data["turns"], seat=data["turn"])
    idle = translate("terminal-quiet-turns", {"number": data["idle"], "of": rules.MAX_IDLE_TURNS})
    idle_notes = [idle] if data["idle"] and not data["over"] else []
    turn = translate("terminal-the-end") if data["over"] else turn
    return [
        translate("mines-title"),
        turn,
        *idle_notes,
        translate("terminal-to-diamonds", {"number": rules.DIAMONDS_TO_WIN}),
    ]


def draw_table(view: TableView) -> list[Text]:
    """Draw the table: the turn's steps, the field with the players beside it, the discards, and the viewer's hand."""
    side_lines = [
        color_suits(cell(line, 20).rstrip(), "" if line.startswith(" ") else "bold") for line in _player_lines(view)
    ]
    lines = [
        title_line(_headings(view)),
        _step_bar(view),
        *side_by_side(draw_field(view), side_lines, 2),
        _discard_line(view),
        Text(),
    ]
    return [*lines, *hand_rows(view, {suit: translate(id) for suit, id in SUIT_USES.items()})]


def _discard_line(view: TableView) -> Text:
    discarded = view.data["discards"]
    cards_text = " ".join(
        f"{symbol} {' '.join(c[1:] for c in suit)} " for symbol, suit in split_by_suit(discarded) if suit
    )
    return color_suits(f" {translate('terminal-discards')}  {cards_text or translate('terminal-none')}", "dim")


def describe(view: TableView) -> list[str]:
    """Describe the table in words, with a line for every pile."""
    data = view.data
    lines = [", ".join(_headings(view)) + "."]
    if current_step(view):
        steps = {"step": step_name(current_step(view)), "steps": [step_name(name) for name in TURN_STEPS]}
        lines.append(translate("terminal-step", steps))
    for pile in range(rules.PILES):
        owner = data["owner"][pile]
        details = {"pile": pile, "left": data["left"][pile], "piles": [other + 1 for other in adjacent_piles(pile)]}
        if owner is None:
            lines.append(translate("terminal-pile-unclaimed", details))
        else:
            lines.append(view.text("terminal-pile", seat=owner, **details))
    for seat in view.seats:
        number = data["hand_size"][seat]
        parts = [translate("terminal-mines-seat", {"person": view.capitalized_name(seat), "number": number})]
        if data["hand"][seat] is not None:
            parts.append(translate("terminal-of-them", {"number": _diamond_count(view, seat)}))
        if data["passed"][seat]:
            parts.append(translate("terminal-has-passed"))
        lines.append(", ".join(parts) + ".")
    if view.viewer is not None and data["known"][view.viewer]:
        lines.append(translate("terminal-known", {"cards": data["known"][view.viewer]}))
    if data["attack"]:
        lines.append(translate("terminal-attacked", {"pile": data["attacked"], "card": data["attack"]}))
    return [*lines, translate("terminal-discarded", {"held": card_symbols(data["discards"])}), *hand_sentences(view)]


def answer_note(view: TableView, answer: int | str) -> str:
    """Return the note for a pile: the number of cards left."""
    if view.open_question is None or view.open_question.question not in PILE_QUESTIONS or not isinstance(answer, int):
        return ""
    return translate("terminal-cards-left", {"number": view.data["left"][answer]})


def final_scores(view: TableView) -> list[str]:
    """M10: return the ♦ that each player holds; the hands are now open."""
    return [
        translate(
            "terminal-diamonds-held",
            {
                "person": view.capitalized_name(seat),
                "number": _diamond_count(view, seat),
                "held": hand_text(view, seat),
            },
        )
        for seat in view.seats
    ]


DISPLAY = GameDisplay(
    draw_table,
    describe,
    final_scores,
    answer_note=answer_note,
    pile_questions=PILE_QUESTIONS,
    moment=lambda view: _headings(view)[1],
)
