"""Crystals, rule by rule, where the reference rules decide nothing: visibility, messages, rejected answers (R1)."""

import pytest

from diamonds import deals, records, views
from diamonds.errors import InvalidInputError, NotAllowedError
from diamonds.game import GAMES
from tests.support.positions import (
    Events,
    crystal_counts,
    crystals_position,
    error_of,
    event_kinds,
    events_of_kind,
    legal_answers,
    open_question,
    play_answers,
    seen_events,
    set_fields,
    state_data,
)

CRYSTALS = GAMES["crystals"]


# Cards and crystals


def test_c4_vault_is_visible_to_its_owner_and_showroom_to_all():
    state = crystals_position(3, vault=[4, 5, 6], showroom=[1, 2, 3])
    for seat in (-1, 0, 1, 2):
        assert state_data(state, seat)["vault"] == [4 + other if other == seat else None for other in range(3)]
    assert all(state_data(state, seat)["showroom"] == [1, 2, 3] for seat in (-1, 0, 1, 2))


def test_c4_crystal_moves_are_public_so_counting_reveals_vaults():
    state = crystals_position(3, hands={0: "H9 D2", 1: "S2 D3", 2: "H1 D4"}, vault=[4, 5, 6])
    play_answers(state, "0 play H9")
    log = CRYSTALS.apply_answer(state, 1, "S2")
    for seat in (-1, 0, 1, 2):
        assert seen_events(state, log, seat)[-1] == {"event": "spade", "seat": 1, "moved": 1}
    assert state_data(state, 0, memory=True)["vault"] == [4, 6, 6]


def test_c4_vaults_are_opened_at_the_end():
    state = crystals_position(3, hands={0: "S9", 1: "S2", 2: "S3"}, round=5, vault=[4, 5, 6], tricks=[1, 1, 1])
    events = play_answers(state, "0 play S9", "1 play S2", "2 play S3")
    assert state_data(state, 0)["vault"][1:] == [None, None], "the fifth of six rounds opened the Vaults"
    assert not events_of_kind(events, "score")

    state = crystals_position(3, hands={0: "S9", 1: "S2", 2: "S3"}, round=6, vault=[4, 5, 6], tricks=[1, 1, 1])
    events = play_answers(state, "0 play S9", "1 play S2", "2 play S3")
    for seat in (-1, 0, 1, 2):
        assert state_data(state, seat)["vault"] == [6, 5, 6]
    assert [(e["seat"], e["vault"], e["showroom"], e["score"]) for e in events_of_kind(events, "score")] == [
        (0, 6, 1, 13),
        (1, 5, 3, 13),
        (2, 6, 3, 15),
    ]


# Rounds and deals


@pytest.mark.parametrize(
    ("cut", "dealer"),
    [("H14 S2 D15", 2), ("H15 S15 D15", 1), ("H15 C15", 0), ("D15 C15", 0), ("C3 D2 C4 D1", 2), ("H7 D7", 0)],
)
def test_c6_highest_cut_deals_first_with_suits_breaking_ties(cut, dealer):
    cards = [CRYSTALS.card_names.index(name) for name in cut.split()]
    state = CRYSTALS.start(len(cards), {}, cards)
    events = seen_events(state, CRYSTALS.deal(state, CRYSTALS.pack(state)), -1)
    assert [e["card"] for e in events_of_kind(events, "cut")] == cut.split(), "expected the table to show the cut"
    assert events_of_kind(events, "dealt") == [{"event": "dealt", "dealer": dealer, "round": 1}]


@pytest.mark.parametrize(("seats", "highest"), [(2, 8), (3, 9), (4, 13), (5, 15)])
def test_c6_c24_cut_uses_the_pack_in_play(seats, highest):
    met = set()
    for seed in range(40):
        played = records.start_game(CRYSTALS, seats, {"perfect": True}, deals.seeded_secret(seed))
        cut = state_data(played.state, -1)["cut"]
        assert len(set(cut)) == seats, f"two seats cut the same card: {cut}"
        assert played.cut == [CRYSTALS.card_names.index(name) for name in cut], "expected the cut of the deal"
        ranks = [int(name[1:]) for name in cut]
        assert max(ranks) <= highest, f"seed {seed}: {cut} has a card that is not in play (C6, C24)"
        assert ranks[int(played.state["dealer"])] == max(ranks), f"seed {seed}: {cut}: the wrong seat deals"
        met |= set(ranks)
    assert met == set(range(1, highest + 1)), f"ranks in play that are never cut: {set(range(1, highest + 1)) - met}"


