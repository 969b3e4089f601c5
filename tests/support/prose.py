"""Share of sentences in code and docs that are unlikely to be idiomatic English, against a ceiling for each part.

    python -m tests.support.prose              # `make lint`: one line for each part above its ceiling
    python -m tests.support.prose --rates      # the rate of each part
    python -m tests.support.prose docs tests   # every suspicious sentence below these paths

The patterns are crude: a good sentence may match, and many a bad one does not. Rewrite sentences; do not dodge patterns.
"""

from __future__ import annotations

import argparse
import ast
import io
import re
import subprocess
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
MAX_WORDS = 38
MIN_WORDS = 3
NOT_PROSE = re.compile(r"(^|/)(golden|records|v0)/|(^|/)de(/|\.ftl|\.json)")

# Highest rate, in percent, of suspicious sentences in the files below these paths. The longest prefix of a path counts.
CEILINGS = {
    "src/diamonds/server": 2, "src/diamonds": 2, "src/diamonds/i18n/en.ftl": 1, "web/src": 2, "docs": 2, "tests": 1,
}  # fmt: skip

PATTERNS = {
    "headless subject": re.compile(r"^(?:Who|Whoever|Whom|Whose|What|Whatever|That which|Of (?:those|what|whom|whose|all|some|each|several|many))\b" r"(?!.*\?)"),
    "inner headless subject": re.compile(
        r"(?:[,;:] |\b(?:and|or|but|that|than|of|by|for|to|with|from|if|as) )"
        r"(?:who(?:ever)? (?:is|are|has|have|was|does|plays|asks|wants|sits|reads|looks|comes|goes|makes|made|runs)|whom"
        r"|what (?:is|are|was|were|has|have|comes|goes|others|they|it) )",
        re.I,
    ),
    "is none, is no": re.compile(r"(?<!there)(?<!There)\b(?:is|are|was|were) (?:none|no(?!t\b| longer\b| way\b| need\b| more than\b))\b"),
    "noun avoided": re.compile(
        r"\b(?:somebody|someone|something) (?:is|has|does|comes|goes) (?:otherwise|so|there|here|such)\b"
        r"|\botherwise from now on\b|\bas it is\b(?! \w)|\bis so\b|\bnothing of\b|\bsuch a thing\b|\bthe same holds\b",
        re.I,
    ),
    "the own": re.compile(r"\b(?:the|of|with|by|from|in) own \w+|\bone's own\b|\bof one's\b", re.I),
    "infinitive of duty": re.compile(r"\b(?:is|are|was|were) to be \w+", re.I),
    "preposition and pronoun": re.compile(r"\b(?:for|to) who(?:m|ever)?\b(?!.*\?)|\bby who(?:m|ever)\b", re.I),
    "verb at the end": re.compile(r"\b(?:that|which|what|who) (?:it|they|there|he|she|one) (?:is|are|was|were)[.,;:]?$", re.I),
}  # fmt: skip


class Sentence(NamedTuple):
    path: str
    line: int
    text: str

    @property
    def faults(self) -> list[str]:
        found = [name for name, pattern in PATTERNS.items() if pattern.search(self.text)]
        return found + ["long sentence"] * (len(self.text.split()) > MAX_WORDS)


def split_sentences(text: str) -> Iterator[str]:
    """Yield the sentences of at least `MIN_WORDS` words. A quoted piece of code counts as one word."""
    text = re.sub(r"`[^`]*`", "X", text)
    for piece in re.split(r"(?<=[.!?:;])\s+(?=[A-Z“`*])|\n\s*\n|\n\s*[-*|]\s+", text):
        sentence = re.sub(r"\s+", " ", piece).strip(" #*-|")
        if len(sentence.split()) >= MIN_WORDS:
            yield sentence


def read_python(text: str) -> Iterator[tuple[int, str]]:
    """Yield docstrings, test names, assertion messages, raised sentences, help texts and comments with their lines."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            if docstring := ast.get_docstring(node):
                yield node.body[0].lineno, docstring
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                yield node.lineno, node.name.removeprefix("test_").replace("_", " ").capitalize()
        elif isinstance(node, ast.Assert) and node.msg is not None:
            yield node.lineno, _literal_text(node.msg)
        elif isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
            for argument in node.exc.args:
                yield node.lineno, _literal_text(argument)
        elif isinstance(node, ast.keyword) and node.arg == "help":
            yield node.value.lineno, _literal_text(node.value)
    comment: list[str] = []
    start = 0
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            if not re.match(r"#!|# (?:fmt|type|noqa|mypy|ruff)", token.string):
                start = start if comment else token.start[0]
                comment.append(token.string.lstrip("# "))
        elif token.type not in (tokenize.NL, tokenize.NEWLINE) and comment:
            yield start, " ".join(comment)
            comment = []


def _literal_text(node: ast.expr) -> str:
    """Return the text of a string or f-string, with one word for each inserted value; "" for other expressions."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else ""
    if isinstance(node, ast.JoinedStr):
        return "".join(_literal_text(part) if isinstance(part, ast.Constant) else "X" for part in node.values)
    return ""


