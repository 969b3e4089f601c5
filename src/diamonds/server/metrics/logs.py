"""The operator's log: plain lines, or `structlog` for people or programs.

No message, and none of the fields in `LOGGED_FIELDS`, contains a card, a secret, a token, a key, a name that someone
typed, or an address other than the server's own. For an error, only the type and location are logged, because its text
may contain a card.
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
    """Start logging. Raise `ModuleNotFoundError` if structlog is needed and missing.

    Plain logs start at warnings, the others at info. `process` is the number of this process, if there are several.
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
    """One line per entry, followed by the location of an error."""

    def format(self, record: logging.LogRecord) -> str:
        """Format an entry, ignoring the error text that `logging` has cached from another formatter."""
        cached_text, record.exc_text = record.exc_text, None
        try:
            return super().format(record)
        finally:
            record.exc_text = cached_text

    def formatException(self, ei: Any) -> str:
        return "\n".join(f"  {line}" for line in safe_traceback(ei[1]))


def safe_traceback(error: BaseException | None) -> list[str]:
    """Return the type of an error and its call locations, deepest last, preceded by those of its causes."""
    lines: list[str] = []
    while error is not None:
        frames = traceback.extract_tb(error.__traceback__)
        places = [f"{Path(frame.filename).name}:{frame.lineno} {frame.name}" for frame in frames]
        lines = [type(error).__name__, *places, *lines]
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return lines


def structured_formatter(form: str, process: int) -> logging.Formatter:
    """Return the formatter for `console` or `json`, with the process number if there are several."""
    import structlog

    def add_process(_logger: Any, _method: str, event_dict: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
        if process:
            event_dict["process"] = process
        return event_dict

    def replace_traceback(_logger: Any, _method: str, event_dict: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
        """Replace a traceback with one without the error's text."""
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
