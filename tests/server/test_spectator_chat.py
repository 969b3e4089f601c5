"""Spectator chat is closed until the end of the game to everyone who has had a seat since the first deal."""

import json

import pytest

from diamonds.server.http.app import AppConfig
from diamonds.server.http.rate_limits import UNLIMITED
from diamonds.server.settings_file import TomlSettings
from diamonds.server.storage.moderation import OPERATOR_ID
from diamonds.server.tables.core.chat import MAX_CHAT_LINES
from tests.server.support.authenticator import BrowserClient
from tests.server.support.client import Client, chat_texts, play_out, post_chat, wait_until
from tests.server.support.live_server import LiveServer, full_table

pytestmark = pytest.mark.later

HINT_TEXT = "dig left"


def stand_up(guest: Client, table: str) -> None:
    guest.post(f"/api/tables/{table}/stand", {}, 200)


def is_former_player(guest: Client, table: str) -> bool:
    told: bool = guest.get_table(table)["table"]["former_player"]
    return told


def browsers_at_a_table(server: LiveServer) -> tuple[str, BrowserClient, BrowserClient]:
    """A table of mines, and its two players in browsers."""
    ann, ben = BrowserClient(server.port), BrowserClient(server.port)
    table = ann.create_open_table(private=False, substitute_after_s=0)
    ben.sit(table)
    return table, ann, ben


def via_server(server: LiveServer, browser: BrowserClient) -> Client:
    """Return a client of the browser's person whose requests go to another process."""
    found = Client(server.port)
    found.headers = {**browser.headers, "Host": f"localhost:{server.port}"}
    return found


def test_spectator_chat_is_hidden_from_a_former_player(server):
    table, (ann, ben) = full_table(server, "mines", 2, private=False)
    dora = server.new_client()
    post_chat(dora, table, HINT_TEXT)
    stream = ben.open_stream(table)
    stand_up(ben, table)
    post_chat(dora, table, "now the king")
    assert chat_texts(ben, table) == [], "expected no spectator message for a former player"
    assert post_chat(ben, table, "I hold the queen", 409)["id"] == "table-chat-former-player"
    phrase = {"idempotency_key": "spectator-phrase", "phrase": "nice"}
    assert ben.post(f"/api/tables/{table}/chat", phrase, 409)["id"] == "table-chat-former-player"
    last = post_chat(ann, table, "still there?")
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
    assert last["n"] >= 0
    stream.close()


def test_spectators_cannot_push_out_the_players_messages(open_server, tmp_path):
    server = open_server(tmp_path)
    table, (ann, ben) = full_table(server, "mines", 2, private=False)
    dora = server.new_client()
    post_chat(ben, table, "an insult")
    for k in range(MAX_CHAT_LINES + 1):
        post_chat(dora, table, f"line {k}")
    shown = ["an insult", *[f"line {k}" for k in range(1, MAX_CHAT_LINES + 1)]]
    for _ in range(2):
        assert chat_texts(ann, table) == ["an insult"], "expected a line that can still be reported"
        assert chat_texts(dora, table) == shown
        server.restart(ann, ben, dora)


def test_spectator_chat_stays_closed_to_a_former_player_after_restart(open_server, tmp_path):
    server = open_server(tmp_path)
    table, (ann, ben) = full_table(server, "mines", 2, private=False)
    dora = server.new_client()
    post_chat(dora, table, HINT_TEXT)
    stand_up(ben, table)
    server.restart(ann, ben, dora)
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
    eve, stream = timed_server.new_client(), guests[0].open_stream(table)
    stream.wait_for(0)
    eve.post(f"/api/tables/{table}/sit", {"seat": 1}, 200)
    guests[0].vote(table)
    assert [is_former_player(one, table) for one in (guests[0], eve, guests[1], dora)] == [False, False, True, False]
    stream.close()


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
    stream = account.open_stream(table)
    stream.wait_for(0)
    ben.with_passkeys_of(account).sign_in()
    assert chat_texts(ben, table) == chat_texts(account, table) == [], "expected none after merging a player"
    post_chat(dora, table, "now the king")
    post_chat(account, table, "hello", 409)
    wait_until(lambda: stream.messages[-1]["version"] >= dora.get_table(table)["version"], "expected all updates")
    assert not any(b"the king" in event for event in stream.events), "expected none on an open stream"
    stream.close()


def test_report_by_a_former_player_has_no_spectator_messages(open_server):
    settings = TomlSettings(name="Club Caro", moderators=("Ann",))
    server = open_server(setup=AppConfig((0, 0), UNLIMITED, server_config=settings))
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
    ben_there, kim_there = via_server(two, ben), via_server(two, kim)
    post_chat(dora, table, HINT_TEXT)
    assert chat_texts(kim_there, table) == [HINT_TEXT]
    stand_up(ben, table)
    wait_until(lambda: is_former_player(ben_there, table), "expected the other process to know the former players")
    assert chat_texts(ben_there, table) == [], "expected no spectator message for a former player at the other process"
    ben.with_passkeys_of(kim).sign_in()
    wait_until(lambda: is_former_player(kim_there, table), "expected the other process to apply a merge")
    assert chat_texts(kim_there, table) == chat_texts(ben, table) == []
