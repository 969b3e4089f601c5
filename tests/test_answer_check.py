"""Answers of bots in records, recomputed."""

import hashlib
import json
import random

import pytest

from diamonds import cli, deals, records
from diamonds.bots import levels
from diamonds.bots.answer_check import check_bot_answers
from diamonds.bots.bot import bot_view
from diamonds.decisions import bot_bits
from diamonds.game import GAMES
from diamonds.record_reader import load_record
from tests.support.random_positions import play_random_answers


def played_game(level: str = "simple", seed: int = 1, other: str = "random") -> records.RecordedGame:
    """Return a short finished game of a person who answers at random against bots, who answer in random order."""
    game, rng = GAMES["crystals"], random.Random(seed)
    played = records.start_game(game, 3, {"rounds": 1}, deals.seeded_secret(seed))
    played.seat_holders = ["person", f"bot:{level}", f"bot:{other}"]
    played.bots_version = levels.bots_version(game)
    play_on(played, rng)
    return played


def play_on(played: records.RecordedGame, rng: random.Random) -> None:
    """Finish a game: the bots answer as usual, in random order, and the person at random."""
    counts = [0] * played.seats
    while not played.over:
        seat = rng.choice(played.game.to_act(played.state))
        holder = played.seat_holders[seat]
        if holder == "person":
            played.answer(seat, rng.choice(played.game.legal(played.state, seat)))
        else:
            question = played.game.question(played.state)
            played.answer(seat, question.answers[levels.answer_in_game(holder[4:], played, seat, counts[seat])])
        counts[seat] += 1


def changed_record(played: records.RecordedGame) -> tuple[str, int]:
    """Return the record with the last free card of a bot exchanged, and the number of that entry."""
    for n in reversed(range(played.n)):
        earlier = played.at(n)
        seat, _, answer = played.answers[n]
        others = [one for one in played.game.legal(earlier.state, seat) if one != answer]
        if played.seat_holders[seat] == "bot:simple" and others:
            earlier.answer(seat, others[0])
            play_random_answers(earlier, random.Random(1))
            return records.write_record(earlier), n
    raise AssertionError("No bot had a choice.")


def test_every_bot_answer_is_repeated_in_any_simultaneous_order():
    for seed in (1, 2, 3):
        played = load_record(records.write_record(played_game(seed=seed)))
        number, differences = check_bot_answers(played)
        assert number == sum(seat > 0 for seat, _, _ in played.answers)
        assert not differences


@pytest.mark.kernels
def test_searching_level_is_repeated():
    assert not check_bot_answers(played_game("1")).differences


def test_changed_bot_answer_is_named_at_its_entry(tmp_path, capsys):
    played = played_game()
    text, n = changed_record(played)
    changed = load_record(text)
    first = check_bot_answers(changed).differences[0]
    _, question, answer = played.answers[n]
    assert first == (n, changed.entries[n], f"{question} {answer}")
    file = tmp_path / "game.json"
    file.write_text(text, encoding="utf-8")
    assert cli.main(["verify", str(file)]) == 0, "expected legal answers and fair deals"
    capsys.readouterr()
    assert cli.main(["verify", str(file), "--bots"]) != 0
    assert f"{n} ({changed.entries[n]}): {question} {answer}" in capsys.readouterr().err
    file.write_text(records.write_record(played), encoding="utf-8")
    assert cli.main(["verify", str(file), "--bots"]) == 0
    assert "all match" in capsys.readouterr().out


@pytest.mark.kernels
@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_version_of_the_bots_is_a_fingerprint_of_their_answers(game):
    names = [name for name in levels.BOTS if name != "random"]
    digest = hashlib.sha256()
    for seed in range(len(names)):
        played = records.start_game(game, game.default_seats, {}, deals.seeded_secret(seed))
        played.seat_holders = [f"bot:{names[(seed + seat) % len(names)]}" for seat in range(played.seats)]
        play_on(played, random.Random(seed))
        digest.update("\n".join(played.entries).encode())
    found = digest.hexdigest()[:12]
    assert levels.bots_version(game) == found, f"The bots answer differently: set `bots_version` to {found!r}."


def test_other_version_of_the_bots_is_named_instead_of_differences(tmp_path, capsys):
    text, _ = changed_record(played_game())
    file = tmp_path / "game.json"
    file.write_text(json.dumps({**json.loads(text), "bots": "abc123"}), encoding="utf-8")
    assert cli.main(["verify", str(file), "--bots"]) != 0
    told = capsys.readouterr().err
    assert "Other bots played here (version abc123; this program has " in told
    assert "It was changed" not in told


def test_records_name_the_bots_and_old_ones_do_not():
    played = played_game()
    record = records.to_record(played)
    assert record["bots"] == levels.bots_version(played.game)
    assert load_record(json.dumps(record)).bots_version == record.pop("bots")
    read = load_record(json.dumps(record))
    assert read.bots_version == ""
    assert "bots" not in records.to_record(read)


def test_answers_before_a_fork_are_not_checked():
    text, _ = changed_record(played_game())
    record = json.loads(text)
    fork = {"commitment": record["commitment"], "n": len(record["entries"])}
    assert check_bot_answers(load_record(json.dumps({**record, "fork": fork}))) == (0, [])


def test_undone_and_substituted_answers_are_checked_too():
    game, secret = GAMES["mines"], deals.seeded_secret(5)
    played = records.start_game(game, 2, {}, secret)
    seat = game.to_act(played.state)[0]
    played.seat_holders = ["person", "person"]
    view = bot_view(game, played.state, seat)
    question = game.question(played.state)
    number = levels.choose_with_bits("simple", view, question.name, bot_bits(secret, seat, 0))
    line = f"{seat} {question.name} {question.answers[number]} by simple"
    other = next(one for one in game.legal(played.state, seat) if one != question.answers[number])
    wrong = f"{seat} {question.name} {other} by simple"
    record = records.to_record(played, reveal=True)
    undo, plain = f"{seat} undo 0", line.removesuffix(" by simple")
    entries = [line, undo, wrong, undo, f"{seat} seat bot:simple", plain]
    checked = check_bot_answers(load_record(json.dumps({**record, "entries": entries})))
    assert checked == (3, [(2, wrong, f"{question.name} {question.answers[number]}")])


def test_bots_of_other_programs_are_left_out():
    played = played_game()
    record = {**records.to_record(played), "seated": ["person", "bot:mine", "bot:random"]}
    number, differences = check_bot_answers(load_record(json.dumps(record)))
    assert number == sum(seat == 2 for seat, _, _ in played.answers)
    assert not differences
