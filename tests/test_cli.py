"""The command line: a table in the terminal, replays, simulations, and the output that a referee reads."""

from __future__ import annotations

import io
import json
import os
import pty
import random
import re
import select
import subprocess
import sys
import termios
import time
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len

from diamonds import cli, deals, records, views
from diamonds.events import say
from diamonds.fields import Question
from diamonds.game import GAMES, Illegal, Malformed, Refused
from diamonds.rules import crystals as crystals_rules
from diamonds.rules import mines as mines_rules
from diamonds.terminal import rulebook, saved, simulate, typed
from diamonds.terminal.asked import bots
from diamonds.terminal.parts import look_at
from diamonds.terminal.saved import Saved, Unsaved
from diamonds.terminal.screen import Screen
from diamonds.terminal.sitting import Wishes, sit
from diamonds.terminal.table import FACES, Table
from positions import VARIANTS, Variant, another_world, new_match, positions, random_answer

ROOT = Path(__file__).parents[1]
LETTER = {"crystals": "C", "fourteen": "F", "mines": "M"}
NAMES = list(saved.NAMES)
BOXES = set("─━│┃╭╮╰╯┏┓┗┛╔╗╚╝▮█▄▀⑤⑭▸")


class Typist(io.StringIO):
    """Standard input that types lines, then stops."""

    def __init__(self, lines: Iterator[str]) -> None:
        super().__init__()
        self.lines = lines

    def readline(self, size: int | None = -1, /) -> str:
        return next(self.lines, "")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder for saved games."""
    monkeypatch.setenv("DIAMONDS_HOME", str(tmp_path / "games"))
    return tmp_path / "games"


@pytest.fixture
def run(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., tuple[int, str, str]]:
    """Run a command with lines typed; its exit code, output and errors."""

    def command(*arguments: str, typed: str | Iterator[str] = "") -> tuple[int, str, str]:
        lines = iter(typed.splitlines(keepends=True)) if isinstance(typed, str) else typed
        monkeypatch.setattr(sys, "stdin", Typist(lines))
        code = cli.main(list(arguments))
        out, err = capsys.readouterr()
        return code, out, err

    return command


def random_typing(seed: int) -> Iterator[str]:
    """Someone who types whatever might be an answer, for ever."""
    rng = random.Random(seed)
    words = ["1", "1 2", "1 2 3", "2", "3", "4", "skip", "go", "end", *map(str, range(13))]
    for _ in range(200_000):
        yield rng.choice(words) + "\n"


# Playing


@pytest.mark.parametrize(
    ("game", "options", "seats"),
    [
        ("crystals", ["--option", "thief=on", "--option", "partnership=on"], "6"),
        ("crystals", [], "2"),
        ("fourteen", ["--option", "scoring=bid", "--option", "bids=sealed", "--option", "target=12"], "4"),
        ("mines", [], "2"),
    ],
)
def test_a_game_can_be_played_to_its_end_through_a_pipe(
    run: Callable[..., tuple[int, str, str]], home: Path, game: str, options: list[str], seats: str
) -> None:
    code, out, err = run("play", game, "--seats", seats, *options, "--seed", "3", typed=random_typing(1))
    assert (code, err) == (0, "")
    file = home / f"{game}.json"
    match = records.read_record(file.read_bytes())
    assert match.over
    result = match.game.result(match.state)
    assert f"The record is {file}." in out
    assert out.count(f"{result['reason']}.") == 1, "the end should say once why the game ended"
    assert "\x1b" not in out, "a pipe gets no colour codes"
    assert not BOXES & set(out), f"a pipe gets no drawings: {BOXES & set(out)}"
    assert run("verify", str(file))[0] == 0


def test_c21_the_end_counts_vaults_twice_and_names_the_winner(
    run: Callable[..., tuple[int, str, str]], home: Path
) -> None:
    _, out, _ = run("play", "crystals", "--seats", "3", "--seed", "2", typed=random_typing(4))
    match = records.read_record((home / "crystals.json").read_bytes())
    counted = re.findall(r"^  (\w+): Vault (\d+) × 2 \+ Showroom (\d+) = (\d+) points\.$", out, re.M)
    assert len(counted) == 3
    scores = match.game.result(match.state)["scores"]
    for name, vault, showroom, points in counted:
        assert int(points) == 2 * int(vault) + int(showroom) == scores[0 if name == "You" else NAMES.index(name)]
    winner = match.game.result(match.state)["winners"]
    assert re.search(f"^{'You win' if winner == [0] else NAMES[winner[0]] + ' wins'}: ", out, re.M)


def test_a_game_is_saved_after_every_answer_and_goes_on_where_it_was_left(
    run: Callable[..., tuple[int, str, str]], home: Path
) -> None:
    code, out, _ = run("play", "fourteen", "--seed", "5", typed="1\n1\n1\n")
    assert code == 0
    assert f"The game is saved in {home / 'fourteen.json'}" in out
    left = records.read_record((home / "fourteen.json").read_bytes())
    assert sum(seat == 0 for seat, _, _ in left.answers) == 3
    _, out, _ = run("play", "fourteen", typed="1\nquit\n")
    assert f"Going on after {left.n} answers" in out
    again = records.read_record((home / "fourteen.json").read_bytes())
    assert again.answers[: left.n] == left.answers
    assert sum(seat == 0 for seat, _, _ in again.answers) == 4


def test_control_c_stops_with_the_game_saved(run: Callable[..., tuple[int, str, str]], home: Path) -> None:
    def hands() -> Iterator[str]:
        yield "1\n"
        raise KeyboardInterrupt

    code, out, err = run("play", "fourteen", "--seed", "5", typed=hands())
    assert (code, err) == (0, "")
    assert "saved in" in out
    assert any(seat == 0 for seat, _, _ in records.read_record((home / "fourteen.json").read_bytes()).answers)


def test_law_6_nothing_is_told_before_it_is_on_disk(
    run: Callable[..., tuple[int, str, str]], home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("play", "crystals", "--seed", "5", typed="")
    before = (home / "crystals.json").read_bytes()

    def full_disk(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full_disk)
    code, out, err = run("play", "crystals", typed="2\n")
    assert code == 2
    assert err == f"The game cannot be saved as {home / 'crystals.json'}: no space left on device.\n"
    assert "You choose" not in out, "the answer was told although it is not on disk"
    assert (home / "crystals.json").read_bytes() == before, "a save that failed must leave the old game whole"
    assert [path.name for path in home.iterdir()] == ["crystals.json"], "and nothing lying about"


def test_a_new_game_keeps_the_old_one_under_a_numbered_name(
    run: Callable[..., tuple[int, str, str]], home: Path
) -> None:
    kept = []
    for seed in "123":
        run("play", "mines", "--seed", seed, "--new", typed="")
        kept.append((home / "mines.json").read_bytes())
    assert (home / "mines-1.json").read_bytes() == kept[0]
    assert (home / "mines-2.json").read_bytes() == kept[1]
    assert len(set(kept)) == 3


def test_a_finished_game_is_kept_when_the_next_one_begins(run: Callable[..., tuple[int, str, str]], home: Path) -> None:
    run("play", "mines", "--seed", "1", typed=random_typing(2))
    finished = (home / "mines.json").read_bytes()
    code, out, _ = run("play", "mines", typed="")
    assert code == 0
    assert "Going on" not in out
    assert (home / "mines-1.json").read_bytes() == finished


def test_a_game_may_be_kept_in_a_file_of_ones_own(run: Callable[..., tuple[int, str, str]], tmp_path: Path) -> None:
    file = tmp_path / "deep" / "er" / "my game.json"
    assert run("play", "mines", "--file", str(file), "--seed", "1", typed="")[0] == 0
    assert records.read_record(file.read_bytes()).secret == deals.seeded_secret(1)


def test_a_finished_game_in_a_file_of_ones_own_is_not_moved_unasked(
    run: Callable[..., tuple[int, str, str]], tmp_path: Path
) -> None:
    file = tmp_path / "won.json"
    run("play", "mines", "--file", str(file), "--seed", "1", typed=random_typing(2))
    before = file.read_bytes()
    code, _, err = run("play", "mines", "--file", str(file), typed="")
    assert code == 2
    assert "is over" in err
    assert file.read_bytes() == before


def test_other_choices_do_not_replace_a_game_that_waits(run: Callable[..., tuple[int, str, str]], home: Path) -> None:
    run("play", "crystals", "--seats", "3", "--seed", "1", "--option", "thief=on", "--bot", "random", typed="")
    before = (home / "crystals.json").read_bytes()
    for other in (["--seats", "4"], ["--seed", "2"], ["--seat", "1"], ["--option", "thief=off"], ["--bot", "simple"]):
        code, _, err = run("play", "crystals", *other, typed="")
        assert code == 2, f"{other} was accepted though another game waits"
        assert "--new" in err
    same = ["--seats", "3", "--seed", "1", "--option", "thief=on", "--bot", "random", "--seat", "0"]
    assert run("play", "crystals", *same, typed="")[0] == 0
    assert (home / "crystals.json").read_bytes() == before


def test_two_programs_cannot_write_the_same_game(tmp_path: Path) -> None:
    one, other = Saved(tmp_path / "g.json"), Saved(tmp_path / "g.json")
    match = new_match(Variant(GAMES["mines"], 2, {}), 1)
    one.save(match)
    with pytest.raises(Unsaved, match="changed by another program"):
        other.save(match)
    assert other.load(GAMES["mines"]) is not None
    match.answer(*random_answer(match, random.Random(1)))
    other.save(match)
    with pytest.raises(Unsaved, match="changed by another program"):
        one.save(match)


def test_the_bots_and_seats_of_a_saved_game_are_in_its_names(
    run: Callable[..., tuple[int, str, str]], home: Path
) -> None:
    run("play", "crystals", "--seats", "3", "--seat", "1", "--bot", "simple", "--bot", "random", typed="")
    match = records.read_record((home / "crystals.json").read_bytes())
    assert match.players == ["Ada (simple)", "Ben (you)", "Cleo (random)"]
    _, out, _ = run("play", "crystals", typed="")
    assert "you are Ben and play with Ada (simple), Cleo (random)" in out


def test_the_same_seed_and_answers_are_the_same_game(run: Callable[..., tuple[int, str, str]], home: Path) -> None:
    games = []
    for name in ("one.json", "two.json"):
        run("play", "crystals", "--file", str(home / name), "--seed", "9", "--bot", "random", typed=random_typing(6))
        games.append((home / name).read_bytes())
    assert games[0] == games[1], "bots should answer the same to the same cards"


# Typing


def table(tmp_path: Path, game: str = "crystals", typed: str = "", **wishes: Any) -> Table:
    """A table at which the bots have answered until the player is asked."""
    new = sit(GAMES[game], Wishes(seed=1, **wishes), tmp_path / "game.json", True, Screen(plain=True))
    while new.me not in new.match.game.to_act(new.match.state):
        new._bot(new.match.game.to_act(new.match.state)[0])
    return new


PLAY = Question("play", GAMES["fourteen"].names, "Play a card.")
LONG_PLAY = Question("play", GAMES["crystals"].names, "Play a card.")
OFFERED = typed.choices(PLAY, ["D7", "H7", "HK", "SA"], ["", "", "", ""])


@pytest.mark.parametrize(
    ("line", "answer"),
    [("H7", "H7"), ("h7", "H7"), ("♥7", "H7"), ("♥ 7", "H7"), ("h 7", "H7"), ("7h", "H7"), ("7♥", "H7"), ("♡7", "H7"),
     ("♥️7", "H7"), (" H7 ", "H7"), ("play H7", "H7"), ("PLAY h7", "H7"), ("2", "H7"), ("1", "D7"), ("hk", "HK"),
     ("Kh", "HK"), ("h13", "HK"), ("s1", "SA"), ("♠A", "SA"), ("s", "SA"), ("♠", "SA"), ("d", "D7")],
)  # fmt: skip
def test_a_card_may_be_typed_in_many_ways(line: str, answer: str) -> None:
    assert typed.read(line, PLAY, OFFERED) == [answer]


def test_what_could_be_two_cards_is_handed_on_unread() -> None:
    assert typed.read("h", PLAY, OFFERED) == ["h"], "two ♥ are on the list: “h” names neither"


def test_a_number_that_is_not_on_the_list_is_refused() -> None:
    for number in ("0", "5", "99999999999999999999"):
        with pytest.raises(Malformed, match="goes from 1 to 4"):
            typed.read(number, PLAY, OFFERED)


def test_in_the_long_pack_a_rank_is_a_number() -> None:
    offered = typed.choices(LONG_PLAY, ["H13", "D1"], ["", ""])
    assert typed.read("h13 13h ♥13", LONG_PLAY, offered) == ["H13"] * 3
    assert typed.read("hk", LONG_PLAY, offered) == ["hk"], "crystals has no kings"


def test_where_answers_are_numbers_a_number_means_itself() -> None:
    bid = Question("bid", tuple(range(14)), "How many ♦ will you take?")
    offered = typed.choices(bid, list(range(14)), [""] * 14)
    assert [choice.key for choice in offered] == [str(n) for n in range(14)]
    assert typed.read("0", bid, offered) == [0]
    assert typed.read("13", bid, offered) == [13]
    dig = mines_rules.QUESTIONS[mines_rules.DIG]
    offered = typed.choices(dig, [0, 12, "skip", "S7"], ["", "", "", ""])
    assert typed.read("12", dig, offered) == [12]
    assert typed.read("sk", dig, offered) == ["SK"], "♠K is a card first"
    assert typed.read("ski", dig, offered) == ["skip"]
    assert typed.read("♠7", dig, offered) == ["S7"]


def test_a_victim_may_be_named() -> None:
    victim = crystals_rules.QUESTIONS[crystals_rules.VICTIM]
    offered = typed.choices(victim, [1, 3], ["Ben (3 on show)", "Dan (5 on show)"])
    assert typed.read("dan", victim, offered) == [3]
    assert typed.read("b", victim, offered) == [1]
    assert typed.read("3", victim, offered) == [3]


def test_no_answer_is_ever_spelled_like_a_command() -> None:
    for game in GAMES.values():
        for question in game.questions:
            assert not [answer for answer in question.answers if typed.command(str(answer))]


@pytest.mark.parametrize("line", ["h13 d8 c3", "C3 H13 D8", "♣3,♥13 ♦8", "1 3 7", "pass D8 H13 C3"])
def test_c9_cards_to_pass_may_be_typed_at_once_in_any_order(tmp_path: Path, line: str) -> None:
    new = table(tmp_path)
    new.match = new.match.at(0)
    new.match.answer(3, 3)
    hand = views.as_data(new.match.game, new.match.state)["hand"][0]
    assert hand == ["D8", "H6", "H13", "H14", "S2", "C1", "C3", "C5", "C9", "C15"]
    ask = new.look().ask
    assert ask
    assert new.read(line, ask, new.offer(ask)) == ["D8", "H13", "C3"]


@pytest.mark.parametrize(
    ("line", "sentence"),
    [("D8", "Type 3 cards; you have named 1."), ("D8 H13 C3 C5", "Type 3 cards; you have named 4."),
     ("D8 D8 C3", "You have named a card twice (C9)."), ("D8 H13 D9", "That card is not in your hand (C9)."),
     ("D8 H13 11", "The list goes from 1 to 10; 11 is not on it."),
     ("D8 H13 fish", "“fish” is no answer to “Choose a card to pass on.”")],
)  # fmt: skip
def test_c9_a_wrong_set_of_cards_to_pass_is_refused_whole(tmp_path: Path, line: str, sentence: str) -> None:
    new = table(tmp_path)
    new.match = new.match.at(0)
    new.match.answer(3, 3)
    ask = new.look().ask
    assert ask
    with pytest.raises(Refused, match=re.escape(sentence)):
        new.read(line, ask, new.offer(ask))
    assert new.match.n == 1


def test_r1_an_illegal_answer_is_told_with_its_rule_and_asked_again(run: Callable[..., tuple[int, str, str]]) -> None:
    code, out, _ = run("play", "crystals", "--seed", "1", "--bot", "simple", typed="h6\n1\ns2\nh9\nx\n\nh14\n")
    assert code == 0
    assert "On the table, led in ♥: Dan ♥15." in out
    after = out[out.index("Dan ♥15.") :]
    assert "You hold a ♥: follow suit (C12)." in after
    assert "That card is not in your hand" in after
    assert "“x” is no answer to “Play a card.”" in after
    assert "You play ♥14." in after
    assert after.index("follow suit") < after.index("“x”") < after.index("You play ♥14.")


@pytest.mark.parametrize("game", GAMES)
def test_a_question_mark_explains_every_question_with_its_rule(game: str) -> None:
    explained = FACES[game].EXPLAIN
    assert set(explained) == {question.name for question in GAMES[game].questions}
    page = rulebook.page(GAMES[game])
    for question, words in explained.items():
        rules = re.findall(r"\b[CFM]\d+\b", words)
        assert rules, f"{question} is explained without its rule"
        for rule in rules:
            assert rule[0] == LETTER[game]
            assert re.search(rf"\b{rule}\b", page), f"{question} cites {rule}, which the rules page lacks"


def test_help_names_every_command(run: Callable[..., tuple[int, str, str]]) -> None:
    _, out, _ = run("play", "mines", "--seed", "1", typed="?\n")
    for command, meaning in typed.COMMANDS.items():
        assert re.search(rf"^  {re.escape(command)} +{re.escape(meaning)}$", out, re.M)


def test_the_rules_can_be_read_at_the_table(run: Callable[..., tuple[int, str, str]]) -> None:
    _, out, _ = run("play", "mines", "--seed", "1", typed="rules\n")
    assert rulebook.page(GAMES["mines"]) in out


@pytest.mark.parametrize("game", GAMES)
def test_undo_goes_back_to_the_own_last_decision_and_the_game_goes_on_from_there(tmp_path: Path, game: str) -> None:
    new = table(tmp_path, game, bots=("random",))
    for seed in range(6):
        before, n = new.match.state.tobytes(), new.match.n
        ask = new.look().ask
        assert ask
        wanted = new._wanted(ask)
        choices = [choice.answer for choice in new.offer(ask)]
        answers = random.Random(seed).sample(choices, wanted)
        line = " ".join(map(str, answers))
        new._give([(0, answer) for answer in new.read(line, ask, new.offer(ask))])
        later = new.match.n
        while 0 not in new.match.game.to_act(new.match.state) and not new.match.over:
            new._bot(new.match.game.to_act(new.match.state)[0])
        new._undo()
        assert new.match.state.tobytes() == before, f"{game}, decision {seed}: undo led to another state"
        assert (new.match.n, later > n) == (n, True)
        saved_match = records.read_record((tmp_path / "game.json").read_bytes())
        assert saved_match.answers == new.match.answers, "what was taken back is still on disk"
        new._give([(0, answer) for answer in new.read(line, ask, new.offer(ask))])
        while 0 not in new.match.game.to_act(new.match.state) and not new.match.over:
            new._bot(new.match.game.to_act(new.match.state)[0])


def test_undo_before_the_first_answer_says_that_there_is_nothing(run: Callable[..., tuple[int, str, str]]) -> None:
    _, out, _ = run("play", "mines", "--seed", "1", typed="undo\n")
    assert "nothing to take back" in out


def test_last_tells_what_has_happened_since_the_own_last_answer(run: Callable[..., tuple[int, str, str]]) -> None:
    _, out, _ = run("play", "crystals", "--seed", "1", typed="h6\n1\nlast\n")
    told = [line for line in out.splitlines() if line.startswith("  ")]
    mine = max(k for k, line in enumerate(told) if line == "  You play ♦8.")
    earlier = told.index("  You play ♦8.")
    assert mine > earlier
    assert told[mine:] == told[earlier : earlier + len(told) - mine]
    assert len(told) - mine >= 5


# What is shown


@pytest.mark.parametrize("variant", VARIANTS[::5], ids=str)
def test_every_picture_fits_eighty_columns_and_says_the_same_in_words(variant: Variant) -> None:
    face = FACES[variant.game.name]
    names = ["Ada", "Ben", "Cleo", "Dan", "Eve", "Finn"][: variant.seats]
    for match in positions(variant, 8, 12):
        for me in (0, variant.seats - 1, None):
            look = look_at(variant.game, match.state, me, names)
            for line in face.draw(look):
                assert cell_len(line.plain) <= 80, f"{variant}: {line.plain!r} is {cell_len(line.plain)} wide"
            words = "\n".join(face.tell(look))
            assert not BOXES & set(words)
            assert "None" not in words, words
            if me is not None:
                for card in views.as_data(variant.game, match.state)["hand"][me]:
                    assert card[1:] in words.split("Your hand: ")[1]


@pytest.mark.parametrize("name", GAMES)
def test_r2_the_picture_the_words_and_the_choices_tell_nothing_hidden(name: str, tmp_path: Path) -> None:
    """Two worlds that a seat cannot tell apart look the same, whatever they hide."""
    rng = random.Random(4)
    for variant in [v for v in VARIANTS if v.game.name == name][::9]:
        face, names = FACES[name], [f"P{seat}" for seat in range(variant.seats)]
        for match in positions(variant, 2, 25):
            if match.over:
                continue
            for me in range(variant.seats):
                world = another_world(variant.game, match.state, me, rng)
                here, there = (look_at(variant.game, state, me, names) for state in (match.state, world))
                assert [line.markup for line in face.draw(here)] == [line.markup for line in face.draw(there)]
                assert face.tell(here) == face.tell(there), f"{variant}, seat {me}, answer {match.n}"
                assert here.ask == there.ask
                if here.ask:
                    notes = [[face.remark(look, answer) for answer in here.ask.legal] for look in (here, there)]
                    assert notes[0] == notes[1]


def test_f5_cards_that_make_fourteen_are_marked(tmp_path: Path) -> None:
    face, game = FACES["fourteen"], GAMES["fourteen"]
    seen = 0
    for match in positions(Variant(game, 4, game.check_options(4)), 3, 1):
        for me in match.game.to_act(match.state):
            look = look_at(game, match.state, me, list("ABCD"))
            if not look.data["trick"]:
                assert not face.making_fourteen(look)
                continue
            last = game.names.index(look.data["trick"][-1]) % 13 + 1
            fits = {card for card in look.data["hand"][me] if game.names.index(card) % 13 + 1 + last == 14}
            drawn = "\n".join(line.plain for line in face.draw(look))
            assert drawn.count("⑭") == len(fits) + bool(fits)
            assert ("Making fourteen" in "\n".join(face.tell(look))) == bool(fits)
            seen += len(fits)
    assert seen > 10


def test_m1_the_field_is_drawn_in_rows_of_four_five_and_four(tmp_path: Path) -> None:
    face, game = FACES["mines"], GAMES["mines"]
    match = new_match(Variant(game, 2, {}), 1)
    lines = [line.plain for line in face.field(look_at(game, match.state, 0, ["Ada", "Ben"]))]
    rows = [re.findall(r"\b\d+\b", line) for line in lines]
    assert [row for row in rows if row] == [list("0123"), list("45678"), ["9", "10", "11", "12"]]
    words = "\n".join(face.tell(look_at(game, match.state, 0, ["Ada", "Ben"])))
    assert "Pile 0: yours, 4 cards, touches 1, 4, 5." in words or "Pile 0: Ben’s, 4 cards, touches 1, 4, 5." in words
    assert "Pile 6: unclaimed, 4 cards, touches 1, 2, 5, 7, 10, 11." in words


def test_in_words_the_table_is_told_again_only_when_someone_else_has_moved(
    run: Callable[..., tuple[int, str, str]],
) -> None:
    _, out, _ = run("play", "mines", "--seed", "3", "--bot", "random", typed="go\n0\nshow\n")
    assert "Dig one card" in out
    assert out.count("Pile 0: ") == 2, "once at the start of the turn, once because it was asked for"
    _, out, _ = run("play", "mines", "--new", "--seed", "3", "--bot", "random", typed="pass\n")
    assert out.count("Pile 0: ") == 2, "after the other's turn the field is told again"


def test_m3_the_step_of_the_turn_is_lit() -> None:
    face, game = FACES["mines"], GAMES["mines"]
    steps = set()
    for match in positions(Variant(game, 2, {"defence": "any"}), 5, 1):
        look = look_at(game, match.state, 0, ["Ada", "Ben"])
        lit = [step for step in face.STEPS if step.upper() in face.draw(look)[1].plain]
        assert lit == ([] if match.over else [face.step(look)])
        steps.update(lit)
    assert steps == set(face.STEPS)


def test_sentences_begin_with_a_capital_also_behind_a_suit() -> None:
    deal = {"event": "dealt", "first": 0}
    assert say(deal, mines_rules.EVENTS, str, 0) == "Thirteen piles are laid out. You begin."
    club = {"event": "club", "seat": 0, "moved": 1, "victim": 1}
    assert say(club, crystals_rules.EVENTS, lambda seat: "Ben", 0) == "♣ You take a crystal from Ben."
    assert say(club, crystals_rules.EVENTS, lambda seat: "Ben", 1) == "♣ Ben takes a crystal from you."


def in_a_terminal(arguments: list[str], keys: list[bytes], **environment: str) -> str:
    """What a program shows in a terminal of 80 columns until it ends; one of the keys is pressed at each prompt."""
    terminal, inside = pty.openpty()
    termios.tcsetwinsize(inside, (50, 80))
    process = subprocess.Popen(
        [
            "sh",
            "-c",
            'exec "$@" <"$0" >"$0" 2>&1',
            os.ttyname(inside),
            sys.executable,
            "-m",
            "diamonds.cli",
            *arguments,
        ],
        start_new_session=True,  # so that opening the terminal makes it the program's own, Control-C included
        env={**os.environ, "TERM": "xterm-256color", **environment},
    )
    prompt = b"" if "--plain" in arguments else "› ".encode()
    shown, pressed, end = b"", 0, time.monotonic() + 30
    while time.monotonic() < end:
        if select.select([terminal], [], [], 0.1)[0]:
            shown += os.read(terminal, 65536)
        elif process.poll() is not None:
            break
        elif pressed < len(keys) and (not prompt or shown.count(prompt) > pressed):
            os.write(terminal, keys[pressed])
            pressed += 1
    else:
        process.kill()
    process.wait()
    os.close(terminal)
    os.close(inside)
    return shown.decode()


def test_a_terminal_gets_colours_and_a_drawing(home: Path) -> None:
    shown = in_a_terminal(["play", "mines", "--seed", "1"], [b"?\n", b"quit\n"])
    assert "saved in" in shown
    assert "╭" in shown
    assert "\x1b[" in shown
    assert "(M" in shown


def test_no_color_is_respected_and_a_plain_table_is_drawn_nowhere(home: Path) -> None:
    shown = in_a_terminal(["play", "crystals", "--seed", "1"], [b"quit\n"], NO_COLOR="1")
    assert "━" in shown
    assert not re.search(r"\x1b\[[0-9;]*(?:3[0-9]|4[0-9]|9[0-7])(?:;|m)", shown), "a colour was set despite NO_COLOR"
    plain = in_a_terminal(["play", "crystals", "--plain"], [b"quit\n"])
    assert "Your hand: " in plain
    assert not BOXES & set(plain)
    assert not re.search(r"\x1b\[[0-9;]*m", plain)


def test_control_d_and_control_c_at_a_terminal_save_the_game(home: Path) -> None:
    for key in (b"\x04", b"\x03"):
        shown = in_a_terminal(["play", "crystals", "--seed", "1", "--new"], [b"h6\n", b"h13 d8\n", key])
        assert "saved in" in shown
        assert "Traceback" not in shown


def test_a_terminal_that_knows_only_ascii_still_shows_every_suit(home: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "diamonds.cli", "play", "crystals", "--seed", "1"],
        input=b"\xff\xfe\nh6\n?\nquit\n",
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"},
    )
    assert done.returncode == 0, done.stderr.decode()
    shown = done.stdout.decode("ascii")
    assert "You pass H6 to Ben." in shown
    assert "Your hand: D 8 - H 13 14" in shown
    assert not re.search(r"\?[0-9AJQK]", shown), "a suit was lost"


# Playthroughs


def playthrough(*arguments: str, answers: str | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "diamonds.cli", "playthrough", *arguments], input=answers, capture_output=True, text=True
    )


@pytest.mark.parametrize(
    ("game", "seats", "options"),
    [
        ("crystals", "4", ["--option", "partnership=on"]),
        ("fourteen", "3", ["--option", "target=5"]),
        ("mines", "2", []),
    ],
)
@pytest.mark.parametrize("form", ["seat answer", "seat question answer", "json", "bare"])
def test_a_playthrough_of_its_own_answers_is_the_same_game(
    run: Callable[..., tuple[int, str, str]], tmp_path: Path, game: str, seats: str, options: list[str], form: str
) -> None:
    arguments = ["playthrough", game, "--seats", seats, *options, "--seed", "6"]
    _, out, _ = run(*arguments)
    given = []
    for line in map(json.loads, out.splitlines()):
        if "ask" in line:
            seat, answer = line["seat"], line["answer"]
            given.append(
                {
                    "seat answer": f"{seat} {answer}",
                    "seat question answer": f"{seat} {line['ask'][0]['question']} {answer}",
                    "json": json.dumps({"seat": seat, "answer": answer}),
                    "bare": str(answer) if len(line["ask"]) == 1 else json.dumps({"seat": seat, "answer": answer}),
                }[form]
            )
    file = tmp_path / "answers.txt"
    file.write_text("\n".join(given) + "\n\n", encoding="utf-8")
    code, again, err = run(*arguments, "--answers", str(file))
    assert (code, err) == (0, "")
    assert again == out
    file.write_text("\n".join(given[:7]) + "\n", encoding="utf-8")
    code, part, err = run(*arguments, "--answers", str(file))
    assert (code, err) == (0, "")
    lines = part.splitlines()
    assert out.startswith("\n".join(lines[:-1]) + "\n")
    last = json.loads(lines[-1])
    full = [json.loads(line) for line in out.splitlines() if line.startswith('{"ask"')][7]
    assert last == {"ask": full["ask"]}, "where the answers end, what is asked should stand alone"


def test_a_referee_can_drive_a_playthrough_line_by_line() -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "diamonds.cli", "playthrough", "mines", "--seed", "3", "--answers", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdin
    assert process.stdout
    with process:
        head, deal = json.loads(process.stdout.readline()), json.loads(process.stdout.readline())
        assert (head["game"], len(deal["piles"])) == ("mines", 13)
        for _ in range(10):
            ask = json.loads(process.stdout.readline())
            assert set(ask) == {"ask"}, "what is asked is printed before an answer is read"
            seat, legal = ask["ask"][0]["seat"], ask["ask"][0]["legal"]
            process.stdin.write(f"{seat} {legal[-1]}\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline()) == {**ask, "seat": seat, "answer": legal[-1]}
            assert set(json.loads(process.stdout.readline())) == {"told"}
            assert set(json.loads(process.stdout.readline())) == {"numbers"}
        process.stdin.close()
        assert set(json.loads(process.stdout.readline())) == {"ask"}
        assert process.stdout.read() == ""
        assert process.wait() == 0


def test_the_cards_of_a_playthrough_are_those_of_the_seeds_secret(run: Callable[..., tuple[int, str, str]]) -> None:
    _, out, _ = run("playthrough", "crystals", "--seats", "3", "--seed", "12")
    lines = [json.loads(line) for line in out.splitlines()]
    found = [line for line in lines if "deal" in line]
    names = GAMES["crystals"].names
    for n, line in enumerate(found):
        deck = deals.deck(deals.seeded_secret(12), [b""] * 3, n, range(60))
        dealer = (lines[0]["first"] + n) % 3
        for k in range(3):
            hand = sorted(deck[k:30:3])
            assert line["hands"][(dealer + 1 + k) % 3] == [names[card] for card in hand]
        assert line["aside"] == [names[card] for card in sorted(deck[30:])]
    assert len(found) == 6


def test_the_numbers_of_a_playthrough_are_those_before_the_next_deal(run: Callable[..., tuple[int, str, str]]) -> None:
    _, out, _ = run("playthrough", "crystals", "--seats", "4", "--seed", "2")
    lines = [json.loads(line) for line in out.splitlines()]
    second = next(k for k, line in enumerate(lines) if line.get("deal") == 1)
    assert sum(lines[second - 1]["numbers"]["tricks"]) == 10, (
        "the round's ten tricks are to be seen before they are cleared"
    )
    told = [event["event"] for event in lines[second - 2]["told"]]
    assert told[-1] == "dealt", "what the next deal told belongs to the answer that led to it"
    assert "hands" in lines[second]


@pytest.mark.parametrize(
    ("answers", "sentence"),
    [("0 turn go\n0 turn go\n", "The question is dig"), ("1 turn go\n", "It is not your turn"), ("0 fly\n", "“fly” is no answer"),
     ("0 turn go now\n", "it should read like"), ("go\ndig\n", "is no answer"), ("x go\n", "it should read like"),
     ('{"seat": 0}\n', "it should read like"), ('{"seat": "0", "answer": "go"}\n', "it should read like"),
     ('{"seat": 0, "answer": true}\n', "is not an answer"), ('{"seat": 0, "answer": null}\n', "is not an answer"),
     ('{"seat": 7, "answer": "go"}\n', "no seat 7"), ("{" * 900 + "\n", "it should read like"), ("go" * 999, "longer than")],
)  # fmt: skip
def test_a_wrong_answer_in_a_playthrough_is_one_sentence(
    run: Callable[..., tuple[int, str, str]], tmp_path: Path, answers: str, sentence: str
) -> None:
    file = tmp_path / "answers.txt"
    file.write_text(answers, encoding="utf-8")
    code, out, err = run("playthrough", "mines", "--seed", "3", "--answers", str(file))
    assert code == 2
    assert sentence in err
    assert len(err.splitlines()) == 1
    assert all(json.loads(line) for line in out.splitlines())


def test_where_several_may_answer_the_seat_must_be_said(
    run: Callable[..., tuple[int, str, str]], tmp_path: Path
) -> None:
    file = tmp_path / "answers.txt"
    file.write_text("1\nD8\n", encoding="utf-8")
    code, _, err = run("playthrough", "crystals", "--seed", "1", "--answers", str(file))
    assert code == 2
    assert "4 seats are to act: say which seat answers" in err


# Replay and verify


def finished(tmp_path: Path, game: str = "crystals", seats: int = 4) -> tuple[Path, records.Match]:
    match = new_match(Variant(GAMES[game], seats, {}), 4)
    rng = random.Random(4)
    while not match.over:
        match.answer(*random_answer(match, rng))
    file = tmp_path / f"{game}.json"
    file.write_text(records.write_record(match), encoding="utf-8")
    return file, match


@pytest.mark.parametrize("game", GAMES)
def test_a_replay_tells_every_answer(run: Callable[..., tuple[int, str, str]], tmp_path: Path, game: str) -> None:
    file, match = finished(tmp_path, game, 2 if game == "mines" else 4)
    code, out, _ = run("replay", str(file))
    assert code == 0
    assert len(re.findall(r"^ *\d+  \S", out, re.M)) == match.n
    assert match.game.result(match.state)["reason"] in out.splitlines()[-1]


def test_r2_a_replay_for_a_seat_tells_what_that_seat_heard(
    run: Callable[..., tuple[int, str, str]], tmp_path: Path
) -> None:
    file, match = finished(tmp_path)
    _, all_told, _ = run("replay", str(file))
    _, own, _ = run("replay", str(file), "--seat", "1")
    hidden = [(seat, answer) for seat, question, answer in match.answers if question == "pass" and seat not in (0, 1)]
    assert hidden
    assert "passes cards to Seat 3" in own
    assert "passes cards to" not in all_told
    for line in own.splitlines():
        assert not re.search(r"Seat [023]: pass", line), f"seat 1 is told a card that it did not see: {line}"
    assert "Seat 2: pass" in all_told


def test_a_replay_shows_the_table_after_some_answers(run: Callable[..., tuple[int, str, str]], tmp_path: Path) -> None:
    file, match = finished(tmp_path)
    _, out, _ = run("replay", str(file), "--at", "12", "--seat", "2")
    view = views.as_data(match.game, views.view(match.game, match.at(12).state, 2))
    assert f"After 12 of {match.n} answers, as Seat 2 sees it" in out
    assert "Your hand: " in out
    assert "’s hand" not in out
    _, out, _ = run("replay", str(file), "--at", "12")
    assert out.count("’s hand: ") == 4
    assert view["round"] == 1
    assert run("replay", str(file), "--at", str(match.n))[0] == 0
    code, _, err = run("replay", str(file), "--at", str(match.n + 1))
    assert (code, len(err.splitlines())) == (2, 1)


def test_verify_says_what_was_shown_to_be_true(run: Callable[..., tuple[int, str, str]], tmp_path: Path) -> None:
    file, match = finished(tmp_path)
    code, out, err = run("verify", str(file))
    assert (code, err) == (0, "")
    assert deals.commitment(match.secret) in out
    assert "all 4 deals" in out
    assert f"All {match.n} answers were legal." in out
    assert out.endswith("Verified.\n")


def test_verify_of_a_game_that_was_left_goes_as_far_as_the_game(
    run: Callable[..., tuple[int, str, str]], home: Path
) -> None:
    run("play", "crystals", "--seed", "1", typed="1\n")
    code, out, _ = run("verify", str(home / "crystals.json"))
    assert code == 0
    assert "not over" in out
    assert out.endswith("Verified as far as it goes.\n")


# Simulations


def test_wilsons_interval_is_the_textbooks() -> None:
    low, high = simulate.interval(8, 10)
    assert (round(low, 4), round(high, 4)) == (0.4902, 0.9433)
    low, high = simulate.interval(0, 20)
    assert (low, round(high, 4)) == (0.0, 0.1611)


@pytest.mark.parametrize("bot", ["random", "simple"])
def test_a_simulation_counts_every_game(run: Callable[..., tuple[int, str, str]], bot: str) -> None:
    code, out, err = run("sim", "mines", "--games", "12", "--bot", bot, "--seed", "3", "--json")
    assert (code, err) == (0, "")
    summary = json.loads(out)
    assert (summary["games"], summary["seats"], summary["compiled"]) == (12, 2, False)
    assert sum(row["win_share"] for row in summary["rows"]) == pytest.approx(1, abs=0.001)
    for row in summary["rows"]:
        assert row["win_share_95"][0] <= row["win_share"] <= row["win_share_95"][1]
    again = json.loads(run("sim", "mines", "--games", "12", "--bot", bot, "--seed", "3", "--json")[1])
    assert again | {"games_per_second": 0} == summary | {"games_per_second": 0}, "the same seed gave other games"


def test_a_game_of_a_simulation_is_dealt_from_its_own_seed() -> None:
    game = GAMES["fourteen"]
    options = game.check_options(3, {"target": 5})
    many = list(simulate.one_by_one(game, 3, options, ["simple"] * 3, 3, 40))
    alone = [next(simulate.one_by_one(game, 3, options, ["simple"] * 3, 1, 40 + g)) for g in range(3)]
    assert many == alone, "rules of thumb draw nothing: game g of seed 40 is the first game of seed 40 + g"


def test_many_random_games_are_played_compiled_and_come_out_alike() -> None:
    game = GAMES["crystals"]
    options = game.check_options(3)
    fast = simulate.run(game, 3, options, ["random"] * 3, 2000, 1, False)
    assert fast["compiled"]
    slow = simulate.run(game, 3, options, ["random"] * 3, 60, 1, False)
    assert not slow["compiled"]
    for one, other in zip(fast["rows"], slow["rows"], strict=True):
        assert one["mean_score"] == pytest.approx(other["mean_score"], rel=0.1)
    assert fast["plies_per_game"] == pytest.approx(slow["plies_per_game"], rel=0.05)


def test_bots_given_once_play_every_seat_and_several_take_turns() -> None:
    assert bots(["random"], 3) == ["random"] * 3
    assert bots(["random", "simple"], 3) == ["random", "simple", "random"]
    assert bots([], 2) == ["simple", "simple"]
    with pytest.raises(Refused):
        bots(["random"] * 3, 2)


def test_a_simulation_in_words_has_a_line_for_every_seat(run: Callable[..., tuple[int, str, str]]) -> None:
    _, out, _ = run("sim", "crystals", "--seats", "2", "--games", "3", "--bot", "simple", "--bot", "random")
    assert re.search(r"^seat 0, bot simple, mean score [\d.]+, win share [\d.]+%, 95 % interval ", out, re.M)
    assert re.search(r"^seat 1, bot random, ", out, re.M)
    assert "answers a game" in out


# The rest


@pytest.mark.parametrize("game", GAMES)
def test_the_rules_of_every_game_can_be_read(run: Callable[..., tuple[int, str, str]], game: str) -> None:
    code, out, _ = run("rules", game)
    assert code == 0
    assert out == (ROOT / "docs" / "rules" / f"{game}.md").read_text(encoding="utf-8")


def test_the_rules_pages_travel_in_the_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    built = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]["build"]["targets"][
        "wheel"
    ]
    assert built["force-include"] == {"docs/rules": "diamonds/rulebook"}
    assert rulebook.FOLDERS[0] == Path(cli.__file__).parent / "rulebook"
    monkeypatch.setattr(rulebook, "FOLDERS", (tmp_path, *rulebook.FOLDERS[1:]))
    (tmp_path / "mines.md").write_text("# Shipped\n", encoding="utf-8")
    assert rulebook.page(GAMES["mines"]) == "# Shipped\n"


def test_the_rules_are_laid_out_on_a_terminal() -> None:
    shown = in_a_terminal(["rules", "mines"], [], PAGER="cat", LESS="-R")
    assert "Mines" in shown
    assert "The goal" in shown
    assert "# Mines" not in shown


def test_the_benchmarks_run_from_the_source_tree_or_say_where_they_are(
    run: Callable[..., tuple[int, str, str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bench").mkdir()
    (tmp_path / "a" / "b").mkdir(parents=True)
    monkeypatch.setattr(cli, "__file__", str(tmp_path / "a" / "b" / "cli.py"))
    monkeypatch.setattr(sys, "path", list(sys.path))
    code, _, err = run("bench", "--json")
    assert code == 2
    assert "part of the source tree" in err
    (tmp_path / "bench" / "bench.py").write_text(
        "def main(argv):\n    print('measured', *argv)\n    return 3 if '--fail' in argv else None\n", encoding="utf-8"
    )
    assert run("bench", "--json", "x", "--help") == (0, "measured --json x --help\n", "")
    assert run("bench", "--fail")[0] == 3


def test_the_command_line_wakes_no_compiler_until_it_is_wanted() -> None:
    code = "import sys, diamonds.cli; print(sorted({'numba', 'litestar', 'msgspec', 'markdown_it'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


@pytest.mark.parametrize("missing", ["typer", "rich"])
def test_without_typer_or_rich_one_sentence_says_what_to_install(missing: str) -> None:
    code = f"import sys; sys.modules[{missing!r}] = None; from diamonds.cli import main; main()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr == "The command line needs Typer and Rich: pip install 'diamonds[table]' brings them.\n"


def test_nothing_typed_is_the_list_of_commands(run: Callable[..., tuple[int, str, str]]) -> None:
    code, out, err = run()
    assert (code, err) == (0, "")
    for command in ("play", "sim", "playthrough", "replay", "verify", "rules", "bench"):
        assert re.search(rf"^  {command} ", out, re.M)


def test_a_reader_that_stops_listening_is_no_error() -> None:
    done = subprocess.run(
        f"{sys.executable} -m diamonds.cli playthrough crystals | head -n 2", shell=True, capture_output=True, text=True
    )
    assert len(done.stdout.splitlines()) == 2
    assert done.stderr == ""


def test_games_are_kept_where_the_environment_says(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("DIAMONDS_HOME", str(tmp_path))
    assert saved.file_of(GAMES["mines"]) == tmp_path / "mines.json"
    monkeypatch.delenv("DIAMONDS_HOME")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert saved.home() == tmp_path / "data" / "diamonds"
    monkeypatch.setenv("XDG_DATA_HOME", "relative/path")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert saved.home() == tmp_path / ".local" / "share" / "diamonds"


def test_a_game_of_another_origin_can_be_played_on(run: Callable[..., tuple[int, str, str]], tmp_path: Path) -> None:
    match = new_match(Variant(GAMES["crystals"], 3, {}), 4)
    match.players = ["Ann", "Bob (human)", "Cy"]
    file = tmp_path / "theirs.json"
    file.write_text(records.write_record(match, reveal=True), encoding="utf-8")
    code, out, _ = run("play", "crystals", "--file", str(file), "--seat", "2", "--bot", "random", typed="")
    assert code == 0
    assert "you are Cleo and play with Ada (random), Ben (random)" in out


def test_a_seat_that_a_game_lacks_is_refused_before_anything_moves(home: Path) -> None:
    with pytest.raises(Illegal, match="no seat 3"):
        sit(GAMES["crystals"], Wishes(seats=3, seat=3), None, False, Screen(plain=True))
    assert not home.exists()
