"""Size and stability of the page; `diamonds bench page` measures its speed."""

import math
from typing import Any

import pytest

from tests.browser.player import Player
from tests.browser.scripts import Scripts
from tests.support.sample_sizes import short_or_long

SCRIPTS = Scripts(__file__)

RECORD_SHIFTS_JS = SCRIPTS.call("recordShifts")

LANGUAGES = [pytest.param("en", marks=pytest.mark.slow), "de"]  # German texts are longer


def layout_shifts(ann: Player) -> list[Any]:
    """Return the layout shifts of a page that started with `RECORD_SHIFTS_JS`."""
    assert ann.window.is_painted, "Expected a painted window: layout shifts are reported in no other."
    found: list[Any] = ann.page.evaluate("() => opened.shifts")
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_table_sends_at_most_64_kb_of_script_and_style_gzipped(language, server, new_player, chromium_path):
    ann = new_player(server, locale=language, fresh=True)
    sent = ann.page_weight()
    ann.sit_down("crystals", 4)
    assert {name.rpartition(".")[2] for name in sent} == {"js", "css"}, f"Only {sorted(sent)} were sent."
    assert sum(sent.values()) <= 64_000, f"JavaScript and CSS of a table take {sum(sent.values()):,} bytes: {sent}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_lobby_to_play_now_sends_at_most_72_kb(language, server, new_player, chromium_path):
    ann = new_player(server, locale=language, fresh=True)
    sent = ann.page_weight()
    ann.open("/")
    ann.page.click(".now:enabled")
    ann.page.wait_for_selector(".hand .card")
    assert sum(sent.values()) <= 72_000, f"Lobby and table take {sum(sent.values()):,} bytes: {sent}"
    before = set(sent)
    ann.open("/settings", "main select")
    assert set(sent) - before, "The settings were loaded with the lobby."


def test_missing_chunk_after_update_reloads_the_web_client(server, new_player):
    ann = new_player(server)
    ann.open_lobby()
    ann.page.evaluate("window.old = true")
    gone = [True]  # until the page is reloaded, because a part may be prefetched and requested again
    ann.on("request", lambda request: gone.clear() if request.is_navigation_request() else None)
    ann.route(
        "**/assets/Settings-*.js", lambda route: route.fulfill(status=404, body="gone") if gone else route.continue_()
    )
    ann.page.get_by_role("link", name="Settings").click()
    ann.page.wait_for_function("() => !window.old && document.querySelector('input, select')")
    assert ann.page.url.endswith("/settings"), "Expected the reload to open the requested page."


def test_missing_game_chunk_after_update_reloads_the_table(server, new_player):
    ann = new_player(server)
    table = ann.create_table("mines", 2)["id"]
    loads: list[str] = []
    ann.on("request", lambda request: loads.append(request.url) if request.is_navigation_request() else None)
    ann.route(
        "**/assets/mines-*.js",
        lambda route: route.fulfill(status=404, body="gone") if len(loads) < 2 else route.continue_(),
    )
    ann.open(f"/table/{table}", ".field")
    assert loads == [f"{server.address}/table/{table}"] * 2, f"Expected the table after one reload: {loads}"


def test_missing_chunk_is_reported_and_not_requested_forever(server, new_player):
    ann = new_player(server)
    ann.route("**/assets/Settings-*.js", lambda route: route.fulfill(status=404, body="gone"))
    loads: list[str] = []
    ann.on("request", lambda request: loads.append(request.url) if request.is_navigation_request() else None)
    ann.open("/settings", "text=This cannot be loaded right now.")
    assert len(loads) == 2, f"The page was loaded {len(loads)} times, but one reload finds a new version."


@short_or_long("answers", 5, 120)
@pytest.mark.parametrize(("game", "seats", "size"), [
    ("crystals", 4, "phone"),
    ("fourteen", 4, "phone"),
    ("mines", 2, "desktop"),
    pytest.param("crystals", 4, "desktop", marks=pytest.mark.slow),
    pytest.param("fourteen", 4, "desktop", marks=pytest.mark.slow),
    pytest.param("mines", 2, "phone", marks=pytest.mark.slow),
])  # fmt: skip
def test_layout_is_stable_after_the_first_cards(game, seats, size, answers, server, new_player):
    ann = new_player(server, size, still=False, fresh=True, painted=True)
    ann.add_init_script(RECORD_SHIFTS_JS)
    ann.sit_down(game, seats)
    for _ in range(answers):
        question = ann.question()
        if question["over"]:
            break
        n = ann.shown_state()["n"]
        # The script presses the answer, because the browser ignores shifts after real input.
        ann.page.evaluate(SCRIPTS["pressAnswer"])
        ann.page.wait_for_function("(n) => document.querySelector('main.table')?.dataset.n !== n", arg=n)
    shifts = layout_shifts(ann)
    # The browser also reports fractions of a pixel while something grows. A real shift ends in a different place.
    jumps = [shift for shift in shifts if any(math.dist(before, after) >= 1 for _, before, after in shift[1:])]
    assert not jumps, f"The layout shifted: {jumps[:4]}"
