"""Several answers in one request: a rejected batch reveals nothing to its sender (R2)."""

import json
import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from diamonds import cards, deals, fields, views
from diamonds.game import GAMES, Game
from diamonds.server.tables.core import batched_answers
from tests.server.support.client import Client
from tests.server.support.live_server import LiveServer, full_table
from tests.support.random_positions import indistinguishable_state

CASES = [
    ("crystals", 4, {}),
    pytest.param("crystals", 2, {}, marks=pytest.mark.later),
    pytest.param("crystals", 4, {"partnership": True, "memory_aid": False}, marks=pytest.mark.later),
    pytest.param("fourteen", 3, {"target": 20}, marks=pytest.mark.later),
    ("fourteen", 3, {"scoring": "bid", "bids": "sealed"}),
    ("mines", 2, {}),
]


def random_questions(
    game: Game, seats: int, options: dict[str, Any], rng: random.Random
) -> Iterator[tuple[np.void, int]]:
    """Yield states of random games with a seat to act."""
    while True:
        state = game.start(seats, options, rng.sample(range(4 * game.ranks), seats))
        while not state["over"]:
            if game.needs_deal(state):
                game.deal(state, rng.sample(game.pack(state), len(game.pack(state))))
            seat = rng.choice(game.to_act(state))
            yield fields.copy_state(state), seat
            game.apply_answer(state, seat, rng.choice(game.legal(state, seat)))


def all_knowing_answers(game: Game, state: np.void, seat: int, rng: random.Random) -> tuple[list[str], bool]:
    """Return the answers of a player who knows every card, and whether any names a card that was not in hand.

    The player answers up to five questions in a row, and prefers such cards.
    """
    state, held, found, peeks = fields.copy_state(state), int(state["hand"][seat]), [], False
    while len(found) < 5 and int(state["to_act"]) >> seat & 1:
        legal = game.legal(state, seat)
        new = [name for name in legal if name in game.card_names and not held >> game.card_names.index(name) & 1]
        peeks = peeks or bool(new)
        found.append(f"{game.question(state).name} {rng.choice(new or legal)}")
        game.apply_answer(state, seat, found[-1].split(" ")[1])
        if game.needs_deal(state):
            game.deal(state, rng.sample(game.pack(state), len(game.pack(state))))
    return found, peeks


def broken_batches(game: Game, answers: list[str], rng: random.Random) -> list[str]:
    """Return the answers unchanged, only the first, or with another one appended that may be invalid."""
    question = rng.choice(game.questions)
    ends = ["xx yy", "nonsense", f"{question.name} {rng.choice(question.answers)}", answers[-1]]
    return rng.choice([answers, answers, answers[:1], [*answers, rng.choice(ends)]])


class BatchProbe:
    """A sender of batches to a table, in one world after another. Nothing is ever committed."""

    def __init__(self, server: LiveServer, monkeypatch: pytest.MonkeyPatch) -> None:
        self.tables = server.app.tables
        self.counts: Counter[str] = Counter()

        async def nothing_is_written(table: Any, change: Any) -> bytes:
            return b'{"accepted":%d}' % len(change.entries)

        monkeypatch.setattr(self.tables, "commit", nothing_is_written)
        for game in GAMES.values():
            for name in ("step", "legal", "deal"):
                monkeypatch.setattr(game.rules, name, self._counted(name, getattr(game.rules, name)))

    def _counted(self, name: str, rule: Any) -> Any:
        def counted(*given: Any) -> Any:
            self.counts[name] += 1
            return rule(*given)

        return counted

    def send(self, guest: Client, table: Any, world: np.void, answers: list[str]) -> tuple[int, bytes, Counter[str]]:
        """Return the reply, and how often the rules were called."""
        truth = table.game_state.state
        table.game_state.state, table.update_cache = world, None
        self.counts.clear()
        try:
            guest.answer(table.id, table.n, *answers, expect=None)
        finally:
            assert table.game_state.state is world, "expected no commit"
            table.game_state.state, table.update_cache = truth, None
        return guest.status, guest.reply_body, self.counts.copy()


