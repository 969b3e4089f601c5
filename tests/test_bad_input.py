"""Invalid input gets one error line and exit code 2: no traceback, no box, and no saved game lost."""

import copy
import functools
import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diamonds import cli, deals, record_reader, records
from diamonds.errors import DiamondsError
from diamonds.game import GAMES, OpenQuestion
from diamonds.terminal import answer_input, arguments
from diamonds.terminal.playthrough import parse_answer_line
from tests.support.random_positions import Variant, random_game, start_variant

pytestmark = pytest.mark.later

RunRefused = Callable[..., str]


@pytest.fixture
def run_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> RunRefused:
    """Run a command that must fail; return its error line."""
    monkeypatch.setenv("DIAMONDS_HOME", str(tmp_path / "games"))
    monkeypatch.chdir(tmp_path)

    def command(*arguments: str) -> str:
        monkeypatch.setattr(sys, "stdin", io.StringIO("1\n"))
        code = cli.main(list(arguments))
        out, err = capsys.readouterr()
        assert code == 2, f"{arguments} was accepted: {out}"
        return is_one_sentence(err)

    return command


def is_one_sentence(err: str) -> str:
    """Return standard error, asserted to be one readable line."""
    assert err.endswith("\n")
    assert len(err.splitlines()) == 1, f"expected one line:\n{err}"
    assert "Traceback" not in err
    assert not set("─│╭╰") & set(err), f"expected no box on standard error: {err}"
    assert err[:-1].isprintable()
    assert len(err) < 1100
    return err


# The command line

NONSENSE = [
    (["play"], "GAME"),
    (["play", "chess"], "There is no game “chess”"),
    (["play", "Crystals\n\nand more"], "There is no game"),
    (["play", "mines", "crystals"], "unexpected extra argument"),
    (["play", "crystals", "--seats", "7"], "2 to 6 players, not 7"),
    (["play", "crystals", "--seats", "four"], "whole number"),
    (["play", "crystals", "--seats", "٤"], "whole number"),
    (["play", "crystals", "--seats"], "--seats"),
    (["play", "crystals", "--option", "thief"], "written like thief=on"),
    (["play", "crystals", "--option", "=on"], "written like thief=on"),
    (["play", "crystals", "--option", "wings=on"], "has no option “wings”"),
    (["play", "crystals", "--option", "thief=maybe"], "thief must be off or on"),
    (["play", "crystals", "--option", "thief=on", "--option", "thief=off"], "given twice"),
    (["play", "crystals", "--seed", "monday"], "A seed must be a whole number"),
    (["play", "crystals", "--seed", "9" * 5000], "at most 18 digits"),
    (["play", "crystals", "--seat", "4"], "seats are 0 to 3"),
    (["play", "crystals", "--seat", "-1"], "at least 0"),
    (["play", "crystals", "--bot", "deepblue"], "There is no bot"),
    (["play", "crystals", "--bot", "a\x1b[31m\nb"], "There is no bot"),
    (["play", "mines", "--bot", "simple", "--bot", "simple"], "only one seat"),
    (["play", "mines", "--file", "/dev/null/game.json"], "cannot be"),
    (["play", "mines", "--file", "n" * 5000], "cannot be"),
    (["play", "mines", "--file", "nul\0byte"], "null byte"),
    (["play", "mines", "--file", "."], "cannot be read"),
    (["play", "mines", "--file", ".", "--new"], "cannot be set aside"),
    (["simulate", "mines", "--games", "0"], "at least 1"),
    (["simulate", "mines", "--games", "999999999999"], "at most 100,000,000"),
    (["simulate", "mines", "--bot", "random", "--bot", "random", "--bot", "random"], "only 2 seats"),
    (["arena", "mines", "simple"], "Mines is for 2 players, not 1."),
    (["arena", "mines", "simple", "random", "--blocks", "1"], "The number of blocks"),
    (["arena", "mines", "simple", "random", "--gain", "-2"], "The gain must be a number above 0"),
    (["arena", *["crystals", *["simple"] * 3], "--option", "partnership=on"], "4 or 6 players"),
    (["playthrough", "crystals", "--answers", "nowhere.txt"], "no such file"),
    (["playthrough", "crystals", "--answers", "/"], "is a directory"),
    (["playthrough", "crystals", "--answers", "binary"], "not text in UTF-8"),
    (["playthrough", "crystals", "--answers", "huge"], "larger than"),
    (["replay", "nowhere.json"], "no such file"),
    (["replay", "nul\0byte"], "null byte"),
    (["replay", "good.json", "--at", "-1"], "at least 0"),
    (["replay", "good.json", "--at", "99999"], "at most"),
    (["replay", "good.json", "--seat", "2"], "at most 1"),
    (["verify"], "FILE"),
    (["verify", "empty"], "not JSON"),
    (["verify", "binary"], "not readable JSON"),
    (["verify", "deep.json"], "not readable JSON"),
    (["verify", "huge"], "larger than 128,000,000 bytes"),
    (["verify", "/dev/zero"], "larger than 128,000,000 bytes"),
    (["verify", "list.json"], "JSON object"),
    (["verify", "unfinished.json"], "has no secret"),
    (["verify", "hostile.json"], "cannot be played"),
]


