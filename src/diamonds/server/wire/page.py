"""The page: one HTML file for every route of the client, in each language, its assets, and the modules that it plays with; from memory.

The little that the HTML file itself says stands in it as ids of sentences; so it does in the file by which browsers install the page. Where no modules have been made, there are none under
``/engine/``, and the page plays at the house alone.
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

from diamonds import words
from diamonds.server.wire import told
from diamonds.server.wire.addresses import Scope
from diamonds.server.wire.http import Send, language_of, note_error
from diamonds.server.work import modules

FOLDER = Path(__file__).parents[1] / "page"
INDEX = "/index.html"
ENGINE = "/engine"
MANIFEST = f"{ENGINE}/{modules.MANIFEST}"
WORKER, LETTING_GO = "/sw.js", "/sw-off.js"  # what keeps the page in browsers, and what lets go of it
FILES = ("/assets/", f"{ENGINE}/")  # where files are named by what is in them, but for the manifest, which names them
APP = "/manifest.webmanifest"  # by which browsers install the page
PACKED = (
    "application/javascript",
    "application/json",
    "application/manifest+json",
    "image/svg+xml",
    "application/wasm",
    "application/octet-stream",
)
FIRST = re.compile(rb'<script type="module"[^>]* src="/assets/([\w.-]+)"')
DESCRIPTION = "server-description"
SAYS = (DESCRIPTION, "server-needs-script")  # what it says itself

CONTENT_SECURITY = (
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; "
    "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
HEADERS = (
    (b"content-security-policy", CONTENT_SECURITY.encode()),
    (b"x-frame-options", b"DENY"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
    (b"cross-origin-opener-policy", b"same-origin"),
)

MISSING = (
    b"<!doctype html><html lang=en><meta charset=utf-8><title>Diamonds</title><p>The page is not built yet: run "
    b"<code>make play</code>. The server itself is up; its routes are listed at <a href=/api/schema>/api/schema</a>."
)


class File:
    """A file to be served; ``lasting``: its name has a hash of its contents."""

    def __init__(self, body: bytes, kind: bytes, lasting: bool, packs: bool) -> None:
        self.body, self.kind, self.lasting = body, kind, lasting
        self._packs = packs and len(body) >= 300

    @cached_property
    def packed(self) -> bytes:
        """Its compressed form, where that is smaller."""
        return gzip.compress(self.body, 9, mtime=0) if self._packs else b""

    @cached_property
    def tag(self) -> bytes:
        """What it is known by to those who have it."""
        return b'W/"%b"' % hashlib.sha256(self.body).hexdigest()[:24].encode()


class Page:
    """Serves the built page, and modules beside it. What was built anew is noticed.

    ``name`` is the house's, under which it is installed. ``offline``: browsers keep the page, so that it opens without the house; else
    they let go of what they have kept.
    """

    def __init__(
        self, folder: Path = FOLDER, engine: Path = modules.FOLDER, name: str = "Diamonds", offline: bool = True
    ) -> None:
        self._folder, self._engine, self._name, self._offline = folder, engine, name, offline
        self._files: dict[str, File] = {}
        self._pages: dict[str, File] = {}  # by language
        self._apps: dict[str, File] = {}  # what installs them, by language
        self._built = (-1, -1)
        self._look()

    def _look(self) -> None:
        """Read the folders, if the index or the manifest changed."""
        built = (_changed(self._folder / "index.html"), _changed(self._engine / modules.MANIFEST))
        if built != self._built:
            self._built = built
            self._files = {}
            for folder, within in ((self._folder, ""), (self._engine, ENGINE)):
                for path in sorted(folder.rglob("[!.]*")):
                    if path.is_file():
                        name = f"{within}/{path.relative_to(folder).as_posix()}"
                        with contextlib.suppress(FileNotFoundError):  # whoever builds has just cleared it away
                            self._files[name] = _file(path, name)
            if not self._offline and LETTING_GO in self._files:
                self._files[WORKER] = self._files[LETTING_GO]
            self._pages.clear()
            self._apps.clear()

    def _page(self, language: str) -> File:
        """The page itself, in words as soon as somebody wants it in that language."""
        written = self._files.get(INDEX)
        if written is None:
            return File(MISSING, b"text/html; charset=utf-8", False, False)
        if language not in self._pages:
            body = spoken(written.body, language, self._offline)
            self._pages[language] = File(body, written.kind, written.lasting, True)
        return self._pages[language]

    def _app(self, language: str) -> File:
        """What installs the page: as this house, told in a language."""
        if language not in self._apps:
            app = self._files[APP]
            self._apps[language] = File(installed(app.body, self._name, language), app.kind, app.lasting, True)
        return self._apps[language]

    @property
    def first(self) -> str:
        """The name of the page's first file, which has a hash of all that is in the page; empty where there is no page."""
        written = self._files.get(INDEX)
        named = FIRST.search(written.body) if written else None
        return named[1].decode() if named else ""

    async def serve(self, scope: Scope, send: Send, cookie: Callable[[], Awaitable[bytes]]) -> None:
        """A file, or for every other path the page itself: its own routes are ``/table/…``, ``/rules/…`` and so on."""
        path = scope["path"]
        if path in (MANIFEST, INDEX) or path not in self._files:
            self._look()
        file = _read(path) or self._files.get(path) if path != INDEX else None
        status = 200
        vary = b"accept-encoding"
        more: list[tuple[bytes, bytes]] = []
        if file is None:
            file = self._page(language_of(scope))
            vary = b"accept-encoding, accept-language"
            if path.startswith(FILES) or ("." in path.rpartition("/")[2] and path != INDEX):
                status = 404
                file = File(b"There is no such file.", b"text/plain; charset=utf-8", False, False)
            elif given := await cookie():
                more.append((b"set-cookie", given))
        else:
            if path == APP:
                file = self._app(language_of(scope))
                vary = b"accept-encoding, accept-language"
            more.append((b"etag", file.tag))
            if any(n == b"if-none-match" and v == file.tag for n, v in scope["headers"]):
                status = 304
        body = file.body if status != 304 else b""
        if body and file.packed and any(n == b"accept-encoding" and b"gzip" in v for n, v in scope["headers"]):
            body = file.packed
            more.append((b"content-encoding", b"gzip"))
        lasting = b"public, max-age=31536000, immutable" if file.lasting else b"no-cache"
        headers = [
            *HEADERS,
            (b"content-type", file.kind),
            (b"cache-control", lasting),
            (b"vary", vary),
            *([(b"content-length", b"%d" % len(body))] if status != 304 else []),
            *more,
        ]
        note_error(scope, status)
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else body})


