"""Games that began under an earlier version are played on to their end."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from upgrade import seen
from upgrade.program import Server
from upgrade.user import User, play
from upgrade.written import Written

pytestmark = pytest.mark.later


def test_running_games_are_played_to_their_end(written: Written, serve: Callable[..., Server], tmp_path: Path) -> None:
    server = serve(written.unpack(tmp_path / "data"), written.an_hour_later)
    for label in written.labels("playing"):
        about = written.tables[label]
        if about.get("stuck"):
            continue
        users, table = written.players(server, label), about["id"]
        seen.go_on(table, users)
        assert play(table, users)["result"] is not None
        seats = {seat: name for name, seen in about["seen"].items() if (seat := seen["seat"]) is not None}
        record = users[0].record(table)
        assert users[0].verify(table), f"“{label}” does not verify"
        assert record["commitment"] == about["seen"][about["people"][0]]["commitment"]
        assert len(record["entries"]) > max(seen["n"] for seen in about["seen"].values()), f"{seats} answered nothing"


def test_waiting_tables_begin_once_they_are_full(
    written: Written, serve: Callable[..., Server], tmp_path: Path
) -> None:
    server = serve(written.unpack(tmp_path / "data"), written.an_hour_later)
    for label in written.labels("waiting"):
        about, users = written.tables[label], written.players(server, label)
        seated = [user for user in users if user.look(about["id"])["seat"] is not None]
        for user in users:
            if user not in seated:  # a seat is kept for them
                user.sit(about["id"])
        while seen.summary(users[0].look(about["id"]))["phase"] == "waiting":
            newcomer = User(server).come()
            newcomer.sit(about["id"], invite=about["invite"])
            users.append(newcomer)
        now = seen.summary(users[0].look(about["id"]))
        assert (now["phase"], now["commitment"]) == ("playing", about["seen"][about["people"][0]]["commitment"])


def test_rematch_and_fork_follow_a_finished_game(written: Written, opened: Server) -> None:
    ben = written.user(opened, "Ben")
    assert seen.rematch(ben, written.id("crystals for two")) == written.id("again")
    anna = written.user(opened, "Anna")
    fork = seen.fork(anna, written.id("crystals alone"), n=4)
    assert seen.summary(anna.look(fork))["fork"] == 4
