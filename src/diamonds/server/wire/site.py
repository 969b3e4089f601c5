"""The page as files that any web server can serve, below any path: it plays by itself, and there is no house behind it.

The files are those that a house serves, but for four: ``index.html`` names its files by where it lies, carries what a house says in
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
from diamonds import words
from diamonds.game import Illegal, all_games
from diamonds.server.wire import page, told
from diamonds.server.work import modules
from diamonds.words import rulebook

LIST = "site.json"  # by which a folder is known to be ours: what was written there
FIRST, WORKER, INDEX = "site.js", "sw.js", "index.html"
LAST = (WORKER, INDEX, LIST)  # written when all that they name is there
ALONE = "site-alone"  # the sentence for whoever wants something that other people are needed for
# A page that is opened from a folder cannot be told by headers; that it shall be in no frame, it cannot be told at all.
SECURITY = "; ".join(rule for rule in page.CONTENT_SECURITY.split("; ") if not rule.startswith("frame-ancestors"))
# How a script of the page finds its styles: from the root of its address, where it lies itself in a folder below that.
STYLES = re.compile(r"(function\(\w+\)\{return)([`\"'])/\2\+")


def write(folder: Path, language: str = words.FIRST, built: Path = page.FOLDER, engine: Path = modules.FOLDER) -> int:
    """Write all files into a folder, which is new, empty, or was written so before; returns how many bytes they are.

    ``language`` is what is said before anybody has chosen. `Illegal`, with what to do, if a part is missing or the folder is somebody's.
    """
    before = _known(folder)
    files = _files(language, built, engine)
    files[LIST] = json.dumps({"version": diamonds.__version__, "files": sorted(files)}, indent=1).encode()
    for name in [*sorted(set(files) - set(LAST)), *LAST]:
        _put(folder / name, files[name])
    for name in before - set(files):
        (folder / name).unlink(missing_ok=True)
    return sum(map(len, files.values()))


def _known(folder: Path) -> set[str]:
    """What was written there before."""
    if not folder.exists() or not any(folder.iterdir()):
        return set()
    try:
        files = json.loads((folder / LIST).read_bytes())["files"]
    except (OSError, ValueError, KeyError, TypeError):
        raise Illegal("site-not-ours", folder=str(folder)) from None
    inside = folder.resolve()
    return {name for name in files if inside in (folder / name).resolve().parents}


def _put(path: Path, text: bytes) -> None:
    """A file, whole or as it was: the folder may be served meanwhile."""
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(f".{path.name}.new")
    new.write_bytes(text)
    os.replace(new, path)


def _files(language: str, built: Path, engine: Path) -> dict[str, bytes]:
    """All files but the list of them, by name."""
    if not (built / INDEX).is_file() or not (built / FIRST).is_file():
        raise Illegal("site-no-page")
    if not _playable(engine):
        raise Illegal("site-no-modules")
    files = {path.relative_to(built).as_posix(): path.read_bytes() for path in built.rglob("[!.]*") if path.is_file()}
    files |= {f"engine/{path.name}": path.read_bytes() for path in engine.glob("[!.]*")}
    files |= dict(_told())
    for name in [name for name in files if name.endswith((".js", ".css"))]:
        files[name] = _moved(name, files[name].decode()).encode()
    files[page.APP[1:]] = page.installed(files[page.APP[1:]], "Diamonds", language)
    files[INDEX] = _index(page.spoken(files[INDEX], language).decode()).encode()
    edition = hashlib.sha256(b"\n".join(hashlib.sha256(files[name]).digest() for name in sorted(files))).hexdigest()
    site = json.dumps({"edition": edition[:8], "begins": [FIRST]})
    files[WORKER] = f"self.site = {site};\n".encode() + files[WORKER]
    return files


def _playable(engine: Path) -> bool:
    """Whether there are modules for every game that the page knows."""
    try:
        made = json.loads((engine / modules.MANIFEST).read_bytes())["games"]
    except OSError:
        return False
    return {game.name for game in all_games()} <= set(made)


def _told() -> Iterator[tuple[str, bytes]]:
    """What a house tells in files, in every language."""
    for language in words.languages():
        names = [f"{game.name}.html" for game in all_games() if rulebook.find(game.name, language)]
        for name in [told.OFFERS, *names]:
            text = told.told(f"{language}/{name}")
            assert text is not None, f"{name} is told in every language"
            yield f"told/{language}/{name}", text


def _moved(name: str, text: str) -> str:
    """A script or a style that names its files by where it lies, or by where the page lies."""
    if name.endswith(".css"):
        return text.replace("url(/assets/", "url(")
    return STYLES.sub(r"\1\2../\2+", text)


def _index(text: str) -> str:
    """The page itself: what it may do, its first words, and where its files are."""
    policy = _tag("meta", {"http-equiv": "Content-Security-Policy", "content": SECURITY})
    said = {f"data-{one}": words.say(ALONE, language=one) for one in words.languages()}
    begins = _tag("script", {"src": f"./{FIRST}", **said}) + "</script>"
    text = re.sub(r'((?:href|src)=")/(?!/)', r"\1./", text)
    head, charset, rest = text.partition('charset="utf-8">')
    before, script, after = rest.partition("<script")
    assert script, "the page has no script, or does not say how it is written"
    return f"{head}{charset}\n    {policy}{before}{begins}\n    {script}{after}"


def _tag(name: str, attributes: dict[str, str]) -> str:
    """The beginning of an element."""
    written = "".join(f' {key}="{html.escape(value)}"' for key, value in attributes.items())
    return f"<{name}{written}>"
