"""Side events in a replay: undos, seat changes, substitutes and forks, in their places."""

import pytest

from diamonds import record_reader, records
from diamonds.cards import card_symbol
from diamonds.game import GAMES
from diamonds.i18n import translate
from diamonds.records import RecordedGame, RecordForkOrigin
from diamonds.side_events import side_events
from diamonds.terminal.replay import player_names, show_steps
from diamonds.terminal.screen import Screen
from tests.support.random_positions import Variant, start_variant

NAMES = ["Ann", "Ben", "Cleo"]


def match_with_side_events(*entries: str, fork: int | None = None) -> RecordedGame:
    """Return a game of fourteen for three with all kinds of side events. Ann deals, so Ben bids first."""
    played = start_variant(Variant(GAMES["fourteen"], 3, {}), 2)
    record_reader.replay_entries(played, entries)
    if fork is not None:
        played.fork = RecordForkOrigin(played.commitment, fork)
    played.players = NAMES
    return played


def side_event_texts(played: RecordedGame, seat: int | None = None) -> dict[int, list[str]]:
    """Return the texts of side events by the number of answers before them."""
    return {n: [aside.text for aside in told] for n, told in side_events(played, NAMES, seat).items()}


def first_answers(played: RecordedGame, count: int) -> list[str]:
    """Return the next legal answers as entries."""
    on, lines = records.copy_game(played), []
    for _ in range(count):
        seat = on.game.to_act(on.state)[0]
        answer = on.game.legal(on.state, seat)[0]
        lines.append(f"{seat} {on.game.question(on.state).name} {answer}")
        on.answer(seat, answer)
    return lines


def test_undone_answers_are_named_before_the_effective_answer():
    one, two, three = first_answers(match_with_side_events(), 3)
    who, question, answer = two.split(" ")
    played = match_with_side_events(one, two, f"{who} undo 1", two, three)
    said = f"{NAMES[int(who)]} undoes a move. Undone: {NAMES[int(who)]}: {question} {card_symbol(answer)}."
    assert side_event_texts(played) == {1: [said]}
    [aside] = side_events(played, NAMES)[1]
    assert aside.event == {"event": "undo", "seat": int(who), "to": 1, "agreed": False}


def test_unnamed_person_is_called_by_seat_in_the_viewers_language():
    lines = first_answers(match_with_side_events(), 2)
    played = match_with_side_events(*lines, "0 seat open", f"{lines[1][0]} undo 1")
    played.players = ["", "Ben", ""]
    assert player_names(played) == ["Seat 1", "Ben", "Seat 3"]
    told = {
        aside.event["event"]: aside.message for found in side_events(played, ["", "", ""]).values() for aside in found
    }
    assert translate(*told["seat"], language="de") == "Platz 1 verlässt den Platz."
    seat, question, answer = lines[1].split(" ")
    assert f"Platz {int(seat) + 1}: {question} {card_symbol(answer)}" in translate(*told["undo"], language="de")


def test_many_undone_answers_are_counted():
    lines = first_answers(match_with_side_events(), 9)
    played = match_with_side_events(*lines, "2 undo 1 agreed", lines[1])
    assert side_event_texts(played) == {1: ["Cleo undoes a move with the others’ consent. 8 answers were removed."]}


def test_undo_of_an_undo_says_that_the_answers_are_effective_again():
    lines = first_answers(match_with_side_events(), 3)
    played = match_with_side_events(*lines, "0 undo 1", "0 undo 3")
    assert played.n == 3
    assert side_event_texts(played)[3][-1] == "Ann undoes a move. The undone answers are back."


def test_undone_answers_are_not_named_to_a_seat_as_they_may_be_hidden():
    crystals = start_variant(Variant(GAMES["crystals"], 4, {}), 2)
    lines = first_answers(crystals, 4)
    record_reader.replay_entries(crystals, [*lines, "0 undo 0"])
    for seat in range(4):
        [told] = side_events(crystals, ["A", "B", "C", "D"], seat)[0]
        assert told.text == "A undoes a move."


def test_seat_changes_substitutes_and_timeouts_are_shown_in_place():
    one, two = first_answers(match_with_side_events(), 2)
    played = match_with_side_events(
        one, "2 seat open", "2 seat bot:5", f"{two} by simple", "0 timeout", "2 seat person"
    )
    answering = NAMES[int(two[0])]
    assert side_event_texts(played) == {
        1: [
            "Cleo leaves the seat.",
            "A bot of level 5 takes Cleo’s seat.",
            f"A bot (simple) substitutes for {answering}.",
        ],
        2: ["Ann’s time is up.", "A person takes Cleo’s seat."],
    }


@pytest.mark.parametrize("shared", [0, 1, 2])
def test_fork_point_is_shown(shared):
    told = side_event_texts(match_with_side_events(*first_answers(match_with_side_events(), 2), fork=shared))
    assert told == {shared: ["This game continues another one from here, with its cards known."]}


def test_diamonds_replay_shows_side_events_between_steps(capsys):
    one, two = first_answers(match_with_side_events(), 2)
    played = match_with_side_events(one, f"{one[0]} undo 0", "2 seat bot:5", one, two)
    show_steps(played, None, Screen(plain=True))
    text = capsys.readouterr().out
    assert "undoes a move. Undone:" in text
    assert text.index("A bot of level 5 takes Cleo’s seat.") < text.index("   1  ")
