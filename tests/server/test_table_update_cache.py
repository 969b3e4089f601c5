"""Cached parts of table updates: each update equals one written without the cache, for every viewer."""

import pytest

from diamonds.server.tables import service, streams
from diamonds.server.tables.core.presence import Viewer
from diamonds.server.tables.core.table import Table
from diamonds.server.tables.core.table_update import table_update
from tests.server.support.client import answer_next, post_chat, wait_until
from tests.server.support.live_server import full_table


@pytest.fixture
def sent_updates(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Viewer, bytes, bytes]]:
    """Every update sent from now on: its viewer, its content, and the same update written without the cache."""
    found: list[tuple[Viewer, bytes, bytes]] = []

    def noted(table: Table, reader: Viewer, since: int | None) -> bytes:
        text = table_update(table, reader, since)
        remembered = table.update_cache, table.info_cache
        table.update_cache, table.info_cache = None, {}
        found.append((reader, text, table_update(table, reader, since)))
        table.update_cache, table.info_cache = remembered
        return text

    for module in (streams, service):
        monkeypatch.setattr(module, "table_update", noted)
    return found


@pytest.mark.parametrize(("game", "options"), [("crystals", {}), ("crystals", {"memory_aid": False}), ("fourteen", {})])
def test_cached_update_equals_a_fresh_one_for_every_viewer(server, sent_updates, game, options):
    id, (ann, ben, eve) = full_table(server, game, 3, options=options)
    stranger = server.new_client()
    taps = [guest.open_stream(id) for guest in (ann, ben, eve, stranger)]
    guests = [ann, ben, eve]
    wait_until(lambda: all(stream.newest for stream in taps), "expected an update on every stream")
    here = server.app.tables.get(id).presence
    # Updates about presence are sent with a delay.
    wait_until(lambda: len(here.streams) == 4 and not here.presence_update_due, "expected all viewers")
    sent_updates.clear()
    n = [answer_next(guests, id)["n"] for _ in range(9)][-1]
    post_chat(ann, id, text="Hello")
    post_chat(stranger, id, text="She has the ace")
    ben.post("/api/me", {"name": "Benedict"}, 200)
    ann.post(f"/api/tables/{id}/undo", {"n": n, "to": n - 1, "idempotency_key": "asks-for-an-undo"}, 200)
    ben.vote(id)
    for _ in range(5):
        answer_next(guests, id)  # only Ann and Ben have agreed
    eve.post(f"/api/tables/{id}/stand", {"idempotency_key": "eve-stands-up"}, 200)
    ann.post(f"/api/tables/{id}/bot-speed", {"bot_speed": "quick", "idempotency_key": "ann-hurries"}, 200)
    post_chat(ben, id, text="Where is she?")
    wait_until(lambda: all("Where is she?" in str(stream.newest) for stream in taps), "expected the last message")
    readers = {reader for reader, _, _ in sent_updates}
    assert len(readers) >= 5, "too few kinds of viewers received an update, so the test shows little"
    assert len(sent_updates) > 60
    for reader, text, anew in sent_updates:
        assert text == anew, f"expected the update of {reader} to equal one written without the cache"
