"""Helpers of the command-line tests: random typing, a terminal, saved games."""

from __future__ import annotations

import os
import pty
import random
import select
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from diamonds import deals, records
from diamonds.game import GAMES
from diamonds.terminal import save_file
from diamonds.terminal.open_session import SessionOptions, open_session
from diamonds.terminal.screen import Screen
from diamonds.terminal.session import PlaySession

BOX_CHARACTERS = set("─━│┃╭╮╰╯┏┓┗┛╔╗╚╝▮█▄▀⑤⑭▸")  # drawn symbols, which never appear in sentences
RunCli = Callable[..., tuple[int, str, str]]  # exit status, output and errors of a command


def random_typing(seed: int) -> Iterator[str]:
    """Yield random input lines that may be answers."""
    rng = random.Random(seed)
    words = ["1", "1 2", "1 2 3", "2", "3", "4", "skip", "go", "end", *map(str, range(13))]
    for _ in range(200_000):
        yield rng.choice(words) + "\n"


def new_session(tmp_path: Path, game: str = "crystals", **settings: Any) -> PlaySession:
    """Return a table at which the bots have answered until the player is to act."""
    new = open_session(
        GAMES[game], SessionOptions(seed=1, **settings), tmp_path / "game.json", True, Screen(plain=True)
    )
    while new.player_seat not in new.played.game.to_act(new.played.state):
        new.play_bot(new.played.game.to_act(new.played.state)[0])
    return new


def saved_game(home: Path, player_seat: int, *cards: str) -> None:
    """Return a game of crystals saved for seat ``me``: every seat has passed one card, and seat 0 leads."""
    played = records.start_game(GAMES["crystals"], 4, {}, deals.seeded_secret(1))
    played.players = list(save_file.BOT_NAMES[:4])
    played.seat_holders = save_file.seat_holders(
        player_seat, {seat: "random" for seat in range(4) if seat != player_seat}
    )
    played.answer(3, 1)
    for seat in range(4):
        played.answer(seat, played.game.legal(played.state, seat)[0])
    for seat, card in enumerate(cards):
        played.answer(seat, card)
    home.mkdir(exist_ok=True)
    (home / "crystals.json").write_text(records.write_record(played, reveal=True), encoding="utf-8")


EXIT_TIMEOUT_S = 120  # then a program that hangs is killed


def run_in_terminal(arguments: list[str], keys: list[bytes], **environment: str) -> str:
    """Run a program in a terminal of 80 columns, press one key at each prompt, and return its output.

    The last key is repeated until the program reacts, because a prompt can appear a moment before the program reads
    input, and a Control-D in that moment is lost. A Control-C is not repeated: a second one would interrupt the
    handling of the first.
    """
    terminal, inside = pty.openpty()
    termios.tcsetwinsize(inside, (50, 80))
    process = subprocess.Popen(
        ["sh", "-c", 'exec "$@" <"$0" >"$0" 2>&1', os.ttyname(inside), sys.executable, "-m", "diamonds", *arguments],
        start_new_session=True,  # so that opening the terminal makes it the controlling one, and Control-C works
        env={**os.environ, "TERM": "xterm-256color", "PYTHONUTF8": "1", **environment},
    )
    prompt = b"" if "--plain" in arguments else "› ".encode()
    shown, pressed, heard, quiet, end = b"", 0, 0, 0, time.monotonic() + EXIT_TIMEOUT_S
    while time.monotonic() < end:
        if select.select([terminal], [], [], 0.1)[0]:
            shown += os.read(terminal, 65536)
            quiet = 0
        elif process.poll() is not None:
            break
        elif pressed < len(keys) and (not prompt or shown.count(prompt) > pressed):
            os.write(terminal, keys[pressed])
            pressed, heard = pressed + 1, len(shown)
        elif pressed == len(keys) and b"\n" not in shown[heard:]:
            quiet += 1
            if quiet % 50 == 0:
                os.write(terminal, keys[-1])
    else:
        process.kill()
    process.wait()
    os.close(terminal)
    os.close(inside)
    return shown.decode()
