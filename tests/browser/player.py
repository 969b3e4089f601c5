"""A player who uses only the page, by mouse, touch or keyboard."""

from __future__ import annotations

import json
import random
import time
import uuid
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, Response, Route

from tests.browser.scripts import Scripts
from tests.browser.window_pool import BLANK_URL, LEAVE_JS, WAIT_TIMEOUT_MS, PooledWindow

SCRIPTS = Scripts(__file__)

# Resolves when a change such as a new window size is drawn. Movements caused by it have begun by then.
NEXT_FRAME_JS = "() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))"

QUESTION_AT_REST_JS = SCRIPTS["readQuestionAtRest"]


DEFERRED_TIMEOUTS_JS = SCRIPTS.call("deferTimeouts")


# Fast settings for tests: no coach in a first game (`test_coach.py`), and bots on the server, because local games have
# their own tests (`test_local_games.py`).
FAST_SETTINGS = {"trickSeconds": 0, "coach": "never", "bots": "house", "autoPlay": "never"}

# Show the lobby of a returning player, with one button for the last choice (`test_lobby.py` covers the first visit).
PLAYED_BEFORE_JS = "localStorage.getItem('diamonds.played') ?? localStorage.setItem('diamonds.played', 'true')"


class Player:
    """A person with their own window. ``page_errors`` collects the page's errors."""

    def __init__(self, window: PooledWindow, address: str, input_method: str = "mouse", seed: int = 1) -> None:
        self.window = window
        self.context = window.context
        self.page: Page = window.page
        self.address = window.origin = address
        self.input_method = input_method
        self.random = random.Random(seed)
        self.page_errors = window.page_errors = []
        self.frames: list[dict[str, Any]] = []
        self.stream_messages: list[str] = []
        self.settings_changes = 0
        #: The legal answer that `play_by_api` gives for this player, counted from the first.
        self.legal_index = 0
        self.add_init_script(SCRIPTS.call("seedRandom", seed))
        self.set_initial_settings(FAST_SETTINGS)
        self.add_init_script(PLAYED_BEFORE_JS)

    def add_init_script(self, script: str) -> None:
        """Run a script at the beginning of each page that this player opens from now on."""
        self.window.add_init_script(script)

    def on(self, event: str, handler: Callable[..., Any]) -> None:
        """Register a handler for an event of the page."""
        self.window.on(event, handler)

    def route(self, what: str, handler: Callable[[Route], Any]) -> None:
        """Answer requests of the page instead of the server."""
        self.window.route(what, handler)

    def install_clock(self, time: str | None = None) -> Any:
        """Replace the page's clock with one that the test controls. The window is not reused."""
        self.window.is_spent = True
        self.page.clock.install(time=time)
        return self.page.clock

    def set_time(self, time: str) -> None:
        """Stop the page's clock at a time. The window is not reused."""
        self.window.is_spent = True
        self.page.clock.set_fixed_time(time)

    def set_initial_settings(self, settings: dict[str, Any]) -> None:
        """Set the player's settings for pages opened from now on."""
        text = json.dumps(json.dumps(settings))
        name = "'diamonds.settings'"
        self.add_init_script(f"localStorage.getItem({name}) ?? localStorage.setItem({name}, {text})")

    def change_settings(self, **settings: Any) -> None:
        """Change settings before the next page is opened, as the settings page would have."""
        self.settings_changes += 1
        text = json.dumps(json.dumps({**FAST_SETTINGS, **settings}))
        change = f"localStorage.setItem('diamonds.settings', {text}); localStorage.settled = {self.settings_changes}"
        self.add_init_script(f"if (Number(localStorage.settled ?? 0) < {self.settings_changes}) {{ {change} }}")

    def record_stream(self) -> None:
        """Keep every message of the page's stream as it arrived."""
        session = self.window.new_cdp_session()
        session.send("Network.enable")
        session.on("Network.eventSourceMessageReceived", lambda event: self.stream_messages.append(event["data"]))

    def page_weight(self, suffixes: tuple[str, ...] = (".js", ".css")) -> dict[str, int]:
        """Count the bytes of scripts and styles (or of other suffixes) sent from now on, by file."""
        sent: dict[str, int] = {}

        def count(response: Response) -> None:
            if response.url.endswith(suffixes):
                size = int(response.headers["content-length"])
                packed = response.headers.get("content-encoding") == "gzip"
                assert packed or size <= 500, f"{response.url} is sent uncompressed."
                sent[response.url.rsplit("/", 1)[-1]] = size

        self.on("response", count)
        return sent

    def create_table(
        self,
        game: str = "crystals",
        seats: int = 4,
        options: dict[str, Any] | None = None,
        places: list[str] | None = None,
        private: bool = True,
        **more: Any,
    ) -> dict[str, str]:
        """Create a table through the API."""
        body = {
            "game": game, "seats": seats, "options": options or {},
            "seats_taken_by": places or ["me", *["bot:simple"] * (seats - 1)], "private": private, **more,
        }  # fmt: skip
        self.page.request.get(f"{self.address}/api/server")  # the first request makes the player a guest
        answer = self.page.request.post(f"{self.address}/api/tables", data=body, headers={"Origin": self.address})
        assert answer.ok, answer.text()
        made: dict[str, str] = answer.json()
        return made

    def open(self, path: str, awaited: str = "") -> None:
        """Open a page, and wait until it has an element."""
        self.page.goto(path if path.startswith("http") else self.address + path)
        if awaited:
            self.page.wait_for_selector(awaited)

    def open_lobby(self) -> None:
        """Open the lobby and wait until a game can be chosen and started."""
        self.open("/", ".now:enabled")
        self.page.wait_for_selector(".choose select")

    def open_more(self) -> None:
        """Open the further choices at the end of a game."""
        self.page.locator(".end .more summary").click()

    def choose_file(self, text: str) -> None:
        """Choose a file with this text in the page's only file input."""
        file: Any = {"name": "game.json", "mimeType": "application/json", "buffer": text.encode()}
        self.page.locator("input[type=file]").set_input_files(file)

    def save_record(self) -> bytes:
        """Return the record downloaded at the end of a game."""
        self.open_more()
        with self.page.expect_download() as saved:
            self.page.get_by_role("link", name="Record").click()
        return Path(saved.value.path()).read_bytes()

    def follow_link(self, path: str, awaited: str = "") -> None:
        """Follow a link to another part of the page without reloading it, for less than half the work of `open`."""
        self.page.evaluate(SCRIPTS["followLink"], path)
        if awaited:
            self.page.wait_for_selector(awaited)

    def open_variants(self) -> None:
        """Expand the advanced options of the lobby if they are collapsed."""
        self.page.wait_for_selector(".choose select")
        self.page.evaluate("() => document.querySelector('.choose details:not([open]) > summary')?.click()")

    def sit_down(
        self,
        game: str = "crystals",
        seats: int = 4,
        options: dict[str, Any] | None = None,
        by_link: bool = False,
        asked: bool = True,
    ) -> str:
        """Create a table with bots, open it and wait for the first question; return its id."""
        table = self.create_table(game, seats, options)["id"]
        (self.follow_link if by_link else self.open)(f"/table/{table}", ".cloth")
        if asked:
            self.question()
        return table

    def take_seat(self, game: str, seats: int, options: dict[str, Any] | None = None) -> str:
        """Create a table with bots and sit down there through the API; return its id."""
        table = self.create_table(game, seats, options)["id"]
        self.post_to_table(table, "sit", {"nonce": ""})
        return table

    def question(self, wait: bool = True) -> dict[str, Any] | None:
        """Return the open question, or wait for the next one; ``{"over": True}`` at the end."""
        found: dict[str, Any] | None
        if wait:
            found = self.page.wait_for_function(QUESTION_AT_REST_JS).json_value()
        else:
            found = self.page.evaluate(QUESTION_AT_REST_JS)
        return found

    def wait_for_turn(self) -> str:
        """Wait; return "asked" if a question is open, or "waiting" while bots can be skipped."""
        state: str = self.page.wait_for_function(SCRIPTS["readTurn"]).json_value()
        return state

    def resize_window(self, width: int, height: int) -> None:
        """Resize the window and wait until fonts and layout have followed."""
        self.page.set_viewport_size({"width": width, "height": height})
        self.page.evaluate("() => document.fonts.ready.then(() => {})")  # another font has different widths
        self.wait_until_still()

    def wait_until_still(self) -> None:
        """Wait until no card moves and nothing fades, so that measured positions are final."""
        self.page.evaluate(NEXT_FRAME_JS)
        self.page.wait_for_function(f"() => !({SCRIPTS['isAnimating']})()")

    def assert_no_sideways_scrolling(self, where: str = "the page") -> None:
        wide = self.page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0, f"{where} is {wide} pixels wider than the screen."

    def assert_own_seat_visible(self, tolerance_px: int = 1) -> None:
        """Assert that the player's hand is visible and, except for ``tolerance_px``, the seat too."""
        seat, hand = (self.page.locator(what).bounding_box() for what in (".own .seat", ".own-hand .hand"))
        size = self.page.viewport_size
        assert seat["y"] + seat["height"] <= hand["y"] + tolerance_px, "The hand covers the player's seat."
        assert hand["y"] + hand["height"] <= size["height"], "Part of the hand is outside the window."

    def accessible_text(self, selector: str) -> list[str]:
        """Return the text that a screen reader speaks for these elements, without drawings."""
        found: list[str] = self.page.locator(selector).evaluate_all(SCRIPTS["readAccessibleTexts"])
        return found

    def shown_state(self) -> dict[str, Any]:
        """Return everything that the page shows of the game, for a later comparison."""
        shown: dict[str, Any] = self.page.evaluate(SCRIPTS["readShownState"])
        return shown

    # Answering

    def answer_question(self, question: dict[str, Any] | None = None) -> bool:
        """Answer one question; return False once the game is over."""
        question = question or self.question()
        if question["over"]:
            return False
        if question["question"] == "pass":
            self._pass_cards(question)
        elif self.input_method == "keys":
            self._answer_by_keys(question)
        else:
            self.press(self._pick_target(question))
        return True

    def answer_and_wait(self) -> None:
        """Answer a question and wait for the next one."""
        self.answer_question()
        self.question()

    def get_table(self, table: str) -> dict[str, Any]:
        """Return the server's message about a table for this player."""
        update: dict[str, Any] = self.page.request.get(f"{self.address}/api/tables/{table}").json()
        return update

    def post_to_table(self, table: str, action: str, body: dict[str, object]) -> bool:
        """Post to a table without the page; return False if another player was faster."""
        origin = {"Origin": self.address}
        reply = self.page.request.post(f"{self.address}/api/tables/{table}/{action}", data=body, headers=origin)
        assert reply.ok or reply.status == 409, reply.text()
        return reply.ok

    def answer_by_api(self, table: str, message: dict[str, Any]) -> None:
        """Give a legal answer to the open question of the server's message."""
        ask = message["open_question"]
        answer = f"{ask['question']} {ask['legal'][self.legal_index % len(ask['legal'])]}"
        body = {"n": message["n"], "answers": [answer], "idempotency_key": uuid.uuid4().hex}
        self.post_to_table(table, "answers", body)

    def answer_while_asked(self, table: str) -> None:
        """Answer through the API until another player is to act."""
        while (message := self.get_table(table))["open_question"]:
            self.answer_by_api(table, message)

    def play_by_api(
        self, table: str, until: Callable[[dict[str, Any]], bool] | None = None, others: Sequence[Player] = ()
    ) -> dict[str, Any]:
        """Let everyone answer through the API, by default the first legal answer, until this player's wanted question or the end."""
        end = time.monotonic() + 2 * WAIT_TIMEOUT_MS / 1000
        while time.monotonic() < end:
            is_anyone_to_act = False
            for player in (self, *others):
                message = player.get_table(table)
                ask = message["open_question"]
                if message["result"] or (ask and until and player is self and until(message)):
                    return message
                if ask:
                    is_anyone_to_act = True
                    player.answer_by_api(table, message)
            if not is_anyone_to_act:
                time.sleep(0.02)  # a bot is computing, and requests would slow it down
        raise TimeoutError("The wanted question did not come, and the game did not end.")

    def play_in_background(self, table: str, until: Callable[[dict[str, Any]], bool] | None = None) -> dict[str, Any]:
        """Run `play_by_api` while the page shows and draws nothing; then open the table again."""
        self.page.evaluate(LEAVE_JS)
        self.page.wait_for_url(BLANK_URL)
        message = self.play_by_api(table, until)
        self.open(f"/table/{table}", ".end" if message["result"] else ".cloth")
        return message

    def _pick_target(self, question: dict[str, Any]) -> dict[str, Any]:
        """Return a random target to press, but never pass every turn of mines."""
        everything = [
            *question["cards"],
            *question["piles"],
            *question["targets"],
            *(choice for choice in question["choices"] if choice["name"] != "pass"),
        ]
        return self.random.choice(everything or question["choices"])  # type: ignore[no-any-return]

    def press(self, place: dict[str, Any]) -> None:
        """Click or tap a point. A tap becomes a click only when the finger is lifted, which this waits for."""
        if self.input_method == "touch":
            self.page.evaluate(SCRIPTS["detectTap"])
            self.page.touchscreen.tap(place["x"], place["y"])
            self.page.wait_for_function("() => tapped")
        else:
            self.page.mouse.click(place["x"], place["y"])

    def _pass_cards(self, question: dict[str, Any]) -> None:
        """Pick cards, then pass them with the button."""
        if self.input_method == "keys":
            while self.page.locator("button.pass").is_disabled():
                self._walk(1 + self.random.randrange(3))
                self.page.keyboard.press("Space")
            self.tab_to("button.pass")
            self.page.keyboard.press("Enter")
            return
        for place in self.random.sample(question["cards"], 3):
            if self.page.locator("button.pass").is_disabled():
                self.press(place)
        box = self.page.locator("button.pass:enabled").bounding_box()
        self.press({"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2})

    def _answer_by_keys(self, question: dict[str, Any]) -> None:
        """Press digits for buttons, or arrows and Enter for cards and piles, which already have the focus."""
        if question["targets"] or (question["choices"] and not question["cards"] and not question["piles"]):
            wish = self.random.randrange(min(10, len(question["choices"] or question["targets"])))
            self.page.keyboard.press(str((wish + 1) % 10))
            return
        self._begin()
        focus = "() => document.activeElement?.matches('.card.open, .spot.open, .choices button') ?? false"
        self.page.wait_for_function(focus)
        if question["cards"]:
            for _ in range(self.random.randrange(3)):
                self.page.keyboard.press("ArrowRight")
            while not self.page.evaluate("document.activeElement.matches('.card.open')"):
                self.page.keyboard.press("ArrowRight")
        self.page.keyboard.press("Enter")

    def _begin(self) -> None:
        """Move the focus to the answers with an arrow key if no key has been pressed on the page yet."""
        if self.page.evaluate("document.activeElement === document.body"):
            self.page.keyboard.press("ArrowRight")

    def _walk(self, steps: int) -> None:
        self._begin()
        self.page.wait_for_function("() => document.activeElement?.matches('.hand .card') ?? false")
        for _ in range(steps):
            self.page.keyboard.press("ArrowRight")

    def tab_to(self, what: str) -> None:
        for _ in range(30):
            if self.page.evaluate(f"document.activeElement?.matches({what!r}) ?? false"):
                return
            self.page.keyboard.press("Shift+Tab")
        raise AssertionError(f"The Tab key does not reach {what}.")
