"""The export of everything stored about one person: name, sign-in methods and activity at each table.

It has no secret of a table and nothing that others answered or wrote, so it reveals nothing about a game in progress.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, date, datetime, timedelta
from typing import Any

from diamonds.errors import DiamondsError
from diamonds.server.api.codec import encode
from diamonds.server.people.display_names import display_name
from diamonds.server.storage.accounts import PersonTableExport
from diamonds.server.storage.store import Store
from diamonds.server.tables.core.loading import decode_header, decode_seating

MAX_MATCHES = 10_000
TABLES_PER_BATCH = 50  # tables read before other tasks get a turn


async def export_data(store: Store, person: str) -> AsyncIterator[bytes]:
    """Yield the export as JSON. Changes during the export may or may not be included."""
    accounts = store.accounts
    account = await accounts.account(person)
    data: dict[str, Any] = {
        "name": await display_name(store, person),
        "account_since": _iso_day(account.created_day) if account else None,
        "recovery_code": account is not None and account.has_recovery_code,
        "passkeys": [
            {"label": record.label, "since": _iso_day(record.created_day)} for record in await accounts.passkeys(person)
        ],
        "devices": [
            {"label": record.label, "since": _iso_day(record.created_day), "seen": _iso_day(record.last_seen_day)}
            for record in await accounts.devices(person)
        ],
    }
    quiet = await store.push.quiet_hours(person)
    data["messages"] = {
        "subscriptions": [
            {
                "label": record.label,
                "address": record.endpoint,
                "language": record.language,
                "since": _iso_day(record.last_seen_day),
            }
            for record in await store.push.subscriptions_of(person)
        ],
        "quiet_hours": quiet and quiet._asdict(),
    }
    relationships = await accounts.relationships(person)
    for kind, people in (("friends", relationships.friends), ("blocked", relationships.blocked)):
        data[kind] = sorted([await display_name(store, other) for other in people])
    for sanctions in await store.moderation.sanctions():
        if sanctions.person == person:
            ends = {
                kind: _iso_time(until * 1000)
                for kind, until in (("muted", sanctions.muted_until), ("banned", sanctions.banned_until))
            }
            data["sanctions"] = {"warning": sanctions.warning, **ends, "reason": sanctions.reason}
    data["reports_by_you"] = [
        {"table": record.table, "reason": record.reason, "text": record.text, "at": _iso_time(record.at * 1000)}
        for record in await store.moderation.reports_by(person)
    ]
    data["matches"] = [
        {
            "match": match.id,
            "phase": match.phase,
            "made": _iso_time(int(match.created * 1000)),
            "made_by_you": match.organiser == person,
            "your_number": match.number_of(person),
        }
        for id in await store.matches_of(person, MAX_MATCHES)
        if (match := await store.load_match(id))
    ]
    # Sent friend requests are omitted: they would reveal whether an account exists and wants requests.
    tables = list(dict.fromkeys([*await accounts.tables_of(person), *await accounts.tables_chatted_at(person)]))
    yield encode(data)[:-1] + b',"tables":['
    for k in range(0, len(tables), TABLES_PER_BATCH):
        parts = await accounts.exports(person, tables[k : k + TABLES_PER_BATCH])
        text = await asyncio.to_thread(_tables_json, person, parts)
        yield (b"," if k and text else b"") + text
    yield b"]}\n"


def _tables_json(person: str, parts: list[PersonTableExport]) -> bytes:
    return b",".join(encode(_table_data(person, part)) for part in parts)


def _table_data(person: str, part: PersonTableExport) -> dict[str, Any]:
    """Return one table's data about a person."""
    data: dict[str, Any] = {"table": part.table, "phase": part.phase, "made": _iso_time(int(part.created * 1000))}
    try:
        header = decode_header(part.header)
        seating = decode_seating(part.seating, header)
    except DiamondsError:
        data["damaged"] = True
    else:
        seats = [
            seat for seat, holder in enumerate(seating.seats) if holder.kind == "person" and holder.person == person
        ]
        data |= {"game": header.game, "seats": header.seats, "options": header.options}
        data |= {"made_by_you": header.host == person, "your_seats": seats}
    data["answers"] = [
        {"n": n, "seat": seat, "words": text, "at": _iso_time(at_ms)} for n, seat, text, at_ms in part.entries
    ]
    data["said"] = [
        {"phrase" if record.is_phrase else "text": record.text, "at": _iso_time(int(record.said_at * 1000))}
        for record in part.chat
    ]
    return data


def _iso_day(number: int) -> str:
    return (date(1970, 1, 1) + timedelta(number)).isoformat()


def _iso_time(milliseconds: int) -> str | None:
    """Return a time in UTC; `None` if it is unknown (0), as in old data."""
    return datetime.fromtimestamp(milliseconds / 1000, UTC).isoformat(timespec="milliseconds") if milliseconds else None
