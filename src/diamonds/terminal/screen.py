"""The terminal: colours where they are supported, plain lines elsewhere, and keyboard input."""

from __future__ import annotations

import codecs
import io
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec

from rich.console import Console
from rich.progress import Progress
from rich.text import Text

from diamonds.cards import SUIT_SYMBOLS

# Styles with enough contrast on dark and light backgrounds. Suits also differ by shape and letter.
SUIT_STYLES = {"♦": "#1e88ff", "♥": "#e8174f", "♠": "bold", "♣": "#1a9c3f"}
GOLD = "#b8860b"
MAX_INPUT_CHARS = 10_000  # per line

# Replacements for characters that a terminal's encoding lacks.
ASCII_SYMBOLS = {
    **dict(zip(SUIT_SYMBOLS, "DHSC", strict=True)),
    **dict.fromkeys("─━═╌", "-"),
    **dict.fromkeys("│┃║┊", "|"),
    **dict.fromkeys("╭╮╰╯┏┓┗┛╔╗╚╝├┤", "+"),
    **dict.fromkeys("█▀▄▮", "#"),
    **{"⑤": "5", "•": "1", "▸": ">", "→": "->", "—": "-", "–": "-", "…": "...", "“": '"', "”": '"', "×": "x", "·": "-"},
    **{"⑭": "(14)", "›": ">", "≥": ">=", "’": "'", "⚑": "*"},
}


def _ascii_fallback(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(ASCII_SYMBOLS.get(symbol, "?") for symbol in error.object[error.start : error.end]), error.end


codecs.register_error("diamonds.plain", _ascii_fallback)


def configure_encoding() -> None:
    """Make printing and reading independent of the terminal's encoding, so that neither can fail."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="diamonds.plain")
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")


@contextmanager
def progress_bar(description: str, total: int | None = None) -> Iterator[Callable[[int, int | None], None]]:
    """Yield a function that shows how much of a total is done, in a progress bar if stderr is a terminal."""
    with Progress(console=Console(stderr=True), disable=not sys.stderr.isatty(), transient=True) as bar:
        task = bar.add_task(description, total=total)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def color_suits(sentence: str, style: str = "") -> Text:
    """Return a line with its suits in their colours."""
    text = Text(sentence, style=style)
    for symbol, colour in SUIT_STYLES.items():
        text.highlight_regex(f"{symbol} ?(?:1[0-5]|[1-9]|[AJQK])?(?![0-9A-Za-z])", colour)
    return text


class Screen:
    """The screen and keyboard. If ``is_plain``, only lines of text are printed, for pipes and screen readers."""

    def __init__(self, plain: bool = False) -> None:
        configure_encoding()
        is_terminal = sys.stdout is not None and sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
        self.is_plain = plain or not is_terminal
        self.is_interactive = sys.stdin is not None and sys.stdin.isatty()
        self.console = Console(highlight=False)
        if self.is_interactive and is_terminal and find_spec("readline"):
            import_module("readline")  # gives `input` line editing and history

    def print_line(self, sentence: str = "", style: str = "") -> None:
        """Print one line, wrapped between words on a terminal."""
        if self.is_plain:
            print(sentence)
        else:
            self.console.print(color_suits(sentence, style))

    def print_picture(self, lines: Iterable[Text]) -> None:
        """Print a picture line by line, without wrapping."""
        for line in lines:
            self.console.print(line, no_wrap=True, overflow="crop", crop=True)

    def read_line(self) -> str | None:
        """Return the next line typed, or ``None`` at the end of input."""
        if self.is_interactive:
            try:
                return input("" if self.is_plain else "› ")
            except EOFError:
                print()
                return None
        if sys.stdin is None:  # closed by the parent process
            return None
        if sys.stdout is not None:
            sys.stdout.flush()
        line = sys.stdin.readline(MAX_INPUT_CHARS)
        return line.rstrip("\n") if line else None
