"""The three games for OpenSpiel.

Importing this module registers ``diamonds_crystals``, ``diamonds_fourteen`` and ``diamonds_mines``.

>>> import random, pyspiel
>>> import diamonds.envs.openspiel
>>> game = pyspiel.load_game("diamonds_crystals(players=3,thief=True)")
>>> state = game.new_initial_state()
>>> while not state.is_terminal():
...     if state.is_chance_node():
...         cards, chances = zip(*state.chance_outcomes())
...         state.apply_action(random.choices(cards, chances)[0])
...     else:
...         state.apply_action(random.choice(state.legal_actions()))
>>> sum(state.returns())
0.0

Parameters are ``players``, ``reward`` (one of `diamonds.envs.encoding.REWARDS`) and the game's options.

**Chance** is explicit, one card a node: first each seat cuts a card (the highest begins), then the cards of every deal
come in dealing order, all remaining cards equally likely. Cards left over from a deal are not drawn one by one, because
nobody ever sees them.

**Simultaneous answers** (passing cards, sealed bids) are asked one after the other, the lowest seat first. No seat
learns another's choice, so the order does not matter.

**Information states** have perfect recall as texts: all events that a seat has seen, its own answers, and the cards
dealt to it. Their number of events has no bound, so the tensor has one instead: the observation, followed by the last
`HISTORY_ANSWERS` answers since the last deal, oldest first (`diamonds.envs.openspiel_information_states`). That is the
whole deal in crystals and fourteen; what earlier deals leave behind is in the observation.

**Observations** are the view with everything that a perfect memory knows, as text and as the ``float32`` planes of
`diamonds.envs.planes`.

**Worlds**: `State.resample_from_infostate` deals the hidden cards uniformly with `diamonds.bots.search.world_sampling`. The
resulting state starts there: it has no history, and the other seats remember only the public events and their private
facts in this world. It depends only on the seat's information state and the sampler.

OpenSpiel's Python bots play these games; its C++ MCTS and IS-MCTS bots crash on every game written in Python (2.0).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pyspiel

from diamonds import cards, views
from diamonds.bots.bot import bot_view
from diamonds.bots.search import world_sampling
from diamonds.envs import encoding
from diamonds.envs.batch import batch_kernels
from diamonds.envs.openspiel_information_states import (
    HISTORY_ANSWERS,
    AnswerHistoryEncoder,
    EventHistory,
    RecentAnswers,
    ResampledHistory,
)
from diamonds.envs.planes import PlaneEncoder
from diamonds.events import new_log
from diamonds.fields import Option
from diamonds.game import GAMES, Game
from diamonds.views import ViewMasks

_GameType = pyspiel.GameType
_CHANCE = int(pyspiel.PlayerId.CHANCE)


def _parameter_default(option: Option) -> bool | int | str:
    """Return an option's default as a parameter; 0 if it depends on another option."""
    return 0 if option.default_from else option.default


def game_type(game: Game, reward: str = "win") -> pyspiel.GameType:
    """Return OpenSpiel's description of a game, which it needs before loading the game."""
    return _GameType(
        short_name=f"diamonds_{game.name}",
        long_name=f"Diamonds: {game.title}",
        dynamics=_GameType.Dynamics.SEQUENTIAL,
        chance_mode=_GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=_GameType.Information.IMPERFECT_INFORMATION,
        utility=_GameType.Utility.GENERAL_SUM if reward == "score" else _GameType.Utility.ZERO_SUM,
        reward_model=_GameType.RewardModel.TERMINAL,
        max_num_players=game.seats[-1],
        min_num_players=game.seats[0],
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={
            "players": game.default_seats,
            "reward": "win",
            **{option.name: _parameter_default(option) for option in game.options},
        },
    )


