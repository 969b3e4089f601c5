"""The three games for OpenSpiel: importing this module registers ``diamonds_crystals``, ``diamonds_fourteen`` and
``diamonds_mines``.

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

**Chance** is explicit, one card a node: first each seat cuts one (the highest begins), then the cards of every deal come in
dealing order, each of those left equally likely. Where a deal leaves cards over they are not drawn one by one: nobody
ever sees them.

**Seats that owe an answer at once** (passing cards, sealed bids) are asked one after the other, the lowest first. None
learns what another chose, so the order changes nothing.

**Information states** are texts with perfect recall: all that a seat has heard, its own answers, and what it was dealt.
There is no tensor of them, for it would have no bound. **Observations** are the view with all that a perfect memory
knows, as text and as the tensor of `diamonds.envs.encoding.Features`.

**Worlds**: `State.resample_from_infostate` deals what a seat cannot see, evenly, with `diamonds.bots.thinking.worlds`. The state it
returns begins there: it has no history, and the other seats remember from before what everyone heard and the world's
private facts of theirs. It follows from the seat's information state and the sampler alone.

OpenSpiel's Python bots play these games; its C++ MCTS and IS-MCTS bots crash on every game written in Python (2.0).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pyspiel

from diamonds import cards, views
from diamonds.bots.bot import see
from diamonds.bots.thinking import worlds
from diamonds.envs import encoding
from diamonds.envs.batch import steps
from diamonds.events import hear_row, new_log, type_of_log, write_value
from diamonds.fields import OWNER, TEAM, Option
from diamonds.game import GAMES, Game

_Kind = pyspiel.GameType
_CHANCE = int(pyspiel.PlayerId.CHANCE)


def _default(option: Option) -> bool | int | str:
    """An option's value where none is given; 0 for a number that another option decides."""
    return 0 if option.default_by else option.default


def game_type(game: Game, reward: str = "win") -> pyspiel.GameType:
    """What OpenSpiel wants to know of a game before it is loaded."""
    return _Kind(
        short_name=f"diamonds_{game.name}",
        long_name=f"Diamonds: {game.title}",
        dynamics=_Kind.Dynamics.SEQUENTIAL,
        chance_mode=_Kind.ChanceMode.EXPLICIT_STOCHASTIC,
        information=_Kind.Information.IMPERFECT_INFORMATION,
        utility=_Kind.Utility.GENERAL_SUM if reward == "score" else _Kind.Utility.ZERO_SUM,
        reward_model=_Kind.RewardModel.TERMINAL,
        max_num_players=game.seats[-1],
        min_num_players=game.seats[0],
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={
            "players": game.usual_seats,
            "reward": "win",
            **{option.name: _default(option) for option in game.options},
        },
    )


class DiamondsGame(pyspiel.Game):  # type: ignore[misc]
    """One of the three games, with its parameters."""

    def __init__(self, game: Game, params: Mapping[str, Any] | None = None) -> None:
        given = dict(params or {})
        self.game, self.reward = game, str(given.pop("reward", "win"))
        self.seats = int(given.pop("players", game.usual_seats))
        by_name = {option.name: option for option in game.options}
        chosen = {name: value for name, value in given.items() if value != _default(by_name[name])}
        self.options = game.check_options(self.seats, chosen)
        self.kind = encoding.reward_kind(self.reward)
        self.steps = steps(game)
        self.blank = game.blank(self.seats, self.options)
        self.pack = tuple(game.pack(self.blank))
        self.curtain = encoding.Curtain(game, self.blank)
        self.features = encoding.Features(game, self.seats)
        most = {"win": self.seats - 1, "margin": 2 * encoding.MOST_ANSWERS, "score": 2 * encoding.MOST_ANSWERS}
        info = pyspiel.GameInfo(
            num_distinct_actions=encoding.actions(game),
            max_chance_outcomes=4 * game.ranks,
            num_players=self.seats,
            min_utility=-1.0 if self.reward == "win" else -float(most[self.reward]),
            max_utility=float(most[self.reward]),
            utility_sum=None if self.reward == "score" else 0.0,
            max_game_length=encoding.MOST_ANSWERS,
        )
        super().__init__(game_type(game, self.reward), info, dict(params or {}))

    def new_initial_state(self) -> DiamondsState:
        """Before the cut."""
        return DiamondsState(self)

    def max_chance_nodes_in_history(self) -> int:
        """No deal has more cards than are then answered with, by far."""
        return 2 * encoding.MOST_ANSWERS

    def make_py_observer(
        self, iig_obs_type: pyspiel.IIGObservationType | None = None, params: Mapping[str, Any] | None = None
    ) -> Observer:
        """See `Observer`."""
        if params:
            raise ValueError(f"The observers of this game have no parameters; {params} was given.")
        return Observer(self, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False))


