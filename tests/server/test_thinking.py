"""Levels at the house's tables: what they think with, whose turn it is, and what a table says when they cannot think."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import kept
import pytest
from guests import PATIENCE, Guest, House, first_legal, play_to_the_end, run_apart, until

from diamonds import words
from diamonds.bots import kernels
from diamonds.bots.advising import hints, review
from diamonds.game import GAMES
from diamonds.server.work import advisers, players, thinking
from diamonds.server.work.players import choose


@pytest.fixture(autouse=True)
def nothing_went_wrong_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """What could not be compiled in one test can be in the next."""
    monkeypatch.setattr(kernels, "_trouble", [])


def compiler(monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    """Nothing is compiled: a line of Python runs instead."""
    monkeypatch.setattr(thinking, "compiler", lambda game, patient: [sys.executable, "-c", code])
    monkeypatch.setattr(thinking.modules, "outdated", lambda: False)


class Thinker:
    """Stands in for the processes that think: notes what there is to do, and does nothing before it is let."""

    def __init__(self, house: House, monkeypatch: pytest.MonkeyPatch) -> None:
        self.begun: list[tuple[Callable[..., Any], tuple[Any, ...]]] = []
        self.let = threading.Semaphore(0)
        self.thinking = house.app.tables.thinking
        house.call(lambda: setattr(self.thinking, "_free", 1))
        monkeypatch.setattr(self.thinking, "work_out", self.work_out)

    async def work_out(self, work: Callable[..., Any], *given: Any) -> Any:
        """See `Thinking.work_out`."""
        self.begun.append((work, given))
        while not self.let.acquire(blocking=False):
            await asyncio.sleep(0.002)
        if work is choose:
            return choose("simple", *given[1:])
        if work is advisers.work_out_hint:
            return hints.Hint("play", "%", (), 1, "")
        raise AssertionError(work)

    def ends(self, times: int = 1) -> None:
        """So many pieces of work come to their end."""
        self.let.release(times)


def entries(house: House, id: str) -> list[str]:
    """What the table's log says, entry by entry."""
    table = house.app.tables.get(id)
    return [table.log.words_of(entry) for entry in table.log.entries]


def note(guest: Guest, id: str, seat: int = 1) -> str:
    """What is said at a plate."""
    return guest.look(id)["table"]["places"][seat]["note"]


def to_a_bots_turn(house: House, guest: Guest, level: str = "5") -> str:
    """A table of mines at which a bot is to play."""
    while True:
        id = guest.make(game="mines", seats=2, places=["me", f"bot:{level}"])
        if not guest.look(id)["ask"]:
            return id


