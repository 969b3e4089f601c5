"""Errors: a text in the requested language, and a message id with values."""

import json
from typing import Any

import pytest

from diamonds import i18n
from diamonds.server.http.asgi_helpers import error_json, negotiate_language
from tests.server.support.client import Client
from tests.support.pseudo_locale import untranslated_text


def test_error_has_id_and_values_beside_its_text(guest):
    refused = guest.post("/api/tables", {"game": "whist", "seats": 4}, 404)
    values = {"given": "whist", "games": ["crystals", "fourteen", "mines"]}
    said = "There is no game “whist”. The games are crystals, fourteen, mines."
    assert refused == {"error": said, "id": "game-unknown", "args": values, "update": None}


def test_server_page_uses_the_requested_language(guest):
    _, raw = guest.send("GET", "/api/server", headers={"Accept-Language": "de-AT,de;q=0.9,en;q=0.5"})
    told = json.loads(raw)
    assert [game["title"] for game in told["games"]][:3] == ["Kristalle", "Vierzehn", "Minen"]
    assert [level["title"] for level in told["levels"]][:2] == ["Zufall", "Anfänger"]
    assert guest.get("/api/server")["games"][0]["title"] == "Crystals"
    called = {option["name"]: (option["title"], option["value_labels"]) for option in told["games"][0]["options"]}
    assert called["memory_aid"] == ("Merkhilfe", {})
    assert called["pass_to"] == ("Weitergeben", {"left": "nach links", "rotating": "reihum"})


def test_rules_use_the_requested_language(guest):
    heads = {"de": ("Kristalle", "Vierzehn", "Minen"), "en": ("Crystals", "Fourteen", "Mines")}
    for language, titles in heads.items():
        for game, title in zip(("crystals", "fourteen", "mines"), titles, strict=True):
            _, raw = guest.send("GET", f"/api/rules/{game}", headers={"Accept-Language": language})
            assert f"<h1>{title}</h1>".encode() in raw, f"{game} in {language}: {raw[:80]!r}"


def test_nested_message_is_an_id_with_arguments():
    inner = i18n.Message("crystals-illegal-follow", {"suit": "H", "rule": "C12"})
    said = error_json(i18n.Message("as-it-is", {"text": inner}))
    assert b'"args":{"text":["crystals-illegal-follow",{"suit":"H","rule":"C12"}]}' in said
    assert "You hold ♥: follow suit.".encode() in said


@pytest.mark.later
@pytest.mark.usefixtures("pseudo_locale")
def test_every_error_text_comes_from_the_catalog(server):
    ann, ben = server.new_client(), server.new_client()
    id = ann.create_table(game="fourteen", seats=3, seats_taken_by=["me", "bot:random", "open"])
    bodies: list[Any] = [
        {}, [], 7, {"n": "x"}, {"n": 0, "answers": ["bid 3"], "idempotency_key": "12345678"},
        {"game": "whist", "seats": 9},
    ]  # fmt: skip
    bodies += [{"game": "mines", "seats": 5}, {"game": "crystals", "seats": 4, "options": {"thief": 7, "rounds": 99}}]
    bodies += [
        {"name": ""}, {"name": "x" * 99}, {"name": "Seat 2"}, {"seat": 0, "nonce": "5eed"}, {"seat": 9},
        {"text": ""},
    ]  # fmt: skip
    said = {}
    for path in ("", f"/{id}", "/nowhere"):
        for what in ("", *"/sit /stand /bot /answers /undo /chat /fork /proposal /hint /record /verify".split()):
            for guest in (ann, ben, Client(server.port)):
                for method, body in [("GET", None), *(("POST", json.dumps(one).encode()) for one in bodies)]:
                    status, raw = guest.send(method, f"/api/tables{path}{what}", body)
                    if status >= 400:
                        problem = json.loads(raw)
                        said[problem["id"]] = problem["error"]
    for body in bodies:
        for path in ("/api/me", "/api/records"):
            said.update([(found["id"], found["error"])] if "error" in (found := ann.post(path, body)) else [])
    wrong = {id: error for id, error in said.items() if untranslated_text(error)}
    assert not wrong, f"expected catalog texts only: {wrong}"
    assert len(said) > 12, f"expected more errors than {sorted(said)}"


@pytest.mark.parametrize(("accept", "language"), [
    ("", "en"), ("xx", "xx"), ("xx-YY,en;q=0.8", "xx"), ("en-GB,en;q=0.9,xx;q=0.8", "en"), ("tlh, xx;q=0.3", "xx"),
    ("en;q=0.2, xx;q=0.7", "xx"), ("xx;q=0, tlh", "en"), ("*", "en"), (";;;q=,", "en"),
])  # fmt: skip
def test_best_requested_language_is_used(accept, language, monkeypatch):
    monkeypatch.setattr(i18n, "languages", lambda: ("en", "xx"))
    assert negotiate_language.__wrapped__(accept) == language
