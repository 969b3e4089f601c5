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
from pathlib import Path
from typing import Any, cast

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
from diamonds.server.settings_file import find_config, warn_of_old_names
from diamonds.server.settings_reload import SettingsReloader
from diamonds.server.storage.commit_outcomes import StoreUnavailableError
from diamonds.server.storage.data_dir import make_private, push_key, secret_key
from diamonds.server.storage.open_store import create_store
from diamonds.server.tables import offered_games
from diamonds.server.uvicorn_server import ALWAYS_SENT_HEADERS, SHUTDOWN_DEADLINE_S, DiamondsServer, event_loop_factory

EXIT_CANNOT_START = 2  # exit status if the server cannot start, as with `diamonds serve`
STRUCTLOG_MISSING = "--log-format {form} needs structlog. Install Diamonds with the extra 'watch'."


def serve(
    host: str = "127.0.0.1",
    port: int = 8000,
    data_dir: Path | str | None = "data",
    open_browser: bool = False,
    trusted_proxies: int = 0,
    https: bool = False,
    bot_delay: tuple[float, float] | None = None,
    limits: RateLimitSettings | None = None,
    announce: bool = True,
    allowed_hosts: Sequence[str] = (),
    warm_up: bool = True,
    public_address: str = "",
    config_file: Path | None = None,
    metrics_address: str = "",
    log_format: str = "",
    log_level: str = "",
    database_url: str = "",
    workers: int = 1,
    internal_address: str = "",
    port_per_worker: bool = False,
    bots: Sequence[str] = (),
) -> None:
    """Serve until interrupted. Raise `DiamondsError` if the server cannot start.

    The arguments are the options of `diamonds serve`. In addition, `data_dir=None` stores nothing, `announce` prints
    the address, and `warm_up` compiles the bots at start-up instead of on first use.
    """
    operating_system.raise_open_file_limit()  # each stream needs an open file
    folder = None if data_dir is None else Path(data_dir)
    worker = several.inherited_sockets() if workers > 1 else None
    number = worker.number if worker else 0
    _install_json_output(log_format, number)
    config = find_config(folder, config_file)
    log_form = log_format or config.log_format or "plain"
    _install_json_output(log_form, number)
    several.check_worker_support(workers, database_url)
    if worker is None:
        check_plugins(bots)
    for name in bots:
        levels.offer_plugin(name)
    if workers > 1 and worker is None:
        with configure_logging(log_form, log_level), contextlib.ExitStack() as sockets:
            warn_of_old_names(folder, config_file)
            worker_sockets = open_worker_sockets(
                sockets, host, port, workers, port_per_worker, metrics_address or config.metrics_address
            )
            address = public_address or config.public_url
            public_url = PublicOrigin(address) if address else None
            browser_url = _browser_url(host, worker_sockets[0].listen_socket, public_url)
            storage_text = f"games are kept in {create_store(database_url, folder)[1]}; {workers} processes"
            if port_per_worker:
                storage_text += f" at ports {', '.join(str(sockets_of_worker.listen_socket.getsockname()[1]) for sockets_of_worker in worker_sockets)}"

            def on_all_ready() -> None:
                _announce(browser_url, storage_text, announce, open_browser)

            status = several.Supervisor(worker_sockets, on_all_ready).run()
        if status:
            sys.exit(status)
        return
    public_address = public_address or config.public_url
    public_url = PublicOrigin(public_address) if public_address else None
    store, storage_name = create_store(database_url, folder)
    serves_alone = worker is None and not internal_address
    reloader = SettingsReloader(config, folder, config_file)
    with (
        reloader.handling_sighup(),
        configure_logging(log_form, log_level, number),
        worker.listen_socket if worker else next(iter(systemd_sockets()), None) or listen(host, port) as listen_socket,
        asyncio.Runner(loop_factory=event_loop_factory()) as runner,
    ):
        if worker is None:  # otherwise the supervisor has already done this
            warn_of_old_names(folder, config_file)
        try:
            if database_url and folder is not None:
                make_private(folder)  # protects the keys
            runner.run(store.open())
            keys = secret_key(folder), push_key(folder)
            internal_listener = InternalListener(internal_address) if database_url and not serves_alone else None
            membership = cluster = None
            if database_url:
                # These need optional dependencies.
                from diamonds.server.cluster.cluster import Cluster
                from diamonds.server.cluster.membership import ClusterMembership

                membership = ClusterMembership(
                    cast(Any, store), internal_listener, "" if internal_address else operating_system.machine_id()
                )
                keys = runner.run(membership.share_keys(keys))
                if internal_listener:
                    cluster = Cluster(membership, keys[0], ALWAYS_SENT_HEADERS)
                if number <= 1:  # one warning is enough for all workers
                    runner.run(membership.warn_if_public())
        except OSError as error:
            raise DiamondsError(f"The data folder {data_dir} cannot be used: {error.strerror}.") from None
        except apsw.Error as error:
            raise DiamondsError(
                f"{folder}/diamonds.sqlite cannot be used: {error}. If it is damaged, restore a backup. If the disk is full, "
                "free some space."
            ) from None
        app_config = AppConfig(
            bot_delay,
            limits or RateLimitSettings(),
            trusted_proxies,
            https or (public_url is not None and public_url.is_secure),
            (host, *allowed_hosts, *([public_url.host] if public_url else [])),
            is_non_loopback_ip(host),
            warm_up and (worker is None or worker.number == 1),
            public_url,
            config._replace(public_url=public_url.origin if public_url else ""),
            keys[1],
            folder,
            worker.number if worker else 1,
            workers,
        )
        app = DiamondsApp(store, keys[0], app_config, cluster)
        metrics_socket = worker.metrics_socket if worker else None
        try:
            if worker is None and (metrics_address or config.metrics_address):
                metrics_socket = listen_for_metrics(metrics_address or config.metrics_address, [listen_socket])
            if metrics_socket is not None:
                app.metrics_exporters.append(metrics_exporter(app, metrics_socket))
        except DiamondsError:
            runner.run(store.close())
            raise
        offered_games.warm_up()
        browser_url = _browser_url(host, listen_socket, public_url)

        def on_open() -> None:
            reloader.open(app)
            if worker is None:
                _announce(
                    browser_url,
                    f"games are kept in {storage_name}" if storage_name else "nothing is kept",
                    announce,
                    open_browser,
                )

        gc.freeze()  # everything loaded so far stays, so the collector can skip it
        gc.set_threshold(3_000, 20, 20)  # tables are not garbage, so the collector can scan them less often
        try:
            server = DiamondsServer(app, SHUTDOWN_DEADLINE_S, on_open, worker, internal_listener)
            runner.run(server.serve([listen_socket]))
        except (DiamondsError, OSError) as error:
            if app.is_open:
                raise
            runner.run(store.close())
            if isinstance(error, OSError):
                raise DiamondsError(f"The data folder {data_dir} cannot be used: {error.strerror}.") from None
            if isinstance(error, StoreUnavailableError):
                raise DiamondsError("server-cannot-write", place=storage_name) from None
            raise
        finally:
            if internal_listener is not None:
                internal_listener.close()
            if membership is not None:
                runner.run(membership.leave())


