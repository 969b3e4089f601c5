"""Web Push notifications: one per turn in a correspondence game, to subscribers, outside their quiet hours."""

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from diamonds.errors import InvalidInputError
from diamonds.server.api.moderation import ModerationActionRequest
from diamonds.server.notifications import push_scheduler
from diamonds.server.notifications.push_subscriptions import quiet_until_ms
from diamonds.server.notifications.turn_feed import TurnFeedHub
from diamonds.server.notifications.web_push import PushServiceAllowlist
from diamonds.server.settings_file import TomlSettings
from diamonds.server.storage.moderation import OPERATOR_ID
from diamonds.server.storage.push import MAX_SUBSCRIPTIONS, PushChange, QuietHours
from tests.server.support.authenticator import BrowserClient
from tests.server.support.client import Client, post_chat, wait_until
from tests.server.support.fake_clock import FakeClock
from tests.server.support.live_server import LiveServer
from tests.server.support.push_service import PushBrowser, PushService
from tests.server.test_batched_answers import indistinguishable_state

pytestmark = pytest.mark.later

MINUTE_MS, HOUR_MS, DAY_MS = 60_000, 3_600_000, 86_400_000
FOUR_WITH_BOTS = {
    "game": "crystals", "seats": 4, "seats_taken_by": ["me", "open", "bot:simple", "bot:simple"],
    "time_control": {"days_per_move": 1},
}  # fmt: skip


@pytest.fixture
def push_service() -> Iterator[PushService]:
    with PushService() as one:
        yield one


class CorrespondenceGame:
    """A server with a correspondence game of two people in browsers, one of whom is subscribed."""

    def __init__(
        self, open_server: Callable[..., LiveServer], time: FakeClock, service: PushService, folder: Path | None
    ) -> None:
        self.time, self.push_service = time, service
        self.server = open_server(
            folder,
            push_key=b"p" * 32,
            server_config=TomlSettings(push_services=(service.address,)),
        )
        self.ann, self.ben = BrowserClient(self.server.port), BrowserClient(self.server.port)
        self.ann.post("/api/me", {"name": "Ann"}, 200)
        self.ben.post("/api/me", {"name": "Ben"}, 200)
        self.table = self.new_table()
        self.push_browser = self.subscribe(self.ann)

    def new_table(self, **clock: int) -> str:
        """Create a table of the two people at which Ben is to act."""
        while True:
            table = self.ann.create_open_table(time_control=clock or {"days_per_move": 2})
            self.ben.sit(table, seat=1, invite=self.ann.invite)
            if self.ben.get_table(table)["open_question"]:
                return table
            self.pass_turn(self.ann, table)
            if self.ben.get_table(table)["open_question"]:
                return table

    def subscribe(self, guest: Client, **more: Any) -> PushBrowser:
        inbox = PushBrowser(self.push_service)
        guest.post("/api/push", {**inbox.subscription, **more}, 200)
        return inbox

    def pass_turn(self, guest: Client, table: str = "") -> None:
        """Let a person answer until the other is to act."""
        guest.finish_turn(table or self.table)

    def pass_turn_and_send(self, guest: Client) -> None:
        """Let a person answer, and send the notification to the other."""
        self.pass_turn(guest)
        self.advance_and_send()

    def advance_and_send(self, later: int = push_scheduler.PUSH_DELAY_MS) -> None:
        """Advance the clock and send the notifications that are due."""
        self._wait_until_idle()
        self.time.advance(later)
        self.server.call_on_loop(self.server.app.push_scheduler.wake)
        self._wait_until_idle()

    def _wait_until_idle(self) -> None:
        """Wait until no notification is being sent."""
        wait_until(
            lambda: self.server.call_on_loop(lambda: self.server.app.push_scheduler.is_idle),
            "expected the notifications to be sent",
        )


