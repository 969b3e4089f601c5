"""The game of a deal of the day: its table, its result, and the answers of everyone who played it."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable

import numpy as np

from diamonds import daily_deals
from diamonds.bots import levels
from diamonds.daily_deals import BOT_LEVEL, DAILY_GAMES, PLAYER_SEAT
from diamonds.game import find_game
from diamonds.server.tables.core.seating import SeatHolder, SeatsAndSettings, TableHeader
from diamonds.server.tables.core.table import Table

PRACTICE = "practice "

Decision = tuple[str, int]  # a question, and how often it was asked before in the game


def deal_key(day: str, game: str) -> str:
    """Return the name under which a deal is stored."""
    return f"{day} {game}"


def practice_key(day: str, game: str) -> str:
    """Return the name under which practice games with a deal are stored. It sorts after all deal keys."""
    return f"{PRACTICE}{deal_key(day, game)}"


def daily_table(
    day: str, game_name: str, secret: bytes, person: str, *, is_practice: bool
) -> tuple[TableHeader, SeatsAndSettings]:
    """Return a person's table. All nonces are empty, so everyone gets the same cards."""
    game, (seats, options) = find_game(game_name), DAILY_GAMES[game_name]
    levels.find_level(BOT_LEVEL, game)
    header = TableHeader(
        game.name, seats, game.check_options(seats, options), secret.hex(), "", person, True, 0, time.time(),
        hints=False, version=game.version, daily=day, is_practice=is_practice, bots_version=levels.bots_version(game),
    )  # fmt: skip
    holders = [
        SeatHolder("person", person) if seat == PLAYER_SEAT else SeatHolder("bot", "", BOT_LEVEL)
        for seat in range(seats)
    ]
    return header, SeatsAndSettings(holders)


def daily_result(table: Table, state: np.void) -> tuple[int, int] | None:
    """Return place and points if this state ends a deal of the day on its day, or as practice."""
    header = table.header
    if not state["over"] or not (header.is_practice or header.daily == daily_deals.current_day()):
        return None
    result = table.game.result(state)
    scores, winners = result["scores"], result["winners"]
    points, won = scores[PLAYER_SEAT], PLAYER_SEAT in winners
    better = sum(not won and (seat in winners or score > points) for seat, score in enumerate(scores))
    return 1 + better, points


def count_answers(entries: Iterable[tuple[str, str]]) -> dict[Decision, Counter[str]]:
    """Count the answers to each decision. `entries` are table and text, each table's in order of play."""
    counts: dict[Decision, Counter[str]] = {}
    for decisions in decisions_by_table(entries).values():
        for decision, answer in decisions.items():
            counts.setdefault(decision, Counter())[answer] += 1
    return counts


def decisions_by_table(entries: Iterable[tuple[str, str]]) -> dict[str, dict[Decision, str]]:
    """Return the answer to each decision, by table."""
    found: dict[str, dict[Decision, str]] = {}
    asked: Counter[tuple[str, str]] = Counter()
    for table, text in entries:
        question, _, answer = text.partition(" ")
        if question in ("seat", "undo", "timeout") or " " in answer:
            continue  # not an answer, or an answer by a bot
        found.setdefault(table, {})[question, asked[table, question]] = answer
        asked[table, question] += 1
    return found
