"""The lobby: first visit, play now, resuming, open tables, choices and invitations."""

import base64
from pathlib import Path

import pytest
from playwright.sync_api import Route, expect

from diamonds import i18n
from tests.browser.conftest import VIEWPORTS
from tests.browser.player import Player
from tests.browser.scripts import Scripts
from tests.browser.test_accessibility import check_with_axe
from tests.browser.test_tricks import table_at_question

SCRIPTS = Scripts(__file__)


# The label of the rarely used choices.
MORE_LABEL = "Options, hints, speed"

QR_READER = Path(__file__).parents[2] / "web" / "node_modules" / "jsqr" / "dist" / "jsQR.js"


@pytest.mark.parametrize("language", ["en", "de"])
def test_first_visit_offers_learn_play_and_people_equally(language, server, new_player):
    ann = new_player(server, "phone", "touch", locale=language)
    ann.add_init_script(SCRIPTS.call("forgetFirstGame"))
    ann.open_lobby()
    ways = ann.page.locator(".play .way")
    expect(ways).to_have_count(3)
    expected = {
        "en": ["Learn in five minutes", "Play now", "Play with people"],
        "de": ["In fünf Minuten lernen", "Jetzt spielen", "Mit anderen spielen"],
    }
    assert ways.locator(".word").all_inner_texts() == expected[language]
    for width, height in [(360, 740), (1440, 900)]:
        ann.resize_window(width, height)
        boxes = [one.bounding_box() for one in ways.all()]
        sizes = {(round(box["width"]), round(box["height"])) for box in boxes if box}
        assert len(sizes) == 1, f"At {width} × {height} the three ways differ in size: {sizes}"
        ends = [box["y"] + box["height"] for box in boxes if box]
        assert max(ends) <= height, f"{width} × {height}: the first game is {max(ends) - height:.0f} pixels too low."
    assert ann.page.locator("dialog").count() == 0, "Expected no question before the first game."
    expect(ways.nth(0), "Expected the lesson of the chosen game.").to_have_attribute("href", "/learn/crystals")
    ann.page.get_by_role("radio", name={"en": "Mines", "de": "Minen"}[language]).check()
    expect(ways.nth(0)).to_have_attribute("href", "/learn/mines")
    expect(ways.nth(0)).to_contain_text({"en": "Mines", "de": "Minen"}[language])
    check_with_axe(ann, "the lobby of a first visit")
    pick = ann.page.locator(".pick")
    expect(pick.locator("[aria-pressed=true]")).to_have_text({"en": "Mines", "de": "Minen"}[language])
    for width, height in [(1440, 900), (768, 1024), (360, 740)]:
        ann.resize_window(width, height)
        box = pick.bounding_box()
        assert box["y"] + box["height"] <= ways.nth(0).bounding_box()["y"], "Expected the games above the three ways."
    pick.get_by_role("button").nth(1).tap()
    for way in (ways.nth(0), ways.nth(1)):
        expect(way).to_contain_text({"en": "Fourteen", "de": "Vierzehn"}[language])
    check_with_axe(ann, "the choice of a game on a phone")
    ways.nth(2).tap()
    ann.page.wait_for_selector(".meet form")


def test_first_game_is_one_round_and_says_so(server, new_player):
    ann = new_player(server)
    ann.add_init_script(SCRIPTS.call("forgetFirstGame"))
    ann.open_lobby()
    now = ann.page.locator(".now")
    expect(now).to_contain_text("Your first game is short: one round.")
    assert ann.page.get_by_role("spinbutton").count() == 0, "Rare choices are open."
    ann.page.get_by_role("radio", name="Fourteen").check()
    expect(now).to_contain_text("Your first game is short: 5 points win.")
    ann.page.get_by_role("radio", name="Mines").check()
    expect(now).not_to_contain_text("short")
    ann.page.get_by_role("radio", name="Crystals").check()
    ann.page.get_by_role("combobox", name="Friends", exact=True).select_option("one open")
    expect(now, "Friends play a whole game.").not_to_contain_text("short")
    ann.page.get_by_role("combobox", name="Friends", exact=True).select_option("none")
    now.click()
    ann.page.wait_for_selector(".hand .card")
    table = ann.page.url.rpartition("/")[2]
    assert ann.get_table(table)["table"]["options"]["rounds"] == 1

    ann.open_lobby()
    expect(ann.page.locator(".play .way"), "A returning player should see one button.").to_have_count(1)
    ann.page.locator(f'.tables a[href="/table/{table}"]').wait_for()
    expect(now).to_contain_text("Crystals · three bots · 4 rounds")
    now.click()
    ann.page.wait_for_selector(".hand .card")
    second = ann.page.url.rpartition("/")[2]
    assert ann.get_table(second)["table"]["options"]["rounds"] == 4, "Expected only the first game to be short."


