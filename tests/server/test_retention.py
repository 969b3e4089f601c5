"""Retention: guest games and handled reports are deleted after the configured time."""

import pytest

from diamonds.server.api.moderation import ModerationActionRequest
from diamonds.server.moderation import maintenance
from diamonds.server.moderation.maintenance import DAY_S, RetentionJob, deletion_batches
from diamonds.server.storage.moderation import OPERATOR_ID, FinishedTableSummary
from tests.server.support.authenticator import BrowserClient
from tests.server.support.live_server import finish_game


@pytest.mark.later
def test_only_expired_guest_games_are_pruned(open_server, monkeypatch):
    monkeypatch.setattr(maintenance, "BATCH_PAUSE_S", 0)
    monkeypatch.setattr(maintenance, "TABLES_PER_BATCH", 2)
    server = open_server()
    tables, now = server.app.tables, server.app.tables.sanctions.clock()
    guest, ann = server.new_client(), BrowserClient(server.port).with_account("Ann")
    over = [guest.create_table(game="mines", seats=2) for _ in range(3)]
    hers = ann.create_table(game="mines", seats=2)
    on = guest.create_table(game="mines", seats=2)
    for id, one in [*((id, guest) for id in over), (hers, ann)]:
        finish_game(server, id, one)
    watched = over.pop()

    def sweep(days: float) -> int:
        job = RetentionJob(tables, 90, 0, lambda: now + days * DAY_S)
        return server.wait_for(job.prune())

    server.call_on_loop(lambda: [tables.registry.evict(id) for id in (*over, hers, on)])
    assert sweep(89) == 0, "expected the game to stay until its time is up"
    assert sweep(91) == 2
    for id in over:
        assert guest.get(f"/api/tables/{id}", 404)["id"] == "table-unknown"
    for id in (on, hers, watched):
        guest.get_table(id)
    assert {line["id"] for line in guest.get("/api/tables")["your_tables"]} == {on, watched}
    assert ann.get(f"/api/tables/{hers}/record")["game"] == "mines"
    assert sweep(91) == 0


def test_only_expired_handled_reports_are_pruned(server):
    moderation, now = server.app.moderation, server.app.tables.sanctions.clock()
    guests = [server.new_client() for _ in range(4)]
    table = guests[0].create_table(
        game="crystals", seats=4, seats_taken_by=["me", "open", "open", "open"], private=False
    )
    for seat, guest in enumerate(guests[1:], 1):
        guest.sit(table, seat=seat)
        guest.post(f"/api/tables/{table}/report", {"seat": 0, "reason": "rude"}, 200)
    for report in (1, 2):
        server.wait_for(moderation.act(OPERATOR_ID, ModerationActionRequest("handle", report_id=report)))

    def left(days: float, keep: int = 30) -> list[int]:
        server.wait_for(RetentionJob(server.app.tables, 0, keep, lambda: now + days * DAY_S).prune())
        told = server.wait_for(moderation.queries.reports(OPERATOR_ID))
        return sorted(one.id for one in (*told.open, *told.resolved))

    assert left(29) == [1, 2, 3], "expected the report to stay until its time is up"
    assert left(9_000, keep=0) == [1, 2, 3], "expected no report to be pruned without a retention time"
    assert left(31) == [3], "expected handled reports to be pruned and open ones to stay"


def test_prune_step_is_bounded_except_for_one_larger_table():
    found = [
        FinishedTableSummary(f"t{k}", 0, entries, False) for k, entries in enumerate((4_000, 1_000, 1, 9_000, 2_000))
    ]
    assert deletion_batches(found) == [("t0", "t1"), ("t2",), ("t3",), ("t4",)]
    assert deletion_batches([]) == []


def test_server_without_retention_prunes_nothing(server):
    assert server.app.retention.game_days == 0
    assert not server.app.retention.is_running
