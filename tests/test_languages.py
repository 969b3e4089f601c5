"""Output in other languages: the requested language is used, and a pseudo-locale leaves no English text."""

import itertools
import json
import random
import re

import pytest

from diamonds import records
from diamonds.game import GAMES
from diamonds.terminal.games import DISPLAYS
from diamonds.terminal.rendering import table_view
from diamonds.terminal.save_file import BOT_NAMES
from tests.support.pseudo_locale import untranslated_text
from tests.support.random_positions import all_variants, play_random_answers, random_game, start_variant
from tests.support.terminal import random_typing

pytestmark = pytest.mark.later


@pytest.mark.usefixtures("pseudo_locale")
@pytest.mark.parametrize("game", GAMES)
def test_terminal_games_have_no_untranslated_text(game, run_cli):
    typed = itertools.chain(["?\n", "last\n", "show\n", "undo\n", "x\n", "99\n"], random_typing(3))
    short = {"crystals": ["--option", "rounds=1"], "fourteen": ["--option", "target=5"], "mines": []}[game]
    out = run_cli.output("play", game, *short, "--seed", "5", "--plain", typed=typed)
    assert untranslated_text(out) == [], f"untranslated text in the terminal: {untranslated_text(out)}"


@pytest.mark.usefixtures("pseudo_locale")
@pytest.mark.parametrize("game", GAMES)
def test_drawings_have_no_untranslated_text(game):
    rng = random.Random(2)
    for variant in list(all_variants(game))[::9]:
        played = start_variant(variant, 3)
        for _ in range(10):
            look = table_view(played.game, played.state, 0, list(BOT_NAMES))
            picture = "\n".join(line.plain for line in DISPLAYS[game].draw(look))
            said = "\n".join([picture, *DISPLAYS[game].describe(look)])
            assert untranslated_text(said) == [], f"untranslated text in a drawing:\n{said}"
            play_random_answers(played, rng, 6)


@pytest.mark.usefixtures("pseudo_locale")
@pytest.mark.parametrize("game", GAMES)
def test_replays_and_proofs_have_no_untranslated_text(game, run_cli, tmp_path):
    variant, short = all_variants(game)[0], {"crystals": {"rounds": 1}, "fourteen": {"target": 5}, "mines": {}}[game]
    played = random_game(variant._replace(options=variant.options | short), 4)
    played.players = list(BOT_NAMES[: played.seats])
    true = json.loads(records.write_record(played))
    records_of = {
        "true": true,
        "unfinished": {**true, "entries": true["entries"][:9]},
        "diverges": {**true, "entries": [true["entries"][0], *true["entries"][2:]]},
        "unknown": {**true, "rules_version": 99},
        "foreign": {"format": "chess"},
    }
    said, codes = "", set()
    for name, record in records_of.items():
        file = tmp_path / f"{name}.json"
        file.write_text(json.dumps(record), encoding="utf-8")
        in_part = ("replay --seat 1", "replay --at 7", "replay --at 9999") if name == "true" else ()
        for command in ("replay", *in_part, "verify"):
            code, out, err = run_cli(*command.split(), str(file), "--plain")
            codes.add((name, code))
            said += (out + err).replace(file.name, "")
    assert {("true", 0), ("true", 2), ("unfinished", 2), ("diverges", 2), ("unknown", 2), ("foreign", 2)} <= codes
    left = set(untranslated_text(said)) - set(
        re.findall("[A-Za-z]{2,}", " ".join(true["entries"]))
    )  # unknown data is shown literally
    assert not left, f"untranslated text about a record: {left}"


def test_terminal_uses_the_requested_language(run_cli, monkeypatch):
    _, out, _ = run_cli("--language", "de", "play", "mines", "--seed", "1", "--plain", typed="quit\n")
    assert out.startswith("Minen: Du bist Ada und spielst gegen Ben (simple).")
    code, _, err = run_cli("--language", "de", "play", "whist")
    assert (code, err) == (2, "Es gibt kein Spiel „whist“. Die Spiele sind crystals, fourteen, mines.\n")
    monkeypatch.setenv("LC_ALL", "de_AT.UTF-8")
    assert run_cli("play", "whist")[2].startswith("Es gibt kein Spiel")
    assert run_cli("--language", "en_GB", "play", "whist")[2].startswith("There is no game")
    code, _, err = run_cli("--language", "tlh", "play", "mines")
    assert (code, err) == (2, "Unknown language “tlh”. The languages are en, de.\n")


def test_answers_can_be_typed_as_they_are_shown(run_cli):
    _, out, _ = run_cli("--language", "de", "play", "mines", "--seed", "1", "--plain", typed="ziehen\nquit\n")
    assert "Grab eine Karte, oder wirf ein ♠ ab" in out