def test_phone_lobby_lists_play_resume_and_join_before_choices(server, new_player):
    ann, ben = new_player(server, "phone", "touch"), new_player(server)
    waiting = ben.create_table("mines", 2, places=["me", "open"], private=False)["id"]
    ben.open(f"/table/{waiting}", ".invite")
    began = table_at_question(ann, "fourteen", 3, lambda _: True)
    ann.open_lobby()
    own = ann.page.locator(f'.tables a[href="/table/{began}"]')
    own.wait_for()
    order = ann.page.evaluate(SCRIPTS["readSections"])
    wanted = ["play", "people", "tables", "choose", "me"]
    assert [name for name, _, _ in order] == wanted, "Expected this order."
    assert [y for _, _, y in order] == sorted(y for _, _, y in order), f"Expected one column on a phone: {order}"
    assert "your turn" in own.inner_text(), f"Expected Ann's turn in the list: {own.inner_text()!r}."
    box = own.bounding_box()
    assert box["y"] + box["height"] <= VIEWPORTS["phone"][1], "Expected to resume without scrolling."
    own.tap()
    ann.page.wait_for_selector(".hand .card")
    ann.open_lobby()
    ann.page.get_by_role("button", name="Play with people").tap()
    ann.page.locator(f'.people a[href="/table/{waiting}"]').tap()
    ann.page.get_by_role("button", name="Sit here").tap()
    ann.page.wait_for_selector(".field")


def test_lobby_hides_finished_games_and_shows_turns_on_return(server, new_player):
    ann = new_player(server)
    with ann.page.expect_response("**/api/tables") as listed:
        ann.open_lobby()
    listed.value.finished()
    ann.wait_until_still()
    assert ann.page.locator(".tables details").count() == 0, "Expected no empty list of games."
    table = ann.take_seat("fourteen", 3, {"target": 5})
    ann.play_by_api(table)
    ann.open_lobby()
    ann.page.get_by_text("Finished games (1)").click()
    ann.page.locator(f'.tables a[href="/table/{table}"]').wait_for()
    assert ann.page.get_by_text("Your games", exact=True).count() == 0, "Expected no game to resume."

    began = table_at_question(ann, "fourteen", 3, lambda _: True)
    lobby = ann.page.request.get(f"{server.address}/api/tables").json()
    (mine,) = (one for one in lobby["your_tables"] if one["id"] == began)
    line = ann.page.locator(f'.tables a[href="/table/{began}"]')
    for turn, says in ((False, "being played"), (True, "your turn")):
        mine["your_turn"] = turn
        ann.route("**/api/tables", lambda route: route.fulfill(json=lobby))
        ann.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        expect(line).to_contain_text(says)


