"""Logs: they describe what happens without anything typed, dealt or secret; as JSON, they are the whole output."""

import io
import json
import logging
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from diamonds.cards import pack_names
from diamonds.errors import DiamondsError
from diamonds.server.main import configure_logging
from diamonds.server.metrics import logs
from diamonds.server.settings_file import ConfigError, load_config
from tests.server.support.client import WAIT_TIMEOUT_S, Client, close_connections, first_legal, wait_until
from tests.server.support.live_server import free_port, full_table
from tests.server.support.server_command import children, read_line, server_command, start_process

pytestmark = pytest.mark.later

CARD_NAMES = re.compile(rf"\b(?:{'|'.join(pack_names(15) + pack_names(13))})\b")
log = logging.getLogger("diamonds")


@pytest.fixture
def log_output() -> Iterator[Callable[..., io.StringIO]]:
    """Yield a function that starts logging in one of the formats and returns the output."""
    level, handlers = log.level, list[logging.Handler]()

    def begin(form: str, how_much: str = "") -> io.StringIO:
        handlers.append(logs.configure(form, how_much, stream := io.StringIO()))
        return stream

    yield begin
    for handler in handlers:
        logging.getLogger().removeHandler(handler)
    log.setLevel(level)


def leaked_parts(text: str, private: list[str]) -> list[str]:
    return [*CARD_NAMES.findall(text), *(what for what in private if what in text)]


@pytest.mark.parametrize("form", ["json", "console"])
def test_game_leaves_no_card_token_key_or_name_in_the_log(open_server, tmp_path, log_output, form):
    stream = log_output(form, "debug")
    server = open_server(tmp_path, data_dir=tmp_path)
    id, guests = full_table(server, "mines", 2)
    table = server.app.tables.get(id)
    guests[0].post("/api/me", {"name": "Wilhelmina"}, 200)
    guests[1].post(
        f"/api/tables/{id}/chat", {"text": "I hold the queen", "idempotency_key": "key-of-what-is-said"}, 200
    )
    spectator_stream = guests[0].open_stream(id)
    for k in range(6):
        asked = wait_until(
            lambda: [(g, m) for g in guests if (m := g.get_table(id))["open_question"]], "expected an open question"
        )
        for guest, message in asked:
            answer = first_legal(message)
            guest.answer(id, message["n"], answer, key=f"key-of-answer-{k}", expect=None)
    guests[0].answer(id, 99, "dig 4", key="key-that-is-refused", expect=409)
    guests[0].get("/api/tables/Wilhelmina/record", expect=404)
    guests[0].get("/api/records/H7/review", expect=404)
    wait_until(lambda: spectator_stream.events, "expected the stream to open")
    server.close()
    text = stream.getvalue()
    private = [
        "Wilhelmina", "the queen", "key-of", "key-that", "nonce", id, table.game_state.secret.hex(),
        guests[0].invite,
    ]  # fmt: skip
    private += (
        [guest.headers["Authorization"].split()[1] for guest in guests] + table.people() + ["127.0.0.1", str(tmp_path)]
    )
    assert leaked_parts(text, private) == []
    for what in (
        "The server is open.", "Table created.", "Answer played.", "The server is closing.", "/api/tables/ID/answers",
    ):  # fmt: skip
        assert what in text, f"expected in the log: {what}"


@pytest.mark.parametrize("form", logs.FORMS)
def test_error_log_has_the_location_but_not_the_message(log_output, form):
    stream = log_output(form, "debug")
    try:
        try:
            raise KeyError("H7")
        except KeyError as error:
            raise ValueError("Wilhelmina cannot play SK") from error
    except ValueError:
        log.exception("A bot could not play.")
    text = stream.getvalue()
    assert leaked_parts(text, ["Wilhelmina"]) == []
    for what in (
        "A bot could not play.", "KeyError", "ValueError", "test_logs.py",
        test_error_log_has_the_location_but_not_the_message.__name__,
    ):  # fmt: skip
        assert what in text, f"expected in the {form} log: {what}"


