"""Crystals in a terminal: its picture, the same in words, what its questions mean, and how its scores are counted."""

from __future__ import annotations

from rich.text import Text

from diamonds.cards import SUIT_SYMBOLS
from diamonds.terminal.face import Face, legal
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
from diamonds.words import listed, say

SUIT_NAMES = ("diamond", "heart", "spade", "club")

ACTIONS = {suit: f"terminal-crystals-{name}" for suit, name in zip("♦♥♠♣", SUIT_NAMES, strict=True)}


def gems(points: int) -> str:
    """A Showroom's points as fives and ones (C2)."""
    return "⑤" * (points // 5) + "•" * (points % 5) if points < 35 else ""


def _plays(look: Look) -> list[Play]:
    """The trick on the table, with what each card that did not follow did."""
    data = look.data
    plays = []
    for k, card in enumerate(data["trick"]):
        note = say("terminal-led") if k == 0 else ""
        if not note and card[0] != data["led"]:
            note = say("terminal-action", {"suit": card[0]})
        plays.append(Play((data["leader"] + k) % data["seats"], card, note))
    return plays


def _heading(look: Look) -> list[str]:
    data = look.data
    passing = say("terminal-passing", {"number": data["passing"]}) if data["passing"] else say("terminal-not-chosen")
    over = say("terminal-round", {"round": data["round"], "rounds": data["rounds"]})
    return [
        say("crystals-title"),
        say("terminal-the-end") if data["over"] else over,
        passing,
        say("terminal-supply", {"number": data["supply"]}),
    ]


def _remarks(look: Look, seat: int) -> list[str]:
    """What else is to be said of a seat."""
    data = look.data
    remarks = []
    if data["partnership"]:
        partners = [look.who(s) for s in look.seats if s != seat and data["team"][s] == data["team"][seat]]
        remarks.append(say("terminal-with", {"partners": listed(partners, "and")}))
    if seat == data["dealer"]:
        remarks.append(say("terminal-deals"))
    if seat == data["thief_at"]:
        remarks.append(say("terminal-thief"))
    return remarks


def draw(look: Look) -> list[Text]:
    """The picture of the table: who has what, the trick, the own hand."""
    data = look.data
    counted = data["taken"][0][0] is not None
    taken = f" {say('terminal-taken')} ♦  ♥  ♠  ♣" if counted else ""
    heads = f"{cell(say('terminal-showroom'), 13)}{say('terminal-vault'):>6}  {say('terminal-tricks'):<6}"
    lines = [title(_heading(look)), paint(f"{'':12}{heads}{taken}", "dim")]
    for seat in look.seats:
        acts = "▸" if seat in data["to_act"] else " "
        vault = "?" if data["vault"][seat] is None else str(data["vault"][seat])
        showroom = f"{data['showroom'][seat]:>2} {cell(gems(data['showroom'][seat]), 10)}"
        row = f" {acts} {cell(look.subject(seat), 8)} {showroom} {vault:>5}  {data['tricks'][seat]:>4}  "
        if counted:
            row += " " * (len(say("terminal-taken")) - 2) + "".join(f"{n:>3}" for n in data["taken"][seat])
        lines.append(paint(f"{row}  {', '.join(_remarks(look, seat))}", "bold" if seat == look.me else ""))
    plays = _plays(look)
    mine = look.ask is not None and look.ask.question == "play"
    if plays or mine:
        lines += [Text(), *trick_boxes(look, plays, ahead(plays, data["led"], look.game), mine)]
    lines += remarks([last_trick(look), passed(look)])
    return [*lines, Text(), *hand_rows(look, {suit: say(id) for suit, id in ACTIONS.items()})]


def passed(look: Look) -> str:
    """What the own seat passed on and received this round (C10)."""
    data = look.data
    if look.me is None or not data["given"][look.me]:
        return ""
    return look.say("terminal-passed", cards=data["given"][look.me], received=named(data["received"][look.me]))


def tell(look: Look) -> list[str]:
    """The same in words, a line each."""
    data = look.data
    lines = [", ".join(_heading(look)) + "."]
    for seat in look.seats:
        vault = say("terminal-unknown") if data["vault"][seat] is None else data["vault"][seat]
        counts = {"showroom": data["showroom"][seat], "vault": vault, "tricks": data["tricks"][seat]}
        line = say("terminal-crystals-seat", {"person": look.subject(seat), **counts})
        if data["taken"][seat][0] is not None:
            taken = [f"{n} {SUIT_SYMBOLS[suit]}" for suit, n in enumerate(data["taken"][seat]) if n]
            line += ", " + say("terminal-has-taken", {"taken": " ".join(taken) or None})
        lines.append(", ".join([line, *_remarks(look, seat)]) + ".")
    if data["trick"]:
        trick = trick_words(look, data["trick"], data["leader"])
        lines.append(say("terminal-on-table-led", {"suit": data["led"], "trick": trick}))
    return [*lines, *filter(None, (last_trick(look), passed(look))), *hand_sentences(look)]


def remark(look: Look, answer: int | str) -> str:
    """What stands behind an answer that is a number: a victim, who may be a team."""
    if look.ask is None or look.ask.question != "victim":
        return ""
    seat = int(answer)
    return say("terminal-on-show", {"team": _team(look, seat), "number": look.data["showroom"][seat]})


def _team(look: Look, seat: int) -> str:
    """A seat and its partners."""
    team = look.data["team"]
    return listed([look.who(other) for other in look.seats if team[other] == team[seat]], "and")


def wanted(look: Look) -> int:
    """As many cards as the own seat has yet to choose to pass (C9), else one answer."""
    if not _passes(look):
        return 1
    return int(look.data["passing"]) - len(look.data["chosen"][look.me])


def offered(look: Look) -> list[int | str]:
    """Cards to pass may be named in any order, so every card of the hand is on the list."""
    if not _passes(look):
        return legal(look)
    return [card for card in look.data["hand"][look.me] if card not in look.data["chosen"][look.me]]


def prompt(look: Look, says: str) -> str:
    """The question; that for cards says how many, and who gets them (C9, C23)."""
    if not _passes(look):
        return says
    return look.say("terminal-choose-cards", number=wanted(look), to=look.data["passes_to"][look.me or 0])


def _passes(look: Look) -> bool:
    return look.ask is not None and look.ask.question == "pass"


def count_out(look: Look) -> list[str]:
    """C21: vaults are opened and counted twice; a team once."""
    data, lines = look.data, []
    for seat in look.seats:
        if data["team"][seat] != seat:
            continue
        team, vault, showroom = _team(look, seat), data["vault"][seat], data["showroom"][seat]
        values = {"vault": vault, "showroom": showroom, "points": 2 * vault + showroom}
        lines.append(say("terminal-count", {"team": team[:1].upper() + team[1:], **values}))
    return lines


FACE = Face(draw, tell, count_out, remark, prompt, offered, wanted)
