"""Messages of the page exist in the catalogs with their values, are all used, and no other text is shown."""

import re
from collections.abc import Iterator
from functools import cache

import pytest

from diamonds import i18n
from tests.test_i18n import WEB_PREFIX, catalog_messages
from tests.test_web_layers import GENERATED, source_files

pytestmark = pytest.mark.later

ID = re.compile(r"'(page-[a-z0-9-]+)'")
ID_PREFIX = re.compile(r"`(page-[a-z0-9-]+-)\$\{\w+\}`")  # the rest of the id is a value, as in `page-phrase-${one}`
# Strings of several words that nobody reads: selectors, paths of drawings, media queries, kinds of answers.
NOT_SHOWN = re.compile(
    r"""^[.\[#(]|^[a-z]+[ ,]*[.\[>]|transform|translate|scale\(|rotate|cubic-bezier|^var\(|^M[\d-]|min-width|^[a-z_]+ [a-z]+$|^(font|button|input|pre)\b"""
)


@cache
def page_messages() -> dict[str, set[str]]:
    return {id: values for id, values in catalog_messages(i18n.DEFAULT_LANGUAGE).items() if id.startswith(WEB_PREFIX)}


def closing_bracket(text: str, start: int) -> int:
    """Return the position of the bracket that closes the one at ``start``."""
    depth = 0
    quote = ""
    for at in range(start, len(text)):
        one = text[at]
        if quote:
            quote = "" if one == quote and text[at - 1] != "\\" else quote
        elif one in "'\"`":
            quote = one
        elif one in "([{":
            depth += 1
        elif one in ")]}":
            depth -= 1
            if depth == 0:
                return at
    raise AssertionError(f"unclosed bracket: {text[start : start + 60]}")


def split(text: str) -> list[str]:
    """Return the parts between commas outside brackets and quotation marks."""
    parts, last, at = [], 0, 0
    while at < len(text):
        if text[at] in "([{":
            at = closing_bracket(text, at)
        elif text[at] in "'\"`":
            at = text.index(text[at], at + 1)
        elif text[at] == ",":
            parts.append(text[last:at].strip())
            last = at + 1
        at += 1
    return [part for part in [*parts, text[last:].strip()] if part]


def say_calls(text: str) -> Iterator[tuple[str, list[str], set[str], int, int]]:
    """Yield the ids, value names and place of every call of ``t``."""
    for found in re.finditer(r"(?<![\w.])t\(", text):
        end = closing_bracket(text, found.end() - 1)
        id, *values = split(text[found.end() : end])
        given = {re.split(r"[:\s]", one)[0] for one in split(values[0].strip()[1:-1])} if values else set()
        yield text[found.start() : end + 1], ID.findall(id), given, found.start(), found.end() + len(id)


def test_web_messages_are_in_the_catalog_and_get_their_values():
    wrong = []
    for path, text in source_files():
        within: set[int] = set()
        for call, ids, given, start, end in say_calls(text):
            within |= set(range(start, end + 1))
            wrong += [f"{path}: {call}: there is no {id}" for id in ids if id not in page_messages()]
            wrong += [
                f"{path}: {call} gives {id} the values {sorted(given)}; it uses {sorted(page_messages()[id])}"
                for id in ids
                if id in page_messages() and page_messages()[id] != given
            ]
        for found in ID.finditer(text):
            if found.start() in within:
                continue
            id = found[1]
            if id not in page_messages():
                wrong.append(f"{path}: there is no {id}")
            elif page_messages()[id]:
                wrong.append(f"{path}: {id} is named without its values {sorted(page_messages()[id])}")
    assert not wrong, "\n".join(wrong)


def test_web_messages_are_all_used():
    used = {id for _, text in source_files() for id in ID.findall(text)}
    begun = tuple({begin for _, text in source_files() for begin in ID_PREFIX.findall(text)})
    idle = sorted(id for id in set(page_messages()) - used if not id.startswith(begun))
    assert not idle, f"unused messages of the page: {', '.join(idle)}."


def strip_template_values(script: str) -> str:
    """Return a script with the values in its templates left out."""
    while (at := script.find("${")) >= 0:
        script = script[:at] + script[closing_bracket(script, at + 1) + 1 :]
    return script


def shown_texts(text: str) -> Iterator[str]:
    """Yield text that a source could show without ``t``: words in markup and styles, and strings of several words."""
    yield from re.findall(r"""content: ['"][^'"]*[A-Za-z]{2}[^'"]*['"]""", text)
    text = re.sub(r"<style>.*</style>|<!--.*?-->|/\*.*?\*/", "", text, flags=re.DOTALL)
    text = re.sub(r"(?<!:)//[^\n]*", "", text)
    script, _, markup = text.rpartition("</script>")
    if not script and not text.lstrip().startswith("<"):
        script, markup = text, ""
    plain = ""
    at = 0
    while at < len(markup):  # braces contain code
        if markup[at] == "{":
            end = closing_bracket(markup, at)
            script += "\n" + markup[at : end + 1]
            plain += "0"
            at = end
        else:
            plain += markup[at]
        at += 1
    yield from re.findall(r"""(?:aria-label|aria-valuetext|title|placeholder|alt)="[^"]*[A-Za-z]{2}[^"]*\"""", plain)
    shown = re.sub(r"<[^<>]*>|\bDiamonds\b", "\n", plain)  # the program's name is the same in every language
    yield from (line.strip() for line in shown.splitlines() if re.search(r"[A-Za-z]{2}", line))
    for quoted in re.findall(r"'([^'\n]*)'|`([^`]*)`", strip_template_values(script)):
        said = "".join(quoted).strip()
        if re.search(r"[A-Za-z]{2,}[,:]? [A-Za-z]{2,}", said) and not NOT_SHOWN.search(said):
            yield said


@pytest.mark.parametrize("text", [
    "<p>Your turn</p>",
    "<p aria-label=\"Your turn\">{t('page-no')}</p>",
    "<script>\n  const told = 'It is your turn.'\n</script>\n<p>{told}</p>",
    "<p></p><style>\n  p::before {\n    content: 'empty';\n  }\n</style>",
    "<p>{over ? `The winner is ${name}` : ''}</p>",
])  # fmt: skip
def test_text_in_a_web_source_is_detected(text):
    assert list(shown_texts(text)), f"expected to find {text}"


def test_web_sources_have_no_untranslated_text():
    wrong = [f"{path}: {said}" for path, text in source_files() if str(path) != GENERATED for said in shown_texts(text)]
    assert not wrong, "Move text for players to src/diamonds/i18n/en.ftl:\n" + "\n".join(wrong)
