"""Sound: off by default, toggled by one press, and synthesised in the page."""

import pytest

from tests.browser.scripts import Scripts

SCRIPTS = Scripts(__file__)

COUNT_SOUNDS_JS = SCRIPTS.call("countSounds")


@pytest.mark.parametrize("size", ["phone", pytest.param("desktop", marks=pytest.mark.slow)])
def test_sound_button_toggles_and_is_remembered(size, server, new_player):
    ann = new_player(server, size)
    ann.add_init_script(COUNT_SOUNDS_JS)
    table = ann.sit_down("fourteen", 3)
    ann.answer_and_wait()
    assert ann.page.evaluate("heard") == 0, "Expected no sound by default."

    def press(name: str) -> None:
        if size == "phone":
            ann.page.get_by_role("button", name="Log and chat").click()
        ann.page.get_by_role("button", name=name).locator("visible=true").click()
        if size == "phone":
            ann.page.keyboard.press("Escape")

    press("Sound on")
    ann.page.wait_for_function("() => heard > 0")
    before = ann.page.evaluate("heard")
    ann.answer_question()
    ann.page.wait_for_function("(before) => heard > before", arg=before)
    ann.open(f"/table/{table}")
    ann.question()
    ann.answer_question()
    ann.page.wait_for_function("() => heard > 0")
    ann.question()
    press("Sound off")
    before = ann.page.evaluate("heard")
    ann.answer_and_wait()
    assert ann.page.evaluate("heard") == before, "A sound was played after sound was turned off."
