"""Observations for networks: a view as numbers from 0 to 1, by named planes, compiled.

>>> from diamonds.envs.batch import Batch
>>> batch = Batch("crystals", 4, tables=8, seed=1, planes="uint8")
>>> batch.planes.shape, batch.planes.dtype
((8, 997), dtype('uint8'))
>>> hand = batch.plane_encoder.plane("hand")
>>> hand.slice, (batch.planes[:, hand.slice] > 0).sum(axis=1).tolist()
(slice(18, 78, None), [10, 10, 10, 10, 10, 10, 10, 10])

Seats are counted from the viewer: 0 is the viewer, 1 the left neighbour. Cards, suits, seats and questions become one
column for each possible value, and numbers are divided by an upper bound. Columns that cannot change at a table of
these seats and options are left out. ``float32`` has values from 0 to 1, and ``uint8`` the same in 255ths.

`PlaneEncoder` reads observations (`diamonds.envs.encoding`), that is views, so planes cannot contain more than the
viewer may know (R2). `CriticOnlyEncoder` reads whole states, for the critics of actor-critic methods; its planes are
never for players.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from diamonds import cards, jit, views
from diamonds.envs.encoding import Ints
from diamonds.errors import InvalidInputError, quote_value
from diamonds.fields import CARD, CARDS, FLAG, MAX_SEATS, NOBODY, OWNER, PILE_OWNERS, SEAT, SUIT, SUITS, TRICK, Field
from diamonds.game import Game, find_game
from diamonds.rules import crystals, fourteen, mines

PlaneDtype = Literal["float32", "uint8"]
Planes = npt.NDArray[np.float32] | npt.NDArray[np.uint8]

PLANE_DTYPES: tuple[PlaneDtype, ...] = ("float32", "uint8")
ObservationKind = Literal["float32", "uint8", "view"]
OBSERVATION_KINDS: tuple[ObservationKind, ...] = (*PLANE_DTYPES, "view")  # offered by the adapters for other frameworks
DEFAULT_BOUND = 255  # for numbers without a bound: `uint8` then holds the number itself
UINT8_ONE = 255


class Plane(NamedTuple):
    """Consecutive columns with one meaning: a field, or in ``played[1]`` its entry for the left neighbour.

    ``members`` has the value or entry of each column, as in ``played[1] D7`` or ``tricks 1``. A single number has one
    member, "".
    """

    name: str
    start: int
    stop: int
    members: tuple[str, ...]
    description: str

    @property
    def slice(self) -> slice:
        """The plane's columns: ``planes[..., plane.slice]``."""
        return slice(self.start, self.stop)


class FieldSelection(NamedTuple):
    """The part of a field that can change at a table.

    A number is divided by ``bound`` and capped at 1; with ``members`` it becomes one column for each of these values.
    ``members`` of other fields are the values with a column. ``entries`` are the first indices kept of an array, with
    seats counted from the viewer.
    """

    bound: int = DEFAULT_BOUND
    members: Sequence[int] | None = None
    entries: Sequence[int] | None = None


LEFT_OUT = FieldSelection(entries=())
SelectFields = Callable[[int, Mapping[str, Any]], dict[str, FieldSelection]]


