"""The examples in docs/api.md, docs/hosting.md and docs/releasing.md, and the bot that plays over HTTP, work."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from diamonds import cli
from diamonds.i18n import Message
from diamonds.server.errors import RateLimitedError
from diamonds.server.http.asgi_helpers import MAX_RECORD_BYTES
from diamonds.server.http.rate_limits import RateLimiter, RateLimitSettings
from diamonds.server.listening_sockets import listen
from diamonds.server.storage.sqlite import SqliteStore
from tests.server.support.client import WAIT_TIMEOUT_S, wait_until
from tests.server.support.live_server import free_port, full_table, opened_store
from tests.server.support.server_command import read_line, server_command, start_process

pytestmark = pytest.mark.later

DOCS = Path(__file__).parents[2] / "docs"


def code_blocks(page: str, kind: str) -> list[str]:
    return re.findall(rf"```{kind}\n(.*?)```", (DOCS / page).read_text(encoding="utf-8"), re.S)


def test_curl_examples_run_in_order(server):
    if shutil.which("curl") is None or shutil.which("bash") is None:
        pytest.skip("this machine has no curl")
    script = "".join(code_blocks("api.md", "sh")).replace("127.0.0.1:8000", f"127.0.0.1:{server.port}")
    script = script.replace("\ncurl", "\necho; echo; curl").replace("curl -s -X", "curl -sf -X")
    while True:  # a seat with the first turn, because the example only answers if asked
        done = subprocess.run(["bash", "-eu", "-c", script], capture_output=True, text=True, timeout=WAIT_TIMEOUT_S)
        assert done.returncode == 0, done.stderr
        if '"not your turn' not in done.stdout and '{"n":1,"version":' in done.stdout:
            break
    assert '{"name":"My bot"}' in done.stdout
    assert '"invite":' in done.stdout
    assert "retry: 2000" in done.stdout
    assert '"open_question":' in done.stdout


def start_example_bot(port):
    return subprocess.Popen(
        [sys.executable, "-X", "utf8", str(DOCS.parent / "examples" / "http_bot.py"), f"http://127.0.0.1:{port}"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8",
    )  # fmt: skip


def test_loop_in_the_api_docs_is_that_of_the_example_bot():
    (loop,) = code_blocks("api.md", "python")
    program = (DOCS.parent / "examples" / "http_bot.py").read_text(encoding="utf-8")
    assert loop in program, "expected the loop of examples/http_bot.py in api.md"


def assert_game_finishes(bot):
    """Wait for the program, and check the last line it prints."""
    out, err = bot.communicate(timeout=WAIT_TIMEOUT_S)
    assert bot.returncode == 0, err
    assert "'winners': [" in out
    assert "'table-deals-fair'" in out


@pytest.mark.skipif(os.name != "posix", reason="workers need Linux or macOS")
def test_example_bots_play_with_several_workers(postgres_cluster, tmp_path):
    """Each connection may reach another worker, and most requests are forwarded."""
    port = free_port()
    options = ("--workers", "2", "--database", postgres_cluster.empty_database())
    process = start_process(server_command(tmp_path, port, *options))
    try:
        assert "Diamonds is open" in read_line(process.stdout)
        for bot in [start_example_bot(port) for _ in range(2)]:
            assert_game_finishes(bot)
    finally:
        process.terminate()
        process.communicate(timeout=WAIT_TIMEOUT_S)


def test_example_bot_survives_rate_limits_and_a_restart(open_server, tmp_path, monkeypatch):
    """The server first rejects views of tables. While it is closed, its port replies 503 once and drops one connection."""
    server = open_server(tmp_path / "data", limits=RateLimitSettings())
    looks, attempts, take = 0, [], RateLimiter.acquire

    def take_some(self, kind, *given):
        nonlocal looks
        looks += kind == "looks"
        if kind == "looks" and looks > 20 and attempts is not None:
            attempts.append(time.monotonic())
            raise RateLimitedError("server-too-many", 1.0, what=Message("server-many-table-views"))
        return take(self, kind, *given)

    monkeypatch.setattr(RateLimiter, "acquire", take_some)
    bot = start_example_bot(server.port)
    try:
        wait_until(lambda: len(attempts) > 1 or bot.poll() is not None, "expected the bot to ask again after a 429")
        assert bot.poll() is None, f"expected the bot to survive a 429: {bot.stderr.read()}"
        assert attempts[1] - attempts[0] >= 1, "expected the bot to wait as long as Retry-After says"
        server.close()
        with listen("127.0.0.1", server.port) as listening:
            listening.settimeout(WAIT_TIMEOUT_S)
            for reply in (b"HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n", b""):
                connection, _ = listening.accept()
                with connection:
                    connection.recv(65_536)
                    connection.sendall(reply)
        attempts = None
        server.open()
        assert_game_finishes(bot)
    finally:
        bot.kill()
        bot.communicate()


def test_backup_of_an_open_server_is_restored_on_another(open_server, tmp_path):
    here, there = tmp_path / "here", tmp_path / "there"
    server = open_server(here)
    id, guests = full_table(server, "fourteen", 3)
    (here / "secret_key").write_bytes(b"k" * 32)
    (here / "push_key").write_bytes(b"p" * 32)
    before = guests[0].get_table(id)
    lines = [
        line
        for block in code_blocks("hosting.md", "sh")
        for line in block.splitlines()
        if line.startswith("diamonds admin ")
        and not re.search(" (transfer|reopen) ", line)  # covered by `test_transfer`
    ]
    assert len(lines) == 3, "expected the commands of hosting.md"
    for line in lines:
        typed = line.replace("/var/lib/diamonds-restored", str(there)).replace("/var/lib/diamonds", str(here))
        words = shlex.split(typed.replace("/var/backups", str(tmp_path)))
        assert cli.main(words[1:]) == 0, f"expected the outcome described in hosting.md: {line}"
    assert (there / "secret_key").read_bytes() == b"k" * 32
    assert (there / "push_key").read_bytes() == b"p" * 32
    server.data_dir = there
    server.restart(*guests)
    now = guests[0].get_table(id)
    now.pop("version"), before.pop("version")
    assert now == before


def test_release_commands_name_targets_of_the_makefile():
    lines = [
        line for block in code_blocks("releasing.md", "sh") for line in block.splitlines() if line.startswith("make ")
    ]
    makefile = (DOCS.parent / "Makefile").read_text(encoding="utf-8")
    for line in lines:
        _, target, *variables = shlex.split(line, comments=True)
        assert re.search(rf"^{target}:", makefile, re.M), f"expected the target {target}"
        for variable in variables:
            assert f"$({variable.partition('=')[0]})" in makefile, f"expected a use of {variable}"
    assert len(lines) == 2


def test_documented_nginx_accepts_the_largest_record():
    for path in (DOCS / "hosting.md", DOCS.parent / "deploy" / "proxies" / "nginx.conf"):
        (number, unit) = re.findall(r"client_max_body_size (\d+)([km]);", path.read_text(encoding="utf-8"))[0]
        assert int(number) * {"k": 2**10, "m": 2**20}[unit] >= MAX_RECORD_BYTES, f"{path.name} refuses long records"


def test_files_named_in_hosting_are_those_of_the_data_folder(tmp_path):
    with opened_store(SqliteStore(tmp_path)):
        pass
    text = (DOCS / "hosting.md").read_text(encoding="utf-8")
    for name in ("diamonds.sqlite", "lock"):
        assert (tmp_path / name).exists()
        assert f"`{name}`" in text


def test_documented_message_fields_match_the_api(server):
    id, guests = full_table(server, "mines", 2)
    message = json.loads(guests[0].send("GET", f"/api/tables/{id}")[1])
    text = (DOCS / "api.md").read_text(encoding="utf-8")
    assert all(f"`{name}`" in text for name in message if name != "seat")
