"""Write what a browser of the version that is checked out stores: `python -m upgrade.make_browser v0.1`, in `tests`, after `make`."""

from __future__ import annotations

import contextlib
import gzip
import json
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

import made
from browser import chromium
from browser.conftest import FLAGS
from browser.player import Player
from browser.test_own import PLAY_ON, SOON, begin
from browser.test_puzzles import give, puzzles
from browser.windows import Window
from test_lessons import course_of
from upgrade import program

HERE = Path(__file__).parent
GUEST = "Gus"
SETTINGS = {"Light": "dark", "Colours of the suits": "apart", "Size of the cards": "large"}

# Everything that the origin stores, but files of the program itself.
STORED = """async () => {
  const done = (request) => new Promise((found, failed) => {
    request.onsuccess = () => found(request.result)
    request.onerror = () => failed(request.error)
  })
  const databases = []
  for (const { name, version } of await indexedDB.databases()) {
    const base = await done(indexedDB.open(name, version))
    const stores = []
    for (const store of base.objectStoreNames) {
      const all = base.transaction(store).objectStore(store)
      stores.push({ name: store, keyPath: all.keyPath, records: await done(all.getAll()) })
    }
    base.close()
    databases.push({ name, version, stores })
  }
  return { databases, local: { ...localStorage }, session: { ...sessionStorage } }
}"""


def play_some(gus: Player, questions: int) -> None:
    """Answer some questions."""
    for _ in range(questions):
        gus.turn()
    gus.asked()
    gus.rest()


def games(gus: Player) -> list[dict[str, Any]]:
    """Play a game of each kind to its end, and begin another one of each."""
    found = []
    for game in ("crystals", "fourteen", "mines"):
        for over in (True, False):
            options = {"crystals": {"rounds": 1}, "fourteen": {"target": 5}}.get(game, {})
            gus.window._scripts.clear()  # what was chosen for the game before
            gus.begin_with(SOON)
            table = begin(gus, game, level="1", **options)
            play_some(gus, 3 if over else 5)
            gus.page.get_by_role("button", name="Undo").first.click()
            gus.asked()
            gus.turn()
            if over:
                gus.page.evaluate(PLAY_ON, 3)
            else:
                gus.asked()
            message = gus.page.locator("main.table").get_attribute("data-n")
            found.append({"id": table, "game": game, "over": over, "n": int(message or 0)})
            gus.page.evaluate("localStorage.removeItem('diamonds.choice')")
    return found


def lessons(gus: Player) -> int:
    """Do the first two steps of a course."""
    gus.open("/learn/crystals")
    for k, step in enumerate(course_of("crystals")["steps"][:2]):
        gus.page.wait_for_selector(f".task[data-step='{k}']:not([data-how=right])")
        for pattern in step["do"]:
            card = pattern.split()[1]
            gus.page.locator(f"[data-card='{card}'], [data-answer='{card}']").first.click()
        gus.page.wait_for_selector(".task[data-how=right]")
        gus.page.locator(".task .main").click()
    return 2


def make(target: Path) -> None:
    """Write the storage of a guest's browser."""
    made.engine()
    known = json.loads((target / "known.json").read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as temporary, contextlib.ExitStack() as open_now:
        folder = Path(temporary) / "data"
        with tarfile.open(target / "data.tar.gz") as archive:
            archive.extractall(folder, filter="data")
        server = open_now.enter_context(program.serving(folder))
        playwright = open_now.enter_context(sync_playwright())
        chrome = playwright.chromium.launch(executable_path=chromium.find_shell(), args=FLAGS)
        window = Window(
            chrome, {"service_workers": "block", "viewport": {"width": 1440, "height": 900}, "locale": "en"}
        )
        name, _, value = known["people"][GUEST]["cookie"].partition("=")
        window.context.add_cookies([{"name": name, "value": value, "url": server.address}])
        gus = Player(window, server.address)
        window._scripts.clear()  # what tests prefer is nobody's choice
        window.begin_with(SOON)
        gus.open("/settings")
        gus.page.locator("input[type=range]").fill("0")
        about: dict[str, Any] = {"guest": GUEST, "games": games(gus), "lessons": {"crystals": lessons(gus)}}
        first, second = puzzles("fourteen")[:2]
        gus.open("/puzzles/fourteen/1")
        give(gus, first["answers"][0][0][0])
        gus.open("/puzzles/fourteen/2")
        give(gus, second["answers"][-1][0][0])
        about["puzzles"] = {"game": "fourteen", "solved": 1, "failed": 2}
        gus.open("/settings")
        for label, choice in SETTINGS.items():
            gus.page.get_by_label(label).select_option(choice)
        gus.page.locator("label", has_text="Sound").locator("input").check()
        gus.page.get_by_label("Language").select_option("de")
        gus.page.wait_for_selector("h1:text('Einstellungen')", state="attached")
        stored = gus.page.evaluate(STORED)
        about["cookies"] = [{"name": one["name"], "value": one["value"]} for one in window.context.cookies()]
        assert not gus.troubles, gus.troubles
        chrome.close()
    text = json.dumps({**about, **stored}, ensure_ascii=False, indent=1) + "\n"
    (target / "browser.json.gz").write_bytes(gzip.compress(text.encode(), mtime=0))


if __name__ == "__main__":
    make(HERE / sys.argv[1])
