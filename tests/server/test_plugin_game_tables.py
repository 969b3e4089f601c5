"""Plug-in games: listed by the server and played at its tables."""

from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest

from diamonds.server.jobs import worker_pool
from tests.server.support.client import play_out
from tests.support import plugin_game


@pytest.fixture
def plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Install the game and start new worker processes, because earlier ones would not know it."""
    monkeypatch.setattr(worker_pool, "ProcessPoolExecutor", ProcessPoolExecutor)
    with plugin_game.installed_plugin(tmp_path):
        yield


@pytest.mark.later
@pytest.mark.usefixtures("plugin")
def test_plugin_game_is_played_through_the_api_beside_random_bots(open_server):
    server = open_server()
    guest = server.new_client()
    listed = {game["name"]: game for game in guest.get("/api/server")["games"]}
    assert (listed["highest"]["seats"], listed["highest"]["default_seats"]) == ([2, 3, 4], 3)
    id = guest.create_table(game="highest", seats=3)
    play_out([guest], id)
    assert sum(guest.get_table(id)["view"]["tricks"]) == 3
    record = guest.get(f"/api/tables/{id}/record")
    assert record["game"] == "highest"


@pytest.mark.usefixtures("plugin")
def test_plugin_game_rejects_bots_without_an_adapter(open_server):
    server = open_server()
    guest = server.new_client()
    for level in ("simple", "3"):
        error = guest.post(
            "/api/tables", {"game": "highest", "seats": 2, "seats_taken_by": ["me", f"bot:{level}"]}, 409
        )
        assert "has no bots of its own" in str(error)
