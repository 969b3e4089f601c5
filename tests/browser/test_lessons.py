"""Lessons in the page: a whole course by keyboard alone, announced to screen readers, and resumed at the next visit."""

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from diamonds import i18n
from tests.browser.player import Player
from tests.browser.scripts import Scripts
from tests.browser.test_accessibility import check_with_axe
from tests.browser.test_local_games import FAST_TIMEOUTS_JS
from tests.test_lessons import course_of

SCRIPTS = Scripts(__file__)

pytestmark = pytest.mark.kernels

FOCUSED_JS = "document.activeElement"


def lesson_sentences(language: str) -> dict[str, str]:
    """Return all sentences of lessons, keyed by the end of their ids."""
    text = (Path(i18n.__file__).parent / f"{language}.ftl").read_text(encoding="utf-8")
    return dict(re.findall(r"^page-lesson-(\S+) = (.*)$", text, re.MULTILINE))


LINES = {  # the longest line shown with a task and with its success, by course
    "crystals": ("New deal, trick 9. Points: you 8, Blaise 10, Carl 6", "Points: you 10 → 14, Blaise 10 → 15, Carl 6 → 7"),
    "fourteen": ("New deal. Nobody has taken a ♦ yet.", "♦ taken: you 4 → 5, Blaise 0, Carl 0, Dorothy 0"),
    "mines": ("New position. You: 1 ♦, cards 1, piles 1. Blaise: cards 1, piles 1.", "You: 0 → 1 ♦, cards 0 → 1, piles 1. Blaise: cards 1 → 0, piles 2."),
}  # fmt: skip


def sentences_with_lines(language: str) -> dict[str, str]:
    """Return all sentences of lessons with the line about points before or after them."""
    found = {}
    for id, text in lesson_sentences(language).items():
        game, name, *_ = id.split("-")
        step = next(one for one in course_of(game)["steps"] if one["name"] == name)
        line = '<b style="display: block; font-size: 14px">{}</b>'
        before, after = map(line.format, LINES[game])
        if id == f"{game}-{name}":
            text = before + text if "at" in step and step != course_of(game)["steps"][0] else text
        elif id.endswith(("-right", "-then")):
            text += after
        found[id] = text
    return found


def assert_announced(ann: Player, how: str, id: str) -> None:
    """Assert that the live region contains this sentence of the course."""
    ann.page.wait_for_selector(f".task[data-how={how}]")
    beginning = lesson_sentences("en")[id].split("♦")[0].split("♥")[0].split("♠")[0].split("♣")[0].strip()
    expect(ann.page.locator(".task [role=status]")).to_contain_text(beginning)


def answer_by_keys(ann: Player, answer: str) -> None:
    """Give one answer by keyboard alone: a digit focuses a card or presses a button."""
    question, value = answer.split()
    ann.page.wait_for_selector(f"main.table[data-question={question}]")
    ann.wait_until_still()
    where: dict[str, Any] = ann.page.evaluate(SCRIPTS["findAnswer"], value)
    if where["card"] >= 0:
        ann.page.keyboard.press(str((where["card"] + 1) % 10))
        ann.page.wait_for_function(f"(value) => {FOCUSED_JS}?.dataset.card === value", arg=value)
        ann.page.keyboard.press("Enter")
    else:
        assert where["buttons"], f"No key gives {answer}."
        ann.page.keyboard.press(str(where["button"] + 1 if where["button"] >= 0 else int(value)))


def test_course_is_done_by_keyboard_and_resumes_where_it_stopped(engine, server, new_player):
    ann = new_player(server, "phone")
    ann.add_init_script(FAST_TIMEOUTS_JS)
    ann.open("/")
    ann.page.get_by_role("link", name="Learn").focus()
    ann.page.keyboard.press("Enter")
    ann.page.wait_for_selector("text=about five minutes")
    ann.page.get_by_role("link", name="Learn Crystals").focus()
    ann.page.keyboard.press("Enter")
    steps = course_of("crystals")["steps"]
    assert_announced(ann, "asks", "crystals-lead")
    answer_by_keys(ann, "play C3")
    assert_announced(ann, "wrong", "crystals-lead-wrong")
    check_with_axe(ann, "a wrong try")
    for k, step in enumerate(steps):
        ann.page.wait_for_selector(f".task[data-step='{k}']:not([data-how=right])")
        if step["name"] == "spade":  # here the suit at the beginning of a sentence is its subject, not a heading
            expect(ann.page.locator(".task .unseen")).to_have_text(re.compile("^A spade trick moves a crystal "))
        for pattern in step["do"]:
            answer_by_keys(ann, " ".join(pattern.split()[:2]))
        if step["do"][0].startswith("pass "):
            ann.page.locator("button.pass:enabled").focus()
            ann.page.keyboard.press("Enter")
        assert_announced(ann, "right", f"crystals-{step['name']}-right")
        if k == 2:  # the course was left in the middle of a step, which counts as done
            ann.page.reload()
            continue
        ann.page.wait_for_function(f"() => {FOCUSED_JS}?.matches('.task .main')")
        ann.page.keyboard.press("Enter")
    ann.page.wait_for_selector("text=You know Crystals")
    check_with_axe(ann, "the end of a course")
    ann.page.evaluate("() => localStorage.removeItem('diamonds.played')")
    ann.page.get_by_role("button", name="Play now").focus()
    ann.page.keyboard.press("Enter")
    ann.page.wait_for_selector(".hand .card")
    assert "/table/own-" in ann.page.url, "Expected Play now to open a game on this device."
    expect(ann.page.locator("body"), "Expected a first game to be short.").to_contain_text("Round 1 of 1")
    game = ann.page.url.removeprefix(server.address)
    ann.open("/")
    expect(ann.page.locator(f".tables a[href='{game}']"), "The lobby does not list the game.").to_be_visible()
    ann.open("/learn", "text=All done")


