"""Deployment files: the commands they start exist, their health checks succeed, and nothing in them runs as root."""

import configparser
import json
import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
import urllib.error
from pathlib import Path

import apsw
import pytest
import typer
import yaml

from diamonds import cli
from diamonds.errors import DiamondsError
from diamonds.server import listening_sockets as listening_module
from diamonds.server import main, uvicorn_server
from diamonds.server.http import readiness
from diamonds.server.settings_file import parse_metrics_address
from diamonds.server.storage import sqlite, transfer
from tests.server.support import client, live_server

pytestmark = pytest.mark.later

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
CONTAINER = (DEPLOY / "container" / "Containerfile").read_text(encoding="utf-8")
COMPOSE = yaml.safe_load((DEPLOY / "container" / "compose.yaml").read_text(encoding="utf-8"))
WITH_POSTGRES = yaml.safe_load((DEPLOY / "container" / "compose.postgres.yaml").read_text(encoding="utf-8"))
SERVE = typer.main.get_command(cli.app).commands["serve"]  # type: ignore[attr-defined]
UNITS = sorted(path for path in (DEPLOY / "systemd").iterdir() if path.suffix != ".env")


def commands() -> list[list[str]]:
    """Return the commands of the container, the compose file and the units, without the program's name."""
    found = [json.loads(re.search(r"^CMD (\[.*\])$", CONTAINER, re.M)[1]), COMPOSE["services"]["diamonds"]["command"]]
    for unit in UNITS:
        for line in re.findall(r"^ExecStart=(.*)$", unit.read_text(encoding="utf-8"), re.M):
            found += [shlex.split(one) for one in re.findall(r"/opt/diamonds/bin/diamonds ([^;']+)", line)]
    return found


def test_started_commands_exist_with_their_options():
    program = typer.main.get_command(cli.app)
    assert len(commands()) == 5
    for words in commands():
        command = program
        while hasattr(command, "commands"):
            command, words = command.commands[words[0]], words[1:]
        command.make_context("diamonds", list(words))  # raises if there is no such command


def check_health(port: int) -> None:
    """Run the container's health check; return whether it succeeds."""
    code = json.loads(re.search(r"HEALTHCHECK.*?CMD (\[.*?\])\n", CONTAINER, re.S)[1])[2]
    exec(
        code.replace("127.0.0.1:8000", f"127.0.0.1:{port}").replace("timeout=4", f"timeout={client.WAIT_TIMEOUT_S}"), {}
    )


def test_container_is_healthy_while_the_server_is_ready(server, monkeypatch):
    monkeypatch.setattr(readiness, "CHECK_TIMEOUT_S", client.WAIT_TIMEOUT_S)
    check_health(server.port)
    server.app.readiness.shutting_down = True
    with pytest.raises(urllib.error.HTTPError, match="503"):
        check_health(server.port)


def test_container_runs_without_root_and_writes_to_volumes_only():
    users = re.findall(r"^USER (\S+)$", CONTAINER.rpartition("\nFROM ")[2], re.M)
    assert users
    assert "0" not in users
    assert "root" not in users
    volumes = json.loads(re.search(r"^VOLUME (\[.*\])$", CONTAINER, re.M)[1])
    service = COMPOSE["services"]["diamonds"]
    assert sorted(mount.partition(":")[2] for mount in service["volumes"]) == sorted(volumes)
    assert re.search(r"XDG_CACHE_HOME=(\S+)", CONTAINER)[1] in volumes
    for name, one in [*COMPOSE["services"].items(), ("database", WITH_POSTGRES["services"]["database"])]:
        assert one["read_only"], f"expected a read-only file system in {name}"
        assert one["cap_drop"] == ["ALL"], f"expected {name} to drop all capabilities"
    assert "ports" not in service, "expected the server and its metrics to be reachable through the proxy only"


def test_proxy_forwards_to_the_servers_port():
    proxy = (DEPLOY / "container" / "Caddyfile").read_text(encoding="utf-8")
    port = re.search(r"^EXPOSE (\d+)$", CONTAINER, re.M)[1]
    assert f"reverse_proxy diamonds:{port} " in proxy
    assert port in COMPOSE["services"]["diamonds"]["expose"]


