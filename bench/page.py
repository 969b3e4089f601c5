"""Speed of the page in a real Chromium on this machine, compared with its budgets.

Each time is printed with its budget and a lower limit: the time to load an empty page, the screen's frame time, or a
bare POST over loopback. Browser, server and measurement share the CPU. Run by ``make bench ARGS=page``; ``--quick`` is
a short run.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import tempfile
import threading
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
try:
    import numpy as np
    from playwright.sync_api import Browser, Page, sync_playwright
    from tests.browser import ensure_chromium
    from tests.browser.conftest import CHROMIUM_FLAGS, INDEX_HTML, VIEWPORTS, BrowserTestServer
    from tests.browser.player import FAST_SETTINGS, Player
    from tests.browser.window_pool import PooledWindow

    from diamonds.bots import games
    from diamonds.bots.games.adapter import MAX_CANDIDATES
    from diamonds.bots.levels import BOTS
    from diamonds.bots.search import search
    from diamonds.game import find_game
except ImportError as error:
    sys.exit(f"Measuring the page needs the packages of the tests (`make test` installs them): {error}.")

if TYPE_CHECKING:
    from collections.abc import Iterator

# Recorded in the page: when the first card became playable, when cards were pressed and shown, how long the page was
# busy, and the time from an answer to the next question.
WATCH_JS = """
window.watched = { playable: 0, pressed: {}, seen: {}, busy: [], waits: [] }
let answered = null
const now = () => performance.timeOrigin + performance.now()
const round = () => (document.querySelector('.round')?.textContent ?? '').split(' of')[0]
addEventListener('click', (event) => {
  const table = document.querySelector('main.table')
  if (table?.dataset.question) answered = { at: now(), n: table.dataset.n }
  const card = event.target.closest?.('.hand .card.open')
  if (card && document.querySelector('main.table').dataset.question === 'play') watched.pressed[round() + card.dataset.card] = now()
}, true)
new MutationObserver(() => {
  if (!watched.playable && document.querySelector('.hand .card.open')) watched.playable = performance.now()
  const table = document.querySelector('main.table')
  if (answered && (document.querySelector('.end') || (table?.dataset.question && table.dataset.n !== answered.n))) {
    watched.waits.push(now() - answered.at)
    answered = null
  }
  for (const card of document.querySelectorAll('.trick li')) watched.seen[round() + card.dataset.trick] ??= now()
}).observe(document, { childList: true, subtree: true, attributes: true })
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) watched.busy.push(entry.duration)
}).observe({ type: 'longtask', buffered: true })
"""

# Measured in the page: when an empty page was drawn, its frame times, and the times of a bare POST.
BASELINE_JS = """async (times) => {
  const frame = () => new Promise(requestAnimationFrame)
  const beats = [], posts = []
  let last = await frame()
  for (let k = 0; k < times; k++) { const at = await frame(); beats.push(at - last); last = at }
  for (let k = 0; k < times; k++) {
    const began = performance.now()
    await (await fetch('/', { method: 'POST', body: '{"n":1,"answers":["play D1"]}' })).text()
    posts.push(performance.now() - began)
  }
  return [beats, posts]
}"""


# The last choices for a local table, as the browser stores them.
LOCAL_TABLE_CHOICE = {"game": "fourteen", "seats": 3, "level": "3", "pace": "quick"}

# Recorded in the page: how long the engine's worker took for each request, without waiting for earlier ones, and the
# input and result of bots.
RECORD_THINKING_JS = """
window.thoughts = []
window.Worker = class extends Worker {
  asked = new Map()
  replied = 0
  constructor(...given) {
    super(...given)
    this.addEventListener('message', ({ data }) => {
      const [{ what, given }, at] = this.asked.get(data.id)
      const now = performance.now()
      thoughts.push({ what, took: now - Math.max(at, this.replied), given, found: data.found })
      this.replied = now
    })
  }
  postMessage(data) {
    this.asked.set(data.id, [data, performance.now()])
    super.postMessage(data)
  }
}
"""
# JSON has no 64-bit integers, so they become text.
READ_THINKING_JS = """() => thoughts.map(({ what, took, given, found }) => what !== 'think' ? { what, took } :
  { what, took, row: Array.from(given[1], String), seat: given[2], bits: String(given[4]), found })"""
SUM_MEMORY_JS = "function () { return this.reduce((sum, one) => sum + one.buffer.byteLength, 0) }"


# Real browsers optimize scripts that run for a long time.
PLAYER_FLAGS = [flag for flag in CHROMIUM_FLAGS if not flag.startswith("--js-flags")]


class BaselineHandler(BaseHTTPRequestHandler):
    """A minimal server."""

    protocol_version = "HTTP/1.1"
    # send head and body together, because otherwise the second waits 40 ms for the acknowledgement of the first
    wbufsize = -1

    def send_page(self) -> None:
        """Send a page with one word for every request."""
        self.rfile.read(int(self.headers.get("content-length") or 0))
        body = b"<!doctype html><title>-</title><script>requestAnimationFrame(() => (window.drawn = performance.now()))</script>x"
        self.send_response(200)
        self.send_header("content-type", "text/html")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_POST = send_page

    def log_message(self, *words: Any) -> None:
        """Log nothing."""


@contextmanager
def baseline_server() -> Iterator[str]:
    """Run the minimal server; yield its address."""
    with ThreadingHTTPServer(("127.0.0.1", 0), BaselineHandler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def open_player(browser: Browser, server: BrowserTestServer, **settings: Any) -> Player:
    """Return a player with a browser context of their own and an empty cache."""
    width, height = VIEWPORTS["desktop"]
    window = PooledWindow(browser, {"viewport": {"width": width, "height": height}, "reduced_motion": "reduce"})
    window.context.add_init_script(WATCH_JS)
    player = Player(window, server.address)
    player.set_initial_settings({**FAST_SETTINGS, **settings})
    return player


def print_row(label: str, times: list[float], budget: float | None, note: str = "") -> None:
    """Print one line: the median, the 95th percentile, and the budget."""
    times = sorted(times)
    p95 = times[min(len(times) - 1, int(0.95 * len(times)))]
    allowed = f"   budget {budget:5.0f}, {p95 / budget:4.0%} of it" if budget else ""
    print(f"  {label:38} {statistics.median(times):7.1f} ms   {p95:7.1f} in 95 of 100 ({len(times)}){allowed}{note}")


def measure_page_open(browser: Browser, server: BrowserTestServer, bare: str, times: int) -> None:
    """Measure the time from an address to playable cards with an empty cache: at the player's table, and at a new one.

    An empty page is the comparison.
    """
    maker = open_player(browser, server)
    table = maker.sit_down("fourteen", 3)
    maker.question()
    state = maker.context.storage_state()
    cards: list[float] = []
    new: list[float] = []
    empty: list[float] = []
    for _ in range(times):
        for at, found in ((table, cards), (maker.create_table("fourteen", 3)["id"], new)):
            context = browser.new_context(storage_state=state, reduced_motion="reduce")
            context.add_init_script(WATCH_JS)
            page = context.new_page()
            page.goto(f"{server.address}/table/{at}")
            page.wait_for_function("() => watched.playable")
            found.append(page.evaluate("() => watched.playable"))
            context.close()
        context = browser.new_context()
        page = context.new_page()
        page.goto(bare)
        page.wait_for_function("() => window.drawn")
        empty.append(page.evaluate("() => drawn"))
        context.close()
    maker.context.close()
    print_row("page opened → own cards playable", cards, 1000)
    print_row("the same at a new table, with bots", new, 1000)
    print_row("an empty page opened → drawn", empty, None)


def open_local_table(browser: Browser, server: BrowserTestServer, times: int) -> None:
    """Measure the time from an address to playable cards at a local table, without and with a service worker.

    The service worker is measured with the server and without it.
    """
    maker = Player(PooledWindow(browser, {"reduced_motion": "reduce", "service_workers": "allow"}), server.address)
    maker.set_initial_settings(FAST_SETTINGS)
    maker.context.add_init_script(WATCH_JS)
    maker.add_init_script(f"localStorage.setItem('diamonds.choice', {json.dumps(json.dumps(LOCAL_TABLE_CHOICE))})")
    maker.open("/own")
    maker.page.get_by_role("button", name="Play here").click()
    maker.page.wait_for_function("() => watched.playable")
    table = maker.page.url
    maker.page.evaluate(
        "() => navigator.serviceWorker.register('/sw.js').then(() => navigator.serviceWorker.ready).then(() => true)"
    )
    maker.page.wait_for_function("() => navigator.serviceWorker.controller?.state === 'activated'")
    state = maker.context.storage_state(indexed_db=True)

    def once(page: Page) -> float:
        page.goto(table)
        page.wait_for_function("() => watched.playable")
        return float(page.evaluate("() => watched.playable"))

    def kept() -> float:
        page = maker.context.new_page()
        found = once(page)
        page.close()
        return found

    cold, with_server = [], []
    for _ in range(times):
        context = browser.new_context(storage_state=state, reduced_motion="reduce")
        context.add_init_script(WATCH_JS)
        cold.append(once(context.new_page()))
        context.close()
        with_server.append(kept())
    server.stop()
    without = [kept() for _ in range(times)]
    server.start()
    maker.context.close()
    print_row("own table opened → cards playable", cold, 1000)
    print_row("the same from the service worker", with_server, 500)
    print_row("the same while the server is away", without, 500)


def measure_play(browser: Browser, server: BrowserTestServer, bare: str, answers: int) -> None:
    """Measure two people at a table: one moves a card, the other sees it.

    The comparisons are frame times and a bare POST.
    """
    ann, ben = open_player(browser, server), open_player(browser, server)
    # A finished trick stays long enough for its last card to be drawn.
    for one in (ann, ben):
        one.change_settings(trickSeconds=0.2)
    made = ann.create_table("crystals", 2, {"two_cards": False}, ["me", "open"])
    ben.open(f"/table/{made['id']}?invite={made['invite']}")
    ben.page.get_by_role("button", name="Sit here").click()
    ann.open(f"/table/{made['id']}")
    for one in (ann, ben):
        one.page.wait_for_selector(".cloth")
    given, end = 0, time.monotonic() + 180
    while given < answers and time.monotonic() < end:
        for one in (ann, ben):
            asked = one.question(wait=False)
            if asked and asked["over"]:
                given = answers
            elif asked:
                one.answer_question(asked)
                given += 1
    for one in (ann, ben):
        one.page.wait_for_timeout(300)
    notes = [one.page.evaluate("() => watched") for one in (ann, ben)]
    own, others = [], []
    for mine, theirs in (notes, reversed(notes)):
        for card, at in mine["pressed"].items():
            if card in mine["seen"] and card in theirs["seen"]:
                own.append(mine["seen"][card] - at)
                others.append(theirs["seen"][card] - at)
    page = ann.context.new_page()
    page.goto(bare)
    beats, posts = page.evaluate(BASELINE_JS, 60)
    print_row("own card pressed → it moves", own, 100)
    print_row("the screen's frame time", beats, None)
    print_row("own card pressed → the other sees it", others, 150)
    print_row("a bare POST over loopback", posts, None)
    busy = sorted(note for one in notes for note in one["busy"])
    print(
        f"  a page busy for over 50 ms             {len(busy):7} times in {given} answers, at most {max(busy, default=0):.0f} ms"
    )
    for one in (ann, ben):
        one.context.close()


def measure_bot_waits(browser: Browser, folder: Path, quick: bool) -> None:
    """Measure whole games, and the time from an answer to the next question with fast-forward."""
    server = BrowserTestServer(folder, bot_delay="")
    games = (("crystals", 4, 1500), ("crystals", 6, 1500), ("fourteen", 4, 1500), ("mines", 2, 3000))
    try:
        for game, seats, budget in games:
            ann = open_player(browser, server)
            places = ["me", *["bot:3"] * (seats - 1)]
            ann.open(f"/table/{ann.create_table(game, seats, places=places, bot_speed='quick')['id']}")
            whole = game != "fourteen" and not quick
            for _ in range(600 if whole else 12 if quick else 40):
                if not ann.answer_question():
                    break
                ann.page.keyboard.press("f")
            waits = ann.page.evaluate("() => watched.waits")
            beside = f"   {sum(waits) / 1000:.0f} s in the whole game" if whole else ""
            print_row(f"{game}, {seats} seats: answer → next question", waits, budget, beside)
            ann.context.close()
    finally:
        server.stop()


def native_times(name: str, answers: list[dict[str, Any]]) -> list[float]:
    """Return the milliseconds of the same decisions by native kernels, and check that the answers are equal."""
    game = find_game(name)
    effort, think = BOTS["5"].search_params(game), search.compiled_decide(game)  # type: ignore[attr-defined]
    search.warm_up(game)
    room = np.empty(MAX_CANDIDATES, np.int64), np.empty(MAX_CANDIDATES), np.empty(MAX_CANDIDATES, np.int64)
    took = []
    for one in answers:
        row = np.array([int(number) for number in one["row"]], np.int64)
        view = np.frombuffer(bytearray(row.tobytes()), game.dtype)
        bits = np.uint64(int(one["bits"]) % (1 << 64))
        numbers = games.adapter_for(game).weights_for(view[0])
        began = time.perf_counter()
        answer = think(view, one["seat"], effort, numbers, 0, bits, *room)[2]
        took.append(1000 * (time.perf_counter() - began))
        if answer != one["found"]:
            raise SystemExit(f"{name}: the page's answers differ from those of native kernels.")
    return took


def page_memory(page: Page) -> tuple[float, float]:
    """Return megabytes of the JavaScript heaps of a page and its workers, and of the memories of their modules."""
    tools, workers, replies = page.context.new_cdp_session(page), [""], {}

    def heard(event: dict[str, Any]) -> None:
        reply = json.loads(event["message"])
        replies[event["sessionId"], reply.get("id")] = reply.get("result")

    tools.on("Target.attachedToTarget", lambda event: workers.append(event["sessionId"]))
    tools.on("Target.receivedMessageFromTarget", heard)
    tools.send("Target.setAutoAttach", {"autoAttach": True, "waitForDebuggerOnStart": False, "flatten": False})

    def ask(worker: str, what: str, **given: Any) -> Any:
        if not worker:
            return tools.send(what, given)
        key = (worker, len(replies))
        message = json.dumps({"id": key[1], "method": what, "params": given})
        tools.send("Target.sendMessageToTarget", {"sessionId": worker, "message": message})
        while key not in replies:
            page.wait_for_timeout(10)
        return replies[key]

    heaps = memories = 0.0
    for one in workers:
        heaps += ask(one, "Runtime.getHeapUsage")["usedSize"]
        kind = ask(one, "Runtime.evaluate", expression="WebAssembly.Memory.prototype")["result"]["objectId"]
        all_of_it = ask(one, "Runtime.queryObjects", prototypeObjectId=kind)["objects"]["objectId"]
        found = ask(
            one, "Runtime.callFunctionOn", objectId=all_of_it, functionDeclaration=SUM_MEMORY_JS, returnByValue=True
        )
        memories += found["result"]["value"]
    tools.detach()
    return heaps / 1e6, memories / 1e6


def measure_local_play(browser: Browser, server: BrowserTestServer, quick: bool) -> None:
    """Measure games on the device against the best bots: the first card after *Play now*, own cards, bots, hints."""
    for game, seats, budget in (("crystals", 4, 150), ("fourteen", 4, 150), ("mines", 2, 600)):
        ann = open_player(browser, server)
        choice = json.dumps(json.dumps({"game": game, "seats": seats, "level": "5", "pace": "quick"}))
        ann.add_init_script(f"localStorage.setItem('diamonds.choice', {choice})")
        ann.add_init_script(
            f"localStorage.setItem('diamonds.settings', {json.dumps(json.dumps({**FAST_SETTINGS, 'bots': 'device'}))})"
        )
        ann.add_init_script(RECORD_THINKING_JS)
        sent = ann.page_weight()
        ann.open("/")
        ann.page.wait_for_selector(".now:enabled")
        first = []
        for _ in range(2):  # only the first time loads anything
            ann.page.evaluate("() => { window.pressed = performance.now() }")
            ann.page.click(".now:enabled")
            ann.page.wait_for_selector(".hand .card, .spot.open")
            first.append(ann.page.evaluate("() => performance.now() - pressed"))
            ann.page.go_back()
            ann.page.wait_for_selector(".now:enabled")
        print_row(f"{game}, {seats} seats, on the device: first card", first[:1], 1000, f"   again {first[1]:.0f} ms")
        ann.page.click(".now:enabled")
        ann.page.wait_for_selector(".hand .card, .spot.open")
        ann.page.evaluate("() => { watched.busy = [] }")
        given = 0
        while ann.answer_question() and given < (12 if quick else 60):
            given += 1
            ann.page.keyboard.press("f")
        found = ann.page.evaluate("() => watched")
        shown = [found["seen"][card] - at for card, at in found["pressed"].items() if card in found["seen"]]
        if shown:
            print_row("own card pressed → shown", shown, 50)
        if ann.question(wait=False):
            ann.page.keyboard.press("h")
            ann.page.wait_for_function("() => thoughts.some(({ what }) => what === 'hint')")
        told = ann.page.evaluate(READ_THINKING_JS)
        answers = [one for one in told if one["what"] == "think"]
        here, native = [one["took"] for one in answers], native_times(game, answers)
        print_row("level 5 answers", here, budget)
        print_row("the same by native kernels", native, None, f"   {sum(native) / sum(here):.2f} of the time")
        if hints := [one["took"] for one in told if one["what"] == "hint"]:
            print_row("a hint", hints, 1000)
        heaps, memories = page_memory(ann.page)
        busy = sorted(found["busy"])
        print(
            f"  a page busy for over 50 ms             {len(busy):7} times in {given} answers, at most {max(busy, default=0):.0f} ms\n"
            f"  heaps of page and worker, modules      {heaps:7.1f} MB and {memories:.1f} MB   budget 60 MB, {(heaps + memories) / 60:.0%} of it\n"
            f"  script and style                       {sum(sent.values()) / 1000:7.1f} kB"
        )
        ann.context.close()


def measure_page_weight(browser: Browser, server: BrowserTestServer) -> None:
    """Measure the size of scripts and styles of a table, and of the way from the lobby through *Play now*."""
    at_once = Player(PooledWindow(browser), server.address)
    sent = at_once.page_weight()
    at_once.sit_down()
    at_once.question()
    print(f"  JavaScript and CSS of a table          {sum(sent.values()) / 1000:7.1f} kB   budget 64 kB")
    through = Player(PooledWindow(browser), server.address)
    sent = through.page_weight()
    through.open("/")
    through.page.click(".now:enabled")
    through.page.wait_for_selector(".hand .card")
    print(f"  … from the lobby through Play now      {sum(sent.values()) / 1000:7.1f} kB   budget 72 kB")
    for one in (at_once, through):
        one.context.close()


def machine_load() -> str:
    """Return how busy the machine is: the load, and the ratio of wall time to CPU time."""
    began, work = time.perf_counter(), time.process_time()
    while time.process_time() - work < 0.2:
        pass
    longer = (time.perf_counter() - began) / (time.process_time() - work)
    return f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores: wall time is {longer:.1f} times CPU time"


def main() -> int:
    """Run the benchmark (see the module docstring)."""
    parser = argparse.ArgumentParser(description="Measure the page.")
    parser.add_argument("--quick", action="store_true", help="a short run")
    given = parser.parse_args()
    path = ensure_chromium.find()
    if path is None or not INDEX_HTML.exists():
        print(
            ensure_chromium.MISSING_MESSAGE if path is None else "The page is not built: run `python web/build.py`.",
            file=sys.stderr,
        )
        return 1
    print(f"The page, in Chromium over loopback ({machine_load()}):")
    with tempfile.TemporaryDirectory() as folder, baseline_server() as bare, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=PLAYER_FLAGS)
        server = BrowserTestServer(Path(folder))
        try:
            measure_page_weight(browser, server)
            measure_page_open(browser, server, bare, 5 if given.quick else 25)
            open_local_table(browser, server, 5 if given.quick else 25)
            measure_play(browser, server, bare, 30 if given.quick else 100)
            measure_bot_waits(browser, Path(folder) / "paced", given.quick)
            measure_local_play(browser, server, given.quick)
            print(f"At the end: {machine_load()}.")
        finally:
            server.stop()
            browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
