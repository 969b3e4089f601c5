"""The fixtures of one version: its files, and their expected contents."""

import gzip
import json
import tarfile
from pathlib import Path
from typing import Any

from diamonds.game import GAMES
from tests.upgrade import observations
from tests.upgrade.passkey import Passkey
from tests.upgrade.program import UpgradeServer
from tests.upgrade.user import User

VERSIONS = sorted(path for path in Path(__file__).parent.glob("v*") if path.is_dir())
HOUR_S = 3600


def add_younger_options(game: str, seats: int, expected: dict[str, Any]) -> None:
    """Add the defaults of options that are newer than the stored data, which games in progress use."""
    expected["options"] = GAMES[game].check_options(seats, expected["options"])


class VersionFixtures:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.expected: dict[str, Any] = json.loads((folder / "known.json").read_text(encoding="utf-8"))
        self.tables: dict[str, Any] = self.expected["tables"]
        for about in self.tables.values():
            for seen in about["seen"].values():
                add_younger_options(seen["game"], len(seen["seats"]), seen)
            if "record" in about:
                add_younger_options(about["record"]["game"], about["record"]["seats"], about["record"])
        self.people: dict[str, Any] = self.expected["people"]
        self.an_hour_later: float = self.expected["written"] + HOUR_S

    def unpack(self, target: Path) -> Path:
        target.mkdir(mode=0o700)
        with tarfile.open(self.folder / "data.tar.gz") as archive:
            archive.extractall(target, filter="data")
        return target

    def gunzip(self, name: str, target: Path) -> Path:
        target.write_bytes(gzip.decompress((self.folder / f"{name}.gz").read_bytes()))
        return target

    def user(self, server: UpgradeServer, name: str) -> User:
        """Return a user with a stored cookie or token."""
        about = self.people[name]
        return User(server, about["cookie"], about["token"])

    def passkeys(self, name: str) -> list[Passkey]:
        return [Passkey.load(stored) for stored in self.people[name]["passkeys"]]

    def id(self, label: str) -> str:
        return str(self.tables[label]["id"])

    def first_observation(self, label: str) -> dict[str, Any]:
        """Return what the first of a table's people saw there."""
        found: dict[str, Any] = next(iter(self.tables[label]["seen"].values()))
        return found

    def labels(self, phase: str) -> list[str]:
        """Return the labels of all tables in a phase that no moderator has closed."""
        return [
            label
            for label, about in self.tables.items()
            if not about.get("closed") and self.first_observation(label)["phase"] == phase
        ]

    def players(self, server: UpgradeServer, label: str) -> list[User]:
        """Return the people who have, or have had, a seat at a table."""
        return [self.user(server, name) for name in self.tables[label]["people"]]

    def assert_tables_unchanged(self, server: UpgradeServer, labels: list[str] | None = None) -> None:
        """Assert that everyone sees their tables as before."""
        for label in labels or self.tables:
            for name, before in self.tables[label].get("seen", {}).items():
                now = observations.table_summary(self.user(server, name).get_table(self.id(label)))
                where = f"{name} at the table “{label}”"
                left, left_before = now.pop("left"), before["left"]
                for key, value in now.items():
                    assert value == before[key], f"{where}: {key} was {before[key]!r} and is {value!r} now"
                assert (left is None) == (left_before is None), f"{where}: clocks {left_before}, now {left}"
                for seat, (time_now, time_before) in enumerate(zip(left or [], left_before or [], strict=True)):
                    runs = seat in (now["runs"] or [])
                    same = time_before - 60_000 < time_now <= time_before if runs else time_now == time_before
                    assert same, f"{where}: seat {seat} had {time_before} ms left and has {time_now} ms now"
