"""What a hint or a review says of what was weighed: each number in its place, with the right sign, from fresh worlds.

The weighing itself is replaced here by numbers that a test chooses; `test_advice` has hints and reviews as a whole.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from diamonds import cards, deals, fields, records
from diamonds.bots import knowing
from diamonds.bots.advising import hints, review
from diamonds.bots.bot import see
from diamonds.bots.knowing.contract import AS_IT_COMES, COLUMNS, Effort, Found
from diamonds.bots.knowing.crystals import playouts
from diamonds.bots.levels import BOTS
from diamonds.bots.thinking import judge, search
from diamonds.game import GAMES, Game
from diamonds.words import Message, say
from tables import position

pytestmark = pytest.mark.kernels

CRYSTALS, FOURTEEN, MINES = GAMES["crystals"], GAMES["fourteen"], GAMES["mines"]


def scales(
    candidates: list[int], means: list[float], spread: float = 0.0, points: list[float] | None = None
) -> hints.Scales:
    """Candidates with these mean values in 100 worlds; differences between any two have a standard error of ``spread``."""
    noise = np.tile([1.0, -1.0], 50)[:, None] * spread * np.sqrt(99) * np.arange(len(means))
    value = np.array(means) + noise
    return hints.Scales(
        candidates, value, value if points is None else np.array(points) + noise,
        np.zeros((len(candidates), COLUMNS)),
    )  # fmt: skip


def card(name: str, game: Game = CRYSTALS) -> int:
    """A card's number."""
    return game.names.index(name)


# Hints


def test_the_best_answer_comes_first_and_a_gain_is_counted_from_the_margin_as_it_stands() -> None:
    """Crystals: a margin of 5 at the end from a margin of 2 now is a gain of 3; what winning is worth is left out."""
    state = position("crystals", 3, hands={0: "D2 H7 S4", 1: "H9", 2: "S5"}, vault=[4, 2, 2], showroom=[0, 0, 0])
    standing = hints.now(CRYSTALS, state, 0)
    assert standing == pytest.approx(CRYSTALS.rules.score(state, 0) - CRYSTALS.rules.score(state, 1)) != 0
    weighed = scales([card("D2"), card("H7"), card("S4")], [7.0, 11.0, 8.0], 0.0, [4.5, 5.0, 4.0])
    best, second, third = hints.rank(CRYSTALS, state, 0, weighed)
    assert [choice.answers for choice in (best, second, third)] == [("H7",), ("S4",), ("D2",)]
    assert [choice.gain for choice in (best, second, third)] == pytest.approx([g - standing for g in (5.0, 4.0, 4.5)])
    assert [choice.behind for choice in (best, second, third)] == pytest.approx([0.0, 3.0, 4.0])


def test_a_gain_in_mines_is_the_chance_to_win() -> None:
    state = position("mines", 2)
    answers = list(cards.members(int(MINES.rules.legal(state, 0))))[:2]
    best, other = hints.rank(MINES, state, 0, scales(answers, [12.0, -7.0]))
    assert (best.gain, other.gain, other.behind) == pytest.approx((62.0, 43.0, 19.0))


@pytest.mark.parametrize(
    ("behind", "error", "tied"),
    [(1.0, 0.6, True), (1.0, 0.4, False), (0.04, 0.0, True), (0.06, 0.0, False), (0.04, 0.001, True)],
)
def test_answers_are_tied_within_two_standard_errors_or_a_trifle(behind: float, error: float, tied: bool) -> None:
    state = position("fourteen", 3, hands={0: "D2 H7", 1: "H9 S2", 2: "S5 S3"})
    weighed = scales([card("D2", FOURTEEN), card("H7", FOURTEEN)], [1.0, 1.0 - behind], error)
    best, other = hints.rank(FOURTEEN, state, 0, weighed)
    assert (other.behind, other.behind_error) == pytest.approx((behind, error))
    assert (best.tied, other.tied) == (False, tied)


