"""SIGHUP, on which one process reads its settings file again and goes on; it never ends for it, unless its terminal was closed."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from diamonds import machine
from diamonds.game import Refused
from diamonds.server.order.settings import FILE, HouseSettings, settings_of
from diamonds.server.wire.app import App

AT_START = ("address", "metrics", "log")  # settings that are used only when the server starts


class Reloader:
    """Reads the settings of one server again: those in ``file``, or in its data folder."""

    def __init__(self, settings: HouseSettings, folder: Path | None, file: Path | None) -> None:
        self._settings, self._folder, self._file = settings, folder, file
        self._app: App | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._lock = asyncio.Lock()  # one after the other, so that the last one counts
        self._tasks: set[asyncio.Task[None]] = set()
        self._pending = False
        self._terminal = False

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Handle SIGHUP meanwhile, where the system has it; a signal before `open` is handled there."""
        if not hasattr(signal, "SIGHUP") or threading.current_thread() is not threading.main_thread():
            yield
            return
        before = signal.getsignal(signal.SIGHUP)
        self._terminal = before is not signal.SIG_IGN and machine.has_terminal()  # `nohup` ignores it
        signal.signal(signal.SIGHUP, self._hear)
        try:
            yield
        finally:
            signal.signal(signal.SIGHUP, before)

    def open(self, app: App) -> None:
        """Reload into ``app`` from now on, on the event loop that runs."""
        self._app, self._loop = app, asyncio.get_running_loop()
        if self._pending:
            self._begin()

    def _hear(self, _signal: int, _frame: FrameType | None) -> None:
        if self._terminal and not machine.has_terminal():
            os.kill(os.getpid(), signal.SIGTERM)
        elif self._loop is None:
            self._pending = True
        elif not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._begin)

    def _begin(self) -> None:
        task = asyncio.get_running_loop().create_task(self.reload())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def reload(self) -> None:
        """Read the file, use what it says, and say so in one line; a bad file changes nothing."""
        assert self._app is not None
        async with self._lock:
            try:
                settings = await asyncio.to_thread(settings_of, self._folder, self._file)
            except (Refused, OSError) as error:
                machine.say(f"{error} The settings stay as they were.")
                return
            if settings == self._settings:
                machine.say(f"Nothing has changed in the settings ({self._file or FILE}).")
                return
            await self._app.take_settings(settings)
            later = [name for name in AT_START if getattr(settings, name) != getattr(self._settings, name)]
            # These keep the value of the start, so that every reload names them until the restart.
            self._settings = settings._replace(**{name: getattr(self._settings, name) for name in AT_START})
            more = f" {', '.join(later)}: only after a restart." if later else ""
            machine.say(f"The settings have been read again.{more}")
