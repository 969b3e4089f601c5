"""The choice of a store: PostgreSQL, a folder with SQLite, or memory."""

from __future__ import annotations

import os
from pathlib import Path

from diamonds.server.storage.commit_outcomes import StoreError
from diamonds.server.storage.sqlite import SqliteStore
from diamonds.server.storage.store import Store


def database_url() -> str:
    """Return the PostgreSQL address in `DIAMONDS_DATABASE`; empty for SQLite in the data folder."""
    return os.environ.get("DIAMONDS_DATABASE", "")


def create_store(address: str, folder: Path | None) -> tuple[Store, str]:
    """Return the store, not yet opened, and its location for messages, without a password."""
    if address:
        try:
            from diamonds.server.storage.postgres import PostgresStore  # an optional dependency
        except ModuleNotFoundError:
            raise StoreError(
                "A store in PostgreSQL needs its driver. Install Diamonds with the extra 'postgres'."
            ) from None
        if folder is None:
            raise StoreError("A server on PostgreSQL keeps its keys in a folder. Name it with --data-dir.")
        store = PostgresStore(address)
        return store, store.name
    return SqliteStore(folder), str(folder.resolve()) if folder else ""