def test_only_values_with_a_known_name_are_logged(log_output):
    stream = log_output("json", "debug")
    log.info("It happens.", extra={"game": "mines", "hand": ["H7"], "person": "Wilhelmina"})
    (line,) = stream.getvalue().splitlines()
    told = json.loads(line)
    told.pop("timestamp")
    assert told == {"event": "It happens.", "level": "info", "game": "mines"}


def test_plain_log_has_warnings_and_errors_only(log_output):
    stream = log_output("plain")
    log.info("All is well.")
    log.warning("It is not.")
    assert stream.getvalue() == "WARNING diamonds: It is not.\n"


def test_plain_log_leaves_other_loggers_tracebacks_alone(log_output):
    stream, others = log_output("plain"), io.StringIO()
    logging.getLogger().addHandler(other := logging.StreamHandler(others))
    try:
        raise RuntimeError("the secret is 42")
    except RuntimeError:
        log.exception("It failed.")
    finally:
        logging.getLogger().removeHandler(other)
    assert "42" not in stream.getvalue()
    assert "the secret is 42" in others.getvalue()


def test_invalid_log_setting_gets_one_error_line(tmp_path, monkeypatch):
    with pytest.raises(DiamondsError, match="Log formats are plain, console, json"), configure_logging("xml", ""):
        pass
    with pytest.raises(DiamondsError, match="debug, info, warning, error"), configure_logging("json", "loud"):
        pass
    (tmp_path / "server.toml").write_text('log_format = "xml"', encoding="utf-8")
    with pytest.raises(ConfigError, match='line 1: log_format must be "plain", "console" or "json"'):
        load_config(tmp_path / "server.toml")
    monkeypatch.setitem(sys.modules, "structlog", None)
    with (
        pytest.raises(DiamondsError, match=r"structlog\. Install Diamonds with the extra 'watch'\."),
        configure_logging("json", ""),
    ):
        pass


def test_openapi_request_does_not_change_logging(server):
    before = logging.getLogger().level, [*logging.getLogger().handlers]
    assert server.new_client().get("/api/schema/openapi.json")["paths"]
    assert (logging.getLogger().level, [*logging.getLogger().handlers]) == before


# With ``--log-format json``


# A server in which a request for a special path causes every kind of output that can fail.
NOISY_SERVER = """
import os, subprocess, sys, threading, warnings
from diamonds.server import main
from diamonds.server.http.app import DiamondsApp

class Fails:
    def __del__(self):
        raise ValueError("H7 left behind")

def fail():
    raise ValueError("H7 in a thread")

really = DiamondsApp._http

async def http(self, scope, receive, send):
    if scope["path"] == "/api/fail":
        warnings.warn("H8 is deprecated\\n in two lines")
        os.write(2, b"C code says something\\n")
        os.write(1, b"C code says more\\n")
        print("printed")
        print("printed in", end=" ")
        print("two parts", file=sys.stdout)
        subprocess.run([sys.executable, "-c", "raise ValueError('a child failed')"])
        thread = threading.Thread(target=fail)
        thread.start()
        thread.join()
        Fails()
        raise ValueError("H7 in a request")
    await really(self, scope, receive, send)

DiamondsApp._http = http
main.main()
"""
FAILING_STARTS = "import diamonds.server.main as main\nmain.listen = lambda *_: 1 / 0\nmain.main()"


def log_entries(text: str) -> list[dict[str, Any]]:
    """Return the log entries in a text. Every line must be a JSON object with an event and a level."""
    found = []
    for line in text.splitlines():
        found.append(json.loads(line))
        assert {"event", "level", "timestamp"} <= found[-1].keys(), line
    return found


