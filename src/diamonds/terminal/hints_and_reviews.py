"""Hints and reviews in a terminal: the same sentences as on the page, from the same search."""

from __future__ import annotations

from collections.abc import Callable

from diamonds import i18n
from diamonds.bots.analysis import hints, reason_text, review
from diamonds.bots.bot import bot_view
from diamonds.bots.games.adapter import WIN_CHANCE, ValueUnit
from diamonds.i18n import Message, join_list
from diamonds.records import RecordedGame
from diamonds.terminal import equal_cards
from diamonds.terminal.games.display import GameDisplay
from diamonds.terminal.rendering import TableView, table_view, trick_text

MAX_WORSE = 2  # limit of worse answers in a printed hint
MAX_LISTED = 5  # limit of decisions in a printed review


def make_hint(played: RecordedGame, seat: int) -> hints.Hint:
    """Return a hint for the open question of a seat, from its view alone; repeated requests give the same hint."""
    return hints.hint(bot_view(played.game, played.state, seat))


def hint_sentences(view: TableView, hint: hints.Hint) -> list[str]:
    """Return a sentence about the best answer and its reason, then one for each worse answer."""
    if len(hint.choices) == 1:
        return [_text(view, hint.text)]
    best, *others = hint.choices
    tied = [_text(view, choice.text) for choice in others if choice.tied]
    if tied and not best.reasons:
        equal = [_text(view, best.text), *tied]
        first = i18n.translate(
            "page-hint-either" if len(equal) == 2 else "page-hint-any", {"answers": join_list(equal, "or")}
        )
    elif best.reasons:
        first = _because(view, best)
    else:
        first = view.text("page-hint-best", answer=best.text)
    if tied and best.reasons:
        legal = view.open_question.legal if view.open_question else ()
        equal_set = equal_cards.equal_cards_sentence(hint, legal, view.game.card_names)
        first = f"{first} {equal_set or i18n.translate('terminal-hint-as-good', {'answers': join_list(tied, 'or')})}"
    sentences = [i18n.capitalize_sentences(first)]
    for choice in [choice for choice in others if not choice.tied][:MAX_WORSE]:
        amount = _amount(choice.gap, hint.unit)
        reasons = _reasons(view, choice.reasons)
        id = "terminal-hint-less-because" if reasons else "terminal-hint-less"
        given = {"answer": choice.text, "amount": amount} | ({"reasons": reasons} if reasons else {})
        sentences.append(i18n.capitalize_sentences(view.text(id, **given)))
    return sentences


def _because(view: TableView, choice: hints.HintChoice) -> str:
    """Return an answer with its reasons, then what is wrong with the card that the lessons suggest."""
    reasons = [reason for reason in choice.reasons if not reason_text.is_contrast(reason)]
    sentences = [
        view.text("page-hint-because", answer=choice.text, reason=reasons[0])
        if reasons
        else view.text("page-hint-best", answer=choice.text)
    ]
    for reason in reasons[1:]:
        verb, _, rest = _text(view, reason).partition(" ")
        sentences.append(view.text("page-hint-and", verb=verb, rest=rest))
    faults = [reason for reason in choice.reasons if reason_text.is_contrast(reason)]
    return " ".join([*sentences, *(f"{i18n.capitalize_sentences(_text(view, fault))}." for fault in faults)])


def make_review(played: RecordedGame, seat: int, progress: Callable[[int, int], None]) -> list[review.JudgedDecision]:
    """Return a seat's judged decisions in a finished game.

    Chances to win are left out, because only the page shows them.
    """
    tasks = review.plan(played, [seat]).decision_tasks
    decisions = []
    for done, task in enumerate(tasks):
        progress(done, len(tasks))
        decisions.append(review.judge(task))
    return [decision for decision in decisions if decision is not None]


def review_sentences(
    played: RecordedGame, display: GameDisplay, names: list[str], judged: list[review.JudgedDecision], unit: ValueUnit
) -> list[tuple[str, str]]:
    """Return the costliest decisions, worst first: a heading with place and cost, and a sentence on the best answer."""
    marked = sorted((decision for decision in judged if decision.marked), key=lambda decision: -decision.cost)
    pairs = []
    for decision in marked[:MAX_LISTED]:
        view = table_view(played.game, played.at(decision.n).state, decision.seat, names)
        trick = view.data.get("trick") or []
        where = [display.moment(view), trick_text(view, trick, view.data["leader"]) if trick else ""]
        cost = i18n.translate("terminal-lost", {"amount": _amount(decision.cost, unit)})
        heading = ", ".join(filter(None, [cost, *where]))
        reasons = _reasons(view, decision.reasons)
        if reasons:
            better = view.text("page-review-better-because", answer=decision.text, best=decision.best, reasons=reasons)
        else:
            better = view.text("page-review-better", answer=decision.text, best=decision.best)
        pairs.append((heading, i18n.capitalize_sentences(better)))
    return pairs


def _text(view: TableView, message: Message) -> str:
    return view.text(message.id, **message.args)


def _reasons(view: TableView, reasons: tuple[Message, ...]) -> str:
    return "; ".join(_text(view, reason) for reason in reasons)


def _amount(value: float, unit: ValueUnit) -> str:
    if unit == WIN_CHANCE:
        return i18n.translate("terminal-percent-of-games", {"number": round(value)})
    return i18n.translate("terminal-amount-points", {"number": round(value, 1)})
