"""OpenSpiel's IS-MCTS bot in the arena: its code plays by our rules and sees only its seat's view."""

import inspect
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from open_spiel.python.algorithms import ismcts as openspiel
from open_spiel.python.algorithms import mcts

from diamonds import cards, jit
from diamonds.bots import games
from diamonds.bots.bot import BotView, bot_view
from diamonds.envs import encoding
from diamonds.errors import DiamondsError
from diamonds.game import GAMES, Game
from diamonds.lab import arena, experiments, ismcts
from diamonds.lab.arena import MatchSetup
from diamonds.lab.ismcts import (
    OPENSPIEL_PLAYOUTS,
    POLICY_PLAYOUTS,
    RANDOM_PLAYOUTS,
    REWARD_MARGIN,
    REWARD_WIN,
    IsmctsBot,
    IsmctsPosition,
    IsmctsSearchContext,
    IsmctsSettings,
)
from tests.support.sample_sizes import short_or_long
from tests.test_bot_fairness import count_unfair_decisions

pytestmark = pytest.mark.kernels

TABLES = [("crystals", 4, {}), ("fourteen", 4, {"scoring": "bid", "bids": "sealed"}), ("mines", 2, {})]
UCT = dict.fromkeys(GAMES, 2.0)


def random_views(game: Game, seats: int, options: dict, number: int, seed: int) -> list[BotView]:
    """Return views of the seat to act at random moments of random games in which that seat has a choice."""
    rng, found = np.random.default_rng(seed), []
    while len(found) < number:
        state = jit.random_start(game, seats, options, rng)
        while not state["over"] and len(found) < number:
            if game.needs_deal(state):
                game.rules.deal(state, rng.permutation(game.pack(state)), None)
                continue
            seat = cards.lowest(state["to_act"])
            seen = bot_view(game, state, seat)
            if seen.legal & (seen.legal - 1) and rng.random() < 0.1:
                found.append(seen)
            game.rules.step(state, seat, int(rng.choice(list(cards.iter_bits(seen.legal)))), None)
    return found


def search_root(seen: BotView, settings: IsmctsSettings, simulations: int = 40, seed: int = 1) -> IsmctsPosition:
    return IsmctsPosition(
        IsmctsSearchContext(seen, settings, simulations, seed), jit.as_row_array(seen.row), seen.seat, seen.legal
    )


@pytest.mark.parametrize("playouts", [OPENSPIEL_PLAYOUTS, POLICY_PLAYOUTS])
@pytest.mark.parametrize(("name", "seats", "options"), TABLES)
def test_r2_openspiel_bot_answers_alike_in_indistinguishable_states(name, seats, options, playouts):
    changed, asked = count_unfair_decisions(
        IsmctsBot(IsmctsSettings(UCT, REWARD_MARGIN, False, playouts), 10), name, seats, options, 16, 21
    )
    assert changed == 0, f"{changed} of {asked.total()} answers changed when unseen cards were exchanged"
    assert len(asked) > 1


@pytest.mark.parametrize(("name", "seats", "options"), TABLES)
def test_positions_are_the_interpreted_game(name, seats, options):
    game, rng = GAMES[name], np.random.default_rng(5)
    for seen in random_views(game, seats, options, 2, 6):
        start = search_root(seen, IsmctsSettings(UCT, REWARD_WIN, True, OPENSPIEL_PLAYOUTS))
        position = start.resample_from_infostate(seen.seat, None)
        mine = np.frombuffer(bytearray(position.rows.tobytes()), game.dtype)[0]
        while not position.is_terminal():
            if position.is_chance_node():
                assert game.needs_deal(mine)
                assert position.chance_outcomes() == [(0, 1.0)]
                position.apply_action(0)
                mine = np.frombuffer(bytearray(position.rows.tobytes()), game.dtype)[0]
                continue
            seat = cards.lowest(mine["to_act"])
            assert position.current_player() == seat
            assert position.legal_actions() == list(cards.iter_bits(game.rules.legal(mine, seat)))
            answer = int(rng.choice(position.legal_actions()))
            before, other = position.rows.tobytes(), position.clone()
            other.apply_action(answer)
            assert position.rows.tobytes() == before, "an answer to the clone changed the original"
            game.rules.step(mine, seat, answer, None)
            position.apply_action(answer)
            assert position.rows.tobytes() == other.rows.tobytes() == mine.tobytes()
        assert mine["over"]
        assert position.returns() == encoding.rewards(game, mine, encoding.WIN)


