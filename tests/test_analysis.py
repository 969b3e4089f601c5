"""Hints and reviews are fair, state their uncertainty, and add up."""

import itertools
from collections.abc import Iterable

import numpy as np
import pytest

from diamonds import deals, fields, i18n, records
from diamonds.bots import games, kernels
from diamonds.bots.analysis import hints, review
from diamonds.bots.bot import bot_view
from diamonds.bots.games.adapter import NO_PLAN
from diamonds.bots.search.world_sampling import sample_worlds
from diamonds.errors import NotAllowedError
from diamonds.game import GAMES
from diamonds.i18n import Message
from tests.support.positions import position
from tests.support.pseudo_locale import untranslated_text
from tests.support.random_games import ONE_PER_KIND, new_random_game, play_between_bots, play_random
from tests.support.sample_sizes import short_or_long

pytestmark = pytest.mark.kernels


def untranslated_words(text: Iterable[Message]) -> list[str]:
    """Return words outside the pseudo-locale's brackets, which come from no catalogue."""
    return untranslated_text(" ".join(i18n.translate(*one) for one in text))


def random_questions(name: str, seats: int, options: dict, count: int, seed: int):
    """Yield states of random games with a seat to act; each question comes once before any is repeated."""
    game, rng, asked = GAMES[name], np.random.default_rng(seed), set()
    game_count = 0
    while count:
        game_count += 1
        state = new_random_game(game, seats, options, rng)
        for seat in play_random(game, state, rng):
            question = game.question(state).name
            if question not in asked or (game_count > 2 and rng.random() < 0.05):
                asked.add(question)
                count -= 1
                yield state, seat, question
            policy = games.adapter_for(GAMES[name]).heuristic_answer(state, seat, NO_PLAN)
            legal = [k for k in range(60) if int(game.rules.legal(state, seat)) >> k & 1]
            answer = int(policy) if rng.random() < 0.7 else int(rng.choice(legal))
            game.rules.step(state, seat, answer, None)
            if not count:
                break


@short_or_long("worlds", 1, 2)
@pytest.mark.usefixtures("pseudo_locale")
@pytest.mark.parametrize(("name", "seats", "options"), ONE_PER_KIND)
def test_r2_new_deal_of_the_hidden_cards_changes_no_hint(name, seats, options, worlds):
    game = GAMES[name]
    for k, (state, seat, question) in enumerate(
        random_questions(name, seats, options, (10 if name == "mines" else 4) + 2 * (worlds > 1), 3)
    ):
        hint = hints.hint(bot_view(game, state, seat))
        assert hint.question == question
        assert not untranslated_words(
            [hint.text, *(one.text for one in hint.choices), *(why for one in hint.choices for why in one.reasons)]
        )
        legal = set(game.legal(state, seat))
        for choice in hint.choices:
            assert choice.answers[0] in legal, f"the hint names {choice.answers}, which is illegal"
            assert len(set(choice.answers)) == (len(choice.answers) if question == "pass" else 1)
        for world in sample_worlds(game, bot_view(game, state, seat).row, seat, worlds, k + 100):
            again = hints.hint(bot_view(game, fields.copy_state(world), seat))
            assert again == hint, f"the hint to {question} changed when unseen cards were exchanged"


def two_tricks_left(hand: str, trick: str):
    """Return fourteen for three players with two tricks to go: seat 2 plays last, and the unseen cards are ♠2 to ♠4."""
    unseen, laid = {"S2", "S3", "S4"}, trick.split()
    gone = [card for card in GAMES["fourteen"].card_names if card not in {*unseen, *laid, *hand.split()}]
    gone = {0: [laid[0], *gone[:15]], 1: [laid[1], *gone[15:30]], 2: gone[30:]}
    return position(
        "fourteen", 3, hands={0: "S2", 1: "S3", 2: hand}, trick=trick, to_act=[2],
        played={seat: " ".join(cards) for seat, cards in gone.items()},
    )  # fmt: skip


def test_f7_card_that_takes_every_diamond_is_best_and_by_how_much():
    """To ♦3 ♦4, the king takes three ♦, and one more by leading ♦2; after ♦2, seat 1 takes them all."""
    hint = hints.hint(bot_view(GAMES["fourteen"], two_tricks_left("DK D2", "D3 D4"), 2), 1)
    best, other = hint.choices
    assert best.answers == ("DK",)
    assert "wins the trick with 3 ♦" in [i18n.translate(*why) for why in best.reasons]
    assert not other.tied
    assert (best.gain, other.gain, other.gap) == pytest.approx((4.0, -2.0, 6.0))
    assert i18n.translate(*hint.text) == "Best: ♦K, 6.0 points better than ♦2."


