"""Moderation in real browsers: reports from the chat, warnings, bans, and their notices."""

from collections.abc import Callable

from playwright.sync_api import expect

from tests.browser.conftest import BrowserTestServer
from tests.browser.player import Player
from tests.browser.scripts import Scripts
from tests.browser.test_accessibility import check_with_axe
from tests.browser.test_accounts import VirtualAuthenticator, create_account
from tests.browser.test_chat import post_chat, wait_for_chat
from tests.browser.test_shared_table import join_by_invite

SCRIPTS = Scripts(__file__)

SERVER_SETTINGS = """
name = "Club Caro"
rules = "Be kind."
imprint = "Ann Example, Anytown"
moderators = ["Ann"]
"""


def moderator_of(server: BrowserTestServer, person: Callable[..., Player]) -> Player:
    """Create Ann's account and make her a moderator at the next start of the server."""
    ann = person(server)
    VirtualAuthenticator(ann)
    create_account(ann, "Ann")
    server.stop()
    (server.data_dir / "server.toml").write_text(SERVER_SETTINGS, encoding="utf-8")
    server.start()
    return ann


def test_report_leads_to_warning_ban_and_closed_table(private_server, new_player):
    ann = moderator_of(private_server, new_player)
    ben, eve = new_player(private_server), new_player(private_server, "phone")
    eve.add_init_script(SCRIPTS.call("countStreams"))
    link = join_by_invite(private_server, ben, eve, game="mines", seats=2)
    VirtualAuthenticator(eve)
    create_account(eve, "Eve")
    eve.open(link)
    eve.page.get_by_role("button", name="Log and chat").click()
    post_chat(eve, "you fool")
    wait_for_chat(ben, "you fool")

    # A report from a seat, with the chat open. Other players see only who runs the server.
    eve.page.get_by_role("button", name="Close the log").click()
    eve.page.locator(".seat .meet").click()
    plate = eve.page.get_by_role("dialog")
    plate.get_by_role("button", name="Report", exact=True).click()
    plate.get_by_label("Reason").select_option("spoiling")
    plate.get_by_role("button", name="Send the report").click()
    plate.get_by_text("The moderators will look at it.").wait_for()
    eve.page.keyboard.press("Escape")
    expect(plate).to_have_count(0)
    ben.open("/settings/server")
    ben.page.get_by_text("Be kind.").wait_for()
    ben.page.get_by_text("Ann Example, Anytown").wait_for()
    assert ben.page.locator(".hosts").count() == 0
    ben.open(link)
    ann.open("/")
    ann.page.get_by_role("link", name="Club Caro: rules and legal notice").click()
    ann.page.get_by_text("One open report.").wait_for()
    ann.page.get_by_text("Spoiling games").wait_for()
    ann.page.get_by_text("The last message").click()
    ann.page.get_by_text("you fool").wait_for()
    check_with_axe(ann, "the page of hosts")
    ann.page.get_by_label("Action").select_option("handle")
    ann.page.get_by_role("button", name="No action", exact=True).click()
    ann.page.get_by_text("No open reports.").wait_for()

    # A warning is shown once.
    ann.page.get_by_role("button", name="Accounts").click()
    ann.page.get_by_label("Part of the name").fill("ev")
    ann.page.get_by_role("button", name="Find").click()
    ann.page.get_by_text("One account:").wait_for()
    ann.page.get_by_label("Reason (the person will see it)").fill("Mind your words")
    ann.page.get_by_role("button", name="Warn", exact=True).click()
    ann.page.get_by_text("unread warning").wait_for()
    told = eve.page.get_by_role("dialog")
    told.get_by_text("Mind your words").wait_for()
    eve.page.get_by_role("button", name="I have read this").click()
    expect(told).to_have_count(0)
    eve.page.reload()
    eve.page.wait_for_selector(".cloth")
    expect(told, "An acknowledged warning is shown again.").to_have_count(0)

    # A ban after a report from the chat.
    ben.page.locator(".chat .name").click()
    ben.page.get_by_role("button", name="Report ").first.click()
    ben.page.get_by_label("Reason").select_option("rude")
    ben.page.get_by_label("Details").fill("See for yourself")
    check_with_axe(ben, "the report")
    ben.page.get_by_role("button", name="Send the report").click()
    ben.page.get_by_text("The moderators will look at it.").wait_for()
    ann.open("/settings/server")
    ann.page.get_by_text("One open report.").wait_for()
    ann.page.get_by_text("See for yourself").wait_for()
    ann.page.get_by_label("Action").select_option("ban")
    ann.page.get_by_label("Duration").select_option("168")
    ann.page.get_by_label("Reason (the person will see it)").fill("Such words are not said here")
    ann.page.get_by_role("button", name="Ban", exact=True).click()
    ann.page.get_by_text("No open reports.").wait_for()
    expect(told).to_contain_text("You are banned from this server until")
    expect(told).to_contain_text("Such words are not said here")
    check_with_axe(eve, "a ban")
    eve.page.wait_for_selector(".notice:has-text('You are banned from this server until')")
    listened = eve.page.evaluate("listened")
    eve.page.evaluate("() => dispatchEvent(new Event('online'))")
    assert eve.page.evaluate("listened") == listened, "Expected a banned page to stop reconnecting."
    told.get_by_role("button", name="Close").click()
    expect(eve.page.get_by_role("alert").first).to_contain_text("You are banned from this server until")
    eve.open(link)
    eve.page.get_by_text("You are banned from this server until").wait_for()
    ann.page.get_by_role("button", name="Audit log").click()
    ann.page.get_by_role("button", name="Lift the ban").click()
    ann.page.get_by_text("lifted the ban on").wait_for()
    eve.open(link, ".cloth")

    # A closed table shows the reason.
    ann.page.get_by_role("button", name="Tables").click()
    ann.page.get_by_text("One table with people:").wait_for()
    ann.page.get_by_label("Reason (the person will see it)").fill("Cards were told")
    ann.page.get_by_role("button", name="Close the table").click()
    ann.page.get_by_text("Nobody is at a table.").wait_for()
    for player in (ben, eve):
        closed = player.page.get_by_role("dialog")
        expect(closed).to_contain_text("The moderators have closed this table")
        expect(closed).to_contain_text("Cards were told")
    ann.page.get_by_role("button", name="Audit log").click()
    ann.page.get_by_text("closed a table").wait_for()
    ann.page.get_by_role("button", name="Invitations").click()
    ann.page.get_by_role("button", name="Create an invitation").click()
    expect(ann.page.locator("output.code")).to_have_count(1)
