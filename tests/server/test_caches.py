"""What the server remembers of a message is what it would write anew: for every reader, whatever happens at a table."""

from __future__ import annotations

from typing import Any

import pytest

from diamonds.server.tables import runtime, streams
from diamonds.server.tables.core.presence import Viewer
from diamonds.server.tables.core.table import Table
from diamonds.server.tables.core.update import table_update
from tests.server.support.client import Client, first_legal, wait_until
from tests.server.support.live_server import LiveServer, full_table
from tests.server.test_chat import post_chat


@pytest.fixture
def sent_updates(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Viewer, bytes, bytes]]:
    """Each message from now on: who was told it, what they were told, and the same written from nothing."""
    found: list[tuple[Viewer, bytes, bytes]] = []

    def noted(table: Table, reader: Viewer, since: int | None) -> bytes:
        text = table_update(table, reader, since)
        remembered = table.update_cache, table.info_cache
        table.update_cache, table.info_cache = None, {}
        found.append((reader, text, table_update(table, reader, since)))
        table.update_cache, table.info_cache = remembered
        return text

    for module in (streams, runtime):
        monkeypatch.setattr(module, "table_update", noted)
    return found


def play_answers(guests: list[Client], id: str, answers: int) -> int:
    """So many answers of whoever is asked; returns the n after them."""
    n = 0
    for _ in range(answers):
        message = next(m for guest in guests if (m := guest.get_table(id))["open_question"])
        n = guests[message["seat"]].answer(id, message["n"], first_legal(message))["n"]
    return n


@pytest.mark.parametrize(("game", "options"), [("crystals", {}), ("crystals", {"memory_aid": False}), ("fourteen", {})])
def test_cached_update_equals_a_fresh_one_for_every_viewer(
    server: LiveServer, sent_updates: list[tuple[Viewer, bytes, bytes]], game: str, options: dict[str, Any]
) -> None:
    id, (ann, ben, eve) = full_table(server, game, 3, options=options)
    stranger = server.new_client()
    taps = [guest.open_stream(id) for guest in (ann, ben, eve, stranger)]
    guests = [ann, ben, eve]
    wait_until(lambda: all(tap.newest for tap in taps), "not everyone is told how it stands")
    here = server.app.tables.get(id).presence
    wait_until(
        lambda: len(here.streams) == 4 and not here.presence_update_due, "it is not told who has come"
    )  # which waits a moment
    sent_updates.clear()
    n = play_answers(guests, id, 9)
    post_chat(ann, id, text="Hello")
    post_chat(stranger, id, text="She has the ace")
    ben.post("/api/me", {"name": "Benedict"}, 200)
    ann.post(f"/api/tables/{id}/undo", {"n": n, "to": n - 1, "idempotency_key": "asks-for-an-undo"}, 200)
    ben.vote(id)
    n = play_answers(guests, id, 5)  # nobody but Ann and Ben has agreed
    eve.post(f"/api/tables/{id}/stand", {"idempotency_key": "eve-stands-up"}, 200)
    ann.post(f"/api/tables/{id}/bot-speed", {"bot_speed": "quick", "idempotency_key": "ann-hurries"}, 200)
    post_chat(ben, id, text="Where is she?")
    wait_until(
        lambda: all("Where is she?" in str(tap.newest) for tap in taps), "not everyone is told what was said last"
    )
    readers = {reader for reader, _, _ in sent_updates}
    assert len(readers) >= 5, "too few different readers were told something: the test does not test"
    assert len(sent_updates) > 60
    for reader, text, anew in sent_updates:
        assert text == anew, f"{reader} is told something that is no longer so, or that is for others"
