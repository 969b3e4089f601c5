"""Rules for seats: each function returns the seating after a change, or raises an error with the reason.

A person with a seat after the deal has seen its hand, and may only return to that seat. During a game, any other change
of a holder, except leaving, needs the consent of all other connected people at the table, who vote on a *proposal*. A
table has one proposal at a time. Nothing here waits or stores; `tables/service.py` does.
"""

from __future__ import annotations

import secrets

import msgspec

from diamonds.bots import levels
from diamonds.errors import InvalidInputError, NotAllowedError
from diamonds.server.api import tables as messages
from diamonds.server.errors import ForbiddenError
from diamonds.server.tables.core.seating import Proposal, SeatHolder, SeatsAndSettings, host_settings
from diamonds.server.tables.core.table import Table

MAX_SEAT_REQUESTS = 3  # at one table, within `SEAT_REQUESTS_MS`; an accepted one clears them
SEAT_REQUESTS_MS = 60_000


def sit(table: Table, person: str, request: messages.SitRequest) -> SeatsAndSettings:
    """Give a person a seat: the reserved one, the requested one, or the first free one."""
    if table.seat_of(person) >= 0:
        raise NotAllowedError("table-seat-already")
    _check_not_over(table)
    if person in table.game_state.hand_seats:
        return _sit_again(table, person, request.seat)
    _check_invited(table, person, request.invite)
    if table.phase == "playing":
        return _propose_seat(table, person, request.seat)
    reserved = table.reserved_seat(person)
    seat = request.seat if request.seat is not None else reserved if reserved >= 0 else _first_free_seat(table, "open")
    holder = _find_holder(table, seat)
    if holder.kind != "open" or holder.person not in ("", person):
        raise NotAllowedError("table-seat-taken")
    if request.nonce is None:
        raise InvalidInputError("table-nonce")
    seating = table.copy_seating()
    if reserved >= 0:
        seating.seats[reserved] = SeatHolder()
    seating.seats[seat] = SeatHolder("person", person, "", request.nonce, table.revision + 1)
    return seating


def _sit_again(table: Table, person: str, seat: int | None) -> SeatsAndSettings:
    """Return a person to the seat they left. If they forfeited it on time, propose it to the others."""
    hand_seat = table.game_state.hand_seats[person]
    if seat not in (None, hand_seat):
        raise NotAllowedError("table-seat-held", number=hand_seat + 1)
    if table.seating.seats[hand_seat].kind == "person":
        raise NotAllowedError("table-seat-given-away")
    if table.clocks is not None and table.clocks.forfeited >> hand_seat & 1:
        return _request_seat(table, person, hand_seat)
    return _with_holder(table, hand_seat, SeatHolder("person", person, seated_order=table.revision + 1))


def _propose_seat(table: Table, person: str, seat: int | None) -> SeatsAndSettings:
    """Propose a seat for a person who has seen no hand: by default an open one, otherwise a bot's."""
    if seat is None:
        seat = _first_free_seat(table, "open", "bot")
    if _find_holder(table, seat).kind == "person":
        raise NotAllowedError("table-seat-taken")
    return _request_seat(table, person, seat)


