"""Crystals in a terminal: the table as picture and text, notes on answers, and the final scores."""

from __future__ import annotations

from rich.text import Text

from diamonds.cards import SUIT_SYMBOLS
from diamonds.i18n import join_list, translate
from diamonds.terminal.games.display import GameDisplay, legal_answers
from diamonds.terminal.rendering import (
    TableView,
    TrickCard,
    card_symbols,
    cell,
    hand_rows,
    hand_sentences,
    last_trick_text,
    title_line,
    trick_boxes,
    trick_text,
    winning_index,
    wrapped,
)
from diamonds.terminal.screen import color_suits

SUIT_NAMES = ("diamond", "heart", "spade", "club")

ACTION_MESSAGES = {suit: f"terminal-crystals-{name}" for suit, name in zip("♦♥♠♣", SUIT_NAMES, strict=True)}


def crystal_symbols(points: int) -> str:
    """Return a Showroom's points as fives and ones (C2)."""
    return "⑤" * (points // 5) + "•" * (points % 5) if points < 35 else ""


def _trick_cards(view: TableView) -> list[TrickCard]:
    """Return the trick on the table, with the action of each card that did not follow suit."""
    data = view.data
    trick_cards = []
    for k, card in enumerate(data["trick"]):
        note = translate("terminal-led") if k == 0 else ""
        if not note and card[0] != data["led"]:
            note = translate("terminal-action", {"suit": card[0]})
        trick_cards.append(TrickCard((data["leader"] + k) % data["seats"], card, note))
    return trick_cards


def _headings(view: TableView) -> list[str]:
    data = view.data
    passing = (
        translate("terminal-passing", {"number": data["passing"]})
        if data["passing"]
        else translate("terminal-not-chosen")
    )
    over = translate("terminal-round", {"round": data["round"], "rounds": data["rounds"]})
    return [
        translate("crystals-title"),
        translate("terminal-the-end") if data["over"] else over,
        passing,
        translate("terminal-supply", {"number": data["supply"]}),
    ]


def _seat_notes(view: TableView, seat: int) -> list[str]:
    """Return other notes on a seat: partners, dealer, thief."""
    data = view.data
    notes = []
    if data["partnership"]:
        partners = [view.seat_name(s) for s in view.seats if s != seat and data["team"][s] == data["team"][seat]]
        notes.append(translate("terminal-with", {"partners": join_list(partners, "and")}))
    if seat == data["dealer"]:
        notes.append(translate("terminal-deals"))
    if seat == data["thief_at"]:
        notes.append(translate("terminal-thief"))
    return notes


def draw_table(view: TableView) -> list[Text]:
    """Draw the table: each seat's counts, the trick, and the viewer's hand."""
    data = view.data
    shows_taken = data["taken"][0][0] is not None
    taken = f" {translate('terminal-taken')} ♦  ♥  ♠  ♣" if shows_taken else ""
    column_heads = (
        f"{cell(translate('terminal-showroom'), 13)}{translate('terminal-vault'):>6}  {translate('terminal-tricks'):<6}"
    )
    lines = [title_line(_headings(view)), color_suits(f"{'':12}{column_heads}{taken}", "dim")]
    for seat in view.seats:
        marker = "▸" if seat in data["to_act"] else " "
        vault = "?" if data["vault"][seat] is None else str(data["vault"][seat])
        showroom = f"{data['showroom'][seat]:>2} {cell(crystal_symbols(data['showroom'][seat]), 10)}"
        row = f" {marker} {cell(view.capitalized_name(seat), 8)} {showroom} {vault:>5}  {data['tricks'][seat]:>4}  "
        if shows_taken:
            row += " " * (len(translate("terminal-taken")) - 2) + "".join(f"{n:>3}" for n in data["taken"][seat])
        lines.append(color_suits(f"{row}  {', '.join(_seat_notes(view, seat))}", "bold" if seat == view.viewer else ""))
    trick_cards = _trick_cards(view)
    to_come = view.open_question is not None and view.open_question.question == "play"
    if trick_cards or to_come:
        lines += [Text(), *trick_boxes(view, trick_cards, winning_index(trick_cards, data["led"], view.game), to_come)]
    lines += wrapped([last_trick_text(view), passed_text(view)])
    return [*lines, Text(), *hand_rows(view, {suit: translate(id) for suit, id in ACTION_MESSAGES.items()})]


def passed_text(view: TableView) -> str:
    """Return a sentence about the cards that the viewer passed and received this round (C10)."""
    data = view.data
    if view.viewer is None or not data["given"][view.viewer]:
        return ""
    return view.text(
        "terminal-passed", cards=data["given"][view.viewer], received=card_symbols(data["received"][view.viewer])
    )


def describe(view: TableView) -> list[str]:
    """Describe the table in words, one line each."""
    data = view.data
    lines = [", ".join(_headings(view)) + "."]
    for seat in view.seats:
        vault = translate("terminal-unknown") if data["vault"][seat] is None else data["vault"][seat]
        counts = {"showroom": data["showroom"][seat], "vault": vault, "tricks": data["tricks"][seat]}
        line = translate("terminal-crystals-seat", {"person": view.capitalized_name(seat), **counts})
        if data["taken"][seat][0] is not None:
            taken = [f"{n} {SUIT_SYMBOLS[suit]}" for suit, n in enumerate(data["taken"][seat]) if n]
            line += ", " + translate("terminal-has-taken", {"taken": " ".join(taken) or None})
        lines.append(", ".join([line, *_seat_notes(view, seat)]) + ".")
    if data["trick"]:
        trick = trick_text(view, data["trick"], data["leader"])
        lines.append(translate("terminal-on-table-led", {"suit": data["led"], "trick": trick}))
    return [*lines, *filter(None, (last_trick_text(view), passed_text(view))), *hand_sentences(view)]


def answer_note(view: TableView, answer: int | str) -> str:
    """Return the note for a victim: the team's members and its Showroom."""
    if view.open_question is None or view.open_question.question != "victim":
        return ""
    seat = int(answer)
    return translate("terminal-on-show", {"team": _team_text(view, seat), "number": view.data["showroom"][seat]})


def _team_text(view: TableView, seat: int) -> str:
    """Return the names of a seat and its partners."""
    team = view.data["team"]
    return join_list([view.seat_name(other) for other in view.seats if team[other] == team[seat]], "and")


def answers_needed(view: TableView) -> int:
    """Return the number of cards that the viewer has yet to choose for passing (C9); otherwise one."""
    if not _is_passing(view):
        return 1
    return int(view.data["passing"]) - len(view.data["chosen"][view.viewer])


def offered_answers(view: TableView) -> list[int | str]:
    """Return the answers to list. Cards to pass can be named in any order, so the list contains the whole hand."""
    if not _is_passing(view):
        return legal_answers(view)
    return [card for card in view.data["hand"][view.viewer] if card not in view.data["chosen"][view.viewer]]


def question_text(view: TableView, text: str) -> str:
    """Return the question; for passing, with the number of cards and the receiver (C9, C23)."""
    if not _is_passing(view):
        return text
    return view.text("terminal-choose-cards", number=answers_needed(view), to=view.data["passes_to"][view.viewer or 0])


def _is_passing(view: TableView) -> bool:
    return view.open_question is not None and view.open_question.question == "pass"


def final_scores(view: TableView) -> list[str]:
    """C21: return a line for each team, its Vault counted twice, most points first."""
    data, lines = view.data, []
    teams = [seat for seat in view.seats if data["team"][seat] == seat]
    for seat in sorted(teams, key=lambda seat: -2 * data["vault"][seat] - data["showroom"][seat]):
        team, vault, showroom = _team_text(view, seat), data["vault"][seat], data["showroom"][seat]
        values = {"vault": vault, "showroom": showroom, "points": 2 * vault + showroom}
        lines.append(translate("terminal-count", {"team": team[:1].upper() + team[1:], **values}))
    return lines


DISPLAY = GameDisplay(
    draw_table,
    describe,
    final_scores,
    answer_note,
    question_text,
    offered_answers,
    answers_needed,
    moment=lambda view: _headings(view)[1],
)
