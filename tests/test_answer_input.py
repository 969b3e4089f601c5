"""Input typed at the table: cards in any spelling, several answers at once, commands and undo."""

import random
import re

import pytest

from diamonds import i18n, record_reader, views
from diamonds.errors import DiamondsError, InvalidInputError
from diamonds.fields import Question
from diamonds.game import GAMES
from diamonds.rules import crystals as crystals_rules
from diamonds.rules import mines as mines_rules
from diamonds.terminal import answer_input, rulebook
from tests.support.terminal import new_session, saved_game

pytestmark = pytest.mark.later


# Typing


PLAY = Question("play", GAMES["fourteen"].card_names, "Play a card.")
LONG_PLAY = Question("play", GAMES["crystals"].card_names, "Play a card.")
OFFERED = answer_input.answer_choices(PLAY, ["D7", "H7", "HK", "SA"], ["", "", "", ""])


@pytest.mark.parametrize(
    ("line", "answer"),
    [("H7", "H7"), ("h7", "H7"), ("♥7", "H7"), ("♥ 7", "H7"), ("h 7", "H7"), ("7h", "H7"), ("7♥", "H7"), ("♡7", "H7"),
     ("♥️7", "H7"), (" H7 ", "H7"), ("play H7", "H7"), ("PLAY h7", "H7"), ("2", "H7"), ("1", "D7"), ("hk", "HK"),
     ("Kh", "HK"), ("h13", "HK"), ("s1", "SA"), ("♠A", "SA"), ("s", "SA"), ("♠", "SA"), ("d", "D7")],
)  # fmt: skip
def test_card_may_be_typed_in_many_ways(line, answer):
    assert answer_input.parse_answers(line, PLAY, OFFERED) == [answer]


def test_ambiguous_card_text_is_passed_on_unread():
    assert answer_input.parse_answers("h", PLAY, OFFERED) == ["h"], "two ♥ are legal, so “h” is ambiguous"


def test_number_not_on_the_list_is_rejected():
    for number in ("0", "5", "99999999999999999999"):
        with pytest.raises(InvalidInputError, match="Type a number from 1 to 4"):
            answer_input.parse_answers(number, PLAY, OFFERED)


def test_ranks_of_the_long_pack_are_numbers():
    offered = answer_input.answer_choices(LONG_PLAY, ["H13", "D1"], ["", ""])
    assert answer_input.parse_answers("h13 13h ♥13", LONG_PLAY, offered) == ["H13"] * 3
    assert answer_input.parse_answers("hk", LONG_PLAY, offered) == ["hk"], "expected crystals to have no kings"


def test_number_means_itself_where_answers_are_numbers():
    bid = Question("bid", tuple(range(14)), "How many ♦ will you take?")
    offered = answer_input.answer_choices(bid, list(range(14)), [""] * 14)
    assert [choice.key for choice in offered] == [str(n) for n in range(14)]
    assert answer_input.parse_answers("0", bid, offered) == [0]
    assert answer_input.parse_answers("13", bid, offered) == [13]
    dig = mines_rules.QUESTIONS[mines_rules.DIG]
    offered = answer_input.answer_choices(dig, [0, 12, "skip", "S7"], ["", "", "", ""])
    assert answer_input.parse_answers("12", dig, offered) == [12]
    assert answer_input.parse_answers("sk", dig, offered) == ["SK"], "expected ♠K to be read as a card"
    assert answer_input.parse_answers("ski", dig, offered) == ["skip"]
    assert answer_input.parse_answers("♠7", dig, offered) == ["S7"]


def test_victim_may_be_named():
    victim = crystals_rules.QUESTIONS[crystals_rules.VICTIM]
    offered = answer_input.answer_choices(victim, [1, 3], ["Ben (3 on show)", "Dan (5 on show)"])
    assert answer_input.parse_answers("dan", victim, offered) == [3]
    assert answer_input.parse_answers("b", victim, offered) == [1]
    assert answer_input.parse_answers("3", victim, offered) == [3]


def test_answers_are_never_spelled_like_commands():
    for game in GAMES.values():
        for question in game.questions:
            assert not [answer for answer in question.answers if answer_input.parse_command(str(answer))]


@pytest.mark.parametrize("line", ["h13 d8 c3", "C3 H13 D8", "♣3,♥13 ♦8", "1 3 7", "pass D8 H13 C3"])
def test_c9_cards_to_pass_may_be_typed_at_once_in_any_order(tmp_path, line):
    new = new_session(tmp_path)
    new.played = new.played.at(0)
    new.played.answer(3, 3)
    hand = views.view_data(new.played.game, new.played.state)["hand"][0]
    assert hand == ["D8", "H6", "H13", "H14", "S2", "C1", "C3", "C5", "C9", "C15"]
    ask = new.view().open_question
    assert ask
    assert new.parse_line(line, ask, new.choices()) == ["D8", "H13", "C3"]


