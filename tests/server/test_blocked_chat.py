"""Chat of blocked people: hidden from the person who blocked them, at every table, without anyone noticing."""

from collections.abc import Callable

import pytest

from tests.server.support.authenticator import BrowserClient
from tests.server.support.client import play_out, wait_until
from tests.server.support.live_server import LiveServer
from tests.server.test_chat import chat_texts, post_chat
from tests.server.test_friends import befriend


@pytest.fixture
def watched_table(open_server: Callable[..., LiveServer]) -> tuple[LiveServer, str, list[BrowserClient]]:
    """A table of Ann and Ben, who are friends, with the spectator Eve. Each has sent a message before the game."""
    server = open_server()
    people = [BrowserClient(server.port).with_account(name) for name in ("Ann", "Ben", "Eve")]
    befriend(people[0], people[1], ("Ann", "Ben"))
    id = people[0].create_open_table(substitute_after_s=0)
    for one, text in zip(people, ("I am Ann", "I am Ben", "I am Eve"), strict=True):
        post_chat(one, id, text=text)
    people[1].sit(id, invite=people[0].invite)
    return server, id, people


def open_quiet_stream(guest: BrowserClient, table: str) -> Callable[[], list[str]]:
    """Return a stream that receives only later messages."""
    stream = guest.open_stream(table)
    wait_until(lambda: stream.newest, "expected a first message")
    return lambda: [line["text"] for line in stream.newest["table"]["chat"]]


def change_relationship(guest: BrowserClient, name: str, what: str) -> None:
    guest.post("/api/relationships", {"name": name, "action": what}, 200)


def test_blocked_chat_is_hidden_until_unblocked(watched_table):
    _, id, (ann, ben, eve) = watched_table
    all_lines = ["I am Ann", "I am Ben", "I am Eve"]
    without = ["I am Ann", "I am Eve"]
    lobbies = [open_quiet_stream(one, id) for one in (ann, ben, eve)]
    assert [lobby() for lobby in lobbies] == [all_lines] * 3
    change_relationship(ann, "Ben", "block")
    wait_until(lambda: lobbies[0]() == without, "expected no message of a blocked person on the stream")
    post_chat(ben, id, text="hello")
    wait_until(lambda: lobbies[1]() == lobbies[2]() == [*all_lines, "hello"], "expected others to receive it")
    post_chat(ann, id, text="hello Eve")
    wait_until(lambda: lobbies[0]() == [*without, "hello Eve"], "expected all messages but those of the blocked person")
    assert open_quiet_stream(ann, id)() == chat_texts(ann, id) == [*without, "hello Eve"], "expected no message of Eve"
    assert chat_texts(ben, id) == [*all_lines, "hello", "hello Eve"], "expected a blocked person to receive all"
    error = ann.answer(id, 999, "play X", expect=409)
    assert [line["text"] for line in error["update"]["table"]["chat"]] == [*without, "hello Eve"]
    change_relationship(ann, "Ben", "unblock")
    wait_until(lambda: lobbies[0]() == [*all_lines, "hello", "hello Eve"], "expected Ben's messages again")


def test_replay_hides_chat_of_blocked_people_too(watched_table):
    _, id, (ann, ben, eve) = watched_table
    change_relationship(ann, "Ben", "block")
    play_out([ann, ben], id)
    told = [[line["text"] for line in one.get(f"/api/tables/{id}/replay")["table"]["chat"]] for one in (ann, eve)]
    assert told == [["I am Ann", "I am Eve"], ["I am Ann", "I am Ben", "I am Eve"]]
