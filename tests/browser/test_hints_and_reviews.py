"""Levels, hints and reviews through the page."""

import re
from typing import Any

import pytest
from playwright.sync_api import Route, expect

from tests.browser.player import Player
from tests.browser.test_accessibility import check_with_axe
from tests.browser.test_budgets import RECORD_SHIFTS_JS, layout_shifts
from tests.browser.test_hint_sheet import route_hint
from tests.browser.test_layout_shift import open_faked_table, send_update, update_after
from tests.support.sample_sizes import short_or_long

REVIEW_TIMEOUT_MS = 240_000  # kernels may have to be compiled first


def request_hint(ann: Player) -> None:
    """Press the lamp (or H) and wait for the answer."""
    if ann.input_method == "keys":
        ann.page.keyboard.press("h")
    else:
        ann.page.get_by_role("button", name="Hint", exact=True).click()
    ann.page.wait_for_selector(".hint .take button, .hint:has-text('nothing to choose')", timeout=REVIEW_TIMEOUT_MS)


def finish_game(ann: Player, game: str, seats: int, options: dict[str, Any]) -> str:
    """Play a short game and show its end."""
    table = ann.take_seat(game, seats, options)
    ann.play_by_api(table)
    ann.open(f"/table/{table}")
    return table


def test_bot_levels_are_chosen_in_the_lobby_and_shown_at_the_table(server, new_player):
    ann = new_player(server)
    ann.open("/")
    ann.page.get_by_role("combobox", name="Bots", exact=True).wait_for()
    levels = ann.page.request.get(f"{server.address}/api/server").json()["levels"]
    titles = [level["title"] for level in levels]
    for title in ("Beginner", "Master"):
        assert title in titles
        ann.page.locator("option", has_text=title).first.wait_for(state="attached")
    made = ann.create_table("crystals", 4, places=["me", "bot:1", "bot:simple", "bot:random"])
    ann.follow_link(f"/table/{made['id']}")
    ann.question()
    assert [place["level"] for place in ann.get_table(made["id"])["table"]["seat_holders"]] == [
        None,
        "1",
        "simple",
        "random",
    ]
    for seat, title in ((1, "Beginner"), (2, "Simple"), (3, "Random")):
        plate = ann.page.locator(f'[data-spot="seat-{seat}"]')
        plate.get_by_role("img", name=f"bot, {title}").wait_for()
        expect(plate.locator(".grade")).to_have_text(title)
    ann.page.locator('[data-spot="seat-0"]').get_by_role("img", name="person").wait_for()


@pytest.mark.parametrize("game", ["crystals", "fourteen"])
def test_dealers_plate_keeps_the_whole_name_beside_a_long_german_level(game, server, new_player):
    ann = new_player(server, locale="de")
    message = update_after(open_faked_table(ann, server, game, 4, {}))
    message["view"]["dealer"] = 1
    message["table"]["seat_holders"][1] |= {"level": "2", "name": "Charlotte"}
    send_update(ann, message)
    plate = ann.page.locator("[data-spot='seat-1']")
    expect(plate.get_by_role("img", name="Geber")).to_have_text("G")
    expect(plate.get_by_role("img", name="Bot, Gelegenheitsspieler")).to_be_visible()
    expect(plate.locator(".grade")).to_have_text("Gelegenheitsspieler")
    name, grade = (plate.locator(part).evaluate("(one) => one.clientWidth") for part in (".name", ".grade"))
    whole = plate.locator(".name").evaluate("(one) => one.scrollWidth")
    assert name == whole, f"The level leaves {name} of {whole} pixels for the name."
    assert grade > 0, "The name leaves no space for the level."


def test_lobby_explains_missing_bot_levels(server, new_player):
    ann = new_player(server)
    about = ann.page.request.get(f"{server.address}/api/server").json()
    about["levels"] = [level for level in about["levels"] if not level["level"].isdecimal()]
    about["levels_unavailable"] = "The levels cannot play here: the disk is full."
    ann.route("**/api/server", lambda route: route.fulfill(json=about))
    ann.open("/")
    ann.page.get_by_text(about["levels_unavailable"]).wait_for()
    offered = ann.page.get_by_role("combobox", name="Bots", exact=True).locator("option")
    expect(offered).to_have_text(["Random", "Simple"])


