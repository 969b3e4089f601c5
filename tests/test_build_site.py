"""`diamonds build-site`: the files and folders that it writes, and its errors when a part is missing."""

import html
import json
from pathlib import Path

import pytest

from diamonds import cli, i18n
from diamonds.errors import NotAllowedError
from diamonds.game import GAMES
from diamonds.server.http import static_site, web_client_files

pytestmark = pytest.mark.later

PAGE = {
    "index.html": '<!doctype html>\n<html lang="en">\n  <head>\n    <meta charset="utf-8">\n'
    '    <meta name="description" content="server-description">\n'
    '    <link rel="stylesheet" crossorigin href="/assets/a-1.css">\n'
    '    <script type="module" crossorigin src="/assets/a-1.js"></script>\n'
    '  </head><body><svg><use href="#gem"/></svg><noscript>server-needs-script</noscript></body></html>',
    "assets/a-1.js": "var b=function(e){return`/`+e}",
    "assets/a-1.css": "@font-face{src:url(/assets/f-1.woff2)}b{fill:url(#ice)}",
    "assets/f-1.woff2": "font",
    "icons/icon-192.png": "picture",
    "licences.txt": "SIL",
    "manifest.webmanifest": '{"name": "Diamonds", "start_url": "./", "lang": "en"}',
    "site.js": "here",
    "sw.js": "worker",
    "sw-off.js": "no worker",
}


@pytest.fixture
def built_parts(tmp_path: Path) -> dict[str, Path]:
    """Return a built page and modules, each with only a few words."""
    built, engine = tmp_path / "built", tmp_path / "engine"
    for name, text in PAGE.items():
        (built / name).parent.mkdir(parents=True, exist_ok=True)
        (built / name).write_text(text, encoding="utf-8")
    engine.mkdir()
    games = {game: {"play": {"file": f"{game}-play-0123456789abcdef.wasm"}} for game in GAMES}
    (engine / "manifest.json").write_text(json.dumps({"games": games}), encoding="utf-8")
    for name in (*(game["play"]["file"] for game in games.values()), "mines-play-of-the-previous-build.wasm"):
        (engine / name).write_bytes(b"\0asm")
    return {"client_dir": built, "engine_dir": engine}


