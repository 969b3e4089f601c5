"""Who may have an account: anybody, whoever is invited, or nobody more; and the names that are kept for hosts."""

from __future__ import annotations

import hashlib
import secrets
from typing import Literal, NamedTuple

from diamonds.game import Illegal
from diamonds.server.api.refusals import Forbidden
from diamonds.server.house.codes import LETTERS
from diamonds.server.store.books import Books, Invitation
from diamonds.server.table.names import alike

LENGTH = 16  # letters and digits: 80 bits
_READ = str.maketrans("ILO", "110")


class Registration(NamedTuple):
    """Who may have an account; ``hosts`` are names that nobody gets without an invitation for that very name."""

    who: Literal["open", "invitation", "closed"] = "open"
    hosts: tuple[str, ...] = ()

    def keeps(self, name: str) -> bool:
        """Whether a name, or one that looks like it, is a host's."""
        return any(alike(name, host) for host in self.hosts)

    async def check(self, books: Books, name: str, typed: str, now: float) -> str:
        """The invitation that an account of this name uses up; empty if it needs none. `Refused` if it may not be made."""
        if self.who == "closed":
            raise Forbidden("account-closed")
        kept = self.keeps(name)
        if self.who == "open" and not kept:
            return ""
        found = await books.invitation(hashed(typed)) if typed.strip() else None
        good = found is not None and found.until > now
        if kept and (not good or found is None or found.name != name):
            raise Illegal("account-name-taken")  # as of any other: nobody learns here who is a host
        if not good or found is None or found.name not in ("", name):
            raise Forbidden("account-uninvited")
        return found.code


def new_invitation(name: str, until: int) -> tuple[str, Invitation]:
    """A new code, as it is shown, and what is kept of it."""
    text = "".join(secrets.choice(LETTERS) for _ in range(LENGTH))
    return "-".join(text[k : k + 4] for k in range(0, LENGTH, 4)), Invitation(hashed(text), name, until)


def hashed(typed: str) -> str:
    """What an invitation is found by, as it was typed."""
    plain = "".join(c for c in typed.upper() if c.isalnum()).translate(_READ)
    return hashlib.sha256(plain.encode()).hexdigest()