def test_c6_sixty_cards_are_shuffled_again_each_round():
    state = crystals_position(3, hands={0: "S9", 1: "S2", 2: "S3"}, given={0: "D4"}, received={1: "D4"}, void={2: "H"})
    play_answers(state, "0 play S9", "1 play S2", "2 play S3")
    assert CRYSTALS.needs_deal(state)
    assert len(CRYSTALS.pack(state)) == 60
    events = seen_events(state, CRYSTALS.deal(state, CRYSTALS.pack(state)[::-1]))
    assert event_kinds(events) == ["dealt"], "expected the cut in the first deal only"
    seen = state_data(state)
    assert sorted(card for cards in (*seen["hand"], seen["aside"]) for card in cards) == sorted(CRYSTALS.card_names)
    assert open_question(state) == ("count", [0])
    for field in ("tricks", "given", "received", "played", "void", "chosen"):
        assert not any(seen[field]), f"expected {field} to be reset after the round"
    assert seen["taken"] == [[0] * 4] * 3
    assert (seen["trick"], seen["last_trick"], seen["passing"], seen["led"]) == ([], [], 0, None)


# Passing


def test_c8_dealer_alone_chooses_one_two_or_three_before_anyone_passes():
    state = crystals_position(4, question="count", dealer=2)
    assert open_question(state) == ("count", [2])
    assert legal_answers(state, 2) == [1, 2, 3]
    assert error_of(state, "2 count 0") == "Pass one, two or three cards."
    assert "is not an answer" in error_of(state, "2 count 4")
    assert error_of(state, "1 count 2") == "It is not your turn."
    assert state_data(state, 2)["received"][2] == []
    assert play_answers(state, "2 count 3") == [{"event": "count", "seat": 2, "number": 3}]
    assert open_question(state) == ("pass", [0, 1, 2, 3])


TEN_CARD_HANDS = {
    0: "D1 D2 D3 D4 D5 D6 D7 D8 D9 D10",
    1: "H1 H2 H3 H4 H5 H6 H7 H8 H9 H10",
    2: "S1 S2 S3 S4 S5 S6 S7 S8 S9 S10",
}


def test_c9_card_passed_on_is_known_to_giver_and_receiver():
    hands = TEN_CARD_HANDS | {3: "C1 C2 C3 C4 C5 C6 C7 C8 C9 C10"}
    state = crystals_position(
        4, {"pass_to": "rotating"}, hands=hands, question="count", dealer=3, passes_to=[2, 3, 0, 1]
    )
    assert state_data(state, -1)["passes_to"] == [2, 3, 0, 1], "expected a public direction (C9)"
    play_answers(state, "3 count 1", "0 pass D1", "1 pass H1", "2 pass S1")
    log = CRYSTALS.apply_answer(state, 3, "C1")
    assert [e["cards"] for e in events_of_kind(seen_events(state, log, 2), "passed")] == [["D1"], None, ["S1"], None]
    seen = state_data(state, 2, memory=True)
    assert [seen["given"][2], seen["received"][2]] == [["S1"], ["D1"]], "expected seat 0 on both sides of 2 (C10)"


def test_c9_choices_are_hidden_until_all_have_chosen():
    told: list[list[Events]] = []
    seen: list[list[bytes]] = []
    for first, second in (("D1", "D2"), ("D8", "D10")):
        state = crystals_position(3, hands=TEN_CARD_HANDS, question="count")
        play_answers(state, "2 count 2", "1 pass H1", "1 pass H2", f"0 pass {first}")
        log = CRYSTALS.apply_answer(state, 0, second)
        told.append([seen_events(state, log, seat) for seat in (-1, 0, 1, 2)])
        seen.append([views.view(CRYSTALS, state, seat, perfect_recall=True).tobytes() for seat in (-1, 1, 2)])
        assert open_question(state) == ("pass", [2])
        assert state_data(state, 0)["chosen"][0] == [first, second]
    assert told[0] == told[1] == [[{"event": "chosen", "seat": 0}]] * 4
    assert seen[0] == seen[1], "expected choices to be hidden until all have chosen (C9)"


def test_c9_set_of_cards_is_spelled_in_ascending_order():
    state = crystals_position(3, hands=TEN_CARD_HANDS, question="count")
    play_answers(state, "2 count 3")
    assert legal_answers(state, 0) == TEN_CARD_HANDS[0].split()[:8], "expected two higher cards to remain"
    assert "ascending order" in error_of(state, "0 pass D9")
    play_answers(state, "0 pass D4")
    assert legal_answers(state, 0) == ["D5", "D6", "D7", "D8", "D9"]
    assert "ascending order" in error_of(state, "0 pass D3")
    assert error_of(state, "0 pass D4") == "You have already chosen that card."
    play_answers(state, "0 pass D9")
    assert legal_answers(state, 0) == ["D10"]


