"""Backups: a consistent snapshot of a server as one file, and its restoration. The server may stay open.

A backup is a tar archive of database, keys and settings, with a checksum of each. Anyone who can read it can see every
hand.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import os
import shutil
import tarfile
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import apsw

from diamonds.errors import DiamondsError, NotFoundError
from diamonds.server.storage import schema, transfer
from diamonds.server.storage.sql import SqlConnection
from diamonds.server.storage.sqlite import check_file_unmarked
from diamonds.server.storage.transfer import DATABASE_FILE

BACKUP_FILES = (DATABASE_FILE, "secret_key", "push_key", "server.toml", "house.toml")
CHECKSUMS = "checksums.json"
LAST_BACKUP = "last_backup"  # an empty file whose modification time is the time of the last backup
CHUNK_BYTES = 1 << 20


class InvalidBackupError(DiamondsError):
    """The file is not a backup, or is damaged."""


@contextlib.contextmanager
def open_for_reading(folder: Path) -> Iterator[apsw.Connection]:
    """Open a server's database for reading. Raise `NotFoundError` if there is none."""
    path = folder / DATABASE_FILE
    if not path.is_file():
        raise NotFoundError("server-no-data", folder=str(folder))
    # A read-only connection could not use the WAL of a closed server.
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)
    try:
        connection.set_busy_timeout(5000)
        connection.pragma("query_only", True)
        yield connection
    finally:
        connection.close()


def count_contents(folder: Path, address: str = "") -> dict[str, int]:
    """Return the sizes of a server's data; `address` is that of its PostgreSQL, if it has one."""
    if address:
        with transfer.snapshot_source(address) as endpoint:
            size = endpoint.connection.execute("SELECT pg_database_size(current_database())").get
            return _contents(endpoint.connection, schema.VERSION, size)
    with open_for_reading(folder) as connection:
        check_file_unmarked(connection, folder)
        size = sum(path.stat().st_size for path in folder.glob(f"{DATABASE_FILE}*"))
        return _contents(connection, int(connection.pragma("user_version")), size)


def _contents(connection: SqlConnection, version: int, size: int) -> dict[str, int]:
    counted = {
        "stored": "tables",
        "playing": "tables WHERE phase = 'playing'",
        "over": "tables WHERE phase = 'over'",
        "entries": "entries",
        "accounts": "accounts",
    }
    counts = {name: int(connection.execute(f"SELECT count(*) FROM {rows}").get) for name, rows in counted.items()}
    return {"schema": version, "bytes": size, **counts}


