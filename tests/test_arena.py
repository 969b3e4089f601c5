"""The arena: duplicate deals are fair, repeatable and exact, and its statistics are correct."""

from collections.abc import Callable
from fractions import Fraction
from functools import partial

import numpy as np
import pytest

from diamonds.bots.bot import BotView, bot_view
from diamonds.bots.levels import BOTS, find_bot, find_level
from diamonds.errors import DiamondsError
from diamonds.game import GAMES
from diamonds.lab import arena
from diamonds.lab.arena import BlockResult, MatchSetup, estimate, is_sprt_decided, play_block, run_match, summarize
from tests.support.positions import position, set_fields

pytestmark = pytest.mark.later


@pytest.mark.parametrize(("game", "seats", "options"), [
    ("crystals", 4, {}),
    ("crystals", 6, {"partnership": True, "rounds": 2}),
    ("fourteen", 5, {"scoring": "bid", "target": 10}),
    ("mines", 2, {}),
])  # fmt: skip
def test_equal_deterministic_bots_get_a_margin_of_exactly_zero(game, seats, options):
    match = MatchSetup(game, ("simple",) * seats, options, seed=3)
    for number in range(2):
        block = play_block(arena.check_match(match), number)
        assert block.margin == (0.0,) * seats, "expected every seat's cards to be played equally often"
        assert block.place == ((seats + 1) / 2,) * seats
        assert set(block.share) == {
            1 / (2 if options.get("partnership") and seats == 4 else 3 if seats == 6 else seats)
        }


def test_results_do_not_depend_on_the_number_of_processes():
    match = MatchSetup("fourteen", ("simple", "random", "simple"), {"target": 5}, seed=5)
    alone, blocks = run_match(match, 4, processes=1)
    together, others = run_match(match, 4, processes=2)
    for field in ("margin", "place", "share", "orders"):
        assert [getattr(b, field) for b in blocks] == [getattr(b, field) for b in others], f"{field} differs"
    assert [line.margin for line in alone.lines] == [line.margin for line in together.lines]


class NotingBot:
    """A bot that plays like `simple` and lets a function record each of its questions."""

    def __init__(self, note: Callable[[BotView, str, np.random.Generator], None]) -> None:
        self.note = note

    def choose(self, view: BotView, question: str, rng: np.random.Generator) -> int:
        self.note(view, question, rng)
        return BOTS["simple"].choose(view, question, rng)


def test_field_bots_play_every_seat_of_the_same_cards(monkeypatch):
    """A block has one game for each rotation, all with the same cut and decks."""
    seen: dict[str, set[tuple[int, bytes]]] = {"noting a": set(), "noting b": set()}

    def note_first_hand(name, view, question, rng):
        if question == "count" and view.row["round"] == 1:
            seen[name].add((view.seat, view.row["hand"].tobytes()))

    for name in seen:
        monkeypatch.setitem(BOTS, name, NotingBot(partial(note_first_hand, name)))
    play_block(arena.check_match(MatchSetup("crystals", ("noting a", "noting b", "noting b"), {}, 1)), 2)
    assert len(seen["noting a"]) == 1, "expected the same dealer's cards of the first round in every rotation"
    assert seen["noting a"] == seen["noting b"], "expected the bots to exchange cards"


def test_interval_is_the_mean_and_two_standard_errors_of_blocks():
    found = estimate([1.0, 2.0, 3.0, 4.0])
    assert found.mean == 2.5
    assert found.plus_minus == pytest.approx(1.96 * np.std([1, 2, 3, 4], ddof=1) / 2)
    assert str(found) == "+2.50 ± 1.27"


def test_sequential_test_errs_seldom_and_stops_early():
    """With a true margin of 0 or of the gain, the test decides wrongly in about 5 of 100 cases."""
    rng = np.random.default_rng(1)
    for truth in (0.0, 0.5):
        wrong, used = 0, []
        for _ in range(120):
            values: list[float] = []
            while not is_sprt_decided(values, 0.5):
                values.append(float(rng.normal(truth, 1.8)))
                assert len(values) < 3000, "expected the test to end"
            used.append(len(values))
            wrong += (np.mean(values) > 0.25) != (truth > 0.25)
        assert wrong <= 12, f"{wrong} of 120 wrong at a mean of {truth}"
        assert np.median(used) < 150


