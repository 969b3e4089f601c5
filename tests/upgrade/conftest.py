"""The fixtures of each earlier version, and servers that open copies of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from upgrade.program import Server
from upgrade.written import VERSIONS, Written


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path == Path(__file__).with_name("test_browser.py"):
            from browser.conftest import AGAIN

            item.add_marker(pytest.mark.browser)
            item.add_marker(AGAIN)


@pytest.fixture(scope="module", params=VERSIONS, ids=lambda folder: folder.name)
def written(request: pytest.FixtureRequest) -> Written:
    """The fixtures of one version."""
    return Written(request.param)


@pytest.fixture(scope="module")
def opened(written: Written, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that has opened a copy of the data folder an hour later; tests that use it change nothing that others look at."""
    server = Server(written.unpack(tmp_path_factory.mktemp("opened") / "data"), written.an_hour_later)
    yield server
    server.stop()


@pytest.fixture
def serve() -> Iterator[Callable[..., Server]]:
    """Start servers that end with the test."""
    servers: list[Server] = []

    def start(folder: Path, at: float, database: str = "") -> Server:
        servers.append(Server(folder, at, database))
        return servers[-1]

    yield start
    for server in servers:
        server.stop()
