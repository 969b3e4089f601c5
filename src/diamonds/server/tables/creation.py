"""Creation of tables: new ones, rematches, forks and imported games."""

from __future__ import annotations

import base64
import hmac
import logging
import secrets
from typing import TYPE_CHECKING, Protocol

from diamonds import deals
from diamonds.errors import NotAllowedError, NotFoundError
from diamonds.server.api import tables as messages
from diamonds.server.api.codec import encode
from diamonds.server.api.records import ImportRequest
from diamonds.server.errors import ForbiddenError, StaleRequestError
from diamonds.server.storage.table_data import TableChange
from diamonds.server.tables.archive import GameArchive
from diamonds.server.tables.bots import BotService
from diamonds.server.tables.clock_service import ClockService, add_clock_state
from diamonds.server.tables.core.seating import SeatsAndSettings, TableHeader, settings_columns
from diamonds.server.tables.core.table import Table
from diamonds.server.tables.idempotency import run_once
from diamonds.server.tables.new_tables import fork_table, imported_table, rematch_table, table_from_request
from diamonds.server.tables.operations import TableOperations

if TYPE_CHECKING:
    from diamonds.server.cluster.cluster import Cluster

DERIVED_ID_BYTES = 12

log = logging.getLogger("diamonds")


class CreationDependencies(TableOperations, Protocol):
    """The part of `TableService` that creation needs."""

    bots: BotService
    archive: GameArchive
    clocks: ClockService
    cluster: Cluster | None


def derived_id(key: bytes, text: str) -> str:
    """Return an id derived from a key and a text, without hyphens, which links may lose."""
    digest = hmac.digest(key, text.encode(), "sha256")
    return base64.b32encode(digest[:DERIVED_ID_BYTES]).decode().rstrip("=").lower()


def _new_table_id() -> str:
    """Return a random table id.

    A hyphen at its start would look like an option to a command, and a link might lose one at its end.
    """
    while (id := secrets.token_urlsafe(9)) != id.strip("-"):
        pass
    return id


