"""Duels by link: two people play the same cards without a server, and compare their games."""

import base64
import json
import random
import re
import zlib
from typing import Any

import pytest
from playwright.sync_api import Route, expect

from diamonds import deals, records
from diamonds.game import GAMES
from tests.browser.conftest import wait_for
from tests.browser.player import Player
from tests.browser.scripts import Scripts
from tests.browser.test_accessibility import check_with_axe
from tests.browser.test_local_games import FAST_TIMEOUTS_JS, PLAY_ON_JS, import_record, nearly_finished_record
from tests.browser.test_static_site import visit_site
from tests.browser.window_pool import WAIT_TIMEOUT_MS
from tests.test_answer_check import changed_record, play_on, played_game

SCRIPTS = Scripts(__file__)

pytestmark = pytest.mark.kernels

PLAY_BUTTON = "Play the same cards"


def start_game(ann: Player, game: str = "fourteen") -> None:
    """Start a short game on this device."""
    options = {"fourteen.target": 5, "crystals.rounds": 1}
    choice = {"game": game, "seats": 2 if game == "mines" else 3, "level": "1", "pace": "quick", "options": options}
    ann.open("/")
    ann.page.evaluate("(choice) => localStorage.setItem('diamonds.choice', choice)", json.dumps(choice))
    ann.open("/?/own")
    ann.page.get_by_role("button", name="Play here").click()
    ann.page.wait_for_selector(".cloth")


def challenge_link(ann: Player, name: str = "Ann") -> str:
    """Return the link that challenges a friend, from the end of a game."""
    ann.open_more()
    ann.page.get_by_role("link", name="Challenge a friend").click()
    ann.page.get_by_label("Your name").fill(name)
    return link_of(ann, name)


def link_of(player: Player, name: str) -> str:
    """Return the displayed link, once it contains this name."""
    # polled, because `wait_for_function` accepts a pending promise
    while not player.page.evaluate(SCRIPTS["linkHasName"], name):
        player.page.wait_for_timeout(50)
    return player.page.get_by_label("Send this link").input_value()


def open_link(link: str) -> dict[str, Any]:
    packed = base64.urlsafe_b64decode(link.rpartition("=")[2] + "==")
    data: dict[str, Any] = json.loads(zlib.decompress(packed[1:], -15))
    return data


def accept(ben: Player, link: str) -> None:
    """Open a challenge and start to play."""
    ben.open("/?/settings")
    ben.page.goto(link)
    ben.page.get_by_role("button", name=PLAY_BUTTON).click()
    ben.page.wait_for_selector("main.table[data-question]")


def own_entries(player: Player) -> list[str]:
    """Return the entries of the newest table on this device."""
    entries: list[str] = player.page.evaluate(SCRIPTS["readNewestEntries"])
    return entries


def wait_for_reviews(player: Player) -> None:
    """Wait until both games of a comparison are reviewed."""
    player.page.get_by_text("Costs are in points").wait_for(timeout=4 * WAIT_TIMEOUT_MS)


def test_friends_play_the_same_cards_and_compare_without_a_server(site, new_player):
    (ann, astray), (ben, also_astray) = visit_site(site, new_player), visit_site(site, new_player)
    start_game(ann)
    ann.page.evaluate(PLAY_ON_JS, 3)
    link = challenge_link(ann)
    assert link.startswith(f"{site.address}/?/duel#challenge=")
    check_with_axe(ann, "the page that sends a challenge")

    ben.page.goto(link)
    ben.page.get_by_role("heading", name="Ann challenges you").wait_for()
    expect(ben.page.get_by_role("main")).to_contain_text("Fourteen, target 5")
    expect(ben.page.get_by_role("main")).to_contain_text("2 bots (Beginner)")
    check_with_axe(ben, "an opened challenge")
    accept(ben, link)
    ben.page.goto(link)
    ben.page.get_by_role("link", name="Continue the game").click()
    ben.page.evaluate(PLAY_ON_JS, 77)
    ben.page.get_by_role("link", name="Compare both games").click()
    wait_for_reviews(ben)
    sides = ben.page.locator(".sides section")
    expect(sides.nth(0)).to_contain_text("Ann")
    expect(sides.nth(1)).to_contain_text("You")
    expect(sides).to_contain_text([re.compile(r"place \d of 3.*given away", re.DOTALL)] * 2)
    assert ben.page.locator("tbody tr:not(.parting)").count() > 10, "expected every decision side by side"
    check_with_axe(ben, "the comparison of two games")
    ben.page.goto(link)
    ben.page.get_by_role("link", name="Compare both games").click()

    wait_for_reviews(ben)
    compared = ben.page.locator("tbody").all_inner_texts()
    ben.page.get_by_text("Send your result to Ann").click()
    result = link_of(ben, "Ann")
    ann.page.goto(result)
    wait_for_reviews(ann)
    assert ann.page.locator("tbody").all_inner_texts() == compared, "expected the same comparison for both"
    ann.page.reload()
    wait_for_reviews(ann)

    ann.page.goto(link)
    ann.page.get_by_text("You have already played these cards.").wait_for()
    assert not astray + also_astray, f"requests failed or left the site: {(astray + also_astray)[:4]}"


