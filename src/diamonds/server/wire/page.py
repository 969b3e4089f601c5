"""The page: one HTML file for every route of the client, in each language, and its assets, from memory.

The little that the HTML file itself says stands in it as ids of sentences.
"""

from __future__ import annotations

import gzip
import html
import mimetypes
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import NamedTuple

from diamonds import words
from diamonds.server.wire.addresses import Scope
from diamonds.server.wire.http import Send, language_of

FOLDER = Path(__file__).parents[1] / "page"
INDEX = "/index.html"
SAYS = ("server-description", "server-needs-script")  # what it says itself

CONTENT_SECURITY = (
    "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; "
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


class File(NamedTuple):
    """A file to be served, with its compressed form where that is smaller."""

    body: bytes
    packed: bytes
    kind: bytes
    lasting: bool  # its name has a hash of its contents


class Page:
    """Serves the built page. A page that was built anew is noticed."""

    def __init__(self, folder: Path = FOLDER) -> None:
        self.folder = folder
        self._files: dict[str, File] = {}
        self._pages: dict[str, File] = {}  # by language
        self._built = 0
        self._look()

    def _look(self) -> None:
        """Read the folder, if its index changed."""
        index = self.folder / "index.html"
        built = index.stat().st_mtime_ns if index.exists() else 0
        if built != self._built:
            self._built = built
            self._files = {
                f"/{path.relative_to(self.folder).as_posix()}": _file(path, self.folder)
                for path in sorted(self.folder.rglob("*"))
                if path.is_file()
            }
            self._pages.clear()

    def _page(self, language: str) -> File:
        """The page itself, in words as soon as somebody wants it in that language."""
        written = self._files.get(INDEX)
        if written is None:
            return File(MISSING, b"", b"text/html; charset=utf-8", False)
        if language not in self._pages:
            self._pages[language] = _spoken(written, language)
        return self._pages[language]

    async def serve(self, scope: Scope, send: Send, cookie: Callable[[], Awaitable[bytes]]) -> None:
        """A file, or for every other path the page itself: its own routes are ``/table/…``, ``/rules/…`` and so on."""
        path = scope["path"]
        file = self._files.get(path) if path not in ("/", INDEX) else None
        status = 200
        vary = b"accept-encoding"
        more: list[tuple[bytes, bytes]] = []
        if file is None:
            self._look()
            file = self._page(language_of(scope))
            vary = b"accept-encoding, accept-language"
            if path.startswith("/assets/") or ("." in path.rpartition("/")[2] and path != INDEX):
                status = 404
                file = File(b"There is no such file.", b"", b"text/plain; charset=utf-8", False)
            elif given := await cookie():
                more.append((b"set-cookie", given))
        body = file.body
        if file.packed and any(n == b"accept-encoding" and b"gzip" in v for n, v in scope["headers"]):
            body = file.packed
            more.append((b"content-encoding", b"gzip"))
        lasting = b"public, max-age=31536000, immutable" if file.lasting else b"no-cache"
        headers = [
            *HEADERS,
            (b"content-type", file.kind),
            (b"content-length", b"%d" % len(body)),
            (b"cache-control", lasting),
            (b"vary", vary),
            *more,
        ]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else body})


def _file(path: Path, folder: Path) -> File:
    kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    lasting = path.parent != folder and path.parent.relative_to(folder).parts[0] == "assets"
    text = kind.startswith("text/") or kind in ("application/javascript", "application/json", "image/svg+xml")
    if kind.startswith("text/") or kind == "application/javascript":
        kind += "; charset=utf-8"
    return _packed(path.read_bytes(), kind.encode(), lasting, text)


def _packed(body: bytes, kind: bytes, lasting: bool, text: bool) -> File:
    return File(body, gzip.compress(body, 9, mtime=0) if text and len(body) >= 300 else b"", kind, lasting)


def _spoken(page: File, language: str) -> File:
    """The page in a language: its ids in words."""
    body = page.body.replace(b'<html lang="en">', b'<html lang="%b">' % language.encode())
    for id in SAYS:
        body = body.replace(id.encode(), html.escape(words.say(id, language=language)).encode())
    return _packed(body, page.kind, page.lasting, True)
