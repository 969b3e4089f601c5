"""What is done at one process of a house is felt at the others: at tables, in the lobby, by bots and clocks."""

from __future__ import annotations

import asyncio
import random
import time
from typing import Any, cast

import msgspec
import pytest
from guests import PATIENCE, Guest, Tap, first_legal, until
from rooms import Room, at

from diamonds.server.house import hours, neighbours
from diamonds.server.store import failpoints, postgres_sharing, sharing_sql
from diamonds.server.store.contract import Unavailable
from diamonds.server.store.sharing import Carried, News, Process
from diamonds.server.table.table import Table

pytestmark = pytest.mark.later


def seated(rooms: tuple[Room, Room], game: str = "fourteen", seats: int = 3, **more: Any) -> tuple[str, list[Guest]]:
    """A table whose people sit down at either process in turn."""
    guests = [rooms[k % 2].guest() for k in range(seats)]
    id = guests[0].make(game=game, seats=seats, places=["me"] + ["open"] * (seats - 1), takeover=0, **more)
    for seat, guest in enumerate(guests[1:], 1):
        guest.sit(id, seat=seat, invite=guests[0].invite)
    return id, guests


def asked(guests: list[Guest], id: str) -> tuple[Guest, Any]:
    """Whoever is asked, wherever they are known to be."""

    def found() -> Any:
        for guest in guests:
            message = guest.look(id)
            if message["ask"]:
                return guest, message
        return None

    return until(found, "nobody is asked")  # type: ignore[no-any-return]