@pytest.fixture
def game(
    open_server: Callable[..., LiveServer], fake_clock: FakeClock, push_service: PushService
) -> CorrespondenceGame:
    return CorrespondenceGame(open_server, fake_clock, push_service, None)


def test_turn_sends_one_notification_until_the_next_answer(game):
    game.advance_and_send()
    assert game.push_browser.messages == [], "expected no notification on Ben's turn"
    game.pass_turn_and_send(game.ben)
    assert game.push_browser.messages == [{"table": game.table, "title": "Your turn: Mines", "text": "Ben has played."}]
    post_chat(game.ben, game.table, "hello")
    game.advance_and_send(DAY_MS)
    assert len(game.push_browser.messages) == 1, "expected no second notification for one question"
    game.pass_turn(game.ann)
    game.pass_turn_and_send(game.ben)
    assert len(game.push_browser.messages) == 2, "expected a notification of her next turn"


def test_no_notification_of_live_games_nor_of_turns_answered_in_time(game):
    live = game.new_table(initial_s=600, increment_s=5)
    game.pass_turn(game.ben, live)
    game.pass_turn(game.ben)
    game.advance_and_send(push_scheduler.PUSH_DELAY_MS - 1)
    game.pass_turn(game.ann)
    game.advance_and_send(DAY_MS)
    assert game.push_browser.messages == []


def test_viewer_of_the_table_gets_no_notification_until_gone(game):
    stream = game.ann.watch(game.table)
    game.pass_turn_and_send(game.ben)
    game.advance_and_send(push_scheduler.RECHECK_INTERVAL_MS)
    assert game.push_browser.messages == [], "expected no notification while she looks at the table"
    stream.close()
    streams = game.server.app.tables.get(game.table).presence
    wait_until(lambda: not streams.streams, "expected the stream to end")
    game.advance_and_send(push_scheduler.RECHECK_INTERVAL_MS)
    assert len(game.push_browser.messages) == 1, "expected a notification after she left without answering"


def test_quiet_hours_delay_a_notification(game):
    # The test clock starts on 14 November 2023 at 22:13:20 in London.
    game.ann.post(
        "/api/push/quiet", {"start_minute": 22 * 60, "end_minute": 7 * 60 + 30, "time_zone": "Europe/London"}, 200
    )
    game.pass_turn_and_send(game.ben)
    game.advance_and_send(9 * HOUR_MS)  # 7:13
    assert game.push_browser.messages == []
    game.advance_and_send(17 * MINUTE_MS)
    assert len(game.push_browser.messages) == 1


def test_banned_person_is_notified_only_after_the_ban(game):
    app = game.server.app
    app.tables.sanctions.clock = lambda: game.time.wall_ms / 1000
    ban = ModerationActionRequest(action="ban", table=game.table, seat=0, hours=5, reason="rude words")
    game.server.wait_for(app.moderation.act(OPERATOR_ID, ban))
    game.pass_turn(game.ben)
    game.advance_and_send(4 * HOUR_MS)
    assert game.push_browser.messages == [], "expected no notification to a banned person"
    game.advance_and_send(HOUR_MS)
    assert len(game.push_browser.messages) == 1


def test_quiet_hours_follow_the_local_zone_and_dst():
    night = QuietHours(23 * 60, 7 * 60, "Europe/Berlin")
    eve = 1_711_839_600_000  # 31 March 2024, 0:00 in Berlin: two hours later the clocks went forward
    assert quiet_until_ms(night, eve) == eve + 6 * HOUR_MS, "expected six hours from midnight to seven"
    assert quiet_until_ms(night, eve + 6 * HOUR_MS) is None
    assert quiet_until_ms(night, eve - HOUR_MS) == eve + 6 * HOUR_MS
    assert quiet_until_ms(night, eve - HOUR_MS - 1) is None
    assert quiet_until_ms(QuietHours(60, 60, "Europe/Berlin"), eve + HOUR_MS) is None, "expected no quiet hours"
    assert quiet_until_ms(QuietHours(600, 660, "Europe/Berlin"), eve + 9 * HOUR_MS + MINUTE_MS) == eve + 10 * HOUR_MS


