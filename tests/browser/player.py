"""Someone who plays through the page and through nothing else: by mouse, by touch, or by keyboard alone."""

from __future__ import annotations

import json
import random
import time
import uuid
from collections.abc import Callable, Sequence
from typing import Any

from playwright.sync_api import Page, Response, Route

from browser.windows import BLANK, LEAVE, PATIENCE, Window

# Whether a card is on its way or something fades; what goes on for ever does not count.
MOVING = """document.getAnimations().some(
  (one) => one.playState === 'running' && one.effect?.getTiming().iterations !== Infinity)"""

# Until what was changed just now, the window's size for one, is drawn: what moves because of it moves by then.
DRAWN = "() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))"

# What the page asks: the words on the buttons, and where there is something to press. The corner of a card always shows.
ASKED = """() => {
  if (document.querySelector('.end')) return {over: true}
  const question = document.querySelector('main.table')?.dataset.question
  if (!question) return null
  const at = (node) => {
    const box = node.getBoundingClientRect()
    const card = node.classList.contains('card')
    return {
      name: node.dataset.card ?? node.dataset.pile ?? node.dataset.answer ?? node.textContent.trim(),
      x: box.x + (card ? 9 : box.width / 2), y: box.y + (card ? 12 : box.height / 2),
    }
  }
  const all = (what) => [...document.querySelectorAll(what)].map(at)
  return {
    over: false, question,
    cards: all('.hand .card.open'), piles: all('.spot.open'),
    choices: all('.choices button'), targets: all('button.target'),
  }
}"""
# The same, once nothing moves any more: a card is pressed where it lies, not where it comes from.
AT_REST = f"() => {MOVING} ? null : ({ASKED})()"

# What the page draws by chance goes into the shuffle: it is different in each page and for each person, and the same each time.
BY_SEED = """{
  const load = localStorage.loads = 1 + Number(localStorage.loads ?? 0)
  let state = SEED * 65536 + load
  crypto.getRandomValues = (bytes) => bytes.map(() => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) >>> 24)
}"""

# What the page would do by itself when somebody has had a moment to look, it does once the test calls `goOn`.
LATER = """{
  const later = [], soon = window.setTimeout
  window.setTimeout = (go, wait, ...more) => (wait >= 700 && wait < 4000 ? later.push(go) : soon(go, wait, ...more))
  window.goOn = () => later.splice(0).forEach((go) => go())
}"""

# A link within the page; what was there before it, has gone when this returns. It stays where the same part of the page shows another
# thing (from rules to rules): that is no way to go there, and is said after a minute of pictures.
FOLLOW = """async (path) => {
  const old = document.querySelector('main')
  const link = Object.assign(document.createElement('a'), { href: path })
  old.append(link)
  link.click()
  for (let drawn = 0; old.isConnected; drawn++) {
    if (drawn > 3600) throw new Error(`What was there before ${path} does not go.`)
    await new Promise((done) => requestAnimationFrame(done))
  }
}"""

TO_BE_TAPPED = """() => {
  window.tapped = false
  addEventListener('click', () => (window.tapped = true), { capture: true, once: true })
}"""

# Who plays quickly has played before: the coach of a first game is for others (`test_coach.py`). And they play at the house,
# where the tests look; games on the device have tests of their own (`test_own.py`).
QUICK = {"trickSeconds": 0, "coach": "never", "bots": "house"}


