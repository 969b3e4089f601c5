"""The web client as files for any web server, below any path: it plays by itself, without a Diamonds server.

The files are those that a server has, except for four: ``index.html`` names its files by where it lies, carries what a server says in
headers, and begins with ``site.js`` (`web/static-site/`); the script that fetches styles does likewise; ``sw.js`` knows of both; and what
installs the page is in words.
"""

from __future__ import annotations

import hashlib
import html
import json
import os
import re
from collections.abc import Iterator
from pathlib import Path

import diamonds
from diamonds import i18n
from diamonds.errors import NotAllowedError
from diamonds.game import all_games
from diamonds.i18n import rulebook
from diamonds.server.http import static_data, web_client
from diamonds.server.jobs import worker_pool

FILE_LIST = "site.json"  # by which a folder is known to be ours: what was written there
BOOT_SCRIPT, SERVICE_WORKER, INDEX_FILE = "site.js", "sw.js", "index.html"
WRITTEN_LAST = (SERVICE_WORKER, INDEX_FILE, FILE_LIST)  # written when all that they name is there
NO_SERVER_MESSAGE = "static-site-alone"  # the sentence for whoever wants something that other people are needed for
# A page that is opened from a folder cannot be told by headers; that it shall be in no frame, it cannot be told at all.
SECURITY_POLICY = "; ".join(
    rule for rule in web_client.CONTENT_SECURITY.split("; ") if not rule.startswith("frame-ancestors")
)
# How a script of the page finds its styles: from the root of its address, where it lies itself in a folder below that.
STYLE_LOADER_PATTERN = re.compile(r"(function\(\w+\)\{return)([`\"'])/\2\+")


def build_static_site(
    folder: Path,
    language: str = i18n.DEFAULT_LANGUAGE,
    client_dir: Path = web_client.CLIENT_DIR,
    engine_dir: Path = worker_pool.FOLDER,
) -> int:
    """Write all files into a folder, which is new, empty, or was written so before; returns how many bytes they are.

    ``language`` is what is said before anybody has chosen. `NotAllowedError`, with what to do, if a part is missing or the folder is somebody's.
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
    """What was written there before."""
    if not folder.exists() or not any(folder.iterdir()):
        return set()
    try:
        files = json.loads((folder / FILE_LIST).read_bytes())["files"]
    except (OSError, ValueError, KeyError, TypeError):
        raise NotAllowedError("static-site-not-ours", folder=str(folder)) from None
    inside = folder.resolve()
    return {name for name in files if inside in (folder / name).resolve().parents}


def _write_file(path: Path, content: bytes) -> None:
    """A file, whole or as it was: the folder may be served meanwhile."""
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(f".{path.name}.new")
    new.write_bytes(content)
    os.replace(new, path)


def _collect_files(language: str, client_dir: Path, engine_dir: Path) -> dict[str, bytes]:
    """All files but the list of them, by name."""
    if not (client_dir / INDEX_FILE).is_file() or not (client_dir / BOOT_SCRIPT).is_file():
        raise NotAllowedError("static-site-no-page")
    if not _has_all_modules(engine_dir):
        raise NotAllowedError("static-site-no-modules")
    files = {
        path.relative_to(client_dir).as_posix(): path.read_bytes()
        for path in client_dir.rglob("[!.]*")
        if path.is_file()
    }
    files |= {f"engine/{path.name}": path.read_bytes() for path in engine_dir.glob("[!.]*")}
    files |= dict(_static_data_files())
    for name in [name for name in files if name.endswith((".js", ".css"))]:
        files[name] = _relocate(name, files[name].decode()).encode()
    files[web_client.APP_MANIFEST_PATH[1:]] = web_client.localize_manifest(
        files[web_client.APP_MANIFEST_PATH[1:]], "Diamonds", language
    )
    files[INDEX_FILE] = _render_index(web_client.localize_page(files[INDEX_FILE], language).decode()).encode()
    version = hashlib.sha256(b"\n".join(hashlib.sha256(files[name]).digest() for name in sorted(files))).hexdigest()
    site = json.dumps({"edition": version[:8], "begins": [BOOT_SCRIPT]})
    files[SERVICE_WORKER] = f"self.site = {site};\n".encode() + files[SERVICE_WORKER]
    return files


def _has_all_modules(engine_dir: Path) -> bool:
    """Whether there are modules for every game that the page knows."""
    try:
        built = json.loads((engine_dir / worker_pool.MANIFEST).read_bytes())["games"]
    except OSError:
        return False
    return {game.name for game in all_games()} <= set(built)


def _static_data_files() -> Iterator[tuple[str, bytes]]:
    """Return the public data of a server as files, in every language."""
    for language in i18n.languages():
        names = [f"{game.name}.html" for game in all_games() if rulebook.find_page(game.name, language)]
        for name in [static_data.CATALOG_FILE, *names]:
            text = static_data.static_data(f"{language}/{name}")
            assert text is not None, f"{name} is told in every language"
            yield f"static-data/{language}/{name}", text


def _relocate(name: str, text: str) -> str:
    """A script or a style that names its files by where it lies, or by where the page lies."""
    if name.endswith(".css"):
        return text.replace("url(/assets/", "url(")
    return STYLE_LOADER_PATTERN.sub(r"\1\2../\2+", text)


def _render_index(text: str) -> str:
    """The page itself: what it may do, its first words, and where its files are."""
    policy = _opening_tag("meta", {"http-equiv": "Content-Security-Policy", "content": SECURITY_POLICY})
    no_server_texts = {
        f"data-{language}": i18n.translate(NO_SERVER_MESSAGE, language=language) for language in i18n.languages()
    }
    boot_script = _opening_tag("script", {"src": f"./{BOOT_SCRIPT}", **no_server_texts}) + "</script>"
    text = re.sub(r'((?:href|src)=")/(?!/)', r"\1./", text)
    head, charset, rest = text.partition('charset="utf-8">')
    before, script, after = rest.partition("<script")
    assert script, "the page has no script, or does not say how it is written"
    return f"{head}{charset}\n    {policy}{before}{boot_script}\n    {script}{after}"


def _opening_tag(name: str, attributes: dict[str, str]) -> str:
    """The beginning of an element."""
    rendered = "".join(f' {key}="{html.escape(value)}"' for key, value in attributes.items())
    return f"<{name}{rendered}>"
