"""Offline use: the service worker's cache, updates, and how to turn it off."""

import os
import re
import shutil
import threading
from collections.abc import Iterator
from functools import partial
from http.server import ThreadingHTTPServer
from pathlib import Path
from types import SimpleNamespace

import pytest
from playwright.sync_api import Route

from tests.browser.conftest import INDEX_HTML, FolderHandler, wait_for
from tests.browser.player import Player
from tests.browser.scripts import Scripts
from tests.browser.test_accessibility import check_with_axe

SCRIPTS = Scripts(__file__)

OFFLINE_READY_JS = "() => navigator.serviceWorker.ready.then((there) => there.active.state === 'activated')"
REGISTER_WORKER_JS = "() => navigator.serviceWorker.register('/sw.js').then(() => true)"
CACHE_KEYS_JS = "() => caches.keys()"


def open_and_cache(ann: Player, path: str = "/") -> None:
    """Open the page once for Ann and wait until it is cached."""
    ann.open(path)
    ann.page.evaluate(REGISTER_WORKER_JS)
    ann.page.wait_for_function(OFFLINE_READY_JS)


def test_service_worker_serves_only_its_own_files_until_disabled(private_server, new_player):
    ann = new_player(private_server, service_workers="allow")
    open_and_cache(ann)
    answered: dict[str, bool] = {}
    ann.on(
        "response",
        lambda reply: answered.update({reply.url.removeprefix(private_server.address): reply.from_service_worker}),
    )
    table = ann.sit_down()
    paths = ["/api/server", "/sw.js", "/manifest.webmanifest", "/icons/icon-192.png", "/metrics", "/nothing"]
    for path in paths:
        ann.page.evaluate("(path) => fetch(path).then((reply) => reply.text())", path)
    for path in ("/api/schema", "/metrics"):
        ann.open(path)
        paths.append(path)
    wanted = {*paths, f"/table/{table}", f"/api/tables/{table}/stream"}
    wait_for(
        lambda: wanted <= {path.partition("?")[0] for path in answered} or ann.page.evaluate("false"),
        "Not all requests were recorded.",
    )
    by_server = {path for path in answered if path.startswith("/api/")} | set(paths)
    assert not [path for path in by_server if answered[path]], "A service worker controls the page."
    files = {path for path in answered if path.startswith("/assets/")}
    assert answered[f"/table/{table}"]
    assert any(answered[path] for path in files), "A cached file was fetched."

    assert ann.page.evaluate(CACHE_KEYS_JS)
    private_server.stop()
    (private_server.data_dir / "server.toml").write_text("offline = false\n", encoding="utf-8")
    private_server.start()
    ann.open("/")
    ann.page.evaluate(REGISTER_WORKER_JS)  # browsers also check for updates some time after a page is opened
    ann.page.wait_for_function(
        "async () => !(await caches.keys()).length && !(await navigator.serviceWorker.getRegistration())"
    )
    ann.open("/")
    ann.page.wait_for_selector("html[data-online]", state="attached")


@pytest.fixture
def served_copy(tmp_path: Path) -> Iterator[tuple[Path, str]]:
    """Copy the page and return the folder."""
    path = tmp_path / "page"
    shutil.copytree(INDEX_HTML.parent, path)
    for file in path.rglob("*"):
        os.utime(file, (0, 0))  # without a header, browsers treat old files as immutable
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(FolderHandler, directory=str(path))) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield path, f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def publish_update(page: Path, to: str) -> None:
    """Publish another version of the page, in which the settings' file and all files that import it have new names."""
    names = [path.name for path in (page / "assets").glob("*") if re.match(r"(Settings|index)-.*js", path.name)]
    new = {name: f"{name.partition('-')[0]}-{to}.js" for name in names}
    (edition,) = re.findall(r"edition:\w+=`(\w+)`", (page / "sw.js").read_text(encoding="utf-8"))
    for path in page.rglob("*"):
        if path.suffix in {".js", ".html"}:
            text = path.read_text(encoding="utf-8")
            for before, after in {**new, edition: to}.items():
                text = text.replace(before, after)
            path.write_text(text, encoding="utf-8")
    for before, after in new.items():
        (page / "assets" / before).rename(page / "assets" / after)


