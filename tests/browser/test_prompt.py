"""The prompt says why it asks and what the choices do, at every question of every game, even on the smallest phone."""

import random
from functools import cache
from typing import Any

import pytest
from playwright.sync_api import expect

from diamonds import i18n, views
from diamonds.cards import SUIT_LETTERS
from diamonds.game import GAMES
from tests.browser.test_layout_shift import open_faked_table, send_state, send_update
from tests.support.random_positions import all_variants, random_answer, start_variant

SYMBOLS = dict(zip(SUIT_LETTERS, "♦♥♠♣", strict=True))
SEATS = {"crystals": 4, "fourteen": 4, "mines": 2}
# Questions about a pile whose sentence must also name the opponent and the pile.
NAMES_PILE = ("fight_card", "defend", "spoils")
NAMES_OPPONENT = (*NAMES_PILE, "fight", "give")

# A text with its drawn suits, and the number of lines it takes.
TEXT_JS = """(selector) => {
  const shown = document.querySelector(selector)
  const read = shown.cloneNode(true)
  for (const one of read.querySelectorAll('.unseen')) one.remove()
  for (const one of read.querySelectorAll('svg')) one.replaceWith({ D: '♦', H: '♥', S: '♠', C: '♣' }[one.querySelector('use').getAttribute('href').at(-1)])
  return [read.textContent, Math.round(shown.getBoundingClientRect().height / parseFloat(getComputedStyle(shown).lineHeight))]
}"""


def makes_fourteen(card: str, hand: list[str]) -> bool:
    return any(card_number(card) + card_number(other) == 14 for other in hand)


def card_number(card: str) -> int:
    return {"A": 1, "J": 11, "Q": 12, "K": 13}.get(card[1:]) or int(card[1:])


