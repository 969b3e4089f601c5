"""Your own bots, named by module and factory or by an entry point, play everywhere, and their faults are explained."""

import importlib
import json
import pickle
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from diamonds.bots import levels, plugins
from diamonds.bots.bot import BotView, bot_view
from diamonds.bots.levels import BOTS, find_bot
from diamonds.errors import BotError, DiamondsError, InvalidInputError, NotFoundError
from diamonds.game import GAMES
from diamonds.lab.arena import MatchSetup, run_match
from tests.support.positions import position
from tests.support.terminal import random_typing

pytestmark = pytest.mark.later

BOTS_MODULE = '''
class Lowest:
    """Gives its lowest legal answer."""

    def choose(self, view, question, rng):
        return (view.legal & -view.legal).bit_length() - 1


class Vandal(Lowest):
    """Overwrites its view, then does the same."""

    def choose(self, view, question, rng):
        answer = super().choose(view, question, rng)
        for name in view.row.dtype.names:
            view.row[name] = 0
        return answer


class Peeping(Lowest):
    """Fails if it sees a card in another hand."""

    def choose(self, view, question, rng):
        hands = [int(hand) for seat, hand in enumerate(view.row["hand"][: int(view.row["seats"])]) if seat != view.seat]
        if any(hand != -1 for hand in hands) and not view.row["over"]:
            raise RuntimeError("it sees other hands")
        return super().choose(view, question, rng)


class Cheat:
    def choose(self, view, question, rng):
        return 59


class Text:
    def choose(self, view, question, rng):
        return "H7"


class Broken:
    def choose(self, view, question, rng):
        return 1 // 0


class Exits:
    def choose(self, view, question, rng):
        raise SystemExit(0)


def number():
    return 3


def needs_weights():
    raise FileNotFoundError("no weights")


def with_argument(depth):
    return Lowest()


constant = 4
'''


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A module with bots in the current folder; returns its name."""
    folder = tmp_path / "here"
    folder.mkdir()
    (folder / "ownbots.py").write_text(BOTS_MODULE, encoding="utf-8")
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "path", [entry for entry in sys.path if entry])
    yield "ownbots"
    _forget()


def _forget() -> None:
    for name in [name for name in sys.modules if name.startswith(("ownbots", "deepbots", "brokenbots", "mybot"))]:
        del sys.modules[name]
    plugins.find_plugin_bot.cache_clear()
    plugins._entry_points.cache_clear()
    importlib.invalidate_caches()


@pytest.mark.usefixtures("module")
def test_arena_plays_a_bot_of_the_current_folder_in_several_processes(run_cli):
    out = run_cli.output("arena", "crystals", "ownbots:Lowest", "random", "random", "--blocks", "2", "--processes", "2")
    assert "ownbots:Lowest  margin" in out


@pytest.mark.usefixtures("module")
def test_runs_merge_only_if_the_code_of_their_bot_is_the_same(run_cli):
    for block, file in (("0", "a.json"), ("2", "b.json"), ("4", "c.json")):
        if file == "c.json":
            _forget()
            Path("ownbots.py").write_text(BOTS_MODULE + "# changed\n", encoding="utf-8")
        options = ["--blocks", "2", "--first-block", block, "--processes", "1", "--json", file]
        assert run_cli("arena", "mines", "ownbots:Lowest", "random", *options)[0] == 0
    assert run_cli("arena", "--merge", "a.json", "b.json")[0] == 0
    assert "differ in the source code of rules and bots" in run_cli("arena", "--merge", "a.json", "c.json")[2]


@pytest.mark.usefixtures("module")
def test_simulation_and_playthrough_of_one_seed_are_the_same_game(run_cli):
    options = ["mines", "--seed", "3", "--bot", "ownbots:Lowest", "--bot", "random"]
    out = run_cli.output("simulate", *options, "--games", "1", "--json")
    summary = json.loads(out)
    out = run_cli.output("playthrough", *options)
    lines = [json.loads(line) for line in out.splitlines()]
    assert sum("answer" in line for line in lines) == summary["plies_per_game"]
    assert lines[-1]["result"]["scores"] == [row["mean_score"] for row in summary["rows"]]
    assert {line["answer"] for line in lines if line.get("seat") == 0 and line["ask"][0]["question"] == "turn"} == {
        "pass"
    }, "expected the first seat's lowest answers"


@pytest.mark.usefixtures("module")
def test_terminal_game_is_resumed_only_if_its_bot_is_named_again(run_cli, home):
    assert run_cli("play", "crystals", "--seats", "2", "--bot", "mine=ownbots:Lowest", "--seed", "1")[0] == 0
    saved = json.loads((home / "crystals.json").read_text(encoding="utf-8"))
    assert saved["seated"] == ["person", "bot:mine"]
    _forget()
    err = run_cli.error("play", "crystals")
    assert err == (
        "Seat 1 of the saved game is played by the bot mine. Name it again, as in --bot mine=module:factory.\n"
    )
    assert "ownbots" not in sys.modules, "expected no code to be loaded because a file names it"
    run_cli.output("play", "crystals", "--bot", "mine=ownbots:Lowest", typed=random_typing(1))
    assert json.loads((home / "crystals.json").read_text(encoding="utf-8"))["result"]


def test_saved_game_cannot_name_a_module(run_cli, home):
    assert run_cli("play", "crystals", "--seats", "2", "--seed", "1")[0] == 0
    file = home / "crystals.json"
    file.write_text(file.read_text(encoding="utf-8").replace("bot:simple", "bot:ownbots:Lowest"), encoding="utf-8")
    code, _, err = run_cli("play", "crystals")
    assert (code, "Traceback" in err) == (2, False)


def test_bot_is_found_by_its_entry_point(tmp_path, monkeypatch):
    (tmp_path / "deepbots.py").write_text(BOTS_MODULE, encoding="utf-8")
    installed = tmp_path / "deepbots-1.0.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: deepbots\nVersion: 1.0\n", encoding="utf-8")
    (installed / "entry_points.txt").write_text("[diamonds.bots]\nlowest = deepbots:Lowest\n", encoding="utf-8")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    _forget()
    try:
        bot = find_bot("lowest")
        assert type(bot.bot).__name__ == "Lowest"  # type: ignore[attr-defined]
        assert (levels.level_name("lowest"), levels.level_name("deep=lowest")) == ("lowest", "deep")
        assert pickle.loads(pickle.dumps(bot)).name == "lowest"
        with pytest.raises(NotFoundError):
            levels.find_level("lowest", GAMES["mines"])
    finally:
        _forget()


@pytest.mark.usefixtures("module")
@pytest.mark.parametrize(("name", "sentence"), [
    ("nowhere:make", "there is no module nowhere. Run the command in its folder, or install it."),
    ("ownbots.deeper:make", "there is no module ownbots.deeper"),
    ("ownbots:missing", "ownbots has no function or class missing. Define it in .*ownbots.py"),
    ("ownbots:constant", "ownbots has no function or class constant"),
    ("ownbots:number", "number.. returns .int., which has no method .choose"),
    ("ownbots:needs_weights", r"needs_weights.. fails with FileNotFoundError: no weights \(ownbots.py, line \d+\)"),
    ("ownbots:with_argument", "with_argument.. fails with TypeError: .*depth"),
    ("ownbots:", "does not name a bot. Write the module and the factory, as in mybot:make"),
    ("ownbots:Lowest()", "does not name a bot"),
    ("../ownbots:Lowest", "does not name a bot"),
    ("ownbots", "There is no bot 'ownbots'. .*A bot of your own is named by its module and factory"),
    ("5=ownbots:Lowest", "would be called 5 at tables, like another bot"),
    ("A Bot=ownbots:Lowest", "needs a name at the table: at most twelve"),
])  # fmt: skip
def test_name_that_leads_to_no_bot_gets_one_sentence(run_cli, name, sentence):
    for command in (["arena", "crystals", name, "random"], ["simulate", "crystals", "--bot", name]):
        code, out, err = run_cli(*command)
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert re.search(sentence, err), err


@pytest.mark.parametrize(("code", "why"), [
    ("import nothing_of_this_name", "ModuleNotFoundError: No module named 'nothing_of_this_name'"),
    ("def broken(:", "SyntaxError"),
    ("raise SystemExit(3)", r"SystemExit: 3 \(brokenbots.py, line 1\)"),
])  # fmt: skip
def test_module_that_fails_is_named_with_its_fault(module, run_cli, code, why):
    Path("brokenbots.py").write_text(code, encoding="utf-8")
    err = run_cli.error("simulate", "mines", "--bot", "brokenbots:make")
    assert re.search(f"The bot brokenbots:make cannot be loaded: the module brokenbots fails with {why}", err), err


@pytest.mark.usefixtures("module")
@pytest.mark.parametrize(("bot", "sentence"), [
    ("Cheat", r"gave an illegal answer to the question “\w+”: 59. Legal answers are \d+ \(\w+\), "),
    ("Text", r"gave an illegal answer to the question “\w+”: “H7”. Legal answers are"),
    ("Broken", r"failed on the question “\w+”: ZeroDivisionError: .* \(ownbots.py, line \d+\)"),
    ("Exits", r"failed on the question “\w+”: SystemExit: 0"),
])  # fmt: skip
def test_bot_that_breaks_the_rules_or_fails_is_named_with_the_question(run_cli, bot, sentence):
    for command in (
        ["arena", "crystals", f"ownbots:{bot}", "random", "--blocks", "2", "--processes", "12"[bot == "Cheat"]],
        ["simulate", "crystals", "--seats", "2", "--bot", f"ownbots:{bot}"],
        ["playthrough", "crystals", "--seats", "2", "--bot", f"ownbots:{bot}"],
        ["play", "crystals", "--seats", "2", "--bot", f"ownbots:{bot}", "--seed", "1", "--new"],
    ):
        code, _, err = run_cli(*command, typed=random_typing(1))
        assert (code, err.count("\n")) == (2, 1)
        assert re.match(f"The bot ownbots:{bot} {sentence}", err), err


@pytest.mark.usefixtures("module")
def test_bot_sees_its_own_hand_only_and_cannot_change_the_game(run_cli):
    games = []
    for bot in ("Lowest", "Vandal", "Peeping"):
        out = run_cli.output("playthrough", "fourteen", "--seed", "5", "--bot", f"ownbots:{bot}")
        games.append(out)
    assert games[0] == games[1] == games[2]


@pytest.mark.usefixtures("module")
def test_own_bot_sits_in_the_environments():
    gymnasium = pytest.importorskip("gymnasium")
    import diamonds.envs.gymnasium  # noqa: F401

    env = gymnasium.make("diamonds/mines-v1", bots="ownbots:Lowest")
    _, info = env.reset(seed=1)
    over = False
    while not over:
        _, _, terminated, truncated, info = env.step(int(info["action_mask"].argmax()))
        over = terminated or truncated


class Simple:
    """A bot that is an object and plays like `simple`."""

    def choose(self, view: BotView, question: str, rng: np.random.Generator) -> int:
        """See `Bot`."""
        return BOTS["simple"].choose(view, question, rng)


def test_bot_objects_play_in_several_processes_with_the_same_result():
    match = MatchSetup("fourteen", ("mine", "random", "simple"), {"target": 5}, 3)
    played = [run_match(match, 3, processes=n, bots={"mine": Simple()})[1] for n in (1, 2)]
    named = run_match(MatchSetup("fourteen", ("simple", "random", "simple"), {"target": 5}, 3), 3, processes=1)[1]
    assert [block.orders for block in played[0]] == [block.orders for block in played[1]]
    assert [block.orders for block in played[0]] == [block.orders for block in named]


def test_bot_object_that_cannot_be_pickled_gets_one_sentence():
    class Local(Simple):
        pass

    match = MatchSetup("mines", ("mine", "random"))
    with pytest.raises(InvalidInputError, match="The bot mine cannot be sent to other processes"):
        run_match(match, 2, processes=2, bots={"mine": Local()})
    assert run_match(match, 2, processes=1, bots={"mine": Local()})[0].blocks == 2


def test_illegal_answers_of_every_kind_are_refused():
    class Answers:
        def __init__(self, answer: object) -> None:
            self.answer = answer

        def choose(self, view: BotView, question: str, rng: np.random.Generator) -> object:
            """Return the fixed answer."""
            return self.answer

    from diamonds.bots.bot import choose_legal

    view, rng = bot_view(GAMES["crystals"], position("crystals", 4), 0), np.random.default_rng(0)
    legal = next(k for k in range(60) if view.legal >> k & 1)
    question = GAMES["crystals"].question(view.row).name
    assert choose_legal(Answers(np.int64(legal)), "b", view, question, rng) == legal  # type: ignore[arg-type]
    for answer in (
        -1,
        63,
        10**30,
        float(legal),
        None,
        "7",
        [legal],
        np.array([1, 2]),
        True if not view.legal & 2 else -2,
    ):
        with pytest.raises(BotError, match="The bot b gave an illegal answer"):
            choose_legal(Answers(answer), "b", view, question, rng)  # type: ignore[arg-type]


def test_example_bot_of_the_lab_page_plays_everywhere(tmp_path, monkeypatch, run_cli):
    page = (Path(__file__).parents[1] / "docs" / "lab.md").read_text(encoding="utf-8")
    found = re.search(r"```python\n# (mybot\.py)\n(.*?)```\n(.*?)```sh\n(.*?)```", page, re.DOTALL)
    assert found, "expected the file mybot.py and its commands"
    assert len(found[2].strip().splitlines()) <= 10
    (tmp_path / found[1]).write_text(found[2], encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [entry for entry in sys.path if entry])
    commands = [line.split("#")[0].split()[1:] for line in found[4].strip().splitlines()]
    assert {command[0] for command in commands} == {"arena", "simulate", "play", "playthrough", "serve"}
    for command in commands:
        if command[0] != "serve":  # tests/server/test_plugin_tables.py starts a server
            run_cli.output(*command)
    _forget()


def test_players_of_a_server_name_only_bots_that_it_offers(monkeypatch):
    """Names from players are only looked up: none of them makes the server load code."""
    for name in ("os:system", "ownbots:Lowest", "careless", "ismcts:5", "x=os:system", "", "deep", None, 5):
        with pytest.raises(DiamondsError, match="There is no bot"):
            levels.find_level(name, GAMES["crystals"])
    monkeypatch.setattr(levels, "BOTS", dict(BOTS))
    levels.offer_plugin("deep=ownbots:Lowest")
    assert levels.find_level("deep", GAMES["crystals"]).name == "deep=ownbots:Lowest"  # type: ignore[attr-defined]
