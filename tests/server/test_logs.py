"""What a house writes down says what happens, and nothing that was typed, dealt or kept from somebody."""

from __future__ import annotations

import io
import json
import logging
import re
import sys
from collections.abc import Callable, Iterator

import pytest
from guests import full_table, until

from diamonds.cards import pack_names
from diamonds.game import Refused
from diamonds.server.main import written_down
from diamonds.server.order.settings import BadSettings, read_settings
from diamonds.server.watching import logs
from diamonds.server.wire.app import Setup
from diamonds.server.wire.limits import OFF

pytestmark = pytest.mark.later

CARDS = re.compile(rf"\b(?:{'|'.join(pack_names(15) + pack_names(13))})\b")
log = logging.getLogger("diamonds")


@pytest.fixture
def logged() -> Iterator[Callable[..., io.StringIO]]:
    """Logs, in one of the forms; returns what they are written to."""
    level, handlers = log.level, list[logging.Handler]()

    def begin(form: str, how_much: str = "") -> io.StringIO:
        handlers.append(logs.begin(form, how_much, stream := io.StringIO()))
        return stream

    yield begin
    for handler in handlers:
        logging.getLogger().removeHandler(handler)
    log.setLevel(level)


def too_much(text: str, private: list[str]) -> list[str]:
    """What of a log nobody should read there."""
    return [*CARDS.findall(text), *(what for what in private if what in text)]


@pytest.mark.parametrize("form", ["json", "console"])
def test_a_game_leaves_no_card_token_key_or_name_in_the_log(open_house, tmp_path, logged, form):
    stream = logged(form, "debug")
    house = open_house(tmp_path, settings=Setup((0, 0), OFF, folder=tmp_path))
    id, guests = full_table(house, "mines", 2)
    table = house.app.tables.get(id)
    guests[0].post("/api/me", {"name": "Wilhelmina"}, 200)
    guests[1].post(f"/api/tables/{id}/chat", {"text": "I hold the queen", "key": "key-of-what-is-said"}, 200)
    tap = guests[0].listen(id)
    for k in range(6):
        asked = until(lambda: [(g, m) for g in guests if (m := g.look(id))["ask"]], "nobody is asked")
        for guest, message in asked:
            answer = f"{message['ask']['question']} {message['ask']['legal'][0]}"
            guest.answer(id, message["n"], answer, key=f"key-of-answer-{k}", expect=None)
    guests[0].answer(id, 99, "dig 4", key="key-that-is-refused", expect=409)
    guests[0].get("/api/tables/Wilhelmina/record", expect=404)
    guests[0].get("/api/records/H7/review", expect=404)
    until(lambda: tap.events, "the stream does not open")
    house.close()
    text = stream.getvalue()
    private = ["Wilhelmina", "the queen", "key-of", "key-that", "nonce", id, table.play.secret.hex(), guests[0].invite]
    private += (
        [guest.headers["Authorization"].split()[1] for guest in guests] + table.people() + ["127.0.0.1", str(tmp_path)]
    )
    assert too_much(text, private) == []
    for what in (
        "The house is open.",
        "A table is made.",
        "Somebody has answered.",
        "The house closes.",
        "/api/tables/ID/answers",
    ):
        assert what in text, f"the log does not tell: {what}"


def test_what_should_not_be_in_a_log_would_be_found_there(logged):
    """Else the test above proves nothing."""
    stream = logged("json", "debug")
    log.debug("Somebody plays H7.")
    log.warning("%s has gone.", "Wilhelmina")
    assert too_much(stream.getvalue(), ["Wilhelmina", "Ben"]) == ["H7", "Wilhelmina"]


@pytest.mark.parametrize("form", logs.FORMS)
def test_of_an_error_the_log_says_where_it_happened_and_not_what_it_says(logged, form):
    stream = logged(form, "debug")
    try:
        try:
            raise KeyError("H7")
        except KeyError as error:
            raise ValueError("Wilhelmina cannot play SK") from error
    except ValueError:
        log.exception("A bot could not play.")
    text = stream.getvalue()
    assert too_much(text, ["Wilhelmina"]) == []
    for what in (
        "A bot could not play.",
        "KeyError",
        "ValueError",
        "test_logs.py",
        test_of_an_error_the_log_says_where_it_happened_and_not_what_it_says.__name__,
    ):
        assert what in text, f"{form}: the log does not say {what}"


def test_only_values_with_a_known_name_are_logged(logged):
    stream = logged("json", "debug")
    log.info("It happens.", extra={"game": "mines", "hand": ["H7"], "person": "Wilhelmina"})
    (line,) = stream.getvalue().splitlines()
    told = json.loads(line)
    told.pop("timestamp")
    assert told == {"event": "It happens.", "level": "info", "game": "mines"}


def test_plain_logs_begin_at_warnings_as_they_ever_did(logged):
    stream = logged("plain")
    log.info("All is well.")
    log.warning("It is not.")
    assert stream.getvalue() == "WARNING diamonds: It is not.\n"


def test_plain_logs_do_not_say_for_others_how_an_error_reads(logged):
    stream, others = logged("plain"), io.StringIO()
    logging.getLogger().addHandler(other := logging.StreamHandler(others))
    try:
        raise RuntimeError("the secret is 42")
    except RuntimeError:
        log.exception("It failed.")
    finally:
        logging.getLogger().removeHandler(other)
    assert "42" not in stream.getvalue()
    assert "the secret is 42" in others.getvalue()


def test_what_is_asked_for_wrongly_is_one_sentence(tmp_path, monkeypatch):
    with pytest.raises(Refused, match="Logs are plain, console, json"), written_down("xml", ""):
        pass
    with pytest.raises(Refused, match="debug, info, warning, error"), written_down("json", "loud"):
        pass
    (tmp_path / "house.toml").write_text('log = "xml"', encoding="utf-8")
    with pytest.raises(BadSettings, match='line 1: log is "plain", "console" or "json"'):
        read_settings(tmp_path / "house.toml")
    monkeypatch.setitem(sys.modules, "structlog", None)
    with (
        pytest.raises(Refused, match=r"structlog\. Install Diamonds with the extra 'watch'\."),
        written_down("json", ""),
    ):
        pass


def test_who_asks_how_the_house_is_spoken_with_does_not_change_what_is_logged(house):
    before = logging.getLogger().level, [*logging.getLogger().handlers]
    assert house.guest().get("/api/schema/openapi.json")["paths"]
    assert (logging.getLogger().level, [*logging.getLogger().handlers]) == before