def _read(path: str) -> File | None:
    """Something to be read, if it is that."""
    if not path.startswith(told.FOLDER) or (text := told.told(path.removeprefix(told.FOLDER))) is None:
        return None
    return _written(text, b"application/json" if path.endswith(".json") else b"text/html; charset=utf-8")


@lru_cache(maxsize=32)
def _written(text: bytes, kind: bytes) -> File:
    """What is to be read, packed once."""
    return File(text, kind, False, True)


def _changed(path: Path) -> int:
    """When a file was written, in nanoseconds; 0 where there is none."""
    return path.stat().st_mtime_ns if path.exists() else 0


def _file(path: Path, name: str) -> File:
    kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
    packs = kind.startswith("text/") or kind in PACKED
    if kind.startswith("text/") or kind == "application/javascript":
        kind += "; charset=utf-8"
    return File(path.read_bytes(), kind.encode(), name.startswith(FILES) and name != MANIFEST, packs)


def spoken(page: bytes, language: str, offline: bool = True) -> bytes:
    """The page in a language: its ids in words. Where it shall not be kept, it is told so: it is there ``online`` alone."""
    opening = b'<html lang="%b">' if offline else b'<html lang="%b" data-online>'
    page = page.replace(b'<html lang="en">', opening % language.encode())
    for id in SAYS:
        page = page.replace(id.encode(), html.escape(words.say(id, language=language)).encode())
    return page


def installed(app: bytes, name: str, language: str) -> bytes:
    """What installs the page, for a house of this name and in a language."""
    told = json.loads(app)
    told |= {
        "name": name,
        "short_name": name,
        "lang": language,
        "description": words.say(DESCRIPTION, language=language),
    }
    return json.dumps(told, ensure_ascii=False).encode()
