"""Open the house: one data folder, one address; one process, or several (`workers.py`)."""

from __future__ import annotations

import argparse
import asyncio
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
from typing import cast

import apsw
import uvicorn

from diamonds import machine
from diamonds.game import Refused
from diamonds.server import workers as several
from diamonds.server.house import offers
from diamonds.server.house.passkeys import Address
from diamonds.server.order.settings import read_where, settings_of
from diamonds.server.reload import Reloader
from diamonds.server.store.contract import Unavailable
from diamonds.server.store.folder import make_private, push_key, secret_key
from diamonds.server.store.where import store_of
from diamonds.server.watching import json_output, logs
from diamonds.server.wire.addresses import every_number_is_ours
from diamonds.server.wire.app import App, Setup, Watching
from diamonds.server.wire.door import TICKS, Door
from diamonds.server.wire.http import SECURITY
from diamonds.server.wire.limits import OFF, Limits
from diamonds.server.wire.live import come_back

log = logging.getLogger("diamonds")

HTTPS_ONLY = ("strict-transport-security", "max-age=31536000")
EDITION = "diamonds-page"  # which page the house has: an older one that is open somewhere learns of it by any reply
GRACE = 3  # seconds for requests that are under way when the house closes
LAST = 4.5  # seconds after which the process ends, whatever it still waits for
ENDED_LATE = 75  # its exit status then (EX_TEMPFAIL)
REFUSED = 2  # its exit status if it cannot start, as with `diamonds serve`
HANDED_DOWN = 3  # the descriptor under which systemd hands a socket down
NO_STRUCTLOG = "--log {form} needs structlog. Install Diamonds with the extra 'watch'."
SEND_BUFFER = 64 * 1024  # bytes that the system keeps for a reader who takes nothing (it doubles them)


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
        line: socket.socket | None = None,
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
        self.line = line  # this process ends when it does

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """See uvicorn. The app opens first: what keeps it from opening is raised, where uvicorn would print a traceback."""
        await self.app.open()
        await super().startup(sockets)
        if self.started:
            self.opened()
            if self.line is not None:
                loop = asyncio.get_running_loop()
                loop.add_reader(self.line, self._left_alone, loop, self.line)

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
) -> None:
    """Serve until interrupted. ``data`` ``None`` keeps nothing. `Refused` says in one sentence why it cannot start.

    ``proxies`` is the number of reverse proxies before it that are trusted to say whose request it is; ``secure`` says
    that the last of them speaks HTTPS. ``address`` is where people find the house (``https://diamonds.example``): it says both that, and a name. ``names`` are those by which people ask for it, besides localhost and ``host``.
    ``settings_file`` is what the house says of itself; by default ``house.toml`` in the data folder, if there is one.
    ``metrics`` is where Prometheus finds figures: a port of this machine's alone, or ``ADDRESS:PORT``; empty: nowhere. ``logged``: see `logs.FORMS`; ``log_level``: see `logs.LEVELS`.
    ``kept`` is the address of a database in PostgreSQL that has everything but the keys; without it, everything is in the folder.
    ``workers`` is how many processes serve; ``inner``, the address of this machine at which processes of others reach them, who have the same database.
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
        with written_down(form, log_level), handed_down() or listen(host, port) as listening:
            opened = _address(host, listening, Address(address or house.address) if address or house.address else None)
            told = f"games are kept in {store_of(kept, folder)[1]}; {workers} processes"

            def all_ready() -> None:
                _announce(opened, told, announce, open_browser)

            status = several.Supervisor(listening, workers, all_ready).run()
        if status:
            sys.exit(status)
        return
    address = address or house.address
    found = Address(address) if address else None
    store, kept_in = store_of(kept, folder, alone=worker is None and not inner)
    reloader = Reloader(house, folder, settings_file)
    with (
        reloader.listening(),
        written_down(form, log_level, number),
        worker.listening if worker else handed_down() or listen(host, port) as listening,
        asyncio.Runner(loop_factory=new_loop()) as runner,
    ):
        try:
            if kept and folder is not None:
                make_private(folder)  # for the keys
            runner.run(store.open())
            keys = secret_key(folder), push_key(folder)
            if store.sharing is not None:
                keys = runner.run(store.sharing.keys(keys))
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
        app = App(store, keys[0], settings)
        if metrics or house.metrics:
            try:
                where = beside(metrics or house.metrics, settings.process)
                app.watching.append(watch(app, where, listening.getsockname()[1]))
            except Refused:
                runner.run(store.close())
                raise
        offers.get_ready()
        opened = _address(host, listening, found)

        def say_so() -> None:
            reloader.open(app)
            if worker is not None:
                worker.is_ready()
                return
            _announce(opened, f"games are kept in {kept_in}" if kept_in else "nothing is kept", announce, open_browser)

        sockets = [listening]
        if app.tables.neighbours is not None:
            sockets.append(listen(inner or "127.0.0.1", 0))
            told = "{}:{}".format(*sockets[1].getsockname()[:2])
            try:
                if not runner.run(app.tables.neighbours.be_at(told, "" if inner else machine.name())):
                    raise Refused(
                        "Another machine keeps this house too, and not all can reach each other: on each of them, --inner says the"
                        " address at which the others do (diamonds serve --inner 10.0.0.5 …)."
                    )
            except (Refused, OSError):
                sockets[1].close()
                runner.run(store.close())
                raise
        gc.freeze()  # what is loaded by now stays: the collector need not look at it again,
        gc.set_threshold(3_000, 20, 20)  # nor as often at tables, which are not garbage
        try:
            runner.run(Server(app, LAST, say_so, worker.line if worker else None).serve(sockets))
        except (Unavailable, OSError) as error:
            if app.is_open:
                raise
            runner.run(store.close())
            if isinstance(error, OSError):
                raise Refused(f"The data folder {data} cannot be used: {error.strerror}.") from None
            raise Refused("server-cannot-write", place=kept_in) from None


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


def beside(where: str, process: int) -> str:
    """Where the figures of one of several processes are: the first one's where it is said, each other's at a port after it."""
    host, port = read_where(where)
    return f"[{host}]:{port + process - 1}" if ":" in host else f"{host}:{port + process - 1}"


def new_loop() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """What makes the event loop: uvicorn's choice."""
    return uvicorn.Config("", log_config=None).get_loop_factory()  # by default it would log in its own way


