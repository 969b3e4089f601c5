"""SIGHUP: settings are read again, the result is one log line, and no connection is lost."""

import os
import pty
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from diamonds.server import settings_reload
from diamonds.server.http.app import AppConfig
from diamonds.server.http.rate_limits import UNLIMITED
from diamonds.server.settings_file import TomlSettings, find_config
from tests.server.support.authenticator import BrowserClient
from tests.server.support.client import WAIT_TIMEOUT_S, Client, wait_until
from tests.server.support.live_server import free_port
from tests.server.support.server_command import read_line, server_command, start_process

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
    server = open_server(tmp_path, setup=AppConfig((0, 0), UNLIMITED, data_dir=tmp_path))
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
