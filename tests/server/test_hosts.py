"""A host who does not come, or has left: after a while whoever has sat at the table longest, and is there, takes their place."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from guests import Guest, House, until
from timepiece import Timepiece

from diamonds.server.meeting import hosts

NEXT_ROUND = {"game": "fourteen", "seats": 4, "places": ["open", "open", "open", "open"], "private": False}


def pass_by(house: House, time: Timepiece, milliseconds: int) -> None:
    """So much time goes by, and the house has looked for hosts."""
    kept = house.app.meeting.hosts
    time.pass_by(milliseconds)
    house.call(kept.look)
    until(lambda: not house.call(lambda: kept._tasks), "the house is never done")


def waits(house: House, table: str, whether: bool) -> None:
    until(lambda: (table in house.app.meeting.hosts.due) == whether, "the house does not see who is there")


def is_host(guest: Guest, table: str) -> bool:
    return bool(guest.look(table)["table"]["host"])


@pytest.mark.later
@pytest.mark.parametrize("folder", [False, True])
def test_whoever_has_sat_longest_and_is_there_is_the_host_when_the_old_one_has_been_away_for_long(
    folder: bool, time: Timepiece, open_house: Callable[..., House], tmp_path: Path
) -> None:
    house = open_house(tmp_path if folder else None)
    maker, first, second, third = (house.guest() for _ in range(4))
    table = maker.post("/api/tables", NEXT_ROUND)["id"]
    maker_is_here = maker.listen(table)
    for guest, seat in ((first, 3), (second, 1), (third, 0)):
        guest.sit(table, seat=seat)
    streams = [guest.listen(table) for guest in (second, third)]
    until(lambda: len(house.app.tables.get(table).here.streams) == 3, "they do not listen")
    pass_by(house, time, 2 * hosts.AWAY)
    assert is_host(maker, table), "the host was there"
    maker_is_here.close()
    waits(house, table, True)
    pass_by(house, time, hosts.AWAY - 1)
    assert not is_host(second, table), "the host is replaced too early"
    back = maker.listen(table)
    waits(house, table, False)
    back.close()
    waits(house, table, True)
    pass_by(house, time, hosts.AWAY - 1)
    assert is_host(maker, table), "a host who was back is replaced as if they had not been"
    pass_by(house, time, 1)
    assert [is_host(one, table) for one in (maker, first, second, third)] == [False, False, True, False], (
        "of those who are there, whoever has sat longest is the host"
    )
    assert "invite" in second.look(table)["table"]
    maker.post(f"/api/tables/{table}/bot", {"seat": 2, "level": "simple"}, 403)
    second.post(f"/api/tables/{table}/bot", {"seat": 2, "level": "simple"}, 200)
    if folder:
        house.restart(maker, first, second, third)
        assert is_host(second, table), "after a restart somebody else is the host"
    for stream in streams:
        stream.close()
