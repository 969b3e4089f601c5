"""SIGHUP: a process reloads its settings file and continues, unless its terminal was closed."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from diamonds import operating_system
from diamonds.errors import DiamondsError
from diamonds.server.background_tasks import BackgroundTasks
from diamonds.server.http.app import DiamondsApp
from diamonds.server.settings_file import CONFIG_FILE_NAME, TomlSettings, config_path, find_config

RESTART_SETTINGS = ("public_url", "metrics_address", "log_format")  # applied only at start-up


class SettingsReloader:
    """A reloader of the settings of one server, from `file` or from its data folder."""

    def __init__(self, config: TomlSettings, folder: Path | None, file: Path | None) -> None:
        self._config, self._folder, self._file = config, folder, file
        self._app: DiamondsApp | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._lock = asyncio.Lock()  # one reload at a time, so that the last one wins
        self._tasks = BackgroundTasks()
        self._is_pending = False
        self._has_terminal = False

    @contextmanager
    def handling_sighup(self) -> Iterator[None]:
        """Handle SIGHUP during the block, on systems that have it. `open` handles an earlier signal."""
        if not hasattr(signal, "SIGHUP") or threading.current_thread() is not threading.main_thread():
            yield
            return
        before = signal.getsignal(signal.SIGHUP)
        # with `nohup`, SIGHUP is ignored
        self._has_terminal = before is not signal.SIG_IGN and operating_system.has_terminal()
        signal.signal(signal.SIGHUP, self._on_sighup)
        try:
            yield
        finally:
            signal.signal(signal.SIGHUP, before)

    def open(self, app: DiamondsApp) -> None:
        """Reload into `app` from now on, on the running event loop."""
        self._app, self._loop = app, asyncio.get_running_loop()
        if self._is_pending:
            self._start_reload()

    def _on_sighup(self, _signal: int, _frame: FrameType | None) -> None:
        if self._has_terminal and not operating_system.has_terminal():
            os.kill(os.getpid(), signal.SIGTERM)
        elif self._loop is None:
            self._is_pending = True
        elif not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._start_reload)

    def _start_reload(self) -> None:
        self._tasks.start(self.reload())

    async def reload(self) -> None:
        """Read and apply the file, and log the result in one line. An unusable file changes nothing."""
        assert self._app is not None
        async with self._lock:
            try:
                config = await asyncio.to_thread(find_config, self._folder, self._file)
                file = self._file or config_path(self._folder) or Path(CONFIG_FILE_NAME)
            except (DiamondsError, OSError) as error:
                operating_system.log_to_operator(f"{error} The settings stay unchanged.")
                return
            if config == self._config:
                operating_system.log_to_operator(f"The settings are unchanged ({self._file or file.name}).")
                return
            await self._app.apply_config(config)
            restart_needed = [name for name in RESTART_SETTINGS if getattr(config, name) != getattr(self._config, name)]
            # Keep the values from start-up, so that every reload lists them until the restart.
            self._config = config._replace(**{name: getattr(self._config, name) for name in RESTART_SETTINGS})
            hint = f" Restart to apply: {', '.join(restart_needed)}." if restart_needed else ""
            operating_system.log_to_operator(f"Settings reloaded.{hint}")