def crystals_selections(seats: int, options: Mapping[str, Any]) -> dict[str, FieldSelection]:
    """Return the selections of crystals."""
    # There is never more than one possible victim (C18, C25).
    asks_victim = not (options["thief"] or seats == 2 or (options["partnership"] and seats == 4))
    length = 4 if options["two_cards"] else seats
    receivers = range(1, 1 + (min(options["rounds"], seats - 1) if options["pass_to"] == "rotating" else 1))
    return {
        "seat": FieldSelection() if asks_victim else LEFT_OUT,
        "question": FieldSelection(members=range(4 if asks_victim else 3)),
        "deals": LEFT_OUT,  # the number of the round
        "round": FieldSelection(options["rounds"]) if options["rounds"] > 1 else LEFT_OUT,
        "passing": FieldSelection(3),
        "passes_to": FieldSelection(members=receivers, entries=(0,)) if len(receivers) > 1 else LEFT_OUT,
        "trick": FieldSelection(entries=range(length if asks_victim else length - 1)),
        # A full trick remains on the table only while the last seat, void, chooses a victim for its ♣.
        f"trick[{length - 1}]": FieldSelection(members=range(cards.CLUBS * crystals.RANKS, 4 * crystals.RANKS)),
        "trick_size": LEFT_OUT,
        "last_trick": FieldSelection(entries=range(length)),
        "aside": LEFT_OUT if options["perfect"] or seats == 6 else FieldSelection(),
        "tricks": FieldSelection(16),
        "taken": FieldSelection(crystals.RANKS),
        "supply": FieldSelection(crystals.TOTAL_CRYSTALS),
        "vault": FieldSelection(crystals.TOTAL_CRYSTALS),
        "showroom": FieldSelection(crystals.TOTAL_CRYSTALS),
        "thief_at": FieldSelection() if options["thief"] else LEFT_OUT,
        "taker": LEFT_OUT,  # the seat to act
        "stage": FieldSelection(members=(1, 2, 7)) if asks_victim else LEFT_OUT,
    }


