"""The games in OpenSpiel: its checker passes, nothing hidden leaks, and resampled worlds look the same to the seat."""

import random
import subprocess
import sys
from typing import Any

import pyspiel
import pytest
from open_spiel.python import rl_environment
from open_spiel.python.algorithms import random_agent

from diamonds import cards, records
from diamonds.bots.bot import bot_view
from diamonds.bots.search import world_sampling
from diamonds.envs import (
    encoding,
    openspiel,  # noqa: F401  (registers the games)
)
from diamonds.game import GAMES, Game
from tests.support.env_variants import ENV_VARIANT_NAMES, ENV_VARIANTS, expected_rewards
from tests.support.random_positions import Variant
from tests.support.sample_sizes import short_or_long

pytestmark = pytest.mark.kernels


def load(v: Variant, reward: str = "win") -> Any:
    return pyspiel.load_game(
        f"diamonds_{v.game.name}", {"players": v.seats, "reward": reward, **non_default_options(v)}
    )


def non_default_options(v: Variant) -> dict[str, Any]:
    """Return the options that differ from OpenSpiel's defaults."""
    usual = {option.name: 0 if option.default_from else option.default for option in v.game.options}
    told = {k: value for k, value in v.options.items() if value != usual[k]}
    if v.game.name == "crystals" and v.seats != 2:
        del told["two_cards"]  # on by default if it applies, otherwise off
    return told


def chance_outcome(state: Any, rng: random.Random) -> int:
    outcomes = state.chance_outcomes()
    return int(rng.choices([o for o, _ in outcomes], [p for _, p in outcomes])[0])


def play_random(game: Any, rng: random.Random, until: Any = lambda state: False) -> Any:
    """Apply random actions until the end or until ``until`` holds."""
    state = game.new_initial_state()
    while not state.is_terminal() and not until(state):
        state.apply_action(chance_outcome(state, rng) if state.is_chance_node() else rng.choice(state.legal_actions()))
    return state


@pytest.mark.parametrize("v", ENV_VARIANTS, ids=ENV_VARIANT_NAMES)
def test_openspiel_random_sim_test(v, capfd):
    pyspiel.random_sim_test(load(v), num_sims=1, serialize=True, verbose=False)
    capfd.readouterr()


@pytest.mark.parametrize("name", list(GAMES))
def test_openspiel_rl_environment_plays_with_openspiels_agents(name):
    env = rl_environment.Environment(pyspiel.load_game(f"diamonds_{name}"))
    agents = [random_agent.RandomAgent(seat, env.action_spec()["num_actions"]) for seat in range(env.num_players)]
    step = env.reset()
    size = env.observation_spec()["info_state"][0]
    while not step.last():
        assert all(len(tensor) == size for tensor in step.observations["info_state"])
        step = env.step([agents[step.observations["current_player"]].step(step).action])
    assert step.rewards == pytest.approx(expected_rewards(GAMES[name], env.get_state.row(), "win"))


@pytest.mark.parametrize("name", list(GAMES))
def test_openspiel_agrees_through_cpp_clones_and_pickles(name):
    """Methods of OpenSpiel's states that are reimplemented in Python for speed."""
    spiel, rng, plies, base = pyspiel.load_game(f"diamonds_{name}"), random.Random(3), 0, pyspiel.State
    state = spiel.new_initial_state()
    while not state.is_terminal() and plies < 150:
        seats = range(spiel.num_players())
        for player in seats:
            assert base.legal_actions(state, player) == state.legal_actions(player), f"player {player}"
        assert base.legal_actions(state) == state.legal_actions()
        assert base.is_chance_node(state) == state.is_chance_node()
        if plies % 40 == 39 and not state.is_chance_node():
            told = [base.information_state_string(state, seat) for seat in seats]
            assert told[state.current_player()] == state.information_state_string()
            module, kept = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(spiel, state))
            del module
            twin = state.clone()
            for other in (twin, kept):
                action = rng.choice(other.legal_actions())
                assert [other.information_state_string(seat) for seat in seats] == told
                other.apply_action(action)
            assert [state.information_state_string(seat) for seat in seats] == told, "the clone changed the original"
        state.apply_action(chance_outcome(state, rng) if state.is_chance_node() else rng.choice(state.legal_actions()))
        plies += 1
    assert base.legal_actions(state) == state.legal_actions()
    with pytest.raises(ValueError, match="7 is not a seat"):
        state.information_state_string(7)


