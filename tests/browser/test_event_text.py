"""The page and the terminal describe events in the same words: every kind of event, in every game."""

import json
import random
from functools import cache
from typing import Any

import pytest

from diamonds import i18n
from diamonds.events import events_for
from diamonds.game import GAMES
from tests.browser.scripts import Scripts
from tests.browser.test_layout_shift import VARIANTS, open_faked_table, send_update
from tests.support.random_positions import all_variants, random_answer, start_variant

SCRIPTS = Scripts(__file__)

MAX_EVENTS = 380  # random events in addition to one of each kind; a log keeps 400
RARE_SEEDS = {"fourteen": [26]}  # seeds of games with rare events, which would take ten seconds to find


@cache
def possible_events(name: str) -> list[dict[str, Any]]:
    """Return every kind of event as the first seat receives it. Events that differ only in a card count once."""
    found: dict[str, dict[str, Any]] = {}
    kinds = {event.name for event in GAMES[name].rules.EVENTS}
    for seed in (*RARE_SEEDS.get(name, []), *range(60)):
        for variant in all_variants(name)[seed % 9 :: 9]:
            played, rng = start_variant(variant, seed), random.Random(seed)
            logs = [*played.opening_logs]
            while not played.over:
                logs += played.answer(*random_answer(played, rng))
            for log in logs:
                for event in events_for(log, played.game.rules.EVENTS, played.game.ranks, 0):
                    alike = json.dumps({key: value for key, value in event.items() if key != "card"})
                    if len(found) < MAX_EVENTS or event["event"] in kinds:
                        found.setdefault(alike, event)
                    kinds.discard(event["event"])
        if not kinds:
            return list(found.values())
    raise AssertionError(f"Never met in {name}: {kinds}")


@pytest.mark.parametrize("name", GAMES)
def test_web_client_and_terminal_describe_events_alike(name, server, new_player):
    seats, options = max(VARIANTS[name], key=lambda table: table[0])
    game, told = GAMES[name], possible_events(name)
    ann = new_player(server)
    message = open_faked_table(ann, server, name, seats, options)
    called = [place["name"] for place in message["table"]["seat_holders"]]
    message |= {"n": len(told), "events": [{"n": n, "event": event} for n, event in enumerate(told, 1)]}
    for language in i18n.languages():
        ann.change_settings(language=language)
        ann.page.reload()
        send_update(ann, message)
        ann.page.wait_for_function("(number) => document.querySelectorAll('.log p').length === number", arg=len(told))
        differ = []
        for event, said in zip(told, ann.page.evaluate(SCRIPTS["readLog"]), strict=True):
            ours = game.event_text(event, called.__getitem__, 0, language)
            differ += [f"{event}:\n  the page    {said}\n  the program {ours}"] if said != ours else []
        assert not differ, f"{len(differ)} of {len(told)} texts differ ({language}):\n" + "\n".join(differ[:5])
