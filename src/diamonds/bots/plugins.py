"""Plug-in bots: those of other packages and of your own programs, by name.

A name is an entry point of the group ``diamonds.bots``, or ``module:factory``. The factory is a function or class that
is called without arguments and returns a `Bot`. Modules are also looked for in the current folder, after all other
places. ``LEVEL=module:factory`` also gives the name that tables and records use.

Loading a bot runs its code. Pass only names from the command line or Python code, never names sent by players or read
from a record.
"""

from __future__ import annotations

import importlib
import os
import re
import sys
from collections.abc import Callable
from functools import cache, cached_property
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

import numpy as np

from diamonds.bots.bot import Bot, BotView, choose_legal, fault_text
from diamonds.entries import is_seat_holder
from diamonds.errors import InvalidInputError, NotFoundError, quote_value

MAX_NAME_CHARS = 80  # limit of a name in a sentence
ENTRY_POINT_GROUP = "diamonds.bots"
# The lab's bots for experiments are also loaded by name.
LAB_BOT_PATTERN = re.compile(r"careless|network|ismcts([-:].*)?", re.DOTALL)
LAB_MODULE, LAB_FUNCTION = "diamonds.lab.arena", "find_lab_bot"


class PluginBot:
    """A plug-in bot, loaded by name on first use.

    It is pickled as its name, so that other processes load it themselves.
    """

    def __init__(self, name: str) -> None:
        self.name = name

    def __reduce__(self) -> tuple[Callable[[str], PluginBot], tuple[str]]:
        return PluginBot, (self.name,)

    @property
    def source(self) -> str:
        """The entry point, or module and factory."""
        return self.name.rpartition("=")[2]

    @property
    def level(self) -> str:
        """The name for tables and records, at most twelve characters. Raises `InvalidInputError` if there is none."""
        given = self.name.rpartition("=")[0]
        level = given or self.source.partition(":")[0].rpartition(".")[2].lower()
        if not is_seat_holder(f"bot:{level}"):
            raise InvalidInputError("bot-no-level", name=quote_name(self.name), source=quote_name(self.source))
        return level

    @cached_property
    def bot(self) -> Bot:
        """The bot itself. Raises a `DiamondsError` if it cannot be loaded."""
        return _load(self.source)

    def choose(self, view: BotView, question: str, rng: np.random.Generator) -> int:
        """See `Bot`. Raise `BotError` if the bot fails or answers illegally."""
        return choose_legal(self.bot, self.name, view, question, rng)


@cache
def find_plugin_bot(name: str) -> PluginBot | None:
    """Load and return a plug-in bot; ``None`` if no plug-in has this name. Raise `DiamondsError` if loading fails."""
    source = name.rpartition("=")[2]
    if not (":" in source or source in _entry_points() or LAB_BOT_PATTERN.fullmatch(source)):
        return None
    bot = PluginBot(name)
    _ = bot.bot
    return bot


def source_file(bot: PluginBot) -> Path | None:
    """Return the file with a bot's code, if it is known."""
    module = sys.modules.get(type(bot.bot).__module__)
    file = getattr(module, "__file__", None)
    return Path(file) if file else None


@cache
def _entry_points() -> dict[str, EntryPoint]:
    return {entry.name: entry for entry in entry_points(group=ENTRY_POINT_GROUP)}


def quote_name(name: str) -> str:
    """Return a bot's name for a sentence, shortened and without control characters."""
    return "".join(c if c.isprintable() else "?" for c in name[:MAX_NAME_CHARS])


def _load(source: str) -> Bot:
    """Return the bot of an entry point, of the lab, or of a module's factory."""
    if LAB_BOT_PATTERN.fullmatch(source):
        bot: Bot = getattr(importlib.import_module(LAB_MODULE), LAB_FUNCTION)(source)
        return bot
    reference = _entry_points()[source].value if source in _entry_points() else source
    module_name, _, factory_name = reference.partition(":")
    if not all(part.isidentifier() for part in [*module_name.split("."), *factory_name.split(".")]):
        raise InvalidInputError("bot-form", name=quote_name(source))
    factory = _import_module(source, module_name)
    for part in factory_name.split("."):
        factory = getattr(factory, part, None)
    if not callable(factory):
        file = getattr(sys.modules[module_name], "__file__", None) or module_name
        raise NotFoundError(
            "bot-no-factory", name=quote_name(source), module=module_name, factory=factory_name, file=str(file)
        )
    try:
        made = factory()
    except (Exception, SystemExit) as error:
        raise NotFoundError(
            "bot-factory-failed", name=quote_name(source), factory=factory_name, why=fault_text(error)
        ) from error
    if isinstance(made, type) or not callable(getattr(made, "choose", None)):
        raise NotFoundError(
            "bot-not-a-bot", name=quote_name(source), factory=factory_name, given=quote_value(type(made).__name__)
        )
    loaded: Bot = made
    return loaded


def _import_module(source: str, module: str) -> Any:
    """Import a module; look in the current folder last."""
    folder = os.getcwd()
    try:
        try:
            return importlib.import_module(module)
        except ModuleNotFoundError as error:
            if not _is_part(error.name, module) or folder in sys.path or "" in sys.path:
                raise
        sys.path.append(folder)
        importlib.invalidate_caches()
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if not _is_part(error.name, module):
            raise NotFoundError(
                "bot-module-failed", name=quote_name(source), module=module, why=fault_text(error)
            ) from error
        raise NotFoundError("bot-no-module", name=quote_name(source), module=module) from None
    except (Exception, SystemExit) as error:
        raise NotFoundError(
            "bot-module-failed", name=quote_name(source), module=module, why=fault_text(error)
        ) from error


def _is_part(missing: str | None, module: str) -> bool:
    """Return whether the missing module is the named one or one of its parent packages."""
    return missing is not None and (missing == module or module.startswith(f"{missing}."))