class DiamondsGame(pyspiel.Game):  # type: ignore[misc]
    """One of the three games, with its parameters."""

    def __init__(self, game: Game, params: Mapping[str, Any] | None = None) -> None:
        parameters = dict(params or {})
        self.game, self.reward = game, str(parameters.pop("reward", "win"))
        self.seats = int(parameters.pop("players", game.default_seats))
        by_name = {option.name: option for option in game.options}
        chosen = {name: value for name, value in parameters.items() if value != _parameter_default(by_name[name])}
        self.options = game.check_options(self.seats, chosen)
        self.reward_kind = encoding.reward_kind(self.reward)
        self.kernels = batch_kernels(game)
        self.empty_state = game.empty_state(self.seats, self.options)
        self.pack = tuple(game.pack(self.empty_state))
        self.view_masks = ViewMasks(game, self.empty_state)
        self.encoder = PlaneEncoder(game, self.seats, self.options)
        self.answer_encoder = AnswerHistoryEncoder(game, self.seats, self.options)
        max_utility = {"win": self.seats - 1, "margin": 2 * encoding.MAX_ANSWERS, "score": 2 * encoding.MAX_ANSWERS}
        info = pyspiel.GameInfo(
            num_distinct_actions=encoding.action_count(game),
            max_chance_outcomes=4 * game.ranks,
            num_players=self.seats,
            min_utility=-1.0 if self.reward == "win" else -float(max_utility[self.reward]),
            max_utility=float(max_utility[self.reward]),
            utility_sum=None if self.reward == "score" else 0.0,
            max_game_length=encoding.MAX_ANSWERS,
        )
        super().__init__(game_type(game, self.reward), info, dict(params or {}))

    def new_initial_state(self) -> DiamondsState:
        """Return the state before the cut."""
        return DiamondsState(self)

    def max_chance_nodes_in_history(self) -> int:
        """Return an upper limit, well above the number of cards drawn in the longest game."""
        return 2 * encoding.MAX_ANSWERS

    def make_py_observer(
        self, iig_obs_type: pyspiel.IIGObservationType | None = None, params: Mapping[str, Any] | None = None
    ) -> DiamondsObserver:
        """Return an observer; see `DiamondsObserver`."""
        if params:
            raise ValueError(f"Observers of this game have no parameters, but {params} was given.")
        return DiamondsObserver(self, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False))


