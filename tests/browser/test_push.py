"""Notifications in games with days per move: the server's push message reaches the device and opens the table."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Worker, expect

from tests.browser.conftest import INDEX_HTML, BrowserTestServer, wait_for
from tests.browser.player import Player
from tests.browser.scripts import Scripts
from tests.browser.test_accessibility import check_with_axe
from tests.browser.test_turn_badge import player_to_act, sit_at_second_table
from tests.browser.window_pool import WindowPool
from tests.server.support.push_service import PushBrowser, PushService
from tests.support import node

SCRIPTS = Scripts(__file__)


@pytest.fixture
def window_pool(full_chromium: WindowPool) -> WindowPool:
    """Windows of a Chromium that shows notifications; its headless shell does not."""
    return full_chromium


@pytest.fixture
def push_service() -> Iterator[PushService]:
    with PushService() as one:
        yield one


@pytest.fixture
def push_server(tmp_path: Path, push_service: PushService) -> Iterator[BrowserTestServer]:
    (tmp_path / "server").mkdir()
    (tmp_path / "server" / "server.toml").write_text(
        f'push_services = ["{push_service.address}"]\noffline = false\n', encoding="utf-8"
    )  # `offline = false` avoids a download of the whole client; notifications work the same
    one = BrowserTestServer(tmp_path / "server")
    yield one
    one.stop()


def enable_push(ann: Player, postbox: PushService) -> PushBrowser:
    """Let Ann turn notifications on by the button."""
    inbox = PushBrowser(postbox)
    ann.context.grant_permissions(["notifications"], origin=ann.address)
    ann.add_init_script(SCRIPTS.call("fakeSubscription", inbox.subscription))
    ann.open("/settings")
    ann.page.get_by_role("button", name="Notify me on this device").click()
    ann.page.get_by_role("button", name="Turn off notifications on").wait_for()
    return inbox


def service_worker(ann: Player) -> Worker:
    wait_for(lambda: bool(ann.context.service_workers) or ann.page.evaluate("false"), "The service worker is missing.")
    return ann.context.service_workers[0]


def push_deliverer(ann: Player) -> Callable[[object], None]:
    """Return a function that pushes a message to the service worker and waits for its notification."""
    worker = service_worker(ann)
    session = ann.window.new_cdp_session()
    known: list[str] = []
    session.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda event: known.extend(one["registrationId"] for one in event["registrations"]),
    )
    session.send("ServiceWorker.enable")
    wait_for(lambda: bool(known) or ann.page.evaluate("false"), "The service worker is not registered.")

    def deliver(message: object) -> None:
        worker.evaluate(SCRIPTS["recordNotifications"])
        sent = {"origin": ann.address, "registrationId": known[0], "data": json.dumps(message)}
        session.send("ServiceWorker.deliverPushMessage", sent)
        wait_for(lambda: bool(worker.evaluate("up")), "The notification is not shown.")

    return deliver


def test_push_notification_opens_the_turn_and_the_next_follows_the_answer(push_server, push_service, new_player):
    ann, ben = new_player(push_server, timezone_id="America/New_York", service_workers="allow"), new_player(push_server)
    ann.add_init_script(SCRIPTS.call("controlVisibility"))
    table = sit_at_second_table(push_server, ann, ben, 2)
    if player_to_act(push_server, table, [ann, ben]) is ann:
        ann.answer_while_asked(table)
    inbox = enable_push(ann, push_service)
    check_with_axe(ann, "the settings with a subscribed device")
    ben.answer_while_asked(table)
    wait_for(lambda: len(inbox.messages) == 1 or ann.page.evaluate("false"), "No message was sent.")
    (message,) = inbox.messages
    assert message["table"] == table
    assert message["title"] == "Your turn: Mines"

    deliver = push_deliverer(ann)
    deliver(message)
    worker = service_worker(ann)
    shown = SCRIPTS["readNotifications"]
    assert worker.evaluate(shown) == [{"title": message["title"], "body": message["text"], "tag": table}]
    worker.evaluate(SCRIPTS["clickNotification"])
    ann.page.wait_for_url(f"**/table/{table}")
    ann.page.wait_for_selector(".cloth")
    before = ann.shown_state()["n"]
    question = ann.question()
    assert question is not None
    ann.answer_question(question)
    ann.page.wait_for_function("(n) => Number(document.querySelector('main.table').dataset.n) > n", arg=before)
    assert len(inbox.messages) == 1, "A second message was sent before the first turn was answered."
    ann.answer_while_asked(table)
    ann.open("/")
    ben.answer_while_asked(table)
    wait_for(lambda: len(inbox.messages) == 2 or ann.page.evaluate("false"), "No message was sent for the next turn.")

    knows = (
        "() => document.title.startsWith('(1) ')"  # the page knows about the turn, so it closes no current notification
    )
    ann.page.wait_for_function(knows)
    deliver(inbox.messages[1])
    assert worker.evaluate(shown), "The second notification is not shown."
    ann.answer_while_asked(table)
    wait_for(lambda: not worker.evaluate(shown), "The notification of an answered turn is still shown.")
    ben.answer_while_asked(table)
    wait_for(lambda: len(inbox.messages) == 3 or ann.page.evaluate("false"), "No message was sent for the next turn.")
    ann.page.wait_for_function(knows)
    deliver(inbox.messages[2])
    assert worker.evaluate(shown), "The third notification is not shown."
    ann.open(f"/table/{table}")
    wait_for(lambda: not worker.evaluate(shown), "The notification of an open table is still shown.")

    # A hidden page gets only news of turns, and does not count as an open table.
    ann.answer_while_asked(table)
    ann.page.wait_for_selector("[data-spot=seat-0] .clock")
    with ann.page.expect_request("**/api/turns"):
        ann.page.evaluate("hide(true)")
    ben.answer_while_asked(table)
    ann.page.wait_for_function(knows)
    wait_for(lambda: len(inbox.messages) == 4 or ann.page.evaluate("false"), "No message of the hidden page.")
    with ann.page.expect_request("**/stream*"):
        ann.page.evaluate("hide(false)")
    assert ann.question() is not None

    # Quiet hours use the time zone of the device.
    ann.open("/settings")
    ann.page.get_by_label("Quiet hours").check()
    ann.page.get_by_label(re.compile("^From")).wait_for()
    ann.page.get_by_label(re.compile("^From")).select_option(str(23 * 60))
    ann.page.reload()
    expect(ann.page.get_by_label(re.compile("^From"))).to_have_value(str(23 * 60))
    ann.page.set_viewport_size({"width": 360, "height": 740})
    turn_off = ann.page.get_by_role("button", name="Turn off notifications on").bounding_box()
    assert turn_off["height"] <= 46, "expected the button's name on one line on a phone"
    quiet = ann.page.request.get(f"{push_server.address}/api/push").json()["quiet_hours"]
    assert quiet == {"start_minute": 23 * 60, "end_minute": 8 * 60, "time_zone": "America/New_York"}
    ann.page.get_by_role("button", name="Turn off notifications on").click()
    ann.page.get_by_role("button", name="Notify me on this device").wait_for()


def test_no_notification_is_lost_while_obsolete_ones_are_closed(push_server, push_service, new_player):
    ann = new_player(push_server, service_workers="allow")
    enable_push(ann, push_service)
    deliver = push_deliverer(ann)
    tables = [f"table-{k}" for k in range(30)]  # one in six was lost when pages read the list at any time
    (tidy,) = INDEX_HTML.parent.glob("assets/closeNotifications-*.js")
    ann.page.evaluate(
        SCRIPTS["closeRepeatedly"], [tidy.name, json.dumps({"turns": [{"table": table} for table in tables]})]
    )
    for table in tables:
        deliver({"table": table, "title": "Your turn", "text": "Mines"})
    ann.page.evaluate("late()")  # as if the page learned of these turns while closing old notifications
    shown = service_worker(ann).evaluate("async () => (await registration.getNotifications()).map(({ tag }) => tag)")
    lost = sorted({*tables} - {*shown})
    assert not lost, f"{len(lost)} of {len(tables)} notifications are lost: {lost}"


def test_table_with_days_offers_messages_once(server, new_player):
    ann, ben = new_player(server, "phone"), new_player(server)
    ann.add_init_script("Object.defineProperty(Notification, 'permission', { get: () => 'default' })")
    table = sit_at_second_table(server, ann, ben, 2)
    if player_to_act(server, table, [ann, ben]) is ben:
        ben.answer_while_asked(table)
    ann.open(f"/table/{table}")
    ann.page.get_by_text("Get a notification when").wait_for()
    check_with_axe(ann, "a table that offers notifications")
    ann.page.get_by_role("button", name="No", exact=True).click()
    ann.page.wait_for_selector(".offer", state="detached")
    ann.page.reload()
    ann.page.wait_for_selector(".cloth")
    ann.page.wait_for_function("() => document.title.startsWith('(1) ')")
    assert ann.page.locator(".offer").count() == 0, "Notifications are offered again after a refusal."


def test_settings_explain_when_notifications_are_impossible(server, new_player):
    """If there are several obstacles, the first one is shown."""
    ann = new_player(server)
    for script, why in (
        (
            "Object.defineProperty(Notification, 'permission', { get: () => 'denied' })",
            "Notifications are blocked for this site",
        ),
        ("delete window.PushManager", "This browser does not support notifications"),
        (
            "Object.defineProperty(window, 'isSecureContext', { get: () => false })",
            "Notifications need a server with HTTPS",
        ),
    ):
        ann.add_init_script(script)
        ann.open("/settings")
        ann.page.get_by_text(why).wait_for()
        expect(ann.page.get_by_role("button", name="Notify me on this device")).to_have_count(0)


@pytest.mark.parametrize("wanted", ["messages", "nothing"])
def test_server_without_offline_mode_still_sends_notifications(wanted):
    worker = INDEX_HTML.parent / "sw-off.js"
    ran = node.run_node(Path(__file__).parents[1] / "node" / "unregister_worker.mjs", str(worker), wanted)
    assert ran.returncode == 0, ran.stderr
    told = json.loads(ran.stdout)
    assert told["hears"] == ["activate", "install", "notificationclick", "push"], "A service worker controls the page."
    went = ["went"] if wanted == "nothing" else []
    assert told["done"] == ["took over", "claimed", "let go of diamonds / 01234567", *went]