class Player:
    """A person with a window of their own. ``troubles`` collects what the page complained of."""

    def __init__(self, window: Window, address: str, by: str = "mouse", seed: int = 1) -> None:
        self.window = window
        self.context = window.context
        self.page: Page = window.page
        self.address = window.house = address
        self.by = by
        self.random = random.Random(seed)
        self.troubles = window.troubles = []
        self.frames: list[dict[str, Any]] = []
        self.raw: list[str] = []
        self.settled = 0
        self.begin_with(BY_SEED.replace("SEED", str(seed)))
        self.prefer(QUICK)

    def begin_with(self, script: str) -> None:
        """Each page that this player opens from now on runs this first."""
        self.window.begin_with(script)

    def on(self, event: str, handler: Callable[..., Any]) -> None:
        """Hear of something that happens in the page."""
        self.window.on(event, handler)

    def route(self, what: str, handler: Callable[[Route], Any]) -> None:
        """Answer the page's requests in the house's place."""
        self.window.route(what, handler)

    def stop_the_clock(self) -> Any:
        """From now on it goes as the test says, and that in this window for ever."""
        self.window.spent = True
        self.page.clock.install()
        return self.page.clock

    def prefer(self, settings: dict[str, Any]) -> None:
        """The player's settings, for pages opened from now on."""
        text = json.dumps(json.dumps(settings))
        name = "'diamonds.settings'"
        self.begin_with(f"localStorage.getItem({name}) ?? localStorage.setItem({name}, {text})")

    def settle(self, **settings: Any) -> None:
        """The settings are changed before the next page is opened, as they would have been on the page where that is done."""
        self.settled += 1
        text = json.dumps(json.dumps({**QUICK, **settings}))
        change = f"localStorage.setItem('diamonds.settings', {text}); localStorage.settled = {self.settled}"
        self.begin_with(f"if (Number(localStorage.settled ?? 0) < {self.settled}) {{ {change} }}")

    def listen(self) -> None:
        """Keep every message of the page's stream, as the bytes that arrived."""
        session = self.window.tools()
        session.send("Network.enable")
        session.on("Network.eventSourceMessageReceived", lambda event: self.raw.append(event["data"]))

    def weigh(self, what: tuple[str, ...] = (".js", ".css")) -> dict[str, int]:
        """What is sent from now on of script and style, or of files that end otherwise: by file, the bytes that go over the line."""
        sent: dict[str, int] = {}

        def count(response: Response) -> None:
            if response.url.endswith(what):
                size = int(response.headers["content-length"])
                packed = response.headers.get("content-encoding") == "gzip"
                assert packed or size <= 500, (
                    f"{response.url} is sent as it is."
                )  # so the house has it: a few lines do not get smaller
                sent[response.url.rsplit("/", 1)[-1]] = size

        self.on("response", count)
        return sent

    def make(
        self,
        game: str = "crystals",
        seats: int = 4,
        options: dict[str, Any] | None = None,
        places: list[str] | None = None,
        private: bool = True,
        **more: Any,
    ) -> dict[str, str]:
        """A new table, made with the wire's own route."""
        body = {
            "game": game,
            "seats": seats,
            "options": options or {},
            "places": places or ["me", *["bot:simple"] * (seats - 1)],
            "private": private,
            **more,
        }
        self.page.request.get(f"{self.address}/api/house")  # the first request makes one a guest
        answer = self.page.request.post(f"{self.address}/api/tables", data=body, headers={"Origin": self.address})
        assert answer.ok, answer.text()
        made: dict[str, str] = answer.json()
        return made

    def open(self, path: str) -> None:
        self.page.goto(path if path.startswith("http") else self.address + path)

    def go(self, path: str) -> None:
        """Follow a link to another part of the page, which stays loaded: less than half the work of `open`."""
        self.page.evaluate(FOLLOW, path)

    def open_variants(self) -> None:
        """In the lobby, whatever is seldom chosen, unless it is open already."""
        self.page.wait_for_selector(".choose select")
        self.page.evaluate("() => document.querySelector('.choose details:not([open]) > summary')?.click()")

    def sit_down(
        self, game: str = "crystals", seats: int = 4, options: dict[str, Any] | None = None, by_link: bool = False
    ) -> str:
        """Make a table with bots and open it, or go there from where one is; returns its id."""
        table = self.make(game, seats, options)["id"]
        (self.go if by_link else self.open)(f"/table/{table}")
        self.page.wait_for_selector(".cloth")
        return table

    def asked(self, wait: bool = True) -> dict[str, Any] | None:
        """What is asked now, or next; ``{"over": True}`` at the end."""
        found: dict[str, Any] | None
        if wait:
            found = self.page.wait_for_function(AT_REST).json_value()
        else:
            found = self.page.evaluate(AT_REST)
        return found

    def rest(self) -> None:
        """Until no card is on its way and nothing fades: what is measured then stays so."""
        self.page.evaluate(DRAWN)
        self.page.wait_for_function(f"() => !{MOVING}")

    def see_own_place_above_the_hand(self, over: int = 1) -> None:
        """One's own place is seen, all but so many pixels, and the hand is seen whole."""
        place, hand = (self.page.locator(what).bounding_box() for what in (".own .seat", ".own-hand .hand"))
        size = self.page.viewport_size
        assert place
        assert hand
        assert size
        assert place["y"] + place["height"] <= hand["y"] + over, "The hand lies over one's own place."
        assert hand["y"] + hand["height"] <= size["height"], "The hand is not seen whole."

    def heard(self, what: str) -> list[str]:
        """What these elements say to ears: what is drawn for eyes alone is left out."""
        found: list[str] = self.page.locator(what).evaluate_all(
            """(all) => all.map((one) => {
              const said = one.cloneNode(true)
              for (const drawn of said.querySelectorAll('[aria-hidden=true]')) drawn.remove()
              return said.textContent.trim()
            })"""
        )
        return found

    def state(self) -> dict[str, Any]:
        """All that the page shows of the game, to compare before and after."""
        shown: dict[str, Any] = self.page.evaluate(
            """() => ({
              n: document.querySelector('main.table').dataset.n,
              question: document.querySelector('main.table').dataset.question,
              hand: [...document.querySelectorAll('.hand .card')].map((card) => card.dataset.card),
              open: [...document.querySelectorAll('.hand .card.open, .spot.open')].map((node) => node.getAttribute('aria-label')),
              trick: [...document.querySelectorAll('.trick li')].map((card) => card.dataset.trick),
              seats: [...document.querySelectorAll('.seat')].map((seat) =>
                [...seat.children].filter((part) => !part.matches('.cut')).map((part) => part.textContent).join(' ')),
              status: document.querySelector('.status')?.textContent,
            })"""
        )
        return shown

    # Answering

    def turn(self, asked: dict[str, Any] | None = None) -> bool:
        """Answer one question; False once the game is over."""
        asked = asked or self.asked()
        assert asked is not None
        if asked["over"]:
            return False
        if asked["question"] == "pass":
            self._pass_on(asked)
        elif self.by == "keys":
            self._answer_by_keys(asked)
        else:
            self.press(self._wish(asked))
        return True

    def play_to_the_end(self, most: int = 600) -> int:
        """Play until the page shows the end; returns how many questions were answered."""
        for count in range(most):
            if not self.turn():
                return count
        raise AssertionError(f"The game was not over after {most} answers.")

    def message(self, table: str) -> dict[str, Any]:
        """What the server tells this player of a table."""
        told: dict[str, Any] = self.page.request.get(f"{self.address}/api/tables/{table}").json()
        return told

    def post(self, table: str, what: str, body: dict[str, object]) -> bool:
        """Say something to a table, past the page; whether it came in time (another was faster else)."""
        origin = {"Origin": self.address}
        reply = self.page.request.post(f"{self.address}/api/tables/{table}/{what}", data=body, headers=origin)
        assert reply.ok or reply.status == 409, reply.text()
        return reply.ok

    def pass_by(
        self, table: str, until: Callable[[dict[str, Any]], bool] | None = None, others: Sequence[Player] = ()
    ) -> dict[str, Any]:
        """Past the page, everyone gives the first legal answer until this player is asked what is wanted, or the game is over."""
        end = time.monotonic() + 2 * PATIENCE / 1000
        while time.monotonic() < end:
            asked = False
            for one in (self, *others):
                message = one.message(table)
                ask = message["ask"]
                if message["result"] or (ask and until and one is self and until(message)):
                    return message
                if ask:
                    asked = True
                    answers = [f"{ask['question']} {ask['legal'][0]}"]
                    one.post(table, "answers", {"n": message["n"], "answers": answers, "key": uuid.uuid4().hex})
            if not asked:
                time.sleep(0.02)  # a bot thinks: to ask without end would keep it from that
        raise TimeoutError("What is wanted is not asked, and the game does not end.")

    def go_away(self) -> None:
        """Leave the page for an empty one, which draws nothing of what happens at the table."""
        self.page.evaluate(LEAVE)
        self.page.wait_for_url(BLANK)

    def play_away(
        self, table: str, until: Callable[[dict[str, Any]], bool] | None = None, others: Sequence[Player] = ()
    ) -> dict[str, Any]:
        """`pass_by`, with every page away; then each player opens the table again."""
        for one in (self, *others):
            one.go_away()
        message = self.pass_by(table, until, others)
        for one in (self, *others):
            one.open(f"/table/{table}")
            one.page.wait_for_selector(".end" if message["result"] else ".cloth")
        return message

    def _wish(self, asked: dict[str, Any]) -> dict[str, Any]:
        """What to press: anything that is offered, but not to pass a turn of mines for ever."""
        everything = [
            *asked["cards"],
            *asked["piles"],
            *asked["targets"],
            *(choice for choice in asked["choices"] if choice["name"] != "pass"),
        ]
        return self.random.choice(everything or asked["choices"])  # type: ignore[no-any-return]

    def press(self, place: dict[str, Any]) -> None:
        """A click or a tap, exactly there. A tap becomes a click only after the finger was lifted: that is waited for."""
        if self.by == "touch":
            self.page.evaluate(TO_BE_TAPPED)
            self.page.touchscreen.tap(place["x"], place["y"])
            self.page.wait_for_function("() => tapped")
        else:
            self.page.mouse.click(place["x"], place["y"])

    def _pass_on(self, asked: dict[str, Any]) -> None:
        """Pick cards, then send them off with the one button."""
        if self.by == "keys":
            while self.page.locator("button.pass").is_disabled():
                self._walk(1 + self.random.randrange(3))
                self.page.keyboard.press("Space")
            self._tab_to("button.pass")
            self.page.keyboard.press("Enter")
            return
        for place in self.random.sample(asked["cards"], 3):
            if self.page.locator("button.pass").is_disabled():
                self.press(place)
        box = self.page.locator("button.pass:enabled").bounding_box()
        assert box is not None
        self.press({"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2})

    def _answer_by_keys(self, asked: dict[str, Any]) -> None:
        """Digits for buttons; arrows and Enter for cards and piles, to which the focus has come by itself."""
        if asked["targets"] or (asked["choices"] and not asked["cards"] and not asked["piles"]):
            wish = self.random.randrange(min(10, len(asked["choices"] or asked["targets"])))
            self.page.keyboard.press(str((wish + 1) % 10))
            return
        self._begin()
        focus = "() => document.activeElement?.matches('.card.open, .spot.open, .choices button') ?? false"
        self.page.wait_for_function(focus)
        if asked["cards"]:
            for _ in range(self.random.randrange(3)):
                self.page.keyboard.press("ArrowRight")
            while not self.page.evaluate("document.activeElement.matches('.card.open')"):
                self.page.keyboard.press("ArrowRight")
        self.page.keyboard.press("Enter")

    def _begin(self) -> None:
        """On a page where no key was pressed yet, an arrow goes to what is asked."""
        if self.page.evaluate("document.activeElement === document.body"):
            self.page.keyboard.press("ArrowRight")

    def _walk(self, steps: int) -> None:
        self._begin()
        self.page.wait_for_function("() => document.activeElement?.matches('.hand .card') ?? false")
        for _ in range(steps):
            self.page.keyboard.press("ArrowRight")

    def _tab_to(self, what: str) -> None:
        for _ in range(30):
            if self.page.evaluate(f"document.activeElement?.matches({what!r}) ?? false"):
                return
            self.page.keyboard.press("Shift+Tab")
        raise AssertionError(f"The Tab key does not reach {what}.")
