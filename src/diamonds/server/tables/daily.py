"""Deals of the day: their secrets, one table per person, and results.

The secret of a deal follows from the server's key, so all processes compute the same one and nothing is stored. Its
SHA-256 is published a day in advance, the secret when the day has ended. A table's id follows from the deal and the
person, so nobody gets a second table.
"""

from __future__ import annotations

import asyncio
import datetime
import hmac
from collections import Counter, OrderedDict

from diamonds import daily_deals, deals
from diamonds.daily_deals import BOT_LEVEL, DAILY_GAMES, PLAYER_SEAT
from diamonds.errors import NotFoundError, quote_value
from diamonds.server.api import daily as messages
from diamonds.server.api.codec import encode
from diamonds.server.api.tables import TableCreatedResponse
from diamonds.server.storage.table_data import StoredDailyGame
from diamonds.server.tables.core.daily import (
    PRACTICE,
    Decision,
    count_answers,
    daily_table,
    deal_key,
    decisions_by_table,
    practice_key,
)
from diamonds.server.tables.creation import derived_id
from diamonds.server.tables.service import TableService

MAX_GAMES = 1200  # games read per person: more than a year
MAX_PAST_GAMES = 90  # games in a list
MAX_CACHED_DEALS = 32
MAX_DECISIONS = 60