def test_browser_has_one_subscription_and_its_own_language(game):
    german = PushBrowser(game.push_service)
    game.ann.headers["Accept-Language"] = "de"
    game.ann.post("/api/push", german.subscription, 200)
    game.pass_turn_and_send(game.ben)
    assert game.push_browser.messages == [], "expected no notification at the former address"
    assert [one["title"] for one in german.messages] == ["Du bist dran: Minen"], german.messages
    assert game.ann.get("/api/push")["subscriptions"][0]["current"] is True


def test_every_device_is_notified(game):
    game.ann.create_account("Annabel")
    phone = BrowserClient(game.server.port).with_passkeys_of(game.ann)
    phone.sign_in()
    inbox = game.subscribe(phone, label="a phone")
    assert [one["current"] for one in phone.get("/api/push")["subscriptions"]] == [False, True]
    game.pass_turn_and_send(game.ben)
    assert len(game.push_browser.messages) == 1
    assert len(inbox.messages) == 1
    phone.post("/api/me/sign-out", {}, 200)
    game.pass_turn(game.ann)
    game.pass_turn_and_send(game.ben)
    assert len(game.push_browser.messages) == 2
    assert len(inbox.messages) == 1, "expected no notification on a phone where nobody is signed in"


def test_guest_subscription_follows_their_tables_or_ends_at_sign_in(game):
    game.ann.create_account("Annabel")
    for bring, table in ((True, "comes along"), (False, "stays")):
        guest = BrowserClient(game.server.port).with_passkeys_of(game.ann)
        inbox = game.subscribe(guest, label=table)
        guest.sign_in(bring_tables=bring)
        labels = [one["label"] for one in game.ann.get("/api/push")["subscriptions"]]
        assert (table in labels) is bring, labels
        assert inbox.messages == []
    assert len(game.server.store.push.subscribers()) == 1, "expected no notification for the guest any more"


def test_restart_neither_repeats_nor_loses_notifications(open_server, fake_clock, push_service, tmp_path):
    game = CorrespondenceGame(open_server, fake_clock, push_service, tmp_path)
    other = game.new_table()
    game.pass_turn_and_send(game.ben)
    assert len(game.push_browser.messages) == 1
    # The server is killed before it stores the notification as sent.
    game.server.call_on_loop(lambda: game.server.app.tables.observers.remove(game.server.app.push_scheduler))
    game.pass_turn(game.ben, other)
    game.server.restart(game.ann, game.ben)
    game.advance_and_send(0)
    game.advance_and_send(DAY_MS)
    assert [one["table"] for one in game.push_browser.messages] == [game.table, other]


