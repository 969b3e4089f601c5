"""Messages to devices: one for each turn in a game over days, to those who want them, when they want them, and to nobody else."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from authenticator import Browser
from guests import Guest, House, first_legal, until
from postbox import Inbox, Postbox
from test_batches import otherwise
from timepiece import Timepiece

from diamonds.game import Malformed
from diamonds.server.api.order import Do
from diamonds.server.order.settings import HouseSettings
from diamonds.server.reminding import calls
from diamonds.server.reminding.rest import rests_until
from diamonds.server.reminding.services import Services
from diamonds.server.reminding.turns import Turns
from diamonds.server.store.books import COMMAND
from diamonds.server.store.pushes import MOST, PushChange, Quiet
from diamonds.server.wire.app import Setup
from diamonds.server.wire.limits import OFF

pytestmark = pytest.mark.later

MINUTE, HOUR, DAY = 60_000, 3_600_000, 86_400_000


@pytest.fixture
def postbox() -> Iterator[Postbox]:
    with Postbox() as one:
        yield one


class Game:
    """A house with a game of two over days: both are in browsers, and one of them takes messages."""

    def __init__(
        self, open_house: Callable[..., House], time: Timepiece, postbox: Postbox, folder: Path | None
    ) -> None:
        self.time, self.postbox = time, postbox
        self.house = open_house(
            folder, settings=Setup((0, 0), OFF, push_key=b"p" * 32, house=HouseSettings(push_hosts=(postbox.address,)))
        )
        self.ann, self.ben = Browser(self.house.port), Browser(self.house.port)
        self.ann.post("/api/me", {"name": "Ann"}, 200)
        self.ben.post("/api/me", {"name": "Ben"}, 200)
        self.table = self.new_table()
        self.inbox = self.subscribe(self.ann)

    def new_table(self, **clock: int) -> str:
        """A table of the two where Ben is asked."""
        while True:
            table = self.ann.make(game="mines", seats=2, places=["me", "open"], clock=clock or {"days": 2})
            self.ben.sit(table, seat=1, invite=self.ann.invite)
            if self.ben.look(table)["ask"]:
                return table
            self.pass_turn(self.ann, table)
            if self.ben.look(table)["ask"]:
                return table

    def subscribe(self, guest: Guest, **more: Any) -> Inbox:
        """One more browser takes messages for somebody."""
        inbox = Inbox(self.postbox)
        guest.post("/api/push", {**inbox.asked, **more}, 200)
        return inbox

    def pass_turn(self, guest: Guest, table: str = "") -> None:
        """Somebody answers until the other one is asked."""
        table = table or self.table
        while (message := guest.look(table))["ask"]:
            guest.answer(table, message["n"], first_legal(message))

    def settle(self, later: int = calls.DELAY) -> None:
        """So much time goes by, and what is due by then is sent."""
        self._rest()
        self.time.pass_by(later)
        self.house.call(self.house.app.calls.wake)
        self._rest()

    def _rest(self) -> None:
        """Wait until nothing is under way."""
        until(lambda: self.house.call(lambda: self.house.app.calls.idle), "Messages are under way for ever.")


@pytest.fixture(params=["kept", "forgotten"])
def game(request: Any, open_house: Callable[..., House], time: Timepiece, postbox: Postbox, tmp_path: Path) -> Game:
    return Game(open_house, time, postbox, tmp_path if request.param == "kept" else None)


@pytest.fixture
def kept_game(open_house: Callable[..., House], time: Timepiece, postbox: Postbox, tmp_path: Path) -> Game:
    return Game(open_house, time, postbox, tmp_path)


def test_a_turn_brings_one_message_and_a_second_one_only_after_an_answer(game: Game) -> None:
    game.settle()
    assert game.inbox.got == [], "It is Ben's turn, and Ann is told something."
    game.pass_turn(game.ben)
    game.settle()
    assert game.inbox.got == [{"table": game.table, "title": "Your turn: Mines", "text": "Ben has played."}]
    game.ben.post(f"/api/tables/{game.table}/chat", {"text": "hello", "key": "chat-0001"}, 200)
    game.settle(DAY)
    assert len(game.inbox.got) == 1, "She has not answered, and is told a second time."
    game.pass_turn(game.ann)
    game.pass_turn(game.ben)
    game.settle()
    assert len(game.inbox.got) == 2, "She has answered, and is not told of her next turn."


def test_whoever_has_answered_before_the_message_is_due_gets_none(game: Game) -> None:
    game.pass_turn(game.ben)
    game.settle(calls.DELAY - 1)
    game.pass_turn(game.ann)
    game.settle(DAY)
    assert game.inbox.got == []


def test_whoever_looks_at_the_table_gets_no_message_until_they_have_gone(game: Game) -> None:
    tap = game.ann.listen(game.table)
    until(lambda: tap.messages, "The table says nothing.")
    game.pass_turn(game.ben)
    game.settle()
    game.settle(calls.LOOK_AGAIN)
    assert game.inbox.got == [], "She looks at the table, and is told that she should."
    tap.close()
    streams = game.house.app.tables.get(game.table).here
    until(lambda: not streams.streams, "The stream does not end.")
    game.settle(calls.LOOK_AGAIN)
    assert len(game.inbox.got) == 1, "She has gone without an answer, and is not told."


def test_in_quiet_hours_a_message_waits_until_they_are_over(game: Game) -> None:
    # The clock of the tests begins on 14 November 2023 at 22:13:20 in London.
    game.ann.post("/api/push/quiet", {"begins": 22 * 60, "ends": 7 * 60 + 30, "zone": "Europe/London"}, 200)
    game.pass_turn(game.ben)
    game.settle()
    game.settle(9 * HOUR)  # 7:13
    assert game.inbox.got == []
    game.settle(17 * MINUTE)
    assert len(game.inbox.got) == 1


def test_whoever_is_banned_is_not_called_to_a_table_until_that_is_over(game: Game) -> None:
    app = game.house.app
    app.tables.standings.clock = lambda: game.time.wall / 1000
    ban = Do(what="ban", table=game.table, seat=0, hours=5, reason="rude words")
    game.house.wait_for(app.order.do(COMMAND, ban))
    game.pass_turn(game.ben)
    game.settle(4 * HOUR)
    assert game.inbox.got == [], "They can do nothing at the table, and are called there."
    game.settle(HOUR)
    assert len(game.inbox.got) == 1


def test_quiet_hours_end_where_one_is_also_when_clocks_are_put_forward() -> None:
    night = Quiet(23 * 60, 7 * 60, "Europe/Berlin")
    eve = 1_711_839_600_000  # 31 March 2024, 0:00 in Berlin: two hours later clocks were put forward
    assert rests_until(night, eve) == eve + 6 * HOUR, "From midnight to seven were six hours that night."
    assert rests_until(night, eve + 6 * HOUR) is None
    assert rests_until(night, eve - HOUR) == eve + 6 * HOUR
    assert rests_until(night, eve - HOUR - 1) is None
    assert rests_until(Quiet(60, 60, "Europe/Berlin"), eve + HOUR) is None, "Alike are no hours at all."
    assert rests_until(Quiet(600, 660, "Europe/Berlin"), eve + 9 * HOUR + MINUTE) == eve + 10 * HOUR


def test_a_browser_has_one_address_and_is_told_in_its_language(game: Game) -> None:
    german = Inbox(game.postbox)
    game.ann.headers["Accept-Language"] = "de"
    game.ann.post("/api/push", german.asked, 200)
    game.pass_turn(game.ben)
    game.settle()
    assert game.inbox.got == [], "The address that it had before is forgotten."
    assert [one["title"] for one in german.got] == ["Du bist dran: Minen"], german.got
    assert game.ann.get("/api/push")["browsers"][0]["here"] is True


def test_each_of_several_devices_is_told(game: Game) -> None:
    game.ann.become("Annabel")
    phone = Browser(game.house.port).with_keys_of(game.ann)
    phone.sign_in()
    inbox = game.subscribe(phone, label="a phone")
    assert [one["here"] for one in phone.get("/api/push")["browsers"]] == [False, True]
    game.pass_turn(game.ben)
    game.settle()
    assert len(game.inbox.got) == 1
    assert len(inbox.got) == 1
    phone.post("/api/me/sign-out", {}, 200)
    game.pass_turn(game.ann)
    game.pass_turn(game.ben)
    game.settle()
    assert len(game.inbox.got) == 2
    assert len(inbox.got) == 1, "Nobody is signed in on the phone, and it is told of Ann's game."


def test_a_guests_messages_go_with_their_tables_and_else_stop_where_somebody_signs_in(game: Game) -> None:
    game.ann.become("Annabel")
    for bring, table in ((True, "comes along"), (False, "stays")):
        guest = Browser(game.house.port).with_keys_of(game.ann)
        inbox = game.subscribe(guest, label=table)
        guest.sign_in(bring=bring)
        labels = [one["label"] for one in game.ann.get("/api/push")["browsers"]]
        assert (table in labels) is bring, labels
        assert inbox.got == []
    assert len(game.house.kept.pushes.people()) == 1, "A guest's messages come where somebody else is signed in."


def test_after_a_restart_no_message_is_sent_twice_and_none_is_forgotten(kept_game: Game) -> None:
    game = kept_game
    other = game.new_table()
    game.pass_turn(game.ben)
    game.settle()
    assert len(game.inbox.got) == 1
    game.house.call(lambda: game.house.app.tables.watchers.remove(game.house.app.calls))  # it dies before it has noted
    game.pass_turn(game.ben, other)
    game.house.restart(game.ann, game.ben)
    game.settle(0)
    game.settle(DAY)
    assert [one["table"] for one in game.inbox.got] == [game.table, other]


def test_a_service_that_does_not_take_a_message_is_asked_again_ever_later_and_not_for_ever(game: Game) -> None:
    game.postbox.answers = [503, 500, 429, 201]
    game.pass_turn(game.ben)
    game.settle()
    tries = []
    for minutes in (1, 4, 16, 64):
        tries.append(len(game.postbox.brought))
        game.settle(minutes * MINUTE - 1)
        assert len(game.postbox.brought) == tries[-1], f"It is tried again before {minutes} minutes have gone by."
        game.settle(1)
    assert tries == [1, 2, 3, 4]
    assert len(game.postbox.brought) == 4, "It was taken, and is sent again."
    game.pass_turn(game.ann)
    game.pass_turn(game.ben)
    game.postbox.answers = [500] * 20
    game.settle()
    for _ in range(20):
        game.settle(DAY // 12)
    assert len(game.postbox.brought) == 4 + calls.MOST_TRIES


def test_of_a_turn_that_there_is_already_a_browser_is_not_told_that_only_then_takes_messages(game: Game) -> None:
    game.pass_turn(game.ben)
    game.settle()
    inbox, app = game.subscribe(game.ann), game.house.app
    people = game.house.kept.pushes.people()
    game.house.call(lambda: [app.calls.look_at(person) for person in people])
    game.settle()
    assert inbox.got == [], "Its owner knew of that by the page on which they said so."
    game.pass_turn(game.ann)
    game.pass_turn(game.ben)
    game.settle()
    assert len(inbox.got) == 1, "Of the next turn it is not told."


def test_what_a_service_does_not_take_is_not_tried_again_for_a_browser_that_wants_none_by_then(game: Game) -> None:
    (browser,) = game.ann.get("/api/push")["browsers"]
    game.postbox.answers = [503]
    game.postbox.meanwhile = lambda: game.ann.post("/api/push/remove", {"mark": browser["mark"]}, 200)
    game.pass_turn(game.ben)
    game.settle()
    assert len(game.postbox.brought) == 1, "nothing was sent"
    assert game.house.kept.pushes.next_due() is None, "a message waits for a browser that is forgotten"
    game.settle(MINUTE)
    assert len(game.postbox.brought) == 1, "it is sent again"


def test_a_service_says_when_to_come_again(game: Game) -> None:
    game.postbox.answers = [429]
    game.postbox.headers = {"Retry-After": "600"}
    game.pass_turn(game.ben)
    game.settle()
    game.settle(9 * MINUTE)
    assert len(game.postbox.brought) == 1
    game.settle(MINUTE)
    assert len(game.postbox.brought) == 2


@pytest.mark.parametrize("status", [404, 410])
def test_a_browser_that_takes_no_messages_any_more_is_forgotten(status: int, game: Game) -> None:
    game.postbox.answers = [status]
    game.pass_turn(game.ben)
    game.settle()
    assert game.ann.get("/api/push")["browsers"] == []


def test_no_redirect_is_followed(game: Game) -> None:
    with Postbox() as elsewhere:
        game.postbox.answers = [307]
        game.postbox.headers = {"Location": f"{elsewhere.address}/to/elsewhere"}
        game.pass_turn(game.ben)
        game.settle()
        assert len(game.postbox.brought) == 1
        assert elsewhere.brought == []


def test_a_service_knows_the_house_by_its_key_and_may_keep_one_message_a_table_until_the_time_is_up(game: Game) -> None:
    from py_vapid import Vapid02

    game.pass_turn(game.ben)
    game.settle()
    _, headers, body = game.postbox.brought[0]
    assert Vapid02.verify(headers["authorization"]), "The signature is not right."
    assert game.ann.get("/api/push")["key"] in headers["authorization"]
    assert headers["content-encoding"] == "aes128gcm"
    assert headers["topic"] == game.table
    assert 2 * DAY // 1000 - 60 <= int(headers["ttl"]) <= 2 * DAY // 1000
    assert b"Ben" not in body, "The message can be read on its way."


def test_only_games_over_days_bring_messages(game: Game) -> None:
    live = game.new_table(start=600, increment=5)
    game.pass_turn(game.ben, live)
    game.settle(MINUTE)
    assert game.inbox.got == []


def test_messages_stop_when_they_are_not_wanted_any_more_and_are_nobody_elses_to_stop(game: Game) -> None:
    (mine,) = game.ann.get("/api/push")["browsers"]
    assert game.ben.post("/api/push/remove", {"mark": mine["mark"]}, 404)["id"] == "push-no-such-browser"
    game.pass_turn(game.ben)
    game.ann.post("/api/push/remove", {"mark": mine["mark"]}, 200)
    game.settle()
    assert game.inbox.got == []
    assert game.ann.get("/api/push")["browsers"] == []


def test_whoever_is_forgotten_gets_no_messages_and_their_file_lists_them_before(game: Game) -> None:
    game.ann.post("/api/push/quiet", {"begins": 0, "ends": 60, "zone": "Asia/Tokyo"}, 200)
    told = game.ann.get("/api/me/data")["messages"]
    assert [one["address"] for one in told["browsers"]] == [game.inbox.endpoint], told
    assert told["quiet_hours"] == {"begins": 0, "ends": 60, "zone": "Asia/Tokyo"}
    game.ann.post("/api/me/delete", {"name": "Ann"}, 200)
    assert game.house.kept.pushes.people() == []


def test_signing_out_everywhere_forgets_what_takes_messages_and_a_new_account_keeps_it(game: Game) -> None:
    game.ann.become("Annabel")
    (mine,) = game.ann.get("/api/push")["browsers"]
    assert mine["here"], "With the account the browser has got another identity, and is not known by it."
    game.ann.post("/api/me/sign-out", {"everywhere": True}, 200)
    game.pass_turn(game.ben)
    game.settle()
    assert game.inbox.got == []
    assert game.house.kept.pushes.people() == []


def test_a_message_says_who_else_is_at_a_table_of_more_than_two(game: Game) -> None:
    table = game.ann.make(
        game="crystals", seats=4, places=["me", "open", "bot:simple", "bot:simple"], clock={"days": 1}
    )
    game.ben.sit(table, seat=1, invite=game.ann.invite)
    until(lambda: game.ann.look(table)["ask"] or game.pass_turn(game.ben, table), "It is never Ann's turn.")
    game.settle()
    (told,) = game.inbox.got
    assert told["title"] == "Your turn: Crystals"
    assert told["text"].endswith("At the table with Ben, Carl and Dorothy."), told


def test_of_turns_that_were_there_before_one_is_not_told(game: Game) -> None:
    game.pass_turn(game.ben)
    inbox = game.subscribe(game.ann)
    game.settle()
    assert inbox.got == [], "Whoever asks for messages sees on the page whose turn it is."


@pytest.mark.parametrize(
    "endpoint",
    [
        "http://fcm.googleapis.com/x",
        "https://fcm.googleapis.com:8443/x",
        "https://fcm.googleapis.com.evil.example/x",
        "https://evil.example/fcm.googleapis.com",
        "https://me@fcm.googleapis.com/x",
        "https://fcm.googleapis.com@evil.example/x",
        "https://fcm.googleapis.com\\@evil.example/x",
        "https://push.services.mozilla.com.evil.example/x",
        "https://evilpush.apple.com/x",
        "https://127.0.0.1/x",
        "https://[::1]/x",
        "https://localhost/x",
        "http://127.0.0.1:1/x",
        "ftp://fcm.googleapis.com/x",
        "https://fcm.googleapis.com/x\r\nX-Evil: 1",
        "https://fcm.googleapis.com/x y",
        "https://fcm.googleapis.com/#x",
        "https://fcm.googleapis.com:x/",
        "//fcm.googleapis.com/x",
        "https:///x",
        "https://a..b/",
        "https://.example/",
        "https://.push.apple.com/x",
        "https://a..push.apple.com/x",
        "https://-a.push.apple.com/x",
        "https://a_b.push.apple.com/x",
        f"https://{'a' * 64}.push.apple.com/x",
        "https://web.push.apple.com./x",
        "https://fcm.goo\tgleapis.com/x",
        "\thttps://fcm.googleapis.com/x",
        "https://fcm.googleapis.com/x\t",
        "https://fcm.googleapis.com/\tx",
        "https://fcm.googleapis.com/x\n",
        "https://fcm.googleapis.com/x\x00",
        "https://fcm.googleapis.com/x\x7f",
        "https://fcm.googleapis.com/\u00a0x",
        "https://fcm.googleapis.com\u3000/x",
        "https://\u200bfcm.googleapis.com/x",
        "https://fcm\u3002googleapis\u3002com/x",
        " https://fcm.googleapis.com/x",
        "https://fcm%2egoogleapis.com/x",
        "https://%66cm.googleapis.com/x",
        "https://fcm.googleapis.com%2f@evil.example/x",
        "https://:@fcm.googleapis.com/x",
        "https://fcm.googleapis.com:80/x",
        "https://fcm.googleapis.com:-443/x",
        "https://fcm.googleapis.com:443:443/x",
        "https:fcm.googleapis.com/x",
    ],
)
def test_nobody_points_the_house_at_other_hosts(endpoint: str, house: House, postbox: Postbox) -> None:
    with pytest.raises(Malformed):
        Services().place(endpoint)
    asked = {**Inbox(postbox).asked, "endpoint": endpoint}
    browser = Browser(house.port)
    assert browser.post("/api/push", asked, 400)["id"] == "push-endpoint"
    assert browser.get("/api/push")["browsers"] == []


@pytest.mark.parametrize(
    "endpoint",
    [
        "https://fcm.googleapis.com/fcm/send/abc:def",
        "https://updates.push.services.mozilla.com/wpush/v2/gAAA?x=1",
        "https://wns2-am3p.notify.windows.com:443/w/?token=BQ%3d",
        "https://web.push.apple.com/QA",
        "https://push.example/x",
        "https://a.below.example/x",
    ],
)
def test_the_services_of_browsers_are_known_and_the_keeper_may_trust_more(endpoint: str) -> None:
    place = Services(["push.example", ".below.example"]).place(endpoint)
    assert (place.secure, place.port) == (True, 443)
    assert endpoint.startswith(place.origin)
    assert endpoint.endswith(place.path)


@pytest.mark.parametrize("name", ["https://push.example", "10.0.0.1", "push", "", "*.example", "http://10.0.0.1:80"])
def test_what_is_no_name_of_a_service_is_refused_at_the_start(name: str) -> None:
    with pytest.raises(ValueError, match="no host"):
        Services([name])


@pytest.mark.parametrize(
    "wrong",
    [{"p256dh": "A" * 87}, {"p256dh": "!" * 87}, {"auth": "A" * 21}, {"auth": "ü" * 22}],
)
def test_keys_that_are_none_are_refused(wrong: dict[str, str], game: Game) -> None:
    asked = {**Inbox(game.postbox).asked, **wrong}
    assert game.ben.post("/api/push", asked, 400)["id"] == "push-keys"


def test_a_zone_that_is_none_is_refused(house: House) -> None:
    for zone in ("Nowhere/Land", "../../etc/passwd", "/etc/passwd", "\x00", "."):
        asked = {"begins": 0, "ends": 1, "zone": zone}
        assert Browser(house.port).post("/api/push/quiet", asked, 400)["id"] == "push-no-zone", zone


def test_strangers_programs_and_other_sites_change_nothing(house: House, postbox: Postbox) -> None:
    asked = Inbox(postbox).asked
    assert Guest(house.port).post("/api/push", asked, 401)["id"] == "server-who-are-you"
    assert Guest(house.port).get("/api/push", 401)["id"] == "server-who-are-you"
    assert house.guest().post("/api/push", asked, 403)["id"] == "account-in-a-browser"
    browser = Browser(house.port)
    browser.headers["Sec-Fetch-Site"] = "cross-site"
    assert browser.post("/api/push", asked, 403)["id"] == "server-other-site"


def test_one_person_has_so_many_browsers_and_the_first_one_goes(game: Game) -> None:
    store = game.house.kept
    (mine,) = store.pushes.of(call_person(game))
    for k in range(MOST):
        other = mine._replace(id=f"other {k}", browser=f"~other {k}", endpoint=f"{mine.endpoint}{k}")
        store.commit(PushChange(put=other))
    kept = [one.id for one in store.pushes.of(mine.person)]
    assert kept == [f"other {k}" for k in range(MOST)]


def call_person(game: Game) -> str:
    """Whoever takes messages."""
    (person,) = game.house.kept.pushes.people()
    return str(person)


def test_a_flood_is_refused(open_house: Callable[..., House], postbox: Postbox) -> None:
    house = open_house(settings=Setup((0, 0), house=HouseSettings(push_hosts=(postbox.address,))))
    browser = Browser(house.port)
    statuses = [
        browser.send(
            "POST", "/api/push", json.dumps(Inbox(postbox).asked).encode(), {"Content-Type": "application/json"}
        )[0]
        for _ in range(30)
    ]
    assert statuses[0] == 200
    assert statuses[-1] == 429
    assert len(browser.get("/api/push")["browsers"]) == 1, "One browser takes them once."


def test_a_message_and_the_list_of_turns_are_the_same_in_two_worlds(game: Game) -> None:
    app, rng = game.house.app, random.Random(1)
    other = game.ann.make(
        game="crystals", seats=4, places=["me", "open", "bot:simple", "bot:simple"], clock={"days": 1}
    )
    game.ben.sit(other, seat=1, invite=game.ann.invite)
    until(  # and then neither goes on while worlds are compared
        lambda: not game.house.call(lambda: int(app.tables.get(other).play.state["to_act"]) >> 2),
        "the bots do not come to an end",
    )

    async def said(table: Any, seat: int) -> Any:
        person = table.places.seats[seat].person
        turns = await Turns(app.tables, app.meeting.challenges).of(person)
        return calls.told(table, seat, "en"), turns, await app.browsers.info(person, "")

    async def compare() -> None:
        for table in map(app.tables.get, (game.table, other)):
            true = table.play.state
            for seat in (0, 1):
                one = await said(table, seat)
                table.play.state = otherwise(table.game, true, seat, rng)
                assert table.play.state.tobytes() != true.tobytes(), "It is the same world."
                assert await said(table, seat) == one, f"What seat {seat} is told goes by cards that it cannot know."
                table.play.state = true

    for _ in range(4):
        game.house.call(compare)
        game.pass_turn(game.ben)
        game.pass_turn(game.ann)


def test_a_message_says_nothing_of_hands(game: Game) -> None:
    game.pass_turn(game.ben)
    game.settle()
    (told,) = game.inbox.got
    assert set(told) == {"table", "title", "text"}
    for seat in (game.ann, game.ben):
        for card in seat.look(game.table)["view"]["hand"][0] or []:
            assert card not in json.dumps(told), f"{card} is told to whoever sees the message."