@contextmanager
def serve_json_logs(folder: Path, port: int, *more: str) -> Iterator[tuple[subprocess.Popen[str], list[str]]]:
    """Run a server that logs JSON; yield a list that contains its output once it has ended."""
    written: list[str] = []
    process = start_process(server_command(folder, port, "--log-format", "json", *more, program=NOISY_SERVER))
    try:
        written.append(read_line(process.stdout))
        assert "Diamonds is open" in json.loads(written[0])["event"]
        yield process, written
    finally:
        close_connections()
        process.terminate()
        written += process.communicate(timeout=WAIT_TIMEOUT_S)


def test_json_log_is_the_whole_output_of_a_server(tmp_path):
    port = free_port()
    tmp_path.chmod(0o755)
    with serve_json_logs(tmp_path, port) as (process, written):
        Client(port).send("GET", "/api/fail")
        Client(port).get("/api/health", 200)
        process.send_signal(signal.SIGHUP)
        with socket.create_connection(("127.0.0.1", port)) as line:
            line.sendall(b"no request\r\n\r\n")
            line.recv(100)
    found = log_entries("".join(written))
    events = [entry["event"] for entry in found]
    for event in (
        f"Other users can read {tmp_path}. Protect it with chmod 700.", "The server is open.", "printed",
        "printed in two parts", "C code says something", "C code says more", "ValueError: a child failed",
        "A thread ended with an error.", "An error occurred where it could not be raised.",
        "Exception in ASGI application", "The settings are unchanged (server.toml).", "The server is closed.",
    ):  # fmt: skip
        assert any(event in one for one in events), f"expected the event {event!r}"
    assert any("H8 is deprecated\n in two lines" in event for event in events), "expected a warning on one line"
    assert "H7" not in "".join(written), "expected no text of an exception"
    failed = [entry for entry in found if "failed" in entry]
    assert {entry["failed"][0] for entry in failed} == {"ValueError"}
    assert len(failed) == 3


@pytest.mark.parametrize("said_in", ["the command", "the settings"])
def test_json_log_has_the_reason_why_a_server_does_not_start(tmp_path, said_in):
    more = ["--log-format", "json"] if said_in == "the command" else []
    (tmp_path / "server.toml").write_text('log_format = "json"\nname = "Club"', encoding="utf-8")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = subprocess.run(
            server_command(tmp_path, port, *more, program=NOISY_SERVER), capture_output=True, text=True, check=False
        )
        words = ["serve", "--port", str(port), "--data-dir", str(tmp_path), *more]
        cli = subprocess.run([sys.executable, "-m", "diamonds", *words], capture_output=True, text=True, check=False)
    assert (done.returncode, cli.returncode) == (2, 2)
    for one in (done, cli):
        (entry,) = log_entries(one.stdout + one.stderr)
        assert "cannot be opened" in entry["event"]
    crashed = subprocess.run(
        server_command(tmp_path, 0, *more, program=FAILING_STARTS), capture_output=True, text=True, check=False
    )
    (entry,) = log_entries(crashed.stdout + crashed.stderr)
    assert entry["event"] == "The program ended with an error."
    assert entry["failed"][0] == "ZeroDivisionError"


def test_json_log_is_the_whole_output_of_several_processes(tmp_path, database_url):
    port = free_port()
    with serve_json_logs(tmp_path, port, "--database", database_url, "--workers", "2") as (process, written):
        first, *_ = children(process.pid)
        os.kill(first, signal.SIGKILL)
        wait_until(lambda: len({*children(process.pid)} - {first}) == 2, "expected the process to start again")

        def taking_requests() -> set[int]:
            found = {Client(port).get("/api/ready", None).get("process") for _ in range(8)}
            close_connections()
            return found

        wait_until(lambda: taking_requests() == {1, 2}, "expected all processes to serve requests")
        failing = Client(port)
        wait_until(lambda: failing.send("GET", "/api/fail")[0] == 500, "expected a process to fail")
    found = log_entries("".join(written))
    events = [entry["event"] for entry in found]
    for event in ("ended (-9). Restarting it.", "C code says something", "A thread ended with an error."):
        assert any(event in one for one in events), f"expected the event {event!r}"
    assert {entry["process"] for entry in found if entry["event"] == "The server is closed."} == {1, 2}
