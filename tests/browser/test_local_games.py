"""Local games: the page plays them without the server and stores every answer."""

import contextlib
import json
import os
import re
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Error, expect

from diamonds import deals, record_reader, records
from diamonds.game import GAMES
from tests.browser.conftest import CHROMIUM_FLAGS, BrowserTestServer
from tests.browser.player import FAST_SETTINGS, Player
from tests.browser.scripts import Scripts
from tests.browser.test_accessibility import check_with_axe
from tests.browser.test_hints_and_reviews import request_hint
from tests.browser.window_pool import WAIT_TIMEOUT_MS

SCRIPTS = Scripts(__file__)

pytestmark = pytest.mark.kernels

OFFLINE_READY_JS = "() => navigator.serviceWorker.ready.then((there) => there.active.state === 'activated')"
FAST_TIMEOUTS_JS = SCRIPTS.call("shortenTimeouts")


@pytest.fixture
def ann(engine: Path, server: BrowserTestServer, new_player: Callable[..., Player]) -> Player:
    one = new_player(server)
    one.add_init_script(FAST_TIMEOUTS_JS)
    return one


def choose_game(ann: Player, game: str, level: str = "3", **options: int) -> None:
    """Make these choices in the lobby."""
    wishes = {f"{game}.{name}": value for name, value in options.items()}
    choice = {
        "game": game, "seats": {"crystals": 3}.get(game, 2), "level": level, "pace": "quick", "options": wishes,
    }  # fmt: skip
    ann.add_init_script(
        f"localStorage.getItem('diamonds.choice') ?? localStorage.setItem('diamonds.choice', {json.dumps(json.dumps(choice))})"
    )


def start_local_game(ann: Player, game: str, level: str = "3", **options: int) -> str:
    """Start a new game on this device; return its table's id."""
    choose_game(ann, game, level, **options)
    ann.open("/own")
    ann.page.locator("section .button.main").click()
    ann.page.wait_for_selector(".cloth")
    return ann.page.url.rsplit("/", 1)[-1]


PLAY_ON_JS = SCRIPTS["playOn"]


def cache_everything(ann: Player, server: BrowserTestServer) -> None:
    """Open the page and wait until it has cached itself, without any action; then stop the server and the network."""
    ann.add_init_script(FAST_TIMEOUTS_JS)
    ann.change_settings(bots="device")
    ann.open_lobby()
    ann.page.wait_for_function(OFFLINE_READY_JS)
    server.stop()
    ann.context.set_offline(True)


def play_now(ann: Player, **choice: Any) -> None:
    """Press *Play now* in the lobby, and wait for a question with more than a number to choose."""
    ann.page.evaluate("(choice) => localStorage.setItem('diamonds.choice', choice)", json.dumps(choice))
    ann.open("/")
    ann.page.click(".now:enabled")
    while ann.question()["question"] in ("count", "pass"):  # type: ignore[index]
        ann.answer_question()


def finish_and_review(ann: Player) -> records.RecordedGame:
    """Play to the end; return the record after looking at review and replay."""
    ann.page.evaluate(PLAY_ON_JS, 3)
    played = record_reader.load_record(ann.save_record())
    assert played.over
    assert played.seat_holders.count("person") == 1
    ann.page.get_by_role("link", name="Review").click()
    ann.page.wait_for_selector(".review .head h2", timeout=4 * WAIT_TIMEOUT_MS)
    you = ann.page.locator(".review figure li").filter(has_text=re.compile(r"^\s*You$"))
    expect(you, "A guest does not know their stored name.").to_have_count(1)
    table = ann.page.url.split("/")[-2]
    stored = ann.page.evaluate("() => JSON.parse(localStorage.getItem('diamonds.mistakes'))")
    assert table in stored["tables"], "expected the mistakes of a local game to be stored for practice"
    ann.page.goto(ann.page.url.replace("/review", "/replay"))
    ann.page.wait_for_selector(".slider input")
    assert ann.page.locator(".slider input").get_attribute("max") == str(played.n)
    return played