def files(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def test_static_site_has_every_file_and_only_relative_urls(tmp_path, built_parts):
    folder = tmp_path / "public" / "cards"
    size = static_site.build_static_site(folder, "de", **built_parts)
    found = files(folder)
    told = {
        f"static-data/{one}/{name}"
        for one in ("de", "en")
        for name in ("server.json", *(f"{game}.html" for game in GAMES))
    }
    modules = {f"engine/{game}-play-0123456789abcdef.wasm" for game in GAMES}
    assert found == {*PAGE, "engine/manifest.json", "site.json"} | modules | told
    assert size == sum((folder / name).stat().st_size for name in found)
    index = (folder / "index.html").read_text(encoding="utf-8")
    assert '<html lang="de">' in index
    assert 'href="./assets/a-1.css"' in index
    assert index.index("./site.js") < index.index('src="./assets/a-1.js"'), "expected the base address first"
    for language in i18n.languages():
        assert f'data-{language}="' in index
    assert '"/' not in index.replace('"/>', "")
    assert (folder / "assets" / "a-1.js").read_text(encoding="utf-8") == "var b=function(e){return`../`+e}"
    assert (folder / "assets" / "a-1.css").read_text(
        encoding="utf-8"
    ) == "@font-face{src:url(f-1.woff2)}b{fill:url(#ice)}"
    assert json.loads((folder / "manifest.webmanifest").read_text(encoding="utf-8"))["lang"] == "de"


def test_static_site_has_the_permissions_of_a_servers_client(tmp_path, built_parts):
    static_site.build_static_site(tmp_path / "public", **built_parts)
    index = (tmp_path / "public" / "index.html").read_text(encoding="utf-8")
    before, _, policy = index.partition('http-equiv="Content-Security-Policy" content="')
    assert "src=" not in before, "expected the policy before everything that is fetched"
    assert html.unescape(policy.partition('"')[0]) + "; frame-ancestors 'none'" == web_client_files.CONTENT_SECURITY


def test_service_worker_differs_between_editions_only(tmp_path, built_parts):
    def worker() -> str:
        static_site.build_static_site(tmp_path / "public", **built_parts)
        return (tmp_path / "public" / "sw.js").read_text(encoding="utf-8")

    first = worker()
    assert first.endswith(";\nworker"), "expected the statement to end"
    assert worker() == first
    (built_parts["client_dir"] / "site.js").write_text("there", encoding="utf-8")
    assert worker() != first, "expected the service worker to change with the page's first script"


def test_rebuilding_replaces_own_files_and_leaves_others(tmp_path, built_parts):
    folder = tmp_path / "public"
    static_site.build_static_site(folder, **built_parts)
    (folder / "CNAME").write_text("cards.example", encoding="utf-8")
    (built_parts["client_dir"] / "assets" / "a-1.css").rename(built_parts["client_dir"] / "assets" / "a-2.css")
    static_site.build_static_site(folder, **built_parts)
    assert {"CNAME", "assets/a-2.css"} < files(folder)
    assert "assets/a-1.css" not in files(folder), "expected files of an earlier page to be removed"
    outside = tmp_path / "kept.txt"
    outside.write_text("mine", encoding="utf-8")
    (folder / "site.json").write_text('{"files": ["../kept.txt"]}', encoding="utf-8")
    static_site.build_static_site(folder, **built_parts)
    assert outside.exists(), "a listed file is outside its folder"


@pytest.mark.parametrize("there", [{"photo.jpg": "mine"}, {"site.json": "[]"}, {"site.json": "{"}])
def test_foreign_folder_is_left_alone(there, tmp_path, built_parts):
    folder = tmp_path / "public"
    folder.mkdir()
    for name, text in there.items():
        (folder / name).write_text(text, encoding="utf-8")
    with pytest.raises(NotAllowedError, match="Name a new folder"):
        static_site.build_static_site(folder, **built_parts)
    assert files(folder) == set(there)


@pytest.mark.parametrize(("missing", "says"), [
    ("built/index.html", "python web/build.py"),
    ("built/site.js", "python web/build.py"),
    ("engine/manifest.json", "diamonds build-wasm"),
    ("engine/mines-play-0123456789abcdef.wasm", "diamonds build-wasm"),
])  # fmt: skip
def test_missing_part_error_names_the_command_that_makes_it(missing, says, tmp_path, built_parts):
    (tmp_path / missing).unlink()
    with pytest.raises(NotAllowedError, match=says):
        static_site.build_static_site(tmp_path / "public", **built_parts)
    assert not (tmp_path / "public").exists(), "expected no files of an incomplete site"


def test_static_site_needs_wasm_modules_of_all_games(tmp_path, built_parts):
    (built_parts["engine_dir"] / "manifest.json").write_text('{"games": {"mines": {}}}', encoding="utf-8")
    with pytest.raises(NotAllowedError, match="diamonds build-wasm"):
        static_site.build_static_site(tmp_path / "public", **built_parts)


def test_build_site_command_names_what_it_needs_in_one_error_line(tmp_path, capsys, monkeypatch):
    (tmp_path / "mine.txt").write_text("mine", encoding="utf-8")
    assert cli.main(["build-site", str(tmp_path)]) == 2
    assert (
        capsys.readouterr().err
        == f"{tmp_path} is not empty and was not written by diamonds build-site. Name a new folder.\n"
    )
    assert cli.main(["build-site", str(tmp_path / "mine.txt")]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert cli.main(["build-site", "--help"]) == 0
    output = capsys.readouterr().out
    assert "FOLDER" in output
    assert "without a Diamonds server" in " ".join(output.split())