def test_bots_are_seated_by_one_control_or_one_by_one_and_remembered(server, new_player):
    ann = new_player(server)
    wanted: list[list[str]] = []

    def refuse(route: Route) -> None:
        if route.request.method == "POST":
            wanted.append(route.request.post_data_json["seats_taken_by"])
            route.fulfill(status=409, json={"error": "Not now."})
        else:
            route.continue_()

    ann.route("**/api/tables", refuse)
    bots, friends = (ann.page.get_by_role("combobox", name=name, exact=True) for name in ("Bots", "Friends"))

    def ask() -> list[str]:
        """Press the button, then return as if on another day."""
        ann.page.click(".now:enabled")
        ann.page.get_by_text("Not now.").wait_for()
        ann.open_lobby()
        return wanted[-1]

    ann.open_lobby()
    bots.select_option("Expert")
    assert ask() == ["me", "bot:4", "bot:4", "bot:4"]
    chosen = bots.locator("option:checked")
    expect(chosen, "The lobby lost the level of the bots.").to_have_text("Expert")
    ann.page.get_by_text(MORE_LABEL).click()
    ann.page.get_by_label("Seat 3").select_option("Bot: Beginner")
    expect(chosen).to_have_text("different")
    friends.select_option("one open")
    assert ask() == ["me", "bot:4", "bot:1", "open"]
    expect(friends, "The lobby lost the seat for a friend.").to_have_value("1")
    bots.select_option("Casual")
    ann.page.click(".now:enabled")
    ann.page.get_by_text("Not now.").wait_for()
    assert wanted[-1] == ["me", "bot:2", "bot:2", "open"], "A choice for all bots leaves an open seat open."
    friends.select_option("none")
    ann.page.click(".now:enabled")
    ann.page.get_by_text("Not now.").wait_for()
    ann.page.wait_for_function("() => document.querySelector('.now:enabled')")
    assert wanted[-1] == ["me", "bot:2", "bot:2", "bot:2"]


def test_table_without_bots_has_no_choice_of_bots(server, new_player):
    ann = new_player(server)
    ann.open_lobby()
    bots = ann.page.get_by_role("combobox", name="Bots", exact=True)
    ann.page.get_by_role("radio", name="Mines").check()
    assert bots.count() == 1
    ann.page.get_by_role("combobox", name="Friends", exact=True).select_option("one open")
    expect(bots, "The menu for bots is shown although there is no bot.").to_have_count(0)


def test_variants_open_on_request_and_are_never_chosen_unseen(server, new_player):
    ann = new_player(server)
    sent = ann.page_weight()
    ann.open_lobby()
    assert not [name for name in sent if name.startswith("AdvancedOptions")], "Rare choices were loaded with the lobby."
    variant = ann.page.get_by_role("checkbox", name="partnership")
    assert variant.count() == 0
    ann.page.get_by_text(MORE_LABEL).click()
    variant.check()
    ann.open_lobby()
    variant.wait_for()
    assert variant.is_checked(), "Expected changed rare choices to be visible."
    variant.uncheck()
    assert variant.is_visible(), "The choices collapsed while in use."
    ann.open_lobby()
    expect(ann.page.locator(".choose details")).not_to_have_attribute("open", "")
    assert variant.count() == 0, "Expected default choices to be hidden again."


SCREEN_SIZES = [(320, 640), (360, 740), (740, 360), (768, 1024), (2560, 1440)]


def test_lobby_offers_its_choices_while_the_server_is_silent(server, new_player):
    ann = new_player(server)
    ann.page.route("**/api/tables", lambda _: None)  # requested, but never answered
    ann.open_lobby()


def test_play_now_is_visible_at_every_size(server, new_player):
    ann = new_player(server)
    table_at_question(ann, "crystals", 4, lambda _: True)
    ann.open_lobby()
    ann.page.wait_for_selector(".tables a")
    for width, height in SCREEN_SIZES:
        ann.resize_window(width, height)
        boxes = ann.page.evaluate(SCRIPTS["measureBoxes"])
        over = [
            (one, other)
            for k, (one, *a) in enumerate(boxes)
            for other, *b in boxes[k + 1 :]
            if a[0] < b[2] - 0.5 and b[0] < a[2] - 0.5 and a[1] < b[3] - 0.5 and b[1] < a[3] - 0.5
        ]
        assert not over, f"At {width} × {height} these overlap: {over}"
        outside = [name for name, left, _, right, _ in boxes if left < 0 or right > width]
        assert not outside, f"At {width} × {height} these are wider than the screen: {outside}"
        now = next(box for box in boxes if box[0] == "now")
        assert now[4] <= height, f"At {width} × {height} “Play now” ends {now[4] - height:.0f} pixels below the screen."


