"""Terminal output: drawings and texts fit, agree with each other, and reveal nothing hidden."""

import os
import random
import re
import subprocess
import sys

import pytest
from rich.cells import cell_len

from diamonds import views
from diamonds.game import GAMES
from diamonds.i18n import translate
from diamonds.terminal.games import DISPLAYS, fourteen, mines
from diamonds.terminal.rendering import table_view
from tests.support.positions import position
from tests.support.random_positions import VARIANTS, Variant, indistinguishable_state, random_positions, start_variant
from tests.support.terminal import BOX_CHARACTERS, run_in_terminal, saved_game

pytestmark = pytest.mark.later

# Drawings and texts


@pytest.mark.parametrize("variant", VARIANTS[::19], ids=str)
def test_drawings_fit_eighty_columns_and_match_the_plain_text(variant):
    face = DISPLAYS[variant.game.name]
    names = ["Ada", "Ben", "Cleo", "Dan", "Eve", "Finn"][: variant.seats]
    for played in random_positions(variant, 8, 12):
        for me in (0, variant.seats - 1, None):
            look = table_view(variant.game, played.state, me, names)
            for line in face.draw(look):
                assert cell_len(line.plain) <= 80, f"{variant}: {line.plain!r} is {cell_len(line.plain)} wide"
            words = "\n".join(face.describe(look))
            assert not BOX_CHARACTERS & set(words)
            assert "None" not in words, words
            if me is not None:
                for card in views.view_data(variant.game, played.state)["hand"][me]:
                    assert card[1:] in words.split("Your hand: ")[1]


@pytest.mark.parametrize("name", GAMES)
def test_r2_drawings_text_and_choices_reveal_nothing_hidden(name, tmp_path):
    rng = random.Random(4)
    for variant in [v for v in VARIANTS if v.game.name == name][::31]:
        face, names = DISPLAYS[name], [f"P{seat}" for seat in range(variant.seats)]
        for played in random_positions(variant, 2, 25):
            if played.over:
                continue
            for me in range(variant.seats):
                world = indistinguishable_state(variant.game, played.state, me, rng)
                here, there = (table_view(variant.game, state, me, names) for state in (played.state, world))
                assert [line.markup for line in face.draw(here)] == [line.markup for line in face.draw(there)]
                assert face.describe(here) == face.describe(there), f"{variant}, seat {me}, answer {played.n}"
                assert here.open_question == there.open_question
                if here.open_question:
                    notes = [
                        [face.answer_note(look, answer) for answer in here.open_question.legal]
                        for look in (here, there)
                    ]
                    assert notes[0] == notes[1]


def test_f5_cards_that_make_fourteen_are_marked(tmp_path):
    face, game = fourteen, GAMES["fourteen"]
    seen = 0
    for played in random_positions(Variant(game, 4, game.check_options(4)), 3, 3):
        for me in played.game.to_act(played.state):
            look = table_view(game, played.state, me, list("ABCD"))
            if not look.data["trick"]:
                assert not face.fourteen_cards(look)
                continue
            last = game.card_names.index(look.data["trick"][-1]) % 13 + 1
            fits = {card for card in look.data["hand"][me] if game.card_names.index(card) % 13 + 1 + last == 14}
            drawn = "\n".join(line.plain for line in face.draw_table(look))
            assert drawn.count("⑭") == len(fits) + bool(fits)
            assert ("Making fourteen" in "\n".join(face.describe(look))) == bool(fits)
            seen += len(fits)
    assert seen > 10


@pytest.mark.parametrize(("trick", "match", "says"), [
    ("S5 S9 S2", 0, "♠5, you ♠9, Cleo ♠2; "),
    ("S5 H9 H2", 0, "♠5, you ♥9, Cleo ♥2 (suit changed to ♥); "),
    ("S5 H9 S9", 0, "♠5, you ♥9, Cleo ♠9 (suit changed to ♥); "),
    ("S5 H9 S9", 1, "♠5, you ♥9, Cleo ♠9 (suit changed to ♥, ♠); "),
])  # fmt: skip
def test_f6_previous_trick_tells_how_fourteens_changed_the_suit(trick, match, says):
    state = position("fourteen", 3, {"match": ("last", "last_two")[match]}, hands={0: "D2", 1: "D3", 2: "D4"})
    state["last_trick"][:3] = [GAMES["fourteen"].card_names.index(card) for card in trick.split()]
    state["last_leader"] = state["last_winner"] = 0
    look = table_view(GAMES["fourteen"], state, 1, ["Ada", "Ben", "Cleo"])
    for text in ("\n".join(fourteen.describe(look)), "\n".join(line.plain for line in fourteen.draw_table(look))):
        assert says in text, text