def test_late_reply_of_the_site_does_not_reset_the_form(site, new_player):
    """The page asks for the site's data twice, and appears after the first reply."""
    ann = new_player(site, "phone", service_workers="block")
    ann.add_init_script(FAST_TIMEOUTS_JS)
    start_game(ann)
    ann.page.evaluate(PLAY_ON_JS, 3)
    ann.open_more()
    ann.page.get_by_role("link", name="Challenge a friend").click()
    ann.page.get_by_label("Your name").wait_for()
    held: list[Route] = []
    ann.route("**/server.json", lambda route: route.continue_() if held else held.append(route))
    ann.page.reload()
    ann.page.get_by_label("Your name").fill("Zoe")
    with ann.page.expect_response("**/server.json") as reply:
        held[0].continue_()
    reply.value.finished()
    ann.wait_until_still()
    expect(ann.page.get_by_label("Your name")).to_have_value("Zoe")
    link_of(ann, "Zoe")


@pytest.mark.parametrize("game", ["crystals", "mines"])
def test_bots_answer_a_duel_alike_whenever_they_are_asked(game, site, new_player):
    (ann, _), (ben, _) = visit_site(site, new_player), visit_site(site, new_player)
    start_game(ann, game)
    ann.page.evaluate(PLAY_ON_JS, 3)
    entries = own_entries(ann)
    accept(ben, challenge_link(ann))
    ben.page.evaluate(PLAY_ON_JS, 3)
    assert sorted(own_entries(ben)) == sorted(entries), "expected the same game from a friend who plays the same cards"
    ben.page.get_by_role("link", name="Compare both games").click()
    ben.page.get_by_role("heading", name="Neck and neck").wait_for()
    ben.page.get_by_label("Only where you differ").check()
    expect(ben.page.get_by_text("All decisions were the same.")).to_be_visible()
    expect(ben.page.locator("tbody tr")).to_have_count(0)


def test_end_says_whether_bot_answers_follow_from_the_secret(site, new_player):
    ann, _ = visit_site(site, new_player)
    start_game(ann)
    ann.page.evaluate(PLAY_ON_JS, 3)
    answers = [line for line in own_entries(ann) if not line.startswith("0 ")]
    ann.open_more()
    ann.page.get_by_role("button", name="Check the deal").click()
    ann.page.get_by_text(f"All {len(answers)} bot answers follow from the deal’s secret.").wait_for()

    text, n = changed_record(played_game(other="simple"))
    ann.open("/?/own")
    ann.choose_file(text)
    ann.page.get_by_role("link", name="Crystals").click()
    ann.open_more()
    ann.page.get_by_role("button", name="Check the deal").click()
    entry = json.loads(text)["entries"][n]
    ann.page.get_by_text(re.compile(rf"would answer differently in \d+ entr.*: {n} \({entry}\): ")).wait_for()


def test_game_too_long_for_a_link_is_sent_as_a_file(site, new_player):
    (ann, _), (ben, _) = visit_site(site, new_player), visit_site(site, new_player)
    played = records.start_game(GAMES["fourteen"], 6, {"target": 200}, deals.seeded_secret(3))
    played.seat_holders = ["person", *["bot:simple"] * 5]
    play_on(played, random.Random(1))
    ann.open("/?/own")
    ann.choose_file(records.write_record(played))
    ann.page.get_by_role("link", name="Challenge a friend").click()
    ann.page.get_by_label("Your name").fill("Ann")
    ann.page.get_by_text(f"Your friend opens it at {site.address}/?/duel.").wait_for()
    with ann.page.expect_download() as saved:
        ann.page.locator(".button.main", has_text="Save as a file").click()
    ben.open("/?/duel")
    ben.choose_file(saved.value.path().read_text(encoding="utf-8"))
    ben.page.get_by_role("heading", name="Ann challenges you").wait_for()
    ben.page.get_by_role("button", name=PLAY_BUTTON).click()
    ben.page.wait_for_selector("main.table[data-question]")


def test_lobby_offers_finished_games_on_device_and_server_as_challenges(server, new_player):
    ann = new_player(server, "phone")
    ann.open("/")
    ann.sit_down("fourteen", 3, {"target": 5})
    ann.page.evaluate(PLAY_ON_JS, 3)
    ann.open("/own")
    ann.choose_file(records.write_record(played_game(other="simple")))
    ann.page.get_by_role("link", name="Crystals").wait_for()
    for game in ("Fourteen", "Crystals"):
        ann.open("/")
        ann.page.get_by_text("Finished games (2)").click()
        line = ann.page.get_by_role("listitem").filter(has_text=game)
        line.get_by_role("link", name="Challenge a friend").click()
        ann.page.get_by_label("Send this link").wait_for()


