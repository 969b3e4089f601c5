"""What a server of the tests leaves to the next one, for to make it anew is more work than most tests give it: the processes
that think and what they think with, the routes, and the page's files as they are sent."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from typing import Any

import pytest
from litestar import Litestar

from diamonds.server.http import app, web_client
from diamonds.server.http.litestar_app import build_litestar_app
from diamonds.server.jobs import worker_pool
from tests.server.support import kill_stuck
from tests.support import current_test


class SharedPool(ProcessPoolExecutor):
    """Processes that think for one server after the other, each time in the name of the test that asks."""

    def submit(self, job: Callable[..., Any], /, *given: Any, **named: Any) -> Future[Any]:
        """Submit a job with the name of the current test."""
        return super().submit(current_test.run_as_test, current_test.name(), job, *given, **named)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """A server closes; the next one will want them."""

    def terminate(self) -> None:
        """The last server has closed. Whoever works on after that does so for nobody, and is not waited for longer than anybody."""
        manager, processes = self._executor_manager_thread, [*(self._processes or {}).values()]  # type: ignore[attr-defined]
        super().shutdown(wait=False, cancel_futures=True)
        if manager is None:  # nobody has thought
            return
        manager.join(kill_stuck.KILL_TIMEOUT_S)
        if manager.is_alive():
            for process in processes:
                process.kill()
            manager.join(kill_stuck.KILL_TIMEOUT_S)
            kill_stuck.warn_killed(f"One of the processes that think ({[process.pid for process in processes]})")


class SwappablePart:
    """Stands for a part of whatever server the routes serve."""

    def __init__(self, part: Callable[[], Any]) -> None:
        self._part = part

    def __getattr__(self, name: str) -> Any:
        return getattr(self._part(), name)


PARTS_SERVED: dict[
    Litestar, list[Any]
] = {}  # all routes that were made: the parts of the server that they serve, if any
IDLE_ROUTES: list[Litestar] = []


def routes_for(*parts: Any) -> Litestar:
    """Routes for a server: those of one that has closed, or new ones. Servers that are open together share none."""
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
    """A server has closed."""
    if PARTS_SERVED.get(routes):
        PARTS_SERVED[routes].clear()
        IDLE_ROUTES.append(routes)


REAL_COMPILER, REAL_RUN = worker_pool.compile_command, worker_pool._run_command


def _nothing_to_compile(game: str, patient: bool) -> list[str]:
    """The processes that think load what they think with, and compile what is not on disk: no other process has to do so before."""
    return []


async def _run(command: list[str], said: Callable[[], None]) -> str:
    return await REAL_RUN(command, said) if command else ""


@contextmanager
def share_workers() -> Iterator[None]:
    """In here, servers leave it to each other."""
    processes: list[SharedPool] = []

    def start(*given: Any, **named: Any) -> SharedPool:
        if not processes or processes[-1]._broken:  # type: ignore[attr-defined]
            processes.append(SharedPool(*given, **named))
        return processes[-1]

    real_look, found = web_client.WebClient._reload_if_changed, dict[Any, dict[str, web_client.StaticFile]]()

    def look_once(self: web_client.WebClient) -> None:
        """The files that are served, and read, by every server are looked for once, for as long as they are not built anew."""
        built = (
            web_client._mtime_ns(self._folder / "index.html"),
            web_client._mtime_ns(self._engine_folder / web_client.worker_pool.MANIFEST),
        )
        known = (self._folder, self._engine_folder) == (web_client.CLIENT_DIR, web_client.worker_pool.FOLDER)
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
        patch.setattr(worker_pool, "compile_command", _nothing_to_compile)
        patch.setattr(worker_pool, "_run_command", _run)
        patch.setattr(app, "build_litestar_app", routes_for)
        patch.setattr(web_client.WebClient, "_reload_if_changed", look_once)
        yield
    for one in processes:
        one.terminate()