@pytest.mark.parametrize(("size", "by"), [("desktop", "keys"), ("phone", "touch")])
def test_hint_lists_and_marks_best_answers_until_the_question_closes(size, by, server, new_player):
    ann = new_player(server, size, by)
    ann.sit_down("fourteen", 3, {"target": 5})
    request_hint(ann)
    named = ann.accessible_text(".hint .take button:not(.numbers)")
    assert 1 <= len(named) <= 3
    (says,) = ann.accessible_text(".hint .says")
    starts = ("best:", named[0].lower(), "all playable cards", "all but")
    assert says.lower().startswith(starts), f"Expected the suggestion first: {says!r}."
    marked = ann.page.locator(".hand .hinted")
    if "any will do." in says:
        expect(marked).to_have_count(0)
    else:
        expect(marked, "no card in hand is marked").not_to_have_count(0)
        names = marked.evaluate_all("cards => cards.map(card => card.dataset.card)")
        legal = ann.page.locator(".hand .card.open").evaluate_all("cards => cards.map(card => card.dataset.card)")
        assert set(names) <= set(legal), "the suggested card is illegal"
        assert "suggested by the hint" in (marked.first.get_attribute("aria-label") or "")
    if by == "keys":
        check_with_axe(ann, "a hint")
    box = ann.page.locator("section.hint").bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= ann.page.viewport_size["width"]
    if by == "keys":
        ann.page.keyboard.press("h")
        ann.page.wait_for_selector("section.hint", state="detached")
        ann.page.keyboard.press("h")
        ann.page.wait_for_selector(".hint .take button", timeout=REVIEW_TIMEOUT_MS)
        ann.tab_to(".hint .take button:not(.numbers)")
        ann.page.keyboard.press("Enter")
    else:
        ann.answer_question()
    ann.page.wait_for_selector("section.hint", state="detached")
    expect(ann.page.locator(".hinted")).to_have_count(0)


# `test_hint_lists_and_marks_best_answers_until_the_question_closes` uses a real hint from the server.
@short_or_long("thought", False, True)
@pytest.mark.parametrize(("game", "seats", "size"), [("crystals", 4, "phone"), ("mines", 2, "desktop")])
def test_hints_mark_buttons_and_piles_too_and_may_be_taken_at_a_press(game, seats, size, thought, server, new_player):
    ann = new_player(server, size)
    table = ann.sit_down(game, seats)
    for _ in range(9 if thought else 3):
        question = ann.question()
        if not thought:
            route_hint(ann, table, ann.get_table(table)["view"].get("passing") or 0)
        request_hint(ann)
        first = ann.page.locator(".hint .take button:not(.numbers)").first
        if not first.count():
            ann.page.get_by_role("button", name="Close the hint").click()
            ann.answer_question(question)
            continue
        if "any will do" not in ann.page.locator(".hint .says").inner_text():
            expect(ann.page.locator(".hinted"), f"nothing is marked for {question['question']}").not_to_have_count(0)
        first.click()
        if question["question"] == "pass":
            ann.page.locator("button.pass:enabled").click()
        ann.page.wait_for_selector("section.hint", state="detached")