class DiamondsState(pyspiel.State):  # type: ignore[misc]
    """A position, a cut or a deal half done.

    All that it knows is immutable and lies in the attributes below, so that OpenSpiel's clones (deep copies) and its
    serialized states (pickles) are cheap and share nothing that could change. Some methods of `pyspiel.State` are written
    again here: who calls them from Python need not pass through C++ and back.
    """

    def __init__(self, game: DiamondsGame) -> None:
        super().__init__(game)
        self._row = b""  # the state, empty until all have cut
        self._legal = 0  # the legal answers of the lowest seat that owes one
        self._turn = _CHANCE
        self._drawn: tuple[int, ...] = ()  # cards that chance has drawn for the cut or deal under way
        self._left = game.pack  # those that it may still draw
        self._wanted = game.seats  # how many the cut or deal takes
        self._answers = 0
        self._heard = Heard(game.game, game.seats)

    # What OpenSpiel asks

    def current_player(self) -> int:
        """The lowest seat that owes an answer, or chance, or nobody."""
        return self._turn

    def is_terminal(self) -> bool:
        """Whether the game is over, or cut off after `encoding.MOST_ANSWERS`."""
        return self._turn == int(pyspiel.PlayerId.TERMINAL)

    def is_chance_node(self) -> bool:
        """Whether a card is drawn."""
        return self._turn == _CHANCE

    def _legal_actions(self, player: int) -> list[int]:
        return list(cards.members(self._legal))

    def legal_actions(self, player: int | None = None) -> list[int]:
        """The actions of who is on turn, in ascending order."""
        if player is not None and player != self._turn:
            return super().legal_actions(player)  # type: ignore[no-any-return]
        return list(self._left) if self._turn == _CHANCE else list(cards.members(self._legal))

    def information_state_string(self, player: int | None = None) -> str:
        """All that a seat has heard, said and been dealt; without one, the seat on turn."""
        seat = self._turn if player is None else player
        if not 0 <= seat < self.num_players():
            raise ValueError(f"Information states are those of seats, and {seat} is none.")
        return f"seat {seat}: {self._heard.text(seat)}"

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Every card that is left, each as likely as another."""
        chance = 1.0 / len(self._left)
        return [(card, chance) for card in self._left]

    def _apply_action(self, action: int) -> None:
        if self._turn == _CHANCE:
            self._draw(action)
        else:
            self._answer(action)

    def _action_to_string(self, player: int, action: int) -> str:
        game = self.get_game().game
        if player == pyspiel.PlayerId.CHANCE:
            return f"{'deal' if self._row else 'cut'} {game.names[action]}"
        question = game.question(self.row())
        return (
            f"{question.name} {question.answers[action]}" if action < len(question.answers) else f"no answer {action}"
        )

    def returns(self) -> list[float]:
        """Every seat's reward, once the game is over."""
        game = self.get_game()
        return encoding.rewards(game.game, self.row(), game.kind) if self.is_terminal() else [0.0] * game.seats

    def __str__(self) -> str:
        game = self.get_game().game
        drawn = " ".join(game.names[card] for card in self._drawn)
        return (f"drawn: {drawn}\n" if drawn else "") + encoding.text(game, self.row())

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> DiamondsState:
        """A state that a seat cannot tell from this one, each as likely as another; see the head of this file.

        ``sampler`` gives numbers from 0 up to, not including, 1.
        """
        if self._turn < 0:
            raise ValueError(
                "Worlds are dealt where a seat owes an answer, not while cards are drawn nor after the end."
            )
        whole = self.get_game()
        seen = see(whole.game, self.row(), player).row
        world = worlds.sample(whole.game, seen, player, 1, int(sampler() * 2**53))[0]
        legal = int(whole.game.rules.legal(world, self._turn))
        other = DiamondsState(whole)
        other._row = world.tobytes()
        other._turn, other._legal, other._answers = self._turn, legal, self._answers
        other._heard = Supposed(self._heard, player, other._row)
        return other

    # What observers ask

    def row(self) -> np.void:
        """A copy of the whole state, hidden cards included."""
        whole = self.get_game()
        memory = self._row or whole.blank.tobytes()
        return np.frombuffer(bytearray(memory), whole.game.dtype)[0]  # type: ignore[no-any-return]

    def observation(self, seat: int) -> encoding.Ints:
        """What a seat may know now, as `encoding` says (−1: a spectator)."""
        whole = self.get_game()
        return whole.curtain.observe(np.frombuffer(self._row or whole.blank.tobytes(), np.int64), seat)  # type: ignore[no-any-return]

    def heard(self, seat: int) -> str:
        """All that a seat has heard, said and been dealt so far (−1: a spectator)."""
        return self._heard.text(seat)

    # What happens

    def _draw(self, card: int) -> None:
        """Chance has drawn a card; with the last one the cut or the deal is done."""
        self._drawn += (card,)
        at = self._left.index(card)
        self._left = self._left[:at] + self._left[at + 1 :]
        if len(self._drawn) < self._wanted:
            return
        whole = self.get_game()
        drawn, self._drawn = self._drawn, ()
        if not self._row:
            self._row = whole.game.start(whole.seats, whole.options, drawn).tobytes()
            self._want_cards(self.row())
            return
        rows, log = self._rows(), new_log()
        self._legal = int(whole.steps.deal(rows, np.array(drawn + self._left, np.int64), log))
        self._heard = self._heard.and_then(log, dealt=rows.tobytes())
        self._move_on(rows)

    def _answer(self, number: int) -> None:
        """The seat on turn has answered."""
        whole, seat = self.get_game(), self._turn
        rows, log = self._rows(), new_log()
        own = seat, int(rows[0]["question"]), number
        self._legal = int(whole.steps.answer(rows, seat, number, log))
        self._answers += 1
        self._heard = self._heard.and_then(log, own=own)
        self._move_on(rows)

    def _rows(self) -> np.ndarray[Any, Any]:
        return np.frombuffer(bytearray(self._row), self.get_game().game.dtype)

    def _move_on(self, rows: np.ndarray[Any, Any]) -> None:
        """Keep the new state and see who comes next."""
        self._row = rows.tobytes()
        if rows[0]["over"] or self._answers >= encoding.MOST_ANSWERS:
            self._turn, self._legal = int(pyspiel.PlayerId.TERMINAL), 0
        elif rows[0]["to_act"]:
            self._turn = cards.lowest(rows[0]["to_act"])
        else:
            self._turn = _CHANCE
            self._want_cards(rows[0])

    def _want_cards(self, row: np.void) -> None:
        rules = self.get_game().game.rules
        self._left, self._wanted = tuple(cards.members(rules.pack(row))), int(rules.dealt(row))


