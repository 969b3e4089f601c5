"""The page in German, from the lobby to the review: no English word, no clipped text on a phone, no axe violation."""

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from fluent.syntax import FluentParser
from fluent.syntax import ast as ftl
from fluent.syntax.visitor import Visitor
from playwright.sync_api import Route

from diamonds.server.people.display_names import guest_name
from tests.browser.conftest import BrowserTestServer, wait_for
from tests.browser.player import Player
from tests.browser.scripts import Scripts
from tests.browser.test_accessibility import check_with_axe
from tests.browser.test_hint_sheet import route_hint
from tests.browser.test_hints_and_reviews import REVIEW_TIMEOUT_MS
from tests.support.sample_sizes import short_or_long
from tests.test_i18n import SOURCE

SCRIPTS = Scripts(__file__)

RULES = Path(__file__).parents[2] / "docs" / "rules" / "de"


class TextCollector(Visitor):  # type: ignore[misc]
    """A collector of the texts of a catalog without their values."""

    def __init__(self) -> None:
        self.found: list[str] = []

    def visit_TextElement(self, node: ftl.TextElement) -> None:
        self.found.append(node.value)


def spoken_words(text: str) -> set[str]:
    """Return the words of a text, except options of commands such as --config."""
    return set(re.findall(r"(?<!--)(?<![^\W\d_])[^\W\d_]{3,}", text.lower()))


@cache
def english_words() -> frozenset[str]:
    """Return words of the English catalog that appear in no German text and no guest's name."""
    said = {}
    for language in ("en", "de"):
        texts = TextCollector()
        texts.visit(FluentParser().parse((SOURCE / "i18n" / f"{language}.ftl").read_text(encoding="utf-8")))
        said[language] = spoken_words(" ".join(texts.found))
    german = said["de"].union(*(spoken_words(page.read_text(encoding="utf-8")) for page in RULES.glob("*.md")))
    names = spoken_words(" ".join(guest_name(chr(n)) for n in range(144)))  # all names of guests
    return frozenset(said["en"] - german - names)


def assert_german(ann: Player, where: str, everything: bool = True) -> None:
    """Assert that everything shown or spoken is German and complete."""
    left = sorted(
        {word for text in ann.page.evaluate(SCRIPTS["readTexts"]) for word in spoken_words(text) & english_words()}
    )
    assert not left, f"{where}: English words: {left}"
    if everything:
        cut = ann.page.evaluate(SCRIPTS["findClippedText"])
        assert not cut, f"{where}: clipped texts: {cut[:4]}"


@pytest.fixture
def german_player(server: BrowserTestServer, new_player: Callable[..., Player]) -> Player:
    """Return a player with a phone whose browser asks for German."""
    return new_player(server, "phone", locale="de-AT")


def test_language_follows_the_browser_and_loads_one_catalog(server, new_player):
    anna = new_player(server, locale="de-AT")
    loaded: list[str] = []
    anna.on("request", lambda request: loaded.extend(re.findall(r"/assets/([a-z]{2})-", request.url)))
    anna.open("/")
    anna.page.get_by_role("button", name="Jetzt spielen").wait_for()
    anna.page.get_by_text("Stiche").first.wait_for()
    anna.page.wait_for_selector("html[lang=de]")
    assert set(loaded) == {"de"}, f"expected one catalog, not {loaded}"
    anna.page.get_by_role("link", name="Einstellungen").click()
    anna.page.get_by_label("Sprache").select_option("en")
    anna.page.get_by_label("Language").wait_for()
    anna.page.wait_for_selector("html[lang=en]")
    anna.page.get_by_role("link", name="Diamonds: to the lobby").click()
    anna.page.get_by_text("Win tricks to collect crystals").wait_for()
    anna.page.reload()
    anna.page.get_by_role("button", name="Play now").wait_for()  # the choice is kept
    anna.open("/settings")
    anna.page.get_by_label("Language").select_option("")
    anna.page.get_by_label("Sprache").wait_for()


