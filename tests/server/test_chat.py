"""Chat: messages and phrases, their recipients, and who may not send any."""

from typing import Any

import pytest

from diamonds.i18n import translate as in_words
from diamonds.server.api.tables import Phrase
from tests.server.support.client import Client, chat_texts, play_out, post_chat
from tests.server.support.live_server import full_table

pytestmark = pytest.mark.later

CHAT_KEYS = (f"talk-key-{k}" for k in range(1_000_000))


def set_chat_mode(guest: Client, table: str, what: str, expect: int = 200) -> Any:
    return guest.post(f"/api/tables/{table}/chat-mode", {"chat_mode": what, "idempotency_key": next(CHAT_KEYS)}, expect)


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


def test_chat_mode_is_set_by_the_host_and_survives_a_restart(open_server, tmp_path):
    server = open_server(tmp_path)
    table, (ann, ben) = full_table(server, "mines", 2, chat_mode="phrases")
    assert ben.get_table(table)["table"]["chat_mode"] == "phrases"
    assert "ready phrases" in post_chat(ben, table, expect=403, text="hello")["error"]
    post_chat(ben, table, phrase="hello")
    set_chat_mode(ben, table, "all", 403)
    set_chat_mode(ann, table, "anything", 400)
    set_chat_mode(ann, table, "none")
    server.restart(ann, ben)
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
    stream.close()
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
