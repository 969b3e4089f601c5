"""Someone who plays through the page and through nothing else: by mouse, by touch, or by keyboard alone."""

from __future__ import annotations

import json
import random
import time
import uuid
from collections.abc import Callable, Sequence
from typing import Any

from playwright.sync_api import Page, Response, Route

from tests.browser.scripts import Scripts
from tests.browser.window_pool import BLANK_URL, LEAVE_JS, WAIT_TIMEOUT_MS, PooledWindow

SCRIPTS = Scripts(__file__)

# Until what was changed just now, the window's size for one, is drawn: what moves because of it moves by then.
NEXT_FRAME_JS = "() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))"

QUESTION_AT_REST_JS = SCRIPTS["readQuestionAtRest"]


DEFERRED_TIMEOUTS_JS = SCRIPTS.call("deferTimeouts")


# Who plays quickly has played before: the coach of a first game is for others (`test_coach.py`). And they play at the server,
# where the tests look; games on the device have tests of their own (`test_local_games.py`).
FAST_SETTINGS = {"trickSeconds": 0, "coach": "never", "bots": "house", "autoPlay": "never"}

# ... and has played before, so that the lobby has one button for the last choice (`test_lobby.py` has a first visit).
PLAYED_BEFORE_JS = "localStorage.getItem('diamonds.played') ?? localStorage.setItem('diamonds.played', 'true')"


