"""The end of mines: the board stays, all cards are open, and the reachable piles are marked (M11)."""

from typing import Any

from tests.browser.conftest import wait_for
from tests.browser.test_accessibility import check_with_axe

GAME_COUNT = 12  # about every second game ends this way


def test_mines_board_stays_and_shows_the_reachable_piles(server, new_player):
    ann = new_player(server)
    tables = [ann.create_table("mines", 2, places=["bot:random", "bot:simple"])["id"] for _ in range(GAME_COUNT)]
    for table in tables:
        wait_for(lambda table=table: ann.get_table(table)["result"] is not None, "The bots did not finish the game.")  # type: ignore[misc]
        result: dict[str, Any] = ann.get_table(table)["result"]
        if (result["facts"] or {}).get("spots"):
            break
    else:
        raise AssertionError(f"None of {GAME_COUNT} games ended because seven ♦ had become impossible.")
    ann.open(f"/table/{table}", ".final")
    replay: dict[str, Any] = ann.page.evaluate(f"fetch('/api/tables/{table}/replay').then((reply) => reply.json())")
    view = replay["steps"][-1]["view"]
    values = result["facts"]["says"][1]
    loser = ann.page.locator(".final tbody tr").last
    assert loser.locator("use[href='#suit-D'].big").count() == values["held"], "Expected the losing hand to be open."
    cards = [pile for pile in view["piles"] for card in pile if card is not None]
    assert ann.page.locator(".final .cards .face").count() == len(cards), "Expected the rest of the piles to be open."
    marked = ann.page.locator(".final .within").evaluate_all(
        "(found) => found.map((pile) => Number(pile.dataset.pile))"
    )
    assert sorted(marked) == result["facts"]["spots"], "Expected marks on the reachable piles only."
    diamonds = [card for pile in marked for card in view["piles"][pile] if card and card.startswith("D")]
    says = ann.page.inner_text(".facts")
    assert f"holds {values['held']} ♦ and can reach {len(diamonds)} more" in says
    assert "could no longer reach seven" in ann.page.inner_text(".end .over"), "Expected the reason why the game ended."
    numbers = ann.page.locator(".final .spot .number").all_inner_texts()
    assert numbers == [str(pile) for pile in range(1, 14)], "Expected the numbers of the piles."
    assert ann.page.inner_text(".final .key") == "Gold: within the loser’s reach. Dashed: out of reach."
    assert ann.page.get_by_text("Cards in hand or still to be dug").count(), (
        "Expected the chart of what decided the game."
    )
    assert ann.page.get_by_text("Seven ♦ must be among them.").count(), "Expected what seven means in the chart."
    names = [place["name"] for place in ann.get_table(table)["table"]["seat_holders"]]
    legend = ann.page.locator("figure li").all_inner_texts()
    assert [text.strip() for text in legend] == names, "Expected the lines in the order of the seats, as on the board."
    check_with_axe(ann, "the end of mines")
    ann.resize_window(360, 740)
    wide = ann.page.evaluate("document.querySelector('main').scrollWidth")
    assert wide <= 360, f"On a phone the end is {wide} px wide."
    field, again = (ann.page.locator(one).bounding_box() for one in (".final .field", ".end .next >> nth=0"))
    assert field["y"] + field["height"] < again["y"], "Expected the board above the buttons."
    assert field["y"] + field["height"] < 740, "Expected the whole board on the first screen of a phone."