def test_failing_push_service_is_retried_with_backoff_and_given_up(game):
    game.push_service.next_statuses = [503, 500, 429, 201]
    game.pass_turn_and_send(game.ben)
    tries = []
    for minutes in (1, 4, 16, 64):
        tries.append(len(game.push_service.requests))
        game.advance_and_send(minutes * MINUTE_MS - 1)
        assert len(game.push_service.requests) == tries[-1], f"expected no attempt before {minutes} minutes"
        game.advance_and_send(1)
    assert tries == [1, 2, 3, 4]
    assert len(game.push_service.requests) == 4, "expected no second notification after a success"
    game.pass_turn(game.ann)
    game.pass_turn(game.ben)
    game.push_service.next_statuses = [500] * 20
    game.advance_and_send()
    for _ in range(20):
        game.advance_and_send(DAY_MS // 12)
    assert len(game.push_service.requests) == 4 + push_scheduler.MAX_TRIES


def test_new_subscription_is_not_notified_of_earlier_turns(game):
    game.pass_turn_and_send(game.ben)
    inbox, app = game.subscribe(game.ann), game.server.app
    people = game.server.store.push.subscribers()
    game.server.call_on_loop(lambda: [app.push_scheduler.compare_person(person) for person in people])
    game.advance_and_send()
    assert inbox.messages == [], "expected no notification of a turn that the page had shown"
    game.pass_turn(game.ann)
    game.pass_turn_and_send(game.ben)
    assert len(inbox.messages) == 1, "expected a notification of the next turn"
    game.pass_turn(game.ann)
    game.pass_turn(game.ben)
    late = game.subscribe(game.ann)
    game.advance_and_send()
    assert late.messages == [], "expected no notification of a turn that is pending for other browsers"


def test_failed_notification_is_not_retried_after_unsubscribing(game):
    (browser,) = game.ann.get("/api/push")["subscriptions"]
    game.push_service.next_statuses = [503]
    game.push_service.before_reply = lambda: game.ann.post("/api/push/remove", {"id": browser["id"]}, 200)
    game.pass_turn_and_send(game.ben)
    assert len(game.push_service.requests) == 1, "expected a notification"
    assert game.server.store.push.next_due_ms() is None, "expected no pending notification for a deleted subscription"
    game.advance_and_send(MINUTE_MS)
    assert len(game.push_service.requests) == 1, "expected no second attempt"


def test_retry_after_of_the_push_service_is_respected(game):
    game.push_service.next_statuses = [429]
    game.push_service.reply_headers = {"Retry-After": "600"}
    game.pass_turn_and_send(game.ben)
    game.advance_and_send(9 * MINUTE_MS)
    assert len(game.push_service.requests) == 1
    game.advance_and_send(MINUTE_MS)
    assert len(game.push_service.requests) == 2


@pytest.mark.parametrize("status", [404, 410])
def test_expired_subscription_is_deleted(status, game):
    game.push_service.next_statuses = [status]
    game.pass_turn_and_send(game.ben)
    assert game.ann.get("/api/push")["subscriptions"] == []


def test_no_redirect_is_followed(game):
    with PushService() as elsewhere:
        game.push_service.next_statuses = [307]
        game.push_service.reply_headers = {"Location": f"{elsewhere.address}/to/elsewhere"}
        game.pass_turn_and_send(game.ben)
        assert len(game.push_service.requests) == 1
        assert elsewhere.requests == []


def test_push_request_has_vapid_key_topic_and_ttl(game):
    from py_vapid import Vapid02

    game.pass_turn_and_send(game.ben)
    _, headers, body = game.push_service.requests[0]
    assert Vapid02.verify(headers["authorization"]), "expected a valid signature"
    assert game.ann.get("/api/push")["key"] in headers["authorization"]
    assert headers["content-encoding"] == "aes128gcm"
    assert headers["topic"] == game.table
    assert 2 * DAY_MS // 1000 - 60 <= int(headers["ttl"]) <= 2 * DAY_MS // 1000
    assert b"Ben" not in body, "expected an encrypted message"


def test_only_the_subscriber_can_end_notifications(game):
    (mine,) = game.ann.get("/api/push")["subscriptions"]
    assert game.ben.post("/api/push/remove", {"id": mine["id"]}, 404)["id"] == "push-no-such-browser"
    game.pass_turn(game.ben)
    game.ann.post("/api/push/remove", {"id": mine["id"]}, 200)
    game.advance_and_send()
    assert game.push_browser.messages == []
    assert game.ann.get("/api/push")["subscriptions"] == []


def test_deleted_person_gets_no_notifications_and_export_lists_them(game):
    game.ann.post("/api/push/quiet", {"start_minute": 0, "end_minute": 60, "time_zone": "Asia/Tokyo"}, 200)
    told = game.ann.get("/api/me/data")["messages"]
    assert [one["address"] for one in told["subscriptions"]] == [game.push_browser.endpoint], told
    assert told["quiet_hours"] == {"start_minute": 0, "end_minute": 60, "time_zone": "Asia/Tokyo"}
    game.ann.post("/api/me/delete", {"name": "Ann"}, 200)
    assert game.server.store.push.subscribers() == []


def test_signing_out_everywhere_ends_subscriptions_new_account_keeps_them(game):
    game.ann.create_account("Annabel")
    (mine,) = game.ann.get("/api/push")["subscriptions"]
    assert mine["current"], "expected the browser's subscription to follow its new identity"
    game.ann.post("/api/me/sign-out", {"everywhere": True}, 200)
    game.pass_turn_and_send(game.ben)
    assert game.push_browser.messages == []
    assert game.server.store.push.subscribers() == []


def test_notification_names_the_others_at_a_larger_table(game):
    table = game.ann.create_table(**FOUR_WITH_BOTS)
    game.ben.sit(table, seat=1, invite=game.ann.invite)
    wait_until(
        lambda: game.ann.get_table(table)["open_question"] or game.pass_turn(game.ben, table),
        "expected a turn of Ann's",
    )
    game.advance_and_send()
    (told,) = game.push_browser.messages
    assert told["title"] == "Your turn: Crystals"
    assert told["text"].endswith("At the table with Ben, Carl and Dorothy."), told


@pytest.mark.parametrize("endpoint", [
    "http://fcm.googleapis.com/x", "https://fcm.googleapis.com:8443/x", "https://fcm.googleapis.com.evil.example/x",
    "https://evil.example/fcm.googleapis.com", "https://me@fcm.googleapis.com/x",
    "https://fcm.googleapis.com@evil.example/x", "https://fcm.googleapis.com\\@evil.example/x",
    "https://push.services.mozilla.com.evil.example/x", "https://evilpush.apple.com/x", "https://127.0.0.1/x",
    "https://[::1]/x", "https://localhost/x", "http://127.0.0.1:1/x", "ftp://fcm.googleapis.com/x",
    "https://fcm.googleapis.com/x\r\nX-Evil: 1", "https://fcm.googleapis.com/x y", "https://fcm.googleapis.com/#x",
    "https://fcm.googleapis.com:x/", "//fcm.googleapis.com/x", "https:///x", "https://a..b/", "https://.example/",
    "https://.push.apple.com/x", "https://a..push.apple.com/x", "https://-a.push.apple.com/x",
    "https://a_b.push.apple.com/x", f"https://{'a' * 64}.push.apple.com/x", "https://web.push.apple.com./x",
    "https://fcm.goo\tgleapis.com/x", "\thttps://fcm.googleapis.com/x", "https://fcm.googleapis.com/x\t",
    "https://fcm.googleapis.com/\tx", "https://fcm.googleapis.com/x\n", "https://fcm.googleapis.com/x\x00",
    "https://fcm.googleapis.com/x\x7f", "https://fcm.googleapis.com/\u00a0x", "https://fcm.googleapis.com\u3000/x",
    "https://\u200bfcm.googleapis.com/x", "https://fcm\u3002googleapis\u3002com/x", " https://fcm.googleapis.com/x",
    "https://fcm%2egoogleapis.com/x", "https://%66cm.googleapis.com/x",
    "https://fcm.googleapis.com%2f@evil.example/x", "https://:@fcm.googleapis.com/x",
    "https://fcm.googleapis.com:80/x", "https://fcm.googleapis.com:-443/x", "https://fcm.googleapis.com:443:443/x",
    "https:fcm.googleapis.com/x",
])  # fmt: skip
def test_push_endpoint_of_an_unknown_host_is_rejected(endpoint):
    with pytest.raises(InvalidInputError):
        PushServiceAllowlist().endpoint(endpoint)


@pytest.mark.parametrize("endpoint", [
    "https://fcm.googleapis.com/fcm/send/abc:def", "https://updates.push.services.mozilla.com/wpush/v2/gAAA?x=1",
    "https://wns2-am3p.notify.windows.com:443/w/?token=BQ%3d", "https://web.push.apple.com/QA",
    "https://push.example/x", "https://a.below.example/x",
])  # fmt: skip
def test_known_push_services_are_allowed_and_the_operator_may_add_more(endpoint):
    place = PushServiceAllowlist(["push.example", ".below.example"]).endpoint(endpoint)
    assert (place.is_secure, place.port) == (True, 443)
    assert endpoint.startswith(place.origin)
    assert endpoint.endswith(place.path)


@pytest.mark.parametrize("name", ["https://push.example", "10.0.0.1", "push", "", "*.example", "http://10.0.0.1:80"])
def test_invalid_push_host_is_rejected_at_startup(name):
    with pytest.raises(ValueError, match="not a host name"):
        PushServiceAllowlist([name])


@pytest.mark.parametrize("wrong", [{"p256dh": "A" * 87}, {"p256dh": "!" * 87}, {"auth": "A" * 21}, {"auth": "ü" * 22}])
def test_invalid_subscription_keys_are_rejected(wrong, game):
    asked = {**PushBrowser(game.push_service).subscription, **wrong}
    assert game.ben.post("/api/push", asked, 400)["id"] == "push-keys"


def test_invalid_time_zone_is_rejected(server):
    for zone in ("Nowhere/Land", "../../etc/passwd", "/etc/passwd", "\x00", "."):
        asked = {"start_minute": 0, "end_minute": 1, "time_zone": zone}
        assert BrowserClient(server.port).post("/api/push/quiet", asked, 400)["id"] == "push-no-zone", zone


def test_programs_and_unknown_hosts_get_no_subscription(server, push_service):
    asked = PushBrowser(push_service).subscription
    assert server.new_client().post("/api/push", asked, 403)["id"] == "account-in-a-browser"
    browser = BrowserClient(server.port)
    assert browser.post("/api/push", {**asked, "endpoint": "https://evil.example/x"}, 400)["id"] == "push-endpoint"
    assert browser.get("/api/push")["subscriptions"] == []


def test_subscriptions_of_a_person_are_limited_and_the_oldest_removed(game):
    store = game.server.store
    (person,) = store.push.subscribers()
    (mine,) = store.push.subscriptions_of(person)
    for k in range(MAX_SUBSCRIPTIONS):
        other = mine._replace(id=f"other {k}", browser=f"~other {k}", endpoint=f"{mine.endpoint}{k}")
        store.commit(PushChange(subscription=other))
    kept = [one.id for one in store.push.subscriptions_of(mine.person)]
    assert kept == [f"other {k}" for k in range(MAX_SUBSCRIPTIONS)]


def test_notification_and_turn_list_are_equal_in_indistinguishable_states(game):
    app, rng = game.server.app, random.Random(1)
    other = game.ann.create_table(**FOUR_WITH_BOTS)
    game.ben.sit(other, seat=1, invite=game.ann.invite)
    wait_until(  # so that neither game continues while worlds are compared
        lambda: not game.server.call_on_loop(lambda: int(app.tables.get(other).game_state.state["to_act"]) >> 2),
        "expected the bots to finish",
    )

    async def said(table: Any, seat: int) -> Any:
        person = table.seating.seats[seat].person
        turns = await TurnFeedHub(app.tables, app.lobby.challenges).turns_of(person)
        return push_scheduler.notification_text(table, seat, "en"), turns, await app.push_subscriptions.info(person, "")

    async def compare() -> None:
        for table in map(app.tables.get, (game.table, other)):
            true = table.game_state.state
            for seat in (0, 1):
                one = await said(table, seat)
                table.game_state.state = indistinguishable_state(table.game, true, seat, rng)
                assert table.game_state.state.tobytes() != true.tobytes(), "expected a different world"
                assert await said(table, seat) == one, f"expected equal notifications to seat {seat} in both worlds"
                table.game_state.state = true

    for _ in range(4):
        game.server.call_on_loop(compare)
        game.pass_turn(game.ben)
        game.pass_turn(game.ann)
