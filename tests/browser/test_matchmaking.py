"""Matchmaking in real browsers: seeks, live table lists, friends and challenges."""

from playwright.sync_api import expect

from tests.browser.player import Player
from tests.browser.scripts import Scripts
from tests.browser.test_accessibility import check_with_axe
from tests.browser.test_accounts import VirtualAuthenticator, create_account
from tests.browser.test_sound import COUNT_SOUNDS_JS
from tests.browser.test_tricks import one_card_left

SCRIPTS = Scripts(__file__)


def open_panel(player: Player, language: str = "en") -> None:
    """Open the matchmaking panel from the lobby."""
    player.open("/")
    name = {"en": "Play with people", "de": "Mit anderen spielen"}[language]
    player.page.get_by_role("button", name=name).click()
    player.page.wait_for_selector(".meet form, .meet .seeking")


def choose_seek(player: Player, *names: str) -> None:
    """Check these boxes of the seek form."""
    choices = player.page.locator(".meet form").get_by_role("group").filter(has_not_text="Bot speed")
    for name in names:
        choices.get_by_role("checkbox", name=name, exact=True).check()


def find_players(player: Player) -> None:
    player.page.get_by_role("button", name="Find players").click()


def test_strangers_are_matched_at_one_table(server, new_player):
    ann, ben = new_player(server), new_player(server, "phone")
    open_panel(ann)
    choose_seek(ann, "Mines", "Crystals", "2", "3")
    find_players(ann)
    ann.page.wait_for_selector(".seeking")
    ann.page.reload()
    ann.page.wait_for_selector(".seeking")  # the seek is still active, and the page shows it
    open_panel(ben)
    choose_seek(ben, "Crystals", "4", "2", "fast")
    ben.page.locator(".meet form").get_by_role("checkbox", name="none", exact=True).uncheck()
    find_players(ben)
    ben.page.get_by_text("clock: fast", exact=False).wait_for()
    ben.page.get_by_role("button", name="Stop looking").click()
    ben.page.get_by_role("button", name="Find players").wait_for()
    choose_seek(ben, "none")
    find_players(ben)
    for player in (ann, ben):
        player.page.wait_for_selector(".cloth")
    tables = {player.page.evaluate("location.pathname").partition("/table/")[2] for player in (ann, ben)}
    assert len(tables) == 1, f"The players are at different tables: {tables}."
    table = ann.page.request.get(f"{server.address}/api/tables/{tables.pop()}").json()["table"]
    assert [one["kind"] for one in table["seat_holders"]] == ["person", "person"]
    assert table["time_control"] is None, "Expected a time control."
    ann.page.locator(".seat .meet").click()
    ann.page.get_by_role("dialog").get_by_role("link", name="create one").wait_for()
    ann.page.keyboard.press("Escape")
    ann.page.wait_for_function("() => !document.querySelector('dialog')")
    assert ann.page.locator(".seat .meet").count() == 1, "The player's seat links nowhere."


def test_seek_form_preselects_the_only_choice_and_says_what_is_missing(server, new_player):
    ann = new_player(server, "phone")
    open_panel(ann)
    button = ann.page.get_by_role("button", name="Find players")
    form = ann.page.locator(".meet form")
    assert button.is_disabled()
    expect(form).to_contain_text("Choose a game.")
    choose_seek(ann, "Crystals")
    expect(form).to_contain_text("Choose the number of players.")
    assert button.is_disabled()
    ann.page.locator(".meet form").get_by_role("checkbox", name="Crystals", exact=True).uncheck()
    choose_seek(ann, "Mines")
    two = form.get_by_role("checkbox", name="2", exact=True)
    assert two.is_checked(), "Expected no choice of players in mines, which is for two."
    assert button.is_enabled()
    for bots in ("after half a minute", "after a minute", "after 3 minutes"):
        assert form.locator("option", has_text=bots).count() == 1, f"Expected another label than “{bots}”."
    check_with_axe(ann, "the form to find players")
    find_players(ann)
    ann.page.get_by_text("Mines · 2 players", exact=False).wait_for()
    ann.page.get_by_role("button", name="Stop looking").click()
    button.wait_for()  # otherwise the next test may find this seek