@pytest.mark.parametrize("is_first", [True, False])
def test_chosen_game_keeps_play_now_on_a_phone_screen(is_first, server, new_player):
    ann = new_player(server, "phone")
    if not is_first:
        ann.set_initial_settings({"played": True})
    ann.open("/")
    mines = ann.page.locator(".games label", has=ann.page.locator("[value=mines]"))
    mines.click()
    expect(ann.page.locator(".now .what").first).to_contain_text("Mines")
    expect(ann.page.locator(".now")).to_be_in_viewport(ratio=1)
    expect(mines, "expected the choice to stay in view").to_be_in_viewport()


def test_on_a_phone_rules_and_settings_are_linked_in_one_row(server, new_player):
    ann = new_player(server, "phone")
    for language in i18n.languages():
        ann.change_settings(language=language)
        ann.open_lobby()
        ann.page.evaluate("() => document.fonts.ready.then(() => {})")
        rows = ann.page.evaluate("() => [...document.querySelectorAll('nav a')].map((link) => link.offsetTop)")
        assert rows == [rows[0]] * 4, f"Expected one row of links ({language}): {rows}"


def test_lobby_without_its_server_says_what_waits_and_recovers(private_server, new_player):
    ann = new_player(private_server)
    ann.open_lobby()
    people = ann.page.get_by_role("button", name="Play with people")
    numbers = ann.page.get_by_text("tables: 0")
    numbers.wait_for()
    ann.page.get_by_role("combobox", name="Friends", exact=True).select_option("one open")
    ann.page.get_by_role("checkbox", name="public").wait_for()
    private_server.kill()
    ann.page.get_by_text("No connection to the server.").wait_for()
    now = ann.page.locator(".now")
    assert now.is_disabled()
    expect(now).to_contain_text("This needs the server, which cannot be reached.")
    assert people.is_disabled()
    expect(ann.page.locator(".people")).to_contain_text("This needs the server, which cannot be reached.")
    assert numbers.count() == 0, "Expected no number of tables without a server."
    assert ann.page.get_by_label("Your name").is_disabled()
    check_with_axe(ann, "the lobby without its server")
    ann.page.get_by_role("combobox", name="Friends", exact=True).select_option("none")
    assert now.is_enabled(), "Expected bots without a server."
    ann.page.get_by_text(MORE_LABEL).click()
    ann.page.get_by_role("alert").wait_for()  # if a part is missing, the page stays and shows the reason
    private_server.start()
    ann.page.get_by_text("No connection to the server.").wait_for(state="detached")
    numbers.wait_for()
    assert people.is_enabled()


@pytest.mark.parametrize(("path", "says", "sign"), [
    ("/settings/account", "Your account is on the server, which cannot be reached.", "main h2"),
    ("/settings/server", "This needs the server, which cannot be reached.", "main h1"),
    ("/settings", "This needs the server, which cannot be reached.", "main select"),
])  # fmt: skip
def test_server_pages_say_why_they_are_empty(path, says, sign, server, new_player):
    ann = new_player(server, fresh=True)
    ann.page.route("**/api/**", lambda route: route.abort())
    ann.open(path)
    ann.page.get_by_text(says).wait_for()
    ann.page.get_by_text("No connection to the server.").wait_for()
    ann.page.unroute("**/api/**")
    ann.page.get_by_text("No connection to the server.").wait_for(state="detached")
    ann.page.wait_for_selector(sign)
    assert ann.page.get_by_text(says).count() == 0


# Invitations


def host_table(ann: Player) -> str:
    """Let Ann create a table with open seats and open it; return the link."""
    table = ann.create_table("fourteen", 3, places=["me", "open", "open"])["id"]
    ann.open(f"/table/{table}", ".invite input")
    return ann.page.input_value(".invite input")


