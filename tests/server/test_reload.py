"""SIGHUP: settings are read again, in one line what came of it, and nobody is sent away."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import pytest
from authenticator import Browser
from guests import PATIENCE, Guest, free_port, until
from test_supervisor import said

from diamonds.server import reload
from diamonds.server.order.settings import HouseSettings, settings_of
from diamonds.server.wire.app import Setup
from diamonds.server.wire.limits import OFF

SETTINGS = """
name = "Club Caro"
rules = "Be kind."
registration = "closed"
keep_guests_games_days = 9
keep_reports_days = 8
hosts = ["Ann"]
push_hosts = ["push.example"]
offline = false
"""


def command(folder: Path, port: int, *more: str) -> list[str]:
    words = ["--port", str(port), "--data", str(folder), "--think", "0", "--lazy", "--no-limits", *more]
    return [sys.executable, "-m", "diamonds.server", *words]


@pytest.fixture
def process(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """A server of one process, and its port."""
    port = free_port()
    process = subprocess.Popen(
        command(tmp_path, port), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    assert "Diamonds is open" in said(process)
    yield process, port
    process.terminate()
    process.communicate(timeout=PATIENCE)


def after_hangup(process: subprocess.Popen[str]) -> str:
    """Send SIGHUP, and return the line that follows."""
    process.send_signal(signal.SIGHUP)
    stderr: IO[str] = process.stderr  # type: ignore[assignment]
    return stderr.readline()


@pytest.mark.later
def test_hangup_reloads_settings_and_never_ends_a_process(process: Any, tmp_path: Path) -> None:
    server, port = process
    guest = Guest(port)
    assert guest.get("/api/house", None)["house"] == ""
    assert after_hangup(server) == "Nothing has changed in the settings (house.toml).\n"
    (tmp_path / "house.toml").write_text('name = "Club Caro"\nmetrics = 9', encoding="utf-8")
    assert after_hangup(server) == "The settings have been read again. metrics: only after a restart.\n"
    assert guest.get("/api/house", None)["house"] == "Club Caro"
    assert b"Club Caro" in guest.send("GET", "/manifest.webmanifest")[1]
    (tmp_path / "house.toml").write_text("name = 7", encoding="utf-8")
    line = after_hangup(server)
    assert "line 1: name is a text in quotes" in line
    assert line.endswith("The settings stay as they were.\n")
    assert guest.get("/api/house", None)["house"] == "Club Caro"
    assert server.poll() is None


def test_reload_changes_everything_that_needs_no_restart(open_house: Any, tmp_path: Path) -> None:
    house = open_house(tmp_path, settings=Setup((0, 0), OFF, folder=tmp_path))
    app = house.app
    reloader = reload.Reloader(HouseSettings(), tmp_path, None)
    house.call(lambda: reloader.open(app))
    (tmp_path / "house.toml").write_text(SETTINGS, encoding="utf-8")
    house.run(reloader.reload())
    told = house.guest().get("/api/about")
    assert (told["name"], told["rules"], told["registration"]) == ("Club Caro", "Be kind.", "closed")
    assert app.order.settings == settings_of(tmp_path)
    assert app.register.registration == app.order.settings.entry
    assert (app.retention.days, app.retention.reports) == (9, 8)
    assert app.retention._task is not None, "nothing is let go of"
    assert app.browsers.sender.services.place("https://push.example/x").host == "push.example"
    assert b"data-online" in house.guest().send("GET", "/")[1]
    assert Browser(house.port).post("/api/me/account/begin", {"name": "Eve"}, 403)["id"] == "account-closed"
    (tmp_path / "house.toml").unlink()
    house.run(reloader.reload())
    assert app.order.settings == HouseSettings()
    assert (app.retention.days, app.retention.reports) == (0, 0)


def test_every_setting_is_reloaded_or_named_as_one_for_the_start() -> None:
    reloaded = {line.split(" = ")[0] for line in SETTINGS.strip().splitlines()} | {"imprint"}
    assert reloaded | {*reload.AT_START} == {*HouseSettings._fields}


@pytest.mark.later
def test_closed_terminal_ends_a_process(tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    port = free_port()
    server = subprocess.Popen(
        ["setsid", "--ctty", *command(tmp_path, port)], stdin=theirs, stdout=theirs, stderr=theirs
    )
    try:
        os.close(theirs)
        until(lambda: b"Diamonds is open" in os.read(ours, 4096), "it does not open")
        server.send_signal(signal.SIGHUP)
        until(lambda: b"Nothing has changed" in os.read(ours, 4096), "it does not say what it does")
        os.close(ours)
        assert server.wait(PATIENCE) == -signal.SIGTERM
        assert not (tmp_path / "diamonds.sqlite-wal").exists(), "it did not close its store"
    finally:
        server.kill()
        server.wait()
