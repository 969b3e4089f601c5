"""Deals of the day in a terminal. Each day has a folder, with one saved game for each game.

Deals of earlier days are practice: their games have a folder of their own and do not count towards
the streak.
"""

from __future__ import annotations

import contextlib

from diamonds import daily_deals
from diamonds.bots.levels import bots_version, find_available_bot
from diamonds.daily_deals import BOT_LEVEL, DAILY_GAMES, PLAYER_SEAT
from diamonds.errors import DiamondsError, NotFoundError, quote_value
from diamonds.game import Game, find_game
from diamonds.i18n import translate
from diamonds.records import RecordedGame, start_game
from diamonds.terminal.save_file import BOT_NAMES, SaveFile, data_dir, seat_holders
from diamonds.terminal.screen import Screen
from diamonds.terminal.session import PlaySession


def check_day(day: str, today: str) -> str:
    """Return a day that has begun. Raise `NotFoundError` for any other."""
    if day != today and not daily_deals.is_past_day(day, today):
        raise NotFoundError("table-daily-not-past", day=quote_value(day))
    return day


def list_deals(day: str, today: str, screen: Screen) -> None:
    """Show the deals of a day with the player's results; for today, also their streak."""
    screen.print_line(translate("terminal-today", {"day": day}), "bold")
    for name in DAILY_GAMES:
        counted, played = (_save_file(day, name, is_practice).load(find_game(name)) for is_practice in (False, True))
        if day == today or (counted is not None and counted.over):
            played = counted
        if played is not None and played.over:
            screen.print_line(f"  {_result_text(played)}")
        else:
            id = "terminal-today-play" if played is None else "terminal-today-continue"
            command = " ".join(["diamonds", "today", name, *(["--day", day] if day != today else [])])
            screen.print_line(f"  {translate(id, {'game': name, 'command': command})}")
    if day == today:
        screen.print_line(translate("page-today-streak", {"number": daily_deals.streak(_is_played, day)}))


def play_deal(day: str, today: str, game: Game, screen: Screen) -> None:
    """Play a day's deal or continue it, as practice if the day has ended. Once it is over, show the result."""
    if game.name not in DAILY_GAMES:
        raise NotFoundError("terminal-today-no-game", game=game.name, games=list(DAILY_GAMES))
    save_file = _save_file(day, game.name, day != today)
    played = save_file.load(game)
    if played is not None and played.over:
        screen.print_line(_result_text(played))
        screen.print_line(translate("terminal-record", {"path": str(save_file.path)}))
        return
    find_available_bot(BOT_LEVEL, game)
    if played is None:
        played = _start(day, game)
        save_file.save(played)
    bots = {seat: BOT_LEVEL for seat in range(played.seats) if seat != PLAYER_SEAT}
    PlaySession(played, PLAYER_SEAT, bots, save_file, screen).play()


def _start(day: str, game: Game) -> RecordedGame:
    seats, options = DAILY_GAMES[game.name]
    played = start_game(game, seats, options, daily_deals.public_secret(day, game.name), players=BOT_NAMES[:seats])
    played.bots_version = bots_version(game)
    played.seat_holders = seat_holders(PLAYER_SEAT, {seat: BOT_LEVEL for seat in range(seats) if seat != PLAYER_SEAT})
    return played


def _save_file(day: str, game: str, is_practice: bool = False) -> SaveFile:
    return SaveFile(data_dir() / ("practice" if is_practice else "days") / day / f"{game}.json")


def _result_text(played: RecordedGame) -> str:
    result = played.game.result(played.state)
    scores, winners = result["scores"], result["winners"]
    points, won = scores[PLAYER_SEAT], PLAYER_SEAT in winners
    better = [seat for seat, score in enumerate(scores) if not won and (seat in winners or score > points)]
    place = translate("page-today-place", {"place": 1 + len(better), "places": played.seats, "points": points})
    return translate("terminal-today-result", {"game": played.game.name, "result": place})


def _is_played(day: str) -> bool:
    """Return whether a game of a day is finished. Damaged files do not count."""
    for name in DAILY_GAMES:
        with contextlib.suppress(DiamondsError):
            played = _save_file(day, name).load(find_game(name))
            if played is not None and played.over:
                return True
    return False
