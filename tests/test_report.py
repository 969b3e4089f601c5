"""What the arena says: lines, charts, and the command."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from diamonds.cli import main
from diamonds.lab import report
from diamonds.lab.arena import Estimate, Line, Match, Result, check


def result(*lines: tuple[str, float, float]) -> Result:
    """A result with these margins."""
    made = [
        Line(bot, Estimate(mean, wide), Estimate(2, 0.1), Estimate(0.5, 0.05), 0.25, 1.0, 9.0, Estimate(0.5, 0.1))
        for bot, mean, wide in lines
    ]
    match = check(Match("crystals", ("5", "simple", "simple", "simple"), {"perfect": True}, 7))
    return Result(match, 10, 40, made, "0", 1, 1.0)


def test_a_result_names_everything_needed_to_repeat_it() -> None:
    first = report.text(result(("5", 4.5, 0.5), ("simple", -1.5, 0.2))).splitlines()[0]
    assert first == "Crystals for 4, perfect on: 5 simple simple simple · 10 blocks, 40 games, seed 7"


def test_a_chart_puts_each_mean_inside_its_interval_and_zero_in_the_middle() -> None:
    better, worse, axis = report.chart([("5", Estimate(4.0, 1.0)), ("simple", Estimate(-2.5, 0.0))])
    marks = better[12:]
    assert marks[20] + marks[36] == "│●", "4 of 5 lies at four fifths of the way from the middle"
    assert marks[31:36] + marks[37:] == "·────────", "the interval goes from 3 to 5"
    assert worse[12:][10] == "●"
    assert axis.split() == ["-5.00", "0", "+5.00"]


def test_the_picture_is_svg_with_an_interval_for_each_bot() -> None:
    root = ElementTree.fromstring(report.svg(result(("5", 4.5, 0.5), ("simple", -1.5, 0.2))))
    kinds = [child.tag.split("}")[1] for child in root]
    assert kinds.count("circle") == 2
    middle = float(root.findall("{*}line")[0].attrib["x1"])
    circles = [float(circle.attrib["cx"]) for circle in root.findall("{*}circle")]
    assert circles[0] > middle > circles[1], "the better bot stands right of zero, the worse one left"


def test_the_command_plays_a_match_and_keeps_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept, drawn = tmp_path / "result.json", tmp_path / "chart.svg"
    arguments = ["arena", "fourteen", "simple", "random", "random", "--blocks", "2", "--processes", "1", "--seed", "4"]
    assert main([*arguments, "--json", str(kept), "--chart", str(drawn)]) == 0
    said = capsys.readouterr().out
    assert "Fourteen for 3: simple random random · 2 blocks, 6 games, seed 4" in said
    assert json.loads(kept.read_text())["games"] == 6
    assert drawn.read_text().startswith("<svg")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["chess", "simple"], "There is no game “chess”"),
        (["mines", "simple"], "Mines is for 2 players, not 1."),
        (["mines", "simple", "random", "--blocks", "1"], "The number of blocks"),
        (["mines", "simple", "random", "--gain", "-2"], "The gain is a number above 0"),
        (["mines", "simple", "deep blue"], "There is no bot"),
    ],
)
def test_the_command_refuses_in_one_sentence(
    arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["arena", *arguments]) == 2
    error = capsys.readouterr().err
    assert sentence in error
    assert error.count("\n") == 1
