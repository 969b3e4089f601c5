"""What becomes of a trick: it is read, its cards go to who won it, and what it brought is told when it was seen."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable

import pytest

from browser.conftest import Server, wait_for
from browser.player import AT_REST, Player

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


# In the page: what was to be seen, one picture after the other: cards of the trick, a summary, and of each plate the tricks and
# the cards (♦) taken.
SEEN = """window.seen = []
new MutationObserver(() => {
  const numbers = (what) => [...document.querySelectorAll(`.seat ${what}`)].map((node) => parseInt(/\\d+/.exec(node.textContent)?.[0] ?? 0))
  const now = {
    cards: document.querySelectorAll('.trick li').length,
    summary: [...document.querySelectorAll('.summary p')].map((line) => line.textContent).join(' '),
    tricks: numbers('.tricks'),
    taken: numbers(':is(.counts [title]:not(.tricks), .now b)'),
  }
  if (now.tricks.length && JSON.stringify(now) !== JSON.stringify(seen.at(-1))) seen.push(now)
}).observe(document, { childList: true, subtree: true, characterData: true, attributes: true })"""


def to_the_last_card(ann: Player, game: str, seats: int) -> str:
    """A table at which Ann has one card left; what came before was not played through the page."""
    table = ann.make(game, seats)["id"]

    def post(what: str, body: dict[str, object]) -> None:
        origin = {"Origin": ann.address}
        answer = ann.page.request.post(f"{ann.address}/api/tables/{table}/{what}", data=body, headers=origin)
        assert answer.ok, answer.text()

    def on_to_the_last() -> bool:
        message = ann.page.request.get(f"{ann.address}/api/tables/{table}").json()
        ask, hand = message["ask"], message["view"]["hand"][message["seat"]]
        if ask and ask["question"] == "play" and len(hand) == 1:
            return True
        if ask:
            answer = f"{ask['question']} {ask['legal'][0]}"
            post("answers", {"n": message["n"], "answers": [answer], "key": uuid.uuid4().hex})
        return False

    post("sit", {"nonce": ""})
    wait_for(on_to_the_last, "The last card of the hand is not asked for.")
    return table


@pytest.mark.parametrize(
    ("game", "seats", "tricks"), [("crystals", 4, 10), ("fourteen", 6, 8)], ids=["crystals", "fourteen"]
)
def test_the_last_trick_is_read_first_and_then_a_summary_lies_over_plates_that_have_it(
    game: str, seats: int, tricks: int, server: Server, person: Callable[..., Player]
) -> None:
    ann = person(server)
    ann.settle(trickSeconds=0.05)
    ann.context.add_init_script(SEEN)
    ann.open(f"/table/{to_the_last_card(ann, game, seats)}")
    summed_up = "seen.some((one) => one.summary)"
    while not ann.page.evaluate(summed_up):
        ann.turn()
        ann.page.wait_for_function(f"() => {summed_up} || ({AT_REST})()")
    seen = ann.page.evaluate("seen")
    at = next(k for k, one in enumerate(seen) if one["summary"])
    summed, read = seen[at], max(one["cards"] for one in seen[:at])
    assert read == seats, f"Before the summary {read} cards of the last trick lay there, not {seats}."
    assert summed["cards"] == 0, "The trick has been read by then, and is gone."
    assert sum(summed["tricks"]) == tricks, f"While the summary shows, the plates lack a trick: {summed}"
    scored = [int(points) for points in re.findall(r"scores? (\d+)", summed["summary"])]
    all_cards = sum(scored) if game == "fourteen" else seats * tricks
    assert sum(summed["taken"]) == all_cards, f"While the summary shows, the plates lack cards: {summed}"
