"""A game in the terminal: played to its end, saved, resumed and never lost."""

import os
import random
import re
import subprocess
import sys
from collections.abc import Callable

import numpy as np
import pytest

from diamonds import record_reader, records
from diamonds.bots import kernels
from diamonds.bots.analysis import hints
from diamonds.bots.games.adapter import SearchParams, SearchResult
from diamonds.bots.search import search
from diamonds.errors import NotAllowedError
from diamonds.game import GAMES, Game, find_game
from diamonds.i18n import Message, translate
from diamonds.terminal import equal_cards, hints_and_reviews, save_file
from diamonds.terminal.open_session import SessionOptions, open_session
from diamonds.terminal.save_file import SaveError, SaveFile
from diamonds.terminal.screen import Screen
from diamonds.terminal.session import PlaySession
from tests.support.random_positions import Variant, indistinguishable_state, random_answer, start_variant
from tests.support.terminal import BOX_CHARACTERS, new_session, random_typing, saved_game

pytestmark = pytest.mark.kernels

NAMES = list(save_file.BOT_NAMES)


# Playing


@pytest.mark.parametrize(("game", "options", "seats"), [
    ("crystals", ["--option", "thief=on", "--option", "partnership=on", "--option", "rounds=2"], "6"),
    ("crystals", [], "2"),
    ("fourteen", ["--option", "scoring=bid", "--option", "bids=sealed", "--option", "target=6"], "4"),
    ("mines", [], "2"),
])  # fmt: skip
def test_game_can_be_played_to_its_end_through_a_pipe(run_cli, home, game, options, seats):
    out = run_cli.output("play", game, "--seats", seats, *options, "--seed", "3", typed=random_typing(1))
    file = home / f"{game}.json"
    played = record_reader.load_record(file.read_bytes())
    assert played.over
    result = played.game.result(played.state)
    assert f"The record is in {file}." in out
    assert out.count(f"{played.game.ending_text(result)}.") == 1, "expected the reason of the end once"
    assert "\x1b" not in out, "expected no colour codes in a pipe"
    assert not BOX_CHARACTERS & set(out), f"expected no drawings in a pipe: {BOX_CHARACTERS & set(out)}"
    assert run_cli("verify", str(file))[0] == 0


def test_answers_of_bots_in_a_terminal_game_can_be_computed_again(run_cli, home):
    for game, seats in (("crystals", "3"), ("fourteen", "3")):
        bots = ["--bot", "1", "--bot", "simple"]
        short = ["--option", "rounds=1" if game == "crystals" else "target=8"]
        run_cli.output("play", game, "--seats", seats, *bots, *short, "--seed", "3", typed=random_typing(1))
        assert "all match" in run_cli.output("verify", str(home / f"{game}.json"), "--bots")


def test_c21_end_counts_vaults_twice_and_names_the_winner(run_cli, home):
    _, out, _ = run_cli("play", "crystals", "--seats", "3", "--seed", "2", typed=random_typing(4))
    played = record_reader.load_record((home / "crystals.json").read_bytes())
    counted = re.findall(r"^  (\w+): Vault (\d+) × 2 \+ Showroom (\d+) = (\d+) points\.$", out, re.M)
    assert len(counted) == 3
    scores = played.game.result(played.state)["scores"]
    for name, vault, showroom, points in counted:
        assert int(points) == 2 * int(vault) + int(showroom) == scores[0 if name == "You" else NAMES.index(name)]
    winner = played.game.result(played.state)["winners"]
    assert re.search(f"^{'You win' if winner == [0] else NAMES[winner[0]] + ' wins'}: ", out, re.M)


def play_out(session: PlaySession, seed: int = 1) -> None:
    """Play a session to its end with seeded answers and heuristic bots."""
    rng, played = random.Random(seed), session.played
    while not played.over:
        seat = played.game.to_act(played.state)[0]
        if seat == session.player_seat:
            played.answer(seat, rng.choice(played.game.legal(played.state, seat)))
        else:
            session.play_bot(seat)
            played = session.played
    session.file.save(played)


