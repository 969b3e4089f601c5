"""Who may have which seat: what sitting down, standing up and seating bots make of a table's places, or why not.

Whoever has had a seat since the cards were dealt has seen its hand. From then on a person returns to the seat that they left
and takes no other one; all other changes need the consent of everyone else who sits at the table and is here. They are asked
by a *wish*, of which a table has one at a time. Nothing here waits or writes; `tables.py` does.
"""

from __future__ import annotations

import secrets

import msgspec

from diamonds.bots import levels
from diamonds.game import Illegal, Malformed
from diamonds.server.api import messages
from diamonds.server.api.refusals import Forbidden
from diamonds.server.table.places import Places, SeatHolder, Wish
from diamonds.server.table.table import Table


def sit_down(table: Table, person: str, asked: messages.Sit) -> Places:
    """Someone takes a seat: the one kept for them, one that is asked for, or the first that is free."""
    if table.seat_of(person) >= 0:
        raise Illegal("table-seat-already")
    _check_not_over(table)
    if person in table.play.held:
        return _return(table, person, asked.seat)
    _check_welcome(table, person, asked.invite)
    if table.phase == "playing":
        return _ask_for_seat(table, person, asked.seat)
    kept = table.kept_for(person)
    seat = asked.seat if asked.seat is not None else kept if kept >= 0 else _first(table, "open")
    place = _place(table, seat)
    if place.kind != "open" or place.person not in ("", person):
        raise Illegal("table-seat-taken")
    if asked.nonce is None:
        raise Malformed("table-nonce")
    places = table.copy_of_places()
    if kept >= 0:
        places.seats[kept] = SeatHolder()
    places.seats[seat] = SeatHolder("person", person, "", asked.nonce, table.revision + 1)
    return places


def _return(table: Table, person: str, seat: int | None) -> Places:
    """Someone comes back to the seat that they left; if they lost it on time, the others have to agree."""
    held = table.play.held[person]
    if seat not in (None, held):
        raise Illegal("table-seat-held", number=held + 1)
    if table.places.seats[held].kind == "person":
        raise Illegal("table-seat-given-away")
    if table.clocks is not None and table.clocks.lost >> held & 1:
        return ask(table, Wish("sit", person, held, asked=_here(table, person)))
    return _changed(table, held, SeatHolder("person", person, sat=table.revision + 1))


def _ask_for_seat(table: Table, person: str, seat: int | None) -> Places:
    """Someone who has seen no hand asks for a seat that no person has: by default one that is open, or else a bot's."""
    if seat is None:
        seat = _first(table, "open", "bot")
    if _place(table, seat).kind == "person":
        raise Illegal("table-seat-taken")
    return ask(table, Wish("sit", person, seat, asked=_here(table, person)))


def stand_up(table: Table, person: str, _: messages.Stand) -> Places:
    """Someone leaves their seat. During a game it is kept for them, and a bot plays on meanwhile.

    With clocks that counts as a time-out, and whoever has had enough of them loses the seat.
    """
    seat = table.seat_of(person)
    if seat < 0:
        raise Forbidden("table-no-seat")
    _check_not_over(table)
    if table.phase == "playing" and table.is_last_out(seat):
        return lost(table, seat)
    return _changed(table, seat, SeatHolder("open", person if table.phase == "playing" else ""))


def lost(table: Table, seat: int) -> Places:
    """A seat is lost on time: a bot has it."""
    return _changed(table, seat, SeatHolder("bot", "", levels.quick_bot(table.game)))


def without_the_missing(table: Table) -> Places:
    """People for whom places were kept do not come: whatever was to become of these does."""
    places = table.copy_of_places()
    for seat, place in enumerate(places.seats):
        if place.kind == "open":
            bot = places.missing == "bot"
            places.seats[seat] = SeatHolder("bot", "", levels.quick_bot(table.game)) if bot else SeatHolder()
    places.missing = ""
    return places


def set_bot(table: Table, person: str, asked: messages.SetBot) -> Places:
    """An open seat is given to a bot, or a bot is sent away; before the game also one who has not come to the place kept for them.

    A bot adds no nonce: the house, which seats it, could choose one.
    """
    _check_not_over(table)
    if table.phase == "waiting" and person != table.host:
        raise Forbidden("table-bots-before")
    if table.phase == "playing" and table.seat_of(person) < 0:
        raise Forbidden("table-bots-during")
    place = _place(table, asked.seat)
    if asked.level is not None:
        levels.find_able_bot(asked.level, table.game)
        if place.kind == "person":
            raise Illegal("table-somebody-there")
    elif place.kind != "bot" and not (table.phase == "waiting" and place.kind == "open" and place.person):
        raise Illegal("table-no-bot-there")
    if table.phase == "playing":
        return ask(table, Wish("bot", person, asked.seat, level=asked.level or "", asked=_here(table, person)))
    return _changed(table, asked.seat, SeatHolder("bot", "", asked.level) if asked.level is not None else SeatHolder())


