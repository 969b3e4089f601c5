"""What becomes of a trick: it is read, its cards go to who won it, and what it brought is told when it was seen."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from browser.conftest import Server
from browser.player import Player

# In the page: each card that leaves the trick, with the seat that it flies to.
FLOWN = """window.flown = []
const animate = Element.prototype.animate
Element.prototype.animate = function (frames, ...more) {
  const [x, y] = /translate\\((-?[\\d.]+)px, (-?[\\d.]+)px\\)/.exec([...frames].at(-1)?.transform ?? '')?.slice(1).map(Number) ?? [0, 0]
  if (this.matches('[data-trick]') && (x || y)) {
    const middle = (node) => { const box = node.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2] }
    const [cx, cy] = middle(this)
    const far = (seat) => { const [sx, sy] = middle(seat); return Math.hypot(sx - cx - x, sy - cy - y) }
    const seat = [...document.querySelectorAll('.seat')].sort((a, b) => far(a) - far(b))[0]
    flown.push([this.dataset.trick, seat.dataset.spot])
  }
  return animate.call(this, frames, ...more)
}"""


@pytest.mark.parametrize("seconds", [0.05, 0], ids=["read for a moment", "not waited for"])
def test_the_cards_of_a_trick_fly_to_who_won_it(seconds: float, server: Server, person: Callable[..., Player]) -> None:
    ann = person(server, still=False)
    ann.settle(trickSeconds=seconds)
    ann.context.add_init_script(FLOWN)
    table = ann.sit_down("fourteen", 4)
    won: list[tuple[list[str], str]] = []
    while len(won) < 2:
        ann.turn()
        ann.asked()
        view = ann.page.request.get(f"{server.address}/api/tables/{table}").json()["view"]
        trick = (view["last_trick"], f"seat-{view['last_winner']}")
        if view["last_trick"] and trick not in won:
            won.append(trick)
    flown = dict(ann.page.evaluate("flown"))
    for cards, winner in won:
        went = {card: flown[card] for card in cards if card in flown}
        assert len(went) >= 3, f"Of {cards} only {sorted(went)} were seen to leave the table."
        assert set(went.values()) == {winner}, f"{winner} won {cards}, but they flew to {went}."
