"""The prose check finds every kind of text and compares each part with its ceiling."""

from __future__ import annotations

import pytest

from tests.support import prose

PYTHON = '''
"""Who reads this is no engineer."""


def test_who_plays_is_asked():
    # What it is for.
    assert held, f"who has {card} is asked"
    raise ValueError("That is none of them.")


app.command(help="What the bots are to be told.")
'''


def test_python_reader_finds_every_kind_of_text() -> None:
    found = [sentence for _, text in prose.read_python(PYTHON) for sentence in prose.split_sentences(text)]
    assert sorted(found) == [
        "That is none of them.",
        "What it is for.",
        "What the bots are to be told.",
        "Who plays is asked",
        "Who reads this is no engineer.",
        "who has X is asked",
    ]


def test_other_readers_find_comments_paragraphs_and_texts() -> None:
    assert [text for _, text in prose.read_script("/* one */ x // two")] == [" one ", "two"]
    assert [text for _, text in prose.read_script("<!-- one -->")] == [" one "]
    assert [
        (line, text) for line, text in prose.read_markdown("one\n```\nx\n```\n\n- two\n  more\n- three") if text
    ] == [
        (1, "one"),
        (6, "two more"),
        (8, "three"),
    ]
    assert list(prose.read_catalog("table-full = Table is full.\n-brand = x")) == [(1, "Table is full.")]


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("Who waits is nudged.", ["headless subject"]),
        ("There is no card and the result is None.", []),
        ("The table is none of theirs.", ["is none, is no"]),
        ("word " * 39, ["long sentence"]),
    ],
)
def test_sentence_names_its_faults(text: str, faults: list[str]) -> None:
    assert prose.Sentence("docs/x.md", 1, text).faults == faults


def test_files_belong_to_the_longest_part() -> None:
    paths = ["src/diamonds/server/app.py", "src/diamonds/cards.py", "src/diamonds/i18n/en.ftl", "tests/test_x.py"]
    assert [prose.part_of(path) for path in paths] == [
        "src/diamonds/server",
        "src/diamonds",
        "src/diamonds/i18n/en.ftl",
        "tests",
    ]


def test_check_fails_above_a_ceiling(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["prose"])
    monkeypatch.setattr(prose, "measure_rates", lambda: dict.fromkeys(prose.CEILINGS, 0.0) | {"docs": 99.0})
    with pytest.raises(SystemExit, match=r"docs: 99.0 %"):
        prose.main()
