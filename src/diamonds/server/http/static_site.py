"""The web client as files for any web server, below any path: it plays without a Diamonds server.

The files are the same as on a server, with four exceptions. `index.html` uses relative paths, contains what a server
would send in headers, and begins with `site.js` (`web/static-site/`). Styles, and scripts that load them, also use
relative paths. `sw.js` begins with the site's edition and boot script. The app manifest is translated.
"""

from __future__ import annotations

import hashlib
import html
import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import diamonds
from diamonds import i18n
from diamonds.errors import NotAllowedError
from diamonds.game import all_games
from diamonds.i18n import rulebook
from diamonds.server.http import static_data, web_client_files
from diamonds.server.jobs import worker_pool

FILE_LIST = "site.json"  # lists the written files, and marks a folder as ours
BOOT_SCRIPT, SERVICE_WORKER, INDEX_FILE = "site.js", "sw.js", "index.html"
WRITTEN_LAST = (SERVICE_WORKER, INDEX_FILE, FILE_LIST)  # after the files to which they refer
NO_SERVER_MESSAGE = "static-site-alone"  # shown where a feature needs other people
# For a `meta` tag, because a static site sends no headers. `frame-ancestors` has no effect there.
SECURITY_POLICY = "; ".join(
    rule for rule in web_client_files.CONTENT_SECURITY.split("; ") if not rule.startswith("frame-ancestors")
)
# The code in scripts that builds paths of styles from the site root. A static site needs paths from one folder up.
STYLE_LOADER_PATTERN = re.compile(r"(function\(\w+\)\{return)([`\"'])/\2\+")


def build_static_site(
    folder: Path,
    language: str = i18n.DEFAULT_LANGUAGE,
    client_dir: Path = web_client_files.CLIENT_DIR,
    engine_dir: Path = worker_pool.FOLDER,
) -> int:
    """Write all files into a folder and return their size in bytes.

    The folder must be new, empty, or written by an earlier call. `language` applies until the visitor chooses one.
    Raise `NotAllowedError`, with advice, if a part is missing or the folder is not ours.
    """
    previous = _previous_files(folder)
    files = _collect_files(language, client_dir, engine_dir)
    files[FILE_LIST] = json.dumps({"version": diamonds.__version__, "files": sorted(files)}, indent=1).encode()
    for name in [*sorted(set(files) - set(WRITTEN_LAST)), *WRITTEN_LAST]:
        _write_file(folder / name, files[name])
    for name in previous - set(files):
        (folder / name).unlink(missing_ok=True)
    return sum(map(len, files.values()))


def _previous_files(folder: Path) -> set[str]:
    """Return the names of the files that an earlier call wrote."""
    if not folder.exists() or not any(folder.iterdir()):
        return set()
    try:
        files = json.loads((folder / FILE_LIST).read_bytes())["files"]
    except (OSError, ValueError, KeyError, TypeError):
        raise NotAllowedError("static-site-not-ours", folder=str(folder)) from None
    inside = folder.resolve()
    return {name for name in files if inside in (folder / name).resolve().parents}


def _write_file(path: Path, content: bytes) -> None:
    """Replace a file atomically, because the folder may be served meanwhile."""
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(f".{path.name}.new")
    new.write_bytes(content)
    os.replace(new, path)


def _collect_files(language: str, client_dir: Path, engine_dir: Path) -> dict[str, bytes]:
    """Return all files by name, except the file list itself."""
    if not (client_dir / INDEX_FILE).is_file() or not (client_dir / BOOT_SCRIPT).is_file():
        raise NotAllowedError("static-site-no-page")
    modules = _engine_files(engine_dir)
    files = {
        path.relative_to(client_dir).as_posix(): path.read_bytes()
        for path in client_dir.rglob("[!.]*")
        if path.is_file()
    }
    files |= {f"engine/{name}": (engine_dir / name).read_bytes() for name in modules}
    files |= dict(_static_data_files())
    for name in [name for name in files if name.endswith((".js", ".css"))]:
        files[name] = _relocate(name, files[name].decode()).encode()
    files[web_client_files.APP_MANIFEST_PATH[1:]] = web_client_files.localize_manifest(
        files[web_client_files.APP_MANIFEST_PATH[1:]], "Diamonds", language
    )
    files[INDEX_FILE] = _render_index(web_client_files.localize_page(files[INDEX_FILE], language).decode()).encode()
    version = hashlib.sha256(b"\n".join(hashlib.sha256(files[name]).digest() for name in sorted(files))).hexdigest()
    site = json.dumps({"edition": version[:8], "begins": [BOOT_SCRIPT]})
    files[SERVICE_WORKER] = f"self.site = {site};\n".encode() + files[SERVICE_WORKER]
    return files


def _engine_files(engine_dir: Path) -> set[str]:
    """Return the manifest of the Wasm modules and the files that it names; the folder may still have older ones.

    Raise `NotAllowedError` unless all modules of every game are there.
    """
    found = {worker_pool.MANIFEST}

    def keep(part: dict[str, Any]) -> dict[str, Any]:
        found.update([part["file"]] if "file" in part else [])
        return part

    try:
        built = json.loads((engine_dir / worker_pool.MANIFEST).read_bytes(), object_hook=keep)["games"]
    except OSError:
        built = {}
    if not {game.name for game in all_games()} <= set(built) or not all((engine_dir / name).exists() for name in found):
        raise NotAllowedError("static-site-no-modules")
    return found


def _static_data_files() -> Iterator[tuple[str, bytes]]:
    """Yield the public data of a server as files, in every language."""
    for language in i18n.languages():
        names = [f"{game.name}.html" for game in all_games() if rulebook.find_page(game.name, language)]
        for name in [static_data.CATALOG_FILE, *names]:
            text = static_data.static_data(f"{language}/{name}")
            assert text is not None, f"expected {name} in every language"
            yield f"static-data/{language}/{name}", text


def _relocate(name: str, text: str) -> str:
    """Return a script or style with paths relative to itself or to the page."""
    if name.endswith(".css"):
        return text.replace("url(/assets/", "url(")
    return STYLE_LOADER_PATTERN.sub(r"\1\2../\2+", text)


def _render_index(text: str) -> str:
    """Return the page with its security policy, boot script and relative paths."""
    policy = _opening_tag("meta", {"http-equiv": "Content-Security-Policy", "content": SECURITY_POLICY})
    no_server_texts = {
        f"data-{language}": i18n.translate(NO_SERVER_MESSAGE, language=language) for language in i18n.languages()
    }
    boot_script = _opening_tag("script", {"src": f"./{BOOT_SCRIPT}", **no_server_texts}) + "</script>"
    text = re.sub(r'((?:href|src)=")/(?!/)', r"\1./", text)
    head, charset, rest = text.partition('charset="utf-8">')
    before, script, after = rest.partition("<script")
    assert script, "the page has no script or no charset"
    return f"{head}{charset}\n    {policy}{before}{boot_script}\n    {script}{after}"


def _opening_tag(name: str, attributes: dict[str, str]) -> str:
    rendered = "".join(f' {key}="{html.escape(value)}"' for key, value in attributes.items())
    return f"<{name}{rendered}>"
