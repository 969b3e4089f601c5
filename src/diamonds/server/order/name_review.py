"""Accounts whose names would be refused today, or taken for another account's.

Rules for names grow stricter, and skeletons change with Unicode; accounts keep the names that they were given. Such a name is not
shown (see `called`), and the operator is told.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from diamonds.game import Malformed
from diamonds.server.store.accounts import AccountChange
from diamonds.server.store.books import Known
from diamonds.server.store.contract import DONE, Store, Unavailable
from diamonds.server.table.glyphs import escape_hidden
from diamonds.server.table.names import looks, own_name

ACCOUNTS_MAX = 10_000_000  # more than there are
BATCH_SIZE = 20  # accounts that are reviewed before others have their turn

log = logging.getLogger("diamonds")


class NameProblem(Struct):
    """An account's name, hidden characters escaped, that is ``refused`` or ``confusable`` with the name of ``other``."""

    name: str
    problem: Literal["refused", "confusable"]
    other: str = ""


async def review_names(store: Store) -> list[NameProblem]:
    """Bring the skeletons of accounts up to date, and return the names that are not as they should be."""
    found: list[NameProblem] = []
    accounts = await store.books.people("", ACCOUNTS_MAX)
    for k in range(0, len(accounts), BATCH_SIZE):
        found += await _review(store, accounts[k : k + BATCH_SIZE])
        await asyncio.sleep(0)
    return found


async def warn_of_names(store: Store) -> None:
    """Review all names, and tell the operator if there is something to do. A log never has names."""
    try:
        found = await review_names(store)
    except Unavailable:
        log.warning("Names of accounts are not reviewed, for the store is away. See `diamonds house names`.")
        return
    if found:
        log.warning("Names of accounts that are refused or confusable now: %d. See `diamonds house names`.", len(found))


async def _review(store: Store, accounts: Sequence[Known]) -> list[NameProblem]:
    owners = await store.accounts.whose({look for one in accounts for look in looks(one.name)})
    found: list[NameProblem] = []
    for one in accounts:
        problem = _problem(one, owners)
        if problem is None and not owners.keys() >= {*looks(one.name)} and not await _update(store, one):
            owners = await store.accounts.whose(looks(one.name))  # an account before it has the same skeleton
            problem = _problem(one, owners)
        if problem is not None:
            whose = owners.get(problem.other, "")
            name = (await store.names([whose])).get(whose, "") if whose else ""
            found.append(NameProblem(escape_hidden(one.name), problem.problem, escape_hidden(name)))
    return found


def _problem(one: Known, owners: dict[str, str]) -> NameProblem | None:
    """Return what is wrong with an account's name; ``other`` is the skeleton that it has in common with another account."""
    shared = next((look for look in looks(one.name) if owners.get(look, one.person) != one.person), "")
    try:
        own_name(one.name)
    except Malformed:
        return NameProblem(one.name, "refused", shared)
    return NameProblem(one.name, "confusable", shared) if shared else None


async def _update(store: Store, one: Known) -> bool:
    """Write an account's skeletons; return whether nobody else had them. A name that was changed meanwhile stays changed."""
    if (await store.names([one.person])).get(one.person) != one.name:
        return True
    outcome = await store.commit(AccountChange(one.person, name=one.name, looks=looks(one.name)))
    return outcome.what == DONE
