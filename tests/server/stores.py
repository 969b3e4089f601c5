"""The stores that there are, each to be asked without waiting in every line: of a test's own event loop."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from guests import Asked

from diamonds.server.store.contract import Outcome
from diamonds.server.store.memory import MemoryStore
from diamonds.server.store.sqlite import SqliteStore


def commit(store: Asked, *changes: Any) -> list[Outcome]:
    """What became of the changes, one after the other."""
    return [store.commit(change) for change in changes]


def opens(kind: str, folder: Path, request: Any) -> Callable[..., Any]:
    """What makes a store of a kind, the same one each time (but of the one that forgets)."""
    if kind == "memory":
        return lambda **more: MemoryStore()
    return lambda **more: SqliteStore(folder)
