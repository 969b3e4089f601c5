"""One seat for Gymnasium, with bots in the others.

>>> import gymnasium
>>> import diamonds.envs.gymnasium  # registers diamonds/crystals-v1, diamonds/fourteen-v1 and diamonds/mines-v1
>>> env = gymnasium.make("diamonds/mines-v1", bots="simple")
>>> observation, info = env.reset(seed=7)
>>> over = False
>>> while not over:
...     action = env.action_space.sample(info["action_mask"])
...     observation, reward, terminated, truncated, info = env.step(action)
...     over = terminated or truncated
>>> reward in (-1.0, 0.0, 1.0)
True
>>> env.close()

Observations are planes for networks (`diamonds.envs.planes`), ``float32`` from 0 to 1, or ``uint8`` in 255ths;
``env.unwrapped.encoder`` names the columns. With ``observation="view"`` they are the flat ``int64`` arrays of
`diamonds.envs.encoding`. The reward comes when the game ends. ``info`` has the ``action_mask`` and the name of the ``question``;
``env.unwrapped.action_masks()`` also returns the mask, because some learners call it.

``gymnasium.make_vec`` steps thousands of tables by one compiled call (`DiamondsVectorEnv`).

An illegal action changes nothing and has reward 0; ``info["refused"]`` then gives the reason (R1). So mask your
actions, or limit the length of an episode: a learner that repeats an illegal action would never finish.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from diamonds.bots import kernels, levels
from diamonds.bots.bot import Bot, BotView
from diamonds.bots.levels import find_bot
from diamonds.envs import encoding
from diamonds.envs.batch import DONE_OVER, DONE_TRUNCATED, Batch, Policy
from diamonds.envs.encoding import Ints
from diamonds.envs.planes import ObservationKind, PlaneEncoder, find_encoder
from diamonds.errors import InvalidInputError, quote_value
from diamonds.game import GAMES, Game

Observation = npt.NDArray[Any]


def observation_box(game: Game, encoder: PlaneEncoder | None) -> spaces.Box:
    """Return the space of an encoder's planes, or of plain views without one."""
    if encoder is None:
        low, high = encoding.observation_bounds(game)
        return spaces.Box(low, high, (encoding.observation_size(game),), np.int64)
    return spaces.Box(encoder.low, encoder.high, (encoder.size,), encoder.dtype.type)


