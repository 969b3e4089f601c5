"""The common interface of SQLite and PostgreSQL: shared SQL, run through connections of the same shape.

Placeholders are `?` or `?1`. Both databases support `ON CONFLICT`. SQL for only one of them is in the modules for that
database.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

P = ParamSpec("P")
ResultT = TypeVar("ResultT")


class SqlResult(Protocol):
    """The result of a statement."""

    def __iter__(self) -> Iterator[Any]: ...

    def fetchone(self) -> Any: ...

    def fetchall(self) -> list[Any]: ...

    @property
    def get(self) -> Any: ...


class SqlConnection(Protocol):
    """A connection to either database, used by one thread at a time."""

    def execute(self, sql: str, values: Sequence[Any] = ..., /) -> SqlResult:
        """Run a statement."""
        ...

    def changes(self) -> int:
        """Return the number of rows that the last statement wrote."""
        ...


class SqlReader(Protocol):
    """The connections for reading, as the store's queries use them."""

    async def find(
        self, work: Callable[Concatenate[SqlConnection, P], ResultT], /, *args: P.args, **more: P.kwargs
    ) -> ResultT:
        """Run `work` with a connection and return its result. For quick reads by key."""
        ...

    async def read(
        self, work: Callable[Concatenate[SqlConnection, P], ResultT], /, *args: P.args, **more: P.kwargs
    ) -> ResultT:
        """Run `work` with a connection and return its result. For slow reads, which block nobody else."""
        ...


class SqlQueries:
    """Queries of a store; see `Store` for the rules that apply to all calls."""

    def __init__(self, readers: SqlReader) -> None:
        self.readers = readers

    async def find_rows(self, sql: str, *values: object) -> list[Any]:
        """Return all rows of a statement that finds a few by key."""
        return await self.readers.find(fetch_rows, sql, values)

    async def read_rows(self, sql: str, *values: object) -> list[Any]:
        """Return all rows of a statement that may be slow."""
        return await self.readers.read(fetch_rows, sql, values)


def fetch_rows(connection: SqlConnection, sql: str, values: Sequence[Any] = ()) -> list[Any]:
    """Return all rows of a statement."""
    return connection.execute(sql, values).fetchall()


def placeholders(values: Collection[object]) -> str:
    """Return placeholders for a list of values; `NULL` if it is empty."""
    return ", ".join("?" * len(values)) or "NULL"
