"""What a table keeps in memory of a long game: little, and nothing of it is lost."""

from __future__ import annotations

import random
import sys

import pytest
from test_log import header

from diamonds.game import GAMES
from diamonds.server.table.log import BLOCK, REST, Log, Times
from diamonds.server.table.places import Places, SeatHolder
from diamonds.server.table.table import Table

DAY = 24 * 3600 * 1000  # milliseconds


def begun(game: str, seats: int) -> Table:
    """A table of people whose first deal is dealt."""
    places = Places([SeatHolder("person", f"p{seat}", "", "") for seat in range(seats)])
    places.fix()
    table = Table("table", header(game, seats), places, 0)
    table.play.begin(places)
    return table


@pytest.mark.parametrize(("game", "seats"), [("crystals", 4), ("fourteen", 3), ("mines", 2)])
def test_what_was_told_is_told_the_same_however_little_room_it_is_kept_in(game, seats):
    table, rng = begun(game, seats), random.Random(7)
    told, ends, keys = [table.log.told(0)], [], []
    while not table.over:
        state = table.play.state
        seat = rng.choice(table.game.to_act(state))
        number = table.game.read_answer(state, seat, None, rng.choice(table.game.legal(state, seat)))
        [step] = table.play.steps(seat, [number])
        keys.append(rng.getrandbits(64) - (1 << 63))
        table.play.apply(step, table.log.time_for_entry(), keys[-1])
        told.append(step.rows)
        ends += [] if step.closed is None else [step.closed.tobytes()]
        at = rng.randrange(len(told))
        assert len(table.log._ends) <= 2 * BLOCK, "what was told long ago takes as much room as what is news"
        assert table.log.told(at) == told[at], f"what was told by entry {at} of {table.n} is told otherwise"
        assert table.log.may_know(rng.choice(keys)), "a POST that was made before is taken for a new one"
    assert [table.log.told(n) for n in range(table.n + 1)] == told
    assert [end.tobytes() for end in table.play.ends_of_deals()] == ends
    assert all(map(table.log.may_know, keys))
    log = table.log
    kept = [
        log._entries,
        log._at._after,
        log._rest,
        log._keys,
        log._told,
        log._ends,
        *(block for _, block in log._packed),
    ]
    room = sum(map(sys.getsizeof, [*kept, table.play._all_ends]))
    assert room < 1_500 + 9 * table.n, f"{room} bytes are kept of {table.n} entries"


def test_a_table_goes_on_after_its_game_and_tells_of_that_too():
    log = Log(GAMES["mines"])
    log.tell([(1, 2)])
    over, later = REST + BLOCK, REST + 4 * BLOCK
    made = [
        (n << 56 | 254 << 48 | n) & (1 << 64) - 1 for n in range(later)
    ]  # of any seat: entries fill all of their bits
    moments = [1_700_000_000_000 + n * DAY // 9 for n in range(later)]
    for n in range(later):
        if n == over:
            log.rest()
        log.append(made[n], moments[n], n, [(n, n)])
        if n >= over:
            assert (log.n, log.entries[-1], log.at[-1]) == (n + 1, made[n], moments[n])
            assert log.told(n + 1) == [(n, n)], "what happened last after the game is told otherwise"
    assert log.entries.tolist() == made
    assert log.at.tolist() == moments
    assert [log.told(n + 1) for n in range(later)] == [[(n, n)] for n in range(later)]
    assert log.told(0) == [(1, 2)]


def test_times_are_kept_however_long_a_game_takes():
    moments = [0, 0, 1_700_000_000_000, 1_700_000_000_000 + 300 * DAY]
    for first in (0, 2):
        times = Times()
        for moment in moments[first:]:
            times.append(moment)
        assert times.tolist() == [*times] == moments[first:]
        assert (times[-1], len(times)) == (moments[-1], len(moments) - first)
    back = Times()
    for moment in (500, 20, 900):
        back.append(moment)
    assert back.tolist() == [500, 20, 900], "a time that was written down is changed"
    short = Times()
    for day in range(40):
        short.append(1_700_000_000_000 + day * DAY)
    assert short._after.itemsize == 4, "a game of forty days takes more room than it needs"