def test_equal_answers_are_ties_and_the_obvious_card_comes_first():
    """A newcomer plays the lowest card to a lost trick, and a hint does not contradict that."""
    for seed in range(4):
        hint = hints.hint(bot_view(GAMES["fourteen"], two_tricks_left("C2 C3", "S9 SQ"), 2), seed)
        assert [(choice.answers, choice.tied) for choice in hint.choices] == [(("C2",), False), (("C3",), True)]
        assert i18n.translate(*hint.text) == "Equally good: ♣2 and ♣3."


@pytest.mark.parametrize(("hand", "passed"), [
    ("D2 D9 H3 H4 S4 S9", "S4 S9|H3 H4"),
    ("D2 D9 H3 H4 H5 S4 C9", "S4 C9"),
    ("D2 D9 H3 H4 H5 S4", None),
    ("D2 D9 H3 H4 H5 H8", None),
])  # fmt: skip
def test_c9_lessons_pass_whole_suits_without_diamonds(hand, passed):
    game = GAMES["crystals"]
    bits = [1 << game.card_names.index(card) for card in hand.split()]
    found = hints.whole_suits(game, [one | other for one, other in itertools.combinations(bits, 2)])
    names = None if found is None else " ".join(game.card_names[k] for k in range(60) if found >> k & 1)
    assert names in (passed.split("|") if passed else [None])


def test_c9_hint_passes_a_whole_suit_where_it_is_about_as_good():
    """The hint for the number to pass, the coach and the lesson speak of whole suits, too."""
    game, whole = GAMES["crystals"], 0
    for k in range(8):
        played = records.start_game(game, 4, {}, deals.seeded_secret(k))
        played.answer(game.to_act(played.state)[0], 2)
        seat = game.to_act(played.state)[0]
        obvious = hints.obvious_answer(game, played.state, seat)
        if obvious is None:
            continue
        whole += 1
        names = hints.candidate_names(game, played.state, seat, obvious)
        choices = hints.hint(bot_view(game, played.state, seat), 1).choices
        (place,) = [place for place, one in enumerate(choices) if one.answers == names]
        assert place == 0 or choices[place].gap > 0.15
    assert whole > 1


def test_c9_hint_chooses_from_more_sets_than_it_reports(monkeypatch):
    """A hint reports the best four of sixteen evaluated sets, not the four that the search ranks first."""
    game, evaluated, original = GAMES["crystals"], [], hints.evaluate_candidates
    played = records.start_game(game, 4, {}, deals.seeded_secret(3))
    played.answer(game.to_act(played.state)[0], 3)
    seat = game.to_act(played.state)[0]

    def recorded(*given, **named):
        evaluated.append(original(*given, **named))
        return evaluated[-1]

    monkeypatch.setattr(hints, "evaluate_candidates", recorded)
    monkeypatch.setattr(hints, "obvious_answer", lambda *_: None)
    hint = hints.hint(bot_view(game, played.state, seat), 1)
    (values,) = evaluated
    order = sorted(range(16), key=lambda k: -values.mean(k))
    assert (len(values.candidates), len(hint.choices)) == (16, 4)
    wanted = [hints.candidate_names(game, played.state, seat, values.candidates[k]) for k in order[:4]]
    assert [choice.answers for choice in hint.choices] == wanted


def test_m9_hint_of_mines_never_gives_a_diamond_away_for_another_card():
    """The lesson says to keep ♦, so a hint neither recommends one nor calls it as good."""
    owner = dict.fromkeys(range(13), 1) | {0: 0}
    piles = dict.fromkeys(range(2, 13), "")
    row = position("mines", 2, owner=owner, piles=piles, hands={0: "D2 D9 H2 SA", 1: "D3 D4 D5 D6 D7 D8"}, question="give", attacked=1, attack="C9")  # fmt: skip
    hint = hints.hint(bot_view(GAMES["mines"], row, 0), 1)
    assert all(choice.answers[0][0] != "D" for choice in hint.choices)
    assert len(hint.choices) > 1


def test_best_answer_of_mines_always_has_a_reason():
    for k, (state, seat, _) in enumerate(random_questions("mines", 2, {}, 12, 71)):
        hint = hints.hint(bot_view(GAMES["mines"], state, seat), k)
        assert len(hint.choices) == 1 or hint.choices[0].reasons, f"no reason for {hint.choices[0].answers}"


def test_equal_answers_of_mines_are_not_argued_against():
    """A reason against an answer called as good would contradict it, so the reason in its favour is given instead."""
    row = position("mines", 2, owner={0: 0, 3: 0, 12: 1}, hands={0: "C4", 1: "C5"}, question="dig_second")
    best, other = hints.hint(bot_view(GAMES["mines"], row, 0), 1).choices
    assert other.tied, "expected two full piles out of reach to be as good"
    assert best.answers == (0,), "expected the answer of the rule of thumb first"
    for choice in (best, other):
        assert i18n.translate(*choice.reasons[0]) == "gets a card; none of your piles can be attacked"


