"""A game from another package works like a built-in one."""

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from diamonds import record_reader
from diamonds.bots.levels import BOTS, find_available_bot
from diamonds.errors import NotAllowedError, NotFoundError, PluginGameError
from diamonds.game import GAMES, REQUIRED_RULES_NAMES, all_games, find_game
from tests.support import plugin_game
from tests.support.terminal import random_typing

pytestmark = pytest.mark.later


@pytest.fixture
def plugin(tmp_path: Path) -> Iterator[None]:
    with plugin_game.installed_plugin(tmp_path):
        yield


@pytest.mark.parametrize("game", GAMES.values(), ids=str)
def test_builtin_games_offer_what_a_plugin_game_must(game):
    missing = [name for name in REQUIRED_RULES_NAMES if not hasattr(game.rules, name)]
    assert not missing, f"{game.name} has no {', '.join(missing)}"
    assert game.default_seats in game.seats


@pytest.mark.usefixtures("plugin")
def test_plugin_game_is_found_by_its_entry_point_on_first_use():
    assert "highest" not in GAMES, "expected the game to be loaded on first use only"
    assert find_game("highest") is GAMES["highest"]
    assert [game.name for game in all_games()] == ["crystals", "fourteen", "mines", "highest"]
    with pytest.raises(NotFoundError, match="highest"):
        find_game("lowest")


@pytest.mark.usefixtures("plugin")
def test_it_is_played_in_the_terminal_and_its_record_verifies(run_cli, home):
    out = run_cli.output("play", "highest", "--seed", "3", typed=random_typing(1))
    played = record_reader.load_record((home / "highest.json").read_bytes())
    assert played.over
    assert played.seats == 3
    assert f"The record is in {home / 'highest.json'}." in out
    assert "Tricks each seat has won: 0, 0, 0." in out, "expected a plain table with the meaning of every field"
    assert run_cli("verify", str(home / "highest.json"))[0] == 0
    assert run_cli("replay", str(home / "highest.json"))[0] == 0
    assert run_cli("simulate", "highest", "--games", "20", "--bot", "random")[0] == 0


@pytest.mark.usefixtures("plugin")
def test_only_the_random_bot_plays_it_and_the_others_say_why_not():
    game = find_game("highest")
    assert find_available_bot("random", game) is BOTS["random"]
    for name in ("simple", "1", "5"):
        with pytest.raises(NotAllowedError, match="has no bots of its own"):
            find_available_bot(name, game)


@pytest.mark.parametrize(("rules", "why"), [
    ("import nothing_of_this_name", "nothing_of_this_name"),
    (plugin_game.PLUGIN_RULES.replace("def legal", "def permitted"), "its rules lack legal"),
    (plugin_game.PLUGIN_RULES.replace('"highest", 1', '"lowest", 1'), "its rules call it lowest"),
    (plugin_game.PLUGIN_RULES.replace("    *COMMON_FIELDS,\n", ""), "does not begin with the fields that all games share"),
])  # fmt: skip
def test_broken_plugin_game_gets_one_error_and_affects_no_other(tmp_path, caplog, rules, why):
    with plugin_game.installed_plugin(tmp_path, rules):
        with pytest.raises(PluginGameError, match=why) as broken:
            find_game("highest")
        assert str(broken.value).startswith("The game “highest” (highest_rules) cannot be played: ")
        with caplog.at_level(logging.WARNING):
            assert [game.name for game in all_games()] == ["crystals", "fourteen", "mines"]
        assert why in caplog.text
        assert find_game("mines").name == "mines"
