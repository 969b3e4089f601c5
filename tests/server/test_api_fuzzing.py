"""Fuzzing: Schemathesis generates requests from the OpenAPI document, and none may cause a 5xx reply."""

import itertools
import re
from http.cookiejar import DefaultCookiePolicy
from pathlib import Path

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, given, settings

from diamonds.server.http import readiness
from tests.server.support.authenticator import BrowserClient
from tests.server.support.client import WAIT_TIMEOUT_S, Client, close_connections
from tests.server.support.live_server import LiveServer, finish_game
from tests.support.sample_sizes import short_or_long

pytestmark = pytest.mark.later


@pytest.fixture(scope="module")
def fuzz_server():
    """A server with a person and tables in each phase: waiting, playing, over."""
    server = LiveServer()
    guest = server.new_client()
    ids = [guest.create_open_table(private=False), guest.create_table(game="crystals", seats=4)]
    over = guest.create_table(game="mines", seats=2)
    finish_game(server, over, guest)
    # One connection for all requests, because opening one for each doubles the time.
    with requests.Session() as line, pytest.MonkeyPatch.context() as patch:
        line.trust_env = False
        patch.setattr(readiness, "CHECK_TIMEOUT_S", WAIT_TIMEOUT_S)  # so that a busy machine is still ready
        line.cookies.set_policy(DefaultCookiePolicy(allowed_domains=[]))  # each request sends its own identity, or none
        yield server, guest, [*ids, over], line
    server.close()
    close_connections()


@pytest.fixture(scope="module")
def openapi_document(fuzz_server):
    """The served OpenAPI document. It takes a second to generate, so it is requested only once."""
    server, *_ = fuzz_server
    return Client(server.port).get("/api/schema/openapi.json")


@short_or_long("examples", 4, 120)
@pytest.mark.parametrize("thinks", [False, pytest.param(True, marks=pytest.mark.kernels)], ids=["", "hint and review"])
def test_no_request_makes_the_server_fail(fuzz_server, openapi_document, thinks, examples):
    tried = 0
    for found in schemathesis.openapi.from_dict(openapi_document).get_all_operations():
        if found.ok().path.endswith(("/hint", "/review")) == thinks:
            try_any_request(fuzz_server, found.ok(), examples)
            tried += 1
    assert tried >= (3 if thinks else 60)


def try_any_request(place, operation, examples):
    server, guest, ids, line = place
    statuses, turns = set(), itertools.cycle(ids)  # one table each: waiting, playing, over

    @settings(
        max_examples=examples, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck)
    )
    @given(case=operation.as_strategy())
    def attempt(case):
        id = "unknown" if operation.path.endswith("/stream") else next(turns)  # a known person's stream never ends
        if operation.path == "/api/lobby":
            case.query = {"game": f"no {(case.query or {}).get('game', '')}"}  # an existing table's stream never ends
        path = case.path_parameters or {}
        if "id" in path:
            case.path_parameters = {**path, "id": id}
        case.headers = {
            **{n: str(v) for n, v in (case.headers or {}).items() if n.lower() == "last-event-id"},
            **({} if operation.path == "/api/turns" else guest.headers),  # a known person's stream never ends
        }
        response = case.call(base_url=f"http://127.0.0.1:{server.port}", session=line, timeout=WAIT_TIMEOUT_S)
        statuses.add(response.status_code)
        assert response.status_code < 500, f"{operation.label}: {response.text}"
        if response.status_code >= 400 and "json" in response.headers.get("content-type", ""):
            assert response.json()["error"], f"{operation.label}: expected an error with a text"

    attempt()
    assert statuses


def test_every_post_route_rejects_other_sites_forms_and_strangers(fuzz_server, openapi_document):
    server, *_ = fuzz_server
    browser, stranger = BrowserClient(server.port), Client(server.port)
    routes = [path for path, item in openapi_document["paths"].items() if "post" in item and path != "/api/token"]
    assert len(routes) > 50
    for route in routes:
        path, body = re.sub(r"{\w+}", "x", route), b'{"name":"x"}' if route == "/api/me/delete" else b"{}"
        for site in ("cross-site", "same-site"):
            assert browser.send("POST", path, body, {"Sec-Fetch-Site": site})[0] == 403, f"{route}: {site}"
        for form in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""):
            assert browser.send("POST", path, body, {"Content-Type": form})[0] == 415, f"{route}: {form}"
        assert stranger.send("POST", path, body)[0] == 401, route
    for form in ("text/plain", ""):
        assert stranger.send("POST", "/api/token", b"{}", {"Content-Type": form})[0] == 415, form
    for path in ("/api/me", "/api/me/data", "/api/push", "/api/turns"):
        stranger.get(path, 401)


def test_every_post_route_rejects_malformed_and_oversized_bodies(fuzz_server, openapi_document):
    server, *_ = fuzz_server
    browser = BrowserClient(server.port)
    routes = [path for path, item in openapi_document["paths"].items() if "requestBody" in item.get("post", {})]
    assert len(routes) > 45
    assert {"/api/token", "/api/sign-in/passkey/begin"} <= set(routes)
    broken = (b"{", b"[]", b"\xff", b'{"name":"\xff\xfe"}', b'{"text":"\xed\xa0\x80"}', b'{"unknown":1}', b"[" * 5000)
    for route in routes:
        for body, status in (*((body, 400) for body in broken), (b'{"text":"' + b"x" * 20_000 + b'"}', 413)):
            path = re.sub(r"{\w+}", "x", route)
            told = browser.send("POST", path, body)
            assert told[0] == status, f"{route}: {body[:20]!r} got {told}"


def test_every_message_in_the_document_is_described(openapi_document):
    schemas = openapi_document["components"]["schemas"]
    assert "`GET /api/tables/ID/hint`" in schemas["HintResponse"]["description"]
    assert [name for name, schema in schemas.items() if not schema.get("description")] == []


def test_routes_in_the_api_docs_exist(openapi_document):
    text = (Path(__file__).parents[2] / "docs" / "api.md").read_text(encoding="utf-8")
    explained = set(re.findall(r"`(GET|POST)\s(/api/[\w/-]+)", text))
    there = {
        (method.upper(), re.sub(r"{(\w+)}", lambda name: name[1].upper(), path))
        for path, methods in openapi_document["paths"].items()
        for method in methods
    }
    assert len(explained) > 15, "expected routes in backticks on the page"
    assert explained <= there, f"docs/api.md names routes that do not exist: {sorted(explained - there)}"
