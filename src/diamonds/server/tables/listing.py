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
    registry = tables.registry
    listed = await tables.store.summaries_of(person, MAX_LISTED_TABLES)
    own = [each for each in listed if not is_abandoned(each, registry.get(each.table))]
    turn_states = {state.table: state for state in await tables.store.turn_states_of(person)}
    parsed = {each.table: parse_listed(each) for each in own if each.table not in registry.damaged_tables}
    matches = {header.match.id for header, _ in filter(None, parsed.values()) if header.match is not None}
    ended_matches = {match for match in matches if await tables.store.is_match_over(match)}
    people = {holder.person for _, seating in filter(None, parsed.values()) for holder in seating.seats}
    names = await display_names(tables.store, people - {""})

    def summary_of(stored: StoredSummary) -> messages.TableSummary:
        contents = parsed.get(stored.table)
        if contents is None:
            return damaged_summary(stored)
        header, seating = contents
        withheld = is_withheld(header, header.match is not None and header.match.id in ended_matches)
        turn_state, remote = turn_states.get(stored.table), tables.remote_summaries.get(stored.table)
        if remote:
            is_to_act = stored.phase == "playing" and is_to_act_stored(person, seating, turn_state)
            return msgspec.structs.replace(remote.summary, your_turn=is_to_act, withheld=withheld)
        return table_summary(stored, contents, names, registry.get(stored.table), person, withheld, turn_state)

    public = [loaded_summary(table, person) for table in registry.all() if is_listed(table)]
    public += [remote.summary for remote in tables.remote_summaries.values() if remote.is_listed]
    public.sort(key=lambda summary: summary.created, reverse=True)
    return messages.TableListResponse(public[:MAX_LISTED_TABLES], [summary_of(stored) for stored in own])


def parse_listed(listed: StoredSummary) -> tuple[TableHeader, SeatsAndSettings] | None:
    """Return the header and seating of a stored table; `None` if they are unreadable."""
    try:
        header = decode_header(listed.header)
        seating = decode_seating(listed.seating, header)
    except DamagedTableError:
        return None
    return (header, seating) if listed.phase in ("waiting", "playing", "over") else None


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
    """Return whether a table has waited for so long, with nobody there, that even its own people no longer see it."""
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
