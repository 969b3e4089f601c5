"""Metrics: correct, on a separate port, and without personal data."""

import asyncio
import http.client
import json
import os
import re
import socket
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families

from diamonds.errors import DiamondsError
from diamonds.server.http import metrics_collector
from diamonds.server.listening_sockets import listen_for_metrics
from diamonds.server.main import metrics_exporter
from diamonds.server.metrics import prometheus
from diamonds.server.metrics.counters import BUCKETS_S, DurationHistogram
from diamonds.server.metrics.prometheus import PrometheusExporter
from diamonds.server.settings_file import ConfigError, load_config, parse_metrics_address
from diamonds.server.storage import backup
from diamonds.server.storage.commit_outcomes import StoreUnavailableError
from tests.server.support.client import WAIT_TIMEOUT_S, answer_next, first_legal, wait_until
from tests.server.support.live_server import LiveServer, full_table

pytestmark = pytest.mark.later

DEPLOY = Path(__file__).parents[2] / "deploy"
Scrape = dict[tuple[str, ...], float]


def scrape(port: int) -> str:
    """Return the metrics that Prometheus would scrape."""
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=WAIT_TIMEOUT_S)
    line.request("GET", "/metrics")
    reply = line.getresponse()
    text = reply.read().decode()
    line.close()
    assert reply.status == 200, text
    return text


def parse_samples(text: str) -> Scrape:
    """Return all values by name and labels."""
    found = (sample for family in text_string_to_metric_families(text) for sample in family.samples)
    return {(sample.name, *(value for _, value in sorted(sample.labels.items()))): sample.value for sample in found}


def scrape_server(server: LiveServer) -> PrometheusExporter:
    """Return the metrics of a server on a free port."""
    found = metrics_exporter(server.app, listen_for_metrics("0", []))
    assert isinstance(found, PrometheusExporter)
    server.app.metrics_exporters.append(found)
    server.call_on_loop(found.open)
    return found


@pytest.fixture(scope="module", autouse=True)
def _long_scrape_timeout() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(prometheus, "SCRAPE_TIMEOUT_S", WAIT_TIMEOUT_S)
        yield


@pytest.fixture(scope="module")
def busy_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[LiveServer, str, list[str]]]:
    """The metrics of a server with games, streams, a rejected request, and private data that must not appear."""
    folder = tmp_path_factory.mktemp("lively")
    server = LiveServer(folder, data_dir=folder)
    port = scrape_server(server).port
    id, guests = full_table(server, "mines", 2)
    guests[0].post("/api/me", {"name": "Wilhelmina"}, 200)
    answer_next(guests, id, key="a-key-to-look-for")
    guests[0].answer(id, 40, "dig 4", expect=409)
    alone = server.new_client()
    other = alone.create_table(game="fourteen", seats=3, seats_taken_by=["me", "bot:simple", "bot:simple"])
    for _ in range(3):
        message = wait_until(lambda: (m := alone.get_table(other))["open_question"] and m, "expected the bots")
        alone.answer(other, message["n"], first_legal(message))
    wait_until(lambda: alone.get_table(other)["open_question"], "expected the bots to answer")
    stream, lobby = guests[0].open_stream(id), guests[1].open_lobby()
    wait_until(lambda: stream.events and lobby.events, "expected the streams to open")
    private = [id, other, "Wilhelmina", guests[0].invite, "a-key-to-look-for", "127.0.0.1"]
    private += [guest.headers["Authorization"].split()[1] for guest in (*guests, alone)]
    wait_until(lambda: sum(server.app.tables.counters.reply.counts) == 4, "expected every reply to be counted")
    backup.backup(folder, tmp_path_factory.mktemp("backups") / "lively.backup")
    yield server, scrape(port), private
    server.close()


def test_metrics_count_requests_and_games(busy_server):
    server, text, _ = busy_server
    told = parse_samples(text)
    entries = [server.app.tables.get(id).log.entries for id in (one.id for one in server.app.tables.registry.all())]
    answers = sum(value for (name, *_), value in told.items() if name == "diamonds_answers_total")
    assert answers == sum(map(len, entries)), "expected the number of answers"
    assert told["diamonds_answers_total", "person", "mines"] == 1
    assert told["diamonds_answers_total", "bot", "fourteen"] > 0
    assert told["diamonds_answers_rejected_total",] == 1
    requests = told["diamonds_answer_seconds_count",]
    assert requests == 1 + told["diamonds_answers_total", "person", "fourteen"]
    for step in ("wait", "rules", "send"):
        assert told["diamonds_step_seconds_count", step] == answers
        assert 0 < told["diamonds_step_seconds_sum", step] < WAIT_TIMEOUT_S
    assert told["diamonds_step_seconds_count", "commit"] >= answers
    assert told["diamonds_bot_seconds_count", "simple"] >= told["diamonds_answers_total", "bot", "fourteen"]
    assert told["diamonds_streams", "table"] == told["diamonds_streams", "lobby"] == 1
    assert told["diamonds_people",] == 2
    assert told["diamonds_connections",] >= 2
    assert (told["diamonds_tables", "playing"], told["diamonds_tables", "over"]) == (2, 0)
    assert told["diamonds_commits_pending",] == told["diamonds_tables_damaged",] == 0
    assert told["diamonds_disk_free_bytes",] > 0
    written = server.app.store.write_counters
    assert 0 < told["diamonds_database_seconds_count",] <= told["diamonds_database_changes_total",]
    assert answers < told["diamonds_database_changes_total",] <= written.changes
    assert (told["diamonds_database_connections_total",], told["diamonds_database_failures_total",]) == (1, 0)
    assert (told["diamonds_processes",], told["diamonds_lobby_owner",], told["diamonds_member",]) == (1, 1, 1)
    assert told["diamonds_tables_owned",] == 2
    assert told["diamonds_push_messages_total", "delivered"] == 0
    assert told["process_cpu_seconds_total",] > 0