@pytest.mark.parametrize("reward", encoding.REWARDS)
@pytest.mark.parametrize("v", ENV_VARIANTS, ids=ENV_VARIANT_NAMES)
def test_openspiel_history_gives_the_same_state_and_result_as_the_rules(v, reward):
    game, spiel = v.game, load(v, reward)
    assert spiel.num_distinct_actions() == max(len(q.answers) for q in game.questions)
    state = play_random(spiel, random.Random(7))
    history = iter(state.history())
    cut = [next(history) for _ in range(v.seats)]
    assert set(spiel.new_initial_state().legal_actions()) == set(game.pack_for(v.seats, v.options)) >= set(cut)
    mine = game.start(v.seats, v.options, cut)
    for action in history:
        if game.needs_deal(mine):
            dealt = [action, *(next(history) for _ in range(int(game.rules.cards_dealt(mine)) - 1))]
            rest = [card for card in game.pack(mine) if card not in dealt]
            game.deal(mine, dealt + rest)
        else:
            game.rules.step(mine, game.to_act(mine)[0], action, None)
    assert mine["over"]
    assert mine.tobytes() == state.row().tobytes()
    assert state.returns() == pytest.approx(expected_rewards(game, mine, reward))
    assert state.rewards() == state.returns()
    low, high = spiel.min_utility(), spiel.max_utility()
    assert all(low <= each <= high for each in state.returns())
    if reward != "score":
        assert sum(state.returns()) == pytest.approx(0)


@short_or_long("checks", 20, 60)
@pytest.mark.parametrize("v", ENV_VARIANTS, ids=ENV_VARIANT_NAMES)
def test_openspiel_information_states_have_recall_and_match_worlds(v, checks):
    """OpenSpiel's requirement for its C++ games: no seat can tell a resampled state from the true one."""
    spiel, rng, before = load(v), random.Random(4), [""] * v.seats
    state, checked, differed = spiel.new_initial_state(), 0, 0
    while not state.is_terminal() and checked < checks:
        if state.is_chance_node():
            state.apply_action(chance_outcome(state, rng))
            continue
        for seat in range(v.seats):
            told = state.information_state_string(seat)
            assert told.startswith(before[seat]), "expected a seat to remember its earlier information states"
            before[seat] = told
        if rng.random() < 0.25:
            actor, after = state.current_player(), set()
            for action in state.legal_actions():
                child = state.clone()
                child.apply_action(action)
                after.add((child.information_state_string(actor), tuple(child.information_state_tensor(actor))))
            for told in zip(*after, strict=True):
                assert len(set(told)) == len(state.legal_actions()), "expected a seat to remember its answers"
            for seat in range(v.seats):
                checked += 1
                other = state.resample_from_infostate(seat, rng.random)
                assert other.information_state_string(seat) == before[seat]
                assert other.observation_string(seat) == state.observation_string(seat)
                assert other.observation_tensor(seat) == state.observation_tensor(seat)
                assert other.information_state_tensor(seat) == state.information_state_tensor(seat)
                assert other.current_player() == state.current_player()
                assert not other.is_terminal()
                if seat == state.current_player():
                    assert other.legal_actions() == state.legal_actions()
                differed += other.row().tobytes() != state.row().tobytes()
                end = other.clone()
                while not end.is_terminal():  # it can be played to the end
                    end.apply_action(
                        chance_outcome(end, rng) if end.is_chance_node() else rng.choice(end.legal_actions())
                    )
                assert end.returns() == pytest.approx(expected_rewards(v.game, end.row(), "win"))
        state.apply_action(rng.choice(state.legal_actions()))
    assert checked >= 20
    assert differed > checked // 2, "expected more worlds that differ from the true one"