def import_to_server(ann: Player, server: BrowserTestServer, played: records.RecordedGame) -> None:
    """With server and network back, save this game to the server."""
    ann.context.set_offline(False)
    server.start()
    ann.open("/own")
    ann.page.get_by_role("button", name=f"Save {played.game.name.capitalize()} to the server, too").click()
    ann.page.wait_for_selector(".slider input")
    assert ann.page.locator(".slider input").get_attribute("max") == str(played.n)
    kept = ann.get_table(ann.page.url.split("/")[-2])
    assert kept["table"]["fork"] == {"commitment": played.commitment, "n": played.n}, "The cards were known."


def nearly_finished_record() -> str:
    """Return the record of a game of fourteen against bots in which one person has two cards left."""
    game = GAMES["fourteen"]
    played = records.start_game(game, 3, {"target": 5}, deals.seeded_secret(1), players=["Ann", "Ben", "Cleo"])
    played.seat_holders = ["person", "bot:1", "bot:1"]
    while game.to_act(played.state) != [0] or len(game.legal(played.state, 0)) > 2 or played.n < 30:
        seat = game.to_act(played.state)[0]
        played.answer(seat, game.legal(played.state, seat)[0])
        assert not played.over
    return records.write_record(played, reveal=True)


def import_record(ann: Player, record: str, path: str = "/own") -> None:
    ann.open(path)
    ann.choose_file(record)
    ann.page.get_by_role("link", name=re.compile("Fourteen|Vierzehn")).click()
    ann.question()


def test_finished_game_is_shared_as_a_link_and_opened_by_anyone(engine, server, new_player):
    ann, ben = new_player(server), new_player(server, "phone")
    import_record(ann, nearly_finished_record())
    ann.page.evaluate(PLAY_ON_JS, 3)
    ann.add_init_script("delete Navigator.prototype.share")
    ann.context.grant_permissions(["clipboard-read", "clipboard-write"])
    ended = ann.page.locator(".end").inner_text()
    ann.open("/own")
    status = ann.page.locator("main li em").inner_text()
    place, places, points = re.fullmatch(r"place (\d) of (\d), (\d+) points?", status).groups()  # type: ignore[union-attr]
    assert places == "3"
    assert f"{points} point" in ended, f"The list shows {status!r}, but the end was {ended!r}"
    ann.page.get_by_role("button", name="Share Fourteen").click()
    ann.page.get_by_text("The link is copied.").wait_for()
    link = ann.page.evaluate("navigator.clipboard.readText()")
    assert len(link) < 8100
    asked: list[str] = []
    ben.on("request", lambda request: asked.append(request.url))
    ben.open(link, ".slider input")
    assert ben.page.url == f"{server.address}/record/replay", "The address still contains the record."
    assert not [url for url in asked if "record=" in url], "The record was sent to the server in an address."
    ben.page.get_by_role("link", name="Review").first.click()
    ben.page.wait_for_selector(".review .head h2", timeout=4 * WAIT_TIMEOUT_MS)

    for damage in (link[:-40], link + "!", f"{server.address}/record#record=AAAA"):
        ben.open("/settings")
        ben.open(damage)
        ben.page.get_by_text("This link is damaged or incomplete.").wait_for()
    check_with_axe(ben, "a link that is damaged")

    ann.open("/")
    ann.page.get_by_text("Finished games (1)").click()
    line = ann.page.locator(".tables li a:not(.button)")
    expect(line).to_contain_text(f"place {place} of 3, {points} point")
    expect(line, "The date of the game is missing.").to_contain_text(re.compile(r"\b20\d\d\b"))


def test_reader_without_a_name_is_called_in_the_language_of_the_page(engine, server, new_player):
    ann = new_player(server, locale="de")
    earlier = json.loads(nearly_finished_record())
    import_record(ann, json.dumps({**earlier, "players": ["You", "Ben", "Cleo"]}))
    name = ann.page.locator(".own .seat .name")
    expect(name, "A name stored by an earlier version is shown instead of “Du”.").to_have_text("Du")

    ben = new_player(server, locale="de")
    ben.page.route("**/api/server", lambda route: route.abort())  # so that the server cannot send the name
    start_local_game(ben, "mines")
    expect(ben.page.locator(".own .seat .name")).to_have_text("Du")
    assert ben.page.evaluate(SCRIPTS["readStoredNames"]) == [""], "A name of one language is stored."
    ben.page.unroute("**/api/server")