def test_late_reply_in_another_language_is_not_shown(server, new_player):
    anna = new_player(server, locale="de-AT")
    anna.add_init_script(SCRIPTS.call("recordReadReplies"))
    late: list[Route] = []
    anna.route(
        "**/api/server",
        lambda route: late.append(route) if route.request.headers["accept-language"] == "de" else route.continue_(),
    )
    anna.route("**/static-data/de/server.json", lambda route: late.append(route))
    anna.open("/")
    wait_for(lambda: anna.page.title() != "" and len(late) == 2, "Expected both replies, and the page to read them.")
    anna.follow_link("/settings")
    anna.page.get_by_label("Sprache").select_option("en")
    anna.page.get_by_label("Language").wait_for()
    anna.follow_link("/")
    english = anna.page.get_by_text("Win tricks to collect crystals")
    english.wait_for()
    anna.page.evaluate(SCRIPTS["watchForGerman"])
    for route in late:
        count = f"read.filter((url) => url === '{route.request.url}').length"
        before = anna.page.evaluate(count)
        route.continue_()
        anna.page.wait_for_function(f"() => {count} > {before}")
        anna.wait_until_still()
        german = anna.page.evaluate("seen") or not english.is_visible()
        assert not german, f"The German text of {route.request.url} is shown in English."


@short_or_long(
    "axed", ("/record", "/nirgends"), ("/", "/settings", "/rules/crystals", "/rules/fourteen", "/rules/mines")
)
def test_lobby_settings_rules_and_records_are_german(axed, german_player):
    for path, sign in [
        ("/", ".now:enabled"), ("/settings", "input"), ("/rules/crystals", "article h2"), ("/record", "input"),
        ("/rules/fourteen", "article h2"), ("/nirgends", "h1"), ("/rules/mines", "article h2"),
    ]:  # fmt: skip
        (german_player.open if path == "/" else german_player.follow_link)(path)
        german_player.page.wait_for_selector(sign, state="attached")
        german_player.wait_until_still()
        assert_german(german_player, path)
        if path in axed:  # `test_accessibility.py` covers everything that does not depend on the language
            check_with_axe(german_player, f"{path} in German")
    german_player.page.evaluate("document.querySelectorAll('article code').forEach((code) => code.remove())")
    article = german_player.page.inner_text("article")
    assert "Zwei Diamantensucher" in article, f"the rules begin with {article[:80]!r}"
    assert not spoken_words(article) & english_words(), "Expected German rules, except for commands."


@short_or_long("answers", 6, 600)
@pytest.mark.parametrize(
    ("game", "seats", "options"),
    [("crystals", 2, {"rounds": 1}), ("fourteen", 3, {"target": 5, "scoring": "tricks"}), ("mines", 2, {})],
    ids=["crystals", "fourteen", "mines"],
)
def test_game_is_german_from_the_waiting_room_to_the_review(game, seats, options, answers, german_player):
    waits = game == "fourteen" or answers > 6  # the waiting room is the same for every game
    if waits:
        waiting = german_player.create_table(game, seats, options, ["me", *["open"] * (seats - 1)])["id"]
        german_player.open(f"/table/{waiting}", ".invite")
        assert_german(german_player, "the waiting room")
    table = german_player.sit_down(game, seats, options, by_link=waits)
    german_player.page.keyboard.press("?")
    german_player.page.wait_for_selector("dialog")
    assert_german(german_player, "the help")
    german_player.page.keyboard.press("Escape")
    german_player.page.wait_for_selector("dialog", state="detached")
    if game == "fourteen":  # every game's hints and reviews have the same texts
        route_hint(german_player, table)
        german_player.page.keyboard.press("h")
        german_player.page.wait_for_selector(".hint .says")
        assert_german(german_player, "a hint")
        german_player.page.keyboard.press("h")
    for count in range(answers):
        question = german_player.question()
        assert_german(german_player, f"answer {count}", everything=count < 12)
        if count == 3 and answers > 6:
            check_with_axe(german_player, f"the table of {game} in German")
        if not german_player.answer_question(question):
            break
    german_player.play_in_background(table)
    german_player.page.wait_for_selector(".scores td.sum, figure")
    german_player.wait_until_still()
    assert_german(german_player, "the end")
    if game == "crystals" or answers > 6:  # including its score table
        check_with_axe(german_player, "the end in German")
    german_player.follow_link(f"/table/{table}/replay#9", ".hands h2")
    assert_german(german_player, "the replay")
    if game == "fourteen":
        german_player.follow_link(f"/table/{table}/review")
        german_player.page.locator(".marked button").first.click(timeout=REVIEW_TIMEOUT_MS)
        german_player.page.wait_for_selector(".marked [aria-current]")
        assert_german(german_player, "the review", everything=False)
