"""Open the house: one data folder, one address; one process, or several (`workers.py`)."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import gc
import logging
import os
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any, cast

import apsw
import uvicorn

from diamonds import machine
from diamonds.game import Refused
from diamonds.server import workers as several
from diamonds.server.house import offers
from diamonds.server.house.passkeys import Address
from diamonds.server.listening import handed_down, listen, listen_for_metrics
from diamonds.server.order.settings import settings_of
from diamonds.server.reload import Reloader
from diamonds.server.store.contract import Unavailable
from diamonds.server.store.folder import make_private, push_key, secret_key
from diamonds.server.store.where import store_of
from diamonds.server.watching import json_output, logs
from diamonds.server.wire.addresses import every_number_is_ours
from diamonds.server.wire.app import App, Setup, Watching
from diamonds.server.wire.door import TICKS, Door
from diamonds.server.wire.http import SECURITY
from diamonds.server.wire.inner import InnerSocket
from diamonds.server.wire.limits import OFF, Limits
from diamonds.server.wire.live import come_back

log = logging.getLogger("diamonds")

HTTPS_ONLY = ("strict-transport-security", "max-age=31536000")
EDITION = "diamonds-page"  # which page the house has: an older one that is open somewhere learns of it by any reply
SENT_ANYWAY = {name.encode() for name, _ in (*SECURITY, HTTPS_ONLY)} | {EDITION.encode()}
GRACE = 3  # seconds for requests that are under way when the house closes
LAST = 4.5  # seconds after which the process ends, whatever it still waits for
ENDED_LATE = 75  # its exit status then (EX_TEMPFAIL)
REFUSED = 2  # its exit status if it cannot start, as with `diamonds serve`
NO_STRUCTLOG = "--log {form} needs structlog. Install Diamonds with the extra 'watch'."


class Server(uvicorn.Server):
    """Uvicorn, which before it stops tells the readers to come back, for streams would never end by themselves.

    It takes no more requests, lets those that are under way finish and be written, and closes the store. ``last``: seconds after
    which the process ends without having done all that; whoever waits for a reply then was told nothing, and what was told is written.
    ``opened`` is called once the house is open.
    """

    def __init__(
        self,
        app: App,
        last: float | None = None,
        opened: Callable[[], None] = lambda: None,
        worker: several.Worker | None = None,
        inner: InnerSocket | None = None,
    ) -> None:
        config = uvicorn.Config(
            app,
            http=Door,
            ws="none",
            lifespan="on",
            log_config=None,
            log_level="error",  # of each request that is none it would write a line
            access_log=False,
            server_header=False,
            headers=[*SECURITY, (EDITION, app.page.first), *([HTTPS_ONLY] if app.settings.secure else [])],
            proxy_headers=False,  # `http.address_of` reads them, if told to
            timeout_keep_alive=75,  # uvicorn's 5 s would close the line of everyone who thinks before they play
            timeout_graceful_shutdown=GRACE,
        )
        super().__init__(config)
        self.app = app
        self.last = last
        self.opened = opened
        self.worker = worker
        self.inner = inner  # at which other members of a cluster reach it

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """See uvicorn. The app opens first: what keeps it from opening is raised, where uvicorn would print a traceback."""
        await self.app.open()
        await super().startup(sockets)
        if self.started:
            if self.inner is not None:
                await self.inner.serve(self)
            self.opened()
            if self.worker is not None:
                loop = asyncio.get_running_loop()
                loop.add_reader(self.worker.line, self._left_alone, loop, self.worker.line)
                self._beat(loop, self.worker)

    def _beat(self, loop: asyncio.AbstractEventLoop, worker: several.Worker) -> None:
        """Tell the supervisor that this process takes requests, from now on."""
        worker.beat()
        loop.call_later(several.HEARTBEAT_INTERVAL_S, self._beat, loop, worker)

    def _left_alone(self, loop: asyncio.AbstractEventLoop, line: socket.socket) -> None:
        """Whoever started this process is gone."""
        loop.remove_reader(line)
        self.handle_exit(signal.SIGTERM, None)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """See uvicorn: a signal to stop."""
        self.app.readiness.ending = True
        super().handle_exit(sig, frame)

    async def on_tick(self, counter: int) -> bool:
        """See uvicorn: called ten times a second. Each connection has its turn once in a second, not all at a time."""
        now = asyncio.get_running_loop().time()
        for connection in [c for c in self.server_state.connections if cast(Door, c).tick == counter % TICKS]:
            cast(Door, connection).look_at_the_clock(now)
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """See uvicorn."""
        self.app.readiness.ending = True
        if self.last is not None:
            late = threading.Timer(self.last, _end_late)
            late.daemon = True
            late.start()
        log.info("The house closes.", extra={"readers": sum(map(len, self.app.tables.hub.slots))})
        self.app.tables.hub.part(come_back)
        await super().shutdown(sockets)
        for connection in [*self.server_state.connections]:  # of members that came while the others were closed
            cast(Door, connection).transport.abort()
        await asyncio.sleep(0)


def _end_late() -> None:
    """Something does not come to its end: a disk, a thought. What anyone has seen is safe."""
    sys.stderr.write("Diamonds ends without waiting any longer for what is not done. What was seen is safe.\n")
    sys.stderr.flush()
    os._exit(ENDED_LATE)


def serve(
    host: str = "127.0.0.1",
    port: int = 8000,
    data: Path | str | None = "data",
    open_browser: bool = False,
    proxies: int = 0,
    secure: bool = False,
    think: tuple[float, float] | None = None,
    limits: Limits | None = None,
    announce: bool = True,
    names: Sequence[str] = (),
    get_ready: bool = True,
    address: str = "",
    settings_file: Path | None = None,
    metrics: str = "",
    logged: str = "",
    log_level: str = "",
    kept: str = "",
    workers: int = 1,
    inner: str = "",
    port_each: bool = False,
) -> None:
    """Serve until interrupted. ``data`` ``None`` keeps nothing. `Refused` says in one sentence why it cannot start.

    ``proxies`` is the number of reverse proxies before it that are trusted to say whose request it is; ``secure`` says
    that the last of them speaks HTTPS. ``address`` is where people find the house (``https://diamonds.example``): it says both that, and a name. ``names`` are those by which people ask for it, besides localhost and ``host``.
    ``settings_file`` is what the house says of itself; by default ``house.toml`` in the data folder, if there is one.
    ``metrics`` is where Prometheus finds figures: a port of this machine's alone, or ``ADDRESS:PORT``; empty: nowhere. ``logged``: see `logs.FORMS`; ``log_level``: see `logs.LEVELS`.
    ``kept`` is the address of a database in PostgreSQL that has everything but the keys; without it, everything is in the folder.
    ``workers`` is how many processes serve, with ``port_each`` each at its own port, from ``port`` on; ``inner``, the address of this machine at which processes of others reach them, who have the same database.
    Port 0 takes any that is free. ``think``: bots take between so many seconds and so many, whatever the pace of their table. ``get_ready``: what bots think with is compiled now, rather than when it is first wanted.
    """
    machine.allow_more_files()  # every stream is one
    folder = None if data is None else Path(data)
    worker = several.mine() if workers > 1 else None
    number = worker.number if worker else 0
    _write_json(logged, number)
    house = settings_of(folder, settings_file)
    form = logged or house.log or "plain"
    _write_json(form, number)
    several.check(workers, kept)
    if workers > 1 and worker is None:
        with written_down(form, log_level), contextlib.ExitStack() as sockets:
            places = open_places(sockets, host, port, workers, port_each, metrics or house.metrics)
            found = Address(address or house.address) if address or house.address else None
            opened = _address(host, places[0].listening, found)
            told = f"games are kept in {store_of(kept, folder)[1]}; {workers} processes"
            if port_each:
                told += f" at ports {', '.join(str(each.listening.getsockname()[1]) for each in places)}"

            def all_ready() -> None:
                _announce(opened, told, announce, open_browser)

            status = several.Supervisor(places, all_ready).run()
        if status:
            sys.exit(status)
        return
    address = address or house.address
    found = Address(address) if address else None
    store, kept_in = store_of(kept, folder)
    serves_alone = worker is None and not inner
    reloader = Reloader(house, folder, settings_file)
    with (
        reloader.listening(),
        written_down(form, log_level, number),
        worker.listening if worker else next(iter(handed_down()), None) or listen(host, port) as listening,
        asyncio.Runner(loop_factory=new_loop()) as runner,
    ):
        try:
            if kept and folder is not None:
                make_private(folder)  # for the keys
            runner.run(store.open())
            keys = secret_key(folder), push_key(folder)
            listens = InnerSocket(inner) if kept and not serves_alone else None
            part = None
            if kept:
                from diamonds.server.cluster.part import Part  # its libraries are an extra

                part = Part(cast(Any, store), listens, "" if inner else machine.name())
                keys = runner.run(part.join(keys))
                if number <= 1:  # once is enough
                    runner.run(part.warn_of_strangers())
        except OSError as error:
            raise Refused(f"The data folder {data} cannot be used: {error.strerror}.") from None
        except apsw.Error as error:
            raise Refused(
                f"{folder}/diamonds.sqlite cannot be used: {error}. If it is damaged, put back a backup; if the disk is full, "
                "make room."
            ) from None
        settings = Setup(
            think,
            limits or Limits(),
            proxies,
            secure or (found is not None and found.secure),
            (host, *names, *([found.host] if found else [])),
            every_number_is_ours(host),
            get_ready and (worker is None or worker.number == 1),
            found,
            house._replace(address=found.origin if found else ""),
            keys[1],
            folder,
            worker.number if worker else 1,
            workers,
        )
        app = App(store, keys[0], settings, part.cluster(keys[0], SENT_ANYWAY) if part else None)
        measured = worker.metrics if worker else None
        try:
            if worker is None and (metrics or house.metrics):
                measured = listen_for_metrics(metrics or house.metrics, [listening])
            if measured is not None:
                app.watching.append(watch(app, measured))
        except Refused:
            runner.run(store.close())
            raise
        offers.get_ready()
        opened = _address(host, listening, found)

        def say_so() -> None:
            reloader.open(app)
            if worker is None:
                _announce(
                    opened, f"games are kept in {kept_in}" if kept_in else "nothing is kept", announce, open_browser
                )

        gc.freeze()  # what is loaded by now stays: the collector need not look at it again,
        gc.set_threshold(3_000, 20, 20)  # nor as often at tables, which are not garbage
        try:
            server = Server(app, LAST, say_so, worker, listens)
            runner.run(server.serve([listening]))
        except (Refused, OSError) as error:
            if app.is_open:
                raise
            runner.run(store.close())
            if isinstance(error, OSError):
                raise Refused(f"The data folder {data} cannot be used: {error.strerror}.") from None
            if isinstance(error, Unavailable):
                raise Refused("server-cannot-write", place=kept_in) from None
            raise
        finally:
            if listens is not None:
                listens.close()
            if part is not None:
                runner.run(part.leave())


def _address(host: str, listening: socket.socket, found: Address | None) -> str:
    """Where the house is to be opened in a browser."""
    here = "localhost" if host in ("127.0.0.1", "::1") else f"[{host}]" if ":" in host else host
    return f"{found.origin}/" if found else f"http://{here}:{listening.getsockname()[1]}/"


def _announce(opened: str, told: str, announce: bool, open_browser: bool) -> None:
    """The house is open."""
    if announce:
        sys.stdout.write(f"Diamonds is open at {opened} ({told}; Ctrl-C closes it).\n")
        sys.stdout.flush()
    if open_browser:
        threading.Thread(target=webbrowser.open, args=[opened], daemon=True).start()


def open_places(
    sockets: contextlib.ExitStack, host: str, port: int, count: int, port_each: bool, metrics: str
) -> list[several.Place]:
    """Open the sockets of all workers, which ``sockets`` closes: one that they share, or one for each."""
    of_their_own = count if port_each else 1
    public = [*map(sockets.enter_context, handed_down(of_their_own))]
    for k in range(of_their_own - len(public)):
        public.append(sockets.enter_context(listen(host, port + k if port else 0)))
    places = []
    for k in range(count):
        measured = sockets.enter_context(listen_for_metrics(metrics, public, k)) if metrics else None
        places.append(several.Place(public[k if port_each else 0], measured))
    return places


def new_loop() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """What makes the event loop: uvicorn's choice."""
    return uvicorn.Config("", log_config=None).get_loop_factory()  # by default it would log in its own way


def _write_json(form: str, process: int) -> None:
    """Have every line of this process be JSON, if the log is."""
    if form == "json":
        try:
            json_output.install(process)
        except ModuleNotFoundError:
            raise Refused(NO_STRUCTLOG.format(form=form)) from None


@contextmanager
def written_down(form: str, level: str, process: int = 0) -> Iterator[None]:
    """What happens meanwhile is logged, in one of `logs.FORMS`; of several processes, which it was."""
    if form not in logs.FORMS or level not in ("", *logs.LEVELS):
        raise Refused(f"Logs are {', '.join(logs.FORMS)}; how much they tell is {', '.join(logs.LEVELS)}.")
    try:
        handler = logs.begin(form, level, process=process)
    except ModuleNotFoundError:
        raise Refused(NO_STRUCTLOG.format(form=form)) from None
    try:
        yield
    finally:
        logging.getLogger().removeHandler(handler)


def watch(app: App, listening: socket.socket) -> Watching:
    """Tell metrics to Prometheus at a socket of its own."""
    try:
        from diamonds.server.watching.exporter import Exporter  # its library is an extra
        from diamonds.server.wire.figures import figures
    except ModuleNotFoundError:
        listening.close()
        raise Refused("--metrics needs prometheus-client. Install Diamonds with the extra 'watch'.") from None
    return Exporter(listening, lambda: figures(app.tables, app.keeper, app.settings.folder, app.routes))


def main(arguments: list[str] | None = None) -> None:
    """The same from a command line: ``python -m diamonds.server``; `diamonds serve` is the friendlier door."""
    parser = argparse.ArgumentParser(prog="python -m diamonds.server", description="Serve Diamonds.")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--data", default="data", help="the data folder")
    parser.add_argument("--forget", action="store_true", help="keep nothing")
    parser.add_argument(
        "--think",
        default=os.environ.get("DIAMONDS_THINK", ""),
        help="how long bots take, in seconds, whatever the pace of their table",
    )
    parser.add_argument("--proxies", type=int, default=0, help="how many trusted reverse proxies are in front")
    parser.add_argument("--secure", action="store_true", help="the address that people use is HTTPS")
    parser.add_argument(
        "--name", action="append", default=[], help="a name by which people ask for the house; may be repeated"
    )
    parser.add_argument("--address", default="", help="where people find the house: https://diamonds.example")
    parser.add_argument(
        "--settings", type=Path, help="what the house says of itself; else house.toml in the data folder"
    )
    parser.add_argument("--metrics", default="", help="where Prometheus finds figures: PORT, or ADDRESS:PORT")
    parser.add_argument("--log", default="", help=f"how what happens is written down: {', '.join(logs.FORMS)}")
    parser.add_argument("--log-level", default="", help=f"how much of it: {', '.join(logs.LEVELS)}")
    parser.add_argument(
        "--store",
        default=os.environ.get("DIAMONDS_STORE", ""),
        help="keep all but keys in postgresql://USER@HOST/DATABASE",
    )
    parser.add_argument("--workers", type=int, default=1, help="how many processes serve, with --store")
    parser.add_argument(
        "--port-each", action="store_true", help="each of the --workers has its own port, from --port on"
    )
    parser.add_argument(
        "--inner", default="", help="this machine's address for other machines that serve from the same --store"
    )
    parser.add_argument("--no-limits", action="store_true", help="no rate limits: for measuring")
    parser.add_argument("--lazy", action="store_true", help="compile what bots think with when it is first wanted")
    given = parser.parse_args(arguments)
    try:
        serve(
            given.host,
            given.port,
            None if given.forget else given.data,
            proxies=given.proxies,
            secure=given.secure,
            think=read_think(given.think),
            limits=OFF if given.no_limits else Limits(),
            get_ready=not given.lazy,
            names=given.name,
            address=given.address,
            settings_file=given.settings,
            metrics=given.metrics,
            logged=given.log,
            log_level=given.log_level,
            kept=given.store,
            workers=given.workers,
            inner=given.inner,
            port_each=given.port_each,
        )
    except Refused as refusal:
        machine.say(f"{refusal}")
        sys.exit(REFUSED)


def read_think(text: str) -> tuple[float, float] | None:
    """``0.5,1.2``: bots take between so many seconds and so many; one number means exactly that, and none what their table says."""
    if not text:
        return None
    try:
        parts = [float(part) for part in text.split(",")]
    except ValueError:
        parts = []
    if not 1 <= len(parts) <= 2 or not 0 <= parts[0] <= parts[-1] <= 60:
        raise Refused(f"Bots think for “LEAST,MOST” seconds, up to 60, not “{text[:40]}”.")
    return parts[0], parts[-1]
