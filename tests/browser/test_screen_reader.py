"""A game played only through the accessibility tree: announcements are complete, in order and not repeated."""

import re

import pytest

from tests.browser.scripts import Scripts
from tests.browser.test_layout_shift import open_faked_table, send_state
from tests.support.sample_sizes import short_or_long

SCRIPTS = Scripts(__file__)


MAX_HEARD_AT_ONCE = 9
# A question during an opponent's turn begins with who does what.
QUESTION_START = r"(?:Your turn\. |\w+ attacks pile \d+ with |\w+ won and takes a card)"
QUESTION = re.compile(rf"(?:^| )({QUESTION_START}.*)$")


@pytest.mark.parametrize(
    ("game", "seats", "options", "answers"),
    [("crystals", 4, {}, 4), ("fourteen", 4, {"scoring": "bid"}, 4), ("mines", 2, {}, 12)],
)
def test_every_event_and_question_is_announced_once_in_order(game, seats, options, answers, server, new_player):
    ann = new_player(server, input_method="keys")
    ann.add_init_script(SCRIPTS.call("recordSpeech"))
    ann.sit_down(game, seats, options)
    for _ in range(answers):
        ann.answer_question()
    ann.question()
    asked = f"() => heard.filter((said) => /{QUESTION_START}/.test(said)).length > {answers} && heard"
    heard: list[str] = ann.page.wait_for_function(asked).json_value()
    questions = [found[1] for said in heard if (found := QUESTION.search(said))]
    ann.page.locator(".log details").evaluate_all("(tricks) => tricks.forEach((trick) => (trick.open = true))")
    tree = ann.page.get_by_role("log").aria_snapshot()
    log = [line.strip('"') for line in re.findall(r"- paragraph: (.*)", tree)]
    assert len(log) >= 9, f"Expected more in the log than {log}."
    at = 0
    for told in filter(None, (QUESTION.sub("", said) for said in heard)):
        runs = [(k, j) for k in range(at, len(log)) for j in range(k + 1, len(log) + 1) if " ".join(log[k:j]) == told]
        assert runs, f"{told!r} was announced, but is missing in the log after {log[:at]}."
        first, last = runs[0]
        # If many events arrive together on a slow connection, the last nine are announced.
        assert first == at or last - first == MAX_HEARD_AT_ONCE, f"{log[at:first]} was not announced."
        at = last
    assert at == len(log), f"{log[at:]} was not announced."
    ann.page.wait_for_function(
        "() => [...document.querySelectorAll('.unseen[aria-live]')].every((one) => !one.innerText)"
    )
    assert len(questions) == answers + 1, f"{answers + 1} questions were asked, but these were announced: {questions}"


@short_or_long("answers", 3, 12)
def test_suits_and_cards_are_announced_in_plain_words(answers, server, new_player):
    ann = new_player(server)
    ann.change_settings(coach="always")  # the longest texts
    for game, seats in (("crystals", 4), ("fourteen", 4), ("mines", 2)):
        ann.sit_down(game, seats, by_link=game != "crystals")
        trees = []
        for _ in range(answers):
            ann.answer_and_wait()
            ann.page.wait_for_selector(".coach .sentence")
            trees.append(ann.page.locator("body").aria_snapshot())
        tree = "\n".join(trees)
        assert not re.search("[♦♥♠♣]", tree), f"{game}: a suit is a symbol without a name: {tree}"
        wrong = re.findall(
            r"\b(?:a|any|attacking|each|every|its|which|your) (?:diamonds|hearts|spades|clubs)\b", tree, re.IGNORECASE
        )
        wrong += re.findall(r"\b(?:diamonds|hearts|spades|clubs) (?:\d|[AJQK]\b)", tree)
        assert not wrong, f"{game}: unidiomatic speech: {wrong}"


@pytest.mark.parametrize(("scoring", "worth"), [("diamonds", "1 diamond"), ("tricks", "one point")])
def test_one_diamond_or_point_is_announced_in_the_singular(scoring, worth, server, new_player):
    """F11: where tricks score, the log counts no ♦."""
    ann = new_player(server)
    message = open_faked_table(ann, server, "fourteen", 3, {"scoring": scoring})
    winner = (message["seat"] + 1) % 3
    events = [{"event": "played", "seat": (winner + k) % 3, "card": card} for k, card in enumerate(["S3", "S9", "D5"])]
    send_state(ann, message, [*events, {"event": "trick", "seat": winner, "diamonds": 1}], steps=3)
    ann.page.wait_for_function("(said) => document.body.textContent.includes(said)", arg=f"wins the trick: {worth}.")
