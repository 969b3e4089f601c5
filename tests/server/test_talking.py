"""What people say to each other: sentences and ready phrases, who reads them, and who may not talk."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from guests import Guest, House, first_legal, full_table

from diamonds.server.api.messages import Phrase
from diamonds.words import say as in_words

pytestmark = pytest.mark.later

KEYS = (f"talk-key-{k}" for k in range(1_000_000))


def say(guest: Guest, table: str, expect: int = 200, **line: str) -> Any:
    return guest.post(f"/api/tables/{table}/chat", {"key": next(KEYS), **line}, expect)


def heard(guest: Guest, table: str) -> list[str]:
    return [line["text"] or line["phrase"] for line in guest.look(table)["table"]["chat"]]


def talk(guest: Guest, table: str, what: str, expect: int = 200) -> Any:
    return guest.post(f"/api/tables/{table}/talk", {"talk": what, "key": next(KEYS)}, expect)


def play_mines_out(guests: list[Guest], table: str) -> None:
    """Both pass every turn, until the game is a draw."""
    for _ in range(2_000):
        for guest in guests:
            message = guest.look(table)
            if message["table"]["phase"] == "over":
                return
            if message["ask"]:
                guest.answer(table, message["n"], first_legal(message))
    raise AssertionError("The game does not end.")


def test_a_phrase_is_told_by_its_id_and_every_language_has_words_for_it(house: House) -> None:
    table, (ann, ben) = full_table(house, "mines", 2)
    for phrase in Phrase.__args__:
        say(ann, table, phrase=phrase)
        for language in ("en", "de"):
            words = in_words(f"page-phrase-{phrase}", {}, language)
            assert "page-phrase" not in words, f"{phrase} has no words in {language}."
    assert heard(ben, table) == [*Phrase.__args__]
    say(ann, table, 400, phrase="you-cheat")
    say(ann, table, 400, phrase="hello", text="hello")
    say(ann, table, 400)
    say(ann, table, 400, text="   ")


def test_who_made_the_table_says_what_may_be_said_and_a_restart_keeps_it(
    open_house: Callable[..., House], tmp_path: Path
) -> None:
    house = open_house(tmp_path)
    table, (ann, ben) = full_table(house, "mines", 2, talk="phrases")
    assert ben.look(table)["table"]["talk"] == "phrases"
    assert "ready phrases" in say(ben, table, 403, text="hello")["error"]
    say(ben, table, phrase="hello")
    talk(ben, table, "all", 403)
    talk(ann, table, "anything", 400)
    talk(ann, table, "none")
    house.restart(ann, ben)
    assert ben.look(table)["table"]["talk"] == "none", "a restart let everybody talk"
    assert "quiet" in say(ben, table, 403, phrase="hello")["error"]
    say(ann, table, 403, text="not even I")
    talk(ann, table, "all")
    say(ben, table, text="thank you")
    assert heard(ann, table) == ["hello", "thank you"]


def test_the_next_game_of_the_same_people_is_as_talkative_as_the_last(house: House) -> None:
    table, guests = full_table(house, "mines", 2, talk="phrases")
    play_mines_out(guests, table)
    again = guests[0].post(f"/api/tables/{table}/again", {}, 201)["id"]
    assert guests[0].look(again)["table"]["talk"] == "phrases"


def test_those_who_watch_talk_among_themselves_and_players_read_it_when_the_game_is_over(house: House) -> None:
    table, guests = full_table(house, "mines", 2)
    dora, emil = house.guest(), house.guest()
    tap = guests[0].listen(table)
    say(dora, table, text="he has it")
    say(guests[0], table, phrase="moment")
    for watching in (dora, emil):
        lines = watching.look(table)["table"]["chat"]
        assert [(line["text"] or line["phrase"], line["aside"]) for line in lines] == [
            ("he has it", True),
            ("moment", False),
        ]
    for playing in guests:
        assert heard(playing, table) == ["moment"], "a player reads during the game what spectators say"
    play_mines_out(guests, table)
    tap.wait_for(guests[0].look(table)["n"])
    during = [event for event in tap.events if b"he has it" in event]
    assert all(b'"phase":"over"' in event for event in during), "the stream told a player before the end"
    tap.close()
    assert heard(guests[0], table) == ["he has it", "moment"]
    say(dora, table, text="well fought")
    assert heard(guests[1], table)[-1] == "well fought", "after the game everybody talks with everybody"


@pytest.mark.parametrize("line", [{"text": "I have hearts"}, {"phrase": "nice"}])
def test_c23_not_even_a_phrase_is_said_while_partners_play(house: House, line: dict[str, str]) -> None:
    table, guests = full_table(house, "crystals", 4, options={"partnership": True})
    watching = house.guest()
    for guest in (*guests, watching):
        assert guest.look(table)["table"]["silent"] is True
        assert "C23" in say(guest, table, 409, **line)["error"]
        assert heard(guest, table) == []
    alone, _ = full_table(house, "crystals", 4)
    assert watching.look(alone)["table"]["silent"] is False


def test_whose_a_line_is_can_be_told_at_one_table_and_followed_to_no_other(house: House) -> None:
    table, (ann, ben) = full_table(house, "mines", 2)
    other, _ = full_table(house, "mines", 2)
    ann.post("/api/me", {"name": "Zoe"}, 200)
    say(ann, table, text="one")
    ann.post("/api/me", {"name": "Ida"}, 200)
    say(ann, table, text="two")
    say(ben, table, text="three")
    say(ann, other, text="four")
    one, two, three = (line["by"] for line in ben.look(table)["table"]["chat"])
    assert one == two != three, "another name makes another voice"
    [four] = (line["by"] for line in house.guest().look(other)["table"]["chat"])
    assert four != one, "someone can be followed from table to table"
    assert ann.look(table)["table"]["chat"][0]["by"] == one
