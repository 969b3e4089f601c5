"""Rematches by one press: the seat of an absent person."""

from tests.browser.test_turn_badge import sit_at_second_table


def test_host_opens_the_seat_of_an_absent_person(server, new_player):
    ann, ben = new_player(server), new_player(server)
    table = sit_at_second_table(server, ann, ben, None)
    ann.play_by_api(table, others=[ben])
    ann.open(f"/table/{table}")
    ann.page.get_by_role("button", name="Play again", exact=True).click()
    kept = ann.page.get_by_role("button", name="Open this seat")
    kept.click()
    kept.wait_for(state="detached")
    path = "/api/tables/" + ann.page.evaluate("location.pathname").rsplit("/", 1)[-1]
    places = ann.page.evaluate(f"async () => (await (await fetch('{path}')).json()).table.seat_holders")
    assert sorted((place["kind"], place["reserved"]) for place in places) == [("open", False), ("person", False)]
