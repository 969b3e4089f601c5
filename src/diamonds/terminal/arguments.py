"""Parsing of command-line arguments: numbers, options, bots, files. Each error is one sentence."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from diamonds.bots.levels import fast_bot_name, find_available_bot
from diamonds.errors import DiamondsError, InvalidInputError, NotFoundError
from diamonds.game import Game
from diamonds.i18n import Message
from diamonds.record_reader import MAX_RECORD_BYTES, UnverifiedRecord, load_record, load_unverified
from diamonds.records import RecordedGame

Result = TypeVar("Result")


def sanitize(text: object, max_chars: int = 40) -> str:
    """Return a value from outside as text for a sentence or a screen, shortened and without control characters."""
    full_text = str(text)
    shortened = full_text if len(full_text) <= max_chars else full_text[: max_chars - 1] + "…"
    return "".join(c if c.isprintable() else "?" for c in shortened)


def whole_number(text: str, subject: str, minimum: int | None = None, maximum: int | None = None) -> int:
    """Return a whole number of at most 18 digits within bounds. Raise `InvalidInputError` otherwise.

    ``subject`` is the id of the message that begins the error's sentence.
    """
    if not re.fullmatch(r"[+-]?[0-9]{1,18}", text):
        raise InvalidInputError("terminal-whole-number", what=Message(subject), given=sanitize(text))
    number = int(text)
    if minimum is not None and number < minimum:
        raise InvalidInputError("terminal-at-least", what=Message(subject), least=minimum, number=number)
    if maximum is not None and number > maximum:
        raise InvalidInputError("terminal-at-most", what=Message(subject), most=maximum, number=number)
    return number


def parse_options(texts: Sequence[str]) -> dict[str, str]:
    """Return ``name=value`` texts as a dictionary; the game checks names and values."""
    parsed: dict[str, str] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name.strip():
            raise InvalidInputError("terminal-option-form", given=sanitize(text))
        if name.strip() in parsed:
            raise InvalidInputError("terminal-option-twice", name=sanitize(name.strip()))
        parsed[name.strip()] = value.strip()
    return parsed


def parse_bots(names_given: Sequence[str], bot_seats: int, game: Game) -> list[str]:
    """Return a bot's name for each of the seats. If fewer names are given, they repeat."""
    names = list(names_given) or [fast_bot_name(game)]
    for name in names:
        find_available_bot(name, game)
    if len(names) > bot_seats:
        raise InvalidInputError("terminal-too-many-bots", number=len(names), seats=bot_seats)
    return [names[k % len(names)] for k in range(bot_seats)]


def os_error_text(error: OSError | ValueError) -> str:
    """Return the operating system's reason, worded as the end of a sentence."""
    reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
    return reason[:1].lower() + reason[1:]


def read_file_bytes(path: Path) -> bytes:
    """Return the bytes of a file, at most one more than a record may have.

    Raise `NotFoundError` if it cannot be read.
    """
    try:
        with path.open("rb") as file:
            return file.read(MAX_RECORD_BYTES + 1)
    except (OSError, ValueError) as error:
        raise NotFoundError("terminal-cannot-read", path=sanitize(path, 200), why=os_error_text(error)) from None


def read_text(path: Path) -> str:
    """Return the text of a file. Raise `NotFoundError` or `InvalidInputError` if it cannot be read."""
    data = read_file_bytes(path)
    if len(data) > MAX_RECORD_BYTES:
        raise InvalidInputError("terminal-too-large", path=sanitize(path, 200), most=MAX_RECORD_BYTES)
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise InvalidInputError("terminal-not-text", path=sanitize(path, 200)) from None


def load_record_file(path: Path) -> RecordedGame:
    """Return the game in a record file."""
    return _parse_named(path, load_record, read_file_bytes(path))


def load_unverified_file(path: Path) -> UnverifiedRecord:
    """Return the unverified record in a file."""
    return _parse_named(path, load_unverified, read_file_bytes(path))


def _parse_named(path: Path, parse: Callable[[bytes], Result], data: bytes) -> Result:
    """Parse a file's bytes; an error names the file."""
    try:
        return parse(data)
    except NotFoundError:
        raise
    except DiamondsError as error:
        raise type(error)("terminal-of-file", name=sanitize(path.name), why=error.message) from None
