"""The search: strong answers, no effort on equivalent candidates, reproducible levels and bounded errors."""

from collections import Counter
from collections.abc import Iterator

import numpy as np
import pytest

from diamonds import cards, fields, jit
from diamonds.bots import games, kernels, levels
from diamonds.bots.bot import bot_view
from diamonds.bots.games.adapter import (
    COUNT_COLUMNS,
    HALVING_THRESHOLD,
    MAX_CANDIDATES,
    NO_PLAN,
    JudgeParams,
    SearchParams,
    SearchResult,
)
from diamonds.bots.games.fourteen import playouts
from diamonds.bots.levels import BOTS
from diamonds.bots.search import judge, search
from diamonds.bots.search.compiled_adapter import compiled_adapter
from diamonds.game import GAMES, Game
from diamonds.lab import arena
from tests.support.positions import play_answers, position
from tests.support.random_games import ONE_PER_KIND, new_random_game, play_random, possible_questions

pytestmark = pytest.mark.kernels

CRYSTALS = GAMES["crystals"]


def card(name: str) -> int:
    """Return the number of a card of crystals."""
    return CRYSTALS.card_names.index(name)


def position_at_question(game: Game, seats: int, options: dict, question: str, seed: int) -> tuple[np.void, int]:
    """Return a position of a random game with this open question, and the seat to act."""
    rng = np.random.default_rng(seed)
    while True:
        state = new_random_game(game, seats, options, rng)
        for seat in play_random(game, state, rng):
            if game.question(state).name == question and rng.random() < 0.3:
                return state, seat
            game.rules.step(state, seat, int(rng.choice(list(cards.iter_bits(game.rules.legal(state, seat))))), None)


@pytest.mark.parametrize(("name", "seats", "options"), ONE_PER_KIND)
def test_levels_answer_legally_and_reproducibly(name, seats, options):
    game = GAMES[name]
    kernels.load(game)
    for question in sorted(possible_questions(name, seats, options)):
        state, seat = position_at_question(game, seats, options, question, 4)
        for level in ("1", "3", "4"):
            seen = bot_view(game, state, seat)
            before = seen.row.tobytes()
            answers = [BOTS[level].choose(seen, question, np.random.default_rng(7)) for _ in range(2)]
            assert answers[0] == answers[1], f"level {level} is not reproducible"
            assert seen.legal >> answers[0] & 1, f"level {level} answers {answers[0]} to {question}"
            assert seen.row.tobytes() == before, "the view was changed"


def candidate_names(state: np.void) -> list[str]:
    """Return the cards that the search tries for seat 0."""
    row = bot_view(CRYSTALS, state, 0).row
    return [CRYSTALS.card_names[number] for number in search.candidates_of(CRYSTALS, row, 0)]


def test_c20_search_avoids_the_last_trick_to_end_without_one():
    """With two cards left, winning the led ♥ pays one point but loses the two ♦ actions, worth four (C15, C16, C20)."""
    pack = [CRYSTALS.card_names[number] for number in CRYSTALS.pack_for(3, {"perfect": True})]
    gone = [name for name in pack if name not in ("H1", "H9", "S2", "S3", "H5", "H6")]
    played = [" ".join(some) for some in (gone[:10], [*gone[10:20], "H5"], [*gone[20:30], "H6"])]
    state = position(
        "crystals", 3, {"perfect": True}, hands={0: "H1 H9", 1: "S2", 2: "S3"}, trick="H5 H6", leader=1, round=6,
        played=played, tricks=[0, 5, 5], taken={1: [5, 4, 3, 3], 2: [2, 3, 5, 5]},
    )  # fmt: skip
    found = search.search(CRYSTALS, bot_view(CRYSTALS, state, 0).row, 0, SearchParams(max_worlds=64), 1)
    assert found.candidates == [card("H1"), card("H9")]
    assert found.best_index == 0, "expected to leave the trick and keep the reward for none"
    assert found.values[0] > found.values[1] + 2


