"""Who cut what is shown when a game begins (C6, F2, M2): beside the players, for a moment, and in nobody's way."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.browser.conftest import VIEWPORTS, BrowserTestServer
from tests.browser.player import DEFERRED_TIMEOUTS_JS, Player
from tests.browser.test_tricks import table_at_question

OPENING_VERBS = {"crystals": "deals", "fourteen": "deals", "mines": "begins"}
SEATS = {"crystals": 4, "fourteen": 4, "mines": 2}
LONG_NAME = "Maximilian von Hohenlohe-Waldenburg"  # as long a name as any that was thought of
# The cut cards in view, who is marked, and whether any of them lies over something that can be pressed or is read.
CUT_LAYOUT_JS = """() => {
  const boxes = (what) => [...document.querySelectorAll(what)].map((node) => [node, node.getBoundingClientRect()])
  const cuts = boxes('.cut'), seen = boxes('.cut .tag, .cut .cutcard')
  const pressed = boxes('.hand .card, .choices button, button.pass, .spot.open')
  const texts = []
  const walker = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const node = walker.currentNode.parentElement
    if (!walker.currentNode.textContent.trim() || node.closest('.cut, .unseen, .hand') || getComputedStyle(node).visibility === 'hidden') continue
    const range = document.createRange()
    range.selectNodeContents(walker.currentNode)
    const { top, bottom, left, right } = range.getBoundingClientRect()
    const end = Math.min(right, node.getBoundingClientRect().right) // what goes on behind it is not seen
    texts.push([walker.currentNode.textContent, { top, bottom, left, right: end, width: end - left }])
  }
  const over = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1
  return {
    cards: cuts.map(([node]) => node.getAttribute('aria-label')),
    tags: [...document.querySelectorAll('.cut .tag')].map((tag) => tag.textContent),
    outside: cuts.filter(([, box]) => box.left < 0 || box.right > innerWidth || box.top < 0).length,
    covers: seen.flatMap(([, cut]) => pressed.filter(([, box]) => over(cut, box)).map(([node]) => node.outerHTML.slice(0, 80))),
    hides: seen.flatMap(([, cut]) => texts.filter(([, box]) => box.width && over(cut, box)).map(([text]) => text)),
  }
}"""


@pytest.mark.parametrize("game", OPENING_VERBS)
def test_cut_is_shown_at_the_start_and_blocks_nothing(
    game: str, server: BrowserTestServer, new_player: Callable[..., Player]
) -> None:
    ann = new_player(server)
    ann.add_init_script(DEFERRED_TIMEOUTS_JS)
    ann.page.request.get(f"{server.address}/api/server")
    origin = {"Origin": server.address}
    assert ann.page.request.post(f"{server.address}/api/me", data={"name": LONG_NAME}, headers=origin).ok
    table = ann.create_table(game, SEATS[game], time_control={"initial_s": 600, "increment_s": 5})["id"]
    ann.open(f"/table/{table}")
    ann.page.wait_for_selector(".cut")
    ann.page.wait_for_selector(".clock")
    for width, height in (*VIEWPORTS.values(), (740, 360)):
        ann.page.set_viewport_size({"width": width, "height": height})
        ann.wait_until_still()
        seen, where = ann.page.evaluate(CUT_LAYOUT_JS), f"at {width} × {height}"
        assert len(seen["cards"]) == SEATS[game], f"{where} not every seat’s cut is shown"
        assert seen["tags"] == [OPENING_VERBS[game]], f"{where} whose cut is the highest is not said once"
        assert not seen["outside"], f"{where} a cut card lies outside the window"
        assert not seen["covers"], f"{where} a cut card covers what is to be pressed: {seen['covers'][:2]}"
        assert not seen["hides"], f"{where} a cut card lies over what is read: {seen['hides'][:4]}"
    asked, before = ann.question(), ann.shown_state()["n"]
    ann.answer_question(asked)
    ann.page.wait_for_function("(was) => document.querySelector('main.table').dataset.n !== was", arg=before)
    assert ann.page.locator(".cut").count() == SEATS[game], "it left, so nothing was shown of answering beside it"
    ann.page.evaluate("goOn()")
    ann.page.wait_for_selector(".cut", state="detached")


def test_cut_is_hidden_later_and_shown_at_the_start_of_a_replay(
    server: BrowserTestServer, new_player: Callable[..., Player]
) -> None:
    ann = new_player(server)
    ann.add_init_script(DEFERRED_TIMEOUTS_JS)
    table = table_at_question(ann, "mines", 2, lambda message: message["n"] > 5)
    ann.open(f"/table/{table}")
    ann.question()
    assert ann.page.locator(".cut").count() == 0, "The cut is shown in the middle of a game."
    ann.leave_page()
    ann.play_by_api(table)
    ann.open(f"/table/{table}/replay#0")
    ann.page.wait_for_selector(".cut")
    assert ann.page.evaluate(CUT_LAYOUT_JS)["tags"] == ["begins"]
    ann.page.get_by_role("button", name="Next step").click()
    ann.page.wait_for_selector(".cut", state="detached")
