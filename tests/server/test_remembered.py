"""What the house remembers of a message is what it would write anew: for every reader, whatever happens at a table."""

from __future__ import annotations

from typing import Any

import pytest
from guests import Guest, House, first_legal, full_table, until
from test_talking import say

from diamonds.server.house import hub, tables
from diamonds.server.table.presence import Reader
from diamonds.server.table.table import Table
from diamonds.server.table.telling import message


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Reader, bytes, bytes]]:
    """Each message from now on: who was told it, what they were told, and the same written from nothing."""
    found: list[tuple[Reader, bytes, bytes]] = []

    def noted(table: Table, reader: Reader, since: int | None) -> bytes:
        text = message(table, reader, since)
        remembered = table.shared, table.info_cache
        table.shared, table.info_cache = None, {}
        found.append((reader, text, message(table, reader, since)))
        table.shared, table.info_cache = remembered
        return text

    for module in (hub, tables):
        monkeypatch.setattr(module, "message", noted)
    return found


def play(guests: list[Guest], id: str, answers: int) -> int:
    """So many answers of whoever is asked; returns the n after them."""
    n = 0
    for _ in range(answers):
        message = next(m for guest in guests if (m := guest.look(id))["ask"])
        n = guests[message["seat"]].answer(id, message["n"], first_legal(message))["n"]
    return n


@pytest.mark.parametrize(("game", "options"), [("crystals", {}), ("crystals", {"memory_aid": False}), ("fourteen", {})])
def test_everyone_is_told_what_would_be_written_for_them_anew(
    house: House, told: list[tuple[Reader, bytes, bytes]], game: str, options: dict[str, Any]
) -> None:
    id, (ann, ben, eve) = full_table(house, game, 3, options=options)
    stranger = house.guest()
    taps = [guest.listen(id) for guest in (ann, ben, eve, stranger)]
    guests = [ann, ben, eve]
    until(lambda: all(tap.newest for tap in taps), "not everyone is told how it stands")
    here = house.app.tables.get(id).here
    until(lambda: len(here.streams) == 4 and not here.tell_due, "it is not told who has come")  # which waits a moment
    told.clear()
    n = play(guests, id, 9)
    say(ann, id, text="Hello")
    say(stranger, id, text="She has the ace")
    ben.post("/api/me", {"name": "Benedict"}, 200)
    ann.post(f"/api/tables/{id}/undo", {"n": n, "to": n - 1, "key": "asks-for-an-undo"}, 200)
    ben.consent(id)
    n = play(guests, id, 5)  # nobody but Ann and Ben has agreed
    eve.post(f"/api/tables/{id}/stand", {"key": "eve-stands-up"}, 200)
    ann.post(f"/api/tables/{id}/pace", {"pace": "quick", "key": "ann-hurries"}, 200)
    say(ben, id, text="Where is she?")
    until(lambda: all("Where is she?" in str(tap.newest) for tap in taps), "not everyone is told what was said last")
    readers = {reader for reader, _, _ in told}
    assert len(readers) >= 5, "too few different readers were told something: the test does not test"
    assert len(told) > 60
    for reader, text, anew in told:
        assert text == anew, f"{reader} is told something that is no longer so, or that is for others"
