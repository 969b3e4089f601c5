"""Where a house keeps what it is given: at an address of PostgreSQL, in a folder, or in memory alone."""

from __future__ import annotations

import os
from pathlib import Path

from diamonds.server.store.contract import Refusal, Store
from diamonds.server.store.sqlite import SqliteStore


def elsewhere() -> str:
    """The address at which a house is kept that is not in its folder, as whoever runs it says in ``DIAMONDS_STORE``."""
    return os.environ.get("DIAMONDS_STORE", "")


def store_of(address: str, folder: Path | None) -> tuple[Store, str]:
    """The store, not opened yet, and its place as the server names it: without a password."""
    if address:
        try:
            from diamonds.server.store.postgres import PostgresStore  # its library is an extra
        except ModuleNotFoundError:
            raise Refusal(
                "A store in PostgreSQL needs its driver. Install Diamonds with the extra 'postgres'."
            ) from None
        if folder is None:
            raise Refusal("A house in PostgreSQL keeps its keys in a folder: say which.")
        store = PostgresStore(address)
        return store, store.name
    return SqliteStore(folder), str(folder.resolve()) if folder else ""
