"""The log for the operator: in plain lines, or by `structlog` for people or programs.

Whatever is logged is a sentence that is always the same, and values of the names in `VALUES`. None of them is a card, a secret, a token, a
key, a name that somebody typed, or an address but that which the host set. Of an error its kind is written and where it
happened, and not what it says of itself: that may be a card.
"""

from __future__ import annotations

import logging
import sys
import traceback
from collections.abc import MutableMapping
from pathlib import Path
from typing import Any, TextIO

FORMS = ("plain", "console", "json")
LEVELS = ("debug", "info", "warning", "error")
LOGGED_FIELDS = ("address", "by", "game", "method", "ms", "n", "readers", "route", "seat", "seats", "status", "version")

log = logging.getLogger("diamonds")


def configure(form: str = "plain", level: str = "", stream: TextIO | None = None, process: int = 0) -> logging.Handler:
    """Log from now on. `ModuleNotFoundError` if that needs structlog, and it is not there. Plain logs begin at warnings, others tell more.

    Of several processes, ``process`` is which.
    """
    handler = logging.StreamHandler(stream or getattr(sys.stderr, "real", sys.stderr))  # see `json_output`
    handler.setFormatter(
        PlainFormatter(f"%(levelname)s %(name)s{f' {process}' if process else ''}: %(message)s")
        if form == "plain"
        else structured_formatter(form, process)
    )
    logging.getLogger().addHandler(handler)
    log.setLevel((level or ("warning" if form == "plain" else "info")).upper())
    return handler


class PlainFormatter(logging.Formatter):
    """A line each, and beneath it where an error happened."""

    def format(self, record: logging.LogRecord) -> str:
        """See `logging`, where whoever writes a line first says for all others how its error reads: here, nobody says it for another."""
        cached_text, record.exc_text = record.exc_text, None
        try:
            return super().format(record)
        finally:
            record.exc_text = cached_text

    def formatException(self, ei: Any) -> str:
        """See `logging`."""
        return "\n".join(f"  {line}" for line in safe_traceback(ei[1]))


def safe_traceback(error: BaseException | None) -> list[str]:
    """The kind of an error and the places it came through, the deepest last; before it, the same of what led to it."""
    lines: list[str] = []
    while error is not None:
        frames = traceback.extract_tb(error.__traceback__)
        places = [f"{Path(frame.filename).name}:{frame.lineno} {frame.name}" for frame in frames]
        lines = [type(error).__name__, *places, *lines]
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return lines


def structured_formatter(form: str, process: int) -> logging.Formatter:
    """Return what writes entries for people (``console``) or programs (``json``); of several processes, which it was."""
    import structlog

    def add_process(_logger: Any, _method: str, event_dict: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
        if process:
            event_dict["process"] = process
        return event_dict

    def replace_traceback(_logger: Any, _method: str, event_dict: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
        """Instead of a traceback with what it says."""
        error = event_dict.pop("exc_info", None)
        if error:
            event_dict["failed"] = safe_traceback(error[1])
        return event_dict

    renderer: Any = structlog.processors.JSONRenderer(ensure_ascii=False)
    if form == "console":
        renderer = structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())
    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=[
            structlog.stdlib.add_log_level,
            structlog.stdlib.ExtraAdder(allow=LOGGED_FIELDS),
            structlog.processors.TimeStamper(fmt="iso", utc=True),
        ],
        processors=[
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            add_process,
            replace_traceback,
            renderer,
        ],
    )