def test_prometheus_in_compose_scrapes_the_server_and_has_its_alerts():
    service = COMPOSE["services"]["prometheus"]
    assert service["profiles"] == ["metrics"], "expected Prometheus to start on request only"
    assert all(port.startswith("127.0.0.1:") for port in service["ports"]), "expected the metrics not to be public"
    mounted = {
        target: DEPLOY / "container" / source for source, target, *_ in (v.split(":") for v in service["volumes"])
    }
    (config,) = (word.partition("=")[2] for word in service["command"] if word.startswith("--config.file="))
    read = yaml.safe_load(mounted[config].read_text(encoding="utf-8"))
    (job,) = read["scrape_configs"]
    (target,) = job["static_configs"][0]["targets"]
    words = COMPOSE["services"]["diamonds"]["command"]
    host, port = parse_metrics_address(words[words.index("--metrics-address") + 1])
    assert host == "0.0.0.0", "expected other containers to reach the metrics"
    assert target == f"diamonds:{port}"
    assert str(port) in COMPOSE["services"]["diamonds"]["expose"]
    (alerts,) = read["rule_files"]
    rules = yaml.safe_load(mounted[f"{config.rpartition('/')[0]}/{alerts}"].read_text(encoding="utf-8"))
    asked = {
        name
        for group in rules["groups"]
        for rule in group["rules"]
        for name in re.findall(r'job="(\w+)"', rule["expr"])
    }
    assert asked == {job["job_name"]}
    assert service["volumes"][-1].partition(":")[0] in COMPOSE["volumes"]


def test_postgres_container_sets_the_variable_the_program_reads():
    services = WITH_POSTGRES["services"]
    read = {option.envvar for option in SERVE.params}
    assert services["diamonds"]["environment"].keys() - read == {"PGPASSWORD"}
    database = services["database"]["environment"]
    told = services["diamonds"]["environment"]["DIAMONDS_DATABASE"]
    assert told == f"postgresql://{database['POSTGRES_USER']}@database/{database['POSTGRES_DB']}"
    assert services["diamonds"]["environment"]["PGPASSWORD"] == database["POSTGRES_PASSWORD"]


def test_container_has_a_port_and_a_place_at_the_proxy_for_each_worker():
    service = WITH_POSTGRES["services"]["diamonds"]
    workers = int(service["environment"]["DIAMONDS_WORKERS"])
    assert service["environment"]["DIAMONDS_PORT_PER_WORKER"] == "true"
    exposed = {*COMPOSE["services"]["diamonds"]["expose"], *service["expose"]}
    assert exposed == {str(first + k) for first in (8000, 9100) for k in range(workers)}
    (mounted,) = WITH_POSTGRES["services"]["caddy"]["volumes"]
    source, target, _ = mounted.split(":")
    assert f":{target}:" in COMPOSE["services"]["caddy"]["volumes"][0], "expected the other Caddyfile to be replaced"
    shipped = (DEPLOY / "proxies" / "Caddyfile").read_text(encoding="utf-8").partition("{\n")[2]
    (scraped,) = WITH_POSTGRES["services"]["prometheus"]["volumes"]
    metrics = yaml.safe_load((DEPLOY / "container" / scraped.partition(":")[0]).read_text(encoding="utf-8"))
    (targets,) = [each["targets"] for each in metrics["scrape_configs"][0]["static_configs"]]
    assert targets == [f"diamonds:{9100 + k}" for k in range(workers)]
    inside = (DEPLOY / "container" / source).read_text(encoding="utf-8").partition("{\n")[2]
    assert inside == shipped.replace("127.0.0.1:", f"{service['environment']['DIAMONDS_ALLOWED_HOSTS']}:")


def test_container_database_is_closed_to_strangers():
    service = WITH_POSTGRES["services"]["database"]
    (script,) = [word for word in service["volumes"] if ":/docker-entrypoint-initdb.d/" in word]
    sql = (DEPLOY / "container" / script.partition(":")[0]).read_text(encoding="utf-8")
    assert f"REVOKE CONNECT ON DATABASE {service['environment']['POSTGRES_DB']} FROM PUBLIC;" in sql


