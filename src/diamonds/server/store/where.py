"""Where a house keeps what it is given: at an address of PostgreSQL, in a folder, or in memory alone."""

from __future__ import annotations

import os
from pathlib import Path

from diamonds.server.store.contract import Refusal, Store
from diamonds.server.store.sqlite import SqliteStore


def elsewhere() -> str:
    """The address at which a house is kept that is not in its folder, as whoever runs it says in ``DIAMONDS_STORE``."""
    return os.environ.get("DIAMONDS_STORE", "")


def store_of(address: str, folder: Path | None, alone: bool = True) -> tuple[Store, str]:
    """A house's store, which is to be opened yet, and where it is, as the house tells: without a password.

    ``alone``: no other process is to have it open.
    """
    if address:
        try:
            from diamonds.server.store.postgres import PostgresStore  # its library is an extra
        except ModuleNotFoundError:
            raise Refusal(
                "A store in PostgreSQL needs its driver. Install Diamonds with the extra 'postgres'."
            ) from None
        if folder is None:
            raise Refusal("A house in PostgreSQL keeps its keys in a folder: say which.")
        store = PostgresStore(address, alone)
        return store, store.name
    return SqliteStore(folder), str(folder.resolve()) if folder else ""
