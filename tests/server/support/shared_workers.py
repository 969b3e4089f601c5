"""Expensive parts that the servers of successive tests share: workers with loaded kernels, routes, and web files."""

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from typing import Any

import pytest
from litestar import Litestar

from diamonds.server.http import app, web_client_files
from diamonds.server.http.litestar_app import build_litestar_app
from diamonds.server.jobs import plugin_process, worker_pool
from tests.support import current_test


class SharedPool(ProcessPoolExecutor):
    """A process pool that serves one server after another. Jobs run under the name of the current test."""

    def submit(self, job: Callable[..., Any], /, *given: Any, **named: Any) -> Future[Any]:
        """Submit a job with the name of the current test."""
        return super().submit(current_test.run_as_test, current_test.name(), job, *given, **named)

    @property
    def is_usable(self) -> bool:
        """Return whether all processes are alive, so that another server can use them."""
        return not (self._broken or self._shutdown_thread)  # type: ignore[attr-defined]

    def release(self) -> None:
        """Keep idle processes for the next server. Kill busy ones, as servers do when they close."""
        if self._pending_work_items:  # type: ignore[attr-defined]
            plugin_process.kill_pool(self)


class SwappablePart:
    """A placeholder for the part of the server that the routes currently serve."""

    def __init__(self, part: Callable[[], Any]) -> None:
        self._part = part

    def __getattr__(self, name: str) -> Any:
        return getattr(self._part(), name)


PARTS_SERVED: dict[Litestar, list[Any]] = {}  # all routes created, with the server parts that each serves, if any
IDLE_ROUTES: list[Litestar] = []


def routes_for(*parts: Any) -> Litestar:
    """Return the routes of a closed server, or new ones. Open servers never share routes."""
    routes = IDLE_ROUTES.pop() if IDLE_ROUTES else _new_routes(len(parts))
    PARTS_SERVED[routes][:] = parts
    return routes


def _new_routes(number: int) -> Litestar:
    served: list[Any] = []
    parts = [SwappablePart(lambda k=k: served[k]) for k in range(number)]  # type: ignore[misc]
    live = parts[2]
    live.rate_limiter, live.limits = (
        SwappablePart(lambda of=of: getattr(served[2], of)) for of in ("rate_limiter", "limits")
    )  # type: ignore[misc]
    routes = build_litestar_app(*parts)  # type: ignore[arg-type]
    PARTS_SERVED[routes] = served
    return routes


def return_routes(routes: Litestar) -> None:
    """Take back the routes of a closed server."""
    if PARTS_SERVED.get(routes):
        PARTS_SERVED[routes].clear()
        IDLE_ROUTES.append(routes)


REAL_COMPILER, REAL_RUN = worker_pool.compile_command, worker_pool.run_command


def _nothing_to_compile(game: str, for_reviews: bool, low_priority: bool) -> list[str]:
    """Compile nothing in advance. The worker processes load the kernels, and compile those not on disk."""
    return []


async def _run(command: list[str], said: Callable[[], None]) -> str:
    return await REAL_RUN(command, said) if command else ""


@contextmanager
def share_workers() -> Iterator[None]:
    """Let servers inside this context share these parts."""
    pools: list[SharedPool] = []

    def start(*given: Any, **named: Any) -> SharedPool:
        if not pools or not pools[-1].is_usable:
            pools.append(SharedPool(*given, **named))
        return pools[-1]

    real_look = web_client_files.WebClientFiles._reload_if_changed
    found = dict[Any, dict[str, web_client_files.StaticFile]]()

    def look_once(self: web_client_files.WebClientFiles) -> None:
        """Look up the web client's files once for all servers, until they are rebuilt."""
        built = (
            web_client_files._mtime_ns(self._folder / "index.html"),
            web_client_files._mtime_ns(self._engine_folder / web_client_files.worker_pool.MANIFEST),
        )
        known = (self._folder, self._engine_folder) == (
            web_client_files.CLIENT_DIR,
            web_client_files.worker_pool.FOLDER,
        )
        if not known or (*built, self._offline) not in found:
            real_look(self)
            if known:
                found[(*self._built_at, self._offline)] = self._files
        elif built != self._built_at:
            self._built_at, self._files = built, found[(*built, self._offline)]
            self._pages.clear()
            self._manifests.clear()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(worker_pool, "ProcessPoolExecutor", start)
        patch.setattr(worker_pool, "kill_pool", SharedPool.release)
        patch.setattr(worker_pool, "compile_command", _nothing_to_compile)
        patch.setattr(worker_pool, "run_command", _run)
        patch.setattr(app, "build_litestar_app", routes_for)
        patch.setattr(web_client_files.WebClientFiles, "_reload_if_changed", look_once)
        yield
    for pool in pools:
        plugin_process.kill_pool(pool)