@pytest.mark.parametrize(("game", "seats", "options"), CASES)
def test_r2_batch_reply_is_equal_in_indistinguishable_states(server, monkeypatch, game, seats, options):
    rng = random.Random(f"{game} {options}")
    id, guests = full_table(server, game, seats, options=options)
    table = server.app.tables.get(id)
    peeker = BatchProbe(server, monkeypatch)
    statuses: Counter[int] = Counter()
    for state, seat in random_questions(table.game, seats, options, rng):
        answers, peeks = all_knowing_answers(table.game, state, seat, rng)
        if not peeks and rng.random() < 0.97:
            continue
        answers = broken_batches(table.game, answers, rng)
        replies = []
        for world in (state, indistinguishable_state(table.game, state, seat, rng)):
            deck = rng.sample(table.game.pack(state), len(table.game.pack(state)))
            monkeypatch.setattr(deals, "deck", lambda *_, deck=deck: deck)
            replies.append(peeker.send(guests[seat], table, world, answers))
        assert replies[0] == replies[1], f"expected the same reply to {answers} of seat {seat} in every world"
        statuses[replies[0][0]] += 1
        if statuses.total() == 60:
            break
    assert min(statuses[200], statuses[400], statuses[409]) > 2, statuses


def compare_worlds(
    server: LiveServer, table: Any, guest: Client, seat: int, batches: list[list[str]], times: int = 100
) -> set[tuple[int, str]]:
    """Return the replies to the batches in the true world and in others that look the same to the seat."""
    heard = set()
    rng = random.Random(len(batches))
    truth, n = table.game_state.state, table.n
    for k in range(times):
        table.game_state.state = truth if k % 5 == 0 else indistinguishable_state(table.game, truth, seat, rng)
        table.update_cache = None
        guest.answer(table.id, table.n, *batches[k % len(batches)], expect=None)
        assert guest.status in (400, 409), "expected an error for invalid answers"
        heard.add((guest.status, json.loads(guest.reply_body)["error"]))
    table.game_state.state, table.update_cache = truth, None
    assert table.n == n, "expected no commit of invalid answers"
    return heard


def test_rejected_batch_does_not_name_the_top_card(server, monkeypatch):
    id, guests = full_table(server, "mines", 2)
    table = server.app.tables.get(id)
    seat = int(table.game_state.state["turn"])
    guests[seat].answer(id, 0, "turn go")
    pile = 0 if seat == table.game_state.state["first"] else 12
    hearts = [name for name in table.game.card_names if name[0] == "H"]
    monkeypatch.setattr(table.game.rules, "step", None)  # checked by name alone: no card is turned, not even on a copy
    for end in (["xx yy"], []):
        batches = [[f"dig {pile}", f"grow {heart}", *end] for heart in hearts]
        heard = compare_worlds(server, table, guests[seat], seat, batches)
        assert len(heard) == 1, f"expected one reply to all batches: {heard}"
    assert heard == {
        (409, f"“dig {pile}” must be the last answer of a request. Send the next one after you have seen the result.")
    }


@pytest.mark.later
def test_question_wrongly_declared_silent_still_reveals_nothing(server, monkeypatch):
    """The second safeguard: an answer followed by another is checked on the view, which lacks the hidden cards."""
    id, guests = full_table(server, "mines", 2)
    table = server.app.tables.get(id)
    seat = int(table.game_state.state["turn"])
    questions = list(table.game.questions)
    names = [question.name for question in questions]
    questions[names.index("dig")] = questions[names.index("dig")]._replace(silent=(0, 12), follow_up="grow")
    monkeypatch.setattr(table.game, "questions", tuple(questions))
    guests[seat].answer(id, 0, "turn go")
    pile = 0 if seat == table.game_state.state["first"] else 12
    for name in table.game.card_names:
        heard = compare_worlds(server, table, guests[seat], seat, [[f"dig {pile}", f"grow {name}"]], 5)
        assert len(heard) == 1, f"expected one reply whether or not {name} is on top: {heard}"