def test_reasons_compare_the_best_answer_with_the_second_and_the_others_with_the_best(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from diamonds.bots.advising import reasons

    compared: list[tuple[int, int]] = []

    def note(game: Game, row: np.void, seat: int, candidate: int, counts: Any, rival: int, his: Any) -> list[str]:
        assert counts[0] == candidate, "the counts of another answer"
        assert his[0] == rival, "the counts of another rival"
        compared.append((candidate, rival))
        return []

    monkeypatch.setattr(reasons, "reasons", note)
    state = position("fourteen", 3, hands={0: "D2 H7 S4", 1: "H9 S2", 2: "S5 S3"})
    low, best, second = (card(name, FOURTEEN) for name in ("D2", "H7", "S4"))
    weighed = scales([low, best, second], [1.0, 3.0, 2.0])
    weighed.counts[:, 0] = [low, best, second]
    hints.rank(FOURTEEN, state, 0, weighed)
    assert compared == [(best, second), (second, best), (low, best)]


NOTHING = Message("as-it-is", {"text": ""})


def test_a_verdict_says_how_far_the_best_is_ahead_of_the_second_or_who_shares_its_place() -> None:
    def choice(text: str, behind: float, tied: bool = False) -> hints.Choice:
        return hints.Choice((text,), Message("as-it-is", {"text": text}), 0.0, 0.0, behind, 0.1, tied, ())

    ahead = (choice("♥7", 0.0), choice("♠4", 1.25), choice("♦2", 3.0))
    assert say(*hints.verdict(ahead, "points")) == "Best: ♥7, 1.2 points better than ♠4."
    assert say(*hints.verdict(ahead[:2], "%")) == "Best: ♥7. Of 100 games it wins 1 more than ♠4."
    tied = (choice("♥7", 0.0), choice("♠4", 0.1, True), choice("♦2", 0.2, True))
    assert say(*hints.verdict(tied, "points")) == "Equally good, as far as can be told: ♥7, ♠4 and ♦2."
    assert (
        say(*hints.verdict((*tied[:2], choice("♦2", 3.0)), "points"))
        == "Equally good, as far as can be told: ♥7 and ♠4."
    )


def test_a_hint_tells_no_more_than_three_answers_weighed_in_worlds_that_had_no_part_in_choosing_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Four are weighed: the choice of the search first, then by the worlds that each was worth, then by its worth."""
    state = position("fourteen", 3, hands={0: "D2 D9 H7 S4 S9 C5", 1: "H9 S2", 2: "S5 S3"})
    numbers = list(cards.members(int(state["hand"][0])))
    seeds: list[int] = []
    weighed: list[tuple[list[int], int]] = []

    def searched(game: Game, row: np.void, seat: int, effort: Effort, seed: int) -> Found:
        seeds.append(seed)
        return Found(numbers, [5.0, 1.0, 4.0, 9.0, 2.0, 3.0], [600, 600, 64, 32, 600, 600], 1)

    def weigh(game: Game, row: np.void, seat: int, candidates: list[int], worlds: int, seed: int) -> Any:
        seeds.append(seed)
        weighed.append((candidates, worlds))
        return scales(candidates, [float(k) for k in range(len(candidates))])

    monkeypatch.setattr(search, "search", searched)
    monkeypatch.setattr(hints, "weigh", weigh)
    hint = hints.hint(see(FOURTEEN, state, 0), 17)
    assert weighed == [([numbers[k] for k in (1, 0, 5, 4)], knowing.of(FOURTEEN).weighed)]
    assert len(set(seeds)) == 2, "the worlds that chose the answers weighed them too"
    assert [choice.answers[0] for choice in hint.choices] == [FOURTEEN.names[numbers[k]] for k in (4, 5, 0)]
    assert hint.worlds == 100
    hints.shortlist(FOURTEEN, see(FOURTEEN, state, 0).row, 0, 1, numbers[3], 17, 50)
    assert weighed[-1] == ([numbers[1], numbers[3]], 50), "an answer to be judged is weighed, however bad it looked"
    hints.shortlist(FOURTEEN, see(FOURTEEN, state, 0).row, 0, 2, numbers[1], 17, 50)
    assert weighed[-1] == ([numbers[1], numbers[0]], 50), "and not twice"


def test_an_answer_is_judged_by_the_candidate_that_stands_for_it() -> None:
    state = position("crystals", 3, hands={0: "D2 H3 H7 H8 H9 S4", 1: "H5", 2: "S5"})
    row = see(CRYSTALS, state, 0).row
    candidates = search.candidates_of(CRYSTALS, row, 0)
    assert candidates == [card(name) for name in ("D2", "H3", "H7", "S4")]
    for name, kind in (("H7", "H7"), ("H9", "H7"), ("H3", "H3"), ("S4", "S4")):
        assert knowing.of(CRYSTALS).same_kind(row, candidates, card(name)) == card(kind)


def test_c9_a_set_to_pass_is_named_by_the_cards_that_are_still_to_be_named() -> None:
    state = position("crystals", 3, hands={0: "D2 H3 H7 S4"}, question="pass", passing=3, to_act=[0], chosen={0: "D2"})
    row = see(CRYSTALS, state, 0).row
    assert hints.names_of(CRYSTALS, row, 0, sum(1 << card(name) for name in ("D2", "H7", "S4"))) == ("H7", "S4")


def test_names_of_seats_and_the_words_for_other_answers() -> None:
    assert say(*hints.spoken(CRYSTALS, "victim", [2]), who=["Ann", "Ben", "Cleo"].__getitem__) == "Cleo"
    assert say(*hints.spoken(CRYSTALS, "pass", ["H7", "D2"])) == "♥7 ♦2"
    assert say(*hints.spoken(MINES, "dig", ["C5"])) == "with ♣5"


# The work of a review


def played(name: str, seats: int, options: dict, seed: int, bots: tuple[str, ...]) -> records.Match:
    """A game between bots that need no kernels."""
    game, rng = GAMES[name], np.random.default_rng(seed)
    match = records.start(game, seats, options, deals.seeded_secret(seed))
    while not match.over:
        seat, question = game.to_act(match.state)[0], game.question(match.state)
        answer = BOTS[bots[seat]].choose(see(game, match.state, seat), question.name, rng)
        match.answer(seat, question.answers[answer], question.name)
    return match


GAMES_PLAYED = [
    ("crystals", 3, {}),
    ("crystals", 4, {"partnership": True}),
    ("fourteen", 3, {"target": 5}),
    ("mines", 2, {}),
]


@pytest.mark.parametrize(("name", "seats", "options"), GAMES_PLAYED)
def test_the_plan_has_every_decision_with_what_was_seen_and_every_moment_and_margin(
    name: str, seats: int, options: dict
) -> None:
    """A set of cards to pass is one decision (C9); where there was nothing to choose there was none."""
    game = GAMES[name]
    match = played(name, seats, options, 3, ("simple", "random", "simple", "random"))
    work = review.plan(match, [0, 1])
    tasks = {task.n: task for task in work.tasks}
    again = records.start(game, match.seats, match.options, match.secret, match.nonces)
    moments = {moment.n: np.frombuffer(bytearray(moment.state), game.dtype)[0] for moment in work.moments}
    margins = [tuple(review.margin(game, again.state, seat) for seat in range(seats))]
    expected, chosen = set(), {}
    for n, (seat, question, answer) in enumerate(match.answers):
        state, several = fields.copy_state(again.state), len(game.legal(again.state, seat)) > 1
        if n in moments:
            assert moments[n].tobytes() == state.tobytes(), "a moment is of another time"
        first = question != "pass" or not state["chosen"][seat]
        if first and several and seat in (0, 1):
            expected.add(n)
            task = tasks[n]
            assert (task.seat, task.deal, task.truth) == (seat, int(state["deals"]), state.tobytes())
            assert task.row == see(game, state, seat).row.tobytes(), "a decision is judged by more than was seen"
            if question == "pass":
                chosen[seat] = task.given
            else:
                assert game.question(state).answers[task.given] == answer
        deal = int(state["deals"])
        again.answer(seat, answer, question)
        if name == "crystals" and question == "pass" and game.question(again.state).name == "play":
            for passer, given in chosen.items():
                assert given == again.state["given"][passer], "another set of cards was passed"
            chosen = {}
        if int(again.state["deals"]) != deal or again.over:
            margins.append(tuple(review.margin(game, again.state, seat) for seat in range(seats)))
        passed = int(
            again.state["turns"] - state["turns"]
            if name == "mines"
            else again.state["tricks"].sum() != state["tricks"].sum()
        )
        if passed or again.over or int(again.state["deals"]) != deal:
            assert n + 1 in moments, "a moment is missing"
    assert set(tasks) == expected
    assert moments[match.n].tobytes() == match.state.tobytes()
    assert 0 in moments
    assert len(moments) < len(match.answers)
    assert work.margins == tuple(margins)
    assert len({task.seed for task in work.tasks}) == len(work.tasks), "two decisions were judged in the same worlds"


def test_a_review_has_a_name_of_its_own_for_every_deal_and_every_answer() -> None:
    """Two games with the same answers and other cards are two games."""
    one, two = (records.start(FOURTEEN, 3, {}, deals.seeded_secret(seed)) for seed in (1, 2))
    again = records.start(FOURTEEN, 3, {}, deals.seeded_secret(1))
    other = records.start(FOURTEEN, 3, {"match": "last_two"}, deals.seeded_secret(1))
    assert review.key(one) == review.key(again)
    assert len({review.key(match) for match in (one, two, other)}) == 3
    seat = FOURTEEN.to_act(again.state)[0]
    again.answer(seat, FOURTEEN.legal(again.state, seat)[0], "play")
    assert review.key(one) != review.key(again)


# One decision


def task(given: str = "H7", question: str = "play", **more: Any) -> review.Task:
    """A decision of seat 0 in crystals, with ♦2, ♥7 or ♠4 to lead."""
    state = position("crystals", 3, hands={0: "D2 H7 S4", 1: "H9 C1", 2: "S5 C6"}, question=question, **more)
    row = see(CRYSTALS, state, 0).row.tobytes()
    return review.Task("crystals", 12, 0, 2, card(given), row, state.tobytes(), 99)


class Scene:
    """The parts of a judgement replaced: what the search finds, and what lies on the scales, look after look. Nothing is compiled."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, found: list[int], *weighed: hints.Scales) -> None:
        self.looks: list[tuple[list[int], int, bytes, int, bool, int]] = []

        def decide(
            view: Any, me: int, effort: Effort, numbers: Any, given: int, bits: Any, mind: Any, *fill: Any
        ) -> Any:
            self.searched = bits
            candidates, worth, tried = fill
            candidates[: len(found)], worth[: len(found)], tried[: len(found)] = found, 0.0, 1
            return len(found), 0, found[0]

        def on_scales(
            view: Any, me: int, effort: Effort, candidates: Any, plan: int, numbers: Any, known: bool, bits: Any,
            most: int, mind: Any, counts: Any,
        ) -> Any:  # fmt: skip
            scales = weighed[len(self.looks)]
            self.looks.append((candidates.tolist(), plan, view[0].tobytes(), int(bits), known, most))
            counts[:] = scales.counts
            return scales.value, scales.points

        for game in (CRYSTALS, MINES):
            judge.judge_of(game)
        plainly = {game.name: judge.judge_of(game).py_func for game in (CRYSTALS, MINES)}  # type: ignore[attr-defined]
        monkeypatch.setattr(judge, "judge_of", lambda game: plainly[game.name])
        monkeypatch.setattr(search, "decide", decide)
        monkeypatch.setattr(judge, "on_scales", on_scales)


S4, H7, D2 = card("S4"), card("H7"), card("D2")
HABIT = scales([D2, H7], [9.0, 9.0], 0.0, [2.0, 5.0])
TRUE, AGAIN = scales([S4, D2, H7], [3.0, 7.0, 1.0]), scales([D2, H7], [6.0, 4.5], 0.5)


@pytest.mark.parametrize(
    ("glance", "longer", "marked"),
    [
        ((0.1, 0.01), None, False),  # surely a trifle
        ((0.2, 0.05), (1.0, 0.1), True),  # may be more than it looks
        ((1.0, 0.1), (0.2, 0.01), False),  # certain, not material
        ((1.0, 0.1), (1.0, 0.5), False),  # material, not certain
        ((1.0, 0.1), (1.0, 0.3), True),
        ((-0.5, 0.1), None, False),  # better than the best
    ],
)
def test_a_decision_is_marked_if_it_is_a_material_mistake_for_certain_in_worlds_of_its_own(
    glance: tuple, longer: tuple | None, marked: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = scales([S4, H7], [5.0, 5.0 - glance[0]], glance[1])
    second = scales([S4, H7], [5.0, 5.0 - (longer or glance)[0]], (longer or glance)[1], [4.0, 3.75])
    scene = Scene(monkeypatch, [S4, D2, H7], first, *([second] if longer else []), HABIT, TRUE, AGAIN)
    one = task()
    judged = review.judge(one)
    assert judged is not None
    pairs = [(look[0], look[5]) for look in scene.looks]
    assert pairs[:1] == [([S4, H7], review.LOOKS.glance)]
    assert pairs[1 : -3 if marked else -1] == ([([S4, H7], review.LOOKS.long)] if longer else [])
    bits = [look[3] for look in scene.looks]
    assert len({int(scene.searched), *bits}) == len(bits) + 1, "the same worlds chose and measured"
    seen = [look[2] for look in scene.looks if not look[4]]
    assert set(seen) == {one.row}, "a decision was judged by more than was seen"
    assert judged.marked == marked
    assert (judged.cost, judged.cost_error) == pytest.approx(longer or glance)
    assert (say(*judged.says), say(*judged.best), judged.n, judged.seat, judged.deal) == ("♥7", "♠4", 12, 0, 2)
    assert judged.points == pytest.approx(0.25 if longer else glance[0]), "costs in the account leave out winning"
    assert (judged.hindsight is not None) == marked


def test_the_best_answer_costs_nothing_and_is_weighed_beside_habit_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    scene = Scene(monkeypatch, [H7, S4], HABIT)
    judged = review.judge(task())
    assert judged is not None
    assert (judged.cost, judged.cost_error, judged.points, judged.marked) == (0.0, 0.0, 0.0, False)
    assert len(scene.looks) == 1


def test_the_reasons_of_a_mistake_speak_for_the_best_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    glance, longer = scales([S4, H7], [5.0, 2.0]), scales([S4, H7], [5.0, 2.0])
    longer.counts[0, playouts.OWN_D] = 1.0
    Scene(monkeypatch, [S4, D2, H7], glance, longer, HABIT, TRUE, AGAIN)
    judged = review.judge(task(tricks=[1, 0, 0]))
    assert judged is not None
    assert "takes one more ♦ later" in [say(*why) for why in judged.because]


def test_skill_is_by_how_much_the_answer_was_better_than_that_by_rule_of_thumb(monkeypatch: pytest.MonkeyPatch) -> None:
    """And what the cards promised is what the rule of thumb would have brought, in mines as a chance."""
    one = task()
    row = np.frombuffer(bytearray(one.row), CRYSTALS.dtype)[0]
    state = position("mines", 2)
    answers = list(cards.members(int(MINES.rules.legal(state, 0))))
    dig = one._replace(game="mines", given=answers[-1], row=see(MINES, state, 0).row.tobytes(), truth=state.tobytes())
    for game, asked, found, promised in ((CRYSTALS, one, [H7, S4], 2.0), (MINES, dig, answers[::-1], 52.0)):
        with monkeypatch.context() as patched:
            scene = Scene(patched, found, HABIT)
            judged = review.judge(asked)
        assert judged is not None
        assert (judged.value, judged.skill, judged.skill_error) == (promised, 3.0, 0.0)
        view = row if game is CRYSTALS else see(MINES, state, 0).row
        habit = int(knowing.of(game).choose(view, 0, AS_IT_COMES))
        assert [(*look[:2], look[5]) for look in scene.looks] == [
            ([habit, asked.given], AS_IT_COMES, review.LOOKS.glance)
        ]


def test_c9_the_rule_of_thumb_passes_a_whole_set() -> None:
    hand = "D2 D9 H3 H7 H8 S4 S9 C1 C5 C9"
    state = position("crystals", 3, hands={0: hand, 1: "H9", 2: "S5"}, question="pass", passing=3, to_act=[0])
    row = see(CRYSTALS, state, 0).row
    habit = knowing.of(CRYSTALS).habit(fields.copy_state(row), 0, AS_IT_COMES)
    for _ in range(3):
        CRYSTALS.rules.step(state, 0, int(knowing.of(CRYSTALS).choose(state, 0, AS_IT_COMES)), None)
    assert cards.count(int(habit)) == 3
    assert habit == state["chosen"][0] or habit == state["given"][0]


def test_hindsight_is_chosen_on_the_true_cards_in_one_half_and_measured_in_the_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    glance = scales([S4, H7], [5.0, 2.0])
    scene = Scene(monkeypatch, [S4, D2, H7], glance, glance, HABIT, TRUE, AGAIN)
    one = task()
    judged = review.judge(one)
    assert judged is not None
    chosen, measured = scene.looks[-2:]
    assert (chosen[0], measured[0]) == ([S4, D2, H7], [D2, H7])
    for look in (chosen, measured):
        assert (look[2], look[4], look[5]) == (one.truth, True, review.LOOKS.hindsight), (
            "hindsight is of what was known"
        )
    assert chosen[3] != measured[3], "chosen and measured in the same playouts"
    better = Message("hint-cards", {"cards": ["D2"]})
    assert judged.hindsight == (better, pytest.approx(1.5), pytest.approx(0.5))


def test_c9_in_hindsight_the_ten_best_sets_to_pass_are_looked_at_and_that_which_was_passed() -> None:
    """By the worlds that each was worth, then by its worth; of equals the first."""
    candidates, tried = np.arange(100, 114), np.array([4, 8, 8, 2, 8, 4, 4, 4, 4, 4, 4, 4, 4, 1])
    worth = np.array([0.0, 1.0, 3.0, 9.0, 2.0, *[0.5] * 8, 9.0])
    assert judge.shorten(candidates, worth, tried) == 10
    assert candidates[:10].tolist() == [102, 104, 101, 105, 106, 107, 108, 109, 110, 111]


def test_what_was_no_answer_is_no_decision() -> None:
    one = task()
    with pytest.raises(ValueError, match="it has no answer"):
        review.judge(one._replace(given=card("C9")))


# The account


def decision(seat: int, deal: int, **more: float) -> review.Decision:
    """A decision with these numbers."""
    numbers = {"points": 0.0, "value": 0.0, "skill": 0.0, "skill_error": 0.0, "marked": 0, **more}
    return review.Decision(
        n=0, seat=seat, deal=deal, question="play", says=NOTHING, best=NOTHING, cost=100.0, cost_error=0.0,
        marked=bool(numbers["marked"]), because=(), hindsight=None, points=numbers["points"], value=numbers["value"],
        skill=numbers["skill"], skill_error=numbers["skill_error"],
    )  # fmt: skip


def test_an_account_is_made_of_the_own_decisions_deal_by_deal() -> None:
    """Cards are what the first decision of a deal promised beyond its start; luck is what is left."""
    work = review.Plan("fourteen", (1, 0), (), (), ((0.0, 1.0), (3.0, -2.0), (5.0, -4.0), (9.0, -9.0)))
    decisions = [
        decision(1, 1, value=2.0, skill=0.5, points=0.25, skill_error=3.0, marked=1),
        decision(1, 1, value=7.0, skill=-0.25, points=0.5, skill_error=4.0),
        decision(0, 1, value=50.0, skill=50.0, points=50.0, skill_error=50.0, marked=1),
        None,
        decision(1, 2, value=-1.0, skill=1.0, points=2.0, marked=1),
    ]
    made = review.sum_up(work, decisions, [])
    own, other = made.accounts
    assert own.rounds == (
        review.Round(1.0, 1.0, -4.25, 0.25, 0.75, -2.0),
        review.Round(-2.0, 1.0, -4.0, 1.0, 2.0, -4.0),
        review.Round(-4.0, 0.0, -5.0, 0.0, 0.0, -9.0),
    )
    assert own._replace(rounds=()) == review.Account(1, 1.0, 2.0, -13.25, 1.25, 5.0, 2.75, -9.0, 3, 2, ())
    assert (other.seat, other.start, other.result, other.skill, other.decisions, other.marked) == (
        0,
        0.0,
        9.0,
        50.0,
        1,
        1,
    )
    assert len(made.decisions) == 4
    assert (made.unit, made.material) == ("points", knowing.of(FOURTEEN).material)


def test_in_mines_the_margin_is_half_at_the_start_all_of_a_win_and_nothing_of_a_loss() -> None:
    state = position("mines", 2)
    assert [review.margin(MINES, state, seat) for seat in (0, 1)] == [50.0, 50.0]
    state["over"], state["winner"] = 1, 1
    assert [review.margin(MINES, state, seat) for seat in (0, 1)] == [0.0, 100.0]
    state["winner"] = -1
    assert [review.margin(MINES, state, seat) for seat in (0, 1)] == [50.0, 50.0]


def test_in_a_game_that_is_over_the_margin_is_in_points_alone() -> None:
    """What winning is worth to a bot is in no account."""
    state = position("fourteen", 3, hands={}, totals=[9, 5, 1], over=1, to_act=[])
    assert [review.margin(FOURTEEN, state, seat) for seat in range(3)] == [6.0, 0.0, -6.0]


def test_what_a_bot_answered_for_somebody_whose_time_was_up_is_no_decision_of_theirs() -> None:
    match = played("mines", 2, {}, 3, ("simple", "random"))
    own = [task.n for task in review.plan(match).tasks]
    first = own[0]
    match.entries[first] += " by simple"
    assert [task.n for task in review.plan(match).tasks] == own[1:], f"Answer {first} was given by a bot."
