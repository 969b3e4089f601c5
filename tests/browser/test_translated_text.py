"""All text of the page comes from the catalog: with marked messages, no visible or spoken text is unmarked."""

import json
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import Error, Response, Route

from tests.browser.conftest import VIEWPORTS
from tests.browser.player import WAIT_TIMEOUT_MS, Player
from tests.browser.scripts import Scripts
from tests.support.sample_sizes import short_or_long

SCRIPTS = Scripts(__file__)

PROPER_NAMES = {"Diamonds", "Tab", "Esc", "English", "Deutsch"}  # the program, keys, and the languages' own names

SHOWN_TEXTS_JS = SCRIPTS["readTexts"]

MARK_TEXT_JS = Path(__file__).with_name("mark_messages.js")


def mark_messages(part: str) -> str:
    """Return a part of the page's English catalog with marked messages."""
    name = re.search(r"export\{(\w+) as default\};?\s*$", part)
    assert name is not None, f"Expected a part of a catalog: {part[-80:]}"
    return part[: name.start()] + MARK_TEXT_JS.read_text(encoding="utf-8").replace("SENTENCES", name[1])


def message_strings(data: Any) -> Iterator[str]:
    """Yield every string in a server message, and the names of its values."""
    if isinstance(data, dict):
        for name, value in data.items():
            yield from (name, name.replace("_", " "))
            yield from message_strings(value)
    elif isinstance(data, list):
        for one in data:
            yield from message_strings(one)
    elif isinstance(data, str):
        yield from (data, data.replace("_", " "))


class ReplyRecorder:
    """A collector of the server's strings, to distinguish them from the page's own."""

    def __init__(self, ann: Player) -> None:
        self.ann = ann
        self.server_texts: set[str] = set(PROPER_NAMES)
        ann.record_stream()
        ann.on("response", self._record)
        ann.route("**/assets/en-*.js", self._mark)

    def _record(self, response: Response) -> None:
        if "/api/" in response.url and "json" in response.headers.get("content-type", ""):
            try:
                self.server_texts |= set(message_strings(response.json()))
            except Error:
                return  # the page was left before it read this reply

    def _mark(self, route: Route) -> None:
        route.fulfill(content_type="text/javascript", body=mark_messages(route.fetch().text()))

    def assert_translated(self, where: str) -> None:
        """Assert that all shown text is marked or comes from the server, whose reply may be recorded slightly later."""
        end = time.monotonic() + WAIT_TIMEOUT_MS / 1000
        shown = self.ann.page.evaluate(SHOWN_TEXTS_JS)
        while (unmarked := self._unmarked(shown)) and time.monotonic() < end:
            self.ann.page.wait_for_timeout(20)
        assert any("⟦" in text for text in shown), f"{where}: expected marked messages."
        assert not unmarked, f"{where}: text outside the catalog: {unmarked}"

    def _unmarked(self, shown: list[str]) -> list[str]:
        """Return text that is neither marked nor in a recorded reply."""
        while self.ann.stream_messages:
            self.server_texts |= set(message_strings(json.loads(self.ann.stream_messages.pop())))
        pieces = {
            piece.strip(" ,.:●()0123456789\n")
            for text in shown
            for piece in re.split(r"⟦[^⟦⟧]*⟧|[♦♥♠♣·,&]|(?<=[.?!:]) ", text)
        }
        return sorted(
            piece
            for piece in pieces
            if re.search(r"[^\W\d_]{2}", piece) and not any(piece in said for said in self.server_texts)
        )


GAMES: list[tuple[str, int, dict[str, Any], str]] = [
    ("crystals", 4, {"rounds": 1, "partnership": True, "thief": True}, "desktop"),
    ("fourteen", 4, {"target": 5}, "phone"),
    ("mines", 2, {}, "desktop"),
]


@short_or_long("answers", 6, 600)
def test_all_shown_text_comes_from_the_catalog(answers, server, new_player):
    """The page is loaded only once, because a browser caches nothing while a test answers requests."""
    ann = new_player(server)
    listener = ReplyRecorder(ann)
    ann.open_lobby()
    listener.assert_translated("/")
    waiting = ann.create_table("crystals", 4, {"rounds": 2, "memory_aid": False}, ["me", "open", "bot:simple", "open"])[
        "id"
    ]
    other_places = (("/settings", "input"), ("/rules/mines", "article h1"), ("/nowhere", "h1"))
    for path, sign in (*other_places, (f"/table/{waiting}", ".invite")):
        ann.follow_link(path)
        ann.page.wait_for_selector(sign)
        listener.assert_translated(path)
    tables: list[str] = []
    for game, seats, options, size in GAMES:
        width, height = VIEWPORTS[size]
        ann.page.set_viewport_size({"width": width, "height": height})
        table = ann.sit_down(game, seats, options, by_link=True)
        ann.question()
        ann.page.keyboard.press("?")
        ann.page.wait_for_selector("dialog")
        listener.assert_translated(f"{game}: the help")
        ann.page.keyboard.press("Escape")
        ann.page.wait_for_selector("dialog", state="detached")
        for count in range(answers):
            question = ann.question()
            listener.assert_translated(f"{game}: answer {count}")
            if not ann.answer_question(question):
                break
        ann.follow_link("/settings")
        ann.play_by_api(table)
        ann.follow_link(f"/table/{table}")
        ann.page.wait_for_selector(".scores td.sum, figure")
        listener.assert_translated(f"{game}: the end")
        tables.append(table)
    for table in tables if answers > 6 else tables[-1:]:
        ann.open(f"/table/{table}/replay#9", ".hands h2")
        listener.assert_translated("the replay")
