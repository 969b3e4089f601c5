"""Metrics for Prometheus, on a separate address. This is the only module that uses the Prometheus library."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Callable, Coroutine, Iterable, Iterator
from socketserver import ThreadingMixIn
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer

from prometheus_client import make_wsgi_app
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.process_collector import ProcessCollector
from prometheus_client.registry import Collector, CollectorRegistry

from diamonds.server.metrics.counters import BUCKETS_S, DurationHistogram, MetricFamily

SCRAPE_TIMEOUT_S = 5.0  # limit for a busy server's reply


class _QuietRequestHandler(WSGIRequestHandler):
    """A request handler that logs nothing."""

    def log_message(self, format: str, *args: Any) -> None:
        """See `http.server`."""


class _MetricsServer(ThreadingMixIn, WSGIServer):
    """A server on a socket that is already listening."""

    daemon_threads = True

    def __init__(self, listening: socket.socket, app: Any) -> None:
        host, port = listening.getsockname()[:2]
        super().__init__((host, port), _QuietRequestHandler, bind_and_activate=False)
        self.socket.close()
        self.socket = listening
        self.server_name, self.server_port = host, port
        self.setup_environ()
        self.set_app(app)


class PrometheusExporter(Collector):
    """The exporter for Prometheus. It listens from the start, and has metrics while the server is open."""

    def __init__(
        self, listening: socket.socket, collect_metrics: Callable[[], Coroutine[Any, Any, list[MetricFamily]]]
    ) -> None:
        """Take over `listening`, which closes with the exporter. A worker's successor may hold it too."""
        self.collect_metrics = collect_metrics
        self._loop: asyncio.AbstractEventLoop | None = None
        registry = CollectorRegistry()
        registry.register(self)
        ProcessCollector(registry=registry)
        self._server = _MetricsServer(listening, make_wsgi_app(registry))
        self.port = self._server.server_port
        threading.Thread(target=self._server.serve_forever, name="metrics", daemon=True).start()

    def open(self) -> None:
        """Start to collect metrics, on the server's event loop."""
        self._loop = asyncio.get_running_loop()

    def close(self) -> None:
        """Stop, because the server closes."""
        self._loop = None
        self._server.shutdown()
        self._server.server_close()

    def describe(self) -> Iterable[Metric]:
        """See `Collector`. Nothing is described in advance."""
        return []

    def collect(self) -> Iterator[Metric]:
        """See `Collector`. This runs in a separate thread; if the server is too busy to reply, the scrape fails."""

        if self._loop is not None:
            for family in asyncio.run_coroutine_threadsafe(self.collect_metrics(), self._loop).result(SCRAPE_TIMEOUT_S):
                yield _prometheus_family(family)


def _prometheus_family(source: MetricFamily) -> Metric:
    kind = CounterMetricFamily if source.is_counter else GaugeMetricFamily
    family: CounterMetricFamily | GaugeMetricFamily | HistogramMetricFamily = (
        HistogramMetricFamily(source.name, source.help, labels=source.labels)
        if any(isinstance(value, DurationHistogram) for value in source.values.values())
        else kind(source.name, source.help, labels=source.labels)
    )
    for labels, value in source.values.items():
        if isinstance(family, HistogramMetricFamily):
            assert isinstance(value, DurationHistogram)
            family.add_metric(labels, _cumulative_buckets(value), value.total_s)
        else:
            assert not isinstance(value, DurationHistogram)
            family.add_metric(labels, value)
    return family


def _cumulative_buckets(durations: DurationHistogram) -> list[tuple[str, float]]:
    """Return cumulative counts, one for each bound."""
    buckets, so_far = [], 0
    for bound, count in zip((*map(str, BUCKETS_S), "+Inf"), durations.counts, strict=True):
        so_far += count
        buckets.append((bound, float(so_far)))
    return buckets