class Player:
    """A person with a window of their own. ``page_errors`` collects what the page complained of."""

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
        self.add_init_script(SCRIPTS.call("seedRandom", seed))
        self.set_initial_settings(FAST_SETTINGS)
        self.add_init_script(PLAYED_BEFORE_JS)

    def add_init_script(self, script: str) -> None:
        """Each page that this player opens from now on runs this first."""
        self.window.add_init_script(script)

    def on(self, event: str, handler: Callable[..., Any]) -> None:
        """Hear of something that happens in the page."""
        self.window.on(event, handler)

    def route(self, what: str, handler: Callable[[Route], Any]) -> None:
        """Answer the page's requests in the server's place."""
        self.window.route(what, handler)

    def install_clock(self) -> Any:
        """From now on it goes as the test says, and that in this window for ever."""
        self.window.is_spent = True
        self.page.clock.install()
        return self.page.clock

    def set_initial_settings(self, settings: dict[str, Any]) -> None:
        """The player's settings, for pages opened from now on."""
        text = json.dumps(json.dumps(settings))
        name = "'diamonds.settings'"
        self.add_init_script(f"localStorage.getItem({name}) ?? localStorage.setItem({name}, {text})")

    def change_settings(self, **settings: Any) -> None:
        """The settings are changed before the next page is opened, as they would have been on the page where that is done."""
        self.settings_changes += 1
        text = json.dumps(json.dumps({**FAST_SETTINGS, **settings}))
        change = f"localStorage.setItem('diamonds.settings', {text}); localStorage.settled = {self.settings_changes}"
        self.add_init_script(f"if (Number(localStorage.settled ?? 0) < {self.settings_changes}) {{ {change} }}")

    def record_stream(self) -> None:
        """Keep every message of the page's stream, as the bytes that arrived."""
        session = self.window.new_cdp_session()
        session.send("Network.enable")
        session.on("Network.eventSourceMessageReceived", lambda event: self.stream_messages.append(event["data"]))

    def page_weight(self, suffixes: tuple[str, ...] = (".js", ".css")) -> dict[str, int]:
        """What is sent from now on of script and style, or of files that end otherwise: by file, the bytes that go over the line."""
        sent: dict[str, int] = {}

        def count(response: Response) -> None:
            if response.url.endswith(suffixes):
                size = int(response.headers["content-length"])
                packed = response.headers.get("content-encoding") == "gzip"
                assert packed or size <= 500, (
                    f"{response.url} is sent as it is."
                )  # so the server has it: a few lines do not get smaller
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
        """A new table, made with the wire's own route."""
        body = {
            "game": game,
            "seats": seats,
            "options": options or {},
            "seats_taken_by": places or ["me", *["bot:simple"] * (seats - 1)],
            "private": private,
            **more,
        }
        self.page.request.get(f"{self.address}/api/server")  # the first request makes one a guest
        answer = self.page.request.post(f"{self.address}/api/tables", data=body, headers={"Origin": self.address})
        assert answer.ok, answer.text()
        made: dict[str, str] = answer.json()
        return made

    def open(self, path: str) -> None:
        self.page.goto(path if path.startswith("http") else self.address + path)

    def follow_link(self, path: str) -> None:
        """Follow a link to another part of the page, which stays loaded: less than half the work of `open`."""
        self.page.evaluate(SCRIPTS["followLink"], path)

    def open_variants(self) -> None:
        """In the lobby, whatever is seldom chosen, unless it is open already."""
        self.page.wait_for_selector(".choose select")
        self.page.evaluate("() => document.querySelector('.choose details:not([open]) > summary')?.click()")

    def sit_down(
        self, game: str = "crystals", seats: int = 4, options: dict[str, Any] | None = None, by_link: bool = False
    ) -> str:
        """Make a table with bots and open it, or go there from where one is; returns its id."""
        table = self.create_table(game, seats, options)["id"]
        (self.follow_link if by_link else self.open)(f"/table/{table}")
        self.page.wait_for_selector(".cloth")
        return table

    def question(self, wait: bool = True) -> dict[str, Any] | None:
        """What is asked now, or next; ``{"over": True}`` at the end."""
        found: dict[str, Any] | None
        if wait:
            found = self.page.wait_for_function(QUESTION_AT_REST_JS).json_value()
        else:
            found = self.page.evaluate(QUESTION_AT_REST_JS)
        return found

    def wait_until_still(self) -> None:
        """Until no card is on its way and nothing fades: what is measured then stays so."""
        self.page.evaluate(NEXT_FRAME_JS)
        self.page.wait_for_function(f"() => !({SCRIPTS['isAnimating']})()")

    def assert_own_seat_visible(self, tolerance_px: int = 1) -> None:
        """One's own place is seen, all but so many pixels, and the hand is seen whole."""
        seat, hand = (self.page.locator(what).bounding_box() for what in (".own .seat", ".own-hand .hand"))
        size = self.page.viewport_size
        assert seat
        assert hand
        assert size
        assert seat["y"] + seat["height"] <= hand["y"] + tolerance_px, "The hand lies over one's own place."
        assert hand["y"] + hand["height"] <= size["height"], "The hand is not seen whole."

    def accessible_text(self, selector: str) -> list[str]:
        """What these elements say to ears: what is drawn for eyes alone is left out."""
        found: list[str] = self.page.locator(selector).evaluate_all(SCRIPTS["readAccessibleTexts"])
        return found

    def shown_state(self) -> dict[str, Any]:
        """All that the page shows of the game, to compare before and after."""
        shown: dict[str, Any] = self.page.evaluate(SCRIPTS["readShownState"])
        return shown

    # Answering

    def answer_question(self, question: dict[str, Any] | None = None) -> bool:
        """Answer one question; False once the game is over."""
        question = question or self.question()
        assert question is not None
        if question["over"]:
            return False
        if question["question"] == "pass":
            self._pass_cards(question)
        elif self.input_method == "keys":
            self._answer_by_keys(question)
        else:
            self.press(self._pick_target(question))
        return True

    def play_to_the_end(self, max_answers: int = 600) -> int:
        """Play until the page shows the end; returns how many questions were answered."""
        for count in range(max_answers):
            if not self.answer_question():
                return count
        raise AssertionError(f"The game was not over after {max_answers} answers.")

    def get_table(self, table: str) -> dict[str, Any]:
        """What the server tells this player of a table."""
        update: dict[str, Any] = self.page.request.get(f"{self.address}/api/tables/{table}").json()
        return update

    def post_to_table(self, table: str, action: str, body: dict[str, object]) -> bool:
        """Say something to a table, past the page; whether it came in time (another was faster else)."""
        origin = {"Origin": self.address}
        reply = self.page.request.post(f"{self.address}/api/tables/{table}/{action}", data=body, headers=origin)
        assert reply.ok or reply.status == 409, reply.text()
        return reply.ok

    def play_by_api(
        self, table: str, until: Callable[[dict[str, Any]], bool] | None = None, others: Sequence[Player] = ()
    ) -> dict[str, Any]:
        """Past the page, everyone gives the first legal answer until this player is asked what is wanted, or the game is over."""
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
                    answers = [f"{ask['question']} {ask['legal'][0]}"]
                    player.post_to_table(
                        table, "answers", {"n": message["n"], "answers": answers, "idempotency_key": uuid.uuid4().hex}
                    )
            if not is_anyone_to_act:
                time.sleep(0.02)  # a bot thinks: to ask without end would keep it from that
        raise TimeoutError("What is wanted is not asked, and the game does not end.")

    def leave_page(self) -> None:
        """Leave the page for an empty one, which draws nothing of what happens at the table."""
        self.page.evaluate(LEAVE_JS)
        self.page.wait_for_url(BLANK_URL)

    def play_in_background(
        self, table: str, until: Callable[[dict[str, Any]], bool] | None = None, others: Sequence[Player] = ()
    ) -> dict[str, Any]:
        """`play_by_api`, with every page away; then each player opens the table again."""
        for player in (self, *others):
            player.leave_page()
        message = self.play_by_api(table, until, others)
        for player in (self, *others):
            player.open(f"/table/{table}")
            player.page.wait_for_selector(".end" if message["result"] else ".cloth")
        return message

    def _pick_target(self, question: dict[str, Any]) -> dict[str, Any]:
        """What to press: anything that is offered, but not to pass a turn of mines for ever."""
        everything = [
            *question["cards"],
            *question["piles"],
            *question["targets"],
            *(choice for choice in question["choices"] if choice["name"] != "pass"),
        ]
        return self.random.choice(everything or question["choices"])  # type: ignore[no-any-return]

    def press(self, place: dict[str, Any]) -> None:
        """A click or a tap, exactly there. A tap becomes a click only after the finger was lifted: that is waited for."""
        if self.input_method == "touch":
            self.page.evaluate(SCRIPTS["detectTap"])
            self.page.touchscreen.tap(place["x"], place["y"])
            self.page.wait_for_function("() => tapped")
        else:
            self.page.mouse.click(place["x"], place["y"])

    def _pass_cards(self, question: dict[str, Any]) -> None:
        """Pick cards, then send them off with the one button."""
        if self.input_method == "keys":
            while self.page.locator("button.pass").is_disabled():
                self._walk(1 + self.random.randrange(3))
                self.page.keyboard.press("Space")
            self._tab_to("button.pass")
            self.page.keyboard.press("Enter")
            return
        for place in self.random.sample(question["cards"], 3):
            if self.page.locator("button.pass").is_disabled():
                self.press(place)
        box = self.page.locator("button.pass:enabled").bounding_box()
        assert box is not None
        self.press({"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2})

    def _answer_by_keys(self, question: dict[str, Any]) -> None:
        """Digits for buttons; arrows and Enter for cards and piles, to which the focus has come by itself."""
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