def test_local_game_runs_offline_and_is_imported_later(engine, private_server, new_player):
    """Offline, *Play now*, a hint, a game, its review, replay and record, the rules and another language work."""
    ann = new_player(private_server, "phone", service_workers="allow")
    cache_everything(ann, private_server)
    modules = set(re.findall(r'"file": "([^"]+)"', (engine / "manifest.json").read_text(encoding="utf-8")))
    assert modules, "Expected the manifest to name its modules."
    missing = {"manifest.json", *modules} - {
        path.rpartition("/")[2] for path in ann.page.evaluate(SCRIPTS["readCachedPaths"])
    }
    assert not missing, f"Expected these modules in the cache: {sorted(missing)}"
    for game, seats in (("mines", 2), ("crystals", 3)):
        play_now(ann, game=game, seats=seats, level="1", pace="quick")
        request_hint(ann)
    import_record(ann, nearly_finished_record())
    played = finish_and_review(ann)
    ann.open("/rules/mines", "article h2:text('In short')")
    ann.open("/settings")
    ann.page.get_by_label("Language").select_option("de")
    ann.page.wait_for_selector("h1:text('Einstellungen')", state="attached")
    ann.open("/rules/crystals", "article h2:text('Auf dem Tisch')")
    ann.change_settings(bots="device")
    import_to_server(ann, private_server, played)


def kill_browser(profile: Path) -> None:
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if f"--user-data-dir={profile}".encode() in (process / "cmdline").read_bytes().split(b"\0"):
                os.kill(int(process.name), signal.SIGKILL)


def record_table_requests(ann: Player) -> list[str]:
    """Record requests to the server's tables from now on."""
    asked: list[str] = []
    ann.on("request", lambda request: asked.append(request.url) if "/api/tables/" in request.url else None)
    return asked


def test_local_game_resumes_exactly_and_is_listed_until_removed(ann):
    asked = record_table_requests(ann)
    table = start_local_game(ann, "crystals", level="1")
    while ann.question()["question"] != "play":  # type: ignore[index]
        ann.answer_question()
    ann.answer_and_wait()
    ann.wait_until_still()
    before = ann.shown_state()
    ann.page.reload()
    ann.question()
    ann.wait_until_still()
    assert ann.shown_state() == before, "Expected the same game after a reload."
    ann.open("/own")
    game = ann.page.locator("main li")
    game.get_by_text("your turn").wait_for()
    assert game.get_by_role("link").get_attribute("href") == f"/table/{table}"
    game.get_by_role("button", name="Remove Crystals").click()
    game.get_by_role("button", name="Remove for good").click()
    game.wait_for(state="detached")
    assert not asked, f"The server got {asked[:3]} for a local game."


def test_play_now_starts_a_local_game_listed_with_server_tables(ann):
    """The server plays instead if the setting says so, or if the device cannot."""
    choose_game(ann, "fourteen")
    for missing in (True, False):
        device = json.dumps(json.dumps({**FAST_SETTINGS, "bots": "device"}))
        ann.add_init_script(f"localStorage.setItem('diamonds.settings', {device})")
        if missing:
            ann.route("**/engine/manifest.json", lambda route: route.fulfill(status=404))
        ann.open("/")
        ann.page.click(".now:enabled")
        ann.page.wait_for_selector(".hand .card")
        assert ("/table/own-" in ann.page.url) != missing, "expected a local game exactly where rules are there"
        ann.page.unroute("**/engine/manifest.json")
    here = ann.page.url.removeprefix(ann.address)
    ann.open("/")
    ann.page.locator(f".tables a[href='{here}']").get_by_text("Fourteen").wait_for()
    ann.page.locator(".tables a").nth(1).wait_for()  # the server's game is also listed
    assert ann.page.locator(".tables a").count() == 2
    ann.page.locator(f".tables a[href='{here}']").click()
    ann.question()
    ann.open("/settings")
    ann.page.get_by_label("Games against bots").select_option("house")
    settled = ann.page.evaluate("JSON.parse(localStorage.getItem('diamonds.settings')).bots")
    assert settled == "house"


