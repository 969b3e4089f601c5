"""The page is small, quick to open, and does not jump."""

from __future__ import annotations

import gzip
from collections.abc import Callable

import pytest

from browser.conftest import PAGE, Server
from browser.player import Player

# In the page: when the first own card could be played, and how far things jumped after the first cards.
WATCH = """
window.opened = { playable: 0, cards: 0, shifts: [] }
new MutationObserver(() => {
  const card = document.querySelector('.hand .card')
  if (card && !opened.cards) opened.cards = performance.now()
  if (document.querySelector('.hand .card.open') && !opened.playable) opened.playable = performance.now()
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


def test_script_and_style_take_at_most_60_kb_gzipped() -> None:
    files = [path for path in (PAGE.parent / "assets").iterdir() if path.suffix in (".js", ".css")]
    assert files, "There is no built page."
    total = sum(len(gzip.compress(path.read_bytes(), 9)) for path in files)
    assert total <= 60_000, f"JavaScript and CSS take {total:,} bytes."


def test_an_opened_table_has_playable_cards_within_a_second(server: Server, person: Callable[..., Player]) -> None:
    times = []
    for _ in range(3):
        ann = person(server)
        ann.context.add_init_script(WATCH)
        table = ann.sit_down("fourteen", 3)
        ann.asked()
        ann.open(f"/table/{table}")
        ann.asked()
        times.append(ann.page.evaluate("() => opened.playable"))
    best = sorted(times)[1]
    assert best <= 1000, f"Cards were playable after {best:.0f} ms (middle of {[round(time) for time in times]})."


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
    assert sum(shift[0] for shift in shifts) == 0, f"Things jumped: {shifts[:4]}"


def test_waiting_is_put_in_words(server: Server, person: Callable[..., Player]) -> None:
    ann = person(server)
    table = ann.make()["id"]
    ann.page.route("**/stream*", lambda route: None)  # never answered
    ann.open(f"/table/{table}")
    ann.page.wait_for_selector("text=Opening the table")
