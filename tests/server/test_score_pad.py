"""The score pad on the wire: the result of each deal, as far as the viewer may see it (C4, C14)."""

import random
from typing import Any

import numpy as np
import pytest

from diamonds import views
from diamonds.server.tables.core.game_state import compress_state
from diamonds.server.tables.core.table import Table
from tests.server.support.client import Client
from tests.server.support.live_server import LiveServer, answer_randomly, full_table

pytestmark = pytest.mark.later


def play_until(server: LiveServer, id: str, guests: list[Client], deals: int, rng: random.Random) -> Table:
    """Give random legal answers until this number of deals is reached or the game is over."""
    table: Table = server.app.tables.get(id)
    while not table.is_over and int(table.game_state.state["deals"]) < deals:  # type: ignore[index]
        answer_randomly(server, id, guests, rng)
    return table


def pad_rows(reader: Client, id: str) -> list[dict[str, Any]]:
    """Return the views on the score pad; deals count from 1."""
    pad = reader.get(f"/api/tables/{id}/score-pad")["lines"]
    assert [line["deal"] for line in pad] == list(range(1, len(pad) + 1)), "expected one view for each deal"
    return [line["view"] for line in pad]


@pytest.mark.parametrize(("seats", "options"), [(3, {}), (4, {"partnership": True}), (3, {"open_vaults": True})])
def test_c4_score_pad_of_crystals_has_what_the_viewer_saw_at_round_end(server, seats, options):
    id, guests = full_table(server, "crystals", seats, options={"rounds": 3, **options})
    readers = [*guests, Client(server.port)]
    assert pad_rows(guests[0], id) == [], "expected a finished round"
    seen: list[list[tuple[Any, Any]]] = [[] for _ in readers]
    for round in (1, 2):
        play_until(server, id, guests, round + 1, random.Random(round))
        for k, reader in enumerate(readers):
            view = reader.get_table(id)["view"]  # nothing has changed since the round ended
            seen[k].append((view["vault"], view["showroom"]))
            pad = pad_rows(reader, id)
            assert [(line["vault"], line["showroom"]) for line in pad] == seen[k]
            assert all(sum(line["tricks"]) == 10 for line in pad)
    if not options.get("open_vaults"):
        assert set(seen[-1][-1][0]) == {None}, "expected no Vault in a spectator's view"
        assert None in seen[0][-1][0], "expected no other Vault in a player's view"
    table = play_until(server, id, guests, 99, random.Random(9))
    scores = guests[0].get_table(id)["result"]["scores"]
    for reader in readers:
        pad = pad_rows(reader, id)
        assert len(pad) == 3
        assert all(None not in line["vault"] for line in pad), "expected every Vault to be open after the game"
        last = pad[-1]
        assert [2 * v + s for v, s in zip(last["vault"], last["showroom"], strict=True)] == scores
    assert table.is_over


@pytest.mark.parametrize("options", [{}, {"memory_aid": False}])
def test_r2_score_pad_is_equal_in_indistinguishable_states(server, options):
    id, guests = full_table(server, "crystals", 3, options=options)
    table = play_until(server, id, guests, 3, random.Random(3))
    readers = [*guests, Client(server.port)]
    path = f"/api/tables/{id}/score-pad"
    kept = dict(zip(table.game_state.deal_ends, table.game_state.deal_end_states(), strict=True))
    for seat, reader in zip([0, 1, 2, -1], readers, strict=True):
        told = reader.send("GET", path)
        for n, state in kept.items():
            # Another world, in which everything that this seat cannot see is different.
            hidden = np.frombuffer(views.view(table.game, state, seat).tobytes(), np.int64) == -1
            flat = np.frombuffer(state.tobytes(), np.int64).copy()
            assert hidden.sum() > 10
            flat[hidden] = 7
            table.game_state.deal_ends[n] = compress_state(flat.view(table.game.dtype)[0])
        assert reader.send("GET", path) == told, f"expected equal score pads for seat {seat}"
        table.game_state.deal_ends.update({n: compress_state(state) for n, state in kept.items()})
    if options:
        assert {None} == {count for line in pad_rows(guests[0], id) for taken in line["taken"] for count in taken}, (
            "expected no count of cards taken on the score pad where the table shows none (C14)"
        )


@pytest.mark.parametrize("scoring", ["diamonds", "bid", "tricks"])
def test_score_pad_of_fourteen_has_every_hand(server, scoring):
    id, guests = full_table(server, "fourteen", 3, options={"scoring": scoring, "target": 12})
    table = play_until(server, id, guests, 99, random.Random(scoring))
    told = guests[0].get(f"/api/tables/{id}?after=0")["events"]
    scored = [event["total"] for event in (one["event"] for one in told) if event["event"] == "scored"]
    pad = pad_rows(Client(server.port), id)
    totals = [total for line in pad for total in line["totals"]]
    assert scored, "expected the last hand's events in the update"
    assert totals[-len(scored) :] == scored
    assert len(pad) == int(table.game_state.state["deals"])  # type: ignore[index]
    if scoring == "diamonds":
        assert [sum(line["taken"]) for line in pad] == np.diff([0, *(sum(line["totals"]) for line in pad)]).tolist()
    if scoring == "bid":
        assert all(0 <= bid <= 13 for line in pad for bid in line["bid"])


def test_undone_deal_leaves_the_score_pad_and_restart_keeps_it(tmp_path):
    server = LiveServer(tmp_path)
    try:
        id, guests = full_table(server, "fourteen", 3)
        table = play_until(server, id, guests, 3, random.Random(1))
        both = pad_rows(guests[0], id)
        assert len(both) == 2
        ends = list(table.game_state.deal_ends)
        guests[0].post(f"/api/tables/{id}/undo", {"n": table.n, "to": ends[1] - 1, "idempotency_key": "back-0001"}, 200)
        for guest in guests[1:]:
            guest.vote(id)
        assert pad_rows(guests[0], id) == both[:1], "expected the second hand to be played again"
        server.restart(*guests)
        assert pad_rows(guests[0], id) == both[:1], "expected the same score pad after a restart"
        play_until(server, id, guests, 3, random.Random(2))
        assert pad_rows(guests[0], id) == both, "expected no deal on the score pad without its last card"
    finally:
        server.close()


def test_score_pad_is_empty_without_deals_and_unknown_without_a_table(server):
    id, guests = full_table(server, "mines", 2)
    play_until(server, id, guests, 99, random.Random(4))
    assert pad_rows(guests[0], id) == []
    guests[0].get("/api/tables/nowhere/score-pad", 404)
