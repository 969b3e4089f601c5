"""The page is small, does not jump, and never waits without words. How quick it is, `diamonds bench page` measures."""

from __future__ import annotations

from collections.abc import Callable
from gzip import compress

import pytest
from playwright.sync_api import Response

from browser.conftest import PAGE, Server
from browser.player import Player

# In the page: how far things jumped after the first cards.
WATCH = """
window.opened = { cards: 0, shifts: [] }
new MutationObserver(() => {
  if (document.querySelector('.hand .card') && !opened.cards) opened.cards = performance.now()
}).observe(document, { childList: true, subtree: true, attributes: true })
new PerformanceObserver((list) => {
  for (const entry of list.getEntries())
    if (opened.cards && entry.startTime > opened.cards + 50 && !entry.hadRecentInput)
      opened.shifts.push([entry.value, ...entry.sources.map((source) => [
        source.node?.outerHTML?.slice(0, 90) ?? source.node?.data,
        ...[source.previousRect, source.currentRect].map(({ x, y, width, height }) => `${x} ${y} ${width}×${height}`),
      ])])
}).observe({ type: 'layout-shift', buffered: true })
"""


def test_all_script_and_style_that_the_page_can_ever_load_take_at_most_60_kb_gzipped(
    server: Server, person: Callable[..., Player], browser_path: str
) -> None:
    files = [path for path in PAGE.parent.rglob("*") if path.suffix in (".js", ".mjs", ".css")]
    sizes = {path.name: len(compress(path.read_bytes(), 9)) for path in files}
    assert {path.suffix for path in files} == {".js", ".css"}, "The page's script and style were not found."
    assert sum(sizes.values()) <= 60_000, f"JavaScript and CSS take {sum(sizes.values()):,} bytes: {sizes}"

    sent: dict[str, int] = {}

    def count(response: Response) -> None:
        if response.url.endswith((".js", ".css")):
            assert response.headers.get("content-encoding") == "gzip", f"{response.url} is sent as it is."
            sent[response.url.rsplit("/", 1)[-1]] = int(response.headers["content-length"])

    ann = person(server)
    ann.page.on("response", count)
    ann.open("/")
    ann.page.wait_for_selector(".now:enabled")
    assert sent, "No script and no style was sent."
    assert all(sizes[name] >= size - 50 for name, size in sent.items()), f"Counted were {sizes}, sent {sent}."


@pytest.mark.parametrize("size", ["phone", "desktop"])
@pytest.mark.parametrize(("game", "seats"), [("crystals", 4), ("fourteen", 4), ("mines", 2)])
def test_nothing_jumps_after_the_first_cards(
    game: str, seats: int, size: str, server: Server, person: Callable[..., Player]
) -> None:
    ann = person(server, size, still=False)
    ann.context.add_init_script(WATCH)
    ann.sit_down(game, seats)
    for _ in range(14):
        asked = ann.asked()
        assert asked is not None
        if asked["over"]:
            break
        # Pressed from within the page: the browser then excuses no shift as an answer to input.
        ann.page.evaluate(
            """() => {
              const pass = document.querySelector('button.pass')
              if (pass) {
                for (const card of document.querySelectorAll('.hand .card')) if (pass.disabled) card.click()
                return setTimeout(() => pass.click())
              }
              const all = '.hand .card.open, .spot.open, button.target, .choices button:not([data-answer=pass])'
              document.querySelector(all).click()
            }"""
        )
        ann.page.wait_for_timeout(60)
    shifts = ann.page.evaluate("() => opened.shifts")
    # The browser also reports a fraction of a pixel in what is being drawn larger; a jump has another place afterwards.
    jumps = [shift for shift in shifts if any(before != after for _, before, after in shift[1:])]
    assert not jumps, f"Things jumped: {jumps[:4]}"


def test_waiting_is_put_in_words(server: Server, person: Callable[..., Player]) -> None:
    ann = person(server)
    table = ann.make()["id"]
    ann.page.route("**/stream*", lambda route: None)  # never answered
    ann.open(f"/table/{table}")
    ann.page.wait_for_selector("text=Opening the table")