class TableCreator:
    """A service that creates tables."""

    def __init__(self, tables: CreationDependencies) -> None:
        self.tables = tables

    async def create(self, person: str, body: messages.CreateTableRequest) -> bytes:
        """Create a table. Its secret is fixed now, before anyone sits. Return the reply, a `TableCreatedResponse`."""

        async def create_table(change: TableChange) -> bytes:
            return await self._commit_new_table(change, *table_from_request(body, person))

        return await run_once(self.tables, "make", None, person, body, create_table)

    async def create_for_people(self, header: TableHeader, seating: SeatsAndSettings) -> str:
        """Create a table for people who were matched, and return its id."""
        id = _new_table_id()
        await self._commit_new_table(TableChange(person=header.host), header, seating, table_id=id)
        return id

    async def create_daily(self, header: TableHeader, seating: SeatsAndSettings, table_id: str, deal: str) -> bytes:
        """Create a person's table with a deal of the day, unless it exists. Return a `TableCreatedResponse`."""
        return await self._commit_new_table(
            TableChange(person=header.host), header, seating, table_id=table_id, daily=deal
        )

    async def create_for_match(self, header: TableHeader, seating: SeatsAndSettings, table_id: str) -> None:
        """Create a table of a duplicate match, unless it exists. Its game begins immediately, with clocks and bots."""
        await self._commit_new_table(TableChange(person=header.host), header, seating, table_id=table_id)
        await self.start_bots_and_clocks(table_id)

    async def start_bots_and_clocks(self, table_id: str) -> None:
        """Let the game at a table continue without a viewer, unless another process owns it. Claim it if none does."""
        if self.tables.cluster and await self.tables.cluster.ownership.locate(table_id):
            return
        self.tables.publish(await self.tables.registry.find(table_id))

    async def fork(self, table: Table, person: str, body: messages.ForkRequest) -> bytes:
        """Create a private table that continues from a moment of a finished game, with its cards.

        Return a `TableCreatedResponse`.
        """

        async def create_table(change: TableChange) -> bytes:
            return await self._commit_new_table(change, *fork_table(table, body, person))

        return await run_once(self.tables, f"fork {table.id}", None, person, body, create_table)

    async def import_game(self, record_id: str, person: str, body: ImportRequest) -> bytes:
        """Create a private table with the finished game of an opened record. Return a `TableCreatedResponse`."""
        imported = imported_table(await self.tables.archive.find_importable(record_id, person), person)

        async def create_table(change: TableChange) -> bytes:
            return await self._commit_new_table(change, *imported, phase="over")

        return await run_once(self.tables, f"keep {record_id}", None, person, body, create_table)

    async def rematch(self, table: Table, person: str, body: messages.RematchRequest) -> bytes:
        """Create or find the table where the same people play next. Return a `TableCreatedResponse`."""
        return await run_once(
            self.tables, f"again {table.id}", table, person, body, lambda change: self._rematch(table, change)
        )

    async def _rematch(self, table: Table, change: TableChange) -> bytes:
        """Store the id of the next table first and publish it last, so that interruptions never create two tables."""
        if not table.is_over:
            raise NotAllowedError("table-again-not-over")
        if table.seat_of(change.person) < 0:
            raise ForbiddenError("table-no-seat")
        table.check_cards_not_shared()
        prepared = rematch_table(table, change.person)
        if not table.seating.rematch_table:
            await self._record_rematch(table, change.person)
        try:
            next_table = await self.tables.registry.find(table.seating.rematch_table)
        except NotFoundError:
            reply = await self._commit_new_table(change, *prepared, table_id=table.seating.rematch_table)
            self.tables.touch(table)
            return reply
        return encode(messages.TableCreatedResponse(next_table.id, "", deals.commit(next_table.game_state.secret)))

    async def _record_rematch(self, table: Table, person: str) -> None:
        seating = table.copy_seating()
        seating.rematch_table = _new_table_id()
        change = TableChange(
            table=table.id, person=person, seating=encode(seating), revision=table.revision, phase=table.phase
        )
        try:
            await self.tables.commit(table, change)
        except StaleRequestError:
            if not table.seating.rematch_table:  # another process has stored one, which can be used instead
                raise
        else:
            table.seating = seating
            table.revision += 1

    async def _commit_new_table(
        self,
        change: TableChange,
        header: TableHeader,
        seating: SeatsAndSettings,
        entries: tuple[tuple[int, str], ...] = (),
        table_id: str = "",
        phase: str = "playing",
        daily: str = "",
    ) -> bytes:
        if seating.is_full:
            seating.fix_initial_holders()
        table_id = table_id or _new_table_id()
        reply = encode(
            messages.TableCreatedResponse(table_id, header.invite, deals.commit(bytes.fromhex(header.secret)))
        )
        columns = settings_columns(seating)
        columns |= {"public": int(not header.private), "created": header.created, "daily": daily}
        if header.match:
            columns["match_id"] = header.match.id
        elif seating.nonces and not header.time_control:
            columns["to_act"] = 0  # one person's turn is not stored
        change = change._replace(
            table=table_id,
            reply=reply,
            header=encode(header),
            columns=columns,
            seating=encode(seating),
            people=tuple(dict.fromkeys([change.person, *(holder.person for holder in seating.seats if holder.person)])),
            entries=entries,
            at_ms=int(header.created * 1000),
            phase=phase if seating.nonces else "waiting",
        )
        if header.match:
            change = self._with_turn(change, Table(table_id, header, seating, 0))
        earlier_reply = await self.tables.commit(None, change)
        if earlier_reply is not None:
            return earlier_reply
        log.info("Table created.", extra={"game": header.game, "seats": header.seats})
        if self.tables.registry.owns(table_id) and not header.match:  # in a cluster a new table has no owner yet
            self.tables.bots.schedule(await self.tables.find(table_id, change.person))
        return reply

    def _with_turn(self, change: TableChange, table: Table) -> TableChange:
        """Return the change with the clock state, or the seats to act, of a game that begins with it."""
        table.presence.now = self.tables.clocks.now
        to_act = table.to_act_with(table.seating)
        assert to_act is not None
        change = change._replace(columns={**change.columns, **table.to_act_column_with(table.seating, to_act)})
        return add_clock_state(change, table.clocks_after(table.seating, to_act))
