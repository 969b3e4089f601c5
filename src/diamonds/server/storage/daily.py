"""Deals of the day in SQL: a person's games, results, and answers."""

from __future__ import annotations

from diamonds.server.storage.sql import SqlConnection, fetch_rows
from diamonds.server.storage.table_data import StoredDailyGame


def games_of(connection: SqlConnection, person: str, first: str, last: str, limit: int) -> list[StoredDailyGame]:
    """See `Store.daily_games_of`."""
    rows = fetch_rows(
        connection,
        "SELECT t.id, t.daily, t.phase, t.daily_place, t.daily_points FROM table_people m JOIN tables t ON t.id = m.table_id"
        " WHERE m.person = ? AND t.daily >= ? AND t.daily < ? ORDER BY t.daily DESC, t.created LIMIT ?",
        (person, first, last, limit),
    )
    return [StoredDailyGame(*row) for row in rows]


def results(connection: SqlConnection, deal: str) -> list[tuple[int, int, int]]:
    """See `Store.daily_results`."""
    rows = fetch_rows(
        connection,
        "SELECT daily_place, daily_points, count(*) FROM tables WHERE daily = ? AND daily_place IS NOT NULL"
        " GROUP BY daily_place, daily_points ORDER BY daily_place, daily_points DESC",
        (deal,),
    )
    return [(int(place), int(points), int(number)) for place, points, number in rows]


def player_counts(connection: SqlConnection, first: str, last: str) -> dict[str, int]:
    """See `Store.daily_player_counts`."""
    rows = fetch_rows(
        connection,
        "SELECT daily, count(*) FROM tables WHERE daily >= ? AND daily < ? AND daily_place IS NOT NULL GROUP BY daily",
        (first, last),
    )
    return {str(deal): int(number) for deal, number in rows}


def answers(connection: SqlConnection, deal: str, seat: int) -> list[tuple[str, str]]:
    """See `Store.daily_answers`."""
    rows = fetch_rows(
        connection,
        "SELECT e.table_id, e.text FROM tables t JOIN entries e ON e.table_id = t.id"
        " WHERE t.daily = ? AND t.daily_place IS NOT NULL AND e.seat = ? ORDER BY e.table_id, e.n",
        (deal, seat),
    )
    return [(str(table), str(text)) for table, text in rows]
