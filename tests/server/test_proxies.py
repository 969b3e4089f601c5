"""Each proxy configuration in deploy/proxies leads requests for one table to one worker, here a tiny backend."""

from __future__ import annotations

import contextlib
import http.client
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from guests import PATIENCE, until

import ports

pytestmark = pytest.mark.slow  # it starts real proxies, where the machine has them

PROXIES = Path(__file__).parents[2] / "deploy" / "proxies"
WORKERS = 4
TABLES = [f"table-{k}-x" for k in range(80)]
MIN_TABLES = 5  # that each worker gets of these: Caddy 2.6 spreads them badly

# It replies with its port. A stream sends an event, and another one whenever it is asked to directly. `/die` ends it.
BACKEND = """
import os, sys, threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PORT = int(sys.argv[1])
more, deaths = threading.Semaphore(1), []

class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.path.endswith("/die"):
            deaths.append(self.path)
            if os.path.exists(sys.argv[2]):
                os.unlink(sys.argv[2])
                os._exit(1)
        if self.path.endswith("/more"):
            more.release()
        if self.path.endswith("/stream"):
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            while more.acquire():
                text = b"data: %d\\n\\n" % PORT
                self.wfile.write(b"%x\\r\\n%s\\r\\n" % (len(text), text))
        text = b"%d %d %s" % (PORT, len(deaths), self.headers.get("X-Forwarded-For", "").encode())
        self.send_response(200)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    do_POST = do_GET

    def log_message(self, *args):
        pass

class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 100

Server(("127.0.0.1", PORT), Handler).serve_forever()
"""


def nginx(port: int, text: str, folder: Path) -> list[str]:
    """Return the command of an nginx with the shipped configuration, but without TLS."""
    text = re.sub(r"\n *(http2|ssl_\w+) [^\n]*", "", text).replace("listen 443 ssl;", f"listen 127.0.0.1:{port};")
    around = f"daemon off; master_process off; pid {folder}/pid; error_log stderr crit; events {{}}\nhttp {{ access_log off;\n"
    for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"):
        around += f"{kind}_temp_path {folder}/{kind};\n"
    (folder / "nginx.conf").write_text(f"{around}{text}\n}}\n", encoding="utf-8")
    return ["nginx", "-p", str(folder), "-c", str(folder / "nginx.conf")]


def haproxy(port: int, text: str, folder: Path) -> list[str]:
    """Return the command of a HAProxy with the shipped configuration, but without TLS."""
    text = re.sub(r"bind :443 [^\n]*", f"bind 127.0.0.1:{port}", text).replace("maxconn 20000", "maxconn 200")
    (folder / "haproxy.cfg").write_text(text, encoding="utf-8")
    return ["haproxy", "-db", "-f", str(folder / "haproxy.cfg")]


def caddy(port: int, text: str, folder: Path) -> list[str]:
    """Return the command of a Caddy with the shipped configuration, but without TLS."""
    text = text.replace("diamonds.example.org {", f"http://127.0.0.1:{port} {{\n\tbind 127.0.0.1")
    (folder / "Caddyfile").write_text(f"{{\n\tadmin off\n\tauto_https off\n}}\n{text}", encoding="utf-8")
    return ["caddy", "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"]


SHIPPED = {"nginx": (nginx, "nginx.conf"), "haproxy": (haproxy, "haproxy.cfg"), "caddy": (caddy, "Caddyfile")}


