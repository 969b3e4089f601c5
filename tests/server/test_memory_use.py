"""Memory of a table with a long game: compact, without loss."""

import random
import tracemalloc

import pytest

from diamonds.game import GAMES
from diamonds.server.tables.core.entry_log import COMPACT_BLOCK, PACK_BLOCK, CompactTimestamps, EntryLog
from diamonds.server.tables.core.seating import SeatHolder, SeatsAndSettings
from diamonds.server.tables.core.table import Table
from tests.server.test_entry_log import header

DAY_MS = 24 * 3600 * 1000


def dealt_table(game: str, seats: int) -> Table:
    """Return a table of people after its first deal."""
    places = SeatsAndSettings([SeatHolder("person", f"p{seat}", "", "") for seat in range(seats)])
    places.fix_initial_holders()
    table = Table("table", header(game, seats), places, 0)
    table.game_state.begin(places)
    return table


@pytest.mark.parametrize(("game", "seats"), [("crystals", 4), ("fourteen", 3), ("mines", 2)])
def test_compact_log_sends_the_same_events(game, seats):
    table, rng = dealt_table(game, seats), random.Random(7)
    told, ends, keys = [table.log.events_at(0)], [], []
    while not table.is_over:
        state = table.game_state.state
        seat = rng.choice(table.game.to_act(state))
        number = table.game.parse_answer(state, seat, None, rng.choice(table.game.legal(state, seat)))
        [step] = table.game_state.preview_steps(seat, [number])
        keys.append(rng.getrandbits(64) - (1 << 63))
        table.game_state.commit_step(step, table.log.time_for_entry(), keys[-1])
        told.append(step.rows)
        ends += [] if step.deal_end is None else [step.deal_end.tobytes()]
        at = rng.randrange(len(told))
        assert len(table.log._row_ends) <= 2 * PACK_BLOCK, "expected old events to be packed"
        assert table.log.events_at(at) == told[at], f"expected the events of entry {at} of {table.n} to be unchanged"
        assert table.log.may_have_key(rng.choice(keys)), "expected a repeated request to be recognized"
    assert [table.log.events_at(n) for n in range(table.n + 1)] == told
    assert [end.tobytes() for end in table.game_state.deal_end_states()] == ends
    assert all(map(table.log.may_have_key, keys))


def test_table_continues_and_sends_events_after_its_game():
    log = EntryLog(GAMES["mines"])
    log.append_events([(1, 2)])
    over, later = COMPACT_BLOCK + PACK_BLOCK, COMPACT_BLOCK + 4 * PACK_BLOCK
    # Random entries of any seat, which use all of their bits.
    made = [(n << 56 | 254 << 48 | n) & (1 << 64) - 1 for n in range(later)]
    moments = [1_700_000_000_000 + n * DAY_MS // 9 for n in range(later)]
    for n in range(later):
        if n == over:
            log.compact()
        log.append(made[n], moments[n], n, [(n, n)])
        if n >= over:
            assert (log.n, log.entries[-1], log.times[-1]) == (n + 1, made[n], moments[n])
            assert log.events_at(n + 1) == [(n, n)], "expected the last event after the game"
    assert log.entries.tolist() == made
    assert log.times.tolist() == moments
    assert [log.events_at(n + 1) for n in range(later)] == [[(n, n)] for n in range(later)]
    assert log.events_at(0) == [(1, 2)]


def test_entry_times_are_exact_however_long_a_game_takes():
    moments = [0, 0, 1_700_000_000_000, 1_700_000_000_000 + 300 * DAY_MS]
    for first in (0, 2):
        times = CompactTimestamps()
        for moment in moments[first:]:
            times.append(moment)
        assert times.tolist() == [*times] == moments[first:]
        assert (times[-1], len(times)) == (moments[-1], len(moments) - first)
    back = CompactTimestamps()
    for moment in (500, 20, 900):
        back.append(moment)
    assert back.tolist() == [500, 20, 900], "expected exact times"


def test_entry_times_of_forty_days_take_four_bytes_each():
    times, count = CompactTimestamps(), 20_000
    tracemalloc.start()
    try:
        for k in range(count):
            times.append(1_700_000_000_000 + k * 40 * DAY_MS // count)
        size = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    assert 4 <= size / count < 5, f"expected four bytes and some room to grow, got {size / count}"
