"""A finished game looked at again: what each decision cost, how the chances went, and how much of the result was luck.

*Cost.* For every decision of a seat the search chooses the best answer from the view that the seat had; the difference to
the answer given is then measured in fresh worlds, which had no part in the choice. It is *marked* only when it is material
(`Knowledge.material`) and certain (so many standard errors as `LOOKS` says). That is the verdict, with what the player knew. Beside it, for marked
decisions, stands what would have been best on the true cards: *hindsight*, which nobody could have known.

*Luck and skill.* The yardstick is someone who decides by rules of thumb (`Knowledge.choose`, the policy of the
playouts). The change of the margin in a round is what the cards promised such a player when they were first seen; plus, for
every decision, how much better or worse the answer given was than theirs (*skill*); plus what is left over: *luck*, the fall
of the cards and what the others did. The three add up exactly. Measured against the best answers instead, every decision
would be a cost and luck would have to make up for it, so the costs are told beside the account, not in it.

*Chances* are forecasts with all cards open, as a spectator who sees every hand might make them: from each moment the game
is played on many times, by rules of thumb, with new deals as they come. They add up to one.

The work comes in small tasks, so that whoever runs it can show progress and do other things between: `plan`, then `judge`
for each task and `forecast` for each moment, then `sum_up`. `review` does all of it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from diamonds import records
from diamonds.bots import knowing
from diamonds.bots.advising import hints
from diamonds.bots.bot import see
from diamonds.bots.knowing.contract import CHANCE, Looks, Unit
from diamonds.cards import bit
from diamonds.entries import Answer, read_words
from diamonds.game import Game, Illegal, find_game
from diamonds.words import Message

LOOKS = Looks(glance=400, long=2000, hindsight=300, certain=2.5)
SEEDS = (0, 2, 3, 7, 4, 6)  # what each look's worlds are drawn by, beside the task's own
SLIPS = 100  # random answers among a thousand in those


class Task(NamedTuple):
    """One decision to be judged. ``row`` is what the seat saw, ``truth`` the state behind it; both as bytes."""

    game: str
    n: int  # how many answers came before
    seat: int
    deal: int
    given: int  # the answer, or the set of cards passed
    row: bytes
    truth: bytes
    seed: int


class Moment(NamedTuple):
    """A moment to forecast from: after n answers, with the state as bytes."""

    game: str
    n: int
    state: bytes
    seed: int


class Hindsight(NamedTuple):
    """What would have been best on the true cards, and by how much."""

    says: Message
    cost: float
    cost_error: float


class Decision(NamedTuple):
    """One decision, judged. Costs are in the review's unit; ``n`` is how many answers came before.

    ``skill`` is by how much the answer was better than that by rule of thumb, ``value`` the margin which that one promised
    (mines: the chance to win). ``points``, ``skill`` and ``value`` leave out what winning counts beside the margin.
    """

    n: int
    seat: int
    deal: int
    question: str
    says: Message
    best: Message
    cost: float
    cost_error: float
    marked: bool
    because: tuple[Message, ...]
    hindsight: Hindsight | None
    points: float
    value: float
    skill: float
    skill_error: float


class Round(NamedTuple):
    """One deal in the account of a seat: ``end = start + cards + luck + skill``. The best answers would have brought ``cost`` more."""

    start: float
    cards: float
    luck: float
    skill: float
    cost: float
    end: float


class Account(NamedTuple):
    """How a seat came to its result: ``result = start + cards + luck + skill``, over all rounds; see `Round`."""

    seat: int
    start: float
    cards: float
    luck: float
    skill: float
    skill_error: float
    cost: float
    result: float
    decisions: int
    marked: int
    rounds: tuple[Round, ...]


class Chances(NamedTuple):
    """Each seat's chance to win, after n answers."""

    n: int
    chances: tuple[float, ...]


