"""Games resume at the exact state after a reload, an offline period or a killed server."""

from typing import Any

from playwright.sync_api import expect

from tests.browser.player import Player

GAMES = [("crystals", 3), ("fourteen", 4), ("mines", 2)]


def play_to_middle(ann: Player, game: str, seats: int) -> dict[str, Any]:
    """Play until Ann is asked a question in the middle of a game; return everything that the page shows."""
    ann.sit_down(game, seats)
    for _ in range(4):
        ann.answer_question()
    ann.question()
    return ann.shown_state()


def assert_answered(ann: Player, before: dict[str, Any]) -> None:
    """Wait until the answer has arrived and the next question is open."""
    ann.page.wait_for_function(
        "(n) => { const { dataset } = document.querySelector('main.table'); return dataset.n !== n && dataset.question }",
        arg=before["n"],
    )


def test_table_resumes_after_offline_and_plays_a_pressed_card_once(server, new_player):
    ann = new_player(server)
    before = play_to_middle(ann, "fourteen", 3)
    ann.context.set_offline(True)
    ann.page.wait_for_selector(".banner")
    expect(ann.page.locator(".banner")).to_contain_text("Connection lost")
    question = ann.question()
    card = question["cards"][0]["name"]
    ann.press(question["cards"][0])
    ann.page.wait_for_selector(f'[data-trick="{card}"]')
    ann.context.set_offline(False)
    ann.page.wait_for_selector(".banner", state="detached")
    assert_answered(ann, before)
    assert ann.shown_state()["hand"] == [other for other in before["hand"] if other != card], "expected one play"


def test_lost_connection_banner_covers_no_player_on_a_phone(server, new_player):
    ann = new_player(server, "phone")
    ann.change_settings(language="de")
    for game, seats in GAMES:
        ann.sit_down(game, seats)
        ann.question()
        ann.context.set_offline(True)
        banner = ann.page.locator(".banner").bounding_box()
        top = min(seat.bounding_box()["y"] for seat in ann.page.locator(".seat").all())
        assert banner["y"] + banner["height"] <= top, f"{game}: expected the banner above all players"
        log = ann.page.get_by_role("button", name="Verlauf und Chat").bounding_box()
        assert banner["x"] + banner["width"] <= log["x"], f"{game}: expected the log button beside the banner"
        ann.context.set_offline(False)
        ann.page.wait_for_selector(".banner", state="detached")


def test_killed_server_and_client_resume_at_the_exact_state(private_server, new_player):
    ann = new_player(private_server)
    for game, seats in GAMES:
        before = play_to_middle(ann, game, seats)
        private_server.kill()
        ann.page.wait_for_selector(".banner")
        private_server.start()
        ann.page.wait_for_selector(".banner", state="detached")
        ann.question()
        assert ann.shown_state() == before, f"{game}: expected the page as before the kill."
        ann.page.reload()
        question = ann.question()
        assert ann.shown_state() == before, f"{game}: expected the same state in a new page."
        if game != "fourteen":
            ann.answer_question(question)
            continue
        # A card pressed while the server is down is played once the server is back.
        card = question["cards"][-1]["name"]
        private_server.kill()
        ann.press(question["cards"][-1])
        ann.page.wait_for_selector(f'[data-trick="{card}"]')
        private_server.start()
        ann.page.wait_for_selector(".banner", state="detached")
        assert_answered(ann, before)
        assert ann.shown_state()["hand"] == [other for other in before["hand"] if other != card], "expected one play"


def test_part_opened_while_the_server_is_away_loads_once_it_is_back(private_server, new_player):
    ann = new_player(private_server, fresh=True)
    ann.open("/", ".now:enabled")
    private_server.kill()
    ann.follow_link("/settings")
    ann.page.get_by_role("alert").filter(has_text="This opens as soon as it answers.").wait_for()
    expect(ann.page.get_by_role("banner").get_by_role("link", name="Diamonds")).to_be_visible()
    private_server.start()
    language = ann.page.locator("label").filter(has=ann.page.get_by_label("Language"))
    language.wait_for()
    assert language.evaluate("(label) => getComputedStyle(label).display") == "flex", "expected its style sheet, too"
