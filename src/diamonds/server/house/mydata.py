"""All that is kept of one person, as one file in pieces: what they are called, how they sign in, and what they did at each table.

Of a game that is not over it has one's own answers alone; no secret of a table is in it, and nothing of others.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, date, datetime, timedelta
from typing import Any

from diamonds.game import Refused
from diamonds.server.api.encoding import encode
from diamonds.server.house.called import name_of
from diamonds.server.store.accounts import Part
from diamonds.server.store.contract import Store
from diamonds.server.table.loading import read_header, read_places

AT_ONCE = 50  # tables that are read before others have their turn


async def all_of(store: Store, person: str) -> AsyncIterator[bytes]:
    """The file, as JSON. What happens meanwhile may be in it or not."""
    known = store.accounts
    account = await known.account(person)
    about: dict[str, Any] = {
        "name": await name_of(store, person),
        "account_since": _day(account.since) if account else None,
        "recovery_code": account is not None and account.has_code,
        "passkeys": [{"label": one.label, "since": _day(one.since)} for one in await known.passkeys(person)],
        "devices": [
            {"label": one.label, "since": _day(one.since), "seen": _day(one.seen)}
            for one in await known.devices(person)
        ],
    }
    quiet = await store.pushes.quiet(person)
    about["messages"] = {
        "browsers": [
            {"label": one.label, "address": one.endpoint, "language": one.language, "since": _day(one.since)}
            for one in await store.pushes.of(person)
        ],
        "quiet_hours": quiet and {"begins": quiet.begins, "ends": quiet.ends, "zone": quiet.zone},
    }
    around = await known.circle(person)
    for what, people in (("friends", around.friends), ("blocked", around.blocked)):
        about[what] = sorted([await name_of(store, other) for other in people])
    for standing in await store.books.standings():
        if standing.person == person:
            ends = {
                what: _moment(until * 1000) for what, until in (("muted", standing.muted), ("banned", standing.banned))
            }
            about["standing"] = {"warning": standing.warning, **ends, "reason": standing.reason}
    about["reports_by_you"] = [
        {"table": one.table, "reason": one.reason, "text": one.text, "at": _moment(one.at * 1000)}
        for one in await store.books.reports_by(person)
    ]
    # Whom one has asked is not in it: it would tell whether there is such an account, and whether it wants to be asked.
    tables = list(dict.fromkeys([*await known.tables_of(person), *await known.talked_at(person)]))
    yield encode(about)[:-1] + b',"tables":['
    for k in range(0, len(tables), AT_ONCE):
        parts = await known.parts(person, tables[k : k + AT_ONCE])
        text = await asyncio.to_thread(_written, person, parts)
        yield (b"," if k and text else b"") + text
    yield b"]}\n"


def _written(person: str, parts: list[Part]) -> bytes:
    return b",".join(encode(_told(person, part)) for part in parts)


def _told(person: str, part: Part) -> dict[str, Any]:
    """What one table has of a person."""
    told: dict[str, Any] = {"table": part.table, "phase": part.phase, "made": _moment(int(part.created * 1000))}
    try:
        header = read_header(part.header)
        places = read_places(part.places, header)
    except Refused:
        told["damaged"] = True
    else:
        seats = [seat for seat, place in enumerate(places.seats) if place.kind == "person" and place.person == person]
        told |= {"game": header.game, "seats": header.seats, "options": header.options}
        told |= {"made_by_you": header.host == person, "your_seats": seats}
    told["answers"] = [{"n": n, "seat": seat, "words": words, "at": _moment(at)} for n, seat, words, at in part.entries]
    told["said"] = [
        {"phrase" if line.phrase else "text": line.text, "at": _moment(int(line.at * 1000))} for line in part.lines
    ]
    return told


def _day(number: int) -> str:
    return (date(1970, 1, 1) + timedelta(number)).isoformat()


def _moment(milliseconds: int) -> str | None:
    """A time in UTC; of what was kept before times were, it is not known."""
    return datetime.fromtimestamp(milliseconds / 1000, UTC).isoformat(timespec="milliseconds") if milliseconds else None
