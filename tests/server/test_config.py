"""The settings file of a house: what it may say, and one sentence for whatever is wrong with it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from diamonds.server.config import ConfigError, ServerConfig, find_config, load_config
from diamonds.server.main import serve

DOCS = Path(__file__).parents[2] / "docs" / "hosting.md"


def test_the_settings_in_the_documentation_are_read_as_they_are_explained(tmp_path):
    (text,) = re.findall(r"```toml\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.S)
    (tmp_path / "house.toml").write_text(text, encoding="utf-8")
    assert find_config(tmp_path) == ServerConfig(
        "Club Caro", "https://diamonds.example.org", "Be kind. Do not tell others what you hold.",
        "Ann Example, 1 High Street, Anytown", "open", 90, ("Ann", "Ben"), "9100", "json", 365, ("push.example.org",), False,
    )  # fmt: skip


def test_a_house_without_a_file_is_as_it_ever_was(tmp_path):
    assert find_config(tmp_path) == find_config(None) == ServerConfig()


@pytest.mark.parametrize(
    ("settings", "called"),
    [
        (ServerConfig(), ""),
        (ServerConfig(moderators=("Ann",), guest_game_retention_days=9), ""),
        (ServerConfig(name="Club Caro"), "Club Caro"),
        (ServerConfig(rules="Be kind."), "Diamonds"),
        (ServerConfig(imprint="Ann Example"), "Diamonds"),
    ],
)
def test_a_house_has_something_to_read_about_itself_if_it_has_a_name_rules_or_an_imprint(settings, called):
    assert settings.display_name == called, f"The lobby would link “{settings.called}”."


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("name = Club", "line 1, column 8"),
        ('\nregistration = "opne"', 'line 2: registration must be "open", "invitation" or "closed"'),
        ('name = "x"\ncolour = "red"', "line 2: unknown setting"),
        ("name = 7", "line 1: name must be a quoted text"),
        ('name = ""', "line 1: name must be a quoted text of 1 to 60"),
        ('address = "http://diamonds.example"', "line 1: address must be the server's public address"),
        ("keep_guests_games_days = -1", "line 1: keep_guests_games_days must be a whole number of days"),
        ("keep_guests_games_days = true", "line 1: keep_guests_games_days must be a whole number of days"),
        ('hosts = "Ann"', "line 1: hosts must be a list"),
        ("keep_reports_days = 1.5", "line 1: keep_reports_days must be a whole number of days"),
        ('offline = "no"', "line 1: offline must be true or false"),
        ('push_hosts = "push.example"', "line 1: push_hosts must be a list of push services"),
        ('push_hosts = ["https://push.example"]', "line 1: push_hosts must be a list of push services"),
        ('push_hosts = ["10.0.0.5"]', "line 1: push_hosts must be a list of push services"),
        ('# who\n\nhosts = ["Ann", 3]', "line 3: hosts must be a list"),
        ("[rules]\nkind = true", "line 1: rules must be a quoted text"),
        (f'rules = "{"x" * 20_001}"', "line 1: rules must be a quoted text of at most 20000"),
    ],
)
def test_what_is_wrong_with_a_file_is_one_sentence_with_the_line_and_what_may_stand_there(tmp_path, text, says):
    path = tmp_path / "house.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError, match=re.escape(says)) as refused:
        load_config(path)
    assert str(refused.value).startswith(str(path)), "it does not say which file"
    assert "\n" not in str(refused.value)
    with pytest.raises(ConfigError):
        serve(port=0, data_dir=tmp_path)
    assert not (tmp_path / "diamonds.sqlite").exists(), "the house was opened all the same"


def test_a_file_that_is_no_text_or_not_there_is_refused_too(tmp_path):
    (tmp_path / "house.toml").write_bytes(b"name = '\xff'")
    with pytest.raises(ConfigError, match="UTF-8"):
        find_config(tmp_path)
    with pytest.raises(ConfigError, match="no settings file"):
        find_config(None, tmp_path / "other.toml")
