"""Who can read the data folder: what lies in it tells every hand and lets its reader be anybody."""

from __future__ import annotations

import os
import secrets
import sys
from pathlib import Path

from diamonds.errors import DiamondsError

PRIVATE_FILES = ("diamonds.sqlite", "diamonds.sqlite-wal", "diamonds.sqlite-shm", "secret_key", "push_key", "lock")
HAS_POSIX_MODES = (
    os.name == "posix"
)  # on Windows a folder's rights are those of the user's own folder, and its mode says nothing


def make_private(folder: Path) -> None:
    """Make the folder, for us alone, or warn if others can look into the one that is there; its files are ours alone."""
    if folder.is_dir():
        if HAS_POSIX_MODES and folder.stat().st_mode & 0o077:
            sys.stderr.write(f"Others on this machine can look into {folder}: close it with chmod 700.\n")
    else:
        folder.mkdir(mode=0o700, parents=True)
    for name in PRIVATE_FILES:
        path = folder / name
        if HAS_POSIX_MODES and path.exists() and path.stat().st_mode & 0o077:
            path.chmod(0o600)


def secret_key(folder: Path | None) -> bytes:
    """The server's signing key: made at the first start, readable by the server alone. Without a folder, a new one."""
    return _load_or_create_key(folder, "secret_key", "everyone becomes a new guest")


def push_key(folder: Path | None) -> bytes:
    """The key by which push services know this server, made and stored likewise."""
    return _load_or_create_key(folder, "push_key", "everyone has to ask for messages anew")


def _load_or_create_key(folder: Path | None, name: str, consequence: str) -> bytes:
    """32 random bytes with a name; ``otherwise`` is what becomes of people without them."""
    if folder is None:
        return secrets.token_bytes(32)
    path = folder / name
    if not path.exists():
        new_path = (
            folder / f"{name}.{secrets.token_hex(4)}.new"
        )  # whole before it has its name; others may start with us
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
            f"{path} is damaged ({len(key)} bytes, not 32): restore it from a backup, or delete it ({consequence})."
        )
    return key