def test_undo_names_the_answer_and_counts_what_followed(run_cli, home):
    saved_game(home, 0)
    _, out, _ = run_cli("play", "crystals", typed="h6\nundo\nundo\nundo\n")
    assert re.search(r"^You took back ♥6 and the \d moves after it\.$", out, re.M), out
    assert re.search(r"^You took back ♦8 and the 3 moves after it\.$", out, re.M), "expected the passed card, too"
    assert "Nothing to undo" in out
    assert not re.search(r"“play|“pass|n = ", out), "expected readable words, not the record's"
    _, out, _ = run_cli("play", "mines", "--seed", "3", "--bot", "random", typed="pass\n2\nundo\n")
    assert "You took back “claim pile 2”." in out, "expected no answers after it"


def test_undo_names_every_card_of_a_set_passed(run_cli):
    _, out, _ = run_cli("play", "crystals", "--seed", "3", "--bot", "simple", typed="h2 s4\nundo\n")
    assert re.search(r"^You took back ♥2 ♠4 and the \d+ moves after it\.$", out, re.M), out


def test_refusal_lists_the_choices_again(run_cli):
    _, out, _ = run_cli("play", "fourteen", "--seed", "3", "--bot", "simple", typed="x\n")
    _, refused = out.split("“x” is not an answer")
    assert "You may type: 1 ♥A, 2 ♥2" in refused, "expected the choices below the error"


def test_enter_gives_the_only_answer_and_no_other(run_cli, home):
    saved_game(home, 1, "H6")
    _, out, _ = run_cli("play", "crystals", typed="\n")
    assert "You play" not in out, "expected Enter to choose none of two legal ♥"
    assert "You have one choice" not in out
    out = run_cli.output("play", "fourteen", "--seed", "5", "--bot", "simple", typed=iter(["1\n", *["\n", "1\n"] * 60]))
    asked = out.split("You have one choice: press Enter.")
    assert len(asked) > 2, "expected a question with a single answer"
    for after in asked[1:]:
        only = re.match(r" You may type: 1 (\S+)\.\n", after)
        assert only, "one answer is listed"
        assert after[only.end() :].startswith(f"  You play {only[1]}."), "expected Enter to play it"


def test_hint_says_what_the_page_says_and_changes_nothing(run_cli, home):
    _, out, _ = run_cli("play", "crystals", "--seed", "3", "--bot", "simple", typed="hint\nhint\n")
    played = record_reader.load_record((home / "crystals.json").read_bytes())
    best = hints_and_reviews.make_hint(played, 0).choices[0]
    sentence = translate("page-hint-because", {"answer": best.text, "reason": best.reasons[0]})
    assert out.count(f"  {sentence}") == 2, "expected the same hint on request"
    assert all(out.casefold().count(translate(*reason).casefold()) >= 2 for reason in best.reasons), (
        "expected all reasons"
    )
    assert " About as good: ♥2 ♠4, ♠4 ♣6 or ♥2 ♥6." in out
    assert re.search(r"^  ♣6 ♣10: 0\.\d points less", out, re.M), "expected the next best answer and its distance"
    assert not [seat for seat, _, _ in played.answers if seat == 0]


@pytest.mark.parametrize(("named", "legal", "says"), [
    ("H2= S3= SK", "H2 S3 SK", "All but ♠K score about the same."),
    ("H2= S3= DQ", "H2 S3 DQ DK", "All cards but ♦ score about the same."),
    ("H2= D2 S9 CK", "H2 H3 D2 S9 CK", "All your ♥ score about the same."),
    ("H2= SJ= HQ CK DK", "H2 SJ HQ CK DK", "All cards up to J score alike."),
    ("H10= SJ= H2 C2 D2 S3", "H10 SJ H2 C2 D2 S3", "All cards from 10 up score alike."),
    ("H2= S8= DA CK H9", "H2 S8 DA CK H9", "All cards up to 8 but ♦ score alike."),
    ("H2= S8= H4 CK DA", "H2 S8 H4 CK DA", ""),
    ("H2 H9", "H2 H9", ""),
])  # fmt: skip
def test_terminal_names_equal_cards_as_the_page_does(named, legal, says):
    """A card that the hint does not name is as good as the next lower one of its suit. The first is the best."""
    empty = Message("as-it-is", {"text": ""})
    choices = [
        hints.HintChoice((card.rstrip("="),), empty, 0.0, 0.0, 0.0, 0.0, k > 0 and card.endswith("="), ())
        for k, card in enumerate(named.split())
    ]
    hint = hints.Hint("play", "points", tuple(choices), 64, empty)
    card_names = find_game("fourteen").card_names
    assert equal_cards.equal_cards_sentence(hint, legal.split(), card_names) == says