def test_metrics_name_no_person_or_table(busy_server):
    _, text, private = busy_server
    assert [what for what in private if what in text] == []


def test_public_port_has_no_metrics(busy_server):
    server, text, _ = busy_server
    assert "diamonds_answers_total" in text
    for path in ("/metrics", "/api/metrics"):
        assert b"diamonds_answers" not in server.new_client().send("GET", path)[1]


def test_dashboard_and_alert_metrics_exist(busy_server):
    """An unknown metric would leave a panel empty, or an alert that never fires."""
    names = {sample[0] for sample in parse_samples(busy_server[1])} | {"up"}
    dashboard = json.loads((DEPLOY / "grafana" / "diamonds.json").read_text(encoding="utf-8"))
    asked = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    groups = yaml.safe_load((DEPLOY / "prometheus" / "alerts.yml").read_text(encoding="utf-8"))["groups"]
    rules = [rule for group in groups for rule in group["rules"]]
    asked += [rule["expr"] for rule in rules]
    assert len(asked) > 20
    for expr in asked:
        assert metrics_in_query(expr), f"expected a metric in {expr}"
        assert metrics_in_query(expr) <= names, f"expected existing metrics instead of {metrics_in_query(expr) - names}"
    for rule in rules:
        assert rule["labels"]["severity"] in ("page", "ticket")
        assert rule["annotations"].keys() == {"summary", "action"}, f"expected instructions for {rule['alert']}"
    steps = {sample[1] for sample in parse_samples(busy_server[1]) if sample[0] == "diamonds_step_seconds_count"}
    assert set(re.findall(r'step="(\w+)"', " ".join(asked))) <= steps


def test_documented_metrics_exist(busy_server):
    families = list(text_string_to_metric_families(busy_server[1]))
    names = {one for family in families for one in (family.name, *(sample.name for sample in family.samples))}
    told = set(re.findall(r"\bdiamonds_\w+", (DEPLOY.parent / "docs" / "hosting.md").read_text(encoding="utf-8")))
    assert told
    assert told <= names, f"expected existing metrics in hosting.md instead of {told - names}"
    unexplained = [family.name for family in families if not family.documentation]
    assert not unexplained, f"expected a help text for {unexplained}"


def metrics_in_query(expr: str) -> set[str]:
    return set(re.findall(r"\b(?:diamonds|process)_\w+|\bup\b", re.sub(r'"[^"]*"', "", expr)))


def error_counts(port: int) -> dict[tuple[str, str], float]:
    """Return the numbers of failed requests above zero, by route and status class."""
    found = parse_samples(scrape(port)).items()
    return {(key[1], key[2]): value for key, value in found if key[0] == "diamonds_http_errors_total" and value}


@pytest.mark.parametrize("level", ["info", "debug"])
def test_http_errors_are_counted_by_route_template(open_server, monkeypatch, caplog, level):
    caplog.set_level(level.upper(), "diamonds")
    server = open_server()
    port = scrape_server(server).port
    id, guests = full_table(server, "mines", 2)
    before = parse_samples(scrape(port)).keys()
    assert error_counts(port) == {}
    guests[0].answer(id, 40, "dig 4", expect=409)
    guests[0].send("GET", f"/api/tables/{id[:-1]}/stream")
    guests[0].get(f"/api/tables/{id[:-1]}/record", 404)
    guests[0].get("/api/tables/H7/record", 404)
    guests[0].send("GET", "/api/me", headers={"Host": "elsewhere.example"})
    guests[0].get(f"/api/{id}", 404)
    guests[0].send("GET", f"/assets/{id}.js")
    guests[0].send("PUT", "/")
    with socket.create_connection(("127.0.0.1", server.port)) as line:
        line.sendall(b"no request\r\n\r\n")
        assert line.recv(100).startswith(b"HTTP/1.1 400")
    with socket.create_connection(("127.0.0.1", server.port)) as line:
        line.sendall(b"GET /" + b"a" * 20_000)
        assert line.recv(100).startswith(b"HTTP/1.1 414")
    with monkeypatch.context() as patch:
        patch.setattr(server.app.web_client, "serve", lambda *_: 1 / 0)
        patch.setattr(server.app.moderation, "about", lambda *_: 1 / 0)
        guests[0].get("/api/about", 500)
        guests[0].send("GET", "/")
    assert error_counts(port) == {
        ("/api/tables/{id}/answers", "4xx"): 1, ("/api/tables/{id}/stream", "4xx"): 1,
        ("/api/tables/{id}/record", "4xx"): 2, ("page", "4xx"): 2, ("unknown", "4xx"): 2, ("connection", "4xx"): 2,
        ("/api/about", "5xx"): 1, ("page", "5xx"): 1,
    }  # fmt: skip
    assert parse_samples(scrape(port)).keys() == before, "expected no series for unknown paths"