def test_while_a_level_gets_ready_the_table_says_so_and_after_a_while_simple_answers_by_name(
    house: House, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    done = tmp_path / "compiled"
    compiler(monkeypatch, f"import os, time\nwhile not os.path.exists({str(done)!r}): time.sleep(0.01)")
    thinker, guest = Thinker(house, monkeypatch), house.guest()
    id = to_a_bots_turn(house, guest)
    until(lambda: note(guest, id) == "ready", "nobody is told why the bot does not play")
    assert not entries(house, id), "a level that is not ready has played"
    monkeypatch.setattr(players, "PATIENCE", 0.01)
    again = to_a_bots_turn(house, guest)
    until(lambda: entries(house, again), "nobody has answered for the level")
    assert entries(house, again)[0].endswith(" by simple")
    until(lambda: note(guest, again) == "simple", "nobody is told who answered")
    monkeypatch.setattr(players, "PATIENCE", 600)
    done.touch()
    until(lambda: thinker.begun, "the level does not begin to think")
    thinker.ends(100)  # for the other table's bot may not be through its turn, and think first
    until(lambda: entries(house, id), "the level does not play")
    assert not entries(house, id)[0].endswith(" by simple")
    assert note(guest, id) == ""


@pytest.mark.kernels
def test_what_bots_think_with_is_compiled_for_any_process_and_that_is_said_before_what_advisers_want() -> None:
    said: list[bool] = []
    assert run_apart(kept.RUN(kept.COMPILER("mines", True), lambda: said.append(True))) == ""
    assert said == [True]


def test_games_get_ready_side_by_side_where_there_are_processes_for_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Each compiler waits here until all three are at work."""
    began = f"import os, time; d = {str(tmp_path)!r}; open(f'{{d}}/{{os.getpid()}}', 'w').close()"
    compiler(monkeypatch, f"{began}\nwhile len(os.listdir(d)) < 3: time.sleep(0.01)")
    monkeypatch.setattr(thinking.machine, "processors", lambda: 4)
    monkeypatch.setattr(thinking.kernels, "missing", lambda: "")

    async def open_the_house() -> None:
        everything = thinking.Thinking()
        everything.open()
        try:
            async with asyncio.timeout(100):
                await asyncio.gather(*(everything.ready(game) for game in GAMES.values()))
        finally:
            everything.close()

    run_apart(open_the_house())


def test_what_pages_play_by_themselves_with_is_made_when_all_else_is_ready(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    said = tmp_path / "said"
    line = f"import sys; f = open({str(said)!r}, 'a'); f.write('{{}} '); f.close(); sys.exit({{}})"
    compiler(monkeypatch, line.format("compiled", 0))
    made = [sys.executable, "-c", line.format("made", 3)]
    warned: list[str] = []
    monkeypatch.setattr(thinking.modules, "outdated", lambda: True)
    monkeypatch.setattr(thinking.modules, "builder", lambda: made)
    monkeypatch.setattr(thinking.kernels, "missing", lambda: "")
    monkeypatch.setattr(thinking.log, "warning", lambda says, why: warned.append(why))

    async def open_the_house() -> None:
        everything = thinking.Thinking()
        everything.open()
        async with asyncio.timeout(100):
            await everything.ended()

    run_apart(open_the_house())
    assert said.read_text() == "compiled " * len(GAMES) + "made "
    assert warned == ["it ended with 3"]


def test_bots_play_before_all_is_ready_that_hints_and_reviews_want(
    house: House, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    done = tmp_path / "compiled"
    compiler(
        monkeypatch, f"import os, time\nprint(flush=True)\nwhile not os.path.exists({str(done)!r}): time.sleep(0.01)"
    )
    thinker, guest = Thinker(house, monkeypatch), house.guest()
    id = to_a_bots_turn(house, guest)
    until(lambda: thinker.begun, "the level waits for what only advisers want")
    game, everything = house.app.tables.get(id).game, house.app.tables.thinking
    assert not house.call(lambda: everything.ready_to_advise(game).done())
    done.touch()
    until(lambda: house.call(lambda: everything.ready_to_advise(game).done()), "advisers never get ready")
    thinker.ends()


def test_a_level_whose_turn_does_not_come_is_stood_in_for_too_but_not_where_nobody_sits(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiler(monkeypatch, "")
    thinker, guest, other = Thinker(house, monkeypatch), house.guest(), house.guest()
    other.make(game="mines", seats=2, places=["bot:5", "bot:5"])
    until(lambda: thinker.begun, "nobody thinks")
    monkeypatch.setattr(players, "PATIENCE", 0.01)
    idle = other.make(game="mines", seats=2, places=["bot:5", "bot:5"])
    id = to_a_bots_turn(house, guest)
    until(lambda: entries(house, id), "nobody has answered for the level")
    assert entries(house, id)[0].endswith(" by simple")
    assert not entries(house, idle), "nobody is impatient where nobody sits"
    assert len(thinker.begun) == 1


@pytest.mark.later
def test_somebodys_bots_and_hint_are_served_before_fifty_tables_at_which_nobody_sits(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiler(monkeypatch, "")
    thinker, rival, guest = Thinker(house, monkeypatch), house.guest(), house.guest()
    waiting = house.app.tables.thinking._turns._waiting
    for _ in range(50):
        rival.make(game="mines", seats=2, places=["bot:5", "bot:5"])
    until(lambda: sum(map(len, waiting[2].values())) == 49, "the rival's bots do not wait")
    mine = to_a_bots_turn(house, guest)
    until(lambda: waiting[0], "the guest's bot does not wait")
    row = players.bot.see(house.app.tables.get(mine).game, house.app.tables.get(mine).play.state, 1).row.tobytes()
    thinker.ends()
    until(lambda: len(thinker.begun) == 2, "nobody is served")
    assert thinker.begun[1][1][2] == row, "the guest's bot waits behind tables at which nobody sits"
    hinted = guest.make(game="mines", seats=2, places=["me", "bot:simple"])
    until(lambda: guest.look(hinted)["ask"], "the guest is not asked")
    asking = threading.Thread(target=guest.get, args=(f"/api/tables/{hinted}/hint",))
    asking.start()
    until(lambda: waiting[0], "the hint does not wait")
    thinker.ends()
    until(lambda: len(thinker.begun) == 3, "nobody is served")
    assert thinker.begun[2][0] is advisers.work_out_hint
    thinker.ends()
    asking.join()
    assert guest.status == 200


def game_of(task: review.Task) -> int:
    """What tells the game of a task from others: its random numbers begin there."""
    return task.seed - 8 * task.n


@pytest.mark.later
def test_two_reviews_go_forward_side_by_side_and_behind_who_plays(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiler(monkeypatch, "")
    people = [house.guest(), house.guest()]
    over = [guest.make(game="mines", seats=2, places=["me", "bot:simple"]) for guest in people]
    for guest, id in zip(people, over, strict=True):
        play_to_the_end(house, id, guest)
    monkeypatch.setattr(advisers, "work_out_tasks", lambda tasks, moments: ([None] * len(tasks), []))
    order: list[Any] = []
    thinker = Thinker(house, monkeypatch)

    async def work_out(work: Callable[..., Any], *given: Any) -> Any:
        if work is advisers.work_out_plan:
            return await asyncio.to_thread(work, *given)
        order.append(game_of(given[0][0]) if work is advisers.work_out_tasks else "play")
        await asyncio.to_thread(thinker.let.acquire)
        return choose("simple", *given[1:]) if work is choose else work(*given)

    monkeypatch.setattr(house.app.tables.thinking, "work_out", work_out)
    waiting = house.app.tables.thinking._turns._waiting
    for guest, id in zip(people, over, strict=True):
        guest.get(f"/api/tables/{id}/review", 202)
    until(lambda: len(order) == 1 and waiting[1], "the reviews do not begin")
    for k in range(2, 8):
        thinker.ends()
        until(lambda k=k: len(order) == k and waiting[1], "the reviews do not go forward")
    first, second = order[:2]
    assert first != second
    assert order == [first, second] * 3 + [first]
    to_a_bots_turn(house, people[0])
    until(lambda: waiting[0], "the bot does not wait")
    thinker.ends()
    until(lambda: len(order) == 8, "nobody is served")
    assert order[7] == "play", "a bot waits behind reviews"
    thinker.ends(1000)


def test_more_reviews_or_hints_than_a_person_may_wait_for_are_429(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiler(monkeypatch, "")
    guest = house.guest()
    id = guest.make(game="mines", seats=2, places=["me", "bot:simple"])
    play_to_the_end(house, id, guest)
    asked = guest.make(game="mines", seats=2, places=["me", "bot:simple"])
    until(lambda: guest.look(asked)["ask"], "the guest is not asked")
    house.call(lambda: house.app.tables.thinking.ready(house.app.tables.get(id).game))
    until(lambda: house.app.tables.thinking._ready["mines"].done(), "nothing gets ready")
    monkeypatch.setattr(advisers, "UNDER_WAY", 0)
    monkeypatch.setattr(advisers, "MOST", 0)
    for what in (f"{id}/review", f"{asked}/hint"):
        guest.get(f"/api/tables/{what}", 429)
        assert int(guest.reply_headers["retry-after"]) > 0


def test_bots_pause_where_nobody_sits_and_nobody_looks_and_go_on_when_someone_does(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    guest = house.guest()
    monkeypatch.setattr(players, "UNWATCHED", -1.0)
    id = guest.make(game="mines", seats=2, places=["bot:simple", "bot:simple"])
    table = house.app.tables.shelf.get(id)
    until(lambda: table.here.paused and not table.here.bots, "the bots play for nobody")
    before = table.n
    with_me = guest.make(game="mines", seats=2, places=["me", "bot:simple"])
    until(lambda: guest.look(with_me)["ask"], "a bot pauses where somebody sits")
    assert table.n == before
    monkeypatch.setattr(players, "UNWATCHED", 600.0)
    guest.look(id)
    until(lambda: table.over, "the bots do not go on though somebody looks")


def test_bots_go_on_where_nobody_sits_when_someone_looks_after_a_restart(
    open_house: Callable[..., House], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(players, "UNWATCHED", -1.0)
    house = open_house(tmp_path)
    guest = house.guest()
    id = guest.make(game="mines", seats=2, places=["bot:simple", "bot:simple"])
    house.restart(guest)
    monkeypatch.setattr(players, "UNWATCHED", 600.0)
    guest.look(id)
    until(lambda: house.app.tables.shelf.get(id).over, "the bots do not go on though somebody looks")


@pytest.mark.parametrize("why", ["no Numba", "no compiler"])
def test_levels_that_cannot_play_are_not_offered_and_refused_by_name_and_simple_answers_for_them(
    house: House, monkeypatch: pytest.MonkeyPatch, why: str, caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    full = tmp_path / "full"
    waits = f"import os, time\nwhile not os.path.exists({str(full)!r}): time.sleep(0.01)\n"
    compiler(monkeypatch, waits + "raise SystemExit('the disk is full')")
    guest = house.guest()
    id = guest.make(game="mines", seats=2, places=["me", "bot:5"])
    over = guest.make(game="mines", seats=2, places=["me", "bot:simple"])
    play_to_the_end(house, over, guest)
    if why == "no Numba":
        monkeypatch.setattr(kernels, "find_spec", lambda name: None)
    else:
        house.call(lambda: house.app.tables.thinking.ready(house.app.tables.get(id).game))
    full.touch()
    until(kernels.missing, "nobody notices that nothing can be compiled")
    missing = kernels.missing()
    assert missing is not None
    reason = words.say(*missing)
    assert missing == kernels.NEEDED or "the disk is full" in caplog.text
    told = guest.get("/api/house")
    assert [level["level"] for level in told["levels"]] == ["random", "simple"]
    assert told["missing"] == f"The levels cannot play here: {reason}."
    sentence = f"The bot 5 cannot play here: {reason}."
    refused = guest.post("/api/tables", {"game": "mines", "seats": 2, "places": ["me", "bot:5"]}, 409)
    assert refused["error"] == sentence
    open_seat = guest.make(game="mines", seats=2, places=["me", "open"])
    assert guest.post(f"/api/tables/{open_seat}/bot", {"seat": 1, "level": "5"}, 409)["error"] == sentence
    assert guest.post(f"/api/tables/{over}/fork", {"n": 0, "seat": 0, "level": "5"}, 409)["error"] == sentence
    while not any(entry.endswith(" by simple") for entry in entries(house, id)):  # who sits with a level since before
        message = until(lambda: (m := guest.look(id))["ask"] and m, "the bot does not answer")
        guest.answer(id, message["n"], first_legal(message))
        until(lambda: guest.look(id)["ask"], "the bot does not answer")
    assert note(guest, id) == "simple"


@pytest.mark.later
def test_a_process_that_thinks_goes_with_its_server_even_if_that_is_killed_before_it_has_begun() -> None:
    server = (
        "import os, signal\nfrom diamonds.server.work.thinking import Thinking\n"
        "Thinking()._pool().submit(os.getpid)\nos.kill(os.getpid(), signal.SIGKILL)"
    )
    # It inherits what the server would write to, whose end is come when nobody has it any more.
    done = subprocess.run([sys.executable, "-c", server], stdout=subprocess.PIPE, timeout=PATIENCE, check=False)
    assert done.returncode == -signal.SIGKILL