@pytest.mark.parametrize("file", ["manifest.json", "crystals-play-*"])
def test_link_opened_while_a_result_is_loading_replaces_it(file, engine, server, new_player):
    ann = new_player(server)
    record = json.loads(records.write_record(played_game(other="simple")))
    side = {"name": "Ben", "entries": record["entries"]}
    held: list[Route] = []
    ann.route(f"**/engine/{file}", lambda route: held.append(route))
    ann.open("/duel")
    ann.choose_file(json.dumps(record | {"format": "diamonds duel 1", "sides": [side, side]}))
    wait_for(lambda: bool(ann.page.evaluate("1") and held), "expected the result to load the rules")
    ann.page.goto(f"{server.address}/duel#challenge=AAAA")
    damaged = ann.page.get_by_text("This challenge is damaged or incomplete.")
    damaged.wait_for()
    with ann.page.expect_response(f"**/engine/{file}") as reply:
        held[0].continue_()
    reply.value.finished()
    ann.wait_until_still()
    expect(damaged).to_be_visible()


def test_r2_challenge_reveals_nothing_of_the_challengers_play(site, new_player):
    """Two challenges with the same cards, from players who played differently, look the same until the end."""
    ann, _ = visit_site(site, new_player)
    shown: list[list[Any]] = []
    links: list[str] = []
    for seed in (3, 4):
        import_record(ann, nearly_finished_record(), "/?/own")
        ann.page.evaluate(PLAY_ON_JS, seed)
        links.append(challenge_link(ann))
        ann.open("/?/own")
        ann.page.get_by_role("button", name="Remove Fourteen").click()
        ann.page.get_by_role("button", name="Remove for good").click()
        ann.page.get_by_role("button", name="Remove for good").wait_for(state="detached")
    challenges = [open_link(link) for link in links]
    sealed = [challenge.pop("sealed") for challenge in challenges]
    assert challenges[0] == challenges[1], "The open part depends on the play."
    assert sealed[0] != sealed[1]
    assert len(sealed[0]) == len(sealed[1]), "The length of the sealed part depends on the play."
    for link in links:
        ben, _ = visit_site(site, new_player)
        ben.page.goto(link)
        ben.page.get_by_role("button", name=PLAY_BUTTON).wait_for()
        page = ben.page.locator("main").inner_html()
        accept(ben, link)
        ben.wait_until_still()
        stored = json.dumps(ben.page.evaluate(SCRIPTS["readTables"]))
        assert "entries" not in stored
        assert " play " not in stored, "The challenger's play is stored in the open."
        html = ben.page.locator("main").inner_html()
        shown.append([page, html, ben.page.evaluate("() => Object.keys(localStorage).sort()")])
    assert shown[0] == shown[1], "The pages tell two games of the challenger apart."


def test_bad_challenges_get_one_sentence_each(site, new_player):
    ann, _ = visit_site(site, new_player)
    import_record(ann, nearly_finished_record(), "/?/own")
    table = ann.page.url.rpartition("/")[2]
    ann.open(f"/?/duel/{table}")
    ann.page.get_by_text("This game is not finished.").wait_for()
    ann.open(f"/?/table/{table}")
    ann.page.evaluate(PLAY_ON_JS, 3)
    ann.open_more()
    ann.page.get_by_role("link", name="Challenge a friend").click()
    link = link_of(ann, "Ann")
    with ann.page.expect_download() as saved:
        ann.page.get_by_role("button", name="Save as a file").click()
    challenge = json.loads(saved.value.path().read_text(encoding="utf-8"))

    for damaged in (link[:-30], f"{site.address}/?/duel#challenge=AAAA"):
        ann.open("/?/settings")
        ann.page.goto(damaged)
        ann.page.get_by_text("This challenge is damaged or incomplete.").wait_for()
    check_with_axe(ann, "a damaged challenge")
    for changed, says in (
        ({"format": "diamonds challenge 2"}, "made by a newer version"),
        ({"game": "emeralds"}, "made by a newer version"),
        ({"rules_version": 99}, "another version of the rules"),
        ({"options": challenge["options"] | {"jokers": True}}, "options that this version does not know"),
        ({"secret": "00"}, "damaged or incomplete"),
    ):
        ann.open("/?/duel")
        ann.choose_file(json.dumps(challenge | changed))
        ann.page.get_by_text(says).wait_for()
    ann.open("/?/duel")
    ann.choose_file(json.dumps(challenge))
    ann.page.get_by_text("You have already played these cards.").wait_for()