class DiamondsState(pyspiel.State):  # type: ignore[misc]
    """A position, possibly in the middle of a cut or a deal.

    All of its attributes are immutable, so OpenSpiel's clones (deep copies) and serialized states (pickles) are cheap
    and share nothing that could change. Some methods of `pyspiel.State` are overridden so that calls from Python need
    not pass through C++ and back.
    """

    def __init__(self, game: DiamondsGame) -> None:
        super().__init__(game)
        self._row = b""  # the state, empty until all seats have cut
        self._legal = 0  # the legal answers of the lowest seat to act
        self._current_player = _CHANCE
        self._drawn: tuple[int, ...] = ()  # cards drawn so far for the current cut or deal
        self._cards_left = game.pack  # cards that may still be drawn
        self._cards_needed = game.seats  # cards that the cut or deal takes
        self._answers = 0
        self._history = EventHistory(game.game, game.seats)
        self.recent_answers: RecentAnswers = ()

    # The interface of OpenSpiel

    def current_player(self) -> int:
        """Return the lowest seat to act, or the id of the chance or terminal player."""
        return self._current_player

    def is_terminal(self) -> bool:
        """Return whether the game is over, or cut off after `encoding.MAX_ANSWERS`."""
        return self._current_player == int(pyspiel.PlayerId.TERMINAL)

    def is_chance_node(self) -> bool:
        """Return whether chance draws a card next."""
        return self._current_player == _CHANCE

    def _legal_actions(self, player: int) -> list[int]:
        return list(cards.iter_bits(self._legal))

    def legal_actions(self, player: int | None = None) -> list[int]:
        """Return the legal actions of the current player, in ascending order."""
        if player is not None and player != self._current_player:
            return super().legal_actions(player)  # type: ignore[no-any-return]
        return list(self._cards_left) if self._current_player == _CHANCE else list(cards.iter_bits(self._legal))

    def information_state_string(self, player: int | None = None) -> str:
        """Return everything that a seat has seen, answered and been dealt; by default the current player."""
        seat = self._current_player if player is None else player
        if not 0 <= seat < self.num_players():
            raise ValueError(f"An information state belongs to a seat; {seat} is not a seat.")
        return f"seat {seat}: {self._history.text(seat)}"

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return all remaining cards, which are equally likely."""
        chance = 1.0 / len(self._cards_left)
        return [(card, chance) for card in self._cards_left]

    def _apply_action(self, action: int) -> None:
        if self._current_player == _CHANCE:
            self._draw(action)
        else:
            self._answer(action)

    def _action_to_string(self, player: int, action: int) -> str:
        game = self.get_game().game
        if player == pyspiel.PlayerId.CHANCE:
            return f"{'deal' if self._row else 'cut'} {game.card_names[action]}"
        question = game.question(self.row())
        return (
            f"{question.name} {question.answers[action]}" if action < len(question.answers) else f"no answer {action}"
        )

    def returns(self) -> list[float]:
        """Return every seat's reward, once the game is over."""
        game = self.get_game()
        return encoding.rewards(game.game, self.row(), game.reward_kind) if self.is_terminal() else [0.0] * game.seats

    def __str__(self) -> str:
        game = self.get_game().game
        drawn = " ".join(game.card_names[card] for card in self._drawn)
        return (f"drawn: {drawn}\n" if drawn else "") + encoding.render_text(game, self.row())

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> DiamondsState:
        """Return a state that a seat cannot distinguish from this one, drawn evenly; see the module docstring.

        ``sampler`` returns numbers from 0 (included) to 1 (excluded).
        """
        if self._current_player < 0:
            raise ValueError("Worlds can be dealt only where a seat is to act: not at chance nodes or after the end.")
        spiel_game = self.get_game()
        view = bot_view(spiel_game.game, self.row(), player).row
        world = world_sampling.sample_worlds(spiel_game.game, view, player, 1, int(sampler() * 2**53))[0]
        legal = int(spiel_game.game.rules.legal(world, self._current_player))
        other = DiamondsState(spiel_game)
        other._row = world.tobytes()
        other._current_player, other._legal, other._answers = self._current_player, legal, self._answers
        other._history = ResampledHistory(self._history, player, other._row)
        other.recent_answers = spiel_game.answer_encoder.in_world(self.recent_answers, player)
        return other

    # For observers

    def row(self) -> np.void:
        """Return a copy of the whole state, hidden cards included."""
        spiel_game = self.get_game()
        data = self._row or spiel_game.empty_state.tobytes()
        return np.frombuffer(bytearray(data), spiel_game.game.dtype)[0]  # type: ignore[no-any-return]

    def observation(self, seat: int) -> encoding.Ints:
        """Return what a seat may know now (`encoding`; −1: a spectator)."""
        spiel_game = self.get_game()
        return spiel_game.view_masks.view(np.frombuffer(self._row or spiel_game.empty_state.tobytes(), np.int64), seat)  # type: ignore[no-any-return]

    def history_text(self, seat: int) -> str:
        """Return everything that a seat has seen, answered and been dealt so far (−1: a spectator)."""
        return self._history.text(seat)

    # Transitions

    def _draw(self, card: int) -> None:
        """Apply a drawn card; the last one completes the cut or the deal."""
        self._drawn += (card,)
        index = self._cards_left.index(card)
        self._cards_left = self._cards_left[:index] + self._cards_left[index + 1 :]
        if len(self._drawn) < self._cards_needed:
            return
        spiel_game = self.get_game()
        drawn, self._drawn = self._drawn, ()
        if not self._row:
            self._row = spiel_game.game.start(spiel_game.seats, spiel_game.options, drawn).tobytes()
            self._start_dealing(self.row())
            return
        rows, log = self._rows(), new_log()
        self._legal = int(spiel_game.kernels.deal(rows, np.array(drawn + self._cards_left, np.int64), log))
        self._history = self._history.appended(log, dealt_state=rows.tobytes())
        self.recent_answers = ()
        self._set_rows(rows)

    def _answer(self, number: int) -> None:
        """Apply the answer of the seat to act."""
        spiel_game, seat = self.get_game(), self._current_player
        rows, log = self._rows(), new_log()
        own_answer = seat, int(rows[0]["question"]), number
        self._legal = int(spiel_game.kernels.answer(rows, seat, number, log))
        self._answers += 1
        self._history = self._history.appended(log, own_answer=own_answer)
        self.recent_answers = (*self.recent_answers, own_answer)[-HISTORY_ANSWERS:]
        self._set_rows(rows)

    def _rows(self) -> np.ndarray[Any, Any]:
        return np.frombuffer(bytearray(self._row), self.get_game().game.dtype)

    def _set_rows(self, rows: np.ndarray[Any, Any]) -> None:
        """Store the new state, and determine who acts next."""
        self._row = rows.tobytes()
        if rows[0]["over"] or self._answers >= encoding.MAX_ANSWERS:
            self._current_player, self._legal = int(pyspiel.PlayerId.TERMINAL), 0
        elif rows[0]["to_act"]:
            self._current_player = cards.lowest(rows[0]["to_act"])
        else:
            self._current_player = _CHANCE
            self._start_dealing(rows[0])

    def _start_dealing(self, row: np.void) -> None:
        rules = self.get_game().game.rules
        self._cards_left, self._cards_needed = tuple(cards.iter_bits(rules.pack(row))), int(rules.cards_dealt(row))