@contextlib.contextmanager
def snapshot(folder: Path, address: str = "") -> Iterator[Path]:
    """Yield a temporary folder with a copy of the database, which needs as much disk space again."""
    with contextlib.ExitStack() as stack:
        if not folder.is_dir():
            raise NotFoundError("server-no-data", folder=str(folder))
        if not address:
            connection = stack.enter_context(open_for_reading(folder))
            check_file_unmarked(connection, folder)
        copy_folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="copy-", dir=folder)))
        if address:
            source = stack.enter_context(transfer.snapshot_source(address))
            with transfer.empty_file_target(copy_folder) as target:
                transfer.copy_data(source, target, lambda table, rows: None)
        else:
            copy_path = copy_folder / DATABASE_FILE
            os.close(os.open(copy_path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
            connection.pragma("query_only", False)  # SQLite writes to the copy
            connection.execute("VACUUM INTO ?", (str(copy_path),))
            check_file_unmarked(connection, folder)  # a transfer may have ended in the meantime
        yield copy_folder


def backup(folder: Path, file: Path, address: str = "") -> int:
    """Write a backup, which gets its name only when it is complete and on disk. Return its size in bytes."""
    if file.exists():
        raise DiamondsError("backup-file-exists", file=str(file))
    part = file.with_name(f"{file.name}.part")
    with snapshot(folder, address) as copy_folder:
        for name in BACKUP_FILES[1:]:
            if (folder / name).is_file():
                shutil.copyfile(folder / name, copy_folder / name)
        part.unlink(missing_ok=True)  # left by an interrupted backup; an existing file would keep its permissions
        handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "wb") as output:
            with tarfile.open(fileobj=output, mode="w") as archive:
                for path in sorted(path for path in copy_folder.iterdir() if path.name in BACKUP_FILES):
                    archive.add(path, path.name, filter=_private)
                manifest = json.dumps({"at": int(time.time()), "files": _file_checksums(copy_folder)}).encode()
                manifest_info = tarfile.TarInfo(CHECKSUMS)
                manifest_info.size = len(manifest)
                archive.addfile(_private(manifest_info), io.BytesIO(manifest))
            output.flush()
            os.fsync(output.fileno())
    part.replace(file)
    (folder / LAST_BACKUP).touch()
    return file.stat().st_size


def backup_age_s(folder: Path) -> float | None:
    """Return the seconds since the last backup, or since the server's first start if there was none."""
    for name in (LAST_BACKUP, "secret_key"):
        with contextlib.suppress(FileNotFoundError):
            return max(0.0, time.time() - (folder / name).stat().st_mtime)
    return None


def _private(member: tarfile.TarInfo) -> tarfile.TarInfo:
    """Make a member readable only by its owner, even when extracted by `tar`."""
    member.mode = 0o600
    return member


def restore(file: Path, folder: Path) -> None:
    """Restore a backup into an empty or new folder, completely or not at all."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        _check_not_moved(folder)
        raise DiamondsError("backup-folder-not-empty", folder=str(folder))
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f"{folder.name}-", dir=folder.parent) as temp_folder:
        fresh = Path(temp_folder) / "fresh"
        fresh.mkdir(mode=0o700)
        unpack(file, fresh)
        if folder.exists():
            folder.rmdir()
        fresh.rename(folder)


def _check_not_moved(folder: Path) -> None:
    """Raise `DataTransferredError` if a folder holds data that was transferred elsewhere."""
    try:
        with open_for_reading(folder) as connection:
            check_file_unmarked(connection, folder)
    except (apsw.Error, NotFoundError):  # the folder contains something else, which also prevents restoring
        return


def unpack(file: Path, folder: Path) -> None:
    """Extract and verify a backup. Raise `InvalidBackupError` if it is not one."""
    try:
        with tarfile.open(file, "r:") as archive:
            checksums = json.loads(_extract(archive, CHECKSUMS).read())["files"]
            if DATABASE_FILE not in checksums or not set(checksums) <= set(BACKUP_FILES):
                raise InvalidBackupError("backup-unreadable", file=str(file), why="it contains unexpected files")
            for name in checksums:
                handle = os.open(folder / name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
                with os.fdopen(handle, "wb") as output:
                    shutil.copyfileobj(_extract(archive, name), output, CHUNK_BYTES)
                    output.flush()
                    os.fsync(output.fileno())
    except (tarfile.TarError, ValueError, KeyError, TypeError, EOFError) as error:
        raise InvalidBackupError("backup-unreadable", file=str(file), why=str(error)) from None
    for name, checksum in _file_checksums(folder).items():
        if checksum != checksums[name]:
            raise InvalidBackupError("backup-unreadable", file=str(file), why=f"the checksum of {name} is wrong")
    with open_for_reading(folder) as connection:
        version = connection.pragma("user_version")
    if version > schema.VERSION:
        raise InvalidBackupError("backup-unreadable", file=str(file), why="it was written by a newer version")


def _extract(archive: tarfile.TarFile, name: str) -> Any:
    file = archive.extractfile(name)
    if file is None:
        raise ValueError(f"{name} is not a file")
    return file


def _file_checksums(folder: Path) -> dict[str, str]:
    """Return the SHA-256 of each file."""
    checksums = {}
    for path in sorted(folder.iterdir()):
        if path.name in BACKUP_FILES:
            with path.open("rb") as file:
                checksums[path.name] = hashlib.file_digest(file, "sha256").hexdigest()
    return checksums
