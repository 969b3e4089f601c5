"""The web client: the page in each language, its assets and its Wasm modules, served from memory.

The few texts in the HTML file and the app manifest are message ids, which are translated when served. If no modules
were built, `/engine/` is empty and the client plays only on the server.
"""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import html
import json
import mimetypes
import re
from collections.abc import Awaitable, Callable
from functools import cached_property, lru_cache
from pathlib import Path

from diamonds import i18n
from diamonds.server.http import static_data
from diamonds.server.http.asgi_helpers import Send, note_error, request_language
from diamonds.server.http.network_addresses import Scope
from diamonds.server.jobs import worker_pool

CLIENT_DIR = Path(__file__).parents[1] / "web"
INDEX_PATH = "/index.html"
ENGINE_PREFIX = "/engine"
ENGINE_MANIFEST_PATH = f"{ENGINE_PREFIX}/{worker_pool.MANIFEST}"
# The service worker caches the page in browsers; its replacement unregisters it and clears the cache.
SERVICE_WORKER_PATH, UNREGISTER_WORKER_PATH = "/sw.js", "/sw-off.js"
IMMUTABLE_PREFIXES = ("/assets/", f"{ENGINE_PREFIX}/")  # file names contain a hash, except the manifest's
APP_MANIFEST_PATH = "/manifest.webmanifest"  # used to install the app
COMPRESSED_TYPES = (
    "application/javascript",
    "application/json",
    "application/manifest+json",
    "image/svg+xml",
    "application/wasm",
    "application/octet-stream",
)
ENTRY_SCRIPT_PATTERN = re.compile(rb'<script type="module"[^>]* src="/assets/([\w.-]+)"')
DESCRIPTION_MESSAGE = "server-description"
PAGE_MESSAGES = (DESCRIPTION_MESSAGE, "server-needs-script")  # message ids in the HTML file

CONTENT_SECURITY = (
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; "
    "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
PAGE_HEADERS = (
    (b"content-security-policy", CONTENT_SECURITY.encode()),
    (b"x-frame-options", b"DENY"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
    (b"cross-origin-opener-policy", b"same-origin"),
)

NOT_BUILT_PAGE = (
    b"<!doctype html><html lang=en><meta charset=utf-8><title>Diamonds</title><p>The page is not built yet: run "
    b"<code>make play</code>. The server itself is up; its routes are listed at <a href=/api/schema>/api/schema</a>."
)


class StaticFile:
    """A file to serve. If it `is_immutable`, its name contains a hash of its content."""

    def __init__(self, body: bytes, content_type: bytes, is_immutable: bool, is_compressible: bool) -> None:
        self.body, self.content_type, self.is_immutable = body, content_type, is_immutable
        self._is_compressible = is_compressible and len(body) >= 300

    @cached_property
    def gzipped(self) -> bytes:
        """The compressed content, if it is smaller."""
        return gzip.compress(self.body, 9, mtime=0) if self._is_compressible else b""

    @cached_property
    def etag(self) -> bytes:
        """A hash of the content."""
        return b'W/"%b"' % hashlib.sha256(self.body).hexdigest()[:24].encode()


class WebClientFiles:
    """A server of the built client and its modules, which notices new builds.

    `name` is the name of the server, under which the app is installed. With `offline`, browsers cache the client so
    that it opens without the server; otherwise they clear that cache.
    """

    def __init__(
        self,
        folder: Path = CLIENT_DIR,
        engine_folder: Path = worker_pool.FOLDER,
        name: str = "Diamonds",
        offline: bool = True,
    ) -> None:
        self._folder, self._engine_folder, self._name, self._offline = folder, engine_folder, name, offline
        self._files: dict[str, StaticFile] = {}
        self._pages: dict[str, StaticFile] = {}  # pages by language
        self._manifests: dict[str, StaticFile] = {}  # app manifests by language
        self._built_at = (-1, -1)
        self._reload_if_changed()

    def _reload_if_changed(self) -> None:
        """Read the folders if the index or the manifest has changed."""
        built_at = (_mtime_ns(self._folder / "index.html"), _mtime_ns(self._engine_folder / worker_pool.MANIFEST))
        if built_at != self._built_at:
            self._built_at = built_at
            self._files = {}
            for folder, within in ((self._folder, ""), (self._engine_folder, ENGINE_PREFIX)):
                for path in sorted(folder.rglob("[!.]*")):
                    if path.is_file():
                        name = f"{within}/{path.relative_to(folder).as_posix()}"
                        with contextlib.suppress(FileNotFoundError):  # a build has just removed the file
                            self._files[name] = _load_file(path, name)
            if not self._offline and UNREGISTER_WORKER_PATH in self._files:
                self._files[SERVICE_WORKER_PATH] = self._files[UNREGISTER_WORKER_PATH]
            self._pages.clear()
            self._manifests.clear()

    def _localized_page(self, language: str) -> StaticFile:
        """Return the page in a language, translated on first use."""
        source = self._files.get(INDEX_PATH)
        if source is None:
            return StaticFile(NOT_BUILT_PAGE, b"text/html; charset=utf-8", False, False)
        if language not in self._pages:
            body = localize_page(source.body, language, self._offline)
            self._pages[language] = StaticFile(body, source.content_type, source.is_immutable, True)
        return self._pages[language]

    def _localized_manifest(self, language: str) -> StaticFile:
        """Return the app manifest in a language, with the name of this server."""
        if language not in self._manifests:
            source = self._files[APP_MANIFEST_PATH]
            self._manifests[language] = StaticFile(
                localize_manifest(source.body, self._name, language), source.content_type, source.is_immutable, True
            )
        return self._manifests[language]

    @property
    def client_version(self) -> str:
        """The name of the page's entry script, with a hash of the whole client in it; empty if there is no page."""
        index = self._files.get(INDEX_PATH)
        script = ENTRY_SCRIPT_PATTERN.search(index.body) if index else None
        return script[1].decode() if script else ""

    async def serve(self, scope: Scope, send: Send, new_cookie: Callable[[], Awaitable[bytes]]) -> None:
        """Serve a file, or for every other path the page: the client has its own routes (`/table/…`, `/rules/…`)."""
        path = scope["path"]
        if path in (ENGINE_MANIFEST_PATH, INDEX_PATH) or path not in self._files:
            self._reload_if_changed()
        file = _static_data_file(path) or self._files.get(path) if path != INDEX_PATH else None
        status = 200
        vary = b"accept-encoding"
        extra_headers: list[tuple[bytes, bytes]] = []
        if file is None:
            file = self._localized_page(request_language(scope))
            vary = b"accept-encoding, accept-language"
            if path.startswith(IMMUTABLE_PREFIXES) or ("." in path.rpartition("/")[2] and path != INDEX_PATH):
                status = 404
                file = StaticFile(b"There is no such file.", b"text/plain; charset=utf-8", False, False)
            elif set_cookie := await new_cookie():
                extra_headers.append((b"set-cookie", set_cookie))
        else:
            if path == APP_MANIFEST_PATH:
                file = self._localized_manifest(request_language(scope))
                vary = b"accept-encoding, accept-language"
            extra_headers.append((b"etag", file.etag))
            if any(n == b"if-none-match" and v == file.etag for n, v in scope["headers"]):
                status = 304
        body = file.body if status != 304 else b""
        if body and file.gzipped and any(n == b"accept-encoding" and b"gzip" in v for n, v in scope["headers"]):
            body = file.gzipped
            extra_headers.append((b"content-encoding", b"gzip"))
        cache_control = b"public, max-age=31536000, immutable" if file.is_immutable else b"no-cache"
        headers = [
            *PAGE_HEADERS,
            (b"content-type", file.content_type),
            (b"cache-control", cache_control),
            (b"vary", vary),
            *([(b"content-length", b"%d" % len(body))] if status != 304 else []),
            *extra_headers,
        ]
        note_error(scope, status)
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else body})