def test_r2_hint_depends_on_the_view_alone(tmp_path):
    session = new_session(tmp_path, "fourteen")
    played = session.played
    other = records.copy_game(played)
    other.state = indistinguishable_state(played.game, played.state, 0, random.Random(3))
    assert other.state.tobytes() != played.state.tobytes(), "expected other hidden cards in the other world"
    assert hints_and_reviews.make_hint(played, 0) == hints_and_reviews.make_hint(other, 0)


def test_review_lists_the_costliest_decisions_and_better_answers(tmp_path, capsys):
    session = new_session(tmp_path, "mines")
    with pytest.raises(NotAllowedError, match="when it is over"):
        session.run_command("review")
    play_out(session, 2)
    capsys.readouterr()
    session.run_command("review")
    out = capsys.readouterr().out
    judged = hints_and_reviews.make_review(session.played, session.player_seat, lambda done, total: None)
    marked = sorted((one for one in judged if one.marked), key=lambda one: -one.cost)
    assert marked, "expected mistakes of a random player"
    assert f"{len(marked)} of {len(judged)} moves clearly lowered the chance to win." in out
    told = re.findall(r"^  \d  (\d+) of 100 games lost, turn \d+: \w+\n     (.+)\. Better: (.+?)[;.]", out, re.M)
    assert [int(cost) for cost, _, _ in told] == [round(one.cost) for one in marked[: hints_and_reviews.MAX_LISTED]]
    assert [better for _, _, better in told] == [translate(*one.best) for one in marked[: hints_and_reviews.MAX_LISTED]]


def test_finished_game_stays_finished_and_enter_leaves(tmp_path, capsys, monkeypatch):
    session = new_session(tmp_path, "mines")
    play_out(session, 2)
    played_text = records.write_record(session.played)
    typed = iter(["hint", "show", "undo", ""])
    monkeypatch.setattr(session.screen, "read_line", lambda: next(typed))
    session.play()
    out = capsys.readouterr().out
    assert "You get hints on your turn." in out
    assert "The game is over." in out
    assert not [*typed], "expected Enter to leave"
    assert records.write_record(session.played) == played_text
    assert record_reader.load_record(played_text).over


def test_game_is_saved_after_every_answer_and_resumes(run_cli, home):
    out = run_cli.output("play", "fourteen", "--seed", "5", typed="1\n1\n1\n")
    assert f"The game is saved in {home / 'fourteen.json'}" in out
    left = record_reader.load_record((home / "fourteen.json").read_bytes())
    assert sum(seat == 0 for seat, _, _ in left.answers) == 3
    _, out, _ = run_cli("play", "fourteen", typed="1\nquit\n")
    assert f"Continuing after {left.n} answers" in out
    again = record_reader.load_record((home / "fourteen.json").read_bytes())
    assert again.answers[: left.n] == left.answers
    assert sum(seat == 0 for seat, _, _ in again.answers) == 4


def test_law_6_nothing_is_shown_before_it_is_on_disk(run_cli, home, monkeypatch):
    run_cli("play", "crystals", "--seed", "5", typed="")
    before = (home / "crystals.json").read_bytes()

    def full_disk(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full_disk)
    code, out, err = run_cli("play", "crystals", typed="2\n")
    assert code == 2
    assert err == f"The game cannot be saved as {home / 'crystals.json'}: no space left on device.\n"
    assert "You choose" not in out, "the answer was shown before it was on disk"
    assert (home / "crystals.json").read_bytes() == before, "expected the old game to survive a failed save"
    assert [path.name for path in home.iterdir()] == ["crystals.json"], "expected no temporary files"


def test_new_game_preserves_the_old_one_under_a_numbered_name(run_cli, home):
    kept = []
    for seed in "123":
        run_cli("play", "mines", "--seed", seed, "--new", typed="")
        kept.append((home / "mines.json").read_bytes())
    assert (home / "mines-1.json").read_bytes() == kept[0]
    assert (home / "mines-2.json").read_bytes() == kept[1]
    assert len(set(kept)) == 3


