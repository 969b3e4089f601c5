"""Planned cards: played in the player's turn if they are legal, otherwise dropped."""

from tests.browser.scripts import Scripts

SCRIPTS = Scripts(__file__)


def test_planned_card_is_played_if_the_led_suit_allows_it(slow_bot_server, new_player):
    """Play fourteen until one planned card has been played, and another rejected because it does not follow suit."""
    ann = new_player(slow_bot_server)
    ann.sit_down("fourteen", 3, asked=False)
    played = refused = 0
    while not (played and refused):
        if ann.wait_for_turn() == "asked":
            n = ann.page.locator("main.table").get_attribute("data-n")
            ann.answer_question()
            ann.page.wait_for_function("(n) => document.querySelector('main.table').dataset.n !== n", arg=n)
            continue
        ann.wait_until_still()
        card = ann.page.locator(".hand .card").nth(0 if refused else -1)
        name = card.get_attribute("data-card")
        card.focus()
        ann.page.keyboard.press("Enter")
        ann.page.wait_for_selector(f".hand .card.raised[data-card={name}]")
        ann.page.keyboard.press("f")
        ann.page.wait_for_function(SCRIPTS["isCardGoneOrTurnOpen"], arg=name)
        if ann.page.locator(f".hand .card[data-card={name}]").count():
            assert not ann.page.locator(f".hand .card.open[data-card={name}]").count(), "expected the card to be played"
            assert not ann.page.locator(".hand .card.raised").count(), "expected the illegal planned card to be dropped"
            refused += 1
        else:
            played += 1


def test_planned_card_needs_its_second_tap_when_double_tap_is_set(slow_bot_server, new_player):
    ann = new_player(slow_bot_server, "phone", "touch")
    ann.change_settings(confirmTouch=True)
    ann.sit_down("fourteen", 3, asked=False)
    while True:
        if ann.wait_for_turn() == "asked":
            n = ann.page.locator("main.table").get_attribute("data-n")
            for _ in range(2):
                ann.press(ann.question()["cards"][0])  # type: ignore[index]
            ann.page.wait_for_function("(n) => document.querySelector('main.table').dataset.n !== n", arg=n)
            continue
        ann.wait_until_still()
        card = ann.page.locator(".hand .card").first
        name = card.get_attribute("data-card")
        card.tap(position={"x": 9, "y": 12})
        ann.page.wait_for_selector(f".hand .card.raised[data-card={name}]")
        ann.page.keyboard.press("f")
        ann.page.wait_for_function(SCRIPTS["isCardGoneOrTurnOpen"], arg=name)
        assert ann.page.locator(f".hand .card[data-card={name}]").count(), "One tap played the card."
        if ann.page.locator(f".hand .card.open[data-card={name}]").count():
            break
    ann.page.wait_for_selector(f".hand .card.raised[data-card={name}]")
    ann.wait_until_still()
    ann.page.locator(f".hand .card[data-card={name}]").tap(position={"x": 9, "y": 12})
    ann.page.wait_for_selector(f".hand .card[data-card={name}]", state="detached")