@pytest.mark.parametrize("name", ["crystals", "fourteen"])
def test_ismcts_ends_at_the_next_deal_with_our_evaluation(name):
    game, rng = GAMES[name], np.random.default_rng(5)
    seen = random_views(game, 4, {}, 1, 8)[0]
    position = search_root(seen, IsmctsSettings(UCT, REWARD_MARGIN, False, OPENSPIEL_PLAYOUTS)).resample_from_infostate(
        seen.seat, None
    )
    deals = int(position.rows[0]["deals"])
    while not position.is_terminal():
        position.apply_action(int(rng.choice(position.legal_actions())))
    assert not position.is_chance_node()
    assert position.rows[0]["deals"] == deals
    assert game.needs_deal(position.rows[0])
    worth = [
        games.adapter_for(GAMES[name]).value(position.rows[0], seat, games.adapter_for(GAMES[name]).win_bonus)
        for seat in range(4)
    ]
    assert position.returns() == pytest.approx(worth)
    assert sum(worth) == pytest.approx(0)


@pytest.mark.parametrize(("name", "seats", "options"), TABLES)
def test_search_key_is_the_view_of_the_seat_to_act(name, seats, options):
    """All worlds of a view have the same key. When another seat is to act, its key contains its own cards."""
    game, differed = GAMES[name], 0
    for seen in random_views(game, seats, options, 20, 9):
        start = search_root(seen, IsmctsSettings(UCT, REWARD_WIN, True, OPENSPIEL_PLAYOUTS), 8)
        dealt = [start.resample_from_infostate(seen.seat, None) for _ in range(8)]
        assert {w.information_state_string() for w in dealt} == {start.information_state_string()}
        assert len({w.rows.tobytes() for w in dealt}) > 1, "expected different worlds"
        answer = start.legal_actions()[0]
        for world in dealt:
            world.apply_action(answer)
        for one, two in pairwise(w for w in dealt if w.turn >= 0 and w.turn != seen.seat):
            seat = one.turn
            same = all(
                bot_view(game, one.rows[0], seat).row[f.name].tobytes()
                == bot_view(game, two.rows[0], seat).row[f.name].tobytes()
                for f in game.fields
            )
            assert (one.information_state_string() == two.information_state_string()) == same
            differed += not same
    assert differed, "expected worlds that differ for the next seat"


def test_ismcts_is_openspiels_bot_with_the_named_simulations(monkeypatch):
    made: list[dict[str, Any]] = []
    begun = inspect.signature(openspiel.ISMCTSBot.__init__)

    class Noted(openspiel.ISMCTSBot):
        """OpenSpiel's bot; notes how it is made."""

        def __init__(self, *given: Any, **named: Any) -> None:
            super().__init__(*given, **named)
            call = begun.bind(self, *given, **named)
            call.apply_defaults()
            made.append(call.arguments)

    monkeypatch.setattr(openspiel, "ISMCTSBot", Noted)
    seen = random_views(GAMES["crystals"], 4, {}, 1, 3)[0]
    answer = ismcts.find_ismcts_bot("ismcts:37").choose(seen, "play", np.random.default_rng(1))
    assert seen.legal >> answer & 1
    (given,) = made
    assert given["max_simulations"] == 37
    assert type(given["evaluator"]) is mcts.RandomRolloutEvaluator
    usual = openspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT, openspiel.UNLIMITED_NUM_WORLD_SAMPLES
    assert (given["final_policy_type"], given["max_world_samples"]) == usual


@pytest.mark.parametrize(("name", "seats", "options"), TABLES)
@pytest.mark.parametrize("whole", [True, False])
def test_fast_playouts_have_the_mean_reward_of_openspiels(name, seats, options, whole):
    """Both kinds of playouts give random answers to the end. Seeds are fixed; the bound is four standard errors."""
    seen = random_views(GAMES[name], seats, options, 2, 4)[1]
    number, paid = 20 if whole else 60, []
    quick = ismcts.PlayoutLeafEvaluator(ismcts.RANDOM_PERMILLE[RANDOM_PLAYOUTS])
    for playouts in (mcts.RandomRolloutEvaluator(1, np.random.RandomState(1)), quick):
        settings = IsmctsSettings(UCT, REWARD_MARGIN, whole, OPENSPIEL_PLAYOUTS)
        world = search_root(seen, settings).resample_from_infostate(seen.seat, None)
        paid.append(np.array([playouts.evaluate(world)[seen.seat] for _ in range(number)]))
    error = np.sqrt(sum(values.var() for values in paid) / number)
    assert error > 0
    assert abs(paid[0].mean() - paid[1].mean()) < 4 * error