@pytest.mark.parametrize(
    ("line", "sentence"),
    [("D8", "Type 3 cards; you typed 1."), ("D8 H13 C3 C5", "Type 3 cards; you typed 4."),
     ("D8 D8 C3", "You named a card twice."), ("D8 H13 D9", "That card is not in your hand."),
     ("D8 H13 11", "11 is not on the list. Type a number from 1 to 10."),
     ("D8 H13 fish", "“fish” is not an answer to “Choose a card to pass.”")],
)  # fmt: skip
def test_c9_wrong_set_of_cards_is_rejected_whole(tmp_path, line, sentence):
    new = new_session(tmp_path)
    new.played = new.played.at(0)
    new.played.answer(3, 3)
    ask = new.view().open_question
    assert ask
    with pytest.raises(DiamondsError, match=re.escape(sentence)):
        new.parse_line(line, ask, new.choices())
    assert new.played.n == 1


def test_r1_illegal_answer_is_rejected_by_rule_and_asked_again(run_cli, home):
    saved_game(home, 1, "H6")
    out = run_cli.output("play", "crystals", typed="d7\nh6\nx\n\nh9\n")
    after = out[out.index("On the table, ♥ led: Ada ♥6.") :]
    said = ["You hold ♥: follow suit.", "That card is not in your hand", "“x” is not an answer", "You play ♥9."]
    places = [after.index(sentence) for sentence in said]
    assert places == sorted(places)
    assert after[: places[3]].count("Play a card.") >= 4, "expected the question again after a rejected answer"


def test_help_names_every_command(run_cli):
    _, out, _ = run_cli("play", "mines", "--seed", "1", typed="?\n")
    assert out.count("You may type: ") == 2, "expected the choices again after the help"
    for command, meaning in answer_input.COMMANDS.items():
        assert re.search(rf"^  {re.escape(command)} +{re.escape(i18n.translate(meaning))}$", out, re.M)


def test_rules_can_be_read_at_the_table(run_cli):
    _, out, _ = run_cli("play", "mines", "--seed", "1", typed="rules\n")
    assert rulebook.rules_text(GAMES["mines"]) in out


@pytest.mark.parametrize("game", GAMES)
def test_undo_returns_to_the_players_last_decision(tmp_path, game):
    new = new_session(tmp_path, game, bots=("random",))
    for seed in range(6):
        before, n = new.played.state.tobytes(), new.played.n
        ask = new.view().open_question
        assert ask
        wanted = new.display.answers_needed(new.view())
        chosen = random.Random(seed).sample(new.choices(), wanted)
        line = " ".join(choice.key or str(choice.answer) for choice in chosen)
        answers = new.parse_line(line, ask, new.choices())
        assert set(answers) == {choice.answer for choice in chosen}
        new.apply_answers([(0, answer) for answer in answers])
        later = new.played.n
        while 0 not in new.played.game.to_act(new.played.state) and not new.played.over:
            new.play_bot(new.played.game.to_act(new.played.state)[0])
        new.undo()
        assert new.played.state.tobytes() == before, f"{game}, decision {seed}: undo led to another state"
        assert (new.played.n, later > n) == (n, True)
        saved_game = record_reader.load_record((tmp_path / "game.json").read_bytes())
        assert saved_game.answers == new.played.answers, "the undone answer is still on disk"
        assert re.fullmatch(r"0 undo \d+", saved_game.entries[-1]), "the undo is missing on disk"
        new.apply_answers([(0, answer) for answer in new.parse_line(line, ask, new.choices())])
        while 0 not in new.played.game.to_act(new.played.state) and not new.played.over:
            new.play_bot(new.played.game.to_act(new.played.state)[0])


def test_undo_takes_back_all_cards_passed_together(tmp_path):
    new = new_session(tmp_path, seat=3)
    for line in ("3", "1 2 3"):
        ask, n = new.view().open_question, new.played.n
        assert ask
        new.apply_answers([(3, answer) for answer in new.parse_line(line, ask, new.choices())])
    assert (n, new.played.n) == (1, 4)
    new.undo()
    assert new.played.answers == [(3, "count", 3)], "expected all cards passed together to be taken back"


def test_last_command_shows_events_since_the_players_last_answer(run_cli, home):
    saved_game(home, 0)
    _, out, _ = run_cli("play", "crystals", typed="h6\nlast\n")
    told = [line for line in out.splitlines() if line.startswith("  ")]
    first = told.index("  You play ♥6.")
    again = told.index("  You play ♥6.", first + 1)
    assert told[again:] == told[first:again]
    assert again - first >= 4, "expected the three answers since the player's last"
