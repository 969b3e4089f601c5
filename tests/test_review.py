"""Hints and reviews computed from given evaluations: each number has its place and sign, from fresh worlds.

Evaluations are replaced with chosen numbers here; `test_analysis` covers whole hints and reviews.
"""

import re
from typing import Any

import numpy as np
import pytest

from diamonds import cards, deals, fields, i18n, records
from diamonds.bots import games
from diamonds.bots.analysis import hints, review
from diamonds.bots.bot import bot_view
from diamonds.bots.games.adapter import COUNT_COLUMNS, NO_PLAN, POINTS, SearchParams, SearchResult
from diamonds.bots.games.crystals import playouts
from diamonds.bots.search import judge, search, world_sampling
from diamonds.bots.search.reason_selection import AGAINST, CONTRAST, FOR
from diamonds.game import GAMES, Game
from diamonds.i18n import Message, translate
from tests.support.positions import position
from tests.support.random_games import play_between_bots

pytestmark = pytest.mark.kernels

CRYSTALS, FOURTEEN, MINES = GAMES["crystals"], GAMES["fourteen"], GAMES["mines"]


def evaluation(
    candidates: list[int], means: list[float], spread: float = 0.0, points: list[float] | None = None
) -> hints.CandidateValues:
    """Return an evaluation of candidates with these means in 100 worlds, where differences have this standard error."""
    noise = np.tile([1.0, -1.0], 50)[:, None] * spread * np.sqrt(99) * np.arange(len(means))
    value = np.array(means) + noise
    return hints.CandidateValues(
        candidates, value, value if points is None else np.array(points) + noise,
        np.zeros((len(candidates), COUNT_COLUMNS)),
    )  # fmt: skip


def card(name: str, game: Game = CRYSTALS) -> int:
    return game.card_names.index(name)


# Hints


def test_best_answer_is_first_and_gain_is_measured_from_the_margin():
    """Crystals: a final margin of 5 from a current margin of 2 is a gain of 3; the value of winning is not included."""
    state = position("crystals", 3, hands={0: "D2 H7 S4", 1: "H9", 2: "S5"}, vault=[4, 2, 2], showroom=[0, 0, 0])
    standing = hints.current_margin(CRYSTALS, state, 0)
    assert standing == pytest.approx(CRYSTALS.rules.score(state, 0) - CRYSTALS.rules.score(state, 1)) != 0
    weighed = evaluation([card("D2"), card("H7"), card("S4")], [7.0, 11.0, 8.0], 0.0, [4.5, 5.0, 4.0])
    best, second, third = hints.rank_choices(CRYSTALS, state, 0, weighed)
    assert [choice.answers for choice in (best, second, third)] == [("H7",), ("S4",), ("D2",)]
    assert [choice.gain for choice in (best, second, third)] == pytest.approx([g - standing for g in (5.0, 4.0, 4.5)])
    assert [choice.gap for choice in (best, second, third)] == pytest.approx([0.0, 3.0, 4.0])


@pytest.mark.parametrize(
    ("showroom", "equal"), [([1, 3, 3, 3], {1, 2, 3}), ([1, 4, 4, 2], {1, 2}), ([1, 4, 3, 2], {1})]
)
def test_c18_players_whom_nothing_tells_apart_are_equally_good(showroom, equal):
    """Also if one of them comes out slightly ahead: no player can see why. Their reason is the same."""
    state = position("crystals", 4, hands={0: "D2 D3 D4 D5"}, question="victim", to_act=[0], taker=0, showroom=showroom)
    for ahead in equal:
        margins = [1.0 if seat == ahead else 0.5 if seat in equal else 0.1 for seat in (1, 2, 3)]
        best, *others = hints.rank_choices(CRYSTALS, state, 0, evaluation([1, 2, 3], margins))
        told = [best, *(one for one in others if one.tied)]
        assert {choice.answers[0] for choice in told} == equal
        assert all(choice.reasons == best.reasons for choice in told)
        assert bool(best.reasons) == (len(equal) < 3)


def test_gain_in_mines_is_the_chance_to_win():
    state = position("mines", 2)
    answers = list(cards.iter_bits(int(MINES.rules.legal(state, 0))))[:2]
    best, other = hints.rank_choices(MINES, state, 0, evaluation(answers, [12.0, -7.0]))
    assert (best.gain, other.gain, other.gap) == pytest.approx((62.0, 43.0, 19.0))


@pytest.mark.parametrize(
    ("behind", "error", "tied"),
    [(1.0, 0.6, True), (1.0, 0.4, False), (0.29, 0.0, True), (0.31, 0.0, False), (0.09, 0.001, True)],
)
def test_answers_are_tied_within_two_standard_errors_or_a_trifle(behind, error, tied):
    """A trifle is a gap that reviews do not mark."""
    assert hints.NEGLIGIBLE_GAIN[POINTS] == games.adapter_for(FOURTEEN).material_difference
    state = position("fourteen", 3, hands={0: "D2 H7", 1: "H9 S2", 2: "S5 S3"})
    weighed = evaluation([card("D2", FOURTEEN), card("H7", FOURTEEN)], [1.0, 1.0 - behind], error)
    first, second = hints.rank_choices(FOURTEEN, state, 0, weighed)
    worse = max(first, second, key=lambda choice: choice.gap)
    assert (worse.gap, worse.gap_error) == pytest.approx((behind, error))
    assert (first.tied, second.tied) == (False, tied)
    is_recommended = tied and behind <= hints.OBVIOUS_SHARE * 0.3
    assert first.answers == (("H7",) if is_recommended else ("D2",)), "expected the highest card of those as good"