@short_or_long("blocks", 2, 8)
def test_it_plays_better_than_chance(blocks):
    for game, bot in (("crystals", "ismcts-tuned-quick:20"), ("mines", "ismcts-policy:12")):
        result, _ = arena.run_match(MatchSetup(game, (bot, "random"), {}, 3), blocks, processes=1)
        margin = result.bot_result(bot).margin
        assert margin.mean > 0, f"{bot} {margin}"


def test_name_is_completed_by_the_clock_and_then_repeats_the_match(monkeypatch):
    monkeypatch.setattr(ismcts, "MOVE_TIME_S", 0.01)
    assert ismcts.parse_name("ismcts-tuned-quick:2100") == ("ismcts-tuned", True, 2100)
    assert [ismcts.parse_name(name) for name in ("ismcts:0", "ismcts-fast", "ismcts:12x", "5", None)] == [None] * 5
    quick = [
        ismcts.find_ismcts_bot(name).settings.playouts
        for name in ("ismcts-quick:9", "ismcts-tuned:9", "ismcts-policy-quick:9")
    ]
    assert quick == [RANDOM_PLAYOUTS, OPENSPIEL_PLAYOUTS, POLICY_PLAYOUTS]
    match = arena.check_match(MatchSetup("mines", ("simple", "ismcts-quick"), {}, 2))
    name = match.lineup[1]
    assert ismcts.parse_name(name) is not None
    assert name.startswith("ismcts-quick:"), name
    assert arena.check_match(match) == match, "expected no measurement for a complete name"
    small = MatchSetup("mines", ("simple", "ismcts-quick:20"), {}, 2)
    first, again = (arena.play_block(arena.check_match(small), 0) for _ in range(2))
    assert (first.margin, first.orders) == (again.margin, again.orders)


def test_timing_uses_openspiels_playouts_not_the_fast_ones(monkeypatch):
    used: list[int] = []
    choose = IsmctsBot.choose

    def noting(self: IsmctsBot, *given: object) -> int:
        used.append(self.settings.playouts)
        return choose(self, *given)

    monkeypatch.setattr(IsmctsBot, "choose", noting)
    spent = ismcts.measure_decisions("ismcts-quick:5", GAMES["mines"], 2, {}, number=3)
    assert len(spent) == 3
    assert min(spent) > 0
    assert used == [OPENSPIEL_PLAYOUTS] * 3
    with pytest.raises(DiamondsError, match="not a complete name"):
        ismcts.measure_decisions("ismcts", GAMES["mines"], 2, {})


@pytest.mark.parametrize(("name", "missing", "sentence"), [
    ("ismcts", "open_spiel", r"The bot ismcts is OpenSpiel's\. Install Diamonds with the extras 'envs' and 'lab'"),
    ("ismcts:9", "numba", r"The bot ismcts:9 is OpenSpiel's\. Install"),
    ("ismcts-fast", "", r"ismcts-fast is not a name of OpenSpiel's bot\. Its names are ismcts, ismcts-tuned, ismcts-policy, or"),
])  # fmt: skip
def test_impossible_settings_get_one_error_message(name, missing, sentence, monkeypatch):
    found = arena.find_spec
    monkeypatch.setattr(arena, "find_spec", lambda module: None if module == missing else found(module))
    with pytest.raises(DiamondsError, match=sentence):
        arena.check_match(MatchSetup("mines", ("simple", name)))


def test_experiment_row_has_the_time_of_openspiels_bot():
    row = experiments.MatchRow(
        "ismcts", "mines, 2 players", MatchSetup("mines", ("simple", "ismcts-quick:5"), {}, 3), 2
    )
    result, blocks = arena.run_match(row.match, 2, processes=1)
    entry = experiments.result_entry(row, result, blocks, "these")
    assert entry["openspiel"].startswith("2.")
    found = experiments.table_cells(entry | {"clock": [1.0, 2.0, 9.0]}, "these")
    cells = dict(zip(experiments.ISMCTS_COLUMNS, found, strict=True))
    assert (cells["against"], cells["OpenSpiel's"]) == ("ismcts-quick:5", "2 / 8")