def test_local_play_now_sends_at_most_92_kb_and_15_kb_of_rules(engine, server, new_player):
    ann = new_player(server, locale="de", fresh=True)
    ann.change_settings(bots="device")
    sent, compiled = ann.page_weight(), ann.page_weight((".wasm",))
    ann.open("/")
    ann.page.click(".now:enabled")
    ann.page.wait_for_selector(".hand .card")
    assert "/table/own-" in ann.page.url
    assert sum(sent.values()) <= 92_000, f"JavaScript and CSS take {sum(sent.values()):,} bytes: {sent}"
    play = {name: size for name, size in compiled.items() if "-play-" in name}
    assert 0 < sum(play.values()) <= 15_000, f"The first card needs {compiled} bytes of modules"


def test_failed_bots_are_reported_and_continue_once_they_work(ann):
    gone = [True]
    ann.route("**/engine/*-thinking-*", lambda route: route.fulfill(status=404) if gone else route.continue_())
    start_local_game(ann, "mines")
    said = ann.page.get_by_role("alert").get_by_text("The bots could not be loaded")
    while not said.is_visible():
        if ann.page.locator("main.table").get_attribute("data-question"):
            ann.answer_question()
        else:
            said.wait_for()
    n = int(ann.shown_state()["n"])
    gone.clear()
    said.wait_for(state="detached")
    ann.page.wait_for_function("(n) => document.querySelector('main.table').dataset.n > n", arg=n)


@pytest.mark.slow
def test_nothing_shown_is_lost_when_the_browser_is_killed(engine, server, browser, chromium_path, tmp_path):
    shown, table = 0, ""
    for killed in range(3):
        context = browser.browser_type.launch_persistent_context(
            str(tmp_path / "profile"), executable_path=chromium_path, args=list(CHROMIUM_FLAGS)
        )
        page = context.new_page()
        page.set_default_timeout(WAIT_TIMEOUT_MS)
        if killed == 0:
            choice = json.dumps(json.dumps({"game": "crystals", "seats": 3, "level": "1", "pace": "quick"}))
            page.goto(f"{server.address}/own")
            page.evaluate(f"localStorage.setItem('diamonds.choice', {choice})")
            page.reload()
            page.get_by_role("button", name="Play here").click()
            page.wait_for_selector("main.table[data-question]")
            table = page.url
        page.goto(table)
        page.wait_for_selector("main.table[data-question]")
        n = int(page.locator("main.table").get_attribute("data-n") or 0)
        assert n >= shown, f"{shown} answers were shown, but {n} are stored after the browser was killed"
        if killed == 2:
            context.close()
            return
        page.evaluate(SCRIPTS["pressAnswer"])
        shown = int(page.locator("main.table").get_attribute("data-n") or 0)
        kill_browser(tmp_path / "profile")
        with contextlib.suppress(Error):
            context.close()


def test_second_tab_follows_the_first_and_can_play(ann):
    table = start_local_game(ann, "mines", level="1")
    ann.question()
    other = ann.context.new_page()
    other.goto(f"{ann.address}/table/{table}")
    other.wait_for_selector("main.table[data-question]")
    n = ann.shown_state()["n"]
    ann.answer_question()
    other.wait_for_function("(n) => document.querySelector('main.table').dataset.n > n", arg=int(n))
    other.wait_for_function("() => document.querySelector('main.table').dataset.question")
    n = other.evaluate("() => document.querySelector('main.table').dataset.n")
    other.locator(".spot.open, .choices button").first.click()
    ann.page.wait_for_function("(n) => document.querySelector('main.table').dataset.n > n", arg=int(n))
    other.close()
