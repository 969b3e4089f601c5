"""Playthroughs: a whole game as JSON lines, controlled line by line from outside."""

import json
import subprocess
import sys
import threading

import pytest

from diamonds import deals
from diamonds.game import GAMES

# Playthroughs


@pytest.mark.parametrize(("game", "seats", "options"), [
    ("crystals", "4", ["--option", "partnership=on", "--option", "rounds=1"]),
    ("fourteen", "3", ["--option", "target=5"]),
    ("mines", "2", []),
])  # fmt: skip
@pytest.mark.parametrize("form", [
    "seat answer",
    "seat question answer",
    *(pytest.param(form, marks=pytest.mark.later) for form in ("json", "bare")),
])  # fmt: skip
def test_playthrough_of_its_own_answers_is_the_same_game(run_cli, tmp_path, game, seats, options, form):
    arguments = ["playthrough", game, "--seats", seats, *options, "--seed", "6"]
    _, out, _ = run_cli(*arguments)
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
    assert run_cli.output(*arguments, "--answers", str(file)) == out
    file.write_text("\n".join(given[:7]) + "\n", encoding="utf-8")
    part = run_cli.output(*arguments, "--answers", str(file))
    lines = part.splitlines()
    assert out.startswith("\n".join(lines[:-1]) + "\n")
    last = json.loads(lines[-1])
    full = [json.loads(line) for line in out.splitlines() if line.startswith('{"ask"')][7]
    assert last == {"ask": full["ask"]}, "expected only the question after the last answer"


@pytest.mark.later
def test_external_program_can_drive_a_playthrough_by_lines():
    process = subprocess.Popen(
        [sys.executable, "-m", "diamonds", "playthrough", "mines", "--seed", "3", "--answers", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdin
    assert process.stdout
    patience = threading.Timer(30, process.kill)  # ends a program that waits for input left in a buffer
    patience.start()
    with process:
        head, deal = json.loads(process.stdout.readline()), json.loads(process.stdout.readline())
        assert (head["game"], len(deal["piles"])) == ("mines", 13)
        for _ in range(10):
            ask = json.loads(process.stdout.readline())
            assert set(ask) == {"ask"}, "expected the question before its answer is read"
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
    patience.cancel()


def test_cards_of_a_playthrough_are_those_of_the_seeds_secret(run_cli):
    _, out, _ = run_cli("playthrough", "crystals", "--seats", "3", "--seed", "12")
    lines = [json.loads(line) for line in out.splitlines()]
    found = [line for line in lines if "deal" in line]
    names = GAMES["crystals"].card_names
    for n, line in enumerate(found):
        deck = deals.deck(deals.seeded_secret(12), [b""] * 3, n, range(60))
        dealer = (lines[0]["first"] + n) % 3
        for k in range(3):
            hand = sorted(deck[k:30:3])
            assert line["hands"][(dealer + 1 + k) % 3] == [names[card] for card in hand]
        assert line["aside"] == [names[card] for card in sorted(deck[30:])]
    assert len(found) == 6


def test_numbers_of_a_playthrough_are_those_before_the_next_deal(run_cli):
    _, out, _ = run_cli("playthrough", "crystals", "--seats", "4", "--seed", "2")
    lines = [json.loads(line) for line in out.splitlines()]
    second = next(k for k, line in enumerate(lines) if line.get("deal") == 1)
    assert sum(lines[second - 1]["numbers"]["tricks"]) == 10, "expected the round's ten tricks before they are cleared"
    told = [event["event"] for event in lines[second - 2]["told"]]
    assert told[-1] == "dealt", "expected the events of the deal with the answer that led to it"
    assert "hands" in lines[second]


@pytest.mark.parametrize(
    ("answers", "sentence"),
    [("0 turn go\n0 turn go\n", "The question is dig"), ("1 turn go\n", "It is not your turn"), ("0 fly\n", "“fly” is not an answer"),
     ("0 turn go now\n", "it should read like"), ("go\ndig\n", "is not an answer"), ("x go\n", "it should read like"),
     ('{"seat": 0}\n', "it should read like"), ('{"seat": "0", "answer": "go"}\n', "it should read like"),
     ('{"seat": 0, "answer": true}\n', "is not an answer"), ('{"seat": 0, "answer": null}\n', "is not an answer"),
     ('{"seat": 7, "answer": "go"}\n', "no seat 7"), ("{" * 900 + "\n", "it should read like"), ("go" * 999, "longer than")],
)  # fmt: skip
def test_wrong_answer_in_a_playthrough_gets_one_error_line(run_cli, tmp_path, answers, sentence):
    file = tmp_path / "answers.txt"
    file.write_text(answers, encoding="utf-8")
    code, out, err = run_cli("playthrough", "mines", "--seed", "3", "--answers", str(file))
    assert code == 2
    assert sentence in err
    assert len(err.splitlines()) == 1
    assert all(json.loads(line) for line in out.splitlines())


def test_seat_is_required_where_several_may_answer(run_cli, tmp_path):
    file = tmp_path / "answers.txt"
    file.write_text("1\nD8\n", encoding="utf-8")
    err = run_cli.error("playthrough", "crystals", "--seed", "1", "--answers", str(file))
    assert "4 seats have to answer: say which one does" in err


def test_verify_rejects_a_playthrough(run_cli, tmp_path):
    _, lines, _ = run_cli("playthrough", "mines", "--seed", "1")
    (tmp_path / "game.jsonl").write_text(lines, encoding="utf-8")
    assert run_cli("verify", str(tmp_path / "game.jsonl")) == (
        2,
        "",
        "game.jsonl: This is a playthrough, not a record. Save a record with “diamonds play GAME --file FILE”, "
        "or at a finished table of a server.\n",
    )
