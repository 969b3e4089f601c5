"""The shipped proxy configurations (deploy/proxies): all requests for one table go to one worker (a tiny backend)."""

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

from tests.server.support.client import WAIT_TIMEOUT_S, wait_until
from tests.support import ports

pytestmark = pytest.mark.slow  # starts real proxies, if the machine has them

PROXIES = Path(__file__).parents[2] / "deploy" / "proxies"
WORKERS = 4
TABLE_IDS = [f"table-{k}-x" for k in range(80)]
MIN_TABLES = 5  # number of tables for each worker to get some, because Caddy 2.6 distributes them unevenly

# Replies with its port. A stream sends one event, and another one on direct request. `/die` ends it.
BACKEND_PROGRAM = """
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
    """Return the command of an nginx with the shipped configuration, without TLS."""
    text = re.sub(r"\n *(http2|ssl_\w+) [^\n]*", "", text).replace("listen 443 ssl;", f"listen 127.0.0.1:{port};")
    around = f"daemon off; master_process off; pid {folder}/pid; error_log stderr crit; events {{}}\nhttp {{ access_log off;\n"
    for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"):
        around += f"{kind}_temp_path {folder}/{kind};\n"
    (folder / "nginx.conf").write_text(f"{around}{text}\n}}\n", encoding="utf-8")
    return ["nginx", "-p", str(folder), "-c", str(folder / "nginx.conf")]


def haproxy(port: int, text: str, folder: Path) -> list[str]:
    """Return the command of a HAProxy with the shipped configuration, without TLS."""
    text = re.sub(r"bind :443 [^\n]*", f"bind 127.0.0.1:{port}", text).replace("maxconn 20000", "maxconn 200")
    (folder / "haproxy.cfg").write_text(text, encoding="utf-8")
    return ["haproxy", "-db", "-f", str(folder / "haproxy.cfg")]


def caddy(port: int, text: str, folder: Path) -> list[str]:
    """Return the command of a Caddy with the shipped configuration, without TLS."""
    text = text.replace("diamonds.example.org {", f"http://127.0.0.1:{port} {{\n\tbind 127.0.0.1")
    (folder / "Caddyfile").write_text(f"{{\n\tadmin off\n\tauto_https off\n}}\n{text}", encoding="utf-8")
    return ["caddy", "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"]


SHIPPED = {"nginx": (nginx, "nginx.conf"), "haproxy": (haproxy, "haproxy.cfg"), "caddy": (caddy, "Caddyfile")}


class ProxyUnderTest:
    """A proxy with its backends, which are identified by their ports."""

    def __init__(self, name: str, folder: Path, stack: contextlib.ExitStack) -> None:
        self.stack, self.crash_file = stack, folder / "bomb"
        sockets = [stack.enter_context(contextlib.closing(ports.reserve_port())) for _ in range(WORKERS + 1)]
        self.port, *backends = (each.getsockname()[1] for each in sockets)
        text = (PROXIES / SHIPPED[name][1]).read_text(encoding="utf-8")
        for k, backend in enumerate(backends):
            assert text.count(f"127.0.0.1:800{k}"), "expected every worker in the configuration"
            text = text.replace(f"127.0.0.1:800{k}", f"127.0.0.1:{backend}")
        sockets[0].close()  # nginx does not listen with SO_REUSEPORT
        self.running = {backend: self.start(backend) for backend in backends}
        command = SHIPPED[name][0](self.port, text, folder)
        self._begin(command)
        wait_until(lambda: {self.backend_port("/api/health") for _ in range(20)} >= {*backends}, "expected all")

    def start(self, port: int) -> subprocess.Popen[bytes]:
        process = self._begin([sys.executable, "-c", BACKEND_PROGRAM, str(port), str(self.crash_file)])
        wait_until(lambda: self.backend_port("/api/health", port) == port, "expected the backend to start")
        return process

    def _begin(self, command: list[str]) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.stack.callback(process.wait)
        self.stack.callback(process.kill)  # Caddy would wait for open streams
        return process

    def reply(self, path: str, port: int = 0, method: str = "GET", **headers: str) -> list[str]:
        """Return the reply of a backend, directly by its port or through the proxy; nothing after a failure."""
        with contextlib.closing(
            http.client.HTTPConnection("127.0.0.1", port or self.port, timeout=WAIT_TIMEOUT_S)
        ) as line:
            try:
                line.request(method, path, b"{}" if method == "POST" else None, headers)
                reply = line.getresponse()
                text = reply.read().decode()
            except (OSError, http.client.HTTPException):
                return []
            return text.split() if reply.status == 200 else []

    def backend_port(self, path: str, port: int = 0, method: str = "GET", **headers: str) -> int:
        found = self.reply(path, port, method, **headers)
        return int(found[0]) if found else 0

    def backends_by_table(self) -> dict[str, int]:
        return {table: self.backend_port(f"/api/tables/{table}") for table in TABLE_IDS}


@pytest.fixture(params=[*SHIPPED])
def proxy(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[ProxyUnderTest]:
    """Each proxy that is installed on this machine."""
    if shutil.which(request.param) is None:
        pytest.skip(f"this machine has no {request.param}")
    with contextlib.ExitStack() as stack:
        yield ProxyUnderTest(request.param, tmp_path, stack)


def test_proxy_sends_requests_for_one_table_to_one_worker(proxy):
    found = proxy.backends_by_table()
    counts = {port: [*found.values()].count(port) for port in proxy.running}
    assert min(counts.values()) >= MIN_TABLES, f"expected an even distribution of tables: {counts}"
    other = TABLE_IDS[0]
    for table, port in found.items():
        for what, method in (("answers", "POST"), ("record", "GET"), ("?n=4", "GET")):
            path = f"/api/tables/{table}{'' if what.startswith('?') else '/'}{what}"
            assert proxy.backend_port(path, method=method) == port, f"expected {path} at the table's worker"
        assert proxy.backend_port(f"/api/tables/{table}", **{"X-Diamonds-Table": other}) == port


def test_proxy_forwards_each_event_of_a_stream_immediately(proxy):
    with contextlib.closing(http.client.HTTPConnection("127.0.0.1", proxy.port, timeout=60)) as line:
        line.request("GET", f"/api/tables/{TABLE_IDS[0]}/stream")
        reply = line.getresponse()
        for _ in range(3):
            event = reply.readline()  # the next one is sent only after this one has arrived
            assert event.startswith(b"data: ")
            assert reply.readline() == b"\n"
            assert proxy.backend_port("/more", int(event.split()[1]))


def test_proxy_moves_only_the_tables_of_a_killed_worker(proxy):
    before = proxy.backends_by_table()
    killed = before[TABLE_IDS[0]]
    proxy.running[killed].send_signal(signal.SIGKILL)
    proxy.running[killed].wait()
    wait_until(
        lambda: all(port not in (0, killed) for port in proxy.backends_by_table().values()),
        "expected another worker for its tables",
    )
    after = proxy.backends_by_table()
    assert {t for t in TABLE_IDS if after[t] != before[t]} == {t for t in TABLE_IDS if before[t] == killed}
    proxy.start(killed)
    wait_until(lambda: proxy.backends_by_table() == before, "expected its tables to come back")


def test_proxy_repeats_no_post_and_forwards_the_client_address(proxy):
    table = TABLE_IDS[0]
    home = proxy.backend_port(f"/api/tables/{table}")
    proxy.crash_file.write_text("", encoding="utf-8")
    assert not proxy.backend_port(f"/api/tables/{table}/die", method="POST"), "expected an error"
    assert proxy.running[home].wait(WAIT_TIMEOUT_S) == 1
    others = [port for port in proxy.running if port != home]
    assert [proxy.reply("/seen", port)[1] for port in others] == ["0"] * len(others), "expected one POST"
    claimed = {"X-Forwarded-For": "192.0.2.1"}
    wait_until(lambda: proxy.reply("/api/health", **claimed)[2:][-1:] == ["127.0.0.1"], "expected its address")
