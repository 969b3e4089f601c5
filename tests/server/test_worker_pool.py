"""The worker pool at tables: loading levels, the order of jobs, and failures."""

import asyncio
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import connection
from pathlib import Path
from typing import Any

import pytest

from diamonds import i18n
from diamonds.bots import kernels
from diamonds.bots.analysis import hints, review
from diamonds.game import GAMES
from diamonds.server.jobs import plugin_process, worker_pool
from diamonds.server.tables import analysis, bots
from diamonds.server.tables.bots import choose_answer
from tests.server.support import shared_workers
from tests.server.support.client import WAIT_TIMEOUT_S, Client, first_legal, wait_until
from tests.server.support.live_server import LiveServer, finish_game, run_in_loop


@pytest.fixture(autouse=True)
def no_earlier_failures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernels, "_failures", [])


def fake_compiler(monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    """Replace the compiler with a Python script."""
    monkeypatch.setattr(worker_pool, "compile_command", lambda *_: [sys.executable, "-c", code])
    monkeypatch.setattr(worker_pool, "wasm_is_outdated", lambda: False)


class FakeWorkers:
    """A stand-in for the worker processes, which collects jobs and finishes them when told to."""

    def __init__(self, server: LiveServer, monkeypatch: pytest.MonkeyPatch) -> None:
        self.started: list[tuple[Callable[..., Any], tuple[Any, ...]]] = []
        self.release = threading.Semaphore(0)
        self.thinking = server.app.tables.workers
        server.call_on_loop(lambda: setattr(self.thinking, "free_workers", 1))
        monkeypatch.setattr(self.thinking, "run", self.work_out)

    async def work_out(self, work: Callable[..., Any], *given: Any) -> Any:
        self.started.append((work, given))
        while not self.release.acquire(blocking=False):
            await asyncio.sleep(0.002)
        if work is choose_answer:
            return choose_answer("simple", *given[1:])
        if work is analysis.compute_hint:
            return hints.Hint("play", "%", (), 1, "")
        raise AssertionError(work)

    def finish_jobs(self, times: int = 1) -> None:
        self.release.release(times)


def entries(server: LiveServer, id: str) -> list[str]:
    """Return the texts of the table's log entries."""
    table = server.app.tables.get(id)
    return [table.log.entry_text(entry) for entry in table.log.entries]


def seat_note(guest: Client, id: str, seat: int = 1) -> str:
    return guest.get_table(id)["table"]["seat_holders"][seat]["bot_status"]


def table_at_bot_turn(server: LiveServer, guest: Client, level: str = "5") -> str:
    while True:
        id = guest.create_table(game="mines", seats=2, seats_taken_by=["me", f"bot:{level}"])
        if not guest.get_table(id)["open_question"]:
            return id


def test_loading_level_is_announced_and_simple_answers_under_its_name(server, monkeypatch, tmp_path):
    done = tmp_path / "compiled"
    fake_compiler(monkeypatch, f"import os, time\nwhile not os.path.exists({str(done)!r}): time.sleep(0.01)")
    fake_workers, guest = FakeWorkers(server, monkeypatch), server.new_client()
    id = table_at_bot_turn(server, guest)
    wait_until(lambda: seat_note(guest, id) == "ready", "expected a note that the level is loading")
    assert not entries(server, id), "expected no answer of a level that is not ready"
    monkeypatch.setattr(bots, "MAX_START_WAIT_S", 0.01)
    again = table_at_bot_turn(server, guest)
    wait_until(lambda: entries(server, again), "expected an answer by the simple level")
    assert entries(server, again)[0].endswith(" by simple")
    wait_until(lambda: seat_note(guest, again) == "simple", "expected a note on the simple level's answer")
    monkeypatch.setattr(bots, "MAX_START_WAIT_S", 600)
    done.touch()
    wait_until(lambda: fake_workers.started, "expected the level to start")
    fake_workers.finish_jobs(100)  # the other table's bot may still be thinking, and finish first
    wait_until(lambda: entries(server, id), "expected the level to answer")
    assert not entries(server, id)[0].endswith(" by simple")
    assert seat_note(guest, id) == ""


@pytest.mark.kernels
@pytest.mark.parametrize(("for_reviews", "announced"), [(False, [True]), (True, [])])
def test_kernels_of_bots_are_announced_before_those_of_hints(for_reviews, announced):
    said: list[bool] = []
    command = shared_workers.REAL_COMPILER("mines", for_reviews, True)
    assert run_in_loop(shared_workers.REAL_RUN(command, lambda: said.append(True))) == ""
    assert said == announced


class FakeCompilers:
    """Stand-ins for the compilers of a pool with one worker: they run until they are told to end."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.started: list[str] = []
        self.running: dict[str, asyncio.Event] = {}
        monkeypatch.setattr(worker_pool, "compile_command", self.command)
        monkeypatch.setattr(worker_pool, "run_command", self.run)
        monkeypatch.setattr(worker_pool, "wasm_is_outdated", lambda: False)
        monkeypatch.setattr(worker_pool.operating_system, "cpu_count", lambda: 2)
        monkeypatch.setattr(worker_pool.kernels, "missing_reason", lambda: None)

    def command(self, game: str, for_reviews: bool, low_priority: bool) -> list[str]:
        """Return a name instead of a command."""
        return [f"{game}{' reviews' * for_reviews}{' slowly' * low_priority}"]

    async def run(self, command: list[str], on_line: Callable[[], None]) -> str:
        """Wait until the compiler is told to end."""
        self.started += command
        self.running[command[0]] = asyncio.Event()
        await self.running[command[0]].wait()
        return ""

    async def end(self, name: str) -> None:
        """End a running compiler, and wait until others have started."""
        self.running.pop(name).set()
        await self.settle()

    async def settle(self) -> None:
        """Wait until all that can start has started."""
        for _ in range(10):
            await asyncio.sleep(0)


def test_games_are_compiled_for_bots_and_hints_before_reviews(monkeypatch):
    compilers = FakeCompilers(monkeypatch)

    async def open_pool() -> None:
        pool = worker_pool.WorkerPool()
        pool.open()
        await compilers.settle()
        hints_ready = pool._ready_futures["crystals", "hints"]
        assert not hints_ready.done()
        await compilers.end("crystals slowly")
        assert hints_ready.done(), "expected hints of crystals before any kernel of reviews"
        for name in ("fourteen", "mines", "crystals reviews", "fourteen reviews", "mines reviews"):
            await compilers.end(f"{name} slowly")

    run_in_loop(open_pool())
    games = ["crystals", "fourteen", "mines"]
    assert compilers.started == [f"{name}{what} slowly" for what in ("", " reviews") for name in games]


def test_requested_compilation_starts_beside_those_nobody_waits_for(monkeypatch):
    compilers = FakeCompilers(monkeypatch)

    async def open_pool() -> None:
        pool = worker_pool.WorkerPool()
        pool.open()
        pool.expect(GAMES["mines"])
        pool.expect(GAMES["mines"])
        pool.when_ready(GAMES["fourteen"])
        pool.when_ready(GAMES["crystals"], "reviews")
        await compilers.settle()
        assert compilers.started == ["crystals slowly", "mines"], "expected one compilation beside that of the start"
        await compilers.end("mines")
        assert compilers.started[2:] == ["crystals reviews"], "expected the latest request next"
        await compilers.end("crystals slowly")
        assert len(compilers.started) == 3, "expected requests to be served one after the other"
        await compilers.end("crystals reviews")
        assert compilers.started[3:] == ["fourteen"]
        pool.close()
        await pool.wait_closed()

    run_in_loop(open_pool())


def test_kernels_of_a_persons_table_are_compiled_next(server, monkeypatch):
    expected: list[str] = []
    monkeypatch.setattr(server.app.tables.workers, "expect", lambda game: expected.append(game.name))
    guest = server.new_client()
    guest.create_table(game="fourteen", seats=3, seats_taken_by=["bot:simple", "bot:simple", "bot:simple"])
    assert not expected, "expected no compilation for a table without people"
    guest.create_table(game="mines", seats=2, seats_taken_by=["me", "bot:simple"])
    assert set(expected) == {"mines"}


def test_games_are_loaded_in_parallel_where_workers_allow(monkeypatch, tmp_path):
    """Each compiler here waits until three are running."""
    began = f"import os, time; d = {str(tmp_path)!r}; open(f'{{d}}/{{os.getpid()}}', 'w').close()"
    fake_compiler(monkeypatch, f"{began}\nwhile len(os.listdir(d)) < 3: time.sleep(0.01)")
    monkeypatch.setattr(worker_pool.operating_system, "cpu_count", lambda: 4)
    monkeypatch.setattr(worker_pool.kernels, "missing_reason", lambda: "")

    async def open_pool() -> None:
        everything = worker_pool.WorkerPool()
        everything.open()
        try:
            async with asyncio.timeout(100):
                await asyncio.gather(*(everything.when_ready(game) for game in GAMES.values()))
        finally:
            everything.close()
            await everything.wait_closed()

    run_in_loop(open_pool())


def test_wasm_modules_are_built_after_all_kernels(monkeypatch, tmp_path):
    said = tmp_path / "said"
    line = f"import sys; f = open({str(said)!r}, 'a'); f.write('{{}} '); f.close(); sys.exit({{}})"
    fake_compiler(monkeypatch, line.format("compiled", 0))
    made = [sys.executable, "-c", line.format("made", 3)]
    warned: list[str] = []
    monkeypatch.setattr(worker_pool, "wasm_is_outdated", lambda: True)
    monkeypatch.setattr(worker_pool, "wasm_build_command", lambda: made)
    monkeypatch.setattr(worker_pool.kernels, "missing_reason", lambda: "")
    monkeypatch.setattr(worker_pool.log, "warning", lambda says, why: warned.append(why))

    async def open_pool() -> None:
        everything = worker_pool.WorkerPool()
        everything.open()
        async with asyncio.timeout(100):
            await everything.wait_closed()

    run_in_loop(open_pool())
    assert said.read_text() == "compiled " * 2 * len(GAMES) + "made "
    assert warned == ["exit status 3"]


def test_bots_play_before_hint_kernels_are_ready(server, monkeypatch, tmp_path):
    done = tmp_path / "compiled"
    fake_compiler(
        monkeypatch, f"import os, time\nprint(flush=True)\nwhile not os.path.exists({str(done)!r}): time.sleep(0.01)"
    )
    fake_workers, guest = FakeWorkers(server, monkeypatch), server.new_client()
    id = table_at_bot_turn(server, guest)
    wait_until(lambda: fake_workers.started, "expected the level not to wait for hint kernels")
    game, everything = server.app.tables.get(id).game, server.app.tables.workers
    assert not server.call_on_loop(lambda: everything.when_ready(game, "hints").done())
    done.touch()
    wait_until(
        lambda: server.call_on_loop(lambda: everything.when_ready(game, "hints").done()),
        "expected the hint kernels to become ready",
    )
    fake_workers.finish_jobs()


def test_waiting_level_is_substituted_except_where_nobody_sits(server, monkeypatch):
    fake_compiler(monkeypatch, "")
    fake_workers, guest, other = FakeWorkers(server, monkeypatch), server.new_client(), server.new_client()
    other.create_table(game="mines", seats=2, seats_taken_by=["bot:5", "bot:5"])
    wait_until(lambda: fake_workers.started, "expected a job")
    monkeypatch.setattr(bots, "MAX_START_WAIT_S", 0.01)
    idle = other.create_table(game="mines", seats=2, seats_taken_by=["bot:5", "bot:5"])
    id = table_at_bot_turn(server, guest)
    wait_until(lambda: entries(server, id), "expected an answer by the simple level")
    assert entries(server, id)[0].endswith(" by simple")
    assert not entries(server, idle), "expected no substitute where nobody sits"
    assert len(fake_workers.started) == 1


@pytest.mark.later
def test_bots_and_hints_of_people_precede_fifty_unattended_tables(server, monkeypatch):
    fake_compiler(monkeypatch, "")
    fake_workers, rival, guest = FakeWorkers(server, monkeypatch), server.new_client(), server.new_client()
    waiting = server.app.tables.workers.queue.jobs
    for _ in range(50):
        rival.create_table(game="mines", seats=2, seats_taken_by=["bot:5", "bot:5"])
    wait_until(
        lambda: sum(len(jobs) for people in waiting[2].values() for jobs in people.values()) == 49,
        "expected the rival's bots to wait",
    )
    mine = table_at_bot_turn(server, guest)
    wait_until(lambda: waiting[0], "expected the guest's bot to wait")
    row = bots.bot.bot_view(
        server.app.tables.get(mine).game, server.app.tables.get(mine).game_state.state, 1
    ).row.tobytes()
    fake_workers.finish_jobs()
    wait_until(lambda: len(fake_workers.started) == 2, "expected a job to start")
    assert fake_workers.started[1][1][2] == row, "expected the guest's bot before unattended tables"
    hinted = guest.create_table(game="mines", seats=2, seats_taken_by=["me", "bot:simple"])
    guest.wait_for_turn(hinted)
    asking = threading.Thread(target=guest.get, args=(f"/api/tables/{hinted}/hint",))
    asking.start()
    wait_until(lambda: waiting[0], "expected the hint to wait")
    fake_workers.finish_jobs()
    wait_until(lambda: len(fake_workers.started) == 3, "expected a job to start")
    assert fake_workers.started[2][0] is analysis.compute_hint
    fake_workers.finish_jobs()
    asking.join()
    assert guest.status == 200


def task_key(task: review.DecisionTask) -> int:
    """Return what distinguishes a task's game: the seed of its random numbers."""
    return task.seed - 8 * task.n


@pytest.mark.later
def test_two_reviews_run_side_by_side_behind_players(server, monkeypatch):
    fake_compiler(monkeypatch, "")
    people = [server.new_client(), server.new_client()]
    over = [guest.create_table(game="mines", seats=2, seats_taken_by=["me", "bot:simple"]) for guest in people]
    for guest, id in zip(people, over, strict=True):
        finish_game(server, id, guest)
    monkeypatch.setattr(analysis, "compute_review_tasks", lambda tasks, moments: ([None] * len(tasks), []))
    order: list[Any] = []
    fake_workers = FakeWorkers(server, monkeypatch)

    async def work_out(work: Callable[..., Any], *given: Any) -> Any:
        if work is analysis.compute_review_plan:
            return await asyncio.to_thread(work, *given)
        order.append(task_key(given[0][0]) if work is analysis.compute_review_tasks else "play")
        await asyncio.to_thread(fake_workers.release.acquire)
        return choose_answer("simple", *given[1:]) if work is choose_answer else work(*given)

    monkeypatch.setattr(server.app.tables.workers, "run", work_out)
    workers = server.app.tables.workers
    for guest, id in zip(people, over, strict=True):
        guest.get(f"/api/tables/{id}/review", 202)
    wait_until(lambda: len(order) == 1 and workers.waiting()["review"], "expected the reviews to begin")
    for k in range(2, 8):
        fake_workers.finish_jobs()
        wait_until(lambda k=k: len(order) == k and workers.waiting()["review"], "expected both reviews to progress")
    first, second = order[:2]
    assert first != second
    assert order == [first, second] * 3 + [first]
    table_at_bot_turn(server, people[0])
    wait_until(lambda: workers.waiting()["live"], "expected the bot to wait")
    fake_workers.finish_jobs()
    wait_until(lambda: len(order) == 8, "expected a job to start")
    assert order[7] == "play", "expected the bot before the reviews"
    fake_workers.finish_jobs(1000)


def test_waiting_reviews_and_hints_per_person_are_limited_429(server, guest, monkeypatch):
    fake_compiler(monkeypatch, "")
    id = guest.create_table(game="mines", seats=2, seats_taken_by=["me", "bot:simple"])
    finish_game(server, id, guest)
    asked = guest.create_table(game="mines", seats=2, seats_taken_by=["me", "bot:simple"])
    guest.wait_for_turn(asked)
    server.call_on_loop(lambda: server.app.tables.workers.when_ready(server.app.tables.get(id).game))
    wait_until(lambda: not server.app.tables.workers.is_compiling, "expected the kernels to become ready")
    monkeypatch.setattr(analysis, "MAX_REVIEWS_PER_PERSON", 0)
    monkeypatch.setattr(analysis, "MAX_WAITING_PER_PERSON", 0)
    for what in (f"{id}/review", f"{asked}/hint"):
        guest.get(f"/api/tables/{what}", 429)
        assert int(guest.reply_headers["retry-after"]) > 0


def test_reviews_of_one_address_leave_places_to_others(open_server, monkeypatch):
    fake_compiler(monkeypatch, "")
    monkeypatch.setattr(analysis, "MAX_REVIEWS_PER_ADDRESS", 2)
    server = open_server(proxies=1)
    guests = [server.new_client() for _ in range(4)]
    over = [guest.create_table(game="mines", seats=2, seats_taken_by=["me", "bot:simple"]) for guest in guests]
    for guest, id in zip(guests, over, strict=True):
        finish_game(server, id, guest)
    FakeWorkers(server, monkeypatch)  # no job ends
    for k, expected in enumerate((202, 202, 429, 202)):
        guests[k].headers["X-Forwarded-For"] = f"192.0.2.{k // 3}"
        guests[k].get(f"/api/tables/{over[k]}/review", expected)
    waiting = server.app.tables.workers.queue.jobs
    wait_until(lambda: {*waiting[1]} == {"192.0.2.0", "192.0.2.1"}, "expected turns of both addresses")
    table_at_bot_turn(server, guests[3])
    wait_until(lambda: [*waiting[0]] == ["192.0.2.1"], "expected a turn of the host's address")


def test_bots_pause_at_unwatched_tables_and_resume_for_a_viewer(server, guest, monkeypatch):
    monkeypatch.setattr(bots, "PAUSE_UNWATCHED_S", -1.0)
    id = guest.create_table(game="mines", seats=2, seats_taken_by=["bot:simple", "bot:simple"])
    table = server.app.tables.registry.get(id)
    wait_until(lambda: table.presence.bots_paused and not table.presence.bot_tasks, "expected no bot answers")
    before = table.n
    with_me = guest.create_table(game="mines", seats=2, seats_taken_by=["me", "bot:simple"])
    guest.wait_for_turn(with_me)
    assert table.n == before
    monkeypatch.setattr(bots, "PAUSE_UNWATCHED_S", 600.0)
    guest.get_table(id)
    wait_until(lambda: table.is_over, "expected the bots to resume for a viewer")


def test_bots_resume_at_unattended_tables_for_a_viewer_after_a_restart(open_server, monkeypatch, tmp_path):
    monkeypatch.setattr(bots, "PAUSE_UNWATCHED_S", -1.0)
    server = open_server(tmp_path)
    guest = server.new_client()
    id = guest.create_table(game="mines", seats=2, seats_taken_by=["bot:simple", "bot:simple"])
    server.restart(guest)
    monkeypatch.setattr(bots, "PAUSE_UNWATCHED_S", 600.0)
    guest.get_table(id)
    wait_until(lambda: server.app.tables.registry.get(id).is_over, "expected the bots to resume for a viewer")


@pytest.mark.parametrize("why", ["no Numba", "no compiler"])
def test_unplayable_level_is_not_offered_and_replaced_by_simple(server, monkeypatch, why, caplog, tmp_path):
    full = tmp_path / "full"
    waits = f"import os, time\nwhile not os.path.exists({str(full)!r}): time.sleep(0.01)\n"
    fake_compiler(monkeypatch, waits + "raise SystemExit('the disk is full')")
    guest = server.new_client()
    id = guest.create_table(game="mines", seats=2, seats_taken_by=["me", "bot:5"])
    over = guest.create_table(game="mines", seats=2, seats_taken_by=["me", "bot:simple"])
    finish_game(server, over, guest)
    if why == "no Numba":
        monkeypatch.setattr(kernels, "find_spec", lambda name: None)
    else:
        server.call_on_loop(lambda: server.app.tables.workers.when_ready(server.app.tables.get(id).game))
    full.touch()
    wait_until(kernels.missing_reason, "expected a compilation failure to be noticed")
    missing = kernels.missing_reason()
    assert missing is not None
    reason = i18n.translate(*missing)
    assert missing == kernels.NUMBA_REQUIRED or "the disk is full" in caplog.text
    told = guest.get("/api/server")
    assert [level["level"] for level in told["levels"]] == ["random", "simple"]
    assert told["levels_unavailable"] == f"The levels cannot play here: {reason}."
    sentence = f"The bot 5 cannot play here: {reason}."
    error = guest.post("/api/tables", {"game": "mines", "seats": 2, "seats_taken_by": ["me", "bot:5"]}, 409)
    assert error["error"] == sentence
    open_seat = guest.create_open_table()
    assert guest.post(f"/api/tables/{open_seat}/bot", {"seat": 1, "level": "5"}, 409)["error"] == sentence
    assert guest.post(f"/api/tables/{over}/fork", {"n": 0, "seat": 0, "level": "5"}, 409)["error"] == sentence
    while not any(entry.endswith(" by simple") for entry in entries(server, id)):  # the level's table gets a substitute
        message = guest.wait_for_turn(id)
        guest.answer(id, message["n"], first_legal(message))
        guest.wait_for_turn(id)
    assert seat_note(guest, id) == "simple"


@pytest.mark.later
def test_worker_process_dies_with_its_server_even_if_killed_at_startup():
    server = (
        "import os, signal\nfrom diamonds.server.jobs.worker_pool import WorkerPool\n"
        "WorkerPool()._get_executor().submit(os.getpid)\nos.kill(os.getpid(), signal.SIGKILL)"
    )
    # Standard output is inherited, and closes only when the last process that holds it exits.
    done = subprocess.run([sys.executable, "-c", server], stdout=subprocess.PIPE, timeout=WAIT_TIMEOUT_S, check=False)
    assert done.returncode == -signal.SIGKILL


def send_half_of_the_result(half_sent: str) -> bytes:
    """Return a result that the process never sends completely; create the file `half_sent` after half of it."""

    def send_half(self: Any, message: memoryview) -> None:
        os.write(self.fileno(), message[: len(message) // 2])
        Path(half_sent).touch()
        time.sleep(3600)

    connection.Connection._send = send_half  # type: ignore[method-assign]
    return bytes(32_768)


@pytest.mark.later
def test_pool_can_be_killed_while_a_worker_sends_a_result(tmp_path):
    pool = ProcessPoolExecutor(1, multiprocessing.get_context("spawn"))
    half_sent = tmp_path / "half-sent"
    pool.submit(send_half_of_the_result, str(half_sent))
    wait_until(half_sent.exists, "expected the worker to begin sending")
    results = pool._result_queue  # type: ignore[attr-defined]
    killer = threading.Thread(target=plugin_process.kill_pool, args=(pool,), daemon=True)
    killer.start()
    killer.join(WAIT_TIMEOUT_S)
    has_ended = not killer.is_alive()
    results._writer.close()  # otherwise a hanging pool would outlive pytest
    assert has_ended, "expected the pool to end"
