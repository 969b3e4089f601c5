"""Windows for the people of the tests, one after the other: what one test has played in, a later one gets as good as new.

To open a table in a fresh browser takes two seconds of work, nearly all of it for a new process that reads the page's scripts
for the first time; in a window that was used before it takes a third of that.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Browser, CDPSession, ConsoleMessage, Error, Route

from tests.browser.scripts import Scripts

SCRIPTS = Scripts(__file__)

WAIT_TIMEOUT_MS = (
    60_000  # milliseconds after which a test gives up waiting: how quick the page is, is measured in bench/
)
DEFAULT_MEDIA: dict[str, Any] = {
    "media": "null",
    "color_scheme": "light",
    "contrast": "no-preference",
    "forced_colors": "none",
}
MAX_IDLE_WINDOWS = 4  # windows that wait for somebody, in each process: every one has memory of its own
BLANK_URL = "about:blank"

# The blank page is gone to from the page itself: so it has the same origin and, above all, the same process.
LEAVE_JS = f"() => {{ window.name = ''; location.replace('{BLANK_URL}') }}"
# A page that is busy may send its next request before it has heard that requests are to be caught: a key that is pressed meanwhile overtakes that.
ROUTES_ACTIVE_JS = "() => fetch('/caught').then((answer) => answer.text()).then((text) => text === 'caught')"
PAINT_JS = "() => { document.adoptedStyleSheets = [] }"
CLEAR_STORAGE_JS = "() => { localStorage.clear(); sessionStorage.clear(); return origin }"


class PooledWindow:
    """A browser of somebody's own, with one page.

    What a test changes about it for longer than a page lasts, goes through `add_init_script`, `on`, `route` and `new_cdp_session`, or is
    set anew by `reset` and `WindowPool.acquire`; a test that does more says that the window ``is_spent``. ``page_errors`` is what the
    page complained of. Where it is not ``is_painted``, `paint` does that to the page as it stands.
    """

    def __init__(
        self, browser: Browser, context_options: dict[str, Any] | None = None, is_painted: bool = True
    ) -> None:
        self.context_options = context_options or {}
        self.is_painted = is_painted
        self.context = browser.new_context(**self.context_options)
        self.context.set_default_timeout(WAIT_TIMEOUT_MS)
        if not is_painted:
            self.context.add_init_script(SCRIPTS.call("skipPaint"))
        self.page = self.context.new_page()
        self.test_name = "nobody's test"
        self.origin = ""  # the address at which something may be kept
        self.is_spent = False
        self.page_errors: list[str] = []
        self._cdp = self.context.new_cdp_session(self.page)
        self._cdp.send("Page.enable")
        if slow := int(os.environ.get("DIAMONDS_TEST_CPU_THROTTLE", "0")):
            self._cdp.send("Emulation.setCPUThrottlingRate", {"rate": slow})
        self._scripts: list[str] = []
        self._installed = ""
        self._handlers: list[tuple[str, Callable[..., Any]]] = []
        self._cdp_sessions: list[CDPSession] = []
        self.page.on("pageerror", lambda error: self.page_errors.append(str(error)))
        self.page.on("console", self._console)

    def _console(self, message: ConsoleMessage) -> None:
        # The browser itself reports every request that fails while it is offline or the server is away.
        if message.type == "error" and "net::ERR" not in message.text and "Failed to load resource" not in message.text:
            self.page_errors.append(message.text)
        if "svelte.dev" in message.text:  # what is read after its part of the page has gone, and the like
            self.page_errors.append(message.text)

    def add_init_script(self, script: str) -> None:
        """Every page opened from now on runs this before its own scripts, after what was said here earlier."""
        self._scripts.append(script)
        self._install()

    def _install(self) -> None:
        """The browser is given all of them as one, for by itself it does not keep their order."""
        if self._installed:
            self._cdp.send("Page.removeScriptToEvaluateOnNewDocument", {"identifier": self._installed})
            self._installed = ""
        if self._scripts:
            source = {"source": "\n;\n".join(self._scripts)}
            self._installed = self._cdp.send("Page.addScriptToEvaluateOnNewDocument", source)["identifier"]

    def on(self, event: Any, handler: Callable[..., Any]) -> None:
        """Hear of something that happens in the page, until it is left."""
        self.page.on(event, handler)
        self._handlers.append((event, handler))

    def route(self, pattern: str, handler: Callable[[Route], Any]) -> None:
        """The page's requests for ``pattern`` go to ``handler``, from its very next one on, until it is left."""
        self.page.route(pattern, handler)
        if self.page.url.startswith("http"):
            self.page.route("**/caught", lambda route: route.fulfill(body="caught"))
            self.page.wait_for_function(ROUTES_ACTIVE_JS)

    def paint(self) -> None:
        """The page that is open is painted from now on, for whoever asks what it looks like."""
        self.page.evaluate(PAINT_JS)

    def new_cdp_session(self) -> CDPSession:
        """Chromium's own tools for this page, until it is left."""
        session = self.context.new_cdp_session(self.page)
        self._cdp_sessions.append(session)
        return session

    def reset(self) -> bool:
        """Nothing of this person stays behind but what the browser has loaded; False if that is not sure.

        Whatever the page has to complain of as it is left, is heard when this returns.
        """
        try:
            return not self.is_spent and self._clean()
        except Error:
            return False

    def _clean(self) -> bool:
        for other in self.context.pages:
            if other is not self.page:
                other.close()
        self._scripts.clear()
        self._install()
        # From there it would go to the same place once more, and nothing says when it has come.
        if self.page.url != BLANK_URL:
            self.page.evaluate(LEAVE_JS)
            self.page.wait_for_url(BLANK_URL)
        forgotten = self.page.evaluate(CLEAR_STORAGE_JS)
        self._cdp.send("Storage.clearDataForOrigin", {"origin": self.origin, "storageTypes": "all"})
        self._cdp.send("Page.resetNavigationHistory")
        self.page.unroute_all(behavior="ignoreErrors")
        self.context.unroute_all(behavior="ignoreErrors")
        self.context.set_offline(False)
        self.context.clear_permissions()
        self.context.clear_cookies()
        for tools in self._cdp_sessions:
            tools.detach()
        for event, handler in self._handlers:
            self.page.remove_listener(event, handler)
        self._cdp_sessions, self._handlers = [], []
        return bool(forgotten == self.origin)

    def close(self) -> None:
        """Nobody uses it again; who was still answering for the server at that moment has nothing to complain of."""
        if self.context.pages:
            self.page.unroute_all(behavior="ignoreErrors")
            self.context.unroute_all(behavior="ignoreErrors")
        self.context.close()

    def assert_no_late_errors(self) -> None:
        """Nothing was heard of the page since the test was over that used it. News comes with an answer: something is to be asked first."""
        assert not self.page_errors, f"Once {self.test_name} was over, its page complained: {self.page_errors[:3]}"


