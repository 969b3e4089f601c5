"""What is typed on the command line, read: whole numbers, options, bots, files. Each error is one sentence."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from diamonds.bots.levels import find_able_bot, quick_bot
from diamonds.game import Game, Malformed, Refused, Unknown
from diamonds.records import MAX_BYTES, Match, Written, read_record, read_unplayed
from diamonds.words import Message

Found = TypeVar("Found")


def shown(text: object, most: int = 40) -> str:
    """Something foreign, short and without control characters, so that it can stand in a sentence or on a screen."""
    whole = str(text)
    cut = whole if len(whole) <= most else whole[: most - 1] + "…"
    return "".join(c if c.isprintable() else "?" for c in cut)


def whole_number(text: str, what: str, least: int | None = None, most: int | None = None) -> int:
    """A whole number of at most 18 digits, within bounds; else `Malformed`. ``what`` is the id of what begins the sentence."""
    if not re.fullmatch(r"[+-]?[0-9]{1,18}", text):
        raise Malformed("terminal-whole-number", what=Message(what), given=shown(text))
    number = int(text)
    if least is not None and number < least:
        raise Malformed("terminal-at-least", what=Message(what), least=least, number=number)
    if most is not None and number > most:
        raise Malformed("terminal-at-most", what=Message(what), most=most, number=number)
    return number


def options(given: Sequence[str]) -> dict[str, str]:
    """``name=value`` texts as a dictionary; whether they exist is the game's business."""
    read: dict[str, str] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals or not name.strip():
            raise Malformed("terminal-option-form", given=shown(text))
        if name.strip() in read:
            raise Malformed("terminal-option-twice", name=shown(name.strip()))
        read[name.strip()] = value.strip()
    return read


def bots(given: Sequence[str], chairs: int, game: Game) -> list[str]:
    """The names of the bots for so many chairs: those given, from the first again when there are fewer."""
    names = list(given) or [quick_bot(game)]
    for name in names:
        find_able_bot(shown(name), game)
    if len(names) > chairs:
        raise Malformed("terminal-too-many-bots", number=len(names), seats=chairs)
    return [names[k % len(names)] for k in range(chairs)]


def why(error: OSError | ValueError) -> str:
    """What the operating system says, as the end of a sentence."""
    reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
    return reason[:1].lower() + reason[1:]


def file_bytes(path: Path) -> bytes:
    """The bytes of a file, or somewhat more than a record may have; `Unknown` with a sentence when it cannot be read."""
    try:
        with path.open("rb") as file:
            return file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        raise Unknown("terminal-cannot-read", path=shown(path, 200), why=why(error)) from None


def text(path: Path) -> str:
    """The text of a file; `Unknown` or `Malformed` with a sentence when it cannot be read."""
    data = file_bytes(path)
    if len(data) > MAX_BYTES:
        raise Malformed("terminal-too-large", path=shown(path, 200), most=MAX_BYTES)
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise Malformed("terminal-not-text", path=shown(path, 200)) from None


def record(path: Path) -> Match:
    """The match that a record file leads to."""
    return _named(path, read_record, file_bytes(path))


def unplayed(path: Path) -> Written:
    """What a record file says of itself."""
    return _named(path, read_unplayed, file_bytes(path))


def _named(path: Path, read: Callable[[bytes], Found], data: bytes) -> Found:
    """What is read from a file's bytes; a refusal names the file."""
    try:
        return read(data)
    except Unknown:
        raise
    except Refused as refusal:
        raise type(refusal)("terminal-of-file", name=shown(path.name), why=refusal.message) from None