def test_every_environment_variable_in_the_files_is_read():
    files = [path for path in DEPLOY.rglob("*") if path.is_file()]
    told = {name for path in files for name in re.findall(r"\bDIAMONDS_\w+", path.read_text(encoding="utf-8"))}
    assert "DIAMONDS_DATABASE" in told
    source = [path.read_text(encoding="utf-8") for path in Path(main.__file__).parents[1].rglob("*.py")]
    assert {name for name in told if not any(f'"{name}"' in text for text in source)} == set()


def test_units_are_valid_for_systemd(tmp_path):
    for unit in UNITS:
        read = configparser.ConfigParser(strict=False, interpolation=None, delimiters="=", comment_prefixes="#")
        read.optionxform = str  # type: ignore[assignment,method-assign]
        read.read_string(unit.read_text(encoding="utf-8"))
        kind = unit.suffix[1:].capitalize()
        assert {"Unit", kind} <= set(read.sections()), f"expected the section [{kind}] in {unit.name}"
        if kind == "Service":
            assert read["Service"]["User"] == "diamonds"
            assert read["Service"]["ProtectSystem"] == "strict"
        program = shutil.which("true") or "/bin/true"
        text = unit.read_text(encoding="utf-8").replace("/opt/diamonds/bin/diamonds", program)
        (tmp_path / unit.name).write_text(text, encoding="utf-8")
    if analyse := shutil.which("systemd-analyze"):
        done = subprocess.run([analyse, "verify", *sorted(tmp_path.iterdir())], capture_output=True, text=True)
        complaints = [line for line in done.stderr.splitlines() if str(tmp_path) in line or "diamonds" in line]
        assert complaints == []


def test_server_unit_is_reloaded_by_the_signal_that_reads_settings():
    service = (DEPLOY / "systemd" / "diamonds.service").read_text(encoding="utf-8")
    (reload,) = re.findall(r"^ExecReload=(.*)$", service, re.M)
    assert reload == "/bin/kill -HUP $MAINPID"


def test_units_grant_shutdown_time_and_store_access():
    service = next(unit for unit in UNITS if unit.name == "diamonds.service").read_text(encoding="utf-8")
    assert int(re.search(r"^TimeoutStopSec=(\d+)$", service, re.M)[1]) > uvicorn_server.SHUTDOWN_DEADLINE_S
    folders = {f"/var/lib/{name}" for name in re.search(r"^StateDirectory=(.*)$", service, re.M)[1].split()}
    assert environment("diamonds.service")["DIAMONDS_DATA_DIR"] in folders
    assert int(COMPOSE["services"]["diamonds"]["stop_grace_period"].rstrip("s")) > uvicorn_server.SHUTDOWN_DEADLINE_S


def environment(unit: str) -> dict[str, str]:
    text = (DEPLOY / "systemd" / unit).read_text(encoding="utf-8")
    words = [word for line in re.findall(r"^Environment=(.*)$", text, re.M) for word in shlex.split(line)]
    return dict(word.split("=", 1) for word in words)


def environment_file(unit: str) -> str:
    text = (DEPLOY / "systemd" / unit).read_text(encoding="utf-8")
    (found,) = re.findall(r"^EnvironmentFile=-(.*)$", text, re.M)
    return str(found)


def test_server_and_backup_units_read_the_same_variables():
    units = ("diamonds.service", "diamonds-backup.service")
    assert len({environment_file(unit) for unit in units}) == 1
    assert len({environment(unit)["DIAMONDS_DATA_DIR"] for unit in units}) == 1
    known = {option.envvar for option in SERVE.params} | {"XDG_CACHE_HOME"}
    example = (DEPLOY / "systemd" / "diamonds.env").read_text(encoding="utf-8")
    told = {*environment(units[0]), *environment(units[1]), *re.findall(r"^#?(\w+)=", example, re.M)}
    assert told - known == set(), "expected the server to read these variables, too"


def test_serve_takes_every_option_with_a_value_from_a_variable():
    without = {option.name for option in SERVE.params if not option.envvar}
    assert without == {"open_browser"}, "expected a variable for each of these options"
    variables = [option.envvar for option in SERVE.params if option.envvar]
    assert all(variable.startswith("DIAMONDS_") for variable in variables)
    assert len(set(variables)) == len(variables)