def read_script(text: str) -> Iterator[tuple[int, str]]:
    """Yield the comments of a script, a component or a style sheet."""
    for found in re.finditer(r"/\*\*?(.*?)\*/|<!--(.*?)-->|(?:^|\s)//(?!/)\s?([^\n]*)", text, re.S):
        yield text.count("\n", 0, found.start()) + 1, re.sub(r"\n\s*\*?", " ", "".join(filter(None, found.groups())))


def read_markdown(text: str) -> Iterator[tuple[int, str]]:
    """Yield list items, paragraphs and table cells of more than four words, without blocks of code."""
    text = re.sub(r"```.*?```", lambda block: "\n" * block[0].count("\n"), text, flags=re.S)
    line = 1
    for paragraph in re.split(r"(\n\s*\n)", text):
        at = line
        if paragraph.lstrip().startswith(("|", "<")):
            yield from ((at, cell) for cell in re.split(r"\||\n", paragraph) if len(cell.split()) > 4)
        else:
            for item in re.split(r"\n(?=\s*(?:[-*]|\d+\.)\s)", paragraph):
                yield at, re.sub(r"\s+", " ", re.sub(r"^\s*(?:[-*]|\d+\.)\s+", "", item.strip()))
                at += item.count("\n") + 1
        line += paragraph.count("\n")


def read_catalog(text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines of a Fluent catalogue without their ids."""
    for number, row in enumerate(text.split("\n"), 1):
        if found := re.match(r"(?:#+|[a-z][\w-]*|\s+(?:\*?\[\w+\])?)\s*=?\s*(.+)$", row):
            yield number, found[1]


READERS = {
    ".py": read_python,
    ".md": read_markdown,
    ".ftl": read_catalog,
    **dict.fromkeys([".ts", ".svelte", ".js", ".mjs", ".css"], read_script),
}


def read_sentences(paths: list[str]) -> Iterator[Sentence]:
    """Yield the sentences of the tracked files below `paths`, which are relative to the root."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--", *paths], cwd=ROOT, capture_output=True, text=True, check=True
    )
    for name in filter(None, listed.stdout.split("\0")):
        path = ROOT / name
        if path.suffix in READERS and path.is_file() and not NOT_PROSE.search(name):
            for line, text in READERS[path.suffix](path.read_text(encoding="utf-8")):
                yield from (Sentence(name, line, sentence) for sentence in split_sentences(text))


def measure_rates() -> dict[str, float]:
    """Return the percentage of suspicious sentences in each part."""
    verdicts: dict[str, list[bool]] = {part: [] for part in CEILINGS}
    for sentence in read_sentences(list(CEILINGS)):
        parts = [part for part in CEILINGS if f"{sentence.path}/".startswith(f"{part}/")]
        verdicts[max(parts, key=len)].append(bool(sentence.faults))
    return {part: 100 * sum(found) / max(len(found), 1) for part, found in verdicts.items()}


def main() -> None:
    """Compare the rates with their ceilings, or list sentences."""
    parser = argparse.ArgumentParser(description="Find sentences that are unlikely to be idiomatic English.")
    parser.add_argument("paths", nargs="*", help="list the suspicious sentences below these paths")
    parser.add_argument("--rates", action="store_true", help="print the rate of each part")
    options = parser.parse_args()
    if options.paths:
        for sentence in read_sentences(options.paths):
            if sentence.faults:
                sys.stdout.write(f"{sentence.path}:{sentence.line} [{', '.join(sentence.faults)}] {sentence.text}\n")
        return
    rates = measure_rates()
    if options.rates:
        sys.stdout.writelines(f"{rate:5.1f} % of {CEILINGS[part]:2} %  {part}\n" for part, rate in rates.items())
    if above := [part for part, rate in rates.items() if rate > CEILINGS[part]]:
        sys.exit(
            "Too many sentences look unidiomatic:\n"
            + "".join(f"  {part}: {rates[part]:.1f} %, at most {CEILINGS[part]} %\n" for part in above)
            + f"List them with `python -m tests.support.prose {' '.join(above)}` and rewrite them."
        )


if __name__ == "__main__":
    main()