def test_reason_is_for_the_best_before_what_is_worse_and_against_others(monkeypatch):
    """The rivals are the clearly worse answers. Nearly equal answers have no reasons."""
    from diamonds.bots.analysis import reason_text

    compared: set[tuple[int, int, int]] = set()
    state = position("fourteen", 3, hands={0: "D2 H7 S4 C3", 1: "H9 S2", 2: "S5 S3"})
    low, best, second, lowest = (card(name, FOURTEEN) for name in ("D2", "H7", "S4", "C3"))

    def note(
        game: Game, row: np.void, seat: int, candidate: int, counts: Any, rival: int, his: Any, side: int
    ) -> list[Message]:
        assert counts[0] == candidate, "the counts belong to another answer"
        assert his[0] == rival, "the counts belong to another rival"
        compared.add((candidate, rival, side))
        return [EMPTY_MESSAGE] if candidate == best and rival in speaking else []

    monkeypatch.setattr(reason_text, "reason_messages", note)
    for speaking, expected in (({low, lowest}, (EMPTY_MESSAGE,)), ({lowest}, (EMPTY_MESSAGE,)), ({second}, ())):
        weighed = evaluation([low, best, second, lowest], [1.0, 3.0, 2.99, 0.0])
        weighed.counts[:, 0] = [low, best, second, lowest]
        compared.clear()
        choices = hints.rank_choices(FOURTEEN, state, 0, weighed)
        assert [choice.tied for choice in choices] == [False, True, False, False]
        assert {one[:2] for one in compared if one[0] == best} == {(best, rival) for rival in (low, lowest)}
        assert {(low, best, AGAINST), (lowest, best, AGAINST)} < compared
        assert not any(second in (one, rival) for one, rival, _ in compared), "expected no reason about an equal answer"
        assert choices[0].reasons == expected, f"where the reason holds against {speaking}"


@pytest.mark.parametrize(("named", "says"), [
    ({AGAINST: "against", CONTRAST: "fault", FOR: "better"}, "against"),
    ({CONTRAST: "fault", FOR: "better"}, "fault"),
    ({FOR: "more-later better"}, "instead H7 better"),
    ({FOR: "more-later"}, ""),
    ({}, ""),
])  # fmt: skip
def test_worse_card_is_listed_with_its_fault_or_what_the_best_does_instead(named, says, monkeypatch):
    from diamonds.bots.analysis import reason_text

    def listed(*compared: Any) -> list[Message]:
        return [Message(f"hint-{name}") for name in named.get(compared[-1], "").split()]

    monkeypatch.setattr(reason_text, "reason_messages", listed)
    state = position("fourteen", 3, hands={0: "H7 S4", 1: "H9 S2", 2: "S5 S3"})
    weighed = evaluation([card("H7", FOURTEEN), card("S4", FOURTEEN)], [3.0, 1.0])
    _, worse = hints.rank_choices(FOURTEEN, state, 0, weighed)
    said = [
        word
        for one in worse.reasons
        for word in (one.id, one.args.get("card", ""), *([one.args["reason"].id] if "reason" in one.args else []))
    ]
    assert " ".join(filter(None, said)).replace("hint-", "") == says