@functools.cache
def game_of_mines() -> tuple[str, str]:
    """Return the records of a game before its first answer and after its last."""
    mines = Variant(GAMES["mines"], 2, {})
    return records.write_record(start_variant(mines, 1)), records.write_record(random_game(mines, 1))


@pytest.fixture
def bad_files(tmp_path: Path) -> None:
    """Create files in a folder: one record, and many other files."""
    begun, text = game_of_mines()
    (tmp_path / "unfinished.json").write_text(begun, encoding="utf-8")
    (tmp_path / "good.json").write_text(text, encoding="utf-8")
    (tmp_path / "empty").write_bytes(b"")
    (tmp_path / "binary").write_bytes(bytes(range(128, 256)) * 20)
    with (tmp_path / "huge").open("wb") as huge:
        huge.truncate(record_reader.MAX_RECORD_BYTES + 1)
    (tmp_path / "deep.json").write_text("[" * 500_000, encoding="utf-8")
    (tmp_path / "list.json").write_text("[]", encoding="utf-8")
    data = json.loads(text)
    data["entries"][3] = "0 turn \x1b]0;gotcha\x07\x1b[2J"
    (tmp_path / "hostile.json").write_text(json.dumps(data), encoding="utf-8")


@pytest.mark.usefixtures("bad_files")
@pytest.mark.parametrize(
    ("arguments", "sentence"), NONSENSE, ids=[" ".join(a)[:50].replace("\0", "0") for a, _ in NONSENSE]
)
def test_invalid_arguments_get_one_error_line(run_refused, arguments, sentence):
    error = run_refused(*arguments)
    assert sentence in error, f"expected another error line: {error}"


def test_real_process_rejects_invalid_arguments_alike(tmp_path):
    for command, sentence in (
        (["simulate", "mines", "--bot", b"\xff\xfe"], b"There is no bot"),
        (["verify", b"\xff\xfe.json"], b"no such file"),
        (["play", "crystals", "--seed", "é".encode() * 50], b"A seed must be a whole number"),
    ):
        done = subprocess.run(
            [sys.executable, "-m", "diamonds", *command],
            capture_output=True,
            env={**os.environ, "PYTHONIOENCODING": "ascii"},
        )
        assert done.returncode == 2
        assert done.stdout == b""
        assert sentence in done.stderr
        assert done.stderr.count(b"\n") == 1


# Saved games


def test_unwritable_data_dir_is_reported(run_refused, tmp_path):
    (tmp_path / "games").write_text("a file where a folder should be", encoding="utf-8")
    assert "cannot be saved" in run_refused("play", "mines")
    assert (tmp_path / "games").read_text(encoding="utf-8") == "a file where a folder should be"


MAX_FILE_SIZE = 1_000_000  # a lower size limit for records, which the test can exceed quickly


def damaged_saves() -> dict[str, bytes]:
    """Write saved games with every kind of damage."""
    played = records.start_game(GAMES["mines"], 2, {}, deals.seeded_secret(1))
    good = records.write_record(played, reveal=True)
    return {
        "garbage": b"garbage",
        "another game": records.write_record(
            records.start_game(GAMES["fourteen"], 4, {}, deals.seeded_secret(2)), reveal=True
        ).encode(),
        "no secret": records.write_record(played).encode(),
        "other rules": good.replace('"rules_version": 1', '"rules_version": 999').encode(),
        "other cards": good.replace(played.secret.hex(), "00" * 32).encode(),
        "huge": b" " * (MAX_FILE_SIZE + 1),
    }


@pytest.mark.parametrize("how", damaged_saves())
def test_unreadable_saved_game_is_preserved(run_refused, tmp_path, how, capsys, monkeypatch):
    monkeypatch.setattr(record_reader, "MAX_RECORD_BYTES", MAX_FILE_SIZE)
    monkeypatch.setattr(arguments, "MAX_RECORD_BYTES", MAX_FILE_SIZE)
    file = tmp_path / "games" / "mines.json"
    file.parent.mkdir()
    file.write_bytes(damaged_saves()[how])
    error = run_refused("play", "mines")
    assert str(file) in error
    assert "--new" in error
    assert file.read_bytes() == damaged_saves()[how], "expected the saved game to be untouched"
    assert cli.main(["play", "mines", "--new"]) == 0
    assert "saved as" in capsys.readouterr().out
    assert (tmp_path / "games" / "mines-1.json").read_bytes() == damaged_saves()[how], "expected a copy"
    assert record_reader.load_record(file.read_bytes()).game.name == "mines"


