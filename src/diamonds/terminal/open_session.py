"""The start of a session in a terminal: a new table, or the saved one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from diamonds.bots.levels import BOTS, bots_version, find_available_bot, level_name
from diamonds.deals import seeded_secret
from diamonds.errors import NotAllowedError
from diamonds.game import Game
from diamonds.i18n import translate
from diamonds.records import RecordedGame, start_game
from diamonds.terminal import arguments
from diamonds.terminal.save_file import BOT_NAMES, SaveFile, save_path, seat_holders
from diamonds.terminal.screen import Screen
from diamonds.terminal.session import PlaySession


@dataclass(frozen=True)
class SessionOptions:
    """The command-line options; ``None`` or empty means the default."""

    seats: int | None = None
    options: Sequence[str] = ()
    bots: Sequence[str] = ()
    seed: int | None = None
    seat: int | None = None


def open_session(game: Game, request: SessionOptions, file: Path | None, new: bool, screen: Screen) -> PlaySession:
    """Return the session to play. A saved game continues unless ``new`` is set; no saved game is overwritten."""
    save_file = SaveFile(save_path(game) if file is None else file.absolute())
    saved_game = None if new else save_file.load(game)
    if saved_game is not None and saved_game.over and file is not None:
        raise NotAllowedError("terminal-is-over", path=str(save_file.path))
    if saved_game is not None and not saved_game.over:
        return _resume(saved_game, request, save_file, screen)
    # The new session is made first, because this may fail, and the saved game must stay in place until then.
    session = _new_session(game, request, save_file, screen)
    moved_to = save_file.move_away()
    save_file.save(session.played)
    if moved_to is not None and new:
        screen.print_line(translate("terminal-saved-as", {"path": str(moved_to)}), "dim")
    return session


def _new_session(game: Game, request: SessionOptions, save_file: SaveFile, screen: Screen) -> PlaySession:
    seats = game.default_seats if request.seats is None else game.check_seats(request.seats)
    player_seat = request.seat or 0
    if not 0 <= player_seat < seats:
        raise NotAllowedError("terminal-seats", last=seats - 1, number=player_seat)
    bots = _bots_by_seat(arguments.parse_bots(request.bots, seats - 1, game), player_seat)
    secret = None if request.seed is None else seeded_secret(request.seed)
    played = start_game(game, seats, arguments.parse_options(request.options), secret, None, BOT_NAMES[:seats])
    played.seat_holders, played.bots_version = seat_holders(player_seat, bots), bots_version(game)
    return PlaySession(played, player_seat, bots, save_file, screen)


def _bots_by_seat(names: Sequence[str], player_seat: int) -> dict[int, str]:
    """Return the bots of the other seats, in order."""
    return {seat + (seat >= player_seat): name for seat, name in enumerate(names)}


def _saved_bot(level: str, names: Sequence[str], seat: int) -> str:
    """Return the name of a saved game's bot.

    A plug-in bot must be named again, because a file must not cause code to load.
    """
    if level in BOTS:
        return level
    for name in names:
        if level_name(name) == level:
            return name
    raise NotAllowedError("terminal-bot-again", level=level, number=seat)


def _resume(played: RecordedGame, request: SessionOptions, save_file: SaveFile, screen: Screen) -> PlaySession:
    """Resume a saved game. If the record does not name the holders of its seats, the request decides."""
    levels = [who.removeprefix("bot:") for who in played.seat_holders]
    if played.seat_holders.count("person") == 1 and "open" not in played.seat_holders:
        player_seat = played.seat_holders.index("person")
        bots = {seat: _saved_bot(level, request.bots, seat) for seat, level in enumerate(levels) if seat != player_seat}
    else:
        player_seat = request.seat or 0
        bots = _bots_by_seat(
            arguments.parse_bots(request.bots, played.seats - 1, played.game), player_seat % played.seats
        )
        played.seat_holders = seat_holders(player_seat % played.seats, bots)
    is_same = (
        request.seats in (None, played.seats)
        and request.seat in (None, player_seat)
        and player_seat < played.seats
        and (request.seed is None or seeded_secret(request.seed) == played.secret)
        and (
            not request.bots
            or _bots_by_seat(arguments.parse_bots(request.bots, played.seats - 1, played.game), player_seat) == bots
        )
        and (
            not request.options
            or played.game.check_options(played.seats, {**played.options, **arguments.parse_options(request.options)})
            == played.options
        )
    )
    if not is_same:
        raise NotAllowedError("terminal-other-choices", path=str(save_file.path))
    for name in bots.values():
        find_available_bot(name, played.game)
    return PlaySession(played, player_seat, bots, save_file, screen)