@pytest.mark.parametrize("theme", ["dark", pytest.param("light", marks=pytest.mark.slow)])
def test_invite_opens_the_share_sheet_or_a_readable_qr_code(theme, server, new_player):
    ann = new_player(server, "phone", "touch", color_scheme=theme)
    ann.add_init_script("navigator.share = async (what) => void (window.shared = what)")
    sent = ann.page_weight()
    link = host_table(ann)
    ann.page.get_by_role("button", name="Send …").tap()
    ann.page.wait_for_function("() => window.shared")
    shared = ann.page.evaluate("shared")
    assert shared["url"] == link
    assert "Fourteen" in shared["text"], f"Expected the game in the invitation: {shared}"
    assert not [name for name in sent if name.startswith("QrCode-")], "The code was loaded before it was requested."
    ann.page.get_by_role("button", name="QR code").click()
    code = ann.page.locator("svg.code")
    ann.window.paint()
    picture = base64.b64encode(code.screenshot()).decode()
    ann.page.evaluate(QR_READER.read_text(encoding="utf-8"))
    assert ann.page.evaluate(SCRIPTS["readQr"], picture) == link, "The code's text is not the link."
    check_with_axe(ann, "the waiting room with the code")
    ann.page.get_by_role("button", name="QR code").click()
    code.wait_for(state="detached")


def test_invite_is_copied_without_share_sheet_and_hidden_from_guests(server, new_player):
    ann, ben, eve = new_player(server), new_player(server, "phone", "touch"), new_player(server)
    ann.add_init_script("delete Navigator.prototype.share")
    ann.context.grant_permissions(["clipboard-read", "clipboard-write"])
    link = host_table(ann)
    assert ann.page.get_by_role("button", name="Send …").count() == 0, "Expected a browser without share sheet."
    ann.page.get_by_role("button", name="Copy").click()
    ann.page.get_by_role("button", name="Copied").wait_for()
    ann.page.locator("[role=status]", has_text="Copied").wait_for(state="attached")
    assert ann.page.evaluate("navigator.clipboard.readText()") == link
    ben.open(link)
    name = ben.page.get_by_label("Your name")
    name.fill("Seat 2")
    ben.page.get_by_role("button", name="Sit here").first.tap()
    ben.page.locator("[role=alert]").wait_for()
    assert ben.page.get_by_role("button", name="Stand up").count() == 0, "Ben has a name that is not allowed."
    name.fill("Benedikt")
    ben.page.get_by_role("button", name="Sit here").first.tap()
    ben.page.get_by_role("button", name="Stand up").wait_for()
    eve.open(link)
    eve.page.get_by_role("button", name="Sit here").wait_for()
    for one, who in ((ben, "plays"), (eve, "watches")):
        assert one.page.locator(".invite").count() == 0, f"A {who} can pass the link on."
        assert link not in one.page.content()
    eve.page.get_by_role("button", name="Sit here").click()
    for one in (ann, eve):
        one.page.wait_for_selector(".seat:has-text('Benedikt')")
    ben.open_lobby()
    expect(ben.page.get_by_label("Your name"), "It is his name elsewhere, too.").to_have_value("Benedikt")


def test_unknown_address_leads_back_to_the_lobby(server, new_player):
    ann = new_player(server)
    ann.open("/nothing/here")
    expect(ann.page.get_by_role("heading", name="Page not found")).to_be_visible()
    ann.page.get_by_role("banner").get_by_role("link").first.click()
    expect(ann.page.get_by_role("heading", name="Diamonds")).to_be_visible()


@pytest.mark.parametrize(("path", "heading"), [
    ("/today/archive", "Page not found"),
    ("/today/2026-03-01", "Page not found"),
    ("/today/2026-03-01/emeralds", "Deals of the day"),
    ("/rules/emeralds", "Page not found"),
    ("/table/nowhere", "There is no such table."),
    ("/match/nowhere", "Duplicate match"),
])  # fmt: skip
def test_page_of_an_unknown_thing_has_a_heading(path, heading, server, new_player):
    ann = new_player(server)
    ann.open(path)
    expect(ann.page.get_by_role("heading", level=1)).to_contain_text(heading)
    check_with_axe(ann, path)
