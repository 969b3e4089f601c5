"""What holds for somebody at one process of a house holds for them at the others; and what two processes both take to be theirs to do
is done once."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from authenticator import Browser
from guests import KEYS, PATIENCE, Guest, Tap, first_legal, until
from postbox import Inbox, Postbox
from rooms import Room, at, two_rooms
from test_order import account, do, events

from diamonds.server.house import codes
from diamonds.server.order.settings import HouseSettings
from diamonds.server.reminding import calls
from diamonds.server.store.cluster_sql import LOBBY
from diamonds.server.store.pushes import Call
from diamonds.server.wire.app import Setup
from diamonds.server.wire.limits import OFF, Rate, Share

pytestmark = pytest.mark.later

FEW = Share(Rate(3, 1e-9), OFF.names.address)  # three, and then no more for years


@pytest.fixture
def opened(cluster: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., tuple[Room, Room]]]:
    """Opens two processes of a house with settings of its own."""
    monkeypatch.setattr(codes, "COST", 4)
    used = []

    def open_them(settings: Setup) -> tuple[Room, Room]:
        used.append(two_rooms(cluster.empty_database(), settings))
        return used[-1].__enter__()

    yield open_them
    for one in used:
        one.__exit__(None, None, None)


def listen(guest: Guest, table: str) -> Tap:
    """A stream of theirs that has begun."""
    tap = guest.listen(table)
    until(lambda: tap.events, "no first message")
    return tap


def test_who_is_muted_warned_banned_or_signed_out_at_one_process_is_so_at_the_others(opened):
    one, other = opened(Setup((0, 0), OFF, house=HouseSettings(hosts=("Ann",))))
    ann, eve, fay = (account(one, name) for name in ("Ann", "Eve", "Fay"))
    table = eve.make(game="mines", seats=2, places=["me", "open"], takeover=0)
    fay.sit(table, seat=1, invite=eve.invite)
    elsewhere = {guest: at(other, guest) for guest in (eve, fay)}  # with the cookies that they have now
    streams = {guest: listen(twin, table) for guest, twin in elsewhere.items()}

    def refused(guest: Browser) -> str | None:
        """Why the other process does not take a line of theirs."""
        body = {"text": "hello", "key": f"say-{next(KEYS):08d}"}
        return elsewhere[guest].post(f"/api/tables/{table}/chat", body).get("id")  # type: ignore[no-any-return]

    def notices(guest: Browser) -> list[str]:
        return [event["what"] for event in events(streams[guest])]

    do(ann, what="mute", name="Eve", hours=1)
    until(lambda: refused(eve) == "order-muted", "who is muted talks at another process")
    do(ann, what="warn", name="Eve")
    until(lambda: notices(eve) == ["warned"], "who reads at another process is not warned")
    do(at(other, ann), what="ban", name="Eve", hours=1)
    until(lambda: streams[eve].ended, "the stream of who is banned goes on at another process")
    assert notices(eve) == ["warned", "banned"]
    body = {"n": 0, "answers": ["draw 1"], "key": "key-banned-1"}
    for twin in (eve, elsewhere[eve]):
        assert twin.post(f"/api/tables/{table}/answers", body, 403)["id"] == "order-banned"
    assert not streams[fay].ended, "somebody else is sent away"
    fay.post("/api/me/sign-out", {"everywhere": True}, 200)
    until(lambda: streams[fay].ended, "the stream of who has signed out goes on at another process")
    until(
        lambda: refused(fay) == "server-who-are-you",
        "a cookie is good at another process after its device has signed out",
    )


def test_what_is_limited_by_person_is_no_more_for_who_asks_at_another_process_too(opened):
    rooms = opened(Setup((0, 0), OFF._replace(names=FEW)))
    ann = rooms[0].guest()
    given = [at(room, ann).post("/api/me", {"name": f"Ann {k}"}).get("id", "") for k in range(3) for room in rooms]
    assert given == [""] * 3 + ["server-too-many"] * 3


def test_a_message_is_sent_once_when_two_members_believe_to_own_the_lobby(opened, time):
    with Postbox() as postbox:
        house = HouseSettings(push_hosts=(postbox.address,))
        rooms = opened(Setup((0, 0), OFF, push_key=b"p" * 32, house=house))
        ann, ben = (Browser(rooms[0].port) for _ in range(2))
        table = ann.make(game="mines", seats=2, places=["me", "open"], clock={"days": 2})
        ben.sit(table, seat=1, invite=ann.invite)
        plays, waits = (ann, ben) if ann.look(table)["ask"] else (ben, ann)
        inbox = Inbox(postbox)
        waits.post("/api/push", inbox.asked, 200)
        while (message := plays.look(table))["ask"]:
            plays.answer(table, message["n"], first_legal(message))
        both = threading.Barrier(2)
        for room in rooms:
            until(lambda room=room: room.call(lambda: room.app.calls.idle), "it is never done")
            hold(room, both)
        assert rooms[0].kept.pushes.next_due(), "nothing is to be sent"
        time.pass_by(calls.DELAY)
        for room in rooms:
            room.call(room.app.calls.wake)
        for room in rooms:
            until(lambda room=room: room.call(lambda: room.app.calls.idle), "it is never done")
        assert not both.n_waiting
        assert not both.broken
        assert len(inbox.got) == 1


def hold(room: Room, both: threading.Barrier) -> None:
    """From now on a member believes to own the lobby, and sends no message before another one is about to do so too."""
    send = room.app.calls._turn_to

    async def together(call: Call) -> None:
        await asyncio.to_thread(both.wait, PATIENCE)
        await send(call)

    room.cluster.ownership.owned.add(LOBBY)
    room.app.calls._turn_to = together  # type: ignore[method-assign]
