"""The list of all message types of the API, for the documents generated from them."""

from __future__ import annotations

import msgspec

from diamonds.server.api import (
    accounts,
    analysis,
    daily,
    lobby,
    matches,
    moderation,
    notifications,
    readiness,
    records,
    server_info,
    tables,
)

MODULES = (
    server_info, readiness, tables, records, analysis, accounts, lobby, moderation, notifications, daily, matches,
)  # fmt: skip


def message_types() -> list[type[msgspec.Struct]]:
    """Return every message type once, in the order of their modules."""
    members = [member for module in MODULES for member in vars(module).values() if isinstance(member, type)]
    return [kind for kind in dict.fromkeys(members) if issubclass(kind, msgspec.Struct) and kind is not msgspec.Struct]
