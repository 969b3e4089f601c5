"""The end of a game: the player's place, the costliest move in its trick, and one suggestion."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Route, expect

from tests.browser.conftest import wait_for
from tests.browser.player import NEXT_FRAME_JS, Player
from tests.browser.test_accessibility import check_with_axe, contrast, least_distance
from tests.browser.test_budgets import RECORD_SHIFTS_JS, layout_shifts
from tests.browser.test_hints_and_reviews import REVIEW_TIMEOUT_MS, finish_game

# Colours of the chart's lines: on the table at the end of a game, and on the panel of a review.
LINE_COLOURS_JS = """() => {
  const colours = (figure) => [...figure.querySelectorAll('li svg')].map((line) => getComputedStyle(line).color)
  const figure = document.querySelector('.chart figure')
  const panel = document.body.appendChild(Object.assign(document.createElement('div'), { className: 'panel' }))
  const cloth = document.body.appendChild(document.createElement('div'))
  cloth.style.background = 'var(--cloth)'
  const ends = [colours(figure), getComputedStyle(cloth).backgroundColor]
  panel.append(figure)
  return [ends, [colours(figure), getComputedStyle(panel).backgroundColor]]
}"""

# All states in which the final scores were drawn.
RECORD_SCORES_JS = """(() => {
  window.scores = []
  requestAnimationFrame(function look() {
    const text = document.querySelector('.end .scores')?.innerText
    if (text && scores.at(-1) !== text) scores.push(text)
    requestAnimationFrame(look)
  })
})()"""

PLACES = ["first", "second", "third", "fourth"]
MAX_GAMES = 12


def finish_until(
    ann: Player, game: str, seats: int, options: dict[str, Any], wanted: Callable[[dict[str, Any]], bool]
) -> tuple[str, dict[str, Any]]:
    """Play games with the first legal answers until one ends as wanted, and show its end."""
    for _ in range(MAX_GAMES):
        table = ann.take_seat(game, seats, options)
        result = ann.play_by_api(table)["result"]
        if wanted(result):
            ann.open(f"/table/{table}")
            return table, result
    raise AssertionError(f"None of {MAX_GAMES} games ended as wanted.")


def test_end_shows_final_scores_from_the_first_moment_also_to_spectators(server, new_player):
    ann, ben = new_player(server), new_player(server)
    table = finish_game(ben, "crystals", 4, {"rounds": 1})
    ann.add_init_script(RECORD_SCORES_JS)
    ann.open(f"/table/{table}")
    result = ann.get_table(table)["result"]
    expect(ann.page.locator("tbody .sum").first).to_have_text(str(max(result["scores"])))
    assert len(ann.page.evaluate("scores")) == 1, f"The scores changed: {ann.page.evaluate('scores')}"
    ann.open_more()
    ann.wait_until_still()
    assert not ann.page.locator(".costly, .suggestion").count(), "A spectator is told of the costliest move."


def test_end_shows_the_place_and_suggests_a_lesson_after_a_first_loss(server, new_player):
    ann = new_player(server)
    ann.change_settings(coach="first")
    _, result = finish_until(ann, "crystals", 4, {"rounds": 1}, lambda result: 0 not in result["winners"])
    own = result["scores"][0]
    place = sum(score > own for score in result["scores"])
    headline = ann.page.locator(".end h1")
    expect(headline).to_contain_text(f"of four: {own} point")
    assert place == 0 or PLACES[place] in headline.inner_text()
    level = sum(score == own for seat, score in enumerate(result["scores"]) if seat not in result["winners"]) > 1
    assert ("You tied" in headline.inner_text()) == level, f"{result['scores']}: {headline.inner_text()}"
    expect(ann.page.locator(".end .over")).to_contain_text(f"with {max(result['scores'])} points")
    expect(ann.page.get_by_text("the lamp at the top still gives you hints")).to_be_visible()
    choices = ann.page.locator(".end .button:visible")
    assert choices.all_inner_texts() == ["Play again", "Review the game", "More"]
    assert ann.page.locator(".end .button.main:visible").count() == 1
    ann.page.locator(".suggestion").get_by_role("link", name="Learn Crystals").click()
    ann.page.wait_for_url("**/learn/crystals")


@pytest.mark.parametrize("is_shared", [True, False])
def test_c21_end_names_the_players_who_share_a_place_after_the_first(is_shared, server, new_player):
    def shares_place(result: dict[str, Any]) -> bool:
        scores = [score for seat, score in enumerate(result["scores"]) if seat not in result["winners"]]
        return len(set(scores)) < len(scores)

    ann = new_player(server)
    _, result = finish_until(
        ann, "crystals", 5 if is_shared else 3, {"rounds": 1}, lambda result: shares_place(result) == is_shared
    )
    expect(ann.page.locator(".end .scores")).to_be_visible()
    losers = [score for seat, score in enumerate(result["scores"]) if seat not in result["winners"]]
    shared = {score for score in losers if losers.count(score) > 1}
    places = [1 + len(result["winners"]) + sum(score > one for score in losers) for one in shared]
    said = ann.page.locator(".end .shared")
    expect(said).to_have_count(len(places))
    for place in places:
        sentence = re.compile(rf"^Equal points, shared place {place}: [\w, ]+ and \w+\.$")
        expect(said.filter(has_text=sentence)).to_have_count(1)


def test_loser_of_mines_reads_the_ending_as_their_own(server, new_player):
    ann = new_player(server, "phone")
    finish_until(
        ann, "mines", 2, {}, lambda result: result["ended"].startswith("barred") and 0 not in result["winners"]
    )
    expect(ann.page.locator(".end h1")).to_have_text("You lost")
    expect(ann.page.locator(".end .over")).to_contain_text("Your hand and all piles left to you held too few ♦")
    expect(ann.page.locator(".final .key")).to_have_text("Gold: within your reach. Dashed: out of reach.")
    expect(ann.page.get_by_text("has no coach")).to_have_count(0)


def test_chart_stays_in_place_after_a_game_without_a_mistake_on_a_phone(server, new_player):
    ann = new_player(server, "phone", painted=True)
    ann.add_init_script(
        RECORD_SHIFTS_JS.replace("document.querySelector('.hand .card')", "document.querySelector('.costly')")
    )

    def without_mistakes(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, json=answer.json() | {"decisions": []})

    ann.route("**/review", without_mistakes)
    finish_game(ann, "crystals", 2, {"rounds": 3})
    expect(ann.page.locator(".costly.plain")).to_be_visible(timeout=REVIEW_TIMEOUT_MS)
    expect(ann.page.locator(".chart figure")).to_be_visible()
    assert not layout_shifts(ann), "the page moves when the review has found no mistake"


@pytest.mark.parametrize("size", ["phone", "desktop"])
def test_costliest_move_comes_without_moving_the_page(size, server, new_player):
    ann = new_player(server, size, painted=True)
    ann.add_init_script(
        RECORD_SHIFTS_JS.replace("document.querySelector('.hand .card')", "document.querySelector('.costly')")
    )
    table = finish_game(ann, "fourteen", 3, {"target": 5})
    box = ann.page.locator(".costly")
    expect(box).to_contain_text("Looking through your game")
    box.get_by_role("link", name="See it on the board").wait_for(timeout=REVIEW_TIMEOUT_MS)
    difference = re.compile(r"^(You|Blaise|Carl) took |^(Fourteens|One trick) decided it:|^It was close:")
    expect(ann.page.locator(".difference")).to_have_text(difference)
    made = ann.page.request.get(f"{server.address}/api/tables/{table}/review").json()
    worst = max((one for one in made["decisions"] if one["marked"]), key=lambda one: one["cost"])
    assert len(worst["best_answers"]) == 1
    expect(box.locator(".given")).to_have_count(1)
    assert box.locator(".best use.big").count() == 1
    expect(box.locator(".why")).to_contain_text("Better:")
    expect(box.locator(".why")).to_contain_text(re.compile(r"On average this gains .*, in this trick or later\.$"))
    assert not layout_shifts(ann), "the page moves when the costliest move arrives"
    if size == "phone":
        check_with_axe(ann, "the end with the costliest move")
    box.get_by_role("link").click()
    ann.page.wait_for_url(f"**/review#{worst['n']}")
    expect(ann.page.locator(".mine [data-mark='best']")).to_have_count(1)


def test_final_screen_appears_together_with_its_scores(server, new_player):
    """If the scores came later, they would push down everything below them."""
    ann = new_player(server)
    held: list[Route] = []
    loaded: list[str] = []
    ann.route("**/assets/FinalScores-*.js", lambda route: held.append(route))
    ann.on("requestfinished", lambda request: loaded.append(request.url))
    finish_game(ann, "fourteen", 3, {"target": 5})

    def is_rest_loaded() -> bool:
        ann.page.evaluate(NEXT_FRAME_JS)
        return len(held) == 1 and any("/GameOver-" in url and url.endswith(".js") for url in loaded)

    wait_for(is_rest_loaded, "The page does not load the final screen.")
    ann.page.evaluate(NEXT_FRAME_JS)
    expect(ann.page.locator(".end")).to_have_count(0)
    held[0].continue_()
    expect(ann.page.locator(".end .scores")).to_be_visible()


@pytest.mark.parametrize(("is_won", "says"), [(False, "No move of yours cost you much."), (True, "Well played!")])
def test_game_without_a_mistake_is_praised_only_if_it_is_won(is_won, says, server, new_player):
    ann = new_player(server)
    nothing = {"unit": "points", "material_difference": 0.5, "worlds": 1, "decisions": [], "results": [], "chances": []}
    ann.route("**/review", lambda route: route.fulfill(json=nothing))
    finish_until(ann, "fourteen", 3, {"target": 5}, lambda result: (0 in result["winners"]) == is_won)
    expect(ann.page.locator(".costly")).to_contain_text(says)


def test_costly_move_says_that_the_better_card_is_not_ahead_either(server, new_player):
    """Without the note, players expect the better card to win its trick, and see no mistake in losing the trick."""
    ann = new_player(server)
    table, _ = finish_until(ann, "fourteen", 3, {"target": 5}, lambda _: True)
    steps = ann.page.request.get(f"{server.address}/api/tables/{table}/replay").json()["steps"]
    n, view = next(
        (n, step["view"])
        for n, step in enumerate(steps)
        if len(step["view"]["trick"]) == 1 and step["view"]["trick"][0][1:] not in ("A", "Q", "K")
    )
    made: dict[str, Any] = {"unit": "points", "material_difference": 0.3, "worlds": 1, "results": [], "chances": []}
    made["decisions"] = []  # the open page may still wait for its review
    ann.route("**/review", lambda route: route.fulfill(json=made))
    off = [f"{suit}2" for suit in "HSC" if suit != view["suit"]][:2]
    for best, count in ((off[1], 1), (f"{view['suit']}K", 0)):
        judged = {"n": n, "seat": 0, "deal": 1, "question": "play", "answers": off[:1], "best_answers": [best]}
        judged |= {"legal": [off[0], best], "as_good_answers": [], "cost": 1.0, "cost_error": 0.1, "marked": True}
        judged |= {"text": ["hint-cards", {"cards": off[:1]}], "best": ["hint-cards", {"cards": [best]}]}
        judged |= {"reasons": [], "hindsight": None, "points": 1.0, "value": 0.0, "skill": 0.0, "skill_error": 0.1}
        made["decisions"] = [judged]
        ann.open(f"/table/{table}")
        expect(ann.page.locator(".costly .why")).to_contain_text("Better:")
        expect(ann.page.locator(".costly .why", has_text="Neither card is ahead in this trick.")).to_have_count(count)


def test_gain_of_better_passed_cards_names_no_trick(server, new_player):
    ann = new_player(server)
    judged = {"n": 1, "seat": 0, "deal": 1, "question": "pass", "answers": ["H2", "H3"], "best_answers": ["S2", "S3"]}
    judged |= {"legal": [], "as_good_answers": [], "cost": 1.0, "cost_error": 0.1, "marked": True}
    judged |= {"text": ["hint-cards", {"cards": ["H2", "H3"]}], "best": ["hint-cards", {"cards": ["S2", "S3"]}]}
    judged |= {"reasons": [], "hindsight": None, "points": 1.0, "value": 0.0, "skill": 0.0, "skill_error": 0.1}
    made = {"unit": "points", "material_difference": 0.3, "worlds": 1, "results": [], "chances": []}
    ann.route("**/review", lambda route: route.fulfill(json=made | {"decisions": [judged]}))
    finish_game(ann, "crystals", 4, {"rounds": 1})
    expect(ann.page.locator(".costly .why")).to_contain_text(re.compile(r"On average this gains [^,]*\.$"))


def hex_colour(css: str) -> str:
    """Return a colour such as ``rgb(15, 74, 80)`` as ``#0f4a50``."""
    return "#{:02x}{:02x}{:02x}".format(*map(int, re.findall(r"\d+", css)[:3]))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_chart_lines_differ_for_colour_blind_players(scheme, server, new_player):
    ann = new_player(server)
    ann.page.emulate_media(color_scheme=scheme)
    finish_game(ann, "crystals", 6, {"rounds": 2})
    ann.page.wait_for_selector(".chart figure")
    for lines, ground in ann.page.evaluate(LINE_COLOURS_JS):
        colours = {f"line {k}": hex_colour(line) for k, line in enumerate(lines)}
        assert len(colours) == 6
        apart, which = least_distance(colours)
        assert apart >= 15, f"{which} are only {apart:.0f} apart."
        for colour in colours.values():
            assert contrast(colour, hex_colour(ground)) >= 3, f"{colour} does not stand out from {ground}"
