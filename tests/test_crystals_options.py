"""Crystals, rule by rule: the options (C4, C14, C22–C26), their text forms, and invalid combinations."""

import json
import re
from typing import Any

import pytest

from diamonds.errors import DiamondsError, InvalidInputError, NotAllowedError
from diamonds.game import GAMES
from diamonds.server.tables.offered_games import game_info
from tests.support.positions import (
    crystal_counts,
    crystals_position,
    error_of,
    legal_answers,
    new_game,
    open_question,
    play_answers,
    set_fields,
    state_data,
)
from tests.support.random_positions import Variant, random_positions

CRYSTALS = GAMES["crystals"]
PARTNERS = {"partnership": True}
# Visibility


def test_c4_open_vaults_are_visible_to_all():
    state = crystals_position(3, {"open_vaults": True}, vault=[4, 5, 6])
    assert all(state_data(state, seat)["vault"] == [4, 5, 6] for seat in (-1, 0, 1, 2))


def test_c14_memory_aid_counts_taken_cards_for_all():
    state = crystals_position(3, {"memory_aid": True}, hands={0: "H9 D1", 1: "H3 D2", 2: "S15 D3"})
    play_answers(state, "0 play H9", "1 play H3", "2 play S15")
    assert all(state_data(state, seat)["taken"][0] == [0, 2, 1, 0] for seat in (-1, 0, 1, 2))


def test_c14_without_memory_aid_taken_cards_are_hidden_but_bots_count():
    state = crystals_position(3, {"memory_aid": False}, hands={0: "H9 D1", 1: "H3 D2", 2: "S15 D3"})
    play_answers(state, "0 play H9", "1 play H3", "2 play S15")
    assert all(state_data(state, seat)["taken"] == [[None] * 4] * 3 for seat in (-1, 0, 1, 2))
    assert state_data(state, 1, memory=True)["taken"] == [[0, 2, 1, 0], [0] * 4, [0] * 4]


def test_c14_without_memory_aid_only_the_last_two_tricks_are_shown():
    state = crystals_position(3, {"memory_aid": False}, hands={0: "H9 D1 C1", 1: "H3 D2 C2", 2: "S15 D3 C3"})
    play_answers(state, "0 play H9", "1 play H3", "2 play S15", "0 play D1", "1 play D2", "2 play D3")
    for seat in (-1, 0, 1, 2):
        seen = state_data(state, seat)
        assert seen["last_trick"] == ["D1", "D2", "D3"]
        assert seen["played"] == [None] * 3, "the play before the last trick is still shown (C14)"
        assert seen["void"] == [None] * 3, "an older trick shows that seat 2 is out of ♥ (C14)"
        assert seen["tricks"] == [1, 0, 1], "expected tricks won to be visible (C14)"
    assert state_data(state, 1, memory=True)["played"] == [["D1", "H9"], ["D2", "H3"], ["D3", "S15"]]
    assert state_data(state, 1, memory=True)["void"] == [[], [], ["H"]]


def test_c14_without_the_memory_aid_no_view_names_a_card_of_an_older_trick():
    checked = 0
    for seats, more in ((2, {}), (3, {"pass_to": "rotating"}), (4, PARTNERS), (5, {"perfect": True})):
        variant = Variant(CRYSTALS, seats, CRYSTALS.check_options(seats, {"memory_aid": False, "rounds": 2, **more}))
        for match in random_positions(variant, 3, 7):
            if match.over:
                continue
            everything = state_data(match.state)
            lately = {*everything["trick"], *everything["last_trick"]}
            older = {card for cards in everything["played"] for card in cards} - lately
            for seat in range(-1, seats):
                seen = state_data(match.state, seat)
                own = (
                    {card for field in ("given", "received") for card in seen[field][seat] or []}
                    if seat >= 0
                    else set()
                )
                del seen["cut"]  # public before the first deal
                shows = set(re.findall(r"[DHSC]\d+", json.dumps(seen)))
                assert not shows & older - own, f"{variant}, n {match.n}: seat {seat} sees {shows & older - own}"
            checked += len(older) > 0
    assert checked > 20


# Partners (C23, C26)


def test_c23_teams_vault_is_known_to_both_partners_and_to_no_one_else():
    state = crystals_position(6, PARTNERS, vault={0: 4, 1: 5, 2: 6})
    for seat in range(6):
        mine = seat % 3
        assert state_data(state, seat)["vault"] == [4 + mine if other % 3 == mine else None for other in range(6)]
    assert state_data(state, -1)["vault"] == [None] * 6


def test_c23_partners_hand_stays_hidden():
    state = crystals_position(4, PARTNERS)
    assert [hand is not None for hand in state_data(state, 1, memory=True)["hand"]] == [False, True, False, False]


def test_c23_club_takes_from_another_team_named_by_its_lowest_seat():
    hands = {0: "H9 D1", 1: "H1 D2", 2: "H2 D3", 3: "C9 D4", 4: "H3 D5", 5: "H4 D6"}
    state = crystals_position(6, PARTNERS, hands=hands)
    play_answers(state, "0 play H9", "1 play H1", "2 play H2", "3 play C9")
    assert open_question(state) == ("victim", [3])
    assert legal_answers(state, 3) == [1, 2]
    for own in (0, 3):
        assert error_of(state, f"3 victim {own}") == "You cannot take from your own Showroom."
    assert error_of(state, "3 victim 5") == "Name that team by its lowest seat, 2."
    play_answers(state, "3 victim 2")
    assert crystal_counts(state)[2] == [7, 6, 5, 7, 6, 5]


