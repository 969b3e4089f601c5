"""The coach of a first game: the right sentence at the first of each kind of moment, once, and never in the way."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from browser.conftest import Server
from browser.player import AT_REST, Player
from browser.test_access import examine
from browser.test_budgets import WATCH, jumped
from browser.test_steady import FAKE, asked, sit, tell
from browser.test_tricks import one_card_left, play_on
from browser.windows import BLANK
from diamonds import words
from lengths import lengths

LESSONS = Path(__file__).parents[2] / "web" / "src" / "games"
LESSON = ".coach [data-lesson]"
NAMED = f"document.querySelector({LESSON!r})?.dataset.lesson"
GAMES: list[tuple[str, int]] = [("crystals", 4), ("fourteen", 4), ("mines", 2)]
# What each game teaches at the very first question, whichever that is.
FIRST = {
    "crystals": "Most points win.",
    "fourteen": "Every ♦ you take in tricks is a point.",
    "mines": "Seven ♦ in your hand win.",
}


def catalogue(language: str) -> str:
    return (Path(words.__file__).parent / f"{language}.ftl").read_text(encoding="utf-8")


def newcomer(server: Server, person: Callable[..., Player], size: str = "desktop", **more: Any) -> Player:
    """Someone who has played none of the games on this device."""
    ann = person(server, size, **more)
    ann.settle(coach="first")
    return ann


def lesson(ann: Player) -> str:
    """The name of what is said now; nothing where the coach is silent."""
    name: str = ann.page.evaluate(f"() => {NAMED} ?? ''")
    return name


def said(ann: Player) -> str:
    """What is said, with suits as in the catalogue: those that are drawn as their signs."""
    text: str = ann.page.locator(LESSON).evaluate(
        """(one) => {
          const read = one.cloneNode(true)
          for (const same of read.querySelectorAll('.unseen')) same.remove() // for ears
          for (const drawn of read.querySelectorAll('.suit'))
            drawn.replaceWith({ D: '♦', H: '♥', S: '♠', C: '♣' }[drawn.querySelector('use').getAttribute('href').at(-1)])
          return read.textContent
        }"""
    )
    return text.strip()


def arrived(ann: Player) -> None:
    ann.page.wait_for_function(f"() => {NAMED}")


@lengths("answers", 7, 20)
def test_a_first_game_begins_with_what_winning_means_and_says_nothing_twice(
    answers: int, server: Server, person: Callable[..., Player]
) -> None:
    ann = newcomer(server, person)
    for game, seats in GAMES:
        ann.sit_down(game, seats, by_link=ann.page.url != BLANK)
        ann.asked()
        arrived(ann)
        assert said(ann).startswith(FIRST[game]), f"The first sentence is {said(ann)!r}."
        names: list[str] = []
        for _ in range(answers):
            question = ann.asked()
            assert question is not None
            names.append(lesson(ann))
            if question["over"] or not ann.turn(question):
                break
            ann.page.wait_for_function(
                "(name) => document.querySelector('.end') || (document.querySelector('main.table').dataset.question"
                f" && (!name || {NAMED} !== name))",
                arg=names[-1],
            )
        told = [name for name in names if name]
        assert len(told) >= 4, f"{game}: in {answers} decisions only {told} were explained."
        assert len(set(told)) == len(told), f"{game}: something was said again after going on: {told}"


def test_each_decision_and_happening_of_crystals_has_its_sentence(
    server: Server, person: Callable[..., Player]
) -> None:
    ann = person(server)
    ann.settle(coach="first")
    ann.begin_with(FAKE)
    message = sit(ann, server, "crystals", 4, {})
    me = message["seat"]
    other = (me + 1) % 4
    message["view"] |= {"passing": 1, "led": None, "leader": me}
    message["view"]["hand"][me] = ["D7", "H3", "H9"]

    def put(question: str, legal: list[Any], **view: Any) -> None:
        nonlocal message
        message = asked(message, question, legal)
        message["view"] |= {"question": question, **view}
        tell(ann, message)

    def happen(*events: dict[str, Any]) -> None:
        nonlocal message
        message = {**message, "n": message["n"] + 1, "version": message["version"] + 1, "ask": None}
        message["view"] = {**message["view"], "to_act": [other], "question": "play"}
        message["told"] = [{"n": message["n"], "event": event} for event in events]
        tell(ann, message)

    def expect(name: str, sentence: str) -> None:
        ann.page.wait_for_function(f"(name) => {NAMED} === name", arg=name)
        assert sentence in said(ann), f"{name}: {said(ann)!r}"
        assert name not in over, f"{name} is said a second time."
        over.append(name)

    def on() -> None:
        ann.page.evaluate("() => document.querySelector('.coach .next')?.click()")

    over: list[str] = []
    put("count", [1, 2, 3])
    expect("goal", "in your Vault counts 2")
    on()
    expect("count", "how many cards everyone passes on")
    put("pass", ["D7", "H3"], passing=1)
    expect("pass", "all you have of one suit")
    put("play", ["D7", "H3", "H9"], trick=[], led=None)
    expect("lead", "You lead")
    put("play", ["H3", "H9"], trick=["H5"], led="H")
    expect("follow", "♥")
    put("play", ["D7", "H3", "H9"], trick=["S5"], led="S")
    expect("void", "You have no ♠")
    put("victim", [other])
    expect("victim", "Choose whom your ♣ robs")
    # What happened waits until what is asked has been answered.
    happen({"event": "played", "seat": other, "card": "S4"}, {"event": "spade", "seat": other, "moved": 1})
    expect("paid", "could not follow suit")
    on()
    expect("spade", "from the Showroom into the Vault")
    for name, sentence in [
        ("diamond", "straight into the Vault"),
        ("heart", "into the Showroom"),
        ("club", "somebody else’s Showroom"),
    ]:
        happen({"event": name, "seat": other, "moved": 1, "victim": me})
        ann.page.wait_for_function("() => document.querySelector('.coach .next')")
        on()
        expect(name, sentence)
    happen({"event": "trick", "seat": me, "suit": "H"})
    ann.page.wait_for_function("() => document.querySelector('.coach .next')")
    on()
    expect("won", "The trick is yours")


VARIANTS: list[tuple[str, dict[str, Any], list[str]]] = [
    (
        "crystals",
        {"thief": True, "partnership": True, "perfect": True},
        ["The mask is the thief’s", "You and your partner own one Vault", "No card is left out"],
    ),
    ("fourteen", {"scoring": "bid"}, ["Foretell how many ♦"]),
    ("fourteen", {"scoring": "tricks"}, ["Every trick is a point"]),
]


def test_a_variant_is_explained_where_it_is_played(server: Server, person: Callable[..., Player]) -> None:
    ann = newcomer(server, person)
    for game, options, sentences in VARIANTS:
        ann.sit_down(game, 4, options, by_link=ann.page.url != BLANK)
        ann.asked()
        arrived(ann)
        heard = said(ann)
        more = ann.page.locator(".coach .next")
        while not all(sentence in heard for sentence in sentences) and more.count():
            name = lesson(ann)
            more.click()
            ann.page.wait_for_function(f"(name) => {NAMED} !== name", arg=name)
            if lesson(ann):
                heard += said(ann)
        missing = [sentence for sentence in sentences if sentence not in heard]
        assert not missing, f"{missing} is not explained: {heard}"


def test_what_is_dismissed_stays_dismissed_after_the_page_is_loaded_anew(
    server: Server, person: Callable[..., Player]
) -> None:
    ann = newcomer(server, person)
    table = ann.sit_down("fourteen", 3)
    ann.asked()
    arrived(ann)
    first = lesson(ann)
    ann.page.get_by_role("button", name="The coach’s next sentence").click()
    ann.page.wait_for_function(f"(name) => {NAMED} !== name", arg=first)
    ann.page.reload()
    ann.asked()
    arrived(ann)
    assert lesson(ann) != first, f"{first} was passed over, and is said again."
    ann.page.get_by_role("button", name="No more coaching in this game").click()
    ann.page.wait_for_function("() => !document.querySelector('.coach')")
    ann.open(f"/table/{table}")
    ann.asked()
    assert ann.page.locator(".coach").count() == 0, "The coach was sent away, and is back."
    ann.sit_down("fourteen", 3, by_link=True)
    ann.asked()
    assert ann.page.locator(".coach").count() == 0, "The coach was sent away, and is back in the next game."
    ann.sit_down("mines", 2, by_link=True)
    ann.asked()
    arrived(ann)


def test_after_a_whole_game_the_next_of_its_kind_is_not_coached_unless_the_settings_say_so(
    server: Server, person: Callable[..., Player]
) -> None:
    ann = newcomer(server, person)
    table = ann.sit_down("crystals", 2, {"rounds": 1})
    ann.asked()
    arrived(ann)
    ann.play_away(table)
    ann.sit_down("crystals", 2, by_link=True)
    ann.asked()
    assert ann.page.locator(".coach").count() == 0, "The second game is coached, too."
    ann.go("/settings")
    ann.page.get_by_label("The coach explains").select_option("in every game")
    ann.sit_down("crystals", 2, by_link=True)
    ann.asked()
    arrived(ann)
    assert lesson(ann) == "goal", "Coached at will, a game begins at the beginning."
    ann.go("/settings")
    ann.page.get_by_label("The coach explains").select_option("never")
    ann.sit_down("mines", 2, by_link=True)
    ann.asked()
    assert ann.page.locator(".coach").count() == 0, "Switched off, the coach is still there."


def test_a_coach_with_nothing_to_say_leaves_no_mark(server: Server, person: Callable[..., Player]) -> None:
    ann = newcomer(server, person, "phone")
    table = ann.make("mines", 2)["id"]
    names = re.findall(r"name: '([\w-]+)'", (LESSONS / "mines" / "coach.ts").read_text(encoding="utf-8"))
    told = json.dumps(json.dumps({"mines": {"table": table, "said": names}}))
    ann.begin_with(f"localStorage.setItem('diamonds.coach', {told})")
    ann.open(f"/table/{table}")
    ann.asked()
    ann.page.wait_for_selector(".coach div.sentence", state="attached")
    ann.rest()
    away = ann.page.locator(".coach .icon")
    assert away.is_hidden(), "There is nothing to send away."
    line = ann.page.locator(".coach div.sentence").evaluate("(one) => getComputedStyle(one).borderLeftColor")
    assert line == "rgba(0, 0, 0, 0)", f"A line stands beside no words: {line}"


def test_on_a_phone_the_coach_waits_while_a_summary_lies_over_his_words(
    server: Server, person: Callable[..., Player]
) -> None:
    ann = person(server, "phone")
    ann.settle(coach="always", trickSeconds=3600)  # so that the summary stays, too
    ann.open(f"/table/{play_on(ann, 'fourteen', 3, one_card_left)}")
    while not ann.page.locator(".summary").count():
        if ann.page.locator(".trick li.won").count():
            ann.page.locator(".skip").click(force=True)
        else:
            ann.turn()
        ann.page.wait_for_function(f"() => document.querySelector('.summary, .trick li.won') || ({AT_REST})()")
    expect(ann.page.locator(".coach div.sentence")).to_be_hidden()
    ann.page.locator(".skip").click(force=True)
    expect(ann.page.locator(".coach div.sentence")).to_be_visible()


@pytest.mark.parametrize(
    ("game", "seats", "size"),
    [
        ("crystals", 6, "phone"),
        ("fourteen", 3, "desktop"),
        ("mines", 2, "phone"),
        pytest.param("crystals", 6, "desktop", marks=pytest.mark.slow),
        pytest.param("fourteen", 3, "phone", marks=pytest.mark.slow),
        pytest.param("mines", 2, "desktop", marks=pytest.mark.slow),
    ],
)
def test_nothing_moves_for_the_coach_and_he_covers_nothing(
    game: str, seats: int, size: str, server: Server, person: Callable[..., Player]
) -> None:
    ann = newcomer(server, person, size, painted=True)
    ann.begin_with(WATCH)
    ann.sit_down(game, seats)
    ann.asked()
    arrived(ann)
    ann.rest()
    covered = ann.page.evaluate(
        """() => {
          const coach = document.querySelector('.coach')
          const box = coach.getBoundingClientRect()
          const around = [...document.querySelectorAll('.words, .actions, .own-hand, .own, .seat, .trick, .spot, .hand .card')]
          const over = (one) => one.bottom > box.top + 0.5 && one.top < box.bottom - 0.5 && one.right > box.left && one.left < box.right
          return [
            ...around.filter((node) => over(node.getBoundingClientRect())).map((node) => node.getAttribute('class')),
            ...(document.documentElement.scrollHeight > innerHeight ? [`the page, ${document.documentElement.scrollHeight - innerHeight} too long`] : []),
          ]
        }"""
    )
    assert not covered, f"The coach covers {covered[:4]}."
    if game == "crystals":
        examine(ann, "the coach")
    shifts = jumped(ann)
    assert not shifts, f"Things jumped when the coach came: {shifts[:3]}"


def test_on_the_narrowest_phones_every_sentence_of_the_coach_has_room_in_every_language_and_ones_own_place_lies_above_the_hand(
    server: Server, person: Callable[..., Player]
) -> None:
    ann = newcomer(server, person, "phone")
    ann.page.set_viewport_size({"width": 320, "height": 640})
    ann.sit_down("crystals", 4)
    ann.asked()
    arrived(ann)
    sentences = [
        re.sub(r"\{ \$(\w+) \}", lambda value: "♦" if value[1] == "suit" else "40", text)
        for language in words.languages()
        for text in re.findall(r"^page-coach-[a-z]+-\S+ = (.+)", catalogue(language), re.MULTILINE)
    ]
    assert len(sentences) > 100
    long = ann.page.evaluate(
        """(sentences) => {
          const place = document.querySelector('.coach .sentence')
          const words = place.querySelector('p')
          const drawn = words.querySelector('span')
          return sentences.filter((sentence) => {
            drawn.textContent = sentence
            return words.offsetHeight > place.clientHeight || words.offsetWidth > place.clientWidth
          })
        }""",
        sentences,
    )
    assert not long, "These do not fit:\n" + "\n".join(long)
    ann.page.set_viewport_size({"width": 360, "height": 640})
    ann.rest()
    ann.see_own_place_above_the_hand(over=3)