def deaf(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on a process hears nothing of the others, and asks for nothing."""

    async def nothing(words: list[str], carried: Any = ()) -> None:
        pass

    monkeypatch.setattr(room.neighbours, "_hear", nothing)


# At a table


def test_answers_given_at_either_process_are_told_at_both(rooms):
    id, guests = seated(rooms)
    taps = [room.guest().listen(id) for room in rooms]
    for n in range(8):
        guest, message = asked(guests, id)
        guest.answer(id, message["n"], first_legal(message))
        for tap in taps:
            until(
                lambda tap=tap, n=n: tap.events and tap.newest["n"] == n + 1, "an answer is told at one process alone"
            )
    views = [tap.newest["view"] for tap in taps]
    assert views[0] == views[1]


def readings(room: Room, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The tables that a process reads from now on, because others have changed them."""
    found: list[str] = []
    sharing = room.neighbours.sharing
    since = sharing.since

    async def noted(table: str, n: int) -> Any:
        found.append(table)
        return await since(table, n)

    monkeypatch.setattr(sharing, "since", noted)
    return found


def unasked(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on a process hears the bell alone, and asks for nothing."""

    async def nothing(since: int) -> News:
        return News([], since)

    monkeypatch.setattr(room.neighbours.sharing, "news", nothing)


def settled(room: Room, tap: Tap, n: int) -> None:
    """Wait until a process has told n entries, and knows all that was changed before: it hears of things in their order."""
    until(lambda: tap.events and tap.newest["n"] == n and not room.neighbours.behind, "an answer is not told")


def answered(guests: list[Guest], id: str) -> int:
    """Whoever is asked answers; returns the n by then."""
    guest, message = asked(guests, id)
    guest.answer(id, message["n"], first_legal(message))
    return int(message["n"]) + 1


def come_along(rooms: list[Room], monkeypatch: pytest.MonkeyPatch, *game: Any, **options: Any) -> list[Table]:
    """Some answers, given at one process and told at another that asks for nothing. Returns the table as each has it."""
    one, other = rooms
    id, guests = seated(rooms, *game, **options)
    here = [at(one, guest) for guest in guests]
    tap = other.guest().listen(id)
    unasked(other, monkeypatch)
    settled(other, tap, answered(here, id))
    read = readings(other, monkeypatch)
    for _ in range(6):
        n = answered(here, id)
        until(lambda n=n: tap.newest["n"] == n, "an answer is told at one process alone")
    assert read == [], "what came along is read back"
    return [room.app.tables.get(id) for room in rooms]


def test_an_answer_comes_along_and_nobody_reads_it_back(rooms, monkeypatch):
    mine, there = come_along(rooms, monkeypatch)
    assert there.play.state.tobytes() == mine.play.state.tobytes()
    assert (there.log.at.tolist(), list(there.log.entries)) == (mine.log.at.tolist(), list(mine.log.entries))


def test_the_clocks_come_along_too(rooms, monkeypatch):
    mine, there = come_along(rooms, monkeypatch, "mines", 2, clock={"start": 600, "increment": 5})
    assert there.clocks == mine.clocks


def test_whom_another_process_was_quicker_than_takes_what_came_along_and_reads_nothing(rooms, monkeypatch):
    _, other = rooms
    id, guests = seated(rooms, "crystals", 4)  # where all pass cards at the same time
    here, there = ([at(room, guest) for guest in guests] for room in rooms)
    tap, both, n = other.guest().listen(id), list[int](), 0
    while len(both) < 2:
        n = answered(here, id)
        settled(other, tap, n)
        both = [k for k, guest in enumerate(there) if guest.look(id)["ask"]]
    quick, slow = both[:2]
    messages = [guest.look(id) for guest in there]
    unasked(other, monkeypatch)
    read, store = readings(other, monkeypatch), other.app.tables.store
    commit, table = store.commit, other.app.tables.get(id)
    refused = []

    async def late(change: Any) -> Any:
        if change.table == id and not refused:
            refused.append(change.n)
            await asyncio.to_thread(here[quick].answer, id, n, first_legal(messages[quick]))
            async with asyncio.timeout(PATIENCE):
                while not other.neighbours.carried_to(table):
                    await asyncio.sleep(0.001)
        return await commit(change)

    monkeypatch.setattr(store, "commit", late)
    assert there[slow].answer(id, n, first_legal(messages[slow]))["n"] == n + 2
    assert refused == [n]
    settled(other, tap, n + 2)
    assert read == [], "what came along is read all the same"
    until(lambda: here[slow].look(id)["view"] == there[slow].look(id)["view"], "they are shown different tables")


def test_what_is_found_by_asking_before_it_is_rung_for_is_not_read(rooms, monkeypatch):
    one, other = rooms
    id, guests = seated(rooms)
    here = [at(one, guest) for guest in guests]
    tap = other.guest().listen(id)
    settled(other, tap, answered(here, id))
    read, sharing = readings(other, monkeypatch), other.neighbours.sharing
    news, told = sharing.news, []

    async def at_this_moment(since: int) -> News:
        if not told:
            told.append(await asyncio.to_thread(answered, here, id))
            async with asyncio.timeout(PATIENCE):
                while not sharing.listener._heard:
                    await asyncio.sleep(0.001)
        return await news(since)

    monkeypatch.setattr(sharing, "news", at_this_moment)
    until(lambda: told, "nothing is asked for")
    settled(other, tap, told[0])
    assert read == [], "what came along is read all the same"


def test_what_a_ring_has_no_room_to_name_is_found_all_the_same(rooms, monkeypatch):
    one, other = rooms
    id, guests = seated(rooms)
    here = [at(one, guest) for guest in guests]
    tap = other.guest().listen(id)
    settled(other, tap, answered(here, id))
    monkeypatch.setattr(postgres_sharing, "MOST", 60)
    n = answered(here, id)
    until(lambda: tap.newest["n"] == n, "what is rung for without a word is never told")


def test_who_has_missed_something_reads_it(rooms, monkeypatch):
    one, other = rooms
    id, guests = seated(rooms)
    here = [at(one, guest) for guest in guests]
    tap = other.guest().listen(id)
    unasked(other, monkeypatch)
    settled(other, tap, answered(here, id))
    heard, hear = [], other.neighbours._hear

    async def noted(words: list[str], carried: Any = ()) -> None:
        heard.extend(words)

    monkeypatch.setattr(other.neighbours, "_hear", noted)
    answered(here, id)
    until(lambda: any(id in words for words in heard), "nobody rings")
    monkeypatch.setattr(other.neighbours, "_hear", hear)
    read = readings(other, monkeypatch)
    n = answered(here, id)
    until(lambda: tap.newest["n"] == n, "who has missed an answer never learns of it")
    assert read == [id]
    told = [each["n"] for message in tap.messages for each in message["told"]]
    assert {n - 1, n} <= {*told}


def test_what_does_not_go_on_from_what_is_known_is_not_taken(rooms):
    one, _ = rooms
    id, guests = seated(rooms)
    here = [at(one, guest) for guest in guests]
    _, message = asked(here, id)
    n, words = message["n"], f"{message['ask']['question']} {first_legal(message).split()[-1]}"
    table, others = one.app.tables.get(id), one.app.tables.others
    good = Carried(id, n, table.revision, table.changes, [(message["seat"], words, "", "", table.log.time_for_entry())])
    bad = {
        "it comes later": msgspec.structs.replace(good, n=n + 1),
        "the seats were others": msgspec.structs.replace(good, revision=good.revision - 1),
        "the seats are others": msgspec.structs.replace(good, revision=good.revision + 1),
        "it is no answer": msgspec.structs.replace(good, entries=[(0, "play X9", "", "", 0)]),
        "it is no entry": msgspec.structs.replace(good, entries=[(0, "", "", "", 0)]),
        "it takes something back": msgspec.structs.replace(good, entries=[(0, "undo 0", "", "", 0)]),
        "it is of no seat": msgspec.structs.replace(good, entries=[(9, words, "", "", 0)]),
    }
    before = table.play.state.tobytes()
    for why, carried in bad.items():
        assert not one.call(lambda carried=carried: others.take(table, [carried])), why
        assert (table.n, table.play.state.tobytes()) == (n, before), why
    assert one.call(lambda: others.take(table, [good]))
    assert table.n == n + 1
    assert one.call(lambda: others.take(table, [good])), "what is known already has to be read again"
    assert table.n == n + 1, "an answer is taken twice"


def test_who_is_here_what_is_said_and_what_people_are_called_is_the_same_everywhere(rooms):
    id, guests = seated(rooms)
    taps = [at(room, guest).listen(id) for room, guest in zip(rooms, guests, strict=False)]

    def here(tap: Tap) -> list[bool]:
        return [place["here"] for place in tap.newest["table"]["places"]] if tap.events else []

    for tap in taps:
        until(lambda tap=tap: here(tap) == [True, True, False], "who reads at another process is away")
    at(rooms[1], guests[0]).post(f"/api/tables/{id}/chat", {"text": "Good cards!", "key": "chat-key-1"}, 200)
    at(rooms[1], guests[0]).post("/api/me", {"name": "Ann"}, 200)
    for tap in taps:
        until(
            lambda tap=tap: [line["text"] for line in tap.newest["table"]["chat"]] == ["Good cards!"], "it is not heard"
        )
        until(lambda tap=tap: tap.newest["table"]["places"][0]["name"] == "Ann", "somebody is still called otherwise")
    taps[1].close()
    until(lambda: here(taps[0]) == [True, False, False], "who has gone at another process is here")
    guests[2].post(f"/api/tables/{id}/stand", {"key": "stand-key-1"}, 200)
    until(lambda: taps[0].newest["table"]["places"][2]["kind"] == "open", "who stood up at another process sits here")
    taps[0].close()


def test_nobody_is_refused_because_a_process_is_behind(rooms, monkeypatch):
    one, other = rooms
    id, guests = seated(rooms, talk="all")
    there = [at(other, guest) for guest in guests]
    here = [at(one, guest) for guest in guests]
    there[0].look(id)
    deaf(other, monkeypatch)
    for _ in range(3):
        guest, message = asked(here, id)
        guest.answer(id, message["n"], first_legal(message))
    guest, message = asked(here, id)
    behind = there[here.index(guest)]
    behind.answer(id, message["n"], first_legal(message), key="the-same-key")
    assert at(one, guest).answer(id, message["n"], first_legal(message), key="the-same-key")["n"] == message["n"] + 1
    late = at(other, guests[0]).answer(id, message["n"], first_legal(message), expect=409)
    assert late["message"]["n"] == message["n"] + 1, "who is refused is shown a table that is no more"


def test_a_process_that_hears_nothing_is_found_out_and_one_that_only_hears_no_bell_is_a_moment_late(rooms, monkeypatch):
    one, other = rooms
    id, guests = seated(rooms)
    here = [at(one, guest) for guest in guests]
    tap = other.guest().listen(id)
    until(lambda: tap.events, "no first message")

    async def never(patience: float) -> None:
        await other.neighbours.sharing.news(1 << 60)

    monkeypatch.setattr(other.neighbours, "_told", never)  # no bell: it asks at once, and again
    guest, message = asked(here, id)
    guest.answer(id, message["n"], first_legal(message))
    until(lambda: tap.newest["n"] == 1, "what is not rung for is never seen")
    deaf(other, monkeypatch)
    guest, message = asked(here, id)
    guest.answer(id, message["n"], first_legal(message))
    reader = one.guest().listen(id)
    until(lambda: reader.events and reader.newest["n"] == 2, "it is not told at all")
    other.call(lambda: None)
    assert tap.newest["n"] == 1, "this test would not notice that notifications are lost"


def test_a_version_means_the_same_everywhere_and_never_goes_back(rooms):
    one, other = rooms
    id, guests = seated(rooms)
    tap = at(other, guests[0]).listen(id)
    until(lambda: tap.events, "no first message")
    for k in range(3):
        guests[0].post(f"/api/tables/{id}/chat", {"text": f"line {k}", "key": f"chat-key-{k}"}, 200)
    until(lambda: len(tap.newest["table"]["chat"]) == 3, "it is not heard")
    version = tap.newest["version"]
    assert [message["version"] for message in tap.messages] == sorted(message["version"] for message in tap.messages)
    tap.close()
    for room in rooms:
        back = at(room, guests[0]).listen(id, **{"Last-Event-ID": str(version)})
        until(lambda back=back: back.events, "no first message")
        assert back.messages[0]["version"] >= version
        back.close()
    lie = (0 << 32) + (1 << 31)
    liar = at(one, guests[0]).listen(id, **{"Last-Event-ID": str(lie)})
    until(lambda: liar.events, "no first message")
    assert liar.messages[0]["version"] < lie, "a reader says how numbers go on"


# Bots and clocks


def test_each_tables_bots_are_moved_by_one_process_and_if_two_believe_so_nothing_is_doubled(rooms, monkeypatch):
    for room in rooms:
        monkeypatch.setattr(room.neighbours, "moves", lambda key: True)
    rng = random.Random(4)
    guests = [rooms[0].guest(), rooms[1].guest()]
    id = guests[0].make(game="fourteen", seats=3, places=["me", "open", "bot:simple"], takeover=0)
    guests[1].sit(id, seat=1, invite=guests[0].invite)
    taps = [at(room, guests[0]).listen(id) for room in rooms]
    for _ in range(12):
        guest, message = asked(guests, id)
        twin = at(rng.choice(rooms), guest)
        twin.answer(id, message["n"], first_legal(message), expect=None)

    def all_stand_still() -> int | None:
        """The n at which both ask the same person: meanwhile no bot goes on."""
        asks = [[message["n"] for guest in guests if (message := at(room, guest).look(id))["ask"]] for room in rooms]
        return asks[0][0] if asks[0] and asks[0] == asks[1] else None

    newest = until(all_stand_still, "two processes that both play a bot see different games")
    for tap in taps:
        until(lambda tap=tap: tap.newest["n"] >= newest, "two processes that both play a bot tell different games")
    heard = [{told["n"]: [] for message in tap.messages for told in message["told"]} for tap in taps]
    for tap, by_n in zip(taps, heard, strict=True):
        for message in tap.messages:
            for told in message["told"]:
                by_n[told["n"]].append(told["event"])
    shared = [n for n in heard[0] if n in heard[1]]
    assert len(shared) >= newest - 1, "the test sees too little"
    assert [heard[0][n] for n in shared] == [heard[1][n] for n in shared], (
        "the same was told otherwise, or twice, by one of the two"
    )
    kept = [entry[1] for entry in rooms[0].kept.load(id).entries]
    assert [room.app.tables.get(id).n for room in rooms] == [len(kept)] * 2, "somebody has an answer that is not stored"


def test_whoever_dies_is_let_go_of_and_a_process_that_takes_nobody_for_dead_is_found_out(rooms, cluster, monkeypatch):
    one, other = rooms

    def stop_signing() -> None:
        for task in one.neighbours._tasks:
            task.cancel()

    def is_let_go_of() -> bool:
        cluster.ask(f"DELETE FROM processes WHERE id = '{one.neighbours.id}'")
        other.call(other.neighbours._sign)
        return all(other.neighbours.moves(f"table-{k}") for k in range(20)) and other.neighbours.is_hall

    one.call(stop_signing)
    monkeypatch.setattr(failpoints, "_name", "nobody_dies")
    assert not is_let_go_of(), "the mistake is not noticed"
    monkeypatch.undo()
    assert is_let_go_of(), "what was theirs is nobody's"


def test_who_was_asleep_goes_on_by_the_time_of_the_others(rooms, cluster):
    one, other = rooms
    clock = other.app.tables.clocks._clock
    until(lambda: abs(one.app.tables.clocks.now() - clock.now()) < 60_000, "they go by different times")

    def sleep() -> None:
        clock._opened -= 3_600_000

    other.call(sleep)
    cluster.ask(f"DELETE FROM processes WHERE id = '{other.neighbours.id}'")  # it was silent for so long
    until(lambda: one.app.tables.clocks.now() - clock.now() < 60_000, "it is an hour behind")


def test_whoever_comes_in_while_nobody_could_sign_leaves_all_clocks_alone(rooms, cluster, monkeypatch):
    monkeypatch.setattr(sharing_sql, "_ALIVE", "false")  # the database was away for longer than silence may last
    one, _ = rooms
    id, _ = seated(rooms, "mines", 2, clock={"start": 600, "increment": 0})
    at = one.kept.load(id).clock_at
    sign = sharing_sql.Sign("newcomer", "", 1 << 50, time.monotonic(), comes=True)
    now, _ = one.run(one.app.store.sharing._do(sharing_sql.sign, sign))
    assert abs(now - one.app.tables.clocks.now()) < 60_000, "it goes by a time of its own"
    assert one.kept.load(id).clock_at == at, "clocks that run are put on"


def test_whoever_comes_in_while_all_lines_are_cut_waits_for_those_who_were_there(rooms, monkeypatch):
    one, _ = rooms
    id, _ = seated(rooms, "mines", 2, clock={"start": 600, "increment": 0})
    at = one.kept.load(id).clock_at
    monkeypatch.setattr(postgres_sharing, "UNSEEN", PATIENCE)
    monkeypatch.setattr(sharing_sql, "_CONNECTED", "false")
    monkeypatch.setattr(sharing_sql, "_ALIVE", "false")
    asked: list[None] = []
    signed = postgres_sharing._signed
    monkeypatch.setattr(postgres_sharing, "_signed", lambda *given: [asked.append(None), signed(*given)][1])
    coming = asyncio.run_coroutine_threadsafe(one.app.store.sharing.enter("newcomer", "", 1 << 50), one._loop)
    until(lambda: len(asked) > 2 or coming.done(), "nobody asks again")
    assert not coming.done(), "it opens a house that others keep"
    monkeypatch.undo()
    assert abs(coming.result(PATIENCE) - one.app.tables.clocks.now()) < 60_000, "it goes by a time of its own"
    assert one.kept.load(id).clock_at == at, "clocks that run are put on"


def test_whoever_comes_in_does_not_wait_for_the_dead_for_ever(rooms, monkeypatch):
    one, _ = rooms
    monkeypatch.setattr(postgres_sharing, "UNSEEN", 0.0)
    monkeypatch.setattr(sharing_sql, "_CONNECTED", "false")
    monkeypatch.setattr(sharing_sql, "_ALIVE", "false")
    assert one.run(one.app.store.sharing.enter("newcomer", "", 1 << 50)) >= 1 << 50, (
        "a house without anybody does not open"
    )


def test_a_bot_answers_wherever_its_people_are(rooms):
    guests = [room.guest() for room in rooms]
    for k, guest in enumerate(guests * 3):
        id = guest.make(game="fourteen", seats=3, key=f"another-{k}-{guest.port}")
        tap = guest.listen(id)
        for _ in range(3):
            until(lambda tap=tap: tap.events and tap.newest["ask"], "a bot does not answer")
            message = tap.newest
            guest.answer(id, message["n"], first_legal(message))
            until(lambda tap=tap, n=message["n"]: tap.newest["n"] > n, "an answer is not told")
        tap.close()


def test_who_moves_a_table_is_remembered_as_long_as_the_same_are_there(monkeypatch):
    monkeypatch.setattr(neighbours, "SURE", PATIENCE)
    house: Any = [neighbours.Neighbours(cast("Any", None), cast("Any", None)) for _ in range(3)]
    tables = [f"table-{k}" for k in range(60)]

    def movers(*there: int) -> list[int]:
        """Who moves each table while these are there; they agree, and it is one."""
        for k in there:
            house[k].alive = [Process(house[each].id, each, "") for each in there]
            house[k]._signed = time.monotonic()
        found = [[k for k in there if house[k].moves(table)] for table in tables]
        assert all(len(each) == 1 for each in found), "a table is nobody's, or two's"
        return [each[0] for each in found]

    all_there = movers(0, 1, 2)
    assert {*all_there} == {0, 1, 2}
    with monkeypatch.context() as patch:
        patch.setattr(neighbours, "_weight", None)
        assert [house[k].moves(table) for k, table in zip(all_there, tables, strict=True)] == [True] * len(tables)
    without = movers(0, 1)
    assert all(now in (was, 0, 1) and (was == 2 or now == was) for was, now in zip(all_there, without, strict=True)), (
        "a table goes to another though who moved it is there"
    )
    assert movers(0, 1, 2) == all_there
    monkeypatch.setattr(neighbours, "DULL", 10)
    movers(0, 1)
    assert all(len(house[k]._firsts) <= 10 for k in (0, 1)), "more and more tables are remembered"


def until_bots_are_asked(guest: Guest, id: str, tap: Tap) -> int:
    """Answer as long as this person is asked; returns the n at which only bots are."""
    until(lambda: tap.events, "no first message")
    while tap.newest["ask"]:
        n = guest.answer(id, tap.newest["n"], first_legal(tap.newest))["n"]
        until(lambda n=n: tap.newest["n"] == n, "an answer is not told")
    return int(tap.newest["n"])


def test_bots_of_a_table_that_was_a_dead_processs_go_on_though_its_people_do_nothing(rooms, monkeypatch):
    one, other = rooms
    for room in rooms:  # whoever is to move the table has just died
        monkeypatch.setattr(room.neighbours, "moves", lambda key: False)
    guest = one.guest()
    id = guest.make(game="fourteen", seats=3)
    tap = guest.listen(id)
    n = until_bots_are_asked(guest, id, tap)
    known, sharing, store = other.neighbours, other.neighbours.sharing, other.app.store
    until(lambda: known.said(id) and not known.behind, "nobody says who reads there")
    assert not other.app.tables.shelf.has(id), "it is in memory already, so this test shows nothing"
    said, load, failed, looked = sharing.said, store.load, list[None](), asyncio.Event()

    async def away(keys: Any) -> Any:
        if keys is None and not failed:
            failed.append(None)
            raise Unavailable
        return await said(keys)

    async def late(table: str) -> Any:
        await looked.wait()
        return await load(table)

    monkeypatch.setattr(sharing, "said", away)  # just when it looks round the store is away
    monkeypatch.setattr(store, "load", late)  # and it knows who reads there before it knows the table
    monkeypatch.setattr(known, "moves", lambda key: True)
    monkeypatch.setattr(known, "alive", [])  # who is there has changed
    until(lambda: failed, "it does not look round")
    until(lambda: shelf_waits(other, id), "it does not look round again")
    other.call(looked.set)
    until(lambda: tap.newest["n"] > n, "its bots wait for ever")


def shelf_waits(room: Room, id: str) -> bool:
    """Whether a table is being loaded."""
    shelf = room.app.tables.shelf
    return bool(shelf.has(id)) and shelf.get(id) is None


def test_bots_go_on_at_a_process_that_moved_nothing_while_its_sign_of_life_took_long(rooms, monkeypatch):
    one, _ = rooms
    known, sign, late = one.neighbours, one.neighbours.sharing.sign, list[int]()
    guest = one.guest()
    id = next(
        id for k in range(99) if known.moves(id := guest.make(game="fourteen", seats=3, key=f"another-{k}-of-them"))
    )
    monkeypatch.setattr(one.app.tables.bots, "think", (0.0, 0.0))
    tap = guest.listen(id)

    async def slow(*given: Any) -> Any:
        if not late:
            known._signed = time.monotonic() - neighbours.SURE
            late.append(await asyncio.to_thread(until_bots_are_asked, guest, id, tap))
        return await sign(*given)

    monkeypatch.setattr(known.sharing, "sign", slow)
    until(lambda: late, "it does not sign")
    until(lambda: tap.newest["n"] > late[0], "its bots wait for ever")


def test_clocks_run_by_one_time_and_a_flag_falls_whoever_is_left(rooms):
    one, other = rooms
    assert abs(one.app.tables.clocks.now() - other.app.tables.clocks.now()) < 60_000
    tables = [seated(rooms, "mines", 2, clock={"start": 10, "increment": 0})[0] for _ in range(3)]
    moved = [[room for room in rooms if room.neighbours.moves(id)] for id in tables]
    assert all(len(by) == 1 for by in moved), "a table is nobody's, or two's"
    hour = 3_600_000
    later = hours.steady() + hour
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(hours, "steady", lambda: later)
        for room in rooms:
            room.call(room.app.tables.clocks.flags.look)
        for id in tables:
            until(lambda id=id: one.kept.load(id).entries, "nobody's flag falls")
            assert [entry[1] for entry in one.kept.load(id).entries].count("timeout") == 1, "a flag has fallen twice"


# Finding each other


def test_people_find_each_other_wherever_they_are(rooms):
    ann, ben = rooms[0].guest(), rooms[1].guest()
    ears = [guest.lobby() for guest in (ann, ben)]
    for guest in (ann, ben):
        guest.post("/api/seek", {"games": ["mines"], "seats": [2], "paces": ["steady"]}, 200)
    met = {ear.wait_for(lambda ear=ear: (ear.you or {}).get("met"), "they do not meet") for ear in ears}
    assert len(met) == 1
    table = met.pop()
    for guest in (ann, ben):
        guest.sit(table)
    for ear in ears:
        ear.wait_for(lambda ear=ear: ear.you["met"] is None, "who has sat down is sent there again")
    public = ben.make(game="crystals", seats=3, places=["me", "open", "open"], private=False)
    tap = ben.listen(public)
    for ear in ears:
        ear.wait_for(lambda ear=ear: public in ear.tables, "a table of another process is not shown")
    tap.close()
    for ear in ears:
        ear.wait_for(
            lambda ear=ear: not any(p["here"] for p in ear.tables.get(public, {"places": []})["places"]),
            "who has gone is here",
        )


def test_when_the_process_is_gone_where_people_find_each_other_another_one_is_it(rooms):
    one, other = rooms
    ann = other.guest()
    ear = ann.lobby()
    one.close()
    until(lambda: other.neighbours.is_hall, "nobody takes over")
    until(lambda: ear.tap.ended, "a stream of a process that is gone goes on")
    ann.hang_up()
    again = ann.lobby()
    ann.post("/api/seek", {"games": ["mines"], "seats": [2], "paces": ["steady"]}, 200)
    again.wait_for(lambda: (again.you or {}).get("seek"), "who seeks is not told that they do")
    one.open()


def test_only_processes_of_the_house_hand_requests_on(rooms):
    one, _ = rooms
    stranger = Guest(one.port)
    stranger.headers = {"X-Diamonds-Mark": "0" * 64, "X-Diamonds-Whose": "10.9.8.7"}
    stranger.get("/api/house")
    assert not any("10.9.8.7" in key for kept in one.app.live.buckets._kept.values() for key in kept)
