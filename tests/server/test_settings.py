"""The settings: their file, defaults and errors, and reloading them by SIGHUP."""

import os
import pty
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from diamonds.server import settings_reload
from diamonds.server.main import ServerOptions, serve
from diamonds.server.settings_file import (
    RENAMED_KEYS,
    ConfigError,
    TomlSettings,
    find_config,
    load_config,
    warn_of_old_names,
)
from tests.server.support.authenticator import BrowserClient
from tests.server.support.client import WAIT_TIMEOUT_S, Client, wait_until
from tests.server.support.live_server import free_port
from tests.server.support.server_command import read_line, server_command, start_process

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
    ('offline = "no"', "line 1: offline must be true or false"),
    ('push_services = "push.example"', "line 1: push_services must be a list of push services"),
    ('push_services = ["https://push.example"]', "line 1: push_services must be a list of push services"),
    ('push_services = ["10.0.0.5"]', "line 1: push_services must be a list of push services"),
    ('# who\n\nmoderators = ["Ann", 3]', "line 3: moderators must be a list"),
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


# Reloading


SETTINGS = """
name = "Club Caro"
rules = "Be kind."
registration = "closed"
guest_game_retention_days = 9
report_retention_days = 8
moderators = ["Ann"]
push_services = ["push.example"]
offline = false
"""


@pytest.fixture
def server_process(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """A server with one process, and its port."""
    port = free_port()
    process = start_process(server_command(tmp_path, port), start_new_session=True)
    assert "Diamonds is open" in read_line(process.stdout)
    yield process, port
    process.terminate()
    process.communicate(timeout=WAIT_TIMEOUT_S)


def reload_line(process: subprocess.Popen[str]) -> str:
    """Send SIGHUP and return the log line that follows."""
    process.send_signal(signal.SIGHUP)
    return read_line(process.stderr)


@pytest.mark.later
def test_sighup_reloads_settings_and_never_ends_the_server(server_process, tmp_path):
    server, port = server_process
    guest = Client(port)
    assert guest.get("/api/server", None)["server_name"] == ""
    assert reload_line(server) == "The settings are unchanged (server.toml).\n"
    (tmp_path / "server.toml").write_text('name = "Club Caro"\nmetrics_address = 9', encoding="utf-8")
    assert reload_line(server) == "Settings reloaded. Restart to apply: metrics_address.\n"
    assert guest.get("/api/server", None)["server_name"] == "Club Caro"
    assert b"Club Caro" in guest.send("GET", "/manifest.webmanifest")[1]
    (tmp_path / "server.toml").write_text("name = 7", encoding="utf-8")
    line = reload_line(server)
    assert "line 1: name must be a quoted text" in line
    assert line.endswith("The settings stay unchanged.\n")
    assert guest.get("/api/server", None)["server_name"] == "Club Caro"
    assert server.poll() is None


def test_reload_applies_every_setting_that_needs_no_restart(open_server, tmp_path):
    server = open_server(tmp_path, data_dir=tmp_path)
    app = server.app
    reloader = settings_reload.SettingsReloader(TomlSettings(), tmp_path, None)
    server.call_on_loop(lambda: reloader.open(app))
    (tmp_path / "server.toml").write_text(SETTINGS, encoding="utf-8")
    server.run(reloader.reload())
    told = server.new_client().get("/api/about")
    assert (told["name"], told["rules"], told["registration"]) == ("Club Caro", "Be kind.", "closed")
    assert app.moderation.config == find_config(tmp_path)
    assert app.accounts.registration == app.moderation.config.registration_policy
    assert (app.retention.game_days, app.retention.report_days) == (9, 8)
    assert app.retention.is_running
    assert app.push_subscriptions.sender.allowlist.endpoint("https://push.example/x").host == "push.example"
    assert b"data-online" in server.new_client().send("GET", "/")[1]
    assert BrowserClient(server.port).post("/api/me/account/begin", {"name": "Eve"}, 403)["id"] == "account-closed"
    (tmp_path / "server.toml").unlink()
    server.run(reloader.reload())
    assert app.moderation.config == TomlSettings()
    assert (app.retention.game_days, app.retention.report_days) == (0, 0)


def test_every_setting_is_reloaded_or_declared_to_need_a_restart():
    reloaded = {line.split(" = ")[0] for line in SETTINGS.strip().splitlines()} | {"imprint"}
    assert reloaded | {*settings_reload.RESTART_SETTINGS} == {*TomlSettings._fields}


@pytest.mark.later
def test_closed_terminal_ends_a_process(tmp_path):
    ours, theirs = pty.openpty()
    port = free_port()
    server = subprocess.Popen(
        # The tests may run with SIGHUP ignored (`nohup`), which the server would inherit.
        ["env", "--default-signal=HUP", "setsid", "--ctty", *server_command(tmp_path, port)],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
    )
    try:
        os.close(theirs)
        wait_until(lambda: b"Diamonds is open" in os.read(ours, 4096), "expected the server to start")
        server.send_signal(signal.SIGHUP)
        wait_until(lambda: b"The settings are unchanged" in os.read(ours, 4096), "expected a line about the shutdown")
        os.close(ours)
        assert server.wait(WAIT_TIMEOUT_S) == -signal.SIGTERM
        assert not (tmp_path / "diamonds.sqlite-wal").exists(), "expected the store to be closed"
    finally:
        server.kill()
        server.wait()
