"""A pseudo-locale: English with every message in ⟦brackets⟧, so that untranslated text stands out."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from fluent.syntax import FluentParser, FluentSerializer
from fluent.syntax import ast as ftl

from diamonds import i18n
from diamonds.terminal import answer_input
from diamonds.terminal.save_file import BOT_NAMES

UNMARKED_IDS = {"as-it-is"}  # only passes on other messages
MARKED_TEXT = re.compile(r"⟦[^⟦⟧]*?(?:⟧|…)")  # also where a column has truncated it


@cache
def pseudo_catalog() -> i18n.Catalog:
    """Return the bracketed English catalog, parsed once for all tests because that takes most of a second."""
    text = (Path(i18n.__file__).parent / "en.ftl").read_text(encoding="utf-8")
    entries = []
    for entry in FluentParser().parse(text).body:
        if isinstance(entry, ftl.Message) and entry.id.name not in UNMARKED_IDS:
            first, *rest = entry.value.elements
            begins = [ftl.TextElement("⟦" + first.value), *rest] if isinstance(first, ftl.TextElement) else None
            elements = begins or [ftl.TextElement("⟦"), first, *rest]
            last = elements[-1]
            if isinstance(last, ftl.TextElement):
                elements[-1] = ftl.TextElement(last.value + "⟧")
            else:
                elements.append(ftl.TextElement("⟧"))
            entry.value.elements = elements
        if isinstance(entry, ftl.Message):
            entries.append(FluentSerializer().serialize_entry(entry))
    return i18n.Catalog("en", "".join(entries))


def untranslated_text(text: str) -> list[str]:
    """Return the words of a text that do not come from a message, except names, cards and literal input."""
    while MARKED_TEXT.search(text):
        text = MARKED_TEXT.sub("", text)
    found = set(re.findall(r"[A-Za-z]{2,}", text)) - {*answer_input.COMMANDS}
    return sorted(word for word in found if not any(name.startswith(word) for name in BOT_NAMES))
