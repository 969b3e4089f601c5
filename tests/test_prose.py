"""The prose check finds every kind of text and compares each part with its ceiling."""

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


def test_python_reader_finds_every_kind_of_text():
    found = [sentence for _, text in prose.read_python(PYTHON) for sentence in prose.split_sentences(text)]
    assert sorted(found) == [
        "That is none of them.",
        "What it is for.",
        "What the bots are to be told.",
        "Who plays is asked",
        "Who reads this is no engineer.",
        "who has X is asked",
    ]


def test_check_fails_above_a_ceiling(monkeypatch):
    monkeypatch.setattr("sys.argv", ["prose"])
    monkeypatch.setattr(prose, "measure_rates", lambda: dict.fromkeys(prose.CEILINGS, 0.0) | {"docs": 99.0})
    with pytest.raises(SystemExit, match=r"docs: 99.0 %"):
        prose.main()
