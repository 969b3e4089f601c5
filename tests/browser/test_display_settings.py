"""Display settings: suit colours, high contrast, large print and reduced motion."""

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.scripts import Scripts
from tests.browser.test_accessibility import (
    DARK_BACKGROUND,
    LIGHT_BACKGROUND,
    WEB,
    check_with_axe,
    contrast,
    least_distance,
)
from tests.browser.window_pool import BLANK_URL

SCRIPTS = Scripts(__file__)

THEME_STYLES = (WEB / "src" / "components" / "themes.css").read_text(encoding="utf-8")
TABLE_COLOUR, PANEL_COLOURS = "#0f4a50", ("#fffaf0", "#0d2529")  # the table in the light theme; a panel in both themes
BLACK, WHITE = "#000000", "#ffffff"
PRESETS: dict[str, dict[str, str]] = {
    "suits further apart": {"suits": "apart"},
    "more contrast": {"contrast": "more"},
    "large print": {"cards": "large"},
    "all of it": {"suits": "apart", "contrast": "more", "cards": "large"},
}


def colours(look: str) -> dict[str, str]:
    """Return the declarations of a selector by name. For a colour that depends on the theme, return the dark one."""
    [block] = re.findall(re.escape(look) + r" \{(.*?)\}", THEME_STYLES, re.DOTALL)
    found = re.findall(r"--([\w-]+): (?:light-dark\([^,]*(?:\([^)]*\))?, )?(#\w+)\)?;", block)
    return {
        name: colour if len(colour) == 7 else "#" + "".join(2 * one for one in colour[1:]) for name, colour in found
    }


def suit_colours_in(found: dict[str, str], where: str) -> dict[str, str]:
    return {suit: found[f"{where}-{suit}"] for suit in "dhsc"}


@pytest.mark.parametrize("look", [":root[data-suits='apart']", ":root[data-contrast='more'][data-suits='apart']"])
def test_suit_colours_are_distinct_for_every_kind_of_sight(look):
    found = colours(look)
    for where, least in (("suit", 40), ("text", 24)):
        apart, which = least_distance(suit_colours_in(found, where))
        assert apart >= least, f"{look}: {which} are only {apart:.0f} apart."


def test_distinct_suit_colours_have_contrast_on_every_background():
    found = colours(":root[data-suits='apart']")
    for where, papers in (
        ("suit", (LIGHT_BACKGROUND, DARK_BACKGROUND, PANEL_COLOURS[0])),
        ("text", (TABLE_COLOUR, PANEL_COLOURS[1])),
    ):
        for suit, colour in suit_colours_in(found, where).items():
            for paper in papers:
                assert contrast(colour, paper) >= 4.5, f"{suit} on {paper}: {contrast(colour, paper):.1f}"
    assert suit_colours_in(colours(":root[data-suits='apart'] .on-cloth"), "text") == suit_colours_in(found, "text")


def test_with_more_contrast_suits_and_words_have_seven_to_one():
    more = colours(":root[data-contrast='more']")
    for found in (more, colours(":root[data-contrast='more'][data-suits='apart']")):
        for suit, colour in suit_colours_in(found, "suit").items():
            assert contrast(colour, WHITE) >= 7, f"{suit} on a card: {contrast(colour, WHITE):.1f}"
        for suit, colour in suit_colours_in({**more, **found}, "text").items():
            assert contrast(colour, more["cloth-light"]) >= 7, f"The contrast of {suit} on the cloth is too low."
    for name in ("gold", "bad", "brass", "on-cloth", "on-cloth-soft"):
        assert contrast(more[name], more["cloth-light"]) >= 7, f"{name} is not readable on the cloth."


# True if the cards are in large print.
RANK_SIZE_JS = "() => getComputedStyle(document.querySelector('.hand .rank')).transform !== 'none'"


def test_themes_apply_at_once_and_load_on_demand(server, new_player):
    ann = new_player(server)
    sent = ann.page_weight()
    ann.sit_down("fourteen", 4)
    assert not [name for name in sent if name.startswith("themes")], "Unused themes are loaded."
    ink = "() => getComputedStyle(document.documentElement).getPropertyValue('--suit-d')"
    usual = ann.page.evaluate(ink)
    ann.open("/settings")
    for label, value in (("Suit colours", "colour-blind safe"), ("Contrast", "high"), ("Card size", "large")):
        ann.page.get_by_label(label).select_option(value)
    ann.page.wait_for_function(f"(usual) => ({ink})() !== usual", arg=usual)
    chosen = ann.page.evaluate(ink)
    ann.sit_down("fourteen", 4)
    ann.page.wait_for_function(f"(chosen) => ({ink})() === chosen", arg=chosen)
    ann.page.wait_for_function(RANK_SIZE_JS)


