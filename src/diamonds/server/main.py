"""Start-up of a server: one data folder and one address, in one process or several (`cluster/supervisor.py`)."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import gc
import logging
import os
import socket
import sys
import threading
import webbrowser
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import apsw

from diamonds import operating_system
from diamonds.bots import levels
from diamonds.errors import DiamondsError
from diamonds.server.accounts.passkeys import PublicOrigin
from diamonds.server.cluster import supervisor as several
from diamonds.server.http.app import AppConfig, DiamondsApp, LifespanResource
from diamonds.server.http.internal_listener import InternalListener
from diamonds.server.http.network_addresses import is_non_loopback_ip
from diamonds.server.http.rate_limits import UNLIMITED, RateLimitSettings
from diamonds.server.jobs.plugin_process import check_plugins
from diamonds.server.listening_sockets import listen, listen_for_metrics, systemd_sockets
from diamonds.server.metrics import json_output, logs
from diamonds.server.settings_file import TomlSettings, find_config, warn_of_old_names
from diamonds.server.settings_reload import SettingsReloader
from diamonds.server.storage.commit_outcomes import StoreUnavailableError
from diamonds.server.storage.data_dir import make_private, push_key, secret_key
from diamonds.server.storage.open_store import create_store
from diamonds.server.tables import offered_games
from diamonds.server.uvicorn_server import ALWAYS_SENT_HEADERS, SHUTDOWN_DEADLINE_S, DiamondsServer, event_loop_factory

EXIT_CANNOT_START = 2  # exit status if the server cannot start, as with `diamonds serve`
STRUCTLOG_MISSING = "--log-format {form} needs structlog. Install Diamonds with the extra 'watch'."


class ServerOptions(NamedTuple):
    """The options of `diamonds serve`.

    In addition, `data_dir=None` stores nothing, `announce` prints the address, and `warm_up` compiles the bots at
    start-up instead of on first use.
    """

    host: str = "127.0.0.1"
    port: int = 8000
    data_dir: Path | str | None = "data"
    open_browser: bool = False
    trusted_proxies: int = 0
    https: bool = False
    bot_delay: tuple[float, float] | None = None
    limits: RateLimitSettings = RateLimitSettings()
    announce: bool = True
    allowed_host: Sequence[str] = ()
    warm_up: bool = True
    public_url: str = ""
    config: Path | None = None
    metrics_address: str = ""
    log_format: str = ""
    log_level: str = ""
    database: str = ""
    workers: int = 1
    internal_address: str = ""
    port_per_worker: bool = False
    bot: Sequence[str] = ()

    @property
    def folder(self) -> Path | None:
        """The data folder."""
        return None if self.data_dir is None else Path(self.data_dir)

    @property
    def public_origin(self) -> PublicOrigin | None:
        """The address at which browsers reach the server, if one is set."""
        return PublicOrigin(self.public_url) if self.public_url else None


def serve(options: ServerOptions) -> None:
    """Serve until interrupted. Raise `DiamondsError` if the server cannot start."""
    operating_system.raise_open_file_limit()  # each stream needs an open file
    worker = several.inherited_sockets() if options.workers > 1 else None
    number = worker.number if worker else 0
    _install_json_output(options.log_format, number)
    config = find_config(options.folder, options.config)
    options = options._replace(
        public_url=options.public_url or config.public_url,
        metrics_address=options.metrics_address or config.metrics_address,
        log_format=options.log_format or config.log_format or "plain",
    )
    _install_json_output(options.log_format, number)
    several.check_worker_support(options.workers, options.database)
    if worker is None:
        check_plugins(options.bot)
    for name in options.bot:
        levels.offer_plugin(name)
    with configure_logging(options.log_format, options.log_level, number):
        if worker is None:  # otherwise the supervisor has already done this
            warn_of_old_names(options.folder, options.config)
        if options.workers > 1 and worker is None:
            _supervise(options)
        else:
            _serve_in_this_process(options, config, worker)


def _supervise(options: ServerOptions) -> None:
    """Run the workers. Exit if they cannot start."""
    with contextlib.ExitStack() as sockets:
        worker_sockets = _open_worker_sockets(sockets, options)
        storage_text = f"{create_store(options.database, options.folder)[1]}; {options.workers} processes"
        if options.port_per_worker:
            storage_text += (
                f" at ports {', '.join(str(each.listen_socket.getsockname()[1]) for each in worker_sockets)}"
            )
        announce = partial(_announce, options, _browser_url(options, worker_sockets[0].listen_socket), storage_text)
        status = several.Supervisor(worker_sockets, announce).run()
    if status:
        sys.exit(status)


def _open_worker_sockets(sockets: contextlib.ExitStack, options: ServerOptions) -> list[several.WorkerSockets]:
    """Open the sockets of all workers: a shared one, or one each. `sockets` closes them."""
    socket_count = options.workers if options.port_per_worker else 1
    public = [*map(sockets.enter_context, systemd_sockets(socket_count))]
    for k in range(socket_count - len(public)):
        public.append(sockets.enter_context(listen(options.host, options.port + k if options.port else 0)))
    worker_sockets = []
    for k in range(options.workers):
        address = options.metrics_address
        metrics_socket = sockets.enter_context(listen_for_metrics(address, public, k)) if address else None
        worker_sockets.append(several.WorkerSockets(public[k if options.port_per_worker else 0], metrics_socket))
    return worker_sockets


def _serve_in_this_process(
    options: ServerOptions, config: TomlSettings, worker: several.InheritedSockets | None
) -> None:
    public_url = options.public_origin
    store, storage_name = create_store(options.database, options.folder)
    reloader = SettingsReloader(config, options.folder, options.config)
    listening = worker.listen_socket if worker else next(iter(systemd_sockets()), None)
    with (
        reloader.handling_sighup(),
        listening or listen(options.host, options.port) as listen_socket,
        asyncio.Runner(loop_factory=event_loop_factory()) as runner,
        _opened_store(options, store, runner, worker) as (keys, cluster, internal_listener),
    ):
        app_config = AppConfig(
            options.bot_delay,
            options.limits,
            options.trusted_proxies,
            options.https or (public_url is not None and public_url.is_secure),
            (options.host, *options.allowed_host, *([public_url.host] if public_url else [])),
            is_non_loopback_ip(options.host),
            options.warm_up and (worker is None or worker.number == 1),
            public_url,
            config._replace(public_url=public_url.origin if public_url else ""),
            keys[1],
            options.folder,
            worker.number if worker else 1,
            options.workers,
        )
        app = DiamondsApp(store, keys[0], app_config, cluster)
        browser_url = _browser_url(options, listen_socket)
        metrics_socket = worker.metrics_socket if worker else None

        def on_open() -> None:
            reloader.open(app)
            if worker is None:
                _announce(options, browser_url, storage_name)

        offered_games.warm_up()
        gc.freeze()  # everything loaded so far stays, so the collector can skip it
        gc.set_threshold(3_000, 20, 20)  # tables are not garbage, so the collector can scan them less often
        try:
            if worker is None and options.metrics_address:
                metrics_socket = listen_for_metrics(options.metrics_address, [listen_socket])
            if metrics_socket is not None:
                app.metrics_exporters.append(metrics_exporter(app, metrics_socket))
            server = DiamondsServer(app, SHUTDOWN_DEADLINE_S, on_open, worker, internal_listener)
            runner.run(server.serve([listen_socket]))
        except (DiamondsError, OSError) as error:
            if app.is_open:
                raise
            runner.run(store.close())
            if isinstance(error, OSError):
                raise _folder_error(options, error) from None
            if isinstance(error, StoreUnavailableError):
                raise DiamondsError("server-cannot-write", place=storage_name) from None
            raise


@contextmanager
def _opened_store(
    options: ServerOptions, store: Any, runner: asyncio.Runner, worker: several.InheritedSockets | None
) -> Iterator[tuple[tuple[bytes, bytes], Any, InternalListener | None]]:
    """Open the store, and prepare to join the cluster of its database, which is left at the end of the block.

    Yield the server's two keys and, in a cluster, the `Cluster` and the listener for other members.
    """
    internal_listener = membership = cluster = None
    try:
        if options.database and options.folder is not None:
            make_private(options.folder)  # protects the keys
        runner.run(store.open())
        keys = secret_key(options.folder), push_key(options.folder)
        if options.database:
            # These modules need optional dependencies.
            from diamonds.server.cluster.cluster import Cluster
            from diamonds.server.cluster.membership import ClusterMembership

            if worker or options.internal_address:
                internal_listener = InternalListener(options.internal_address)
            machine = "" if options.internal_address else operating_system.machine_id()
            membership = ClusterMembership(store, internal_listener, machine)
            keys = runner.run(membership.share_keys(keys))
            if internal_listener:
                cluster = Cluster(membership, keys[0], ALWAYS_SENT_HEADERS)
            if worker is None or worker.number == 1:  # one warning is enough for all workers
                runner.run(membership.warn_if_public())
    except OSError as error:
        raise _folder_error(options, error) from None
    except apsw.Error as error:
        raise DiamondsError(
            f"{options.folder}/diamonds.sqlite cannot be used: {error}. If it is damaged, restore a backup. If the disk is full, "
            "free some space."
        ) from None
    try:
        yield keys, cluster, internal_listener
    finally:
        if internal_listener is not None:
            internal_listener.close()
        if membership is not None:
            runner.run(membership.leave())


def _folder_error(options: ServerOptions, error: OSError) -> DiamondsError:
    return DiamondsError(f"The data folder {options.data_dir} cannot be used: {error.strerror}.")


def _browser_url(options: ServerOptions, listen_socket: socket.socket) -> str:
    """Return the address to open in a browser."""
    host = options.host
    local_host = "localhost" if host in ("127.0.0.1", "::1") else f"[{host}]" if ":" in host else host
    local_origin = f"http://{local_host}:{listen_socket.getsockname()[1]}"
    return f"{options.public_origin.origin if options.public_origin else local_origin}/"


def _announce(options: ServerOptions, browser_url: str, storage_text: str) -> None:
    """Announce that the server is open."""
    if options.announce:
        storage = f"games are kept in {storage_text}" if storage_text else "nothing is kept"
        sys.stdout.write(f"Diamonds is open at {browser_url} ({storage}; Ctrl-C closes it).\n")
        sys.stdout.flush()
    if options.open_browser:
        threading.Thread(target=webbrowser.open, args=[browser_url], daemon=True).start()


def _install_json_output(form: str, process: int) -> None:
    """Make every line of output JSON if the log format is JSON."""
    if form == "json":
        try:
            json_output.install(process)
        except ModuleNotFoundError:
            raise DiamondsError(STRUCTLOG_MISSING.format(form=form)) from None


@contextmanager
def configure_logging(form: str, level: str, process: int = 0) -> Iterator[None]:
    """Configure logging during the block, in one of `logs.FORMS`, with the process number if there are several."""
    if form not in logs.FORMS or level not in ("", *logs.LEVELS):
        raise DiamondsError(f"Log formats are {', '.join(logs.FORMS)}; log levels are {', '.join(logs.LEVELS)}.")
    try:
        handler = logs.configure(form, level, process=process)
    except ModuleNotFoundError:
        raise DiamondsError(STRUCTLOG_MISSING.format(form=form)) from None
    try:
        yield
    finally:
        logging.getLogger().removeHandler(handler)


def metrics_exporter(app: DiamondsApp, metrics_socket: socket.socket) -> LifespanResource:
    """Return an exporter of metrics to Prometheus, on a separate socket."""
    try:
        from diamonds.server.http.metrics_collector import collect_metrics
        from diamonds.server.metrics.prometheus import PrometheusExporter  # an optional dependency
    except ModuleNotFoundError:
        metrics_socket.close()
        raise DiamondsError(
            "--metrics-address needs prometheus-client. Install Diamonds with the extra 'watch'."
        ) from None
    return PrometheusExporter(
        metrics_socket, lambda: collect_metrics(app.tables, app.connection_limiter, app.config.data_dir, app.routes)
    )


def main(arguments: list[str] | None = None) -> None:
    """Run `python -m diamonds.server`, the command for tests and measurements.

    For everything else, use `diamonds serve`.
    """
    parser = argparse.ArgumentParser(prog="python -m diamonds.server", description="Serve Diamonds.")
    add = parser.add_argument
    # fmt: off
    add("--host", default="127.0.0.1")
    add("--port", type=int, default=8000)
    add("--data-dir", default="data", help="the data folder")
    add("--in-memory", dest="data_dir", action="store_const", const=None, help="store nothing")
    add("--bot-delay", default=os.environ.get("DIAMONDS_BOT_DELAY", ""), metavar="MIN,MAX",
        help="the seconds before a bot answers, at any bot speed of its table")
    add("--trusted-proxies", type=int, default=0, help="the number of reverse proxies in front")
    add("--https", action="store_true", help="browsers reach the server by HTTPS")
    add("--allowed-host", action="append", default=[], help="a further host name of the server; may be repeated")
    add("--public-url", default="", help="the address in browsers, https://diamonds.example")
    add("--config", type=Path, help="the settings file; by default server.toml in the data folder")
    add("--metrics-address", default="", help="serve metrics for Prometheus at PORT, or at ADDRESS:PORT")
    add("--log-format", default="", help=f"the format of the log: {', '.join(logs.FORMS)}")
    add("--log-level", default="", help=f"the level of the log: {', '.join(logs.LEVELS)}")
    add("--database", default=os.environ.get("DIAMONDS_DATABASE", ""),
        help="store everything but the keys in postgresql://USER@HOST/DATABASE")
    add("--workers", type=int, default=1, help="the number of processes, with --database")
    add("--port-per-worker", action="store_true", help="give each of the --workers its own port, from --port on")
    add("--internal-address", default="", help="the address of this machine for other machines with the same --database")
    add("--bot", action="append", default=[], help="a bot of your own that players may choose; may be repeated")
    add("--no-rate-limits", dest="limits", action="store_const", const=UNLIMITED, default=RateLimitSettings(),
        help="no rate limits: for measuring")
    add("--no-warm-up", dest="warm_up", action="store_false", help="compile the bots only when they are first needed")
    # fmt: on
    options = vars(parser.parse_args(arguments))
    try:
        serve(ServerOptions(**options | {"bot_delay": parse_bot_delay(options["bot_delay"])}))
    except DiamondsError as error:
        operating_system.log_to_operator(f"{error}")
        sys.exit(EXIT_CANNOT_START)


def parse_bot_delay(text: str) -> tuple[float, float] | None:
    """Parse `0.5,1.2`, the minimum and maximum in seconds, or one number for both; empty for each table's bot speed."""
    if not text:
        return None
    try:
        parts = [float(part) for part in text.split(",")]
    except ValueError:
        parts = []
    if not 1 <= len(parts) <= 2 or not 0 <= parts[0] <= parts[-1] <= 60:
        raise DiamondsError(
            f"The bot delay “{text[:40]}” is not “MIN,MAX”. Give two numbers of seconds, up to 60, like 0.5,1.2."
        )
    return parts[0], parts[-1]