def test_listed_seek_is_joined_with_one_press(server, new_player):
    ann, ben = new_player(server), new_player(server, "phone", "touch", locale="de")
    open_panel(ann)
    open_panel(ben, "de")
    ben.page.get_by_text("Gerade sucht niemand.").wait_for()
    before = ben.page.locator(".meet > section").last.bounding_box()
    choose_seek(ann, "Mines")
    find_players(ann)
    ann.page.wait_for_selector(".seeking")
    name = ann.page.get_by_label("Your name").input_value()
    assert ann.page.get_by_role("button", name="Join").count() == 0, "Players must not join their own seek."
    join = ben.page.get_by_role("button", name=f"Mitspielen mit {name}: Minen")
    join.wait_for()
    assert ben.page.locator(".meet > section").last.bounding_box() == before, "Something below has moved."
    check_with_axe(ben, "a listed seek")
    ben.assert_no_sideways_scrolling()
    expect(ben.page.locator(".people")).to_contain_text("Hier: ")
    join.tap()
    for player in (ann, ben):
        player.page.wait_for_selector(".cloth .field")
    assert ann.page.url == ben.page.url, "The players are at different tables."


def test_table_list_updates_live_without_moving_under_a_pointer(server, new_player):
    ann, eve = new_player(server), new_player(server)
    open_panel(eve)
    tables = [ann.create_table("mines", 2, places=["me", "open"], private=False)["id"] for _ in range(2)]
    other = new_player(server)
    for table in tables:
        ann.open(f"/table/{table}", ".invite input, .waiting")
        eve.page.wait_for_selector(f".meet a[href='/table/{table}']")
    rows = eve.page.locator(".meet li a")
    last = eve.page.locator(f".meet a[href='/table/{tables[1]}']")
    last.hover()
    before = last.bounding_box()
    other.page.request.get(f"{server.address}/api/server")
    assert other.post_to_table(tables[0], "sit", {"nonce": ""})
    eve.page.locator(f".meet a[href='/table/{tables[0]}']", has_text="watch").wait_for()
    assert last.bounding_box() == before, "A row moved under the pointer."
    assert rows.count() >= 2


def test_wide_lobby_shows_tables_beside_matchmaking(server, new_player):
    ann = new_player(server)
    ann.create_table("crystals", 4, places=["me", "open", "open", "open"])
    open_panel(ann)
    ann.page.wait_for_selector(".tables li")
    ann.page.wait_for_selector(".choose select")
    at = ann.page.evaluate(SCRIPTS["measureSections"])
    assert at["tables"]["left"] == at["me"]["left"] == at["choose"]["left"], "Expected the form below the list."
    assert at["play"]["bottom"] < at["people"]["top"], "Matchmaking covers Play now."
    assert at["choose"]["bottom"] < at["tables"]["top"], "The form covers the list of games."
    assert at["choose"]["bottom"] < at["people"]["bottom"], "The form is as tall as matchmaking, with empty space."