def test_backup_unit_fails_after_a_transfer_until_reconfigured(tmp_path, database_url, monkeypatch):
    monkeypatch.delenv("DIAMONDS_DATABASE", raising=False)
    text = (DEPLOY / "systemd" / "diamonds-backup.service").read_text(encoding="utf-8")
    (script,) = re.findall(r"^ExecStart=/bin/sh -euc '(.*)'$", text, re.M)
    (tmp_path / "diamonds-backups").mkdir()
    data = tmp_path / "diamonds"
    program = f"{shlex.quote(sys.executable)} -m diamonds"
    script = script.replace("/opt/diamonds/bin/diamonds", program).replace("/var/lib", str(tmp_path)).replace("%%", "%")

    def back_up(**told: str) -> tuple[int, str, int]:
        variables = {
            name: value.replace("/var/lib", str(tmp_path))
            for name, value in environment("diamonds-backup.service").items()
        }
        done = subprocess.run(
            ["/bin/sh", "-euc", script], env={**os.environ, **variables, **told}, capture_output=True, text=True,
            check=False,
        )  # fmt: skip
        return done.returncode, done.stderr, len(list((tmp_path / "diamonds-backups").glob("*.backup")))

    data.mkdir(mode=0o700)
    disk = apsw.Connection(str(data / "diamonds.sqlite"))
    sqlite.migrate(disk, data)
    disk.close()
    assert back_up() == (0, "", 1)
    for backup in (tmp_path / "diamonds-backups").iterdir():
        backup.rename(backup.with_name("2000-01-01-000000.backup"))  # names have a resolution of one second
    transfer.transfer_data(str(data), database_url)
    code, says, count = back_up()
    assert (code, count) == (2, 1), "expected no backup of data that is no longer used"
    assert "was moved to" in says
    for old in (tmp_path / "diamonds-backups").iterdir():
        old.unlink()  # the name of a backup contains the second in which it was made
    assert back_up(DIAMONDS_DATABASE=database_url) == (0, "", 1)


# Socket activation


@pytest.fixture
def listening_socket(monkeypatch):
    """A listening socket that systemd would pass to each server."""
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def hand_down(*_: object) -> socket.socket:
            monkeypatch.setenv("LISTEN_PID", str(os.getpid()))
            monkeypatch.setenv("LISTEN_FDS", "1")
            monkeypatch.setattr(listening_module, "SYSTEMD_FIRST_FD", os.dup(listening.fileno()))
            (found,) = listening_module.systemd_sockets()
            return found

        monkeypatch.setattr(live_server, "listen", hand_down)
        monkeypatch.setattr(live_server, "free_port", lambda: listening.getsockname()[1])
        yield listening


def test_request_during_restart_waits_and_is_served(listening_socket, server):
    assert "LISTEN_FDS" not in os.environ, "expected the variables to be removed before worker processes start"
    server.new_client().get("/api/health")
    server.close()
    waiting = socket.create_connection(("127.0.0.1", server.port), timeout=client.WAIT_TIMEOUT_S)
    client.OPEN_CONNECTIONS.append(waiting)
    waiting.sendall(b"GET /api/health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    server.open()
    assert waiting.recv(65536).startswith(b"HTTP/1.1 200"), "expected a request during the restart to be answered"


def test_socket_passed_to_another_process_is_ignored(monkeypatch):
    for pid, count in (("", ""), ("1", "1"), (str(os.getpid()), "0")):
        monkeypatch.setenv("LISTEN_PID", pid)
        monkeypatch.setenv("LISTEN_FDS", count)
        assert listening_module.systemd_sockets() == []


def test_socket_activation_with_a_wrong_count_is_rejected(monkeypatch):
    for given, wanted in (("2", 1), ("1", 4)):
        monkeypatch.setenv("LISTEN_PID", str(os.getpid()))
        monkeypatch.setenv("LISTEN_FDS", given)
        with pytest.raises(DiamondsError) as refusal:
            listening_module.systemd_sockets(wanted)
        assert refusal.value.message == ("server-handed-down", {"given": int(given), "wanted": wanted})