def test_finished_game_is_preserved_when_the_next_begins(run_cli, home):
    run_cli("play", "mines", "--seed", "1", typed=random_typing(2))
    finished = (home / "mines.json").read_bytes()
    assert "Continuing after" not in run_cli.output("play", "mines", typed="")
    assert (home / "mines-1.json").read_bytes() == finished


def test_finished_game_in_a_named_file_is_not_moved(run_cli, tmp_path):
    file = tmp_path / "deep" / "er" / "won game.json"
    run_cli("play", "mines", "--file", str(file), "--seed", "1", typed=random_typing(2))
    before = file.read_bytes()
    assert "is over" in run_cli.error("play", "mines", "--file", str(file), typed="")
    assert file.read_bytes() == before


def test_other_options_do_not_replace_a_saved_game(run_cli, home):
    run_cli("play", "crystals", "--seats", "3", "--seed", "1", "--option", "thief=on", "--bot", "random", typed="")
    before = (home / "crystals.json").read_bytes()
    for other in (["--seats", "4"], ["--seed", "2"], ["--seat", "1"], ["--option", "thief=off"], ["--bot", "simple"]):
        code, _, err = run_cli("play", "crystals", *other, typed="")
        assert code == 2, f"{other} was accepted despite a saved game"
        assert "--new" in err
    same = ["--seats", "3", "--seed", "1", "--option", "thief=on", "--bot", "random", "--seat", "0"]
    assert run_cli("play", "crystals", *same, typed="")[0] == 0
    assert (home / "crystals.json").read_bytes() == before


def test_two_processes_cannot_write_one_game(tmp_path):
    one, other = SaveFile(tmp_path / "g.json"), SaveFile(tmp_path / "g.json")
    played = start_variant(Variant(GAMES["mines"], 2, {}), 1)
    one.save(played)
    with pytest.raises(SaveError, match="Another program changed"):
        other.save(played)
    assert other.load(GAMES["mines"]) is not None
    played.answer(*random_answer(played, random.Random(1)))
    other.save(played)
    with pytest.raises(SaveError, match="Another program changed"):
        one.save(played)


def test_saved_game_records_who_has_which_seat(run_cli, home):
    run_cli("play", "crystals", "--seats", "3", "--seat", "1", "--bot", "simple", "--bot", "random", typed="")
    played = record_reader.load_record((home / "crystals.json").read_bytes())
    assert played.players == ["Ada", "Ben", "Cleo"]
    assert played.seat_holders == ["bot:simple", "person", "bot:random"]
    _, out, _ = run_cli("play", "crystals", typed="")
    assert "you are Ben and play against Ada (simple), Cleo (random)" in out


# Search levels


