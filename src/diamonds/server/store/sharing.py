"""What processes that keep one house together tell each other through its store: who is there, what is true of each, what has changed.

Of all this nothing is the truth about a game: it says where to look. Who hears it late, or acts on what is over, is told by the locks of
`Store.commit` that somebody was quicker. The calls are those of `contract.Sharing`.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

import msgspec

LIVES = 3.5  # seconds after its last sign of life for which a process counts as alive
BELL = "#"  # in news: a message is to be sent
PERSON, PERSON_ANEW = (
    "@",
    "@!",
)  # before who is changed: what they are called, how they stand; or whose tables are whose
SLATE = "="  # before the key of what a process says


class Process(NamedTuple):
    """One of them. Who was there before others has the lower ``number``; ``door`` is where the others reach it: ``ADDRESS:PORT``, and
    where that address is one within a machine, before it which machine and ``@``."""

    id: str
    number: int
    door: str

    @property
    def address(self) -> str:
        """Where it is reached."""
        return self.door.rpartition("@")[2]

    @property
    def machine(self) -> str:
        """The machine without which its address means nothing; empty if it is reached from everywhere."""
        return self.door.rpartition("@")[0]


class News(NamedTuple):
    """What has changed since, and from where on to ask next. ``told`` are words, see `read_news`."""

    told: list[tuple[int, str]]
    since: int


class Carried(msgspec.Struct, frozen=True, array_like=True):
    """Entries that a commit has added to a table from ``n`` on, as `Stored` has them, and the clocks by then. They rest on the seats as they
    are at ``revision``; readers are told a number below ``changes``."""

    table: str
    n: int
    revision: int
    changes: int
    entries: list[tuple[int, str, str, str, int]]
    clocks: bytes = b""
    clock_at: int = 0


class Rung(NamedTuple):
    """A commit of another process: its number, what has changed (see `read_news`), and what goes along of it. Without words nothing is
    known of it: whoever hears it asks for `News`."""

    number: int
    words: str
    carried: list[Carried]


class Changed(NamedTuple):
    """What some news say. Of each table: the highest `Table.changes` that was told of it, and whether more than entries is new."""

    tables: dict[str, tuple[int, bool]]
    people: dict[str, bool]  # who; and whether it may be that they have other tables, or are nobody any more
    keys: set[str]
    bell: bool


def read_news(told: Collection[str]) -> Changed:
    """What news say."""
    found = Changed({}, {}, set(), any(BELL in words.split() for words in told))
    for word in (word for words in told for word in words.split() if word != BELL):
        if word.startswith(SLATE):
            found.keys.add(word[1:])
        elif word.startswith(PERSON):
            anew = word.startswith(PERSON_ANEW)
            person = word[len(PERSON_ANEW if anew else PERSON) :]
            found.people[person] = anew or found.people.get(person, False)
        else:
            table, _, changes = word.rstrip("!").partition(":")
            known, more = found.tables.get(table, (0, False))
            found.tables[table] = (max(known, int(changes or 0)), more or word.endswith("!"))
    return found
