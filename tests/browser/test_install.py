"""Installation as an app: requirements of browsers, and the offer in the settings."""

import json
import re
import struct
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.conftest import BrowserTestServer
from tests.browser.player import Player
from tests.browser.scripts import Scripts
from tests.browser.test_accessibility import check_with_axe
from tests.browser.window_pool import PooledWindow

SCRIPTS = Scripts(__file__)

WEB = Path(__file__).parents[2] / "web"


@pytest.fixture
def named_server(tmp_path: Path) -> Iterator[BrowserTestServer]:
    (tmp_path / "server").mkdir()
    (tmp_path / "server" / "server.toml").write_text('name = "Club Caro"\n', encoding="utf-8")
    one = BrowserTestServer(tmp_path / "server")
    yield one
    one.stop()


def test_app_is_installable_under_the_server_name(named_server, full_chromium):
    ann = Player(PooledWindow(full_chromium.browser, {"locale": "de"}), named_server.address)
    ann.open_lobby()
    tools = ann.window.new_cdp_session()
    found = tools.send("Page.getAppManifest")
    assert not found["errors"], found["errors"]
    in_english = ann.page.request.get(found["url"], headers={"Accept-Language": "en"}).json()
    for manifest, language, says in (
        (json.loads(found["data"]), "de", "Drei Kartenspiele"),
        (in_english, "en", "Three card games"),
    ):
        assert (manifest["name"], manifest["lang"]) == ("Club Caro", language)
        assert manifest["description"].startswith(says)
    troubles = tools.send("Page.getInstallabilityErrors")["installabilityErrors"]
    # Test windows are incognito, which is the only obstacle.
    assert {one["errorId"] for one in troubles} == {"in-incognito"}, troubles
    ann.context.close()
    assert not ann.page_errors, f"The page had errors: {ann.page_errors[:3]}"


def test_icons_exist_in_the_sizes_of_the_manifest():
    manifest = json.loads((WEB / "public" / "manifest.webmanifest").read_text(encoding="utf-8"))
    icons = {one["src"]: one["sizes"] for one in manifest["icons"]} | {"icons/apple-touch-icon.png": "180x180"}
    for path, sizes in icons.items():
        width, height = struct.unpack(">II", (WEB / "public" / path).read_bytes()[16:24])
        assert f"{width}x{height}" == sizes, f"{path} has the size {width}x{height}."
    assert "maskable" in {one.get("purpose") for one in manifest["icons"]}, "A round icon would cut the crystal."


def test_settings_offer_installation_and_list_licences(server, new_player):
    ann = new_player(server, "phone", "touch")
    ann.open_lobby()
    assert ann.page.evaluate(SCRIPTS["offerInstall"]), "Expected the browser's own prompt to be suppressed."
    ann.page.get_by_role("link", name="Settings").click()
    button = ann.page.get_by_role("button", name="Install")
    button.wait_for()
    check_with_axe(ann, "settings that offer to install the page")
    button.click()
    button.wait_for(state="detached")
    ann.page.wait_for_function("() => window.asked === 1")
    reply = ann.page.request.get(ann.page.locator("a[href$='/licences.txt']").evaluate("(link) => link.href"))
    assert reply.headers["content-type"].startswith("text/plain")
    found = set(re.findall(r"^([@a-z][\w@/-]+) \d[\w.-]* \(", reply.text(), re.M))
    shipped = {"svelte", "@fontsource-variable/jost", "@fontsource/poiret-one", "workbox-precaching"}
    assert shipped <= found, f"The list lacks {sorted(shipped - found)}."
    for text in ("SIL OPEN FONT LICENSE", "Permission is hereby granted, free of charge"):
        assert text in reply.text(), f"A licence without its text: {text}"


@pytest.mark.parametrize(("secure", "says"), [("true", "in the browser’s menu"), ("false", "cannot be installed")])
def test_settings_explain_when_installation_is_not_offered(secure, says, server, new_player):
    ann = new_player(server)
    ann.add_init_script(f"Object.defineProperty(window, 'isSecureContext', {{ get: () => {secure} }})")
    ann.open("/settings")
    ann.page.get_by_text(says).wait_for()
    assert ann.page.get_by_role("button", name="Install").count() == 0
