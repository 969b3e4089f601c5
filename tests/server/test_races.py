"""What two do at the same time: one is kept waiting in the midst of it, in a call of the store, while the other does it whole."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from authenticator import Browser
from guests import Guest, House, full_table, play_to_the_end, until

from diamonds.server.api.order import Do
from diamonds.server.house import codes
from diamonds.server.order import retention
from diamonds.server.order.retention import DAY, Retention
from diamonds.server.store.accounts import AccountChange, Passkey
from diamonds.server.store.books import COMMAND, BooksChange, StandingChange
from diamonds.server.store.circles import CircleChange


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.later)])
def house(request: Any, tmp_path: Path, open_house: Callable[..., House], monkeypatch: Any) -> House:
    """A house with a store of each kind."""
    monkeypatch.setattr(codes, "COST", 4)
    if request.param == "postgresql":
        return open_house(address=request.getfixturevalue("cluster").empty_database())
    return open_house(tmp_path)


@pytest.fixture
def beside() -> Iterator[Callable[..., Future[Any]]]:
    """Does something in a thread; returns its future."""
    with ThreadPoolExecutor(4) as threads:
        yield threads.submit


class Held:
    """Whoever comes to a call of the store next has to wait: with the answer in hand, or before it is asked."""

    def __init__(self, house: House, part: Any, name: str, before: bool = False) -> None:
        self._house, self.came, self._free = house, False, asyncio.Event()
        real = getattr(part, name)

        async def held(*given: Any, **named: Any) -> Any:
            first, self.came = not self.came, True
            if first and before:
                await self._free.wait()
            found = await real(*given, **named)
            if first and not before:
                self.answered = True
                await self._free.wait()
            return found

        self.answered = before
        self._house.call(lambda: setattr(part, name, held))

    def wait(self) -> None:
        """Until somebody has come."""
        until(lambda: self.came and self.answered, "Nobody comes to it.")

    def release(self) -> None:
        """They go on."""
        self._house.call(self._free.set)


@pytest.fixture
def hold(beside: Any) -> Iterator[Callable[..., Held]]:
    """Keeps people waiting (`Held`), and nobody once the test is over."""
    held: list[Held] = []

    def hold_one(*given: Any, **named: Any) -> Held:
        held.append(Held(*given, **named))
        return held[-1]

    yield hold_one
    for one in held:
        one.release()


def on(house: House, coroutine: Any) -> Future[Any]:
    """Begin something on the house's own event loop."""
    return asyncio.run_coroutine_threadsafe(coroutine, house._loop)


def waits(house: House, lock: Callable[[], Any], other: Future[Any]) -> None:
    """Until another is done, or waits for its turn as it should."""
    until(lambda: other.done() or house.call(lambda: bool(lock() and lock()._waiters)), "The other does nothing.")


def twin(browser: Browser) -> Browser:
    """The same browser, on a second connection."""
    other = Browser(browser.port)
    other.headers = dict(browser.headers)
    other.keys = browser.keys
    return other


def person_of(house: House, name: str) -> str:
    """Who has this name."""
    return str(house.run(house.app.meeting.friends.named(name)))


def test_of_two_passkeys_that_are_removed_at_the_same_time_one_stays(house: House, beside: Any, hold: Any) -> None:
    ann = Browser(house.port)
    ann.become("Ann")
    person = person_of(house, "Ann")
    house.kept.commit(AccountChange(person, passkey=Passkey(b"more", person, b"public", 0, "", 7)))
    more = hashlib.sha256(b"more").hexdigest()[:16]
    first = next(one["mark"] for one in ann.me()["passkeys"] if one["mark"] != more)
    held = hold(house, house.app.store.accounts, "passkeys")
    late = beside(twin(ann).post, "/api/me/passkeys/remove", {"mark": first})
    held.wait()
    ann.post("/api/me/passkeys/remove", {"mark": more}, 200)
    held.release()
    assert late.result()["id"] == "account-changed"
    assert [one["mark"] for one in ann.me()["passkeys"]] == [first], "Nobody gets into this account any more."


def test_a_recovery_code_that_is_replaced_while_somebody_uses_it_lets_nobody_in(
    house: House, beside: Any, hold: Any
) -> None:
    ann, eve = Browser(house.port), Browser(house.port)
    code = ann.become("Ann")
    held = hold(house, house.app.store.accounts, "code")
    late = beside(eve.post, "/api/sign-in/code", {"code": code})
    held.wait()
    ann.post("/api/me/code", {}, 201)
    held.release()
    assert late.result()["id"] == "account-changed"
    assert eve.me()["account"] is False
    assert len(ann.me()["devices"]) == 1


def test_who_is_forgotten_while_they_sign_in_is_not_there_again(house: House, beside: Any, hold: Any) -> None:
    ann, there = Browser(house.port), Browser(house.port)
    ann.become("Ann")
    link = ann.post("/api/me/links", {}, 201)["link"]
    held = hold(house, house.app.store.accounts, "devices")
    late = beside(there.post, "/api/sign-in/link", {"link": link})
    held.wait()
    house.kept.commit(AccountChange(person_of(house, "Ann"), forget=True, called="Ann"))
    held.release()
    assert late.result()["id"] == "account-changed"
    assert there.me()["account"] is False


def test_a_name_that_two_choose_at_the_same_time_is_one_persons(house: House, beside: Any, hold: Any) -> None:
    ann, eve = Browser(house.port), Browser(house.port)
    held = hold(house, house.app.store.accounts, "whose")  # whether it is free
    late = beside(eve.post, "/api/me/account/begin", {"name": "Zoe"}, 200)
    held.wait()
    ann.become("Zoe")
    held.release()
    made = {"passkey": eve.make_key(late.result()["options"]), "label": ""}
    assert eve.post("/api/me/account", made, 409)["id"] == "account-name-taken"
    assert eve.me()["account"] is False
    assert ann.me()["name"] == "Zoe"