class Front:
    """A proxy with its backends. Each is known by its port."""

    def __init__(self, name: str, folder: Path, stack: contextlib.ExitStack) -> None:
        self.stack, self.bomb = stack, folder / "bomb"
        sockets = [stack.enter_context(contextlib.closing(ports.reserve())) for _ in range(WORKERS + 1)]
        self.port, *backends = (each.getsockname()[1] for each in sockets)
        text = (PROXIES / SHIPPED[name][1]).read_text(encoding="utf-8")
        for k, backend in enumerate(backends):
            assert text.count(f"127.0.0.1:800{k}"), "a worker is not in the configuration"
            text = text.replace(f"127.0.0.1:800{k}", f"127.0.0.1:{backend}")
        sockets[0].close()  # nginx does not share it
        self.running = {backend: self.start(backend) for backend in backends}
        command = SHIPPED[name][0](self.port, text, folder)
        self._begin(command)
        until(lambda: {self.ask("/api/health") for _ in range(20)} >= {*backends}, "not all backends are asked")

    def start(self, port: int) -> subprocess.Popen[bytes]:
        """Start a backend."""
        process = self._begin([sys.executable, "-c", BACKEND, str(port), str(self.bomb)])
        until(lambda: self.ask("/api/health", port) == port, "a backend does not start")
        return process

    def _begin(self, command: list[str]) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.stack.callback(process.wait)
        self.stack.callback(process.kill)  # Caddy would wait for streams
        return process

    def reply(self, path: str, port: int = 0, method: str = "GET", **headers: str) -> list[str]:
        """Return what a backend replies, given the port of one or by way of the proxy; nothing if it fails."""
        with contextlib.closing(http.client.HTTPConnection("127.0.0.1", port or self.port, timeout=PATIENCE)) as line:
            try:
                line.request(method, path, b"{}" if method == "POST" else None, headers)
                reply = line.getresponse()
                text = reply.read().decode()
            except (OSError, http.client.HTTPException):
                return []
            return text.split() if reply.status == 200 else []

    def ask(self, path: str, port: int = 0, method: str = "GET", **headers: str) -> int:
        """Return the port of the backend that replies, or 0."""
        found = self.reply(path, port, method, **headers)
        return int(found[0]) if found else 0

    def where(self) -> dict[str, int]:
        """Return the backend of each table."""
        return {table: self.ask(f"/api/tables/{table}") for table in TABLES}


@pytest.fixture(params=[*SHIPPED])
def front(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Front]:
    """Each proxy, if this machine has it."""
    if shutil.which(request.param) is None:
        pytest.skip(f"this machine has no {request.param}")
    with contextlib.ExitStack() as stack:
        yield Front(request.param, tmp_path, stack)


def test_proxy_sends_requests_for_one_table_to_one_worker(front):
    found = front.where()
    counts = {port: [*found.values()].count(port) for port in front.running}
    assert min(counts.values()) >= MIN_TABLES, f"tables are spread badly: {counts}"
    other = TABLES[0]
    for table, port in found.items():
        for what, method in (("answers", "POST"), ("record", "GET"), ("?n=4", "GET")):
            path = f"/api/tables/{table}{'' if what.startswith('?') else '/'}{what}"
            assert front.ask(path, method=method) == port, f"{path} goes elsewhere"
        assert front.ask(f"/api/tables/{table}", **{"X-Diamonds-Table": other}) == port, "a client chooses its worker"


def test_proxy_passes_on_each_event_of_a_stream_at_once(front):
    with contextlib.closing(http.client.HTTPConnection("127.0.0.1", front.port, timeout=60)) as line:
        line.request("GET", f"/api/tables/{TABLES[0]}/stream")
        reply = line.getresponse()
        for _ in range(3):
            event = reply.readline()  # the next one is sent after this one is here
            assert event.startswith(b"data: ")
            assert reply.readline() == b"\n"
            assert front.ask("/more", int(event.split()[1]))


def test_proxy_moves_only_the_tables_of_a_killed_worker(front):
    before = front.where()
    killed = before[TABLES[0]]
    front.running[killed].send_signal(signal.SIGKILL)
    front.running[killed].wait()
    until(lambda: all(port not in (0, killed) for port in front.where().values()), "its tables are away")
    after = front.where()
    assert {t for t in TABLES if after[t] != before[t]} == {t for t in TABLES if before[t] == killed}
    front.start(killed)
    until(lambda: front.where() == before, "its tables do not come back")


def test_proxy_sends_no_post_twice_and_says_whose_request_it_is(front):
    table = TABLES[0]
    home = front.ask(f"/api/tables/{table}")
    front.bomb.write_text("", encoding="utf-8")
    assert not front.ask(f"/api/tables/{table}/die", method="POST"), "somebody has replied"
    assert front.running[home].wait(PATIENCE) == 1
    others = [port for port in front.running if port != home]
    assert [front.reply("/seen", port)[1] for port in others] == ["0"] * len(others), "a POST is sent twice"
    claimed = {"X-Forwarded-For": "192.0.2.1"}
    until(lambda: front.reply("/api/health", **claimed)[2:][-1:] == ["127.0.0.1"], "a client says who it is")
