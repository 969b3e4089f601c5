"""The compiled search of the levels, built on the machine where it runs.

Compiling takes up to a minute the first time; later the kernels are on disk and load in a second. `KernelCompiler` does
it in a separate process: in the main process, compiling would block everything else, Control-C included.
"""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec

from diamonds.errors import NotAllowedError
from diamonds.game import Game
from diamonds.i18n import Message

NUMBA_REQUIRED = Message("bot-needs-numba")
_LEVELS_UNAVAILABLE = Message("bot-levels-cannot-play")

_loaded: set[str] = set()
_analysis_loaded: set[str] = set()
_failures: list[Message] = []


def missing_reason() -> Message | None:
    """Return why levels cannot play here, worded as the end of a sentence; ``None`` if they can."""
    return (_failures[0] if _failures else None) if find_spec("numba") else NUMBA_REQUIRED


def unavailable_message(subject: Message = _LEVELS_UNAVAILABLE, reason: Message | None = None) -> Message:
    """Return the message that something is unavailable because levels cannot play; it begins with ``subject``."""
    return Message("bot-missing", {"what": subject, "why": reason or missing_reason()})


def disable(reason: Message) -> None:
    """Mark compiled search as unavailable for this reason until the program restarts."""
    _failures.append(reason)


def require(subject: Message = _LEVELS_UNAVAILABLE) -> None:
    """Raise `NotAllowedError` if levels cannot play; its sentence begins with ``subject``."""
    if missing_reason():
        id, values = unavailable_message(subject)
        raise NotAllowedError(id, **values)


def is_loaded(game: Game) -> bool:
    """Return whether a game's search is loaded in this process."""
    return game.name in _loaded


def load(game: Game) -> None:
    """Load a game's search into this process, compiling it if necessary. Raise `NotAllowedError` without Numba."""
    if is_loaded(game):
        return
    require()
    from diamonds.bots.search import search

    search.warm_up(game)
    _loaded.add(game.name)


def compile_command(game: Game, for_analysis: bool = False) -> list[str]:
    """Return a command that compiles a game's search and caches it on disk."""
    load_function = "load_analysis" if for_analysis else "load"
    code = f"from diamonds.bots import kernels; from diamonds.game import find_game; kernels.{load_function}(find_game({game.name!r}))"
    return [sys.executable, "-c", code]


def load_analysis(game: Game) -> None:
    """Load the additional kernels for a game's hints and reviews, once, compiling them if necessary."""
    load(game)
    if game.name not in _analysis_loaded:
        from diamonds.bots.search import evaluate, judge

        evaluate.warm_up(game)
        evaluate.warm_up_forecast(game)
        judge.warm_up(game)
        _analysis_loaded.add(game.name)


def is_analysis_loaded(game: Game) -> bool:
    """Return whether this process can give hints and reviews of a game without loading anything."""
    return game.name in _analysis_loaded


class KernelCompiler:
    """A process that compiles a game's search and, on request, hints and reviews. It can be stopped at any time."""

    def __init__(self, game: Game, for_analysis: bool = False) -> None:
        self.game = game
        self.for_analysis = for_analysis
        # A separate session keeps Control-C away from the compiler; the interrupted table stops the compiler itself.
        self.process = subprocess.Popen(
            compile_command(game, for_analysis),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    @property
    def is_done(self) -> bool:
        """True once the process has ended."""
        return self.process.poll() is not None

    def finish(self) -> None:
        """Wait for the process and load its result. Raise `NotAllowedError` with a sentence if it failed."""
        _, error_output = self.process.communicate()
        if self.process.returncode:
            last_line = (error_output.strip().splitlines() or [str(self.process.returncode)])[-1]
            id, values = unavailable_message(reason=Message("bot-compiler-failed", {"why": last_line}))
            raise NotAllowedError(id, **values)
        (load_analysis if self.for_analysis else load)(self.game)

    def close(self) -> None:
        """Stop the process if it is still running."""
        with self.process:  # waits for the process, and closes its pipe
            self.process.kill()