# The choices that are wider than their field.
FIND_CUT_CHOICES_JS = """() => [...document.querySelectorAll('main select')].flatMap((one) => {
  const whole = one.cloneNode(true)
  whole.style.cssText = 'max-width: none; flex: none; position: absolute'
  one.parentElement.append(whole)
  const cut = whole.offsetWidth - one.offsetWidth
  whole.remove()
  return cut > 1 ? [`${one.parentElement.textContent.trim().slice(0, 30)}: ${cut} px`] : []
})"""


@pytest.mark.parametrize("language", ["en", "de"])
def test_phone_shows_every_choice_of_the_settings_whole(language, server, new_player):
    ann = new_player(server, "phone", locale=language)
    ann.open("/settings", "main select")
    cut = ann.page.evaluate(FIND_CUT_CHOICES_JS)
    assert not cut, f"These choices are cut: {cut}"


def test_system_contrast_preference_is_followed_and_suits_differ_by_shape(server, new_player):
    ann = new_player(server, contrast="more")
    ann.open("/")
    ann.page.wait_for_function("() => getComputedStyle(document.body).backgroundColor === 'rgb(255, 255, 255)'")
    for two, differ in ann.page.evaluate(SCRIPTS["compareSuits"]):
        assert differ >= 0.2, f"{two[0]} and {two[1]} differ in only {differ:.0%} of their pixels."


@pytest.mark.parametrize(("preset", "size", "theme"), [
    ("more contrast", "phone", "light"),
    ("all of it", "desktop", "dark"),
    pytest.param("suits further apart", "phone", "dark", marks=pytest.mark.slow),
    pytest.param("more contrast", "desktop", "light", marks=pytest.mark.slow),
    pytest.param("large print", "phone", "light", marks=pytest.mark.slow),
    pytest.param("suits further apart", "desktop", "light", marks=pytest.mark.slow),
    pytest.param("more contrast", "phone", "dark", marks=pytest.mark.slow),
    pytest.param("all of it", "phone", "light", marks=pytest.mark.slow),
])  # fmt: skip
def test_axe_passes_in_every_theme(preset, size, theme, server, new_player):
    ann = new_player(server, size, color_scheme=theme)
    ann.change_settings(**PRESETS[preset])
    ann.sit_down()
    ann.wait_until_still()
    check_with_axe(ann, f"the table with {preset}")
    for path, sign in [("/", ".choose select"), ("/settings", "main select")] * ("contrast" in PRESETS[preset]):
        ann.open(path, sign)
        check_with_axe(ann, f"{path} with {preset}")


def test_large_print_fills_the_visible_card_corner_without_overlap(server, new_player):
    ann = new_player(server, "phone")
    ann.change_settings(**PRESETS["large print"])
    for game, seats in (("crystals", 4), ("fourteen", 4), ("fourteen", 3)):
        ann.sit_down(game, seats, by_link=ann.page.url != BLANK_URL)
        ann.page.wait_for_function(RANK_SIZE_JS)
        for width, height in ((360, 740), (740, 360)):
            ann.resize_window(width, height)
            found: list[Any] = ann.page.evaluate(SCRIPTS["findCardFaults"])
            assert not found, f"{game} for {seats} at {width}×{height}: {found[:4]}"


def test_large_cards_of_mines_are_larger_and_the_field_stays_in_sight(server, new_player):
    ann = new_player(server)
    ann.sit_down("mines", 2)
    broad: dict[tuple[int, str], float] = {}
    for cards in ("usual", "large"):
        ann.change_settings(cards=cards)
        ann.page.reload()
        while not ann.page.locator(".hand .card").count():
            ann.question()
            ann.answer_and_wait()
        if cards == "large":
            ann.page.wait_for_function(RANK_SIZE_JS)
        for width, height in ((360, 740), (1440, 900)):
            ann.resize_window(width, height)
            broad[width, cards] = ann.page.locator(".hand .card").first.bounding_box()["width"]  # type: ignore[index]
            if cards == "large":
                assert broad[width, "large"] >= 1.1 * broad[width, "usual"], f"The cards are {broad} pixels wide."
                hand, field = (ann.page.locator(what).bounding_box() for what in (".hand", ".field"))
                assert field["y"] + field["height"] <= hand["y"], "The hand covers the field."
                assert not ann.page.evaluate(SCRIPTS["findCardFaults"])


def test_page_below_the_settings_is_named_by_its_own_title(server, new_player):
    ann = new_player(server)
    for path, title in (
        ("/settings", "Settings"),
        ("/settings/account", "Your account and devices"),
        ("/settings/server", "About this server and its rules"),
    ):
        ann.open(path, "main.page h1")
        expect(ann.page.locator(".bar .title")).to_have_text(title)
        expect(ann.page).to_have_title(f"{title} · Diamonds")
    expect(ann.page.locator("main .panel")).to_contain_text("This server has no rules of its own.")


def test_empty_checkbox_does_not_look_disabled_on_a_dark_page(server, new_player):
    ann = new_player(server, color_scheme="dark")
    ann.open("/settings", "main.page h1")
    box = ann.page.locator("input[type=checkbox]").first
    expect(box).to_have_css("color-scheme", "light")