def test_c9_received_cards_are_hidden_until_the_pass_is_committed(server):
    id, guests = full_table(server, "crystals", 2)
    table = server.app.tables.get(id)
    dealer = int(table.game_state.state["dealer"])
    guests[dealer].answer(id, 0, "count 3")
    state, seat, other = table.game_state.state, 1 - dealer, dealer
    while int(table.game_state.state["to_act"]) >> other & 1:
        guests[other].answer(id, table.n, f"pass {table.game.legal(table.game_state.state, other)[0]}")
    own = [f"pass {table.game.card_names[card]}" for card in list(cards.iter_bits(int(state["hand"][seat])))[:3]]
    for end in (["xx yy"], []):
        batches = [[*own, f"play {name}", *end] for name in table.game.card_names]
        heard = compare_worlds(server, table, guests[seat], seat, batches)
        assert len(heard) == 1, f"expected one reply to all batches: {heard}"
    more = compare_worlds(server, table, guests[seat], seat, [[*own, f"pass {name}"] for name in table.game.card_names])
    assert len(more) == 1, f"expected one reply to passing too many cards: {more}"
    guests[seat].answer(id, table.n, *own)


def test_m11_pass_does_not_reveal_early_whether_it_ends_the_game(server):
    id, guests = full_table(server, "mines", 2)
    table = server.app.tables.get(id)
    seat = int(table.game_state.state["turn"])
    truth = table.game_state.state
    lost = fields.copy_state(truth)
    lost["owner"][1 - seat] = 0  # the other player has no pile, and so cannot get seven ♦
    heard = set()
    for k in range(100):
        table.game_state.state, table.update_cache = (truth, lost)[k % 2], None
        end = (["x y"], ["turn go"], ["claim 3"], ["dig 0"], ["turn pass"])[k // 2 % 5]
        guests[seat].answer(id, 0, "turn pass", *end, expect=None)
        heard.add((tuple(end), guests[seat].status, json.loads(guests[seat].reply_body)["error"]))
    table.game_state.state, table.update_cache = truth, None
    assert len(heard) == 5, f"expected one reply in every world: {heard}"


def test_r5_turn_without_dig_is_public_and_ending_turn_is_not_tried(server):
    """Without a card in its piles or its hand, a seat ends the turn, and perhaps the game, by answering `go` (M10)."""
    id, _ = full_table(server, "mines", 2)
    table = server.app.tables.get(id)
    seat = int(table.game_state.state["turn"])
    heard = set()
    for lost in (False, True):  # the other player may still get seven ♦, which does not matter here
        state = fields.copy_state(table.game_state.state)
        state["left"][list(cards.iter_bits(state["owner"][seat]))] = 0
        if lost:
            state["owner"][1 - seat] = 0
        with pytest.raises(batched_answers.NotAllowedError) as refusal:
            batched_answers.parse_answers(table.game, state, seat, ["turn go", "dig 0"])
        heard.add(str(refusal.value))
    assert heard == {
        "“turn go” must be the last answer of a request. Send the next one after you have seen the result."
    }


@pytest.mark.parametrize("game", GAMES.values(), ids=str)
def test_silent_answer_reveals_nothing_and_leads_to_its_question(game):
    """In random games, the view after a silent answer does not depend on what was hidden before it."""
    rng = random.Random(game.name)
    wanted = {question.name: 15 for question in game.questions if question.silent}
    for state, seat in random_questions(game, game.seats[-1], {}, rng):
        if not any(wanted.values()):
            break
        question, answer = game.question(state), str(rng.choice(game.legal(state, seat)))
        if not wanted.get(question.name) or answer not in map(str, question.silent):
            continue
        worlds = [fields.copy_state(state), indistinguishable_state(game, state, seat, rng)]
        for world in worlds:
            game.apply_answer(world, seat, answer)
        asked = [
            int(world["to_act"]) >> seat & 1 and game.question(world).name == question.follow_up for world in worlds
        ]
        assert asked[0] == asked[1], f"expected “{question.name} {answer}” to lead on whatever is hidden"
        if asked[0]:
            mine, theirs = (views.view(game, world, seat).tobytes() for world in worlds)
            assert mine == theirs, f"expected seat {seat} to see the same after “{question.name} {answer}”"
            wanted[question.name] -= 1