def test_equivalent_cards_are_tried_once():
    """Cards adjacent in hand, or with only played cards between, are one candidate; an unseen card separates them."""
    hands = {0: "H2 H3 H5 H7 H8 S1 S2 C9"}
    state = position("crystals", 3, hands=hands, played={1: "H4"})
    assert candidate_names(state) == ["H2", "H7", "S1", "C9"]
    state = position("crystals", 3, hands=hands, played={1: "H4"}, trick="H4", leader=1, to_act=[0])
    assert candidate_names(state) == ["H2", "H5", "H7"], "♥4 is on the table"


def test_cards_across_suits_or_gaps_are_not_equivalent():
    """♦15 and ♥1 are adjacent only by number. ♠4 was passed on, and separates cards from another hand (C10)."""
    state = position("crystals", 3, hands={0: "D15 H1 S3 S5 S6", 1: "S4"}, given=["S4"])
    assert candidate_names(state) == ["D15", "H1", "S3", "S5"]


def test_c9_sets_to_pass_are_compared_as_sets():
    """At first all sets of three from ten cards, then the sets that extend the named cards in ascending order."""
    state, seat = position_at_question(CRYSTALS, 4, {}, "count", 1)
    CRYSTALS.rules.step(state, seat, 3, None)
    row = bot_view(CRYSTALS, state, seat).row
    assert len(search.candidates_of(CRYSTALS, row, seat)) == 120
    mine = list(cards.iter_bits(state["hand"][seat]))
    CRYSTALS.rules.step(state, seat, mine[2], None)
    sets = search.candidates_of(CRYSTALS, bot_view(CRYSTALS, state, seat).row, seat)
    assert len(sets) == 7 * 6 // 2
    assert all(s >> mine[2] & 1 and not s & ((1 << mine[2]) - 1) for s in sets)


def test_search_is_reproducible_and_adds_worlds_only_when_close():
    state, seat = position_at_question(GAMES["fourteen"], 4, {}, "play", 3)
    row = bot_view(GAMES["fourteen"], state, seat).row
    one, two = (search.search(GAMES["fourteen"], row, seat, SearchParams(max_worlds=500), 5) for _ in range(2))
    assert one == two
    assert max(one.worlds) == one.worlds[one.best_index], "expected most worlds for the best candidate"
    assert min(one.worlds) < 500 or max(one.worlds) < 500, "expected fewer worlds in clear decisions"


def test_search_keeps_the_default_answer_unless_clearly_worse():
    """The heuristics have two plans until a trick is won. A candidate's value is that of its better plan."""
    positions = 0
    for seed in range(60):
        state, seat = position_at_question(CRYSTALS, 4, {}, "play", seed)
        row = bot_view(CRYSTALS, state, seat).row
        candidates = search.candidates_of(CRYSTALS, row, seat)
        habit = int(games.adapter_for(CRYSTALS).heuristic_answer(row, seat, NO_PLAN))
        effort = SearchParams(
            max_worlds=48, initial_worlds=10_000, horizon=2, solve_endgame=False
        )  # no candidate is dropped
        if (
            len(candidates) < 4
            or habit not in candidates
            or cards.count(games.adapter_for(CRYSTALS).plans(row, seat, effort)) < 2
        ):
            continue
        positions += 1
        free = search.search(CRYSTALS, row, seat, effort, seed)
        assert free.worlds == [48] * len(candidates)
        assert free.values[free.best_index] == max(free.values)
        one = [search.search(CRYSTALS, row, seat, effort._replace(plans=1 << plan), seed).values for plan in (0, 1)]
        assert free.values == pytest.approx([max(worths) for worths in zip(*one, strict=True)]), "expected every plan"
        bound = search.search(CRYSTALS, row, seat, effort._replace(default_std_errors=1e9), seed)
        assert bound.best_index == candidates.index(habit), "expected the usual answer without a reason to leave it"
        if positions == 12:
            break
    assert positions == 12