@pytest.mark.parametrize(("vault", "showroom", "winners", "reason"), [
    ([9, 8, 7], [1, 1, 9], [2, 5], "all rounds are played"),
    ([9, 8, 7], [1, 3, 1], [0, 3], "equal points, most in the Vault"),
    ([9, 9, 7], [1, 1, 1], [0, 1, 3, 4], "equal points and Vaults, a shared victory"),
])  # fmt: skip
def test_c21_c23_partners_win_together(vault, showroom, winners, reason):
    state = set_fields(crystals_position(6, PARTNERS), over=1, to_act=[], vault=vault, showroom=showroom)
    result = CRYSTALS.result(state)
    assert result["scores"] == [2 * v + s for v, s in zip(vault, showroom, strict=True)] * 2
    assert (result["winners"], CRYSTALS.ending_text(result)) == (winners, reason)


# Reading options

ROUNDS = {2: 4, 3: 6, 4: 4, 5: 5, 6: 6}  # C5
DEFAULT_OPTIONS = {
    "pass_to": "left", "perfect": False, "thief": False, "partnership": False, "team_start": 6, "open_vaults": False,
    "memory_aid": True,
}  # fmt: skip


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_options_not_given_are_the_defaults_and_two_cards_is_on_for_two(seats):
    assert CRYSTALS.check_options(seats) == DEFAULT_OPTIONS | {"two_cards": seats == 2, "rounds": ROUNDS[seats]}
    assert CRYSTALS.check_options(seats, {}) == CRYSTALS.check_options(seats, None)


@pytest.mark.parametrize(("said", "meant"), [
    *(("on", True), ("ON", True), ("true", True), ("yes", True), (True, True)),
    *(("off", False), ("False", False), ("no", False), (False, False)),
])  # fmt: skip
def test_option_may_be_written_as_text(said, meant):
    assert CRYSTALS.check_options(4, {"thief": said})["thief"] is meant
    assert bool(new_game("crystals", 4, {"thief": said})["thief"]) is meant


@pytest.mark.parametrize("said", ["3", 3])
def test_c26_team_start_may_be_written_as_text(said):
    assert CRYSTALS.check_options(4, {"partnership": "on", "team_start": said})["team_start"] == 3


def test_inapplicable_option_may_be_set_to_off():
    said = {"two_cards": "off", "partnership": False, "perfect": "no", "team_start": "6"}
    assert CRYSTALS.check_options(6, said | {"partnership": True})["partnership"] is True
    assert CRYSTALS.check_options(3, said) == DEFAULT_OPTIONS | {"two_cards": False, "rounds": 6}


ILLEGAL_OPTIONS: list[tuple[int, dict[str, Any], type[DiamondsError], str]] = [
    (3, {"two_cards": True}, NotAllowedError, "two_cards is for 2 players."),
    (3, {"partnership": True}, NotAllowedError, "partnership is for 4 or 6 players."),
    (6, {"perfect": True}, NotAllowedError, "perfect is for 2 to 5 players."),
    (4, {"team_start": 3, "partnership": "off"}, NotAllowedError, "team_start needs partnership to be on."),
    (5, {"team_start": "3"}, NotAllowedError, "team_start needs partnership to be on."),
    (4, {"team_start": True, "partnership": True}, InvalidInputError, "team_start must be 6 or 3, not True."),
    (4, {"pass_to": "rotating", "partnership": True}, NotAllowedError, "pass_to needs partnership to be off."),
    (2, {"pass_to": "rotating"}, NotAllowedError, "pass_to is for 3 to 6 players."),
    (4, {"pass_to": "right"}, InvalidInputError, "pass_to must be left or rotating, not “right”."),
    (4, {"rounds": 13}, InvalidInputError, "rounds must be between 1 and 12, not 13."),
    (4, {"rounds": 0}, InvalidInputError, "rounds must be between 1 and 12, not 0."),
    (4, {"rounds": True}, InvalidInputError, "rounds must be between 1 and 12, not True."),
    (4, {"thief": 1}, InvalidInputError, "thief must be off or on, not 1."),
    (4, {"thief": "maybe"}, InvalidInputError, "thief must be off or on, not “maybe”."),
]


@pytest.mark.parametrize(("seats", "options", "kind", "sentence"), ILLEGAL_OPTIONS)
def test_invalid_option_or_combination_is_rejected_by_its_rule(seats, options, kind, sentence):
    with pytest.raises(kind) as refused:
        new_game("crystals", seats, options)
    assert str(refused.value) == sentence


def test_c5_form_gets_the_default_rounds_for_every_number_of_players():
    rounds = next(option for option in game_info(CRYSTALS).options if option.name == "rounds")
    assert rounds.values == list(range(1, 13))
    assert rounds.default_by == {"seats": {str(seats): number for seats, number in ROUNDS.items()}}


def test_unknown_option_is_rejected_with_the_known_ones():
    with pytest.raises(InvalidInputError) as refused:
        new_game("crystals", 4, {"jokers": True})
    assert str(refused.value) == (
        "Crystals has no option “jokers”. Its options are memory_aid, open_vaults, partnership, pass_to, perfect, "
        "rounds, team_start, thief, two_cards."
    )


@pytest.mark.parametrize("seats", [0, 1, 7, -2, "4", 4.0, True, None])
def test_crystals_is_for_two_to_six_players(seats):
    with pytest.raises(InvalidInputError, match=r"^Crystals is for 2 to 6 players, not .*\.$"):
        CRYSTALS.start(seats, {}, [0] * 7)
