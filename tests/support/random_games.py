"""Every game as bots play it, and random games."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pytest

from diamonds import deals, records
from diamonds.bots.bot import bot_view
from diamonds.bots.levels import BOTS
from diamonds.game import GAMES, Game

SHORT_TARGET = {"target": 15}  # three hands, because longer games only repeat

# Every game with every number of seats, and every option that changes the questions or the best answers.
CASES = [
    *(("crystals", seats, {}) for seats in (2, 3, 4, 5, 6)),
    *(("crystals", seats, {"perfect": True}) for seats in (2, 3, 4, 5)),
    *(("crystals", seats, {"partnership": True}) for seats in (4, 6)),
    ("crystals", 4, {"partnership": True, "perfect": True, "thief": True}),
    ("crystals", 2, {"two_cards": False}),
    ("crystals", 3, {"thief": True, "rounds": 2}),
    ("crystals", 4, {"pass_to": "rotating", "rounds": 3}),
    *(("fourteen", seats, SHORT_TARGET) for seats in (3, 4, 5, 6)),
    ("fourteen", 4, {"match": "last_two"} | SHORT_TARGET),
    ("fourteen", 4, {"scoring": "bid"} | SHORT_TARGET),
    ("fourteen", 5, {"scoring": "bid", "bids": "sealed"} | SHORT_TARGET),
    ("fourteen", 4, {"scoring": "tricks"} | SHORT_TARGET),
    ("mines", 2, {}),
    ("mines", 2, {"defence": "ranked"}),
    ("mines", 2, {"impossible": "seen"}),
]
CASE_IDS = [
    " ".join(
        [
            name,
            str(seats),
            *(value if isinstance(value, str) else key for key, value in options.items() if key != "target"),
        ]
    )
    for name, seats, options in CASES
]

# One case of each kind. Tests that take seconds per case run on these in `make test`, and on all cases with `-m slow`.
KIND_IDS = {
    "crystals 2", "crystals 4", "crystals 6 partnership", "crystals 4 partnership perfect thief", "crystals 4 rotating rounds",
    "fourteen 3", "fourteen 4 tricks", "fourteen 5 bid sealed", "fourteen 4 last_two", "mines 2", "mines 2 ranked",
}  # fmt: skip
ONE_PER_KIND = [
    pytest.param(*case, id=id, marks=() if id in KIND_IDS else pytest.mark.slow)
    for id, case in zip(CASE_IDS, CASES, strict=True)
]


def new_random_game(game: Game, seats: int, options: dict, rng: np.random.Generator) -> np.void:
    """Return a game that has been cut but not dealt."""
    return game.start(seats, options, rng.permutation(game.pack_for(seats, options))[:seats].tolist())


def play_random(game: Game, state: np.void, rng: np.random.Generator) -> Iterator[int]:
    """Deal whenever cards are needed until the game is over; yield each seat to act, so that the caller answers."""
    while not state["over"]:
        if game.needs_deal(state):
            game.rules.deal(state, rng.permutation(game.pack(state)), None)
            continue
        yield int(rng.choice(game.to_act(state)))


def play_between_bots(name: str, seats: int, options: dict, bots: Sequence[str], seed: int) -> records.RecordedGame:
    """Return a finished game between bots that need no kernels, one for each seat."""
    game, rng = GAMES[name], np.random.default_rng(seed)
    played = records.start_game(game, seats, options, deals.seeded_secret(seed))
    while not played.over:
        seat, question = game.to_act(played.state)[0], game.question(played.state)
        answer = BOTS[bots[seat]].choose(bot_view(game, played.state, seat), question.name, rng)
        played.answer(seat, question.answers[answer], question.name)
    return played


def possible_questions(name: str, seats: int, options: dict) -> set[str]:
    """Return the questions that a game can ask with these seats and options."""
    questions = {question.name for question in GAMES[name].questions}
    if options.get("thief") or seats == 2 or (options.get("partnership") and seats == 4):
        questions -= {"victim"}  # never more than one possible victim (C18, C25)
    if name == "fourteen" and options.get("scoring") != "bid":
        questions -= {"bid"}
    return questions
