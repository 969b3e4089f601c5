"""Chat: phrases in each viewer's language, muting, and who may read what."""

from playwright.sync_api import Route, expect

from tests.browser.player import Player
from tests.browser.test_shared_table import join_by_invite


def wait_for_chat(player: Player, line: str) -> None:
    """Wait until a message is shown."""
    player.page.wait_for_selector(f".chat .lines p:has-text('{line}')")


def post_chat(player: Player, line: str) -> None:
    player.page.fill("#say", line)
    player.page.keyboard.press("Enter")


def test_phrases_are_read_in_each_language_and_hints_are_off_among_people(server, new_player):
    ann, ben = new_player(server, "phone", "touch"), new_player(server)
    ann.change_settings(language="de")
    join_by_invite(server, ann, ben, game="mines", seats=2)
    for one, lamp in ((ann, "Tipp"), (ben, "Hint")):
        expect(one.page.get_by_role("button", name=lamp, exact=True), "Among people there are hints.").to_have_count(0)
    ben.page.get_by_role("button", name="Ready phrases").click()
    ben.page.get_by_role("button", name="Well played!").click()
    wait_for_chat(ben, "Well played!")
    ann.page.get_by_role("button", name="Verlauf und Chat, 1 neu").tap()
    wait_for_chat(ann, "Gut gespielt!")


def test_message_typed_before_the_reply_to_the_last_one_is_kept(server, new_player):
    ann, ben = new_player(server), new_player(server)
    join_by_invite(server, ann, ben, game="mines", seats=2)
    late: list[Route] = []
    ben.route("**/chat", lambda route: late.append(route))
    post_chat(ben, "first")
    expect(ben.page.locator("#say"), "expected room for the next message").to_have_value("")
    ben.page.fill("#say", "second")
    with ben.page.expect_response("**/chat"):
        late.pop().continue_()
    wait_for_chat(ben, "first")
    ben.wait_until_still()
    expect(ben.page.locator("#say"), "The reply removed what was typed since.").to_have_value("second")
    ben.page.fill("#say", "")
    post_chat(ben, "third")
    expect(ben.page.locator("#say")).to_have_value("")
    late.pop().fulfill(status=409, json={"error": "Not now."})
    expect(ben.page.locator("#say"), "A refused message is lost.").to_have_value("third")


def test_each_person_mutes_others_and_the_host_sets_the_chat_mode(server, new_player):
    ann, ben = new_player(server), new_player(server)
    join_by_invite(server, ann, ben, game="mines", seats=2)
    post_chat(ben, "you are slow")
    wait_for_chat(ann, "you are slow")
    name = ann.page.locator(".chat .name").inner_text()
    ann.page.locator(".chat .name").click()
    ann.page.get_by_role("button", name=f"Mute {name}").click()
    again = ann.page.get_by_role("button", name=f"Unmute {name}")
    again.wait_for()
    post_chat(ben, "very slow")
    wait_for_chat(ben, "very slow")
    post_chat(ann, "hello")
    wait_for_chat(ann, "hello")
    assert "slow" not in ann.page.locator(".chat").inner_text(), "A muted player's message is shown."
    ann.page.reload()
    again.click()
    wait_for_chat(ann, "very slow")

    ann.page.get_by_label("Chat allowed").select_option("phrases")
    ben.page.wait_for_selector("#say", state="detached")
    ben.page.get_by_role("button", name="Ready phrases").click()
    ben.page.get_by_role("button", name="Thank you!").click()
    wait_for_chat(ann, "Thank you!")
    ann.page.get_by_label("Chat allowed").select_option("none")
    ben.page.wait_for_selector(".chat .shut:has-text('Chat is off')")
    assert ben.page.locator(".chat form").count() == 0
    table = ann.page.url
    ann.change_settings(talk="phrases")
    ann.open(table)
    wait_for_chat(ann, "Thank you!")
    assert ann.page.locator(".chat .lines p").count() == 1, "Expected phrases only."


def test_chat_explains_when_messages_are_hidden_or_disabled(server, new_player):
    ann, ben, cleo = new_player(server), new_player(server), new_player(server)
    join_by_invite(server, ann, ben, game="mines", seats=2, private=False)
    cleo.open(ann.page.url, ".chat .shut:has-text('Only spectators')")
    post_chat(cleo, "he has it")
    wait_for_chat(cleo, "he has it")
    post_chat(ben, "my turn")
    wait_for_chat(ann, "my turn")
    assert "he has it" not in ann.page.locator(".chat").inner_text(), "A player sees spectators' messages."
    address = ann.page.url.replace("/table/", "/api/tables/")
    assert ben.post_to_table(address.rpartition("/")[2], "stand", {})
    ben.page.wait_for_selector(".chat .shut:has-text('You played here')")
    assert ben.page.locator(".chat form").count() == 0, "A former player can write in a closed chat."
    assert "he has it" not in ben.page.locator(".chat").inner_text(), "A former player sees spectators' messages."
    assert cleo.page.request.get(address).json()["table"]["former_player"] is False
    expect(cleo.page.locator("#say")).to_have_count(1)
    table = ann.create_table(
        "crystals", 4, {"partnership": True}, ["me", "open", "bot:simple", "bot:simple"], private=False
    )["id"]
    assert ben.post_to_table(table, "sit", {"seat": 1, "nonce": ""})
    ann.open(f"/table/{table}", ".chat .shut:has-text('No chat while partners play')")
    assert ann.page.locator(".chat form").count() == 0
    ann.sit_down("mines", 2, by_link=True)
    assert ann.page.locator(".chat").count() == 0