def _browser_url(host: str, listen_socket: socket.socket, public_url: PublicOrigin | None) -> str:
    """Return the address to open in a browser."""
    local_host = "localhost" if host in ("127.0.0.1", "::1") else f"[{host}]" if ":" in host else host
    return f"{public_url.origin}/" if public_url else f"http://{local_host}:{listen_socket.getsockname()[1]}/"


def _announce(browser_url: str, storage_text: str, announce: bool, open_browser: bool) -> None:
    """Announce that the server is open."""
    if announce:
        sys.stdout.write(f"Diamonds is open at {browser_url} ({storage_text}; Ctrl-C closes it).\n")
        sys.stdout.flush()
    if open_browser:
        threading.Thread(target=webbrowser.open, args=[browser_url], daemon=True).start()


def open_worker_sockets(
    sockets: contextlib.ExitStack, host: str, port: int, count: int, port_per_worker: bool, metrics_address: str
) -> list[several.WorkerSockets]:
    """Open the sockets of all workers: a shared one, or one each. `sockets` closes them."""
    socket_count = count if port_per_worker else 1
    public = [*map(sockets.enter_context, systemd_sockets(socket_count))]
    for k in range(socket_count - len(public)):
        public.append(sockets.enter_context(listen(host, port + k if port else 0)))
    worker_sockets = []
    for k in range(count):
        metrics_socket = (
            sockets.enter_context(listen_for_metrics(metrics_address, public, k)) if metrics_address else None
        )
        worker_sockets.append(several.WorkerSockets(public[k if port_per_worker else 0], metrics_socket))
    return worker_sockets


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
    """Export metrics to Prometheus on a separate socket."""
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
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--data-dir", default="data", help="the data folder")
    parser.add_argument("--in-memory", action="store_true", help="store nothing")
    parser.add_argument(
        "--bot-delay",
        default=os.environ.get("DIAMONDS_BOT_DELAY", ""),
        metavar="MIN,MAX",
        help="the seconds before a bot answers, at any bot speed of its table",
    )
    parser.add_argument("--trusted-proxies", type=int, default=0, help="the number of reverse proxies in front")
    parser.add_argument("--https", action="store_true", help="browsers reach the server by HTTPS")
    parser.add_argument(
        "--allowed-host", action="append", default=[], help="a further host name of the server; may be repeated"
    )
    parser.add_argument("--public-url", default="", help="the address in browsers, https://diamonds.example")
    parser.add_argument("--config", type=Path, help="the settings file; by default server.toml in the data folder")
    parser.add_argument(
        "--metrics-address", default="", help="serve metrics for Prometheus at PORT, or at ADDRESS:PORT"
    )
    parser.add_argument("--log-format", default="", help=f"the format of the log: {', '.join(logs.FORMS)}")
    parser.add_argument("--log-level", default="", help=f"the level of the log: {', '.join(logs.LEVELS)}")
    parser.add_argument(
        "--database",
        default=os.environ.get("DIAMONDS_DATABASE", ""),
        help="store everything but the keys in postgresql://USER@HOST/DATABASE",
    )
    parser.add_argument("--workers", type=int, default=1, help="the number of processes, with --database")
    parser.add_argument(
        "--port-per-worker", action="store_true", help="give each of the --workers its own port, from --port on"
    )
    parser.add_argument(
        "--internal-address", default="", help="the address of this machine for other machines with the same --database"
    )
    parser.add_argument(
        "--bot", action="append", default=[], help="a bot of your own that players may choose; may be repeated"
    )
    parser.add_argument("--no-rate-limits", action="store_true", help="no rate limits: for measuring")
    parser.add_argument("--no-warm-up", action="store_true", help="compile the bots only when they are first needed")
    options = parser.parse_args(arguments)
    try:
        serve(
            options.host,
            options.port,
            None if options.in_memory else options.data_dir,
            trusted_proxies=options.trusted_proxies,
            https=options.https,
            bot_delay=parse_bot_delay(options.bot_delay),
            limits=UNLIMITED if options.no_rate_limits else RateLimitSettings(),
            warm_up=not options.no_warm_up,
            allowed_hosts=options.allowed_host,
            public_address=options.public_url,
            config_file=options.config,
            metrics_address=options.metrics_address,
            log_format=options.log_format,
            log_level=options.log_level,
            database_url=options.database,
            workers=options.workers,
            internal_address=options.internal_address,
            port_per_worker=options.port_per_worker,
            bots=options.bot,
        )
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
