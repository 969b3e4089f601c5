"""The fixtures of each earlier version, and servers that open copies of them."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.upgrade.program import UpgradeServer
from tests.upgrade.version_fixtures import VERSIONS, VersionFixtures


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path == Path(__file__).with_name("test_browser.py"):
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="module", params=VERSIONS, ids=lambda folder: folder.name)
def version_fixtures(request: pytest.FixtureRequest) -> VersionFixtures:
    return VersionFixtures(request.param)


@pytest.fixture(scope="module")
def upgraded_server(
    version_fixtures: VersionFixtures, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[UpgradeServer]:
    """Serve a copy of the data folder, opened an hour later. Tests that share it change nothing that others check."""
    folder = version_fixtures.unpack(tmp_path_factory.mktemp("opened") / "data")
    server = UpgradeServer(folder, version_fixtures.an_hour_later)
    yield server
    server.stop()


@pytest.fixture
def start_server() -> Iterator[Callable[..., UpgradeServer]]:
    servers: list[UpgradeServer] = []

    def start(folder: Path, clock_at_s: float, database: str = "") -> UpgradeServer:
        servers.append(UpgradeServer(folder, clock_at_s, database))
        return servers[-1]

    yield start
    for server in servers:
        server.stop()
