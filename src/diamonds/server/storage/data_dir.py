"""The data folder and its permissions. Its files reveal every hand and allow impersonation."""

from __future__ import annotations

import os
import secrets
import sys
from pathlib import Path

from diamonds.errors import DiamondsError

PRIVATE_FILES = ("diamonds.sqlite", "diamonds.sqlite-wal", "diamonds.sqlite-shm", "secret_key", "push_key", "lock")
HAS_POSIX_MODES = os.name == "posix"  # on Windows, the permissions of the user's own folder apply


def make_private(folder: Path) -> None:
    """Create the folder, readable only by this user, or warn if others can read an existing one. Protect its files."""
    if folder.is_dir():
        if HAS_POSIX_MODES and folder.stat().st_mode & 0o077:
            sys.stderr.write(f"Other users can read {folder}. Protect it with chmod 700.\n")
    else:
        folder.mkdir(mode=0o700, parents=True)
    for name in PRIVATE_FILES:
        path = folder / name
        if HAS_POSIX_MODES and path.exists() and path.stat().st_mode & 0o077:
            path.chmod(0o600)


def secret_key(folder: Path | None) -> bytes:
    """Return the server's signing key, created at the first start. Without a folder, return a new one."""
    return _load_or_create_key(folder, "secret_key", "everyone becomes a new guest")


def push_key(folder: Path | None) -> bytes:
    """Return the key that identifies this server to push services, created like `secret_key`."""
    return _load_or_create_key(folder, "push_key", "everyone has to turn on notifications again")


def _load_or_create_key(folder: Path | None, name: str, consequence: str) -> bytes:
    """Return the 32-byte key in a file, creating it if it is missing.

    `consequence` describes the effect of losing the key.
    """
    if folder is None:
        return secrets.token_bytes(32)
    path = folder / name
    if not path.exists():
        # The file is renamed when complete, because other processes may start at the same time.
        new_path = folder / f"{name}.{secrets.token_hex(4)}.new"
        handle = os.open(new_path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "wb") as file:
            file.write(secrets.token_bytes(32))
            file.flush()
            os.fsync(file.fileno())
        if path.exists():
            new_path.unlink()
        else:
            new_path.replace(path)
    key = path.read_bytes()
    if len(key) != 32:
        raise DiamondsError(
            f"{path} is damaged ({len(key)} bytes, not 32). Restore it from a backup, or delete it ({consequence})."
        )
    return key
