"""Review of account names that would be refused today, or are confusable with another account's.

Rules for names become stricter, and skeletons change with Unicode, but accounts keep their names. Such a name is not
shown (see `people/display_names.py`), and the operator gets a warning.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from diamonds.errors import InvalidInputError
from diamonds.server.people.display_names import clean_account_name, skeletons
from diamonds.server.people.invisible_characters import escape_invisible
from diamonds.server.storage.accounts import AccountChange
from diamonds.server.storage.commit_outcomes import DONE, StoreUnavailableError
from diamonds.server.storage.moderation import AccountListing
from diamonds.server.storage.store import Store

MAX_ACCOUNTS = 10_000_000  # more than any server will have
BATCH_SIZE = 20  # accounts reviewed before other tasks get a turn

log = logging.getLogger("diamonds")


class NameProblem(Struct):
    """An account's name, with invisible characters escaped, that is refused or confusable with the name of `other`."""

    name: str
    problem: Literal["refused", "confusable"]
    other: str = ""


async def review_names(store: Store) -> list[NameProblem]:
    """Update the skeletons of all accounts, and return the problematic names."""
    problems: list[NameProblem] = []
    accounts = await store.moderation.find_accounts("", MAX_ACCOUNTS)
    for k in range(0, len(accounts), BATCH_SIZE):
        problems += await _review_batch(store, accounts[k : k + BATCH_SIZE])
        await asyncio.sleep(0)
    return problems


async def warn_of_names(store: Store) -> None:
    """Review all names, and warn the operator of problems. The names are never logged."""
    try:
        problems = await review_names(store)
    except StoreUnavailableError:
        log.warning("Account names were not reviewed: the store is unavailable. Run `diamonds admin names` later.")
        return
    if problems:
        log.warning("Account names that are refused or confusable now: %d. See `diamonds admin names`.", len(problems))


async def _review_batch(store: Store, accounts: Sequence[AccountListing]) -> list[NameProblem]:
    owners = await store.accounts.skeleton_holders(
        {skeleton for account in accounts for skeleton in skeletons(account.name)}
    )
    problems: list[NameProblem] = []
    for account in accounts:
        problem = _problem(account, owners)
        if (
            problem is None
            and not owners.keys() >= {*skeletons(account.name)}
            and not await _update_skeletons(store, account)
        ):
            # An earlier account has the same skeleton.
            owners = await store.accounts.skeleton_holders(skeletons(account.name))
            problem = _problem(account, owners)
        if problem is not None:
            owner = owners.get(problem.other, "")
            name = (await store.display_names([owner])).get(owner, "") if owner else ""
            problems.append(NameProblem(escape_invisible(account.name), problem.problem, escape_invisible(name)))
    return problems


def _problem(account: AccountListing, owners: dict[str, str]) -> NameProblem | None:
    """Return the problem with an account's name; its `other` is the skeleton shared with another account."""
    shared_skeleton = next(
        (skeleton for skeleton in skeletons(account.name) if owners.get(skeleton, account.person) != account.person), ""
    )
    try:
        clean_account_name(account.name)
    except InvalidInputError:
        return NameProblem(account.name, "refused", shared_skeleton)
    return NameProblem(account.name, "confusable", shared_skeleton) if shared_skeleton else None


async def _update_skeletons(store: Store, account: AccountListing) -> bool:
    """Store an account's skeletons; return whether nobody else has them.

    A name changed in the meantime is left alone.
    """
    if (await store.display_names([account.person])).get(account.person) != account.name:
        return True
    outcome = await store.commit(AccountChange(account.person, name=account.name, skeletons=skeletons(account.name)))
    return outcome.kind == DONE