@pytest.mark.parametrize(
    ("size", "game", "seats", "options"), [("desktop", "fourteen", 3, {"target": 5}), ("phone", "mines", 2, {})]
)
def test_finished_game_is_reviewed_and_stepped_through(size, game, seats, options, server, new_player):
    ann = new_player(server, size, color_scheme="dark" if size == "phone" else "light")
    table = finish_game(ann, game, seats, options)
    ann.page.get_by_role("link", name="Review the game").click()
    ann.page.wait_for_selector(".verdict progress, .review table")
    ann.page.wait_for_selector(".review table >> nth=1", state="attached", timeout=REVIEW_TIMEOUT_MS)
    made = ann.page.request.get(f"{server.address}/api/tables/{table}/review").json()
    marked = [one for one in made["decisions"] if one["marked"]]
    assert marked, "expected mistakes in a game of random answers"
    buttons = ann.page.locator(".marked button")
    expect(buttons).to_have_count(len(marked))
    buttons.first.click()
    ann.page.wait_for_function(f"() => location.hash === '#{marked[0]['n']}'")
    expect(buttons.first).to_have_attribute("aria-current", "step")
    expect(ann.page.locator(".controls .count")).to_contain_text(f"Step {marked[0]['n']} of")
    assert_decision_is_shown(ann, marked[0])
    ann.page.get_by_role("button", name="Next mistake").click()
    ann.page.wait_for_function(f"() => location.hash === '#{marked[1]['n']}'")
    assert_decision_is_shown(ann, marked[1])
    ann.page.get_by_role("button", name="Previous mistake").click()
    ann.page.wait_for_function(f"() => location.hash === '#{marked[0]['n']}'")
    ann.page.keyboard.press("n")
    ann.page.wait_for_function(f"() => location.hash === '#{marked[1]['n']}'")
    ann.page.keyboard.press("p")
    ann.page.wait_for_function(f"() => location.hash === '#{marked[0]['n']}'")
    press_chart(ann, len(made["chances"]) - 1)
    ann.page.wait_for_function(f"() => location.hash === '#{made['chances'][-1]['n']}'")
    buttons.first.click()
    if size == "phone":
        check_with_axe(ann, "the review with its decisions")
    axis = ann.page.locator(".review figure .axis")
    expect(axis).to_have_text("Turns played" if game == "mines" else "Tricks played")
    expect(ann.page.locator(".review")).to_contain_text("The chart knows all hidden cards")
    expect(ann.page.locator(".review")).not_to_contain_text("±")
    if size == "phone":
        ann.resize_window(320, 640)
        ann.assert_no_sideways_scrolling("the review")
    account = made["results"][0]
    shown = ann.page.locator(".review .sum td").all_text_contents()
    assert len(shown) == 4
    result = f"{account['result']:.0f}%" if game == "mines" else f"{abs(account['result']):.1f}"
    assert result in shown[3]
    ann.page.get_by_role("button", name="Try again from here").click()
    assert ann.question()["question"] == marked[0]["question"], "expected the game to go on from the mistake"  # type: ignore[index]
    assert f"/table/{table}" not in ann.page.url


def assert_decision_is_shown(ann: Player, decision: dict[str, Any]) -> None:
    """Assert that the chosen and the better answer are marked on the board, with the reason visible."""
    for answers, mark in ((decision["answers"], "given"), (decision["best_answers"], "best")):
        for answer in map(str, answers):
            if answer[0] in "DHSC" or answer.isdigit():  # other answers are words, such as “skip digging”
                spot = ann.page.locator(f".mine [data-card='{answer}'], [data-pile='{answer}']")
                expect(spot).to_have_attribute("data-mark", mark)
                expect(spot).to_be_in_viewport()
    said = ann.page.locator(".said .pair")
    expect(said).to_be_in_viewport()
    expect(said).to_contain_text("Better:")
    if decision["question"] == "play":
        expect(ann.page.locator(f".trick [data-trick='{decision['answers'][0]}']")).to_have_attribute(
            "data-mark", "given"
        )


def press_chart(ann: Player, k: int) -> None:
    """Press the chart of chances at its k-th moment."""
    chart = ann.page.locator(".review figure input")
    chart.scroll_into_view_if_needed()
    box = chart.bounding_box()
    last = int(chart.get_attribute("max") or 0)
    ann.page.mouse.click(box["x"] + 1 + (box["width"] - 2) * k / last, box["y"] + box["height"] / 2)


