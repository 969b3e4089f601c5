"""Other languages, end to end: what is asked for is spoken, and in a language made by code nothing is left in English."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from fluent.syntax import FluentParser, FluentSerializer
from fluent.syntax import ast as ftl

from diamonds import words
from diamonds.game import GAMES
from diamonds.terminal import typed
from diamonds.terminal.faces import FACES
from diamonds.terminal.parts import look_at
from diamonds.terminal.saved import NAMES
from positions import all_variants, new_match, random_answer
from terminals import Run, random_typing

pytestmark = pytest.mark.later

UNMARKED = {"as-it-is"}  # it passes on what was said elsewhere
MARKED = re.compile(r"⟦[^⟦⟧]*?(?:⟧|…)")  # also where a column has cut it


@pytest.fixture
def pseudo(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """English with every sentence in ⟦brackets⟧, whatever language is asked for."""
    text = (Path(words.__file__).parent / "en.ftl").read_text(encoding="utf-8")
    entries = []
    for entry in FluentParser().parse(text).body:
        if isinstance(entry, ftl.Message) and entry.id.name not in UNMARKED:
            assert entry.value is not None
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
    marked = words.Catalogue("en", "".join(entries))
    words._said.cache_clear()
    monkeypatch.setattr(words, "_catalogue", lambda language: marked)
    yield
    words._said.cache_clear()


def unmarked(text: str) -> list[str]:
    """Words of a text that no catalogue has said: no names, no cards, nothing that is typed as it is named."""
    while MARKED.search(text):
        text = MARKED.sub("", text)
    found = set(re.findall(r"[A-Za-z]{2,}", text)) - {*typed.COMMANDS}
    return sorted(word for word in found if not any(name.startswith(word) for name in NAMES))


@pytest.mark.usefixtures("pseudo")
def test_the_marks_find_what_no_catalogue_has_said() -> None:
    said = words.say("terminal-greeting", {"game": "mines", "name": "Ada", "bots": ["Ben"]})
    assert said == "⟦⟦Mines⟧: you are Ada and play with Ben.⟧"
    assert unmarked(f"{said} Ada ♥K ╰─ ⟦ahea… 7 forgotten") == ["forgotten"]


@pytest.mark.usefixtures("pseudo")
@pytest.mark.parametrize("game", GAMES)
def test_whole_games_in_the_terminal_say_nothing_that_is_in_no_catalogue(game: str, run: Run) -> None:
    def someone() -> Iterator[str]:
        yield from ("?\n", "last\n", "show\n", "undo\n", "x\n", "99\n")
        yield from random_typing(3)

    code, out, err = run("play", game, "--seed", "5", "--plain", typed=someone())
    assert code == 0
    assert err == ""
    assert unmarked(out) == [], f"said in the terminal, but in no catalogue: {unmarked(out)}"


@pytest.mark.usefixtures("pseudo")
@pytest.mark.parametrize("game", GAMES)
def test_pictures_say_nothing_that_is_in_no_catalogue(game: str) -> None:

    rng = random.Random(2)
    for variant in list(all_variants(game))[::5]:
        match = new_match(variant, 3)
        for n in range(60):
            if match.over:
                break
            if n % 6 == 0:
                look = look_at(match.game, match.state, 0, list(NAMES))
                picture = "\n".join(line.plain for line in FACES[game].draw(look))
                said = "\n".join([picture, *FACES[game].tell(look)])
                assert unmarked(said) == [], f"drawn, but in no catalogue: {unmarked(said)} in\n{said}"
            match.answer(*random_answer(match, rng))


def test_the_terminal_speaks_the_language_that_is_asked_for(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    _, out, _ = run("--language", "de", "play", "mines", "--seed", "1", "--plain", typed="quit\n")
    assert out.startswith("Minen: Du bist Ada und spielst mit Ben (simple).")
    code, _, err = run("--language", "de", "play", "whist")
    assert (code, err) == (2, "Es gibt kein Spiel „whist“; die Spiele sind crystals, fourteen, mines.\n")
    monkeypatch.setenv("LC_ALL", "de_AT.UTF-8")
    assert run("play", "whist")[2].startswith("Es gibt kein Spiel")
    assert run("--language", "en_GB", "play", "whist")[2].startswith("There is no game")
    code, _, err = run("--language", "tlh", "play", "mines")
    assert (code, err) == (2, "There is no catalogue for “tlh”; the languages are en, de.\n")


def test_words_of_answers_can_be_typed_as_they_are_said(run: Run) -> None:
    _, out, _ = run("--language", "de", "play", "mines", "--seed", "1", "--plain", typed="ziehen\nquit\n")
    assert "Grabe eine Karte aus einem deiner Stapel" in out
