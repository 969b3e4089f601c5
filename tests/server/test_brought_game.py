"""A game that another package brings is listed by the house, and played at its tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest
from guests import House, first_legal, until

import toys
from diamonds.server.work import thinking


@pytest.fixture
def brought(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The game is installed, and what thinks is started after that: processes of an earlier test would not know it."""
    monkeypatch.setattr(thinking, "ProcessPoolExecutor", ProcessPoolExecutor)
    with toys.brought(tmp_path):
        yield


@pytest.mark.later
@pytest.mark.usefixtures("brought")
def test_it_is_played_through_the_api_beside_random_bots(open_house: Callable[..., House]) -> None:
    house = open_house()
    guest = house.guest()
    listed = {game["name"]: game for game in guest.get("/api/house")["games"]}
    assert (listed["highest"]["seats"], listed["highest"]["default_seats"]) == ([2, 3, 4], 3)
    id = guest.make(game="highest", seats=3)

    def asked_or_over() -> dict | None:
        message = guest.look(id)
        return message if message["ask"] or message["view"]["over"] else None

    while not (message := until(asked_or_over, "nobody is asked"))["view"]["over"]:
        guest.answer(id, message["n"], first_legal(message))
    assert sum(message["view"]["tricks"]) == 3
    record = guest.get(f"/api/tables/{id}/record")
    assert record["game"] == "highest"


@pytest.mark.usefixtures("brought")
def test_a_bot_that_knows_nothing_of_it_is_refused_with_a_sentence(open_house: Callable[..., House]) -> None:
    house = open_house()
    guest = house.guest()
    for level in ("simple", "3"):
        refused = guest.post("/api/tables", {"game": "highest", "seats": 2, "places": ["me", f"bot:{level}"]}, 409)
        assert "bots know the rules alone" in str(refused)
