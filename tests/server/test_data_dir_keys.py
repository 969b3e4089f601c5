"""The key files in the data folder when several processes start together."""

import os

from diamonds.server.storage.data_dir import secret_key


def test_processes_that_start_together_have_one_key(tmp_path, monkeypatch):
    sync, found = os.fsync, []

    def start_another(handle: int) -> None:
        monkeypatch.setattr(os, "fsync", sync)
        found.append(secret_key(tmp_path))
        sync(handle)

    monkeypatch.setattr(os, "fsync", start_another)
    found.append(secret_key(tmp_path))
    assert found == [secret_key(tmp_path)] * 2
    assert os.listdir(tmp_path) == ["secret_key"], "expected no leftover file"