class DiamondsEnv(gymnasium.Env[Observation, np.int64]):
    """One seat at a table of ``game`` (a name or a `Game`) with ``seats`` seats and these ``options``.

    ``seat`` is the agent's seat; ``None`` draws a new one at every reset. ``bots`` is a bot (`diamonds.bots`, or its
    name) for all other seats, or a list with one for each seat, whose entry for the agent's seat is ignored. ``reward``
    is one of `encoding.REWARDS`, ``observation`` one of `planes.OBSERVATION_KINDS`. With ``render_mode="ansi"``, `render` returns the agent's view as text.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012 (Gymnasium declares it so)

    def __init__(
        self,
        game: Game | str = "crystals",
        seats: int | None = None,
        options: Mapping[str, Any] | None = None,
        seat: int | None = 0,
        bots: Bot | str | Sequence[Bot | str] = "simple",
        reward: str = "win",
        render_mode: str | None = None,
        observation: ObservationKind = "float32",
    ) -> None:
        self.table = Batch(game, seats, options, tables=1, reward=reward, auto_reset=False)
        if seat is not None and not 0 <= seat < self.table.seats:
            raise InvalidInputError("game-no-seat", given=quote_value(seat))
        all_bots = [bots] * self.table.seats if isinstance(bots, str) or not isinstance(bots, Sequence) else list(bots)
        if len(all_bots) != self.table.seats:
            raise InvalidInputError("env-bots", number=self.table.seats)
        self.bots = [find_bot(bot) if isinstance(bot, str) else bot for bot in all_bots]
        if any(isinstance(bot, levels.LevelBot) for bot in self.bots):
            kernels.load(self.table.game)  # loaded now, so that the first answer is not slow
        self.seat, self._has_fixed_seat = seat or 0, seat is not None
        self.render_mode = render_mode
        self.action_space = spaces.Discrete(encoding.action_count(self.table.game))
        self.encoder = find_encoder(self.table.game, self.table.seats, self.table.options, observation)
        self.observation_space = observation_box(self.table.game, self.encoder)
        self._answer = np.zeros(1, np.int64)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Start a new game, up to the agent's first question. The seed fixes the cards and the bots' choices."""
        super().reset(seed=seed)
        if not self._has_fixed_seat:
            self.seat = int(self.np_random.integers(self.table.seats))
        self.table.reset(int(self.np_random.integers(2**63)))
        self._let_bots_answer()
        return self._observation(), self._info()

    def step(self, action: np.int64 | int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Apply the agent's answer, then the bots', up to the agent's next question or the end of the game."""
        table, number = self.table, int(action)
        if table.seat[0] != self.seat or not 0 <= number < table.mask.shape[1] or not table.mask[0, number]:
            over = bool(table.seat[0] < 0)
            return (
                self._observation(),
                0.0,
                over,
                False,
                self._info() | {"refused": str(table.illegal_error(0, number))},
            )
        self._apply_answer(number)
        self._let_bots_answer()
        ended = int(table.done[0])
        return (
            self._observation(),
            float(table.rewards[0, self.seat]),
            ended not in (0, DONE_TRUNCATED),
            ended == DONE_TRUNCATED,
            self._info(),
        )

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Return the legal answers, one boolean per action; all false once the game is over."""
        masks: npt.NDArray[np.bool_] = self.table.mask[0] != 0
        return masks

    def render(self) -> Any:
        """Return the agent's view as text."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() returns text only with render_mode='ansi'.")
            return None
        view = self.table.observe(0, self.seat)
        return encoding.render_text(self.table.game, encoding.row_of(self.table.game, view))

    def _apply_answer(self, number: int) -> None:
        self._answer[0] = number
        self.table.step(self._answer)

    def _let_bots_answer(self) -> None:
        """Let the bots answer until the agent is to act, or the game is over."""
        table, game = self.table, self.table.game
        while (seat := int(table.seat[0])) not in (self.seat, -1):
            view = BotView(game, seat, encoding.row_of(game, table.observations[0]))
            question = game.questions[int(view.row["question"])].name
            self._apply_answer(self.bots[seat].choose(view, question, self.np_random))

    def _observation(self) -> Observation:
        view = self.table.observe(0, self.seat)
        return view if self.encoder is None else self.encoder(view)

    def _info(self) -> dict[str, Any]:
        row = self.table.rows[0]
        question = None if row["over"] else self.table.game.question(row).name
        return {"action_mask": self.table.mask[0].view(np.int8).copy(), "question": question}


class DiamondsVectorEnv(VectorEnv[Any, Any, Any]):
    """Many tables in one compiled call (`Batch`), each with one agent and opponents: ``gymnasium.make_vec``.

    The arguments are those of `DiamondsEnv`, but ``bots`` is one bot or compiled policy (`batch.Policy`) for all other
    seats, levels search in ``threads``, and with ``seat=None`` the tables take turns. A game that ends is followed by the next one in the same step; then
    ``infos["final_obs"]`` has the agent's last observation. ``infos["action_mask"]`` has a row for each table. An
    illegal action raises `NotAllowedError`. Arrays are copies, unless ``copy=False``.
    """

    metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.SAME_STEP}  # noqa: RUF012 (Gymnasium declares it so)

    def __init__(
        self,
        num_envs: int = 1,
        game: Game | str = "crystals",
        seats: int | None = None,
        options: Mapping[str, Any] | None = None,
        seat: int | None = 0,
        bots: Bot | str | Policy = "simple",
        reward: str = "win",
        render_mode: str | None = None,
        observation: ObservationKind = "float32",
        copy: bool = True,
        threads: int = 1,
    ) -> None:
        self.batch = Batch(
            game, seats, options, tables=num_envs, reward=reward, opponents=bots, agent_seat=seat,
            planes=None if observation == "view" else observation, threads=threads,
        )  # fmt: skip
        self.num_envs, self.render_mode, self._copies = num_envs, render_mode, copy
        table = self.batch
        self.encoder = find_encoder(table.game, table.seats, table.options, observation)
        self.single_observation_space = observation_box(table.game, self.encoder)
        self.single_action_space = spaces.Discrete(encoding.action_count(table.game))
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Start a new game at every table; the seed fixes the cards and the opponents' choices."""
        super().reset(seed=seed)
        self.batch.reset(int(self.np_random.integers(2**63)))
        return self._observations(), self._infos()

    def step(
        self, actions: Ints
    ) -> tuple[Observation, npt.NDArray[np.float64], npt.NDArray[np.bool_], npt.NDArray[np.bool_], dict[str, Any]]:
        """Apply each agent's answer, then the opponents', up to the agents' next questions."""
        batch = self.batch
        batch.step(np.asarray(actions, np.int64))
        infos = self._infos()
        ended = batch.done > 0
        if ended.any():
            last = batch.final_observations[ended]
            finals = np.full(self.num_envs, None, object)
            for k, final in zip(np.flatnonzero(ended), self.encoder(last) if self.encoder else last, strict=True):
                finals[k] = final
            infos |= {"final_obs": finals, "_final_obs": ended}
        return self._observations(), batch.agent_rewards, batch.done == DONE_OVER, batch.done == DONE_TRUNCATED, infos

    def _observations(self) -> Observation:
        found: Observation = self.batch.planes if self.encoder else self.batch.observations
        return found.copy() if self._copies else found

    def _infos(self) -> dict[str, Any]:
        mask = self.batch.mask.view(np.int8)
        return {"action_mask": mask.copy() if self._copies else mask, "_action_mask": np.ones(self.num_envs, np.bool_)}


for _name in GAMES:
    gymnasium.register(
        f"diamonds/{_name}-v1",
        entry_point="diamonds.envs.gymnasium:DiamondsEnv",
        vector_entry_point="diamonds.envs.gymnasium:DiamondsVectorEnv",
        kwargs={"game": _name},
    )