def test_candidates_are_dropped_only_without_doubt():
    game = GAMES["fourteen"]
    for seed in range(60):
        state, seat = position_at_question(game, 4, {}, "play", seed)
        row = bot_view(game, state, seat).row
        candidates = search.candidates_of(game, row, seat)
        if 3 <= len(candidates) <= HALVING_THRESHOLD and cards.count(int(state["hand"][seat])) > 6:
            break
    effort = SearchParams(max_worlds=64, initial_worlds=8, solve_endgame=False)
    doubting = search.compare_candidates(game, row, seat, candidates, effort._replace(drop_std_errors=1e9), 3)
    assert doubting.worlds.count(64) > 1, "expected only candidates equal in every world to be dropped"
    sure = search.compare_candidates(game, row, seat, candidates, effort._replace(drop_std_errors=0.0), 3)
    assert max(sure.worlds) == 8


@pytest.mark.slow
@pytest.mark.parametrize(("name", "seats", "options", "blocks"), [
    ("crystals", 3, {}, 8),
    ("crystals", 4, {"partnership": True}, 6),
    ("fourteen", 4, {}, 4),
    ("fourteen", 3, {"scoring": "bid"}, 4),
    ("mines", 2, {}, 20),
])  # fmt: skip
def test_searching_beats_the_simple_policy(name, seats, options, blocks):
    """Level 4 in one seat and its partner's, the simple policy in the others, with every deal played from every seat."""
    field = tuple("4" if (k % 2 == 0 and options.get("partnership")) or k == 0 else "simple" for k in range(seats))
    result, _ = arena.run_match(arena.MatchSetup(name, field, options, 17), blocks, processes=1)
    margin = result.bot_result("4").margin
    assert margin.mean > margin.plus_minus, f"a margin of {margin} is not clearly above 0"


def test_level_waits_for_its_kernel_and_never_plays_otherwise(monkeypatch):
    state, seat = position_at_question(CRYSTALS, 4, {}, "play", 3)
    seen = bot_view(CRYSTALS, state, seat)
    warmed: list[str] = []
    really = search.warm_up
    monkeypatch.setattr(search, "warm_up", lambda game: warmed.append(game.name) or really(game))
    monkeypatch.setattr(kernels, "_loaded", set())
    first, second = (BOTS["1"].choose(seen, "play", np.random.default_rng(0)) for _ in range(2))
    assert first == second, "a level answered before its kernel was ready"
    assert warmed == ["crystals"], "expected one load of the kernel, before the first answer"


@pytest.mark.parametrize("seed", [3, 4, 5])
def test_short_horizon_counts_this_trick_and_earlier_captures_only(seed):
    """One trick of fourteen for four moves a margin by at most 4 ♦, and an unfinished hand counts as it stands (F8)."""
    game = GAMES["fourteen"]
    state, seat = position_at_question(game, 4, {}, "play", seed)
    row = bot_view(game, state, seat).row
    points = [int(state["totals"][k] + state["taken"][k]) for k in range(4)]
    now = points[seat] - (sum(points) - points[seat]) / 3
    near = search.search(game, row, seat, SearchParams(max_worlds=64, horizon=1), 5)
    assert all(now - 4 / 3 <= worth <= now + 4 for worth in near.values), f"expected {near.values} near {now}"
    assert len(set(near.values)) > 1, "expected an effect of the trick"
    far = search.search(game, row, seat, SearchParams(max_worlds=64), 5)
    assert far.values != near.values


def test_f11_trick_game_ending_in_mid_hand_counts_every_trick_once():
    hands = {0: "HK C2", 1: "D3 C3", 2: "H2 C4"}
    state = position("fourteen", 3, {"scoring": "tricks"}, hands=hands, tricks=[2, 4, 1], totals=[27, 9, 28])
    assert playouts.value(state, 0, 6.0) == 29 - (13 + 29) / 2, "expected an unfinished hand's tricks to count"
    play_answers(state, "0 play HK", "1 play D3", "2 play H2")
    assert playouts.value(state, 0, 6.0) == 30 - (13 + 29) / 2 + 6, "expected the tricks, and a win of seat 0"
    assert playouts.value(state, 2, 6.0) == 29 - (30 + 13) / 2


