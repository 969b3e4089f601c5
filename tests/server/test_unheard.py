"""Who has blocked somebody is not told what they say at any table; everyone else is, and nobody learns of it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from authenticator import Browser
from guests import House, Tap, until
from test_friends import befriend
from test_talking import heard, play_mines_out, say

from diamonds.server.house import codes


@pytest.fixture
def table(open_house: Callable[..., House], monkeypatch: pytest.MonkeyPatch) -> tuple[House, str, list[Browser]]:
    """A table of Ann and Ben, who know each other, and Eve, who watches; everyone has said something before the game."""
    monkeypatch.setattr(codes, "COST", 4)
    house = open_house()
    people = [Browser(house.port) for _ in range(3)]
    for one, name in zip(people, ("Ann", "Ben", "Eve"), strict=True):
        one.become(name)
    befriend(people[0], people[1], ("Ann", "Ben"))
    id = people[0].make(game="mines", seats=2, places=["me", "open"], takeover=0)
    for one, text in zip(people, ("I am Ann", "I am Ben", "I am Eve"), strict=True):
        say(one, id, text=text)
    people[1].sit(id, invite=people[0].invite)
    return house, id, people


def listen(guest: Browser, table: str) -> Callable[[], list[str]]:
    """What somebody is told on a stream."""
    tap = Tap(guest.port, f"/api/tables/{table}/stream", {"Cookie": guest.headers["Cookie"]})
    until(lambda: tap.newest, "the table says nothing")
    return lambda: [line["text"] for line in tap.newest["table"]["chat"]]


def around(guest: Browser, name: str, what: str) -> None:
    guest.post("/api/friends/change", {"name": name, "what": what}, 200)


def test_what_somebody_says_is_not_told_to_whoever_has_blocked_them_and_is_again_later(
    table: tuple[House, str, list[Browser]],
) -> None:
    _, id, (ann, ben, eve) = table
    all_lines = ["I am Ann", "I am Ben", "I am Eve"]
    without = ["I am Ann", "I am Eve"]
    ears = [listen(one, id) for one in (ann, ben, eve)]
    assert [ear() for ear in ears] == [all_lines] * 3
    around(ann, "Ben", "block")
    until(lambda: ears[0]() == without, "on a stream somebody is heard who is blocked")
    say(ben, id, text="hello")
    until(lambda: ears[1]() == ears[2]() == [*all_lines, "hello"], "others do not hear who is blocked by one")
    say(ann, id, text="hello Eve")
    until(
        lambda: ears[0]() == [*without, "hello Eve"], "whoever has blocked one person is told lines of theirs, or none"
    )
    assert listen(ann, id)() == heard(ann, id) == [*without, "hello Eve"], "whoever comes back hears who is blocked"
    assert heard(ben, id) == [*all_lines, "hello", "hello Eve"], "who is blocked hears less"
    refused = ann.answer(id, 999, "play X", expect=409)
    assert [line["text"] for line in refused["message"]["table"]["chat"]] == [*without, "hello Eve"]
    around(ann, "Ben", "unblock")
    until(lambda: ears[0]() == [*all_lines, "hello", "hello Eve"], "who is wanted again stays unheard")


def test_a_replay_does_not_tell_either_what_somebody_said_who_is_blocked(
    table: tuple[House, str, list[Browser]],
) -> None:
    _, id, (ann, ben, eve) = table
    around(ann, "Ben", "block")
    play_mines_out([ann, ben], id)
    told = [[line["text"] for line in one.get(f"/api/tables/{id}/replay")["table"]["chat"]] for one in (ann, eve)]
    assert told == [["I am Ann", "I am Eve"], ["I am Ann", "I am Ben", "I am Eve"]]