def play_card(ann: Player, card: str) -> None:
    ann.wait_until_still()
    ann.page.locator(f".hand [data-card={card}].open").click(position={"x": 6, "y": 8})


def test_trick_of_a_step_stays_until_next_and_new_cards_are_announced(engine, server, new_player):
    ann = new_player(server, "phone")
    ann.add_init_script(FAST_TIMEOUTS_JS)
    ann.open("/learn/fourteen")
    dealt = ann.page.locator(".task .dealt")
    for k, step in enumerate(course_of("fourteen")["steps"][:3]):
        ann.page.wait_for_selector(f".task[data-step='{k}'][data-how=asks]")
        if k and "at" in step:
            expect(dealt).to_contain_text("New deal. Nobody has taken a diamond yet.")
        else:
            expect(dealt).to_have_count(0)
        if k == 1:
            play_card(ann, "S4")
            assert_announced(ann, "wrong", "fourteen-lead-wrong")
        play_card(ann, step["do"][0].split()[1])
        assert_announced(ann, "right", f"fourteen-{step['name']}-right")
        ann.page.wait_for_selector(".trick li.won")
        ann.wait_until_still()
        expect(ann.page.locator(".trick li"), "The text is about a trick that is no longer shown.").to_have_count(4)
        expect(ann.page.get_by_role("button", name="Next"), "Enter would not continue after a tap.").to_be_focused()
        ann.page.keyboard.press("Enter")


def test_c4_vaults_look_alike_in_lessons_and_news_leave_out_past_tricks(engine, server, new_player):
    """The step begins after eight tricks. The Vaults show their effects, but the news do not report them."""
    ann = new_player(server, "phone")
    step = next(k for k, one in enumerate(course_of("crystals")["steps"]) if one["name"] == "most")
    ann.add_init_script(f"localStorage.setItem('diamonds.lessons', JSON.stringify({{crystals: {step}}}))")
    ann.open("/learn/crystals")
    assert_announced(ann, "asks", "crystals-most")
    vaults = ann.page.locator(".others .vault")
    expect(vaults).to_have_text([re.compile(r"^\d$")] * 2)
    assert vaults.all_inner_texts() != ["0"] * 2, "expected crystals put into a Vault before the step"
    expect(ann.page.locator(".happened")).not_to_contain_text(re.compile(r"\w"))


def test_two_answers_of_a_lesson_cover_nothing_on_a_phone(engine, server, new_player):
    ann = new_player(server, "phone")
    ann.add_init_script(FAST_TIMEOUTS_JS)
    ann.add_init_script("localStorage.setItem('diamonds.lessons', JSON.stringify({mines: 6}))")
    ann.open("/learn/mines")
    assert_announced(ann, "asks", "mines-fight")
    expect(ann.page.locator(".where")).to_be_visible()
    ann.page.locator(".spot[data-pile='7']").click()
    play_card(ann, "C10")
    assert_announced(ann, "asks", "mines-fight-then")
    expect(ann.page.locator(".choices button")).to_have_count(2)
    expect(ann.page.locator(".standing"), "expected no leader among constructed positions").to_have_count(0)
    expect(ann.page.locator(".where"), "expected no step number under the answers").to_be_hidden()
    ann.page.locator(".choices button").first.click()
    assert_announced(ann, "right", "mines-fight-right")
    expect(ann.page.locator(".where")).to_be_visible()


def test_lesson_text_fits_a_small_phone(engine, server, new_player):
    ann = new_player(server)
    ann.page.set_viewport_size({"width": 360, "height": 640})
    ann.open("/learn/mines")
    assert_announced(ann, "asks", "mines-dig")
    ann.page.wait_for_selector(".own .seat")
    ann.wait_until_still()
    ann.assert_own_seat_visible()
    ann.page.set_viewport_size({"width": 768, "height": 1024})
    ann.wait_until_still()
    broad = ann.page.locator(".cloth").evaluate("(cloth) => cloth.clientWidth")
    assert broad > 700, f"On a tablet held upright the field is only {broad} pixels wide."
    for width, height in ((360, 640), (320, 640), (740, 360)):
        ann.page.set_viewport_size({"width": width, "height": height})
        for language in i18n.languages():
            high = ann.page.evaluate(SCRIPTS["findTallSentences"], list(sentences_with_lines(language).items()))
            assert not high, f"On a phone of {width} pixels these sentences ({language}) are cut: {high}"


@pytest.mark.parametrize("game", ["crystals", "fourteen", "mines"])
def test_lesson_fits_a_phone_in_landscape_without_scrolling(game, engine, server, new_player):
    ann = new_player(server)
    ann.change_settings(language="de")
    ann.page.set_viewport_size({"width": 740, "height": 360})
    ann.open(f"/learn/{game}", ".task .says > span")
    ann.wait_until_still()
    longer = ann.page.evaluate("document.documentElement.scrollHeight - innerHeight")
    assert longer <= 0, f"The lesson of {game} is {longer} pixels longer than the screen."