class Plan(NamedTuple):
    """The work that a review takes, and what is known without it: each seat's margin before the first deal and after each."""

    game: str
    seats: tuple[int, ...]
    tasks: tuple[Task, ...]
    moments: tuple[Moment, ...]
    margins: tuple[tuple[float, ...], ...]  # by deal, then by seat; the first entry is the start


class Review(NamedTuple):
    """A whole review. ``worlds`` is how many fresh worlds stand behind a marked decision."""

    unit: Unit
    material: float
    worlds: int
    decisions: tuple[Decision, ...]
    accounts: tuple[Account, ...]
    chances: tuple[Chances, ...]


def key(match: records.Match) -> str:
    """What names a game's review: the same for the same deals and answers."""
    parts = [match.game.name, match.seats, sorted(match.options.items()), match.secret, match.nonces, match.answers]
    return hashlib.sha256(repr(parts).encode()).hexdigest()


def review(
    match: records.Match, seats: Sequence[int] | None = None, progress: Callable[[int, int], None] | None = None
) -> Review:
    """Review a finished game, for some seats or all. ``progress`` is told how much of how much is done. See above.

    `Illegal` where compiled playouts are not installed, or the game is not over.
    """
    work = plan(match, seats)
    total, done = len(work.tasks) + len(work.moments), 0

    def step() -> None:
        nonlocal done
        done += 1
        if progress is not None:
            progress(done, total)

    decisions, chances = [], []
    for task in work.tasks:
        decisions.append(judge(task))
        step()
    for moment in work.moments:
        chances.append(forecast(moment))
        step()
    return sum_up(work, decisions, chances)


def plan(match: records.Match, seats: Sequence[int] | None = None) -> Plan:
    """Play the game again, and note every decision and every moment to look at. What a bot answered for somebody is not theirs."""
    hints.require()
    if not match.over:
        raise Illegal("hint-game-not-over")
    game = match.game
    wanted = tuple(range(match.seats)) if seats is None else tuple(seats)
    seed = int(key(match)[:12], 16)
    again = records.start(game, match.seats, match.options, match.secret, match.nonces, match.players, match.version)
    tasks: list[Task] = []
    moments = [Moment(game.name, 0, again.state.tobytes(), seed)]
    margins = [tuple(margin(game, again.state, seat) for seat in range(match.seats))]
    known, begun = knowing.of(game), 0  # seats that have named some of a set already, as bits
    for n, (seat, question, answer) in enumerate(match.answers):
        state = again.state
        sets = known.sets(state)
        starts = not sets or not begun >> seat & 1
        begun = begun | bit(seat) if sets else 0
        entry = read_words(match.entries[match.places[n]].partition(" ")[2])
        own = isinstance(entry, Answer) and not entry.by
        if seat in wanted and own and starts and len(game.legal(state, seat)) > 1:
            given = the_set(match, n) if sets else game.answers[int(state["question"])][str(answer)]
            row = see(game, state, seat).row.tobytes()
            tasks.append(Task(game.name, n, seat, int(state["deals"]), given, row, state.tobytes(), seed + 8 * n))
        before = (int(state["deals"]), int(known.clock(state)))
        again.answer(seat, answer, question)
        now = (int(again.state["deals"]), int(known.clock(again.state)))
        if now != before or again.over:
            moments.append(Moment(game.name, n + 1, again.state.tobytes(), seed + 8 * n + 5))
        if now[0] != before[0] or again.over:
            margins.append(tuple(margin(game, again.state, seat) for seat in range(match.seats)))
    return Plan(game.name, wanted, tuple(tasks), tuple(moments), tuple(margins))


def the_set(match: records.Match, n: int) -> int:
    """All cards of the set whose first is answer n."""
    seat, named, _ = match.answers[n]
    cards = 0
    for other, question, answer in match.answers[n:]:
        if question != named:
            break
        cards |= bit(match.game.names.index(str(answer))) if other == seat else 0
    return cards


