"""Bots are fair: exchanging hidden cards changes no answer, and the test notices a bot that peeks."""

from collections import Counter

import numpy as np
import pytest

from diamonds import fields, views
from diamonds.bots import kernels
from diamonds.bots.bot import Bot, BotView, bot_view
from diamonds.bots.levels import BOTS
from diamonds.bots.search.world_sampling import sample_worlds
from diamonds.game import GAMES, Game
from tests.support.random_games import CASES, ONE_PER_KIND, new_random_game, play_random, possible_questions
from tests.support.sample_sizes import short_or_long

pytestmark = pytest.mark.kernels


@pytest.fixture(scope="module", autouse=True)
def _kernels() -> None:
    for game in GAMES.values():
        kernels.load(game)


class Peeker:
    """A cheating bot: the simple policy, except that it looks at the left neighbour's hand."""

    def __init__(self) -> None:
        self.truth: np.void | None = None

    def choose(self, view: BotView, question: str, rng: np.random.Generator) -> int:
        """Prefer the highest legal answer if the neighbour holds an odd number of cards of the lowest suit."""
        hand = int(self.truth["hand"][(view.seat + 1) % int(view.row["seats"])])
        legal = [k for k in range(60) if view.legal >> k & 1]
        return legal[-1] if (hand & 0x1FFF).bit_count() % 2 else legal[0]


def decisions(bot: Bot, game: Game, states: list[np.void], seat: int, seed: int) -> list[int]:
    """Return a bot's answers in these states, with the same random numbers."""
    found = []
    for state in states:
        if isinstance(bot, Peeker):
            bot.truth = state
        found.append(
            bot.choose(bot_view(game, state, seat), game.question(state).name, np.random.default_rng([seed, seat]))
        )
    return found


def count_unfair_decisions(
    bot: Bot, name: str, seats: int, options: dict, positions: int, seed: int
) -> tuple[int, Counter]:
    """Return in how many positions exchanged hidden cards change a bot's answer, and a count of the questions."""
    game, rng, asked, changed = GAMES[name], np.random.default_rng(seed), Counter(), 0
    while asked.total() < positions:
        state = new_random_game(game, seats, options, rng)
        for seat in play_random(game, state, rng):
            if game.question(state).name not in asked or rng.random() < 0.5:
                row = bot_view(game, state, seat).row
                worlds = [*map(fields.copy_state, sample_worlds(game, row, seat, 2, int(rng.integers(2**60))))]
                changed += len(set(decisions(bot, game, [state, *worlds], seat, seed))) > 1
                asked[game.question(state).name] += 1
            legal = int(game.rules.legal(state, seat))
            game.rules.step(state, seat, int(rng.choice([k for k in range(60) if legal >> k & 1])), None)
            if asked.total() == positions:
                break
    return changed, asked


@short_or_long(
    "positions", 2_400, 10_000
)  # over all games, numbers of players and variants; one of each kind without `-m slow`
@pytest.mark.parametrize(("name", "seats", "options"), ONE_PER_KIND)
def test_r2_new_deal_of_the_hidden_cards_changes_no_bots_answer(name, seats, options, positions):
    """The simple policy and a searching level share the positions. The level has a full search, tastes and errors."""
    each = positions * (5 if name == "mines" else 3) // (3 * len(CASES)) + 1  # some questions of mines are rare
    asked: Counter = Counter()
    for bot, share in (("simple", each // 2), ("3", each - each // 2)):
        changed, questions = count_unfair_decisions(BOTS[bot], name, seats, options, share, 11)
        assert changed == 0, f"{bot} changed {changed} of {share} answers when unseen cards were exchanged"
        asked += questions
    expected = possible_questions(name, seats, options)
    assert set(asked) == expected, f"never asked: {expected - set(asked)}"


@pytest.mark.parametrize(("name", "seats"), [("crystals", 4), ("fourteen", 3), ("mines", 2)])
def test_bot_that_peeks_is_found_out(name, seats):
    changed, asked = count_unfair_decisions(Peeker(), name, seats, {}, 60, 11)
    assert changed > 5, f"a bot that sees a neighbour's hand was noticed in only {changed} of {asked.total()} positions"


@short_or_long("positions", 8, 25)
@pytest.mark.parametrize("name", list(GAMES))
def test_best_level_is_fair_too(name, positions):
    changed, _ = count_unfair_decisions(BOTS["5"], name, GAMES[name].seats[-1], {}, positions, 12)
    assert changed == 0


def test_bot_is_given_a_perfect_memory_and_no_more():
    """A bot sees the table's view of its seat, and everything that was public when it happened (C4, C14)."""
    game, rng = GAMES["crystals"], np.random.default_rng(0)
    state = game.start(4, {"memory_aid": False}, [1, 2, 3, 4])
    game.rules.deal(state, rng.permutation(game.pack(state)), None)
    given, shown = bot_view(game, state, 2).row, views.view(game, state, 2)
    differing = {f.name for f in game.fields if not np.array_equal(given[f.name], shown[f.name])}
    assert differing == {"played", "void", "taken", "vault"}