def handed_down() -> socket.socket | None:
    """The socket at which the system listens for us, if it does (`sd_listen_fds`). While one process ends and the next starts, who
    comes waits there: nobody is refused."""
    given = os.environ.pop("LISTEN_PID", ""), os.environ.pop("LISTEN_FDS", "")
    if given != (str(os.getpid()), "1"):
        return None
    listening = socket.socket(fileno=HANDED_DOWN)
    listening.set_inheritable(False)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    listening.setblocking(False)
    return listening


def listen(host: str, port: int) -> socket.socket:
    """The socket, bound before anything else, so that a taken port is one sentence."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(
        family, socket.SOCK_STREAM, socket.IPPROTO_TCP
    )  # named, or asyncio leaves Nagle on: 40 ms
    alone = getattr(socket, "SO_EXCLUSIVEADDRUSE", socket.SO_REUSEADDR)  # on Windows the latter lets others in
    listening.setsockopt(socket.SOL_SOCKET, alone, 1)
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
    try:
        listening.bind((host, port))
    except OSError as error:
        listening.close()
        raise Refused(f"{host}:{port} cannot be opened: {error.strerror}. Choose another with --port.") from None
    listening.listen(4096)
    listening.setblocking(False)
    return listening


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


def watch(app: App, where: str, public: int) -> Watching:
    """Figures of the house for Prometheus, at an address of their own."""
    host, port = read_where(where)
    if port == public:
        raise Refused(f"Metrics have a port of their own, which is not {public}: people come to that one.")
    try:
        from diamonds.server.watching.exporter import Exporter  # its library is an extra
        from diamonds.server.wire.figures import figures
    except ModuleNotFoundError:
        raise Refused("--metrics needs prometheus-client. Install Diamonds with the extra 'watch'.") from None
    try:
        return Exporter(host, port, lambda: figures(app.tables, app.keeper, app.settings.folder, app.routes))
    except OSError as error:
        raise Refused(
            f"{host}:{port} cannot be opened for metrics: {error.strerror}. Choose another with --metrics."
        ) from None


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