def test_result_lines_are_means_over_the_seats_of_a_bot():
    blocks = [
        BlockResult((3.0, -1.0, -2.0), (1.0, 2.0, 3.0), (1.0, 0.0, 0.0), (), ((0.001, 0.003), (0.0,), (0.002,))),
        BlockResult((1.0, 0.0, -1.0), (2.0, 1.0, 3.0), (0.0, 1.0, 0.0), (), ((0.002,), (0.0,), (0.002,))),
    ]
    result = summarize(MatchSetup("crystals", ("5", "simple", "simple")), blocks, 1.0)
    best, simple = result.bot_result("5"), result.bot_result("simple")
    assert (best.margin.mean, best.place.mean, best.share.mean) == (2.0, 1.5, 0.5)
    assert (simple.margin.mean, simple.share.mean) == (-1.0, 0.25)
    assert best.expected_share == pytest.approx(1 / 3)
    assert best.cpu_median_ms == pytest.approx(2.0)


def test_c21_margin_is_measured_against_rival_teams_without_the_partner():
    """Two teams of two: a seat's margin is its team's score minus the rivals', whatever its partner scores."""
    state = position("crystals", 4, {"partnership": True}, vault=[3, 1, 3, 1], showroom=[1, 0, 1, 0])
    scores = [int(GAMES["crystals"].rules.score(state, seat)) for seat in range(4)]
    assert scores[0] == scores[2] != scores[1] == scores[3], "expected a position with different scores"
    assert arena.score_margins(GAMES["crystals"], state) == [scores[seat] - scores[1 - seat % 2] for seat in range(4)]
    alone = position("crystals", 3, vault=[3, 1, 0])
    scores = [int(GAMES["crystals"].rules.score(alone, seat)) for seat in range(3)]
    assert arena.score_margins(GAMES["crystals"], alone)[0] == scores[0] - Fraction(scores[1] + scores[2], 2)


def test_m11_in_mines_a_win_is_one_and_a_loss_minus_one():
    for winner, wanted in ((0, [1, -1]), (1, [-1, 1]), (-1, [0, 0])):
        assert arena.score_margins(GAMES["mines"], set_fields(position("mines", 2), winner=winner)) == wanted


def test_teams_share_fairly_and_bot_time_has_median_and_maximum():
    match = MatchSetup("crystals", ("5", "simple", "5", "simple"), {"partnership": True})
    quick, slow = tuple(k / 1000 for k in range(1, 101)), tuple(k / 1000 for k in range(101, 201))
    block = BlockResult(
        (1.0, -1.0, 1.0, -1.0), (1.5, 3.5, 1.5, 3.5), (1.0, 0.0, 1.0, 0.0), (), (quick, (0.0,), slow, (0.0,))
    )
    line = summarize(match, [block, block], 1.0).bot_result("5")
    assert line.expected_share == 0.5
    assert (line.cpu_median_ms, line.cpu_p95_ms) == (pytest.approx(100.5), pytest.approx(190.05))


def test_place_counts_better_bots_not_better_seats(monkeypatch):
    """In each game of a block the seats finish in the same order while the bots rotate."""
    state = position("fourteen", 3, hands={}, totals=[9, 5, 1], over=1, to_act=[])
    monkeypatch.setattr(arena, "play_game", lambda *_: (state, [[0.0]] * 3))
    block = play_block(arena.check_match(MatchSetup("fourteen", ("simple", "random", "random"))), 0)
    assert sorted(block.orders) == [(0, 1, 2), (1, 2, 0), (2, 0, 1)]
    for betters, where in zip(block.orders, [(0, 1, 2), (2, 0, 1), (1, 2, 0)], strict=True):
        assert betters == where, "expected entry k in seat k of the first game, and one seat further in each next game"
    assert block.place == (2.0, 2.0, 2.0)


