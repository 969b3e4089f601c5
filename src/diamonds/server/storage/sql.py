"""What is asked of SQLite and of PostgreSQL in the same words: statements that both understand, through connections that look alike.

In a statement ``?`` and ``?1`` are where values go. Both know ``ON CONFLICT``, and what is none of the SQL that they share is in
`sqlite` and `postgres_schema` alone.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

P = ParamSpec("P")
ResultT = TypeVar("ResultT")


class SqlResult(Protocol):
    """What a statement found."""

    def __iter__(self) -> Iterator[Any]: ...

    def fetchone(self) -> Any:
        """The first row, or the next one, or ``None``."""
        ...

    def fetchall(self) -> list[Any]:
        """All rows."""
        ...

    @property
    def get(self) -> Any:
        """The first value of the first row, or ``None``."""
        ...


class SqlConnection(Protocol):
    """A connection to either, of one thread at a time."""

    def execute(self, sql: str, values: Sequence[Any] = ..., /) -> SqlResult:
        """Ask or write something."""
        ...

    def changes(self) -> int:
        """How many rows the last statement wrote."""
        ...


class KeyLookup(Protocol):
    """Where something is found by a key."""

    async def find(
        self, work: Callable[Concatenate[SqlConnection, P], ResultT], /, *args: P.args, **more: P.kwargs
    ) -> ResultT:
        """What ``work`` finds, given a connection: something by its key, which is quick."""
        ...


class SqlReader(KeyLookup, Protocol):
    """Where something is read."""

    async def read(
        self, work: Callable[Concatenate[SqlConnection, P], ResultT], /, *args: P.args, **more: P.kwargs
    ) -> ResultT:
        """What ``work`` finds, given a connection: something that may take long, and keeps nobody else waiting."""
        ...


def fetch_rows(connection: SqlConnection, sql: str, values: Sequence[Any] = ()) -> list[Any]:
    """All rows that a statement finds."""
    return connection.execute(sql, values).fetchall()


def placeholders(values: Collection[object]) -> str:
    """Places for so many values in a list; of none, for nothing at all."""
    return ", ".join("?" * len(values)) or "NULL"
