"""The files of the web client: headers, languages, and cacheable data without anything personal."""

import gzip
import itertools
import json
import re
from pathlib import Path

from diamonds import i18n
from diamonds.server.http.web_client_files import WebClientFiles
from diamonds.server.settings_file import TomlSettings
from tests.server.support.client import Client

ROOT = Path(__file__).parents[2]


def test_client_routes_serve_the_web_client_with_headers_and_cookie(server, tmp_path):
    (tmp_path / "assets").mkdir()
    (tmp_path / "index.html").write_text("<!doctype html><title>Diamonds</title>")
    (tmp_path / "assets" / "index-abc123.js").write_text("export {}\n" * 200)
    server.app.web_client = WebClientFiles(tmp_path)
    guest = Client(server.port)
    for path in ("/", "/table/abc", "/table/abc/replay?n=4", "/rules/mines", "/settings"):
        status, raw = guest.send("GET", path)
        assert (status, raw) == (200, b"<!doctype html><title>Diamonds</title>")
        policy = guest.reply_headers["content-security-policy"]
        assert "default-src 'self'" in policy
        assert "frame-ancestors 'none'" in policy
        assert not re.search(r"script-src[^;]*'unsafe", policy), "expected no inline script"
        assert guest.reply_headers["x-content-type-options"] == "nosniff"
        assert guest.reply_headers["referrer-policy"] == "same-origin"
        assert guest.reply_headers["cache-control"] == "no-cache"
        assert "HttpOnly" in guest.reply_headers["set-cookie"]
    status, raw = guest.send("GET", "/assets/index-abc123.js", None, {"Accept-Encoding": "gzip"})
    assert status == 200
    assert len(raw) < 200
    assert "immutable" in guest.reply_headers["cache-control"]
    assert guest.reply_headers["content-encoding"] == "gzip"
    for path in ("/assets/nothing.js", "/%2e%2e/pyproject.toml", "/favicon.ico"):
        assert guest.send("GET", path)[0] == 404
    assert b"root:" not in guest.send("GET", "/../../../../etc/passwd")[1]
    (tmp_path / "index.html").write_text("<!doctype html><title>Newer</title>")
    assert b"Newer" in guest.send("GET", "/")[1], "expected a new build to be served"


def test_static_text_of_the_web_client_uses_the_requested_language(server, tmp_path):
    (tmp_path / "index.html").write_bytes((ROOT / "web" / "index.html").read_bytes())
    server.app.web_client = WebClientFiles(tmp_path)
    guest = Client(server.port)
    for path in ("/", "/index.html", "/table/abc"):
        for wanted, language in (("de-AT,en;q=0.5", "de"), ("en", "en"), ("tlh", "en")):
            status, raw = guest.send("GET", path, None, {"Accept-Language": wanted})
            text = raw.decode()
            assert status == 200
            assert f'<html lang="{language}">' in text
            assert f"<noscript>{i18n.translate('server-needs-script', language=language)}</noscript>" in text
            assert f'content="{i18n.translate("server-description", language=language)}"' in text
            assert guest.reply_headers["vary"] == "accept-encoding, accept-language"
    packed = guest.send("GET", "/", None, {"Accept-Language": "de", "Accept-Encoding": "gzip"})[1]
    assert "braucht JavaScript" in gzip.decompress(packed).decode()


def test_manifest_has_the_server_name_and_requested_language(open_server, tmp_path):
    server = open_server(server_config=TomlSettings(name="Club <Caro>"))
    (tmp_path / "index.html").write_text("<!doctype html><title>Diamonds</title>")
    (tmp_path / "manifest.webmanifest").write_bytes((ROOT / "web" / "public" / "manifest.webmanifest").read_bytes())
    server.app.web_client = WebClientFiles(tmp_path, name=server.app.config.server_config.name)
    guest = Client(server.port)
    for language in ("de", "en"):
        status, raw = guest.send("GET", "/manifest.webmanifest", None, {"Accept-Language": language})
        told = json.loads(raw)
        assert (status, told["name"], told["short_name"], told["lang"]) == (200, "Club <Caro>", "Club <Caro>", language)
        assert told["description"] == i18n.translate("server-description", language=language)
        assert guest.reply_headers["content-type"] == "application/manifest+json"
        assert guest.reply_headers["cache-control"] == "no-cache", "expected the new server name"
        assert guest.reply_headers["vary"] == "accept-encoding, accept-language"


def test_server_without_offline_mode_serves_the_unregistering_worker(server, tmp_path):
    (tmp_path / "index.html").write_text('<!doctype html><html lang="en"><title>Diamonds</title>')
    (tmp_path / "sw.js").write_text("keep()")
    (tmp_path / "sw-off.js").write_text("letGo()")
    guest = Client(server.port)
    for offline, worker, opening in (
        (True, b"keep()", '<html lang="en">'),
        (False, b"letGo()", '<html lang="en" data-online>'),
    ):
        server.app.web_client = WebClientFiles(tmp_path, offline=offline)
        assert guest.send("GET", "/sw.js")[1] == worker
        assert guest.reply_headers["content-type"].startswith("text/javascript")
        assert guest.reply_headers["cache-control"] == "no-cache", "expected browsers to revalidate the service worker"
        assert opening in guest.send("GET", "/")[1].decode()


def test_rules_pages_are_cacheable_files(guest):
    for language, (game, rule) in itertools.product(
        ("de", "en"), (("crystals", b"C12"), ("fourteen", b"F5"), ("mines", b"M11"))
    ):
        status, raw = guest.send("GET", f"/static-data/{language}/{game}.html")
        assert (status, rule in raw, b"<script" in raw) == (200, True, False)
        assert guest.reply_headers["content-type"] == "text/html; charset=utf-8"
        assert guest.reply_headers["cache-control"] == "no-cache"
        assert (status, raw) == guest.send("GET", f"/api/rules/{game}", None, {"Accept-Language": language})
    for path in (
        "/static-data/en/chess.html",
        "/static-data/tlh/mines.html",
        "/static-data/en/mines.html/",
        "/static-data/en/../../mines.html",
    ):
        status, raw = guest.send("GET", path)
        assert (status == 404) or raw.startswith(b"<!doctype html>"), f"{path} is {status}: {raw[:40]!r}"


def test_catalog_is_a_cacheable_file_without_personal_data(guest):
    status, raw = guest.send("GET", "/static-data/de/server.json")
    assert (status, guest.reply_headers["content-type"]) == (200, "application/json")
    kept = json.loads(raw)
    told = guest.send("GET", "/api/server", None, {"Accept-Language": "de"})[1]
    assert kept["games"] == json.loads(told)["games"]
    assert {level["level"] for level in kept["levels"]} >= {"1", "2", "3", "4", "5"}, "expected every level"
    assert (kept["display_name"], kept["server_name"]) == ("", "")
