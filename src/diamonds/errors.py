"""Errors with a translatable message, and foreign values as errors quote them."""

from __future__ import annotations

from typing import Any

from diamonds import i18n
from diamonds.i18n import Message


class DiamondsError(ValueError):
    """Something that cannot be done: the id of the sentence that says why, and its values; `str` says it in English."""

    def __init__(self, id: str, **values: Any) -> None:
        super().__init__(id)
        self.message = Message(id, values)

    def __str__(self) -> str:
        return i18n.translate(*self.message, i18n.DEFAULT_LANGUAGE)


class InvalidInputError(DiamondsError):
    """It makes no sense, whatever the state of the game (400)."""


class NotAllowedError(DiamondsError):
    """It makes sense, but the rules do not allow it now (409)."""


class RulesVersionError(NotAllowedError):
    """A game by a version of its rules that this program does not play."""


class NotFoundError(DiamondsError):
    """There is no such thing (404)."""


class PluginGameError(NotFoundError):
    """A game that another package brings cannot be played."""


def quote_value(value: object) -> str | Message:
    """A foreign value, short enough to stand in a sentence: text, which is said in quotation marks, or what is none as it is."""
    text = value if isinstance(value, str) else repr(value)
    text = "".join(c if c.isprintable() else "?" for c in text[:40])
    return text if isinstance(value, str) else Message("as-it-is", {"text": text})
