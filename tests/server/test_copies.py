"""Finished games that no member plays: any member reads them from the database."""

from __future__ import annotations

import pytest
from guests import play_to_the_end, put_to_sleep, until
from rooms import at

pytestmark = pytest.mark.later


def test_a_finished_game_shows_no_older_version_when_nobody_owns_it(rooms):
    one, other = rooms
    guest = one.guest()
    id = guest.make(game="mines", seats=2, places=["me", "bot:simple"])
    owner = one if one.owns(id) else other
    play_to_the_end(owner, id, at(owner, guest))
    known = guest.look(id)["version"]
    put_to_sleep(owner, id)
    until(lambda: not owner.owns(id), "it is not released")
    for room in rooms:
        message = at(room, guest).look(id)
        assert message["result"] is not None
        assert message["version"] >= known, "a version goes back"
        known = message["version"]
    assert not any(room.owns(id) for room in rooms), "a look claims it"
