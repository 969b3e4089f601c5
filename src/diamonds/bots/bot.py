"""The interface of a bot: it gets a view and chooses an answer."""

from __future__ import annotations

import operator
import os
import traceback
from pathlib import Path
from typing import NamedTuple, Protocol

import numpy as np

from diamonds import cards, views
from diamonds.errors import BotError, quote_value
from diamonds.game import Game

MAX_FAULT_CHARS = 200
LIBRARY_FOLDERS = {"site-packages", "dist-packages", Path(os.__file__).parent.name}
MAX_ANSWERS = 63  # to one question, because legal answers are the bits of an int64


class BotView(NamedTuple):
    """The input of a bot: the game, its seat, and its view with everything that a perfect memory knows."""

    game: Game
    seat: int
    row: np.void

    @property
    def legal(self) -> int:
        """The legal answers as bits. The rules list them without using hidden cards."""
        return int(self.game.rules.legal(self.row, self.seat))


class Bot(Protocol):
    """A player that chooses an answer, by number, to the open question of a view."""

    def choose(self, view: BotView, question: str, rng: np.random.Generator) -> int:
        """Return a legal answer: the same one for the same view and random numbers."""
        ...


def bot_view(game: Game, state: np.void, seat: int) -> BotView:
    """Return the input for a bot in this seat."""
    return BotView(game, seat, views.view(game, state, seat, perfect_recall=True))


class RandomBot:
    """A bot whose legal answers are all equally likely."""

    def choose(self, view: BotView, question: str, rng: np.random.Generator) -> int:
        """See `Bot`."""
        answers = list(cards.iter_bits(view.legal))
        return answers[int(rng.integers(len(answers)))]


def choose_legal(bot: Bot, name: str, view: BotView, question: str, rng: np.random.Generator) -> int:
    """Return a bot's answer. Raise `BotError`, which names bot and question, if it fails or answers illegally."""
    legal = view.legal  # read first: the bot may overwrite its view
    names = view.game.question(view.row).answers
    try:
        answer = bot.choose(view, question, rng)
    except BotError:
        raise
    except (Exception, SystemExit) as error:
        raise BotError("bot-failed", name=name, question=question, why=fault_text(error)) from error
    try:
        number = operator.index(answer)
    except TypeError:
        number = -1
    if not (0 <= number < MAX_ANSWERS and legal >> number & 1):
        texts = [f"{k} ({names[k]})" for k in cards.iter_bits(legal)]
        raise BotError("bot-illegal", name=name, question=question, given=quote_value(answer), legal=texts)
    return number


def fault_text(error: BaseException) -> str:
    """Return what a bot's own code raised and where, on one line."""
    text = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    places = [frame for frame in traceback.extract_tb(error.__traceback__) if not frame.filename.startswith("<frozen")]
    own_places = [frame for frame in places if not LIBRARY_FOLDERS.intersection(Path(frame.filename).parts)]
    if places and not isinstance(error, SyntaxError):  # a syntax error's text already contains the place
        place = (own_places or places)[-1]
        text = f"{text[:MAX_FAULT_CHARS]} ({Path(place.filename).name}, line {place.lineno})"
    return "".join(c if c.isprintable() else " " for c in text)
