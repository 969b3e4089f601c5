"""Errors with a translatable message, and the quoting of input in errors."""

from __future__ import annotations

from typing import Any

from diamonds import i18n
from diamonds.i18n import Message


class DiamondsError(ValueError):
    """A failed operation, with the id and values of the message that explains it; `str` gives it in English."""

    def __init__(self, id: str, **values: Any) -> None:
        super().__init__(id)
        self.message = Message(id, values)

    def __str__(self) -> str:
        return i18n.translate(*self.message, i18n.DEFAULT_LANGUAGE)


class InvalidInputError(DiamondsError):
    """Input that is invalid in any state of the game (400)."""


class NotAllowedError(DiamondsError):
    """A valid request that the rules do not allow now (409)."""


class RulesVersionError(NotAllowedError):
    """A version of a game's rules that this program does not know."""


class NotFoundError(DiamondsError):
    """A thing that does not exist (404)."""


class PluginGameError(NotFoundError):
    """A plugin's game that cannot be loaded."""


class BotError(DiamondsError):
    """A bot that fails or gives an illegal answer."""


def quote_value(value: object) -> str | Message:
    """Return a value from outside, shortened for a sentence: a text in quotation marks, or another type's `repr`."""
    text = value if isinstance(value, str) else repr(value)
    text = "".join(c if c.isprintable() else "?" for c in text[:40])
    return text if isinstance(value, str) else Message("as-it-is", {"text": text})