def test_c10_passed_cards_are_known_to_giver_and_receiver_only():
    state = crystals_position(3, hands=TEN_CARD_HANDS, question="count")
    play_answers(state, "2 count 2", "0 pass D1", "0 pass D2", "1 pass H1", "1 pass H2", "2 pass S1")
    log = CRYSTALS.apply_answer(state, 2, "S2")
    heard_by = {
        seat: [e["cards"] for e in events_of_kind(seen_events(state, log, seat), "passed")] for seat in (-1, 0, 1, 2)
    }
    assert heard_by == {
        -1: [None, None, None],
        0: [["D1", "D2"], None, ["S1", "S2"]],
        1: [["D1", "D2"], ["H1", "H2"], None],
        2: [None, ["H1", "H2"], ["S1", "S2"]],
    }
    play_answers(state, "0 play S1", "1 play D1", "2 play S3")
    for seat, gave, got in ((0, "D1 D2", "S1 S2"), (1, "H1 H2", "D1 D2"), (2, "S1 S2", "H1 H2")):
        seen = state_data(state, seat, memory=True)
        assert [seen["given"][seat], seen["received"][seat]] == [gave.split(), got.split()]
        assert [x for x in seen["given"] + seen["received"] if x is not None] == [gave.split(), got.split()]


# Tricks


def test_c12_holder_of_the_led_suit_must_follow():
    state = crystals_position(3, hands={0: "H5 D2", 1: "H2 H14 S15 D1", 2: "C1"})
    play_answers(state, "0 play H5")
    assert legal_answers(state, 1) == ["H2", "H14"]
    assert error_of(state, "1 play S15") == "You hold ♥: follow suit."
    assert error_of(state, "1 play C1") == "That card is not in your hand."
    assert event_kinds(play_answers(state, "1 play H2")) == ["played"], "expected no action for following suit (C12)"


def test_c12_void_player_takes_the_action_before_the_next_plays():
    state = crystals_position(3, hands={0: "H5 S1", 1: "D9 S2", 2: "H6 S3"})
    events = play_answers(state, "0 play H5", "1 play D9")
    assert event_kinds(events) == ["played", "played", "diamond"]
    assert open_question(state) == ("play", [2])
    assert crystal_counts(state) == (225, [0, 1, 0], [3, 3, 3]), "expected a crystal for the ♦ thrown (C12, C15)"
    assert state_data(state, 0)["void"] == [[], ["H"], []], "expected all to know that seat 1 is out of ♥"


# Actions and results


def test_c3_action_without_a_crystal_is_reported():
    state = crystals_position(3, hands={0: "H9 D5", 1: "S2 D6"}, showroom=[3, 0, 3])
    nothing = play_answers(state, "0 play H9", "1 play S2")[-1]
    assert "Nothing happens: no crystal for Seat 1 to move" in CRYSTALS.event_text(nothing, "Seat {}".format)


def test_c18_only_others_with_a_crystal_on_show_can_be_chosen():
    state = crystals_position(
        5, hands={0: "H9 D5", 1: "C9 D6", 2: "D7 D8"}, showroom=[1, 5, 0, 2, 0], vault=[0, 0, 9, 0, 9]
    )
    play_answers(state, "0 play H9", "1 play C9")
    assert legal_answers(state, 1) == [0, 3]
    assert error_of(state, "1 victim 1") == "You cannot take from your own Showroom."
    assert error_of(state, "1 victim 2") == "There is no crystal there to take."
    assert error_of(state, "1 victim 5") == "There is no seat 5 to take from."


@pytest.mark.parametrize(("vault", "showroom", "winners", "reason"), [
    ([3, 2], [0, 3], [1], "all rounds are played"),
    ([14, 12, 9, 15], [6, 10, 11, 2], [0], "equal points, most in the Vault"),
    ([5, 6, 6], [4, 2, 2], [1, 2], "equal points and Vaults, a shared victory"),
])  # fmt: skip
def test_c21_most_points_win_then_fuller_vault_then_shared(vault, showroom, winners, reason):
    state = set_fields(crystals_position(len(vault)), over=1, to_act=[], vault=vault, showroom=showroom)
    result = CRYSTALS.result(state)
    assert (result["scores"], result["winners"]) == ([2 * v + s for v, s in zip(vault, showroom, strict=True)], winners)
    assert CRYSTALS.ending_text(result) == reason


# Rejected answers


@pytest.mark.parametrize(("line", "sentence"), [
    ("1 play D1", "It is not your turn."),
    ("0 pass D1", "The question is play, not “pass”."),
    ("0 play D16", "“D16” is not an answer to “Play a card.”"),
    ("3 play D1", "There is no seat 3 at this table."),
    ("-1 play D1", "There is no seat -1 at this table."),
    ("0 play H1", "That card is not in your hand."),
])  # fmt: skip
def test_r1_illegal_answer_gets_an_error_and_changes_nothing(line, sentence):
    state = crystals_position(3, hands={0: "D1 D2", 1: "D3 D4", 2: "D5 D6"})
    assert error_of(state, line) == sentence


def test_r1_malformed_and_illegal_answers_differ():
    state = crystals_position(3, hands={0: "D1 D2", 1: "D3 D4", 2: "D5 D6"})
    for answer in (None, True, 1.5, ["D1"], "", "d1", "D0"):
        with pytest.raises(InvalidInputError):
            CRYSTALS.apply_answer(state, 0, answer)
    for seat, answer in ((1, "D3"), (0, "D3"), (0, "C15")):
        with pytest.raises(NotAllowedError):
            CRYSTALS.apply_answer(state, seat, answer)
