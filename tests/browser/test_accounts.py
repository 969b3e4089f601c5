"""Accounts in real browsers: passkeys, a second browser, downloads of personal data, and deletion."""

from __future__ import annotations

import json
from typing import Any

from playwright.sync_api import CDPSession, expect

from tests.browser.player import Player
from tests.browser.test_accessibility import check_with_axe

AUTHENTICATOR_OPTIONS = {
    "protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True,
    "isUserVerified": True, "automaticPresenceSimulation": True,
}  # fmt: skip


class VirtualAuthenticator:
    """A virtual store of passkeys, as in Chromium's own tests."""

    def __init__(self, player: Player) -> None:
        player.window.is_spent = True  # a window with its own passkeys is not reused
        self.session: CDPSession = player.window.new_cdp_session()
        self.session.send("WebAuthn.enable")
        self.id = self.session.send("WebAuthn.addVirtualAuthenticator", {"options": AUTHENTICATOR_OPTIONS})[
            "authenticatorId"
        ]

    def credentials(self) -> list[dict[str, Any]]:
        """Return the stored passkeys."""
        found: list[dict[str, Any]] = self.session.send("WebAuthn.getCredentials", {"authenticatorId": self.id})[
            "credentials"
        ]
        return found

    def copy_from(self, other: VirtualAuthenticator) -> None:
        """Copy another browser's passkeys, as a synchronised password manager does."""
        for credential in other.credentials():
            self.session.send("WebAuthn.addCredential", {"authenticatorId": self.id, "credential": credential})


def button(player: Player, name: str) -> Any:
    return player.page.get_by_role("button", name=name, exact=True)


def create_account(player: Player, name: str) -> str:
    """Create an account from the lobby; return the recovery code."""
    player.open("/")
    player.page.get_by_role("link", name="Your account and devices").click()
    player.page.get_by_label("Your name", exact=True).fill(name)
    button(player, "Create it with a passkey").click()
    code: str = player.page.locator("output.secret").inner_text()
    button(player, "I have written it down").click()
    expect(player.page.locator("output.secret")).to_have_count(0)
    return code


def own_tables(player: Player) -> list[str]:
    """Return the ids of the player's tables in the lobby."""
    return player.page.evaluate("fetch('/api/tables').then(r => r.json()).then(l => l.your_tables.map(one => one.id))")  # type: ignore[no-any-return]


def test_guest_creates_account_and_signs_in_on_second_browser(server, new_player):
    ann, there = new_player(server), new_player(server, "phone")
    keys = VirtualAuthenticator(ann)
    table = ann.sit_down("mines", 2)
    create_account(ann, "Annabel")
    assert len(keys.credentials()) == 1
    assert keys.credentials()[0]["isResidentCredential"], "expected a passkey that is found without a name"

    VirtualAuthenticator(there).copy_from(keys)
    there.open("/settings/account")
    button(there, "Sign in with a passkey").click()
    expect(there.page.get_by_role("heading", name="Your devices")).to_be_visible()
    expect(there.page.get_by_label("Your name", exact=True)).to_have_value("Annabel")
    assert own_tables(there) == [table], "expected the account's table on the second browser"
    there.open(f"/table/{table}", "main.table")
    seat = there.page.evaluate(f"fetch('/api/tables/{table}').then(r => r.json()).then(message => message.seat)")
    assert seat == 0, "expected the account's seat on the second browser"


def test_sign_in_link_and_recovery_code_work_and_sign_out_everywhere(server, new_player):
    ann, there, third = new_player(server), new_player(server, "phone"), new_player(server)
    VirtualAuthenticator(ann)
    code = create_account(ann, "Christabel")
    button(ann, "Create a link").click()
    ann.page.get_by_label("Link", exact=True).wait_for()
    check_with_axe(ann, "the page of an account")
    link = ann.page.get_by_label("Link", exact=True).input_value()

    expect(ann.page.get_by_role("img", name="The link as a QR code to scan")).to_be_visible()

    there.open(link)
    there.page.get_by_role("button", name="Sign in as Christabel").wait_for()
    check_with_axe(there, "the page of a guest with a link")
    button(there, "Sign in as Christabel").click()
    expect(there.page.get_by_role("heading", name="Your devices")).to_be_visible()
    address = there.page.evaluate("location.href")
    assert "link" not in address, "the link's secret stays in the address and in the browser's history"
    third.open("/settings/account")
    third.page.get_by_label("Recovery code").fill(code)
    button(third, "Sign in with the code").click()
    expect(third.page.locator("section", has_text="Your devices").get_by_role("listitem")).to_have_count(3)

    button(third, "Sign out everywhere").click()
    expect(third.page.get_by_role("heading", name="Create an account")).to_be_visible()
    for other in (ann, there):
        other.page.reload()
        expect(other.page.get_by_role("heading", name="Create an account")).to_be_visible()


def test_person_downloads_their_data_and_deletes_it(server, new_player):
    ann = new_player(server)
    VirtualAuthenticator(ann)
    table = ann.sit_down("mines", 2)
    create_account(ann, "Dorothea")
    with ann.page.expect_download() as download:
        ann.page.get_by_role("link", name="Download my data").click()
    told = json.loads(download.value.path().read_text(encoding="utf-8"))
    assert told["name"] == "Dorothea"
    assert [part["table"] for part in told["tables"]] == [table]

    ann.page.get_by_text("Delete my data …").click()
    assert button(ann, "Delete everything").is_disabled(), "expected a confirmation before deletion"
    ann.page.get_by_label("To confirm, type your name: Dorothea").fill("Dorothea")
    button(ann, "Delete everything").click()
    expect(ann.page.get_by_role("heading", name="Create an account")).to_be_visible()
    assert own_tables(ann) == []
    names = ann.page.evaluate(
        f"fetch('/api/tables/{table}').then(r => r.json()).then(m => m.table.seat_holders.map(p => p.name))"
    )
    assert "Dorothea" not in names


def test_sign_in_explains_when_passkeys_cannot_work(server, new_player):
    ann = new_player(server, locale="de")
    ann.open(server.address.replace("localhost", "127.0.0.1") + "/settings/account")
    expect(ann.page.locator(".why")).to_have_text(f"Passkeys gehen nur unter {server.address}. Öffne Diamonds dort.")
    expect(button(ann, "Mit einem Passkey anlegen")).to_have_count(0)
    expect(button(ann, "Mit dem Code anmelden")).to_be_visible()
