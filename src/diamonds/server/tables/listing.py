"""Tables as list entries, for the lobby and for a person's own list."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Protocol

import msgspec

from diamonds.game import find_game
from diamonds.server.api import tables as messages
from diamonds.server.api.summaries import LoadedTableSummary
from diamonds.server.people.display_names import display_names
from diamonds.server.storage.commit_outcomes import DamagedTableError
from diamonds.server.storage.store import Store
from diamonds.server.storage.table_data import StoredSummary, StoredTurnState
from diamonds.server.tables.core.loading import decode_clock_state, decode_header, decode_seating
from diamonds.server.tables.core.seating import SeatsAndSettings, TableHeader
from diamonds.server.tables.core.table import Table, is_withheld
from diamonds.server.tables.core.table_info import seat_infos, time_control_info
from diamonds.server.tables.registry import TableRegistry

MAX_LISTED_TABLES = 100
ABANDONED_AFTER_S = 24 * 3600.0


class ListDependencies(Protocol):
    """The part of `TableService` that lists need."""

    store: Store
    registry: TableRegistry
    remote_summaries: dict[str, LoadedTableSummary]


async def list_tables(tables: ListDependencies, person: str) -> messages.TableListResponse:
    """Return the public tables to join or watch, and the person's own tables.

    Damaged tables appear only among the person's own.
    """
    listed = await tables.store.summaries_of(person, MAX_LISTED_TABLES)
    own = [
        listed_table
        for listed_table in listed
        if not is_abandoned(listed_table, tables.registry.get(listed_table.table))
    ]
    turn_states = {listed_table.table: listed_table for listed_table in await tables.store.turn_states_of(person)}
    parsed = {
        listed_table.table: parse_listed(listed_table)
        for listed_table in own
        if listed_table.table not in tables.registry.damaged_tables
    }
    matches = {header.match.id for header, _ in filter(None, parsed.values()) if header.match is not None}
    ended_matches = {match for match in matches if await tables.store.is_match_over(match)}
    seats = (holder for listed in parsed.values() if listed for holder in listed[1].seats)
    people_names = await display_names(tables.store, {holder.person for holder in seats if holder.person})

    def summary_of(listed_table: StoredSummary) -> messages.TableSummary:
        contents, summary = parsed.get(listed_table.table), tables.remote_summaries.get(listed_table.table)
        match = contents[0].match if contents else None
        withheld = contents is not None and is_withheld(contents[0], match is not None and match.id in ended_matches)
        if contents and summary:
            is_to_act = listed_table.phase == "playing" and is_to_act_stored(
                person, contents[1], turn_states.get(listed_table.table)
            )
            return msgspec.structs.replace(summary.summary, your_turn=is_to_act, withheld=withheld)
        return (
            table_summary(
                listed_table,
                contents,
                people_names,
                tables.registry.get(listed_table.table),
                person,
                withheld,
                turn_states.get(listed_table.table),
            )
            if contents
            else damaged_summary(listed_table)
        )

    public = [loaded_summary(table, person) for table in tables.registry.all() if is_listed(table)]
    public += [summary.summary for summary in tables.remote_summaries.values() if summary.is_listed]
    public.sort(key=lambda listed_table: listed_table.created, reverse=True)
    return messages.TableListResponse(public[:MAX_LISTED_TABLES], [summary_of(listed_table) for listed_table in own])


def parse_listed(listed: StoredSummary) -> tuple[TableHeader, SeatsAndSettings] | None:
    """Return the header and seating of a stored table; `None` if they are unreadable."""
    try:
        header = decode_header(listed.header)
        return (
            (header, decode_seating(listed.seating, header)) if listed.phase in ("waiting", "playing", "over") else None
        )
    except DamagedTableError:
        return None


def is_listed(table: Table) -> bool:
    """Return whether a table is listed for everyone: it is public, and there is a seat to take or a game to watch.

    A table that all its people have left is not listed until one returns. A table where one person plays bots is never
    listed.
    """
    if table.header.private or table.is_over or table.seating.closed_reason:
        return False
    has_people = any(table.presence.is_recently_connected(seat) for seat in table.people_seats)
    if table.phase == "playing":
        return has_people and len(table.people_seats) > 1
    has_host = table.presence.is_host_connected
    return (has_people or has_host) and any(
        holder.kind == "open" and not holder.person for holder in table.seating.seats
    )


def is_abandoned(listed: StoredSummary, table: Table | None) -> bool:
    """Return whether a table has waited so long, with nobody there, that even its own people no longer see it."""
    has_viewers = table is not None and table.presence.has_viewers
    return listed.phase == "waiting" and time.time() - listed.created > ABANDONED_AFTER_S and not has_viewers


def loaded_summary(table: Table, person: str) -> messages.TableSummary:
    """Return a loaded table as a list entry."""
    listed = StoredSummary(table.id, b"", b"", table.phase, table.header.created)
    return table_summary(listed, (table.header, table.seating), table.names, table, person, table.is_withheld)


def table_summary(
    listed: StoredSummary,
    parsed: tuple[TableHeader, SeatsAndSettings],
    names: Mapping[str, str],
    table: Table | None,
    person: str,
    withheld: bool,
    turn_state: StoredTurnState | None = None,
) -> messages.TableSummary:
    """Return a table as a list entry.

    `table` is the loaded table, if there is one, with the people present and the seats to act. Otherwise `turn_state`
    has the stored turn.
    """
    header, seating = parsed
    return messages.TableSummary(
        id=listed.table,
        game=header.game,
        title=find_game(header.game).title,
        seats=header.seats,
        options=header.options,
        seat_holders=seat_infos(header, seating, names, table),
        time_control=time_control_info(header.time_control),
        phase=listed.phase,  # type: ignore[arg-type]
        your_turn=is_to_act(table, person)
        if table is not None
        else listed.phase == "playing" and is_to_act_stored(person, seating, turn_state),
        withheld=withheld,
        created=listed.created,
    )


def is_to_act(table: Table, person: str) -> bool:
    seat, state = table.seat_of(person), table.game_state.state
    if seat < 0 or state is None or table.seating.closed_reason:
        return False
    return bool(int(state["to_act"]) >> seat & 1)


def is_to_act_stored(person: str, seating: SeatsAndSettings, turn_state: StoredTurnState | None) -> bool:
    """Return whether a person is to act at a table that is not loaded, by its clocks or the stored turn.

    A person alone with bots is always to act.
    """
    if seating.closed_reason:
        return False
    seat = next(
        (seat for seat, holder in enumerate(seating.seats) if (holder.kind, holder.person) == ("person", person)), -1
    )
    if seat < 0 or not seating.has_several_people:
        return seat >= 0
    if turn_state is None:
        return False
    to_act = (
        decode_clock_state(turn_state.clocks, turn_state.clocks_at_ms).running
        if turn_state.clocks
        else turn_state.to_act or 0
    )
    return bool(to_act >> seat & 1)


def damaged_summary(listed: StoredSummary) -> messages.TableSummary:
    """Return the list entry of a damaged table, of which only the id and the time are known."""
    return messages.TableSummary(listed.table, "", "", 0, {}, [], "damaged", None, False, False, listed.created)