def set_pace(table: Table, person: str, asked: messages.SetPace) -> Places:
    """Whoever made the table says how fast its bots answer, at any time before the game is over."""
    _check_not_over(table)
    if person != table.host:
        raise Forbidden("table-pace-maker")
    return msgspec.structs.replace(table.copy_of_places(), pace=asked.pace)


def set_talk(table: Table, person: str, asked: messages.SetTalk) -> Places:
    """Whoever made the table says what may be said at it, at any time."""
    if person != table.host:
        raise Forbidden("table-talk-maker")
    return msgspec.structs.replace(table.copy_of_places(), talk=asked.talk)


# Wishes


def ask(table: Table, wish: Wish) -> Places:
    """Someone asks the others for something; a wish of the same person is replaced."""
    if table.wish is not None and table.wish.person != wish.person:
        raise Illegal("table-asked-already")
    if not wish.asked:
        raise Illegal("table-nobody-to-agree")
    places = table.copy_of_places()
    places.wish = msgspec.structs.replace(wish, n=table.n, id=table.revision)
    return places


def answer_wish(table: Table, person: str, answer: messages.Consent) -> Places:
    """Someone agrees, so that the wish has one consent more; or not, so that there is no wish any more."""
    wish = table.wish
    if wish is None or wish.id != answer.wish:
        raise Illegal("table-not-asked-any-more")
    seat = table.seat_of(person)
    if person != wish.person and seat < 0:
        raise Forbidden("table-no-seat")
    places = table.copy_of_places()
    if not answer.agree and (person == wish.person or seat in (*table.waiting(wish), *wish.agreed)):
        places.wish = None
    elif answer.agree and seat in table.waiting(wish):
        places.wish = msgspec.structs.replace(wish, agreed=[*wish.agreed, seat])
    else:
        raise Illegal("table-not-asked")
    return places


def fulfilled(table: Table, wish: Wish) -> Places:
    """All have agreed: the seat changes."""
    bot = SeatHolder("bot", "", wish.level) if wish.level else SeatHolder()
    places = _changed(
        table, wish.seat, SeatHolder("person", wish.person, sat=table.revision + 1) if wish.kind == "sit" else bot
    )
    places.wish = None
    return places


def _changed(table: Table, seat: int, place: SeatHolder) -> Places:
    """The places with one seat changed. Nonces are fixed with the first deal. A wish that this makes vain is gone."""
    places = table.copy_of_places()
    if places.nonces:
        place.nonce = places.nonces[seat]
    places.seats[seat] = place
    wish = places.wish
    if wish is not None:
        seated = any(other.kind == "person" and other.person == wish.person for other in places.seats)
        wants_seat = wish.kind in ("sit", "bot")
        if seated == (wish.kind == "sit") or (wants_seat and places.seats[wish.seat].kind == "person"):
            places.wish = None
    return places


def _here(table: Table, person: str) -> list[int]:
    """Everyone else who sits at the table and is here."""
    here = table.here.seats - {table.seat_of(person)}
    return [seat for seat in table.persons if seat in here]


# What is refused


def _check_welcome(table: Table, person: str, invite: str | None) -> None:
    """Whether someone may sit down at this table at all."""
    header = table.header
    invited = invite is not None and secrets.compare_digest(invite.encode(), header.invite.encode())
    if header.private and not invited and person not in (header.host, table.host) and table.kept_for(person) < 0:
        raise Forbidden("table-private")


def _check_not_over(table: Table) -> None:
    if table.over:
        raise Illegal("game-over")


def _place(table: Table, seat: int) -> SeatHolder:
    if not 0 <= seat < table.header.seats:
        raise Malformed("table-no-such-seat")
    return table.places.seats[seat]


def _first(table: Table, *kinds: str) -> int:
    """The first seat of a kind that is kept for nobody, of the first kind of which there is one."""
    for kind in kinds:
        for seat, place in enumerate(table.places.seats):
            if place.kind == kind and not place.person:
                return seat
    raise Illegal("table-all-taken")
