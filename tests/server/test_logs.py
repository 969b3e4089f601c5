"""Logs: they describe what happens without anything typed, dealt or secret."""

import io
import json
import logging
import re
import sys
from collections.abc import Callable, Iterator

import pytest

from diamonds.cards import pack_names
from diamonds.errors import DiamondsError
from diamonds.server.http.app import AppConfig
from diamonds.server.http.rate_limits import UNLIMITED
from diamonds.server.main import configure_logging
from diamonds.server.metrics import logs
from diamonds.server.settings_file import ConfigError, load_config
from tests.server.support.client import first_legal, wait_until
from tests.server.support.live_server import full_table

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
    server = open_server(tmp_path, setup=AppConfig((0, 0), UNLIMITED, data_dir=tmp_path))
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