@pytest.mark.parametrize(("reasons", "expected"), [
    ({"best low": "A B", "best lowest": "A", "best third": "A"}, "A"),
    ({"best low": "A B", "best lowest": "B", "best third": "B"}, "B"),
    ({"best low": "A B", "best lowest": "A B", "best third": "A B", "lowest low": "A"}, "B"),
    ({"best low": "A", "best lowest": "A B", "best third": "B"}, "A B"),
    ({"best low": "A", "best lowest": "A", "best third": "B"}, "A B"),
    ({"best low": "A", "best lowest": "A B", "best third": "A", "lowest low": "A"}, "A B"),
    ({"best low": "A", "best third": "A"}, "A scores-most slight"),
    ({"best low": "A", "best third": "A", "lowest low": "A"}, "A shared-by C3 slight"),
    ({"best low": "A", "lowest low": "A", "third low": "A"}, "A shared-by C3 C2 slight"),
    ({"best low": "A more-later", "best lowest": "more-later", "best third": "more-later"}, "more-later"),
    (
        {"best low": "A more-later", "best lowest": "more-later", "best third": "A more-later", "lowest low": "A"},
        "A shared-by C3 slight",
    ),
    ({"best low": "more-later", "best lowest": "more-later B", "best third": "more-later"}, "more-later"),
    ({"best low": "more-later A", "best lowest": "more-later B", "best third": "more-later B"}, "A B"),
    ({"best low": "saves:D2"}, "saves shared-by C3 C2 slight"),
    ({"best low": "saves:D2", "best lowest": "A", "best third": "A"}, "saves A"),
    ({"best low": "saves:D2", "best lowest": "saves:C3", "best third": "A"}, "saves shared-by C3 C2 slight"),
    ({"best low": "saves:D9"}, "saves shared slight"),
    ({"best low": "saves-higher:D2"}, "saves-higher scores-most slight"),
    ({"best low": "A:D2", "best lowest": "B:D2", "best third": "B:D2"}, "A scores-most slight"),
    ({"best low": "A:D2", "best lowest": "B:D3", "best third": "B:D3"}, "A B"),
    ({}, "scores-most slight"),
])  # fmt: skip
def test_reasons_for_the_best_answer_hold_for_no_worse_one(reasons, expected):
    """A reason that also fits a worse card does not say why to play this one (a second reason or a sentence does)."""

    def listed(candidate: int, rival: int) -> list[Message]:
        listed = reasons.get(f"{names[candidate]} {names[rival]}", "").split()
        named = [id.partition(":") for id in listed]
        return [Message(f"hint-{id}", {"card": card} if card else {}) for id, _, card in named]

    names = ["best", "low", "lowest", "third"]
    cards = {1: ["D2"], 2: ["C3"], 3: ["C2"]}
    found = hints.reasons_for_best(0, [1, 2, 3], cards, listed, "points", {1: 1.24, 2: 0.16, 3: 2.0}.__getitem__)
    said = [
        [
            one.id.removeprefix("hint-"),
            *(named for _, args in one.args.get("either", ()) for named in args["cards"]),
            ("slight", "clear")[one.args["clear"]] if "clear" in one.args else "",
        ]
        for one in found
    ]
    assert " ".join(str(word) for words in said for word in words if word) == expected


@pytest.mark.parametrize(("reasons", "obvious", "expected"), [
    ({1: "A B", 2: "B", 3: "B C"}, None, "B"),
    ({1: "A", 2: "A B"}, None, "A"),
    ({1: "A", 2: "B"}, None, ""),
    ({1: "A"}, 1, "A"),
    ({1: "A", 2: "A C", 3: "A"}, 2, "A"),
    ({1: "A", 2: "A", 3: "C"}, 3, "C"),
    ({1: "A", 2: "A"}, 3, "A"),
    ({1: "more-later"}, 1, ""),
])  # fmt: skip
def test_reason_for_one_of_equal_cards_holds_against_most_worse_ones(reasons, obvious, expected):
    """Or against the obvious card, which the sentence after it is about. No sentence says for which others it holds."""

    def listed(candidate: int, rival: int) -> list[Message]:
        return [] if candidate else [Message(f"hint-{id}") for id in reasons.get(rival, "").split()]

    worse = {1: ["D2"], 2: ["C3"], 3: ["C2"], 4: ["S2"]}
    found = hints.reasons_for_best(0, [*worse], worse, listed, "points", lambda _: 0.5, obvious, True)
    assert " ".join(one.id.removeprefix("hint-") for one in found) == expected


@pytest.mark.parametrize(("reasons", "found", "expected"), [
    ({1: "turns-suit saves", 2: "wins"}, "turns-suit", "saves"),
    ({1: "turns-suit saves", 2: "turns-suit void", 3: "void"}, "turns-suit", "void"),
    ({1: "turns-suit", 2: "wins saves"}, "turns-suit", ""),
    ({1: "wins-diamonds saves", 2: "wins-more void"}, "wins-diamonds", ""),
    ({1: "turns-suit more-later"}, "turns-suit", ""),
    ({1: "turns-suit saves"}, "gives-no-diamond", ""),
    ({1: "saves"}, "", ""),
])  # fmt: skip
def test_visible_reason_is_followed_by_one_against_cards_that_win_too(reasons, found, expected):
    """♦J would win as well as ♥6 (“8 + 6 = 14”), so a second reason says why not ♦J. Winning with ♥6 is not one."""

    def listed(candidate: int, rival: int) -> list[Message]:
        return [] if candidate else [Message(f"hint-{id}") for id in reasons.get(rival, "").split()]

    first = [Message(f"hint-{id}") for id in found.split()]
    more = hints.reason_beyond_direct(0, [1, 2, 3], first, listed)
    assert " ".join(one.id.removeprefix("hint-") for one in more) == expected


@pytest.mark.parametrize("language", i18n.languages())
@pytest.mark.parametrize(("gap", "word"), [(0.99, "slightly etwas"), (1.0, "clearly deutlich")])
def test_small_leads_are_told_in_words_and_not_in_decimals(gap, word, language):
    for worse in ({1: ["D2"]}, {1: ["D2"], 2: ["D3"], 3: ["D4"]}):
        for listed in ([], [Message("hint-saves", {"card": "D9"})]):
            found = hints.reasons_for_best(
                0, [*worse], worse, lambda *_, listed=listed: listed, "points", lambda _: gap
            )
            says = " ".join(translate(*reason, language=language) for reason in found)
            assert re.search(rf"\b({word.replace(' ', '|')})\b", says), says
            assert not re.search(r"\d[.,]\d", says), f"expected no decimals: {says}"