def test_openspiel_worlds_follow_from_the_information_state():
    for name, game in GAMES.items():
        rng = random.Random(5)
        spiel = pyspiel.load_game(f"diamonds_{name}")
        state = play_random(spiel, rng, lambda s: s.move_number() > 90 and not s.is_chance_node())
        me = state.current_player()
        ours = world_sampling.sample_worlds(game, bot_view(game, state.row(), me).row, me, 1, int(0.375 * 2**53))[0]
        world = state.resample_from_infostate(me, lambda: 0.375)
        assert world.row().tobytes() == ours.tobytes()
        for _ in range(5):  # a state that looks the same to this seat gives the same worlds
            disguised = state.resample_from_infostate(me, rng.random)
            again = disguised.resample_from_infostate(me, lambda: 0.375)
            assert again.row().tobytes() == world.row().tobytes()
            for seat in range(spiel.num_players()):
                assert again.information_state_string(seat) == world.information_state_string(seat), (
                    "expected another seat's memory to match the world, not the true state"
                )
        with pytest.raises(ValueError, match="not at chance nodes"):
            spiel.new_initial_state().resample_from_infostate(0, rng.random)


def swap_hidden_cards(state: Any, spiel: Any, me: int, rng: random.Random) -> Any | None:
    """Return the same game with two cards exchanged that a seat has never seen, or ``None`` if the rules forbid it.

    The cards are exchanged in the last deal and wherever other seats pass them, and other seats' sealed bids are
    random. Everything else is repeated.
    """
    game: Game = spiel.game
    row = state.row()
    hidden = {c for seat in range(int(row["seats"])) if seat != me for c in cards.iter_bits(row["hand"][seat])}
    if game.name == "mines":
        hidden -= set(cards.iter_bits(row["known"][me]))
        hidden |= {int(card) for card in row["piles"].ravel() if card >= 0}
    else:
        hidden |= set(cards.iter_bits(row["aside"]))
        if game.name == "crystals":
            hidden -= set(cards.iter_bits(row["given"][me]))
    if len(hidden) < 2:
        return None
    one, two = rng.sample(sorted(hidden), 2)
    swap = {one: two, two: one}
    sealed = game.name == "fourteen" and row["bids"] and row["scoring"] == 1 and not row["bids_open"]
    other = spiel.new_initial_state()
    history = state.full_history()
    chances = [k for k, item in enumerate(history) if item.player == pyspiel.PlayerId.CHANCE]
    last_deal = next(
        k for k in reversed(chances) if k == 0 or k - 1 not in chances or k == spiel.num_players()
    )  # start of the last run of chance outcomes, without the cut
    for k, item in enumerate(history):
        action = item.action
        if k >= last_deal:
            if other.is_chance_node() != (item.player == pyspiel.PlayerId.CHANCE) or other.is_terminal():
                return None
            if other.is_chance_node():
                action = swap.get(action, action)
            elif item.player != me:
                question = game.question(other.row()).name
                if question == "pass":
                    action = swap.get(action, action)
                elif question == "bid" and sealed:
                    action = rng.randrange(14)
            if not other.is_chance_node() and (
                other.current_player() != item.player or action not in other.legal_actions()
            ):
                return None
        other.apply_action(action)
    return other


@short_or_long("games", 12, 60)
@pytest.mark.parametrize("v", ENV_VARIANTS, ids=ENV_VARIANT_NAMES)
def test_r2_openspiel_information_states_leak_nothing(v, games):
    """Replay whole games with unseen cards exchanged: that seat's information states must stay equal."""
    spiel, rng, compared, differed = load(v), random.Random(9), 0, 0
    for _ in range(games):
        turns = rng.randrange(3, 40)
        count = [0]

        def enough(state: Any, turns: int = turns, count: list[int] = count) -> bool:
            count[0] += not state.is_chance_node()
            return count[0] > turns and not state.is_chance_node()

        state = play_random(spiel, rng, enough)
        if state.is_terminal():
            continue
        for me in range(v.seats):
            other = swap_hidden_cards(state, spiel, me, rng)
            if other is None or other.is_terminal() or other.is_chance_node():
                continue
            compared += 1
            differed += other.row().tobytes() != state.row().tobytes()
            assert other.information_state_string(me) == state.information_state_string(me)
            assert other.observation_string(me) == state.observation_string(me)
            assert other.observation_tensor(me) == state.observation_tensor(me)
            assert other.information_state_tensor(me) == state.information_state_tensor(me)
            if state.current_player() == me:
                assert other.legal_actions() == state.legal_actions()
    assert compared >= games // 2
    assert differed >= games // 2, "expected the replayed games to differ"


