"""What is typed at the table: cards in any spelling, several at once, commands, undo."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from diamonds import records, views, words
from diamonds.fields import Question
from diamonds.game import GAMES, Malformed, Refused
from diamonds.rules import crystals as crystals_rules
from diamonds.rules import mines as mines_rules
from diamonds.terminal import rulebook, typed
from terminals import Run, left, table

pytestmark = pytest.mark.later

LETTER = {"crystals": "C", "fourteen": "F", "mines": "M"}

# Typing


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
    assert new.read(line, ask, new.offer()) == ["D8", "H13", "C3"]


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
        new.read(line, ask, new.offer())
    assert new.match.n == 1


def test_r1_an_illegal_answer_is_told_with_its_rule_and_asked_again(run: Run, home: Path) -> None:
    left(home, 1, "H6")
    code, out, _ = run("play", "crystals", typed="d7\nh6\nx\n\nh9\n")
    assert code == 0
    after = out[out.index("On the table, led in ♥: Ada ♥6.") :]
    said = ["You hold ♥: follow suit (C12).", "That card is not in your hand", "“x” is no answer", "You play ♥9."]
    places = [after.index(sentence) for sentence in said]
    assert places == sorted(places)
    assert after[: places[3]].count("Play a card.") >= 4, "after a refusal the question is asked again"


@pytest.mark.parametrize("game", GAMES)
def test_a_question_mark_explains_every_question_with_its_rule(game: str) -> None:
    page = rulebook.page(GAMES[game])
    ids = {question.name: words.name("terminal", "explain", game, question.name) for question in GAMES[game].questions}
    for question, explained in ((name, words.say(id)) for name, id in ids.items()):
        rules = re.findall(r"\b[CFM]\d+\b", explained)
        assert rules, f"{question} is explained without its rule"
        for rule in rules:
            assert rule[0] == LETTER[game]
            assert re.search(rf"\b{rule}\b", page), f"{question} cites {rule}, which the rules page lacks"


def test_help_names_every_command(run: Run) -> None:
    _, out, _ = run("play", "mines", "--seed", "1", typed="?\n")
    assert out.count("You may type: ") == 2, "after the help the choices are listed once more"
    for command, meaning in typed.COMMANDS.items():
        assert re.search(rf"^  {re.escape(command)} +{re.escape(words.say(meaning))}$", out, re.M)


def test_the_rules_can_be_read_at_the_table(run: Run) -> None:
    _, out, _ = run("play", "mines", "--seed", "1", typed="rules\n")
    assert rulebook.page(GAMES["mines"]) in out


@pytest.mark.parametrize("game", GAMES)
def test_undo_goes_back_to_the_own_last_decision_and_the_game_goes_on_from_there(tmp_path: Path, game: str) -> None:
    new = table(tmp_path, game, bots=("random",))
    for seed in range(6):
        before, n = new.match.state.tobytes(), new.match.n
        ask = new.look().ask
        assert ask
        wanted = new.face.wanted(new.look())
        choices = [choice.answer for choice in new.offer()]
        answers = random.Random(seed).sample(choices, wanted)
        line = " ".join(map(str, answers))
        new._give([(0, answer) for answer in new.read(line, ask, new.offer())])
        later = new.match.n
        while 0 not in new.match.game.to_act(new.match.state) and not new.match.over:
            new._bot(new.match.game.to_act(new.match.state)[0])
        new._undo()
        assert new.match.state.tobytes() == before, f"{game}, decision {seed}: undo led to another state"
        assert (new.match.n, later > n) == (n, True)
        saved_match = records.read_record((tmp_path / "game.json").read_bytes())
        assert saved_match.answers == new.match.answers, "what was taken back still stands on disk"
        assert re.fullmatch(r"0 undo \d+", saved_match.entries[-1]), "that something was taken back is not on disk"
        new._give([(0, answer) for answer in new.read(line, ask, new.offer())])
        while 0 not in new.match.game.to_act(new.match.state) and not new.match.over:
            new._bot(new.match.game.to_act(new.match.state)[0])


def test_undo_takes_back_all_cards_that_were_passed_together(tmp_path: Path) -> None:
    new = table(tmp_path, seat=3)
    for line in ("3", "1 2 3"):
        ask, n = new.look().ask, new.match.n
        assert ask
        new._give([(3, answer) for answer in new.read(line, ask, new.offer())])
    assert (n, new.match.n) == (1, 4)
    new._undo()
    assert new.match.answers == [(3, "count", 3)], "only some of the cards passed together were taken back"


def test_undo_before_the_first_answer_says_that_there_is_nothing(run: Run) -> None:
    _, out, _ = run("play", "mines", "--seed", "1", typed="undo\n")
    assert "nothing to take back" in out


def test_last_tells_what_has_happened_since_the_own_last_answer(run: Run, home: Path) -> None:
    left(home, 0)
    _, out, _ = run("play", "crystals", typed="h6\nlast\n")
    told = [line for line in out.splitlines() if line.startswith("  ")]
    first = told.index("  You play ♥6.")
    again = told.index("  You play ♥6.", first + 1)
    assert told[again:] == told[first:again]
    assert again - first >= 4, "three others have played since"