EMPTY_MESSAGE = Message("as-it-is", {"text": ""})


def test_judgement_has_the_gap_to_the_second_or_its_ties():
    def choice(text: str, behind: float, tied: bool = False) -> hints.HintChoice:
        return hints.HintChoice((text,), Message("as-it-is", {"text": text}), 0.0, 0.0, behind, 0.1, tied, ())

    ahead = (choice("♥7", 0.0), choice("♠4", 1.25), choice("♦2", 3.0))
    assert translate(*hints.hint_summary(ahead, "points")) == "Best: ♥7, 1.2 points better than ♠4."
    assert translate(*hints.hint_summary(ahead[:2], "%")) == "Best: ♥7. Of 100 games it wins 1 more than ♠4."
    tied = (choice("♥7", 0.0), choice("♠4", 0.1, True), choice("♦2", 0.2, True))
    assert translate(*hints.hint_summary(tied, "points")) == "Equally good: ♥7, ♠4 and ♦2."
    assert translate(*hints.hint_summary((*tied[:2], choice("♦2", 3.0)), "points")) == "Equally good: ♥7 and ♠4."


def test_hint_evaluates_every_answer_in_independent_worlds(monkeypatch):
    """The search's choice comes first, then by worlds spent, then by value; of too many answers, five."""
    state = position("fourteen", 3, hands={0: "D2 D9 H7 S4 S9 C5", 1: "H9 S2", 2: "S5 S3"})
    numbers = list(cards.iter_bits(int(state["hand"][0])))
    seeds: list[int] = []
    weighed: list[tuple[list[int], int]] = []

    def searched(game: Game, row: np.void, seat: int, effort: SearchParams, seed: int) -> SearchResult:
        seeds.append(seed)
        return SearchResult(numbers, [5.0, 1.0, 4.0, 9.0, 2.0, 3.0], [600, 600, 64, 32, 600, 600], 1)

    def weigh(game: Game, row: np.void, seat: int, candidates: list[int], worlds: int, seed: int, *_: Any) -> Any:
        seeds.append(seed)
        weighed.append((candidates, worlds))
        return evaluation(candidates, [float(k) for k in range(len(candidates))])

    monkeypatch.setattr(search, "search", searched)
    monkeypatch.setattr(hints, "evaluate_candidates", weigh)
    hint = hints.hint(bot_view(FOURTEEN, state, 0), 17)
    worlds = games.adapter_for(FOURTEEN).hint_worlds
    assert weighed == [([numbers[k] for k in (1, 0, 5, 4, 2, 3)], worlds)]
    assert len(set(seeds)) == 2, "expected fresh worlds: those that chose the answers must not evaluate them"
    assert [choice.answers[0] for choice in hint.choices] == [
        FOURTEEN.card_names[numbers[k]] for k in (3, 2, 4, 5, 0, 1)
    ]
    assert hint.worlds == 100
    monkeypatch.setitem(hints.MAX_CHOICES, "points", 3)
    monkeypatch.setitem(hints.MAX_EVALUATED, "points", 5)
    hint = hints.hint(bot_view(FOURTEEN, state, 0), 17)
    assert weighed[-1] == ([numbers[k] for k in (1, 0, 5, 4, 2)], worlds)
    assert [choice.answers[0] for choice in hint.choices] == [FOURTEEN.card_names[numbers[k]] for k in (2, 4, 5)]
    hints.evaluate_shortlist(FOURTEEN, bot_view(FOURTEEN, state, 0).row, 0, 1, numbers[3], 17, 50)
    assert weighed[-1] == ([numbers[1], numbers[3]], 50), "expected the answer to judge, however bad"
    hints.evaluate_shortlist(FOURTEEN, bot_view(FOURTEEN, state, 0).row, 0, 2, numbers[1], 17, 50)
    assert weighed[-1] == ([numbers[1], numbers[0]], 50), "expected one evaluation of each answer"


def test_answer_is_judged_by_the_candidate_that_stands_for_it():
    state = position("crystals", 3, hands={0: "D2 H3 H7 H8 H9 S4", 1: "H5", 2: "S5"})
    row = bot_view(CRYSTALS, state, 0).row
    candidates = search.candidates_of(CRYSTALS, row, 0)
    assert candidates == [card(name) for name in ("D2", "H3", "H7", "S4")]
    for name, kind in (("H7", "H7"), ("H9", "H7"), ("H3", "H3"), ("S4", "S4")):
        assert games.adapter_for(CRYSTALS).representative(row, candidates, card(name)) == card(kind)


def test_c9_set_to_pass_is_named_by_its_unnamed_cards():
    state = position("crystals", 3, hands={0: "D2 H3 H7 S4"}, question="pass", passing=3, to_act=[0], chosen={0: "D2"})
    row = bot_view(CRYSTALS, state, 0).row
    assert hints.candidate_names(CRYSTALS, row, 0, sum(1 << card(name) for name in ("D2", "H7", "S4"))) == ("H7", "S4")