def test_horizon_counts_turns_in_mines_and_ends_a_playout_there():
    game = GAMES["mines"]
    state, seat = position_at_question(game, 2, {}, "dig", 3)
    row = bot_view(game, state, seat).row
    now = (game.rules.diamonds(state, seat) - game.rules.diamonds(state, 1 - seat)) / 10
    near = search.search(game, row, seat, SearchParams(max_worlds=64, horizon=1), 5)
    assert all(abs(worth - now) <= 0.5 for worth in near.values), "two cards of a turn decided the whole game"
    assert max(near.values) > now, "expected ♦ from some digs"


@pytest.mark.parametrize(("name", "options", "question", "ahead"), [
    ("crystals", {}, "play", 0),
    ("crystals", {}, "pass", 0),
    ("fourteen", {"scoring": "bid"}, "bid", 0),
    ("mines", {}, "fight", 16),
])  # fmt: skip
def test_levels_search_to_round_end_and_the_lowest_16_turns_of_mines(name, options, question, ahead, monkeypatch):
    game, efforts, really = GAMES[name], [], search.decide_with_bits

    def spy(game: Game, view: np.void, me: int, effort: SearchParams, bits: int) -> tuple[SearchResult, int]:
        efforts.append(effort)
        return really(game, view, me, effort, bits)

    kernels.load(game)
    monkeypatch.setattr(search, "decide_with_bits", spy)
    state, seat = position_at_question(game, 2 if name == "mines" else 4, options, question, 6)
    BOTS["1"].choose(bot_view(game, state, seat), question, np.random.default_rng(1))
    assert [effort.horizon for effort in efforts] == [ahead]


def test_bots_are_listed_by_strength_with_simple_between_1_and_2():
    assert levels.available_bots() == ["random", "1", "simple", "2", "3", "4", "5"], "expected the measured order"


def preferred_counts(
    found: dict[str, float], effort: SearchParams, cut: int, seat: int = 0, times: int = 300
) -> Counter[str]:
    """Count how often noisy preferences choose each of these cards; the first is the best."""
    state, _ = position_at_question(CRYSTALS, 4, {}, "play", 3)
    state["cut"][0] = cut
    worth = np.array([*found.values()])
    with np.errstate(over="ignore"):
        felt = [
            search.noisy_best(
                state, seat, effort, compiled_adapter(CRYSTALS), jit.new_rng(seed), [card(c) for c in found], worth, 0
            )
            for seed in range(times)
        ]
    return Counter([*found][k] for k in felt)


def test_noise_is_bounded_and_confuses_close_answers_more():
    """A careless level never gives an answer that it knows to cost more than its bound."""
    effort = levels.LevelBot(levels.LEVELS[0]).search_params(CRYSTALS)._replace(suit_preference_sd=0.0)
    felt = preferred_counts({"H2": 0.0, "H9": -0.1, "H4": -0.4, "S3": -effort.max_regret - 0.01}, effort, 0)
    assert felt["H2"] > felt["H9"] > felt["H4"] > 0, "expected closer answers to be confused more often"
    assert felt["S3"] == 0, "a slip exceeded the bound"


def test_taste_is_for_a_suit_and_lasts_a_game():
    """With only tastes, a player prefers one suit throughout a game, but perhaps another in other games or seats."""
    effort = SearchParams(error_sd=1e-9, suit_preference_sd=1.0, max_regret=50.0)
    found = {"H2": 0.0, "H9": 0.0, "S3": 0.0, "D4": 0.0, "C5": 0.0}
    liked = Counter()
    for cut in range(6):
        for seat in range(4):
            felt = preferred_counts(found, effort, cut, seat, 20)
            assert len({name[0] for name in felt}) == 1, "the taste changed within a game"
            liked[next(iter(felt))[0]] += 1
    assert set(liked) == set("DHSC"), f"a suit is never preferred: {liked}"
    assert max(liked.values()) < 16, f"all prefer the same suit: {liked}"


