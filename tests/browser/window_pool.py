"""A pool of browser windows: a window used in one test is reset and reused in later ones.

Opening a table in a fresh browser takes two seconds of work, mostly for a new process that loads the page's scripts. A
reused window takes a third of that.
"""

import os
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Browser, CDPSession, ConsoleMessage, Error, Route

from tests.browser.scripts import Scripts

SCRIPTS = Scripts(__file__)

WAIT_TIMEOUT_MS = 60_000  # until a test fails; bench/ measures the page's speed
DEFAULT_MEDIA: dict[str, Any] = {
    "media": "null", "color_scheme": "light", "contrast": "no-preference", "forced_colors": "none",
}  # fmt: skip
MAX_IDLE_WINDOWS = 4  # idle windows in each process, each with its own memory
BLANK_URL = "about:blank"

# The page itself navigates to the blank page, so that it has the same origin and the same process.
LEAVE_JS = f"() => {{ window.name = ''; location.replace('{BLANK_URL}') }}"
# A busy page may send its next request before it learns of a new route, for example when a key is pressed at the same
# time.
ROUTES_ACTIVE_JS = "() => fetch('/caught').then((answer) => answer.text()).then((text) => text === 'caught')"
PAINT_JS = "() => { document.adoptedStyleSheets = [] }"
CLEAR_STORAGE_JS = "() => { localStorage.clear(); sessionStorage.clear(); return origin }"


class PooledWindow:
    """A browser context with one page.

    Changes that outlast a page are made with `add_init_script`, `on`, `route` and `new_cdp_session`, or are reset by
    `reset` and `WindowPool.acquire`. After any other change a test sets ``is_spent``. ``page_errors`` collects the
    page's errors. Without ``is_painted``, pages are painted only by `paint`.
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
        self.origin = ""  # the origin whose storage is cleared
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
        # The browser reports every request that fails while it is offline or the server is down.
        if message.type == "error" and "net::ERR" not in message.text and "Failed to load resource" not in message.text:
            self.page_errors.append(message.text)
        if "svelte.dev" in message.text:  # Svelte's runtime errors
            self.page_errors.append(message.text)

    def add_init_script(self, script: str) -> None:
        """Run a script once in every page opened from now on, before the page's own and after earlier ones."""
        if script not in self._scripts:
            self._scripts.append(script)
            self._install()

    def _install(self) -> None:
        """Install all scripts as one, because the browser does not keep their order."""
        if self._installed:
            self._cdp.send("Page.removeScriptToEvaluateOnNewDocument", {"identifier": self._installed})
            self._installed = ""
        if self._scripts:
            source = {"source": "\n;\n".join(self._scripts)}
            self._installed = self._cdp.send("Page.addScriptToEvaluateOnNewDocument", source)["identifier"]

    def on(self, event: Any, handler: Callable[..., Any]) -> None:
        """Register a handler for an event of the page until the window is reset."""
        self.page.on(event, handler)
        self._handlers.append((event, handler))

    def route(self, pattern: str, handler: Callable[[Route], Any]) -> None:
        """Let ``handler`` answer the page's requests for ``pattern``, from its next request until the window is reset."""
        self.page.route(pattern, handler)
        if self.page.url.startswith("http"):
            self.page.route("**/caught", lambda route: route.fulfill(body="caught"))
            self.page.wait_for_function(ROUTES_ACTIVE_JS)

    def paint(self) -> None:
        """Paint the current page, for tests of its appearance."""
        self.page.evaluate(PAINT_JS)

    def new_cdp_session(self) -> CDPSession:
        """Open a CDP session for this page until the window is reset."""
        session = self.context.new_cdp_session(self.page)
        self._cdp_sessions.append(session)
        return session

    def reset(self) -> bool:
        """Remove everything of this user except cached files; return False if that may have failed.

        Errors of the page while it is being left are recorded before this returns.
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
        # A second navigation to the same URL fires no event to wait for.
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
        """Close the window; pending route handlers raise no errors."""
        if self.context.pages:
            self.page.unroute_all(behavior="ignoreErrors")
            self.context.unroute_all(behavior="ignoreErrors")
        self.context.close()

    def assert_no_late_errors(self) -> None:
        """Assert that the page reported no error after its test.

        Call this after another request, because errors arrive with replies.
        """
        assert not self.page_errors, f"The page of {self.test_name} reported errors later: {self.page_errors[:3]}"


class WindowPool:
    """Idle windows, the most recently used last."""

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
        """Return a window for a new user. A ``fresh`` one is unused, with an empty cache.

        A ``painted`` one is needed for layout shifts, which the browser does not report otherwise.

        Nothing is cached for offline use, unless the test is about that (``service_workers="allow"``).
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
        """Take back a window; keep it if it could be reset."""
        if window.reset() and not window.page_errors:
            self.idle.append(window)
        else:
            window.close()
        if len(self.idle) > MAX_IDLE_WINDOWS:
            self.close(self.idle[0])

    def close_all(self) -> None:
        for window in [*self.idle]:
            self.close(window)

    def close(self, window: PooledWindow) -> None:
        self.idle.remove(window)
        window.close()
        window.assert_no_late_errors()