def test_shared_victory_is_split_and_tied_places_are_averaged(monkeypatch):
    state = position("fourteen", 3, hands={}, totals=[7, 7, 1], over=1, to_act=[])
    monkeypatch.setattr(arena, "play_game", lambda *_: (state, [[0.0]] * 3))
    block = play_block(arena.check_match(MatchSetup("fourteen", ("simple", "random", "random"))), 0)
    assert block.share == pytest.approx((1 / 3,) * 3), "expected the shares of a victory to add up to one"
    assert block.place == (2.0,) * 3, "expected places 1½, 1½ and 3"


def test_bot_random_numbers_differ_by_decision_block_and_field_place(monkeypatch):
    """Random numbers do not depend on the seat, so a match can be repeated with one bot exchanged."""
    drawn: dict[str, list[int]] = {"noting a": [], "noting b": []}
    for name, numbers in drawn.items():
        note = NotingBot(lambda view, question, rng, to=numbers: to.append(int(rng.integers(2**60))))
        monkeypatch.setitem(BOTS, name, note)
    match = arena.check_match(MatchSetup("fourteen", ("noting a", "noting b", "simple"), {"target": 5}, 1))
    blocks = []
    for number in (0, 1, 0):
        play_block(match, number)
        blocks.append({name: set(numbers) for name, numbers in drawn.items()})
        for numbers in drawn.values():
            numbers.clear()
    assert blocks[0] == blocks[2]
    assert all(len(numbers) > 10 for numbers in blocks[0].values())
    for name, numbers in blocks[0].items():
        assert not numbers & blocks[1][name], "two blocks had the same random numbers"
    assert not blocks[0]["noting a"] & blocks[0]["noting b"], "two places of the field had the same random numbers"


def test_sequential_match_ends_when_decided_and_counts_every_block(monkeypatch):
    asked: list[list[float]] = []

    def after_five(values: list[float], gain: float) -> bool:
        asked.append(values)
        return len(values) == 5 and gain == 0.5

    monkeypatch.setattr(arena, "is_sprt_decided", after_five)
    told: list[tuple[int, int]] = []
    match = MatchSetup("mines", ("simple", "random"), {}, 9)
    result, blocks = run_match(match, 9, gain=0.5, processes=1, progress=lambda *done: told.append(done))
    assert (len(blocks), result.blocks, result.games) == (5, 5, 10)
    assert asked[-1] == [block.margin[0] for block in blocks]
    assert asked[-1] != [block.margin[1] for block in blocks], "expected another result with this seed"
    assert told == [(k, 9) for k in range(1, 6)]


def test_block_is_won_over_all_its_games_and_a_tie_counts_half():
    """Each line states its share of blocks won. Of three blocks one is won, one lost, and one equal up to rounding."""
    times = ((0.0,),) * 3
    blocks = [
        BlockResult(margin, (2.0, 2.0, 2.0), (0.0, 0.5, 0.5), (), times)
        for margin in ((0.5, 1.0, -1.5), (-4.0, 3.0, 1.0), (0.1 + 0.2 - 0.3, 0.5, -0.5))
    ]
    result = summarize(MatchSetup("crystals", ("5", "simple", "simple")), blocks, 1.0)
    assert result.bot_result("5").blocks_won == estimate([1.0, 0.0, 0.5])
    assert result.bot_result("simple").blocks_won == estimate([0.0, 1.0, 0.5])
    alike = summarize(MatchSetup("crystals", ("simple",) * 3), blocks, 1.0)
    assert alike.bot_result("simple").blocks_won.mean == 0.5, "expected half of every block without rivals"


def test_careless_bot_uses_heuristics_except_for_three_in_ten_answers():
    game = GAMES["crystals"]
    state = position("crystals", 4)
    view, question = bot_view(game, state, 0), game.question(state).name
    usual = BOTS["simple"].choose(view, question, np.random.default_rng(0))
    bot, rng = find_bot("careless"), np.random.default_rng(3)
    others = sum(bot.choose(view, question, rng) != usual for _ in range(1000))
    astray = 300 * (1 - 1 / view.legal.bit_count())
    assert abs(others - astray) < 60, f"{others} of 1000 answers differ from the heuristic; {astray:.0f} expected"
    with pytest.raises(DiamondsError):
        find_level("careless", game)
