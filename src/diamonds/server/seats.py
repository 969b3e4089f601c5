"""Who may have which seat: what sitting down, standing up and seating bots make of a table's places, or why not.

Nothing here waits or writes; `tables.py` does.
"""

from __future__ import annotations

import secrets

from diamonds import bots
from diamonds.game import Illegal, Malformed
from diamonds.server import messages
from diamonds.server.people import Forbidden
from diamonds.server.table import Places, Seat, Table


def sit_down(table: Table, person: str, asked: messages.Sit) -> Places:
    """Someone takes a seat: the one kept for them, one that is asked for, or the first that is open."""
    if table.seat_of(person) >= 0:
        raise Illegal("You have a seat at this table already.")
    _check_welcome(table, person, asked.invite)
    kept = table.kept_for(person)
    seat = asked.seat if asked.seat is not None else kept if kept >= 0 else _first_free(table)
    place = _place(table, seat)
    if place.kind != "open" or place.person not in ("", person):
        raise Illegal("That seat is taken.")
    places = table.copy_of_places()
    nonce = place.nonce
    if not places.nonces:
        if asked.nonce is None:
            raise Malformed("Send a nonce of your own: it goes into the shuffle (it may be empty).")
        nonce = asked.nonce
        if kept >= 0:
            places.seats[kept] = Seat()
    places.seats[seat] = Seat("person", person, "", nonce)
    return places


def stand_up(table: Table, person: str) -> Places:
    """Someone leaves their seat. During a game it is kept for them, and a bot plays on meanwhile."""
    seat = table.seat_of(person)
    if seat < 0:
        raise Forbidden("You have no seat at this table.")
    _check_not_over(table)
    places = table.copy_of_places()
    places.seats[seat] = Seat(nonce=places.seats[seat].nonce) if places.nonces else Seat()
    return places


def set_bot(table: Table, person: str, asked: messages.SetBot) -> Places:
    """An open seat is given to a bot, or a bot is sent away. A bot adds no nonce: the house, which seats it, could choose one."""
    if person != table.header.host and table.seat_of(person) < 0:
        raise Forbidden("Only those who made the table or sit at it choose its bots.")
    place = _place(table, asked.seat)
    _check_not_over(table)
    places = table.copy_of_places()
    if asked.level is not None:
        bots.find_able_bot(asked.level)
        if place.kind == "person":
            raise Illegal("Somebody has that seat.")
        places.seats[asked.seat] = Seat("bot", "", asked.level, place.nonce)
    else:
        if place.kind != "bot":
            raise Illegal("No bot has that seat.")
        places.seats[asked.seat] = Seat(nonce=place.nonce)
    return places


def _check_welcome(table: Table, person: str, invite: str | None) -> None:
    """Whether someone may sit down at this table at all."""
    header = table.header
    invited = invite is not None and secrets.compare_digest(invite.encode(), header.invite.encode())
    if header.private and not invited and person != header.host:
        raise Forbidden("This table is private: ask for its invitation link.")
    _check_not_over(table)


def _check_not_over(table: Table) -> None:
    if table.over:
        raise Illegal("The game is over.")


def _place(table: Table, seat: int) -> Seat:
    if not 0 <= seat < table.header.seats:
        raise Malformed("There is no such seat at this table.")
    return table.places.seats[seat]


def _first_free(table: Table) -> int:
    for seat, place in enumerate(table.places.seats):
        if place.kind == "open" and not place.person:
            return seat
    raise Illegal("All seats are taken.")
