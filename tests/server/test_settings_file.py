"""The settings file: its keys, its defaults, and one error message for each mistake."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from diamonds.server.main import ServerOptions, serve
from diamonds.server.settings_file import (
    RENAMED_KEYS,
    ConfigError,
    TomlSettings,
    find_config,
    load_config,
    warn_of_old_names,
)

DOCS = Path(__file__).parents[2] / "docs" / "hosting.md"


def test_documented_settings_are_read_as_explained(tmp_path, caplog):
    (text,) = re.findall(r"```toml\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.S)
    (tmp_path / "server.toml").write_text(text, encoding="utf-8")
    assert find_config(tmp_path) == TomlSettings(
        "Club Caro", "https://diamonds.example.org", "Be kind. Do not tell others what you hold.",
        "Ann Example, 1 High Street, Anytown", "open", 90, ("Ann", "Ben"), "9100", "json", 365, ("push.example.org",), False,
    )  # fmt: skip
    warn_of_old_names(tmp_path)
    (tmp_path / "house.toml").write_text("", encoding="utf-8")
    warn_of_old_names(tmp_path, tmp_path / "house.toml")
    assert not caplog.records, "expected no warning of current names, nor of any file name with --config"


OLD_KEYS = """
name = "Club Caro"
address = "https://diamonds.example.org"
keep_guests_games_days = 90
hosts = ["Ann"]
keep_reports_days = 365
push_hosts = ["push.example.org"]
metrics = 9100
log = "json"
"""


def test_config_reads_earlier_names_and_logs_what_to_rename(tmp_path, caplog):
    file = tmp_path / "house.toml"
    file.write_text(OLD_KEYS, encoding="utf-8")
    assert find_config(tmp_path) == TomlSettings(
        "Club Caro", "https://diamonds.example.org", guest_game_retention_days=90, moderators=("Ann",),
        metrics_address="9100", log_format="json", report_retention_days=365, push_services=("push.example.org",),
    )  # fmt: skip
    warn_of_old_names(tmp_path)
    first, *others = [record.getMessage() for record in caplog.records]
    assert first == f"{file} is read, but its name is now server.toml. Rename it."
    assert f"{file}, line 3: the setting address is now called public_url. Rename it." in others
    assert len(others) == len(RENAMED_KEYS)


@pytest.mark.later
def test_server_logs_earlier_names_when_it_starts(tmp_path):
    (tmp_path / "house.toml").write_text('hosts = ["Ann"]', encoding="utf-8")
    command = [sys.executable, "-m", "diamonds.server", "--port", "0", "--no-warm-up", "--data-dir", str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as server:
        assert "is read, but its name is now server.toml" in server.stderr.readline()
        assert "the setting hosts is now called moderators" in server.stderr.readline()
        assert "Diamonds is open" in server.stdout.readline()
        server.terminate()


def test_config_is_refused_when_the_folder_has_both_files(tmp_path):
    for name in ("server.toml", "house.toml"):
        (tmp_path / name).write_text('name = "Club"', encoding="utf-8")
    with pytest.raises(ConfigError, match=re.escape(f"{tmp_path} has two settings files, house.toml and server.toml.")):
        serve(ServerOptions(port=0, data_dir=tmp_path))
    assert find_config(tmp_path, tmp_path / "house.toml").name == "Club", "expected the named file to be read"


def test_server_without_a_settings_file_uses_defaults(tmp_path):
    assert find_config(tmp_path) == find_config(None) == TomlSettings()


@pytest.mark.parametrize(("settings", "called"), [
    (TomlSettings(), ""),
    (TomlSettings(moderators=("Ann",), guest_game_retention_days=9), ""),
    (TomlSettings(name="Club Caro"), "Club Caro"),
    (TomlSettings(rules="Be kind."), "Diamonds"),
    (TomlSettings(imprint="Ann Example"), "Diamonds"),
])  # fmt: skip
def test_about_page_exists_with_a_name_rules_or_an_imprint(settings, called):
    assert settings.display_name == called, f"expected a link exactly for a page: “{settings.display_name}”"


@pytest.mark.parametrize(("text", "says"), [
    ("name = Club", "line 1, column 8"),
    ('moderators = ["Ann"]\nhosts = ["Ben"]', "line 2: hosts is the earlier name of moderators, and both are set"),
    ('\nregistration = "opne"', 'line 2: registration must be "open", "invitation" or "closed"'),
    ('name = "x"\ncolour = "red"', "line 2: unknown setting"),
    ("name = 7", "line 1: name must be a quoted text"),
    ('name = ""', "line 1: name must be a quoted text of 1 to 60"),
    ('public_url = "http://diamonds.example"', "line 1: public_url must be the server’s public address"),
    ("guest_game_retention_days = -1", "line 1: guest_game_retention_days must be a whole number of days"),
    ("guest_game_retention_days = true", "line 1: guest_game_retention_days must be a whole number of days"),
    ('moderators = "Ann"', "line 1: moderators must be a list"),
    ("report_retention_days = 1.5", "line 1: report_retention_days must be a whole number of days"),
    ('offline = "no"', "line 1: offline must be true or false"),
    ('push_services = "push.example"', "line 1: push_services must be a list of push services"),
    ('push_services = ["https://push.example"]', "line 1: push_services must be a list of push services"),
    ('push_services = ["10.0.0.5"]', "line 1: push_services must be a list of push services"),
    ('# who\n\nmoderators = ["Ann", 3]', "line 3: moderators must be a list"),
    ("[rules]\nkind = true", "line 1: rules must be a quoted text"),
    (f'rules = "{"x" * 20_001}"', "line 1: rules must be a quoted text of at most 20000"),
])  # fmt: skip
def test_settings_error_has_the_line_and_the_allowed_values(tmp_path, text, says):
    path = tmp_path / "server.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError, match=re.escape(says)) as error:
        load_config(path)
    assert str(error.value).startswith(str(path)), "expected the file name in the error"
    assert "\n" not in str(error.value)
    with pytest.raises(ConfigError):
        serve(ServerOptions(port=0, data_dir=tmp_path))
    assert not (tmp_path / "diamonds.sqlite").exists(), "expected the server not to start"


def test_unreadable_or_missing_settings_file_is_rejected(tmp_path):
    (tmp_path / "server.toml").write_bytes(b"name = '\xff'")
    with pytest.raises(ConfigError, match="UTF-8"):
        find_config(tmp_path)
    with pytest.raises(ConfigError, match="no settings file"):
        find_config(None, tmp_path / "other.toml")