def margin(game: Game, state: np.void, seat: int) -> float:
    """A seat's points less the mean of its rivals', or where chances are measured its chance to win: half of one until it is over."""
    if knowing.of(game).unit != CHANCE:
        return hints.now(game, state, seat)
    if not state["over"]:
        return 50.0
    winners = [one for one in range(int(state["seats"])) if game.rules.place(state, one) == 0]
    return 100.0 / len(winners) if seat in winners else 0.0


def judge(task: Task) -> Decision | None:
    """Judge one decision; ``None`` if all its answers amount to the same."""
    from diamonds.bots.thinking import judge

    game, seat = find_game(task.game), task.seat
    row, truth = (np.frombuffer(bytearray(one), game.dtype)[0] for one in (task.row, task.truth))
    judged = judge.judge(game, row, truth, seat, task.given, LOOKS, [task.seed + look for look in SEEDS])
    if judged is None:
        return None
    found, counts = judged
    because: list[Message] = []
    if found.marked:
        from diamonds.bots.advising import reasons

        because = reasons.reasons(game, row, seat, found.best, counts[0], found.stands, counts[1])
    question = game.question(row).name

    def spoken(candidate: int) -> Message:
        return hints.spoken(game, question, hints.names_of(game, row, seat, candidate))

    return Decision(
        n=task.n,
        seat=seat,
        deal=task.deal,
        question=question,
        says=spoken(task.given),
        best=spoken(found.best),
        cost=found.cost,
        cost_error=found.cost_error,
        marked=found.marked,
        because=tuple(because),
        hindsight=Hindsight(spoken(found.hindsight), found.regret, found.regret_error) if found.marked else None,
        points=found.points,
        value=found.value + (50.0 if knowing.of(game).by_chance else 0.0),
        skill=found.skill,
        skill_error=found.skill_error,
    )


def forecast(moment: Moment) -> Chances:
    """Each seat's chance to win from a moment on."""
    from diamonds.bots.thinking import weigh

    game = find_game(moment.game)
    state = np.frombuffer(bytearray(moment.state), game.dtype)[0]
    games = 1 if state["over"] else knowing.of(game).forecasts
    return Chances(moment.n, tuple(weigh.forecast(game, state, games, SLIPS, moment.seed)))


def sum_up(work: Plan, decisions: Sequence[Decision | None], chances: Sequence[Chances]) -> Review:
    """The whole review, from its parts."""
    judged = tuple(decision for decision in decisions if decision is not None)
    game = find_game(work.game)
    accounts = tuple(account(work, seat, [d for d in judged if d.seat == seat]) for seat in work.seats)
    return Review(knowing.of(game).unit, knowing.of(game).material, LOOKS.long, judged, accounts, tuple(chances))


def account(work: Plan, seat: int, decisions: Sequence[Decision]) -> Account:
    """A seat's rounds, and what they add up to."""
    rounds = []
    for deal in range(1, len(work.margins)):
        start, end = work.margins[deal - 1][seat], work.margins[deal][seat]
        own = [decision for decision in decisions if decision.deal == deal]
        skill = hints.total([decision.skill for decision in own])
        cards = own[0].value - start if own else 0.0
        cost = hints.total([decision.points for decision in own])
        rounds.append(Round(start, cards, end - start - cards - skill, skill, cost, end))
    return Account(
        seat=seat,
        start=work.margins[0][seat],
        cards=hints.total([one.cards for one in rounds]),
        luck=hints.total([one.luck for one in rounds]),
        skill=hints.total([one.skill for one in rounds]),
        skill_error=float(
            np.sqrt(hints.total([decision.skill_error * decision.skill_error for decision in decisions]))
        ),
        cost=hints.total([one.cost for one in rounds]),
        result=work.margins[-1][seat],
        decisions=len(decisions),
        marked=sum(decision.marked for decision in decisions),
        rounds=tuple(rounds),
    )