def _request_seat(table: Table, person: str, seat: int) -> SeatsAndSettings:
    """Propose a seat for a person without one, unless the players were asked several times and have not agreed.

    Otherwise strangers could interrupt them without end, and leave them no proposals of their own.
    """
    now = table.presence.now()
    recent = [at for at in table.presence.seat_requests if now - at < SEAT_REQUESTS_MS]
    if len(recent) >= MAX_SEAT_REQUESTS:
        raise NotAllowedError("table-seat-asked", seconds=-(-(recent[0] + SEAT_REQUESTS_MS - now) // 1000))
    seating = propose(table, Proposal("sit", person, seat, voters=_connected_others(table, person)))
    table.presence.seat_requests = [*recent, now]
    return seating


def stand(table: Table, person: str, _: messages.StandRequest) -> SeatsAndSettings:
    """Make a person leave their seat. During a game it stays reserved for them while a bot plays on.

    With clocks, leaving counts as a timeout, and too many timeouts forfeit the seat.
    """
    seat = table.seat_of(person)
    if seat < 0:
        raise ForbiddenError("table-no-seat")
    _check_not_over(table)
    if table.phase == "playing" and table.is_last_timeout(seat):
        return forfeit_seat(table, seat)
    return _with_holder(table, seat, SeatHolder("open", person if table.phase == "playing" else ""))


def forfeit_seat(table: Table, seat: int) -> SeatsAndSettings:
    """Give a seat that was forfeited on time to a bot."""
    return _with_holder(table, seat, SeatHolder("bot", "", levels.fast_bot_name(table.game)))


def release_no_shows(table: Table) -> SeatsAndSettings:
    """Open the seats of no-shows, or give them to bots, depending on the seating."""
    seating = table.copy_seating()
    for seat, holder in enumerate(seating.seats):
        if holder.kind == "open":
            bot = seating.no_show_action == "bot"
            seating.seats[seat] = SeatHolder("bot", "", levels.fast_bot_name(table.game)) if bot else SeatHolder()
    seating.no_show_action = ""
    return seating


def set_bot(table: Table, person: str, request: messages.SetBotRequest) -> SeatsAndSettings:
    """Seat a bot or remove one; before the game, also remove a person who has not taken their reserved seat.

    A bot has no nonce, because the server could choose it.
    """
    _check_not_over(table)
    if table.phase == "waiting" and person != table.host:
        raise ForbiddenError("table-bots-before")
    if table.phase == "playing" and table.seat_of(person) < 0:
        raise ForbiddenError("table-bots-during")
    holder = _find_holder(table, request.seat)
    if request.level is not None:
        levels.find_level(request.level, table.game)
        if holder.kind == "person":
            raise NotAllowedError("table-somebody-there")
    elif holder.kind != "bot" and not (table.phase == "waiting" and holder.kind == "open" and holder.person):
        raise NotAllowedError("table-no-bot-there")
    if table.phase == "playing":
        return propose(
            table,
            Proposal("bot", person, request.seat, level=request.level or "", voters=_connected_others(table, person)),
        )
    return _with_holder(
        table, request.seat, SeatHolder("bot", "", request.level) if request.level is not None else SeatHolder()
    )


def change_settings(table: Table, person: str, request: object) -> SeatsAndSettings:
    """Return the seating with the settings in a request of the host (`HOST_SETTINGS`)."""
    if person != table.host:
        raise ForbiddenError("table-settings-host")
    return msgspec.structs.replace(table.copy_seating(), **host_settings(request))


# Proposals


def propose(table: Table, proposal: Proposal) -> SeatsAndSettings:
    """Make a proposal, replacing the person's earlier one."""
    if table.proposal is not None and table.proposal.person != proposal.person:
        raise NotAllowedError("table-asked-already")
    if not proposal.voters:
        raise NotAllowedError("table-nobody-to-agree")
    seating = table.copy_seating()
    seating.proposal = msgspec.structs.replace(proposal, n=table.n, id=table.revision)
    return seating


def vote(table: Table, person: str, request: messages.ProposalVoteRequest) -> SeatsAndSettings:
    """Add a vote to the proposal: one more acceptance, or a rejection that ends it."""
    proposal = table.proposal
    if proposal is None or proposal.id != request.proposal:
        raise NotAllowedError("table-not-asked-any-more")
    seat = table.seat_of(person)
    if person != proposal.person and seat < 0:
        raise ForbiddenError("table-no-seat")
    seating = table.copy_seating()
    if not request.accept and (
        person == proposal.person or seat in (*table.missing_voters(proposal), *proposal.accepted)
    ):
        seating.proposal = None
    elif request.accept and seat in table.missing_voters(proposal):
        seating.proposal = msgspec.structs.replace(proposal, accepted=[*proposal.accepted, seat])
    else:
        raise NotAllowedError("table-not-asked")
    return seating


def apply_proposal(table: Table, proposal: Proposal) -> SeatsAndSettings:
    """Change the seat, because all have accepted the proposal."""
    bot = SeatHolder("bot", "", proposal.level) if proposal.level else SeatHolder()
    seating = _with_holder(
        table,
        proposal.seat,
        SeatHolder("person", proposal.person, seated_order=table.revision + 1) if proposal.kind == "sit" else bot,
    )
    seating.proposal = None
    if proposal.kind == "sit":
        table.presence.seat_requests = []
    return seating


def _with_holder(table: Table, seat: int, holder: SeatHolder) -> SeatsAndSettings:
    """Return the seating with one seat changed.

    Nonces stay fixed after the first deal; an obsolete proposal is removed.
    """
    seating = table.copy_seating()
    if seating.nonces:
        holder.nonce = seating.nonces[seat]
    seating.seats[seat] = holder
    proposal = seating.proposal
    if proposal is not None:
        seated = any(other.kind == "person" and other.person == proposal.person for other in seating.seats)
        wants_seat = proposal.kind in ("sit", "bot")
        if seated == (proposal.kind == "sit") or (wants_seat and seating.seats[proposal.seat].kind == "person"):
            seating.proposal = None
    return seating


def _connected_others(table: Table, person: str) -> list[int]:
    """Return the seats of all other connected people."""
    connected = table.presence.connected_seats - {table.seat_of(person)}
    return [seat for seat in table.people_seats if seat in connected]


# Checks


def _check_invited(table: Table, person: str, invite: str | None) -> None:
    """Raise `ForbiddenError` if a person may not sit down at this table."""
    header = table.header
    invited = invite is not None and secrets.compare_digest(invite.encode(), header.invite.encode())
    if header.private and not invited and person not in (header.host, table.host) and table.reserved_seat(person) < 0:
        raise ForbiddenError("table-private")


def _check_not_over(table: Table) -> None:
    if table.is_over:
        raise NotAllowedError("game-over")


def _find_holder(table: Table, seat: int) -> SeatHolder:
    if not 0 <= seat < table.header.seats:
        raise InvalidInputError("table-no-such-seat")
    return table.seating.seats[seat]


def _first_free_seat(table: Table, *kinds: str) -> int:
    """Return the first unreserved seat of the first of these kinds that has any."""
    for kind in kinds:
        for seat, holder in enumerate(table.seating.seats):
            if holder.kind == kind and not holder.person:
                return seat
    raise NotAllowedError("table-all-taken")