@pytest.fixture
def nothing_compiled(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Simulate a machine without compiled kernels; the compiler runs this line of Python."""

    def compiler(code: str) -> None:
        monkeypatch.setattr(kernels, "_loaded", set())
        monkeypatch.setattr(kernels, "compile_command", lambda *_: [sys.executable, "-c", code])

    return compiler


def test_game_with_levels_is_equal_with_or_without_a_kernel_cache(run_cli, home, nothing_compiled, monkeypatch):
    def think(game: Game, row: np.void, seat: int, effort: SearchParams, bits: int) -> tuple[SearchResult, int]:
        answer = int(game.rules.legal(row, seat)).bit_length() - 1  # the last legal answer, unlike every other bot
        return SearchResult([answer], [0.0], [1], 0), answer

    monkeypatch.setattr(search, "decide_with_bits", think)
    monkeypatch.setattr(search, "warm_up", lambda game: None)

    def game(name: str) -> tuple[bytes, str]:
        _, out, _ = run_cli(
            "play", "mines", "--file", str(home / name), "--seed", "9", "--bot", "1", typed=random_typing(6)
        )
        return (home / name).read_bytes(), out

    nothing_compiled("")
    monkeypatch.setattr(kernels.KernelCompiler, "is_done", False)
    cold, told = game("cold.json")
    assert kernels.is_loaded(GAMES["mines"])
    warm, told_warm = game("warm.json")
    assert cold == warm, "expected a level to play the same with and without a compiled search"
    assert told.count("is getting ready. The first time takes up to a minute.") == 1
    assert "is getting ready" not in told_warm


@pytest.mark.parametrize("begun", [True, False], ids=["while it compiles", "while it is started"])
def test_control_c_during_compilation_saves_and_stops_the_compiler(home, begun):
    wrote = f"file=open({str(home / 'compiler')!r}, 'w'), flush=True"
    compiler = f"print(os.getpid(), {wrote}); os.kill(os.getppid(), signal.SIGINT)" if begun else "pass"
    compiler = f"import os, signal, time; {compiler}; time.sleep(600)"
    program = f"""if True:
        import os, signal, subprocess, sys
        from diamonds import cli
        from diamonds.bots import kernels

        class Started(subprocess.Popen):
            def __init__(self, *args, **how):
                super().__init__(*args, **how)
                if not {begun}:
                    print(self.pid, {wrote})
                    os.kill(os.getpid(), signal.SIGINT)

        subprocess.Popen = Started
        kernels.compile_command = lambda *_: [sys.executable, "-c", {compiler!r}]
        sys.exit(cli.main("play fourteen --seat 1 --seed 3 --bot 5".split()))
    """
    home.mkdir()
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert f"The game is saved in {home / 'fourteen.json'}" in done.stdout
    assert record_reader.load_record((home / "fourteen.json").read_bytes()).n == 0, "expected no answer of a level"
    with pytest.raises(ProcessLookupError):  # the compiler process ends with the player's process
        os.kill(int((home / "compiler").read_text()), 0)


def test_failed_compilation_is_reported_and_the_game_is_saved(run_cli, home, nothing_compiled):
    nothing_compiled("raise SystemExit('the disk is full')")
    err = run_cli.error("play", "fourteen", "--seat", "1", "--seed", "3", "--bot", "5", typed="")
    assert err == "The levels cannot play here: their search cannot be compiled (the disk is full).\n"
    assert record_reader.load_record((home / "fourteen.json").read_bytes()).n == 0


def test_without_numba_levels_are_rejected_and_default_bots_play(run_cli, home, monkeypatch):
    played = start_variant(Variant(GAMES["mines"], 2, {}), 1)
    played.seat_holders = save_file.seat_holders(0, {1: "4"})
    home.mkdir()
    (home / "left.json").write_text(records.write_record(played, reveal=True), encoding="utf-8")
    monkeypatch.setattr(kernels, "find_spec", lambda name: None)
    monkeypatch.setattr(kernels, "_loaded", set())
    sentence = f"The bot 4 cannot play here: {translate(*kernels.NUMBA_REQUIRED)}.\n"
    for command in ("play mines --new --bot 4", "simulate mines --bot 4 --games 2", "arena mines 4 simple"):
        assert run_cli(*command.split(), typed="")[::2] == (2, sentence), command
    assert run_cli("play", "mines", "--file", str(home / "left.json"), typed="")[::2] == (2, sentence)
    assert "(simple)" in run_cli.output("play", "mines", "--new", typed="")


def test_environment_sets_the_folder_of_saved_games(monkeypatch, tmp_path):
    monkeypatch.setenv("DIAMONDS_HOME", str(tmp_path))
    assert save_file.save_path(GAMES["mines"]) == tmp_path / "mines.json"
    monkeypatch.delenv("DIAMONDS_HOME")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert save_file.data_dir() == tmp_path / "data" / "diamonds"
    monkeypatch.setenv("XDG_DATA_HOME", "relative/path")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert save_file.data_dir() == tmp_path / ".local" / "share" / "diamonds"


def test_game_of_another_origin_can_be_played_on(run_cli, tmp_path):
    played = start_variant(Variant(GAMES["crystals"], 3, {}), 4)
    played.players = ["Ann", "Bob (human)", "Cy"]
    file = tmp_path / "theirs.json"
    file.write_text(records.write_record(played, reveal=True), encoding="utf-8")
    out = run_cli.output("play", "crystals", "--file", str(file), "--seat", "2", "--bot", "random", typed="")
    assert "you are Cy and play against Ann (random), Bob (human) (random)" in out


def test_seat_that_a_game_lacks_is_rejected_at_the_start(home):
    with pytest.raises(NotAllowedError, match="no seat 3"):
        open_session(GAMES["crystals"], SessionOptions(seats=3, seat=3), None, False, Screen(plain=True))
    assert not home.exists()