class DiamondsObserver:
    """The knowledge of a seat, or with ``PrivateInfoType.NONE`` of a spectator, as text and as a tensor.

    ``dict`` has the parts of the tensor: ``observation`` and, with perfect recall, ``answers``, one row per answer.
    """

    def __init__(self, game: DiamondsGame, kind: pyspiel.IIGObservationType) -> None:
        if not kind.public_info or kind.private_info == pyspiel.PrivateInfoType.ALL_PLAYERS:
            raise ValueError(
                "An observer of this game must see public information, and the private information of at most one seat."
            )
        self._game, self._recall = game, kind.perfect_recall
        self._public = kind.private_info == pyspiel.PrivateInfoType.NONE
        size, width = game.encoder.size, game.answer_encoder.width
        self.tensor = np.zeros(size + (HISTORY_ANSWERS * width if self._recall else 0), np.float32)
        self.dict = {"observation": self.tensor[:size]}
        if self._recall:
            self.dict["answers"] = self.tensor[size:].reshape(HISTORY_ANSWERS, width)

    def _seat(self, player: int) -> int:
        return views.SPECTATOR if self._public else player

    def set_from(self, state: DiamondsState, player: int) -> None:
        """Fill the tensor with what a player knows."""
        seat = self._seat(player)
        self._game.encoder(state.observation(seat), self.dict["observation"])
        if self._recall:
            self._game.answer_encoder.write(state.recent_answers, seat, self.dict["answers"])

    def string_from(self, state: DiamondsState, player: int) -> str:
        """Return a player's observation or, with recall, everything that the player has seen, as text."""
        seat = self._seat(player)
        if self._recall:
            return f"seat {seat}: {state.history_text(seat)}"
        row = encoding.row_of(self._game.game, state.observation(seat))
        return f"seat: {seat}\n{encoding.render_text(self._game.game, row)}"


def _register(game: Game) -> None:
    """Register a game with OpenSpiel.

    OpenSpiel keeps the factory until after Python has shut down. Releasing a function then would crash, but a class
    refers to itself and is never released.
    """

    class Registered(DiamondsGame):
        def __init__(self, params: Mapping[str, Any] | None = None) -> None:
            super().__init__(game, params)

    pyspiel.register_game(game_type(game), Registered)


for _game in GAMES.values():
    _register(_game)