def reply_after_everyone_left(route: Route) -> None:
    """Reply as the server would once nobody is at the table any more."""
    reply = route.fetch()
    replay = reply.json()
    for seat in replay["table"]["seat_holders"]:
        seat["connected"] = False
    route.fulfill(response=reply, json=replay)


def test_replay_is_watched_from_one_seat_without_other_hands(server, new_player):
    ann = new_player(server)
    table = finish_game(ann, "crystals", 3, {"rounds": 1})
    ann.route(f"**/api/tables/{table}/replay", reply_after_everyone_left)
    ann.open(f"/table/{table}/replay#6", ".hands h2 >> nth=2")
    expect(ann.page.get_by_text("away", exact=True)).to_have_count(0)
    cards = ann.page.locator("main [data-card]")
    everyone = cards.count()
    show = ann.page.get_by_role("combobox", name="Show")
    show.select_option(label="Only the hand of Blaise")
    expect(ann.page.locator(".hands")).to_have_count(0)
    assert 0 < cards.count() < everyone / 2, "other hands are still visible"
    ann.page.get_by_role("heading", name="Blaise").or_(ann.page.get_by_role("region", name="Blaise")).wait_for()
    expect(ann.page.locator(".seat .state").get_by_text("away")).to_have_count(0)
    show.select_option(label="All hands")
    expect(cards).to_have_count(everyone)


def test_replay_and_review_call_the_viewer_you(server, new_player):
    """A guest does not know the name that the server chose for them."""
    ann, ben = new_player(server), new_player(server)
    table = finish_game(ann, "fourteen", 3, {"target": 5})
    (own,) = [one["name"] for one in ann.get_table(table)["table"]["seat_holders"] if one["kind"] == "person"]
    for page, awaited in (("review", ".review table"), ("replay", ".hands h2")):
        ann.open(f"/table/{table}/{page}#4")
        ann.page.wait_for_selector(f"{awaited} >> nth=1", state="attached", timeout=REVIEW_TIMEOUT_MS)
        expect(ann.page.locator("main")).not_to_contain_text(own)
        expect(ann.page.locator("option", has_text="Only your hand")).to_have_count(1)
        if page == "review":
            expect(ann.page.locator(".review figure li").filter(has_text=re.compile(r"^\s*You$"))).to_have_count(1)
    ben.open(f"/table/{table}/replay", ".hands h2 >> nth=2")
    expect(ben.page.locator("main")).to_contain_text(own)


@pytest.mark.parametrize("marked", [0, 1])
def test_review_names_the_cost_of_moves_only_if_it_marks_one(marked, server, new_player):
    """“None of your moves clearly cost points” and “the best moves would have brought 5 more” would contradict each other."""
    ann = new_player(server)
    table = finish_game(ann, "fourteen", 3, {"target": 5})
    ann.open(f"/table/{table}/review")
    ann.page.wait_for_selector(".review table", state="attached", timeout=REVIEW_TIMEOUT_MS)
    made = ann.page.request.get(f"{ann.address}/api/tables/{table}/review").json()
    results = [{**one, "marked": marked, "cost": 5.0} for one in made["results"]]
    ann.route("**/api/tables/*/review", lambda route: route.fulfill(json={**made, "results": results}))
    ann.page.reload()
    ann.page.wait_for_selector(".review table", state="attached", timeout=REVIEW_TIMEOUT_MS)
    expect(ann.page.get_by_text("The best moves would have brought")).to_have_count(marked)


def test_review_arrives_without_moving_board_and_slider(server, new_player):
    ann = new_player(server, "phone", painted=True)
    ann.add_init_script(RECORD_SHIFTS_JS.replace(".hand .card", ".verdict progress"))
    table = finish_game(ann, "fourteen", 3, {"target": 5})
    ann.open(f"/table/{table}/review#4")
    ann.page.wait_for_selector(".verdict .ways button", timeout=REVIEW_TIMEOUT_MS)
    assert ann.page.evaluate("opened.cards"), "expected a review that arrives later than the page"
    assert not layout_shifts(ann), "the page moves when the review arrives"