def test_open_client_finds_its_chunks_after_a_server_update(served_copy, new_player):
    page, address = served_copy
    files = SimpleNamespace(
        address=address, is_shared=False, seed_deals=lambda test: None
    )  # takes the place of a server
    ann = new_player(files, service_workers="allow")
    open_and_cache(ann, "/index.html")
    ann.page.evaluate("window.old = true")
    ann.page.evaluate(SCRIPTS["watchController"])
    publish_update(page, "Newer77")
    ann.page.evaluate("navigator.serviceWorker.getRegistration().then((there) => there.update()).then(() => true)")
    assert ann.page.evaluate("window.over"), "Expected the new service worker to take over while a page is open."
    # The old page keeps working although one of its parts is gone from the server.
    ann.page.evaluate("history.pushState(null, '', '/settings'); dispatchEvent(new PopStateEvent('popstate'))")
    ann.page.get_by_label("Language").wait_for()
    assert ann.page.evaluate("window.old"), "The page reloaded during use."
    ann.open("/index.html")
    ann.page.wait_for_selector("script[src='/assets/index-Newer77.js']", state="attached")
    assert ann.page.evaluate("caches.keys().then((all) => all.length)") == 2


def reply_of_newer_version(route: Route) -> None:
    """Reply as the server would after an update, except to the page's own navigation."""
    if route.request.is_navigation_request():
        route.continue_()
        return
    reply = route.fetch()
    body = re.sub(r"/assets/index-[\w-]+\.js", "/assets/index-Newer77.js", reply.text())
    route.fulfill(response=reply, body=body, headers={**reply.headers, "diamonds-client-version": "index-Newer77.js"})


def test_open_client_offers_the_update_when_no_game_runs(server, new_player):
    ann = new_player(server, "phone", "touch")
    loads: list[str] = []
    ann.on("request", lambda request: loads.append(request.url) if request.is_navigation_request() else None)
    ann.open_lobby()
    ann.route(re.compile(r"/$|/api/(server|me|tables)$"), reply_of_newer_version)
    ann.page.get_by_role("link", name="Settings").click()
    ann.page.get_by_label("Language").select_option("de")
    ann.page.get_by_role("link", name="Diamonds").click()  # the lobby requests the new language
    offer = ann.page.get_by_role("button", name="Neu laden", exact=True)
    offer.wait_for()
    check_with_axe(ann, "a lobby with the offer of a newer page")
    assert len(loads) == 1, "The new page was loaded instead of offered."
    ann.page.unroute_all(behavior="wait")
    offer.click()
    offer.wait_for(state="detached")
    assert len(loads) == 2


def test_update_is_offered_only_after_the_running_game(server, new_player):
    ann = new_player(server)
    table = ann.sit_down("mines", 2)
    ann.route(re.compile(r"/$|/api/tables/[\w-]+/(answers|replay)$"), reply_of_newer_version)
    ann.answer_question()
    offer = ann.page.get_by_role("button", name="Reload", exact=True, include_hidden=True)
    offer.wait_for(state="attached")
    ann.question()
    assert not offer.is_visible(), "An update was offered during a game."
    ann.play_by_api(table)
    ann.page.wait_for_selector(".end h1")
    offer.wait_for(state="visible")


def test_reply_names_the_version_of_the_web_client(server, new_player):
    request = new_player(server).page.request
    page = request.get(server.address)
    headers = request.get(f"{server.address}/api/server").headers
    name = headers["diamonds-client-version"]
    assert headers["diamonds-page"] == name, "expected the earlier header for clients opened before an upgrade"
    assert f'src="/assets/{name}"' in page.text()