def test_m1_field_is_drawn_in_rows_of_four_five_and_four(tmp_path):
    face, game = mines, GAMES["mines"]
    played = start_variant(Variant(game, 2, {}), 1)
    lines = [line.plain for line in face.draw_field(table_view(game, played.state, 0, ["Ada", "Ben"]))]
    rows = [re.findall(r"\b\d+\b", line) for line in lines]
    assert [row for row in rows if row] == [list("1234"), list("56789"), ["10", "11", "12", "13"]]
    words = "\n".join(face.describe(table_view(game, played.state, 0, ["Ada", "Ben"])))
    assert "Pile 1: yours, 4 cards, touches 2, 5, 6." in words or "Pile 1: Ben’s, 4 cards, touches 2, 5, 6." in words
    assert "Pile 7: unclaimed, 4 cards, touches 2, 3, 6, 8, 11, 12." in words


def test_plain_output_repeats_the_table_only_after_another_player(run_cli):
    _, out, _ = run_cli("play", "mines", "--seed", "3", "--bot", "random", typed="go\n1\nshow\n")
    assert "Dig one card" in out
    assert out.count("Pile 1: ") == 2, "expected the table at the start of the turn and on request"
    _, out, _ = run_cli("play", "mines", "--new", "--seed", "3", "--bot", "random", typed="pass\n")
    assert out.count("Pile 1: ") == 2, "expected the table again after the other player's turn"


def test_m3_step_of_the_turn_is_highlighted():
    face, game = mines, GAMES["mines"]
    steps = set()
    for played in random_positions(Variant(game, 2, {"defence": "any"}), 5, 3):
        look = table_view(game, played.state, 0, ["Ada", "Ben"])
        drawn = face.draw_table(look)[1].plain
        lit = [step for step in face.TURN_STEPS if translate(f"terminal-step-{step}").upper() in drawn]
        assert lit == ([] if played.over else [face.current_step(look)])
        steps.update(lit)
    assert steps == set(face.TURN_STEPS)


def test_sentences_start_with_a_capital_after_a_suit_too():
    deal = {"event": "dealt", "first": 0}
    assert GAMES["mines"].event_text(deal, str, 0) == "You cut the higher card and begin."
    club = {"event": "club", "seat": 0, "moved": 1, "victim": 1}
    assert GAMES["crystals"].event_text(club, lambda seat: "Ben", 0) == "♣ You take a crystal from Ben."
    assert GAMES["crystals"].event_text(club, lambda seat: "Ben", 1) == "♣ Ben takes a crystal from you."


def test_terminal_output_has_colours_and_drawings(home):
    shown = run_in_terminal(["play", "mines", "--seed", "1"], [b"?\n", b"quit\n"])
    assert "saved in" in shown
    assert "╭" in shown
    assert "\x1b[" in shown
    assert "Type a number" in shown


def test_no_color_is_respected_and_a_plain_table_is_drawn_nowhere(home):
    shown = run_in_terminal(["play", "crystals", "--seed", "1"], [b"quit\n"], NO_COLOR="1")
    assert "━" in shown
    assert not re.search(r"\x1b\[[0-9;]*(?:3[0-9]|4[0-9]|9[0-7])(?:;|m)", shown), "a colour was set despite NO_COLOR"
    plain = run_in_terminal(["play", "crystals", "--plain"], [b"quit\n"])
    assert "Your hand: " in plain
    assert not BOX_CHARACTERS & set(plain)
    assert not re.search(r"\x1b\[[0-9;]*m", plain)


def test_control_d_and_control_c_at_a_terminal_save_the_game(home):
    for key in (b"\x04", b"\x03"):
        shown = run_in_terminal(["play", "crystals", "--seed", "1", "--new"], [b"h6\n", b"h13 d8\n", key])
        assert "saved in" in shown
        assert "Traceback" not in shown


def test_terminal_that_knows_only_ascii_still_shows_every_suit(home):
    saved_game(home, 0)
    done = subprocess.run(
        [sys.executable, "-m", "diamonds", "play", "crystals"],
        input=b"\xff\xfe\n?\nquit\n",
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"},
    )
    assert done.returncode == 0, done.stderr.decode()
    shown = done.stdout.decode("ascii")
    assert "You pass D8 to Ben." in shown
    assert "Your hand: D 5 - H 6 13 14" in shown
    assert not re.search(r"\?[0-9AJQK]", shown), "a suit is missing"