class DailyDeals:
    """A server's deals of the day."""

    def __init__(self, tables: TableService, key: bytes) -> None:
        self._tables = tables
        self._key = hmac.digest(key, b"deals of the day", "sha256")
        # By deal of a day that has ended: how often each answer was given. This never changes.
        self._answers: OrderedDict[str, dict[Decision, Counter[str]]] = OrderedDict()

    def secret(self, day: str, game: str) -> bytes:
        """Return the secret of a deal."""
        return hmac.digest(self._key, b"secret " + deal_key(day, game).encode(), "sha256")

    async def create(self, game: str, person: str) -> bytes:
        """Create the person's table with today's deal, or find it. Return a `TableCreatedResponse`."""
        _check_game(game)
        day = daily_deals.current_day()
        deal, secret = deal_key(day, game), self.secret(day, game)
        own, _ = await self._games_with(day, game, person)
        if own:  # perhaps under another id, from before the person signed in
            return encode(TableCreatedResponse(own.table, "", deals.commit(secret)))
        header, seating = daily_table(day, game, secret, person, is_practice=False)
        return await self._tables.creator.create_daily(
            header, seating, derived_id(self._key, f"table {deal} {person}"), deal
        )

    async def practise(self, day: str, game: str, person: str) -> bytes:
        """Create the person's practice table with an earlier deal, or find it. Return a `TableCreatedResponse`.

        A game that was begun on the day and is not over is continued instead.
        """
        _check_past_deal(day, game)
        secret = self.secret(day, game)
        own, practice = await self._games_with(day, game, person)
        found = own if own and own.phase != "over" else practice
        if found:
            return encode(TableCreatedResponse(found.table, "", deals.commit(secret)))
        header, seating = daily_table(day, game, secret, person, is_practice=True)
        key = practice_key(day, game)
        return await self._tables.creator.create_daily(header, seating, derived_id(self._key, f"{key} {person}"), key)

    async def today(self, person: str) -> messages.TodayResponse:
        """Return today's deals as a person may see them."""
        day = daily_deals.current_day()
        next_day = (datetime.date.fromisoformat(day) + datetime.timedelta(days=1)).isoformat()
        games = await self._games_of(person)
        infos = []
        for game, (seats, options) in DAILY_GAMES.items():
            own = games.get(deal_key(day, game))
            result = _result_of(own)
            infos.append(
                messages.DailyDealInfo(
                    game, seats, dict(options), BOT_LEVEL,
                    deals.commit(self.secret(day, game)), deals.commit(self.secret(next_day, game)),
                    own.table if own else None,
                    own is not None and own.phase == "over",
                    result,
                    await self._results(deal_key(day, game)) if result else [],
                )
            )  # fmt: skip
        days = {stored.deal.partition(" ")[0] for stored in games.values() if stored.place is not None}
        past = [_past_game(stored) for stored in games.values() if stored.deal < day][:MAX_PAST_GAMES]
        ends_at = int(datetime.datetime.fromisoformat(f"{next_day}T00:00:00+00:00").timestamp())
        return messages.TodayResponse(day, ends_at, infos, daily_deals.streak(days.__contains__, day), past)

    async def past_days(self, game: str, month: str, person: str) -> messages.PastDaysResponse:
        """Return a month of the archive: the deals of its days that have ended. Without a month, return the newest."""
        _check_game(game)
        today = daily_deals.current_day()
        last_day = max(daily_deals.day_before(today), daily_deals.FIRST_DAY)
        days = daily_deals.days_of_month(month or last_day[:-3], today)
        if month and not days:
            raise NotFoundError("table-daily-no-month", month=quote_value(month))
        infos = []
        if days:
            first, last = deal_key(days[-1], ""), deal_key(days[0], "~")  # "~" sorts after all names
            players = await self._tables.store.daily_player_counts(first, last)
            games = await self._games_of(person, first, last)
            practice = await self._games_of(person, PRACTICE + first, PRACTICE + last)
            for day in days:
                own = games.get(deal_key(day, game))
                infos.append(
                    messages.PastDayInfo(
                        day,
                        players.get(deal_key(day, game), 0),
                        own.table if own else None,
                        own is not None and own.phase == "over",
                        _result_of(own),
                        _practice_game(practice.get(practice_key(day, game))),
                    )
                )
        return messages.PastDaysResponse(
            game,
            DAILY_GAMES[game].seats,
            month or last_day[:-3],
            daily_deals.FIRST_DAY,
            last_day if daily_deals.is_past_day(last_day, today) else None,
            infos,
        )

    async def past(self, day: str, game: str, person: str) -> messages.PastDealResponse:
        """Return a deal of an earlier day with its secret, and how everyone played it."""
        _check_past_deal(day, game)
        deal, secret, (seats, options) = deal_key(day, game), self.secret(day, game), DAILY_GAMES[game]
        own, practice = await self._games_with(day, game, person)
        return messages.PastDealResponse(
            day, game, seats, dict(options), BOT_LEVEL, deals.commit(secret), secret.hex(),
            own.table if own else None,
            own is not None and own.phase == "over",
            _practice_game(practice),
            _result_of(own),
            await self._results(deal),
            await self._decisions(deal, own if _result_of(own) else practice),
        )  # fmt: skip

    async def _games_with(
        self, day: str, game: str, person: str
    ) -> tuple[StoredDailyGame | None, StoredDailyGame | None]:
        """Return a person's game with a deal on its day, and their practice game."""
        keys = deal_key(day, game), practice_key(day, game)
        own, practice = [(await self._games_of(person, key, key + "~")).get(key) for key in keys]
        return own, practice

    async def _games_of(self, person: str, first: str = "0", last: str = PRACTICE) -> dict[str, StoredDailyGame]:
        """Return a person's games by deal, the newest first. By default, these are all games except practice.

        Of two games with the same cards, the first counts.
        """
        games: dict[str, StoredDailyGame] = {}
        found = await self._tables.store.daily_games_of(person, first, last, MAX_GAMES) if person else ()
        for stored in found:
            games.setdefault(stored.deal, stored)
        return games

    async def _results(self, deal: str) -> list[messages.DailyResultCount]:
        return [messages.DailyResultCount(*row) for row in await self._tables.store.daily_results(deal)]

    async def _decisions(self, deal: str, own: StoredDailyGame | None) -> list[messages.DailyDecisionInfo]:
        counts = self._answers.get(deal)
        if counts is None:
            entries = await self._tables.store.daily_answers(deal, PLAYER_SEAT)
            counts = await asyncio.to_thread(count_answers, entries)
            self._answers[deal] = counts
            while len(self._answers) > MAX_CACHED_DEALS:
                self._answers.popitem(last=False)
        self._answers.move_to_end(deal)
        given: dict[Decision, str] = {}
        if own is not None and own.place is not None:
            stored = await self._tables.store.load(own.table)
            entries = [(own.table, text) for seat, text, *_ in stored.entries if seat == PLAYER_SEAT] if stored else []
            given = decisions_by_table(entries).get(own.table, {})
        shown = list(given or sorted(counts, key=lambda decision: -counts[decision].total()))[:MAX_DECISIONS]
        return [
            messages.DailyDecisionInfo(
                question, index, given.get((question, index)),
                [messages.DailyAnswerCount(*one) for one in counts.get((question, index), Counter()).most_common()],
            )
            for question, index in shown
        ]  # fmt: skip


def _check_game(game: str) -> None:
    if game not in DAILY_GAMES:
        raise NotFoundError("terminal-today-no-game", game=quote_value(game), games=list(DAILY_GAMES))


def _check_past_deal(day: str, game: str) -> None:
    _check_game(game)
    if not daily_deals.is_past_day(day, daily_deals.current_day()):
        raise NotFoundError("table-daily-not-past", day=quote_value(day))


def _result_of(stored: StoredDailyGame | None) -> messages.DailyResultInfo | None:
    if stored is None or stored.place is None or stored.points is None:
        return None
    return messages.DailyResultInfo(stored.place, stored.points)


def _practice_game(stored: StoredDailyGame | None) -> messages.PracticeGameInfo | None:
    if stored is None:
        return None
    return messages.PracticeGameInfo(stored.table, stored.phase == "over", _result_of(stored))


def _past_game(stored: StoredDailyGame) -> messages.DailyGameInfo:
    day, _, game = stored.deal.partition(" ")
    return messages.DailyGameInfo(day, game, stored.table, stored.phase == "over", _result_of(stored))
