"""A table for PettingZoo: every seat is an agent. The agents answer one after the other (AEC), or in parallel steps.

>>> import pettingzoo
>>> import diamonds.envs.pettingzoo  # registers diamonds/crystals-v1, diamonds/fourteen-v1 and diamonds/mines-v1
>>> env = pettingzoo.make("aec", "diamonds/fourteen-v1", seats=3, options={"match": "last_two"})
>>> env.reset(seed=7)
>>> for agent in env.agent_iter():
...     observation, reward, terminated, truncated, info = env.last()
...     over = terminated or truncated
...     env.step(None if over else env.action_space(agent).sample(observation["action_mask"]))
>>> env.close()

Agents are ``seat_0`` and so on. An observation has ``observation``, everything that the seat may know, and
``action_mask``. `diamonds.envs.planes` describes the former, by default ``float32`` from 0 to 1; with
``observation="view"`` it is the flat ``int64`` array of `diamonds.envs.encoding`, which describes actions and rewards.
The next agent is always the seat to act, so a seat may answer twice in a row. Where several seats are to act simultaneously (passing
cards, sealed bids), the lowest is asked first, and none learns another's choice. ``reset(seed=…)`` fixes the cards, and
the cut that decides who begins.

`env` has the wrappers of PettingZoo's classic games: an illegal action ends the game for all and costs its agent 1.
`raw_env` has no wrappers and is several times faster; there an illegal action raises `NotAllowedError` with the rule
and changes nothing.

`parallel_env` is PettingZoo's parallel form: in each step all seats to act answer simultaneously, such as
all players who choose cards to pass. Every other agent has an empty mask, and its action is ignored.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
import pettingzoo
from gymnasium import spaces
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils import wrappers

from diamonds.bots.bot import Bot, BotView
from diamonds.bots.levels import find_available_bot
from diamonds.envs import encoding
from diamonds.envs.batch import DONE_TRUNCATED, Batch
from diamonds.envs.gymnasium import observation_box
from diamonds.envs.planes import ObservationKind, find_encoder
from diamonds.errors import InvalidInputError, NotAllowedError
from diamonds.game import GAMES, Game
from diamonds.views import SPECTATOR


def env(
    game: Game | str = "crystals",
    seats: int | None = None,
    options: Mapping[str, Any] | None = None,
    reward: str = "win",
    render_mode: str | None = None,
    observation: ObservationKind = "float32",
    bots: Mapping[int, Bot | str] | None = None,
) -> Any:
    """Return a table with the usual wrappers; the arguments are those of `raw_env`."""
    table = wrappers.TerminateIllegalWrapper(
        raw_env(game, seats, options, reward, render_mode, observation, bots), illegal_reward=-1
    )
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(table))


class raw_env(AECEnv):  # type: ignore[misc]
    """A table of ``game`` (a name or a `Game`) with ``seats`` seats and these ``options``.

    ``reward`` is one of `encoding.REWARDS`, ``observation`` one of `planes.OBSERVATION_KINDS`. With
    ``render_mode="ansi"``, `render` returns a spectator's view as text. ``bots`` names bots (`diamonds.bots`) for some
    seats, such as ``{2: "5", 3: "simple"}``; the other seats are agents.
    """

    def __init__(
        self,
        game: Game | str = "crystals",
        seats: int | None = None,
        options: Mapping[str, Any] | None = None,
        reward: str = "win",
        render_mode: str | None = None,
        observation: ObservationKind = "float32",
        bots: Mapping[int, Bot | str] | None = None,
    ) -> None:
        super().__init__()
        self.table = Batch(game, seats, options, tables=1, reward=reward, auto_reset=False)
        name, size = self.table.game.name, encoding.action_count(self.table.game)
        self.metadata = {"name": f"diamonds_{name}_v1", "render_modes": ["ansi"], "is_parallelizable": False}
        self.render_mode = render_mode
        seats_in_play = range(self.table.seats)
        self.bots = {
            seat: find_available_bot(bot, self.table.game) if isinstance(bot, str) else bot
            for seat, bot in (bots or {}).items()
        }
        if not self.bots.keys() < set(seats_in_play):
            raise InvalidInputError("env-bot-seats", number=self.table.seats)
        self.agent_of = {seat: f"seat_{seat}" for seat in seats_in_play if seat not in self.bots}
        self.possible_agents = list(self.agent_of.values())
        self._seat_of = {agent: seat for seat, agent in self.agent_of.items()}
        self.encoder = find_encoder(self.table.game, self.table.seats, self.table.options, observation)
        self.action_spaces = {agent: spaces.Discrete(size) for agent in self.possible_agents}
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": observation_box(self.table.game, self.encoder),
                    "action_mask": spaces.Box(0, 1, (size,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self._answer = np.zeros(1, np.int64)
        self._seeds = np.random.default_rng()

    def observation_space(self, agent: str) -> spaces.Dict:
        """Return the space of ``observation`` and ``action_mask``."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """Return the action space: the numbers of the answers."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a new game from this seed, or from the seed after the last one. ``options`` are not used."""
        if seed is not None:
            self._seeds = np.random.default_rng(seed)
        cards_seed = int(self._seeds.integers(2**63))
        self.table.reset(cards_seed)
        self._bots_rng = np.random.default_rng([cards_seed, 1])
        self.let_bots_answer()
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agent_of[self.table.seat[0]]

    def bot_answer(self, seat: int) -> int:
        """Return the answer of the bot in a seat to the open question."""
        game = self.table.game
        view = BotView(game, seat, encoding.row_of(game, self.table.observe(0, seat)))
        question = game.questions[int(view.row["question"])].name
        return int(self.bots[seat].choose(view, question, self._bots_rng))

    def let_bots_answer(self) -> None:
        """Let bots answer until an agent is to act, or the game is over."""
        while (seat := int(self.table.seat[0])) in self.bots:
            self.table.step(np.array([self.bot_answer(seat)]))

    def observe(self, agent: str) -> dict[str, Any]:
        """Return what an agent may know now; only the agent to act has legal actions in its mask."""
        table, seat = self.table, self._seat_of[agent]
        is_to_act = table.seat[0] == seat
        view = table.observations[0].copy() if is_to_act else table.observe(0, seat)
        mask = table.mask[0].view(np.int8).copy() if is_to_act else np.zeros(table.mask.shape[1], np.int8)
        return {"observation": view if self.encoder is None else self.encoder(view), "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Apply the answer of the agent to act; ``None`` removes an agent of a finished game."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        table = self.table
        self._answer[0] = -1 if action is None else action
        try:
            table.step(self._answer)
        except NotAllowedError:
            raise table.illegal_error(0, int(self._answer[0])) from None
        self.let_bots_answer()
        self._cumulative_rewards[agent] = 0.0
        if table.done[0] == 0:
            self.agent_selection = self.agent_of[table.seat[0]]
            return
        ended = dict.fromkeys(self.agents, True)
        if table.done[0] == DONE_TRUNCATED:
            self.truncations = ended
        else:
            self.terminations = ended
        self.rewards = {agent: float(table.rewards[0, seat]) for seat, agent in self.agent_of.items()}
        self._accumulate_rewards()
        self._deads_step_first()

    def render(self) -> str | None:
        """Return a spectator's view as text."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() returns text only with render_mode='ansi'.")
            return None
        game = self.table.game
        return encoding.render_text(game, encoding.row_of(game, self.table.observe(0, SPECTATOR)))

    def close(self) -> None:
        """Do nothing."""


class parallel_env(ParallelEnv):  # type: ignore[misc]
    """A table whose agents act in parallel steps; the arguments are those of `raw_env`.

    An agent that is not to act has no legal action in its mask, and its action is ignored. An illegal action raises
    `NotAllowedError` and changes nothing. The same seed gives the same cards as `raw_env`.
    """

    def __init__(
        self,
        game: Game | str = "crystals",
        seats: int | None = None,
        options: Mapping[str, Any] | None = None,
        reward: str = "win",
        render_mode: str | None = None,
        observation: ObservationKind = "float32",
        bots: Mapping[int, Bot | str] | None = None,
    ) -> None:
        self._turns = raw_env(game, seats, options, reward, render_mode, observation, bots)
        self.table, self.render_mode = self._turns.table, render_mode
        self.metadata = {**self._turns.metadata, "is_parallelizable": True}
        self.possible_agents = self._turns.possible_agents
        self.action_spaces, self.observation_spaces = self._turns.action_spaces, self._turns.observation_spaces
        self.agents: list[str] = []

    def observation_space(self, agent: str) -> spaces.Dict:
        """Return the space of ``observation`` and ``action_mask``."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """Return the action space: the numbers of the answers."""
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Start a new game from this seed, or from the seed after the last one. ``options`` are not used."""
        self._turns.reset(seed)
        self.agents = self.possible_agents[:]
        return self._observations(), {agent: {} for agent in self.agents}

    def step(self, actions: Mapping[str, Any]) -> tuple[dict[str, Any], ...]:
        """Apply the answers of all seats to act, and deal if due."""
        table, agents, turns = self.table, self.agents, self._turns
        game, state = table.game, table.rows[0]
        answers = {
            seat: turns.bot_answer(seat) if seat in turns.bots else int(actions.get(turns.agent_of[seat], -1))
            for seat in game.to_act(state)
        }
        for seat, answer in answers.items():
            if answer < 0 or not int(game.rules.legal(state, seat)) >> answer & 1:
                raise table.illegal_error(0, answer, seat)
        first, *others = answers  # the table applies the first seat's answer, and continues if no other answer is due
        for seat in others:
            game.rules.step(state, seat, answers[seat], None)
        table.answer_counts[0] += len(others)
        table.step(np.array([answers[first]]))
        self._let_bots_answer()
        done = int(table.done[0])
        if done:
            self.agents = []
        return (
            self._observations(),
            {agent: float(table.rewards[0, seat]) for seat, agent in turns.agent_of.items()},
            dict.fromkeys(agents, done not in (0, DONE_TRUNCATED)),
            dict.fromkeys(agents, done == DONE_TRUNCATED),
            {agent: {} for agent in agents},
        )

    def _let_bots_answer(self) -> None:
        """Let bots answer while no agent is to act; otherwise bots and agents answer together."""
        table, bots = self.table, self._turns.bots
        while (to_act := table.game.to_act(table.rows[0])) and bots.keys() >= set(to_act):
            table.step(np.array([self._turns.bot_answer(to_act[0])]))

    def _observations(self) -> dict[str, Any]:
        """Return what every agent may know, and its legal actions."""
        table, encoder, found = self.table, self._turns.encoder, dict[str, Any]()
        state = table.rows[0]
        to_act = table.game.to_act(state)
        for seat, agent in self._turns.agent_of.items():
            view = table.observe(0, seat)
            legal = int(table.game.rules.legal(state, seat)) if seat in to_act else 0
            found[agent] = {
                "observation": view if encoder is None else encoder(view),
                "action_mask": encoding.action_mask(table.game, legal),
            }
        return found

    def render(self) -> str | None:
        """Return a spectator's view as text."""
        return self._turns.render()

    def close(self) -> None:
        """Do nothing."""


for _name in GAMES:
    for _form, _class in (("aec", "env"), ("parallel", "parallel_env")):
        pettingzoo.register(
            _form, f"diamonds/{_name}-v1", entry_point=f"diamonds.envs.pettingzoo:{_class}", kwargs={"game": _name}
        )