class Heard:
    """All that the seats have heard: what came last, and what they had heard before.

    A search asks only for what the seats on turn know in the positions that it keeps. So what is told is kept as numbers,
    and put into words when someone asks.
    """

    __slots__ = ("_before", "_dealt", "_game", "_log", "_own", "_seats", "_texts")

    def __init__(self, game: Game, seats: int) -> None:
        """Nothing yet."""
        self._game, self._seats = game, seats
        self._before: Heard | None = None
        self._log: list[list[int]] = []  # events
        self._own: tuple[int, int, int] | None = None  # who answered, the question's number and the answer's
        self._dealt = b""  # the state after a deal: everyone sees their own
        self._texts: dict[int, str] = {}  # all that a seat has heard up to here (−1: a spectator), if anyone has asked

    def and_then(self, log: type_of_log, own: tuple[int, int, int] | None = None, dealt: bytes = b"") -> Heard:
        """This, and then what is new."""
        later = Heard(self._game, self._seats)
        later._before, later._log, later._own, later._dealt = self, log[1 : log[0, 0] + 1].tolist(), own, dealt
        return later

    def text(self, seat: int) -> str:
        """All that a seat has heard, said and been dealt (−1: a spectator)."""
        new: list[Heard] = []
        at: Heard | None = self
        while at is not None and seat not in at._texts:
            new.append(at)
            at = at._before
        known = at._texts[seat] if at is not None else ""
        self._texts[seat] = known + "".join(one._words(seat) for one in reversed(new))
        return self._texts[seat]

    def _words(self, seat: int) -> str:
        """What was new to a seat here: its own answer, what was told, what it was dealt."""
        game, words = self._game, []
        if self._own and self._own[0] == seat:
            question = game.questions[self._own[1]]
            words.append(f"I {question.name} {question.answers[self._own[2]]}; ")
        words += [_note(hear_row(row, game.rules.EVENTS, game.ranks, seat)) for row in self._log]
        if self._dealt and seat >= 0:
            words.append(_private(game, self._dealt, seat))
        return "".join(words)

    def __deepcopy__(self, memo: object) -> Heard:
        """Nothing here changes, so a copy is the same."""
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """As texts alone: the chain may be longer than what a pickle can follow."""
        return _remembered, (self._game.name, self._seats, [self.text(seat) for seat in range(-1, self._seats)])