def test_accounts_befriend_challenge_and_block_each_other(server, new_player):
    """People meet in the lobby, at a table, at its end, during another game, and at a waiting table."""
    ann, ben = new_player(server), new_player(server, "phone", "touch")
    ben.add_init_script(COUNT_SOUNDS_JS)
    for player, name in ((ann, "Meeting Ann"), (ben, "Meeting Ben")):
        VirtualAuthenticator(player)
        create_account(player, name)
        open_panel(player)
    ann.page.get_by_label("Their account name").fill("Meeting Ben")
    ann.page.get_by_role("button", name="Send friend request").click()
    asked = ben.page.locator(".asked", has_text="Meeting Ann wants to be friends.")
    asked.get_by_role("button", name="No", exact=True).tap()
    asked.wait_for(state="detached")

    pending = ann.page.get_by_text("If Meeting Ben has an account here, they get your request.")
    pending.wait_for()
    ann.page.get_by_label("Their account name").fill("Meeting Ben")
    ann.page.get_by_role("button", name="Send friend request").click()
    asked.get_by_role("button", name="Yes").tap()
    ann.page.locator(".meet li b", has_text="Meeting Ben").wait_for()
    assert pending.count() == 0, "An accepted friend is still listed as a request."
    ann.page.locator(".meet summary[aria-label='More about Meeting Ben']").click()
    ann.page.get_by_role("button", name="Remove friend").click()
    ann.page.locator(".meet li b", has_text="Meeting Ben").wait_for(state="detached")

    # A request from a seat, and a challenge at the end.
    bots = ["me", "open", "bot:simple", "bot:simple"]
    table = ann.create_table("crystals", 4, {"rounds": 1}, bots, private=False, substitute_after_s=0)["id"]
    ann.post_to_table(table, "sit", {"seat": 0, "nonce": ""})
    ben.post_to_table(table, "sit", {"seat": 1, "nonce": ""})
    ann.play_by_api(table, one_card_left, others=[ben])
    for player in (ann, ben):
        player.open(f"/table/{table}", ".hand .card")
    ann.page.get_by_role("button", name="Meeting Ben").focus()
    ann.page.keyboard.press("Enter")
    dialog = ann.page.get_by_role("dialog", name="Meeting Ben")
    dialog.get_by_role("button", name="Send friend request").click()
    dialog.get_by_text("If Meeting Ben has an account here, they get your request.").wait_for()
    assert dialog.get_by_role("button", name="Challenge").count() == 0, "The player would not get the answer."
    check_with_axe(ann, "the menu of a person at the table")
    dialog.get_by_role("button", name="Close").click()
    ann.play_by_api(table, others=[ben])
    for player in (ann, ben):
        player.page.wait_for_selector(".end")
    ben.page.locator(".end .asked", has_text="Meeting Ann wants to be friends.").get_by_role("button", name="Yes").tap()
    ben.page.locator(".end").get_by_role("button", name="Meeting Ann").tap()
    asked = ben.page.get_by_role("dialog", name="Meeting Ann")
    asked.get_by_role("button", name="Challenge").tap()
    form = asked.get_by_role("form", name="Challenge Meeting Ann")
    form.get_by_label("Game").select_option("mines")
    form.get_by_role("button", name="Challenge").tap()
    asked.get_by_role("button", name="Close").tap()
    ben.page.get_by_text("Waiting for Meeting Ann").wait_for()
    ann.page.locator(".end .asked", has_text="Meeting Ben challenges you").get_by_role("button", name="Yes").click()
    for player in (ann, ben):
        player.page.wait_for_selector(".cloth .field")
    assert ann.page.url == ben.page.url, "The players are at different tables."

    # During a game the challenge is shown and heard.
    ben.page.keyboard.press("m")
    ben.page.wait_for_function("() => heard > 0")
    heard = ben.page.evaluate("heard")
    before = ben.page.locator(".field").bounding_box()
    challenge = {"name": "Meeting Ben", "game": "crystals", "seats": 2}
    origin = {"Origin": server.address}
    assert ann.page.request.post(f"{server.address}/api/challenges", data=challenge, headers=origin).ok
    badge = ben.page.locator(".bar").get_by_role("button", name="Meeting Ann challenges you")
    badge.wait_for()
    ben.page.wait_for_function("(before) => heard > before", arg=heard)
    said = ben.page.locator("[role=status]", has_text="Meeting Ann challenges you")
    said.wait_for(state="attached")
    assert ben.page.locator(".field").bounding_box() == before, "A challenge shifted the table."
    badge.tap()
    ben.page.get_by_role("button", name="No", exact=True).tap()
    badge.wait_for(state="detached")
    expect(said, "The answered challenge is still announced.").to_have_count(0)
    assert ann.page.request.post(f"{server.address}/api/challenges", data=challenge, headers=origin).ok
    said.wait_for(state="attached")
    badge.tap()
    line = ben.page.locator("p", has_text="Meeting Ann challenges you to Crystals.")
    assert line.locator("span").inner_text() == "Meeting Ann challenges you to Crystals. 2 players"
    ben.page.get_by_role("button", name="Yes").tap()
    ben.page.wait_for_function("() => document.title.includes('Crystals')")
    badge.wait_for(state="detached")

    # A challenge from the lobby, with a variant and a clock. The lobby first shows the table of the last challenge.
    ann.open("/")
    ann.page.wait_for_url(ben.page.url)
    ann.page.wait_for_selector(".cloth")
    for player in (ann, ben):
        open_panel(player)
    ann.page.get_by_role("button", name="Challenge Meeting Ben").click()
    form = ann.page.get_by_role("form", name="Challenge Meeting Ben")
    form.get_by_label("Game").select_option("fourteen")
    form.get_by_label("Players").select_option("3")
    form.get_by_label("Clock").select_option("2 days per move")
    form.get_by_text("Variants").click()
    form.get_by_role("spinbutton").first.wait_for()
    form.get_by_role("spinbutton").first.fill("20")
    check_with_axe(ann, "the form for a challenge")
    form.get_by_role("button", name="Challenge").click()
    line = ben.page.locator(".asked", has_text="Meeting Ann challenges you to Fourteen.")
    line.filter(has_text="3 players").filter(has_text="2 days per move").filter(has_text="20").wait_for()
    assert line.get_by_role("button", name="Block").count() == 0, "One tap would end a friendship."
    line.get_by_role("button", name="Yes").tap()
    for player in (ann, ben):
        player.page.wait_for_selector(".cloth")
    assert ann.page.url == ben.page.url, "The players are at different tables."
    playing = ann.get_table(ann.page.url.rsplit("/", 1)[-1])["table"]
    assert (playing["game"], playing["seats"], playing["time_control"]["days_per_move"]) == ("fourteen", 3, 2), (
        f"They play {playing}"
    )

    # Blocking a friend from a waiting table ends the friendship.
    other = ben.create_table("fourteen", 3, places=["me", "open", "open"], private=False)["id"]
    ben.open(f"/table/{other}", ".waiting")
    open_panel(ann)
    ann.page.locator(".meet li", has_text="Meeting Ben").get_by_role("button", name="More about Meeting Ben").click()
    dialog.get_by_role("button", name="Challenge").wait_for()
    dialog.get_by_role("button", name="Close").click()
    ann.page.locator(".meet summary[aria-label='More about Meeting Ben']").click()
    ann.page.locator(".meet li details").get_by_role("button", name="Block").click()
    ann.page.get_by_text("Blocked (1)").click()
    assert ann.page.locator(".meet li b", has_text="Meeting Ben").count() == 0, "A blocked player is still a friend."
    ann.page.get_by_role("button", name="Unblock").click()
    ann.page.get_by_text("Blocked (1)").wait_for(state="detached")

    # Strangers who challenge someone can be blocked in the lobby as well.
    challenge["name"] = "Meeting Ann"
    assert ben.page.request.post(f"{server.address}/api/challenges", data=challenge, headers=origin).ok
    line = ann.page.locator(".asked", has_text="Meeting Ben challenges you to Crystals.")
    line.get_by_role("button", name="Block").click()
    line.wait_for(state="detached")
    ann.page.get_by_text("Blocked (1)").click()
    ann.page.get_by_role("button", name="Unblock").click()
    ann.page.get_by_text("Blocked (1)").wait_for(state="detached")
    ann.open(f"/table/{other}")
    ann.page.locator(".waiting").get_by_role("button", name="Meeting Ben").click()
    dialog.get_by_role("button", name="Block").click()
    ann.page.get_by_text("Meeting Ben is blocked.").wait_for()


def test_phone_lists_seeks_first_and_a_long_name_hides_nothing(server, new_player):
    ann, ben = new_player(server, "phone", "touch"), new_player(server)
    ben.open("/")
    with ben.page.expect_response("**/api/me"):
        ben.page.locator("#name").fill("Wilhelmina Maximiliane of Hohenlohe, III")
        ben.page.keyboard.press("Enter")
    open_panel(ben)
    choose_seek(ben, "Crystals", "Mines", "2")
    find_players(ben)
    ben.page.wait_for_selector(".seeking")
    open_panel(ann)
    row = ann.page.get_by_role("listitem").filter(has_text="Wilhelmina")
    for part in ("Crystals or Mines", "clock: none"):
        text = row.get_by_text(part)
        assert text.evaluate(
            "(one) => one.getBoundingClientRect().bottom <= one.closest('ul').getBoundingClientRect().bottom"
        )
    join, form = row.get_by_role("button"), ann.page.locator(".meet form")
    assert join.bounding_box()["y"] < form.bounding_box()["y"], "Expected the seeks above the form."
    join.tap()
    for player in (ann, ben):
        player.page.wait_for_selector(".cloth")