def test_of_two_who_take_the_last_seat_at_the_same_time_one_sits_and_the_other_is_told(
    house: House, beside: Any, hold: Any
) -> None:
    host, ann, ben = (house.guest() for _ in range(3))
    id = host.make(game="mines", seats=2, places=["me", "open"], private=False)
    ann.look(id), ben.look(id)
    held = hold(house, house.app.store, "commit", before=True)
    first = beside(ann.post, f"/api/tables/{id}/sit", {"seat": 1, "nonce": "5eed", "key": "sit-key-ann"})
    held.wait()
    second = beside(ben.post, f"/api/tables/{id}/sit", {"seat": 1, "nonce": "5eed", "key": "sit-key-ben"})
    waits(house, lambda: house.app.tables.get(id).here.lock, second)
    held.release()
    assert first.result()["n"] == 0
    assert second.result().get("error"), "Two have one seat."
    assert (ann.look(id)["seat"], ben.look(id)["seat"]) == (1, None)


def test_who_is_blocked_while_somebody_reads_the_people_around_them_is_read_anew(house: House, hold: Any) -> None:
    around = house.app.tables.around
    held = hold(house, house.app.store.accounts, "circle")
    late = on(house, around.of("ann"))
    held.wait()
    house.kept.commit(AccountChange("ann", circle=CircleChange("ann", "block", "eve")))
    house.call(around.changed)
    held.release()
    assert late.result().blocked == {"eve"}, "Whoever asks next acts as if nobody were blocked."


def test_who_is_banned_while_it_is_read_how_people_stand_is_banned_afterwards(house: House, hold: Any) -> None:
    standings = house.app.tables.standings
    held = hold(house, house.app.store.books, "standings")
    late = on(house, standings.read())
    held.wait()
    end = int(standings.clock()) + 1000
    house.kept.commit(AccountChange("eve", books=BooksChange(standing=StandingChange(banned=end, reason="why"))))
    soon = on(house, standings.read())
    waits(house, lambda: standings._reading, soon)
    held.release()
    late.result(), soon.result()
    assert standings.of("eve").banned == end, "What was read earlier has taken the place of what is newer."


def test_who_is_muted_while_they_say_that_they_have_read_a_warning_is_muted(house: House, hold: Any) -> None:
    order = house.app.order
    Browser(house.port).become("Eve")
    eve = person_of(house, "Eve")
    house.run(order.do(COMMAND, Do("warn", name="Eve", reason="Mind")))
    held = hold(house, house.app.store, "commit", before=True)
    late = on(house, order.acknowledge(eve, "Mind"))
    held.wait()
    soon = on(house, order.do(COMMAND, Do("mute", name="Eve", reason="why", hours=9)))
    waits(house, lambda: order._turn, soon)
    held.release()
    late.result(), soon.result()
    standing = order.standings.of(eve)
    assert (standing.warning, bool(standing.muted)) == ("", True), standing


def test_who_is_muted_here_stays_banned_by_another_process_of_which_nobody_has_heard_yet(house: House) -> None:
    order = house.app.order
    Browser(house.port).become("Eve")
    eve = person_of(house, "Eve")
    banned = StandingChange(banned=int(order.standings.clock()) + 1000, reason="why")
    house.kept.commit(AccountChange(eve, books=BooksChange(standing=banned)))
    house.run(order.do(COMMAND, Do("mute", name="Eve", reason="rude", hours=9)))
    standing = order.standings.of(eve)
    assert (standing.banned, bool(standing.muted), standing.reason) == (banned.banned, True, "rude"), standing


@pytest.mark.later
def test_a_game_to_which_somebody_comes_back_while_it_is_let_go_of_stays(
    house: House, beside: Any, hold: Any, monkeypatch: Any
) -> None:
    monkeypatch.setattr(retention, "BREATH", 0)
    guest = house.guest()
    id = guest.make(game="mines", seats=2)
    play_to_the_end(house, id, guest)
    shelf, now = house.app.tables.shelf, house.app.tables.standings.clock()
    house.call(lambda: shelf._tables.pop(id))
    held = hold(house, house.app.store, "load")
    late = beside(guest.look, id)
    held.wait()
    assert house.run(Retention(house.app.tables, 90, 0, lambda: now + 91 * DAY).sweep()) == 0
    held.release()
    assert late.result()["result"] is not None
    assert house.kept.load(id) is not None, "Somebody looks at a game of which nothing is kept."


def test_of_two_answers_of_which_one_is_being_written_the_other_finds_the_table_as_it_is_then(
    house: House, beside: Any, hold: Any
) -> None:
    id, guests = full_table(house, "mines", 2)
    message = next(m for g in guests if (m := g.look(id))["ask"])
    guest, words = (
        guests[message["seat"]],
        [f"{message['ask']['question']} {choice}" for choice in message["ask"]["legal"]],
    )
    other = Guest(house.port)
    other.headers = guest.headers
    held = hold(house, house.app.store, "commit", before=True)
    first = beside(guest.answer, id, 0, words[0], expect=None)
    held.wait()
    second = beside(other.answer, id, 0, words[-1], expect=None)
    waits(house, lambda: house.app.tables.get(id).here.lock, second)
    held.release()
    assert first.result()["n"] == 1
    told = second.result()
    assert (told.get("id"), told.get("message", {}).get("n")) == ("table-moved-on", 1), (
        "It was judged by how the table was before."
    )
    assert [entry[1] for entry in house.kept.load(id).entries] == [words[0]]
