"""Write the browser storage of the checked-out version, in `tests`: `python -m upgrade.make_browser_fixtures v0.1`.

`make_fixtures` comes first.
"""

import contextlib
import gzip
import json
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from tests.browser import ensure_chromium
from tests.browser.conftest import CHROMIUM_FLAGS
from tests.browser.player import Player
from tests.browser.scripts import Scripts
from tests.browser.test_local_games import FAST_TIMEOUTS_JS, PLAY_ON_JS, start_local_game
from tests.browser.test_puzzles import give_answer, published_puzzles
from tests.browser.window_pool import PooledWindow
from tests.support import artifacts
from tests.test_lessons import course_of
from tests.upgrade import program

SCRIPTS = Scripts(__file__)

HERE = Path(__file__).parent
GUEST_NAME = "Gus"
SETTINGS = {"Theme": "dark", "Suit colours": "apart", "Card size": "large"}


def play_questions(player: Player, questions: int) -> None:
    for _ in range(questions):
        player.answer_question()
    player.question()
    player.wait_until_still()


def make_local_games(player: Player) -> list[dict[str, Any]]:
    """Finish a game of each kind, and begin another one of each."""
    found = []
    for game in ("crystals", "fourteen", "mines"):
        for over in (True, False):
            options = {"crystals": {"rounds": 1}, "fourteen": {"target": 5}}.get(game, {})
            player.window._scripts.clear()  # the choice made for the previous game
            player.add_init_script(FAST_TIMEOUTS_JS)
            table = start_local_game(player, game, level="1", **options)
            play_questions(player, 3 if over else 5)
            player.page.get_by_role("button", name="Undo").first.click()
            player.question()
            player.answer_question()
            if over:
                player.page.evaluate(PLAY_ON_JS, 3)
            else:
                player.question()
            message = player.page.locator("main.table").get_attribute("data-n")
            found.append({"id": table, "game": game, "over": over, "n": int(message or 0)})
            player.page.evaluate("localStorage.removeItem('diamonds.choice')")
    return found


def make_lesson_progress(player: Player) -> int:
    """Do the first two steps of a course."""
    player.open("/learn/crystals")
    for k, step in enumerate(course_of("crystals")["steps"][:2]):
        player.page.wait_for_selector(f".task[data-step='{k}']:not([data-how=right])")
        for pattern in step["do"]:
            card = pattern.split()[1]
            player.page.locator(f"[data-card='{card}'], [data-answer='{card}']").first.click()
        player.page.wait_for_selector(".task[data-how=right]")
        player.page.locator(".task .main").click()
    return 2


def make(target: Path) -> None:
    """Write the storage of a guest's browser."""
    artifacts.built_modules()
    known = json.loads((target / "known.json").read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as temporary, contextlib.ExitStack() as open_now:
        folder = Path(temporary) / "data"
        with tarfile.open(target / "data.tar.gz") as archive:
            archive.extractall(folder, filter="data")
        server = open_now.enter_context(program.serve_data_dir(folder))
        playwright = open_now.enter_context(sync_playwright())
        chrome = playwright.chromium.launch(executable_path=ensure_chromium.find_shell(), args=CHROMIUM_FLAGS)
        window = PooledWindow(
            chrome, {"service_workers": "block", "viewport": {"width": 1440, "height": 900}, "locale": "en"}
        )
        name, _, value = known["people"][GUEST_NAME]["cookie"].partition("=")
        window.context.add_cookies([{"name": name, "value": value, "url": server.address}])
        gus = Player(window, server.address)
        window._scripts.clear()  # the tests' settings, which no player chose
        window.add_init_script(FAST_TIMEOUTS_JS)
        gus.open("/settings")
        gus.page.locator("input[type=range]").fill("0")
        about: dict[str, Any] = {
            "guest": GUEST_NAME,
            "games": make_local_games(gus),
            "lessons": {"crystals": make_lesson_progress(gus)},
        }
        first, second = published_puzzles("fourteen")[:2]
        gus.open("/puzzles/fourteen/1")
        give_answer(gus, first["answers"][0][0][0])
        gus.open("/puzzles/fourteen/2")
        give_answer(gus, second["answers"][-1][0][0])
        about["puzzles"] = {"game": "fourteen", "solved": 1, "failed": 2}
        gus.open("/settings")
        for label, choice in SETTINGS.items():
            gus.page.get_by_label(label).select_option(choice)
        gus.page.locator("label", has_text="Sound").locator("input").check()
        gus.page.get_by_label("Language").select_option("de")
        gus.page.wait_for_selector("h1:text('Einstellungen')", state="attached")
        stored = gus.page.evaluate(SCRIPTS["readStorage"])
        about["cookies"] = [{"name": one["name"], "value": one["value"]} for one in window.context.cookies()]
        assert not gus.page_errors, gus.page_errors
        chrome.close()
    text = json.dumps({**about, **stored}, ensure_ascii=False, indent=1) + "\n"
    (target / "browser.json.gz").write_bytes(gzip.compress(text.encode(), mtime=0))


if __name__ == "__main__":
    make(HERE / sys.argv[1])