def test_openspiel_observers_show_one_seat_or_a_spectator():
    spiel = pyspiel.load_game("diamonds_crystals")
    state = play_random(spiel, random.Random(1), lambda s: s.move_number() > 60 and not s.is_chance_node())
    alone, none, every = (getattr(pyspiel.PrivateInfoType, kind) for kind in ("SINGLE_PLAYER", "NONE", "ALL_PLAYERS"))

    def observer(recall: bool, private: Any, public: bool = True) -> Any:
        return spiel.make_py_observer(pyspiel.IIGObservationType(public, recall, private))

    assert observer(True, alone).string_from(state, 2) == state.information_state_string(2)
    assert observer(False, alone).string_from(state, 2) == state.observation_string(2)
    spectator = observer(False, none)
    assert spectator.string_from(state, 0) == spectator.string_from(state, 3)
    spectator.set_from(state, 0)
    names = spiel.encoder.names
    assert not [name for name, value in zip(names, spectator.tensor, strict=True) if name[:5] == "hand " and value]
    recalling = observer(True, alone)
    recalling.set_from(state, 2)
    assert recalling.tensor.tolist() == state.information_state_tensor(2)
    assert recalling.dict["observation"].tolist() == state.observation_tensor(2)
    assert recalling.dict["answers"].any(axis=1).sum() == len(state.recent_answers) > 13
    assert "my hand" not in observer(True, none).string_from(state, 1)
    with pytest.raises(ValueError, match="at most one seat"):
        observer(False, every)
    with pytest.raises(ValueError, match="at most one seat"):
        observer(False, alone, public=False)
    with pytest.raises(ValueError, match="no parameters"):
        spiel.make_py_observer(None, {"colour": 1})


def test_openspiel_parameters_are_the_options_with_their_defaults():
    assert pyspiel.load_game("diamonds_crystals(players=2)").options["two_cards"] is True
    assert pyspiel.load_game("diamonds_crystals(players=2,two_cards=False)").options["two_cards"] is False
    assert pyspiel.load_game("diamonds_fourteen(scoring=bid)").options["target"] == 30
    assert pyspiel.load_game("diamonds_fourteen(scoring=bid,target=40)").options["target"] == 40
    assert pyspiel.load_game("diamonds_mines").num_players() == 2
    with pytest.raises(Exception, match=r"partnership is for 4 or 6 players"):
        pyspiel.load_game("diamonds_crystals(players=5,partnership=True)")
    state = pyspiel.load_game("diamonds_crystals").new_initial_state()
    assert state.action_to_string(pyspiel.PlayerId.CHANCE, 3) == "cut D4"
    state = play_random(state.get_game(), random.Random(1), lambda s: not s.is_chance_node())
    assert state.action_to_string(state.current_player(), 2) == "count 2"


def test_openspiel_truncates_a_game_at_the_record_limit(monkeypatch):
    assert encoding.MAX_ANSWERS == records.MAX_ANSWERS == pyspiel.load_game("diamonds_mines").max_game_length()
    monkeypatch.setattr(encoding, "MAX_ANSWERS", 30)
    state = play_random(pyspiel.load_game("diamonds_fourteen"), random.Random(1))
    assert len([item for item in state.full_history() if item.player >= 0]) == 30
    assert state.returns() == pytest.approx(expected_rewards(GAMES["fourteen"], state.row(), "win"))


def test_openspiel_lets_the_program_end():
    """OpenSpiel keeps registered games until Python has shut down, and a function among their parameters crashed it."""
    code = (
        "import pyspiel, diamonds.envs.openspiel\n"
        "game = pyspiel.load_game('diamonds_mines')\n"
        "state = game.new_initial_state()\n"
        "state.observation_tensor(0); state.information_state_string(0); state.clone()\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