def test_hint_says_when_there_is_no_choice():
    hint = hints.hint(bot_view(GAMES["fourteen"], two_tricks_left("D2 C3", "D3 D4"), 2), 1)
    assert (i18n.translate(*hint.text), len(hint.choices)) == ("You have no choice: ♦2.", 1)


def test_hint_is_only_for_a_seat_to_act():
    state = position("fourteen", 3)
    with pytest.raises(NotAllowedError, match="on your turn"):
        hints.hint(bot_view(GAMES["fourteen"], state, 1), 1)


def test_missing_numba_error_names_what_hints_and_reviews_need(monkeypatch):
    monkeypatch.setattr(kernels, "find_spec", lambda name: None)
    game = GAMES["fourteen"]
    with pytest.raises(
        NotAllowedError,
        match=r"^Hints and reviews are not available here: thinking ahead needs Numba, which the extra “lab” installs\.$",
    ):
        hints.hint(bot_view(game, position("fourteen", 3), 0), 1)
    with pytest.raises(NotAllowedError, match="the extra “lab” installs"):
        review.review(records.start_game(game, 3))


REVIEWED = [
    ("crystals", 2, {"rounds": 2}, ("simple", "random")),
    ("crystals", 4, {"partnership": True, "rounds": 2}, ("simple", "random", "simple", "simple")),
    ("fourteen", 3, {"scoring": "bid", "bids": "sealed", "target": 5}, ("simple", "random", "simple")),
    ("mines", 2, {}, ("simple", "random")),
]


@pytest.mark.usefixtures("pseudo_locale")
@pytest.mark.parametrize(("name", "seats", "options", "bots"), REVIEWED)
def test_luck_and_skill_sum_to_the_result_and_heuristics_have_none(name, seats, options, bots):
    played = play_between_bots(name, seats, options, bots, 4)
    told = []
    made = review.review(played, [0, 1], lambda done, total: told.append((done, total)))
    assert told[-1][0] == told[-1][1] == len(told), "expected the progress to end with everything done"
    for one in made.decisions:
        after = [one.hindsight.text] if one.hindsight else []
        assert not untranslated_words([one.text, one.best, *one.reasons, *after])
    scores = played.game.result(played.state)["scores"]
    for one in made.results:
        assert one.start + one.cards + one.luck + one.skill == pytest.approx(one.result)
        before = one.start
        for each in one.rounds:
            assert each.start == pytest.approx(before)
            assert each.start + each.cards + each.luck + each.skill == pytest.approx(each.end)
            before = each.end
        assert before == pytest.approx(one.result)
        assert one.decisions == sum(d.seat == one.seat for d in made.decisions)
    if name == "fourteen":
        assert made.results[0].result == scores[0] - (scores[1] + scores[2]) / 2
    if name == "mines":
        assert {one.result for one in made.results} <= {0.0, 50.0, 100.0}
    thumb, chance = made.results
    assert thumb.skill == pytest.approx(0.0), "expected heuristic play to have neither luck nor mistakes"
    assert chance.skill < 0, "expected random play to be worse"
    assert chance.cost > thumb.cost


def test_review_marks_only_material_certain_errors_apart_from_hindsight():
    played = play_between_bots("crystals", 2, {}, ("simple", "random"), 4)
    made = review.review(played, [1])
    marked = [one for one in made.decisions if one.marked]
    assert marked
    assert len(marked) < len(made.decisions) / 2
    for one in made.decisions:
        assert not one.marked or (
            one.cost >= made.material_difference and one.cost >= review.JUDGE_PARAMS.mistake_std_errors * one.cost_error
        )
        assert (one.hindsight is not None) == one.marked
        if one.text == one.best:
            assert one.cost == 0.0
    seat, question, answer = played.answers[marked[0].n]
    assert (seat, question) == (1, marked[0].question)
    assert i18n.translate(*hints.answer_text(played.game, question, [answer])) in i18n.translate(*marked[0].text)


def test_review_uses_no_hidden_cards():
    """Hidden cards of others change hindsight, but not the verdict on a decision."""
    game = GAMES["fourteen"]
    played = play_between_bots("fourteen", 4, {"target": 5}, ("simple", "random", "simple", "simple"), 2)
    task = next(t for t in review.plan(played, [1]).decision_tasks if (d := review.judge(t)) and d.marked)
    verdict = review.judge(task)
    row = np.frombuffer(bytearray(task.row), game.dtype)[0]
    hindsights = []
    for world in sample_worlds(game, row, 1, 4, 9):
        other = review.judge(task._replace(true_state=fields.copy_state(world).tobytes()))
        assert other._replace(hindsight=None) == verdict._replace(hindsight=None)
        hindsights.append(other.hindsight)
    assert any(one != hindsights[0] for one in hindsights)


def test_unfinished_game_is_not_reviewed():
    with pytest.raises(NotAllowedError, match="when it is over"):
        review.review(records.start_game(GAMES["mines"], 2))
