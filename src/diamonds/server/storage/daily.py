"""The store's queries for the deals of the day."""

from __future__ import annotations

from diamonds.server.storage.sql import SqlQueries
from diamonds.server.storage.table_data import StoredDailyGame


class DailyQueries(SqlQueries):
    """Queries for a person's games with deals of the day, and for everyone's results and answers."""

    async def daily_games_of(self, person: str, first: str, last: str, limit: int) -> list[StoredDailyGame]:
        """Return a person's games with deals from `first` to before `last`.

        The newest days come first, and within a day the oldest game.
        """
        rows = await self.read_rows(
            "SELECT t.id, t.daily, t.phase, t.daily_place, t.daily_points FROM table_people m JOIN tables t ON t.id = m.table_id"
            " WHERE m.person = ? AND t.daily >= ? AND t.daily < ? ORDER BY t.daily DESC, t.created LIMIT ?",
            person,
            first,
            last,
            limit,
        )
        return [StoredDailyGame(*row) for row in rows]

    async def daily_player_counts(self, first: str, last: str) -> dict[str, int]:
        """Return the number of counted games with each deal from `first` to before `last`."""
        select = "SELECT daily, count(*) FROM tables WHERE daily >= ? AND daily < ? AND daily_place IS NOT NULL GROUP BY daily"
        return dict(await self.read_rows(select, first, last))

    async def daily_results(self, deal: str) -> list[tuple[int, int, int]]:
        """Return how often each result of a deal of the day occurred: place, points, count; best first."""
        return await self.read_rows(
            "SELECT daily_place, daily_points, count(*) FROM tables WHERE daily = ? AND daily_place IS NOT NULL"
            " GROUP BY daily_place, daily_points ORDER BY daily_place, daily_points DESC",
            deal,
        )

    async def daily_answers(self, deal: str, seat: int) -> list[tuple[str, str]]:
        """Return the answers of a seat in all counted games with a deal of the day: table and text, in order of play."""
        return await self.read_rows(
            "SELECT e.table_id, e.text FROM tables t JOIN entries e ON e.table_id = t.id"
            " WHERE t.daily = ? AND t.daily_place IS NOT NULL AND e.seat = ? ORDER BY e.table_id, e.n",
            deal,
            seat,
        )