def test_impossible_option_leaves_the_saved_game_alone(run_refused, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    cli.main(["play", "crystals", "--seed", "1"])
    capsys.readouterr()
    file = tmp_path / "games" / "crystals.json"
    before = file.read_bytes()
    run_refused("play", "crystals", "--new", "--seats", "3", "--option", "partnership=on")
    run_refused("play", "crystals", "--new", "--bot", "nobody")
    run_refused("play", "crystals", "--new", "--seat", "5")
    assert [path.name for path in file.parent.iterdir()] == ["crystals.json"]
    assert file.read_bytes() == before


# Random input

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)


RECORD = records.to_record(random_game(Variant(GAMES["mines"], 2, {}), 3, 25), reveal=True)
RECORD_TEXT = json.dumps(RECORD, ensure_ascii=False)


def assert_read_or_refused(text: str | bytes) -> None:
    """Assert that a record is either read completely or rejected."""
    try:
        played = record_reader.load_record(text)
    except DiamondsError:
        return
    again = record_reader.load_record(records.write_record(played, reveal=True))
    assert again.state.tobytes() == played.state.tobytes()


@given(st.data())
def test_record_with_any_value_anywhere_is_read_or_rejected(data):
    spoilt = copy.deepcopy(RECORD)
    key = data.draw(st.sampled_from(sorted(spoilt)))
    if isinstance(spoilt[key], list) and spoilt[key] and data.draw(st.booleans()):
        spoilt[key][data.draw(st.integers(0, len(spoilt[key]) - 1))] = data.draw(JSON)
    elif isinstance(spoilt[key], dict) and data.draw(st.booleans()):
        spoilt[key][data.draw(st.sampled_from(sorted(spoilt[key])) | st.text(max_size=5))] = data.draw(JSON)
    else:
        spoilt[key] = data.draw(JSON)
    assert_read_or_refused(json.dumps(spoilt))


@given(st.integers(0, len(RECORD_TEXT) - 1), st.integers(0, 40), st.text(max_size=6))
def test_record_with_any_text_anywhere_is_read_or_rejected(place, length, put):
    assert_read_or_refused(RECORD_TEXT[:place] + put + RECORD_TEXT[place + length :])


@given(
    st.lists(
        st.sampled_from([*RECORD["entries"], "1 undo 2", "0 undo 0 agreed", "0 seat open", "1 seat bot:5", "0 timeout"])
        | st.from_regex(r"[0-9]{1,3} [a-z_]{1,8} [A-Z0-9a-z]{1,4}", fullmatch=True),
        max_size=30,
    )
)
def test_random_entries_are_played_or_rejected(entries):
    assert_read_or_refused(json.dumps({**RECORD, "entries": entries}))


@given(
    st.sampled_from([question for game in GAMES.values() for question in game.questions]),
    st.text(max_size=30) | st.from_regex(r"[♦♥♠♣dhscDHSC]? ?[0-9AJQKajqk]{1,3}[,; ]?", fullmatch=True),
    st.data(),
)
def test_typed_text_becomes_answers_or_is_rejected(question, line, data):
    legal = data.draw(st.lists(st.sampled_from(question.answers), max_size=6, unique=True))
    offered = answer_input.answer_choices(question, legal, [""] * len(legal))
    try:
        answers = answer_input.parse_answers(line, question, offered)
    except DiamondsError:
        return
    assert all(isinstance(answer, int | str) for answer in answers)


@given(st.text(max_size=60) | JSON.map(json.dumps), st.integers(1, 3))
def test_playthrough_input_is_an_answer_or_is_rejected(line, count):
    asks = [OpenQuestion(seat, "pass", ["D7"]) for seat in range(count)]
    try:
        seat, question, _ = parse_answer_line(line.strip() or "x", asks, 0)
    except DiamondsError:
        return
    assert isinstance(seat, int)
    assert question is None or isinstance(question, str)


@given(st.text(max_size=40))
def test_integers_are_read_or_rejected(text):
    try:
        number = arguments.whole_number(text, "It")
    except DiamondsError:
        assert not (text.isascii() and text.isdecimal() and len(text) <= 18)
    else:
        assert number == int(text)
