"""`TableInfo`: everything about a table other than its game, such as seats, proposal and chat."""

from __future__ import annotations

from collections.abc import Mapping

from diamonds import deals
from diamonds.server.api.codec import encode
from diamonds.server.api.tables import ProposalInfo, SeatInfo, TableMatchInfo, TimeControlInfo
from diamonds.server.tables.core.chat import chat_for, is_chat_disabled, sees_spectator_chat
from diamonds.server.tables.core.clocks import TimeControl
from diamonds.server.tables.core.presence import Viewer
from diamonds.server.tables.core.seating import (
    MATCH_ENDED,
    Proposal,
    SeatsAndSettings,
    TableHeader,
    host_settings,
    person_name,
    resolve_seat_names,
)
from diamonds.server.tables.core.table import Table


def table_info(table: Table, viewer: Viewer) -> bytes:
    """Return the `TableInfo` for a viewer."""
    proposal = table.proposal
    # Spectators do not learn where the players of a private table continue.
    rematch_table = table.seating.rematch_table if viewer.seat >= 0 or not table.header.private else ""
    sees_spectator_messages = sees_spectator_chat(table, viewer.has_played)
    former_player = viewer.seat < 0 and not sees_spectator_messages
    # Most viewers have not blocked anyone who has posted here, so they share a result.
    blocked_speakers = viewer.blocked and viewer.blocked.intersection(line.person for line in table.chat)
    key = (
        viewer.is_host, viewer.reserved_seat, viewer.is_proposer, rematch_table, sees_spectator_messages,
        former_player, blocked_speakers, table.change_counter, table.phase if proposal is None else "asked",
    )  # fmt: skip
    cached = table.info_cache.get(key)
    if cached is not None:
        return cached
    header = table.header
    text = encode(
        {
            "id": table.id,
            "game": header.game,
            "title": table.game.title,
            "seats": header.seats,
            "options": header.options,
            "seat_holders": seat_infos(header, table.seating, table.names, table),
            "phase": table.phase,
            "private": header.private,
            "substitute_after_s": header.substitute_after_s,
            "hints": table.hints_allowed,
            **host_settings(table.seating),
            "chat_disabled": is_chat_disabled(table),
            "former_player": former_player,
            "time_control": time_control_info(header.time_control),
            "is_host": viewer.is_host,
            "invite": header.invite if viewer.is_host and header.fork is None and not table.has_shared_cards else None,
            "reserved_seat": viewer.reserved_seat if viewer.reserved_seat >= 0 else None,
            "commitment": deals.commit(table.game_state.secret),
            "fork": header.fork,
            "daily": header.daily or None,
            "match": match_info(table),
            "rematch_table": rematch_table or None,
            "spectators": table.presence.spectators,
            "proposal": _proposal_info(table, proposal, viewer.is_proposer) if proposal else None,
            "chat": chat_for(table, sees_spectator_messages, blocked_speakers),
        }
    )
    if len(table.info_cache) > 2:
        table.info_cache.clear()
    table.info_cache[key] = text
    return text


def match_info(table: Table) -> TableMatchInfo | None:
    """Return the table's place in its duplicate match."""
    match = table.header.match
    if match is None:
        return None
    is_closed = table.seating.closed_reason == MATCH_ENDED
    return TableMatchInfo(match.id, match.deal, match.deals, table.is_withheld, is_closed)


def time_control_info(control: TimeControl | None) -> TimeControlInfo | None:
    """Return a time control for the API, whose keys differ from the stored ones."""
    if control is None:
        return None
    return TimeControlInfo(control.initial_s, control.increment_s, control.days_per_move)


def _proposal_info(table: Table, proposal: Proposal, is_own: bool) -> ProposalInfo:
    """Return a proposal as an API message."""
    return ProposalInfo(
        proposal.id,
        proposal.kind,  # type: ignore[arg-type]
        table.name_at_table(proposal.person, person_name(proposal.person, table.names)),
        is_own,
        proposal.seat,
        proposal.undo_to if proposal.kind == "undo" else None,
        proposal.level or None,
        table.missing_voters(proposal),
    )


def seat_infos(
    header: TableHeader, seating: SeatsAndSettings, names: Mapping[str, str], table: Table | None = None
) -> list[SeatInfo]:
    """Return the seats. If the table is not loaded, people count as absent.

    With days per move, people always count as present: absence would reveal that an answer was planned.
    """
    counts_days = header.time_control is not None and header.time_control.days_per_move > 0
    connected = table.presence.connected_seats if table else set()
    seat_names = resolve_seat_names(seating, names)
    return [
        SeatInfo(
            seat,
            holder.kind,  # type: ignore[arg-type]
            seat_names[seat],
            holder.level or None,
            holder.kind == "bot" or (holder.kind == "person" and (counts_days or seat in connected)),
            table is not None and seat in table.presence.substituted,
            holder.kind == "open" and bool(holder.person),
            table.presence.bot_status.get(seat, "") if table is not None and holder.kind == "bot" else "",  # type: ignore[arg-type]
        )
        for seat, holder in enumerate(seating.seats)
    ]
