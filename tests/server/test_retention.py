"""Games of guests are let go of after the time that the house says; those of accounts and those that go on stay."""

from __future__ import annotations

import pytest
from authenticator import Browser
from guests import play_to_the_end

from diamonds.server.api.order import Do
from diamonds.server.house import codes
from diamonds.server.order import retention
from diamonds.server.order.retention import DAY, Retention, _steps
from diamonds.server.store.books import COMMAND, Finished


@pytest.mark.later
def test_a_finished_game_of_guests_is_let_go_of_when_its_time_is_over_and_no_other(open_house, monkeypatch):
    monkeypatch.setattr(codes, "COST", 4)
    monkeypatch.setattr(retention, "BREATH", 0)
    monkeypatch.setattr(retention, "AT_ONCE", 2)
    house = open_house()
    tables, now = house.app.tables, house.app.tables.standings.clock()
    guest, ann = house.guest(), Browser(house.port)
    ann.become("Ann")
    over = [guest.make(game="mines", seats=2) for _ in range(3)]
    hers = ann.make(game="mines", seats=2)
    on = guest.make(game="mines", seats=2)
    for id, one in [*((id, guest) for id in over), (hers, ann)]:
        play_to_the_end(house, id, one)
    tables_in_memory = tables.shelf._tables
    watched = over.pop()

    def sweep(days: float) -> int:
        kept = Retention(tables, 90, 0, lambda: now + days * DAY)
        return house.wait_for(kept.sweep())

    house.call(lambda: [tables_in_memory.pop(id) for id in (*over, hers, on)])
    assert sweep(89) == 0, "a game was let go of too early"
    assert sweep(91) == 2
    for id in over:
        assert guest.get(f"/api/tables/{id}", 404)["id"] == "table-unknown"
    for id in (on, hers, watched):
        guest.look(id)
    assert {line["id"] for line in guest.get("/api/tables")["mine"]} == {on, watched}
    assert ann.get(f"/api/tables/{hers}/record")["game"] == "mines"
    assert sweep(91) == 0


def test_a_report_is_let_go_of_when_its_time_is_over_if_it_is_handled_and_no_other(open_house):
    house = open_house()
    order, now = house.app.order, house.app.tables.standings.clock()
    guests = [house.guest() for _ in range(4)]
    table = guests[0].make(game="crystals", seats=4, places=["me", "open", "open", "open"], private=False)
    for seat, guest in enumerate(guests[1:], 1):
        guest.sit(table, seat=seat)
        guest.post(f"/api/tables/{table}/report", {"seat": 0, "reason": "rude"}, 200)
    for report in (1, 2):
        house.wait_for(order.do(COMMAND, Do("handle", report=report)))

    def left(days: float, keep: int = 30) -> list[int]:
        house.wait_for(Retention(house.app.tables, 0, keep, lambda: now + days * DAY).sweep())
        told = house.wait_for(order.teller.reports(COMMAND))
        return sorted(one.report for one in (*told.open, *told.handled))

    assert left(29) == [1, 2, 3], "a report was let go of too early"
    assert left(9_000, keep=0) == [1, 2, 3], "a house that keeps reports for ever lets go of some"
    assert left(31) == [3], "one that is handled stays, or one goes that waits"


def test_no_step_takes_out_more_entries_than_its_bound_but_for_one_table_that_has_more():
    found = [Finished(f"t{k}", 0, entries, False) for k, entries in enumerate((4_000, 1_000, 1, 9_000, 2_000))]
    assert _steps(found) == [("t0", "t1"), ("t2",), ("t3",), ("t4",)]
    assert _steps([]) == []


def test_a_house_that_keeps_games_for_ever_looks_at_none(house):
    assert house.app.retention.days == 0
    assert house.app.retention._task is None