@cache
def asked_positions(name: str) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Return a view and a question of the first seat for each case in which the prompt may differ."""
    found: dict[tuple[object, ...], tuple[dict[str, Any], dict[str, Any]]] = {}
    game = GAMES[name]
    for seed, variant in enumerate([one for one in all_variants(name) if one.seats == SEATS[name]] * 3):
        played, rng = start_variant(variant, seed), random.Random(seed)
        while not played.over:
            if 0 in game.to_act(played.state):
                question, legal = game.question(played.state).name, game.legal(played.state, 0)
                view = views.view_data(game, views.view(game, played.state, 0))
                suit = view.get("led") or view.get("suit")
                follows = suit and any(card.startswith(suit) for card in view["hand"][0])
                has_card = any(str(one)[1:] and str(one)[0] in SYMBOLS for one in legal)
                turns = (
                    name == "fourteen" and bool(view["trick"]) and makes_fourteen(view["trick"][-1], view["hand"][0])
                )
                key = (
                    question, turns, has_card, bool(suit), bool(follows), view.get("partnership"),
                    view.get("defence"),
                )  # fmt: skip
                found.setdefault(key, (view, {"question": question, "legal": legal, "illegal": []}))
            played.answer(*random_answer(played, rng))
    asked = {ask["question"] for _, ask in found.values()}
    assert asked == {question.name for question in game.rules.QUESTIONS}, f"expected more than {sorted(asked)}"
    return list(found.values())


@pytest.mark.parametrize("name", GAMES)
def test_prompt_names_reason_and_choices_of_every_question(name, server, new_player):
    ann = new_player(server)
    ann.page.set_viewport_size({"width": 360, "height": 740})
    message = open_faked_table(ann, server, name, SEATS[name], {})
    called = [place["name"] for place in message["table"]["seat_holders"]]
    for language in i18n.languages():
        ann.change_settings(language=language)
        ann.page.reload()
        said: dict[str, str] = {}
        for n, (view, ask) in enumerate(asked_positions(name), 1):
            send_update(ann, {**message, "n": n, "version": n + 99, "view": view, "open_question": ask, "events": []})
            ann.page.wait_for_selector(".status > span")
            ann.page.evaluate("() => document.fonts.ready")  # before it is loaded, another font is narrower
            text, lines = ann.page.evaluate(TEXT_JS, ".status > span")
            question, suit = ask["question"], view.get("led") or view.get("suit")
            where = f"{name} {question} ({language}): “{text}”"
            assert said.setdefault(text, question) == question, f"{where} also asks {said[text]}"
            assert lines <= 2, f"{where} takes {lines} lines of a phone"
            assert not suit or question != "play" or SYMBOLS[suit] in text, f"{where} does not name the suit"
            assert question not in NAMES_OPPONENT or called[1] in text, f"{where} does not name the opponent"
            pile = str((view.get("attacked") or 0) + 1)
            assert question not in NAMES_PILE or pile in text, f"{where} does not name pile {pile}"


@pytest.mark.parametrize("name", ["crystals", "fourteen"])
def test_prompt_for_the_last_card_offers_no_choice(name, server, new_player):
    ann = new_player(server)
    message = open_faked_table(ann, server, name, 4, {})
    me, suit = message["seat"], {"crystals": "led", "fourteen": "suit"}[name]
    hand = [["C9"] if seat == me else None for seat in range(4)]
    for trick, says in (([], "Play your last card."), (["S2"], "No spades: play your last card.")):
        view = {"question": "play", "trick": trick, "hand": hand, "to_act": [me], suit: "S" if trick else None}
        message = send_state(ann, message, ask=("play", ["C9"]), leader=(me - len(trick)) % 4, **view)
        expect(ann.page.locator(".status")).to_contain_text(says)


# For a trick, its suit and a hand: the prompt, the text in the middle of the table, and the card ahead.
PROMPTS_OF_FOURTEEN = [
    (["C9", "H2", "S8"], "C", ["D3", "S4"], "play any card; none can win. Any diamond goes to Blaise.", "Blaise is ahead", "C9"),
    (["C9", "D8"], "C", ["CK", "C3"], "play above Carl’s 9 of clubs for 1 diamond.", "1 diamond: Carl is ahead", "C9"),
    (["C9", "S2"], "C", ["CK", "C3"], "play above Carl’s 9 of clubs for the trick. It has no diamonds.", "Carl is ahead", "C9"),
    (["C9", "CQ"], "C", ["C3", "C4"], "none of yours beats Dorothy’s queen of clubs.", "Dorothy is ahead", "CQ"),
    (["C8", "C9"], "C", ["C3", "H5"], "or play 5 of hearts: 9 + 5 = 14, then hearts is the suit.", "Dorothy is ahead", "C9"),
    (["CK", "H9"], "C", ["C3", "H5"], "or play 5 of hearts: 9 + 5 = 14, but 9 of hearts is higher.", "Carl is ahead", "CK"),
    (["HK", "H9"], "H", ["H3", "H5"], "none of yours beats Carl’s king of hearts.", "Carl is ahead", "HK"),
    (["C8", "C9"], "C", ["S3", "H5"], "any card. 5 of hearts: 9 + 5 = 14, then hearts is the suit.", "Dorothy is ahead", "C9"),
    (["C9", "H2"], "C", ["D3", "S4"], "play any card. A diamond goes to the winner of the trick.", "no diamonds: Carl is ahead", "C9"),
]  # fmt: skip


def test_f7_prompt_of_fourteen_names_the_card_to_beat_and_what_it_brings(server, new_player):
    ann = new_player(server)
    ann.page.set_viewport_size({"width": 1440, "height": 900})
    message = open_faked_table(ann, server, "fourteen", 4, {})
    me = message["seat"]
    assert me == 0
    for trick, suit, cards, says, outlook, ahead in PROMPTS_OF_FOURTEEN:
        hand = [cards if seat == me else None for seat in range(4)]
        view = {"leader": (me - len(trick)) % 4, "trick": trick, "suit": suit, "hand": hand, "to_act": [me]}
        message = send_state(ann, message, ask=("play", cards), **view)
        expect(ann.page.locator(".status")).to_contain_text(says)
        expect(ann.page.locator("div.suit")).to_contain_text(outlook)
        expect(ann.page.locator(".trick li.ahead"), "Another card is marked as ahead.").to_have_attribute(
            "data-trick", ahead
        )
    name, symbol = (ann.page.locator(one).bounding_box() for one in (".trick li >> nth=0 >> .by", ".suit .symbol"))
    assert name["y"] + name["height"] <= symbol["y"], "The current suit lies on a name."


# The suit led, the cards in hand, other contents of the view, and the expected end of the prompt.
EMPTY_ACTIONS: list[tuple[str, list[str], dict[str, Any], str]] = [
    ("C", ["C9", "D2"], {}, "The highest wins: take from another Showroom."),
    ("C", ["C9", "D2"], {"showroom": [3, 0, 0, 0]}, "The highest wins: nothing to move."),
    ("S", ["S9", "D2"], {"showroom": [0, 3, 3, 3]}, "The highest wins: nothing to move."),
    ("D", ["D9", "S2"], {"supply": 0}, "The highest wins: nothing to move."),
    ("H", ["C9", "D2"], {"showroom": [3, 0, 0, 0]}, "any card acts at once. ♣: nothing to move."),
    ("H", ["C9", "D2"], {}, "play any card and take its action at once."),
]


def test_c3_prompt_announces_an_action_without_a_crystal(server, new_player):
    ann = new_player(server)
    message = open_faked_table(ann, server, "crystals", 4, {})
    me = message["seat"]
    assert me == 0
    for steps, (led, hand, shown, says) in enumerate(EMPTY_ACTIONS, 1):
        held = [hand if seat == me else None for seat in range(4)]
        view = {"leader": 3, "trick": [f"{led}5"], "led": led, "hand": held, "to_act": [me], "question": "play"}
        send_state(ann, message, ask=("play", hand), steps=steps, **view | shown)
        expect(ann.page.locator(".hand .card")).to_have_count(2)
        text, _ = ann.page.evaluate(TEXT_JS, ".status > span")
        assert text.endswith(says), f"{led} led, {hand} held, {shown}: {text!r}"