def test_errors_are_normal_and_equal_on_every_machine():
    assert search.NORMAL_QUANTILES.mean() == pytest.approx(0, abs=1e-9)
    assert search.NORMAL_QUANTILES.std() == pytest.approx(1, abs=0.01)
    assert np.array_equal(search.NORMAL_QUANTILES, np.round(search.NORMAL_QUANTILES, 3))


def late_decisions(name: str, seats: int, options: dict, number: int) -> Iterator[tuple[np.void, int, str]]:
    """Yield states with a choice near the end of the game, which the interpreter can search."""
    game, rng = GAMES[name], np.random.default_rng(12)
    while number:
        state, questions = new_random_game(game, seats, options, rng), set()
        for seat in play_random(game, state, rng):
            question, legal = game.question(state).name, list(cards.iter_bits(int(game.rules.legal(state, seat))))
            left = int(state["left"].sum()) if name == "mines" else 3 * cards.count(int(state["hand"][seat]))
            if left <= 12 and len(legal) > 1 and question not in questions and number:
                questions.add(question)
                number -= 1
                yield fields.copy_state(state), seat, question
            game.rules.step(state, seat, int(rng.choice(legal)), None)


@pytest.mark.parametrize(
    ("name", "seats", "options"),
    [("crystals", 2, {"perfect": True}), ("crystals", 4, {}), ("fourteen", 4, {}), ("mines", 2, {})],
)
def test_decision_is_equal_interpreted_and_compiled(name, seats, options):
    game = GAMES[name]
    compiled = search.compiled_decide(game)
    for state, seat, question in late_decisions(name, seats, options, 2):
        row = bot_view(game, state, seat).row
        for level in levels.LEVELS:
            effort = levels.LevelBot(level).search_params(game)._replace(max_worlds=3, initial_worlds=1)
            found = []
            for think in (compiled, compiled.py_func):
                candidates, tried = np.zeros((2, MAX_CANDIDATES), np.int64)
                worth = np.zeros(MAX_CANDIDATES)
                with np.errstate(over="ignore"):
                    made = think(
                        jit.as_row_array(row), seat, effort, games.adapter_for(game).weights_for(row), 0, np.uint64(99), candidates, worth, tried
                    )  # fmt: skip
                number = made[0]
                found.append((*map(int, made), *(some[:number].tolist() for some in (candidates, worth, tried))))
            assert found[0] == found[1], f"level {level.name} at {question}: compiled, interpreted {found}"


@pytest.mark.parametrize(("name", "seats", "options"), [("crystals", 3, {}), ("fourteen", 4, {}), ("mines", 2, {})])
def test_judgement_is_equal_interpreted_and_compiled(name, seats, options):
    game, marked = GAMES[name], 0
    compiled, looks = judge.compiled_judge(game), JudgeParams(2, 3, 2, mistake_std_errors=0.0)
    bits = np.arange(90, 96).astype(np.uint64)
    for state, seat, question in late_decisions(name, seats, options, 60):
        row = bot_view(game, state, seat).row
        for given in search.candidates_of(game, row, seat):
            found = []
            for looked in (compiled, compiled.py_func):
                which, amounts, counts = np.zeros(3, np.int64), np.zeros(8), np.zeros((2, COUNT_COLUMNS))
                with np.errstate(over="ignore"):
                    came = looked(
                        jit.as_row_array(row), jit.as_row_array(state), seat, given, SearchParams(max_worlds=3, initial_worlds=1), looks,
                        games.adapter_for(game).weights_for(row), bits, which, amounts, counts,
                    )  # fmt: skip
                found.append((int(came), which.tolist(), amounts.tolist(), counts.tolist()))
            assert found[0] == found[1], f"{given} at {question}: {found[0]} compiled, {found[1]} interpreted"
            marked += found[0][0] == judge.MISTAKE
        if marked > 1:
            return
    raise AssertionError("expected more mistakes, which are judged in hindsight")