def fourteen_selections(seats: int, options: Mapping[str, Any]) -> dict[str, FieldSelection]:
    """Return the selections of fourteen."""
    has_bids = options["scoring"] == "bid"
    return {
        "seat": LEFT_OUT,
        "question": FieldSelection() if has_bids else LEFT_OUT,
        "deals": FieldSelection(fourteen.MAX_HANDS),
        "bid": FieldSelection(members=range(14)) if has_bids else LEFT_OUT,
        "bids_open": FieldSelection() if options["bids"] == "sealed" else LEFT_OUT,
        "aside": FieldSelection() if 4 * fourteen.RANKS % seats else LEFT_OUT,
        "turned": FieldSelection(seats),
        "trick": FieldSelection(entries=range(seats - 1)),
        "trick_size": LEFT_OUT,
        "last_trick": FieldSelection(entries=range(seats)),
        "taken": FieldSelection(fourteen.RANKS),
        "tricks": FieldSelection(4 * fourteen.RANKS // seats),
        "totals": FieldSelection(options["target"] + 13),
    }


def mines_selections(seats: int, options: Mapping[str, Any]) -> dict[str, FieldSelection]:
    """Return the selections of mines."""
    clubs = range(cards.CLUBS * mines.RANKS, 4 * mines.RANKS)
    return {
        "seat": LEFT_OUT,
        "deals": LEFT_OUT,
        "first": FieldSelection(members=(0,)),
        "turn": FieldSelection(members=(0,)),
        "idle": FieldSelection(mines.MAX_IDLE_TURNS),
        "left": FieldSelection(mines.DEPTH),
        "hand_size": FieldSelection(4 * mines.RANKS),
        "discards": FieldSelection(members=range(mines.RANKS, 4 * mines.RANKS)),  # ♦ cannot be spent
        "attacked": FieldSelection(members=range(mines.PILES)),
        "attack": FieldSelection(members=clubs),
        "ending": LEFT_OUT,
        "winner": LEFT_OUT,
    }


# A game without an entry, such as a plug-in's, has all fields and the default bound.
SELECT_FIELDS: dict[str, SelectFields] = {
    "crystals": crystals_selections,
    "fourteen": fourteen_selections,
    "mines": mines_selections,
}


class PlaneTable(NamedTuple):
    """A layout for `write_planes`: where an observation holds each number, value and set, and the columns for them.

    ``*_at`` are positions in an observation, by viewing seat. ``offsets[kind, seat, value]`` is the column of a value or
    member, counted from the plane's first, or −1.
    """

    number_at: npt.NDArray[np.int32]
    number_column: npt.NDArray[np.int32]
    number_scale: npt.NDArray[np.float32]
    value_at: npt.NDArray[np.int32]
    value_column: npt.NDArray[np.int32]
    value_kind: npt.NDArray[np.int32]
    set_at: npt.NDArray[np.int32]
    set_column: npt.NDArray[np.int32]
    set_kind: npt.NDArray[np.int32]
    offsets: npt.NDArray[np.int16]


@jit.compiled
def write_planes(  # type: ignore[no-untyped-def]
    observations, number_at, number_column, number_scale, value_at, value_column, value_kind, set_at, set_column,
    set_kind, offsets, one, rounding, planes,
):  # fmt: skip
    """Write the planes of each observation; hidden values and absent members are 0.

    A spectator's planes begin at seat 0.
    """
    for k in range(len(observations)):
        seat = max(observations[k, 0], 0)
        planes[k, :] = 0
        for number in range(len(number_column)):
            value = max(observations[k, number_at[seat, number]], 0)
            planes[k, number_column[number]] = min(np.float32(value) * number_scale[number], one) + rounding
        for number in range(len(value_column)):
            value = observations[k, value_at[seat, number]]
            if 0 <= value < 64:
                offset = offsets[value_kind[number], seat, value]
                if offset >= 0:
                    planes[k, value_column[number] + offset] = one
        for number in range(len(set_column)):
            members = observations[k, set_at[seat, number]]
            if members > 0:
                column, kind = set_column[number], set_kind[number]
                while members != 0:
                    offset = offsets[kind, seat, cards.lowest(members)]
                    members &= members - 1
                    if offset >= 0:
                        planes[k, column + offset] = one


class PlaneEncoder:
    """Planes of observations at a table: ``encoder(observations)`` takes one observation or any array of them.

    ``planes`` are the planes in order, ``names`` the columns. The order is fixed for a game, its seats and options, so
    that stored weights keep their meaning. ``low`` and ``high`` bound every value.
    """

    includes_hidden = False

    def __init__(
        self,
        game: Game | str,
        seats: int | None = None,
        options: Mapping[str, Any] | None = None,
        dtype: PlaneDtype = "float32",
    ) -> None:
        if dtype not in PLANE_DTYPES:
            raise InvalidInputError("env-planes", either=list(PLANE_DTYPES), given=quote_value(dtype))
        self.game = game = game if isinstance(game, Game) else find_game(game)
        self.seats = seats = game.default_seats if seats is None else seats
        self.options = game.check_options(seats, options)
        self.dtype: np.dtype[Any] = np.dtype(dtype)
        self.low, self.high = 0, UINT8_ONE if dtype == "uint8" else 1
        self.planes: list[Plane] = []
        layout = _Layout(game, seats, self.options, self.includes_hidden)
        for name, members, description in layout.planes:
            start = self.planes[-1].stop if self.planes else 0
            self.planes.append(Plane(name, start, start + len(members), members, description))
        self.size = self.planes[-1].stop
        self.names = [f"{plane.name} {member}".strip() for plane in self.planes for member in plane.members]
        self._table = layout.table([plane.start for plane in self.planes], self.high)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.game.name, self.seats, self.options, self.dtype.name)

    def plane(self, name: str) -> Plane:
        """Return the plane of this name."""
        return next(plane for plane in self.planes if plane.name == name)

    def __call__(self, observations: Ints, out: Any = None) -> Any:
        """Return an array with the planes of each observation along its last axis, or write them to ``out``."""
        if out is None:
            out = np.empty((*observations.shape[:-1], self.size), self.dtype)
        rows = np.ascontiguousarray(observations).reshape(-1, observations.shape[-1])
        rounding = np.float32(0.5 if self.high == UINT8_ONE else 0.0)
        write_planes(rows, *self._table, np.float32(self.high), rounding, out.reshape(-1, self.size))
        return out