class Supposed(Heard):
    """The beginning of a world: what a seat really has heard, and of the others what they would have to remember."""

    __slots__ = ("_me", "_truth")

    def __init__(self, truth: Heard, me: int, row: bytes) -> None:
        super().__init__(truth._game, truth._seats)
        self._truth, self._me, self._dealt = truth, me, row

    def _words(self, seat: int) -> str:
        if seat == self._me:
            return self._truth.text(seat)
        public = self._truth.text(views.SPECTATOR)
        return public + _private(self._game, self._dealt, seat) if seat >= 0 else public


def _remembered(name: str, seats: int, texts: list[str]) -> Heard:
    """What was heard, from a pickle."""
    heard = Heard(GAMES[name], seats)
    heard._texts = dict(zip(range(-1, seats), texts, strict=True))
    return heard


def _private(game: Game, memory: bytes, seat: int) -> str:
    """What a state holds for a seat alone, or for it and its partner."""
    row, notes = np.frombuffer(memory, game.dtype)[0], []
    for field in game.fields:
        if field.who in (OWNER, TEAM) and not field.remembered:
            entry = int(game.rules.team(row, seat)) if field.who == TEAM else seat
            notes.append(
                f"my {field.name} {_write(write_value(field.kind, int(row[field.name][entry]), game.ranks))}; "
            )
    return "".join(notes)


def _write(value: Any) -> str:
    if value is None:
        return "-"
    return ",".join(map(str, value)) or "none" if isinstance(value, list) else str(value)


def _note(event: dict[str, Any]) -> str:
    """An event in short: ``played 2 H7; ``."""
    return " ".join(map(_write, event.values())) + "; "


class Observer:
    """What a seat knows, or with ``PrivateInfoType.NONE`` a spectator: as text, and as a tensor unless it is with recall."""

    def __init__(self, game: DiamondsGame, kind: pyspiel.IIGObservationType) -> None:
        if not kind.public_info or kind.private_info == pyspiel.PrivateInfoType.ALL_PLAYERS:
            raise ValueError("An observer of this game sees what is public, with or without what one seat alone knows.")
        self._game, self._recall = game, kind.perfect_recall
        self._public = kind.private_info == pyspiel.PrivateInfoType.NONE
        self.tensor = None if self._recall else np.zeros(game.features.size, np.float32)
        self.dict = {} if self.tensor is None else {"observation": self.tensor}

    def _seat(self, player: int) -> int:
        return views.SPECTATOR if self._public else player

    def set_from(self, state: DiamondsState, player: int) -> None:
        """Fill the tensor with what a player sees."""
        if self.tensor is None:
            raise ValueError("Information states of this game are texts; there is no tensor that could hold them.")
        self.tensor[:] = self._game.features(state.observation(self._seat(player)))

    def string_from(self, state: DiamondsState, player: int) -> str:
        """What a player has seen (with recall) or sees, as text."""
        seat = self._seat(player)
        if self._recall:
            return f"seat {seat}: {state.heard(seat)}"
        row = encoding.row_of(self._game.game, state.observation(seat))
        return f"seat: {seat}\n{encoding.text(self._game.game, row)}"


def _register(game: Game) -> None:
    """Tell OpenSpiel of a game.

    It keeps what makes the game until after Python has shut down. Letting go of a function then would crash; a class
    refers to itself and stays.
    """

    class Registered(DiamondsGame):
        def __init__(self, params: Mapping[str, Any] | None = None) -> None:
            super().__init__(game, params)

    pyspiel.register_game(game_type(game), Registered)


for _game in GAMES.values():
    _register(_game)
