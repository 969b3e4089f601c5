"""What levels think with: searches that are compiled on the machine where they run.

Compiling takes up to a minute the first time; from then on the kernels are on disk, and loading them takes a second. It is
best left to a process of its own (`KernelCompiler`): in the own one it would hold up everything else, Control-C included.
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
    """Why levels cannot think here, as the end of a sentence; ``None`` where they can."""
    return (_failures[0] if _failures else None) if find_spec("numba") else NUMBA_REQUIRED


def unavailable_message(subject: Message = _LEVELS_UNAVAILABLE, reason: Message | None = None) -> Message:
    """The sentence for what is not possible where levels cannot think: it begins with ``what``."""
    return Message("bot-missing", {"what": subject, "why": reason or missing_reason()})


def disable(reason: Message) -> None:
    """Something cannot be compiled: from now on, until the program is started anew, this is what is missing."""
    _failures.append(reason)


def require(subject: Message = _LEVELS_UNAVAILABLE) -> None:
    """`NotAllowedError` where levels cannot think, with a sentence that begins with ``what``."""
    if missing_reason():
        id, values = unavailable_message(subject)
        raise NotAllowedError(id, **values)


def is_loaded(game: Game) -> bool:
    """Whether a game's search is there, in this process."""
    return game.name in _loaded


def load(game: Game) -> None:
    """Load a game's search into this process, once; what is not on disk is compiled here and now. `NotAllowedError` without Numba."""
    if is_loaded(game):
        return
    require()
    from diamonds.bots.search import search

    search.warm_up(game)
    _loaded.add(game.name)


def compile_command(game: Game, for_analysis: bool = False) -> list[str]:
    """A command that compiles a game's search and leaves it on disk."""
    load_function = "load_analysis" if for_analysis else "load"
    code = f"from diamonds.bots import kernels; from diamonds.game import find_game; kernels.{load_function}(find_game({game.name!r}))"
    return [sys.executable, "-c", code]


def load_analysis(game: Game) -> None:
    """Load what hints and reviews of a game need besides, once; compiled here and now if it is not on disk."""
    load(game)
    if game.name not in _analysis_loaded:
        from diamonds.bots.search import evaluate, judge

        evaluate.warm_up(game)
        judge.warm_up(game)
        _analysis_loaded.add(game.name)


def is_analysis_loaded(game: Game) -> bool:
    """Return whether hints and reviews of a game can be made at once, in this process."""
    return game.name in _analysis_loaded


class KernelCompiler:
    """A process that gets a game's search ready, with that of hints and reviews on request; it may be ended at any time."""

    def __init__(self, game: Game, for_analysis: bool = False) -> None:
        self.game = game
        self.for_analysis = for_analysis
        # In a session of its own, so that Control-C at a table reaches the table alone, which then ends the compiler.
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
        """Whether it has come to its end."""
        return self.process.poll() is not None

    def finish(self) -> None:
        """Wait for its end, and load what it made; `NotAllowedError` with a sentence if it made nothing."""
        _, error_output = self.process.communicate()
        if self.process.returncode:
            last_line = (error_output.strip().splitlines() or [str(self.process.returncode)])[-1]
            id, values = unavailable_message(reason=Message("bot-compiler-failed", {"why": last_line}))
            raise NotAllowedError(id, **values)
        (load_analysis if self.for_analysis else load)(self.game)

    def close(self) -> None:
        """End it, if it has not ended."""
        with self.process:  # waits for it, and closes its pipe
            self.process.kill()