def find_encoder(
    game: Game, seats: int, options: Mapping[str, Any] | None, observation: ObservationKind
) -> PlaneEncoder | None:
    """Return the encoder of an adapter's observations; ``None`` for plain views.

    Raise `InvalidInputError` for other kinds.
    """
    if observation not in OBSERVATION_KINDS:
        raise InvalidInputError("env-observation", either=list(OBSERVATION_KINDS), given=quote_value(observation))
    return None if observation == "view" else PlaneEncoder(game, seats, options, observation)


class CriticOnlyEncoder(PlaneEncoder):
    """Planes of whole states, hidden cards included: for critics in training, never for players.

    An input is a seat, from which seats are counted, followed by the state. The first planes are those of `PlaneEncoder`
    (with sealed bids filled in); other hands, cards set aside and piles follow.
    """

    includes_hidden = True


class _Layout:
    """The planes of a table under construction, field by field."""

    def __init__(self, game: Game, seats: int, options: Mapping[str, Any], includes_hidden: bool) -> None:
        self.game, self.seats = game, seats
        self.blank_row = game.empty_state(seats, options)
        self.planes: list[tuple[str, tuple[str, ...], str]] = []
        # For each number: its plane, its column there, its position for each viewing seat, and its bound or kind of
        # offsets.
        self._numbers: list[tuple[int, int, list[int], int]] = []
        self._values: list[tuple[int, int, list[int], int]] = []
        self._sets: list[tuple[int, int, list[int], int]] = []
        self._offsets: dict[tuple[bool, tuple[int, ...]], int] = {}
        select = SELECT_FIELDS.get(game.name)
        self.selections = select(seats, options) if select else {}
        self._add_value("seat", Field("seat", SEAT, "", "number of the viewer's seat"), [0] * seats, is_relative=False)
        hidden: list[tuple[Field, int, Sequence[int] | None]] = []
        for field, start, _ in views.field_offsets(game):
            is_option = field.name in options or field.name in ("seats", "over", "cut")
            if is_option or field.is_derived:
                continue
            if field.visibility == NOBODY and not field.revealed_by and not field.perfect_recall:
                hidden.append((field, start, None))
            elif field.visibility == OWNER and not field.revealed_by:
                self._add(field, start, (0,))
                hidden.append((field, start, range(1, seats)))
            else:
                self._add(field, start, None)
        if includes_hidden:
            for field, start, entries in hidden:
                self._add(field, start, entries)

    def _add(self, field: Field, start: int, entries: Sequence[int] | None) -> None:
        """Add the planes of a field: all of the selected ones, or those of some ``entries``."""
        selection = self.selections.get(field.name, FieldSelection())
        kept = [
            (place, positions)
            for place, positions in self._positions(field, start)
            if (selection.entries is None or (*place, 0)[0] in selection.entries)
            and (entries is None or place[0] in entries)
        ]
        if field.shape and not self._members(field, selection)[0]:
            self._add_numbers(field, selection, kept)
            return
        for place, positions in kept:
            is_own = field.visibility == OWNER and not field.revealed_by and place == (0,)
            self._add_value(field.name + "".join(f"[{k}]" for k in (() if is_own else place)), field, positions)

    def _add_numbers(
        self, field: Field, selection: FieldSelection, kept: Sequence[tuple[tuple[int, ...], list[int]]]
    ) -> None:
        """Add one plane for an array of numbers."""
        if kept:
            members = tuple(" ".join(map(str, place)) for place, _ in kept)
            bound = 1 if field.kind == FLAG else selection.bound
            self._numbers += [
                (len(self.planes), column, positions, bound) for column, (_, positions) in enumerate(kept)
            ]
            self.planes.append((field.name, members, field.description))

    def _positions(self, field: Field, start: int) -> Iterator[tuple[tuple[int, ...], list[int]]]:
        """Yield each place in a field, with seats counted from the viewer, and its position for every viewing seat."""
        over_seats = field.kind != TRICK and field.shape[:1] == (MAX_SEATS,)
        shape = (self.seats, *field.shape[1:]) if over_seats else field.shape
        for place in np.ndindex(shape):
            positions = []
            for viewer in range(self.seats):
                at = place
                if over_seats:
                    seat = (viewer + place[0]) % self.seats
                    if field.per_team:
                        teams = [self._team(viewer + k) for k in range(place[0])]
                        if self._team(viewer + place[0]) in teams:
                            break
                        seat = self._team(seat)
                    at = (seat, *place[1:])
                positions.append(1 + start + (int(np.ravel_multi_index(at, field.shape)) if at else 0))
            else:
                yield place, positions

    def _team(self, seat: int) -> int:
        return int(self.game.rules.team(self.blank_row, seat % self.seats))

    def _add_value(self, name: str, field: Field, positions: list[int], is_relative: bool = True) -> None:
        """Add one plane: a number, a value or a set at these positions."""
        selection = self.selections.get(name, self.selections.get(field.name, FieldSelection()))
        if selection.entries == ():
            return
        members, labels = self._members(field, selection)
        number = len(self.planes)
        self.planes.append((name, labels, field.description))
        if not members:
            bound = 1 if field.kind == FLAG else selection.bound
            self._numbers.append((number, 0, positions, bound))
            return
        has_seats = is_relative and (field.kind == SEAT or field.name == "to_act")
        kind = self._offsets.setdefault((has_seats, members), len(self._offsets))
        is_set = field.kind in (CARDS, SUITS, PILE_OWNERS) or field.name == "to_act"
        (self._sets if is_set else self._values).append((number, 0, positions, kind))

    def _members(self, field: Field, selection: FieldSelection) -> tuple[tuple[int, ...], tuple[str, ...]]:
        """Return the values of a field that have a column, and their names; none for a number."""
        game = self.game
        if field.kind in (CARD, CARDS, TRICK):
            names: Sequence[str] = game.card_names
            possible: Sequence[int] = game.pack(self.blank_row)
        elif field.kind in (SUIT, SUITS):
            names, possible = cards.SUIT_LETTERS, range(4)
        elif field.kind == SEAT or field.name == "to_act":
            names, possible = [str(seat) for seat in range(self.seats)], range(self.seats)
        elif field.name == "question":
            names = [question.name for question in game.questions]
            possible = range(len(names))
        elif field.kind == PILE_OWNERS:
            names, possible = [str(pile) for pile in range(field.pile_count)], range(field.pile_count)
        elif selection.members is not None:
            names, possible = [str(value) for value in range(64)], selection.members
        else:
            return (), ("",)
        members = tuple(member for member in possible if selection.members is None or member in selection.members)
        return members, tuple(names[member] for member in members)

    def table(self, starts: list[int], high: int) -> PlaneTable:
        """Return the layout as arrays; ``starts`` has each plane's first column."""
        offsets = np.full((len(self._offsets), self.seats, 64), -1, np.int16)
        for (is_relative, members), kind in self._offsets.items():
            for viewer in range(self.seats):
                for column, member in enumerate(members):
                    value = (viewer + member) % self.seats if is_relative else member
                    offsets[kind, viewer, value] = column

        def arrays(entries: list[tuple[int, int, list[int], int]]) -> tuple[Any, Any, Any]:
            positions = np.array([each for _, _, each, _ in entries], np.int32).reshape(-1, self.seats)
            columns = np.array([starts[number] + column for number, column, _, _ in entries], np.int32)
            return np.ascontiguousarray(positions.T), columns, np.array([last for *_, last in entries], np.int32)

        number_at, number_column, bounds = arrays(self._numbers)
        scale = (np.float32(high) / bounds).astype(np.float32)
        return PlaneTable(number_at, number_column, scale, *arrays(self._values), *arrays(self._sets), offsets)