def _static_data_file(path: str) -> StaticFile | None:
    """Return a file of public data if the path names one."""
    if (
        not path.startswith(static_data.STATIC_DATA_PREFIX)
        or (text := static_data.static_data(path.removeprefix(static_data.STATIC_DATA_PREFIX))) is None
    ):
        return None
    return _static_file(text, b"application/json" if path.endswith(".json") else b"text/html; charset=utf-8")


@lru_cache(maxsize=32)
def _static_file(text: bytes, content_type: bytes) -> StaticFile:
    """Return a file, compressed once."""
    return StaticFile(text, content_type, False, True)


def _mtime_ns(path: Path) -> int:
    """Return the modification time of a file in nanoseconds; 0 if it is missing."""
    return path.stat().st_mtime_ns if path.exists() else 0


def _load_file(path: Path, name: str) -> StaticFile:
    content_type = mimetypes.guess_type(name)[0] or "application/octet-stream"
    is_compressible = content_type.startswith("text/") or content_type in COMPRESSED_TYPES
    if content_type.startswith("text/") or content_type == "application/javascript":
        content_type += "; charset=utf-8"
    return StaticFile(
        path.read_bytes(),
        content_type.encode(),
        name.startswith(IMMUTABLE_PREFIXES) and name != ENGINE_MANIFEST_PATH,
        is_compressible,
    )


def localize_page(page: bytes, language: str, offline: bool = True) -> bytes:
    """Return the page in a language. Without `offline` it is marked as online-only."""
    html_tag = b'<html lang="%b">' if offline else b'<html lang="%b" data-online>'
    page = page.replace(b'<html lang="en">', html_tag % language.encode())
    for id in PAGE_MESSAGES:
        page = page.replace(id.encode(), html.escape(i18n.translate(id, language=language)).encode())
    return page


def localize_manifest(source: bytes, name: str, language: str) -> bytes:
    """Return the app manifest in a language, with the name of the server."""
    manifest = json.loads(source)
    manifest |= {
        "name": name,
        "short_name": name,
        "lang": language,
        "description": i18n.translate(DESCRIPTION_MESSAGE, language=language),
    }
    return json.dumps(manifest, ensure_ascii=False).encode()
