"""Order in a house: who spoils it is told of to its hosts, who warn, mute, ban, rename and close; each act is written down."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from authenticator import Browser
from guests import KEYS, Guest, House, Tap, until

from diamonds.server.house import codes
from diamonds.server.order.settings import HouseSettings
from diamonds.server.store.books import COMMAND
from diamonds.server.wire.app import Setup
from diamonds.server.wire.limits import OFF, Rate, Share

SETTINGS = HouseSettings(name="Club Caro", rules="Be kind.", imprint="Ann", hosts=("Ann",))
HOST_ROUTES = (
    ("GET", "/api/order/reports", None),
    ("GET", "/api/order/people?name=a", None),
    ("GET", "/api/order/tables", None),
    ("GET", "/api/order/acts", None),
    ("POST", "/api/order/invite", {"hours": 5}),
    ("POST", "/api/order/acts", {"what": "ban", "name": "Ann", "hours": 1, "reason": "why not"}),
)


@pytest.fixture(autouse=True)
def _nobody_waits_for_the_clock(monkeypatch):
    monkeypatch.setattr(codes, "COST", 4)


@pytest.fixture
def club(open_house):
    """A house, Ann, who is its host, and Ben and Eve, who have accounts."""
    house = open_house(settings=Setup((0, 0), OFF, house=SETTINGS))
    return house, *(account(house, name) for name in ("Ann", "Ben", "Eve"))


def account(house: House, name: str) -> Browser:
    """Somebody with an account; who is a host was invited by that name."""
    browser = Browser(house.port)
    code = house.wait_for(house.app.order.invite(COMMAND, 1, name)).code if name == "Ann" else ""
    asked = browser.post("/api/me/account/begin", {"name": name, "invitation": code}, 200)
    browser.post("/api/me/account", {"passkey": browser.make_key(asked["options"])}, 201)
    return browser


def together(one: Guest, other: Guest, **more: Any) -> str:
    """A table of mines at which two play."""
    table = one.make(game="mines", seats=2, places=["me", "open"], takeover=0, **more)
    other.sit(table, seat=1, invite=one.invite)
    return table


def say(guest: Guest, table: str, text: str, expect: int = 200) -> Any:
    return guest.post(f"/api/tables/{table}/chat", {"text": text, "key": f"say-{next(KEYS):08d}"}, expect)


def do(host: Guest, expect: int = 200, **what: Any) -> Any:
    return host.post("/api/order/acts", {"reason": "rude words", **what}, expect)


def events(tap: Tap) -> list[Any]:
    """What hosts had to say on a stream."""
    found = tap.raw.split(b"event: order\ndata: ")[1:]
    return [json.loads(one.partition(b"\n")[0]) for one in found]


def listen(guest: Browser, path: str) -> Tap:
    return Tap(guest.port, path, {"Cookie": guest.headers["Cookie"]})


def test_a_report_brings_the_lines_and_the_table_to_hosts_and_who_is_banned_is_told_until_when(club):
    _house, ann, ben, eve = club
    table = together(ben, eve)
    say(ben, table, "hello")
    say(eve, table, "you fool")
    line = ben.look(table)["table"]["chat"][1]
    ben.post(f"/api/tables/{table}/report", {"reason": "rude", "text": "See for yourself", "by": line["by"]}, 200)
    told = ann.get("/api/order/reports")
    assert told["waiting"] == 1
    report = told["open"][0]
    assert (report["by"], report["name"], report["table"]) == ("Ben", "Eve", table)
    assert [(one["name"], one["text"]) for one in report["lines"]] == [("Ben", "hello"), ("Eve", "you fool")]
    hears = listen(eve, f"/api/tables/{table}/stream")
    hears.wait_for(0)
    do(ann, what="ban", report=report["report"], hours=48)
    until(lambda: hears.ended, "the stream of who is banned goes on")
    assert events(hears)[0]["what"] == "banned"
    refused = eve.post("/api/tables", {"game": "mines", "seats": 2}, 403)
    assert refused["id"] == "order-banned"
    assert "rude words" in refused["error"]
    assert " UTC" in refused["error"]
    after = ann.get("/api/order/reports")
    assert (after["waiting"], after["handled"][0]["report"]) == (0, report["report"])
    act, _ = ann.get("/api/order/acts")["acts"]
    assert (act["by"], act["what"], act["name"], act["reason"]) == ("Ann", "ban", "Eve", "rude words")


def test_who_is_banned_does_nothing_in_the_house_but_take_their_data_or_leave(club):
    _house, ann, ben, eve = club
    table = together(ben, eve)
    do(ann, what="ban", name="Eve", hours=1)
    for method, path, body in (
        ("GET", "/api/tables", None),
        ("GET", "/api/lobby", None),
        ("GET", f"/api/tables/{table}", None),
        ("GET", f"/api/tables/{table}/stream", None),
        ("POST", f"/api/tables/{table}/chat", {"text": "hi", "key": "key-1-key"}),
        ("POST", f"/api/tables/{table}/answers", {"n": 0, "answers": ["x"], "key": "key-2-key"}),
        ("POST", f"/api/tables/{table}/stand", {}),
        ("POST", f"/api/tables/{table}/report", {"seat": 0, "reason": "rude"}),
        ("POST", "/api/seek", {"games": ["mines"], "seats": [2], "paces": ["quick"]}),
        ("POST", "/api/friends", {"name": "Ben"}),
        ("POST", "/api/challenges", {"name": "Ben", "game": "mines", "seats": 2}),
        ("POST", "/api/me", {"name": "Eva"}),
        ("POST", "/api/me/links", {}),
        ("POST", "/api/order/acknowledge", {"warning": "x"}),
    ):
        text = None if body is None else json.dumps(body).encode()
        status, raw = eve.send(method, path, text, {"Content-Type": "application/json"})
        assert (status, json.loads(raw)["id"]) == (403, "order-banned"), (
            f"{method} {path} is for who is banned: {raw!r}"
        )
    assert eve.me()["name"] == "Eve"
    data = eve.get("/api/me/data")
    assert (data["name"], data["standing"]["reason"]) == ("Eve", "rude words")
    eve.get("/api/house")
    eve.get("/api/about")
    eve.post("/api/me/sign-out", {}, 200)


def test_a_ban_holds_on_every_device_by_every_way_in_and_for_who_brings_a_banned_guest_along(club):
    house, ann, ben, eve = club
    code = eve.post("/api/me/code", {}, 201)["code"]
    link = eve.post("/api/me/links", {}, 201)["link"]
    do(ann, what="ban", name="Eve", hours=1)
    other = Browser(house.port)
    other.keys = eve.keys
    assert other.sign_in(403)["id"] == "order-banned"
    assert other.post("/api/sign-in/code", {"code": code}, 403)["id"] == "order-banned"
    assert other.post("/api/sign-in/link", {"link": link}, 403)["id"] == "order-banned"
    guest = Browser(house.port)
    table = together(ben, guest)
    do(ann, what="ban", table=table, seat=1, hours=1)
    guest.keys = ben.keys
    assert guest.post("/api/sign-in/passkey/begin", {}, 403)["id"] == "order-banned"
    assert guest.post("/api/me/account/begin", {"name": "Fay"}, 403)["id"] == "order-banned"


def test_a_ban_a_mute_and_their_ends(club):
    house, ann, ben, eve = club
    now = [1_700_000_000.0]
    house.app.tables.standings.clock = lambda: now[0]
    table = together(ben, eve)
    do(ann, what="mute", name="Eve", hours=2)
    refused = say(eve, table, "quiet", 403)
    assert refused["error"] == (
        "You may not say anything here until 2023-11-15 00:13 UTC. The reason given: rude words"
    )
    now[0] += 2 * 3600 - 1
    say(eve, table, "still quiet", 403)
    now[0] += 1
    say(eve, table, "here again")
    do(ann, what="mute", name="Eve", hours=2)
    do(ann, what="unmute", name="Eve")
    say(eve, table, "and again")
    do(ann, what="ban", name="Eve", hours=1)
    now[0] += 3600
    eve.look(table)
    do(ann, what="ban", name="Eve", hours=1)
    last = ann.get("/api/order/acts")["acts"][0]
    do(ann, what="unban", act=last["act"])
    eve.look(table)
    assert [one["what"] for one in ann.get("/api/order/acts")["acts"]] == [
        "unban",
        "ban",
        "ban",
        "unmute",
        "mute",
        "mute",
        "invite",
    ]


def test_a_warning_is_told_until_it_is_read_and_then_no_more(club):
    house, ann, _ben, eve = club
    ear = listen(eve, "/api/lobby")
    until(lambda: ear.events, "the lobby says nothing")
    do(ann, what="warn", name="Eve", reason="Mind your words")
    until(lambda: events(ear), "who is in the house does not hear of a warning")
    assert events(ear) == [{"what": "warned", "reason": "Mind your words", "until": 0}]
    again = listen(eve, "/api/lobby")
    until(lambda: events(again), "who comes back does not hear of a warning")
    eve.post("/api/order/acknowledge", {"warning": "Another one"}, 200)
    assert house.app.tables.standings.notice(whose(house, "Eve")), "what was not told was read"
    eve.post("/api/order/acknowledge", {"warning": "Mind your words"}, 200)
    last = listen(eve, "/api/lobby")
    until(lambda: last.events, "the lobby says nothing")
    assert not events(last), "a warning that was read is told again"


def whose(house: House, name: str) -> str:
    """Whose account has this name."""
    return house.run(house.app.meeting.friends.named(name))


def test_a_name_that_is_taken_away_is_nobodys_any_more_nor_one_that_looks_like_it(club):
    house, ann, ben, eve = club
    do(ann, what="rename", name="Eve", called="Evelyn")
    assert eve.me()["name"] == "Evelyn"
    for name in ("Eve", "\u0415ve", "EVE"):
        assert eve.post("/api/me", {"name": name}, 409)["id"] == "account-name-taken"
    guest = Browser(house.port)
    assert guest.post("/api/me/account/begin", {"name": "Eve"}, 409)["id"] == "account-name-taken"
    guest.post("/api/me", {"name": "Rude Word"}, 200)
    table = together(ben, guest)
    do(ann, what="rename", table=table, seat=1)
    assert guest.me()["name"] != "Rude Word"
    assert ben.look(table)["table"]["places"][1]["name"] != "Rude Word", "the name is still told at tables"
    guest.post("/api/me", {"name": "Rude W0rd"}, 409)
    do(ann, what="rename", name="Ben")
    assert ben.me()["name"].startswith("Player ")
    acts = ann.get("/api/order/acts")["acts"]
    assert [one["taken"] for one in acts] == ["Ben", "Rude Word", "Eve", ""]


def test_with_a_name_that_is_taken_away_goes_what_was_said_under_it_everywhere_but_in_reports(club):
    house, ann, ben, eve = club
    guest = Browser(house.port)
    guest.post("/api/me", {"name": "Rude Word"}, 200)
    table = together(ben, guest)
    say(guest, table, "hello")
    say(ben, table, "good evening")
    ben.post("/api/me", {"name": "Benjamin"}, 200)
    ben.post(f"/api/tables/{table}/report", {"seat": 1, "reason": "name"}, 200)
    do(ann, what="rename", table=table, seat=1)

    def speakers(reader: Guest) -> list[str]:
        return [line["name"] for line in reader.look(table)["table"]["chat"]]

    called = guest.me()["name"]
    assert speakers(ben) == [called, "Ben"], "a name that was taken away is told, or one that was given up is not"
    for one in range(2):
        told = json.dumps(ben.look(table)) + json.dumps(ben.get("/api/tables")) + json.dumps(eve.look(table))
        assert "Rude Word" not in told, "the name is told" + " of a table that comes back from the store" * one
        house.wait_for(house.app.tables.shelf.load_anew(house.app.tables.shelf.get(table)))
    (report,) = ann.get("/api/order/reports")["open"]
    assert report["lines"][0]["name"] == "Rude Word", "hosts do not read any more what was reported"


def test_a_closed_table_stands_still_says_why_and_keeps_its_record(club):
    _house, ann, ben, eve = club
    table = together(ben, eve, private=False, clock={"start": 300, "increment": 5, "days": 0})
    assert [one["table"] for one in ann.get("/api/order/tables")["tables"]] == [table]
    hears = listen(eve, f"/api/tables/{table}/stream")
    message = hears.wait_for(0)
    assert [one["id"] for one in ann.get("/api/tables")["tables"]] == [table]
    do(ann, what="close", table=table, reason="Cards were told")
    assert ann.get("/api/tables")["tables"] == [], "others are sent to a table that is closed"
    until(lambda: events(hears), "who is at a table does not hear that it is closed")
    assert events(hears)[0] == {"what": "closed", "reason": "Cards were told", "until": 0}
    for one in (ben, eve):
        look = one.look(table)
        assert look["clocks"]["paused"], "the clocks of a closed table run"
        ask = look["ask"] or {"question": "x", "legal": ["1"]}
        refused = one.answer(table, look["n"], f"{ask['question']} {ask['legal'][0]}", expect=409)
        assert (refused["id"], "Cards were told" in refused["error"]) == ("table-closed", True)
    assert say(ben, table, "why", 409)["id"] == "table-closed"
    assert ben.look(table)["n"] == message["n"]
    late = listen(ben, f"/api/tables/{table}/stream")
    until(lambda: events(late), "who comes later is not told that it is closed")
    assert ann.get("/api/order/tables")["tables"] == []
    assert do(ann, 409, what="close", table=table)["id"] == "order-is-over"


def test_to_who_is_no_host_the_pages_of_hosts_are_as_if_they_were_not_there(club):
    house, ann, ben, _eve = club
    replies = set()
    for guest in (ben, Browser(house.port), house.guest()):
        for method, path, body in HOST_ROUTES:
            status, raw = guest.send(
                method, path, None if body is None else json.dumps(body).encode(), {"Content-Type": "application/json"}
            )
            replies.add((status, raw))
        replies.add(guest.send("GET", "/api/nothing"))
    assert len(replies) == 1, f"one learns who is a host: {replies}"
    assert replies.pop()[0] == 404
    for method, path, _ in HOST_ROUTES[:4]:
        assert ann.send(method, path)[0] == 200
    assert ann.get("/api/about")["host"] is True
    assert ben.get("/api/house")["house"] == "Club Caro", "The lobby does not know what the house is called."
    assert ben.get("/api/about") == {
        "name": "Club Caro", "address": "", "rules": "Be kind.", "imprint": "Ann", "registration": "open", "host": False,
    }  # fmt: skip


def test_one_report_of_a_person_at_a_table_and_a_storm_of_them_is_429(open_house):
    few = Share(Rate(3, 1e-6), Rate(5, 1e-6))
    house = open_house(settings=Setup((0, 0), OFF._replace(reports=few), house=SETTINGS))
    one, other = house.guest(), house.guest()
    table = together(one, other)
    report = {"seat": 1, "reason": "spoiling"}
    for _ in range(3):
        one.post(f"/api/tables/{table}/report", report, 200)
    assert one.post(f"/api/tables/{table}/report", report, 429)["id"] == "server-too-many"
    assert len(house.kept.books.reports(False, 9)) == 1, "a report is written twice"
    watcher, last = house.guest(), house.guest()
    for _ in range(2):
        watcher.post(f"/api/tables/{table}/report", report, 200)
    last.post(f"/api/tables/{table}/report", report, 429)


def test_when_too_many_reports_wait_there_are_no_more(club, monkeypatch):
    from diamonds.server.order import order

    _house, ann, ben, eve = club
    table = together(ben, eve)
    monkeypatch.setattr(order, "MOST_WAITING", 1)
    ben.post(f"/api/tables/{table}/report", {"seat": 1, "reason": "rude"}, 200)
    eve.post(f"/api/tables/{table}/report", {"seat": 0, "reason": "rude"}, 429)
    do(ann, what="handle", report=1, reason="")
    eve.post(f"/api/tables/{table}/report", {"seat": 0, "reason": "rude"}, 200)


def test_who_is_muted_or_blocked_is_reported_and_hears_nothing_of_it(club):
    _house, ann, ben, eve = club
    table = together(ben, eve)
    do(ann, what="mute", name="Eve", hours=1)
    ben.post("/api/friends", {"name": "Eve"}, 200)
    ben.post("/api/friends/change", {"name": "Eve", "what": "block"}, 404)
    hears = listen(eve, f"/api/tables/{table}/stream")
    before = hears.wait_for(0)
    ben.post(f"/api/tables/{table}/report", {"seat": 1, "reason": "other", "text": "again"}, 200)
    assert eve.look(table)["version"] == before["version"], "something was told to who was reported"
    assert eve.get("/api/me/data")["reports_by_you"] == []
    assert "again" not in eve.raw.decode()
    assert ben.get("/api/me/data")["reports_by_you"][0]["text"] == "again"


@pytest.mark.parametrize(
    ("asked", "status"),
    [
        ({"reason": "rude"}, 400),
        ({"reason": "rude", "seat": 1, "by": "abc"}, 400),
        ({"reason": "boring", "seat": 1}, 400),
        ({"reason": "rude", "seat": 0}, 409),
        ({"reason": "rude", "seat": 9}, 404),
        ({"reason": "rude", "by": "nobody"}, 404),
        ({"reason": "rude", "seat": 1, "text": "x" * 501}, 400),
    ],
)
def test_a_report_of_nobody_is_refused_in_one_sentence(house, asked, status):
    one, other = house.guest(), house.guest()
    table = together(one, other)
    assert one.post(f"/api/tables/{table}/report", asked, status)["error"]


def test_no_identity_no_address_and_no_hand_is_in_anything_that_hosts_are_told(club):
    house, ann, ben, eve = club
    table = together(ben, eve)
    say(eve, table, "you fool")
    ben.post(f"/api/tables/{table}/report", {"seat": 1, "reason": "rude"}, 200)
    do(ann, what="warn", report=1)
    everyone = [whose(house, name) for name in ("Ann", "Ben", "Eve")]
    secret = house.app.tables.get(table).header.secret
    for _, path, _ in HOST_ROUTES[:4]:
        _, raw = ann.send("GET", path)
        for hidden in (*everyone, secret, "127.0.0.1", '"hand"', ben.headers["Cookie"]):
            assert hidden.encode() not in raw, f"{path} tells {hidden}"


def test_hosts_who_play_at_a_table_are_not_told_there_what_spectators_say(club):
    _house, ann, ben, eve = club
    table = together(ann, ben, private=False)
    say(eve, table, "he has the queen")
    eve.post(f"/api/tables/{table}/report", {"seat": 1, "reason": "cheating"}, 200)
    assert ann.get("/api/order/reports")["open"][0]["lines"] == [], "a host who plays reads what spectators say"


def test_no_other_site_acts_in_a_hosts_name(club):
    _house, ann, _ben, _eve = club
    body = json.dumps({"what": "ban", "name": "Ben", "hours": 1, "reason": "why not"}).encode()
    for headers, status in (
        ({"Sec-Fetch-Site": "cross-site", "Content-Type": "application/json"}, 403),
        ({"Content-Type": "text/plain"}, 415),
    ):
        assert ann.send("POST", "/api/order/acts", body, headers)[0] == status
    assert [act["what"] for act in ann.get("/api/order/acts")["acts"]] == ["invite"]


def test_what_was_done_and_how_people_stand_outlives_the_house(open_house, tmp_path: Path):
    house = open_house(tmp_path, settings=Setup((0, 0), OFF, house=SETTINGS))
    ann, eve = account(house, "Ann"), account(house, "Eve")
    do(ann, what="ban", name="Eve", hours=5)
    house.restart(ann, eve)
    assert eve.post("/api/tables", {"game": "mines", "seats": 2}, 403)["id"] == "order-banned"
    assert [act["what"] for act in ann.get("/api/order/acts")["acts"]] == ["ban", "invite"]


def test_a_ban_ends_what_somebody_looks_for_and_asks_and_hosts_give_a_reason_and_do_nothing_to_themselves(club):
    house, ann, ben, _ = club
    meeting, person = house.app.meeting, whose(house, "Ben")
    ben.post("/api/seek", {"games": ["mines"], "seats": [2], "paces": ["steady"]}, 200)
    ben.post("/api/challenges", {"name": "Eve", "game": "mines", "seats": 2}, 200)
    do(ann, what="ban", name="Ben", hours=1)
    assert house.call(lambda: meeting.seeks.asked.get(person)) is None, "others are matched with who is banned"
    assert house.call(lambda: meeting.challenges.by(person)) is None, "who is banned asks still"
    assert do(ann, 400, what="warn", name="Eve", reason=" ")["id"] == "order-no-reason"
    assert do(ann, 409, what="warn", name="Ann")["id"] == "order-yourself"
