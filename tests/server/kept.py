"""What a house of the tests leaves to the next one, for to make it anew is more work than most tests give it: the processes
that think and what they think with, the routes, and the page's files as they are sent."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from typing import Any

import pytest
import reluctant
from litestar import Litestar

import current_test
from diamonds.server.wire import app, page
from diamonds.server.wire.routes import make_routes
from diamonds.server.work import thinking


class Processes(ProcessPoolExecutor):
    """Processes that think for one house after the other, each time in the name of the test that asks."""

    def submit(self, job: Callable[..., Any], /, *given: Any, **named: Any) -> Future[Any]:
        """Submit a job with the name of the current test."""
        return super().submit(current_test.run_for, current_test.name(), job, *given, **named)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """A house closes; the next one will want them."""

    def end(self) -> None:
        """The last house has closed. Whoever works on after that does so for nobody, and is not waited for longer than anybody."""
        manager, processes = self._executor_manager_thread, [*(self._processes or {}).values()]  # type: ignore[attr-defined]
        super().shutdown(wait=False, cancel_futures=True)
        if manager is None:  # nobody has thought
            return
        manager.join(reluctant.PATIENCE)
        if manager.is_alive():
            for process in processes:
                process.kill()
            manager.join(reluctant.PATIENCE)
            reluctant.killed(f"One of the processes that think ({[process.pid for process in processes]})")


class Standing:
    """Stands for a part of whatever house the routes serve."""

    def __init__(self, part: Callable[[], Any]) -> None:
        self._part = part

    def __getattr__(self, name: str) -> Any:
        return getattr(self._part(), name)


SERVED: dict[Litestar, list[Any]] = {}  # all routes that were made: the parts of the house that they serve, if any
IDLE: list[Litestar] = []


def routes_for(*parts: Any) -> Litestar:
    """Routes for a house: those of one that has closed, or new ones. Houses that are open together share none."""
    routes = IDLE.pop() if IDLE else _new_routes(len(parts))
    SERVED[routes][:] = parts
    return routes


def _new_routes(number: int) -> Litestar:
    served: list[Any] = []
    parts = [Standing(lambda k=k: served[k]) for k in range(number)]  # type: ignore[misc]
    live = parts[2]
    live.buckets, live.limits = (Standing(lambda of=of: getattr(served[2], of)) for of in ("buckets", "limits"))  # type: ignore[misc]
    routes = make_routes(*parts)  # type: ignore[arg-type]
    SERVED[routes] = served
    return routes


def give_back(routes: Litestar) -> None:
    """A house has closed."""
    if SERVED.get(routes):
        SERVED[routes].clear()
        IDLE.append(routes)


COMPILER, RUN = thinking.compiler, thinking._run


def _nothing_to_compile(game: str, patient: bool) -> list[str]:
    """The processes that think load what they think with, and compile what is not on disk: no other process has to do so before."""
    return []


async def _run(command: list[str], said: Callable[[], None]) -> str:
    return await RUN(command, said) if command else ""


@contextmanager
def keeping() -> Iterator[None]:
    """In here, houses leave it to each other."""
    processes: list[Processes] = []

    def start(*given: Any, **named: Any) -> Processes:
        if not processes or processes[-1]._broken:  # type: ignore[attr-defined]
            processes.append(Processes(*given, **named))
        return processes[-1]

    look, found = page.Page._look, dict[Any, dict[str, page.File]]()

    def look_once(self: page.Page) -> None:
        """The files that are served, and read, by every house are looked for once, for as long as they are not built anew."""
        built = page._changed(self._folder / "index.html"), page._changed(self._engine / page.modules.MANIFEST)
        known = (self._folder, self._engine) == (page.FOLDER, page.modules.FOLDER)
        if not known or (*built, self._offline) not in found:
            look(self)
            if known:
                found[(*self._built, self._offline)] = self._files
        elif built != self._built:
            self._built, self._files = built, found[(*built, self._offline)]
            self._pages.clear()
            self._apps.clear()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(thinking, "ProcessPoolExecutor", start)
        patch.setattr(thinking, "compiler", _nothing_to_compile)
        patch.setattr(thinking, "_run", _run)
        patch.setattr(app, "make_routes", routes_for)
        patch.setattr(page.Page, "_look", look_once)
        yield
    for one in processes:
        one.end()