class WindowPool:
    """Those that wait for somebody, the last that was used last."""

    def __init__(self, browser: Browser) -> None:
        self.browser = browser
        self.idle: list[PooledWindow] = []

    def acquire(
        self,
        size: tuple[int, int],
        input_method: str = "mouse",
        still: bool = True,
        fresh: bool = False,
        painted: bool = False,
        **more: Any,
    ) -> PooledWindow:
        """A window for somebody new. ``fresh``: nobody has used it, so that it has loaded nothing yet. ``painted``: for who asks the
        browser what jumped, of which it knows nothing otherwise.

        Nothing is kept to be opened offline, unless the test is about that (``service_workers="allow"``).
        """
        media = {name: more.pop(name, usual) for name, usual in DEFAULT_MEDIA.items()}
        context_options = {"has_touch": input_method == "touch", "service_workers": "block", **more}
        fitting = [
            one
            for one in self.idle
            if one.context_options == context_options and one.is_painted == painted and not fresh
        ]
        if fitting:
            window = fitting[-1]
            self.idle.remove(window)
        else:
            window = PooledWindow(self.browser, context_options, painted)
        width, height = size
        if window.page.viewport_size != {"width": width, "height": height}:
            window.page.set_viewport_size({"width": width, "height": height})
        window.page.emulate_media(reduced_motion="reduce" if still else "no-preference", **media)
        window.assert_no_late_errors()
        return window

    def release(self, window: PooledWindow) -> None:
        """Whoever had it is done with it: if it is as good as new, it waits for somebody else."""
        if window.reset() and not window.page_errors:
            self.idle.append(window)
        else:
            window.close()
        if len(self.idle) > MAX_IDLE_WINDOWS:
            self.close(self.idle[0])

    def close(self, window: PooledWindow) -> None:
        """One that waits is not wanted any more."""
        self.idle.remove(window)
        window.close()
        window.assert_no_late_errors()
