"""Chat: messages and phrases, their recipients, and what former players and people who block may not read."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from diamonds.i18n import translate as in_words
from diamonds.server.api.tables import Phrase
from diamonds.server.settings_file import TomlSettings
from diamonds.server.storage.moderation import OPERATOR_ID
from diamonds.server.tables.core.chat import MAX_CHAT_LINES
from tests.server.support.authenticator import BrowserClient
from tests.server.support.client import KEY_NUMBERS, Client, chat_texts, play_out, post_chat, wait_until
from tests.server.support.cluster import via
from tests.server.support.live_server import LiveServer, full_table
from tests.server.test_friends import befriend

pytestmark = pytest.mark.later


def set_chat_mode(guest: Client, table: str, what: str, expect: int = 200) -> Any:
    return guest.post(
        f"/api/tables/{table}/chat-mode",
        {"chat_mode": what, "idempotency_key": f"mode-{next(KEY_NUMBERS):08d}"},
        expect,
    )


def test_phrase_is_sent_by_id_and_has_text_in_every_language(server):
    table, (ann, ben) = full_table(server, "mines", 2)
    for phrase in Phrase.__args__:
        post_chat(ann, table, phrase=phrase)
        for language in ("en", "de"):
            words = in_words(f"page-phrase-{phrase}", {}, language)
            assert "page-phrase" not in words, f"expected a text of {phrase} in {language}"
    assert chat_texts(ben, table) == [*Phrase.__args__]
    post_chat(ann, table, expect=400, phrase="you-cheat")
    post_chat(ann, table, expect=400, phrase="hello", text="hello")
    post_chat(ann, table, expect=400)
    post_chat(ann, table, expect=400, text="   ")


def test_chat_mode_is_set_by_the_host_and_survives_a_restart(disk_server):
    table, (ann, ben) = full_table(disk_server, "mines", 2, chat_mode="phrases")
    assert ben.get_table(table)["table"]["chat_mode"] == "phrases"
    assert "ready phrases" in post_chat(ben, table, expect=403, text="hello")["error"]
    post_chat(ben, table, phrase="hello")
    set_chat_mode(ben, table, "all", 403)
    set_chat_mode(ann, table, "anything", 400)
    set_chat_mode(ann, table, "none")
    disk_server.restart(ann, ben)
    assert ben.get_table(table)["table"]["chat_mode"] == "none", "expected the chat mode after a restart"
    assert "turned chat off" in post_chat(ben, table, expect=403, phrase="hello")["error"]
    post_chat(ann, table, expect=403, text="not even I")
    set_chat_mode(ann, table, "all")
    post_chat(ben, table, text="thank you")
    assert chat_texts(ann, table) == ["hello", "thank you"]


def test_spectator_messages_reach_players_after_the_game(server):
    table, guests = full_table(server, "mines", 2)
    dora, emil = server.new_client(), server.new_client()
    stream = guests[0].open_stream(table)
    post_chat(dora, table, text="he has it")
    post_chat(guests[0], table, phrase="moment")
    for watching in (dora, emil):
        lines = watching.get_table(table)["table"]["chat"]
        assert [(line["text"] or line["phrase"], line["spectators_only"]) for line in lines] == [
            ("he has it", True),
            ("moment", False),
        ]
    for playing in guests:
        assert chat_texts(playing, table) == ["moment"], "expected no spectator message during the game"
    play_out(guests, table)
    stream.wait_for(guests[0].get_table(table)["n"])
    during = [event for event in stream.events if b"he has it" in event]
    assert all(b'"phase":"over"' in event for event in during), "expected no spectator message before the end"
    assert chat_texts(guests[0], table) == ["he has it", "moment"]
    post_chat(dora, table, text="well fought")
    assert chat_texts(guests[1], table)[-1] == "well fought", "expected everyone to receive all afterwards"


@pytest.mark.parametrize("line", [{"text": "I have hearts"}, {"phrase": "nice"}])
def test_c23_partners_may_not_send_phrases_during_play(server, line):
    table, guests = full_table(server, "crystals", 4, options={"partnership": True})
    watching = server.new_client()
    for guest in (*guests, watching):
        assert guest.get_table(table)["table"]["chat_disabled"] is True
        silent = "table-nobody-talks" if guest is watching else "table-partners-silent"
        assert post_chat(guest, table, expect=409, **line)["id"] == silent
        assert chat_texts(guest, table) == []
    alone, _ = full_table(server, "crystals", 4)
    assert watching.get_table(alone)["table"]["chat_disabled"] is False
    post_chat(watching, alone, **line)


def test_chat_author_is_identifiable_at_one_table_only(server):
    table, (ann, ben) = full_table(server, "mines", 2)
    other, _ = full_table(server, "mines", 2)
    ann.post("/api/me", {"name": "Zoe"}, 200)
    post_chat(ann, table, text="one")
    ann.post("/api/me", {"name": "Ida"}, 200)
    post_chat(ann, table, text="two")
    post_chat(ben, table, text="three")
    post_chat(ann, other, text="four")
    one, two, three = (line["speaker"] for line in ben.get_table(table)["table"]["chat"])
    assert one == two != three, "expected the same author after a rename"
    [four] = (line["speaker"] for line in server.new_client().get_table(other)["table"]["chat"])
    assert four != one, "expected different author ids at different tables"
    assert ann.get_table(table)["table"]["chat"][0]["speaker"] == one


# Blocked people


@pytest.fixture
def watched_table(open_server: Callable[..., LiveServer]) -> tuple[LiveServer, str, list[BrowserClient]]:
    """Ann and Ben, two friends, at a table that Eve watches. Each has sent a message before the game."""
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
    stream = guest.watch(table)
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


# Spectator chat is closed until the end of the game to everyone who has had a seat since the first deal


HINT_TEXT = "dig left"


def stand_up(guest: Client, table: str) -> None:
    guest.post(f"/api/tables/{table}/stand", {}, 200)


def is_former_player(guest: Client, table: str) -> bool:
    told: bool = guest.get_table(table)["table"]["former_player"]
    return told


def browsers_at_a_table(server: LiveServer) -> tuple[str, BrowserClient, BrowserClient]:
    """Return a table of mines, and its two players in browsers."""
    ann, ben = BrowserClient(server.port), BrowserClient(server.port)
    table = ann.create_open_table(private=False, substitute_after_s=0)
    ben.sit(table)
    return table, ann, ben


def test_spectator_chat_is_hidden_from_a_former_player(server):
    table, (ann, ben) = full_table(server, "mines", 2, private=False)
    dora = server.new_client()
    post_chat(dora, table, HINT_TEXT)
    stream = ben.open_stream(table)
    stand_up(ben, table)
    post_chat(dora, table, "now the king")
    assert chat_texts(ben, table) == [], "expected no spectator message for a former player"
    assert post_chat(ben, table, "I hold the queen", 409)["id"] == "table-chat-former-player"
    assert post_chat(ben, table, phrase="nice", expect=409)["id"] == "table-chat-former-player"
    post_chat(ann, table, "still there?")
    wait_until(lambda: any(b"still there?" in event for event in stream.events), "expected the player's message")
    assert not any(HINT_TEXT.encode() in event or b"the king" in event for event in stream.events)
    assert chat_texts(ben, table) == ["still there?"], "expected the players' messages for a former player"
    assert (is_former_player(ben, table), is_former_player(dora, table)) == (True, False)
    ben.sit(table)
    assert not is_former_player(ben, table)
    assert chat_texts(dora, table) == [HINT_TEXT, "now the king", "still there?"], "expected all messages"
    play_out([ann, ben], table)
    assert chat_texts(ben, table) == [HINT_TEXT, "now the king", "still there?"], "expected all after the game"
    post_chat(ben, table, "well fought")
    assert chat_texts(dora, table)[-1] == "well fought", "expected a player to chat after the game"


def test_spectators_cannot_push_out_the_players_messages(disk_server):
    table, (ann, ben) = full_table(disk_server, "mines", 2, private=False)
    dora = disk_server.new_client()
    post_chat(ben, table, "an insult")
    for k in range(MAX_CHAT_LINES + 1):
        post_chat(dora, table, f"line {k}")
    shown = ["an insult", *[f"line {k}" for k in range(1, MAX_CHAT_LINES + 1)]]
    for _ in range(2):
        assert chat_texts(ann, table) == ["an insult"], "expected a line that can still be reported"
        assert chat_texts(dora, table) == shown
        disk_server.restart(ann, ben, dora)


def test_spectator_chat_stays_closed_to_a_former_player_after_restart(disk_server):
    table, (ann, ben) = full_table(disk_server, "mines", 2, private=False)
    dora = disk_server.new_client()
    post_chat(dora, table, HINT_TEXT)
    stand_up(ben, table)
    disk_server.restart(ann, ben, dora)
    assert chat_texts(ben, table) == [], "expected no spectator message for a former player after a restart"
    post_chat(ben, table, "hello", 409)
    assert chat_texts(dora, table) == [HINT_TEXT]


def test_spectator_chat_is_closed_to_a_player_who_lost_on_time(timed_server, fake_clock):
    clock = {"initial_s": 60, "increment_s": 5}
    table, guests = full_table(timed_server, "mines", 2, time_control=clock, private=False)
    dora = timed_server.new_client()
    post_chat(dora, table, HINT_TEXT)
    for _ in range(2):
        stand_up(guests[1], table)
        guests[1].sit(table)
    stand_up(guests[1], table)
    message = guests[1].get_table(table)
    assert (message["table"]["seat_holders"][1]["kind"], message["table"]["reserved_seat"]) == ("bot", 1)
    assert chat_texts(guests[1], table) == [], "expected no spectator message for a player who lost on time"
    post_chat(guests[1], table, "hello", 409)
    eve = timed_server.new_client()
    guests[0].watch(table)
    eve.post(f"/api/tables/{table}/sit", {"seat": 1}, 200)
    guests[0].vote(table)
    assert [is_former_player(one, table) for one in (guests[0], eve, guests[1], dora)] == [False, False, True, False]


def test_spectator_chat_is_closed_to_the_account_a_former_player_becomes(server):
    table, _, ben = browsers_at_a_table(server)
    dora = server.new_client()
    post_chat(dora, table, HINT_TEXT)
    stand_up(ben, table)
    ben.create_account("Ben")
    assert chat_texts(ben, table) == [], "expected no spectator message for the account of a former player"
    other = BrowserClient(server.port).with_passkeys_of(ben)
    other.sign_in()
    assert chat_texts(other, table) == [], "expected no spectator message in another browser of a former player"
    post_chat(other, table, "hello", 409)


def test_spectator_chat_closes_for_an_account_that_a_former_player_joins(server):
    table, _, ben = browsers_at_a_table(server)
    account, dora = BrowserClient(server.port).with_account("Kim"), server.new_client()
    post_chat(dora, table, HINT_TEXT)
    assert chat_texts(account, table) == [HINT_TEXT], "expected spectator messages for a spectator's account"
    stand_up(ben, table)
    stream = account.watch(table)
    ben.with_passkeys_of(account).sign_in()
    assert chat_texts(ben, table) == chat_texts(account, table) == [], "expected none after merging a player"
    post_chat(dora, table, "now the king")
    post_chat(account, table, "hello", 409)
    wait_until(lambda: stream.messages[-1]["version"] >= dora.get_table(table)["version"], "expected all updates")
    assert not any(b"the king" in event for event in stream.events), "expected none on an open stream"


def test_report_by_a_former_player_has_no_spectator_messages(open_server):
    settings = TomlSettings(name="Club Caro", moderators=("Ann",))
    server = open_server(server_config=settings)
    table, ann, ben = browsers_at_a_table(server)
    dora = server.new_client()
    code = server.wait_for(server.app.moderation.create_invitation(OPERATOR_ID, 1, "Ann")).code
    post_chat(dora, table, HINT_TEXT)
    by = dora.get_table(table)["table"]["chat"][0]["speaker"]
    stand_up(ben, table)
    ben.post(f"/api/tables/{table}/report", {"seat": 0, "reason": "cheating"}, 200)
    error = ben.post(f"/api/tables/{table}/report", {"speaker": by, "reason": "cheating"}, 404)
    assert error["id"] == "moderation-nobody", "expected the error for an unknown person"
    [report] = server.wait_for(server.app.store.moderation.reports(False, 10))
    assert report.chat_excerpt == (), "expected no spectator message in a former player's report"
    dora.post(f"/api/tables/{table}/report", {"seat": 0, "reason": "cheating"}, 200)
    asked = ann.post("/api/me/account/begin", {"name": "Ann", "invitation": code}, 200)
    ann.post("/api/me/account", {"passkey": ann.create_passkey(asked["options"])}, 201)
    for _ in range(2):  # first with a seat, then without one
        told = json.dumps(ann.get("/api/moderation/reports"))
        assert HINT_TEXT not in told, "expected no spectator message for a moderator who has played here"
        if ann.get_table(table)["seat"] is not None:
            stand_up(ann, table)


def test_record_and_replay_wait_for_the_end_for_a_former_player_too(server):
    table, (_, ben) = full_table(server, "mines", 2, private=False)
    post_chat(server.new_client(), table, HINT_TEXT)
    stand_up(ben, table)
    for path in ("replay", "record", "verify"):
        ben.get(f"/api/tables/{table}/{path}", 409)
        assert HINT_TEXT.encode() not in ben.reply_body
    assert HINT_TEXT.encode() not in ben.send("GET", "/api/me/data")[1]
    assert HINT_TEXT.encode() not in ben.send("GET", "/api/tables")[1]


def test_spectator_chat_is_closed_to_a_former_player_at_every_process(cluster_servers):
    one, two = cluster_servers
    table, _, ben = browsers_at_a_table(one)
    kim, dora = BrowserClient(one.port).with_account("Kim"), two.new_client()
    ben_there, kim_there = via(two, ben), via(two, kim)
    post_chat(dora, table, HINT_TEXT)
    assert chat_texts(kim_there, table) == [HINT_TEXT]
    stand_up(ben, table)
    wait_until(lambda: is_former_player(ben_there, table), "expected the other process to know the former players")
    assert chat_texts(ben_there, table) == [], "expected no spectator message for a former player at the other process"
    ben.with_passkeys_of(kim).sign_in()
    wait_until(lambda: is_former_player(kim_there, table), "expected the other process to apply a merge")
    assert chat_texts(kim_there, table) == chat_texts(ben, table) == []
