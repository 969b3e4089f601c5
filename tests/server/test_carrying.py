"""What a commit adds goes with its ring, sealed: what does not open, or was heard before, is nothing; and an older program reads on."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from diamonds.server.store.carrying import RING, Seal, carried_of
from diamonds.server.store.contract import CONFLICT, DONE, REPEATED, Change, Outcome
from diamonds.server.store.sharing import Carried, Rung

MOST = 7_900
KEY = b"k" * 32
SOME = [Carried("t", 4, 2, 7, [(0, "play H7", "ann", "key-1", 5), (1, "play H9", "ann", "", 5)], b"{}", 9)]
ANSWER = Change(
    table="t", person="ann", key="key-1", n=4, entries=((0, "play H7"), (1, "play H9")), at=5, held=True, revision=2,
    changes=7, clocks=b"{}", clock_at=9,
)  # fmt: skip


def seal(mark: str, key: bytes = KEY) -> Seal:
    found = Seal(mark)
    found.use(key)
    return found


def test_what_is_sealed_is_opened_by_the_processes_of_the_house_once_and_by_nobody_else():
    one, other = seal("one"), seal("other")
    payload = one.close("12", "t:7", SOME, MOST)
    assert other.open(payload) == Rung(12, "t:7", SOME)
    assert other.open(payload) is None, "what was heard before is heard again"
    assert one.open(payload) is None, "who rings hears itself"
    assert "H7" not in payload
    assert seal("third", b"x" * 32).open(payload) == RING, "another house's key opens it"
    assert Seal("third").open(payload) == RING, "it opens before the house's key is known"
    later = one.close("13", "", [], MOST)
    assert seal("late").open(later) == Rung(13, "", [])
    assert other.open(later) == Rung(13, "", [])


def test_what_was_rung_before_is_nothing_also_after_a_later_ring():
    one, other = seal("one"), seal("other")
    payloads = [one.close(str(k), f"t:{k}", SOME, MOST) for k in range(3)]
    heard = [other.open(payload) for payload in (*payloads, payloads[1], payloads[0])]
    assert [each is None for each in heard] == [False, False, False, True, True]


def forgeries() -> dict[str, str]:
    """Whatever somebody may ring who knows no key, but has heard a ring."""
    payload = seal("one").close("12", "t:7", SOME, MOST)
    who, number, words = payload.split(" ", 2)
    mark, sealed = who.split("/", 1)
    whole = bytearray(base64.b64decode(sealed))
    whole[-1] ^= 1
    turned = base64.b64encode(whole).decode()
    return {
        "other words": f"{who} {number} t:8",
        "more words": f"{payload} @!ann",
        "no words": f"{who} {number} ",
        "another number": f"{who} 13 {words}",
        "another mark": f"two/{sealed} {number} {words}",
        "one bit": f"{mark}/{turned} {number} {words}",
        "half of it": f"{mark}/{sealed[:40]} {number} {words}",
        "nothing sealed": f"{mark}/ {number} {words}",
        "an older program's": f"{mark} {number} {words}",
        "no number": "x y z",
        "one word": "x",
        "nothing": "",
        "no letters": f"{mark}/€ü== {number} {words}",
    }


@pytest.mark.parametrize("payload", forgeries().values(), ids=forgeries())
def test_what_others_than_the_houses_processes_ring_is_a_ring_and_says_nothing(payload):
    assert seal("other").open(payload) == RING


@pytest.mark.parametrize(
    ("most", "told"), [(MOST, Rung(12, "t:7", SOME)), (80, Rung(12, "t:7", [])), (20, Rung(12, "", []))]
)
def test_what_there_is_no_room_for_is_left_out(most, told):
    payload = seal("one").close("12", "t:7", SOME, most)
    assert seal("other").open(payload) == told
    assert len(payload) <= max(most, 60)


def test_of_more_entries_than_there_is_room_for_as_many_go_along_as_there_is():
    many = [Carried(f"t-{k}", 4, 2, 7, [(0, "play H7", "ann", f"key-{k}", 5)]) for k in range(300)]
    words = " ".join(f"{each.table}:7" for each in many)
    payload = seal("one").close("12", words, many, MOST)
    told = seal("other").open(payload)
    assert told is not None
    assert (told.number, told.words) == (12, words), "what does not come along is not looked for either"
    assert 0 < len(told.carried) < len(many)
    assert told.carried == many[: len(told.carried)]
    assert len(payload) <= MOST


def test_an_older_program_reads_who_rang_and_what_has_changed():
    payload = seal("one").close("12", "t:7 u:8!", SOME, MOST)
    mark, _, rest = payload.partition(" ")
    number, _, words = rest.partition(" ")
    assert (mark.startswith("one"), int(number), words.split()) == (True, 12, ["t:7", "u:8!"])


@pytest.mark.parametrize(
    ("change", "what", "carried"),
    [
        (ANSWER, DONE, SOME),
        (ANSWER, CONFLICT, []),
        (ANSWER, REPEATED, []),
        (ANSWER._replace(held=False), DONE, []),
        (ANSWER._replace(places=b"{}"), DONE, []),
        (ANSWER._replace(members=("ann",)), DONE, []),
        (ANSWER._replace(entries=()), DONE, []),
    ],
)
def test_entries_alone_that_rest_on_the_seats_go_along(change: Any, what: str, carried: list[Carried]):
    assert carried_of([(change, Outcome(what))]) == carried