def test_names_of_seats_and_the_words_for_other_answers():
    assert translate(*hints.answer_text(CRYSTALS, "victim", [2]), name_of=["Ann", "Ben", "Cleo"].__getitem__) == "Cleo"
    assert translate(*hints.answer_text(CRYSTALS, "pass", ["H7", "D2"])) == "♥7 ♦2"
    assert translate(*hints.answer_text(MINES, "dig", ["C5"])) == "dig two with ♣5"


# Plan of a review


GAMES_PLAYED = [
    ("crystals", 3, {}), ("crystals", 4, {"partnership": True}), ("fourteen", 3, {"target": 5}), ("mines", 2, {}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "seats", "options"), GAMES_PLAYED)
def test_review_plan_has_every_decision_view_position_and_margin(name, seats, options):
    """A set of cards to pass is one decision (C9). Questions without a choice do not count."""
    game = GAMES[name]
    played = play_between_bots(name, seats, options, ("simple", "random", "simple", "random"), 3)
    work = review.plan(played, [0, 1])
    tasks = {task.n: task for task in work.decision_tasks}
    again = records.start_game(game, played.seats, played.options, played.secret, played.nonces)
    moments = {moment.n: np.frombuffer(bytearray(moment.state), game.dtype)[0] for moment in work.forecast_tasks}
    margins = [tuple(review.margin(game, again.state, seat) for seat in range(seats))]
    expected, chosen = set(), {}
    for n, (seat, question, answer) in enumerate(played.answers):
        state, several = fields.copy_state(again.state), len(game.legal(again.state, seat)) > 1
        if n in moments:
            assert moments[n].tobytes() == state.tobytes(), "a moment belongs to another time"
        first = question != "pass" or not state["chosen"][seat]
        if first and several and seat in (0, 1):
            expected.add(n)
            task = tasks[n]
            assert (task.seat, task.deal, task.true_state) == (seat, int(state["deals"]), state.tobytes())
            assert task.row == bot_view(game, state, seat).row.tobytes(), "a decision is judged with hidden cards"
            if question == "pass":
                chosen[seat] = task.candidate
            else:
                assert game.question(state).answers[task.candidate] == answer
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
    assert moments[played.n].tobytes() == played.state.tobytes()
    assert 0 in moments
    assert len(moments) < len(played.answers)
    assert work.margins == tuple(margins)
    assert len({task.seed for task in work.decision_tasks}) == len(work.decision_tasks), "worlds are shared"


def test_review_seeds_differ_by_deal_and_answer():
    one, two = (records.start_game(FOURTEEN, 3, {}, deals.seeded_secret(seed)) for seed in (1, 2))
    again = records.start_game(FOURTEEN, 3, {}, deals.seeded_secret(1))
    other = records.start_game(FOURTEEN, 3, {"match": "last_two"}, deals.seeded_secret(1))
    assert review.review_key(one) == review.review_key(again)
    assert len({review.review_key(played) for played in (one, two, other)}) == 3
    seat = FOURTEEN.to_act(again.state)[0]
    again.answer(seat, FOURTEEN.legal(again.state, seat)[0], "play")
    assert review.review_key(one) != review.review_key(again)


# One decision


def decision_task(given: str = "H7", question: str = "play", **more: Any) -> review.DecisionTask:
    """Return a decision of seat 0 in crystals, with ♦2, ♥7 or ♠4 to lead."""
    state = position("crystals", 3, hands={0: "D2 H7 S4", 1: "H9 C1", 2: "S5 C6"}, question=question, **more)
    row = bot_view(CRYSTALS, state, 0).row.tobytes()
    return review.DecisionTask("crystals", 12, 0, 2, card(given), row, state.tobytes(), 99)


def hint_of(tied: dict[str, bool]) -> hints.Hint:
    """Return a hint with these cards, best first, and these ties."""
    choices = [
        hints.HintChoice((name,), EMPTY_MESSAGE, 0.0, 0.0, 0.0, 0.0, is_tied, ()) for name, is_tied in tied.items()
    ]
    return hints.Hint("play", "points", tuple(choices), 100, EMPTY_MESSAGE)