def test_open_reports_metric_does_not_block(open_server, monkeypatch):
    server = open_server()
    port = scrape_server(server).port
    id, (ann, _) = full_table(server, "mines", 2)
    assert parse_samples(scrape(port))["diamonds_reports_open",] == 0
    ann.post(f"/api/tables/{id}/report", {"seat": 1, "reason": "rude", "text": ""}, 200)
    assert parse_samples(scrape(port))["diamonds_reports_open",] == 1

    async def away() -> int:
        raise StoreUnavailableError

    async def late() -> int:
        await asyncio.get_running_loop().create_future()
        return 0

    monkeypatch.setattr(metrics_collector, "STORE_TIMEOUT_S", 0.01)
    for waiting in (away, late):
        monkeypatch.setattr(server.app.store.moderation, "open_report_count", waiting)
        told = parse_samples(scrape(port))
        assert ("diamonds_reports_open",) not in told
        assert told["diamonds_lobby_owner",] == 1


def test_backup_age_counts_from_the_last_backup_or_the_first_start(open_server, tmp_path):
    folder = tmp_path / "club"
    server = open_server(folder, data_dir=folder)
    port = scrape_server(server).port
    assert ("diamonds_backup_age_seconds",) not in parse_samples(scrape(port))
    (folder / "secret_key").touch()
    os.utime(folder / "secret_key", (time.time() - 5_000_000,) * 2)
    assert parse_samples(scrape(port))["diamonds_backup_age_seconds",] >= 5_000_000
    backup.backup(folder, tmp_path / "club.backup")
    assert parse_samples(scrape(port))["diamonds_backup_age_seconds",] < 5_000_000
    os.utime(folder / "last_backup", (time.time() - 6_000_000,) * 2)
    assert parse_samples(scrape(port))["diamonds_backup_age_seconds",] >= 6_000_000
    with pytest.raises(DiamondsError):
        backup.backup(folder, tmp_path / "club.backup")
    assert parse_samples(scrape(port))["diamonds_backup_age_seconds",] >= 6_000_000, "a failed backup counted"


def test_durations_are_counted_up_to_each_bound():
    took = DurationHistogram()
    for seconds in (0.0, BUCKETS_S[0], BUCKETS_S[0] * 1.01, BUCKETS_S[-1] + 1):
        took.add(seconds)
    assert took.counts == [2, 1, *[0] * (len(BUCKETS_S) - 2), 1]
    assert took.total_s == pytest.approx(BUCKETS_S[-1] + 1 + 2.01 * BUCKETS_S[0])


# Address of the metrics


def test_metrics_are_local_unless_configured():
    assert parse_metrics_address("9100") == ("127.0.0.1", 9100)
    assert parse_metrics_address("0.0.0.0:9100") == ("0.0.0.0", 9100)
    assert parse_metrics_address("[::1]:9100") == ("::1", 9100)


@pytest.mark.parametrize("where", ["", "x", "9100x", "70000", "host:", "-1"])
def test_invalid_metrics_address_gets_one_error_line(where):
    with pytest.raises(DiamondsError, match="is not an address for metrics"):
        parse_metrics_address(where)


def test_settings_file_sets_the_metrics_address(tmp_path):
    path = tmp_path / "server.toml"
    for text, found in (("metrics_address = 9100", "9100"), ('metrics_address = "10.0.0.5:9100"', "10.0.0.5:9100")):
        path.write_text(text, encoding="utf-8")
        assert load_config(path).metrics_address == found
    path.write_text('name = "Club"\nmetrics_address = "nowhere"', encoding="utf-8")
    with pytest.raises(ConfigError, match=r"line 2: metrics_address must be a port"):
        load_config(path)


def test_taken_or_public_metrics_port_gets_one_error_line():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(DiamondsError, match="cannot be opened for metrics"):
            listen_for_metrics(str(taken.getsockname()[1]), [])
        with pytest.raises(DiamondsError, match="Metrics need a port other than"):
            listen_for_metrics(str(taken.getsockname()[1]), [taken])


def test_missing_metrics_library_error_names_what_to_install(server, monkeypatch):
    monkeypatch.delitem(sys.modules, "diamonds.server.metrics.prometheus", raising=False)
    monkeypatch.setitem(sys.modules, "prometheus_client", None)
    with pytest.raises(DiamondsError, match=r"prometheus-client\. Install Diamonds with the extra 'watch'\."):
        metrics_exporter(server.app, listen_for_metrics("0", []))