class FakeJudgement:
    """Replaces the search result and the successive evaluations of a judgement. Nothing is compiled."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, found: list[int], *weighed: hints.CandidateValues) -> None:
        self.looks: list[tuple[list[int], int, bytes, int, bool, int]] = []

        def decide(
            view: Any, me: int, effort: SearchParams, numbers: Any, given: int, bits: Any, mind: Any, *fill: Any
        ) -> Any:
            self.searched = bits
            candidates, worth, tried = fill
            candidates[: len(found)], worth[: len(found)], tried[: len(found)] = found, 0.0, 1
            return len(found), 0, found[0]

        def on_scales(
            view: Any, me: int, effort: SearchParams, candidates: Any, plan: int, numbers: Any, known: bool, bits: Any,
            most: int, mind: Any, counts: Any,
        ) -> Any:  # fmt: skip
            scales = weighed[len(self.looks)]
            self.looks.append((candidates.tolist(), plan, view[0].tobytes(), int(bits), known, most))
            counts[:] = scales.counts
            return scales.values, scales.points

        for game in (CRYSTALS, MINES):
            judge.compiled_judge(game)
        plainly = {game.name: judge.compiled_judge(game).py_func for game in (CRYSTALS, MINES)}  # type: ignore[attr-defined]
        monkeypatch.setattr(judge, "compiled_judge", lambda game: plainly[game.name])
        monkeypatch.setattr(search, "decide", decide)
        monkeypatch.setattr(judge, "evaluate_candidates", on_scales)
        monkeypatch.setattr(world_sampling, "check_view", lambda *row: None)  # the rows are made up
        monkeypatch.setattr(hints, "hint", lambda view: hint_of({"S4": False}))


S4, H7, D2 = card("S4"), card("H7"), card("D2")
HABIT_EVALUATION = evaluation([D2, H7], [9.0, 9.0], 0.0, [2.0, 5.0])
TRUE_EVALUATION, RECHECK_EVALUATION = evaluation([S4, D2, H7], [3.0, 7.0, 1.0]), evaluation([D2, H7], [6.0, 4.5], 0.5)


@pytest.mark.parametrize(("glance", "longer", "marked"), [
    ((0.1, 0.01), None, False),  # certainly immaterial
    ((0.2, 0.05), (1.0, 0.1), True),  # maybe material
    ((1.0, 0.1), (0.2, 0.01), False),  # certain, immaterial
    ((1.0, 0.1), (1.0, 0.5), False),  # material, uncertain
    ((1.0, 0.1), (1.0, 0.3), True),
    ((-0.5, 0.1), None, False),  # better than the best
])  # fmt: skip
def test_decision_is_marked_for_a_certain_material_mistake_only(glance, longer, marked, monkeypatch):
    first = evaluation([S4, H7], [5.0, 5.0 - glance[0]], glance[1])
    second = evaluation([S4, H7], [5.0, 5.0 - (longer or glance)[0]], (longer or glance)[1], [4.0, 3.75])
    evaluations = [first, *([second] if longer else []), HABIT_EVALUATION, TRUE_EVALUATION, RECHECK_EVALUATION]
    scene = FakeJudgement(monkeypatch, [S4, D2, H7], *evaluations)
    one = decision_task()
    judged = review.judge(one)
    assert judged is not None
    pairs = [(look[0], look[5]) for look in scene.looks]
    assert pairs[:1] == [([S4, H7], review.JUDGE_PARAMS.quick_worlds)]
    assert pairs[1 : -3 if marked else -1] == ([([S4, H7], review.JUDGE_PARAMS.full_worlds)] if longer else [])
    bits = [look[3] for look in scene.looks]
    assert len({int(scene.searched), *bits}) == len(bits) + 1, "the worlds that chose an answer also measured it"
    seen = [look[2] for look in scene.looks if not look[4]]
    assert set(seen) == {one.row}, "a decision was judged with hidden cards"
    assert judged.marked == marked
    assert (judged.cost, judged.cost_error) == pytest.approx(longer or glance)
    assert (translate(*judged.text), translate(*judged.best)) == ("♥7", "♠4")
    assert (judged.n, judged.seat, judged.deal) == (12, 0, 2)
    assert judged.points == pytest.approx(0.25 if longer else glance[0]), "expected costs without the value of winning"
    assert (judged.hindsight is not None) == marked


def test_best_answer_costs_nothing_and_is_rechecked_against_the_default(monkeypatch):
    scene = FakeJudgement(monkeypatch, [H7, S4], HABIT_EVALUATION)
    judged = review.judge(decision_task())
    assert (judged.cost, judged.cost_error, judged.points, judged.marked) == (0.0, 0.0, 0.0, False)
    assert len(scene.looks) == 1


def test_reasons_of_a_mistake_speak_for_the_best_answer(monkeypatch):
    glance, longer = evaluation([S4, H7], [5.0, 2.0]), evaluation([S4, H7], [5.0, 2.0])
    longer.counts[0, playouts.COL_MOST_OF_SUIT + cards.SPADES] = 0.9
    FakeJudgement(monkeypatch, [S4, D2, H7], glance, longer, HABIT_EVALUATION, TRUE_EVALUATION, RECHECK_EVALUATION)
    judged = review.judge(decision_task(tricks=[1, 0, 0]))
    assert "helps you take the most ♠ this round" in [translate(*why) for why in judged.reasons]


@pytest.mark.parametrize(("reason", "said"), [
    ("leaves", "leaves"),
    ("absent", "most"),  # does not hold compared with the card played
])  # fmt: skip
def test_review_gives_the_reason_of_a_hint_for_the_same_answer(reason, said, monkeypatch):
    from diamonds.bots.analysis import reason_text

    for_side = {FOR: [Message("most"), Message("leaves")], CONTRAST: [Message("fault")]}
    monkeypatch.setattr(reason_text, "reason_messages", lambda *compared: for_side[compared[-1]])
    glance = evaluation([S4, H7], [5.0, 2.0])
    FakeJudgement(monkeypatch, [S4, D2, H7], glance, glance, HABIT_EVALUATION, TRUE_EVALUATION, RECHECK_EVALUATION)
    hint = hint_of({"S4": False, "D2": True})
    first = hint.choices[0]._replace(reasons=(Message("other"), Message(reason)))
    monkeypatch.setattr(hints, "hint", lambda view: hint._replace(choices=(first, *hint.choices[1:])))
    judged = review.judge(decision_task())
    assert (judged.best_answers, [one.id for one in judged.reasons]) == (("S4",), [said, "fault"])


@pytest.mark.parametrize(
    ("tied", "as_good"),
    [
        ({"S4": False, "D2": True, "H7": False}, ["D2"]),
        ({"S4": False, "D2": False}, []),
        ({"D2": False, "S4": True, "H7": True}, []),  # a hint calls it as good
    ],
)
def test_mistake_tells_which_other_answers_are_as_good_as_the_best(tied, as_good, monkeypatch):
    glance = evaluation([S4, H7], [5.0, 2.0])
    FakeJudgement(monkeypatch, [S4, D2, H7], glance, glance, HABIT_EVALUATION, TRUE_EVALUATION, RECHECK_EVALUATION)
    monkeypatch.setattr(hints, "hint", lambda view: hint_of(tied))
    judged = review.judge(decision_task())
    assert (judged.answers, judged.best_answers) == (("H7",), ("S4",))
    assert set(judged.legal) == {"D2", "H7", "S4"}
    assert judged.as_good_answers == tuple((name,) for name in as_good)
    assert judged.marked == (not tied.get("H7"))


@pytest.mark.parametrize(("choices", "has_reason", "named", "as_good"), [
    ({"D2": False}, True, "D2", []),
    ({"D2": False, "S4": False}, True, "D2", []),
    ({"D2": False, "S4": True}, True, "D2", ["S4"]),
    ({"D2": False, "S4": True}, False, "S4", ["D2"]),
    ({"D2": False, "S4": False}, False, "D2", []),
])  # fmt: skip
def test_review_names_the_answer_that_a_hint_recommends(choices, has_reason, named, as_good, monkeypatch):
    """The search prefers ♠4 to ♥7; the hint prefers ♦2 to both, or calls ♠4 as good, or does not list it."""
    glance, why = evaluation([S4, H7], [5.0, 2.0]), (Message("hint-void", {"suit": "D"}),)
    FakeJudgement(monkeypatch, [S4, D2, H7], glance, glance, HABIT_EVALUATION, TRUE_EVALUATION, RECHECK_EVALUATION)
    said = hint_of(choices)
    first = said.choices[0]._replace(reasons=why * has_reason)
    monkeypatch.setattr(hints, "hint", lambda view: said._replace(choices=(first, *said.choices[1:])))
    judged = review.judge(decision_task())
    assert (judged.best_answers, judged.cost) == ((named,), 3.0)
    assert (judged.reasons == why) == has_reason, "expected the reason of the hint if it has one"
    assert judged.as_good_answers == tuple((name,) for name in as_good)


def test_skill_is_the_gain_over_the_heuristic_answer(monkeypatch):
    """The expected value of the cards is the result of the heuristic answer; in mines, as a chance."""
    one = decision_task()
    row = np.frombuffer(bytearray(one.row), CRYSTALS.dtype)[0]
    state = position("mines", 2)
    answers = list(cards.iter_bits(int(MINES.rules.legal(state, 0))))
    dig = one._replace(
        game="mines", candidate=answers[-1], row=bot_view(MINES, state, 0).row.tobytes(), true_state=state.tobytes()
    )
    for game, asked, found, promised in ((CRYSTALS, one, [H7, S4], 2.0), (MINES, dig, answers[::-1], 52.0)):
        with monkeypatch.context() as patched:
            scene = FakeJudgement(patched, found, HABIT_EVALUATION)
            judged = review.judge(asked)
        assert (judged.value, judged.skill, judged.skill_error) == (promised, 3.0, 0.0)
        view = row if game is CRYSTALS else bot_view(MINES, state, 0).row
        habit = int(games.adapter_for(game).heuristic_answer(view, 0, NO_PLAN))
        assert [(*look[:2], look[5]) for look in scene.looks] == [
            ([habit, asked.candidate], NO_PLAN, review.JUDGE_PARAMS.quick_worlds)
        ]


def test_c9_heuristic_passes_a_whole_set():
    hand = "D2 D9 H3 H7 H8 S4 S9 C1 C5 C9"
    state = position("crystals", 3, hands={0: hand, 1: "H9", 2: "S5"}, question="pass", passing=3, to_act=[0])
    row = bot_view(CRYSTALS, state, 0).row
    habit = games.adapter_for(CRYSTALS).default_candidate(fields.copy_state(row), 0, NO_PLAN)
    for _ in range(3):
        CRYSTALS.rules.step(state, 0, int(games.adapter_for(CRYSTALS).heuristic_answer(state, 0, NO_PLAN)), None)
    assert cards.count(int(habit)) == 3
    assert habit == state["chosen"][0] or habit == state["given"][0]


def test_hindsight_selects_on_half_the_worlds_and_measures_on_the_rest(monkeypatch):
    glance = evaluation([S4, H7], [5.0, 2.0])
    scene = FakeJudgement(
        monkeypatch, [S4, D2, H7], glance, glance, HABIT_EVALUATION, TRUE_EVALUATION, RECHECK_EVALUATION
    )
    one = decision_task()
    judged = review.judge(one)
    assert judged is not None
    chosen, measured = scene.looks[-2:]
    assert (chosen[0], measured[0]) == ([S4, D2, H7], [D2, H7])
    for look in (chosen, measured):
        assert (look[2], look[4], look[5]) == (one.true_state, True, review.JUDGE_PARAMS.true_deal_playouts), (
            "hindsight must differ from the judgement of known cards"
        )
    assert chosen[3] != measured[3], "the same playouts chose and measured the answer"
    better = Message("hint-cards", {"cards": ["D2"]})
    assert judged.hindsight == (better, pytest.approx(1.5), pytest.approx(0.5))


def test_c9_hindsight_rechecks_the_ten_best_sets_and_the_passed_one():
    """Ordered by worlds spent, then by value; among equals the first."""
    candidates, tried = np.arange(100, 114), np.array([4, 8, 8, 2, 8, 4, 4, 4, 4, 4, 4, 4, 4, 1])
    worth = np.array([0.0, 1.0, 3.0, 9.0, 2.0, *[0.5] * 8, 9.0])
    assert judge.keep_best(candidates, worth, tried) == 10
    assert candidates[:10].tolist() == [102, 104, 101, 105, 106, 107, 108, 109, 110, 111]


def test_entry_without_an_answer_does_not_count_as_a_decision(monkeypatch):
    monkeypatch.setattr(world_sampling, "check_view", lambda *row: None)  # the row is made up
    one = decision_task()
    with pytest.raises(ValueError, match="is not a candidate"):
        review.judge(one._replace(candidate=card("C9")))


# The account


def decision(seat: int, deal: int, **more: float) -> review.JudgedDecision:
    numbers = {"points": 0.0, "value": 0.0, "skill": 0.0, "skill_error": 0.0, "marked": 0, **more}
    return review.JudgedDecision(
        n=0, seat=seat, deal=deal, question="play", answers=(), best_answers=(), legal=(), as_good_answers=(), text=EMPTY_MESSAGE, best=EMPTY_MESSAGE, cost=100.0, cost_error=0.0,
        marked=bool(numbers["marked"]), reasons=(), hindsight=None, points=numbers["points"], value=numbers["value"],
        skill=numbers["skill"], skill_error=numbers["skill_error"],
    )  # fmt: skip


def test_account_sums_a_players_decisions_by_deal():
    """The cards' share is the expected gain at the first decision of a deal since its start; luck is the rest."""
    work = review.ReviewPlan("fourteen", (1, 0), (), (), ((0.0, 1.0), (3.0, -2.0), (5.0, -4.0), (9.0, -9.0)))
    decisions = [
        decision(1, 1, value=2.0, skill=0.5, points=0.25, skill_error=3.0, marked=1),
        decision(1, 1, value=7.0, skill=-0.25, points=0.5, skill_error=4.0),
        decision(0, 1, value=50.0, skill=50.0, points=50.0, skill_error=50.0, marked=1),
        None,
        decision(1, 2, value=-1.0, skill=1.0, points=2.0, marked=1),
    ]
    made = review.assemble_review(work, decisions, [])
    own, other = made.results
    assert own.rounds == (
        review.DealBreakdown(1.0, 1.0, -4.25, 0.25, 0.75, -2.0),
        review.DealBreakdown(-2.0, 1.0, -4.0, 1.0, 2.0, -4.0),
        review.DealBreakdown(-4.0, 0.0, -5.0, 0.0, 0.0, -9.0),
    )
    assert own._replace(rounds=()) == review.ResultBreakdown(1, 1.0, 2.0, -13.25, 1.25, 5.0, 2.75, -9.0, 3, 2, ())
    assert (other.seat, other.start, other.result, other.skill) == (0, 0.0, 9.0, 50.0)
    assert (other.decisions, other.marked) == (1, 1)
    assert len(made.decisions) == 4
    assert (made.unit, made.material_difference) == ("points", games.adapter_for(FOURTEEN).material_difference)


def test_mines_margin_is_half_at_the_start_and_one_or_zero_at_the_end():
    state = position("mines", 2)
    assert [review.margin(MINES, state, seat) for seat in (0, 1)] == [50.0, 50.0]
    state["over"], state["winner"] = 1, 1
    assert [review.margin(MINES, state, seat) for seat in (0, 1)] == [0.0, 100.0]
    state["winner"] = -1
    assert [review.margin(MINES, state, seat) for seat in (0, 1)] == [50.0, 50.0]


def test_in_a_game_that_is_over_the_margin_is_in_points_alone():
    state = position("fourteen", 3, hands={}, totals=[9, 5, 1], over=1, to_act=[])
    assert [review.margin(FOURTEEN, state, seat) for seat in range(3)] == [6.0, 0.0, -6.0]


def test_substitutes_answers_are_not_the_players_decisions():
    played = play_between_bots("mines", 2, {}, ("simple", "random"), 3)
    own = [task.n for task in review.plan(played).decision_tasks]
    first = own[0]
    played.entries[first] += " by simple"
    assert [task.n for task in review.plan(played).decision_tasks] == own[1:], f"Answer {first} was a bot's."
